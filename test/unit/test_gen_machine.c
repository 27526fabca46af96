// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The whole machine on symbols against numbers: accelerations, multipliers, constraints and energies of sample loops and of
// every kind of force at random states. test/physics/test_gen_states.c takes the machines of models/, test_gen_tangent.c
// the derivatives.
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/folder.h"
#include "support/loops.h"
#include "support/oracle.h"
#include "support/programs.h"

enum { STATES = 4 };

typedef struct host {
  const artModel *m;
  const eqnProgram *p;
} host;


// relations of the host, by the names of their functions
static void call_host(void *context, int external, const double *x, double *result)
{
  const host *h = context;
  const char *name = h->p->external[external].name;
  for (int i = 0; i < h->m->nrelation; i++) {
    const modelRelation *r = &h->m->relation[i];
    if (!r->user.value) continue;
    if (strcmp(r->name, name) == 0) {
      r->user.value(r->user.context, x, result, result + 1);
    } else if (strncmp(r->name, name, strlen(r->name)) == 0) {
      r->user.bias(r->user.context, x, x + r->n, result);
    }
  }
}


static void check_model(const char *name, const artModel *m)
{
  uint64_t seed = 3;
  int is_hosted = 0; // the oracle calls no functions of the host
  for (int i = 0; i < m->nrelation; i++) is_hosted |= m->relation[i].user.value != NULL;
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_REACTIONS | GEN_CONSTRAINTS |
                                       GEN_ENERGY |
                                       (m->nrow > 0 && !is_hosted ? GEN_AUGMENTED : 0)};
  host h = {m, keep_program(m, keep_fresh_data(m), &options)};
  const int states = oracle_compare(m, h.p, STATES, &seed, call_host, &h);
  if (!CHECK(states > STATES / 2)) printf("  %s\n", name);
}


// test_gen_states.c leaves them out
TEST(plants_are_the_same)
{
  glob_t files = folder_models(1);
  int count = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    if (!strstr(files.gl_pathv[i], "/plant/")) continue;
    const artModel *m = keep_file(files.gl_pathv[i]);
    if (m->nrate > 0) continue; // states with formulas: not yet
    check_model(files.gl_pathv[i], m);
    count++;
  }
  globfree(&files);
  CHECK(count > 0);
}


// friction with a Stribeck term, stops, bushings, air springs, segments and tables among them
TEST(every_kind_of_force_is_the_same)
{
  const artModel *m = keep_file("test/models/good/all-forces.yaml");
  if (m) check_model("all-forces.yaml", m);
}


TEST(sample_loops_are_the_same)
{
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    check_model(sample->name, m);
  }
}
