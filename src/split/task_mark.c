// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Position of nodes in the machine: branches, blocks and sections, and the branches on which they
// depend.
#include "split/task_mark.h"

#include "base/max_nan.h"
#include "base/throw.h"

//---- branches ------------------------------------------------------------------------------------

void branch_find(branchTree *tree, int nbody, const int *parent, baseArena *arena)
{
  ART_ASSERT(nbody >= 0); // 0: a machine without bodies
  int *children;
  tree->nbody = nbody;
  tree->n = 0;
  ARENA_TAKE(arena, children, nbody + 1);
  ARENA_TAKE(arena, tree->of, nbody + 1);
  ARENA_TAKE(arena, tree->parent, nbody + 1);
  for (int i = 1; i <= nbody; i++) children[parent[i]]++;
  for (int i = 1; i <= nbody; i++) {
    const int p = parent[i];
    if (p > 0 && children[p] == 1) {
      tree->of[i] = tree->of[p];
    } else {
      tree->of[i] = ++tree->n;
      tree->parent[tree->n] = tree->of[p];
    }
  }
}

//---- groups --------------------------------------------------------------------------------------

// number a connected component of branches and blocks, starting with a block
static void spread_branch_group(branchGroups *g, int nbranch, int nblock,
                                const unsigned char *touches, int block, int group)
{
  ART_ASSERT(block >= 1 && block <= nblock);
  g->of_block[block] = group;
  for (int i = 1; i <= nbranch; i++) {
    if (!touches[(i - 1) * nblock + block - 1]) continue;
    g->of_branch[i] = group;
    for (int k = 1; k <= nblock; k++) {
      if (touches[(i - 1) * nblock + k - 1] && g->of_block[k] < 0) {
        spread_branch_group(g, nbranch, nblock, touches, k, group);
      }
    }
  }
}


// without a free branch on ground there is no group 0: renumber the others
static void close_gap(branchGroups *g, int nbranch, int nblock)
{
  for (int i = 1; i <= nbranch; i++) {
    if (g->of_branch[i] == 0) return;
  }
  for (int i = 1; i <= nbranch; i++) g->of_branch[i]--;
  for (int k = 1; k <= nblock; k++) g->of_block[k]--;
  g->n--;
}


void branch_group(branchGroups *g, int nbranch, const int *parent, int nblock,
                  const unsigned char *touches, baseArena *arena)
{
  unsigned char *has_child;
  g->n = 1;
  ARENA_TAKE(arena, has_child, nbranch + 1);
  ARENA_TAKE(arena, g->of_branch, nbranch + 1);
  ARENA_TAKE(arena, g->of_block, nblock + 1);
  for (int i = 1; i <= nbranch; i++) g->of_branch[i] = -1;
  for (int k = 1; k <= nblock; k++) g->of_block[k] = -1;
  for (int k = 1; k <= nblock; k++) {
    if (g->of_block[k] < 0) spread_branch_group(g, nbranch, nblock, touches, k, g->n++);
  }

  // section 4.3.2 of the thesis
  int has_first = 0;
  for (int i = 1; i <= nbranch; i++) {
    if (g->of_branch[i] >= 0) continue;
    const int h = parent[i];
    if (h == 0 && !has_first) {
      has_first = 1;
      g->of_branch[i] = 0;
    } else if (h == 0 || has_child[h]) {
      g->of_branch[i] = g->n++;
    } else {
      has_child[h] = 1;
      g->of_branch[i] = g->of_branch[h];
    }
  }

  if (nbranch > 0) close_gap(g, nbranch, nblock);
}

//---- links ---------------------------------------------------------------------------------------

// the last link whose symbols it contains, else the largest link of the nodes it reads; an
// assignment belongs to the link of its target
static int link_of_unit(const taskGraph *g, const taskUnit *u)
{
  const eqnList *l = g->list;
  int link = 0;
  for (int e = u->first; e < u->end; e++) {
    link = max_int(link, eqn_last_link(l, l->equation[e].node));
  }
  const eqnStage *stage = &l->function->stage[u->stage];
  if (u->kind == TASK_ASSIGN) return eqn_last_link(l, stage->unknown[u->unknown]);
  for (int k = 0; k < u->nparent && link == 0; k++) {
    link = max_int(link, g->unit[u->parent[k]].mark.part);
  }
  return link;
}

