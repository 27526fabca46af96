// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula generate: equations of motion as source text.
#include "verb_generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/format.h"
#include "base/throw.h"
#include "command_report.h"
#include "force/tyre_element.h"
#include "product.h"
#include "study/generate/product_writer.h"

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
    {"sample", GEN_SAMPLE | GEN_ACCELERATE, "sampled values after an instant of samplers"},
    {"machine-inverse", GEN_MACHINE_INVERSE, "whole machine: forces of actuators for given accelerations"},
    {"implicit", GEN_IMPLICIT, "the same as psi and G of psi = G tau"},
    {0},
};
// clang-format on

//---- lists of words ------------------------------------------------------------------------------

const char *cli_form_name(int k)
{
  ART_ASSERT(k >= 0);
  return cli_forms[k].name;
}


static void add_form(cliGenerate *job, const char *word)
{
  if (strcmp(word, "all") == 0) {
    // all forms but the ones that this machine has not, or that others contain
    unsigned excluded = GEN_POWER | GEN_LINEAR | GEN_IMPLICIT;
    int massless = -1;
    if (!gen_find_massless(job->w->model, job->w->data, &massless)) error_throw();
    if (job->w->model->nrow == 0) excluded |= GEN_CONSTRAINTS | GEN_AUGMENTED;
    if (job->w->model->nroll > 0) excluded |= GEN_AUGMENTED;
    if (massless >= 0 && job->w->model->nrow == 0) excluded |= GEN_NEED_INERTIA;
    for (const cliForm *form = cli_forms; form->name; form++) {
      job->options.forms |= form->bit & ~excluded;
    }
    return;
  }
  const int k = cli_find_word("forms", word, cli_form_name, ", all");
  if (cli_forms[k].bit & GEN_SAMPLE && job->w->model->nsampler == 0)
    cli_leave("the form sample is for samplers, and this machine has none");
  job->options.forms |= cli_forms[k].bit;
  // joint forces of a tree whose loops are open make no motion of the machine
  if (cli_forms[k].bit == GEN_INVERSE && job->w->model->nrow > 0) {
    job->options.forms |= GEN_MACHINE_INVERSE;
  }
}


// A public class of Java has the name of its file, which -o may give.
static const char *program_name(cliGenerate *job)
{
  const cliCall *call = job->w->call;
  char stem[FILE_PATH_LENGTH];
  if (generate_language(call) != EMIT_JAVA || generate_language_of_file(call) != EMIT_JAVA)
    return call->name;
  generate_stem(call->directory, stem);
  generate_check_class(stem, call->name);
  return arena_text(&job->w->arena, stem);
}


static void read_options(cliGenerate *job)
{
  const cliCall *call = job->w->call;
  genOptions *o = &job->options;
  const char **words = NULL;
  const bool is_cuda = generate_language(call) == EMIT_CUDA;
  const char *all = product_has_interface(call) ? "accelerate,linear,machine-inverse"
                    : is_cuda && call->tangent  ? "accelerate,linear"
                                                : "accelerate";
  const int n = generate_split(&job->w->arena, call->forms ? call->forms : all, &words);
  for (int i = 0; i < n; i++) add_form(job, words[i]);
  o->parameters = call->minimal ? GEN_BARYCENTRIC : GEN_CLASSICAL;
  o->tangents = call->tangent;
  o->relays = 1;
  o->share = call->share;
  o->name = program_name(job);
  product_check_forms(call, o->forms);
  o->scheme = call->scheme >= 0 ? (genScheme) call->scheme : GEN_LINK_AXES;
  o->cholesky = call->cholesky;
  if (call->sensitive) {
    o->nsensitive = generate_split(&job->w->arena, call->sensitive, &words);
    o->sensitive = words;
  }
  // threads of subtrees read constants of links (eqn/share.h); see offer_bodies_of_kernel
  o->fixed_bodies = is_cuda && job->w->model->nparameter == 0;
  o->freeze_all = call->freeze && strcmp(call->freeze, "all") == 0;
  if (!call->freeze || o->freeze_all) return;
  o->nfreeze = generate_split(&job->w->arena, call->freeze, &words);
  o->freeze = words;
  ARENA_TAKE(&job->w->arena, o->frozen, o->nfreeze + 1);
}

//---- files ---------------------------------------------------------------------------------------

