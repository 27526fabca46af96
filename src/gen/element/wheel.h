// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on the road as nodes: its motion, its contact, and the order in which these are evaluated.
#ifndef GEN_WHEEL_H
#define GEN_WHEEL_H

#include "gen/vectors.h"

#include "gen/element/tyre_symbolic.h"
#include "road/road_profile.h"
#include "tyre/contact_axes.h"

enum {
  GEN_CONTACT_NODES = 14,
  GEN_CONTACT_UNKNOWNS = 16,
  GEN_LAW_NODES = 8,
  GEN_MOST_PLACES = 2 * GEN_CONTACT_UNKNOWNS + 1
};

// Values of a wheel on the road, and the order in which they are evaluated.
typedef struct genWheel {
  int element;
  int nunknown; // contact is found by Newton's method: symbols, where they begin, their corrections
  int unknown[GEN_CONTACT_UNKNOWNS], guess[GEN_CONTACT_UNKNOWNS], correction[GEN_CONTACT_UNKNOWNS];
  int residual;                   // sum of squares
  int contact[GEN_CONTACT_NODES]; // axes of the contact and its motion
  int law[GEN_LAW_NODES];         // forces and moments
  tyreSlow slow;                  // forces of a tyre that rolls slowly
  v3 force;                       // on the wheel, ground axes
} genWheel;

// The wheel in ground axes.
typedef struct wheelNodes {
  v3 centre, velocity, axis;
  v3 turning; // its angular velocity without the spin
  real spin;
} wheelNodes;

// Radius, camber and motion of a contact, and from these deflection, spring and load.
void gen_tyre_at_contact(const symTyre *law, const wheelNodes *wheel, const discContact *contact,
                         tyreNodes *x);

// The resultant of all contacts with a profile, at most `nplace` pieces of which are under the wheel, with its load;
// `height` is the road's below the centre. Unknowns and equations are left in the wheel's stage.
discContact gen_edge_contact(const symTyre *law, const roadProfile *profile, int nplace,
                             real height, const wheelNodes *wheel, genWheel *stage, tyreNodes *x);

#endif
