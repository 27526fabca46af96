// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of a tyre property file to the coefficients of the Magic Formula: keys, units,
// defaults.
#include <stdbool.h>
#include <stddef.h>

#include "base/adams_units.h"
#include "base/error.h"
#include "tyre/magic.h"

//---- units ---------------------------------------------------------------------------------------

// in the order of adamsQuantity
enum { LENGTH, FORCE, ANGLE, MASS, TIME, PRESSURE, QUANTITIES };

static const char *const quantities[] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME", "PRESSURE"};


// sizes of the units of a file; the default for pressure is force / length^2
static artStatus read_tir_units(const tirFile *file, double size[QUANTITIES], artError *error)
{
  for (int k = 0; k < QUANTITIES; k++) {
    const artTyreValue *v = tir_find(file, "UNITS", quantities[k]);
    size[k] = k == PRESSURE ? size[FORCE] / (size[LENGTH] * size[LENGTH]) : 1;
    if (!v) continue;
    baseNearest nearest = {.word = v->text};
    size[k] = adams_unit((adamsQuantity) k, v->text, &nearest);
    if (!(size[k] > 0)) {
      char hint[BASE_HINT_LENGTH];
      return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                       "%s has the unknown unit '%s'%s", v->key, v->text,
                       base_hint(&nearest, hint));
    }
  }
  return ART_OK;
}

//---- keys ----------------------------------------------------------------------------------------

// clang-format off
#define MAGIC_DIMENSIONS(F)                                                                        \
  F(NUMBER, 1)                                                                                     \
  F(LENGTH, u[LENGTH])                                                                             \
  F(FORCE, u[FORCE])                                                                               \
  F(ANGLE, u[ANGLE])                                                                               \
  F(MASS, u[MASS])                                                                                 \
  F(TIME, u[TIME])                                                                                 \
  F(FREQUENCY, 1 / u[TIME])                                                                        \
  F(PRESSURE, u[PRESSURE])                                                                         \
  F(SPEED, u[LENGTH] / u[TIME])                                                                    \
  F(ACCELERATION, u[LENGTH] / (u[TIME] * u[TIME]))                                                 \
  F(INERTIA, u[MASS] * u[LENGTH] * u[LENGTH])                                                      \
  F(STIFFNESS, u[FORCE] / u[LENGTH])                                                               \
  F(DAMPING, u[FORCE] * u[TIME] / u[LENGTH])                                                       \
  F(YAW, u[FORCE] * u[LENGTH] / u[ANGLE])
// clang-format on

typedef enum magicDimension {
#define MAGIC_DIMENSION(name, size) MAGIC_##name,
  MAGIC_DIMENSIONS(MAGIC_DIMENSION)
#undef MAGIC_DIMENSION
} magicDimension;

typedef struct magicKey {
  const char *name;
  double fallback;
  magicDimension dimension;
  size_t offset;
} magicKey;

static const magicKey keys[] = {
#define MAGIC_KEY(key, fallback, dimension)                                                        \
  {#key, fallback, MAGIC_##dimension, offsetof(magicTyre, key)},
    MAGIC_KEYS(MAGIC_KEY)
#undef MAGIC_KEY
};

enum { NKEY = sizeof keys / sizeof keys[0] };

// keys with string values, and keys that are ignored
static const char *const other_keys[] = {
    "FILE_TYPE", "FILE_VERSION", "FILE_FORMAT", "PROPERTY_FILE_FORMAT",
    "TYRESIDE",  "LENGTH",       "FORCE",       "ANGLE",
    "MASS",      "TIME",         "PRESSURE",    "FUNCTION_NAME",
    "COMMENT",   "TYPE",
};

enum { NOTHER = sizeof other_keys / sizeof other_keys[0] };


static double unit_size(magicDimension dimension, const double u[QUANTITIES])
{
  switch (dimension) {
#define MAGIC_DIMENSION(name, size)                                                                \
  case MAGIC_##name: return size;
    MAGIC_DIMENSIONS(MAGIC_DIMENSION)
#undef MAGIC_DIMENSION
  }
  return 1;
}


static const magicKey *find_magic_key(const char *name)
{
  for (int k = 0; k < NKEY; k++) {
    if (tir_same(keys[k].name, name)) return &keys[k];
  }
  return NULL;
}


static double *magic_key_field(magicTyre *tyre, const magicKey *key)
{
  return (double *) (void *) ((char *) tyre + key->offset);
}


double *magic_number(magicTyre *tyre, const char *name)
{
  const magicKey *key = find_magic_key(name);
  return key ? magic_key_field(tyre, key) : NULL;
}


const double *magic_number_at(const magicTyre *tyre, int i, const char **key)
{
  ART_ASSERT(i >= 0 && i < NKEY);
  *key = keys[i].name;
  return (const double *) (const void *) ((const char *) tyre + keys[i].offset);
}


static artStatus note_tir_value(tirFile *file, artTyreNoteKind kind, const artTyreValue *v,
                                artError *error)
{
  return tir_note(file, kind, v->key, v->line) ? ART_OK : base_no_memory(error);
}


// store the number of one line; `seen` marks the keys of earlier lines
static artStatus take_magic_value(magicTyre *tyre, tirFile *file, const artTyreValue *v,
                                  const double u[QUANTITIES], bool seen[NKEY], artError *error)
{
  // In [UNITS], LENGTH, FORCE, ANGLE, MASS and TIME are units; elsewhere MASS is a number.
  const magicKey *key = tir_same(v->section, "UNITS") ? NULL : find_magic_key(v->key);
  if (!key) {
    for (int k = 0; k < NOTHER; k++) {
      if (tir_same(other_keys[k], v->key)) return ART_OK;
    }
    return note_tir_value(file, ART_TYRE_KEY_UNKNOWN, v, error);
  }
  if (!v->is_number) {
    return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                     "%s wants a number, found '%.60s'", v->key, v->text);
  }
  *magic_key_field(tyre, key) = v->number * unit_size(key->dimension, u);

  const bool again = seen[key - keys];
  seen[key - keys] = true;
  return again ? note_tir_value(file, ART_TYRE_KEY_AGAIN, v, error) : ART_OK;
}


