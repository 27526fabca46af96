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
#include "spatial/sincos.h"

enum { FIRST_SLOTS = 256 };

static _Thread_local exprPool *used_pool;


exprPool *expr_use(exprPool *pool)
{
  exprPool *before = used_pool;
  used_pool = pool;
  return before;
}


exprPool *expr_used(void)
{
  return used_pool;
}


int expr_arity(exprOp op)
{
  static const int arity[] = {
#define EXPR_OP_ARITY(op, arity) [op] = arity,
      EXPR_OP_LIST(EXPR_OP_ARITY)
#undef EXPR_OP_ARITY
  };
  return arity[op];
}


double expr_apply(exprOp op, double a, double b)
{
  double s, c;
  ART_ASSERT(expr_arity(op) > 0);
  switch (op) {
  case EXPR_NEG:
    return -a;
  case EXPR_SQRT:
    return sqrt(a);
  case EXPR_SIN:
    sincos_both(a, &s, &c); // as the numeric recursions do
    return s;
  case EXPR_COS:
    sincos_both(a, &s, &c);
    return c;
  case EXPR_ADD:
    return a + b;
  case EXPR_SUB:
    return a - b;
  case EXPR_MUL:
    return a * b;
  case EXPR_DIV:
    return a / b;
  case EXPR_CONSTANT:
  case EXPR_SYMBOL:
  case EXPR_OP_COUNT:
    break;
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


static uint64_t stir(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}


static uint64_t hash_of(const exprNode *n)
{
  uint64_t hash = stir(0, (uint64_t) n->op);
  if (n->op == EXPR_CONSTANT) return stir(hash, bits_of(n->value));
  if (n->op != EXPR_SYMBOL) return stir(stir(hash, (uint64_t) n->a), (uint64_t) n->b);

  for (const char *c = n->name; *c; c++) hash = stir(hash, (unsigned char) *c);
  return stir(hash, (uint64_t) n->index);
}


static int is_same(const exprNode *x, const exprNode *y)
{
  if (x->op != y->op) return 0;
  if (x->op == EXPR_CONSTANT) return bits_of(x->value) == bits_of(y->value);
  if (x->op == EXPR_SYMBOL) return x->index == y->index && strcmp(x->name, y->name) == 0;
  return x->a == y->a && x->b == y->b;
}


// the slot that holds the wanted node, or the free one where it would go
static int *slot_of(const exprPool *pool, const exprNode *wanted)
{
  const uint64_t mask = (uint64_t) pool->slot_count - 1;
  uint64_t s = hash_of(wanted) & mask;
  while (pool->slots[s] && !is_same(&pool->nodes[pool->slots[s] - 1], wanted)) s = (s + 1) & mask;
  return &pool->slots[s];
}


// keep the table at most half full
static int make_slots(exprPool *pool)
{
  if (2 * (int64_t) pool->count < pool->slot_count) return 1;
  if (pool->slot_count > INT32_MAX / 2) return 0;

  const int wanted = pool->slot_count ? 2 * pool->slot_count : FIRST_SLOTS;
  int *slots = MEM_ARRAY(int, wanted);
  if (!slots) return 0;
  mem_free(pool->slots);
  pool->slots = slots;
  pool->slot_count = wanted;
  for (int i = 0; i < pool->count; i++) *slot_of(pool, &pool->nodes[i]) = i + 1;
  return 1;
}

//---- nodes ---------------------------------------------------------------------------------------

static int fail(exprPool *pool)
{
  pool->failed = 1;
  return 0;
}


static int add_node(exprPool *pool, exprNode node)
{
  if (pool->failed || !make_slots(pool)) return fail(pool);
  int *slot = slot_of(pool, &node);
  if (*slot) return *slot - 1;

  void *nodes = pool->nodes;
  if (!mem_grow(&nodes, pool->count, &pool->capacity, sizeof node)) return fail(pool);
  pool->nodes = nodes;

  // the caller's text may not live as long as the pool
  if (node.op == EXPR_SYMBOL) {
    node.name = arena_text(&pool->names, node.name);
    if (!node.name) return fail(pool);
    node.a = pool->symbol_count++;
  }
  pool->nodes[pool->count++] = node;
  *slot = pool->count;
  return pool->count - 1;
}


exprPool *expr_create(exprLevel level)
{
  exprPool *pool = MEM_ARRAY(exprPool, 1);
  if (!pool) return NULL;
  pool->level = level;
  add_node(pool, (exprNode){.op = EXPR_CONSTANT, .value = 0.0});
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
  mem_free(pool);
}


int expr_failed(const exprPool *pool)
{
  return pool->failed;
}


int expr_node(exprPool *pool, exprOp op, int a, int b)
{
  ART_ASSERT(expr_arity(op) > 0 && a < pool->count && b < pool->count);
  return add_node(pool, (exprNode){.op = op, .a = a, .b = b});
}


int expr_constant(exprPool *pool, double value)
{
  if (value == 0) return 0;
  return add_node(pool, (exprNode){.op = EXPR_CONSTANT, .value = value});
}


int expr_symbol(exprPool *pool, const char *name, int index)
{
  return add_node(pool, (exprNode){.op = EXPR_SYMBOL, .name = name, .index = index});
}


void expr_name(exprPool *pool, int node, const char *name, int index)
{
  exprNode *n = &pool->nodes[node];
  if (pool->failed || n->name || expr_arity(n->op) == 0) return;
  n->name = arena_text(&pool->names, name);
  n->index = index;
  if (!n->name) fail(pool);
}


int expr_is_constant(const exprPool *pool, int node)
{
  return pool->nodes[node].op == EXPR_CONSTANT;
}
