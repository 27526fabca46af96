// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines behind the interface of generated code in languages other than C. A template for each language (emit/texts/machine.*.in)
// says in its section "order" which of its sections and which of the pieces below its file consists of; pieces walk over what the
// machine has and print a section for each. How the machine works is one text for all languages (emit/machine/neutral.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/throw.h"
#include "emit/machine/machine.h"
#include "emit/machine/neutral.h"
#include "emit/write/writer.h"

//---- languages -----------------------------------------------------------------------------------

enum { RESULTS_LAST, RESULTS_FIRST, RESULTS_AND_WRITTEN }; // where results of a call stand

typedef struct machineLanguage {
  const emitSyntax *syntax;
  const char *const *text;
  int (*declare)(
      const emitJob *job); // parameters and functions of the user; returns 0 when memory ran out
  const char *call;        // of the function %s with its constants, "call %s(m%%p, m%%c%%%s"
  const char *room, *end;  // before each vector of a call, and behind all
  int results;
  int indent;            // of fields of the machine
  char quote, escape;    // around texts, and before characters ...
  const char *escaped;   // ... of these
  const char *joint;     // between pieces of long texts; NULL: they are not cut
  const char *limits[2]; // that are none
  int is_plain;          // sections without marks of their own have none, for marks are operators
} machineLanguage;

static int declare_matlab(const emitJob *job)
{
  job_list_matlab_externals(job);
  job_define_matlab_helpers(job);
  return job_declare_matlab(job);
}


static const machineLanguage languages[EMIT_LANGUAGES] = {
    [EMIT_FORTRAN] = {.syntax = &fortran_syntax,
                      .text = machine_f90_text,
                      .declare = job_declare_fortran,
                      .call = "call %s(m%%p, m%%c%%%s",
                      .room = "m%w%",
                      .end = ", status)",
                      .results = RESULTS_LAST,
                      .indent = 4,
                      .quote = '"',
                      .escape = '"',
                      .escaped = "\"",
                      .joint = " // &\n        ",
                      .limits = {"-huge(0d0)", "huge(0d0)"}},
    [EMIT_MATLAB] = {.syntax = &matlab_syntax,
                     .text = machine_m_text,
                     .declare = declare_matlab,
                     .call = "%s(m.p, m.c.%s",
                     .room = "m.w_",
                     .end = ", m.user);",
                     .results = RESULTS_AND_WRITTEN,
                     .indent = 2,
                     .quote = '\'',
                     .escape = '\'',
                     .escaped = "'",
                     .limits = {"-Inf", "Inf"},
                     .is_plain = 1},
    [EMIT_JAVA] = {.syntax = &java_syntax,
                   .text = machine_java_text,
                   .declare = job_declare_java,
                   .call = "%s(p, c_%s",
                   .room = "w_",
                   .end = ", user);",
                   .results = RESULTS_LAST,
                   .indent = 2,
                   .quote = '"',
                   .escape = '\\',
                   .escaped = "\"\\",
                   .limits = {"Double.NEGATIVE_INFINITY", "Double.POSITIVE_INFINITY"}},
    [EMIT_PYTHON] = {.syntax = &python_syntax,
                     .text = machine_py_text,
                     .declare = job_declare_python,
                     .call = "%s(self.p, self._c[\"%s\"]",
                     .room = "self._w.",
                     .end = ", self.user)",
                     .results = RESULTS_FIRST,
                     .indent = 8,
                     .quote = '"',
                     .escape = '\\',
                     .escaped = "\"\\",
                     .limits = {"-math.inf", "math.inf"}},
};

typedef struct machineWalk {
  const machineLanguage *language;
  const machineText *machine;
  FILE *out;
  baseArena *arena; // which leaves the work where memory runs out
  neutralJob neutral;
} machineWalk;


static const eqnProgram *program_of(const machineWalk *w, int choice)
{
  ART_ASSERT(choice >= 0 && choice < w->machine->parts->n);
  return &w->machine->parts->part[choice].program;
}


static const char *integer_text(machineWalk *w, int i)
{
  return arena_format(w->arena, "%d", i);
}


