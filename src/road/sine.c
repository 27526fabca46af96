// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Waves of constant wavelength, and sweeps between two wavelengths.
#include "base/arithmetic.h"
#include "road/heights.h"

static artStatus check_sine_road(const artSineRoad *def, artError *error)
{
  const roadNumber numbers[] = {
      {"amplitude", def->amplitude, ROAD_ANY},
      {"wavelength", def->wavelength, ROAD_POSITIVE},
      {"last_wavelength", def->last_wavelength, ROAD_NOT_LESS},
      {"phase", def->phase, ROAD_ANY},
      {"start", def->start, ROAD_ANY},
      {"length", def->length, ROAD_NOT_LESS},
      {"blend", def->blend, def->length > 0 ? ROAD_POSITIVE : ROAD_ANY},
  };
  const artStatus status = road_check(def->label, 7, numbers, error);
  if (status) return status;
  if (def->length == 0 && def->last_wavelength > 0) {
    return road_fail(def->label, error,
                     "found a last_wavelength and no length, expected a sweep to have a length");
  }
  if (def->length > 0 && def->blend > 0.5 * def->length) {
    return road_fail(def->label, error, "blend is %g, expected at most half of the length %g",
                     def->blend, def->length);
  }
  return ART_OK;
}


artStatus art_create_sine_road(artRoad **road, const artSineRoad *def, artError *error)
{
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  const artStatus status = check_sine_road(def, error);
  if (status) return status;

  sineRoad *sine = road_create(sizeof *sine, ROAD_SINE, sine_height);
  if (!sine) return base_no_memory(error);
  const double turn = 0x1.921fb54442d18p+2, first = turn / def->wavelength;
  const double last = def->last_wavelength > 0 ? turn / def->last_wavelength : first;
  sine->amplitude = def->amplitude;
  sine->phase = def->phase;
  sine->k = first;
  sine->dk = def->length > 0 ? (last - first) / def->length : 0;
  sine->start = def->start;
  sine->length = def->length;
  sine->blend = def->blend;
  road_sign(&sine->road, "sine", 7,
            (double[]){sine->amplitude, sine->phase, sine->k, sine->dk, sine->start, sine->length,
                       sine->blend});
  *road = &sine->road;
  return ART_OK;
}
