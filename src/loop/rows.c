// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of cut joints and relations.
#include "loop/rows.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/numbers.h"
#include "force/force.h"

//---- a cut in ground -----------------------------------------------------------------------------

static inline v3 origin_of(const artData *d, const cutSide *side)
{
  const treeWorld *w = tree_in_ground(&d->work->tree, side->link);
  return v3_add(w->o, m3_back(w->R, side->r));
}


static inline m3 cut_side_axes(const artData *d, const cutSide *side)
{
  return data_axes(&side->R, tree_in_ground(&d->work->tree, side->link));
}


// computes rotational motion only on request
static inline cutMotion cut_side_motion(const artData *d, const cutSide *side, int turns)
{
  const treeData *t = &d->work->tree;
  const treeBody *body = tree_body(t, side->link);
  const m3 R = tree_in_ground(t, side->link)->R;

  // a + alpha x r + omega x (omega x r)
  const v3 around = v3_cross(body->omega, side->r);
  const v3 turning = v3_add(v3_cross(body->acc.ang, side->r), v3_cross(body->omega, around));
  cutMotion m = {.a = m3_back(R, v3_add(body->acc.lin, turning))};
  if (turns) {
    m.omega = m3_back(R, body->omega);
    m.alpha = m3_back(R, body->acc.ang);
  }
  return m;
}


// velocity of one side at the point r, without the motion common to both sides
static inline motion side_motion(const artModel *m, const artData *d, const cutSide *side, v3 r)
{
  const treeData *t = &d->work->tree;
  const treeAxes *S = &t->S;
  v3 ang = {0, 0, 0}, lin = {0, 0, 0};
  for (int i = 0; i < side->n; i++) {
    const int k = side->dof[i];
    const double v = d->v[k];
    ang = v3_add(ang, v3_scale(v, (v3){S->ax[k], S->ay[k], S->az[k]}));
    lin = v3_add(lin, v3_scale(v, (v3){S->lx[k], S->ly[k], S->lz[k]}));
  }
  const v3 arm = v3_sub(r, tree_in_ground(t, m->tree.anchor[side->link])->o);
  return (motion){ang, v3_add(lin, v3_cross(ang, arm))};
}


//---- single rows ---------------------------------------------------------------------------------

static inline rowShape shape_of(const modelCut *cut)
{
  return (rowShape){cut->axis2, cut->pitch, cut->length};
}


// rotation of a screw, with the number of full turns that fits the sliding best
static double cut_thread_angle(const cutState *s, double pitch)
{
  const double angle = atan2(v3_dot(s->from.e.y, s->to.e.x), v3_dot(s->from.e.x, s->to.e.x));
  const double full = 2 * acos(-1.0), slide = v3_dot(s->from.e.z, s->span);
  const double turns = pitch != 0 ? round((slide / pitch - angle) / full) : 0;
  return angle + full * turns;
}


// the one row of what rolls on a curved surface, where it is kept
static void curved_position(const artModel *m, const artData *d, loopRows *rows,
                            const loopKept *kept, int c)
{
  const modelCut *cut = &m->cut[c];
  const rowShape shape = shape_of(cut);
  cutState *s = &rows->state[c];
  s->from = (cutFrame){cut_side_axes(d, &cut->side[0]), origin_of(d, &cut->side[0])};
  s->to = (cutFrame){cut_side_axes(d, &cut->side[1]), origin_of(d, &cut->side[1])};
  s->span = v3_sub(s->to.r, s->from.r);
  if (kept[c].n == 0) return;
  const int k = kept[c].row[0];
  rows->phi[k] = row_curved(&shape, &cut->on, s, &rows->row[k]);
}


static void curved_gamma(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                         int c)
{
  const modelCut *cut = &m->cut[c];
  const rowShape shape = shape_of(cut);
  const cutState *s = &rows->state[c];
  const cutMotion a = cut_side_motion(d, &cut->side[0], 1);
  const cutMotion b = cut_side_motion(d, &cut->side[1], 1);
  const v3 w = v3_sub(side_motion(m, d, &cut->side[1], s->to.r).lin,
                      side_motion(m, d, &cut->side[0], s->to.r).lin);
  const spanMotion span = row_span(s, &a, &b, w);
  rows->gamma[kept[c].row[0]] = -row_curved_second(&shape, &cut->on, s, &a, &b, &span);
}


