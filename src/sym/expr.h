// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expressions: a growing pool of hash-consed nodes, referred to by index.
//
// Equal expressions are one node, so common subexpressions are found on construction. A node refers
// to smaller indices only, so pool order is an order of evaluation. Node 0 is the constant 0. Nodes
// are never freed individually, only with their pool.
//
// When memory runs out, the pool is marked as failed permanently and every new node is node 0. So
// recording code need not check each operation, only expr_failed at the end. If `leaves` is set,
// the pool throws instead (base/throw.h).
#ifndef SYM_EXPR_H
#define SYM_EXPR_H

#include "base/arena.h"

// Operation of a node, number of its arguments (-1: variable), and its value for numeric arguments
// a and b.
//
// Comparisons and logical operations have the value 1 or 0; any number except 0 is true. MOD has
// the sign of its second argument, a - b floor(a / b). A SELECT is its second argument if the first
// is true, else its third. A CALL is an external function whose results are its ELEMENTs: their
// argument b is an index in the result, not a node.
#define EXPR_OP_LIST(F)                                                                            \
  F(EXPR_CONSTANT, 0, NAN)                                                                         \
  F(EXPR_SYMBOL, 0, NAN)                                                                           \
  F(EXPR_NEG, 1, -a)                                                                               \
  F(EXPR_SQRT, 1, sqrt(a))                                                                         \
  F(EXPR_SIN, 1, sine_of_angle(a))                                                                 \
  F(EXPR_COS, 1, cosine_of_angle(a))                                                               \
  F(EXPR_ADD, 2, a + b)                                                                            \
  F(EXPR_SUB, 2, a - b)                                                                            \
  F(EXPR_MUL, 2, (a * b))                                                                          \
  F(EXPR_DIV, 2, a / b)                                                                            \
  F(EXPR_TAN, 1, tan(a))                                                                           \
  F(EXPR_ASIN, 1, asin(a))                                                                         \
  F(EXPR_ACOS, 1, acos(a))                                                                         \
  F(EXPR_ATAN, 1, atan(a))                                                                         \
  F(EXPR_SINH, 1, sinh(a))                                                                         \
  F(EXPR_COSH, 1, cosh(a))                                                                         \
  F(EXPR_TANH, 1, tanh(a))                                                                         \
  F(EXPR_EXP, 1, exp(a))                                                                           \
  F(EXPR_LOG, 1, log(a))                                                                           \
  F(EXPR_LOG10, 1, log10(a))                                                                       \
  F(EXPR_ABS, 1, fabs(a))                                                                          \
  F(EXPR_SIGN, 1, (a > 0) - (a < 0))                                                               \
  F(EXPR_FLOOR, 1, floor(a))                                                                       \
  F(EXPR_NOT, 1, a == 0)                                                                           \
  F(EXPR_POW, 2, pow(a, b))                                                                        \
  F(EXPR_ATAN2, 2, atan2(a, b))                                                                    \
  F(EXPR_HYPOT, 2, hypot(a, b))                                                                    \
  F(EXPR_MIN, 2, a <= b ? a : b)                                                                   \
  F(EXPR_MAX, 2, a >= b ? a : b)                                                                   \
  F(EXPR_MOD, 2, a - b * floor(a / b))                                                             \
  F(EXPR_LESS, 2, a < b)                                                                           \
  F(EXPR_LESS_EQUAL, 2, a <= b)                                                                    \
  F(EXPR_EQUAL, 2, a == b)                                                                         \
  F(EXPR_AND, 2, a != 0 && b != 0)                                                                 \
  F(EXPR_OR, 2, a != 0 || b != 0)                                                                  \
  F(EXPR_SELECT, 3, NAN)                                                                           \
  F(EXPR_CALL, -1, NAN)                                                                            \
  F(EXPR_ELEMENT, 1, NAN)

typedef enum exprOp {
#define EXPR_OP_ENUM(op, arity, value) op,
  EXPR_OP_LIST(EXPR_OP_ENUM)
#undef EXPR_OP_ENUM
      EXPR_OP_COUNT
} exprOp;

