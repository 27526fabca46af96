// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Planar loops in files with few digits: every axis and point of machines in a plane that lies anyhow in
// space is off by up to 1e-6, and they move as the exact ones do, by all methods.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"

//---- a machine in the plane ----------------------------------------------------------------------

typedef struct pair {
  double x, z;
} pair;

typedef struct planarBar {
  const char *name;
  pair from, to;
} planarBar;

typedef struct planarJoint {
  const char *name, *from, *to;
  pair at, slide; // slide: of a prismatic joint, or zero
} planarJoint;

typedef struct planar {
  int nbar, njoint;
  planarBar bar[8];
  planarJoint joint[10];
  int rank, rows;
} planar;


static const planar FOUR_BAR = {3,
                                4,
                                {{"crank", {0, 0}, {0.1, 0.29}},
                                 {"coupler", {0.1, 0.29}, {0.83, 0.61}},
                                 {"rocker", {0.9, 0}, {0.83, 0.61}}},
                                {{"pin", "ground", "crank", {0, 0}, {0, 0}},
                                 {"knee", "crank", "coupler", {0.1, 0.29}, {0, 0}},
                                 {"foot", "ground", "rocker", {0.9, 0}, {0, 0}},
                                 {"hinge", "coupler", "rocker", {0.83, 0.61}, {0, 0}}},
                                2,
                                5};

static const planar SLIDER_CRANK = {3,
                                    4,
                                    {{"crank", {0, 0}, {0.05, 0.09}},
                                     {"rod", {0.05, 0.09}, {0.34, 0}},
                                     {"piston", {0.34, 0}, {0.44, 0}}},
                                    {{"pin", "ground", "crank", {0, 0}, {0, 0}},
                                     {"knee", "crank", "rod", {0.05, 0.09}, {0, 0}},
                                     {"wrist", "rod", "piston", {0.34, 0}, {0, 0}},
                                     {"way", "ground", "piston", {0.34, 0}, {1, 0}}},
                                    2,
                                    5};

static const planar TRAMMEL = {
    3,
    4,
    {{"level", {0.4, 0}, {0.5, 0}}, {"upright", {0, 0.3}, {0, 0.4}}, {"rod", {0.4, 0}, {0, 0.3}}},
    {{"px", "ground", "level", {0.4, 0}, {1, 0}},
     {"pz", "ground", "upright", {0, 0.3}, {0, 1}},
     {"a", "level", "rod", {0.4, 0}, {0, 0}},
     {"b", "rod", "upright", {0, 0.3}, {0, 0}}},
    2,
    5};

// a table on three legs of two bars each
static const planar ROBOT = {7,
                             9,
                             {{"u0", {1, 0}, {0.6, 0.5}},
                              {"l0", {0.6, 0.5}, {0.3, 0}},
                              {"u1", {-0.5, 0.9}, {-0.7, 0.3}},
                              {"l1", {-0.7, 0.3}, {-0.15, 0.25}},
                              {"u2", {-0.5, -0.9}, {0.1, -0.8}},
                              {"l2", {0.1, -0.8}, {-0.15, -0.25}},
                              {"table", {0, 0}, {0.1, 0}}},
                             {{"g0", "ground", "u0", {1, 0}, {0, 0}},
                              {"k0", "u0", "l0", {0.6, 0.5}, {0, 0}},
                              {"t0", "l0", "table", {0.3, 0}, {0, 0}},
                              {"g1", "ground", "u1", {-0.5, 0.9}, {0, 0}},
                              {"k1", "u1", "l1", {-0.7, 0.3}, {0, 0}},
                              {"t1", "l1", "table", {-0.15, 0.25}, {0, 0}},
                              {"g2", "ground", "u2", {-0.5, -0.9}, {0, 0}},
                              {"k2", "u2", "l2", {0.1, -0.8}, {0, 0}},
                              {"t2", "l2", "table", {-0.15, -0.25}, {0, 0}}},
                             4,
                             10};


