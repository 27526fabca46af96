// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How the force elements of a model act in natural coordinates: along lines between points, along joint
// coordinates, and the rest through the tree. Segments of laws are those of the state given, never
// frozen ones. Stiffness and damping are kept where they are positive only, for the tangent has to
// stay positive definite.
#ifndef NATURAL_FORCE_PARTS_H
#define NATURAL_FORCE_PARTS_H

#include <math.h>

#include "natural/natural.h"

// What is summed up over the elements.
typedef struct naturalEffect {
  double *Q;        // [n] generalised forces
  double power;     // of forces without potential
  double potential; // of the others
} naturalEffect;

// A spring-damper.
typedef struct naturalLine {
  const modelElement *e;
  int span;  // form: from its first point to its second
  int patch; // of the tangent

  // at the state last evaluated
  v3 direction;
  double axial, transverse; // stiffness
  double damping;
} naturalLine;

// A spring, stop, friction or force in a joint.
typedef struct naturalAxis {
  const modelElement *e;
  int s; // its coordinate

  // at the state last evaluated
  double stiffness, damping;
} naturalAxis;

// Groups of elements that act through the tree.
enum {
  TREE_STEADY = 1, // with a potential
  TREE_OTHER = 2,
};

struct naturalElements {
  int nline, naxis;
  naturalLine *line;
  naturalAxis *axis;
  unsigned char *group; // [nelement]
  int groups;           // those that occur
  double *gradient;     // [6 terms of the longest span]
  double *q, *v, *Q;    // [n] at the middle of a step
  baseArena arena;      // owns it all
};

static inline double law_at(const forceLaw *law, double x)
{
  return law ? law_value(law, law_segment(law, x), x) : 0;
}

// The slope of a law where it is positive.
static inline double law_stiffness(const forceLaw *law, double x)
{
  return law ? fmax(law_slope(law, law_segment(law, x), x), 0) : 0;
}

//---- lines (force_line.c) ------------------------------------------------------------------------

void natural_apply_line(const naturalSystem *s, naturalLine *line, const double *q, const double *v,
                        naturalEffect *out);

// Between q0 and q1, with the mean velocities v: the tension is such that Q.(q1 - q0) = V0 - V1.
void natural_apply_line_between(const naturalSystem *s, naturalLine *line, const double *q0,
                                const double *q1, const double *v, naturalEffect *out);

void natural_add_line_tangent(const naturalSystem *s, const naturalLine *line, double stiffness,
                              double damping, double *gradient, double *values);

//---- joint coordinates (force_axis.c) ------------------------------------------------------------

// Joint forces by formula do nothing here: they come through the tree.
void natural_apply_axis(naturalAxis *axis, const double *q, const double *v, naturalEffect *out);
void natural_apply_axis_between(naturalAxis *axis, const double *q0, const double *q1,
                                const double *v, naturalEffect *out);

//---- through the tree (force_tree.c) -------------------------------------------------------------

artStatus natural_apply_tree(naturalMachine *k, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error);

// Between two states: what has a potential by a discrete gradient, the rest at the middle, of which
// t, q, v stand in the elements' q, v.
artStatus natural_apply_tree_between(naturalMachine *k, double t0, const double *q0,
                                     const double *v0, double t1, const double *q1,
                                     const double *v1, naturalEffect *out, artError *error);

#endif
