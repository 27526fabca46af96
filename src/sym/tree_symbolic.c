// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursions of src/tree on symbols.
//
// The files of src/tree are included below unchanged. With ART_SYMBOLIC their `real` is a node, so
// running them records their equations.
#include "sym/tree_symbolic.h"
#include "base/max_nan.h"
#include "sym/tree_inside.h"

#include <math.h>
#include <string.h>

#include "base/throw.h"
#include "sym/tree_names.h"
#include "sym/tree_numbers.h"

#define treeModel symModel

// clang-format off
#include "tree/workspace.c"
#include "tree/positions.c"
#include "tree/velocity.c"
#include "tree/rne.c"
#include "tree/mass.c"
#include "tree/aba.c"
#include "tree/energy.c"
#include "tree/jacobian.c"
// clang-format on

#undef treeModel

//---- the model as nodes --------------------------------------------------------------------------

// parameter k also represents constant i
static void share_parameter(symTree *s, int k, int i)
{
  ART_ASSERT(k >= 0 && k < s->parameter_count);
  if (s->pool->nodes[s->parameter[k]].index == i) return;
  for (int j = 0; j < s->shared_count; j++) {
    if (s->shared[j].parameter == k && s->shared[j].index == i) return;
  }
  s->shared =
      arena_grow(&s->memory, s->shared, s->shared_count, &s->shared_capacity, sizeof *s->shared);
  s->shared[s->shared_count++] = (symShared){k, i};
}


static int is_constant_frozen(const symTree *s, const char *name, int i)
{
  return s->constants.is_frozen && s->constants.is_frozen(s->constants.context, name, i);
}


static int definition_of(const symTree *s, const char *name, int i)
{
  return s->constants.define ? s->constants.define(s->constants.context, name, i) : -1;
}


int sym_parameter(symTree *s, double value, const char *name, int i)
{
  const int definition = definition_of(s, name, i);
  if (definition == SYM_NOTHING) return expr_constant(s->pool, 0);
  const int is_plain = definition < 0 && (value == 0 || value == 1 || value == -1);
  const int is_frozen = definition < 0 && is_constant_frozen(s, name, i);
  if (is_frozen || s->constants.kind == SYM_NUMBERS || is_plain) {
    return expr_constant(s->pool, value);
  }

  // look for a parameter with the same name, kind and value or definition
  const symOptions *o = &s->constants;
  for (int k = 0; o->is_alike && k < s->parameter_count; k++) {
    const exprNode *equal = &s->pool->nodes[s->parameter[k]];
    if (s->parameter_definition[k] != definition || strcmp(equal->name, name) != 0) continue;
    if (definition < 0 && s->parameter_value[k] != value) continue;
    if (!o->is_alike(o->context, name, equal->index, i)) continue;
    share_parameter(s, k, i);
    return s->parameter[k];
  }
  return sym_defined(s, value, name, i, definition);
}


int sym_defined(symTree *s, double value, const char *name, int i, int definition)
{
  const int known = s->pool->symbol_count;
  const int symbol = expr_symbol(s->pool, name, i);
  if (s->pool->symbol_count == known) return symbol;
  const int n = s->parameter_count++;
  int *room = s->parameter_capacity;
  s->parameter = arena_grow(&s->memory, s->parameter, n, &room[0], sizeof(int));
  s->parameter_definition =
      arena_grow(&s->memory, s->parameter_definition, n, &room[1], sizeof(int));
  s->parameter_value = arena_grow(&s->memory, s->parameter_value, n, &room[2], sizeof(double));
  s->parameter[n] = symbol;
  s->parameter_definition[n] = definition;
  s->parameter_value[n] = value;
  return symbol;
}


// a number, or the parameter `name` of link i
static real link_constant(symTree *s, double value, const char *name, int i)
{
  return (real){sym_parameter(s, value, name, i)};
}


