// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Capsules, cylinders, cones, ellipsoids, boxes and hulls: gaps against a search over directions with support functions of the test,
// closed forms, rates by differences, and bodies that lie, stand and roll on each other.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "base/arena.h"
#include "base/error.h"
#include "contact/contact_gap.h"
#include "contact/contact_rates.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

#define G 9.81

typedef enum testShape { BOX, STONE, CAPSULE, CYLINDER, CONE, ELLIPSOID, BALL, SHAPES } testShape;

static const double stone[5][3] = {
    {0.2, 0, -0.1}, {-0.15, 0.2, -0.1}, {-0.1, -0.2, -0.1}, {0, 0.05, 0.2}, {0.1, 0.2, 0.05}};

// the same numbers as in `support`
static const char *const text[SHAPES] = {
    "type: box, size: [= 0.3*size, = 0.2*size, = 0.4*size]",
    "type: hull, points: [[= 0.2*size, 0, = -0.1*size], [= -0.15*size, = 0.2*size, = -0.1*size], "
    "[= -0.1*size, = -0.2*size, = "
    "-0.1*size], [0, = 0.05*size, = 0.2*size], [= 0.1*size, = 0.2*size, = 0.05*size]]",
    "type: capsule, radius: = 0.08*size, length: = 0.3*size",
    "type: cylinder, radius: = 0.15*size, length: = 0.25*size",
    "type: cone, radius: = 0.2*size, top: = 0.05*size, length: = 0.3*size",
    "type: ellipsoid, size: [= 0.3*size, = 0.2*size, = 0.5*size]",
    "type: sphere, radius: = 0.1*size"};


// the largest n.x over a shape in its own axes
static double support(testShape shape, const double n[3])
{
  const double off = hypot(n[0], n[1]);
  double most = -INFINITY;
  switch (shape) {
  case BOX: return 0.15 * fabs(n[0]) + 0.1 * fabs(n[1]) + 0.2 * fabs(n[2]);
  case STONE:
    for (int i = 0; i < 5; i++)
      most = fmax(most, stone[i][0] * n[0] + stone[i][1] * n[1] + stone[i][2] * n[2]);
    return most;
  case CAPSULE: return 0.15 * fabs(n[2]) + 0.08;
  case CYLINDER: return 0.15 * off + 0.125 * fabs(n[2]);
  case CONE: return fmax(0.2 * off - 0.15 * n[2], 0.05 * off + 0.15 * n[2]);
  case ELLIPSOID: return sqrt(0.0225 * n[0] * n[0] + 0.01 * n[1] * n[1] + 0.0625 * n[2] * n[2]);
  case BALL: return 0.1;
  case SHAPES: break;
  }
  return 0;
}


// the axes of a body as columns, from its unit quaternion
static void rotation(const double q[4], double R[3][3])
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double all[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(R, all, sizeof all);
}


// separation of the first shape in ground and the second at q along n
static double separation(testShape one, testShape two, const double q[7], const double n[3])
{
  double R[3][3], back[3] = {0, 0, 0}, far = 0;
  rotation(q + 3, R);
  for (int k = 0; k < 3; k++) {
    far += n[k] * q[k];
    for (int j = 0; j < 3; j++) back[k] -= R[j][k] * n[j];
  }
  return far - support(one, n) - support(two, back);
}


