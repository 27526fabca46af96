// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How the force elements of a model act in natural coordinates: along lines between points, along joint
// coordinates, and the rest through the tree. Segments of laws are those of the state given, or the
// frozen ones while modes are held. Stiffness and damping are kept where they are positive only, for the tangent has to
// stay positive definite.
#ifndef NATURAL_FORCE_PARTS_H
#define NATURAL_FORCE_PARTS_H

#include <math.h>

#include "force/force.h"
#include "natural/natural.h"

// What is summed up over the elements.
typedef struct naturalEffect {
  double *Q;        // [n] generalised forces
  double power;     // of forces without potential
  double potential; // of the others
} naturalEffect;

// An element along the line between two points; one by a function of the user, which acts through the tree: its slopes count here.
typedef struct naturalLine {
  const modelElement *e;
  const artWork *work; // holds the modes
  int span;            // form: from its first point to its second
  int patch;           // of the tangent

  // at the state last evaluated
  v3 direction;
  double axial, transverse; // stiffness
  double damping;
} naturalLine;

// A coordinate that such an element acts on.
typedef struct naturalAxisTerm {
  int s;              // its number
  double c;           // its factor
  int slot_x, slot_v; // where a formula reads it and its rate, -1: it does not
} naturalAxisTerm;

// A spring, stop, friction or force in a joint, along x = sum of c q.
typedef struct naturalAxis {
  const modelElement *e;
  const artWork *work; // holds the modes
  int n;
  naturalAxisTerm *term; // by ascending s, as in the patch
  int patch;

  // at the state last evaluated
  double stiffness, damping;
} naturalAxis;

// A force by formula on a point of which the formula reads place or velocity, like that of a tyre.
typedef struct naturalSpot {
  const modelElement *e;
  int point; // form
  int patch;
  int slot_x[3], slot_v[3];

  // at the state last evaluated
  s3 stiffness, damping;
} naturalSpot;

// A wheel on the road, with the material point of it that touches.
typedef struct naturalWheel {
  const modelElement *e;
  int forms[4]; // origin and axes of its link
  int patch;
} naturalWheel;

// An element between two frames, or along a line of several spans.
typedef struct naturalPair {
  const modelElement *e;
  int nx; // displacements: 6, or 1
  int patch;
  unsigned x_changes, v_changes; // bits: displacements and rates by which slopes are not constant
  double by_x[6][6], by_v[6][6]; // slopes of the forces, with their signs changed

  // at the state last evaluated
  double *gradient; // [6 coordinates of the patch] displacements by coordinates
  double stiffness[6][6], damping[6][6]; // as far as they resist
} naturalPair;

// Groups of elements that act through the tree; an element between two frames is in both.
enum {
  TREE_STEADY = PORT_ELASTIC, // with a potential
  TREE_OTHER = PORT_RESISTING,
};

struct naturalElements {
  int nline, naxis, nspot, nwheel, npair;
  naturalLine *line;
  naturalAxis *axis;
  naturalSpot *spot;
  naturalWheel *wheel;
  naturalPair *pair;
  unsigned char *group; // [nelement]
  int groups;           // those that occur
  double *gradient;     // [6 coordinates of the largest patch]
  double *q, *v, *Q;    // [n] at the middle of a step
  double *row;          // [n] zero between uses
  baseArena arena;      // owns it all
};

//---- along one displacement (force_along.c) ------------------------------------------------------

// Of an air spring without volume they tell.
artStatus natural_apply_line(const naturalSystem *s, naturalLine *line, double t, const double *q,
                             const double *v, naturalEffect *out, artError *error);

// Between q0 and q1, with the mean velocities v: the tension is such that Q.(q1 - q0) = V0 - V1.
artStatus natural_apply_line_between(const naturalSystem *s, naturalLine *line, double t,
                                     const double *q0, const double *q1, const double *v,
                                     naturalEffect *out, artError *error);

// Stiffness and damping times these factors, as a matrix on the span.
s3 natural_line_tangent(const naturalLine *line, double stiffness, double damping);

artStatus natural_apply_axis(naturalAxis *axis, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error);
artStatus natural_apply_axis_between(naturalAxis *axis, double t, const double *q0,
                                     const double *q1, const double *v, naturalEffect *out,
                                     artError *error);

// values += A c c^T
void natural_add_axis_tangent(const naturalAxis *axis, const naturalPatch *patch, double A,
                              double *values);

//---- through the tree (force_tree.c) -------------------------------------------------------------

artStatus natural_apply_tree(naturalMachine *k, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error);

// Between two states: what has a potential by a discrete gradient, the rest at the middle, of which
// t, q, v stand in the elements' q, v.
artStatus natural_apply_tree_between(naturalMachine *k, double t0, const double *q0,
                                     const double *v0, double t1, const double *q1,
                                     const double *v1, naturalEffect *out, artError *error);

//---- wheels (force_wheel.c) ----------------------------------------------------------------------

// 0: a form is missing because memory ran out
int natural_add_wheel(naturalMachine *k, const modelElement *e);

// values += what the tyre resists at the state the data is in.
void natural_add_wheel_tangent(const naturalMachine *k, const naturalWheel *wheel, double stiffness,
                               double damping, double *values);

//---- pairs of frames (force_pair.c) --------------------------------------------------------------

int natural_add_pair(naturalMachine *k, const modelElement *e);
void natural_keep_pair(naturalMachine *k, naturalPair *frames);
void natural_add_pair_tangent(const naturalMachine *k, const naturalPair *frames, double stiffness,
                              double damping, double *values);

//---- slopes (force_slope.c) ----------------------------------------------------------------------

// The derivatives of formulas by what their own joint or point does; others are left out of the
// tangent, which costs iterations and no accuracy.
void natural_find_slots(const artModel *m, const modelElement *e, const modelTerm *from,
                        naturalAxisTerm *to);
int natural_find_point_slots(const artModel *m, naturalSpot *spot); // 0: it reads none

// After the forces through the tree have been applied.
void natural_keep_slopes(naturalMachine *k);

// values += G^T A G of the gradients G, 3 numbers a coordinate of the patch, with room for 3 more behind.
void natural_add_gradient_tangent(const naturalPatch *patch, s3 A, double *gradient,
                                  double *values);

// Derivatives of a component of a form by the coordinates of the patch times a factor, added up.
void natural_add_gradient(const naturalSystem *s, const naturalPatch *patch, int component,
                          double factor, double *gradient);

// values += A on the components of a form; gradient is room for 6 numbers a coordinate of the patch.
void natural_add_form_tangent(const naturalSystem *s, int form, const naturalPatch *patch, s3 A,
                              double *gradient, double *values);

#endif
