// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The whole machine as one function: drives, closed loops, forces, accelerations.
//
//   driven coordinates from the time
//   dependent positions by Newton's method, block after block
//   dependent velocities        v_v = B v_u,      J_v B = -J_u
//   dependent accelerations     a_v = B a_u + b,  J_v b = gamma
//   forces of all elements
//   R^T M R a_f = -R^T h,  R = [1; B],  h the joint forces less tau at the accelerations a_0 with a_f = 0
#include <stdlib.h>
#include <string.h>

#include "gen/build.h"
#include "gen/tree/tree_part.h"
#include "loop/loop.h"
#include "model/define/study_def.h"
#include "sym/loop_symbolic.h"

//---- stages --------------------------------------------------------------------------------------

void gen_add_stage(genBuild *b, eqnFunction *f, eqnStage stage)
{
  stage.root = gen_copy(b, stage.nroot, stage.root);
  stage.unknown = gen_copy(b, stage.nunknown, stage.unknown);
  stage.correction = gen_copy(b, stage.nunknown, stage.correction);
  f->stage[f->nstage++] = stage;
}


// with either sign, since readers may have taken the other one
void gen_add_straight(genBuild *b, eqnFunction *f, const char *title, eqnGroup group, int n,
                      int *root)
{
  int *both = gen_alloc(b, 2 * (size_t) n, sizeof *both), count = 0;
  for (int i = 0; i < n; i++) {
    if (root[i] == 0) continue;
    both[count++] = root[i];
    both[count++] = expr_neg(b->pool, root[i]);
  }
  gen_add_stage(b, f, (eqnStage){.title = title, .group = group, .nroot = count, .root = both});
}


void gen_add_assignment(genBuild *b, eqnFunction *f, const char *title, eqnGroup group, int n,
                        int *symbol, int *value)
{
  gen_add_stage(b, f,
                (eqnStage){.title = title,
                           .group = group,
                           .kind = STAGE_ASSIGN,
                           .nunknown = n,
                           .unknown = symbol,
                           .correction = value});
}


void gen_assign_dependent(genBuild *b, eqnFunction *f, const char *title, eqnGroup group,
                          const int *symbol, int *value)
{
  const genLoops *l = &b->loops;
  int *unknown = gen_alloc(b, (size_t) l->nd, sizeof *unknown);
  for (int i = 0; i < l->nd; i++) unknown[i] = symbol[l->dependent[i]];
  gen_add_assignment(b, f, title, group, l->nd, unknown, value);
}


void gen_drive_stage(genBuild *b, eqnFunction *f, int with_accelerations)
{
  const artModel *m = b->m;
  const int orders = with_accelerations ? 3 : 2;
  const size_t n = (size_t) (orders * m->ndrive);
  int *unknown = gen_alloc(b, n, sizeof *unknown), *value = gen_alloc(b, n, sizeof *value);
  if (n == 0) return;
  for (int i = 0; i < m->ndrive; i++) {
    const int symbol[3] = {b->tree->q[m->drive[i].position], b->tree->v[m->drive[i].velocity],
                           b->tree->a[m->drive[i].velocity]};
    for (int k = 0; k < orders; k++) {
      unknown[orders * i + k] = symbol[k];
      value[orders * i + k] = b->drive[k][i];
    }
  }
  gen_add_assignment(b, f, "drives", GROUP_OTHER, (int) n, unknown, value);
}


//---- dependent positions -------------------------------------------------------------------------

// the correction of Newton's method to the positions of block k, at its velocity coordinates; returns the
// square of its residuals
static int newton_step(genBuild *b, int k, int *move)
{
  exprPool *p = b->pool;
  const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
  int *x = gen_alloc(b, (size_t) n, sizeof *x), residual = 0;
  for (int i = 0; i < n; i++) {
    const int phi = b->closing.phi[b->blocks.row[first + i]];
    residual = expr_add(p, residual, expr_mul(p, phi, phi));
    x[i] = expr_neg(p, phi);
  }
  expr_solving(p, 1);
  gen_solve(p, n, b->loops.LU[k], x);
  expr_solving(p, 0);
  for (int i = 0; i < n; i++) move[b->blocks.column[first + i]] = x[i];
  return residual;
}


// coordinates that Newton's method moves
typedef struct newtonWork {
  int *move;            // [nv] zero between stages
  int *symbol, *change; // [nq] of the coordinates that move
  int count;
} newtonWork;