// The largest separation over all directions: by a coarse grid, and finer ones about the five best cells.
static double search(testShape one, testShape two, const double q[7])
{
  enum { GRID = 30, BEST = 5 };
  double value[BEST], place[BEST][2], most = -INFINITY;
  for (int i = 0; i < BEST; i++) value[i] = -INFINITY;
  for (int i = 0; i <= GRID; i++) {
    for (int k = 0; k < 2 * GRID; k++) {
      const double a = 3.141592653589793 * i / GRID, b = 3.141592653589793 * k / GRID;
      const double n[3] = {sin(a) * cos(b), sin(a) * sin(b), cos(a)};
      const double own = separation(one, two, q, n);
      int at = BEST - 1;
      if (own <= value[at]) continue;
      for (; at > 0 && own > value[at - 1]; at--) {
        value[at] = value[at - 1];
        memcpy(place[at], place[at - 1], sizeof place[at]);
      }
      value[at] = own, place[at][0] = a, place[at][1] = b;
    }
  }
  for (int i = 0; i < BEST; i++) {
    double u[3] = {sin(place[i][0]) * cos(place[i][1]), sin(place[i][0]) * sin(place[i][1]),
                   cos(place[i][0])};
    double width = 0.1;
    for (int round = 0; round < 60; round++) {
      double best[3];
      memcpy(best, u, sizeof best);
      const double *lean = fabs(u[0]) < 0.6 ? (const double[]){1, 0, 0} : (const double[]){0, 1, 0};
      double e[3] = {u[1] * lean[2] - u[2] * lean[1], u[2] * lean[0] - u[0] * lean[2],
                     u[0] * lean[1] - u[1] * lean[0]};
      const double f[3] = {u[1] * e[2] - u[2] * e[1], u[2] * e[0] - u[0] * e[2],
                           u[0] * e[1] - u[1] * e[0]};
      int moved = 0;
      for (int x = -5; x <= 5; x++) {
        for (int y = -5; y <= 5; y++) {
          double n[3], length = 0;
          for (int k = 0; k < 3; k++)
            n[k] = u[k] + width / 5 * (x * e[k] + y * f[k]), length += n[k] * n[k];
          for (int k = 0; k < 3; k++) n[k] /= sqrt(length);
          const double own = separation(one, two, q, n);
          if (own <= value[i]) continue;
          value[i] = own, moved = 1;
          memcpy(best, n, sizeof best);
        }
      }
      memcpy(u, best, sizeof u);
      if (!moved) width *= 0.4;
    }
    most = fmax(most, value[i]);
  }
  return most;
}


//---- gaps ----------------------------------------------------------------------------------------

static int points_of(testShape one, testShape two)
{
  const int is_one = one == ELLIPSOID || two == ELLIPSOID || one == BALL || two == BALL;
  return is_one ? 1 : one == CAPSULE || two == CAPSULE ? one == two ? 1 : 2 : 4;
}


// the shape `one` in ground and `two` on a free body; gaps and normals of all points as outputs
static const artModel *pair_model(testShape one, testShape two, double size)
{
  const int n = points_of(one, two);
  char outputs[1000] = "";
  for (int i = 1; i <= n; i++) {
    char name[20] = "touch";
    if (n > 1) snprintf(name, sizeof name, "'touch/%d'", i);
    base_append(outputs, sizeof outputs, "  g%d: \"= %s.gap\"\n  r%d: \"= %s.rate\"\n", i, name, i,
                name);
    for (int k = 0; k < 3; k++)
      base_append(outputs, sizeof outputs, "  n%d%c: \"= %s.up_%c\"\n", i, 'x' + k, name, 'x' + k);
  }
  return keep_text_of("articula: 1\nparameters: {size: %.17g m}\n"
                      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                      "joints: {f: {type: free, from: ground, to: b}}\n"
                      "surfaces:\n  one: {body: ground, %s}\n  other: {body: b, %s}\n"
                      "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
                      "outputs:\n%s",
                      size, text[one], text[two], outputs);
}


// the least gap, and its normal and rate
static double least_gap(const artModel *m, artData *d, int points, double n[3], double *rate)
{
  double least = INFINITY;
  art_update(m, d);
  for (int i = 1; i <= points; i++) {
    const char name[] = {'g', (char) ('0' + i), 0, 0};
    const double gap = output_named(m, d, name);
    if (!(gap < least)) continue;
    least = gap;
    *rate = output_named(m, d, (const char[]){'r', name[1], 0});
    for (int k = 0; k < 3; k++)
      n[k] = output_named(m, d, (const char[]){'n', name[1], (char) ('x' + k), 0});
  }
  return least;
}


static double random_number(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state / 4294967296.0 * 2 - 1;
}


// a random place at which the shapes have about the given gap
static void random_place(testShape one, testShape two, double gap, unsigned *state, double q[7])
{
  double length = 0, n[3], far = 0;
  for (int k = 3; k < 7; k++) q[k] = random_number(state), length += q[k] * q[k];
  for (int k = 3; k < 7; k++) q[k] /= sqrt(length);
  for (int k = 0; k < 3; k++) n[k] = random_number(state), far += n[k] * n[k];
  for (int k = 0; k < 3; k++) n[k] /= sqrt(far), q[k] = 0;
  double at = 0.9;
  for (int i = 0; i < 12; i++) {
    for (int k = 0; k < 3; k++) q[k] = at * n[k];
    at -= 0.8 * (search(one, two, q) - gap);
  }
}


