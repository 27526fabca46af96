// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated C code, compiled and loaded.
#ifndef LOAD_CODE_H
#define LOAD_CODE_H

#include <stdio.h>

#include "articula/generate.h"
#include "eqn/program.h"
#include "split/split_way.h"

//---- tables in a library -------------------------------------------------------------------------

// emit/texts/library.c.in has the same definitions of these two structs for the library.
typedef struct loadFunction {
  const char *name;
  unsigned long constants; // size in bytes
  void (*prepare)(const void *parameters, void *constants);
  int (*call)(const void *parameters, const void *constants, double *const *in, double *const *out,
              void *user);
} loadFunction;

typedef struct loadTable {
  int n;
  const loadFunction *function;
  unsigned long parameters; // size in bytes
  void (*set)(void *parameters);
} loadTable;

// The function `accelerate` as parallel tasks, if the library has it.
typedef struct loadTeam {
  void *(*start)(void); // NULL: no memory or no threads
  void (*stop)(void *team);
  int (*stalled)(const void *team); // the task that did not finish in time; -1: none
  int (*call)(void *team, const void *parameters, const void *constants, double *const *in,
              double *const *out, void *user);
  double (*message)(void *team); // seconds for a message between tasks
  int messages;                  // per evaluation
} loadTeam;

// Callback through which the library calls functions of the user.
typedef struct loadHost {
  void (*call)(void *context, int external, const double *arguments, double *result);
  void *context;
} loadHost;

// Write the table of functions, after the functions of the program; 0 if memory runs out.
#define LOAD_TABLE_NAME "articula_table"
int load_write_stub(FILE *out, const eqnProgram *program);

// The same for the parallel tasks.
#define LOAD_TEAM_NAME "articula_team"
void load_write_team(FILE *out, const eqnProgram *program);

//---- host.c --------------------------------------------------------------------------------------

typedef struct loadCall loadCall;

// Forces and constraints of the host program, for the external functions of this program.
artStatus host_create(loadCall **out, const artModel *m, const eqnProgram *program,
                      artError *error);
void host_free(loadCall *host);

// host_copy: another host for the same functions, with its own state. host_is_of: 1 if it belongs
// to this variant of a model.
artStatus host_copy(loadCall **out, const loadCall *of, artError *error);
int host_is_of(const loadCall *host, const artModel *m);
void host_call(void *host, int external, const double *arguments, double *result);

// The first error of the functions called since the last call; clears it.
artStatus host_take_status(loadCall *host, artError *error);

//---- generated_code.c ---------------------------------------------------------------------------------

// Compile and load a program. Its functions are described from the program, which can be freed
// afterwards.
//
// lanes: 1, 2, 4 or 8 instances per call (compiler_best_lanes gives the number for this CPU).
// Vectors are interleaved: x[i * lanes + lane]. Each lane has its own parameter values, which take
// effect with load_prepare.
//
// split: partition into parallel tasks, or NULL. The code is then compiled without contraction, so
// that results do not depend on the number of tasks and the partition. Without threads it runs
// without tasks.
artStatus load_program(artGenerated **out, const artModel *m, const eqnProgram *program, int lanes,
                       const splitChoice *split, artError *error);
void load_set_lane(artGenerated *generated, int lane, const double *value);
void load_prepare(artGenerated *generated);
int load_has_team(const artGenerated *generated);
void load_drop_team(artGenerated *generated);

// Code for another data block of the same variant of a model: shares the library, with its own
// parameters. Code with lanes or tasks cannot be shared.
int load_can_share(const artGenerated *generated, const artModel *m);
artStatus load_share(artGenerated **out, const artGenerated *of, artError *error);

// Evaluate a function with its vectors, without checks.
artStatus load_call(artGenerated *generated, int function, double *const *in, double *const *out,
                    artError *error);

// Evaluate; bit k of the result is set if loops of lane k cannot be closed.
int load_call_lanes(artGenerated *generated, int function, double *const *in, double *const *out);

// Evaluate `accelerate` by parallel tasks: 0; 1 if loops cannot be closed; 2 if a worker has
// stalled, after which the tasks cannot be used again.
int load_call_team(artGenerated *generated, double *const *in, double *const *out);

// The number of messages between tasks per evaluation, and the measured time of one in seconds.
int load_team_messages(const artGenerated *generated);
double load_time_message(artGenerated *generated);

#endif
