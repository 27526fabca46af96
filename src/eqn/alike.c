// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of branches that are built alike.
//
// Every node that depends on one branch alone, besides what all branches share, has a colour: a hash of its
// expression in which coordinates count by their place within the branch and parameters do not count. Equations of
// the same colour are candidates for a row, in the order in which each branch has them. They form one if
// their expressions can be brought over each other: constants of the first branch correspond to the same
// constants of another one everywhere.
#include "eqn/alike.h"

#include <stdlib.h>

#include "base/hash.h"

typedef struct alikeInput {
  int vector, index; // among the function's inputs; vector -1: none
} alikeInput;

typedef struct alikeMember {
  int family, copy, node;
  uint64_t colour;
} alikeMember;

typedef struct alikeWork {
  alikeRows *rows;
  const eqnDraft *d;
  const exprPool *pool;
  int *family,
      *copy; // [nodes] of the branch that a node depends on; family 0: on several, or on none
  uint64_t *colour;  // [nodes]
  alikeInput *input; // [nodes] of symbols
  int *start;        // [families + 1] the first branch of each, all branches counted through
  int *begin;        // [branches ninput] the first index of a branch in an input
  int nmember;
  alikeMember *member; // equations of branches
} alikeWork;

enum { DEEPEST = 100 }; // operations in a chain within one expression

//---- branches ------------------------------------------------------------------------------------

// A node that depends on two branches belongs to none. External functions may depend on anything.
static void find_branch(alikeWork *w, int node)
{
  const familyTree *t = &w->rows->tree;
  const eqnProgram *p = w->d->list->program;
  const exprNode *x = &w->pool->nodes[node];
  if (x->op == EXPR_SYMBOL) {
    const int link = x->a < p->nsymbol ? p->link_of[x->a] : 0;
    w->family[node] = t->of[link];
    w->copy[node] = t->copy[link];
  }
  if (x->op == EXPR_CALL || x->op == EXPR_ELEMENT) return;
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const int a = expr_argument(w->pool, node, k);
    if (w->family[a] == 0) continue;
    if (w->family[node] == 0) {
      w->family[node] = w->family[a];
      w->copy[node] = w->copy[a];
    }
    if (w->family[node] != w->family[a] || w->copy[node] != w->copy[a]) {
      w->family[node] = 0;
      return;
    }
  }
}

//---- inputs --------------------------------------------------------------------------------------

static int *begin_of(const alikeWork *w, int family, int copy, int vector)
{
  return &w->begin[(w->start[family] + copy) * w->d->function->ninput + vector];
}


//---- colours -------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t x)
{
  return base_hash(hash, &x, sizeof x);
}


// sums and products look the same in both orders
static int is_commutative(exprOp op)
{
  return op == EXPR_ADD || op == EXPR_MUL;
}


static uint64_t colour_of(const alikeWork *w, int node)
{
  const exprNode *n = &w->pool->nodes[node];
  const uint64_t hash = mix(BASE_HASH_EMPTY, (uint64_t) n->op);
  if (n->op == EXPR_CONSTANT) return base_hash(hash, &n->value, sizeof n->value);
  if (w->d->constant[node]) return BASE_HASH_EMPTY;
  if (w->family[node] == 0) return mix(hash, (uint64_t) node);
  if (n->op == EXPR_SYMBOL) {
    const alikeInput *x = &w->input[node];
    const uint64_t family = mix(BASE_HASH_EMPTY, (uint64_t) w->family[node]);
    if (x->vector < 0) return mix(family, (uint64_t) node);
    const int place = x->index - *begin_of(w, w->family[node], w->copy[node], x->vector);
    return mix(mix(family, (uint64_t) x->vector + 1), (uint64_t) place);
  }
  uint64_t sum = 0, chain = hash;
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const uint64_t c = w->colour[expr_argument(w->pool, node, k)];
    sum += mix(hash, c);
    chain = mix(chain, c);
  }
  return is_commutative(n->op) ? sum : chain;
}

//---- one expression over another -----------------------------------------------------------------