// Apart, the gap is the distance; overlapping, the least depth along any direction. No direction separates more than the normal of
// the contact, and along it the shapes are as far apart as the gap says.
static void compare_with_search(double size, int cases, double tolerance)
{
  unsigned state = 1;
  for (testShape one = BOX; one < BALL; one++) {
    for (testShape two = one; two < SHAPES; two++) {
      const int is_other_test =
          (one <= STONE && two <= STONE) || (one == CAPSULE && two == CAPSULE);
      if (is_other_test || (two == BALL && one != ELLIPSOID)) continue;
      const artModel *m = pair_model(one, two, size);
      artData *d = keep_fresh_data(m);
      for (int i = 0; i < cases; i++) {
        double q[7], n[3] = {0, 0, 1}, rate;
        const double want = (const double[]){0.2, 0.05, 1e-3, -1e-3, -4e-3}[i % 5];
        random_place(one, two, want, &state, q);
        memcpy(d->q, q, sizeof q);
        for (int k = 0; k < 3; k++) d->q[k] *= size;
        const double gap = least_gap(m, d, points_of(one, two), n, &rate) / size;
        const int is_best = CHECK(gap >= search(one, two, q) - tolerance);
        if (!CHECK_CLOSE(separation(one, two, q, n), gap, tolerance) || !is_best)
          printf("  %s\n  %s, %d\n", text[one], text[two], i);
      }
    }
  }
}


TEST(gaps_are_those_of_a_search_over_directions)
{
  compare_with_search(1, 10, 1e-12);
}


TEST(gaps_of_micrometres_are_those_of_a_search)
{
  compare_with_search(1e-6, 5, 1e-9);
}


// the tip of a cone, downward on a box and upward under a cylinder
TEST(tips_of_cones_touch_in_one_point)
{
  static const char *const one[] = {"type: box, size: [1, 1, 0.2]",
                                    "type: cone, radius: 0.1, length: 0.2"};
  static const char *const other[] = {"type: cone, radius: 0.1, length: 0.2",
                                      "type: cylinder, radius: 0.3, length: 0.2"};
  for (int i = 0; i < 2; i++) {
    const artModel *m = keep_text_of(
        "articula: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {f: {type: free, from: ground, to: b}}\n"
        "surfaces:\n  one: {body: ground, %s}\n  other: {body: b, %s}\n"
        "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
        "outputs: {g1: \"= 'touch/1'.gap\", g2: \"= 'touch/2'.gap\", n: \"= 'touch/1'.up_z\"}\n",
        one[i], other[i]);
    artData *d = keep_fresh_data(m);
    for (int k = -1; k < 2; k++) {
      d->q[0] = 0.03, d->q[2] = 0.2 + 0.001 * k;
      if (i == 0) d->q[3] = 0, d->q[4] = 1; // upside down
      art_update(m, d);
      CHECK_CLOSE(output_named(m, d, "g1"), 0.001 * k, 1e-15);
      CHECK_CLOSE(output_named(m, d, "n"), 1, 1e-14);
      CHECK(output_named(m, d, "g2") > 0.1);
    }
  }
}


//---- rates ---------------------------------------------------------------------------------------

// body of that shape at the time t, as it moves with constant velocity and angular velocity
static surfaceMotion moving_shape(testShape shape, const contactHull *const hull[2],
                                  const double q[7], const double velocity[3],
                                  const double omega[3], double t)
{
  static const contactShape shapes[] = {CONTACT_HULL,    CONTACT_HULL,    CONTACT_SEGMENT,
                                        CONTACT_FRUSTUM, CONTACT_FRUSTUM, CONTACT_ELLIPSOID,
                                        CONTACT_BALL};
  static const double half[SHAPES][3] = {[CAPSULE] = {0, 0, 0.15},
                                         [CYLINDER] = {0, 0, 0.125},
                                         [CONE] = {0, 0, 0.15},
                                         [ELLIPSOID] = {0.15, 0.1, 0.25}};
  static const double radius[SHAPES][2] = {
      [CAPSULE] = {0.08, 0}, [CYLINDER] = {0.15, 0.15}, [CONE] = {0.2, 0.05}, [BALL] = {0.1, 0}};
  surfaceMotion m = {.shape = shapes[shape], .radius = radius[shape][0], .top = radius[shape][1]};
  const double speed = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
  double R[3][3];
  rotation(q + 3, R);
  memcpy(m.half, half[shape], sizeof m.half);
  m.hull = shape <= STONE ? hull[shape] : NULL;
  for (int k = 0; k < 3; k++) {
    m.at[k] = q[k] + t * velocity[k];
    m.velocity[k] = velocity[k], m.omega[k] = omega[k];
  }
  for (int i = 0; i < 3; i++) { // the formula of Rodrigues
    const double e[3] = {R[0][i], R[1][i], R[2][i]}, c = cos(speed * t),
                 sn = sin(speed * t) / speed;
    const double along = (omega[0] * e[0] + omega[1] * e[1] + omega[2] * e[2]) / (speed * speed);
    for (int k = 0; k < 3; k++) {
      const double turned =
          omega[(k + 1) % 3] * e[(k + 2) % 3] - omega[(k + 2) % 3] * e[(k + 1) % 3];
      m.axes[3 * i + k] = c * e[k] + sn * turned + (1 - c) * along * omega[k];
    }
  }
  return m;
}


