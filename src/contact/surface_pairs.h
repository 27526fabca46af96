// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact of two surfaces at one point: which pairs of shapes touch, how many points they need, and
// the numbers of each point. The geometry of a pair is one file on the scalar `real`
// (contact_place.h lists them).
#ifndef CONTACT_SURFACE_PAIRS_H
#define CONTACT_SURFACE_PAIRS_H

#include "articula/model.h"
#include "contact/surface_hull.h"
#include "contact/surface_profile.h"

// Shapes of a single contact point, in the order in which the geometry of a pair takes them.
typedef enum contactShape {
  CONTACT_PLANE,
  CONTACT_BOX,
  CONTACT_ROAD,
  CONTACT_PROFILE,
  CONTACT_HULL,    // also a box against one
  CONTACT_SEGMENT, // a line with a radius: capsule
  CONTACT_FRUSTUM, // cylinder, or cone: circles with a radius and another one, `top`
  CONTACT_RIM,     // a circle, or a torus: a circle with the radius `tube` about it
  CONTACT_ELLIPSOID,
  CONTACT_BALL, // also a point, of radius 0
  CONTACT_SHAPES
} contactShape;

// Convex shapes without a closed form: any two of hulls, capsules, cylinders or cones, and ellipsoids but two hulls or capsules, and
// ellipsoids with spheres.
static inline int contact_is_convex(contactShape a, contactShape b)
{
  const int is_first = a == CONTACT_HULL || a == CONTACT_SEGMENT || a == CONTACT_FRUSTUM;
  if (b == CONTACT_BALL) return a == CONTACT_ELLIPSOID;
  if (a == CONTACT_ELLIPSOID) return b == CONTACT_ELLIPSOID;
  if (!is_first || b == CONTACT_RIM) return 0;
  return a != b || a == CONTACT_FRUSTUM;
}


// One side of a contact point, in axes of its frame. The offset is position + half x corner, so that
// its numbers stay functions of those of the surface.
typedef struct contactSide {
  contactShape shape;
  double offset[3], corner[3];
  double radius, top, tube;
  double half[3];                // half the size of a box or ellipsoid; half[2]: half the length
  const contactProfile *profile; // and which of its chains
  int chain;
  const contactHull *hull;
  const artRoad *road;
  double valley, crest;         // of a road: upper bounds of its curvature, 1/m
  const artSurfaceDef *surface; // record of the builder, for parameters of generated code
} contactSide;

typedef struct contactPair {
  contactSide side[2]; // in the order of the definition
  int first;           // the side that the geometry takes first
  int axes;            // the flat side, in whose axes friction is measured; -1: ground axes
} contactPair;

// A sphere or end of a capsule that does not fit into the valleys of a road: its radius, and the least one of the valleys (0: not
// known); returns 0 where all fits.
int contact_is_too_large(const artSurfaceDef *a, const artSurfaceDef *b, double *radius,
                         double *valley);

// The part of a gap by which surfaces are surely apart: over a road a nearer point may be found once it is below 1/valley.
double contact_sure_gap(const contactPair *pair, double gap);

// Is there geometry for a pair of surfaces?
int contact_is_known(artSurfaceType a, artSurfaceType b);

// Number of their contact points; 0: there is no such pair.
int contact_count(const artSurfaceDef *a, const artSurfaceDef *b);

// The numbers of point `part`. Profiles and hulls are taken from the arena; NULL: there are none, or hulls
// are still to be set.
void contact_make(baseArena *arena, contactPair *pair, const artSurfaceDef *a,
                  const artSurfaceDef *b, int part);

// The numbers of a surface from which those of a side follow: twice half[k] (NULL: none), radius, top.
const double *contact_size(const artSurfaceDef *surface, int k);
const double *contact_lower_radius(const contactSide *side);
const double *contact_top_radius(const contactSide *side);

// 1/R = 1/Ra + 1/Rb at the contact of two spheres, or of a sphere and a plane; 0: a surface has no
// radius of its own.
double contact_radius(const artSurfaceDef *a, const artSurfaceDef *b);

#endif
