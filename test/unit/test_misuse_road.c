// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// base.h and road.h against their rules: NULL, numbers that are not finite, members of no enumeration.
#include "articula/road.h"
#include "support/keep.h"
#include "support/misuse.h"

//---- base ----------------------------------------------------------------------------------------

OF_CALL(art_version_number, CHECK(art_version_number() == ART_VERSION_NUMBER))
OF_CALL(art_version, CHECK_TEXT(art_version(), ART_VERSION))


OF(art_status_text)
{
  CHECK_TEXT(art_status_text((artStatus) -1), "unknown status");
  CHECK_TEXT(art_status_text((artStatus) (ART_STOPPED + 1)), "unknown status");
}


OF(art_set_allocator)
{
  const artAllocator none = {NULL, NULL, NULL};
  MISUSE((art_set_allocator(&none), 1));
  art_set_allocator(NULL);
}


OF(art_set_sandbox)
{
  MISUSE((art_set_sandbox((artSandbox) -1), 1));
  MISUSE((art_set_sandbox((artSandbox) 3), 1));
}

//---- roads ---------------------------------------------------------------------------------------

// defaults agree with model files
OF_DEFAULT(art_default_plane_road, .height == 0)
OF_DEFAULT(art_default_bump_road, .count == 1)
OF_DEFAULT(art_default_ramp_road, .plateau == 0)
OF_DEFAULT(art_default_stairs_road, .count == 0)
OF_DEFAULT(art_default_sine_road, .phase == 0)
OF_DEFAULT(art_default_random_road, .seed == 0)
OF_DEFAULT(art_default_table_road, .curve == ART_ROAD_CUBIC)
OF_DEFAULT(art_default_tracks_road, .count == 0)
OF_DEFAULT(art_default_sum_road, .count == 0)
OF_DEFAULT(art_default_placed_road, .heading == 0)
OF_DEFAULT(art_default_function_road, .resolution == 0.01)

// a road that is refused, with a text and nothing to free
#define REFUSED(create, def)                                                                       \
  do {                                                                                             \
    artRoad *refused = (artRoad *) 1;                                                              \
    artError why = {0};                                                                            \
    CHECK(create(&refused, def, &why) == ART_BAD_INPUT);                                           \
    CHECK(refused == NULL && why.status == ART_BAD_INPUT && why.text[0]);                          \
    CHECK(create(&refused, def, NULL) == ART_BAD_INPUT);                                           \
  } while (0)

// the rules of all kinds: what is given, then each of its numbers
#define NULLS(create, def)                                                                         \
  do {                                                                                             \
    artRoad *none = (artRoad *) 1, *some = NULL;                                                   \
    MISUSE(create(NULL, def, NULL) == ART_BAD_INPUT);                                              \
    MISUSE(create(&none, NULL, NULL) == ART_BAD_INPUT && none == NULL);                            \
    CHECK(create(&some, def, NULL) == ART_OK);                                                     \
    art_free_road(some);                                                                           \
  } while (0)
#define NUMBERS(create, ...)                                                                       \
  do {                                                                                             \
    NULLS(create, &def);                                                                           \
    double *const fields[] = {__VA_ARGS__};                                                        \
    for (size_t k = 0; k < MISUSE_NUMBERS * (sizeof fields / sizeof *fields); k++) {               \
      double *field = fields[k / MISUSE_NUMBERS], kept = *field;                                   \
      *field = misuse_number((int) k % MISUSE_NUMBERS);                                            \
      REFUSED(create, &def);                                                                       \
      *field = kept;                                                                               \
    }                                                                                              \
  } while (0)
#define COUNTS(create, ...)                                                                        \
  do {                                                                                             \
    const int counts[] = {__VA_ARGS__};                                                            \
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {                                  \
      def.count = counts[k];                                                                       \
      REFUSED(create, &def);                                                                       \
    }                                                                                              \
  } while (0)


static artRoad *flat(void)
{
  artRoad *road = NULL;
  const artPlaneRoad def = {.height = 0};
  CHECK(art_create_plane_road(&road, &def, NULL) == ART_OK);
  return road;
}


OF(art_road_is_level)
{
  CHECK(art_road_is_level(NULL));
  CHECK(art_road_is_level(keep_road(flat())));
}


OF(art_evaluate_road)
{
  artRoad *road = keep_road(flat());
  artRoadPoint p;
  MISUSE((art_evaluate_road(road, 0, 0, NULL), 1));
  MISUSE((art_evaluate_road(NULL, 0, 0, &p), isnan(p.z) && isnan(p.normal[2])));
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    art_evaluate_road(road, misuse_number(i), 0, &p);
    CHECK(isnan(p.z) && isnan(p.gradient[1]) && isnan(p.second[2]) && isnan(p.normal[0]));
    art_evaluate_road(road, 0, misuse_number(i), &p);
    CHECK(isnan(p.z));
  }
}


OF_CALL(art_free_road, art_free_road(NULL))


OF(art_create_plane_road)
{
  artPlaneRoad def = {.height = 1};
  NUMBERS(art_create_plane_road, &def.height, &def.grade, &def.bank);
}


OF(art_create_bump_road)
{
  artBumpRoad def = {.length = 1, .height = 0.1, .count = 2, .spacing = 2};
  NUMBERS(art_create_bump_road, &def.start, &def.length, &def.height, &def.spacing);
  COUNTS(art_create_bump_road, -1, INT_MIN);
}


