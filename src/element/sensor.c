// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sensors: formulas of quantities of the machine. The reading of a value x is
//
//   y = gain x + bias, limited, rounded to a multiple of the resolution, and delayed
//
// With d, v, w of a frame relative to another one, r_0, v_0, w_0 of the other, all in ground axes:
//
//   position       d = r - r_0               velocity   v - v_0 - w_0 x d        speed   |velocity|
//   acceleration   f = a - g, the specific force that an accelerometer shows, or a
//   gyro           w - w_0                   force, torque   on `to` of a joint, at the joint
//   distance       |r_2 - r_1|, and its rate (r_2 - r_1).(v_2 - v_1)/|r_2 - r_1|
//   angle          atan2(|a x b|, a.b) of the same axis of two frames
//
// Components along the axes of a frame, whose x axis is (xx, xy, xz):  x xx + y xy + z xz, ...
#include "element/block_parts.h"

#include <string.h>

#include "base/error.h"

// a vector in ground axes, as formulas
typedef struct textVector {
  const char *x, *y, *z;
} textVector;


//---- fields --------------------------------------------------------------------------------------

static const char *axis_word(int i)
{
  static const char *const words[] = {"x", "y", "z"};
  return i < 3 ? words[i] : NULL;
}


// clang-format off
#define AT(field) offsetof(artSensorDef, field)
#define CHAIN(measured)                                                                            \
    {"unit", KEY_UNIT, measured, .offset = AT(unit), .fallback = "that of the quantity", .help = "of the reading, where `gain` changes it"}, \
    {"gain", KEY_FORMULA, Q_ANY, .offset = AT(gain), .fallback = "1", .help = "reading per value"}, \
    {"bias", KEY_SOME_FORMULAS, Q_ANY, .offset = AT(bias), .fallback = "0", .help = "reading at the value 0; of a vector one, or one for each component"}, \
    {"limits", KEY_SOME_FORMULAS, Q_ANY, .may_be_infinite = true, .offset = AT(limits), .fallback = "none", .help = "least and largest reading; `inf`, `-inf`: none"}, \
    {"resolution", KEY_FORMULA, Q_ANY, .offset = AT(resolution), .fallback = "none", .help = "sampled: readings are multiples of it"}, \
    {"delay", KEY_NUMBER, Q_TIME, .offset = AT(delay), .range = RANGE_NOT_NEGATIVE, FALLBACK(0), .help = "sampled: how much later it shows; a multiple of `every`"}, \
    {"initial", KEY_NUMBER, Q_OWN, .offset = AT(initial), FALLBACK(0), .help = "sampled: reading until the first sample arrives"}, \
    BLOCK_CLOCK_KEYS(artSensorDef, "time between two samples")
#define FRAME {"frame", KEY_REFERENCE, .need = REQUIRED, .offset = AT(frame), .help = "the body or frame where it is"}
#define RELATIVE {"relative", KEY_REFERENCE, .offset = AT(relative), .fallback = "ground", .help = "body or frame that it is seen from, moving and turning with it"}
#define AXES(words) {"axes", KEY_REFERENCE, .offset = AT(axes), .fallback = words, .help = "body or frame along whose axes its components are"}
#define JOINT {"joint", KEY_TEXT, .need = REQUIRED, .offset = AT(joint), .help = "the joint that it is in; what it carries over to `to`"}
#define BETWEEN {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(between), .mark = "from", .help = "two bodies or frames"}

static const fieldKey position_keys[] = {FRAME, RELATIVE, AXES("axes of `relative`"), CHAIN(Q_LENGTH), {0}};
static const fieldKey velocity_keys[] = {FRAME, RELATIVE, AXES("axes of `relative`"), CHAIN(Q_VELOCITY), {0}};
static const fieldKey acceleration_keys[] = {FRAME, AXES("axes of `frame`"),
    {"gravity", KEY_FLAG, .offset = AT(gravity), .value = 1, .fallback = "true", .help = "whether it feels gravity, as accelerometers do"},
    CHAIN(Q_ACCELERATION), {0}};
