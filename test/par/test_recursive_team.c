// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursive method by several threads: the same bits as by one, whatever their number.
#include "support/check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "alike.h"
#include "base/memory.h"
#include "method/workers.h"
#include "par/team.h"
#include "par/wait.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/machines.h"

enum { MOST = 8 };


static void compare(const artModel *m, const char *name, artData *alone, artData *shared,
                    double *one, double *other)
{
  artError error = {0};
  if (alike_at_some_states(m, alone, shared, one, other, &error)) return;
  printf("  %s by %d threads, %d branches: %s\n", name, method_workers_report(shared).asked,
         method_workers_report(shared).branches, error.text);
}


static int check_machine(const artModel *m, const char *name, int threads)
{
  int used = 0;
  double *one = MEM_ARRAY(double, 2 * (m->tree.nv + m->nrow));
  artData *alone = art_create_data(m), *shared = art_create_data(m); // with threads of its own
  const workersOptions options = {.threads = threads, .in_any_case = 1, .limit = PAR_STALL_LIMIT};
  if (CHECK(one && alone && shared) &&
      CHECK(method_use_threads(shared, &options, NULL) == ART_OK)) {
    compare(m, name, alone, shared, one, one + m->tree.nv + m->nrow);
    used = method_workers_report(shared).used;
  }
  mem_free(one);
  art_free_data(shared);
  art_free_data(alone);
  return used;
}


// by 1, 4 and 7 threads; with ART_TEST_ALL=1 by all numbers
TEST(samples_move_alike_by_any_number_of_threads)
{
  const int next = getenv("ART_TEST_ALL") ? 1 : 3;
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    if (!CHECK(m)) continue;
    for (int threads = 1; threads <= MOST; threads += next) check_machine(m, sample->name, threads);
  }
}


// each by another number of threads; with ART_SOAK=1 by all of them
TEST(machines_of_the_library_move_alike)
{
  static machineFiles files;
  const int is_soaked = getenv("ART_SOAK") != NULL;
  int looped = 0, parted = 0;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    artModel *m = NULL;
    if (art_load_model(&m, files.path[i], NULL) != ART_OK || m->nrow == 0 || m->tree.nv == 0) {
      art_free_model(m);
      continue;
    }
    const int first = is_soaked ? 1 : 2 + i % (MOST - 1), last = is_soaked ? MOST : first;
    int used = 1;
    for (int n = first; n <= last; n++) used = check_machine(m, machine_name(files.path[i]), n);
    looped++;
    parted += used > 1;
    art_free_model(m);
  }
  CHECK(looped > 20);
  CHECK(parted > looped / 2);
}


TEST(a_long_loop_has_two_branches_of_the_same_size)
{
  artModel *m = keep_model(loop_polygon(151));
  if (!CHECK(m)) return;
  CHECK_EQ_INT(check_machine(m, "polygon", 2), 2);
  CHECK_EQ_INT(check_machine(m, "polygon", 8), 2);
}


//---- decisions -----------------------------------------------------------------------------------


TEST(a_team_is_tried_before_it_is_used)
{
  artModel *m = keep_model(loop_polygon(15));
  artData *d = keep_fresh_data(m);
  double result[64];
  const workersOptions options = {.threads = 2, .limit = PAR_STALL_LIMIT};
  if (!CHECK(d) || !CHECK(method_use_threads(d, &options, NULL) == ART_OK)) return;
  CHECK(alike_evaluate(m, d, result, NULL) == ART_OK);
  const workersReport report = method_workers_report(d);
  CHECK(report.alone > 0 && report.shared > 0);
  CHECK_EQ_INT(report.used, report.shared < 0.95 * report.alone ? 2 : 1);
  CHECK_EQ_INT(report.branches, 2);
}


TEST(without_threads_one_works_alone)
{
  artModel *m = keep_model(loop_polygon(5));
  artData *d = keep_fresh_data(m);
  artError error = {0};
  if (!CHECK(d)) return;
  CHECK_EQ_INT(method_workers_report(d).used, 1);
  const workersOptions none = {.threads = 0};
  CHECK(method_use_threads(d, &none, &error) == ART_BAD_INPUT);
}


//---- trouble -------------------------------------------------------------------------------------

static atomic_int may_go;


static void hang_in_the_second_branch(const artModel *m, artData *d, int branch)
{
  (void) m;
  (void) d;
  parWait wait = {0};
  while (branch == 1 && !atomic_load(&may_go)) par_wait(&wait);
}


TEST(a_worker_that_stalls_ends_the_evaluation)
{
  artModel *m = keep_model(loop_polygon(5));
  artData *d = keep_fresh_data(m);
  double result[64];
  artError error = {0};
  const workersOptions options = {.threads = 2, .in_any_case = 1, .limit = 1};
  if (!CHECK(d) || !CHECK(method_use_threads(d, &options, NULL) == ART_OK)) return;
  CHECK(alike_evaluate(m, d, result, &error) == ART_OK);

  // of two branches of the same size the second is the other worker's
  CHECK(workers_run(m, d, hang_in_the_second_branch, &error) == ART_STALLED);
  CHECK_CONTAINS(error.text, "has stalled in 'method recursive'");
  CHECK(alike_evaluate(m, d, result, &error) == ART_STALLED);
  atomic_store(&may_go, 1);
}
