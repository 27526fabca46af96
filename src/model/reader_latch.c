// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks, latches and ropes of a model file.
#include "model/reader.h"

typedef struct latchText {
  artLatchDef def;
  const char *coordinate; // lock: one of them
  readerTerms terms;      // or several
  const char *between[2]; // latch, rope
  const char *condition;  // engaged while it is positive
  int joint;              // latch: among the words
} latchText;

static const artJointType LATCH_JOINT[] = {ART_FIXED,       ART_REVOLUTE, ART_PRISMATIC,
                                           ART_CYLINDRICAL, ART_PLANAR,   ART_SPHERICAL};


static const char *joint_word(int i)
{
  return i < (int) (sizeof LATCH_JOINT / sizeof *LATCH_JOINT) ? art_joint_type_name(LATCH_JOINT[i])
                                                              : NULL;
}


// clang-format off
#define AT(field) offsetof(latchText, field)

#define CONDITION_KEYS                                                                             \
  {"while", KEY_FORMULA, .offset = AT(condition), .mark = "engage", .rival = "engage",             \
   .help = "it is engaged while this formula is positive"},                                        \
  {"engage", KEY_FORMULA, .offset = AT(def.engage), .mark = "engage", .rival = "while",            \
   .help = "it engages when this formula becomes positive"},                                       \
  {"release", KEY_FORMULA, .offset = AT(def.release), .mark = "release", .rival = "while",         \
   .help = "and releases when this one does"},                                                     \
  {"engaged", KEY_FLAG, .offset = AT(def.engaged), .fallback = "false",                            \
   .help = "at the start"}

static const fieldKey lock_keys[] = {
    {"coordinate", KEY_COORDINATE, .need = ONE_OF, .offset = AT(coordinate), .rival = "coordinates",
     .help = "the joint coordinate that it holds: `pin.angle`, or `pin` when the joint has one"},
    {"coordinates", KEY_COMBINATION, .need = ONE_OF, .offset = AT(terms), .mark = "coordinate",
     .rival = "coordinate", .help = "or several of them with factors, of which it holds the sum"},
    CONDITION_KEYS,
    {0}};
static const fieldKey latch_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(between), .mark = "from",
     .help = "the two frames, as `body.frame`, `body` or `ground`"},
    {"joint", KEY_CHOICE, .offset = AT(joint), .choice = joint_word, .fallback = "fixed",
     .help = "what joins them"},
    {"axis", KEY_AXIS, .offset = AT(def.axis), .fallback = "z",
     .help = "of the joint, in the second frame"},
    {"distance", KEY_NUMBER, Q_LENGTH, .offset = AT(def.distance), .above_zero = true,
     .help = "it engages when the origins of the frames come nearer than this"},
    CONDITION_KEYS,
    {0}};
static const fieldKey rope_keys[] = {
    {"between", KEY_BETWEEN, .need = REQUIRED, .offset = AT(between), .mark = "from",
     .help = "the two points, as `body.point`, `body` (its origin) or `ground`"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(def.length),
     .help = "their largest distance"},
    {"engaged", KEY_FLAG, .offset = AT(def.engaged), .fallback = "false",
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


// `while: f` is `engage: f` with `release: -(f)`
static artStatus put_condition(modelReader *reader, latchText *text)
{
  if (!text->condition) return ART_OK;
  text->def.engage = text->condition;
  text->def.release = arena_format(&reader->arena, "-(%s)", text->condition);
  return text->def.release ? ART_OK : base_no_memory(reader->error);
}


static artStatus add_latch(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  latchText text = {.def = art_default_latch()};
  artStatus status = reader_check_name(reader, item, "a latch", false);
  if (!status) status = reader_choose_form(reader, reader_forms_latch, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, reader_forms_latch[type], item, &text);
  if (!status) status = put_condition(reader, &text);
  if (status) return status;

  artLatchDef *def = &text.def;
  const int is_one = text.terms.n == 0;
  def->name = item->key;
  def->type = (artLatchType) type;
  def->n = is_one ? 1 : text.terms.n;
  def->coordinate = is_one ? &text.coordinate : text.terms.coordinate;
  def->coefficient = text.terms.factor;
  def->from = text.between[0];
  def->to = text.between[1];
  def->joint = LATCH_JOINT[text.joint];
  return art_add_latch(reader->builder, def);
}


artStatus reader_read_latches(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of latches");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = add_latch(reader, item);
  }
  return status;
}
