// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula generate: equations of motion as source text.
#include "verb_generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "force/tyre_element.h"
#include "study/assemble.h"
#include "study/fork.h"
#include "study/simulator_trial.h"
#include "tell.h"

// clang-format off
const cliForm cli_forms[] = {
    {"inverse", GEN_INVERSE, "bare tree: joint forces for given accelerations"},
    {"mass", GEN_MASS, "bare tree: mass matrix and bias"},
    {"forward", GEN_FORWARD_LDL, "bare tree: accelerations through the factors of the mass matrix"},
    {"forward-n", GEN_FORWARD_N, "bare tree: accelerations in O(n)"},
    {"kinematics", GEN_KINEMATICS, "frames: positions, velocities, Jacobians"},
    {"regressor", GEN_REGRESSOR, "identification form with minimal parameters"},
    {"accelerate", GEN_ACCELERATE, "whole machine: accelerations, loops closed, drives followed"},
    {"power", GEN_ACCELERATE | GEN_POWER, "the same with the power of forces without potential"},
    {"reactions", GEN_REACTIONS | GEN_ACCELERATE, "joint reactions, multipliers of loops"},
    {"outputs", GEN_OUTPUTS | GEN_ACCELERATE, "whole machine: the outputs of the model"},
    {"energy", GEN_ENERGY | GEN_ACCELERATE, "whole machine: kinetic and potential energy"},
    {"constraints", GEN_CONSTRAINTS, "loops: openings, Jacobian, right sides"},
    {"augmented", GEN_AUGMENTED, "whole machine by multipliers, stabilised"},
    {"linear", GEN_LINEAR, "whole machine: accelerations and their derivatives"},
    {"sample", GEN_SAMPLE | GEN_ACCELERATE, "held numbers behind an instant of samplers"},
    {"machine-inverse", GEN_MACHINE_INVERSE, "whole machine: forces of actuators for given accelerations"},
    {"implicit", GEN_IMPLICIT, "the same as psi and G of psi = G tau"},
    {0},
};
// clang-format on

//---- lists of words ------------------------------------------------------------------------------

const char *cli_form_name(int k)
{
  return cli_forms[k].name;
}


// all forms but the ones that this machine has not, or that others contain
static artStatus add_all_forms(cliGenerate *job, artError *error)
{
  unsigned excluded = GEN_POWER | GEN_LINEAR | GEN_IMPLICIT;
  int massless = -1;
  if (!gen_find_massless(job->w->model, job->w->data, &massless)) return base_no_memory(error);
  if (job->w->model->nrow == 0) excluded |= GEN_CONSTRAINTS | GEN_AUGMENTED;
  if (massless >= 0 && job->w->model->nrow == 0) excluded |= GEN_NEED_INERTIA;
  for (const cliForm *form = cli_forms; form->name; form++) {
    job->options.forms |= form->bit & ~excluded;
  }
  return ART_OK;
}


static artStatus add_form(cliGenerate *job, const char *word, artError *error)
{
  int k = 0;
  if (strcmp(word, "all") == 0) return add_all_forms(job, error);
  const char *option = job->w->call->forms ? "forms" : "form";
  const artStatus status = cli_find_word(option, word, cli_form_name, ", all", &k, error);
  if (status) return status;
  if (cli_forms[k].bit & GEN_SAMPLE && job->w->model->nsampler == 0)
    return cli_wrong(error, "the form sample is for samplers, and this machine has none");
  job->options.forms |= cli_forms[k].bit;
  // joint forces of a tree whose loops are open make no motion of the machine
  if (cli_forms[k].bit == GEN_INVERSE && job->w->model->nrow > 0) {
    job->options.forms |= GEN_MACHINE_INVERSE;
  }
  return ART_OK;
}


int generate_split(baseArena *arena, const char *text, const char ***words)
{
  int n = 1;
  for (const char *c = text; *c; c++) n += *c == ',';
  *words = arena_alloc(arena, (size_t) n, sizeof **words);
  char *copy = arena_text(arena, text), *rest = NULL;
  if (!*words || !copy) return -1;
  n = 0;
  for (char *w = strtok_r(copy, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest)) (*words)[n++] = w;
  return n;
}


// `split` names one, `generate` several
static const char *forms_of(const cliCall *call)
{
  return call->forms ? call->forms : call->form;
}


