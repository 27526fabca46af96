// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The spherical compound pendulum of Dopico, Gonzalez, Lugris and Cuadrado in natural coordinates:
// projections against conserved energy, with independent and with redundant constraints.
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/natural_pendulums.h"

//---- a run and what is seen of it ----------------------------------------------------------------

typedef struct runSeen {
  artStatus status;
  double least, most, last;                     // energy
  double velocity, velocity_last, acceleration; // largest |Phi'|, at the end, largest |Phi''|
  double position;
  double q[6];
} runSeen;


static double norm(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (x[i] + y[i]) * (x[i] + y[i]);
  return sqrt(sum);
}


// Euclidean norms of Phi' and Phi''
static void see_constraints(const naturalMotion *m, const double *a, naturalState *x,
                            double *velocity, double *acceleration)
{
  double u[8];
  natural_positions(m->s, x, m->t, m->q);
  natural_velocities(m->s, x, m->v);
  natural_times(m->s, x, m->v, u);
  *velocity = norm(m->s->nrow, u, x->phi_t);
  natural_times(m->s, x, a, u);
  *acceleration = norm(m->s->nrow, u, x->bias);
}


static motionOptions options(motionMethod method, motionProjection projection, double step)
{
  motionOptions o = motion_default_options();
  o.method = method, o.projection = projection, o.step = step, o.penalty = 1e7, o.tolerance = 1e-11;
  return o;
}


static naturalMotion *start(const naturalSystem *s, const motionOptions *o)
{
  naturalMotion *m = NULL;
  CHECK_WORKS(
      motion_create(&m, s, NULL, o, 0, spherical_pendulum_q, spherical_pendulum_v, &check_error));
  return keep_motion(m);
}


static void look(const naturalMotion *m, const double *a, naturalState *x, runSeen *seen)
{
  double velocity, acceleration;
  see_constraints(m, a, x, &velocity, &acceleration);
  seen->least = check_smaller(seen->least, m->energy);
  seen->most = check_larger(seen->most, m->energy), seen->last = m->energy;
  seen->velocity = check_larger(seen->velocity, velocity), seen->velocity_last = velocity;
  seen->acceleration = check_larger(seen->acceleration, acceleration);
  seen->position = m->largest_residual.position;
}


// One step. The accelerations of the reference are 2 (v1 - v0) / h - a0 where the conserving method
// stands alone.
static artStatus step(naturalMotion *m, double t, double *a)
{
  double before[6];
  memcpy(before, m->v, sizeof before);
  const artStatus status = motion_advance(m, t, &check_error);
  const motionOptions *o = &m->options;
  if (o->method == MOTION_CONSERVING && o->projection == PROJECTION_NONE) {
    for (int i = 0; i < 6; i++) a[i] = 2 * (m->v[i] - before[i]) / o->step - a[i];
  } else {
    memcpy(a, m->a, 6 * sizeof *a);
  }
  return status;
}


static runSeen run(int cross, const motionOptions *o, double until)
{
  runSeen seen = {.least = INFINITY, .most = -INFINITY};
  naturalSystem *s = keep_system(spherical_pendulum(cross));
  naturalMotion *m = start(s, o);
  naturalState x;
  baseArena arena = {0};
  double a[6];
  if (!CHECK(natural_start_state(s, &x, &arena))) return seen;
  memcpy(a, m->a, sizeof a);
  look(m, a, &x, &seen);
  const long steps = lround(until / o->step);
  for (long i = 1; i <= steps && seen.status == ART_OK; i++) {
    seen.status = step(m, (double) i * o->step, a);
    look(m, a, &x, &seen);
  }
  memcpy(seen.q, m->q, sizeof seen.q);
  arena_free(&arena);
  return seen;
}


//---- the reference runs --------------------------------------------------------------------------

typedef struct referenceRun {
  motionMethod method;
  motionProjection projection;
  double step, until;
  double least, last;                                     // energy
  double velocity, velocity_last, acceleration, rows_tol; // norms of Phi' and Phi''
  double r2[3];
  double energy_tol, tol;
} referenceRun;

