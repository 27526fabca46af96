// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Magic Formula 5.2, 6.1 and 6.2 without turn slip, for numbers, dual numbers and symbols.
//
// Equations (4.E..) are from Pacejka, Tire and Vehicle Dynamics, 3rd edition (2012), chapter 4.3;
// (A..) from Besselink, Schmeitz and Pacejka, Vehicle System Dynamics 48 (2010) S1, where the two
// differ. Comments mark the lines where version 5.2 differs from the others.
#include "tyre/formulas.h"

// quantities shared by all components
typedef struct magicPoint {
  const magicNumbers *c;
  real Fz, kappa, alpha; // alpha is stored as its tangent
  real dfz;              // (Fz - Fz0') / Fz0'
  real dpi;              // (p - p0) / p0
  real Fz0;              // Fz0' = LFZO Fz0
  real speed;
  real gx, gy, gz; // camber angle, for Fx, Fy, Mz
  real sy, sz;     // its sine, for Fy, Mz
  real mux, muy;   // LMUX*, LMUY*
  real K;          // slip stiffness
} magicPoint;

// results of the lateral force that the moments use
typedef struct magicSide {
  real Fy0;      // with camber
  real straight; // without
  real muy, B, C, K, SH, SV;
} magicSide;

static const double tiny = 1e-6;


static real sign_without_zero(real x)
{
  return x < 0 ? -1 : 1;
}


// (4.E6a)  a denominator kept away from zero
static real off_zero(real x)
{
  return x + (x < 0 ? -tiny : tiny);
}


// C atan(B x - E (B x - atan(B x)))
static real magic_curve_phase(real C, real B, real E, real x)
{
  const real Bx = B * x;
  return C * r_atan(Bx - r_min(E, 1) * (Bx - r_atan(Bx)));
}


static real scaled_sine(real sine, real angle, int is_scaled)
{
  if (!is_scaled) return sine;
  return r_sin(angle);
}


static magicPoint prepare_magic_point(const magicNumbers *c, const tyreSlip *slip)
{
  // version 5.2 scales camber, 6.x the stiffnesses due to camber
  const int old = c->version == MAGIC_52;
  const int turns_y = old && !number_is(c->LGAY, 1), turns_z = old && !number_is(c->LGAZ, 1);
  magicPoint p = {.c = c, .Fz = slip->load, .kappa = slip->kappa, .alpha = slip->tangent};
  p.Fz0 = c->LFZO * c->FNOMIN;
  p.dfz = slip->load / p.Fz0 - 1;
  p.dpi = slip->pressure;
  p.speed = slip->speed;
  p.gx = (old ? c->LGAX : 1) * slip->gamma;
  p.gy = (old ? c->LGAY : 1) * slip->gamma;
  p.gz = (old ? c->LGAZ : 1) * slip->gamma;
  p.sy = scaled_sine(slip->sine, p.gy, turns_y);
  p.sz = scaled_sine(slip->sine, p.gz, turns_z);

  // (4.E7)  friction decreases with slip speed if LMUV is not 0
  real decay = 1;
  if (!number_is(c->LMUV, 0)) {
    const real k = slip->kappa, a = slip->tangent;
    decay = 1 + c->LMUV * slip->speed * r_sqrt(k * k + a * a) / c->LONGVL;
  }
  p.mux = c->LMUX / decay;
  p.muy = c->LMUY / decay;
  return p;
}

//---- longitudinal force --------------------------------------------------------------------------

static real slip_stiffness(const magicPoint *p)
{
  // (4.E15)
  const magicNumbers *c = p->c;
  return p->Fz * (c->PKX1 + c->PKX2 * p->dfz) * r_exp(c->PKX3 * p->dfz) *
         (1 + c->PPX1 * p->dpi + c->PPX2 * p->dpi * p->dpi) * c->LKX;
}


static real longitudinal_friction(const magicPoint *p)
{
  // (4.E13)
  const magicNumbers *c = p->c;
  return (c->PDX1 + c->PDX2 * p->dfz) * (1 + c->PPX3 * p->dpi + c->PPX4 * p->dpi * p->dpi) *
         (1 - c->PDX3 * p->gx * p->gx) * p->mux;
}


