// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rows of what depends on time and held numbers alone: the largest parts of the equations of motion that do, which act as they are, and
// those of margins of relays and of switching functions, whose signs count.
#include "emit/machine/look.h"

#include <string.h>

#include "base/format.h"
#include "base/throw.h"
#include "emit/machine/step_look.h"

enum { MAX_ROWS = 4000, ROW_STAYS = 4 };

// Operations of step_look.h, by those of expressions.
#define LOOK_OP(op, arity, value) [op] = &#op[sizeof "EXPR_" - 1],
static const char *const op_names[EXPR_OP_COUNT] = {EXPR_OP_LIST(LOOK_OP)};

static const char *const list_names[] = {"CONSTANT", "PARAMETER", "TIME", "HELD", "SIDE", "PATH"};

enum { IS_KNOWN = 1, IS_TIMED = 2, IS_NEEDED = 4 };

// A list on its way into rows.
typedef struct lookJob {
  lookText *look;
  const eqnList *list;
  unsigned char *is; // [nodes]
  int *row;          // [nodes] -1: it has none yet
  int *leaf[2];      // [nodes] how it is read, -1: it is made of others; and its number there
  int changes;       // what roots depend on: LOOK_TIME, or LOOK_PATH
  int room[4];
  baseArena *arena;
} lookJob;


static void set_leaves(lookJob *j, const eqnVector *v, int kind)
{
  for (int i = 0; v && i < v->n; i++) {
    j->leaf[0][v->node[i]] = kind;
    j->leaf[1][v->node[i]] = i;
  }
}


static int is_leaf(const lookJob *j, int node)
{
  return j->leaf[0][node] >= 0;
}


// the node that defines a constant, -1: it is no such
static int defining_node_of(const eqnList *list, int node)
{
  for (int i = 0; i < list->ndefined; i++) {
    if (list->defined[i].node == node) return list->defined[i].definition;
  }
  return -1;
}


static void mark_known_nodes(lookJob *j)
{
  const exprPool *p = j->list->pool;

  // definitions may come after the symbols that they define
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < p->count; i++) {
      const exprOp op = p->nodes[i].op;
      unsigned char is = IS_KNOWN;
      if (op == EXPR_SYMBOL && !is_leaf(j, i)) {
        const int own = defining_node_of(j->list, i);
        is = own >= 0 ? j->is[own] : 0;
      }
      if (is_leaf(j, i) && j->leaf[0][i] == j->changes) is |= IS_TIMED;
      if (!is_leaf(j, i) && (op == EXPR_CALL || op == EXPR_ELEMENT)) is = 0;
      const int n = is_leaf(j, i) || op == EXPR_ELEMENT ? 0 : expr_argument_count(p, i);
      for (int k = 0; k < n && is; k++) {
        const unsigned char own = j->is[expr_argument(p, i, k)];
        is = own & IS_KNOWN ? is | (own & IS_TIMED) : 0;
      }
      j->is[i] = (unsigned char) (j->is[i] & IS_NEEDED) | is;
    }
  }
}


static void need_node(lookJob *j, int n, const int *node)
{
  for (int i = 0; i < n; i++) j->is[node[i]] |= IS_NEEDED;
}


static void mark_look_needs(lookJob *j)
{
  const eqnFunction *f = j->list->function;
  const exprPool *p = j->list->pool;
  for (int i = 0; i < f->noutput; i++) need_node(j, f->output[i].n, f->output[i].node);
  for (int i = 0; i < f->nstage; i++) {
    const eqnStage *s = &f->stage[i];
    need_node(j, s->nunknown, s->correction);
    if (s->kind == STAGE_NEWTON || s->kind == STAGE_WHEN) need_node(j, 1, &s->residual);
  }
  for (int i = p->count - 1; i >= 0; i--) {
    const int n = j->is[i] & IS_NEEDED ? expr_argument_count(p, i) : 0;
    for (int k = 0; k < n; k++) j->is[expr_argument(p, i, k)] |= IS_NEEDED;
  }
}


static int add_row(lookJob *j, int op, int a, int b, int c, int stays)
{
  lookText *t = j->look;
  t->row = arena_grow(j->arena, t->row, t->nrow, &j->room[0], sizeof *t->row);
  memcpy(t->row[t->nrow], (int[]){op, a, b, c, stays}, sizeof *t->row);
  return t->nrow++;
}


// of a list of numbers, unless it is there already
static int add_number_row(lookJob *j, int kind, int number)
{
  for (int i = 0; i < j->look->nrow; i++) {
    if (j->look->row[i][0] == -1 - kind && j->look->row[i][1] == number) return i;
  }
  return add_row(j, -1 - kind, number, 0, 0, kind != LOOK_TIME && kind != LOOK_PATH);
}


static int add_constant_row(lookJob *j, double value)
{
  lookText *t = j->look;
  for (int i = 0; i < t->nconstant; i++) {
    if (memcmp(&t->constant[i], &value, sizeof value) == 0)
      return add_number_row(j, LOOK_CONSTANT, i);
  }
  t->constant = arena_grow(j->arena, t->constant, t->nconstant, &j->room[1], sizeof value);
  t->constant[t->nconstant] = value;
  return add_number_row(j, LOOK_CONSTANT, t->nconstant++);
}


