// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The two builds of the recursions: what the symbolic one records, evaluated, is what the numeric one
// computes.
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "sym/tape.h"
#include "sym/tree_symbolic.h"
#include "tree/tree.h"

CHECK_KEEPER(keep_pool, exprPool, expr_free)
CHECK_KEEPER(keep_tree, symTree, sym_tree_free)
CHECK_KEEPER(keep_tape, exprTape, expr_tape_free)

enum { MAX_LINKS = 16, MAX_DOF = 6 * MAX_LINKS, MAX_NQ = 7 * MAX_LINKS };

//---- machines ------------------------------------------------------------------------------------

typedef struct machine {
  treeModel tree;
  treeLink link[MAX_LINKS];
  int dof_link[MAX_DOF], dof_parent[MAX_DOF], dof_run[MAX_DOF], anchor[MAX_LINKS];
} machine;


static v3 random_vector(uint64_t *seed, double size)
{
  return (v3){check_uniform(seed, -size, size), check_uniform(seed, -size, size),
              check_uniform(seed, -size, size)};
}


static void random_quaternion(uint64_t *seed, double *e)
{
  double square = 0;
  for (int k = 0; k < 4; k++) {
    e[k] = check_uniform(seed, -1, 1);
    square += e[k] * e[k];
  }
  for (int k = 0; k < 4; k++) e[k] /= sqrt(square);
}


