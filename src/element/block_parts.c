// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts that kinds of blocks and sensors have in common.
#include "element/block_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"

//---- parts ---------------------------------------------------------------------------------------

void block_add_input(partContext *c, const char *tail, const char *text)
{
  part_add(c, &(elementPart){
                  .type = PART_SIGNAL, .tail = tail, .text = text, .mark = tail, .is_own = true});
}


void block_add_state(partContext *c, blockClock clock, const char *tail, double initial,
                     const char *text)
{
  part_add(c, &(elementPart){.type = clock.every > 0 ? PART_HELD : PART_STATE,
                             .tail = tail,
                             .initial = initial,
                             .text = text,
                             .every = clock.every,
                             .offset = clock.offset});
}


void block_add_previous(partContext *c, blockClock clock, const char *tail, double initial,
                        const char *text)
{
  part_add(c, &(elementPart){.type = PART_HELD,
                             .tail = tail,
                             .initial = initial,
                             .text = text,
                             .is_memory = true,
                             .every = clock.every,
                             .offset = clock.offset});
}


static void add_shown_part(partContext *c, partType type, blockClock clock, const char *unit,
                           double initial, const char *text, const char *mark)
{
  part_add(c, &(elementPart){.type = clock.every > 0 ? PART_HELD : type,
                             .unit = unit,
                             .initial = initial,
                             .text = text,
                             .mark = mark,
                             .is_shown = true,
                             .every = clock.every,
                             .offset = clock.offset});
}


void block_add_value(partContext *c, blockClock clock, const char *unit, double initial,
                     const char *text, const char *mark)
{
  add_shown_part(c, PART_SIGNAL, clock, unit, initial, text, mark);
}


void block_add_own_value(partContext *c, blockClock clock, const char *unit, double initial,
                         const char *text, const char *mark)
{
  add_shown_part(c, PART_STATE, clock, unit, initial, text, mark);
}


static bool is_none(const char *limit)
{
  return strcmp(limit, "inf") == 0 || strcmp(limit, "-inf") == 0;
}


const char *block_clamped(partContext *c, const artNames *limits, const char *text)
{
  if (limits->count < 2) return text;
  const char *low = limits->name[0], *high = limits->name[1];
  if (is_none(low)) return is_none(high) ? text : BLOCK_TEXT(c, "min(%s, %s)", text, high);
  if (is_none(high)) return BLOCK_TEXT(c, "max(%s, %s)", text, low);
  return BLOCK_TEXT(c, "clamp(%s, %s, %s)", text, low, high);
}


const char *block_stopped(partContext *c, const char *state, const char *const limits[2],
                          const char *rate)
{
  const char *low = limits[0], *high = limits[1];
  if (is_none(low)) {
    return is_none(high) ? rate
                         : BLOCK_TEXT(c, "if(%s >= %s and %s > 0, 0, %s)", state, high, rate, rate);
  }
  if (is_none(high)) {
    return BLOCK_TEXT(c, "if(%s <= %s and %s < 0, 0, %s)", state, low, rate, rate);
  }
  return BLOCK_TEXT(c, "if(%s >= %s and %s > 0 or %s <= %s and %s < 0, 0, %s)", state, high, rate,
                    state, low, rate, rate);
}

//---- ratios of polynomials -----------------------------------------------------------------------

enum { MAX_DEGREE = 20 };


// Coefficients as formulas: numbers, or expressions of parameters.
typedef struct ratioTexts {
  const char *w, *through;
  const char *a[MAX_DEGREE + 1], *b[MAX_DEGREE + 1]; // a_i/w^i, (b_i - a_i b_0)/w^i
} ratioTexts;


static int is_live_ratio(const partContext *c, const blockRatio *r)
{
  int is_live = r->a_text != NULL;
  for (int i = 0; i < r->na; i++) is_live |= part_is_live(&c->numbers, &r->a[i]);
  for (int i = 0; i < r->nb; i++) is_live |= part_is_live(&c->numbers, &r->b[i]);
  return is_live;
}


static const char *below_text(partContext *c, const blockRatio *r, int i)
{
  ART_ASSERT(i >= 0 && i < r->na);
  return r->a_text ? r->a_text[i] : BLOCK_NUMBER(c, &r->a[i]);
}


static const char *above_text(partContext *c, const blockRatio *r, int i)
{
  ART_ASSERT(i >= 0 && i < r->na);
  const int k = i - (r->na - r->nb);
  return k < 0 ? "0" : r->b_text ? r->b_text[k] : BLOCK_NUMBER(c, &r->b[k]);
}


