// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in C behind one interface that is the same for all machines (doc/reference/generated-code.md). It calls the
// functions of its programs, one for each choice of independent coordinates, between which it switches as simulators do.
#include "emit/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/plain.h"
#include "emit/write/writer.h"

//---- names ---------------------------------------------------------------------------------------

static const eqnProgram *first_program_of(const machineText *t)
{
  return &t->parts->part[0].program;
}


void machine_print(const machineText *t, const char *section, const char *word)
{
  template_print(t->out, machine_text, section,
                 &(templateValues){.name = t->name,
                                   .function = first_program_of(t)->name,
                                   .word = word,
                                   .conditions = t->where});
}


// a section of one choice, counted from 1
static void print_machine_choice(const machineText *t, const char *section, int number,
                                 const char *other)
{
  ART_ASSERT(number >= 1 && number <= t->parts->n);
  char word[12];
  machineText own = *t;
  const eqnProgram *p = &t->parts->part[number - 1].program;
  own.where[MACHINE_LOOPS].holds = eqn_function(p, EQN_STRAIN) != NULL;
  snprintf(word, sizeof word, "%d", number);
  template_print(t->out, machine_text, section,
                 &(templateValues){.name = t->name,
                                   .function = t->parts->part[number - 1].program.name,
                                   .word = word,
                                   .other = other,
                                   .conditions = own.where});
}


// Arguments of functions of the energy after the velocities, where the state is this: "m->s, ".
static const char *energy_arguments(const machineText *t, const char *state)
{
  const emitSimulation *s = t->simulation;
  return arena_compose(&t->parts->arena, "%s%s%s",
                       simulation_state_count(first_program_of(t)) > 0 ? state : "",
                       s->inputs.n > 0 ? "m->u, " : "", s->nside > 0 ? "m->side, " : "");
}


// How a function is handed its vectors after the velocities: the places of each name in the texts above.
static const char *machine_arguments(const machineText *t, const eqnFunction *f)
{
  static const char *const place[][2] = {
      {"state", "y + NQ + NV"},
      {"impact", "m->impact"},
      {"tau", "m->tau"},
      {"load", "m->tau"},
      {"u", "m->u"},
      {"side", "m->side"},
      {"due", "due"},
      {"u_next", "next"},
      {"run", "run"},
      {"a", "a"},
      {"state_rate", "rate + NQ + NV"},
      {"power", "rate + N - 1"},
      {"y", "x"},
      {"g", "g"},
      {"margin", "g"},
      {"hold", "hold"},
      {"path", "path"},
      {"pace", "pace"},
  };
  const int is_inverse = f->kind == EQN_MACHINE_INVERSE;
  const int is_rates = f->kind == EQN_ACCELERATE;
  const char *text = "";
  for (int k = 3; k < f->ninput + f->noutput; k++) {
    const int is_output = k >= f->ninput;
    const char *name = is_output ? f->output[k - f->ninput].name : f->input[k].name;
    const char *own = name;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
      if (strcmp(place[i][0], name) == 0) own = place[i][1];
    }
    if (is_output && is_inverse) own = "force";
    if (is_output && is_rates && strcmp(name, "a") == 0) own = "rate + NQ";
    text = arena_compose(&t->parts->arena, "%s%s%s", text, k > 3 ? ", " : "", own);
  }
  return text;
}


// Functions of a choice, counted from 1, that call one of its equations each.
static void print_machine_calls(const machineText *t, int number)
{
  static const struct {
    const char *name;
    eqnFunctionKind function;
    const char *arguments, *first; // a line ahead of the call
  } call[] = {
      {"show", EQN_OUTPUTS, "double *x",
       "  const double run[7] = {y[N - 1], m->energy, m->length};\n"},
      {"cross", EQN_SWITCHES, "double *g", ""},
      {"sample_at", EQN_SAMPLE, "const double *due, double *next", ""},
      {"margins", EQN_RELAYS, "double *g, double *hold", "  (void) hold;\n"},
      {"find_paths", EQN_PATHS, "double *path", ""},
      {"find_steps", EQN_PACE, "double *pace", ""},
      {"invert", EQN_MACHINE_INVERSE, "double *a, double *force", ""},
  };
  const char *own = t->parts->part[number - 1].program.name;
  for (size_t k = 0; k < sizeof call / sizeof *call; k++) {
    const eqnFunction *f = eqn_function(&t->parts->part[number - 1].program, call[k].function);
    if (!f) continue;
    fprintf(t->out,
            "static int %s_%s(const %s_machine *m, double t, double *y, %s)\n{\n"
            "  const %s_choice *c = &memory_of(m)->choice_%d;\n%s"
            "  return %s_%s(&m->p, &c->%s, &t, y, y + NQ, %s, m->user);\n}\n\n\n",
            own, call[k].name, t->name, call[k].arguments, own, number,
            k > 0 || t->where[MACHINE_RUN].holds ? call[k].first : "", own, f->name, f->name,
            machine_arguments(t, f));
  }
}

//---- data ----------------------------------------------------------------------------------------

// of the force that moves a velocity coordinate
static const char *force_unit(const emitSimulation *s, const char *velocity)
{
  for (int i = 0; i < s->velocities.n; i++) {
    const emitEntry *e = &s->velocities.entry[i];
    if (strcmp(e->name, velocity) == 0) return strcmp(e->unit, "m/s") == 0 ? "N" : "N m";
  }
  return "";
}


static const eqnVector *result_vector_of(const eqnProgram *p, eqnFunctionKind function)
{
  const eqnFunction *f = eqn_function(p, function);
  return f ? &f->output[f->noutput - 1] : NULL;
}


