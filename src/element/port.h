// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports: all that a force element sees of a machine, and all that it does to it.
//
// An element does not know in which coordinates the machine is written. It is given the motion of its port and answers
// with forces; relative coordinates (src/force), natural coordinates (src/natural) and the generator (src/gen) implement
// ports once each. Files of elements are written on the scalar of src/spatial and compiled three times: on numbers, on
// dual numbers for their derivatives (derivative.c) and on symbols (src/gen/element/port_symbolic.c).
#ifndef ELEMENT_PORT_H
#define ELEMENT_PORT_H

#include "element/element.h"
#include "element/pair.h"
#include "spatial/spatial.h"

// The part that an element is attached to.
typedef enum portType {
  PORT_NONE,  // it acts in its own way
  PORT_LINE,  // points: x is the length from the first through all to the last
  PORT_AXIS,  // a combination of joint coordinates: x
  PORT_POINT, // the point of a frame
  PORT_PAIR,  // two frames: x are the displacements of law/pair_laws.h
} portType;

// Where numbers, laws and modes come from, which depends on the scalar.
#ifdef ART_SYMBOLIC
typedef struct portSource {
  struct genBuild *b;
  int index; // of the element, in names of parameters
  int mode0; // its first mode
} portSource;
#else
typedef struct portSource {
  const int *mode;           // frozen segments; NULL: the present ones count
  const double *begin, *end; // displacements at both ends of a step, over which forces with a
                             // potential are means; NULL: forces are of the state
} portSource;
#endif

// Files of elements end with the definition that users meet, which is compiled once, on numbers.
#if !defined ART_SYMBOLIC && !defined ART_DUAL
#define PORT_HAS_DEFINITION
#endif

// The motion of a port, as far as its type has it and the element needs it.
typedef struct portMotion {
  portSource from;
  real x[6], v[6];              // displacements, of which a line or axis has one, and their rates
  v3 position, velocity, omega; // of a point and its frame, ground axes
  m3 axes;                      // rows: axes of the frame in ground
  real time;                    // where the user's function asks for it
  real given[6];                // results of the element's formulas or of the user's function
} portMotion;

// The action of the element there.
typedef struct portForce {
  real elastic[6], resisting[6]; // along the displacements: what has a potential, and the rest
  v3 force, torque; // at a point, ground axes; a force counts where the velocity of the point is
                    // needed, a torque where its angular velocity is
  real value[6];    // at a point: for outputs
} portForce;

// The motion of a point that an element needs.
enum { PORT_POSITION = 1, PORT_VELOCITY = 2, PORT_AXES = 4, PORT_OMEGA = 8 };

// Parts of what an element does along displacements.
enum { PORT_ELASTIC = 1, PORT_RESISTING = 2 };

// The physics of a kind of element.
typedef struct elementPhysics {
  portType port;
  int (*needs)(const modelElement *e); // of a point
  void (*act)(const modelElement *e, const portMotion *in, portForce *out);
  real (*potential)(const modelElement *e, const portMotion *in); // NULL: it has none
} elementPhysics;

#define PORT_DECLARE(name, ...) extern const elementPhysics R_NAME(name##_physics);
ELEMENT_KINDS(PORT_DECLARE, PORT_DECLARE)
#undef PORT_DECLARE

// The physics of an element, or NULL where the kind has none here.
static inline const elementPhysics *port_physics(const modelElement *e)
{
  static const elementPhysics *const physics[] = {
#define AT_PORT(name)                      &R_NAME(name##_physics)
#define PORT_OF_TWIN(name, physics)        [ELEMENT_##name] = physics,
#define PORT_OF(name, definition, physics) [ELEMENT_##name] = physics,
      ELEMENT_KINDS(PORT_OF, PORT_OF_TWIN)
#undef PORT_OF
#undef PORT_OF_TWIN
#undef AT_PORT
          [ELEMENT_callback] = NULL};
  return physics[e->kind];
}

