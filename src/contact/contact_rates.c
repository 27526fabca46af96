// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#define ART_DUAL

#include "contact/contact_rates.h"

#include "contact/contact_place.h"


static v3 moving_vector(const double x[3], const double rate[3])
{
  return (v3){{x[0], rate[0]}, {x[1], rate[1]}, {x[2], rate[2]}};
}


// an axis e turns by  e' = omega x e
static v3 moving_axis(const double e[3], const double omega[3])
{
  const double rate[3] = {omega[1] * e[2] - omega[2] * e[1], omega[2] * e[0] - omega[0] * e[2],
                          omega[0] * e[1] - omega[1] * e[0]};
  return moving_vector(e, rate);
}


static contactBody moving_body(const contactMotion *m)
{
  contactBody body = {.at = moving_vector(m->at, m->velocity),
                      .radius = r_const(m->radius),
                      .top = r_const(m->top),
                      .tube = r_const(m->tube)};
  body.axes.x = moving_axis(m->axes, m->omega);
  body.axes.y = moving_axis(m->axes + 3, m->omega);
  body.axes.z = moving_axis(m->axes + 6, m->omega);
  for (int k = 0; k < 3; k++) body.half[k] = r_const(m->half[k]);
  return body;
}


static void store_vector(v3 v, double x[3], double rate[3])
{
  x[0] = v.x.x, x[1] = v.y.x, x[2] = v.z.x;
  rate[0] = v.x.d, rate[1] = v.y.d, rate[2] = v.z.d;
}


void contact_rates(const contactMotion side[2], contactRates *rates)
{
  const contactBody body[2] = {moving_body(&side[0]), moving_body(&side[1])};
  const contactPoint at = contact_place(side[0].shape, side[1].shape, body);
  rates->gap = at.gap.x;
  rates->gap_rate = at.gap.d;
  store_vector(at.normal, rates->normal, rates->normal_rate);
  store_vector(at.point, rates->point, rates->point_rate);
}
