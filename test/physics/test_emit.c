// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated code in every language, compiled and run, against the evaluation of its equations.
//
// C always; Fortran, Python and NumPy when they are installed (`make test` sees to it); CasADi and JAX by stand-ins
// (support/stand_in); Octave and Java when the variable ART_TEST_ALL is set besides (`make test-all`).
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "articula/study.h"
#include "emit/write/writer.h"
#include "force/tyre_element.h"
#include "support/folder.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/programs.h"
#include "support/tongue.h"

static uint64_t seed = 11;

enum { STATES = 3 };

//---- programs of models --------------------------------------------------------------------------

typedef struct scene {
  artModel *m;
  artData *d;
  eqnProgram *p;
} scene;


static scene open_scene_with(artModel *m, const genOptions *options)
{
  artData *d = keep_fresh_data(m);
  return (scene){m, d, keep_program(m, d, options)};
}


static scene open_scene(const char *name, unsigned forms)
{
  const genOptions options = {.forms = forms};
  return open_scene_with(keep_machine(name), &options);
}


CHECK_KEEPER(keep_pool, exprPool, expr_free)


// a program of one function from x to y, until the next one is made
static scene scene_of(exprPool *pool, const char *name, const char *function, int nx, int *x,
                      int ny, int *y)
{
  static eqnStage stage = {.title = "all"};
  static eqnVector input, output;
  static eqnFunction f;
  static eqnProgram p;
  input = (eqnVector){.name = "x", .what = "numbers", .n = nx, .node = x};
  output = (eqnVector){.name = "y", .what = "numbers", .n = ny, .node = y};
  f = (eqnFunction){EQN_OTHER, function, "all of y", 1, &input, 1, &output, 1, &stage, 0};
  p = (eqnProgram){.pool = pool,
                   .name = name,
                   .title = name,
                   .source = "a test",
                   .nfunction = 1,
                   .function = &f};
  p.parameter.name = "parameters";
  return (scene){.p = &p};
}


// a state that closes the loops
static void next_state(const scene *s)
{
  const int nv = s->m->tree.nv;
  if (s->m->nrow > 0) {
    CHECK(loop_random_state(s->m, s->d, &seed));
  } else {
    double *move = keep_numbers(nv);
    sample_numbers(&seed, 0.5, nv, move);
    art_move(s->m, s->d->q, move);
    sample_numbers(&seed, 1, nv, s->d->v);
  }
}


//---- inputs and expected results -----------------------------------------------------------------

// an input vector at a state: time, positions, velocities, or numbers
static void fill_input(const scene *s, const eqnVector *v, double *x)
{
  sample_numbers(&seed, 1, v->n, x);
  if (!s->m) return;
  if (strcmp(v->name, "q") == 0) memcpy(x, s->d->q, (size_t) v->n * sizeof *x);
  if (strcmp(v->name, "v") == 0) memcpy(x, s->d->v, (size_t) v->n * sizeof *x);
}


// the measure of differences in a vector: its largest number, 1 or more
static void find_scale(const eqnVector *v, const double *x, double *scale)
{
  for (int i = 0; i < v->n; i++) scale[i] = check_scale(v->n, x);
}


// the numbers of a vector by its name among those that are read
static double *find_input(int n, const eqnVector *const *vector, double *const *x, const char *name)
{
  int k = 0;
  while (k < n - 1 && strcmp(vector[k]->name, name) != 0) k++;
  return x[k];
}


