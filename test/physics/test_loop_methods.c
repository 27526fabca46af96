// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines with closed loops by three independent methods: they agree with each other, with the
// balance of energy and with equations written by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loop/loop.h"
#include "loop/rows.h"
#include "method/method.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/naive.h"

enum { MAX_V = 64, MAX_Q = 80, MAX_ROWS = 32, STATES = 6 };

static const artMethod methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
enum { METHODS = 3 };


// visit every sample at random consistent states
typedef void (*visitor)(const loopSample *sample, const artModel *m, artData *d);


static void visit_states(visitor visit, int states, uint64_t seed)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    artData *d = keep_fresh_data(m);
    if (!CHECK(m->tree.nv <= MAX_V && m->tree.nq <= MAX_Q && m->nrow <= MAX_ROWS)) continue;
    for (int trial = 0; trial < states; trial++) {
      if (!loop_random_state(m, d, &seed)) break;
      visit(s, m, d);
    }
  }
}


static int accelerate(const artModel *m, artData *d, artMethod method)
{
  art_update(m, d);
  return CHECK_WORKS(art_accelerate(m, d, method, &check_error));
}


// J^T lambda, which is unique where the multipliers are not
static void constraint_forces(const artModel *m, const artData *d, double *f)
{
  const loopRows *rows = &d->work->loop->rows;
  const long nv = m->tree.nv;
  for (int k = 0; k < nv; k++) {
    f[k] = 0;
    for (int r = 0; r < m->nrow; r++) f[k] += matrix_at(&rows->J, r, k) * rows->lambda[r];
  }
}


// all of J at the present state
static void find_jacobian(const artModel *m, artData *d)
{
  loopRows *rows = &d->work->loop->rows;
  CHECK(rows_positions(m, d, rows, NULL, NULL) == ART_OK);
  tree_axes(&m->tree, &d->work->tree);
  CHECK(rows_jacobian(m, d, rows, NULL, NULL) == ART_OK);
}


//---- at one state --------------------------------------------------------------------------------


static void compare_accelerations(const loopSample *s, const artModel *m, artData *d)
{
  const int nv = m->tree.nv;
  double a[METHODS][MAX_V], f[METHODS][MAX_V], force[METHODS][MAX_V], power[METHODS];
  for (int i = 0; i < METHODS; i++) {
    if (!accelerate(m, d, methods[i])) return;
    memcpy(a[i], d->a, (size_t) nv * sizeof(double));
    memcpy(force[i], d->force, (size_t) nv * sizeof(double));
    power[i] = art_energy(m, d).power;
    double lambda[MAX_ROWS];
    memcpy(lambda, d->work->loop->rows.lambda, (size_t) m->nrow * sizeof *lambda);
    find_jacobian(m, d);
    memcpy(d->work->loop->rows.lambda, lambda, (size_t) m->nrow * sizeof *lambda);
    constraint_forces(m, d, f[i]);
  }
  for (int i = 1; i < METHODS; i++) {
    const int same = CHECK_NEAR(a[i], a[0], nv, 1e-9 * check_scale(nv, a[0])) &&
                     CHECK_NEAR(f[i], f[0], nv, 1e-9 * check_scale(nv, f[0])) &&
                     CHECK_NEAR(force[i], force[0], nv, 1e-9 * check_scale(nv, force[0])) &&
                     CHECK_CLOSE(power[i], power[0], 1e-9 * (1 + fabs(power[0])));
    if (!same) printf("  %s, %s\n", s->name, art_method_name(methods[i]));
  }
}


TEST(all_methods_find_the_same_accelerations_and_forces)
{
  visit_states(compare_accelerations, STATES, 31);
}


