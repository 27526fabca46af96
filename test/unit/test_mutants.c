// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mutants of the shipped models (support/mutate.h) in all studies: assembly, motion by several methods, equilibrium,
// linearisation, inverse dynamics, generated text; some by compiled equations. Every call ends well or says why not; numbers of a call that ended
// well are finite; methods that both call their run good agree. Each mutant lives in a process of its own with
// a limit of processor time.
//
//   ART_SOAK=1          more of them
//   ART_MUTANTS=A:N     N of them from number A on
// A mutant that fails is written to a file whose name is printed; all follow from their number and the shipped models.
// Those that found faults are kept in test/models/mutants and tried each time.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "articula/articula.h"
#include "base/error.h"
#include "base/file.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "method/method.h"
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/mutate.h"

enum {
  REPAIRS = 6,
  READ_QUICK = CHECK_CASES(300, 60), // mutants that are only read
  QUICK = CHECK_CASES(20, 8),
  SOAK = 5000,
};

// motion: how long, how exactly, and what methods may differ by when the same method with a hundredth of the
// tolerance differs by d: DIFFERENCE + SENSITIVITY d, relative to the larger of 1 and the largest value
static const double DURATION = 0.03, TOLERANCE = 1e-9, DIFFERENCE = 1e-6, SENSITIVITY = 1e3;

// Methods in natural coordinates are of the second order, or of the first where modes change within a step: what
// halving the step changes is three times, or once, the error that is left. They may be off by ten times that.
enum {
  STEPS = 30,
  THINNED = 6
}; // of the coarser run; one of so many mutants by generated equations
static const double SECOND_ORDER = 10;

typedef enum {
  READ,
  ASSEMBLE,
  RUN,
  NATURAL,
  GENERATED,
  EQUIL,
  LINEAR,
  INVERSE,
  GENERATE,
  STAGES
} stageName;
static const char *const stage_names[] = {"read",  "assemble", "run",     "natural", "generated",
                                          "equil", "linear",   "inverse", "generate"};

// the report of a child to its parent
typedef struct report {
  stageName stage;
  int done[STAGES];     // calls that ended well
  int good;             // runs
  int compared[STAGES]; // pairs of good runs
  char finding[1600];
} report;

static glob_t models, findings;
static int seconds; // of the processor for one mutant
static report *shared;


//---- models --------------------------------------------------------------------------------------

static void list_models(void)
{
  models = folder_models(1);
  CHECK(glob(ART_SOURCE_DIR "/test/models/good/*.yaml", GLOB_APPEND, NULL, &models) == 0);
  CHECK(glob(ART_SOURCE_DIR "/test/models/mutants/*.yaml", 0, NULL, &findings) == 0);
}


//---- mutants -------------------------------------------------------------------------------------

// the line of "path:12:5: ..." in a message; 0 where there is none
static int line_of(const artError *error, const char *path)
{
  const size_t n = strlen(path);
  return strncmp(error->text, path, n) == 0 && error->text[n] == ':' ? atoi(error->text + n + 1)
                                                                     : 0;
}


static void find(const char *format, const char *what, const char *text)
{
  snprintf(shared->finding, sizeof shared->finding, format, what, text);
  _exit(1);
}


// Elements that no longer fit are taken out; NULL where the mutant remains none.
static artModel *read_mutant(yamlNode *root, const char *path, char **text)
{
  artModel *model = NULL;
  for (int trial = 0;; trial++) {
    artError error = {0};
    free(*text);
    *text = mutate_write(root);
    const artStatus status = art_read_model(&model, *text, strlen(*text), path, &error);
    if ((status == ART_OK) != (model != NULL) || (status == ART_OK) != !error.text[0]) {
      find("%s %s", "a model without a message or a message with a model:", error.text);
    }
    if (model || trial == REPAIRS || !mutate_drop_line(root, line_of(&error, path))) return model;
  }
}