// results of a function: vectors that it changes, then vectors that it gives; returns the number
static int answer_one(const scene *s, const eqnFunction *f, double *const *input, double *answer,
                      double *scale)
{
  int n = 0;
  const eqnList *list = keep_list(eqn_list_create(s->p, f, NULL));
  double *output[TONGUE_VECTORS], *in[TONGUE_VECTORS];
  for (int k = 0; k < f->ninput; k++) {
    in[k] = keep_numbers(f->input[k].n);
    memcpy(in[k], input[k], (size_t) f->input[k].n * sizeof *in[k]);
    if (emit_is_written(f, &f->input[k])) n += f->input[k].n;
  }
  for (int k = 0; k < f->noutput; k++) {
    output[k] = answer + n;
    n += f->output[k].n;
  }
  CHECK_EQ_INT(eqn_evaluate(list, NULL, in, output, tongue_host, s->p), 0);
  for (int k = 0; k < f->noutput; k++) {
    find_scale(&f->output[k], output[k], scale + (output[k] - answer));
  }
  for (int k = 0, at = 0; k < f->ninput; k++) {
    if (!emit_is_written(f, &f->input[k])) continue;
    memcpy(answer + at, in[k], (size_t) f->input[k].n * sizeof *answer);
    find_scale(&f->input[k], answer + at, scale + at);
    at += f->input[k].n;
  }
  return n;
}


// inputs go into the file, answers into an array; returns how many
static int ask(const scene *s, FILE *in, double *answer, double *scale)
{
  const eqnVector *vector[TONGUE_VECTORS];
  double *x[TONGUE_VECTORS], *input[TONGUE_VECTORS];
  const int nvector = tongue_inputs(s->p, vector);
  int n = 0;
  for (int k = 0; k < nvector; k++) {
    x[k] = keep_numbers(vector[k]->n);
    fill_input(s, vector[k], x[k]);
    fwrite(x[k], sizeof *x[k], (size_t) vector[k]->n, in);
  }
  for (int i = 0; i < s->p->nfunction; i++) {
    const eqnFunction *f = &s->p->function[i];
    for (int k = 0; k < f->ninput; k++) {
      input[k] = find_input(nvector, vector, x, f->input[k].name);
    }
    n += answer_one(s, f, input, answer + n, scale + n);
  }
  return n;
}

//---- comparison ----------------------------------------------------------------------------------

static void compare_answers(const char *name, const scene *s, const tongue *t, int n,
                            const double *answer, const double *scale)
{
  const double limit = t->language == EMIT_NUMPY ? 1e-13 : 1e-12;
  FILE *said = tongue_open(t, folder_own(), s->p);
  int held = CHECK(said != NULL);
  for (int i = 0; held && i < n; i++) {
    double x;
    held =
        CHECK(fread(&x, sizeof x, 1, said) == 1) && CHECK(fabs(x - answer[i]) <= limit * scale[i]);
    if (!held) printf("  number %d of %s in %s\n", i, name, emit_language_name(t->language));
  }
  if (said && held) CHECK_EQ_INT(fgetc(said), EOF);
  if (said) tongue_close(t, folder_own(), said);
}


static void check_tongue(const char *name, const scene *s, const tongue *t,
                         const emitOptions *options)
{
  enum { MOST = 20000 };
  double *answer = keep_numbers(MOST), *scale = keep_numbers(MOST);
  const double states = STATES;
  FILE *in = folder_open(folder_own(), "in", "wb");
  int n = 0;
  fwrite(&states, sizeof states, 1, in);
  for (int i = 0; i < STATES; i++) {
    if (s->m) next_state(s);
    n += ask(s, in, answer + n, scale + n);
  }
  fclose(in);
  tongue_write(t, folder_own(), s->p, options);
  if (tongue_make(t, folder_own(), s->p, "-O0")) compare_answers(name, s, t, n, answer, scale);
}


// arrays get the states of Python
static void check_all(const char *name, const scene *s, const emitOptions *options)
{
  uint64_t before = seed;
  for (emitLanguage i = 0; i < EMIT_ALL_LANGUAGES; i++) {
    if (i == EMIT_PYTHON) before = seed;
    if (i == EMIT_CUDA) continue; // no functions by themselves
    if (i > EMIT_CUDA) seed = before;
    if (tongue_is_spoken(tongue_of(i))) check_tongue(name, s, tongue_of(i), options);
  }
}


//---- tests ---------------------------------------------------------------------------------------

