// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Aerodynamic drag on a point of a body (law/drag.h).
#include "element/kind.h"
#include "element/port.h"


static int drag_needs(const modelElement *e)
{
  (void) e;
  return PORT_VELOCITY | PORT_AXES;
}


static void drag_act(const modelElement *e, const portMotion *in, portForce *out)
{
  static const char *const wind_name[3] = {"wind_x", "wind_y", "wind_z"};
  static const char *const own_name[3] = {"drag_x", "drag_y", "drag_z"};
  const v3 wind = port_vector(in, e->drag.wind, wind_name);
  const v3 c = port_vector(in, e->drag.coefficient, own_name);
  const v3 u = m3_mul(in->axes, v3_sub(in->velocity, wind));

  // F = rho A/2 |u| (-cx ux, -cy uy, -cz uz + cl |u|)
  const real speed = r_sqrt(v3_dot(u, u));
  const real k = r_mul(port_number(in, &e->drag.half, "drag_half"), speed);
  const real lift = r_mul(port_number(in, &e->drag.lift, "drag_lift"), speed);
  out->value[0] = r_neg(r_mul(k, r_mul(c.x, u.x)));
  out->value[1] = r_neg(r_mul(k, r_mul(c.y, u.y)));
  out->value[2] = r_mul(k, r_sub(lift, r_mul(c.z, u.z)));
  out->force = m3_back(in->axes, v3_make(out->value[0], out->value[1], out->value[2]));
}


const elementPhysics R_NAME(drag_physics) = {
    .port = PORT_POINT, .needs = drag_needs, .act = drag_act};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artDragDef, field)
static const fieldKey keys[] = {
    {"point", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on",
     .to = offsetof(modelElement, frame),
     .help = "where it acts: `body.frame`, whose axes count, `body.point` or `body`"},
    {"area", KEY_NUMBER, Q_AREA, .need = REQUIRED, .offset = AT(area), .range = RANGE_NOT_NEGATIVE,
     .help = "A, frontal"},
    {"drag", KEY_NUMBER, .need = REQUIRED, .offset = AT(drag), .help = "cx, along x",
     .foreign = "cd cw cx coefficient dragcoefficient"},
    {"side", KEY_NUMBER, .offset = AT(side), FALLBACK(0), .help = "cy, along y"},
    {"vertical", KEY_NUMBER, .offset = AT(vertical), FALLBACK(0), .help = "cz, along z"},
    {"lift", KEY_NUMBER, .offset = AT(lift), FALLBACK(0),
     .help = "cl, along z for any direction of the air"},
    {"density", KEY_NUMBER, Q_DENSITY, .offset = AT(density), FALLBACK(1.225),
     .range = RANGE_NOT_NEGATIVE, .help = "rho, of the air"},
    {"wind", KEY_VECTOR, Q_VELOCITY, .offset = AT(wind), .fallback = "[0, 0, 0]",
     .help = "velocity of the air, in ground"},
    {0}};

static const elementOutput outputs[] = {
    OUTPUTS_XYZ("f", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL),
    {0}};

static const char foreign[] =
    "aerodynamic aerodynamics airresistance wind aero airdrag";
// clang-format on


static void drag_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) c;
  const artDragDef *drag = def;
  e->drag = (forceDrag){.half = 0.5 * drag->density * drag->area,
                        .coefficient = {drag->drag, drag->side, drag->vertical},
                        .lift = drag->lift,
                        .wind = {drag->wind[0], drag->wind[1], drag->wind[2]}};
  e->pushes_at_rest = drag->wind[0] != 0 || drag->wind[1] != 0 || drag->wind[2] != 0;
}


static void drag_parameter_map(const modelElement *e, const void *def, const elementParameterMap *f)
{
  const artDragDef *drag = def;
  const double *const coefficient[3] = {&drag->drag, &drag->side, &drag->vertical};
  f->term(f->context, &e->drag.half, 0.5, &drag->density, &drag->area);
  f->term(f->context, &e->drag.lift, 1, &drag->lift, NULL);
  for (int k = 0; k < 3; k++) {
    f->term(f->context, &e->drag.coefficient[k], 1, coefficient[k], NULL);
    f->term(f->context, &e->drag.wind[k], 1, &drag->wind[k], NULL);
  }
}


const elementKind element_drag = {
    ELEMENT_KIND(drag, artDragDef, "drag", keys, foreign, "Aerodynamic drag on a point of a body."),
    .compile = drag_compile, .follow = drag_parameter_map, .arrow = ARROW_AXES, .outputs = outputs};

#endif
