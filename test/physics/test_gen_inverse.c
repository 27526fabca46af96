// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated forces of actuators (Postiau 2004, section 2.5.1) of machines with loops: against studies of type inverse, against
// the pseudo-inverse, and there and back with accelerations under these forces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "articula/articula.h"
#include "data/work.h"
#include "loop/loop.h"
#include "model/read/reader.h"
#include "study/study.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/full.h"
#include "support/keep.h"
#include "support/programs.h"

enum { MOST = 12, COORDINATES = 80, REACTIONS = 200, TEXT = 6000 };

static char folder[] = "/tmp/articula-inverse-XXXXXX";

// coordinates that are moved, and some that act; more than those that move have the least forces
typedef struct actuation {
  const char *file;
  const char *moved[MOST];
  const char *actuator[MOST];
  double weight[MOST];
} actuation;

#define ARMS     "arm1/base.angle", "arm2/base.angle", "arm3/base.angle"
#define ELBOWS   "arm1/elbow.angle", "arm2/elbow.angle", "arm3/elbow.angle"
#define MOTORS   "arm1/motor.angle", "arm2/motor.angle", "arm3/motor.angle"
#define PLATFORM "float.x", "float.y", "float.angle"
#define STROKES                                                                                    \
  "leg1/stroke.slide", "leg2/stroke.slide", "leg3/stroke.slide", "leg4/stroke.slide",              \
      "leg5/stroke.slide", "leg6/stroke.slide"

static const actuation cases[] = {
    {"four-bar", {"pivot.angle"}, {0}, {0}},
    {"four-bar", {"pivot.angle"}, {"crankpin.angle"}, {0}},
    {"four-bar", {"bearing.angle"}, {"pivot.angle"}, {0}},
    {"four-bar", {"pivot.angle"}, {"pivot.angle", "bearing.angle"}, {0}},
    {"four-bar", {"pivot.angle"}, {"bearing.angle", "crankpin.angle"}, {2, 0.5}},
    {"planar-robot-1", {ARMS}, {0}, {0}},
    {"planar-robot-1", {ARMS}, {ELBOWS}, {0}},
    {"planar-robot-2", {ARMS}, {"arm3/base", "arm1/base", "arm2/base"}, {0}},
    {"planar-robot-2", {ARMS}, {"arm3/base", "arm1/elbow", "arm2/base"}, {0}},
    {"planar-robot-3", {ARMS}, {ARMS, ELBOWS}, {0}},
    {"planar-robot-3", {ARMS}, {"arm2/elbow", "arm1/base", "arm3/base", "arm1/elbow"}, {0}},
    {"planar-robot-4", {PLATFORM}, {ARMS}, {0}},
    {"planar-robot-4", {PLATFORM}, {ARMS, "arm1/elbow.angle"}, {1, 2, 3, 4}},
    {"planar-robot-4", {ARMS}, {ARMS, "float.angle"}, {4, 3, 2, 5}},
    {"delta", {MOTORS}, {0}, {0}},
    {"delta", {"x.slide", "y.slide", "z.slide"}, {MOTORS}, {0}},
    {"delta", {"x.slide", "y.slide", "z.slide"}, {MOTORS, "z.slide"}, {0}},
    {"stewart", {STROKES}, {0}, {0}},
    {"stewart",
     {STROKES},
     {"leg6/stroke", "leg1/stroke", "leg5/stroke", "leg2/stroke", "leg4/stroke", "leg3/stroke"},
     {0}},
    {"stewart", {STROKES}, {STROKES, "leg1/cross.angle1"}, {0}},
    {"geared-five-bar", {"left_pivot.angle"}, {0}, {0}},
    {"geared-five-bar", {"left_pivot.angle"}, {"right_pivot.angle"}, {0}},
    {"geared-five-bar", {"left_pivot.angle"}, {"left_pivot.angle", "right_pivot.angle"}, {0}},
};


static int count(const char *const *name)
{
  int n = 0;
  while (n < MOST && name[n]) n++;
  return n;
}


