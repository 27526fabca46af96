// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies between two ball joints that become rods: which do, which do not and why, and what can still
// be asked of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

//---- machines ------------------------------------------------------------------------------------

#define HEAD                                                                                       \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0.1, 0, 0.1], inertia: [0.01, 0.01, 0.01]}\n"                          \
  "  rocker: {mass: 2, com: [0.5, 0, 0.2], inertia: [0.02, 0.01, 0.01]}\n"

#define CRANKS                                                                                     \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: crank, at: [0, 0, 0]}\n"                       \
  "  b: {type: revolute, axis: [0.2, 1, 0], from: ground, to: rocker, at: [0.5, 0, 0]}\n"

#define POINTS "points: {near: [0, 0, 0.3], middle: [0.3, 0, 0.3], off: [0.3, 0.1, 0.3]}"
#define THIN                                                                                       \
  "{mass: 0.5, com: [0.3, 0, 0.3], inertia: [0, = 0.5*0.36/12, = 0.5*0.36/12], " POINTS "}"

#define BALLS                                                                                      \
  "  p: {type: spherical, from: crank, to: link, at: [0, 0, 0.3]}\n"                               \
  "  q: {type: spherical, from: link, to: rocker, at: [0.6, 0, 0.3]}\n"

#define START "initial: {a: {rate: 3}}\n"


// the machine with a link as given, and more
static artModel *with_link(const char *link, const char *balls, const char *rest)
{
  return keep_text_of(HEAD "  link: %s\n" CRANKS "%s" START "%s", link, balls, rest);
}


static void expect_rod(artModel *m)
{
  if (!m) return;
  const int j = table_find(&m->joints, "link");
  CHECK_EQ_INT(m->nbar, 1);
  CHECK(art_find_body(m, "link") < 0);
  if (CHECK(j >= 0)) {
    CHECK_EQ_INT(m->joint[j].type, ART_ROD);
    CHECK_EQ_INT(m->cut[m->joint[j].cut].reason, SPAN_BAR);
  }
}


// note NULL: it is no bar at all
static void expect_body(artModel *m, const char *note)
{
  if (!m) return;
  const int i = art_find_body(m, "link");
  CHECK_EQ_INT(m->nbar, 0);
  if (CHECK(i >= 0)) {
    if (note) CHECK_TEXT(m->body[i].bar_note ? m->body[i].bar_note : "", note);
    if (!note) CHECK(m->body[i].bar_note == NULL);
  }
}


//---- which ---------------------------------------------------------------------------------------


TEST(thin_uniform_bars_and_massless_ones_become_rods)
{
  expect_rod(with_link(THIN, BALLS, ""));
  expect_rod(with_link("{mass: 0}", BALLS, ""));

  // drawn in a frame of its own, its joints at points
  expect_rod(with_link(
      "{mass: 0.5, com: [0, 0.3, 0], inertia: [= 0.5*0.36/12, 0, = 0.5*0.36/12], points: {end: [0, "
      "0.6, 0]}}",
      "  p: {type: spherical, from: {frame: crank, position: [0, 0, 0.3]}, to: link}\n"
      "  q: {type: spherical, from: link.end, to: {frame: rocker, position: [0.1, 0, 0.3]}}\n",
      ""));
  expect_rod(with_link(
      "{position: [0.6, 0, 0.3], mass: 0.5, com: [-0.3, 0, 0], inertia: [0, = 0.5*0.36/12, = "
      "0.5*0.36/12]}",
      BALLS, ""));
}


