// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Gas behind a piston between two points, which pushes them apart, with a valve to a supply and to the ambience:
//
//   V = V_0 + A (length - free_length),   p V = m R T,   tension = A (p_a - p)
//   dm/dt = w,   d(m c_v T)/dt = h (T_0 - T) + c_p T' w - p dV/dt,   T' of the gas that flows
//
// States are m/m_0 and z = (T/T_0) (V/V_0)^(k-1), which changes by flow and heat alone, so that a closed and insulated
// cylinder keeps p = p_0 (V_0/V)^k exactly:
//
//   m c_v T z'/z = h (T_0 - T) + sum over valves of  w+ (c_p T_0 - c_v T) + w- R T
//
// A valve of the area a passes, from pressure p1 to p2 = r p1 (isentropic nozzle, choked below the critical r),
//   w = a p1/sqrt(R T1) psi(r),   psi^2 = 2 k/(k-1) (r^(2/k) - r^((k+1)/k)),   straight in 1 - r above r = 0.999.
#include <math.h>
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
     .help = "p_a, absolute, behind the piston and where the valve lets out"},
    {"temperature", KEY_NUMBER, Q_TEMPERATURE, .offset = AT(temperature), FALLBACK(293.15),
     .range = RANGE_POSITIVE, .help = "T_0, of the ambience, the supply, and the gas at `free_length`"},
    {"heat", KEY_NUMBER, Q_CONDUCTANCE, .offset = AT(heat), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "h: heat that passes the wall, per temperature difference"},
    {"supply", KEY_NUMBER, Q_PRESSURE, .offset = AT(supply), FALLBACK(101325), .range = RANGE_POSITIVE,
     .help = "pressure before the valve, absolute"},
    {"valve", KEY_NUMBER, Q_AREA, .offset = AT(valve), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "effective area of the open valve"},
    {"opening", KEY_FORMULA, .offset = AT(opening), .mark = "opening", .fallback = "0",
     .help = "share of that area, from -1 to 1, beyond which it counts as these: positive from the supply, negative to the ambience"},
    {0}};

static const char foreign[] = "pneumatic pneumatics gasspring airspring airbag pneumaticspring";
// clang-format on


static void check(const fieldCheck *c, void *from)
{
  const artPneumaticCylinderDef *def = from;
  const artPlace opening = field_place(c->where, "opening");
  const artPlace valve = field_place(c->where, "valve"); // that of the item where there is none
  const int has_valve = def->valve > 0 || memcmp(&valve, &c->where->place, sizeof valve) != 0;
  if (c->error->status) return;
  if (def->opening && def->opening[0] && !has_valve) {
    base_fail(c->error, ART_BAD_INPUT, opening,
              "'%s' has an opening and no valve that it could open; give 'valve', its area",
              c->name);
    return;
  }
  if (def->exponent > 1) return;
  base_fail(c->error, ART_BAD_INPUT, field_place(c->where, "exponent"),
            "the exponent of '%s' is %g, expected more than 1", c->name, def->exponent);
}


static double nozzle(double k, double r)
{
  return sqrt(2 * k / (k - 1) * (pow(r, 2 / k) - pow(r, (k + 1) / k)));
}


// psi of the ratio of two pressures, the lower one first
static const char *nozzle_text(const artPneumaticCylinderDef *def, baseArena *a, const char *low,
                               const char *high)
{
  const double k = def->exponent, critical = pow(2 / (k + 1), k / (k - 1)), straight = 0.999;
  const char *r = arena_format(a, "max(%-24.17g, min(1, %s/%s))", critical, low, high);
  if (!r) return NULL;
  return arena_format(
      a, "if(%s > %g, %-24.17g*(1 - %s), sqrt(max(0, %-24.17g*((%s)^%-24.17g - (%s)^%-24.17g))))",
      r, straight, nozzle(k, straight) / (1 - straight), r, 2 * k / (k - 1), r, 2 / k, r,
      (k + 1) / k);
}


// flow into the cylinder from a reservoir of the temperature T_0 through a share of the valve
static const char *flow_text(const artPneumaticCylinderDef *def, baseArena *a, const char *n,
                             const char *share, double reservoir)
{
  const char *own = arena_format(a, "'/%s.pressure'", n),
             *other = arena_format(a, "%-24.17g", reservoir);
  const char *in = own && other ? nozzle_text(def, a, own, other) : NULL;
  const char *out = own && other ? nozzle_text(def, a, other, own) : NULL;
  if (!in || !out) return NULL;
  return arena_format(
      a, "%-24.17g*%s*if(%s < %-24.17g, %-24.17g*%s, -%s/sqrt(%-24.17g*'/%s.temperature')*%s)",
      def->valve, share, own, reservoir, reservoir / sqrt(def->gas * def->temperature), in, own,
      def->gas, n, out);
}