static artStatus read_options(cliGenerate *job, artError *error)
{
  const cliCall *call = job->w->call;
  baseArena *arena = &job->arena;
  const char **words = NULL;
  const bool is_cuda = generate_language(call) == EMIT_CUDA;
  const char *all = call->interface            ? "accelerate,linear,machine-inverse"
                    : is_cuda && call->tangent ? "accelerate,linear"
                                               : "accelerate";
  const int n = generate_split(arena, forms_of(call) ? forms_of(call) : all, &words);
  if (n < 0) return base_no_memory(error);
  for (int i = 0; i < n; i++) {
    const artStatus status = add_form(job, words[i], error);
    if (status) return status;
  }
  job->options.parameters = call->minimal ? GEN_BARYCENTRIC : GEN_CLASSICAL;
  job->options.tangents = call->tangent;
  job->options.relays = 1;
  job->options.share = call->share;
  job->options.name = call->name;
  if (call->scheme >= 0 && !(job->options.forms & GEN_KINEMATICS))
    return cli_wrong(error, "--scheme is for frames; add kinematics to --forms");
  if (call->cholesky && !(job->options.forms & GEN_FORWARD_LDL))
    return cli_wrong(error, "--cholesky is for factors of the mass matrix; add forward to --forms");
  job->options.scheme = call->scheme >= 0 ? (genScheme) call->scheme : GEN_LINK_AXES;
  job->options.cholesky = call->cholesky;
  if (call->sensitive) {
    job->options.nsensitive = generate_split(arena, call->sensitive, &words);
    job->options.sensitive = words;
    if (job->options.nsensitive < 0) return base_no_memory(error);
  }
  if (!call->freeze) return ART_OK;
  job->options.freeze_all = strcmp(call->freeze, "all") == 0;
  if (job->options.freeze_all) return ART_OK;
  job->options.nfreeze = generate_split(arena, call->freeze, &words);
  job->options.freeze = words;
  if (job->options.nfreeze < 0) return base_no_memory(error);
  job->options.frozen = arena_alloc(arena, (size_t) job->options.nfreeze + 1, 1);
  return job->options.frozen ? ART_OK : base_no_memory(error);
}

//---- files ---------------------------------------------------------------------------------------

typedef enum fileKind { FILE_SOURCE, FILE_HEADER, FILE_SIMULATION } fileKind;


// the language whose files end as the one of -o; -1: it names a folder
static int language_of_file(const cliCall *call)
{
  struct stat about;
  const char *where = call->directory;
  if (!where || (stat(where, &about) == 0 && S_ISDIR(about.st_mode))) return -1;
  int k = 0;
  while (k <= EMIT_CUDA && !file_has_ending(where, emit_file_ending((emitLanguage) k))) k++;
  return k <= EMIT_CUDA ? k : -1;
}


emitLanguage generate_language(const cliCall *call)
{
  const int k = call->language < 0 ? language_of_file(call) : call->language;
  return k < 0 ? EMIT_C : (emitLanguage) k;
}


// a whole machine, with its state and steps
static bool is_machine(const cliCall *call)
{
  return call->target || call->simulator || call->interface || generate_language(call) == EMIT_CUDA;
}


static artStatus check_language(const cliCall *call, artError *error)
{
  const int k = language_of_file(call);
  if (k < 0 || call->language < 0 || call->language == k) return ART_OK;
  return cli_wrong(error,
                   "--language is %s, and '%.200s' is a file of %s; leave --language out, or "
                   "name a file that ends in '%s'",
                   emit_language_name((emitLanguage) call->language), call->directory,
                   emit_language_name((emitLanguage) k),
                   emit_file_ending((emitLanguage) call->language));
}


static simulatorKind simulator_kind(const cliCall *call)
{
  if (call->target) return SIMULATOR_SFUNCTION;
  if (generate_language(call) == EMIT_CUDA) return SIMULATOR_CUDA;
  if (call->interface) return SIMULATOR_MACHINE;
  return generate_language(call) == EMIT_MATLAB ? SIMULATOR_MATLAB : SIMULATOR_PROGRAM;
}


