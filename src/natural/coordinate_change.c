// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Between the relative coordinates of the tree and natural ones.
#include <math.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "force/force.h"
#include "model/link_pose.h"
#include "natural/natural.h"

//---- relative to natural -------------------------------------------------------------------------

// components along the axes that coordinates are measured on
static void put_item(const naturalMachine *k, const naturalItem *item, v3 x, double *q)
{
  const int count = k->is_planar ? 2 : 3;
  for (int i = 0; i < count; i++) q[item->coordinate + i] = v3_dot(k->plane[i], x);
}


static void place_items(const naturalMachine *k, double *q, double *v)
{
  const treeData *t = &k->d->work->tree;
  for (int i = 0; i < k->nitem; i++) {
    const naturalItem *item = &k->item[i];
    const m3 R = tree_in_ground(t, item->link)->R;
    if (item->is_vector) {
      put_item(k, item, m3_back(R, item->local), q);
      put_item(k, item, m3_back(R, v3_cross(tree_motion(t, item->link)->ang, item->local)), v);
    } else {
      put_item(k, item, tree_point(t, item->link, item->local), q);
      put_item(k, item, tree_point_velocity(t, item->link, item->local), v);
    }
  }
}


// turn and slide of a screw that closes a loop, with as many full turns as fit the slide best
static void place_screw(const naturalMachine *k, const naturalScrew *screw, double *q, double *v)
{
  const treeData *t = &k->d->work->tree;
  const modelCut *cut = &k->m->cut[screw->cut];
  const cutSide *a = &cut->side[0], *b = &cut->side[1];
  const m3 from = m3_mul_m3(a->R, tree_in_ground(t, a->link)->R),
           to = m3_mul_m3(b->R, tree_in_ground(t, b->link)->R);
  const v3 span = v3_sub(tree_point(t, b->link, b->r), tree_point(t, a->link, a->r));
  const double angle = atan2(v3_dot(from.y, to.x), v3_dot(from.x, to.x));
  const double full = 2 * acos(-1.0), slide = v3_dot(from.z, span);
  const double turns = cut->pitch != 0 ? round((slide / cut->pitch - angle) / full) : 0;
  const v3 turning = v3_sub(m3_back(tree_in_ground(t, b->link)->R, tree_motion(t, b->link)->ang),
                            m3_back(tree_in_ground(t, a->link)->R, tree_motion(t, a->link)->ang));
  q[screw->coordinate] = angle + full * turns;
  v[screw->coordinate] = v3_dot(from.z, turning);
}


void natural_place(naturalMachine *k, double *q, double *v)
{
  const artModel *m = k->m;
  data_need_velocity(m, k->d);
  place_items(k, q, v);
  for (int i = 0; i < m->tree.nv; i++) {
    if (k->coordinate[i] < 0) continue;
    q[k->coordinate[i]] = k->d->q[m->velocity[i].partner];
    v[k->coordinate[i]] = k->d->v[i];
  }
  for (int i = 0; i < k->nscrew; i++) place_screw(k, &k->screw[i], q, v);
  base_copy(k->near, k->d->q, (size_t) m->tree.nq);
  for (int i = 0; i < m->tree.nv; i++) {
    if (m->velocity[i].partner >= 0) k->start[i] = k->d->q[m->velocity[i].partner];
  }
}


//---- links from natural coordinates --------------------------------------------------------------

// sum of e_k x f_k over the axes of a link
static v3 axes_cross_sum(m3 e, m3 f)
{
  return v3_add(v3_add(v3_cross(e.x, f.x), v3_cross(e.y, f.y)), v3_cross(e.z, f.z));
}


// the frame of every link that has forms of its own
static void place_natural_links(naturalMachine *k, const double *q)
{
  for (int i = 0; i < k->m->tree.n; i++) {
    const naturalLink *link = &k->link[i];
    if (link->origin < 0) continue;
    const m3 R = {natural_form_at(k->s, link->x, q), natural_form_at(k->s, link->y, q),
                  natural_form_at(k->s, link->z, q)};
    k->pose[i] = (treeWorld){R, natural_form_at(k->s, link->origin, q)};
  }
}


// velocity (or acceleration) of every such link:  omega = 1/2 sum e_k x e_k',  alpha the same with e_k''
static void find_link_rates(naturalMachine *k, const double *v)
{
  for (int i = 0; i < k->m->tree.n; i++) {
    const naturalLink *link = &k->link[i];
    if (link->origin < 0) continue;
    const m3 rate = {natural_form_rate(k->s, link->x, v), natural_form_rate(k->s, link->y, v),
                     natural_form_rate(k->s, link->z, v)};
    k->rate[i].ang = v3_scale(0.5, axes_cross_sum(k->pose[i].R, rate));
    k->rate[i].lin = natural_form_rate(k->s, link->origin, v);
  }
}


//---- coordinates of the joints -------------------------------------------------------------------

