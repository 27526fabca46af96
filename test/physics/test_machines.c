// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines of models/contact: robots that stand, a clock that keeps time, a walking machine.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;


static double mass_of(const artModel *m)
{
  artBodyPart body;
  double mass = 0;
  for (int i = 1; art_get_body(m, i, &body); i++) mass += body.mass;
  return mass;
}


static void check_good(const artRun *run)
{
  const artCertificate c = art_certify(run);
  const artJudgement judgement = art_judge(&c, NULL);
  if (!CHECK_EQ_INT(judgement.verdict, ART_VERDICT_GOOD)) puts(judgement.reason[0]);
}


//---- robots that stand ---------------------------------------------------------------------------

// From a start at which its feet just touch, a robot comes to rest by the springs and dampers of its joints: the ground carries
// its weight, and nothing creeps.
static void check_standing(const char *file, double rest)
{
  const artModel *m = keep_machine(file);
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &art_find_study(m, ART_RUN, NULL)->run);
  const double weight = G * mass_of(m);
  double x = NAN, height = NAN;
  for (int i = 0; i <= 4; i++) {
    CHECK_WORKS(art_run_to(run, rest + 0.25 * i, &check_error));
    CHECK_CLOSE(output_named(m, d, "load"), weight, 1e-9 * weight);
    if (i > 0) {
      CHECK_CLOSE(output_named(m, d, "x"), x, 1e-9);
      CHECK_CLOSE(output_named(m, d, "height"), height, 1e-9);
    }
    x = output_named(m, d, "x");
    height = output_named(m, d, "height");
  }
  check_good(run);
}


TEST(a_quadruped_stands_and_the_ground_carries_its_weight)
{
  check_standing("contact/robots/quadruped", 2);
}


TEST(a_humanoid_stands_and_the_ground_carries_its_weight)
{
  check_standing("contact/robots/humanoid", 8);
}


//---- a clock -------------------------------------------------------------------------------------

typedef struct clockRate {
  double period; // of the last swings, s
  double swing;  // the largest after that, rad
  double hand;   // seconds on the dial from 2 s on
} clockRate;


// The instant of a passage through zero between two times, by Newton's method on the cubic through angles and rates.
static double passage_in(double t, double h, const double angle[2], const double rate[2])
{
  double s = angle[0] / (angle[0] - angle[1]);
  for (int i = 0; i < 20; i++) {
    const double a = 2 * (angle[0] - angle[1]) + h * (rate[0] + rate[1]);
    const double b = 3 * (angle[1] - angle[0]) - h * (2 * rate[0] + rate[1]);
    const double f = ((a * s + b) * s + h * rate[0]) * s + angle[0];
    s -= f / ((3 * a * s + 2 * b) * s + h * rate[0]);
  }
  return t + s * h;
}


// The mean period of the swings from 1 s to `until`.
static clockRate run_clock(const artModel *m, artIntegrator integrator, double until)
{
  const double h = 0.01;
  artData *d = keep_fresh_data(m);
  artRunDef study = art_find_study(m, ART_RUN, NULL)->run;
  study.integrator = integrator;
  study.tolerance = 1e-7;
  artRun *run = keep_started_run(m, d, &study);
  clockRate clock = {0};
  double angle[2] = {1, 1}, rate[2] = {0, 0}, first = NAN, last = NAN, hand = NAN;
  int swings = -1;
  for (int i = 0; i * h <= until + 1e-9; i++) {
    if (!CHECK_WORKS(art_run_to(run, i * h, &check_error))) return clock;
    angle[1] = output_named(m, d, "swing");
    rate[1] = output_named(m, d, "rate");
    if (i == 200) hand = output_named(m, d, "seconds");
    if (i > 200) clock.swing = fmax(clock.swing, angle[1]);
    if (i > 100 && angle[0] < 0 && angle[1] >= 0) {
      last = passage_in((i - 1) * h, h, angle, rate);
      if (++swings == 0) first = last;
    }
    angle[0] = angle[1], rate[0] = rate[1];
  }
  clock.period = (last - first) / swings;
  clock.hand = output_named(m, d, "seconds") - hand;
  check_good(run);
  return clock;
}


#define CLOCK "models/contact/machines/clock.yaml"

// Each swing lets one tooth of 30 pass: the hand goes around in a minute. The period is that of the pendulum,
// 2 pi sqrt(l/g) (1 + A^2/16) = 1.9981 s, but for what the escapement pushes.
TEST(a_clock_keeps_time)
{
  const artModel *m = keep_file(CLOCK);
  const clockRate clock = run_clock(m, ART_DOPRI5, 32);
  CHECK_CLOSE(clock.hand, 30, 1e-3);
  CHECK_CLOSE(clock.period, 2, 1e-4);
  CHECK_CLOSE(clock.swing, 0.059, 1e-4);
}


