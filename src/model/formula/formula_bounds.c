// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas on intervals: the loop of formula_run.h on values and rates of change that vary within bounds.
#include "model/formula/formula_bounds.h"

#include <math.h>

#include "model/formula/formula_program.h"

typedef struct freezer {
  const int *branch;
  formulaBounds *g;
} freezer;

//---- bends ---------------------------------------------------------------------------------------

// of the slope of an operation: where it varies by more over its argument, the operation bends
static const double BENT = 0.5;

// has an operation of the formula that is being evaluated bent?
static _Thread_local int has_bent;


static void note_slope(enclosure slope, double scale)
{
  if (!(slope.hi - slope.lo <= BENT * fmax(scale, interval_size(slope)))) has_bent = 1;
}


//---- operations ----------------------------------------------------------------------------------


static formulaBounds bounds_constant(double x)
{
  return (formulaBounds){interval_point(x), interval_point(0)};
}


static formulaBounds bounds_neg(formulaBounds a)
{
  return (formulaBounds){interval_neg(a.x), interval_neg(a.dx)};
}


static formulaBounds bounds_add(formulaBounds a, formulaBounds b)
{
  return (formulaBounds){interval_add(a.x, b.x), interval_add(a.dx, b.dx)};
}


static formulaBounds bounds_sub(formulaBounds a, formulaBounds b)
{
  return (formulaBounds){interval_sub(a.x, b.x), interval_sub(a.dx, b.dx)};
}


static formulaBounds bounds_mul(formulaBounds a, formulaBounds b)
{
  return (formulaBounds){interval_mul(a.x, b.x),
                         interval_add(interval_mul(a.dx, b.x), interval_mul(a.x, b.dx))};
}


static formulaBounds bounds_div(formulaBounds a, formulaBounds b)
{
  // q' = (a' - q b')/b
  const enclosure q = interval_div(a.x, b.x);
  note_slope(b.x, 0);
  return (formulaBounds){q, interval_div(interval_sub(a.dx, interval_mul(q, b.dx)), b.x)};
}


static formulaBounds bounds_hull(formulaBounds a, formulaBounds b)
{
  return (formulaBounds){interval_hull(a.x, b.x), interval_hull(a.dx, b.dx)};
}


static int is_constant_over(formulaBounds a)
{
  return a.dx.lo == 0 && a.dx.hi == 0;
}


// f(x(t)): what does not change has no slope, even where f' is infinite
static formulaBounds bounds_chain(formulaBounds a, enclosure f, enclosure slope)
{
  if (is_constant_over(a)) return (formulaBounds){f, interval_point(0)};
  note_slope(slope, 0);
  return (formulaBounds){f, interval_mul(slope, a.dx)};
}


// the same of a function whose slope is at most about 1
static formulaBounds bounds_wave(formulaBounds a, enclosure f, enclosure slope)
{
  if (is_constant_over(a)) return (formulaBounds){f, interval_point(0)};
  note_slope(slope, 1);
  return (formulaBounds){f, interval_mul(slope, a.dx)};
}


// 1 / (1 + x^2) and the like
static enclosure inverse_of(enclosure below)
{
  return interval_div(interval_point(1), below);
}


// 1 / sqrt((1 - x) (1 + x))
static enclosure slope_of_asin(enclosure x)
{
  const enclosure one = interval_point(1), in = interval_clip(x, -1, 1);
  return inverse_of(interval_sqrt(interval_mul(interval_sub(one, in), interval_add(one, in))));
}


