// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks as threads: workers that live as long as their team, one for each task but the first, which the caller does.
//
// A task says how far it has come by a number that only grows, of the evaluation and of what it has published in it;
// others spin until the number is large enough. There are no locks. A wait beyond a limit is a stall, which all
// notice: the evaluation ends with 2 and the team is of no more use.
#include "emit/tasks.h"
#include "emit/template.h"


//---- fields and calls ----------------------------------------------------------------------------

// messages that leave a task at the same step are published together: how often it has published before
static int published_before(const splitPlan *p, int task, int message)
{
  const splitSteps *s = &p->steps[task];
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    if (s->step[i].kind != STEP_SEND) continue;
    if (i == 0 || s->step[i - 1].kind != STEP_SEND) n++;
    if (s->step[i].which == message) return n;
  }
  return n;
}


// how often a task publishes in all: when it sends, and at the end if there is something behind
static int count_published(const splitPlan *p, int task)
{
  const splitSteps *s = &p->steps[task];
  int n = 0, is_sent = 0;
  for (int i = 0; i < s->n; i++) {
    const int is_send = s->step[i].kind == STEP_SEND;
    n += is_send && !is_sent;
    is_sent = is_send;
  }
  return n + !is_sent;
}


static int ends_with_send(const splitPlan *p, int task)
{
  const splitSteps *s = &p->steps[task];
  return s->n > 0 && s->step[s->n - 1].kind == STEP_SEND;
}


// the numbers that one evaluation takes
static int most_published(const splitPlan *p)
{
  int most = 0;
  for (int t = 0; t < p->tasks; t++) {
    const int n = count_published(p, t);
    if (n > most) most = n;
  }
  return most + 1;
}


static void send(tasksWriter *x, int task, int message)
{
  const splitSteps *s = &x->plan->steps[task];
  int i = 0;
  while (s->step[i].kind != STEP_SEND || s->step[i].which != message) i++;
  if (i + 1 < s->n && s->step[i + 1].kind == STEP_SEND) return;
  fprintf(x->w.out, "  %s_%s_publish(m, %d, base + %d, failed);\n", x->w.program->name,
          x->w.function->name, task, published_before(x->plan, task, message));
}


static void receive(tasksWriter *x, int task, int message)
{
  const int from = x->plan->message[message].from;
  const int begin = x->message_place[message], n = x->message_place[message + 1] - begin;
  const char *name = x->w.program->name, *f = x->w.function->name;
  (void) task;
  fprintf(x->w.out, "  if (!%s_%s_wait(m, %d, base + %d, seen)) return 0;\n", name, f, from,
          published_before(x->plan, from, message));
  if (n > 0) fprintf(x->w.out, "  %s_%s_fetch(s + %d, %d);\n", name, f, begin, n);
}


static void print_task(tasksWriter *x, int task, int most)
{
  static const tasksTalk talk = {send, receive};
  FILE *out = x->w.out;
  const char *name = x->w.program->name, *f = x->w.function->name;
  fprintf(out,
          "static int %s_%s_task_%d(%s_%s_team *m, unsigned long long round, unsigned long long "
          "*seen)\n{\n"
          "  const unsigned long long base = round*%d;\n",
          name, f, task, name, f, most);
  if (x->plan->steps[task].n > 0) {
    fprintf(out, "  const %s_parameters *p = m->p;\n  const %s_%s_constants *c = m->c;\n", name,
            name, f);
    for (int k = 0; k < x->w.function->ninput; k++) {
      const char *v = x->w.function->input[k].name;
      fprintf(out, "  const double *%s = m->%s;\n", v, v);
    }
    fputs("  double *s = m->s;\n  void *user = m->user;\n", out);
    for (int k = 0; task > 0 && k < x->w.function->ninput; k++) {
      const eqnVector *v = &x->w.function->input[k];
      if (v->n > 0) fprintf(out, "  %s_%s_fetch(%s, %d);\n", name, f, v->name, v->n);
    }
  }
  fputs("  int failed = 0;\n  (void) seen;\n", out);
  tasks_print_steps(x, task, &talk);
  if (x->plan->steps[task].n > 0) {
    fputs("  (void) p;\n  (void) c;\n  (void) s;\n  (void) user;\n", out);
    for (int k = 0; k < x->w.function->ninput; k++) {
      fprintf(out, "  (void) %s;\n", x->w.function->input[k].name);
    }
  }
  if (!ends_with_send(x->plan, task)) {
    fprintf(out, "  %s_%s_publish(m, %d, base + %d, failed);\n", name, f, task,
            count_published(x->plan, task));
  }
  fputs("  return 1;\n}\n\n\n", out);
}


