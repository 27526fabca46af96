// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The command: a call taken apart, the verbs, and their shared functions.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "articula/articula.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/unit.h"
#include "show/json.h"

// Exit statuses.
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_WRONG = 2 };

typedef struct cliVerb cliVerb;

// Words of which there may be several.
enum { CLI_WORDS = 64 };
typedef struct cliList {
  int count;
  const char *word[CLI_WORDS];
} cliList;

// The wishes of the user. Numbers not given are NAN, choices not given -1, texts NULL.
typedef struct cliCall {
  int argc;
  char **argv;
  const cliVerb *verb;
  const char *file;
  cliList channels; // after the file
  cliList with;
  cliList option;
  cliList functions; // shared objects
  cliList natives;   // FMUs that may be loaded
  cliList set;       // NAME=VALUE of parameters
  cliList input;     // NAME=VALUE or NAME=FILE.csv of inputs
  cliList vary, results;
  cliList close, close_points, packages; // closures are pairs
  const char *cases, *lanes;
  double samples, seed, threads;
  const char *against, *log;
  const char *units, *latency;
  double transfer, modules;
  const char *html, *glb, *png, *live, *urdf;
  const char *fmu, *inputs, *outputs; // of a unit
  int fmi_version, unit_kind;
  bool binary, sources;
  const char *targets;
  double port;
  bool view, no_browser;
  const char *parallel, *merge;
  double tasks, smallest;
  const char *study, *directory, *forms, *freeze, *sensitive, *passes;
  const char *actuators, *weights, *independent, *cut;
  int method, integrator, algebra, language, scheme, by, sampling, base, device, precision, product;
  double step, from, until, interval, tolerance, limit, speed;
  bool at_equilibrium, nearest, resume, realtime, share_always, profile, strict, no_native,
      no_sandbox, quiet, verbose, says_notes, json, help;
  const char *name, *key;
  bool header, count, minimal, tangent, recut, balanced, share, cholesky;
  bool readable, corners, once, jacobian, contact;
} cliCall;

// A verb at work: the call, and as much of the model as the verb needs. cli_do makes and frees all of it.
typedef struct cliWork {
  const cliCall *call;
  artModel *model;
  artData *data;
  artStudyDef study;
  int exit;        // exit status of work that came to its end
  baseArena arena; // leaves
  struct cliKept *kept;
} cliWork;

// At the end of the work, however that comes, `end` is called with it; the last that is kept comes first.
void cli_defer(cliWork *w, void (*end)(void *what), void *what);

// A verb, and a check of its call before a file is read; they leave the work where it fails (base/error.h).
typedef void cliVerbWork(cliWork *w);
typedef void cliCheck(const cliCall *call);

typedef enum cliNeed {
  NEED_CALL,  // no model
  NEED_DATA,  // the model, and data at its initial state
  NEED_LOOPS, // the same; a machine that cannot be put together, or has no motion, is wrong input
  NEED_STUDY, // also the study of the call; loops that cannot be closed are wrong input
} cliNeed;

struct cliVerb {
  const char *name;
  const char *summary; // a line
  const char *text;    // paragraphs
  const char *example; // lines of arguments
  unsigned mask;       // which options it takes
  const char *operand; // the operand behind the verb; in brackets when it may be left out
  bool has_channels;   // words follow the operand: channels, more results
  cliVerbWork *work;
  cliNeed need;
  artStudyType study; // with NEED_STUDY
  cliCheck *check;    // of the call, before the model is read; or NULL
};

//---- the verbs -----------------------------------------------------------------------------------

cliVerbWork verb_check, verb_info, verb_run, verb_assemble, verb_equil, verb_linear, verb_inverse,
    verb_compare, verb_bench, verb_schedule, verb_generate, verb_plot, verb_view, verb_play,
    verb_report, verb_export, verb_import, verb_completion, verb_kinematics, verb_response,
    verb_sweep, verb_split;

// Exports of a model: a page in which the machine moves, of work whose model and data are loaded; a functional
// mock-up unit; the tree as URDF.
cliVerbWork export_live, export_unit, export_urdf;

// Checks of a call before a file is read.
cliCheck schedule_check, generate_check, split_check, export_check;

