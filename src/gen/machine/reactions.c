// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reactions of joints, forces of cuts and rods and motion of the links, once the accelerations are known.
#include "gen/vectors.h"

#include <string.h>

#include "gen/tree/tree_equations.h"

//---- forces on links -----------------------------------------------------------------------------

// a wrench at the point r of ground onto a link
static void apply_link_wrench(const genBuild *b, int link, v3 r, wrench f, wrench *applied)
{
  if (link == 0) return;
  const treeWorld *frame = &b->world[link];
  const v3 moment = v3_add(f.ang, v3_cross(v3_sub(r, frame->o), f.lin));
  const wrench own = {m3_mul(frame->R, moment), m3_mul(frame->R, f.lin)};
  applied[link] = wr_add(applied[link], own);
}


// multipliers of the rows of a cut as a wrench on `to`
static void settle_cut(const genBuild *b, genSettled *s, int c, wrench *applied)
{
  ART_ASSERT(c >= 0 && c < b->m->ncut);
  const modelCut *cut = &b->m->cut[c];
  const real minus = r_const(-1);
  for (int r = cut->row0; r < cut->row0 + cut->nrow; r++) {
    const int *action = b->rows.action + 9 * r;
    const real lambda = {b->multiplier[r]};
    const v3 u = v3_scale(lambda, v3_nodes(action)), t = v3_scale(lambda, v3_nodes(action + 3));
    const wrench opposite = {v3_scale(minus, t), v3_scale(minus, u)};
    s->on_to[c] = wr_add(s->on_to[c], (wrench){t, u});
    apply_link_wrench(b, cut->side[1].link, v3_nodes(action + 6), (wrench){t, u}, applied);
    apply_link_wrench(b, cut->side[0].link, v3_nodes(action + 6), opposite, applied);
  }
  s->on_from[c] = v3_scale(minus, s->on_to[c].lin);
}


// forces in the plane where a joint rolls
static void settle_roll(const genBuild *b, genSettled *s, int i, wrench *applied)
{
  ART_ASSERT(i >= 0 && i < b->m->nroll);
  const modelRoll *roll = &b->m->roll[i];
  const modelCut *cut = &b->m->cut[roll->cut];
  const int *place = b->rolls->place + ROLL_PLACE * i, *force = b->rolls->force + roll->row0;
  const v3 along = v3_nodes(place + 3), across = v3_nodes(place + 6), at = v3_nodes(place + 9);
  v3 sum = v3_scale((real){force[roll->nrow - 1]}, across);
  if (roll->nrow == 2) sum = v3_add(v3_scale((real){force[0]}, along), sum);
  const v3 arm = v3_sub(at, v3_nodes(b->rows.action + 9 * cut->row0 + 6));
  s->on_to[roll->cut] = wr_add(s->on_to[roll->cut], (wrench){v3_cross(arm, sum), sum});
  apply_link_wrench(b, cut->side[1].link, at, (wrench){.lin = sum}, applied);
  sum = v3_scale(r_const(-1), sum);
  apply_link_wrench(b, cut->side[0].link, at, (wrench){.lin = sum}, applied);
}


//---- all -----------------------------------------------------------------------------------------

const genSettled *gen_settle(genBuild *b)
{
  if (b->settled) return b->settled;
  genSettled *s = gen_alloc(b, 1, sizeof *s);
  wrench *applied = gen_alloc(b, (size_t) b->tree->n, sizeof *applied);
  int *total = gen_alloc(b, (size_t) b->tree->nv, sizeof *total);
  const size_t n = (size_t) b->tree->n, ncut = (size_t) b->m->ncut;
  s->acc = gen_alloc(b, n, sizeof *s->acc);
  s->on_link = gen_alloc(b, n, sizeof *s->on_link);
  s->on_joint = gen_alloc(b, (size_t) b->tree->nv, sizeof *s->on_joint);
  s->on_to = gen_alloc(b, ncut, sizeof *s->on_to);
  s->on_from = gen_alloc(b, ncut, sizeof *s->on_from);
  b->settled = s;
  sym_tree_accelerations(b->tree, b->acceleration);
  gen_record_motion(b->tree, (int *) s->acc);

  memcpy(applied, b->applied, (size_t) b->tree->n * sizeof *applied);
  for (int c = 0; c < b->m->ncut; c++) settle_cut(b, s, c, applied);
  for (int i = 0; i < b->m->nroll; i++) settle_roll(b, s, i, applied);
  for (int i = 0, c; (c = gen_rod(b, i)) >= 0; i++) {
    const wrench pull = {.lin = gen_rod_forces(b, c, &s->on_from[c], &s->on_to[c].lin)};
    for (int k = 0; k < 2; k++) {
      apply_link_wrench(b, b->m->cut[c].side[k].link, gen_rod_end(b, c, k, 0), pull, applied);
    }
  }
  sym_tree_forces(b->tree, b->tau, (const int *) applied);
  sym_record_inverse(b->tree, total, (int *) s->on_link);
  sym_tree_forces(b->tree, b->tau, (const int *) b->applied);
  // elements and couplings; where there is a drive, all that its joint needs
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
  return s;
}


wrench gen_settled_reaction(genBuild *b, int j)
{
  ART_ASSERT(j >= 0 && j < b->m->njoint && b->settled);
  const modelJoint *joint = &b->m->joint[j];
  return joint->is_cut ? b->settled->on_to[joint->cut]
                       : gen_joint_reaction(b, joint, b->settled->on_link);
}
