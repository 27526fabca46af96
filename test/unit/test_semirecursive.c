// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The semi-recursive method by its three algebras: straight C, full matrices, sparse factors; and with all rows of
// the constraints, also those that follow from others.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/loop.h"
#include "method/reduce.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/mallocs.h"
#include "support/models.h"

//---- algebras ------------------------------------------------------------------------------------

enum { MAX_V = 256, MAX_ROWS = 512, STATES = 8 };

typedef struct way {
  artAlgebra algebra;
  artRedundant redundant;
  const reduceRows *rows; // that must come to bear; NULL: the blocks
  const reduceMass *mass;
  int takes_memory; // in an evaluation
} way;

static const way plain = {ART_ALGEBRA_PLAIN, ART_REDUNDANT_DROP, NULL, &reduce_mass_plain, 0};

static const way others[] = {
    {ART_ALGEBRA_DENSE, ART_REDUNDANT_DROP, NULL, &reduce_mass_dense, 0},
    {ART_ALGEBRA_SPARSE, ART_REDUNDANT_DROP, NULL, &reduce_mass_sparse, 0},
    {ART_ALGEBRA_PLAIN, ART_REDUNDANT_LU, &reduce_rows_lu, &reduce_mass_plain, 0},
    {ART_ALGEBRA_DENSE, ART_REDUNDANT_LU, &reduce_rows_lu, &reduce_mass_dense, 0},
    {ART_ALGEBRA_SPARSE, ART_REDUNDANT_UMFPACK, &reduce_rows_umfpack, &reduce_mass_sparse, 1},
    {ART_ALGEBRA_PLAIN, ART_REDUNDANT_SPQR, &reduce_rows_spqr, &reduce_mass_plain, 1},
};
enum { OTHERS = sizeof others / sizeof *others };


static void say_way(const char *name, const way *w)
{
  fprintf(stderr, "  %s, algebra %s, redundant %s\n", name, art_algebra_name(w->algebra),
          art_redundant_name(w->redundant));
}


static int accelerate(const artModel *m, artData *d, const way *w)
{
  method_work(d)->algebra = w->algebra;
  loop_set_redundant(m, d->work->loop, w->redundant);
  art_update(m, d);
  return CHECK_WORKS(art_accelerate(m, d, ART_SEMIRECURSIVE, &check_error));
}


// without free coordinates there is nothing to reduce
static int comes_to_bear(const artData *d, const way *w)
{
  const reduceMass *mass = d->work->loop->partition.nf > 0 ? w->mass : &reduce_mass_plain;
  const methodReduce *r = reduce_of(d);
  return r && r->rows == w->rows && r->mass == mass;
}


// accelerations, velocities and multipliers of every algebra at the present state
static void compare_ways(const char *name, const artModel *m, artData *d, double tolerance)
{
  double a[MAX_V], v[MAX_V], lambda[MAX_ROWS];
  const int nv = m->tree.nv;
  if (!CHECK(nv <= MAX_V && m->nrow <= MAX_ROWS)) return;
  if (!accelerate(m, d, &plain)) return;
  const loopRows *rows = &d->work->loop->rows;
  memcpy(a, d->a, (size_t) nv * sizeof *a);
  memcpy(v, d->v, (size_t) nv * sizeof *v);
  memcpy(lambda, rows->lambda, (size_t) m->nrow * sizeof *lambda);

  for (int i = 0; i < OTHERS; i++) {
    if (!accelerate(m, d, &others[i])) continue;
    int ok = CHECK(comes_to_bear(d, &others[i]));
    ok = CHECK_NEAR(d->a, a, nv, tolerance * check_scale(nv, a)) && ok;
    ok = CHECK_NEAR(d->v, v, nv, tolerance * check_scale(nv, v)) && ok;
    ok = CHECK_NEAR(rows->lambda, lambda, m->nrow, tolerance * check_scale(m->nrow, lambda)) && ok;
    if (!ok) say_way(name, &others[i]);
  }
}


TEST(all_algebras_agree_on_every_sample)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    uint64_t seed = 11;
    artModel *m = keep_model(s->make());
    artData *d = keep_data(m ? art_create_data(m) : NULL);
    for (int trial = 0; d && trial < STATES; trial++) {
      if (!loop_random_state(m, d, &seed)) break;
      compare_ways(s->name, m, d, 1e-12);
    }
  }
}


