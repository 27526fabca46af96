// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula schedule: operations of generated equations on many units.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "command_report.h"
#include "sched/schedule.h"
#include "sched/schedule_job.h"
#include "verb_generate.h"

typedef struct cliSchedule {
  cliWork *w;
  const char *form;
  int has_units; // by the call
  schedJob made;
} cliSchedule;


//---- the report ----------------------------------------------------------------------------------

enum { LONGEST = 60, LINE = 100 }; // steps of a table that is printed; columns


static bool kind_occurs(const cliSchedule *job, int kind)
{
  ART_ASSERT(kind >= 0 && kind < SCHED_KINDS);
  return job->made.binary->count[kind] > 0;
}


// a column for each kind of unit that the operations need: the names, or numbers
static void print_unit_kinds(const cliSchedule *job)
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (kind_occurs(job, k)) printf(" %6s", machine_kind_name((schedKind) k));
  }
}


static void print_counts(const cliSchedule *job, const int count[SCHED_KINDS])
{
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (kind_occurs(job, k)) printf(" %6d", count[k]);
  }
}


static void write_kind_counts(ioJson *json, const char *key, const int count[SCHED_KINDS])
{
  json_object(json, key);
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (count[k] > 0) json_integer(json, machine_kind_name((schedKind) k), count[k]);
  }
  json_end(json);
}


//---- the list ------------------------------------------------------------------------------------

static void report_schedule_head(cliReport *report, const cliSchedule *job)
{
  const schedBinary *b = job->made.binary;
  json_fields(report, "file: %s, function: %s", job->w->call->file, job->made.list->function->name);
  write_kind_counts(report, "count", b->count);
  if (!report_is_text(report)) return;
  cli_print_title(job->w->call, job->made.program->title);
  printf(": %s, %d operations", job->made.list->function->name, b->n);
  const char *gap = ": ";
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (!kind_occurs(job, k)) continue;
    printf("%s%d %s", gap, b->count[k], machine_kind_text((schedKind) k));
    gap = ", ";
  }
  putchar('\n');
  if (!kind_occurs(job, SCHED_SIN) && job->made.list->total.trig > 0)
    printf("  sines and cosines of inputs are inputs; --units with sin=1 counts them\n");
  if (b->negated > 0) printf("  results that change sign on the way out: %d\n", b->negated);
}


// names along the longest chain, in lines
static void report_chain(cliReport *report, const cliSchedule *job)
{
  json_integer(report, "critical_path", job->made.binary->graph.length);
  if (!report_is_text(report)) return;
  printf("  %scritical path%s: %d cycles, %d operations", cli_bold(stdout), cli_plain(stdout),
         job->made.binary->graph.length, job->made.nchain);
  int column = LINE;
  for (int k = 0; k < job->made.nchain; k++) {
    const char *name = job->made.binary->operation[job->made.chain[k]].name;
    if (column + (int) strlen(name) + 1 > LINE) {
      printf("\n   ");
      column = 3;
    }
    column += printf(" %s", name);
  }
  putchar('\n');
}


static void report_bounds(cliReport *report, const cliSchedule *job)
{
  const schedBounds *b = &job->made.bounds;
  int most[SCHED_KINDS];
  for (int k = 0; k < SCHED_KINDS; k++) most[k] = b->asap[k] > b->alap[k] ? b->asap[k] : b->alap[k];
  const struct {
    const char *key, *words, *meaning; // no words: for programs alone, no key: for people
    const int *count;
  } lines[] = {
      {"lower", "at least", "operations by cycles", b->lower},
      {"expected", "expected", "largest mean of the expected load from the first cycle on",
       b->mean},
      {"peak", "at the peak", "of the expected load", b->peak},
      {"asap", NULL, NULL, b->asap},
      {"alap", NULL, NULL, b->alap},
      {NULL, "at once", "if all begin as early, or as late, as they can", most},
  };
  json_object(report, "bounds");
  say(report, "  %sunits for that time%s  ", cli_bold(stdout), cli_plain(stdout));
  if (report_is_text(report)) print_unit_kinds(job);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (lines[i].key) write_kind_counts(report, lines[i].key, lines[i].count);
    if (!lines[i].words || !report_is_text(report)) continue;
    printf("\n    %-19s", lines[i].words);
    print_counts(job, lines[i].count);
    printf("   %s", lines[i].meaning);
  }
  say(report, "\n");
  json_end(report);
}

//---- machines ------------------------------------------------------------------------------------

