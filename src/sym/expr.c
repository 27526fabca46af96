// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The pool of expression nodes: hash-consing, leaves, names.
#include "sym/expr.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/throw.h"
#include "spatial/sincos.h"

enum { FIRST_SLOTS = 256 };

#define OPPOSITE "_neg"

static _Thread_local exprPool *used_pool;


exprPool *expr_use(exprPool *pool)
{
  exprPool *before = used_pool;
  used_pool = pool;
  return before;
}


exprPool *expr_used(void)
{
  ART_ASSERT(used_pool); // expr_use must be called first
  return used_pool;
}


static _Thread_local struct {
  symNumberNode *node;
  void *context;
} number_source;


void sym_use_numbers(symNumberNode *node, void *context)
{
  number_source.node = node;
  number_source.context = context;
}


int sym_number_node(const double *number)
{
  if (!number_source.node) return expr_constant(used_pool, *number);
  return number_source.node(number_source.context, number);
}


int expr_arity(exprOp op)
{
  ART_ASSERT(op < EXPR_OP_COUNT);
  static const int arity[] = {
#define EXPR_OP_ARITY(op, arity, value) [op] = arity,
      EXPR_OP_LIST(EXPR_OP_ARITY)
#undef EXPR_OP_ARITY
  };
  return arity[op];
}


int expr_is_trig(exprOp op)
{
  return op == EXPR_SIN || op == EXPR_COS;
}


// the same values as in the numeric recursions
static double sine_of_angle(double x)
{
  double s, c;
  sincos_both(x, &s, &c);
  return s;
}


static double cosine_of_angle(double x)
{
  double s, c;
  sincos_both(x, &s, &c);
  return c;
}


double expr_apply(exprOp op, double a, double b)
{
  ART_ASSERT(expr_arity(op) == 1 || expr_arity(op) == 2);
  switch (op) {
#define EXPR_OP_VALUE(op, arity, value)                                                            \
  case op: return value;
    EXPR_OP_LIST(EXPR_OP_VALUE)
#undef EXPR_OP_VALUE
  case EXPR_OP_COUNT: break;
  }
  return NAN;
}

//---- hash table ----------------------------------------------------------------------------------

static uint64_t bits_of(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}


static uint64_t stir_hash(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}


// nodes whose arguments are in `more`
static int has_more_arguments(exprOp op)
{
  return op == EXPR_SELECT || op == EXPR_CALL;
}


static unsigned node_hash(const exprPool *pool, const exprNode *n)
{
  uint64_t hash = stir_hash(0, (uint64_t) n->op);
  if (n->op == EXPR_CONSTANT) return (unsigned) stir_hash(hash, bits_of(n->value));
  if (has_more_arguments(n->op)) {
    for (int k = 0; k < n->b; k++) hash = stir_hash(hash, (uint64_t) pool->more[n->a + k]);
    return (unsigned) hash;
  }
  if (n->op != EXPR_SYMBOL)
    return (unsigned) stir_hash(stir_hash(hash, (uint64_t) n->a), (uint64_t) n->b);

  for (const char *c = n->name; *c; c++) hash = stir_hash(hash, (unsigned char) *c);
  return (unsigned) stir_hash(hash, (uint64_t) n->index);
}


static int is_same_node(const exprPool *pool, const exprNode *x, const exprNode *y)
{
  if (x->op != y->op) return 0;
  if (x->op == EXPR_CONSTANT) return bits_of(x->value) == bits_of(y->value);
  if (x->op == EXPR_SYMBOL) return x->index == y->index && strcmp(x->name, y->name) == 0;
  if (has_more_arguments(x->op))
    return x->b == y->b &&
           memcmp(pool->more + x->a, pool->more + y->a, (size_t) x->b * sizeof(int)) == 0;
  return x->a == y->a && x->b == y->b;
}


// the slot of the wanted node, or the free slot for it
static exprSlot *node_slot(const exprPool *pool, const exprNode *wanted, unsigned hash)
{
  ART_ASSERT(pool->count < pool->slot_count); // there is a free slot
  const unsigned mask = (unsigned) pool->slot_count - 1;
  unsigned s = hash & mask;
  for (; pool->slots[s].node; s = (s + 1) & mask) {
    const exprSlot *slot = &pool->slots[s];
    if (slot->hash == hash && is_same_node(pool, &pool->nodes[slot->node - 1], wanted)) break;
  }
  return &pool->slots[s];
}