//---- lines ---------------------------------------------------------------------------------------

typedef struct portLine {
  v3 direction; // from the first point to the second; zero where they coincide
  real length, rate;
} portLine;

// The line along a span that changes at a velocity.
static inline portLine port_line(v3 span, v3 velocity)
{
  // a line of no length has no direction, and then no force
  const real zero = r_const(0), length = r_sqrt(v3_dot(span, span));
  const real inverse = r_select(r_less(zero, length), r_div(r_const(1), length), zero);
  const v3 direction = v3_scale(inverse, span);
  return (portLine){direction, length, v3_dot(direction, velocity)};
}

// A port at a state, with its geometry where it is a line or a pair.
typedef struct portState {
  int needs; // of a point
  portMotion in;
  portLine line;
  v3 next[ART_MOST_POINTS - 2]; // of a line of several spans: directions of those behind the first
  portPair pair;
} portState;

// Outputs of an element beyond its forces: length and rate of a line, displacements of a pair. The displacement that
// a component shows, or its rate; -1: it is one of the forces.
static inline int port_shown(const modelElement *e, int component, int *is_rate)
{
  const elementPhysics *physics = port_physics(e);
  const portType type = physics ? physics->port : PORT_NONE;
  *is_rate = type == PORT_LINE && component == 2;
  if (type == PORT_LINE) return component > 0 ? 0 : -1;
  return type == PORT_PAIR && component >= 6 ? component - 6 : -1;
}

//---- functions of the user -----------------------------------------------------------------------

// Does a function make the force? That of a tyre is part of the tyre.
static inline int port_has_call(const modelElement *e)
{
  return e->call.function && !e->tyre;
}

// Its inputs (articula/user.h), parameters left out.
static inline void port_inputs(const portMotion *in, portType port, real *x)
{
  if (port != PORT_POINT) {
    x[ART_LINK_LENGTH] = in->x[0];
    x[ART_LINK_RATE] = in->v[0];
    x[ART_LINK_TIME] = in->time;
    return;
  }

  // the axes of the frame are columns of the rotation
  const m3 R = m3_transpose(in->axes);
  const v3 all[6] = {in->position, in->velocity, R.x, R.y, R.z, in->omega};
  for (int i = 0; i < 6; i++) {
    x[3 * i] = all[i].x;
    x[3 * i + 1] = all[i].y;
    x[3 * i + 2] = all[i].z;
  }
  x[ART_POINT_TIME] = in->time;
}

//---- numbers and laws ----------------------------------------------------------------------------

// A law of an element: its place among the modes, and its name in generated text; of `count` laws of that name it is
// number k.
typedef struct portLaw {
  const forceLaw *law; // NULL: it is zero
  int mode;
  const char *name;
  int count, k;
} portLaw;

// A limit of a stop: how deep the coordinate is beyond it, the mean of that over the step where one is given, and
// c d', not below -1: there the stop does not follow.
typedef struct portTouch {
  real depth, mean, damping;
} portTouch;

#ifdef ART_SYMBOLIC
#include "gen/element/port_symbolic.h"
#else
#include "element/port_numbers.h"
#endif

// A constant of an element, under its name in generated text.
static inline real port_number(const portMotion *in, const double *x, const char *name)
{
  return port_entry(in, x, name, 1, 0);
}

// A law at x, and its integral from 0.
static inline real port_law(const portMotion *in, portLaw own, real x)
{
  return port_curve(in, &own, x, 0);
}

static inline real port_integral(const portMotion *in, portLaw own, real x)
{
  return port_curve(in, &own, x, 1);
}

static inline v3 port_vector(const portMotion *in, const double x[3], const char *const name[3])
{
  return (v3){port_number(in, &x[0], name[0]), port_number(in, &x[1], name[1]),
              port_number(in, &x[2], name[2])};
}

#endif
