// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints: the fields of each type, their defaults and checks, and their section in model files.
#include <math.h>
#include <string.h>

#include "model/define/records.h"
#include "model/read/reader.h"


FIELD_WORDS(loop_word, "auto", "keep", "cut")
FIELD_WORDS(closing_word, "angles", "vectors")
FIELD_WORDS(surface_word, "plane", "sphere", "cylinder", "cone")
FIELD_WORDS(side_word, "outside", "inside")


static const int LOOP[] = {0, 1, -1};

// clang-format off
#define AT(field) offsetof(artJointDef, field)
#define TWO_KEYS                                                                                   \
  {"from", KEY_END, .need = REQUIRED, .offset = AT(from), .beside = AT(from_offset),               \
   .help = "the body it starts from: `ground`, `crank`, `crank.tip` or {frame, position, orientation}"}, \
  {"to", KEY_END, .need = REQUIRED, .offset = AT(to), .beside = AT(to_offset),                     \
   .help = "the body it leads to, in the same ways"}
#define END_KEYS                                                                                   \
  TWO_KEYS,                                                                                        \
  {"at", KEY_VECTOR, Q_LENGTH, .offset = AT(at), .given = AT(in_ground),                           \
   .help = "where it sits in ground, at the reference configuration; without it the frames of `from` and `to` coincide at zero"}
#define LOOP_KEY                                                                                   \
  {"loop", KEY_CHOICE, .offset = AT(keep), .mark = "keep", .choice = loop_word, .values = LOOP,    \
   .fallback = "auto", .help = "where loops are cut: `keep` never here, `cut` here"},              \
  {0}
#define AXIS_KEY(words)                                                                            \
  {"axis", KEY_AXIS, .offset = AT(axis), .fallback = "z", .help = words}

#define ROTOR_KEY(quantity)                                                                        \
  {"rotor", KEY_NUMBER, quantity, .offset = AT(rotor), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,   \
   .help = "inertia of a rotor geared to the joint, seen at the joint (Jm G^2)"}

#define PITCH_KEY                                                                                  \
  {"pitch", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(pitch),                           \
   .help = "slide per radian of turn; `5 mm / rev` is an advance of 5 mm a turn"}
#define X_KEY                                                                                      \
  {"x", KEY_AXIS, .offset = AT(axis2), .mark = "axis2", .fallback = "chosen",                      \
   .help = "direction of the coordinate x in the plane"}
#define LENGTH_KEY                                                                                 \
  {"length", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(length),                       \
   .range = RANGE_CHECKED,                                                                         \
   .fallback = "the distance of the points at the reference configuration",                        \
   .help = "distance of the points"}
#define MASS_KEY                                                                                   \
  {"mass", KEY_NUMBER, Q_MASS, .offset = AT(mass), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,       \
   .help = "mass of the bar, which is uniform and thin"}

static const fieldKey plain_keys[] = {END_KEYS, LOOP_KEY};
static const fieldKey axis_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    LOOP_KEY};
static const fieldKey revolute_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    ROTOR_KEY(Q_INERTIA),
    {"closing", KEY_CHOICE, .offset = AT(closing), .choice = closing_word, .fallback = "angles",
     .help = "where it closes a loop: `angles` five rows, `vectors` six, of which one is redundant"},
    LOOP_KEY};
static const fieldKey prismatic_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    ROTOR_KEY(Q_MASS),
    LOOP_KEY};
static const fieldKey screw_keys[] = {
    END_KEYS,
    AXIS_KEY("its axis: in ground with `at`, else in the frames"),
    PITCH_KEY,
    ROTOR_KEY(Q_INERTIA),
    LOOP_KEY};
static const fieldKey universal_keys[] = {
    END_KEYS,
    {"axes", KEY_AXES, .offset = AT(axis), .mark = "axis", .fallback = "[x, y]",
     .help = "first axis, fixed in `from`, and second, fixed in `to`, square to each other"},
    LOOP_KEY};
