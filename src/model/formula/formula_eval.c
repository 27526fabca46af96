// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Evaluation of formulas: values, jets, switches.
#include <math.h>

#include "model/formula/formula_program.h"

#define PI 3.14159265358979323846

//---- switches ------------------------------------------------------------------------------------
//
// A freezer says where branches come from: from branch, or from the values when update is set. With
// g set, the margins of the branches are written as well, with corner set those that the values are at.

typedef struct freezer {
  const int *branch;
  int *update;
  double *g;
  int *corner;
} freezer;


static double switch_margin(double g)
{
  return isnan(g) ? 1 : g;
}


// branch 1 where s >= 0 (strict: s > 0), else 0
static int frozen_side(const freezer *z, int i, double s, int strict)
{
  if (z->update) z->update[i] = strict ? s > 0 : s >= 0;
  const int side = z->update ? z->update[i] : z->branch[i];
  if (z->g) z->g[i] = switch_margin(side ? s : -s);
  return side;
}


// the same for min, max and the like
static int frozen_corner(const freezer *z, int i, double s)
{
  if (z->corner && s == 0) z->corner[i] = FORMULA_AT_CORNER;
  return frozen_side(z, i, s, 0);
}


// branch 1 from x > high on, 0 from x < low on; between them it stays
static int frozen_loop(const freezer *z, int i, double x, double low, double high)
{
  if (z->update) z->update[i] = x > high || (x >= low && z->update[i] == 1);
  const int side = z->update ? z->update[i] : z->branch[i];
  if (z->g) z->g[i] = switch_margin(side ? x - low : high - x);
  return side;
}


// branch n where n <= q < n + 1; switch i watches n, switch i + 1 watches n + 1. Cells too far away
// for an int are one, within which the floor is not frozen.
static double frozen_cell(const freezer *z, int i, double q)
{
  enum { FARTHEST = 2000000000 };
  if (z->update) {
    const double n = isnan(q) ? 0 : fmax(-FARTHEST, fmin(FARTHEST, floor(q)));
    z->update[i] = z->update[i + 1] = (int) n;
  }
  const int cell = z->update ? z->update[i] : z->branch[i];
  if (z->g) {
    z->g[i] = cell > -FARTHEST ? switch_margin(q - cell) : 1;
    z->g[i + 1] = cell < FARTHEST ? switch_margin(cell + 1.0 - q) : 1;
  }
  return cell > -FARTHEST && cell < FARTHEST ? cell : floor(q);
}


// branch -1, 0 or 1; 0 only where x is exactly zero; switch i leads to -1, switch i + 1 to 1
static int frozen_sign(const freezer *z, int i, double x)
{
  if (z->update) z->update[i] = z->update[i + 1] = (x > 0) - (x < 0);
  const int sign = z->update ? z->update[i] : z->branch[i];
  if (z->g) {
    z->g[i] = sign >= 0 ? switch_margin(x) : 1;
    z->g[i + 1] = sign <= 0 ? switch_margin(-x) : 1;
  }
  return sign;
}


// branch n on segment n of a law; switch i watches its lower end, switch i + 1 the upper one
static int frozen_piece(const freezer *z, int i, const forceLaw *law, double x)
{
  if (z->update) z->update[i] = z->update[i + 1] = law_segment(law, x);
  const int piece = z->update ? z->update[i] : z->branch[i];
  if (z->g) {
    double low, high;
    law_bounds(law, piece, &low, &high);
    z->g[i] = isinf(low) ? 1 : switch_margin(x - low);
    z->g[i + 1] = isinf(high) ? 1 : switch_margin(high - x);
  }
  return piece;
}


int formula_op_switches(formulaOp op)
{
  static const int count[] = {
#define SWITCH_COUNT(name, nswitch) nswitch,
      FORMULA_OP_LIST(SWITCH_COUNT)
#undef SWITCH_COUNT
  };
  return count[op];
}


formulaSwitch formula_op_switch_kind(formulaOp op, int j)
{
  if (op == OP_FLOOR || op == OP_MOD || op == OP_PIECES || op == OP_MAP)
    return j % 2 == 0 ? SWITCH_CELL_LOW : SWITCH_CELL_HIGH;
  if (op == OP_SIGN) return j == 0 ? SWITCH_SIGN_LOW : SWITCH_SIGN_HIGH;
  return SWITCH_SIDE;
}


