// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Assembly against closed forms, on the branch it started from; what cannot be closed is refused by
// name; runs of loops keep them closed and resume to the same bits.
#include "study/assemble/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loop/rows.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"

static const double PI = 3.14159265358979323846;

//---- machines ------------------------------------------------------------------------------------

// crank 0.3, coupler 0.8, rocker 0.6, ground 0.9, in the plane x y
#define FOUR_BAR                                                                                   \
  "articula: 1\n"                                                                                  \
  "ground: {points: {foot: [0.9, 0, 0]}}\n"                                                        \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02], points: {tip: [0.3, 0, "     \
  "0]}}\n"                                                                                         \
  "  coupler: {mass: 2, com: [0.4, 0, 0], inertia: [0.01, 0.05, 0.05], points: {tip: [0.8, 0, "    \
  "0]}}\n"                                                                                         \
  "  rocker: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02], points: {tip: [0.6, 0, "     \
  "0]}}\n"                                                                                         \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, from: ground, to: crank}\n"                                             \
  "  knee: {type: revolute, from: crank.tip, to: coupler}\n"                                       \
  "  foot: {type: revolute, from: ground.foot, to: rocker}\n"                                      \
  "  hinge: {type: revolute, from: coupler.tip, to: rocker.tip, loop: cut}\n"                      \
  "gravity: [0, -9.81, 0]\n"

#define SLIDER_CRANK                                                                               \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.01, 0.02, 0.02], points: {tip: [0.1, 0, "     \
  "0]}}\n"                                                                                         \
  "  rod: {mass: 2, com: [0.15, 0, 0], inertia: [0.01, 0.05, 0.05], points: {tip: [0.3, 0, 0]}}\n" \
  "  slider: {mass: 1, com: [0, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                             \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, from: ground, to: crank}\n"                                             \
  "  knee: {type: revolute, from: crank.tip, to: rod}\n"                                           \
  "  way: {type: prismatic, axis: x, from: ground, to: slider}\n"                                  \
  "  wrist: {type: revolute, from: rod.tip, to: slider, loop: cut}\n"


typedef struct machine {
  artModel *m;
  artData *d;
} machine;


static machine read_machine(const char *head, const char *tail)
{
  char text[6000];
  snprintf(text, sizeof text, "%s%s", head, tail);
  artModel *m = keep_text_at(text, "m.yaml");
  return (machine){m, keep_fresh_data(m)};
}


static double position(machine it, const char *name)
{
  return it.d->q[art_find_position(it.m, name)];
}


static double velocity(machine it, const char *name)
{
  return it.d->v[art_find_velocity(it.m, name)];
}


static artAssembly assemble(machine it)
{
  artAssembly result;
  CHECK_WORKS(art_assemble(it.m, it.d, &result, &check_error));
  return result;
}


static void check_refused(machine it, artStatus status, const char *text)
{
  artAssembly result;
  CHECK_SAYS(art_assemble(it.m, it.d, &result, &check_error), status, text);
}


static void check_close(double got, double want, double tol)
{
  CHECK_CLOSE(got, want, tol);
}


//---- closed forms --------------------------------------------------------------------------------

// angle of the rocker for a crank angle; side +1 has the coupler's tip to the left of the line from
// the crank's tip to the foot
static double rocker_angle(double crank, double side)
{
  const double px = 0.3 * cos(crank), py = 0.3 * sin(crank), dx = 0.9 - px, dy = -py;
  const double D = hypot(dx, dy), a = (D * D + 0.8 * 0.8 - 0.6 * 0.6) / (2 * D);
  const double h = side * sqrt(0.8 * 0.8 - a * a);
  const double x = px + (a * dx - h * dy) / D, y = py + (a * dy + h * dx) / D;
  return atan2(y, x - 0.9);
}