// keep the table at most half full
static int make_slots(exprPool *pool)
{
  if (2 * (int64_t) pool->count < pool->slot_count) return 1;
  if (pool->slot_count > INT32_MAX / 2) return 0;

  const int wanted = pool->slot_count ? 2 * pool->slot_count : FIRST_SLOTS;
  exprSlot *slots = MEM_ARRAY(exprSlot, wanted);
  if (!slots) return 0;
  for (int i = 0; i < pool->slot_count; i++) {
    if (!pool->slots[i].node) continue;
    unsigned s = pool->slots[i].hash & ((unsigned) wanted - 1);
    while (slots[s].node) s = (s + 1) & ((unsigned) wanted - 1);
    slots[s] = pool->slots[i];
  }
  mem_free(pool->slots);
  pool->slots = slots;
  pool->slot_count = wanted;
  return 1;
}

//---- nodes ---------------------------------------------------------------------------------------

int expr_fail(exprPool *pool)
{
  pool->failed = 1;
  if (pool->leaves) error_throw();
  return 0;
}


static int add_pool_node(exprPool *pool, exprNode node)
{
  if (pool->failed || !make_slots(pool)) return expr_fail(pool);
  const int is_operation =
      expr_arity(node.op) > 0 && node.op != EXPR_NEG && node.op != EXPR_ELEMENT;
  pool->asked += is_operation;
  const unsigned hash = node_hash(pool, &node);
  exprSlot *slot = node_slot(pool, &node, hash);
  if (slot->node) return slot->node - 1;

  void *nodes = pool->nodes;
  if (!mem_grow(&nodes, pool->count, &pool->capacity, sizeof node)) return expr_fail(pool);
  pool->nodes = nodes;

  // copy the name, because the caller's string may not outlive the pool
  if (node.op == EXPR_SYMBOL) {
    node.name = arena_text(&pool->names, node.name);
    if (!node.name) return expr_fail(pool);
    node.a = pool->symbol_count++;
  }
  pool->made += is_operation;
  pool->nodes[pool->count++] = node;
  *slot = (exprSlot){pool->count, hash};
  return pool->count - 1;
}


exprPool *expr_create(exprLevel level)
{
  exprPool *pool = MEM_ARRAY(exprPool, 1);
  if (!pool) return NULL;
  pool->level = level;
  add_pool_node(pool, (exprNode){.op = EXPR_CONSTANT, .value = 0.0});
  if (!pool->failed) return pool;
  expr_free(pool);
  return NULL;
}


void expr_free(exprPool *pool)
{
  if (!pool) return;
  arena_free(&pool->names);
  mem_free(pool->slots);
  mem_free(pool->nodes);
  mem_free(pool->more);
  mem_free(pool->external);
  mem_free(pool);
}


int expr_failed(const exprPool *pool)
{
  return pool->failed;
}


int expr_node(exprPool *pool, exprOp op, int a, int b)
{
  ART_ASSERT(a >= 0 && b >= 0);
  ART_ASSERT(expr_arity(op) > 0 && expr_arity(op) < 3);
  ART_ASSERT(a < pool->count && (b < pool->count || op == EXPR_ELEMENT));
  return add_pool_node(pool, (exprNode){.op = op, .a = a, .b = b});
}


int expr_find(const exprPool *pool, exprOp op, int a, int b)
{
  const exprNode wanted = {.op = op, .a = a, .b = b};
  return node_slot(pool, &wanted, node_hash(pool, &wanted))->node - 1;
}


void expr_push(exprPool *pool, int argument)
{
  ART_ASSERT(argument >= 0);
  void *more = pool->more;
  if (pool->failed || !mem_grow(&more, pool->more_count, &pool->more_capacity, sizeof(int))) {
    expr_fail(pool);
    return;
  }
  pool->more = more;
  pool->more[pool->more_count++] = argument;
}


int expr_node_n(exprPool *pool, exprOp op, int n)
{
  const int first = pool->more_count - n, before = pool->count;
  ART_ASSERT(has_more_arguments(op));
  ART_ASSERT(n > 0 && (pool->failed || first >= 0));
  if (pool->failed) return 0;

  // discard the arguments if the node already exists
  const int node = add_pool_node(pool, (exprNode){.op = op, .a = first, .b = n});
  if (pool->count == before) pool->more_count = first;
  return node;
}


int expr_constant(exprPool *pool, double value)
{
  if (value == 0) return 0;
  return add_pool_node(pool, (exprNode){.op = EXPR_CONSTANT, .value = value});
}


int expr_symbol(exprPool *pool, const char *name, int index)
{
  ART_ASSERT(name);
  return add_pool_node(pool, (exprNode){.op = EXPR_SYMBOL, .name = name, .index = index});
}


// is it a derived name, of the negated node?
static int is_lent(const char *name)
{
  const size_t n = strlen(name), end = strlen(OPPOSITE);
  return n >= end && strcmp(name + n - end, OPPOSITE) == 0;
}