// and how far the algebras may differ: rounding is amplified by the condition of R^T M R, 1e5 for a
// chain of fifteen bars
static const struct {
  const char *file;
  double tolerance;
} machines[] = {
    {"models/loops/delta.yaml", 1e-12},
    {"models/loops/delta-rods.yaml", 1e-12},
    {"models/loops/four-bar.yaml", 1e-12},
    {"models/loops/geared-five-bar.yaml", 1e-12},
    {"models/loops/planar-robot-1.yaml", 1e-12},
    {"models/loops/planar-robot-2.yaml", 1e-12},
    {"models/loops/planar-robot-3.yaml", 1e-12},
    {"models/loops/planar-robot-4.yaml", 1e-12},
    {"models/loops/seven-body.yaml", 1e-12},
    {"models/loops/stewart.yaml", 1e-12},
    {"models/benchmarks/andrews.yaml", 1e-12},
    {"models/benchmarks/four-bars-40.yaml", 1e-12},
    {"models/benchmarks/loop-15.yaml", 1e-11},
    {"models/benchmarks/spatial-slider-crank.yaml", 1e-12},
};
enum { MACHINES = sizeof machines / sizeof *machines };


TEST(all_algebras_agree_on_every_machine)
{
  for (int i = 0; i < MACHINES; i++) {
    artModel *m = keep_file(machines[i].file);
    compare_ways(machines[i].file, m, keep_assembled_data(m), machines[i].tolerance);
  }
}


// motion for a while; returns the certificate, and the state in d
static artCertificate run_for(const artModel *m, artData *d, double until, const way *w)
{
  artRunDef study = art_default_run();
  artRun *run = NULL;
  study.until = until, study.integrator = ART_RK4, study.step = 1e-3, study.algebra = w->algebra;
  study.redundant = w->redundant;
  art_reset(m, d);
  int ok = CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  ok = ok && CHECK_WORKS(art_run_to(run, until, &check_error));
  const artCertificate c = ok ? art_certify(run) : (artCertificate){0};
  art_free_run(run);
  return c;
}


// Motion of machines with rows that follow from others, and of the van and the truck. Errors are against the
// largest coordinate, which for the vehicles is the way that they have gone.
TEST(runs_in_every_way_arrive_at_the_same_place)
{
  static const struct {
    const char *file;
    double until;
  } runs[] = {
      {"models/loops/four-bar.yaml", 1},           {"models/loops/planar-robot-4.yaml", 0.5},
      {"models/loops/seven-body.yaml", 0.5},       {"models/benchmarks/andrews.yaml", 0.02},
      {"models/loops/geared-five-bar.yaml", 1},    {"models/benchmarks/four-bars-2.yaml", 0.5},
      {"models/vehicles/van.yaml", 0.1},           {"models/vehicles/truck.yaml", 0.1},
      {"models/vehicles/van-redundant.yaml", 0.1}, {"models/vehicles/truck-redundant.yaml", 0.1},
  };
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k += CHECK_CASES(1, 3)) {
    artModel *m = keep_file(runs[k].file);
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
    run_for(m, d, runs[k].until, &plain);
    for (int i = 0; i < OTHERS; i++) {
      const artCertificate c = run_for(m, e, runs[k].until, &others[i]);
      int ok = CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-10);
      ok = CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-10 * check_scale(m->tree.nq, d->q)) && ok;
      ok = CHECK_NEAR(e->v, d->v, m->tree.nv, 1e-10 * check_scale(m->tree.nv, d->v)) && ok;
      if (!ok) say_way(runs[k].file, &others[i]);
      CHECK(e->work->method->algebra == ART_ALGEBRA_AUTOMATIC);
      CHECK(e->work->loop->redundant == ART_REDUNDANT_DROP);
    }
  }
}


// All rows of a four-bar: three of five say that it stays in its plane; they are zero and left out. Where two balls
// stand for a hinge, two of the four that remain say what the others do, and are solved with. Van and truck have the
// matrices of Hidalgo and Garcia de Jalon.
TEST(redundant_rows_are_solved_with)
{
  static const struct {
    const char *file;
    int nrow, nd, entries; // of J_v
  } matrix[] = {{"models/loops/four-bar.yaml", 2, 2, 4},
                {"test/models/good/hinge-of-balls.yaml", 4, 2, 8},
                {"models/vehicles/van-redundant.yaml", 28, 25, 141},
                {"models/vehicles/truck-redundant.yaml", 51, 40, 266}};
  for (int i = 0; i < 4; i++) {
    artModel *m = keep_file(matrix[i].file);
    artData *d = keep_fresh_data(m);
    artAssembly assembly;
    CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK);
    compare_ways(matrix[i].file, m, d, 1e-12);
    const methodReduce *r = reduce_of(d);
    CHECK_EQ_INT(r->nrow, matrix[i].nrow);
    CHECK_EQ_INT(r->nd, matrix[i].nd);
    CHECK_EQ_INT(r->start[r->nd], matrix[i].entries);
  }
}


