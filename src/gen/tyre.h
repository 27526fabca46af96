// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as expressions: what their makers share.
#ifndef GEN_TYRE_H
#define GEN_TYRE_H

#include "gen/lines.h"
#include "gen/road.h"
#include "tyre/tyre.h"

// The laws of a tyre, of element i, as equations of src/tyre in their order. Names that they share:
//   r, sg, cg, gamma   radius, sine and cosine of camber, camber
//   spin, approach     of the wheel; speed of the contact into the road
//   Vx, Vy             velocity of the contact point
//   kappa, ta          slips: longitudinal, tangent of the slip angle
typedef struct genTyre {
  genLines lines;
  const artTyre *tyre;
  magicTyre magic; // numbers by their keys
  genWheel *wheel; // its stages
  int i;
} genTyre;

// The wheel in ground axes.
typedef struct wheelNodes {
  node3 centre, velocity, axis;
  node3 turning; // its angular velocity without the spin
  int spin;
} wheelNodes;

void gen_tyre_open(genTyre *t, genBuild *b, const artTyre *tyre, genWheel *wheel);

// r, sg, cg, gamma, spin, approach, Vx, Vy of a contact.
void gen_tyre_at_contact(genTyre *t, const wheelNodes *wheel, const roadContact *contact);

// depth, spring, load from these: load without and with the damper.
void gen_tyre_spring(genTyre *t);

// Vsx, and what formulas see of the load.
void gen_tyre_load(genTyre *t);

// kappa, ta: steady ones; or from the slip states u0, u1, whose rates are then rate0, rate1.
void gen_tyre_steady_slips(genTyre *t);
void gen_tyre_slip_states(genTyre *t);

// Fx, Fy, Mx, My, Mz of the slips.
void gen_tyre_forces(genTyre *t);

// Formulas of one kind (tyre_law.c): from Fz, kappa, ta, gamma, sg, speed to Fx, Fy, Mx, Mz, rolling; and
// from Fz, gamma, sg to the stiffnesses Kx, Ky and friction mux, muy.
void gen_tyre_law(genTyre *t);
void gen_tyre_stiffness(genTyre *t);

#endif