// three cranks of one length and direction under a table: the third follows from two
static const planar CRANKS = {4,
                              6,
                              {{"c0", {0, 0}, {0.2, 0.25}},
                               {"c1", {0.5, 0.1}, {0.7, 0.35}},
                               {"c2", {1.1, -0.1}, {1.3, 0.15}},
                               {"table", {0.2, 0.25}, {1.3, 0.15}}},
                              {{"g0", "ground", "c0", {0, 0}, {0, 0}},
                               {"t0", "c0", "table", {0.2, 0.25}, {0, 0}},
                               {"g1", "ground", "c1", {0.5, 0.1}, {0, 0}},
                               {"t1", "c1", "table", {0.7, 0.35}, {0, 0}},
                               {"g2", "ground", "c2", {1.1, -0.1}, {0, 0}},
                               {"t2", "c2", "table", {1.3, 0.15}, {0, 0}}},
                              3,
                              10};


//---- as text, with few digits --------------------------------------------------------------------

typedef struct writer {
  char text[8000];
  size_t used;
  double off; // every number is off by up to this
  uint64_t seed;
} writer;


static void put(writer *w, const char *format, ...) ART_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  w->used += (size_t) vsnprintf(w->text + w->used, sizeof w->text - w->used, format, args);
  va_end(args);
}


