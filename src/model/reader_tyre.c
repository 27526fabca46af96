// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres of a model file: laws that wheels share.
#include <string.h>

#include "articula/tyre.h"
#include "model/reader.h"

typedef struct tyreText {
  const char *file;
  int mirrored;
  const yamlNode *scale;
  artRadialTyre radial;
  artLinearTyre linear;
  artCalspanTyre calspan;
  artNumbers side, brake, align;
  double relaxation[2];
} tyreText;

// clang-format off
#define AT(field) offsetof(tyreText, field)

#define RADIAL_KEYS                                                                                \
  {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(radial.radius),                  \
   .help = "without load"},                                                                        \
  {"stiffness", KEY_NUMBER, Q_STIFFNESS, .need = REQUIRED, .offset = AT(radial.stiffness),         \
   .help = "load per deflection along the road's normal"},                                         \
  {"damping", KEY_NUMBER, Q_DAMPING, .offset = AT(radial.damping), .fallback = "0",                \
   .help = "load per rate of the deflection"},                                                     \
  {"load", KEY_NUMBER, Q_FORCE, .need = REQUIRED, .offset = AT(radial.load),                       \
   .help = "the nominal load"}

#define RELAXATION_KEYS                                                                            \
  {"relaxation_x", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(relaxation[0]),                              \
   .fallback = "a tenth of the radius", .help = "relaxation length of the longitudinal slip"},     \
  {"relaxation_y", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(relaxation[1]),                              \
   .fallback = "a tenth of the radius", .help = "relaxation length of the slip angle"}

static const fieldKey magic_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = AT(file),
     .help = "path of a `.tir` file of version 5.2, 6.1 or 6.2, relative to this file"},
    {"mirrored", KEY_FLAG, .offset = AT(mirrored), .fallback = "false",
     .help = "mounted on the other side of the vehicle than where it was measured"},
    {"scale", KEY_PARAMETERS, .offset = AT(scale),
     .help = "numbers that replace those of the file, in SI units: `{LMUY: 0.8}`"},
    {0}};
static const fieldKey bakker_keys[] = {
    RADIAL_KEYS,
    {"side", KEY_NUMBERS, .offset = AT(side), .fallback = "the paper's",
     .help = "a1 to a13 of the side force, as in the paper"},
    {"brake", KEY_NUMBERS, .offset = AT(brake), .fallback = "the paper's",
     .help = "a1 to a8 of the brake force"},
    {"align", KEY_NUMBERS, .offset = AT(align), .fallback = "the paper's",
     .help = "a1 to a13 of the self-aligning moment"},
    RELAXATION_KEYS,
    {0}};
static const fieldKey calspan_keys[] = {
    RADIAL_KEYS,
    {"A0", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.A0), .help = "cornering stiffness at no load"},
    {"A1", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.A1), .help = "its growth with the load"},
    {"A2", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.A2), .help = "the load at which it stops growing"},
    {"A3", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.A3), .help = "camber stiffness"},
    {"A4", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.A4), .help = "its load"},
    {"Aomega", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.Aomega), .help = "load limit in units of A2"},
    {"B1", KEY_NUMBER, .offset = AT(calspan.B1), .fallback = "0", .help = "friction: linear in the load"},
    {"B3", KEY_NUMBER, .need = REQUIRED, .offset = AT(calspan.B3), .help = "friction at no load"},
    {"B4", KEY_NUMBER, .offset = AT(calspan.B4), .fallback = "0", .help = "friction: quadratic in the load"},
    {"SN", KEY_NUMBER, .above_zero = true, .offset = AT(calspan.SN), .fallback = "1", .help = "skid number of the road over that of the test"},
    {"AF1", KEY_NUMBER, .offset = AT(calspan.AF1), .fallback = "0", .help = "aligning moment: first coefficient"},
    {"AF2", KEY_NUMBER, .offset = AT(calspan.AF2), .fallback = "0", .help = "aligning moment: second coefficient"},
    RELAXATION_KEYS,
    {0}};