//---- blocks --------------------------------------------------------------------------------------

// assign links to the block whose Newton unknowns they contain
static void find_newton_blocks(const taskGraph *g, taskMarks *marks)
{
  const eqnFunction *f = g->list->function;
  for (int s = 0; s < f->nstage; s++) {
    const int block = f->stage[s].block;
    marks->nblock = max_int(marks->nblock, block);
    for (int i = 0; block > 0 && i < f->stage[s].nunknown; i++) {
      marks->block_of[eqn_last_link(g->list, f->stage[s].unknown[i])] = block;
    }
  }
  marks->block_of[0] = 0;
}


static int is_of_constraints(const taskGraph *g, int unit)
{
  return g->unit[unit].mark.section == SECTION_CONSTRAINTS;
}


// recursively mark the nodes that this one reads, unless an earlier block has marked them
static void mark_block(taskGraph *g, int unit, int block)
{
  ART_ASSERT(block > 0);
  taskUnit *u = &g->unit[unit];
  if (u->mark.block > 0 || !is_of_constraints(g, unit)) return;
  u->mark.block = block;
  for (int k = 0; k < u->nparent; k++) mark_block(g, u->parent[k], block);
}


// mark the Newton nodes of each block, then the velocities and accelerations that depend on them
static void mark_blocks(taskGraph *g, const taskMarks *marks)
{
  const eqnFunction *f = g->list->function;
  for (int block = 1; block <= marks->nblock; block++) {
    for (int i = 0; i < g->n; i++) {
      const taskUnit *u = &g->unit[i];
      const int is_newton = u->kind == TASK_NEWTON && f->stage[u->stage].block == block;
      const int is_velocity = u->kind == TASK_ASSIGN && is_of_constraints(g, i) &&
                              marks->block_of[u->mark.part] == block;
      if (is_newton || is_velocity) mark_block(g, i, block);
    }
  }

  // a node not reached from any block belongs to the block of its link
  for (int i = 0; i < g->n; i++) {
    taskMark *mark = &g->unit[i].mark;
    if (is_of_constraints(g, i) && mark->block == 0) mark->block = marks->block_of[mark->part];
  }
}

//---- branches of units ---------------------------------------------------------------------------

static void find_branch_groups(taskMarks *m)
{
  const int nbranch = m->tree.n, nblock = m->nblock;
  unsigned char *touches;
  ARENA_TAKE(&m->arena, touches, nbranch * nblock + 1);
  for (int i = 1; i <= m->tree.nbody; i++) {
    const int block = m->block_of[i];
    if (block > 0) touches[(m->tree.of[i] - 1) * nblock + block - 1] = 1;
  }
  branch_group(&m->groups, nbranch, m->tree.parent, nblock, touches, &m->arena);
}


// The branch where the branches of a node's inputs meet.
typedef struct branchMeeting {
  int deepest;   // last branch if all are on one path to ground, or in one group; 0: none
  int fork;      // the last common ancestor
  int is_forked; // several paths, of different groups
} branchMeeting;


// last common ancestor; parents have smaller numbers
static int common_branch(const branchTree *t, int a, int b)
{
  while (a != b) {
    if (a > b) {
      a = t->parent[a];
    } else {
      b = t->parent[b];
    }
  }
  return a;
}


static void meet_branch(branchMeeting *x, const taskMarks *m, int branch)
{
  const int common = x->deepest > 0 ? common_branch(&m->tree, x->deepest, branch) : 0;
  if (branch == 0 || (x->deepest > 0 && common == branch)) return;
  if (common == x->deepest) {
    x->deepest = branch;
    if (!x->is_forked) x->fork = branch;
  } else if (m->groups.of_branch[branch] != m->groups.of_branch[x->deepest]) {
    x->fork = common_branch(&m->tree, x->fork, branch);
    x->is_forked = 1;
  }
}


static void meet_symbols(branchMeeting *x, const taskMarks *m, const eqnList *l, int node)
{
  meet_branch(x, m, m->tree.of[eqn_link_of(l->program, l->pool, node)]);
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k);
    if (l->equation_of[a] < 0) meet_symbols(x, m, l, a);
  }
}


