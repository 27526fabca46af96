// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations by generated equations, compiled and loaded.
//
// Code for a machine with loops has the partition of its coordinates and the order of its pivots built
// in. It serves as long as that partition is in force and its pivots are sound; another partition gets
// code of its own, up to a few. Wherever code does not apply, the numeric method does the evaluation.
#include <math.h>
#include <string.h>

#include "articula/generate.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "load/code.h"
#include "loop/loop.h"
#include "method/method.h"

enum { MOST_CODES = 8 };

// accelerations of code and of the numeric method agree at the state where code is taken up
#define GENERATED_AGREEMENT 1e-9

// frozen pivots this much weaker than at the start cost three digits, and are left to the numeric method
#define WEAK_PIVOT 1e-3

typedef struct generatedCode {
  artGenerated *code; // NULL: could not be made
  int nd, block_count;
  int *start, *row, *column; // of the partition that it was made for
  double pivot; // least frozen pivot where it was made, of the largest entry of its block
} generatedCode;

struct methodGenerated {
  int n;
  generatedCode list[MOST_CODES];
  generatedCode *now; // for the partition in force; NULL: none
  long serial;        // of that partition
  int is_weak;        // frozen pivots, or a singular position
  double *q, *v, *a;  // [nq], [nv], [nv]
  double *block;      // [nv nv]
  double *mode;       // [nmode] as numbers
  double *s_rate;     // [nstate]
  generatedCounts counts;
  baseArena arena;
};

//---- life ----------------------------------------------------------------------------------------

void method_free_generated(struct methodGenerated *g)
{
  if (!g) return;
  for (int i = 0; i < g->n; i++) art_free_generated(g->list[i].code);
  arena_free(&g->arena);
  mem_free(g);
}


static struct methodGenerated *create(const artModel *m)
{
  struct methodGenerated *g = mem_alloc(1, sizeof *g);
  if (!g) return NULL;
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  const size_t block = m->nrow > 0 ? nv * nv : 0;
  if ((g->q = arena_alloc(&g->arena, nq, sizeof *g->q)) &&
      (g->v = arena_alloc(&g->arena, nv, sizeof *g->v)) &&
      (g->a = arena_alloc(&g->arena, nv, sizeof *g->a)) &&
      (g->s_rate = arena_alloc(&g->arena, (size_t) m->nstate, sizeof *g->s_rate)) &&
      (g->mode = arena_alloc(&g->arena, (size_t) m->nmode, sizeof *g->mode)) &&
      (g->block = arena_alloc(&g->arena, block, sizeof *g->block))) {
    return g;
  }
  method_free_generated(g);
  return NULL;
}


generatedCounts method_generated_counts(const artData *d)
{
  return d->work->generated ? d->work->generated->counts : (generatedCounts){0};
}

//---- frozen pivots -------------------------------------------------------------------------------

// least pivot of a block taken in the order of its rows and columns, of its largest entry
static double block_pivot(int n, double *A)
{
  double largest = 0, least = HUGE_VAL;
  for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(A[i]));
  for (int k = 0; k < n; k++) {
    const double pivot = A[k * n + k];
    least = fmin(least, fabs(pivot));
    if (pivot == 0) return 0;
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / pivot;
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return largest > 0 ? least / largest : 0;
}


// the same of all blocks, at the Jacobian of the last closing
static double frozen_pivot(const artModel *m, const artData *d, double *block)
{
  const loopPartition *p = &d->work->loop->partition;
  const double *J = d->work->loop->rows.J;
  double least = HUGE_VAL;
  for (int k = 0; k < p->block_count; k++) {
    const int first = p->block_start[k], n = p->block_start[k + 1] - first;
    for (int i = 0; i < n; i++) {
      const double *row = J + (long) p->block_row[first + i] * m->tree.nv;
      for (int j = 0; j < n; j++) block[i * n + j] = row[p->block_column[first + j]];
    }
    least = fmin(least, block_pivot(n, block));
  }
  return least;
}

//---- code of a partition -------------------------------------------------------------------------

static int is_for(const generatedCode *code, const loopPartition *p)
{
  const size_t nd = (size_t) p->nd * sizeof(int);
  if (code->nd != p->nd || code->block_count != p->block_count) return 0;
  return memcmp(code->start, p->block_start, (size_t) (p->block_count + 1) * sizeof(int)) == 0 &&
         memcmp(code->row, p->block_row, nd) == 0 && memcmp(code->column, p->block_column, nd) == 0;
}


