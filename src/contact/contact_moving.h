// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A moving body as the geometry of a pair takes it: on dual numbers with its rates of change, on doubles without.
#ifndef CONTACT_CONTACT_MOVING_H
#define CONTACT_CONTACT_MOVING_H

#include "contact/contact_body.h"
#include "contact/contact_motion.h"


static inline v3 moving_vector(const double x[3], const double rate[3])
{
#ifdef ART_DUAL
  return (v3){{x[0], rate[0]}, {x[1], rate[1]}, {x[2], rate[2]}};
#else
  (void) rate;
  return (v3){x[0], x[1], x[2]};
#endif
}


// an axis e turns by  e' = omega x e
static inline v3 moving_axis(const double e[3], const double omega[3])
{
  const double rate[3] = {omega[1] * e[2] - omega[2] * e[1], omega[2] * e[0] - omega[0] * e[2],
                          omega[0] * e[1] - omega[1] * e[0]};
  return moving_vector(e, rate);
}


static inline contactBody moving_body(const surfaceMotion *m)
{
  contactBody body = {.at = moving_vector(m->at, m->velocity),
                      .radius = r_const(m->radius),
                      .top = r_const(m->top),
                      .tube = r_const(m->tube),
                      .profile = m->profile,
                      .chain = m->chain,
                      .hull = m->hull,
                      .road = m->road,
                      .bend = m->bend};
  body.axes.x = moving_axis(m->axes, m->omega);
  body.axes.y = moving_axis(m->axes + 3, m->omega);
  body.axes.z = moving_axis(m->axes + 6, m->omega);
  for (int k = 0; k < 3; k++) body.half[k] = r_const(m->half[k]);
  return body;
}

#endif
