// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A mechanical system in natural coordinates, whatever machine it represents:
//
//   M q'' + J^T lambda = Q,   Phi(q, t) = 0
//
// Coordinates q are components of points and unit vectors, and the angles and distances that forces,
// drives or couplings speak of. Every point and direction of a body is a *form*: three components, each
// a constant plus a few multiples of coordinates. All constraints but angles are products of
// forms, so their second derivatives are constant, and so is the mass matrix.
//
// A system is made once (begin, add, finish) and then constant; what changes with the state is in a
// naturalState. Signs: lambda as above; the constraints push the system with -J^T lambda.
#ifndef NATURAL_SYSTEM_H
#define NATURAL_SYSTEM_H

#include "base/arena.h"
#include "base/error.h"
#include "num/positive.h"
#include "spatial/spatial.h"

// c q[k]
typedef struct naturalTerm {
  int q;
  double c;
} naturalTerm;

// One component of a form.
typedef struct naturalComponent {
  int n;
  naturalTerm *term;
  double constant;
} naturalComponent;

typedef enum naturalKind {
  NATURAL_PRODUCT, // phi = scale (x.y + linear part - constant - value of its drive)
  NATURAL_ANGLE, // phi = s - (sign angle of w in the plane of x, y + constant), full turns left out
  NATURAL_USER,  // phi = a function of some coordinates
} naturalKind;

// A relation of the host program between coordinates: value and gradient; the part of its second
// derivative that is left when accelerations are zero.
typedef struct naturalUser {
  artStatus (*value)(void *context, const double *x, double *g, double *dg);
  artStatus (*bias)(void *context, const double *x, const double *v, double *bias);
  void *context;
} naturalUser;

typedef struct naturalRow {
  naturalKind kind;
  const char *name;    // whose equation: "joint 'pin'", "body 'crank'", "coupling 'gears'"
  int x, y, w;         // forms, -1: none
  int nlinear;         // linear part; of an angle: its coordinate s, with coefficient 1;
  naturalTerm *linear; //   of a user's relation: its coordinates
  double constant, scale, sign;
  int drive; // number of the drive that prescribes the value, -1: none
  naturalUser user;
} naturalRow;

// J[place] += coefficient * value of a component of a form
typedef struct naturalEntry {
  int place, component;
  double coefficient;
} naturalEntry;

// A few coordinates that meet in one small matrix, and where its lower triangle, by rows, goes in the
// values of the tangent.
typedef struct naturalPatch {
  int n;
  int *q;     // [n] ascending
  int *place; // [n (n + 1) / 2]
} naturalPatch;

typedef struct naturalSystem {
  int n;                  // coordinates
  int nform;              //
  naturalComponent *form; // [3 nform]
  int nrow;
  naturalRow *row;
  int ndrive;
  void (*drive)(void *context, double t, double *value, double *rate, double *acceleration);
  void *drive_context;

  // made by natural_finish
  int *term_start;     // [3 nform + 1] of the terms of all components, one after the other
  naturalTerm *term;   //
  double *constant;    // [3 nform]
  int nhot, *hot;      // components of forms that rows use
  int *row_start;      // [nrow + 1] of the entries of the Jacobian, by rows
  int *column;         // their coordinates, ascending in a row
  int *entry_start;    // [nrow + 1]
  naturalEntry *entry; // of products
  double *fixed;       // [entries of J] their constant part
  naturalPatch *patch; // [nrow] of J^T J
  int *curve_start;    // [nrow + 1]
  naturalTerm *curve;  // second derivatives of products: place in the tangent, and value
  numPattern pattern;  // of M + J^T J + stiffness, lower triangle by columns
  double *M;           // [pattern] its values

  double *weight;  // [n] constant forces: gravity and others that act always
  double weight_0; // their potential is weight_0 - weight . q
  double length;   // a typical size of the machine, m
  double mass;     // a typical mass felt by a coordinate, kg
  double *factor;  // [nrow] rows are multiplied with, NULL: none (natural_weigh_rows)
  double *unit; // [n] what is much of a coordinate: the length; 1 for directions and angles, set by
                // whoever knows them

  struct naturalDraft *draft; // while it is being made
  baseArena arena;            // owns everything
} naturalSystem;

//---- making --------------------------------------------------------------------------------------

// NULL when there is no memory. Until natural_finish has ended, the work is left (base/leave.h) where it runs out.
naturalSystem *natural_begin(void);
void natural_free(naturalSystem *s);

