// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A look into the steps of generated machines: over the time of a step all that depends on time and held numbers alone is
// enclosed (spatial/interval.h), with its rate of change. All from the next line on goes as source into generated files, after
// chapters of spatial/interval.h; it belongs to their user.
#ifndef EMIT_STEP_LOOK_H
#define EMIT_STEP_LOOK_H

#include "spatial/interval.h"

//---- a look into steps ---------------------------------------------------------------------------

// Operations of rows, each on rows before it; the first ones read number a of a list.
typedef enum lookOp {
  LOOK_CONSTANT,
  LOOK_PARAMETER,
  LOOK_TIME,
  LOOK_HELD,
  LOOK_SIDE,
  LOOK_NEG,
  LOOK_SQRT,
  LOOK_SIN,
  LOOK_COS,
  LOOK_ADD,
  LOOK_SUB,
  LOOK_MUL,
  LOOK_DIV,
  LOOK_TAN,
  LOOK_ASIN,
  LOOK_ACOS,
  LOOK_ATAN,
  LOOK_SINH,
  LOOK_COSH,
  LOOK_TANH,
  LOOK_EXP,
  LOOK_LOG,
  LOOK_LOG10,
  LOOK_ABS,
  LOOK_SIGN,
  LOOK_FLOOR,
  LOOK_NOT,
  LOOK_POW,
  LOOK_ATAN2,
  LOOK_HYPOT,
  LOOK_MIN,
  LOOK_MAX,
  LOOK_MOD,
  LOOK_LESS,
  LOOK_LESS_EQUAL,
  LOOK_EQUAL,
  LOOK_AND,
  LOOK_OR,
  LOOK_SELECT
} lookOp;

typedef struct lookRow {
  short op;
  int a, b, c;
} lookRow;

// Values over a part of a step, rates of change, and whether it may jump or have a kink there.
typedef struct lookSpan {
  enclosure x, dx;
  int jumps;
} lookSpan;

// A step shows what acts if its rate of change is about that of the cubic through values and rates at both ends:
//   |u' - h'| <= bend max |h'|,  h' = 6 m x (1 - x) + b (1 - x)(1 - 3x) + e x (3x - 2)
typedef struct lookCubic {
  double a, b; // the step
  double mean, begin, end, allowed;
} lookCubic;


// What acts, and what changes its sign where a side turns: rows; and the numbers of a machine.
typedef struct stepLook {
  int nrow, nsignal, nmargin;
  const lookRow *row;
  const int *signal, *margin;
  const double *constant, *p, *u, *side;
  lookSpan *x;      // [nrow] work
  lookCubic *cubic; // [nsignal] of a step, from .. to

  // [nsignal + 2] the largest signals so far; brief steps in a row; steps that are not proved
  double *memory;
  double bend;             // how much steps may miss of what acts
  double from, to, unseen; // a step, and where it does not show what acts
  int parts;
} stepLook;

enum { LOOK_PARTS = 256, LOOK_TRIALS = 60, LOOK_BRIEF = 40, LOOK_POINTS = 16 };


static inline lookSpan look_chain(lookSpan a, enclosure f, enclosure slope)
{
  if (a.dx.lo == 0 && a.dx.hi == 0) return (lookSpan){f, a.dx, a.jumps};
  return (lookSpan){f, interval_mul(slope, a.dx), a.jumps};
}


static inline enclosure look_inverse(enclosure below)
{
  return interval_div(interval_point(1), below);
}


// 1 / sqrt((1 - x) (1 + x))
static inline enclosure look_slope_of_asin(enclosure x)
{
  const enclosure one = interval_point(1), in = interval_clip(x, -1, 1);
  return look_inverse(interval_sqrt(interval_mul(interval_sub(one, in), interval_add(one, in))));
}


