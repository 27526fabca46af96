// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines in natural coordinates against the same machines in relative ones: constraints, energies,
// and the way there and back, for random trees, sample loops and all models that come with the program.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "force/force.h"
#include "natural/natural.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/machines.h"
#include "support/models.h"

static uint64_t seed = 11;

// one machine at the state of its data
static void check_state(const char *name, const artModel *m, artData *d, naturalShape shape)
{
  naturalMachine *k = NULL;
  if (!CHECK_WORKS(natural_create(&k, m, d, shape, &check_error))) {
    fprintf(stderr, "%s: %s\n", name, check_error.text);
    return;
  }
  baseArena arena = {0};
  const naturalSystem *s = k->s;
  const size_t n = (size_t) s->n, nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  double *q = keep_numbers(s->n), *v = keep_numbers(s->n), *scratch = keep_numbers(s->n);
  double *rate = keep_numbers(s->nrow), *wrong = keep_numbers(m->tree.nv);
  double *q0 = keep_numbers(m->tree.nq), *v0 = keep_numbers(m->tree.nv);
  naturalState x;
  CHECK(natural_start_state(s, &x, &arena));

  art_update(m, d);
  memcpy(q0, d->q, nq * sizeof *q0);
  memcpy(v0, d->v, nv * sizeof *v0);
  const artEnergy energy = art_energy(m, d);
  natural_place(k, q, v);
  const double speed = 1 + check_largest(s->n, v);

  // constraints hold, and their rates
  CHECK(natural_positions(s, &x, d->time, q) == ART_OK);
  CHECK(natural_velocities(s, &x, v) == ART_OK);
  natural_times(s, &x, v, rate);
  for (int r = 0; r < s->nrow; r++) rate[r] += x.phi_t[r];
  const double gap = check_largest(s->nrow, x.phi), drift = check_largest(s->nrow, rate);
  if (!CHECK(gap < 1e-9 * check_larger(1, s->length)) || !CHECK(drift < 1e-8 * speed)) {
    const int worst = natural_worst_row(s, gap < 1e-9 ? rate : x.phi);
    fprintf(stderr, "%s (%s): phi %g, rate %g, worst row of %s, kind %d\n", name,
            k->is_planar ? "planar" : "spatial", gap, drift, s->row[worst].name,
            (int) s->row[worst].kind);
  }

  // energies are the same
  double weight = s->weight_0, potential = 0, power = 0;
  for (int i = 0; i < s->n; i++) weight -= s->weight[i] * q[i];
  if (k->forces.apply) {
    memset(scratch, 0, n * sizeof *scratch);
    k->forces.apply(k->forces.context, d->time, q, v, scratch, &power, &potential, NULL);
  }
  const double kinetic = natural_kinetic(s, v, scratch);
  const double scale = check_larger(1, check_larger(fabs(energy.kinetic), fabs(energy.potential)));
  if (!CHECK(fabs(kinetic - energy.kinetic) < 1e-10 * scale) ||
      !CHECK(fabs(weight + potential - energy.potential) < 1e-10 * scale)) {
    fprintf(stderr, "%s: kinetic %.12g for %.12g, potential %.12g for %.12g\n", name, kinetic,
            energy.kinetic, weight + potential, energy.potential);
  }

  // there and back
  sample_numbers(&seed, 1e-3, (int) nv, d->v);
  sample_numbers(&seed, 0.3, (int) nv, wrong);
  art_move(m, d->q, wrong);
  natural_recover(k, d->time, q, v, NULL);
  const double moved = check_apart((int) nq, d->q, q0), changed = check_apart((int) nv, d->v, v0);
  if (!CHECK(moved < 1e-9 * (1 + check_largest((int) nq, q0))) ||
      !CHECK(changed < 1e-8 * (1 + check_largest((int) nv, v0)))) {
    fprintf(stderr, "%s: back with positions off by %g, velocities by %g\n", name, moved, changed);
  }
  memcpy(d->q, q0, nq * sizeof *q0);
  memcpy(d->v, v0, nv * sizeof *v0);
  art_update(m, d);
  arena_free(&arena);
  natural_destroy(k);
}


