// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of generated equations: with another value of a parameter they are the model that is read with it, for the
// parameters of all models; one that is frozen says so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/programs.h"
#include "tyre/tyre.h"

// of accelerations and outputs, beside the largest of them; linear systems of loops lose some digits
#define LIMIT 1e-9

static struct {
  int models, parameters, idle, frozen, refused;
  double worst;
} seen;

typedef struct walk {
  const char *path;
  const artModel *m;
  const eqnProgram *program;
  eqnList *accelerate, *outputs;
} walk;

//---- evaluation ----------------------------------------------------------------------------------

static void no_call(void *context, int external, const double *x, double *result)
{
  (void) context;
  (void) external;
  (void) x;
  *result = NAN;
}


// a function at the data's state; output 0 is left in y, and the second one in `rates`, where it is asked for
static int evaluate(const eqnList *list, const artData *d, const double *parameter, double *y,
                    double *rates)
{
  const eqnFunction *f = list->function;
  double *in[12] = {NULL}, *out[12] = {NULL};
  if (!CHECK(f->ninput <= 12 && f->noutput <= 12)) return 0;
  for (int k = 0; k < f->ninput; k++) {
    const char *name = f->input[k].name;
    const double *from = strcmp(name, "t") == 0       ? &d->time
                         : strcmp(name, "q") == 0     ? d->q
                         : strcmp(name, "v") == 0     ? d->v
                         : strcmp(name, "state") == 0 ? d->s
                         : strcmp(name, "u") == 0     ? d->u
                                                      : NULL;
    in[k] = keep_numbers(f->input[k].n);
    if (from) memcpy(in[k], from, (size_t) f->input[k].n * sizeof(double));
  }
  for (int k = 0; k < f->noutput; k++) out[k] = keep_numbers(f->output[k].n);
  if (eqn_evaluate(list, parameter, in, out, no_call, NULL)) return 0;
  memcpy(y, out[0], (size_t) f->output[0].n * sizeof *y);
  if (rates) memcpy(rates, out[1], (size_t) f->output[1].n * sizeof *rates);
  return 1;
}

//---- one parameter -------------------------------------------------------------------------------

// the place of the parameter in the program, -1: it is not there, -2: it is frozen
static int place_of(const eqnProgram *p, const char *name)
{
  for (int i = 0; i < p->nfrozen; i++) {
    if (strcmp(p->frozen[i].name, name) == 0) return -2;
  }
  for (int i = 0; i < p->nuser; i++) {
    if (strcmp(p->user[i].name, name) == 0) return i;
  }
  return -1;
}


static double apart(int n, const double *a, const double *b, double size)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    const double off = fabs(a[i] - b[i]) / check_larger(size, fabs(b[i]));
    most = off <= most ? most : off;
  }
  return most;
}


static eqnProgram *program_of(const artModel *m, artData *d, artError *error)
{
  eqnProgram *p = NULL;
  genOptions options = {.forms = GEN_ACCELERATE | GEN_OUTPUTS};
  if (m->nrow > 0 && art_assemble(m, d, NULL, error) != ART_OK) return NULL;
  if (gen_create(&p, m, d, &options, error) != ART_OK) {
    options.forms = GEN_ACCELERATE;
    *error = (artError){0};
    if (gen_create(&p, m, d, &options, error) != ART_OK) return NULL;
  }
  return keep_recorded(p);
}


static walk walk_of(const char *path, const artModel *m, const eqnProgram *p)
{
  walk w = {.path = path, .m = m, .program = p, .accelerate = keep_function(p, "accelerate", NULL)};
  if (gen_function(p, "outputs")) w.outputs = keep_function(p, "outputs", NULL);
  return w;
}


static void check_values(const walk *w, const artModel *other, artData *d, const double *parameter,
                         const char *name)
{
  const artCounts n = art_count(other);
  double *y = keep_numbers(n.nv + n.outputs), *x = keep_numbers(n.outputs);
  double *rates = keep_numbers(n.states);
  if (art_accelerate(other, d, other->nrow > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N, &check_error) ==
          ART_OK &&
      CHECK(evaluate(w->accelerate, d, parameter, y, n.states > 0 ? rates : NULL))) {
    double off = apart(n.nv, y, d->a, check_larger(1, check_largest(n.nv, d->a)));
    const double size = check_larger(1, check_largest(n.states, d->s_rate));
    const double rate = apart(n.states, rates, d->s_rate, size);
    off = rate <= off ? off : rate;
    if (w->outputs && evaluate(w->outputs, d, parameter, y, NULL)) {
      art_outputs(other, d, x);
      const double further = apart(n.outputs, y, x, check_larger(1, check_largest(n.outputs, x)));
      off = further <= off ? off : further;
    }
    if (CHECK(off < LIMIT)) {
      seen.worst = off <= seen.worst ? seen.worst : off;
    } else {
      printf("%s: %s: off by %g\n", w->path, name, off);
    }
  }
}


static void check_parameter(const walk *w, int i)
{
  const eqnProgram *p = w->program;
  const char *name = art_parameter_name(w->m, i);
  const double x = art_parameter_value(w->m, i);
  const artSetting setting = {name, x == 0 ? 1e-3 : x * 1.001};
  const int place = place_of(p, name);
  seen.parameters++;
  seen.frozen += place == -2;
  seen.idle += place == -1;
  artModel *other = NULL;
  if (place == -2 || art_load_model_with(&other, w->path, 1, &setting, NULL) != ART_OK) return;
  artData *d = keep_fresh_data(keep_model(other));
  double *parameter = keep_numbers(p->parameter.n);
  memcpy(parameter, p->value, (size_t) p->parameter.n * sizeof *parameter);
  if (place >= 0) parameter[place] = setting.value;
  art_update(other, d);
  if (other->nrow == 0 || art_assemble(other, d, NULL, NULL) == ART_OK) {
    check_values(w, other, d, parameter, name);
  }
}

//---- all models ----------------------------------------------------------------------------------

static void check_model(const char *path)
{
  artModel *m = NULL;
  artError error = {0};
  if (art_load_model(&m, path, NULL) != ART_OK) return; // a part that is given values elsewhere
  artData *d = keep_fresh_data(keep_model(m));
  art_update(m, d);
  const int n = art_count_parameters(m);
  const eqnProgram *p = n > 0 ? program_of(m, d, &error) : NULL;
  if (p && p->nexternal == 0) {
    const walk w = walk_of(path, m, p);
    seen.models++;
    const int few = 4, stride = getenv("ART_SOAK") || n < few ? 1 : n / few;
    for (int i = 0; i < n; i += stride) {
      if (!art_parameter_is_formula(m, i)) check_parameter(&w, i);
    }
  } else if (n > 0) {
    seen.refused++;
    CHECK(!strstr(error.text, "internal"));
    if (error.text[0]) printf("%s: %s\n", path, error.text);
  }
  check_free_kept();
}


