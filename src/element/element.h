// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force element as the compiled model has it: its kind, its ports and its numbers.
#ifndef ELEMENT_ELEMENT_H
#define ELEMENT_ELEMENT_H

#include "articula/model.h"
#include "articula/user.h"
#include "element/kinds.h"
#include "law/drag.h"
#include "law/friction.h"
#include "law/law.h"
#include "law/pair_laws.h"
#include "law/stop.h"

typedef struct formula formula; // model/formula/formula.h

//---- functions of the user -----------------------------------------------------------------------

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

// most parameters of a function of the user
enum { FUNCTION_PARAMETERS = 32 };

// Most formulas of an element, and so most arguments of a function that a model hands over to it.
enum { ELEMENT_FORMULAS = 3, FUNCTION_ARGUMENTS = ELEMENT_FORMULAS };

// Most inputs and results of forces.
enum {
  FUNCTION_INPUTS = ART_POINT_PARAMETER + FUNCTION_PARAMETERS + FUNCTION_ARGUMENTS,
  FUNCTION_RESULTS = 6
};

// One that the model names, with its code once somebody has attached it.
typedef struct modelFunction {
  const char *name;
  functionKind kind;
  int ninput, n;           // inputs without parameters, results
  int nparameter;          //
  int nargument;           // values of formulas, behind the parameters
  int nuse;                // who call it
  const char *what, *user; // who names it first: "force", "shock"
  artPlace place;          // and where
  artFunction *code;       // or NULL
  void *context;           //
  artUserFunction *in_c;   // of a library: one of these, in the context of its code
  void (*in_fortran)(const double *x, double *y);
} modelFunction;

// The function that an element calls; NULL: none.
typedef struct modelCall {
  const modelFunction *function;
  double *parameter;
} modelCall;

//---- kinds ---------------------------------------------------------------------------------------

// A tag for every kind, and one for laws of the host program.
typedef enum elementTag {
#define ELEMENT_TAG(name, ...) ELEMENT_##name,
  ELEMENT_KINDS(ELEMENT_TAG, ELEMENT_TAG) ELEMENT_callback
#undef ELEMENT_TAG
} elementTag;

// what must be known before a quantity is: also what a force law may depend on
typedef enum quantityLevel { LEVEL_POSITION, LEVEL_VELOCITY, LEVEL_ACCELERATION } quantityLevel;

//---- elements ------------------------------------------------------------------------------------

// a coordinate that a joint element acts on, and its factor
typedef struct modelTerm {
  int position, velocity;
  double c;
} modelTerm;

// what a tyre gives to outputs
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

typedef struct modelElement {
  elementTag kind;
  const struct elementKind *type; // element/kind.h
  const char *name;
  artPlace place;

  int nframe, frame[ART_MOST_POINTS]; // its points or frames
  int nterm;                          // joint elements: they act along
  modelTerm *term;                    // x = sum of c q
  double rest;                        // free length, rest value
  forceLaw *spring, *damper;          // or NULL
  forceStop stop;
  const forcePair *pair; // between two frames
  formula *formula[ELEMENT_FORMULAS];
  const char *text[3]; // of formulas that its kind has written: the force, and its other outputs
  int is_torque, in_body;
  int has_potential;  // derives from a potential altogether
  int pushes_at_rest; // has none though its velocities are zero: air that impacts
  const artTyre *tyre;
  const artRoad *road; // NULL: flat
  modelCall ground;    // of a tyre whose road is a function
  modelCall call;      // a function in the place of laws, formulas or forces of a tyre

  int state0, nstate;   // slips that lag behind, in artData's states
  int value0, nvalue;   // what it does, for outputs, in artData's values
  int mode0, nmode;     // frozen segments and branches, in artData's modes
  int switch0, nswitch; // switching functions

  void *
      row; // its laws and other pieces of the model's memory, row_size bytes; 0: they stand here and there
  size_t row_size;

  // numbers that one kind alone has; the machinery around elements walks over everything above
  union {
    forceFriction friction;
    forceDrag drag;
    artCallbackDef callback;
  };
} modelElement;

// Whether it has stops.
static inline int model_has_stop(const modelElement *e)
{
  return e->stop.stiffness > 0;
}

// A law of an element: a function of a displacement of its port less a rest value, or of the rate.
typedef struct elementLaw {
  const forceLaw *law;
  int axis, is_of_rate;
  double rest;
} elementLaw;

// Its laws, in the order of their modes; returns how many.
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
