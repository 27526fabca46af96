// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Static equilibria against closed forms.
#include "support/keep.h"
#include "unit/study_models.h"


// a machine where it has come to rest
typedef struct rested {
  artModel *m;
  artData *d;
  artEquilibrium result;
} rested;

typedef artStatus findRest(const artModel *m, artData *d, artEquilibrium *result, artError *error);


static rested rest(artModel *m, findRest *find, artStatus want)
{
  rested still = {m, keep_fresh_data(m), {0}};
  if (!CHECK_EQ_INT(find(m, still.d, &still.result, &check_error), want)) {
    printf("%s\n", check_error.text);
  }
  return still;
}


static rested settle(artBuilder *b)
{
  return rest(keep_model(finish(b)), art_find_equilibrium, ART_OK);
}


static rested descend(artBuilder *b)
{
  return rest(keep_model(finish(b)), art_find_stable_equilibrium, ART_OK);
}


TEST(a_pendulum_settles_at_the_bottom)
{
  // 1.5708 is level: there the stiffness vanishes and the machine must be let go
  static const double starts[] = {0.3, 1.2, -1.4, 0.5 * 3.14159265358979323846, 0};
  for (int i = 0; i < 5; i++) {
    artBuilder *b = pendulum_builder(starts[i]);
    art_set_initial(b, "pin.rate", 3);
    const rested still = settle(b);
    CHECK_CLOSE(still.d->q[0], 0, 1e-12);
    CHECK_CLOSE(still.d->v[0], 0, 0);
    CHECK_EQ_INT(still.result.stable, 1);
    CHECK_CLOSE(still.result.moved, fabs(starts[i]), 1e-12);
    CHECK(still.result.residual < 1e-12 * 2 * GRAVITY * ROD);
  }
}


TEST(an_inverted_pendulum_stays_up_and_is_not_stable)
{
  const rested still = settle(pendulum_builder(PI - 0.02));
  CHECK_CLOSE(still.d->q[0], PI, 1e-12);
  CHECK_EQ_INT(still.result.stable, 0);
}


TEST(a_spring_holds_a_pendulum_where_the_moments_balance)
{
  // k (q - rest) = -m g l sin q;  with q = 0.7 as the answer, rest follows
  const double k = 30, q = 0.7, rest = q + 2 * GRAVITY * ROD * sin(q) / k;
  artBuilder *b = pendulum_builder(0);
  put_joint_spring(b, "spring", "pin", k, 4, rest);
  const rested still = settle(b);
  CHECK_CLOSE(still.d->q[0], q, 1e-13);
  CHECK_EQ_INT(still.result.stable, 1);

  // springs strong enough hold the pendulum upright too
  artBuilder *c = pendulum_builder(PI + 0.3);
  put_joint_spring(c, "spring", "pin", 2.1 * GRAVITY * ROD, 0, PI);
  const rested up = settle(c);
  CHECK_CLOSE(up.d->q[0], PI, 1e-12);
  CHECK_EQ_INT(up.result.stable, 1);
}


// n rods of equal length one after the other along x, hinged about y; the last carries a side force
static artBuilder *chain_builder(int n)
{
  artBuilder *b = art_create_builder();
  char name[16], before[16] = "ground", joint[16];
  for (int i = 0; i < n; i++) {
    const double at[3] = {0.5 * i, 0, 0};
    snprintf(name, sizeof name, "link%d", i);
    snprintf(joint, sizeof joint, "pin%d", i);
    put_body(b, name, 1.2, 0.5 * i + 0.25, 0, 0, 0.01, 0.01, 0.01);
    put_joint(b, joint, ART_REVOLUTE, before, name, at, Y);
    memcpy(before, name, sizeof name);
  }
  put_frame(b, name, "tip", 0.5 * n, 0, 0);
  return b;
}