static artStatus choose_version(magicTyre *tyre, const tirFile *file, artError *error)
{
  const artTyreValue *fit = tir_find(file, NULL, "FITTYP");
  const artTyreValue *format = tir_find(file, NULL, "PROPERTY_FILE_FORMAT");
  if (!fit && format && tir_same(format->text, "PAC2002")) tyre->FITTYP = 6;

  const struct {
    double fittyp;
    magicVersion version;
  } known[] = {{5, MAGIC_52},  {6, MAGIC_52},  {21, MAGIC_52}, {52, MAGIC_52},
               {60, MAGIC_61}, {61, MAGIC_61}, {62, MAGIC_62}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    if (tyre->FITTYP == known[k].fittyp) {
      tyre->version = known[k].version;
      return ART_OK;
    }
  }
  if (!fit) {
    return base_fail(error, ART_BAD_INPUT, tir_place(file, 0),
                     "FITTYP is missing, expected one line FITTYP = 6, 61 or 62 in [MODEL]");
  }
  return base_fail(
      error, ART_BAD_INPUT, tir_place(file, fit->line),
      "FITTYP = %.60s is not supported, expected 6 or 21 (Magic Formula 5.2), 61 or 62", fit->text);
}


// numbers that are divisors, or are meaningless unless positive
artStatus magic_check(const magicTyre *t, const tirFile *file, artError *error)
{
  const struct {
    const char *key;
    double number;
  } all[] = {{"UNLOADED_RADIUS", t->UNLOADED_RADIUS},
             {"FNOMIN", t->FNOMIN},
             {"VERTICAL_STIFFNESS", t->VERTICAL_STIFFNESS},
             {"LONGVL", t->LONGVL},
             {"VXLOW", t->VXLOW},
             {"NOMPRES", t->NOMPRES},
             {"LFZO", t->LFZO},
             {"LMUY", t->LMUY},
             {"FZMAX", t->FZMAX}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i].number > 0) continue;
    const artTyreValue *v = tir_find(file, NULL, all[i].key);
    if (!v) return base_fail(error, ART_BAD_INPUT, tir_place(file, 0), "%s is missing", all[i].key);
    return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                     "%s is %g, expected a positive number", all[i].key, all[i].number);
  }
  return ART_OK;
}


artStatus magic_fill(magicTyre *tyre, tirFile *file, artError *error)
{
  double units[QUANTITIES];
  bool seen[NKEY] = {false};
  artStatus status = read_tir_units(file, units, error);
  for (int k = 0; k < NKEY; k++) *magic_key_field(tyre, &keys[k]) = keys[k].fallback;
  for (int i = 0; i < file->nvalue && status == ART_OK; i++) {
    if (file->values[i].key[0])
      status = take_magic_value(tyre, file, &file->values[i], units, seen, error);
  }
  if (status == ART_OK) status = choose_version(tyre, file, error);
  if (status == ART_OK) status = magic_check(tyre, file, error);
  if (tyre->INFLPRES <= 0) tyre->INFLPRES = tyre->NOMPRES;
  return status;
}
