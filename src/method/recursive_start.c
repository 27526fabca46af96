// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Setup of the recursive method: which constraints act on which links, branch by branch.
#include <string.h>

#include "base/numbers.h"
#include "loop/rows.h"
#include "method/method.h"
#include "method/recursive_work.h"

//---- paths to ground -----------------------------------------------------------------------------


// links on the path of a constraint, each once
typedef struct linkList {
  int n;
  int *link;  // [n]
  char *mark; // [n]
} linkList;


static void list_way(const treeModel *t, int link, linkList *list)
{
  for (; link > 0 && !list->mark[link]; link = t->link[link].parent) {
    list->mark[link] = 1;
    list->link[list->n++] = link;
  }
}


static void sort_from_last(int n, int *x)
{
  base_sort_ints(n, x);
  for (int i = 0; i < n / 2; i++) {
    const int other = x[n - 1 - i];
    x[n - 1 - i] = x[i];
    x[i] = other;
  }
}


static int take_way(const artModel *m, constraintWay *way, linkList *list, int *size,
                    baseArena *arena)
{
  // from the outermost link inward; marks are 0 before and after
  list->n = 0;
  if (way->kind != WAY_RELATION) {
    const modelCut *cut = &m->cut[way->kind == WAY_ROD ? m->rod[way->index] : way->index];
    list_way(&m->tree, cut->side[0].link, list);
    list_way(&m->tree, cut->side[1].link, list);
  } else {
    const modelRelation *r = &m->relation[way->index];
    for (int k = 0; k < r->n; k++) list_way(&m->tree, m->tree.dof_link[r->velocity[k]], list);
  }
  for (int k = 0; k < list->n; k++) list->mark[list->link[k]] = 0;
  sort_from_last(list->n, list->link);

  way->n = list->n;
  way->step = arena_alloc(arena, (size_t) way->n, sizeof *way->step);
  if (!way->step) return 0;
  for (int k = 0; k < way->n; k++) {
    const int i = list->link[k];
    way->step[k] = (wayLink){i, *size};
    if (recursive_yields(&m->tree.link[i])) *size += way->nrow[ALL] * m->tree.link[i].nv;
  }
  return 1;
}


// rows in the order of the matrices
static void take_constraint_rows(const artModel *m, const char *keep, constraintWay *way)
{
  if (way->kind == WAY_ROD) {
    way->nrow[USUAL] = way->nrow[ALL] = 3;
    return;
  }
  const int is_relation = way->kind == WAY_RELATION;
  const int row0 = is_relation ? m->relation[way->index].row : m->cut[way->index].row0;
  const int nrow = is_relation ? 1 : m->cut[way->index].nrow;
  int *row = way->row;
  for (int k = row0; k < row0 + nrow; k++) {
    if (keep[k]) *row++ = k;
  }
  way->nrow[USUAL] = (int) (row - way->row);
  for (int k = row0; k < row0 + nrow; k++) {
    if (!keep[k]) *row++ = k;
  }
  way->nrow[ALL] = nrow;
}


// cuts, each followed by its rod mass if it has one, then relations
static void list_ways(const artModel *m, constraintWay *way)
{
  int rod = 0;
  for (int c = 0; c < m->ncut; c++) {
    const int end[2] = {m->cut[c].side[0].link, m->cut[c].side[1].link};
    *way++ = (constraintWay){.kind = WAY_CUT, .index = c, .end = {end[0], end[1]}};
    if (!(m->cut[c].mass > 0)) continue;
    *way++ = (constraintWay){.kind = WAY_ROD, .index = rod++, .end = {end[0], end[1]}};
  }
  for (int i = 0; i < m->nrelation; i++) {
    *way++ = (constraintWay){.kind = WAY_RELATION, .index = i};
  }
}


