// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a tyre property file to the numbers of the Magic Formula: keys, units, defaults.
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tyre/magic.h"

//---- units ---------------------------------------------------------------------------------------

enum { LENGTH, FORCE, ANGLE, MASS, TIME, PRESSURE, QUANTITIES };

static const char *const quantities[] = {"LENGTH", "FORCE", "ANGLE", "MASS", "TIME", "PRESSURE"};

// in SI
static const struct {
  int quantity;
  const char *name;
  double size;
} known_units[] = {
    {LENGTH, "meter", 1},
    {LENGTH, "metre", 1},
    {LENGTH, "m", 1},
    {LENGTH, "mm", 1e-3},
    {LENGTH, "millimeter", 1e-3},
    {LENGTH, "cm", 1e-2},
    {LENGTH, "km", 1e3},
    {LENGTH, "inch", 0.0254},
    {LENGTH, "foot", 0.3048},
    {FORCE, "newton", 1},
    {FORCE, "n", 1},
    {FORCE, "kn", 1e3},
    {FORCE, "kilonewton", 1e3},
    {FORCE, "kgf", 9.80665},
    {FORCE, "kg_force", 9.80665},
    {FORCE, "lbf", 4.4482216152605},
    {FORCE, "pound_force", 4.4482216152605},
    {ANGLE, "radians", 1},
    {ANGLE, "radian", 1},
    {ANGLE, "rad", 1},
    {ANGLE, "degrees", 0.017453292519943295},
    {ANGLE, "degree", 0.017453292519943295},
    {ANGLE, "deg", 0.017453292519943295},
    {MASS, "kg", 1},
    {MASS, "kilogram", 1},
    {MASS, "gram", 1e-3},
    {MASS, "pound_mass", 0.45359237},
    {MASS, "lbm", 0.45359237},
    {TIME, "second", 1},
    {TIME, "seconds", 1},
    {TIME, "sec", 1},
    {TIME, "s", 1},
    {TIME, "millisecond", 1e-3},
    {TIME, "ms", 1e-3},
    {PRESSURE, "pascal", 1},
    {PRESSURE, "pa", 1},
    {PRESSURE, "kpa", 1e3},
    {PRESSURE, "bar", 1e5},
    {PRESSURE, "psi", 6894.757293168361},
};

enum { NUNIT = sizeof known_units / sizeof known_units[0] };


// the sizes of the units of a file; pressure follows from force and length where nothing else is said
static artStatus read_units(const tirFile *file, double size[QUANTITIES], artError *error)
{
  for (int k = 0; k < QUANTITIES; k++) {
    const artTyreValue *v = tir_find(file, "UNITS", quantities[k]);
    size[k] = k == PRESSURE ? size[FORCE] / (size[LENGTH] * size[LENGTH]) : 1;
    if (!v) continue;
    baseNearest nearest = {.word = v->text};
    int found = -1;
    for (int i = 0; i < NUNIT && found < 0; i++) {
      if (known_units[i].quantity != k) continue;
      if (tir_same(known_units[i].name, v->text)) found = i;
      base_consider(&nearest, known_units[i].name);
    }
    if (found < 0) {
      char hint[BASE_HINT_LENGTH];
      return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                       "%s has the unknown unit '%s'%s", v->key, v->text,
                       base_hint(&nearest, hint));
    }
    size[k] = known_units[found].size;
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

// keys whose values are texts or tell nothing that is used
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
  case MAGIC_##name:                                                                               \
    return size;
    MAGIC_DIMENSIONS(MAGIC_DIMENSION)
#undef MAGIC_DIMENSION
  }
  return 1;
}


static const magicKey *find_key(const char *name)
{
  for (int k = 0; k < NKEY; k++) {
    if (tir_same(keys[k].name, name)) return &keys[k];
  }
  return NULL;
}


static double *field(magicTyre *tyre, const magicKey *key)
{
  return (double *) (void *) ((char *) tyre + key->offset);
}


double *magic_number(magicTyre *tyre, const char *name)
{
  const magicKey *key = find_key(name);
  return key ? field(tyre, key) : NULL;
}


const double *magic_number_at(const magicTyre *tyre, int i, const char **key)
{
  *key = keys[i].name;
  return (const double *) (const void *) ((const char *) tyre + keys[i].offset);
}


static artStatus note(tirFile *file, artTyreNoteKind kind, const artTyreValue *v, artError *error)
{
  return tir_note(file, kind, v->key, v->line) ? ART_OK : base_no_memory(error);
}


// the number of one line; seen tells the keys that came before
static artStatus take(magicTyre *tyre, tirFile *file, const artTyreValue *v,
                      const double u[QUANTITIES], bool seen[NKEY], artError *error)
{
  // LENGTH, FORCE, ANGLE, MASS and TIME are units there, and MASS a number elsewhere
  const magicKey *key = tir_same(v->section, "UNITS") ? NULL : find_key(v->key);
  if (!key) {
    for (int k = 0; k < NOTHER; k++) {
      if (tir_same(other_keys[k], v->key)) return ART_OK;
    }
    return note(file, ART_TYRE_KEY_UNKNOWN, v, error);
  }
  if (!v->is_number) {
    return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                     "%s wants a number, found '%.60s'", v->key, v->text);
  }
  *field(tyre, key) = v->number * unit_size(key->dimension, u);

  const bool again = seen[key - keys];
  seen[key - keys] = true;
  return again ? note(file, ART_TYRE_KEY_AGAIN, v, error) : ART_OK;
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


// numbers that divide, or that mean nothing when they are not positive
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
  artStatus status = read_units(file, units, error);
  for (int k = 0; k < NKEY; k++) *field(tyre, &keys[k]) = keys[k].fallback;
  for (int i = 0; i < file->nvalue && status == ART_OK; i++) {
    if (file->values[i].key[0]) status = take(tyre, file, &file->values[i], units, seen, error);
  }
  if (status == ART_OK) status = choose_version(tyre, file, error);
  if (status == ART_OK) status = magic_check(tyre, file, error);
  if (tyre->INFLPRES <= 0) tyre->INFLPRES = tyre->NOMPRES;
  return status;
}
