// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of tyres, each one text that is compiled for numbers, for dual numbers and for symbols
// (spatial/scalar.h). Steady forces are for a tyre that rolls forward under a positive load.
#ifndef TYRE_FORMULAS_H
#define TYRE_FORMULAS_H

#include "spatial/scalar.h"
#include "tyre/tyre.h"

//---- numbers of a tyre ---------------------------------------------------------------------------

#ifdef ART_SYMBOLIC

#include "sym/expr.h"

// numbers of the Magic Formula
typedef struct magicNumbers {
  magicVersion version;
#define MAGIC_FIELD(key, fallback, dimension) real key;
  MAGIC_KEYS(MAGIC_FIELD)
#undef MAGIC_FIELD
} magicNumbers;

// a number of a tyre; whether one that no parameter gives is this, or no less than that
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

// component k of the force that the other direction of rolling adds while the tyre rolls slowly
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

// (p - p0) / p0 of the pressure p, of the tyre's own when it is 0; 0 for tyres that do not know pressure
static inline real tyre_pressure_increment(const artTyre *tyre, double pressure)
{
  const magicTyre *c = &tyre->magic;
  if (tyre->kind != TYRE_MAGIC || c->version == MAGIC_52) return r_const(0);
  const real p0 = tyre_number(&c->NOMPRES);
  const real p = pressure > 0 ? r_const(pressure) : tyre_number(&c->INFLPRES);
  return r_div(r_sub(p, p0), p0);
}

//---- steady forces -------------------------------------------------------------------------------

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

// magnitudes of the slopes at the origin, and friction, for relaxation and saturation; they do not
// depend on the slips
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

// forces.c: forces at the speed Vx of the contact, forward or backward or at rest, on either side of the vehicle;
// and slopes and friction.
tyreWrench R_NAME(tyre_forces)(const tyreNumbers *tyre, const tyreSlip *slip, real Vx);
tyreStiffness R_NAME(tyre_stiffness)(const tyreNumbers *tyre, const tyreSlip *slip);

//---- load ----------------------------------------------------------------------------------------

// how the tyre is pressed in
typedef struct tyreDent {
  real depth; // free radius less loaded radius
  real spin, gamma;
  real tangent;  // of camber
  real pressure; // (p - p0) / p0
  real Fx, Fy;   // forces that soften the tyre
} tyreDent;

real R_NAME(magic_free_radius)(const magicNumbers *tyre, real spin);
real R_NAME(magic_rolling_radius)(const magicNumbers *tyre, real load, real spin, real pressure);
real R_NAME(magic_load)(const magicNumbers *tyre, const tyreDent *dent);
void R_NAME(magic_relaxation)(const magicNumbers *tyre, const tyreSlip *slip,
                              const tyreStiffness *k, real sigma[2]);

// load.c: the deflection where the contact lies at a radius from the centre, `upright` being the cosine of camber; the
// load of a deflection alone; the load with the damper beside it; the radius on which the belt rolls, of the former and of
// the deflection of a tyre that is a spring; and relaxation lengths.
real R_NAME(tyre_depth)(const tyreNumbers *tyre, real radius, real spin, real upright);
real R_NAME(tyre_rolling_radius)(const tyreNumbers *tyre, real elastic, real dent, real spin,
                                 real pressure);
real R_NAME(tyre_elastic_load)(const tyreNumbers *tyre, const tyreDent *dent);
real R_NAME(tyre_damped_load)(const tyreNumbers *tyre, real elastic, real rate);
void R_NAME(tyre_relaxation)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreStiffness *k,
                             real sigma[2]);

//---- slips ---------------------------------------------------------------------------------------

// the velocity of the contact and the slip velocities
typedef struct tyreMotion {
  real Vx, Vsx, Vsy;
} tyreMotion;

// The lag of one slip u:  sigma u' = feed - damping u - slide(u),  slide grows by `give` beyond |u| = full.
typedef struct slipLag {
  real sigma, feed, damping, full, give;
  real added; // by the damper beside the carcass spring, where rolling does not damp
} slipLag;

// transient.c: steady slips (kappa, tan alpha) that stay finite to standstill; lags of both slips at a load; rate of a
// slip.
void R_NAME(tyre_steady_slips)(const tyreNumbers *tyre, const tyreMotion *motion, real slip[2]);
void R_NAME(tyre_slip_lags)(const tyreNumbers *tyre, const tyreSlip *slip, const tyreMotion *motion,
                            slipLag lag[2]);
real R_NAME(slip_lag_rate)(const slipLag *lag, real u);

#endif
