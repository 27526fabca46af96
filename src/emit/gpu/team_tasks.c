// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions as tasks of a team.
#include "emit/gpu/team_tasks.h"

#include <string.h>

#include "base/throw.h"
#include "emit/write/angles.h"
#include "split/split_plan.h"

typedef struct teamWriter {
  emitWriter w;
  taskGraph *graph;
  taskMarks marks;
  splitPlan *plan;
  int nplace, *place; // [list->n] 1 + where a variable stands that another task reads, 0: nowhere
  uint64_t *made;     // [list->n] bit t: task t makes it
  const char **own;   // [list->n] names where variables are made
  int task;           // at hand
  emitTeam *team;
} teamWriter;

//---- what crosses --------------------------------------------------------------------------------

static int is_team_step_computed(const splitStep *step)
{
  return step->kind == STEP_COMPUTE || step->kind == STEP_COPY;
}


static int is_equation_at_hand(const teamWriter *x, int e)
{
  ART_ASSERT(x->task >= 0 && x->task < 64);
  return x->graph->unit_of[e] < 0 || (x->made[e] >> x->task & 1);
}


static void note_team_read(void *context, int e, int symbol)
{
  teamWriter *x = context;
  (void) symbol; // these are in vectors that all see
  if (e >= 0 && !is_equation_at_hand(x, e) && x->place[e] == 0) x->place[e] = ++x->nplace;
}


// the equation that finds a result, -1: it is known without, or an expression of others
static int equation_of_result(const teamWriter *x, int node)
{
  const eqnList *l = x->w.list;
  const int e = node < l->nnode ? l->equation_of[node] : -1;
  return e >= 0 && l->equation[e].stage >= 0 ? e : -1;
}


static void note_operands(teamWriter *x, int node)
{
  const eqnList *l = x->w.list;
  if (l->equation_of[node] >= 0) {
    note_team_read(x, l->equation_of[node], -1);
    return;
  }
  for (int k = 0; k < expr_argument_count(l->pool, node); k++) {
    note_operands(x, expr_argument(l->pool, node, k));
  }
}


// results that are no variables are written by the task that has all
static void note_results(teamWriter *x)
{
  const eqnFunction *f = x->w.function;
  for (int k = 0; k < f->noutput; k++) {
    for (int i = 0; i < f->output[k].n; i++) {
      if (equation_of_result(x, f->output[k].node[i]) < 0) note_operands(x, f->output[k].node[i]);
    }
  }
}


static void find_crossing_places(teamWriter *x)
{
  const splitPlan *p = x->plan;
  x->nplace = x->w.nshared; // unknowns that no vector holds come first
  for (int pass = 0; pass < 2; pass++) {
    for (x->task = 0; x->task < p->tasks; x->task++) {
      const splitSteps *s = &p->steps[x->task];
      for (int i = 0; i < s->n; i++) {
        const int unit = s->step[i].which;
        if (!is_team_step_computed(&s->step[i])) continue;
        const taskUnit *u = &x->graph->unit[unit];
        for (int e = u->first; pass == 0 && e < u->end; e++) {
          x->made[e] |= (uint64_t) 1 << x->task;
        }
        if (pass == 0) continue;
        if (u->kind == TASK_RESULTS) {
          note_results(x);
        } else {
          task_for_reads(x->graph, unit, note_team_read, x);
        }
      }
    }
  }
}

//---- statements ----------------------------------------------------------------------------------

// results that are no variables of their own have been written where they were found
static void say_result(emitWriter *w, const eqnVector *v, int i, const char *value)
{
  const char *place = arena_format(&w->arena, "AT_%s(%d)", v->name, i);
  if (strcmp(place, value) != 0) writer_say(w, 1, "%s = %s;", place, value);
}


// values that others read, and results that the variables of a unit are
static void keep_unit_values(teamWriter *x, const taskUnit *u)
{
  const eqnFunction *f = x->w.function;
  for (int e = u->first; e < u->end; e++) {
    if (x->place[e] > 0) {
      writer_say(&x->w, 1, "AT_s(%d) = %s;", x->place[e] - 1, x->own[e]);
    }
    for (int k = 0; k < f->noutput; k++) {
      for (int i = 0; i < f->output[k].n; i++) {
        if (equation_of_result(x, f->output[k].node[i]) != e) continue;
        say_result(&x->w, &f->output[k], i, x->own[e]);
      }
    }
  }
}


