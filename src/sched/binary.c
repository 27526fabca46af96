// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Decomposition of equation lists into single operations, and their text.
#include "sched/binary.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"
#include "sched/operate.h"

enum { MAX_DEPTH = 200 }; // maximum depth of an expression that names can express

// State of a symbol that a stage assigns.
typedef struct buildSymbol {
  int is_given;       // assigned by some stage
  int is_assigned;    // reading it means reading `value`
  schedOperand value; //
  int stage;          // 1 + the stage that assigned it; 0: an input
  int correction;     // Newton: operation to wait for, -1: none
} buildSymbol;

typedef struct binaryBuild {
  schedBinary *binary;
  const eqnList *list;
  const exprPool *pool;
  const schedBinaryOptions *options;
  schedOps ops;
  schedOperand *of_equation; // [list->n]
  const char **name;         // [list->n]
  buildSymbol *symbol;       // by ordinal
  int *residual;             // [nstage] operation of the residual, -1: none
  schedOpPlace place;        // of the present equation
  char path[MAX_DEPTH + 1];
  int depth;
} binaryBuild;

static schedOperand take_apart(binaryBuild *b, int node);

//---- kinds ---------------------------------------------------------------------------------------

schedBinaryOptions binary_options(const schedMachine *machine)
{
  schedBinaryOptions options = {.transfer = machine->transfer};
  memcpy(options.latency, machine->latency, sizeof options.latency);
  return options;
}

//---- dependences without data --------------------------------------------------------------------

static void add_operation_wait(schedOpPlace *place, int op)
{
  for (int k = 0; k < place->nwait; k++) {
    if (place->wait[k] == op) return;
  }
  if (op >= 0 && place->nwait < SCHED_WAITS) place->wait[place->nwait++] = op;
}


// results of an iteration are valid only after the last iteration
static void wait_for_operand(const binaryBuild *b, schedOpPlace *place, const schedOperand *a)
{
  if (a->op >= 0) {
    const schedOperation *x = &b->ops.op[a->op];
    const int is_newton = b->list->function->stage[x->stage].kind == STAGE_NEWTON;
    if (is_newton && !x->ahead && x->stage < place->stage)
      add_operation_wait(place, b->residual[x->stage]);
    return;
  }
  const exprNode *n = &b->pool->nodes[a->leaf];
  if (n->op != EXPR_SYMBOL || b->symbol[n->a].stage == 0) return;
  add_operation_wait(place, b->residual[b->symbol[n->a].stage - 1]);
  add_operation_wait(place, b->symbol[n->a].correction);
}


// properties of an operation with these operands
static schedOpPlace place_with(binaryBuild *b, int noperand, const schedOperand *operand)
{
  schedOpPlace place = b->place;
  for (int k = 0; k < noperand; k++) wait_for_operand(b, &place, &operand[k]);
  if (b->depth > 0) {
    place.name = arena_format(b->ops.arena, "%s%.*s", place.name, b->depth, b->path);
  }
  return place;
}

//---- expressions ---------------------------------------------------------------------------------

static schedOperand step_into(binaryBuild *b, int node, char side)
{
  ART_ASSERT(b->depth < MAX_DEPTH);
  b->path[b->depth++] = side;
  const schedOperand result = take_apart(b, node);
  b->depth--;
  return result;
}


// is it built from numbers and inputs by sums and products?
static int is_of_inputs(const binaryBuild *b, int node)
{
  const exprNode *n = &b->pool->nodes[node];
  const int e = b->list->equation_of[node];
  if (n->op == EXPR_CONSTANT || (e >= 0 && b->list->equation[e].stage < 0)) return 1;
  if (n->op == EXPR_SYMBOL) return !b->symbol[n->a].is_given;
  if (n->op == EXPR_NEG) return is_of_inputs(b, n->a);
  if (n->op != EXPR_ADD && n->op != EXPR_SUB && n->op != EXPR_MUL) return 0;
  return is_of_inputs(b, n->a) && is_of_inputs(b, n->b);
}


static int is_input(const binaryBuild *b, int node)
{
  const exprNode *n = &b->pool->nodes[node];
  if (n->op == EXPR_CONSTANT || n->op == EXPR_SYMBOL) return 1;
  if (b->options->with_sines || (n->op != EXPR_SIN && n->op != EXPR_COS)) return 0;
  return is_of_inputs(b, n->a);
}