static bool is_same_trial(const schedTrial *a, const schedTrial *b)
{
  return memcmp(a->count, b->count, sizeof a->count) == 0;
}


// whether another does it as fast with no more units of any kind
static bool is_beaten(const schedSearch *search, const schedTrial *trial)
{
  for (int i = 0; i < search->n; i++) {
    const schedTrial *other = &search->trial[i];
    bool is_smaller = other->cycles <= trial->cycles && !is_same_trial(other, trial);
    for (int k = 0; k < SCHED_KINDS; k++) is_smaller &= other->count[k] <= trial->count[k];
    if (is_smaller) return true;
  }
  return false;
}


// machines that no other beats, the fastest first
static void print_search(const cliSchedule *job)
{
  const schedSearch *search = &job->made.search;
  printf("  %smachines%s, %d tried   ", cli_bold(stdout), cli_plain(stdout), search->n);
  print_unit_kinds(job);
  printf(" %8s %8s\n", "cycles", "use");
  for (int last = 0, next;; last = next) {
    next = 0;
    for (int i = 0; i < search->n; i++) {
      const int cycles = search->trial[i].cycles;
      if (cycles > last && (next == 0 || cycles < next)) next = cycles;
    }
    if (next == 0) return;
    for (int i = 0; i < search->n; i++) {
      const schedTrial *trial = &search->trial[i];
      if (trial->cycles != next || is_beaten(search, trial)) continue;
      printf("                       ");
      print_counts(job, trial->count);
      format_stream(stdout, " %8d %8.3f", trial->cycles, trial->usage);
      if (is_same_trial(trial, &search->fewest)) printf("   fewest units in minimal time");
      if (is_same_trial(trial, &search->best)) printf("   best use");
      putchar('\n');
    }
  }
}


static void write_trial(ioJson *json, const char *key, const schedTrial *trial)
{
  json_object(json, key);
  write_kind_counts(json, "units", trial->count);
  json_fields(json, "steps: %d, cycles: %d, use: %g", trial->steps, trial->cycles, trial->usage);
  json_end(json);
}


static void report_search(cliReport *report, const cliSchedule *job)
{
  const schedSearch *search = &job->made.search;
  if (job->has_units) return;
  if (report_is_text(report)) print_search(job);
  json_object(report, "search");
  write_trial(report, "fewest", &search->fewest);
  write_trial(report, "best", &search->best);
  json_array(report, "tried");
  for (int i = 0; i < search->n; i++) write_trial(report, NULL, &search->trial[i]);
  json_end(report);
  json_end(report);
}


static void report_rule(cliReport *report, const cliSchedule *job, const char *key,
                        const char *name, const schedSchedule *s)
{
  if (report_is_text(report)) {
    printf("    %-18s ", name);
    print_counts(job, job->made.machine.count);
  }
  report_item(report, key, "steps: %d, cycles: %d, use: %g", " %8d %8d %8.3f", s->steps, s->cycles,
              schedule_usage(s, &job->made.machine));
  say(report, "%s\n", s == job->made.shorter ? "   shown below" : "");
}


//---- steps ---------------------------------------------------------------------------------------

// as wide as the widest name that a unit has
static int column_width(const cliSchedule *job, int unit)
{
  const schedSchedule *s = job->made.shorter;
  int width = 5;
  for (int i = 0; i < s->n; i++) {
    const int n = (int) strlen(job->made.binary->operation[i].name);
    if (s->unit[i] == unit && width < n) width = n;
  }
  return width;
}


// who does what in which step: a column for each unit
static void print_schedule_steps(const cliSchedule *job)
{
  const schedSchedule *s = job->made.shorter;
  const int nunit = machine_units(&job->made.machine);
  if (s->steps > LONGEST) {
    printf(
        "  %d steps are too many to print; -o FILE.csv writes the table, -o FILE.svg a picture\n",
        s->steps);
    return;
  }
  printf("  step");
  for (int u = 0; u < nunit; u++) {
    const schedKind kind = machine_kind(&job->made.machine, u);
    char text[24];
    snprintf(text, sizeof text, "%s%d", machine_kind_name(kind),
             u - machine_first(&job->made.machine, (int) kind) + 1);
    printf(" %-*s", column_width(job, u), text);
  }
  for (int step = 1; step <= s->steps; step++) {
    printf("\n  %4d", step);
    for (int u = 0; u < nunit; u++) {
      int i = 0;
      while (i < s->n && (s->step[i] != step || s->unit[i] != u)) i++;
      printf(" %-*s", column_width(job, u), i == s->n ? "." : job->made.binary->operation[i].name);
    }
  }
  putchar('\n');
}