TEST(another_value_of_a_parameter_gives_the_model_that_is_read_with_it)
{
  glob_t found = folder_models(2);
  for (size_t i = 0; i < found.gl_pathc; i++) check_model(found.gl_pathv[i]);
  globfree(&found);
  printf("%d models, %d without; %d parameters: %d idle, %d frozen; off by %.2g\n", seen.models,
         seen.refused, seen.parameters, seen.idle, seen.frozen, seen.worst);
  CHECK(seen.models > 60 && seen.parameters > 150 && seen.refused < 10);
  CHECK(seen.frozen < seen.parameters / 5);
}


//---- values that look like numbers of the build --------------------------------------------------

#define PENDULUM                                                                                   \
  "articula: 1\n"                                                                                  \
  "parameters: {m: 2 kg, L: 1 m, k: 0}\n"                                                          \
  "bodies: {bar: {mass: = m, com: [0, 0, = -L/2], inertia: [= m*L^2/12, = m*L^2/12, 0]}}\n"        \
  "joints: {pin: {type: revolute, axis: y, from: ground, to: bar}}\n"                              \
  "forces: {s: {type: joint-force, coordinate: pin, value: = -k*pin.angle}}\n"                     \
  "initial: {pin: {angle: 0.3}}\n"


static eqnProgram *pendulum_with(const artModel *m, artData *d, genOptions options, artError *error)
{
  eqnProgram *p = NULL;
  char frozen[4] = {0};
  options.forms = GEN_ACCELERATE;
  options.frozen = frozen;
  if (gen_create(&p, m, d, &options, error) != ART_OK) return NULL;
  return gen_check_frozen(keep_recorded(p), &options, error) == ART_OK ? p : NULL;
}


// m L/2 is 1 and k is 0, and both are alive
TEST(no_parameter_is_folded_for_its_value)
{
  artModel *m = keep_text(PENDULUM);
  artData *d = keep_fresh_data(m);
  const eqnProgram *p = pendulum_with(m, d, (genOptions){0}, &check_error);
  if (!CHECK(p && p->nuser == 3)) return;
  const eqnList *list = keep_function(p, "accelerate", NULL);
  double value[16], a = 0;
  for (int trial = 0; trial < 3; trial++) {
    const double mass = trial == 1 ? 4 : 2, length = trial == 2 ? 0.5 : 1, k = 3 * trial;
    for (int i = 0; i < p->parameter.n; i++) {
      const char *label = p->parameter.label[i];
      value[i] = strcmp(label, "m") == 0   ? mass
                 : strcmp(label, "L") == 0 ? length
                 : strcmp(label, "k") == 0 ? k
                                           : p->value[i];
    }
    const double angle = 0.3, inertia = mass * length * length / 3;
    const double torque = -mass * 9.81 * length / 2 * sin(angle) - k * angle;
    CHECK(evaluate(list, d, value, &a, NULL));
    CHECK(fabs(a - torque / inertia) < 1e-13 * fabs(a));
  }
}


//---- tyres of files ------------------------------------------------------------------------------

// a wheel on slides along x, y and z
#define FIVE_BODIES                                                                                \
  "bodies:\n"                                                                                      \
  "  a: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  b: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  c: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  d: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  wheel: {mass: 20, inertia: [1, 2, 1]}\n"                                                      \
  "joints:\n"                                                                                      \
  "  x: {type: prismatic, axis: x, from: ground, to: a}\n"                                         \
  "  y: {type: prismatic, axis: y, from: a, to: b}\n"                                              \
  "  z: {type: prismatic, axis: z, from: b, to: c}\n"


// A wheel that slips both ways under camber and load, every number of its tyre a parameter c_KEY; number `off` is another.
static artModel *wheel_by(const artTyre *tyre, const char *file, int off)
{
  static char text[40000];
  FILE *out = fmemopen(text, sizeof text, "w");
  const char *key;
  fputs("articula: 1\nparameters:\n", out);
  for (int k = 0; k < MAGIC_NUMBERS; k++) {
    const double x = *magic_number_at(&tyre->magic, k, &key);
    const double other = strcmp(key, "FZMAX") == 0 ? 900 : x == 0 ? 0.01 : 1.01 * x;
    fprintf(out, "  c_%s: %.17g\n", key, k != off ? x : other);
  }
  fprintf(out, "tyres: {t: {type: magic, file: %s, mirrored: true, scale: {", file);
  for (int k = 0; k < MAGIC_NUMBERS; k++) {
    magic_number_at(&tyre->magic, k, &key);
    fprintf(out, "%s%s: = c_%s", k ? ", " : "", key, key);
  }
  fprintf(out,
          "}}}\n" FIVE_BODIES "  lean: {type: revolute, axis: x, from: c, to: d}\n"
          "  spin: {type: revolute, axis: y, from: d, to: wheel}\n"
          "forces: {f: {type: tyre, wheel: wheel, tyre: t, relaxation: true}}\n"
          "initial: {x: {rate: 12}, y: {rate: 0.5}, z: {slide: %.17g, rate: -0.1},\n"
          "  lean: {angle: 0.06}, spin: {rate: %.17g}}\n"
          "outputs: [f.fx, f.fy, f.fz, f.mx, f.my, f.mz]\n",
          0.95 * tyre->radial.radius, 12.4 / tyre->radial.radius);
  fclose(out);
  return keep_text(text);
}


static void check_tyre_number(walk *w, const artTyre *tyre, const char *file, int k)
{
  const char *key;
  char name[60];
  double parameter[400];
  magic_number_at(&tyre->magic, k, &key);
  snprintf(name, sizeof name, "c_%s", key);
  const int place = place_of(w->program, name);
  seen.frozen += place == -2;
  artModel *other = place == -2 ? NULL : wheel_by(tyre, file, k);
  if (!other || !CHECK(w->program->parameter.n <= 400)) return;
  artData *d = keep_fresh_data(other);
  memcpy(parameter, w->program->value, (size_t) w->program->parameter.n * sizeof *parameter);
  if (place >= 0) parameter[place] = art_parameter_value(other, art_find_parameter(other, name));
  if (strcmp(key, "VXLOW") == 0 || strcmp(key, "DAMP_VLOW") == 0) {
    d->v[0] = 0.3;
    d->v[4] = 0.33 / tyre->radial.radius;
  }
  art_update(other, d);
  d->s[0] = 0.03;
  d->s[1] = -0.05;
  check_values(w, other, d, parameter, name);
}


