// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#define ART_DUAL

#include "contact/contact_rates.h"

#include "contact/contact_moving.h"
#include "contact/contact_place.h"


static void store_vector(v3 v, double x[3], double rate[3])
{
  x[0] = v.x.x, x[1] = v.y.x, x[2] = v.z.x;
  rate[0] = v.x.d, rate[1] = v.y.d, rate[2] = v.z.d;
}


void contact_rates(const surfaceMotion side[2], contactRates *rates)
{
  const contactBody body[2] = {moving_body(&side[0]), moving_body(&side[1])};
  const contactPoint at = contact_place(side[0].shape, side[1].shape, body);
  rates->gap = at.gap.x;
  rates->gap_rate = at.gap.d;
  store_vector(at.normal, rates->normal, rates->normal_rate);
  store_vector(at.point, rates->point, rates->point_rate);
}
