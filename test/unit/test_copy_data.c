// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copies of data blocks go on to the same bits as the original, by every method; and the memory of a data block is
// known.
#include <stdio.h>

#include "articula/articula.h"
#include "model/methods.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/simulate.h"

enum { MOST = 512 };


// both hold the same state, accelerations and outputs
static int are_same(const artModel *m, artData *a, artData *b)
{
  const artCounts n = art_count(m);
  double x[MOST], y[MOST];
  art_outputs(m, a, x);
  art_outputs(m, b, y);
  const artEnergy e = art_energy(m, a), f = art_energy(m, b);
  return a->time == b->time && memcmp(a->q, b->q, (size_t) n.nq * sizeof *a->q) == 0 &&
         memcmp(a->v, b->v, (size_t) n.nv * sizeof *a->v) == 0 &&
         memcmp(a->a, b->a, (size_t) n.nv * sizeof *a->a) == 0 &&
         memcmp(a->force, b->force, (size_t) n.nv * sizeof *a->force) == 0 &&
         memcmp(x, y, (size_t) n.outputs * sizeof *x) == 0 && memcmp(&e, &f, sizeof e) == 0;
}


static artStatus accelerate(const artModel *m, artData *d, int way, artError *error)
{
  if (way == MODEL_GENERATED) return art_accelerate_generated(m, d, error);
  return art_accelerate(m, d, (artMethod) way, error);
}


static int accelerate_alike(const artModel *m, artData *a, artData *b, int method)
{
  const artStatus status = accelerate(m, a, method, NULL);
  if (!CHECK_EQ_INT(accelerate(m, b, method, NULL), status)) return 0;
  return status != ART_OK || CHECK(are_same(m, a, b));
}


// rows of runs that start at both
static void run_alike(const artModel *m, artData *a, artData *b, const artRunDef *study)
{
  artRun *one = keep_started_run(m, a, study), *two = keep_started_run(m, b, study);
  for (int i = 0; i <= 5 && one && two; i++) {
    const double t = study->from + (study->until - study->from) * i / 5;
    const artStatus status = art_run_to(one, t, NULL);
    if (!CHECK_EQ_INT(art_run_to(two, t, NULL), status) || status != ART_OK) return;
    if (!CHECK(are_same(m, a, b))) return;
  }
}


// A run comes to `time`; copies are made in the middle of it, and when it has ended.
static void check_copies(const char *path, int method, double time)
{
  const artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m);
  const artRunDef *found = m ? art_find_run(m, NULL) : NULL;
  if (!CHECK(found && copy)) return;
  artRunDef study = *found;
  if (method != ART_AUTOMATIC) model_set_way(&study, method);
  CHECK(accelerate(m, copy, model_way(&study), NULL) == ART_OK); // prepared elsewhere
  artRun *run = NULL;
  if (!CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error))) return;
  CHECK_WORKS(art_run_to(run, time, &check_error));
  int held = CHECK_WORKS(art_copy_data(m, copy, d, &check_error)) && CHECK(are_same(m, d, copy)) &&
             accelerate_alike(m, d, copy, ART_AUTOMATIC) &&
             accelerate_alike(m, d, copy, model_way(&study));
  art_free_run(run);

  held = held && CHECK_WORKS(art_copy_data(m, copy, d, &check_error)) &&
         accelerate_alike(m, d, copy, model_way(&study));
  art_update(m, d);
  art_update(m, copy);
  held = held && accelerate_alike(m, d, copy, model_way(&study));
  study.from = time;
  study.until = time + 0.25;
  if (held) run_alike(m, d, copy, &study);
  if (!held)
    printf("in %s by %s at %g s: %s\n", path, model_way_name(method), time, check_error.text);
}


