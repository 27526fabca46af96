// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints moved by hand.
#include "joint_jog.h"

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


bool joint_jog_find_limits(const artModel *m, int velocity, double limit[2])
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
static double find_excess(const cliJointJog *jog, int *velocity, double *crossed)
{
  const artModel *m = jog->model;
  double most = 0, limit[2];
  for (int j = 0; j < art_count(m).nv; j++) {
    const int partner = m->velocity[j].partner;
    if (partner < 0 || !joint_jog_find_limits(m, j, limit)) continue;
    for (int side = 0; side < 2; side++) {
      const double x = jog->data->q[partner];
      const double excess = side == 0 ? limit[0] - x : x - limit[1];
      if (!(excess > most)) continue;
      most = excess;
      *velocity = j;
      *crossed = limit[side];
    }
  }
  return most;
}


artStatus joint_jog_create(cliJointJog **out, const cliCall *call, artError *error)
{
  cliJointJog *jog = mem_alloc(1, sizeof *jog);
  *out = NULL;
  if (!jog) return base_no_memory(error);
  if (cli_load(call, &jog->model, &jog->data) != CLI_DONE) {
    joint_jog_free(jog);
    return ART_OK;
  }
  const artModel *m = jog->model;
  const size_t nq = (size_t) art_count(m).nq + 1;
  jog->position = MEM_ARRAY(int, art_count(m).nv + 1);
  jog->from = mem_alloc(4 * nq + 3 * (size_t) art_count(m).nv, sizeof *jog->from);
  artStatus status = jog->position && jog->from ? ART_OK : base_no_memory(error);
  if (!status) status = art_assemble(m, jog->data, NULL, error);
  if (status) {
    joint_jog_free(jog);
    return status;
  }
  jog->to = jog->from + nq;
  jog->kept = jog->to + nq;
  jog->start = jog->kept + nq;
  jog->rate = jog->start + nq;
  memcpy(jog->start, jog->data->q, (nq - 1) * sizeof *jog->start);
  jog->way = jog->rate + 2 * art_count(m).nv;
  // velocities that are free and the rate of a coordinate; orientations are not set by numbers
  const loopPartition *p = m->nrow > 0 ? &jog->data->work->loop->partition : NULL;
  const int count = p ? p->nf : art_count(m).nv;
  for (int i = 0; i < count; i++) {
    const int partner = m->velocity[p ? p->free[i] : i].partner;
    bool is_driven = partner < 0;
    for (int k = 0; k < m->ndrive && !is_driven; k++) is_driven = m->drive[k].position == partner;
    if (!is_driven) jog->position[jog->n++] = partner;
  }
  *out = jog;
  return ART_OK;
}


void joint_jog_free(cliJointJog *jog)
{
  if (!jog) return;
  art_free_data(jog->data);
  art_free_model(jog->model);
  mem_free(jog->position);
  mem_free(jog->from);
  mem_free(jog);
}


// the velocity whose coordinate this is
static int velocity_of(const artModel *m, int position)
{
  for (int j = 0; j < art_count(m).nv; j++) {
    if (m->velocity[j].partner == position) return j;
  }
  return -1;
}


