// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export --fmu: the texts of a unit, compiled, in one archive.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/throw.h"
#include "base/tidy.h"
#include "emit/fmu/fmu_sources.h"
#include "export_picture.h"
#include "load/compiler.h"
#include "show/zip.h"
#include "study/generate/product_writer.h"
#include "verb_generate.h"

// Texts of a unit, each with its name in the archive.
enum {
  TEXT_DESCRIPTION,
  TEXT_DOCUMENT,
  TEXT_SYSTEM,
  TEXT_TERMINALS,
  TEXT_BUILD,
  TEXT_UNIT,
  TEXT_MACHINE,
  TEXT_HEADER,
  TEXT_STANDARD,
  TEXTS
};

typedef struct unitText {
  FILE *out;
  char *text;
  size_t length;
} unitText;

typedef struct fmuJob {
  cliGenerate generate;
  emitFmu unit;
  const char *name; // of the machine
  unitNames targets;
  unitText text[TEXTS];
  exportPicture picture;
  unitText archive; // the FMU within an archive of SSP
  zipWriter zip;
} fmuJob;

//---- texts ---------------------------------------------------------------------------------------

static int close_texts(fmuJob *job)
{
  int held = 1;
  for (int k = 0; k < TEXTS; k++) {
    if (!job->text[k].out) continue;
    held &= file_close_text(job->text[k].out, &job->text[k].text);
    job->text[k].out = NULL;
  }
  return held;
}


// in the archive; sources follow the folder
static void name_unit_text(const fmuJob *job, int k, char path[FILE_PATH_LENGTH])
{
  ART_ASSERT(k >= 0 && k < TEXTS);
  static const char *const ending[TEXTS] = {
      [TEXT_UNIT] = "_unit.c", [TEXT_MACHINE] = ".c", [TEXT_HEADER] = ".h"};
  if (k == TEXT_DESCRIPTION) {
    snprintf(path, FILE_PATH_LENGTH, "modelDescription.xml");
  } else if (k == TEXT_DOCUMENT) {
    snprintf(path, FILE_PATH_LENGTH, "documentation/index.html");
  } else if (k == TEXT_SYSTEM) {
    snprintf(path, FILE_PATH_LENGTH, "SystemStructure.ssd");
  } else if (k == TEXT_TERMINALS) {
    snprintf(path, FILE_PATH_LENGTH, "terminalsAndIcons/terminalsAndIcons.xml");
  } else if (k == TEXT_BUILD) {
    snprintf(path, FILE_PATH_LENGTH, "sources/buildDescription.xml");
  } else if (k == TEXT_STANDARD) {
    snprintf(path, FILE_PATH_LENGTH, "sources/fmi%d.h", job->unit.version);
  } else {
    snprintf(path, FILE_PATH_LENGTH, "sources/%.300s%s", job->name, ending[k]);
  }
}


static void split_names(fmuJob *job, const char *text, unitNames *names)
{
  const char **words = NULL;
  names->n = text ? generate_split(&job->generate.w->arena, text, &words) : -1;
  names->name = words;
}


static void write_texts(fmuJob *job)
{
  char header[FILE_PATH_LENGTH];
  const artRunDef study = generate_begin_run(&job->generate);
  if (!job->picture.bytes) job->picture = export_picture(job->generate.w);
  for (int k = 0; k < TEXTS; k++) {
    job->text[k].out = open_memstream(&job->text[k].text, &job->text[k].length);
    if (!job->text[k].out) error_throw();
  }
  snprintf(header, sizeof header, "%.300s.h", job->name);
  job->unit.description = job->text[TEXT_DESCRIPTION].out;
  job->unit.document = job->text[TEXT_DOCUMENT].out;
  job->unit.system = job->text[TEXT_SYSTEM].out;
  job->unit.source = job->text[TEXT_UNIT].out;
  job->unit.build = job->unit.version == 3 ? job->text[TEXT_BUILD].out : NULL;
  job->unit.terminals = job->unit.version == 3 ? job->text[TEXT_TERMINALS].out : NULL;
  job->unit.icon_width = job->picture.width;
  job->unit.icon_height = job->picture.height;
  simulatorForm form = {.kind = SIMULATOR_MACHINE,
                        .name = job->name,
                        .language = EMIT_C,
                        .header = job->text[TEXT_HEADER].out,
                        .header_name = header,
                        .tasks = 1,
                        .unit = &job->unit};
  emit_unit_standard(job->text[TEXT_STANDARD].out, job->unit.version);
  const cliWork *w = job->generate.w;
  error_check(study_write_simulator(w->model, w->data, &study, &job->generate.options, &form,
                                    job->text[TEXT_MACHINE].out, error_current()));
  if (!close_texts(job)) error_throw();
}