static void print_team_results(teamWriter *x)
{
  const eqnFunction *f = x->w.function;
  for (int k = 0; k < f->noutput; k++) {
    for (int i = 0; i < f->output[k].n; i++) {
      if (equation_of_result(x, f->output[k].node[i]) >= 0) continue;
      say_result(&x->w, &f->output[k], i, writer_operand(&x->w, f->output[k].node[i]));
    }
  }
}


// sines that iterations find, or statements under a condition, are not there after them
static void print_team_steps(void *context)
{
  teamWriter *x = context;
  const splitSteps *s = &x->plan->steps[x->task];
  int is_block = 1;
  for (int i = 0; i < s->n; i++) {
    const splitStep *step = &s->step[i];
    if (!is_team_step_computed(step)) {
      writer_say(&x->w, 1, step->kind == STEP_SEND ? "SEND(%d);" : "RECEIVE(%d);", step->which);
      continue;
    }
    const taskUnit *u = &x->graph->unit[step->which];
    if (is_block && u->kind == TASK_EQUATION) angles_begin(&x->w, u->first, u->end, 1, 1);
    is_block = u->kind == TASK_NEWTON || u->kind == TASK_WHEN;
    emitWriter *w = &x->w;
    const eqnStage *stage = &w->function->stage[u->stage];
    switch (u->kind) {
    case TASK_EQUATION: writer_equation(w, u->first, 1, 1); break;
    case TASK_ASSIGN: writer_assign(w, stage, u->unknown, 1); break;
    case TASK_NEWTON: w->syntax->iterate(w, stage, u->first, u->end, 1); break;
    case TASK_WHEN: writer_when(w, stage, u->first, u->end, 1); break;
    case TASK_RESULTS: print_team_results(x); break;
    }
    if (step->kind == STEP_COMPUTE && u->kind != TASK_RESULTS) keep_unit_values(x, u);
  }
}


// a function by its body, which comes first: the head declares the variables that it needs
static void print_team_function(emitWriter *w, const char *kind, int task,
                                void (*body)(void *context), void *context)
{
  angles_forget(w);
  memset(w->is_written, 0, (size_t) w->list->n);
  writer_begin_aside(w);
  body(context);
  const char *text = writer_end_aside(w);
  fprintf(w->out, "PART int %s_%s_%d(TEAM_ARGUMENTS)\n{\n", w->name, kind, task);
  if (w->nangle > 0) fprintf(w->out, "  real sine[%d], cosine[%d];\n", w->nangle, w->nangle);
  fprintf(w->out, "  TEAM_BEGIN;\n%s  return failed;\n}\n\n\n", text);
}


// by their numbers, from all of a team
static void print_task_choice(const emitWriter *w, const char *kind, int tasks)
{
  fprintf(w->out, "HERE int %s_%s(int task, TEAM_ARGUMENTS)\n{\n", w->name, kind);
  for (int t = 0; t < tasks - 1; t++) {
    fprintf(w->out, "  if (task == %d) return %s_%s_%d(TEAM_HANDED_ON);\n", t, w->name, kind, t);
  }
  fprintf(w->out, "  return %s_%s_%d(TEAM_HANDED_ON);\n}\n\n\n", w->name, kind, tasks - 1);
}


// messages take room as well, one for each lane of a number
static int has_room(const teamWriter *x, const emitTeam *team)
{
  return x->nplace + (x->plan->nmessage + 31) / 32 <= team->nplace;
}


// Transfers through shared memory have costs in additions. Numbers that cross take room, and the dearer they are the fewer
// there are.
static void make_team_plan(teamWriter *x, const emitTeam *team)
{
  const size_t n = (size_t) x->w.list->n + 1;
  splitOptions options = split_free_options(team->tasks);
  options.latency = 40;
  options.message = 20;
  for (double value = 3; value < 50; value *= 2) {
    options.read = options.write = value;
    split_plan_free(x->plan);
    x->plan = split_create(x->graph, &x->marks, &options);
    if (!x->plan) error_throw();
    memset(x->place, 0, n * sizeof *x->place);
    memset(x->made, 0, n * sizeof *x->made);
    find_crossing_places(x);
    if (has_room(x, team)) break;
  }
}