// x and z of the plane and y across it, turned into space: columns of a rotation
static void put_vector(writer *w, double x, double y, double z)
{
  static const double R[3][3] = {
      {2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
  put(w, "[");
  for (int i = 0; i < 3; i++) {
    const double exact = R[i][0] * x + R[i][1] * y + R[i][2] * z;
    put(w, "%s%.17g", i ? ", " : "", exact + w->off * check_uniform(&w->seed, -1, 1));
  }
  put(w, "]");
}


// joints given in ground, or by points of the bodies
static void write_machine(writer *w, const planar *p, int in_bodies)
{
  put(w, "articula: 1\ngravity: ");
  put_vector(w, 0, 0, -9.81);
  put(w, "\nbodies:\n");
  for (int i = 0; i < p->nbar; i++) {
    const planarBar *b = &p->bar[i];
    const double dx = b->to.x - b->from.x, dz = b->to.z - b->from.z, J = (dx * dx + dz * dz) / 12;
    put(w, "  %s: {mass: 1, inertia: [%g, %g, %g], com: ", b->name, J, J, J);
    put_vector(w, 0.5 * dx, 0, 0.5 * dz);
    if (!in_bodies) {
      put(w, ", position: ");
      put_vector(w, b->from.x, 0, b->from.z);
    }
    put(w, "}\n");
  }
  put(w, "joints:\n");
  for (int i = 0; i < p->njoint; i++) {
    const planarJoint *j = &p->joint[i];
    const int slides = j->slide.x != 0 || j->slide.z != 0;
    put(w, "  %s: {type: %s, axis: ", j->name, slides ? "prismatic" : "revolute");
    put_vector(w, j->slide.x, slides ? 0 : 1, j->slide.z);
    const char *end[2] = {j->from, j->to};
    for (int side = 0; side < 2; side++) {
      put(w, ", %s: ", side ? "to" : "from");
      if (!in_bodies) {
        put(w, "%s", end[side]);
        continue;
      }
      pair origin = {0, 0};
      for (int k = 0; k < p->nbar; k++) {
        if (strcmp(p->bar[k].name, end[side]) == 0) origin = p->bar[k].from;
      }
      put(w, "{frame: %s, position: ", end[side]);
      put_vector(w, j->at.x - origin.x, 0, j->at.z - origin.z);
      put(w, "}");
    }
    if (!in_bodies) {
      put(w, ", at: ");
      put_vector(w, j->at.x, 0, j->at.z);
    }
    put(w, "}\n");
  }
}


static artModel *planar_model(const planar *p, double off, int in_bodies, uint64_t seed)
{
  writer w = {.off = off, .seed = seed};
  write_machine(&w, p, in_bodies);
  return keep_text(w.text);
}


// all positions after a while; 0 when the run fails
static int run_machine(const artModel *m, artMethod method, double until, double *q)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = NULL;
  study.until = until, study.method = method, study.tolerance = 1e-9;
  artStatus status = art_create_run(&run, m, d, &study, &check_error);
  if (status == ART_OK) status = art_run_to(run, until, &check_error);
  if (!CHECK(status == ART_OK)) printf("%s: %s\n", art_method_name(method), check_error.text);
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  art_free_run(run);
  return status == ART_OK;
}


static const planar *const MACHINES[] = {&FOUR_BAR, &SLIDER_CRANK, &TRAMMEL, &ROBOT};


TEST(planar_machines_with_few_digits_have_their_freedom)
{
  for (int i = 0; i < 4; i++) {
    for (int in_bodies = 0; in_bodies < 2; in_bodies++) {
      for (double off = 1e-12; off < 3e-6; off *= 10) {
        artModel *m = planar_model(MACHINES[i], off, in_bodies, 7 + (uint64_t) i);
        artData *d = keep_fresh_data(m);
        artAssembly result = {0};
        CHECK_WORKS(art_assemble(m, d, &result, &check_error));
        CHECK_EQ_INT(result.rank, MACHINES[i]->rank);
        CHECK_EQ_INT(result.rows, MACHINES[i]->rows);
      }
    }
  }
}


TEST(they_move_as_the_exact_ones_by_all_methods)
{
  static const artMethod method[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, ART_INDEX1,
                                     ART_INDEX3};
  for (int i = 0; i < 3; i++) {
    double exact[16], rounded[16];
    artModel *m = planar_model(MACHINES[i], 0, 0, 1), *n = planar_model(MACHINES[i], 1e-6, 0, 3);
    if (!m || !n) return;
    for (int k = 0; k < 5; k++) {
      if (!run_machine(m, method[k], 0.2, exact) || !run_machine(n, method[k], 0.2, rounded)) break;
      CHECK_NEAR(rounded, exact, m->tree.nq, 1e-4);
    }
  }
}


TEST(what_was_off_is_noted)
{
  artModel *m = planar_model(&FOUR_BAR, 1e-6, 1, 5);
  double angle = 0, place = 0;
  for (int j = 0; j < m->njoint; j++) {
    angle = check_larger(angle, m->joint[j].angle_off);
    place = check_larger(place, m->joint[j].place_off);
  }
  CHECK(m->joint[0].angle_off == 0);
  CHECK(angle > 1e-7 && angle < 5e-6);
  CHECK(place > 1e-8 && place < 1e-5);
}


TEST(exact_machines_are_left_alone)
{
  for (const loopSample *s = loop_samples; s->name; s++) {
    artModel *m = keep_model(s->make());
    for (int j = 0; j < m->njoint; j++) {
      CHECK(m->joint[j].angle_off == 0 && m->joint[j].place_off == 0);
    }
  }
}


TEST(what_is_off_by_more_is_not_touched)
{
  artModel *m = planar_model(&FOUR_BAR, 1e-3, 0, 5);
  for (int j = 0; j < m->njoint; j++) CHECK(m->joint[j].angle_off == 0);
}


TEST(cranks_that_rounding_locks_are_named)
{
  for (double off = 0; off < 2e-6; off += 1e-6) {
    for (int rate = 0; rate < 2; rate++) {
      artModel *m = planar_model(&CRANKS, off, 0, 2);
      artData *d = keep_fresh_data(m);
      artAssembly result = {0};
      artError error = {0};
      m->is_given_v[0] = (char) rate;
      d->v[0] = rate;
      const artStatus status = art_assemble(m, d, &result, &error);
      CHECK_EQ_INT(status, off > 0 ? ART_BAD_INPUT : ART_OK);
      if (off > 0) {
        CHECK_CONTAINS(error.text, "the machine is locked by small differences of its lengths");
        CHECK_CONTAINS(error.text, "of its length or rad; joint 't");
      } else {
        CHECK_EQ_INT(result.dof, 1);
      }
    }
  }
}


// near a singular position, but not in it, a machine is not locked
TEST(a_truss_near_its_dead_centre_is_no_locked_machine)
{
  // two bars that are nearly in line, between ground and ground: a structure
  static const planar TRUSS = {2,
                               3,
                               {{"a", {0, 0}, {0.5, 1e-5}}, {"b", {1, 0}, {0.5, 1e-5}}},
                               {{"ja", "ground", "a", {0, 0}, {0, 0}},
                                {"jb", "ground", "b", {1, 0}, {0, 0}},
                                {"jc", "a", "b", {0.5, 1e-5}, {0, 0}}},
                               2,
                               5};
  artModel *m = planar_model(&TRUSS, 0, 0, 2);
  artData *d = keep_fresh_data(m);
  artAssembly result = {0};
  CHECK_WORKS(art_assemble(m, d, &result, &check_error));
  CHECK_EQ_INT(result.dof, 0);
}
