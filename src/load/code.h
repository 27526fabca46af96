// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated C, compiled and loaded.
#ifndef LOAD_CODE_H
#define LOAD_CODE_H

#include <stdio.h>

#include "articula/generate.h"
#include "eqn/program.h"
#include "split/split_way.h"

//---- tables of a library -------------------------------------------------------------------------

// The text of these two structs stands in emit/texts/library.c.in too, for the side of the library.
typedef struct loadFunction {
  const char *name;
  unsigned long constants; // size of its constants in bytes
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

// The function `accelerate` in tasks side by side, where the library has it.
typedef struct loadTeam {
  void *(*start)(void); // NULL: no memory or no threads
  void (*stop)(void *team);
  int (*stalled)(const void *team); // the task that did not come in time, -1: none
  int (*call)(void *team, const void *parameters, const void *constants, double *const *in,
              double *const *out, void *user);
  double (*message)(void *team); // seconds from a task to another
  int messages;                  // in an evaluation
} loadTeam;

// The door by which the library calls functions that the user supplies.
typedef struct loadHost {
  void (*call)(void *context, int external, const double *arguments, double *result);
  void *context;
} loadHost;

// The table as text, to be written after the functions of the program; 0 when memory ran out.
#define LOAD_TABLE_NAME "articula_table"
int load_write_stub(FILE *out, const eqnProgram *program);

// The same of the team.
#define LOAD_TEAM_NAME "articula_team"
void load_write_team(FILE *out, const eqnProgram *program);

//---- host.c --------------------------------------------------------------------------------------

typedef struct loadCall loadCall;

// Forces and constraints of the host program, for the external functions of this one.
artStatus host_create(loadCall **out, const artModel *m, const eqnProgram *program,
                      artError *error);
void host_free(loadCall *host);

// Another host for the same functions, with a state of its own. Is it one of this variant of a model?
artStatus host_copy(loadCall **out, const loadCall *of, artError *error);
int host_is_of(const loadCall *host, const artModel *m);
void host_call(void *host, int external, const double *arguments, double *result);

// The first complaint of the functions called since the last question.
artStatus host_take_status(loadCall *host, artError *error);

//---- generated_code.c ---------------------------------------------------------------------------------

// Compile and load a program; its functions are described from it and it can be freed.
//
// In lanes, 1, 2, 4 or 8 instances in each call, of which compiler_best_lanes suits this processor, vectors have the elements of
// all lanes side by side: x[i * lanes + lane]. Parameters of each lane have their own values, which count after load_prepare.
//
// In tasks (`split`, NULL: it is not asked for) it is compiled without contraction of sums and products: its results do not depend on
// their number and on how they are made. Without threads for them there is no team.
artStatus load_program(artGenerated **out, const artModel *m, const eqnProgram *program, int lanes,
                       const splitChoice *split, artError *error);
void load_set_lane(artGenerated *generated, int lane, const double *value);
void load_prepare(artGenerated *generated);
int load_has_team(const artGenerated *generated);
void load_drop_team(artGenerated *generated);

// Code for another data block of the same variant of a model: one library, with numbers of its own. Code over lanes or in
// tasks is not shared.
int load_can_share(const artGenerated *generated, const artModel *m);
artStatus load_share(artGenerated **out, const artGenerated *of, artError *error);

// Evaluate a function with the vectors it takes, without any check.
artStatus load_call(artGenerated *generated, int function, double *const *in, double *const *out,
                    artError *error);

// Evaluate; bit k of the result is set where loops of lane k cannot be closed.
int load_call_lanes(artGenerated *generated, int function, double *const *in, double *const *out);

// `accelerate` by the team: 0, 1 when loops cannot be closed, 2 when a worker has stalled, after which there is no team.
int load_call_team(artGenerated *generated, double *const *in, double *const *out);

// How many messages go from task to task in an evaluation, and the seconds that one takes, as they are measured now.
int load_team_messages(const artGenerated *generated);
double load_time_message(artGenerated *generated);

#endif