static const fieldKey planar_keys[] = {
    END_KEYS,
    AXIS_KEY("normal of the plane"),
    X_KEY,
    LOOP_KEY};

static const fieldKey rod_keys[] = {
    {"from", KEY_END, .need = REQUIRED, .offset = AT(from), .beside = AT(from_offset),
     .help = "the point it starts from: `ground.p`, `crank.tip`, `crank` (its origin) or {frame, position}"},
    {"to", KEY_END, .need = REQUIRED, .offset = AT(to), .beside = AT(to_offset),
     .help = "the point it leads to, in the same ways"},
    LENGTH_KEY,
    MASS_KEY,
    {0}};

#define OWN_AXIS_KEY(words)                                                                        \
  {"axis", KEY_AXIS, .offset = AT(axis2), .mark = "axis2", .fallback = "y", .help = words}
#define RADIUS_KEY                                                                                 \
  {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(length), .mark = "length",       \
   .range = RANGE_CHECKED, .help = "its radius"}
#define SURFACE_KEYS                                                                               \
  {"surface", KEY_CHOICE, .offset = AT(surface), .choice = surface_word, .fallback = "plane",      \
   .help = "what it is on, in `from`: the x-y plane, a sphere about the origin, a cylinder about z, a cone that opens from the origin along z"}, \
  {"side", KEY_CHOICE, .offset = AT(inside), .mark = "inside", .choice = side_word,                \
   .fallback = "outside", .help = "of a sphere, cylinder or cone"},                                \
  {"surface_radius", KEY_NUMBER, Q_LENGTH, .offset = AT(surface_radius), .above_zero = true,       \
   .range = RANGE_CHECKED, .fallback = "none", .help = "of a sphere or cylinder"},                 \
  {"half_angle", KEY_NUMBER, Q_ANGLE, .offset = AT(half_angle), .above_zero = true,                \
   .range = RANGE_CHECKED, .fallback = "none", .help = "of a cone, between its axis and its side"}, \
  {"road", KEY_ROAD, .offset = AT(road), .fallback = "none",                                       \
   .help = "one of `roads` instead: heights along z over the x-y plane of `from`"}
static const fieldKey disc_keys[] = {
    TWO_KEYS,
    OWN_AXIS_KEY("axis of the disc, in `to`"),
    RADIUS_KEY,
    SURFACE_KEYS,
    {0}};
static const fieldKey ball_keys[] = {
    TWO_KEYS,
    RADIUS_KEY,
    SURFACE_KEYS,
    {0}};
static const fieldKey edge_keys[] = {
    TWO_KEYS,
    OWN_AXIS_KEY("across the blade, in `to`"),
    SURFACE_KEYS,
    {0}};

// everything that a program may give: unused numbers are checked, too
static const fieldKey whole_keys[] = {
    END_KEYS, AXIS_KEY("the axis, or the first one"), X_KEY, PITCH_KEY, ROTOR_KEY(Q_INERTIA),
    LENGTH_KEY, MASS_KEY, SURFACE_KEYS, LOOP_KEY};
static const fieldForm whole = {.name = "joint", .keys = whole_keys};

static const fieldForm fixed = {.name = "joint", .type = "fixed", .keys = plain_keys,
    .help = "No motion.",
    .foreign = "weld rigid fix welded clamp lock locked bolt bolted glue attach static"};
static const fieldForm revolute = {.name = "joint", .type = "revolute", .keys = revolute_keys,
    .help = "Turns about an axis.",
    .foreign = "hinge pin pivot rotary rotational rotation r continuous turning bearing revolution "
               "swivel knuckle"};
static const fieldForm prismatic = {.name = "joint", .type = "prismatic", .keys = prismatic_keys,
    .help = "Slides along an axis.",
    .foreign = "slide slider translational translation linear p sliding sleeve piston telescopic "
               "translate"};
static const fieldForm screw = {.name = "joint", .type = "screw", .keys = screw_keys,
    .help = "Turns about an axis and slides along it by `pitch` times the angle.",
    .foreign = "helical thread leadscrew helix h ballscrew"};
