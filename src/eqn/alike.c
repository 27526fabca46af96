// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of isomorphic branches.
//
// Every node that depends on one branch only (apart from nodes common to all branches) has a
// colour: a hash of its expression in which coordinates count by their position within the branch
// and parameters are ignored. Equations with the same colour are candidates for a row, in their
// order within each branch. They form a row if their expressions can be matched: each constant of
// the first branch always corresponds to the same constant of another branch.
#include "eqn/list_builder.h"

#include "base/hash.h"

typedef struct alikeInput {
  int vector, index; // among the function's inputs; vector -1: none
} alikeInput;

typedef struct alikeWork {
  alikeRows *rows;
  const listBuilder *d;
  const exprPool *pool;
  familyNodes nodes;
  alikeInput *input; // [nodes] input of each symbol
  // [families + 1] index of the first branch of each family, counted over all branches
  int *start;
  int *begin; // [branches ninput] first index of a branch in an input
} alikeWork;

enum { MAX_DEPTH = 100 }; // maximum depth of an expression

//---- inputs --------------------------------------------------------------------------------------

static int *begin_of(const alikeWork *w, int family, int copy, int vector)
{
  ART_ASSERT(vector >= 0 && vector < w->d->function->ninput && copy < w->rows->tree.size[family]);
  return &w->begin[(w->start[family] + copy) * w->d->function->ninput + vector];
}


//---- colours -------------------------------------------------------------------------------------

static uint64_t alike_colour_of(const alikeWork *w, int node)
{
  const exprNode *n = &w->pool->nodes[node];
  const familyNodes *x = &w->nodes;
  const uint64_t hash = family_mix(BASE_HASH_EMPTY, (uint64_t) n->op);
  if (n->op == EXPR_CONSTANT) return base_hash(hash, &n->value, sizeof n->value);
  if (w->d->constant[node]) return BASE_HASH_EMPTY;
  if (x->family[node] == 0 || n->op != EXPR_SYMBOL) return family_colour(x, node);
  const alikeInput *input = &w->input[node];
  const uint64_t family = family_mix(BASE_HASH_EMPTY, (uint64_t) x->family[node]);
  if (input->vector < 0) return family_mix(family, (uint64_t) node);
  const int place = input->index - *begin_of(w, x->family[node], x->copy[node], input->vector);
  return family_mix(family_mix(family, (uint64_t) input->vector + 1), (uint64_t) place);
}

//---- matching of expressions ---------------------------------------------------------------------

// two expressions: one of the first branch of a family, one of another branch
typedef struct alikePair {
  int family, copy;
} alikePair;


// A leaf must always correspond to the same leaf of the other branch. A leaf that belongs to no
// branch and has been matched for another family must be common to all branches of that family too.
static int match_leaves(alikeRows *r, alikePair pair, int leaf, int other)
{
  const int n = r->tree.size[pair.family];
  ART_ASSERT(pair.copy > 0 && pair.copy < n);
  if (!r->twin[leaf]) {
    ARENA_TAKE(r->arena, r->twin[leaf], n);
    for (int k = 0; k < n; k++) r->twin[leaf][k] = k == 0 ? leaf : -1;
    r->twin_family[leaf] = pair.family;
  }
  int *twin = r->twin[leaf];
  if (r->twin_family[leaf] == pair.family) {
    if (twin[pair.copy] == -1) twin[pair.copy] = other;
    return twin[pair.copy] == other;
  }
  for (int k = 0; k < r->tree.size[r->twin_family[leaf]] && other == leaf; k++) {
    if (twin[k] != leaf && twin[k] != -1) return 0;
    twin[k] = leaf;
  }
  return other == leaf;
}


static int match_branch_nodes(alikeWork *w, alikePair pair, int node, int other, int depth);


// a leaf, because negations of constants are inlined
static int is_constant_leaf(const alikeWork *w, int node)
{
  return w->d->is_equation[node] || w->pool->nodes[node].op == EXPR_SYMBOL;
}


static int match_arguments(alikeWork *w, alikePair pair, int node, int other, int depth)
{
  ART_ASSERT(depth <= MAX_DEPTH);
  const exprNode *x = &w->pool->nodes[node], *y = &w->pool->nodes[other];
  const int n = expr_argument_count(w->pool, node);
  if (x->op != y->op || n != expr_argument_count(w->pool, other) || depth == MAX_DEPTH) return 0;
  const int is_turned =
      (x->op == EXPR_ADD || x->op == EXPR_MUL) && w->nodes.colour[x->a] != w->nodes.colour[y->a];
  for (int k = 0; k < n; k++) {
    const int a = expr_argument(w->pool, node, k);
    const int b = expr_argument(w->pool, other, is_turned ? n - 1 - k : k);
    if (!match_branch_nodes(w, pair, a, b, depth + 1)) return 0;
  }
  return 1;
}


