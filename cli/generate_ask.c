// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of a call, or of a study of the model file, on a machine whose equations are written: where loops are cut, which
// coordinates are independent, who acts, which passes are made, how tasks are made, how it is called.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/named.h"
#include "model/reader.h"
#include "verb_generate.h"

//---- cuts ----------------------------------------------------------------------------------------

artStatus generate_ask_cuts(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  if (!job->w->call->cut) return ART_OK;
  const int n = generate_split(arena, job->w->call->cut, &word);
  if (n < 0) return base_no_memory(error);
  artModel *m = NULL;
  artStatus status =
      reader_load_cut(&m, job->w->model, job->w->call->file, n, word, "--cut", error);
  artData *d = !status ? art_create_data(m) : NULL;
  if (!status && !d) status = base_no_memory(error);
  if (status) {
    art_free_model(m);
    return status;
  }
  art_free_data(job->w->data);
  art_free_model(job->w->model);
  job->w->model = m;
  job->w->data = d;
  return ART_OK;
}

//---- independent coordinates ---------------------------------------------------------------------

artStatus generate_ask_partition(const cliGenerate *job, artError *error)
{
  const cliCall *call = job->w->call;
  artError trouble = {0};
  const artStatus status =
      study_ask_partition(job->w->model, job->w->data, call->study, call->independent, &trouble);
  if (!status) return ART_OK;
  return base_fail(error, status, base_nowhere(), "%s%s",
                   call->independent ? "--independent: " : "", trouble.text);
}

//---- actuators -----------------------------------------------------------------------------------

static artStatus read_actuators(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  const int n = generate_split(arena, job->w->call->actuators, &word);
  int *list = n < 0 ? NULL : arena_alloc(arena, (size_t) n + 1, sizeof *list);
  if (!list) return base_no_memory(error);
  artError trouble = {0};
  if (model_find_actuators(job->w->model, n, word, base_nowhere(), list, &trouble) != ART_OK) {
    return base_fail(error, trouble.status, base_nowhere(), "--actuators: %s", trouble.text);
  }
  job->options.nactuator = n;
  job->options.actuator = word;
  return ART_OK;
}


static artStatus read_weights(cliGenerate *job, baseArena *arena, artError *error)
{
  const char **word = NULL;
  if (!job->w->call->weights) return ART_OK;
  const int n = generate_split(arena, job->w->call->weights, &word);
  double *weight = n < 0 ? NULL : arena_alloc(arena, (size_t) n + 1, sizeof *weight);
  if (!weight) return base_no_memory(error);
  if (n != job->options.nactuator)
    return cli_wrong(error,
                     "--weights has %d numbers for %d actuators; give one for each of --actuators",
                     n, job->options.nactuator);
  for (int i = 0; i < n; i++) {
    char *end;
    weight[i] = strtod(word[i], &end);
    if (*end == 0 && weight[i] > 0 && weight[i] < 1e300) continue;
    return cli_wrong(error, "--weights has '%.60s', expected a positive number", word[i]);
  }
  job->options.weight = weight;
  return ART_OK;
}


artStatus generate_ask_actuators(cliGenerate *job, baseArena *arena, artError *error)
{
  const cliCall *call = job->w->call;
  const unsigned who_acts = GEN_MACHINE_INVERSE | GEN_IMPLICIT;
  artStatus status = study_check_asked(job->w->model, call->study, "--study", call->file, error);
  if (status) return status;
  if (!(job->options.forms & who_acts)) {
    if (!call->actuators && !call->weights) return ART_OK;
    return cli_wrong(error, "--%s is for forces of actuators; add machine-inverse to --forms",
                     call->actuators ? "actuators" : "weights");
  }
  status = call->actuators
               ? read_actuators(job, arena, error)
               : study_ask_actuators(job->w->model, call->study, &job->options, arena, error);
  return !status ? read_weights(job, arena, error) : status;
}


//---- passes over generated equations: --passes ---------------------------------------------------

artStatus generate_read_passes(const cliCall *call, eqnOptions *options, artError *error)
{
  const artStatus status = eqn_read_passes(options, call->passes, "--passes", error);
  options->readable = call->readable;
  return status;
}