static formulaBounds bounds_function(formulaOp op, formulaBounds a)
{
  const enclosure x = a.x, one = interval_point(1);
  enclosure f = interval_whole();
  switch (op) {
  case OP_SIN: return bounds_wave(a, interval_sin(x), interval_cos(x));
  case OP_COS: return bounds_wave(a, interval_cos(x), interval_neg(interval_sin(x)));
  case OP_TAN:
    f = interval_tan(x);
    return bounds_chain(a, f, interval_add(one, interval_square(f)));
  case OP_ASIN: return bounds_chain(a, interval_asin(x), slope_of_asin(x));
  case OP_ACOS: return bounds_chain(a, interval_acos(x), interval_neg(slope_of_asin(x)));
  case OP_ATAN:
    return bounds_wave(a, interval_atan(x), inverse_of(interval_add(one, interval_square(x))));
  case OP_SINH: return bounds_chain(a, interval_sinh(x), interval_cosh(x));
  case OP_COSH: return bounds_chain(a, interval_cosh(x), interval_sinh(x));
  case OP_TANH:
    return bounds_wave(a, interval_tanh(x), interval_square(inverse_of(interval_cosh(x))));
  case OP_EXP: f = interval_exp(x); return bounds_chain(a, f, f);
  case OP_LOG: return bounds_chain(a, interval_log(x), inverse_of(x));
  case OP_LOG10: return bounds_chain(a, interval_log10(x), inverse_of(interval_scale(LN10, x)));
  case OP_SQRT: f = interval_sqrt(x); return bounds_chain(a, f, inverse_of(interval_scale(2, f)));
  default: ART_ASSERT(0); return (formulaBounds){f, f};
  }
}


static formulaBounds bounds_pow(formulaBounds a, formulaBounds b)
{
  const enclosure f = interval_pow(a.x, b.x);
  if (is_constant_over(b)) {
    const enclosure less = b.x.lo == b.x.hi ? interval_point(b.x.lo - 1) // a whole number stays one
                                            : interval_sub(b.x, interval_point(1));
    return bounds_chain(a, f, interval_mul(b.x, interval_pow(a.x, less)));
  }
  const formulaBounds w = bounds_mul(b, bounds_function(OP_LOG, a));
  return (formulaBounds){f, interval_mul(f, w.dx)};
}


// a/hypot(a, b), which rises with a: narrow where b is small, as the quotient of both enclosures is not
static enclosure cosine_over(enclosure a, enclosure b)
{
  const enclosure side = interval_abs(b);
  const double low = a.lo / hypot(a.lo, a.lo < 0 ? side.lo : side.hi);
  const double high = a.hi / hypot(a.hi, a.hi > 0 ? side.lo : side.hi);
  if (isnan(low) || isnan(high)) return (enclosure){-1, 1};
  return interval_clip(interval_of_library(low, high), -1, 1);
}


static formulaBounds bounds_hypot(formulaBounds a, formulaBounds b)
{
  const enclosure h = interval_hypot(a.x, b.x);
  if (is_constant_over(a) && is_constant_over(b)) return (formulaBounds){h, interval_point(0)};
  const enclosure cosine = cosine_over(a.x, b.x), sine = cosine_over(b.x, a.x);
  const enclosure dh = interval_add(interval_mul(cosine, a.dx), interval_mul(sine, b.dx));
  note_slope(cosine, 1);
  note_slope(sine, 1);

  // |h'| is at most that of (a', b')
  const double most = interval_hypot(a.dx, b.dx).hi;
  return (formulaBounds){h, interval_clip(dh, -most, most)};
}


// continued smoothly from the frozen half plane over the cut
static formulaBounds bounds_atan2(formulaBounds y, formulaBounds x, int is_upper)
{
  static const double quarter = 0x1.921fb54442d18p+0;
  const enclosure angle = interval_angle(y.x, x.x, is_upper ? -quarter : -3 * quarter);
  if (is_constant_over(x) && is_constant_over(y)) return (formulaBounds){angle, interval_point(0)};
  note_slope(angle, 1);
  const enclosure r2 = interval_add(interval_square(x.x), interval_square(y.x));
  const enclosure up = interval_sub(interval_mul(x.x, y.dx), interval_mul(y.x, x.dx));
  return (formulaBounds){angle, interval_div(up, r2)};
}


//---- laws ----------------------------------------------------------------------------------------

// the polynomial of one segment, and its slope
static formulaBounds bounds_segment(const forceLaw *law, int segment, formulaBounds a)
{
  ART_ASSERT(!law->air && segment >= 0 && segment < law->nsegment);
  const double *c = law->c + (size_t) segment * (size_t) (law->degree + 1);
  const enclosure s = interval_sub(a.x, interval_point(law->origin[segment]));
  enclosure f = interval_point(0), slope = interval_point(0);
  for (int k = law->degree; k >= 0; k--) {
    slope = interval_add(interval_mul(s, slope), f);
    f = interval_add(interval_mul(s, f), interval_point(c[k]));
  }
  return bounds_chain(a, f, slope);
}


