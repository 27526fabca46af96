// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A spring-damper: tension along the line between two points, with stops at the limits of its
// length.
//
//   T = f(l - l0) + g(l'),   V = integral of f
#include <math.h>

#include "element/kind.h"
#include "element/port.h"
#include "element/port_stop.h"


static portLaw line_spring(const modelElement *e)
{
  return (portLaw){.law = e->spring, .name = "spring"};
}


static real line_elongation(const modelElement *e, const portMotion *in)
{
  return r_sub(in->x[0], port_number(in, &e->rest, "free_length"));
}


static void spring_damper_act(const modelElement *e, const portMotion *in, portForce *out)
{
  const portLaw damper = {.law = e->damper, .mode = e->spring != NULL, .name = "damper"};
  const real rest = port_number(in, &e->rest, "free_length");
  out->elastic[0] = r_neg(port_spring(in, line_spring(e), 0, rest));
  out->resisting[0] = r_neg(port_law(in, damper, in->v[0]));
  if (!model_has_stop(e)) return;
  const stopForce stop = stop_act(in, &e->stop, (e->spring != NULL) + (e->damper != NULL));
  out->elastic[0] = r_add(out->elastic[0], stop.elastic);
  out->resisting[0] = r_add(out->resisting[0], stop.resisting);
}


static real spring_damper_potential(const modelElement *e, const portMotion *in)
{
  const real spring = port_integral(in, line_spring(e), line_elongation(e, in));
  if (!model_has_stop(e)) return spring;
  const int mode = (e->spring != NULL) + (e->damper != NULL);
  return r_add(spring, stop_act(in, &e->stop, mode).potential);
}


const elementPhysics R_NAME(spring_damper_physics) = {
    .port = PORT_LINE, .act = spring_damper_act, .potential = spring_damper_potential};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define STOPS(field) offsetof(artStopsDef, field)
static const fieldKey stops_keys[] = {
    {"lower", KEY_NUMBER, Q_LENGTH, .offset = STOPS(lower), .value = -INFINITY,
     .fallback = "no lower stop", .help = "shortest length without bump stop"},
    {"upper", KEY_NUMBER, Q_LENGTH, .offset = STOPS(upper), .value = INFINITY,
     .fallback = "no upper stop", .help = "longest length without rebound stop"},
    {"stiffness", KEY_NUMBER, Q_STIFFNESS, .need = REQUIRED, .offset = STOPS(stiffness),
     .help = "k, of the stops"},
    {"damping", KEY_NUMBER, Q_DISSIPATION, .offset = STOPS(damping), FALLBACK(0),
     .help = "c, the dissipation of the stops"},
    {0}};
#undef STOPS
const fieldForm field_form_stops = {.name = "stops", .keys = stops_keys, .is_part = true};

#define AT(field) offsetof(artSpringDamperDef, field)
#define TO(field) offsetof(modelElement, field)
static const fieldKey keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from", .to = TO(frame),
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"free_length", KEY_NUMBER, Q_LENGTH, .offset = AT(free_length), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .to = TO(rest), .help = "length at which the spring is slack"},
    {"stiffness", KEY_COEFFICIENT, Q_STIFFNESS, .offset = AT(spring), .mark = "spring",
     .rival = "spring", FALLBACK(0), .help = "of a linear spring"},
    {"spring", KEY_LAW, Q_LENGTH, .offset = AT(spring), .rival = "stiffness", .to = TO(spring),
     .help = "law of the spring, over `length - free_length`"},
    {"damping", KEY_COEFFICIENT, Q_DAMPING, .offset = AT(damper), .mark = "damper",
     .rival = "damper", FALLBACK(0), .help = "of a linear damper"},
    {"damper", KEY_LAW, Q_VELOCITY, .offset = AT(damper), .rival = "damping", .to = TO(damper),
     .help = "law of the damper, over the rate of the length"},
    {"stops", KEY_STOPS, .offset = AT(stops), .to = TO(stop),
     .help = "limits of the length, and what pushes back beyond them"},
    {0}};

const elementOutput element_line_outputs[] = {
    {"length", 1, LEVEL_POSITION, Q_LENGTH, OUTPUT_USUAL},
    {"rate", 2, LEVEL_VELOCITY, Q_VELOCITY, 0},
    {"force", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {0}};

static const char foreign[] =
    "spring tsda damper springdamper sforce coilspring strut shock shockabsorber "
    "linearspring lineardamper springdamperparallel translationalspringdamper "
    "linearspringdamper tsdf pointtopointspring elastic dashpot";
// clang-format on


static void spring_damper_check(const fieldCheck *c, void *def)
{
  const artStopsDef *stops = &((artSpringDamperDef *) def)->stops;
  if (stops->stiffness == 0) return;
  field_check_stops(c, stops->lower, stops->upper, stops->stiffness, stops->damping);
}


static void spring_damper_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->has_potential = !e->damper && !(e->stop.damping > 0);
}


const elementKind element_spring_damper = {
    ELEMENT_KIND(spring_damper, artSpringDamperDef, "spring-damper", keys, foreign,
                 "A spring and a damper between two points."),
    .check = spring_damper_check,
    .compile = spring_damper_compile,
    .glyph = ART_GLYPH_COIL,
    .arrow = ARROW_LINE,
    .outputs = element_line_outputs};

#endif
