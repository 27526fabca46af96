// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops by the names of their joints.
#include "study/assemble/loop_names.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"


int study_row_depends(const artModel *m, const artData *d, int row, int k)
{
  ART_ASSERT(d->work->loop && k >= 0 && k < m->tree.nv);
  (void) m;
  const int e = matrix_find(&d->work->loop->rows.J, row, k);
  return e >= 0 && d->work->loop->pattern[e];
}


loopClosure study_closure(const artModel *m, int row)
{
  ART_ASSERT(row >= 0 && row < m->nrow);
  const int c = model_row_cut(m, row);
  if (c >= 0) {
    const modelCut *cut = &m->cut[c];
    const modelJoint *joint = &m->joint[cut->joint];
    return (loopClosure){"joint", joint->name, joint->place, cut->row0, cut->nrow};
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    if (r->row == row) return (loopClosure){"relation", r->name, r->place, row, 1};
  }
  return (loopClosure){"", "?", base_nowhere(), row, 1};
}


// each joint once: one that closes the loop and has coordinates is met in two ways
static void add_loop_joint_name(char text[FORK_NAMES], const char *between, const char *name)
{
  char quoted[64];
  snprintf(quoted, sizeof quoted, "'%.60s'", name);
  if (!strstr(text, quoted)) base_append(text, FORK_NAMES, "%s%s", text[0] ? between : "", quoted);
}


const char *study_fork_joints(const artModel *m, const artData *d, int row, char text[FORK_NAMES])
{
  text[0] = '\0';
  for (int k = 0; k < m->tree.nv; k++) {
    if (study_row_depends(m, d, row, k))
      add_loop_joint_name(text, ", ", m->joint[m->velocity[k].joint].name);
  }
  add_loop_joint_name(text, " and ", study_closure(m, row).name);
  return text;
}


// in the order of the coordinates, whichever of them the block is solved for
const char *study_block_joints(const artModel *m, const artData *d, int block,
                               char text[FORK_NAMES])
{
  ART_ASSERT(block >= 0 && block < d->work->loop->blocks->block_count);
  const loopBlocks *blocks = d->work->loop->blocks;
  const loopBlock *b = &blocks->block[block];
  text[0] = '\0';
  for (int k = 0; k < m->tree.nv; k++) {
    int is_there = 0;
    for (int p = b->first; p < b->first + b->size; p++) {
      is_there |= study_row_depends(m, d, blocks->row[p], k);
    }
    if (is_there) add_loop_joint_name(text, ", ", m->joint[m->velocity[k].joint].name);
  }
  for (int p = b->first; p < b->first + b->size; p++) {
    add_loop_joint_name(text, " and ", study_closure(m, blocks->row[p]).name);
  }
  return text;
}