TEST(a_chain_held_level_falls_and_hangs_as_statics_demands)
{
  // with F across at the end, link i hangs at tan(angle) = F / (weight below + half its own)
  enum { N = 12 };
  const double F = 25;
  artBuilder *b = chain_builder(N);
  char tip[16];
  snprintf(tip, sizeof tip, "link%d.tip", N - 1);
  const artBodyForceDef pull = {.name = "pull", .on = tip, .components = {"25", "0", "0"}};
  art_add_body_force(b, &pull);
  const rested still = settle(b);
  double angle = 0;
  for (int i = 0; i < N; i++) {
    const double weight = (N - 1 - i + 0.5) * 1.2 * GRAVITY;
    const double want = PI / 2 - atan2(F, weight);
    angle += still.d->q[i];
    CHECK_CLOSE(angle, want, 1e-11);
  }
  CHECK_EQ_INT(still.result.stable, 1);
}


TEST(a_chain_without_side_force_hangs_straight)
{
  enum { N = 20 };
  const rested still = settle(chain_builder(N));
  const double down = PI / 2;
  double zero[N] = {0};
  CHECK_CLOSE(still.d->q[0], down, 1e-11);
  CHECK_NEAR(still.d->q + 1, zero, N - 1, 1e-11);
  CHECK_EQ_INT(still.result.stable, 1);
}


// a body that hangs on one spring, free to move and turn
static artBuilder *suspended_builder(void)
{
  artBuilder *b = art_create_builder();
  put_body(b, "box", 4, 0, 0, 0, 0.2, 0.3, 0.25);
  put_joint(b, "free", ART_FREE, "ground", "box", ORIGIN, Z);
  put_frame(b, "box", "top", 0, 0, 0.1);
  put_frame(b, "ground", "hook", 0, 0, 1.1);
  put_spring(b, "spring", "ground.hook", "box.top", 200, 3, 0.8);
  return b;
}


TEST(a_free_body_hangs_below_its_spring)
{
  artBuilder *b = suspended_builder();
  art_set_initial(b, "free.x", 0.2);
  art_set_initial(b, "free.qw", cos(0.3));
  art_set_initial(b, "free.qy", sin(0.3));
  const rested still = settle(b);
  double top[3], com[3];
  art_update(still.m, still.d);
  art_frame_position(still.m, still.d, art_find_frame(still.m, "box.top"), top);
  art_frame_position(still.m, still.d, art_find_frame(still.m, "box"), com);
  const double length = 0.8 + 4 * GRAVITY / 200;
  const double want[3] = {0, 0, 1.1 - length}, low[3] = {0, 0, 1.1 - length - 0.1};
  CHECK_NEAR(top, want, 3, 1e-11);
  CHECK_NEAR(com, low, 3, 1e-11);

  // it may turn about the vertical as it likes: a minimum that second derivatives do not show
  CHECK_EQ_INT(still.result.stable, -1);
}


TEST(a_weightless_body_may_stay_where_it_is)
{
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "box", 4, 0, 0, 0, 0.2, 0.3, 0.25);
  put_joint(b, "free", ART_FREE, "ground", "box", ORIGIN, Z);
  art_set_initial(b, "free.x", 0.5);
  const rested still = settle(b);
  CHECK_CLOSE(still.d->q[0], 0.5, 0);
  CHECK_CLOSE(still.result.residual, 0, 0);
  CHECK_EQ_INT(still.result.stable, -1);
}


TEST(a_ball_joint_settles_in_any_direction)
{
  artBuilder *b = art_create_builder();
  put_body(b, "bob", 1.5, 0.1, -0.2, -0.9, 0.02, 0.03, 0.04);
  put_joint(b, "ball", ART_SPHERICAL, "ground", "bob", ORIGIN, Z);
  art_set_initial(b, "ball.qw", 0.8);
  art_set_initial(b, "ball.qx", 0.5);
  art_set_initial(b, "ball.qy", -0.3);
  put_frame(b, "bob", "centre", 0.1, -0.2, -0.9);
  const rested still = settle(b);
  double centre[3];
  art_update(still.m, still.d);
  art_frame_position(still.m, still.d, art_find_frame(still.m, "bob.centre"), centre);
  const double low[3] = {0, 0, -sqrt(0.1 * 0.1 + 0.2 * 0.2 + 0.9 * 0.9)};
  CHECK_NEAR(centre, low, 3, 1e-11);
}