static void walk_print_section(machineWalk *w, const char *section, const char *function,
                               const char *word, const char *other)
{
  const int has_marks = function || word || other || !w->language->is_plain;
  template_print(w->out, w->language->text, section,
                 &(templateValues){.name = has_marks ? w->machine->name : NULL,
                                   .function = function,
                                   .word = word,
                                   .other = other,
                                   .conditions = w->machine->where});
}

//---- lists of values -----------------------------------------------------------------------------

// Values one behind the other, of which no one is cut at the end of a line.
typedef struct valueList {
  machineWalk *walk;
  char *text;
  int length, room, n;
  size_t column;
} valueList;


static void list_put(valueList *l, char c)
{
  l->text = arena_grow(l->walk->arena, l->text, l->length + 1, &l->room, 1);
  l->text[l->length++] = c;
  l->text[l->length] = 0;
}


static void list_say(valueList *l, const char *text)
{
  for (; *text; text++) list_put(l, *text);
}


static valueList list_open(machineWalk *w)
{
  return (valueList){.walk = w, .text = arena_text(w->arena, ""), .room = 1, .column = 30};
}


static void list_add(valueList *l, const char *value)
{
  const emitSyntax *syntax = l->walk->language->syntax;
  const char *line = strrchr(value, '\n');
  const size_t first = strcspn(value, "\n"), room = (size_t) syntax->width - strlen(syntax->more);
  if (l->n++ > 0) list_put(l, ',');
  if (l->n > 1 && l->column + first + 3 > room) {
    list_say(l, syntax->more);
    list_say(l, "\n        ");
    l->column = 8;
  } else if (l->n > 1) {
    list_put(l, ' ');
  }
  list_say(l, value);
  l->column = line ? strlen(line) : l->column + first + 2;
}


// texts of which the longer ones are cut where the language has short lines only
static const char *walk_quoted_text(machineWalk *w, const char *text)
{
  enum { PIECE = 60 };
  const machineLanguage *l = w->language;
  valueList out = list_open(w);
  list_put(&out, l->quote);
  int column = 0;
  for (const char *c = text ? text : ""; *c; c++) {
    const int is_begin = ((unsigned char) *c & 0xC0) != 0x80; // of a character in UTF-8
    if (l->joint && ++column > PIECE && is_begin) {
      list_put(&out, l->quote);
      list_say(&out, l->joint);
      list_put(&out, l->quote);
      column = 1;
    }
    if (strchr(l->escaped, *c)) list_put(&out, l->escape);
    list_put(&out, (unsigned char) *c < ' ' ? ' ' : *c);
  }
  list_put(&out, l->quote);
  return out.text;
}


static const char *number_text(machineWalk *w, double x)
{
  char text[64] = "";
  if (isinf(x)) return w->language->limits[x > 0];
  FILE *out = fmemopen(text, sizeof text, "w");
  if (!out) error_throw();
  emit_number(out, &w->language->syntax->dialect, x);
  fclose(out);
  return arena_text(w->arena, text);
}

//---- the machine in data -------------------------------------------------------------------------

static int count_strains(const machineWalk *w, int choice)
{
  const eqnFunction *f = eqn_function(program_of(w, choice), EQN_STRAIN);
  return f ? f->output[0].n : 0;
}


static int longest_text(const machineWalk *w)
{
  const machineText *t = w->machine;
  const eqnProgram *p = program_of(w, 0);
  size_t most = 80;
  if (p->title && strlen(p->title) > most) most = strlen(p->title);
  if (strlen(p->source) > most) most = strlen(p->source);
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    for (int i = 0; machine_entry(t, k, i, &e); i++) {
      const char *const word[] = {e.name, e.unit, e.remark};
      for (int j = 0; j < 3; j++) {
        if (word[j] && strlen(word[j]) > most) most = strlen(word[j]);
      }
    }
  }
  for (int i = 0; i < t->parts->n; i++) {
    for (int k = 0; k < count_strains(w, i); k++) {
      const size_t length = strlen(t->simulation->joints[i][k]);
      if (length > most) most = length;
    }
  }
  return (int) most;
}


static int count_latch_holds(const emitSimulation *s)
{
  int n = 0;
  for (int i = 0; i < s->nlatch; i++) n += s->latch[i].nhold;
  return n;
}


