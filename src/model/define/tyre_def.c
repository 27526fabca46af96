// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres, the laws that wheels share: the fields of each type, their defaults, and their section in model files.
// src/tyre checks the numbers when it makes a tyre.
#include "articula/tyre.h"
#include "base/file.h"
#include "base/throw.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"
#include "tyre/tyre.h"

typedef struct magicText {
  const char *file;
  int mirrored;
  const yamlNode *scale;
} magicText;

// clang-format off
// every definition from numbers begins with the radial one
#define RADIAL_KEYS                                                                                \
  {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artRadialTyre, radius),                  \
   .help = "without load"},                                                                        \
  {"stiffness", KEY_NUMBER, Q_STIFFNESS, .need = REQUIRED, .offset = offsetof(artRadialTyre, stiffness),         \
   .help = "load per deflection along the road's normal"},                                         \
  {"damping", KEY_NUMBER, Q_DAMPING, .offset = offsetof(artRadialTyre, damping), FALLBACK(0),                \
   .help = "load per rate of the deflection"},                                                     \
  {"load", KEY_NUMBER, Q_FORCE, .need = REQUIRED, .offset = offsetof(artRadialTyre, load),                       \
   .help = "the nominal load"}

#define RELAXATION_KEYS(T)                                                                         \
  {"relaxation_x", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(T, relaxation[0]), \
   .fallback = "a tenth of the radius", .help = "relaxation length of the longitudinal slip"},     \
  {"relaxation_y", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(T, relaxation[1]), \
   .fallback = "a tenth of the radius", .help = "relaxation length of the slip angle"}

static const fieldKey magic_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = offsetof(magicText, file),
     .help = "path of a `.tir` file of version 5.2, 6.1 or 6.2, relative to this file"},
    {"mirrored", KEY_FLAG, .offset = offsetof(magicText, mirrored), .fallback = "false",
     .help = "mounted on the other side of the vehicle than where it was measured"},
    {"scale", KEY_PARAMETERS, .offset = offsetof(magicText, scale),
     .help = "numbers that replace the ones in the file, in SI units: `{LMUY: 0.8}`"},
    {0}};
static const fieldKey bakker_keys[] = {
    RADIAL_KEYS,
    {"side", KEY_ROW, .offset = offsetof(artBakkerTyre, side), .count = 13, .fallback = "the paper's",
     .help = "a1 to a13 of the side force, as in the paper"},
    {"brake", KEY_ROW, .offset = offsetof(artBakkerTyre, brake), .count = 8, .fallback = "the paper's",
     .help = "a1 to a8 of the brake force"},
    {"align", KEY_ROW, .offset = offsetof(artBakkerTyre, align), .count = 13, .fallback = "the paper's",
     .help = "a1 to a13 of the self-aligning moment"},
    RELAXATION_KEYS(artBakkerTyre),
    {0}};
static const fieldKey calspan_keys[] = {
    RADIAL_KEYS,
    {"A0", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, A0), .help = "cornering stiffness at no load"},
    {"A1", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, A1), .help = "its growth with the load"},
    {"A2", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, A2), .help = "the load at which it stops growing"},
    {"A3", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, A3), .help = "camber stiffness"},
    {"A4", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, A4), .help = "its load"},
    {"Aomega", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, Aomega), .help = "load limit in units of A2"},
    {"B1", KEY_NUMBER, .offset = offsetof(artCalspanTyre, B1), FALLBACK(0), .help = "friction: linear in the load"},
    {"B3", KEY_NUMBER, .need = REQUIRED, .offset = offsetof(artCalspanTyre, B3), .help = "friction at no load"},
    {"B4", KEY_NUMBER, .offset = offsetof(artCalspanTyre, B4), FALLBACK(0), .help = "friction: quadratic in the load"},
    {"SN", KEY_NUMBER, .above_zero = true, .offset = offsetof(artCalspanTyre, SN), FALLBACK(1), .help = "skid number of the road over that of the test"},
    {"AF1", KEY_NUMBER, .offset = offsetof(artCalspanTyre, AF1), FALLBACK(0), .help = "aligning moment: first coefficient"},
    {"AF2", KEY_NUMBER, .offset = offsetof(artCalspanTyre, AF2), FALLBACK(0), .help = "aligning moment: second coefficient"},
    RELAXATION_KEYS(artCalspanTyre),
    {0}};
static const fieldKey linear_keys[] = {
    RADIAL_KEYS,
    {"slip", KEY_NUMBER, Q_FORCE, .offset = offsetof(artLinearTyre, slip), FALLBACK(0),
     .help = "longitudinal force per slip at the nominal load"},
    {"cornering", KEY_NUMBER, Q_FORCE, .offset = offsetof(artLinearTyre, cornering), FALLBACK(0),
     .help = "lateral force per radian of slip angle"},
    {"camber", KEY_NUMBER, Q_FORCE, .offset = offsetof(artLinearTyre, camber), FALLBACK(0),
     .help = "lateral force per radian of camber"},
    {"trail", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artLinearTyre, trail), FALLBACK(0),
     .help = "arm of the self-aligning moment"},
    {"friction", KEY_NUMBER, .above_zero = true, .offset = offsetof(artLinearTyre, friction), .fallback = "no limit",
     .help = "largest horizontal force per load"},
    RELAXATION_KEYS(artLinearTyre),
    {0}};
