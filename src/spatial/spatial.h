// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Vectors, rotations, motions and forces, all by value, on the scalar of scalar.h.
//
// The rotation matrix R of a link converts components from its parent's axes to its own axes:
// v_link = R v_parent. Motions consist of an angular and a linear part, wrenches of a moment and a
// force, both at the origin of one frame.
#ifndef SPATIAL_SPATIAL_H
#define SPATIAL_SPATIAL_H

#include "spatial/scalar.h"

// clang-format off
typedef struct v3 { real x, y, z; } v3;                  // vector
typedef struct m3 { v3 x, y, z; } m3;                    // matrix, by rows
typedef struct s3 { real xx, yy, zz, xy, xz, yz; } s3;   // symmetric matrix
typedef struct motion { v3 ang, lin; } motion;           // angular and linear velocity or acceleration
typedef struct wrench { v3 ang, lin; } wrench;           // moment and force

// Constants of a compiled model: plain numbers for any `real`, unless the model's own constants are
// recorded.
#if defined ART_SYMBOLIC_MODEL || !(defined ART_SYMBOLIC || defined ART_DUAL)
typedef real realc;
typedef v3 v3c;
typedef m3 m3c;
typedef s3 s3c;
#else
typedef double realc;
typedef struct v3c { double x, y, z; } v3c;
typedef struct m3c { v3c x, y, z; } m3c;
typedef struct s3c { double xx, yy, zz, xy, xz, yz; } s3c;
#endif

//---- vectors -------------------------------------------------------------------------------------

static inline v3 v3_make(real x, real y, real z) { return (v3){x, y, z}; }
static inline v3 v3_add(v3 a, v3 b) { return (v3){r_add(a.x, b.x), r_add(a.y, b.y), r_add(a.z, b.z)}; }
static inline v3 v3_sub(v3 a, v3 b) { return (v3){r_sub(a.x, b.x), r_sub(a.y, b.y), r_sub(a.z, b.z)}; }
static inline v3 v3_neg(v3 a) { return (v3){r_neg(a.x), r_neg(a.y), r_neg(a.z)}; }
static inline v3 v3_scale(real s, v3 a) { return (v3){r_mul(s, a.x), r_mul(s, a.y), r_mul(s, a.z)}; }
static inline real v3_dot(v3 a, v3 b)
{
  return r_add(r_add(r_mul(a.x, b.x), r_mul(a.y, b.y)), r_mul(a.z, b.z));
}
static inline v3 v3_cross(v3 a, v3 b)
{
  return (v3){r_sub(r_mul(a.y, b.z), r_mul(a.z, b.y)),
              r_sub(r_mul(a.z, b.x), r_mul(a.x, b.z)),
              r_sub(r_mul(a.x, b.y), r_mul(a.y, b.x))};
}
// a x (s z): the cross product with a vector along z
static inline v3 v3_cross_z(v3 a, real s) { return (v3){r_mul(a.y, s), r_neg(r_mul(a.x, s)), r_const(0)}; }
static inline v3 v3_add_z(v3 a, real s) { return (v3){a.x, a.y, r_add(a.z, s)}; }

//---- matrices ------------------------------------------------------------------------------------

