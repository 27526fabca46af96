// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times one evaluation of each kind of road: nanoseconds of CPU time, the least of many batches.
//   roads    a line for each road, its name and its time
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "articula/road.h"

enum { POINTS = 10000, CALLS = 20000, BATCHES = 50 };


static double now(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


// ns an evaluation at places along x, to and fro, at this distance from the middle
static double time_road(const artRoad *road, double length, double y)
{
  double least = HUGE_VAL, sum = 0;
  for (int batch = 0; batch < BATCHES; batch++) {
    const double begin = now();
    for (int k = 0; k < CALLS; k++) {
      artRoadPoint p;
      art_evaluate_road(road, length * fmod(0.618 * k, 1), y, &p);
      sum += p.z;
    }
    const double took = (now() - begin) / CALLS;
    if (took < least) least = took;
  }
  return isfinite(sum) ? 1e9 * least : NAN;
}


static int print_road(const char *name, artStatus status, artRoad *road, double length, double y)
{
  if (status == ART_OK) printf("%s %.1f\n", name, time_road(road, length, y));
  return status != ART_OK;
}


int main(void)
{
  static double distance[POINTS], height[POINTS];
  artRoad *r[6] = {0};
  int bad = 0;
  for (int k = 0; k < POINTS; k++) {
    distance[k] = 0.1 * k;
    height[k] = 0.01 * sin(0.7 * k);
  }
  const artPlaneRoad plane = {.grade = 0.1, .bank = 0.02};
  const artBumpRoad bumps = {.start = 1, .length = 1, .height = 0.05, .count = 4, .spacing = 4};
  const artStairsRoad stairs = {
      .count = 1000, .rise = 0.1, .tread = 1, .riser = 0.3, .radius = 0.05};
  const artSineRoad sweep = {
      .amplitude = 0.02, .wavelength = 10, .last_wavelength = 1, .length = 100, .blend = 5};
  const artRandomRoad random = {.iso_class = 'C', .seed = 1, .track = 1.5, .coherence = 0.8};
  const artTableRoad table = {
      .count = POINTS, .distance = distance, .height = height, .curve = ART_ROAD_CUBIC};
  bad |= print_road("plane", art_create_plane_road(&r[0], &plane, NULL), r[0], 100, 0);
  bad |= print_road("bumps", art_create_bump_road(&r[1], &bumps, NULL), r[1], 20, 0);
  bad |= print_road("stairs", art_create_stairs_road(&r[2], &stairs, NULL), r[2], 1000, 0);
  bad |= print_road("sweep", art_create_sine_road(&r[3], &sweep, NULL), r[3], 100, 0);
  const artStatus status = art_create_random_road(&r[4], &random, NULL);
  bad |= print_road("random", status, r[4], 1000, 0.75);
  bad |= print_road("random between tracks", status, r[4], 1000, 0);
  bad |= print_road("table", art_create_table_road(&r[5], &table, NULL), r[5], 999, 0);
  for (int k = 0; k < 6; k++) art_free_road(r[k]);
  return bad;
}
