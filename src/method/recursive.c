// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recursive method (Bae, Haug 1987, on the articulated bodies of src/tree): the tree moves freely, then
// unit multipliers of every constraint are passed inward along its way to ground, one joint after the
// other, and
//
//   (J M^-1 J^T) lambda = gamma - J a_0
//   J M^-1 J^T = sum over joints of u_r . D^-1 u_s
//
// where u_r is what a joint feels of row r and D the articulated inertia it moves. Rows of loops that
// share no moving joint do not meet, so the matrix has a skyline. Rows that follow from others wherever
// the machine stands are left out, until it comes to a position where those others are not independent.
//
// A rod with mass adds three rows: the unknown force p on both of its ends (loop/rod.h), for which
//   S a + 6/m p = -s
// They are scaled such that 6/m becomes one over the mass of the machine, of the size of other entries.
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "loop/always.h"
#include "loop/loop.h"
#include "method/method.h"
#include "num/skyline.h"

// which rows take part
typedef enum rowSet { USUAL, ALL, SETS } rowSet;

// one link on the way of a constraint to ground
typedef struct wayLink {
  int link;
  int at; // in u: [rows][nv] of what the joint feels
} wayLink;

typedef enum wayKind { WAY_CUT, WAY_RELATION, WAY_ROD } wayKind;

// a cut, a relation or the mass of a rod: its rows, and all links that feel them
typedef struct constraintWay {
  wayKind kind;
  int index;                   // of model's cuts, relations or rods
  int row[6];                  // its rows, the usual ones first
  int first[SETS], nrow[SETS]; // where they stand in the matrix, how many there are
  int n;
  wayLink *step; // from the leaves to ground
} constraintWay;

// a constraint that a link feels
typedef struct linkVisit {
  const constraintWay *way;
  int at;
} linkVisit;

struct methodRecursive {
  int count;
  constraintWay *way;
  int *visit0; // [links + 1] first of each link's visits, in the order of ways
  linkVisit *visit;
  double *u;
  wrench *f;                 // [links]
  double *tau;               // [nv] all zero between evaluations
  char *keep;                // [nrow] usual rows
  loopKept *kept[SETS];      // [ncut] those of cuts
  loopKept *none;            // [ncut] no row of a cut
  numSkyline delassus[SETS]; // J M^-1 J^T
  double *x;                 // [nrow + 3 nrod] multipliers, as they stand in the matrix
};

//---- ways to ground ------------------------------------------------------------------------------


static void mark_way(const treeModel *t, int link, char *mark)
{
  for (; link > 0 && !mark[link]; link = t->link[link].parent) mark[link] = 1;
}


static void mark_constraint(const artModel *m, const constraintWay *way, char *mark)
{
  memset(mark, 0, (size_t) m->tree.n);
  if (way->kind != WAY_RELATION) {
    const modelCut *cut = &m->cut[way->kind == WAY_ROD ? m->rod[way->index] : way->index];
    mark_way(&m->tree, cut->side[0].link, mark);
    mark_way(&m->tree, cut->side[1].link, mark);
    return;
  }
  const modelRelation *r = &m->relation[way->index];
  for (int k = 0; k < r->n; k++) mark_way(&m->tree, m->tree.dof_link[r->velocity[k]], mark);
}


// does a joint give way to forces?
static int yields(const treeLink *link)
{
  return link->nv > 0 && !link->is_driven;
}


static int take_way(const artModel *m, constraintWay *way, char *mark, int *size, baseArena *arena)
{
  mark_constraint(m, way, mark);
  for (int i = 1; i < m->tree.n; i++) way->n += mark[i];
  way->step = arena_alloc(arena, (size_t) way->n, sizeof *way->step);
  if (!way->step) return 0;
  int count = 0;
  for (int i = m->tree.n - 1; i > 0; i--) {
    if (!mark[i]) continue;
    way->step[count++] = (wayLink){i, *size};
    if (yields(&m->tree.link[i])) *size += way->nrow[ALL] * m->tree.link[i].nv;
  }
  return 1;
}


// rows in the order in which the matrices hold them
static void take_rows(const artModel *m, const char *keep, constraintWay *way)
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