static int agree(int n, const double *got, const double *want, double tolerance)
{
  const double size = check_larger(1e-3, check_largest(n, want));
  return CHECK_NEAR(got, want, n, tolerance * size);
}

//---- models --------------------------------------------------------------------------------------

static void path_of(const char *name, char path[300])
{
  snprintf(path, 300, "%s/%s.yaml", folder, name);
}


static const char *source_of(const char *file, char path[300])
{
  snprintf(path, 300, "%s/models/loops/%s.yaml", ART_SOURCE_DIR, file);
  return path;
}


// where the coordinates stand once loops are closed
static int find_start(const actuation *c, double *start)
{
  char path[300];
  artModel *m = keep_file(source_of(c->file, path));
  const artData *d = keep_assembled_data(m);
  int found = 1;
  for (int i = 0; i < count(c->moved); i++) {
    const int q = art_find_position(m, c->moved[i]);
    found &= CHECK(q >= 0);
    start[i] = q >= 0 ? d->q[q] : 0;
  }
  return found;
}


// The machine with a study of type inverse; every coordinate that acts has a force that is a parameter u1, u2 ... of the
// file, 0 unless it is set.
static void write_model(const actuation *c, const double *start)
{
  char path[300];
  FILE *out = folder_open(folder, "machine.yaml", "w");
  fprintf(out, "articula: 1\ninclude: [{file: %s}]\n", source_of(c->file, path));
  const char *const *acts = c->actuator[0] ? c->actuator : c->moved;
  fputs("parameters: {", out);
  for (int i = 0; i < count(acts); i++) fprintf(out, "%su%d: 0", i ? ", " : "", i + 1);
  fputs("}\nforces:\n", out);
  for (int i = 0; i < count(acts); i++) {
    fprintf(out, "  u%d: {type: joint-force, coordinate: %s, value: = u%d}\n", i + 1, acts[i],
            i + 1);
  }
  fputs("studies:\n  move:\n    type: inverse\n    until: 1\n    motion:\n", out);
  for (int i = 0; i < count(c->moved); i++) {
    fprintf(out, "      %s: = %.17g + %g*sin(%d*time)\n", c->moved[i], start[i], 0.05, 3 + i);
  }
  for (int i = 0; i < count(c->actuator); i++) {
    fprintf(out, "%s%s%s", i ? ", " : "    actuators: [", c->actuator[i],
            c->actuator[i + 1] ? "" : "]\n");
  }
  CHECK(fclose(out) == 0);
}

//---- programs ------------------------------------------------------------------------------------

static eqnProgram *make_program(const artModel *m, artData *d, const actuation *c, artError *error)
{
  char independent[500] = "";
  eqnProgram *p = NULL;
  for (int i = 0; i < count(c->moved); i++) {
    const size_t used = strlen(independent);
    snprintf(independent + used, sizeof independent - used, "%s%s", i ? "," : "", c->moved[i]);
  }
  art_reset(m, d);
  art_update(m, d);
  if (!CHECK(art_assemble(m, d, NULL, error) == ART_OK)) return NULL;
  const genOptions options = {.forms = GEN_MACHINE_INVERSE | GEN_IMPLICIT | GEN_REACTIONS,
                              .independent = independent,
                              .nactuator = count(c->actuator),
                              .actuator = c->actuator,
                              .weight = c->weight[0] > 0 ? c->weight : NULL};
  return gen_create(&p, m, d, &options, error) == ART_OK ? keep_recorded(p) : NULL;
}


// A function at the state of the data; only the accelerations of the coordinates that are moved are told.
static int evaluate(const eqnProgram *p, const artModel *m, const artData *d, const actuation *c,
                    const char *name, double *a, double *const *out)
{
  const eqnList *list = keep_function(p, name, NULL);
  double t = d->time, q[COORDINATES], v[COORDINATES], *const in[] = {&t, q, v, a};
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  memcpy(v, d->v, (size_t) m->tree.nv * sizeof *v);
  for (int k = 0; k < m->tree.nv; k++) a[k] = 1e3;
  for (int i = 0; i < count(c->moved); i++) {
    const int k = m->position[art_find_position(m, c->moved[i])].partner;
    a[k] = d->a[k];
  }
  return eqn_evaluate(list, NULL, in, out, NULL, NULL);
}