static real pure_longitudinal(const magicPoint *p)
{
  // (4.E9) to (4.E18)
  const magicNumbers *c = p->c;
  const real C = c->PCX1 * c->LCX;
  const real D = longitudinal_friction(p) * p->Fz;
  const real SH = (c->PHX1 + c->PHX2 * p->dfz) * c->LHX;
  const real SV = p->Fz * (c->PVX1 + c->PVX2 * p->dfz) * c->LVX * p->mux;
  const real x = p->kappa + SH;
  const real E = (c->PEX1 + c->PEX2 * p->dfz + c->PEX3 * p->dfz * p->dfz) *
                 (1 - c->PEX4 * sign_without_zero(x)) * c->LEX;
  const real B = p->K / off_zero(C * D);
  return D * r_sin(magic_curve_phase(C, B, E, x)) + SV;
}


// reduction of Fx0 by side slip
static real longitudinal_weight(const magicPoint *p)
{
  // (4.E51) to (4.E57)
  const magicNumbers *c = p->c;
  const real E = c->REX1 + c->REX2 * p->dfz;
  const real u = c->RBX2 * p->kappa;
  const real B = (c->RBX1 + c->RBX3 * p->sy * p->sy) * c->LXAL / r_sqrt(1 + u * u);
  const real C = c->RCX1, SH = c->RHX1;
  return r_cos(magic_curve_phase(C, B, E, p->alpha + SH)) / r_cos(magic_curve_phase(C, B, E, SH));
}

//---- lateral force -------------------------------------------------------------------------------

static real cornering_stiffness(const magicPoint *p, real s)
{
  // (4.E25)
  const magicNumbers *c = p->c;
  const real ratio = p->Fz / p->Fz0 / ((c->PKY2 + c->PKY5 * s * s) * (1 + c->PPY2 * p->dpi));
  // sin(2 atan r) = 2 r / (1 + r^2)
  real wave;
  if (number_is(c->PKY4, 2)) {
    wave = 2 * ratio / (1 + ratio * ratio);
  } else {
    wave = r_sin(c->PKY4 * r_atan(ratio));
  }
  return c->PKY1 * p->Fz0 * (1 + c->PPY1 * p->dpi) * (1 - c->PKY3 * r_abs(s)) * wave * c->LKY;
}


static real lateral_friction(const magicPoint *p, real s)
{
  // (4.E23)
  const magicNumbers *c = p->c;
  return (c->PDY1 + c->PDY2 * p->dfz) * (1 + c->PPY3 * p->dpi + c->PPY4 * p->dpi * p->dpi) *
         (1 - c->PDY3 * s * s) * p->muy;
}


// horizontal shift due to camber
static real camber_shift(const magicPoint *p, real s, real K, real SVg)
{
  // 5.2: PHY3 gamma.  (4.E27), (4.E30)
  const magicNumbers *c = p->c;
  if (c->version == MAGIC_52) return c->PHY3 * s * c->LKYC;
  const real Kg = p->Fz * (c->PKY6 + c->PKY7 * p->dfz) * (1 + c->PPY5 * p->dpi) * c->LKYC;
  return (Kg * s - SVg) / off_zero(K);
}


// Fy0 for the sine s of camber
static real pure_lateral(const magicPoint *p, real s, magicSide *side)
{
  // (4.E19) to (4.E29)
  const magicNumbers *c = p->c;
  const real SVg = p->Fz * (c->PVY3 + c->PVY4 * p->dfz) * s * c->LKYC * p->muy;
  side->C = c->PCY1 * c->LCY;
  side->K = cornering_stiffness(p, s);
  side->muy = lateral_friction(p, s);
  side->SH = (c->PHY1 + c->PHY2 * p->dfz) * c->LHY + camber_shift(p, s, side->K, SVg);
  side->SV = p->Fz * (c->PVY1 + c->PVY2 * p->dfz) * c->LVY * p->muy + SVg;

  const real D = side->muy * p->Fz;
  const real x = p->alpha + side->SH;
  const real E = (c->PEY1 + c->PEY2 * p->dfz) *
                 (1 + c->PEY5 * s * s - (c->PEY3 + c->PEY4 * s) * sign_without_zero(x)) * c->LEY;
  side->B = side->K / off_zero(side->C * D);
  return D * r_sin(magic_curve_phase(side->C, side->B, E, x)) + side->SV;
}


