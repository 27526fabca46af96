// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Assembly takes the nearest of all closed positions: against all solutions of linkages in closed form,
// a fine scan of the motion that is left, and many other starts of machines in space.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"

static const double PI = 3.14159265358979323846;

typedef struct machine {
  artModel *m;
  artData *d;
} machine;


static machine read_machine(const char *text)
{
  artModel *m = keep_text(text);
  return (machine){m, keep_fresh_data(m)};
}


static int assemble(machine it)
{
  artAssembly result;
  return CHECK_WORKS(art_assemble(it.m, it.d, &result, &check_error));
}


static double position(machine it, const char *name)
{
  return it.d->q[art_find_position(it.m, name)];
}


//---- linkages in the plane -----------------------------------------------------------------------

// two links of lengths a and b from P and F to a common point, on one side of the line; 0: too far
typedef struct dyad {
  double alpha, beta; // their directions
} dyad;


static int close_dyad(const double P[2], double a, const double F[2], double b, double side,
                      dyad *out)
{
  const double dx = F[0] - P[0], dy = F[1] - P[1], D = hypot(dx, dy);
  const double along = (D * D + a * a - b * b) / (2 * D), square = a * a - along * along;
  if (!(square > 1e-4)) return 0;
  const double h = side * sqrt(square);
  const double x = P[0] + (along * dx - h * dy) / D, y = P[1] + (along * dy + h * dx) / D;
  *out = (dyad){atan2(y - P[1], x - P[0]), atan2(y - F[1], x - F[0])};
  return 1;
}


// the difference of two angles, to the nearest turn
static double turn(double a, double b)
{
  return remainder(a - b, 2 * PI);
}


#define BODY(name, length)                                                                         \
  "  " name ": {mass: 1, inertia: [0.1, 0.1, 0.1], points: {tip: [" length ", 0, 0]}}\n"


static machine slider_crank(double crank, const double guess[2])
{
  char text[2000];
  snprintf(text, sizeof text,
           "articula: 1\nbodies:\n" BODY("crank", "0.1") BODY("rod", "0.3") BODY(
               "slider", "0") "joints:\n  pin: {type: revolute, from: ground, to: crank}\n"
                              "  knee: {type: revolute, from: crank.tip, to: rod}\n"
                              "  way: {type: prismatic, axis: x, from: ground, to: slider}\n"
                              "  wrist: {type: revolute, from: rod.tip, to: slider, loop: cut}\n"
                              "initial: {pin: {angle: %.17g}}\n"
                              "guess: {knee: {angle: %.17g}, way: {slide: %.17g}}\n",
           crank, guess[0], guess[1]);
  return read_machine(text);
}


// the slide of the nearer of the two positions, displacements measured by the longest link, 0.3 m
static double nearer_slide(double crank, const double guess[2], double *margin)
{
  double best = HUGE_VAL, other = HUGE_VAL, slide = 0;
  for (int side = -1; side <= 1; side += 2) {
    const double s = 0.1 * sin(crank), root = side * sqrt(0.09 - s * s);
    const double x = 0.1 * cos(crank) + root, knee = atan2(-s, root) - crank;
    const double now = hypot(turn(knee, guess[0]), (x - guess[1]) / 0.3);
    if (now < best)
      other = best, best = now, slide = x;
    else
      other = now;
  }
  *margin = other - best;
  return slide;
}


TEST(a_crank_with_nothing_else_given_takes_the_nearer_slide)
{
  const double none[2] = {0, 0};
  const machine it = slider_crank(PI / 3, none);
  if (assemble(it)) {
    const double slide = position(it, "way.slide"), want = 0.05 + sqrt(0.0825);
    CHECK_CLOSE(slide, want, 1e-13);
  }
}


TEST(a_slider_crank_takes_the_nearer_of_its_two_positions)
{
  uint64_t seed = 21;
  for (int i = 0; i < 60; i++) {
    const double crank = check_uniform(&seed, -3, 3);
    const double guess[2] = {check_uniform(&seed, -3, 3), check_uniform(&seed, -0.5, 0.5)};
    double margin;
    const double want = nearer_slide(crank, guess, &margin);
    if (margin < 1e-3) continue;
    const machine it = slider_crank(crank, guess);
    const double slide = assemble(it) ? position(it, "way.slide") : NAN;
    if (!CHECK_CLOSE(slide, want, 1e-12)) {
      printf("crank %g guess %g %g margin %g\n", crank, guess[0], guess[1], margin);
    }
  }
}


