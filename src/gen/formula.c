// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas and the quantities they read, as expressions.
#include "element/port.h"
#include "gen/build.h"
#include "gen/heading.h"
#include "gen/output.h"

//---- operations ----------------------------------------------------------------------------------

static int not_less(exprPool *p, int a, int b)
{
  return expr_operate(p, EXPR_LESS_EQUAL, b, a);
}


// the straight line or the quintic between (x0, y0) and (x1, y1) (a: x, x0, y0, x1, y1)
static int middle_of(exprPool *p, const int *a, int is_smooth)
{
  int s = expr_div(p, expr_sub(p, a[0], a[1]), expr_sub(p, a[3], a[1]));
  if (is_smooth) {
    // s^3 (10 - 15 s + 6 s^2)
    const int ten = expr_constant(p, 10), fifteen = expr_constant(p, 15), six = expr_constant(p, 6);
    const int tail = expr_add(p, ten, expr_mul(p, s, expr_sub(p, expr_mul(p, six, s), fifteen)));
    s = expr_mul(p, expr_mul(p, s, expr_mul(p, s, s)), tail);
  }
  return expr_add(p, a[2], expr_mul(p, expr_sub(p, a[4], a[2]), s));
}


// y0 before x0, y1 from x1 on
static int between(exprPool *p, const int *a, int is_smooth)
{
  const int middle = middle_of(p, a, is_smooth);
  const int before = expr_operate(p, EXPR_LESS, a[0], a[1]);
  return expr_select(p, before, a[2], expr_select(p, not_less(p, a[0], a[3]), a[4], middle));
}


static int pulse(exprPool *p, const int *a)
{
  const int begun = not_less(p, a[0], a[1]), on = expr_operate(p, EXPR_LESS, a[0], a[2]);
  return expr_operate(p, EXPR_AND, begun, on);
}


// the operation of expressions that means the same
static exprOp same_operation(formulaOp op)
{
  enum { EXPR_NONE = EXPR_OP_COUNT };
  static const exprOp same[] = {
#define SAME_OPERATION(name, nswitch, symbol) (exprOp) EXPR_##symbol,
      FORMULA_OP_LIST(SAME_OPERATION)
#undef SAME_OPERATION
  };
  return same[op];
}


// apply an operation to the arguments that end at top; returns how many they were
static int apply(exprPool *p, formulaOp op, int *top)
{
  switch (op) {
  case OP_STEP:
    top[-1] = not_less(p, top[-1], 0);
    return 1;
  case OP_GREATER:
    top[-2] = expr_operate(p, EXPR_LESS, top[-1], top[-2]);
    return 2;
  case OP_AT_LEAST:
    top[-2] = not_less(p, top[-2], top[-1]);
    return 2;
  case OP_DIFFERENT:
    top[-2] = expr_operate(p, EXPR_NOT, expr_operate(p, EXPR_EQUAL, top[-2], top[-1]), 0);
    return 2;
  case OP_PULSE:
    top[-3] = pulse(p, top - 3);
    return 3;
  case OP_IF:
    top[-3] = expr_select(p, top[-3], top[-2], top[-1]);
    return 3;
  case OP_RAMP:
  case OP_SMOOTH:
    top[-5] = between(p, top - 5, op == OP_SMOOTH);
    return 5;
  default:
    break;
  }
  const exprOp same = same_operation(op);
  const int count = expr_arity(same);
  top[-count] = expr_operate(p, same, top[-count], top[-1]);
  return count;
}


// piecewise operations on the branch s that they are held on; returns 0 for all others
static int apply_held(exprPool *p, formulaOp op, const int *s, int *top)
{
  const int y = top[-1];
  switch (op) {
  case OP_ABS:
    top[-1] = expr_select(p, s[0], y, expr_neg(p, y));
    return 1;
  case OP_STEP:
  case OP_SIGN:
  case OP_FLOOR:
    top[-1] = s[0];
    return 1;
  case OP_MIN:
  case OP_MAX:
    top[-2] = expr_select(p, s[0], top[-2], y);
    return 2;
  case OP_LESS:
  case OP_AT_MOST:
  case OP_GREATER:
  case OP_AT_LEAST:
    top[-2] = s[0];
    return 2;
  case OP_MOD:
    top[-2] = expr_sub(p, top[-2], expr_mul(p, s[0], y));
    return 2;
  case OP_PULSE:
    top[-3] = expr_operate(p, EXPR_AND, s[0], expr_operate(p, EXPR_NOT, s[1], 0));
    return 3;
  case OP_RAMP: {
    const int *a = top - 5;
    top[-5] = expr_select(p, s[0], expr_select(p, s[1], a[4], middle_of(p, a, 0)), a[2]);
    return 5;
  }
  default:
    return 0;
  }
}


// one step on the stack that ends at top; returns by how much it grows, nodes of slots are given
static int run_step(genBuild *b, const formulaStep *step, const int *slot, int *top)
{
  if (step->op == OP_CONSTANT || step->op == OP_SLOT) {
    *top = step->op == OP_SLOT ? slot[step->index] : expr_constant(b->pool, step->value);
    return 1;
  }
  if (step->op == OP_CURVE || step->op == OP_PIECES) {
    const int is_held = b->branch && step->op == OP_PIECES;
    gen_watch_law(b, step->law, top[-1]);
    top[-1] = gen_curve(b, step->law, is_held ? b->branch[step->index] : -1, top[-1], NULL, 0, 0);
    return 0;
  }
  gen_watch_operation(b, step->op, top);
  int count = b->branch ? apply_held(b->pool, step->op, b->branch + step->index, top) : 0;
  if (count == 0) count = apply(b->pool, step->op, top);
  return 1 - count;
}


