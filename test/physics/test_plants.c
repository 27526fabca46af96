// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small plants under control by all integrators and methods, against closed forms or against integrations that were written
// apart from the library: the equations above each case by RK4 with steps of 0.01 to 1 ms and switches found by bisection,
// whose values are good to 1e-9.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

#define HEAD "articula: 1\n"
#define CART                                                                                       \
  HEAD "gravity: [0, 0, 0]\nbodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"                       \
       "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"

enum { MAX_OUTPUTS = 12 };

// outputs o0, o1 ... at two times
typedef struct plantCase {
  const char *name, *text;
  double time[2];
  int n;
  double want[2][MAX_OUTPUTS];
  double
      natural;  // error that rules of order two may have with steps of 1 ms, relative to 1 + |want|
  double fixed; // and RK4
} plantCase;

// clang-format off
static const plantCase cases[] = {
    // 2 x'' = u of e = 1 - x:  u = 20 e + I + 12 (e - f)/0.02 between -5 and 5,  I' = 8 e, 0 where it would leave them,
    // f' = (e - f)/0.02
    {"PID with limits on a mass",
     CART "blocks:\n"
     "  u: {type: pid, input: = 1 - rail.slide, kp: 20, ki: 8, kd: 12, filter: 0.02, before: 1, limits: [-5, 5]}\n"
     "forces: {f: {type: joint-force, coordinate: rail, value: = u}}\n"
     "outputs: {o0: rail.slide, o1: rail.rate, o2: = u.integral, o3: = u.filtered}\n",
     {2.5, 5}, 4,
     {{1.1989820294, -0.050481217675, 3.2281625158, -0.19995627538},
     {1.0583851179, -0.033577430395, 0.79677631643, -0.059064012139}},
     2e-5, 5e-6},
    // angle and rate taken every 10 ms, read two samples later, used from 5 ms behind each instant on
    {"sampled PD on a pendulum, 2.5 periods late",
     HEAD "gravity: [0, 0, -9.81]\n"
     "bodies: {bob: {mass: 1, com: [0, 0, -1], inertia: [1e-12, 1e-12, 1e-12]}}\n"
     "joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}\n"
     "initial: {pin: {angle: 0.5}}\n"
     "blocks:\n"
     "  a: {type: sample, input: = pin.angle, every: 10 ms, delay: 2}\n"
     "  w: {type: sample, input: = pin.rate, every: 10 ms, delay: 2}\n"
     "  u: {type: formula, value: = -8*a - 2*w, every: 10 ms, offset: 5 ms}\n"
     "forces: {f: {type: joint-force, coordinate: pin, value: = u}}\n"
     "outputs: {o0: pin.angle, o1: pin.rate, o2: = u}\n",
     {1.5, 3}, 3,
     {{0.12604422645, -0.0063690413576, -1.1342285002},
     {0.031909262177, -0.013811095863, -0.26461489961}},
     1e-4, 5e-6},
    // (2 s^4 + 3 s^3 + 5 s^2 + s + 7)/((s + 1)(s + 2)(s + 3)(s + 4)) on a step, by residues
    {"transfer function of order 4",
     CART "blocks:\n"
     "  y: {type: transfer-function, input: 1, numerator: [2, 3, 5, 1, 7], denominator: [1, 10, 35, 50, 24]}\n"
     "outputs: {o0: = y}\n",
     {1.5, 3}, 1,
     {{0.13145383576},
     {0.22656721732}},
     4e-6, 5e-6},
    // l' = (2 sin 3t - l)/0.05 between -2 and 3,  s' = l - (l between -0.3 and 0.5)
    {"rate limiter, dead band, integrator",
     CART "blocks:\n"
     "  l: {type: rate-limiter, input: \"= 2*sin(3*time)\", rising: 3, falling: 2, time: 0.05}\n"
     "  d: {type: dead-band, input: = l, band: [-0.3, 0.5]}\n"
     "  s: {type: integrator, input: = d}\n"
     "outputs: {o0: = l, o1: = s}\n",
     {2.5, 5}, 2,
     {{0.81648216746, 0.75660775353},
     {1.5208000146, 1.62279604}},
     5e-6, 5e-6},
    // 2 x'' = 3 - 1.5 x', with -3 from x > 0.1 until x < -0.1
    {"mass between two thrusts",
     CART "blocks:\n"
     "  r: {type: relay, input: = rail.slide, band: [-0.1, 0.1], values: [3, -3]}\n"
     "forces: {f: {type: joint-force, coordinate: rail, value: = r - 1.5*rail.rate}}\n"
     "outputs: {o0: rail.slide, o1: rail.rate}\n",
     {4, 8}, 2,
     {{-0.23854681667, -0.49799954205},
     {0.2621877529, 0.43615321936}},
     2e-4, 5e-6},
    // 50 x'' = A_a p_a - A_b p_b - 500 x' with the pressures of the reference, in MPa
    {"hydraulic cylinder",
     HEAD "gravity: [0, 0, 0]\n"
     "bodies: {cart: {mass: 50, inertia: [1, 1, 1]}}\n"
     "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
     "initial: {rail: {slide: 0.7}}\n"
     "forces:\n"
     "  c: {type: hydraulic-cylinder, between: [ground, cart], shortest: 0.5, stroke: 0.5, area_a: 2e-3, area_b: 1.2e-3, dead_a: 1e-4, dead_b: 2e-4, bulk: 1e9, flow: 1e-3, drop: 1e6, supply: 1e7, leakage: 1e-12, opening: \"= 0.25*sin(4*time)\", pressure_a: 3e6, pressure_b: 5e6}\n"
     "  d: {type: joint-force, coordinate: rail, value: = -500*rail.rate}\n"
     "outputs: {o0: rail.slide, o1: rail.rate, o2: = c.pressure_a/1e6, o3: = c.pressure_b/1e6}\n",
     {0.4, 1}, 4,
     {{0.79214872922, 0.35736571258, 1.846267223, 2.9298122995},
     {0.85495873199, -0.2070106989, 4.8674633693, 8.2287011613}},
     1e-4, 5e-6},
    // 200 z'' = A (p - p_a) - 200 g,  p V^1.4 constant
    {"closed gas spring",
     HEAD "gravity: [0, 0, -9.81]\n"
     "bodies: {load: {mass: 200, inertia: [1, 1, 1]}}\n"
     "joints: {rail: {type: prismatic, axis: z, from: ground, to: load}}\n"
     "initial: {rail: {slide: 1.05}}\n"
     "forces:\n"
     "  c: {type: pneumatic-cylinder, between: [ground, load], free_length: 1, pressure: 3e5, area: 1e-2, volume: 2e-3}\n"
     "outputs: {o0: rail.slide, o1: rail.rate, o2: = c.pressure/1e5}\n",
     {1, 2}, 3,
     {{0.97288227388, 0.33671797158, 3.6788543683},
     {1.0160979823, -0.43033794065, 2.6918586549}},
     1e-3, 5e-6},
    // 0.3 w' = 10 (0.05 i - 1e-4 10 w) - 1,  2e-3 i' = 12 - 0.5 i - 0.05 10 w, by eigenvalues
    {"motor with inductance",
     HEAD "gravity: [0, 0, 0]\n"
     "bodies: {drum: {mass: 1, inertia: [1, 0.3, 1]}}\n"
     "joints: {axle: {type: revolute, axis: y, from: ground, to: drum}}\n"
     "forces:\n"
     "  m: {type: motor, coordinate: axle, voltage: 12, constant: 0.05, resistance: 0.5, inductance: 2e-3, gear: 10, friction: 1e-4}\n"
     "  l: {type: joint-force, coordinate: axle, value: -1}\n"
     "outputs: {o0: axle.rate, o1: = m.current}\n",
     {0.2, 0.5}, 2,
     {{6.1360551951, 17.970323755},
     {12.333321107, 11.730339193}},
     5e-5, 5e-6},
    // force 3000 v_body between the forces of dampers of 300 and 3000 N s/m
    {"semi-active quarter car",
     HEAD "gravity: [0, 0, 0]\n"
     "bodies: {body: {mass: 300, inertia: [1, 1, 1]}, wheel: {mass: 40, inertia: [1, 1, 1]}}\n"
     "joints:\n"
     "  a: {type: prismatic, axis: z, from: ground, to: body}\n"
     "  b: {type: prismatic, axis: z, from: ground, to: wheel}\n"
     "initial: {b: {rate: 0.01}}\n"
     "blocks:\n"
     "  r: {type: formula, value: = a.rate - b.rate}\n"
     "  c: {type: formula, value: \"= max(min(3000*a.rate, max(300*r, 3000*r)), min(300*r, 3000*r))\"}\n"
     "forces:\n"
     "  s: {type: joint-force, coordinate: a, value: = -18000*(a.slide - b.slide) - c}\n"
     "  w: {type: joint-force, coordinate: b, value: \"= 18000*(a.slide - b.slide) + c - 180000*(b.slide - 0.03*sin(9*time))\"}\n"
     "outputs: {o0: a.slide, o1: a.rate, o2: b.slide, o3: b.rate}\n",
     {1.5, 3}, 4,
     {{-0.020726383926, 0.20988305615, 0.020926556577, 0.17314605191},
     {0.0070297152398, 0.2605788342, 0.031622346902, -0.036637582214}},
     3e-4, 5e-6},
    // closed forms of each
    {"held values, table, limited integrators",
     CART "curves: {c: {piecewise: {x: [0, 1, 3], y: [0, 2], values: [[1, 2], [4, -1], [0, 5]]}}}\n"
     "blocks:\n"
     "  sh: {type: sample, input: = sin(time), every: 0.1, offset: 0.03, initial: 7}\n"
     "  dl: {type: delay, input: = cos(time), every: 0.05, delay: 0.5, before: -4}\n"
     "  tb: {type: table, input: = 1.5*time - 0.5, second: = 2 - time, curve: c}\n"
     "  i1: {type: integrator, input: \"= 1 - 2*step(time - 2)\", limits: [-0.1, 0.8]}\n"
     "  i2: {type: integrator, input: = i1, limits: [0, 1]}\n"
     "outputs: {o0: = sh, o1: = dl, o2: = tb, o3: = i1, o4: = i2}\n",
     {1.5, 3}, 5,
     {{0.99010456034, 0.54030230587, 2.1875, 0.8, 0.88},
     {0.21001729925, -0.80114361555, -7, -0.1, 0.985}},
     1e-10, 5e-6},
    // yaw 3t, pitch t/2, arm of 0.8 m: accelerations in its axes, without and with gravity, gyro, distance, angles
    {"sensors of a turning arm",
     HEAD "gravity: [0, 0, -9.81]\n"
     "bodies: {base: {mass: 1, inertia: [1, 1, 1]}, arm: {mass: 1, com: [0.4, 0, 0], inertia: [1, 1, 1], points: {tip: [0.8, 0, 0]}}}\n"
     "ground: {points: {eye: [0, 0, 1]}}\n"
     "joints:\n"
     "  yaw: {type: revolute, axis: z, from: ground, to: base}\n"
     "  pitch: {type: revolute, axis: y, from: base, to: arm}\n"
     "drives: {y: {coordinate: yaw, value: = 3*time}, p: {coordinate: pitch, value: = 0.5*time}}\n"
     "sensors:\n"
     "  a: {type: acceleration, frame: arm.tip, gravity: false}\n"
     "  f: {type: acceleration, frame: arm.tip}\n"
     "  w: {type: gyro, frame: arm}\n"
     "  d: {type: distance, between: [ground.eye, arm.tip]}\n"
     "  n: {type: angle, between: [ground, arm], axis: x}\n"
     "  q: {type: quantity, value: = yaw.angle}\n"
     "outputs: {o0: = a.x, o1: = a.y, o2: = a.z, o3: = f.x, o4: = f.y, o5: = f.z, o6: = w.x, o7: = w.y, o8: = w.z, o9: = d, o10: = n, o11: = q}\n",
     {1.5, 3}, 12,
     {{-4.054653926, -1.6359330241, -3.5909819518, -10.741530162, -1.6359330241, 3.5868858519, -2.0449162801, 0.5, 2.1950666066, 1.6524593841, 1.7256514321, 4.5},
     {-0.23602701224, -2.3939879678, -0.50803202902, -10.021452831, -2.3939879678, 0.18589991934, -2.9924849598, 0.5, 0.212211605, 1.7988863162, 1.6352918359, 9}},
     1e-10, 5e-6},
    // a = 3 sin 5t:  s' = ((a between -1 and 2) - s)/0.1,  c' = 1 where a > 0.5. Such conditions have no events
    {"conditions on an acceleration",
     CART "states:\n"
     "  s: {rate: \"= (clamp(rail.accel, -1, 2) - s)/0.1\"}\n"
     "  c: {rate: \"= if(rail.accel > 0.5, 1, 0)\"}\n"
     "forces: {f: {type: joint-force, coordinate: rail, value: = 6*sin(5*time)}}\n"
     "outputs: {o0: = s, o1: = c}\n",
     {1.5, 3}, 2,
     {{1.5531617634, 0.77121262175},
     {1.9597535179, 1.5759148593}},
     1e-3, 5e-4},
    // s' = (cos 40t - s)/0.002, z' = s
    {"quick state beside a slow machine",
     CART "states:\n"
     "  s: {rate: = (cos(40*time) - s)/0.002}\n"
     "  z: {rate: = s}\n"
     "forces: {f: {type: joint-force, coordinate: rail, value: = -2*rail.slide}}\n"
     "initial: {rail: {slide: 1}}\n"
     "outputs: {o0: = s, o1: = z}\n",
     {1, 2}, 2,
     {{-0.60346682116, 0.019834762654},
     {-0.18869071557, -0.024469834917}},
     3e-4, 5e-6},
    // T' = (10 - T + 30 h)/2, heated below 19 until 21, by logarithms
    {"thermostat",
     CART "states: {T: {initial: 15, rate: = (10 - T + 30*h)/2}}\n"
     "blocks: {h: {type: relay, input: = -T, band: [-21, -19]}}\n"
     "outputs: {o0: = T, o1: = h}\n",
     {5, 10}, 2,
     {{19.753353715, 0},
     {19.283255441, 1}},
     3e-5, 5e-6},
    // a' = floor(t/0.4), b' = mod(t, 0.5)
    {"floor and mod",
     CART "states:\n"
     "  a: {rate: = floor(time/0.4)}\n"
     "  b: {rate: \"= mod(time, 0.5)\"}\n"
     "outputs: {o0: = a, o1: = b}\n",
     {1.5, 3}, 2,
     {{2.1, 0.375},
     {9.8, 0.75}},
     1e-10, 5e-6},

    // A parallelogram driven at 2 rad/s from 0.7 rad on carries 3 kg; a massless crank pulls along itself, and both carry half
    // of the upright force:  F = m (a - g),  f = F_z/(2 e_z) along the crank e = (cos, 0, -sin)
    {"forces in joints of a loop",
     HEAD "gravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  one: {mass: 1e-7, inertia: [1e-9, 1e-9, 1e-9]}\n"
     "  two: {mass: 1e-7, inertia: [1e-9, 1e-9, 1e-9]}\n"
     "  beam: {mass: 3, com: [0.5, 0, 0], inertia: [1, 1, 1]}\n"
     "joints:\n"
     "  a: {type: revolute, axis: y, from: ground, to: one}\n"
     "  b: {type: revolute, axis: y, from: {frame: one, position: [0.4, 0, 0]}, to: beam}\n"
     "  c: {type: revolute, axis: y, from: {frame: two, position: [0.4, 0, 0]}, to: {frame: beam, position: [1, 0, 0]}}\n"
     "  d: {type: revolute, axis: y, from: {frame: ground, position: [1, 0, 0]}, to: two}\n"
     "drives: {turn: {coordinate: a, value: = 0.7 + 2*time}}\n"
     "guess: {b: {angle: -0.7}, d: {angle: 0.7}}\n"
     "sensors: {left: {type: force, joint: b}, right: {type: force, joint: c}, lever: {type: torque, joint: c}}\n"
     "outputs: {o0: = left.x, o1: = left.z, o2: = right.x, o3: = right.z, o4: = lever.y}\n",
     {0.5, 1}, 5,
     {{-1.60265585143, 17.0949955451, 2.22110942405, 17.0949955451, 0},
     {-28.9580880081, 15.7407117126, 33.2976342898, 15.7407117126, 0}},
     1e-5, 5e-6},
};
// clang-format on


