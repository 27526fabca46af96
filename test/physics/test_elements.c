// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements in machines: closed forms, energy balances, and all methods on the same accelerations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/simulate.h"

static uint64_t seed = 23;

//---- helpers -------------------------------------------------------------------------------------

// the state moved at random
static void shake(const artModel *m, artData *d, double move, double speed)
{
  double *x = keep_numbers(m->tree.nv);
  sample_numbers(&seed, move, m->tree.nv, x);
  art_move(m, d->q, x);
  sample_numbers(&seed, speed, m->tree.nv, d->v);
  art_update(m, d);
}


// every method of trees gives the same accelerations to 1e-9
static void check_methods(const artModel *m, artData *d)
{
  static const int methods[] = {ART_MASS_MATRIX, ART_INDEX1, ART_RECURSIVE, ART_AUGMENTED};
  const int nv = m->tree.nv;
  double *a = keep_numbers(nv);
  CHECK_EQ_INT(art_accelerate(m, d, ART_ORDER_N, NULL), ART_OK);
  memcpy(a, d->a, (size_t) nv * sizeof *a);
  for (int i = 0; i < 4; i++) {
    const artStatus status = method_accelerate(m, d, methods[i], &check_error);
    if (status == ART_UNSUPPORTED) continue;
    if (!CHECK(status == ART_OK)) printf("  %s\n", check_error.text);
    CHECK_NEAR(d->a, a, nv, 1e-9 * check_larger(1, check_largest(nv, a)));
  }
}


// generated code and numbers agree to 1e-12 on accelerations and power
static void check_generated(const artModel *m, artData *d, artGenerated *g)
{
  const int nv = m->tree.nv;
  artData *own = keep_copied_data(m, d);
  double power = 0, *a = keep_numbers(nv);
  CHECK_EQ_INT(art_generated_accelerate(g, own->time, own->q, own->v, a, &power, NULL), ART_OK);
  CHECK_EQ_INT(art_accelerate(m, d, ART_ORDER_N, NULL), ART_OK);
  const double scale = check_larger(1, check_largest(nv, d->a));
  CHECK_NEAR(a, d->a, nv, 1e-12 * scale);
  CHECK_CLOSE(power, d->work->power, 1e-12 * check_larger(scale, fabs(d->work->power)));
}


static void check_everywhere(const artModel *m, double move, double speed)
{
  artGenerateDef def = art_default_generate();
  def.forms = ART_FORM_ACCELERATE | ART_FORM_POWER;
  artGenerated *g = NULL;
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  CHECK_WORKS(art_load_generated(&g, m, d, &def, &check_error));
  keep_generated(g);
  for (int i = 0; i < 12; i++) {
    art_reset(m, d);
    shake(m, d, move, speed);
    check_methods(m, d);
    check_generated(m, d, g);
  }
}


typedef struct outcome {
  artStatus status;
  double balance; // of the energy, relative to the largest kinetic energy on the way
  double q[8];    // at the end
  char text[1024];
} outcome;


// a run from the initial state
static outcome run(const artModel *m, int method, double step, double until)
{
  outcome out = {0};
  artRunDef study = art_default_run();
  study.until = until;
  model_set_way(&study, method);
  study.integrator = ART_RK4;
  study.step = step;
  artData *d = keep_fresh_data(m);
  artRun *r = NULL;
  out.status = art_create_run(&r, m, d, &study, &check_error);
  double most = 1e-300, gap = 0;
  for (int i = 1; i <= 20 && !out.status; i++) {
    out.status = art_run_to(r, until * i / 20, &check_error);
    if (out.status) break;
    const artEnergy e = art_energy(m, d);
    most = check_larger(most, e.kinetic);
    gap = check_larger(gap, fabs(output_named(m, d, "balance")));
  }
  out.balance = gap / most;
  for (int k = 0; k < m->tree.nq && k < 8; k++) out.q[k] = d->q[k];
  snprintf(out.text, sizeof out.text, "%s", check_error.text);
  keep_run(r);
  return out;
}


