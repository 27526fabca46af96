// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function as tasks that run side by side.
#include "emit/task/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/throw.h"
#include "emit/language/c.h"
#include "emit/write/angles.h"
#include "emit/write/template.h"

//---- parts, readers, places ----------------------------------------------------------------------

static int is_computed_step(const splitStep *step)
{
  return step->kind == STEP_COMPUTE || step->kind == STEP_COPY;
}


// parts end where something is sent or received, and when they are full; the results have one of their own
static void cut_task_parts(tasksWriter *x)
{
  const splitPlan *p = x->plan;
  for (int t = 0; t < p->tasks; t++) {
    const splitSteps *s = &p->steps[t];
    int part = 0, room = 0;
    x->part[t] = arena_alloc(&x->w.arena, (size_t) s->n + 1, sizeof(int));
    for (int i = 0; i < s->n; i++) {
      if (!is_computed_step(&s->step[i])) {
        room = 0;
        continue;
      }
      const taskUnit *u = &x->graph->unit[s->step[i].which];
      if (room <= 0 || u->kind == TASK_RESULTS) {
        part++;
        room = x->w.limit;
      }
      x->part[t][i] = part;
      room -= 1 + u->end - u->first + u->operations / 8;
    }
    x->nparts[t] = part;
  }
}


typedef struct readWork {
  tasksWriter *x;
  int task, unit, part;
  int *made_in;  // [list->n] part of this task in which a variable is made, 0: it is not
  char *shared;  // [list->n] leaves its part at home or its task
  char *crosses; // [list->n] leaves its part in this task
} readWork;


static void note_task_read(void *context, int equation, int symbol)
{
  readWork *r = context;
  tasksWriter *x = r->x;
  const uint64_t bit = (uint64_t) 1 << r->task;
  if (equation < 0) {
    x->symbol_reads[symbol] |= bit;
    return;
  }
  const int unit = x->graph->unit_of[equation];
  if (unit < 0) return;
  x->reads[equation] |= bit;
  const int is_inside = r->made_in[equation] == r->part &&
                        (unit == r->unit || x->graph->unit[unit].kind == TASK_EQUATION);
  if (r->made_in[equation] == 0) r->shared[equation] = 1;
  if (r->made_in[equation] > 0 && !is_inside) r->crosses[equation] = 1;
}


// the next value is in another line of the cache
static void end_line(tasksWriter *x)
{
  x->nplace = (x->nplace + TASKS_LINE - 1) / TASKS_LINE * TASKS_LINE;
}


static void give_place(tasksWriter *x, int e)
{
  ART_ASSERT(x->place[e] < 0);
  x->place[e] = x->nplace;
  x->nplace += writer_is_call(&x->w, e) ? writer_called(&x->w, e)->n : 1;
}


// variables of copies that leave their part have places of their own
static void name_task(tasksWriter *x, readWork *r)
{
  const eqnList *l = x->w.list;
  for (int e = 0; e < l->n; e++) {
    const int unit = x->graph->unit_of[e];
    if (unit < 0 || r->made_in[e] == 0) continue;
    const int is_home = x->plan->task[unit] == r->task, is_call = writer_is_call(&x->w, e);
    const char **name = &x->name[r->task][e];
    if (is_home && (r->shared[e] || r->crosses[e] || is_call)) {
      if (x->place[e] < 0) give_place(x, e);
      *name = is_call ? "s" : arena_format(&x->w.arena, "s[%d]", x->place[e]);
    } else if (r->crosses[e]) {
      *name = arena_format(&x->w.arena, "s[%d]", x->nplace++);
    } else {
      *name = l->equation[e].name ? l->equation[e].name : arena_format(&x->w.arena, "result_%d", e);
    }
  }
  end_line(x);
}