TEST(a_four_bar_closes_on_the_branch_it_starts_from)
{
  for (int side = -1; side <= 1; side += 2) {
    for (double crank = -3; crank <= 3; crank += 0.5) {
      const double rocker = rocker_angle(crank, side);
      const double x = 0.9 + 0.6 * cos(rocker) - 0.3 * cos(crank);
      const double y = 0.6 * sin(rocker) - 0.3 * sin(crank);
      const double knee = atan2(y, x) - crank;
      char tail[300];
      snprintf(tail, sizeof tail,
               "initial: {pin: {angle: %.17g}}\nguess: {knee: {angle: %.17g}, foot: {angle: "
               "%.17g}}\n",
               crank, knee + 0.25, rocker - 0.3);
      const machine it = read_machine(FOUR_BAR, tail);
      const artAssembly result = assemble(it);
      check_close(position(it, "pin.angle"), crank, 0);
      check_close(position(it, "foot.angle"), rocker, 1e-11);
      check_close(position(it, "knee.angle"), knee, 1e-11);
      CHECK(result.gap < 1e-12 && result.gap_before > 0.05);
      CHECK_EQ_INT(result.rows, 5);
      CHECK_EQ_INT(result.rank, 2);
      CHECK_EQ_INT(result.redundant, 3);
      CHECK_EQ_INT(result.dof, 1);
    }
  }
}


TEST(links_in_line_are_nudged)
{
  // all angles zero: the gap is along the links, and no turn closes it to first order
  const machine it = read_machine(FOUR_BAR, "");
  const artAssembly result = assemble(it);
  check_close(result.gap_before, fabs(0.3 + 0.8 - 0.9 - 0.6), 1e-15);
  CHECK(result.gap < 1e-12);
  check_close(
      fabs(sin(position(it, "foot.angle"))),
      fabs(sin(rocker_angle(position(it, "pin.angle"), position(it, "foot.angle") > 0 ? 1 : -1))),
      1e-11);
}


TEST(a_slider_crank_closes_to_its_closed_form_with_rates)
{
  for (double angle = 0.1; angle < 6.2; angle += 0.3) {
    char tail[200];
    snprintf(tail, sizeof tail,
             "initial: {pin: {angle: %.17g, rate: 2}}\nguess: {knee: {angle: %.17g}, way: {slide: "
             "0.2}}\n",
             angle, -angle);
    const machine it = read_machine(SLIDER_CRANK, tail);
    const artAssembly result = assemble(it);
    const double s = 0.1 * sin(angle), root = sqrt(0.09 - s * s);
    check_close(position(it, "way.slide"), 0.1 * cos(angle) + root, 1e-12);
    check_close(velocity(it, "way.rate"), -2 * s - 2 * s * 0.1 * cos(angle) / root, 1e-11);
    check_close(velocity(it, "pin.rate"), 2, 0);
    CHECK(result.rate_gap < 1e-13 && result.rate_gap_before > 0.01);
  }
}


TEST(driven_coordinates_stay_where_their_drives_put_them)
{
  const machine it =
      read_machine(SLIDER_CRANK, "drives: {motor: {coordinate: pin, value: = 0.7 + 3*time}}\n");
  const artAssembly result = assemble(it);
  CHECK_EQ_INT(result.dof, 0);
  const double s = 0.1 * sin(0.7), root = sqrt(0.09 - s * s);
  check_close(fabs(position(it, "way.slide") - 0.1 * cos(0.7)), root, 1e-12);
  const double sign = position(it, "way.slide") > 0 ? 1 : -1;
  check_close(velocity(it, "way.rate"), -3 * s - sign * 3 * s * 0.1 * cos(0.7) / root, 1e-11);
}


TEST(rods_and_balls_close_in_space)
{
  // a crank about z and a rocker about x, joined by a rod
  const machine it = read_machine(
      "articula: 1\nground: {points: {foot: [0.5, 0.2, 0]}}\n"
      "bodies:\n"
      "  crank: {mass: 1, inertia: [0.01, 0.02, 0.02], points: {tip: [0.1, 0, 0.05]}}\n"
      "  rocker: {mass: 1, inertia: [0.01, 0.02, 0.02], points: {tip: [0, 0, 0.3]}}\n"
      "joints:\n  pin: {type: revolute, from: ground, to: crank}\n"
      "  foot: {type: revolute, axis: x, from: ground.foot, to: rocker}\n"
      "  bar: {type: rod, from: crank.tip, to: rocker.tip, length: 0.55}\n",
      "initial: {pin: {angle: 1, rate: 1}}\n");
  const artAssembly result = assemble(it);
  double a[3], b[3], va[3], vb[3], w[3];
  art_frame_position(it.m, it.d, art_find_frame(it.m, "crank.tip"), a);
  art_frame_position(it.m, it.d, art_find_frame(it.m, "rocker.tip"), b);
  check_close(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), 0.55, 1e-13);
  art_frame_velocity(it.m, it.d, art_find_frame(it.m, "crank.tip"), va, w);
  art_frame_velocity(it.m, it.d, art_find_frame(it.m, "rocker.tip"), vb, w);
  double rate = 0;
  for (int k = 0; k < 3; k++) rate += (a[k] - b[k]) * (va[k] - vb[k]);
  check_close(rate, 0, 1e-15);
  CHECK_EQ_INT(result.rank, 1);
  CHECK_EQ_INT(result.dof, 1);
}


