// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Languages as tables: how each spells statements, functions and files, with a few functions for lines that are its own.
#ifndef EMIT_SYNTAX_H
#define EMIT_SYNTAX_H

#include "emit/write/expression.h"

typedef struct emitWriter emitWriter;
struct emitJob;

// Iterations of Newton's method, in lines that begin with a tab for each depth. %d is the largest number of iterations,
// %s a residual and the limit of its square.
typedef struct emitNewton {
  const char *begin; // "for (int iteration = 0;; iteration++) {"
  int counts_rounds; // its %d is one more, the number of rounds
  const char *leave; // "if (%s <= %s) break;"
  const char *fail;  // "if (iteration == %d) return %d;", the last is the status
  const char *end;   // "}"; NULL: nothing
  const char *test;  // without unknowns: "if (!(%s <= %s)) return 2;"
  const char *limit; // where the first iteration has another: "(iteration > 0 ? %s : %s)"
} emitNewton;

// Words that languages with the braces and loops of C have in common.
#define EMIT_BRACES                                                                                \
  .comment = "//", .end = ";", .more = "", .width = 100, .indent = 2, .has_increment = 1,          \
  .when_end = "}", .call_part = "", .part_end = {", s, user);", ");"},                             \
  .newton = {.begin = "for (int iteration = 0;; iteration++) {",                                   \
             .leave = "if (%s <= %s) break;",                                                      \
             .fail = "if (iteration == %d) return %d;",                                            \
             .end = "}",                                                                           \
             .test = "if (!(%s <= %s)) return 2;",                                                 \
             .limit = "(iteration > 0 ? %s : %s)"}

// A text of a function: one of its parts, counted from 1, the equations of constants, or the function itself.
enum { WRITER_WHOLE = 0, WRITER_CONSTANTS = -1 };

typedef struct emitSyntax {
  const char *name, *ending; // of the language, "fortran", and of its files, ".f90"
  emitDialect dialect;
  const emitDialect *single; // the same in single precision; NULL: there is none
  const char *comment;       // how one begins, "//"
  const char *parameter;     // "p->%s"
  const char *constant;      // "c->k[%d]"; its number begins where vectors begin
  const char *real;          // the type of numbers, "lanes"; NULL: as it is known
  const char *local;         // before a variable that is made where it is assigned, "const double "
  const char *end;           // of a statement, ";"
  const char *more;          // at the end of a line that goes on, " &"
  int width;                 // columns
  int indent;                // spaces of one depth
  int statements;            // in one function; 0: functions are never cut
  int uncut;                 // functions of up to this many statements are not cut all the same
  int may_be_long;           // compilers take functions of any length

  int has_increment;    // knows "x += y"
  const char *when;     // before statements under a condition, "if (%s) {"; NULL: all are evaluated
  const char *when_end; // and after them, NULL: nothing
  const char *choice;   // assigned there, of condition, value and old value; NULL: the value
  int has_lanes;        // all numbers are vectors, of several instances
  int has_free_places;  // values that parts share take places again that nobody reads any more
  const char *sincos;   // of single angles, "lanes_sincos"; NULL: they are found together
  emitNewton newton;

  // Texts of functions.
  int depth;                 // of their heads
  int is_prefixed;           // the name of the model comes before their names
  const char *call_part;     // before the call of a part, "call "
  const char *part_begin[2]; // before its vectors; of constants; NULL: "p, c"
  const char *part_end[2];   // after its vectors; of constants, where it has none: ", s, user);"
  const char *remark;        // below the comment on a function; %s: its name, the values it returns
  const char *gap;           // blank lines after it

  // The head of a text of a function with its declarations, for a body that is written already, and the lines after the body.
  // The head returns whether a blank line at the beginning of the body stays.
  int (*head)(emitWriter *w, int which, const char *body);
  void (*foot)(emitWriter *w, int which);

  // The file before and after all functions; `write` represents all of it where a language does it in another order.
  int (*begin)(const struct emitJob *job);
  void (*finish)(const struct emitJob *job);
  int (*write)(const struct emitJob *job);

  // Sines and cosines that can be found together ahead of equations from .. to; NULL: one by one.
  void (*angles)(emitWriter *w, int from, int to, int depth, int is_new);

  // Statements before an equation and after it; NULL: nothing.
  void (*before)(emitWriter *w, int equation, int depth);
  void (*after)(emitWriter *w, int equation, int depth);

  // A call of a user's function, whose result is a new variable or known already; variables that iterations over
  // equations from .. to change, NULL: they need no declaration; iterations that need other words than `newton`.
  void (*call)(emitWriter *w, int equation, int depth, int is_new);
  void (*declare)(emitWriter *w, int from, int to, int depth);
  void (*iterate)(emitWriter *w, const eqnStage *stage, int from, int to, int depth);
} emitSyntax;

extern const emitSyntax c_syntax, lanes_syntax, fortran_syntax, matlab_syntax, java_syntax,
    python_syntax, cuda_syntax, numpy_syntax, casadi_syntax, jax_syntax;

#endif
