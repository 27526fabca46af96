// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of generated functions against steps in the complex plane: a function evaluated at
// x + i h has the derivative Im f / h, to the last digit, for any h that is small enough (Squire and
// Trapp 1998). Loops are closed in complex numbers, so that dependent coordinates follow by themselves.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/study.h"
#include "loop/loop.h"
#include "support/check.h"
#include "support/loops.h"
#include "support/machines.h"
#include "support/models.h"
#include "support/programs.h"

static uint64_t seed = 5;

#define STEP 1e-40

//---- functions of the host -----------------------------------------------------------------------

// the cam of the sample loops
static void complex_host(const char *name, const double complex *x, double complex *y)
{
  if (strcmp(name, "cam_bias") == 0) {
    y[0] = -0.4 * ccos(2 * x[0]) * x[2] * x[2];
  } else if (CHECK_TEXT(name, "cam")) {
    y[0] = x[1] - 0.1 * (1 - ccos(2 * x[0])) - 0.2 * x[0];
    y[1] = -0.2 * csin(2 * x[0]) - 0.2;
    y[2] = 1;
  }
}


// the same in real numbers, and derivatives of it
static void real_host(void *context, int external, const double *x, double *result)
{
  const eqnProgram *p = context;
  const int of = p->pool->external[external].derivative_of;
  const eqnExternal *f = &p->external[of >= 0 ? of : external];
  double complex z[4] = {0}, y[4] = {0};
  if (!CHECK(f->narg <= 4 && f->n <= 4)) return;
  for (int k = 0; k < (of >= 0 ? f->narg : 1); k++) {
    for (int i = 0; i < f->narg; i++) z[i] = x[i] + (of >= 0 && i == k ? I * STEP : 0);
    complex_host(f->name, z, y);
    for (int i = 0; i < f->n; i++) {
      if (of >= 0) result[i * f->narg + k] = cimag(y[i]) / STEP;
      if (of < 0) result[i] = creal(y[i]);
    }
  }
}

//---- evaluation in complex numbers ---------------------------------------------------------------

typedef struct plane {
  const eqnProgram *p;
  const eqnFunction *f;
  double complex *symbol, *value; // [symbol_count], [count]
  double complex (*result)[4];    // [count] of calls
  char **needed;                  // [nstage + 1] what each stage needs; at last the outputs
} plane;


static double complex apply(const plane *s, int node)
{
  const exprPool *pool = s->p->pool;
  const exprNode *n = &pool->nodes[node];
  const double complex a = s->value[n->op == EXPR_SELECT ? 0 : n->a];
  const double complex b = expr_arity(n->op) == 2 ? s->value[n->b] : 0;
  switch (n->op) {
  case EXPR_NEG: return -a;
  case EXPR_SQRT: return csqrt(a);
  case EXPR_SIN: return csin(a);
  case EXPR_COS: return ccos(a);
  case EXPR_ADD: return a + b;
  case EXPR_SUB: return a - b;
  case EXPR_MUL: return a * b;
  case EXPR_DIV: return a / b;
  case EXPR_TAN: return ctan(a);
  case EXPR_ASIN: return casin(a);
  case EXPR_ACOS: return cacos(a);
  case EXPR_ATAN: return catan(a);
  case EXPR_SINH: return csinh(a);
  case EXPR_COSH: return ccosh(a);
  case EXPR_TANH: return ctanh(a);
  case EXPR_EXP: return cexp(a);
  case EXPR_LOG: return clog(a);
  case EXPR_LOG10: return clog(a) / log(10);
  case EXPR_ABS: return creal(a) < 0 ? -a : a;
  case EXPR_POW: return cpow(a, b);
  case EXPR_ATAN2: // Im log(b + i a), continued: a first-order step is exact
    return atan2(creal(a), creal(b)) + I * (creal(b) * cimag(a) - creal(a) * cimag(b)) /
                                           (creal(a) * creal(a) + creal(b) * creal(b));
  case EXPR_HYPOT: return csqrt(a * a + b * b);
  case EXPR_MIN: return creal(a) <= creal(b) ? a : b;
  case EXPR_MAX: return creal(b) <= creal(a) ? a : b;
  case EXPR_MOD: return a - floor(creal(a) / creal(b)) * b;
  case EXPR_ELEMENT: return s->result[n->a][n->b];
  case EXPR_SELECT:
    return s->value[expr_argument(pool, node, s->value[expr_argument(pool, node, 0)] != 0 ? 1 : 2)];
  default: return expr_apply(n->op, creal(a), creal(b));
  }
}


