// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A hydraulic cylinder between two points, with a 4/3 valve. Side a pushes the points apart, side b
// pulls them together. With s the length minus the shortest length, and o the opening of the valve:
//
//   V_a = D_a + A_a s,   V_b = D_b + A_b (S - s)
//   dp_a/dt = B/V_a (q_a - A_a s' - l (p_a - p_b)),   dp_b/dt = B/V_b (q_b + A_b s' + l (p_a - p_b))
//   q_a =  c (o+ f(p_s - p_a) + o- f(p_a - p_t)),     q_b = -c (o+ f(p_b - p_t) + o- f(p_s - p_b))
//
// with o+ = max(o, 0), o- = min(o, 0), c = Q/sqrt(P) for the rated flow Q at the pressure drop P
// over one edge, and the regularised square root f(d) = d/(d^2 + e^2)^(1/4), which is linear near d
// = 0. States are pressures relative to the supply pressure.
#include <math.h>

#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artHydraulicCylinderDef, field)
static const fieldKey keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .to = offsetof(modelElement, frame), .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"shortest", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(shortest), .range = RANGE_NOT_NEGATIVE,
     .help = "length between the points with the piston at its inner end"},
    {"stroke", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stroke), .range = RANGE_POSITIVE,
     .help = "S, of the piston"},
    {"area_a", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(area_a), .range = RANGE_POSITIVE,
     .help = "A_a, of the piston"},
    {"area_b", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(area_b), .range = RANGE_POSITIVE,
     .help = "A_b, of the ring on the side of the rod"},
    {"dead_a", KEY_NUMBER, Q_VOLUME, .need = REQUIRED, .offset = AT(dead_a), .range = RANGE_POSITIVE,
     .help = "D_a: volume of side a, lines included, with the piston at its inner end"},
    {"dead_b", KEY_NUMBER, Q_VOLUME, .need = REQUIRED, .offset = AT(dead_b), .range = RANGE_POSITIVE,
     .help = "D_b: of side b, with the piston at its outer end"},
    {"bulk", KEY_NUMBER, Q_PRESSURE, .offset = AT(bulk), FALLBACK(1.4e9), .range = RANGE_POSITIVE,
     .help = "B, of the oil"},
    {"flow", KEY_NUMBER, Q_FLOW, .need = REQUIRED, .offset = AT(flow), .range = RANGE_POSITIVE,
     .help = "Q: rated flow of the open valve"},
    {"drop", KEY_NUMBER, Q_PRESSURE, .need = REQUIRED, .offset = AT(drop), .range = RANGE_POSITIVE,
     .help = "P: pressure drop over one edge at that flow"},
    {"opening", KEY_FORMULA, .need = REQUIRED, .offset = AT(opening), .mark = "opening",
     .help = "o, of the valve, limited to -1 to 1: positive extends"},
    {"supply", KEY_NUMBER, Q_PRESSURE, .need = REQUIRED, .offset = AT(supply), .range = RANGE_POSITIVE,
     .help = "p_s"},
    {"tank", KEY_NUMBER, Q_PRESSURE, .offset = AT(tank), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "p_t"},
    {"leakage", KEY_NUMBER, Q_LEAKAGE, .offset = AT(leakage), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "l: flow past the piston per pressure difference"},
    {"transition", KEY_NUMBER, Q_PRESSURE, .offset = AT(transition), FALLBACK(1e4), .range = RANGE_POSITIVE,
     .help = "e: pressure drop below which the flow of the valve is proportional to it"},
    {"pressure_a", KEY_NUMBER, Q_PRESSURE, .offset = AT(pressure_a), .value = ART_UNSET,
     .range = RANGE_CHECKED, .fallback = "`tank`", .help = "at the start, side a"},
    {"pressure_b", KEY_NUMBER, Q_PRESSURE, .offset = AT(pressure_b), .value = ART_UNSET,
     .range = RANGE_CHECKED, .fallback = "`tank`", .help = "at the start, side b"},
    {0}};