// `count` more coordinates; the number of the first.
int natural_add_coordinates(naturalSystem *s, int count);

// A form of components with the given terms; equal terms are joined and zeros dropped.
int natural_add_form(naturalSystem *s, const naturalComponent component[3]);

// The form  sum of factor[i] form[i] + constant.
int natural_add_sum(naturalSystem *s, int count, const int *form, const double *factor,
                    v3 constant);

// The form that leads from one point to another.
int natural_add_span(naturalSystem *s, int from, int to);

// Do two forms agree in all their terms and constants (to rounding)?
int natural_same_forms(const naturalSystem *s, int a, int b);

// A row; names are copied, `linear` too. A row of kind product that contains no coordinate is left out
// (its number is then -2). Rows of products come already scaled.
int natural_add_row(naturalSystem *s, const naturalRow *row);

// A row of a product that no drive prescribes: kind, w and drive need not be given.
int natural_add_product(naturalSystem *s, const naturalRow *row);

// M += m x^T y (+ transpose where x and y differ): kinetic energy 1/2 m x'.x', or m x'.y'.
void natural_add_mass(naturalSystem *s, double m, int x, int y);

// Mass of a single coordinate.
void natural_add_inertia(naturalSystem *s, double m, int q);

// A constant force at the point that a form describes.
void natural_add_weight(naturalSystem *s, v3 force, int form);

// Coordinates that stiffness or damping of one element couples: the ones of forms (-1: none) and of linear terms. The
// number of the patch, by natural_patch after finish.
int natural_add_patch(naturalSystem *s, int count, const int *form, int nlinear,
                      const naturalTerm *linear);
const naturalPatch *natural_patch(const naturalSystem *s, int number);

void natural_finish(naturalSystem *s);

// Rows that hold something much lighter than the machine is get a factor below 1, by what they are at q, so
// that a penalty that is right for the others does not drown its mass. 0 when memory ran out.
int natural_weigh_rows(naturalSystem *s, double t, const double *q);

//---- at a state ----------------------------------------------------------------------------------

typedef struct naturalState {
  const double *q; // positions last evaluated, the caller's
  double t;
  double *form;                                    // [3 nform] components of all forms at q
  double *form_rate;                               // [3 nform] at q'
  double *phi;                                     // [nrow]
  double *J;                                       // [entries]
  double *phi_t;                                   // [nrow] partial derivative by t
  double *bias;                                    // [nrow] c of Phi'' = J q'' + c
  double *drive, *drive_rate, *drive_acceleration; // [ndrive] at t
  double *scratch;                                 // [largest row]
  const naturalRow *failed;                        // whose function failed last; or NULL
} naturalState;

// Take the arrays; 0 when memory ran out.
int natural_start_state(const naturalSystem *s, naturalState *x, baseArena *arena);

// Phi and J at time t and positions q.                     writes t, form, drive.., phi, J, phi_t
artStatus natural_positions(const naturalSystem *s, naturalState *x, double t, const double *q);

// The bias at velocities v, after natural_positions.       writes form_rate, bias
artStatus natural_velocities(const naturalSystem *s, naturalState *x, const double *v);

// One form at q; its rate at v; q += factor force . d(form)/dq.
v3 natural_form_at(const naturalSystem *s, int form, const double *q);
v3 natural_form_rate(const naturalSystem *s, int form, const double *v);
void natural_pull(const naturalSystem *s, int form, v3 force, double *Q);

// gradient += factor times the derivatives of a component of a form by the coordinates of a row.
void natural_add_gradient(const naturalSystem *s, int row, int component, double factor,
                          double *gradient);

// y += J^T u,   y = J v.
void natural_add_transposed(const naturalSystem *s, const naturalState *x, const double *u,
                            double *y);
void natural_times(const naturalSystem *s, const naturalState *x, const double *v, double *y);

// values = m M + a J^T J on the pattern.
void natural_tangent(const naturalSystem *s, const naturalState *x, double m, double a,
                     double *values);

// values += factor * sum_k mu[k] d2Phi_k/dq2, of products and angles.
void natural_add_curvature(const naturalSystem *s, const naturalState *x, const double *mu,
                           double factor, double *values);

// y = M x;  1/2 v.M v.
void natural_mass_times(const naturalSystem *s, const double *x, double *y);
double natural_kinetic(const naturalSystem *s, const double *v, double *scratch);