// The model that a number stands for, and its text for free().
static artModel *make_mutant(unsigned long number, char **text)
{
  uint64_t seed = 7919 * (uint64_t) number + 17;
  baseArena arena = {0};
  yamlNode *root = NULL, *donor = NULL;
  artModel *model = NULL;
  const char *path = models.gl_pathv[(size_t) check_uniform(&seed, 0, (double) models.gl_pathc)];
  const char *other = models.gl_pathv[(size_t) check_uniform(&seed, 0, (double) models.gl_pathc)];
  *text = NULL;
  if (yaml_read_file(&arena, path, &root, NULL) == ART_OK &&
      yaml_read_file(&arena, other, &donor, NULL) == ART_OK) {
    mutate_model(root, donor, &seed, &arena);
    model = read_mutant(root, path, text);
  }
  arena_free(&arena);
  return model;
}


//---- studies -------------------------------------------------------------------------------------

static int is_finite(int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return 0;
  }
  return 1;
}


// every failure has its reason
static int went_well(artStatus status, const artError *error)
{
  if ((status == ART_OK) != !error->text[0] || status != error->status) {
    find("status \"%s\", message \"%s\"", art_status_text(status), error->text);
  }
  if (status == ART_OK) shared->done[shared->stage]++;
  return status == ART_OK;
}


static void assemble(const artModel *m, artData *d)
{
  artAssembly result;
  artError error = {0};
  if (!went_well(art_assemble(m, d, &result, &error), &error)) return;
  if (!is_finite(m->tree.nq, d->q) || !is_finite(m->tree.nv, d->v) || !isfinite(result.gap)) {
    find("%s%s", "assembled, with a number that is not finite", "");
  }
}


static void equil(const artModel *m, artData *d)
{
  artEquilibrium result;
  artError error = {0};
  if (!went_well(art_find_equilibrium(m, d, &result, &error), &error)) return;
  if (!is_finite(m->tree.nq, d->q) || !isfinite(result.residual)) {
    find("%s%s", "an equilibrium with a number that is not finite", "");
  }
}


static void linear(const artModel *m, artData *d)
{
  artLinear *result = NULL;
  artError error = {0};
  artAssembly assembly;
  if (art_assemble(m, d, &assembly, NULL) != ART_OK) return;
  if (went_well(art_linearise(m, d, ART_AUTOMATIC, &result, &error), &error)) {
    if (!is_finite(result->order * result->order, result->A) ||
        !is_finite(result->order, result->real) || !is_finite(result->order, result->imaginary)) {
      find("%s%s", "linearised, with a number that is not finite", "");
    }
  }
  art_free_linear(result);
}


static void inverse(const artModel *m, artData *d)
{
  const artStudyDef *found = art_find_study(m, ART_INVERSE, NULL);
  const artInverseDef own = art_default_inverse(), *study = found ? &found->inverse : &own;
  artError error = {0};
  double *tau = mem_alloc((size_t) m->tree.nv + 1, sizeof *tau);
  for (int k = 0; k < 3; k++) {
    error = (artError){0};
    const artStatus status = art_inverse_at(m, d, study, study->from + 0.01 * k, tau, &error);
    if (!went_well(status, &error)) break;
    if (!is_finite(m->tree.nv, tau))
      find("%s%s", "inverse dynamics with a force that is not finite", "");
  }
  mem_free(tau);
}


static void generate(const artModel *m, artData *d)
{
  char path[] = "/tmp/articula-mutant-XXXXXX";
  artGenerateDef def = art_default_generate();
  artError error = {0};
  artAssembly assembly;
  const int fd = mkstemp(path);
  if (fd < 0) return;
  close(fd);
  if (art_assemble(m, d, &assembly, NULL) == ART_OK) {
    for (def.language = ART_C; def.language < ART_LANGUAGES; def.language++) {
      error = (artError){0};
      (void) went_well(art_write_source(m, d, &def, path, &error), &error);
    }
  }
  unlink(path);
}