static int remember_partition(struct methodGenerated *g, generatedCode *code,
                              const loopPartition *p)
{
  baseArena *a = &g->arena;
  code->nd = p->nd;
  code->block_count = p->block_count;
  code->start = arena_copy(a, p->block_start, (size_t) p->block_count + 1, sizeof(int));
  code->row = arena_copy(a, p->block_row, (size_t) p->nd, sizeof(int));
  code->column = arena_copy(a, p->block_column, (size_t) p->nd, sizeof(int));
  return code->start && code->row && code->column;
}


// accelerations and power by code at g->q and g->v, which are brought to closed loops
static artStatus call_code(struct methodGenerated *g, const artModel *m, artData *d,
                           artGenerated *code, double *a, double *power, artError *error)
{
  double *in[5] = {&d->time, g->q, g->v}, *out[3] = {a};
  int nin = 3, nout = 1;
  if (m->nstate > 0) {
    in[nin++] = d->s;
    out[nout++] = g->s_rate;
  }
  in[nin] = g->mode;
  out[nout] = power;
  for (int i = 0; i < m->nmode; i++) g->mode[i] = d->work->mode[i];
  return art_generated_call(code, art_find_generated(code, "accelerate"), in, out, error);
}


// accelerations by code at the data's state, which stays as it is
static artStatus evaluate(struct methodGenerated *g, const artModel *m, artData *d,
                          artGenerated *code, double *power, artError *error)
{
  memcpy(g->q, d->q, (size_t) m->tree.nq * sizeof *g->q);
  memcpy(g->v, d->v, (size_t) m->tree.nv * sizeof *g->v);
  return call_code(g, m, d, code, g->a, power, error);
}


// d->a and the power are those of the numeric method
static artStatus check_code(struct methodGenerated *g, const artModel *m, artData *d,
                            artGenerated *code, artError *error)
{
  double power, scale = 1;
  const artStatus status = evaluate(g, m, d, code, &power, error);
  if (status != ART_OK) return status;
  for (int k = 0; k < m->tree.nv; k++) scale = fmax(scale, fabs(d->a[k]));
  for (int k = 0; k < m->tree.nv; k++) {
    if (fabs(g->a[k] - d->a[k]) <= GENERATED_AGREEMENT * scale) continue;
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "the generated equations give an acceleration of %.12g for '%s' at t = %.9g "
                     "s where the numeric method gives %.12g; they are not used: choose another "
                     "method",
                     g->a[k], m->velocity[k].name, d->time, d->a[k]);
  }
  for (int k = 0; k < m->nstate; k++) {
    if (fabs(g->s_rate[k] - d->s_rate[k]) <= GENERATED_AGREEMENT * fmax(1, fabs(d->s_rate[k]))) {
      continue;
    }
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "the generated equations give a rate of %.12g for slip %d at t = %.9g s where "
                     "the numeric method gives %.12g; they are not used: choose another method",
                     g->s_rate[k], k + 1, d->time, d->s_rate[k]);
  }
  const double expected = d->work->power;
  if (fabs(power - expected) <= GENERATED_AGREEMENT * fmax(scale, fabs(expected))) return ART_OK;
  return base_fail(
      error, ART_UNSUPPORTED, base_nowhere(),
      "the generated equations give a power of %.12g W at t = %.9g s where the numeric "
      "method gives %.12g; they are not used: choose another method",
      power, d->time, expected);
}


// modes belong to the stepper
static artStatus load_code(artGenerated **out, const artModel *m, artData *d, artError *error)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER, .modes = m->nmode > 0};
  eqnProgram *program = NULL;
  artStatus status = gen_create(&program, m, d, &options, error);
  if (status == ART_OK) status = load_program(out, m, program, error);
  gen_free(program);
  return status;
}


static artStatus make_code(struct methodGenerated *g, const artModel *m, artData *d,
                           artError *error)
{
  generatedCode *code = &g->list[g->n++];
  if (m->nrow > 0) {
    if (!remember_partition(g, code, &d->work->loop->partition)) return base_no_memory(error);
    code->pivot = frozen_pivot(m, d, g->block);
  }
  artGenerated *made = NULL;
  artStatus status = load_code(&made, m, d, error);
  if (status == ART_OK) status = check_code(g, m, d, made, error);
  if (status == ART_OK) {
    code->code = made;
    g->counts.codes++;
  } else {
    art_free_generated(made);
  }
  return status;
}