// cuts, each with its mass after it if it is a rod that has one, then relations
static void list_ways(const artModel *m, constraintWay *way)
{
  int rod = 0;
  for (int c = 0; c < m->ncut; c++) {
    *way++ = (constraintWay){.kind = WAY_CUT, .index = c};
    if (m->cut[c].mass > 0) *way++ = (constraintWay){.kind = WAY_ROD, .index = rod++};
  }
  for (int i = 0; i < m->nrelation; i++) {
    *way++ = (constraintWay){.kind = WAY_RELATION, .index = i};
  }
}


static int take_ways(const artModel *m, struct methodRecursive *r, baseArena *arena)
{
  char *mark = arena_alloc(arena, (size_t) m->tree.n, 1);
  r->count = m->ncut + m->nrod + m->nrelation;
  r->way = arena_alloc(arena, (size_t) r->count, sizeof *r->way);
  if (!mark || !r->way) return 0;
  int size = 0, first[SETS] = {0};
  list_ways(m, r->way);
  for (int g = 0; g < r->count; g++) {
    constraintWay *way = &r->way[g];
    take_rows(m, r->keep, way);
    for (int set = 0; set < SETS; set++) {
      way->first[set] = first[set];
      first[set] += way->nrow[set];
    }
    if (!take_way(m, way, mark, &size, arena)) return 0;
  }
  r->u = arena_alloc(arena, (size_t) size, sizeof *r->u);
  return r->u != NULL;
}


// the same by links: who visits each of them
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
      r->visit[place] = (linkVisit){way, way->step[k].at};
    }
  }
  return 1;
}


// rows meet from the first constraint on that moves one of their joints
static int take_skyline(const artModel *m, struct methodRecursive *r, rowSet set, baseArena *arena)
{
  int *first = arena_alloc(arena, (size_t) (m->nrow + 3 * m->nrod), sizeof *first);
  if (!first) return 0;
  int n = 0;
  for (int g = 0; g < r->count; g++) {
    const constraintWay *way = &r->way[g];
    int least = way->first[set];
    for (int k = 0; k < way->n; k++) {
      const int i = way->step[k].link;
      if (!yields(&m->tree.link[i])) continue;
      const int begin = r->visit[r->visit0[i]].way->first[set];
      if (begin < least) least = begin;
    }
    for (int k = 0; k < way->nrow[set]; k++) first[n++] = least;
  }
  return skyline_start(&r->delassus[set], n, first, arena);
}


// massless branches that the loops hold are nobody's in the cut tree
static artStatus check_branches(const artModel *m, artError *error)
{
  for (int i = 1; m->is_light && i < m->tree.n; i++) {
    if (!m->is_light[i]) continue;
    const modelJoint *joint = &m->joint[m->velocity[m->tree.link[i].v0].joint];
    return base_fail(
        error, ART_BAD_INPUT, joint->place,
        "method recursive cuts the loops and lets the tree move, where joint '%s' moves "
        "nothing that has mass: body '%s' and all it carries are massless; give it a "
        "mass, or choose method semirecursive or augmented",
        joint->name, m->body[joint->is_reversed ? joint->from : joint->to].name);
  }
  return ART_OK;
}


static artStatus start(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  baseArena *arena = &loop->memory;
  const size_t links = (size_t) m->tree.n, nv = (size_t) m->tree.nv, ncut = (size_t) m->ncut;
  const size_t nrow = (size_t) m->nrow, nrod = (size_t) m->nrod;
  struct methodRecursive *r = arena_alloc(arena, 1, sizeof *r);
  const int taken = r && (r->f = arena_alloc(arena, links, sizeof *r->f)) &&
                    (r->tau = arena_alloc(arena, nv, sizeof *r->tau)) &&
                    (r->keep = arena_alloc(arena, nrow, 1)) &&
                    (r->x = arena_alloc(arena, nrow + 3 * nrod, sizeof *r->x)) &&
                    (r->kept[USUAL] = arena_alloc(arena, ncut, sizeof *r->none)) &&
                    (r->none = arena_alloc(arena, ncut, sizeof *r->none));
  if (!taken) return base_no_memory(error);

  artStatus status = check_branches(m, error);
  if (status == ART_OK) status = always_needed(m, d, r->keep, error);
  if (status != ART_OK) return status;
  loop->is_closed = loop->has_stayed = 0;
  rows_select(m, r->keep, r->kept[USUAL]);
  r->kept[ALL] = loop->rows.all;
  const int made = take_ways(m, r, arena) && take_visits(m, r, arena) &&
                   take_skyline(m, r, USUAL, arena) && take_skyline(m, r, ALL, arena);
  if (!made) return base_no_memory(error);
  loop->recursive = r;
  return ART_OK;
}