void expr_name(exprPool *pool, int node, const char *name, int index)
{
  ART_ASSERT(node >= 0 && node < pool->count && name);
  exprNode *n = &pool->nodes[node];
  if (pool->failed || expr_arity(n->op) == 0 || (n->name && !is_lent(n->name))) return;
  n->name = arena_text(&pool->names, name);
  n->index = index;
  exprNode *opposite = n->op == EXPR_NEG ? &pool->nodes[n->a] : NULL;
  const int is_lender = opposite && expr_arity(opposite->op) > 0 && !expr_is_trig(opposite->op);
  if (n->name && is_lender && !opposite->name) {
    opposite->name = arena_format(&pool->names, "%s" OPPOSITE, name);
    opposite->index = index;
    if (!opposite->name) expr_fail(pool);
  }
  if (!n->name) expr_fail(pool);
}


int expr_is_constant(const exprPool *pool, int node)
{
  return pool->nodes[node].op == EXPR_CONSTANT;
}

//---- external functions --------------------------------------------------------------------------

static int add_external(exprPool *pool, int narg, int n, int derivative_of)
{
  ART_ASSERT(narg >= 0 && n > 0);
  void *external = pool->external;
  if (!mem_grow(&external, pool->external_count, &pool->external_capacity, sizeof(exprExternal)))
    return expr_fail(pool);
  pool->external = external;
  pool->external[pool->external_count] = (exprExternal){narg, n, derivative_of, -1};
  return pool->external_count++;
}


int expr_external(exprPool *pool, int narg, int n)
{
  return add_external(pool, narg, n, -1);
}


int expr_external_derivative(exprPool *pool, int external)
{
  ART_ASSERT(external >= 0 && external < pool->external_count);
  const exprExternal f = pool->external[external];
  if (f.derivative >= 0) return f.derivative;
  const int derivative = add_external(pool, f.narg, f.narg * f.n, external);
  pool->external[external].derivative = derivative;
  return derivative;
}


int expr_call(exprPool *pool, int external, const int *arguments)
{
  ART_ASSERT(external >= 0 && external < pool->external_count);
  const int n = pool->external[external].narg;
  expr_push(pool, external);
  for (int k = 0; k < n; k++) expr_push(pool, arguments[k]);
  return expr_node_n(pool, EXPR_CALL, n + 1);
}


int expr_element(exprPool *pool, int call, int i)
{
  ART_ASSERT(pool->failed || (i >= 0 && i < pool->external[expr_called(pool, call)].n));
  ART_ASSERT(pool->failed || pool->nodes[call].op == EXPR_CALL);
  return expr_node(pool, EXPR_ELEMENT, call, i);
}


int expr_called(const exprPool *pool, int node)
{
  ART_ASSERT(pool->nodes[node].op == EXPR_CALL);
  return pool->more[pool->nodes[node].a];
}

//---- access to nodes -----------------------------------------------------------------------------

int expr_argument_count(const exprPool *pool, int node)
{
  const exprNode *n = &pool->nodes[node];
  return n->op == EXPR_CALL ? n->b - 1 : expr_arity(n->op);
}


int expr_argument(const exprPool *pool, int node, int k)
{
  const exprNode *n = &pool->nodes[node];
  if (n->op == EXPR_CALL) return pool->more[n->a + k + 1];
  if (n->op == EXPR_SELECT) return pool->more[n->a + k];
  return k == 0 ? n->a : n->b;
}


// arguments precede their node, so a backward pass visits every node after its readers
void expr_mark_arguments(const exprPool *pool, int count, unsigned char *is_marked)
{
  ART_ASSERT(count <= pool->count);
  for (int i = count - 1; i >= 0; i--) {
    for (int k = 0; is_marked[i] && k < expr_argument_count(pool, i); k++) {
      is_marked[expr_argument(pool, i, k)] = 1;
    }
  }
}


void expr_evaluate(const exprPool *pool, const double *symbols, double *values)
{
  for (int i = 0; i < pool->count; i++) {
    const exprNode *n = &pool->nodes[i];
    if (n->op == EXPR_CONSTANT)
      values[i] = n->value;
    else if (n->op == EXPR_SYMBOL)
      values[i] = symbols[n->a];
    else if (n->op == EXPR_SELECT)
      values[i] = values[pool->more[n->a + (values[pool->more[n->a]] != 0 ? 1 : 2)]];
    else
      values[i] = n->op == EXPR_CALL
                      ? NAN
                      : expr_apply(n->op, values[n->a], expr_arity(n->op) == 2 ? values[n->b] : 0);
  }
}