// code for the partition in force, where the numeric method has just been; NULL where there is none
static artStatus adopt(struct methodGenerated *g, const artModel *m, artData *d, artError *error)
{
  const struct loopWork *loop = d->work->loop;
  artStatus status = ART_OK;
  g->serial = loop ? loop->serial : 0;
  g->now = NULL;
  g->is_weak = 0;
  for (int i = 0; i < g->n && !g->now; i++) {
    if (!loop || is_for(&g->list[i], &loop->partition)) g->now = &g->list[i];
  }
  if (!g->now && g->n < MOST_CODES) {
    status = make_code(g, m, d, error);
    g->now = &g->list[g->n - 1];
  }
  if (g->now && !g->now->code) g->now = NULL;
  return status;
}

//---- evaluations ---------------------------------------------------------------------------------

static int is_applicable(const struct methodGenerated *g, const artData *d)
{
  const struct loopWork *loop = d->work->loop;
  return g->now && !g->is_weak && (!loop || (loop->is_ready && loop->serial == g->serial));
}


static artStatus numeric(const artModel *m, artData *d, artError *error)
{
  art_update(m, d);
  return art_accelerate(m, d, ART_AUTOMATIC, error);
}


artStatus method_generated(const artModel *m, artData *d, artError *error)
{
  artWork *w = d->work;
  double power;
  artStatus status = art_accelerate(m, d, ART_AUTOMATIC, error);
  if (status != ART_OK) return status;
  if (!w->generated) w->generated = create(m);
  struct methodGenerated *g = w->generated;
  if (!g) return base_no_memory(error);
  if (!g->now || (w->loop && w->loop->serial != g->serial)) {
    status = adopt(g, m, d, error);
    if (status != ART_OK) return status;
  }
  method_generated_watch(m, d);
  if (!is_applicable(g, d) || evaluate(g, m, d, g->now->code, &power, NULL) != ART_OK)
    return ART_OK;
  memcpy(d->a, g->a, (size_t) m->tree.nv * sizeof *d->a);
  return ART_OK;
}


// all that code may have left in the data is put back before the numeric method takes over
static artStatus fall_back(struct methodGenerated *g, const artModel *m, artData *d,
                           artError *error)
{
  g->counts.numeric++;
  artStatus status = numeric(m, d, error);
  if (status != ART_OK) return status;
  if (d->work->loop && d->work->loop->serial != g->serial) adopt(g, m, d, NULL);
  return status;
}


static int are_finite(int n, const double *x)
{
  int finite = 1;
  for (int k = 0; k < n; k++) finite = finite && isfinite(x[k]);
  return finite;
}


artStatus method_generated_rates(const artModel *m, artData *d, artError *error)
{
  struct methodGenerated *g = d->work->generated;
  if (!is_applicable(g, d)) return fall_back(g, m, d, error);
  const size_t nq = (size_t) m->tree.nq * sizeof *d->q, nv = (size_t) m->tree.nv * sizeof *d->v;
  memcpy(g->q, d->q, nq);
  memcpy(g->v, d->v, nv);
  const artStatus status = call_code(g, m, d, g->now->code, d->a, &d->work->power, NULL);
  // code cannot say what has no value; the numeric method can, by name
  if (status != ART_OK || !are_finite(m->tree.nv, d->a)) return fall_back(g, m, d, error);
  memcpy(d->q, g->q, nq);
  memcpy(d->v, g->v, nv);
  if (m->nstate > 0) memcpy(d->s_rate, g->s_rate, (size_t) m->nstate * sizeof *d->s_rate);
  g->counts.generated++;
  return ART_OK;
}


void method_generated_watch(const artModel *m, artData *d)
{
  struct methodGenerated *g = d->work->generated;
  const struct loopWork *loop = d->work->loop;
  if (!loop || !g || !g->now || loop->serial != g->serial) return;
  g->is_weak = loop->hold.held > 0 || !loop_is_sound(loop) ||
               !(frozen_pivot(m, d, g->block) > WEAK_PIVOT * g->now->pivot);
}


int method_generated_is_weak(const artData *d)
{
  return d->work->generated && d->work->generated->is_weak;
}


void method_set_generated_weak(artData *d, int is_weak)
{
  if (d->work->generated) d->work->generated->is_weak = is_weak;
}