// the whole state and work
static int count_whole_state(const machineText *t)
{
  return machine_size(t, MACHINE_NQ) + machine_size(t, MACHINE_NV) + machine_size(t, MACHINE_NS) +
         1;
}


// All lengths, how many choices, clocks, jumps of drives there are; the longest text.
static void walk_print_sizes(machineWalk *w)
{
  const emitSimulation *s = w->machine->simulation;
  for (int i = 0; i < MACHINE_SIZES; i++) {
    walk_print_section(w, "size", machine_sizes[i].what, machine_sizes[i].name,
                       integer_text(w, machine_size(w->machine, i)));
  }
  int quaternions = 0;
  const eqnVector *q = &eqn_function(program_of(w, 0), EQN_ACCELERATE)->input[1];
  for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) quaternions++;
  walk_print_section(w, "inner size", NULL, "NALL", integer_text(w, count_whole_state(w->machine)));
  walk_print_section(w, "inner size", NULL, "NCHOICE", integer_text(w, w->machine->parts->n));
  walk_print_section(w, "inner size", NULL, "NCLOCK", integer_text(w, s->nclock));
  walk_print_section(w, "inner size", NULL, "NINPUT", integer_text(w, s->ninput));
  walk_print_section(w, "inner size", NULL, "NRELAY", integer_text(w, s->nrelay));
  walk_print_section(w, "inner size", NULL, "NSIDE", integer_text(w, s->nside));
  walk_print_section(w, "inner size", NULL, "NLATCH", integer_text(w, s->nlatch));
  walk_print_section(w, "inner size", NULL, "NHOLD", integer_text(w, count_latch_holds(s)));
  walk_print_section(w, "inner size", NULL, "NCORNER", integer_text(w, s->ncorner));
  walk_print_section(w, "inner size", NULL, "NQUATERNION", integer_text(w, quaternions));
  walk_print_section(w, "inner size", NULL, "NTEXT", integer_text(w, longest_text(w)));
}


static void print_about(machineWalk *w)
{
  const eqnProgram *p = program_of(w, 0);
  walk_print_section(w, "about", walk_quoted_text(w, w->machine->name),
                     walk_quoted_text(w, p->title), walk_quoted_text(w, p->source));
}


// name, unit, remark, value, limits
static const char *entry_text(machineWalk *w, const emitEntry *e)
{
  valueList l = list_open(w);
  list_add(&l, walk_quoted_text(w, e->name));
  list_add(&l, walk_quoted_text(w, e->unit));
  list_add(&l, walk_quoted_text(w, e->remark));
  list_add(&l, number_text(w, e->value));
  list_add(&l, number_text(w, e->lower));
  list_add(&l, number_text(w, e->upper));
  return l.text;
}


static void walk_print_lists(machineWalk *w)
{
  for (int k = 0; k < MACHINE_LISTS; k++) {
    emitEntry e;
    int n = 0;
    while (machine_entry(w->machine, k, n, &e)) n++;
    walk_print_section(w, "list", integer_text(w, n), machine_lists[k], NULL);
    for (int i = 0; i < n && machine_entry(w->machine, k, i, &e); i++) {
      walk_print_section(w, "entry", integer_text(w, i + w->language->syntax->dialect.first),
                         machine_lists[k], entry_text(w, &e));
    }
    walk_print_section(w, "list end", integer_text(w, n), machine_lists[k], NULL);
  }
}


static void print_table(machineWalk *w, const char *section, const char *name, const valueList *l)
{
  walk_print_section(w, section, integer_text(w, l->n), name, l->text);
}


static void walk_print_numbers(machineWalk *w, const char *name, int n, const double *x)
{
  valueList l = list_open(w);
  for (int i = 0; i < n; i++) list_add(&l, number_text(w, x[i]));
  print_table(w, "numbers", name, &l);
}


// blocks of coordinates that a choice closes one after the other
static int count_loops(const machineWalk *w, int choice)
{
  const eqnFunction *f = eqn_function(program_of(w, choice), EQN_ACCELERATE);
  int n = 0;
  for (int k = 0; k < f->nstage; k++) n += f->stage[k].block > 0;
  return n;
}