TEST(a_mass_comes_to_rest_on_a_stop)
{
  artBuilder *b = art_create_builder();
  put_body(b, "mass", 3, 0, 0, 0, 0, 0, 0);
  put_joint(b, "slide", ART_PRISMATIC, "ground", "mass", ORIGIN, Z);
  const artJointStopDef stop = {"floor", "slide", -0.5, INFINITY, 1e5, 2};
  art_add_joint_stop(b, &stop);
  art_set_initial(b, "slide.slide", -0.5001);
  const rested still = settle(b);
  CHECK_CLOSE(still.d->q[0], -0.5 - 3 * GRAVITY / 1e5, 1e-14);
  CHECK_EQ_INT(still.result.stable, 1);
}


TEST(driven_coordinates_stay_where_their_drives_put_them)
{
  artBuilder *b = double_pendulum_builder();
  put_drive(b, "drive", "shoulder.angle", "0.4 + time");
  artModel *m = keep_model(finish(b));
  artData *d = keep_fresh_data(m);
  artEquilibrium result;
  d->time = 0.25;
  CHECK_WORKS(art_find_equilibrium(m, d, &result, &check_error));
  const double want[2] = {0.65, -0.65}, zero[2] = {0, 0};
  CHECK_NEAR(d->q, want, 2, 1e-12);
  CHECK_NEAR(d->v, zero, 2, 0);
  CHECK_EQ_INT(result.stable, 1);
}


TEST(forces_without_potential_leave_stability_open)
{
  artBuilder *b = pendulum_builder(0.2);
  put_joint_force(b, "motor", "pin", "5*cos(pin.angle)");
  const rested still = settle(b);
  CHECK_CLOSE(still.d->q[0], atan(5 / (2 * GRAVITY * ROD)), 1e-12);
  CHECK_EQ_INT(still.result.stable, -1);
}


TEST(sizes_do_not_matter)
{
  // the same pendulum as a watch's and as a crane's
  static const double sizes[] = {1e-4, 1, 1e4};
  for (int i = 0; i < 3; i++) {
    const double s = sizes[i], mass = s * s * s;
    artBuilder *b = art_create_builder();
    put_body(b, "bob", mass, 0, 0, -s, 0, 0, 0);
    put_joint(b, "pin", ART_REVOLUTE, "ground", "bob", ORIGIN, Y);
    put_joint_spring(b, "spring", "pin", mass * s, 0, 1.0);
    art_set_initial(b, "pin.angle", 0.5);
    const rested still = settle(b);

    // q - 1 = -g sin q
    double q = 0.1;
    for (int k = 0; k < 50; k++) q -= (q - 1 + GRAVITY * sin(q)) / (1 + GRAVITY * cos(q));
    CHECK_CLOSE(still.d->q[0], q, 1e-13);
  }
}


TEST(what_cannot_rest_is_named_with_its_residual)
{
  artBuilder *b = art_create_builder();
  put_body(b, "stone", 2, 0, 0, 0, 0, 0, 0);
  put_joint(b, "shaft", ART_PRISMATIC, "ground", "stone", ORIGIN, Z);
  const rested still = rest(keep_model(finish(b)), art_find_equilibrium, ART_NO_CONVERGENCE);
  CHECK_CONTAINS(check_error.text, "joint 'shaft'");
  CHECK_CONTAINS(check_error.text, "19.62 N ");
  CHECK_CLOSE(still.result.residual, 2 * GRAVITY, 1e-12);
}


//---- the stable one ------------------------------------------------------------------------------


TEST(a_pendulum_near_the_top_falls_to_the_bottom)
{
  // exactly on top nothing pushes it: it must be pushed off
  static const double starts[] = {3.14159265358979323846, 3.1415, 3.0, -3.14, 0.4};
  for (int i = 0; i < 5; i++) {
    const rested still = descend(pendulum_builder(starts[i]));
    CHECK_CLOSE(remainder(still.d->q[0], 2 * PI), 0, 1e-12);
    CHECK(fabs(still.d->q[0] - starts[i]) < PI + 1e-9);
    CHECK_EQ_INT(still.result.stable, 1);
  }
}


