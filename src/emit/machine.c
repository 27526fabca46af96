// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in C behind one interface that is the same for all machines (doc/reference/generated-code.md). Its functions are
// those of its programs, one for each choice of independent coordinates, between which it goes over as simulators do.
#include "emit/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit/writer.h"

//---- names ---------------------------------------------------------------------------------------

static const eqnProgram *first_of(const machineText *t)
{
  return &t->parts->part[0].program;
}


void machine_print(const machineText *t, const char *section, const char *word)
{
  template_print(
      t->out, machine_text, section,
      &(templateValues){
          .name = t->name, .function = first_of(t)->name, .word = word, .conditions = t->where});
}


// a section of one choice, counted from 1
static void print_choice(const machineText *t, const char *section, int number, const char *other)
{
  char word[12];
  snprintf(word, sizeof word, "%d", number);
  template_print(t->out, machine_text, section,
                 &(templateValues){.name = t->name,
                                   .function = t->parts->part[number - 1].program.name,
                                   .word = word,
                                   .other = other,
                                   .conditions = t->where});
}


const char *machine_states(const machineText *t)
{
  const int has_states = simulation_state_count(first_of(t)) > 0;
  if (t->simulation->inputs.n > 0) return has_states ? "y + NQ + NV, m->u, " : "m->u, ";
  return has_states ? "y + NQ + NV, " : "";
}


// the same at the beginning, where the state is the machine's
static const char *own_states(const machineText *t)
{
  const int has_states = simulation_state_count(first_of(t)) > 0;
  if (t->simulation->inputs.n > 0) return has_states ? "m->s, m->u, " : "m->u, ";
  return has_states ? "m->s, " : "";
}


// How a function is handed its vectors behind the velocities: the places of each name in the texts above.
static void print_arguments(FILE *out, const eqnFunction *f)
{
  static const char *const place[][2] = {
      {"state", "y + NQ + NV"},
      {"blow", "m->blow"},
      {"tau", "m->tau"},
      {"load", "m->tau"},
      {"u", "m->u"},
      {"due", "due"},
      {"u_next", "next"},
      {"run", "run"},
      {"a", "a"},
      {"state_rate", "rate + NQ + NV"},
      {"power", "rate + N - 1"},
      {"y", "x"},
      {"g", "g"},
  };
  const int is_inverse = strcmp(f->name, "machine_inverse") == 0;
  const int is_rates = strcmp(f->name, "accelerate") == 0;
  for (int k = 3; k < f->ninput + f->noutput; k++) {
    const int is_output = k >= f->ninput;
    const char *name = is_output ? f->output[k - f->ninput].name : f->input[k].name;
    const char *own = name;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
      if (strcmp(place[i][0], name) == 0) own = place[i][1];
    }
    if (is_output && is_inverse) own = "force";
    if (is_output && is_rates && strcmp(name, "a") == 0) own = "rate + NQ";
    fprintf(out, "%s%s", k > 3 ? ", " : "", own);
  }
}


static void print_call(const machineText *t, const char *section, int number, const char *function)
{
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (!memory) return;
  print_arguments(memory, simulation_function(&t->parts->part[number - 1].program, function));
  fclose(memory);
  if (text) print_choice(t, section, number, text);
  free(text);
}

//---- data ----------------------------------------------------------------------------------------

static void print_limit(FILE *out, double x)
{
  if (isinf(x)) {
    fputs(x > 0 ? "INFINITY" : "-INFINITY", out);
  } else {
    emit_number(out, &c_syntax.dialect, x);
  }
}


static void print_entry(FILE *out, const emitEntry *e)
{
  const char *const word[] = {e->name, e->unit, e->remark};
  fputs("    {", out);
  for (int i = 0; i < 3; i++) {
    simulation_print_string(out, word[i] ? word[i] : "");
    fputs(", ", out);
  }
  emit_number(out, &c_syntax.dialect, e->value);
  fputs(", ", out);
  print_limit(out, e->lower);
  fputs(", ", out);
  print_limit(out, e->upper);
  fputs("},\n", out);
}


