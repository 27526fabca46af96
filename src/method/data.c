// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The data block: its life, its update, and the questions about frames.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"
#include "method/reduce.h"
#include "model/pose.h"

//---- life ----------------------------------------------------------------------------------------


// of the formulas that are evaluated one at a time: outputs, and the motions of inverse studies
static int most_branches(const artModel *m)
{
  int most = 1;
  for (int i = 0; i < m->noutput; i++) {
    if (m->output[i].formula->nswitch > most) most = m->output[i].formula->nswitch;
  }
  for (int i = 0; i < m->nstudy * m->tree.nq; i++) {
    const formula *f = m->study[i / m->tree.nq].motion[i % m->tree.nq];
    if (f && f->nswitch > most) most = f->nswitch;
  }
  return most;
}


static int take_work(artWork *w, const artModel *m)
{
  baseArena *a = &w->arena;
  const size_t nv = (size_t) m->tree.nv, nquantity = (size_t) m->nquantity;
  const size_t stack = (size_t) m->stack + 1;
  const size_t branches = (size_t) most_branches(m);
  return tree_start(&m->tree, &w->tree, a) &&
         (w->applied = arena_alloc(a, (size_t) m->tree.n, sizeof *w->applied)) &&
         (w->multiplier = arena_alloc(a, (size_t) m->nrow, sizeof *w->multiplier)) &&
         (w->coupling_force = arena_alloc(a, nv, sizeof *w->coupling_force)) &&
         (w->cut_force = arena_alloc(a, (size_t) m->ncut, sizeof *w->cut_force)) &&
         (w->from_force = arena_alloc(a, (size_t) m->ncut, sizeof *w->from_force)) &&
         (w->rod_force = arena_alloc(a, (size_t) m->nrod, sizeof *w->rod_force)) &&
         (w->slots = arena_alloc(a, nquantity, sizeof *w->slots)) &&
         (w->jets = arena_alloc(a, nquantity, sizeof *w->jets)) &&
         (w->stack = arena_alloc(a, stack, sizeof *w->stack)) &&
         (w->jet_stack = arena_alloc(a, stack, sizeof *w->jet_stack)) &&
         (w->value = arena_alloc(a, (size_t) m->nvalue, sizeof *w->value)) &&
         (w->lift = arena_alloc(a, (size_t) m->nvalue, sizeof *w->lift)) &&
         (w->lift_rate = arena_alloc(a, (size_t) m->nvalue, sizeof *w->lift_rate)) &&
         (w->state_base = arena_alloc(a, (size_t) m->nstate, sizeof *w->state_base)) &&
         (w->mode = arena_alloc(a, (size_t) m->nmode, sizeof *w->mode)) &&
         (w->output_branch = arena_alloc(a, 2 * branches, sizeof *w->output_branch)) &&
         (w->a_drive = arena_alloc(a, nv, sizeof *w->a_drive)) &&
         (w->rate_before = arena_alloc(a, (size_t) m->ndrive, sizeof *w->rate_before)) &&
         (w->mode_before = arena_alloc(a, (size_t) m->nmode, sizeof *w->mode_before)) &&
         (w->rate_jump = arena_alloc(a, (size_t) m->ndrive, sizeof *w->rate_jump)) &&
         (w->scratch = arena_alloc(a, nv, sizeof *w->scratch)) &&
         (w->energies = arena_alloc(a, 2, sizeof *w->energies));
}


artWork *method_create_work(const artModel *model, const artModel *variant)
{
  artWork *w = mem_alloc(1, sizeof *w);
  if (!w) return NULL;
  w->model = model;
  w->now = variant;
  if (take_work(w, variant) && (variant->nrow == 0 || loop_start(&w->loop, variant))) return w;
  method_free_work(w);
  return NULL;
}


void method_free_work(artWork *w)
{
  if (!w) return;
  if (w->loop) reduce_free(w->loop->reduce);
  if (w->given) reduce_free(w->given->reduce);
  method_free_natural(w->natural);
  method_free_generated(w->generated);
  loop_free(w->loop);
  loop_free(w->given);
  arena_free(&w->arena);
  mem_free(w);
}


