// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of variables: valid identifiers in every language, including case-insensitive ones.
#include <string.h>

#include "base/ascii.h"
#include "base/table.h"
#include "base/throw.h"
#include "eqn/list_builder.h"

typedef struct nameBook {
  eqnList *list;
  const exprPool *pool;
  baseTable taken; // in lower case, with indices for `number`
  int *number;     // [taken.count] last suffix used for a name
  int last;        // number of the last unnamed variable
} nameBook;


static void take_variable_name(nameBook *b, const char *name)
{
  char *lower = arena_text(&b->list->arena, name);
  for (char *c = lower; *c; c++) *c = (char) ascii_lower((unsigned char) *c);
  if (table_find(&b->taken, lower) >= 0) return;
  if (!table_add(&b->taken, &b->list->arena, lower, b->taken.count)) error_throw();
}


// index of a name that is in use, -1: free
static int taken_name_place(nameBook *b, const char *name)
{
  char lower[128];
  size_t n = 0;
  for (; name[n] && n + 1 < sizeof lower; n++)
    lower[n] = (char) ascii_lower((unsigned char) name[n]);
  lower[n] = 0;
  return table_find(&b->taken, lower);
}


// reserve names that have another meaning in one of the languages or in the function
static void take_others(nameBook *b)
{
  static const char *const functions[] = {"y0",    "y1",    "yn",    "j0",   "j1",  "jn",
                                          "atan2", "log10", "log1p", "log2", "exp2"};
  const eqnFunction *f = b->list->function;
  take_variable_name(b, b->list->program->parameter.name ? b->list->program->parameter.name : "p");
  for (int i = 0; i < (int) (sizeof functions / sizeof *functions); i++)
    take_variable_name(b, functions[i]);
  for (int v = 0; v < f->ninput; v++) take_variable_name(b, f->input[v].name);
  for (int v = 0; v < f->noutput; v++) take_variable_name(b, f->output[v].name);
}


// the wanted name, or the first free one with a numeric suffix
static const char *free_name(nameBook *b, const char *wanted)
{
  const char *name = wanted;
  const int place = taken_name_place(b, wanted);
  if (place >= 0 && b->number[place] == 0) b->number[place] = 1;
  while (taken_name_place(b, name) >= 0) {
    name = arena_format(&b->list->arena, "%s_%d", wanted, ++b->number[place]);
  }
  take_variable_name(b, name);
  return name;
}


static const char *next_numbered_name(nameBook *b)
{
  const char *name = NULL;
  do {
    name = arena_format(&b->list->arena, "w%d", ++b->last);
  } while (taken_name_place(b, name) >= 0);
  return name;
}


//---- recycling -----------------------------------------------------------------------------------

// end of the iterations in which equation e is evaluated, or in which it is read if it precedes
// them
static int end_of_life(const eqnList *list, int e)
{
  const eqnEquation *x = &list->equation[e];
  int last = e;
  for (int k = 0; k < x->nchild; k++) {
    if (last < x->child[k]) last = x->child[k];
  }
  if (last == e || list->function->stage[x->stage].kind != STAGE_NEWTON || !x->ahead) return last;

  // read again in every iteration
  while (last + 1 < list->n && list->equation[last + 1].stage == list->equation[last].stage) last++;
  return last;
}


// a variable that is read by a later Newton stage must be kept for all its iterations
static int last_reader(const eqnList *list, int e)
{
  int last = end_of_life(list, e);
  const int stage = list->equation[last].stage;
  const int is_later = stage > list->equation[e].stage;
  if (!is_later || list->function->stage[stage].kind != STAGE_NEWTON) return last;
  while (last + 1 < list->n && list->equation[last + 1].stage == stage) last++;
  return last;
}


// reuse names after their last reader
static void share_names(const listBuilder *d, const unsigned char *keep, int *next_dying,
                        int *dying)
{
  eqnList *list = d->list;
  int free_name = -1; // linked list of equations with free names, through next_dying
  for (int e = 0; e < list->n; e++) dying[e] = -1;

  for (int e = 0; e < list->n; e++) {
    eqnEquation *x = &list->equation[e];

    // a variable read here for the last time is already free for this equation
    for (int k = dying[e], next; k >= 0; k = next) {
      next = next_dying[k];
      next_dying[k] = free_name;
      free_name = k;
    }
    const int is_call = d->pool->nodes[x->node].op == EXPR_CALL;
    if (!x->name || x->stage < 0 || is_call || keep[e]) continue;
    if (free_name >= 0) {
      x->name = list->equation[free_name].name;
      x->variable = list->equation[free_name].variable;
      free_name = next_dying[free_name];
      list->nname--;
    }
    const int last = last_reader(list, e);
    if (last == e) continue;
    next_dying[e] = dying[last];
    dying[last] = e;
  }
}