char *joint_jog_list(const cliJointJog *jog)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  ioJson json = {.file = stream};
  json_array(&json, NULL);
  for (int i = 0; i < jog->n; i++) {
    const int k = jog->position[i];
    double limit[2];
    json_object(&json, NULL);
    json_fields(&json, "name: %s, unit: %s, value: %g", jog->model->position[k].name,
                art_position_unit(jog->model, k), jog->data->q[k]);
    joint_jog_find_limits(jog->model, velocity_of(jog->model, k), limit);
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
static bool joint_jog_read(const char *text, int n, double *values)
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


static artStatus joint_jog_close(cliJointJog *jog, artError *error)
{
  art_update(jog->model, jog->data);
  return jog->model->nrow > 0 ? loop_place(jog->model, jog->data, error) : ART_OK;
}


// Close loops; coordinates that are beyond a limit by more than `before` are refused.
static artStatus joint_jog_close_within(cliJointJog *jog, double before, artError *error)
{
  const artModel *m = jog->model;
  int velocity;
  double limit;
  const artStatus status = joint_jog_close(jog, error);
  if (status || !(find_excess(jog, &velocity, &limit) > before + PAST_LIMIT)) return status;
  const int k = m->velocity[velocity].partner;
  return cli_wrong(error, "%s has its limit at %.6g %s", m->position[k].name, limit,
                   art_position_unit(m, k));
}


static void joint_jog_return(cliJointJog *jog)
{
  const size_t size = (size_t) art_count(jog->model).nq * sizeof *jog->kept;
  memcpy(jog->data->q, jog->kept, size);
  (void) joint_jog_close(jog, NULL);
}


static artStatus close_at(cliJointJog *jog, double share, double before, artError *error)
{
  artData *d = jog->data;
  for (int i = 0; i < jog->n; i++) {
    d->q[jog->position[i]] = jog->from[i] + share * (jog->to[i] - jog->from[i]);
  }
  return joint_jog_close_within(jog, before, error);
}


static void joint_jog_write_poses(const cliJointJog *jog, int n, float *poses)
{
  for (int i = 0; i < n; i++) {
    artPose pose;
    art_body_pose(jog->model, jog->data, i + 1, &pose);
    for (int k = 0; k < 3; k++) poses[SCENE_POSE * i + k] = (float) pose.position[k];
    for (int k = 0; k < 4; k++) poses[SCENE_POSE * i + 3 + k] = (float) pose.rotation[k];
  }
}


artStatus joint_jog_move(cliJointJog *jog, const char *values, int n, float *poses, artError *error)
{
  artData *d = jog->data;
  const size_t size = (size_t) art_count(jog->model).nq * sizeof *d->q;
  if (values && strcmp(values, "start") == 0) {
    memcpy(jog->kept, jog->start, size);
    joint_jog_return(jog);
    joint_jog_write_poses(jog, n, poses);
    return ART_OK;
  }
  if (!values || !joint_jog_read(values, jog->n, jog->to))
    return cli_wrong(error, "expected q=start, or q= and %d numbers by commas", jog->n);
  double longest = 0;
  for (int i = 0; i < jog->n; i++) {
    jog->from[i] = d->q[jog->position[i]];
    longest = fmax(longest, fabs(jog->to[i] - jog->from[i]));
  }
  if (longest > 1000 * LONGEST) return cli_wrong(error, "this is too far from here");
  memcpy(jog->kept, d->q, size);
  const int steps = 1 + (int) (longest / LONGEST);
  int velocity;
  double limit;
  const double before = find_excess(jog, &velocity, &limit);
  artStatus status = ART_OK;
  for (int i = 1; i <= steps && !status; i++) {
    status = close_at(jog, (double) i / steps, before, error);
  }
  if (status) {
    joint_jog_return(jog);
    return status;
  }
  joint_jog_write_poses(jog, n, poses);
  return ART_OK;
}


//---- a body pulled by hand: a point of it follows the ray of sight through the pointer -----------

static const double DAMPING = 1e-6;  // of directions in which the point hardly moves
static const double ENOUGH = 0.03;   // of its way by which the point comes nearer
static const double NEAR = 1e-8;     // m that nobody sees
static const double MIN_RATE = 1e-6; // m for a unit of a coordinate that moves the point
static const double MIN_MASS = 1e-3; // kg that moves with it
enum { MAX_STEPS = 60, HALVINGS = 6, WISH = 10 };

typedef struct pullWish {
  int body;             // as the model numbers them
  v3 point;             // in it
  v3 origin, across[2]; // of the ray, and unit vectors square to it, in ground
} pullWish;


//---- the wish ------------------------------------------------------------------------------------

static bool read_wish(const cliJointJog *jog, const char *text, pullWish *wish)
{
  double number[WISH];
  artBodyPart part;
  if (!text || !joint_jog_read(text, WISH, number)) return false;
  if (!(number[0] >= 0 && number[0] < 1e6 && number[0] == floor(number[0]))) return false;
  wish->body = (int) number[0] + 1;
  if (!art_get_body(jog->model, wish->body, &part)) return false;
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
static double find_gap(const cliJointJog *jog, const pullWish *wish, double gap[2])
{
  artPose pose;
  art_body_pose(jog->model, jog->data, wish->body, &pose);
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


static int count_free_velocities(const cliJointJog *jog)
{
  const artModel *m = jog->model;
  return m->nrow > 0 ? jog->data->work->loop->partition.nf : art_count(m).nv;
}


// the i-th velocity that can be chosen, -1 where a drive has chosen it
static int free_velocity(const cliJointJog *jog, int i)
{
  const artModel *m = jog->model;
  if (m->nrow > 0) return jog->data->work->loop->partition.free[i];
  for (int k = 0; k < m->ndrive; k++) {
    if (m->drive[k].velocity == i) return -1;
  }
  return i;
}


// Velocity j alone: rates at which the point moves across the ray, and twice the kinetic energy, which says how much of
// the machine moves with it.
static artStatus find_pull_rates(cliJointJog *jog, const pullWish *wish, int j, double rate[2],
                                 double *mass, artError *error)
{
  const artModel *m = jog->model;
  artData *d = jog->data;
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
static artStatus find_pull_columns(cliJointJog *jog, const pullWish *wish, bool is_any, int *count,
                                   artError *error)
{
  const int joint = carrying_joint_of(jog->model, wish->body);
  artStatus status = ART_OK;
  *count = 0;
  for (int i = 0; i < count_free_velocities(jog) && !status; i++) {
    const int j = free_velocity(jog, i);
    double *rate = jog->rate + 2 * i, mass;
    jog->way[i] = 0;
    if (j < 0 || !may_move(jog->model, j)) continue;
    if (!is_any && jog->model->velocity[j].joint != joint) continue;
    status = find_pull_rates(jog, wish, j, rate, &mass, error);
    const double square = rate[0] * rate[0] + rate[1] * rate[1];
    if (status || !(square > MIN_RATE * MIN_RATE)) continue;
    jog->way[i] = square / (mass + MIN_MASS * square);
    (*count)++;
  }
  return status;
}


//---- the pull ------------------------------------------------------------------------------------

// The least motion that closes the gap g, with weights W and rates c_j in the columns of C:
//   x = W C^T y,  (C W C^T + mu) y = g,
// none longer than LONGEST.
static void find_least_way(cliJointJog *jog, const double gap[2])
{
  const int n = count_free_velocities(jog);
  const double *c = jog->rate;
  double a = 0, b = 0, d = 0, most = 0;
  for (int i = 0; i < n; i++) {
    if (jog->way[i] == 0) continue;
    a += jog->way[i] * c[2 * i] * c[2 * i];
    b += jog->way[i] * c[2 * i] * c[2 * i + 1];
    d += jog->way[i] * c[2 * i + 1] * c[2 * i + 1];
  }
  const double mu = DAMPING * (a + d);
  a += mu;
  d += mu;
  const double y[2] = {(d * gap[0] - b * gap[1]) / (a * d - b * b),
                       (a * gap[1] - b * gap[0]) / (a * d - b * b)};
  for (int i = 0; i < n; i++) {
    if (jog->way[i] == 0) continue;
    jog->way[i] *= c[2 * i] * y[0] + c[2 * i + 1] * y[1];
    most = fmax(most, fabs(jog->way[i]));
  }
  for (int i = 0; i < n && most > LONGEST; i++) jog->way[i] *= LONGEST / most;
}


// so much of the way; the machine returns where its loops do not close
static bool go_along_way(cliJointJog *jog, double share)
{
  const artModel *m = jog->model;
  artData *d = jog->data;
  int velocity;
  double limit;
  const double before = find_excess(jog, &velocity, &limit);
  memcpy(jog->kept, d->q, (size_t) art_count(m).nq * sizeof *d->q);
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  for (int i = 0; i < count_free_velocities(jog); i++) {
    const int j = free_velocity(jog, i);
    if (j >= 0) d->v[j] = share * jog->way[i];
  }
  art_move(m, d->q, d->v);
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  if (joint_jog_close_within(jog, before, NULL) == ART_OK) return true;
  joint_jog_return(jog);
  return false;
}


// one step nearer; false where there is none
static artStatus come_nearer(cliJointJog *jog, const pullWish *wish, bool *is_nearer,
                             artError *error)
{
  double gap[2], next[2];
  const double before = find_gap(jog, wish, gap);
  int count;
  *is_nearer = false;
  if (before < NEAR) return ART_OK;
  artStatus status = find_pull_columns(jog, wish, false, &count, error);
  if (!status && count == 0) status = find_pull_columns(jog, wish, true, &count, error);
  if (status || count == 0) return status;
  find_least_way(jog, gap);
  double share = 1;
  for (int k = 0; k < HALVINGS && !*is_nearer; k++, share /= 2) {
    if (!go_along_way(jog, share)) continue;
    const double after = find_gap(jog, wish, next);
    *is_nearer = before - after > ENOUGH * hypot(gap[0] - next[0], gap[1] - next[1]);
    if (!*is_nearer) joint_jog_return(jog);
  }
  return ART_OK;
}


artStatus joint_jog_pull(cliJointJog *jog, const char *text, double *values, int nbody,
                         float *poses, artError *error)
{
  pullWish wish;
  if (!read_wish(jog, text, &wish))
    return cli_wrong(error, "expected ray= and %d numbers by commas: a body, a point of it, a ray",
                     WISH);
  bool is_nearer = true;
  artStatus status = ART_OK;
  for (int k = 0; k < MAX_STEPS && is_nearer && !status; k++) {
    status = come_nearer(jog, &wish, &is_nearer, error);
  }
  for (int i = 0; i < jog->n; i++) values[i] = jog->data->q[jog->position[i]];
  joint_jog_write_poses(jog, nbody, poses);
  return status;
}