static inline lookSpan look_function(int op, lookSpan a)
{
  const enclosure x = a.x, one = interval_point(1);
  enclosure f;
  switch (op) {
  case LOOK_SQRT: f = interval_sqrt(x); return look_chain(a, f, look_inverse(interval_scale(2, f)));
  case LOOK_SIN: return look_chain(a, interval_sin(x), interval_cos(x));
  case LOOK_COS: return look_chain(a, interval_cos(x), interval_neg(interval_sin(x)));
  case LOOK_TAN:
    f = interval_tan(x);
    return look_chain(a, f, interval_add(one, interval_square(f)));
  case LOOK_ASIN: return look_chain(a, interval_asin(x), look_slope_of_asin(x));
  case LOOK_ACOS: return look_chain(a, interval_acos(x), interval_neg(look_slope_of_asin(x)));
  case LOOK_ATAN:
    return look_chain(a, interval_atan(x), look_inverse(interval_add(one, interval_square(x))));
  case LOOK_SINH: return look_chain(a, interval_sinh(x), interval_cosh(x));
  case LOOK_COSH: return look_chain(a, interval_cosh(x), interval_sinh(x));
  case LOOK_TANH:
    return look_chain(a, interval_tanh(x), interval_square(look_inverse(interval_cosh(x))));
  case LOOK_EXP: f = interval_exp(x); return look_chain(a, f, f);
  case LOOK_LOG: return look_chain(a, interval_log(x), look_inverse(x));
  default:
    return look_chain(a, interval_log10(x), look_inverse(interval_scale(2.302585092994045684, x)));
  }
}


static inline lookSpan look_choose(int condition, lookSpan a, lookSpan b)
{
  const int jumps = condition == INTERVAL_MAYBE || (condition ? a.jumps : b.jumps);
  return (lookSpan){interval_select(condition, a.x, b.x), interval_select(condition, a.dx, b.dx),
                    jumps};
}


static inline lookSpan look_truth(int condition)
{
  return (lookSpan){
      {condition == INTERVAL_YES, condition != INTERVAL_NO}, {0, 0}, condition == INTERVAL_MAYBE};
}


static inline int look_holds(lookSpan a)
{
  if (!interval_holds(a.x, 0)) return INTERVAL_YES;
  return interval_size(a.x) == 0 ? INTERVAL_NO : INTERVAL_MAYBE;
}


static inline lookSpan look_mul(lookSpan a, lookSpan b)
{
  return (lookSpan){interval_mul(a.x, b.x),
                    interval_add(interval_mul(a.dx, b.x), interval_mul(a.x, b.dx)),
                    a.jumps | b.jumps};
}


// a constant while its whole part does not change
static inline lookSpan look_floor(lookSpan a)
{
  const enclosure whole = interval_floor(a.x);
  return (lookSpan){whole, {0, 0}, whole.lo != whole.hi};
}


// q' = (a' - q b')/b
static inline lookSpan look_div(lookSpan a, lookSpan b)
{
  const enclosure q = interval_div(a.x, b.x);
  return (lookSpan){q, interval_div(interval_sub(a.dx, interval_mul(q, b.dx)), b.x),
                    a.jumps | b.jumps};
}


static inline lookSpan look_sub(lookSpan a, lookSpan b)
{
  return (lookSpan){interval_sub(a.x, b.x), interval_sub(a.dx, b.dx), a.jumps | b.jumps};
}


static inline lookSpan look_pow(lookSpan a, lookSpan b)
{
  const enclosure f = interval_pow(a.x, b.x);
  lookSpan out;
  if (b.dx.lo == 0 && b.dx.hi == 0) {
    const enclosure less =
        b.x.lo == b.x.hi ? interval_point(b.x.lo - 1) : interval_sub(b.x, interval_point(1));
    out = look_chain(a, f, interval_mul(b.x, interval_pow(a.x, less)));
  } else {
    const lookSpan w = look_mul(b, look_function(LOOK_LOG, a));
    out = (lookSpan){f, interval_mul(f, w.dx), 0};
  }
  out.jumps = a.jumps | b.jumps;
  return out;
}


