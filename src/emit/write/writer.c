// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function of a program as statements in order, in the words of any language.
#include "emit/write/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/throw.h"
#include "emit/write/angles.h"
#include "emit/write/free_places.h"
#include "emit/write/precision.h"
#include "emit/write/repeat.h"
#include "emit/write/spill_text.h"

//---- names ---------------------------------------------------------------------------------------

static const char *element_name(emitWriter *w, const char *vector, int i)
{
  const emitDialect *d = &w->syntax->dialect;
  return arena_format(&w->arena, d->index, vector, i + d->first);
}


// how symbols are written: p->mass_3, q[2]
static void name_symbols(emitWriter *w)
{
  const exprPool *pool = w->list->pool;
  const char **symbol = arena_alloc(&w->arena, (size_t) pool->symbol_count + 1, sizeof *symbol);
  const eqnVector *p = &w->program->parameter;
  for (int k = 0; k < w->list->nread; k++) {
    const int ordinal = pool->nodes[w->list->read[k].node].a, i = w->list->read[k].parameter;
    symbol[ordinal] = w->is_rolled ? element_name(w, "parameter", i)
                                   : arena_format(&w->arena, w->syntax->parameter, p->label[i]);
  }
  for (int k = 0; k < w->function->ninput; k++) {
    const eqnVector *v = &w->function->input[k];
    for (int i = 0; i < v->n; i++) {
      const exprNode *node = &pool->nodes[v->node[i]];
      if (node->op != EXPR_SYMBOL) continue;
      symbol[node->a] = element_name(w, v->name, i);
    }
  }
  w->scope.symbol = symbol;

  // unknowns that no vector holds stand among the variables that parts of a function share
  for (int s = 0; s < w->function->nstage; s++) {
    const eqnStage *stage = &w->function->stage[s];
    for (int i = 0; i < stage->nunknown; i++) {
      const int ordinal = pool->nodes[stage->unknown[i]].a;
      if (!symbol[ordinal]) symbol[ordinal] = element_name(w, "s", w->nshared++);
    }
  }
}


// results that one function should hold, if any number is too many; a statement without operations is short
static int most_results(const emitWriter *w)
{
  return 4 * w->limit;
}


static int result_count(const emitWriter *w)
{
  int n = 0;
  for (int k = 0; k < w->function->noutput; k++) n += w->function->output[k].n;
  return n;
}


// long statements count for several, statements of a loop once for all branches
static int weight_of(const eqnEquation *x)
{
  return x->copy > 0 ? 0 : 1 + x->operations / 8;
}


long writer_weight(const eqnList *list)
{
  long sum = 0;
  for (int e = 0; e < list->n; e++) {
    if (list->equation[e].stage >= 0) sum += weight_of(&list->equation[e]);
  }
  return sum;
}


// In which part each equation stands: parts end with their stage, or when they are full.
static void cut_function_parts(emitWriter *w)
{
  const eqnList *l = w->list;
  w->part = arena_alloc(&w->arena, (size_t) l->n + 1, sizeof *w->part);
  w->begin = arena_alloc(&w->arena, (size_t) l->n + 1, sizeof *w->begin);
  if (w->is_rolled) return;
  const int nresult = result_count(w);
  if (w->limit > 0 && nresult > most_results(w)) {
    w->nresult_part = (nresult + most_results(w) - 1) / most_results(w);
  }

  // whether the constants, or all the rest, are more than one function should hold
  const long run = writer_weight(l);
  long constants = 0;
  for (int e = 0; e < w->nconst; e++) constants += weight_of(&l->equation[e]);
  const int whole = w->limit > w->syntax->uncut ? w->limit : w->syntax->uncut;
  const int cut[2] = {(w->limit > 0 && run > whole) || w->nresult_part > 0,
                      w->limit > 0 && constants > w->limit};
  int part = 0, room = 0;
  for (int e = 0; e < l->n; e++) {
    const eqnEquation *x = &l->equation[e], *before = x - 1;
    if (!cut[x->stage < 0]) continue;
    const int begins = part == 0 || before->stage != x->stage || before->ahead != x->ahead;
    if (begins || (room <= 0 && x->copy == 0)) {
      w->begin[++part] = e;
      room = w->limit;
    }
    w->part[e] = part;
    room -= weight_of(x);
  }
  w->npart = part;
}


static int is_shared_equation(const emitWriter *w, int e)
{
  const eqnEquation *x = &w->list->equation[e];
  for (int k = 0; k < x->nchild; k++) {
    if (w->part[x->child[k]] != w->part[e]) return 1;
  }

  // variables that outputs and steps of Newton's method read are written by the function itself
  return x->nchild == 0 || w->function->stage[x->stage].kind != STAGE_STRAIGHT;
}