static void print_team_tasks(emitWriter *w, void *context)
{
  teamWriter *x = context;
  emitTeam *team = x->team;
  const int n = w->list->n + 1;
  x->graph = task_graph_create(w->list);
  ARENA_TAKE(&w->arena, x->place, n);
  ARENA_TAKE(&w->arena, x->made, n);
  x->own = arena_copy(&w->arena, w->scope.name, (size_t) n - 1, sizeof *x->own);
  if (!x->graph || !task_mark(x->graph, &x->marks)) error_throw();
  make_team_plan(x, team);
  const int pays = x->plan->tasks > 1 && has_room(x, team);
  *team = (emitTeam){pays ? x->plan->tasks : 0, x->nplace, x->plan->nmessage};
  if (!pays) return;
  fprintf(w->out, "#define C(i) KNOWN_AT(k_%s + (i))\n\n", w->name);
  for (x->task = 0; x->task < x->plan->tasks; x->task++) {
    for (int e = 0; e < x->w.list->n; e++) {
      const int is_far = !is_equation_at_hand(x, e) && x->place[e] > 0;
      x->w.scope.name[e] =
          is_far ? arena_format(&x->w.arena, "AT_s(%d)", x->place[e] - 1) : x->own[e];
    }
    print_team_function(w, "task", x->task, print_team_steps, x);
  }
  print_task_choice(w, "task", x->plan->tasks);
  fputs("#undef C\n\n\n", w->out);
}


int team_print(const emitJob *job, FILE *out, const emitSyntax *syntax, const eqnList *list,
               emitTeam *team)
{
  teamWriter x = {.team = team};
  x.w = writer_prepare(out, syntax, list, job->external, job->options, 0);
  const int made = writer_attempt(&x.w, print_team_tasks, &x);
  split_plan_free(x.plan);
  task_marks_free(&x.marks);
  task_graph_free(x.graph);
  writer_close(&x.w);
  return made;
}

//---- shares --------------------------------------------------------------------------------------

typedef struct shareWriter {
  emitWriter *w;
  int task, tasks;
} shareWriter;


// the equations that an expression needs and that are not there yet
static void print_needed(emitWriter *w, int node)
{
  const int e = w->list->equation_of[node];
  if (e >= 0 && (w->list->equation[e].stage < 0 || w->is_written[e])) return;
  for (int k = 0; k < expr_argument_count(w->list->pool, node); k++) {
    print_needed(w, expr_argument(w->list->pool, node, k));
  }
  if (e >= 0) writer_equation(w, e, 1, 1);
}


static void print_share(void *context)
{
  const shareWriter *s = context;
  emitWriter *w = s->w;
  for (int k = 0; k < w->function->noutput; k++) {
    const eqnVector *v = &w->function->output[k];
    const int from = v->n * s->task / s->tasks, to = v->n * (s->task + 1) / s->tasks;
    for (int i = from; i < to; i++) {
      print_needed(w, v->node[i]);
      say_result(w, v, i, writer_operand(w, v->node[i]));
    }
  }
}


static void print_team_shares(emitWriter *w, void *context)
{
  const int tasks = *(const int *) context;
  fprintf(w->out, "#define C(i) KNOWN_AT(k_%s + (i))\n\n", w->name);
  for (int t = 0; t < tasks; t++) {
    shareWriter s = {w, t, tasks};
    print_team_function(w, "share", t, print_share, &s);
  }
  print_task_choice(w, "share", tasks);
  fputs("#undef C\n\n\n", w->out);
}


int team_print_shares(const emitJob *job, FILE *out, const emitSyntax *syntax, const eqnList *list,
                      int tasks)
{
  ART_ASSERT(tasks >= 1);
  emitWriter w = writer_prepare(out, syntax, list, job->external, job->options, 0);
  const int made = writer_attempt(&w, print_team_shares, &tasks);
  writer_close(&w);
  return made;
}