// accelerations by natural coordinates are those by relative ones
static void check_accelerations(const char *name, const artModel *m, artData *d)
{
  const int nv = m->tree.nv;
  if (!CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error))) return;
  double *a = keep_numbers(nv);
  memcpy(a, d->a, (size_t) nv * sizeof *a);
  const double scale = check_larger(1, check_largest(nv, a));
  if (!CHECK_WORKS(art_accelerate(m, d, ART_INDEX1, &check_error))) {
    fprintf(stderr, "%s: %s\n", name, check_error.text);
  } else if (!CHECK(check_apart(nv, a, d->a) < 1e-9 * scale)) {
    fprintf(stderr, "%s: accelerations off by %g of %g\n", name, check_apart(nv, a, d->a), scale);
  }
}


static void check_both(const char *name, const artModel *m, artData *d)
{
  check_state(name, m, d, NATURAL_AUTOMATIC);
  check_state(name, m, d, NATURAL_SPATIAL);
  check_accelerations(name, m, d);
}


TEST(random_trees_are_the_same)
{
  for (int trial = 0; trial < 60; trial++) {
    const sampleOptions options = {.n = 1 + trial % 12,
                                   .has_rotors = trial % 3 == 0,
                                   .has_drives = trial % 4 == 0,
                                   .has_massless = trial % 5 == 0};
    sampleScene scene = sample_open(options, NULL, &seed);
    check_both("random tree", scene.m, scene.d);
  }
}


TEST(loops_are_the_same)
{
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    artData *d = keep_fresh_data(m);
    for (int trial = 0; trial < 3; trial++) {
      if (!loop_random_state(m, d, &seed)) break;
      check_both(sample->name, m, d);
    }
  }
}


static void check_file(const char *path)
{
  artModel *m = keep_file(path);
  artData *d = keep_assembled_data(m);
  check_both(path, m, d);
  for (int trial = 0; trial < 2 && m->nrow > 0; trial++) {
    if (loop_random_state(m, d, &seed)) check_accelerations(path, m, d);
  }
}


TEST(files_are_the_same)
{
  static const char *const folders[] = {"adams/", "loops/", "benchmarks/", "experiments/"};
  static machineFiles files;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    const char *name = machine_name(files.path[i]);
    int is_meant = !strchr(name, '/');
    for (int f = 0; f < 4; f++) is_meant |= strncmp(name, folders[f], strlen(folders[f])) == 0;
    if (is_meant) check_file(files.path[i]);
  }
}


// Points and vectors are shared as one would by hand.
TEST(bases_are_small)
{
  static const struct {
    const char *file;
    int planar, coordinates, rows;
  } expected[] = {
      {"double-pendulum", 1, 4, 2},           // two points, two lengths
      {"loops/four-bar", 1, 4, 3},            // two points, three lengths
      {"benchmarks/four-bars-40", 1, 82, 81}, // 41 points, 81 lengths
      {"gyro", 0, 12, 6},                     // a point and three vectors
      {"spherical-pendulum", 0, 9, 6},        // its centre is on ground
      {"iiwa", 0, 42, 35},                    // six coordinates and five equations a joint
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    naturalMachine *k = NULL;
    artModel *m = keep_machine(expected[i].file);
    artData *d = keep_fresh_data(m);
    if (!CHECK(natural_create(&k, m, d, NATURAL_AUTOMATIC, NULL) == ART_OK)) return;
    CHECK_EQ_INT(k->is_planar, expected[i].planar);
    CHECK_EQ_INT(k->s->n, expected[i].coordinates);
    CHECK_EQ_INT(k->s->nrow, expected[i].rows);
    natural_destroy(k);
  }
}


TEST(every_failing_allocation_ends_in_a_clean_error)
{
  static const char *const files[] = {"loops/four-bar", "loops/stewart", "spindle", "gimbal"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/models/%s.yaml", ART_SOURCE_DIR, files[i]);
    artModel *m = NULL;
    if (!CHECK(art_load_model(&m, path, NULL) == ART_OK)) return;
    artData *d = art_create_data(m);
    artStatus status;
    long n = 0;
    do {
      naturalMachine *k = NULL;
      artError error = {0};
      heap_run_dry_after(n++);
      const long before = heap_live();
      status = natural_create(&k, m, d, NATURAL_AUTOMATIC, &error);
      if (status != ART_OK) CHECK(status == ART_NO_MEMORY && heap_live() == before);
      natural_destroy(k);
    } while (status != ART_OK && n < 10000);
    heap_unwatch();
    CHECK(status == ART_OK && n > 5);
    art_free_data(d);
    art_free_model(m);
  }
}
