// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Lags of first and second order:
//
//   lag            T dy/dt + y = k u          sampled: y_k = a y_(k-1) + (1 - a) k u_k,  a = exp(-h/T)
//   second-order   y'' + 2 d w y' + w^2 y = k w^2 u
//                  sampled by Tustin's rule, s = q (z - 1)/(z + 1) with q = 2/h:
//                  m_k = u_k - (2 (w^2 - q^2) m_(k-1) + (q^2 - 2 d w q + w^2) m_(k-2))/(q^2 + 2 d w q + w^2),
//                  y_k = k w^2 (m_k + 2 m_(k-1) + m_(k-2))/(q^2 + 2 d w q + w^2)
#include "element/block_parts.h"

#define TWO_PI "6.28318530717958647693" // 2 pi; "tau" may be a parameter of the model

// clang-format off
#define AT(field) offsetof(artLagBlockDef, field)
static const fieldKey lag_keys[] = {
    BLOCK_UNIT_KEY(artLagBlockDef),
    BLOCK_INPUT_KEY(artLagBlockDef, "the value that it follows"),
    {"time", KEY_FORMULA, Q_TIME, .need = REQUIRED, .offset = AT(time), .help = "time constant"},
    {"gain", KEY_FORMULA, Q_ANY, .offset = AT(gain), .fallback = "1", .help = "value per input, at rest"},
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "value at the start"},
    BLOCK_CLOCK_KEYS(artLagBlockDef, "time between two instants at which it computes"),
    {0}};
#undef AT

#define AT(field) offsetof(artSecondOrderBlockDef, field)
static const fieldKey second_keys[] = {
    BLOCK_UNIT_KEY(artSecondOrderBlockDef),
    BLOCK_INPUT_KEY(artSecondOrderBlockDef, "the value that it follows"),
    {"frequency", KEY_FORMULA, Q_FREQUENCY, .need = REQUIRED, .offset = AT(frequency),
     .help = "natural frequency w/2π"},
    {"damping", KEY_FORMULA, Q_NUMBER, .need = REQUIRED, .offset = AT(damping), .help = "damping ratio d"},
    {"gain", KEY_FORMULA, Q_ANY, .offset = AT(gain), .fallback = "1", .help = "value per input, at rest"},
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "value at the start, at rest"},
    BLOCK_CLOCK_KEYS(artSecondOrderBlockDef, "time between two instants at which it computes"),
    {0}};
// clang-format on


static void check_lag(const fieldCheck *c, void *from)
{
  block_check_clock(c, BLOCK_CLOCK((const artLagBlockDef *) from));
}


static void make_lag(const void *from, partContext *c)
{
  const artLagBlockDef *def = from;
  const char *s = c->self, *gain = def->gain ? def->gain : "1", *h = BLOCK_NUMBER(c, &def->every);
  block_add_input(c, "input", def->input);
  block_require(c, PART_POSITIVE, "time", def->time, "s");
  if (!def->gain) block_require_unit(c, "input", def->input, def->unit, 0);
  const char *text = def->every > 0
                         ? BLOCK_TEXT(c, "(%s)*%s.input + exp(-(%s)/(%s))*(%s - (%s)*%s.input)",
                                      gain, s, h, def->time, s, gain, s)
                         : BLOCK_TEXT(c, "((%s)*%s.input - %s)/(%s)", gain, s, s, def->time);
  block_add_own_value(c, BLOCK_CLOCK(def), def->unit, def->initial, text, NULL);
}


static void check_second(const fieldCheck *c, void *from)
{
  const artSecondOrderBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
}


// Tustin's method; g: gain times input, y: output, both with their two previous values
static void add_sampled_second(const artSecondOrderBlockDef *def, partContext *c, const char *gain,
                               const char *w)
{
  const char *s = c->self;
  const char *g = BLOCK_TEXT(c, "(%s)*%s.input", gain, s), *h = BLOCK_NUMBER(c, &def->every);
  const char *q = BLOCK_TEXT(c, "(2/(%s))", h);
  const char *drag = BLOCK_TEXT(c, "2*(%s)*%s*%s", def->damping, w, q);
  block_add_previous(c, BLOCK_CLOCK(def), "g1", def->initial, g);
  block_add_previous(c, BLOCK_CLOCK(def), "g2", def->initial, BLOCK_TEXT(c, "%s.g1", s));
  block_add_previous(c, BLOCK_CLOCK(def), "y1", def->initial, s);
  block_add_previous(c, BLOCK_CLOCK(def), "y2", def->initial, BLOCK_TEXT(c, "%s.y1", s));
  block_add_value(c, BLOCK_CLOCK(def), def->unit, def->initial,
                  BLOCK_TEXT(c,
                             "(%s^2*(%s + 2*%s.g1 + %s.g2) - 2*(%s^2 - %s^2)*%s.y1 - "
                             "(%s^2 - %s + %s^2)*%s.y2)/(%s^2 + %s + %s^2)",
                             w, g, s, s, w, q, s, q, drag, w, s, q, drag, w),
                  "input");
}


static void make_second(const void *from, partContext *c)
{
  const artSecondOrderBlockDef *def = from;
  const char *s = c->self, *gain = def->gain ? def->gain : "1";
  const char *w = BLOCK_TEXT(c, "(" TWO_PI "*(%s))", def->frequency);
  block_add_input(c, "input", def->input);
  block_require(c, PART_POSITIVE, "frequency", def->frequency, "Hz");
  block_require(c, PART_NOT_NEGATIVE, "damping", def->damping, "1");
  if (!def->gain) block_require_unit(c, "input", def->input, def->unit, 0);
  if (def->every > 0) {
    add_sampled_second(def, c, gain, w);
    return;
  }
  block_add_own_value(c, BLOCK_CLOCK(def), def->unit, def->initial, BLOCK_TEXT(c, "%s.rate", s),
                      NULL);
  block_add_state(c, BLOCK_CLOCK(def), "rate", 0,
                  BLOCK_TEXT(c, "%s*(%s*((%s)*%s.input - %s) - 2*(%s)*%s.rate)", w, w, gain, s, s,
                             def->damping, s));
}


BLOCK_KIND(lag_block, "block", artLagBlockDef, "lag", lag_keys, check_lag, make_lag,
           "A lag of first order.");
BLOCK_KIND(second_order_block, "block", artSecondOrderBlockDef, "second-order", second_keys,
           check_second, make_second, "A lag of second order.");
