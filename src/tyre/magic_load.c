// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Radii, load and relaxation lengths of Magic Formula tyres, for numbers and symbols.
//
// Equations (n) are from Besselink, Schmeitz and Pacejka, Vehicle System Dynamics 48 (2010) S1.
#include "tyre/formulas.h"


real R_NAME(magic_free_radius)(const magicNumbers *c, real spin)
{
  // (1)
  const real v = spin * c->UNLOADED_RADIUS / c->LONGVL;
  return c->UNLOADED_RADIUS * (c->Q_RE0 + c->Q_V1 * v * v);
}


real R_NAME(magic_rolling_radius)(const magicNumbers *c, real load, real spin, real pressure)
{
  // (5), (7)
  const real n = load / c->FNOMIN, Cz = c->VERTICAL_STIFFNESS * (1 + c->PFZ1 * pressure);
  return R_NAME(magic_free_radius)(c, spin) -
         c->FNOMIN / Cz * (c->DREFF * r_atan(c->BREFF * n) + c->FREFF * n);
}


// load of a deflection of a tyre at rest, relative to the nominal load
static real static_load(const magicNumbers *c, real depth)
{
  // (4)  Q_FZ1 follows from the stiffness at the nominal load
  const real k = c->VERTICAL_STIFFNESS * c->UNLOADED_RADIUS / c->FNOMIN;
  const real linear = r_sqrt(r_max(k * k - 4 * c->Q_FZ2, 0));
  const real x = depth / c->UNLOADED_RADIUS;
  return linear * x + c->Q_FZ2 * x * x;
}


// 6.2: additional deflection due to camber, as the edge of the tread touches the road first
static real camber_depth(const magicNumbers *c, const tyreDent *d)
{
  if (c->version != MAGIC_62 || (number_is(c->Q_CAM1, 0) && number_is(c->Q_CAM2, 0))) return 0;
  const real free = R_NAME(magic_free_radius)(c, d->spin), loaded = free - d->depth;
  const real reference = (c->Q_CAM1 + c->Q_CAM2 * free) * free, size = r_abs(reference);
  const real ratio = (c->Q_CAM1 + c->Q_CAM2 * loaded) * loaded / (size > 0 ? reference : 1);
  const real tread = (1.075 - 0.5 * c->ASPECT_RATIO) * c->WIDTH;
  const real added = ratio * ratio * tread / 8 * r_abs(d->tangent) -
                     c->Q_CAM3 * r_max(d->depth, 0) * r_abs(d->gamma);
  return size > 0 ? added : 0;
}


// relative reduction of the stiffness by the forces in the road plane
static real stiffness_softening(const magicNumbers *c, const tyreDent *d, real depth)
{
  // (4).  6.2: reduced at small loads, and offset by camber
  real side = c->Q_FCY * d->Fy / c->FNOMIN;
  if (c->version == MAGIC_62 && !number_is(c->Q_FCY, 0)) {
    const real r = 1 - d->depth / R_NAME(magic_free_radius)(c, d->spin);
    const real shift = (c->Q_FYS1 + c->Q_FYS2 * r + c->Q_FYS3 * r * r) * d->gamma;
    const real deep = depth > 0 ? depth / c->UNLOADED_RADIUS : 1;
    side = r_pow(deep, c->Q_FCY2) * c->Q_FCY * (d->Fy - shift) / c->FNOMIN;
  }
  const real along = c->Q_FCX * d->Fx / c->FNOMIN;
  return along * along + side * side;
}


// force of the rim when the tyre bottoms
static real bottoming_force(const magicNumbers *c, real depth)
{
  const real room = c->UNLOADED_RADIUS - c->RIM_RADIUS - c->BOTTOM_OFFST;
  return c->RIM_RADIUS > 0 ? c->BOTTOM_STIFF * r_max(depth - room, 0) : 0;
}


real R_NAME(magic_load)(const magicNumbers *c, const tyreDent *d)
{
  // (4)
  const real depth = d->depth + camber_depth(c, d);
  if (r_surely(depth <= 0)) return 0;
  const real speed = c->Q_V2 * c->UNLOADED_RADIUS / c->LONGVL * r_abs(d->spin);
  const real swell = 1 + c->PFZ1 * d->pressure;
  const real factor = r_max((1 + speed - stiffness_softening(c, d, depth)) * swell, 0);
  const real load = factor * static_load(c, depth) * c->FNOMIN + bottoming_force(c, d->depth);
  return depth <= 0 ? 0 : load;
}


void R_NAME(magic_relaxation)(const magicNumbers *c, const tyreSlip *slip, const tyreStiffness *k,
                              real sigma[2])
{
  const real Fz0 = c->LFZO * c->FNOMIN, R0 = c->UNLOADED_RADIUS;
  const real dfz = slip->load / Fz0 - 1, dpi = slip->pressure;
  if (c->version == MAGIC_52) {
    const real shape = (c->PTX1 + c->PTX2 * dfz) * r_exp(-c->PTX3 * dfz);
    sigma[0] = shape * c->LSGKP * R0 * slip->load / c->FNOMIN;
    sigma[1] = r_const(0);
    if (number_is(c->PTY2, 0)) return;

    // sin(2 atan x) = 2 x / (1 + x^2)
    const real size = r_abs(c->PTY2);
    const real x = slip->load / (size > 0 ? c->PTY2 * Fz0 : 1);
    const real length = c->PTY1 * (2 * x / (1 + x * x)) * (1 - c->PKY3 * r_abs(slip->gamma)) * R0 *
                        c->LFZO * c->LSGAL;
    sigma[1] = size > 0 ? length : 0;
    return;
  }
  // (17) to (19)
  const real Cx = c->LONGITUDINAL_STIFFNESS * (1 + c->PCFX1 * dfz + c->PCFX2 * dfz * dfz) *
                  (1 + c->PCFX3 * dpi);
  const real Cy =
      c->LATERAL_STIFFNESS * (1 + c->PCFY1 * dfz + c->PCFY2 * dfz * dfz) * (1 + c->PCFY3 * dpi);
  sigma[0] = r_abs(Cx) > 0 ? r_abs(k->Kx / (r_abs(Cx) > 0 ? Cx : 1)) : 0;
  sigma[1] = r_abs(Cy) > 0 ? r_abs(k->Ky / (r_abs(Cy) > 0 ? Cy : 1)) : 0;
}
