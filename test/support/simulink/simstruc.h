// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The part of Simulink's header of the same name that generated S-functions need, written for tests: the
// structure of a block, and the published names by which its methods and the host (host.c) read and write it.
// Places that do not exist, and an input that is read where it is not fed through, end the host with a message.
#ifndef SIMSTRUC_H
#define SIMSTRUC_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real_T;
typedef int int_T;
typedef unsigned char boolean_T;

#define CONTINUOUS_SAMPLE_TIME        (0.0)
#define SS_OPTION_EXCEPTION_FREE_CODE 1u
#define SS_PRM_NOT_TUNABLE            0

//---- parameters of blocks ------------------------------------------------------------------------

typedef struct mxArray {
  size_t n;
  double *x;
  int is_double, is_complex;
} mxArray;

#define mxGetNumberOfElements(a) ((a)->n)
#define mxGetPr(a)               ((a)->x)
#define mxIsDouble(a)            ((a)->is_double)
#define mxIsComplex(a)           ((a)->is_complex)

//---- blocks --------------------------------------------------------------------------------------

enum { MAX_PORTS = 4 };

typedef struct port {
  int width, is_direct, is_contiguous;
  real_T *signal;
} port;

typedef struct SimStruct SimStruct;
struct SimStruct {
  const char *error;
  real_T t;
  int given, wanted; // parameters
  const mxArray *parameter[1];
  int nstate, ndiscrete, ninput, noutput, nsample, nreal, ninteger, npointer, nmode, ncrossing;
  unsigned options;
  port input[MAX_PORTS], output[MAX_PORTS];
  real_T sample_time, offset_time;
  real_T *state, *rate, *real_work, *crossing;
  int *integer_work;
  void **pointer_work;
  int is_in_outputs, is_major; // the method at work, and when
  int resets;                  // of the solver, that the block has asked for
  void (*initialize_sizes)(SimStruct *S);
  void (*initialize_sample_times)(SimStruct *S);
  void (*start)(SimStruct *S);
  void (*initialize_conditions)(SimStruct *S);
  void (*outputs)(SimStruct *S, int_T tid);
  void (*derivatives)(SimStruct *S);
  void (*projection)(SimStruct *S);
  void (*zero_crossings)(SimStruct *S);
  void (*terminate)(SimStruct *S);
};


// the index, if it is below n
static inline int within(int i, int n, const char *what)
{
  if (i >= 0 && i < n) return i;
  fprintf(stderr, "%s %d of %d is asked for\n", what, i, n);
  exit(3);
}


static inline const real_T *input_signal(SimStruct *S, int i)
{
  const port *p = &S->input[within(i, S->ninput, "input")];
  if (p->is_contiguous && (p->is_direct || !S->is_in_outputs)) return p->signal;
  fprintf(stderr, "input %d is read where it is not fed through, or not contiguous\n", i);
  exit(3);
}

#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssGetErrorStatus(S)       ((S)->error)
#define ssGetT(S)                 ((S)->t)
#define ssIsMajorTimeStep(S)      ((S)->is_major)
#define ssSetSolverNeedsReset(S)  ((S)->resets++)
#define ssSetOptions(S, bits)     ((S)->options = (bits))

#define ssSetNumSFcnParams(S, n) ((S)->wanted = (n))
#define ssGetNumSFcnParams(S)    ((S)->wanted)
#define ssGetSFcnParamsCount(S)  ((S)->given)
#define ssGetSFcnParam(S, i)     ((S)->parameter[within(i, (S)->given, "parameter")])
#define ssSetSFcnParamTunable(S, i, value)                                                         \
  ((void) within(i, (S)->given, "parameter"), (void) (value))

#define ssSetNumContStates(S, n) ((S)->nstate = (n))
#define ssSetNumDiscStates(S, n) ((S)->ndiscrete = (n))
#define ssGetContStates(S)       ((S)->state)
#define ssGetdX(S)               ((S)->rate)

#define ssSetNumInputPorts(S, n)     ((S)->ninput = within(n, MAX_PORTS, "input"), 1)
#define ssSetNumOutputPorts(S, n)    ((S)->noutput = within(n, MAX_PORTS, "output"), 1)
#define ssSetInputPortWidth(S, i, n) ((S)->input[within(i, (S)->ninput, "input")].width = (n))
#define ssSetInputPortRequiredContiguous(S, i, is)                                                 \
  ((S)->input[within(i, (S)->ninput, "input")].is_contiguous = (is))
#define ssSetInputPortDirectFeedThrough(S, i, is)                                                  \
  ((S)->input[within(i, (S)->ninput, "input")].is_direct = (is))
#define ssSetOutputPortWidth(S, i, n)   ((S)->output[within(i, (S)->noutput, "output")].width = (n))
#define ssGetInputPortRealSignal(S, i)  input_signal(S, i)
#define ssGetOutputPortRealSignal(S, i) ((S)->output[within(i, (S)->noutput, "output")].signal)

#define ssSetNumSampleTimes(S, n) ((S)->nsample = (n))
#define ssSetSampleTime(S, i, x)                                                                   \
  ((void) within(i, (S)->nsample, "sample time"), (S)->sample_time = (x))
#define ssSetOffsetTime(S, i, x)                                                                   \
  ((void) within(i, (S)->nsample, "sample time"), (S)->offset_time = (x))

#define ssSetNumRWork(S, n)         ((S)->nreal = (n))
#define ssSetNumIWork(S, n)         ((S)->ninteger = (n))
#define ssSetNumPWork(S, n)         ((S)->npointer = (n))
#define ssSetNumModes(S, n)         ((S)->nmode = (n))
#define ssSetNumNonsampledZCs(S, n) ((S)->ncrossing = (n))
#define ssGetRWorkValue(S, i)       ((S)->real_work[within(i, (S)->nreal, "number")])
#define ssSetRWorkValue(S, i, x)    ((S)->real_work[within(i, (S)->nreal, "number")] = (x))
#define ssGetIWorkValue(S, i)       ((S)->integer_work[within(i, (S)->ninteger, "integer")])
#define ssSetIWorkValue(S, i, x)    ((S)->integer_work[within(i, (S)->ninteger, "integer")] = (x))
#define ssGetPWork(S)               ((S)->pointer_work)
#define ssGetPWorkValue(S, i)       ((S)->pointer_work[within(i, (S)->npointer, "pointer")])
#define ssSetPWorkValue(S, i, x)    ((S)->pointer_work[within(i, (S)->npointer, "pointer")] = (x))
#define ssGetNonsampledZCs(S)       ((S)->crossing)

#endif
