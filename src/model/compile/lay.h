// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From numbers of definitions to numbers of the compiled tree: joint frames in bodies, bodies at the reference
// configuration, links, frames and sides of cuts. Topology is decided before and is in a plan; what is left is
// arithmetic, written on the scalar of src/spatial: with numbers it compiles a model, with symbols (src/sym) it records
// what compiled numbers are in terms of definitions. Files that include it define
//   real lay_number(const laying *l, const double *x)   the number at an address of a definition
//   modelPose lay_neat(const laying *l, modelPose pose) a pose, free of rounding where that counts
//   m3 lay_turned(const laying *l, v3 axis, v3 x)       pose_turned, its choices made
#ifndef MODEL_LAY_H
#define MODEL_LAY_H

#include "articula/model.h"
#include "mesh/mesh.h"
#include "model/define/joint_kind.h"
#include "model/links.h"
#include "spatial/pose_algebra.h"

#define LAY_PI 3.14159265358979323846

//---- the plan ------------------------------------------------------------------------------------

// A body between two ball joints that has become a rod (bars.c): addresses of its own numbers. The place of a ball in
// the bar is that of an offset in a frame of the bar, or that of `at` in ground.
typedef struct layBar {
  const artPose *frame[2], *offset[2]; // frame NULL: the bar's own
  const artPose *outer[2];             // offsets in the bodies at its ends
  const double *at[2];                 // NULL: not in ground
  const artPose *pose;                 // of the bar
  const double *mass;
} layBar;

// Addresses of the numbers of a joint.
typedef struct layJoint {
  artJointType type;
  int in_ground;
  int body[2];             // from, to
  const artPose *frame[2]; // that `from` and `to` name, in their bodies; NULL: the bodies' own
  const artPose *offset[2];
  const double *at[2]; // in ground, of both ends; they differ for rods that were bodies
  const double *axis, *axis2, *pitch, *rotor;
  const double *surface_radius, *half_angle; // of what rolls
  const double *length,
      *mass; // of a rod, or the radius of what rolls; the length of a bar is that between its balls
  const layBar *bar; // or NULL
  int is_reversed;   // the tree runs from `to` to `from`
  int twin_side;     // the body that has a twin at the joint: 0 from, 1 to, -1 none
  int link, nlink;   // its links, 0: none

  // corrections of ends.h: the axes of an end are turned, R T, and its origin is shifted
  int is_turned[2], is_shifted[2];
  double turn[2][9], shift[2][3];
} layJoint;

// The solids of a body, with the moments of those that are meshes, and the mass of the whole, 0: theirs.
typedef struct laySolids {
  int n; // 0: there are none
  const artSolidDef *solid;
  const meshMoments *mesh; // [n]
  const double *mass;
} laySolids;

typedef struct layBody {
  int joint; // that leads to it in the tree
  int link;
  const double *mass, *com, *inertia;
  laySolids solids; // in their place
  const artPose *pose;
} layBody;

typedef struct layFrame {
  int body;
  const artPose *pose; // NULL: the body's own axes
} layFrame;

typedef struct layPlan {
  int nbody, njoint, nframe, nlink, ncut;
  layBody *body; // [nbody] ground first
  layJoint *joint;
  layFrame *frame;
  int *order; // [nbody] parents before children
  int *cut;   // [ncut] joints
} layPlan;

//---- laying --------------------------------------------------------------------------------------

typedef struct jointEnds {
  int body[2];      // from, to
  modelPose end[2]; // joint frame in the bodies, z along the axis
} jointEnds;

// the frame of a joint on one side of a cut, in the axes of the link there
typedef struct laidSide {
  int of_twin; // the link is the joint's twin, else that of the body
  int body;
  m3 R;
  v3 r;
} laidSide;

typedef struct laidInertia {
  real mass;
  v3 com;
  s3 inertia; // about the centre of mass, in the axes of the body
} laidInertia;

typedef struct laying {
  const layPlan *plan;
  void *context;        // where numbers come from
  jointEnds *ends;      // [njoint]
  modelPose *reference; // [nbody] in ground
  modelPose *link_in_body;
} laying;

#endif