//---- six bars: two dyads in a row ----------------------------------------------------------------

typedef struct sixBar {
  double length[5]; // crank, coupler, rocker, second coupler, second rocker
  double foot[2], heel[2];
} sixBar;


static machine six_bar(const sixBar *s, double crank, const double guess[4])
{
  char text[3000];
  const double *l = s->length;
  snprintf(
      text, sizeof text,
      "articula: 1\nground: {points: {f: [%.17g, %.17g, 0], h: [%.17g, %.17g, 0]}}\n"
      "bodies:\n" BODY("crank", "%.17g") BODY("coupler", "%.17g") BODY("rocker", "%.17g")
          BODY("second", "%.17g") BODY(
              "last",
              "%.17g") "joints:\n  pin: {type: revolute, from: ground, to: crank}\n"
                       "  knee: {type: revolute, from: crank.tip, to: coupler}\n"
                       "  foot: {type: revolute, from: ground.f, to: rocker}\n"
                       "  hinge: {type: revolute, from: coupler.tip, to: rocker.tip, loop: cut}\n"
                       "  elbow: {type: revolute, from: rocker.tip, to: second}\n"
                       "  heel: {type: revolute, from: ground.h, to: last}\n"
                       "  end: {type: revolute, from: second.tip, to: last.tip, loop: cut}\n"
                       "initial: {pin: {angle: %.17g}}\nguess: {knee: {angle: %.17g}, foot: "
                       "{angle: %.17g}, "
                       "elbow: {angle: %.17g}, heel: {angle: %.17g}}\n",
      s->foot[0], s->foot[1], s->heel[0], s->heel[1], l[0], l[1], l[2], l[3], l[4], crank, guess[0],
      guess[1], guess[2], guess[3]);
  return read_machine(text);
}


// distances of all solutions from the guesses, ascending; their number
static int six_bar_distances(const sixBar *s, double crank, const double guess[4], double *list)
{
  const double *l = s->length, P[2] = {l[0] * cos(crank), l[0] * sin(crank)};
  int n = 0;
  for (int i = 0; i < 4; i++) {
    dyad one, two;
    if (!close_dyad(P, l[1], s->foot, l[2], i & 1 ? 1 : -1, &one)) continue;
    const double Q[2] = {s->foot[0] + l[2] * cos(one.beta), s->foot[1] + l[2] * sin(one.beta)};
    if (!close_dyad(Q, l[3], s->heel, l[4], i & 2 ? 1 : -1, &two)) continue;
    const double d[4] = {turn(one.alpha - crank, guess[0]), turn(one.beta, guess[1]),
                         turn(two.alpha - one.beta, guess[2]), turn(two.beta, guess[3])};
    const double now = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    int k = n++;
    for (; k > 0 && list[k - 1] > now; k--) list[k] = list[k - 1];
    list[k] = now;
  }
  return n;
}


static double six_bar_distance(machine it, const double guess[4])
{
  static const char *const name[4] = {"knee.angle", "foot.angle", "elbow.angle", "heel.angle"};
  double sum = 0;
  for (int k = 0; k < 4; k++) sum += pow(position(it, name[k]) - guess[k], 2);
  return sqrt(sum);
}


TEST(six_bars_take_the_nearest_of_their_four_positions)
{
  uint64_t seed = 4;
  int seen = 0;
  for (int i = 0; i < 120; i++) {
    sixBar s = {.length = {0.3}};
    for (int k = 1; k < 5; k++) s.length[k] = check_uniform(&seed, 0.6, 1.2);
    s.foot[0] = check_uniform(&seed, 0.5, 1.1), s.foot[1] = check_uniform(&seed, -0.3, 0.3);
    s.heel[0] = check_uniform(&seed, 1.1, 2), s.heel[1] = check_uniform(&seed, -0.3, 0.3);
    const double crank = check_uniform(&seed, -3, 3);
    double guess[4], list[4];
    for (int k = 0; k < 4; k++) guess[k] = check_uniform(&seed, -2, 2);
    const int n = six_bar_distances(&s, crank, guess, list);
    if (n < 2 || list[1] - list[0] < 1e-3) continue;
    const machine it = six_bar(&s, crank, guess);
    const double found = assemble(it) ? six_bar_distance(it, guess) : NAN;
    if (!CHECK_CLOSE(found, list[0], 1e-10)) printf("six-bar %d of %d positions\n", i, n);
    seen++;
  }
  CHECK(seen > 40);
}