// the coordinates of a link, once; its corrections are forgotten
static void add_newton_link(genBuild *b, const treeLink *link, newtonWork *w)
{
  int dq[7];
  const int n = gen_link_rates(b, link, w->move, dq);
  for (int k = 0; k < n; k++) {
    if (dq[k] == 0) continue;
    w->symbol[w->count] = b->tree->q[link->q0 + k];
    w->change[w->count++] = dq[k];
  }
  memset(w->move + link->v0, 0, (size_t) link->nv * sizeof *w->move);
}


static int compare_node_numbers(const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}


// Newton's method for the positions of all blocks of one group
static void newton_stage(genBuild *b, eqnFunction *f, const int *member, int nmember, newtonWork *w)
{
  ART_ASSERT(nmember > 0);
  exprPool *p = b->pool;
  const genBlocks *blocks = &b->blocks;
  int residual = 0, n = 0;
  for (int m = 0; m < nmember; m++) {
    const int k = member[m], first = blocks->start[k], end = blocks->start[k + 1];
    residual = expr_add(p, residual, newton_step(b, k, w->move));
    for (int i = first; i < end; i++) {
      w->symbol[n++] = b->m->tree.dof_link[blocks->column[i]];
    }
  }
  int *link = gen_copy(b, n, w->symbol);
  qsort(link, (size_t) n, sizeof *link, compare_node_numbers);
  w->count = 0;
  for (int i = 0; i < n; i++) {
    if (i == 0 || link[i] != link[i - 1]) add_newton_link(b, &b->m->tree.link[link[i]], w);
  }
  const int group = blocks->group[member[0]];
  char *title = arena_format(&b->program->arena, "dependent positions, %s %d of %d",
                             b->options->together ? "group" : "block", group + 1, blocks->groups);
  gen_add_stage(
      b, f,
      (eqnStage){.title = title,
                 .group = GROUP_POSITION,
                 .kind = STAGE_NEWTON,
                 .block = member[0] + 1,
                 .size = n,
                 .coordinate = b->m->velocity[blocks->column[blocks->start[member[0]]]].name,
                 .nunknown = w->count,
                 .unknown = w->symbol,
                 .correction = w->change,
                 .residual = residual,
                 .tolerance = 1e-12,
                 .first = 1e-14,
                 .most = 30});
}


// groups one after the other
void gen_closing_stages(genBuild *b, eqnFunction *f)
{
  const genBlocks *blocks = &b->blocks;
  const size_t count = (size_t) blocks->count, nq = (size_t) b->tree->nq;
  int *member = gen_alloc(b, count, sizeof *member);
  int *start = gen_alloc(b, (size_t) blocks->groups + 1, sizeof *start);
  newtonWork w = {.move = gen_alloc(b, (size_t) b->tree->nv, sizeof *w.move),
                  .symbol = gen_alloc(b, nq, sizeof *w.symbol),
                  .change = gen_alloc(b, nq, sizeof *w.change)};
  for (int k = 0; k < blocks->count; k++) start[blocks->group[k] + 1]++;
  for (int g = 0; g < blocks->groups; g++) start[g + 1] += start[g];
  for (int k = blocks->count - 1; k >= 0; k--) member[--start[blocks->group[k] + 1]] = k;
  for (int g = 0; g < blocks->groups; g++) {
    const int from = start[g + 1], to = g + 1 < blocks->groups ? start[g + 2] : blocks->count;
    newton_stage(b, f, member + from, to - from, &w);
  }
}


//---- dependent velocities and accelerations ------------------------------------------------------

// what inertia is taken to the free coordinates by, for dependent velocities to count
static void coupling_stage(genBuild *b, eqnFunction *f)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  size_t room = 0;
  for (int k = 0; k < b->blocks.count; k++) {
    const int n = b->blocks.start[k + 1] - b->blocks.start[k];
    room += (size_t) n * (size_t) (nu + n);
  }
  int *root = gen_alloc(b, room, sizeof *root), count = 0;
  for (int k = 0; k < b->blocks.count; k++) {
    const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
    memcpy(root + count, l->B + first * nu, (size_t) (n * nu) * sizeof *root);
    count += n * nu;
    if (!l->T[k]) continue;
    memcpy(root + count, l->T[k], (size_t) (n * n) * sizeof *root);
    count += n * n;
  }
  gen_add_straight(b, f, "couplings", GROUP_VELOCITY, count, root);
}


