// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Wheels of an axle through their travel, against plane geometry, closed forms and assembled positions.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"


// the table of the model's first study of this type
static artTable *table_of(const artModel *m)
{
  artTable *table = NULL;
  artData *d = keep_fresh_data(m);
  const artKinematicsDef *study = &art_find_study(m, ART_KINEMATICS, NULL)->kinematics;
  CHECK_WORKS(art_find_kinematics(m, d, study, &table, &check_error));
  return keep_table(table);
}


static double at(const artTable *t, long row, const char *name)
{
  for (int c = 0; c < t->columns; c++) {
    if (strcmp(t->name[c], name) == 0) return t->value[row * t->columns + c];
  }
  printf("no column %s\n", name);
  CHECK(0);
  return NAN;
}


static void check_at(const artTable *t, long row, const char *name, double want, double tolerance)
{
  CHECK_CLOSE(at(t, row, name), want, tolerance);
}


//---- plane geometry ------------------------------------------------------------------------------

// arms about x through these points of the y-z plane, wheel centre fixed in the carrier
static const double lower_pivot[2] = {0.35, 0.20}, lower_ball[2] = {0.70, 0.18},
                    upper_pivot[2] = {0.42, 0.43}, upper_ball[2] = {0.66, 0.46},
                    hub[2] = {0.75, 0.30};

#define PLANE(masses, more)                                                                        \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  lower: {" masses ", com: [0, 0.5, 0.19], points: {spring: [0, 0.55, 0.19]}}\n"                \
  "  upper: {" masses ", com: [0, 0.55, 0.45]}\n"                                                  \
  "  carrier: {" masses ", com: [0, 0.72, 0.3], points: {hub: [0, 0.75, 0.30]}}\n"                 \
  "ground: {points: {top: [0, 0.5, 0.6]}}\n"                                                       \
  "joints:\n"                                                                                      \
  "  low: {type: revolute, axis: x, from: ground, to: lower, at: [0, 0.35, 0.20]}\n"               \
  "  up: {type: revolute, axis: x, from: ground, to: upper, at: [0, 0.42, 0.43]}\n"                \
  "  ball: {type: revolute, axis: x, from: lower, to: carrier, at: [0, 0.70, 0.18]}\n"             \
  "  close: {type: revolute, axis: x, from: upper, to: carrier, at: [0, 0.66, 0.46]}\n"            \
  "forces:\n"                                                                                      \
  "  spring: {type: spring-damper, between: [ground.top, lower.spring], stiffness: 30 N/mm, "      \
  "free_length: 0.5}\n" more


static double distance(const double a[2], const double b[2])
{
  return hypot(a[0] - b[0], a[1] - b[1]);
}


// the carrier where the lower arm has turned by an angle: turn of the carrier and wheel centre
static double turn_carrier(double angle, double centre[2])
{
  const double c = cos(angle), s = sin(angle);
  const double arm[2] = {lower_ball[0] - lower_pivot[0], lower_ball[1] - lower_pivot[1]};
  const double ball[2] = {lower_pivot[0] + c * arm[0] - s * arm[1],
                          lower_pivot[1] + s * arm[0] + c * arm[1]};

  // the upper ball: distances h from the lower one and l from its pivot, on the outer side
  const double h = distance(lower_ball, upper_ball), l = distance(upper_pivot, upper_ball);
  const double d = distance(ball, upper_pivot), a = (d * d + h * h - l * l) / (2 * d);
  const double e[2] = {(upper_pivot[0] - ball[0]) / d, (upper_pivot[1] - ball[1]) / d};
  const double away = sqrt(h * h - a * a);
  const double top[2] = {ball[0] + a * e[0] + away * e[1], ball[1] + a * e[1] - away * e[0]};

  const double turn = atan2(top[1] - ball[1], top[0] - ball[0]) -
                      atan2(upper_ball[1] - lower_ball[1], upper_ball[0] - lower_ball[0]);
  const double r[2] = {hub[0] - lower_ball[0], hub[1] - lower_ball[1]};
  centre[0] = ball[0] + cos(turn) * r[0] - sin(turn) * r[1];
  centre[1] = ball[1] + sin(turn) * r[0] + cos(turn) * r[1];
  return turn;
}


