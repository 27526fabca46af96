// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory that runs out in readers and in runs of machines with loops: each request is refused once, which is told, and no
// block is lost.
#include "support/heap.h"
#include "support/keep.h"
#include <stdio.h>

#include "base/error.h"
#include "support/check.h"

static artStatus load(const void *path, artError *error)
{
  artModel *m = NULL;
  const artStatus status = art_load_model(&m, path, error);
  art_free_model(m);
  return status;
}


TEST(readers_say_that_memory_has_run_out)
{
  static const char *const paths[] = {
      "test/models/good/all-joints.yaml", "test/models/good/studies.yaml",
      "test/models/good/corners.yaml",    "test/models/good/wheel.yaml",
      "models/vehicles/iltis.yaml",       "test/models/good/signals.yaml"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char path[1024];
    snprintf(path, sizeof path, ART_SOURCE_DIR "/%s", paths[i]);
    heap_refuse_each(load, path, 10);
  }
}


typedef struct someRun {
  const artModel *m;
  artRunDef study;
} someRun;


static artStatus run(const void *context, artError *error)
{
  const someRun *x = context;
  artRun *run = NULL;
  artData *d = art_create_data(x->m);
  if (!d) return base_no_memory(error);
  artStatus status = art_assemble(x->m, d, NULL, error);
  if (status == ART_OK) status = art_create_run(&run, x->m, d, &x->study, error);
  if (status == ART_OK) status = art_run_to(run, 0.02, error);
  art_free_run(run);
  art_free_data(d);
  return status;
}


TEST(runs_by_every_method_say_that_memory_has_run_out)
{
  static const struct {
    artMethod method;
    artAlgebra algebra;
    artPartition partition;
  } cases[] = {
      {ART_SEMIRECURSIVE, ART_ALGEBRA_PLAIN, ART_PARTITION_SYMBOLIC},
      {ART_SEMIRECURSIVE, ART_ALGEBRA_DENSE, ART_PARTITION_PIVOTING},
      {ART_RECURSIVE, 0, 0},
      {ART_AUGMENTED, 0, 0},
      {ART_INDEX1, ART_ALGEBRA_DENSE, 0},
      {ART_INDEX3, ART_ALGEBRA_SPARSE, 0},
      {ART_MULTI_INDEX, 0, 0},
      {ART_CONSERVING, ART_ALGEBRA_SPARSE, 0},
  };
  someRun x = {.m = keep_machine("loops/four-bar"), .study = art_default_run()};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    x.study.method = cases[i].method, x.study.algebra = cases[i].algebra;
    x.study.partition = cases[i].partition;
    x.study.step = art_method_is_natural(x.study.method) ? 1e-2 : 0;
    heap_refuse_each(run, &x, 15);
  }
}
