// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints moved by hand.
#include "mover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/memory.h"
#include "loop/loop.h"
#include "show/scene.h"
#include "spatial/pose.h"

static const double LONGEST = 0.05;    // rad or m between two closures
static const double PAST_LIMIT = 1e-6; // rad or m that nobody sees


// velocities that are free and the rate of a coordinate; orientations are not set by numbers
static void list_movable_coordinates(cliMover *mover)
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


bool mover_find_limits(const artModel *m, int velocity, double limit[2])
{
  limit[0] = -HUGE_VAL;
  limit[1] = HUGE_VAL;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!model_has_stop(e) || e->nterm != 1 || e->term[0].velocity != velocity) continue;
    if (e->term[0].c != 1) continue;
    limit[0] = fmax(limit[0], e->stop.lower);
    limit[1] = fmin(limit[1], e->stop.upper);
  }
  return isfinite(limit[0]) || isfinite(limit[1]);
}


// By how much coordinates are beyond their limits, the largest; which one it is.
static double find_excess(const cliMover *mover, int *velocity, double *crossed)
{
  const artModel *m = mover->model;
  double most = 0, limit[2];
  for (int j = 0; j < art_count(m).nv; j++) {
    const int partner = m->velocity[j].partner;
    if (partner < 0 || !mover_find_limits(m, j, limit)) continue;
    for (int side = 0; side < 2; side++) {
      const double x = mover->data->q[partner];
      const double excess = side == 0 ? limit[0] - x : x - limit[1];
      if (!(excess > most)) continue;
      most = excess;
      *velocity = j;
      *crossed = limit[side];
    }
  }
  return most;
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
  list_movable_coordinates(mover);
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


// the velocity whose coordinate this is
static int velocity_of(const artModel *m, int position)
{
  for (int j = 0; j < art_count(m).nv; j++) {
    if (m->velocity[j].partner == position) return j;
  }
  return -1;
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
    double limit[2];
    json_object(&json, NULL);
    json_fields(&json, "name: %s, unit: %s, value: %g", mover->model->position[k].name,
                art_position_unit(mover->model, k), mover->data->q[k]);
    mover_find_limits(mover->model, velocity_of(mover->model, k), limit);
    if (isfinite(limit[0])) json_number(&json, "lower", limit[0]);
    if (isfinite(limit[1])) json_number(&json, "upper", limit[1]);
    json_end(&json);
  }
  json_end(&json);
  if (file_close_text(stream, &text)) return text;
  free(text);
  return NULL;
}


// numbers by commas and nothing else
static bool mover_read(const char *text, int n, double *values)
{
  for (int i = 0; i < n; i++) {
    char *end;
    values[i] = format_read(text, &end);
    if (end == text || !isfinite(values[i])) return false;
    if (*end != (i + 1 < n ? ',' : '\0')) return false;
    text = end + 1;
  }
  return n > 0;
}


static artStatus mover_close(cliMover *mover, artError *error)
{
  art_update(mover->model, mover->data);
  return mover->model->nrow > 0 ? loop_place(mover->model, mover->data, error) : ART_OK;
}


// Close loops; coordinates that are beyond a limit by more than `before` are refused.
static artStatus mover_close_within(cliMover *mover, double before, artError *error)
{
  const artModel *m = mover->model;
  int velocity;
  double limit;
  const artStatus status = mover_close(mover, error);
  if (status || !(find_excess(mover, &velocity, &limit) > before + PAST_LIMIT)) return status;
  const int k = m->velocity[velocity].partner;
  return cli_wrong(error, "%s has its limit at %.6g %s", m->position[k].name, limit,
                   art_position_unit(m, k));
}


static void mover_return(cliMover *mover)
{
  const size_t size = (size_t) art_count(mover->model).nq * sizeof *mover->kept;
  memcpy(mover->data->q, mover->kept, size);
  (void) mover_close(mover, NULL);
}


static artStatus close_at(cliMover *mover, double share, double before, artError *error)
{
  artData *d = mover->data;
  for (int i = 0; i < mover->n; i++) {
    d->q[mover->position[i]] = mover->from[i] + share * (mover->to[i] - mover->from[i]);
  }
  return mover_close_within(mover, before, error);
}


static void mover_write_poses(const cliMover *mover, int n, float *poses)
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
  if (!values || !mover_read(values, mover->n, mover->to))
    return cli_wrong(error, "expected q=start, or q= and %d numbers by commas", mover->n);
  double longest = 0;
  for (int i = 0; i < mover->n; i++) {
    mover->from[i] = d->q[mover->position[i]];
    longest = fmax(longest, fabs(mover->to[i] - mover->from[i]));
  }
  if (longest > 1000 * LONGEST) return cli_wrong(error, "this is too far from here");
  memcpy(mover->kept, d->q, size);
  const int steps = 1 + (int) (longest / LONGEST);
  int velocity;
  double limit;
  const double before = find_excess(mover, &velocity, &limit);
  artStatus status = ART_OK;
  for (int i = 1; i <= steps && !status; i++) {
    status = close_at(mover, (double) i / steps, before, error);
  }
  if (status) {
    mover_return(mover);
    return status;
  }
  mover_write_poses(mover, n, poses);
  return ART_OK;
}


