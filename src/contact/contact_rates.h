// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The contact point of two moving bodies with its rates of change, for rows that rigid contacts add: the same
// geometry on dual numbers (contact_place.h).
#ifndef CONTACT_CONTACT_RATES_H
#define CONTACT_CONTACT_RATES_H

#include "contact/surface_pairs.h"

// One body: its shape, reference point, axes by rows, and their motion, in ground axes.
typedef struct contactMotion {
  contactShape shape;
  double at[3], velocity[3];
  double axes[9], omega[3];
  double radius, top, tube, half[3];
} contactMotion;

typedef struct contactRates {
  double gap, gap_rate;
  double normal[3], normal_rate[3]; // from the first body to the second
  double point[3], point_rate[3];
} contactRates;

// Bodies in the order of contactShape.
void contact_rates(const contactMotion side[2], contactRates *rates);

#endif
