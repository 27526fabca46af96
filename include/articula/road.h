// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads: the ground as a height z = mu(x, y), with gradient, second derivatives and normal at any
// point.
//
// SI units and the axes of ISO 8855: x along the road, y to the left, z up. Every road is once
// continuously differentiable everywhere; doc/reference/model/roads.md says where second derivatives
// jump. A road is constant after creation and may be shared by threads; evaluation allocates
// nothing. Composite roads keep pointers to their parts: the caller keeps ownership of the parts,
// which must outlive them.
//
// All definitions start from {0}. Creation copies its arguments; on failure *road is NULL and error
// says which road, what was found and what is expected.
#ifndef ARTICULA_ROAD_H
#define ARTICULA_ROAD_H

#include "articula/base.h"
#include "articula/call.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artRoad artRoad;

// Name of the road and its place in a file, for messages; both are optional.
typedef struct artRoadLabel {
  const char *name;
  artPlace place;
} artRoadLabel;

//---- evaluation ----------------------------------------------------------------------------------

typedef struct artRoadPoint {
  double z;
  double gradient[2]; // dz/dx, dz/dy
  double second[3];   // d2z/dx2, d2z/dxdy, d2z/dy2; at a jump the limit from larger x, y
  double normal[3];   // of unit length, upwards
} artRoadPoint;

// Evaluate the road at (x, y). If x or y is not finite, all results are NaN.
ART_API void art_evaluate_road(const artRoad *road, double x, double y, artRoadPoint *point);

// Accepts NULL. Builders and models that use the road keep it as long as they need it.
ART_API void art_free_road(artRoad *road);

// art_default_* returns the defaults of the model file (doc/reference/model); set only
// fields that differ.

//---- plane ---------------------------------------------------------------------------------------

// z = height + grade x + bank y. {0} is flat ground.
typedef struct artPlaneRoad {
  artRoadLabel label;
  double height;
  double grade; // slope along the road, 0.1 climbs 10 %
  double bank;  // slope across the road; positive: the left side is higher
} artPlaneRoad;

ART_API artPlaneRoad art_default_plane_road(void);
ART_API artStatus art_create_plane_road(artRoad **road, const artPlaneRoad *def, artError *error);

//---- bumps ---------------------------------------------------------------------------------------

// Periodic cosine bumps; bump k starts at s = start + k spacing:
//   z = height/2 (1 - cos(2 pi (x - s) / length)),   s <= x <= s + length
typedef struct artBumpRoad {
  artRoadLabel label;
  double start, length;
  double height;  // negative: a hole
  int count;      // 0 and 1: one bump
  double spacing; // from start to start, at least length; not used for one bump
} artBumpRoad;

ART_API artBumpRoad art_default_bump_road(void);
ART_API artStatus art_create_bump_road(artRoad **road, const artBumpRoad *def, artError *error);

//---- ramp and stairs -----------------------------------------------------------------------------

// A rise, a plateau, a fall; all corners are rounded by tangent arcs of the radius.
typedef struct artRampRoad {
  artRoadLabel label;
  double start;
  double up, plateau, down; // lengths along x; down = 0: no fall, and plateau is not used
  double height;            // negative: a trough
  double radius;
} artRampRoad;

ART_API artRampRoad art_default_ramp_road(void);
ART_API artStatus art_create_ramp_road(artRoad **road, const artRampRoad *def, artError *error);

// Steps with steep straight risers; upper and lower edges are rounded by arcs of the radius.
typedef struct artStairsRoad {
  artRoadLabel label;
  double start; // foot of the first riser, before rounding
  int count;    // of steps
  double rise;  // height of a step; negative: downwards
  double tread; // from riser to riser
  double riser; // length of a riser along x, > 0 and < tread
  double radius;
} artStairsRoad;

ART_API artStairsRoad art_default_stairs_road(void);
ART_API artStatus art_create_stairs_road(artRoad **road, const artStairsRoad *def, artError *error);

//---- sine and sweep ------------------------------------------------------------------------------

// z = amplitude sin(2 pi (n0 s + (n1 - n0) s^2 / (2 length)) + phase),   s = x - start, with n0 =
// 1/wavelength and n1 = 1/last_wavelength. With a length, the waves exist only on 0 <= s <= length,
// and fade in and out over blend at the ends.
typedef struct artSineRoad {
  artRoadLabel label;
  double amplitude;
  double wavelength;
  double last_wavelength; // 0: constant wavelength
  double phase;           // rad
  double start;
  double length; // 0: unbounded; a sweep needs a length
  double blend;  // with a length: > 0, at most half of it
} artSineRoad;

