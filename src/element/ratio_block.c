// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Blocks that are ratios of polynomials in s: transfer functions in controllable canonical form,
// sampled by Tustin's method (block_parts.c), and delays. A sampled delay is exact, y_k = u_(k-n).
// A continuous one is the Padé all-pass,
//
//   exp(-T s) = N(-T s)/N(T s),   N(x) = sum_k c_k x^k,   c_k = (2n - k)! n!/((2n)! k! (n - k)!)
#include "element/block_parts.h"

#include "base/error.h"

enum { MAX_DEGREE = 10 };

// clang-format off
#define AT(field) offsetof(artTransferFunctionBlockDef, field)
static const fieldKey transfer_keys[] = {
    BLOCK_UNIT_KEY(artTransferFunctionBlockDef),
    BLOCK_INPUT_KEY(artTransferFunctionBlockDef, "the value that goes in"),
    {"numerator", KEY_SOME_NUMBERS, Q_NUMBER, .need = REQUIRED, .offset = AT(numerator),
     .help = "coefficients, that of the highest power of s first"},
    {"denominator", KEY_SOME_NUMBERS, Q_NUMBER, .need = REQUIRED, .offset = AT(denominator),
     .help = "coefficients, that of the highest power of s first"},
    {"before", KEY_NUMBER, Q_ANY, .offset = AT(before), FALLBACK(0), .help = "input before the start, with which it is at rest"},
    BLOCK_CLOCK_KEYS(artTransferFunctionBlockDef, "time between two instants at which it computes"),
    {0}};
#undef AT

#define AT(field) offsetof(artDelayBlockDef, field)
static const fieldKey delay_keys[] = {
    BLOCK_UNIT_KEY(artDelayBlockDef),
    BLOCK_INPUT_KEY(artDelayBlockDef, "the value that comes later"),
    {"delay", KEY_NUMBER, Q_TIME, .need = REQUIRED, .offset = AT(delay), .range = RANGE_POSITIVE,
     .help = "how much later; sampled, a multiple of `every`"},
    {"order", KEY_WHOLE, .offset = AT(order), .above_zero = true, .fallback = "none: give `every`",
     .help = "of the approximation by Padé that a continuous delay is, 1 to 10"},
    {"before", KEY_NUMBER, Q_ANY, .offset = AT(before), FALLBACK(0), .help = "value before the first one arrives"},
    BLOCK_CLOCK_KEYS(artDelayBlockDef, "time between two instants at which it takes a sample"),
    {0}};
// clang-format on

//---- transfer functions --------------------------------------------------------------------------

static void check_transfer(const fieldCheck *c, void *from)
{
  const artTransferFunctionBlockDef *def = from;
  const artNumbers *b = &def->numerator, *a = &def->denominator;
  block_check_clock(c, BLOCK_CLOCK(def));
  field_check_finite(c, "numerator", b->count, b->value);
  field_check_finite(c, "denominator", a->count, a->value);
  if (a->count < 2 || a->count > MAX_DEGREE + 1) {
    block_refuse(c, "denominator", "the denominator has degree %d, expected 1 to %d", a->count - 1,
                 MAX_DEGREE);
  } else if (a->value[0] == 0) {
    block_refuse(c, "denominator", "the leading coefficient of the denominator is 0");
  } else if (b->count < 1 || b->count > a->count) {
    block_refuse(c, "numerator",
                 "the numerator has degree %d, the denominator %d: a transfer function is "
                 "proper, its numerator has at most the degree of its denominator",
                 b->count - 1, a->count - 1);
  } else if (def->before != 0 && a->value[a->count - 1] == 0) {
    block_refuse(c, "before",
                 "a denominator without a constant coefficient is at rest with "
                 "the input 0 only");
  }
}


static void make_transfer(const void *from, partContext *c)
{
  const artTransferFunctionBlockDef *def = from;
  const blockRatio ratio = {def->numerator.count,
                            def->denominator.count,
                            def->numerator.value,
                            def->denominator.value,
                            def->before,
                            NULL,
                            NULL};
  block_add_input(c, "input", def->input);
  block_add_ratio(c, &ratio, BLOCK_CLOCK(def), &def->every, def->unit);
}

//---- delays --------------------------------------------------------------------------------------

static void check_delay(const fieldCheck *c, void *from)
{
  const artDelayBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  if (def->every > 0) {
    if (def->order) block_refuse(c, "order", "a sampled delay is exact and has no order");
    (void) block_samples(c, def->delay, def->every);
  } else if (def->order < 1 || def->order > MAX_DEGREE) {
    block_refuse(c, "order",
                 "a continuous delay is approximated by Padé: give its 'order', 1 to %d; or "
                 "'every', for an exact one of samples",
                 MAX_DEGREE);
  }
}


// coefficients of N(T s) and N(-T s) from the highest power; formulas if T depends on a parameter
static void add_pade(const artDelayBlockDef *def, partContext *c)
{
  const int n = def->order, is_live = part_is_live(&c->numbers, &def->delay);
  const char *T = BLOCK_NUMBER(c, &def->delay);
  const char *a_text[MAX_DEGREE + 1], *b_text[MAX_DEGREE + 1];
  double a[MAX_DEGREE + 1], b[MAX_DEGREE + 1], coefficient = 1, power = 1;
  for (int k = 0; k <= n; k++) {
    a[n - k] = coefficient * power;
    b[n - k] = k % 2 ? -a[n - k] : a[n - k];
    a_text[n - k] = BLOCK_TEXT(c, "%.17g*(%s)^%d", coefficient, T, k);
    b_text[n - k] = BLOCK_TEXT(c, "%.17g*(%s)^%d", k % 2 ? -coefficient : coefficient, T, k);
    coefficient *= (double) (n - k) / ((k + 1) * (2 * n - k));
    power *= def->delay;
  }
  const blockRatio ratio = {
      n + 1, n + 1, b, a, def->before, is_live ? b_text : NULL, is_live ? a_text : NULL};
  block_add_ratio(c, &ratio, BLOCK_CLOCK(def), &def->every, def->unit);
}


static void make_delay(const void *from, partContext *c)
{
  const artDelayBlockDef *def = from;
  block_add_input(c, "input", def->input);
  block_require_unit(c, "input", def->input, def->unit, 0);
  if (!(def->every > 0)) {
    add_pade(def, c);
    return;
  }
  const fieldCheck none = {def->name, c->where};
  const elementPart value = {.type = PART_HELD,
                             .unit = def->unit,
                             .initial = def->before,
                             .text = BLOCK_TEXT(c, "%s.input", c->self),
                             .is_shown = true,
                             .every = def->every,
                             .offset = def->offset};
  part_add_delayed(c, &value, block_samples(&none, def->delay, def->every));
}


BLOCK_KIND(transfer_function_block, "block", artTransferFunctionBlockDef, "transfer-function",
           transfer_keys, check_transfer, make_transfer, "A ratio of polynomials in s.");
BLOCK_KIND(delay_block, "block", artDelayBlockDef, "delay", delay_keys, check_delay, make_delay,
           "The value of a time before.");