static const fieldForm cylindrical = {.name = "joint", .type = "cylindrical", .keys = axis_keys,
    .help = "Slides along an axis and turns about it.",
    .foreign = "cylinder c cylindric"};
static const fieldForm universal = {.name = "joint", .type = "universal", .keys = universal_keys,
    .help = "Turns about two axes that cross at right angles.",
    .foreign = "hooke hookes cardan cardanic u cross gimbal constantvelocity cv"};
static const fieldForm planar = {.name = "joint", .type = "planar", .keys = planar_keys,
    .help = "Slides in a plane and turns about its normal.",
    .foreign = "plane inplane flat 2d e"};
static const fieldForm spherical = {.name = "joint", .type = "spherical", .keys = plain_keys,
    .help = "Turns about a point, without singular attitudes.",
    .foreign = "ball ballandsocket socket sphere balljoint s rodend"};
static const fieldForm free_joint = {.name = "joint", .type = "free", .keys = plain_keys,
    .help = "Leaves all six motions free.",
    .foreign = "floating float freemotion freebody sixdof 6dof 6 none unconstrained dof6"};
static const fieldForm rod = {.name = "joint", .type = "rod", .keys = rod_keys,
    .help = "Keeps two points at a distance: a bar with a ball joint at each end.",
    .foreign = "distance link bar rigidlink connectingrod strut composite sphericalspherical tierod "
               "cable"};

static const fieldForm rolling_disc = {.name = "joint", .type = "rolling-disc", .keys = disc_keys,
    .help = "The rim of a thin disc rolls without slip on a plane, road or round surface.",
    .foreign = "rolling roll wheel hoop rollingwheel nonholonomic rollingwithoutslip"};
static const fieldForm rolling_ball = {.name = "joint", .type = "rolling-ball", .keys = ball_keys,
    .help = "A ball rolls without slip on a plane, road or round surface.",
    .foreign = "rollingsphere"};
static const fieldForm knife_edge = {.name = "joint", .type = "knife-edge", .keys = edge_keys,
    .help = "A blade glides on a plane, road or round surface, forward only.",
    .foreign = "skate blade knife edge runner"};

//---- motions and rows ----------------------------------------------------------------------------

static const jointCoordinate no_coordinates[] = {{0}};
static const jointCoordinate turn[] = {
    {"angle", Q_ANGLE, true}, {"rate", Q_RATE, false}, {0}};
static const jointCoordinate slide[] = {
    {"slide", Q_LENGTH, true}, {"rate", Q_VELOCITY, false}, {0}};
static const jointCoordinate slide_and_turn[] = {
    {"slide", Q_LENGTH, true}, {"angle", Q_ANGLE, true},
    {"slide_rate", Q_VELOCITY, false}, {"angle_rate", Q_RATE, false}, {0}};
static const jointCoordinate two_turns[] = {
    {"angle1", Q_ANGLE, true}, {"angle2", Q_ANGLE, true},
    {"angle1_rate", Q_RATE, false}, {"angle2_rate", Q_RATE, false}, {0}};
static const jointCoordinate in_plane[] = {
    {"x", Q_LENGTH, true}, {"y", Q_LENGTH, true}, {"angle", Q_ANGLE, true},
    {"x_rate", Q_VELOCITY, false}, {"y_rate", Q_VELOCITY, false}, {"angle_rate", Q_RATE, false},
    {0}};
static const jointCoordinate attitude[] = {
    {"qw", Q_NUMBER, true}, {"qx", Q_NUMBER, true}, {"qy", Q_NUMBER, true}, {"qz", Q_NUMBER, true},
    {"wx", Q_RATE, false}, {"wy", Q_RATE, false}, {"wz", Q_RATE, false}, {0}};
static const jointCoordinate six[] = {
    {"x", Q_LENGTH, true}, {"y", Q_LENGTH, true}, {"z", Q_LENGTH, true},
    {"qw", Q_NUMBER, true}, {"qx", Q_NUMBER, true}, {"qy", Q_NUMBER, true}, {"qz", Q_NUMBER, true},
    {"vx", Q_VELOCITY, false}, {"vy", Q_VELOCITY, false}, {"vz", Q_VELOCITY, false},
    {"wx", Q_RATE, false}, {"wy", Q_RATE, false}, {"wz", Q_RATE, false}, {0}};


