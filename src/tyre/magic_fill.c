// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a tyre property file to the numbers of the Magic Formula: keys, units, defaults.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "tyre/magic.h"

//---- units ---------------------------------------------------------------------------------------

// what one unit of the file is in SI
typedef struct tirUnits {
  double length, force, angle, mass, time, pressure;
} tirUnits;

typedef struct tirUnit {
  const char *quantity, *name;
  double size;
} tirUnit;

static const tirUnit known_units[] = {
    {"LENGTH", "meter", 1},
    {"LENGTH", "metre", 1},
    {"LENGTH", "m", 1},
    {"LENGTH", "mm", 1e-3},
    {"LENGTH", "millimeter", 1e-3},
    {"LENGTH", "cm", 1e-2},
    {"LENGTH", "km", 1e3},
    {"LENGTH", "inch", 0.0254},
    {"LENGTH", "foot", 0.3048},
    {"FORCE", "newton", 1},
    {"FORCE", "n", 1},
    {"FORCE", "kn", 1e3},
    {"FORCE", "kilonewton", 1e3},
    {"FORCE", "kgf", 9.80665},
    {"FORCE", "kg_force", 9.80665},
    {"FORCE", "lbf", 4.4482216152605},
    {"FORCE", "pound_force", 4.4482216152605},
    {"ANGLE", "radians", 1},
    {"ANGLE", "radian", 1},
    {"ANGLE", "rad", 1},
    {"ANGLE", "degrees", 0.017453292519943295},
    {"ANGLE", "degree", 0.017453292519943295},
    {"ANGLE", "deg", 0.017453292519943295},
    {"MASS", "kg", 1},
    {"MASS", "kilogram", 1},
    {"MASS", "gram", 1e-3},
    {"MASS", "pound_mass", 0.45359237},
    {"MASS", "lbm", 0.45359237},
    {"TIME", "second", 1},
    {"TIME", "seconds", 1},
    {"TIME", "sec", 1},
    {"TIME", "s", 1},
    {"TIME", "millisecond", 1e-3},
    {"TIME", "ms", 1e-3},
    {"PRESSURE", "pascal", 1},
    {"PRESSURE", "pa", 1},
    {"PRESSURE", "kpa", 1e3},
    {"PRESSURE", "bar", 1e5},
    {"PRESSURE", "psi", 6894.757293168361},
};

enum { NUNIT = sizeof known_units / sizeof known_units[0] };


static artStatus read_unit(const tirFile *file, const char *quantity, double *size, artError *error)
{
  const artTyreValue *v = tir_find(file, "UNITS", quantity);
  if (!v) return ART_OK;

  baseNearest nearest = {.word = v->text};
  for (int i = 0; i < NUNIT; i++) {
    if (!tir_same(known_units[i].quantity, quantity)) continue;
    if (tir_same(known_units[i].name, v->text)) {
      *size = known_units[i].size;
      return ART_OK;
    }
    base_consider(&nearest, known_units[i].name);
  }
  char hint[BASE_HINT_LENGTH];
  return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line), "%s has the unknown unit '%s'%s",
                   v->key, v->text, base_hint(&nearest, hint));
}


static artStatus read_units(const tirFile *file, tirUnits *u, artError *error)
{
  *u = (tirUnits){1, 1, 1, 1, 1, NAN};
  const struct {
    const char *quantity;
    double *size;
  } all[] = {{"LENGTH", &u->length}, {"FORCE", &u->force}, {"ANGLE", &u->angle},
             {"MASS", &u->mass},     {"TIME", &u->time},   {"PRESSURE", &u->pressure}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const artStatus status = read_unit(file, all[i].quantity, all[i].size, error);
    if (status != ART_OK) return status;
  }
  if (isnan(u->pressure)) u->pressure = u->force / (u->length * u->length);
  return ART_OK;
}

//---- keys ----------------------------------------------------------------------------------------

// clang-format off
#define MAGIC_DIMENSIONS(F)                                                                        \
  F(NUMBER, 1)                                                                                     \
  F(LENGTH, u->length)                                                                             \
  F(FORCE, u->force)                                                                               \
  F(ANGLE, u->angle)                                                                               \
  F(MASS, u->mass)                                                                                 \
  F(TIME, u->time)                                                                                 \
  F(FREQUENCY, 1 / u->time)                                                                        \
  F(PRESSURE, u->pressure)                                                                         \
  F(SPEED, u->length / u->time)                                                                    \
  F(ACCELERATION, u->length / (u->time * u->time))                                                 \
  F(INERTIA, u->mass * u->length * u->length)                                                      \
  F(STIFFNESS, u->force / u->length)                                                               \
  F(DAMPING, u->force * u->time / u->length)                                                       \
  F(YAW, u->force * u->length / u->angle)
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


static double unit_size(magicDimension dimension, const tirUnits *u)
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


static int is_other(const char *name)
{
  for (int k = 0; k < NOTHER; k++) {
    if (tir_same(other_keys[k], name)) return 1;
  }
  return 0;
}


// LENGTH, FORCE, ANGLE, MASS and TIME are units there, and MASS a number elsewhere
static int in_units(const artTyreValue *v)
{
  return tir_same(v->section, "UNITS");
}


static artStatus note(tirFile *file, artTyreNoteKind kind, const artTyreValue *v, artError *error)
{
  return tir_note(file, kind, v->key, v->line) ? ART_OK : base_no_memory(error);
}


// the number of one line; seen tells the keys that came before
static artStatus take(magicTyre *tyre, tirFile *file, const artTyreValue *v, const tirUnits *u,
                      bool seen[NKEY], artError *error)
{
  const magicKey *key = in_units(v) ? NULL : find_key(v->key);
  if (!key) return is_other(v->key) ? ART_OK : note(file, ART_TYRE_KEY_UNKNOWN, v, error);
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
static artStatus check_positive(const tirFile *file, const char *key, double number,
                                artError *error)
{
  if (number > 0) return ART_OK;
  const artTyreValue *v = tir_find(file, NULL, key);
  if (!v) return base_fail(error, ART_BAD_INPUT, tir_place(file, 0), "%s is missing", key);
  return base_fail(error, ART_BAD_INPUT, tir_place(file, v->line),
                   "%s is %g, expected a positive number", key, number);
}


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
    const artStatus status = check_positive(file, all[i].key, all[i].number, error);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


artStatus magic_fill(magicTyre *tyre, tirFile *file, artError *error)
{
  tirUnits units;
  bool seen[NKEY] = {false};
  artStatus status = read_units(file, &units, error);
  for (int k = 0; k < NKEY; k++) *field(tyre, &keys[k]) = keys[k].fallback;
  for (int i = 0; i < file->nvalue && status == ART_OK; i++) {
    if (file->values[i].key[0]) status = take(tyre, file, &file->values[i], &units, seen, error);
  }
  if (status == ART_OK) status = choose_version(tyre, file, error);
  if (status == ART_OK) status = magic_check(tyre, file, error);
  if (tyre->INFLPRES <= 0) tyre->INFLPRES = tyre->NOMPRES;
  return status;
}
