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
// records need not look at each operation, only at the end, with expr_failed. Or the work is left (base/leave.h).
#ifndef SYM_EXPR_H
#define SYM_EXPR_H

#include "base/arena.h"

// Operation of a node on its arguments, their number, -1: any number, and its value for numbers a and b, if these are all.
//
// Comparisons and their combinations have the value 1 or 0; a number other than 0 is true. MOD has
// the sign of its second argument, a - b floor(a / b). A SELECT is its second argument where the first
// is true, else its third. A CALL is an external function, whose results are its ELEMENTs: the
// argument b of these is a place in the result, not a node.
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

// How many arguments an operation takes, -1 for a call; whether it is a sine or a cosine.
int expr_arity(exprOp op);
int expr_is_trig(exprOp op);

// How freely new nodes are rewritten.
typedef enum exprLevel {
  // Rules that leave every bit of a finite result alone, the sign of a zero excepted: numbers are
  // folded with the machine's own arithmetic, zeros, ones and signs are absorbed, the arguments of
  // sums and products are put in order. A value that is infinite or not a number may be folded away
  // (x * 0 is 0).
  EXPR_RECORD,

  // Rules of real numbers besides, which may change the last bits: like terms, constant factors,
  // signs, sin^2 + cos^2 = 1.
  EXPR_SIMPLIFY,
} exprLevel;

// Result of a rule of rewriting that does not apply.
enum { EXPR_NO_RULE = -1 };

typedef struct exprNode {
  exprOp op;
  int a, b;  // arguments, smaller than the node's own index; of a symbol a is its ordinal;
             // of SELECT and CALL a is where its b arguments stand in the pool's `more`
  int index; // with name: link, axis or coordinate that the name speaks of; -1: it says so itself
  double value;     // of a constant
  const char *name; // of every symbol; of other nodes by expr_name, or NULL
} exprNode;

// A function of numbers that is not known here: `narg` arguments, `n` results. The derivatives of the
// results with respect to the arguments, row by row, are one more such function.
typedef struct exprExternal {
  int narg, n;
  int derivative_of; // the function whose derivatives these are, or -1
  int derivative;    // function that gives the derivatives of this one, or -1: not made yet
} exprExternal;

// A place of the hash table, with the node's hash beside it: others are told apart without looking at them.
typedef struct exprSlot {
  int node; // + 1, or 0 where free
  unsigned hash;
} exprSlot;

typedef struct exprPool {
  exprLevel level;
  int is_solving;  // see expr_solving
  long long asked; // operations that were asked for, before equal ones became one
  int made;        // of these, operations that are not equal to one before
  int count, capacity;
  exprNode *nodes;
  int slot_count; // of the hash table, a power of two
  exprSlot *slots;
  int more_count, more_capacity;
  int *more; // arguments of nodes with more than two; of a call the function's number comes first
  int external_count, external_capacity;
  exprExternal *external;
  int symbol_count;
  int failed;
  int leaves; // where memory runs out, the work is left
  baseArena names;
} exprPool;

//---- the pool ------------------------------------------------------------------------------------

// A pool that holds node 0 alone, or NULL when there is no memory.
exprPool *expr_create(exprLevel level);
void expr_free(exprPool *pool);

// Whether memory ran out at any time, so that the pool's expressions mean nothing.
int expr_failed(const exprPool *pool);

// Memory ran out, here or for something beside the pool: it has failed; returns 0.
int expr_fail(exprPool *pool);

// The pool in which the operations of "sym/symbol_scalar.h" record; returns the one used before. It belongs
// to the thread and is the only state in the library that is not passed by hand: the recursions are
// one text for numbers and symbols, and a sum of two numbers has no third argument for a pool.
exprPool *expr_use(exprPool *pool);
exprPool *expr_used(void);

// Numbers of roads and tyres on symbols: who makes equations says which node stands for the number at an address, in this
// thread; node NULL: all are constants. The node of a number, in the pool of expr_use.
typedef int symNumberNode(void *context, const double *number);
void sym_use_numbers(symNumberNode *node, void *context);
int sym_number_node(const double *number);