#define SLIDES SLIDE_X, SLIDE_Y, SLIDE_Z
#define TILTS  TURN_X, TURN_Y
const jointKind joint_kinds[] = {
    [ART_FIXED] = {no_coordinates, 1, {LINK_FIXED}, .nrow = 6, .row = {SLIDES, TILTS, TURN_Z}},
    [ART_REVOLUTE] = {turn, 1, {LINK_REVOLUTE}, .nrow = 5, .row = {SLIDES, TILTS}, .has_axis = true},
    [ART_PRISMATIC] = {slide, 1, {LINK_PRISMATIC},
        .nrow = 5, .row = {SLIDE_X, SLIDE_Y, TILTS, TURN_Z}, .has_axis = true},
    [ART_SCREW] = {turn, 1, {LINK_SCREW},
        .nrow = 5, .row = {SLIDE_X, SLIDE_Y, TILTS, THREAD}, .has_axis = true},
    [ART_CYLINDRICAL] = {slide_and_turn, 2, {LINK_PRISMATIC, LINK_REVOLUTE},
        .nrow = 4, .row = {SLIDE_X, SLIDE_Y, TILTS}, .has_axis = true},
    [ART_UNIVERSAL] = {two_turns, 2, {LINK_REVOLUTE, LINK_REVOLUTE},
        {LINK_ALONG_Z, LINK_ALONG_AXIS2}, .nrow = 4, .row = {SLIDES, SQUARE}, .has_axis = true},
    [ART_PLANAR] = {in_plane, 3, {LINK_PRISMATIC, LINK_PRISMATIC, LINK_REVOLUTE},
        {LINK_ALONG_X, LINK_ALONG_Y, LINK_ALONG_Z},
        .nrow = 3, .row = {SLIDE_Z, TILTS}, .has_axis = true, .has_x = true},
    [ART_SPHERICAL] = {attitude, 1, {LINK_SPHERICAL}, .nrow = 3, .row = {SLIDES}},
    [ART_FREE] = {six, 1, {LINK_FREE}, .nrow = 0},
    [ART_ROD] = {no_coordinates, 1, {LINK_FIXED}, .nrow = 1, .row = {LENGTH}, .has_axis = true},
    [ART_ROLLING_DISC] = {no_coordinates, 1, {LINK_FIXED},
        .nrow = 1, .row = {DISC_GAP}, .roll = ROLL_DISC},
    [ART_ROLLING_BALL] = {no_coordinates, 1, {LINK_FIXED},
        .nrow = 1, .row = {BALL_GAP}, .roll = ROLL_BALL},
    [ART_KNIFE_EDGE] = {no_coordinates, 1, {LINK_FIXED},
        .nrow = 1, .row = {SLIDE_Z}, .roll = ROLL_EDGE},
};
// clang-format on

const int joint_latches[] = {
    ART_FIXED, ART_REVOLUTE, ART_PRISMATIC, ART_CYLINDRICAL, ART_PLANAR, ART_SPHERICAL, -1};


const rowKind *joint_closing_rows(const artJointDef *def, int *n)
{
  static const rowKind by_vectors[] = {SLIDES, EQUAL_1, EQUAL_2, EQUAL_3}, curved[] = {CURVED_GAP};
  const bool has_vectors = joint_is_hinge(def->type) && def->closing == ART_CLOSE_BY_VECTORS;
  const bool is_curved = joint_roll(def->type) != ROLL_NONE && !joint_rolls_on_plane(def);
  *n = has_vectors ? 6 : joint_kinds[def->type].nrow;
  return has_vectors ? by_vectors : is_curved ? curved : joint_kinds[def->type].row;
}


