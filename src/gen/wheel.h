// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on the road as nodes: its motion, its contact, and the order in which these are evaluated.
#ifndef GEN_WHEEL_H
#define GEN_WHEEL_H

#include "gen/nodes.h"
#include "gen/tyre_symbolic.h"
#include "road/road_profile.h"

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
  node3 force;                    // on the wheel, ground axes
} genWheel;

// The wheel in ground axes.
typedef struct wheelNodes {
  node3 centre, velocity, axis;
  node3 turning; // its angular velocity without the spin
  int spin;
} wheelNodes;

// Where a wheel meets the road, in ground axes.
typedef struct roadContact {
  node3 forward, left, normal; // the ISO axes
  node3 arm;                   // from the centre to the point
  int radius;                  // its length
} roadContact;

#ifdef ART_SYMBOLIC
#include "tyre/contact_axes.h"

// Radius, camber and motion of a contact, and from these deflection, spring and load; the contact as nodes.
roadContact gen_tyre_at_contact(const symTyre *law, const wheelNodes *wheel,
                                const discContact *contact, tyreNodes *x);
#endif

// Forces and moments f in the axes of a contact, at the wheel centre in ground axes.
void gen_contact_wrench(exprPool *pool, const roadContact *contact, const int f[6], node3 *force,
                        node3 *moment);

// The resultant of all contacts with a profile, of which so many pieces lie under the wheel at most, with its load;
// `height` is the road's below the centre. Unknowns and equations are left in the wheel's stage.
roadContact gen_edge_contact(const symTyre *law, const roadProfile *profile, int nplace, int height,
                             const wheelNodes *wheel, genWheel *stage, tyreNodes *x);

#endif
