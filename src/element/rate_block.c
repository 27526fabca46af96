// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Integrator and derivative:
//
//   integrator   dy/dt = k u between the limits; sampled y_k = y_(k-1) + h k u_k between them
//   derivative   T dy/dt + y = k du/dt;          sampled y_k = (T y_(k-1) + k (u_k - u_(k-1)))/(T + h)
#include "element/block_parts.h"

#include "base/error.h"

// clang-format off
#define AT(field) offsetof(artIntegratorBlockDef, field)
static const fieldKey integrator_keys[] = {
    BLOCK_UNIT_KEY(artIntegratorBlockDef),
    BLOCK_INPUT_KEY(artIntegratorBlockDef, "the value that is integrated by time"),
    {"gain", KEY_FORMULA, Q_ANY, .offset = AT(gain), .fallback = "1", .help = "rate per input"},
    {"limits", KEY_SOME_FORMULAS, Q_OWN, .may_be_infinite = true, .offset = AT(limits), .fallback = "none", .help = "least and largest value, at which it stops; `inf`, `-inf`: none"},
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "value at the start"},
    BLOCK_CLOCK_KEYS(artIntegratorBlockDef, "time between two instants at which it computes"),
    {0}};
#undef AT

#define AT(field) offsetof(artDerivativeBlockDef, field)
static const fieldKey derivative_keys[] = {
    BLOCK_UNIT_KEY(artDerivativeBlockDef),
    BLOCK_INPUT_KEY(artDerivativeBlockDef, "the value whose rate is wanted"),
    {"gain", KEY_FORMULA, Q_ANY, .offset = AT(gain), .fallback = "1", .help = "value per rate of the input"},
    {"filter", KEY_FORMULA, Q_TIME, .offset = AT(filter), .fallback = "none, where sampled",
     .help = "time constant; a continuous one needs it"},
    {"before", KEY_NUMBER, Q_ANY, .offset = AT(before), FALLBACK(0), .help = "input before the start"},
    BLOCK_CLOCK_KEYS(artDerivativeBlockDef, "time between two instants at which it computes"),
    {0}};
#undef AT
// clang-format on

//---- integrators ---------------------------------------------------------------------------------

static void check_integrator(const fieldCheck *c, void *from)
{
  const artIntegratorBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  block_check_limits(c, "limits", &def->limits);
}


static void make_integrator(const void *from, partContext *c)
{
  const artIntegratorBlockDef *def = from;
  const char *s = c->self, *h = BLOCK_NUMBER(c, &def->every);
  block_add_input(c, "input", def->input);
  block_require_inside(c, def->initial, &def->limits);
  block_require_limits(c, "limits", &def->limits, def->unit);
  if (!def->gain) block_require_unit(c, "input", def->input, def->unit, -1);
  const char *rate = BLOCK_TEXT(c, "(%s)*%s.input", def->gain ? def->gain : "1", s), *text = rate;
  if (def->every > 0) {
    text = block_clamped(c, &def->limits, BLOCK_TEXT(c, "%s + (%s)*%s", s, h, rate));
  } else if (def->limits.count) {
    text = block_stopped(c, s, def->limits.name, rate);
  }
  block_add_own_value(c, BLOCK_CLOCK(def), def->unit, def->initial, text,
                      def->limits.count ? "limits" : "input");
}

//---- derivatives ---------------------------------------------------------------------------------

static void check_derivative(const fieldCheck *c, void *from)
{
  const artDerivativeBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  if (!def->filter && !(def->every > 0)) {
    block_refuse(c, "filter", "a continuous derivative needs 'filter', its time constant");
  }
}


static void make_derivative(const void *from, partContext *c)
{
  const artDerivativeBlockDef *def = from;
  const char *s = c->self, *gain = def->gain ? def->gain : "1";
  const char *filter = def->filter ? def->filter : "0", *h = BLOCK_NUMBER(c, &def->every);
  block_add_input(c, "input", def->input);
  block_require(c, def->every > 0 ? PART_NOT_NEGATIVE : PART_POSITIVE, "filter", def->filter, "s");
  if (!def->gain) block_require_unit(c, "input", def->input, def->unit, 1);
  const char *text;
  if (def->every > 0) {
    block_add_previous(c, BLOCK_CLOCK(def), "last", def->before, BLOCK_TEXT(c, "%s.input", s));
    text = BLOCK_TEXT(c, "((%s)*%s + (%s)*(%s.input - %s.last))/((%s) + (%s))", filter, s, gain, s,
                      s, filter, h);
  } else {
    block_add_state(c, BLOCK_CLOCK(def), "filtered", def->before,
                    BLOCK_TEXT(c, "(%s.input - %s.filtered)/(%s)", s, s, filter));
    text = BLOCK_TEXT(c, "(%s)*(%s.input - %s.filtered)/(%s)", gain, s, s, filter);
  }
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0, text, "input");
}


BLOCK_KIND(integrator_block, "block", artIntegratorBlockDef, "integrator", integrator_keys,
           check_integrator, make_integrator, "The integral of a value by time.");
BLOCK_KIND(derivative_block, "block", artDerivativeBlockDef, "derivative", derivative_keys,
           check_derivative, make_derivative, "The rate of a value, filtered.");