// the row of a node, after those that it is made of
static int row_of(lookJob *j, int node)
{
  const exprPool *p = j->list->pool;
  const exprNode *own = &p->nodes[node];
  int at[3] = {0};
  if (j->row[node] >= 0) return j->row[node];
  if (own->op == EXPR_CONSTANT) {
    j->row[node] = add_constant_row(j, own->value);
  } else if (is_leaf(j, node)) {
    j->row[node] = add_number_row(j, j->leaf[0][node], j->leaf[1][node]);
  } else if (own->op == EXPR_SYMBOL) {
    j->row[node] = row_of(j, defining_node_of(j->list, node));
  } else {
    const int n = expr_argument_count(p, node);
    int stays = 1;
    for (int k = 0; k < n; k++) {
      at[k] = row_of(j, expr_argument(p, node, k));
      stays &= j->look->row[at[k]][ROW_STAYS];
    }
    j->row[node] = add_row(j, (int) own->op, at[0], at[1], at[2], stays);
  }
  return j->row[node];
}


static void add_look_root(lookJob *j, int is_margin, int node)
{
  lookText *t = j->look;
  int **list = is_margin ? &t->margin : &t->signal, *n = is_margin ? &t->nmargin : &t->nsignal;
  const int row = row_of(j, node);
  for (int i = 0; i < *n; i++) {
    if ((*list)[i] == row) return;
  }
  *list = arena_grow(j->arena, *list, *n, &j->room[2 + is_margin], sizeof **list);
  (*list)[(*n)++] = row;
}


// A needed node that depends on time and held numbers alone, of which nothing larger is made that does.
static void add_largest(lookJob *j, int is_margin)
{
  const eqnFunction *f = j->list->function;
  const exprPool *p = j->list->pool;
  unsigned char *is_largest = arena_alloc(j->arena, (size_t) p->count, 1);
  for (int i = 0; i < p->count; i++) {
    if (!(j->is[i] & IS_NEEDED) || j->is[i] & IS_KNOWN) continue;
    const int n = p->nodes[i].op == EXPR_ELEMENT ? 0 : expr_argument_count(p, i);
    for (int k = 0; k < n; k++) is_largest[expr_argument(p, i, k)] = 1;
  }
  for (int i = 0; i < f->noutput; i++) {
    for (int k = 0; k < f->output[i].n; k++) is_largest[f->output[i].node[k]] = 1;
  }
  for (int i = 0; i < f->nstage; i++) {
    for (int k = 0; k < f->stage[i].nunknown; k++) is_largest[f->stage[i].correction[k]] = 1;
  }
  for (int i = 0; i < p->count; i++) {
    const unsigned char both = IS_KNOWN | IS_TIMED;
    if (is_largest[i] && (j->is[i] & both) == both && !is_leaf(j, i)) {
      add_look_root(j, is_margin, i);
    }
  }
}


static void open_look_job(lookJob *j, lookText *look, const eqnList *list, int changes,
                          baseArena *arena)
{
  const size_t n = (size_t) list->pool->count;
  const eqnFunction *f = list->function;
  *j = (lookJob){.look = look, .list = list, .changes = changes, .arena = arena};
  j->is = arena_alloc(arena, n, 1);
  j->row = arena_alloc(arena, n, sizeof *j->row);
  for (int i = 0; i < 2; i++) j->leaf[i] = arena_alloc(arena, n, sizeof(int));
  for (size_t i = 0; i < n; i++) j->leaf[0][i] = j->row[i] = -1;
  set_leaves(j, eqn_input(f, "t"), LOOK_TIME);
  set_leaves(j, eqn_input(f, "u"), LOOK_HELD);
  set_leaves(j, eqn_input(f, "side"), LOOK_SIDE);
  for (int i = 0; i < list->nread; i++) {
    j->leaf[0][list->read[i].node] = LOOK_PARAMETER;
    j->leaf[1][list->read[i].node] = list->read[i].parameter;
  }
}


static void collect_list(lookText *look, const eqnList *list, int is_margin, int *room,
                         baseArena *arena)
{
  lookJob j;
  open_look_job(&j, look, list, LOOK_TIME, arena);
  memcpy(j.room, room, sizeof j.room);
  mark_look_needs(&j);
  mark_known_nodes(&j);
  add_largest(&j, is_margin);
  memcpy(room, j.room, sizeof j.room);
}


// What is made of each row, from the last one back.
static void mark_roots(lookText *t, baseArena *arena)
{
  t->roots = arena_alloc(arena, (size_t) t->nrow + 1, sizeof *t->roots);
  for (int i = 0; i < t->nsignal; i++) t->roots[t->signal[i]] |= 1ull << (i % 64);
  for (int i = 0; i < t->nmargin; i++) {
    t->roots[t->margin[i]] |= 1ull << ((t->nsignal + i) % 64);
  }
  for (int i = t->nrow - 1; i >= 0; i--) {
    const int is_leaf = t->row[i][0] < 0;
    for (int k = 1; k <= 3 && !is_leaf; k++) t->roots[t->row[i][k]] |= t->roots[i];
  }
}


