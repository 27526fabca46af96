// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The semi-recursive method by its three algebras: straight C, full matrices, sparse factors.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/loop.h"
#include "method/reduce.h"
#include "support/check.h"
#include "support/loops.h"
#include "support/mallocs.h"
#include "support/models.h"

//---- algebras ------------------------------------------------------------------------------------

enum { MOST_V = 256, MOST_ROWS = 512, STATES = 8 };

static const artAlgebra others[] = {ART_ALGEBRA_DENSE, ART_ALGEBRA_SPARSE};
static const reduceAlgebra *const theirs[] = {&reduce_dense, &reduce_sparse};
enum { OTHERS = 2 };


static double largest(int n, const double *x)
{
  double most = 1;
  for (int k = 0; k < n; k++) most = check_larger(most, fabs(x[k]));
  return most;
}


static int accelerate(const artModel *m, artData *d, artAlgebra algebra)
{
  artError error = {0};
  d->work->loop->algebra = algebra;
  art_update(m, d);
  const int ok = art_accelerate(m, d, ART_SEMIRECURSIVE, &error) == ART_OK;
  if (!ok) CHECK_TEXT(error.text, "");
  return ok;
}


// accelerations, velocities and multipliers of every algebra at the present state
static void compare_algebras(const char *name, const artModel *m, artData *d, double tolerance)
{
  double a[MOST_V], v[MOST_V], lambda[MOST_ROWS];
  const int nv = m->tree.nv;
  if (!CHECK(nv <= MOST_V && m->nrow <= MOST_ROWS)) return;
  if (!accelerate(m, d, ART_ALGEBRA_PLAIN)) return;
  const loopRows *rows = &d->work->loop->rows;
  memcpy(a, d->a, (size_t) nv * sizeof *a);
  memcpy(v, d->v, (size_t) nv * sizeof *v);
  memcpy(lambda, rows->lambda, (size_t) m->nrow * sizeof *lambda);

  for (int i = 0; i < OTHERS; i++) {
    if (!accelerate(m, d, others[i])) continue;
    int ok = CHECK(d->work->loop->reduce && d->work->loop->reduce->algebra == theirs[i]);
    ok = CHECK_NEAR(d->a, a, nv, tolerance * largest(nv, a)) && ok;
    ok = CHECK_NEAR(d->v, v, nv, tolerance * largest(nv, v)) && ok;
    ok = CHECK_NEAR(rows->lambda, lambda, m->nrow, tolerance * largest(m->nrow, lambda)) && ok;
    if (!ok) fprintf(stderr, "  sample %s, algebra %s\n", name, art_algebra_name(others[i]));
  }
}


static void all_algebras_agree_on_every_sample(void)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    uint64_t seed = 11;
    artModel *m = s->make();
    artData *d = m ? art_create_data(m) : NULL;
    for (int trial = 0; d && trial < STATES; trial++) {
      if (!loop_random_state(m, d, &seed)) break;
      compare_algebras(s->name, m, d, 1e-12);
    }
    art_free_data(d);
    art_free_model(m);
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


static void all_algebras_agree_on_every_machine(void)
{
  for (int i = 0; i < MACHINES; i++) {
    artError error = {0};
    artAssembly assembly;
    artModel *m = NULL;
    if (art_load_model(&m, machines[i].file, &error) != ART_OK) {
      CHECK_TEXT(error.text, "");
      continue;
    }
    artData *d = art_create_data(m);
    if (CHECK(art_assemble(m, d, &assembly, &error) == ART_OK)) {
      compare_algebras(machines[i].file, m, d, machines[i].tolerance);
    }
    art_free_data(d);
    art_free_model(m);
  }
}


// a second of motion; returns the certificate, and the state in d
static artCertificate run_second(const artModel *m, artData *d, artAlgebra algebra)
{
  artError error = {0};
  artStudyDef study = art_default_study();
  artRun *run = NULL;
  study.until = 1;
  study.integrator = ART_RK4;
  study.step = 1e-3;
  study.algebra = algebra;
  art_reset(m, d);
  int ok = CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  ok = ok && CHECK(art_run_to(run, 1, &error) == ART_OK);
  if (!ok) CHECK_TEXT(error.text, "");
  const artCertificate c = ok ? art_certify(run) : (artCertificate){0};
  art_free_run(run);
  return c;
}


