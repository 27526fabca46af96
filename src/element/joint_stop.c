// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stops at the limits of a joint's coordinate.
#include <math.h>

#include "element/kind.h"
#include "element/port.h"
#include "element/port_stop.h"


const elementPhysics R_NAME(joint_stop_physics) = {
    .port = PORT_AXIS, .act = stop_act_alone, .potential = stop_potential_alone};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artJointStopDef, field)
#define TO(field) offsetof(modelElement, stop.field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artJointStopDef),
    {"lower", KEY_NUMBER, Q_X, .offset = AT(lower), .value = -INFINITY,
     .fallback = "no lower stop", .range = RANGE_CHECKED, .may_be_infinite = true, .to = TO(lower),
     .help = "limit from below"},
    {"upper", KEY_NUMBER, Q_X, .offset = AT(upper), .value = INFINITY,
     .fallback = "no upper stop", .range = RANGE_CHECKED, .may_be_infinite = true, .to = TO(upper),
     .help = "limit from above"},
    {"stiffness", KEY_NUMBER, Q_X_STIFFNESS, .need = REQUIRED, .offset = AT(stiffness),
     .range = RANGE_POSITIVE, .to = TO(stiffness), .help = "k, of the stop"},
    {"damping", KEY_NUMBER, Q_X_DISSIPATION, .offset = AT(damping), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .to = TO(damping), .help = "c, the dissipation of the stop"},
    {0}};

static const char foreign[] =
    "limit limits stop stops endstop bumpstop jointlimit jointlimits hardstop";

static const vocabularyWords advice[] = {
    {"joint",
     "limits of a joint are a force of type joint-stop, with 'lower', 'upper' and 'stiffness'",
     "limit limits range lower upper min max stop stops upperlimit lowerlimit"},
    {"force type",
     "bodies have no contacts with each other; joint-stop limits a coordinate, tyre rolls on a road",
     "contact contacts impact collision"},
    {0}};
// clang-format on


static void joint_stop_check(const fieldCheck *c, void *def)
{
  const artJointStopDef *stop = def;
  field_check_stops(c, stop->lower, stop->upper, stop->stiffness, stop->damping);
}


static void joint_stop_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  (void) c;
  e->has_potential = e->stop.damping == 0;
}


const elementKind element_joint_stop = {ELEMENT_KIND(joint_stop, artJointStopDef, "joint-stop",
                                                     keys, foreign,
                                                     "Stops at the ends of a joint's travel."),
                                        .check = joint_stop_check, .compile = joint_stop_compile,
                                        .advice = advice, .outputs = element_joint_outputs};

#endif