artJointType joint_of_link(linkKind link)
{
  int type = 0;
  while (joint_kinds[type].nlink > 1 || joint_kinds[type].link[0] != link) type++;
  return (artJointType) type;
}


//---- forms ---------------------------------------------------------------------------------------

// in the order of artJointType
const fieldForm *const reader_forms_joint[] = {
    &fixed,     &revolute,   &prismatic, &screw,        &cylindrical,  &universal,  &planar,
    &spherical, &free_joint, &rod,       &rolling_disc, &rolling_ball, &knife_edge, NULL,
};

// clang-format off
static const fieldKey end_keys[] = {
    {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = offsetof(readerEnd, frame),
     .help = "a body or a frame of it: `crank`, `crank.tip`"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(readerEnd, offset.position),
     .fallback = "[0, 0, 0]", .help = "origin of the joint frame, in that frame"},
    {"orientation", KEY_ORIENTATION, .offset = offsetof(readerEnd, offset.rotation),
     .fallback = "[1, 0, 0, 0]", .help = "of the joint frame, in that frame"},
    {0}};
// clang-format on
const fieldForm reader_form_end = {.name = "joint end", .keys = end_keys, .is_part = true};


artJointDef art_default_joint_of(artJointType type)
{
  artJointDef def = {.type = type};
  field_set_defaults(&whole, &def);
  if ((unsigned) type < ART_JOINT_TYPES) field_set_defaults(reader_forms_joint[type], &def);
  return def;
}


artJointDef art_default_joint(void)
{
  return art_default_joint_of(ART_REVOLUTE);
}


const char *art_joint_type_name(artJointType type)
{
  return (unsigned) type < ART_JOINT_TYPES ? reader_forms_joint[type]->type : "unknown";
}


//---- checks --------------------------------------------------------------------------------------

// the second axis of universal joints, and of planar ones that have one, is square to the first
static void check_second_axis(const fieldCheck *c, const artJointDef *def)
{
  const double *x = def->axis, *y = def->axis2;
  const double one = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double two = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  if (def->type != ART_UNIVERSAL && (def->type != ART_PLANAR || two == 0)) return;

  const double dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  if (!(two > 1e-100 && two < 1e100)) {
    field_refuse(c, "axis2", "universal joint '%s' needs a second axis, square to the first",
                 def->name);
  } else if (fabs(dot) > 1e-9 * one * two) {
    field_refuse(c, "axis2",
                 "the axes of joint '%s' are at %.6g degrees; they must be perpendicular to each "
                 "other",
                 def->name, acos(dot / (one * two)) * 180 / acos(-1.0));
  }
}


// a surface has the numbers that it needs, and no others
static void check_surface_numbers(const fieldCheck *c, const artJointDef *def)
{
  const char *word = surface_word((int) def->surface);
  const bool is_round = def->surface == ART_ROLL_SPHERE || def->surface == ART_ROLL_CYLINDER;
  if (def->road && def->surface != ART_ROLL_PLANE)
    field_refuse(c, "surface", "'%s' rolls on a road or on a %s: remove one of them", def->name,
                 word);
  if (def->inside && def->surface == ART_ROLL_PLANE)
    field_refuse(c, "inside", "'%s' rolls on a %s, which has no inside", def->name,
                 def->road ? "road" : word);
  if (is_round && !(def->surface_radius > 0 && isfinite(def->surface_radius)))
    field_refuse(c, "surface_radius", "'%s' rolls on a %s: give its 'surface_radius', above zero",
                 def->name, word);
  if (!is_round && def->surface_radius != 0)
    field_refuse(c, "surface_radius", "'surface_radius' of '%s' is for a sphere or cylinder",
                 def->name);
  if (def->surface == ART_ROLL_CONE && !(def->half_angle > 0 && def->half_angle < 0.5 * acos(-1.0)))
    field_refuse(c, "half_angle",
                 "'%s' rolls on a cone: give its 'half_angle', between 0 and 90 degrees",
                 def->name);
  if (def->surface != ART_ROLL_CONE && def->half_angle != 0)
    field_refuse(c, "half_angle", "'half_angle' of '%s' is for a cone", def->name);
}


