// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A look into the steps of generated machines: over the time of a step all that depends on time and held numbers alone is
// enclosed (spatial/interval.h), with its rate of change; and formulas of the motion, after the step, along what they read. All from the next line on goes as source into generated files, after
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
  LOOK_PATH,
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
  short op, stays; // whether it depends on neither time nor paths
  int a, b, c;
  unsigned long long
      roots; // what is made of it: bits of signals, then of margins, by their numbers modulo 64
} lookRow;

// Values over a part of a step, rates of change, and whether it may jump or have a kink there, or a slope in it changes by half.
enum { LOOK_JUMPS = 1, LOOK_BENDS = 2 };

typedef struct lookSpan {
  enclosure x, dx;
  int marks;
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
  lookSpan *x;                // [nrow] work
  int knows_rest;             // rows that stay as they are have been evaluated
  unsigned long long skipped; // bits of roots that are not asked for
  lookCubic *cubic;           // [nsignal] of a step, from .. to

  // [nsignal + 2] the largest signals so far; brief steps in a row; steps that are not proved; [nmargin] of the motion: the
  // largest margins so far
  double *memory;

  // What formulas of the motion read, at the beginning, in the middle and at the end of a step, begin .. end.
  const double *path[3];
  double begin, end;
  int nleaf;
  const int *leaf; // rows that read what may change
  double *margins; // [2 nmargin] work
  double *
      box; // [2 nleaf + 1] in which no formula switches or bends; the first number is its size in ways of a step
  int is_boxed;            // rows are asked for over all of it
  double least;            // of the largest signals so far: changes that do not matter
  double bend;             // how much steps may miss of what acts
  double from, to, unseen; // a step, and where it does not show what acts
  int parts;
} stepLook;

enum { LOOK_PARTS = 256, LOOK_TRIALS = 60, LOOK_BRIEF = 40, LOOK_POINTS = 16 };


// what bends where a slope varies within this
static inline int look_bend(enclosure slope)
{
  return interval_width(slope) <= 0.5 * interval_size(slope) ? 0 : LOOK_BENDS;
}


static inline lookSpan look_chain(lookSpan a, enclosure f, enclosure slope)
{
  if (a.dx.lo == 0 && a.dx.hi == 0) return (lookSpan){f, a.dx, a.marks};
  return (lookSpan){f, interval_mul(slope, a.dx), a.marks | look_bend(slope)};
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
  const int both = LOOK_JUMPS | a.marks | b.marks;
  const int marks = condition == INTERVAL_MAYBE ? both : condition ? a.marks : b.marks;
  return (lookSpan){interval_select(condition, a.x, b.x), interval_select(condition, a.dx, b.dx),
                    marks};
}


static inline lookSpan look_truth(int condition)
{
  return (lookSpan){{condition == INTERVAL_YES, condition != INTERVAL_NO},
                    {0, 0},
                    condition == INTERVAL_MAYBE ? LOOK_JUMPS : 0};
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
                    a.marks | b.marks};
}


// a constant while its whole part does not change
static inline lookSpan look_floor(lookSpan a)
{
  const enclosure whole = interval_floor(a.x);
  return (lookSpan){whole, {0, 0}, whole.lo != whole.hi ? LOOK_JUMPS : 0};
}


// q' = (a' - q b')/b
static inline lookSpan look_div(lookSpan a, lookSpan b)
{
  const enclosure q = interval_div(a.x, b.x);
  const int bends = interval_size(b.dx) > 0 ? look_bend(look_inverse(b.x)) : 0;
  return (lookSpan){q, interval_div(interval_sub(a.dx, interval_mul(q, b.dx)), b.x),
                    a.marks | b.marks | bends};
}


static inline lookSpan look_sub(lookSpan a, lookSpan b)
{
  return (lookSpan){interval_sub(a.x, b.x), interval_sub(a.dx, b.dx), a.marks | b.marks};
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
    out = (lookSpan){f, interval_mul(f, w.dx), look_bend(f)};
  }
  out.marks |= a.marks | b.marks;
  return out;
}


// the angle of (b, a), and its rate (b a' - a b')/(a^2 + b^2)
static inline lookSpan look_atan2(lookSpan a, lookSpan b)
{
  const enclosure up = interval_sub(interval_mul(b.x, a.dx), interval_mul(a.x, b.dx));
  const enclosure below = interval_add(interval_square(a.x), interval_square(b.x));
  const int is_cut = interval_holds(a.x, 0) && b.x.lo <= 0 && !(a.dx.lo == 0 && a.dx.hi == 0);
  const int bends = interval_size(up) > 0 ? look_bend(look_inverse(below)) : 0;
  return (lookSpan){interval_atan2(a.x, b.x), interval_div(up, below),
                    a.marks | b.marks | bends | (is_cut ? LOOK_JUMPS : 0)};
}


