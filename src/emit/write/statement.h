// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements, which are wrapped and indented, and the writer that puts them out.
#ifndef EMIT_STATEMENT_H
#define EMIT_STATEMENT_H

#include "emit/language/syntax.h"
#include "emit/write/roll.h"

struct emitWriter {
  FILE *out;
  const emitSyntax *syntax;
  const eqnProgram *program;
  const eqnFunction *function; // of the list
  const char *name;            // of the function in the text, "accelerate" or "four_bar_accelerate"
  int names_loops;             // C: returns 2 + the number of a block that it could not close
  const char *linkage;         // C: before its head, "" or "static "
  const eqnList *list;
  const char *const *external; // names of the user's functions
  emitScope scope;             // prints into the statement
  FILE *statement;             // being written
  char *text;                  // and what it holds
  size_t length;
  int limit;
  int *part;        // [list->n] number of the part that an equation is in, 0: whole
  int *begin;       // [number of parts + 1] first equation of each part, from 1 on
  int nshared;      // variables that several parts read
  int npart;        // of equations
  int nresult_part; // parts that write results come after these; 0: the function itself writes them
  int nconst;       // equations ahead of all
  int *slot;        // [list->nnode] see emitScope
  int *angle;       // [nangle] nodes whose sines and cosines the present body finds together
  int nangle;
  int angle0;       // the first of those that have places now
  int nmeeting;     // of threads of an instance, so far in the present body
  int nloop;        // iterations of Newton's method in the present body, where they have numbers
  char *together;   // [list->nnode] sines and cosines that were found so
  char *is_written; // [list->n] equations that were written ahead of their turn
  const char **loop_name;   // [list->n] names of variables in loops over branches; NULL: no loops
  const char **loop_symbol; // [symbols] the same of symbols
  int ntwin, *twin;         // constants that stand once more after the others, branch by branch
  char *is_gathered; // [list->nset + 1] sets of coordinates that the present body has side by side
  int is_recycled;   // names of variables are used again
  int *declared_in;  // [list->n] the last body that declares a variable, + 1
  int is_rolled;     // all variables are elements of vectors, and statements alike are in loops
  rollText *roll;    // where statements go then; NULL: they go out
  artPrecision precision;
  char *is_narrow;         // [list->n] equations in single precision (precision.c); NULL: none
  struct emitSpill *spill; // register spills (spill_text.h); NULL: none
  FILE *aside;             // where lines go when those that stand aside have ended, NULL: none do
  char *body;              // lines that stand aside, or have
  size_t body_length;
  baseArena arena; // texts; the work (base/leave.h) is left where memory runs out
};

//---- statements ----------------------------------------------------------------------------------

// A statement is printed with fprintf(w->statement, ...), then ended: wrapped, indented, put out. Lines of several
// statements are one by one; each tab at the beginning of a line makes it one deeper.
void writer_end(emitWriter *w, int depth);
void writer_put(emitWriter *w, int depth, const char *text, size_t length); // one that is ready
void writer_title(emitWriter *w, int depth, const char *title);
void writer_say(emitWriter *w, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Lines between these stand aside, since the head of their function declares variables that they need; their text lasts until the next do.
void writer_begin_aside(emitWriter *w);
const char *writer_end_aside(emitWriter *w);

// Where a line of at most so much room ends, 0: nowhere; of statements and of comments.
size_t statement_break(const char *text, size_t length, size_t room);

// The statement, which does not end, or an operand or a condition as text of the writer's arena.
const char *writer_take(emitWriter *w);
const char *writer_operand(emitWriter *w, int node);
const char *writer_condition(emitWriter *w, int node);

// Arguments of a call, separated by commas, into the statement.
void writer_arguments(emitWriter *w, int equation);

// The vector of an equation is what a function of the user finds: "w3 = user.NAME(", `before`, the arguments, `after`.
void writer_call_user(emitWriter *w, int equation, int depth, const char *before,
                      const char *after);

// The function that an equation calls; whether the variable of an equation is a local one.
const eqnExternal *writer_called(const emitWriter *w, int equation);
int writer_is_call(const emitWriter *w, int equation);
int writer_is_local(const emitWriter *w, int equation);

// Whether a body (WRITER_WHOLE or a part) must declare the variable of an equation: true once for each name. "double w1, w2;"
// at the head of a body whose names are used again.
int writer_must_declare(emitWriter *w, int equation, int which);
void writer_declare_recycled(emitWriter *w, int which, int depth);

// One equation; is_new: its variable is made here. Each is written once.
void writer_equation(emitWriter *w, int e, int depth, int is_new);

#endif