// J a = gamma, with gamma found apart from the methods
static void check_rows(const loopSample *s, const artModel *m, artData *d)
{
  const int nv = m->tree.nv;
  for (int i = 0; i < METHODS; i++) {
    if (!accelerate(m, d, methods[i])) return;
    double tau[MAX_V], got[MAX_ROWS];
    loopRows *rows = &d->work->loop->rows;
    art_update(m, d);
    find_jacobian(m, d);
    tree_rne(&m->tree, &d->work->tree, d->v, d->work->a_drive, tau);
    CHECK(rows_gamma(m, d, rows, NULL, NULL) == ART_OK);
    for (int r = 0; r < m->nrow; r++) {
      got[r] = 0;
      for (int k = 0; k < nv; k++) {
        got[r] += matrix_at(&rows->J, r, k) * (d->a[k] - d->work->a_drive[k]);
      }
    }
    if (!CHECK_NEAR(got, rows->gamma, m->nrow, 1e-9 * check_scale(nv, d->a))) {
      printf("  %s, %s\n", s->name, art_method_name(methods[i]));
    }
  }
}


TEST(accelerations_meet_every_row)
{
  visit_states(check_rows, STATES, 32);
}


// lambda . J v = 0: what closes the loops does no work
static void check_power(const loopSample *s, const artModel *m, artData *d)
{
  for (int i = 0; i < METHODS; i++) {
    if (!accelerate(m, d, methods[i])) return;
    double lambda[MAX_ROWS], f[MAX_V], power = 0, scale = 1;
    const double none = 0;
    memcpy(lambda, d->work->loop->rows.lambda, (size_t) m->nrow * sizeof *lambda);
    find_jacobian(m, d);
    memcpy(d->work->loop->rows.lambda, lambda, (size_t) m->nrow * sizeof *lambda);
    constraint_forces(m, d, f);
    for (int k = 0; k < m->tree.nv; k++) {
      power += f[k] * d->v[k];
      scale += fabs(f[k] * d->v[k]);
    }
    if (!CHECK_CLOSE(power, none, 1e-10 * scale)) printf("  %s\n", s->name);
  }
}


TEST(reactions_of_cuts_do_no_work)
{
  visit_states(check_power, 3, 33);
}


static void reaction_of(const artModel *m, artData *d, int joint, double out[6])
{
  if (m->joint[joint].is_cut) {
    for (int c = 0; c < m->ncut; c++) {
      if (m->cut[c].joint != joint) continue;
      const wrench f = rows_reaction(m, &d->work->loop->rows, c);
      memcpy(out, (double[6]){f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y, f.ang.z},
             6 * sizeof *out);
    }
    return;
  }
  CHECK(art_reaction(m, d, m->joint[joint].name, out, out + 3, NULL) == ART_OK);
}


static void compare_reactions(const loopSample *s, const artModel *m, artData *d)
{
  if (s->rows != s->rank) return; // not unique
  for (int j = 0; j < m->njoint; j++) {
    double f[METHODS][6] = {0};
    for (int i = 0; i < METHODS; i++) {
      if (!accelerate(m, d, methods[i])) return;
      reaction_of(m, d, j, f[i]);
    }
    for (int i = 1; i < METHODS; i++) {
      if (CHECK_NEAR(f[i], f[0], 6, 1e-9 * check_scale(6, f[0]))) continue;
      printf("  %s, %s, joint %s\n", s->name, art_method_name(methods[i]), m->joint[j].name);
    }
  }
}


TEST(all_methods_find_the_same_reactions)
{
  visit_states(compare_reactions, 3, 34);
}


// along the motion that begins with v and a, energy changes by the power of the forces
static void check_energy(const loopSample *s, const artModel *m, artData *d)
{
  double a[MAX_V];
  const int nv = m->tree.nv;
  for (int i = 0; i < METHODS; i++) {
    if (!accelerate(m, d, methods[i])) return;
    const double power = art_energy(m, d).power;
    const double h = 5e-3 / check_larger(check_scale(nv, d->v), sqrt(check_scale(nv, d->a)));
    memcpy(a, d->a, (size_t) nv * sizeof *a);
    if (!CHECK_CLOSE(naive_energy_rate(m, d, a, h), power, 1e-8 * (1 + fabs(power)))) {
      printf("  %s, %s\n", s->name, art_method_name(methods[i]));
    }
  }
}