// FILE of -o FILE, or DIR/NAME.c, with NAME the machine's in the text
static artStatus name_file(const cliGenerate *job, fileKind kind, char path[FILE_PATH_LENGTH],
                           artError *error)
{
  struct stat about;
  const char *where = job->w->call->directory ? job->w->call->directory : ".";
  const char *ending = emit_file_ending(generate_language(job->w->call));
  const bool is_folder = stat(where, &about) == 0 && S_ISDIR(about.st_mode);
  if (file_has_ending(where, ending) && !is_folder) {
    const int stem = (int) (strlen(where) - strlen(ending));
    snprintf(path, FILE_PATH_LENGTH, "%.*s%s", stem < 4000 ? stem : 4000, where,
             kind == FILE_HEADER ? ".h" : ending);
    return ART_OK;
  }
  if (job->w->call->directory) {
    const artStatus status = file_make_directory(where, error);
    if (status) return status;
  }
  char name[400];
  snprintf(
      name, sizeof name, "%.300s%s%s", job->program->name,
      kind != FILE_SIMULATION                                                     ? ""
      : job->w->call->target                                                      ? "_sfunction"
      : simulator_kind(job->w->call) == SIMULATOR_CUDA || job->w->call->interface ? ""
                                                                                  : "_simulator",
      kind == FILE_HEADER ? ".h" : ending);
  return file_join(path, where, name, error);
}


// tasks that would have nothing to do are not written
static void say_fewer(const cliCall *call, int asked, int written)
{
  if (written >= asked || call->quiet) return;
  fprintf(stderr, "%d task%s written of %d: the others would have nothing to do\n", written,
          written == 1 ? " is" : "s are", asked);
}


// asked for, or of a machine behind the interface in C
static bool has_header(const cliCall *call)
{
  return call->header || (call->interface && generate_language(call) == EMIT_C);
}


// MATLAB calls what is in the file by the name of the file
static bool is_called(const cliCall *call)
{
  return call->target || generate_language(call) == EMIT_MATLAB;
}


// the text, unless its functions have the name by which MATLAB is to call the file
static artStatus write_checked(cliGenerate *job, const artRunDef *study, simulatorForm *form,
                               FILE *out, artError *error)
{
  char *text = NULL;
  size_t length = 0;
  size_t header_length = 0;
  FILE *own = open_memstream(&text, &length);
  FILE *header = has_header(job->w->call) && form->kind == SIMULATOR_MACHINE
                     ? open_memstream(&job->header, &header_length)
                     : NULL;
  form->header = header;
  const bool has_room =
      own && (header || form->kind != SIMULATOR_MACHINE || form->language != EMIT_C);
  artStatus status = has_room ? study_write_simulator(job->w->model, job->w->data, study,
                                                      &job->options, form, own, error)
                              : base_no_memory(error);
  if (own && !file_close_text(own, &text)) status = base_no_memory(error);
  if (header && !file_close_text(header, &job->header)) status = base_no_memory(error);
  if (!status && is_called(job->w->call)) status = generate_check_calls(form->name, text, error);
  if (!status) status = gen_check_frozen(job->program, &job->options, error);
  if (!status) fwrite(text, 1, length, out);
  free(text);
  return status;
}


artStatus generate_begin_run(cliGenerate *job, artRunDef *study, artError *error)
{
  const cliWork *w = job->w;
  artStatus status = cli_choose_run(w->call, w->model, study, error);
  if (w->call->independent) study->independent = w->call->independent;
  if (!status && study->start.at_equilibrium) {
    w->data->time = study->from;
    status = art_find_start(w->model, w->data, &study->start, NULL, NULL, error);
  }
  if (!status) status = force_settle_states(w->model, w->data, error);
  return status;
}


static artStatus write_simulator(cliGenerate *job, const char *path, FILE *out, const char *header,
                                 artError *error)
{
  char name[FILE_PATH_LENGTH];
  artRunDef study;
  const artStatus begun = generate_begin_run(job, &study, error);
  if (begun != ART_OK) return begun;
  generate_stem(path, name);
  const cliCall *call = job->w->call;
  const bool is_cuda = generate_language(call) == EMIT_CUDA;
  const int asked = !isnan(call->tasks) ? (int) call->tasks : call->parallel ? 2 : 1;
  simulatorForm form = {.kind = simulator_kind(call),
                        .name = name,
                        .language = generate_language(call),
                        .header_name = header,
                        .is_readable = call->readable,
                        .precision = cli_precision(call),
                        .corners = call->corners,
                        .tasks = asked,
                        .about = &job->about,
                        .program = &job->simulated};
  const artStatus status = write_checked(job, &study, &form, out, error);
  if (!status && asked > 1 && is_cuda && form.tasks == 1) {
    if (!call->quiet) fputs("no teams are written: one thread has an instance\n", stderr);
  } else if (!status && asked > 1) {
    say_fewer(call, asked, form.tasks);
  }
  return status;
}


