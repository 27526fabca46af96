// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A simulator in MATLAB and Octave: the equations in MATLAB, integrated by ode45 (emit/texts/ode45.m.in).
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/throw.h"
#include "emit/machine/language.h"
#include "emit/write/writer.h"

static int declare_parameters(const emitJob *job)
{
  job_list_matlab_externals(job);
  job_define_matlab_helpers(job);
  return job_declare_matlab(job);
}


static const machineLanguage matlab = {.syntax = &matlab_syntax,
                                       .text = ode45_text,
                                       .declare = declare_parameters,
                                       .quote = '\'',
                                       .escape = '\'',
                                       .escaped = "'",
                                       .limits = {"-Inf", "Inf"},
                                       .is_plain = 1};


static const eqnProgram *program_of(const languageText *t, int choice)
{
  ART_ASSERT(choice >= 0 && choice < t->machine->parts->n);
  return &t->machine->parts->part[choice].program;
}


static int count_choices(const languageText *t)
{
  return t->machine->parts->n;
}

//---- tables --------------------------------------------------------------------------------------

static int count_strains(const languageText *t, int choice)
{
  const eqnFunction *f = eqn_function(program_of(t, choice), EQN_STRAIN);
  return f ? f->output[0].n : 0;
}


// blocks of coordinates that a choice closes one after the other
static int count_loops(const languageText *t, int choice)
{
  const eqnFunction *f = eqn_function(program_of(t, choice), EQN_ACCELERATE);
  int n = 0;
  for (int k = 0; k < f->nstage; k++) n += f->stage[k].block > 0;
  return n;
}


static void print_table(const languageText *t, const char *section, const char *name,
                        const valueList *l)
{
  language_section(t, section, NULL, name, l->value);
}


static void print_numbers(const languageText *t, const char *name, int n, const double *x)
{
  valueList l = list_open(t);
  for (int i = 0; i < n; i++) list_add(&l, language_number(t, x[i]));
  print_table(t, "numbers", name, &l);
}


// How many entries of a table belong to the choices before each, and in all.
static void print_begins(const languageText *t, const char *name,
                         int (*count)(const languageText *t, int choice))
{
  valueList l = list_open(t);
  int n = 0;
  list_add(&l, "0");
  for (int i = 0; i < count_choices(t); i++) list_add(&l, language_integer(t, n += count(t, i)));
  print_table(t, "integers", name, &l);
}


static void print_data(const languageText *t)
{
  const emitSimulation *s = t->machine->simulation;
  const templateCondition *where = t->machine->where;
  language_section(t, "description", NULL, NULL, NULL);
  language_sizes(t);
  language_section(t, "inner size", NULL, "NCHOICE", language_integer(t, count_choices(t)));
  language_section(t, "inner size", NULL, "NCORNER", language_integer(t, s->ncorner));
  language_lists(t);
  print_numbers(t, "interval", 2, (const double[]){s->from, s->known_until});
  if (where[MACHINE_QUATERNIONS].holds) {
    const eqnVector *q = &eqn_function(program_of(t, 0), EQN_ACCELERATE)->input[1];
    valueList places = list_open(t);
    for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
      list_add(&places, language_integer(t, i));
    }
    print_table(t, "integers", "quaternion", &places);
  }
  if (where[MACHINE_JUMPS].holds)
    print_numbers(t, "corner", s->ncorner * (1 + s->ndrive), s->corner);
  if (where[MACHINE_LOOPS].holds) {
    // of all choices: strains where they were made, and the joints of their loops
    valueList made = list_open(t), loops = list_open(t);
    for (int i = 0; i < count_choices(t); i++) {
      for (int k = 0; k < count_strains(t, i); k++)
        list_add(&made, language_number(t, s->strain[i][k]));
      for (int k = 0; k < count_loops(t, i); k++)
        list_add(&loops, language_quote(t, s->loops[i][k]));
    }
    print_table(t, "numbers", "made", &made);
    print_table(t, "texts", "loops", &loops);
    print_begins(t, "made_begin", count_strains);
    print_begins(t, "loops_begin", count_loops);
  }
  language_section(t, "data end", NULL, NULL, NULL);
}

//---- calls of equations --------------------------------------------------------------------------

static void add_vector(valueList *l, const char *name)
{
  list_add(l, arena_format(l->text->arena, "m.w_%s", name));
}