static inline lookSpan look_hypot(lookSpan a, lookSpan b)
{
  const enclosure h = interval_hypot(a.x, b.x);
  const enclosure up = interval_add(interval_mul(a.x, a.dx), interval_mul(b.x, b.dx));
  const double most = interval_hypot(a.dx, b.dx).hi;
  const int bends = most > 0 ? look_bend(h) : 0;
  return (lookSpan){h, interval_clip(interval_div(up, h), -most, most), a.marks | b.marks | bends};
}


static inline lookSpan look_operate(int op, lookSpan a, lookSpan b, lookSpan c)
{
  const enclosure zero = {0, 0};
  switch (op) {
  case LOOK_NEG: return (lookSpan){interval_neg(a.x), interval_neg(a.dx), a.marks};
  case LOOK_ADD:
    return (lookSpan){interval_add(a.x, b.x), interval_add(a.dx, b.dx), a.marks | b.marks};
  case LOOK_SUB: return look_sub(a, b);
  case LOOK_MUL: return look_mul(a, b);
  case LOOK_DIV: return look_div(a, b);
  case LOOK_ABS:
    c = (lookSpan){interval_neg(a.x), interval_neg(a.dx), a.marks};
    c = look_choose(a.x.lo >= 0 ? INTERVAL_YES : a.x.hi <= 0 ? INTERVAL_NO : INTERVAL_MAYBE, a, c);
    c.x = interval_abs(a.x);
    return c;
  case LOOK_SIGN:
    a.marks = a.x.lo > 0 || a.x.hi < 0 || interval_size(a.x) == 0 ? 0 : LOOK_JUMPS;
    return (lookSpan){{(a.x.lo > 0) - (a.x.lo < 0), (a.x.hi > 0) - (a.x.hi < 0)}, zero, a.marks};
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


// On the parabola through its three values over a part of the step, with its mean rate there:
//   s0 + way x + 4 bend x (1 - x)
// The very beginning is left out, where it may stand on a border that it leaves at once.
static inline lookSpan look_path(const stepLook *s, int i, double from, double to)
{
  const double h = s->end - s->begin, s0 = s->path[0][i], s1 = s->path[2][i], way = s1 - s0;
  const double bend = s->path[1][i] - 0.5 * (s0 + s1);
  const enclosure x = {fmax((from - s->begin) / h, 1e-6), fmax((to - s->begin) / h, 1e-6)};
  const enclosure one = interval_point(1);
  if (way == 0 && bend == 0) return (lookSpan){interval_point(s0), interval_point(0), 0};
  const enclosure slope = interval_add(
      interval_point(way), interval_scale(4 * bend, interval_sub(one, interval_scale(2, x))));
  const double xm = interval_middle(x), at = s0 + way * xm + 4 * bend * xm * (1 - xm);
  const enclosure about = interval_sub(x, interval_point(xm));
  return (lookSpan){interval_add(interval_point(at), interval_mul(slope, about)),
                    interval_point((way + 4 * bend * (1 - x.lo - x.hi)) / h), 0};
}


// The k-th of what may change, over the box; leaves are in the order of rows.
static inline lookSpan look_boxed(const stepLook *s, int k)
{
  const double *box = s->box + 1 + 2 * k, changes = box[0] < box[1];
  return (lookSpan){{box[0], box[1]}, {changes, changes}, 0};
}


static inline unsigned long long look_bit(int root)
{
  return 1ull << (root % 64);
}


// All rows over [from, to].
static inline void look_over(stepLook *s, double from, double to)
{
  int leaf = 0;
  for (int i = 0; i < s->nrow; i++) {
    const lookRow *r = &s->row[i];
    const int is_leaf = r->op > LOOK_CONSTANT && r->op < LOOK_NEG;
    lookSpan x = {{from, to}, {1, 1}, 0};
    leaf += is_leaf;
    if ((r->stays && s->knows_rest) || !(r->roots & ~s->skipped)) continue;
    if (r->op == LOOK_PATH) x = look_path(s, r->a, from, to);
    if (r->op < LOOK_TIME || r->op == LOOK_HELD || r->op == LOOK_SIDE) {
      const double *const list[] = {s->constant, s->p, s->constant, s->u, s->side};
      x = (lookSpan){interval_point(list[r->op][r->a]), {0, 0}, 0};
    }
    if (s->is_boxed && is_leaf) x = look_boxed(s, leaf - 1);
    if (r->op >= LOOK_NEG) x = look_operate(r->op, s->x[r->a], s->x[r->b], s->x[r->c]);
    if (r->op == LOOK_MUL && r->a == r->b) x.x = interval_square(s->x[r->a].x);
    s->x[i] = x;
  }
  s->knows_rest = 1;
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
  while (k < s->nsignal && ((s->skipped & look_bit(k)) != 0 ||
                            look_signal_shows(&s->cubic[k], s->x[s->signal[k]].dx, from, to))) {
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


// The largest values of signals, of those that may be much larger in a step than at its ends. The rows hold all of it.
static inline void look_for_largest(stepLook *s, double a, double b)
{
  int grows = 0;
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


// Margins at an end of a step, as the rows hold them.
static inline void look_take_margins(stepLook *s, int at_end)
{
  double *largest = s->memory + s->nsignal + 2;
  for (int j = 0; j < s->nmargin && s->margins; j++) {
    const double g = s->margins[2 * j + at_end] = interval_middle(s->x[s->margin[j]].x);
    if (fabs(g) < INFINITY) largest[j] = fmax(largest[j], fabs(g));
  }
}


// The cubics of a step from a to b, and which of them have to be looked at: others may do all that they can.
static inline void look_fit(stepLook *s, double a, double b)
{
  const double h = b - a;
  look_over(s, a, a);
  look_take_margins(s, 0);
  for (int k = 0; k < s->nsignal; k++) {
    const lookSpan x = s->x[s->signal[k]];
    s->cubic[k] = (lookCubic){.a = a, .b = b, .mean = interval_middle(x.x), .begin = NAN};
    if (isfinite(interval_size(x.dx))) s->cubic[k].begin = interval_middle(x.dx);
    if (interval_size(x.x) < INFINITY) s->memory[k] = fmax(s->memory[k], interval_size(x.x));
  }
  look_over(s, b, b);
  look_take_margins(s, 1);
  for (int k = 0; k < s->nsignal; k++) {
    const lookSpan x = s->x[s->signal[k]];
    lookCubic *c = &s->cubic[k];
    c->mean = (interval_middle(x.x) - c->mean) / h;
    c->end = isfinite(interval_size(x.dx)) ? interval_middle(x.dx) : c->mean;
    if (isnan(c->begin)) c->begin = c->mean;
    if (interval_size(x.x) < INFINITY) s->memory[k] = fmax(s->memory[k], interval_size(x.x));
    c->allowed = INFINITY;
    if (!isfinite(c->mean)) continue;
    c->allowed = s->bend * interval_size(look_cubic_rates(c, a, b)) + s->least * s->memory[k] / h;
  }
}


// Whether a margin does not come to zero, or stands on its border, which it leaves at once.
static inline int look_keeps_sign(const lookSpan *g)
{
  return g->x.lo > 0 || g->x.hi < 0 || g->x.hi > 1e29;
}

//---- a look ahead of steps -----------------------------------------------------------------------

// Whether nothing jumps between these times and no side turns more than once: 0, it is so; 1, a side may turn there and back; 2, something
// jumps. The rows hold what is there.
static inline int look_reason(stepLook *s, double from, double to)
{
  int reason = 0;
  look_over(s, from, to);
  for (int i = 0; i < s->nsignal; i++) {
    if (s->x[s->signal[i]].marks & LOOK_JUMPS) return 2;
  }
  for (int i = 0; i < s->nmargin; i++) {
    const lookSpan *g = &s->x[s->margin[i]];
    if (look_keeps_sign(g)) continue;
    if (g->marks & LOOK_JUMPS) return 2;
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


// Whether a step from a to b shows all signals.
static inline int look_shows(stepLook *s, double a, double b)
{
  look_over(s, a, b);
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
  s->least = 1e-9;
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

//---- a look along the motion ---------------------------------------------------------------------

// What a leaf is at the beginning of the step, or at its end.
static inline double look_leaf(const stepLook *s, int i, int at_end)
{
  const lookRow *r = &s->row[s->leaf[i]];
  if (r->op == LOOK_TIME) return at_end ? s->end : s->begin;
  if (r->op == LOOK_PATH) return s->path[at_end ? 2 : 0][r->a];
  return r->op == LOOK_PARAMETER ? s->p[r->a] : r->op == LOOK_HELD ? s->u[r->a] : s->side[r->a];
}


// Whether the step stays in the box, in which no formula of the motion switches or bends.
static inline int look_is_calm(const stepLook *s)
{
  for (int i = 0; i < s->nleaf; i++) {
    const double a = look_leaf(s, i, 0), b = look_leaf(s, i, 1), *box = s->box + 1 + 2 * i;
    if (!(fmin(a, b) >= box[0] && fmax(a, b) <= box[1])) return 0;
  }
  return s->box[0] > 0; // there has been a box
}


// The formulas that may jump or bend, as the rows hold them.
static inline unsigned long long look_bends(const stepLook *s)
{
  unsigned long long some = 0;
  for (int k = 0; k < s->nsignal; k++) some |= s->x[s->signal[k]].marks ? look_bit(k) : 0;
  return some;
}


// Whether no margin, as the rows hold them, comes to zero.
static inline int look_is_clear(const stepLook *s)
{
  int j = 0;
  while (j < s->nmargin && look_keeps_sign(&s->x[s->margin[j]])) j++;
  return j == s->nmargin;
}


// A box about the end of the step for the next ones: as far as all goes in some steps, on either side. A box that is none is empty.
static inline void look_find_box(stepLook *s)
{
  double *reach = s->box;
  *reach = *reach > 0 ? *reach : 4;
  for (int i = 0; i < s->nleaf; i++) {
    const double end = look_leaf(s, i, 1), way = fabs(end - look_leaf(s, i, 0));
    double *box = s->box + 1 + 2 * i;
    box[0] = end - *reach * way;
    box[1] = end + *reach * way;
  }
  s->is_boxed = 1;
  look_over(s, s->begin, s->end);
  s->is_boxed = 0;
  const int is_box = !look_bends(s) && look_is_clear(s);
  *reach = is_box ? fmin(2 * *reach, 64) : fmax(*reach / 4, 0.5);
  if (!is_box) s->box[1] = INFINITY;
}


// Where in [a, b] a margin is beyond zero that has this sign at both ends, INFINITY: nowhere. What is nearer to zero is rounding.
static inline double look_crossing(stepLook *s, int j, double sign, double zero, double a, double b)
{
  look_over(s, a, b);
  const lookSpan over = s->x[s->margin[j]];
  const int is_within = sign > 0 ? over.x.lo > -zero : over.x.hi < zero;
  if (is_within || over.dx.lo >= 0 || over.dx.hi <= 0) return INFINITY;
  if (++s->parts > LOOK_PARTS || b - a <= 1e-6 * (s->end - s->begin)) return INFINITY;
  const double middle = a + 0.5 * (b - a);
  look_over(s, middle, middle);
  if (sign * interval_middle(s->x[s->margin[j]].x) < -zero) return middle;
  const double first = look_crossing(s, j, sign, zero, a, middle);
  return first < INFINITY ? first : look_crossing(s, j, sign, zero, middle, b);
}


// Up to where no border is passed there and back.
static inline double look_for_crossings(stepLook *s)
{
  const double *largest = s->memory + s->nsignal + 2;
  double end = s->end;
  for (int j = 0; j < s->nmargin; j++) {
    const double zero = 1e-9 * largest[j], *g = s->margins + 2 * j, sign = g[0] > 0 ? 1 : -1;
    if (!(sign * g[0] > zero) || !(sign * g[1] > zero) || fabs(g[0]) > 1e29) continue;
    s->skipped = ~look_bit(s->nsignal + j);
    end = fmin(end, look_crossing(s, j, sign, zero, s->begin, s->end));
  }
  s->skipped = 0;
  return end;
}


// The same, and up to where the ends of the step show what acts. The rows hold all of the step, where some formulas bend.
static inline double look_within(stepLook *s, unsigned long long bends)
{
  const double h = s->end - s->begin;
  look_for_largest(s, s->begin, s->end);
  look_fit(s, s->begin, s->end);
  s->from = s->begin;
  s->to = s->end;
  const double end = look_for_crossings(s);
  s->skipped = ~bends;
  const int shows = !bends || look_part_shows(s, s->begin, s->end);
  s->skipped = 0;
  if (shows) return end;
  return fmin(end, s->unseen > s->begin + 0.25 * h ? s->unseen : s->begin + 0.5 * h);
}


// Up to where a step, along these paths, shows what formulas of the motion do; its end if it shows all of it. Steps that do not, one
// after the other, become shorter, and the last one stands.
static inline double look_along(stepLook *s, int is_given)
{
  double *brief = &s->memory[s->nsignal], *unproved = brief + 1, end = s->end;
  s->bend = is_given ? 0.02 : 0.3; // nobody controls the error of steps of given length
  s->least = 1e-6;
  s->parts = 0;
  look_over(s, s->begin, s->end);
  const unsigned long long bends = look_bends(s);
  const int is_calm = !bends && look_is_clear(s);
  if (!is_calm) end = look_within(s, bends);
  if (end < s->end && ++*brief <= LOOK_BRIEF) return end;
  *unproved += end < s->end || s->parts > LOOK_PARTS;
  *brief = 0;
  s->box[1] = INFINITY;
  if (is_calm) look_find_box(s);
  return s->end;
}

//---- end -----------------------------------------------------------------------------------------

#endif