// the same for coefficients given by formulas; hypot gives |a_n| without an event
static void write_live_ratio(partContext *c, const blockRatio *r, ratioTexts *out)
{
  const int n = r->na - 1;
  const char *first = below_text(c, r, 0), *last = below_text(c, r, n), *b = above_text(c, r, 0);
  out->w = r->a[n] != 0 ? BLOCK_TEXT(c, "hypot((%s)/(%s), 0)^(1/%d)", last, first, n) : "1";
  out->through = BLOCK_TEXT(c, "(%s)/(%s)", b, first);
  for (int i = 1; i <= n; i++) {
    const char *x = below_text(c, r, i), *y = above_text(c, r, i);
    out->a[i] = BLOCK_TEXT(c, "(%s)/(%s)/(%s)^%d", x, first, out->w, i);
    out->b[i] = BLOCK_TEXT(c, "((%s)/(%s) - (%s)/(%s)*(%s))/(%s)^%d", y, first, x, first,
                           out->through, out->w, i);
  }
}


// zero terms get no formula
static void write_ratio(partContext *c, const blockRatio *r, double w, ratioTexts *out)
{
  const int n = r->na - 1, shift = r->na - r->nb;
  const double through = shift == 0 ? r->b[0] / r->a[0] : 0;
  out->w = BLOCK_TEXT(c, "%-24.17g", w);
  out->through = BLOCK_TEXT(c, "%-24.17g", through);
  for (int i = 1; i <= n; i++) {
    const double a = r->a[i] / r->a[0], b = i >= shift ? r->b[i - shift] / r->a[0] : 0;
    const double scale = pow(w, i);
    out->a[i] = BLOCK_TEXT(c, "%-24.17g", a / scale);
    out->b[i] = b == a * through ? NULL : BLOCK_TEXT(c, "%-24.17g", (b - a * through) / scale);
  }
}


// fails if coefficients are too far apart, a delay is too short for its order, or an interval too
// short
static void check_range(const partContext *c, double sum)
{
  if (isfinite(sum)) return;
  error_refuse(c->where->place, "coefficients of its powers of s are beyond the range of numbers");
}


static double sum_of_ratio(const blockRatio *r, double w)
{
  double sum = 0;
  for (int i = 0; i < r->na; i++) sum += fabs(r->a[i] / r->a[0] / pow(w, i));
  for (int i = 0; i < r->nb; i++) sum += fabs(r->b[i] / r->a[0] / pow(w, i + r->na - r->nb));
  return sum;
}


// x_j' = w x_(j+1),  x_n' = w (u - sum_i a_i/w^i x_(n+1-i)),  y = sum_i (b_i - a_i b_0)/w^i
// x_(n+1-i) + b_0 u
//   with a_0 = 1: the controllable canonical form with states scaled by powers of w = |a_n|^(1/n),
//   so that all states have the size of u/a_n
static void add_continuous(partContext *c, const blockRatio *r, const char *unit)
{
  const int n = r->na - 1;
  const double last = r->a[n] / r->a[0], w = last != 0 ? pow(fabs(last), 1.0 / n) : 1;
  ratioTexts x = {0};
  check_range(c, sum_of_ratio(r, w));
  if (is_live_ratio(c, r)) {
    write_live_ratio(c, r, &x);
  } else {
    write_ratio(c, r, w, &x);
  }
  const blockClock none = {0, 0};
  const char *sum = BLOCK_TEXT(c, "%s.input", c->self);
  const char *value = BLOCK_TEXT(c, "(%s)*%s.input", x.through, c->self);
  for (int i = 1; i <= n; i++) {
    sum = BLOCK_TEXT(c, "%s - (%s)*%s.x%d", sum, x.a[i], c->self, n + 1 - i);
    if (x.b[i]) value = BLOCK_TEXT(c, "%s + (%s)*%s.x%d", value, x.b[i], c->self, n + 1 - i);
  }
  for (int j = 1; j <= n; j++) {
    const char *rate = j < n ? BLOCK_TEXT(c, "(%s)*%s.x%d", x.w, c->self, j + 1)
                             : BLOCK_TEXT(c, "(%s)*(%s)", x.w, sum);
    const double rest = j == 1 && last != 0 ? r->before * (pow(w, n) / last) : 0;
    block_add_state(c, none, BLOCK_TEXT(c, "x%d", j), rest, rate);
  }
  block_add_value(c, none, unit, 0, value, "input");
}