static int take_ways(const artModel *m, struct methodRecursive *r, baseArena *arena)
{
  linkList list = {.link = arena_alloc(arena, (size_t) m->tree.n, sizeof *list.link),
                   .mark = arena_alloc(arena, (size_t) m->tree.n, 1)};
  r->count = m->ncut + m->nrod + m->nrelation;
  r->way = arena_alloc(arena, (size_t) r->count, sizeof *r->way);
  if (!list.link || !list.mark || !r->way) return 0;
  int size = 0, first[SETS] = {0};
  list_ways(m, r->way);
  for (int g = 0; g < r->count; g++) {
    constraintWay *way = &r->way[g];
    take_constraint_rows(m, r->keep, way);
    for (int set = 0; set < SETS; set++) {
      way->first[set] = first[set];
      first[set] += way->nrow[set];
    }
    if (!take_way(m, way, &list, &size, arena)) return 0;
  }
  r->u = arena_alloc(arena, (size_t) size, sizeof *r->u);
  return r->u != NULL;
}


// the same data by links: the constraints that act on each link
static int take_visits(const artModel *m, struct methodRecursive *r, baseArena *arena)
{
  const int n = m->tree.n;
  r->visit0 = arena_alloc(arena, (size_t) n + 2, sizeof *r->visit0);
  if (!r->visit0) return 0;
  for (int g = 0; g < r->count; g++) {
    for (int k = 0; k < r->way[g].n; k++) r->visit0[r->way[g].step[k].link + 2]++;
  }
  for (int i = 2; i < n + 2; i++) r->visit0[i] += r->visit0[i - 1];
  r->visit = arena_alloc(arena, (size_t) r->visit0[n + 1], sizeof *r->visit);
  if (!r->visit) return 0;
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    for (int k = 0; k < way->n; k++) {
      const int place = r->visit0[way->step[k].link + 1]++;
      r->visit[place] = (linkVisit){way, way->step[k].at, 0};
    }
  }
  return 1;
}


// a row is coupled to all constraints from the first one that moves one of its joints
static int take_skyline(const artModel *m, struct methodRecursive *r, rowSet set, baseArena *arena)
{
  ART_ASSERT(set < SETS);
  int *first = arena_alloc(arena, (size_t) (m->nrow + 3 * m->nrod), sizeof *first);
  if (!first) return 0;
  int n = 0;
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    int least = way->first[set];
    for (int k = 0; k < way->n; k++) {
      const int i = way->step[k].link;
      if (!recursive_yields(&m->tree.link[i])) continue;
      const int begin = r->visit[r->visit0[i]].way->first[set];
      if (begin < least) least = begin;
    }
    for (int k = 0; k < way->nrow[set]; k++) first[n++] = least;
  }
  return skyline_start(&r->delassus[set], n, first, arena);
}


//---- branches ------------------------------------------------------------------------------------


// allocate memory for the constraints that act on each branch
static int take_branches(const artModel *m, struct methodRecursive *r, baseArena *arena)
{
  if (!branches_find(&r->tree, &m->tree, arena)) return 0;
  r->branch = arena_alloc(arena, (size_t) r->tree.n, sizeof *r->branch);
  if (!r->branch) return 0;
  r->is_grounded = r->is_anchored = 1;
  for (int b = 0; b < r->tree.n; b++) {
    recursiveBranch *branch = &r->branch[b];
    branch->links = r->tree.branch[b];
    if (branch->links.inner > branch->links.first) r->is_grounded = 0;
    const int root = branch->links.first, anchor = r->tree.of[m->tree.anchor[root]];
    if (anchor >= 0 && anchor != b) r->is_anchored = 0;
    branch->n = r->visit0[root + 1] - r->visit0[root];
    branch->way = arena_alloc(arena, (size_t) branch->n, sizeof *branch->way);
    if (!branch->way) return 0;
    for (int k = 0; k < branch->n; k++) {
      constraintWay *way = &r->way[r->visit[r->visit0[root] + k].way - r->way];
      branch->way[k] = (branchWay){.way = way, .begin = way->n, .place = branch->nrow};
      branch->nrow += way->nrow[ALL];
    }
  }
  return 1;
}


// path steps that belong to the branch; they are consecutive
static void lay_branch_way(struct methodRecursive *r, treeBranch links, branchWay *b)
{
  const wayLink *step = b->way->step;
  int k = 0;
  while (step[k].link >= links.end) k++;
  b->begin = k;
  while (k < b->way->n && step[k].link >= links.inner) k++;
  b->end = k;
  for (int v = r->visit0[links.first]; v < r->visit0[links.end]; v++) {
    if (r->visit[v].way == b->way) r->visit[v].place = b->place;
  }
}