TEST(other_bodies_stay_bodies)
{
  // inertia about the line, not uniform, centre off the middle, massless with inertia at one end
  expect_body(
      with_link("{mass: 0.5, com: [0.3, 0, 0.3], inertia: [1e-6, 0.015, 0.015]}", BALLS, ""), NULL);
  expect_body(with_link("{mass: 0.5, com: [0.3, 0, 0.3], inertia: [0, 0.016, 0.016]}", BALLS, ""),
              NULL);
  expect_body(with_link("{mass: 0.5, com: [0.31, 0, 0.3], inertia: [0, 0.015, 0.015]}", BALLS, ""),
              NULL);
  expect_body(
      with_link("{mass: 0.5, com: [0.3, 0.01, 0.3], inertia: [0, 0.015, 0.015]}", BALLS, ""), NULL);

  // other joints, a third one, or none of the joints to be touched
  expect_body(
      with_link(THIN,
                "  p: {type: universal, axes: [y, z], from: crank, to: link, at: [0, 0, 0.3]}\n"
                "  q: {type: spherical, from: link, to: rocker, at: [0.6, 0, 0.3]}\n",
                ""),
      NULL);
  expect_body(
      with_link(THIN, BALLS "  r: {type: rod, from: link.middle, to: ground, length: 0.5}\n", ""),
      NULL);
  expect_body(
      with_link(THIN,
                "  p: {type: spherical, from: crank, to: link, at: [0, 0, 0.3], loop: keep}\n"
                "  q: {type: spherical, from: link, to: rocker, at: [0.6, 0, 0.3]}\n",
                ""),
      NULL);
  expect_body(
      with_link(THIN,
                "  p: {type: spherical, from: crank, to: link, at: [0, 0, 0.3]}\n"
                "  q: {type: spherical, from: link, to: rocker, at: [0.6, 0, 0.3], loop: cut}\n",
                ""),
      NULL);
}


TEST(what_needs_a_body_keeps_it)
{
  expect_body(with_link(THIN, BALLS, "outputs: {x: link.off.x}\n"),
              "output 'x' names 'link.off.x'");
  expect_body(with_link(THIN, BALLS, "outputs: {w: 2*p.qw}\n"), "output 'w' names 'p.qw'");
  expect_body(with_link(THIN, BALLS, "outputs: {w: link.middle.qw}\n"),
              "output 'w' names 'link.middle.qw'");
  expect_body(with_link(THIN, BALLS, "outputs: {w: link.xx}\n"), "output 'w' names 'link.xx'");
  expect_body(with_link(THIN, BALLS, "outputs: {w: link.yaw}\n"), "output 'w' names 'link.yaw'");
  expect_body(with_link(THIN, BALLS,
                        "forces: {s: {type: spring-damper, between: [link.middle, ground], "
                        "stiffness: 3, free_length: 1}}\n"),
              "force 's' names 'link.middle'");
  expect_body(with_link(THIN, BALLS, "forces: {f: {type: force, point: link, value: [1, 0, 0]}}\n"),
              "force 'f' names 'link'");
  expect_body(with_link(THIN, BALLS, "guess: {p: {qw: 1}}\n"), "an initial value names 'p.qw'");
}


// a platform on three bars: one of them must carry it, unless it has a joint of its own
TEST(bars_that_carry_the_tree_stay)
{
  static const char *const BARS =
      "articula: 1\n"
      "bodies:\n"
      "  one: {mass: 0}\n"
      "  two: {mass: 0}\n"
      "  link: {mass: 0}\n"
      "  plate: {mass: 3, com: [0, 0, -1], inertia: [1, 1, 1]}\n"
      "joints:\n"
      "  a: {type: spherical, from: ground, to: one, at: [1, 0, 0]}\n"
      "  b: {type: spherical, from: one, to: plate, at: [0.5, 0, -1]}\n"
      "  c: {type: spherical, from: ground, to: two, at: [-1, 1, 0]}\n"
      "  d: {type: spherical, from: two, to: plate, at: [-0.5, 0.5, -1]}\n"
      "  e: {type: spherical, from: ground, to: link, at: [-1, -1, 0]}\n"
      "  f: {type: spherical, from: link, to: plate, at: [-0.5, -0.5, -1]}\n";
  artModel *m;
  m = keep_text_of("%s  fly: {type: free, from: ground, to: plate, at: [0, 0, 0]}\n", BARS);
  if (m) {
    CHECK_EQ_INT(m->nbar, 3);
    CHECK_EQ_INT(m->nrow, 3);
    CHECK_EQ_INT(m->tree.nv, 6);
  }
  m = keep_text(BARS);
  if (m) {
    CHECK_EQ_INT(m->nbar, 2);
    CHECK_TEXT(m->body[art_find_body(m, "link")].bar_note,
               "no other chain of joints leads past it");
  }
}


