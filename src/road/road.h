// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Common parts of all roads: evaluation, creation, and checks of definitions.
#ifndef ROAD_ROAD_H
#define ROAD_ROAD_H

#include "articula/road.h"
#include "base/arena.h"
#include "base/error.h"
#include "spatial/scalar.h"

// Height and its derivatives at a point.
typedef struct roadJet {
  real z, x, y, xx, xy, yy;
} roadJet;

typedef roadJet (*roadEvaluate)(const artRoad *road, real x, real y);

typedef enum roadKind {
  ROAD_PLANE,
  ROAD_BUMP,
  ROAD_SINE,
  ROAD_POLYLINE,
  ROAD_SPLINE,
  ROAD_PLACED,
  ROAD_SUM,
  ROAD_RANDOM,
  ROAD_TRACKS,
  ROAD_FUNCTION
} roadKind;

// The first member of every kind of road (road_kinds.h).
struct artRoad {
  roadKind kind;
  roadEvaluate evaluate;
  baseArena arena;          // owned memory in addition to the road's own block
  unsigned long long print; // hash of its definition
  _Atomic int keepers;      // reference count, without the creator
};

// Add a reference; the road is freed when the last owner calls art_free_road.
void road_keep(artRoad *road);

//---- creation ------------------------------------------------------------------------------------

// Allocate a zeroed struct of the given size that begins with an artRoad; NULL if memory runs out.
void *road_create(size_t size, roadKind kind, roadEvaluate evaluate);

// Add the kind and the definition of a road to its hash; roads with equal hashes are equal.
void road_sign(artRoad *road, const char *kind, int n, const double *numbers);
void road_sign_part(artRoad *road, const artRoad *part);

// Common start of every art_create_KIND_road.
#define ROAD_BEGIN(road, def, error)                                                               \
  ART_REQUIRE(road, error);                                                                        \
  *(road) = NULL;                                                                                  \
  ART_REQUIRE(def, error)

//---- checks --------------------------------------------------------------------------------------

typedef enum roadRange {
  ROAD_ANY,      // any finite number
  ROAD_NOT_LESS, // >= 0
  ROAD_POSITIVE,
} roadRange;

typedef struct roadNumber {
  const char *name;
  double value;
  roadRange range;
} roadNumber;

// Report an error with the prefix "road 'hill': " or "road: ", at the label's place.
artStatus road_fail(artRoadLabel label, artError *error, const char *format, ...) ART_PRINTF(3, 4);

// Reject a part that cannot belong to a composite road.
artStatus road_check_part(artRoadLabel label, const artRoad *part, artError *error);

// Report the first number that is not finite or out of its range.
artStatus road_check(artRoadLabel label, int n, const roadNumber *numbers, artError *error);

//---- tools ---------------------------------------------------------------------------------------

// The shortest length, m, over which the road rises and falls again; INFINITY if it does not.
double road_shortest_length(const artRoad *road);

// The number of n increasing knots at or below x, by bisection.
int road_interval(int n, const double *knots, double x);

static inline roadJet jet_add(roadJet a, roadJet b)
{
  return (roadJet){r_add(a.z, b.z),   r_add(a.x, b.x),   r_add(a.y, b.y),
                   r_add(a.xx, b.xx), r_add(a.xy, b.xy), r_add(a.yy, b.yy)};
}

static inline roadJet jet_sub(roadJet a, roadJet b)
{
  return (roadJet){r_sub(a.z, b.z),   r_sub(a.x, b.x),   r_sub(a.y, b.y),
                   r_sub(a.xx, b.xx), r_sub(a.xy, b.xy), r_sub(a.yy, b.yy)};
}

#endif