static void begin_entries(const machineText *t, const char *list, int n)
{
  fprintf(t->out, "static const %s_entry %s[%d] = {\n", t->name, list, n > 0 ? n : 1);
  if (n == 0) fputs("    {\"\", \"\", \"\", 0, 0, 0},\n", t->out);
}


static void print_entries(const machineText *t, const char *list, const emitEntries *all)
{
  begin_entries(t, list, all->n);
  for (int i = 0; i < all->n; i++) print_entry(t->out, &all->entry[i]);
  fputs("};\n\n", t->out);
}


// of the force that moves a velocity coordinate
static const char *force_unit(const emitSimulation *s, const char *velocity)
{
  for (int i = 0; i < s->velocities.n; i++) {
    const emitEntry *e = &s->velocities.entry[i];
    if (strcmp(e->name, velocity) == 0) return strcmp(e->unit, "m/s") == 0 ? "N" : "N m";
  }
  return "";
}


// those of a vector that programs name: switching functions by their owners, actuators
static void print_labels(const machineText *t, const char *list, const eqnVector *v)
{
  begin_entries(t, list, v ? v->n : 0);
  for (int i = 0; v && i < v->n; i++) {
    const char *label = v->label && v->label[i] ? v->label[i] : "";
    const char *unit = force_unit(t->simulation, label);
    print_entry(t->out, &(emitEntry){label, unit, "", 0, -INFINITY, INFINITY});
  }
  fputs("};\n\n", t->out);
}


static void print_parameters(const machineText *t)
{
  const eqnProgram *p = first_of(t);
  begin_entries(t, "parameters", p->parameter.n);
  for (int i = 0; i < p->parameter.n; i++) {
    print_entry(t->out, &(emitEntry){p->parameter.label[i], "", p->remark ? p->remark[i] : "",
                                     p->value[i], -INFINITY, INFINITY});
  }
  fputs("};\n\n", t->out);
}


static const eqnVector *result_of(const eqnProgram *p, const char *function)
{
  const eqnFunction *f = simulation_function(p, function);
  return f ? &f->output[f->noutput - 1] : NULL;
}


static void print_description(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  const eqnProgram *p = first_of(t);
  print_entries(t, "positions", &s->positions);
  print_entries(t, "velocities", &s->velocities);
  print_entries(t, "states", &s->states);
  print_entries(t, "inputs_list", &s->inputs);
  print_entries(t, "outputs_list", &s->outputs);
  print_labels(t, "events", result_of(p, "switches"));
  print_labels(t, "actuators", result_of(p, "machine_inverse"));
  print_parameters(t);
  fprintf(t->out, "const %s_description %s_about = {\n    ", t->name, t->name);
  const char *const word[] = {t->name, p->title ? p->title : "", p->source};
  for (int i = 0; i < 3; i++) {
    simulation_print_string(t->out, word[i]);
    fputs(i < 2 ? ", " : ",\n    ", t->out);
  }
  static const char *const size[] = {"NQ",     "NV",        "NS",         "NU",   "NY",
                                     "NEVENT", "NACTUATOR", "NPARAMETER", "NFREE"};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    fprintf(t->out, "%s_%s, ", t->name, size[i]);
  }
  fputs("\n    positions, velocities, states, inputs_list, outputs_list, events, actuators, "
        "parameters};\n\n",
        t->out);
}