// of a vector that programs name: switching functions by their owners, actuators
static int find_vector_label(const machineText *t, const eqnVector *v, int i, emitEntry *e)
{
  if (!v || i >= v->n) return 0;
  const char *label = v->label && v->label[i] ? v->label[i] : "";
  *e = (emitEntry){label, force_unit(t->simulation, label), "", 0, -INFINITY, INFINITY, NULL};
  return 1;
}


const char *const machine_lists[MACHINE_LISTS + 1] = {
    "positions", "velocities", "states", "inputs", "outputs", "events", "actuators", "parameters"};


int machine_entry(const machineText *t, int list, int i, emitEntry *e)
{
  ART_ASSERT(i >= 0);
  const emitSimulation *s = t->simulation;
  const emitEntries *const known[] = {&s->positions, &s->velocities, &s->states, &s->inputs,
                                      &s->outputs};
  if (list == MACHINE_LISTS - 1) {
    const eqnProgram *p = first_program_of(t);
    if (i >= p->parameter.n) return 0;
    const char *remark = p->remark && p->remark[i] ? p->remark[i] : "";
    const eqnUser *own = &p->user[i];
    *e = (emitEntry){
        p->parameter.label[i], own->unit, remark, p->value[i], own->lower, own->upper, NULL};
    return 1;
  }
  if (list == MACHINE_LISTS - 2) {
    return find_vector_label(t, result_vector_of(first_program_of(t), EQN_MACHINE_INVERSE), i, e);
  }
  if (list == MACHINE_LISTS - 3)
    return find_vector_label(t, result_vector_of(first_program_of(t), EQN_SWITCHES), i, e);
  if (i >= known[list]->n) return 0;
  *e = known[list]->entry[i];
  return 1;
}


static int describe_entry(baseArena *arena, emitEntry *e)
{
  const char **const word[] = {&e->name, &e->unit, &e->remark};
  for (int i = 0; i < 3; i++) {
    *word[i] = arena_text(arena, *word[i] ? *word[i] : "");
    if (!*word[i]) return 0;
  }
  return 1;
}


int machine_describe(const machineText *t, emitAbout *about)
{
  if (!about) return 1;
  arena_free(&about->arena);
  about->name = arena_text(&about->arena, t->name);
  for (int i = 0; i < MACHINE_SIZES; i++) about->size[i] = machine_size(t, i);
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    int n = 0;
    while (machine_entry(t, k, n, &e)) n++;
    emitEntry *entry = arena_alloc(&about->arena, (size_t) n + 1, sizeof *entry);
    for (int i = 0; entry && i < n; i++) {
      machine_entry(t, k, i, &entry[i]);
      if (!describe_entry(&about->arena, &entry[i])) return 0;
    }
    if (!entry) return 0;
    about->list[k] = (emitEntries){n, entry};
  }
  return about->name != NULL;
}


static void print_description(const machineText *t)
{
  const eqnProgram *p = first_program_of(t);
  // lists have the names of about, apart from functions of the interface
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    int n = 0;
    while (machine_entry(t, k, n, &e)) n++;
    fprintf(t->out, "static const %s_entry %s_list[%d] = {\n", t->name, machine_lists[k],
            n > 0 ? n : 1);
    if (n == 0) fputs("    {\"\", \"\", \"\", 0, 0, 0},\n", t->out);
    for (int i = 0; i < n && machine_entry(t, k, i, &e); i++) {
      const char *const word[] = {e.name, e.unit, e.remark};
      fputs("    {", t->out);
      for (int j = 0; j < 3; j++) {
        simulation_print_string(t->out, word[j] ? word[j] : "");
        fputs(", ", t->out);
      }
      emit_number(t->out, &c_syntax.dialect, e.value);
      fputs(", ", t->out);
      emit_number(t->out, &c_syntax.dialect, e.lower);
      fputs(", ", t->out);
      emit_number(t->out, &c_syntax.dialect, e.upper);
      fputs("},\n", t->out);
    }
    fputs("};\n\n", t->out);
  }
  fprintf(t->out, "const %s_description %s_about = {\n    ", t->name, t->name);
  const char *const word[] = {t->name, p->title ? p->title : "", p->source};
  for (int i = 0; i < 3; i++) {
    simulation_print_string(t->out, word[i]);
    fputs(i < 2 ? ", " : ",\n    ", t->out);
  }
  for (int i = 0; i < MACHINE_NDRIVE; i++) {
    fprintf(t->out, "%s_%s, ", t->name, machine_sizes[i].name);
  }
  for (int k = 0; k < MACHINE_LISTS; k++) {
    fprintf(t->out, "%s%s_list", k == 0 ? "\n    " : k == 5 ? ",\n    " : ", ", machine_lists[k]);
  }
  fputs("};\n\n", t->out);
}


void machine_print_relays(const machineText *t, const char *before)
{
  const emitSimulation *s = t->simulation;
  fprintf(t->out, "enum { RELAYS = %d, FIRST_RELAY = %d, SIDES = %d, MARGINS = RELAYS + SIDES };\n",
          s->nrelay, s->inputs.n - s->nrelay, s->nside);
  if (s->nrelay > 0) {
    fprintf(t->out, "// margins of relays on borders where they may stand, -1e30: nowhere\n%s",
            before);
    simulation_print_numbers(t->out, "at_rest", 1, &s->nrelay, &s->rest);
  }
  if (s->nlatch > 0) {
    int holds = 0;
    fprintf(t->out, "%sstatic const int is_rope[%d] = {", before, s->nlatch);
    for (int i = 0; i < s->nlatch; i++) fprintf(t->out, "%s%d", i ? ", " : "", s->latch[i].is_rope);
    fprintf(t->out, "};\n%sstatic const int first_hold[%d] = {0", before, s->nlatch + 1);
    for (int i = 0; i < s->nlatch; i++) fprintf(t->out, ", %d", holds += s->latch[i].nhold);
    fprintf(
        t->out,
        "};\nenum { LATCHES = %d, HAS_SETS = %d, HOLDS = %d, FIRST_LATCH = FIRST_RELAY + RELAYS - "
        "LATCHES, FIRST_HOLD = FIRST_RELAY - HOLDS };\n%sstatic const int set[%d] = {",
        s->nlatch, !s->is_masked, holds, before, t->parts->n);
    for (int i = 0; i < t->parts->n; i++) fprintf(t->out, "%s%d", i ? ", " : "", s->set[i]);
    fputs("};\n", t->out);
  }
  if (s->nlatch == 0) fputs("enum { HOLDS = 0 };\n", t->out);
}


