// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Gas in a cylinder between two points, which it pushes apart, with a valve to a supply and to the
// ambient:
//
//   V = V_0 + A (length - free_length),   p V = m R T,   tension = A (p_a - p)
//   dm/dt = w,   d(m c_v T)/dt = h (T_0 - T) + c_p T' w - p dV/dt,   T' of the gas that flows
//
// States are m/m_0 and z = (T/T_0) (V/V_0)^(k-1). Only flow and heat transfer change z, so a closed
// and insulated cylinder satisfies p = p_0 (V_0/V)^k exactly:
//
//   m c_v T z'/z = h (T_0 - T) + sum over valves of  w+ (c_p T_0 - c_v T) + w- R T
//
// A valve of area a has the mass flow, from pressure p1 to p2 = r p1 (isentropic nozzle, choked
// below the critical r),
//   w = a p1/sqrt(R T1) psi(r),   psi^2 = 2 k/(k-1) (r^(2/k) - r^((k+1)/k)),   linear in 1 - r
//   above r = 0.999.
#include <string.h>

#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artPneumaticCylinderDef, field)
static const fieldKey keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .to = offsetof(modelElement, frame), .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"free_length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(free_length), .range = RANGE_NOT_NEGATIVE,
     .help = "length at which `pressure` and `volume` are given"},
    {"pressure", KEY_NUMBER, Q_PRESSURE, .need = REQUIRED, .offset = AT(pressure), .range = RANGE_POSITIVE,
     .help = "p_0, absolute, of the gas at that length, with as much gas and heat as at the start"},
    {"area", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(area), .range = RANGE_POSITIVE,
     .help = "A, of the piston"},
    {"volume", KEY_NUMBER, Q_VOLUME, .need = REQUIRED, .offset = AT(volume), .range = RANGE_POSITIVE,
     .help = "V_0, at that length"},
    {"exponent", KEY_NUMBER, Q_NUMBER, .offset = AT(exponent), FALLBACK(1.4), .range = RANGE_POSITIVE,
     .help = "k: ratio of the heat capacities of the gas, more than 1"},
    {"gas", KEY_NUMBER, Q_GAS, .offset = AT(gas), FALLBACK(287.05), .range = RANGE_POSITIVE,
     .help = "R, of the gas"},
    {"ambient", KEY_NUMBER, Q_PRESSURE, .offset = AT(ambient), FALLBACK(101325), .range = RANGE_POSITIVE,
     .help = "p_a, absolute, on the other side of the piston and where the valve lets out"},
    {"temperature", KEY_NUMBER, Q_TEMPERATURE, .offset = AT(temperature), FALLBACK(293.15),
     .range = RANGE_POSITIVE, .help = "T_0, of the ambience, the supply, and the gas at `free_length`"},
    {"heat", KEY_NUMBER, Q_CONDUCTANCE, .offset = AT(heat), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "h: heat that passes the wall, per temperature difference"},
    {"supply", KEY_NUMBER, Q_PRESSURE, .offset = AT(supply), FALLBACK(101325), .range = RANGE_POSITIVE,
     .help = "pressure before the valve, absolute"},
    {"valve", KEY_NUMBER, Q_AREA, .offset = AT(valve), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "effective area of the open valve"},
    {"opening", KEY_FORMULA, .offset = AT(opening), .mark = "opening", .fallback = "0",
     .help = "share of that area, limited to -1 to 1: positive from the supply, negative to the ambience"},
    {0}};

static const char foreign[] = "pneumatic pneumatics gasspring airspring airbag pneumaticspring";
// clang-format on


static void pneumatic_check(const fieldCheck *c, void *from)
{
  const artPneumaticCylinderDef *def = from;
  const artPlace opening = field_place(c->where, "opening");
  const artPlace valve = field_place(c->where, "valve"); // place of the item if there is no valve
  const int has_valve = def->valve > 0 || memcmp(&valve, &c->where->place, sizeof valve) != 0;
  if (def->opening && def->opening[0] && !has_valve) {
    error_refuse(opening,
                 "'%s' has an opening and no valve that it could open; give 'valve', its area",
                 c->name);
    return;
  }
  if (def->exponent > 1) return;
  field_refuse(c, "exponent", "the exponent of '%s' is %g, expected more than 1", c->name,
               def->exponent);
}


// numbers of the definition as formulas
typedef struct gasTexts {
  const char *free_length, *pressure, *area, *volume, *ambient, *temperature, *heat, *supply,
      *valve;
  const char *k, *R;
  const char *less; // k - 1
  const char *c_v;
  const char *amount; // m_0
} gasTexts;


static gasTexts pneumatic_numbers(const artPneumaticCylinderDef *def, const elementContext *c)
{
  baseArena *a = c->arena;
#define NUMBER(field) part_number(&c->numbers, a, &def->field)
  gasTexts x = {NUMBER(free_length),
                NUMBER(pressure),
                NUMBER(area),
                NUMBER(volume),
                NUMBER(ambient),
                NUMBER(temperature),
                NUMBER(heat),
                NUMBER(supply),
                NUMBER(valve),
                NUMBER(exponent),
                NUMBER(gas),
                NULL,
                NULL,
                NULL};
#undef NUMBER
  x.less = arena_compose(a, "(%s - 1)", x.k);
  x.c_v = arena_compose(a, "(%s/(%s - 1))", x.R, x.k);
  x.amount = arena_compose(a, "(%s*%s/(%s*%s))", x.pressure, x.volume, x.R, x.temperature);
  return x;
}


