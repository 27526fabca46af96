// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks as threads: workers that live as long as their team, one for each task but the first, which the caller does.
//
// A task says how far it has come by a number that only grows, of the evaluation and of what it has published in it;
// others spin until the number is large enough. There are no locks. A wait beyond a limit is a stall, which all
// notice: the evaluation ends with 2 and the team is of no more use.
#include <string.h>

#include "emit/tasks.h"

static const char *const team =
    "\n// A team of ~ threads, the caller among them, for one evaluation after the other.\n"
    "enum { @_$_tasks = ~ };\n"
    "#ifndef @_STALL_SECONDS\n"
    "#define @_STALL_SECONDS 10\n"
    "#endif\n\n"
    "typedef struct @_$_lane {\n"
    "  _Alignas(128) atomic_ullong made; // how far a task has come\n"
    "} @_$_lane;\n\n"
    "typedef struct @_$_seat {\n"
    "  @_$_team *team;\n"
    "  int task;\n"
    "} @_$_seat;\n\n"
    "struct @_$_team {\n"
    "  @_$_lane lane[~];\n"
    "  _Alignas(128) atomic_ullong call; // the evaluation that was asked for\n"
    "  atomic_int failed, stalled, quit; // stalled: number of the task + 1\n"
    "  _Alignas(128) double s[%PLACES%];\n"
    "  _Alignas(128) const @_parameters *p;\n"
    "  const @_$_constants *c;\n"
    "%FIELDS%"
    "  void *user;\n"
    "  int is_idle; // evaluations of nothing are asked for\n"
    "  int workers; // threads that were started\n"
    "  pthread_t thread[~];\n"
    "  @_$_seat seat[~];\n"
    "};\n\n\n";

static const char *const fetching = "// lines of the cache that will be read soon, all at once\n"
                                    "static void @_$_fetch(const double *x, int n)\n"
                                    "{\n"
                                    "#ifdef __GNUC__\n"
                                    "  for (int i = 0; i < n; i += 8) __builtin_prefetch(x + i);\n"
                                    "#else\n"
                                    "  (void) x;\n"
                                    "  (void) n;\n"
                                    "#endif\n"
                                    "}\n\n\n";

static const char *const waiting =
    "static void @_$_relax(void)\n"
    "{\n"
    "#if defined __x86_64__ || defined __i386__\n"
    "  __builtin_ia32_pause();\n"
    "#endif\n"
    "}\n\n\n"
    "static double @_$_clock(void)\n"
    "{\n"
    "  struct timespec now;\n"
    "  clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "  return (double) now.tv_sec + 1e-9*(double) now.tv_nsec;\n"
    "}\n\n\n"
    "// Wait until a task has come so far; 0 when somebody has stalled. What was seen last time is "
    "not "
    "fetched again\n"
    "// if it was far enough.\n"
    "static int @_$_wait(@_$_team *m, int task, unsigned long long target, unsigned long long "
    "*seen)\n"
    "{\n"
    "  enum { SPINS = 4000, LOOKS = 256 };\n"
    "  double begin = 0;\n"
    "  if (seen[task] >= target) return 1;\n"
    "  for (long turn = 1;; turn++) {\n"
    "    seen[task] = atomic_load_explicit(&m->lane[task].made, memory_order_acquire);\n"
    "    if (seen[task] >= target) return 1;\n"
    "    @_$_relax();\n"
    "    if (turn < SPINS) continue;\n"
    "    if (atomic_load_explicit(&m->stalled, memory_order_relaxed)) return 0;\n"
    "    sched_yield();\n"
    "    if (turn % LOOKS != 0) continue;\n"
    "    const double now = @_$_clock();\n"
    "    if (begin == 0) begin = now;\n"
    "    if (now - begin < @_STALL_SECONDS) continue;\n"
    "    atomic_store_explicit(&m->stalled, task + 1, memory_order_relaxed);\n"
    "    return 0;\n"
    "  }\n"
    "}\n\n\n"
    "static void @_$_publish(@_$_team *m, int task, unsigned long long made, int failed)\n"
    "{\n"
    "  if (failed) atomic_store_explicit(&m->failed, 1, memory_order_relaxed);\n"
    "  atomic_store_explicit(&m->lane[task].made, made, memory_order_release);\n"
    "}\n\n\n";