//---- the library ---------------------------------------------------------------------------------

// A kind of computer, by the words of its compiler: the folder of its libraries, and their ending.
typedef struct unitTarget {
  char compiler[100]; // "": that of this computer
  char folder[40];
  const char *ending;
} unitTarget;

// "x86_64-linux-gnu": the standard's names for CPUs, with their bits in version 2.0, and for systems.
static bool name_target(const char *words, int version, unitTarget *target)
{
  static const struct {
    const char *begin, *name, *bits;
  } processor[] = {{"x86_64-", "x86_64", "64"}, {"i686-", "x86", "32"},
                   {"i386-", "x86", "32"},      {"aarch64-", "aarch64", NULL},
                   {"arm64-", "aarch64", NULL}, {"arm", "aarch32", NULL}};
  static const struct {
    const char *part, *name, *old, *ending;
  } system[] = {{"linux", "linux", "linux", ".so"},
                {"mingw", "windows", "win", ".dll"},
                {"darwin", "darwin", "darwin", ".dylib"}};
  const int nprocessor = sizeof processor / sizeof *processor;
  int p = 0, s = 0;
  while (p < nprocessor && strncmp(words, processor[p].begin, strlen(processor[p].begin)) != 0) p++;
  while (s < 3 && !strstr(words, system[s].part)) s++;
  if (p == nprocessor || s == 3) return false;
  target->ending = system[s].ending;
  if (version == 2 && processor[p].bits) {
    snprintf(target->folder, sizeof target->folder, "%s%s", system[s].old, processor[p].bits);
  } else {
    snprintf(target->folder, sizeof target->folder, "%s-%s", processor[p].name, system[s].name);
  }
  return true;
}


// the computer at hand; false: the standard has no name for it
static bool name_own(int version, unitTarget *target)
{
  target->compiler[0] = 0;
  return platform_machine() && name_target(platform_machine(), version, target);
}


static artStatus write_unit_source(const char *path, const unitText *text, artError *error)
{
  FILE *out;
  const artStatus status = file_create(&out, path, 0, error);
  if (status) return status;
  const bool held = fwrite(text->text, 1, text->length, out) == text->length;
  return fclose(out) == 0 && held ? ART_OK : file_fail(error, path, "cannot write");
}


// names of the sources within a folder, then of the library there
static void name_files(const fmuJob *job, const char *folder, char path[TEXTS][FILE_PATH_LENGTH],
                       const char *ending, char library[FILE_PATH_LENGTH])
{
  for (int k = TEXT_UNIT; k < TEXTS; k++) {
    char own[FILE_PATH_LENGTH];
    name_unit_text(job, k, own);
    snprintf(path[k], FILE_PATH_LENGTH, "%.3000s/%.900s", folder, strrchr(own, '/') + 1);
  }
  snprintf(library, FILE_PATH_LENGTH, "%.3000s/%.300s%s", folder, job->name, ending);
}


// compile the sources in a folder of their own
static artStatus compile_unit_sources(const fmuJob *job, const unitTarget *target,
                                      const char *folder, char **bytes, size_t *size,
                                      artError *error)
{
  char path[TEXTS][FILE_PATH_LENGTH], library[FILE_PATH_LENGTH], log[FILE_PATH_LENGTH + 8];
  const char *own = job->unit.version == 2 ? "-DFMI2_OVERRIDE_FUNCTION_PREFIX"
                                           : "-DFMI3_OVERRIDE_FUNCTION_PREFIX";
  artStatus status = ART_OK;
  name_files(job, folder, path, target->ending, library);
  snprintf(log, sizeof log, "%s.log", library);
  tidy_note(library);
  tidy_note(log);
  for (int k = TEXT_UNIT; k < TEXTS && !status; k++) {
    tidy_note(path[k]);
    status = write_unit_source(path[k], &job->text[k], error);
  }
  // clang-format off
  const char *const words[] = {
      "-O3", "-shared", "-s", "-fPIC", "-std=c99", "-ffp-contract=fast", "-fno-math-errno",
      "-fno-trapping-math", "-fvisibility=hidden", "-fno-asynchronous-unwind-tables",
      "-fno-tree-slp-vectorize", "-fno-inline-functions-called-once", "-fno-inline-functions",
      "-fno-inline-small-functions", own, path[TEXT_UNIT], path[TEXT_MACHINE], "-o", library, "-lm",
      NULL};
  // clang-format on
  if (!status) {
    status = compiler_run(
        target->compiler[0] ? target->compiler : NULL, words, library, log, "unit",
        target->compiler[0] ? "leave it out with --targets own" : ", or use --sources alone",
        error);
  }
  if (!status) status = file_read(library, bytes, size, error);
  for (int k = TEXT_UNIT; k < TEXTS; k++) {
    unlink(path[k]);
    tidy_forget(path[k]);
  }
  unlink(library);
  unlink(log);
  tidy_forget(library);
  tidy_forget(log);
  return status;
}