// How many entries of a table belong to the choices before each, and in all.
static void print_begins(machineWalk *w, const char *name,
                         int (*count)(const machineWalk *w, int choice))
{
  valueList l = list_open(w);
  int n = 0;
  list_add(&l, "0");
  for (int i = 0; i < w->machine->parts->n; i++) list_add(&l, integer_text(w, n += count(w, i)));
  print_table(w, "integers", name, &l);
}


// Of all choices, one behind the other: strains where they were made, the joints of these, and loops.
static void walk_print_strains(machineWalk *w)
{
  const emitSimulation *s = w->machine->simulation;
  valueList made = list_open(w), joints = list_open(w), loops = list_open(w);
  for (int i = 0; i < w->machine->parts->n; i++) {
    for (int k = 0; k < count_strains(w, i); k++) {
      list_add(&made, number_text(w, s->strain[i][k]));
      list_add(&joints, walk_quoted_text(w, s->joints[i][k]));
    }
    for (int k = 0; k < count_loops(w, i); k++)
      list_add(&loops, walk_quoted_text(w, s->loops[i][k]));
  }
  print_table(w, "numbers", "made", &made);
  print_table(w, "texts", "joints", &joints);
  print_table(w, "texts", "loops", &loops);
  print_begins(w, "made_begin", count_strains);
  print_begins(w, "loops_begin", count_loops);
}


// free coordinates of all choices, with the number before the first behind the coordinates of a choice that has fewer; how many each
// has, and whether it has derivatives along all coordinates
static void print_free(machineWalk *w)
{
  const int first = w->language->syntax->dialect.first, n = machine_size(w->machine, MACHINE_NFREE);
  valueList free = list_open(w), count = list_open(w), open = list_open(w);
  for (int i = 0; i < w->machine->parts->n; i++) {
    const eqnProgram *p = program_of(w, i);
    for (int k = 0; k < n; k++) {
      list_add(&free, integer_text(w, first + (k < p->nfree ? p->free[k] : -1)));
    }
    list_add(&count, integer_text(w, p->nfree));
    list_add(&open, integer_text(w, machine_is_open(p)));
  }
  print_table(w, "integers", "free_of", &free);
  print_table(w, "integers", "nfree_of", &count);
  print_table(w, "integers", "is_open", &open);
}


static void print_quaternions(machineWalk *w)
{
  const eqnVector *q = &eqn_function(program_of(w, 0), EQN_ACCELERATE)->input[1];
  valueList places = list_open(w);
  for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
    list_add(&places, integer_text(w, i));
  }
  print_table(w, "integers", "quaternion", &places);
}


// inputs and held values at the beginning
static void print_inputs(machineWalk *w)
{
  const emitEntries *inputs = &w->machine->simulation->inputs;
  valueList l = list_open(w);
  for (int i = 0; i < inputs->n; i++) list_add(&l, number_text(w, inputs->entry[i].value));
  print_table(w, "numbers", "input_value", &l);
}


static void print_integers(machineWalk *w, const char *name, int n, const int *x)
{
  valueList l = list_open(w);
  for (int i = 0; i < n; i++) list_add(&l, integer_text(w, x[i]));
  print_table(w, "integers", name, &l);
}


// Which latches are ropes, where the numbers begin at which the others hold, what each counts in a set of engaged ones, and the
// set that each choice is for; all choices are for any where one program has all latches.
static void walk_print_latches(machineWalk *w)
{
  const emitSimulation *s = w->machine->simulation;
  const size_t n = (size_t) s->nlatch + 1;
  int *rope = arena_alloc(w->arena, n, sizeof *rope);
  int *first = arena_alloc(w->arena, n, sizeof *first);
  int *bit = arena_alloc(w->arena, n, sizeof *bit);
  for (int i = 0; i < s->nlatch; i++) {
    rope[i] = s->latch[i].is_rope;
    first[i + 1] = first[i] + s->latch[i].nhold;
    bit[i] = s->is_masked ? 0 : 1 << i;
  }
  print_integers(w, "is_rope", s->nlatch, rope);
  print_integers(w, "first_hold", s->nlatch + 1, first);
  print_integers(w, "latch_bit", s->nlatch, bit);
  print_integers(w, "set_of", w->machine->parts->n, s->set);
}


