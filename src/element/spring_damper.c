// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A spring and a damper between two points, with stops on their distance.
//---- definition, for the build on numbers alone ---------------------------------------------------
#if !defined(ART_SYMBOLIC) && !defined(ART_DUAL)

#include <math.h>

#include "element/kind.h"

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

static const elementOutput outputs[] = {
    {"length", 1, LEVEL_POSITION, Q_LENGTH, OUTPUT_USUAL},
    {"rate", 2, LEVEL_VELOCITY, Q_VELOCITY, 0},
    {"force", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {0}};

static const char foreign[] =
    "spring tsda damper springdamper sforce coilspring strut shock shockabsorber "
    "linearspring lineardamper springdamperparallel translationalspringdamper "
    "linearspringdamper tsdf pointtopointspring elastic dashpot";
// clang-format on


static void check(const fieldCheck *c, void *def)
{
  const artStopsDef *stops = &((artSpringDamperDef *) def)->stops;
  if (stops->stiffness == 0) return;
  field_check_stops(c, stops->lower, stops->upper, stops->stiffness, stops->damping);
}


static artStatus compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->has_potential = !e->damper && !(e->stop.damping > 0);
  return ART_OK;
}


const elementKind element_spring_damper = {
    ELEMENT_KIND(artSpringDamperDef, ELEMENT_SPRING_DAMPER, "spring-damper", keys, foreign,
                 "A spring and a damper between two points."),
    .check = check,
    .compile = compile,
    .glyph = GLYPH_COIL,
    .arrow = ARROW_LINE,
    .outputs = outputs};

#endif