typedef struct collectJob {
  lookText *look;
  const emitJob *job;        // of formulas of time
  const eqnProgram *program; // of formulas of the motion
  baseArena *arena;
} collectJob;


static void collect_all(void *context)
{
  const collectJob *c = context;
  static const eqnFunctionKind kind[] = {EQN_ACCELERATE, EQN_RELAYS, EQN_SWITCHES};
  int room[4] = {0};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    for (int k = 0; k < c->job->program->nfunction; k++) {
      if (c->job->program->function[k].kind != kind[i]) continue;
      collect_list(c->look, c->job->list[k], i > 0, room, c->arena);
    }
  }
  mark_roots(c->look, c->arena);
}


static int collect(collectJob *job, void (*work)(void *))
{
  const int leaves = job->arena->leaves;
  *job->look = (lookText){0};
  job->arena->leaves = 1;
  const int held = error_catch(work, job);
  job->arena->leaves = leaves;
  if (job->look->nrow > MAX_ROWS) *job->look = (lookText){.is_long = 1};
  return held;
}


int look_collect(lookText *look, const emitJob *job, baseArena *arena)
{
  return collect(&(collectJob){.look = look, .job = job, .arena = arena}, collect_all);
}

//---- formulas of the motion ----------------------------------------------------------------------

// laws, then borders, as far as they depend on paths and on nothing else that moves
static void collect_laws_of(lookText *look, const eqnList *list, baseArena *arena)
{
  const eqnFunction *f = list->function;
  lookJob j;
  open_look_job(&j, look, list, LOOK_PATH, arena);
  set_leaves(&j, &f->output[0], LOOK_PATH);
  mark_known_nodes(&j);
  for (int is_margin = 0; is_margin < 2; is_margin++) {
    const eqnVector *root = &f->output[1 + is_margin];
    for (int i = 0; i < root->n; i++) {
      const unsigned char both = IS_KNOWN | IS_TIMED;
      if ((j.is[root->node[i]] & both) == both) add_look_root(&j, is_margin, root->node[i]);
    }
  }
}


// rows that read what may change
static void list_look_leaves(lookText *t, baseArena *arena)
{
  t->leaf = arena_alloc(arena, (size_t) t->nrow + 1, sizeof *t->leaf);
  for (int i = 0; i < t->nrow; i++) {
    const int kind = -1 - t->row[i][0];
    if (kind > LOOK_CONSTANT) t->leaf[t->nleaf++] = i;
  }
}


static void collect_laws(void *context)
{
  const collectJob *c = context;
  const eqnFunction *f = eqn_function(c->program, EQN_LAWS);
  const eqnOptions options = {0};
  eqnList *list = f ? eqn_list_create(c->program, f, &options) : NULL;
  if (f && !list) error_throw();
  if (!list) return;
  collect_laws_of(c->look, list, c->arena);
  c->look->npath = f->output[0].n;
  list_look_leaves(c->look, c->arena);
  mark_roots(c->look, c->arena);
  eqn_list_free(list);
}


int look_collect_motion(lookText *look, const eqnProgram *program, baseArena *arena)
{
  return collect(&(collectJob){.look = look, .program = program, .arena = arena}, collect_laws);
}

static void print_look_list(FILE *out, const char *word, const char *name, int n, const int *x)
{
  fprintf(out, "static const int %s_%s[] = {", word, name);
  for (int i = 0; i < n; i++) fprintf(out, "%s%d,", i % 16 == 0 ? "\n    " : " ", x[i]);
  fputs(n > 0 ? "\n};\n\n" : "0};\n\n", out);
}


void look_print(FILE *out, const lookText *t, const char *word, const char *size)
{
  fprintf(
      out,
      "enum { %s_ROWS = %d, %s_SIGNALS = %d, %s_MARGINS = %d, %s_PATHS = %d, %s_LEAVES = %d };\n\n"
      "static const lookRow %s_row[] = {\n",
      size, t->nrow, size, t->nsignal, size, t->nmargin, size, t->npath, size, t->nleaf, word);
  for (int i = 0; i < t->nrow; i++) {
    const int *r = t->row[i];
    const char *op = r[0] < 0 ? list_names[-1 - r[0]] : op_names[r[0]];
    fprintf(out, "    {LOOK_%s, %d, %d, %d, %d, 0x%llxu},\n", op, r[ROW_STAYS], r[1], r[2], r[3],
            t->roots[i]);
  }
  fprintf(out, "};\n\nstatic const double %s_constant[] = {", word);
  for (int i = 0; i < t->nconstant; i++) {
    format_stream(out, "%s%.17g,", i % 4 == 0 ? "\n    " : " ", t->constant[i]);
  }
  fputs(t->nconstant > 0 ? "\n};\n\n" : "0};\n\n", out);
  print_look_list(out, word, "signal", t->nsignal, t->signal);
  print_look_list(out, word, "margin", t->nmargin, t->margin);
  if (t->npath > 0) print_look_list(out, word, "leaf", t->nleaf, t->leaf);
}