//---- free motion ---------------------------------------------------------------------------------


// a_0
static artStatus move_freely(const artModel *m, artData *d, artError *error)
{
  struct loopWork *loop = d->work->loop;
  force_need_world(m, d);
  tree_axes(&m->tree, &d->work->tree);
  artStatus status = rows_jacobian(m, d, &loop->rows, loop->recursive->none, error);
  profile_end(d->work->profile, PROFILE_CONSTRAINTS);
  if (status == ART_OK) status = force_apply(m, d, error);
  profile_end(d->work->profile, PROFILE_FORCES);
  if (status == ART_OK) status = method_order_n(m, d, d->force, d->a, error);
  profile_end(d->work->profile, PROFILE_INERTIA);
  return status;
}


// in rows.gamma what a_0 leaves of gamma* - J a_0; *drift as by method_stabilise
static artStatus find_rest(const artModel *m, artData *d, rowSet set, double *drift,
                           artError *error)
{
  struct loopWork *loop = d->work->loop;
  loopRows *rows = &loop->rows;
  const loopKept *kept = loop->recursive->kept[set];

  // second derivatives of the cuts at the motion of the links, which is that of a_0
  artStatus status = rows_positions(m, d, rows, kept, error);
  if (status == ART_OK) status = rows_gamma(m, d, rows, kept, error);
  if (status != ART_OK) return status;
  rods_motion(m, d, &loop->rods);
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    const double *J = rows->J + r->row * (long) m->tree.nv;
    for (int k = 0; k < r->n; k++) {
      const int v = r->velocity[k];
      if (!loop->driven[v]) rows->gamma[r->row] -= J[v] * d->a[v];
    }
  }
  *drift = method_stabilise(m, d, kept);
  profile_end(d->work->profile, PROFILE_BIAS);
  return ART_OK;
}


//---- unit multipliers ----------------------------------------------------------------------------


// a wrench at the point r of ground onto a link, all in ground axes
static void push(const artData *d, int link, v3 r, v3 force, v3 torque, wrench *f)
{
  if (link == 0) return;
  const treeWorld *w = &d->work->tree.world[link];
  const v3 lin = m3_mul(w->R, force);
  const v3 moment = v3_cross(m3_mul(w->R, v3_sub(r, w->o)), lin);
  f[link] = wr_add(f[link], (wrench){v3_add(m3_mul(w->R, torque), moment), lin});
}


static void push_cut(const artData *d, const modelCut *cut, v3 r, v3 force, v3 torque, wrench *f)
{
  push(d, cut->side[1].link, r, force, torque, f);
  push(d, cut->side[0].link, r, v3_neg(force), v3_neg(torque), f);
}


// tau += x J^T of a relation
static void push_relation(const artModel *m, const artData *d, const modelRelation *r, double x,
                          double *tau)
{
  const double *J = d->work->loop->rows.J + r->row * (long) m->tree.nv;
  for (int k = 0; k < r->n; k++) tau[r->velocity[k]] += x * J[r->velocity[k]];
}


// the same force on both ends of a rod
static void push_rod(const artModel *m, const artData *d, int rod, v3 force, wrench *f)
{
  const v3 zero = {0, 0, 0};
  const cutSide *side = m->cut[m->rod[rod]].side;
  for (int k = 0; k < 2; k++) {
    push(d, side[k].link, tree_point(&d->work->tree, side[k].link, side[k].r), force, zero, f);
  }
}


// of the rows of a rod: sqrt(m/6 / M)
static double rod_scale(const artModel *m, int rod)
{
  return sqrt(m->cut[m->rod[rod]].mass / 6 / m->mass);
}


