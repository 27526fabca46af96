// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MuJoCo as an engine of the benchmark: contacts, constraints, actuators and sensors are absent from
// the model and switched off besides.
#include "peers.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mujocoState {
  mjModel *model;
  mjData *data;
  double *dense; // nv by nv, for the dense mass matrix
} mujocoState;


//---- model ---------------------------------------------------------------------------------------

static void write_link(FILE *file, int i, const benchLink *link)
{
  const double *I = link->inertia, *c = link->com, *p = link->offset;

  fprintf(file,
          "<link name='b%d'><inertial><origin xyz='%.17g %.17g %.17g'/><mass value='%.17g'/>"
          "<inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='%.17g' ixz='%.17g' iyz='%.17g'/>"
          "</inertial></link>\n",
          i, c[0], c[1], c[2], link->mass, I[0], I[1], I[2], I[3], I[4], I[5]);

  if (i == 0) {
    fprintf(file, "<joint name='j0' type='continuous'><parent link='base'/>");
  } else {
    fprintf(file, "<joint name='j%d' type='continuous'><parent link='b%d'/>", i, i - 1);
  }
  fprintf(file,
          "<child link='b%d'/><origin xyz='%.17g %.17g %.17g'/><axis xyz='%d %d %d'/></joint>\n", i,
          p[0], p[1], p[2], link->axis == 0, link->axis == 1, link->axis == 2);
}


// URDF rather than MJCF: its links are listed side by side, and the XML reader refuses the nesting
// that MJCF needs for a thousand links
static void write_urdf(FILE *file, const benchChain *chain)
{
  fprintf(file, "<robot name='chain'><link name='base'/>\n");
  for (int i = 0; i < chain->count; i++) write_link(file, i, &chain->links[i]);
  fprintf(file, "</robot>\n");
}


static mjModel *load_model(const benchChain *chain)
{
  char path[] = "/tmp/articula_bench_XXXXXX.urdf";
  const int descriptor = mkstemps(path, 5);
  if (descriptor < 0) return NULL;

  FILE *file = fdopen(descriptor, "w");
  if (!file) return NULL;
  write_urdf(file, chain);
  fclose(file);

  char message[1000] = "";
  mjModel *model = mj_loadXML(path, NULL, message, sizeof message);
  unlink(path);
  if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
  return model;
}


// MuJoCo keeps principal inertias and axes, found to some 1e-9 only. One Newton step on the axes
// makes them exact to rounding: with A = R' I R nearly diagonal, R (1 + [w]x) diagonalises I when
// [w]_ij = A_ij / (A_jj - A_ii).
static void sharpen_principal_axes(const benchLink *link, double *quat, double *principal)
{
  const double *x = link->inertia;
  const double I[9] = {x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]};
  double R[9], IR[9], A[9];

  mju_quat2Mat(R, quat);
  mju_mulMatMat(IR, I, R, 3, 3, 3);
  mju_mulMatTMat(A, R, IR, 3, 3, 3);

  const double half_turn[4] = {
      1,
      -0.5 * A[5] / (A[8] - A[4]),
      0.5 * A[2] / (A[8] - A[0]),
      -0.5 * A[1] / (A[4] - A[0]),
  };
  double sharp[4];
  mju_mulQuat(sharp, quat, half_turn);
  mju_normalize4(sharp);
  mju_copy4(quat, sharp);

  mju_quat2Mat(R, quat);
  mju_mulMatMat(IR, I, R, 3, 3, 3);
  mju_mulMatTMat(A, R, IR, 3, 3, 3);
  for (int k = 0; k < 3; k++) principal[k] = A[4 * k];
}


static void mujoco_destroy(void *state)
{
  mujocoState *s = state;
  if (!s) return;
  if (s->data) mj_deleteData(s->data);
  if (s->model) mj_deleteModel(s->model);
  free(s->dense);
  free(s);
}