TEST(copies_go_on_to_the_same_bits_by_every_method)
{
  const int methods[] = {ART_AUTOMATIC, ART_RECURSIVE,   ART_AUGMENTED, ART_INDEX1,
                         ART_INDEX3,    ART_MULTI_INDEX, ART_CONSERVING};
  for (int i = 0; i < (int) (sizeof methods / sizeof *methods); i++) {
    check_copies("models/loops/four-bar.yaml", methods[i], 0.73);
    check_copies("models/loops/seven-body.yaml", methods[i], 0.013);
    check_copies("models/double-pendulum.yaml", methods[i], 0.5);
  }
  check_copies("models/loops/planar-robot-by-hand.yaml", ART_AUTOMATIC, 0.002);
}


TEST(copies_of_generated_equations)
{
  check_copies("models/loops/four-bar.yaml", MODEL_GENERATED, 0.73);
  check_copies("models/double-pendulum.yaml", MODEL_GENERATED, 0.5);
}


// a block without code shares that of another one, with parameters of its own, and outlives it
static void check_shared(const char *path, double time)
{
  const artModel *m = keep_file(path);
  artData *first = art_create_data(m), *copy = keep_fresh_data(m), *alone = keep_fresh_data(m);
  if (!CHECK(first && copy && alone)) return;
  artRunDef study = *art_find_run(m, NULL);
  model_set_way(&study, MODEL_GENERATED);
  study.until = study.from + time;
  heap_watch();
  CHECK(accelerate(m, first, MODEL_GENERATED, NULL) == ART_OK);
  const long made = heap_taken();
  CHECK(art_copy_data(m, copy, first, NULL) == ART_OK);
  CHECK(heap_taken() - made < made / 4); // no equations are made
  heap_unwatch();
  art_free_data(first);
  CHECK(accelerate(m, alone, MODEL_GENERATED, NULL) == ART_OK);
  run_alike(m, copy, alone, &study);
}


TEST(copies_share_generated_code)
{
  check_shared("models/loops/four-bar.yaml", 0.25);
  check_shared("models/double-pendulum.yaml", 0.25);
  check_shared("models/vehicles/iltis.yaml", 0.05);
}


// a block that does not know of a change yet is copied: the copy finds all numbers anew
TEST(copies_made_after_a_parameter_has_changed)
{
  const int ways[] = {ART_AUTOMATIC, MODEL_GENERATED};
  for (int i = 0; i < 2; i++) {
    artModel *m = keep_file("models/double-pendulum.yaml");
    artData *old = keep_fresh_data(m);
    CHECK(accelerate(m, old, ways[i], NULL) == ART_OK);
    CHECK(art_set_parameter(m, "L", 0.5, NULL) == ART_OK);
    artData *copy = keep_fresh_data(m), *alone = keep_fresh_data(m);
    CHECK(art_copy_data(m, copy, old, NULL) == ART_OK);
    art_update(m, copy);
    art_update(m, alone);
    accelerate_alike(m, copy, alone, ways[i]);
  }
}


static void go_to(const artModel *m, artData *d, double from, double until)
{
  artRunDef study = *art_find_run(m, NULL);
  study.from = from;
  study.until = until;
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, d, &study, NULL) == ART_OK);
  CHECK(art_run_to(run, until, NULL) == ART_OK);
  art_free_run(run);
}


// Natural coordinates weigh their rows, and generated equations order their pivots, where they are made.
TEST(copies_of_methods_that_began_elsewhere)
{
  const int methods[] = {ART_INDEX1, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};
  const char *paths[] = {"models/loops/four-bar.yaml", "models/loops/stewart.yaml"};
  for (int i = 0; i < 8; i++) {
    const artModel *m = keep_file(paths[i / 4]);
    artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m), *fresh = keep_fresh_data(m);
    CHECK(accelerate(m, copy, methods[i % 4], NULL) == ART_OK);
    go_to(m, d, 0, 0.3);
    CHECK(accelerate(m, d, methods[i % 4], NULL) == ART_OK);
    go_to(m, d, 0.3, 0.6);
    CHECK(art_copy_data(m, copy, d, NULL) == ART_OK && are_same(m, copy, d));
    CHECK(art_copy_data(m, fresh, d, NULL) == ART_OK && are_same(m, fresh, d));
    if (!accelerate_alike(m, d, copy, methods[i % 4])) printf("by method %d\n", i);
    if (!CHECK(accelerate(m, fresh, methods[i % 4], NULL) == ART_OK)) return;
    CHECK(are_same(m, fresh, d));
  }
}