static const fieldKey linear_keys[] = {
    RADIAL_KEYS,
    {"slip", KEY_NUMBER, Q_FORCE, .offset = AT(linear.slip), .fallback = "0",
     .help = "longitudinal force per slip at the nominal load"},
    {"cornering", KEY_NUMBER, Q_FORCE, .offset = AT(linear.cornering), .fallback = "0",
     .help = "lateral force per radian of slip angle"},
    {"camber", KEY_NUMBER, Q_FORCE, .offset = AT(linear.camber), .fallback = "0",
     .help = "lateral force per radian of camber"},
    {"trail", KEY_NUMBER, Q_LENGTH, .offset = AT(linear.trail), .fallback = "0",
     .help = "arm of the self-aligning moment"},
    {"friction", KEY_NUMBER, .above_zero = true, .offset = AT(linear.friction), .fallback = "no limit",
     .help = "largest horizontal force per load"},
    RELAXATION_KEYS,
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


//---- making --------------------------------------------------------------------------------------

// what the tyre library found wrong, with its place in this file
static artStatus told(modelReader *reader, const yamlNode *item, artStatus status,
                      const artError *why)
{
  if (status == ART_OK || status == ART_NO_MEMORY) return status;
  return READER_FAIL(reader, item->key_place, "tyre '%.60s': %s", item->key, why->text);
}


static artStatus take_coefficients(modelReader *reader, const yamlNode *item, const char *key,
                                   const artNumbers *given, int n, double a[13])
{
  if (given->count == 0) return ART_OK;
  if (given->count != n) {
    return READER_FAIL(reader, yaml_find(item, key)->place, "'%s' has %d numbers, expected %d", key,
                       given->count, n);
  }
  memcpy(a, given->value, (size_t) n * sizeof *a);
  return ART_OK;
}


static artStatus make_bakker(modelReader *reader, const yamlNode *item, const tyreText *text,
                             artTyre **tyre)
{
  artError why = {0};
  artBakkerTyre def = art_default_bakker_tyre();
  def.radial = text->radial;
  memcpy(def.relaxation, text->relaxation, sizeof def.relaxation);
  artStatus status = take_coefficients(reader, item, "side", &text->side, 13, def.side);
  if (!status) status = take_coefficients(reader, item, "brake", &text->brake, 8, def.brake);
  if (!status) status = take_coefficients(reader, item, "align", &text->align, 13, def.align);
  return status ? status : told(reader, item, art_create_bakker_tyre(tyre, &def, &why), &why);
}


static artStatus scale_magic(modelReader *reader, const yamlNode *scale, artTyre *tyre)
{
  artStatus status = reader_check_mapping(reader, scale, "keys of the tyre and numbers");
  for (const yamlNode *key = scale->first; key && !status; key = key->next) {
    double number = 0;
    artError why = {0};
    status = reader_read_number(reader, key, UNIT_ANY, &number, NULL);
    if (status || art_set_tyre_number(tyre, key->key, number, &why) == ART_OK) continue;
    status = READER_FAIL(reader, key->key_place, "%s", why.text);
  }
  return status;
}


static artStatus make_magic(modelReader *reader, const yamlNode *item, const tyreText *text,
                            artTyre **tyre)
{
  artError why = {0};
  const char *path = reader_path(reader, text->file);
  if (!path) return base_no_memory(reader->error);
  artStatus status = told(reader, item, art_load_tyre(tyre, path, &why), &why);
  if (!status && text->scale) status = scale_magic(reader, text->scale, *tyre);
  if (!status && text->mirrored) art_mirror_tyre(*tyre);
  return status;
}


static artStatus make_tyre(modelReader *reader, const yamlNode *item, int type, tyreText *text,
                           artTyre **tyre)
{
  artError why = {0};
  switch (type) {
  case MAGIC:
    return make_magic(reader, item, text, tyre);
  case BAKKER:
    return make_bakker(reader, item, text, tyre);
  case CALSPAN:
    text->calspan.radial = text->radial;
    memcpy(text->calspan.relaxation, text->relaxation, sizeof text->relaxation);
    return told(reader, item, art_create_calspan_tyre(tyre, &text->calspan, &why), &why);
  case LINEAR:
    text->linear.radial = text->radial;
    memcpy(text->linear.relaxation, text->relaxation, sizeof text->relaxation);
    return told(reader, item, art_create_linear_tyre(tyre, &text->linear, &why), &why);
  default:
    return told(reader, item, art_create_radial_tyre(tyre, &text->radial, &why), &why);
  }
}


static artStatus read_tyre(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  tyreText text = {.calspan.SN = 1};
  artTyre *tyre = NULL;
  artStatus status = reader_check_name(reader, item, "a tyre", false);
  if (!status) status = reader_choose_form(reader, reader_forms_tyre, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, reader_forms_tyre[type], item, &text);
  if (!status) status = make_tyre(reader, item, type, &text, &tyre);
  if (!status) status = art_add_tyre(reader->builder, item->key, tyre);
  art_free_tyre(tyre);
  return status;
}


artStatus reader_read_tyres(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of tyres");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_tyre(reader, item);
  }
  return status;
}