void formula_switch_mode(const formula *f, int i, int *branch)
{
  ART_ASSERT(i >= 0 && i < f->nswitch);
  switch ((formulaSwitch) f->switch_kinds[i]) {
  case SWITCH_SIDE: branch[i] = !branch[i]; break;
  case SWITCH_CELL_LOW: branch[i] = branch[i + 1] = branch[i] - 1; break;
  case SWITCH_CELL_HIGH: branch[i] = branch[i - 1] = branch[i] + 1; break;
  case SWITCH_SIGN_LOW: branch[i] = branch[i + 1] = -1; break;
  case SWITCH_SIGN_HIGH: branch[i] = branch[i - 1] = 1; break;
  }
}


// the operation that owns switch i
static formulaOp owner_of(const formula *f, int i)
{
  int k = 0;
  while (i < f->steps[k].index || i >= f->steps[k].index + formula_op_switches(f->steps[k].op)) k++;
  return f->steps[k].op;
}


int formula_is_latching(const formula *f, int i)
{
  ART_ASSERT(i >= 0 && i < f->nswitch);
  return owner_of(f, i) == OP_HYSTERESIS;
}


int formula_switching_surface(const formula *f, int i, int *branch, int take)
{
  ART_ASSERT(i >= 0 && i < f->nswitch);
  int there = branch[i];
  switch (owner_of(f, i)) {
  case OP_SIGN: there = 0; break;
  case OP_FLOOR:
  case OP_MOD: there += f->switch_kinds[i] == SWITCH_CELL_HIGH; break;
  case OP_GREATER:
  case OP_LESS: there = 0; break;
  case OP_ATAN2:
  case OP_STEP:
  case OP_PULSE:
  case OP_AT_LEAST:
  case OP_AT_MOST: there = 1; break;
  default: break;
  }
  if (there == branch[i]) return 0;
  if (!take) return 1;
  const int pair = f->switch_kinds[i];
  branch[i] = there;
  if (pair == SWITCH_CELL_LOW || pair == SWITCH_SIGN_LOW) branch[i + 1] = there;
  if (pair == SWITCH_CELL_HIGH || pair == SWITCH_SIGN_HIGH) branch[i - 1] = there;
  return 1;
}

//---- plain values --------------------------------------------------------------------------------


// clang-format off
static inline double value_constant(double x) { return x; }
static inline double value_neg(double a) { return -a; }
static inline double value_add(double a, double b) { return a + b; }
static inline double value_sub(double a, double b) { return a - b; }
static inline double value_mul(double a, double b) { return a * b; }
static inline double value_div(double a, double b) { return a / b; }
static inline double value_scale(double k, double a) { return k * a; }
static inline double value_pow(double a, double b) { return pow(a, b); }
static inline double value_hypot(double a, double b) { return hypot(a, b); }
// clang-format on


static double value_law(const freezer *z, const forceLaw *law, int segment, double x)
{
  ART_ASSERT(segment >= 0 && segment < law->nsegment);
  (void) z;
  return law_value(law, segment, x);
}


// the angle of (x, y), continued smoothly from the frozen half plane over the cut at y = 0, x < 0
static double value_atan2(double y, double x, int upper)
{
  const double angle = atan2(y, x);
  if (upper && angle < -PI / 2) return angle + 2 * PI;
  if (!upper && angle > PI / 2) return angle - 2 * PI;
  return angle;
}


static double value_function(formulaOp op, double x)
{
  switch (op) {
#define FUNCTION_VALUE(name, function, rule, slope, bend)                                          \
  case OP_##name: return function(x);
    SMOOTH_FUNCTIONS(FUNCTION_VALUE)
#undef FUNCTION_VALUE
  default: ART_ASSERT(0); return NAN;
  }
}

//---- jets ----------------------------------------------------------------------------------------


static inline formulaJet jet_constant(double x)
{
  return (formulaJet){x, 0, 0};
}


static inline formulaJet jet_neg(formulaJet a)
{
  return (formulaJet){-a.x, -a.dx, -a.ddx};
}


static inline formulaJet jet_add(formulaJet a, formulaJet b)
{
  return (formulaJet){a.x + b.x, a.dx + b.dx, a.ddx + b.ddx};
}


static inline formulaJet jet_sub(formulaJet a, formulaJet b)
{
  return (formulaJet){a.x - b.x, a.dx - b.dx, a.ddx - b.ddx};
}


static inline formulaJet jet_scale(double k, formulaJet a)
{
  return (formulaJet){k * a.x, k * a.dx, k * a.ddx};
}


static inline formulaJet jet_mul(formulaJet a, formulaJet b)
{
  // (ab)'' = a'' b + 2 a' b' + a b''
  return (formulaJet){a.x * b.x, a.dx * b.x + a.x * b.dx,
                      a.ddx * b.x + 2 * a.dx * b.dx + a.x * b.ddx};
}