TEST(a_double_pendulum_near_upright_falls_to_hanging)
{
  for (int i = 0; i < 4; i++) {
    artBuilder *b = double_pendulum_builder();
    art_set_initial(b, "shoulder.angle", i % 2 ? PI - 0.01 : PI);
    art_set_initial(b, "elbow.angle", i / 2 ? 0.02 : 0);
    const rested still = descend(b);
    const double sine[2] = {remainder(still.d->q[0], 2 * PI), remainder(still.d->q[1], 2 * PI)};
    const double zero[2] = {0, 0};
    CHECK_NEAR(sine, zero, 2, 1e-11);
    CHECK(still.result.moved < 2 * PI);
    CHECK_EQ_INT(still.result.stable, 1);
  }
}


TEST(a_chain_upright_falls_to_hanging)
{
  enum { N = 8 };
  artBuilder *b = chain_builder(N);
  art_set_initial(b, "pin0.angle", -PI / 2 + 0.001);
  const rested still = descend(b);
  double angle = -PI / 2;
  for (int i = 0; i < N; i++) {
    angle += still.d->q[i];
    CHECK_CLOSE(remainder(angle, 2 * PI), 0, 1e-10);
  }
  CHECK_EQ_INT(still.result.stable, 1);
  CHECK(still.result.moved < 4 * PI);
}


// a mass on a vertical guide between two springs that are longer than the way across
static artBuilder *truss(double z)
{
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "mass", 1, 0, 0, 0, 0, 0, 0);
  put_joint(b, "guide", ART_PRISMATIC, "ground", "mass", ORIGIN, Z);
  put_frame(b, "ground", "left", -0.4, 0, 0);
  put_frame(b, "ground", "right", 0.4, 0, 0);
  put_frame(b, "mass", "eye", 0, 0, 0);
  put_spring(b, "one", "ground.left", "mass.eye", 1000, 5, 0.5);
  put_spring(b, "two", "ground.right", "mass.eye", 1000, 5, 0.5);
  art_set_initial(b, "guide.slide", z);
  return b;
}


TEST(a_truss_snaps_through_to_the_side_it_stands_on)
{
  static const double starts[] = {0.01, -0.01, 0.2, -1, 0};
  for (int i = 0; i < 5; i++) {
    const rested still = descend(truss(starts[i]));
    const double z = still.d->q[0];
    CHECK_CLOSE(starts[i] == 0 ? fabs(z) : z, starts[i] < 0 ? -0.3 : 0.3, 1e-12);
    CHECK_EQ_INT(still.result.stable, 1);
  }
  const rested nearest = settle(truss(0.01));
  CHECK_CLOSE(nearest.d->q[0], ORIGIN[0], 1e-12);
  CHECK_EQ_INT(nearest.result.stable, 0);
}


//---- a four-bar with weight and a spring ---------------------------------------------------------

#define FOUR_BAR                                                                                   \
  "articula: 1\nground: {points: {foot: [0.9, 0, 0]}}\nbodies:\n"                                  \
  "  crank: {mass: 1, com: [0.15, 0, 0], points: {tip: [0.3, 0, 0]}}\n"                            \
  "  coupler: {mass: 2, com: [0.4, 0, 0], points: {tip: [0.8, 0, 0]}}\n"                           \
  "  rocker: {mass: 1, com: [0.3, 0, 0], points: {tip: [0.6, 0, 0]}}\n"                            \
  "joints:\n  pin: {type: revolute, from: ground, to: crank}\n"                                    \
  "  knee: {type: revolute, from: crank.tip, to: coupler}\n"                                       \
  "  foot: {type: revolute, from: ground.foot, to: rocker}\n"                                      \
  "  hinge: {type: revolute, from: coupler.tip, to: rocker.tip, loop: cut}\n"                      \
  "gravity: [0, -9.81, 0]\n"                                                                       \
  "forces: {coil: {type: joint-spring, coordinate: pin, stiffness: 2, rest: 1, damping: 3}}\n"