// two expressions, of the first branch of a family and of another one
typedef struct alikePair {
  int family, copy;
} alikePair;


// The same leaf of the other branch everywhere. A leaf of no branch that another family has met already must be the same for
// all branches of that one, too.
static int match_leaves(alikeRows *r, alikePair pair, int leaf, int other)
{
  const int n = r->tree.size[pair.family];
  if (!r->twin[leaf]) {
    r->twin[leaf] = arena_alloc(r->arena, (size_t) n, sizeof(int));
    if (!r->twin[leaf]) return 0;
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


static int match(alikeWork *w, alikePair pair, int node, int other, int depth);


// signs of constants stand in place
static int is_constant_leaf(const alikeWork *w, int node)
{
  return w->d->is_equation[node] || w->pool->nodes[node].op == EXPR_SYMBOL;
}


static int match_arguments(alikeWork *w, alikePair pair, int node, int other, int depth)
{
  const exprNode *x = &w->pool->nodes[node], *y = &w->pool->nodes[other];
  const int n = expr_argument_count(w->pool, node);
  if (x->op != y->op || n != expr_argument_count(w->pool, other) || depth == DEEPEST) return 0;
  const int is_turned = is_commutative(x->op) && w->colour[x->a] != w->colour[y->a];
  for (int k = 0; k < n; k++) {
    const int a = expr_argument(w->pool, node, k);
    const int b = expr_argument(w->pool, other, is_turned ? n - 1 - k : k);
    if (!match(w, pair, a, b, depth + 1)) return 0;
  }
  return 1;
}


// whether a node of the first branch stands where another one stands in the other branch
static int match(alikeWork *w, alikePair pair, int node, int other, int depth)
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
  if (w->family[node] == 0 || w->colour[node] != w->colour[other]) return node == other;
  if (depth > 0 && w->d->is_equation[node]) {
    return r->of[node] > 0 && r->of[other] == r->of[node] && r->copy[other] == pair.copy;
  }
  if (n[node].op != EXPR_SYMBOL) return match_arguments(w, pair, node, other, depth);

  // coordinates: the same steps from branch to branch
  const alikeInput *x = &w->input[node], *y = &w->input[other];
  if (x->vector < 0 || x->vector != y->vector) return 0;
  const int *begin = begin_of(w, w->family[node], 0, x->vector);
  const int stride = begin[w->d->function->ninput] - begin[0];
  return y->index - x->index == pair.copy * stride && match_leaves(w->rows, pair, node, other);
}

//---- rows ----------------------------------------------------------------------------------------

// branches of the same family have equations of the same colour beside each other
static int compare_members(const void *a, const void *b)
{
  const alikeMember *x = a, *y = b;
  if (x->family != y->family) return x->family - y->family;
  if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
  return x->copy != y->copy ? x->copy - y->copy : x->node - y->node;
}


// how many of each branch there are among members of one kind; 0: not the same number of each
static int count_each(const alikeWork *w, const alikeMember *m, int n)
{
  const int size = w->rows->tree.size[m->family], each = n / size;
  for (int i = 0; i < n; i++) {
    if (n % size != 0 || m[i].copy != i / each) return 0;
  }
  return each;
}


// candidates for rows; whether they are rows is decided when all that they read has been
static int find_candidates(alikeWork *w)
{
  const eqnDraft *d = w->d;
  alikeRows *r = w->rows;
  for (int i = 0; i < d->n; i++) {
    if (!d->is_equation[i] || d->constant[i] || w->family[i] == 0) continue;
    w->member[w->nmember++] = (alikeMember){
        .family = w->family[i], .copy = w->copy[i], .node = i, .colour = w->colour[i]};
  }
  qsort(w->member, (size_t) w->nmember, sizeof *w->member, compare_members);
  for (int i = 0, n; i < w->nmember; i += n) {
    const alikeMember *m = &w->member[i];
    const int size = r->tree.size[m->family];
    for (n = 1; i + n < w->nmember && m[n].family == m->family && m[n].colour == m->colour;) n++;
    const int each = count_each(w, m, n);
    for (int k = 0; k < each; k++) {
      int *node = r->node[++r->n] = arena_alloc(r->arena, (size_t) size, sizeof *node);
      if (!node) return 0;
      r->family[r->n] = m->family;
      for (int j = 0; j < size; j++) node[j] = m[k + j * each].node;
    }
  }
  return 1;
}


// candidates in the order of the first branch's equations, so that what they read is decided before them
static int decide(alikeWork *w)
{
  alikeRows *r = w->rows;
  int *candidate = arena_alloc(r->arena, (size_t) w->d->n, sizeof *candidate);
  if (!candidate) return 0;
  for (int row = 1; row <= r->n; row++) candidate[r->node[row][0]] = row;
  for (int i = 0; i < w->d->n; i++) {
    const int row = candidate[i], size = r->tree.size[r->family[row]];
    int k = 1;
    if (row == 0) continue;
    while (k < size && match(w, (alikePair){r->family[row], k}, i, r->node[row][k], 0)) k++;
    for (int j = 0; k == size && j < size; j++) {
      r->of[r->node[row][j]] = row;
      r->copy[r->node[row][j]] = j;
    }
  }
  return 1;
}

//---- all -----------------------------------------------------------------------------------------

static int take_room(alikeWork *w)
{
  alikeRows *r = w->rows;
  const size_t n = (size_t) w->d->n, families = (size_t) r->tree.n;
  w->family = arena_alloc(r->arena, n, sizeof *w->family);
  w->copy = arena_alloc(r->arena, n, sizeof *w->copy);
  w->colour = arena_alloc(r->arena, n, sizeof *w->colour);
  w->input = arena_alloc(r->arena, n, sizeof *w->input);
  w->member = arena_alloc(r->arena, n, sizeof *w->member);
  w->start = arena_alloc(r->arena, families + 1, sizeof *w->start);
  r->of = arena_alloc(r->arena, n, sizeof *r->of);
  r->copy = arena_alloc(r->arena, n, sizeof *r->copy);
  r->twin = arena_alloc(r->arena, n, sizeof *r->twin);
  r->twin_family = arena_alloc(r->arena, n, sizeof *r->twin_family);
  r->family = arena_alloc(r->arena, n + 1, sizeof *r->family);
  r->node = arena_alloc(r->arena, n + 1, sizeof *r->node);
  if (!w->family || !w->copy || !w->colour || !w->input || !w->member || !w->start || !r->of ||
      !r->copy || !r->twin || !r->twin_family || !r->family || !r->node) {
    return 0;
  }
  int branches = 0;
  for (int g = 1; g <= r->tree.n; branches += r->tree.size[g++]) w->start[g] = branches;
  const size_t n_begin = (size_t) branches * (size_t) w->d->function->ninput + 1;
  w->begin = arena_alloc(r->arena, n_begin, sizeof *w->begin);
  return w->begin != NULL;
}


int alike_find_rows(alikeRows *r, eqnDraft *d, baseArena *arena)
{
  const eqnProgram *p = d->list->program;
  alikeWork w = {.rows = r, .d = d, .pool = d->pool};
  *r = (alikeRows){.arena = arena};
  if (!p->link_of || !p->link_kind) return 1;
  if (!family_find(&r->tree, p, arena)) return 0;
  if (r->tree.n == 0) return 1;
  if (!take_room(&w)) return 0;
  for (int i = 0; i < d->n; i++) find_branch(&w, i);

  // where the symbols of each branch begin in each input
  const eqnFunction *f = d->function;
  for (int i = 0; i < d->n; i++) w.input[i].vector = -1;
  for (int v = 0; v < f->ninput; v++) {
    for (int i = f->input[v].n - 1; i >= 0; i--) {
      const int node = f->input[v].node[i];
      if (w.pool->nodes[node].op != EXPR_SYMBOL) continue;
      w.input[node] = (alikeInput){v, i};
      if (w.family[node] > 0) *begin_of(&w, w.family[node], w.copy[node], v) = i;
    }
  }
  for (int i = 0; i < d->n; i++) w.colour[i] = colour_of(&w, i);
  return find_candidates(&w) && decide(&w);
}