// the number that --lanes gives; 1 is none of the numbers there can be
static int lanes_of(const cliCall *call)
{
  if (!call->lanes) return 0;
  if (strcmp(call->lanes, "auto") == 0) return EMIT_LANES_OF_TARGET;
  char *end;
  const long n = strtol(call->lanes, &end, 10);
  return *end || !emit_is_lanes((int) n) || n < 0 ? 1 : (int) n;
}


static artStatus write_tasks(const cliGenerate *job, fileKind kind, FILE *out,
                             const emitOptions *options, artError *error)
{
  const bool is_mpi = strcmp(job->w->call->parallel, "mpi") == 0;
  emitParallel parallel = {.kind = is_mpi ? EMIT_MPI : EMIT_THREADS};
  int *gathered = NULL, tasks = 0;
  artStatus status =
      cli_choose_split(job->w->call, job->program, &parallel.split, &gathered, error);
  if (!status && kind == FILE_HEADER) {
    status = emit_parallel_header(out, job->program, &parallel, options, error);
  } else if (!status) {
    status = emit_parallel(out, job->program, &parallel, options, &tasks, error);
    if (!status) say_fewer(job->w->call, parallel.split.tasks, tasks);
  }
  mem_free(gathered);
  return status;
}


static artStatus write_text(cliGenerate *job, fileKind kind, const char *path, FILE *out,
                            const char *header, artError *error)
{
  emitOptions options = {.header = header, .lanes = lanes_of(job->w->call)};
  const artStatus status = generate_read_passes(job->w->call, &options.equations, error);
  if (status) return status;
  if (kind == FILE_SIMULATION) return write_simulator(job, path, out, header, error);
  if (job->header) {
    fputs(job->header, out);
    return ART_OK;
  }
  if (job->w->call->parallel) return write_tasks(job, kind, out, &options, error);
  if (kind == FILE_HEADER) return emit_c_header(out, job->program, &options, error);
  return emit_program(out, job->program, generate_language(job->w->call), &options, error);
}


static artStatus write_one(cliGenerate *job, fileKind kind, cliReport *report, artError *error)
{
  char path[FILE_PATH_LENGTH], header[FILE_PATH_LENGTH];
  baseFile file;
  artStatus status = name_file(job, kind, path, error);
  const bool is_with_header = has_header(job->w->call);
  if (!status && is_with_header) status = name_file(job, FILE_HEADER, header, error);
  if (!status && kind == FILE_SIMULATION && is_called(job->w->call)) {
    status = generate_check_stem(path, error);
  }
  if (!status) status = file_begin(&file, path, error);
  if (status) return status;
  const char *slash = is_with_header ? strrchr(header, '/') : NULL;
  status = write_text(job, kind, path, file.stream,
                      is_with_header ? (slash ? slash + 1 : header) : NULL, error);
  status = file_end(&file, status, error);
  if (status) return status;
  json_text(report, NULL, path);
  say(report, "%s\n", path);
  return ART_OK;
}


const eqnProgram *generate_told(const cliGenerate *job)
{
  return job->simulated ? job->simulated : job->program;
}


static artStatus write_files(cliGenerate *job, artError *error)
{
  const cliCall *call = job->w->call;
  const fileKind kind = is_machine(call) ? FILE_SIMULATION : FILE_SOURCE;
  cliReport report = tell_begin(call);
  json_fields(&report, "file: %s, name: %s", call->file, job->program->name);
  json_array(&report, "written");
  artStatus status = write_one(job, kind, &report, error);
  if (!status && has_header(call)) status = write_one(job, FILE_HEADER, &report, error);
  json_end(&report);
  if (!status && call->json) status = generate_tell_contents(&report, job, error);
  const eqnProgram *told = generate_told(job);
  for (int i = 0; !status && i < told->nfrozen; i++) {
    const eqnFrozen *x = &told->frozen[i];
    say(&report, "parameter '%s' is a number in this text: it reaches %s\n", x->name, x->what);
  }
  tell_end(&report);
  return status;
}

//---- the verb ------------------------------------------------------------------------------------