//---- mass and bias -------------------------------------------------------------------------------

// rods, and joint forces of elements
static void add_elements(genBuild *b, genMatrix *M, int *h)
{
  gen_add_rods(b, M, h);
  for (int k = 0; k < b->tree->nv; k++) h[k] = expr_sub(b->pool, h[k], b->tau[k]);
}


void gen_find_dynamics(genBuild *b, const int *a_0, genDynamics *d)
{
  const size_t nv = (size_t) b->tree->nv;
  genMatrix lower;
  d->h = gen_alloc(b, nv, sizeof *d->h);
  sym_tree_accelerations(b->tree, a_0);
  gen_tree_mass_bias(b, a_0, &lower, d->h);
  add_elements(b, &lower, d->h);
  matrix_mirror(&d->M, &lower, &b->program->arena);
}


void gen_missing_at(genBuild *b, const int *a, int *h, int *moved)
{
  sym_tree_accelerations(b->tree, a);
  gen_tree_inverse(b, a, h, moved);
  add_elements(b, NULL, h);
}


//---- multipliers ---------------------------------------------------------------------------------

// J^T of the rows that are used: of each coordinate the rows that see it, by their places in the partition
static void transpose_rows(genBuild *b, const loopPartition *part, genMatrix *T)
{
  const genMatrix *J = &b->rows.J;
  baseArena *arena = &b->program->arena;
  matrix_open(T, b->tree->nv, arena);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < part->nd; i++) {
      const int row = part->block_row[i];
      for (int k = 0; k < J->count[row]; k++) {
        const genEntry *e = &J->row[row][k];
        if (pass == 1) T->row[e->column][T->count[e->column]] = (genEntry){i, e->node};
        T->count[e->column]++;
      }
    }
    for (int j = 0; pass == 0 && j < T->n; j++) {
      T->row[j] = arena_alloc(arena, (size_t) T->count[j], sizeof **T->row);
      T->count[j] = 0;
    }
  }
}


void gen_find_multipliers(genBuild *b, const int *missing)
{
  exprPool *p = b->pool;
  const loopPartition *part = &b->d->work->loop->partition;
  const int nd = b->loops.nd;
  b->multiplier = gen_alloc(b, (size_t) b->m->nrow, sizeof *b->multiplier);
  int *x = gen_alloc(b, (size_t) nd, sizeof *x);
  genMatrix seen;
  transpose_rows(b, part, &seen);
  for (int i = 0; i < nd; i++) x[i] = missing[b->blocks.place[part->block_column[i]]];
  expr_solving(p, 1);
  for (int k = part->block_count - 1; k >= 0; k--) {
    const int first = part->block_start[k], n = part->block_start[k + 1] - first;
    int *T = gen_alloc(b, (size_t) n * (size_t) n, sizeof *T);
    for (int i = 0; i < n; i++) {
      // of the rows as they are defined, of which the multipliers are asked
      const int column = part->block_column[first + i];
      for (int j = 0; j < n; j++) {
        T[i * n + j] = matrix_entry(&b->rows.J, part->block_row[first + j], column);
      }
      for (int c = 0; c < seen.count[column]; c++) {
        const genEntry *e = &seen.row[column][c];
        if (e->column < first + n) continue;
        x[first + i] = expr_sub(p, x[first + i], expr_mul(p, e->node, x[e->column]));
      }
    }
    gen_factor(p, n, T);
    gen_solve(p, n, T, x + first);
  }
  expr_solving(p, 0);
  for (int i = 0; i < nd; i++) b->multiplier[part->block_row[i]] = x[i];
}


//---- machines with loops -------------------------------------------------------------------------

// the known part of the accelerations, without the free ones, [nv]
static int *known_accelerations(genBuild *b)
{
  const genLoops *l = &b->loops;
  int *a_0 = gen_alloc(b, (size_t) b->tree->nv, sizeof *a_0);
  for (int i = 0; i < b->m->ndrive; i++) a_0[b->m->drive[i].velocity] = b->drive[2][i];
  const int *x = gen_follow_accelerations(b, a_0, NULL);
  for (int i = 0; i < l->nd; i++) a_0[l->dependent[i]] = x[i];
  return a_0;
}


