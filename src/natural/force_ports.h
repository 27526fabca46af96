// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports of force elements in natural coordinates. The displacements x of a port change by x' = G q', and its element
// resists by -dF = K dx + D dx'; it adds G^T (a K + b D) G to the tangent, which holds for all ports alike.
//
// Springs, stops and friction between two points or along joint coordinates act here, where x depends on a few
// coordinates; all other elements act through the tree (force_tree.c). Laws are on the segments of the state given, or on the
// frozen ones while modes are held. The tangent has to stay positive definite: of K and D the symmetric parts are kept,
// as far as they resist. Changes of G are left out, and derivatives of formulas by anything but their own joint or
// point, which costs iterations and no accuracy.
#ifndef NATURAL_FORCE_PORTS_H
#define NATURAL_FORCE_PORTS_H

#include "force/force.h"
#include "natural/natural.h"

// Sums over the elements.
typedef struct naturalEffect {
  double *Q;         // [n] generalised forces
  double power;      // of forces without potential
  double *potential; // of the others, NULL: nobody asks
  int leaves_out;    // 1: forces without potential, 2: those with one
} naturalEffect;

enum { LEAVE_RESISTING = 1, LEAVE_ELASTIC = 2 };

typedef struct naturalPort {
  const modelElement *e;
  int acts_here; // along a span or joint coordinates; 0: through the tree
  int nx;        // displacements: 1 along joint coordinates or a line of several spans, 3 of a
                 // span, a point, or the contact of a wheel, 6 between two frames
  int form;      // span or point of which they are the components, -1: none
  int number;    // of its patch
  const naturalPatch *patch;
  double *G; // [coordinates of the patch][nx]
  int *
      slot; // of a formula: slots of the positions of its joint or point, then of their rates, -1: it reads none

  int own; // of a formula that reads the displacement and nothing else: its slot, or -1

  // at the state last evaluated, of an element that acts here
  v3 direction;
  double x, v, force;

  // [0] by displacements, [1] by their rates
  unsigned changes[2];     // bits: by which of them slopes between frames are not constant
  double slope[2][6][6];   // -dF/dx and -dF/dx'
  double resists[2][6][6]; // K and D
} naturalPort;

// Groups of elements that act through the tree; an element between two frames is in both.
enum {
  TREE_STEADY = PORT_ELASTIC, // with a potential
  TREE_OTHER = PORT_RESISTING,
};

struct naturalElements {
  int nport;
  naturalPort *port;
  unsigned char *group; // [nelement] 0: it does not act through the tree
  int groups;           // all that occur
  double *q, *v, *Q;    // [n] at the middle of a step
  double *ends;         // [n] sum over both ends of a step
  double *row;          // [n] zero between uses
};

//---- ports (force_ports.c) -----------------------------------------------------------------------

// The slot of the displacement, where that is all that the formula of an element along a span or a joint coordinate reads: the
// force has a potential then. Else -1.
int natural_own_slot(const artModel *m, const modelElement *e);

// The port of an element, if it has one.
void natural_add_port(naturalMachine *k, const modelElement *e);

// Apply an element that acts here at q1 and v; or between q0 and q1, with the mean velocities v: then the force with a
// potential is such that Q.(q1 - q0) = V0 - V1, by integration where a formula gives it. Fails where an air spring has no volume.
artStatus natural_act_port(const naturalMachine *k, naturalPort *p, double t, const double *q0,
                           const double *q1, const double *v, naturalEffect *out, artError *error);

// values += G^T (stiffness K + damping D) G of all ports of a machine, at the state that was applied last and the data is in.
void natural_add_port_tangents(void *machine, double stiffness, double damping, double *values);

//---- through the tree (force_tree.c) -------------------------------------------------------------

artStatus natural_apply_tree(naturalMachine *k, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error);

// Between two states: forces with a potential by a discrete gradient, the others at the middle, of which q and v stand
// in the elements' q, v.
artStatus natural_apply_tree_between(naturalMachine *k, double t0, const double *q0,
                                     const double *v0, double t1, const double *q1,
                                     const double *v1, naturalEffect *out, artError *error);

// Q += forces without a potential at a state.
artStatus natural_apply_tree_resisting(naturalMachine *k, double t, const double *q,
                                       const double *v, double *Q, artError *error);

// Q += a force at the origin of a link and a torque, both in ground axes.
void natural_push_link(const naturalMachine *k, int link, v3 force, v3 torque, double *Q);

#endif