TEST(all_sample_machines_close_from_rough_states)
{
  uint64_t seed = 5;
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    artData *d = keep_fresh_data(m);
    const int nv = art_count(m).nv;
    for (int trial = 0; trial < 5; trial++) {
      double move[64];
      art_reset(m, d);
      for (int k = 0; k < nv && k < 64; k++) {
        move[k] = check_uniform(&seed, -0.15, 0.15);
        d->v[k] = check_uniform(&seed, -1, 1);
      }
      art_move(m, d->q, move);
      artAssembly result;
      if (!CHECK(nv <= 64 && art_assemble(m, d, &result, &check_error) == ART_OK)) {
        printf("%s: %s\n", s->name, check_error.text);
        continue;
      }
      loopResidual residual;
      CHECK(residual_open(m, d, &residual, NULL) == ART_OK);
      CHECK(residual.position < 2e-13 && residual.velocity < 1e-11);
      if (!CHECK(result.rows == s->rows && result.rank == s->rank && result.dof == s->mobility)) {
        printf("%s: rows %d rank %d dof %d\n", s->name, result.rows, result.rank, result.dof);
      }
    }
  }
}


TEST(a_tree_is_left_alone)
{
  const machine it = read_machine("articula: 1\nbodies: {a: {mass: 1}}\n"
                                  "joints: {j: {type: free, from: ground, to: a}}\n"
                                  "initial: {j: {position: [1, 2, 3], velocity: [4, 5, 6]}}\n",
                                  "");
  const artAssembly result = assemble(it);
  CHECK_EQ_INT(result.rows, 0);
  CHECK_EQ_INT(result.dof, 6);
  check_close(position(it, "j.y"), 2, 0);
}


//---- attitudes -----------------------------------------------------------------------------------

// a body on a ball joint that a cut joint of some type holds upright
#define BALL(type)                                                                                 \
  "articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"                                      \
  "joints:\n  ball: {type: spherical, from: ground, to: a}\n  cut: {type: " type                   \
  ", from: ground, to: a, loop: cut}\n"


TEST(an_axis_that_points_the_wrong_way_is_turned_round)
{
  static const char *const text[] = {BALL("revolute"), BALL("fixed"), BALL("prismatic"),
                                     BALL("cylindrical"), BALL("planar")};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    for (double angle = 2.5; angle <= PI; angle += 0.3) {
      char tail[200];
      snprintf(tail, sizeof tail,
               "guess: {ball: {orientation: {axis: [1, 0.2, 0.1], angle: %.17g}}}\n",
               angle > 3 ? PI : angle);
      const machine it = read_machine(text[i], tail);
      assemble(it);
      const double *e = it.d->q;
      const double up = e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3];
      check_close(up, 1, 1e-12);
      if (i == 1 || i == 2) check_close(fabs(e[0]), 1, 1e-12);
    }
  }
}


TEST(an_axis_that_is_held_the_wrong_way_is_refused)
{
  check_refused(
      read_machine(BALL("revolute"), "initial: {ball: {orientation: {axis: x, angle: 180 deg}}}\n"),
      ART_NO_CONVERGENCE,
      "m.yaml:5:3: loop closed by joint 'cut' cannot be closed: it stays open by 3.14 rad "
      "with the orientation of 'ball' as given; change what is given or the dimensions, "
      "or give guesses in place of initial values");
}