static int outputs_agree(const plantCase *c, const artModel *m, artData *d, int at,
                         double tolerance)
{
  int good = 1;
  for (int k = 0; k < c->n; k++) {
    char name[8];
    snprintf(name, sizeof name, "o%d", k);
    const double want = c->want[at][k];
    good &= CHECK_CLOSE(output_named(m, d, name), want, tolerance * (1 + fabs(want)));
  }
  return good;
}


// rows on the way change nothing
static artStatus come_to(artRun *run, double from, double to, artError *error)
{
  enum { ROWS = 23 };
  artStatus status = ART_OK;
  for (int k = 1; k < ROWS && status == ART_OK; k++) {
    status = art_run_to(run, from + (to - from) * k / ROWS, error);
  }
  return status == ART_OK ? art_run_to(run, to, error) : status;
}


// 0: the method does not apply to the machine
static int run_case(const plantCase *c, const artModel *m, artMethod method,
                    artIntegrator integrator)
{
  const int is_natural = art_method_is_natural(method), is_rk4 = integrator == ART_RK4;
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = c->time[1], study.method = method, study.integrator = integrator;
  study.tolerance = 1e-10, study.step = is_rk4 || is_natural ? 1e-3 : 0;
  artRun *run = NULL;
  if (art_create_run(&run, m, d, &study, &check_error) != ART_OK) return 0;
  keep_run(run);
  const double tolerance = is_natural ? c->natural : is_rk4 ? c->fixed : 1e-7;
  for (int at = 0; at < 2; at++) {
    if (CHECK_WORKS(come_to(run, at ? c->time[0] : 0, c->time[at], &check_error)) &&
        outputs_agree(c, m, d, at, tolerance)) {
      continue;
    }
    printf("  %s at t = %g, method %s, integrator %d: %s\n", c->name, c->time[at],
           art_method_name(method), (int) integrator, check_error.text);
  }
  return 1;
}


