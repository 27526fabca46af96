// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of a program: the user's, and constants that none of them reaches.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/throw.h"
#include "eqn/list_builder.h"
#include "gen/build.h"
#include "gen/parameter/definition.h"

// what a constant is, in words; and how many constants the parameter reaches
typedef struct reach {
  int first, count;
} reach;

//---- the user's ----------------------------------------------------------------------------------

static const char *comment_of_user(genBuild *b, int p, const reach *of)
{
  const char *unit = b->m->parameter[p].unit;
  const char *what = of->count > 0 ? gen_parameter_comment(b, of->first) : NULL;
  const char *gap = unit && *unit && what ? ": " : "";
  char more[40] = "";
  if (of->count > 1) snprintf(more, sizeof more, " and %d more", of->count - 1);
  const int has_unit = unit && *unit;
  return arena_format(&b->program->arena, "%s%s%s%s%s%s", has_unit ? "[" : "", has_unit ? unit : "",
                      has_unit ? "]" : "", gap, what ? what : "", what ? more : "");
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
  return (eqnUser){p->name, p->unit ? p->unit : "", lower, upper, 0};
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
    // which symbols the definition of a constant reads: needed[pool->count] is 0 before and after
    const int node = s->parameter_definition[k];
    needed[node] = 1;
    for (int i = node; i >= 0; i--) {
      if (!needed[i]) continue;
      needed[i] = 0;
      for (int a = 0; a < expr_argument_count(d->pool, i); a++)
        needed[expr_argument(d->pool, i, a)] = 1;
      if (d->pool->nodes[i].op == EXPR_SYMBOL && of[i].count++ == 0) of[i].first = k;
    }
  }
  for (int p = 0; p < d->nparameter; p++) {
    const int node = d->parameter[p];
    if (d->pool->nodes[node].op != EXPR_SYMBOL) continue;
    if (of[node].count == 0 && b->m->nlatch == 0) continue;
    if (strcmp(d->pool->nodes[node].name, d->label[p]) != 0)
      continue; // a formula that is another one
    b->program->user[l->n] = user_of_parameter(&b->m->parameter[p]);
    add_listed_parameter(l, node, d->label[p], b->m->parameter[p].value,
                         comment_of_user(b, p, &of[node]));
  }
  arena_free(&b->scratch);
}

//---- bodies --------------------------------------------------------------------------------------

static void list_bodies(genBuild *b, listing *l)
{
  const genDefinitions *d = b->definitions;
  for (int i = 0; i < d->nbody; i++) {
    const bodyNumber *own = &d->body[i];
    const char *remark = arena_format(&b->program->arena, "%s%s%s [%s]", own->name,
                                      own->also ? ", " : "", own->also ? own->also : "", own->unit);
    b->program->user[l->n] = (eqnUser){own->name, own->unit, own->has_sign ? -INFINITY : 0,
                                       INFINITY, own->link > 0 ? own->link : 0};
    add_listed_parameter(l, own->node, own->label, own->value, remark);
  }
}

//---- all -----------------------------------------------------------------------------------------