// Numbers that the machine of this kind has.
static void print_tables(machineWalk *w)
{
  const emitSimulation *s = w->machine->simulation;
  const templateCondition *where = w->machine->where;
  walk_print_numbers(w, "interval", 2, (const double[]){s->from, s->known_until});
  if (where[MACHINE_QUATERNIONS].holds) print_quaternions(w);
  if (where[MACHINE_JUMPS].holds) {
    walk_print_numbers(w, "corner", s->ncorner * (1 + s->ndrive), s->corner);
  }
  if (where[MACHINE_LOOPS].holds) walk_print_strains(w);
  if (where[MACHINE_LINEAR].holds) print_free(w);
  if (where[MACHINE_HELD].holds) print_inputs(w);
  if (where[MACHINE_RELAYS].holds) walk_print_numbers(w, "at_rest", s->nrelay, s->rest);
  if (where[MACHINE_LATCHES].holds) walk_print_latches(w);
}

//---- calls of equations --------------------------------------------------------------------------

// The vector of the machine that a function reads or writes by a name of its own.
static const char *vector_of(const eqnFunction *f, const char *name, int is_output)
{
  if (strcmp(name, "load") == 0) return "tau";
  return is_output && f->kind == EQN_MACHINE_INVERSE ? "force" : name;
}


static void add_walk_vector(machineWalk *w, valueList *l, const eqnFunction *f, const char *name,
                            int is_output)
{
  const char *own = vector_of(f, name, is_output);
  list_add(l, arena_format(w->arena, "%s%s", w->language->room, own));
}


// "w.a, w.q = ", where results come first
static const char *results_text(machineWalk *w, const eqnFunction *f)
{
  const int style = w->language->results;
  valueList l = list_open(w);
  for (int k = 0; k < f->noutput && style != RESULTS_LAST; k++) {
    add_walk_vector(w, &l, f, f->output[k].name, 1);
  }
  for (int k = 0; k < f->ninput && style == RESULTS_AND_WRITTEN; k++) {
    if (emit_is_written(f, &f->input[k])) add_walk_vector(w, &l, f, f->input[k].name, 0);
  }
  const char *text = l.text;
  if (style == RESULTS_LAST) return "";
  return arena_format(w->arena, style == RESULTS_FIRST ? "%s = " : "[%s] = ", text);
}


static const char *walk_call_text(machineWalk *w, const eqnFunction *f, int choice)
{
  const machineLanguage *own = w->language;
  const char *name = arena_format(w->arena, "%s_%d", f->name, choice + 1);
  valueList l = list_open(w);
  list_add(&l, arena_format(w->arena, own->call, name, name));
  for (int k = 0; k < f->ninput; k++) add_walk_vector(w, &l, f, f->input[k].name, 0);
  for (int k = 0; k < f->noutput && own->results == RESULTS_LAST; k++) {
    add_walk_vector(w, &l, f, f->output[k].name, 1);
  }
  const char *results = results_text(w, f), *call = l.text;
  return arena_format(w->arena, "%s%s%s", results, call, own->end);
}


static int is_tangent(const eqnFunction *f)
{
  return f->kind == EQN_ACCELERATE_TANGENT || f->kind == EQN_OUTPUTS_TANGENT;
}


// A function that calls the functions of the choices from `first` on, which have it.
static void walk_print_call(machineWalk *w, const eqnFunction *of, int first)
{
  for (int i = 0; i < first; i++) {
    if (eqn_function(program_of(w, i), of->kind)) return;
  }
  const char *name = of->name;
  walk_print_section(w, "call", name, NULL, NULL);
  for (int i = first; i < w->machine->parts->n; i++) {
    const eqnFunction *f = eqn_function(program_of(w, i), of->kind);
    const char *const number = integer_text(w, i + 1);
    if (f) walk_print_section(w, "case", name, number, walk_call_text(w, f, i));
    if (!f && is_tangent(of)) walk_print_section(w, "no case", name, number, NULL);
  }
  walk_print_section(w, "call end", name, NULL, NULL);
}


