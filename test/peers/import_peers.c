// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The same file by our import and by another program, at random states:
//   import_peers OURS THEIRS ...        pairs of files; THEIRS is OURS without what that program cannot read
// Mass matrix, forces at zero accelerations and frames of bodies, relative to their largest entries. One line for each pair;
// the exit status is 1 where something differs by more than 1e-10 (or PEER_TOLERANCE of the environment), or where THEIRS is
// read and OURS is not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "peer.h"

enum { STATES = 100 };

static double tolerance = 1e-10;

typedef struct pairWork {
  artModel *model;
  artData *data;
  peerMachine *peer;
  int n;   // velocities of the peer
  int *at; // [n] ours
  double *q, *v, *M, *tau, *ours, *our_tau;
  double mass, bias, frame; // largest differences
  int frames;
} pairWork;


//---- states --------------------------------------------------------------------------------------

static double chance(void)
{
  return 2.0 * rand() / RAND_MAX - 1;
}


// our name of a foreign one
static void spell(char *out, size_t size, const char *name, const char *tail)
{
  const int is_letter = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
  snprintf(out, size, "%s%s", is_letter ? "" : "n", name);
  for (char *c = out; *c; c++) {
    const int is_ours = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                        (*c >= '0' && *c <= '9') || *c == '-';
    if (!is_ours) *c = '_';
  }
  strncat(out, tail, size - strlen(out) - 1);
}


// the tail of the name of a coordinate or velocity
static int count_of(peerKind kind, int is_velocity)
{
  return kind == PEER_FREE   ? 7 - is_velocity
         : kind == PEER_BALL ? 4 - is_velocity
                             : kind != PEER_NONE;
}


static const char *tail_of(peerKind kind, int is_velocity, int k)
{
  static const char *const turns[] = {".qw", ".qx", ".qy", ".qz"};
  static const char *const rates[] = {".wx", ".wy", ".wz"};
  static const char *const way[] = {".x", ".y", ".z"}, *const speed[] = {".vx", ".vy", ".vz"};
  if (kind == PEER_ANGLE) return is_velocity ? ".rate" : ".angle";
  if (kind == PEER_SLIDE) return is_velocity ? ".rate" : ".slide";
  if (kind == PEER_FIRST) return is_velocity ? ".angle1_rate" : ".angle1";
  if (kind == PEER_SECOND) return is_velocity ? ".angle2_rate" : ".angle2";
  if (kind == PEER_FREE && k < 3) return is_velocity ? speed[k] : way[k];
  const int turn = kind == PEER_FREE ? k - 3 : k;
  return is_velocity ? rates[turn] : turns[turn];
}


static int find(const pairWork *w, const peerJoint *joint, int is_velocity, int k)
{
  char name[512];
  spell(name, sizeof name, joint->name, tail_of(joint->kind, is_velocity, k));
  return is_velocity ? art_find_velocity(w->model, name) : art_find_position(w->model, name);
}


// a name that another thing has besides, or a universal joint that is two in ours
static peerJoint known_joint(const pairWork *w, peerJoint joint)
{
  static char name[512];
  if (find(w, &joint, 0, 0) >= 0) return joint;
  const char *tail = joint.kind == PEER_FIRST ? "" : joint.kind == PEER_SECOND ? "_2" : "_joint";
  if (joint.kind == PEER_FIRST || joint.kind == PEER_SECOND) joint.kind = PEER_ANGLE;
  snprintf(name, sizeof name, "%s%s", joint.name, tail);
  joint.name = name;
  return joint;
}


static int map_joints(pairWork *w)
{
  for (int i = 0; i < peer_joints(w->peer); i++) {
    const peerJoint joint = known_joint(w, peer_joint(w->peer, i));
    for (int k = 0; k < count_of(joint.kind, 1); k++) {
      w->at[joint.v + k] = find(w, &joint, 1, k);
      if (w->at[joint.v + k] < 0) {
        printf("joint '%s' is not in ours\n", joint.name);
        return 0;
      }
    }
  }
  return 1;
}


static void draw_state(pairWork *w)
{
  for (int i = 0; i < peer_joints(w->peer); i++) {
    const peerJoint joint = known_joint(w, peer_joint(w->peer, i));
    const int n = count_of(joint.kind, 0);
    double *q = w->q + joint.q, square = 0;
    for (int k = 0; k < n; k++) q[k] = chance();
    for (int k = n - 4; k >= 0 && k < n; k++) square += q[k] * q[k];
    for (int k = n - 4; k >= 0 && k < n; k++) q[k] /= sqrt(square);
    for (int k = 0; k < n; k++) w->data->q[find(w, &joint, 0, k)] = q[k];
    if (n == 1) q[0] += joint.zero;
    for (int k = 0; k < count_of(joint.kind, 1); k++)
      w->data->v[w->at[joint.v + k]] = w->v[joint.v + k] = chance();
  }
}