// the angle of (b, a), and its rate (b a' - a b')/(a^2 + b^2)
static inline lookSpan look_atan2(lookSpan a, lookSpan b)
{
  const enclosure up = interval_sub(interval_mul(b.x, a.dx), interval_mul(a.x, b.dx));
  const enclosure below = interval_add(interval_square(a.x), interval_square(b.x));
  const int is_cut = interval_holds(a.x, 0) && b.x.lo <= 0 && !(a.dx.lo == 0 && a.dx.hi == 0);
  return (lookSpan){interval_atan2(a.x, b.x), interval_div(up, below), a.jumps | b.jumps | is_cut};
}


static inline lookSpan look_hypot(lookSpan a, lookSpan b)
{
  const enclosure h = interval_hypot(a.x, b.x);
  const enclosure up = interval_add(interval_mul(a.x, a.dx), interval_mul(b.x, b.dx));
  const double most = interval_hypot(a.dx, b.dx).hi;
  return (lookSpan){h, interval_clip(interval_div(up, h), -most, most), a.jumps | b.jumps};
}


static inline lookSpan look_operate(int op, lookSpan a, lookSpan b, lookSpan c)
{
  const enclosure zero = {0, 0};
  switch (op) {
  case LOOK_NEG: return (lookSpan){interval_neg(a.x), interval_neg(a.dx), a.jumps};
  case LOOK_ADD:
    return (lookSpan){interval_add(a.x, b.x), interval_add(a.dx, b.dx), a.jumps | b.jumps};
  case LOOK_SUB: return look_sub(a, b);
  case LOOK_MUL: return look_mul(a, b);
  case LOOK_DIV: return look_div(a, b);
  case LOOK_ABS:
    c = (lookSpan){interval_neg(a.x), interval_neg(a.dx), a.jumps};
    c = look_choose(a.x.lo >= 0 ? INTERVAL_YES : a.x.hi <= 0 ? INTERVAL_NO : INTERVAL_MAYBE, a, c);
    c.x = interval_abs(a.x);
    return c;
  case LOOK_SIGN:
    a.jumps = !(a.x.lo > 0 || a.x.hi < 0 || interval_size(a.x) == 0);
    return (lookSpan){{(a.x.lo > 0) - (a.x.lo < 0), (a.x.hi > 0) - (a.x.hi < 0)}, zero, a.jumps};
  case LOOK_FLOOR: return look_floor(a);
  case LOOK_NOT: return look_truth(interval_not(look_holds(a)));
  case LOOK_POW: return look_pow(a, b);
  case LOOK_ATAN2: return look_atan2(a, b);
  case LOOK_HYPOT: return look_hypot(a, b);
  case LOOK_MIN:
    c = look_choose(interval_at_most(a.x, b.x), a, b);
    c.x = interval_min(a.x, b.x);
    return c;
  case LOOK_MAX:
    c = look_choose(interval_at_most(b.x, a.x), a, b);
    c.x = interval_max(a.x, b.x);
    return c;
  case LOOK_MOD: return look_sub(a, look_mul(look_floor(look_div(a, b)), b));
  case LOOK_LESS: return look_truth(interval_less(a.x, b.x));
  case LOOK_LESS_EQUAL: return look_truth(interval_at_most(a.x, b.x));
  case LOOK_EQUAL:
    return look_truth(interval_and(interval_at_most(a.x, b.x), interval_at_most(b.x, a.x)));
  case LOOK_AND: return look_truth(interval_and(look_holds(a), look_holds(b)));
  case LOOK_OR: return look_truth(interval_or(look_holds(a), look_holds(b)));
  case LOOK_SELECT: return look_choose(look_holds(a), b, c);
  default: return look_function(op, a);
  }
}