// reduction of Fy0 by longitudinal slip
static real lateral_weight(const magicPoint *p)
{
  // (4.E59) to (4.E65)
  const magicNumbers *c = p->c;
  const real SH = c->RHY1 + c->RHY2 * p->dfz;
  const real E = c->REY1 + c->REY2 * p->dfz;
  const real u = c->RBY2 * (p->alpha - c->RBY3);
  const real B = (c->RBY1 + c->RBY4 * p->sy * p->sy) * c->LYKA / r_sqrt(1 + u * u);
  const real C = c->RCY1;
  return r_cos(magic_curve_phase(C, B, E, p->kappa + SH)) / r_cos(magic_curve_phase(C, B, E, SH));
}


// side force due to longitudinal slip
static real ply_steer(const magicPoint *p, real muy)
{
  // (4.E66), (4.E67)
  const magicNumbers *c = p->c;
  const real u = c->RVY4 * p->alpha;
  const real D = muy * p->Fz * (c->RVY1 + c->RVY2 * p->dfz + c->RVY3 * p->sy) / r_sqrt(1 + u * u);
  return D * r_sin(c->RVY5 * r_atan(c->RVY6 * p->kappa)) * c->LVYKA;
}

//---- moments -------------------------------------------------------------------------------------

// (A54), (A55): the equivalent slip angle under combined slip, without its sign, because trail and
// residual moment are even functions of it. The tangent is limited at 1.5 rad.
static real equivalent_slip(real x, real ratio)
{
  const real t = r_tan(r_min(r_abs(x), 1.5)), square = t * t + ratio * ratio;
  const real root = r_sqrt(square > 0 ? square : 1);
  return square > 0 ? r_atan(root) : 0;
}


static real pneumatic_trail(const magicPoint *p, real ratio)
{
  // (4.E33) to (4.E35), (A58), (A60), (4.E44)
  const magicNumbers *c = p->c;
  const real SH = c->QHZ1 + c->QHZ2 * p->dfz + (c->QHZ3 + c->QHZ4 * p->dfz) * p->sz;
  const real x = p->alpha + SH;
  const real B = (c->QBZ1 + c->QBZ2 * p->dfz + c->QBZ3 * p->dfz * p->dfz) *
                 (1 + c->QBZ4 * p->gz + c->QBZ5 * r_abs(p->gz)) * c->LKY / p->muy;
  const real C = c->QCZ1;
  const real D = (c->QDZ1 + c->QDZ2 * p->dfz) * (1 - c->PPZ1 * p->dpi) *
                 (1 + c->QDZ3 * p->gz + c->QDZ4 * p->gz * p->gz) * p->Fz * c->LTR;
  const double two_over_pi = 0.63661977236758134;
  const real E = (c->QEZ1 + c->QEZ2 * p->dfz + c->QEZ3 * p->dfz * p->dfz) *
                 (1 + (c->QEZ4 + c->QEZ5 * p->sz) * two_over_pi * r_atan(B * C * x));
  const real wave = r_cos(magic_curve_phase(C, B, E, equivalent_slip(x, ratio)));
  return c->UNLOADED_RADIUS / c->FNOMIN * D * wave / r_sqrt(1 + p->alpha * p->alpha);
}


static real residual_moment(const magicPoint *p, const magicSide *side, real ratio)
{
  // (4.E36) to (4.E38), (4.E45) to (4.E47)
  const magicNumbers *c = p->c;
  const double right = 1.5707963267948966;
  const real x = p->alpha + side->SH + side->SV / off_zero(side->K);
  const real B = c->QBZ9 * c->LKY / p->muy + c->QBZ10 * side->B * side->C;
  const real lean = (c->QDZ8 + c->QDZ9 * p->dfz) * (1 + c->PPZ2 * p->dpi) +
                    (c->QDZ10 + c->QDZ11 * p->dfz) * r_abs(p->sz);
  const real D = p->Fz * c->UNLOADED_RADIUS *
                 ((c->QDZ6 + c->QDZ7 * p->dfz) * c->LRES + lean * p->sz * c->LKZC) * p->muy;
  const real u = B * equivalent_slip(x, ratio);
  return D * r_cos(r_min(r_abs(p->alpha), right)) / r_sqrt(1 + u * u);
}