// RK4 keeps the balance, and the methods of natural coordinates arrive at the same place
static void check_runs(const artModel *m, double step, double until, double closeness)
{
  const outcome fine = run(m, ART_ORDER_N, step, until);
  if (!CHECK(fine.status == ART_OK)) printf("  %s\n", fine.text);
  CHECK_CLOSE(fine.balance, 0, 1e-10);
  static const int methods[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int i = 0; i < 3; i++) {
    const outcome other = run(m, methods[i], step, until);
    if (!CHECK(other.status == ART_OK)) printf("  %s\n", other.text);
    CHECK_NEAR(other.q, fine.q, m->tree.nq < 8 ? m->tree.nq : 8, closeness);
    if (methods[i] == ART_CONSERVING) CHECK_CLOSE(other.balance, 0, 1e-8);
  }
}


//---- air springs ---------------------------------------------------------------------------------

#define BALANCE "outputs: {balance: energy.balance, force: spring.force}\n"

static const char air_mass[] =
    "articula: 1\n"
    "gravity: [0, 0, -10]\n"
    "bodies: {mass: {mass: 1200 kg, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, axis: z, from: ground, to: mass}}\n"
    "initial: {rail: {%s}}\n"
    "forces:\n"
    "  spring: {type: spring-damper, between: [ground, mass], free_length: 0.3,\n"
    "    spring: {air: {pressure: 501325, area: 0.03, volume: 9e-3, exponent: 1.3}}}\n" BALANCE;


TEST(an_air_spring_carries_and_swings_as_its_closed_form)
{
  // p0 - p_a = 4e5 Pa on 0.03 m^2 carry 1200 kg at 10 m/s^2; k = n p0 A^2/V0
  artModel *m = keep_text_of(air_mass, "slide: 0.3");
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  CHECK_EQ_INT(art_accelerate(m, d, ART_ORDER_N, NULL), ART_OK);
  CHECK_CLOSE(d->a[0], 0, 1e-12);
  CHECK_CLOSE(output_named(m, d, "force"), -12000, 1e-10);
  artLinear *linear = NULL;
  CHECK_WORKS(art_linearise(m, d, ART_ORDER_N, &linear, &check_error));
  keep_linear(linear);
  CHECK_CLOSE_REL(check_largest(2, linear->imaginary),
                  sqrt(1.3 * 501325 * 0.03 * 0.03 / 9e-3 / 1200), 1e-7);
  check_everywhere(m, 0.15, 1);

  // thrown up, it comes back; half a second of it
  check_runs(keep_text_of(air_mass, "slide: 0.4"), 1e-3, 0.5, 1e-4);
}


TEST(an_air_spring_without_volume_says_so)
{
  artModel *m = keep_text_of(air_mass, "rate: -90");
  static const int methods[] = {ART_ORDER_N, ART_INDEX1, ART_INDEX3, ART_CONSERVING,
                                MODEL_GENERATED};
  for (int i = 0; i < 5; i++) {
    // starts without any volume at all
    const outcome out = run(m, methods[i], 1e-3, 0.5);
    CHECK(out.status != ART_OK);
    CHECK_CONTAINS(out.text, "air spring 'spring' has no volume left at t = ");
  }
}


//---- stops ---------------------------------------------------------------------------------------