static void read_actuators(const eqnProgram *p, const artModel *m, int *n, int *actuator)
{
  const eqnVector *tau = &gen_function(p, "machine_inverse")->output[0];
  *n = tau->n;
  for (int i = 0; i < tau->n; i++) actuator[i] = art_find_velocity(m, tau->label[i]);
}

//---- the pseudo-inverse --------------------------------------------------------------------------

// x = W^-1 G^T (G W^-1 G^T)^-1 R^T g with the R of the numeric side
static void least_forces(const artModel *m, artData *d, const double *weight, int na,
                         const int *actuator, double *x)
{
  const loopBlocks *blocks;
  double g[COORDINATES], y[COORDINATES], G[MOST * MOST], A[MOST * MOST], psi[MOST];
  CHECK(study_missing_forces(m, d, d->a, g, NULL) == ART_OK);
  CHECK(loop_close(m, d, NULL) == ART_OK);
  blocks = d->work->loop->blocks;
  const int nu = blocks->nu;
  blocks_project(blocks, g);
  for (int u = 0; u < nu; u++) {
    psi[u] = g[blocks->column_u[u]];
    memset(y, 0, sizeof y);
    y[blocks->column_u[u]] = 1;
    blocks_multiply(blocks, y);
    for (int j = 0; j < na; j++) G[u * na + j] = y[actuator[j]];
  }
  for (int u = 0; u < nu; u++) {
    for (int k = 0; k < nu; k++) {
      A[u * nu + k] = 0;
      for (int j = 0; j < na; j++) A[u * nu + k] += G[u * na + j] * G[k * na + j] / weight[j];
    }
  }
  CHECK(full_solve(nu, A, psi));
  for (int j = 0; j < na; j++) {
    x[j] = 0;
    for (int u = 0; u < nu; u++) x[j] += G[u * na + j] * psi[u] / weight[j];
  }
}

//---- one machine ---------------------------------------------------------------------------------

// accelerations of the machine under the forces
static int check_back(const artData *d, int na, const double *tau)
{
  char path[300], name[MOST][16];
  artSetting setting[MOST];
  artModel *m = NULL;
  for (int j = 0; j < na; j++) {
    snprintf(name[j], sizeof name[j], "u%d", j + 1);
    setting[j] = (artSetting){.name = name[j], .value = tau[j]};
  }
  path_of("machine", path);
  if (!CHECK(art_load_model_with(&m, path, na, setting, NULL) == ART_OK)) return 0;
  keep_model(m);
  artData *e = keep_copied_data(m, d);
  return CHECK(art_accelerate(m, e, ART_SEMIRECURSIVE, NULL) == ART_OK) &&
         agree(m->tree.nv, e->a, d->a, 1e-9);
}


static int check_reactions(const eqnProgram *p, const artModel *m, artData *d, const actuation *c)
{
  double a[COORDINATES], tau[MOST], lambda[COORDINATES], got[REACTIONS], want[REACTIONS];
  int held = CHECK_EQ_INT(
      evaluate(p, m, d, c, "machine_inverse_reactions", a, (double *[]){tau, lambda, got}), 0);
  for (int j = 0; j < m->njoint; j++) {
    held &=
        CHECK(art_reaction(m, d, m->joint[j].name, want + 6 * j, want + 6 * j + 3, NULL) == ART_OK);
  }
  return held && agree(6 * m->njoint, got, want, 1e-9);
}