// machines with more coordinates than those that test_gen_states hears in every language
TEST(models_are_the_same_in_every_language)
{
  static const char *const files[] = {"satellite", "adams/spring-2", "vehicles/cart"};
  const emitOptions options = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    scene s = open_scene(files[i], GEN_ACCELERATE | GEN_MASS | GEN_ENERGY | GEN_REACTIONS);
    check_all(files[i], &s, &options);
  }
}


// unique forces, which are tested, and least ones with weights
TEST(actuators_are_the_same_in_every_language)
{
  static const char *const six[] = {"arm1/base",  "arm2/base",  "arm3/base",
                                    "arm1/elbow", "arm2/elbow", "arm3/elbow"};
  static const double weight[] = {1, 2, 3, 4, 5, 6};
  for (int n = 3; n <= 6; n += 3) {
    const genOptions options = {.forms = GEN_MACHINE_INVERSE | GEN_IMPLICIT | GEN_REACTIONS,
                                .independent = "float.x, float.y, float.angle",
                                .nactuator = n,
                                .actuator = six,
                                .weight = n > 3 ? weight : NULL};
    scene s = open_scene_with(keep_machine("loops/planar-robot-4"), &options);
    check_all("actuators of loops/planar-robot-4", &s, &(emitOptions){0});
  }
}


// a wheel whose tyre does more near standstill than else
TEST(conditions_hold_alike_in_every_language)
{
  static const char text[] =
      "articula: 1\n"
      "tyres: {t: {type: magic, scale: {VXLOW: 0.4}, file: " ART_SOURCE_DIR
      "/models/tyres/MagicFormula61_Parameters.tir}}\n"
      "bodies: {hub: {mass: 60, inertia: [4, 5, 6]}, wheel: {mass: 40, inertia: [1, 2, 1]}}\n"
      "joints:\n"
      "  base: {type: free, from: ground, to: hub}\n"
      "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
      "initial: {base: {z: 0.3}}\n"
      "forces: {tyre: {type: tyre, wheel: wheel, tyre: t}}\n";
  const genOptions options = {.forms = GEN_ACCELERATE};
  const scene s = open_scene_with(keep_text(text), &options);
  for (int cut = 0; cut < 2; cut++) {
    check_all("wheel", &s, &(emitOptions){.statements = cut ? 25 : 0});
  }
}


TEST(derivatives_are_the_same_in_every_language)
{
  static const char *const files[] = {"double-pendulum", "spherical-pendulum", "loops/four-bar"};
  static const char *const sensitive[] = {"mass", "crank"};
  const emitOptions options = {0};
  for (int i = 0; i < 3; i++) {
    const genOptions all = {.forms = GEN_ACCELERATE | GEN_INVERSE | GEN_KINEMATICS | GEN_ENERGY,
                            .tangents = 1,
                            .nsensitive = i == 2 ? 2 : 0,
                            .sensitive = sensitive};
    const scene s = open_scene_with(keep_machine(files[i]), &all);
    check_all(files[i], &s, &options);
  }
}


TEST(code_is_clean_under_sanitizers)
{
  tongue watched = *tongue_of(EMIT_C);
  watched.make = FOLDER_QUICK_CC " -std=c11 -g -fsanitize=address,undefined "
                                 "-fno-sanitize-recover=all caller.c program.c -lm -o c_caller";
  static const char *const files[] = {"puck", "loops/delta-rods"};
  static const unsigned forms[] = {GEN_ACCELERATE | GEN_MASS | GEN_OUTPUTS | GEN_REGRESSOR,
                                   GEN_ACCELERATE | GEN_REACTIONS};
  for (int i = 0; i < 2; i++) {
    scene s = open_scene(files[i], forms[i]);
    check_tongue(files[i], &s, &watched, &(emitOptions){0});
  }
}


TEST(long_functions_are_cut_into_parts)
{
  // minimal parameters of the gimbal: results in parts, with nothing for these to share
  static const char *const files[] = {"loops/four-bar", "puma560", "vehicles/cart", "gimbal"};
  static const int statements[] = {25, 25, 25, 2};
  for (int i = 0; i < 4; i++) {
    scene s = open_scene(files[i], GEN_ACCELERATE | GEN_MASS | GEN_REGRESSOR);
    check_all(files[i], &s, &(emitOptions){.statements = statements[i]});
  }
}


