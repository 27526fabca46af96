// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of open trees as twists. Couplings are linear, so a coordinate that depends on others goes with fixed ratios.
#include "joint_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "loop/loop.h"
#include "spatial/pose.h"


static void set_one_rate(cliJointJog *jog, int velocity)
{
  artData *d = jog->data;
  memset(d->v, 0, (size_t) art_count(jog->model).nv * sizeof *d->v);
  if (velocity >= 0) d->v[velocity] = 1;
  art_update(jog->model, d);
}


// the twist of a velocity alone, by the body that its joint carries
static void find_twist(cliJointJog *jog, int velocity, double twist[6])
{
  const modelJoint *joint = &jog->model->joint[jog->model->velocity[velocity].joint];
  const int body = joint->is_reversed ? joint->from : joint->to;
  double linear[3];
  artPose pose;
  set_one_rate(jog, velocity);
  art_body_velocity(jog->model, jog->data, body, linear, twist);
  art_body_pose(jog->model, jog->data, body, &pose);
  const double *r = pose.position, *w = twist;
  // v_0 = v - w x r
  twist[3] = linear[0] - (w[1] * r[2] - w[2] * r[1]);
  twist[4] = linear[1] - (w[2] * r[0] - w[0] * r[2]);
  twist[5] = linear[2] - (w[0] * r[1] - w[1] * r[0]);
}


// of a coordinate by stops, and where it is at the start
static void write_limits(ioJson *json, const cliJointJog *jog, int velocity)
{
  const artModel *m = jog->model;
  const int k = m->velocity[velocity].partner;
  double limit[2];
  if (k < 0 || !joint_jog_find_limits(m, velocity, limit)) return;
  json_fields(json, "name: %s, value: %g", m->position[k].name, jog->data->q[k]);
  if (isfinite(limit[0])) json_number(json, "lower", limit[0]);
  if (isfinite(limit[1])) json_number(json, "upper", limit[1]);
}


static void write_moves(ioJson *json, cliJointJog *jog, const double *ratio, int *number)
{
  const int nv = art_count(jog->model).nv;
  int count = 0;
  json_array(json, "moves");
  for (int j = 0; j < nv; j++) {
    double twist[6];
    bool is_moved = false;
    for (int i = 0; i < jog->n && !is_moved; i++) is_moved = ratio[i * nv + j] != 0;
    number[j] = is_moved ? count++ : -1;
    if (!is_moved) continue;
    find_twist(jog, j, twist);
    json_object(json, NULL);
    write_limits(json, jog, j);
    json_numbers(json, "twist", 6, twist);
    json_list(json, "by");
    for (int i = 0; i < jog->n; i++) json_number(json, NULL, ratio[i * nv + j]);
    json_end(json);
    json_end(json);
  }
  json_end(json);
}


// moves of the joints from ground to a body
static void write_chain(ioJson *json, const artModel *m, int body, const int *number)
{
  if (body <= 0 || m->body[body].joint < 0) return;
  const modelJoint *joint = &m->joint[m->body[body].joint];
  write_chain(json, m, joint->is_reversed ? joint->to : joint->from, number);
  // links of compound joints have one velocity each, in the order of the tree
  const int count = joint->nlink == 1 ? joint->nv : 1;
  for (int k = 0; k < joint->nlink; k++) {
    for (int j = 0; j < count; j++) {
      const int move = number[m->tree.link[joint->link + k].v0 + j];
      if (move >= 0) json_integer(json, NULL, move);
    }
  }
}


static void write_tree(ioJson *json, cliJointJog *jog, double *ratio, int *number)
{
  const artModel *m = jog->model;
  // ratio[n][nv]: how all velocities follow each of the coordinates
  const int nv = art_count(m).nv;
  for (int i = 0; i < jog->n; i++) {
    for (int j = 0; j < nv; j++) {
      if (m->velocity[j].partner != jog->position[i]) continue;
      set_one_rate(jog, j);
      if (m->nrow > 0 && loop_close(m, jog->data, NULL) != ART_OK) set_one_rate(jog, j);
    }
    memcpy(ratio + (size_t) i * (size_t) nv, jog->data->v, (size_t) nv * sizeof *ratio);
  }
  write_moves(json, jog, ratio, number);
  json_array(json, "chains");
  for (int i = 1; i < m->nbody; i++) {
    json_list(json, NULL);
    write_chain(json, m, i, number);
    json_end(json);
  }
  json_end(json);
  set_one_rate(jog, -1);
}


char *joint_chain_create(cliJointJog *jog)
{
  const int nv = art_count(jog->model).nv;
  char *text = NULL, *list = joint_jog_list(jog);
  size_t size = 0;
  double *ratio = MEM_ARRAY(double, jog->n *nv + 1);
  int *number = MEM_ARRAY(int, nv + 1);
  FILE *stream = list && ratio && number ? open_memstream(&text, &size) : NULL;
  if (stream) {
    const artModel *m = jog->model;
    bool is_tree = m->ncut == 0;
    for (int i = 0; i < m->nrelation; i++) {
      is_tree = is_tree && !m->relation[i].user.value && !m->relation[i].call.function;
    }
    fprintf(stream, "{\"coordinates\": %s, \"tree\": ", is_tree ? list : "[]");
    ioJson json = {.file = stream};
    json_object(&json, NULL);
    if (is_tree) write_tree(&json, jog, ratio, number);
    if (!is_tree) json_text(&json, "reason", "its loops are closed by the program alone");
    json_end(&json);
    fputs("}\n", stream);
    if (!file_close_text(stream, &text)) {
      free(text);
      text = NULL;
    }
  }
  free(list);
  mem_free(ratio);
  mem_free(number);
  return text;
}