// state at the beginning, instants of drives, places of quaternions
static void print_numbers(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  FILE *out = t->out;
  const eqnFunction *f = simulation_function(first_of(t), "accelerate");
  const int nq = f->input[1].n, nv = f->input[2].n, ns = simulation_state_count(first_of(t));
  char count[12];
  snprintf(count, sizeof count, "%d", t->parts->n);
  machine_print(t, "sizes", count);
  fputs("// the state at the beginning, and when that is\n", out);
  simulation_print_numbers(out, "initial", 3, (const int[]){nq, nv, ns},
                           (const double *const[]){s->q, s->v, s->state});
  if (s->inputs.n > 0) simulation_print_inputs(out, "", s);
  if (s->nclock > 0) {
    fprintf(out, "// intervals of samplers and their first instants, s\nenum { CLOCKS = %d };\n",
            s->nclock);
    simulation_print_numbers(out, "clocks", 1, (const int[]){2 * s->nclock},
                             (const double *const[]){s->clock});
  }
  fputs("static const double begin = ", out);
  emit_number(out, &c_syntax.dialect, s->from);
  fprintf(out, ";\nenum { IS_BOUNDED = %d };\n", s->is_bounded);
  if (t->where[MACHINE_BOUNDED].holds && t->where[MACHINE_PRODUCT].holds) {
    fputs("static const double last = ", out);
    emit_number(out, &c_syntax.dialect, s->until);
    fputs(";\n", out);
  }
  fputc('\n', out);
  simulation_print_quaternions(out, "", &f->input[1]);
  if (s->ncorner > 0) simulation_print_corners(out, "", s);
}

//---- choices -------------------------------------------------------------------------------------

static void print_texts(FILE *out, const char *name, const char *list, int n,
                        const char *const *text)
{
  fprintf(out, "static const char *const %s_%s[%d] = {", name, list, n > 0 ? n : 1);
  if (n == 0) fputs("\"\"", out);
  for (int k = 0; k < n; k++) {
    fputs(k ? ",\n    " : "\n    ", out);
    simulation_print_string(out, text[k]);
  }
  fputs("};\n\n", out);
}


// how far a choice is from where it was made, which loop strains it most, and which loops it closes one by one
static void print_strain(const machineText *t, int i)
{
  const emitSimulation *s = t->simulation;
  const eqnProgram *p = &t->parts->part[i].program;
  const eqnFunction *accelerate = simulation_function(p, "accelerate");
  const int n = simulation_function(p, "strain")->output[0].n;
  int blocks = 0;
  for (int k = 0; k < accelerate->nstage; k++) blocks += accelerate->stage[k].block > 0;
  char text[300], number[12];
  snprintf(text, sizeof text, "%.250s_made", p->name);
  simulation_print_numbers(t->out, text, 1, &n, &s->strain[i]);
  fputc('\n', t->out);
  print_texts(t->out, p->name, "joints", n, s->joints[i]);
  print_texts(t->out, p->name, "loops", blocks, s->loops[i]);
  snprintf(text, sizeof text, "%d", n);
  snprintf(number, sizeof number, "%d", i + 1);
  template_print(t->out, machine_text, "strain",
                 &(templateValues){.name = t->name,
                                   .function = p->name,
                                   .word = text,
                                   .other = number,
                                   .conditions = t->where});
}


// Columns of a matrix of derivatives: along free coordinates, which trees have among all; by states; by joint forces.
typedef struct tangentBlock {
  const char *way, *into; // "q", "A"
  const char *column;     // the first in the matrix
  const char *count;      // of columns
  int is_free;            // columns of free coordinates
} tangentBlock;


// from a matrix of derivatives, if there is one, into its place
static void put_block(const machineText *t, const eqnFunction *f, const char *result,
                      const char *row, const char *rows, const tangentBlock *b, int has_loops)
{
  char name[60];
  snprintf(name, sizeof name, "%s_%s", result, b->way);
  int k = 0;
  while (k < f->noutput && strcmp(f->output[k].name, name) != 0) k++;
  if (k == f->noutput) return;
  const int from_all = strcmp(result, "a") == 0, is_open = b->is_free && !has_loops;
  fprintf(t->out, "  if (%s) put(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s);\n", b->into, b->into,
          strchr("BD", b->into[0]) ? "W" : "X", row, b->column, rows, from_all ? "free" : "NULL",
          b->count, is_open ? "free" : "NULL", name,
          is_open      ? "NV"
          : b->is_free ? "FREE"
                       : b->count);
}


