// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Creation of tyres from files and from numbers, and queries of the file contents.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "tyre/tyre.h"

//---- from numbers --------------------------------------------------------------------------------

// a number that must be positive, or not negative
typedef struct tyreCheck {
  const char *what;
  double found;
  bool may_be_zero;
} tyreCheck;


static artStatus check_tyre_numbers(int n, const tyreCheck *all, artError *error)
{
  for (int i = 0; i < n; i++) {
    const double x = all[i].found;
    if (isfinite(x) && (x > 0 || (x == 0 && all[i].may_be_zero))) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the tyre's %s, expected %s, is %g",
                     all[i].what, all[i].may_be_zero ? "0 or more" : "positive", x);
  }
  return ART_OK;
}


// Create a tyre from its definition, which consists of numbers only; relaxation may be NULL.
static artStatus create_tyre(artTyre **tyre, tyreKind kind, size_t size, const void *def,
                             const artRadialTyre *r, const double relaxation[2], artError *error)
{
  const double *number = def;
  for (size_t i = 0; i < size / sizeof *number && kind != TYRE_RADIAL; i++) {
    if (isfinite(number[i])) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "number %zu of the tyre is %g, a finite number is wanted", i + 1, number[i]);
  }
  const artCalspanTyre *c = kind == TYRE_CALSPAN ? def : NULL;
  const tyreCheck all[] = {{"A2", c ? c->A2 : 1, false},  {"A4", c ? c->A4 : 1, false},
                           {"radius", r->radius, false},  {"stiffness", r->stiffness, false},
                           {"damping", r->damping, true}, {"nominal load", r->load, false}};
  const artStatus status = check_tyre_numbers(6, all, error);
  if (status != ART_OK) return status;
  artTyre *t = *tyre = MEM_ARRAY(artTyre, 1);
  if (!t) return base_no_memory(error);
  t->kind = kind;
  t->radial = *r;
  t->slow = 1;
  t->largest = 1e12;
  t->low_damping = 0.01;
  if (relaxation) memcpy(t->relaxation, relaxation, sizeof t->relaxation);

  // all definitions start at the same offset
  if (kind != TYRE_RADIAL) memcpy((char *) t + offsetof(artTyre, linear), def, size);
  return ART_OK;
}


artStatus art_create_radial_tyre(artTyre **tyre, const artRadialTyre *radial, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(radial, error);
  return create_tyre(tyre, TYRE_RADIAL, sizeof *radial, radial, radial, NULL, error);
}


// creation functions with the same form
#define CREATE(word, KIND, T)                                                                      \
  artStatus art_create_##word##_tyre(artTyre **tyre, const T *def, artError *error)                \
  {                                                                                                \
    ARITHMETIC_GUARD;                                                                              \
    ART_REQUIRE(tyre, error);                                                                      \
    *tyre = NULL;                                                                                  \
    ART_REQUIRE(def, error);                                                                       \
    return create_tyre(tyre, KIND, sizeof *def, def, &def->radial, def->relaxation, error);        \
  }

CREATE(linear, TYRE_LINEAR, artLinearTyre)
CREATE(bakker, TYRE_BAKKER, artBakkerTyre)
CREATE(calspan, TYRE_CALSPAN, artCalspanTyre)


artBakkerTyre art_default_bakker_tyre(void)
{
  ARITHMETIC_GUARD;
  return (artBakkerTyre){
      .side = {-22.1, 1011, 1078, 1.82, 0.208, 0, -0.354, 0.707, 0.028, 0, 14.8, 0.022, 0},
      .brake = {-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486},
      .align = {-2.72, -2.28, -1.86, -2.73, 0.110, -0.070, 0.643, -4.04, 0.015, -0.066, 0.945,
                0.030, 0.070},
  };
}


//---- from files ----------------------------------------------------------------------------------

// numbers that every type of tyre has
static void take_common(artTyre *t)
{
  const magicTyre *c = &t->magic;
  t->radial = (artRadialTyre){.radius = c->UNLOADED_RADIUS,
                              .stiffness = c->VERTICAL_STIFFNESS,
                              .damping = c->VERTICAL_DAMPING,
                              .load = c->FNOMIN};
  t->slow = c->VXLOW;
  t->largest = c->FZMAX;

  // many files have too little damping for a vehicle to come to rest
  t->low_damping = fmax(c->DAMP_VLOW, 0.01);
}


artStatus art_parse_tyre(artTyre **tyre, const char *text, size_t size, const char *name,
                         artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE((text || size == 0) && name, error);
  *tyre = MEM_ARRAY(artTyre, 1);
  if (!*tyre) return base_no_memory(error);

  artTyre *t = *tyre;
  t->kind = TYRE_MAGIC;
  artStatus status = tir_parse(&t->file, text, size, name, error);
  if (status == ART_OK) status = magic_fill(&t->magic, &t->file, error);
  if (status == ART_OK) {
    take_common(t);
    return ART_OK;
  }
  art_free_tyre(t);
  *tyre = NULL;
  return status;
}


artStatus art_load_tyre(artTyre **tyre, const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(path, error);
  char *bytes;
  size_t size;
  artStatus status = file_read(path, &bytes, &size, error);
  if (status == ART_OK) status = art_parse_tyre(tyre, bytes, size, path, error);
  mem_free(bytes);
  return status;
}


void tyre_keep(artTyre *tyre)
{
  atomic_fetch_add(&tyre->keepers, 1);
}


void art_free_tyre(artTyre *tyre)
{
  if (!tyre || atomic_fetch_sub(&tyre->keepers, 1) > 0) return;
  tir_free(&tyre->file);
  mem_free(tyre);
}

//---- contents of the file ------------------------------------------------------------------------

int art_count_tyre_values(const artTyre *tyre)
{
  ART_REQUIRE_OR(tyre, 0);
  return tyre->file.nvalue;
}


artTyreValue art_get_tyre_value(const artTyre *tyre, int i)
{
  ART_REQUIRE_OR(tyre && i >= 0 && i < tyre->file.nvalue, (artTyreValue){.number = NAN});
  return tyre->file.values[i];
}


int art_count_tyre_notes(const artTyre *tyre)
{
  ART_REQUIRE_OR(tyre, 0);
  return tyre->file.nnote;
}


artTyreNote art_get_tyre_note(const artTyre *tyre, int i)
{
  ART_REQUIRE_OR(tyre && i >= 0 && i < tyre->file.nnote, (artTyreNote){0});
  return tyre->file.notes[i];
}


artStatus art_get_tyre_number(const artTyre *tyre, const char *key, double *number)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre && key && number, NULL);
  if (tyre->kind != TYRE_MAGIC) return ART_BAD_INPUT;
  magicTyre copy = tyre->magic;
  const double *found = magic_number(&copy, key);
  if (!found) return ART_BAD_INPUT;
  *number = *found;
  return ART_OK;
}


artStatus art_set_tyre_number(artTyre *tyre, const char *key, double number, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre && key, error);
  double *field = tyre->kind == TYRE_MAGIC ? magic_number(&tyre->magic, key) : NULL;
  if (!field) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the tyre has no number '%s'", key);
  }
  const double before = *field;
  *field = number;
  const artStatus status = isfinite(number) ? magic_check(&tyre->magic, &tyre->file, error)
                                            : base_fail(error, ART_BAD_INPUT, base_nowhere(),
                                                        "%s = %g is not a number", key, number);
  if (status != ART_OK) *field = before;
  take_common(tyre);
  return status;
}


void art_mirror_tyre(artTyre *tyre)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(tyre, );
  tyre->mirrored = !tyre->mirrored;
}