TEST(energy_changes_by_the_power_of_the_forces)
{
  visit_states(check_energy, 3, 35);
}


//---- by hand -------------------------------------------------------------------------------------


// A slider-crank in the plane x z: crank of length r turning about -y, coupler of length l, slider
// along x. With x = r cos p + sqrt(l^2 - r^2 sin^2 p) and the coupler's angle b, sin b = (r/l) sin p,
// everything follows from p:  T = I(p) p'^2 / 2,  I p'' + I' p'^2 / 2 + V' = 0.
static const struct {
  double r, l, mass[3], I1, I2, g;
} sc = {.r = 0.3, .l = 0.8, .mass = {1.1, 0.9, 1.7}, .I1 = 0.02, .I2 = 0.05, .g = 9.81};


static artModel *plane_slider_crank(void)
{
  return keep_text_of(
      "articula: 1\n"
      "parameters: {r: %g, l: %g, I1: %g, I2: %g}\n"
      "bodies:\n"
      "  crank: {mass: %g, com: [= r/2, 0, 0], inertia: [= I1, = I1, = I1]}\n"
      "  coupler: {mass: %g, com: [= r + l/2, 0, 0], inertia: [= I2, = I2, = I2]}\n"
      "  slider: {mass: %g, com: [= r + l, 0, 0], inertia: [0.3, 0.3, 0.3]}\n"
      "joints:\n"
      "  shaft: {type: revolute, axis: [0, -1, 0], from: ground, to: crank, at: [0, 0, 0]}\n"
      "  pin: {type: revolute, axis: [0, -1, 0], from: crank, to: coupler, at: [= r, 0, 0]}\n"
      "  wrist: {type: revolute, axis: [0, -1, 0], from: coupler, to: slider, at: [= r + l, 0, "
      "0],\n"
      "          loop: cut}\n"
      "  guide: {type: prismatic, axis: x, from: ground, to: slider, at: [= r + l, 0, 0]}\n",
      sc.r, sc.l, sc.I1, sc.I2, sc.mass[0], sc.mass[1], sc.mass[2]);
}


typedef struct handDynamics {
  double I, dI, dV;
} handDynamics;


static handDynamics by_hand(double p)
{
  // derivatives with respect to p of sin b = k sin p, of the coupler's centre and of the slider
  const double k = sc.r / sc.l, s = sin(p), c = cos(p);
  const double cb = sqrt(1 - k * k * s * s);
  const double db = k * c / cb;                       // b'
  const double ddb = (-k * s + k * s * db * db) / cb; // b'' from b' cos b = k cos p
  const double sb = k * s;
  const double x2 = -sc.r * s - sc.l * sb * db / 2; // of the coupler's centre
  const double z2 = sc.r * c / 2;                   // half way down to the slider
  const double dx2 = -sc.r * c - sc.l * (cb * db * db + sb * ddb) / 2;
  const double dz2 = -sc.r * s / 2;
  const double x3 = -sc.r * s - sc.l * sb * db;
  const double dx3 = -sc.r * c - sc.l * (cb * db * db + sb * ddb);
  const double *m = sc.mass;
  return (handDynamics){
      .I = sc.I1 + m[0] * sc.r * sc.r / 4 + m[1] * (x2 * x2 + z2 * z2) + sc.I2 * db * db +
           m[2] * x3 * x3,
      .dI = 2 * (m[1] * (x2 * dx2 + z2 * dz2) + sc.I2 * db * ddb + m[2] * x3 * dx3),
      .dV = sc.g * (m[0] + m[1]) * sc.r / 2 * c,
  };
}