// All rows over [from, to].
static inline void look_over(stepLook *s, double from, double to)
{
  for (int i = 0; i < s->nrow; i++) {
    const lookRow *r = &s->row[i];
    lookSpan x = {{from, to}, {1, 1}, 0};
    if (r->op < LOOK_NEG && r->op != LOOK_TIME) {
      const double *const list[] = {s->constant, s->p, s->constant, s->u, s->side};
      x = (lookSpan){interval_point(list[r->op][r->a]), {0, 0}, 0};
    }
    if (r->op >= LOOK_NEG) x = look_operate(r->op, s->x[r->a], s->x[r->b], s->x[r->c]);
    if (r->op == LOOK_MUL && r->a == r->b) x.x = interval_square(s->x[r->a].x);
    s->x[i] = x;
  }
}


// Whether nothing jumps between these times and no side turns more than once: 0, it is so; 1, a side may turn there and back; 2, something
// jumps. The rows hold what is there.
static inline int look_reason(stepLook *s, double from, double to)
{
  int reason = 0;
  look_over(s, from, to);
  for (int i = 0; i < s->nsignal; i++) {
    if (s->x[s->signal[i]].jumps) return 2;
  }
  for (int i = 0; i < s->nmargin; i++) {
    const lookSpan *g = &s->x[s->margin[i]];
    const int stands = g->x.hi > 1e29; // on its border, which it leaves at once
    if (g->x.lo > 0 || g->x.hi < 0 || stands) continue;
    if (g->jumps) return 2;
    if (!(g->dx.lo >= 0 || g->dx.hi <= 0)) reason = 1;
  }
  return reason;
}


// The length of the longest step from t, up to h, within which nothing jumps and no side turns more than once. What jumps does so within a
// step of the least length.
static inline double look_clear(stepLook *s, double t, double h, double least)
{
  int reason = look_reason(s, t, t + h);
  double lo = 0, hi = h;
  if (reason == 0) return h;
  while (hi - lo > least && !(reason == 1 && hi - lo <= 0.25 * lo)) {
    const double middle = lo + 0.5 * (hi - lo);
    const int own = look_reason(s, t, t + middle);
    if (own == 0) {
      lo = middle;
    } else {
      hi = middle;
      reason = own;
    }
  }
  return lo > least ? lo : hi;
}


static inline double look_cubic_rate(const lookCubic *c, double t)
{
  const double x = (t - c->a) / (c->b - c->a);
  return 6 * c->mean * x * (1 - x) + c->begin * (1 - x) * (1 - 3 * x) + c->end * x * (3 * x - 2);
}


static inline enclosure look_cubic_rates(const lookCubic *c, double from, double to)
{
  const double p = look_cubic_rate(c, from), q = look_cubic_rate(c, to);
  const double bend = 6 * c->mean - 3 * c->begin - 3 * c->end;
  const double x = bend == 0 ? -1 : (6 * c->mean - 4 * c->begin - 2 * c->end) / (2 * bend);
  const double t = c->a + x * (c->b - c->a);
  enclosure out = {fmin(p, q), fmax(p, q)};
  if (t > from && t < to) out = interval_hull(out, interval_point(look_cubic_rate(c, t)));
  return out;
}


// Whether the step shows a signal between these times, of whose rates this is the enclosure.
static inline int look_signal_shows(const lookCubic *c, enclosure rate, double from, double to)
{
  // waves hide in the rates of a whole step
  if (to - from > 0.13 * (c->b - c->a) && interval_width(rate) > c->allowed) return 0;
  const enclosure wanted = look_cubic_rates(c, from, to);
  return rate.lo >= wanted.lo - c->allowed && rate.hi <= wanted.hi + c->allowed;
}


// Whether it shows all signals there; s->unseen: where not.
static inline int look_part_shows(stepLook *s, double from, double to)
{
  const double length = to - from, whole = s->to - s->from;
  const double least = 64 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  int k = 0;
  if (++s->parts > LOOK_PARTS) return 1;
  look_over(s, from, to);
  while (k < s->nsignal && look_signal_shows(&s->cubic[k], s->x[s->signal[k]].dx, from, to)) {
    k++;
  }
  if (k == s->nsignal) return 1;
  if (length <= fmax(1e-3 * (from - s->from), 1e-7 * whole) || length <= least) {
    s->unseen = from;
    return 0;
  }
  return look_part_shows(s, from, from + 0.5 * length) &&
         look_part_shows(s, from + 0.5 * length, to);
}