//---- relations -----------------------------------------------------------------------------------

// report an error of the function of a relation; a user function is called again to get its message
static artStatus relation_failed(const artData *d, const modelRelation *r, artStatus status,
                                 const modelCall *call, const double *x, const double *v,
                                 artError *error)
{
  arithmetic_renew();
  if (status == ART_OK) return ART_OK;
  if (call->function) {
    double input[2 * MODEL_LONGEST_RELATION + FUNCTION_PARAMETERS];
    double result[1 + MODEL_LONGEST_RELATION];
    const size_t n = (size_t) r->n;
    memcpy(input, x, n * sizeof *x);
    if (v) memcpy(input + n, v, n * sizeof *v);
    return model_call_relation(r, call, d->time, input, result, error);
  }
  return base_fail(error, status, r->place, "constraint '%s' failed at t = %.9g s: %s", r->name,
                   d->time, art_status_text(status));
}


// g and its derivatives
static artStatus relation_value(const artData *d, const modelRelation *r, double *g, double *dg,
                                artError *error)
{
  if (!r->user.value) {
    *g = -r->constant;
    for (int i = 0; i < r->n; i++) {
      *g += r->coefficient[i] * d->q[r->position[i]];
      dg[i] = r->coefficient[i];
    }
    return ART_OK;
  }
  double x[MODEL_LONGEST_RELATION];
  for (int i = 0; i < r->n; i++) x[i] = d->q[r->position[i]];
  return relation_failed(d, r, r->user.value(r->user.context, x, g, dg), &r->call, x, NULL, error);
}


//---- all rows ------------------------------------------------------------------------------------


void rows_select(const artModel *m, const char *keep, loopKept *kept)
{
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const rowKind *kinds = cut->kind;
    loopKept *k = &kept[c];
    *k = (loopKept){.n = 0};
    for (int i = 0; i < cut->nrow; i++) {
      if (keep && !keep[cut->row0 + i]) continue;
      k->row[k->n] = cut->row0 + i;
      k->kind[k->n++] = kinds[i];
      k->needs_to |= kinds[i] >= TURN_X && kinds[i] <= THREAD;
    }
  }
}


// index of each column within a row of J
static int *find_column_places(const loopMatrix *J, int row, int n, const int *column,
                               baseArena *arena)
{
  int *place = arena_alloc(arena, (size_t) n + 1, sizeof *place);
  for (int k = 0; place && k < n; k++) {
    place[k] = matrix_find(J, row, column[k]) - J->start[row];
    ART_ASSERT(place[k] >= 0);
  }
  return place;
}


// List the columns of a cut (or of relation tie - ncut), ascending, and its rows, which all have
// these columns. The two sides of a cut have no coordinate in common.
static int list_tie_columns(const artModel *m, int tie, int *column, int *row0, int *nrow)
{
  ART_ASSERT(tie >= 0 && tie < m->ncut + m->nrelation);
  int n = 0;
  if (tie < m->ncut) {
    const modelCut *cut = &m->cut[tie];
    *row0 = cut->row0, *nrow = cut->nrow;
    for (int s = 0; s < 2; s++) {
      for (int i = 0; i < cut->side[s].n; i++) column[n++] = cut->side[s].dof[i];
    }
    base_sort_ints(n, column);
    return n;
  }
  const modelRelation *r = &m->relation[tie - m->ncut];
  *row0 = r->row, *nrow = 1;
  memcpy(column, r->velocity, (size_t) r->n * sizeof *column);
  base_sort_ints(r->n, column);
  for (int k = 0; k < r->n; k++) {
    if (n == 0 || column[k] != column[n - 1]) column[n++] = column[k];
  }
  return n;
}