artData *art_create_data(const artModel *m)
{
  ART_REQUIRE_OR(m, NULL);
  artData *d = mem_alloc(1, sizeof *d);
  if (!d) return NULL;
  d->work = method_create_work(m, m);
  if (!d->work) {
    art_free_data(d);
    return NULL;
  }
  baseArena *a = &d->work->arena;
  d->q = arena_alloc(a, (size_t) m->tree.nq, sizeof *d->q);
  d->v = arena_alloc(a, (size_t) m->tree.nv, sizeof *d->v);
  d->a = arena_alloc(a, (size_t) m->tree.nv, sizeof *d->a);
  d->force = arena_alloc(a, (size_t) m->tree.nv, sizeof *d->force);
  d->s = arena_alloc(a, (size_t) m->nstate, sizeof *d->s);
  d->s_rate = arena_alloc(a, (size_t) m->nstate, sizeof *d->s_rate);
  if (!d->q || !d->v || !d->a || !d->force || !d->s || !d->s_rate) {
    art_free_data(d);
    return NULL;
  }
  art_reset(m, d);
  return d;
}


void art_free_data(artData *d)
{
  if (!d) return;

  // a thread that has stalled may still come back to it
  if (d->work && !method_free_crew(d)) return;
  method_free_work(d->work);
  mem_free(d);
}


// what loops remember of earlier motion; a run that goes on keeps it
static void forget_loops(artWork *w)
{
  if (w->is_frozen) return;
  if (w->loop) loop_forget(w->loop);
  if (w->given) loop_forget(w->given);
}


void art_reset(const artModel *m, artData *d)
{
  WORK_REQUIRE_OR(m, d, );
  forget_loops(d->work);
  d->time = 0;
  if (m->tree.nq > 0) memcpy(d->q, m->q_initial, (size_t) m->tree.nq * sizeof *d->q);
  if (m->tree.nv > 0) memcpy(d->v, m->v_initial, (size_t) m->tree.nv * sizeof *d->v);
  if (m->nstate > 0) memset(d->s, 0, (size_t) m->nstate * sizeof *d->s);
  d->work->state_weight = 0;
  d->work->is_frozen = 0;
  d->work->work = 0;
  d->work->initial_energy = 0;
  d->work->step_size = 0;
  d->work->step_index = 0;
  memset(d->work->violation, 0, sizeof d->work->violation);
  art_update(m, d);
}


//---- update --------------------------------------------------------------------------------------


void method_update(const artModel *m, artData *d)
{
  artWork *w = d->work;
  profile_begin(w->profile);
  force_drive(m, d);
  force_place(m, d);
  w->has_energies = 0;
  profile_end(w->profile, PROFILE_POSITIONS);
  if (!w->is_frozen) force_set_modes(m, d);
  w->has_motion = 0;
}


void art_update(const artModel *m, artData *d)
{
  WORK_REQUIRE_OR(m, d, );
  method_update(m, d);
}


//---- coordinates ---------------------------------------------------------------------------------


static int has_quaternion(const treeLink *link)
{
  return link->kind == LINK_SPHERICAL || link->kind == LINK_FREE;
}


// first coordinate of a link's quaternion and of its angular velocity
static int quaternion_of(const treeLink *link)
{
  return link->q0 + (link->kind == LINK_FREE ? 3 : 0);
}


static int spin_of(const treeLink *link)
{
  return link->v0 + (link->kind == LINK_FREE ? 3 : 0);
}


void method_position_rates(const artModel *m, const artData *d, double *qdot)
{
  if (m->tree.nq == 0) return;
  if (m->tree.nq == m->tree.nv) {
    memcpy(qdot, d->v, (size_t) m->tree.nv * sizeof *qdot);
    return;
  }
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int straight = link->nv - (has_quaternion(link) ? 3 : 0);
    for (int k = 0; k < straight; k++) qdot[link->q0 + k] = d->v[link->v0 + k];
    if (!has_quaternion(link)) continue;

    // de/dt = 1/2 e * (0, omega), omega in the axes of the link
    const double *e = d->q + quaternion_of(link), *o = d->v + spin_of(link);
    double *r = qdot + quaternion_of(link);
    r[0] = 0.5 * (-e[1] * o[0] - e[2] * o[1] - e[3] * o[2]);
    r[1] = 0.5 * (e[0] * o[0] + e[2] * o[2] - e[3] * o[1]);
    r[2] = 0.5 * (e[0] * o[1] + e[3] * o[0] - e[1] * o[2]);
    r[3] = 0.5 * (e[0] * o[2] + e[1] * o[1] - e[2] * o[0]);
  }
}