// a constant that no parameter reaches: its name, its word in the text, and what it is
static void list_free_constant(genBuild *b, listing *l, int k)
{
  baseArena *arena = &b->program->arena;
  const exprNode *symbol = &b->pool->nodes[b->tree->parameter[k]];
  const char *name = gen_constant_name(b, symbol->name, symbol->index);
  const char *unit = gen_constant_unit(b, symbol->name, symbol->index),
             *what = gen_parameter_comment(b, k);
  const char *label = gen_label(b, name);
  gen_take_label(b, label);
  const int is_clear = strcmp(unit, "SI") != 0 && !strstr(unit, " or ");
  b->program->user[l->n] = (eqnUser){name, is_clear ? unit : "", -INFINITY, INFINITY, 0};
  add_listed_parameter(
      l, b->tree->parameter[k], label, b->tree->parameter_value[k],
      arena_format(arena, "%s [%s]%s%s", name, unit, what ? ": " : "", what ? what : ""));
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
  const genDefinitions *d = b->definitions;
  const int nbody = d ? d->nshared : 0;
  program->nshared = 0;
  program->shared = gen_alloc(b, (size_t) (s->shared_count + nbody), sizeof *program->shared);
  for (int i = 0; i < nbody; i++) {
    program->shared[program->nshared++] =
        (eqnShared){d->shared[i].label, program->nmodel + d->shared[i].parameter};
  }
  for (int i = 0; i < s->shared_count; i++) {
    const symShared *x = &s->shared[i];
    const char *name = b->pool->nodes[s->parameter[x->parameter]].name;
    const char *label = gen_label(b, gen_constant_name(b, name, x->index));
    if (place[x->parameter] < 0) continue;
    program->shared[program->nshared++] = (eqnShared){label, place[x->parameter]};
  }
}


void gen_list_parameters(genBuild *b)
{
  const symTree *s = b->tree;
  eqnProgram *program = b->program;
  const genDefinitions *d = b->definitions;
  const int user = d ? d->nparameter + d->nbody : 0;
  const size_t most = (size_t) (s->parameter_count + user);
  listing l = {.node = gen_alloc(b, most, sizeof *l.node),
               .label = gen_alloc(b, most, sizeof *l.label),
               .value = gen_alloc(b, most, sizeof *l.value),
               .remark = gen_alloc(b, most, sizeof *l.remark)};
  int *place = gen_alloc(b, most, sizeof *place);
  program->user = gen_alloc(b, most, sizeof *program->user);
  if (d) list_user(b, &l);
  program->nmodel = l.n;
  if (d) list_bodies(b, &l);
  program->nuser = l.n;
  for (int k = 0; k < s->parameter_count; k++) {
    place[k] = -1;
    if (s->parameter_definition[k] >= 0) continue;
    place[k] = l.n;
    list_free_constant(b, &l, k);
  }
  program->parameter =
      gen_vector(b, "parameters", "constants of the machine", l.n, l.node, l.label);
  program->value = l.value;
  program->remark = l.remark;
  program->at = gen_alloc(b, most, sizeof *program->at);
  for (int i = 0; i < b->nat; i++) {
    for (int k = program->nuser; k < l.n; k++) {
      if (l.node[k] == b->at[i].symbol) program->at[k] = b->at[i].at;
    }
  }
  list_defined(b);
  list_shared(b, place);
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
  const double **at = lengthened_list(arena, to->at, n, more, sizeof *at);
  eqnUser *user = lengthened_list(arena, to->user, n, more, sizeof *user);
  if (!node || !label || !remark || !value || !at || !user) return base_no_memory(error);
  listing l = {.n = n, .node = node, .label = label, .value = value, .remark = remark};
  for (int k = from->nuser; k < more; k++) {
    const exprNode *symbol = &from->pool->nodes[from->parameter.node[k]];
    const char *own = from->parameter.label[k];
    int i = 0;
    while (i < to->parameter.n && strcmp(to->parameter.label[i], own) != 0) i++;
    if (i < to->parameter.n) continue;
    const char *kept = arena_text(arena, own), *name = arena_text(arena, symbol->name);
    const char *said = arena_text(arena, from->remark[k] ? from->remark[k] : "");
    at[l.n] = from->at[k];
    user[l.n] = (eqnUser){arena_text(arena, from->user[k].name), from->user[k].unit,
                          from->user[k].lower, from->user[k].upper, from->user[k].link};
    if (!kept || !name || !said) return base_no_memory(error);
    add_listed_parameter(&l, expr_symbol(to->pool, name, symbol->index), kept, from->value[k],
                         said);
  }
  to->parameter.n = l.n;
  to->parameter.node = node;
  to->parameter.label = label;
  to->remark = remark;
  to->value = value;
  to->at = at;
  to->user = user;
  return expr_failed(to->pool) ? base_no_memory(error) : ART_OK;
}

