// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Quantities that formulas and outputs may name.
#ifndef MODEL_QUANTITY_KIND_H
#define MODEL_QUANTITY_KIND_H

#include "base/unit.h"
#include "element/element.h"

// what outputs may ask of a latch
typedef enum latchValue {
  LATCH_IS_ENGAGED,
  LATCH_FORCE,
  LATCH_LENGTH, // of a rope, between the origins of a latch
  LATCH_RATE,
  LATCH_FX, // on `to`, ground axes, then fy fz tx ty tz
} latchValue;

typedef enum quantityKind {
  QUANTITY_TIME,
  QUANTITY_POSITION,     // of coordinate index
  QUANTITY_VELOCITY,     //
  QUANTITY_ACCELERATION, //
  QUANTITY_JOINT_FORCE,  // what acts along coordinate index: elements, drive, couplings
  QUANTITY_REACTION,     // on `to` of joint index, at the joint, ground axes: fx fy fz tx ty tz
  QUANTITY_POINT,        // of frame index, ground axes: x y z
  QUANTITY_POINT_VELOCITY,
  QUANTITY_POINT_ACCELERATION,
  QUANTITY_AXIS,       // of frame index, ground axes: its x axis x y z, y axis x y z, z axis x y z
  QUANTITY_ROTATION,   // of frame index in ground: qw qx qy qz
  QUANTITY_OMEGA,      // angular velocity of frame index, ground axes
  QUANTITY_ALPHA,      // angular acceleration
  QUANTITY_ATTITUDE,   // of frame index in ground: yaw, pitch, roll
  QUANTITY_TURN,       // angular velocity of frame index along its own axes, x y z
  QUANTITY_COURSE,     // velocity along the heading, to its left, angle between them
  QUANTITY_SURGE,      // acceleration along the heading, to its left
  QUANTITY_ELEMENT,    // value of force element index
  QUANTITY_ENERGY,     // kinetic, potential, total, work, balance
  QUANTITY_MULTIPLIER, // of relation index
  QUANTITY_ROD,        // cut index: tension in the middle, length, force on `from` x y z, the
                       // opposite of it, the opposite of that on `to`, nothing
  QUANTITY_ROLL,     // roll index: forces on `to` normal, along, across; the point of contact x y z
  QUANTITY_BAR,      // bar point index: place, velocity, acceleration, angular ones, x y z each
  QUANTITY_MOMENTUM, // linear x y z, angular x y z about the ground's origin
  QUANTITY_GRAVITY,  // x y z
  QUANTITY_STEP,     // of a run: length of the last step, index of its method
  QUANTITY_CONSTRAINT, // of a run: constraint violation of positions, velocities, accelerations
  QUANTITY_LATCH,      // latch index, by latchValue
  QUANTITY_HELD,       // of artData's u
  QUANTITY_STATE,      // of artData's s
  QUANTITY_SIGNAL,     // a named formula of other quantities
} quantityKind;

typedef struct modelQuantity {
  quantityKind kind;
  int index, component;
  quantityLevel level;
  baseDimension dimension;
  unsigned short readers; // forces, rates, latches: bits of signal.h
} modelQuantity;          // without a gap, for models are compared word by word

// what a run tells: work since the start, energy then, length and index of the last step, constraint violations
typedef enum quantityRun {
  RUN_WORK,
  RUN_START,
  RUN_STEP,
  RUN_INDEX,
  RUN_VIOLATION, // of positions, velocities, accelerations
  RUN_COUNT = RUN_VIOLATION + 3
} quantityRun;

#endif