//---- outputs -------------------------------------------------------------------------------------


static const char *const ASKED =
    "outputs: [a.angle, link.middle.x, link.middle.vz, link.near.ax, link.middle.az, 2*p.fx, p.fz, "
    "q.fx, q.fy, q.tz, energy.kinetic, energy.potential, momentum.lx]\n"
    "study: {type: run, until: 0.4 s, tolerance: 1e-12}\n";
enum { ASKED_COUNT = 13 };


static void run(artModel *m, double *values)
{
  artRun *running = NULL;
  artData *d = keep_fresh_data(m);
  memset(values, 0, ASKED_COUNT * sizeof *values);
  CHECK_EQ_INT(art_count(m).outputs, ASKED_COUNT);
  const artRunDef *study = art_find_run(m, NULL);
  if (CHECK_WORKS(art_create_run(&running, m, d, study, &check_error))) {
    CHECK_WORKS(art_run_to(running, 0.4, &check_error));
    art_outputs(m, d, values);
  }
  art_free_run(running);
}


TEST(its_points_and_the_forces_at_its_ends_stay_known)
{
  double rod[ASKED_COUNT], body[ASKED_COUNT];
  run(with_link(THIN, BALLS, ASKED), rod);
  run(with_link("{mass: 0.5, com: [0.3, 0, 0.3], inertia: [1e-3, 0.015, 0.015], " POINTS "}", BALLS,
                ASKED),
      body);
  CHECK_NEAR(rod, body, ASKED_COUNT, 1e-8);

  // seen from its other side
  run(with_link(THIN,
                "  p: {type: spherical, from: link, to: crank, at: [0, 0, 0.3]}\n"
                "  q: {type: spherical, from: rocker, to: link, at: [0.6, 0, 0.3]}\n",
                ASKED),
      body);
  for (int k = 5; k < 10; k++) body[k] = -body[k];
  CHECK_NEAR(rod, body, ASKED_COUNT, 1e-10);
}


TEST(its_joints_answer_the_host_too)
{
  artModel *m =
      with_link(THIN, BALLS, "outputs: [p.fx, p.fy, p.fz, q.fx, q.fy, q.fz, link.wy, link.aly]\n");
  artData *d = keep_fresh_data(m);
  double got[8], f[3], t[3], from[3], to[3];
  artAssembly assembly;
  CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK);
  CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
  art_outputs(m, d, got);
  CHECK(art_reaction(m, d, "p", f, t, NULL) == ART_OK);
  CHECK_NEAR(f, got, 3, 1e-14);
  CHECK_NEAR(t, ((double[3]){0, 0, 0}), 3, 0);
  CHECK(art_rod_forces(m, d, "link", from, to, NULL) == ART_OK);
  for (int k = 0; k < 3; k++) from[k] = -from[k];
  CHECK_NEAR(f, from, 3, 1e-14);
  CHECK(art_reaction(m, d, "q", f, t, NULL) == ART_OK);
  CHECK_NEAR(f, got + 3, 3, 1e-14);
  CHECK_NEAR(to, got + 3, 3, 1e-14);

  // the crank's end moves along x by 0.9 m/s, the rocker's by as much and along -z by a third of it
  const double spin[2] = {got[6], got[7]};
  CHECK(isfinite(spin[1]));
  CHECK_NEAR(&spin[0], ((double[1]){0.5}), 1, 1e-12);
  CHECK(art_reaction(m, d, "r", f, t, NULL) == ART_BAD_INPUT);
  CHECK(art_rod_forces(m, d, "a", from, to, NULL) == ART_BAD_INPUT);
}