//---- motion --------------------------------------------------------------------------------------

// the end of a run: positions and velocities; 0 when it did not end well or calls itself not good
static int follow(const artModel *m, const artRunDef *study, double *end)
{
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artError error = {0};
  const artStatus started = art_create_run(&run, m, d, study, &error);
  artStatus status = started;
  for (int k = 1; k <= 5 && !status; k++) {
    status = art_run_to(run, study->from + 0.2 * k * (study->until - study->from), &error);
  }
  int is_good = went_well(status, &error);
  if (is_good) {
    const artCertificate certificate = art_certify(run);
    is_good = art_judge(&certificate, &error).verdict == ART_VERDICT_GOOD;
    memcpy(end, d->q, (size_t) m->tree.nq * sizeof *end);
    memcpy(end + m->tree.nq, d->v, (size_t) m->tree.nv * sizeof *end);
  }
  art_free_run(run);
  if (is_good && !is_finite(m->tree.nq + m->tree.nv, end)) {
    find("%s%s", "a good run that is not finite by ", art_run_method_name(study));
  }
  shared->good += is_good;
  return is_good;
}


// of positions or velocities, relative to the largest of them or 1
static double distance(int n, const double *a, const double *b)
{
  double most = 0, scale = 1;
  for (int i = 0; i < n; i++) {
    most = max_nan(most, fabs(a[i] - b[i]));
    scale = max_nan(scale, fabs(a[i]));
  }
  return most / scale;
}


// a quaternion and its negative are the same orientation
static void align(const artModel *m, const double *a, double *b)
{
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (link->kind != LINK_SPHERICAL && link->kind != LINK_FREE) continue;
    const int k = link->q0 + (link->kind == LINK_FREE ? 3 : 0);
    if (a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2] + a[k + 3] * b[k + 3] >= 0)
      continue;
    for (int j = k; j < k + 4; j++) b[j] = -b[j];
  }
}


static double difference(const artModel *m, const double *a, double *b)
{
  align(m, a, b);
  return max_nan(distance(m->tree.nq, a, b), distance(m->tree.nv, a + m->tree.nq, b + m->tree.nq));
}


static artRunDef short_study(const artModel *m)
{
  const artRunDef *own = art_find_run(m, NULL);
  artRunDef study = own ? *own : art_default_run();
  const double duration = study.until - study.from;
  study.integrator = ART_DOPRI5;
  study.tolerance = TOLERANCE;
  study.step = study.interval = 0;
  study.start.at_equilibrium = 0;
  study.until = study.from + (duration < DURATION && duration > 0 ? duration : DURATION);
  return study;
}


// the run that others are compared with
typedef struct someReference {
  int is_known;
  double *end;
  double sensitivity; // to a hundredth of the tolerance
} someReference;


static void compare(const artModel *m, const someReference *want, int method, double *end,
                    double allowed)
{
  shared->compared[shared->stage]++;
  const double d = difference(m, want->end, end);
  if (d <= allowed) return;
  char words[200];
  snprintf(words, sizeof words, "%.3g, expected at most %.3g", d, allowed);
  find("good runs by the first method and by %s differ by %s", model_way_name(method), words);
}