static int check_instant(const actuation *c, const eqnProgram *p, const artModel *m, artData *d,
                         double t)
{
  const int nv = m->tree.nv, is_weighted = c->weight[0] > 0;
  int na, actuator[MOST];
  double all[COORDINATES], want[MOST], got[MOST], least[MOST], a[COORDINATES];
  read_actuators(p, m, &na, actuator);
  if (!CHECK_WORKS(art_inverse_at(m, d, &art_find_study(m, ART_INVERSE, "move")->inverse, t, all,
                                  &check_error))) {
    printf("  %s: %s\n", c->file, check_error.text);
    return 0;
  }
  for (int j = 0; j < na; j++) want[j] = all[actuator[j]];
  int held = CHECK_EQ_INT(evaluate(p, m, d, c, "machine_inverse", a, (double *[]){got}), 0);
  held &= agree(nv, a, d->a, 1e-10);
  if (!is_weighted) held &= agree(na, got, want, 1e-10) && check_reactions(p, m, d, c);
  held &= check_back(d, na, got);

  const double one[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  least_forces(m, d, is_weighted ? c->weight : one, na, actuator, least);
  return held & agree(na, got, least, 1e-9);
}


static void check_case(const actuation *c)
{
  char path[300];
  double start[MOST];
  if (!find_start(c, start)) return;
  write_model(c, start);
  path_of("machine", path);
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  const eqnProgram *p = make_program(m, d, c, &check_error);
  int held = CHECK(p);
  for (int i = 0; held && i < 5; i++) held = check_instant(c, p, m, d, 0.17 * i);
  if (!held) {
    printf("  in %s moved by %s, with %s: %s\n", c->file, c->moved[0],
           c->actuator[0] ? c->actuator[0] : "these", check_error.text);
  }
}


TEST(forces_are_those_of_the_study_and_make_the_motion)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

//---- cuts ----------------------------------------------------------------------------------------

// forces of the motors of a machine at one position, velocity and acceleration of these
static int motors_of(const artModel *m, const actuation *c, double tau[MOST])
{
  artData *d = keep_fresh_data(m);
  const eqnProgram *p = make_program(m, d, c, &check_error);
  double a[COORDINATES];
  int made = CHECK(p);
  for (int i = 0; made && i < count(c->moved); i++) {
    const int q = art_find_position(m, c->moved[i]), v = m->position[q].partner;
    d->q[q] += 0.1 - 0.03 * i;
    d->v[v] = 1 + 0.3 * i;
    d->a[v] = 2 - 1.1 * i;
  }
  made = made && CHECK_EQ_INT(evaluate(p, m, d, c, "machine_inverse", a, (double *[]){tau}), 0);
  if (!made) printf("  %s: %s\n", c->file, check_error.text);
  return made;
}


TEST(forces_do_not_depend_on_the_cut)
{
  static const char *const robots[] = {"planar-robot-1", "planar-robot-2", "planar-robot-3",
                                       "planar-robot-4"};
  double first[MOST], tau[MOST];
  for (int i = 0; i < 4; i++) {
    char path[300];
    const actuation c = {.file = robots[i], .moved = {ARMS}};
    artModel *m = keep_file(source_of(robots[i], path));
    if (motors_of(m, &c, i == 0 ? first : tau) && i > 0) agree(3, tau, first, 1e-10);
    CHECK(check_largest(3, first) > 1);
  }
}


TEST(cuts_of_the_file_and_of_the_call_give_the_same_forces)
{
  static const char *const cuts[] = {"wrist", "crankpin", "bearing", "pivot"};
  const actuation c = {.file = "four-bar", .moved = {"pivot.angle"}};
  double first = 0;
  for (int i = 0; i < 4; i++) {
    char path[300];
    artModel *m = NULL;
    const readerCut cut = {cuts[i], -1};
    double tau[MOST];
    if (!CHECK(reader_load_recut(&m, source_of(c.file, path), 1, &cut, NULL) == ART_OK)) continue;
    keep_model(m);
    CHECK_EQ_INT(m->cut[0].joint, table_find(&m->joints, cuts[i]));
    if (motors_of(m, &c, tau)) {
      if (i == 0) first = tau[0];
      CHECK(fabs(tau[0]) > 0.1);
      agree(1, tau, &first, 1e-10);
    }
  }
}

//---- impossible demands --------------------------------------------------------------------------

TEST(too_few_actuators_are_refused_and_have_psi_and_G)
{
  char path[300];
  artError error = {0};
  const actuation c = {.file = "planar-robot-3", .moved = {ARMS}, .actuator = {"arm2/elbow"}};
  artModel *m = keep_file(source_of(c.file, path));
  artData *d = keep_fresh_data(m);
  CHECK(make_program(m, d, &c, &error) == NULL);
  CHECK_EQ_INT(error.status, ART_BAD_INPUT);
  CHECK_TEXT(
      error.text,
      "3 coordinates of the machine are independent, 'arm1/base.rate', 'arm2/base.rate', "
      "'arm3/base.rate', and 1 act, 'arm2/elbow.rate': name at least that many actuators; the "
      "form implicit has psi and G of psi = G tau");

  // B of the elbow by the arms, against differences of closed positions
  const genOptions options = {.forms = GEN_IMPLICIT, .nactuator = 1, .actuator = c.actuator};
  const eqnProgram *p = keep_program(m, d, &options);
  double a[COORDINATES], psi[3], G[3];
  if (CHECK_EQ_INT(evaluate(p, m, d, &c, "implicit", a, (double *[]){psi, G}), 0)) {
    const int elbow = art_find_velocity(m, "arm2/elbow.rate");
    for (int u = 0; u < 3; u++) {
      memset(d->v, 0, (size_t) m->tree.nv * sizeof *d->v);
      d->v[art_find_velocity(m, gen_function(p, "implicit")->output[0].label[u])] = 1;
      CHECK(loop_close(m, d, NULL) == ART_OK);
      CHECK_CLOSE(G[u], d->v[elbow], 1e-12);
    }
    CHECK(check_largest(3, G) > 0.1 && check_largest(3, psi) > 0.1);
  }
}


// two joints that a gear makes one, and a third
static const char *const gears =
    "articula: 1\n"
    "bodies: {a: {mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, "
    "1]},\n"
    "  c: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}}\n"
    "joints:\n  one: {type: revolute, axis: y, from: ground, to: a}\n"
    "  two: {type: revolute, axis: y, from: ground, to: b}\n"
    "  three: {type: revolute, axis: y, from: ground, to: c}\n"
    "couplings: {teeth: {type: gear, joints: [one, two], ratio: -3}}\n";


// as many as there are degrees of freedom, two of them on the same
TEST(actuators_that_leave_a_coordinate_alone_are_refused)
{
  artModel *m = keep_text(gears);
  artError error = {0};
  const actuation c = {
      .file = "gears", .moved = {"one.angle", "three.angle"}, .actuator = {"one", "two"}};
  artData *d = keep_fresh_data(m);
  CHECK(make_program(m, d, &c, &error) == NULL);
  CHECK_EQ_INT(error.status, ART_SINGULAR);
  CHECK_TEXT(error.text,
             "the actuators 'one.rate', 'two.rate' do not move 'three.rate' by themselves "
             "at this position; add an actuator there, or give another initial state");
}


// the force on the slider that moves its crank, in code
static artGenerated *slider_forces(const artModel *m, artData *d)
{
  static const char *const slider[] = {"guide"};
  artGenerateDef def = art_default_generate();
  def.forms = ART_FORM_MACHINE_INVERSE, def.independent = "main", def.nactuator = 1;
  def.actuator = slider;
  artGenerated *g = NULL;
  CHECK_WORKS(art_load_generated(&g, m, d, &def, &check_error));
  return keep_generated(g);
}


// an engine, its crank moved by the first of a row of windows, cranks side by side along z; to be freed
static char *engine_with_windows(int n)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  fputs("articula: 1\nbodies:\n  crank0: {mass: 2, inertia: [0.02, 0.02, 0.02]}\n"
        "  rod: {mass: 0.8, com: [0.275, 0, 0], inertia: [0.009, 0.009, 0.009]}\n"
        "  slider: {mass: 1.3, com: [0.45, 0, 0], inertia: [0.01, 0.01, 0.01]}\n",
        out);
  for (int i = 1; i <= n; i++) {
    fprintf(out, "  crank%d: {mass: 2, inertia: [0.02, 0.02, 0.02]}\n", i);
    fprintf(out, "  bar%d: {mass: 1, com: [0.1, 0, %g], inertia: [0.1, 0.1, 0]}\n", i, i - 0.5);
  }
  fputs("joints:\n  main: {type: revolute, axis: y, from: ground, to: crank0}\n"
        "  big: {type: revolute, axis: y, from: crank0, to: rod, at: [0.1, 0, 0]}\n"
        "  small: {type: revolute, axis: y, from: rod, to: slider, at: [0.45, 0, 0], loop: cut}\n"
        "  guide: {type: prismatic, axis: x, from: ground, to: slider}\n",
        out);
  for (int i = 1; i <= n; i++) {
    const char *const pin = "{type: revolute, axis: y, from";
    fprintf(out, "  pivot%d: %s: ground, to: crank%d, at: [0, 0, %d]}\n", i, pin, i, i);
    fprintf(out, "  left%d: %s: crank%d, to: bar%d, at: [0.1, 0, %d]}\n", i, pin, i - 1, i, i - 1);
    fprintf(out, "  right%d: %s: bar%d, to: crank%d, at: [0.1, 0, %d], loop: cut}\n", i, pin, i, i,
            i);
  }
  fputs("initial: {main: {angle: 0.3}}\n", out);
  fclose(out);
  return text;
}


