// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Methods in natural coordinates say the same as those in relative ones: reactions, whole turns, impacts on stops
// and other changes of force laws, light parts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"

static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_MULTI_INDEX, ART_CONSERVING};
enum { NMETHOD = sizeof methods / sizeof *methods, MOST = 64 };

typedef struct scene {
  artModel *m;
  artData *d;
  artRun *run;
} scene;


// a run by a method, with the step and limits that a study without any has
static scene begin(artModel *m, artMethod method, double until)
{
  scene s = {.m = m, .d = keep_fresh_data(m)};
  artRunDef study = art_default_run();
  study.method = method;
  study.until = until;
  if (method == ART_AUTOMATIC) study.tolerance = 1e-11;
  s.run = keep_started_run(s.m, s.d, &study);
  return s;
}


static scene begin_text(const char *text, artMethod method, double until)
{
  return begin(keep_text(text), method, until);
}


// A test ends where a run does not come to t.
static void go(scene *s, double t)
{
  CHECK_WORKS(art_run_to(s->run, t, &check_error));
  check_stop_if_failed();
}


//---- reactions -----------------------------------------------------------------------------------

#define CRANKS(RATE)                                                                               \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  left: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01], points: {end: [0, 0, -1]}}\n"   \
  "  right: {mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01], position: [2, 0, 0],\n"        \
  "          points: {end: [0, 0, -1]}}\n"                                                         \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: left, at: [0, 0, 0]}\n"                        \
  "  b: {type: revolute, axis: y, from: ground, to: right, at: [2, 0, 0]}\n"                       \
  "  rod: {type: rod, mass: 2, from: left.end, to: right.end}\n"                                   \
  "initial: {a: {rate: " RATE "}}\n"

// a bar between ball joints, which becomes a rod, beside a rod, both on a crank that is not in their plane
static const char bars[] =
    "articula: 1\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02],\n"
    "          points: {low: [0.2, -0.1, -0.1]}}\n"
    "  bar: {mass: 1.5, com: [0.7, 0.1, 0.1], inertia: [0.005, 0.085, 0.08, 0, -0.02, 0]}\n"
    "  rocker: {mass: 2, com: [1.2, 0.1, -0.1], inertia: [0.2, 0.2, 0.02],\n"
    "           points: {low: [1.1, -0.1, -0.2]}}\n"
    "joints:\n"
    "  main: {type: revolute, axis: y, from: ground, to: crank, at: [0, 0, 0]}\n"
    "  foot: {type: universal, axes: [x, y], from: ground, to: rocker, at: [1.2, 0.1, -0.4]}\n"
    "  one: {type: spherical, from: crank, to: bar, at: [0.3, 0.1, 0]}\n"
    "  two: {type: spherical, from: bar, to: rocker, at: [1.1, 0.1, 0.2]}\n"
    "  tie: {type: rod, mass: 0.7, from: crank.low, to: rocker.low}\n"
    "initial: {main: {rate: 2}}\n";


typedef struct forces {
  int n;
  double f[MOST];
} forces;


static void add_reactions(const scene *s, const char *const *joints, forces *out)
{
  for (; *joints; joints++, out->n += 6) {
    if (!CHECK_WORKS(art_reaction(s->m, s->d, *joints, out->f + out->n, out->f + out->n + 3,
                                  &check_error))) {
      printf("  %s: %s\n", *joints, check_error.text);
    }
  }
}


// at the state of the run, and again by art_accelerate at the same state
static void check_reactions(const char *text, const char *const *joints, double until, double tol)
{
  for (int i = 0; i < NMETHOD; i++) {
    scene s = begin_text(text, methods[i], fmax(until, 1e-3));
    forces shown = {0}, found = {0}, want = {0};
    go(&s, until);
    add_reactions(&s, joints, &shown);
    CHECK_EQ_INT(art_accelerate(s.m, s.d, methods[i], NULL), ART_OK);
    add_reactions(&s, joints, &found);
    CHECK_EQ_INT(art_accelerate(s.m, s.d, ART_AUTOMATIC, NULL), ART_OK);
    add_reactions(&s, joints, &want);
    if (!CHECK(check_apart(want.n, shown.f, want.f) < tol) ||
        !CHECK(check_apart(want.n, found.f, want.f) < 1e-7)) {
      printf("  by %s: %g, %g N\n", art_method_name(methods[i]),
             check_apart(want.n, shown.f, want.f), check_apart(want.n, found.f, want.f));
    }
  }
}