// the frame of the joint that leads to a link, on the side of its parent
static treeWorld joint_frame(const naturalMachine *k, int i)
{
  ART_ASSERT(i > 0 && i < k->m->tree.n);
  const treeLink *link = &k->m->tree.link[i];
  const treeWorld *parent = &k->pose[link->parent];
  return (treeWorld){m3_mul_m3(link->R, parent->R), v3_add(parent->o, m3_back(parent->R, link->p))};
}


// A link between the two axes of a universal joint: its own axis is that of the joint, and the next
// one, u in the link and known in ground, fixes its angle.
static void place_between(naturalMachine *k, int i, treeWorld joint)
{
  ART_ASSERT(i + 1 < k->m->tree.n);
  const v3 u = k->m->tree.link[i + 1].R.z;
  const v3 w = m3_mul(joint.R, k->pose[i + 1].R.z);
  const double angle = atan2(w.y, w.x) - atan2(u.y, u.x);
  k->pose[i] = (treeWorld){m3_turn_z(sin(angle), cos(angle), joint.R), joint.o};
}


// of the two that describe R, the one next to `near`
static void put_quaternion(m3 R, const double *near, double *e)
{
  double found[4], same = 0;
  pose_quaternion(R, found);
  for (int i = 0; i < 4; i++) same += found[i] * near[i];
  for (int i = 0; i < 4; i++) e[i] = same < 0 ? -found[i] : found[i];
}


static void recover_positions(naturalMachine *k, const double *natural, double *q)
{
  const treeModel *t = &k->m->tree;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const treeWorld joint = joint_frame(k, i);
    if (k->link[i].origin < 0) place_between(k, i, joint);
    const treeWorld *own = &k->pose[i];
    const v3 span = m3_mul(joint.R, v3_sub(own->o, joint.o));
    const int known = link->nv == 1 ? k->coordinate[link->v0] : -1;
    switch (link->kind) {
    case LINK_FIXED: break;
    case LINK_REVOLUTE:
    case LINK_SCREW: {
      const double s = v3_dot(own->R.x, joint.R.y) - v3_dot(own->R.y, joint.R.x);
      const double c = v3_dot(own->R.x, joint.R.x) + v3_dot(own->R.y, joint.R.y);
      q[link->q0] =
          known >= 0 ? natural[known] : natural_near_angle(atan2(s, c), k->near[link->q0]);
      break;
    }
    case LINK_PRISMATIC: q[link->q0] = known >= 0 ? natural[known] : span.z; break;
    case LINK_SPHERICAL:
      put_quaternion(m3_mul_m3(own->R, m3_transpose(joint.R)), k->near + link->q0, q + link->q0);
      break;
    case LINK_FREE:
      q[link->q0] = span.x, q[link->q0 + 1] = span.y, q[link->q0 + 2] = span.z;
      put_quaternion(m3_mul_m3(own->R, m3_transpose(joint.R)), k->near + link->q0 + 3,
                     q + link->q0 + 3);
      break;
    }
  }
}


// Velocity coordinates from the velocities of the links; or accelerations from what the links'
// accelerations exceed those at a = 0.
static void recover_rates(naturalMachine *k, double *v)
{
  const treeModel *t = &k->m->tree;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    const treeWorld joint = joint_frame(k, i);
    const motion *parent = &k->rate[link->parent];
    motion *own = &k->rate[i];

    // a link between two axes turns about the first of them, which is square to the second
    const int between = k->link[i].origin < 0;
    const v3 turn = v3_sub(k->rate[between ? i + 1 : i].ang, parent->ang);
    const v3 arm = v3_sub(k->pose[i].o, k->pose[link->parent].o);
    const v3 carried = v3_add(parent->lin, v3_cross(parent->ang, arm));
    if (between) {
      own->ang = v3_add(parent->ang, v3_scale(v3_dot(turn, joint.R.z), joint.R.z));
      own->lin = carried;
    }
    const v3 slide = m3_mul(joint.R, v3_sub(own->lin, carried));
    double *x = v + link->v0;
    switch (link->kind) {
    case LINK_FIXED: break;
    case LINK_REVOLUTE:
    case LINK_SCREW: x[0] = v3_dot(turn, joint.R.z); break;
    case LINK_PRISMATIC: x[0] = slide.z; break;
    case LINK_FREE:
      x[0] = slide.x, x[1] = slide.y, x[2] = slide.z;
      x += 3;
      // fall through
    case LINK_SPHERICAL: {
      const v3 omega = m3_mul(k->pose[i].R, turn);
      x[0] = omega.x, x[1] = omega.y, x[2] = omega.z;
      break;
    }
    }
  }
}


// subtract the accelerations of the links at zero accelerations of the joints
static void take_off_bias(naturalMachine *k)
{
  const artModel *m = k->m;
  artWorkspace *w = k->d->work;
  tree_rne(&m->tree, &w->tree, k->d->v, NULL, w->scratch);
  w->has_motion = 0;
  data_need_world(m, k->d);
  for (int i = 1; i < m->tree.n; i++) {
    const m3 R = tree_in_ground(&w->tree, i)->R;
    const motion *acc = &tree_body(&w->tree, i)->acc;
    const v3 lin = v3_add(m3_back(R, acc->lin), m->tree.gravity);
    k->rate[i].ang = v3_sub(k->rate[i].ang, m3_back(R, acc->ang));
    k->rate[i].lin = v3_sub(k->rate[i].lin, lin);
  }
}