// drives and loops give the missing forces, and loops take no power:
//   P = v_c^T (r_c + B_c^T r_v),  r_c = h_c + M_cf a_f + M_cv B a_f
static void find_drive_power(genBuild *b, const genDynamics *d, const int *missing, const int *a_f)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  int *alone = gen_alloc(b, (size_t) b->tree->nv, sizeof *alone);
  for (int f = 0; f < l->nf; f++) alone[l->free[f]] = a_f[f];
  const int *a_v = gen_follow_velocities(b, alone);
  for (int c = 0; c < l->nc; c++) {
    int sum = expr_sub(p, d->h[l->driven[c]], gen_roll_share(b, l->driven[c]));
    for (int f = 0; f < l->nf; f++) {
      const int m = gen_mass_entry(d, l->driven[c], l->free[f]);
      sum = expr_add(p, sum, expr_mul(p, m, a_f[f]));
    }
    for (int i = 0; i < l->nd; i++) {
      const int m = gen_mass_entry(d, l->driven[c], l->dependent[i]), B = l->B[i * nu + l->nf + c];
      sum = expr_add(p, sum, expr_mul(p, m, a_v[i]));
      sum = expr_add(p, sum, expr_mul(p, B, missing[i]));
    }
    b->drive_power = expr_add(p, b->drive_power, expr_mul(p, sum, b->tree->v[l->driven[c]]));
  }
}


static void mass_stage(genBuild *b, eqnFunction *f, const genMatrix *M)
{
  int n = 0, count = 0;
  for (int i = 0; i < M->n; i++) n += M->count[i];
  int *root = gen_alloc(b, (size_t) n, sizeof *root);
  for (int i = 0; i < M->n; i++) {
    for (int k = 0; k < M->count[i] && M->row[i][k].column <= i; k++) {
      root[count++] = M->row[i][k].node;
    }
  }
  gen_add_straight(b, f, "mass matrix of the tree", GROUP_BACKWARD, count, root);
}


void gen_open_loops(genBuild *b)
{
  const loopPartition *part = &b->d->work->loop->partition;
  genLoops *l = &b->loops;
  if (l->LU) return;
  *l = (genLoops){.nd = part->nd,
                  .nf = part->nf,
                  .nc = part->nc,
                  .dependent = b->blocks.column,
                  .free = part->free,
                  .driven = part->driven};
  l->LU = gen_alloc(b, (size_t) b->blocks.count, sizeof *l->LU);
  for (int k = 0; k < b->blocks.count; k++) {
    // the factors of a diagonal block, [n n]
    ART_ASSERT(k >= 0 && k < b->blocks.count);
    const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
    int *LU = gen_alloc(b, (size_t) n * (size_t) n, sizeof *LU);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        LU[i * n + j] = gen_closing_entry(b, first + i, b->blocks.column[first + j]);
      }
    }
    expr_solving(b->pool, 1);
    gen_factor(b->pool, n, LU);
    expr_solving(b->pool, 0);
    l->LU[k] = LU;
  }
  gen_couple(b);
}


// of the reduced equations, in place, and into a_0[nv], which has what is known without them
static void find_free_accelerations(genBuild *b, int *a_0, genReduced *reduced)
{
  const genLoops *l = &b->loops;
  for (int i = 0; i < reduced->n; i++) reduced->r[i] = expr_neg(b->pool, reduced->r[i]);
  if (b->m->nroll > 0) {
    gen_roll_accelerations(b, a_0, reduced->r);
  } else {
    gen_eliminate_symmetric(b->pool, reduced->n, reduced->A, reduced->r);
  }
  for (int i = 0; i < l->nf; i++) a_0[l->free[i]] = reduced->r[i];
}


// what rolls gives its part of the missing forces [nd]
static void take_out_rolling(genBuild *b, int *missing)
{
  const genLoops *l = &b->loops;
  for (int i = 0; i < l->nd; i++) {
    missing[i] = expr_sub(b->pool, missing[i], gen_roll_share(b, l->dependent[i]));
  }
}