static void write_operations(ioJson *json, const cliSchedule *job, const schedSchedule *s)
{
  char text[512];
  json_array(json, "operations");
  for (int i = 0; i < s->n; i++) {
    const schedNode *x = &job->made.binary->graph.node[i];
    json_object(json, NULL);
    json_fields(json, "name: %s, does: %s, kind: %s, unit: %d", job->made.binary->operation[i].name,
                binary_operation_text(job->made.binary, i, text, (int) sizeof text),
                machine_kind_name((schedKind) x->kind),
                s->unit[i] - machine_first(&job->made.machine, x->kind) + 1);
    json_fields(json, "step: %d, asap: %d, alap: %d", s->step[i], x->asap, x->alap);
    json_list(json, "parents");
    for (int k = 0; k < x->nparent; k++) json_integer(json, NULL, x->parent[k]);
    json_end(json);
    json_end(json);
  }
  json_end(json);
}

//---- rings ---------------------------------------------------------------------------------------

static void report_rings(cliReport *report, const cliSchedule *job)
{
  const double one_blind = job->made.ring[0].blind, one = job->made.ring[0].cycles;
  const char *gap = "";
  say(report, "  %sring of modules%s, each with", cli_bold(stdout), cli_plain(stdout));
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (job->made.machine.count[k] == 0) continue;
    say(report, "%s %d %s of %d cycle%s", gap, job->made.machine.count[k] / job->made.nring,
        machine_kind_name((schedKind) k), job->made.machine.latency[k],
        plural_s(job->made.machine.latency[k]));
    gap = ",";
  }
  say(report, "\n  %7s | %6s %8s %6s | %8s %6s %6s %10s %6s %7s\n", "modules", "steps", "cycles",
      "gain", "cycles", "gain", "busy", "transfers", "links", "memory");
  say(report, "  %7s | %22s | %s\n", "", "list of the thesis",
      "transfers in view, tried on the ring");
  json_array(report, "rings");
  for (int m = 0; m < job->made.nring; m++) {
    const schedRingResult *x = &job->made.ring[m];
    json_object(report, NULL);
    json_fields(report, "modules: %d, steps: %d, cycles_of_list: %d, cycles: %d, gain_of_list: %g",
                x->modules, x->steps, x->blind, x->cycles, one_blind / x->blind);
    say(report, "  %7d | %6d %8d %6.2f | %8d", x->modules, x->steps, x->blind, one_blind / x->blind,
        x->cycles);
    report_fields(report, "gain: %g, busy: %g, transfers: %d, links: %d, memory: %d",
                  " %6.2f %6.2f %10d %6d %7d\n", one / x->cycles, x->busy, x->transfers, x->hops,
                  x->memory);
    json_end(report);
  }
  json_end(report);
}


static void schedule_report(const cliSchedule *job)
{
  cliReport report = report_begin(job->w->call);
  graph_index(&job->made.binary->graph, job->made.machine.transfer);
  report_schedule_head(&report, job);
  if (job->made.nring > 0) {
    report_rings(&report, job);
  } else {
    report_chain(&report, job);
    report_bounds(&report, job);
    report_search(&report, job);
    write_kind_counts(&report, "units", job->made.machine.count);
    json_integer(&report, "least_cycles", job->made.least);
    say(&report, "  %sschedule%s             ", cli_bold(stdout), cli_plain(stdout));
    if (report_is_text(&report)) print_unit_kinds(job);
    say(&report, " %8s %8s %8s\n", "steps", "cycles", "use");
    report_rule(&report, job, "list", "list of the thesis", &job->made.rule[SCHED_LIST]);
    report_rule(&report, job, "earliest_finish", "earliest finish", &job->made.rule[SCHED_FINISH]);
    say(&report, "    %-18s ", "no schedule below");
    if (report_is_text(&report)) print_counts(job, job->made.machine.count);
    say(&report, " %8s %8d\n", "", job->made.least);
  }
  if (report_is_text(&report) && job->made.nring == 0) {
    printf("  %sbuffers%s: at most %d results wait to be read;", cli_bold(stdout),
           cli_plain(stdout), job->made.kept);
    for (int k = 0; k < SCHED_KINDS; k++) {
      if (job->made.machine.count[k] == 0) continue;
      const int first = machine_first(&job->made.machine, k);
      printf(" %s", machine_kind_name((schedKind) k));
      for (int u = first; u < first + job->made.machine.count[k]; u++)
        printf("%s%d", u > first ? "," : " ", job->made.buffer[u]);
    }
    putchar('\n');
    print_schedule_steps(job);
  }
  if (!report_is_text(&report)) {
    write_operations(&report, job, job->made.nring > 0 ? &job->made.begun : job->made.shorter);
  }
  if (job->w->call->directory)
    report_fields(&report, "written: %s", "  %s\n", job->w->call->directory);
  report_end(&report);
}

