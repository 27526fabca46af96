// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of a tyre.
#ifndef TYRE_TYRE_H
#define TYRE_TYRE_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/tyre.h"
#include "tyre/magic.h"
#include "tyre/tir.h"

typedef enum tyreKind { TYRE_RADIAL, TYRE_LINEAR, TYRE_BAKKER, TYRE_CALSPAN, TYRE_MAGIC } tyreKind;

struct artTyre {
  tyreKind kind;
  bool mirrored;
  artRadialTyre radial;
  double relaxation[2]; // of tyres whose formula says nothing of it
  double slow;          // the speed below which slips are made regular
  double largest;       // the load above which forces grow in proportion to it
  double low_damping;   // seconds: damping of standstill over carcass stiffness
  union {
    artLinearTyre linear;
    artBakkerTyre bakker;
    artCalspanTyre calspan;
    magicTyre magic;
  };
  tirFile file;
  _Atomic int keepers; // besides the one who made it
};

// The bytes at the beginning of a tyre that hold its numbers, all of what it does.
static inline size_t tyre_numbers_size(void)
{
  return offsetof(artTyre, file);
}

// Share a tyre: it goes when the last of its keepers has called art_free_tyre.
void tyre_keep(artTyre *tyre);

// The road behind a ground of art_ground_of_road, or NULL.
const artRoad *tyre_road_of(const artGround *ground);

// The deflection of a tyre at a contact.
artTyreDeflection tyre_deflection(const artTyre *tyre, const artContact *contact);

// How a wheel is pressed to the road.
typedef struct tyrePress {
  artContact contact;
  double depth;
  double elastic, load; // without and with the damper
} tyrePress;

// The deflection at a contact, and the loads that it makes.
void tyre_press_at(const artTyre *tyre, const artContact *contact, tyrePress *press);

// The derivatives of the forces along a direction of (kappa, alpha, gamma, load).
artTyreForce tyre_forces_along(const artTyre *tyre, const artTyreInput *input,
                               const double direction[4]);

// How a tyre under load resists the motion of the point of its wheel that is in contact: stiffness K and damping D along
// the normal, forward and left. lag: weight of the slip rates in an implicit step, NULL: slips are steady.
void tyre_resistance(const artTyre *tyre, const artTyreAnswer *a, const double *lag, double K[3],
                     double D[3]);

// Where slips come from.
typedef struct tyreSlips {
  double *state; // kappa', tan alpha'; NULL: steady slips
  double weight; // above 0: the states solve  state = base + weight rate(state)  and are written
  const double *base;
} tyreSlips;

// art_put_tyre_on_road with slips of any kind.
artStatus tyre_roll(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                    const tyreSlips *slips, artTyreAnswer *answer);

// The force of an answer in ground axes and at the wheel centre.
void tyre_carry(const artWheel *wheel, artTyreAnswer *answer);

// Leave the load of an answer alone: no side force, no moment at the contact point.
void tyre_stand(const artWheel *wheel, artTyreAnswer *answer);

#endif