// segment -1: those that the argument lies on
static formulaBounds bounds_law(const freezer *z, const forceLaw *law, int segment, formulaBounds a)
{
  (void) z;
  if (segment >= 0) return bounds_segment(law, segment, a);
  const int first = law_segment(law, a.x.lo), last = law_segment(law, a.x.hi);
  if (first < last) has_bent = 1;
  formulaBounds all = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (int i = first; i <= last; i++) {
    double low, high;
    law_bounds(law, i, &low, &high);
    const formulaBounds part = {interval_clip(a.x, low, high), a.dx};
    all = bounds_hull(all, bounds_segment(law, i, part));
  }
  return all;
}


static formulaBounds bounds_map(const freezer *z, const lawMap *map, int at_x, int at_y,
                                formulaBounds x, formulaBounds y)
{
  int first = 0, last = map->n - 1;
  if (at_y >= 0) law_map_columns(map, at_y, &first, &last);
  formulaBounds sum = bounds_constant(0);
  for (int j = first; j <= last; j++) {
    sum = bounds_add(sum, bounds_mul(bounds_law(z, map->weight[j], at_y, y),
                                     bounds_law(z, map->column[j], at_x, x)));
  }
  return sum;
}


//---- conditions and choices ----------------------------------------------------------------------

static int bounds_more(formulaBounds a, formulaBounds b)
{
  return interval_less(b.x, a.x);
}


static int bounds_at_least(formulaBounds a, formulaBounds b)
{
  return interval_at_most(b.x, a.x);
}


static int bounds_equal(formulaBounds a, formulaBounds b)
{
  return interval_and(interval_at_most(a.x, b.x), interval_at_most(b.x, a.x));
}


static int bounds_holds(formulaBounds a)
{
  if (!interval_holds(a.x, 0)) return INTERVAL_YES;
  return interval_size(a.x) == 0 ? INTERVAL_NO : INTERVAL_MAYBE;
}


static int bounds_and(int a, int b)
{
  return interval_and(a, b);
}


static int bounds_or(int a, int b)
{
  return interval_or(a, b);
}


static int bounds_not(int a)
{
  return interval_not(a);
}


static formulaBounds bounds_choose(int truth, formulaBounds a, formulaBounds b)
{
  if (truth == INTERVAL_MAYBE) has_bent = 1;
  return truth == INTERVAL_MAYBE ? bounds_hull(a, b) : truth ? a : b;
}


static formulaBounds bounds_truth(int a)
{
  return bounds_choose(a, bounds_constant(1), bounds_constant(0));
}


// at a corner, which is both sides in FORMULA_AT_CORNER, either of them
static formulaBounds bounds_meet(int truth, formulaBounds a, formulaBounds b)
{
  return bounds_choose(truth, a, b);
}


static formulaBounds bounds_limit(int over, int under, formulaBounds above, formulaBounds low,
                                  formulaBounds high)
{
  (void) over;
  (void) low;
  return bounds_choose(under, above, high);
}


static formulaBounds bounds_mod(formulaBounds a, formulaBounds b, double n)
{
  return bounds_sub(a, bounds_mul(bounds_constant(n), b));
}


// s^3 (10 - 15 s + 6 s^2), which rises, and its slope 30 s^2 (1 - s)^2, which rises until 1/2
static formulaBounds bounds_quintic(formulaBounds s)
{
  const enclosure one = interval_point(1), in = interval_clip(s.x, 0, 1);
  enclosure f[2];
  for (int k = 0; k < 2; k++) {
    const double x = k ? in.hi : in.lo;
    f[k] = interval_of_library(x * x * x * (10 + x * (6 * x - 15)),
                               x * x * x * (10 + x * (6 * x - 15)));
  }
  enclosure half = interval_mul(in, interval_sub(one, in));
  const double p = in.lo * (1 - in.lo), q = in.hi * (1 - in.hi);
  half.lo = fmax(0, interval_below(fmin(p, q)));
  half.hi = interval_holds(in, 0.5) ? 0.25 : interval_above(fmax(p, q));
  return bounds_chain(s, interval_clip(interval_hull(f[0], f[1]), 0, 1),
                      interval_scale(30, interval_square(half)));
}