// rows_tol 0: the reference projects once, we until rounding is left; its norms are bounds
#define TRAPEZOIDAL MOTION_INDEX3
// clang-format off
static const referenceRun independent[] = {
    {TRAPEZOIDAL, PROJECTION_NONE, 0.025, 5, -0.773167, -0.7731665, 1.620e-1, 1.620e-1, 6.293e2,
     1e-3, {-0.351367908, -1.704643923, -0.985256154}, 1e-5, 2e-8},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.025, 5, 0.561606, 0.6007675698, 7.896e-6, 7.724e-6,
     6.302e-4, 1e-3, {-0.350790413, -1.702237724, -0.989612458}, 1e-9, 2e-9},
    {TRAPEZOIDAL, PROJECTION_FULL, 0.025, 5, 0.561784, 0.6008440615, 1.237e-9, 1.210e-9, 9.900e-8,
     0, {-0.350784727, -1.702229359, -0.989628862}, 2e-8, 4e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.025, 5, 0.625, 0.625, 3.880e-3, 3.837e-3, 4.597e-2, 1e-3,
     {-0.348490607, -1.698551668, -0.996732927}, 1e-13, 1e-9},
    {MOTION_CONSERVING, PROJECTION_TANGENT, 0.025, 5, 0.621484, 0.6214841339, 7.918e-6, 7.755e-6,
     6.318e-4, 1e-3, {-0.348428233, -1.698310404, -0.997165753}, 1e-9, 1e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.010, 5, 0.625, 0.625, 6.208e-4, 6.144e-4, 7.378e-3, 5e-3,
     {-0.345730639, -1.694909318, -1.003868881}, 1e-13, 1e-9},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.010, 5, 0.615486, 0.6219567683, 7.811e-6, 7.704e-6,
     1.536e-3, 1e-3, {-0.346124848, -1.695588965, -1.002584487}, 1e-9, 2e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.025, 20, 0.625, 0.625, 3.881e-3, 1.834e-3, 4.611e-2,
     1e-3, {-0.642307459, 1.886376673, -0.170364826}, 2e-13, 1e-9},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.025, 20, 0.528981, 0.5819072483, 7.896e-6, 3.360e-6,
     6.302e-4, 1e-3, {-0.636922638, 1.888860664, -0.162895505}, 1e-9, 2e-9}};
// clang-format on
// clang-format off
static const referenceRun redundant[] = {
    {TRAPEZOIDAL, PROJECTION_NONE, 0.025, 5, -0.773167, -0.7731665485, 2.290e-1, 2.290e-1, 8.900e2,
     1e-3, {-0.351367908, -1.704643923, -0.985256154}, 1e-5, 2e-8},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.025, 5, 0.561728, 0.6008197013, 4.455e-6, 4.357e-6,
     3.562e-4, 1e-3, {-0.350786534, -1.702232015, -0.989623654}, 5e-9, 2e-9},
    {TRAPEZOIDAL, PROJECTION_FULL, 0.025, 5, 0.561784, 0.6008440712, 6.966e-10, 6.814e-10, 5.574e-8,
     0, {-0.350784727, -1.702229359, -0.989628863}, 2e-8, 4e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.025, 5, 0.625, 0.625, 5.487e-3, 5.426e-3, 6.502e-2, 1e-3,
     {-0.348490607, -1.698551668, -0.996732927}, 1e-13, 1e-9},
    {MOTION_CONSERVING, PROJECTION_TANGENT, 0.025, 5, 0.621478, 0.6214779077, 4.467e-6, 4.375e-6,
     3.571e-4, 1e-3, {-0.348428122, -1.698309969, -0.997166532}, 1e-9, 1e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.010, 5, 0.625, 0.625, 8.779e-4, 8.688e-4, 1.040e-2, 5e-3,
     {-0.345730639, -1.694909318, -1.003868881}, 1e-13, 1e-9},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.010, 5, 0.61559, 0.6219924718, 4.450e-6, 4.389e-6, 8.855e-4,
     1e-3, {-0.346120715, -1.695582009, -1.002597677}, 1e-9, 2e-9},
    {MOTION_CONSERVING, PROJECTION_NONE, 0.025, 20, 0.625, 0.625, 5.489e-3, 2.593e-3, 6.521e-2,
     1e-3, {-0.642307459, 1.886376673, -0.170364826}, 2e-13, 1e-9},
    {TRAPEZOIDAL, PROJECTION_TANGENT, 0.025, 20, 0.529197, 0.5820318301, 4.455e-6, 1.896e-6,
     3.562e-4, 1e-3, {-0.636934168, 1.888856547, -0.162898163}, 1e-8, 2e-9}};
// clang-format on