static inline v3 m3_mul(m3 a, v3 b) { return (v3){v3_dot(a.x, b), v3_dot(a.y, b), v3_dot(a.z, b)}; }
// a^T b
static inline v3 m3_back(m3 a, v3 b)
{
  return v3_add(v3_add(v3_scale(b.x, a.x), v3_scale(b.y, a.y)), v3_scale(b.z, a.z));
}
static inline m3 m3_transpose(m3 a)
{
  return (m3){{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
static inline m3 m3_mul_m3(m3 a, m3 b) { return (m3){m3_back(b, a.x), m3_back(b, a.y), m3_back(b, a.z)}; }
static inline m3 m3_add(m3 a, m3 b) { return (m3){v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)}; }
static inline m3 m3_identity(void)
{
  const real o = r_const(0), i = r_const(1);
  return (m3){{i, o, o}, {o, i, o}, {o, o, i}};
}

// rotation about z, by an angle with this sine and cosine, applied after b
static inline m3 m3_turn_z(real s, real c, m3 b)
{
  return (m3){v3_add(v3_scale(c, b.x), v3_scale(s, b.y)),
              v3_sub(v3_scale(c, b.y), v3_scale(s, b.x)), b.z};
}

//---- symmetric matrices --------------------------------------------------------------------------

static inline v3 s3_mul(s3 a, v3 b)
{
  return (v3){r_add(r_add(r_mul(a.xx, b.x), r_mul(a.xy, b.y)), r_mul(a.xz, b.z)),
              r_add(r_add(r_mul(a.xy, b.x), r_mul(a.yy, b.y)), r_mul(a.yz, b.z)),
              r_add(r_add(r_mul(a.xz, b.x), r_mul(a.yz, b.y)), r_mul(a.zz, b.z))};
}
static inline s3 s3_add(s3 a, s3 b)
{
  return (s3){r_add(a.xx, b.xx), r_add(a.yy, b.yy), r_add(a.zz, b.zz),
              r_add(a.xy, b.xy), r_add(a.xz, b.xz), r_add(a.yz, b.yz)};
}
// a^T b of two matrices whose product is known to be symmetric
static inline s3 s3_product(m3 a, m3 b)
{
  return (s3){
      r_add(r_add(r_mul(a.x.x, b.x.x), r_mul(a.y.x, b.y.x)), r_mul(a.z.x, b.z.x)),
      r_add(r_add(r_mul(a.x.y, b.x.y), r_mul(a.y.y, b.y.y)), r_mul(a.z.y, b.z.y)),
      r_add(r_add(r_mul(a.x.z, b.x.z), r_mul(a.y.z, b.y.z)), r_mul(a.z.z, b.z.z)),
      r_add(r_add(r_mul(a.x.x, b.x.y), r_mul(a.y.x, b.y.y)), r_mul(a.z.x, b.z.y)),
      r_add(r_add(r_mul(a.x.x, b.x.z), r_mul(a.y.x, b.y.z)), r_mul(a.z.x, b.z.z)),
      r_add(r_add(r_mul(a.x.y, b.x.z), r_mul(a.y.y, b.y.z)), r_mul(a.z.y, b.z.z))};
}
// S b for symmetric S
static inline m3 s3_mul_m3(s3 a, m3 b)
{
  return (m3){
      v3_add(v3_add(v3_scale(a.xx, b.x), v3_scale(a.xy, b.y)), v3_scale(a.xz, b.z)),
      v3_add(v3_add(v3_scale(a.xy, b.x), v3_scale(a.yy, b.y)), v3_scale(a.yz, b.z)),
      v3_add(v3_add(v3_scale(a.xz, b.x), v3_scale(a.yz, b.y)), v3_scale(a.zz, b.z))};
}
// R^T S R: a symmetric matrix of the link in the axes of the parent
static inline s3 s3_back(m3 R, s3 S) { return s3_product(R, s3_mul_m3(S, R)); }
// J + m (c.c 1 - c c^T): parallel-axis theorem, for a point from which the centre of mass is at c
static inline s3 s3_shift(s3 J, real m, v3 c)
{
  const real cc = v3_dot(c, c), minus = r_neg(m);
  return s3_add(J, (s3){r_mul(m, r_sub(cc, r_mul(c.x, c.x))), r_mul(m, r_sub(cc, r_mul(c.y, c.y))),
                        r_mul(m, r_sub(cc, r_mul(c.z, c.z))), r_mul(r_mul(minus, c.x), c.y),
                        r_mul(r_mul(minus, c.x), c.z), r_mul(r_mul(minus, c.y), c.z)});
}

//---- motions and wrenches ------------------------------------------------------------------------

static inline motion mot_add(motion a, motion b) { return (motion){v3_add(a.ang, b.ang), v3_add(a.lin, b.lin)}; }
static inline motion mot_scale(real s, motion a) { return (motion){v3_scale(s, a.ang), v3_scale(s, a.lin)}; }
static inline wrench wr_add(wrench a, wrench b) { return (wrench){v3_add(a.ang, b.ang), v3_add(a.lin, b.lin)}; }
static inline wrench wr_sub(wrench a, wrench b) { return (wrench){v3_sub(a.ang, b.ang), v3_sub(a.lin, b.lin)}; }
// power of a wrench in a motion
static inline real mot_dot(motion a, wrench f) { return r_add(v3_dot(a.ang, f.ang), v3_dot(a.lin, f.lin)); }

// opposite of a wrench, at a point from which its own point is at `arm`
static inline wrench wr_opposite(wrench f, v3 arm)
{
  return (wrench){v3_neg(v3_add(f.ang, v3_cross(arm, f.lin))), v3_neg(f.lin)};
}

// convert a wrench at the link's origin in link axes to the parent's origin and axes; p: link's
// origin in the parent
static inline wrench wr_back(m3 R, v3 p, wrench f)
{
  const v3 force = m3_back(R, f.lin);
  return (wrench){v3_add(m3_back(R, f.ang), v3_cross(p, force)), force};
}
// clang-format on

#endif