TEST(wide_rows_have_the_right_derivatives)
{
  static const char *const text[] = {BALL("revolute"), BALL("fixed")};
  uint64_t seed = 3;
  for (int trial = 0; trial < 40; trial++) {
    const machine it = read_machine(text[trial % 2], "");
    const int n = it.m->nrow;
    loopRows *rows = &it.d->work->loop->rows;
    double e[4], move[3], before[6], after[6];
    for (int k = 0; k < 4; k++) e[k] = check_uniform(&seed, -1, 1);
    memcpy(it.d->q, e, sizeof e);
    art_normalise(it.m, it.d->q);
    memcpy(e, it.d->q, sizeof e);
    if (fabs(e[0]) < 0.1 || e[0] * e[0] + e[3] * e[3] < 0.02) {
      continue;
    }
    art_update(it.m, it.d);
    rows_positions(it.m, it.d, rows, NULL, NULL);
    wide_turns(it.m, it.d, rows);
    tree_axes(&it.m->tree, &it.d->work->tree);
    rows_jacobian(it.m, it.d, rows, NULL, NULL);
    for (int k = 0; k < 3; k++) {
      for (int side = -1; side <= 1; side += 2) {
        memcpy(it.d->q, e, sizeof e);
        memset(move, 0, sizeof move);
        move[k] = side * 1e-5;
        art_move(it.m, it.d->q, move);
        art_update(it.m, it.d);
        rows_positions(it.m, it.d, rows, NULL, NULL);
        wide_turns(it.m, it.d, rows);
        memcpy(side < 0 ? before : after, rows->phi, (size_t) n * sizeof *before);
      }
      for (int i = 0; i < n; i++) {
        check_close(matrix_at(&rows->J, i, k), (after[i] - before[i]) / 2e-5, 2e-8);
      }
    }
  }
}


// the last steps of an assembly follow rows of turns that are all but closed
TEST(wide_rows_are_the_components_of_small_turns)
{
  static const struct {
    const char *text;
    int first, count; // of the rows "turn x", "turn y", "turn z"
  } cut[] = {{BALL("revolute"), 3, 2},
             {BALL("fixed"), 3, 3},
             {BALL("prismatic"), 2, 3},
             {BALL("cylindrical"), 2, 2},
             {BALL("planar"), 1, 2}};
  uint64_t seed = 4;
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    const machine it = read_machine(cut[i].text, "");
    loopRows *rows = &it.d->work->loop->rows;
    for (double angle = 1e-10; angle > 1e-15; angle /= 3) {
      double turn[3];
      for (int k = 0; k < 3; k++) turn[k] = angle * check_uniform(&seed, -1, 1);
      art_reset(it.m, it.d);
      art_move(it.m, it.d->q, turn);
      art_update(it.m, it.d);
      rows_positions(it.m, it.d, rows, NULL, NULL);
      wide_turns(it.m, it.d, rows);
      for (int k = 0; k < cut[i].count; k++) {
        check_close(rows->phi[cut[i].first + k], turn[k], 2 * angle * angle + 1e-14 * angle);
      }
    }
  }
}


//---- impossible assemblies -----------------------------------------------------------------------


TEST(an_impossible_loop_is_named_with_its_opening)
{
  check_refused(read_machine("articula: 1\nbodies:\n"
                             "  a: {mass: 1, inertia: [1, 1, 1], points: {tip: [0.2, 0, 0]}}\n"
                             "  b: {mass: 1, inertia: [1, 1, 1], points: {tip: [0.3, 0, 0]}}\n"
                             "joints:\n  one: {type: revolute, from: ground, to: a}\n"
                             "  two: {type: revolute, from: a.tip, to: b}\n"
                             "  end: {type: revolute, from: b.tip, to: {frame: ground, position: "
                             "[0.62, 0, 0]}, loop: cut}\n",
                             "guess: {one: {angle: 0.5}}\n"),
                ART_NO_CONVERGENCE,
                "m.yaml:8:3: loop closed by joint 'end' cannot be closed: it stays open by 0.12 m; "
                "check the dimensions, or start nearer with guesses");
}


TEST(values_that_leave_no_way_to_close_are_named)
{
  check_refused(
      read_machine(SLIDER_CRANK, "initial: {pin: {angle: 1.5}, way: {slide: 1}}\n"),
      ART_NO_CONVERGENCE,
      "m.yaml:10:3: loop closed by joint 'wrist' cannot be closed: it stays open by 0.698 m with "
      "pin.angle = 1.5 rad as given, way.slide = 1 m as given; change what is given or the "
      "dimensions, or give guesses in place of initial values");
}


