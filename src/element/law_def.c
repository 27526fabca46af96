// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws of definitions: the keys of air springs, and the compiled curve of each type of law.
#include <string.h>

#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artAirDef, field)
static const fieldKey air_keys[] = {
    {"pressure", KEY_NUMBER, Q_PRESSURE, .need = REQUIRED, .offset = AT(pressure),
     .help = "p0, absolute, at x = 0"},
    {"area", KEY_NUMBER, Q_X_AREA, .need = REQUIRED, .offset = AT(area),
     .help = "A, of the piston; negative where the volume shrinks as x grows"},
    {"volume", KEY_NUMBER, Q_VOLUME, .need = REQUIRED, .offset = AT(volume),
     .help = "V0, of the gas at x = 0"},
    {"exponent", KEY_NUMBER, .offset = AT(exponent), FALLBACK(1.4),
     .help = "n, polytropic: 1 isothermal, 1.4 adiabatic"},
    {"ambient", KEY_NUMBER, Q_PRESSURE, .offset = AT(ambient), FALLBACK(101325),
     .help = "p_a, absolute, of the air around"},
    {0}};
#undef AT
// clang-format on
const fieldForm field_form_air = {.name = "air-spring", .keys = air_keys, .is_part = true};


artStatus element_make_law(forceLaw **out, baseArena *arena, const artLawDef *def, artPlace place,
                           artError *error)
{
  *out = NULL;
  switch (def->type) {
  case ART_LAW_NONE: return ART_OK;
  case ART_LAW_LINEAR: return law_create_linear(out, arena, def->coefficient, place, error);
  case ART_LAW_POLYNOMIAL: {
    // the file's polynomials have no constant term
    double *c = arena_alloc(arena, (size_t) def->n + 1, sizeof *c);
    if (!c) return base_no_memory(error);
    if (def->n > 0) memcpy(c + 1, def->f, (size_t) def->n * sizeof *c);
    return law_create_polynomial(out, arena, def->n + 1, c, place, error);
  }
  case ART_LAW_PIECEWISE:
  case ART_LAW_TABLE: {
    lawPoint *points = arena_alloc(arena, (size_t) def->n, sizeof *points);
    if (!points) return base_no_memory(error);
    for (int i = 0; i < def->n; i++) points[i] = (lawPoint){def->x[i], def->f[i]};
    return def->type == ART_LAW_TABLE
               ? law_create_spline(out, arena, def->n, points, place, error)
               : law_create_piecewise(out, arena, def->n, points, place, error);
  }
  case ART_LAW_SEGMENTS:
    return law_create_segments(out, arena, def->n, def->x, def->width, def->f, place, error);
  case ART_LAW_AIR: {
    const artAirDef *a = &def->air;
    const forceAir air = {a->pressure, a->area, a->volume, a->exponent, a->ambient};
    return law_create_air(out, arena, air, place, error);
  }
  }
  return base_fail(error, ART_BAD_INPUT, place, "law type %d, which there is not", def->type);
}