// state at the beginning, instants of drives, places of quaternions
static void print_machine_numbers(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  FILE *out = t->out;
  const eqnFunction *f = eqn_function(first_program_of(t), EQN_ACCELERATE);
  const int nq = f->input[1].n, nv = f->input[2].n,
            ns = simulation_state_count(first_program_of(t));
  char count[12];
  snprintf(count, sizeof count, "%d", t->parts->n);
  machine_print(t, "sizes", count);
  fputs("// the state at the beginning, and when that is\n", out);
  simulation_print_numbers(out, "initial", 3, (const int[]){nq, nv, ns},
                           (const double *const[]){s->q, s->v, s->state});
  if (s->inputs.n > 0) {
    fputs("// inputs and held numbers at the beginning\n", out);
    simulation_print_inputs(out, s);
  }
  if (t->where[MACHINE_HELD].holds || s->nside > 0) {
    fprintf(out, "enum { FIRST_HELD = %d };\n", s->ninput);
    machine_print_relays(t, "");
  }
  if (s->nclock > 0) {
    fprintf(out, "enum { CLOCKS = %d };\n", s->nclock);
  }
  simulation_print_times(out, s);
  fputc('\n', out);
  simulation_print_quaternions(out, &f->input[1]);
  if (s->ncorner > 0) simulation_print_corners(out, s, "");
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
  ART_ASSERT(i >= 0 && i < t->parts->n);
  const emitSimulation *s = t->simulation;
  const eqnProgram *p = &t->parts->part[i].program;
  const eqnFunction *accelerate = eqn_function(p, EQN_ACCELERATE);
  const int n = eqn_function(p, EQN_STRAIN)->output[0].n;
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

static int has_output(const eqnFunction *f, const char *name)
{
  for (int k = 0; k < f->noutput; k++) {
    if (strcmp(f->output[k].name, name) == 0) return 1;
  }
  return 0;
}


// Copy a matrix of derivatives, if there is one, into its place in A, B, C or D.
static void print_block(const machineText *t, const eqnFunction *f, const char *result,
                        const char *row, const char *rows, const tangentBlock *b)
{
  char name[60];
  snprintf(name, sizeof name, "%s_%s", result, b->way);
  if (!f || !has_output(f, name)) return;
  fprintf(t->out, "  if (%s) put(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s);\n", b->into, b->into,
          strchr("BD", b->into[0]) ? "NW" : "NX", row, b->column, rows,
          strcmp(result, "a") == 0 ? "free" : "NULL", b->count, b->is_free ? "way" : "NULL", name,
          b->is_free ? "NWAY" : b->count);
}


// Whether a choice has derivatives along all coordinates, as trees do, and not along the free ones alone.
static int is_open(const eqnProgram *p)
{
  return eqn_function(p, EQN_STRAIN) == NULL;
}


static void declare_matrices(const machineText *t, const eqnFunction *f)
{
  for (int k = 0; k < f->noutput; k++) {
    fprintf(t->out, "  double %s[%d];\n", f->output[k].name, f->output[k].n);
  }
}


static void call_tangent(const machineText *t, const char *name, const eqnFunction *f)
{
  if (eqn_input(f, "run")) fputs("  const double run[7] = {0};\n", t->out);
  fprintf(t->out, "  status = %s_%s(&m->p, &c->%s, &t, y, y + NQ, ", name, f->name, f->name);
  fprintf(t->out, "%s, m->user);\n  if (status) return status;\n", machine_arguments(t, f));
}


static void print_linear(const machineText *t, int i)
{
  ART_ASSERT(i >= 0 && i < t->parts->n);
  const eqnProgram *p = &t->parts->part[i].program;
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE_TANGENT);
  const eqnFunction *y = eqn_function(p, EQN_OUTPUTS_TANGENT);
  const int n = machine_size(t, MACHINE_NFREE);
  fprintf(t->out, "static const int %s_free[%d] = {", p->name, n > 0 ? n : 1);
  for (int k = 0; k < n; k++)
    fprintf(t->out, "%s%d", k ? ", " : "", k < p->nfree ? p->free[k] : -1);
  fprintf(t->out,
          "%s};\n\n\nstatic int %s_linearise(const %s_machine *m, double t, double *y, double *A, "
          "double *B,\n    double *C, double *D)\n{\n  enum { NFREE = %s_NFREE, NX = 2*NFREE + NS, "
          "NU = %s_NU, NW = NU + NV };\n  enum { NOWN = %d, NWAY = %s };\n"
          "  const %s_choice *c = &memory_of(m)->choice_%d;\n"
          "  const int *free = %s_free, *way = %s;\n",
          n > 0 ? "" : "0", p->name, t->name, t->name, t->name, p->nfree,
          is_open(p) ? "NV" : "NOWN", p->name, i + 1, p->name, is_open(p) ? "free" : "NULL");
  if (f) declare_matrices(t, f);
  if (y) declare_matrices(t, y);
  fputs("  int status = 0;\n", t->out);
  if (f) call_tangent(t, p->name, f);
  if (y) call_tangent(t, p->name, y);
  fputs("  if (A) memset(A, 0, (size_t) NX*NX*sizeof *A);\n"
        "  if (B) memset(B, 0, (size_t) NX*NW*sizeof *B);\n"
        "  if (C) memset(C, 0, (size_t) NY*NX*sizeof *C);\n"
        "  if (D) memset(D, 0, (size_t) NY*NW*sizeof *D);\n"
        "  for (int i = 0; A && i < NOWN; i++) A[i*NX + NFREE + i] = 1;\n"
        "  (void) c, (void) t, (void) y, (void) free, (void) way;\n",
        t->out);
  enum { BLOCKS = 5 };
  static const tangentBlock block[2 * BLOCKS] = {
      {"q", "A", "0", "NOWN", 1},         {"v", "A", "NFREE", "NOWN", 1},
      {"state", "A", "2*NFREE", "NS", 0}, {"u", "B", "0", "NU", 0},
      {"tau", "B", "NU", "NV", 0},        {"q", "C", "0", "NOWN", 1},
      {"v", "C", "NFREE", "NOWN", 1},     {"state", "C", "2*NFREE", "NS", 0},
      {"u", "D", "0", "NU", 0},           {"tau", "D", "NU", "NV", 0}};
  print_block(t, f, "dq", "0", "NOWN", &block[0]);
  print_block(t, f, "dq", "0", "NOWN", &block[1]);
  for (int k = 0; k < BLOCKS; k++) {
    print_block(t, f, "a", "NFREE", "NOWN", &block[k]);
    print_block(t, f, "state_rate", "2*NFREE", "NS", &block[k]);
    print_block(t, y, "y", "0", "NY", &block[BLOCKS + k]);
  }
  fputs("  return status;\n}\n\n\n", t->out);
}