TEST(a_slider_crank_moves_as_its_equation_says)
{
  artModel *m = plane_slider_crank();
  artData *d = keep_fresh_data(m);
  const int shaft = art_find_position(m, "shaft.angle"), rate = art_find_velocity(m, "shaft.rate");
  const int pin = art_find_position(m, "pin.angle"), guide = art_find_position(m, "guide.slide");
  uint64_t seed = 36;
  for (int trial = 0; trial < 20; trial++) {
    const double p = check_uniform(&seed, -1.2, 1.2), v = check_uniform(&seed, -8, 8);
    const double k = sc.r / sc.l, b = asin(k * sin(p)), db = k * cos(p) / cos(b);
    d->q[shaft] = p, d->q[pin] = -b - p, d->q[guide] = sc.r * cos(p) + sc.l * cos(b) - sc.r - sc.l;
    d->v[rate] = v;
    d->v[art_find_velocity(m, "pin.rate")] = -(db + 1) * v;
    d->v[art_find_velocity(m, "guide.rate")] = (-sc.r * sin(p) - sc.l * sin(b) * db) * v;
    const handDynamics hand = by_hand(p);
    const double want = -(0.5 * hand.dI * v * v + hand.dV) / hand.I;
    for (int i = 0; i < METHODS; i++) {
      if (!accelerate(m, d, methods[i])) continue;
      CHECK_CLOSE(d->a[rate], want, 1e-10 * (1 + fabs(want)));
    }
  }
}


//---- over time -----------------------------------------------------------------------------------


// the largest phi and J v of those that are open so far and are here
static void find_openings(const artModel *m, artData *d, double open[2])
{
  find_jacobian(m, d);
  const loopRows *rows = &d->work->loop->rows;
  for (int r = 0; r < m->nrow; r++) {
    double rate = 0;
    for (int j = 0; j < m->tree.nv; j++) rate += matrix_at(&rows->J, r, j) * d->v[j];
    open[0] = check_larger(open[0], fabs(rows->phi[r]));
    open[1] = check_larger(open[1], fabs(rate));
  }
}


// the state at the end of a second; `open` gets the largest phi and J v seen on the way
static int run_second(const artModel *m, artData *d, artMethod method, artIntegrator integrator,
                      double *q, double open[2])
{
  artRunDef study = art_default_run();
  study.until = 1, study.method = method, study.integrator = integrator, study.tolerance = 1e-10;
  study.step = integrator == ART_RK4 ? 2e-4 : 0;
  artRun *run = keep_started_run(m, d, &study);
  int ok = 1;
  for (int k = 1; ok && k <= 20; k++) {
    ok = CHECK_WORKS(art_run_to(run, 0.05 * k, &check_error));
    if (ok) find_openings(m, d, open);
  }
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  return ok;
}


// start all methods at the same state
typedef struct startState {
  double q[MAX_Q], v[MAX_V];
} startState;