static v3 constant_v3(symTree *s, const double *x, const char *const names[3], int i)
{
  return (v3){link_constant(s, x[0], names[0], i), link_constant(s, x[1], names[1], i),
              link_constant(s, x[2], names[2], i)};
}


// Parameters represent measurements; the rounding error of a quarter turn is not one. So numbers
// that are negligible relative to the largest of their kind become 0, and numbers that are nearly 1
// become 1.
static void clean_rounding(double *x, int n, double size)
{
  const double nothing = 4e-16;
  for (int k = 0; k < n; k++) {
    if (fabs(x[k]) <= nothing * size) x[k] = 0;
    if (fabs(fabs(x[k]) - 1) <= nothing) x[k] = copysign(1, x[k]);
  }
}


static treeLink symbolic_link(symTree *s, const linkNumbers *x, int i)
{
  static const char *const R[] = {"Rxx", "Rxy", "Rxz", "Ryx", "Ryy", "Ryz", "Rzx", "Rzy", "Rzz"};
  static const char *const p[] = {"px", "py", "pz"};
  static const char *const h[] = {"hx", "hy", "hz"};

  treeLink link = {
      .parent = x->parent,
      .kind = (linkKind) x->kind,
      .q0 = x->q0,
      .v0 = x->v0,
      .nv = x->nv,
      .is_driven = x->is_driven,
      .has_rotor = x->has_rotor || definition_of(s, "rotor", i) >= 0,
  };
  link.R.x = constant_v3(s, x->R, R, i);
  link.R.y = constant_v3(s, x->R + 3, R + 3, i);
  link.R.z = constant_v3(s, x->R + 6, R + 6, i);
  link.p = constant_v3(s, x->p, p, i);
  link.pitch = link_constant(s, x->pitch, "pitch", i);
  link.rotor = link_constant(s, x->rotor, "rotor", i);
  link.mass = link_constant(s, x->mass, "mass", i);
  link.h = constant_v3(s, x->h, h, i);
  link.J.xx = link_constant(s, x->J[0], "Jxx", i);

  // equal principal moments share a parameter; their own names can still be frozen
  static const char *const J[] = {"Jxx", "Jyy", "Jzz"};
  real *const moment[] = {&link.J.xx, &link.J.yy, &link.J.zz};
  for (int k = 1; k < 3; k++) {
    int same = 0;
    const int definition = definition_of(s, J[k], i);
    while (same < k && (definition_of(s, J[same], i) != definition ||
                        (definition < 0 && x->J[same] != x->J[k]))) {
      same++;
    }
    *moment[k] = same < k ? *moment[same] : link_constant(s, x->J[k], J[k], i);
    if (same < k && definition < 0) (void) is_constant_frozen(s, J[k], i);
  }
  link.J.xy = link_constant(s, x->J[3], "Jxy", i);
  link.J.xz = link_constant(s, x->J[4], "Jxz", i);
  link.J.yz = link_constant(s, x->J[5], "Jyz", i);
  return link;
}


static void make_model(symTree *s, const struct treeModel *numeric)
{
  static const char *const gravity[] = {"gx", "gy", "gz"};
  const treeNumbers numbers = tree_numbers(numeric);
  symModel *m = &s->inside->model;
  m->n = numbers.n;
  m->nq = numbers.nq;
  m->nv = numbers.nv;
  m->gravity = constant_v3(s, numbers.gravity, gravity, 0);
  ARENA_TAKE(&s->memory, m->link, m->n);
  m->dof_link = arena_copy(&s->memory, numbers.dof_link, (size_t) m->nv, sizeof(int));
  m->dof_parent = arena_copy(&s->memory, numbers.dof_parent, (size_t) m->nv, sizeof(int));
  m->dof_run = arena_copy(&s->memory, numbers.dof_run, (size_t) m->nv, sizeof(int));
  m->anchor = arena_copy(&s->memory, numbers.anchor, (size_t) m->n, sizeof(int));

  for (int i = 1; i < m->n; i++) {
    linkNumbers x = tree_link_numbers(numeric, i);
    if (s->constants.kind == SYM_PARAMETERS) {
      clean_rounding(x.R, 9, 1);
      clean_rounding(x.p, 3, max_magnitude(3, x.p));
      clean_rounding(x.h, 3, max_magnitude(3, x.h));
      clean_rounding(x.J, 6, max_magnitude(6, x.J));
    }
    m->link[i] = symbolic_link(s, &x, i);
  }
}