// one result along all ways, from a row of the tangents on
static void put_rows(const machineText *t, const eqnProgram *p, const eqnFunction *f,
                     const char *result, const char *row, const char *rows)
{
  static const char *const way[5][3] = {{"q", "0", "NOWN"},
                                        {"v", "NFREE", "NOWN"},
                                        {"state", "2*NFREE", "NS"},
                                        {"u", "2*NFREE + NS", "NU"},
                                        {"tau", "2*NFREE + NS + NU", "NV"}};
  for (int k = 0; f && k < 5; k++) {
    char name[60];
    snprintf(name, sizeof name, "%s_%s", result, way[k][0]);
    if (!has_output(f, name)) continue;
    const int is_chosen = is_open(p) && k < 2;
    fprintf(t->out, "  put(T, NC, %s, %s, %s, NULL, %s, %s, %s, %s);\n", row, way[k][1], rows,
            way[k][2], is_chosen ? "free" : "NULL", name, is_chosen ? "NV" : way[k][2]);
  }
}


// all tangents in one matrix, of dependent coordinates too
static void print_tangent(const machineText *t, int i)
{
  ART_ASSERT(i >= 0 && i < t->parts->n);
  const eqnProgram *p = &t->parts->part[i].program;
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE_TANGENT);
  const eqnFunction *y = eqn_function(p, EQN_OUTPUTS_TANGENT);
  fprintf(t->out,
          "static int %s_differentiate(const %s_machine *m, double t, double *y, double *T)\n{\n"
          "  enum { HAS_WORK = %d, NFREE = %s_NFREE, NOWN = %d, NU = %s_NU };\n"
          "  enum { NC = 2*NFREE + NS + NU + NV + HAS_WORK };\n"
          "  const %s_choice *c = &memory_of(m)->choice_%d;\n  const int *free = %s_free;\n",
          p->name, t->name, t->where[MACHINE_RUN].holds, t->name, p->nfree, t->name, p->name, i + 1,
          p->name);
  declare_matrices(t, f);
  if (y) declare_matrices(t, y);
  fputs("  int status = 0;\n", t->out);
  call_tangent(t, p->name, f);
  if (y) call_tangent(t, p->name, y);
  fputs("  memset(T, 0, (size_t) (3*NV + NS + HAS_WORK + NY)*NC*sizeof *T);\n", t->out);
  if (has_output(f, "moves")) {
    const char *way = is_open(p) ? "free" : "NULL";
    const char *width = is_open(p) ? "NV" : "NOWN";
    fprintf(t->out,
            "  put(T, NC, 0, 0, NV, NULL, NOWN, %s, moves, %s);\n"
            "  put(T, NC, NV, NFREE, NV, NULL, NOWN, %s, moves, %s);\n",
            way, width, way, width);
  } else {
    fputs("  for (int i = 0; i < NOWN; i++) T[free[i]*NC + i] = 1;\n"
          "  for (int i = 0; i < NOWN; i++) T[(NV + free[i])*NC + NFREE + i] = 1;\n",
          t->out);
  }
  put_rows(t, p, f, "v", "NV", "NV");
  put_rows(t, p, f, "a", "2*NV", "NV");
  put_rows(t, p, f, "state_rate", "3*NV", "NS");
  if (t->where[MACHINE_RUN].holds) put_rows(t, p, f, "power", "3*NV + NS", "1");
  put_rows(t, p, y, "y", "3*NV + NS + HAS_WORK", "NY");
  if (y && has_output(y, "y_run")) {
    fputs("  put(T, NC, 3*NV + NS + HAS_WORK, NC - 1, NY, NULL, 1, NULL, y_run, 7);\n", t->out);
  }
  fputs("  (void) free;\n  return 0;\n}\n\n\n", t->out);
}


