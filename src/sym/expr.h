// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions: one growing pool of hash-consed nodes, named by their index.
//
// Equal expressions are one node, so common subexpressions are found by making them. A node refers
// to smaller indices only, so the order of the pool is an order of evaluation. Node 0 is the
// constant 0. Nodes are never freed singly: a whole generation goes with its pool.
//
// When memory runs out the pool is marked as failed for good and every new node is node 0: code that
// records need not look at each operation, only at the end, with expr_failed.
#ifndef SYM_EXPR_H
#define SYM_EXPR_H

#include "base/arena.h"

// what a node does with its arguments a and b
#define EXPR_OP_LIST(F)                                                                            \
  F(EXPR_CONSTANT, 0)                                                                              \
  F(EXPR_SYMBOL, 0)                                                                                \
  F(EXPR_NEG, 1)                                                                                   \
  F(EXPR_SQRT, 1)                                                                                  \
  F(EXPR_SIN, 1)                                                                                   \
  F(EXPR_COS, 1)                                                                                   \
  F(EXPR_ADD, 2)                                                                                   \
  F(EXPR_SUB, 2)                                                                                   \
  F(EXPR_MUL, 2)                                                                                   \
  F(EXPR_DIV, 2)

typedef enum exprOp {
#define EXPR_OP_ENUM(op, arity) op,
  EXPR_OP_LIST(EXPR_OP_ENUM)
#undef EXPR_OP_ENUM
      EXPR_OP_COUNT
} exprOp;

// How many arguments an operation takes: 0, 1 or 2.
int expr_arity(exprOp op);

// How freely new nodes are rewritten.
typedef enum exprLevel {
  // Only what leaves every bit of a finite result alone, the sign of a zero excepted: numbers are
  // folded with the machine's own arithmetic, zeros, ones and signs are absorbed, the arguments of
  // sums and products are put in order. A value that is infinite or not a number may be folded away
  // (x * 0 is 0).
  EXPR_RECORD,

  // Rules of real numbers besides, which may change the last bits: like terms, constant factors,
  // signs, sin^2 + cos^2 = 1.
  EXPR_SIMPLIFY,
} exprLevel;

typedef struct exprNode {
  exprOp op;
  int a, b;         // arguments, smaller than the node's own index; of a symbol a is its ordinal
  int index;        // with name: body, axis or coordinate that the name speaks of
  double value;     // of a constant
  const char *name; // of every symbol; of other nodes what expr_name said, or NULL
} exprNode;

typedef struct exprPool {
  exprLevel level;
  int count, capacity;
  exprNode *nodes;
  int slot_count; // of the hash table, a power of two
  int *slots;     // node + 1, or 0 where free
  int symbol_count;
  int failed;
  baseArena names;
} exprPool;

//---- the pool ------------------------------------------------------------------------------------

// A pool that holds node 0 alone, or NULL when there is no memory.
exprPool *expr_create(exprLevel level);
void expr_free(exprPool *pool);

// Whether memory ran out at any time, so that the pool's expressions mean nothing.
int expr_failed(const exprPool *pool);

// The pool in which the operations of "sym/scalar.h" record; returns the one used before. It belongs
// to the thread and is the only state in the library that is not passed by hand: the recursions are
// one text for numbers and symbols, and a sum of two numbers has no third argument for a pool.
exprPool *expr_use(exprPool *pool);
exprPool *expr_used(void);

//---- leaves and names ----------------------------------------------------------------------------

// A number, equal to another when all bits are; both zeros are node 0.
int expr_constant(exprPool *pool, double value);

// The symbol with this name and index, made at the first call. The ordinal of a symbol, counted from
// 0 in the order of making, is its place among the values given to an evaluation.
int expr_symbol(exprPool *pool, const char *name, int index);

// Give a node a name that readers of the recorded equations will see. The first name stays;
// constants, symbols and node 0 have none.
void expr_name(exprPool *pool, int node, const char *name, int index);

int expr_is_constant(const exprPool *pool, int node);

//---- operations ----------------------------------------------------------------------------------

// Each gives the node of its result, rewritten as the level of the pool allows.
int expr_add(exprPool *pool, int a, int b);
int expr_sub(exprPool *pool, int a, int b);
int expr_mul(exprPool *pool, int a, int b);
int expr_div(exprPool *pool, int a, int b);
int expr_neg(exprPool *pool, int a);
int expr_sqrt(exprPool *pool, int a);
int expr_sin(exprPool *pool, int a);
int expr_cos(exprPool *pool, int a);

//---- for the rewriting rules ---------------------------------------------------------------------

// The node as it stands, shared but not rewritten; b is 0 where there is one argument.
int expr_node(exprPool *pool, exprOp op, int a, int b);

// The result of an operation on numbers.
double expr_apply(exprOp op, double a, double b);

#endif