//---- a body pulled by hand: a point of it follows the ray of sight through the pointer -----------

static const double DAMPING = 1e-6;    // of directions in which the point hardly moves
static const double ENOUGH = 0.03;     // of its way by which the point comes nearer
static const double NEAR = 1e-8;       // m that nobody sees
static const double LEAST_RATE = 1e-6; // m for a unit of a coordinate that moves the point
static const double LEAST_MASS = 1e-3; // kg that moves with it
enum { MOST_STEPS = 60, HALVINGS = 6, WISH = 10 };

typedef struct pullWish {
  int body;             // as the model numbers them
  v3 point;             // in it
  v3 origin, across[2]; // of the ray, and unit vectors square to it, in ground
} pullWish;


//---- the wish ------------------------------------------------------------------------------------

static bool read_wish(const cliMover *mover, const char *text, pullWish *wish)
{
  double number[WISH];
  artBodyPart part;
  if (!text || !mover_read(text, WISH, number)) return false;
  if (!(number[0] >= 0 && number[0] < 1e6 && number[0] == floor(number[0]))) return false;
  wish->body = (int) number[0] + 1;
  if (!art_get_body(mover->model, wish->body, &part)) return false;
  wish->point = (v3){number[1], number[2], number[3]};
  wish->origin = (v3){number[4], number[5], number[6]};
  const v3 ray = {number[7], number[8], number[9]};
  const double length = sqrt(v3_dot(ray, ray));
  if (!(length > 0 && isfinite(length))) return false;
  // square to the ray: to the axis that it is farthest from, then to both
  const v3 axis = fabs(ray.x) < 0.6 * length ? (v3){1, 0, 0} : (v3){0, 1, 0};
  const v3 first = v3_cross(ray, axis);
  wish->across[0] = v3_scale(1 / sqrt(v3_dot(first, first)), first);
  wish->across[1] = v3_scale(1 / length, v3_cross(ray, wish->across[0]));
  return true;
}


// from where the point is to the ray, and how far
static double find_gap(const cliMover *mover, const pullWish *wish, double gap[2])
{
  artPose pose;
  art_body_pose(mover->model, mover->data, wish->body, &pose);
  const modelPose body = pose_from_art(&pose);
  const v3 to = v3_sub(wish->origin, v3_add(body.r, m3_back(body.R, wish->point)));
  for (int k = 0; k < 2; k++) gap[k] = v3_dot(wish->across[k], to);
  return hypot(gap[0], gap[1]);
}


//---- the coordinates that follow -----------------------------------------------------------------

// the joint that carries a body in the tree, -1 for a rod
static int carrying_joint_of(const artModel *m, int body)
{
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!joint->is_cut && (joint->is_reversed ? joint->from : joint->to) == body) return j;
  }
  return -1;
}


static int count_free_velocities(const cliMover *mover)
{
  const artModel *m = mover->model;
  return m->nrow > 0 ? mover->data->work->loop->partition.nf : art_count(m).nv;
}


// the i-th velocity that can be chosen, -1 where a drive has chosen it
static int free_velocity(const cliMover *mover, int i)
{
  const artModel *m = mover->model;
  if (m->nrow > 0) return mover->data->work->loop->partition.free[i];
  for (int k = 0; k < m->ndrive; k++) {
    if (m->drive[k].velocity == i) return -1;
  }
  return i;
}


// Velocity j alone: rates at which the point moves across the ray, and twice the kinetic energy, which tells how much of
// the machine moves with it.
static artStatus find_pull_rates(cliMover *mover, const pullWish *wish, int j, double rate[2],
                                 double *mass, artError *error)
{
  const artModel *m = mover->model;
  artData *d = mover->data;
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  d->v[j] = 1;
  art_update(m, d);
  const artStatus status = m->nrow > 0 ? loop_close(m, d, error) : ART_OK;
  if (status) return status;
  double linear[3], angular[3];
  artPose pose;
  art_body_velocity(m, d, wish->body, linear, angular);
  art_body_pose(m, d, wish->body, &pose);
  const v3 arm = m3_back(pose_from_art(&pose).R, wish->point);
  const v3 turn = v3_cross((v3){angular[0], angular[1], angular[2]}, arm);
  const v3 way = v3_add((v3){linear[0], linear[1], linear[2]}, turn);
  for (int k = 0; k < 2; k++) rate[k] = v3_dot(wish->across[k], way);
  *mass = 2 * art_energy(m, d).kinetic;
  return ART_OK;
}


// attitudes follow where a joint has nothing else: free bodies are shifted, not turned
static bool may_move(const artModel *m, int j)
{
  ART_ASSERT(j >= 0 && j < m->tree.nv);
  const modelJoint *joint = &m->joint[m->velocity[j].joint];
  bool has_numbers = false;
  for (int k = joint->v0; k < joint->v0 + joint->nv; k++) {
    has_numbers = has_numbers || m->velocity[k].partner >= 0;
  }
  return !has_numbers || m->velocity[j].partner >= 0;
}