// expand (z - 1)^(n-i) (z + 1)^i, one factor at a time
static void multiply_out(int n, int i, double term[MAX_DEGREE + 1])
{
  ART_ASSERT(i >= 0 && i <= n && n <= MAX_DEGREE);
  for (int j = 0; j <= n; j++) term[j] = j == 0;
  for (int f = 0; f < n; f++) {
    const double root = f < n - i ? -1 : 1;
    for (int j = f + 1; j >= 1; j--) term[j] += root * term[j - 1];
  }
}


// Coefficients of (z + 1)^n sum_i p_i s^(n-i) with s = k (z - 1)/(z + 1); p_0 belongs to the
// highest power.
static void substitute_bilinear(int n, const double *p, double k, double out[MAX_DEGREE + 1])
{
  double term[MAX_DEGREE + 1];
  for (int i = 0; i <= n; i++) out[i] = 0;
  for (int i = 0; i <= n; i++) {
    multiply_out(n, i, term);
    for (int j = 0; j <= n; j++) out[j] += p[i] * pow(k, n - i) * term[j];
  }
}


// coefficient j of the same as a formula, ((c_0 p_0) k + c_1 p_1) k + ..., for the denominator or
// the numerator
static const char *substituted_text(partContext *c, const blockRatio *r, int is_below,
                                    const char *k, int j)
{
  const int n = r->na - 1;
  double term[MAX_DEGREE + 1];
  const char *sum = "0";
  for (int i = 0; i <= n; i++) {
    const char *p = is_below ? below_text(c, r, i) : above_text(c, r, i);
    multiply_out(n, i, term);
    sum = BLOCK_TEXT(c, "(%s)*%s + %.17g*(%s)", sum, k, term[j], p);
  }
  return BLOCK_TEXT(c, "(%s)", sum);
}


// Formulas of the recursion from u_k to w_k, and from these to y_k, if coefficients or the interval
// depend on parameters.
typedef struct sampledTexts {
  const char *next, *value;
} sampledTexts;


// w_k = u_k - (sum_i A_i w_(k-i))/A_0,  y_k = (sum_i B_i w_(k-i))/A_0
static sampledTexts write_live_sampled(partContext *c, const blockRatio *r, const double *every)
{
  const char *h = BLOCK_NUMBER(c, every), *s = c->self;
  const char *k = part_is_live(&c->numbers, every) ? BLOCK_TEXT(c, "(2/(%s))", h)
                                                   : BLOCK_TEXT(c, "%.17g", 2 / *every);
  const char *first = substituted_text(c, r, 1, k, 0), *below = "0", *above = "0";
  for (int i = 0; i < r->na; i++) {
    const char *A = substituted_text(c, r, 1, k, i), *B = substituted_text(c, r, 0, k, i);
    if (i > 0) below = BLOCK_TEXT(c, "%s + %s*%s.w%d", below, A, s, i);
    above = BLOCK_TEXT(c, "%s + %s*%s.w%d", above, B, s, i);
  }
  return (sampledTexts){BLOCK_TEXT(c, "%s.input - (%s)/%s", s, below, first),
                        BLOCK_TEXT(c, "(%s)/%s", above, first)};
}


static sampledTexts write_sampled(partContext *c, int n, const double *A, const double *B)
{
  ART_ASSERT(n >= 1 && n <= MAX_DEGREE && A[0] != 0);
  sampledTexts x = {BLOCK_TEXT(c, "%s.input", c->self),
                    BLOCK_TEXT(c, "(%-24.17g)*%s.w0", B[0] / A[0], c->self)};
  for (int i = 1; i <= n; i++) {
    x.next = BLOCK_TEXT(c, "%s - (%-24.17g)*%s.w%d", x.next, A[i] / A[0], c->self, i);
    x.value = BLOCK_TEXT(c, "%s + (%-24.17g)*%s.w%d", x.value, B[i] / A[0], c->self, i);
  }
  return x;
}