// variables that branches have in the same place stand side by side
static const char *name_in_set(emitWriter *w, int e, int *first)
{
  const eqnList *l = w->list;
  const int number = l->set_of[l->equation[e].node];
  const eqnSet *set = &l->set[number];
  if (first[number] == 0) {
    first[number] = w->nshared + 1;
    w->nshared += set->n;
  }
  int k = l->equation[e].copy; // single ones are not numbered
  while (set->node[k] != l->equation[e].node) k++;
  return element_name(w, "s", first[number] - 1 + k);
}


static const char *equation_name_of(emitWriter *w, emitPlaces *places, int e, int is_output,
                                    int *offset)
{
  ART_ASSERT(e >= 0 && e < w->list->n);
  const eqnEquation *x = &w->list->equation[e];
  if (x->stage < 0) {
    return arena_format(&w->arena, w->syntax->constant, e + w->syntax->dialect.first);
  }
  if (w->part[e] == 0 && !w->is_rolled) return x->name;
  if (writer_is_call(w, e)) {
    *offset = w->nshared;
    w->nshared += writer_called(w, e)->n;
    return "s";
  }
  if (!w->is_rolled && !is_output && !is_shared_equation(w, e)) return x->name;
  return element_name(w, "s",
                      w->syntax->has_free_places ? places_take(places, w, e) : w->nshared++);
}


static void name_function_variables(emitWriter *w)
{
  const eqnList *l = w->list;
  const size_t n = (size_t) l->n + 1;
  const char **name = arena_alloc(&w->arena, n, sizeof *name);
  char *is_output = arena_alloc(&w->arena, n, 1);
  int *offset = arena_alloc(&w->arena, n, sizeof *offset);
  char *is_in_set = arena_alloc(&w->arena, n, 1);
  int *first = arena_alloc(&w->arena, (size_t) l->nset + 1, sizeof *first);
  emitPlaces places;
  cut_function_parts(w);

  // equations that outputs read; those without a variable are written into the first of them
  for (int k = 0; k < w->function->noutput; k++) {
    const eqnVector *v = &w->function->output[k];
    for (int i = 0; i < v->n; i++) {
      const int e = v->node[i] < l->nnode ? l->equation_of[v->node[i]] : -1;
      if (e < 0) continue;
      is_output[e] = 1;
      if (l->equation[e].name || name[e]) continue;
      name[e] = element_name(w, v->name, i);
    }
  }
  places_open(&places, w, is_output);
  if (l->nset > 0) repeat_mark_shared(w, is_output, name, is_in_set);
  for (int e = 0; e < l->n; e++) {
    if (name[e] && l->equation[e].stage >= 0) continue;
    name[e] = is_in_set[e] ? name_in_set(w, e, first)
                           : equation_name_of(w, &places, e, is_output[e], &offset[e]);
  }
  const int has_parts = w->nresult_part > 0 || (l->n > w->nconst && w->part[l->n - 1] > 0);
  if (has_parts && w->nshared == 0) w->nshared = 1;
  w->scope.name = name;
  w->scope.vector = name;
  w->scope.offset = offset;

  // constants that are defined stand where their equations put them
  for (int i = 0; i < l->ndefined; i++) {
    w->scope.symbol[l->pool->nodes[l->defined[i].node].a] = name[l->defined[i].equation];
  }
}


static void open_writer(emitWriter *w)
{
  const eqnList *list = w->list;
  w->statement = open_memstream(&w->text, &w->length);
  if (!w->statement) error_throw();
  w->scope = (emitScope){.out = w->statement, .dialect = &w->syntax->dialect, .list = list};
  w->name = w->syntax->is_prefixed
                ? arena_format(&w->arena, "%s_%s", list->program->name, list->function->name)
                : list->function->name;
  const int trig = list->total.trig + list->constants.trig;
  ARENA_TAKE(&w->arena, w->slot, list->nnode);
  ARENA_TAKE(&w->arena, w->angle, 2 * trig + 1);
  ARENA_TAKE(&w->arena, w->is_written, list->n + 1);
  ARENA_TAKE(&w->arena, w->together, list->nnode);
  ARENA_TAKE(&w->arena, w->declared_in, list->n + 1);
  for (int e = 0; e < list->n; e++) w->is_recycled |= list->equation[e].variable != e;
  w->scope.slot = w->slot;
  name_symbols(w);
  name_function_variables(w);
  repeat_name(w);
  precision_choose(w);
}


