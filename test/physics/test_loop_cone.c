// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A five-bar of two freedoms with all bars on one line. Its positions near there form a cone (doc/reports/loops.md), which is flat
// in the metric of the kinetic energy: motions that pass the apex are straight lines on it when it is unrolled, and leave on
// either side in different directions, however near they pass.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/simulate.h"

// Pivots at (-D, 0) and (D, 0), cranks of length CRANK that point outward when all is in line, couplers that meet in the middle.
#define D       0.3
#define CRANK   0.4
#define COUPLER (D + CRANK)

// cranks and couplers
#define MASS_CRANK   1.0
#define MASS_COUPLER 0.7

// angle of the cranks off the line at the start, and its rate; in line after about 0.2 s
#define ANGLE 0.6
#define RATE  (-3.0)

static const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};

//---- the machine ---------------------------------------------------------------------------------


// where the couplers meet, above
static loopCorner meeting(loopCorner left, loopCorner right)
{
  const double x = right.x - left.x, y = right.y - left.y, far = hypot(x, y);
  const double up = sqrt(COUPLER * COUPLER - far * far / 4);
  return (loopCorner){(left.x + right.x) / 2 - up * y / far, (left.y + right.y) / 2 + up * x / far};
}


// the right crank starts at an angle that is off by this
static artModel *five_bar(double off)
{
  artBuilder *b = art_create_builder();
  const loopCorner left = {-D - CRANK * cos(ANGLE), CRANK * sin(ANGLE)};
  const loopCorner right = {D + CRANK * cos(ANGLE + off), CRANK * sin(ANGLE + off)};
  const loopCorner top = meeting(left, right);
  art_set_gravity(b, (double[3]){0, 0, 0});
  loop_add_bar(b, "a", MASS_CRANK, (loopCorner){-D, 0}, left);
  loop_add_bar(b, "b", MASS_CRANK, (loopCorner){D, 0}, right);
  loop_add_bar(b, "c", MASS_COUPLER, left, top);
  loop_add_bar(b, "e", MASS_COUPLER, right, top);
  loop_add_hinge(b, "qa", "ground", "a", (loopCorner){-D, 0});
  loop_add_hinge(b, "qb", "ground", "b", (loopCorner){D, 0});
  loop_add_hinge(b, "ac", "a", "c", left);
  loop_add_hinge(b, "be", "b", "e", right);
  loop_add_hinge(b, "ce", "c", "e", top);
  art_set_initial(b, "qa.rate", -RATE);
  art_set_initial(b, "qb.rate", RATE);
  return model_compile(b);
}


// A test ends where a run does not begin.
static void start(simulation *s, double off, int method, artIntegrator integrator, double tolerance)
{
  artRunDef study = art_default_run();
  study.until = 1;
  model_set_way(&study, method);
  study.integrator = integrator;
  study.tolerance = tolerance;
  if (integrator == ART_RK4) study.step = 1e-3;
  simulation_run(s, keep_model(five_bar(off)), &study);
  check_stop_if_failed();
}


//---- the cone ------------------------------------------------------------------------------------

// With heights y1 and y2 of the cranks' tips and y of the point where the couplers meet, closing to second order asks for
//   y1^2/l - (y - y1)^2/L + y2^2/l - (y - y2)^2/L = 0,
// and with s = (y1 + y2)/2, d = (y1 - y2)/2:  s^2/l + d^2 (1/l - 1/L) = (y - s)^2/L.  So y - s > 0 is one nappe, on which
//   y - s = sqrt(L),  s = sqrt(l) cos tau,  d = sqrt(1/(1/l - 1/L)) sin tau
// are the directions of its lines.
typedef struct heights {
  double y[3]; // y1, y, y2
} heights;


static heights line_of(double tau)
{
  const double s = sqrt(CRANK) * cos(tau), d = sin(tau) / sqrt(1 / CRANK - 1 / COUPLER);
  return (heights){{s + d, s + sqrt(COUPLER), s - d}};
}


static double tau_of(const heights *h)
{
  const double s = (h->y[0] + h->y[2]) / 2, d = (h->y[0] - h->y[2]) / 2;
  return atan2(d * sqrt(1 / CRANK - 1 / COUPLER), s / sqrt(CRANK));
}


// by twice the kinetic energy of bars whose ends move up and down: m/3 (u^2 + u v + v^2)
static double product(const heights *a, const heights *b)
{
  const double *u = a->y, *v = b->y;
  double sum = 0;
  for (int i = 0; i < 3; i += 2) {
    sum += MASS_CRANK / 3 * u[i] * v[i];
    sum += MASS_COUPLER / 3 * (u[i] * v[i] + (u[i] * v[1] + u[1] * v[i]) / 2 + u[1] * v[1]);
  }
  return sum;
}


