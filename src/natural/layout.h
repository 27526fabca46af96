// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which points and vectors describe which bodies.
//
// Links that are fixed to each other make a group, with the frame of its first link. The base of a group
// is a set of up to four points and vectors, independent as (x, y, z, 1) and (x, y, z, 0); any other point
// or direction of the group is a linear combination of them. An entry of a base is the group's own, with
// coordinates of its own, or has been taken over from a neighbour, which saves the equation of a joint.
#ifndef NATURAL_LAYOUT_H
#define NATURAL_LAYOUT_H

#include "natural/natural.h"

typedef struct layoutEntry {
  int form;
  double hom[4]; // (x, y, z, 1) or (x, y, z, 0) about the group's centre in units of its size
  v3 local;      // in the frame of the group
  int is_vector;
  int from;       // group that it was taken over from; -1: its own
  int coordinate; // first of its coordinates when it is its own
  int is_implied; // planar groups: the normal, and a vector turned by a right angle
} layoutEntry;

typedef struct layoutGroup {
  int root; // link
  int body; // the first of the model in it, 0: none
  int njoint;
  int n;
  layoutEntry base[4];
  v3 centre;
  double size;
  v3 normal;     // planar machines: of the plane, in the frame of the group,
  double height; // and how far above ground's origin the group's origin is
} layoutGroup;

// A joint of the tree or one that closes a loop: frames on both sides, axes as rows, in their groups.
typedef struct layoutJoint {
  artJointType type;
  int group[2];
  v3 point[2];
  m3 axes[2];
  v3 axis2; // universal: second axis, in the frame of `to`
  double pitch, length, mass;
  int link;  // of the tree; 0: it closes a loop
  int joint; // of the model, or -1
  int slide; // screw: coordinate of its angle
} layoutJoint;

typedef struct naturalLayout {
  const artModel *m;
  naturalSystem *s;
  int ngroup;
  layoutGroup *group;
  int *group_of; // [links]
  int *joint_of; // [links] of the model, or -1
  int *twin_of;  // [links] the cut that welds it to another link, or -1
  treePose *in;  // [links] where a link is in its group
  int njoint;
  layoutJoint *joint;
  int is_planar;
  v3 plane[3]; // two directions in the plane and its normal, in ground; else the axes of ground
  int ntaken;  // entries that were taken over
  baseArena arena;
} naturalLayout;

// Groups and joints of a model, bases still empty. The arena of the layout, which its caller frees, leaves the work where
// memory runs out.
void layout_start(naturalLayout *l, const artModel *m, naturalSystem *s, naturalShape shape);

// Choose the bases: what joints make common is shared; groups of bodies are then completed.
void layout_share(naturalLayout *l);

// Forms of a point and of a vector of a group, and of the axes of a joint's frame on one side. Groups are
// completed where it takes that.
int layout_point(naturalLayout *l, int group, v3 local);
int layout_vector(naturalLayout *l, int group, v3 local);

// Is the vector a combination of the base as it is?
int layout_spans(const naturalLayout *l, int group, v3 local);

// Lengths and angles of all bases, as far as they do not follow from others.
void layout_rigid_rows(naturalLayout *l);

// Position of a point of a link in its group.
v3 layout_in_group(const naturalLayout *l, int link, v3 r);

//---- joints.c ------------------------------------------------------------------------------------

// Relative coordinates that forces, drives, relations, rotors and screws need, with their rows.
artStatus joints_coordinates(naturalLayout *l, naturalMachine *k, artError *error);

// Rows of joints, as far as sharing has not made them superfluous; of relations and drives.
void joints_rows(naturalLayout *l, const naturalMachine *k);

#endif