// the pattern of J
static int take_jacobian(loopRows *rows, const artModel *m, baseArena *arena)
{
  const int ties = m->ncut + m->nrelation;
  int row0, nrow;
  loopMatrix *J = &rows->J;
  *J = (loopMatrix){.m = m->nrow, .n = m->tree.nv};
  J->start = arena_alloc(arena, (size_t) m->nrow + 1, sizeof *J->start);
  rows->side = arena_alloc(arena, 2 * (size_t) m->ncut + 1, sizeof *rows->side);
  rows->tied = arena_alloc(arena, (size_t) m->nrelation + 1, sizeof *rows->tied);
  int *column = arena_alloc(arena, (size_t) (m->tree.nv + MODEL_LONGEST_RELATION), sizeof *column);
  if (!J->start || !rows->side || !rows->tied || !column) return 0;

  // first the length of every row, then the entries
  for (int tie = 0; tie < ties; tie++) {
    const int n = list_tie_columns(m, tie, column, &row0, &nrow);
    for (int i = row0; i < row0 + nrow; i++) J->start[i + 1] = n;
  }
  for (int i = 0; i < J->m; i++) J->start[i + 1] += J->start[i];
  if (!ARENA_TAKE(arena, J->column, (size_t) matrix_count(J) + 1) ||
      !ARENA_TAKE(arena, J->value, (size_t) matrix_count(J) + 1))
    return 0;
  for (int tie = 0; tie < ties; tie++) {
    const int n = list_tie_columns(m, tie, column, &row0, &nrow);
    for (int i = row0; i < row0 + nrow; i++) {
      if (n > 0) memcpy(J->column + J->start[i], column, (size_t) n * sizeof *column);
    }
  }
  for (int c = 0; c < 2 * m->ncut; c++) {
    const modelCut *cut = &m->cut[c / 2];
    const cutSide *side = &cut->side[c % 2];
    if (cut->nrow == 0) continue;
    rows->side[c] = find_column_places(J, cut->row0, side->n, side->dof, arena);
    if (!rows->side[c]) return 0;
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    rows->tied[i] = find_column_places(J, r->row, r->n, r->velocity, arena);
    if (!rows->tied[i]) return 0;
  }
  return 1;
}


int rows_start(loopRows *rows, const artModel *m, baseArena *arena)
{
  const size_t n = (size_t) m->nrow, ncut = (size_t) m->ncut;
  rows->all = arena_alloc(arena, ncut, sizeof *rows->all);
  if (!rows->all) return 0;
  rows_select(m, NULL, rows->all);
  return take_jacobian(rows, m, arena) && ARENA_TAKE(arena, rows->phi, n) &&
         ARENA_TAKE(arena, rows->gamma, n) && ARENA_TAKE(arena, rows->lambda, n) &&
         ARENA_TAKE(arena, rows->row, n) && ARENA_TAKE(arena, rows->state, ncut);
}


// cuts first to end - 1
static inline void cut_positions(const artModel *m, const artData *d, loopRows *rows,
                                 const loopKept *kept, int first, int end)
{
  for (int c = first; c < end; c++) {
    const modelCut *cut = &m->cut[c];
    const loopKept *k = &kept[c];
    cutState *s = &rows->state[c];
    if (cut->on.shape != ROLL_ON_PLANE) {
      curved_position(m, d, rows, kept, c);
      continue;
    }
    s->from.r = origin_of(d, &cut->side[0]);
    s->to.r = origin_of(d, &cut->side[1]);
    s->span = v3_sub(s->to.r, s->from.r);
    s->from.e = cut_side_axes(d, &cut->side[0]);
    if (k->needs_to) s->to.e = cut_side_axes(d, &cut->side[1]);
    const rowShape shape = shape_of(cut);
    for (int i = 0; i < k->n; i++) {
      const double angle = k->kind[i] == THREAD ? cut_thread_angle(s, cut->pitch) : 0;
      rows->phi[k->row[i]] = row_position(&shape, k->kind[i], s, angle, &rows->row[k->row[i]]);
    }
  }
}


