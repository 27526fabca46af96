// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws of definitions: keys of air springs, and the compiled curve for each type of law.
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


forceLaw *element_make_law(baseArena *arena, const artLawDef *def, artPlace place)
{
  artError *error = error_current();
  const artAirDef *a = &def->air;
  const forceAir air = {a->pressure, a->area, a->volume, a->exponent, a->ambient};
  const size_t n = (size_t) def->n;
  forceLaw *law = NULL;
  lawPoint *points;
  double *c;
  switch (def->type) {
  case ART_LAW_NONE: break;
  case ART_LAW_LINEAR:
    error_check(law_create_linear(&law, arena, def->coefficient, place, error));
    break;
  case ART_LAW_POLYNOMIAL:
    // polynomials of the model file have no constant term
    c = arena_alloc(arena, n + 1, sizeof *c);
    if (n > 0) memcpy(c + 1, def->f, n * sizeof *c);
    error_check(law_create_polynomial(&law, arena, def->n + 1, c, place, error));
    break;
  case ART_LAW_PIECEWISE:
  case ART_LAW_TABLE:
    points = arena_alloc(arena, n, sizeof *points);
    for (size_t i = 0; i < n; i++) points[i] = (lawPoint){def->x[i], def->f[i]};
    error_check((def->type == ART_LAW_TABLE ? law_create_spline : law_create_piecewise)(
        &law, arena, def->n, points, place, error));
    break;
  case ART_LAW_SEGMENTS:
    error_check(law_create_segments(&law, arena, def->n, def->x, def->width, def->f, place, error));
    break;
  case ART_LAW_AIR: error_check(law_create_air(&law, arena, air, place, error)); break;
  default: error_refuse(place, "law type %d, which there is not", def->type);
  }
  return law;
}