// Number of arguments of an operation, -1 for a call; is it a sine or a cosine?
int expr_arity(exprOp op);
int expr_is_trig(exprOp op);

// How far new nodes are rewritten.
typedef enum exprLevel {
  // Rules that preserve every bit of a finite result, except the sign of zero: constant folding
  // with machine arithmetic, absorption of zeros, ones and signs, ordering of the arguments of sums
  // and products. Infinite or NaN values may be folded away (x * 0 is 0).
  EXPR_RECORD,

  // In addition, rules for real numbers, which may change the last bits: like terms, constant
  // factors, signs, sin^2 + cos^2 = 1.
  EXPR_SIMPLIFY,
} exprLevel;

// Result of a rewriting rule that does not apply.
enum { EXPR_NO_RULE = -1 };

typedef struct exprNode {
  exprOp op;
  int a, b; // arguments, smaller than the node's own index; symbol: a is its ordinal; SELECT and
            // CALL: a is the index of the first of b arguments in pool->more
  // with name: number of the link, axis or coordinate to which the name belongs; -1: none
  int index;
  double value;     // of a constant
  const char *name; // of symbols always; of other nodes set by expr_name, or NULL
} exprNode;

// An opaque numeric function with `narg` arguments and `n` results. The derivatives of its results
// with respect to its arguments, row by row, are another such function.
typedef struct exprExternal {
  int narg, n;
  int derivative_of; // the function whose derivatives this one computes, or -1
  // the function that computes the derivatives of this one, or -1: not created yet
  int derivative;
} exprExternal;

// A slot of the hash table; the stored hash allows quick rejection.
typedef struct exprSlot {
  int node; // node + 1; 0: free
  unsigned hash;
} exprSlot;

typedef struct exprPool {
  exprLevel level;
  int is_solving;  // see expr_solving
  long long asked; // operations requested, before merging equal ones
  int made;        // those that were new
  int count, capacity;
  exprNode *nodes;
  int slot_count; // size of the hash table, a power of two
  exprSlot *slots;
  int more_count, more_capacity;
  // arguments of nodes with more than two; for a call, preceded by the number of the function
  int *more;
  int external_count, external_capacity;
  exprExternal *external;
  int symbol_count;
  int failed;
  int leaves; // throw when memory runs out
  baseArena names;
} exprPool;

//---- the pool ------------------------------------------------------------------------------------

// Create a pool that contains only node 0; NULL when memory ran out.
exprPool *expr_create(exprLevel level);
void expr_free(exprPool *pool);

// Did memory run out at any time? Then the pool's expressions are meaningless.
int expr_failed(const exprPool *pool);

// Mark the pool as failed, because memory ran out here or elsewhere; returns 0.
int expr_fail(exprPool *pool);

// Set the pool in which the operations of "sym/symbol_scalar.h" are recorded; returns the previous
// one. The setting is per thread. It is the only state in the library that is not passed
// explicitly: the recursions have the same source for numbers and symbols, and a sum of two numbers
// has no argument for a pool.
exprPool *expr_use(exprPool *pool);
exprPool *expr_used(void);

// Symbolic numbers of roads and tyres: set the function that returns the node for the number at an
// address, in this thread; NULL: all are constants. sym_number_node: node of a number in the pool
// of expr_use.
typedef int symNumberNode(void *context, const double *number);
void sym_use_numbers(symNumberNode *node, void *context);
int sym_number_node(const double *number);

//---- leaves and names ----------------------------------------------------------------------------

// A constant; constants are equal if all bits are equal, except that both zeros are node 0.
int expr_constant(exprPool *pool, double value);

// The symbol with this name and index, created at the first call. The ordinal of a symbol, counted
// from 0 in the order of creation, is its index in the values given to an evaluation.
int expr_symbol(exprPool *pool, const char *name, int index);