//---- differences ---------------------------------------------------------------------------------

static void note_larger(double *most, double x)
{
  if (!(x <= *most)) *most = x;
}


static void compare_masses(pairWork *w)
{
  const int n = w->n, nv = art_count(w->model).nv;
  double size = 1e-300, force;
  peer_mass(w->peer, w->M);
  peer_bias(w->peer, w->tau);
  art_mass_matrix(w->model, w->data, w->ours);
  art_inverse_dynamics(w->model, w->data, NULL, w->our_tau);
  for (int i = 0; i < n * n; i++) note_larger(&size, fabs(w->M[i]));
  // a unit of acceleration is one of rates squared
  force = size;
  for (int i = 0; i < n; i++) note_larger(&force, fabs(w->tau[i]));
  for (int i = 0; i < n; i++) {
    note_larger(&w->bias, fabs(w->tau[i] - w->our_tau[w->at[i]]) / force);
    for (int k = 0; k < n; k++)
      note_larger(&w->mass, fabs(w->M[i * n + k] - w->ours[w->at[i] * nv + w->at[k]]) / size);
  }
}


static void compare_frames(pairWork *w)
{
  double size = 1;
  w->frames = 0;
  for (int i = 0; i < peer_bodies(w->peer); i++) {
    char name[512];
    double p[3], q[4], ours[3], turn[4];
    spell(name, sizeof name, peer_body(w->peer, i), "");
    const int frame = art_find_frame(w->model, name);
    if (frame < 0) continue;
    w->frames++;
    peer_frame(w->peer, i, p, q);
    art_frame_position(w->model, w->data, frame, ours);
    art_frame_rotation(w->model, w->data, frame, turn);
    for (int k = 0; k < 3; k++) note_larger(&size, fabs(p[k]));
    for (int k = 0; k < 3; k++) note_larger(&w->frame, fabs(p[k] - ours[k]) / size);
    // of a turn there are two quaternions
    const double same = q[0] * turn[0] + q[1] * turn[1] + q[2] * turn[2] + q[3] * turn[3];
    for (int k = 0; k < 4; k++)
      note_larger(&w->frame, fabs(q[k] - (same < 0 ? -turn[k] : turn[k])));
  }
}


static int compare(pairWork *w, const char *file)
{
  const int nv = art_count(w->model).nv;
  w->n = peer_velocities(w->peer);
  w->at = calloc((size_t) w->n + 1, sizeof *w->at);
  w->q = calloc((size_t) peer_positions(w->peer) + 1, sizeof *w->q);
  w->v = calloc((size_t) w->n + 1, sizeof *w->v);
  w->M = calloc((size_t) w->n * (size_t) w->n + 1, sizeof *w->M);
  w->tau = calloc((size_t) w->n + 1, sizeof *w->tau);
  w->ours = calloc((size_t) nv * (size_t) nv + 1, sizeof *w->ours);
  w->our_tau = calloc((size_t) nv + 1, sizeof *w->our_tau);
  printf("%-40.40s %-7s ", file, peer_name);
  int is_good = map_joints(w);
  srand(1);
  for (int i = 0; i < STATES && is_good; i++) {
    draw_state(w);
    art_update(w->model, w->data);
    peer_place(w->peer, w->q, w->v);
    compare_masses(w);
    compare_frames(w);
  }
  if (is_good)
    printf("%3d of %3d velocities, %3d frames: mass %.1e, bias %.1e, frames %.1e\n", w->n, nv,
           w->frames, w->mass, w->bias, w->frame);
  is_good = is_good && w->mass <= tolerance && w->bias <= tolerance && w->frame <= tolerance;
  void *const blocks[] = {w->at, w->q, w->v, w->M, w->tau, w->ours, w->our_tau};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  return is_good;
}


static int compare_pair(const char *ours, const char *theirs)
{
  const char *slash = strrchr(ours, '/');
  const char *file = slash ? slash + 1 : ours;
  pairWork w = {.peer = peer_load(theirs)};
  artError error = {0};
  int is_good = 1;
  if (!w.peer) {
    printf("%-40.40s %-7s does not read it\n", file, peer_name);
    return 1;
  }
  if (art_load_model(&w.model, ours, &error) == ART_OK) {
    w.data = art_create_data(w.model);
    is_good = w.data && compare(&w, file);
    art_free_data(w.data);
  } else {
    printf("%-40.40s refused: %s\n", file, error.text);
  }
  art_free_model(w.model);
  peer_free(w.peer);
  return is_good;
}


int main(int count, char **word)
{
  int is_good = 1;
  const char *wider = getenv("PEER_TOLERANCE");
  if (wider) tolerance = strtod(wider, NULL);
  for (int i = 1; i + 1 < count; i += 2) is_good &= compare_pair(word[i], word[i + 1]);
  return !is_good;
}
