// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rigid contact of two surfaces at one point. Its force is what keeps the surfaces apart and holds or slides in the cone
// of friction: a method finds it with the accelerations (method/rigid_forces.c).
#include "base/error.h"
#include "element/port.h"
#include "element/rigid_fields.h"


static void rigid_contact_act(const modelElement *e, const portMotion *in, portForce *out)
{
  (void) e;
  out->force = v3_make(in->given[0], in->given[1], in->given[2]);
}


const elementPhysics R_NAME(rigid_contact_physics) = {.port = PORT_CONTACT,
                                                      .act = rigid_contact_act};

#ifdef PORT_HAS_DEFINITION

// clang-format off
static const fieldKey keys[] = {RIGID_FIELDS(artRigidContactDef),
    {0}};

// force on the second surface, ground axes; its parts and what the contact does; then what the port shows
static const elementOutput outputs[] = {
    OUTPUTS_XYZ("f", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL),
    {"normal", RIGID_NORMAL, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"friction", RIGID_FRICTION, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL},
    {"state", RIGID_STATE, LEVEL_ACCELERATION, Q_NUMBER, OUTPUT_USUAL},
    {"rolling", RIGID_ROLLING, LEVEL_ACCELERATION, Q_NUMBER, 0},
    OUTPUTS_XYZ("t", RIGID_TORQUE, LEVEL_ACCELERATION, Q_TORQUE, OUTPUT_GROUP),
    {"gap", 3, LEVEL_POSITION, Q_LENGTH, OUTPUT_USUAL | OUTPUT_GROUP},
    {"rate", 4, LEVEL_VELOCITY, Q_VELOCITY, 0},
    OUTPUTS_XYZ("slip_", 5, LEVEL_VELOCITY, Q_VELOCITY, OUTPUT_GROUP),
    OUTPUTS_XYZ("n", 8, LEVEL_POSITION, Q_NUMBER, OUTPUT_GROUP),
    OUTPUTS_XYZ("", 11, LEVEL_POSITION, Q_LENGTH, OUTPUT_GROUP),
    {0}};

static const char foreign[] = "unilateral hard_contact rigidcontact nonsmooth";
// clang-format on


static void rigid_contact_check(const fieldCheck *c, void *from)
{
  const artRigidContactDef *def = from;
  rigid_check(c, "contact", def->restitution, def->friction, def->spinning);
}


// forces and slip in ground axes
static void rigid_contact_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) def;
  contactPair *pair = arena_alloc(c->arena, 1, sizeof *pair);
  contact_make(c->arena, pair, c->surface[0], c->surface[1], c->part);
  pair->axes = -1;
  e->contact = pair;
}


const elementKind element_rigid_contact = {
    ELEMENT_KIND(rigid_contact, artRigidContactDef, "rigid-contact", keys, foreign,
                 "Contact of two surfaces that never overlap, with impacts and friction."),
    .check = rigid_contact_check, .compile = rigid_contact_compile, .arrow = ARROW_TOUCH,
    .outputs = outputs};

#endif