//---- readable names ------------------------------------------------------------------------------

// Variables are named after their quantity, "crank_omega_z"; else after their link, "crank_w12"; or
// after a quantity of which they are a part, "speed_signal_term".

enum { MAX_NAME_LENGTH = 56 }; // characters, without the suffix; Fortran allows 63


// prefix of the link, then the quantity
static const char *name_of_node(const listBuilder *d, const exprNode *n)
{
  const eqnProgram *p = d->list->program;
  const char *word = n->index >= 0 && n->index < p->nlink && p->word ? p->word[n->index] : NULL;
  if (!word) return arena_format(&d->list->arena, "%.*s", MAX_NAME_LENGTH, n->name);
  const int room = MAX_NAME_LENGTH - 1 - (int) strlen(word);
  return arena_format(&d->list->arena, "%s_%.*s", word, room > 0 ? room : 0, n->name);
}


// the quantity of the first named reader of an equation in the same stage
static const char *quantity_of_reader(const eqnList *list, int e, const char *const *quantity)
{
  const eqnEquation *x = &list->equation[e];
  for (int k = 0; k < x->nchild; k++) {
    const int child = x->child[k];
    if (quantity[child] && list->equation[child].stage == x->stage) return quantity[child];
  }
  return NULL;
}


static void find_meanings(const listBuilder *d, const char **wanted)
{
  eqnList *list = d->list;
  const eqnProgram *p = list->program;
  const char **quantity = arena_alloc(d->scratch, (size_t) list->n, sizeof *quantity);

  // readers come after their arguments
  for (int e = list->n - 1; e >= 0; e--) {
    const eqnEquation *x = &list->equation[e];
    const exprNode *node = &d->pool->nodes[x->node];
    const char *word = p->word && x->owner > 0 ? p->word[x->owner] : NULL;
    quantity[e] = node->name ? name_of_node(d, node) : quantity_of_reader(list, e, quantity);
    if (node->name) {
      wanted[e] = quantity[e];
    } else if (word) {
      wanted[e] = arena_format(&list->arena, "%s_w%d", word, e + 1);
    } else if (quantity[e]) {
      wanted[e] = arena_format(&list->arena, "%s_term", quantity[e]);
    }
  }
}

//---- all -----------------------------------------------------------------------------------------

void list_builder_name(listBuilder *d)
{
  eqnList *list = d->list;
  nameBook book = {.list = list, .pool = d->pool};
  unsigned char *direct = arena_alloc(d->scratch, (size_t) list->n, 1);
  const char **wanted = arena_alloc(d->scratch, (size_t) list->n, sizeof *wanted);
  take_others(&book);
  ARENA_TAKE(d->scratch, book.number, book.taken.count + list->n);
  const int is_reused = (d->passes & 1u << PASS_RECYCLE) != 0;
  if (d->readable && !is_reused) find_meanings(d, wanted);

  // assign outputs without further readers directly
  for (int v = 0; v < d->function->noutput; v++) {
    const eqnVector *output = &d->function->output[v];
    for (int i = 0; i < output->n; i++) {
      const int e = list->equation_of[output->node[i]];
      const int is_call = d->pool->nodes[output->node[i]].op == EXPR_CALL;
      if (e >= 0 && d->uses[output->node[i]] == 1 && !is_call) direct[e] = 1;
    }
  }
  for (int e = 0; e < list->n; e++) {
    list->equation[e].variable = e;
    if (direct[e] && list->equation[e].stage >= 0) continue;
    list->equation[e].name = wanted[e] ? free_name(&book, wanted[e]) : next_numbered_name(&book);
    list->nname++;
  }
  if (is_reused) {
    const size_t n = (size_t) d->list->n;
    unsigned char *keep = arena_alloc(d->scratch, n, 1);
    int *next_dying = arena_alloc(d->scratch, n, sizeof(int));

    // keep variables that outputs and Newton steps read at the end of a stage
    for (builderRoot r = {0}; list_builder_next_root(d->function, &r);) {
      const int e = d->list->equation_of[*r.node];
      if (e >= 0) keep[e] = 1;
    }
    share_names(d, keep, next_dying, arena_alloc(d->scratch, n, sizeof(int)));
  }
}