TEST(stops_of_a_spring_catch_its_length)
{
  // dropped onto the bump stop by the rail: the deepest point follows from the energy
  static const char text[] =
      "articula: 1\n"
      "gravity: [0, 0, -10]\n"
      "bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {type: prismatic, axis: z, from: ground, to: mass}}\n"
      "initial: {rail: {slide: 0.5}}\n"
      "forces:\n"
      "  spring: {type: spring-damper, between: [ground, mass], free_length: 0.5, stiffness: 10,\n"
      "    stops: {lower: 0.3, upper: 0.52, stiffness: 2e3}}\n" BALANCE;
  artModel *m = keep_text(text);
  check_everywhere(m, 0.4, 2);
  check_runs(m, 5e-4, 1, 1e-4);

  // 20 s - 5 s^2 - 1000 (s - 0.2)^2 = 0 at the lowest point, s below the start
  const double s = (420 + sqrt(420 * 420 - 4 * 1005.0 * 40)) / (2 * 1005);
  artRunDef study = art_default_run();
  study.until = 1;
  study.tolerance = 1e-12;
  artData *d = keep_fresh_data(m);
  artRun *r = keep_started_run(m, d, &study);
  double lowest = 1;
  for (int i = 1; i <= 4000; i++) {
    CHECK_EQ_INT(art_run_to(r, i / 4000.0, NULL), ART_OK);
    lowest = check_smaller(lowest, d->q[0]);
  }
  CHECK_CLOSE(lowest, 0.5 - s, 2e-6);
}


TEST(stops_with_dissipation_close_the_balance)
{
  static const char text[] =
      "articula: 1\n"
      "bodies:\n"
      "  arm: {mass: 3, com: [0.5, 0, 0], inertia: [0.1, 0.3, 0.3], points: {end: [1, 0, 0]}}\n"
      "ground: {points: {top: [0.6, 0, 1]}}\n"
      "joints: {pin: {type: revolute, axis: y, from: ground, to: arm}}\n"
      "initial: {pin: {rate: 1}}\n"
      "forces:\n"
      "  spring: {type: spring-damper, between: [ground.top, arm.end], free_length: 1,\n"
      "    stiffness: 50,\n"
      "    damper: {segments: {borders: [-0.5, 0.5], coefficients: [[-1, 2], [0, 4], [1, 2]]}},\n"
      "    stops: {lower: 0.9, upper: 1.2, stiffness: 3e3, damping: 0.4}}\n" BALANCE;
  artModel *m = keep_text(text);
  check_everywhere(m, 0.6, 3);
  check_runs(m, 1e-4, 1, 1e-4);
}


//---- bushings ------------------------------------------------------------------------------------

#define BUSHED                                                                                     \
  "articula: 1\n"                                                                                  \
  "gravity: [0, 0, -10]\n"                                                                         \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 4, com: [0.5, 0, 0], inertia: [0.2, 0.5, 0.4], frames: {end: {position: [1, 0, "  \
  "0.1], orientation: {rpy: [0.3, -0.2, 0.5]}}}}\n"                                                \
  "  block: {mass: 2, com: [0.05, 0.1, -0.02], inertia: [0.03, 0.02, 0.04], frames: {eye: "        \
  "{position: [0.1, 0.2, 0], orientation: {rpy: [0.2, -0.3, 0.4]}}}}\n"                            \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm}\n"                                      \
  "  fly: {type: free, from: ground, to: block}\n"                                                 \
  "initial: {fly: {x: 0.9, y: -0.2, z: 0.1}}\n"

#define COUPLED                                                                                    \
  "    stiffness:\n"                                                                               \
  "      - [2000, 0, 0, 0, 30, 0]\n"                                                               \
  "      - [0, 1500, 0, -20, 0, 0]\n"                                                              \
  "      - [0, 0, 1800, 0, 0, 10]\n"                                                               \
  "      - [0, -20, 0, 60, 0, 0]\n"                                                                \
  "      - [30, 0, 0, 0, 50, 5]\n"                                                                 \
  "      - [0, 0, 10, 0, 5, 40]\n"