// one in two is a quarter turn, of which the zeros and ones fold
static m3 random_rotation(uint64_t *seed)
{
  if (check_pick(seed, 2)) return (m3){{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};
  const double a = check_uniform(seed, -3, 3), b = check_uniform(seed, -3, 3);
  const m3 turn = m3_turn_z(sin(a), cos(a), m3_identity());
  const m3 swapped = {turn.z, turn.x, turn.y};
  return m3_turn_z(sin(b), cos(b), swapped);
}


// a body of some kilograms within a metre
static void give_inertia(treeLink *link, uint64_t *seed)
{
  const double m = check_uniform(seed, 0.5, 2), least = check_uniform(seed, 0.05, 0.1);
  const v3 c = random_vector(seed, 0.5);
  link->mass = m;
  link->h = v3_scale(m, c);
  link->J = (s3){least + m * (c.y * c.y + c.z * c.z),
                 1.2 * least + m * (c.x * c.x + c.z * c.z),
                 1.4 * least + m * (c.x * c.x + c.y * c.y),
                 -m * c.x * c.y,
                 -m * c.x * c.z,
                 -m * c.y * c.z};
}


static int dofs_of(linkKind kind)
{
  static const int dofs[] = {0, 1, 1, 1, 3, 6};
  return dofs[kind];
}


// the last coordinate that moves link i, or -1
static int last_dof(const machine *m, int i)
{
  while (i > 0 && m->link[i].nv == 0) i = m->link[i].parent;
  return i > 0 ? m->link[i].v0 + m->link[i].nv - 1 : -1;
}


// number the coordinates of the links, parent and kind being set
static void finish(machine *m, int n)
{
  treeModel *t = &m->tree;
  *t = (treeModel){.n = n,
                   .gravity = {0, 0, -9.81},
                   .link = m->link,
                   .dof_link = m->dof_link,
                   .dof_parent = m->dof_parent,
                   .dof_run = m->dof_run,
                   .anchor = m->anchor};
  m->anchor[0] = 0;
  for (int i = 1; i < n; i++) {
    treeLink *link = &m->link[i];
    const int p = link->parent;
    link->q0 = t->nq, link->v0 = t->nv, link->nv = dofs_of(link->kind);
    for (int k = 0; k < link->nv; k++) {
      m->dof_link[t->nv] = i;
      m->dof_parent[t->nv] = k > 0 ? t->nv - 1 : last_dof(m, p);
      const int follows = t->nv > 0 && m->dof_parent[t->nv] == t->nv - 1;
      m->dof_run[t->nv] = follows ? m->dof_run[t->nv - 1] : t->nv;
      t->nv++;
    }
    t->nq += link->nv < 3 ? link->nv : link->nv + 1;
    m->anchor[i] = p > 0 ? m->anchor[p] : i;
  }
}


// a massless link stands for half a compound joint: it carries one link that turns another way
static void random_link(machine *m, int i, int is_last, uint64_t *seed)
{
  treeLink *link = &m->link[i];
  const treeLink *before = &m->link[i - 1];
  const int completes = i > 1 && before->mass == 0;
  *link = (treeLink){.parent = completes ? i - 1 : check_pick(seed, i),
                     .kind = completes ? LINK_REVOLUTE : (linkKind) check_pick(seed, LINK_FREE + 1),
                     .R = random_rotation(seed),
                     .p = random_vector(seed, 1)};
  if (check_pick(seed, 3) == 0) link->p.x = link->p.y = 0;
  if (link->kind == LINK_SCREW) link->pitch = check_uniform(seed, 0.1, 0.3);

  const int dofs = dofs_of(link->kind);
  if (dofs == 1 && !completes && !is_last && check_pick(seed, 5) == 0) return;
  give_inertia(link, seed);
  if (dofs == 1) link->is_driven = check_pick(seed, 6) == 0;
  if (dofs == 1) link->has_rotor = check_pick(seed, 4) == 0;
  if (link->has_rotor) link->rotor = check_uniform(seed, 0.01, 0.1);
}


static void make_random_tree(machine *m, int n, uint64_t *seed)
{
  for (int i = 1; i < n; i++) random_link(m, i, i == n - 1, seed);
  finish(m, n);
}


// links of one metre that all turn about horizontal axes, each hanging from the one before
static void make_chain(machine *m, int n)
{
  for (int i = 1; i < n; i++) {
    treeLink *link = &m->link[i];
    *link = (treeLink){.parent = i - 1, .kind = LINK_REVOLUTE, .R = m3_identity()};
    if (i == 1)
      link->R = (m3){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    else
      link->p.x = 1;
    link->mass = 1.5;
    link->h.x = 0.75;
    link->J = (s3){0.1, 0.6, 0.6, 0, 0, 0};
  }
  finish(m, n);
}

//---- results of both builds, in one order --------------------------------------------------------

typedef struct part {
  const char *name;
  int start, count;
} part;

enum {
  WORLD,
  VELOCITY,
  INVERSE,
  REACTION,
  FORWARD,
  KINETIC,
  POTENTIAL,
  MOMENTUM,
  POINT,
  JACOBIAN,
  PARTS
};

static const char *const part_names[PARTS] = {"world",   "velocity", "inverse",   "reaction",
                                              "forward", "kinetic",  "potential", "momentum",
                                              "point",   "jacobian"};


// where each part stands among all results; returns their number
static int lay_out(int n, int nv, part parts[PARTS])
{
  const int counts[PARTS] = {12 * n, 6 * n, nv, 6 * n, nv, 1, 1, 6, 9, 6 * nv};
  int total = 0;
  for (int k = 0; k < PARTS; k++) {
    parts[k] = (part){part_names[k], total, counts[k]};
    total += counts[k];
  }
  return total;
}


typedef struct state {
  double q[MAX_NQ], v[MAX_DOF], a[MAX_DOF], tau[MAX_DOF];
  double f_ext[6 * MAX_LINKS];
} state;

static const double tip[3] = {0.3, -0.2, 0.1};


static void make_random_state(const machine *m, state *s, uint64_t *seed)
{
  for (int k = 0; k < m->tree.nq; k++) s->q[k] = check_uniform(seed, -2, 2);
  for (int k = 0; k < m->tree.nv; k++) {
    s->v[k] = check_uniform(seed, -2, 2), s->a[k] = check_uniform(seed, -3, 3);
    s->tau[k] = check_uniform(seed, -5, 5);
  }
  for (int e = 0; e < 6 * m->tree.n; e++) s->f_ext[e] = check_uniform(seed, -4, 4);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->link[i];
    if (link->kind == LINK_SPHERICAL) random_quaternion(seed, s->q + link->q0);
    if (link->kind == LINK_FREE) random_quaternion(seed, s->q + link->q0 + 3);
  }
}

//---- by numbers ----------------------------------------------------------------------------------

static void compute(const machine *m, const state *s, double *out)
{
  baseArena memory = {0};
  const treeModel *t = &m->tree;
  const size_t links = (size_t) t->n;
  part parts[PARTS];
  lay_out(t->n, t->nv, parts);
  double *result[PARTS];
  for (int k = 0; k < PARTS; k++) result[k] = out + parts[k].start;

  wrench f_ext[MAX_LINKS];
  memcpy(f_ext, s->f_ext, 6 * links * sizeof(double));
  treeData d;
  if (!CHECK(tree_start(t, &d, &memory))) return;
  d.f_ext = f_ext;
  tree_place(t, &d, s->q);
  tree_world(t, &d);
  tree_velocity(t, &d, s->v);
  tree_axes(t, &d);
  memcpy(result[WORLD], d.world, 12 * links * sizeof(double));
  memcpy(result[VELOCITY], d.vel, 6 * links * sizeof(double));

  tree_rne(t, &d, s->v, s->a, result[INVERSE]);
  for (int i = 0; i < t->n; i++) memcpy(result[REACTION] + 6 * i, &d.body[i].f, sizeof(wrench));
  const int last = t->n - 1;
  const v3 r = {tip[0], tip[1], tip[2]};
  const v3 point[3] = {tree_point(&d, last, r), tree_point_velocity(&d, last, r),
                       tree_point_acceleration(t, &d, last, r)};
  memcpy(result[POINT], point, sizeof point);

  memcpy(result[FORWARD], s->a, (size_t) t->nv * sizeof(double));
  tree_aba(t, &d, s->v, s->tau, result[FORWARD]);

  *result[KINETIC] = tree_kinetic(t, &d, s->v);
  *result[POTENTIAL] = tree_potential(t, &d);
  const wrench momentum = tree_momentum(t, &d);
  memcpy(result[MOMENTUM], &momentum, sizeof momentum);
  tree_jacobian(t, &d, last, r, result[JACOBIAN]);
  arena_free(&memory);
}

//---- by symbols ----------------------------------------------------------------------------------

static void record(symTree *s, int *out)
{
  part parts[PARTS];
  lay_out(s->n, s->nv, parts);
  int *result[PARTS];
  for (int k = 0; k < PARTS; k++) result[k] = out + parts[k].start;

  sym_record_world(s, result[WORLD]);
  sym_record_velocity(s, result[VELOCITY]);
  sym_record_inverse(s, result[INVERSE], result[REACTION]);
  sym_record_forward(s, result[FORWARD]);
  *result[KINETIC] = sym_record_kinetic(s);
  *result[POTENTIAL] = sym_record_potential(s);
  sym_record_momentum(s, result[MOMENTUM]);
  int place[3];
  for (int k = 0; k < 3; k++) place[k] = expr_constant(s->pool, tip[k]);
  sym_record_point(s, s->n - 1, place, result[POINT]);
  sym_record_jacobian(s, s->n - 1, place, result[JACOBIAN]);
}


// a machine with its recorded equations and room to evaluate them
typedef struct recording {
  exprPool *pool;
  symTree *tree;
  exprTape *tape;
  int count;
  double *symbols, *values, *got, *want;
} recording;


static recording record_machine(const machine *m, exprLevel level, symConstants constants)
{
  part parts[PARTS];
  recording r = {.pool = keep_pool(expr_create(level)),
                 .count = lay_out(m->tree.n, m->tree.nv, parts)};
  int *nodes = (int *) keep_numbers(r.count);
  r.tree = keep_tree(sym_tree_create(r.pool, &m->tree, &(symOptions){.kind = constants}));
  record(r.tree, nodes);
  r.tape = keep_tape(expr_tape_create(r.pool, nodes, r.count));
  r.symbols = keep_numbers(r.pool->symbol_count), r.values = keep_numbers(r.tape->count);
  r.got = keep_numbers(r.count), r.want = keep_numbers(r.count);
  return r;
}


static void evaluate_both(recording *r, const machine *m, const state *s)
{
  const symInput input = {s->q, s->v, s->a, s->tau, s->f_ext};
  sym_tree_values(r->tree, &input, r->symbols);
  expr_evaluate(r->tape, r->symbols, r->values);
  for (int e = 0; e < r->count; e++) r->got[e] = r->values[r->tape->outputs[e]];
  compute(m, s, r->want);
}


// a number that is not one is wrong beyond measure
static double distance(double got, double want)
{
  const double error = fabs(got - want);
  return isnan(error) ? INFINITY : error;
}


// the largest error of a part, relative to its largest number
static double worst_error(const recording *r, part p)
{
  double size = 0, error = 0;
  for (int e = p.start; e < p.start + p.count; e++) {
    size = check_larger(size, fabs(r->want[e]));
    error = check_larger(error, distance(r->got[e], r->want[e]));
  }
  return error > 0 ? error / size : 0;
}


static void check_machine(const machine *m, exprLevel level, symConstants constants, double tol,
                          uint64_t *seed)
{
  recording r = record_machine(m, level, constants);
  part parts[PARTS];
  lay_out(m->tree.n, m->tree.nv, parts);

  for (int trial = 0; trial < 3; trial++) {
    state s;
    make_random_state(m, &s, seed);
    evaluate_both(&r, m, &s);
    for (int k = 0; k < PARTS; k++) {
      const double error = worst_error(&r, parts[k]);
      if (!CHECK(error <= tol)) printf("    %s: error %.2e\n", parts[k].name, error);
    }
  }
}

//---- tests ---------------------------------------------------------------------------------------

static void check_random_trees(exprLevel level, symConstants constants, double tol)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 60; trial++) {
    machine m;
    make_random_tree(&m, 2 + trial % (MAX_LINKS - 3), &seed);
    check_machine(&m, level, constants, tol, &seed);
  }
}


