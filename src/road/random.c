// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random profiles according to ISO 8608.
//
// The profile is a sum of harmonics of the period L, k from lowest L to highest L, with the
// amplitudes sqrt(2 Gd(k/L) / L) of the spectral density and random phases. At creation it is
// converted into a uniform cubic B-spline through points spaced at most a sixth of the shortest
// wavelength. A road of thousands of waves is then evaluated from four coefficients, and is twice
// continuously differentiable.
#include <math.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "road/fourier.h"
#include "road/heights.h"
#include "spatial/sincos.h"

enum { RANDOM_POINTS_PER_WAVE = 6, RANDOM_MOST_POINTS = 1 << 22 };

//---- definition ----------------------------------------------------------------------------------


// replace zeros of a definition by its defaults
static artRandomRoad complete_random_road(artRandomRoad def)
{
  if (def.period == 0) def.period = 1024;
  if (def.lowest == 0) def.lowest = 0.011;
  if (def.highest == 0) def.highest = 2.83;

  // geometric means of the classes in ISO 8608: 16e-6 m^3 for A, times four for each further class
  if (def.iso_class >= 'A' && def.iso_class <= 'H') {
    def.roughness = ldexp(16e-6, 2 * (def.iso_class - 'A'));
  }
  return def;
}


static artStatus check_roughness(const artRandomRoad *def, artError *error)
{
  const char letter = def->iso_class;
  if (letter && (letter < 'A' || letter > 'H')) {
    return road_fail(def->label, error, "iso_class is '%c', expected 'A' to 'H'", letter);
  }
  if (letter && def->roughness != 0) {
    return road_fail(def->label, error,
                     "found iso_class '%c' and roughness %g, expected one of the two", letter,
                     def->roughness);
  }
  if (!letter && !(def->roughness > 0 && isfinite(def->roughness))) {
    return road_fail(def->label, error,
                     "found no iso_class and roughness %g, expected a class 'A' to 'H' or a "
                     "roughness above 0",
                     def->roughness);
  }
  return ART_OK;
}


static artStatus check_random_road(const artRandomRoad *given, const artRandomRoad *def,
                                   artError *error)
{
  const roadNumber numbers[] = {
      {"track", def->track, ROAD_NOT_LESS},     {"coherence", def->coherence, ROAD_NOT_LESS},
      {"period", def->period, ROAD_POSITIVE},   {"lowest", def->lowest, ROAD_POSITIVE},
      {"highest", def->highest, ROAD_POSITIVE}, {"start", def->start, ROAD_ANY},
      {"blend", def->blend, ROAD_NOT_LESS},
  };
  artStatus status = road_check(def->label, 7, numbers, error);
  if (!status) status = check_roughness(given, error);
  if (status) return status;
  if (def->lowest >= def->highest || def->highest * def->period < 1) {
    return road_fail(def->label, error,
                     "the band from %g to %g cycles/m holds no wave that repeats after %g m, "
                     "expected lowest < highest and a longer period",
                     def->lowest, def->highest, def->period);
  }
  if (def->highest * def->period * RANDOM_POINTS_PER_WAVE > RANDOM_MOST_POINTS) {
    return road_fail(
        def->label, error,
        "a period of %g m with waves down to %g m takes more than %d points, expected a "
        "shorter period or a lower highest wave number",
        def->period, 1 / def->highest, RANDOM_MOST_POINTS);
  }
  if (def->coherence > 1) {
    return road_fail(def->label, error, "coherence is %g, expected 0 to 1", def->coherence);
  }
  return ART_OK;
}

//---- synthesis -----------------------------------------------------------------------------------

// workspace for the two profiles
typedef struct randomWaves {
  int n;
  double shift; // phase between the tracks, rad, of random sign
  roadComplex turn, left, right;
} randomWaves;


// the next pseudorandom number: SplitMix64 (Steele, Lea, Flood 2014)
static uint64_t draw_random_bits(uint64_t *seed)
{
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}


