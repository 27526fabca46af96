// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Under mpirun: the recursive method with branches on ranks gives the bits of one rank, and a rank that
// hangs or dies in the middle ends the run.
//   ranks_recursive alike|hang|die
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

#include "alike.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/machines.h"


static void compare(const artModel *m, const char *name, artData *alone, artData *shared,
                    double *one, double *other)
{
  artError error = {0};
  if (alike_at_some_states(m, alone, shared, one, other, &error)) return;
  printf("  %s by %d ranks: %s\n", name, par_mpi_size(), error.text);
}


static void check_trips(const artModel *m, const char *name, workersTrips trips)
{
  // freed before the next machine: that ends the service of the other ranks
  artData *alone = keep_fresh_data(m), *shared = art_create_data(m);
  double *one = MEM_ARRAY(double, 2 * (m->tree.nv + m->nrow));
  const workersOptions options = {.in_any_case = 1, .trips = trips, .limit = 20};
  if (!CHECK(alone && shared && one)) return;
  if (par_mpi_rank() > 0) {
    CHECK(method_serve(m, shared, NULL) == ART_OK);
  } else if (CHECK(method_use_ranks(shared, &options, NULL) == ART_OK)) {
    compare(m, name, alone, shared, one, one + m->tree.nv + m->nrow);
    const workersReport report = method_workers_report(shared);
    if (report.branches > 1) CHECK(report.used == 1 || report.by_ranks);
    if (report.branches >= par_mpi_size()) CHECK_EQ_INT(report.used, par_mpi_size());
    if (report.used > 1 && trips == TRIPS_ONE) CHECK_EQ_INT(report.round_trips, 1);
    if (report.used > 1 && trips == TRIPS_BY_PHASE) CHECK(report.round_trips >= 2);
  }
  art_free_data(shared);
  mem_free(one);
}


static void check_machine(const artModel *m, const char *name)
{
  check_trips(m, name, TRIPS_ONE);
  check_trips(m, name, TRIPS_BY_PHASE);
}


TEST(samples_move_alike_by_any_number_of_ranks)
{
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    if (CHECK(m)) check_machine(m, sample->name);
  }
}


// each by 2, 3 or 8 ranks; with ART_SOAK=1 by every number of them
TEST(machines_of_the_library_move_alike)
{
  static machineFiles files;
  const int is_soaked = getenv("ART_SOAK") != NULL;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    artModel *m = NULL;
    if (!is_soaked && i % 3 != par_mpi_size() / 3) continue;
    const artStatus status = art_load_model(&m, files.path[i], NULL);
    if (status == ART_OK && m->nrow > 0 && m->tree.nv > 0) {
      check_machine(m, machine_name(files.path[i]));
    }
    art_free_model(m);
  }
}


//---- trouble -------------------------------------------------------------------------------------


// the last rank stops taking part after the first evaluation, in one way or the other
static int lose_a_rank(int is_dead)
{
  artModel *m = loop_polygon(5);
  artData *d = art_create_data(m);
  artError error = {0};
  double result[64];
  const workersOptions options = {.in_any_case = 1, .limit = 0.5};
  if (!d) return 2;
  if (par_mpi_rank() > 0) {
    parMessage message;
    par_mpi_next(&message, 0, NULL);
    if (is_dead) raise(SIGKILL);
    return pause();
  }
  method_use_ranks(d, &options, NULL);
  const artStatus status = alike_evaluate(m, d, result, &error);
  fprintf(stderr, "%s\n", error.text);
  if (status == ART_STALLED) par_mpi_end(1);
  return 1;
}


int main(int argc, char **argv)
{
  artError error = {0};
  const char *what = argc > 1 ? argv[1] : "alike";
  if (par_mpi_begin(&error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 2;
  }
  if (strcmp(what, "alike") != 0) return lose_a_rank(strcmp(what, "die") == 0);
  const int failed = check_main(1, argv);
  fflush(stdout);
  par_mpi_end(0);
  return failed;
}