//---- leaves and names ----------------------------------------------------------------------------

// A number, equal to another when all bits are; both zeros are node 0.
int expr_constant(exprPool *pool, double value);

// The symbol with this name and index, made at the first call. The ordinal of a symbol, counted from
// 0 in the order of making, is its place among the values given to an evaluation.
int expr_symbol(exprPool *pool, const char *name, int index);

// Give a node a name that readers of the recorded equations will see: a quantity of a link, "omega_z", or the whole name
// (index -1). The first name stays; constants, symbols and node 0 have none. Minus a node lends it its name with _neg
// behind it, until that gets one of its own.
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
int expr_pow(exprPool *pool, int a, int b);
int expr_select(exprPool *pool, int condition, int a, int b);

// x_0 y_0 + x_1 y_1 + ..., n terms, from one to the next by strides.
int expr_dot(exprPool *pool, int n, const int *x, int stride_x, const int *y, int stride_y);

// Any operation of one or two arguments; b is not looked at where there is one.
int expr_operate(exprPool *pool, exprOp op, int a, int b);

// Between expr_solving(pool, 1) and expr_solving(pool, 0) a linear system is solved: products there
// are shared by design, and the rules that rewrite sums stay away.
void expr_solving(exprPool *pool, int is_solving);

//---- external functions --------------------------------------------------------------------------

// A new function, named by its number; and the one that gives its derivatives, with the same arguments
// and narg * n results: the derivative of result i with respect to argument j is at i * narg + j.
int expr_external(exprPool *pool, int narg, int n);
int expr_external_derivative(exprPool *pool, int external);

// Call a function with its arguments; the result is a vector, of which elements are expressions.
int expr_call(exprPool *pool, int external, const int *arguments);
int expr_element(exprPool *pool, int call, int i);

//---- looking at nodes ----------------------------------------------------------------------------

// How many nodes a node refers to, and which.
int expr_argument_count(const exprPool *pool, int node);
int expr_argument(const exprPool *pool, int node, int k);

// Mark besides the marked ones among the first `count` nodes all that they are made of.
void expr_mark_arguments(const exprPool *pool, int count, unsigned char *is_marked);

// The function that a call calls.
int expr_called(const exprPool *pool, int node);

//---- for the rewriting rules ---------------------------------------------------------------------

// The node as it stands, shared but not rewritten; b is 0 where there is one argument.
int expr_node(exprPool *pool, exprOp op, int a, int b);

// That node if it is there already, else -1.
int expr_find(const exprPool *pool, exprOp op, int a, int b);

// The same with more arguments: one after the other, and then the node of the last n.
void expr_push(exprPool *pool, int argument);
int expr_node_n(exprPool *pool, exprOp op, int n);

// The same operation on other arguments, rewritten.
int expr_with(exprPool *pool, int node, const int *arguments);

// The result of an operation of one or two arguments on numbers.
double expr_apply(exprOp op, double a, double b);

// The values of all nodes with the machine's arithmetic, values[pool->count], for symbols by ordinals. External functions are
// not called: their results are no numbers here (eqn/list.h).
void expr_evaluate(const exprPool *pool, const double *symbols, double *values);

//---- parts of a pool (extract.c) -----------------------------------------------------------------

// A node of one pool in another, where its arguments have the numbers now[]; a symbol with its ordinal.
int extract_node(exprPool *to, const exprPool *from, int node, const int *now);

// The needed nodes, and so all that they are made of, in a pool that is new, in the order of the old one. Symbols keep their
// ordinals, functions their numbers, nodes their names, whose text stays that of the old pool, which must live longer. now[i]
// is the new number of node i, for nodes that are needed. Where a symbol `given` is not 0, choices by it are their first
// values.
void extract_pool(exprPool *to, const exprPool *pool, const unsigned char *needed, int given,
                  int *now);

#endif