static void gap_at(testShape one, testShape two, const contactHull *const hull[2], double q[2][7],
                   double v[4][3], double t, double x[7])
{
  const surfaceMotion side[2] = {moving_shape(one, hull, q[0], v[0], v[1], t),
                                 moving_shape(two, hull, q[1], v[2], v[3], t)};
  const contactPoint at = contact_gap(side);
  const double all[7] = {at.gap,     at.normal.x, at.normal.y, at.normal.z,
                         at.point.x, at.point.y,  at.point.z};
  memcpy(x, all, sizeof all);
}


// Gap, normal and point of bodies that move and turn, by dual numbers and by differences of order four.
TEST(rates_of_gaps_normals_and_points_are_their_differences)
{
  baseArena arena = {.leaves = 1};
  artSurfaceDef box = art_default_surface();
  box.type = ART_SURFACE_BOX;
  box.size[0] = 0.3, box.size[1] = 0.2, box.size[2] = 0.4;
  const contactHull *const hull[2] = {hull_make(&arena, &box), hull_of_points(&arena, 5, stone[0])};
  unsigned state = 7;
  int kinks = 0, all = 0;
  for (testShape one = BOX; one < BALL; one++) {
    for (testShape two = one; two < SHAPES; two++) {
      const int is_other_test =
          (one <= STONE && two <= STONE) || (one == CAPSULE && two == CAPSULE);
      if (is_other_test || (two == BALL && one != ELLIPSOID)) continue;
      for (int i = 0; i < 8; i++) {
        double q[2][7] = {{0, 0, 0, 1}}, v[4][3], x[4][7];
        random_place(one, two, i % 2 ? 0.02 : -0.002, &state, q[1]);
        for (int k = 0; k < 12; k++) v[k / 3][k % 3] = random_number(&state);
        const double h = 1e-4;
        gap_at(one, two, hull, q, v, -2 * h, x[0]);
        gap_at(one, two, hull, q, v, -h, x[1]);
        gap_at(one, two, hull, q, v, h, x[2]);
        gap_at(one, two, hull, q, v, 2 * h, x[3]);
        if (fabs(x[0][0]) > 0.1) continue; // another point touches
        const surfaceMotion side[2] = {moving_shape(one, hull, q[0], v[0], v[1], 0),
                                       moving_shape(two, hull, q[1], v[2], v[3], 0)};
        contactRates r;
        contact_rates(side, &r);
        const double rate[7] = {r.gap_rate,       r.normal_rate[0], r.normal_rate[1],
                                r.normal_rate[2], r.point_rate[0],  r.point_rate[1],
                                r.point_rate[2]};
        double difference[7];
        int is_smooth = 1;
        for (int k = 0; k < 7; k++) {
          difference[k] = (x[0][k] - 8 * x[1][k] + 8 * x[2][k] - x[3][k]) / (12 * h);
          is_smooth &= fabs(difference[k] - (x[2][k] - x[1][k]) / (2 * h)) < 1e-3;
        }
        all++;
        kinks += !is_smooth; // features change within the difference
        if (!is_smooth) continue;
        if (!CHECK_NEAR(rate, difference, 7, 2e-6))
          printf("  %s\n  %s, %d\n", text[one], text[two], i);
      }
    }
  }
  CHECK(all > 60 && kinks < all / 8);
  arena_free(&arena);
}


//---- motion --------------------------------------------------------------------------------------