static void declare_matrices(const machineText *t, const eqnFunction *f)
{
  for (int k = 0; k < f->noutput; k++) {
    fprintf(t->out, "  double %s[%d];\n", f->output[k].name, f->output[k].n);
  }
}


static void call_tangent(const machineText *t, const char *name, const eqnFunction *f)
{
  if (simulation_input(f, "run")) fputs("  const double run[7] = {0};\n", t->out);
  fprintf(t->out, "  %s %s_%s(&m->p, &c->%s, &t, y, y + NQ, ",
          strcmp(f->name, "accelerate_tangent") == 0 ? "int status =" : "status =", name, f->name,
          f->name);
  print_arguments(t->out, f);
  fputs(", m->user);\n  if (status) return status;\n", t->out);
}


static void print_linear(const machineText *t, int i)
{
  enum { BLOCKS = 5 };
  static const tangentBlock block[2 * BLOCKS] = {
      {"q", "A", "0", "FREE", 1},        {"v", "A", "FREE", "FREE", 1},
      {"state", "A", "2*FREE", "NS", 0}, {"u", "B", "0", "NU", 0},
      {"tau", "B", "NU", "NV", 0},       {"q", "C", "0", "FREE", 1},
      {"v", "C", "FREE", "FREE", 1},     {"state", "C", "2*FREE", "NS", 0},
      {"u", "D", "0", "NU", 0},          {"tau", "D", "NU", "NV", 0}};
  const eqnProgram *p = &t->parts->part[i].program;
  const eqnFunction *f = simulation_function(p, "accelerate_tangent");
  const eqnFunction *y = simulation_function(p, "outputs_tangent");
  const int has_loops = t->where[MACHINE_LOOPS].holds;
  fprintf(t->out, "static const int %s_free[%d] = {", p->name, p->nfree > 0 ? p->nfree : 1);
  for (int k = 0; k < p->nfree; k++) fprintf(t->out, "%s%d", k ? ", " : "", p->free[k]);
  fprintf(t->out,
          "%s};\n\n\nstatic int %s_linearise(const %s_machine *m, double t, double *y, double *A, "
          "double *B,\n    double *C, double *D)\n{\n  enum { FREE = %s_NFREE, X = 2*FREE + NS, "
          "NU = %s_NU, W = NU + NV };\n"
          "  const %s_choice *c = &memory_of(m)->choice_%d;\n  const int *free = %s_free;\n",
          p->nfree ? "" : "0", p->name, t->name, t->name, t->name, p->name, i + 1, p->name);
  declare_matrices(t, f);
  if (y) declare_matrices(t, y);
  call_tangent(t, p->name, f);
  if (y) call_tangent(t, p->name, y);
  fputs("  if (A) memset(A, 0, (size_t) X*X*sizeof *A);\n"
        "  if (B) memset(B, 0, (size_t) X*W*sizeof *B);\n"
        "  if (C) memset(C, 0, (size_t) OUTPUTS*X*sizeof *C);\n"
        "  if (D) memset(D, 0, (size_t) OUTPUTS*W*sizeof *D);\n"
        "  for (int i = 0; A && i < FREE; i++) A[i*X + FREE + i] = 1;\n",
        t->out);
  put_block(t, f, "dq", "0", "FREE", &block[0], has_loops);
  for (int k = 0; k < BLOCKS; k++) {
    put_block(t, f, "a", "FREE", "FREE", &block[k], has_loops);
    put_block(t, f, "state_rate", "2*FREE", "NS", &block[k], has_loops);
    if (y) put_block(t, y, "y", "0", "OUTPUTS", &block[BLOCKS + k], has_loops);
  }
  fputs("  return 0;\n}\n\n\n", t->out);
}