// Where the entry of two coordinates is in the values of the tangent.
int natural_entry(const numPattern *pattern, int a, int b);

// The angle that differs from `angle` by full turns and is next to `near`.
double natural_near_angle(double angle, double near);

// The row with the largest |value|.
int natural_worst_row(const naturalSystem *s, const double *value);

//---- forces --------------------------------------------------------------------------------------

// Forces on a system besides its weight. All functions may be NULL.
// A step: positions, velocities and states of the forces with their rates at its beginning and at its end.
typedef struct naturalSpan {
  double from, to;
  const double *q[2], *v[2], *s[2], *s_rate[2];
  int is_new; // forces or velocities have changed where it begins
} naturalSpan;

// Positions, velocities and states at t within a step, by the cubics through values and rates at both ends.
void natural_within(const naturalSpan *x, int n, int nstate, double t, double *q, double *v,
                    double *s);

typedef struct naturalForces {
  // Q += forces at t, q, v; *power += that of forces without potential, *potential += of the others where it is not
  // NULL.
  artStatus (*apply)(void *context, double t, const double *q, const double *v, double *Q,
                     double *power, double *potential, artError *error);

  // values += stiffness K = -dQ/dq and damping C = -dQ/dv times these factors, symmetric parts, at the
  // state of the last apply.
  void (*add_tangent)(void *context, double stiffness, double damping, double *values);

  // Q += mean force of a step: discrete gradients of potentials between the two positions (for which
  // Q.(q1 - q0) = V0 - V1 exactly), and other forces at mid-step, with their *power.
  artStatus (*apply_between)(void *context, double t0, const double *q0, const double *v0,
                             double t1, const double *q1, const double *v1, double *Q,
                             double *power, artError *error);

  // States of their own, s' = rate(s), which are found together with the forces: from set_states on
  // apply solves  s1 = s + weight (rate + rate1)  at the end of a step, or  s + weight rate1  in its middle;  with the
  // weight 0 they are s itself. get_states gives the states of the last apply and their rates. Rates that depend on
  // accelerations are put right by finish_states, once these are known, with the weight, or with 0 the rates alone.
  // leave_middle goes on to the end of the step, where states are s, but for those much quicker than the step.
  int nstate;
  int nwatched; // the first of them, whose errors steer variable steps
  void (*set_states)(void *context, const double *s, const double *rate, double weight,
                     int is_middle);
  void (*get_states)(void *context, double *s, double *rate);
  artStatus (*finish_states)(void *context, double t, const double *q, const double *v,
                             const double *a, double weight, artError *error);
  void (*leave_middle)(void *context, const double *s, double weight);

  // Smooth modes, between which forces and drives switch; they stay as they are until cross changes
  // one. g[i] > 0 while the present modes hold at t, q, v.
  int nswitch;
  void (*switches)(void *context, double t, const double *q, const double *v, double *g);
  void (*switch_mode)(void *context, int i); // at the state of the last call of switches
  int (*switching_surface)(
      void *context, int i,
      int take); // is the mode that holds at g[i] = 0 by definition another one?
                 // With `take` it becomes the mode
  int (*is_latching)(void *context,
                     int i);        // would the next mode stay though g[i] only comes to zero?
  int drive_switch0, ndrive_switch; // the ones of drives
  artStatus (*jump)(void *context, int *is_impact,
                    artError *error); // have rates of drives jumped? ART_STOPPED: the
                                      // system is another one from here on
  void (*choose)(void *context, double t, const double *q, const double *v); // all modes anew

  // What lies inside a step that has been tried: the two that follow are asked about it. All are NULL where nothing depends
  // on time. Then the first time after `after` and before `to`, about, at which a switching function may have changed its sign,
  // INFINITY: none does; and the end of the part of the step, up to `to`, over which nothing acts that the step has not seen.
  void (*look)(void *context, const naturalSpan *span);
  double (*within)(void *context, double after, double to);
  double (*seen)(void *context, double to);

  // Memory of the forces besides the numbers of a motion: modes, the turns of angles, and the sum of local errors. A step
  // has ended at q with this local error of its positions; as numbers, and back.
  void (*follow)(void *context, const double *q, const double *error);
  int nmemory;
  void (*remember)(void *context, double *memory);
  void (*recall)(void *context, const double *memory);
  void *context;
} naturalForces;

#endif