// a bearing that a rigid machine does not need changes nothing, solved with or not
TEST(redundant_constraints_change_no_motion)
{
  static const char *const pairs[][2] = {
      {"models/vehicles/van.yaml", "models/vehicles/van-redundant.yaml"},
      {"models/vehicles/truck.yaml", "models/vehicles/truck-redundant.yaml"},
  };
  for (int k = 0; k < 2; k++) {
    artModel *m = keep_file(pairs[k][0]), *more = keep_file(pairs[k][1]);
    artData *d = keep_fresh_data(m), *e = keep_fresh_data(more);
    run_for(m, d, 0.1, &plain);
    for (int i = -1; i < OTHERS; i++) {
      run_for(more, e, 0.1, i < 0 ? &plain : &others[i]);
      const int ok = CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-10 * check_scale(m->tree.nq, d->q));
      if (!ok) say_way(pairs[k][1], i < 0 ? &plain : &others[i]);
    }
  }
}


TEST(a_run_goes_on_with_the_algebra_it_was_saved_with)
{
  artModel *m = keep_file("models/loops/four-bar.yaml");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  static char bytes[1 << 16];
  artRun *run = NULL;
  study.algebra = ART_ALGEBRA_SPARSE;
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK_WORKS(art_run_to(run, 0.3, &check_error));
  const size_t size = art_run_state_size(run);
  if (CHECK(size <= sizeof bytes)) CHECK_WORKS(art_save_run(run, bytes, size, &check_error));
  CHECK_WORKS(art_run_to(run, 0.6, &check_error));
  double q[MAX_V];
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  art_free_run(run);

  // to the same bits, or not at all
  art_reset(m, d);
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK_WORKS(art_load_run(run, bytes, size, &check_error));
  CHECK_WORKS(art_run_to(run, 0.6, &check_error));
  CHECK_NEAR(d->q, q, m->tree.nq, 0);
  art_free_run(run);

  art_reset(m, d);
  study.algebra = ART_ALGEBRA_DENSE;
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK_SAYS(art_load_run(run, bytes, size, &check_error), ART_BAD_INPUT,
             "the run was saved with algebra sparse, with which it has to go on");
  art_free_run(run);

  art_reset(m, d);
  study.algebra = ART_ALGEBRA_SPARSE;
  study.redundant = ART_REDUNDANT_LU;
  CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error));
  CHECK_SAYS(art_load_run(run, bytes, size, &check_error), ART_BAD_INPUT,
             "the run was saved with redundant drop, with which it has to go on");
  art_free_run(run);
}


TEST(no_algebra_takes_memory_once_it_has_begun)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = s->make();
    artData *d = m ? art_create_data(m) : NULL;
    uint64_t seed = 3;
    if (d && loop_random_state(m, d, &seed)) {
      for (int i = 0; i < OTHERS; i++) {
        if (others[i].takes_memory) continue;
        accelerate(m, d, &others[i]);
        const long before = mallocs;
        for (int k = 0; k < 10; k++) accelerate(m, d, &others[i]);
        CHECK_EQ_INT(mallocs - before, 0);
      }
    }
    art_free_data(d);
    art_free_model(m);
  }
}


TEST(time_is_counted_by_stages_when_somebody_asks)
{
  artModel *m = keep_model(loop_samples[0].make());
  artData *d = keep_fresh_data(m);
  uint64_t seed = 5;
  dataProfile profile = {.evaluations = 0};
  if (CHECK(loop_random_state(m, d, &seed))) {
    d->work->profile = &profile;
    for (int i = 0; i < 100; i++) accelerate(m, d, &plain);
    CHECK(profile.evaluations == 100);
    for (int i = 0; i < PROFILE_STAGES; i++)
      CHECK(profile.seconds[i] > 0 && method_stage_name(ART_SEMIRECURSIVE, (profileStage) i)[0]);
  }
}