TEST(values_given_with_few_digits_are_corrected)
{
  const machine it = read_machine(SLIDER_CRANK, "initial: {pin: {angle: 0.5}, knee: {angle: "
                                                "-0.660497}, way: {slide: 0.3839027}}\n");
  const artAssembly result = assemble(it);
  CHECK(result.gap_before > 1e-8 && result.gap_before < 3e-6 && result.moved < 1e-5);
  CHECK(result.gap < 1e-12);
}


TEST(contradictory_velocities_are_named)
{
  check_refused(
      read_machine(SLIDER_CRANK, "initial: {pin: {angle: 90 deg, rate: 2}, way: {rate: 0.1}}\n"
                                 "guess: {knee: {angle: -2}, way: {slide: 0.3}}\n"),
      ART_BAD_INPUT,
      "m.yaml:10:3: the initial velocities contradict the loops: with pin.rate = 2 rad/s "
      "as given, way.rate = 0.1 m/s as given the loop closed by joint 'wrist' opens by "
      "0.283 m/s; remove one of them, or have the nearest velocities taken with assembly: "
      "{velocities: project}");
}


// moves of assembly, in the order in which they are told
static void check_moves(machine it, int n, const char *const *name, const double *from,
                        const double *to)
{
  artMove move;
  for (int k = 0; k < n; k++) {
    if (!CHECK(art_assembly_move(it.m, it.d, k, &move))) return;
    CHECK_TEXT(move.coordinate, name[k]);
    check_close(move.from, from[k], 0);
    check_close(move.to, to[k], 1e-12);
  }
  CHECK(!art_assembly_move(it.m, it.d, n, &move));
}


TEST(what_assembly_moves_is_told)
{
  const machine it = read_machine(SLIDER_CRANK, "initial: {pin: {angle: 60 deg}}\n");
  assemble(it);
  const double root = sqrt(0.0825);
  check_moves(it, 2, (const char *[]){"knee.angle", "way.slide"}, (double[]){0, 0},
              (double[]){atan2(-0.05 * sqrt(3), root) - PI / 3, 0.05 + root});

  // a second time nothing moves
  assemble(it);
  check_moves(it, 0, NULL, NULL, NULL);
}


TEST(values_by_name_stay_and_the_others_close_the_loops)
{
  const machine it = read_machine(SLIDER_CRANK, "initial: {pin: {angle: 60 deg, rate: 2}}\n");
  assemble(it);
  const artSetting turned[] = {{"pin.angle", PI / 2}, {"pin.rate", 3}};
  CHECK_WORKS(art_assemble_with(it.m, it.d, 2, turned, NULL, &check_error));
  check_close(position(it, "pin.angle"), PI / 2, 0);
  check_close(position(it, "way.slide"), sqrt(0.08), 1e-12);
  check_close(velocity(it, "pin.rate"), 3, 0);
  check_close(velocity(it, "way.rate"), -0.3, 1e-12);

  // any coordinate, also a dependent one, and another one than the file has given
  const double slide = 0.05 + sqrt(0.0825);
  CHECK_WORKS(
      art_assemble_with(it.m, it.d, 1, &(artSetting){"way.slide", slide}, NULL, &check_error));
  check_close(position(it, "way.slide"), slide, 0);
  check_close(position(it, "pin.angle"), PI / 3, 1e-12);

  // out of reach: as it was
  const artStatus status =
      art_assemble_with(it.m, it.d, 1, &(artSetting){"way.slide", 1}, NULL, &check_error);
  CHECK(status == ART_NO_CONVERGENCE);
  CHECK(strstr(check_error.text, "stays open by") &&
        strstr(check_error.text, "way.slide = 1 m as given"));
  check_close(position(it, "way.slide"), slide, 0);
  check_close(position(it, "pin.angle"), PI / 3, 1e-12);
}


