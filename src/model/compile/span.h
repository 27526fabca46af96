// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The spanning tree of a graph of bodies and joints: which joints carry coordinates, which close
// loops, and why.
#ifndef MODEL_SPAN_H
#define MODEL_SPAN_H

#include "articula/model.h"

// The use of a joint's coordinates elsewhere; the more, the rather it stays in the tree.
typedef enum spanUse {
  SPAN_UNUSED,
  SPAN_STARTED, // initial values or guesses are given
  SPAN_NAMED,   // forces, drives, couplings, outputs or studies name them, or the joint has a rotor
} spanUse;

typedef struct spanJoint {
  artJointType type;
  int body[2]; // from, to; 0 is ground
  int keep;    // 1 stays in the tree, -1 closes a loop, 0 is ours to choose
  spanUse use;
} spanJoint;

typedef struct spanGraph {
  int nbody; // ground included
  int njoint;
  const spanJoint *joint;
} spanGraph;

// Why a joint closes a loop.
typedef enum spanReason {
  SPAN_IN_TREE,
  SPAN_ROD,       // rods always do
  SPAN_ROLLING,   // as does what rolls on a plane
  SPAN_BAR,       // a bar between two ball joints has become a rod
  SPAN_TOLD,      // the file says so
  SPAN_LOOSE,     // a free joint constrains nothing
  SPAN_BALL,      // ball joints are the cheapest
  SPAN_UNIVERSAL, // no ball joint was left
  SPAN_EVEN,      // no cheaper joint was left, and branches are shortest this way
  SPAN_WELDED,    // a loop of fixed joints
  SPAN_IN_USE,    // all joints of the loop are in use; this one leaves the shortest branches
} spanReason;

// Grow the tree from ground. Joints are taken in this order: those that must stay, fixed ones, those
// whose coordinates are in use, then others before universal before free before ball joints; among
// equals the one that makes the shortest branch, counted in coordinates; then the first. So each loop
// is cut at its cheapest joint, near the middle. Ball and free joints are crossed from `from` to
// `to`; against that only where nothing else leads on.
//   writes joint_of[nbody]: the joint that leads to the body; -1 for ground and bodies out of reach
//          order[nbody]: the bodies reached, ground first, parents before children
// Returns the number of bodies reached, ground included; -1 when memory ran out.
int span_find(const spanGraph *graph, int *joint_of, int *order);

// Why a joint that span_find left out closes a loop; and the same in words.
spanReason span_reason(const spanJoint *joint);
const char *span_reason_text(spanReason reason);

#endif