// For recursions towards the leaves this is the last branch from which the node reads. A node that
// combines groups, as in recursions towards ground, belongs to the branch at the fork.
static int branch_of_unit(const taskGraph *g, const taskMarks *m, const taskUnit *u)
{
  branchMeeting x = {0};
  if (u->kind == TASK_RESULTS) return 0;
  if (u->kind == TASK_ASSIGN) return m->tree.of[u->mark.part];
  for (int e = u->first; e < u->end; e++) meet_symbols(&x, m, g->list, g->list->equation[e].node);
  for (int k = 0; k < u->nparent; k++) meet_branch(&x, m, g->unit[u->parent[k]].mark.branch);
  return x.is_forked ? x.fork : x.deepest;
}


// bit set of the branches whose coordinates a node depends on; beyond 64 branches, bits are shared
static void add_symbols(const taskGraph *g, const taskMarks *m, int node, uint64_t *bits)
{
  const eqnList *l = g->list;
  const int link = eqn_link_of(l->program, l->pool, node);
  if (link > 0) *bits |= (uint64_t) 1 << m->tree.of[link] % 64;
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    const int a = expr_argument(l->pool, node, k);
    if (l->equation_of[a] < 0) add_symbols(g, m, a, bits);
  }
}


static void find_dependence(const taskGraph *g, const taskMarks *m)
{
  for (int i = 0; i < g->n; i++) {
    const taskUnit *u = &g->unit[i];
    for (int e = u->first; e < u->end; e++) {
      add_symbols(g, m, g->list->equation[e].node, &m->depends[i]);
    }
    for (int k = 0; k < u->nparent; k++) m->depends[i] |= m->depends[u->parent[k]];
  }
}

//---- marks ---------------------------------------------------------------------------------------

static int section_of(int group)
{
  switch (group) {
  case GROUP_POSITION:
  case GROUP_VELOCITY:
  case GROUP_ACCELERATION: return SECTION_CONSTRAINTS;
  case GROUP_FORCES:
  case GROUP_CONTACT:
  case GROUP_TYRES: return SECTION_FORCES;
  case GROUP_FORWARD:
  case GROUP_BACKWARD: return SECTION_DYNAMICS;
  case GROUP_REDUCTION: return SECTION_REDUCTION;
  case GROUP_SOLVE: return SECTION_SOLUTION;
  default: return SECTION_DRIVES;
  }
}


// task of a node: that of its block, else of its branch, else task 0, which also calls user
// functions
static int task_of(const taskMarks *m, const taskUnit *u)
{
  const taskMark *mark = &u->mark;
  if (u->is_call || mark->section == SECTION_SOLUTION) return 0;
  if (mark->block > 0) return m->groups.of_block[mark->block];
  return mark->branch > 0 ? m->groups.of_branch[mark->branch] : 0;
}


typedef struct markWork {
  taskGraph *graph;
  taskMarks *marks;
} markWork;


static void mark_task_units(void *work)
{
  taskGraph *g = ((markWork *) work)->graph;
  taskMarks *m = ((markWork *) work)->marks;
  const eqnProgram *p = g->list->program;
  const eqnFunction *f = g->list->function;
  const int nlink = p->nlink > 1 ? p->nlink - 1 : 0;
  ARENA_TAKE(&m->arena, m->block_of, nlink + 1);
  ARENA_TAKE(&m->arena, m->depends, g->n);
  branch_find(&m->tree, nlink, p->link_parent, &m->arena);
  find_newton_blocks(g, m);
  find_branch_groups(m);
  for (int i = 0; i < g->n; i++) {
    taskUnit *u = &g->unit[i];
    u->mark.section = section_of((int) f->stage[u->stage].group);
    u->mark.sequence = u->stage;
    u->mark.part = u->kind == TASK_RESULTS ? 0 : link_of_unit(g, u);
    u->mark.branch = branch_of_unit(g, m, u);
    if (u->kind == TASK_RESULTS) u->mark.section = SECTION_SOLUTION;
  }
  mark_blocks(g, m);
  for (int i = 0; i < g->n; i++) g->unit[i].mark.task = task_of(m, &g->unit[i]);
  find_dependence(g, m);
}


int task_mark(taskGraph *g, taskMarks *m)
{
  markWork w = {g, m};
  *m = (taskMarks){.arena.leaves = 1};
  return error_catch(mark_task_units, &w);
}


void task_marks_free(taskMarks *m)
{
  arena_free(&m->arena);
}