// The work of `plot`, without its messages where the call is quiet (verb_plot.c); it leaves where it fails.
void cli_draw(const cliCall *call);

// Say on standard error where results.csv of a result is not what its certificate says; returns what was said (verb_plot.c).
artError cli_check_result(const char *result);

//---- options.c -----------------------------------------------------------------------------------

// Take the arguments apart; ART_BAD_INPUT with a suggestion when they make no sense. A call without
// a verb is one for help.
artStatus cli_parse(cliCall *call, int argc, char **argv, artError *error);

// The results that a call names: its operand, then the others; returns their number.
int cli_results(const cliCall *call, const cliList *others, const char *result[CLI_WORDS + 1]);

// Which of the words, NULL after the last, is the value of an option; `more` follows their list in the message. Others
// leave the work.
int cli_find_word(const char *option, const char *word, const char *(*name)(int k),
                  const char *more);

// Refuse a number that was given and is not whole or outside of the bounds.
void cli_check_whole(const char *option, double number, double least, double most);

// Whether a call has an option of this name.
bool cli_is_given(const cliCall *call, const char *name);

// Help on a verb, or with NULL on all of them.
void cli_help(FILE *stream, const cliVerb *verb);

typedef enum optionKind {
  OPTION_FLAG,
  OPTION_TEXT,
  OPTION_LIST, // may be given several times
  OPTION_PAIR, // the same, of two words
  OPTION_TIME, // a number, as the next two
  OPTION_SPEED,
  OPTION_NUMBER,
  OPTION_CHOICE, // the number of a word
} optionKind;

typedef struct cliOption {
  const char *name;
  char letter;       // or 0
  const char *value; // the word for its value in help; NULL for flags
  optionKind kind;
  size_t offset;              // in cliCall
  const char *(*word)(int k); // the words it may be, NULL after the last; or NULL
  unsigned mask;              // verbs that take it
  const char *help;
} cliOption;

// The help of an option, with the names of methods and words that represent {...} in the table; lines after the first are
// indented, or with an indent of -1 left out.
void cli_print_help(FILE *stream, const cliOption *option, int indent);

// Verb i, its option i; NULL after the last.
const cliVerb *cli_verb_at(int i);
const cliOption *cli_option_at(const cliVerb *verb, int i);

//---- messages.c ----------------------------------------------------------------------------------

// Tell the user what went wrong, on standard error or as JSON; returns the exit status.
int cli_fail(const cliCall *call, const artError *error);

// The same before any work has begun: a machine that cannot be put together, or that has no motion, is
// wrong input.
int cli_list_mistakes(const cliCall *call, const artError *error);
int cli_refuse(const cliCall *call, const artError *error);

// Fill the error with what is wrong about a call, by a format and its arguments; ART_BAD_INPUT.
#define cli_wrong(error, ...) base_fail(error, ART_BAD_INPUT, base_nowhere(), __VA_ARGS__)

// Leave a work with it (base/error.h).
#define cli_leave(...) error_refuse(base_nowhere(), __VA_ARGS__)

// This rank of MPI cannot go on, and without it there is nothing to do for the others: all end. Returns the exit status.
int cli_lose_rank(const char *why);

// Name the one file that a verb has written, under the key in JSON with the number of results inside (0: not said);
// returns the exit status.
int cli_name_file(const cliCall *call, const char *key, const char *path, int results);

// The exit status of a run that came to its end: its verdict counts, doubt under --strict alone. A verdict that nobody
// would see otherwise is printed on standard error.
int cli_judge(const cliCall *call, const artJudgement *judgement);

// Escape sequences around something bold; empty where the stream is not a terminal or NO_COLOR is set.
const char *cli_bold(FILE *stream);
const char *cli_plain(FILE *stream);
bool cli_is_coloured(FILE *stream);

// A time as people say it: "893 us", "12.3 ms", "4.5 s", "12:03 min". Returns the buffer.
enum { CLI_DURATION_LENGTH = 32 };
const char *cli_duration(double seconds, char buffer[CLI_DURATION_LENGTH]);

//---- tell.c --------------------------------------------------------------------------------------