//---- inputs --------------------------------------------------------------------------------------

// symbols name_0 .. name_(count-1), as nodes for the caller and as reals for the recursions
static void make_symbols(symTree *s, const char *name, int count, int **nodes, real **reals)
{
  ARENA_TAKE(&s->memory, *nodes, count);
  for (int k = 0; k < count; k++) (*nodes)[k] = expr_symbol(s->pool, name, k);
  *reals = arena_copy(&s->memory, *nodes, (size_t) count, sizeof(int));
}


// applied forces on links 1 to n-1; none on ground
static void make_forces(symTree *s)
{
  static const char *const names[] = {"nx", "ny", "nz", "fx", "fy", "fz"};
  ARENA_TAKE(&s->memory, s->f_ext, 6 * s->n);
  for (int e = 6; e < 6 * s->n; e++) s->f_ext[e] = expr_symbol(s->pool, names[e % 6], e / 6);
  s->inside->data.f_ext = arena_copy(&s->memory, s->f_ext, 6 * (size_t) s->n, sizeof(int));
}


//---- the tree ------------------------------------------------------------------------------------

typedef struct treeJob {
  symTree *tree;
  const struct treeModel *numeric;
} treeJob;


static void make_tree(void *context)
{
  const treeJob *job = context;
  symTree *s = job->tree;
  s->memory.leaves = 1;
  struct symInside *in = s->inside = arena_alloc(&s->memory, 1, sizeof *in);
  make_model(s, job->numeric);
  ARENA_TAKE(&s->memory, in->M, s->nv * s->nv);
  ARENA_TAKE(&s->memory, in->spare, s->nv);
  tree_start(&in->model, &in->data, &s->memory);
  make_symbols(s, "q", s->nq, &s->q, &in->q);
  make_symbols(s, "v", s->nv, &s->v, &in->v);
  make_symbols(s, "a", s->nv, &s->a, &in->a);
  make_symbols(s, "tau", s->nv, &s->tau, &in->tau);
  make_forces(s);
  tree_place(&in->model, &in->data, in->q);
  tree_world(&in->model, &in->data);
  tree_velocity(&in->model, &in->data, in->v);
  tree_axes(&in->model, &in->data);
  sym_name_places(s->pool, s->inside);
}


symTree *sym_tree_create(exprPool *pool, const struct treeModel *numeric,
                         const symOptions *constants)
{
  ART_ASSERT(pool && numeric && constants);
  const treeNumbers numbers = tree_numbers(numeric);
  baseArena memory = {0};
  symTree *s = arena_alloc(&memory, 1, sizeof *s);
  if (!s) return NULL;
  *s = (symTree){
      .pool = pool, .constants = *constants, .n = numbers.n, .nq = numbers.nq, .nv = numbers.nv};
  s->memory = memory;

  exprPool *before = expr_use(pool);
  const bool is_made = error_catch(make_tree, &(treeJob){s, numeric});
  expr_use(before);
  s->memory.leaves = pool->leaves;
  if (is_made) return s;
  sym_tree_free(s);
  return NULL;
}


// the tree is in its own arena, so copy that first
void sym_tree_free(symTree *s)
{
  if (!s) return;
  baseArena memory = s->memory;
  arena_free(&memory);
}


void sym_tree_unforced(symTree *s)
{
  s->inside->data.f_ext = NULL;
}


static void set_values(const symTree *s, const int *nodes, const double *x, int n, double *symbols)
{
  for (int k = 0; k < n; k++) {
    const exprNode *node = &s->pool->nodes[nodes[k]];
    if (node->op == EXPR_SYMBOL) symbols[node->a] = x[k];
  }
}