emitWriter writer_prepare(FILE *out, const emitSyntax *syntax, const eqnList *list,
                          const char *const *external, const emitOptions *options, int is_rolled)
{
  emitWriter w = {.out = out,
                  .is_rolled = is_rolled,
                  .syntax = syntax,
                  .program = list->program,
                  .function = list->function,
                  .list = list,
                  .external = external,
                  .precision = options->precision,
                  .names_loops = options->names_loops && !is_rolled,
                  .linkage = "",
                  .arena.leaves = 1};
  w.limit =
      options->statements > 0 && syntax->statements > 0 ? options->statements : syntax->statements;
  if (options->equations.readable && syntax->may_be_long) w.limit = 0;
  while (w.nconst < list->n && list->equation[w.nconst].stage < 0) w.nconst++;
  return w;
}


typedef struct writerWork {
  emitWriter *w;
  void (*visit)(emitWriter *w, void *context);
  void *context;
} writerWork;


static void do_writer_work(void *context)
{
  const writerWork *x = context;
  if (!x->w->statement) open_writer(x->w);
  if (x->visit) x->visit(x->w, x->context);
}


int writer_attempt(emitWriter *w, void (*visit)(emitWriter *w, void *context), void *context)
{
  return error_catch(do_writer_work, &(writerWork){w, visit, context});
}


void writer_close(emitWriter *w)
{
  if (w->spill) spill_close(w);
  if (w->aside) fclose(w->out);
  if (w->statement) fclose(w->statement);
  free(w->body);
  free(w->text);
  arena_free(&w->arena);
}


//---- stages --------------------------------------------------------------------------------------

void writer_title(emitWriter *w, int depth, const char *title)
{
  if (w->roll) {
    roll_note(w->roll, title);
    return;
  }
  fprintf(w->out, "\n%*s%s ", depth * w->syntax->indent, "", w->syntax->comment);
  emit_words(w->out, title);
  fputc('\n', w->out);
}


// equations of this body, in loops where branches are alike
static void print_body_equations(emitWriter *w, int from, int to, int depth, int is_new)
{
  if (w->syntax->angles) w->syntax->angles(w, from, to, depth, is_new);
  for (int e = from; e < to;) {
    const int end = repeat_end(w, e, to);
    if (end > e) {
      repeat_print(w, e, end, depth);
      e = end;
      continue;
    }
    const int link = w->list->equation[e].link; // of which equations speak from here on
    if (link > 0 && w->program->link[link]) writer_title(w, depth, w->program->link[link]);
    writer_equation(w, e++, depth, is_new);
  }
}


void emit_inputs(FILE *out, const eqnFunction *f, const char *before)
{
  for (int k = 0; k < f->ninput; k++) fprintf(out, "%s%s", before, f->input[k].name);
}


void emit_outputs(FILE *out, const eqnFunction *f, const char *before)
{
  for (int k = 0; k < f->noutput; k++) fprintf(out, "%s%s", before, f->output[k].name);
}


// four_bar_accelerate_3(p, c, q, v, a, s, user);
static void call_part(emitWriter *w, int part, int depth)
{
  const int is_constant = writer_part_stage(w, part) < 0;
  fprintf(w->statement, "%s%s_%d(%s", w->syntax->call_part, w->name, part,
          w->syntax->part_begin[is_constant] ? w->syntax->part_begin[is_constant] : "p, c");
  if (!is_constant) {
    emit_inputs(w->statement, w->function, ", ");
    emit_outputs(w->statement, w->function, ", ");
  }
  writer_say(w, depth, "%s", w->syntax->part_end[is_constant]);
}


void writer_run(emitWriter *w, int from, int to, int depth, int is_new)
{
  ART_ASSERT(from >= 0 && from <= to && to <= w->list->n);
  int last = 0;
  if (from < to && w->part[from] == 0) {
    print_body_equations(w, from, to, depth, is_new);
    return;
  }
  for (int e = from; e < to; e++) {
    if (w->part[e] == last) continue;
    last = w->part[e];
    call_part(w, last, depth);
  }
}


void writer_increments(emitWriter *w, const eqnStage *stage, int depth)
{
  const exprPool *pool = w->list->pool;
  for (int i = 0; i < stage->nunknown; i++) {
    const char *unknown = w->scope.symbol[pool->nodes[stage->unknown[i]].a];
    const char *correction = writer_operand(w, stage->correction[i]);
    if (w->syntax->has_increment) {
      writer_say(w, depth, "%s += %s%s", unknown, correction, w->syntax->end);
    } else {
      writer_say(w, depth, "%s = %s + (%s)%s", unknown, unknown, correction, w->syntax->end);
    }
  }
}