static real aligning_moment(const magicPoint *p, const magicSide *side, real Fx, real Fy, real SVk,
                            real G)
{
  // (4.E71) to (4.E76), with (A56) for the arm of Fx.  5.2: Fy - SVyk acts at the trail, 6.x: Gyk
  // Fy0
  const magicNumbers *c = p->c;
  const real ratio = p->K / off_zero(side->K) * p->kappa;
  const real arm = c->UNLOADED_RADIUS * c->LS *
                   (c->SSZ1 + c->SSZ2 * Fy / c->FNOMIN + (c->SSZ3 + c->SSZ4 * p->dfz) * p->gz);
  const real turning = c->version == MAGIC_52 ? Fy - SVk : G * side->straight;
  return residual_moment(p, side, ratio) - pneumatic_trail(p, ratio) * turning + arm * Fx;
}


static real overturning_moment(const magicPoint *p, real g, real Fy)
{
  // (4.E69)
  const magicNumbers *c = p->c;
  const real f = Fy / c->FNOMIN, n = p->Fz / c->FNOMIN;
  const real u = c->QSX6 * n;
  const real wave =
      r_cos(c->QSX5 * r_atan(u * u)) * r_sin(c->QSX7 * g + c->QSX8 * r_atan(c->QSX9 * f));
  const real sum = c->QSX1 * c->LVMX - c->QSX2 * g * (1 + c->PPMX1 * p->dpi) + c->QSX3 * f +
                   c->QSX4 * wave + c->QSX10 * r_atan(c->QSX11 * n) * g - c->QSX12 * g * r_abs(g);
  return c->UNLOADED_RADIUS * c->LMX * (p->Fz * sum + Fy * (c->QSX13 + c->QSX14 * r_abs(g)));
}


static real rolling_resistance(const magicPoint *p, real g, real Fx)
{
  // (A48).  5.2: proportional to the load, without camber and pressure
  const magicNumbers *c = p->c;
  const real w = p->speed / c->LONGVL, n = p->Fz / c->FNOMIN;
  const real base = c->QSY1 + c->QSY2 * Fx / c->FNOMIN + c->QSY3 * w + c->QSY4 * w * w * w * w;
  if (c->version == MAGIC_52) return c->UNLOADED_RADIUS * c->LMY * p->Fz * base;
  const real swell = r_pow(r_max(1 + p->dpi, tiny), c->QSY8);
  return c->UNLOADED_RADIUS * c->FNOMIN * c->LMY * swell *
         (base + (c->QSY5 + c->QSY6 * n) * g * g) * r_pow(n, c->QSY7);
}

//---- all -----------------------------------------------------------------------------------------

tyreForces R_NAME(magic_forces)(const magicNumbers *tyre, const tyreSlip *slip)
{
  magicPoint p = prepare_magic_point(tyre, slip);
  p.K = slip_stiffness(&p);
  magicSide side, upright;
  side.Fy0 = pure_lateral(&p, p.sy, &side);
  side.straight = tyre->version == MAGIC_52 ? side.Fy0 : pure_lateral(&p, r_const(0), &upright);

  tyreForces f = {0};
  const real G = lateral_weight(&p);
  const real SVk = ply_steer(&p, side.muy);
  f.Fx = longitudinal_weight(&p) * pure_longitudinal(&p);
  f.Fy = G * side.Fy0 + SVk;
  f.Mz = aligning_moment(&p, &side, f.Fx, f.Fy, SVk, G);
  f.Mx = overturning_moment(&p, slip->gamma, f.Fy);
  f.rolling = rolling_resistance(&p, slip->gamma, f.Fx);
  return f;
}


tyreStiffness R_NAME(magic_stiffness)(const magicNumbers *tyre, const tyreSlip *slip)
{
  const magicPoint p = prepare_magic_point(tyre, slip);
  tyreStiffness k;
  k.Kx = r_abs(slip_stiffness(&p));
  k.Ky = r_abs(cornering_stiffness(&p, p.sy));
  k.mu[0] = longitudinal_friction(&p);
  k.mu[1] = lateral_friction(&p, p.sy);
  return k;
}