static void print_inverse(const machineText *t, int i)
{
  const eqnProgram *p = &t->parts->part[i].program;
  fprintf(t->out,
          "static int %s_invert(const %s_machine *m, double t, double *y, double *a, double "
          "*force)\n{\n  const %s_choice *c = &memory_of(m)->choice_%d;\n  return "
          "%s_machine_inverse(&m->p, &c->machine_inverse, &t, y, y + NQ, ",
          p->name, t->name, p->name, i + 1, p->name);
  print_arguments(t->out, simulation_function(p, "machine_inverse"));
  fputs(", m->user);\n}\n\n\n", t->out);
}


static void print_choices(const machineText *t)
{
  const int n = t->parts->n;
  for (int i = 1; i <= n; i++) print_choice(t, "choice type", i, NULL);
  fputs("typedef struct machine_memory {\n", t->out);
  for (int i = 1; i <= n; i++) {
    fprintf(t->out, "  %s_choice choice_%d;\n", t->parts->part[i - 1].program.name, i);
  }
  machine_print(t, "memory", NULL);
  if (t->where[MACHINE_LINEAR].holds) machine_print(t, "put", NULL);
  for (int i = 1; i <= n; i++) {
    print_choice(t, "prepare", i, NULL);
    print_call(t, t->tasks > 1 ? "team rates" : "rates", i, "accelerate");
    print_call(t, "show", i, "outputs");
    if (t->where[MACHINE_SWITCHES].holds) print_call(t, "cross", i, "switches");
    if (t->where[MACHINE_SAMPLERS].holds) print_call(t, "sampling", i, "sample");
    if (t->where[MACHINE_LOOPS].holds) print_strain(t, i - 1);
    if (t->where[MACHINE_LINEAR].holds) print_linear(t, i - 1);
    if (t->where[MACHINE_INVERSE].holds) print_inverse(t, i - 1);
  }
  machine_print(t, "choices", NULL);
  for (int i = 1; i <= n; i++) print_choice(t, "choice entry", i, NULL);
  fputs("};\n\n\n", t->out);
}

//---- parts ---------------------------------------------------------------------------------------

// numbers that functions work out once from parameters
static int count_constants(const machineText *t)
{
  int count = 0;
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    for (int k = 0; k < job->program->nfunction; k++) {
      emitWriter w;
      FILE *nowhere = NULL;
      const int made = (job->is_rolled[k] ? writer_open_rolled : writer_open)(
          &w, nowhere, &c_syntax, job->list[k], job->external, job->options);
      const int n = made ? w.nconst + w.ntwin : 0;
      count += n > 0 ? n : 1;
      writer_close(&w);
    }
  }
  return count;
}


int machine_declare(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  const eqnProgram *p = first_of(t);
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnVector *g = result_of(p, "switches"), *force = result_of(p, "machine_inverse");
  const int ns = simulation_state_count(p);
  fprintf(
      t->out,
      "enum {\n  %s_NQ = %d, // positions\n  %s_NV = %d, // velocities\n  %s_NS = %d, // other "
      "states\n  %s_NU = %d, // inputs and held values\n  %s_NY = %d, // outputs\n  %s_NEVENT = "
      "%d, // switching functions\n  %s_NACTUATOR = %d,\n  %s_NPARAMETER = %d,\n  %s_NFREE = "
      "%d, // coordinates that neither loops nor drives lead\n  %s_NDRIVE = %d\n};\n\n",
      t->name, f->input[1].n, t->name, f->input[2].n, t->name, ns, t->name, s->inputs.n, t->name,
      result_of(p, "outputs")->n, t->name, g ? g->n : 0, t->name, force ? force->n : 0, t->name,
      p->parameter.n, t->name, p->nfree, t->name, s->ndrive);
  fputs("// Constants of the machine.\n", t->out);
  job_declare_c_parameters(&t->parts->part[0].job, t->name);
  fputc('\n', t->out);
  char count[12];
  snprintf(count, sizeof count, "%d", count_constants(t));
  machine_print(t, "machine type", count);
  return !ferror(t->out);
}