// Name a node for readers of the recorded equations: a quantity of a link, "omega_z", or a complete
// name (index -1). The first name is kept; constants, symbols and node 0 cannot be named. The
// negative of a named node is called by that name plus _neg until it is named itself.
void expr_name(exprPool *pool, int node, const char *name, int index);

int expr_is_constant(const exprPool *pool, int node);

//---- operations ----------------------------------------------------------------------------------

// Each returns the node of its result, rewritten as far as the level of the pool allows.
int expr_add(exprPool *pool, int a, int b);
int expr_sub(exprPool *pool, int a, int b);
int expr_mul(exprPool *pool, int a, int b);
int expr_div(exprPool *pool, int a, int b);
int expr_neg(exprPool *pool, int a);
int expr_sqrt(exprPool *pool, int a);
int expr_sin(exprPool *pool, int a);
int expr_cos(exprPool *pool, int a);
int expr_pow(exprPool *pool, int a, int b);
int expr_select(exprPool *pool, int condition, int a, int b);

// x_0 y_0 + x_1 y_1 + ..., n terms with the given strides.
int expr_dot(exprPool *pool, int n, const int *x, int stride_x, const int *y, int stride_y);

// Any operation with one or two arguments; b is ignored if there is one.
int expr_operate(exprPool *pool, exprOp op, int a, int b);

// Between expr_solving(pool, 1) and expr_solving(pool, 0) a linear system is solved: its products
// are shared by design, so rules that rewrite sums are disabled.
void expr_solving(exprPool *pool, int is_solving);

//---- external functions --------------------------------------------------------------------------

// expr_external: register a function; returns its number. expr_external_derivative: the function of
// its derivatives, with the same arguments and narg * n results: the derivative of result i with
// respect to argument j has index i * narg + j.
int expr_external(exprPool *pool, int narg, int n);
int expr_external_derivative(exprPool *pool, int external);

// Call a function; the result is a vector, whose elements are expressions.
int expr_call(exprPool *pool, int external, const int *arguments);
int expr_element(exprPool *pool, int call, int i);

//---- access to nodes -----------------------------------------------------------------------------

// Number of arguments of a node, and the k-th one.
int expr_argument_count(const exprPool *pool, int node);
int expr_argument(const exprPool *pool, int node, int k);

// Mark everything on which the marked nodes among the first `count` nodes depend.
void expr_mark_arguments(const exprPool *pool, int count, unsigned char *is_marked);

// Number of the function that is called.
int expr_called(const exprPool *pool, int node);

//---- for the rewriting rules ---------------------------------------------------------------------

// The node without rewriting, but shared; b is 0 if there is one argument.
int expr_node(exprPool *pool, exprOp op, int a, int b);

// That node if it exists, else -1.
int expr_find(const exprPool *pool, exprOp op, int a, int b);

// The same with more arguments: push one after the other, then make the node of the last n.
void expr_push(exprPool *pool, int argument);
int expr_node_n(exprPool *pool, exprOp op, int n);

// The same operation with other arguments, rewritten.
int expr_with(exprPool *pool, int node, const int *arguments);

// Value of an operation with one or two numeric arguments.
double expr_apply(exprOp op, double a, double b);

// Values of all nodes in machine arithmetic, values[pool->count], for symbols by ordinal. External
// functions are not called: their results are NaN (see eqn/list.h).
void expr_evaluate(const exprPool *pool, const double *symbols, double *values);

//---- parts of a pool (extract.c) -----------------------------------------------------------------

// Copy a node to another pool, in which its arguments are now[]; a symbol keeps its ordinal.
int extract_node(exprPool *to, const exprPool *from, int node, const int *now);

// Copy the needed nodes, and everything on which they depend, to a new pool in the same order.
// Symbols keep their ordinals, functions their numbers, and nodes their names; name strings still
// belong to the old pool, which must outlive the new one. now[i]: new index of the needed node i.
// If the symbol `given` is not 0, selections by it take their first value.
void extract_pool(exprPool *to, const exprPool *pool, const unsigned char *needed, int given,
                  int *now);

#endif