static void print_tasks(tasksWriter *x, int most)
{
  const char *name = x->w.program->name, *f = x->w.function->name;
  for (int t = 0; t < x->plan->tasks; t++) print_task(x, t, most);
  fprintf(x->w.out,
          "// how far publications of one evaluation and the next are apart\n"
          "enum { %s_%s_numbers = %d };\n\n",
          name, f, most);
  fprintf(x->w.out,
          "static int (*const %s_%s_task[%d])(%s_%s_team *, unsigned long long, "
          "unsigned long long *) = {\n",
          name, f, x->plan->tasks, name, f);
  for (int t = 0; t < x->plan->tasks; t++) {
    fprintf(x->w.out, "    %s_%s_task_%d,\n", name, f, t);
  }
  fputs("};\n\n\n", x->w.out);
}

//---- the function --------------------------------------------------------------------------------

static void print_head(tasksWriter *x)
{
  const char *name = x->w.program->name, *f = x->w.function->name;
  fprintf(x->w.statement, "int %s_%s_by_team(%s_%s_team *m, ", name, f, name, f);
  tasks_print_signature(x);
  fputc(')', x->w.statement);
}


static void print_evaluation(tasksWriter *x, int most)
{
  FILE *out = x->w.out;
  const eqnFunction *f = x->w.function;
  const char *name = x->w.program->name;
  print_head(x);
  writer_end(&x->w, 0);

  // what is as it was is not written: the line stays where workers have it
  fputs("{\n"
        "  if (m->p != p) m->p = p;\n"
        "  if (m->c != c) m->c = c;\n"
        "  if (m->user != user) m->user = user;\n",
        out);
  for (int k = 0; k < f->ninput; k++) {
    const char *v = f->input[k].name;
    fprintf(out, "  if (m->%s != %s) m->%s = %s;\n", v, v, v, v);
  }
  fprintf(out,
          "  if (%s_%s_stalled(m) >= 0) return 2;\n"
          "  atomic_store_explicit(&m->failed, 0, memory_order_relaxed);\n"
          "  const unsigned long long round = 1 + atomic_load_explicit(&m->call, "
          "memory_order_relaxed);\n"
          "  atomic_store_explicit(&m->call, round, memory_order_release);\n"
          "  unsigned long long seen[%d] = {0};\n"
          "  if (!%s_%s_task_0(m, round, seen)) return 2;\n",
          name, f->name, x->plan->tasks, name, f->name);
  for (int t = 1; t < x->plan->tasks; t++) {
    fprintf(out, "  if (!%s_%s_wait(m, %d, round*%d + %d, seen)) return 2;\n", name, f->name, t,
            most, count_published(x->plan, t));
  }
  fprintf(out,
          "  if (atomic_load_explicit(&m->failed, memory_order_relaxed)) return 1;\n"
          "  %s_%s_results(p, c",
          name, f->name);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", %s", f->output[k].name);
  fputs(", m->s);\n  return 0;\n}\n\n\n", out);
}


void tasks_declare_threads(tasksWriter *x)
{
  tasks_print(x, threads_text, "declared", 0);
  fprintf(x->w.out, "enum { %s_%s_messages = %d }; // in an evaluation\n\n", x->w.program->name,
          x->w.function->name, x->plan->nmessage);
  print_head(x);
  fputc(';', x->w.statement);
  writer_end(&x->w, 0);
}


int tasks_define_threads(tasksWriter *x)
{
  const eqnFunction *f = x->w.function;
  const int most = most_published(x->plan);
  tasks_print(x, threads_text, "team", x->nplace > 0 ? x->nplace : 16);
  for (int k = 0; k < f->ninput; k++) fprintf(x->w.out, "  const double *%s;\n", f->input[k].name);
  tasks_print(x, threads_text, "team end", 0);
  if (x->plan->tasks > 1) tasks_print(x, threads_text, "fetching", 0);
  tasks_print(x, threads_text, "waiting", 0);
  tasks_print_parts(x);
  print_tasks(x, most);
  tasks_print(x, threads_text, "work", 0);
  print_evaluation(x, most);
  return !x->w.no_memory;
}