// Tustin's method, s = 2/h (z - 1)/(z + 1), in direct form II:
//   w_k = u_k - sum_i A_i w_(k-i),  y_k = sum_i B_i w_(k-i)
static void add_sampled(partContext *c, const blockRatio *r, blockClock clock, const double *every,
                        const char *unit)
{
  const int n = r->na - 1, shift = r->na - r->nb;
  double A[MAX_DEGREE + 1], B[MAX_DEGREE + 1], b[MAX_DEGREE + 1] = {0};
  for (int i = 0; i < r->nb; i++) b[i + shift] = r->b[i];
  substitute_bilinear(n, r->a, 2 / clock.every, A);
  substitute_bilinear(n, b, 2 / clock.every, B);
  double total = 0, size = 0;
  for (int i = 0; i <= n; i++) total += A[i], size += fabs(A[i]);
  check_range(c, size);
  if (!(fabs(A[0]) > 1e-12 * size)) {
    error_refuse(field_place(c->where, "denominator"),
                 "the denominator has a root at s = 2/every, which cannot be sampled");
  }
  const int is_live = is_live_ratio(c, r) || part_is_live(&c->numbers, every);
  const sampledTexts x = is_live ? write_live_sampled(c, r, every) : write_sampled(c, n, A, B);
  const double rest = r->before == 0 ? 0 : r->before * A[0] / total;
  for (int i = 1; i <= n; i++) {
    block_add_previous(c, clock, BLOCK_TEXT(c, "w%d", i), rest,
                       BLOCK_TEXT(c, "%s.w%d", c->self, i - 1));
  }
  block_add_state(c, clock, "w0", rest, x.next);
  const double at_rest = r->before == 0 ? 0 : r->before * r->b[r->nb - 1] / r->a[n];
  block_add_value(c, clock, unit, at_rest, x.value, "input");
}


void block_add_ratio(partContext *c, const blockRatio *ratio, blockClock clock, const double *every,
                     const char *unit)
{
  ART_ASSERT(ratio->na >= 2 && ratio->na <= MAX_DEGREE + 1 && ratio->nb <= ratio->na);
  if (clock.every > 0) {
    add_sampled(c, ratio, clock, every, unit);
  } else {
    add_continuous(c, ratio, unit);
  }
}

//---- rules ---------------------------------------------------------------------------------------

void block_require(partContext *c, partNeed need, const char *key, const char *text,
                   const char *unit)
{
  part_require(c, &(partRule){.need = need, .key = key, .text = text, .unit = unit});
}


void block_require_unit(partContext *c, const char *key, const char *text, const char *unit,
                        int seconds)
{
  const partRule rule = {
      .need = PART_FITS, .key = key, .text = text, .unit = unit, .seconds = seconds};
  if (unit) part_require(c, &rule);
}


void block_require_limits(partContext *c, const char *key, const artNames *limits, const char *unit)
{
  for (int i = 0; i < limits->count; i++) {
    if (!is_none(limits->name[i])) block_require_unit(c, key, limits->name[i], unit, 0);
  }
  if (limits->count != 2 || is_none(limits->name[0]) || is_none(limits->name[1])) return;
  const char *width = BLOCK_TEXT(c, "(%s) - (%s)", limits->name[1], limits->name[0]);
  part_require(c, &(partRule){.need = PART_ORDERED, .key = key, .text = width});
}


void block_require_inside(partContext *c, double initial, const artNames *limits)
{
  if (limits->count < 2) return;
  part_require(c, &(partRule){.need = PART_INSIDE,
                              .key = "initial",
                              .value = initial,
                              .limit = {limits->name[0], limits->name[1]}});
}

//---- checks --------------------------------------------------------------------------------------

void block_refuse(const fieldCheck *check, const char *key, const char *format, ...)
{
  char message[ART_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  format_text_list(message, sizeof message, format, args);
  va_end(args);
  field_refuse(check, key, "'%s': %s", check->name, message);
}


void block_check_limits(const fieldCheck *check, const char *key, const artNames *limits)
{
  if (limits->count == 0) return;
  if (limits->count != 2) {
    block_refuse(check, key, "found %d value%s, expected the least and the largest", limits->count,
                 limits->count == 1 ? "" : "s");
  } else if (!limits->name[0] || !limits->name[1]) {
    block_refuse(check, key, "one of the two values is missing");
  } else if (strcmp(limits->name[0], "inf") == 0 || strcmp(limits->name[1], "-inf") == 0) {
    block_refuse(check, key, "the limits are %s and %s, expected the least before the largest",
                 limits->name[0], limits->name[1]);
  }
}


void block_check_clock(const fieldCheck *check, blockClock clock)
{
  if (clock.every > 0 || clock.offset == 0) return;
  block_refuse(check, "offset", "an offset belongs to 'every'");
}


int block_samples(const fieldCheck *check, double delay, double every)
{
  enum { MAX_DELAY_SAMPLES = 1000 };
  const double n = rint(delay / every);
  if (!(fabs(delay / every - n) <= 1e-9 * n)) {
    block_refuse(check, "delay", "a delay of %.9g s is not a multiple of every = %.9g s", delay,
                 every);
  }
  if (n >= 1 && n <= MAX_DELAY_SAMPLES) return (int) n;
  block_refuse(check, "delay", "the delay is %.0f samples, expected 1 to %d", n, MAX_DELAY_SAMPLES);
}