// loops, a tyre with conditions, functions of the user; whole and in parts
TEST(names_used_again_give_the_same_numbers_in_every_language)
{
  static const char *const files[] = {"loops/four-bar", "vehicles/cart", "plant/inverted-pendulum"};
  emitOptions options = {.equations = eqn_default_options()};
  options.equations.passes |= 1u << PASS_RECYCLE;
  for (int i = 0; i < 3; i++) {
    scene s = open_scene(files[i], GEN_ACCELERATE | GEN_OUTPUTS);
    const eqnList *own = keep_list(eqn_list_create(s.p, &s.p->function[0], NULL));
    const eqnList *again = keep_list(eqn_list_create(s.p, &s.p->function[0], &options.equations));
    CHECK(i == 2 ? again->nname <= own->nname : again->nname < own->nname); // the last is short
    for (int cut = 0; cut < 2; cut++) {
      options.statements = cut ? 25 : 0;
      check_all(files[i], &s, &options);
    }
  }
}


//---- readable text -------------------------------------------------------------------------------

// the answers of the program that has been made to the states in the folder; returns how many bytes
static size_t hear(const scene *s, char *said, size_t room)
{
  const tongue *t = tongue_of(EMIT_C);
  FILE *answers = tongue_open(t, folder_own(), s->p);
  const size_t n = answers ? fread(said, 1, room, answers) : 0;
  if (answers) tongue_close(t, folder_own(), answers);
  return n;
}


// long names and short ones, both in functions that stay whole
TEST(readable_text_gives_the_same_bits)
{
  enum { ROOM = 100000 };
  static const char *const files[] = {"loops/four-bar", "vehicles/iltis"};
  const tongue *t = tongue_of(EMIT_C);
  const emitOptions plain = {.equations = eqn_default_options(), .statements = 100000};
  const emitOptions readable = {.equations.readable = 1};
  static char said[2][ROOM];
  for (int i = 0; i < 2; i++) {
    scene s = open_scene(files[i], GEN_ACCELERATE | GEN_OUTPUTS);
    check_tongue(files[i], &s, t, &readable);
    const size_t n = hear(&s, said[0], ROOM);
    tongue_write(t, folder_own(), s.p, &plain);
    CHECK(n > 0 && tongue_make(t, folder_own(), s.p, "-O0"));
    CHECK(hear(&s, said[1], ROOM) == n && memcmp(said[0], said[1], n) == 0);
  }
}


TEST(readable_text_is_the_same_in_every_language)
{
  static const char *const files[] = {"loops/four-bar", "plant/inverted-pendulum", "vehicles/cart"};
  for (int i = 0; i < 3; i++) {
    const genOptions options = {.forms = GEN_ACCELERATE | GEN_OUTPUTS | GEN_KINEMATICS,
                                .tangents = i == 0};
    const scene s = open_scene_with(keep_machine(files[i]), &options);
    check_all(files[i], &s, &(emitOptions){.equations.readable = 1});
  }
}

#define STRICT "-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"


// the header is C++ as well, and may be read twice
static void check_header(const eqnProgram *p)
{
  if (!tongue_is_installed("g++")) return;
  FILE *out = folder_open(folder_own(), "header.cpp", "w");
  fprintf(out,
          "#include \"program.h\"\n#include \"program.h\"\n"
          "double first(%s_parameters *p)\n{\n  %s_default(p);\n  return *(double *) p;\n}\n",
          p->name, p->name);
  fclose(out);
  folder_run(folder_own(),
             "g++ -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only header.cpp");
}