artStatus generate_check_passes(const cliCall *call, artError *error)
{
  eqnOptions options;
  if (!call->passes) return ART_OK;
  if (call->lanes || call->parallel || call->simulator || call->target)
    return cli_wrong(
        error, "--passes is for functions by themselves; leave --lanes, --parallel and --%s out",
        call->target ? "target" : "simulator");
  const artStatus status = generate_read_passes(call, &options, error);
  const unsigned reused = 1u << PASS_ALIKE | 1u << PASS_RECYCLE;
  if (!status && call->readable && options.passes & reused)
    return cli_wrong(error, "--readable gives every variable a name of its own; leave loops and "
                            "recycle out of --passes");
  const emitLanguage language = generate_language(call);
  const int is_script = language == EMIT_MATLAB || language == EMIT_PYTHON;
  if (status || is_script || !(options.passes & 1u << PASS_RECYCLE)) return status;
  return cli_wrong(error, "--passes recycle is for matlab and python; compilers of other "
                          "languages use room again by themselves");
}


//---- how tasks are made: combinations that make sense --------------------------------------------

// options that a way does not ask for
static artStatus check_way(const cliCall *call, splitWay way, artError *error)
{
  if (!split_way_merges(way) && (call->merge || !isnan(call->smallest)))
    return cli_wrong(error, "--%s is for tasks that are merged; add --by thesis",
                     call->merge ? "merge" : "smallest");
  if (call->merge && !isnan(call->smallest))
    return cli_wrong(error, "--merge says which groups are merged; leave --smallest out");
  return ART_OK;
}


artStatus cli_check_tasks(const cliCall *call, artError *error)
{
  enum { MOST_TRANSFER = 1000000 };
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  artStatus status = cli_check_whole("tasks", call->tasks, 1, SPLIT_TASKS, error);
  if (!status) status = cli_check_whole("transfer", call->transfer, 0, MOST_TRANSFER, error);
  if (!status) status = check_way(call, way, error);
  if (status) return status;
  if (isnan(call->smallest) || (call->smallest >= 0 && call->smallest <= 1)) return ART_OK;
  return cli_wrong(error, "--smallest is %g, expected a part of the mean from 0 to 1",
                   call->smallest);
}

//---- how tasks are made: the choice --------------------------------------------------------------

artStatus cli_choose_split(const cliCall *call, const eqnProgram *program, splitChoice *choice,
                           int **gathered, artError *error)
{
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  *choice = split_choice_by(way, isnan(call->tasks) ? 0 : (int) call->tasks);
  choice->transfer = call->transfer;
  if (!isnan(call->smallest)) choice->smallest = call->smallest;
  *gathered = NULL;
  if (!call->merge) return ART_OK;
  const int n = emit_count_groups(program);
  *gathered = n < 0 ? NULL : MEM_ARRAY(int, n);
  if (!*gathered) return base_no_memory(error);
  choice->gathered = *gathered;
  return split_gather(call->merge, "--merge", n, *gathered, &choice->tasks, error);
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


artStatus generate_check_word(const char *word, artError *error)
{
  enum { LONGEST = 40 };
  if (!word) return ART_OK;
  const int is_word = *word && strchr(letters, *word) && strspn(word, others) == strlen(word);
  if (is_word && strlen(word) <= LONGEST) return ART_OK;
  return cli_wrong(error,
                   "--name is '%.60s', expected letters, digits and underscores, a letter first, "
                   "%d of them at most",
                   word, LONGEST);
}


artStatus generate_check_stem(const char *path, artError *error)
{
  enum { LONGEST = 63 };
  char name[FILE_PATH_LENGTH];
  generate_stem(path, name);
  const int is_name = *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
  if (!is_name || strlen(name) > LONGEST)
    return cli_wrong(
        error,
        "'%.100s' cannot be called from MATLAB: its name must be of letters, digits and "
        "underscores, begin with a letter, and have at most %d of them; choose another with -o",
        name, LONGEST);
  if (NAMED_FIND(keywords, name) < 0) return ART_OK;
  return cli_wrong(
      error,
      "'%s' cannot be called from MATLAB: it is a word of MATLAB or C; choose another name with -o",
      name);
}


// whether a function of this name, a call of one, or what C defines outside of functions stands in a line; comments and members of
// structures do not count
static int uses(const char *line, size_t length, const char *name)
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


artStatus generate_check_calls(const char *name, const char *text, artError *error)
{
  const char *line = text + strcspn(text, "\n");
  while (*line) {
    line++;
    const size_t length = strcspn(line, "\n");
    if (uses(line, length, name))
      return cli_wrong(error, "'%s' is a name that the text itself uses; choose another with -o",
                       name);
    line += length;
  }
  return ART_OK;
}
