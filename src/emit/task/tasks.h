// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A function as tasks that run side by side, for writers of threaded and of MPI C.
//
// Values that cross from one part of a task to another, or from task to task, live in one array `s`. Each has one
// place, so the text of the tasks is the same whether the array is common to all (threads) or each task has its own
// (ranks, which send one another values). The values of one message stand together, in lines of the cache in which
// nothing else stands, and so do the values that a task keeps. Every statement is one of the serial text, so results
// are the same to the last bit.
#ifndef EMIT_TASKS_H
#define EMIT_TASKS_H

#include "emit/file_job.h"
#include "emit/write/writer.h"
#include "split/split_way.h"

// Places in s that share a line of the cache.
enum { TASKS_LINE = 8 };

typedef struct tasksWriter {
  emitWriter w;
  const emitJob *job;
  const splitChoice *split;
  taskGraph *graph;
  taskMarks marks;
  splitMade made;
  const splitPlan *plan; // of it
  char *together;        // [list->nnode] see emitWriter: nodes that the serial text finds so
  int *first_writer;     // [symbols] the first unit that gives a symbol a value, -1: none
  const char **input;    // [symbols] names of symbols as the caller gives them
  int **part;            // [tasks][steps] number of the part of each step, from 1 on
  int *nparts;           // [tasks]
  const char ***name;    // [tasks][list->n] names of variables; NULL: not made or received there
  int *place;            // [list->n] in s, of variables that leave their part at home, or -1
  int *symbol_place;     // [symbols] in s, or -1
  uint64_t *reads, *symbol_reads; // [list->n], [symbols] bit t: task t reads it
  int nplace;
  int *message_place; // [messages + 1] the first place of each message
  char *is_made;      // [list->n] while a task is written: variables that are there
} tasksWriter;

// Split the function of a list into tasks and find names; 0 when memory ran out. Close in any case.
int tasks_open(tasksWriter *tasks, const emitJob *job, const eqnList *list,
               const splitChoice *split, FILE *out);
void tasks_close(tasksWriter *tasks);

// Work on them, which is left where memory runs out; 0 then. The functions below are parts of such work.
int tasks_attempt(tasksWriter *tasks, void (*work)(tasksWriter *tasks));

// Functions of all parts of all tasks, and the one that hands out the results, NAME_F_results.
void tasks_print_parts(tasksWriter *tasks);

// Statements between parts, by the kind of tasks.
typedef struct tasksTalk {
  void (*send)(tasksWriter *tasks, int task, int message);
  void (*receive)(tasksWriter *tasks, int task, int message);
} tasksTalk;

// The steps of a task: calls of its parts, and lines by talk; results left out.
void tasks_print_steps(tasksWriter *tasks, int task, const tasksTalk *talk);

// The arguments of the function itself, as in the serial text.
void tasks_print_signature(tasksWriter *tasks);

// A section of a template in which @ is the name of the model, $ that of the function, ~ the number of tasks, and ^ another
// number.
void tasks_print(const tasksWriter *tasks, const char *const *text, const char *section, int other);

// Places of a message's values, in order; returns how many there are, of which at most `room` are given.
int tasks_message_places(const tasksWriter *tasks, int message, int room, int *place);

// Declarations for callers, and definitions.
void tasks_declare_threads(tasksWriter *tasks);
void tasks_define_threads(tasksWriter *tasks);
void tasks_declare_mpi(tasksWriter *tasks);
void tasks_define_mpi(tasksWriter *tasks);

#endif