static void check_run(int cross, const referenceRun *want)
{
  const motionOptions o = options(want->method, want->projection, want->step);
  const runSeen seen = run(cross, &o, want->until);
  CHECK_EQ_INT(seen.status, ART_OK);
  CHECK_CLOSE(seen.least, want->least, 6e-7 + want->energy_tol);
  CHECK_CLOSE(seen.last, want->last, want->energy_tol);
  CHECK_NEAR(seen.q + 3, want->r2, 3, want->tol);
  CHECK(seen.position <= 1e-11);
  if (want->rows_tol > 0) {
    CHECK_CLOSE_REL(seen.velocity, want->velocity, want->rows_tol);
    CHECK_CLOSE_REL(seen.velocity_last, want->velocity_last, want->rows_tol);
    CHECK_CLOSE_REL(seen.acceleration, want->acceleration, want->rows_tol);
  } else {
    CHECK(seen.velocity <= want->velocity);
    CHECK(seen.acceleration <= want->acceleration);
  }

  // only without projections does energy come from nowhere
  if (want->projection == PROJECTION_NONE && want->method == TRAPEZOIDAL) {
    CHECK_CLOSE(seen.most, 1.97776, 1e-5);
  } else {
    CHECK_CLOSE(seen.most, 0.625, 2e-13);
  }
}


TEST(independent_constraints_give_the_reference_runs)
{
  const int count = sizeof independent / sizeof *independent;
  for (int i = 0; i < count; i++) check_run(0, &independent[i]);
}


TEST(redundant_constraints_give_the_reference_runs)
{
  const int count = sizeof redundant / sizeof *redundant;
  for (int i = 0; i < count; i++) check_run(1, &redundant[i]);
}


// destroyed before 20 s: the energy has left by four decades, then nothing converges
TEST(without_projections_the_trapezoidal_rule_is_lost)
{
  for (int cross = 0; cross < 2; cross++) {
    const motionOptions o = options(TRAPEZOIDAL, PROJECTION_NONE, 0.025);
    const runSeen seen = run(cross, &o, 20);
    CHECK_EQ_INT(seen.status, ART_NO_CONVERGENCE);
    CHECK(seen.most > 1e4);
  }
}


//---- histories -----------------------------------------------------------------------------------

typedef struct referenceMoment {
  double t, velocity, acceleration, energy;
} referenceMoment;

typedef struct referenceHistory {
  motionMethod method;
  motionProjection projection;
  double tol; // relative
  referenceMoment at[7];
} referenceHistory;

static const referenceHistory histories[] = {
    {TRAPEZOIDAL,
     PROJECTION_NONE,
     1e-4,
     {{0.25, 2.640819e-3, 2.794110e-3, 0.621666384472},
      {0.50, 3.786978e-3, 3.344086e-2, 0.587659703987},
      {1.00, 3.714499e-3, 1.076196e-1, 0.581298431603},
      {2.00, 3.653413e-3, 6.960869e-1, 0.591557788032},
      {3.00, 3.303982e-3, 9.837841e+0, 0.623663786872},
      {4.00, 4.339904e-2, 8.005210e+1, 0.268509510381},
      {5.00, 1.619597e-1, 6.293016e+2, -0.773166510995}}},
    {TRAPEZOIDAL,
     PROJECTION_TANGENT,
     1e-5,
     {{0.25, 5.150152e-6, 4.309889e-4, 0.622803271389},
      {0.50, 7.823851e-6, 6.184307e-4, 0.599930556377},
      {1.00, 7.329912e-6, 5.985462e-4, 0.592993948282},
      {2.00, 7.896184e-6, 6.286966e-4, 0.600531629018},
      {3.00, 1.424282e-6, 9.140839e-5, 0.618416083965},
      {4.00, 6.320766e-6, 5.280406e-4, 0.578336855032},
      {5.00, 7.723581e-6, 6.227204e-4, 0.600767569819}}},
    {MOTION_CONSERVING,
     PROJECTION_NONE,
     1e-4,
     {{0.25, 2.645462e-3, 1.749762e-3, 0.625},
      {0.50, 3.809532e-3, 2.266119e-2, 0.625},
      {1.00, 3.690835e-3, 3.557514e-3, 0.625},
      {2.00, 3.870848e-3, 1.120419e-2, 0.625},
      {3.00, 5.490549e-4, 5.611212e-3, 0.625},
      {4.00, 3.272727e-3, 1.213877e-2, 0.625},
      {5.00, 3.836999e-3, 8.923648e-3, 0.625}}},
    {MOTION_CONSERVING,
     PROJECTION_TANGENT,
     1e-5,
     {{0.25, 5.154589e-6, 4.313958e-4, 0.624940484239},
      {0.50, 7.846675e-6, 6.202936e-4, 0.624631734640},
      {1.00, 7.362850e-6, 6.010686e-4, 0.624316799624},
      {2.00, 7.917763e-6, 6.303721e-4, 0.623582142727},
      {3.00, 1.396905e-6, 8.921649e-5, 0.622826752071},
      {4.00, 6.387364e-6, 5.330973e-4, 0.622205054696},
      {5.00, 7.755065e-6, 6.250732e-4, 0.621484133933}}},
};