TEST(a_rod_of_2_kg_weighs_half_on_each_of_its_pins)
{
  for (int i = 0; i < NMETHOD; i++) {
    scene s = begin_text(CRANKS("0"), methods[i], 0.1);
    double f[2][3], t[3], from[3], to[3];
    go(&s, 0.1);
    CHECK_EQ_INT(art_reaction(s.m, s.d, "a", f[0], t, NULL), ART_OK);
    CHECK_EQ_INT(art_reaction(s.m, s.d, "b", f[1], t, NULL), ART_OK);
    CHECK_EQ_INT(art_rod_forces(s.m, s.d, "rod", from, to, NULL), ART_OK);

    // a crank of 1 kg and half of the rod
    const double pin[3] = {0, 0, 19.62}, end[3] = {0, 0, -9.81};
    CHECK_NEAR(f[0], pin, 3, 1e-9);
    CHECK_NEAR(f[1], pin, 3, 1e-9);
    CHECK_NEAR(from, end, 3, 1e-9);
    CHECK_NEAR(to, end, 3, 1e-9);
  }
}


TEST(rods_with_mass_pull_in_motion_as_in_relative_coordinates)
{
  static const char *const cranks[] = {"a", "b", "rod", NULL};
  static const char *const linkage[] = {"main", "foot", "one", "two", "tie", NULL};
  check_reactions(CRANKS("3"), cranks, 0, 1e-7);
  check_reactions(CRANKS("3"), cranks, 0.3, 1e-3);
  check_reactions(bars, linkage, 0, 1e-7);
  check_reactions(bars, linkage, 0.2, 1e-2);
}


//---- turns ---------------------------------------------------------------------------------------

static const char turns[] = "articula: 1\n"
                            "bodies:\n"
                            "  wheel: {mass: 1, com: [0.02, 0, 0], inertia: [0.01, 0.02, 0.01]}\n"
                            "  top: {mass: 1, inertia: [0.01, 0.02, 0.03]}\n"
                            "joints:\n"
                            "  pin: {type: revolute, axis: y, from: ground, to: wheel}\n"
                            "  flight: {type: free, from: ground, to: top}\n"
                            "initial: {pin: {rate: 40}, flight: {angular_velocity: [1, 20, 3]}}\n";


TEST(whole_turns_and_signs_do_not_depend_on_the_rows)
{
  for (int i = 0; i < NMETHOD; i++) {
    scene rare = begin_text(turns, methods[i], 1), often = begin_text(turns, methods[i], 1);
    scene other = begin_text(turns, ART_AUTOMATIC, 1);
    const int nq = art_count(rare.m).nq;
    go(&rare, 1);
    go(&other, 1);
    for (int k = 1; k <= 333; k++) go(&often, k / 333.0);
    CHECK(memcmp(rare.d->q, often.d->q, (size_t) nq * sizeof(double)) == 0);
    CHECK(fabs(rare.d->q[0]) > 36);
    if (!CHECK(check_apart(nq, rare.d->q, other.d->q) < 0.02)) {
      printf("  %s: %g\n", art_method_name(methods[i]), check_apart(nq, rare.d->q, other.d->q));
    }
  }
}


TEST(a_resumed_run_keeps_its_turns)
{
  for (int i = 0; i < NMETHOD; i++) {
    scene whole = begin_text(turns, methods[i], 1), part = begin_text(turns, methods[i], 1);
    const int nq = art_count(whole.m).nq;
    go(&whole, 0.6);
    const savedRun saved = keep_saved_run(whole.run);
    CHECK_EQ_INT(art_load_run(part.run, saved.bytes, saved.size, NULL), ART_OK);
    CHECK(memcmp(whole.d->q, part.d->q, (size_t) nq * sizeof(double)) == 0);
    go(&whole, 1);
    go(&part, 1);
    CHECK(memcmp(whole.d->q, part.d->q, (size_t) nq * sizeof(double)) == 0);
  }
}


//---- changes of force laws -----------------------------------------------------------------------

typedef struct impact {
  const char *what, *text;
  double until;
  int events;    // at least
  double energy; // J: the largest error of the balance
  double rest;   // of coordinates at the end, against relative coordinates
} impact;

#define DROP(FORCE)                                                                                \
  "articula: 1\n"                                                                                  \
  "bodies: {ball: {mass: 1, inertia: [0.01, 0.01, 0.01], points: {c: [0, 0, 0]}}}\n"               \
  "joints: {fall: {type: prismatic, axis: z, from: ground, to: ball}}\n"                           \
  "initial: {fall: {slide: 1}}\n"                                                                  \
  "forces: {floor: " FORCE "}\n"

#define FREE(FORCE)                                                                                \
  "articula: 1\n"                                                                                  \
  "bodies: {ball: {mass: 1, inertia: [0.01, 0.02, 0.03], points: {c: [0, 0, 0]}}}\n"               \
  "joints: {fall: {type: free, from: ground, to: ball}}\n"                                         \
  "initial: {fall: {z: 1, vx: 0.2, wx: 3, wy: 1}}\n"                                               \
  "forces: {floor: " FORCE "}\n"

