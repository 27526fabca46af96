// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules for people: bounds, machines that were tried, operations step by step.
#include <string.h>

#include "base/memory.h"
#include "sched/buffer.h"
#include "schedule.h"

enum { LONGEST = 60, LINE = 100 }; // steps of a table that is printed; columns


static int occurs(const cliSchedule *job, int kind)
{
  return job->binary->count[kind] > 0;
}


static void print_kinds(const cliSchedule *job)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (occurs(job, k)) printf(" %6s", machine_kind_name((schedKind) k));
  }
}


static void print_counts(const cliSchedule *job, const int count[SCHED_KINDS])
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (occurs(job, k)) printf(" %6d", count[k]);
  }
}

//---- the list ------------------------------------------------------------------------------------

static void print_head(const cliSchedule *job)
{
  const schedBinary *b = job->binary;
  cli_print_title(job->w->call, job->program->title);
  printf(": %s, %d operations", job->list->function->name, b->n);
  const char *gap = ": ";
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (!occurs(job, k)) continue;
    printf("%s%d %s", gap, b->count[k], machine_kind_text((schedKind) k));
    gap = ", ";
  }
  putchar('\n');
  if (!occurs(job, SCHED_SIN) && job->list->total.trig > 0)
    printf("  sines and cosines of inputs are inputs; --units with sin=1 counts them\n");
  if (b->negated > 0) printf("  results that change sign on the way out: %d\n", b->negated);
}


// names along the longest chain, in lines
static void print_chain(const cliSchedule *job)
{
  int *path = MEM_ARRAY(int, job->binary->n + 1);
  if (!path) return;
  graph_index(&job->binary->graph, job->machine.transfer);
  const int n = graph_critical_path(&job->binary->graph, job->machine.transfer, path);
  printf("  %scritical path%s: %d cycles, %d operations", cli_bold(stdout), cli_plain(stdout),
         job->binary->graph.length, n);
  int column = LINE;
  for (int k = 0; k < n; k++) {
    const char *name = job->binary->operation[path[k]].name;
    if (column + (int) strlen(name) + 1 > LINE) {
      printf("\n   ");
      column = 3;
    }
    column += printf(" %s", name);
  }
  putchar('\n');
  mem_free(path);
}


static void print_bounds(const cliSchedule *job)
{
  const schedBounds *b = &job->bounds;
  printf("  %sunits for that time%s  ", cli_bold(stdout), cli_plain(stdout));
  print_kinds(job);
  printf("\n    at least           ");
  print_counts(job, b->lower);
  printf("   operations by cycles\n    expected           ");
  print_counts(job, b->mean);
  printf("   largest mean of the expected load from the first cycle on\n    at the peak        ");
  print_counts(job, b->peak);
  printf("   of the expected load\n    at once            ");
  int most[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) most[k] = b->asap[k] > b->alap[k] ? b->asap[k] : b->alap[k];
  print_counts(job, most);
  printf("   if all begin as early, or as late, as they can\n");
}

//---- machines ------------------------------------------------------------------------------------

static int is_same(const schedTrial *a, const schedTrial *b)
{
  return memcmp(a->count, b->count, sizeof a->count) == 0;
}


// whether another does it as fast with no more units of any kind
static int is_beaten(const schedSearch *search, const schedTrial *trial)
{
  for (int i = 0; i < search->n; i++) {
    const schedTrial *other = &search->trial[i];
    int is_smaller = other->cycles <= trial->cycles && !is_same(other, trial);
    for (int k = 0; k < SCHED_KINDS; k++) is_smaller &= other->count[k] <= trial->count[k];
    if (is_smaller) return 1;
  }
  return 0;
}


static void print_trial(const cliSchedule *job, const schedTrial *trial)
{
  printf("                       ");
  print_counts(job, trial->count);
  printf(" %8d %8.3f", trial->cycles, trial->usage);
  if (is_same(trial, &job->search.fewest)) printf("   fewest units in minimal time");
  if (is_same(trial, &job->search.best)) printf("   best use");
  putchar('\n');
}


// those that no other beats, the fastest first
static void print_search(const cliSchedule *job)
{
  const schedSearch *search = &job->search;
  printf("  %smachines%s, %d tried   ", cli_bold(stdout), cli_plain(stdout), search->n);
  print_kinds(job);
  printf(" %8s %8s\n", "cycles", "use");
  int last = 0;
  for (;;) {
    int next = 0;
    for (int i = 0; i < search->n; i++) {
      const int cycles = search->trial[i].cycles;
      if (cycles > last && (next == 0 || cycles < next)) next = cycles;
    }
    if (next == 0) break;
    for (int i = 0; i < search->n; i++) {
      const schedTrial *trial = &search->trial[i];
      if (trial->cycles == next && !is_beaten(search, trial)) print_trial(job, trial);
    }
    last = next;
  }
}


static void print_rule(const cliSchedule *job, const char *name, const schedSchedule *s)
{
  printf("    %-18s ", name);
  print_counts(job, job->machine.count);
  printf(" %8d %8d %8.3f%s\n", s->steps, s->cycles, schedule_usage(s, &job->machine),
         s == job->shorter ? "   shown below" : "");
}


