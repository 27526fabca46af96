// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small units for tests: an equation with one or two states, and around it all functions of FMI 2.0 (unit2.c) or 3.0 (unit3.c).
//
// Value references: 0 time, from 1 on states, their derivatives, inputs, parameters, outputs. A file of equations is compiled together with one of
// the two: cc -shared -fPIC -DEQUATIONS='"pi.c"' -DTOKEN='"..."' unit2.c
#ifndef FIXTURE_H
#define FIXTURE_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

typedef struct equations {
  int states, inputs, parameters, outputs, indicators;
  double start[MOST], parameter[MOST];
  void (*rate)(double t, const double *x, const double *u, const double *p, double *dx);
  void (*output)(double t, const double *x, const double *u, const double *p, double *y);
  void (*indicate)(double t, const double *x, const double *u, const double *p, double *z);
  void (*event)(double t, double *x, const double *u, const double *p);
} equations;

#include EQUATIONS

// States of an instance, as bits.
enum {
  MADE = 1,
  INITIALISED = 2,
  EVENTS = 4,
  CONTINUOUS = 8,
  STEPS = 16,
  OVER = 32,
  BROKEN = 64,
  CONFIGURED = 128,
  ANY = 255
};

typedef struct unitValues {
  int state, is_exchange, has_failed;
  int is_early, has_crossed; // co-simulation with event mode: events are left to the importer
  double t, end, x[MOST], u[MOST], p[MOST];
} unitValues;

enum { MAX_STEPS = 100000 };
static const double INNER_STEP = 1e-3;


static void reset_values(unitValues *v)
{
  const int is_exchange = v->is_exchange, is_early = v->is_early;
  memset(v, 0, sizeof *v);
  v->is_exchange = is_exchange;
  v->is_early = is_early;
  v->state = MADE;
  v->end = HUGE_VAL;
  memcpy(v->x, EQUATION.start, sizeof v->x);
  memcpy(v->p, EQUATION.parameter, sizeof v->p);
}


// The kind of a reference and its number in it; -1: there is none.
typedef enum unitKind { TIME, STATE, RATE, INPUT, PARAMETER, OUTPUT, NO_KIND } unitKind;

static unitKind find_kind(unsigned reference, int *number)
{
  const int count[] = {
      1, EQUATION.states, EQUATION.states, EQUATION.inputs, EQUATION.parameters, EQUATION.outputs};
  for (int kind = TIME; kind < NO_KIND; kind++) {
    *number = (int) reference;
    if (reference < (unsigned) count[kind]) return (unitKind) kind;
    reference -= (unsigned) count[kind];
  }
  return NO_KIND;
}


static int get_value(const unitValues *v, unsigned reference, double *value)
{
  double list[MOST] = {0};
  int i;
  switch (find_kind(reference, &i)) {
  case TIME: *value = v->t; return 1;
  case STATE: *value = v->x[i]; return 1;
  case INPUT: *value = v->u[i]; return 1;
  case PARAMETER: *value = v->p[i]; return 1;
  case RATE: EQUATION.rate(v->t, v->x, v->u, v->p, list); break;
  case OUTPUT: EQUATION.output(v->t, v->x, v->u, v->p, list); break;
  default: return 0;
  }
  *value = list[i];
  return 1;
}


static int set_value(unitValues *v, unsigned reference, double value)
{
  int i;
  const unitKind kind = find_kind(reference, &i);
  if (kind == STATE && v->state & (MADE | INITIALISED)) {
    v->x[i] = value;
  } else if (kind == INPUT) {
    v->u[i] = value;
  } else if (kind == PARAMETER && !(v->state & CONTINUOUS)) {
    v->p[i] = value;
  } else {
    return 0;
  }
  return 1;
}


// a value with a reference changed by so much, for derivatives by differences, which are exact for equations that are linear
static double shifted(const unitValues *v, unsigned known, double by, unsigned unknown)
{
  unitValues w = *v;
  double value = NAN;
  int i;
  const unitKind kind = find_kind(known, &i);
  if (kind == STATE) w.x[i] += by;
  if (kind == INPUT) w.u[i] += by;
  if (kind == PARAMETER) w.p[i] += by;
  get_value(&w, unknown, &value);
  return value;
}


static double derivative(const unitValues *v, unsigned unknown, unsigned known)
{
  return (shifted(v, known, 0.5, unknown) - shifted(v, known, -0.5, unknown)) / 1.0;
}


// a classical step of order 4, then the event that it has led to
static void inner_step(unitValues *v, double h)
{
  double k[4][MOST] = {{0}}, y[MOST], before[MOST] = {0}, after[MOST] = {0};
  static const double node[] = {0, 0.5, 0.5, 1};
  if (EQUATION.indicators) EQUATION.indicate(v->t, v->x, v->u, v->p, before);
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < MOST; i++) y[i] = v->x[i] + (s ? h * node[s] * k[s - 1][i] : 0);
    EQUATION.rate(v->t + h * node[s], y, v->u, v->p, k[s]);
  }
  for (int i = 0; i < EQUATION.states; i++) {
    v->x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  v->t += h;
  if (!EQUATION.indicators) return;
  EQUATION.indicate(v->t, v->x, v->u, v->p, after);
  v->has_crossed = before[0] > 0 && after[0] <= 0;
  if (v->has_crossed && !v->is_early) EQUATION.event(v->t, v->x, v->u, v->p);
}


static int do_steps(unitValues *v, double t, double h)
{
  const int n = (int) ceil(h / INNER_STEP - 1e-9);
  if (!(h > 0) || n > MAX_STEPS || fabs(t - v->t) > 1e-9 * (1 + fabs(t))) return 0;
  if (t + h > v->end + 1e-9 * (1 + fabs(t))) return 0;
  v->has_crossed = 0;
  for (int i = 0; i < n && !(v->is_early && v->has_crossed); i++) inner_step(v, h / n);
  if (!(v->is_early && v->has_crossed)) v->t = t + h;
  return 1;
}

#endif