static const impact impacts[] = {
    {"22 bounces", DROP("{type: joint-stop, coordinate: fall, lower: 0, stiffness: 1e6}"), 20, 44,
     9.8e-3, 0.01},
    {"a soft stop", DROP("{type: joint-stop, coordinate: fall, lower: 0, stiffness: 1e4}"), 5, 10,
     9.8e-4, 0.01},
    {"a hard stop", DROP("{type: joint-stop, coordinate: fall, lower: 0, stiffness: 1e9}"), 5, 10,
     9.8e-4, 0.01},
    {"a stop with losses",
     DROP("{type: joint-stop, coordinate: fall, lower: 0, stiffness: 1e6, damping: 0.02}"), 5, 10,
     9.8e-3, 0.04},
    {"a formula",
     FREE("{type: force, point: ball.c, value: [0, 0, '= if(ball.c.z < 0, "
          "-1e6*ball.c.z, 0)']}"),
     5, 10, 9.8e-3, 0.01},
    {"a formula that jumps",
     DROP("{type: joint-force, coordinate: fall, value: '= if(fall.slide < 0, 40, 0)'}"), 5, 5,
     9.8e-3, 0.01},
    {"a pendulum against a stop",
     "articula: 1\n"
     "bodies: {arm: {mass: 1, com: [0.5, 0, 0], inertia: [0.001, 0.02, 0.02]}}\n"
     "joints: {pin: {type: revolute, axis: y, from: ground, to: arm}}\n"
     "forces: {stop: {type: joint-stop, coordinate: pin, upper: 1.2, lower: -0.4, stiffness: "
     "1e5}}\n",
     4, 10, 4.9e-3, 0.01},
    {"a stop in a loop",
     "articula: 1\n"
     "bodies:\n"
     "  a: {mass: 1, position: [0, 0, 0], com: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001]}\n"
     "  b: {mass: 1, position: [0, 0, 0.3], com: [0.4, 0, 0.1], inertia: [0.01, 0.08, 0.08]}\n"
     "  c: {mass: 1, position: [1, 0, 0], com: [-0.1, 0, 0.25], inertia: [0.03, 0.03, 0.001]}\n"
     "joints:\n"
     "  p: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}\n"
     "  q: {type: revolute, axis: y, from: a, to: b, at: [0, 0, 0.3]}\n"
     "  r: {type: revolute, axis: y, from: b, to: c, at: [0.8, 0, 0.5]}\n"
     "  s: {type: revolute, axis: y, from: ground, to: c, at: [1, 0, 0]}\n"
     "forces: {stop: {type: joint-stop, coordinate: p, upper: 1.5, lower: -1, stiffness: 1e5}}\n"
     "initial: {p: {rate: 8}}\n",
     2, 8, 1.2e-2, 0.01},
    {"a rope by points",
     "articula: 1\n"
     "bodies: {m: {mass: 2, inertia: [0.01, 0.01, 0.01], points: {c: [0, 0, 0]}}}\n"
     "joints: {j: {type: free, from: ground, to: m}}\n"
     "initial: {j: {z: -1, x: 0.3}}\n"
     "forces:\n"
     "  rope: {type: spring-damper, between: [ground, m.c], free_length: 1.5,\n"
     "         spring: {piecewise: [[-1, 0], [0, 0], [0.1, 5000], [0.2, 40000]]}}\n",
     3, 6, 1e-2, 0.01},
};


static void check_impact(const impact *x, artMethod method, const double *want)
{
  scene s = begin_text(x->text, method, x->until);
  go(&s, x->until);
  const double off = check_apart(art_count(s.m).nq, s.d->q, want);
  const artCertificate c = art_certify(s.run);
  if (!CHECK(c.energy_error < x->energy) || !CHECK(c.events >= x->events) ||
      !CHECK(off < x->rest)) {
    printf("  %s by %s: %g J, %ld events, %g m or rad\n", x->what, art_method_name(method),
           c.energy_error, c.events, off);
  }
}


TEST(energy_is_kept_where_forces_change)
{
  for (size_t i = 0; i < sizeof impacts / sizeof *impacts; i++) {
    scene s = begin_text(impacts[i].text, ART_AUTOMATIC, impacts[i].until);
    go(&s, impacts[i].until);
    for (int k = 0; k < NMETHOD; k++) check_impact(&impacts[i], methods[k], s.d->q);
  }
}