// Names of equations in all tasks, in two passes: variables that other tasks read must be known before names are given.
static void name_task_equations(tasksWriter *x, readWork *r, int pass)
{
  const size_t n = (size_t) x->w.list->n + 1;
  baseArena *arena = &x->w.arena;
  for (r->task = 0; r->task < x->plan->tasks; r->task++) {
    r->made_in = arena_alloc(arena, n, sizeof *r->made_in);
    r->crosses = arena_alloc(arena, n, 1);
    const splitSteps *s = &x->plan->steps[r->task];
    for (int i = 0; i < s->n; i++) {
      if (!is_computed_step(&s->step[i])) continue;
      const taskUnit *u = &x->graph->unit[s->step[i].which];
      for (int e = u->first; e < u->end; e++) r->made_in[e] = x->part[r->task][i];
    }
    for (int i = 0; i < s->n; i++) {
      if (!is_computed_step(&s->step[i])) continue;
      r->unit = s->step[i].which;
      r->part = x->part[r->task][i];
      task_for_reads(x->graph, r->unit, note_task_read, r);
    }
    if (pass == 1) name_task(x, r);
  }
}


static void give_symbol_place(tasksWriter *x, int unit, int i)
{
  ART_ASSERT(unit >= 0 && unit < x->graph->n);
  const eqnStage *stage = &x->w.function->stage[x->graph->unit[unit].stage];
  const int symbol = x->w.list->pool->nodes[stage->unknown[i]].a;
  if (task_writes(x->graph, unit, i) && x->symbol_place[symbol] < 0) {
    x->symbol_place[symbol] = x->nplace++;
  }
}


// values that several messages carry stand with the first
static void place_messages(tasksWriter *x, const char *shared)
{
  const splitPlan *p = x->plan;
  for (int m = 0; m < p->nmessage; m++) {
    end_line(x);
    x->message_place[m] = x->nplace;
    for (int k = 0; k < p->message[m].n; k++) {
      const int unit = p->message[m].unit[k];
      const taskUnit *u = &x->graph->unit[unit];
      for (int e = u->first; e < u->end; e++) {
        if (shared[e] && x->place[e] < 0) give_place(x, e);
      }
      for (int i = 0; i < x->w.function->stage[u->stage].nunknown; i++) {
        give_symbol_place(x, unit, i);
      }
    }
  }
  end_line(x);
  x->message_place[p->nmessage] = x->nplace;
}


static void name_all(tasksWriter *x)
{
  const exprPool *pool = x->w.list->pool;
  const eqnFunction *f = x->w.function;
  readWork r = {.x = x};
  r.shared = arena_alloc(&x->w.arena, (size_t) x->w.list->n + 1, 1);
  name_task_equations(x, &r, 0);
  place_messages(x, r.shared);

  // symbols that nobody is sent stand by the task that finds them
  for (int t = 0; t < x->plan->tasks; t++) {
    for (int u = 0; u < x->graph->n; u++) {
      const int n = x->plan->task[u] == t ? f->stage[x->graph->unit[u].stage].nunknown : 0;
      for (int i = 0; i < n; i++) give_symbol_place(x, u, i);
    }
    end_line(x);
  }
  for (int i = 0; i < pool->symbol_count; i++) {
    x->first_writer[i] = -1;
    x->input[i] = x->w.scope.symbol[i];
    if (x->symbol_place[i] < 0) continue;
    x->w.scope.symbol[i] = arena_format(&x->w.arena, "s[%d]", x->symbol_place[i]);
  }
  for (int u = x->graph->n - 1; u >= 0; u--) {
    const eqnStage *stage = &f->stage[x->graph->unit[u].stage];
    for (int i = 0; i < stage->nunknown; i++) {
      if (task_writes(x->graph, u, i)) x->first_writer[pool->nodes[stage->unknown[i]].a] = u;
    }
  }
  name_task_equations(x, &r, 1);

  // variables that are received have the names that they have at home
  for (int t = 0; t < x->plan->tasks; t++) {
    for (int e = 0; e < x->w.list->n; e++) {
      const int unit = x->graph->unit_of[e];
      if (unit < 0) {
        x->name[t][e] = x->w.scope.name[e];
      } else if (!x->name[t][e]) {
        x->name[t][e] = x->name[x->plan->task[unit]][e];
      }
    }
  }
}