// pass one unit multiplier inward along its way
static void send_row(const artModel *m, const artData *d, struct methodRecursive *r,
                     const constraintWay *way, int number)
{
  const treeData *t = &d->work->tree;
  const v3 zero = {0, 0, 0};
  for (int k = 0; k < way->n; k++) r->f[way->step[k].link] = (wrench){zero, zero};
  if (way->kind == WAY_RELATION) {
    push_relation(m, d, &m->relation[way->index], 1, r->tau);
  } else if (way->kind == WAY_ROD) {
    const double c = rod_scale(m, way->index);
    push_rod(m, d, way->index, (v3){c * (number == 0), c * (number == 1), c * (number == 2)}, r->f);
  } else {
    const loopRow *unit = &d->work->loop->rows.row[way->row[number]];
    push_cut(d, &m->cut[way->index], unit->r, unit->u, unit->t, r->f);
  }

  for (int k = 0; k < way->n; k++) {
    const int i = way->step[k].link;
    const treeLink *link = &m->tree.link[i];
    const treePose *pose = &t->pose[i];
    double *u = r->u + way->step[k].at + number * link->nv;
    const double *tau = way->kind == WAY_RELATION ? r->tau + link->v0 : NULL;
    const wrench rest = tree_release(link, pose, &t->art[i], r->f[i], tau, u);
    if (link->parent == 0) continue;
    r->f[link->parent] = wr_add(r->f[link->parent], wr_back(pose->R, pose->p, rest));
  }
  if (way->kind != WAY_RELATION) return;
  const modelRelation *relation = &m->relation[way->index];
  for (int k = 0; k < relation->n; k++) r->tau[relation->velocity[k]] = 0;
}


// A_rs += sum of weight_k u_r[k] u_s[k] for the rows of two constraints, b not after a
static void meet(numSkyline *A, rowSet set, const linkVisit *a, const linkVisit *b, int nv,
                 const double *u, const double *weight)
{
  for (int i = 0; i < a->way->nrow[set]; i++) {
    double weighted[6];
    for (int k = 0; k < nv; k++) weighted[k] = weight[k] * u[a->at + i * nv + k];
    double *row = A->row[a->way->first[set] + i] + b->way->first[set];
    const int last = a == b ? i + 1 : b->way->nrow[set];
    for (int j = 0; j < last; j++) {
      const double *other = u + b->at + j * nv;
      for (int k = 0; k < nv; k++) row[j] += weighted[k] * other[k];
    }
  }
}


static void assemble(const artModel *m, const artData *d, struct methodRecursive *r, rowSet set)
{
  numSkyline *A = &r->delassus[set];
  skyline_clear(A);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (!yields(link)) continue;
    const linkVisit *begin = r->visit + r->visit0[i], *end = r->visit + r->visit0[i + 1];
    double weight[6];
    for (const linkVisit *a = begin; a < end; a++) {
      tree_weigh(link, &d->work->tree.art[i], a->way->nrow[set], r->u + a->at, weight);
      for (const linkVisit *b = begin; b <= a; b++) meet(A, set, a, b, link->nv, r->u, weight);
    }
  }

  // 6/m, scaled
  for (int g = 0; g < r->count && m->nrod > 0; g++) {
    if (r->way[g].kind != WAY_ROD) continue;
    const int first = r->way[g].first[set];
    for (int k = first; k < first + 3; k++) A->row[k][k] += 1 / m->mass;
  }
}


//---- multipliers ---------------------------------------------------------------------------------

// What rows that follow from others may ask for beyond them, in m/s^2 or rad/s^2: a part of what all
// rows ask for, and what the gaps of loops explain, which contradict each other a little.
static double forgiven(int n, const double *gamma, double drift)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(gamma[k]));
  return 1e-9 + 1e-3 * most + drift;
}


// J M^-1 J^T of a set of rows in its factors; *aside: how many of them follow from the others
static artStatus factor_rows(const artModel *m, artData *d, rowSet set, double *drift, int *aside,
                             artError *error)
{
  struct methodRecursive *r = d->work->loop->recursive;
  const artStatus status = find_rest(m, d, set, drift, error);
  if (status != ART_OK) return status;
  for (int g = 0; g < r->count; g++) {
    for (int k = 0; k < r->way[g].nrow[set]; k++) send_row(m, d, r, &r->way[g], k);
  }
  assemble(m, d, r, set);
  profile_end(d->work->profile, PROFILE_PROJECTION);
  *aside = skyline_factor(&r->delassus[set]);
  return ART_OK;
}


static artStatus report_contradiction(const artModel *m, const artData *d, rowSet set, int number,
                                      double left, artError *error)
{
  const constraintWay *way = d->work->loop->recursive->way;
  while (way->first[set] + way->nrow[set] <= number) way++;
  char name[MODEL_ROW_LENGTH];
  return base_fail(error, ART_SINGULAR, base_nowhere(),
                   "%s contradicts the other constraints and drives at t = %.9g s: it asks for an "
                   "acceleration that differs from theirs by %.3g",
                   model_row_name(m, way->row[number - way->first[set]], name), d->time, left);
}


