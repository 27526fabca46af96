// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The compiled tree: what the recursions of src/tree read. Link 0 is ground; parents come before
// children. A link is a body together with the joint to its parent, which turns about or slides along
// z of the link's own frame, or is a ball, or free; compound joints are chains of links, massless but
// for the last. The same recursions run on constants that are numbers and on symbols (spatial.h).
#ifndef MODEL_LINKS_H
#define MODEL_LINKS_H

#include "spatial/spatial.h"

typedef enum linkKind {
  LINK_FIXED,     // no coordinate
  LINK_REVOLUTE,  // turns about z
  LINK_PRISMATIC, // slides along z
  LINK_SCREW,     // turns about z and slides along it, pitch m per rad
  LINK_SPHERICAL, // q: unit quaternion; v: angular velocity in the link's axes
  LINK_FREE, // q: position in the joint's frame, unit quaternion; v: its rate, angular velocity
} linkKind;

typedef struct treeLink {
  int parent;
  linkKind kind;
  int q0, v0;    // first position and velocity coordinate
  int nv;        // velocity coordinates: 0, 1, 3 or 6
  int is_driven; // its motion is prescribed (one-dof kinds only)
  int has_rotor; // its rotor is not zero (one-dof kinds only)

  // joint frame in the parent: v_joint = R v_parent; origin p in the parent's axes
  m3c R;
  v3c p;
  realc pitch;
  realc rotor; // inertia of a geared rotor, felt by the joint's coordinate alone

  // inertia about the link's origin, in the link's axes: mass, first moment m c, second moment
  realc mass;
  v3c h;
  s3c J;
} treeLink;

// Does the joint turn freely, by a quaternion? And how many of its coordinates are plain numbers, before that?
static inline int link_turns(const treeLink *link)
{
  return link->kind == LINK_SPHERICAL || link->kind == LINK_FREE;
}


static inline int link_straight(const treeLink *link)
{
  return link->nv - (link_turns(link) ? 3 : 0);
}


typedef struct treeModel {
  int n;       // links, ground included
  int nq, nv;  // coordinates
  v3c gravity; // in ground
  treeLink *link;
  int *dof_link;   // [nv] link that velocity coordinate k moves
  int *dof_parent; // [nv] the coordinate before k on the way to ground, or -1
  int *
      dof_run; // [nv] first of the coordinates that lead to k one after the other, without a branch
  int *anchor; // [n] link whose origin serves as reference point of i's tree in tree_mass
} treeModel;

#endif