static void record_looped_machine(genBuild *b, eqnFunction *f)
{
  const genLoops *l = &b->loops;
  gen_open_loops(b);
  gen_closing_stages(b, f);
  gen_choose_cheapest_way(b);
  gen_name_loops(b);
  if (b->m->nroll > 0) gen_roll_velocities(b, f);
  gen_assign_dependent(b, f, "dependent velocities", GROUP_VELOCITY, b->tree->v,
                       gen_follow_velocities(b, b->tree->v));
  coupling_stage(b, f);
  gen_add_straight(b, f, "terms of dependent accelerations", GROUP_ACCELERATION, l->nd, l->b);

  genDynamics *d = &b->dynamics, rest, recursive;
  genReduced reduced;
  int *a_0 = known_accelerations(b), *none = gen_alloc(b, (size_t) b->tree->nv, sizeof *none);
  gen_find_dynamics(b, a_0, &recursive);
  gen_find_dynamics(b, none, &rest);
  gen_reduce(b, &rest, &reduced);
  gen_choose_right_side(b, &rest, &recursive, a_0, &reduced);
  const int nv = b->tree->nv;
  gen_wheel_stages(b, f);
  gen_add_straight(b, f, "forces", GROUP_FORCES, nv, b->tau);
  gen_add_straight(b, f, "forces on links", GROUP_FORCES, 6 * b->tree->n, (int *) b->applied);
  gen_add_straight(b, f, "bias of the tree", GROUP_FORWARD, nv, d->recursion);
  mass_stage(b, f, &d->M);
  gen_add_straight(b, f, "reduction, block by block", GROUP_REDUCTION, reduced.npart, reduced.part);
  gen_add_straight(b, f, "reduction to the free coordinates", GROUP_REDUCTION,
                   reduced.n * reduced.n, reduced.A);
  gen_add_straight(b, f, "right side", GROUP_REDUCTION, reduced.n, reduced.r);
  gen_name_reduced(b, &reduced);
  find_free_accelerations(b, a_0, &reduced);
  const int *x = gen_follow_accelerations(b, a_0, a_0);
  for (int i = 0; i < l->nd; i++) a_0[l->dependent[i]] = x[i];
  b->acceleration = a_0;
  gen_add_straight(b, f, "accelerations", GROUP_SOLVE, nv, a_0);
  int *missing = gen_missing_forces(b, &rest, &reduced, d->h, a_0);
  take_out_rolling(b, missing);
  find_drive_power(b, d, missing, reduced.r);
  gen_find_multipliers(b, missing);
}


//---- trees ---------------------------------------------------------------------------------------

static void record_tree_machine(genBuild *b, eqnFunction *f)
{
  const int nv = b->tree->nv;
  int *a = gen_alloc(b, (size_t) nv, sizeof *a);
  for (int i = 0; i < b->m->ndrive; i++) a[b->m->drive[i].velocity] = b->drive[2][i];
  sym_tree_accelerations(b->tree, a);
  gen_wheel_stages(b, f);
  gen_add_straight(b, f, "forces", GROUP_FORCES, nv, b->tau);
  gen_add_straight(b, f, "forces on links", GROUP_FORCES, 6 * b->tree->n, (int *) b->applied);
  genFactors d = {0};
  (b->options->masks ? gen_locked_forward : gen_tree_forward)(b, a, &d);
  b->acceleration = a;
  if (d.M) {
    gen_add_straight(b, f, "bias of the tree", GROUP_FORWARD, nv, d.h);
    gen_add_straight(b, f, "mass matrix of the tree", GROUP_BACKWARD, nv * nv, d.M);
  }
  gen_add_straight(b, f, d.M ? "accelerations" : "accelerations by articulated bodies",
                   d.M ? GROUP_SOLVE : GROUP_BACKWARD, nv, a);
  // joint forces at the accelerations less forces of elements
  exprPool *p = b->pool;
  int *total = gen_alloc(b, (size_t) b->tree->nv, sizeof *total);
  if (b->m->ndrive == 0) return;
  sym_tree_accelerations(b->tree, b->acceleration);
  sym_record_inverse(b->tree, total, NULL);
  for (int i = 0; i < b->m->ndrive; i++) {
    const int k = b->m->drive[i].velocity;
    const int force = expr_sub(p, total[k], b->tau[k]);
    b->drive_power = expr_add(p, b->drive_power, expr_mul(p, force, b->tree->v[k]));
  }
}


//---- all together --------------------------------------------------------------------------------