static void check_surface(const fieldCheck *c, const artJointDef *def)
{
  field_check_member(c, "surface", (int) def->surface, 0, ART_ROLL_CONE);
  field_check_member(c, "inside", def->inside, 0, 1);
  check_surface_numbers(c, def);
  const rollKind roll = joint_roll(def->type);
  const bool is_bound = roll == ROLL_BALL || (roll == ROLL_DISC && def->surface == ART_ROLL_SPHERE);
  if (!is_bound || !def->inside || def->surface == ART_ROLL_CONE) return;
  if (def->length < def->surface_radius) return;
  field_refuse(c, "length",
               "the radius of '%s' is %g m, that of the %s around it %g m: it must be smaller",
               def->name, def->length, surface_word((int) def->surface), def->surface_radius);
}


// numbers of what rolls; joints that only close loops are always cut
static void check_rolling(const fieldCheck *c, artJointDef *def)
{
  const rollKind roll = joint_roll(def->type);
  if (joint_only_closes(def->type)) def->keep = -1;
  if (roll == ROLL_NONE) return;
  if (def->in_ground) {
    field_refuse(c, "at",
                 "%s joint '%s' has no 'at': its plane is that of 'from', its place in 'to'",
                 art_joint_type_name(def->type), def->name);
  }
  if (roll != ROLL_EDGE && !(def->length > 0 && isfinite(def->length))) {
    field_refuse(c, "length", "the radius of '%s' is %g, a positive number is wanted", def->name,
                 def->length);
  }
  if (roll != ROLL_BALL) field_check_axis(c, "axis2", "joint", def->axis2);
  check_surface(c, def);
}


static void check_joint_definition(const fieldCheck *c, void *from)
{
  artJointDef *def = from;
  const bool has_one_coordinate =
      def->type == ART_REVOLUTE || def->type == ART_PRISMATIC || def->type == ART_SCREW;
  field_check_member(c, "keep", def->keep, -1, 1);
  field_check_member(c, "closing", (int) def->closing, 0, ART_CLOSE_BY_VECTORS);
  field_check_axis(c, "axis", "joint", def->axis);
  check_second_axis(c, def);
  if (def->type == ART_ROD) field_check_positive(c, "length", def->length, 1);
  if ((unsigned) def->type < ART_JOINT_TYPES) check_rolling(c, def);
  if (def->rotor > 0 && !has_one_coordinate) {
    field_refuse(c, "rotor",
                 "%s joint '%s' cannot have a rotor; only joints with one coordinate can",
                 art_joint_type_name(def->type), def->name);
  }
}


//---- in files ------------------------------------------------------------------------------------

// with `at` everything is given in ground, and a frame or an offset would be a second answer
static void check_end(const yamlNode *item, const char *key, const char *end)
{
  const yamlNode *node = yaml_find(item, key);
  if (node->kind != NODE_MAPPING && !strchr(end, '.')) return;
  error_refuse(node->place,
               "a joint with 'at' sits where 'at' says; name only the body in '%s', or leave "
               "out 'at'",
               key);
}


static void read_joint_item(modelReader *reader, const yamlNode *item, int type, void *from)
{
  artJointDef *def = from;
  (void) type;
  def->name = item->key;
  if (def->in_ground) check_end(item, "from", def->from);
  if (def->in_ground) check_end(item, "to", def->to);
  reader_built(reader, art_add_joint(reader->builder, def));
  reader_add_joint(reader, item->key, def->type);
}


static void start_joint_definition(int type, void *def)
{
  *(artJointDef *) def = art_default_joint_of((artJointType) type);
}


const itemFamily item_joint = {.what = "joint",
                               .forms = reader_forms_joint,
                               .whole = &whole,
                               .size = sizeof(artJointDef),
                               .type = offsetof(artJointDef, type),
                               ITEM_RECORDS(joints, jointRecord),
                               .start = start_joint_definition,
                               .read = read_joint_item,
                               .check = check_joint_definition};