//---- opening -------------------------------------------------------------------------------------

// which sines the serial text finds together: write it, for nobody
static void note_together(emitWriter *serial, void *context)
{
  tasksWriter *x = context;
  writer_function(serial);
  memcpy(x->together, serial->together, (size_t) serial->list->nnode);
}


static void take_tasks_room(tasksWriter *x)
{
  baseArena *arena = &x->w.arena;
  const int n = x->w.list->n + 1, tasks = x->plan->tasks;
  const int symbols = x->w.list->pool->symbol_count + 1;
  ARENA_TAKE(arena, x->first_writer, symbols);
  ARENA_TAKE(arena, x->symbol_place, symbols);
  ARENA_TAKE(arena, x->symbol_reads, symbols);
  ARENA_TAKE(arena, x->input, symbols);
  ARENA_TAKE(arena, x->part, tasks);
  ARENA_TAKE(arena, x->nparts, tasks);
  ARENA_TAKE(arena, x->name, tasks);
  ARENA_TAKE(arena, x->place, n);
  ARENA_TAKE(arena, x->reads, n);
  ARENA_TAKE(arena, x->is_made, n);
  ARENA_TAKE(arena, x->message_place, x->plan->nmessage + 1);
  for (int e = 0; e < n; e++) x->place[e] = -1;
  for (int i = 0; i < symbols; i++) x->symbol_place[i] = -1;
  for (int t = 0; t < tasks; t++) ARENA_TAKE(arena, x->name[t], n);
}


static void open_tasks(emitWriter *w, void *context)
{
  tasksWriter *x = context;
  const eqnList *list = w->list;
  x->graph = task_graph_create(list);
  if (!x->graph || !task_mark(x->graph, &x->marks)) error_throw();
  const int is_made = split_make(&x->made, x->graph, &x->marks, x->split);
  x->plan = x->made.plan;
  if (!is_made) error_throw();
  take_tasks_room(x);
  const emitJob *job = x->job;
  char *text = NULL;
  size_t length = 0;
  ARENA_TAKE(&x->w.arena, x->together, x->w.list->nnode);
  FILE *out = open_memstream(&text, &length);
  if (!out) error_throw();
  emitWriter serial = writer_prepare(out, &c_syntax, x->w.list, job->external, job->options, 0);
  const int made = writer_attempt(&serial, note_together, x);
  writer_close(&serial);
  const int is_whole = file_close_text(out, &text);
  free(text);
  if (!made || !is_whole) error_throw();

  // results of calls are in s as results of parts do
  for (int e = 0; e < list->n; e++) w->part[e] = 1;
  cut_task_parts(x);
  name_all(x);
  int *offset = arena_alloc(&w->arena, (size_t) list->n + 1, sizeof *offset);
  for (int e = 0; e < list->n; e++) offset[e] = x->place[e] > 0 ? x->place[e] : 0;
  w->scope.offset = offset;
}


int tasks_open(tasksWriter *x, const emitJob *job, const eqnList *list, const splitChoice *split,
               FILE *out)
{
  *x = (tasksWriter){.job = job, .split = split};
  x->w = writer_prepare(out, &c_syntax, list, job->external, job->options, 0);
  return writer_attempt(&x->w, open_tasks, x);
}


typedef struct tasksWork {
  tasksWriter *x;
  void (*work)(tasksWriter *x);
} tasksWork;


static void do_tasks_work(emitWriter *w, void *context)
{
  const tasksWork *own = context;
  (void) w;
  own->work(own->x);
}


int tasks_attempt(tasksWriter *x, void (*work)(tasksWriter *x))
{
  return writer_attempt(&x->w, do_tasks_work, &(tasksWork){x, work});
}


void tasks_close(tasksWriter *x)
{
  split_free(&x->made);
  task_marks_free(&x->marks);
  task_graph_free(x->graph);
  writer_close(&x->w);
}

//---- sines and cosines ---------------------------------------------------------------------------

