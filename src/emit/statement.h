// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements, which are wrapped and indented, and the writer that puts them out. Languages differ by a table of spellings and
// a few functions (emitSyntax).
#ifndef EMIT_STATEMENT_H
#define EMIT_STATEMENT_H

#include "emit/expression.h"
#include "emit/roll.h"

typedef struct emitWriter emitWriter;
struct emitJob;

// Iterations of Newton's method, in lines that begin with a tab for each depth. %d is the largest number of iterations,
// %s a residual and the limit of its square.
typedef struct emitNewton {
  const char *begin; // "for (int iteration = 0;; iteration++) {"
  int counts_rounds; // its %d is one more, the number of rounds
  const char *leave; // "if (%s <= %s) break;"
  const char *fail;  // "if (iteration == %d) return 1;"
  const char *end;   // "}"; NULL: nothing
  const char *test;  // without unknowns: "if (!(%s <= %s)) return 2;"
  const char *limit; // where the first iteration has another: "(iteration > 0 ? %s : %s)"
} emitNewton;

#define EMIT_C_NEWTON                                                                              \
  {                                                                                                \
    .begin = "for (int iteration = 0;; iteration++) {", .leave = "if (%s <= %s) break;",           \
    .fail = "if (iteration == %d) return 1;", .end = "}", .test = "if (!(%s <= %s)) return 2;",    \
    .limit = "(iteration > 0 ? %s : %s)"                                                           \
  }

// A text of a function: one of its parts, counted from 1, the equations of constants, or the function itself.
enum { WRITER_WHOLE = 0, WRITER_CONSTANTS = -1 };

typedef struct emitSyntax {
  const char *name, *ending; // of the language, "fortran", and of its files, ".f90"
  emitDialect dialect;
  const char *comment;   // how one begins, "//"
  const char *parameter; // "p->%s"
  const char *constant;  // "c->k[%d]"; its number begins where vectors begin
  const char *local;     // before a variable that is made where it is assigned, "const double "
  const char *end;       // of a statement, ";"
  const char *more;      // at the end of a line that goes on, " &"
  int width;             // columns
  int indent;            // spaces of one depth
  int statements;        // in one function; 0: functions are never cut

  int has_increment; // knows "x += y"
  const char
      *when; // before statements under the condition that a number is not 0, "if (%s != 0) {"
  const char *when_end; // and behind them, NULL: nothing
  const char
      *choice;   // the value assigned there, of condition, value and old value; NULL: the value
  int has_lanes; // all numbers are vectors, of several instances
  emitNewton newton;

  // Texts of functions.
  int depth;             // of their heads
  int is_prefixed;       // the name of the model stands before their names
  const char *call_part; // before the call of a part, "call "
  const char
      *part_end[2]; // behind its vectors, and where it has none, being of constants: ", s, user);"
  const char *remark; // below the comment on a function; %s: its name, the values that it returns
  const char *gap;    // blank lines behind it

  // The head of a text of a function with its declarations, for a body that is written already, and the lines behind the body.
  // The head returns whether a blank line at the beginning of the body stays.
  int (*head)(emitWriter *w, int which, const char *body);
  void (*foot)(emitWriter *w, int which);

  // The file before and behind all functions; `write` stands for all of it where a language does it in another order.
  int (*begin)(const struct emitJob *job);
  void (*finish)(const struct emitJob *job);
  int (*write)(const struct emitJob *job);

  // Sines and cosines that can be found together ahead of equations from .. to; NULL: one by one.
  void (*angles)(emitWriter *w, int from, int to, int depth, int is_new);

  // Statements before an equation; NULL: nothing.
  void (*before)(emitWriter *w, int equation, int depth);

  // A call of a user's function, whose result is a new variable or known already; variables that iterations over
  // equations from .. to change, NULL: they need no declaration; iterations that need other words than `newton`.
  void (*call)(emitWriter *w, int equation, int depth, int is_new);
  void (*declare)(emitWriter *w, int from, int to, int depth);
  void (*iterate)(emitWriter *w, const eqnStage *stage, int from, int to, int depth);
} emitSyntax;

extern const emitSyntax c_syntax, lanes_syntax, fortran_syntax, matlab_syntax, java_syntax,
    python_syntax;

struct emitWriter {
  FILE *out;
  const emitSyntax *syntax;
  const eqnProgram *program;
  const eqnFunction *function; // of the list
  const char *name;            // of the function in the text, "accelerate" or "four_bar_accelerate"
  const char *linkage;         // C: before its head, "" or "static "
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
  int *slot;        // [list->nnode] see emitScope
  int *angle;       // [nangle] nodes whose sines and cosines the present body finds together
  int nangle;
  int angle0;       // the first of those that have places now
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

//---- statements ----------------------------------------------------------------------------------

// A statement is printed with fprintf(w->statement, ...), then ended: wrapped, indented, put out. Lines of several
// statements are one by one; each tab at the beginning of a line makes it one deeper.
void writer_end(emitWriter *w, int depth);
void writer_put(emitWriter *w, int depth, const char *text, size_t length); // one that is ready
void writer_title(emitWriter *w, int depth, const char *title);
void writer_say(emitWriter *w, int depth, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Where a line of at most so much room ends, 0: nowhere; of statements and of comments.
size_t statement_break(const char *text, size_t length, size_t room);

// An operand as text of the writer's arena.
const char *writer_operand(emitWriter *w, int node);

// Arguments of a call, separated by commas, into the statement.
void writer_arguments(emitWriter *w, int equation);

// The function that an equation calls; whether the variable of an equation is a local one.
const eqnExternal *writer_called(const emitWriter *w, int equation);
int writer_is_call(const emitWriter *w, int equation);
int writer_is_local(const emitWriter *w, int equation);

// One equation; is_new: its variable is made here. Each is written once.
void writer_equation(emitWriter *w, int e, int depth, int is_new);

#endif