// The rates c_j of the coordinates of the body's own joint, or of all, and their weights: one over the mass that moves
// when the point goes a metre, so that light parts go first. Sets how many move the point.
static artStatus find_pull_columns(cliMover *mover, const pullWish *wish, bool is_any, int *count,
                                   artError *error)
{
  const int joint = carrying_joint_of(mover->model, wish->body);
  artStatus status = ART_OK;
  *count = 0;
  for (int i = 0; i < count_free_velocities(mover) && !status; i++) {
    const int j = free_velocity(mover, i);
    double *rate = mover->rate + 2 * i, mass;
    mover->way[i] = 0;
    if (j < 0 || !may_move(mover->model, j)) continue;
    if (!is_any && mover->model->velocity[j].joint != joint) continue;
    status = find_pull_rates(mover, wish, j, rate, &mass, error);
    const double square = rate[0] * rate[0] + rate[1] * rate[1];
    if (status || !(square > LEAST_RATE * LEAST_RATE)) continue;
    mover->way[i] = square / (mass + LEAST_MASS * square);
    (*count)++;
  }
  return status;
}


//---- the pull ------------------------------------------------------------------------------------

// The least motion that closes the gap g, with weights W and rates c_j in the columns of C:
//   x = W C^T y,  (C W C^T + mu) y = g,
// none longer than LONGEST.
static void find_least_way(cliMover *mover, const double gap[2])
{
  const int n = count_free_velocities(mover);
  const double *c = mover->rate;
  double a = 0, b = 0, d = 0, most = 0;
  for (int i = 0; i < n; i++) {
    if (mover->way[i] == 0) continue;
    a += mover->way[i] * c[2 * i] * c[2 * i];
    b += mover->way[i] * c[2 * i] * c[2 * i + 1];
    d += mover->way[i] * c[2 * i + 1] * c[2 * i + 1];
  }
  const double mu = DAMPING * (a + d);
  a += mu;
  d += mu;
  const double y[2] = {(d * gap[0] - b * gap[1]) / (a * d - b * b),
                       (a * gap[1] - b * gap[0]) / (a * d - b * b)};
  for (int i = 0; i < n; i++) {
    if (mover->way[i] == 0) continue;
    mover->way[i] *= c[2 * i] * y[0] + c[2 * i + 1] * y[1];
    most = fmax(most, fabs(mover->way[i]));
  }
  for (int i = 0; i < n && most > LONGEST; i++) mover->way[i] *= LONGEST / most;
}


// so much of the way; the machine returns where its loops do not close
static bool go_along_way(cliMover *mover, double share)
{
  const artModel *m = mover->model;
  artData *d = mover->data;
  int velocity;
  double limit;
  const double before = find_excess(mover, &velocity, &limit);
  memcpy(mover->kept, d->q, (size_t) art_count(m).nq * sizeof *d->q);
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  for (int i = 0; i < count_free_velocities(mover); i++) {
    const int j = free_velocity(mover, i);
    if (j >= 0) d->v[j] = share * mover->way[i];
  }
  art_move(m, d->q, d->v);
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  if (mover_close_within(mover, before, NULL) == ART_OK) return true;
  mover_return(mover);
  return false;
}


// one step nearer; false where there is none
static artStatus come_nearer(cliMover *mover, const pullWish *wish, bool *is_nearer,
                             artError *error)
{
  double gap[2], next[2];
  const double before = find_gap(mover, wish, gap);
  int count;
  *is_nearer = false;
  if (before < NEAR) return ART_OK;
  artStatus status = find_pull_columns(mover, wish, false, &count, error);
  if (!status && count == 0) status = find_pull_columns(mover, wish, true, &count, error);
  if (status || count == 0) return status;
  find_least_way(mover, gap);
  double share = 1;
  for (int k = 0; k < HALVINGS && !*is_nearer; k++, share /= 2) {
    if (!go_along_way(mover, share)) continue;
    const double after = find_gap(mover, wish, next);
    *is_nearer = before - after > ENOUGH * hypot(gap[0] - next[0], gap[1] - next[1]);
    if (!*is_nearer) mover_return(mover);
  }
  return ART_OK;
}


artStatus mover_pull(cliMover *mover, const char *text, double *values, int nbody, float *poses,
                     artError *error)
{
  pullWish wish;
  if (!read_wish(mover, text, &wish))
    return cli_wrong(error, "expected ray= and %d numbers by commas: a body, a point of it, a ray",
                     WISH);
  bool is_nearer = true;
  artStatus status = ART_OK;
  for (int k = 0; k < MOST_STEPS && is_nearer && !status; k++) {
    status = come_nearer(mover, &wish, &is_nearer, error);
  }
  for (int i = 0; i < mover->n; i++) values[i] = mover->data->q[mover->position[i]];
  mover_write_poses(mover, nbody, poses);
  return status;
}