static const char foreign[] = "hydraulic hydraulics hydrauliccylinder actuator ram";
// clang-format on


static void hydraulic_check(const fieldCheck *c, void *from)
{
  artHydraulicCylinderDef *def = from;
  if (def->pressure_a == ART_UNSET) def->pressure_a = def->tank;
  if (def->pressure_b == ART_UNSET) def->pressure_b = def->tank;
  field_check_positive(c, "pressure_a", def->pressure_a, 1);
  field_check_positive(c, "pressure_b", def->pressure_b, 1);
  if (def->supply <= def->tank) {
    field_refuse(c, "supply",
                 "the supply of '%s' has %g Pa, expected more than the %g Pa of its tank", c->name,
                 def->supply, def->tank);
  } else if (!def->opening || !def->opening[0]) {
    field_refuse(c, "opening", "'opening' is missing");
  }
}


// numbers of the definition as formulas
typedef struct cylinderTexts {
  const char *area_a, *area_b, *dead_a, *dead_b, *shortest, *stroke, *supply, *tank, *leakage,
      *transition;
  const char *valve; // flow per square root of pressure
  const char *bulk;  // relative to the supply pressure
} cylinderTexts;


static cylinderTexts hydraulic_numbers(const artHydraulicCylinderDef *def, const elementContext *c)
{
#define NUMBER(field) part_number(&c->numbers, c->arena, &def->field)
  cylinderTexts x = {NUMBER(area_a),   NUMBER(area_b),     NUMBER(dead_a), NUMBER(dead_b),
                     NUMBER(shortest), NUMBER(stroke),     NUMBER(supply), NUMBER(tank),
                     NUMBER(leakage),  NUMBER(transition), NULL,           NULL};
  x.valve = arena_compose(c->arena, "%s/sqrt(%s)", NUMBER(flow), NUMBER(drop));
  x.bulk = arena_compose(c->arena, "(%s/%s)", NUMBER(bulk), x.supply);
#undef NUMBER
  return x;
}


// f(high - low) of the valve
static const char *hydraulic_root_text(const cylinderTexts *x, baseArena *a, const char *high,
                                       const char *low)
{
  return arena_compose(a, "(%s - %s)/sqrt(hypot(%s - %s, %s))", high, low, high, low,
                       x->transition);
}


// c (o+ f(from - to) + o- f(from2 - to2))
static const char *hydraulic_flow_text(const cylinderTexts *x, baseArena *a, const char *n,
                                       const char *sign, const char *const open[2],
                                       const char *const shut[2])
{
  const char *first = hydraulic_root_text(x, a, open[0], open[1]),
             *second = hydraulic_root_text(x, a, shut[0], shut[1]);
  return arena_compose(a, "(%s%s)*(max('/%s.opening', 0)*%s + min('/%s.opening', 0)*%s)", sign,
                       x->valve, n, first, n, second);
}


// dp/dt = r, relative to the supply pressure. At zero pressure (cavitation) the rate is at least (r
// + |r|)/2, with a smooth |r|, so that no event is needed where r changes sign; if a step ends
// below zero, the pressure returns within milliseconds. It settles at up to 5e-13, which counts as
// zero; otherwise rounding would decide in which step it falls again.
static const char *rate_text(const cylinderTexts *x, baseArena *a, const char *state,
                             const char *volume, const char *flow)
{
  // the rate is not finite without volume
  const char *rate = arena_compose(a, "%s*(%s)/max(%s, 0)", x->bulk, flow, volume);
  return arena_compose(a, "if(%s <= 1e-9, 0.5*(%s + hypot(%s, 1e-9)) - 1e3*%s, %s)", state, rate,
                       rate, state, rate);
}


// the most likely cause of a rate that is not finite is the end of the stroke
static const char *side_words(baseArena *a, const char *side, const char *name)
{
  return arena_compose(a, "the pressure of side %s of '%s', whose volume must stay positive,", side,
                       name);
}