static void call(const plane *s, int node)
{
  const exprPool *pool = s->p->pool;
  double complex x[4] = {0};
  const int n = expr_argument_count(pool, node);
  if (!CHECK(n <= 4)) return;
  for (int k = 0; k < n; k++) x[k] = s->value[expr_argument(pool, node, k)];
  complex_host(s->p->external[expr_called(pool, node)].name, x, s->result[node]);
}


static void evaluate_needed(const plane *s, int stage)
{
  const exprPool *pool = s->p->pool;
  for (int i = 0; i < pool->count; i++) {
    if (!s->needed[stage][i]) continue;
    const exprNode *n = &pool->nodes[i];
    if (n->op == EXPR_CALL) {
      call(s, i);
    } else {
      s->value[i] = n->op == EXPR_CONSTANT ? n->value
                    : n->op == EXPR_SYMBOL ? s->symbol[n->a]
                                           : apply(s, i);
    }
  }
}


static void need(const plane *s, int stage, int n, const int *node)
{
  for (int i = 0; i < n; i++) s->needed[stage][node[i]] = 1;
}


static void spread_needs(const plane *s, int stage)
{
  const exprPool *pool = s->p->pool;
  for (int i = pool->count - 1; i >= 0; i--) {
    const int n = s->needed[stage][i] ? expr_argument_count(pool, i) : 0;
    for (int k = 0; k < n; k++) s->needed[stage][expr_argument(pool, i, k)] = 1;
  }
}


static void open_plane(plane *s, const eqnProgram *p, const eqnFunction *f)
{
  const size_t n = (size_t) p->pool->count;
  *s = (plane){.p = p, .f = f};
  s->symbol = calloc((size_t) p->pool->symbol_count + 1, sizeof *s->symbol);
  s->value = calloc(n, sizeof *s->value), s->result = calloc(n, sizeof *s->result);
  s->needed = calloc((size_t) f->nstage + 1, sizeof *s->needed);
  for (int k = 0; k <= f->nstage; k++) {
    s->needed[k] = calloc(n, 1);
    const eqnStage *stage = k < f->nstage ? &f->stage[k] : NULL;
    if (stage) need(s, k, stage->nunknown, stage->correction);
    if (stage && stage->kind == STAGE_NEWTON) need(s, k, 1, &stage->residual);
    for (int v = 0; !stage && v < f->noutput; v++) need(s, k, f->output[v].n, f->output[v].node);
    spread_needs(s, k);
  }
}


static void close_plane(plane *s)
{
  for (int k = 0; k <= s->f->nstage; k++) free(s->needed[k]);
  free(s->symbol), free(s->value), free(s->result), free(s->needed);
}


static void set(const plane *s, const eqnVector *v, const double complex *x)
{
  for (int i = 0; i < v->n; i++) {
    const exprNode *n = &s->p->pool->nodes[v->node[i]];
    if (n->op == EXPR_SYMBOL) s->symbol[n->a] = x[i];
  }
}


// imaginary parts converge one step after the real ones
static void run_stages(const plane *s)
{
  for (int k = 0; k < s->f->nstage; k++) {
    const eqnStage *stage = &s->f->stage[k];
    const int is_newton = stage->kind == STAGE_NEWTON;
    for (int after = 0; stage->nunknown > 0 && after < (is_newton ? 3 : 1);) {
      evaluate_needed(s, k);
      after +=
          !is_newton || creal(s->value[stage->residual]) <= stage->tolerance * stage->tolerance;
      for (int i = 0; i < stage->nunknown; i++) {
        double complex *x = &s->symbol[s->p->pool->nodes[stage->unknown[i]].a];
        *x = (is_newton ? *x : 0) + s->value[stage->correction[i]];
      }
    }
  }
  evaluate_needed(s, s->f->nstage);
}

//---- a machine, its program, a state -------------------------------------------------------------

enum { OTHER = 2000, FREE = 200, SENSITIVE = 100 };

typedef struct scene {
  const char *name;
  const artModel *m;
  artData *d;
  eqnProgram *p;
  int nfree, free[FREE]; // free coordinates where the program was made; without loops all
  double other[OTHER];   // numbers of vectors besides q and v
  int takes_all;         // derivatives by all parameters, not by some
  int nsensitive;        // parameters by which derivatives are taken
  const char *sensitive[SENSITIVE];
} scene;


static const double *input_of(const scene *s, const eqnVector *v)
{
  if (strcmp(v->name, "t") == 0) return &s->d->time;
  if (strcmp(v->name, "q") == 0) return s->d->q;
  if (strcmp(v->name, "v") == 0) return s->d->v;
  CHECK(v->n <= OTHER);
  return s->other;
}


