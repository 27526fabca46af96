// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The contact point of two moving bodies with its rates of change, for rows that rigid contacts add: the same
// geometry on dual numbers (contact_place.h).
#ifndef CONTACT_CONTACT_RATES_H
#define CONTACT_CONTACT_RATES_H

#include "contact/contact_motion.h"

typedef struct contactRates {
  double gap, gap_rate;
  double normal[3], normal_rate[3]; // from the first body to the second
  double point[3], point_rate[3];
} contactRates;

// Bodies in the order of contactShape.
void contact_rates(const surfaceMotion side[2], contactRates *rates);

#endif