static void run(const artModel *m, someReference *reference, double *end)
{
  static const int trees[] = {ART_ORDER_N, ART_MASS_MATRIX};
  static const int loops[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  const int *methods = m->nrow > 0 ? loops : trees;
  const int n = m->nrow > 0 ? 3 : 2;
  artRunDef study = short_study(m);

  model_set_way(&study, methods[0]);
  if (!follow(m, &study, reference->end)) return;
  study.tolerance = TOLERANCE / 100;
  reference->is_known = follow(m, &study, end);
  if (reference->is_known) reference->sensitivity = difference(m, reference->end, end);
  study.tolerance = TOLERANCE;
  for (int k = 1; k < n; k++) {
    model_set_way(&study, methods[k]);
    if (!follow(m, &study, end) || !reference->is_known) continue;
    compare(m, reference, methods[k], end, DIFFERENCE + SENSITIVITY * reference->sensitivity);
  }
}


// steps of 1 / part of the usual length, and of a local error that goes with its square where the method chooses them
static artRunDef part_study(const artModel *m, artMethod method, int part)
{
  artRunDef study = short_study(m);
  const double duration = study.until - study.from;
  model_set_way(&study, (int) method);
  study.step = study.steering.longest = duration / STEPS / part;
  study.steering.local = 5e-5 / duration / (part * part);
  return study;
}


static void run_natural(const artModel *m, const someReference *reference, double *end)
{
  double *fine = end + m->tree.nq + m->tree.nv;
  for (artMethod method = ART_INDEX1; method <= ART_CONSERVING; method++) {
    artRunDef study = part_study(m, method, 1);
    if (!follow(m, &study, end) || !reference->is_known) continue;
    study = part_study(m, method, 2);
    if (!follow(m, &study, fine)) continue;
    compare(m, reference, (int) method, fine,
            DIFFERENCE + SENSITIVITY * reference->sensitivity +
                SECOND_ORDER * difference(m, fine, end));
  }
}


static void run_generated(const artModel *m, const someReference *reference, double *end)
{
  artRunDef study = short_study(m);
  model_set_way(&study, MODEL_GENERATED);
  if (!follow(m, &study, end) || !reference->is_known) return;
  compare(m, reference, MODEL_GENERATED, end, DIFFERENCE + SENSITIVITY * reference->sensitivity);
}


//---- one mutant ----------------------------------------------------------------------------------

static void study_mutant(const artModel *m, int is_compiled)
{
  static void (*const studies[STAGES])(const artModel *, artData *) = {
      [ASSEMBLE] = assemble, [EQUIL] = equil,       [LINEAR] = linear,
      [INVERSE] = inverse,   [GENERATE] = generate,
  };
  const size_t length = (size_t) (m->tree.nq + m->tree.nv) + 1;
  double *room = mem_alloc(3 * length, sizeof *room), *end = room + length;
  someReference reference = {.end = room};
  for (shared->stage = ASSEMBLE; shared->stage < STAGES; shared->stage++) {
    if (shared->stage == RUN) run(m, &reference, end);
    if (shared->stage == NATURAL) run_natural(m, &reference, end);
    if (shared->stage == GENERATED && is_compiled) run_generated(m, &reference, end);
    if (!studies[shared->stage]) continue;
    artData *d = keep_fresh_data(m);
    studies[shared->stage](m, d);
  }
  mem_free(room);
}


// a child: numbers from FINDING on stand for the files that are kept
enum { FINDING = 1000000000 };

static artModel *make(unsigned long number, char **text)
{
  artModel *model = NULL;
  if (number < FINDING) return make_mutant(number, text);
  if (art_load_model(&model, findings.gl_pathv[number - FINDING], NULL) != ART_OK) {
    find("%s%s", "cannot be read: ", findings.gl_pathv[number - FINDING]);
  }
  return model;
}


static void live(unsigned long number)
{
  const struct rlimit limit = {(rlim_t) seconds, (rlim_t) seconds};
  char *text = NULL;
  setrlimit(RLIMIT_CPU, &limit);
  artModel *model = keep_model(make(number, &text));
  if (model) {
    shared->done[READ] = 1;
    study_mutant(model, number % THINNED == 0);
  }
  free(text);
  _exit(0);
}


typedef struct tally {
  long tried, failed, slow[STAGES], done[STAGES], good, compared[STAGES];
} tally;


static void keep(unsigned long number)
{
  char path[64], *text = NULL;
  snprintf(path, sizeof path, "/tmp/articula-mutant-%lu.yaml", number);
  art_free_model(make_mutant(number, &text));
  FILE *file = fopen(path, "w");
  if (file) fputs(text ? text : "", file), fclose(file);
  free(text);
  printf("  it is %s\n", path);
}


static void try_mutant(unsigned long number, tally *sum)
{
  int status = 0;
  memset(shared, 0, sizeof *shared);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) live(number);
  waitpid(child, &status, 0);

  sum->tried++;
  sum->good += shared->good;
  for (int k = 0; k < STAGES; k++) {
    sum->done[k] += shared->done[k] > 0;
    sum->compared[k] += shared->compared[k];
  }
  if (status == 0) return;
  const int is_slow =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU);
  if (is_slow) {
    sum->slow[shared->stage]++;
    if (getenv("ART_SOAK")) printf("mutant %lu: slow in %s\n", number, stage_names[shared->stage]);
    return;
  }
  sum->failed++;
  printf("mutant %lu, %s: %s\n", number, stage_names[shared->stage],
         shared->finding[0] ? shared->finding : "the process was killed");
  if (number < FINDING) keep(number);
}