TEST(rates_off_by_rounding_are_corrected_and_told)
{
  static const char *const name[] = {"pin.rate", "way.rate"};
  for (double off = 1e-12; off < 2e-7; off *= 10) {
    char tail[300];
    snprintf(tail, sizeof tail,
             "initial: {pin: {angle: 90 deg, rate: 2}, knee: {angle: %.17g}, way: {slide: %.17g, "
             "rate: %.17g}}\n",
             -PI / 2 - asin(1.0 / 3), sqrt(0.08), -0.2 + off);
    const machine it = read_machine(SLIDER_CRANK, tail);
    const artAssembly result = assemble(it);
    CHECK(result.rate_gap < 1e-14);
    const double rate = velocity(it, "pin.rate");
    check_close(velocity(it, "way.rate"), -0.1 * rate, 1e-15);
    check_close(rate, 2, 10 * off);
    check_moves(it, 2, name, (double[]){2, -0.2 + off}, (double[]){rate, velocity(it, "way.rate")});
  }
}


TEST(rates_meet_redundant_rows_to_their_tolerance)
{
  // a gear that says once more, but for the last digits, what another says
  static const char *const gears =
      "articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {ja: {type: revolute, from: ground, to: a}, jb: {type: revolute, from: ground, to: "
      "b}}\n"
      "couplings:\n  one: {type: gear, joints: [ja, jb], ratio: 2}\n"
      "  two: {type: gear, joints: [ja, jb], ratio: 2.0000000005}\n";
  const machine it = read_machine(gears, "initial: {ja: {rate: 3}}\n");
  const artAssembly result = assemble(it);
  check_close(velocity(it, "ja.rate"), 3, 0);
  check_close(velocity(it, "jb.rate"), 6, 1e-14);
  CHECK_EQ_INT(result.rank, 1);
}


TEST(contradictory_velocities_are_projected_where_the_file_asks_for_it)
{
  const machine it =
      read_machine(SLIDER_CRANK, "initial: {pin: {angle: 90 deg, rate: 2}, way: {rate: -0.1}}\n"
                                 "guess: {knee: {angle: -2}, way: {slide: 0.3}}\n"
                                 "assembly: {velocities: project}\n");
  const artAssembly result = assemble(it);
  CHECK(result.rate_gap < 1e-12);

  // the slider's rate is -0.1 m times that of the crank; nearest to (2, -0.1) in (rad/s, m/s by the
  // machine's length of 0.3 m), others free
  const double L = 0.3, w = (2 + 0.1 * 0.1 / (L * L)) / (1 + 0.01 / (L * L));
  check_close(velocity(it, "pin.rate"), w, 1e-5);
  check_close(velocity(it, "way.rate"), -0.1 * velocity(it, "pin.rate"), 1e-13);
}


TEST(contradictory_drives_are_named)
{
  check_refused(read_machine(SLIDER_CRANK, "drives:\n  motor: {coordinate: pin, value: 0.5}\n"
                                           "  pump: {coordinate: way, value: = 0.1*cos(0.5) + "
                                           "sqrt(0.09 - (0.1*sin(0.5))^2)}\n"),
                ART_BAD_INPUT,
                "m.yaml:10:3: the drives 'motor', 'pump' prescribe more than the loop closed by "
                "joint 'wrist' leaves free; remove one of them");
}


TEST(a_structure_assembles_but_does_not_run)
{
  const machine it = read_machine("articula: 1\nground: {points: {p: [1, 0, 0]}}\nbodies:\n"
                                  "  a: {mass: 1, inertia: [1, 1, 1], points: {tip: [0.8, 0, 0]}}\n"
                                  "  b: {mass: 1, inertia: [1, 1, 1], points: {tip: [0.6, 0, 0]}}\n"
                                  "joints:\n  one: {type: revolute, from: ground, to: a}\n"
                                  "  two: {type: revolute, from: ground.p, to: b}\n"
                                  "  end: {type: revolute, from: a.tip, to: b.tip, loop: cut}\n",
                                  "guess: {one: {angle: 0.5}, two: {angle: 2}}\n");
  const artAssembly result = assemble(it);
  CHECK_EQ_INT(result.dof, 0);
  check_close(position(it, "one.angle"), acos(0.8), 1e-12);

  artRun *run;
  const artRunDef study = art_default_run();
  CHECK_FAILS(
      art_create_run(&run, it.m, it.d, &study, &check_error), ART_BAD_INPUT,
      "nothing can move: the loop closed by joint 'end' leaves none of the 2 velocities "
      "free (5 rows, 2 of which count); a machine that moves needs more joints, or a drive");
}


//---- couplings -----------------------------------------------------------------------------------


