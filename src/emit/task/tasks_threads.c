// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks as threads: workers that live as long as their team, one for each task but the first, which the caller does.
//
// A task says how far it has come by a number that only grows, of the evaluation and of the values published in it;
// others spin until the number is large enough. There are no locks. A wait beyond a limit is a stall, which all
// notice: the evaluation ends with 2 and the team is of no more use.
#include "emit/task/tasks.h"
#include "emit/write/template.h"


//---- fields and calls ----------------------------------------------------------------------------

// Messages that leave a task at the same step are published together: how often it has published when it has sent a message,
// or in all (-1), when it sends and at the end if there is something after.
static int count_published(const splitPlan *p, int task, int message)
{
  ART_ASSERT(message >= -1 && message < p->nmessage);
  const splitSteps *s = &p->steps[task];
  int n = 0, is_sent = 0;
  for (int i = 0; i < s->n; i++) {
    const int is_send = s->step[i].kind == STEP_SEND;
    n += is_send && !is_sent;
    is_sent = is_send;
    if (is_send && s->step[i].which == message) return n;
  }
  return n + !is_sent;
}


static void print_thread_send(tasksWriter *x, int task, int message)
{
  const splitSteps *s = &x->plan->steps[task];
  int i = 0;
  while (s->step[i].kind != STEP_SEND || s->step[i].which != message) i++;
  if (i + 1 < s->n && s->step[i + 1].kind == STEP_SEND) return;
  fprintf(x->w.out, "  %s_publish(m, %d, base + %d, failed);\n", x->w.name, task,
          count_published(x->plan, task, message));
}


static void print_thread_receive(tasksWriter *x, int task, int message)
{
  const int from = x->plan->message[message].from;
  const int begin = x->message_place[message], n = x->message_place[message + 1] - begin;
  (void) task;
  fprintf(x->w.out, "  if (!%s_wait(m, %d, base + %d, seen)) return 0;\n", x->w.name, from,
          count_published(x->plan, from, message));
  if (n > 0) fprintf(x->w.out, "  %s_fetch(s + %d, %d);\n", x->w.name, begin, n);
}


static void print_thread_task(tasksWriter *x, int task, int most)
{
  static const tasksTalk talk = {print_thread_send, print_thread_receive};
  FILE *out = x->w.out;
  const eqnFunction *f = x->w.function;
  const splitSteps *s = &x->plan->steps[task];
  const char *name = x->w.name;
  fprintf(out,
          "static int %s_task_%d(%s_team *m, unsigned long long round, unsigned long long "
          "*seen)\n{\n"
          "  const unsigned long long base = round*%d;\n",
          name, task, name, most);
  if (s->n > 0) {
    fprintf(out, "  const %s_parameters *p = m->p;\n  const %s_constants *c = m->c;\n",
            x->w.program->name, name);
    for (int k = 0; k < f->ninput; k++) {
      fprintf(out, "  const double *%s = m->%s;\n", f->input[k].name, f->input[k].name);
    }
    fputs("  double *s = m->s;\n  void *user = m->user;\n", out);
    for (int k = 0; task > 0 && k < f->ninput; k++) {
      const eqnVector *v = &f->input[k];
      if (v->n > 0) fprintf(out, "  %s_fetch(%s, %d);\n", name, v->name, v->n);
    }
  }
  fputs("  int failed = 0;\n  (void) seen;\n", out);
  tasks_print_steps(x, task, &talk);
  if (s->n > 0) {
    fputs("  (void) p;\n  (void) c;\n  (void) s;\n  (void) user;\n", out);
    for (int k = 0; k < f->ninput; k++) fprintf(out, "  (void) %s;\n", f->input[k].name);
  }
  if (s->n == 0 || s->step[s->n - 1].kind != STEP_SEND) {
    fprintf(out, "  %s_publish(m, %d, base + %d, failed);\n", name, task,
            count_published(x->plan, task, -1));
  }
  fputs("  return 1;\n}\n\n\n", out);
}


//---- the function --------------------------------------------------------------------------------

static void print_team_head(tasksWriter *x)
{
  fprintf(x->w.statement, "int %s_by_team(%s_team *m, ", x->w.name, x->w.name);
  tasks_print_signature(x);
  fputc(')', x->w.statement);
}


static void print_team_evaluation(tasksWriter *x, int most)
{
  FILE *out = x->w.out;
  const eqnFunction *f = x->w.function;
  const char *name = x->w.name;
  print_team_head(x);
  writer_end(&x->w, 0);

  // fields that are as they were are not written: the line stays where workers have it
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
          "  if (%s_stalled(m) >= 0) return 2;\n"
          "  atomic_store_explicit(&m->failed, 0, memory_order_relaxed);\n"
          "  const unsigned long long round = 1 + atomic_load_explicit(&m->call, "
          "memory_order_relaxed);\n"
          "  atomic_store_explicit(&m->call, round, memory_order_release);\n"
          "  unsigned long long seen[%d] = {0};\n"
          "  if (!%s_task_0(m, round, seen)) return 2;\n",
          name, x->plan->tasks, name);
  for (int t = 1; t < x->plan->tasks; t++) {
    fprintf(out, "  if (!%s_wait(m, %d, round*%d + %d, seen)) return 2;\n", name, t, most,
            count_published(x->plan, t, -1));
  }
  fprintf(out,
          "  if (atomic_load_explicit(&m->failed, memory_order_relaxed)) return 1;\n"
          "  %s_results(p, c",
          name);
  emit_inputs(out, f, ", ");
  emit_outputs(out, f, ", ");
  fputs(", m->s);\n  return 0;\n}\n\n\n", out);
}


void tasks_declare_threads(tasksWriter *x)
{
  tasks_print(x, threads_text, "declared", 0);
  fprintf(x->w.out, "enum { %s_messages = %d }; // in an evaluation\n\n", x->w.name,
          x->plan->nmessage);
  print_team_head(x);
  writer_say(&x->w, 0, ";");
}


void tasks_define_threads(tasksWriter *x)
{
  const eqnFunction *f = x->w.function;
  int most = 1; // publications of one evaluation, and one more
  for (int k = 0; k < x->plan->tasks; k++) {
    const int n = 1 + count_published(x->plan, k, -1);
    if (n > most) most = n;
  }
  tasks_print(x, threads_text, "team", x->nplace > 0 ? x->nplace : 16);
  for (int k = 0; k < f->ninput; k++) fprintf(x->w.out, "  const double *%s;\n", f->input[k].name);
  tasks_print(x, threads_text, "team end", 0);
  if (x->plan->tasks > 1) tasks_print(x, threads_text, "fetching", 0);
  tasks_print(x, threads_text, "waiting", 0);
  tasks_print_parts(x);
  const char *name = x->w.name;
  for (int t = 0; t < x->plan->tasks; t++) print_thread_task(x, t, most);
  fprintf(x->w.out,
          "// how far publications of one evaluation and the next are apart\n"
          "enum { %s_numbers = %d };\n\n"
          "static int (*const %s_task[%d])(%s_team *, unsigned long long, "
          "unsigned long long *) = {\n",
          name, most, name, x->plan->tasks, name);
  for (int t = 0; t < x->plan->tasks; t++) fprintf(x->w.out, "    %s_task_%d,\n", name, t);
  fputs("};\n\n\n", x->w.out);
  tasks_print(x, threads_text, "work", 0);
  print_team_evaluation(x, most);
}