// The state as the section `initial` of a model file, or in the open object as two lists, of position coordinates and of
// velocities, which are left out, or the list empty, without velocities.
void cli_report_state(ioJson *report, const artModel *model, const artData *data, bool velocities);

//---- call.c --------------------------------------------------------------------------------------

// Do what the call asks for: read what its verb needs, let the verb work, say what went wrong, free all;
// returns the exit status.
int cli_do(const cliCall *call);

// Read the model of the call and make a data block (NULL: not wanted), at the initial state and at the
// time where all studies of the file start, 0 when they disagree; returns an exit status, having told
// the user.
int cli_load(const cliCall *call, artModel **model, artData **data);

// The model of the call's file, with what --set and --input give; these alone, to be freed by mem_free.
artStatus cli_read_model(const cliCall *call, artModel **model, artError *error);
artStatus cli_take_settings(const cliCall *call, artSetting **list, int *count, artError *error);

// Does a parameter to which the file gives no unit, set with the given one by `text` of an option, fit where the file uses it?
artStatus cli_check_unit(const cliCall *call, const char *option, const char *text,
                         artSetting setting, baseDimension given, artError *error);

// Attach the tables that inputs follow, and the functions that the model calls, from the libraries of the call; a call
// with libraries must have all of them.
artStatus cli_attach(const cliCall *call, artModel *model, artError *error);

// Attach all tables of --input.
artStatus cli_attach_tables(const cliCall *call, artModel *model, artError *error);

// The study of the call: the one it names, or the first of the type in the model, or the default;
// with the options of the call in place of the file's values. Mistakes leave the work, here and below.
void cli_choose_study(const cliCall *call, const artModel *model, artStudyType type,
                      artStudyDef *study);

// The same, of type run, for callers that are not to be left.
artStatus cli_choose_run(const cliCall *call, const artModel *model, artRunDef *run,
                         artError *error);

artPrecision cli_precision(const cliCall *call); // --precision, or double

// Where results go: -o, or results/NAME after the model file, with a suffix when the call names a study.
void cli_directory(const cliCall *call, const char *suffix, char *path);

// Remove the certificate of an earlier run, before its results.csv is replaced.
artStatus cli_remove_certificate(const char *directory, artError *error);

// Name of the displacement that belongs to velocity coordinate k ("pin.angle", "base.rx" for a
// rotation vector of a ball or free joint), and the unit of the force along it.
enum { CLI_NAME_LENGTH = 256 };
const char *cli_displacement_name(const artModel *model, int k, char name[CLI_NAME_LENGTH]);
const char *cli_force_unit(const artModel *model, int k);

// The title of the model, or else its file, in bold.
void cli_print_title(const cliCall *call, const char *title);


// Centre of all mass, in ground.
void cli_mass_centre(const artModel *model, const artData *data, double centre[3]);

//---- room.c --------------------------------------------------------------------------------------

// Is memory limited (ulimit -v)? Uses nothing but calls of the system.
bool room_is_limited(void);

// If OpenBLAS is linked, let it take its memory for `threads` threads now. Ends the program with a message if there is none.
void room_take(int threads);

//---- interrupt.c ---------------------------------------------------------------------------------

// SIGINT, SIGTERM and SIGHUP end the command at once, less what was not whole; whoever can end well says so, and is
// asked first. SIGHUP is left alone where the caller has it ignored (nohup). Files that have become too large are
// errors, not signals.
// At the start of the program.
void interrupt_prepare(void);

// From now on the first of the signals is only noted; the second one is the end.
void interrupt_watch(void);
bool interrupt_seen(void);

//---- progress (messages.c) -----------------------------------------------------------------------

typedef struct cliProgress {
  bool is_wanted;
  bool is_shown;
  double from, until; // simulated time, s
  double start_time;  // simulated time at which this process began, s
  double begun, last; // wall clock, s
} cliProgress;

// Begin at simulated time `now` of from ... until.
cliProgress progress_begin(bool is_wanted, double from, double now, double until);

// Show where we are, ten times a second at most.
void progress_show(cliProgress *progress, double now);

// Take the bar away.
void progress_end(cliProgress *progress);

#endif