// calls and selections
static schedOperand take_many_apart(binaryBuild *b, int node)
{
  const int n = expr_argument_count(b->pool, node);
  schedOperand *operand;
  ARENA_TAKE(b->ops.arena, operand, n + 1);
  for (int k = 0; k < n; k++) {
    operand[k] = step_into(b, expr_argument(b->pool, node, k), k == 0 ? 'g' : 'd');
    operand[k] = ops_without_sign(&b->ops, operand[k], &b->place);
  }
  schedOpPlace place = place_with(b, n, operand);
  if (b->pool->nodes[node].op == EXPR_CALL) place.called = expr_called(b->pool, node);
  return ops_many(&b->ops, b->pool->nodes[node].op, n, operand, &place);
}


// operation of a node; its operands may be other operations
static schedOperand take_operation_apart(binaryBuild *b, int node)
{
  const exprNode *n = &b->pool->nodes[node];
  if (n->op == EXPR_NEG) return operand_flip(step_into(b, n->a, 'd'), 1);
  if (n->op == EXPR_CALL || n->op == EXPR_SELECT) return take_many_apart(b, node);
  schedOperand operand[2] = {0};
  const int is_binary = expr_arity(n->op) == 2;
  operand[0] = step_into(b, n->a, 'g');
  if (is_binary) operand[1] = step_into(b, n->b, 'd');
  const schedOpPlace place = place_with(b, is_binary ? 2 : 1, operand);
  return ops_operate(&b->ops, n->op, operand[0], operand[1], &place);
}


static schedOperand take_apart(binaryBuild *b, int node)
{
  const exprNode *n = &b->pool->nodes[node];
  const int e = b->list->equation_of[node];
  if (n->op == EXPR_SYMBOL && b->symbol[n->a].is_assigned) return b->symbol[n->a].value;
  if (is_input(b, node)) return operand_leaf(node);
  if (n->op == EXPR_ELEMENT) {
    schedOperand call = b->of_equation[b->list->equation_of[n->a]];
    call.element = n->b;
    return call;
  }
  if (e >= 0) return b->list->equation[e].stage < 0 ? operand_leaf(node) : b->of_equation[e];
  return take_operation_apart(b, node);
}

//---- stages --------------------------------------------------------------------------------------

static void assign_unknowns(binaryBuild *b, const eqnStage *stage)
{
  schedOperand *value;
  ARENA_TAKE(b->ops.arena, value, stage->nunknown + 1);
  for (int i = 0; i < stage->nunknown; i++) value[i] = take_apart(b, stage->correction[i]);
  for (int i = 0; i < stage->nunknown; i++) {
    buildSymbol *symbol = &b->symbol[b->pool->nodes[stage->unknown[i]].a];
    symbol->is_assigned = 1;
    symbol->value = value[i];
  }
}


// unknowns of Newton's method, and of conditional assignments, keep their symbols, but later
// operations must wait for them
static void finish_stage(binaryBuild *b, int s)
{
  ART_ASSERT(s >= 0 && s < b->list->function->nstage);
  const eqnStage *stage = &b->list->function->stage[s];
  b->place = (schedOpPlace){.name = stage->title ? stage->title : "", .stage = s};
  b->residual[s] = -1;
  if (stage->kind == STAGE_STRAIGHT) return;
  if (stage->kind == STAGE_ASSIGN) {
    assign_unknowns(b, stage);
    return;
  }
  b->residual[s] = take_apart(b, stage->residual).op;
  for (int i = 0; i < stage->nunknown; i++) {
    buildSymbol *symbol = &b->symbol[b->pool->nodes[stage->unknown[i]].a];
    symbol->correction = take_apart(b, stage->correction[i]).op;
    symbol->is_assigned = 0;
    symbol->stage = s + 1;
  }
}


static void mark_unknowns(binaryBuild *b)
{
  const eqnFunction *f = b->list->function;
  for (int s = 0; s < f->nstage; s++) {
    for (int i = 0; i < f->stage[s].nunknown; i++) {
      buildSymbol *symbol = &b->symbol[b->pool->nodes[f->stage[s].unknown[i]].a];
      symbol->is_given = 1;
      symbol->correction = -1;
      if (f->stage[s].kind != STAGE_ASSIGN) symbol->stage = s + 1;
    }
    b->residual[s] = -1;
  }
}


