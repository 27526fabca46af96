// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursive method on one branch, and on the base that carries the branches.
#include <string.h>

#include "method/method.h"
#include "method/recursive_work.h"

static const wrench nothing = {{0, 0, 0}, {0, 0, 0}};


static int stands_on_base(const recursiveBranch *branch)
{
  return branch->links.inner > branch->links.first;
}


//---- positions and free motion -------------------------------------------------------------------


void recursive_place(const artModel *m, artData *d, int b)
{
  ART_ASSERT(b >= 0 && b < recursive_of(d)->tree.n);
  const treeBranch links = recursive_of(d)->branch[b].links;
  tree_world_some(&m->tree, &d->work->tree, links.inner, links.end);
  tree_velocity_some(&m->tree, &d->work->tree, d->v, links.inner, links.end);
  if (recursive_of(d)->is_anchored) {
    tree_axes_some(&m->tree, &d->work->tree, links.inner, links.end);
  }
}


void recursive_place_base(const artModel *m, artData *d)
{
  const treeBranches *tree = &recursive_of(d)->tree;
  treeData *t = &d->work->tree;
  t->world[0] = (treeWorld){m3_identity(), {0, 0, 0}};
  t->vel[0] = (motion){{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < tree->nbase; k++) {
    const int i = tree->base[k];
    tree_world_some(&m->tree, t, i, i + 1);
    tree_velocity_some(&m->tree, t, d->v, i, i + 1);
  }

  // axes refer to the anchor of their tree, which may be any link of the base
  if (!recursive_of(d)->is_anchored) return;
  for (int k = 0; k < tree->nbase; k++)
    tree_axes_some(&m->tree, t, tree->base[k], tree->base[k] + 1);
}


// a_0 of the branch, once the motion of its base is known
static void move_branch_links(const artModel *m, artData *d, recursiveBranch *branch)
{
  const treeBranch links = branch->links;
  tree_aba_outward(&m->tree, &d->work->tree, d->a, links.inner, links.end);
  branch->is_weak = method_singular_link(m, d, d->a, links.inner, links.end) != 0;
}


void recursive_inertia(const artModel *m, artData *d, int b)
{
  ART_ASSERT(b >= 0 && b < recursive_of(d)->tree.n);
  recursiveBranch *branch = &recursive_of(d)->branch[b];
  const treeModel *tree = &m->tree;
  treeData *t = &d->work->tree;
  const int first = branch->links.inner, end = branch->links.end;
  tree_aba_velocities(recursive_of(d)->weights, t, d->v, d->force, first, end);
  tree_aba_inward(tree, t, d->force, d->a, first, end);
  if (!stands_on_base(branch)) move_branch_links(m, d, branch);
}


void recursive_move(const artModel *m, artData *d, int b)
{
  recursiveBranch *branch = &recursive_of(d)->branch[b];
  if (stands_on_base(branch)) move_branch_links(m, d, branch);
}


void recursive_start_base(const artModel *m, artData *d)
{
  const treeBranches *tree = &recursive_of(d)->tree;
  treeData *t = &d->work->tree;
  t->body[0] = (treeBody){.acc = {{0, 0, 0}, v3_neg(m->tree.gravity)}};
  for (int k = 0; k < tree->nbase; k++) {
    const int i = tree->base[k];
    tree_aba_velocities(recursive_of(d)->weights, t, d->v, d->force, i, i + 1);
  }
}


void recursive_move_base(const artModel *m, artData *d)
{
  const treeBranches *tree = &recursive_of(d)->tree;
  treeData *t = &d->work->tree;
  for (int k = tree->nbase - 1; k >= 0; k--) {
    tree_aba_inward(&m->tree, t, d->force, d->a, tree->base[k], tree->base[k] + 1);
  }
  for (int k = 0; k < tree->nbase; k++) {
    tree_aba_outward(&m->tree, t, d->a, tree->base[k], tree->base[k] + 1);
  }
}


//---- unit multipliers ----------------------------------------------------------------------------


// convert a wrench at point r, in ground axes, to the origin and axes of a link
static wrench on_link(const artData *d, int link, v3 r, v3 force, v3 torque)
{
  if (link == 0) return nothing;
  const treeWorld *w = &d->work->tree.world[link];
  const v3 lin = m3_mul(w->R, force);
  const v3 moment = v3_cross(m3_mul(w->R, v3_sub(r, w->o)), lin);
  return (wrench){v3_add(m3_mul(w->R, torque), moment), lin};
}


// wrench on `to` of a cut, and its opposite on `from`
static void on_cut(const artData *d, const constraintWay *way, v3 r, v3 force, v3 torque,
                   wrench *from, wrench *to)
{
  *to = on_link(d, way->end[1], r, force, torque);
  *from = on_link(d, way->end[0], r, v3_neg(force), v3_neg(torque));
}


// the same force on both ends of a rod
static void on_rod(const artModel *m, const artData *d, const constraintWay *way, v3 force,
                   wrench *from, wrench *to)
{
  const v3 zero = {0, 0, 0};
  const cutSide *side = m->cut[m->rod[way->index]].side;
  const treeData *t = &d->work->tree;
  *from = on_link(d, way->end[0], tree_point(t, way->end[0], side[0].r), force, zero);
  *to = on_link(d, way->end[1], tree_point(t, way->end[1], side[1].r), force, zero);
}


void recursive_units(const artModel *m, artData *d)
{
  struct methodRecursive *r = recursive_of(d);
  for (int g = 0; g < r->count; g++) {
    constraintWay *way = &r->way[g];
    for (int k = 0; k < way->nrow[r->set] && way->kind == WAY_CUT; k++) {
      const loopRow *row = &d->work->loop->rows.row[way->row[k]];
      on_cut(d, way, row->r, row->u, row->t, &way->unit[0][k], &way->unit[1][k]);
    }
    for (int k = 0; k < 3 && way->kind == WAY_ROD; k++) {
      const double c = recursive_rod_scale(m, way->index);
      const v3 force = {c * (k == 0), c * (k == 1), c * (k == 2)};
      on_rod(m, d, way, force, &way->unit[0][k], &way->unit[1][k]);
    }
  }
}


// f += w if an end of the constraint is in links [first, end)
static void push_constraint_ends(const constraintWay *way, const wrench *from, const wrench *to,
                                 int first, int end, wrench *f)
{
  const int *link = way->end;
  if (link[1] >= first && link[1] < end) f[link[1]] = wr_add(f[link[1]], *to);
  if (link[0] >= first && link[0] < end) f[link[0]] = wr_add(f[link[0]], *from);
}


// tau += x J^T of a relation, for joints in [first, end)
static void push_relation(const artModel *m, const artData *d, const constraintWay *way, double x,
                          int first, int end, double *tau)
{
  ART_ASSERT(way->kind == WAY_RELATION);
  const modelRelation *r = &m->relation[way->index];
  const loopRows *rows = &d->work->loop->rows;
  const double *J = rows->J.value + rows->J.start[r->row];
  for (int k = 0; k < r->n; k++) {
    const int v = r->velocity[k], link = m->tree.dof_link[v];
    if (link >= first && link < end) tau[v] += x * J[rows->tied[way->index][k]];
  }
}


static void clear_relation(const artModel *m, const constraintWay *way, int first, int end,
                           double *tau)
{
  ART_ASSERT(way->kind == WAY_RELATION);
  const modelRelation *r = &m->relation[way->index];
  for (int k = 0; k < r->n; k++) {
    const int link = m->tree.dof_link[r->velocity[k]];
    if (link >= first && link < end) tau[r->velocity[k]] = 0;
  }
}


// propagate a unit multiplier inward over one joint
static void pass_multiplier_inward(const artModel *m, const artData *d, const constraintWay *way,
                                   wayLink step, int number)
{
  ART_ASSERT(number >= 0 && number < 6);
  struct methodRecursive *r = recursive_of(d);
  const treeLink *link = &m->tree.link[step.link];
  const treePose *pose = &d->work->tree.pose[step.link];
  double *u = r->u + step.at + number * link->nv;
  const double *tau = way->kind == WAY_RELATION ? r->tau + link->v0 : NULL;
  const wrench rest =
      tree_release(link, pose, &d->work->tree.art[step.link], r->f[step.link], tau, u);
  if (link->parent == 0) return;
  r->f[link->parent] = wr_add(r->f[link->parent], wr_back(pose->R, pose->p, rest));
}


// propagate a unit multiplier from the leaves of a branch to its root
static void send_row(const artModel *m, const artData *d, const recursiveBranch *branch,
                     const branchWay *b, int number)
{
  struct methodRecursive *r = recursive_of(d);
  const constraintWay *way = b->way;
  const treeBranch links = branch->links;
  for (int k = b->begin; k < b->end; k++) r->f[way->step[k].link] = nothing;
  r->f[links.first] = nothing;
  if (way->kind == WAY_RELATION) {
    push_relation(m, d, way, 1, links.inner, links.end, r->tau);
  } else {
    push_constraint_ends(way, &way->unit[0][number], &way->unit[1][number], links.first, links.end,
                         r->f);
  }
  for (int k = b->begin; k < b->end; k++) pass_multiplier_inward(m, d, way, way->step[k], number);
  if (stands_on_base(branch)) branch->root[b->place + number] = r->f[links.first];
  if (way->kind == WAY_RELATION) clear_relation(m, way, links.inner, links.end, r->tau);
}


// A_rs += sum of weight_k u_r[k] u_s[k] for the rows of two constraints, from a0 and b0 on; b not
// after a
static inline void add_constraint_meeting(double **A, rowSet set, const linkVisit *a, int a0,
                                          const linkVisit *b, int b0, int nv, const double *u,
                                          const double *weight)
{
  ART_ASSERT(nv <= 6);
  for (int i = 0; i < a->way->nrow[set]; i++) {
    double weighted[6];
    for (int k = 0; k < nv; k++) weighted[k] = weight[k] * u[a->at + i * nv + k];
    double *restrict row = A[a0 + i] + b0;
    const double *restrict other = u + b->at;
    const int last = a == b ? i + 1 : b->way->nrow[set];
    for (int j = 0; j < last; j++) {
      double sum = 0;
      for (int k = 0; k < nv; k++) sum += weighted[k] * other[j * nv + k];
      row[j] += sum;
    }
  }
}


// contribution of a link to the matrix of its branch (or to the whole matrix): all pairs of
// constraints that act on it
static void meet_at(const artModel *m, const artData *d, int i, int in_branch, double **A)
{
  const struct methodRecursive *r = recursive_of(d);
  const rowSet set = r->set;
  const treeLink *link = &m->tree.link[i];
  if (!recursive_yields(link)) return;
  const linkVisit *begin = r->visit + r->visit0[i], *end = r->visit + r->visit0[i + 1];
  double weight[6];
  for (const linkVisit *a = begin; a < end; a++) {
    tree_weigh(link, &d->work->tree.art[i], a->way->nrow[set], r->u + a->at, weight);
    const int a0 = in_branch ? a->place : a->way->first[set];
    for (const linkVisit *b = begin; b <= a; b++) {
      const int b0 = in_branch ? b->place : b->way->first[set];
      switch (link->nv) { // constant trip counts
      case 1: add_constraint_meeting(A, set, a, a0, b, b0, 1, r->u, weight); break;
      case 6: add_constraint_meeting(A, set, a, a0, b, b0, 6, r->u, weight); break;
      default: add_constraint_meeting(A, set, a, a0, b, b0, link->nv, r->u, weight);
      }
    }
  }
}


void recursive_rows(const artModel *m, artData *d, int b)
{
  ART_ASSERT(b >= 0 && b < recursive_of(d)->tree.n);
  const struct methodRecursive *r = recursive_of(d);
  const recursiveBranch *branch = &r->branch[b];
  if (branch->n == 0) return;
  for (int k = 0; k < branch->n; k++) {
    const branchWay *way = &branch->way[k];
    for (int i = 0; i < way->way->nrow[r->set]; i++) send_row(m, d, branch, way, i);
  }
  memset(branch->row[0], 0, (size_t) branch->nrow * (size_t) branch->nrow * sizeof(double));
  for (int i = branch->links.inner; i < branch->links.end; i++) meet_at(m, d, i, 1, branch->row);
}


void recursive_inward(const artModel *m, artData *d, int b)
{
  recursive_inertia(m, d, b);
  recursive_rows(m, d, b);
}


// the same from the roots of branches to ground
static void send_row_on(const artModel *m, const artData *d, const constraintWay *way, int number)
{
  struct methodRecursive *r = recursive_of(d);
  for (int k = 0; k < way->nbase; k++) {
    const baseLink *base = &way->base[k];
    r->f[base->step.link] = base->root ? base->root[number] : nothing;
  }
  for (int k = 0; k < way->nbase; k++) {
    const int i = way->base[k].step.link;
    if (way->kind == WAY_RELATION) {
      push_relation(m, d, way, 1, i, i + 1, r->tau);
    } else if (r->tree.of[i] < 0) {
      push_constraint_ends(way, &way->unit[0][number], &way->unit[1][number], i, i + 1, r->f);
    }
  }
  for (int k = 0; k < way->nbase; k++) pass_multiplier_inward(m, d, way, way->base[k].step, number);
  for (int k = 0; k < way->nbase && way->kind == WAY_RELATION; k++) {
    clear_relation(m, way, way->base[k].step.link, way->base[k].step.link + 1, r->tau);
  }
}


// add the matrix of a branch; uncoupled constraints have no entry in the skyline
static void add_branch_part(const recursiveBranch *branch, rowSet set, numSkyline *A)
{
  for (int p = 0; p < branch->n; p++) {
    const branchWay *a = &branch->way[p];
    for (int q = 0; q <= p; q++) {
      const branchWay *b = &branch->way[q];
      const int first = b->way->first[set];
      for (int i = 0; i < a->way->nrow[set]; i++) {
        const int row = a->way->first[set] + i;
        const int last = p == q ? i + 1 : b->way->nrow[set];
        if (first < A->first[row]) break;
        for (int j = 0; j < last; j++) {
          A->row[row][first + j] += branch->row[a->place + i][b->place + j];
        }
      }
    }
  }
}


void recursive_rows_base(const artModel *m, artData *d)
{
  struct methodRecursive *r = recursive_of(d);
  numSkyline *A = &r->delassus[r->set];
  for (int g = 0; g < r->count && r->tree.nbase > 0; g++) {
    for (int k = 0; k < r->way[g].nrow[r->set]; k++) send_row_on(m, d, &r->way[g], k);
  }
  skyline_clear(A);
  for (int b = 0; b < r->tree.n; b++) add_branch_part(&r->branch[b], r->set, A);
  for (int k = 0; k < r->tree.nbase; k++) meet_at(m, d, r->tree.base[k], 0, A->row);

  // 6/m, scaled
  for (int g = 0; g < r->count && m->nrod > 0; g++) {
    if (r->way[g].kind != WAY_ROD) continue;
    const int first = r->way[g].first[r->set];
    for (int k = first; k < first + 3; k++) A->row[k][k] += 1 / m->mass;
  }
}


//---- response to the multipliers -----------------------------------------------------------------


void recursive_push(const artModel *m, artData *d)
{
  struct methodRecursive *r = recursive_of(d);
  const loopRows *rows = &d->work->loop->rows;
  for (int g = 0; g < r->count; g++) {
    constraintWay *way = &r->way[g];
    if (way->kind == WAY_CUT) {
      const wrench f = rows_reaction(m, rows, way->index);
      on_cut(d, way, rows->state[way->index].to.r, f.lin, f.ang, &way->push[0], &way->push[1]);
    } else if (way->kind == WAY_ROD) {
      on_rod(m, d, way, d->work->rod_force[way->index], &way->push[0], &way->push[1]);
    }
  }
}


// forces of a constraint on links in [first, end) and on joints in [inner, end)
static void push_way(const artModel *m, const artData *d, const constraintWay *way, int first,
                     int inner, int end)
{
  struct methodRecursive *r = recursive_of(d);
  if (way->kind == WAY_RELATION) {
    const double lambda = d->work->loop->rows.lambda[m->relation[way->index].row];
    push_relation(m, d, way, lambda, inner, end, r->tau);
  } else {
    push_constraint_ends(way, &way->push[0], &way->push[1], first, end, r->f);
  }
}


// outward pass; resets the joint forces to zero
static void spread_branch_response(const artModel *m, artData *d, int first, int end)
{
  struct methodRecursive *r = recursive_of(d);
  tree_respond_outward(&m->tree, &d->work->tree, r->f, r->tau, d->a, first, end);
  for (int i = first; i < end; i++) {
    const treeLink *link = &m->tree.link[i];
    for (int k = 0; k < link->nv; k++) r->tau[link->v0 + k] = 0;
  }
}


void recursive_respond(const artModel *m, artData *d, int b)
{
  ART_ASSERT(b >= 0 && b < recursive_of(d)->tree.n);
  struct methodRecursive *r = recursive_of(d);
  const recursiveBranch *branch = &r->branch[b];
  const treeBranch links = branch->links;
  for (int i = links.first; i < links.end; i++) r->f[i] = nothing;
  for (int k = 0; k < branch->n; k++) {
    push_way(m, d, branch->way[k].way, links.first, links.inner, links.end);
  }
  tree_respond_inward(&m->tree, &d->work->tree, r->f, r->tau, links.inner, links.end);
  if (!stands_on_base(branch)) spread_branch_response(m, d, links.inner, links.end);
}


void recursive_spread(const artModel *m, artData *d, int b)
{
  const recursiveBranch *branch = &recursive_of(d)->branch[b];
  if (stands_on_base(branch)) spread_branch_response(m, d, branch->links.inner, branch->links.end);
}


void recursive_respond_base(const artModel *m, artData *d)
{
  struct methodRecursive *r = recursive_of(d);
  const treeBranches *tree = &r->tree;
  for (int k = 0; k < tree->nbase; k++) {
    const int i = tree->base[k];
    if (tree->of[i] < 0) r->f[i] = nothing;
  }
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    for (int k = 0; k < way->nbase; k++) {
      const int i = way->base[k].step.link;
      push_way(m, d, way, tree->of[i] < 0 ? i : i + 1, i, i + 1);
    }
  }
  for (int k = tree->nbase - 1; k >= 0; k--) {
    const int i = tree->base[k];
    tree_respond_inward(&m->tree, &d->work->tree, r->f, r->tau, i, i + 1);
  }
  for (int k = 0; k < tree->nbase; k++)
    spread_branch_response(m, d, tree->base[k], tree->base[k] + 1);
}