static inline formulaJet jet_div(formulaJet a, formulaJet b)
{
  // from a = q b:  a' = q' b + q b',  a'' = q'' b + 2 q' b' + q b''
  const double q = a.x / b.x;
  const double dq = (a.dx - q * b.dx) / b.x;
  return (formulaJet){q, dq, (a.ddx - 2 * dq * b.dx - q * b.ddx) / b.x};
}


static int is_still(formulaJet a)
{
  return a.dx == 0 && a.ddx == 0;
}


// f(x(t)):  f' x',  f'' x'^2 + f' x''
static formulaJet jet_chain_rule(formulaJet x, double f, double df, double ddf)
{
  // a constant argument has no derivatives even where f' is infinite, as of sqrt at 0
  if (is_still(x)) return jet_constant(f);
  return (formulaJet){f, df * x.dx, ddf * x.dx * x.dx + df * x.ddx};
}


static formulaJet jet_function(formulaOp op, formulaJet a)
{
  const double x = a.x, f = value_function(op, x);
  double df, ddf;
  switch (op) {
#define FUNCTION_JET(name, function, rule, slope, bend)                                            \
  case OP_##name:                                                                                  \
    df = slope;                                                                                    \
    ddf = bend;                                                                                    \
    break;
    SMOOTH_FUNCTIONS(FUNCTION_JET)
#undef FUNCTION_JET
  default: ART_ASSERT(0); df = ddf = NAN;
  }
  return jet_chain_rule(a, f, df, ddf);
}


static formulaJet jet_law(const freezer *z, const forceLaw *law, int segment, formulaJet a)
{
  (void) z;
  double f[3];
  law_derivatives(law, segment, a.x, f);
  return jet_chain_rule(a, f[0], f[1], f[2]);
}


static formulaJet jet_pow(formulaJet a, formulaJet b)
{
  const double f = pow(a.x, b.x), n = b.x;
  if (is_still(b)) {
    // d x^n = n x^(n-1); a vanishing coefficient wins over an infinite power
    const double df = n == 0 ? 0 : n * pow(a.x, n - 1);
    const double ddf = n == 0 || n == 1 ? 0 : n * (n - 1) * pow(a.x, n - 2);
    return jet_chain_rule(a, f, df, ddf);
  }
  // f = exp(w), w = b ln a:  f' = f w',  f'' = f (w'^2 + w'')
  const formulaJet w = jet_mul(b, jet_function(OP_LOG, a));
  return (formulaJet){f, f * w.dx, f * (w.dx * w.dx + w.ddx)};
}


static formulaJet jet_hypot(formulaJet a, formulaJet b)
{
  const double h = hypot(a.x, b.x);
  if (is_still(a) && is_still(b)) return jet_constant(h);

  // from h^2 = a^2 + b^2:  h h' = a a' + b b',  h h'' + h'^2 = a a'' + a'^2 + b b'' + b'^2
  const double dh = (a.x * a.dx + b.x * b.dx) / h;
  const double sum = a.x * a.ddx + a.dx * a.dx + b.x * b.ddx + b.dx * b.dx;
  return (formulaJet){h, dh, (sum - dh * dh) / h};
}


static formulaJet jet_atan2(formulaJet y, formulaJet x, int upper)
{
  const double angle = value_atan2(y.x, x.x, upper);
  if (is_still(x) && is_still(y)) return jet_constant(angle);

  // r^2 t' = x y' - y x',  r^2 t'' = x y'' - y x'' - 2 t' (x x' + y y')
  const double r2 = x.x * x.x + y.x * y.x;
  const double dt = (x.x * y.dx - y.x * x.dx) / r2;
  const double sum = x.x * y.ddx - y.x * x.ddx - 2 * dt * (x.x * x.dx + y.x * y.dx);
  return (formulaJet){angle, dt, sum / r2};
}

//---- the loop, twice -----------------------------------------------------------------------------

#define TRUTH                    int
#define SURELY(truth)            (truth)
#define SEGMENT_OF(z, law, x)    law_segment(law, VALUE(x))
#define SIDE(z, i, a, b, strict) frozen_side(z, i, VALUE(a) - VALUE(b), strict)
#define CORNER(z, i, a, b)       frozen_corner(z, i, VALUE(a) - VALUE(b))
#define CELL(z, i, q)            N(constant)(frozen_cell(z, i, VALUE(q)))
#define QUOTIENT(z, i, a, b)     frozen_cell(z, i, VALUE(a) / VALUE(b))
#define SIGN(z, i, x)            N(constant)(frozen_sign(z, i, VALUE(x)))
#define LOOP(z, i, x, low, high) frozen_loop(z, i, VALUE(x), VALUE(low), VALUE(high))
#define PIECE(z, i, law, x)      frozen_piece(z, i, law, VALUE(x))