// A function of the machine for each kind of equations, which calls the functions of the choice.
static void print_calls(machineWalk *w)
{
  for (int i = 0; i < w->machine->parts->n; i++) {
    const eqnProgram *p = program_of(w, i);
    for (int k = 0; k < p->nfunction; k++) walk_print_call(w, &p->function[k], i);
  }
}


// a section for every function of every choice
static void print_each_function(machineWalk *w, const char *section)
{
  for (int i = 0; i < w->machine->parts->n; i++) {
    const eqnProgram *p = program_of(w, i);
    for (int k = 0; k < p->nfunction; k++) {
      const char *name = arena_format(w->arena, "%s_%d", p->function[k].name, i + 1);
      const emitJob *job = &w->machine->parts->part[i].job;
      const int n = machine_constants(job, w->language->syntax, k);
      if (n < 0) error_throw();
      walk_print_section(w, section, name, integer_text(w, n), NULL);
    }
  }
}


static void print_constants(machineWalk *w)
{
  print_each_function(w, "constants");
}


static void print_prepare(machineWalk *w)
{
  print_each_function(w, "prepare");
}

//---- vectors of calls ----------------------------------------------------------------------------

static int is_earlier(const machineWalk *w, int choice, eqnFunctionKind function, const char *name)
{
  for (int i = 0; i < choice; i++) {
    const eqnFunction *f = eqn_function(program_of(w, i), function);
    for (int k = 0; f && k < f->noutput; k++) {
      if (strcmp(f->output[k].name, name) == 0) return 1;
    }
  }
  return 0;
}


// Of derivatives along free coordinates some choices have more columns than others where there are latches.
static int matrix_size(const machineWalk *w, const eqnProgram *p, const eqnVector *y)
{
  const int nv = machine_size(w->machine, MACHINE_NV),
            nfree = machine_size(w->machine, MACHINE_NFREE);
  const char way = y->name[strlen(y->name) - 1];
  const int columns = machine_is_open(p) ? nv : p->nfree;
  if (w->machine->simulation->nlatch == 0 || !strchr("qv", way) || columns == 0) return y->n;
  return strcmp(y->name, "dq_q") == 0 ? nfree * nv : y->n / columns * nv;
}


// Every matrix of derivatives.
static void each_matrix(machineWalk *w, void (*visit)(machineWalk *w, const char *name, int n))
{
  for (int i = 0; i < w->machine->parts->n; i++) {
    const eqnProgram *p = program_of(w, i);
    for (int j = 0; j < p->nfunction; j++) {
      const eqnFunction *f = &p->function[j];
      for (int k = 0; is_tangent(f) && k < f->noutput; k++) {
        const eqnVector *y = &f->output[k];
        if (!is_earlier(w, i, f->kind, y->name)) visit(w, y->name, matrix_size(w, p, y));
      }
    }
  }
}


static void walk_print_vector(machineWalk *w, const char *name, int n)
{
  walk_print_section(w, "vector", integer_text(w, n), name, NULL);
}


// All vectors that equations read and write; vectors of which a machine has none are empty.
static void print_room(machineWalk *w)
{
  const machineText *t = w->machine;
  int strains = 0;
  for (int i = 0; i < t->parts->n; i++) strains = (int) fmax(strains, count_strains(w, i));
  const int nq = machine_size(t, MACHINE_NQ), nv = machine_size(t, MACHINE_NV),
            ns = machine_size(t, MACHINE_NS), nu = machine_size(t, MACHINE_NU);
  const struct {
    const char *name;
    int n;
  } vector[] = {{"t", 1},
                {"q", nq},
                {"v", nv},
                {"state", ns},
                {"blow", machine_size(t, MACHINE_NDRIVE)},
                {"tau", nv},
                {"u", nu},
                {"side", 1 + t->simulation->nside},
                {"due", t->simulation->nclock},
                {"clocks", 2 * t->simulation->nclock},
                {"u_next", nu},
                {"run", 7},
                {"a", nv},
                {"state_rate", ns},
                {"power", 1},
                {"qdot", nq},
                {"y", machine_size(t, MACHINE_NY)},
                {"g", machine_size(t, MACHINE_NEVENT)},
                {"margin", t->simulation->nrelay},
                {"hold", count_latch_holds(t->simulation)},
                {"force", machine_size(t, MACHINE_NACTUATOR)},
                {"square", strains},
                {"e", 3}};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
    walk_print_vector(w, vector[i].name, vector[i].n);
  }
  each_matrix(w, walk_print_vector);
}