static void print_rules(const cliSchedule *job)
{
  printf("  %sschedule%s             ", cli_bold(stdout), cli_plain(stdout));
  print_kinds(job);
  printf(" %8s %8s %8s\n", "steps", "cycles", "use");
  print_rule(job, "list of the thesis", &job->rule[SCHED_LIST]);
  print_rule(job, "earliest finish", &job->rule[SCHED_FINISH]);
  printf("    %-18s ", "no schedule below");
  print_counts(job, job->machine.count);
  printf(" %8s %8d\n", "", bound_cycles(&job->binary->graph, &job->machine));
}


static void print_buffers(const cliSchedule *job)
{
  const int nunit = machine_units(&job->machine);
  int *size = MEM_ARRAY(int, nunit + 1);
  if (!size) return;
  const int all = buffer_sizes(job->shorter, &job->binary->graph, &job->machine, size);
  printf("  %sbuffers%s: at most %d results wait to be read;", cli_bold(stdout), cli_plain(stdout),
         all);
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->machine.count[k] == 0) continue;
    const int first = machine_first(&job->machine, k);
    printf(" %s", machine_kind_name((schedKind) k));
    for (int u = first; u < first + job->machine.count[k]; u++)
      printf("%s%d", u > first ? "," : " ", size[u]);
  }
  putchar('\n');
  mem_free(size);
}

//---- steps ---------------------------------------------------------------------------------------

static int operation_at(const schedSchedule *s, int step, int unit)
{
  for (int i = 0; i < s->n; i++) {
    if (s->step[i] == step && s->unit[i] == unit) return i;
  }
  return -1;
}


// the widest name that a unit has
static int column_width(const cliSchedule *job, int unit)
{
  int widest = 5;
  for (int i = 0; i < job->shorter->n; i++) {
    const int n = (int) strlen(job->binary->operation[i].name);
    if (job->shorter->unit[i] == unit && widest < n) widest = n;
  }
  return widest;
}


static void print_steps(const cliSchedule *job)
{
  const int nunit = machine_units(&job->machine);
  if (job->shorter->steps > LONGEST) {
    printf(
        "  %d steps are too many to print; -o FILE.csv writes the table, -o FILE.svg a picture\n",
        job->shorter->steps);
    return;
  }
  int *width = MEM_ARRAY(int, nunit + 1);
  if (!width) return;
  printf("  step");
  for (int u = 0; u < nunit; u++) {
    const schedKind kind = machine_kind(&job->machine, u);
    char text[24];
    width[u] = column_width(job, u);
    snprintf(text, sizeof text, "%s%d", machine_kind_name(kind),
             u - machine_first(&job->machine, (int) kind) + 1);
    printf(" %-*s", width[u], text);
  }
  for (int step = 1; step <= job->shorter->steps; step++) {
    printf("\n  %4d", step);
    for (int u = 0; u < nunit; u++) {
      const int i = operation_at(job->shorter, step, u);
      printf(" %-*s", width[u], i < 0 ? "." : job->binary->operation[i].name);
    }
  }
  putchar('\n');
  mem_free(width);
}

//---- rings ---------------------------------------------------------------------------------------

static void print_units_of_module(const cliSchedule *job)
{
  const char *gap = "";
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->machine.count[k] == 0) continue;
    printf("%s %d %s of %d cycle%s", gap, job->machine.count[k] / job->nring,
           machine_kind_name((schedKind) k), job->machine.latency[k],
           job->machine.latency[k] == 1 ? "" : "s");
    gap = ",";
  }
}


static void print_rings(const cliSchedule *job)
{
  const double one_blind = job->ring[0].blind, one = job->ring[0].cycles;
  printf("  %sring of modules%s, each with", cli_bold(stdout), cli_plain(stdout));
  print_units_of_module(job);
  printf("\n  %7s | %6s %8s %6s | %8s %6s %6s %10s %6s %7s\n", "modules", "steps", "cycles", "gain",
         "cycles", "gain", "busy", "transfers", "links", "memory");
  printf("  %7s | %22s | %s\n", "", "list of the thesis", "transfers in view, tried on the ring");
  for (int m = 0; m < job->nring; m++) {
    const cliRing *x = &job->ring[m];
    printf("  %7d | %6d %8d %6.2f | %8d %6.2f %6.2f %10d %6d %7d\n", x->modules, x->steps, x->blind,
           one_blind / x->blind, x->cycles, one / x->cycles, x->busy, x->transfers, x->hops,
           x->memory);
  }
}


void schedule_print(const cliSchedule *job)
{
  print_head(job);
  if (job->nring > 0) {
    print_rings(job);
  } else {
    print_chain(job);
    print_bounds(job);
    if (!job->has_units) print_search(job);
    print_rules(job);
    print_buffers(job);
    print_steps(job);
  }
  if (job->w->call->directory) printf("  %s\n", job->w->call->directory);
}