TEST(recorded_equations_equal_the_numeric_run_to_the_last_bit)
{
  check_random_trees(EXPR_RECORD, SYM_NUMBERS, 0);
}


TEST(so_they_do_with_parameters_left_open)
{
  check_random_trees(EXPR_RECORD, SYM_PARAMETERS, 0);
}


TEST(simplified_equations_equal_it_but_for_rounding)
{
  check_random_trees(EXPR_SIMPLIFY, SYM_NUMBERS, 1e-14);
  check_random_trees(EXPR_SIMPLIFY, SYM_PARAMETERS, 1e-14);
}


TEST(chains_agree_in_every_way)
{
  uint64_t seed = 8;
  for (int n = 2; n <= 9; n++) {
    machine m;
    make_chain(&m, n);
    check_machine(&m, EXPR_RECORD, SYM_NUMBERS, 0, &seed);
    check_machine(&m, EXPR_RECORD, SYM_PARAMETERS, 0, &seed);
    check_machine(&m, EXPR_SIMPLIFY, SYM_NUMBERS, 1e-14, &seed);
    check_machine(&m, EXPR_SIMPLIFY, SYM_PARAMETERS, 1e-14, &seed);
  }
}


// every kind of joint, alone and carrying a link, so that no branch of a recursion is left out
TEST(every_kind_of_joint_agrees_alone_and_as_a_carrier)
{
  uint64_t seed = 9;
  for (int first = LINK_FIXED; first <= LINK_FREE; first++) {
    for (int second = LINK_FIXED; second <= LINK_FREE; second++) {
      machine m;
      do make_random_tree(&m, 3, &seed);
      while ((int) m.link[1].kind != first || (int) m.link[2].kind != second ||
             m.link[2].parent != 1);
      check_machine(&m, EXPR_RECORD, SYM_NUMBERS, 0, &seed);
      check_machine(&m, EXPR_SIMPLIFY, SYM_NUMBERS, 1e-14, &seed);
    }
  }
}