// dq of a unit of velocity coordinate k
static void unit_move(const scene *s, int k, double *dq)
{
  const treeModel *t = &s->m->tree;
  const treeLink *link = &t->link[t->dof_link[k]];
  memset(dq, 0, (size_t) t->nq * sizeof *dq);
  const int straight = link->kind == LINK_SPHERICAL ? 0 : link->kind == LINK_FREE ? 3 : link->nv;
  const int own = k - link->v0;
  if (own < straight) {
    dq[link->q0 + own] = 1;
    return;
  }

  // e' = 1/2 e o (0, w)
  const double *e = s->d->q + link->q0 + straight;
  double w[3] = {0}, *x = dq + link->q0 + straight;
  w[own - straight] = 0.5;
  x[0] = -e[1] * w[0] - e[2] * w[1] - e[3] * w[2];
  x[1] = e[0] * w[0] + e[2] * w[2] - e[3] * w[1];
  x[2] = e[0] * w[1] + e[3] * w[0] - e[1] * w[2];
  x[3] = e[0] * w[2] + e[1] * w[1] - e[2] * w[0];
}


static int closes_loops(const eqnFunction *f)
{
  for (int k = 0; k < f->nstage; k++) {
    if (f->stage[k].kind == STAGE_NEWTON && f->stage[k].group == GROUP_POSITION) return 1;
  }
  return 0;
}


// a step of length STEP in direction k of the input `way`, "p" being the parameters
static void step_input(const scene *s, const eqnFunction *f, const char *way, int k,
                       const eqnVector *v, double complex *x)
{
  const double *at = input_of(s, v);
  for (int i = 0; i < v->n; i++) x[i] = at[i];
  if (strcmp(v->name, way) != 0) return;
  const int coordinate = closes_loops(f) && strlen(way) == 1 ? s->free[k] : k;
  if (strcmp(way, "q") != 0) {
    x[coordinate] += I * STEP;
    return;
  }
  double *dq = keep_numbers(v->n);
  unit_move(s, coordinate, dq);
  for (int i = 0; i < v->n; i++) x[i] += I * STEP * dq[i];
}


static int find_parameter(const scene *s, const char *label)
{
  for (int i = 0; i < s->p->parameter.n; i++) {
    if (strcmp(s->p->parameter.label[i], label) == 0) return i;
  }
  return -1;
}


// parameters, and the constants that the user's parameters define
static void set_constants(const plane *z, const double complex *x)
{
  const eqnProgram *p = z->p;
  const exprPool *pool = p->definitions;
  for (int i = p->nuser; i < p->parameter.n; i++) {
    z->symbol[p->pool->nodes[p->parameter.node[i]].a] = x[i];
  }
  if (!pool) return;
  const eqnProgram own = {.pool = p->definitions};
  plane y = {.p = &own};
  y.symbol = calloc((size_t) pool->symbol_count + 1, sizeof *y.symbol);
  y.value = calloc((size_t) pool->count, sizeof *y.value);
  for (int i = 0; i < p->nuser; i++) y.symbol[pool->nodes[p->parameter.node[i]].a] = x[i];
  for (int i = 0; i < pool->count; i++) {
    const exprNode *n = &pool->nodes[i];
    y.value[i] = n->op == EXPR_CONSTANT ? n->value
                 : n->op == EXPR_SYMBOL ? y.symbol[n->a]
                                        : apply(&y, i);
  }
  for (int i = 0; i < p->ndefined; i++) {
    z->symbol[p->pool->nodes[p->defined[i].symbol].a] = y.value[p->defined[i].node];
  }
  free(y.symbol), free(y.value);
}


static void step_all(const scene *s, plane *z, const char *way, int k)
{
  static double complex x[4000];
  const eqnVector *p = &s->p->parameter;
  if (!CHECK(p->n <= 4000)) return;
  for (int i = 0; i < p->n; i++) x[i] = s->p->value[i];
  if (strcmp(way, "p") == 0) {
    const int moved = find_parameter(s, s->sensitive[k]);
    if (CHECK(moved >= 0)) x[moved] += I * STEP;
  }
  set_constants(z, x);
  for (int v = 0; v < z->f->ninput; v++) {
    step_input(s, z->f, way, k, &z->f->input[v], x);
    set(z, &z->f->input[v], x);
  }
  run_stages(z);
}

//---- comparisons ---------------------------------------------------------------------------------