TEST(copies_of_machines_with_friction_and_drives)
{
  check_copies("models/loops/four-bar-friction.yaml", ART_AUTOMATIC, 0.6);
  check_copies("models/loops/delta-rods.yaml", ART_AUTOMATIC, 0.3);
  check_copies("models/puck.yaml", ART_AUTOMATIC, 0.4);
}


TEST(copies_of_tyres_with_relaxation)
{
  check_copies("models/vehicles/cart.yaml", ART_AUTOMATIC, 0.8);
  check_copies("models/vehicles/motorcycle.yaml", ART_AUTOMATIC, 0.3);
}


TEST(copies_while_latches_hold)
{
  for (int i = 1; i <= 6; i++) {
    check_copies("models/rope-pendulum.yaml", ART_AUTOMATIC, 0.4 * i);
    check_copies("models/latch.yaml", ART_AUTOMATIC, 0.3 * i);
    check_copies("models/loops/four-bar-lock.yaml", ART_AUTOMATIC, 0.4 * i);
  }
  check_copies("models/rope-pendulum.yaml", ART_INDEX3, 1.2);
  check_copies("models/rope-pendulum.yaml", ART_RECURSIVE, 1.2);
}


// the copy of an engaged latch outlives the run, and lets go where it is reset
TEST(copies_keep_latches_of_their_own)
{
  const artModel *m = keep_file("models/loops/four-bar-lock.yaml");
  artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m), *third = keep_fresh_data(m);
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, d, art_find_run(m, NULL), NULL) == ART_OK);
  CHECK(art_run_to(run, 0.3, NULL) == ART_OK);
  const double force = output_named(m, d, "brake");
  CHECK(fabs(force) > 1e-3 && output_named(m, d, "held") == 1);
  CHECK(art_copy_data(m, copy, d, NULL) == ART_OK);
  art_free_run(run);
  CHECK(output_named(m, copy, "brake") == force && output_named(m, copy, "held") == 1);
  CHECK(art_accelerate(m, copy, ART_AUTOMATIC, NULL) == ART_OK);
  CHECK(art_copy_data(m, third, copy, NULL) == ART_OK);
  CHECK(output_named(m, third, "held") == 1);
  art_reset(m, copy);
  CHECK(art_accelerate(m, copy, ART_AUTOMATIC, NULL) == ART_OK);
  CHECK(output_named(m, copy, "held") == 0);
  CHECK(art_copy_data(m, third, copy, NULL) == ART_OK && are_same(m, third, copy));
}


// The four-bars are stretched where both branches meet; so is the slider-crank of equal lengths.
TEST(copies_near_singular_positions)
{
  for (int i = 1; i <= 8; i++) {
    check_copies("models/benchmarks/four-bars-2.yaml", ART_AUTOMATIC, 0.1 * i);
    check_copies("models/benchmarks/slider-crank.yaml", ART_AUTOMATIC, 0.15 * i);
  }
}