static void add_library(fmuJob *job, const unitTarget *target)
{
  char folder[FILE_PATH_LENGTH], name[FILE_PATH_LENGTH], *bytes = NULL;
  size_t size = 0;
  snprintf(folder, sizeof folder, "%.3000s/articula-XXXXXX", platform_temporary_folder());
  if (!mkdtemp(folder)) error_check(file_fail(error_current(), folder, "cannot make a folder"));
  artStatus status = compile_unit_sources(job, target, folder, &bytes, &size, error_current());
  rmdir(folder);
  snprintf(name, sizeof name, "binaries/%s/%.300s%s", target->folder, job->name, target->ending);
  if (!status) status = zip_add(&job->zip, name, bytes, size, error_current());
  mem_free(bytes);
  error_check(status);
}


static bool is_on_path(const char *program)
{
  char path[FILE_PATH_LENGTH];
  return platform_find_program(program, strlen(program), path, sizeof path);
}


// Without --targets: the computers that most importers run on, where their compilers are installed.
static int take_usual_targets(int version, unitTarget *target)
{
  static const char *const usual[] = {"x86_64-linux-gnu", "x86_64-w64-mingw32"};
  int n = 0;
  for (int k = 0; k < 2; k++) {
    unitTarget *own = &target[n + 1];
    snprintf(own->compiler, sizeof own->compiler, "%s-gcc", usual[k]);
    if (!name_target(usual[k], version, own) || !is_on_path(own->compiler)) continue;
    n += strcmp(own->folder, target[0].folder) != 0;
  }
  return n;
}


// for the computer at hand, then for those that the call names: `own` is none of them
static void add_libraries(fmuJob *job)
{
  enum { MOST = 16 };
  unitTarget target[MOST + 1];
  const int version = job->unit.version;
  const bool is_own = job->targets.n == 1 && strcmp(job->targets.name[0], "own") == 0;
  if (!name_own(version, &target[0])) {
    error_throw_at(ART_UNSUPPORTED, base_nowhere(),
                   "FMI %d.0 has no name for libraries of this kind of computer; use --sources",
                   version);
  }
  int n = is_own ? 0 : job->targets.n;
  if (job->targets.n < 0) n = take_usual_targets(version, target);
  for (int k = 0; k < n && job->targets.n > 0; k++) {
    const char *words = job->targets.name[k];
    const bool is_known = k < MOST && strlen(words) < 90 && !strpbrk(words, " \t/") &&
                          name_target(words, version, &target[k + 1]);
    if (!is_known)
      cli_leave("--targets names '%.60s', which is not a kind of computer like x86_64-linux-gnu, "
                "aarch64-linux-gnu or x86_64-w64-mingw32",
                words);
    snprintf(target[k + 1].compiler, sizeof target->compiler, "%s-gcc", words);
    for (int i = 0; i <= k; i++) {
      if (strcmp(target[i].folder, target[k + 1].folder) != 0) continue;
      cli_leave("--targets names '%.60s', whose library is there already", words);
    }
  }
  for (int k = 0; k <= n; k++) add_library(job, &target[k]);
}


// Without a compiler the FMU has its sources alone, unless the call asks for a library.
static bool has_sources_alone(const cliCall *call)
{
  if (call->sources) return true;
  const bool must = call->binary || call->targets || getenv("CC");
  if (must || is_on_path(compiler_name())) return false;
  if (!call->quiet) {
    fprintf(stderr, "there is no C compiler on the path (gcc or clang), so the FMU contains its "
                    "sources and no library; install one, or name it in the environment variable "
                    "CC\n");
  }
  return true;
}

//---- the archive ---------------------------------------------------------------------------------

static void add_unit_text(fmuJob *job, int k)
{
  char name[FILE_PATH_LENGTH];
  name_unit_text(job, k, name);
  error_check(zip_add(&job->zip, name, job->text[k].text, job->text[k].length, error_current()));
}


