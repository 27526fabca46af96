// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Places of numbers that parts of a function in lanes share: followed part by part, iterations twice, all parts find
// their operands.
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "emit/language/c.h"
#include "gen/gen.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

// a function being followed
typedef struct follower {
  emitWriter w;
  eqnList *list;
  int *place;  // [list->n] of an equation, -1: it has none
  int *holder; // [w.nshared] the equation whose variable stands there
  int reads, wrong;
} follower;


static void follow_read(follower *f, int e)
{
  if (f->place[e] < 0) return;
  f->reads++;
  f->wrong += f->holder[f->place[e]] != e;
}


static void follow_operand(follower *f, int node)
{
  const exprPool *pool = f->list->pool;
  const int e = node < f->list->nnode ? f->list->equation_of[node] : -1;
  if (e >= 0) {
    follow_read(f, e);
    return;
  }
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    follow_operand(f, expr_argument(pool, node, k));
  }
}


// numbers that a part reads of others, before it or behind it
static void read_part(follower *f, int from, int to)
{
  for (int e = from; e < to; e++) {
    const eqnEquation *x = &f->list->equation[e];
    for (int k = 0; k < x->nparent; k++) {
      if (x->parent[k] < from) follow_read(f, x->parent[k]);
    }
  }
}


// a part may write in any order: what it reads of others must stay untouched by it
static int follow_part(follower *f, int from)
{
  const int to = writer_part_end(&f->w, f->w.part[from]);
  read_part(f, from, to);
  for (int e = from; e < to; e++) {
    if (f->place[e] >= 0) f->holder[f->place[e]] = e;
  }
  read_part(f, from, to);
  for (int e = from; e < to; e++) follow_read(f, e);
  return to;
}


static int follow_stage(follower *f, int number, int e)
{
  const eqnList *l = f->list;
  const eqnStage *stage = &f->w.function->stage[number];
  while (e < l->n && l->equation[e].stage == number && l->equation[e].ahead) e = follow_part(f, e);
  const int begin = e;
  for (int turn = 0; turn < (stage->kind == STAGE_NEWTON ? 2 : 1); turn++) {
    for (e = begin; e < l->n && l->equation[e].stage == number;) e = follow_part(f, e);
    if (stage->kind == STAGE_STRAIGHT) continue;
    if (stage->kind != STAGE_ASSIGN) follow_operand(f, stage->residual);
    for (int i = 0; i < stage->nunknown; i++) follow_operand(f, stage->correction[i]);
  }
  return e;
}


static void follow_all(follower *f)
{
  int e = f->w.nconst;
  for (int k = 0; k < f->w.function->nstage; k++) e = follow_stage(f, k, e);
  for (int k = 0; k < f->w.function->noutput; k++) {
    const eqnVector *v = &f->w.function->output[k];
    for (int i = 0; i < v->n; i++) follow_operand(f, v->node[i]);
  }
}


static void find_places(follower *f)
{
  f->place = calloc((size_t) f->list->n + 1, sizeof *f->place);
  f->holder = calloc((size_t) f->w.nshared + 1, sizeof *f->holder);
  for (int k = 0; k < f->w.nshared; k++) f->holder[k] = -1;
  for (int e = 0; e < f->list->n; e++) {
    if (sscanf(f->w.scope.name[e], "s[%d]", &f->place[e]) != 1) f->place[e] = -1;
  }
}


static void follow_function(const eqnProgram *program, const char *model, int statements)
{
  const eqnOptions passes = eqn_default_options();
  const emitOptions options = {.statements = statements, .lanes = 4};
  follower f = {.list = eqn_list_create(program, &program->function[0], &passes)};
  FILE *out = tmpfile();
  f.w = writer_prepare(out, &lanes_syntax, f.list, NULL, &options, 0);
  CHECK(writer_attempt(&f.w, NULL, NULL));
  find_places(&f);
  int shared = 0;
  for (int e = 0; e < f.list->n; e++) shared += f.place[e] >= 0;
  follow_all(&f);
  CHECK(f.reads >= shared);
  if (!CHECK_EQ_INT(f.wrong, 0)) printf("  %s in parts of %d statements\n", model, statements);

  // long functions come out with less than half as many places as variables
  if (f.list->n > 3000) CHECK(2 * f.w.nshared < shared);
  writer_close(&f.w);
  eqn_list_free(f.list);
  fclose(out);
  free(f.place);
  free(f.holder);
}


TEST(parts_find_what_they_read)
{
  static const char *const models[] = {"puma560", "loops/four-bar", "loops/delta", "vehicles/cart",
                                       "vehicles/multilink-car"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    artAssembly assembly;
    eqnProgram *program = NULL;
    const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
    artModel *m = keep_machine(models[i]);
    artData *d = keep_fresh_data(m);
    CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK);
    if (CHECK(gen_create(&program, m, d, &options, NULL) == ART_OK)) {
      for (int statements = 8; statements < 500; statements *= 3) {
        follow_function(program, models[i], statements);
      }
    }
    gen_free(program);
  }
}
