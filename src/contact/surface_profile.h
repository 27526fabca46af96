// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed planar profiles of lines and arcs, and their parts for contact.
//
// A profile is passed with its material to the left, and its outward normal points to the right. At concave corners, and in the
// middle of concave arcs that the other surface cannot roll through, it is split into chains: each chain touches in a point of
// its own, so that a pin can lie in a groove.
#ifndef CONTACT_SURFACE_PROFILE_H
#define CONTACT_SURFACE_PROFILE_H

#include "articula/model.h"
#include "base/arena.h"

// A line or an arc of at most 180 degrees, with the corner where it begins.
typedef struct profilePiece {
  double from[2], to[2];
  double centre[2],
      radius;     // of an arc: positive if it bulges outward, negative if inward; 0: a line
  double axis[2]; // unit vector: along the line, or from the centre to the middle of the arc
  double begin,
      end; // what touches: range along the line; begin: cosine of half the angle of the arc
  double corner[2]; // mean outward normal where it begins
  double limit;     // a point further behind it than this is on another side of the material
  int is_concave;   // the corner is: a chain begins
  int is_chain;     // a chain begins
  int point;        // of the definition, from 0
} profilePiece;

typedef struct contactProfile {
  int count, nchain;
  const profilePiece *piece;
  const int *first; // pieces of chain k: first[k] up to first[k + 1]
  double size;      // largest distance of its points from the origin
  double thickness; // least limit
} contactProfile;

// Surfaces of type profile. With `reach`, the largest radius of what touches it: concave arcs of this radius or a smaller one are split.
// The definition must be sound.
const contactProfile *profile_make(baseArena *arena, const artSurfaceDef *def, double reach);

// The largest radius by which it touches others; INFINITY: it has lines.
double profile_reach(const contactProfile *profile);

// What is wrong with a definition, and where: numbers of points from 1 on.
typedef enum profileFault {
  PROFILE_SOUND,
  PROFILE_FEW,     // fewer than two points, or than three without arcs
  PROFILE_MANY,    // more than MAX_PROFILE_PIECES
  PROFILE_REPEATS, // two successive points coincide
  PROFILE_RADIUS,  // an arc is smaller than half the distance of its points
  PROFILE_CROSSES, // it crosses or touches itself
  PROFILE_FLAT     // it encloses nothing
} profileFault;
enum { MAX_PROFILE_PIECES = 2000 };
profileFault profile_check(const artSurfaceDef *def, int point[2]);

#endif