typedef struct blockWalk {
  machineWalk *walk;
  int choice;
} blockWalk;


static void walk_print_block(void *context, const machineBlock *b)
{
  const blockWalk *x = context;
  machineWalk *w = x->walk;
  const eqnFunctionKind function = b->from[0] == 'y' ? EQN_OUTPUTS_TANGENT : EQN_ACCELERATE_TANGENT;
  if (is_earlier(w, x->choice, function, b->from)) return;
  const char *const value[] = {b->width,
                               b->row,
                               b->column,
                               b->rows,
                               b->are_rows_free ? "free" : "all",
                               b->columns,
                               b->are_columns_free ? "way" : "all",
                               arena_format(w->arena, "%s%s", w->language->room, b->from),
                               b->stride};
  valueList l = list_open(w);
  for (size_t i = 0; i < sizeof value / sizeof *value; i++) list_add(&l, value[i]);
  walk_print_section(w, "put", NULL, b->into, l.text);
}


static void print_blocks(machineWalk *w)
{
  for (int i = 0; i < w->machine->parts->n; i++) {
    blockWalk context = {w, i};
    machine_each_block(program_of(w, i), walk_print_block, &context);
  }
}

//---- the file ------------------------------------------------------------------------------------

static void print_parameters(machineWalk *w)
{
  emitJob job = w->machine->parts->part[0].job;
  job.program = w->machine->simulation->program[0];
  job.suffix = "";
  if (!w->language->declare(&job)) error_throw();
}


static void walk_print_fields(machineWalk *w)
{
  neutral_print_fields(&w->neutral, w->language->indent);
}


static void add_clear(machineWalk *w, const char *name, int n)
{
  (void) n;
  ART_ASSERT(w->neutral.nclear < NEUTRAL_CLEAR);
  w->neutral.clear[w->neutral.nclear++] = name;
}


static void print_logic(machineWalk *w)
{
  each_matrix(w, add_clear);
  neutral_print_routines(&w->neutral);
}


// A function that integrates the motion by ode45, around the machine.
static void walk_print_simulator(machineWalk *w)
{
  const emitSimulation *s = w->machine->simulation;
  template_print(w->out, ode45_text, "head",
                 &(templateValues){.name = w->machine->name,
                                   .function = number_text(w, s->until),
                                   .word = number_text(w, s->tolerance),
                                   .other = number_text(w, s->interval)});
  template_print(w->out, ode45_text, "simulator",
                 &(templateValues){.conditions = w->machine->where});
}


static void walk_print_equations(machineWalk *w)
{
  for (int i = 0; i < w->machine->parts->n; i++) {
    const emitJob *job = &w->machine->parts->part[i].job;
    if (!job_each_function(job, w->out, w->language->syntax, writer_function)) error_throw();
  }
}


static void walk_print_head(machineWalk *w)
{
  emit_provenance(w->out, program_of(w, 0), w->language->syntax->comment);
}


// Sections of the template and pieces, in the order of its section "order".
static void print_file(void *context)
{
  machineWalk *w = context;
  static const struct {
    const char *name;
    void (*print)(machineWalk *w);
  } piece[] = {{"<provenance>", walk_print_head},
               {"<parameters>", print_parameters},
               {"<sizes>", walk_print_sizes},
               {"<about>", print_about},
               {"<lists>", walk_print_lists},
               {"<tables>", print_tables},
               {"<room>", print_room},
               {"<constants>", print_constants},
               {"<prepare>", print_prepare},
               {"<calls>", print_calls},
               {"<fields>", walk_print_fields},
               {"<logic>", print_logic},
               {"<blocks>", print_blocks},
               {"<equations>", walk_print_equations},
               {"<simulator>", walk_print_simulator}};
  const char *const *line = template_section(w->language->text, "order");
  for (; !template_is_end(*line); line++) {
    const char *word = template_line(*line, w->machine->where);
    size_t k = 0;
    while (k < sizeof piece / sizeof *piece && word && strcmp(piece[k].name, word) != 0) k++;
    if (!word) continue;
    if (k < sizeof piece / sizeof *piece) {
      piece[k].print(w);
    } else {
      walk_print_section(w, word, NULL, NULL, NULL);
    }
  }
}