static int lay_branches(struct methodRecursive *r, baseArena *arena)
{
  for (int b = 0; b < r->tree.n; b++) {
    recursiveBranch *branch = &r->branch[b];
    const size_t n = (size_t) branch->nrow;
    double *part = arena_alloc(arena, n * n, sizeof *part);
    branch->row = arena_alloc(arena, n, sizeof *branch->row);
    branch->root = arena_alloc(arena, n, sizeof *branch->root);
    if (!part || !branch->row || !branch->root) return 0;
    for (size_t k = 0; k < n; k++) branch->row[k] = part + k * n;
    for (int k = 0; k < branch->n; k++) lay_branch_way(r, branch->links, &branch->way[k]);
  }

  // path links whose joint belongs to the base, with the wrenches of branches at their roots
  for (int g = 0; g < r->count; g++) {
    constraintWay *way = &r->way[g];
    way->base = arena_alloc(arena, (size_t) way->n, sizeof *way->base);
    if (!way->base) return 0;
    for (int k = 0; k < way->n; k++) {
      const int link = way->step[k].link, b = r->tree.of[link];
      if (b >= 0 && link >= r->branch[b].links.inner) continue;
      baseLink *base = &way->base[way->nbase++];
      base->step = way->step[k];
      for (int i = 0; b >= 0 && i < r->branch[b].n; i++) {
        const branchWay *other = &r->branch[b].way[i];
        if (other->way == way) base->root = r->branch[b].root + other->place;
      }
    }
  }
  return 1;
}


//---- start ---------------------------------------------------------------------------------------


// massless subtrees that only loops hold have no owner of inertia in the cut tree
static artStatus check_branches(const artModel *m, artError *error)
{
  for (int i = 1; m->is_light && i < m->tree.n; i++) {
    if (m->carries[i] != CARRIES_LIGHT) continue;
    const modelJoint *joint = &m->joint[m->velocity[m->tree.link[i].v0].joint];
    if (joint->twin > 0 && model_has_inertia(&m->tree.link[m->cut[joint->cut].side[1].link]))
      continue;
    return base_fail(
        error, ART_BAD_INPUT, joint->place,
        "method recursive cuts the loops and lets the tree move, where joint '%s' moves "
        "nothing that has mass: body '%s' and all it carries are massless; give it a "
        "mass, or choose method semirecursive or augmented",
        joint->name, m->body[joint->is_reversed ? joint->from : joint->to].name);
  }
  return ART_OK;
}


artStatus recursive_start(const artModel *m, artData *d, const char *keep, artError *error)
{
  ART_ASSERT(d->work->loop);
  struct loopWork *loop = d->work->loop;
  baseArena *arena = &d->work->method->arena;
  const size_t links = (size_t) m->tree.n, nv = (size_t) m->tree.nv, ncut = (size_t) m->ncut;
  const size_t nrow = (size_t) m->nrow, nrod = (size_t) m->nrod;
  struct methodRecursive *r = arena_alloc(arena, 1, sizeof *r);
  const int taken = r && (r->weights = recursive_weights(m, arena)) &&
                    ARENA_TAKE(arena, r->f, links) && ARENA_TAKE(arena, r->tau, nv) &&
                    ARENA_TAKE(arena, r->keep, nrow) && ARENA_TAKE(arena, r->x, nrow + 3 * nrod) &&
                    (r->kept[USUAL] = arena_alloc(arena, ncut, sizeof *r->none)) &&
                    ARENA_TAKE(arena, r->none, ncut);
  if (!taken) return base_no_memory(error);

  artStatus status = check_branches(m, error);
  if (keep) {
    memcpy(r->keep, keep, nrow);
  } else if (status == ART_OK) {
    status = always_needed(m, d, r->keep, error);
  }
  if (status != ART_OK) return status;
  loop->is_closed = loop->has_stayed = 0;
  rows_select(m, r->keep, r->kept[USUAL]);
  r->kept[ALL] = loop->rows.all;
  const int made = take_ways(m, r, arena) && take_visits(m, r, arena) &&
                   take_skyline(m, r, USUAL, arena) && take_skyline(m, r, ALL, arena) &&
                   take_branches(m, r, arena) && lay_branches(r, arena);
  if (!made) return base_no_memory(error);
  d->work->method->part[ART_RECURSIVE] = r;
  return ART_OK;
}