static const fieldKey radial_keys[] = {RADIAL_KEYS, {0}};

static const fieldForm magic = {.name = "tyre", .type = "magic", .keys = magic_keys,
    .help = "Magic Formula from a .tir file."};
static const fieldForm bakker = {.name = "tyre", .type = "bakker", .keys = bakker_keys,
    .help = "Bakker, Nyborg and Pacejka, 1987."};
static const fieldForm calspan = {.name = "tyre", .type = "calspan", .keys = calspan_keys,
    .help = "Calspan, side force alone."};
static const fieldForm linear = {.name = "tyre", .type = "linear", .keys = linear_keys,
    .help = "Stiffnesses in proportion to the load."};
static const fieldForm radial = {.name = "tyre", .type = "radial", .keys = radial_keys,
    .help = "Spring and damper along the road's normal alone."};
// clang-format on

enum { MAGIC, BAKKER, CALSPAN, LINEAR, RADIAL };
const fieldForm *const reader_forms_tyre[] = {&magic, &bakker, &calspan, &linear, &radial, NULL};

#define DEFAULTS(word, T)                                                                          \
  T art_default_##word##_tyre(void)                                                                \
  {                                                                                                \
    T def = {0};                                                                                   \
    field_set_defaults(&word, &def);                                                               \
    return def;                                                                                    \
  }
DEFAULTS(radial, artRadialTyre)
DEFAULTS(linear, artLinearTyre)
DEFAULTS(calspan, artCalspanTyre)


//---- in files ------------------------------------------------------------------------------------

static void scale_magic(modelReader *reader, const yamlNode *scale, artTyre *tyre)
{
  reader_check_mapping(scale, "keys of the tyre and numbers");
  for (const yamlNode *key = scale->first; key; key = key->next) {
    double number = 0;
    artError why = {0};
    reader_read_number(reader, key, UNIT_ANY, &number, NULL);
    if (art_set_tyre_number(tyre, key->key, number, &why) != ART_OK) {
      error_refuse(key->key_place, "%s", why.text);
    }
    double *own = magic_number(&tyre->magic, key->key);
    live_settle(reader->builder, &number, own, sizeof number);
  }
}


static artStatus read_bytes(const char *path, artPlace place, char **bytes, size_t *size,
                            artError *error)
{
  (void) place;
  return file_read(path, bytes, size, error);
}


static void load_magic(modelReader *reader, const magicText *text, artTyre **tyre, artError *why)
{
  const char *path = reader_path(reader, text->file);
  const char *bytes = NULL;
  size_t size = 0;
  if (mistakes_bytes(reader->kept, read_bytes, path, base_nowhere(), &bytes, &size, why) ||
      art_parse_tyre(tyre, bytes, size, path, why)) {
    return;
  }
  if (text->scale) scale_magic(reader, text->scale, *tyre);
  if (text->mirrored) art_mirror_tyre(*tyre);
}


// Numbers that parameters give belong to the tyre from here on: load and deflection, relaxation, and the numbers of its forces.
static void settle_numbers(modelReader *reader, int type, void *def, artTyre *tyre)
{
  artBuilder *b = reader->builder;
  if (type == MAGIC) return;
  live_settle(b, def, &tyre->radial, sizeof tyre->radial);
  const double *relaxation = type == LINEAR    ? ((artLinearTyre *) def)->relaxation
                             : type == BAKKER  ? ((artBakkerTyre *) def)->relaxation
                             : type == CALSPAN ? ((artCalspanTyre *) def)->relaxation
                                               : NULL;
  if (!relaxation) return;
  live_settle(b, relaxation, tyre->relaxation, sizeof tyre->relaxation);
  live_settle(b, def, &tyre->linear, (size_t) ((const char *) relaxation - (const char *) def));
}


static void read_tyre(modelReader *reader, const yamlNode *item, int type, void *def)
{
  artTyre *tyre = NULL;
  artError why = {0};
  switch (type) {
  case MAGIC: load_magic(reader, def, &tyre, &why); break;
  case BAKKER: art_create_bakker_tyre(&tyre, def, &why); break;
  case CALSPAN: art_create_calspan_tyre(&tyre, def, &why); break;
  case LINEAR: art_create_linear_tyre(&tyre, def, &why); break;
  default: art_create_radial_tyre(&tyre, def, &why);
  }

  // mistakes that the tyre library finds have their place in this file
  if (why.status == ART_NO_MEMORY) error_throw();
  if (why.status) error_refuse(item->key_place, "tyre '%.60s': %s", item->key, why.text);
  settle_numbers(reader, type, def, tyre);
  reader_built(reader, art_add_tyre(reader->builder, item->key, tyre));
  art_free_tyre(tyre);
}


static void start_tyre(int type, void *def)
{
  if (type == BAKKER) *(artBakkerTyre *) def = art_default_bakker_tyre();
}


typedef union tyreText {
  magicText magic;
  artBakkerTyre bakker;
  artCalspanTyre calspan;
} tyreText;

const itemFamily item_tyre = {.what = "tyre",
                              .forms = reader_forms_tyre,
                              .size = sizeof(tyreText),
                              .start = start_tyre,
                              .read = read_tyre};