void natural_recover(naturalMachine *k, double t, const double *q, const double *v, const double *a)
{
  artData *d = k->d;
  d->time = t;
  place_natural_links(k, q);
  recover_positions(k, q, d->q);
  find_link_rates(k, v);
  recover_rates(k, d->v);
  art_update(k->m, d);
  if (!a) return;
  find_link_rates(k, a);
  take_off_bias(k);
  recover_rates(k, d->a);
  for (int i = 0; i < k->m->ndrive; i++) {
    const int driven = k->m->drive[i].velocity;
    d->a[driven] = d->work->a_drive[driven];
  }
}


//---- along the motion ----------------------------------------------------------------------------

// The error of natural positions, as that of relative ones: both relate like their rates.
static void natural_parameter_map(void *context, const double *q, const double *error)
{
  naturalMachine *k = context;
  const artModel *m = k->m;
  place_natural_links(k, q);
  recover_positions(k, q, k->near);
  find_link_rates(k, error);
  recover_rates(k, k->flaw);
  for (int i = 0; i < m->tree.nv; i++) {
    const int own = m->velocity[i].partner;
    k->error[i] += fabs(k->flaw[i]);
    if (own >= 0) k->extent[i] = max_nan(k->extent[i], fabs(k->near[own] - k->start[i]));
  }
}


static void natural_remember(void *context, double *memory)
{
  const naturalMachine *k = context;
  const int nq = k->m->tree.nq, nv = k->m->tree.nv;
  base_copy(memory, k->near, (size_t) nq);
  base_copy(memory + nq, k->extent, (size_t) nv);
  base_copy(memory + nq + nv, k->error, (size_t) nv);
  for (int i = 0; i < k->m->nmode; i++) memory[nq + 2 * nv + i] = k->d->work->mode[i];
}


static void natural_recall(void *context, const double *memory)
{
  naturalMachine *k = context;
  const int nq = k->m->tree.nq, nv = k->m->tree.nv;
  base_copy(k->near, memory, (size_t) nq);
  base_copy(k->extent, memory + nq, (size_t) nv);
  base_copy(k->error, memory + nq + nv, (size_t) nv);
  for (int i = 0; i < k->m->nmode; i++) k->d->work->mode[i] = (int) memory[nq + 2 * nv + i];
}


static void natural_switches(void *context, double t, const double *q, const double *v, double *g)
{
  naturalMachine *k = context;
  natural_recover(k, t, q, v, NULL);
  data_need_velocity(k->m, k->d);
  force_switches(k->m, k->d, g);
}


static void natural_choose_modes(void *context, double t, const double *q, const double *v)
{
  naturalMachine *k = context;
  k->d->work->is_frozen = 0;
  natural_recover(k, t, q, v, NULL);
  k->d->work->is_frozen = 1;
}


static void natural_switch_mode(void *context, int i)
{
  const naturalMachine *k = context;
  force_switch_mode(k->m, k->d, i);
}


static int natural_switching_surface(void *context, int i, int take)
{
  const naturalMachine *k = context;
  return force_switching_surface(k->m, k->d, i, take);
}


static int natural_is_latching(void *context, int i)
{
  const naturalMachine *k = context;
  return force_is_latching(k->m, k->d, i);
}


static artStatus natural_jump(void *context, int *is_impact, artError *error)
{
  naturalMachine *k = context;
  artWorkspace *w = k->d->work;
  force_view_forget(&k->view, k->m);
  const artStatus status = force_find_impact(k->m, k->d, is_impact, error);
  if (status != ART_OK) return status;
  w->force->is_struck = *is_impact && force_has_taut(k->m);
  if (w->force->is_struck) *is_impact = 0;
  return w->force->is_struck || force_has_latched(k->m, k->d) ? ART_STOPPED : ART_OK;
}


void natural_go_along(naturalMachine *k)
{
  k->forces.follow = natural_parameter_map;
  k->forces.remember = natural_remember;
  k->forces.recall = natural_recall;
  k->forces.nmemory = k->m->tree.nq + 2 * k->m->tree.nv + k->m->nmode;
  k->forces.context = k;
}


void natural_hold_modes(naturalMachine *k)
{
  ART_ASSERT(k->d->work->now == k->m);
  k->d->work->is_frozen = 1;
  k->forces.nswitch = k->m->nswitch;
  k->forces.switches = natural_switches;
  k->forces.switch_mode = natural_switch_mode;
  k->forces.switching_surface = natural_switching_surface;
  k->forces.is_latching = natural_is_latching;
  k->forces.jump = natural_jump;
  for (int i = 0; i < k->m->ndrive; i++) {
    const modelDrive *drive = &k->m->drive[i];
    if (!drive->formula || drive->nmode == 0) continue;
    if (k->forces.ndrive_switch == 0) k->forces.drive_switch0 = drive->switch0;
    k->forces.ndrive_switch += drive->nmode;
  }
  k->forces.choose = natural_choose_modes;
}