// A line with the names of a choice and of its function, for each that it does not share with the others.
static void print_choice_functions(const machineText *t, const eqnProgram *p, const char *line)
{
  for (int k = 0; k < p->nfunction; k++) {
    const eqnFunction *f = &p->function[k];
    const int is_common = f->kind == EQN_POSITION_RATES || f->kind == EQN_CLOCKS ||
                          f->kind == EQN_MACHINE_ENERGY || f->kind == EQN_START;
    if (!is_common) format_stream(t->out, line, p->name, f->name, f->name);
  }
}


// Constants of all functions of a choice, and the function that finds them.
static void print_choice_constants(const machineText *t, const eqnProgram *p, int is_type)
{
  const char *own = p->name;
  if (is_type) {
    fprintf(t->out, "typedef struct %s_choice {\n", own);
    print_choice_functions(t, p, "  %s_%s_constants %s;\n");
    fprintf(t->out, "} %s_choice;\n\n", own);
    return;
  }
  fprintf(t->out, "static void %s_prepare(const %s_parameters *p, %s_choice *c)\n{\n", own, t->name,
          own);
  print_choice_functions(t, p, "  %s_%s_prepare(p, &c->%s);\n");
  fputs("}\n\n\n", t->out);
}


static void print_machine_choices(const machineText *t)
{
  const int n = t->parts->n;
  for (int i = 0; i < n; i++) print_choice_constants(t, &t->parts->part[i].program, 1);
  fputs("typedef struct machine_memory {\n", t->out);
  for (int i = 1; i <= n; i++) {
    fprintf(t->out, "  %s_choice choice_%d;\n", t->parts->part[i - 1].program.name, i);
  }
  if (t->where[MACHINE_LOOK].holds) {
    fputs("  double look[LOOK_SIGNALS + 2]; // see stepLook\n", t->out);
  }
  if (t->where[MACHINE_PATHS].holds) {
    fputs("  double motion[MOTION_SIGNALS + MOTION_MARGINS + 2], box[2*MOTION_LEAVES + 1]; // the "
          "same\n",
          t->out);
  }
  machine_print(t, "memory", NULL);
  if (t->where[MACHINE_LINEAR].holds) machine_print(t, "put", NULL);
  for (int i = 1; i <= n; i++) {
    const eqnProgram *p = &t->parts->part[i - 1].program;
    print_choice_constants(t, p, 0);
    print_machine_choice(t, t->tasks > 1 ? "team rates" : "rates", i,
                         machine_arguments(t, eqn_function(p, EQN_ACCELERATE)));
    print_machine_calls(t, i);
    if (eqn_function(p, EQN_STRAIN)) print_strain(t, i - 1);
    if (t->where[MACHINE_LINEAR].holds) print_linear(t, i - 1);
    if (t->where[MACHINE_TANGENT].holds) print_tangent(t, i - 1);
  }
  machine_print(t, "choices", NULL);
  for (int i = 1; i <= n; i++) print_machine_choice(t, "choice entry", i, NULL);
  fputs("};\n\n\n", t->out);
}

//---- parts ---------------------------------------------------------------------------------------

int machine_constants(const emitJob *job, const emitSyntax *syntax, int function)
{
  ART_ASSERT(function >= 0 && function < job->program->nfunction);
  emitWriter w = writer_prepare(NULL, syntax, job->list[function], job->external, job->options,
                                job->is_rolled[function]);
  const int n = writer_attempt(&w, NULL, NULL) ? w.nconst + w.ntwin : -1;
  writer_close(&w);
  return n;
}


// -1: there is no memory
static int count_constants(const machineText *t)
{
  int count = 0;
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    for (int k = 0; k < job->program->nfunction; k++) {
      const int n = machine_constants(job, &c_syntax, k);
      if (n < 0) return -1;
      count += n > 0 ? n : 1;
    }
  }
  const lookText *motion = &t->motion;
  const int look = t->where[MACHINE_LOOK].holds ? t->look.nsignal + 2 : 0,
            along = motion->nsignal + motion->nmargin + 2 * motion->nleaf + 3;
  return count + 2 * t->simulation->nclock + look + (t->where[MACHINE_PATHS].holds ? along : 0);
}


const machineSize machine_sizes[MACHINE_SIZES] = {
    {"NQ", "positions"},
    {"NV", "velocities"},
    {"NS", "other states"},
    {"NU", "inputs and held values"},
    {"NY", "outputs"},
    {"NEVENT", "switching functions"},
    {"NACTUATOR", "forces of actuators"},
    {"NPARAMETER", "parameters"},
    {"NFREE", "coordinates that neither loops nor drives lead"},
    {"NDRIVE", "drives"},
};


static int most_free_coordinates(const machineText *t)
{
  int most = 0;
  for (int i = 0; i < t->parts->n; i++) {
    const int own = t->parts->part[i].program.nfree;
    if (own > most) most = own;
  }
  return most;
}


int machine_size(const machineText *t, int which)
{
  const eqnProgram *p = first_program_of(t);
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE);
  const eqnVector *g = result_vector_of(p, EQN_SWITCHES),
                  *force = result_vector_of(p, EQN_MACHINE_INVERSE);
  const int size[MACHINE_SIZES] = {f->input[1].n,
                                   f->input[2].n,
                                   simulation_state_count(p),
                                   t->simulation->inputs.n,
                                   result_vector_of(p, EQN_OUTPUTS)->n,
                                   g ? g->n : 0,
                                   force ? force->n : 0,
                                   p->parameter.n,
                                   most_free_coordinates(t),
                                   t->simulation->ndrive};
  return size[which];
}


