// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations as text, made into expressions.
#include "gen/lines.h"

#include <string.h>


static int find(const genLines *l, const char *text, size_t length)
{
  for (int i = 0; i < l->n; i++) {
    const lineName *x = &l->name[i];
    if ((size_t) x->length == length && strncmp(x->text, text, length) == 0) return i;
  }
  return -1;
}


static void set(genLines *l, const char *text, size_t length, int node)
{
  int i = find(l, text, length);
  if (i < 0) i = l->n++;
  ART_ASSERT(i < LINES_MOST_NAMES);
  l->name[i] = (lineName){text, (int) length, node};
}


void lines_set(genLines *l, const char *name, int node)
{
  set(l, name, strlen(name), node);
}


void lines_set_number(genLines *l, const char *name, double value)
{
  lines_set(l, name, expr_constant(l->b->pool, value));
}


int lines_get(const genLines *l, const char *name)
{
  const int i = find(l, name, strlen(name));
  ART_ASSERT(i >= 0);
  return l->name[i].node;
}


static int resolve(void *context, const char *reference, artPlace place, formulaSymbol *found,
                   artError *error)
{
  const genLines *l = context;
  (void) place;
  (void) error;
  *found = (formulaSymbol){.dimension = UNIT_ANY, .slot = find(l, reference, strlen(reference))};
  if (found->slot >= 0) return 1;
  const double *number = l->number ? l->number(l->context, reference) : NULL;
  if (!number) return 0;
  found->is_constant = 1;
  found->value = *number;
  return 1;
}


void lines_make(genLines *l, const char *const *line)
{
  baseArena arena = {0};
  const formulaScope scope = {.find = resolve, .context = l};
  for (; *line; line++) {
    const char *equals = strstr(*line, " = ");
    formula *f;
    int node[LINES_MOST_NAMES];
    ART_ASSERT(equals);
    for (int i = 0; i < l->n; i++) node[i] = l->name[i].node;
    const artStatus status =
        formula_parse(&f, &arena, equals + 3, base_nowhere(), &scope, UNIT_ANY, NULL);
    if (status != ART_OK) {
      // the texts are ours: what can fail is memory
      ART_ASSERT(status == ART_NO_MEMORY);
      l->b->pool->failed = 1;
      break;
    }
    set(l, *line, (size_t) (equals - *line), gen_formula_of(l->b, f, node));
  }
  arena_free(&arena);
}
