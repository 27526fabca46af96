// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Seed 001's question: from which size on do two cores pay in the recursive method? The spatial
// slider-crank and planar loops of N revolute pairs, cut in the middle into two branches.
//   parallel_loop [N ...]                   one thread compared with two
//   mpirun -n 2 parallel_loop [N ...]       one rank compared with two; before N, 'phases' or 'one' chooses the round trips of
//                                           messages in an evaluation instead of the quicker ones
// Times are the shortest of many evaluations, by turns, by the wall clock: both meet the same machine, and
// what else runs on it counts as little as can be.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "loop_models.h"
#include "method/method.h"
#include "par/mpi.h"
#include "par/team.h"

static const double share = 0.5; // s of measuring a machine

static workersTrips trips; // of ranks

// the size of a loop; 0 is the slider-crank
static const int sizes[] = {0, 5, 9, 15, 21, 31, 51, 101, 151, 251, 501, 1001, 2501, 5001, 10001};


static artModel *machine(int n, artError *error)
{
  if (n > 0) return polygon_model(n, error);
  artModel *model = NULL;
  return art_load_model(&model, "models/benchmarks/spatial-slider-crank.yaml", error) == ART_OK
             ? model
             : NULL;
}


// the shortest of some evaluations, one after the other, so that the data is in the caches
static double evaluate(const artModel *model, artData *data, artError *error)
{
  double least = INFINITY;
  for (int k = 0; k < 10; k++) {
    const double start = base_now();
    art_update(model, data);
    if (art_accelerate(model, data, ART_RECURSIVE, error) != ART_OK) return NAN;
    least = fmin(least, base_now() - start);
  }
  return least;
}


//---- one machine ---------------------------------------------------------------------------------


static void print_times(int n, const artModel *model, double alone, double shared)
{
  if (n > 0) {
    printf("  loop %10d", n);
  } else {
    printf("  slider-crank   ");
  }
  printf(" %7d %12.2f %12.2f %10.2f\n", art_count(model).bodies, 1e6 * alone, 1e6 * shared,
         alone / shared);
  fflush(stdout);
}


static void time_machine(int n, const artModel *model, artData *one, artData *two)
{
  artError error = {0};
  double alone = INFINITY, shared = INFINITY;
  const double end = base_now() + share;
  for (int k = 0; k < 20 || base_now() < end; k++) {
    alone = fmin(alone, evaluate(model, one, &error));
    shared = fmin(shared, evaluate(model, two, &error));
    if (error.status != ART_OK) break;
  }
  if (error.status != ART_OK) {
    printf("  %d: %s\n", n, error.text);
  } else {
    print_times(n, model, alone, shared);
  }
}


// on rank 0, or with threads
static void compare(int n)
{
  artError error = {0};
  const workersOptions options = {
      .threads = 2, .in_any_case = 1, .trips = trips, .limit = PAR_STALL_LIMIT};
  artModel *model = machine(n, &error);
  artData *one = model ? art_create_data(model) : NULL,
          *two = model ? art_create_data(model) : NULL;
  artStatus status = one && two ? ART_OK : ART_NO_MEMORY;
  if (status == ART_OK) {
    status = par_mpi_size() > 1 ? method_use_ranks(two, &options, &error)
                                : method_use_threads(two, &options, &error);
  }
  if (status == ART_OK) {
    time_machine(n, model, one, two);
  } else {
    printf("  %d: %s\n", n, error.text);
  }
  art_free_data(one);
  art_free_data(two);
  art_free_model(model);
}


static void serve(int n)
{
  artError error = {0};
  artModel *model = machine(n, &error);
  artData *data = model ? art_create_data(model) : NULL;
  if (!data || method_serve(model, data, &error) != ART_OK) {
    fprintf(stderr, "rank %d: %s\n", par_mpi_rank(), error.text);
    par_mpi_end(1);
  }
  art_free_data(data);
  art_free_model(model);
}


static void visit(int n)
{
  if (par_mpi_rank() == 0) {
    compare(n);
  } else {
    serve(n);
  }
}


int main(int argc, char **argv)
{
  artError error = {0};
  if (par_mpi_is_launched() && par_mpi_begin(&error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  if (par_mpi_rank() == 0) {
    printf("  %-15s %7s %12s %12s %10s\n", "us an evaluation", "bodies", "one",
           par_mpi_size() > 1 ? "two ranks" : "two threads", "speed-up");
  }
  int first = 1;
  if (argc > 1 && strcmp(argv[1], "phases") == 0) trips = TRIPS_BY_PHASE, first = 2;
  if (argc > 1 && strcmp(argv[1], "one") == 0) trips = TRIPS_ONE, first = 2;
  for (int i = first; i < argc; i++) visit(atoi(argv[i]));
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && argc == first; i++) visit(sizes[i]);
  par_mpi_end(0);
  return 0;
}