static const fieldKey gyro_keys[] = {FRAME, RELATIVE, AXES("axes of `frame`"), CHAIN(Q_RATE), {0}};
static const fieldKey speed_keys[] = {FRAME, RELATIVE, CHAIN(Q_VELOCITY), {0}};
static const fieldKey force_keys[] = {JOINT, AXES("axes of ground"), CHAIN(Q_FORCE), {0}};
static const fieldKey torque_keys[] = {JOINT, AXES("axes of ground"), CHAIN(Q_TORQUE), {0}};
static const fieldKey distance_keys[] = {BETWEEN, CHAIN(Q_LENGTH), {0}};
static const fieldKey angle_keys[] = {BETWEEN,
    {"axis", KEY_CHOICE, .offset = AT(axis), .choice = axis_word, .fallback = "x", .help = "of both"}, CHAIN(Q_ANGLE), {0}};
static const fieldKey quantity_keys[] = {
    {"value", KEY_FORMULA, Q_ANY, .need = REQUIRED, .offset = AT(value), .help = "anything that formulas may name, as pin.angle"}, CHAIN(Q_ANY), {0}};
// clang-format on

//---- the chain -----------------------------------------------------------------------------------

static void sensor_check(const fieldCheck *c, void *from)
{
  const artSensorDef *def = from;
  const int is_sampled = def->every > 0;
  block_check_clock(c, (blockClock){def->every, def->offset});
  block_check_limits(c, "limits", &def->limits);
  if (!is_sampled && def->delay > 0) block_refuse(c, "delay", "a delay belongs to 'every'");
  if (!is_sampled && def->initial != 0) {
    block_refuse(c, "initial", "an initial reading belongs to 'every'");
  }
  if (!is_sampled && def->resolution) {
    block_refuse(c, "resolution", "a resolution belongs to 'every'");
  }
  if (is_sampled && def->delay > 0) (void) block_samples(c, def->delay, def->every);
  for (int i = 0; i < def->bias.count; i++) {
    if (!def->bias.name[i]) block_refuse(c, "bias", "one of the values is missing");
  }
  if ((unsigned) def->axis > 2) block_refuse(c, "axis", "expected x, y or z");
  const char *const *ends = def->between;
  if (ends[0] && ends[1] && strcmp(ends[0], ends[1]) == 0) {
    block_refuse(c, "to", "expected two different bodies or frames, found '%s' twice", ends[0]);
  }
}


// biases and limits with the unit of the reading, and a positive resolution
static void require_units(const artSensorDef *def, partContext *c, const char *unit)
{
  for (int i = 0; i < def->bias.count; i++) {
    block_require_unit(c, "bias", def->bias.name[i], unit, 0);
  }
  block_require_limits(c, "limits", &def->limits, unit);
  block_require(c, PART_POSITIVE, "resolution", def->resolution, unit);
}


static void require_frames(const artSensorDef *def, partContext *c)
{
  block_require(c, PART_FRAME, "frame", def->frame, NULL);
  block_require(c, PART_FRAME, "relative", def->relative, NULL);
  block_require(c, PART_FRAME, "axes", def->axes, NULL);
  block_require(c, PART_FRAME, "from", def->between[0], NULL);
  block_require(c, PART_FRAME, "to", def->between[1], NULL);
}


// without a gain, a reading must have the unit of the measured quantity
static void check_unit(const artSensorDef *def, const partContext *c, const char *measured)
{
  baseUnit given, own;
  if (!def->unit || def->gain || !measured) return;
  const artPlace place = field_place(c->where, "unit");
  error_check(unit_parse(&given, def->unit, place, error_current()));
  error_check(unit_parse(&own, measured, place, error_current()));
  if (unit_agree(given.dimension, own.dimension)) return;
  error_refuse(place, "'%s' has the unit '%.40s' and measures %s; a 'gain' changes the unit",
               def->name, def->unit, measured);
}


// component `index` of `count` of a reading
typedef struct sensorPart {
  const char *tail, *text, *unit;
  int index, count;
} sensorPart;