// The largest values of signals, of those that may be much larger in a step than at its ends.
static inline void look_for_largest(stepLook *s, double a, double b)
{
  int grows = 0;
  look_over(s, a, b);
  for (int k = 0; k < s->nsignal; k++) {
    grows |= interval_size(s->x[s->signal[k]].x) > 100 * s->memory[k];
  }
  for (int i = 0; i < LOOK_POINTS && grows; i++) {
    const double at = a + (b - a) * (i + 0.5) / LOOK_POINTS;
    look_over(s, at, at);
    for (int k = 0; k < s->nsignal; k++) {
      const double size = interval_size(s->x[s->signal[k]].x);
      if (size < INFINITY) s->memory[k] = fmax(s->memory[k], size);
    }
  }
}


// The cubics of a step from a to b, and which of them have to be looked at: others may do all that they can.
static inline void look_fit(stepLook *s, double a, double b)
{
  const double h = b - a;
  look_over(s, a, a);
  for (int k = 0; k < s->nsignal; k++) {
    const lookSpan x = s->x[s->signal[k]];
    s->cubic[k] = (lookCubic){.a = a, .b = b, .mean = interval_middle(x.x), .begin = NAN};
    if (isfinite(interval_size(x.dx))) s->cubic[k].begin = interval_middle(x.dx);
    if (interval_size(x.x) < INFINITY) s->memory[k] = fmax(s->memory[k], interval_size(x.x));
  }
  look_over(s, b, b);
  for (int k = 0; k < s->nsignal; k++) {
    const lookSpan x = s->x[s->signal[k]];
    lookCubic *c = &s->cubic[k];
    c->mean = (interval_middle(x.x) - c->mean) / h;
    c->end = isfinite(interval_size(x.dx)) ? interval_middle(x.dx) : c->mean;
    if (isnan(c->begin)) c->begin = c->mean;
    if (interval_size(x.x) < INFINITY) s->memory[k] = fmax(s->memory[k], interval_size(x.x));
    c->allowed = INFINITY;
    if (!isfinite(c->mean)) continue;
    c->allowed = s->bend * interval_size(look_cubic_rates(c, a, b)) + 1e-9 * s->memory[k] / h;
  }
}


// Whether a step from a to b shows all signals.
static inline int look_shows(stepLook *s, double a, double b)
{
  look_for_largest(s, a, b);
  look_fit(s, a, b);
  s->from = a;
  s->to = b;
  s->parts = 0;
  return look_part_shows(s, a, b);
}


// The length of a step from t, up to h, that shows all that depends on time alone. Steps whose error nobody controls have to show more, and are
// parts of a whole step, 1/2, 1/4, ...; 0: there is none.
static inline double look_length(stepLook *s, double t, double h, double whole)
{
  double *brief = &s->memory[s->nsignal], *unproved = brief + 1;
  const double least = fmax(1e-10 * h, 16 * DBL_EPSILON * fmax(fabs(t), fabs(t + h)));
  s->bend = whole > 0 ? 0.002 : 0.1;
  const int gives_up = *brief > LOOK_BRIEF;
  double length = gives_up ? h : look_clear(s, t, h, least);
  *unproved += gives_up;
  *brief = length <= 2 * least ? *brief + 1 : 0;
  if (gives_up || length <= 2 * least) return length;
  int n = 0;
  while (s->nsignal > 0 && n < LOOK_TRIALS && length > least && !look_shows(s, t, t + length)) {
    length = s->unseen > t + 0.25 * length ? s->unseen - t : 0.5 * length;

    // equal parts of waves have equal errors, which cancel
    if (whole > 0) length = whole * exp2(floor(log2(1.0000001 * length / whole)));
    n++;
  }
  *unproved += n == LOOK_TRIALS || (n > 0 && length <= least) || s->parts > LOOK_PARTS;
  return length;
}

//---- end -----------------------------------------------------------------------------------------

#endif