// The version of the formula stays; all else follows, zeros included.
TEST(numbers_of_the_magic_formula_are_alive)
{
  static const char *const files[] = {"MagicFormula52_Parameters.tir",
                                      "MagicFormula61_Parameters.tir",
                                      "MagicFormula62_Parameters.tir", "van-195-75-r16c.tir"};
  for (int i = 0; i < 4; i++) {
    char path[300];
    artTyre *tyre = NULL;
    snprintf(path, sizeof path, ART_SOURCE_DIR "/models/tyres/%s", files[i]);
    if (!CHECK_WORKS(art_load_tyre(&tyre, path, &check_error))) return;
    keep_tyre(tyre);
    artModel *m = wheel_by(tyre, path, -1);
    const eqnProgram *p = program_of(m, keep_fresh_data(m), &check_error);
    if (!CHECK(p && gen_function(p, "outputs"))) return;
    walk w = walk_of(files[i], m, p);
    seen.frozen = 0;
    for (int k = 0; k < MAGIC_NUMBERS; k++) check_tyre_number(&w, tyre, path, k);
    CHECK(seen.frozen == 1);
  }
}


//---- values that hide what a parameter does ------------------------------------------------------

// the text with another value of a parameter, the first number behind its name
static artModel *with_value(const char *text, const char *name, double x)
{
  char own[2000], key[40];
  snprintf(key, sizeof key, "%s: ", name);
  const char *at = strstr(text, key) + strlen(key);
  snprintf(own, sizeof own, "%.*s%.17g%s", (int) (at - text), text, x, at + strcspn(at, ",}"));
  return keep_text(own);
}


// A text in which a parameter becomes x, at the state of its data with rates 0.7, 0.4, ...; with minimal parameters too
static void check_changed(const char *text, const char *name, double x)
{
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  for (int way = 0; way < 2; way++) {
    const genOptions options = {.forms = GEN_ACCELERATE | GEN_OUTPUTS,
                                .parameters = way ? GEN_BARYCENTRIC : GEN_CLASSICAL};
    const eqnProgram *p = keep_program(m, d, &options);
    const walk w = walk_of(name, m, p);
    const int place = place_of(p, name);
    double parameter[64];
    if (!CHECK(place >= 0 && p->parameter.n <= 64)) printf("%s is at %d\n", name, place);
    check_stop_if_failed();
    artModel *other = with_value(text, name, x);
    artData *e = keep_fresh_data(other);
    memcpy(parameter, p->value, (size_t) p->parameter.n * sizeof *parameter);
    parameter[place] = x;
    for (int k = 0; k < art_count(other).nv; k++) e->v[k] = other->nrow > 0 ? 0 : 0.7 - 0.3 * k;
    art_update(other, e);
    if (other->nrow > 0) CHECK_WORKS(art_assemble(other, e, NULL, &check_error));
    check_values(&w, other, e, parameter, name);
  }
}


// axes that are parallel at present let no inertia move to the parent
TEST(axes_that_are_parallel_at_present_may_turn)
{
  check_changed("articula: 1\n"
                "parameters: {twist: 0}\n"
                "bodies:\n"
                "  b1: {mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
                "  b2: {mass: 2, com: [0.1, 0.1, 0], inertia: [0.3, 0.2, 0.4]}\n"
                "joints:\n"
                "  A: {type: revolute, axis: y, from: ground, to: b1}\n"
                "  B: {type: revolute, axis: [0, = cos(twist), = sin(twist)],\n"
                "      from: {frame: b1, position: [0.3, 0, 0]}, to: b2}\n"
                "initial: {B: {angle: 0.4}}\n",
                "twist", 0.3);
}


#define ROD                                                                                        \
  "bodies: {rod: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"                         \
  "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"


// breakaway is coulomb, stribeck ten times transition
TEST(numbers_of_friction_that_are_not_given_follow_the_others)
{
#define FRICTION                                                                                   \
  "articula: 1\n"                                                                                  \
  "parameters: {mu: 0.5, tr: 0.05}\n" ROD                                                          \
  "forces: {fr: {type: joint-friction, coordinate: pin, coulomb: = mu, transition: = tr"
  check_changed(FRICTION "}}\n", "mu", 0.8);
  check_changed(FRICTION ", breakaway: 3}}\n", "tr", 0.5);
}


// heights and places of points, through which lines and splines go
TEST(laws_through_points_follow)
{
#define CURVED(law)                                                                                \
  "articula: 1\n"                                                                                  \
  "parameters: {h: 30, at: 0.4, w: 1}\n" ROD "forces:\n"                                           \
  "  s: {type: joint-spring, coordinate: pin, spring: {" law                                       \
  ": [[-1, -50], [-0.3, -4], [0.1, = h/10], [= at, = h], [= 1.5*w, = h + 20*w]]},\n"               \
  "      damper: {" law ": [[-2, = -w], [0, 0], [= 3*w, 5]]}}\n"                                   \
  "initial: {pin: {angle: 0.35}}\n"                                                                \
  "outputs: [energy.total, energy.potential]\n"
  static const struct {
    const char *name;
    double x;
  } change[] = {{"h", 12}, {"at", 0.2}, {"w", 0.7}};
  for (int i = 0; i < 3; i++) {
    check_changed(CURVED("table"), change[i].name, change[i].x);
    check_changed(CURVED("piecewise"), change[i].name, change[i].x);
  }
}


TEST(a_rod_without_mass_may_have_some)
{
  check_changed(
      "articula: 1\n"
      "parameters: {mr: 0}\n"
      "bodies:\n"
      "  crank: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
      "  rocker: {mass: 1, com: [0.4, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
      "joints:\n"
      "  A: {type: revolute, axis: y, from: ground, to: crank}\n"
      "  D: {type: revolute, axis: y, from: {frame: ground, position: [1, 0, 0]}, to: rocker}\n"
      "  link: {type: rod, from: {frame: crank, position: [0.3, 0, 0]},\n"
      "         to: {frame: rocker, position: [0.8, 0, 0]}, length: 1, mass: = mr}\n"
      "initial: {A: {angle: -60 deg}}\n"
      "guess: {D: {angle: -80 deg}}\n"
      "outputs: [energy.total, link.force, A.fx]\n",
      "mr", 0.4);
}


//---- values that make another machine -----------------------------------------------------------