static void take_list_apart(binaryBuild *b)
{
  const eqnList *list = b->list;
  int stage = 0;
  mark_unknowns(b);
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    if (x->stage < 0) continue;
    while (stage < x->stage) finish_stage(b, stage++);
    b->place = (schedOpPlace){.name = b->name[e], .stage = x->stage, .ahead = x->ahead};
    b->of_equation[e] =
        is_input(b, x->node) ? operand_leaf(x->node) : take_operation_apart(b, x->node);
  }
  while (stage < list->function->nstage) finish_stage(b, stage++);
}

//---- names ---------------------------------------------------------------------------------------

// variables have names; a value written directly to an output is named after it
static void name_binary_equations(binaryBuild *b)
{
  const eqnFunction *f = b->list->function;
  for (int e = 0; e < b->list->n; e++) b->name[e] = b->list->equation[e].name;
  for (int v = 0; v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++) {
      const int e = b->list->equation_of[f->output[v].node[i]];
      if (e < 0 || b->name[e]) continue;
      b->name[e] = arena_format(b->ops.arena, "%s[%d]", f->output[v].name, i);
    }
  }
  for (int e = 0; e < b->list->n; e++) {
    if (!b->name[e]) b->name[e] = "?";
  }
}

//---- the result ----------------------------------------------------------------------------------

static void find_binary_outputs(binaryBuild *b)
{
  const eqnFunction *f = b->list->function;
  b->place = (schedOpPlace){.name = "", .stage = f->nstage - 1};
  for (int v = 0, k = 0; v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++)
      b->binary->output[k++] = take_apart(b, f->output[v].node[i]);
  }
}


static void mark_root_operation(int *is_root, int op)
{
  if (op >= 0) is_root[op] = 1;
}


// outputs, residuals, corrections, and assigned values
static void mark_roots(const binaryBuild *b, int *is_root)
{
  const eqnFunction *f = b->list->function;
  for (int k = 0; k < b->binary->noutput; k++)
    mark_root_operation(is_root, b->binary->output[k].op);
  for (int s = 0; s < f->nstage; s++) {
    mark_root_operation(is_root, b->residual[s]);
    for (int i = 0; i < f->stage[s].nunknown; i++) {
      const buildSymbol *symbol = &b->symbol[b->pool->nodes[f->stage[s].unknown[i]].a];
      mark_root_operation(is_root, symbol->is_assigned ? symbol->value.op : symbol->correction);
    }
  }
}


static int add_operation_parent(int n, int *parent, int p)
{
  for (int k = 0; k < n; k++) {
    if (parent[k] == p) return n;
  }
  parent[n] = p;
  return n + 1;
}


// copy an operation with the final numbers of itself and its operands
static void take_over(schedBinary *binary, const schedOperation *x, const int *number,
                      const schedBinaryOptions *options)
{
  schedOperation *y = &binary->operation[binary->n++];
  int n = 0, *parent;
  ARENA_TAKE(&binary->arena, parent, x->noperand + x->nwait);
  *y = *x;
  for (int k = 0; k < x->noperand; k++) {
    if (y->operand[k].op < 0) continue;
    y->operand[k].op = number[y->operand[k].op];
    n = add_operation_parent(n, parent, y->operand[k].op);
  }
  for (int k = 0; k < x->nwait; k++) {
    y->wait[k] = number[y->wait[k]];
    n = add_operation_parent(n, parent, y->wait[k]);
  }
  const schedKind kind = ops_kind(x->op);
  binary->count[kind]++;
  graph_add(&binary->graph, (int) kind, options->latency[kind], n, parent);
}


// number: on entry nonzero for roots, finally the number of each operation that is needed
static void finish_binary_list(const binaryBuild *b, const schedOps *ops, int *number)
{
  schedBinary *binary = b->binary;
  ARENA_TAKE(&binary->arena, binary->operation, ops->n + 1);

  // mark the operations needed by roots; excludes sums of angles whose sines are inputs
  for (int i = ops->n - 1; i >= 0; i--) {
    const schedOperation *x = &ops->op[i];
    if (!number[i]) continue;
    for (int k = 0; k < x->noperand; k++) mark_root_operation(number, x->operand[k].op);
    for (int k = 0; k < x->nwait; k++) mark_root_operation(number, x->wait[k]);
  }

  for (int i = 0; i < ops->n; i++) {
    if (!number[i]) continue;
    number[i] = binary->n;
    take_over(binary, &ops->op[i], number, b->options);
  }
  for (int k = 0; k < binary->noutput; k++) {
    schedOperand *x = &binary->output[k];
    if (x->op >= 0) x->op = number[x->op];
    binary->negated += x->negative;
  }
  graph_close(&binary->graph);
  graph_index(&binary->graph, b->options->transfer);
  binary->merged = ops->merged;
}