OF(art_create_ramp_road)
{
  artRampRoad def = {.up = 2, .plateau = 1, .down = 2, .height = 0.1, .radius = 0.1};
  NUMBERS(art_create_ramp_road, &def.start, &def.up, &def.plateau, &def.down, &def.height,
          &def.radius);
}


OF(art_create_stairs_road)
{
  artStairsRoad def = {.count = 2, .rise = 0.1, .tread = 1, .riser = 0.1, .radius = 0.01};
  NUMBERS(art_create_stairs_road, &def.start, &def.rise, &def.tread, &def.riser, &def.radius);
  COUNTS(art_create_stairs_road, 0, -1, INT_MIN, INT_MAX);
}


OF(art_create_sine_road)
{
  artSineRoad def = {.amplitude = 0.1, .wavelength = 2, .length = 10, .blend = 1};
  NUMBERS(art_create_sine_road, &def.amplitude, &def.wavelength, &def.last_wavelength, &def.phase,
          &def.start, &def.length, &def.blend);
}


OF(art_create_random_road)
{
  artRandomRoad def = {.iso_class = 'B', .period = 32, .start = 1, .blend = 1, .track = 1};
  NUMBERS(art_create_random_road, &def.roughness, &def.track, &def.coherence, &def.period,
          &def.lowest, &def.highest, &def.start, &def.blend);
  def.iso_class = '@';
  REFUSED(art_create_random_road, &def);
  def.iso_class = (char) -1;
  REFUSED(art_create_random_road, &def);
}


OF(art_create_table_road)
{
  double x[3] = {0, 1, 2}, z[3] = {0, 0.1, 0};
  artTableRoad def = {.count = 3, .distance = x, .height = z};
  NUMBERS(art_create_table_road, &def.radius);
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    x[1] = misuse_number(i);
    REFUSED(art_create_table_road, &def);
    x[1] = 1, z[1] = misuse_number(i);
    REFUSED(art_create_table_road, &def);
    z[1] = 0.1;
  }
  COUNTS(art_create_table_road, 0, 1, -1, INT_MIN, INT_MAX);
  def.count = 3;
  def.distance = NULL;
  REFUSED(art_create_table_road, &def);
  def.distance = x, def.height = NULL;
  REFUSED(art_create_table_road, &def);
  def.height = z;
  for (int k = 0; k < MISUSE_INDICES; k++) {
    def.curve = (artRoadCurve) misuse_index(ART_ROAD_LINEAR + 1, k);
    REFUSED(art_create_table_road, &def);
  }
}


OF(art_create_tracks_road)
{
  artRoad *part = keep_road(flat());
  artRoadTrack track = {-1, 1, part};
  artTracksRoad def = {.count = 1, .tracks = &track, .blend = 0.1};
  NUMBERS(art_create_tracks_road, &def.blend);
  track.from = NAN;
  REFUSED(art_create_tracks_road, &def);
  track.from = -1, track.to = NAN;
  REFUSED(art_create_tracks_road, &def);
  track.to = 1, track.road = NULL;
  REFUSED(art_create_tracks_road, &def);
  track.road = part;
  def.tracks = NULL;
  REFUSED(art_create_tracks_road, &def);
  def.tracks = &track;
  COUNTS(art_create_tracks_road, 0, -1, INT_MIN);
}


OF(art_create_sum_road)
{
  artRoad *part = keep_road(flat());
  const artRoad *parts[2] = {part, part};
  artSumRoad def = {.count = 2, .parts = parts};
  NULLS(art_create_sum_road, &def);
  parts[1] = NULL;
  REFUSED(art_create_sum_road, &def);
  def.parts = NULL;
  REFUSED(art_create_sum_road, &def);
  def.parts = parts;
  COUNTS(art_create_sum_road, 0, -1, INT_MIN);
}


OF(art_create_placed_road)
{
  artRoad *part = keep_road(flat());
  artPlacedRoad def = {.road = part};
  NUMBERS(art_create_placed_road, &def.heading, &def.position[0], &def.position[1],
          &def.position[2]);
  def.road = NULL;
  REFUSED(art_create_placed_road, &def);
}


OF(art_create_function_road)
{
  double parameter[2] = {1, 2};
  artFunctionRoad def = {.call = {"hills", 2, parameter, {0, NULL}}, .resolution = 0.01};
  NUMBERS(art_create_function_road, &def.resolution, &parameter[0], &parameter[1]);
  artRoad *road = NULL;
  artRoadPoint point;
  CHECK(art_create_function_road(&road, &def, NULL) == ART_OK);
  art_evaluate_road(keep_road(road), 1, 2, &point);
  CHECK(isnan(point.z)); // its function belongs to a model
  def.call.n = 33;
  REFUSED(art_create_function_road, &def);
  def.call.n = 0;
  def.call.arguments.count = 1;
  REFUSED(art_create_function_road, &def);
  def.call = (artCallDef){"no word", 0, NULL, {0, NULL}};
  REFUSED(art_create_function_road, &def);
  def.call.name = NULL;
  REFUSED(art_create_function_road, &def);
}


MISUSE_MAIN("base.h", "road.h")