void art_position_rates(const artModel *m, const artData *d, double *qdot)
{
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(qdot || m->tree.nq == 0, );
  method_position_rates(m, d, qdot);
}


void art_move(const artModel *m, double *q, const double *displacement)
{
  ART_REQUIRE_OR(m && ((q && displacement) || m->tree.nq == 0), );
  for (int i = 1; i < m->tree.n; i++) pose_move_link(&m->tree.link[i], q, displacement);
}


int art_normalise(const artModel *m, double *q)
{
  ART_REQUIRE_OR(m && (q || m->tree.nq == 0), 0);
  int changed = 0;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (!has_quaternion(link)) continue;
    double *e = q + quaternion_of(link);
    const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (fabs(square - 1) < 1e-14 || !(square > 0)) continue;
    const double scale = 1 / sqrt(square);
    for (int k = 0; k < 4; k++) e[k] *= scale;
    changed = 1;
  }
  return changed;
}


//---- frames --------------------------------------------------------------------------------------


static void put3(double out[3], v3 a)
{
  if (!out) return;
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}


static int has_frame(const artModel *m, const artData *d, int frame)
{
  return work_is_of(m, d) && frame >= 0 && frame < m->nframe;
}


// without such a frame the outputs, which may be NULL, are not numbers
static void refuse_frame(const char *function, int n, double *one, double *two)
{
  (void) base_misuse(NULL, function, "a model, a data block of it and one of its frames");
  for (int k = 0; k < n && one; k++) one[k] = NAN;
  for (int k = 0; k < n && two; k++) two[k] = NAN;
}


void art_frame_position(const artModel *m, const artData *d, int frame, double position[3])
{
  ART_REQUIRE_OR(position, );
  if (!has_frame(m, d, frame)) {
    refuse_frame(__func__, 3, position, NULL);
    return;
  }
  const modelFrame *f = &m->frame[frame];
  force_need_world(m, d);
  put3(position, tree_point(&d->work->tree, f->link, f->r));
}


void art_frame_rotation(const artModel *m, const artData *d, int frame, double quaternion[4])
{
  ART_REQUIRE_OR(quaternion, );
  if (!has_frame(m, d, frame)) {
    refuse_frame(__func__, 4, quaternion, NULL);
    return;
  }
  const modelFrame *f = &m->frame[frame];
  force_need_world(m, d);
  pose_quaternion(m3_mul_m3(f->R, tree_in_ground(&d->work->tree, f->link)->R), quaternion);
}


void art_frame_velocity(const artModel *m, const artData *d, int frame, double linear[3],
                        double angular[3])
{
  if (!has_frame(m, d, frame)) {
    refuse_frame(__func__, 3, linear, angular);
    return;
  }
  const modelFrame *f = &m->frame[frame];
  const treeData *t = &d->work->tree;
  force_need_velocity(m, d);
  put3(linear, tree_point_velocity(t, f->link, f->r));
  put3(angular, m3_back(tree_in_ground(t, f->link)->R, tree_motion(t, f->link)->ang));
}


void art_frame_acceleration(const artModel *m, const artData *d, int frame, double linear[3],
                            double angular[3])
{
  if (!has_frame(m, d, frame)) {
    refuse_frame(__func__, 3, linear, angular);
    return;
  }
  m = d->work->now;
  const modelFrame *f = &m->frame[frame];
  artData open = *d;
  if (m->nrow > 0) method_need_forces(m, &open);
  const treeData *t = force_motion(m, d);
  put3(linear, tree_point_acceleration(&m->tree, t, f->link, f->r));
  put3(angular, m3_back(tree_in_ground(t, f->link)->R, tree_body(t, f->link)->acc.ang));
}


void art_frame_jacobian(const artModel *m, artData *d, int frame, double *J)
{
  if (!has_frame(m, d, frame)) {
    refuse_frame(__func__, 0, NULL, NULL);
    return;
  }
  ART_REQUIRE_OR(J || m->tree.nv == 0, );
  const modelFrame *f = &m->frame[frame];
  force_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  tree_jacobian(&m->tree, &d->work->tree, f->link, f->r, J);
}
