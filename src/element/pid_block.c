// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A controller with proportional, integral and derivative part:
//
//   v = kp e + I + D,   dI/dt = ki e,   Tf dD/dt + D = kd dx/dt,   x = e, or -measured
//   u = v between the limits
//
// Anti-windup: I stays within the limits, or is tracked, dI/dt = ki e + (u - v)/Tt. Sampled, with h
// = every:
//
//   I_k = I_(k-1) + h ki e_k  (+ h/Tt (u_(k-1) - v_(k-1))),   D_k = (Tf D_(k-1) + kd (x_k -
//   x_(k-1)))/(Tf + h)
#include "element/block_parts.h"

// clang-format off
#define AT(field) offsetof(artPidBlockDef, field)
static const fieldKey keys[] = {
    BLOCK_UNIT_KEY(artPidBlockDef),
    BLOCK_INPUT_KEY(artPidBlockDef, "the error, which the controller brings to zero"),
    {"measured", KEY_FORMULA, Q_ANY, .offset = AT(measured), .fallback = "the derivative is that of `input`",
     .help = "the derivative is that of this value with the opposite sign, so that a jump of the target does not kick"},
    {"kp", KEY_FORMULA, Q_ANY, .offset = AT(kp), .fallback = "0", .help = "proportional gain"},
    {"ki", KEY_FORMULA, Q_ANY, .offset = AT(ki), .fallback = "0", .help = "integral gain, per second"},
    {"kd", KEY_FORMULA, Q_ANY, .offset = AT(kd), .fallback = "0", .help = "derivative gain, times seconds"},
    {"filter", KEY_FORMULA, Q_TIME, .offset = AT(filter), .fallback = "none, where sampled",
     .help = "time constant of the derivative; a continuous one needs it"},
    {"limits", KEY_SOME_FORMULAS, Q_OWN, .may_be_infinite = true, .offset = AT(limits), .fallback = "none", .help = "least and largest value; `inf`, `-inf`: none"},
    {"tracking", KEY_FORMULA, Q_TIME, .offset = AT(tracking), .fallback = "the integral stays between the limits",
     .help = "time constant by which the integral follows a value that is limited"},
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "integral at the start"},
    {"before", KEY_NUMBER, Q_ANY, .offset = AT(before), FALLBACK(0), .help = "value before the start, for the derivative"},
    BLOCK_CLOCK_KEYS(artPidBlockDef, "time between two instants at which it computes"),
    {0}};
// clang-format on


static void pid_block_check(const fieldCheck *c, void *from)
{
  const artPidBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  block_check_limits(c, "limits", &def->limits);
  if (!def->kp && !def->ki && !def->kd) block_refuse(c, "kp", "give kp, ki or kd");
  if (def->kd && !def->filter && !(def->every > 0)) {
    block_refuse(c, "kd", "a continuous derivative needs 'filter', its time constant");
  }
  if (!def->ki && def->initial != 0) block_refuse(c, "initial", "an integral belongs to 'ki'");
  if (!def->kd && def->before != 0) {
    block_refuse(c, "before", "only the derivative reads 'before'; give 'kd'");
  }
  if (!def->kd && def->filter) block_refuse(c, "filter", "a filter belongs to 'kd'");
  if (!def->kd && def->measured) {
    block_refuse(c, "measured", "only the derivative reads 'measured'; give 'kd'");
  }
  if (def->tracking && (!def->ki || def->limits.count == 0)) {
    block_refuse(c, "tracking", "tracking belongs to 'ki' and 'limits'");
  }
}


