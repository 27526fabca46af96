// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mechanics of sample trees without the library.
#include "support/naive.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

//---- transformations -----------------------------------------------------------------------------


static naiveFrame identity(void)
{
  return (naiveFrame){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}


static naiveFrame product(naiveFrame a, naiveFrame b)
{
  naiveFrame c;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      c.T[i][j] = 0;
      for (int k = 0; k < 4; k++) c.T[i][j] += a.T[i][k] * b.T[k][j];
    }
  }
  return c;
}


static naiveFrame inverse(naiveFrame a)
{
  naiveFrame c = identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      c.T[i][j] = a.T[j][i];
      c.T[i][3] -= a.T[j][i] * a.T[j][3];
    }
  }
  return c;
}


static naiveFrame translation(double x, double y, double z)
{
  return (naiveFrame){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}


static void normalised(const double x[3], double out[3])
{
  const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int c = 0; c < 3; c++) out[c] = x[c] / length;
}


// v = u v' + s u x v' + (1 - c) u x (u x v'), by Rodrigues
static naiveFrame rotation(const double axis[3], double angle)
{
  double u[3];
  normalised(axis, u);
  const double K[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  naiveFrame c = identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double KK = 0;
      for (int k = 0; k < 3; k++) KK += K[i][k] * K[k][j];
      c.T[i][j] += sin(angle) * K[i][j] + (1 - cos(angle)) * KK;
    }
  }
  return c;
}