// Something in a call that makes no sense, in words around a word of it.
typedef struct callMistake {
  bool is_made;
  const char *before, *word, *after;
} callMistake;


static artStatus refuse_first(int n, const callMistake *mistakes, artError *error)
{
  for (int i = 0; i < n; i++) {
    const callMistake *m = &mistakes[i];
    if (!m->is_made) continue;
    return cli_wrong(error, "%s%.60s%s", m->before, m->word, m->after);
  }
  return ART_OK;
}


artStatus generate_check(const cliCall *call, artError *error)
{
  const bool is_foreign = generate_language(call) != EMIT_C;
  const char *target = call->target, *parallel = call->parallel;

  // a block is one file in C, by one thread, for one machine
  const char *beside = call->simulator   ? "simulator"
                       : call->interface ? "interface"
                       : call->header    ? "header"
                       : call->forms     ? "forms"
                       : call->tangent   ? "tangent"
                       : call->lanes     ? "lanes"
                       : parallel        ? "parallel"
                       : is_foreign      ? "language"
                                         : NULL;
  const callMistake of_texts[] = {
      {call->sensitive && !call->tangent && !(forms_of(call) && strstr(forms_of(call), "linear")),
       "--sensitive is for derivatives; add --tangent, or linear to --forms", "", ""},
      {target && strcmp(target, "sfunction") != 0, "--target '", target,
       "' is not known; there is sfunction"},
      {target && beside, "--target sfunction writes one file in C with all that it needs; leave --",
       beside, " out"},
      {call->lanes && lanes_of(call) == 1, "--lanes is '", call->lanes,
       "', expected 2, 4, 8 or auto"},
      {call->lanes && (is_foreign || call->simulator),
       "--lanes makes functions of several instances in C; leave out --",
       call->simulator ? "simulator" : "language", ""},
      {call->readable && (call->lanes || parallel),
       "--readable writes functions as a whole, of one instance; leave --",
       call->lanes ? "lanes" : "parallel", " out"},
      {call->share && call->lanes,
       "--lanes gives every instance parameters of its own, which are not shared; leave --share or "
       "--lanes out",
       "", ""},
      {call->share && call->freeze && strcmp(call->freeze, "all") == 0,
       "--freeze all leaves no parameters to share; leave --share out", "", ""},
  };
  const bool is_cuda = generate_language(call) == EMIT_CUDA;
  const char *other = call->by >= 0            ? "by"
                      : !isnan(call->smallest) ? "smallest"
                      : !isnan(call->transfer) ? "transfer"
                      : call->merge            ? "merge"
                                               : NULL;
  const char *lonely = !isnan(call->tasks) ? "tasks" : other;
  const callMistake of_tasks[] = {
      {lonely && !parallel && !(is_cuda && !isnan(call->tasks)), "--", lonely,
       " is for tasks; --parallel threads or --parallel mpi is missing"},
      {is_cuda && other, "--", other,
       " is for --parallel; --language cuda splits by its own search"},
      {parallel && (is_foreign || call->lanes),
       "--parallel writes C of one instance; leave --language and --lanes out", "", ""},
      {parallel && call->simulator && strcmp(parallel, "threads") != 0,
       "--simulator runs by threads; --parallel threads takes them", "", ""},
      {parallel && call->simulator && (call->by >= 0 || !isnan(call->transfer)),
       "--simulator splits by its own search; leave --", call->by >= 0 ? "by" : "transfer", " out"},
  };
  const callMistake of_files[] = {
      {call->header && call->simulator,
       "--simulator writes one file with all that it needs; leave --header out", "", ""},
      {call->header && is_foreign, "--header is for C; leave --language out", "", ""},
      {call->interface && (call->simulator || call->lanes || parallel || call->minimal),
       "--interface writes the whole machine for one thread; leave --",
       call->simulator ? "simulator"
       : call->lanes   ? "lanes"
       : parallel      ? "parallel"
                       : "minimal",
       " out"},
      {generate_language(call) == EMIT_CUDA &&
           (call->simulator || call->interface || call->header || call->forms || call->readable ||
            call->minimal),
       "--language cuda writes the whole machine in one file, for many instances; leave --",
       call->simulator   ? "simulator"
       : call->interface ? "interface"
       : call->header    ? "header"
       : call->forms     ? "forms"
       : call->readable  ? "readable"
                         : "minimal",
       " out"},
      {call->precision >= 0 && generate_language(call) != EMIT_CUDA,
       "--precision is for --language cuda; leave it out", "", ""},
      {call->corners && generate_language(call) != EMIT_CUDA,
       "--corners is for --language cuda; leave it out", "", ""},
      {call->simulator && is_foreign && generate_language(call) != EMIT_MATLAB,
       "--simulator is for C and matlab; leave --language out", "", ""},
  };
  artStatus status = check_language(call, error);
  if (!status) status = generate_check_word(call->name, error);
  if (!status) status = refuse_first(sizeof of_texts / sizeof *of_texts, of_texts, error);
  if (!status) status = generate_check_passes(call, error);
  if (!status) status = refuse_first(sizeof of_tasks / sizeof *of_tasks, of_tasks, error);
  if (!status && is_cuda) status = cli_check_whole("tasks", call->tasks, 1, 16, error);
  if (!status && (parallel || is_cuda)) status = cli_check_tasks(call, error);
  if (status) return status;
  return refuse_first(sizeof of_files / sizeof *of_files, of_files, error);
}