// A parameter is a number for a reason with these words, or none where there are no words.
static void check_frozen(const char *text, const char *name, const char *words)
{
  artModel *m = keep_text(text);
  const eqnProgram *p = program_of(m, keep_fresh_data(m), &check_error);
  const char *why = NULL;
  if (!CHECK(p)) printf("%s\n", check_error.text);
  for (int i = 0; p && i < p->nfrozen; i++) {
    if (strcmp(p->frozen[i].name, name) == 0) why = p->frozen[i].what;
  }
  if (words) CHECK_CONTAINS(why, words);
  if (!words) CHECK_TEXT(why, NULL);
}


// A planar loop leaves out the rows that keep it in its plane: what moves a joint out of it opens the loop. Both sides by
// the same parameter do not, and neither do lengths within the plane.
TEST(what_opens_a_loop_is_frozen)
{
#define FOUR_BAR(value, off, also)                                                                 \
  "articula: 1\n"                                                                                  \
  "parameters: {L: 1, " value ", deep: 0, tilt: 0}\n"                                              \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                           \
  "  coupler: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                          \
  "  rocker: {mass: 1, com: [0.4, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                           \
  "joints:\n"                                                                                      \
  "  A: {type: revolute, axis: [0, = cos(tilt), = sin(tilt)], from: ground, to: crank}\n"          \
  "  D: {type: revolute, axis: y, from: {frame: ground, position: [1, 0, 0]}, to: rocker}\n"       \
  "  B: {type: revolute, axis: y, from: {frame: crank, position: [0.3, = " off ", 0]},\n"          \
  "      to: coupler}\n"                                                                           \
  "  C: {type: revolute, axis: y, from: {frame: coupler, position: [= L, 0, 0]},\n"                \
  "      to: {frame: rocker, position: [0.8, = " also ", 0]}}\n"                                   \
  "initial: {A: {angle: -60 deg}}\n"                                                               \
  "guess: {D: {angle: -80 deg}, B: {angle: 40 deg}}\n"                                             \
  "outputs: [energy.total]\n"
  check_frozen(FOUR_BAR("off: 0", "off", "0"), "off", "which another value opens");
  check_frozen(FOUR_BAR("off: 0", "off*deep", "0"), "off",
               "which another value opens"); // deep alone does nothing then
  check_frozen(FOUR_BAR("off: 0", "off", "0"), "tilt", "which another value opens");
  check_frozen(FOUR_BAR("off: 1", "abs(off) - off", "0"), "off", "branches");
  check_changed(FOUR_BAR("off: 0", "off", "off"), "off", 0.2);
  check_changed(FOUR_BAR("off: 0", "off", "0"), "L", 1.1);
}


// A thin bar between balls has become a rod, whose mass and length act; a moment of inertia of its own makes it a body.
TEST(what_makes_a_rod_a_body_is_frozen)
{
#define BAR(moment)                                                                                \
  "articula: 1\n"                                                                                  \
  "parameters: {m: 3, J: 0.25, m0: 0, J0: 0, off: 0}\n"                                            \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                           \
  "  rocker: {mass: 1, com: [0.4, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                           \
  "  third: {mass: 1, com: [0.4, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"                            \
  "  bar: {mass: = m, com: [0.5, 0, 0], inertia: [0, = m/12, = " moment "]}\n"                     \
  "  slim: {mass: = m0, com: [0.4, = off, 0], inertia: [0, = J0, 0]}\n"                            \
  "joints:\n"                                                                                      \
  "  A: {type: revolute, axis: y, from: ground, to: crank}\n"                                      \
  "  D: {type: revolute, axis: y, from: {frame: ground, position: [1, 0, 0]}, to: rocker}\n"       \
  "  B: {type: spherical, from: {frame: crank, position: [0.3, 0, 0]}, to: bar}\n"                 \
  "  C: {type: spherical, from: {frame: bar, position: [1, 0, 0]},\n"                              \
  "      to: {frame: rocker, position: [0.8, 0, 0]}}\n"                                            \
  "  E: {type: revolute, axis: y, from: {frame: ground, position: [2, 0, 0]}, to: third}\n"        \
  "  F: {type: spherical, from: {frame: rocker, position: [0.8, 0, 0]}, to: slim}\n"               \
  "  G: {type: spherical, from: {frame: slim, position: [1, 0, 0]},\n"                             \
  "      to: {frame: third, position: [0.8, 0, 0]}}\n"                                             \
  "initial: {A: {angle: -60 deg}}\n"                                                               \
  "guess: {D: {angle: -80 deg}, E: {angle: -80 deg}}\n"                                            \
  "outputs: [energy.total]\n"
  const char *const other[] = {"J", "m0", "J0"};
  for (int i = 0; i < 3; i++) {
    check_frozen(BAR("J"), other[i], "is a thin rod for this value alone");
  }
  check_changed(BAR("m/12"), "m", 4);
  check_frozen(BAR("J"), "off", NULL);
}


//---- numbers in texts of kinds -----------------------------------------------------------------

// numbers of actuators, whose formulas are texts that their kinds write: each at another value
TEST(numbers_of_actuators_act)
{
#define ARM(forces, outputs)                                                                       \
  "articula: 1\n"                                                                                  \
  "parameters: {gear: 50, k: 0.1, R: 0.5, L: 0.01, f: 0, most: 3, A: 0.002, supply: 2e7,\n"        \
  "             flow: 1e-3, bulk: 1e9, gain: 30, drive: 4, brake: 6, width: 0.1}\n"                \
  "bodies: {arm: {points: {tip: [0.5, 0, 0]}, mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.2, "    \
  "0.2]},\n"                                                                                       \
  "         cart: {mass: 3, inertia: [1, 1, 1]}}\n"                                                \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm}\n"                                      \
  "  slide: {type: prismatic, axis: x, from: ground, to: cart}\n"                                  \
  "ground: {points: {foot: [0.1, 0, -0.5]}}\n"                                                     \
  "initial: {pin: {angle: 0.2}, slide: {slide: 0.1}}\n"                                            \
  "forces:\n  " forces "outputs: [" outputs "]\n"
#define MOTOR(more)                                                                                \
  ARM("m: {type: motor, coordinate: pin, voltage: = 3*sin(time) + 2, constant: = k,\n"             \
      "      resistance: = R, gear: = gear, friction: = f" more "}\n",                             \
      "m.torque, m.speed")
  const char *const of_motor[] = {"gear", "k", "R", "f"};
  for (int i = 0; i < 4; i++) {
    check_changed(MOTOR(""), of_motor[i], i == 3 ? 0.02 : 0.4);
    check_changed(MOTOR(", inductance: = L, current: 2.5, most: = most"), of_motor[i], 0.4);
  }
  check_changed(MOTOR(", inductance: = L, current: 2.5, most: = most"), "L", 0.02);
  check_changed(MOTOR(", inductance: = L, current: 2.5, most: = most"), "most", 2.6);
#define CYLINDER                                                                                   \
  ARM("h: {type: hydraulic-cylinder, between: [ground.foot, arm.tip], area_a: = A, area_b: "       \
      "0.001,\n"                                                                                   \
      "      dead_a: 1e-3, dead_b: 1e-3, shortest: 0.3, stroke: 0.5, bulk: = bulk,\n"              \
      "      flow: = flow, drop: 1e6, opening: 0.3, supply: = supply,\n"                           \
      "      pressure_a: 4e6, pressure_b: 5e6}\n",                                                 \
      "h.flow_a")
  check_changed(CYLINDER, "A", 0.003);
  check_changed(CYLINDER, "flow", 2e-3);
  check_changed(CYLINDER, "bulk", 2e9);
#define CRUISE                                                                                     \
  ARM("c: {type: cruise, coordinate: slide, frame: cart, speed: 2, gain: = gain,\n"                \
      "      drive: = drive, brake: = brake}\n"                                                    \
      "  b: {type: brake, coordinate: pin, demand: 2, transition: = width}\n",                     \
      "c.force")
  check_changed(CRUISE, "gain", 3);
  check_changed(CRUISE, "drive", 5);
  check_changed(CRUISE, "width", 0.5);
}


// gas that flows in, and out
TEST(numbers_of_gas_act)
{
#define GAS(opening)                                                                               \
  "articula: 1\n"                                                                                  \
  "parameters: {free_length: 0.5, pressure: 3e5, area: 1e-3, volume: 4e-3, exponent: 1.4,\n"       \
  "             gas: 287, ambient: 1e5, temperature: 293, heat: 5, supply: 8e5, valve: 4e-6}\n"    \
  "bodies: {rod: {points: {tip: [0.5, 0, 0]}, mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"               \
  "ground: {points: {foot: [0.1, 0, -0.5]}}\n"                                                     \
  "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"                              \
  "forces:\n"                                                                                      \
  "  p: {type: pneumatic-cylinder, between: [ground.foot, rod.tip], free_length: = free_length,\n" \
  "      pressure: = pressure, area: = area, volume: = volume, exponent: = exponent,\n"            \
  "      gas: = gas, ambient: = ambient, temperature: = temperature, heat: = heat,\n"              \
  "      supply: = supply, valve: = valve, opening: " opening "}\n"                                \
  "outputs: [p.mass, p.flow_in, p.flow_out, p.temperature]\n"
  static const struct {
    const char *name;
    double x;
  } other[] = {{"free_length", 0.4}, {"pressure", 7.995e5}, {"area", 2e-3},
               {"volume", 3e-3},     {"exponent", 1.3},     {"gas", 300},
               {"ambient", 2.9e5},   {"temperature", 350},  {"heat", 0},
               {"supply", 4e5},      {"valve", 5e-6}};
  for (int i = 0; i < 11; i++) {
    check_changed(GAS("0.4"), other[i].name, other[i].x);
    check_changed(GAS("-0.4"), other[i].name, other[i].x);
  }
}


// curves of one and of two numbers in formulas, drives that follow a table
TEST(points_of_curves_act)
{
#define CURVES(kind)                                                                               \
  "articula: 1\n"                                                                                  \
  "parameters: {h: 3, at: 0.4, up: 0.2, late: 1.5, cell: 4, x1: 1, y1: 2}\n"                       \
  "curves:\n"                                                                                      \
  "  c: {" kind ": [[-1, = -h], [0, 0], [= at, = h/2], [2, 3]]}\n"                                 \
  "  m: {" kind ": {x: [-1, = x1, 4], y: [0, 1, = y1], values: [[1, 2, 0], [0, = cell, 1], [3, "   \
  "1, 2]]}}\n"                                                                                     \
  "bodies: {rod: {mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]},\n"                         \
  "         tip: {mass: 2, com: [0.1, 0, 0.1], inertia: [0.1, 0.1, 0.1]}}\n"                       \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: rod}\n"                                      \
  "  turn: {type: revolute, axis: y, from: rod, to: tip}\n"                                        \
  "drives: {d: {coordinate: turn, table: [[-1, 0.1], [0.5, = up], [= late, 0.4], [3, 1]]}}\n"      \
  "forces: {f: {type: joint-force, coordinate: pin, value: \"= c(pin.angle) + m(pin.angle, "       \
  "pin.rate + 0.9)\"}}\n"                                                                          \
  "initial: {pin: {angle: 0.35}}\n"                                                                \
  "outputs: [turn.angle, energy.total]\n"
  static const struct {
    const char *name;
    double x;
  } other[] = {{"h", 5},     {"at", 0.2}, {"up", 0.5}, {"late", 0.9},
               {"cell", -3}, {"x1", 0.1}, {"y1", 1.4}};
  for (int i = 0; i < 7; i++) {
    check_changed(CURVES("table"), other[i].name, other[i].x);
    check_changed(CURVES("piecewise"), other[i].name, other[i].x);
  }
  // a value that the compiler has found already
  check_frozen("articula: 1\n"
               "parameters: {h: 3}\n"
               "curves: {c: {table: [[0, = h], [1, 2], [2, 3]]}}\n" ROD
               "outputs: {y: = c(0.5)*pin.angle}\n",
               "h", "numbers in a string of 'y'");
}


// A parameter that moves an instant at which a drive jumps, or the jump, is frozen, and so is one that a branch reads
// that is not entered in that time; parameters of a drive that never jumps are followed.
TEST(what_jumps_of_drives_depend_on_is_frozen)
{
  static const char text[] =
      "articula: 1\n"
      "parameters: {ramp: 2 m, sine: 0.1 m, wave: 3 s, high: 0.2 m, late: 90 s,\n"
      "             stop: 4 s}\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
      "         c: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  x: {type: prismatic, axis: x, from: ground, to: a}\n"
      "  y: {type: prismatic, axis: y, from: a, to: b}\n"
      "  z: {type: prismatic, axis: z, from: b, to: c}\n"
      "drives:\n"
      "  d: {coordinate: x, value: \"= ramp(time, 0[s], 0[m], 0.5[s], ramp) + "
      "sine*sin(time/1[s])\"}\n"
      "  e: {coordinate: y, value: \"= high*pulse(time, 2[s], 2[s] + wave)*"
      "sin(2*pi*(time - 2[s])/wave)^3\"}\n"
      "  f: {coordinate: z, value: \"= 1[m/s]*min(min(time, stop), late)\"}\n";
  static const struct {
    const char *name;
    int is_frozen;
  } know[] = {{"ramp", 1}, {"sine", 0}, {"wave", 0}, {"high", 0}, {"late", 1}, {"stop", 1}};
  const genOptions options = {.forms = GEN_ACCELERATE, .jumps = 1, .until = 5};
  artModel *m = keep_text(text);
  const eqnProgram *p = keep_program(m, keep_fresh_data(m), &options);
  for (int i = 0; i < 6; i++) {
    if (!CHECK((place_of(p, know[i].name) == -2) == know[i].is_frozen))
      printf("%s\n", know[i].name);
  }
}


// where drivers look, and the coordinate that they turn
TEST(numbers_of_paths_act)
{
#define DRIVER(path)                                                                               \
  "articula: 1\n"                                                                                  \
  "parameters: {start: 2, width: 1.8, R: -30, spacing: 18, high: 2, ramp: 9, ratio: -2}\n"         \
  "bodies:\n"                                                                                      \
  "  way: {mass: 1, inertia: [1, 1, 1]}\n"                                                         \
  "  car: {mass: 100, inertia: [10, 10, 10]}\n"                                                    \
  "  wheel: {mass: 1, inertia: [1, 1, 1]}\n"                                                       \
  "joints:\n"                                                                                      \
  "  go: {type: prismatic, axis: x, from: ground, to: way}\n"                                      \
  "  yaw: {type: revolute, axis: z, from: way, to: car}\n"                                         \
  "  steer: {type: revolute, axis: z, from: car, to: wheel}\n"                                     \
  "forces:\n"                                                                                      \
  "  d: {type: driver, coordinates: {steer: = ratio}, frame: car, path: {" path "},\n"             \
  "      distance: 5, time: 1, gain: 1.4, limit: 0.6, stiffness: 100, damping: 10}\n"              \
  "initial: {go: {slide: 14}, yaw: {angle: 0.1}}\n"                                                \
  "outputs: [d.angle, d.error]\n"
#define LANES  DRIVER("type: iso-3888-2, start: = start, width: = width")
#define CIRCLE DRIVER("type: circle, start: = start, radius: = R")
#define SLALOM                                                                                     \
  DRIVER("type: slalom, start: = start, spacing: = spacing, amplitude: = high, ramp: = ramp")
  check_changed(LANES, "start", 3);
  check_changed(LANES, "width", 2.3);
  check_changed(LANES, "ratio", -3);
  check_changed(CIRCLE, "start", 20);
  check_changed(CIRCLE, "R", 40);
  check_changed(CIRCLE, "ratio", 3);
  check_changed(SLALOM, "start", 3);
  check_changed(SLALOM, "spacing", 12);
  check_changed(SLALOM, "high", 1);
  check_changed(SLALOM, "ramp", 30);
}


// a wheel on roads with equations in numbers of their own; roads that are laid when they are made stay as they are
TEST(numbers_of_roads_act)
{
#define WHEEL(roads)                                                                               \
  "articula: 1\n"                                                                                  \
  "parameters: {start: -0.7, length: 2, high: 0.05, apart: 3, wave: 6, last: 4, phase: 0.3,\n"     \
  "             blend: 1.5, grade: 0, turn: 0.2, x: 0.1, z: 0.02}\n"                               \
  "bodies:\n"                                                                                      \
  "  a: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  b: {mass: 1, inertia: [1, 1, 1]}\n"                                                           \
  "  wheel: {mass: 20, inertia: [1, 2, 1]}\n"                                                      \
  "joints:\n"                                                                                      \
  "  x: {type: prismatic, axis: x, from: ground, to: a}\n"                                         \
  "  z: {type: prismatic, axis: z, from: a, to: b}\n"                                              \
  "  spin: {type: revolute, axis: y, from: b, to: wheel}\n"                                        \
  "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 100, load: 3000, slip: 6e4,\n"  \
  "  cornering: 5e4, friction: 1}}\n"                                                              \
  "roads: {" roads "}\n"                                                                           \
  "forces: {f: {type: tyre, wheel: wheel, tyre: t, road: r}}\n"                                    \
  "initial: {z: {slide: 0.28}}\n"                                                                  \
  "outputs: [f.fz, f.fx]\n"
#define ROWS                                                                                       \
  WHEEL("r: {type: bump, start: = start - apart, length: = length, height: = high, count: 3,\n"    \
        "  spacing: = apart}")
#define WAVES                                                                                      \
  WHEEL("r: {type: sine, amplitude: = high, wavelength: = wave, last_wavelength: = last,\n"        \
        "  phase: = phase, start: = start, length: 9, blend: = blend}")
#define PLACED                                                                                     \
  WHEEL("p: {type: plane, grade: = grade, height: = z},\n"                                         \
        "  s: {type: sine, amplitude: = high, wavelength: = wave},\n"                              \
        "  q: {type: placed, road: s, position: [= x, 0, 0.01], heading: = turn},\n"               \
        "  r: {type: sum, parts: [p, q]}")
#define INCLINED WHEEL("r: {type: plane, grade: = grade, height: = z}")
  static const struct {
    const char *text, *name;
    double value;
  } other[] = {{ROWS, "start", -0.3},    {ROWS, "length", 2.5},  {ROWS, "high", -0.02},
               {ROWS, "apart", 3.4},     {WAVES, "high", 0.02},  {WAVES, "wave", 3},
               {WAVES, "last", 8},       {WAVES, "phase", 1},    {WAVES, "start", -1},
               {WAVES, "blend", 4},      {PLACED, "grade", 0.1}, {PLACED, "turn", 0},
               {PLACED, "x", -0.3},      {PLACED, "z", 0},       {PLACED, "wave", 4},
               {INCLINED, "grade", 0.1}, {INCLINED, "z", 0}};
  for (int i = 0; i < 17; i++) check_changed(other[i].text, other[i].name, other[i].value);
  check_frozen(WHEEL("p: {type: plane, grade: = grade}, k: {type: random, class: C},\n"
                     "  r: {type: sum, parts: [p, k]}"),
               "grade", "roads, line");
  check_frozen(WHEEL("r: {type: table, profile: [[0, 0], [1, = high], [2, 0]]}"), "high",
               "roads, line");
}


// Gains, time constants and coefficients of blocks act, initial values are those at generation; samplers that went together go together.
TEST(numbers_of_blocks_act)
{
#define LOOP(block)                                                                                \
  "articula: 1\n"                                                                                  \
  "parameters: {kp: 3, ki: 2, top: 0.5, a1: 0.4, a2: 5, b1: 3, through: 0, start: 0.1, h: "        \
  "0.01}\n" ROD "initial: {pin: {angle: 0.3}}\n"                                                   \
  "blocks: {u: {type: " block "}}\n"                                                               \
  "forces: {f: {type: joint-force, coordinate: pin, value: = u + u^2}}\n"                          \
  "outputs: [u, energy.total]\n"
#define PID                                                                                        \
  LOOP("pid, input: = pin.angle, kp: = kp, ki: = ki, initial: = start, limits: [-9, = top]")
#define FILTER                                                                                     \
  LOOP("transfer-function, input: = -pin.angle, numerator: [= through, = b1, -2],\n"               \
       "            denominator: [-1, = a1, = a2], before: 0.2")
  check_changed(PID, "kp", 0.5);
  check_changed(PID, "top", 0.7);
  check_changed(FILTER, "a1", 0.7);
  check_changed(FILTER, "b1", 0.7);
  check_changed(FILTER, "through", 0.7);
  check_changed(FILTER, "a2", 7);
  check_frozen(PID, "start", NULL);
  check_frozen(LOOP("pid, input: = -pin.angle, kp: = kp, ki: = ki, every: = h"), "h", NULL);
  check_frozen(
      LOOP("transfer-function, input: = pin.angle, numerator: [1], denominator: [1, = a1],\n"
           "            every: 0.01"),
      "a1", NULL);

  // intervals that are equal at present; a delay of other samples
  check_frozen(LOOP("lag, input: = pin.angle, time: 1, every: = h}, w: {type: lag, input: = u,\n"
                    "            time: 1, every: 0.01"),
               "h", "samplers");
  check_frozen(LOOP("delay, input: = pin.angle, delay: 0.02, every: = h"), "h", "not a multiple");
}


// two wheels with the same tyre
TEST(numbers_of_tyres_act)
{
#define CART                                                                                       \
  "articula: 1\n"                                                                                  \
  "parameters: {k: 2e5, R: 0.3, load: 3000, c: 500, stiff: 5e4, gamma: 2e3, lag: 0.02, drag: "     \
  "6e4,\n"                                                                                         \
  "             sigma: 0.4, mu: 1.1}\n"                                                            \
  "bodies:\n"                                                                                      \
  "  cart: {mass: 500, com: [0, 0, 0], inertia: [50, 80, 90]}\n"                                   \
  "  left: {mass: 20, inertia: [0.5, 1, 0.5]}\n"                                                   \
  "  right: {mass: 20, inertia: [0.5, 1, 0.5]}\n"                                                  \
  "joints:\n"                                                                                      \
  "  free: {type: free, from: ground, to: cart, at: [0, 0, 0.29]}\n"                               \
  "  l: {type: revolute, axis: y, from: cart, to: left, at: [0, 0.7, 0.29]}\n"                     \
  "  r: {type: revolute, axis: y, from: cart, to: right, at: [0, -0.7, 0.29]}\n"                   \
  "tyres:\n"                                                                                       \
  "  t: {type: linear, radius: = R, stiffness: = k, damping: = c, load: = load, slip: = drag,\n"   \
  "      cornering: = stiff, camber: = gamma, trail: = lag, friction: = mu,\n"                     \
  "      relaxation_x: = sigma, relaxation_y: 0.5}\n"                                              \
  "forces:\n"                                                                                      \
  "  tl: {type: tyre, wheel: left, tyre: t, relaxation: true}\n"                                   \
  "  tr: {type: tyre, wheel: right, tyre: t, relaxation: false}\n"                                 \
  "outputs: [tl.fz, tl.fy, tr.fx]\n"
  static const struct {
    const char *name;
    double value;
  } other[] = {{"k", 3e5},   {"R", 0.31},   {"load", 4000}, {"c", 900},     {"stiff", 7e4},
               {"gamma", 0}, {"lag", 0.05}, {"drag", 3e4},  {"sigma", 0.9}, {"mu", 0.3}};
  for (int i = 0; i < 10; i++) check_changed(CART, other[i].name, other[i].value);
}


// coefficients of the paper, and of the benchmark
TEST(coefficients_of_older_tyres_act)
{
#define SLIDER(type, numbers)                                                                      \
  "articula: 1\n"                                                                                  \
  "parameters: {" numbers ", lag: 0.4}\n" FIVE_BODIES                                              \
  "  lean: {type: revolute, axis: x, from: c, to: d, at: [0, 0, 0.3]}\n"                           \
  "  spin: {type: revolute, axis: y, from: d, to: wheel, at: [0, 0, 0.3]}\n"                       \
  "initial: {z: {slide: -0.02}, lean: {angle: 0.05}}\n"                                            \
  "tyres:\n"                                                                                       \
  "  t: {type: " type ", radius: 0.3, stiffness: 2e5, load: 4000, relaxation_x: = lag}\n"          \
  "forces: {f: {type: tyre, wheel: wheel, tyre: t, relaxation: true}}\n"                           \
  "outputs: [f.fx, f.fy, f.mz]\n"
#define PAPER                                                                                      \
  SLIDER("bakker, side: [-22.1, = s1, = s2, = s3, = s4, 0, = s6, 0.707, = s8, 0, = s10, = s11, "   \
         "= s12],\n"                                                                               \
         "      brake: [= b0, 1144, = b2, 226, = b4, = b5, 0.056, 0.486],\n"                       \
         "      align: [= a0, -2.28, -1.86, -2.73, = a4, -0.070, 0.643, = a7, 0.015, = a9, "       \
         "0.945, 0.030, 0.070]",                                                                   \
         "s1: 1011, s2: 1078, s3: 1.82, s4: 0.208, s6: -0.354, s8: 0.028, s10: 14.8, s11: 0.022, " \
         "s12: 0,\n  b0: -21.3, b2: 49.6, b4: 0.069, b5: -0.006, a0: -2.72, a4: 0.11, a7: -4.04, " \
         "a9: -0.066")
#define BENCHMARK                                                                                  \
  SLIDER("calspan, A0: = A0, A1: = A1, A2: = A2, A3: = A3, A4: = A4, Aomega: = Aw, B1: = B1,\n"    \
         "      B3: = B3, B4: = B4, SN: = SN, AF1: = AF1, AF2: = AF2",                             \
         "A0: 0, A1: 16.88, A2: 4400, A3: 2.5, A4: 9000, Aw: 1, B1: 0, B3: 1, B4: 0, SN: 0.9, "    \
         "AF1: 0, AF2: 1e-5")
  static const char *const of_paper[] = {"s1", "s2", "s3", "s4", "s6", "s8", "s10", "s11", "s12",
                                         "b0", "b2", "b4", "b5", "a0", "a4", "a7",  "a9",  "lag"};
  static const char *const of_benchmark[] = {"A0", "A1", "A2", "A3", "A4",  "Aw",
                                             "B1", "B3", "B4", "SN", "AF1", "AF2"};
  static const double value[] = {100, 10, 3500, 3, 8000, 0.7, -1e-4, 0.9, 1e-9, 0.7, 1e-5, 2e-5};
  for (int i = 0; i < 18; i++) check_changed(PAPER, of_paper[i], i == 8 ? 0.03 : 0.3 + 0.01 * i);
  for (int i = 0; i < 12; i++) check_changed(BENCHMARK, of_benchmark[i], value[i]);
}


// coefficients and borders, with the energy that the pieces have in common; 0 changes its piece with a border
TEST(numbers_of_laws_in_segments_act)
{
#define LEAF                                                                                       \
  "articula: 1\n"                                                                                  \
  "parameters: {k: 100, hard: 900, stop: 0.1, low: -0.2}\n" ROD                                    \
  "forces: {s: {type: joint-spring, coordinate: pin, spring: {segments: {borders: [= low, = "      \
  "stop],\n"                                                                                       \
  "  coefficients: [[\"= (k - hard)*low\", = hard], [0, = k], [\"= (k - hard)*stop\", = "          \
  "hard]]}}}}\n"                                                                                   \
  "initial: {pin: {angle: 0.3}}\n"                                                                 \
  "outputs: [energy.total, energy.potential]\n"
  check_changed(LEAF, "k", 130);
  check_changed(LEAF, "hard", 1300);
  check_changed(LEAF, "stop", 0.4);
  check_changed(LEAF, "stop", -0.1);
  check_changed(LEAF, "low", 0.05);
}


// a mirror of 20 micrometres, with moments of inertia of 1e-22
TEST(small_machines_have_parameters)
{
  check_changed("articula: 1\n"
                "parameters: {rho: 2330}\n"
                "bodies: {mirror: {solid: {type: box, size: [2e-5, 2e-5, 4e-6], density: = rho}}}\n"
                "joints: {pin: {type: revolute, axis: y, from: ground, to: mirror}}\n"
                "forces: {s: {type: joint-spring, coordinate: pin, stiffness: 1e-12}}\n"
                "initial: {pin: {angle: 5 deg}}\n",
                "rho", 4000);
}


// held from the start on: a latch where its frames are, a lock where initial values are, a rope by its length
TEST(numbers_of_latches_that_are_engaged_act)
{
#define LATCHED                                                                                    \
  "articula: 1\n"                                                                                  \
  "parameters: {far: 0.6, tip: 0.4, from: 0.2, L: 0.5, load: 2}\n"                                 \
  "bodies:\n"                                                                                      \
  "  crank: {mass: 1, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1]}\n"                               \
  "  rod: {mass: = load, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1],\n"                            \
  "        points: {tip: [= far, 0, 0]}}\n"                                                        \
  "  rocker: {mass: 1, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1], points: {tip: [0, 0, = "        \
  "tip]}}\n"                                                                                       \
  "  slider: {}\n"                                                                                 \
  "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004]}\n"                                            \
  "  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"                                 \
  "  hand: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"                                \
  "joints:\n"                                                                                      \
  "  a: {type: revolute, axis: y, from: ground, to: crank}\n"                                      \
  "  b: {type: revolute, axis: y, from: {frame: crank, position: [0, 0, 0.3]}, to: rod}\n"         \
  "  c: {type: revolute, axis: y, from: {frame: ground, position: [0.6, 0, -0.1]}, to: rocker}\n"  \
  "  x: {type: prismatic, axis: x, from: ground, to: slider}\n"                                    \
  "  z: {type: prismatic, axis: z, from: slider, to: ball}\n"                                      \
  "  d: {type: revolute, axis: y, from: ground, to: arm}\n"                                        \
  "  e: {type: revolute, axis: y, from: {frame: arm, position: [0.5, 0, 0]}, to: hand}\n"          \
  "latches:\n"                                                                                     \
  "  pin: {type: latch, joint: revolute, axis: y, between: [rod.tip, rocker.tip], engaged: "       \
  "true}\n"                                                                                        \
  "  rope: {type: rope, between: [ground, ball], length: = L, engaged: true}\n"                    \
  "  lock: {type: lock, coordinates: {d: 2, e: -1}, engaged: true}\n"                              \
  "initial: {x: {slide: = 0.6*L}, z: {slide: = -0.8*L}, d: {angle: = from}, e: {angle: 0.3}}\n"    \
  "outputs: [pin.force, rope.force, lock.force, rope.length]\n"
  check_changed(LATCHED, "far", 0.62);
  check_changed(LATCHED, "tip", 0.43);
  check_changed(LATCHED, "from", 0.5);
  check_changed(LATCHED, "L", 0.7);
  check_changed(LATCHED, "load", 3);
}


TEST(the_axis_of_a_planar_joint_without_x_is_frozen)
{
  artModel *m =
      keep_text("articula: 1\n"
                "parameters: {a: 0.2}\n"
                "bodies: {b1: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
                "joints: {pl: {type: planar, axis: [= sin(a), 0, = cos(a)], from: ground, "
                "to: b1}}\n");
  const eqnProgram *p = pendulum_with(m, keep_fresh_data(m), (genOptions){0}, &check_error);
  CHECK(p && place_of(p, "a") == -2);
}


TEST(a_parameter_is_frozen_by_its_name_and_no_other_word)
{
  artModel *m = keep_text(PENDULUM);
  artData *d = keep_fresh_data(m);
  artError error = {0};
  const char *const known[] = {"L"}, *const unknown[] = {"gravity.w"};
  const eqnProgram *p = pendulum_with(m, d, (genOptions){.nfreeze = 1, .freeze = known}, &error);
  CHECK(p && p->nuser == 2);
  CHECK(!pendulum_with(m, d, (genOptions){.nfreeze = 1, .freeze = unknown}, &error));
  CHECK_CONTAINS(error.text, "'gravity.w' is to be frozen and is not a parameter");
  CHECK_CONTAINS(error.text, "did you mean 'gravity.z'");
  const genOptions sensitive = {.tangents = 1, .nsensitive = 1, .sensitive = unknown};
  CHECK(!pendulum_with(m, d, sensitive, &error));
  CHECK_CONTAINS(error.text,
                 "'gravity.w' is not a parameter of the generated model (did you mean 'gravity.z");
}