static const char *const work =
    "// wait for the next evaluation: spin, then leave the core to others, then sleep; 0 at the "
    "end\n"
    "static int @_$_next(@_$_team *m, unsigned long long round)\n"
    "{\n"
    "  for (long turn = 1;; turn++) {\n"
    "    if (atomic_load_explicit(&m->quit, memory_order_relaxed)) return 0;\n"
    "    if (atomic_load_explicit(&m->call, memory_order_acquire) >= round) return 1;\n"
    "    @_$_relax();\n"
    "    if (turn < 20000) continue;\n"
    "    if (turn < 40000) {\n"
    "      sched_yield();\n"
    "    } else {\n"
    "      nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);\n"
    "    }\n"
    "  }\n"
    "}\n\n\n"
    "static void *@_$_work(void *context)\n"
    "{\n"
    "  const @_$_seat *seat = context;\n"
    "  unsigned long long seen[~] = {0};\n"
    "  for (unsigned long long round = 1; @_$_next(seat->team, round); round++) {\n"
    "    if (seat->team->is_idle) {\n"
    "      @_$_publish(seat->team, seat->task, round*@_$_numbers + 1, 0);\n"
    "    } else if (!@_$_task[seat->task](seat->team, round, seen)) {\n"
    "      break;\n"
    "    }\n"
    "  }\n"
    "  return NULL;\n"
    "}\n\n\n"
    "@_$_team *@_$_start(void)\n"
    "{\n"
    "  @_$_team *m = aligned_alloc(128, sizeof *m);\n"
    "  if (!m) return NULL;\n"
    "  memset(m, 0, sizeof *m);\n"
    "  for (int t = 1; t < ~; t++) {\n"
    "    m->seat[t].team = m;\n"
    "    m->seat[t].task = t;\n"
    "    if (pthread_create(&m->thread[t], NULL, @_$_work, &m->seat[t]) != 0) {\n"
    "      @_$_stop(m);\n"
    "      return NULL;\n"
    "    }\n"
    "    m->workers = t;\n"
    "  }\n"
    "  return m;\n"
    "}\n\n\n"
    "void @_$_stop(@_$_team *m)\n"
    "{\n"
    "  if (!m) return;\n"
    "  const int is_stalled = @_$_stalled(m) >= 0;\n"
    "  atomic_store_explicit(&m->quit, 1, memory_order_relaxed);\n"
    "  for (int t = 1; t <= m->workers; t++) {\n"
    "    if (is_stalled) {\n"
    "      pthread_detach(m->thread[t]);\n"
    "    } else {\n"
    "      pthread_join(m->thread[t], NULL);\n"
    "    }\n"
    "  }\n"
    "  if (!is_stalled) free(m);\n"
    "}\n\n\n"
    "double @_$_message(@_$_team *m)\n"
    "{\n"
    "  double least = HUGE_VAL;\n"
    "  unsigned long long seen[~] = {0};\n"
    "  if (@_$_stalled(m) >= 0) return least;\n"
    "  m->is_idle = 1;\n"
    "  for (int i = 0; i < 101; i++) {\n"
    "    const unsigned long long round = 1 + atomic_load_explicit(&m->call, "
    "memory_order_relaxed);\n"
    "    const double begin = @_$_clock();\n"
    "    atomic_store_explicit(&m->call, round, memory_order_release);\n"
    "    for (int t = 1; t < ~; t++) {\n"
    "      if (!@_$_wait(m, t, round*@_$_numbers + 1, seen)) return HUGE_VAL;\n"
    "    }\n"
    "    least = fmin(least, @_$_clock() - begin);\n"
    "  }\n"
    "  m->is_idle = 0;\n"
    "  return least/2;\n"
    "}\n\n\n"
    "int @_$_stalled(const @_$_team *m)\n"
    "{\n"
    "  return atomic_load_explicit(&m->stalled, memory_order_relaxed) - 1;\n"
    "}\n\n\n";

static const char *const declared =
    "// The same by a team of ~ threads, to the same bits if both are compiled without contraction "
    "of sums\n"
    "// and products (-std=c11 or -ffp-contract=off). Returns 0, or 1 where the function alone "
    "fails, and then\n"
    "// leaves all vectors as they were, or 2 when a worker has stalled: end the program then, or "
    "go on\n"
    "// without the team. One evaluation at a time. Functions of the user are called by the "
    "caller's thread.\n"
    "typedef struct @_$_team @_$_team;\n"
    "@_$_team *@_$_start(void); // NULL: no memory, or no more threads\n"
    "void @_$_stop(@_$_team *team);\n"
    "int @_$_stalled(const @_$_team *team); // the task that did not come in time, or -1\n\n"
    "// Seconds from a task to another, as it is now: half of the shortest call that asks for "
    "nothing.\n"
    "double @_$_message(@_$_team *team);\n";

//---- fields and calls ----------------------------------------------------------------------------

static void print_fields(tasksWriter *x)
{
  const eqnFunction *f = x->w.function;
  for (int k = 0; k < f->ninput; k++) fprintf(x->w.out, "  const double *%s;\n", f->input[k].name);
}


static int print_number(FILE *out, const char **piece, const char *mark, int number)
{
  if (strncmp(*piece, mark, strlen(mark)) != 0) return 0;
  fprintf(out, "%d", number);
  *piece += strlen(mark);
  return 1;
}


// the struct of a team, with its places and fields
static void print_team(tasksWriter *x)
{
  FILE *out = x->w.out;
  const char *places = strstr(team, "%PLACES%"), *fields = strstr(team, "%FIELDS%");
  char head[4000];
  snprintf(head, sizeof head, "%.*s", (int) (places - team), team);
  tasks_piece(out, head, x->w.program->name, x->w.function->name, x->plan->tasks);
  print_number(out, &places, "%PLACES%", x->nplace > 0 ? x->nplace : 16);
  snprintf(head, sizeof head, "%.*s", (int) (fields - places), places);
  tasks_piece(out, head, x->w.program->name, x->w.function->name, x->plan->tasks);
  print_fields(x);
  tasks_piece(out, fields + strlen("%FIELDS%"), x->w.program->name, x->w.function->name,
              x->plan->tasks);
}


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
  tasks_piece(x->w.out, declared, x->w.program->name, x->w.function->name, x->plan->tasks);
  fprintf(x->w.out, "enum { %s_%s_messages = %d }; // in an evaluation\n\n", x->w.program->name,
          x->w.function->name, x->plan->nmessage);
  print_head(x);
  fputc(';', x->w.statement);
  writer_end(&x->w, 0);
}


int tasks_define_threads(tasksWriter *x)
{
  const char *name = x->w.program->name, *f = x->w.function->name;
  const int most = most_published(x->plan), n = x->plan->tasks;
  print_team(x);
  if (n > 1) tasks_piece(x->w.out, fetching, name, f, n);
  tasks_piece(x->w.out, waiting, name, f, n);
  tasks_print_parts(x);
  print_tasks(x, most);
  tasks_piece(x->w.out, work, name, f, n);
  print_evaluation(x, most);
  return !x->w.no_memory;
}