TEST(models_compile_without_a_warning_by_both_compilers)
{
  static const char *const files[] = {"motorcycle", "loops/stewart", "benchmarks/andrews",
                                      "vehicles/cart"};
  static const char *const compilers[] = {"gcc", "clang"};
  for (int i = 0; i < 8; i++) {
    scene s = open_scene(files[i / 2], GEN_ACCELERATE | GEN_INVERSE);
    tongue_write(tongue_of(EMIT_C), folder_own(), s.p, &(emitOptions){.equations.readable = i % 2});
    for (int k = 0; k < 2; k++) {
      if (tongue_is_installed(compilers[k])) {
        folder_run(folder_own(), "%s " STRICT " -fsyntax-only program.c", compilers[k]);
      }
    }
    folder_run(folder_own(), "! grep -n '.\\{101\\}' program.c program.h");
    check_header(s.p);
  }
}


//---- many angles ---------------------------------------------------------------------------------

// sines and cosines of four angles, small, moderate, huge and not finite, against the C library's
static const char angle_caller[] =
    "#include \"program.c\"\n"
    "int main(void)\n{\n"
    "  const double sizes[] = {1e-9, 1, 10, 1e3, 9e4, 2e5, 1e9, 1e300};\n"
    "  angles_parameters p;\n  angles_turn_constants c;\n"
    "  angles_default(&p);\n  angles_turn_prepare(&p, &c);\n"
    "  unsigned long long r = 1;\n"
    "  for (int i = 0; i < 80000; i++) {\n"
    "    double x[3], y[8];\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "      r = r * 6364136223846793005ull + 1442695040888963407ull;\n"
    "      x[k] = sizes[(i + 3 * k) % 8] * ((double) (r >> 11) * 0x1p-52 - 1);\n"
    "    }\n"
    "    angles_turn(&p, &c, x, y, 0);\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "      const double angle = k < 3 ? x[k] : x[0] + x[1];\n"
    "      if (!(fabs(y[k] - sin(angle)) < 3.3e-16)) return 1;\n"
    "      if (!(fabs(y[k + 4] - cos(angle)) < 3.3e-16)) return 2;\n"
    "    }\n"
    "  }\n"
    "  double x[3] = {HUGE_VAL, 1, NAN}, y[8];\n"
    "  angles_turn(&p, &c, x, y, 0);\n"
    "  return y[0] == y[0] || y[2] == y[2] || y[1] != y[1] ? 3 : 0;\n}\n";


TEST(sines_and_cosines_of_many_angles_are_those_of_the_c_library)
{
  exprPool *pool = keep_pool(expr_create(EXPR_RECORD));
  int x[4], y[8];
  for (int i = 0; i < 3; i++) x[i] = expr_symbol(pool, "x", i);
  x[3] = expr_add(pool, x[0], x[1]);
  for (int i = 0; i < 4; i++) y[i] = expr_sin(pool, x[i]);
  for (int i = 0; i < 4; i++) y[i + 4] = expr_cos(pool, x[i]);
  const scene s = scene_of(pool, "angles", "turn", 3, x, 8, y);
  tongue_write(tongue_of(EMIT_C), folder_own(), s.p, &(emitOptions){0});
  folder_write(folder_path("angles.c"), angle_caller);
  folder_run(folder_own(), "grep -q 'angles_sincos(4,' program.c");
  folder_run(folder_own(), "cc -std=c11 -O3 angles.c -lm -o angles && ./angles");
  folder_run(folder_own(), "cc -std=c11 -O3 -ffp-contract=fast angles.c -lm -o angles && ./angles");
}


//---- every operation, and functions of the user --------------------------------------------------

enum { SYMBOLS = 4, RESULTS = 120 };


// signs of constants and operands in sums and products, as recording does not make them
static int all_signs(exprPool *pool, const int *x, int *y)
{
  int n = 0;
  const int number = expr_constant(pool, -2), other = expr_constant(pool, -3);
  const int minus = expr_node(pool, EXPR_NEG, x[1], 0);
  const int product = expr_node(pool, EXPR_MUL, number, x[0]);
  const int quotient = expr_node(pool, EXPR_DIV, x[2], expr_node(pool, EXPR_MUL, other, x[3]));
  const int sum = expr_node(pool, EXPR_SUB, number, x[3]);
  const int operand[] = {number,   minus, product,
                         quotient, sum,   expr_node(pool, EXPR_SUB, number, minus)};
  for (int i = 0; i < 6; i++) {
    const int a = operand[i], square = expr_mul(pool, x[0], x[0]);
    y[n++] = expr_node(pool, EXPR_ADD, x[0], a);
    y[n++] = expr_node(pool, EXPR_SUB, x[0], a);
    y[n++] = expr_node(pool, EXPR_SUB, a, x[0]);
    y[n++] = expr_node(pool, EXPR_MUL, x[0], a);
    y[n++] = expr_node(pool, EXPR_DIV, a, expr_add(pool, expr_constant(pool, 1), square));
    if (i > 0) y[n++] = expr_node(pool, EXPR_NEG, a, 0);
  }
  return n;
}