// between two rows, in the middle of a contact, and after a resumption
TEST(rows_see_the_modes_of_their_own_instants)
{
  for (int i = 0; i < NMETHOD; i++) {
    scene rare = begin_text(impacts[0].text, methods[i], 1),
          often = begin_text(impacts[0].text, methods[i], 1);

    // the contact begins at 0.4515 s and lasts 3.1 ms
    go(&rare, 0.5);
    for (int k = 0; k <= 50; k++) {
      go(&often, 0.451 + 1e-4 * k);
      const artEnergy e = art_energy(often.m, often.d);
      CHECK(fabs(e.kinetic + e.potential - 9.81) < 1e-3);
      const double depth = fmax(-often.d->q[0], 0), want = 1e6 * depth - 9.81;
      if (!CHECK(fabs(often.d->a[0] - want) < 1e-3 * (10 + 1e6 * depth)))
        printf("  at row %d\n", k);
    }
    go(&often, 0.5);
    CHECK(rare.d->q[0] == often.d->q[0] && rare.d->v[0] == often.d->v[0]);
  }
}


TEST(a_force_that_holds_in_no_mode_is_refused)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {x: {type: prismatic, axis: x, from: ground, to: block}}\n"
      "initial: {x: {rate: 1}}\n"
      "forces: {dry: {type: joint-force, coordinate: x, value: '= if(x.rate > 0, -5, 5)'}}\n";
  for (int i = 0; i < NMETHOD; i++) {
    const scene s = begin_text(text, methods[i], 1);
    CHECK_FAILS(art_run_to(s.run, 1, &check_error), ART_NO_CONVERGENCE, "no mode holds there");
  }
}


//---- light parts ---------------------------------------------------------------------------------

#define ARM(JOINT, LIGHT)                                                                          \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 10, com: [0.5, 0, 0], inertia: [0.1, 1, 1]}\n"                                    \
  "  light: {position: [1, 0, 0], com: [0.02, 0, 0], " LIGHT "}\n"                                 \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: arm, at: [0, 0, 0]}\n"                         \
  "  b: {" JOINT ", from: arm, to: light, at: [1, 0, 0]}\n"

static const char *const light_parts[] = {
    ARM("type: spherical", "mass: 0.08, inertia: [2e-6, 2e-6, 2e-6]"),
    ARM("type: spherical", "mass: 0.08, inertia: [1e-10, 2e-6, 2e-6]"),
    ARM("type: universal, axes: [z, y]", "mass: 0.08, inertia: [1e-10, 2e-6, 2e-6]"),
    ARM("type: spherical", "mass: 1e-4, inertia: [1e-10, 1e-10, 1e-10]"),
    "articula: 1\n"
    "bodies:\n"
    "  base: {mass: 1000, inertia: [100, 100, 100]}\n"
    "  pin: {mass: 0.08, position: [1, 0, 0], inertia: [2e-6, 2e-6, 1e-10]}\n"
    "joints:\n"
    "  f: {type: free, from: ground, to: base}\n"
    "  s: {type: revolute, axis: z, from: base, to: pin, at: [1, 0, 0]}\n"
    "initial: {s: {rate: 10}, f: {angular_velocity: [1, 2, 0.5]}}\n"
    "forces: {k: {type: joint-spring, coordinate: s, stiffness: 1e-7}}\n",
};


TEST(light_parts_are_held_in_heavy_machines)
{
  for (size_t i = 0; i < sizeof light_parts / sizeof *light_parts; i++) {
    scene want = begin_text(light_parts[i], ART_AUTOMATIC, 0.5);
    go(&want, 0.5);
    for (int k = 0; k < NMETHOD; k++) {
      scene s = begin_text(light_parts[i], methods[k], 0.5);
      go(&s, 0.5);
      const double off = check_apart(art_count(s.m).nq, s.d->q, want.d->q);
      if (!CHECK(off < 5e-3)) printf("  part %zu by %s: %g\n", i, art_method_name(methods[k]), off);
      CHECK(art_certify(s.run).position_residual < 1e-9);
    }
  }
}


//---- steps of a variable length ------------------------------------------------------------------

TEST(the_variable_step_keeps_a_thousandth_where_energy_says_nothing)
{
  static const char *const files[] = {"pendulum",       "gyro",           "screw-jack",
                                      "loops/four-bar", "vehicles/truck", "vehicles/cart"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    artModel *m = keep_machine(files[i]);
    const double until = i < 4 ? 1 : 0.3;
    scene want = begin(m, ART_AUTOMATIC, until), s = begin(m, ART_MULTI_INDEX, until);
    go(&want, until);
    go(&s, until);
    const double off = check_apart(art_count(m).nq, s.d->q, want.d->q);
    if (!CHECK(off < 1e-3)) printf("  models/%s.yaml: %g\n", files[i], off);
  }
}