static double angle_between(double tau_a, double tau_b)
{
  const heights a = line_of(tau_a), b = line_of(tau_b);
  const double across = product(&a, &b), aa = product(&a, &a), bb = product(&b, &b);
  return sqrt(fmax(0, aa * bb - across * across)) / sqrt(aa * bb);
}


// where a straight line of the unrolled cone leaves that comes in along tau = 0: half a turn away
static double leaving(void)
{
  const double pi = acos(-1.0), step = 1e-4;
  double tau = 0, angle = 0;
  while (angle < pi) angle += angle_between(tau, tau + step), tau += step;
  return remainder(tau, 2 * pi);
}


// heights of the machine, from its angles
static heights read_heights(const simulation *s, double off)
{
  const double *q = s->data->q;
  const loopCorner left0 = {-D - CRANK * cos(ANGLE), CRANK * sin(ANGLE)};
  const loopCorner right0 = {D + CRANK * cos(ANGLE + off), CRANK * sin(ANGLE + off)};
  const loopCorner top0 = meeting(left0, right0);
  const double qa = q[art_find_position(s->model, "qa.angle")];
  const double qb = q[art_find_position(s->model, "qb.angle")];
  const double ac = q[art_find_position(s->model, "ac.angle")];
  const double left = CRANK * sin(ANGLE - qa), right = CRANK * sin(ANGLE + off + qb);
  const double slope = atan2(top0.y - left0.y, top0.x - left0.x) + qa + ac;
  return (heights){{left, left + COUPLER * sin(slope), right}};
}


//---- tests ---------------------------------------------------------------------------------------


// 60 mm behind the apex, where the miss no longer counts and the cone is still straight
TEST(near_misses_turn_as_lines_on_the_cone)
{
  static const double offs[] = {1e-3, -1e-3, 2e-3, -2e-3};
  const double out = leaving();
  printf("  lines that come in along 0 leave along %.4f and %.4f\n", -out, out);
  for (int i = 0; i < 4; i++) {
    double first[2] = {0, 0};
    for (int k = 0; k < 4; k++) {
      simulation s;
      start(&s, offs[i], methods[k], ART_DOPRI5, 1e-12);
      simulation_go(&s, 0.235);
      const heights h = read_heights(&s, offs[i]);
      const double tau = tau_of(&h), want = offs[i] > 0 ? -out : out;
      if (k == 0) printf("  off by %g: %.4f\n", offs[i], tau);
      CHECK(h.y[1] > (h.y[0] + h.y[2]) / 2);
      CHECK_CLOSE(tau, want, 0.01);
      if (s.run && simulation_go(&s, 1)) {
        const double angles[2] = {s.data->q[art_find_position(s.model, "qa.angle")],
                                  s.data->q[art_find_position(s.model, "qb.angle")]};
        if (k == 0) memcpy(first, angles, sizeof first);
        CHECK_NEAR(angles, first, 2, 5e-6);
      }
    }
  }
}


// also where the miss is too small for the digits of the numbers: by all methods, integrators and tolerances
TEST(what_is_not_determined_stops_by_name)
{
  static const double offs[] = {0, 1e-5, -1e-5, 1e-7}, tolerances[] = {1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 4 * 4 * ART_MOREAU; i++) {
    simulation s;
    const artIntegrator integrator = (artIntegrator) (i / 16);
    artError error = {0};
    start(&s, offs[i % 4], methods[i / 4 % 4], integrator, tolerances[i % 3]);
    CHECK_EQ_INT(art_run_to(s.run, 1, &error), ART_SINGULAR);
    CHECK_CONTAINS(error.text, "the loop of joints 'qa', 'ac', 'qb', 'be' and 'ce' has come to a "
                               "singular position at t = 0.2");
    // at the end of the step that has come there, in line at 0.217 s: no angle turns by more than 0.15 rad in it, and cranks
    // turn by 3 rad/s
    CHECK(s.data->time > 0.21 && s.data->time < 0.217 + 0.15 / -RATE);
    CHECK_CONTAINS(error.text, "the motion is not determined there");
    if (!strstr(error.text, "not determined")) {
      printf("  off by %g, %s, integrator %d, %g\n", offs[i % 4],
             model_way_name(methods[i / 4 % 4]), (int) integrator, tolerances[i % 3]);
    }
  }
}