// "[m.w_a, m.w_q] = accelerate_1(m.p, m.c.accelerate_1, m.w_t, ..., m.user);": results, then the vectors that are changed
static const char *call_text(const languageText *t, const eqnFunction *f, int choice)
{
  const char *name = arena_format(t->arena, "%s_%d", f->name, choice + 1);
  valueList results = list_open(t), l = list_open(t);
  for (int k = 0; k < f->noutput; k++) add_vector(&results, f->output[k].name);
  for (int k = 0; k < f->ninput; k++) {
    if (emit_is_written(f, &f->input[k])) add_vector(&results, f->input[k].name);
  }
  list_add(&l, arena_format(t->arena, "%s(m.p, m.c.%s", name, name));
  for (int k = 0; k < f->ninput; k++) add_vector(&l, f->input[k].name);
  return arena_format(t->arena, "[%s] = %s, m.user);", results.value, l.value);
}


// A function that calls the functions of the choices from `first` on, which have it.
static void print_call(const languageText *t, const eqnFunction *of, int first)
{
  for (int i = 0; i < first; i++) {
    if (eqn_function(program_of(t, i), of->kind)) return;
  }
  language_section(t, "call", of->name, NULL, NULL);
  for (int i = first; i < count_choices(t); i++) {
    const eqnFunction *f = eqn_function(program_of(t, i), of->kind);
    if (f) language_section(t, "case", of->name, language_integer(t, i + 1), call_text(t, f, i));
  }
  language_section(t, "call end", NULL, NULL, NULL);
}


static void print_start(const languageText *t)
{
  language_section(t, "start", NULL, NULL, NULL);
  for (int i = 0; i < count_choices(t); i++) {
    const eqnProgram *p = program_of(t, i);
    for (int k = 0; k < p->nfunction; k++) {
      const char *name = arena_format(t->arena, "%s_%d", p->function[k].name, i + 1);
      language_section(t, "prepare", name, NULL, NULL);
    }
  }
  // results that the machine does not have are empty
  const struct {
    const char *name;
    int n;
  } vector[] = {{"a", machine_size(t->machine, MACHINE_NV)},
                {"qdot", machine_size(t->machine, MACHINE_NQ)},
                {"state_rate", machine_size(t->machine, MACHINE_NS)},
                {"power", 1},
                {"y", machine_size(t->machine, MACHINE_NY)}};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    language_section(t, "vector", language_integer(t, vector[i].n), vector[i].name, NULL);
  }
  language_section(t, "start end", NULL, NULL, NULL);
}

//---- the file ------------------------------------------------------------------------------------

static void print_file(void *context)
{
  const languageText *t = context;
  const emitSimulation *s = t->machine->simulation;
  language_section(t, "head", language_number(t, s->until), language_number(t, s->tolerance),
                   language_number(t, s->interval));
  language_section(t, "simulator", NULL, NULL, NULL);
  language_provenance(t);
  print_data(t);
  language_parameters(t);
  print_start(t);
  for (int i = 0; i < count_choices(t); i++) {
    const eqnProgram *p = program_of(t, i);
    for (int k = 0; k < p->nfunction; k++) print_call(t, &p->function[k], i);
  }
  language_section(t, "evaluation", NULL, NULL, NULL);
  for (int i = 0; i < count_choices(t); i++) {
    const emitJob *job = &t->machine->parts->part[i].job;
    if (!job_each_function(job, t->out, &matlab_syntax, writer_function)) error_throw();
  }
}


artStatus emit_ode45(FILE *file, const emitSimulation *s, const emitOptions *options,
                     artError *error)
{
  machineText machine;
  simulationParts parts;
  emitOptions own = *options;
  own.names_loops = 1;
  artStatus status = machine_open(&machine, &parts, file, s, 1, 0, &own, error);
  for (int i = 0; i < parts.n && status == ART_OK; i++) {
    parts.part[i].job.suffix = arena_format(&parts.arena, "_%d", i + 1);
    if (!parts.part[i].job.suffix) status = base_no_memory(error);
  }
  languageText t = {.language = &matlab, .machine = &machine, .out = file, .arena = &parts.arena};
  if (status == ART_OK) status = language_name(&t, error);
  parts.arena.leaves = 1;
  if (status == ART_OK && !error_catch(print_file, &t)) status = base_no_memory(error);
  return simulation_close(&parts, status, error);
}
