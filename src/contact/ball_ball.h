// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Two spheres.
#ifndef CONTACT_BALL_BALL_H
#define CONTACT_BALL_BALL_H

#include "contact/contact_body.h"


static inline contactPoint contact_ball_ball(const contactBody *a, const contactBody *b)
{
  return contact_of_spheres(a->at, a->radius, b->at, b->radius);
}

#endif