static void put_start(const artModel *m, artData *d, const startState *start)
{
  d->time = 0;
  memcpy(d->q, start->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(d->v, start->v, (size_t) m->tree.nv * sizeof *d->v);
  art_update(m, d);
}


// closed at time 0, all free coordinates moving a little
static int find_start(const artModel *m, artData *d, startState *start)
{
  art_reset(m, d);
  if (!CHECK(loop_partition(m, d, NULL) == ART_OK)) return 0;
  const loopPartition *p = &d->work->loop->partition;
  for (int i = 0; i < p->nf; i++) d->v[p->free[i]] = 0.5 - 0.1 * i;
  if (!CHECK(loop_close(m, d, NULL) == ART_OK)) return 0;
  memcpy(start->q, d->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(start->v, d->v, (size_t) m->tree.nv * sizeof *d->v);
  return 1;
}


// stabilised methods, independent coordinates, and the recursive method with every integrator
static void check_runs(const char *name)
{
  enum { RUNS = 6 };
  static const artMethod method[RUNS] = {ART_RECURSIVE, ART_AUGMENTED, ART_SEMIRECURSIVE,
                                         ART_RECURSIVE, ART_RECURSIVE, ART_RECURSIVE};
  static const artIntegrator integrator[RUNS] = {ART_DOPRI5, ART_DOPRI5, ART_DOPRI5,
                                                 ART_BDF,    ART_ADAMS,  ART_RK4};
  artModel *m = keep_model(loop_sample(name));
  artData *d = keep_fresh_data(m);
  startState start;
  double q[2][MAX_Q];
  if (!find_start(m, d, &start)) return;
  for (int i = 0; i < RUNS; i++) {
    double open[2] = {0, 0};
    put_start(m, d, &start);
    if (!run_second(m, d, method[i], integrator[i], q[i > 0], open)) continue;
    const int same = (i == 0 || CHECK_NEAR(q[1], q[0], m->tree.nq, 1e-7)) &&
                     CHECK(open[0] < 1e-8) && CHECK(open[1] < 1e-7);
    if (!same) {
      printf("  %s, %s, %s: open by %g, %g\n", name, art_method_name(method[i]),
             art_integrator_name(integrator[i]), open[0], open[1]);
    }
  }
}


TEST(all_methods_and_integrators_run_every_sample_to_the_same_place)
{
  for (const loopSample *s = loop_samples; s->name; s++) check_runs(s->name);
}


// the state after a step of Runge and Kutta from the start, loops left as they come; all coordinates are
// angles or slides
static void step_by_hand(const artModel *m, artData *d, artMethod method, const startState *start,
                         double h)
{
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  const int n = m->tree.nv;
  double rate[2][MAX_V] = {{0}}, sum[2][MAX_V] = {{0}};
  for (int i = 0; i <= 4; i++) {
    put_start(m, d, start);
    for (int k = 0; k < n; k++) {
      d->q[k] += i < 4 ? h * node[i] * rate[0][k] : h / 6 * sum[0][k];
      d->v[k] += i < 4 ? h * node[i] * rate[1][k] : h / 6 * sum[1][k];
    }
    d->time = i < 4 ? h * node[i] : h;
    art_update(m, d);
    if (i == 4 || !CHECK(art_accelerate(m, d, method, NULL) == ART_OK)) break;
    for (int k = 0; k < n; k++) {
      rate[0][k] = d->v[k], rate[1][k] = d->a[k];
      sum[0][k] += weight[i] * rate[0][k], sum[1][k] += weight[i] * rate[1][k];
    }
  }
}


// the certificate has the violation that a step leaves before the loops are closed, not after
TEST(the_violation_before_correction_is_recorded)
{
  static const artMethod used[] = {ART_RECURSIVE, ART_AUGMENTED, ART_SEMIRECURSIVE};
  const double h = 0.02;
  artModel *m = keep_model(loop_sample("four-bar"));
  artData *d = keep_fresh_data(m);
  startState start;
  for (int i = 0; i < 3 && find_start(m, d, &start); i++) {
    artRunDef study = art_default_run();
    study.method = used[i];
    study.integrator = ART_RK4;
    study.step = study.until = h;
    put_start(m, d, &start);
    artRun *run = keep_started_run(m, d, &study);
    CHECK_EQ_INT(art_run_to(run, h, NULL), ART_OK);
    const artCertificate c = art_certify(run);
    CHECK(c.position_residual < 1e-12);

    double want[2] = {0, 0};
    step_by_hand(m, d, used[i], &start, h);
    if (used[i] != ART_SEMIRECURSIVE) find_openings(m, d, want);
    CHECK(used[i] == ART_SEMIRECURSIVE || want[0] > 1e-9);
    CHECK_CLOSE_REL(c.position_violation, want[0], 1e-3);
    CHECK_CLOSE_REL(c.velocity_violation, want[1], 1e-3);
    if (used[i] == ART_SEMIRECURSIVE) continue;

    // the residuals of loops that are open are those, too
    loopResidual residual;
    CHECK_EQ_INT(art_accelerate(m, d, used[i], NULL), ART_OK);
    method_need_forces(m, d);
    CHECK_EQ_INT(residual_find(m, d, &residual, NULL), ART_OK);
    CHECK_CLOSE_REL(residual.position, want[0], 1e-6);
    CHECK_CLOSE_REL(residual.velocity, want[1], 1e-6);
  }
}


// phi'' = J a - gamma = -2 alpha phi' - beta^2 phi where loops are a little open
static void check_pull(const loopSample *s, const artModel *m, artData *d)
{
  if (s->rows != s->rank)
    return; // rows that follow from others contradict them when loops are open
  const int nv = m->tree.nv;
  uint64_t seed = 37;
  double move[MAX_V], a[2][MAX_V], tau[MAX_V], want[MAX_ROWS], got[MAX_ROWS];
  sample_numbers(&seed, 0.01, nv, move);
  art_move(m, d->q, move);
  for (int k = 0; k < nv; k++) d->v[k] += move[nv - 1 - k];
  for (int i = 1; i < METHODS; i++) {
    if (!accelerate(m, d, methods[i])) return;
    memcpy(a[i - 1], d->a, (size_t) nv * sizeof(double));
  }
  CHECK_NEAR(a[1], a[0], nv, 1e-9 * check_scale(nv, a[0]));

  loopRows *rows = &d->work->loop->rows;
  find_jacobian(m, d);
  tree_rne(&m->tree, &d->work->tree, d->v, d->work->a_drive, tau);
  CHECK(rows_gamma(m, d, rows, NULL, NULL) == ART_OK);
  for (int r = 0; r < m->nrow; r++) {
    double rate = 0;
    got[r] = -rows->gamma[r];
    for (int k = 0; k < nv; k++) {
      const double J = matrix_at(&rows->J, r, k);
      rate += J * d->v[k];
      got[r] += J * (d->a[k] - d->work->a_drive[k]);
    }
    want[r] = -20 * rate - 100 * rows->phi[r];
  }
  if (!CHECK_NEAR(got, want, m->nrow, 1e-9 * check_scale(nv, d->a))) printf("  %s\n", s->name);
}


TEST(open_loops_are_pulled_shut)
{
  visit_states(check_pull, 3, 38);
}


//---- trouble -------------------------------------------------------------------------------------


TEST(drives_that_contradict_a_loop_are_named)
{
  artModel *m = keep_text("articula: 1\n"
                          "bodies:\n"
                          "  left: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                          "  right: {mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
                          "joints:\n"
                          "  A: {type: revolute, axis: z, from: ground, to: left}\n"
                          "  D: {type: revolute, axis: z, from: ground, to: right, at: [1, 0, 0]}\n"
                          "couplings: {gear: {type: gear, joints: [A, D], ratio: 1}}\n"
                          "drives: {m1: {coordinate: A, value: 0},\n"
                          "         m2: {coordinate: D, value: = time^2}}\n");
  artData *d = keep_fresh_data(m);
  CHECK_FAILS(art_accelerate(m, d, ART_RECURSIVE, &check_error), ART_SINGULAR,
              "relation 'gear' contradicts");
}


TEST(evaluations_take_no_memory)
{
  heap_watch();
  artModel *m = loop_sample("suspension");
  artData *d = m ? art_create_data(m) : NULL;
  if (CHECK(d != NULL)) {
    uint64_t seed = 40;
    loop_random_state(m, d, &seed);
    for (int i = 0; i < METHODS; i++) {
      accelerate(m, d, methods[i]);
      const long before = heap_taken();
      for (int k = 0; k < 5; k++) accelerate(m, d, methods[i]);
      CHECK_EQ_INT(heap_taken(), before);
    }
  }
  art_free_data(d);
  art_free_model(m);
  heap_unwatch();
}