static void runs_by_every_algebra_arrive_at_the_same_place(void)
{
  artError error = {0};
  artModel *m = NULL;
  if (!CHECK(art_load_model(&m, "models/loops/four-bar.yaml", &error) == ART_OK)) return;
  artData *d = art_create_data(m), *e = art_create_data(m);
  run_second(m, d, ART_ALGEBRA_PLAIN);
  for (int i = 0; i < OTHERS; i++) {
    const artCertificate c = run_second(m, e, others[i]);
    CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-12);
    CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-10);
    CHECK(e->work->loop->algebra == ART_ALGEBRA_AUTOMATIC);
  }
  art_free_data(e);
  art_free_data(d);
  art_free_model(m);
}


static void a_run_goes_on_with_the_algebra_it_was_saved_with(void)
{
  artError error = {0};
  artModel *m = NULL;
  if (!CHECK(art_load_model(&m, "models/loops/four-bar.yaml", &error) == ART_OK)) return;
  artData *d = art_create_data(m);
  artStudyDef study = art_default_study();
  static char bytes[1 << 16];
  artRun *run = NULL;
  study.algebra = ART_ALGEBRA_SPARSE;
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_run_to(run, 0.3, &error) == ART_OK);
  const size_t size = art_run_state_size(run);
  if (CHECK(size <= sizeof bytes)) CHECK(art_save_run(run, bytes, size, &error) == ART_OK);
  CHECK(art_run_to(run, 0.6, &error) == ART_OK);
  double q[MOST_V];
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  art_free_run(run);

  // to the same bits, or not at all
  art_reset(m, d);
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_load_run(run, bytes, size, &error) == ART_OK);
  CHECK(art_run_to(run, 0.6, &error) == ART_OK);
  CHECK_NEAR(d->q, q, m->tree.nq, 0);
  art_free_run(run);

  art_reset(m, d);
  study.algebra = ART_ALGEBRA_DENSE;
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_load_run(run, bytes, size, &error) == ART_BAD_INPUT);
  CHECK_TEXT(error.text, "the run was saved with algebra sparse, with which it has to go on");
  art_free_run(run);
  art_free_data(d);
  art_free_model(m);
}


static void no_algebra_takes_memory_once_it_has_begun(void)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = s->make();
    artData *d = m ? art_create_data(m) : NULL;
    uint64_t seed = 3;
    if (d && loop_random_state(m, d, &seed)) {
      for (int i = 0; i < OTHERS; i++) {
        accelerate(m, d, others[i]);
        const long before = mallocs;
        for (int k = 0; k < 10; k++) accelerate(m, d, others[i]);
        CHECK_EQ_INT(mallocs - before, 0);
      }
    }
    art_free_data(d);
    art_free_model(m);
  }
}


static void time_is_counted_by_stages_when_somebody_asks(void)
{
  artModel *m = loop_samples[0].make();
  artData *d = art_create_data(m);
  uint64_t seed = 5;
  loopProfile profile = {.evaluations = 0};
  if (CHECK(loop_random_state(m, d, &seed))) {
    d->work->profile = &profile;
    for (int i = 0; i < 100; i++) accelerate(m, d, ART_ALGEBRA_PLAIN);
    CHECK(profile.evaluations == 100);
    for (int i = 0; i < PROFILE_STAGES; i++)
      CHECK(profile.seconds[i] > 0 && profile_name(ART_SEMIRECURSIVE, (profileStage) i)[0]);
  }
  art_free_data(d);
  art_free_model(m);
}


int main(int argc, char **argv)
{
  static const checkTest tests[] = {
      TEST(all_algebras_agree_on_every_sample),
      TEST(all_algebras_agree_on_every_machine),
      TEST(runs_by_every_algebra_arrive_at_the_same_place),
      TEST(a_run_goes_on_with_the_algebra_it_was_saved_with),
      TEST(no_algebra_takes_memory_once_it_has_begun),
      TEST(time_is_counted_by_stages_when_somebody_asks),
      {0},
  };
  return check_main(argc, argv, tests);
}