void rows_others(const artModel *m, const artData *d, loopRows *rows, const loopKept *others)
{
  loopRow unused;
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const loopKept *k = &others[c];
    cutState *s = &rows->state[c];
    if (k->n == 0) continue;
    if (cut->on.shape != ROLL_ON_PLANE) {
      curved_position(m, d, rows, others, c);
      continue;
    }
    if (k->needs_to) s->to.e = cut_side_axes(d, &cut->side[1]);
    const rowShape shape = shape_of(cut);
    for (int i = 0; i < k->n; i++) {
      const double angle = k->kind[i] == THREAD ? cut_thread_angle(s, cut->pitch) : 0;
      rows->phi[k->row[i]] = row_position(&shape, k->kind[i], s, angle, &unused);
    }
  }
}


artStatus rows_positions(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                         artError *error)
{
  if (!kept) kept = rows->all;
  data_need_world(m, d);
  cut_positions(m, d, rows, kept, 0, m->ncut);
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    double dg[MODEL_LONGEST_RELATION];
    const artStatus status = relation_value(d, r, &rows->phi[r->row], dg, error);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


// J_k = +- S_k.w, with the wrench taken about the anchor of the side's tree; arm: vector from there
// to r
static inline void cut_side_entries(const treeAxes *S, const cutSide *side, const loopRow *row,
                                    v3 arm, double sign, const int *place, double *J)
{
  const v3 moment = v3_add(row->t, v3_cross(arm, row->u)), force = row->u;
  for (int i = 0; i < side->n; i++) {
    const int k = side->dof[i];
    J[place[i]] = sign * (S->ax[k] * moment.x + S->ay[k] * moment.y + S->az[k] * moment.z +
                          S->lx[k] * force.x + S->ly[k] * force.y + S->lz[k] * force.z);
  }
}


static inline void cut_jacobian(const artModel *m, const artData *d, loopRows *rows,
                                const loopKept *kept, int first, int end)
{
  const treeData *t = &d->work->tree;
  const treeAxes S = t->S;
  for (int c = first; c < end; c++) {
    const modelCut *cut = &m->cut[c];
    const cutSide *from = &cut->side[0], *to = &cut->side[1];
    const v3 r = rows->state[c].to.r;
    const v3 arm0 = v3_sub(r, tree_in_ground(t, m->tree.anchor[from->link])->o);
    const v3 arm1 = v3_sub(r, tree_in_ground(t, m->tree.anchor[to->link])->o);
    for (int i = 0; i < kept[c].n; i++) {
      const int k = kept[c].row[i];
      double *J = rows->J.value + rows->J.start[k];
      cut_side_entries(&S, from, &rows->row[k], arm0, -1, rows->side[2 * c], J);
      cut_side_entries(&S, to, &rows->row[k], arm1, 1, rows->side[2 * c + 1], J);
    }
  }
}


artStatus rows_relation(const artModel *m, const artData *d, loopRows *rows, int relation,
                        artError *error)
{
  ART_ASSERT(relation >= 0 && relation < m->nrelation);
  const modelRelation *r = &m->relation[relation];
  double dg[MODEL_LONGEST_RELATION];
  const artStatus status = relation_value(d, r, &rows->phi[r->row], dg, error);
  if (status != ART_OK) return status;
  double *J = rows->J.value + rows->J.start[r->row];
  for (int k = 0; k < r->n; k++) J[rows->tied[relation][k]] = dg[k];
  return ART_OK;
}


void rows_cut(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept, int cut)
{
  ART_ASSERT(cut >= 0 && cut < m->ncut);
  cut_positions(m, d, rows, kept, cut, cut + 1);
  cut_jacobian(m, d, rows, kept, cut, cut + 1);
}


artStatus rows_jacobian(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                        artError *error)
{
  if (!kept) kept = rows->all;
  cut_jacobian(m, d, rows, kept, 0, m->ncut);
  for (int i = 0; i < m->nrelation; i++) {
    const artStatus status = rows_relation(m, d, rows, i, error);
    if (status != ART_OK) return status;
  }
  return ART_OK;
}


static inline motion cut_relative_motion(const artModel *m, const artData *d, const modelCut *cut,
                                         v3 r)
{
  const motion to = side_motion(m, d, &cut->side[1], r), from = side_motion(m, d, &cut->side[0], r);
  return (motion){v3_sub(to.ang, from.ang), v3_sub(to.lin, from.lin)};
}


motion rows_motion(const artModel *m, const artData *d, const loopRows *rows, int c)
{
  ART_ASSERT(c >= 0 && c < m->ncut);
  return cut_relative_motion(m, d, &m->cut[c], rows->state[c].to.r);
}


motion rows_side_velocity(const artModel *m, const artData *d, const cutSide *side, v3 r)
{
  return side_motion(m, d, side, r);
}


cutMotion rows_side_motion(const artData *d, const cutSide *side)
{
  return cut_side_motion(d, side, 1);
}


artStatus rows_gamma(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                     artError *error)
{
  if (!kept) kept = rows->all;
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const loopKept *k = &kept[c];
    if (k->n == 0) continue;
    if (cut->on.shape != ROLL_ON_PLANE) {
      curved_gamma(m, d, rows, kept, c);
      continue;
    }
    const cutState *s = &rows->state[c];
    const cutMotion a = cut_side_motion(d, &cut->side[0], 1);
    const cutMotion b = cut_side_motion(d, &cut->side[1], k->needs_to);
    const spanMotion span = row_span(s, &a, &b, cut_relative_motion(m, d, cut, s->to.r).lin);
    const rowShape shape = shape_of(cut);
    for (int i = 0; i < k->n; i++) {
      rows->gamma[k->row[i]] = -row_second(&shape, k->kind[i], s, &a, &b, &span);
    }
  }
  for (int i = 0; i < m->nrelation; i++) {
    // g'' without accelerations of coordinates other than drives
    const modelRelation *r = &m->relation[i];
    double bias = 0, x[MODEL_LONGEST_RELATION], v[MODEL_LONGEST_RELATION];
    if (r->user.value) {
      for (int k = 0; k < r->n; k++) x[k] = d->q[r->position[k]], v[k] = d->v[r->velocity[k]];
      const artStatus status =
          relation_failed(d, r, r->user.bias(r->user.context, x, v, &bias), &r->bias, x, v, error);
      if (status != ART_OK) return status;
    }
    const double *J = rows->J.value + rows->J.start[r->row];
    for (int k = 0; k < r->n; k++) bias += J[rows->tied[i][k]] * d->work->a_drive[r->velocity[k]];
    rows->gamma[r->row] = -bias;
  }
  return ART_OK;
}