// FILE_HEADER: the header of C; the machine in C that an interface in another language calls
typedef enum fileKind { FILE_SOURCE, FILE_HEADER, FILE_SIMULATION } fileKind;


// a whole machine, with its state and steps
static bool is_machine(const cliCall *call)
{
  const cliProduct product = product_of(call);
  return product != PRODUCT_FUNCTIONS && product != PRODUCT_LANES && product != PRODUCT_TASKS;
}


static void check_language(const cliCall *call)
{
  const int k = generate_language_of_file(call);
  if (k < 0 || call->language < 0 || call->language == k) return;
  if (file_has_ending(call->directory, emit_file_ending((emitLanguage) call->language))) return;
  cli_leave("--language is %s, and '%.200s' is a file of %s; leave --language out, or name a file "
            "that ends in '%s'",
            emit_language_name((emitLanguage) call->language), call->directory,
            emit_language_name((emitLanguage) k), emit_file_ending((emitLanguage) call->language));
}


static simulatorKind simulator_kind(const cliCall *call)
{
  switch (product_of(call)) {
  case PRODUCT_SFUNCTION: return SIMULATOR_SFUNCTION;
  case PRODUCT_CUDA: return SIMULATOR_CUDA;
  case PRODUCT_FMU:
  case PRODUCT_MACHINE: return SIMULATOR_MACHINE;
  default: return generate_language(call) == EMIT_MATLAB ? SIMULATOR_MATLAB : SIMULATOR_PROGRAM;
  }
}


static const char *header_ending(const cliCall *call)
{
  static const char *const ending[EMIT_LANGUAGES] = {[EMIT_FORTRAN] = "_fortran.c",
                                                     [EMIT_MATLAB] = "_matlab.c",
                                                     [EMIT_JAVA] = "_java.c",
                                                     [EMIT_PYTHON] = "_python.c"};
  const emitLanguage language = generate_language(call);
  return language < EMIT_LANGUAGES && ending[language] ? ending[language] : ".h";
}


// FILE of -o FILE, or DIR/NAME.c, with NAME the machine's in the text
static void name_file(const cliGenerate *job, fileKind kind, char path[FILE_PATH_LENGTH])
{
  struct stat about;
  const char *where = job->w->call->directory ? job->w->call->directory : ".";
  const char *ending = emit_file_ending(generate_language(job->w->call));
  const bool is_folder = stat(where, &about) == 0 && S_ISDIR(about.st_mode);
  if (file_has_ending(where, ending) && !is_folder) {
    const int stem = (int) (strlen(where) - strlen(ending));
    snprintf(path, FILE_PATH_LENGTH, "%.*s%s", stem < 4000 ? stem : 4000, where,
             kind == FILE_HEADER ? header_ending(job->w->call) : ending);
    return;
  }
  if (job->w->call->directory) error_check(file_make_directory(where, error_current()));
  char name[400];
  snprintf(name, sizeof name, "%.300s%s%s", job->program->name,
           kind != FILE_SIMULATION                         ? ""
           : product_of(job->w->call) == PRODUCT_SFUNCTION ? "_sfunction"
           : simulator_kind(job->w->call) == SIMULATOR_CUDA || product_has_interface(job->w->call)
               ? ""
               : "_simulator",
           kind == FILE_HEADER ? header_ending(job->w->call) : ending);
  error_check(file_join(path, where, name, error_current()));
}


// fewer tasks are written than were asked for, and why
static void say_fewer(const cliCall *call, const splitChoice *choice, int written, int groups)
{
  if (written >= choice->tasks || call->quiet) return;
  fprintf(stderr, "%d task%s written of %d: %s\n", written, written == 1 ? " is" : "s are",
          choice->tasks, split_fewer_reason(choice, groups));
}


// asked for, or of an interface
static bool has_header(const cliCall *call)
{
  return call->header || product_has_interface(call);
}


// MATLAB calls what is in the file by the name of the file
static bool is_called(const cliCall *call)
{
  return product_of(call) == PRODUCT_SFUNCTION || generate_language(call) == EMIT_MATLAB;
}