static void add_reading(const artSensorDef *def, partContext *c, const sensorPart *part)
{
  const artNames *bias = &def->bias;
  const char *text = part->text;
  check_unit(def, c, part->unit);
  const char *unit = def->unit ? def->unit : def->gain ? NULL : part->unit;
  if (part->index == 0) require_frames(def, c);
  if (part->index == 0) require_units(def, c, unit);
  if (bias->count > 1 && bias->count != part->count) {
    error_refuse(field_place(c->where, "bias"), "'%s' has %d biases for %d component%s", def->name,
                 bias->count, part->count, part->count == 1 ? "" : "s");
  }
  if (def->gain) text = BLOCK_TEXT(c, "(%s)*(%s)", def->gain, text);
  if (bias->count) {
    text = BLOCK_TEXT(c, "%s + (%s)", text, bias->name[bias->count > 1 ? part->index : 0]);
  }
  text = block_clamped(c, &def->limits, text);
  if (def->resolution) {
    text = BLOCK_TEXT(c, "(%s)*floor((%s)/(%s) + 0.5)", def->resolution, text, def->resolution);
  }
  const char *mark = def->limits.count ? "limits" : def->joint ? "joint" : "frame";
  const elementPart reading = {.type = def->every > 0 ? PART_HELD : PART_SIGNAL,
                               .tail = part->tail,
                               .unit = unit,
                               .initial = def->initial,
                               .text = text,
                               .mark = mark,
                               .is_shown = true,
                               .every = def->every,
                               .offset = def->offset};
  const fieldCheck samples = {def->name, c->where};
  part_add_delayed(c, &reading,
                   def->delay > 0 ? block_samples(&samples, def->delay, def->every) : 0);
}


// three components in the axes of a frame (NULL: of ground)
static void sensor_add_vector(const artSensorDef *def, partContext *c, textVector v,
                              const char *axes, const char *unit)
{
  static const char *const tails[] = {"x", "y", "z"};
  const char *const own[] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++) {
    const char *t = tails[i];
    const char *text = axes ? BLOCK_TEXT(c, "((%s)*'/%s'.%sx + (%s)*'/%s'.%sy + (%s)*'/%s'.%sz)",
                                         v.x, axes, t, v.y, axes, t, v.z, axes, t)
                            : own[i];
    add_reading(def, c, &(sensorPart){t, text, unit, i, 3});
  }
}


static void add_number(const artSensorDef *def, partContext *c, const char *tail, const char *text,
                       const char *unit)
{
  add_reading(def, c, &(sensorPart){tail, text, unit, 0, 1});
}

//---- vectors of frames ---------------------------------------------------------------------------

// components stem + x, y, z of a frame minus those of another one (or NULL): '/a'.vx - '/b'.vx
static textVector sensor_difference(partContext *c, const char *a, const char *b, const char *stem)
{
  if (!b) {
    return (textVector){BLOCK_TEXT(c, "'/%s'.%sx", a, stem), BLOCK_TEXT(c, "'/%s'.%sy", a, stem),
                        BLOCK_TEXT(c, "'/%s'.%sz", a, stem)};
  }
  return (textVector){BLOCK_TEXT(c, "('/%s'.%sx - '/%s'.%sx)", a, stem, b, stem),
                      BLOCK_TEXT(c, "('/%s'.%sy - '/%s'.%sy)", a, stem, b, stem),
                      BLOCK_TEXT(c, "('/%s'.%sz - '/%s'.%sz)", a, stem, b, stem)};
}


// v - v_0 - w_0 x d
static textVector relative_velocity(partContext *c, const char *frame, const char *from)
{
  const textVector v = sensor_difference(c, frame, from, "v"),
                   d = sensor_difference(c, frame, from, "");
  if (!from) return v;
  return (textVector){BLOCK_TEXT(c, "(%s - '/%s'.wy*%s + '/%s'.wz*%s)", v.x, from, d.z, from, d.y),
                      BLOCK_TEXT(c, "(%s - '/%s'.wz*%s + '/%s'.wx*%s)", v.y, from, d.x, from, d.z),
                      BLOCK_TEXT(c, "(%s - '/%s'.wx*%s + '/%s'.wy*%s)", v.z, from, d.y, from, d.x)};
}


static void make_position(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  sensor_add_vector(def, c, sensor_difference(c, def->frame, def->relative, ""),
                    def->axes ? def->axes : def->relative, "m");
}


static void make_velocity(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  sensor_add_vector(def, c, relative_velocity(c, def->frame, def->relative),
                    def->axes ? def->axes : def->relative, "m/s");
}


