// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The geometry of all pairs of shapes, each in a file of its own.
#ifndef CONTACT_CONTACT_PLACE_H
#define CONTACT_CONTACT_PLACE_H

#include "contact/ball_ball.h"
#include "contact/box_ball.h"
#include "contact/frustum_ball.h"
#ifndef ART_SYMBOLIC
#include "contact/convex_convex.h"
#include "contact/hull_hull.h"
#endif
#include "contact/plane_ball.h"
#include "contact/plane_ellipsoid.h"
#include "contact/plane_profile.h"
#include "contact/plane_rim.h"
#include "contact/profile_ball.h"
#include "contact/profile_profile.h"
#include "contact/rim_ball.h"
#include "contact/road_ball.h"
#include "contact/segment_ball.h"
#include "contact/segment_segment.h"
#include "contact/surface_pairs.h"


// The contact point of two bodies of these shapes, a first in contactShape.
static inline contactPoint contact_place(contactShape a, contactShape b, const contactBody body[2])
{
#ifndef ART_SYMBOLIC
  if (a == CONTACT_HULL && b == CONTACT_HULL) return contact_hull_hull(&body[0], &body[1]);
  if (contact_is_convex(a, b)) return contact_convex(a, b, body);
  if (a == CONTACT_HULL) return contact_hull_ball(&body[0], &body[1]);
#endif
  if (a == CONTACT_PLANE && b == CONTACT_RIM) return contact_plane_rim(&body[0], &body[1]);
  if (a == CONTACT_PLANE && b == CONTACT_ELLIPSOID)
    return contact_plane_ellipsoid(&body[0], &body[1]);
  if (a == CONTACT_PLANE && b == CONTACT_PROFILE) return contact_plane_profile(&body[0], &body[1]);
  if (a == CONTACT_PLANE) return contact_plane_ball(&body[0], &body[1]);
  if (a == CONTACT_ROAD) return contact_road_ball(&body[0], &body[1]);
  if (a == CONTACT_BOX) return contact_box_ball(&body[0], &body[1]);
  if (a == CONTACT_PROFILE && b == CONTACT_PROFILE)
    return contact_profile_profile(&body[0], &body[1]);
  if (a == CONTACT_PROFILE) return contact_profile_ball(&body[0], &body[1]);
  if (a == CONTACT_SEGMENT && b == CONTACT_SEGMENT)
    return contact_segment_segment(&body[0], &body[1]);
  if (a == CONTACT_SEGMENT) return contact_segment_ball(&body[0], &body[1]);
  if (a == CONTACT_FRUSTUM) return contact_frustum_ball(&body[0], &body[1]);
  if (a == CONTACT_RIM) return contact_rim_ball(&body[0], &body[1]);
  return contact_ball_ball(&body[0], &body[1]);
}

#endif
