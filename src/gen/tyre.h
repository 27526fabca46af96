// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as expressions: what their makers share.
#ifndef GEN_TYRE_H
#define GEN_TYRE_H

#include "gen/road.h"

// The tyre of an element and all that is known of it on the road.
typedef struct genTyre {
  genBuild *b;
  genWheel *wheel; // its stages
  symTyre law;
  tyreNodes x;
} genTyre;

// The wheel in ground axes.
typedef struct wheelNodes {
  node3 centre, velocity, axis;
  node3 turning; // its angular velocity without the spin
  int spin;
} wheelNodes;

// Radius, camber and motion of a contact, and from these deflection, spring and load.
void gen_tyre_at_contact(genTyre *t, const wheelNodes *wheel, const roadContact *contact);

#endif