static void hydraulic_declare(const modelElement *e, const void *from, const elementContext *c,
                              partContext *p)
{
  const artHydraulicCylinderDef *def = from;
  const char *n = e->name;
  baseArena *a = c->arena;
  const cylinderTexts x = hydraulic_numbers(def, c);
  const char *p_a = arena_compose(a, "'/%s.pressure_a'", n);
  const char *p_b = arena_compose(a, "'/%s.pressure_b'", n);
  const char *s = arena_compose(a, "('/%s.length' - %s)", n, x.shortest);
  const char *leak = arena_compose(a, "%s*(%s - %s)", x.leakage, p_a, p_b);
  const char *volume_a = arena_compose(a, "%s + %s*%s", x.dead_a, x.area_a, s);
  const char *volume_b = arena_compose(a, "%s + %s*(%s - %s)", x.dead_b, x.area_b, x.stroke, s);
  const char *in_a = arena_compose(a, "'/%s.flow_a' - %s*'/%s.rate' - %s", n, x.area_a, n, leak);
  const char *in_b = arena_compose(a, "'/%s.flow_b' + %s*'/%s.rate' + %s", n, x.area_b, n, leak);
  const char *state_a = arena_compose(a, "'/%s.share_a'", n);
  const char *state_b = arena_compose(a, "'/%s.share_b'", n);
  part_add_signal(p, "opening", NULL, arena_compose(a, "max(-1, min(1, %s))", def->opening));
  part_add(p, &(elementPart){.type = PART_STATE,
                             .tail = "share_a",
                             .initial = def->pressure_a / def->supply,
                             .text = rate_text(&x, a, state_a, volume_a, in_a),
                             .words = side_words(a, "a", n)});
  part_add(p, &(elementPart){.type = PART_STATE,
                             .tail = "share_b",
                             .initial = def->pressure_b / def->supply,
                             .text = rate_text(&x, a, state_b, volume_b, in_b),
                             .words = side_words(a, "b", n)});
  part_add_signal(p, "pressure_a", "Pa", arena_compose(a, "%s*%s", x.supply, state_a));
  part_add_signal(p, "pressure_b", "Pa", arena_compose(a, "%s*%s", x.supply, state_b));
  part_add_signal(p, "flow_a", "m^3/s",
                  hydraulic_flow_text(&x, a, n, "", (const char *[]){x.supply, p_a},
                                      (const char *[]){p_a, x.tank}));
  part_add_signal(p, "flow_b", "m^3/s",
                  hydraulic_flow_text(&x, a, n, "-", (const char *[]){p_b, x.tank},
                                      (const char *[]){x.supply, p_b}));
}


static void hydraulic_parameter_map(const modelElement *e, const void *from,
                                    const elementParameterMap *f)
{
  const artHydraulicCylinderDef *def = from;
  f->start(f->context, e->name, "share_a", &def->pressure_a, &def->supply);
  f->start(f->context, e->name, "share_b", &def->pressure_b, &def->supply);
}


static void hydraulic_compile(modelElement *e, const void *from, const elementContext *c)
{
  const cylinderTexts x = hydraulic_numbers(from, c);
  e->text[0] = arena_compose(c->arena, "%s*'/%s.pressure_b' - %s*'/%s.pressure_a'", x.area_b,
                             e->name, x.area_a, e->name);
}


const elementKind element_hydraulic_cylinder = {
    ELEMENT_KIND(hydraulic_cylinder, artHydraulicCylinderDef, "hydraulic-cylinder", keys, foreign,
                 "A hydraulic cylinder with its valve, between two points."),
    .check = hydraulic_check,
    .declare = hydraulic_declare,
    .compile = hydraulic_compile,
    .follow = hydraulic_parameter_map,
    .glyph = ART_GLYPH_LINK,
    .arrow = ARROW_LINE,
    .outputs = element_line_outputs};