//---- tables --------------------------------------------------------------------------------------

// messages of each source, in its order; the lists of receivers are the same lines by receiver
static void write_ring_csv(const cliSchedule *job, FILE *out)
{
  const schedRing *ring = job->made.program_of_ring;
  char source[64], receiver[64], value[160];
  fprintf(out, "source,receiver,value\n");
  for (int s = 0; s < ring->nsource; s++) {
    for (int k = ring->from.first[s]; k < ring->from.first[s + 1]; k++) {
      const ringTransfer *x = &ring->transfer[ring->from.item[k]];
      const schedOperand a = x->value < job->made.binary->n
                                 ? (schedOperand){.op = x->value}
                                 : (schedOperand){.op = -1, .leaf = x->value - job->made.binary->n};
      fprintf(out, "%s,%s,\"%s\"\n", ring_source_text(ring, s, source, (int) sizeof source),
              ring_receiver_text(ring, x->receiver, receiver, (int) sizeof receiver),
              binary_operand_text(job->made.binary, &a, value, (int) sizeof value));
    }
  }
}


enum { MAX_UNITS = 10000, MAX_CYCLES = 1000, MAX_MOVED = 600 };

//---- options of the call -------------------------------------------------------------------------

static int find_unit_kind(const char *option, const char *word, size_t n)
{
  char text[40], hint[BASE_HINT_LENGTH];
  snprintf(text, sizeof text, "%.*s", (int) (n < 39 ? n : 39), word);
  baseNearest nearest = {.word = text};
  for (int k = 0; k < SCHED_KINDS; k++) {
    const char *name = machine_kind_name((schedKind) k);
    if (strcmp(name, text) == 0) return k;
    base_consider(&nearest, name);
  }
  cli_leave("--%s: '%s' is not a kind of unit%s; there is mul, add, div, sin, other", option, text,
            base_hint(&nearest, hint));
}


static int read_unit_count(const char *option, const char *word, int most, const char **end)
{
  char *rest = NULL;
  const long value = strtol(word, &rest, 10);
  const int is_number = rest != word && word[0] >= '0' && word[0] <= '9';
  *end = rest;
  if (is_number && value >= 1 && value <= most) return (int) value;
  cli_leave("--%s: found '%.40s', expected a whole number from 1 to %d", option, word, most);
}


// KIND=COUNT; of latencies KIND=CYCLES or KIND=CYCLES:INTERVAL
static void read_word(const char *option, const char *word, int most, int count[SCHED_KINDS],
                      int *interval)
{
  const char *equals = strchr(word, '='), *end = NULL;
  if (!equals)
    cli_leave("--%s: found '%.60s', expected a kind and a number: mul=5,add=4", option, word);
  const int kind = find_unit_kind(option, word, (size_t) (equals - word));
  count[kind] = read_unit_count(option, equals + 1, most, &end);
  if (interval && *end == ':') interval[kind] = read_unit_count(option, end + 1, count[kind], &end);
  if (*end) cli_leave("--%s: '%.40s' is left over in '%.60s'", option, end, word);
}


static void read_words(const char *option, const char *text, int most, int count[SCHED_KINDS],
                       int *interval)
{
  char copy[400], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
    read_word(option, word, most, count, interval);
  }
}


// units of rings count for each module; they do not take operations in turn unless told so
static void read_schedule_machine(const cliCall *call, cliSchedule *job)
{
  schedMachine *machine = &job->made.machine;
  int interval[SCHED_KINDS] = {0};
  *machine = machine_create();
  job->has_units = call->units != NULL;
  if (call->units) read_words("units", call->units, MAX_UNITS, machine->count, NULL);
  if (call->latency) read_words("latency", call->latency, MAX_CYCLES, machine->latency, interval);
  cli_check_whole("transfer", call->transfer, 0, MAX_CYCLES);
  cli_check_whole("modules", call->modules, 1, SCHED_MODULES);
  if (!isnan(call->transfer)) machine->transfer = (int) call->transfer;
  if (!isnan(call->modules)) machine->modules = (int) call->modules;
  job->made.nring = isnan(call->modules) ? 0 : machine->modules;
  if (job->made.nring > 0 && !isnan(call->transfer))
    cli_leave(
        "--transfer is for machines without --modules: in a ring each transfer takes one cycle");
  if (job->made.nring > 0 && !call->units)
    machine->count[SCHED_MUL] = machine->count[SCHED_ADD] = 1;
  for (int k = 0; k < SCHED_KINDS; k++) {
    machine->interval[k] = interval[k] ? interval[k] : job->made.nring ? machine->latency[k] : 1;
  }
}

