// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of a program: the user's, and constants that none of them reaches.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "gen/build.h"
#include "gen/definition.h"

// what a constant is, in words; and how many constants the parameter reaches
typedef struct reach {
  int first, count;
} reach;

//---- the user's ----------------------------------------------------------------------------------

// which symbols the definition of a constant reads: needed[pool->count] is 0 before and after
static void mark_definition_symbols(const exprPool *pool, int node, unsigned char *needed, int k,
                                    reach *of)
{
  needed[node] = 1;
  for (int i = node; i >= 0; i--) {
    if (!needed[i]) continue;
    needed[i] = 0;
    for (int a = 0; a < expr_argument_count(pool, i); a++) needed[expr_argument(pool, i, a)] = 1;
    if (pool->nodes[i].op == EXPR_SYMBOL && of[i].count++ == 0) of[i].first = k;
  }
}


static const char *remark_of_user(genBuild *b, int p, const reach *of)
{
  const char *unit = b->m->parameter[p].unit;
  const char *what = of->count > 0 ? gen_remark(b, of->first) : NULL;
  const char *gap = unit && *unit && what ? "; " : "";
  char more[40] = "";
  if (of->count > 1) snprintf(more, sizeof more, " and %d more", of->count - 1);
  return arena_format(&b->program->arena, "%s%s%s%s", unit ? unit : "", gap, what ? what : "",
                      what ? more : "");
}


typedef struct listing {
  int n;
  int *node;
  const char **label;
  double *value;
  const char **remark;
} listing;


static void add_listed_parameter(listing *l, int node, const char *label, double value,
                                 const char *remark)
{
  l->node[l->n] = node;
  l->label[l->n] = label;
  l->value[l->n] = value;
  l->remark[l->n++] = remark && *remark ? remark : NULL;
}


static eqnUser user_of_parameter(const parameterRecord *p)
{
  const double lower = p->has_limits ? p->limits[0] : -INFINITY;
  const double upper = p->has_limits ? p->limits[1] : INFINITY;
  return (eqnUser){p->name, p->unit ? p->unit : "", lower, upper};
}


// Programs of a machine with latches, one for each choice of those that are engaged, have the same parameters: all of them, since
// conditions of one may read what the others lack.
static void list_user(genBuild *b, listing *l)
{
  const genDefinitions *d = b->definitions;
  const symTree *s = b->tree;
  unsigned char *needed = arena_alloc(&b->scratch, (size_t) d->pool->count, sizeof *needed);
  reach *of = arena_alloc(&b->scratch, (size_t) d->pool->count, sizeof *of);
  for (int k = 0; k < s->parameter_count; k++) {
    if (s->parameter_definition[k] < 0) continue;
    mark_definition_symbols(d->pool, s->parameter_definition[k], needed, k, of);
  }
  for (int p = 0; p < d->nparameter; p++) {
    const int node = d->parameter[p];
    if (d->pool->nodes[node].op != EXPR_SYMBOL) continue;
    if (of[node].count == 0 && b->m->nlatch == 0) continue;
    if (strcmp(d->pool->nodes[node].name, d->label[p]) != 0)
      continue; // a formula that is another one
    b->program->user[l->n] = user_of_parameter(&b->m->parameter[p]);
    add_listed_parameter(l, node, d->label[p], b->m->parameter[p].value,
                         remark_of_user(b, p, &of[node]));
  }
  arena_free(&b->scratch);
}

//---- all -----------------------------------------------------------------------------------------

static const char *free_label(genBuild *b, const listing *l, const exprNode *symbol)
{
  const char *own = arena_format(&b->program->arena, "%s_%d", symbol->name, symbol->index);
  for (int i = 0; i < b->program->nuser; i++) {
    if (strcmp(l->label[i], own) == 0) own = arena_format(&b->program->arena, "%s_", own);
  }
  return own;
}


static void list_defined(genBuild *b)
{
  const symTree *s = b->tree;
  eqnProgram *program = b->program;
  program->ndefined = 0;
  program->defined = gen_alloc(b, (size_t) s->parameter_count, sizeof *program->defined);
  for (int k = 0; k < s->parameter_count; k++) {
    if (s->parameter_definition[k] < 0) continue;
    program->defined[program->ndefined++] =
        (eqnDefined){s->parameter[k], s->parameter_definition[k], s->parameter_value[k]};
  }
}


// constants that share a parameter with another; `place` is where each is in the program's list, -1: it is defined
static void list_shared(genBuild *b, const int *place)
{
  const symTree *s = b->tree;
  eqnProgram *program = b->program;
  program->nshared = 0;
  program->shared = gen_alloc(b, (size_t) s->shared_count, sizeof *program->shared);
  for (int i = 0; i < s->shared_count; i++) {
    const symShared *x = &s->shared[i];
    const char *name = b->pool->nodes[s->parameter[x->parameter]].name;
    const char *label = arena_format(&program->arena, "%s_%d", name, x->index);
    if (place[x->parameter] < 0) continue;
    program->shared[program->nshared++] = (eqnShared){label, place[x->parameter]};
  }
}


