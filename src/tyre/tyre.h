// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Private definition of a tyre.
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
  double relaxation[2]; // of tyres whose formula does not define it
  double slow;          // speed below which slips are regularised
  double largest;       // load above which forces are proportional to the load
  double low_damping;   // s, damping at standstill relative to carcass stiffness
  union {
    artLinearTyre linear;
    artBakkerTyre bakker;
    artCalspanTyre calspan;
    magicTyre magic;
  };
  tirFile file;
  _Atomic int keepers; // reference count, without the creator
};

// Size of the leading part of a tyre that holds its numbers, which define all its forces.
static inline size_t tyre_numbers_size(void)
{
  return offsetof(artTyre, file);
}

// Add a reference; the tyre is freed when the last owner calls art_free_tyre.
void tyre_keep(artTyre *tyre);

// The road of a ground made by art_ground_of_road, or NULL.
const artRoad *tyre_road_of(const artGround *ground);

// The deflection of a tyre for a contact.
artTyreDeflection tyre_deflection(const artTyre *tyre, const artContact *contact);

// Contact and load of a wheel on the road.
typedef struct tyrePress {
  artContact contact;
  double depth;
  double elastic, load; // without and with the damper
} tyrePress;

// Compute the deflection of a contact, and its loads.
void tyre_press_at(const artTyre *tyre, const artContact *contact, tyrePress *press);

// The directional derivative of the forces with respect to (kappa, alpha, gamma, load).
artTyreForce tyre_forces_along(const artTyre *tyre, const artTyreInput *input,
                               const double direction[4]);

// Stiffness K and damping D of a tyre under load against motions of its contact point along the
// normal, forward and left. lag: weight of the slip rates in an implicit step; NULL: steady-state
// slips.
void tyre_resistance(const artTyre *tyre, const artTyreAnswer *a, const double *lag, double K[3],
                     double D[3]);

// Source of the slips.
typedef struct tyreSlips {
  double *state; // kappa', tan alpha'; NULL: steady-state slips
  double weight; // > 0: solve state = base + weight rate(state), and store the states
  const double *base;
} tyreSlips;

// art_put_tyre_on_road with slips from any source.
artStatus tyre_roll(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                    const tyreSlips *slips, artTyreAnswer *answer);

// Compute the force in ground axes and the moment about the wheel centre.
void tyre_carry(const artWheel *wheel, artTyreAnswer *answer);

// Keep only the load: no slip forces, no moment at the contact point.
void tyre_stand(const artWheel *wheel, artTyreAnswer *answer);

#endif