ART_API artSineRoad art_default_sine_road(void);
ART_API artStatus art_create_sine_road(artRoad **road, const artSineRoad *def, artError *error);

//---- random --------------------------------------------------------------------------------------

// A random profile with the displacement spectral density of ISO 8608,
//   Gd(n) = Gd(n0) (n0 / n)^2,   n0 = 0.1 cycles/m,   lowest <= n <= highest,
// under the left and the right wheels. Equal seeds give bit-identical roads on every machine.
// Creation takes about 10 ms with the defaults; the cost of evaluation does not depend on length or
// band.
typedef struct artRandomRoad {
  artRoadLabel label;
  char iso_class;   // 'A' (very good) to 'H'
  double roughness; // Gd(n0) in m^3 instead of a class, which must then be 0
  unsigned long long seed;
  double track;           // distance of left and right track; 0: one profile over the full width
  double coherence;       // of the two tracks, 0 <= |G_lr| / G <= 1; not used without a track
  double period;          // length after which the profile repeats; 0: 1024 m
  double lowest, highest; // wave numbers in cycles/m; 0: 0.011 and 2.83
  double start, blend;    // blend > 0: flat up to start, full height from start + blend on; 0:
                          // unbounded
} artRandomRoad;

ART_API artRandomRoad art_default_random_road(void);
ART_API artStatus art_create_random_road(artRoad **road, const artRandomRoad *def, artError *error);

//---- tables --------------------------------------------------------------------------------------

typedef enum artRoadCurve {
  ART_ROAD_CUBIC,  // cubic spline, twice continuously differentiable, slope 0 at both ends
  ART_ROAD_LINEAR, // piecewise linear, corners rounded by arcs
} artRoadCurve;

// Heights over distances along x. Outside the table the height of the nearest end applies.
typedef struct artTableRoad {
  artRoadLabel label;
  int count;              // of points, at least two
  const double *distance; // increasing
  const double *height;
  artRoadCurve curve;
  double radius; // linear: of the corners; 0: an arc that takes a quarter of the shorter line
} artTableRoad;

ART_API artTableRoad art_default_table_road(void);
ART_API artStatus art_create_table_road(artRoad **road, const artTableRoad *def, artError *error);

//---- user functions ------------------------------------------------------------------------------

// z = mu(x, y) by a user function (articula/user.h), attached to a model by art_attach_function or
// art_attach_library. Without a model the road has no heights: art_evaluate_road returns NaN; use
// art_ground_height, which takes a model. It cannot be a part of a composite road.
typedef struct artFunctionRoad {
  artRoadLabel label;
  artCallDef call;
  double resolution; // m; height and slopes are monotonic between points at this distance
} artFunctionRoad;

ART_API artFunctionRoad art_default_function_road(void);
ART_API artStatus art_create_function_road(artRoad **road, const artFunctionRoad *def,
                                           artError *error);

// 1 if a road is z = 0 everywhere: NULL and planes without height, grade and bank.
ART_API int art_road_is_level(const artRoad *road);

//---- composite roads -----------------------------------------------------------------------------

// A road restricted to y in [from, to]; either may be infinite.
typedef struct artRoadTrack {
  double from, to;
  const artRoad *road;
} artRoadTrack;

// Tracks side by side, from right to left, on a ground. At every edge one blends into the other
// over the width blend, half of it on each side. Tracks may touch but not overlap.
typedef struct artTracksRoad {
  artRoadLabel label;
  int count;
  const artRoadTrack *tracks;
  double blend;
  const artRoad *ground; // outside all tracks; NULL: flat at z = 0
} artTracksRoad;

ART_API artTracksRoad art_default_tracks_road(void);
ART_API artStatus art_create_tracks_road(artRoad **road, const artTracksRoad *def, artError *error);

// The sum of the heights of its parts.
typedef struct artSumRoad {
  artRoadLabel label;
  int count;
  const artRoad *const *parts;
} artSumRoad;

ART_API artSumRoad art_default_sum_road(void);
ART_API artStatus art_create_sum_road(artRoad **road, const artSumRoad *def, artError *error);

// A road in another place: its origin moved to the position, its x axis rotated by heading about z.
typedef struct artPlacedRoad {
  artRoadLabel label;
  const artRoad *road;
  double position[3];
  double heading; // rad, positive to the left
} artPlacedRoad;

ART_API artPlacedRoad art_default_placed_road(void);
ART_API artStatus art_create_placed_road(artRoad **road, const artPlacedRoad *def, artError *error);

#ifdef __cplusplus
}
#endif

#endif