eqnFunction *gen_like_accelerate(genBuild *b, eqnFunctionKind kind, const char *what, int noutput)
{
  // room for one more input
  eqnFunction *f = gen_add_function(b, kind, what, GEN_STATE_INPUTS + 4, noutput, 0);
  const eqnFunction *first = eqn_function(b->program, EQN_ACCELERATE);
  f->ninput = first->ninput;
  f->nstage = first->nstage;
  f->stage = first->stage;
  f->noutput = 0;
  memcpy(f->input, first->input, (size_t) first->ninput * sizeof *f->input);
  return f;
}


eqnVector gen_multipliers(genBuild *b)
{
  const char **label = gen_alloc(b, (size_t) b->m->nrow, sizeof *label);
  for (int i = 0; i < b->m->nrow; i++) {
    char name[MODEL_ROW_LENGTH];
    label[i] = arena_text(&b->program->arena, model_row_name(b->m, i, name));
  }
  return gen_vector(b, "multiplier", "multipliers of the constraint rows", b->m->nrow,
                    b->multiplier, label);
}


static void add_multipliers_function(genBuild *b)
{
  eqnFunction *f = gen_like_accelerate(
      b, EQN_MULTIPLIERS, "forces that keep the loops closed, one for each row; also accelerations",
      2);
  f->output[f->noutput++] = gen_accelerations(b, b->acceleration);
  f->output[f->noutput++] = gen_multipliers(b);
}


static void add_constraints_function(genBuild *b)
{
  const genRows *r = &b->rows;
  const int nv = b->tree->nv;
  int *J = gen_alloc(b, (size_t) r->n * (size_t) nv, sizeof *J);
  for (int i = 0; i < r->n; i++) matrix_spread(&r->J, i, J + (long) i * nv);
  eqnFunction *f = gen_add_function(
      b, EQN_CONSTRAINTS,
      "rows of the closed loops: how far they are open, their Jacobian, and gamma of J a = gamma",
      2, 3, 1);
  f->stage[0] = (eqnStage){.title = "constraints", .group = GROUP_POSITION};
  gen_put_inputs(b, f, "qv");
  f->output[0] = gen_vector(b, "phi", "openings, m or rad", r->n, r->phi, NULL);
  f->output[1] = gen_vector(b, "J", "Jacobian by rows", r->n * nv, J, NULL);
  f->output[2] = gen_vector(b, "gamma", "right sides of J a = gamma", r->n, r->gamma, NULL);
}


// sum of squares
static int sum_of_squares(genBuild *b, int n, const int *x)
{
  return expr_dot(b->pool, n, x, 1, x, 1);
}


// squares of the couplings of all blocks: of B that is used, or of the inverse that represents it
static int coupling_squares(genBuild *b)
{
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  int sum = 0;
  for (int k = 0; k < b->blocks.count; k++) {
    const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
    const int by_columns = l->way[k] == WAY_COLUMNS;
    const int own = by_columns ? sum_of_squares(b, n * nu, l->B + first * nu)
                               : sum_of_squares(b, n * n, l->T[k]);
    sum = expr_add(b->pool, sum, own);
  }
  return sum;
}


// Sums grow where dependent coordinates cannot be solved for: squares of B, of inverse pivots; of two
// by two blocks the whole inverse. Each is labelled with a coordinate of its block.
static void add_strain_function(genBuild *b)
{
  const genLoops *l = &b->loops;
  int *node = gen_alloc(b, 1 + (size_t) l->nd, sizeof *node), count = 0;
  const char **label = gen_alloc(b, 1 + (size_t) l->nd, sizeof *label);
  label[0] = "all";
  node[count++] = coupling_squares(b);
  for (int k = 0; k < b->blocks.count; k++) {
    const int first = b->blocks.start[k], n = b->blocks.start[k + 1] - first;
    for (int i = 0; i < (n == 2 ? 1 : n); i++) {
      label[count] = b->m->velocity[b->blocks.column[first + i]].name;
      node[count++] =
          n == 2 ? sum_of_squares(b, 4, l->LU[k]) : sum_of_squares(b, 1, &l->LU[k][i * n + i]);
    }
  }
  eqnFunction *f = gen_add_function(
      b, EQN_STRAIN,
      "what grows without bound where the built-in independent coordinates and pivots do not lead "
      "the machine: squares of couplings and of inverse pivots",
      b->nlatch > 0 ? 2 : 1, 1, 1);
  f->stage[0] = (eqnStage){.title = "couplings and pivots", .group = GROUP_VELOCITY};
  f->input[0] = gen_positions(b);
  if (b->nlatch > 0) f->input[1] = gen_held_values(b);
  f->output[0] = gen_vector(b, "square", "squares", count, node, label);
}