// does a node of the first branch correspond to another node in the other branch?
static int match_branch_nodes(alikeWork *w, alikePair pair, int node, int other, int depth)
{
  const alikeRows *r = w->rows;
  const exprNode *n = w->pool->nodes;
  if (w->d->constant[node] && w->d->constant[other]) {
    const int is_leaf = is_constant_leaf(w, node);
    if (n[node].op == EXPR_CONSTANT || n[other].op == EXPR_CONSTANT) return node == other;
    if (is_leaf != is_constant_leaf(w, other)) return 0;
    return is_leaf ? match_leaves(w->rows, pair, node, other)
                   : match_arguments(w, pair, node, other, depth);
  }
  if (w->nodes.family[node] == 0 || w->nodes.colour[node] != w->nodes.colour[other])
    return node == other;
  if (depth > 0 && w->d->is_equation[node]) {
    return r->of[node] > 0 && r->of[other] == r->of[node] && r->copy[other] == pair.copy;
  }
  if (n[node].op != EXPR_SYMBOL) return match_arguments(w, pair, node, other, depth);

  // coordinates: constant stride from branch to branch
  const alikeInput *x = &w->input[node], *y = &w->input[other];
  if (x->vector < 0 || x->vector != y->vector) return 0;
  const int *begin = begin_of(w, w->nodes.family[node], 0, x->vector);
  const int stride = begin[w->d->function->ninput] - begin[0];
  return y->index - x->index == pair.copy * stride && match_leaves(w->rows, pair, node, other);
}

//---- rows ----------------------------------------------------------------------------------------

// number of nodes of each branch among members of one kind; 0: the numbers differ
static int count_each(const alikeWork *w, const familyMember *m, int n)
{
  ART_ASSERT(n > 0);
  const int size = w->rows->tree.size[m->family], each = n / size;
  for (int i = 0; i < n; i++) {
    if (n % size != 0 || m[i].copy != i / each) return 0;
  }
  return each;
}


// candidates for rows; they are accepted once everything that they read has been decided
static void find_candidates(const alikeWork *w)
{
  const listBuilder *d = w->d;
  alikeRows *r = w->rows;
  familyMember *member = arena_alloc(r->arena, (size_t) d->n, sizeof *member);
  int nmember = 0;
  for (int i = 0; i < d->n; i++) {
    if (!d->is_equation[i] || d->constant[i] || w->nodes.family[i] == 0) continue;
    member[nmember++] = family_member(&w->nodes, i);
  }
  family_sort_members(nmember, member);
  for (int i = 0, n; i < nmember; i += n) {
    const familyMember *m = &member[i];
    const int size = r->tree.size[m->family];
    n = family_count_alike(m, nmember - i);
    const int each = count_each(w, m, n);
    for (int k = 0; k < each; k++) {
      int *node = r->node[++r->n] = arena_alloc(r->arena, (size_t) size, sizeof *node);
      r->family[r->n] = m->family;
      for (int j = 0; j < size; j++) node[j] = m[k + j * each].node;
    }
  }
}


// in the order of the first branch's equations, so that arguments are decided first
static void decide_candidates(alikeWork *w)
{
  alikeRows *r = w->rows;
  int *candidate = arena_alloc(r->arena, (size_t) w->d->n, sizeof *candidate);
  for (int row = 1; row <= r->n; row++) candidate[r->node[row][0]] = row;
  for (int i = 0; i < w->d->n; i++) {
    const int row = candidate[i], size = r->tree.size[r->family[row]];
    int k = 1;
    if (row == 0) continue;
    while (k < size && match_branch_nodes(w, (alikePair){r->family[row], k}, i, r->node[row][k], 0))
      k++;
    for (int j = 0; k == size && j < size; j++) {
      r->of[r->node[row][j]] = row;
      r->copy[r->node[row][j]] = j;
    }
  }
}

//---- all -----------------------------------------------------------------------------------------

static void take_alike_room(alikeWork *w)
{
  alikeRows *r = w->rows;
  const size_t n = (size_t) w->d->n;
  family_open_nodes(&w->nodes, n, r->arena);
  ARENA_TAKE(r->arena, w->input, n);
  ARENA_TAKE(r->arena, w->start, r->tree.n + 1);
  ARENA_TAKE(r->arena, r->of, n);
  ARENA_TAKE(r->arena, r->copy, n);
  ARENA_TAKE(r->arena, r->twin, n);
  ARENA_TAKE(r->arena, r->twin_family, n);
  ARENA_TAKE(r->arena, r->family, n + 1);
  ARENA_TAKE(r->arena, r->node, n + 1);
  int branches = 0;
  for (int g = 1; g <= r->tree.n; branches += r->tree.size[g++]) w->start[g] = branches;
  ARENA_TAKE(r->arena, w->begin, branches * w->d->function->ninput + 1);
}


void alike_find_rows(alikeRows *r, const listBuilder *d, baseArena *arena)
{
  const eqnProgram *p = d->list->program;
  alikeWork w = {
      .rows = r, .d = d, .pool = d->pool, .nodes = {&r->tree, p, d->pool, NULL, NULL, NULL}};
  *r = (alikeRows){.arena = arena};
  if (!p->link_of || !p->link_kind) return;
  family_find(&r->tree, p, arena);
  if (r->tree.n == 0) return;
  take_alike_room(&w);
  for (int i = 0; i < d->n; i++) family_find_branch(&w.nodes, i);

  // first index of each branch's symbols in each input
  const eqnFunction *f = d->function;
  const int *family = w.nodes.family, *copy = w.nodes.copy;
  for (int i = 0; i < d->n; i++) w.input[i].vector = -1;
  for (int v = 0; v < f->ninput; v++) {
    for (int i = f->input[v].n - 1; i >= 0; i--) {
      const int node = f->input[v].node[i];
      if (w.pool->nodes[node].op != EXPR_SYMBOL) continue;
      w.input[node] = (alikeInput){v, i};
      if (family[node] > 0) *begin_of(&w, family[node], copy[node], v) = i;
    }
  }
  for (int i = 0; i < d->n; i++) w.nodes.colour[i] = alike_colour_of(&w, i);
  find_candidates(&w);
  decide_candidates(&w);
}