TEST(small_plants_move_as_their_equations_say_by_all_methods)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    artModel *m = keep_text(cases[i].text);
    int runs = 0;
    for (int k = 0; m && k < ART_MOREAU; k++) {
      runs += run_case(&cases[i], m, ART_AUTOMATIC, (artIntegrator) k);
    }
    for (int k = ART_AUTOMATIC + 1; m && k < ART_METHODS; k++) {
      runs += run_case(&cases[i], m, (artMethod) k, ART_DOPRI5);
    }
    CHECK(runs >= 10);
  }
}


// a lag of 1 us on cos t is cos t + 1e-6 sin t but for its square; the trapezoidal rule would ring for ever
TEST(states_much_quicker_than_the_step_do_not_ring)
{
  artModel *m = keep_text(CART "states: {s: {initial: 0, rate: = (cos(time) - s)/1e-6}}\n");
  for (int k = 0; m && k < ART_METHODS; k++) {
    if (!art_method_is_natural((artMethod) k)) continue;
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.method = (artMethod) k, study.until = 0.3, study.step = 1e-3;
    artRun *run = keep_started_run(m, d, &study);
    if (!run || !CHECK_EQ_INT(art_run_to(run, 0.3, NULL), ART_OK)) continue;
    CHECK_CLOSE(d->s[0], cos(0.3) + 1e-6 * sin(0.3), 1e-8);
  }
}