// V for a crank angle on the side where the coupler's tip is above; the rocker's angle
static double four_bar_potential(double crank, double *rocker)
{
  const double px = 0.3 * cos(crank), py = 0.3 * sin(crank), dx = 0.9 - px, dy = -py;
  const double D = hypot(dx, dy), a = (D * D + 0.64 - 0.36) / (2 * D), h = sqrt(0.64 - a * a);
  const double x = px + (a * dx - h * dy) / D, y = py + (a * dy + h * dx) / D;
  *rocker = atan2(y, x - 0.9);
  return GRAVITY * (0.5 * py + 2 * 0.5 * (py + y) + 0.5 * y) + (crank - 1) * (crank - 1);
}


TEST(a_four_bar_comes_to_rest_where_its_potential_is_least)
{
  static const double starts[] = {-2.6, 0.2, 1.4, 2.5};
  for (int i = 0; i < 4; i++) {
    // downhill in small steps, then by thirds
    double q = starts[i], step = 1e-3, rocker, text_rocker;
    four_bar_potential(q, &text_rocker);
    if (four_bar_potential(q + step, &rocker) > four_bar_potential(q, &rocker)) step = -step;
    while (four_bar_potential(q + step, &rocker) < four_bar_potential(q, &rocker)) q += step;
    double lo = q - fabs(step), hi = q + fabs(step);
    for (int k = 0; k < 100; k++) {
      const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
      if (four_bar_potential(a, &rocker) < four_bar_potential(b, &rocker))
        hi = b;
      else
        lo = a;
    }
    artModel *m = keep_text_of(
        "%sinitial: {pin: {angle: %.17g}}\nguess: {foot: {angle: %.17g}, knee: {angle: %.17g}}"
        "\n",
        FOUR_BAR, starts[i], text_rocker, 0.6 - starts[i]);
    const rested still = rest(m, art_find_stable_equilibrium, ART_OK);
    const double found = still.d->q[art_find_position(m, "pin.angle")];
    if (!CHECK_CLOSE(found, 0.5 * (lo + hi), 1e-7)) printf("start %g\n", starts[i]);
    CHECK_EQ_INT(still.result.stable, 1);
  }
}


TEST(an_arch_of_links_falls_to_a_hanging_chain)
{
  // between two points, started upwards: the sum of forces across every link makes tan(angle) grow by
  // the same from link to link
  enum { N = 6 };
  char text[4000];
  double sum[2] = {0, 0};
  int used = snprintf(text, sizeof text, "articula: 1\nbodies:\n");
  for (int i = 0; i < N; i++) {
    const double angle = 1.2 - 2.4 * i / (N - 1) + 0.003 * i;
    sum[0] += 0.5 * cos(angle), sum[1] += 0.5 * sin(angle);
    used += snprintf(text + used, sizeof text - (size_t) used,
                     "  b%d: {mass: 1, com: [0.25, 0, 0], points: {tip: [0.5, 0, 0]}}\n", i);
  }
  used += snprintf(text + used, sizeof text - (size_t) used,
                   "ground: {points: {end: [%.17g, 0, %.17g]}}\njoints:\n", sum[0], sum[1]);
  for (int i = 0; i < N; i++) {
    char from[16];
    snprintf(from, sizeof from, i ? "b%d.tip" : "ground", i - 1);
    used += snprintf(text + used, sizeof text - (size_t) used,
                     "  j%d: {type: revolute, axis: [0, -1, 0], from: %s, to: b%d}\n", i, from, i);
  }
  used += snprintf(text + used, sizeof text - (size_t) used,
                   "  end: {type: revolute, axis: [0, -1, 0], from: b%d.tip, to: ground.end, loop: "
                   "cut}\ninitial:\n  j0: {angle: 1.2}\n",
                   N - 1);
  for (int i = 1; i < N; i++) {
    used += snprintf(text + used, sizeof text - (size_t) used, "  j%d: {angle: %.17g}\n", i,
                     0.003 - 2.4 / (N - 1));
  }
  const rested still = rest(keep_text(text), art_find_stable_equilibrium, ART_OK);
  double angle = still.d->q[0], step = 0;
  CHECK(angle < 0);
  for (int i = 1; i < N; i++) {
    const double before = tan(angle);
    angle += still.d->q[i];
    const double now = tan(angle) - before;
    if (i == 1) step = now;
    CHECK_CLOSE(now, step, 1e-10);
  }
  CHECK(step > 0.1);
  CHECK_EQ_INT(still.result.stable, 1);
}


