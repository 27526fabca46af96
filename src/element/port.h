// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports: the interface between force elements and the machine.
//
// An element does not depend on the coordinates of the machine. It gets the motion of its port and
// returns forces. Relative coordinates (src/force), natural coordinates (src/natural) and the
// generator (src/gen) each implement ports once. Sources of elements are written on the scalar of
// src/spatial and compiled three times: with numbers, with dual numbers for derivatives
// (derivative.c), and with symbols (src/gen/element/port_symbolic.c).
#ifndef ELEMENT_PORT_H
#define ELEMENT_PORT_H

#include "contact/contact_place.h"
#include "element/element.h"
#include "element/pair.h"
#include "spatial/spatial.h"

// The object to which an element is attached.
typedef enum portType {
  PORT_NONE,    // does not use a port
  PORT_LINE,    // points: x is the total length of the line through them
  PORT_AXIS,    // a combination of joint coordinates: x
  PORT_POINT,   // the point of a frame
  PORT_PAIR,    // two frames: x are the displacements in law/pair_laws.h
  PORT_CONTACT, // two surfaces: x and v by contactComponent
} portType;

// Displacements and rates of PORT_CONTACT. Normal and slip are in the axes in which friction is
// measured, the contact point is in ground.
enum {
  CONTACT_GAP,    // and its rate
  CONTACT_NORMAL, // 3; rates: slip velocity
  CONTACT_POINT =
      CONTACT_NORMAL + 3, // 3; rates: angular velocity of the axes in which a bristle rests
  CONTACT_UP =
      CONTACT_POINT + 3, // 3: normal in ground axes; rates: relative angular velocity there
  PORT_COMPONENTS = CONTACT_UP + 3
};

// Source of numbers, laws and modes; depends on the scalar.
#ifdef ART_SYMBOLIC
typedef struct portSource {
  struct genBuild *b;
  int index; // index of the element, for names of parameters
  int mode0; // its first mode
} portSource;
#else
typedef struct portSource {
  const int *mode;           // frozen segments; NULL: use the present ones
  const double *begin, *end; // displacements at both ends of a step: conservative forces are means
                             // over the step; NULL: forces of the present state
} portSource;
#endif

// The definition of the kind at the end of element sources is compiled once, with numbers.
#if !defined ART_SYMBOLIC && !defined ART_DUAL
#define PORT_HAS_DEFINITION
#endif

// Motion of a port: the members that its type has and the element needs.
typedef struct portMotion {
  portSource from;
  real x[PORT_COMPONENTS];      // displacements (one for a line or axis)
  real v[PORT_COMPONENTS];      // and their rates
  v3 position, velocity, omega; // of a point and its frame, ground axes
  m3 axes;                      // rows: axes of the frame in ground
  real time;                    // if the user function needs it
  real given[6];                // results of the element's formulas or of the user function
} portMotion;

// Force of the element on its port.
typedef struct portForce {
  real elastic[6], resisting[6]; // along the displacements: conservative part, and the rest
  v3 force, torque; // at a point, ground axes; the force is used only with PORT_VELOCITY, the
                    // torque only with PORT_OMEGA; of a contact, in the axes of its friction
  real value[6];    // at a point: for outputs
} portForce;

// Motion of a point that an element needs.
enum { PORT_POSITION = 1, PORT_VELOCITY = 2, PORT_AXES = 4, PORT_OMEGA = 8 };

// Parts of the forces along displacements.
enum { PORT_ELASTIC = 1, PORT_RESISTING = 2 };

// The physics of a kind of element.
typedef struct elementPhysics {
  portType port;
  int (*needs)(const modelElement *e); // of a point
  void (*act)(const modelElement *e, const portMotion *in, portForce *out);
  real (*potential)(const modelElement *e, const portMotion *in); // NULL: none
} elementPhysics;

#define PORT_DECLARE(name, ...) extern const elementPhysics R_NAME(name##_physics);
ELEMENT_KINDS(PORT_DECLARE, PORT_DECLARE)
#undef PORT_DECLARE

// Physics of an element, or NULL if its kind does not act at ports.
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

// The line along a span with the given rate of change.
static inline portLine port_line(v3 span, v3 velocity)
{
  // a line of zero length has no direction, and then no force
  const real zero = r_const(0), length = r_sqrt(v3_dot(span, span));
  const real inverse = r_select(r_less(zero, length), r_div(r_const(1), length), zero);
  const v3 direction = v3_scale(inverse, span);
  return (portLine){direction, length, v3_dot(direction, velocity)};
}

//---- contacts ------------------------------------------------------------------------------------

typedef struct portContact {
  m3 axes;           // in which friction is measured: v_own = axes v_ground
  v3 arm[2];         // from the points of both frames to the contact point, ground axes
  v3 normal;         // from the first surface to the second
  v3 point, closing; // contact point; velocity of the second surface there, relative to the first
} portContact;

// State of a port, with its geometry if it is a line, a pair or a contact.
typedef struct portState {
  int needs; // of a point
  portMotion in;
  portLine line;
  v3 next[ART_MOST_POINTS - 2]; // directions of the further spans of a line
  portPair pair;
  portContact contact;
} portState;

// Displacement that an output component shows, or (is_rate) whose rate: length and rate of a line,
// displacements of a pair, and of a contact after its force: gap, rate, slip, normal, point, turn, up,
// spin. -1: the
// component is a force.
static inline int port_shown(const modelElement *e, int component, int *is_rate)
{
  const elementPhysics *physics = port_physics(e);
  const portType type = physics ? physics->port : PORT_NONE;
  if (type == PORT_CONTACT) {
    static const int shown[] = {
        CONTACT_GAP,        CONTACT_GAP,       CONTACT_NORMAL,     CONTACT_NORMAL + 1,
        CONTACT_NORMAL + 2, CONTACT_NORMAL,    CONTACT_NORMAL + 1, CONTACT_NORMAL + 2,
        CONTACT_POINT,      CONTACT_POINT + 1, CONTACT_POINT + 2,  CONTACT_POINT,
        CONTACT_POINT + 1,  CONTACT_POINT + 2, CONTACT_UP,         CONTACT_UP + 1,
        CONTACT_UP + 2,     CONTACT_UP,        CONTACT_UP + 1,     CONTACT_UP + 2};
    *is_rate =
        (component >= 4 && component < 8) || (component >= 14 && component < 17) || component >= 20;
    return component < 3 || component >= RIGID_NORMAL ? -1 : shown[component - 3];
  }
  *is_rate = type == PORT_LINE && component == 2;
  if (type == PORT_LINE) return component > 0 ? 0 : -1;
  return type == PORT_PAIR && component >= 6 ? component - 6 : -1;
}

//---- user functions ------------------------------------------------------------------------------

// Is the force computed by a user function? (That of a tyre belongs to the tyre.)
static inline int port_has_call(const modelElement *e)
{
  return e->call.function && !e->tyre;
}

// Inputs of the function (articula/user.h), without parameters.
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

// A law of an element: its mode, and its name in generated source, where it is number k of `count`
// laws with that name.
typedef struct portLaw {
  const forceLaw *law; // NULL: zero
  int mode;
  const char *name;
  int count, k;
} portLaw;

// Contact at a limit of a stop: depth beyond the limit, its mean over the step if there is one, and
// c d', at least -1, where the stop no longer follows.
typedef struct portTouch {
  real depth, mean, damping;
} portTouch;

#ifdef ART_SYMBOLIC
#include "gen/element/port_symbolic.h"
#else
#include "element/port_numbers.h"
#endif

// A constant of an element, with its name in generated source.
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