// the text, unless its functions have the name by which MATLAB is to call the file
static void write_checked(cliGenerate *job, const artRunDef *study, simulatorForm *form, FILE *out)
{
  size_t length = 0, header_length = 0;
  artError *error = error_current();
  FILE *own = open_memstream(&job->text, &length);
  FILE *header = has_header(job->w->call) && form->kind == SIMULATOR_MACHINE
                     ? open_memstream(&job->header, &header_length)
                     : NULL;
  form->header = header;
  const bool has_room = own && (header || form->kind != SIMULATOR_MACHINE);
  artStatus status = has_room ? study_write_simulator(job->w->model, job->w->data, study,
                                                      &job->options, form, own, error)
                              : base_no_memory(error);
  if (own && !file_close_text(own, &job->text)) status = base_no_memory(error);
  if (header && !file_close_text(header, &job->header)) status = base_no_memory(error);
  error_check(status);
  if (is_called(job->w->call)) generate_check_calls(form->name, job->text);
  error_check(gen_check_frozen(job->program, &job->options, error));
  fwrite(job->text, 1, length, out);
}


artRunDef generate_begin_run(cliGenerate *job)
{
  const cliWork *w = job->w;
  artRunDef study;
  error_check(cli_choose_run(w->call, w->model, &study, error_current()));
  if (w->call->independent) study.independent = w->call->independent;
  if (study.start.at_equilibrium) {
    w->data->time = study.from;
    error_check(art_find_start(w->model, w->data, &study.start, NULL, NULL, error_current()));
  }
  error_check(force_settle_states(w->model, w->data, error_current()));
  return study;
}