static artStatus attach(const void *call, artModel *m, artError *error)
{
  return cli_attach(call, m, error);
}


// without --forms and --minimal all of it is ours to choose
static artStatus choose(cliGenerate *job, cheapestForm *choice, artError *error)
{
  const cliCall *call = job->w->call;
  const bool is_ours =
      !forms_of(call) && !call->minimal && !call->interface && generate_language(call) != EMIT_CUDA;
  const bool with_cuts = call->count || call->recut;
  if (!is_ours && !with_cuts) return ART_OK;
  const cheapestAsk ask = {.study = call->study,
                           .independent = call->independent,
                           .file = with_cuts ? call->file : NULL,
                           .may_recut = call->recut,
                           .attach = attach,
                           .context = call};
  const artStatus status =
      cheapest_find(choice, job->w->model, job->w->data, &job->options, &ask, error);
  if (status || !(is_ours || choice->recut)) return status;
  // the job goes on with the cheapest: all of it, or other cuts alone where the call says the rest
  art_free_data(job->w->data);
  if (choice->recut) {
    art_free_model(job->w->model);
    job->w->model = choice->recut;
  }
  job->w->data = choice->data;
  choice->data = NULL;
  choice->recut = NULL;
  job->options.forward = choice->forward;
  if (is_ours) job->options.parameters = choice->parameters;
  return ART_OK;
}


// closed as the call or a study wants it
static artStatus assemble(cliGenerate *job, artError *error)
{
  if (job->w->model->nrow == 0) {
    if (!job->w->call->independent) return ART_OK;
    return cli_wrong(error, "--independent chooses among the coordinates of closed loops, and "
                            "this machine has none; leave it out");
  }
  artStatus status = generate_ask_partition(job, error);
  if (!status) status = study_assemble(job->w->model, job->w->data, NULL, error);
  return !status ? study_refuse_fork(job->w->model, job->w->data, error) : status;
}


artStatus generate_program(cliGenerate *job, cheapestForm *choice, artError *error)
{
  *choice = (cheapestForm){0};
  artStatus status = generate_ask_cuts(job, &job->arena, error);
  if (!status) status = read_options(job, error);
  if (!status) status = generate_ask_actuators(job, &job->arena, error);
  if (!status) status = assemble(job, error);
  if (!status) status = choose(job, choice, error);
  if (!status) {
    status = gen_create(&job->program, job->w->model, job->w->data, &job->options, error);
  }
  // a simulator has more constants than these equations
  if (status || is_machine(job->w->call)) return status;
  return gen_check_frozen(job->program, &job->options, error);
}


void generate_free(cliGenerate *job)
{
  free(job->header);
  gen_free(job->simulated);
  gen_free(job->program);
  arena_free(&job->about.arena);
  arena_free(&job->arena);
}


artStatus verb_generate(cliWork *w, artError *error)
{
  cliGenerate job = {.w = w};
  cheapestForm choice;
  artStatus status = generate_program(&job, &choice, error);
  const bool only_counts = w->call->count && !w->call->directory;
  if (!status && !only_counts) status = write_files(&job, error);
  if (!status && w->call->count) status = generate_print_counts(&job, &choice, error);
  cheapest_free(&choice);
  generate_free(&job);
  return status;
}
