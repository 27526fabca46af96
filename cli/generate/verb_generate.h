// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Data of the verb `generate`.
#ifndef CLI_VERB_GENERATE_H
#define CLI_VERB_GENERATE_H

#include "base/file.h"
#include "command.h"
#include "emit/task/parallel.h"
#include "study/generate/cheapest.h"

// A form as calls name it.
typedef struct cliForm {
  const char *name;
  unsigned bit;
  const char *help;
} cliForm;
extern const cliForm cli_forms[]; // the last one has no name
const char *cli_form_name(int k);

typedef struct cliGenerate {
  cliWork *w; // model and data may be exchanged for others
  genOptions options;
  eqnProgram *program;
  eqnProgram *simulated; // the one in the text of a simulator, once that is written
  emitAbout about;       // the machine in data, once the text of its interface is written
  char *text, *header;   // of a machine and of its header, once they are written; free() them
  baseFile file;         // that is being written
  cheapestForm choice;   // of the alternatives
} cliGenerate;

// Words between commas, in the arena; their number (loops_ask.c).
int generate_split(baseArena *arena, const char *text, const char ***words);

// Operations of every function, by group and by pass, and of the alternatives that were tried
// (generate_contents.c).
void generate_print_counts(const cliGenerate *job);

// Functions with their vectors and operations, parameters, coordinates, states, inputs and outputs, in JSON
// (generate_contents.c).
void generate_report_contents(ioJson *report, const cliGenerate *job);

// The program whose parameters the text has, and whose others are numbers in it.
const eqnProgram *generate_told(const cliGenerate *job);

// Passes that the call asks for, or all that are usual; and whether it can have them (generate_ask.c).
eqnOptions generate_read_passes(const cliCall *call);
void generate_check_passes(const cliCall *call);

// The program that the call asks for, in the job: choices that it does not make are made. The job must be kept before, to
// be freed by the other.
void generate_program(cliGenerate *job);
void generate_free(void *job);

// The study of type run that a simulation begins with, and the data where it begins.
artRunDef generate_begin_run(cliGenerate *job);

// How tasks are made by a call, and whether that makes sense (generate_ask.c).
void cli_check_tasks(const cliCall *call);
splitChoice cli_choose_split(const cliGenerate *job);

//---- demands of a call, or of a study, on the machine ---------------------------------------------

// The model anew, with its loops cut where --cut says (loops_ask.c).
void generate_ask_cuts(cliWork *w);

// Tell the data how --independent or the study of type run partition coordinates, for its next assembly; and close the loops so.
void generate_ask_partition(const cliWork *w);
void generate_assemble(const cliWork *w);

// Actuators and their weights, of the call or of the study of type inverse, into the options; once forms are known
// (generate_ask.c).
void generate_ask_actuators(cliGenerate *job);

//---- names of machines, and of files that MATLAB calls by these names (generate_ask.c) -----------

// The name of a file without its folders and what follows its dot.
void generate_stem(const char *path, char name[FILE_PATH_LENGTH]);

// Leaves the work for a word of --name that is not a name in some language, with all that may follow it; NULL: there is none.
void generate_check_word(const char *word);

// Refuses names that MATLAB does not know as names, and words of MATLAB and C.
void generate_check_class(const char *stem, const char *name); // of Java, in its file
void generate_check_stem(const char *path);

// Refuses names of functions that a text of MATLAB or C has after its first line, or calls.
void generate_check_calls(const char *name, const char *text);

#endif