TEST(are_models_at_least_half_of_the_time)
{
  int valid = 0;
  for (unsigned long k = 0; k < READ_QUICK; k++) {
    char *text = NULL;
    artModel *model = keep_model(make_mutant(k, &text));
    valid += model != NULL;
    free(text);
  }
  printf("%d of %d mutants are models\n", valid, READ_QUICK);
  CHECK(2 * valid >= READ_QUICK);
}


TEST(stay_mended)
{
  tally sum = {0};
  seconds = 4;
  for (unsigned long k = 0; k < findings.gl_pathc; k++) try_mutant(FINDING + k, &sum);
  CHECK_EQ_INT(sum.failed, 0);
  CHECK_EQ_INT(sum.done[READ], (long) findings.gl_pathc);
}


static void print_tally(const tally *sum)
{
  printf("%ld mutants of %zu models, %ld valid (%.0f %%), %ld good runs, %ld pairs compared (%ld "
         "in natural coordinates, %ld by generated equations), %ld failed\n",
         sum->tried, models.gl_pathc, sum->done[READ],
         100.0 * (double) sum->done[READ] / (double) sum->tried, sum->good,
         sum->compared[RUN] + sum->compared[NATURAL] + sum->compared[GENERATED],
         sum->compared[NATURAL], sum->compared[GENERATED], sum->failed);
  for (int k = ASSEMBLE; k < STAGES; k++) {
    printf("  %-9s ended well in %ld, was cut off after %d s in %ld\n", stage_names[k],
           sum->done[k], seconds, sum->slow[k]);
  }
}


TEST(hold_in_all_studies)
{
  tally sum = {0};
  const int is_soaked = getenv("ART_SOAK") != NULL;
  unsigned long first = 0, count = is_soaked ? SOAK : QUICK;
  const char *which = getenv("ART_MUTANTS");
  if (which && !CHECK(sscanf(which, "%lu:%lu", &first, &count) == 2)) return;
  seconds = is_soaked ? 4 : 1;
  for (unsigned long k = first; k < first + count; k++) try_mutant(k, &sum);
  print_tally(&sum);
  CHECK_EQ_INT(sum.failed, 0);
}


// of compiled equations
static void remove_cache(const char *path)
{
  glob_t files;
  char pattern[200];
  snprintf(pattern, sizeof pattern, "%s/articula/*", path);
  if (glob(pattern, 0, NULL, &files) == 0) {
    for (size_t k = 0; k < files.gl_pathc; k++) unlink(files.gl_pathv[k]);
    globfree(&files);
  }
  snprintf(pattern, sizeof pattern, "%s/articula", path);
  rmdir(pattern);
  rmdir(path);
}


int main(int argc, char **argv)
{
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  list_models();
  char cache[] = "/tmp/articula-mutants-XXXXXX";
  if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1) != 0) return 1;
  const int status = check_main(argc, argv);
  remove_cache(cache);
  globfree(&models);
  globfree(&findings);
  return status;
}