int gen_formula_of(genBuild *b, const formula *f, const int *slot)
{
  baseArena scratch = {0};
  int *stack = arena_alloc(&scratch, (size_t) f->depth, sizeof *stack), *top = stack, node = 0;
  for (int k = 0; stack && k < f->nstep; k++) top += run_step(b, &f->steps[k], slot, top);
  if (stack) node = stack[0];
  if (!stack) b->pool->failed = 1;
  arena_free(&scratch);
  return node;
}


int gen_formula(genBuild *b, const formula *f, artPlace place, const char *name)
{
  for (int k = 0; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k];
    if (step->op == OP_SLOT && gen_quantity(b, step->index, place, name) < 0) return -1;
  }
  return gen_formula_of(b, f, b->slot);
}


//---- quantities ----------------------------------------------------------------------------------

static int component(node3 a, int c)
{
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}


static node3 angular_velocity(genBuild *b, int link)
{
  const nodeFrame *frame = (const nodeFrame *) b->world + link;
  const int *w = b->velocity + 6 * link;
  return node3_back(b->pool, frame->e, (node3){w[0], w[1], w[2]});
}


// angular velocity along the axes of the frame itself
static int own_rate(genBuild *b, int number, int c)
{
  const modelFrame *frame = &b->m->frame[number];
  const int *w = b->velocity + 6 * frame->link;
  const v3 axis = c == 0 ? frame->R.x : c == 1 ? frame->R.y : frame->R.z;
  const node3 own = {expr_constant(b->pool, axis.x), expr_constant(b->pool, axis.y),
                     expr_constant(b->pool, axis.z)};
  return node3_dot(b->pool, own, (node3){w[0], w[1], w[2]});
}


static node3 frame_axis(genBuild *b, int frame, int axis)
{
  node3 axes[3];
  gen_frame_axes(b, frame, axes);
  return axes[axis];
}


// what an element does, or the length and rate of a spring
static int element_value(genBuild *b, const modelQuantity *quantity)
{
  const modelElement *e = &b->m->element[quantity->index];
  int is_rate;
  const int shown = port_shown(e, quantity->component, &is_rate);
  if (shown >= 0) return gen_displacement(b, e, shown, is_rate);
  return b->value[e->value0 + quantity->component];
}


static int total_energy(genBuild *b)
{
  return expr_add(b->pool, gen_kinetic(b), gen_potential(b));
}


// what a run knows
static int of_run(genBuild *b, int k)
{
  if (!b->acceleration) return -1;
  for (int i = 0; i < GEN_RUN; i++) b->run[i] = expr_symbol(b->pool, "run", i);
  return b->run[k];
}


// total - start - work
static int balance(genBuild *b)
{
  const int work = of_run(b, 0), start = of_run(b, 1);
  if (work < 0) return -1;
  return expr_sub(b->pool, expr_sub(b->pool, total_energy(b), start), work);
}


static int energy(genBuild *b, int c)
{
  return c == 0   ? gen_kinetic(b)
         : c == 1 ? gen_potential(b)
         : c == 2 ? total_energy(b)
         : c == 3 ? of_run(b, 0)
                  : balance(b);
}


static int find_quantity(genBuild *b, const modelQuantity *quantity)
{
  const int i = quantity->index, c = quantity->component;
  switch (quantity->kind) {
  case QUANTITY_TIME:
    return b->time;
  case QUANTITY_POSITION:
    return b->tree->q[i];
  case QUANTITY_VELOCITY:
    return b->tree->v[i];
  case QUANTITY_ACCELERATION:
    return b->acceleration ? b->acceleration[i] : -1;
  case QUANTITY_POINT:
    return component(gen_point(b, i), c);
  case QUANTITY_POINT_VELOCITY:
    return component(gen_point_velocity(b, i), c);
  case QUANTITY_OMEGA:
    return component(angular_velocity(b, b->m->frame[i].link), c);
  case QUANTITY_AXIS:
    return component(frame_axis(b, i, c / 3), c % 3);
  case QUANTITY_ATTITUDE:
    return gen_heading_angle(b, i, c);
  case QUANTITY_TURN:
    return own_rate(b, i, c);
  case QUANTITY_COURSE:
    return gen_heading_part(b, i, gen_point_velocity(b, i), c);
  case QUANTITY_ELEMENT:
    return element_value(b, quantity);
  case QUANTITY_ENERGY:
    return energy(b, c);
  case QUANTITY_STEP:
    return of_run(b, 2 + c);
  case QUANTITY_CONSTRAINT:
    return of_run(b, 4 + c);
  case QUANTITY_MOMENTUM:
    return gen_momentum(b, c);
  case QUANTITY_MULTIPLIER:
    return b->multiplier ? b->multiplier[b->m->relation[i].row] : -1;
  default:
    return gen_settled_quantity(b, quantity);
  }
}


int gen_quantity(genBuild *b, int number, artPlace place, const char *name)
{
  if (b->slot[number] >= 0) return b->slot[number];
  const int node = find_quantity(b, &b->m->quantity[number]);
  if (node < 0) {
    base_fail(b->error, ART_UNSUPPORTED, place,
              "'%s' reads a quantity that generated code does not compute there", name);
    return -1;
  }
  b->slot[number] = node;
  return node;
}