//---- reactions -----------------------------------------------------------------------------------


wrench rows_reaction(const artModel *m, const loopRows *rows, int c)
{
  ART_ASSERT(c >= 0 && c < m->ncut);
  const modelCut *cut = &m->cut[c];
  wrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = cut->row0; k < cut->row0 + cut->nrow; k++) {
    const loopRow *row = &rows->row[k];
    sum.ang = v3_add(sum.ang, v3_scale(rows->lambda[k], row->t));
    sum.lin = v3_add(sum.lin, v3_scale(rows->lambda[k], row->u));
  }
  return sum;
}


// apply a wrench at the point r (in ground axes) to a link
static void apply_row_wrench(artData *d, int link, v3 r, v3 force, v3 torque)
{
  if (link == 0) return;
  const treeWorld *w = tree_in_ground(&d->work->tree, link);
  force_wrench(d, link, m3_mul(w->R, v3_sub(r, w->o)), force, torque);
}


void rows_apply(const artModel *m, artData *d, const loopRows *rows)
{
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    if (cut->nrow == 0) continue;
    const wrench f = rows_reaction(m, rows, c);
    const v3 r = rows->state[c].to.r;
    apply_row_wrench(d, cut->side[1].link, r, f.lin, f.ang);
    apply_row_wrench(d, cut->side[0].link, r, v3_neg(f.lin), v3_neg(f.ang));
  }
}


void rows_relation_forces(const artModel *m, const loopRows *rows, double *force)
{
  const loopMatrix *J = &rows->J;
  memset(force, 0, (size_t) m->tree.nv * sizeof *force);
  for (int i = 0; i < m->nrelation; i++) {
    const int row = m->relation[i].row;
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      force[J->column[e]] += rows->lambda[row] * J->value[e];
    }
  }
}
