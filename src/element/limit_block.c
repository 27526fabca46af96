// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Nonlinear blocks: saturation, dead band, relay, rate limiter, table.
//
//   saturation     y = clamp(u, limits)
//   dead-band      y = u - clamp(u, borders)
//   relay          y = second value after u rises above the upper border, first value after u falls
//                  below the lower border
//   rate-limiter   dy/dt = clamp((u - y)/T, -falling, rising); sampled:
//                  y_k = y_(k-1) + clamp(u_k - y_(k-1), -h falling, h rising), which is exact
//   table          y = curve(u), or curve(u, u2)
#include "element/block_parts.h"

// clang-format off
#define CLOCK(T) BLOCK_CLOCK_KEYS(T, "time between two instants at which it computes")

#define AT(field) offsetof(artBandBlockDef, field)
static const fieldKey saturation_keys[] = {
    BLOCK_UNIT_KEY(artBandBlockDef),
    BLOCK_INPUT_KEY(artBandBlockDef, "the value that is limited"),
    {"limits", KEY_SOME_FORMULAS, Q_OWN, .may_be_infinite = true, .need = REQUIRED, .offset = AT(limits), .help = "least and largest value; `inf`, `-inf`: none"},
    CLOCK(artBandBlockDef), {0}};
static const fieldKey dead_band_keys[] = {
    BLOCK_UNIT_KEY(artBandBlockDef),
    BLOCK_INPUT_KEY(artBandBlockDef, "the value that has no effect between the borders"),
    {"band", KEY_SOME_FORMULAS, Q_OWN, .may_be_infinite = true, .need = REQUIRED, .offset = AT(limits), .mark = "limits", .help = "lower and upper border; `inf`, `-inf`: none"},
    CLOCK(artBandBlockDef), {0}};
#undef AT

#define AT(field) offsetof(artRelayBlockDef, field)
static const fieldKey relay_keys[] = {
    BLOCK_UNIT_KEY(artRelayBlockDef),
    BLOCK_INPUT_KEY(artRelayBlockDef, "the value that switches"),
    {"band", KEY_SOME_FORMULAS, Q_ANY, .need = REQUIRED, .offset = AT(band), .help = "border where it goes off, and where it goes on"},
    {"values", KEY_SOME_FORMULAS, Q_OWN, .offset = AT(values), .fallback = "[0, 1]", .help = "its value off and on"},
    {"on", KEY_FLAG, .offset = AT(on), .fallback = "false", .help = "sampled: whether it is on before the first instant"},
    CLOCK(artRelayBlockDef), {0}};
#undef AT

#define AT(field) offsetof(artRateLimiterBlockDef, field)
static const fieldKey rate_keys[] = {
    BLOCK_UNIT_KEY(artRateLimiterBlockDef),
    BLOCK_INPUT_KEY(artRateLimiterBlockDef, "the value that it follows"),
    {"rising", KEY_FORMULA, Q_OWN_RATE, .need = REQUIRED, .offset = AT(rising), .help = "largest rate upwards, positive"},
    {"falling", KEY_FORMULA, Q_OWN_RATE, .offset = AT(falling), .fallback = "that of `rising`", .help = "largest rate downwards, positive"},
    {"time", KEY_FORMULA, Q_TIME, .offset = AT(time), .fallback = "none: give `every`",
     .help = "time constant by which a continuous one comes to rest at its input"},
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "value at the start"},
    CLOCK(artRateLimiterBlockDef), {0}};
#undef AT

#define AT(field) offsetof(artTableBlockDef, field)
static const fieldKey table_keys[] = {
    BLOCK_UNIT_KEY(artTableBlockDef),
    BLOCK_INPUT_KEY(artTableBlockDef, "its argument"),
    {"second", KEY_FORMULA, Q_ANY, .offset = AT(second), .fallback = "none", .help = "its second argument, of a table of two dimensions"},
    {"curve", KEY_TEXT, .need = REQUIRED, .offset = AT(curve), .help = "a curve of the section `curves`"},
    CLOCK(artTableBlockDef), {0}};
#undef AT
// clang-format on

//---- limits --------------------------------------------------------------------------------------

static void check_band(const fieldCheck *c, void *from)
{
  const artBandBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  block_check_limits(c, "limits", &def->limits);
  if (def->limits.count == 0) block_refuse(c, "limits", "expected two values");
}


// add the input, and require limits with the same unit
static void add_band(const artBandBlockDef *def, partContext *c)
{
  block_add_input(c, "input", def->input);
  block_require_unit(c, "input", def->input, def->unit, 0);
  block_require_limits(c, "limits", &def->limits, def->unit);
}


static void make_saturation(const void *from, partContext *c)
{
  const artBandBlockDef *def = from;
  add_band(def, c);
  const char *text = block_clamped(c, &def->limits, BLOCK_TEXT(c, "%s.input", c->self));
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0, text, "limits");
}


static void make_dead_band(const void *from, partContext *c)
{
  const artBandBlockDef *def = from;
  add_band(def, c);
  const char *inside = block_clamped(c, &def->limits, BLOCK_TEXT(c, "%s.input", c->self));
  const char *text = BLOCK_TEXT(c, "%s.input - %s", c->self, inside);
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0, text, "limits");
}