//---- parameters that nothing reads ---------------------------------------------------------------

static void add_read_labels(const eqnProgram *p, baseTable *read, baseArena *arena)
{
  const int ndefinition = p->definitions ? p->definitions->count : 0;
  unsigned char *needed = arena_alloc(arena, (size_t) p->pool->count, 1);
  unsigned char *defining = arena_alloc(arena, (size_t) ndefinition, 1);
  // nodes of the pool that functions of the program need
  for (int i = 0; i < p->nfunction; i++) {
    for (builderRoot r = {0}; list_builder_next_root(&p->function[i], &r);) {
      if (r.is_forced) needed[*r.node] = 1;
    }
  }
  expr_mark_arguments(p->pool, p->pool->count, needed);
  for (int i = 0; i < p->ndefined; i++) {
    if (needed[p->defined[i].symbol]) defining[p->defined[i].node] = 1;
  }
  if (p->definitions) expr_mark_arguments(p->definitions, ndefinition, defining);
  for (int k = 0; k < p->parameter.n; k++) {
    const int node = p->parameter.node[k];
    if (!(k < p->nuser ? defining[node] : needed[node])) continue;
    if (table_find(read, p->parameter.label[k]) < 0) {
      table_add(read, arena, p->parameter.label[k], 0);
    }
  }
}


static void drop_labels(eqnProgram *p, const baseTable *read, baseArena *arena)
{
  int *place = arena_alloc(arena, (size_t) p->parameter.n, sizeof *place), n = 0, nmodel = 0;
  int nuser = 0, nshared = 0;
  for (int k = 0; k < p->parameter.n; k++) {
    place[k] = table_find(read, p->parameter.label[k]) >= 0 ? n : -1;
    if (place[k] < 0) continue;
    nmodel += k < p->nmodel;
    nuser += k < p->nuser;
    p->user[n] = p->user[k];
    p->parameter.node[n] = p->parameter.node[k];
    p->parameter.label[n] = p->parameter.label[k];
    p->remark[n] = p->remark[k];
    p->at[n] = p->at[k];
    p->value[n++] = p->value[k];
  }
  for (int i = 0; i < p->nshared; i++) {
    const int now = place[p->shared[i].parameter];
    if (now >= 0) p->shared[nshared++] = (eqnShared){p->shared[i].label, now};
  }
  p->parameter.n = n;
  p->nmodel = nmodel;
  p->nuser = nuser;
  p->nshared = nshared;
}


typedef struct dropJob {
  int n;
  eqnProgram *const *program;
  baseArena arena;
} dropJob;


static void drop_unread(void *context)
{
  dropJob *job = context;
  baseTable read = {0};
  for (int i = 0; i < job->n; i++) add_read_labels(job->program[i], &read, &job->arena);
  for (int i = 0; i < job->n; i++) drop_labels(job->program[i], &read, &job->arena);
}


int gen_drop_unread(int n, eqnProgram *const *program)
{
  dropJob job = {.n = n, .program = program, .arena.leaves = 1};
  const bool is_done = error_catch(drop_unread, &job);
  arena_free(&job.arena);
  return is_done;
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
  if (!isfinite(found)) {
    return base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                     "parameter '%s_%d' of the equations is %s: masses and lengths of the model "
                     "are too large together",
                     symbol->name, symbol->index, isnan(found) ? "nan" : "infinite");
  }
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
  for (int i = 0; i < d->nbody; i++) symbol[d->pool->nodes[d->body[i].node].a] = d->body[i].value;
  expr_evaluate(d->pool, symbol, value);
  for (int k = 0; k < s->parameter_count; k++) {
    const int node = s->parameter_definition[k];
    if (node >= 0) gen_must(b, check_parameter_value(b, k, value[node]));
  }
}