// by the angle and axis that a quaternion of any length holds
static naiveFrame quaternion(const double e[4])
{
  const double sine = sqrt(e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  return sine > 0 ? rotation(e + 1, 2 * atan2(sine, e[0])) : identity();
}


static naiveFrame from_pose(const artPose *pose)
{
  return product(translation(pose->position[0], pose->position[1], pose->position[2]),
                 quaternion(pose->rotation));
}


void naive_point(const naiveFrame *frame, const double x[3], double out[3])
{
  for (int i = 0; i < 3; i++) {
    out[i] = frame->T[i][3];
    for (int k = 0; k < 3; k++) out[i] += frame->T[i][k] * x[k];
  }
}


//---- joints --------------------------------------------------------------------------------------


static naiveFrame along(const double axis[3], double s)
{
  double u[3];
  normalised(axis, u);
  return translation(s * u[0], s * u[1], s * u[2]);
}


// the frame of `to` in that of `from` at the joint's coordinates
static naiveFrame joint_motion(const artJointDef *def, const double *q)
{
  const double *n = def->axis, *x = def->axis2;
  const double y[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                       n[0] * x[1] - n[1] * x[0]};
  switch (def->type) {
  case ART_REVOLUTE: return rotation(n, q[0]);
  case ART_PRISMATIC: return along(n, q[0]);
  case ART_SCREW: return product(along(n, def->pitch * q[0]), rotation(n, q[0]));
  case ART_CYLINDRICAL: return product(along(n, q[0]), rotation(n, q[1]));
  case ART_UNIVERSAL: return product(rotation(n, q[0]), rotation(x, q[1]));
  case ART_PLANAR: return product(product(along(x, q[0]), along(y, q[1])), rotation(n, q[2]));
  case ART_SPHERICAL: return quaternion(q);
  case ART_FREE: return product(translation(q[0], q[1], q[2]), quaternion(q + 3));
  default: return identity();
  }
}


static naiveFrame end_in_body(const sampleTree *tree, int j, int side)
{
  const sampleJoint *joint = &tree->joint[j];
  const artPose *offset = side == 0 ? &joint->def.from_offset : &joint->def.to_offset;
  const artPose *frame = &tree->body[joint->body[side]].frame;
  return product(joint->uses_frame[side] ? from_pose(frame) : identity(), from_pose(offset));
}


// bodies at the reference configuration
static void reference(const sampleTree *tree, naiveFrame *body)
{
  body[0] = identity();
  for (int j = 1; j <= tree->n; j++) {
    const sampleJoint *joint = &tree->joint[j];
    const int side = joint->body[1] == j;
    body[j] = from_pose(&tree->body[j].def.pose);
    if (tree->body[j].def.has_pose || joint->def.in_ground) continue;
    body[j] = product(product(body[joint->body[1 - side]], end_in_body(tree, j, 1 - side)),
                      inverse(end_in_body(tree, j, side)));
  }
}


// the joint's frame in the body on one side
static naiveFrame joint_end(const sampleTree *tree, int j, int side)
{
  const sampleJoint *joint = &tree->joint[j];
  if (!joint->def.in_ground) return end_in_body(tree, j, side);
  naiveFrame body[SAMPLE_BODIES + 1];
  reference(tree, body);
  const double *at = joint->def.at;
  return product(inverse(body[joint->body[side]]), translation(at[0], at[1], at[2]));
}


void naive_place(const sampleTree *tree, const double *q, naiveFrame *body)
{
  body[0] = identity();
  for (int j = 1; j <= tree->n; j++) {
    const sampleJoint *joint = &tree->joint[j];
    double own[7] = {0};
    for (int k = 0; sample_positions(joint->def.type)[k]; k++) own[k] = q[joint->q[k]];

    // T_to E_to = T_from E_from X(q)
    const naiveFrame X = joint_motion(&joint->def, own);
    const naiveFrame from = joint_end(tree, j, 0), to = joint_end(tree, j, 1);
    if (joint->body[1] == j) {
      body[j] = product(product(product(body[joint->body[0]], from), X), inverse(to));
    } else {
      body[j] = product(product(product(body[joint->body[1]], to), inverse(X)), inverse(from));
    }
  }
}


naiveFrame naive_named_frame(const sampleTree *tree, const naiveFrame *body, int i)
{
  return product(body[i], from_pose(&tree->body[i].frame));
}


naiveFrame naive_joint_frame(const sampleTree *tree, const naiveFrame *body, int j, int side)
{
  return product(body[tree->joint[j].body[side]], joint_end(tree, j, side));
}


//---- motion --------------------------------------------------------------------------------------


// e turned by the rotation vector u in the turned axes: e * (cos, sin u/|u|) of half the angle
static void turn(const double e[4], const double u[3], double out[4])
{
  const double angle = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double s = angle > 0 ? sin(angle / 2) / angle : 0.5, w = cos(angle / 2);
  const double v[3] = {s * u[0], s * u[1], s * u[2]};
  out[0] = e[0] * w - e[1] * v[0] - e[2] * v[1] - e[3] * v[2];
  for (int c = 0; c < 3; c++) {
    const int d = (c + 1) % 3, f = (c + 2) % 3;
    out[1 + c] = e[0] * v[c] + w * e[1 + c] + e[1 + d] * v[f] - e[1 + f] * v[d];
  }
}


void naive_path(const sampleTree *tree, const double *q, const double *v, const double *a, double t,
                double *out)
{
  for (int j = 1; j <= tree->n; j++) {
    const sampleJoint *joint = &tree->joint[j];
    const artJointType type = joint->def.type;
    double u[6];
    int nv = 0;
    for (; sample_velocities(type)[nv]; nv++) {
      const int k = joint->v[nv];
      u[nv] = v[k] * t + (a ? a[k] * t * t / 2 : 0);
    }
    const int ball = type == ART_SPHERICAL || type == ART_FREE;
    for (int k = 0; k < nv - 3 * ball; k++) out[joint->q[k]] = q[joint->q[k]] + u[k];
    if (!ball) continue;

    double e[4], turned[4];
    for (int k = 0; k < 4; k++) e[k] = q[joint->q[nv - 3 + k]];
    turn(e, u + nv - 3, turned);
    for (int k = 0; k < 4; k++) out[joint->q[nv - 3 + k]] = turned[k];
  }
}


double naive_first(const double f[9], double h)
{
  return (4.0 / 5 * (f[5] - f[3]) - 1.0 / 5 * (f[6] - f[2]) + 4.0 / 105 * (f[7] - f[1]) -
          1.0 / 280 * (f[8] - f[0])) /
         h;
}


double naive_second(const double f[9], double h)
{
  return (-205.0 / 72 * f[4] + 8.0 / 5 * (f[5] + f[3]) - 1.0 / 5 * (f[6] + f[2]) +
          8.0 / 315 * (f[7] + f[1]) - 1.0 / 560 * (f[8] + f[0])) /
         (h * h);
}


void naive_swarm(const sampleTree *tree, const double *q, const double *v, const double *a,
                 double h, naiveSwarm *swarm)
{
  double moved[SAMPLE_Q];
  naiveFrame body[SAMPLE_BODIES + 1];
  swarm->h = h;
  for (int s = 0; s < 9; s++) {
    naive_path(tree, q, v, a, (s - 4) * h, moved);
    naive_place(tree, moved, body);
    for (int i = 1; i <= tree->n; i++) {
      for (int p = 0; p < tree->body[i].nparticle; p++) {
        naive_point(&body[i], tree->body[i].at[p], swarm->r[s][i][p]);
      }
    }
  }
}


void naive_particle(const naiveSwarm *swarm, int i, int p, double r[3], double v[3], double a[3])
{
  for (int c = 0; c < 3; c++) {
    double f[9];
    for (int s = 0; s < 9; s++) f[s] = swarm->r[s][i][p][c];
    r[c] = f[4];
    v[c] = naive_first(f, swarm->h);
    a[c] = naive_second(f, swarm->h);
  }
}


//---- dynamics ------------------------------------------------------------------------------------


void naive_inverse_dynamics(const sampleTree *tree, const double *q, const double *v,
                            const double *a, int nv, double *tau)
{
  static naiveSwarm path, nudge;
  const double h = 0.01;
  naive_swarm(tree, q, v, a, h, &path);
  for (int k = 0; k < nv; k++) {
    double unit[SAMPLE_V] = {0};
    unit[k] = 1;
    naive_swarm(tree, q, unit, NULL, h, &nudge);

    // tau_k = sum m (a - g) . dv/dv_k
    tau[k] = 0;
    for (int i = 1; i <= tree->n; i++) {
      for (int p = 0; p < tree->body[i].nparticle; p++) {
        double r[3], u[3], w[3], acc[3];
        naive_particle(&path, i, p, r, w, acc);
        naive_particle(&nudge, i, p, r, u, w);
        for (int c = 0; c < 3; c++) {
          tau[k] += tree->body[i].mass[p] * (acc[c] - tree->gravity[c]) * u[c];
        }
      }
    }
  }
  for (int j = 1; j <= tree->n; j++) {
    const sampleJoint *joint = &tree->joint[j];
    if (joint->def.rotor > 0) tau[joint->v[0]] += joint->def.rotor * a[joint->v[0]];
  }
}


int naive_is_carried(const sampleTree *tree, int i, int j)
{
  while (i > j) i = tree->body[i].parent;
  return i == j;
}


double naive_energy_rate(const artModel *m, artData *d, const double *a, double h)
{
  double q[SAMPLE_Q], v[SAMPLE_V], move[SAMPLE_V], energy[9];
  const double time = d->time;
  const int nq = art_count(m).nq, nv = art_count(m).nv;
  CHECK(nq <= SAMPLE_Q && nv <= SAMPLE_V);
  check_stop_if_failed();
  memcpy(q, d->q, (size_t) nq * sizeof *q);
  memcpy(v, d->v, (size_t) nv * sizeof *v);
  for (int i = 0; i <= 9; i++) {
    const double t = i < 9 ? (i - 4) * h : 0;
    for (int k = 0; k < nv; k++) {
      move[k] = v[k] * t + a[k] * t * t / 2;
      d->v[k] = v[k] + a[k] * t;
    }
    memcpy(d->q, q, (size_t) nq * sizeof *q);
    if (i < 9) art_move(m, d->q, move);
    d->time = time + t;
    art_update(m, d);
    const artEnergy now = art_energy(m, d);
    if (i < 9) energy[i] = now.kinetic + now.potential;
  }
  return naive_first(energy, h);
}