static int operations(const exprPool *pool, const int *nodes, int count)
{
  const exprTape *tape = keep_tape(expr_tape_create(pool, nodes, count));
  int n = 0;
  for (int i = 0; i < tape->count; i++) {
    n += tape->steps[i].op != EXPR_CONSTANT && tape->steps[i].op != EXPR_SYMBOL;
  }
  return n;
}


// operations that each part of a machine's equations takes by itself
static void count_operations(const machine *m, exprLevel level, int counts[PARTS])
{
  part parts[PARTS];
  int *nodes = (int *) keep_numbers(lay_out(m->tree.n, m->tree.nv, parts));
  exprPool *pool = keep_pool(expr_create(level));
  record(keep_tree(sym_tree_create(pool, &m->tree, &(symOptions){.kind = SYM_NUMBERS})), nodes);
  for (int k = 0; k < PARTS; k++)
    counts[k] = operations(pool, nodes + parts[k].start, parts[k].count);
}


TEST(simplification_saves_operations)
{
  machine m;
  int plain[PARTS], simple[PARTS];
  make_chain(&m, 7);
  count_operations(&m, EXPR_RECORD, plain);
  count_operations(&m, EXPR_SIMPLIFY, simple);
  for (int k = 0; k < PARTS; k++) CHECK(simple[k] <= plain[k]);

  CHECK(simple[FORWARD] < plain[FORWARD]);

  // a planar chain: the recursions of space shrink to the plane by themselves
  CHECK(plain[INVERSE] < 200);
  CHECK(plain[FORWARD] < 400);
}

//---- memory --------------------------------------------------------------------------------------

// returns whether it went through
static int record_with(const machine *m, int allocations, int *nodes, int count)
{
  const symOptions parameters = {.kind = SYM_PARAMETERS};
  heap_run_dry_after(allocations);
  exprPool *pool = expr_create(EXPR_SIMPLIFY);
  symTree *tree = pool ? sym_tree_create(pool, &m->tree, &parameters) : NULL;
  if (tree) record(tree, nodes);
  exprTape *tape = tree ? expr_tape_create(pool, nodes, count) : NULL;
  const int went_through = tape != NULL;
  expr_tape_free(tape);
  sym_tree_free(tree);
  expr_free(pool);
  heap_unwatch();
  return went_through;
}


TEST(memory_that_runs_out_is_noticed)
{
  machine m;
  part parts[PARTS];
  uint64_t seed = 10;
  make_random_tree(&m, 5, &seed);
  const int count = lay_out(m.tree.n, m.tree.nv, parts);
  int *nodes = (int *) keep_numbers(count);
  int allocations = 0;
  while (!record_with(&m, allocations, nodes, count) && allocations < 1000) allocations++;
  CHECK(allocations > 15 && allocations < 200);
}
