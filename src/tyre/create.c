// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Making tyres, from files and from numbers, and asking them what the file said.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "tyre/tyre.h"

//---- from numbers --------------------------------------------------------------------------------

static artStatus check(const char *what, int good, double found, artError *error)
{
  if (good) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the tyre's %s is %g", what, found);
}


static int is_positive(double x)
{
  return isfinite(x) && x > 0;
}


static int is_not_negative(double x)
{
  return isfinite(x) && x >= 0;
}


static artStatus check_radial(const artRadialTyre *r, artError *error)
{
  artStatus status = check("radius, expected positive,", is_positive(r->radius), r->radius, error);
  if (status == ART_OK) {
    status = check("stiffness, expected positive,", is_positive(r->stiffness), r->stiffness, error);
  }
  if (status == ART_OK) {
    status = check("damping, expected 0 or more,", is_not_negative(r->damping), r->damping, error);
  }
  if (status == ART_OK) {
    status = check("nominal load, expected positive,", is_positive(r->load), r->load, error);
  }
  return status;
}


// definitions of tyres are nothing but numbers
static artStatus check_numbers(size_t size, const void *def, artError *error)
{
  const double *number = def;
  for (size_t i = 0; i < size / sizeof *number; i++) {
    if (isfinite(number[i])) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "number %zu of the tyre is %g, a finite number is wanted", i + 1, number[i]);
  }
  return ART_OK;
}


// a tyre with its radial part; NULL with the error told
static artTyre *start(tyreKind kind, const artRadialTyre *radial, const double relaxation[2],
                      artError *error)
{
  if (check_radial(radial, error) != ART_OK) return NULL;
  artTyre *t = MEM_ARRAY(artTyre, 1);
  if (!t) {
    (void) base_no_memory(error);
    return NULL;
  }
  t->kind = kind;
  t->radial = *radial;
  t->slow = 1;
  t->largest = 1e12;
  t->low_damping = 0.01;
  if (relaxation) memcpy(t->relaxation, relaxation, sizeof t->relaxation);
  return t;
}


// ART_NO_MEMORY or ART_BAD_INPUT by what start met
static artStatus started(const artTyre *tyre, const artRadialTyre *radial)
{
  if (tyre) return ART_OK;
  return check_radial(radial, NULL) == ART_OK ? ART_NO_MEMORY : ART_BAD_INPUT;
}


artStatus art_create_radial_tyre(artTyre **tyre, const artRadialTyre *radial, artError *error)
{
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(radial, error);
  *tyre = start(TYRE_RADIAL, radial, NULL, error);
  return started(*tyre, radial);
}


artStatus art_create_linear_tyre(artTyre **tyre, const artLinearTyre *linear, artError *error)
{
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(linear, error);
  const artStatus status = check_numbers(sizeof *linear, linear, error);
  if (status != ART_OK) return status;
  *tyre = start(TYRE_LINEAR, &linear->radial, linear->relaxation, error);
  if (*tyre) (*tyre)->linear = *linear;
  return started(*tyre, &linear->radial);
}


artStatus art_create_bakker_tyre(artTyre **tyre, const artBakkerTyre *bakker, artError *error)
{
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(bakker, error);
  const artStatus status = check_numbers(sizeof *bakker, bakker, error);
  if (status != ART_OK) return status;
  *tyre = start(TYRE_BAKKER, &bakker->radial, bakker->relaxation, error);
  if (*tyre) (*tyre)->bakker = *bakker;
  return started(*tyre, &bakker->radial);
}


artBakkerTyre art_default_bakker_tyre(void)
{
  return (artBakkerTyre){
      .side = {-22.1, 1011, 1078, 1.82, 0.208, 0, -0.354, 0.707, 0.028, 0, 14.8, 0.022, 0},
      .brake = {-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486},
      .align = {-2.72, -2.28, -1.86, -2.73, 0.110, -0.070, 0.643, -4.04, 0.015, -0.066, 0.945,
                0.030, 0.070},
  };
}


artStatus art_create_calspan_tyre(artTyre **tyre, const artCalspanTyre *c, artError *error)
{
  ART_REQUIRE(tyre, error);
  *tyre = NULL;
  ART_REQUIRE(c, error);
  artStatus status = check_numbers(sizeof *c, c, error);
  if (status == ART_OK) status = check("A2, expected positive,", is_positive(c->A2), c->A2, error);
  if (status == ART_OK) status = check("A4, expected positive,", is_positive(c->A4), c->A4, error);
  if (status != ART_OK) return status;

  *tyre = start(TYRE_CALSPAN, &c->radial, c->relaxation, error);
  if (*tyre) (*tyre)->calspan = *c;
  return started(*tyre, &c->radial);
}

//---- from files ----------------------------------------------------------------------------------

// what the other parts of the library ask any tyre for
static void take_common(artTyre *t)
{
  const magicTyre *c = &t->magic;
  t->radial = (artRadialTyre){.radius = c->UNLOADED_RADIUS,
                              .stiffness = c->VERTICAL_STIFFNESS,
                              .damping = c->VERTICAL_DAMPING,
                              .load = c->FNOMIN};
  t->slow = c->VXLOW;
  t->largest = c->FZMAX;

  // files often give too little for a vehicle to come to rest
  t->low_damping = fmax(c->DAMP_VLOW, 0.01);
}


artStatus art_parse_tyre(artTyre **tyre, const char *text, size_t size, const char *name,
                         artError *error)
{
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

//---- what the file said --------------------------------------------------------------------------

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
  ART_REQUIRE_OR(tyre, );
  tyre->mirrored = !tyre->mirrored;
}
