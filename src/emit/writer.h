// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the writers of all languages share: names, parts of long functions, stages in order, statements
// that are wrapped. What differs is a table of spellings and a few functions (emitSyntax).
#ifndef EMIT_WRITER_H
#define EMIT_WRITER_H

#include "emit/roll.h"
#include "emit/text.h"

typedef struct emitWriter emitWriter;

typedef struct emitSyntax {
  const emitDialect *dialect;
  const char *comment;   // how one begins, "//"
  const char *parameter; // "p->%s"
  const char *constant;  // "c->k[%d]"; its number begins where vectors begin
  const char *local;     // before a variable that is made where it is assigned, "const double "
  const char *end;       // of a statement, ";"
  const char *more;      // at the end of a line that goes on, " &"
  int width;             // columns
  int statements;        // in one function; 0: functions are never cut

  int has_increment;    // knows "x += y"
  const char *when;     // before what is done where a number is not 0, "if (%s != 0) {"
  const char *when_end; // and behind it, NULL: nothing
  const char *choice;   // what is assigned there of condition, value and old value; NULL: the value
  int has_lanes;        // all numbers are vectors, of several instances

  // Sines and cosines that can be found together ahead of equations from .. to; NULL: one by one.
  void (*angles)(emitWriter *w, int from, int to, int depth, int is_new);

  // What stands before an equation; NULL: nothing.
  void (*before)(emitWriter *w, int equation, int depth);

  // What is said in other words: a call of a user's function, whose result is a new variable or known
  // already; a call of a part; the iterations of Newton's method.
  void (*call)(emitWriter *w, int equation, int depth, int is_new);
  void (*part)(emitWriter *w, int part, int depth);
  void (*newton)(emitWriter *w, const eqnStage *stage, int from, int to, int depth);
} emitSyntax;

struct emitWriter {
  FILE *out;
  const emitSyntax *syntax;
  const eqnProgram *program;
  const eqnFunction *function; // of the list
  const eqnList *list;
  const char *const *external; // names of the user's functions
  emitScope scope;             // prints into the statement
  FILE *statement;             // being written
  char *text;                  // and what it holds
  size_t length;
  int limit;
  int *part;        // [list->n] number of the part that an equation stands in, 0: whole
  int *begin;       // [number of parts + 1] first equation of each part, from 1 on
  int nshared;      // variables that several parts read
  int npart;        // of equations
  int nresult_part; // parts that write results come behind these; 0: the function itself writes them
  int nconst;       // equations ahead of all
  int indent;       // spaces of one depth
  int *slot;        // [list->nnode] see emitScope
  int *angle;       // [nangle] nodes whose sines and cosines the present body finds together
  int nangle;
  int angle0;       // the first of those that have places now
  int has_angles;   // some body does
  int nloop;        // iterations of Newton's method in the present body, where they have numbers
  char *together;   // [list->nnode] sines and cosines that were found so
  char *is_written; // [list->n] equations that were written ahead of their turn
  const char **
      loop_name; // [list->n] how variables are written in loops over branches; NULL: there are none
  const char **loop_symbol; // [symbols] the same of symbols
  int ntwin,
      *twin; // constants that stand behind the others once more, beside those of other branches
  char *is_gathered; // [list->nset + 1] sets of coordinates that the present body has side by side
  int is_rolled;     // all variables are elements of vectors, and statements alike stand in loops
  rollText *roll;    // where statements go then; NULL: they go out
  int no_memory;
  baseArena arena; // texts
};

//---- a function ----------------------------------------------------------------------------------

// Returns 0 when memory ran out.
int writer_open(emitWriter *w, FILE *out, const emitSyntax *syntax, const eqnList *list,
                const char *const *external, const emitOptions *options);
void writer_close(emitWriter *w);

// The same of a function whose statements go into loops (roll.h); the list has no branches alike.
int writer_open_rolled(emitWriter *w, FILE *out, const emitSyntax *syntax, const eqnList *list,
                       const char *const *external, const emitOptions *options);

// All stages and the results; equations of constants; equations of one part.
void writer_body(emitWriter *w, int depth);
void writer_constants(emitWriter *w, int depth);
void writer_part(emitWriter *w, int part, int depth);

// How many parts there are; equations of one; its stage, -1: constants; its title.
int writer_part_count(const emitWriter *w);
int writer_part_begin(const emitWriter *w, int part);
int writer_part_end(const emitWriter *w, int part);
int writer_part_stage(const emitWriter *w, int part);
const char *writer_part_title(const emitWriter *w, int part);

// Equations from one on to another in this function, calls of parts for the others.
void writer_run(emitWriter *w, int from, int to, int depth, int is_new);

// One equation; is_new: its variable is made here. Each is written once.
void writer_equation(emitWriter *w, int e, int depth, int is_new);

// Unknowns of Newton's method get their corrections.
void writer_increments(emitWriter *w, const eqnStage *stage, int depth);

// What a function returns in languages with statuses: "0, or 1 when ...", a sentence's end.
const char *writer_statuses(const eqnFunction *f);

// What a residual is held against, in an iteration with the number `iteration`, in languages with the choice of C.
enum { WRITER_LIMIT = 80 };
const char *writer_limit(const eqnStage *stage, char text[WRITER_LIMIT]);

// Iterations of Newton's method over equations from .. to, in languages with the loops of C.
void writer_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth);

//---- statements ----------------------------------------------------------------------------------

// A statement is printed with fprintf(w->statement, ...), then ended: wrapped, indented, put out.
void writer_end(emitWriter *w, int depth);
void writer_put(emitWriter *w, int depth, const char *text, size_t length); // one that is ready
void writer_title(emitWriter *w, int depth, const char *title);
void writer_say(emitWriter *w, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// An operand as text of the writer's arena.
const char *writer_operand(emitWriter *w, int node);

// Arguments of a call, separated by commas, into the statement.
void writer_arguments(emitWriter *w, int equation);

// The function that an equation calls; whether the variable of an equation is a local one.
const eqnExternal *writer_called(const emitWriter *w, int equation);
int writer_is_call(const emitWriter *w, int equation);
int writer_is_local(const emitWriter *w, int equation);

//---- what stands at the head of files and functions ----------------------------------------------

// Words of the user's inside of a comment, made such that they stay there in every language.
void emit_words(FILE *out, const char *text);

// A line of comment; a long one is wrapped.
void emit_comment(FILE *out, const char *comment, int indent, const char *text);
void emit_provenance(FILE *out, const eqnProgram *program, const char *comment);

// What a function does that the user of the text supplies as `call`.
void emit_external(FILE *out, const eqnExternal *x, const char *call, const char *comment,
                   int indent);

// One line for each parameter: head, label, value, and what it is.
void emit_parameters(FILE *out, const emitSyntax *syntax, const eqnProgram *program,
                     const char *head, int has_value, int indent);

// What a function does, its vectors, its operations.
void emit_about(FILE *out, const eqnList *list, const char *comment, int indent);

// Whether a function writes into an input vector.
int emit_is_written(const eqnFunction *f, const eqnVector *v);

#endif
