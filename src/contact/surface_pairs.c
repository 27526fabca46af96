// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pairs of surfaces, and the numbers of their contact points.
#include "contact/surface_pairs.h"

#include <math.h>

#include "base/error.h"
#include "road/road_bend.h"

// Shape of a surface against another one, and the number of its points there: against a plane or road a box
// touches by its corners, a capsule by its end spheres, a cylinder or cone by its rims.
typedef struct pairShape {
  contactShape shape;
  int count;
} pairShape;


// as convex bodies, with faces and edges of a box
static int is_solid(artSurfaceType type)
{
  return type == ART_SURFACE_BOX || type == ART_SURFACE_HULL || type == ART_SURFACE_CAPSULE ||
         type == ART_SURFACE_CYLINDER || type == ART_SURFACE_CONE || type == ART_SURFACE_ELLIPSOID;
}


static pairShape shape_against(artSurfaceType own, artSurfaceType other)
{
  const int is_on_plane = other == ART_SURFACE_PLANE || other == ART_SURFACE_ROAD;
  switch (own) {
  case ART_SURFACE_PLANE: return (pairShape){CONTACT_PLANE, 1};
  case ART_SURFACE_ROAD: return (pairShape){CONTACT_ROAD, 1};
  case ART_SURFACE_HULL: return (pairShape){is_on_plane ? CONTACT_BALL : CONTACT_HULL, 1};
  case ART_SURFACE_BOX:
    if (is_solid(other)) return (pairShape){CONTACT_HULL, 1};
    return is_on_plane ? (pairShape){CONTACT_BALL, 8} : (pairShape){CONTACT_BOX, 1};
  case ART_SURFACE_CAPSULE:
    return is_on_plane ? (pairShape){CONTACT_BALL, 2} : (pairShape){CONTACT_SEGMENT, 1};
  case ART_SURFACE_CYLINDER:
    if (other == ART_SURFACE_PROFILE) return (pairShape){CONTACT_BALL, 1};
    return is_on_plane ? (pairShape){CONTACT_RIM, 2} : (pairShape){CONTACT_FRUSTUM, 1};
  case ART_SURFACE_CONE:
    return is_on_plane ? (pairShape){CONTACT_RIM, 2} : (pairShape){CONTACT_FRUSTUM, 1};
  case ART_SURFACE_TORUS: return (pairShape){CONTACT_RIM, 1};
  case ART_SURFACE_PROFILE: return (pairShape){CONTACT_PROFILE, 1};
  case ART_SURFACE_ELLIPSOID: return (pairShape){CONTACT_ELLIPSOID, 1};
  default: return (pairShape){CONTACT_BALL, 1};
  }
}


// Is there geometry for these shapes, the first of which comes first in contactShape?
static int has_geometry(contactShape a, contactShape b)
{
  if (contact_is_convex(a, b) || b == CONTACT_BALL) return 1;
  if (a == CONTACT_PLANE) return b == CONTACT_RIM || b == CONTACT_ELLIPSOID || b == CONTACT_PROFILE;
  return a == b && (a == CONTACT_SEGMENT || a == CONTACT_PROFILE || a == CONTACT_HULL);
}


int contact_is_known(artSurfaceType a, artSurfaceType b)
{
  const contactShape x = shape_against(a, b).shape, y = shape_against(b, a).shape;
  return x < y ? has_geometry(x, y) : has_geometry(y, x);
}


// A profile with the chains in which it touches the other surface; NULL: it is none.
static const contactProfile *profile_against(baseArena *arena, const artSurfaceDef *own,
                                             const artSurfaceDef *other)
{
  if (own->type != ART_SURFACE_PROFILE) return NULL;
  double reach = other->radius;
  if (other->type == ART_SURFACE_PLANE) reach = 0;
  if (other->type == ART_SURFACE_PROFILE) reach = profile_reach(profile_make(arena, other, 0));
  return profile_make(arena, own, reach);
}


static int count_vertices(const artSurfaceDef *hull)
{
  baseArena arena = {.leaves = 1};
  const int count = hull_make(&arena, hull)->nvertex;
  arena_free(&arena);
  return count;
}