//---- equilibria that are unstable, or none -------------------------------------------------------


TEST(a_neutral_equilibrium_says_so)
{
  // a wheel on its axle stays, whatever its angle; beside it hangs a pendulum
  artBuilder *b = pendulum_builder(0.5);
  put_body(b, "wheel", 3, 2, 0, 0, 0.1, 0.1, 0.1);
  put_joint(b, "axle", ART_REVOLUTE, "ground", "wheel", (double[3]){2, 0, 0}, Y);
  put_joint_spring(b, "coil", "pin", 1, 4, 0);
  art_set_initial(b, "axle.angle", 1);
  const rested still = descend(b);
  const double want[2] = {0, 1};
  CHECK_NEAR(still.d->q, want, 2, 1e-12);
  CHECK_EQ_INT(still.result.stable, -1);
  CHECK(still.result.no_potential == NULL);
  if (CHECK(still.result.neutral != NULL)) CHECK_TEXT(still.result.neutral, "axle.rate");
}


TEST(forces_without_potential_are_named)
{
  artBuilder *b = pendulum_builder(0.2);
  put_joint_spring(b, "coil", "pin", 1, 4, 0);
  put_joint_force(b, "motor", "pin", "5*cos(pin.angle)");
  const rested still = descend(b);
  CHECK_EQ_INT(still.result.stable, -1);
  if (CHECK(still.result.no_potential != NULL)) CHECK_TEXT(still.result.no_potential, "motor");
}


TEST(what_slides_for_ever_is_refused)
{
  artBuilder *b = art_create_builder();
  put_body(b, "crate", 2, 0, 0, 0, 0, 0, 0);
  put_joint(b, "slope", ART_PRISMATIC, "ground", "crate", ORIGIN,
            (double[3]){cos(0.5), 0, sin(0.5)});
  findRest *find = art_find_stable_equilibrium;
  const rested still = rest(keep_model(finish(b)), find, ART_NO_CONVERGENCE);
  CHECK_CONTAINS(check_error.text,
                 "there is no equilibrium: the potential energy falls without end along "
                 "joint 'slope', which is out of balance by 9.40");
  CHECK_CLOSE(still.result.residual, 2 * GRAVITY * sin(0.5), 1e-9);
  CHECK_CLOSE(still.d->q[0], ORIGIN[0], 0);

  artBuilder *c = art_create_builder();
  put_body(c, "wheel", 3, 0, 0, 0, 0.1, 0.1, 0.1);
  put_joint(c, "axle", ART_REVOLUTE, "ground", "wheel", ORIGIN, Y);
  put_joint_force(c, "motor", "axle", "5");
  rest(keep_model(finish(c)), find, ART_NO_CONVERGENCE);
  CHECK_CONTAINS(check_error.text, "along joint 'axle', which is out of balance by 5 N m");
}


TEST(a_constant_force_in_a_joint_has_a_potential)
{
  // m g l sin q = T on the way up, where it is stable
  const double q = asin(12 / (2 * GRAVITY * ROD));
  artBuilder *b = pendulum_builder(PI - q - 0.05);
  put_joint_force(b, "motor", "pin", "12");
  const rested still = descend(b);
  CHECK_CLOSE(still.d->q[0], q, 1e-12);
  CHECK_EQ_INT(still.result.stable, 1);
}