// psi^2 of a pressure ratio
static const char *square_text(const gasTexts *x, baseArena *a, const char *r)
{
  return arena_compose(a, "2*%s/%s*((%s)^(2/%s) - (%s)^((%s + 1)/%s))", x->k, x->less, r, x->k, r,
                       x->k, x->k);
}


// psi for two pressures, the lower one first
static const char *nozzle_text(const gasTexts *x, baseArena *a, const char *low, const char *high)
{
  const char *straight = "0.999";
  const char *r =
      arena_compose(a, "max((2/(%s + 1))^(%s/%s), min(1, %s/%s))", x->k, x->k, x->less, low, high);
  const char *square = square_text(x, a, r), *last = square_text(x, a, straight);
  return arena_compose(a, "if(%s > %s, sqrt(%s)/(1 - %s)*(1 - %s), sqrt(max(0, %s)))", r, straight,
                       last, straight, r, square);
}


// flow into the cylinder from a reservoir at temperature T_0, through a fraction of the valve
static const char *pneumatic_flow_text(const gasTexts *x, baseArena *a, const char *n,
                                       const char *share, const char *reservoir)
{
  const char *own = arena_compose(a, "'/%s.pressure'", n);
  const char *in = nozzle_text(x, a, own, reservoir), *out = nozzle_text(x, a, reservoir, own);
  return arena_compose(a, "%s*%s*if(%s < %s, %s/sqrt(%s*%s)*%s, -%s/sqrt(%s*'/%s.temperature')*%s)",
                       x->valve, share, own, reservoir, reservoir, x->R, x->temperature, in, own,
                       x->R, n, out);
}


// w+ (c_p T_0 - c_v T) + w- R T of a flow w into the cylinder
static const char *heat_text(const gasTexts *x, baseArena *a, const char *n, const char *flow)
{
  return arena_compose(
      a, "max(%s, 0)*(%s*%s*%s - %s*'/%s.temperature') + min(%s, 0)*%s*'/%s.temperature'", flow,
      x->k, x->c_v, x->temperature, x->c_v, n, flow, x->R, n);
}


static void add_flows(const artPneumaticCylinderDef *def, const gasTexts *x, const char *n,
                      partContext *p)
{
  baseArena *a = p->arena;
  const char *opening = def->opening && def->opening[0] ? def->opening : "0";
  part_add_signal(p, "opening", NULL, arena_compose(a, "max(-1, min(1, %s))", opening));
  const char *in = arena_compose(a, "max('/%s.opening', 0)", n);
  const char *out = arena_compose(a, "max(-'/%s.opening', 0)", n);
  part_add_signal(p, "flow_in", "kg/s", pneumatic_flow_text(x, a, n, in, x->supply));
  part_add_signal(p, "flow_out", "kg/s",
                  arena_compose(a, "-(%s)", pneumatic_flow_text(x, a, n, out, x->ambient)));
}


static void pneumatic_declare(const modelElement *e, const void *from, const elementContext *c,
                              partContext *p)
{
  const artPneumaticCylinderDef *def = from;
  const char *n = e->name;
  baseArena *a = c->arena;
  const gasTexts x = pneumatic_numbers(def, c);
  part_add_signal(
      p, "volume", "m^3",
      arena_compose(a, "%s + %s*('/%s.length' - %s)", x.volume, x.area, n, x.free_length));
  part_add_signal(p, "temperature", "K",
                  arena_compose(a, "%s*'/%s.warmth'*(%s/'/%s.volume')^%s", x.temperature, n,
                                x.volume, n, x.less));
  part_add_signal(p, "pressure", "Pa",
                  arena_compose(a, "%s*'/%s.amount'*'/%s.warmth'*(%s/'/%s.volume')^%s", x.pressure,
                                n, n, x.volume, n, x.k));
  add_flows(def, &x, n, p);
  const char *in = heat_text(&x, a, n, arena_compose(a, "'/%s.flow_in'", n));
  const char *out = heat_text(&x, a, n, arena_compose(a, "-'/%s.flow_out'", n));
  part_add_signal(p, "mass", "kg", arena_compose(a, "%s*'/%s.amount'", x.amount, n));
  part_add_state(p, "amount", NULL, 1,
                 arena_compose(a, "('/%s.flow_in' - '/%s.flow_out')/%s", n, n, x.amount));
  part_add_state(p, "warmth", NULL, 1,
                 arena_compose(a,
                               "'/%s.warmth'*(%s*(%s - '/%s.temperature') + %s + "
                               "%s)/(%s*'/%s.mass'*'/%s.temperature')",
                               n, x.heat, x.temperature, n, in, out, x.c_v, n, n));
}


static void pneumatic_compile(modelElement *e, const void *from, const elementContext *c)
{
  const gasTexts x = pneumatic_numbers(from, c);
  e->text[0] = arena_compose(c->arena, "%s*(%s - '/%s.pressure')", x.area, x.ambient, e->name);
}


const elementKind element_pneumatic_cylinder = {
    ELEMENT_KIND(pneumatic_cylinder, artPneumaticCylinderDef, "pneumatic-cylinder", keys, foreign,
                 "Gas behind a piston between two points, with a valve."),
    .check = pneumatic_check,
    .declare = pneumatic_declare,
    .compile = pneumatic_compile,
    .glyph = ART_GLYPH_LINK,
    .arrow = ARROW_LINE,
    .outputs = element_line_outputs};