// the FMU into a stream
static void write_unit_archive(fmuJob *job, FILE *out)
{
  const cliCall *call = job->generate.w->call;
  job->zip = (zipWriter){.out = out};
  for (int k = 0; k < TEXTS; k++) {
    if (k == TEXT_SYSTEM || (k >= TEXT_BUILD && call->binary)) continue;
    if ((k == TEXT_BUILD || k == TEXT_TERMINALS) && job->unit.version == 2) continue;
    add_unit_text(job, k);
  }
  if (job->picture.width > 0) {
    error_check(zip_add(&job->zip, unit_icon_path(job->unit.version),
                        (const char *) job->picture.bytes, job->picture.size, error_current()));
  }
  if (!has_sources_alone(call)) add_libraries(job);
  error_check(zip_finish(&job->zip, error_current()));
}


//---- the call ------------------------------------------------------------------------------------

// the unit that a call wants
static void read_unit_call(fmuJob *job)
{
  enum { BOTH, EXCHANGE, STEPS };
  const cliCall *call = job->generate.w->call;
  static char tool[64];
  snprintf(tool, sizeof tool, "Articula %s", art_version());
  job->unit.version = call->fmi_version == 1 ? 3 : 2;
  job->unit.has_exchange = call->unit_kind != STEPS;
  job->unit.has_steps = call->unit_kind != EXCHANGE;
  job->unit.is_binary = call->binary;
  job->unit.tool = tool;
  if (call->binary && call->sources)
    cli_leave("--binary leaves sources out and --sources the library; without both there are both");
  if (call->targets && call->sources)
    cli_leave("--targets asks for libraries and --sources leaves them out");
  generate_check_word(call->name);
  split_names(job, call->targets, &job->targets);
  split_names(job, call->inputs, &job->unit.inputs);
  split_names(job, call->outputs, &job->unit.outputs);
}


// Derivatives make the text of a long machine several times longer: without --forms they go with short ones. Operations
// above MAX_OPERATIONS would make it longer than LONGEST, which compilers take some ten seconds for.
enum { MAX_OPERATIONS = 5000, LONGEST = 1250000 };

static void free_texts(void *kept)
{
  fmuJob *job = kept;
  zip_close(&job->zip);
  if (job->archive.out) fclose(job->archive.out);
  free(job->archive.text);
  job->archive = (unitText){0};
  close_texts(job);
  for (int k = 0; k < TEXTS; k++) {
    free(job->text[k].text);
    job->text[k] = (unitText){0};
  }
}


// the texts with the derivatives that were chosen, or without them where they are too long
static void write_short_texts(fmuJob *job)
{
  const eqnOptions standard = eqn_default_options();
  const eqnProgram *p = job->generate.program;
  eqnList *list = eqn_list_create(p, eqn_function(p, EQN_ACCELERATE), &standard);
  if (!list) error_throw();
  if (list->total.total <= MAX_OPERATIONS) job->generate.options.forms |= GEN_LINEAR;
  eqn_list_free(list);
  write_texts(job);
  const int has_derivatives = (job->generate.options.forms & GEN_LINEAR) != 0;
  if (!has_derivatives || job->text[TEXT_MACHINE].length <= LONGEST) return;
  free_texts(job);
  job->generate.options.forms &= ~(unsigned) GEN_LINEAR;
  write_texts(job);
}


void export_unit(cliWork *w)
{
  const cliCall *given = w->call;
  cliCall *call = arena_copy(&w->arena, given, 1, sizeof *call);
  fmuJob *job = arena_alloc(&w->arena, 1, sizeof *job);
  if (!call->forms) call->forms = "accelerate";
  w->call = call;
  job->generate.w = w;
  cli_defer(w, generate_free, &job->generate);
  cli_defer(w, free_texts, job);
  read_unit_call(job);
  generate_program(&job->generate);
  job->name = job->generate.program->name;
  if (given->forms)
    write_texts(job);
  else
    write_short_texts(job);
  const char *path = job->generate.w->call->fmu;
  error_check(file_begin(&job->generate.file, path, error_current()));
  FILE *out = job->generate.file.stream;
  if (file_has_ending(path, ".ssp")) {
    // an archive of SSP with the FMU in it
    unitText *unit = &job->archive;
    char name[FILE_PATH_LENGTH];
    unit->out = open_memstream(&unit->text, &unit->length);
    if (!unit->out) error_throw();
    write_unit_archive(job, unit->out);
    const int held = file_close_text(unit->out, &unit->text);
    unit->out = NULL;
    if (!held) error_throw();
    job->zip = (zipWriter){.out = out};
    add_unit_text(job, TEXT_SYSTEM);
    snprintf(name, sizeof name, "resources/%.300s.fmu", job->name);
    error_check(zip_add(&job->zip, name, unit->text, unit->length, error_current()));
    error_check(zip_finish(&job->zip, error_current()));
  } else {
    write_unit_archive(job, out);
  }
  error_check(file_commit(&job->generate.file, error_current()));
  w->exit = cli_name_file(given, "fmu", given->fmu, 0);
}