static int all_operations(exprPool *pool, const int *x, int *y)
{
  int n = 0;
  const int one = expr_constant(pool, 1);
  const int inside = expr_div(pool, x[0], expr_add(pool, one, expr_mul(pool, x[0], x[0])));
  const int above = expr_add(pool, one, expr_mul(pool, x[1], x[1]));
  for (exprOp op = EXPR_NEG; op < EXPR_OP_COUNT; op++) {
    const int a = op == EXPR_ASIN || op == EXPR_ACOS ? inside : op == EXPR_POW ? above : x[2];
    const int is_positive = op == EXPR_SQRT || op == EXPR_LOG || op == EXPR_LOG10;
    if (expr_arity(op) == 1 && op != EXPR_ELEMENT)
      y[n++] = expr_operate(pool, op, is_positive ? above : a, 0);
    if (expr_arity(op) == 2) y[n++] = expr_operate(pool, op, a, x[3]);
    if (op == EXPR_SELECT) {
      const int less = expr_operate(pool, EXPR_LESS, x[0], x[1]);
      y[n++] = expr_select(pool, less, x[2], x[3]);
    }
  }

  // operators side by side, and what binds how
  const int minus = expr_neg(pool, x[1]);
  y[n++] = expr_node(pool, EXPR_SUB, x[0], minus);
  const int sum = expr_node(pool, EXPR_ADD, x[0], expr_node(pool, EXPR_MUL, minus, x[2]));
  y[n++] = sum;
  y[n++] = expr_node(pool, EXPR_SUB, x[0], expr_node(pool, EXPR_SUB, x[1], x[2]));
  y[n++] = expr_node(pool, EXPR_DIV, x[0], expr_node(pool, EXPR_DIV, above, x[3]));
  y[n++] = expr_node(pool, EXPR_MUL, x[0], expr_constant(pool, -1.5e-300));
  y[n++] = expr_node(pool, EXPR_MUL, sum, expr_operate(pool, EXPR_MOD, x[2], x[3]));
  y[n++] = expr_operate(pool, EXPR_FLOOR, expr_mul(pool, expr_constant(pool, 7), x[2]), 0);

  // a root that is not taken may be none, a quotient may have no denominator, a cell no width
  const int root = expr_sqrt(pool, x[0]), is_one = expr_operate(pool, EXPR_LESS, 0, x[0]);
  y[n++] = expr_select(pool, is_one, root, x[1]);
  const int none = expr_operate(pool, EXPR_LESS, above, 0);
  const int is_some = expr_operate(pool, EXPR_NOT, expr_operate(pool, EXPR_EQUAL, none, 0), 0);
  const int exists = expr_operate(pool, EXPR_LESS, 0, none);
  const int quotient = expr_node(pool, EXPR_DIV, x[2], none);
  y[n++] = expr_select(pool, is_some, quotient, x[1]);
  y[n++] = expr_select(pool, is_some, expr_mul(pool, quotient, x[3]), x[2]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_MOD, x[2], none), x[3]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_FLOOR, quotient, 0), x[3]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_SIN, quotient, 0), x[3]);
  return n + all_signs(pool, x, y + n);
}