// the same where the wheel centre has gone up, by the secant method
static double turn_at(double travel, double centre[2])
{
  double a = 0, b = 0.01, fa, fb;
  turn_carrier(a, centre);
  fa = centre[1] - hub[1] - travel;
  for (int i = 0; i < 60 && fabs(a - b) > 1e-16; i++) {
    turn_carrier(b, centre);
    fb = centre[1] - hub[1] - travel;
    const double next = fb == fa ? b : b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = next;
  }
  return turn_carrier(b, centre);
}


static void check_plane(const artTable *t, const char *wheel, double side)
{
  for (long r = 0; r < t->rows; r++) {
    char name[60];
    double centre[2];
    const double turn = turn_at(at(t, r, "travel"), centre);
    // a turn about x takes the top of a left wheel inwards
    snprintf(name, sizeof name, "%s.camber", wheel);
    check_at(t, r, name, -turn, 1e-10);
    snprintf(name, sizeof name, "%s.dy", wheel);
    check_at(t, r, name, side * (centre[0] - hub[0]), 1e-10);
    snprintf(name, sizeof name, "%s.toe", wheel);
    check_at(t, r, name, 0, 1e-12);
    snprintf(name, sizeof name, "%s.scrub", wheel);
    check_at(t, r, name, centre[0] - hub[0] + 0.3 * sin(turn), 1e-10);
  }
}


TEST(a_plane_double_wishbone_follows_plane_geometry)
{
  artTable *t =
      table_of(keep_text(PLANE("mass: 5, inertia: [0.1, 0.1, 0.1]",
                               "study: {type: kinematics, wheels: [carrier.hub], bump: 90 mm, "
                               "rebound: 70 mm, steps: 5, radius: 0.3}\n")));
  CHECK_EQ_INT(t->rows, 11);
  check_at(t, 0, "travel", -0.07, 0);
  check_at(t, 10, "travel", 0.09, 0);
  check_plane(t, "carrier.hub", 1);
}


TEST(mass_and_springs_do_not_matter_to_rigid_arms)
{
  artTable *t = table_of(
      keep_text(PLANE("mass: 0", "study: {type: kinematics, wheels: [carrier.hub], bump: 90 mm, "
                                 "rebound: 70 mm, steps: 5, radius: 0.3, lateral: 5 kN, "
                                 "longitudinal: 5 kN, aligning: 500}\n")));
  check_plane(t, "carrier.hub", 1);
  for (long r = 0; r < t->rows; r++) {
    check_at(t, r, "carrier.hub.camber.lateral", 0, 1e-12);
    check_at(t, r, "carrier.hub.dy.lateral", 0, 1e-12);
    check_at(t, r, "carrier.hub.toe.aligning", 0, 1e-12);
    check_at(t, r, "carrier.hub.dx.longitudinal", 0, 1e-12);
  }
}


// virtual work:  load dz = m g dz_c + F dl,  by differences of the geometry at either side of a row
TEST(loads_follow_from_virtual_work)
{
  artTable *t = table_of(
      keep_text(PLANE("mass: 0", "study: {type: kinematics, wheels: [carrier.hub], bump: 1 mm, "
                                 "rebound: 1 mm, steps: 1}\n")));
  const double slope = (at(t, 2, "carrier.hub.load") - at(t, 0, "carrier.hub.load")) / 2e-3;
  check_at(t, 1, "carrier.hub.rate", slope, 1e-4 * slope);

  // spring from (0.5, 0.6) to (0.55, 0.19), turned about the lower pivot; wheel per lower arm angle
  double up[2], down[2];
  const double h = 1e-5;
  turn_carrier(h, up);
  turn_carrier(-h, down);
  const double lever = (up[1] - down[1]) / (2 * h); // dz/dangle
  const double along[2] = {0.05, -0.41}, arm[2] = {0.20, -0.01}, length = hypot(0.05, 0.41);
  const double stretch = (along[0] * -arm[1] + along[1] * arm[0]) / length; // dl/dangle
  check_at(t, 1, "carrier.hub.load", 3e4 * (length - 0.5) * stretch / lever, 1e-5);
}