static const char elastic_bushing[] = BUSHED
    "forces:\n"
    "  mount:\n"
    "    type: bushing\n"
    "    from: arm.end\n"
    "    to: block.eye\n" COUPLED
    "    springs: {y: {polynomial: [100, 0, 5e4]}, rx: {table: [[-1, -20], [0, 0], [1, 30]]}}\n"
    "    preload: [1, 2, 20, 0.1, -0.2, 0.3]\n"
    "outputs: {balance: energy.balance, dx: mount.dx, dy: mount.dy, dz: mount.dz, rx: mount.rx, "
    "ry: mount.ry, rz: mount.rz, fx: mount.fx, ty: mount.ty}\n";

static const char damped_bushing[] =
    BUSHED "forces:\n"
           "  mount:\n"
           "    type: bushing\n"
           "    from: arm.end\n"
           "    to: block.eye\n" COUPLED "    damping: [20, 15, 18, 0.6, 0.5, 0.4]\n"
           "    dampers: {x: {segments: {borders: [0], coefficients: [[0, 10], [0, 30]]}}}\n"
           "    springs: {z: {piecewise: [[-0.1, -50], [0.01, 0], [0.1, 90]]}}\n"
           "outputs: {balance: energy.balance}\n";


// weight and elements as forces on the velocity coordinates, at rest:  Q = M a
static void generalised_forces(const artModel *m, artData *d, double *Q)
{
  double M[16 * 16];
  const int nv = m->tree.nv;
  CHECK_EQ_INT(art_accelerate(m, d, ART_ORDER_N, NULL), ART_OK);
  art_mass_matrix(m, d, M);
  for (int i = 0; i < nv; i++) {
    Q[i] = 0;
    for (int j = 0; j < nv; j++) Q[i] += M[i * nv + j] * d->a[j];
  }
}


TEST(a_bushing_pulls_along_the_gradient_of_its_potential)
{
  artModel *m = keep_text(elastic_bushing);
  artData *d = keep_fresh_data(m);
  const int nq = m->tree.nq, nv = m->tree.nv;
  double largest_angle = 0;
  for (int trial = 0; trial < 40; trial++) {
    art_reset(m, d);
    shake(m, d, trial < 10 ? 0.05 : 2, 0);
    double q[16], Q[16],
        r[3] = {output_named(m, d, "rx"), output_named(m, d, "ry"), output_named(m, d, "rz")};
    const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (angle > 3) continue;
    largest_angle = check_larger(largest_angle, angle);
    memcpy(q, d->q, (size_t) nq * sizeof *q);
    generalised_forces(m, d, Q);
    for (int k = 0; k < nv; k++) {
      // weight and elements together, of order 4
      double V[4];
      const double h = 1e-3, at[4] = {-2 * h, -h, h, 2 * h};
      for (int i = 0; i < 4; i++) {
        double move[16] = {0};
        move[k] = at[i];
        memcpy(d->q, q, (size_t) nq * sizeof *q);
        art_move(m, d->q, move);
        art_update(m, d);
        V[i] = art_energy(m, d).potential;
      }
      const double want = -(8 * (V[2] - V[1]) - (V[3] - V[0])) / (12 * h);
      CHECK_CLOSE(Q[k], want, 1e-6 * check_larger(100, check_largest(nv, Q)));
    }
  }
  CHECK(largest_angle > 2.5);
}


TEST(bushings_by_every_method)
{
  artModel *m = keep_text(elastic_bushing);
  check_everywhere(m, 0.3, 1);
  check_everywhere(m, 1e-9, 1);
  check_runs(m, 2e-4, 0.4, 2e-4);
  m = keep_text(damped_bushing);
  check_everywhere(m, 0.3, 1);
  check_runs(m, 2e-4, 0.4, 2e-4);
}


static const char mounted[] =
    "articula: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 3, inertia: [0.03, 0.02, 0.04]}}\n"
    "joints: {fly: {type: free, from: ground, to: block}}\n"
    "forces:\n"
    "  mount: {type: bushing, from: ground, to: block, stiffness: [1e7, 2e7, 3e7, 2e4, 3e4, 4e4],\n"
    "    damping: [1e4, 1e4, 1e4, 10, 10, 10]}\n"
    "initial: {fly: {x: 1 mm, z: -2 mm, wx: 1}}\n"
    "outputs: {balance: energy.balance}\n";