//---- relays --------------------------------------------------------------------------------------

static void check_relay(const fieldCheck *c, void *from)
{
  const artRelayBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  block_check_limits(c, "band", &def->band);
  block_check_limits(c, "values", &def->values);
  if (def->band.count == 0) block_refuse(c, "band", "expected two borders");
  if (def->on && !(def->every > 0)) {
    block_refuse(c, "on", "a continuous relay begins by its input, and off between its borders");
  }
}


static void make_relay(const void *from, partContext *c)
{
  const artRelayBlockDef *def = from;
  const char *s = c->self, *low = def->band.name[0], *high = def->band.name[1];
  const char *off = def->values.count ? def->values.name[0] : "0";
  const char *on = def->values.count ? def->values.name[1] : "1";
  block_add_input(c, "input", def->input);
  block_require_limits(c, "band", &def->band, NULL);
  for (int i = 0; i < def->values.count; i++) {
    block_require_unit(c, "values", def->values.name[i], def->unit, 0);
  }
  if (def->every > 0) {
    // positive above the upper border, negative below the lower one
    const char *beyond = BLOCK_TEXT(c, "(%s.input - clamp(%s.input, %s, %s))", s, s, low, high);
    block_add_state(c, BLOCK_CLOCK(def), "side", def->on,
                    BLOCK_TEXT(c, "if(%s > 0, 1, if(%s < 0, 0, %s.side))", beyond, beyond, s));
  } else {
    part_add(c, &(elementPart){.type = PART_SIGNAL,
                               .tail = "side",
                               .text = BLOCK_TEXT(c, "hysteresis(%s.input, %s, %s)", s, low, high),
                               .mark = "band"});
  }
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0,
                  BLOCK_TEXT(c, "(%s) + ((%s) - (%s))*%s.side", off, on, off, s), "values");
}

//---- rates ---------------------------------------------------------------------------------------

static void check_rate(const fieldCheck *c, void *from)
{
  const artRateLimiterBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  if (def->every > 0 && def->time) {
    block_refuse(c, "time", "a sampled limiter is exact and has no time constant");
  } else if (!(def->every > 0) && !def->time) {
    block_refuse(c, "time",
                 "a continuous limiter needs 'time', by which it comes to rest at "
                 "its input; or give 'every'");
  }
}


static void require_rate(partContext *c, const char *key, const char *text, const char *unit)
{
  const partRule rule = {
      .need = PART_POSITIVE, .key = key, .text = text, .unit = unit, .seconds = -1};
  part_require(c, &rule);
}


static void make_rate(const void *from, partContext *c)
{
  const artRateLimiterBlockDef *def = from;
  const char *s = c->self, *rising = def->rising;
  const char *falling = def->falling ? def->falling : rising;
  const char *h = BLOCK_NUMBER(c, &def->every);
  block_add_input(c, "input", def->input);
  require_rate(c, "rising", def->rising, def->unit);
  require_rate(c, "falling", def->falling, def->unit);
  block_require_unit(c, "input", def->input, def->unit, 0);
  block_require(c, PART_POSITIVE, "time", def->time, "s");
  const char *text = def->every > 0
                         ? BLOCK_TEXT(c, "%s + clamp(%s.input - %s, -(%s)*(%s), (%s)*(%s))", s, s,
                                      s, h, falling, h, rising)
                         : BLOCK_TEXT(c, "clamp((%s.input - %s)/(%s), -(%s), %s)", s, s, def->time,
                                      falling, rising);
  block_add_own_value(c, BLOCK_CLOCK(def), def->unit, def->initial, text, "rising");
}

//---- tables --------------------------------------------------------------------------------------

static void check_table(const fieldCheck *c, void *from)
{
  const artTableBlockDef *def = from;
  block_check_clock(c, BLOCK_CLOCK(def));
  if (!def->curve || !def->curve[0]) block_refuse(c, "curve", "expected the name of a curve");
}


static void make_table_block(const void *from, partContext *c)
{
  const artTableBlockDef *def = from;
  const char *s = c->self;
  block_add_input(c, "input", def->input);
  if (def->second) block_add_input(c, "second", def->second);
  const char *text = def->second ? BLOCK_TEXT(c, "'%s'(%s.input, %s.second)", def->curve, s, s)
                                 : BLOCK_TEXT(c, "'%s'(%s.input)", def->curve, s);
  block_add_value(c, BLOCK_CLOCK(def), def->unit, 0, text, "curve");
}


BLOCK_KIND(saturation_block, "block", artBandBlockDef, "saturation", saturation_keys, check_band,
           make_saturation, "A value between limits.");
BLOCK_KIND(dead_band_block, "block", artBandBlockDef, "dead-band", dead_band_keys, check_band,
           make_dead_band, "Nothing between two borders, beyond them the distance.");
BLOCK_KIND(relay_block, "block", artRelayBlockDef, "relay", relay_keys, check_relay, make_relay,
           "A switch with hysteresis.");
BLOCK_KIND(rate_limiter_block, "block", artRateLimiterBlockDef, "rate-limiter", rate_keys,
           check_rate, make_rate, "A value that follows no faster than it may.");
BLOCK_KIND(table_block, "block", artTableBlockDef, "table", table_keys, check_table,
           make_table_block, "A curve of a value, or of two.");