// a body of 1 kg on a block of ground
static artData *run_on_block(const char *block, const char *own, const char *inertia,
                             const char *contact, const char *initial, artIntegrator integrator,
                             double t, const artModel **model)
{
  const artModel *m = keep_text_of(
      "articula: 1\nground: {frames: {slope: {orientation: {axis: y, angle: 20 deg}}}}\n"
      "bodies: {b: {mass: 1, inertia: %s}}\n"
      "joints: {f: {type: free, from: %s, to: b}}\n"
      "surfaces:\n  one: {body: %s, %s}\n  other: {body: b, %s}\n"
      "forces: {touch: {between: [one, other], %s}}\ninitial: {f: {%s}}\n",
      inertia, strstr(block, "slope") ? "ground.slope" : "ground",
      strstr(block, "slope") ? "ground.slope" : "ground", block + (strstr(block, "slope") ? 6 : 0),
      own, contact, initial);
  artRunDef study = art_default_run();
  study.until = t;
  study.tolerance = 1e-9;
  study.integrator = integrator;
  if (integrator == ART_MOREAU) study.step = 1e-3;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK))
    printf("  %s\n  %s\n", own, check_error.text);
  *model = m;
  return d;
}


// On a block of the height 0.2: within it, over its edge, across it, on an end, on a side; by events, fixed steps and springs.
TEST(bodies_lie_and_stand_on_a_block)
{
  static const char *const box = "type: box, size: [0.4, 0.3, 0.2]";
  static const struct {
    const char *own, *turn;
    double x, z;
  } lying[] = {{"type: capsule, radius: 0.05, length: 0.2", "ry: 90 deg", 0.05, 0.15},
               {"type: capsule, radius: 0.05, length: 0.2", "ry: 90 deg", 0.14, 0.15},
               {"type: capsule, radius: 0.05, length: 1.2", "ry: 90 deg", 0.1, 0.15},
               {"type: cylinder, radius: 0.05, length: 0.2", "ry: 90 deg", 0.12, 0.15},
               {"type: cylinder, radius: 0.05, length: 0.9", "ry: 90 deg", 0.12, 0.15},
               {"type: cylinder, radius: 0.05, length: 0.2", "", 0.1, 0.2},
               {"type: cylinder, radius: 0.1, length: 0.1", "", 0.16, 0.15}};
  for (size_t i = 0; i < sizeof lying / sizeof *lying; i++) {
    for (int by = 0; by < (i < 2 ? 3 : 2); by++) {
      char initial[100];
      snprintf(initial, sizeof initial, "x: %g, z: %g", lying[i].x, lying[i].z);
      if (strcmp(lying[i].turn, "") != 0)
        base_append(initial, sizeof initial, ", orientation: {axis: y, angle: 90 deg}");
      static const char *const contact[] = {
          "type: rigid-contact, friction: 0.5", "type: rigid-contact, friction: 0.5",
          "type: contact, stiffness: 1e6, damping: 1000, friction: 0.5"};
      const artModel *m;
      artData *d = run_on_block(box, lying[i].own, "[0.004, 0.004, 0.004]", contact[by], initial,
                                by == 1 ? ART_MOREAU : ART_DOPRI5, 1, &m);
      const double error = by == 2 ? 2e-5 : 1e-9;
      const int is_sound =
          CHECK_CLOSE(d->q[0], lying[i].x, error) + CHECK_CLOSE(d->q[2], lying[i].z, error);
      if (is_sound < 2) printf("  %s, by %d\n", lying[i].own, by);
      for (int k = 0; k < 6; k++) CHECK(fabs(d->v[k]) < (by == 2 ? 1e-4 : 1e-9));
    }
  }
}


// down a slope of 20 degrees: 2/3 g sin of a solid cylinder, 5/7 g sin of a ball that is an ellipsoid
TEST(cylinders_and_ellipsoids_roll_down_a_block)
{
  static const char *const own[] = {"type: cylinder, radius: 0.1, length: 0.3",
                                    "type: ellipsoid, size: [0.2, 0.2, 0.2]"};
  static const char *const inertia[] = {"[0.01, 0.01, 0.005]", "[0.004, 0.004, 0.004]"};
  static const double share[] = {2.0 / 3, 5.0 / 7};
  for (int i = 0; i < 2; i++) {
    for (int by = 0; by < 2; by++) {
      const artModel *m;
      const artData *d = run_on_block("slope type: box, size: [9, 1, 1]", own[i], inertia[i],
                                      "type: rigid-contact, friction: 0.9",
                                      "x: -3, z: 0.6, orientation: {axis: x, angle: 90 deg}",
                                      by ? ART_MOREAU : ART_DOPRI5, 1, &m);
      const double a = share[i] * G * sin(0.349065850398865915);
      CHECK_CLOSE(d->q[0], -3 + 0.5 * a, by ? 1e-6 : 1e-8);
      CHECK_CLOSE(d->q[2], 0.6, 1e-9);
    }
  }
}