// A slider does not turn its crank at the dead centre; drives push it there in any case. The same of a machine so large
// that its statements stand in loops.
TEST(dead_centres_are_told_apart)
{
  enum { MAX_WINDOWS = 120 };
  for (int n = 0; n <= MAX_WINDOWS; n += MAX_WINDOWS) {
    char *text = engine_with_windows(n);
    artModel *m = keep_text(text);
    free(text);
    artData *d = keep_assembled_data(m);
    artGenerated *g = slider_forces(m, d);
    const int f = art_find_generated(g, "machine_inverse"),
              main = art_find_position(m, "main.angle");
    double t = 0, v[3 + 2 * MAX_WINDOWS] = {0}, a[3 + 2 * MAX_WINDOWS] = {0}, tau = 0;
    double *const in[] = {&t, d->q, v, a}, *const out[] = {&tau};
    for (int side = 0; side < (n == 0 ? 3 : 1); side++) {
      if (side > 0) d->q[main] = side == 1 ? 1.1 : 1e-3;
      CHECK_WORKS(art_generated_call(g, f, in, out, &check_error));
      CHECK(isfinite(tau) && fabs(tau) > 1);
    }
    for (int i = 0; i < m->tree.nq; i++) d->q[i] = 0;
    CHECK_SAYS(art_generated_call(g, f, in, out, &check_error), ART_SINGULAR,
               "the actuators do not reach all independent coordinates at the state that "
               "'machine_inverse' was given");
    d->q[main] = NAN;
    CHECK_SAYS(art_generated_call(g, f, in, out, &check_error), ART_NO_CONVERGENCE,
               "the loops cannot be closed, or the contacts of wheels not be found, from the state "
               "that 'machine_inverse' was given");
  }
}


TEST(independent_coordinates_that_do_not_fit_are_refused)
{
  char path[300];
  artError error = {0};
  const actuation c = {.file = "four-bar", .moved = {"pivot.angle", "crankpin.angle"}};
  artModel *m = keep_file(source_of(c.file, path));
  artData *d = keep_fresh_data(m);
  CHECK(make_program(m, d, &c, &error) == NULL);
  CHECK_CONTAINS(error.text, "the choice of independent ones does not fit");
  m = keep_text("articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {pin: {type: revolute, axis: y, from: ground, to: a}}\n");
  d = keep_fresh_data(m);
  const actuation tree = {.file = "tree", .moved = {"pin.angle"}};
  CHECK(make_program(m, d, &tree, &error) == NULL);
  CHECK_CONTAINS(error.text, "and this machine has none");
}


int main(int argc, char **argv)
{
  if (!mkdtemp(folder)) return 1;
  setenv("XDG_CACHE_HOME", folder, 1);
  const int failed = check_main(argc, argv);
  return folder_remove(folder) ? failed : 1;
}
