// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pairs of surfaces, and the numbers of their contact points.
#include "contact/surface_pairs.h"

#include <math.h>

#include "base/error.h"

// Shape of a surface against another one, and the number of its points there: against a plane a box
// touches by its corners, a capsule by its end spheres, a cylinder or cone by its rims.
typedef struct pairShape {
  contactShape shape;
  int count;
} pairShape;


static pairShape shape_against(artSurfaceType own, artSurfaceType other)
{
  const int is_on_plane = other == ART_SURFACE_PLANE;
  switch (own) {
  case ART_SURFACE_PLANE: return (pairShape){CONTACT_PLANE, 1};
  case ART_SURFACE_BOX:
    return is_on_plane ? (pairShape){CONTACT_BALL, 8} : (pairShape){CONTACT_BOX, 1};
  case ART_SURFACE_CAPSULE:
    return is_on_plane ? (pairShape){CONTACT_BALL, 2} : (pairShape){CONTACT_SEGMENT, 1};
  case ART_SURFACE_CYLINDER:
  case ART_SURFACE_CONE:
    return is_on_plane ? (pairShape){CONTACT_RIM, 2} : (pairShape){CONTACT_FRUSTUM, 1};
  case ART_SURFACE_TORUS: return (pairShape){CONTACT_RIM, 1};
  case ART_SURFACE_ELLIPSOID: return (pairShape){CONTACT_ELLIPSOID, 1};
  default: return (pairShape){CONTACT_BALL, 1};
  }
}


// Is there geometry for these shapes, the first of which comes first in contactShape?
static int has_geometry(contactShape a, contactShape b)
{
  if (b == CONTACT_BALL) return a != CONTACT_ELLIPSOID;
  if (a == CONTACT_PLANE) return b == CONTACT_RIM || b == CONTACT_ELLIPSOID;
  return a == CONTACT_SEGMENT && b == CONTACT_SEGMENT;
}


int contact_count(artSurfaceType a, artSurfaceType b)
{
  const pairShape x = shape_against(a, b), y = shape_against(b, a);
  const int is_known =
      x.shape < y.shape ? has_geometry(x.shape, y.shape) : has_geometry(y.shape, x.shape);
  return is_known ? x.count * y.count : 0;
}


const double *contact_size(const artSurfaceDef *surface, int k)
{
  const int has_size = surface->type == ART_SURFACE_BOX || surface->type == ART_SURFACE_ELLIPSOID;
  if (has_size) return &surface->size[k];
  return k == 2 ? &surface->length : NULL;
}


const double *contact_lower_radius(const contactSide *side)
{
  const int is_upper_rim = side->surface->type == ART_SURFACE_CONE && side->corner[2] > 0;
  return is_upper_rim ? &side->surface->top : &side->surface->radius;
}


const double *contact_top_radius(const contactSide *side)
{
  const int is_cone = side->surface->type == ART_SURFACE_CONE;
  return is_cone ? &side->surface->top : &side->surface->radius;
}


static void make_side(contactSide *side, const artSurfaceDef *surface, pairShape shape, int part)
{
  *side = (contactSide){.shape = shape.shape, .surface = surface};
  if (shape.count == 8) {
    for (int k = 0; k < 3; k++) side->corner[k] = part >> k & 1 ? 1 : -1;
  } else if (shape.count == 2) {
    side->corner[2] = part ? 1 : -1;
  }
  for (int k = 0; k < 3; k++) {
    const double *size = contact_size(surface, k);
    side->half[k] = size ? 0.5 * *size : 0;
    side->offset[k] = surface->position[k] + side->half[k] * side->corner[k];
  }
  side->radius = *contact_lower_radius(side);
  side->top = *contact_top_radius(side);
  side->tube = surface->tube;
}


void contact_make(contactPair *pair, const artSurfaceDef *a, const artSurfaceDef *b, int part)
{
  const pairShape x = shape_against(a->type, b->type), y = shape_against(b->type, a->type);
  ART_ASSERT(part >= 0 && part < x.count * y.count);
  make_side(&pair->side[0], a, x, part);
  make_side(&pair->side[1], b, y, part);
  pair->first = y.shape < x.shape;
  pair->axes = pair->side[pair->first].shape <= CONTACT_BOX ? pair->first : -1;
}


double contact_radius(const artSurfaceDef *a, const artSurfaceDef *b)
{
  const artSurfaceDef *surface[2] = {a, b};
  double curvature = 0;
  for (int i = 0; i < 2; i++) {
    if (surface[i]->type == ART_SURFACE_PLANE) continue;
    if (surface[i]->type != ART_SURFACE_SPHERE) return 0;
    curvature += 1 / surface[i]->radius;
  }
  return curvature > 0 ? 1 / curvature : 0;
}