int machine_declare(const machineText *t)
{
  fputs("enum {\n", t->out);
  for (int i = 0; i < MACHINE_SIZES; i++) {
    fprintf(t->out, "  %s_%s = %d, // %s\n", t->name, machine_sizes[i].name, machine_size(t, i),
            machine_sizes[i].what);
  }
  fputs("};\n\n", t->out);
  fputs("// Constants of the machine.\n", t->out);
  job_declare_c_parameters(&t->parts->part[0].job, t->name);
  fputc('\n', t->out);
  const int constants = count_constants(t);
  char count[12], sides[12];
  snprintf(count, sizeof count, "%d", constants);
  snprintf(sides, sizeof sides, "%d", t->simulation->nside + 1);
  template_print(
      t->out, machine_text, "machine type",
      &(templateValues){.name = t->name, .word = count, .other = sides, .conditions = t->where});
  return constants >= 0 && !ferror(t->out);
}


// texts for devices have conditions of their own, in another order
static int condition_holds(const machineText *t, const char *condition)
{
  const templateCondition *c = t->where;
  while (strcmp(c->name, condition) != 0) c++;
  return c->holds;
}


void machine_print_switching(const machineText *t, const char *section, const char *other)
{
  const int is_device = condition_holds(t, "[device]");
  char type[300];
  format_text(type, sizeof type, is_device ? "instance" : "%.250s_machine", t->name);
  template_print(t->out, switching_text, section,
                 &(templateValues){.name = t->name,
                                   .function = type,
                                   .word = is_device ? "HERE" : "static",
                                   .other = other,
                                   .conditions = t->where});
}


void machine_print_latches(const machineText *t)
{
  machine_print_switching(t, "latches", NULL);
  if (condition_holds(t, "[product]") || condition_holds(t, "[device]")) {
    machine_print_switching(t, "holding anew", NULL);
  }
  machine_print_switching(t, "turning latches", NULL);
}


// Looks after a step, at what it has come through.
static void print_looks_back(const machineText *t, const char *way)
{
  const int is_within = strcmp(way, "within") == 0;
  if (condition_holds(t, "[halves]")) {
    machine_print_switching(t, is_within ? "halves within" : "halves of a step", NULL);
  }
  if (condition_holds(t, "[dips]")) machine_print_switching(t, "dips", way);
  if (condition_holds(t, "[retries]")) machine_print_switching(t, "again", way);
}


void machine_print_steps(const machineText *t)
{
  const int looks = condition_holds(t, "[looks]"), retries = condition_holds(t, "[retries]");
  if (condition_holds(t, "[wheels]")) machine_print_switching(t, "pace", NULL);
  if (looks) machine_print_switching(t, "reach", NULL);
  if (!condition_holds(t, "[device]")) machine_print(t, "checked steps", NULL);
  if (condition_holds(t, "[turns]")) {
    machine_print_switching(t, "step on trial", NULL);
    print_looks_back(t, "step");
    machine_print_switching(t, "locate", "step");
    machine_print_switching(t, "step through relays", NULL);
  } else if (looks || retries) {
    print_looks_back(t, "step");
    machine_print_switching(t, "step that shows", NULL);
  }
  machine_print_switching(t, condition_holds(t, "[jumps]") ? "jumps" : "no jumps", NULL);
}


void machine_print_adaptive_steps(const machineText *t, const char *linkage)
{
  emit_chapter(t->out, runge_kutta_text, "steps whose length follows the error", linkage);
  if (condition_holds(t, "[relays]") || condition_holds(t, "[halves]")) {
    emit_chapter(t->out, runge_kutta_text, "the motion within such a step", linkage);
    machine_print_switching(t, "within a step", NULL);
  }
  print_looks_back(t, "within");
  if (condition_holds(t, "[relays]")) machine_print_switching(t, "locate", "within");
  machine_print_switching(t, "by error", NULL);
}


// functions and data of the look into steps, where there is one
static void machine_print_look(const machineText *t)
{
  static const char *const chapter[] = {"ends", "operations", "functions", "conditions"};
  if (!condition_holds(t, "[unproved]")) return;
  fputs("//---- intervals "
        "-------------------------------------------------------------------------------\n\n"
        "typedef struct enclosure {\n  double lo, hi;\n} enclosure;\n\n"
        "enum { INTERVAL_NO, INTERVAL_YES, INTERVAL_MAYBE };\n\n",
        t->out);
  for (size_t i = 0; i < sizeof chapter / sizeof *chapter; i++) {
    emit_chapter(t->out, interval_text, chapter[i], EMIT_INLINE);
  }
  emit_chapter(t->out, step_look_text, "a look into steps", EMIT_INLINE);
  if (condition_holds(t, "[look]")) {
    emit_chapter(t->out, step_look_text, "a look ahead of steps", EMIT_INLINE);
  }
  if (condition_holds(t, "[paths]")) {
    emit_chapter(t->out, step_look_text, "a look along the motion", EMIT_INLINE);
  }
  if (condition_holds(t, "[look]")) {
    fputs("// What depends on time and held numbers alone: rows of operations, what acts, and what "
          "changes\n// its sign where a side turns.\n",
          t->out);
    look_print(t->out, &t->look, "look", "LOOK");
  }
  if (!condition_holds(t, "[paths]")) return;
  fputs("// Formulas of the motion over what they read, likewise.\n", t->out);
  look_print(t->out, &t->motion, "motion", "MOTION");
}


void machine_print_advance(const machineText *t, const char *way)
{
  machine_print_switching(t, "advance", way);
  if (condition_holds(t, "[samplers]")) machine_print_switching(t, "advance by samples", way);
}


