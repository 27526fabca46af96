// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the verb `generate` works with.
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "base/arena.h"
#include "command.h"
#include "emit/emit.h"
#include "gen/gen.h"

// A form as calls name it.
typedef struct cliForm {
  const char *name;
  unsigned bit;
  const char *help;
} cliForm;
extern const cliForm cli_forms[]; // the last one has no name

typedef struct cliGenerate {
  const cliCall *call;
  artModel *model;
  artData *data;
  genOptions options;
  eqnProgram *program;
} cliGenerate;

// Words between commas, in the arena; their number, -1 when memory ran out.
int generate_split(baseArena *arena, const char *text, const char ***words);

// Operations of every function, by group and by pass, and of the alternatives that were tried
// (generate_count.c).
struct cliChoice;
artStatus generate_print_counts(const cliGenerate *job, const struct cliChoice *choice,
                                artError *error);

// Passes that the call asks for, or all that are usual; and whether it can have them (generate_passes.c).
artStatus generate_read_passes(const cliCall *call, eqnOptions *options, artError *error);
artStatus generate_check_passes(const cliCall *call, artError *error);

// Whether --tasks makes sense (split.c).
artStatus cli_check_tasks(const cliCall *call, artError *error);

#endif