static void write_text_of_simulator(cliGenerate *job, const char *path, FILE *out,
                                    const char *header)
{
  char name[FILE_PATH_LENGTH];
  const artRunDef study = generate_begin_run(job);
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
  write_checked(job, &study, &form, out);
  if (asked > 1 && is_cuda && form.tasks == 1) {
    if (!call->quiet) fputs("no teams are written: one thread has an instance\n", stderr);
  } else if (asked > 1) {
    const splitChoice choice = split_default_choice(asked);
    say_fewer(call, &choice, form.tasks, 0);
  }
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


static void write_generated_text(cliGenerate *job, fileKind kind, const char *path, FILE *out,
                                 const char *header)
{
  const cliCall *call = job->w->call;
  const emitOptions options = {
      .header = header, .lanes = lanes_of(call), .equations = generate_read_passes(call)};
  if (kind == FILE_SIMULATION) {
    write_text_of_simulator(job, path, out, header);
  } else if (job->header) {
    fputs(job->header, out);
  } else if (call->parallel) {
    const bool is_mpi = strcmp(job->w->call->parallel, "mpi") == 0;
    const emitParallel parallel = {.kind = is_mpi ? EMIT_MPI : EMIT_THREADS,
                                   .split = cli_choose_split(job)};
    int tasks = 0;
    if (kind == FILE_HEADER) {
      error_check(emit_parallel_header(out, job->program, &parallel, &options, error_current()));
    } else {
      error_check(emit_parallel(out, job->program, &parallel, &options, &tasks, error_current()));
      say_fewer(job->w->call, &parallel.split, tasks, emit_count_groups(job->program));
    }
  } else {
    error_check(kind == FILE_HEADER ? emit_c_header(out, job->program, &options, error_current())
                                    : emit_program(out, job->program, generate_language(call),
                                                   &options, error_current()));
  }
}


// names it and returns its path
static const char *write_one(cliGenerate *job, fileKind kind)
{
  char path[FILE_PATH_LENGTH], header[FILE_PATH_LENGTH];
  const bool is_with_header = has_header(job->w->call);
  name_file(job, kind, path);
  if (is_with_header) name_file(job, FILE_HEADER, header);
  if (kind == FILE_SIMULATION && is_called(job->w->call)) generate_check_stem(path);
  error_check(file_begin(&job->file, path, error_current()));
  const char *slash = is_with_header ? strrchr(header, '/') : NULL;
  write_generated_text(job, kind, path, job->file.stream,
                       is_with_header ? (slash ? slash + 1 : header) : NULL);
  error_check(file_commit(&job->file, error_current()));
  if (!job->w->call->json) format_show(stdout, "%s\n", path);
  return arena_text(&job->w->arena, path);
}


const eqnProgram *generate_told(const cliGenerate *job)
{
  return job->simulated ? job->simulated : job->program;
}


//---- the verb ------------------------------------------------------------------------------------

void generate_check(const cliCall *call)
{
  const cliProduct product = product_of(call);
  check_language(call);
  generate_check_word(call->name);
  product_check(call);
  if (call->lanes && lanes_of(call) == 1)
    cli_leave("--lanes is '%.60s', expected 2, 4, 8 or auto", call->lanes);
  if (call->share && call->freeze && strcmp(call->freeze, "all") == 0)
    cli_leave("--freeze all leaves no parameters to share; leave --share out");
  if (product == PRODUCT_WORKERS && strcmp(call->parallel, "threads") != 0)
    cli_leave("a simulator takes no --parallel %s: it runs by threads; take --parallel threads",
              call->parallel);
  generate_check_passes(call);
  if (product == PRODUCT_CUDA) cli_check_whole("tasks", call->tasks, 1, 16);
  cli_check_tasks(call);
}


static artStatus attach_for_call(const void *call, artModel *m, artError *error)
{
  return cli_attach(call, m, error);
}


// without --forms and --minimal all of it is ours to choose
static void choose_cheapest_form(cliGenerate *job)
{
  const cliCall *call = job->w->call;
  cheapestForm *choice = &job->choice;
  const bool is_ours = !call->forms && !call->minimal && !product_has_interface(call) &&
                       generate_language(call) != EMIT_CUDA;
  const bool with_cuts = call->count || call->recut;
  if (!is_ours && !with_cuts) return;
  const cheapestAsk ask = {.study = call->study,
                           .independent = call->independent,
                           .file = with_cuts ? call->file : NULL,
                           .may_recut = call->recut,
                           .attach = attach_for_call,
                           .context = call};
  error_check(
      cheapest_find(choice, job->w->model, job->w->data, &job->options, &ask, error_current()));
  if (!is_ours && !choice->recut) return;
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
}


// A kernel without threads of subtrees offers numbers of bodies.
static void offer_bodies_of_kernel(cliGenerate *job)
{
  if (!job->options.fixed_bodies) return;
  const int is_shared = emit_partitions_subtrees(job->program);
  if (is_shared < 0) error_throw();
  if (is_shared) return;
  gen_free(job->program);
  job->program = NULL;
  job->options.fixed_bodies = 0;
  error_check(
      gen_create(&job->program, job->w->model, job->w->data, &job->options, error_current()));
}


void generate_program(cliGenerate *job)
{
  generate_ask_cuts(job->w);
  read_options(job);
  generate_ask_actuators(job);
  generate_assemble(job->w);
  choose_cheapest_form(job);
  error_check(
      gen_create(&job->program, job->w->model, job->w->data, &job->options, error_current()));
  offer_bodies_of_kernel(job);
  if (!gen_drop_unread(1, &job->program)) error_throw();
  // a simulator has more constants than these equations
  if (is_machine(job->w->call)) return;
  error_check(gen_check_frozen(job->program, &job->options, error_current()));
}


void generate_free(void *kept)
{
  cliGenerate *job = kept;
  if (job->file.stream) file_abandon(&job->file);
  free(job->text);
  free(job->header);
  cheapest_free(&job->choice);
  gen_free(job->simulated);
  gen_free(job->program);
  arena_free(&job->about.arena);
}


void verb_generate(cliWork *w)
{
  cliGenerate *job = arena_alloc(&w->arena, 1, sizeof *job);
  job->w = w;
  cli_defer(w, generate_free, job);
  generate_program(job);
  if (!w->call->count || w->call->directory) {
    const cliCall *call = job->w->call;
    const fileKind kind = is_machine(call) ? FILE_SIMULATION : FILE_SOURCE;
    const char *written[2] = {0};
    written[0] = write_one(job, kind);
    if (has_header(call)) written[1] = write_one(job, FILE_HEADER);
    cliReport report = report_begin(call);
    json_fields(&report, "file: %s, name: %s", call->file, job->program->name);
    json_array(&report, "written");
    for (int k = 0; k < 2 && written[k]; k++) json_text(&report, NULL, written[k]);
    json_end(&report);
    if (call->json) generate_report_contents(&report, job);
    const eqnProgram *told = generate_told(job);
    for (int i = 0; i < told->nfrozen; i++) {
      const eqnFrozen *x = &told->frozen[i];
      say(&report, "parameter '%s' is a number in this source: it reaches %s\n", x->name, x->what);
    }
    report_end(&report);
  }
  if (w->call->count) generate_print_counts(job);
}