void gen_list_parameters(genBuild *b)
{
  const symTree *s = b->tree;
  eqnProgram *program = b->program;
  const int user = b->definitions ? b->definitions->nparameter : 0;
  const size_t most = (size_t) (s->parameter_count + user);
  listing l = {.node = gen_alloc(b, most, sizeof *l.node),
               .label = gen_alloc(b, most, sizeof *l.label),
               .value = gen_alloc(b, most, sizeof *l.value),
               .remark = gen_alloc(b, most, sizeof *l.remark)};
  int *place = gen_alloc(b, most, sizeof *place);
  program->user = gen_alloc(b, (size_t) user, sizeof *program->user);
  if (user > 0) list_user(b, &l);
  program->nuser = l.n;
  for (int k = 0; k < s->parameter_count; k++) {
    place[k] = -1;
    if (s->parameter_definition[k] >= 0) continue;
    const char *label = free_label(b, &l, &b->pool->nodes[s->parameter[k]]);
    place[k] = l.n;
    add_listed_parameter(&l, s->parameter[k], label, s->parameter_value[k], gen_remark(b, k));
  }
  program->parameter =
      gen_vector(b, "parameters", "constants of the machine", l.n, l.node, l.label);
  program->value = l.value;
  program->remark = l.remark;
  list_defined(b);
  list_shared(b, place);
}

static int find_parameter_label(const eqnVector *v, const char *label)
{
  int k = 0;
  while (k < v->n && strcmp(v->label[k], label) != 0) k++;
  return k < v->n ? k : -1;
}


// a longer list that begins with the old one
static void *lengthened_list(baseArena *arena, const void *list, int n, int more, size_t size)
{
  void *all = arena_alloc(arena, (size_t) (n + more), size);
  if (all && n > 0) memcpy(all, list, (size_t) n * size);
  return all;
}


artStatus gen_add_parameters(eqnProgram *to, const eqnProgram *from, artError *error)
{
  const int n = to->parameter.n, more = from->parameter.n;
  baseArena *arena = &to->arena;
  int *node = lengthened_list(arena, to->parameter.node, n, more, sizeof *node);
  const char **label = lengthened_list(arena, to->parameter.label, n, more, sizeof *label);
  const char **remark = lengthened_list(arena, to->remark, n, more, sizeof *remark);
  double *value = lengthened_list(arena, to->value, n, more, sizeof *value);
  if (!node || !label || !remark || !value) return base_no_memory(error);
  listing l = {.n = n, .node = node, .label = label, .value = value, .remark = remark};
  for (int k = from->nuser; k < more; k++) {
    const exprNode *symbol = &from->pool->nodes[from->parameter.node[k]];
    const char *own = from->parameter.label[k];
    if (find_parameter_label(&to->parameter, own) >= 0) continue;
    const char *kept = arena_text(arena, own), *name = arena_text(arena, symbol->name);
    const char *said = arena_text(arena, from->remark[k] ? from->remark[k] : "");
    if (!kept || !name || !said) return base_no_memory(error);
    add_listed_parameter(&l, expr_symbol(to->pool, name, symbol->index), kept, from->value[k],
                         said);
  }
  to->parameter.n = l.n;
  to->parameter.node = node;
  to->parameter.label = label;
  to->remark = remark;
  to->value = value;
  return expr_failed(to->pool) ? base_no_memory(error) : ART_OK;
}

//---- checks --------------------------------------------------------------------------------------

// the largest of the constants that differ from a name by axes alone: px, py, pz
static double size_of_constants(const symTree *s, const exprPool *pool, const char *name)
{
  size_t n = strlen(name);
  double size = 0;
  while (n > 0 && strchr("xyz", name[n - 1])) n--;
  for (int k = 0; k < s->parameter_count; k++) {
    const char *other = pool->nodes[s->parameter[k]].name;
    if (strncmp(other, name, n) == 0 && strspn(other + n, "xyz") == strlen(other + n)) {
      size = fmax(size, fabs(s->parameter_value[k]));
    }
  }
  return size;
}


static artStatus check_parameter_value(genBuild *b, int k, double found)
{
  const exprNode *symbol = &b->pool->nodes[b->tree->parameter[k]];
  const double meant = b->tree->parameter_value[k];
  const double size =
      fmax(fmax(size_of_constants(b->tree, b->pool, symbol->name), fabs(meant)), 1e-300);
  if (fabs(found - meant) <= 1e-12 * size || strstr(symbol->name, "_by_")) return ART_OK;
  return base_fail(b->error, ART_UNSUPPORTED, base_nowhere(),
                   "internal error: parameters give %.17g for '%s_%d', which is %.17g in the "
                   "model; --freeze all does without them",
                   found, symbol->name, symbol->index, meant);
}


void gen_check_definitions(genBuild *b)
{
  const genDefinitions *d = b->definitions;
  const symTree *s = b->tree;
  if (!d) return;
  double *symbol = gen_alloc(b, (size_t) d->pool->symbol_count, sizeof *symbol);
  double *value = gen_alloc(b, (size_t) d->pool->count, sizeof *value);
  for (int p = 0; p < d->nparameter; p++) {
    const exprNode *own = &d->pool->nodes[d->parameter[p]];
    if (own->op == EXPR_SYMBOL && !b->m->parameter[p].formula) {
      symbol[own->a] = b->m->parameter[p].value;
    }
  }
  expr_evaluate(d->pool, symbol, value);
  for (int k = 0; k < s->parameter_count; k++) {
    const int node = s->parameter_definition[k];
    if (node >= 0) gen_must(b, check_parameter_value(b, k, value[node]));
  }
}