// an inverse study has loops of its own, which go on along the motion
TEST(copies_in_the_middle_of_an_inverse_study)
{
  const artModel *m =
      keep_text("articula: 1\n"
                "bodies:\n"
                "  crank: {mass: 1, com: [0, 0.1, 0], inertia: [4e-3, 1e-4, 4e-3]}\n"
                "  coupler: {mass: 2, com: [0.3, 0.2, 0], inertia: [1e-3, 0.06, 0.06]}\n"
                "  rocker: {mass: 1.5, com: [0.55, 0.1, 0], inertia: [7e-3, 2e-3, 7e-3]}\n"
                "joints:\n"
                "  pivot: {type: revolute, axis: z, from: ground, to: crank}\n"
                "  pin: {type: revolute, axis: z, from: crank, to: coupler, at: [0, 0.2, 0]}\n"
                "  wrist: {type: revolute, axis: z, from: coupler, to: rocker, at: [0.6, 0.2, 0]}\n"
                "  bearing: {type: revolute, axis: z, from: rocker, to: ground, at: [0.5, 0, 0]}\n"
                "outputs: [bearing.angle, pivot.fx]\n"
                "study: {type: inverse, until: 3, motion: {pivot: = 0.5*sin(3*time)}}\n");
  artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m);
  const artInverseDef *study = &art_find_study(m, ART_INVERSE, NULL)->inverse;
  double x[MOST], y[MOST];
  CHECK(art_inverse_at(m, copy, study, 0, x, NULL) == ART_OK);
  for (int i = 0; i <= 20; i++) {
    CHECK(art_inverse_at(m, d, study, 0.1 * i, x, NULL) == ART_OK);
    CHECK(art_copy_data(m, copy, d, NULL) == ART_OK && are_same(m, copy, d));
    CHECK(art_inverse_at(m, d, study, 0.1 * i + 0.03, x, NULL) == ART_OK);
    CHECK(art_inverse_at(m, copy, study, 0.1 * i + 0.03, y, NULL) == ART_OK);
    if (!CHECK(memcmp(x, y, (size_t) art_count(m).nv * sizeof *x) == 0)) return;
    CHECK(are_same(m, copy, d));
  }
}


TEST(second_copy_takes_no_memory)
{
  const char *paths[] = {"models/loops/four-bar.yaml", "models/vehicles/cart.yaml",
                         "models/double-pendulum.yaml"};
  for (int i = 0; i < 3; i++) {
    const artModel *m = keep_file(paths[i]);
    artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m);
    CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
    CHECK(art_copy_data(m, copy, d, NULL) == ART_OK);
    heap_watch();
    CHECK(art_copy_data(m, copy, d, NULL) == ART_OK);
    CHECK(art_copy_data(m, d, copy, NULL) == ART_OK);
    heap_unwatch();
    CHECK_EQ_INT(heap_taken(), 0);
  }
}


// every request of a copy is refused in turn; the last copy is refused nothing
static void copy_with_refusals(const artModel *m, artData *copy, const artData *d)
{
  artStatus status = ART_NO_MEMORY;
  for (long n = 1; n < 2000 && status == ART_NO_MEMORY; n++) {
    heap_fail_at(n);
    status = art_copy_data(m, copy, d, NULL);
    heap_unwatch();
    CHECK(copy->time == (status == ART_OK ? d->time : 0));
  }
  CHECK(status == ART_OK);
}


TEST(copies_without_memory_leave_the_initial_state)
{
  const artModel *m = keep_file("models/loops/four-bar-lock.yaml");
  artData *d = keep_fresh_data(m), *copy = keep_fresh_data(m);
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, d, art_find_run(m, NULL), NULL) == ART_OK);
  CHECK(art_run_to(run, 0.3, NULL) == ART_OK);
  CHECK(art_accelerate(m, d, ART_RECURSIVE, NULL) == ART_OK);
  CHECK(art_accelerate(m, d, ART_INDEX1, NULL) == ART_OK);
  copy_with_refusals(m, copy, d);
  CHECK(are_same(m, copy, d) && output_named(m, copy, "held") == 1);
  art_free_run(run);
}


TEST(size_of_a_data_block_is_what_it_asks_for)
{
  const char *paths[] = {"models/loops/four-bar.yaml",  "models/vehicles/cart.yaml",
                         "models/double-pendulum.yaml", "models/loops/stewart.yaml",
                         "models/rope-pendulum.yaml",   "models/vehicles/truck.yaml"};
  for (int i = 0; i < 6; i++) {
    const artModel *m = keep_file(paths[i]);
    const size_t size = art_data_size(m);
    heap_watch();
    artData *d = art_create_data(m);
    const long bytes = heap_bytes();
    art_free_data(d);
    CHECK_EQ_INT(heap_live(), 0);
    heap_unwatch();
    CHECK_EQ_INT((long long) size, bytes);
  }
}
