// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in natural coordinates: the system that represents a compiled model, and the way between
// its coordinates and the relative ones of the tree.
//
// Links that are fixed to each other make a group. Each group is described by up to four points and unit
// vectors, its base, chosen so that neighbours share what their joint makes common: a ball joint its
// centre, a hinge centre and axis, a slide all directions. Items of ground are
// constants. Joints that close loops are treated like joints of the tree. Planar machines take two
// coordinates an item and two items a group.
#ifndef NATURAL_NATURAL_H
#define NATURAL_NATURAL_H

#include "data/work.h"
#include "force/step_view.h"
#include "natural/system.h"

// Where a link is: forms of its origin and of its axes.
typedef struct naturalLink {
  int origin, x, y, z;
} naturalLink;

// A point or vector with coordinates of its own, fixed in a link.
typedef struct naturalItem {
  int link, coordinate, is_vector;
  v3 local;
} naturalItem;

// The angle of a screw that closes a loop.
typedef struct naturalScrew {
  int cut, coordinate;
} naturalScrew;

typedef enum naturalShape {
  NATURAL_AUTOMATIC, // in two dimensions where the machine is planar
  NATURAL_SPATIAL,
} naturalShape;

typedef struct naturalMachine {
  const artModel *m;
  artData *d; // drives and forces are evaluated with it
  naturalSystem *s;
  int is_planar;
  v3 plane[3];       // two directions in the plane and its normal, in ground
  naturalLink *link; // [links]
  int *point;      // [nframe] form of the point of a frame, for the frames that elements use; or -1
  int *coordinate; // [nv] coordinate that is the relative angle or distance of velocity k, or -1
  int nitem, nshared; // points and vectors, and how often one was taken over by a neighbour
  naturalItem *item;
  int nscrew;
  naturalScrew *screw;
  double *near;    // [nq] relative positions at the end of the last step: angles and quaternions
                   // that are recovered stay next to them
  double *start;   // [nv] relative positions at the start, of velocities that have one,
  double *extent;  // [nv] the largest distance from there so far,
  double *error;   // [nv] and the sum of the local errors of all steps, by magnitude
  double *flaw;    // [nv] scratch
  treeWorld *pose; // [links] by natural_recover
  motion *rate;    // [links] velocities, then accelerations, in ground axes
  stepView view;   // into steps,
  double *middle;  // [2 n + nstate] of the coordinates, and their middle
  int at_ends; // forces without a potential act between two states as the mean of both, not as at the middle
  naturalForces forces;
  struct naturalElements *elements;
  baseArena arena;
} naturalMachine;

// The data is the machine's for as long as it lives; the model must outlive it.
artStatus natural_create(naturalMachine **out, const artModel *m, artData *d, naturalShape shape,
                         artError *error);
void natural_destroy(naturalMachine *k);

// From the data's time, q, v to natural coordinates and their rates. After art_update, with loops
// closed.
void natural_place(naturalMachine *k, double *q, double *v);

// Back: the data's time, q and v (angles and quaternions next to the ones of the last step, or of
// natural_place) followed by art_update; and the accelerations d->a when a is given.
void natural_recover(naturalMachine *k, double t, const double *q, const double *v,
                     const double *a);

// Modes of the model's forces and drives stay as they are from now on: those who integrate watch
// the switching functions of k->forces, and change them.
void natural_hold_modes(naturalMachine *k);

// After that: look into steps, too; is their length given?
artStatus natural_look_into_steps(naturalMachine *k, int is_fixed, artError *error);

// Memory of angles, quaternions and modes along a motion, into k->forces.
void natural_go_along(naturalMachine *k);

//---- elements (force.c) --------------------------------------------------------------------------

// Before natural_finish: patches of all elements.
void natural_add_elements(naturalMachine *k);

// Patches and constant gradients of their ports, after natural_finish.
void natural_settle_ports(naturalMachine *k);

#endif