#define NUMBER   double
#define N(name)  value_##name
#define VALUE(a) (a)
#include "model/formula/formula_choice.h"
#include "model/formula/formula_run.h"
#undef NUMBER
#undef N
#undef VALUE

#define NUMBER   formulaJet
#define N(name)  jet_##name
#define VALUE(a) ((a).x)
#include "model/formula/formula_choice.h"
#include "model/formula/formula_run.h"
#undef NUMBER
#undef N
#undef VALUE


double formula_value(const formula *f, const double *slots, const int *branch, double *stack)
{
  return value_run(f, slots, &(freezer){.branch = branch}, stack);
}


formulaJet formula_jet(const formula *f, const formulaJet *slots, const int *branch,
                       formulaJet *stack)
{
  return jet_run(f, slots, &(freezer){.branch = branch}, stack);
}


void formula_set_branches(const formula *f, const double *slots, int *branch, double *stack)
{
  if (f->nswitch > 0) value_run(f, slots, &(freezer){.update = branch}, stack);
}


void formula_switches(const formula *f, const double *slots, const int *branch, double *g,
                      double *stack)
{
  if (f->nswitch > 0) value_run(f, slots, &(freezer){.branch = branch, .g = g}, stack);
}


void formula_set_corners(const formula *f, const double *slots, int *branch, double *stack)
{
  if (f->nswitch > 0) value_run(f, slots, &(freezer){.branch = branch, .corner = branch}, stack);
}


void formula_leave_corners(const formula *f, const double *slots, int *branch, double *stack)
{
  (void) slots;
  (void) stack;
  for (int i = 0; i < f->nswitch; i++) {
    if (f->switch_kinds[i] == SWITCH_SIDE && branch[i] == FORMULA_AT_CORNER) branch[i] = 1;
  }
}

//---- questions -----------------------------------------------------------------------------------


int formula_is_constant(const formula *f)
{
  return f->nstep == 1 && f->steps[0].op == OP_CONSTANT;
}


double formula_constant(const formula *f)
{
  ART_ASSERT(formula_is_constant(f));
  return f->steps[0].value;
}


int formula_read(const formula *f, int k)
{
  ART_ASSERT(k >= 0 && k < f->nstep);
  return f->steps[k].op == OP_SLOT ? f->steps[k].index : -1;
}


int formula_uses(const formula *f, int slot)
{
  for (int k = 0; k < f->nstep; k++) {
    if (f->steps[k].op == OP_SLOT && f->steps[k].index == slot) return 1;
  }
  return 0;
}


int formula_reads_marked(const formula *f, const unsigned char *mark)
{
  for (; f; f = f->live) {
    for (int k = 0; k < f->nstep; k++) {
      const int slot = formula_read(f, k);
      if (slot >= 0 && slot < FORMULA_PARAMETER && mark[slot]) return 1;
    }
  }
  return 0;
}


int formula_has_memory(const formula *f)
{
  for (int k = 0; k < f->nstep; k++) {
    if (f->steps[k].op == OP_HYSTERESIS) return 1;
  }
  return 0;
}


int formula_calls(const formula *f, const formulaCurve *curve)
{
  for (int k = 0; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k];
    if ((step->law && step->law == curve->law) || (step->map && step->map == curve->map)) return 1;
  }
  return 0;
}


static int is_constant_step(const formulaStep *step)
{
  return step->op == OP_CONSTANT;
}


int formula_is_polynomial(const formula *f)
{
  for (int k = 0; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k];
    switch (step->op) {
    case OP_CONSTANT:
    case OP_SLOT:
    case OP_NEGATE:
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY: break;
    case OP_DIVIDE:
      if (!is_constant_step(step - 1)) return 0;
      break;
    case OP_POW:
      if (!is_constant_step(step - 1) || (step[-1].value != 2 && step[-1].value != 3)) return 0;
      break;
    default: return 0;
    }
  }
  return 1;
}


int formula_has_edges(const formula *f)
{
  for (int k = 1; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k], *last = step - 1;
    switch (step->op) {
    case OP_SQRT:
    case OP_HYPOT:
    case OP_ASIN:
    case OP_ACOS:
    case OP_TAN:
    case OP_LOG:
    case OP_LOG10:
    case OP_ATAN2: return 1;
    case OP_POW:
      if (!is_constant_step(last) || last->value < 0 || last->value != floor(last->value)) return 1;
      break;
    case OP_DIVIDE:
    case OP_MOD:
      if (!is_constant_step(last)) return 1;
      break;
    case OP_SMOOTH:
      if (!is_constant_step(last - 1) || !is_constant_step(last - 3)) return 1;
      break;
    default: break;
    }
  }
  return 0;
}
