// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The last instant at which a formula of time changes its branch: pulse(time, 2[s], 5[s]) has one, sin(time) > 0 has
// none. A walk over the program knows which operands are straight lines a + b t; lines of a switch that meet, meet once.
#include <math.h>

#include "model/formula/formula_program.h"

// a + b t; b is NaN for any other curve
typedef struct timeLine {
  double a, b;
} timeLine;

static const timeLine ANY_CURVE = {NAN, NAN}, ZERO = {0, 0};


static int count_operands(formulaOp op)
{
  switch (op) {
  case OP_CONSTANT:
  case OP_SLOT: return 0;
  case OP_ADD:
  case OP_SUBTRACT:
  case OP_MULTIPLY:
  case OP_DIVIDE:
  case OP_POW:
  case OP_HYPOT:
  case OP_ATAN2:
  case OP_MIN:
  case OP_MAX:
  case OP_MOD:
  case OP_MAP:
  case OP_SMOOTH_MAP:
  case OP_LESS:
  case OP_AT_MOST:
  case OP_GREATER:
  case OP_AT_LEAST:
  case OP_EQUAL:
  case OP_DIFFERENT:
  case OP_AND:
  case OP_OR: return 2;
  case OP_PULSE:
  case OP_CLAMP:
  case OP_HYSTERESIS:
  case OP_IF: return 3;
  case OP_RAMP:
  case OP_SMOOTH: return 5;
  default: // a function of one number
    return 1;
  }
}


static timeLine time_line_result(const formulaStep *step, const timeLine *x)
{
  switch (step->op) {
  case OP_CONSTANT: return (timeLine){step->value, 0};
  case OP_SLOT: return (timeLine){0, 1};
  case OP_NEGATE: return (timeLine){-x[0].a, -x[0].b};
  case OP_ADD: return (timeLine){x[0].a + x[1].a, x[0].b + x[1].b};
  case OP_SUBTRACT: return (timeLine){x[0].a - x[1].a, x[0].b - x[1].b};
  case OP_MULTIPLY:
    if (x[1].b == 0) return (timeLine){x[0].a * x[1].a, x[0].b * x[1].a};
    if (x[0].b == 0) return (timeLine){x[0].a * x[1].a, x[0].a * x[1].b};
    return ANY_CURVE;
  case OP_DIVIDE:
    if (x[1].b == 0) return (timeLine){x[0].a / x[1].a, x[0].b / x[1].a};
    return ANY_CURVE;
  default: return ANY_CURVE;
  }
}


// x = y at t = (y.a - x.a)/(x.b - y.b)
static double time_lines_meeting(timeLine x, timeLine y)
{
  const double closing = x.b - y.b;
  if (isnan(closing)) return INFINITY;
  return closing == 0 ? -INFINITY : (y.a - x.a) / closing;
}


static double last_of(double s, double t)
{
  return isnan(s) || isnan(t) ? INFINITY : fmax(s, t);
}


// beyond the borders of a law no segment follows
static double leave_law(const forceLaw *law, timeLine x)
{
  const int n = law->nsegment - 1;
  if (n == 0) return -INFINITY;
  return last_of(time_lines_meeting(x, (timeLine){law->knot[0], 0}),
                 time_lines_meeting(x, (timeLine){law->knot[n - 1], 0}));
}


static double last_branch_change(const formulaStep *step, const timeLine *x)
{
  switch (step->op) {
  case OP_ABS:
  case OP_SIGN:
  case OP_STEP: return time_lines_meeting(x[0], ZERO);
  case OP_MIN:
  case OP_MAX:
  case OP_LESS:
  case OP_AT_MOST:
  case OP_GREATER:
  case OP_AT_LEAST: return time_lines_meeting(x[0], x[1]);
  case OP_PULSE:
  case OP_CLAMP: return last_of(time_lines_meeting(x[0], x[1]), time_lines_meeting(x[0], x[2]));
  case OP_RAMP: return last_of(time_lines_meeting(x[0], x[1]), time_lines_meeting(x[0], x[3]));
  case OP_PIECES: return leave_law(step->law, x[0]);
  default: // floor, mod, hysteresis, tables and angles: ever again, or so it may be
    return formula_op_switches(step->op) > 0 ? INFINITY : -INFINITY;
  }
}


double formula_last_change(const formula *f)
{
  timeLine stack[FORMULA_DEEPEST + FORMULA_MOST_ARGUMENTS];
  double last = -INFINITY;
  int n = 0;
  if (f->depth > (int) (sizeof stack / sizeof *stack)) return INFINITY;
  for (int k = 0; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k];
    n -= count_operands(step->op);
    last = last_of(last, last_branch_change(step, stack + n));
    stack[n] = time_line_result(step, stack + n);
    n++;
  }
  return last;
}