int machine_define(const machineText *t)
{
  const int has_corners = t->simulation->ncorner > 0;
  print_numbers(t);
  print_choices(t);
  emit_lines(t->out, runge_kutta_text);
  fputs("\n", t->out);
  emit_lines(t->out, simulation_math_text);
  fputs("\n\n", t->out);
  machine_print(t, "machine", NULL);
  for (int i = 0; i < t->parts->n; i++) {
    const char *name = t->parts->part[i].program.name;
    fprintf(t->out, "  %s_prepare(&m->p, &c->choice_%d);\n", name, i + 1);
  }
  machine_print(t, "prepare machine", NULL);
  machine_print(t, "evaluation", NULL);
  if (t->where[MACHINE_LOOPS].holds) machine_print(t, "singular", NULL);
  machine_print(t, "step", NULL);
  machine_print(t, has_corners ? "jumping rates" : "smooth motion", machine_states(t));
  if (t->where[MACHINE_SAMPLERS].holds) machine_print(t, "instants", NULL);
  machine_print(t, "start", own_states(t));
  return 1;
}


// all choices have one set of parameters, in one order
static artStatus check_parameters(const simulationParts *parts, artError *error)
{
  const eqnVector *first = &parts->part[0].program.parameter;
  for (int i = 1; i < parts->n; i++) {
    const eqnVector *own = &parts->part[i].program.parameter;
    int k = own->n == first->n ? 0 : -1;
    while (k >= 0 && k < own->n && strcmp(own->label[k], first->label[k]) == 0) k++;
    if (k == own->n) continue;
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "equations for other independent coordinates have other parameters");
  }
  return ART_OK;
}


artStatus machine_open(machineText *t, simulationParts *parts, FILE *out, const emitSimulation *s,
                       int is_program, int tasks, const emitOptions *options, artError *error)
{
  const eqnProgram *p = s->program[0];
  const int has_run = simulation_input(simulation_function(p, "outputs"), "run") != NULL;
  const simulationNeed needs[] = {{"accelerate", 1, 0},
                                  {"outputs", 1, 0},
                                  {"strain", 0, 0},
                                  {"switches", 0, 0},
                                  {"accelerate_tangent", 0, 0},
                                  {"outputs_tangent", 0, 0},
                                  {"machine_inverse", 0, 0},
                                  {"sample", 0, 0},
                                  {"position_rates", 1, 1},
                                  {has_run ? "machine_energy" : NULL, 1, 1},
                                  {0}};
  *t = (machineText){.out = out, .name = p->name, .simulation = s, .parts = parts, .tasks = tasks};
  emitSimulation own = *s;
  own.without_power = !has_run;
  artStatus status = simulation_open(parts, out, &own, needs, options,
                                     tasks > 1 ? EMIT_SINGLE : EMIT_LOOPS, error);
  for (int i = 0; i < parts->n; i++) {
    simulationPart *part = &parts->part[i];
    part->program.name = arena_format(&parts->arena, "%s_%d", p->name, i + 1);
    part->job.parameters = p->name;
    if (!part->program.name) return base_no_memory(error);
  }
  if (status == ART_OK) status = check_parameters(parts, error);
  const int has_linear = simulation_function(p, "accelerate_tangent") != NULL;
  const int has_switches = simulation_function(p, "switches") != NULL;
  const templateCondition where[MACHINE_CONDITIONS] = {
      [MACHINE_TEAM] = {"[team]", tasks > 1},
      [MACHINE_PROGRAM] = {"[program]", is_program},
      [MACHINE_PRODUCT] = {"[product]", !is_program},
      [MACHINE_SWITCHES] = {"[switches]", has_switches},
      [MACHINE_NO_SWITCHES] = {"[no switches]", !has_switches},
      [MACHINE_LOOPS] = {"[loops]", simulation_function(p, "strain") != NULL},
      [MACHINE_LINEAR] = {"[linear]", has_linear},
      [MACHINE_LINEAR_OUTPUTS] = {"[linear outputs]",
                                  simulation_function(p, "outputs_tangent") != NULL},
      [MACHINE_INVERSE] = {"[inverse]", simulation_function(p, "machine_inverse") != NULL},
      [MACHINE_RUN] = {"[run]", has_run},
      [MACHINE_NO_RUN] = {"[no run]", !has_run},
      [MACHINE_INPUTS] = {"[inputs]", s->inputs.n > 0},
      [MACHINE_SAMPLERS] = {"[samplers]", s->nclock > 0},
      [MACHINE_NO_SAMPLERS] = {"[no samplers]", s->nclock == 0},
      [MACHINE_BOUNDED] = {"[bounded]", s->is_bounded},
  };
  memcpy(t->where, where, sizeof where);
  return status;
}