// what a constraint asks for, one number a row
static void put_rest(const artModel *m, const artData *d, const constraintWay *way, rowSet set,
                     double *x)
{
  const struct loopWork *loop = d->work->loop;
  if (way->kind == WAY_ROD) {
    const v3 rest = v3_scale(-rod_scale(m, way->index), loop->rods.s[way->index]);
    x[0] = rest.x, x[1] = rest.y, x[2] = rest.z;
    return;
  }
  for (int k = 0; k < way->nrow[set]; k++) x[k] = loop->rows.gamma[way->row[k]];
}


// and what it does
static void take_multipliers(const artModel *m, artData *d, const constraintWay *way, rowSet set,
                             const double *x)
{
  if (way->kind == WAY_ROD) {
    d->work->rod_force[way->index] = v3_scale(rod_scale(m, way->index), (v3){x[0], x[1], x[2]});
    return;
  }
  for (int k = 0; k < way->nrow[set]; k++) d->work->loop->rows.lambda[way->row[k]] = x[k];
}


static artStatus solve_rows(const artModel *m, artData *d, rowSet set, double drift,
                            artError *error)
{
  const struct methodRecursive *r = d->work->loop->recursive;
  loopRows *rows = &d->work->loop->rows;
  const int n = r->delassus[set].n;
  int worst = -1;
  for (int g = 0; g < r->count; g++) {
    put_rest(m, d, &r->way[g], set, r->x + r->way[g].first[set]);
  }
  const double most = forgiven(n, r->x, drift),
               left = skyline_solve(&r->delassus[set], r->x, &worst);
  memset(rows->lambda, 0, (size_t) m->nrow * sizeof *rows->lambda);
  for (int g = 0; g < r->count; g++) {
    take_multipliers(m, d, &r->way[g], set, r->x + r->way[g].first[set]);
  }
  return left <= most ? ART_OK : report_contradiction(m, d, set, worst, left, error);
}


static artStatus find_multipliers(const artModel *m, artData *d, artError *error)
{
  const struct methodRecursive *r = d->work->loop->recursive;
  double drift = 0;
  int aside = 0;
  rowSet set = USUAL;
  artStatus status = factor_rows(m, d, set, &drift, &aside, error);

  // rows left out follow from the usual ones where these are independent, and perhaps nowhere else
  if (status == ART_OK && aside > 0 && r->delassus[USUAL].n < r->delassus[ALL].n) {
    set = ALL;
    status = factor_rows(m, d, set, &drift, &aside, error);
  }
  return status == ART_OK ? solve_rows(m, d, set, drift, error) : status;
}


static void respond(const artModel *m, artData *d)
{
  struct methodRecursive *r = d->work->loop->recursive;
  const loopRows *rows = &d->work->loop->rows;
  const v3 zero = {0, 0, 0};
  for (int i = 0; i < m->tree.n; i++) r->f[i] = (wrench){zero, zero};
  for (int c = 0; c < m->ncut; c++) {
    if (m->cut[c].nrow == 0) continue;
    const wrench f = rows_reaction(m, rows, c);
    push_cut(d, &m->cut[c], rows->state[c].to.r, f.lin, f.ang, r->f);
  }
  for (int i = 0; i < m->nrod; i++) push_rod(m, d, i, d->work->rod_force[i], r->f);
  for (int i = 0; i < m->nrelation; i++) {
    push_relation(m, d, &m->relation[i], rows->lambda[m->relation[i].row], r->tau);
  }
  tree_respond(&m->tree, &d->work->tree, r->f, r->tau, d->a);
  memset(r->tau, 0, (size_t) m->tree.nv * sizeof *r->tau);
}


artStatus method_recursive(const artModel *m, artData *d, artError *error)
{
  artStatus status = d->work->loop->recursive ? ART_OK : start(m, d, error);
  if (status == ART_OK && method_is_singular(m, d)) return method_semirecursive(m, d, error);
  profile_begin(d->work->profile);
  if (status == ART_OK) status = move_freely(m, d, error);
  if (status == ART_OK) status = find_multipliers(m, d, error);
  if (status == ART_OK) respond(m, d);
  profile_end(d->work->profile, PROFILE_SOLUTION);
  return status;
}