//---- with a freedom left -------------------------------------------------------------------------


// lengths 0.3, 0.8, 0.6 on 0.9, nothing held
static machine four_bar(const double guess[3])
{
  char text[2000];
  snprintf(text, sizeof text,
           "articula: 1\nground: {points: {f: [0.9, 0, 0]}}\n"
           "bodies:\n" BODY("crank", "0.3") BODY("coupler", "0.8") BODY(
               "rocker",
               "0.6") "joints:\n  pin: {type: revolute, from: ground, to: crank}\n"
                      "  knee: {type: revolute, from: crank.tip, to: coupler}\n"
                      "  foot: {type: revolute, from: ground.f, to: rocker}\n"
                      "  hinge: {type: revolute, from: coupler.tip, to: rocker.tip, loop: cut}\n"
                      "guess: {pin: {angle: %.17g}, knee: {angle: %.17g}, foot: {angle: %.17g}}\n",
           guess[0], guess[1], guess[2]);
  return read_machine(text);
}


// the distance of its closed position with this crank
static double four_bar_distance(double crank, double side, const double guess[3])
{
  const double P[2] = {0.3 * cos(crank), 0.3 * sin(crank)}, F[2] = {0.9, 0};
  dyad one;
  if (!close_dyad(P, 0.8, F, 0.6, side, &one)) return HUGE_VAL;
  const double d[3] = {crank - guess[0], turn(one.alpha - crank, guess[1]),
                       turn(one.beta, guess[2])};
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}


// the least one, by a scan of crank and side
static double scan_four_bar(const double guess[3])
{
  double best = HUGE_VAL;
  for (int i = -40000; i < 80000; i++) {
    best = fmin(best, four_bar_distance(guess[0] + i * PI / 40000, i % 2 ? 1 : -1, guess));
  }
  return best;
}


// d distance / d crank at a position where the distance is `found`
static double four_bar_slope(double crank, double found, const double guess[3])
{
  const double h = 1e-4, away = fabs(four_bar_distance(crank, 1, guess) - found);
  const double side = away < fabs(four_bar_distance(crank, -1, guess) - found) ? 1 : -1;
  return (four_bar_distance(crank + h, side, guess) - four_bar_distance(crank - h, side, guess)) /
         (2 * h);
}


TEST(a_four_bar_moves_no_farther_than_it_must)
{
  uint64_t seed = 9;
  for (int i = 0; i < 25; i++) {
    double guess[3];
    for (int k = 0; k < 3; k++) guess[k] = check_uniform(&seed, -2.5, 2.5);
    const machine it = four_bar(guess);
    double sum = 0;
    assemble(it);
    for (int k = 0; k < 3; k++) sum += (it.d->q[k] - guess[k]) * (it.d->q[k] - guess[k]);
    const double found = sqrt(sum), want = scan_four_bar(guess);
    if (!CHECK_CLOSE(found, want, 1e-6)) printf("four-bar %d: %g %g\n", i, found, want);
    const double slope = four_bar_slope(it.d->q[0], found, guess);
    if (!CHECK_CLOSE(slope, 0, 1e-7)) printf("four-bar %d is not at the foot\n", i);
  }
}


// rates of pin, knee and foot where the crank turns by 1 rad/s
static void four_bar_motion(const double q[3], double n[3])
{
  const double crank = q[0], coupler = q[0] + q[1], rocker = q[2];
  n[0] = 1;
  n[1] = -0.3 * sin(rocker - crank) / (0.8 * sin(rocker - coupler)) - 1;
  n[2] = 0.3 * sin(coupler - crank) / (0.6 * sin(coupler - rocker));
}


