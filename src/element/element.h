// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force element in the compiled model: its kind, ports and numbers.
#ifndef ELEMENT_ELEMENT_H
#define ELEMENT_ELEMENT_H

#include "articula/model.h"
#include "articula/user.h"
#include "contact/surface_pairs.h"
#include "element/kinds.h"
#include "law/drag.h"
#include "law/friction.h"
#include "law/law.h"
#include "law/pair_laws.h"
#include "law/stop.h"

typedef struct formula formula; // model/formula/formula.h

//---- user functions ------------------------------------------------------------------------------

typedef enum functionKind {
  FUNCTION_LINK,
  FUNCTION_JOINT,
  FUNCTION_POINT,
  FUNCTION_TYRE,
  FUNCTION_CONSTRAINT,
  FUNCTION_BIAS,
  FUNCTION_GROUND,
  FUNCTION_KINDS
} functionKind;

// largest number of parameters of a user function
enum { FUNCTION_PARAMETERS = 32 };

// Largest number of formulas of an element, and therefore of arguments of a user function.
enum { ELEMENT_FORMULAS = 3, FUNCTION_ARGUMENTS = ELEMENT_FORMULAS };

// Largest number of inputs and results of force functions.
enum {
  FUNCTION_INPUTS = ART_POINT_PARAMETER + FUNCTION_PARAMETERS + FUNCTION_ARGUMENTS,
  FUNCTION_RESULTS = 6
};

// A user function named in the model, with its code once attached.
typedef struct modelFunction {
  const char *name;
  functionKind kind;
  int ninput, n;           // inputs without parameters, results
  int nparameter;          //
  int nargument;           // values of formulas, passed after the parameters
  int nuse;                // number of callers
  const char *what, *user; // first caller: "force", "shock"
  artPlace place;          // place of the first caller
  artFunction *code;       // or NULL
  void *context;           // argument of the code
  artUserFunction *in_c;   // from a library: one of these, stored in the context of its code
  void (*in_fortran)(const double *x, double *y);
} modelFunction;

// The function called by an element; NULL: none.
typedef struct modelCall {
  const modelFunction *function;
  double *parameter;
} modelCall;

//---- kinds ---------------------------------------------------------------------------------------

// One tag per kind, and one for laws of the host program.
typedef enum elementTag {
#define ELEMENT_TAG(name, ...) ELEMENT_##name,
  ELEMENT_KINDS(ELEMENT_TAG, ELEMENT_TAG) ELEMENT_callback
#undef ELEMENT_TAG
} elementTag;

// level of motion needed to evaluate a quantity; also what a force law may depend on
typedef enum quantityLevel { LEVEL_POSITION, LEVEL_VELOCITY, LEVEL_ACCELERATION } quantityLevel;

//---- elements ------------------------------------------------------------------------------------

// a coordinate that a joint element acts on, with its coefficient
typedef struct modelTerm {
  int position, velocity;
  double c;
} modelTerm;

// values of a tyre for outputs
typedef enum tyreValue {
  TYRE_FX,
  TYRE_FY,
  TYRE_FZ,
  TYRE_MX,
  TYRE_MY,
  TYRE_MZ,
  TYRE_SLIP,
  TYRE_SLIP_ANGLE,
  TYRE_CAMBER,
  TYRE_DEPTH,
  TYRE_SPIN,
  TYRE_X,
  TYRE_Y,
  TYRE_Z,
  TYRE_VALUES
} tyreValue;

// values of a rigid contact for outputs, after all that its port shows
enum { RIGID_NORMAL = 23, RIGID_FRICTION, RIGID_STATE, RIGID_ROLLING, RIGID_TORQUE };

// and of a pile: contacts with a force, sum and largest of their normal forces
enum { PILE_TOUCHING, PILE_NORMAL, PILE_HIGHEST };

typedef struct modelElement {
  elementTag kind;
  const struct elementKind *type; // element/kind.h
  const char *name;
  artPlace place;

  int nframe, frame[ART_MOST_POINTS]; // its points or frames
  int nterm;                          // joint elements: number of coordinates
  modelTerm *term;                    // x = sum of c q
  double rest;                        // free length, rest value
  forceLaw *spring, *damper;          // or NULL
  forceStop stop;
  const forcePair *pair; // between two frames
  formula *formula[ELEMENT_FORMULAS];
  const char *text[3]; // formulas written by its kind: the force, and further outputs
  int is_torque, in_body;
  int has_potential;  // its force derives from a potential
  int rigid;          // of a rigid contact: its number, from 1 (modelRigid)
  int pile;           // of a pile, likewise (modelPile)
  int pushes_at_rest; // exerts a force without potential even at zero velocity (wind)
  const artTyre *tyre;
  const artRoad *road; // NULL: flat
  modelCall ground;    // of a tyre whose road is a function
  modelCall call;      // user function that replaces laws, formulas or tyre forces

  int state0, nstate;   // slip states with relaxation, in the states of artData
  int value0, nvalue;   // results for outputs, in the values of artData
  int mode0, nmode;     // frozen segments and branches, in the modes of artData
  int switch0, nswitch; // event indicators

  // one block of row_size bytes with its laws and other parts; row_size 0: they are stored
  // separately
  void *row;
  size_t row_size;

  // numbers of a single kind; code common to elements uses only the members above
  union {
    forceFriction friction;
    forceDrag drag;
    const contactPair *contact;
    artCallbackDef callback;
  };
} modelElement;

// Does the element have stops?
static inline int model_has_stop(const modelElement *e)
{
  return e->stop.stiffness > 0;
}

// A law of an element: a function of a displacement of its port minus a rest value, or of its rate.
typedef struct elementLaw {
  const forceLaw *law;
  int axis, is_of_rate;
  double rest;
} elementLaw;

// Laws of an element in the order of their modes; returns their number.
enum { ELEMENT_MOST_LAWS = 12 };
static inline int element_laws(const modelElement *e, elementLaw law[ELEMENT_MOST_LAWS])
{
  int n = 0;
  if (e->spring) law[n++] = (elementLaw){e->spring, 0, 0, e->rest};
  if (e->damper) law[n++] = (elementLaw){e->damper, 0, 1, 0};
  for (int i = 0; e->pair && i < 12; i++) {
    const forceLaw *own = (i < 6 ? e->pair->spring : e->pair->damper)[i % 6];
    if (own) law[n++] = (elementLaw){own, i % 6, i >= 6, 0};
  }
  return n;
}

#endif