//---- operations ----------------------------------------------------------------------------------

static void make_operation_list(cliSchedule *job)
{
  char missing[100];
  const cliCall *call = job->w->call;
  artError *error = error_current();
  job->form = call->forms ? call->forms : "accelerate";
  const int k = cli_find_word("forms", job->form, cli_form_name, "");
  generate_ask_cuts(job->w);
  generate_assemble(job->w);
  snprintf(missing, sizeof missing, "--forms %.40s has no function of this machine", job->form);
  error_check(sched_job_open(&job->made, job->w->model, job->w->data, cli_forms[k].bit,
                             call->minimal, call->balanced, missing, error));
  const int kind = job->has_units || job->made.nring > 0 ? sched_job_missing_kind(&job->made) : -1;
  if (kind < 0) return;
  cli_leave("%s has %d %s, but no unit is there for them; add %s=1 to --units",
            job->made.list->function->name, job->made.binary->count[kind],
            machine_kind_text((schedKind) kind), machine_kind_name((schedKind) kind));
}

//---- files ---------------------------------------------------------------------------------------

static void write_schedule_file(const cliSchedule *job)
{
  const char *path = job->w->call->directory;
  baseFile file;
  artStatus status = ART_OK;
  if (!path) return;
  error_check(file_begin(&file, path, error_current()));
  if (!file_has_ending(path, ".csv"))
    status = sched_job_draw(&job->made, job->made.nring > 0 ? &job->made.begun : job->made.shorter,
                            file.stream, error_current());
  else if (job->made.nring > 0)
    write_ring_csv(job, file.stream);
  else {
    FILE *out = file.stream;
    const schedSchedule *s = job->made.shorter;
    char text[512];
    fprintf(out, "operation,name,does,kind,unit,step,asap,alap,last_use\n");
    graph_index(&job->made.binary->graph, job->made.machine.transfer);
    for (int i = 0; i < s->n; i++) {
      const schedNode *x = &job->made.binary->graph.node[i];
      fprintf(out, "%d,%s,\"%s\",%s,%d,%d,%d,%d,%d\n", i + 1, job->made.binary->operation[i].name,
              binary_operation_text(job->made.binary, i, text, (int) sizeof text),
              machine_kind_name((schedKind) x->kind),
              s->unit[i] - machine_first(&job->made.machine, x->kind) + 1, s->step[i], x->asap,
              x->alap, buffer_last_use(s, &job->made.binary->graph, i));
    }
  }
  error_check(file_end(&file, status, error_current()));
}


void schedule_check(const cliCall *call)
{
  const char *path = call->directory;
  if (path && !file_has_ending(path, ".svg") && !file_has_ending(path, ".csv"))
    cli_leave("--output '%.200s' ends with neither .svg, a picture, nor .csv, a table", path);
  read_schedule_machine(call, &(cliSchedule){0});
}

//---- the verb ------------------------------------------------------------------------------------

static void free_schedule(void *made)
{
  sched_job_free(made);
}


void verb_schedule(cliWork *w)
{
  cliSchedule *job = arena_alloc(&w->arena, 1, sizeof *job);
  job->w = w;
  cli_defer(w, free_schedule, &job->made);
  // hundreds of schedules are made where units are searched, by the simpler rule for many operations
  schedJob *made = &job->made;
  artError *error = error_current();
  read_schedule_machine(job->w->call, job);
  make_operation_list(job);
  if (made->nring > 0) {
    error_check(sched_job_run_rings(made, error));
  } else {
    const schedRule rule = made->binary->n <= MAX_MOVED ? SCHED_FINISH : SCHED_LIST;
    if (!job->has_units) error_check(sched_job_search(made, rule, error));
    error_check(sched_job_schedule(made, error));
    error_check(sched_job_measure(made, error));
  }
  write_schedule_file(job);
  schedule_report(job);
}