const char *writer_statuses(const eqnFunction *f)
{
  for (int k = 0; k < f->nstage; k++) {
    if (f->stage[k].kind != STAGE_NEWTON || f->stage[k].nunknown > 0) continue;
    return "0, 1 when loops cannot be closed, or 2 when the actuators do not reach all "
           "coordinates.";
  }
  return "0, or 1 when loops cannot be closed.";
}


static const char *limit_text(emitWriter *w, double x)
{
  if (w->scope.dialect->exponent[0] == 'e' && !w->scope.dialect->narrow) {
    return arena_format(&w->arena, "%.17g", x);
  }
  rewind(w->statement);
  emit_number(w->statement, w->scope.dialect, x);
  return writer_take(w);
}


const char *writer_limit(emitWriter *w, const eqnStage *stage)
{
  const double tolerance = precision_tolerance(w, stage->tolerance);
  const double first = precision_tolerance(w, stage->first);
  const char *later = limit_text(w, tolerance * tolerance);
  if (!(stage->first > 0) || first == tolerance) return later;
  return arena_format(&w->arena, w->syntax->newton.limit, later, limit_text(w, first * first));
}


int writer_status(const emitWriter *w, const eqnStage *stage)
{
  return w->names_loops && stage->block > 0 ? 2 + stage->block : 1;
}


// until the residual is below its limit; without unknowns a test
static void print_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const emitNewton *x = &w->syntax->newton;
  if (w->syntax->declare) w->syntax->declare(w, from, to, depth);
  if (stage->nunknown == 0) {
    writer_run(w, from, to, depth, 0);
    const char *residual = writer_operand(w, stage->residual);
    writer_say(w, depth, x->test, residual, writer_limit(w, stage));
    return;
  }
  writer_say(w, depth, x->begin, stage->most + x->counts_rounds);
  writer_run(w, from, to, depth + 1, 0);
  const char *residual = writer_operand(w, stage->residual);
  writer_say(w, depth + 1, x->leave, residual, writer_limit(w, stage));
  writer_say(w, depth + 1, x->fail, stage->most, writer_status(w, stage));
  writer_increments(w, stage, depth + 1);
  if (x->end) writer_say(w, depth, "%s", x->end);
}


void writer_assign(emitWriter *w, const eqnStage *stage, int i, int depth)
{
  ART_ASSERT(i >= 0 && i < stage->nunknown);
  const int is_when = stage->kind == STAGE_WHEN;
  const char *unknown = w->scope.symbol[w->list->pool->nodes[stage->unknown[i]].a];
  const char *value = writer_operand(w, stage->correction[i]);
  const char *condition =
      is_when && w->syntax->choice ? writer_condition(w, stage->residual) : NULL;
  fprintf(w->statement, "%s = ", unknown);
  if (condition) {
    format_stream(w->statement, w->syntax->choice, condition, value, unknown);
  } else {
    fputs(value, w->statement);
  }
  writer_say(w, depth, "%s", w->syntax->end);
}


void writer_when(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const int deeper = w->syntax->when ? depth + 1 : depth;
  if (w->syntax->when) {
    format_stream(w->statement, w->syntax->when, writer_condition(w, stage->residual));
    writer_end(w, depth);
  }
  writer_run(w, from, to, deeper, 1);
  for (int i = 0; i < stage->nunknown; i++) writer_assign(w, stage, i, deeper);
  if (w->syntax->when_end) writer_say(w, depth, "%s", w->syntax->when_end);
}


// a stage from its first equation e on; returns the first equation after it
static int print_function_stage(emitWriter *w, int number, int e, int depth)
{
  ART_ASSERT(number >= 0 && number < w->function->nstage);
  const eqnStage *stage = &w->function->stage[number];
  const eqnEquation *x = w->list->equation;
  int ahead = e;
  while (ahead < w->list->n && x[ahead].stage == number && x[ahead].ahead) ahead++;
  int end = ahead;
  while (end < w->list->n && x[end].stage == number && !x[end].ahead) end++;
  if (e == end && stage->nunknown == 0 && stage->kind != STAGE_NEWTON) return e;
  writer_title(w, depth, stage->title);
  writer_run(w, e, ahead, depth, 1);
  if (stage->kind == STAGE_NEWTON) {
    (w->syntax->iterate ? w->syntax->iterate : print_newton)(w, stage, ahead, end, depth);
    return end;
  }
  if (stage->kind == STAGE_WHEN) {
    writer_when(w, stage, ahead, end, depth);
    return end;
  }
  writer_run(w, ahead, end, depth, 1);
  for (int i = 0; stage->kind != STAGE_STRAIGHT && i < stage->nunknown; i++) {
    writer_assign(w, stage, i, depth);
  }
  for (int i = 0; i < stage->meets; i++) writer_say(w, depth, "MEET(%d);", ++w->nmeeting);
  return end;
}


