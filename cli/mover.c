// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints moved by hand.
#include "mover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "loop/loop.h"
#include "show/json.h"
#include "show/scene.h"

static const double LONGEST = 0.05; // rad or m between two closures


// velocities that are free and the rate of a coordinate; orientations are not set by numbers
static void list_coordinates(cliMover *mover)
{
  const artModel *m = mover->model;
  const loopPartition *p = m->nrow > 0 ? &mover->data->work->loop->partition : NULL;
  const int count = p ? p->nf : art_count(m).nv;
  for (int i = 0; i < count; i++) {
    const int partner = m->velocity[p ? p->free[i] : i].partner;
    bool is_driven = partner < 0;
    for (int k = 0; k < m->ndrive && !is_driven; k++) is_driven = m->drive[k].position == partner;
    if (!is_driven) mover->position[mover->n++] = partner;
  }
}


artStatus mover_create(cliMover **out, const cliCall *call, artError *error)
{
  cliMover *mover = mem_alloc(1, sizeof *mover);
  *out = NULL;
  if (!mover) return base_no_memory(error);
  if (cli_load(call, &mover->model, &mover->data) != CLI_DONE) {
    mover_free(mover);
    return ART_OK;
  }
  const artModel *m = mover->model;
  const size_t nq = (size_t) art_count(m).nq + 1;
  mover->position = MEM_ARRAY(int, art_count(m).nv + 1);
  mover->from = mem_alloc(4 * nq + 3 * (size_t) art_count(m).nv, sizeof *mover->from);
  artStatus status = mover->position && mover->from ? ART_OK : base_no_memory(error);
  if (!status) status = art_assemble(m, mover->data, NULL, error);
  if (status) {
    mover_free(mover);
    return status;
  }
  mover->to = mover->from + nq;
  mover->kept = mover->to + nq;
  mover->start = mover->kept + nq;
  mover->rate = mover->start + nq;
  memcpy(mover->start, mover->data->q, (nq - 1) * sizeof *mover->start);
  mover->way = mover->rate + 2 * art_count(m).nv;
  list_coordinates(mover);
  *out = mover;
  return ART_OK;
}


void mover_free(cliMover *mover)
{
  if (!mover) return;
  art_free_data(mover->data);
  art_free_model(mover->model);
  mem_free(mover->position);
  mem_free(mover->from);
  mem_free(mover);
}


char *mover_list(const cliMover *mover)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  ioJson json = {.file = stream};
  json_array(&json, NULL);
  for (int i = 0; i < mover->n; i++) {
    const int k = mover->position[i];
    json_item(&json, NULL, "name: %s, unit: %s, value: %g", mover->model->position[k].name,
              art_position_unit(mover->model, k), mover->data->q[k]);
  }
  json_end(&json);
  if (file_close_text(stream, &text)) return text;
  free(text);
  return NULL;
}


bool mover_read(const char *text, int n, double *values)
{
  for (int i = 0; i < n; i++) {
    char *end;
    values[i] = strtod(text, &end);
    if (end == text || !isfinite(values[i])) return false;
    if (*end != (i + 1 < n ? ',' : '\0')) return false;
    text = end + 1;
  }
  return n > 0;
}


artStatus mover_close(cliMover *mover, artError *error)
{
  art_update(mover->model, mover->data);
  return mover->model->nrow > 0 ? loop_place(mover->model, mover->data, error) : ART_OK;
}


void mover_return(cliMover *mover)
{
  const size_t size = (size_t) art_count(mover->model).nq * sizeof *mover->kept;
  memcpy(mover->data->q, mover->kept, size);
  (void) mover_close(mover, NULL);
}


static artStatus close_at(cliMover *mover, double share, artError *error)
{
  artData *d = mover->data;
  for (int i = 0; i < mover->n; i++) {
    d->q[mover->position[i]] = mover->from[i] + share * (mover->to[i] - mover->from[i]);
  }
  return mover_close(mover, error);
}


void mover_write_poses(const cliMover *mover, int n, float *poses)
{
  for (int i = 0; i < n; i++) {
    artPose pose;
    art_body_pose(mover->model, mover->data, i + 1, &pose);
    for (int k = 0; k < 3; k++) poses[SCENE_POSE * i + k] = (float) pose.position[k];
    for (int k = 0; k < 4; k++) poses[SCENE_POSE * i + 3 + k] = (float) pose.rotation[k];
  }
}


artStatus mover_move(cliMover *mover, const char *values, int n, float *poses, artError *error)
{
  artData *d = mover->data;
  const size_t size = (size_t) art_count(mover->model).nq * sizeof *d->q;
  if (values && strcmp(values, "start") == 0) {
    memcpy(mover->kept, mover->start, size);
    mover_return(mover);
    mover_write_poses(mover, n, poses);
    return ART_OK;
  }
  if (!values || !mover_read(values, mover->n, mover->to)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "expected q=start, or q= and %d numbers by commas", mover->n);
  }
  double longest = 0;
  for (int i = 0; i < mover->n; i++) {
    mover->from[i] = d->q[mover->position[i]];
    longest = fmax(longest, fabs(mover->to[i] - mover->from[i]));
  }
  if (longest > 1000 * LONGEST) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "this is too far from here");
  }
  memcpy(mover->kept, d->q, size);
  const int steps = 1 + (int) (longest / LONGEST);
  artStatus status = ART_OK;
  for (int i = 1; i <= steps && !status; i++) status = close_at(mover, (double) i / steps, error);
  if (status) {
    mover_return(mover);
    return status;
  }
  mover_write_poses(mover, n, poses);
  return ART_OK;
}
