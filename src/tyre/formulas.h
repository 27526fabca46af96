// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of tyres: each source is compiled for numbers, for dual numbers and for symbols
// (spatial/scalar.h). Steady-state forces are for a tyre that rolls forward under a positive load.
#ifndef TYRE_FORMULAS_H
#define TYRE_FORMULAS_H

#include "spatial/scalar.h"
#include "tyre/tyre.h"

//---- numbers of a tyre ---------------------------------------------------------------------------

#ifdef ART_SYMBOLIC

#include "sym/expr.h"

// coefficients of the Magic Formula
typedef struct magicNumbers {
  magicVersion version;
#define MAGIC_FIELD(key, fallback, dimension) real key;
  MAGIC_KEYS(MAGIC_FIELD)
#undef MAGIC_FIELD
} magicNumbers;

// A number of a tyre as a symbol; number_is: 1 if it is the constant `value`; number_reaches: 1 if
// it is a constant of at least `value`.
#define tyre_number(x) ((real){sym_number_node(x)})

static inline int number_is(real x, double value)
{
  return expr_is_constant(expr_used(), x.node) && expr_used()->nodes[x.node].value == value;
}

static inline int number_reaches(const double *x, double value)
{
  return *x >= value && expr_is_constant(expr_used(), sym_number_node(x));
}

// parameters of generated equations are symbols; all other numbers are read from the tyre itself
typedef struct tyreNumbers {
  const artTyre *of;
  magicNumbers magic;
  struct {
    real radius, stiffness, damping, load;
  } radial;
  struct {
    real slip, cornering, camber, trail, friction;
  } linear;
  real relaxation[2];
  void *context; // of slow_part
} tyreNumbers;

static inline const artTyre *tyre_of(const tyreNumbers *t)
{
  return t->of;
}

// Component k of the additional force for the other direction of rolling, which acts at low speed.
real slow_part(const tyreNumbers *t, int k, real part);

#else

typedef magicTyre magicNumbers;
typedef artTyre tyreNumbers;

#define tyre_number(x)           r_const(*(x))
#define number_is(x, value)      ((x) == (value))
#define number_reaches(x, value) (*(x) >= (value))

static inline const artTyre *tyre_of(const tyreNumbers *t)
{
  return t;
}

static inline real slow_part(const tyreNumbers *t, int k, real part)
{
  (void) t;
  (void) k;
  return part;
}

#endif

// (p - p0) / p0 of the pressure p, or of the tyre's own pressure if p = 0; 0 for tyres that do not
// depend on pressure
static inline real tyre_pressure_increment(const artTyre *tyre, double pressure)
{
  const magicTyre *c = &tyre->magic;
  if (tyre->kind != TYRE_MAGIC || c->version == MAGIC_52) return r_const(0);
  const real p0 = tyre_number(&c->NOMPRES);
  const real p = pressure > 0 ? r_const(pressure) : tyre_number(&c->INFLPRES);
  return r_div(r_sub(p, p0), p0);
}

//---- steady-state forces -------------------------------------------------------------------------

// arguments of the forces
typedef struct tyreSlip {
  real load;
  real kappa;
  real tangent;     // tan alpha
  real gamma, sine; // camber and its sine
  real speed;       // |Vx|
  real pressure;    // (p - p0) / p0
} tyreSlip;

// forces and moments in ISO axes
typedef struct tyreForces {
  real Fx, Fy, Mx, Mz;
  real rolling; // magnitude of the rolling resistance moment
} tyreForces;

// slopes at the origin (magnitudes) and friction, for relaxation and saturation; independent of the
// slips
typedef struct tyreStiffness {
  real Kx, Ky;
  real mu[2]; // longitudinal and lateral
} tyreStiffness;

// all six components
typedef struct tyreWrench {
  real Fx, Fy, Fz, Mx, My, Mz;
} tyreWrench;