static void check_history(const referenceHistory *want)
{
  const motionOptions o = options(want->method, want->projection, 0.025);
  naturalSystem *s = keep_system(spherical_pendulum(0));
  naturalMotion *m = start(s, &o);
  naturalState x;
  baseArena arena = {0};
  double a[6];
  long done = 0;
  if (!CHECK(natural_start_state(s, &x, &arena))) return;
  memcpy(a, m->a, sizeof a);
  for (int i = 0; i < 7; i++) {
    const referenceMoment *at = &want->at[i];
    double velocity, acceleration;
    while (done < lround(at->t / o.step)) {
      done++;
      CHECK(step(m, (double) done * o.step, a) == ART_OK);
    }
    see_constraints(m, a, &x, &velocity, &acceleration);
    CHECK_CLOSE_REL(velocity, at->velocity, want->tol);
    CHECK_CLOSE_REL(acceleration, at->acceleration, 100 * want->tol);
    CHECK_CLOSE(m->energy, at->energy, want->tol * 1e-1);
  }
  arena_free(&arena);
}


TEST(histories_are_those_of_the_reference)
{
  for (int i = 0; i < 4; i++) check_history(&histories[i]);
}


//---- redundancy, accuracy, energy ----------------------------------------------------------------

TEST(redundant_constraints_change_nothing)
{
  static const motionProjection projection[] = {PROJECTION_FULL, PROJECTION_NONE};
  static const motionMethod method[] = {MOTION_INDEX3, MOTION_CONSERVING};
  for (int i = 0; i < 2; i++) {
    const motionOptions o = options(method[i], projection[i], 0.025);
    const runSeen a = run(0, &o, 5), b = run(1, &o, 5);
    CHECK_NEAR(a.q, b.q, 6, 2e-9);
  }
  const motionOptions o = options(MOTION_INDEX1, PROJECTION_FULL, 0.01);
  const runSeen a = run(0, &o, 5), b = run(1, &o, 5);
  CHECK_NEAR(a.q, b.q, 6, 2e-9);
}


static double end_error(motionMethod method, double h)
{
  static const double r2[3] = {-0.34520334903428, -1.6942099724174, -1.0052299324916};
  const motionOptions o = options(method, PROJECTION_DEFAULT, h);
  const runSeen seen = run(0, &o, 5);
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (seen.q[3 + i] - r2[i]) * (seen.q[3 + i] - r2[i]);
  return sqrt(sum);
}


TEST(all_methods_converge_to_the_reference_with_order_two)
{
  static const motionMethod methods[] = {MOTION_INDEX1, MOTION_INDEX3, MOTION_CONSERVING};
  for (int i = 0; i < 3; i++) {
    double before = end_error(methods[i], 0.01);
    for (double h = 0.005; h > 1e-4; h /= 2) {
      const double now = end_error(methods[i], h);
      CHECK_CLOSE(log2(before / now), 2, h > 2e-3 ? 0.05 : 0.01);
      before = now;
    }
  }

  // at 25 ms the trapezoidal rule prolongs the period more
  const double trapezoidal = end_error(MOTION_INDEX3, 0.025);
  CHECK_CLOSE(trapezoidal, 1.84e-2, 1e-4);
  CHECK_CLOSE(end_error(MOTION_CONSERVING, 0.025), 1.01e-2, 1e-4);
}


TEST(projected_index_3_keeps_constraints_at_three_levels)
{
  for (int cross = 0; cross < 2; cross++) {
    for (double h = 0.025; h > 5e-4; h /= 5) {
      const motionOptions o = options(MOTION_INDEX3, PROJECTION_FULL, h);
      const runSeen seen = run(cross, &o, 5);
      CHECK(seen.position <= 1e-9);
      CHECK(seen.velocity <= 1e-11);
      CHECK(seen.acceleration <= 1e-9);
    }
  }
}


TEST(the_conserving_method_keeps_the_energy_for_long)
{
  for (int cross = 0; cross < 2; cross++) {
    const motionOptions o = options(MOTION_CONSERVING, PROJECTION_NONE, 0.025);
    const runSeen seen = run(cross, &o, 1000);
    CHECK_CLOSE(seen.least, 0.625, 6e-11);
    CHECK_CLOSE(seen.most, 0.625, 6e-11);
    CHECK(seen.velocity < 6e-3);
  }
}