// conditions inside conditions, and where numbers are asked for
TEST(conditions_and_signs_are_printed_as_people_write_them)
{
  exprPool *pool = keep_pool(expr_create(EXPR_RECORD));
  int x[4], y[8], n = 0;
  for (int i = 0; i < 4; i++) x[i] = expr_symbol(pool, "x", i);
  const int below = expr_operate(pool, EXPR_LESS, x[0], expr_constant(pool, -1));
  const int upto = expr_operate(pool, EXPR_LESS_EQUAL, x[1], x[2]);
  const int both = expr_operate(pool, EXPR_AND, below, upto);
  const int equal = expr_operate(pool, EXPR_EQUAL, x[0], x[3]);
  const int less = expr_operate(pool, EXPR_LESS, x[3], x[1]);
  const int either = expr_operate(pool, EXPR_OR, expr_operate(pool, EXPR_AND, less, equal), x[2]);
  const int is_not = expr_operate(pool, EXPR_NOT, expr_operate(pool, EXPR_LESS, x[2], x[3]), 0);
  y[n++] = expr_select(pool, both, x[0], expr_constant(pool, -2));
  y[n++] = expr_select(pool, either, x[1], x[0]);
  y[n++] = expr_select(pool, is_not, x[1], x[2]);
  y[n++] = expr_mul(pool, x[0], expr_operate(pool, EXPR_EQUAL, x[0], x[1]));
  y[n++] = expr_node(pool, EXPR_ADD, x[0], expr_mul(pool, expr_constant(pool, -3), x[1]));
  y[n++] = expr_node(pool, EXPR_SUB, x[0], expr_node(pool, EXPR_NEG, x[2], 0));
  const int inner = expr_node(pool, EXPR_SUB, expr_constant(pool, -5), x[1]);
  y[n++] = expr_node(pool, EXPR_ADD, x[2], expr_node(pool, EXPR_MUL, x[0], inner));
  const scene s = scene_of(pool, "conditions", "all", 4, x, n, y);
  const emitOptions whole = {.equations.passes = 1u << PASS_INLINE};
  static const char *const lines[] = {"y[0] = x[0] < -1.0 && x[1] <= x[2] ? x[0] : -2.0;",
                                      "y[1] = x[2] != 0 || (x[0] == x[3] && x[3] < x[1]) ? x[1] : "
                                      "x[0];",
                                      "y[2] = !(x[2] < x[3]) ? x[1] : x[2];",
                                      "y[3] = x[0]*((double) (x[0] == x[1]));",
                                      "y[4] = x[0] - 3.0*x[1];",
                                      "y[5] = x[0] + x[2];",
                                      "y[6] = x[2] - x[0]*(5.0 + x[1]);"};
  tongue_write(tongue_of(EMIT_C), folder_own(), s.p, &whole);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    folder_run(folder_own(), "grep -qF '%s' program.c || { grep 'y.[0-9]. =' program.c; false; }",
               lines[i]);
  }
  check_all("conditions", &s, &whole);
}


TEST(operations_and_functions_of_the_user_are_the_same_in_every_language)
{
  exprPool *pool = keep_pool(expr_create(EXPR_RECORD));
  int x[SYMBOLS], y[RESULTS];
  for (int i = 0; i < SYMBOLS; i++) x[i] = expr_symbol(pool, "x", i);
  int n = all_operations(pool, x, y);
  const int f = expr_external(pool, 2, 3), g = expr_external(pool, 1, 1);
  const int sum = expr_add(pool, x[0], x[1]);
  const int call = expr_call(pool, f, (int[]){sum, x[2]});
  for (int i = 0; i < 3; i++) y[n++] = expr_element(pool, call, i);
  const int first = expr_element(pool, call, 0);
  y[n++] = expr_element(pool, expr_call(pool, g, &first), 0);

  eqnExternal external[2] = {{"rig/tyre-law.x", "a law with an awkward name", 2, 3, 0},
                             {"rig.tyre_law/x", "another that reads alike", 1, 1, 0}};
  const scene s = scene_of(pool, "operations", "everything", SYMBOLS, x, n, y);
  s.p->nexternal = 2, s.p->external = external;
  for (int cut = 0; cut < 2; cut++) {
    check_all("operations", &s, &(emitOptions){.statements = cut ? 5 : 0});
  }
}