// a plane touches a profile as a whole, and a hull in its vertices
static int count_against(const artSurfaceDef *own, const artSurfaceDef *other)
{
  const int count = shape_against(own->type, other->type).count;
  const int is_flat = other->type == ART_SURFACE_PLANE || other->type == ART_SURFACE_ROAD;
  if (own->type == ART_SURFACE_HULL && is_flat) return count_vertices(own);
  if (own->type != ART_SURFACE_PROFILE || other->type == ART_SURFACE_PLANE) return count;
  baseArena arena = {.leaves = 1};
  const int chains = profile_against(&arena, own, other)->nchain;
  arena_free(&arena);
  return chains;
}


// an ellipsoid touches in one point, a capsule in two, flats of others in four
static int count_convex(contactShape a, contactShape b)
{
  if (a == CONTACT_ELLIPSOID || b == CONTACT_ELLIPSOID) return 1;
  return a == CONTACT_SEGMENT || b == CONTACT_SEGMENT ? 2 : HULL_POINTS;
}


int contact_count(const artSurfaceDef *a, const artSurfaceDef *b)
{
  if (!contact_is_known(a->type, b->type)) return 0;
  const contactShape x = shape_against(a->type, b->type).shape,
                     y = shape_against(b->type, a->type).shape;
  if (x == CONTACT_HULL && y == CONTACT_HULL) return HULL_POINTS;
  if (contact_is_convex(x < y ? x : y, x < y ? y : x)) return count_convex(x, y);
  return count_against(a, b) * count_against(b, a);
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


// a hull, or one of its vertices on a plane or road
static void take_hull(baseArena *arena, contactSide *side, int part)
{
  const int is_hull = side->surface->type == ART_SURFACE_HULL;
  side->chain = part;
  if (!is_hull && side->shape != CONTACT_HULL) return;
  if (arena) side->hull = hull_make(arena, side->surface);
  if (side->shape == CONTACT_HULL) return;
  for (int k = 0; k < 3; k++) side->offset[k] += side->hull->vertex[part][k];
}


static void take_road(contactSide *side)
{
  if (side->surface->type != ART_SURFACE_ROAD) return;
  const roadBend bend = road_bend(side->surface->road);
  side->road = side->surface->road;
  side->valley = bend.valley, side->crest = bend.crest;
}


void contact_make(baseArena *arena, contactPair *pair, const artSurfaceDef *a,
                  const artSurfaceDef *b, int part)
{
  const pairShape x = shape_against(a->type, b->type), y = shape_against(b->type, a->type);
  const int n = count_against(a, b);
  ART_ASSERT(part >= 0 && part < contact_count(a, b));
  make_side(&pair->side[0], a, x, part);
  make_side(&pair->side[1], b, y, part);
  pair->side[0].profile = profile_against(arena, a, b);
  pair->side[1].profile = profile_against(arena, b, a);
  take_hull(arena, &pair->side[0], part);
  take_hull(arena, &pair->side[1], part);
  take_road(&pair->side[0]);
  take_road(&pair->side[1]);
  if (x.shape == CONTACT_PROFILE) pair->side[0].chain = part % n;
  if (y.shape == CONTACT_PROFILE) pair->side[1].chain = part / n;
  pair->first = y.shape < x.shape;
  pair->axes = pair->side[pair->first].shape <= CONTACT_BOX ? pair->first : -1;
}


int contact_is_too_large(const artSurfaceDef *a, const artSurfaceDef *b, double *radius,
                         double *valley)
{
  const artSurfaceDef *road = a->type == ART_SURFACE_ROAD ? a : b, *other = a == road ? b : a;
  if (road->type != ART_SURFACE_ROAD || !(other->radius > 0)) return 0;
  const double bend = road_bend(road->road).valley;
  *radius = other->radius;
  *valley = 1 / bend;
  return bend * other->radius >= 1;
}


double contact_sure_gap(const contactPair *pair, double gap)
{
  const contactSide *side = pair->side;
  const int k = side[0].road ? 0 : 1;
  if (!side[k].road || side[k].valley == 0) return gap;
  return fmin(gap, 0.9 / side[k].valley - side[!k].radius);
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
