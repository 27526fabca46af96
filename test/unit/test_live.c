// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Live numbers: the formula that a record's number has gives that number, and gives the number of a file in which the
// parameter has another value.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

// every kind of number that files have, as a function of a parameter
#define PARTS                                                                                      \
  "parameters: {L: 1 m, m: 2 kg, a: 0.3, n: 2, k: '= 100[N/m]*n', t: = a/3}\n"                     \
  "gravity: [0, = a, -9.81]\n"                                                                     \
  "bodies:\n"                                                                                      \
  "  one: {mass: = m, com: [= L/2, 0, 0], inertia: [0, '= m*L^n/12', '= max(m*L^2/12, 0)'],\n"     \
  "        points: {tip: [= L, 0, 0]}, frames: {f: {orientation: {axis: [= a, 0, 1], angle: = "    \
  "t}},"                                                                                           \
  " q: {orientation: [= n, 0, = a, 1]},\n"                                                         \
  "        e: {orientation: {euler: [= a, 0.1, = t], sequence: zxz}}, r: {orientation: {rpy: [0, " \
  "= a, = t]}},\n"                                                                                 \
  "        x: {orientation: {matrix: [[= cos(a), = -sin(a), 0], [= sin(a), = cos(a), 0], [0, 0, "  \
  "1]]}}},\n"                                                                                      \
  "        visual: {type: box, size: [= L, 0.1, 0.1]}}\n"                                          \
  "  two: {mass: = m/2, com: [= L/2, 0, 0.1], inertia: {about: origin, tensor: ['= m*1[m^2]/4', "  \
  "= m*L^2, "                                                                                      \
  "= m*L^2]}}\n"                                                                                   \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: [0, 1, = a], from: ground, to: one, rotor: '= if(n == 2, m*L^2, " \
  "m*L^2/2)'}\n"                                                                                   \
  "  elbow: {type: revolute, axis: y, from: {frame: one, position: [= L, 0, 0], orientation: "     \
  "{axis: z, angle: = a}}, to: two}\n"                                                             \
  "couplings: {gear: {type: gear, joints: [pin, elbow], ratio: = n, offset: = a}}\n"               \
  "forces:\n"                                                                                      \
  "  s: {type: spring-damper, between: [ground, two], stiffness: = k, damping: '= a*k*1[s]', "     \
  "free_length: "                                                                                  \
  "= L}\n"                                                                                         \
  "  j: {type: joint-spring, coordinates: {pin.angle: 1, elbow.angle: = a}, spring: {piecewise: "  \
  "[[-1, = "                                                                                       \
  "-k*L], [0, 0], [1, = k*L*n]]}}\n"                                                               \
  "initial: {pin: {angle: = a, rate: = 2*a}}\n"


static void find_values(const artModel *m, double *value)
{
  for (int i = 0; i < m->nparameter; i++) value[i] = m->parameter[i].value;
}


// of a formula whose slots are parameters
static double value_of(const formula *f, const double *parameter)
{
  double *stack = keep_numbers(f->depth + 1);
  int *branch = (int *) keep_numbers(f->nswitch + 1);
  formula_set_branches(f, parameter, branch, stack);
  return formula_value(f, parameter, branch, stack);
}


// the formula of every number gives it; composed ones to rounding, others to the last bit
static int check_formulas(const artModel *m, const char *what)
{
  double *value = calloc((size_t) m->nparameter + 1, sizeof *value);
  int n = 0;
  find_values(m, value);
  for (int i = 0; i < m->records->live.count; i++) {
    const liveNumber *own = RECORD(m->records->live, liveNumber, i);
    if (!own->number) continue;
    CHECK(model_live(m, own->number) == own->formula);
    const double x = value_of(own->formula, value);
    if (!CHECK_CLOSE(x, *own->number, 4e-16 * (1 + fabs(x)))) printf("%s: %s\n", what, own->text);
    n++;
  }
  for (int i = 0; i < m->nparameter; i++) {
    const formula *f = m->parameter[i].formula;
    if (f) CHECK(value_of(f, value) == m->parameter[i].value);
  }
  free(value);
  return n;
}


