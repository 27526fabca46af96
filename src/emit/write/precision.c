// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations and their derivatives may be in single precision. Vectors of functions, and values that parts share, stay in double
// precision, and so do constants, which are found once.
#include "emit/write/precision.h"

#include <math.h>
#include <string.h>

// Residuals of lengths of a few metres in single precision come down to some 1e-7 of them.
#define FINEST 4e-6


static int may_be_narrow(const emitWriter *w)
{
  return w->precision != ART_DOUBLE && w->syntax->single &&
         (w->function->kind == EQN_ACCELERATE || w->function->kind == EQN_BRANCH ||
          w->function->kind == EQN_ACCELERATE_TANGENT);
}


// equations whose variables a node reads
static void widen_read_equations(emitWriter *w, int node)
{
  const exprPool *pool = w->list->pool;
  const int e = node < w->list->nnode ? w->list->equation_of[node] : -1;
  if (e >= 0) w->is_narrow[e] = 0;
  for (int k = 0; e < 0 && k < expr_argument_count(pool, node); k++) {
    widen_read_equations(w, expr_argument(pool, node, k));
  }
}


static int is_position(const emitWriter *w, int node)
{
  for (int k = 0; k < w->function->ninput; k++) {
    const eqnVector *v = &w->function->input[k];
    for (int i = 0; i < v->n && strcmp(v->name, "q") == 0; i++) {
      if (v->node[i] == node) return 1;
    }
  }
  return 0;
}


// angles whose sines and cosines an equation reads, by itself
static void widen_angles(const emitWriter *w, int node, char *is_wide)
{
  const exprPool *pool = w->list->pool;
  if (expr_is_trig(pool->nodes[node].op)) is_wide[pool->nodes[node].a] = 1;
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    const int a = expr_argument(pool, node, k);
    if (w->list->equation_of[a] < 0) widen_angles(w, a, is_wide);
  }
}


void precision_choose(emitWriter *w)
{
  if (!may_be_narrow(w)) return;
  const size_t n = (size_t) w->list->n + 1;
  char *is_single = arena_alloc(&w->arena, n, 1);
  char *is_wide = arena_alloc(&w->arena, (size_t) w->list->nnode, 1);
  w->is_narrow = arena_alloc(&w->arena, n, 1);
  for (int e = w->nconst; e < w->list->n; e++) w->is_narrow[e] = 1;
  if (w->precision == ART_MIXED) {
    // equations that find positions, and all that these read, which comes before them
    const eqnEquation *x = w->list->equation;
    for (int s = 0; s < w->function->nstage; s++) {
      const eqnStage *stage = &w->function->stage[s];
      const int is_newton = stage->kind == STAGE_NEWTON;
      if (is_newton) widen_read_equations(w, stage->residual);
      for (int i = 0; stage->kind != STAGE_STRAIGHT && i < stage->nunknown; i++) {
        if (is_newton || is_position(w, stage->unknown[i]))
          widen_read_equations(w, stage->correction[i]);
      }
      for (int e = w->nconst; is_newton && e < w->list->n; e++) {
        if (x[e].stage == s) w->is_narrow[e] = 0;
      }
    }
    for (int e = w->list->n - 1; e >= w->nconst; e--) {
      for (int k = 0; !w->is_narrow[e] && k < x[e].nparent; k++) w->is_narrow[x[e].parent[k]] = 0;
    }
  }
  for (int e = w->nconst; e < w->list->n; e++) {
    is_single[e] = w->is_narrow[e] && writer_is_local(w, e);
  }
  for (int e = 0; e < w->list->n; e++) {
    if (!w->is_narrow[e]) widen_angles(w, w->list->equation[e].node, is_wide);
  }
  w->scope.is_single = is_single;
  w->scope.is_wide_angle = is_wide;
}


void precision_begin(emitWriter *w, int is_constant)
{
  const int is_single = w->is_narrow && w->precision == ART_FLOAT && !is_constant;
  w->scope.dialect = is_single ? w->syntax->single : &w->syntax->dialect;
}


double precision_tolerance(const emitWriter *w, double tolerance)
{
  return w->scope.dialect->narrow ? fmax(tolerance, FINEST) : tolerance;
}
