// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Solids of bodies: fields, defaults, checks, and the key `solid` of model files.
#include <math.h>
#include <stdio.h>

#include "base/arithmetic.h"
#include "mesh/mesh.h"
#include "model/read/reader.h"
#include "model/solid/solid.h"

#define AT(field) offsetof(artSolidDef, field)

// clang-format off
#define MATTER                                                                                     \
  {"density", KEY_NUMBER, Q_DENSITY, .offset = AT(density), .above_zero = true,                    \
   .range = RANGE_NOT_NEGATIVE, .rival = "mass", .fallback = "by `mass`",                          \
   .help = "of its matter"},                                                                       \
  {"mass", KEY_NUMBER, Q_MASS, .offset = AT(mass), .above_zero = true,                             \
   .range = RANGE_NOT_NEGATIVE, .rival = "density", .fallback = "by `density`",                    \
   .help = "of the whole shape, without its holes"},                                               \
  {"hole", KEY_FLAG, .offset = AT(is_hole), .fallback = "false",                                   \
   .help = "`true` takes matter away from the solid before it in the list"},                       \
  {"colour", KEY_COLOUR, .offset = AT(colour), .value = -1, .fallback = "chosen",                  \
   .help = "\"#rrggbb\", or one of white, silver, grey, black, red, orange, yellow, green, blue, navy, brown"}, \
  {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(pose.position), .mark = "pose",                  \
   .fallback = "[0, 0, 0]", .help = "of its centre, in the body frame", .foreign = "at"}

#define ORIENTATION                                                                                \
  {"orientation", KEY_ORIENTATION, .offset = AT(pose.rotation), .mark = "pose",                    \
   .fallback = "none", .help = "in the body frame"}

#define AXIS                                                                                       \
  {"axis", KEY_AXIS, .offset = AT(axis), .rival = "orientation", .fallback = "z",                  \
   .help = "along which it lies, in the body frame"},                                              \
  {"orientation", KEY_ORIENTATION, .offset = AT(pose.rotation), .mark = "pose",                    \
   .rival = "axis", .fallback = "none", .help = "in the body frame; it lies along its own z axis"}

#define RADIUS(words)                                                                              \
  {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(radius),                         \
   .range = RANGE_POSITIVE, .help = words}

#define LENGTH(words)                                                                              \
  {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(length),                         \
   .range = RANGE_POSITIVE, .help = words}

#define SIZE(words)                                                                                \
  {"size", KEY_VECTOR, Q_LENGTH, .need = REQUIRED, .offset = AT(size),                             \
   .range = RANGE_POSITIVE, .help = words}

static const fieldKey box_keys[] = {SIZE("its edges"), MATTER, ORIENTATION, {0}};
static const fieldKey ellipsoid_keys[] = {SIZE("its diameters"), MATTER, ORIENTATION, {0}};
static const fieldKey sphere_keys[] = {RADIUS("its radius"), MATTER, {0}};
static const fieldKey cylinder_keys[] = {RADIUS("its radius"), LENGTH("along its axis"), MATTER, AXIS, {0}};
static const fieldKey capsule_keys[] = {
    RADIUS("its radius"), LENGTH("between the centres of its caps"), MATTER, AXIS, {0}};
static const fieldKey tube_keys[] = {
    RADIUS("outside"),
    {"inner", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(inner),
     .range = RANGE_NOT_NEGATIVE, .help = "radius of its bore"},
    LENGTH("along its axis"), MATTER, AXIS, {0}};
static const fieldKey cone_keys[] = {
    RADIUS("at its lower end"),
    {"top", KEY_NUMBER, Q_LENGTH, .offset = AT(top), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "radius at its upper end: of a frustum"},
    LENGTH("along its axis; its position is in the middle of it"), MATTER, AXIS, {0}};
static const fieldKey mesh_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = AT(file),
     .help = "STL (binary or text) or OBJ, or with assimp COLLADA, glTF or PLY, by its ending; relative to the model file"},
    {"scale", KEY_NUMBER, Q_NUMBER, .offset = AT(scale), FALLBACK(1), .range = RANGE_POSITIVE,
     .help = "what a unit of the file is in m; 0.001 for millimetres"},
    MATTER, ORIENTATION, {0}};