// 1 / det of a block, by its factors
static int inverse_determinant(genBuild *b, int n, const int *LU)
{
  exprPool *p = b->pool;
  if (n == 2) return expr_sub(p, expr_mul(p, LU[0], LU[3]), expr_mul(p, LU[1], LU[2]));
  int product = expr_constant(p, 1);
  for (int i = 0; i < n; i++) product = expr_mul(p, product, LU[i * n + i]);
  return product;
}


// The same in short, of every block its determinant, which tells of the machine, and its pivots, which tell of
// their order.
static void add_strain(genBuild *b, eqnFunction *f)
{
  const genLoops *l = &b->loops;
  const int count = b->blocks.count;
  int *node = gen_alloc(b, 1 + 2 * (size_t) count, sizeof *node);
  node[0] = coupling_squares(b);
  for (int k = 0; k < count; k++) {
    const int n = b->blocks.start[k + 1] - b->blocks.start[k];
    node[1 + k] = inverse_determinant(b, n, l->LU[k]);
    const int *LU = l->LU[k];
    ART_ASSERT(n >= 1);
    node[1 + count + k] =
        n == 2 ? sum_of_squares(b, 4, LU) : expr_dot(b->pool, n, LU, n + 1, LU, n + 1);
  }
  f->output[f->noutput++] =
      gen_vector(b, "strain",
                 "squares of couplings; inverse determinants of blocks; sums of squares of their "
                 "inverse pivots",
                 1 + 2 * count, node, NULL);
}


static void add_energy_function(genBuild *b)
{
  eqnFunction *f =
      gen_add_function(b, EQN_MACHINE_ENERGY,
                       "kinetic and potential energy, and the power of forces without potential",
                       GEN_STATE_INPUTS, 1, gen_wheel_stage_count(b) + 1);
  const int e[3] = {gen_kinetic(b), gen_potential(b), b->power};
  static const char *const label[3] = {"kinetic", "potential", "power"};
  f->ninput = gen_state_inputs(b, f->input);
  f->nstage = 0;
  gen_wheel_stages(b, f);
  f->stage[f->nstage++] = (eqnStage){.title = "energy"};
  f->output[0] = gen_vector(b, "e", "energies, J; power, W", 3, e, label);
}


// rates of positions: velocities, and rates of quaternions
static void position_rates(genBuild *b)
{
  const int nq = b->tree->nq;
  int *qdot = gen_alloc(b, (size_t) nq, sizeof *qdot);
  gen_position_rates(b, b->tree->v, qdot);
  eqnFunction *f = gen_add_function(b, EQN_POSITION_RATES, "rates of the positions", 2, 1, 1);
  f->stage[0] = (eqnStage){.title = "rates"};
  gen_put_inputs(b, f, "qv");
  f->output[0] = gen_vector(b, "qdot", "rates of positions, m/s or rad/s", nq, qdot, NULL);
}


// drives, forces, and rows of the loops with their partition
static void begin_machine(genBuild *b)
{
  b->is_watching = (b->options->forms & GEN_SWITCHES) != 0;
  gen_drives(b);
  b->is_noting_laws = b->options->paces;
  gen_forces(b);
  gen_rates(b, b->m->nearly, b->m->early);
  b->is_noting_laws = 0;
  if (b->nrelay > 0) gen_relay_signals(b);
  b->is_watching = 0;
  if (b->options->frees && b->nwatched > b->nloop) b->program->nside = b->nwatched;

  // joint forces that the caller gives act in addition to forces of elements
  for (int i = 0; b->options->loads && i < b->tree->nv; i++) {
    const int load = b->tree->tau[i];
    b->tau[i] = expr_add(b->pool, b->tau[i], load);
    b->load_power = expr_add(b->pool, b->load_power, expr_mul(b->pool, load, b->tree->v[i]));
  }
  sym_tree_forces(b->tree, b->tau, (const int *) b->applied);
  if (b->m->nrow == 0) return;
  gen_rows(b);
  // the partition that is asked for, or the one that there is
  struct loopWork *loop = b->d->work->loop;
  const char *independent = b->options->independent;
  if (model_has_names(independent)) {
    gen_must(b, loop_ask_for(b->m, loop, ART_PARTITION_SYMBOLIC, independent, b->error));
    loop_forget(loop);
    art_update(b->m, b->d);
  }
  if (!loop->is_ready) gen_must(b, loop_partition(b->m, b->d, b->error));
  gen_closing_rows(b);
}