// the output of a function and the way that a derivative "a_q" is of
static const eqnVector *find_output(const eqnFunction *f, const char *name, const char **way)
{
  for (int k = 0; k < f->noutput; k++) {
    const size_t n = strlen(f->output[k].name);
    if (strncmp(name, f->output[k].name, n) != 0 || name[n] != '_') continue;
    *way = name + n + 1;
    return &f->output[k];
  }
  return NULL;
}


static void compare_matrix(const scene *s, plane *z, const eqnVector *derivative, const double *got)
{
  const char *way = NULL;
  const eqnVector *y = find_output(z->f, derivative->name, &way);
  if (!CHECK(y) || derivative->n == 0) return;
  const int columns = derivative->n / y->n;
  double *want = keep_numbers(derivative->n);
  for (int k = 0; k < columns; k++) {
    step_all(s, z, way, k);
    for (int i = 0; i < y->n; i++) {
      want[i * columns + k] = cimag(z->value[y->node[i]]) / STEP;
    }
  }
  const double scale = check_largest(derivative->n, want),
               worst = check_apart(derivative->n, got, want);

  // linear systems of loops lose some digits
  const double tolerance = closes_loops(z->f) ? 1e-10 : 1e-11;
  if (!CHECK(worst <= tolerance * check_larger(scale, 1))) {
    printf("  %s of %s in %s: off by %g of %g\n", derivative->name, z->f->name, s->name, worst,
           scale);
  }
}


static void check_function(const scene *s, const eqnFunction *f, const eqnFunction *tangent)
{
  enum { MOST = 64 };
  const eqnList *list = keep_list(eqn_list_create(s->p, tangent, NULL));
  double *in[MOST], *out[MOST];
  if (!CHECK(list) || !CHECK(tangent->noutput <= MOST)) return;
  for (int k = 0; k < f->ninput; k++) {
    in[k] = keep_numbers(f->input[k].n);
    memcpy(in[k], input_of(s, &f->input[k]), (size_t) f->input[k].n * sizeof *in[k]);
  }
  for (int k = 0; k < tangent->noutput; k++) out[k] = keep_numbers(tangent->output[k].n);
  CHECK_EQ_INT(eqn_evaluate(list, NULL, in, out, real_host, s->p), 0);
  plane z;
  open_plane(&z, s->p, f);
  for (int k = 0; k < tangent->noutput; k++) compare_matrix(s, &z, &tangent->output[k], out[k]);
  close_plane(&z);
}


static void check_scene(scene *s)
{
  int count = 0;
  for (int i = 0; i < s->p->nfunction; i++) {
    char name[200];
    snprintf(name, sizeof name, "%s_tangent", s->p->function[i].name);
    const eqnFunction *tangent = gen_function(s->p, name);
    if (tangent) check_function(s, &s->p->function[i], tangent);
    count += tangent != NULL;
  }
  CHECK(count > 0);
}


// some of the parameters that there are
static void choose_parameters(scene *s)
{
  const eqnVector *all = &s->p->parameter;
  const int most = s->takes_all ? SENSITIVE : 4;
  s->nsensitive = all->n < most ? all->n : most;
  for (int k = 0; k < s->nsensitive; k++) {
    s->sensitive[k] = all->label[k * all->n / s->nsensitive];
  }
}


static int open_scene(scene *s, unsigned forms)
{
  int massless = -1;
  s->d = keep_assembled_data(s->m);
  if (!CHECK(gen_find_massless(s->m, s->d, &massless))) return 0;
  genOptions options = {.forms = massless >= 0 ? forms & ~(unsigned) GEN_NEED_INERTIA : forms};
  s->p = keep_program(s->m, s->d, &options);
  choose_parameters(s);
  options.tangents = 1, options.nsensitive = s->nsensitive, options.sensitive = s->sensitive;
  s->p = keep_program(s->m, s->d, &options);
  s->nfree = s->m->nrow > 0 ? s->d->work->loop->partition.nf : 0;
  if (!CHECK(s->nfree <= FREE)) return 0;
  for (int i = 0; i < s->nfree; i++) s->free[i] = s->d->work->loop->partition.free[i];
  sample_numbers(&seed, 2, OTHER, s->other);
  return 1;
}


static void check_model(const char *name, const artModel *m, unsigned forms)
{
  scene s = {.name = name, .m = m};
  if (open_scene(&s, forms) && CHECK(machine_random_state(m, s.d, &seed))) check_scene(&s);
  check_free_kept();
}