static void *mujoco_create(const benchChain *chain)
{
  const size_t n = (size_t) chain->count;
  mujocoState *s = calloc(1, sizeof *s);
  if (!s) return NULL;

  s->dense = calloc(n * n, sizeof *s->dense);
  s->model = load_model(chain);
  if (s->model && s->model->nv == chain->count) s->data = mj_makeData(s->model);
  if (!s->dense || !s->data) {
    mujoco_destroy(s);
    return NULL;
  }

  // body 0 is the world
  for (int i = 0; i < chain->count; i++) {
    sharpen_principal_axes(&chain->links[i], s->model->body_iquat + 4 * (i + 1),
                           s->model->body_inertia + 3 * (i + 1));
  }
  mju_copy(s->model->opt.gravity, chain->gravity, 3);
  s->model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                                mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_ACTUATION |
                                mjDSBL_SENSOR | mjDSBL_WARMSTART;
  return s;
}


//---- shortest sequences --------------------------------------------------------------------------

// places, and inertias and axes about the centre of mass of the whole, in ground axes
static void place(const mujocoState *s, const double *q)
{
  memcpy(s->data->qpos, q, sizeof *q * (size_t) s->model->nq);
  mj_kinematics(s->model, s->data);
  mj_comPos(s->model, s->data);
}


static void move(const mujocoState *s, const double *v)
{
  memcpy(s->data->qvel, v, sizeof *v * (size_t) s->model->nv);
  mj_comVel(s->model, s->data);
}


static void mujoco_inverse(void *state, const double *q, const double *v, const double *a,
                           double *tau)
{
  const mujocoState *s = state;
  place(s, q);
  move(s, v);
  memcpy(s->data->qacc, a, sizeof *a * (size_t) s->model->nv);
  mj_rne(s->model, s->data, 1, tau);
}


static void mujoco_mass(void *state, const double *q)
{
  const mujocoState *s = state;
  place(s, q);
  mj_crb(s->model, s->data);
}


static void mujoco_read_mass(void *state, double *M)
{
  const mujocoState *s = state;
  mj_fullM(s->model, M, s->data->qM);
}


static void mujoco_forward(void *state, const double *q, const double *v, const double *tau,
                           double *a)
{
  const mujocoState *s = state;
  mjData *d = s->data;

  // a = M^-1 (tau - h), with M = L' D L
  place(s, q);
  mj_crb(s->model, d);
  mj_factorM(s->model, d);
  move(s, v);
  mj_rne(s->model, d, 0, d->qfrc_bias);
  mju_sub(a, tau, d->qfrc_bias, s->model->nv);
  mj_solveM(s->model, d, a, a, 1);
}


const benchEngine bench_mujoco = {
    .name = "MuJoCo",
    .create = mujoco_create,
    .destroy = mujoco_destroy,
    .inverse = mujoco_inverse,
    .mass = mujoco_mass,
    .read_mass = mujoco_read_mass,
    .forward = mujoco_forward,
};


//---- whole pipeline ------------------------------------------------------------------------------

static void whole_inverse(void *state, const double *q, const double *v, const double *a,
                          double *tau)
{
  const mujocoState *s = state;
  const size_t size = sizeof *q * (size_t) s->model->nv;
  memcpy(s->data->qpos, q, size);
  memcpy(s->data->qvel, v, size);
  memcpy(s->data->qacc, a, size);
  mj_inverse(s->model, s->data);
  memcpy(tau, s->data->qfrc_inverse, size);
}


static void whole_mass(void *state, const double *q)
{
  const mujocoState *s = state;
  mujoco_mass(state, q);
  mj_fullM(s->model, s->dense, s->data->qM);
}


static void whole_forward(void *state, const double *q, const double *v, const double *tau,
                          double *a)
{
  const mujocoState *s = state;
  const size_t size = sizeof *q * (size_t) s->model->nv;
  memcpy(s->data->qpos, q, size);
  memcpy(s->data->qvel, v, size);
  memcpy(s->data->qfrc_applied, tau, size);
  mj_forward(s->model, s->data);
  memcpy(a, s->data->qacc, size);
}


const benchEngine bench_mujoco_whole = {
    .name = "MuJoCo whole",
    .create = mujoco_create,
    .destroy = mujoco_destroy,
    .inverse = whole_inverse,
    .mass = whole_mass,
    .read_mass = mujoco_read_mass,
    .forward = whole_forward,
};