// results from one on to another, all vectors counted through
static void print_function_results(emitWriter *w, int from, int to, int depth)
{
  int count = 0, first = 0;
  for (int k = 0; k < w->function->noutput; first += w->function->output[k++].n) {
    const eqnVector *v = &w->function->output[k];
    const int end = to - first < v->n ? to - first : v->n;
    for (int i = from > first ? from - first : 0; i < end; i++) {
      const char *place = element_name(w, v->name, i);
      const int e = v->node[i] < w->list->nnode ? w->list->equation_of[v->node[i]] : -1;
      if (e >= 0 && strcmp(w->scope.name[e], place) == 0) continue;
      if (count++ == 0 && w->nresult_part == 0) writer_title(w, depth, "results");
      const char *value = writer_operand(w, v->node[i]);
      writer_say(w, depth, "%s = %s%s", place, value, w->syntax->end);
    }
  }
}


int writer_part_begin(const emitWriter *w, int part)
{
  ART_ASSERT(part >= 0);
  return part <= w->npart ? w->begin[part] : w->list->n;
}


int writer_part_end(const emitWriter *w, int part)
{
  int e = writer_part_begin(w, part);
  while (e < w->list->n && w->part[e] == part) e++;
  return e;
}


int writer_part_stage(const emitWriter *w, int part)
{
  ART_ASSERT(part >= 0);
  return part <= w->npart ? w->list->equation[w->begin[part]].stage : w->function->nstage - 1;
}


static const char *part_title_of(const emitWriter *w, int part)
{
  const int stage = writer_part_stage(w, part);
  return part > w->npart ? "results" : stage < 0 ? "constants" : w->function->stage[stage].title;
}


void writer_body(emitWriter *w, int which, int depth)
{
  if (which == WRITER_CONSTANTS) {
    writer_run(w, 0, w->nconst, depth, 0);
    repeat_print_constants(w, depth);
  } else if (which == WRITER_WHOLE) {
    int e = w->nconst;
    for (int k = 0; k < w->function->nstage; k++) e = print_function_stage(w, k, e, depth);
    if (w->nresult_part == 0) print_function_results(w, 0, result_count(w), depth);
    for (int k = 1; k <= w->nresult_part; k++) call_part(w, w->npart + k, depth);
  } else {
    const int number = which - w->npart, most = most_results(w);
    if (number > 0) print_function_results(w, (number - 1) * most, number * most, depth);
    print_body_equations(w, writer_part_begin(w, which), writer_part_end(w, which), depth, 1);
  }
}

//---- texts of functions --------------------------------------------------------------------------

// a part, the constants or the function itself; the body comes first, for heads declare variables that it needs
static void print_function_text(emitWriter *w, int which)
{
  const emitSyntax *syntax = w->syntax;
  const int indent = syntax->depth * syntax->indent;
  const int is_constant =
      which == WRITER_CONSTANTS || (which > 0 && writer_part_stage(w, which) < 0);
  FILE *out = w->out;
  angles_forget(w);
  repeat_forget(w);
  precision_begin(w, is_constant);
  w->nloop = 0;
  w->nmeeting = 0;
  writer_begin_aside(w);
  writer_body(w, which, syntax->depth + 1);
  const char *body = writer_end_aside(w);
  if (which > 0) emit_comment(out, syntax->comment, indent, part_title_of(w, which));
  if (which == WRITER_WHOLE && syntax->remark) {
    char remark[400];
    emit_about(out, w->list, syntax->comment, indent);
    format_text(remark, sizeof remark, syntax->remark, w->name, writer_statuses(w->function));
    emit_comment(out, syntax->comment, indent, remark);
  }
  const int is_spaced = syntax->head(w, which, body);
  fputs(body[0] == '\n' && !is_spaced ? body + 1 : body, out);
  if (syntax->foot) syntax->foot(w, which);
  fputs(syntax->gap, out);
}


void writer_function(emitWriter *w)
{
  const int n = w->npart + w->nresult_part;
  for (int part = 1; part <= n; part++) {
    if (writer_part_stage(w, part) < 0) print_function_text(w, part);
  }
  print_function_text(w, WRITER_CONSTANTS);
  for (int part = 1; part <= n; part++) {
    if (writer_part_stage(w, part) >= 0) print_function_text(w, part);
  }
  print_function_text(w, WRITER_WHOLE);
}