static const unsigned machine_forms = GEN_ACCELERATE | GEN_REACTIONS | GEN_CONSTRAINTS |
                                      GEN_ENERGY | GEN_AUGMENTED | GEN_POWER | GEN_MACHINE_INVERSE |
                                      GEN_IMPLICIT;
static const unsigned all_forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N |
                                  GEN_KINEMATICS | GEN_REGRESSOR | machine_forms;


// all forms of small machines, what a simulation needs of larger ones; with ART_SOAK more count as small, and none as too large
static unsigned forms_for(const artModel *m)
{
  const int nv = m->tree.nv, soaks = getenv("ART_SOAK") != NULL;
  if (m->nrate > 0) return 0; // states with formulas: not in generated code yet
  return nv <= (soaks ? 7 : 4)    ? all_forms
         : nv <= (soaks ? 12 : 8) ? machine_forms | GEN_INVERSE
         : nv <= 100 || soaks     ? GEN_ACCELERATE
                                  : 0;
}


TEST(derivatives_of_all_models_are_those_of_complex_steps)
{
  seed = 5;
  static machineFiles files;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    if (machine_has_twin(files.path[i]) && !getenv("ART_SOAK")) continue;
    artModel *m = keep_file(files.path[i]);
    if (forms_for(m) != 0) check_model(machine_name(files.path[i]), m, forms_for(m));
  }
}


TEST(derivatives_of_loops_of_every_kind_are_those_of_complex_steps)
{
  seed = 5;
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    check_model(sample->name, m, forms_for(m));
  }
}


TEST(derivatives_by_all_parameters_at_once_are_those_of_complex_steps)
{
  seed = 5;
  static const char *const path[] = {"models/loops/four-bar.yaml",
                                     "models/loops/geared-five-bar.yaml", "models/solids.yaml",
                                     "models/iiwa.yaml"};
  for (int i = 0; i < 4; i++) {
    scene s = {.name = path[i], .m = keep_file(path[i]), .takes_all = 1};
    const unsigned forms = i < 3 ? GEN_ACCELERATE | GEN_ENERGY : GEN_ACCELERATE;
    if (open_scene(&s, forms) && CHECK(machine_random_state(s.m, s.d, &seed))) check_scene(&s);
    check_free_kept();
  }
}


// a wheel that rolls, pressed into a road on which its contact is found by iteration
static void check_wheel(const char *road, const char *law)
{
  artModel *m = keep_text_of(
      "articula: 1\nroads: {r: %s}\ntyres: {t: %s}\n"
      "bodies: {hub: {mass: 60, inertia: [4, 5, 6]}, wheel: {mass: 40, inertia: [1, 2, 1]}}\n"
      "joints:\n  base: {type: free, from: ground, to: hub}\n"
      "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
      "forces: {tyre: {type: tyre, wheel: wheel, tyre: t, road: r}}\n",
      road, law);
  scene s = {.name = road, .m = m};
  if (open_scene(&s, GEN_ACCELERATE)) {
    const int nv = m->tree.nv;
    double move[8], *v = s.d->v;
    for (int state = 0; state < 5; state++) {
      art_reset(m, s.d);
      sample_numbers(&seed, 0.05, nv, move);
      move[0] = check_uniform(&seed, 0.2, 3);
      move[2] = 0.26 + check_uniform(&seed, -0.01, 0.01);
      art_move(m, s.d->q, move);
      sample_numbers(&seed, 0.2, nv, v);
      v[0] += 10;
      v[nv - 1] += 34;
      art_update(m, s.d);
      CHECK(art_accelerate(m, s.d, ART_ORDER_N, NULL) == ART_OK && s.d->a[2] > 1);
      check_scene(&s);
    }
  }
}


TEST(derivatives_through_iterated_contacts_are_those_of_complex_steps)
{
  seed = 5;
  static const char *const roads[] = {
      "{type: sine, amplitude: 0.015, wavelength: 2}",
      "{type: bump, start: -1, length: 6, height: 0.03}",
      "{type: ramp, start: -1, up: 4, plateau: 1, down: 1.5, height: 0.03, radius: 0.8}",
      "{type: table, profile: [[-2, 0], [1, 0.02], [2, 0.01], [5, 0.03]]}"};
  static const char *const laws[] = {
      "{type: linear, radius: 0.3, stiffness: 2e5, damping: 300, load: 4000, slip: 6e4, cornering: "
      "5e4, camber: 2e3, trail: 0.02, friction: 0.9}",
      "{type: bakker, radius: 0.3, stiffness: 2e5, damping: 300, load: 4000}"};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 2; k++) check_wheel(roads[i], laws[k]);
  }
}