// whether the operand can be evaluated with the values that are there
static int is_known_operand(const tasksWriter *x, int node)
{
  const eqnList *l = x->w.list;
  const int e = l->equation_of[node];
  if (e >= 0) return x->graph->unit_of[e] < 0 || x->is_made[e];
  const exprNode *n = &l->pool->nodes[node];
  if (n->op == EXPR_SYMBOL) return 1;
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    if (!is_known_operand(x, expr_argument(l->pool, node, k))) return 0;
  }
  return 1;
}


// sines and cosines of an equation that are found together and have no place yet; returns how many were added
static int add_angles(tasksWriter *x, int node, int begin)
{
  emitWriter *w = &x->w;
  const exprPool *pool = w->list->pool;
  int count = 0;
  if (x->together[node] && w->slot[node] == 0 && is_known_operand(x, pool->nodes[node].a)) {
    angles_add(w, node, begin);
    count = 1;
  }
  for (int k = 0; k < expr_argument_count(pool, node); k++) {
    const int a = expr_argument(pool, node, k);
    if (w->list->equation_of[a] < 0) count += add_angles(x, a, begin);
  }
  return count;
}


//---- units ---------------------------------------------------------------------------------------

// Equations one after the other. Before one that needs sines stand those that the rest of the run needs and that can be
// found by then.
static void print_run(tasksWriter *x, int n, const int *equation, int depth)
{
  emitWriter *w = &x->w;
  for (int i = 0; i < n; i++) {
    const int e = equation[i], node = w->list->equation[e].node, begin = w->nangle;
    if (add_angles(x, node, begin)) {
      for (int k = i + 1; k < n; k++) add_angles(x, w->list->equation[equation[k]].node, begin);
      angles_call(w, begin, depth);
    }
    x->is_made[e] = 1;
    if (writer_is_call(w, e)) {
      c_call(w, e, depth, 1);
      continue;
    }
    const int is_local = strncmp(w->scope.name[e], "s[", 2) != 0;
    fprintf(w->statement, "%s%s = ", is_local ? "const double " : "", w->scope.name[e]);
    emit_expression(&w->scope, node);
    writer_say(w, depth, ";");
  }
}


// equations of a stage that stays together, with sines of their own
static void print_inside(tasksWriter *x, const taskUnit *u, int depth)
{
  int *all = arena_alloc(&x->w.arena, (size_t) (u->end - u->first) + 1, sizeof *all);
  for (int e = u->first; e < u->end; e++) all[e - u->first] = e;
  print_run(x, u->end - u->first, all, depth);
}


static void print_assignment(tasksWriter *x, const eqnStage *stage, int i, int depth)
{
  const char *value = writer_operand(&x->w, stage->correction[i]);
  const int symbol = x->w.list->pool->nodes[stage->unknown[i]].a;
  writer_say(&x->w, depth, "%s = %s;", x->w.scope.symbol[symbol], value);
}


// a stage that stays together: iterations of Newton's method or assignments under a condition; unknowns begin with the values
// that the caller gave
static void print_task_stage(tasksWriter *x, int unit, const eqnStage *stage)
{
  emitWriter *w = &x->w;
  for (int i = 0; i < stage->nunknown; i++) {
    const int symbol = w->list->pool->nodes[stage->unknown[i]].a;
    if (x->first_writer[symbol] != unit || !x->input[symbol]) continue;
    writer_say(w, 1, "%s = %s;", w->scope.symbol[symbol], x->input[symbol]);
  }
  if (stage->kind == STAGE_WHEN) {
    writer_say(w, 1, "if (%s) {", writer_condition(w, stage->residual));
    print_inside(x, &x->graph->unit[unit], 2);
    for (int i = 0; i < stage->nunknown; i++) print_assignment(x, stage, i, 2);
  } else {
    writer_say(w, 1, "for (int iteration = 0;; iteration++) {");
    print_inside(x, &x->graph->unit[unit], 2);
    const char *residual = writer_operand(w, stage->residual);
    writer_say(w, 2, "if (%s <= %s) break;", residual, writer_limit(w, stage));
    writer_say(w, 2, "if (iteration == %d) {\n\t*failed = 1;\n\tbreak;\n}", stage->most);
    writer_increments(w, stage, 2);
  }
  writer_say(w, 1, "}");
}