// numbers in a list of records that differ between two files are live
static void check_list(const artModel *a, const recordList *one, const recordList *two, size_t size,
                       const char *what)
{
  if (!CHECK_EQ_INT(one->count, two->count)) return;
  const size_t n = (size_t) one->count * size / sizeof(double);
  for (size_t i = 0; i < n; i++) {
    const double *x = (const double *) one->items + i, *y = (const double *) two->items + i;
    const int is_number = fabs(*x) > 1e-250 && fabs(*y) > 1e-250; // else a pointer, or counts
    if (!is_number || *x == *y || isnan(*x)) continue;
    if (CHECK(model_live(a, x))) continue;
    printf("%s: record %d of %zu bytes: %.17g, %.17g\n", what, (int) (i * 8 / size), size, *x, *y);
    return;
  }
}


static void check_coverage(const artModel *a, const artModel *b, const char *what)
{
  const artBuilder *x = a->records, *y = b->records;
  check_list(a, &x->bodies, &y->bodies, sizeof(bodyRecord), what);
  check_list(a, &x->frames, &y->frames, sizeof(frameRecord), what);
  check_list(a, &x->joints, &y->joints, sizeof(jointRecord), what);
  check_list(a, &x->constraints, &y->constraints, sizeof(constraintRecord), what);
  check_list(a, &x->latches, &y->latches, sizeof(latchRecord), what);
  check_list(a, &x->initials, &y->initials, sizeof(initialRecord), what);
  check_list(a, &x->visuals, &y->visuals, sizeof(visualRecord), what);
  check_list(a, &x->drives, &y->drives, sizeof(driveRecord), what);
  for (int i = 0; i < x->elements.count; i++) {
    const elementRecord *e = RECORD(x->elements, elementRecord, i);
    const elementRecord *f = RECORD(y->elements, elementRecord, i);
    const recordList one = {(void *) (uintptr_t) e->def, 1, 1};
    const recordList two = {(void *) (uintptr_t) f->def, 1, 1};
    check_list(a, &one, &two, e->kind->size, what);
  }
}


static void check_model(const char *path)
{
  artModel *m = NULL;
  if (art_load_model(&m, path, &check_error) != ART_OK) return; // a part that needs values
  check_formulas(m, path);
  const int stride = getenv("ART_SOAK") ? 1 : 1 + m->nparameter / 6;
  for (int i = 0; i < m->nparameter; i += stride) {
    artModel *other = NULL;
    const double x = m->parameter[i].value;
    const artSetting setting = {m->parameter[i].name, x == 0 ? 1e-3 : x * 1.001};
    if (art_load_model_with(&other, path, 1, &setting, &check_error) == ART_OK) {
      check_coverage(m, other, path);
      check_formulas(other, path);
    }
    art_free_model(other);
  }
  art_free_model(m);
}


TEST(every_kind_of_number_keeps_its_formula)
{
  artModel *m = keep_text("articula: 1\n" PARTS);
  CHECK_EQ_INT(check_formulas(m, "text"), 52);
}


TEST(parameters_given_by_the_including_file_are_formulas_there)
{
  artModel *m = keep_file("models/loops/planar-robot-3.yaml");
  const int bx = table_find(&m->parameters, "arm2/bx"), R = table_find(&m->parameters, "R");
  if (!CHECK(bx >= 0 && R >= 0 && m->parameter[bx].formula)) return;
  CHECK(!m->parameter[R].formula && formula_uses(m->parameter[bx].formula, R));
  CHECK_EQ_INT(check_formulas(m, "robot") > 10, 1);
}


TEST(numbers_of_the_samples_that_change_with_a_parameter_are_live)
{
  glob_t found = folder_models(2);
  CHECK(found.gl_pathc > 100);
  for (size_t i = 0; i < found.gl_pathc; i++) check_model(found.gl_pathv[i]);
  globfree(&found);
}
