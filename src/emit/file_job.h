// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A program on its way into a file.
#ifndef EMIT_FILE_JOB_H
#define EMIT_FILE_JOB_H

#include "emit/write/writer.h"

typedef struct emitJob {
  FILE *out;
  const eqnProgram *program;
  const emitOptions *options;
  eqnList *const *list;        // [nfunction]
  const char *is_rolled;       // [nfunction] whether statements are in loops (roll.h)
  const char *const *external; // [nexternal] names of the user's functions
  const char *linkage;         // C: before heads of functions, "" or "static "
  const char *parameters; // C: the machine whose parameters these functions read; NULL: their own
  const char *suffix;     // MATLAB: after the names of functions, ""
  baseArena arena;
} emitJob;

// Whether equations of branches that are built alike may be in loops.
typedef enum emitShape { EMIT_SINGLE, EMIT_LOOPS } emitShape;

// The list of a function as jobs have it; NULL when memory ran out.
eqnList *emit_list(const eqnProgram *program, int function, const emitOptions *options,
                   emitShape shape);

artStatus job_open(emitJob *job, FILE *out, const eqnProgram *program, const emitOptions *options,
                   emitShape shape, artError *error);
artStatus job_close(emitJob *job, artStatus status, artError *error); // returns the status

// A name of a machine that is in texts of a language already is ART_BAD_INPUT.
artStatus job_check_name(const char *name, emitLanguage language, artError *error);

// Open each function of the program for a language and visit it. Returns 0 when memory ran out.
int job_each_function(const emitJob *job, FILE *out, const emitSyntax *syntax,
                      void (*visit)(emitWriter *w));

// Whether the C of a long function is much shorter with statements in loops.
int job_pays_to_roll(const emitJob *job, const eqnList *list);

// Pieces of MATLAB: functions to be supplied by the user; functions that all others call.
void job_list_matlab_externals(const emitJob *job);
void job_define_matlab_helpers(const emitJob *job);

// Parameters and functions to be supplied by the user, as files of other languages declare them. Return 0 when memory ran out.
void job_declare_python_parameters(
    const emitJob *job); // without the functions that texts of lists call
int job_declare_fortran(const emitJob *job);
int job_declare_java(const emitJob *job);
int job_declare_matlab(const emitJob *job);

// Python on lists and on arrays: a call of a function of the user, the head of a function or of its constants.
void python_call_external(emitWriter *w, int e, int depth, int is_new);
int python_print_head(emitWriter *w, int which, const char *body);

// Pieces of C: lines around the declarations of a header; declarations and definitions. Return 0 when memory ran out.
void job_begin_c_header(const emitJob *job);
void job_end_c_header(const emitJob *job);
void job_declare_c_parameters(const emitJob *job, const char *name);
void job_define_c_defaults(const emitJob *job, const char *name);
int job_declare_c(const emitJob *job);
int job_define_c(const emitJob *job);

#endif