static void print_task_results(tasksWriter *x)
{
  emitWriter *w = &x->w;
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->noutput; k++) {
    for (int i = 0; i < f->output[k].n; i++) {
      writer_say(w, 1, "%s[%d] = %s;", f->output[k].name, i,
                 writer_operand(w, f->output[k].node[i]));
    }
  }
  for (int k = 0; k < f->ninput; k++) {
    for (int i = 0; i < f->input[k].n; i++) {
      const exprNode *n = &w->list->pool->nodes[f->input[k].node[i]];
      if (n->op != EXPR_SYMBOL || x->symbol_place[n->a] < 0) continue;
      writer_say(w, 1, "%s[%d] = %s;", f->input[k].name, i, w->scope.symbol[n->a]);
    }
  }
}

//---- parts ---------------------------------------------------------------------------------------

static void print_units(tasksWriter *x, int task, int part, int *room)
{
  ART_ASSERT(task >= 0 && task < x->plan->tasks);
  const splitSteps *s = &x->plan->steps[task];
  for (int i = 0; i < s->n; i++) {
    if (!is_computed_step(&s->step[i]) || x->part[task][i] != part) continue;
    const int unit = s->step[i].which;
    const taskUnit *u = &x->graph->unit[unit];
    const eqnStage *stage = &x->w.function->stage[u->stage];
    if (u->kind == TASK_EQUATION) {
      // all that follow, up to a unit of another kind
      int n = 0;
      for (; i < s->n && is_computed_step(&s->step[i]) && x->part[task][i] == part; i++) {
        const taskUnit *next = &x->graph->unit[s->step[i].which];
        if (next->kind != TASK_EQUATION) break;
        room[n++] = next->first;
      }
      i--;
      print_run(x, n, room, 1);
    }
    if (u->kind == TASK_ASSIGN) print_assignment(x, stage, u->unknown, 1);
    if (u->kind == TASK_NEWTON || u->kind == TASK_WHEN) print_task_stage(x, unit, stage);
    if (u->kind == TASK_RESULTS) print_task_results(x);
  }
}


static int is_results(const tasksWriter *x, int task, int part)
{
  return task == 0 && part == x->nparts[0];
}


static void print_task_part(tasksWriter *x, int task, int part, int *room)
{
  ART_ASSERT(task >= 0 && task < x->plan->tasks && part >= 1);
  emitWriter *w = &x->w;
  const eqnFunction *f = w->function;
  const int is_last = is_results(x, task, part);
  FILE *out = w->out;
  format_stream(w->statement, is_last ? "static void %s_results(" : "static void %s_%d_%d(",
                w->name, task, part);
  fprintf(w->statement, "const %s_parameters *restrict p, const %s_constants *restrict c",
          w->program->name, w->name);
  for (int k = 0; k < f->ninput; k++) {
    const int is_written = is_last && emit_is_written(f, &f->input[k]);
    fprintf(w->statement, ", %sdouble *restrict %s", is_written ? "" : "const ", f->input[k].name);
  }
  if (is_last) emit_outputs(w->statement, f, ", double *restrict ");
  fputs(is_last ? ", const double *restrict s)" : ", double *restrict s, int *failed, void *user)",
        w->statement);
  writer_end(w, 0);
  w->nangle = 0;
  memset(w->slot, 0, (size_t) w->list->nnode * sizeof *w->slot);
  writer_begin_aside(w);
  print_units(x, task, part, room);
  const char *body = writer_end_aside(w);
  fputs("{\n", out);
  c_mark_unused(out, body, "p");
  c_mark_unused(out, body, "c");
  c_mark_unused(out, body, "s");
  c_mark_unused_inputs(out, body, f);
  if (is_last) {
    c_mark_unused_outputs(out, body, f);
  } else {
    c_mark_unused(out, body, "failed");
    c_mark_unused(out, body, "user");
  }
  if (w->nangle > 0) fprintf(out, "  double sine[%d], cosine[%d];\n", w->nangle, w->nangle);
  fprintf(out, "%s}\n\n\n", body);
}