static void add_integral(const artPidBlockDef *def, partContext *c)
{
  const char *s = c->self;
  const int is_sampled = def->every > 0, is_limited = def->limits.count == 2;
  const char *rate = BLOCK_TEXT(c, "(%s)*%s.input", def->ki, s), *text = rate;
  const char *h = BLOCK_NUMBER(c, &def->every);
  if (def->tracking && is_sampled) {
    rate = BLOCK_TEXT(c, "(%s - %s.over/(%s))", rate, s, def->tracking);
  } else if (def->tracking) {
    text = BLOCK_TEXT(c, "%s - %s.over/(%s)", rate, s, def->tracking);
  } else if (is_limited && !is_sampled) {
    text = block_stopped(c, BLOCK_TEXT(c, "%s.integral", s), def->limits.name, rate);
  }
  if (is_sampled) {
    text = BLOCK_TEXT(c, "%s.integral + (%s)*%s", s, h, rate);
    if (!def->tracking) text = block_clamped(c, &def->limits, text);
  }
  part_add(c, &(elementPart){.type = is_sampled ? PART_HELD : PART_STATE,
                             .tail = "integral",
                             .initial = def->initial,
                             .text = text,
                             .mark = is_limited ? "limits" : "ki",
                             .every = def->every,
                             .offset = def->offset});
}


static void add_derivative(const artPidBlockDef *def, partContext *c)
{
  const char *s = c->self;
  const char *of = BLOCK_TEXT(c, def->measured ? "(-%s.measured)" : "%s.input", s);
  const double before = def->measured ? -def->before : def->before;
  if (!(def->every > 0)) {
    const char *text = BLOCK_TEXT(c, "(%s - %s.filtered)/(%s)", of, s, def->filter);
    block_add_state(c, BLOCK_CLOCK(def), "filtered", before, text);
    part_add(c, &(elementPart){.type = PART_SIGNAL,
                               .tail = "derivative",
                               .text = BLOCK_TEXT(c, "(%s)*(%s - %s.filtered)/(%s)", def->kd, of, s,
                                                  def->filter)});
    return;
  }
  const char *filter = def->filter ? def->filter : "0", *h = BLOCK_NUMBER(c, &def->every);
  block_add_previous(c, BLOCK_CLOCK(def), "last", before, of);
  block_add_state(c, BLOCK_CLOCK(def), "derivative", 0,
                  BLOCK_TEXT(c, "((%s)*%s.derivative + (%s)*(%s - %s.last))/((%s) + (%s))", filter,
                             s, def->kd, of, s, filter, h));
}


static void pid_block_make(const void *from, partContext *c)
{
  const artPidBlockDef *def = from;
  const char *s = c->self;
  const char *sum = BLOCK_TEXT(c, "(%s)*%s.input", def->kp ? def->kp : "0", s);
  if (def->ki) sum = BLOCK_TEXT(c, "%s + %s.integral", sum, s);
  if (def->kd) sum = BLOCK_TEXT(c, "%s + %s.derivative", sum, s);
  block_add_input(c, "input", def->input);
  block_require(c, def->every > 0 ? PART_NOT_NEGATIVE : PART_POSITIVE, "filter", def->filter, "s");
  block_require(c, PART_POSITIVE, "tracking", def->tracking, "s");
  block_require_limits(c, "limits", &def->limits, def->unit);
  if (def->ki && !def->tracking) block_require_inside(c, def->initial, &def->limits);
  if (def->measured) block_add_input(c, "measured", def->measured);
  if (def->ki) add_integral(def, c);
  if (def->kd) add_derivative(def, c);

  // excess of the sum over the limits; for sampled blocks that of the previous instant
  const char *over = BLOCK_TEXT(c, "%s - %s", sum, s);
  if (def->tracking && def->every > 0) {
    block_add_previous(c, BLOCK_CLOCK(def), "over", 0, over);
  } else if (def->tracking) {
    part_add(c, &(elementPart){.type = PART_SIGNAL, .tail = "over", .text = over});
  }
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0, block_clamped(c, &def->limits, sum),
                  def->limits.count ? "limits" : "input");
}


BLOCK_KIND(
    pid_block, "block", artPidBlockDef, "pid", keys, pid_block_check, pid_block_make,
    "A controller with proportional, integral and derivative part, limited, without windup.");