// balanced sums have other numbers; convert roots and outputs
static void finish_balanced(const binaryBuild *b, const int *is_root)
{
  schedBinary *binary = b->binary;
  schedOps balanced = {.arena = &binary->arena};
  schedOperand *now;
  int *number;
  ARENA_TAKE(&binary->arena, now, b->ops.n + 1);
  balance_ops(&balanced, &b->ops, is_root, b->options, now);
  ARENA_TAKE(&binary->arena, number, balanced.n + 1);
  for (int i = 0; i < b->ops.n; i++) {
    if (is_root[i]) mark_root_operation(number, now[i].op);
  }
  for (int k = 0; k < binary->noutput; k++) {
    if (binary->output[k].op >= 0)
      binary->output[k] = balance_parameter_map(now, binary->output[k]);
  }
  finish_binary_list(b, &balanced, number);
}


static void make_binary_list(void *build)
{
  binaryBuild *b = build;
  const eqnFunction *f = b->list->function;
  schedBinary *binary = b->binary;
  baseArena *arena = &binary->arena;
  int *is_root;
  for (int v = 0; v < f->noutput; v++) binary->noutput += f->output[v].n;
  ARENA_TAKE(arena, binary->output, binary->noutput + 1);
  ARENA_TAKE(arena, b->of_equation, b->list->n + 1);
  ARENA_TAKE(arena, b->name, b->list->n + 1);
  ARENA_TAKE(arena, b->symbol, b->pool->symbol_count + 1);
  ARENA_TAKE(arena, b->residual, f->nstage + 1);
  name_binary_equations(b);
  take_list_apart(b);
  find_binary_outputs(b);
  ARENA_TAKE(arena, is_root, b->ops.n + 1);
  mark_roots(b, is_root);
  if (b->options->shape == SCHED_BALANCED) {
    finish_balanced(b, is_root);
  } else {
    finish_binary_list(b, &b->ops, is_root);
  }
}


schedBinary *binary_create(const eqnList *list, const schedBinaryOptions *options)
{
  schedBinary *binary = MEM_ARRAY(schedBinary, 1);
  if (!binary) return NULL;
  binary->list = list;
  binary->arena.leaves = 1;
  binary->graph.arena = &binary->arena;
  binaryBuild b = {.binary = binary,
                   .list = list,
                   .pool = list->pool,
                   .options = options,
                   .ops.arena = &binary->arena};
  if (error_catch(make_binary_list, &b)) return binary;
  binary_free(binary);
  return NULL;
}


void binary_free(schedBinary *binary)
{
  if (!binary) return;
  arena_free(&binary->arena);
  mem_free(binary);
}

//---- text of operations --------------------------------------------------------------------------

// "q[2]" if the symbol is an element of an input
static int name_input(const eqnFunction *f, int node, char *buffer, int size)
{
  for (int v = 0; v < f->ninput; v++) {
    for (int i = 0; i < f->input[v].n; i++) {
      if (f->input[v].node[i] != node) continue;
      snprintf(buffer, (size_t) size, "%s[%d]", f->input[v].name, i);
      return 1;
    }
  }
  return 0;
}


static void name_leaf(const schedBinary *binary, int node, char *buffer, int size);


// sines of inputs, and sums of angles inside them
static void name_sine(const schedBinary *binary, int node, char *buffer, int size)
{
  const exprNode *n = &binary->list->pool->nodes[node];
  char a[56], b[56];
  name_leaf(binary, n->a, a, (int) sizeof a);
  if (n->op == EXPR_SIN || n->op == EXPR_COS) {
    snprintf(buffer, (size_t) size, "%s(%s)", n->op == EXPR_SIN ? "sin" : "cos", a);
  } else if (expr_arity(n->op) == 2) {
    name_leaf(binary, n->b, b, (int) sizeof b);
    snprintf(buffer, (size_t) size, "%s %c %s", a,
             n->op == EXPR_SUB   ? '-'
             : n->op == EXPR_MUL ? '*'
                                 : '+',
             b);
  } else {
    snprintf(buffer, (size_t) size, "-%s", a);
  }
}