// w+ (c_p T_0 - c_v T) + w- R T of a flow w into the cylinder
static const char *heat_text(const artPneumaticCylinderDef *def, baseArena *a, const char *n,
                             const char *flow)
{
  const double R = def->gas, k = def->exponent;
  if (!flow) return NULL;
  return arena_format(a,
                      "max(%s, 0)*(%-24.17g - %-24.17g*'/%s.temperature') + min(%s, "
                      "0)*%-24.17g*'/%s.temperature'",
                      flow, k * R / (k - 1) * def->temperature, R / (k - 1), n, flow, R, n);
}


static artStatus add_flows(const artPneumaticCylinderDef *def, const char *n, partContext *p)
{
  baseArena *a = p->arena;
  const char *opening = def->opening && def->opening[0] ? def->opening : "0";
  artStatus status =
      part_add_signal(p, "opening", NULL, arena_format(a, "max(-1, min(1, %s))", opening));
  const char *in = arena_format(a, "max('/%s.opening', 0)", n);
  const char *out = arena_format(a, "max(-'/%s.opening', 0)", n);
  if (!in || !out) return base_no_memory(p->error);
  if (!status) {
    status = part_add_signal(p, "flow_in", "kg/s", flow_text(def, a, n, in, def->supply));
  }
  const char *back = flow_text(def, a, n, out, def->ambient);
  if (!back) return base_no_memory(p->error);
  return status ? status : part_add_signal(p, "flow_out", "kg/s", arena_format(a, "-(%s)", back));
}


static artStatus declare(const modelElement *e, const void *from, const elementContext *c,
                         partContext *p)
{
  const artPneumaticCylinderDef *def = from;
  const char *n = e->name;
  baseArena *a = c->arena;
  const double m0 = def->pressure * def->volume / (def->gas * def->temperature), k = def->exponent;
  const char *volume = arena_format(a, "%-24.17g + %-24.17g*('/%s.length' - %-24.17g)", def->volume,
                                    def->area, n, def->free_length);
  artStatus status = part_add_signal(p, "volume", "m^3", volume);
  if (!status) {
    status =
        part_add_signal(p, "temperature", "K",
                        arena_format(a, "%-24.17g*'/%s.warmth'*(%-24.17g/'/%s.volume')^%-24.17g",
                                     def->temperature, n, def->volume, n, k - 1));
  }
  if (!status) {
    status = part_add_signal(
        p, "pressure", "Pa",
        arena_format(a, "%-24.17g*'/%s.amount'*'/%s.warmth'*(%-24.17g/'/%s.volume')^%-24.17g",
                     def->pressure, n, n, def->volume, n, k));
  }
  if (!status) status = add_flows(def, n, p);
  const char *in = heat_text(def, a, n, arena_format(a, "'/%s.flow_in'", n));
  const char *out = heat_text(def, a, n, arena_format(a, "-'/%s.flow_out'", n));
  if (!in || !out) return base_no_memory(c->error);
  if (!status) {
    status = part_add_signal(p, "mass", "kg", arena_format(a, "%-24.17g*'/%s.amount'", m0, n));
  }
  if (!status) {
    status = part_add_state(p, "amount", NULL, 1,
                            arena_format(a, "('/%s.flow_in' - '/%s.flow_out')/%-24.17g", n, n, m0));
  }
  if (!status) {
    status = part_add_state(
        p, "warmth", NULL, 1,
        arena_format(a,
                     "'/%s.warmth'*(%-24.17g*(%-24.17g - '/%s.temperature') + %s + "
                     "%s)/(%-24.17g*'/%s.mass'*'/%s.temperature')",
                     n, def->heat, def->temperature, n, in, out, def->gas / (k - 1), n, n));
  }
  return status;
}


static artStatus compile(modelElement *e, const void *from, const elementContext *c)
{
  const artPneumaticCylinderDef *def = from;
  e->text[0] = arena_format(c->arena, "%-24.17g*(%-24.17g - '/%s.pressure')", def->area,
                            def->ambient, e->name);
  return e->text[0] ? ART_OK : base_no_memory(c->error);
}


const elementKind element_pneumatic_cylinder = {
    ELEMENT_KIND(pneumatic_cylinder, artPneumaticCylinderDef, "pneumatic-cylinder", keys, foreign,
                 "Gas behind a piston between two points, with a valve."),
    .check = check,
    .declare = declare,
    .compile = compile,
    .glyph = ART_GLYPH_LINK,
    .arrow = ARROW_LINE,
    .outputs = element_line_outputs};