// accelerations, and all that follows from them
static void forward_machine(genBuild *b)
{
  const int nblock = b->m->nrow > 0 ? b->blocks.count : 0;
  eqnFunction *f = gen_add_function(
      b, EQN_ACCELERATE,
      "accelerations of the whole machine; closes its loops and follows its drives: dependent and "
      "driven positions and velocities are written back",
      GEN_STATE_INPUTS + 3, 4, nblock + 13 + b->nlatch + gen_wheel_stage_count(b));

  // filled one after the other
  f->noutput = f->nstage = 0;
  f->ninput = gen_state_inputs(b, f->input);
  if (b->options->modes) {
    f->input[f->ninput++] =
        gen_vector(b, "mode", "segments of piecewise laws", b->m->nmode, b->mode, NULL);
  }
  if (b->impact) f->input[f->ninput++] = gen_impacts(b);
  if (b->options->loads) f->input[f->ninput++] = gen_joint_forces(b);
  gen_drive_stage(b, f, 0);
  if (b->options->masks) gen_lock_stages(b, f, 0);
  (b->m->nrow > 0 ? record_looped_machine : record_tree_machine)(b, f);
  gen_rates(b, b->m->nlate, b->m->late);
  f->output[f->noutput++] = gen_accelerations(b, b->acceleration);
  if (b->m->nstate > 0) {
    f->output[f->noutput++] = gen_states(b, "state_rate", "rates of states", b->state_rate);
  }

  const unsigned forms = b->options->forms;
  if (forms & GEN_POWER) {
    const int own = expr_add(b->pool, b->power, b->drive_power);
    const int power = expr_add(b->pool, own, b->load_power);
    f->output[f->noutput++] =
        gen_vector(b, "power", "of forces without potential and of drives, W", 1, &power, NULL);
  }
  const int has_loops = b->m->nrow > 0;
  if (has_loops && b->options->strain) add_strain(b, f);
  if (forms & GEN_ACCELERATE) position_rates(b);
  if (has_loops && forms & GEN_REACTIONS) add_multipliers_function(b);
  if (has_loops && forms & GEN_CONSTRAINTS) add_constraints_function(b);
  if (has_loops && forms & GEN_STRAIN) add_strain_function(b);
  if (forms & GEN_ENERGY) add_energy_function(b);
  if (has_loops && forms & GEN_AUGMENTED) gen_augmented(b);
  if (forms & GEN_REACTIONS) gen_machine_reactions(b);
  if (forms & GEN_OUTPUTS) gen_outputs(b);
  if (b->nlatch > 0) gen_latch_margins(b);
  if (forms & GEN_SWITCHES) gen_switches(b);
  if (b->nrelay + b->nlatch > 0) gen_relays(b);
  if (forms & GEN_SAMPLE) gen_sample(b);
  gen_pace(b);
  gen_paths(b);
}


// free coordinates of the partition, or of a tree all but driven ones
static void list_free(genBuild *b)
{
  const int nv = b->tree->nv;
  eqnProgram *program = b->program;
  char *is_led = gen_alloc(b, (size_t) nv, 1);
  program->free = gen_alloc(b, (size_t) nv, sizeof *program->free);
  for (int i = 0; i < b->m->ndrive; i++) is_led[b->m->drive[i].velocity] = 1;
  if (b->m->nrow > 0) {
    program->nfree = b->loops.nf;
    memcpy(program->free, b->loops.free, (size_t) b->loops.nf * sizeof *program->free);
    return;
  }
  for (int k = 0; k < nv; k++) {
    if (!is_led[k]) program->free[program->nfree++] = k;
  }
}


void gen_machine(genBuild *b)
{
  const unsigned forms = b->options->forms;
  begin_machine(b);
  if (forms & GEN_MACHINE_FORWARD) forward_machine(b);
  if (forms & GEN_MACHINE_FORWARD) list_free(b);
  if (forms & GEN_ACCELERATE) gen_starts(b);
  if (forms & GEN_MACHINE_BACKWARD) gen_actuate(b);
}