//---- the product ---------------------------------------------------------------------------------

static void print_rule(FILE *out, const char *title)
{
  fprintf(
      out, "//---- %s %.*s\n\n", title, (int) (90 - strlen(title)),
      "------------------------------------------------------------------------------------------");
}


artStatus emit_machine_header(FILE *out, const emitSimulation *s, const emitOptions *options,
                              artError *error)
{
  machineText t;
  simulationParts parts;
  artStatus status = machine_open(&t, &parts, out, s, 0, 1, options, error);
  if (status == ART_OK) {
    emitJob own = parts.part[0].job;
    own.program = s->program[0];
    job_begin_c_header(&own);
    if (!machine_declare(&t)) status = base_no_memory(error);
    machine_print(&t, "entries", NULL);
    print_rule(out, "functions");
    machine_print(&t, "interface", NULL);
    job_end_c_header(&own);
  }
  return simulation_close(&parts, status, error);
}


static int print_product(const machineText *t, const char *header)
{
  const int n = t->parts->n;
  emit_provenance(t->out, first_of(t), "//");
  fputc('\n', t->out);
  machine_print(t, "head", NULL);
  fprintf(t->out, "#include \"%s\"\n\n", header);
  for (int i = 0; i < n; i++) {
    if (!job_declare_c(&t->parts->part[i].job)) return 0;
  }
  print_rule(t->out, "the machine in data");
  print_description(t);
  emitJob *job = &t->parts->part[0].job;
  job_define_c_defaults(job, t->name);
  print_rule(t->out, "evaluation");
  if (!machine_define(t)) return 0;
  print_rule(t->out, "the interface");
  machine_print(t, "functions", NULL);
  if (t->where[MACHINE_LINEAR].holds) machine_print(t, "linear function", NULL);
  if (t->where[MACHINE_INVERSE].holds) machine_print(t, "inverse function", NULL);
  machine_print(t, t->simulation->ncorner > 0 ? "advance" : "plain advance", NULL);
  if (t->where[MACHINE_SAMPLERS].holds) machine_print(t, "sampled advance", NULL);
  machine_print(t, "step function", NULL);
  print_rule(t->out, "equations of motion");
  for (int i = 0; i < n; i++) {
    if (!job_define_c(&t->parts->part[i].job)) return 0;
  }
  return 1;
}


artStatus emit_machine(FILE *out, const emitSimulation *s, const emitOptions *options,
                       artError *error)
{
  machineText t;
  simulationParts parts;
  artStatus status = machine_open(&t, &parts, out, s, 0, 1, options, error);
  if (status == ART_OK && !print_product(&t, options->header)) status = base_no_memory(error);
  return simulation_close(&parts, status, error);
}