TEST(a_block_on_a_bushing_has_six_frequencies)
{
  artModel *m = keep_text(mounted);
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  for (int k = 0; k < 3; k++) d->q[k] = 0;
  memset(d->v, 0, 6 * sizeof *d->v);
  artLinear *linear = NULL;
  CHECK_WORKS(art_linearise(m, d, ART_ORDER_N, &linear, &check_error));
  keep_linear(linear);

  // by rising k/m
  const double want[6] = {sqrt(2e4 / 0.03), sqrt(4e4 / 0.04), sqrt(3e4 / 0.02),
                          sqrt(1e7 / 3),    sqrt(2e7 / 3),    sqrt(3e7 / 3)};
  for (int i = 0; i < 6; i++) {
    CHECK_CLOSE_REL(2 * acos(-1) * linear->frequency[2 * i], want[i], 1e-6);
  }
}


TEST(a_stiff_bushing_takes_long_steps)
{
  // 1e7 N/m at 10 ms: far beyond what an explicit method survives
  artModel *m = keep_text(mounted);
  artRunDef study = art_default_run();
  study.until = 1;
  model_set_way(&study, ART_INDEX3);
  study.step = 0.01;
  artData *d = keep_fresh_data(m);
  artRun *r = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(r, 1, &check_error));
  const artCertificate c = art_certify(r);
  CHECK_EQ_INT(c.steps, 100);
  CHECK(c.evaluations <= 100 * 5);
  CHECK(fabs(d->q[0]) < 1e-3);
}


//---- drag ----------------------------------------------------------------------------------------

TEST(a_body_coasts_down_by_its_drag)
{
  // v = v0/(1 + k v0 t/m), k = rho A cx/2
  static const char text[] =
      "articula: 1\n"
      "gravity: [0, 0, 0]\n"
      "bodies: {car: {mass: 1000, inertia: [300, 900, 1000]}}\n"
      "joints: {road: {type: prismatic, axis: x, from: ground, to: car}}\n"
      "initial: {road: {rate: 40}}\n"
      "forces: {air: {type: drag, point: car, area: 2, drag: 0.5, lift: 0.1, density: 1.2,\n"
      "  wind: [-5, 0, 0]}}\n"
      "outputs: {balance: energy.balance, fx: air.fx, fz: air.fz}\n";
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  CHECK_EQ_INT(art_accelerate(m, d, ART_ORDER_N, NULL), ART_OK);
  CHECK_CLOSE_REL(output_named(m, d, "fx"), -0.6 * 45 * 45, 1e-14);
  CHECK_CLOSE_REL(output_named(m, d, "fz"), 0.12 * 45 * 45, 1e-14);
  check_runs(m, 1e-2, 10, 1e-3);

  // u' = -k u^2/m:  x = m/k log(1 + k u0 t/m) - 5 t
  const outcome end = run(m, ART_ORDER_N, 1e-2, 10);
  CHECK_CLOSE_REL(end.q[0], 1000 / 0.6 * log(1 + 0.6 * 45 * 10 / 1000) - 50, 1e-10);
}


TEST(drag_by_every_method)
{
  static const char text[] =
      BUSHED "forces:\n"
             "  a: {type: drag, point: arm.end, area: 3, drag: 0.5, side: 1.2, vertical: 2,\n"
             "    lift: 0.3, wind: [3, -2, 1]}\n"
             "  b: {type: drag, point: block.eye, area: 0.5, drag: 0.7, side: 0.7, vertical: 0.7}\n"
             "outputs: {balance: energy.balance}\n";
  artModel *m = keep_text(text);
  check_everywhere(m, 1, 3);
  check_runs(m, 1e-3, 0.5, 1e-3);
}
