// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reactions of joints, forces of cuts and rods and motion of the links, once the accelerations are known.
#include <string.h>

#include "gen/build.h"
#include "gen/recorded.h"
#include "gen/tree_equations.h"
#include "gen/tree_part.h"

static const nodeFrame *frame_of(const genBuild *b, int link)
{
  return (const nodeFrame *) b->world + link;
}

//---- forces on links -----------------------------------------------------------------------------

// a wrench at the point r of ground onto a link
static void apply_wrench(genBuild *b, int link, node3 r, node3 force, node3 torque, int *applied)
{
  exprPool *p = b->pool;
  if (link == 0) return;
  const nodeFrame *frame = frame_of(b, link);
  const node3 arm = node3_sub(p, r, frame->o);
  const node3 moment = node3_turn(p, frame->e, node3_add(p, torque, node3_cross(p, arm, force)));
  const node3 own = node3_turn(p, frame->e, force);
  const int terms[6] = {moment.x, moment.y, moment.z, own.x, own.y, own.z};
  for (int i = 0; i < 6; i++) applied[6 * link + i] = expr_add(p, applied[6 * link + i], terms[i]);
}


// multipliers of the rows of a cut as a wrench on `to`
static void settle_cut(genBuild *b, genSettled *s, int c, int *applied)
{
  exprPool *p = b->pool;
  const modelCut *cut = &b->m->cut[c];
  const int minus = expr_constant(p, -1);
  for (int r = cut->row0; r < cut->row0 + cut->nrow; r++) {
    const node3 *action = (const node3 *) (b->rows.action + 9 * r);
    const int lambda = b->multiplier[r];
    const node3 u = node3_scale(p, lambda, action[0]), t = node3_scale(p, lambda, action[1]);
    s->to_force[c] = node3_add(p, s->to_force[c], u);
    s->to_torque[c] = node3_add(p, s->to_torque[c], t);
    apply_wrench(b, cut->side[1].link, action[2], u, t, applied);
    apply_wrench(b, cut->side[0].link, action[2], node3_scale(p, minus, u),
                 node3_scale(p, minus, t), applied);
  }
  s->from_force[c] = node3_scale(p, minus, s->to_force[c]);
}


static void settle_rod(genBuild *b, genSettled *s, int c, int *applied)
{
  const node3 pull = gen_rod_forces(b, c, &s->from_force[c], &s->to_force[c]);
  for (int k = 0; k < 2; k++) {
    apply_wrench(b, b->m->cut[c].side[k].link, gen_rod_end(b, c, k, 0), pull, (node3){0, 0, 0},
                 applied);
  }
}

//---- all -----------------------------------------------------------------------------------------

static void take_room(genBuild *b, genSettled *s)
{
  const size_t n = (size_t) b->tree->n, ncut = (size_t) b->m->ncut;
  s->acc = gen_alloc(b, 6 * n, sizeof *s->acc);
  s->on_link = gen_alloc(b, 6 * n, sizeof *s->on_link);
  s->on_joint = gen_alloc(b, (size_t) b->tree->nv, sizeof *s->on_joint);
  s->to_force = gen_alloc(b, ncut, sizeof *s->to_force);
  s->to_torque = gen_alloc(b, ncut, sizeof *s->to_torque);
  s->from_force = gen_alloc(b, ncut, sizeof *s->from_force);
}


// elements and couplings; where there is a drive, all that its joint needs
static void settle_joints(genBuild *b, genSettled *s, const int *total)
{
  const int nv = b->tree->nv;
  for (int k = 0; k < nv; k++) {
    s->on_joint[k] = expr_add(b->pool, b->tau[k], gen_lock_share(b, k));
    for (int r = 0; r < b->m->nrelation; r++) {
      const int row = b->m->relation[r].row;
      const int share = expr_mul(b->pool, b->multiplier[row], matrix_entry(&b->rows.J, row, k));
      s->on_joint[k] = expr_add(b->pool, s->on_joint[k], share);
    }
  }
  for (int i = 0; i < b->m->ndrive; i++) {
    s->on_joint[b->m->drive[i].velocity] = total[b->m->drive[i].velocity];
  }
}


const genSettled *gen_settle(genBuild *b)
{
  if (b->settled) return b->settled;
  genSettled *s = gen_alloc(b, 1, sizeof *s);
  int *applied = gen_alloc(b, 6 * (size_t) b->tree->n, sizeof *applied);
  int *total = gen_alloc(b, (size_t) b->tree->nv, sizeof *total);
  take_room(b, s);
  b->settled = s;
  sym_tree_accelerations(b->tree, b->acceleration);
  gen_record_motion(b->tree, s->acc);

  memcpy(applied, b->applied, 6 * (size_t) b->tree->n * sizeof *applied);
  for (int c = 0; c < b->m->ncut; c++) settle_cut(b, s, c, applied);
  for (int i = 0, c; (c = gen_rod(b, i)) >= 0; i++) settle_rod(b, s, c, applied);
  sym_tree_forces(b->tree, b->tau, applied);
  sym_record_inverse(b->tree, total, s->on_link);
  sym_tree_forces(b->tree, b->tau, b->applied);
  settle_joints(b, s, total);
  return s;
}


void gen_settled_reaction(genBuild *b, int j, int reaction[6])
{
  const modelJoint *joint = &b->m->joint[j];
  if (!joint->is_cut) {
    gen_joint_reaction(b, joint, b->settled->on_link, reaction);
    return;
  }
  const node3 f = b->settled->to_force[joint->cut], t = b->settled->to_torque[joint->cut];
  const int list[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
  memcpy(reaction, list, sizeof list);
}