//---- compliance ----------------------------------------------------------------------------------

#define HUBS(base, held)                                                                           \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  body: {mass: 900, com: [0, 0, 0.5], inertia: [200, 300, 400]}\n"                              \
  "  l: {mass: 20, inertia: [1, 1, 1], position: [0, 0.7, 0.3]}\n"                                 \
  "  r: {mass: 20, inertia: [1, 1, 1], position: [0, -0.7, 0.3]}\n"                                \
  "  at: {points: {l: [0, 0.7, 0.3], r: [0, -0.7, 0.3]}}\n"                                        \
  "joints:\n"                                                                                      \
  "  base: {type: " base ", from: ground, to: body}\n"                                             \
  "  same: {type: fixed, from: body, to: at}\n"                                                    \
  "  fl: {type: free, from: body, to: l, at: [0, 0.7, 0.3]}\n"                                     \
  "  fr: {type: free, from: body, to: r, at: [0, -0.7, 0.3]}\n"                                    \
  "forces:\n"                                                                                      \
  "  bl: {type: bushing, from: at.l, to: l, stiffness: [2e5, 3e5, 4e4, 5e4, 6e4, 7e4]}\n"          \
  "  br: {type: bushing, from: at.r, to: r, stiffness: [2e5, 3e5, 4e4, 5e4, 6e4, 7e4]}\n"          \
  "study: {type: kinematics, wheels: [l, r], bump: 50 mm, rebound: 50 mm, steps: 1, "              \
  "radius: 0.3, longitudinal: -2 kN, lateral: 3 kN, aligning: 200 N m, travel: opposite" held      \
  "}\n"


// k camber = r F cos(camber), by iteration
static double camber_under(double force)
{
  double angle = 0;
  for (int i = 0; i < 60; i++) angle = 0.3 * force * cos(angle) / 5e4;
  return angle;
}


static void check_hubs(const artTable *t)
{
  for (long r = 0; r < t->rows; r++) {
    const double z = 0.05 * (double) (r - 1);
    check_at(t, r, "l.travel", z, 1e-15);
    check_at(t, r, "r.travel", -z, 1e-15);
    check_at(t, r, "l.load", 4e4 * z + 20 * 9.81, 1e-8);
    check_at(t, r, "r.load", -4e4 * z + 20 * 9.81, 1e-8);
    check_at(t, r, "l.rate", 4e4, 1e-6);
    check_at(t, r, "r.rate", 4e4, 1e-6);
    check_at(t, r, "track", 0, 1e-10);

    // to the left: the left wheel's top leans in, the right one's out
    check_at(t, r, "l.dy.lateral", 3e3 / 3e5, 1e-10);
    check_at(t, r, "r.dy.lateral", 3e3 / 3e5, 1e-10);
    check_at(t, r, "l.camber.lateral", -camber_under(3e3), 1e-10);
    check_at(t, r, "r.camber.lateral", camber_under(3e3), 1e-10);
    check_at(t, r, "l.toe.lateral", 0, 1e-10);

    check_at(t, r, "l.dx.longitudinal", -2e3 / 2e5, 1e-10);
    check_at(t, r, "l.toe.longitudinal", 0, 1e-10);

    // turned to the left: toe-out of the left wheel
    check_at(t, r, "l.toe.aligning", -200 / 7e4, 1e-10);
    check_at(t, r, "r.toe.aligning", 200 / 7e4, 1e-10);
  }
}


CASE(hubs_on_bushings_give_way_as_their_stiffness_says,
     check_hubs(table_of(keep_text(HUBS("fixed", "")))))
CASE(a_body_that_is_held_is_as_good_as_ground,
     check_hubs(table_of(keep_text(HUBS("free", ", hold: [base]")))))


