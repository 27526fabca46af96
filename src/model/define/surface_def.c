// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact surfaces: the fields of each type, their checks, and their section in model files.
#include <string.h>

#include "contact/surface_hull.h"
#include "contact/surface_profile.h"
#include "model/define/records.h"
#include "model/read/reader.h"
#include "road/road_kinds.h"

// clang-format off
#define AT(field) offsetof(artSurfaceDef, field)
#define GROUP_KEY                                                                                  \
  {"group", KEY_TEXT, .offset = AT(group), .fallback = "none",                                     \
   .help = "a name that contacts may give instead of surfaces"}
#define PLACE_KEYS                                                                                 \
  {"body", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on",                        \
   .help = "`body.frame`, `body` or `ground`, with whose axes it is aligned"},                     \
  GROUP_KEY,                                                                                       \
  {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(position), .fallback = "[0, 0, 0]",              \
   .help = "of its centre, in the frame"}
#define SIZE_KEY(field, text)                                                                      \
  {#field, KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(field), .range = RANGE_POSITIVE,   \
   .help = text}

static const fieldKey plane_keys[] = {PLACE_KEYS, {0}};
static const fieldKey point_keys[] = {PLACE_KEYS, {0}};
static const fieldKey box_keys[] = {
    PLACE_KEYS,
    {"size", KEY_VECTOR, Q_LENGTH, .need = REQUIRED, .offset = AT(size),
     .help = "along x, y and z"},
    {0}};
static const fieldKey capsule_keys[] = {
    PLACE_KEYS,
    SIZE_KEY(radius, "its radius"),
    SIZE_KEY(length, "between the centres of its caps"),
    {0}};
static const fieldKey cylinder_keys[] = {
    PLACE_KEYS,
    SIZE_KEY(radius, "its radius"),
    SIZE_KEY(length, "along its axis"),
    {0}};
static const fieldKey ellipsoid_keys[] = {
    PLACE_KEYS,
    {"size", KEY_VECTOR, Q_LENGTH, .need = REQUIRED, .offset = AT(size),
     .help = "along x, y and z"},
    {0}};
static const fieldKey cone_keys[] = {
    PLACE_KEYS,
    SIZE_KEY(radius, "at its lower end"),
    {"top", KEY_NUMBER, Q_LENGTH, .offset = AT(top), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "radius at its upper end: of a frustum"},
    SIZE_KEY(length, "along its axis"),
    {0}};
static const fieldKey torus_keys[] = {
    PLACE_KEYS,
    SIZE_KEY(radius, "of the middle of its tube, from the axis"),
    {"tube", KEY_NUMBER, Q_LENGTH, .offset = AT(tube), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "radius of its tube; 0: a thin disc"},
    {0}};
static const fieldKey shape_keys[] = {
    {"body", KEY_REFERENCE, .need = REQUIRED, .offset = AT(on), .mark = "on",
     .help = "`body.frame`, `body` or `ground`, with whose axes it is aligned"},
    {"number", KEY_COUNT, .offset = AT(number), .fallback = "the only one",
     .help = "which one, from 1 on"},
    GROUP_KEY,
    {0}};
static const fieldKey profile_keys[] = {
    PLACE_KEYS,
    {"points", KEY_OUTLINE, Q_LENGTH, .need = REQUIRED, .offset = AT(points),
     .help = "in order; the last one leads to the first; with `radius` by an arc, outward if positive"},
    {"smooth", KEY_FLAG, .offset = AT(is_smooth), .fallback = "false",
     .help = "arcs through the points, without corners"},
    {"copies", KEY_COUNT, .offset = AT(copies), .fallback = "1",
     .help = "times that the points are repeated, turned on about z"},
    {0}};
static const fieldKey hull_keys[] = {
    PLACE_KEYS,
    {"points", KEY_CORNERS, Q_LENGTH, .need = REQUIRED, .offset = AT(points),
     .help = "its corners, in any order"},
    {0}};
static const fieldKey road_keys[] = {
    PLACE_KEYS,
    {"road", KEY_PART, .need = REQUIRED, .offset = AT(road), .help = "one of `roads`"},
    {0}};
static const fieldKey sphere_keys[] = {PLACE_KEYS, SIZE_KEY(radius, "its radius"), {0}};

static const fieldForm plane = {.name = "surface", .type = "plane", .keys = plane_keys,
    .foreign = "halfspace floor floorplane groundplane infiniteplane",
    .help = "The half-space below the xy-plane of its frame."};
static const fieldForm box = {.name = "surface", .type = "box", .keys = box_keys,
    .foreign = "brick block cuboid", .help = "A box."};
static const fieldForm capsule = {.name = "surface", .type = "capsule", .keys = capsule_keys,
    .help = "A cylinder along z with half spheres at its ends."};
static const fieldForm cylinder = {.name = "surface", .type = "cylinder", .keys = cylinder_keys,
    .foreign = "rim", .help = "A cylinder along z; planes touch its two rims."};
static const fieldForm sphere = {.name = "surface", .type = "sphere", .keys = sphere_keys,
    .foreign = "ball", .help = "A sphere."};
static const fieldForm point = {.name = "surface", .type = "point", .keys = point_keys,
    .help = "A point."};
static const fieldForm ellipsoid = {.name = "surface", .type = "ellipsoid", .keys = ellipsoid_keys,
    .help = "An ellipsoid."};
static const fieldForm cone = {.name = "surface", .type = "cone", .keys = cone_keys,
    .foreign = "frustum", .help = "A cone or frustum along z."};
static const fieldForm torus = {.name = "surface", .type = "torus", .keys = torus_keys,
    .foreign = "disc disk ring donut wheel", .help = "A circle about z with a tube: a wheel."};
static const fieldForm profile = {.name = "surface", .type = "profile", .keys = profile_keys,
    .foreign = "curve cam gear polygon extrusion contour spline",
    .help = "A closed profile of lines and arcs, extruded along z: a cam, a gear, a Geneva wheel."};
static const fieldForm hull = {.name = "surface", .type = "hull", .keys = hull_keys,
    .foreign = "convex polyhedron mesh convexhull convexmesh",
    .help = "The convex hull of points: a polyhedron."};
static const fieldForm road = {.name = "surface", .type = "road", .keys = road_keys,
    .foreign = "terrain heightfield hfield heightmap landscape",
    .help = "The ground below the height of a road, over the xy-plane of its frame."};
static const fieldForm solid = {.name = "surface", .type = "solid", .keys = shape_keys,
    .help = "Shape, place and orientation of a solid of the body."};
static const fieldForm visual = {.name = "surface", .type = "visual", .keys = shape_keys,
    .foreign = "like same", .help = "Shape, place and orientation of a visual of the body."};
// clang-format on

// in the order of artSurfaceType
const fieldForm *const reader_forms_surface[] = {&plane, &box,       &capsule, &cylinder, &sphere,
                                                 &point, &ellipsoid, &cone,    &torus,    &profile,
                                                 &hull,  &road,      &solid,   &visual,   NULL};


artSurfaceDef art_default_surface(void)
{
  return (artSurfaceDef){.type = ART_SURFACE_POINT};
}


const char *surface_type_name(artSurfaceType type)
{
  return (unsigned) type < ART_SURFACE_TYPES ? reader_forms_surface[type]->type : "unknown";
}


static void check_profile(const fieldCheck *c, const artSurfaceDef *def)
{
  const int n = def->points.count / 3;
  if (def->points.count % 3 != 0)
    field_refuse(c, "points", "profile '%s' has %d numbers, expected three for each point", c->name,
                 def->points.count);
  if (def->copies < 0)
    field_refuse(c, "copies", "profile '%s' has %d copies, expected one or more", c->name,
                 def->copies);
  for (int i = 0; i < n && def->is_smooth; i++) {
    if (def->points.value[3 * i + 2] == 0) continue;
    field_refuse(c, "points",
                 "point %d of profile '%s' has a radius, but 'smooth' finds the arcs; remove one "
                 "of both",
                 i + 1, c->name);
  }
  int at[2];
  switch (profile_check(def, at)) {
  case PROFILE_SOUND: break;
  case PROFILE_FEW:
    field_refuse(c, "points", "profile '%s' needs three points, or two with arcs", c->name);
  case PROFILE_MANY:
    field_refuse(c, "points", "profile '%s' has more than %d pieces", c->name, MAX_PROFILE_PIECES);
  case PROFILE_REPEATS:
    field_refuse(c, "points",
                 "points %d and %d of profile '%s' coincide; the last one leads to the first by "
                 "itself",
                 at[0], at[1], c->name);
  case PROFILE_RADIUS:
    field_refuse(c, "points",
                 "the arc of profile '%s' from point %d to %d has a radius below half their "
                 "distance",
                 c->name, at[0], at[1]);
  case PROFILE_CROSSES:
    field_refuse(c, "points",
                 "profile '%s' crosses or touches itself: what begins at point %d, and what begins "
                 "at point %d",
                 c->name, at[0], at[1]);
  case PROFILE_FLAT: field_refuse(c, "points", "profile '%s' encloses nothing", c->name);
  }
}


static void check_hull(const fieldCheck *c, const artSurfaceDef *def)
{
  const int n = def->points.count / 3;
  if (def->points.count % 3 != 0)
    field_refuse(c, "points", "hull '%s' has %d numbers, expected three for each point", c->name,
                 def->points.count);
  if (n < 4)
    field_refuse(c, "points", "hull '%s' has %d points, expected four or more", c->name, n);
  if (n > MAX_HULL_POINTS)
    field_refuse(c, "points", "hull '%s' has %d points, expected at most %d: simplify it", c->name,
                 n, MAX_HULL_POINTS);
  baseArena arena = {.leaves = 1};
  const int is_sound = hull_of_points(&arena, n, def->points.value) != NULL;
  arena_free(&arena);
  if (!is_sound)
    field_refuse(c, "points", "hull '%s' has no volume: its points lie in one plane", c->name);
}


static void check_road(const fieldCheck *c, const artSurfaceDef *def)
{
  if (!def->road) field_refuse(c, "road", "surface '%s' has no road", c->name);
  const functionRoad *found = road_find_function(def->road);
  if (!found) return;
  field_refuse(
      c, "road",
      "the road of surface '%s' is by the function '%s', on which tyres alone roll; give a "
      "table or a sum of other roads",
      c->name, found->name);
}


static void check_surface(const fieldCheck *c, void *from)
{
  const artSurfaceDef *def = from;
  if (def->type == ART_SURFACE_ROAD) check_road(c, def);
  if (def->type == ART_SURFACE_HULL) check_hull(c, def);
  if (def->type == ART_SURFACE_PROFILE) check_profile(c, def);
  const int is_box = def->type == ART_SURFACE_BOX;
  for (int k = 0; k < 3 && (is_box || def->type == ART_SURFACE_ELLIPSOID); k++) {
    if (def->size[k] > 0) continue;
    field_refuse(c, "size", "%s '%s' has the length %g m, expected a positive one",
                 is_box ? "an edge of box" : "a diameter of ellipsoid", c->name, def->size[k]);
  }
}


static void read_surface(modelReader *reader, const yamlNode *item, int type, void *from)
{
  artSurfaceDef *def = from;
  def->name = item->key;
  def->type = (artSurfaceType) type;
  reader_built(reader, art_add_surface(reader->builder, def));
}


const itemFamily item_surface = {.what = "surface",
                                 .forms = reader_forms_surface,
                                 .size = sizeof(artSurfaceDef),
                                 .type = offsetof(artSurfaceDef, type),
                                 ITEM_RECORDS(surfaces, surfaceRecord),
                                 .read = read_surface,
                                 .check = check_surface};


//---- pairs ---------------------------------------------------------------------------------------

const artSurfaceDef *builder_find_surface(const artBuilder *b, const char *name)
{
  for (int i = 0; i < b->surfaces.count; i++) {
    const artSurfaceDef *def = &RECORD(b->surfaces, surfaceRecord, i)->def;
    if (strcmp(def->name, name) == 0) return def;
  }
  return NULL;
}