int machine_define(const machineText *t)
{
  const int has_latches = t->where[MACHINE_LATCHES].holds,
            has_turns = t->where[MACHINE_TURNS].holds;
  print_machine_numbers(t);
  machine_print_look(t);
  print_machine_choices(t);
  emit_chapter(t->out, runge_kutta_text, "Runge-Kutta methods", EMIT_INLINE);
  emit_chapter(t->out, runge_kutta_text, "the classical method", EMIT_INLINE);
  emit_lines(t->out, simulation_math_text);
  fputs("\n\n", t->out);
  if (has_turns) {
    emit_lines(t->out, margin_search_text);
    fputs("\n\n", t->out);
  }
  if (t->where[MACHINE_DIPS].holds) {
    emit_lines(t->out, dip_text);
    fputs("\n\n", t->out);
  }
  machine_print(t, "machine", NULL);
  for (int i = 0; i < t->parts->n; i++) {
    const char *name = t->parts->part[i].program.name;
    fprintf(t->out, "  %s_prepare(&m->p, &c->choice_%d);\n", name, i + 1);
  }
  machine_print(t, "prepare machine", NULL);
  if (has_latches) machine_print_switching(t, "sets", NULL);
  machine_print(t, "evaluation", NULL);
  if (t->where[MACHINE_LOOPS].holds) machine_print(t, "singular", NULL);
  if (has_turns) machine_print(t, "margins of relays", NULL);
  if (has_latches || t->where[MACHINE_JUMPS].holds) {
    machine_print(t, "kinetic energy", energy_arguments(t, "y + NQ + NV, "));
  }
  if (has_latches) machine_print_latches(t);
  if (has_turns) machine_print_switching(t, "relays", "static");
  machine_print(t, "step", NULL);
  machine_print_steps(t);
  if (t->where[MACHINE_SAMPLERS].holds) {
    machine_print(t, "sampling of a machine", NULL);
    machine_print_switching(t, "samplers", NULL);
  }
  machine_print(t, "start", energy_arguments(t, "m->s, "));
  return !t->parts->arena.has_run_out;
}


// all choices have one set of parameters, in one order; with latches engaged they may lack some of the first
static artStatus check_parameters(const simulationParts *parts, int has_latches, artError *error)
{
  const eqnVector *first = &parts->part[0].program.parameter;
  for (int i = 1; i < parts->n; i++) {
    const eqnVector *own = &parts->part[i].program.parameter;
    int k = 0, at = 0;
    for (; k < own->n; k++, at++) {
      if (has_latches) at = 0;
      while (at < first->n && has_latches && strcmp(own->label[k], first->label[at]) != 0) at++;
      if (at >= first->n || strcmp(own->label[k], first->label[at]) != 0) break;
    }
    if (k == own->n && (has_latches || own->n == first->n)) continue;
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "equations for other independent coordinates have other parameters");
  }
  return ART_OK;
}


// with some latches engaged, or without any
static int simulation_has_loops(const emitSimulation *s)
{
  for (int i = 0; i < s->nprogram; i++) {
    if (eqn_function(s->program[i], EQN_STRAIN)) return 1;
  }
  return 0;
}


artStatus machine_open(machineText *t, simulationParts *parts, FILE *out, const emitSimulation *s,
                       int is_program, int tasks, const emitOptions *options, artError *error)
{
  ART_ASSERT(s->nprogram >= 1 && tasks >= 0);
  const eqnProgram *p = s->program[0];
  const int has_run = eqn_input(eqn_function(p, EQN_OUTPUTS), "run") != NULL;
  *t = (machineText){.out = out, .name = p->name, .simulation = s, .parts = parts, .tasks = tasks};
  *parts = (simulationParts){0};
  if (!look_collect_motion(&t->motion, p, &parts->arena)) return base_no_memory(error);
  const int has_motion = t->motion.nsignal + t->motion.nmargin > 0;
  const int has_energy = has_run || s->nlatch > 0;
  enum { ALWAYS = 13 };
  simulationNeed needs[ALWAYS + 3] = {
      {EQN_ACCELERATE, 1, 0, NULL},
      {EQN_OUTPUTS, 1, 0, NULL},
      {EQN_STRAIN, 0, 0, NULL},
      {EQN_SWITCHES, 0, 0, NULL},
      {EQN_ACCELERATE_TANGENT, 0, 0, NULL},
      {EQN_OUTPUTS_TANGENT, 0, 0, NULL},
      {EQN_MACHINE_INVERSE, 0, 0, NULL},
      {EQN_SAMPLE, 0, 0, NULL},
      {EQN_RELAYS, 0, 0, NULL},
      {EQN_PACE, 0, 0, NULL},
      {EQN_POSITION_RATES, 1, 1, NULL},
      {EQN_CLOCKS, 0, 1, NULL},
      {EQN_START, 0, 1, NULL},
  };
  int nneed = ALWAYS;
  if (has_energy) needs[nneed++] = (simulationNeed){EQN_MACHINE_ENERGY, 1, 1, NULL};
  if (has_motion) needs[nneed++] = (simulationNeed){EQN_PATHS, 0, 0, NULL};
  emitSimulation own = *s;
  own.without_power = !has_run;
  artStatus status = simulation_open(parts, out, &own, needs, options,
                                     tasks == 1 ? EMIT_LOOPS : EMIT_SINGLE, error);
  for (int i = 0; i < parts->n; i++) {
    simulationPart *part = &parts->part[i];
    part->program.name = arena_format(&parts->arena, "%s_%d", p->name, i + 1);
    part->job.parameters = p->name;
    if (!part->program.name) return base_no_memory(error);
  }
  if (status == ART_OK) status = check_parameters(parts, s->nlatch > 0, error);
  const int has_linear = eqn_function(p, EQN_ACCELERATE_TANGENT) != NULL;
  const int has_switches = eqn_function(p, EQN_SWITCHES) != NULL;
  if (status == ART_OK && !look_collect(&t->look, &parts->part[0].job, &parts->arena)) {
    status = base_no_memory(error);
  }
  const int has_look = t->look.nsignal + t->look.nmargin > 0;
  const int has_dips = s->nrelay + s->nside > 0;
  const int has_wheels = eqn_function(p, EQN_PACE) != NULL;
  const eqnVector *q = &eqn_function(p, EQN_ACCELERATE)->input[1];
  const templateCondition where[MACHINE_CONDITIONS] = {
      [MACHINE_TEAM] = {"[team]", tasks > 1},
      [MACHINE_PROGRAM] = {"[program]", is_program},
      [MACHINE_PRODUCT] = {"[product]", !is_program},
      [MACHINE_SWITCHES] = {"[switches]", has_switches},
      [MACHINE_LOOPS] = {"[loops]", simulation_has_loops(s)},
      [MACHINE_LINEAR] = {"[linear]", has_linear},
      [MACHINE_TANGENT] = {"[tangent]", has_linear && s->tangents},
      [MACHINE_INVERSE] = {"[inverse]", eqn_function(p, EQN_MACHINE_INVERSE) != NULL},
      [MACHINE_RUN] = {"[run]", has_run},
      [MACHINE_INPUTS] = {"[inputs]", s->inputs.n > 0},
      [MACHINE_STARTS] = {"[starts]", eqn_function(p, EQN_START) != NULL},
      [MACHINE_SAMPLERS] = {"[samplers]", s->nclock > 0},
      [MACHINE_RELAYS] = {"[relays]", s->nrelay > 0},
      [MACHINE_SIDES] = {"[sides]", s->nside > 0},
      [MACHINE_TURNS] = {"[turns]", s->nrelay + s->nside > 0},
      [MACHINE_DIPS] = {"[dips]", has_dips},
      [MACHINE_PATHS] = {"[paths]", has_motion},
      [MACHINE_HALVES] = {"[halves]", has_dips || has_motion},
      [MACHINE_RETRIES] = {"[retries]", has_wheels || has_motion},
      [MACHINE_UNPROVED] = {"[unproved]", has_look || has_motion},
      [MACHINE_LOOK] = {"[look]", has_look},
      [MACHINE_WHEELS] = {"[wheels]", has_wheels},
      [MACHINE_LOOKS] = {"[looks]", has_look || has_wheels},
      [MACHINE_LONG] = {"[long]", t->look.is_long || t->motion.is_long},
      [MACHINE_LATCHES] = {"[latches]", s->nlatch > 0},
      [MACHINE_LOADS] = {"[loads]", !is_program || s->nlatch > 0},
      [MACHINE_ENERGY] = {"[energy]", has_energy},
      [MACHINE_HELD] = {"[held]", s->nclock + s->nrelay > 0},
      [MACHINE_SWITCHED] = {"[switched]", s->is_switched},
      [MACHINE_JUMPS] = {"[jumps]", s->ncorner > 0},
      [MACHINE_QUATERNIONS] = {"[quaternions]", simulation_next_quaternion(q, 0) >= 0},
      [MACHINE_DEVICE] = {"[device]", 0},
  };
  memcpy(t->where, where, sizeof where);
  return status;
}