void tasks_print_parts(tasksWriter *x)
{
  int *room = arena_alloc(&x->w.arena, (size_t) x->w.list->n + 1, sizeof *room);
  for (int t = 0; t < x->plan->tasks; t++) {
    x->w.scope.name = x->name[t];
    x->w.scope.vector = x->name[t];
    memset(x->is_made, 0, (size_t) x->w.list->n);

    // values that are received are there when a part begins that reads them, or the parts before would have made them
    for (int e = 0; e < x->w.list->n; e++) {
      const int unit = x->graph->unit_of[e];
      if (unit >= 0 && x->plan->task[unit] != t && x->place[e] >= 0 &&
          x->name[t][e] == x->name[x->plan->task[unit]][e]) {
        x->is_made[e] = 1;
      }
    }
    for (int part = 1; part <= x->nparts[t]; part++) print_task_part(x, t, part, room);
  }
}


void tasks_print_steps(tasksWriter *x, int task, const tasksTalk *talk)
{
  ART_ASSERT(task >= 0 && task < x->plan->tasks);
  const splitSteps *s = &x->plan->steps[task];
  int last = 0;
  for (int i = 0; i < s->n; i++) {
    const splitStep *step = &s->step[i];
    if (step->kind == STEP_SEND) talk->send(x, task, step->which);
    if (step->kind == STEP_RECEIVE) talk->receive(x, task, step->which);
    if (!is_computed_step(step) || x->part[task][i] == last) continue;
    last = x->part[task][i];
    if (is_results(x, task, last)) continue;
    fprintf(x->w.out, "  %s_%d_%d(p, c", x->w.name, task, last);
    emit_inputs(x->w.out, x->w.function, ", ");
    fputs(", s, &failed, user);\n", x->w.out);
  }
}

//---- pieces --------------------------------------------------------------------------------------

void tasks_print_signature(tasksWriter *x)
{
  emitWriter *w = &x->w;
  fprintf(w->statement, "const %s_parameters *p, const %s_constants *c", w->program->name, w->name);
  for (int k = 0; k < w->function->ninput; k++) {
    const eqnVector *v = &w->function->input[k];
    fprintf(w->statement, ", %sdouble *%s", emit_is_written(w->function, v) ? "" : "const ",
            v->name);
  }
  emit_outputs(w->statement, w->function, ", double *");
  fputs(", void *user", w->statement);
}


void tasks_print(const tasksWriter *x, const char *const *text, const char *section, int other)
{
  char tasks[12], number[12];
  snprintf(tasks, sizeof tasks, "%d", x->plan->tasks);
  snprintf(number, sizeof number, "%d", other);
  template_print(x->w.out, text, section,
                 &(templateValues){.name = x->w.program->name,
                                   .function = x->w.function->name,
                                   .word = tasks,
                                   .other = number});
}


int tasks_message_places(const tasksWriter *x, int message, int room, int *place)
{
  ART_ASSERT(message >= 0 && message < x->plan->nmessage);
  const splitMessage *m = &x->plan->message[message];
  int n = 0;
  for (int i = 0; i < m->n; i++) {
    const taskUnit *u = &x->graph->unit[m->unit[i]];
    const eqnStage *stage = &x->w.function->stage[u->stage];
    for (int e = u->first; e < u->end; e++) {
      if (!(x->reads[e] >> m->to & 1) || x->place[e] < 0) continue;
      const int count = writer_is_call(&x->w, e) ? writer_called(&x->w, e)->n : 1;
      for (int k = 0; k < count; k++, n++) {
        if (n < room) place[n] = x->place[e] + k;
      }
    }
    for (int k = 0; k < stage->nunknown; k++) {
      const int symbol = x->w.list->pool->nodes[stage->unknown[k]].a;
      if (!task_writes(x->graph, m->unit[i], k)) continue;
      if (n < room) place[n] = x->symbol_place[symbol];
      n++;
    }
  }
  return n;
}
