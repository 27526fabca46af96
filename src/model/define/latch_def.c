// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks, latches and ropes: the fields of each type, their defaults and checks, and their section in model files.
#include "model/define/records.h"
#include "model/read/reader.h"

static const char *joint_word(int i)
{
  return joint_latches[i] >= 0 ? art_joint_type_name((artJointType) joint_latches[i]) : NULL;
}


// clang-format off
#define AT(field) offsetof(artLatchDef, field)
FIELD_HAS_TERMS(artLatchDef);

#define CONDITION_KEYS                                                                             \
  {"while", KEY_FORMULA, .offset = AT(engage), .mark = "engage", .rival = "engage",             \
   .help = "it is engaged while this formula is positive"},                                        \
  {"engage", KEY_FORMULA, .offset = AT(engage), .mark = "engage", .rival = "while",            \
   .help = "it engages when this formula becomes positive"},                                       \
  {"release", KEY_FORMULA, .offset = AT(release), .mark = "release", .rival = "while",         \
   .help = "and releases when this one does"},                                                     \
  {"engaged", KEY_FLAG, .offset = AT(engaged), .fallback = "false",                            \
   .help = "at the start"}

static const fieldKey lock_keys[] = {
    {"coordinate", KEY_TERM, .need = ONE_OF, .offset = AT(n), .rival = "coordinates",
     .help = "the joint coordinate that it holds, `pin.angle` or `pin`"},
    {"coordinates", KEY_COMBINATION, .need = ONE_OF, .offset = AT(n), .mark = "coordinate",
     .rival = "coordinate", .help = "or several of them with factors, of which it holds the sum"},
    CONDITION_KEYS,
    {0}};
static const fieldKey latch_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .help = "the two frames, as `body.frame`, `body` or `ground`"},
    {"joint", KEY_CHOICE, .offset = AT(joint), .choice = joint_word,
     .values = joint_latches, .fallback = "fixed",
     .help = "what joins them"},
    {"axis", KEY_AXIS, .offset = AT(axis), .fallback = "z",
     .help = "of the joint, in the second frame"},
    {"distance", KEY_NUMBER, Q_LENGTH, .offset = AT(distance), .above_zero = true,
     .range = RANGE_NOT_NEGATIVE,
     .help = "it engages when the origins of the frames come nearer than this"},
    CONDITION_KEYS,
    {0}};
static const fieldKey rope_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(length),
     .range = RANGE_POSITIVE,
     .help = "their largest distance"},
    {"engaged", KEY_FLAG, .offset = AT(engaged), .fallback = "false",
     .help = "taut at the start"},
    {0}};

static const fieldForm lock = {.name = "latch", .type = "lock", .keys = lock_keys,
    .help = "A coordinate stays, while the lock is engaged, where it was at that instant."};
static const fieldForm latch = {.name = "latch", .type = "latch", .keys = latch_keys,
    .help = "Two frames stay to each other as they were when the latch engaged."};
static const fieldForm rope = {.name = "latch", .type = "rope", .keys = rope_keys,
    .help = "Two points are never farther apart than the length; the rope pulls and does not push."};
// clang-format on

// in the order of artLatchType
const fieldForm *const reader_forms_latch[] = {&lock, &latch, &rope, NULL};


artLatchDef art_default_latch(void)
{
  artLatchDef def = {0};
  field_set_defaults(&latch, &def);
  return def;
}


const char *art_latch_type_name(artLatchType type)
{
  return (unsigned) type < ART_LATCH_TYPES ? reader_forms_latch[type]->type : "unknown";
}


//---- checks --------------------------------------------------------------------------------------

static void check_lock(const fieldCheck *c, const artLatchDef *def)
{
  for (int i = 0; i < def->n; i++) {
    if (def->coefficient[i] != 0) return;
  }
  field_refuse_all(c, "lock '%s' has no factor but zero, so that it would hold nothing", def->name);
}


static void check_latch_joint(const fieldCheck *c, const artLatchDef *def)
{
  field_check_axis(c, "axis", "latch", def->axis);
  for (int i = 0; joint_word(i); i++) {
    if ((int) def->joint == joint_latches[i]) return;
  }
  field_refuse(c, "joint",
               "latch '%s' has a joint of type %s; only joints that nothing but an axis describes "
               "can latch",
               def->name, art_joint_type_name(def->joint));
}


// besides its fields: whether anything can ever engage it
static void check_latch(const fieldCheck *c, void *from)
{
  const artLatchDef *def = from;
  const bool has_condition = def->engage || (def->type == ART_LATCH && def->distance > 0);
  if (def->type == ART_LOCK) check_lock(c, def);
  if (def->type == ART_LATCH) check_latch_joint(c, def);
  if (def->type == ART_ROPE && (def->engage || def->release)) {
    field_refuse_all(c, "rope '%s' has a formula; ropes become taut and slack by themselves",
                     def->name);
  } else if (def->type != ART_ROPE && !def->engaged && !has_condition) {
    field_refuse_all(c, "%s '%s' never engages: give 'engage'%s, or let it be engaged at the start",
                     art_latch_type_name(def->type), def->name,
                     def->type == ART_LATCH ? " or 'distance'" : "");
  }
}


//---- in files ------------------------------------------------------------------------------------

// `while: f` is `engage: f` with `release: -(f)`
static void read_latch(modelReader *reader, const yamlNode *item, int type, void *from)
{
  artLatchDef *def = from;
  def->name = item->key;
  def->type = (artLatchType) type;
  if (yaml_find(item, "while")) {
    def->release = arena_format(&reader->arena, "-(%s)", def->engage);
  }
  reader_built(reader, art_add_latch(reader->builder, def));
}


const itemFamily item_latch = {.what = "latch",
                               .is_called_by_type = 1,
                               .forms = reader_forms_latch,
                               .size = sizeof(artLatchDef),
                               .type = offsetof(artLatchDef, type),
                               ITEM_RECORDS(latches, latchRecord),
                               .read = read_latch,
                               .check = check_latch};