TEST(gears_racks_screws_and_sums_are_kept)
{
  const machine it =
      read_machine("articula: 1\nbodies:\n"
                   "  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                   "  c: {mass: 1, inertia: [1, 1, 1]}\n  e: {mass: 1, inertia: [1, 1, 1]}\n"
                   "  f: {mass: 1, inertia: [1, 1, 1]}\n"
                   "joints:\n  ja: {type: revolute, from: ground, to: a}\n"
                   "  jb: {type: revolute, from: ground, to: b}\n"
                   "  jc: {type: prismatic, from: ground, to: c}\n"
                   "  je: {type: prismatic, from: ground, to: e}\n"
                   "  jf: {type: revolute, from: ground, to: f}\n"
                   "couplings:\n  g: {type: gear, joints: [ja, jb], ratio: -2.5, offset: 30 deg}\n"
                   "  r: {type: rack, pinion: ja, rack: jc, radius: 30 mm, offset: 1 mm}\n"
                   "  s: {type: screw, turn: jb.angle, slide: je, pitch: 5 mm/rev}\n"
                   "  l: {type: linear, terms: {ja.angle: 1, jb: 2, jf: -4}, value: 0.3}\n",
                   "initial: {ja: {angle: 0.8, rate: 3}}\n");
  const artAssembly result = assemble(it);
  const double a = 0.8, b = -2.5 * a + PI / 6;
  check_close(position(it, "jb.angle"), b, 1e-13);
  check_close(position(it, "jc.slide"), 0.03 * a + 0.001, 1e-13);
  check_close(position(it, "je.slide"), 0.005 / (2 * PI) * b, 1e-13);
  check_close(position(it, "jf.angle"), (a + 2 * b - 0.3) / 4, 1e-13);
  check_close(velocity(it, "jb.rate"), -7.5, 1e-12);
  check_close(velocity(it, "jf.rate"), (3 - 15) / 4.0, 1e-12);
  CHECK_EQ_INT(result.dof, 1);
  CHECK_EQ_INT(result.redundant, 0);
}


TEST(redundant_rows_are_named)
{
  const machine it =
      read_machine(FOUR_BAR, "guess: {pin: {angle: 1}, knee: {angle: -0.5}, foot: {angle: 1.5}}\n");
  assemble(it);
  char text[ART_ROW_LENGTH];
  CHECK_TEXT(
      art_redundant_row(it.m, it.d, 0, text),
      "row 3 (slide z) of joint 'hinge' follows from 'pin', 'knee', 'foot'; its reaction is not "
      "unique");
  CHECK_TEXT(art_redundant_row(it.m, it.d, 3, text), "");

  const machine twice = read_machine(
      FOUR_BAR, "couplings: {one: {type: linear, terms: {pin: 1}, value: 1}, "
                "two: {type: linear, terms: {pin: 2}, value: 2}}\n"
                "guess: {pin: {angle: 0.9}, knee: {angle: -0.5}, foot: {angle: 1.5}}\n");
  assemble(twice);
  CHECK_TEXT(art_redundant_row(twice.m, twice.d, 3, text),
             "relation 'two' follows from 'one'; its reaction is not unique");
}


//---- runs ----------------------------------------------------------------------------------------


TEST(a_run_assembles_and_keeps_its_loops_closed)
{
  const machine it = read_machine(
      FOUR_BAR,
      "initial: {pin: {angle: 1, rate: 3}}\nguess: {knee: {angle: -0.5}, foot: {angle: 1.5}}\n");
  artRunDef study = art_default_run();
  study.until = 3;
  study.tolerance = 1e-10;
  artRun *run = keep_started_run(it.m, it.d, &study);
  for (int k = 1; k <= 60; k++) CHECK(art_run_to(run, 0.05 * k, NULL) == ART_OK);
  const artCertificate c = art_certify(run);
  CHECK_EQ_INT(c.rows, 5);
  CHECK_EQ_INT(c.rank, 2);
  CHECK_EQ_INT(c.redundant, 3);
  CHECK_EQ_INT(c.dof, 1);
  CHECK(c.position_residual < 1e-11);
  CHECK(c.velocity_residual < 1e-10);
  CHECK(c.acceleration_residual < 1e-9);
  CHECK(c.energy_error < 1e-7);
  CHECK(c.weakest_pivot > 0 && c.weakest_pivot <= 1);
}