TEST(the_rate_of_a_clock_hardly_depends_on_its_weight)
{
  artModel *m = keep_file(CLOCK);
  const double period = run_clock(m, ART_DOPRI5, 8).period;
  CHECK_WORKS(art_set_parameter(m, "torque", 1.1 * 14.3e-3, &check_error));
  const double faster = run_clock(m, ART_DOPRI5, 8).period;
  CHECK(faster > period + 1e-4 && faster < period + 1e-3);
}


// The clock with compliant contacts instead of rigid ones.
static artModel *soft_clock(void)
{
  static const char rigid[] = "parts/tooth.yaml", soft[] = "parts/soft-tooth.yaml";
  static char text[16384];
  char line[512];
  size_t n = 0;
  FILE *file = fopen(CLOCK, "r");
  if (!CHECK(file != NULL)) return NULL;
  while (fgets(line, sizeof line, file)) {
    const char *name = strstr(line, rigid);
    const int before = name ? (int) (name - line) : 0;
    const char *rest = name ? name + strlen(rigid) : line;
    n += (size_t) snprintf(text + n, sizeof text - n, "%.*s%s%s", before, line, name ? soft : "",
                           rest);
  }
  fclose(file);
  return CHECK(n < sizeof text) ? keep_text_at(text, CLOCK) : NULL;
}


// Teeth that give way by 1 um cost the first swing 6e-5 s, softer ones in proportion.
TEST(a_clock_of_compliant_teeth_has_the_rate_of_rigid_ones)
{
  const artModel *rigid = keep_file(CLOCK), *soft = soft_clock();
  if (!soft) return;
  const double period = run_clock(rigid, ART_DOPRI5, 4).period,
               softer = run_clock(soft, ART_BDF, 4).period;
  CHECK_CLOSE(softer, period, 1e-4);
}


//---- a walking machine ---------------------------------------------------------------------------

typedef struct point {
  double u, w;
} point;


// of both points at the distances ra from a and rb from b the one to the left of the way from a to b (side 1), or to its right
static point meeting(point a, double ra, point b, double rb, int side)
{
  const double d = hypot(b.u - a.u, b.w - a.w);
  const double turn = side * acos((ra * ra + d * d - rb * rb) / (2 * ra * d));
  const double angle = atan2(b.w - a.w, b.u - a.u) + turn;
  return (point){a.u + ra * cos(angle), a.w + ra * sin(angle)};
}


// the distance of a foot from the shaft in the plane of its leg, by the lengths of Jansen
static double reach_of_foot(double crank)
{
  const point pin = {15 * cos(crank), 15 * sin(crank)}, pivot = {-38, -7.8};
  const point top = meeting(pin, 50, pivot, 41.5, -1), low = meeting(pin, 61.9, pivot, 39.3, 1);
  const point back = meeting(top, 55.8, pivot, 40.1, -1);
  const point knee = meeting(back, 39.4, low, 36.7, -1);
  const point foot = meeting(knee, 65.7, low, 49, -1);
  return 4e-3 * hypot(foot.u, foot.w);
}


// It walks onto the log to its right, which lifts that side: all loops stay closed, and the legs move as Jansen drew them.
TEST(a_machine_of_twelve_legs_walks_onto_a_log)
{
  artModel *m = keep_machine("contact/machines/walker");
  CHECK_WORKS(art_set_parameter(m, "start", 0.2, &check_error));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_find_study(m, ART_RUN, NULL)->run;
  study.tolerance = 1e-6;
  artRun *run = keep_started_run(m, d, &study);
  double roll = 0;
  for (int i = 0; i <= 10; i++) {
    CHECK_WORKS(art_run_to(run, 0.1 * i, &check_error));
    const double x = output_named(m, d, "foot_x") - output_named(m, d, "x"),
                 y = output_named(m, d, "foot_y") - output_named(m, d, "y"),
                 z = output_named(m, d, "foot_z") - output_named(m, d, "z");
    const double reach = reach_of_foot(-output_named(m, d, "crank"));
    CHECK_CLOSE(sqrt(x * x + y * y + z * z), hypot(reach, 0.15), 1e-13);
    roll = fmin(roll, output_named(m, d, "roll"));
  }
  CHECK_CLOSE(output_named(m, d, "x"), 0.375, 0.01);
  CHECK(roll < -0.02);
  const artCertificate c = art_certify(run);
  CHECK(c.position_residual < 1e-13 && c.acceleration_residual < 1e-12);
  CHECK(c.energy_error < 1e-6 * c.energy_scale);
  check_good(run);
}