// Letters, digits and underscores, the first no digit.
static int is_identifier(const char *name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return *name && strspn(name, letters) == strlen(name) && !strchr("0123456789", *name);
}


// MATLAB and Java go by the name of the file.
static artStatus choose_name(machineText *t, emitLanguage language, baseArena *arena,
                             artError *error)
{
  const char *file = t->simulation->name;
  const int is_of_file = language == EMIT_MATLAB || language == EMIT_JAVA;
  if (is_of_file && file && is_identifier(file)) t->name = file;
  if (language == EMIT_FORTRAN) t->name = arena_format(arena, "%.50s", t->name);
  return t->name ? job_check_name(t->name, language, error) : base_no_memory(error);
}


// Where a line of Fortran can be cut within its 132 columns: behind the last comma or blank that stands in no text. 0: it
// cannot, or need not, for what is too long is a comment.
static size_t find_cut(const char *line, size_t n)
{
  enum { MOST = 122, LAST = MOST - 4 }; // 8 blanks may stand before it, 2 signs behind it
  size_t cut = 0, begin = strspn(line, " ");
  char quote = 0;
  for (size_t i = begin; i < n && i < LAST; i++) {
    const char c = line[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '!') {
      return 0;
    } else if (c == ',' || c == ' ') {
      cut = i + 1;
    }
  }
  return n > MOST ? cut : 0;
}


static void print_cut(FILE *out, const char *text)
{
  while (*text) {
    size_t n = strcspn(text, "\n"), cut;
    while ((cut = find_cut(text, n)) > 0) {
      fprintf(out, "%.*s &\n        ", (int) cut, text);
      text += cut;
      n -= cut;
    }
    fprintf(out, "%.*s\n", (int) n, text);
    text += n + (text[n] == '\n');
  }
}


static artStatus write_machine_language(FILE *file, const emitSimulation *s, emitLanguage language,
                                        int is_program, const emitOptions *options, artError *error)
{
  machineText t;
  simulationParts parts;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return base_no_memory(error);
  artStatus status = machine_open(&t, &parts, out, s, is_program, 0, options, error);
  for (int i = 0; i < parts.n && status == ART_OK; i++) {
    parts.part[i].job.suffix = arena_format(&parts.arena, "_%d", i + 1);
    if (!parts.part[i].job.suffix) status = base_no_memory(error);
  }
  if (status == ART_OK) status = choose_name(&t, language, &parts.arena, error);
  const machineLanguage *l = &languages[language];
  machineWalk w = {
      .language = l,
      .machine = &t,
      .out = out,
      .arena = &parts.arena,
      .neutral = {out, &parts.arena, language, t.name, l->room, t.where, 0, {0}},
  };
  const int is_described = status == ART_OK && machine_describe(&t, options->about);
  parts.arena.leaves = 1;
  if (status == ART_OK && !(is_described && error_catch(print_file, &w))) {
    status = base_no_memory(error);
  }
  status = simulation_close(&parts, status, error);
  if (fclose(out) != 0 && status == ART_OK) status = base_no_memory(error);
  if (status == ART_OK && language == EMIT_FORTRAN) print_cut(file, text);
  if (status == ART_OK && language != EMIT_FORTRAN) fputs(text, file);
  free(text);
  if (status != ART_OK || !ferror(file)) return status;
  return base_fail(error, ART_IO, base_nowhere(), "the generated text could not be written");
}


artStatus emit_machine_language(FILE *file, const emitSimulation *s, emitLanguage language,
                                const emitOptions *options, artError *error)
{
  return write_machine_language(file, s, language, 0, options, error);
}


artStatus emit_ode45(FILE *file, const emitSimulation *s, const emitOptions *options,
                     artError *error)
{
  emitOptions own = *options;
  own.names_loops = 1;
  return write_machine_language(file, s, EMIT_MATLAB, 1, &own, error);
}
