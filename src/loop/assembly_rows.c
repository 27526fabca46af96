// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of the assembly: loops that are far from closed.
#include "loop/rows.h"

#include <math.h>

#include "data/place.h"
#include "model/link_pose.h"

// within this angle of half a turn the derivatives grow without bound, rad
static const double HALF_TURN_MARGIN = 0.1;


static m3 assembly_side_axes(const artData *d, const cutSide *side)
{
  return m3_mul_m3(side->R, tree_in_ground(&d->work->tree, side->link)->R);
}


//---- axes: tilt of an axis -----------------------------------------------------------------------

// The tilt e = theta n rotates the axis a into b. With m = n x a, and omega the angular velocity of
// b relative to a,
//   de/dt = (n.omega) n + theta (cot(theta) m - a).omega m
typedef struct tilt {
  v3 a, m, n, e;
  double theta;
} tilt;


// some unit vector perpendicular to a
static v3 square_to(v3 a)
{
  const v3 other = fabs(a.x) < 0.6 ? (v3){1, 0, 0} : (v3){0, 1, 0};
  const v3 n = v3_cross(a, other);
  return v3_scale(1 / sqrt(v3_dot(n, n)), n);
}


// Where a x b is too short to give a direction, any n perpendicular to a serves for the
// derivatives. e keeps its exact direction, because the last iterations of an assembly follow it.
static tilt tilt_of(v3 a, v3 b)
{
  const v3 cross = v3_cross(a, b);
  const double sine = sqrt(v3_dot(cross, cross)), cosine = v3_dot(a, b);
  const int is_short = sine <= 1e-12;
  tilt t = {.a = a, .theta = atan2(sine, cosine)};
  t.n = is_short ? square_to(a) : v3_scale(1 / sine, cross);
  t.m = v3_cross(t.n, a);
  t.e = is_short && cosine > 0 ? cross : v3_scale(t.theta, t.n);
  return t;
}


static void tilt_row(const tilt *t, v3 u, loopRow *row, double *phi)
{
  const double nu = v3_dot(t->n, u), mu = v3_dot(t->m, u);
  const double theta = fmin(t->theta, acos(-1.0) - HALF_TURN_MARGIN);
  const double slope = theta > 1e-6 ? theta / tan(theta) : 1;
  *phi = v3_dot(t->e, u);
  row->t =
      v3_add(v3_scale(nu, t->n), v3_add(v3_scale(mu * slope, t->m), v3_scale(-mu * theta, t->a)));
}


//---- frames: rotation vector ---------------------------------------------------------------------


// the rotation vector, in ground axes, that rotates the axes a into b
static v3 rotation_between(m3 a, m3 b)
{
  double q[4];
  pose_quaternion(m3_mul_m3(b, m3_transpose(a)), q);
  const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double factor = sine > 1e-12 ? 2 * atan2(sine, q[0]) / sine : 2;
  return m3_back(a, (v3){factor * q[1], factor * q[2], factor * q[3]});
}


// With e that vector, omega the angular velocity of b relative to a, and L the left Jacobian of
// rotations,
//   de/dt = L^-1 omega,  L^-T = 1 + [e]/2 + c [e]^2,  c = 1/theta^2 - (1 + cos) / (2 theta sin)
static void rotation_row(v3 e, v3 u, loopRow *row, double *phi)
{
  const double theta = fmin(sqrt(v3_dot(e, e)), acos(-1.0) - HALF_TURN_MARGIN);
  const double c = theta > 1e-2 ? 1 / (theta * theta) - (1 + cos(theta)) / (2 * theta * sin(theta))
                                : 1.0 / 12 + theta * theta / 720;
  const v3 eu = v3_cross(e, u);
  *phi = v3_dot(e, u);
  row->t = v3_add(u, v3_add(v3_scale(0.5, eu), v3_scale(c, v3_cross(e, eu))));
}


//---- all cuts ------------------------------------------------------------------------------------


void wide_turns(const artModel *m, const artData *d, loopRows *rows)
{
  data_need_world(m, d);
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const artJointType type = cut->type;
    int first = 0;
    while (first < cut->nrow && cut->kind[first] != TURN_X && cut->kind[first] != EQUAL_1) first++;
    if (first == cut->nrow) continue;
    loopRow *row = rows->row + cut->row0 + first;
    double *phi = rows->phi + cut->row0 + first;
    const m3 a = assembly_side_axes(d, &cut->side[0]), b = assembly_side_axes(d, &cut->side[1]);
    if (joint_holds(type, TURN_Z)) {
      const v3 e = rotation_between(a, b);
      rotation_row(e, a.x, &row[0], &phi[0]);
      rotation_row(e, a.y, &row[1], &phi[1]);
      rotation_row(e, a.z, &row[2], &phi[2]);
    } else {
      // b.z - a.z = e x a.z to first order, and along a tilted axis f  (a.z x f).e
      const tilt t = tilt_of(a.z, b.z);
      const bool has_vectors = cut->kind[first] == EQUAL_1;
      for (int k = 0; k < (has_vectors ? 3 : 2); k++) {
        const v3 u = has_vectors ? v3_cross(a.z, row_tilted_axis(&a, k)) : k == 0 ? a.x : a.y;
        tilt_row(&t, u, &row[k], &phi[k]);
      }
    }
  }
}