tyreForces R_NAME(magic_forces)(const magicNumbers *tyre, const tyreSlip *slip);
tyreStiffness R_NAME(magic_stiffness)(const magicNumbers *tyre, const tyreSlip *slip);
tyreForces R_NAME(linear_forces)(const tyreNumbers *tyre, const tyreSlip *slip);
tyreStiffness R_NAME(linear_stiffness)(const tyreNumbers *tyre, const tyreSlip *slip);
tyreForces R_NAME(bakker_forces)(const artBakkerTyre *tyre, const tyreSlip *slip);
tyreStiffness R_NAME(bakker_stiffness)(const artBakkerTyre *tyre, const tyreSlip *slip);
tyreForces R_NAME(calspan_forces)(const artCalspanTyre *tyre, const tyreSlip *slip);
tyreStiffness R_NAME(calspan_stiffness)(const artCalspanTyre *tyre, const tyreSlip *slip);

// forces.c: forces at the contact speed Vx (forward, backward or zero), for a tyre on either side
// of the vehicle; slopes and friction.
tyreWrench R_NAME(tyre_forces)(const tyreNumbers *tyre, const tyreSlip *slip, real Vx);
tyreStiffness R_NAME(tyre_stiffness)(const tyreNumbers *tyre, const tyreSlip *slip);

//---- load ----------------------------------------------------------------------------------------

// state of a deflected tyre
typedef struct tyreDent {
  real depth; // free radius minus loaded radius
  real spin, gamma;
  real tangent;  // of the camber angle
  real pressure; // (p - p0) / p0
  real Fx, Fy;   // forces that soften the tyre
} tyreDent;

real R_NAME(magic_free_radius)(const magicNumbers *tyre, real spin);
real R_NAME(magic_rolling_radius)(const magicNumbers *tyre, real load, real spin, real pressure);
real R_NAME(magic_load)(const magicNumbers *tyre, const tyreDent *dent);
void R_NAME(magic_relaxation)(const magicNumbers *tyre, const tyreSlip *slip,
                              const tyreStiffness *k, real sigma[2]);

// load.c. tyre_depth: deflection for a contact at a radius from the centre; `upright` is the cosine
// of camber. tyre_elastic_load: load of a deflection. tyre_damped_load: load including the damper.
// tyre_rolling_radius: effective rolling radius, from the elastic load or, for tyres that are a
// spring, from the deflection. tyre_relaxation: relaxation lengths.
real R_NAME(tyre_depth)(const tyreNumbers *tyre, real radius, real spin, real upright);
real R_NAME(tyre_rolling_radius)(const tyreNumbers *tyre, real elastic, real dent, real spin,
                                 real pressure);
real R_NAME(tyre_elastic_load)(const tyreNumbers *tyre, const tyreDent *dent);
real R_NAME(tyre_damped_load)(const tyreNumbers *tyre, real elastic, real rate);
void R_NAME(tyre_relaxation)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreStiffness *k,
                             real sigma[2]);

//---- slips ---------------------------------------------------------------------------------------

// velocity of the contact, and slip velocities
typedef struct tyreMotion {
  real Vx, Vsx, Vsy;
} tyreMotion;

// The lag of one slip u:  sigma u' = feed - damping u - slide(u); slide grows with the slope `give`
// for |u| > full.
typedef struct slipLag {
  real sigma, feed, damping, full, give;
  real added; // of the damper parallel to the carcass spring, where rolling does not damp
} slipLag;

// transient.c: steady-state slips (kappa, tan alpha), finite down to standstill; lags of both slips
// at a load; the rate of a slip.
void R_NAME(tyre_steady_slips)(const tyreNumbers *tyre, const tyreMotion *motion, real slip[2]);
void R_NAME(tyre_slip_lags)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreMotion *motion,
                            slipLag lag[2]);
real R_NAME(slip_lag_rate)(const slipLag *lag, real u);

#endif