TEST(rates_of_a_four_bar_change_no_more_than_they_must)
{
  uint64_t seed = 10;
  for (int i = 0; i < 25; i++) {
    double guess[3], rough[3];
    for (int k = 0; k < 3; k++) guess[k] = check_uniform(&seed, -2.5, 2.5);
    const machine it = four_bar(guess);
    for (int k = 0; k < 3; k++) rough[k] = it.d->v[k] = check_uniform(&seed, -2, 2);
    if (!assemble(it)) continue;

    // their part along the one motion that the loop leaves
    double n[3], along = 0, square = 0, want[3];
    four_bar_motion(it.d->q, n);
    for (int k = 0; k < 3; k++) along += n[k] * rough[k], square += n[k] * n[k];
    for (int k = 0; k < 3; k++) want[k] = n[k] * along / square;
    CHECK_NEAR(it.d->v, want, 3, 1e-11);
  }
}


//---- in space ------------------------------------------------------------------------------------


// the distance between two positions of a machine whose displacements count by the metre
static double distance(const artModel *m, const double *a, const double *b, double length)
{
  double sum = 0;
  const artCounts n = art_count(m);
  for (int k = 0; k < n.nq; k++) {
    const char *unit = art_position_unit(m, k), *name = strrchr(art_position_name(m, k), '.') + 1;
    if (strcmp(name, "qw") == 0 || strcmp(name, "e0") == 0) {
      double dot = 0;
      for (int i = 0; i < 4; i++) dot += a[k + i] * b[k + i];
      sum += pow(2 * acos(fmin(1, fabs(dot))), 2);
      k += 3;
    } else {
      sum += pow((a[k] - b[k]) / (strcmp(unit, "m") == 0 ? length : 1), 2);
    }
  }
  return sqrt(sum);
}


// a platform on six rods: with its lengths it has many positions
static machine platform(void)
{
  char text[6000];
  int used = snprintf(text, sizeof text, "articula: 1\nground:\n  points:\n");
  for (int i = 0; i < 6; i++) {
    const double a = i * PI / 3 + (i % 2 ? 0.3 : -0.3);
    used += snprintf(text + used, sizeof text - (size_t) used, "    g%d: [%.17g, %.17g, 0]\n", i,
                     cos(a), sin(a));
  }
  used += snprintf(text + used, sizeof text - (size_t) used,
                   "bodies:\n  top:\n    mass: 1\n    inertia: [1, 1, 1]\n    points:\n");
  for (int i = 0; i < 6; i++) {
    const double a = i * PI / 3 + (i % 2 ? -0.3 : 0.3);
    used += snprintf(text + used, sizeof text - (size_t) used, "      p%d: [%.17g, %.17g, 0]\n", i,
                     0.6 * cos(a), 0.6 * sin(a));
  }
  used += snprintf(text + used, sizeof text - (size_t) used,
                   "joints:\n  flight: {type: free, from: ground, to: top}\n");
  for (int i = 0; i < 6; i++) {
    used += snprintf(text + used, sizeof text - (size_t) used,
                     "  leg%d: {type: rod, from: ground.g%d, to: top.p%d, length: %.17g}\n", i, i,
                     i, 0.9 + 0.05 * i);
  }
  return read_machine(text);
}


static void nothing_nearer_is_met_from_other_starts(machine it, double length, uint64_t *seed,
                                                    double size, const char *name)
{
  const artCounts n = art_count(it.m);
  double start[64], other[64], move[64];
  if (!CHECK(n.nq <= 64)) return;
  art_reset(it.m, it.d);
  for (int k = 0; k < n.nv; k++) move[k] = check_uniform(seed, -size, size);
  art_move(it.m, it.d->q, move);
  memcpy(start, it.d->q, (size_t) n.nq * sizeof *start);
  if (!assemble(it)) return;
  const double found = distance(it.m, start, it.d->q, length);
  for (int i = 0; i < 60; i++) {
    artAssembly result;
    memcpy(it.d->q, start, (size_t) n.nq * sizeof *start);
    for (int k = 0; k < n.nv; k++) move[k] = check_uniform(seed, -size, size);
    art_move(it.m, it.d->q, move);
    if (art_assemble(it.m, it.d, &result, NULL) != ART_OK) continue;
    memcpy(other, it.d->q, (size_t) n.nq * sizeof *other);
    const double now = distance(it.m, start, other, length);
    if (!CHECK(found <= now * (1 + 1e-6))) printf("%s: %g, but %g is nearer\n", name, found, now);
  }
}


TEST(a_platform_takes_the_nearest_of_its_positions)
{
  uint64_t seed = 3;
  const machine it = platform();
  for (int i = 0; i < 8; i++) nothing_nearer_is_met_from_other_starts(it, 1, &seed, 1, "platform");
}