static void name_leaf(const schedBinary *binary, int node, char *buffer, int size)
{
  const exprNode *n = &binary->list->pool->nodes[node];
  const int e = binary->list->equation_of[node];
  if (n->op == EXPR_CONSTANT) {
    format_text(buffer, (size_t) size, "%.9g", n->value);
  } else if (n->op == EXPR_SYMBOL) {
    if (!name_input(binary->list->function, node, buffer, size))
      snprintf(buffer, (size_t) size, "%s_%d", n->name, n->index);
  } else if (e >= 0 && binary->list->equation[e].stage < 0) {
    snprintf(buffer, (size_t) size, "%s", binary->list->equation[e].name);
  } else {
    name_sine(binary, node, buffer, size);
  }
}


const char *binary_operand_text(const schedBinary *binary, const schedOperand *operand,
                                char *buffer, int size)
{
  char name[128];
  if (operand->op >= 0)
    snprintf(name, sizeof name, "%s", binary->operation[operand->op].name);
  else
    name_leaf(binary, operand->leaf, name, (int) sizeof name);
  snprintf(buffer, (size_t) size, "%s%s", operand->negative ? "-" : "", name);
  return buffer;
}


// operator or function name in the text of an operation
static const char *operation_sign(exprOp op)
{
  static const char *const signs[EXPR_OP_COUNT] = {
      [EXPR_ADD] = " + ",       [EXPR_SUB] = " - ",   [EXPR_MUL] = " * ",
      [EXPR_DIV] = " / ",       [EXPR_NEG] = "0 - ",  [EXPR_SQRT] = "sqrt",
      [EXPR_SIN] = "sin",       [EXPR_COS] = "cos",   [EXPR_TAN] = "tan",
      [EXPR_ASIN] = "asin",     [EXPR_ACOS] = "acos", [EXPR_ATAN] = "atan",
      [EXPR_SINH] = "sinh",     [EXPR_COSH] = "cosh", [EXPR_TANH] = "tanh",
      [EXPR_EXP] = "exp",       [EXPR_LOG] = "log",   [EXPR_LOG10] = "log10",
      [EXPR_ABS] = "abs",       [EXPR_SIGN] = "sign", [EXPR_FLOOR] = "floor",
      [EXPR_NOT] = "not",       [EXPR_POW] = "pow",   [EXPR_ATAN2] = "atan2",
      [EXPR_HYPOT] = "hypot",   [EXPR_MIN] = "min",   [EXPR_MAX] = "max",
      [EXPR_MOD] = "mod",       [EXPR_LESS] = " < ",  [EXPR_LESS_EQUAL] = " <= ",
      [EXPR_EQUAL] = " == ",    [EXPR_AND] = " and ", [EXPR_OR] = " or ",
      [EXPR_SELECT] = "select", [EXPR_CALL] = "call",
  };
  return signs[op];
}


static void append_operation_text(char *buffer, int size, const char *text)
{
  ART_ASSERT(size > 0);
  const size_t used = strlen(buffer);
  if (used + 1 < (size_t) size) snprintf(buffer + used, (size_t) size - used, "%s", text);
}


const char *binary_operation_text(const schedBinary *binary, int i, char *buffer, int size)
{
  ART_ASSERT(i >= 0 && i < binary->n && size > 0);
  const schedOperation *x = &binary->operation[i];
  const char *sign = operation_sign(x->op);
  const int is_infix = sign[0] == ' ', is_function = !is_infix && x->op != EXPR_NEG;
  char word[160];
  buffer[0] = 0;
  if (!is_infix) append_operation_text(buffer, size, sign);
  if (is_function) append_operation_text(buffer, size, "(");
  for (int k = 0; k < x->noperand; k++) {
    if (k > 0) append_operation_text(buffer, size, is_infix ? sign : ", ");
    append_operation_text(buffer, size,
                          binary_operand_text(binary, &x->operand[k], word, (int) sizeof word));
  }
  if (is_function) append_operation_text(buffer, size, ")");
  return buffer;
}
