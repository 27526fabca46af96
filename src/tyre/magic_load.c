// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Radii, load and relaxation lengths of Magic Formula tyres.
//
// Equations (n) are those of Besselink, Schmeitz and Pacejka, Vehicle System Dynamics 48 (2010) S1.
#include <math.h>

#include "base/larger.h"
#include "tyre/magic.h"


double magic_pressure_increment(const magicTyre *c, double pressure)
{
  if (c->version == MAGIC_52) return 0;
  const double p = pressure > 0 ? pressure : c->INFLPRES;
  return (p - c->NOMPRES) / c->NOMPRES;
}


double magic_free_radius(const magicTyre *c, double spin)
{
  // (1)
  const double v = spin * c->UNLOADED_RADIUS / c->LONGVL;
  return c->UNLOADED_RADIUS * (c->Q_RE0 + c->Q_V1 * v * v);
}


double magic_rolling_radius(const magicTyre *c, double load, double spin, double pressure)
{
  // (5), (7)
  const double Cz = c->VERTICAL_STIFFNESS * (1 + c->PFZ1 * magic_pressure_increment(c, pressure));
  const double n = load / c->FNOMIN;
  return magic_free_radius(c, spin) -
         c->FNOMIN / Cz * (c->DREFF * atan(c->BREFF * n) + c->FREFF * n);
}


// the share of the nominal load of a deflection at rest
static double static_load(const magicTyre *c, double depth)
{
  // (4)  Q_FZ1 from the stiffness at the nominal load
  const double k = c->VERTICAL_STIFFNESS * c->UNLOADED_RADIUS / c->FNOMIN;
  const double linear = sqrt(fmax(k * k - 4 * c->Q_FZ2, 0));
  const double x = depth / c->UNLOADED_RADIUS;
  return linear * x + c->Q_FZ2 * x * x;
}


// 6.2: the deflection that camber adds where the tread's edge meets the road first
static double camber_depth(const magicTyre *c, const artTyreDeflection *d)
{
  const double free = magic_free_radius(c, d->spin), loaded = free - d->depth;
  const double reference = (c->Q_CAM1 + c->Q_CAM2 * free) * free;
  if (c->version != MAGIC_62 || reference == 0) return 0;
  const double ratio = (c->Q_CAM1 + c->Q_CAM2 * loaded) * loaded / reference;
  const double tread = (1.075 - 0.5 * c->ASPECT_RATIO) * c->WIDTH;
  return ratio * ratio * tread / 8 * fabs(tan(d->gamma)) -
         c->Q_CAM3 * fmax(d->depth, 0) * fabs(d->gamma);
}


// what the forces in the road's plane take from the stiffness
static double softening(const magicTyre *c, const artTyreDeflection *d, double depth)
{
  // (4).  6.2: less of it under small loads, and off-centre with camber
  double side = c->Q_FCY * d->Fy / c->FNOMIN;
  if (c->version == MAGIC_62) {
    const double r = 1 - d->depth / magic_free_radius(c, d->spin);
    const double shift = (c->Q_FYS1 + c->Q_FYS2 * r + c->Q_FYS3 * r * r) * d->gamma;
    side = pow(depth / c->UNLOADED_RADIUS, c->Q_FCY2) * c->Q_FCY * (d->Fy - shift) / c->FNOMIN;
  }
  const double along = c->Q_FCX * d->Fx / c->FNOMIN;
  return along * along + side * side;
}


// the rim below the tyre
static double bottoming(const magicTyre *c, double depth)
{
  const double room = c->UNLOADED_RADIUS - c->RIM_RADIUS - c->BOTTOM_OFFST;
  return c->RIM_RADIUS > 0 ? c->BOTTOM_STIFF * fmax(depth - room, 0) : 0;
}


double magic_load(const magicTyre *c, const artTyreDeflection *d)
{
  // (4)
  const double depth = d->depth + camber_depth(c, d);
  if (depth <= 0) return 0;
  const double speed = c->Q_V2 * c->UNLOADED_RADIUS / c->LONGVL * fabs(d->spin);
  const double pressure = 1 + c->PFZ1 * magic_pressure_increment(c, d->pressure);
  const double factor = base_larger((1 + speed - softening(c, d, depth)) * pressure, 0);
  return factor * static_load(c, depth) * c->FNOMIN + bottoming(c, d->depth);
}


void magic_relaxation(const magicTyre *c, const artTyreInput *in, double Kx, double Ky,
                      double sigma[2])
{
  const double Fz0 = c->LFZO * c->FNOMIN, R0 = c->UNLOADED_RADIUS;
  const double dfz = (in->load - Fz0) / Fz0;
  if (c->version == MAGIC_52) {
    const double shape = (c->PTX1 + c->PTX2 * dfz) * exp(-c->PTX3 * dfz);
    sigma[0] = shape * c->LSGKP * R0 * in->load / c->FNOMIN;
    sigma[1] = c->PTY2 == 0 ? 0
                            : c->PTY1 * sin(2 * atan(in->load / (c->PTY2 * Fz0))) *
                                  (1 - c->PKY3 * fabs(in->gamma)) * R0 * c->LFZO * c->LSGAL;
    return;
  }
  // (17) to (19)
  const double dpi = magic_pressure_increment(c, in->pressure);
  const double Cx = c->LONGITUDINAL_STIFFNESS * (1 + c->PCFX1 * dfz + c->PCFX2 * dfz * dfz) *
                    (1 + c->PCFX3 * dpi);
  const double Cy =
      c->LATERAL_STIFFNESS * (1 + c->PCFY1 * dfz + c->PCFY2 * dfz * dfz) * (1 + c->PCFY3 * dpi);
  sigma[0] = Cx != 0 ? fabs(Kx / Cx) : 0;
  sigma[1] = Cy != 0 ? fabs(Ky / Cy) : 0;
}
