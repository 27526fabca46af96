// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of a call, or of a study of the model file, on a machine whose equations are written: who acts, which passes are
// made, how tasks are made, how it is called.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/named.h"
#include "base/throw.h"
#include "verb_generate.h"

//---- actuators -----------------------------------------------------------------------------------

void generate_ask_actuators(cliGenerate *job)
{
  const cliCall *call = job->w->call;
  const artModel *m = job->w->model;
  const unsigned who_acts = GEN_MACHINE_INVERSE | GEN_IMPLICIT;
  error_check(study_check_asked(m, call->study, "--study", call->file, error_current()));
  if (!(job->options.forms & who_acts)) return;
  if (call->actuators) {
    const char **word = NULL;
    const int n = generate_split(&job->w->arena, job->w->call->actuators, &word);
    int *list;
    artError trouble = {0};
    ARENA_TAKE(&job->w->arena, list, n + 1);
    if (model_find_actuators(job->w->model, n, word, base_nowhere(), list, &trouble)) {
      error_throw_at(trouble.status, base_nowhere(), "--actuators: %s", trouble.text);
    }
    job->options.nactuator = n;
    job->options.actuator = word;
  } else
    error_check(
        study_ask_actuators(m, call->study, &job->options, &job->w->arena, error_current()));
  const char **word = NULL;
  double *weight;
  if (!job->w->call->weights) return;
  const int n = generate_split(&job->w->arena, job->w->call->weights, &word);
  job->options.weight = ARENA_TAKE(&job->w->arena, weight, n + 1);
  if (n != job->options.nactuator)
    cli_leave("--weights has %d numbers for %d actuators; give one for each of --actuators", n,
              job->options.nactuator);
  for (int i = 0; i < n; i++) {
    char *end;
    weight[i] = format_read(word[i], &end);
    if (*end == 0 && weight[i] > 0 && weight[i] < 1e300) continue;
    cli_leave("--weights has '%.60s', expected a positive number", word[i]);
  }
}


//---- passes over generated equations: --passes ---------------------------------------------------

eqnOptions generate_read_passes(const cliCall *call)
{
  eqnOptions options;
  error_check(eqn_read_passes(&options, call->passes, "--passes", error_current()));
  options.readable = call->readable;
  return options;
}


void generate_check_passes(const cliCall *call)
{
  if (!call->passes) return;
  const eqnOptions options = generate_read_passes(call);
  const unsigned reused = 1u << PASS_ALIKE | 1u << PASS_RECYCLE;
  if (call->readable && options.passes & reused)
    cli_leave("--readable gives every variable a name of its own; leave loops and recycle out of "
              "--passes");
}


//---- how tasks are made: combinations that make sense --------------------------------------------

void cli_check_tasks(const cliCall *call)
{
  enum { MAX_TRANSFER = 1000000 };
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  cli_check_whole("tasks", call->tasks, 1, SPLIT_TASKS);
  cli_check_whole("transfer", call->transfer, 0, MAX_TRANSFER);
  // options that a way does not ask for
  if (!split_way_merges(way) && (call->merge || !isnan(call->smallest)))
    cli_leave("--%s is for tasks that are merged; add --by thesis",
              call->merge ? "merge" : "smallest");
  if (call->merge && !isnan(call->smallest))
    cli_leave("--merge says which groups are merged; leave --smallest out");
  if (call->smallest < 0 || call->smallest > 1)
    cli_leave("--smallest is %g, expected a part of the mean from 0 to 1", call->smallest);
}

//---- how tasks are made: the choice --------------------------------------------------------------

splitChoice cli_choose_split(const cliGenerate *job)
{
  const cliCall *call = job->w->call;
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  splitChoice choice = split_choice_by(way, isnan(call->tasks) ? 0 : (int) call->tasks);
  choice.transfer = call->transfer;
  if (!isnan(call->smallest)) choice.smallest = call->smallest;
  if (!call->merge) return choice;
  const int n = emit_count_groups(job->program);
  if (n < 0) error_throw();
  int *gathered = arena_alloc(&job->w->arena, (size_t) n, sizeof *gathered);
  error_check(split_gather(call->merge, "--merge", n, gathered, &choice.tasks, error_current()));
  choice.gathered = gathered;
  return choice;
}