// The angle in [0, pi/2] with the cosine g, by bisection on our own cosine: unlike acos of C
// libraries it is bit-identical on all machines.
static double angle_of_cosine(double g)
{
  ART_ASSERT(g >= 0);
  double low = 0, high = 0x1.921fb54442d18p+0;
  for (int i = 0; g < 1 && i < 60; i++) {
    const double middle = 0.5 * (low + high);
    double sine, cosine;
    sincos_both(middle, &sine, &cosine);
    if (cosine > g) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return g < 1 ? high : 0;
}


static void set_harmonic(roadComplex f, int k, double amplitude, double phase)
{
  sincos_both(phase, f.im + k, f.re + k);
  f.re[k] *= amplitude;
  f.im[k] *= amplitude;
}


// Set harmonic k of both tracks. The right one leads or lags, at random, by the angle whose cosine
// is the coherence: both keep their density, and the expectation of their cross spectrum is the
// coherence.
static void set_wave(const artRandomRoad *def, randomWaves *waves, int k, uint64_t *seed)
{
  ART_ASSERT(k > 0 && k < waves->n);
  const double turn = 0x1.921fb54442d18p+2, n0 = 0.1;

  // A = sqrt(2 Gd dn),   Gd = Gd(n0) (n0/n)^2,   dn = 1/L
  const double n = k / def->period;
  const double A = sqrt(2 * def->roughness / def->period) * (n0 / n);

  // the spline through A cos(w j) has the coefficients A cos(w j) 3 / (2 + cos w)
  double sine, cosine;
  sincos_both(turn * k / waves->n, &sine, &cosine);
  const double scaled = A * 3 / (2 + cosine);

  const double phase = turn * ((double) (draw_random_bits(seed) >> 11) * 0x1p-53);
  const double shift = draw_random_bits(seed) >> 63 ? waves->shift : -waves->shift;
  set_harmonic(waves->left, k, scaled, phase);
  set_harmonic(waves->right, k, scaled, phase + shift);
}


// transform, and copy the real part with one point before and two points after the period
static const double *spline_of(const randomWaves *waves, roadComplex f, baseArena *arena)
{
  const int n = waves->n;
  double *c = arena_alloc(arena, (size_t) n + 3, sizeof *c);
  if (!c) return NULL;
  fourier_sum(n, waves->turn, f);
  for (int i = 0; i < n + 3; i++) c[i] = f.re[(i + n - 1) % n];
  return c;
}


static int synthesise_profile(const artRandomRoad *def, randomWaves *waves, randomRoad *random)
{
  const int first = (int) fmax(1, ceil(def->lowest * def->period));
  const int last = (int) floor(def->highest * def->period);
  uint64_t seed = def->seed;
  for (int k = first; k <= last; k++) set_wave(def, waves, k, &seed);

  const int is_single = def->track == 0 || def->coherence == 1;
  fourier_turns(waves->n, waves->turn);
  random->left = spline_of(waves, waves->left, &random->road.arena);
  random->right = is_single ? random->left : spline_of(waves, waves->right, &random->road.arena);
  return random->left && random->right;
}


artStatus art_create_random_road(artRoad **road, const artRandomRoad *given, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(road, error);
  *road = NULL;
  ART_REQUIRE(given, error);
  const artRandomRoad def = complete_random_road(*given);
  const artStatus status = check_random_road(given, &def, error);
  if (status) return status;

  int n = 8;
  while (n < RANDOM_POINTS_PER_WAVE * def.highest * def.period) n *= 2;
  randomRoad *random = road_create(sizeof *random, ROAD_RANDOM, random_height);
  double *block = MEM_ARRAY(double, 5 * n);
  randomWaves waves = {.n = n, .shift = angle_of_cosine(def.coherence)};
  if (block) {
    waves.left = (roadComplex){block, block + n};
    waves.right = (roadComplex){block + 2 * n, block + 3 * n};
    waves.turn = (roadComplex){block + 4 * n, block + 4 * n + n / 2};
  }
  if (!random || !block || !synthesise_profile(&def, &waves, random)) {
    mem_free(block);
    art_free_road(random ? &random->road : NULL);
    return base_no_memory(error);
  }
  mem_free(block);

  random->n = n;
  random->period = def.period;
  random->track = def.track;
  random->start = def.start;
  random->blend = def.blend;
  road_sign(&random->road, "random", 8,
            (double[]){def.roughness, def.track, def.coherence, def.period, def.lowest, def.highest,
                       def.start, def.blend});
  road_sign(&random->road, "profile", n + 3, random->left);
  *road = &random->road;
  return ART_OK;
}
