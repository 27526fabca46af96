// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MuJoCo, for files of MJCF and URDF.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

const char peer_name[] = "MuJoCo";

struct peerMachine {
  mjModel *model;
  mjData *data;
};


peerMachine *peer_load(const char *path)
{
  char message[1000] = "";
  mjModel *model = mj_loadXML(path, NULL, message, sizeof message);
  if (!model) {
    fprintf(stderr, "MuJoCo: %s\n", message);
    return NULL;
  }
  peerMachine *peer = malloc(sizeof *peer);
  *peer = (peerMachine){model, mj_makeData(model)};
  return peer;
}


void peer_free(peerMachine *peer)
{
  mj_deleteData(peer->data);
  mj_deleteModel(peer->model);
  free(peer);
}


int peer_positions(const peerMachine *peer)
{
  return peer->model->nq;
}


int peer_velocities(const peerMachine *peer)
{
  return peer->model->nv;
}


int peer_joints(const peerMachine *peer)
{
  return peer->model->njnt;
}


peerJoint peer_joint(const peerMachine *peer, int i)
{
  static const peerKind kinds[] = {PEER_FREE, PEER_BALL, PEER_SLIDE, PEER_ANGLE};
  const mjModel *m = peer->model;
  const peerKind kind = kinds[m->jnt_type[i]];
  const int q = m->jnt_qposadr[i];
  const double zero = kind == PEER_ANGLE || kind == PEER_SLIDE ? m->qpos0[q] : 0;
  return (peerJoint){m->names + m->name_jntadr[i], kind, q, m->jnt_dofadr[i], zero};
}


int peer_bodies(const peerMachine *peer)
{
  return peer->model->nbody;
}


const char *peer_body(const peerMachine *peer, int i)
{
  return peer->model->names + peer->model->name_bodyadr[i];
}


void peer_place(peerMachine *peer, const double *q, const double *v)
{
  memcpy(peer->data->qpos, q, (size_t) peer->model->nq * sizeof *q);
  memcpy(peer->data->qvel, v, (size_t) peer->model->nv * sizeof *v);
  mj_fwdPosition(peer->model, peer->data);
  mj_fwdVelocity(peer->model, peer->data);
}


void peer_mass(peerMachine *peer, double *M)
{
  mj_fullM(peer->model, M, peer->data->qM);
}


void peer_bias(peerMachine *peer, double *tau)
{
  memcpy(tau, peer->data->qfrc_bias, (size_t) peer->model->nv * sizeof *tau);
}


void peer_frame(peerMachine *peer, int body, double position[3], double quaternion[4])
{
  memcpy(position, peer->data->xpos + 3 * body, 3 * sizeof *position);
  memcpy(quaternion, peer->data->xquat + 4 * body, 4 * sizeof *quaternion);
}
