// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ourselves, for files of joints with one coordinate that `articula export --urdf` has written. Links stand elsewhere on their
// bodies there, so that frames are not compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "peer.h"

const char peer_name[] = "again";

struct peerMachine {
  artModel *model;
  artData *data;
};


peerMachine *peer_load(const char *path)
{
  artError error = {0};
  artModel *model = NULL;
  if (art_load_model(&model, path, &error)) {
    fprintf(stderr, "again: %s\n", error.text);
    return NULL;
  }
  peerMachine *peer = malloc(sizeof *peer);
  *peer = (peerMachine){model, art_create_data(model)};
  return peer;
}


void peer_free(peerMachine *peer)
{
  art_free_data(peer->data);
  art_free_model(peer->model);
  free(peer);
}


int peer_positions(const peerMachine *peer)
{
  return art_count(peer->model).nq;
}


int peer_velocities(const peerMachine *peer)
{
  return art_count(peer->model).nv;
}


int peer_joints(const peerMachine *peer)
{
  return art_count(peer->model).nq;
}


// by the name of its coordinate, "shoulder.angle"
peerJoint peer_joint(const peerMachine *peer, int i)
{
  static char name[512];
  snprintf(name, sizeof name, "%s", art_position_name(peer->model, i));
  char *dot = strrchr(name, '.');
  const peerKind kind = strcmp(dot, ".slide") == 0 ? PEER_SLIDE : PEER_ANGLE;
  snprintf(dot, sizeof name - (size_t) (dot - name), ".rate");
  const int v = art_find_velocity(peer->model, name);
  *dot = '\0';
  return (peerJoint){name, kind, i, v, 0};
}


int peer_bodies(const peerMachine *peer)
{
  (void) peer;
  return 0;
}


const char *peer_body(const peerMachine *peer, int i)
{
  (void) peer, (void) i;
  return "";
}


void peer_place(peerMachine *peer, const double *q, const double *v)
{
  memcpy(peer->data->q, q, (size_t) peer_positions(peer) * sizeof *q);
  memcpy(peer->data->v, v, (size_t) peer_velocities(peer) * sizeof *v);
  art_update(peer->model, peer->data);
}


void peer_mass(peerMachine *peer, double *M)
{
  art_mass_matrix(peer->model, peer->data, M);
}


void peer_bias(peerMachine *peer, double *tau)
{
  art_inverse_dynamics(peer->model, peer->data, NULL, tau);
}


void peer_frame(peerMachine *peer, int body, double position[3], double quaternion[4])
{
  (void) peer, (void) body;
  memset(position, 0, 3 * sizeof *position);
  memset(quaternion, 0, 4 * sizeof *quaternion);
}