static void make_acceleration(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  const textVector a = sensor_difference(c, def->frame, NULL, "a");
  textVector f = a;
  if (def->gravity) {
    f = (textVector){BLOCK_TEXT(c, "(%s - ground.gx)", a.x), BLOCK_TEXT(c, "(%s - ground.gy)", a.y),
                     BLOCK_TEXT(c, "(%s - ground.gz)", a.z)};
  }
  sensor_add_vector(def, c, f, def->axes ? def->axes : def->frame, "m/s^2");
}


static void make_gyro(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  sensor_add_vector(def, c, sensor_difference(c, def->frame, def->relative, "w"),
                    def->axes ? def->axes : def->frame, "rad/s");
}


static void make_speed(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  const textVector v = relative_velocity(c, def->frame, def->relative);
  add_number(def, c, NULL, BLOCK_TEXT(c, "sqrt((%s)^2 + (%s)^2 + (%s)^2)", v.x, v.y, v.z), "m/s");
}

//---- joints --------------------------------------------------------------------------------------

static void add_reaction(const artSensorDef *def, partContext *c, const char *stem,
                         const char *unit)
{
  const textVector v = {BLOCK_TEXT(c, "'%s'.%sx", def->joint, stem),
                        BLOCK_TEXT(c, "'%s'.%sy", def->joint, stem),
                        BLOCK_TEXT(c, "'%s'.%sz", def->joint, stem)};
  sensor_add_vector(def, c, v, def->axes, unit);
}


static void make_force(const void *from, partContext *c)
{
  add_reaction(from, c, "f", "N");
}


static void make_torque(const void *from, partContext *c)
{
  add_reaction(from, c, "t", "N m");
}

//---- between two frames --------------------------------------------------------------------------

static void make_distance(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  const textVector d = sensor_difference(c, def->between[1], def->between[0], "");
  const textVector v = sensor_difference(c, def->between[1], def->between[0], "v");
  const char *length = BLOCK_TEXT(c, "sqrt((%s)^2 + (%s)^2 + (%s)^2)", d.x, d.y, d.z);
  add_number(def, c, NULL, length, "m");
  if (def->bias.count || def->limits.count || def->resolution) return;
  add_number(
      def, c, "rate",
      BLOCK_TEXT(c, "((%s)*(%s) + (%s)*(%s) + (%s)*(%s))/%s", d.x, v.x, d.y, v.y, d.z, v.z, length),
      "m/s");
}


static void make_angle(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  const char *const axis = axis_word(def->axis);
  const textVector a = sensor_difference(c, def->between[0], NULL, axis);
  const textVector b = sensor_difference(c, def->between[1], NULL, axis);
  const char *across =
      BLOCK_TEXT(c, "sqrt((%s*%s - %s*%s)^2 + (%s*%s - %s*%s)^2 + (%s*%s - %s*%s)^2)", a.y, b.z,
                 a.z, b.y, a.z, b.x, a.x, b.z, a.x, b.y, a.y, b.x);
  add_number(
      def, c, NULL,
      BLOCK_TEXT(c, "atan2(%s, %s*%s + %s*%s + %s*%s)", across, a.x, b.x, a.y, b.y, a.z, b.z),
      "rad");
}


static void make_quantity(const void *from, partContext *c)
{
  const artSensorDef *def = from;
  block_add_input(c, "value", def->value);
  if (!def->gain) block_require_unit(c, "value", def->value, def->unit, 0);
  add_number(def, c, NULL, BLOCK_TEXT(c, "%s.value", c->self), NULL);
}


#define SENSOR(word, words)                                                                        \
  BLOCK_KIND(word##_sensor, "sensor", artSensorDef, #word, word##_keys, sensor_check, make_##word, \
             words)

SENSOR(position, "Place of a frame.");
SENSOR(velocity, "Velocity of the origin of a frame.");
SENSOR(acceleration, "An accelerometer.");
SENSOR(gyro, "Angular velocity of a frame.");
SENSOR(speed, "Magnitude of the velocity of the origin of a frame.");
SENSOR(force, "The force in a joint.");
SENSOR(torque, "The torque in a joint.");
SENSOR(distance, "The distance between two frames.");
SENSOR(angle, "The angle between axes of two frames.");
SENSOR(quantity, "Any quantity, as a joint coordinate.");