// as N(between) of formula_run.h; the curve of smooth() goes level into both ends
static formulaBounds bounds_between(const formulaBounds *a, int after_x0, int after_x1,
                                    int is_smooth)
{
  const formulaBounds x = a[0], x0 = a[1], y0 = a[2], x1 = a[3], y1 = a[4];
  if (after_x0 == INTERVAL_NO) return y0;
  if (after_x1 == INTERVAL_YES) return y1;
  formulaBounds s = bounds_div(bounds_sub(x, x0), bounds_sub(x1, x0));
  if (is_smooth) s = bounds_quintic(s);
  const formulaBounds middle = bounds_add(y0, bounds_mul(bounds_sub(y1, y0), s));
  return bounds_choose(after_x0, bounds_choose(after_x1, y1, middle), y0);
}


//---- switches ------------------------------------------------------------------------------------

static void give_margin(const freezer *z, int i, formulaBounds margin)
{
  if (z->g) z->g[i] = margin;
}


static int bounds_side(const freezer *z, int i, formulaBounds s)
{
  const int side = z->branch[i] != 0;
  give_margin(z, i, side ? s : bounds_neg(s));
  return side;
}


static int bounds_loop(const freezer *z, int i, formulaBounds x, formulaBounds low,
                       formulaBounds high)
{
  const int side = z->branch[i] != 0;
  give_margin(z, i, side ? bounds_sub(x, low) : bounds_sub(high, x));
  return side;
}


static double bounds_cell(const freezer *z, int i, formulaBounds q)
{
  const double cell = z->branch[i];
  give_margin(z, i, bounds_sub(q, bounds_constant(cell)));
  give_margin(z, i + 1, bounds_sub(bounds_constant(cell + 1), q));
  return cell;
}


static int bounds_sign(const freezer *z, int i, formulaBounds x)
{
  const int sign = z->branch[i];
  give_margin(z, i, sign >= 0 ? x : bounds_constant(1));
  give_margin(z, i + 1, sign <= 0 ? bounds_neg(x) : bounds_constant(1));
  return sign;
}


static int bounds_piece(const freezer *z, int i, const forceLaw *law, formulaBounds x)
{
  const int piece = z->branch[i];
  double low, high;
  law_bounds(law, piece, &low, &high);
  give_margin(z, i, isinf(low) ? bounds_constant(1) : bounds_sub(x, bounds_constant(low)));
  give_margin(z, i + 1, isinf(high) ? bounds_constant(1) : bounds_sub(bounds_constant(high), x));
  return piece;
}

//---- the loop ------------------------------------------------------------------------------------

#define NUMBER  formulaBounds
#define N(name) bounds_##name
#define HAS_OWN_BETWEEN
#define TRUTH                    int
#define SEGMENT_OF(z, law, x)    (-1)
#define SIDE(z, i, a, b, strict) bounds_side(z, i, bounds_sub(a, b))
#define CORNER(z, i, a, b)       bounds_side(z, i, bounds_sub(a, b))
#define CELL(z, i, q)            bounds_constant(bounds_cell(z, i, q))
#define QUOTIENT(z, i, a, b)     bounds_cell(z, i, bounds_div(a, b))
#define SIGN(z, i, x)            bounds_constant(bounds_sign(z, i, x))
#define LOOP(z, i, x, low, high) bounds_loop(z, i, x, low, high)
#define PIECE(z, i, law, x)      bounds_piece(z, i, law, x)
#include "model/formula/formula_run.h"


formulaBounds formula_bounds(const formula *f, const formulaBounds *slots, const int *branch,
                             formulaBounds *g, formulaBounds *stack)
{
  return bounds_run(f, slots, &(freezer){branch, g}, stack);
}


int formula_bends(const formula *f, const formulaBounds *slots, const int *branch, formulaBounds *g,
                  formulaBounds *stack, formulaBounds *value)
{
  has_bent = 0;
  *value = formula_bounds(f, slots, branch, g, stack);
  return has_bent;
}