#define FORM(word, words)                                                                          \
  static const fieldForm word = {                                                                  \
      .name = "solid", .type = #word, .keys = word##_keys, .is_part = true, .help = words};
FORM(box, "a box")
FORM(cylinder, "a cylinder")
FORM(sphere, "a ball")
FORM(tube, "a cylinder with a bore")
FORM(cone, "a cone or a frustum")
FORM(capsule, "a cylinder with round ends")
FORM(ellipsoid, "an ellipsoid")
FORM(mesh, "a closed surface of triangles from a file")
// clang-format on

// in the order of artSolidType
const fieldForm *const reader_forms_solid[] = {&box,     &cylinder,  &sphere, &tube, &cone,
                                               &capsule, &ellipsoid, &mesh,   NULL};


static void set_defaults(const fieldForm *form, artSolidDef *def)
{
  def->axis[2] = 1;
  def->pose.rotation[0] = 1;
  def->scale = 1;
  field_set_defaults(form, def);
}


artSolidDef art_default_solid(void)
{
  ARITHMETIC_GUARD;
  artSolidDef def = {.type = ART_SOLID_BOX};
  set_defaults(&box, &def);
  return def;
}


//---- checks --------------------------------------------------------------------------------------

// a check at the place of one solid
static fieldWhere solid_place(const fieldCheck *check, int i)
{
  char key[24];
  snprintf(key, sizeof key, "solid %d", i + 1);
  return (fieldWhere){.place = field_place(check->where, key)};
}


#define REFUSE(i, ...) error_refuse(solid_place(check, i).place, __VA_ARGS__)


static void check_solid_mesh(const fieldCheck *check, int i, const artSolidDef *def)
{
  if (def->nvertex < 1 || def->ntriangle < 1 || !def->vertex || !def->triangle) {
    REFUSE(i, "a mesh has %d vertices and %d triangles, expected some of both", def->nvertex,
           def->ntriangle);
  }
  const fieldWhere where = solid_place(check, i);
  const fieldCheck own = {check->name, &where};
  for (long k = 0; k < 3L * def->nvertex; k++)
    field_check_finite(&own, "vertex", 1, &def->vertex[k]);
  for (long k = 0; k < 3L * def->ntriangle; k++) {
    if (def->triangle[k] >= 0 && def->triangle[k] < def->nvertex) continue;
    REFUSE(i, "a triangle of a mesh has the vertex %d, of which there are %d", def->triangle[k],
           def->nvertex);
  }
  error_check(mesh_check_closed(def, where.place, error_current()));
}


static void check_solid(const fieldCheck *check, int i, const artSolidDef *def)
{
  const fieldWhere where = solid_place(check, i);
  const fieldCheck own = {check->name, &where};
  field_check_member(&own, "type", (int) def->type, 0, ART_SOLID_TYPES - 1);
  field_check_all(&own, reader_forms_solid[def->type], def);
  field_check_rotation(&own, "orientation", def->pose.rotation);
  field_check_axis(&own, "axis", "body", def->axis);
  field_check_member(&own, "colour", def->colour, -1, 0xffffff);
  if (def->type == ART_SOLID_TUBE && def->inner >= def->radius) {
    REFUSE(i, "'inner' is %g, expected less than the radius %g outside", def->inner, def->radius);
  }
  if (def->density > 0 && def->mass > 0) {
    REFUSE(i, "'density' and 'mass' exclude each other; give one");
  }
  if (def->is_hole && (def->density > 0 || def->mass > 0)) {
    REFUSE(i, "a hole has the density of the solid before it; leave out '%s'",
           def->mass > 0 ? "mass" : "density");
  }
  if (def->type == ART_SOLID_MESH) check_solid_mesh(check, i, def);
}


static void check_holes(const fieldCheck *check, solidList list)
{
  int solid = -1;
  for (int i = 0; i < list.n; i++) {
    if (!list.solid[i].is_hole) {
      solid = i;
      continue;
    }
    if (solid < 0) {
      REFUSE(i, "a hole comes before all solids; write it after the solid that it is in");
    }
    const double beyond = solid_reach_beyond(&list.solid[i], &list.solid[solid]);
    if (beyond == 0) continue;
    REFUSE(i,
           "the hole reaches %.6g m beyond the %s that it is in; a hole takes away no more "
           "than there is",
           beyond, reader_forms_solid[list.solid[solid].type]->type);
  }
}


void solid_check_result(const fieldCheck *check, const artSolidInertia *out)
{
  field_check_finite(check, "solid", 1, &out->mass);
  if (out->mass <= 0) {
    field_refuse(check, "solid", "the solids have the mass %g kg, expected more than 0", out->mass);
  }
  field_check_finite(check, "solid", 3, out->com);
  field_check_finite(check, "solid", 6, out->inertia);
}


// masses are given once: of the whole, with densities or without, or by each solid
static void check_masses(const fieldCheck *check, solidList list, double mass)
{
  int dense = 0, first = -1;
  for (int i = 0; i < list.n; i++) {
    const artSolidDef *def = &list.solid[i];
    if (def->is_hole) continue;
    if (mass > 0 && def->mass > 0) {
      REFUSE(i, "this solid has a mass, and so has the whole; give one of them");
    }
    if (mass == 0 && def->mass == 0 && def->density == 0) {
      REFUSE(i, "this solid has neither 'density' nor 'mass'; give one, or the mass of the "
                "whole body");
    }
    if (first < 0) dense = def->density > 0, first = i;
    if (mass > 0 && dense != (def->density > 0)) {
      REFUSE(i,
             "this solid has %s density, unlike solid %d; with the mass of the whole body "
             "give a density to all solids or to none",
             dense ? "no" : "a", first + 1);
    }
  }
}


void solid_check_list(const fieldCheck *check, solidList list, double mass)
{
  field_check_list(check, "solid", list.n, list.solid);
  field_check_positive(check, "mass", mass, 1);
  for (int i = 0; i < list.n; i++) check_solid(check, i, &list.solid[i]);
  check_masses(check, list, mass);
  check_holes(check, list);
}


typedef struct solidWork {
  solidList list;
  double mass;
  artSolidInertia *inertia;
} solidWork;


static void weigh_checked_solids(void *context)
{
  const solidWork *w = context;
  const fieldWhere nowhere = {.place = base_nowhere()};
  const fieldCheck check = {"", &nowhere};
  solid_check_list(&check, w->list, w->mass);
  error_check(solid_mass_properties(w->list, w->mass, w->inertia, error_current()));
  solid_check_result(&check, w->inertia);
}


artStatus art_solid_inertia(int n, const artSolidDef *solid, double mass, artSolidInertia *inertia,
                            artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(inertia, error);
  *inertia = (artSolidInertia){0};
  ART_REQUIRE(n > 0 && solid, error);
  solidWork work = {{n, solid}, mass, inertia};
  const artStatus status = error_try(weigh_checked_solids, &work, error);
  if (status) *inertia = (artSolidInertia){0};
  return status;
}


//---- reading -------------------------------------------------------------------------------------

static void read_solid_mesh(modelReader *reader, const yamlNode *item, artSolidDef *def)
{
  modelMesh own;
  const char *path = reader_path(reader, def->file);
  reader_load_mesh(reader, path, yaml_find(item, "file")->place, &own);
  def->file = path;
  def->nvertex = own.nvertex;
  def->vertex = own.vertex;
  def->ntriangle = own.ntriangle;
  def->triangle = own.triangle;
}


static void read_solid(modelReader *reader, const yamlNode *item, artSolidDef *def)
{
  int type;
  reader_choose_form(reader_forms_solid, item, &type);
  def->type = (artSolidType) type;
  set_defaults(reader_forms_solid[type], def);
  reader_read_form(reader, reader_forms_solid[type], item, def);
  if (def->type == ART_SOLID_MESH) read_solid_mesh(reader, item, def);
}


void reader_read_solids(modelReader *reader, const yamlNode *node, artBodyDef *body)
{
  const int is_list = node->kind == NODE_SEQUENCE;
  if (node->kind != NODE_MAPPING && !(is_list && node->first)) {
    reader_wrong_shape(node, "a solid, such as {type: box, size: [1, 1, 1], density: 7850}, or a "
                             "list of them");
  }
  const int n = is_list ? node->count : 1;
  artSolidDef *list = arena_alloc(&reader->scratch, (size_t) n, sizeof *list);
  body->nsolid = n;
  body->solid = list;
  for (const yamlNode *item = is_list ? node->first : node; item; item = item->next) {
    char mark[24];
    snprintf(mark, sizeof mark, "solid %d", (int) (list - body->solid) + 1);
    reader_mark(reader, mark, item->place);
    read_solid(reader, item, list++);
    if (!is_list) break;
  }
}
