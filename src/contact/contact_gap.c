// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "contact/contact_gap.h"

#include "contact/contact_moving.h"
#include "contact/contact_place.h"


contactPoint contact_gap(const surfaceMotion side[2])
{
  const contactBody body[2] = {moving_body(&side[0]), moving_body(&side[1])};
  return contact_place(side[0].shape, side[1].shape, body);
}