//---- the product ---------------------------------------------------------------------------------

void machine_print_rule(FILE *out, const char *title)
{
  fprintf(
      out, "//---- %s %.*s\n\n", title, (int) (90 - strlen(title)),
      "------------------------------------------------------------------------------------------");
}


// the declarations, as a header has them
static int print_declarations(const machineText *t)
{
  emitJob own = t->parts->part[0].job;
  own.program = t->simulation->program[0];
  job_begin_c_header(&own);
  if (!machine_declare(t)) return 0;
  machine_print(t, "entries", NULL);
  machine_print_rule(t->out, "functions");
  machine_print(t, "interface", NULL);
  job_end_c_header(&own);
  return 1;
}


artStatus emit_machine_header(FILE *out, const emitSimulation *s, const emitOptions *options,
                              artError *error)
{
  machineText t;
  simulationParts parts;
  artStatus status = machine_open(&t, &parts, out, s, 0, 1, options, error);
  if (status == ART_OK && !print_declarations(&t)) status = base_no_memory(error);
  return simulation_close(&parts, status, error);
}


int machine_print_product(const machineText *t, const char *header)
{
  const int n = t->parts->n;
  emit_provenance(t->out, first_program_of(t), "//");
  fputc('\n', t->out);
  machine_print(t, "head", NULL);
  if (header) {
    fprintf(t->out, "#include \"%s\"\n\n", header);
  } else if (!print_declarations(t)) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    if (!job_declare_c(&t->parts->part[i].job)) return 0;
  }
  machine_print_rule(t->out, "the machine in data");
  print_description(t);
  emitJob *job = &t->parts->part[0].job;
  job_define_c_defaults(job, t->name);
  machine_print_rule(t->out, "evaluation");
  if (!machine_define(t)) return 0;
  machine_print_rule(t->out, "the interface");
  machine_print(t, "functions", NULL);
  if (t->where[MACHINE_STARTS].holds) machine_print(t, "start values", NULL);
  machine_print(t, "instant functions", energy_arguments(t, "m->s, "));
  machine_print(t, "reach function", NULL);
  if (t->where[MACHINE_LINEAR].holds) machine_print(t, "linear function", NULL);
  if (t->where[MACHINE_TANGENT].holds) machine_print(t, "tangent function", NULL);
  if (t->where[MACHINE_INVERSE].holds) machine_print(t, "inverse function", NULL);
  machine_print_switching(t, "one step", NULL);
  machine_print_advance(t, "_by_step");
  machine_print(t, "step function", NULL);
  machine_print_rule(t->out, "equations of motion");
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
  if (status == ART_OK &&
      !(machine_describe(&t, options->about) && machine_print_product(&t, options->header))) {
    status = base_no_memory(error);
  }
  return simulation_close(&parts, status, error);
}