//---- names of machines, and of files that MATLAB calls by these names ----------------------------

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// words of MATLAB and of C
static const char *const keywords[] = {
    "auto",    "break",    "case",      "catch",      "char",     "classdef", "const",  "continue",
    "default", "do",       "double",    "else",       "elseif",   "end",      "enum",   "extern",
    "float",   "for",      "function",  "global",     "goto",     "if",       "inline", "int",
    "long",    "parfor",   "otherwise", "persistent", "register", "restrict", "return", "short",
    "signed",  "sizeof",   "spmd",      "static",     "struct",   "switch",   "try",    "typedef",
    "union",   "unsigned", "void",      "volatile",   "while"};


void generate_stem(const char *path, char name[FILE_PATH_LENGTH])
{
  const char *slash = strrchr(path, '/');
  snprintf(name, FILE_PATH_LENGTH, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0;
}


void generate_check_word(const char *word)
{
  enum { LONGEST = 40 };
  if (!word) return;
  const int is_word = *word && strchr(letters, *word) && strspn(word, others) == strlen(word);
  if (is_word && strlen(word) <= LONGEST) return;
  cli_leave("--name is '%.60s', expected letters, digits and underscores, a letter first, %d of "
            "them at most",
            word, LONGEST);
}


void generate_check_class(const char *stem, const char *name)
{
  const int is_word = *stem && strchr(letters, *stem) && strspn(stem, others) == strlen(stem);
  if (!is_word || gen_is_reserved(stem))
    cli_leave(
        "'%.100s.java' cannot hold a class: its name must be of letters, digits and "
        "underscores, begin with a letter, and not be a keyword of a language; choose another "
        "with -o",
        stem);
  if (name && strcmp(name, stem) != 0)
    cli_leave("--name is '%.60s', and the class of '%.100s.java' is called '%.100s' in Java; leave "
              "--name out, or name the file alike",
              name, stem, stem);
}


void generate_check_stem(const char *path)
{
  enum { LONGEST = 63 };
  char name[FILE_PATH_LENGTH];
  generate_stem(path, name);
  const int is_name = *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
  if (!is_name || strlen(name) > LONGEST)
    cli_leave("'%.100s' cannot be called from MATLAB: its name must be of letters, digits and "
              "underscores, begin with a letter, and have at most %d of them; choose another with "
              "-o",
              name, LONGEST);
  if (NAMED_FIND(keywords, name) >= 0)
    cli_leave(
        "'%s' cannot be called from MATLAB: it is a keyword of MATLAB or C; choose another name "
        "with -o",
        name);
}


// whether a function of this name, a call of one, or what C defines outside of functions is in a line; comments and members of
// structures do not count
static int line_uses_name(const char *line, size_t length, const char *name)
{
  const size_t n = strlen(name);
  const char *from = line + strspn(line, " ");
  const int is_defined =
      strncmp(line, "static ", 7) == 0 || strncmp(line, "enum ", 5) == 0 || *line == '}';
  if (*from == '%' || *from == '/') return 0;
  for (const char *at = from; at + n < line + length; at++) {
    if (strncmp(at, name, n) != 0 || !strchr(is_defined ? "([; " : "(", at[n])) continue;
    if (at == from || (!strchr(others, at[-1]) && !strchr(".>", at[-1]))) return 1;
  }
  return 0;
}


void generate_check_calls(const char *name, const char *text)
{
  const char *line = text + strcspn(text, "\n");
  while (*line) {
    line++;
    const size_t length = strcspn(line, "\n");
    if (line_uses_name(line, length, name))
      cli_leave("'%s' is a name that the source itself uses; choose another with -o", name);
    line += length;
  }
}