void sym_tree_values(const symTree *s, const double *q, const double *v, double *symbols)
{
  set_values(s, s->q, q, s->nq, symbols);
  set_values(s, s->v, v, s->nv, symbols);
  set_values(s, s->parameter, s->parameter_value, s->parameter_count, symbols);
}

void sym_tree_forces(symTree *s, const int *tau, const int *f_ext)
{
  memcpy(s->inside->tau, tau, (size_t) s->nv * sizeof *tau);
  s->inside->data.f_ext = arena_copy(&s->memory, f_ext, 6 * (size_t) s->n, sizeof(int));
}


void sym_tree_accelerations(symTree *s, const int *a)
{
  memcpy(s->inside->a, a, (size_t) s->nv * sizeof *a);
}

//---- equations -----------------------------------------------------------------------------------

// copy `count` nodes from a struct or array of reals
static void give_nodes(int *nodes, const void *reals, int count)
{
  memcpy(nodes, reals, (size_t) count * sizeof(int));
}


static v3 point_of(const int r[3])
{
  return (v3){{r[0]}, {r[1]}, {r[2]}};
}


void sym_record_world(symTree *s, int *world)
{
  give_nodes(world, s->inside->data.world, 12 * s->n);
}


void sym_record_velocity(symTree *s, int *vel)
{
  give_nodes(vel, s->inside->data.vel, 6 * s->n);
}


void sym_record_inverse(symTree *s, int *tau, int *reaction)
{
  struct symInside *in = s->inside;
  exprPool *before = expr_use(s->pool);
  tree_rne(&in->model, &in->data, in->v, in->a, (real *) tau);
  for (int i = 0; reaction && i < s->n; i++) give_nodes(reaction + 6 * i, &in->data.body[i].f, 6);
  sym_name_motion(s->pool, s->inside);
  expr_use(before);
}


void sym_record_forward(symTree *s, int *a)
{
  struct symInside *in = s->inside;
  exprPool *before = expr_use(s->pool);
  give_nodes(a, in->a, s->nv);
  tree_aba(&in->model, &in->data, in->v, in->tau, (real *) a);
  sym_name_articulated(s->pool, s->inside);
  expr_use(before);
}


int sym_record_kinetic(symTree *s)
{
  exprPool *before = expr_use(s->pool);
  const real energy = tree_kinetic(&s->inside->model, &s->inside->data, s->inside->v);
  expr_use(before);
  return energy.node;
}


int sym_record_potential(symTree *s)
{
  exprPool *before = expr_use(s->pool);
  const real energy = tree_potential(&s->inside->model, &s->inside->data);
  expr_use(before);
  return energy.node;
}


void sym_record_momentum(symTree *s, int momentum[6])
{
  exprPool *before = expr_use(s->pool);
  const wrench sum = tree_momentum(&s->inside->model, &s->inside->data);
  give_nodes(momentum, &sum, 6);
  expr_use(before);
}


void sym_record_point(symTree *s, int i, const int r[3], int motion_of_point[9])
{
  ART_ASSERT(i >= 0 && i < s->n);
  struct symInside *in = s->inside;
  exprPool *before = expr_use(s->pool);
  tree_rne(&in->model, &in->data, in->v, in->a, in->spare);
  const v3 point = point_of(r);
  const v3 x[3] = {
      tree_point(&in->data, i, point),
      tree_point_velocity(&in->data, i, point),
      tree_point_acceleration(&in->model, &in->data, i, point),
  };
  give_nodes(motion_of_point, x, 9);
  expr_use(before);
}


void sym_record_jacobian(symTree *s, int i, const int r[3], int *J)
{
  ART_ASSERT(i >= 0 && i < s->n);
  exprPool *before = expr_use(s->pool);
  tree_jacobian(&s->inside->model, &s->inside->data, i, point_of(r), (real *) J);
  expr_use(before);
}