//---- against assembled positions -----------------------------------------------------------------

// the height of the wheel where the arm has turned, loops closed; the data is left there
static double height_at(const artModel *m, artData *d, int frame, double angle, double position[3])
{
  art_reset(m, d);
  d->q[art_find_position(m, "pivot.angle")] = angle;
  art_update(m, d);
  CHECK(art_assemble(m, d, NULL, NULL) == ART_OK);
  art_update(m, d);
  art_frame_position(m, d, frame, position);
  return position[2];
}


TEST(the_iltis_moves_as_its_loops_close)
{
  artModel *m = keep_file("models/experiments/iltis-front.yaml");
  artTable *t = table_of(m);
  artData *d = keep_fresh_data(m);
  const int frame = art_find_frame(m, "carrier.hub");
  double start[3], p[3], e[4];
  const double z0 = height_at(m, d, frame, 0.05, start);
  for (long r = 0; r < t->rows; r += 4) {
    double a = 0.05, b = 0.06, fa = -at(t, r, "travel"), fb;
    for (int i = 0; i < 30 && fabs(a - b) > 1e-15; i++) {
      fb = height_at(m, d, frame, b, p) - z0 - at(t, r, "travel");
      const double next = fb == fa ? b : b - fb * (b - a) / (fb - fa);
      a = b, fa = fb, b = next;
    }
    height_at(m, d, frame, b, p);
    art_frame_rotation(m, d, frame, e);
    // the spin axis: second column of the rotation matrix
    const double y[3] = {2 * (e[1] * e[2] - e[0] * e[3]), 1 - 2 * (e[1] * e[1] + e[3] * e[3]),
                         2 * (e[2] * e[3] + e[0] * e[1])};
    check_at(t, r, "carrier.hub.toe", atan(y[0] / y[1]), 1e-10);
    check_at(t, r, "carrier.hub.camber", -asin(y[2]), 1e-10);
    check_at(t, r, "carrier.hub.dx", p[0] - start[0], 1e-10);
    check_at(t, r, "carrier.hub.dy", p[1] - start[1], 1e-10);
  }
}


//---- mistakes ------------------------------------------------------------------------------------

static void check_refused(const char *study, const char *message)
{
  char text[4000];
  artModel *m = NULL;
  snprintf(text, sizeof text, "%sstudy: %s\n", PLANE("mass: 0", ""), study);
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "test.yaml", &check_error), ART_BAD_INPUT,
              message);
  keep_model(m);
}


TEST(names_that_are_not_there_are_refused)
{
  check_refused("{type: kinematics, wheels: [carrier.hob]}",
                "'carrier.hob', which is not a body, frame or point (did you mean 'carrier.hub'?)");
  check_refused("{type: kinematics, wheels: [carrier.hub], hold: [upp]}",
                "'upp', which is not a joint with coordinates of its own (did you mean 'up'?)");
  check_refused("{type: kinematics, wheels: [carrier.hub], steps: 2.5}",
                "found 2.5, expected a whole number");
  check_refused("{type: kinematics, wheels: [carrier.hub], steps: 0}", "found 0 steps each way");
  check_refused("{type: kinematics, wheels: [carrier.hub], bump: -1}", "a non-negative number");
  check_refused("{type: kinematics}", "wheels");
}


TEST(travel_beyond_the_linkage_says_how_far_it_went)
{
  artModel *m = keep_text(PLANE("mass: 0", "study: {type: kinematics, wheels: [carrier.hub], "
                                           "bump: 2, rebound: 0, steps: 4}\n"));
  artTable *table = NULL;
  artError error = {0};
  artData *d = keep_fresh_data(m);
  const artKinematicsDef *study = &art_find_study(m, ART_KINEMATICS, NULL)->kinematics;
  CHECK(art_find_kinematics(m, d, study, &table, &error) != ART_OK);
  CHECK(table == NULL);
  CHECK_CONTAINS(error.text, "m from where they start");
}
