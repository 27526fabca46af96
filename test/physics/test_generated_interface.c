// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines behind the interface of doc/reference/generated-code.md, through that interface alone: machines of different kinds are
// written, compiled and called by one program, whose numbers are compared with the library. The same program in the
// other languages has to print the same numbers; Octave and Java are asked where ART_TEST_ALL is set.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/programs.h"
#include "support/tongue.h"

enum { STEPS = 200, MOST = 20000 };

// A program that is the same for all machines and prints lines of a word and numbers.
static const char driver[] = ART_SOURCE_DIR "/test/support/plant/driver.c";

//---- the machine by the library ------------------------------------------------------------------

typedef struct scene {
  const char *name;
  artModel *m;
  artData *d; // assembled, at the beginning
  artRunDef study;
  int steps;
} scene;


static scene open_scene(const char *name, double step, int steps)
{
  char path[300];
  snprintf(path, sizeof path, "%s%s.yaml", strncmp(name, "test/", 5) == 0 ? "" : "models/", name);
  scene s = {.name = name, .m = keep_file(path), .study = art_default_run(), .steps = steps};
  s.study.integrator = ART_RK4, s.study.step = step, s.study.until = steps * step;
  s.study.interval = s.study.until, s.d = keep_settled_data(s.m);
  return s;
}


// the machine in a language
static int write_text(const scene *s, const char *name, simulatorForm form)
{
  const genOptions options = {.name = name,
                              .forms = GEN_ACCELERATE | GEN_LINEAR | GEN_MACHINE_INVERSE};
  char file[100];
  snprintf(file, sizeof file, "%s%s", name, emit_file_ending(form.language));
  const artStatus status =
      tongue_write_simulator(s->m, s->d, &s->study, &options, form, file, &check_error);
  if (!CHECK(status == ART_OK)) printf("  %s: %s\n", s->name, check_error.text);
  return status == ART_OK;
}


static int write_machine(const scene *s, const char *name)
{
  char header[100];
  snprintf(header, sizeof header, "%s.h", name);
  FILE *top = folder_open(folder_own(), header, "w");
  const simulatorForm form = {.kind = SIMULATOR_MACHINE, .header = top, .header_name = header};
  return write_text(s, name, form) && CHECK(fclose(top) == 0);
}


static int write_foreign(const scene *s, emitLanguage language)
{
  char name[40];
  snprintf(name, sizeof name, "plant_%s.c", emit_language_name(language));
  FILE *c = folder_open(folder_own(), name, "w");
  const simulatorForm form = {
      .kind = SIMULATOR_MACHINE, .language = language, .header = c, .header_name = name};
  return write_text(s, "plant", form) && CHECK(fclose(c) == 0);
}


static int compile(const char *name, const char *main)
{
  char text[40];
  snprintf(text, sizeof text, "%s.c", name);
  return folder_run(folder_own(),
                    "%s -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
                    "-ffp-contract=off -c %s -o %s.o",
                    folder_compiler(text), text, name) &&
         (!main || folder_run(folder_own(),
                              FOLDER_QUICK_CC " -std=c11 -Wall -ffp-contract=off -I. %s %s.o -lm "
                                              "-o program",
                              main, name));
}

//---- comparison ----------------------------------------------------------------------------------

// the numbers of the first line that begins with a word; how many there are, -1: there is no such line
static int read_line_of(const char *name, const char *word, int most, double *x)
{
  static char line[400000];
  FILE *file = folder_open(folder_own(), name, "r");
  int n = -1;
  const size_t length = strlen(word);
  while (file && n < 0 && fgets(line, sizeof line, file)) {
    if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\n')) continue;
    char *at = line + length, *end;
    for (n = 0; n < most; n++, at = end) {
      x[n] = strtod(at, &end);
      if (end == at) break;
    }
  }
  if (file) fclose(file);
  return n;
}


static int read_line(const char *word, int most, double *x)
{
  return read_line_of("out", word, most, x);
}


static int has_line(const char *format, const char *a, int i, const char *b, const char *c)
{
  static char line[400000], want[400];
  snprintf(want, sizeof want, format, a, i, b, c);
  FILE *file = folder_open(folder_own(), "out", "r");
  int found = 0;
  while (file && !found && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    found = strcmp(line, want) == 0;
  }
  if (file) fclose(file);
  if (!found) printf("  no line '%s'\n", want);
  return found;
}


// numbers of a line against others, relative to the largest of them, 1 or more
static void check_numbers(const scene *s, const char *word, int n, const double *want, double limit)
{
  static double have[MOST];
  double scale = 1, worst = 0;
  if (!CHECK(read_line(word, MOST, have) >= n)) {
    printf("  %s: %s is short\n", s->name, word);
    return;
  }
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
  for (int i = 0; i < n; i++) {
    const double off = fabs(have[i] - want[i]) / scale;
    worst = off <= worst ? worst : off;
  }
  if (!CHECK(worst <= limit)) printf("  %s: %s differs by %g\n", s->name, word, worst);
  if (getenv("ART_MODELS")) printf("  %s: %s %.1e\n", s->name, word, worst);
}


static void check_names(const scene *s)
{
  const artModel *m = s->m;
  double size[9];
  CHECK(read_line("sizes", 9, size) == 9);
  CHECK(size[0] == m->tree.nq && size[1] == m->tree.nv && size[2] == m->nstate);
  CHECK(size[4] == m->noutput);
  for (int k = 0; k < m->tree.nq; k++) {
    CHECK(has_line("%s %d %s|%s", "position", k, art_position_name(m, k), art_position_unit(m, k)));
  }
  for (int k = 0; k < m->tree.nv; k++) {
    CHECK(has_line("%s %d %s|%s", "velocity", k, art_velocity_name(m, k), art_velocity_unit(m, k)));
  }
  for (int k = 0; k < m->nstate; k++) {
    CHECK(has_line("%s %d %s|%s", "state", k, art_state_name(m, k), art_state_unit(m, k)));
  }
  for (int k = 0; k < m->noutput; k++) {
    const char *unit = art_output_unit(m, k);
    CHECK(has_line("%s %d %s|%s", "output", k, art_output_name(m, k), unit ? unit : "1"));
  }
}


static void gather(const scene *s, const artData *d, double *x)
{
  const artModel *m = s->m;
  memcpy(x, d->q, (size_t) m->tree.nq * sizeof *x);
  memcpy(x + m->tree.nq, d->v, (size_t) m->tree.nv * sizeof *x);
  if (m->nstate > 0) memcpy(x + m->tree.nq + m->tree.nv, d->s, (size_t) m->nstate * sizeof *x);
}


static void check_beginning(const scene *s)
{
  static double x[MOST];
  double y[1];
  const artModel *m = s->m;
  artAssembly assembly = {0};
  const int n = m->tree.nq + m->tree.nv + m->nstate;
  gather(s, s->d, x);
  check_numbers(s, "begin", n, x, 0);
  if (read_line("closed", 1, y) >= 0) check_numbers(s, "closed", n, x, 1e-12);
  artData *d = keep_fresh_data(m);
  read_line("begin", MOST, x);
  memcpy(d->q, x, (size_t) m->tree.nq * sizeof *x);
  memcpy(d->v, x + m->tree.nq, (size_t) m->tree.nv * sizeof *x);
  if (m->nstate > 0) memcpy(d->s, s->d->s, (size_t) m->nstate * sizeof *x);
  art_update(m, d);
  if (m->nrow > 0 && CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK)) {
    CHECK(assembly.gap_before < 1e-12);
  }
  if (m->nsampler == 0) {
    // samplers have had their first instant in the machine, which a run makes
    CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
    check_numbers(s, "accelerations", m->tree.nv, d->a, 1e-9);
  }
}


// actuators have nothing to do where the machine accelerates by itself
static void check_inverse(const scene *s)
{
  static double force[MOST], a[MOST];
  double off[1];
  CHECK(read_line("backward", 1, off) == 1);
  if (!CHECK(off[0] <= 1e-8)) printf("  %s: forces of actuators are off by %g\n", s->name, off[0]);
  const int n = read_line("idle", MOST, force);
  double scale = 1;
  read_line("accelerations", MOST, a);
  for (int i = 0; i < s->m->tree.nv; i++) scale = fmax(scale, fabs(a[i]));
  double most = 0;
  for (int i = 0; i < n; i++) most = check_larger(most, fabs(force[i]));
  // drives do what they must
  if (s->m->ndrive == 0 && !CHECK(most <= 1e-8 * scale * 1e3)) {
    printf("  %s: idle actuators have %g\n", s->name, most);
  }
}


// A against the linearisation by numbers, where both have the same free coordinates
static void check_linear(const scene *s)
{
  static double off[1], which[MOST];
  CHECK(read_line("differences", 1, off) == 1);
  if (!CHECK(off[0] <= 2e-5)) printf("  %s: derivatives are off by %g\n", s->name, off[0]);
  artLinear *linear = NULL;
  artData *d = keep_copied_data(s->m, s->d);
  artRun *run = keep_started_run(s->m, d, &s->study); // samplers have had their first instant
  CHECK_WORKS(art_run_to(run, 0, &check_error));
  CHECK_WORKS(art_linearise(s->m, d, ART_AUTOMATIC, &linear, &check_error));
  keep_linear(linear);
  int same = read_line("free", MOST, which) == linear->n && s->m->nstate == 0;
  for (int i = 0; same && i < linear->n; i++) same = which[i] == linear->coordinate[i];
  if (same) check_numbers(s, "A", linear->order * linear->order, linear->A, 1e-6);
  if (getenv("ART_MODELS")) printf("  %s: same free coordinates: %d\n", s->name, same);
}


// outputs at the beginning, which may be of the run, and all at the end
static void check_run(const scene *s, double limit)
{
  static double x[MOST], y[MOST];
  artData *d = keep_copied_data(s->m, s->d);
  artRun *run = keep_started_run(s->m, d, &s->study);
  CHECK_WORKS(art_run_to(run, 0, &check_error));
  art_outputs(s->m, d, y);
  check_numbers(s, "outputs", s->m->noutput, y, 1e-9);
  CHECK_WORKS(art_run_to(run, s->study.until, &check_error));
  gather(s, d, x);
  check_numbers(s, "end", s->m->tree.nq + s->m->tree.nv + s->m->nstate, x, limit);
  art_outputs(s->m, d, y);
  check_numbers(s, "last", s->m->noutput, y, 1e3 * limit);
}


// switching functions have the names of forces or drives
static void check_events(const scene *s)
{
  static char line[400000];
  double size[9];
  int events = 0;
  FILE *file = folder_open(folder_own(), "out", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "event ", 6) != 0) continue;
    char *name = strchr(line + 6, ' ') + 1;
    int known = 0;
    name[strcspn(name, "|")] = 0;
    for (int i = 0; i < s->m->nelement; i++) known |= strcmp(s->m->element[i].name, name) == 0;
    for (int i = 0; i < s->m->ndrive; i++) known |= strcmp(s->m->drive[i].name, name) == 0;
    for (int i = 0; i < s->m->nsignal; i++) known |= strcmp(s->m->signal[i].name, name) == 0;
    for (int i = 0; i < s->m->nlatch; i++) known |= strcmp(s->m->latch[i].name, name) == 0;
    for (int i = 0; i < s->m->nrate; i++) known |= strcmp(s->m->state[i].name, name) == 0;
    if (!CHECK(known)) printf("  %s: event '%s' has no owner\n", s->name, name);
    events++;
  }
  if (file) fclose(file);
  CHECK(read_line("sizes", 9, size) == 9 && events == (int) size[5]);
}


// Whoever cannot step for another parameter has loops that are open; one linkage closes far away, and its step stops by itself.
static void check_failures(const scene *s)
{
  double failures[1], open[1];
  CHECK(read_line("failures", 1, failures) == 1 && read_line("open", 1, open) == 1);
  CHECK(open[0] == failures[0] || strcmp(s->name, "loops/four-bar-lock") == 0);
}


// No name that is visible outside lacks the prefix.
static void check_symbols(const char *name)
{
  CHECK(folder_run(folder_own(),
                   "! nm --defined-only %s.o | grep ' [A-TV-Z] ' | grep -v ' [A-Z] _*%s_'", name,
                   name));
}


//---- other languages -----------------------------------------------------------------------------

#define C_FLAGS   "-std=c11 -ffp-contract=off"
#define CC        FOLDER_QUICK_CC " " C_FLAGS " -Wall -Wextra -Werror "
#define JAVA_HOME "$(dirname $(dirname $(readlink -f $(command -v javac))))"

// the program for each, and how it runs
static const struct {
  const char *driver, *make, *run;
} program[EMIT_LANGUAGES] = {
    [EMIT_FORTRAN] = {"driver.f90",
                      CC "-c plant_fortran.c -o f_machine.o && "
                         "gfortran -std=f2008 -Wall -Wno-unused-dummy-argument -Werror -O0 "
                         "-ffp-contract=off plant.f90 driver.f90 f_machine.o -o f_program",
                      "./f_program %.17g %d"},
    [EMIT_MATLAB] = {"driver.m", "rm -f plant_matlab.mex",
                     "CFLAGS='-O0 -fPIC " C_FLAGS
                     "' octave-cli --norc --quiet --eval 'driver(%.17g, %d)'"},
    [EMIT_JAVA] = {"Driver.java",
                   CC "-fPIC -shared -I" JAVA_HOME "/include -I" JAVA_HOME "/include/linux "
                      "plant_java.c -o libplant_java.so -lm && "
                      "javac -Xlint:all -Werror -g:none -J-XX:+UseSerialGC "
                      "-J-XX:TieredStopAtLevel=1 Driver.java plant.java",
                   "java -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
                   "-Djava.library.path=. Driver %.17g %d"},
    [EMIT_PYTHON] = {"driver.py", "rm -rf __pycache__",
                     "CC=" FOLDER_QUICK_CC " CFLAGS= python3 driver.py %.17g %d"},
};


static void compare_line(const scene *s, const char *word, double limit)
{
  static double want[MOST];
  const int n = read_line_of("c_out", word, MOST, want);
  CHECK(n >= 0 && read_line(word, 0, want) == 0);
  check_numbers(s, word, n, want, limit);
}


// all that the program prints is what it prints in C, and no loop fails unnamed
static void compare_with_c(const scene *s)
{
  static const char *const words[] = {
      "sizes", "begin",  "closed", "rates", "accelerations", "outputs", "events", "idle",
      "A",     "B",      "C",      "D",     "free",          "end",     "last",   "own",
      "held",  "passed", "forced", "sides", "failures",      "unmade"};
  static const char *const data[] = {"position-data", "velocity-data", "state-data",
                                     "input-data",    "output-data",   "event-data",
                                     "actuator-data", "parameter-data"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) compare_line(s, words[i], 0);
  for (size_t i = 0; i < sizeof data / sizeof *data; i++) compare_line(s, data[i], 0);
  // reasons, names and units
  CHECK(folder_run(folder_own(), "grep '^loop\\||' c_out > a; grep '^loop\\||' out > b; cmp a b"));
}


// the program in another language, which is that in C; 0 where it has not run
static int run_language(const scene *s, emitLanguage language)
{
  char command[200];
  if (!tongue_is_spoken(tongue_of(language))) return 0;
  if (language == EMIT_MATLAB && !tongue_is_installed("mkoctfile")) {
    printf("  mkoctfile is not installed: matlab is not tested\n");
    return 0;
  }
  if (!write_foreign(s, language)) return 0;
  snprintf(command, sizeof command, program[language].run, s->study.step, s->steps);
  const int ran =
      folder_run(folder_own(), "cp " ART_SOURCE_DIR "/test/support/plant/%s . && %s && %s > out",
                 program[language].driver, program[language].make, command);
  if (!CHECK(ran)) {
    printf("  %s: %s failed\n", s->name, emit_language_name(language));
    return 0;
  }
  compare_with_c(s);
  return 1;
}


static void check_language(const scene *s, emitLanguage language, double limit)
{
  if (!run_language(s, language)) return;
  check_names(s);
  check_events(s);
  check_run(s, limit);
}


static artStatus write_many(const scene *s, artError *error)
{
  const genOptions options = {.name = "many", .forms = GEN_ACCELERATE | GEN_LINEAR};
  const simulatorForm form = {.kind = SIMULATOR_CUDA, .language = EMIT_CUDA, .corners = 1};
  return tongue_write_simulator(s->m, s->d, &s->study, &options, form, "many.cu", error);
}


// from == 0: with shared parameters, too
static void run_many(const scene *s, int from, int steps)
{
  for (int i = from; i < 2; i++) {
    const int ran = folder_run(
        folder_own(),
        FOLDER_QUICK_CC " -std=c11 -Wall -Wextra -Werror -Wno-missing-braces -ffp-contract=off %s "
                        "-I. " ART_SOURCE_DIR "/test/support/plant/many.c plant.o -lm -o many && "
                        "./many %.17g %d",
        i ? "-Dmany_VARIED" : "", s->study.step, steps);
    if (!CHECK(ran)) printf("  %s: many instances failed\n", s->name);
  }
}


// The text for graphics processors, which is C: every instance as the machine, of shared parameters and of its own.
static void check_many(const scene *s)
{
  if (!CHECK_WORKS(write_many(s, &check_error))) printf("  %s: %s\n", s->name, check_error.text);
  run_many(s, 0, s->steps);
}


static void check_machine(const char *name, double step, int steps, double limit,
                          unsigned languages)
{
  scene s = open_scene(name, step, steps);
  if (write_machine(&s, "plant") && compile("plant", driver)) {
    const int ran = folder_run(folder_own(), "./program %.17g %d > out", step, steps);
    if (!CHECK(ran)) printf("  %s: the program failed\n", name);
    check_names(&s);
    check_beginning(&s);
    check_events(&s);
    check_inverse(&s);
    check_linear(&s);
    check_run(&s, limit);
    check_failures(&s);
    check_symbols("plant");
    if (languages & 1u << EMIT_CUDA) check_many(&s);
    CHECK(folder_run(folder_own(), "mv out c_out"));
    for (int k = 0; k < EMIT_LANGUAGES; k++) {
      if (languages & 1u << k) check_language(&s, (emitLanguage) k, limit);
    }
  }
}


//---- tests ---------------------------------------------------------------------------------------

// Trees with and without quaternions, loops of one and several choices of coordinates, rods, ropes, tyres with and without
// slips that lag behind, a drive whose rate jumps; inputs, states with early and late rates, and signals with corners.
TEST(machines_of_all_kinds_agree_with_the_library_through_the_interface)
{
  enum {
    F = 1u << EMIT_FORTRAN,
    P = 1u << EMIT_PYTHON,
    O = 1u << EMIT_MATLAB,
    J = 1u << EMIT_JAVA,
    K = 1u << EMIT_CUDA
  };
  static const struct {
    const char *name;
    double step, limit;
    unsigned languages; // beside C
  } machine[] = {
      {"pendulum", 1e-3, 1e-9, 0},
      {"gimbal", 1e-3, 1e-9, 0},
      {"spherical-pendulum", 1e-3, 1e-9, F | P | O | J | K},
      {"satellite", 1e-3, 1e-9, K},
      {"loops/four-bar", 2e-4, 1e-9, F | P | O | J | K},
      {"loops/seven-body", 1e-5, 1e-9, J | K},
      {"loops/delta-rods", 1e-3, 1e-9, 0},
      {"tackle", 1e-4, 1e-9, 0},
      {"crane", 1.05e-2, 1e-9, F | P | O | J | K},
      {"vehicles/single-track", 1e-3, 1e-9, F | K},
      {"vehicles/cart", 1e-4, 1e-9, P},
      {"test/models/good/plant", 1e-3, 1e-9, F | P | O | J | K},
      {"test/models/good/sampled", 1e-3, 1e-9, F | P | O | J | K},
      {"test/models/good/relay", 1e-2, 1e-9, F | P | O | J | K},
      {"test/models/good/corners", 5e-3, 1e-9, F | P | O | J},
      {"test/models/good/borders", 5e-3, 1e-9, F | P | O | J | K},
      {"test/models/good/opposites", 5e-3, 1e-9, K},
      {"test/models/good/stiction", 5e-4, 1e-7, F | P | O | J | K},
      {"plant/gear-motor", 1e-3, 1e-9, F | P | O | J},
      {"test/models/good/locks", 5e-3, 1e-9, F | P | O | J | K},
      {"test/models/good/branches", 5e-3, 2e-8, P | K},
      {"test/models/good/conditions", 1e-2, 1e-9, F | P | O | J | K},
      {"test/models/good/two-ropes", 5e-3, 1e-9, F | P | J | K},
      {"rope-pendulum", 5e-3, 1e-5, F | P | O | J | K},
      {"test/models/good/brakes", 2e-4, 1e-7, F | J | K},
      {"latch", 3 / 190.0, 1e-9, F | P | O | J | K},
      {"loops/four-bar-lock", 3e-3, 1e-5, F | P | O | J},
      {"test/models/good/bar-switch", 2e-3, 1e-6, F | P | O | J | K},
      {"plant/inverted-pendulum", 1e-3, 1e-9, F | P | O | J},
      {"plant/industrial-robot", 1e-4, 1e-8, F | P | J},
  };
  const char *only = getenv("ART_MODELS");
  for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
    if (only && !strstr(machine[i].name, only)) continue;
    check_machine(machine[i].name, machine[i].step, STEPS, machine[i].limit, machine[i].languages);
  }
}


// all outputs are 0 at the end, in C, in kernels and in all languages
static void check_zeros(const char *name)
{
  static const double zero[MOST];
  static const emitLanguage language[] = {EMIT_FORTRAN, EMIT_PYTHON, EMIT_MATLAB, EMIT_JAVA};
  const scene s = open_scene(name, 0.01, 100);
  if (write_machine(&s, "plant") && compile("plant", driver)) {
    CHECK(folder_run(folder_own(), "./program 0.01 100 > out"));
    check_numbers(&s, "last", s.m->noutput, zero, 1e-11);
    check_many(&s);
    CHECK(folder_run(folder_own(), "mv out c_out"));
    for (size_t k = 0; k < sizeof language / sizeof *language; k++) {
      run_language(&s, language[k]);
    }
  }
}


TEST(laws_that_stand_on_their_borders_have_closed_forms)
{
  check_zeros("test/models/good/standing");
  check_zeros("test/models/good/standing-locks");
}


// An integral of 1 counts instants of its sampler, 1 ms apart: none is missed or taken twice where sums of steps are beside them by
// rounding, of steps of 1 ms at 4.960 s, of 7 ms at 1.197 s.
TEST(every_instant_of_a_sampler_is_taken_once_in_every_language)
{
  const unsigned compiled = 1u << EMIT_FORTRAN | 1u << EMIT_PYTHON | 1u << EMIT_JAVA;
  check_machine("test/models/good/count", 1e-3, 10000, 1e-9, compiled);
  check_machine("test/models/good/count", 7e-3, STEPS, 1e-9, 1u << EMIT_MATLAB);
}


// Samples that kernels refuse, and why; all others move as their machines do.
static const char *refusal(const char *name)
{
  static const char *const refused[][2] = {
      {"experiments/baumgarte", "the outputs show the violation of constraints"},
      {"experiments/spherical-pendulum", "the outputs show the violation of constraints"},
      {"experiments/double-pendulum", "the outputs show the steps of the integrator"},
      {"experiments/iltis-front", "the outputs show the steps of the integrator"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    if (strcmp(refused[i][0], name) == 0) return refused[i][1];
  }
  return NULL;
}


static void check_sample(const char *name, int is_long)
{
  artError error = {0};
  const char *reason = refusal(name);
  const double step =
      strcmp(name, "plant/industrial-robot") == 0 ? 2e-4 : 1e-3; // its drives are stiff
  scene s = open_scene(name, step, STEPS);
  if (is_long || reason || s.m->tree.nv == 1) {
    const int steps = is_long ? (int) round(1 / step) : STEPS;
    s.study.until = s.study.interval = steps * s.study.step;
    const artStatus status = write_many(&s, &error);
    if (getenv("ART_MODELS")) printf("  %s %s\n", name, reason ? error.text : "");
    if (reason) {
      CHECK(status == ART_UNSUPPORTED && strstr(error.text, reason));
    } else if (CHECK(status == ART_OK) && write_machine(&s, "plant") && compile("plant", NULL)) {
      run_many(&s, 1, steps);
    }
    if (status != ART_OK && !reason) printf("  %s: %s\n", name, error.text);
  }
}


// Samples of one coordinate over 0.2 s; where ART_SOAK is set, all over 1 s.
TEST(kernels_of_sample_models_move_as_machines_or_are_refused)
{
  const char *only = getenv("ART_MODELS");
  glob_t models = folder_models(2);
  for (size_t i = 0; i < models.gl_pathc; i++) {
    char name[200];
    const char *from = strstr(models.gl_pathv[i], "/models/");
    if (!from || strstr(from, "/parts/")) continue;
    snprintf(name, sizeof name, "%.*s", (int) (strlen(from + 8) - 5), from + 8);
    if (only && !strstr(name, only)) continue;
    check_sample(name, getenv("ART_SOAK") != NULL);
  }
  globfree(&models);
}


// A machine with intervals of samplers, delays, sampled transfer functions, gas, curves, tables and a road by parameters:
// with another value behind `prepare` the text is the model that is read with it.
static const char alive_samplers[] =
    "articula: 1\n"
    "parameters: {h: 4 ms, first: 1 ms, late: 8 ms, T: 12 ms, pole: 3, up: 0.2, gas: 3e5,\n"
    "             peak: 2, high: 0.02}\n"
    "curves: {c: {table: [[-2, -1], [0, 0], [1, = peak], [3, 1]]}}\n"
    "roads: {bumps: {type: bump, start: -0.1, length: 0.5, height: = high}}\n"
    "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e4, damping: 100, load: 300, slip: 6e3,\n"
    "  cornering: 5e3, friction: 1}}\n"
    "ground: {points: {foot: [0.1, 0, 0.8]}}\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: [1, 1, 1]}\n"
    "  rod: {points: {tip: [0.5, 0, 0]}, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  led: {mass: 1, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1]}\n"
    "  hub: {mass: 2, inertia: [1, 1, 1]}\n"
    "  wheel: {mass: 20, inertia: [1, 2, 1]}\n"
    "joints:\n"
    "  x: {type: prismatic, axis: x, from: ground, to: cart}\n"
    "  pin: {type: revolute, axis: y, from: cart, to: rod}\n"
    "  turn: {type: revolute, axis: y, from: rod, to: led}\n"
    "  z: {type: prismatic, axis: z, from: cart, to: hub}\n"
    "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
    "drives: {d: {coordinate: turn, table: [[-1, 0.1], [0.05, = up], [0.1, 0.4], [3, 1]]}}\n"
    "blocks:\n"
    "  pid: {type: pid, input: = 0.1 - x.slide, kp: 40, ki: 5, kd: 2, every: = h,\n"
    "        offset: = first}\n"
    "  filter: {type: transfer-function, input: = pid, numerator: [1, = pole],\n"
    "           denominator: [0.01, 1, = pole], every: = h, offset: = first}\n"
    "  later: {type: delay, input: = filter, delay: = 2*h, every: = h, offset: = first}\n"
    "  pade: {type: delay, input: = pin.angle, delay: = T, order: 2}\n"
    "  lag: {type: lag, input: = pade, time: 20 ms, every: = late, offset: = first}\n"
    "forces:\n"
    "  f: {type: joint-force, coordinate: x, value: = later + c(x.slide) + lag}\n"
    "  p: {type: pneumatic-cylinder, between: [ground.foot, rod.tip], free_length: 0.8,\n"
    "      pressure: = gas, area: 1e-4, volume: 1e-3, supply: 8e5, valve: 1e-6, opening: 0.4}\n"
    "  w: {type: tyre, wheel: wheel, tyre: t, road: bumps}\n"
    "initial: {pin: {angle: 0.35}, z: {slide: 0.29}}\n"
    "outputs: [x.slide, later, pade, p.pressure, w.fz]\n";


// A hook that catches an eye, a ball that falls into its rope, and a brake that holds two carriages together.
static const char alive_latches[] =
    "articula: 1\n"
    "parameters: {m1: 2, hook: 0.5, eye: 0.3, near: 0.02, L: 1.05, heavy: 1.5, k: 900}\n"
    "bodies:\n"
    "  shunter: {mass: = m1, points: {hook: [= hook, 0, 0.1]}}\n"
    "  wagon: {mass: 3, points: {eye: [\"= -eye\", 0, 0.1]}}\n"
    "  slider: {}\n"
    "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004]}\n"
    "  left: {mass: = heavy}\n"
    "  right: {mass: 2}\n"
    "joints:\n"
    "  rail1: {type: prismatic, axis: x, from: ground, to: shunter}\n"
    "  rail2: {type: prismatic, axis: x, from: ground, to: wagon}\n"
    "  x: {type: prismatic, axis: x, from: ground, to: slider}\n"
    "  z: {type: prismatic, axis: z, from: slider, to: ball}\n"
    "  one: {type: prismatic, axis: x, from: ground, to: left}\n"
    "  two: {type: prismatic, axis: x, from: ground, to: right}\n"
    "forces:\n"
    "  s1: {type: joint-spring, coordinate: rail1, stiffness: = k}\n"
    "  s2: {type: joint-spring, coordinate: one, stiffness: = k}\n"
    "latches:\n"
    "  coupler: {type: latch, joint: fixed, between: [shunter.hook, wagon.eye], distance: = near}\n"
    "  rope: {type: rope, between: [ground, ball], length: = L}\n"
    "  brake: {type: lock, coordinates: {one: 1, two: -1}, engage: \"= time - 0.05[s]\"}\n"
    "initial: {rail1: {rate: 1.5}, rail2: {slide: 0.9}, x: {slide: 0.4}, z: {slide: -0.9},\n"
    "          one: {slide: 0.1}}\n"
    "outputs: [coupler.force, rope.force, brake.force]\n";


// Branches that parameters alone decide, beside such that move: limits of controllers, modes, relays, conditions of a lock.
static const char alive_choices[] =
    "articula: 1\n"
    "parameters: {cap: 1.5, ki: 40, quick: 6, mode: 1, gain: 0.7, wide: 0.03, since: 0.12, on: 1}\n"
    "bodies: {cart: {mass: 1}, load: {mass: 2}}\n"
    "joints:\n"
    "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
    "  slide: {type: prismatic, axis: x, from: cart, to: load}\n"
    "blocks:\n"
    "  pid: {type: pid, input: = 0.4 - rail.slide, kp: 8, ki: = ki, limits: [= -cap, = cap]}\n"
    "  slow: {type: rate-limiter, input: = pid, rising: = quick, time: 2 ms}\n"
    "  held: {type: rate-limiter, input: = pid, rising: = quick, every: 5 ms, offset: 1 ms}\n"
    "  sum: {type: integrator, input: = pid, limits: [0, = cap/20]}\n"
    "  side: {type: formula, value: \"= hysteresis(rail.slide, -wide, max(wide, 0.005))\"}\n"
    "states:\n"
    "  z: {rate: \"= if(mode > 0.5, pid - z, max(gain, 0.5)*abs(z - 0.01))\"}\n"
    "forces:\n"
    "  f: {type: joint-force, coordinate: rail, value: \"= slow + held + sum - "
    "side*max(gain, 0.5) - if(mode > 0.5, 3, min(gain, 2))*abs(rail.rate)*sign(rail.rate)\"}\n"
    "  s: {type: joint-spring, coordinate: slide, stiffness: 50}\n"
    "latches:\n"
    "  lock: {type: lock, coordinate: slide,\n"
    "         engage: \"= if(on > 0.5, 1, -1)*(time - max(since, 0.03)*1[s])\"}\n";


static const char alive_linkage[] =
    "articula: 1\n"
    "parameters: {tilt: 0, load: 2}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  rod: {mass: = load, inertia: [0.1, 0.1, 0.1], points: {tip: [0.6, 0, 0]}}\n"
    "  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {tip: [0, 0, 0.4]}}\n"
    "joints:\n"
    "  a: {type: revolute, axis: y, from: ground, to: crank}\n"
    "  b: {type: revolute, axis: [0, = cos(tilt), = sin(tilt)],\n"
    "      from: {frame: crank, position: [0, 0, 0.3]}, to: rod}\n"
    "  c: {type: revolute, axis: y, from: {frame: ground, position: [0.6, 0, -0.1]}, to: rocker}\n"
    "latches:\n"
    "  pin: {type: latch, joint: revolute, axis: y, between: [rod.tip, rocker.tip],\n"
    "        engage: \"= time - 0.05[s]\"}\n";


static void write_alive(const char *alive)
{
  folder_write(folder_path("alive.yaml"), alive);
  folder_write(
      folder_path("alive.c"),
      "#include \"plant.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "static plant_machine m;\n"
      "int main(int argc, char **argv)\n{\n"
      "  int k = 0;\n"
      "  if (argc != 3) return 2;\n"
      "  plant_start(&m);\n"
      "  while (k < plant_NPARAMETER && strcmp(plant_about.parameters[k].name, argv[1])) k++;\n"
      "  if (k == plant_NPARAMETER) return 3;\n"
      "  ((double *) &m.p)[k] = atof(argv[2]);\n"
      "  plant_prepare(&m);\n"
      "  for (int i = 0; i < 200; i++) if (plant_step(&m, 1e-3)) return 1;\n"
      "  printf(\"end\");\n"
      "  for (int i = 0; i < plant_NQ; i++) printf(\" %.17g\", m.q[i]);\n"
      "  for (int i = 0; i < plant_NV; i++) printf(\" %.17g\", m.v[i]);\n"
      "  for (int i = 0; i < plant_NS; i++) printf(\" %.17g\", m.s[i]);\n"
      "  return 0;\n}\n");
}


static scene open_alive(artSetting setting)
{
  scene s = {.name = setting.name ? setting.name : "as it is", .study = art_default_run()};
  s.study.integrator = ART_RK4;
  s.study.step = 1e-3;
  s.study.until = s.study.interval = 0.2;
  CHECK_WORKS(art_load_model_with(&s.m, folder_path("alive.yaml"), setting.name != NULL, &setting,
                                  &check_error));
  s.d = keep_fresh_data(keep_model(s.m));
  art_update(s.m, s.d);
  return s;
}


static void check_setting(artSetting setting, double limit)
{
  static double x[MOST];
  scene s = open_alive(setting);
  CHECK_WORKS(art_run_to(keep_started_run(s.m, s.d, &s.study), s.study.until, &check_error));
  CHECK(folder_run(folder_own(), "./program %s %.17g > out", setting.name, setting.value));
  gather(&s, s.d, x);
  check_numbers(&s, "end", s.m->tree.nq + s.m->tree.nv + s.m->nstate, x, limit);
}


static void check_alive(const char *text, int n, const artSetting *other, double limit)
{
  write_alive(text);
  const scene s = open_alive((artSetting){0});
  if (write_machine(&s, "plant") && compile("plant", "alive.c")) {
    for (int i = 0; i < n; i++) check_setting(other[i], limit);
  }
}


TEST(parameters_of_samplers_tables_and_roads_are_alive_in_the_text)
{
  static const artSetting other[] = {{"h", 5e-3},  {"first", 3e-3}, {"late", 6e-3},
                                     {"T", 8e-3},  {"pole", 2},     {"up", 0.3},
                                     {"gas", 4e5}, {"peak", 1.5},   {"high", 0.03}};
  check_alive(alive_samplers, 9, other, 1e-12);
}


TEST(parameters_that_decide_branches_are_alive_in_the_text)
{
  static const artSetting other[] = {
      {"cap", 0.8},     {"ki", 20},     {"quick", 9}, {"mode", 0},     {"gain", 3}, {"gain", 0},
      {"wide", -0.001}, {"wide", 0.01}, {"since", 0}, {"since", 0.05}, {"on", 0}};
  check_alive(alive_choices, 11, other, 1e-8);
}


// The same text by the library, numeric and by generated code: latches hold where they have engaged, also when parameters change.
static void check_backends(void)
{
  static const artSetting change[] = {{"near", 0.03}, {"m1", 3}, {"hook", 0.52}, {"heavy", 4}};
  double end[2][64] = {{0}};
  int n = 0;
  for (int k = 0; k < 2; k++) {
    scene s = open_alive((artSetting){0});
    s.study.backend = k ? ART_BACKEND_GENERATED : ART_BACKEND_NUMERIC;
    artRun *run = keep_started_run(s.m, s.d, &s.study);
    for (int i = 0; i < 4 && run; i++) {
      CHECK_WORKS(art_set_parameter(s.m, change[i].name, change[i].value, &check_error));
      CHECK_WORKS(art_step_to(run, 0.05 * (i + 1), &check_error));
    }
    if (!CHECK(run && art_certify(run).latched >= 3)) printf("  %s\n", check_error.text);
    n = s.m->tree.nq + s.m->tree.nv;
    if (CHECK(n <= 64)) gather(&s, s.d, end[k]);
  }
  CHECK_NEAR(end[1], end[0], n, 1e-8);
}


// with every set of latches engaged; instants are found to 1e-10 s and better
TEST(parameters_are_alive_in_the_text_while_latches_hold)
{
  static const artSetting other[] = {{"m1", 3},   {"hook", 0.51}, {"eye", 0.31}, {"near", 0.03},
                                     {"L", 1.02}, {"heavy", 3},   {"k", 1200}};
  check_alive(alive_latches, 7, other, 1e-8);
  check_backends();
}


// A four-bar linkage that a latch closes: an axis that tilts would jam it, so this is a number without the latch, too.
TEST(a_parameter_is_a_number_with_every_set_of_latches_or_with_none)
{
  eqnProgram *p = NULL;
  const genOptions options = {.name = "plant", .forms = GEN_ACCELERATE};
  const simulatorForm form = {.kind = SIMULATOR_MACHINE, .program = &p};
  write_alive(alive_linkage);
  const scene s = open_alive((artSetting){0});
  CHECK_WORKS(tongue_write_simulator(s.m, s.d, &s.study, &options, form, "plant.c", &check_error));
  keep_recorded(p);
  CHECK(p->nmodel == 1 && strcmp(p->user[0].name, "load") == 0);
  if (CHECK_EQ_INT(p->nfrozen, 1)) CHECK_TEXT(p->frozen[0].name, "tilt");
}


// A step that a relay cuts while other coordinates begin to lead is the step to the instant of the relay and the one from there.
TEST(a_step_that_a_relay_cuts_begins_with_the_coordinates_that_led_it)
{
  folder_write(
      folder_path("cut.c"),
      "#include <math.h>\n#include \"plant.h\"\nstatic plant_machine was, m, x;\n"
      "int main(void)\n{\n  const double h = 2e-3;\n  int n = 0;\n  plant_start(&m);\n"
      "  for (int i = 0; i < 200; i++) {\n    was = m;\n    double lo = 0, hi = h;\n"
      "    if (plant_step(&m, h)) return 1;\n"
      "    if (was.u[0] == m.u[0] || was.choice == m.choice) continue;\n"
      "    for (int k = 0; k < 60; k++) {\n      const double s = 0.5*(lo + hi);\n      x = was;\n"
      "      if (plant_step(&x, s)) return 1;\n      *(x.u[0] == was.u[0] ? &lo : &hi) = s;\n"
      "    }\n    x = was;\n    n++;\n"
      "    if (plant_step(&x, hi) || plant_step(&x, was.t + h - x.t)) return 1;\n"
      "    for (int j = 0; j < plant_NV; j++) {\n"
      "      if (!(fabs(x.q[j] - m.q[j]) + fabs(x.v[j] - m.v[j]) < 1e-11)) return 2;\n"
      "    }\n  }\n  return n == 0;\n}\n");
  const scene s = open_scene("test/models/good/bar-switch", 2e-3, STEPS);
  if (write_machine(&s, "plant") && compile("plant", NULL)) {
    CHECK(folder_run(folder_own(), "cc -I. cut.c plant.o -lm -o cut && ./cut"));
  }
}


// Loops that cannot be closed: the state stays as it was, and the joints of the loop are named (the driver compares).
TEST(a_linkage_that_is_pulled_apart_names_its_loops)
{
  double failures = 0;
  scene s = open_scene("loops/seven-body", 1e-5, 2);
  if (write_machine(&s, "plant") && compile("plant", driver) &&
      CHECK(folder_run(folder_own(), "./program 1e-5 2 > out"))) {
    CHECK(read_line("failures", 1, &failures) == 1 && failures > 0);
    CHECK(folder_run(folder_own(), "grep '^loop' out | grep q3 | grep -q cut1"));
    CHECK(folder_run(folder_own(), "grep '^loop' out | grep q7 | grep -q cut3"));
  }
}


// The law of test/models/good/root.yaml has no value behind 0.43 s.
TEST(a_step_says_that_a_law_is_not_finite)
{
  static const char *const text[][2] = {
      {"root.c", "#include <string.h>\n#include \"plant.h\"\nstatic plant_machine m;\n"
                 "int main(void)\n{\n  plant_start(&m);\n"
                 "  while (m.t < 1 && !plant_step(&m, 0.01)) continue;\n"
                 "  return !(m.t < 0.435) || strcmp(m.failed, \"a law is not finite\");\n}\n"},
      {"root.py", "from plant import Machine\nm = Machine()\n"
                  "try:\n    while m.t < 1: m.step(0.01)\n"
                  "except ArithmeticError as e:\n"
                  "    assert m.t < 0.435 and m.failed == str(e) == 'a law is not finite'\n"
                  "else:\n    raise SystemExit(1)\n"}};
  for (int i = 0; i < 2; i++) {
    folder_write(folder_path(text[i][0]), text[i][1]);
  }
  const scene s = open_scene("test/models/good/root", 0.01, 40);
  if (write_machine(&s, "plant") && compile("plant", NULL)) {
    CHECK(folder_run(folder_own(), "cc -I. root.c plant.o -lm -o root && ./root"));
    if (tongue_is_spoken(tongue_of(EMIT_PYTHON)) && CHECK(write_foreign(&s, EMIT_PYTHON))) {
      CHECK(folder_run(folder_own(), "rm -rf __pycache__ && CFLAGS=-O0 python3 root.py"));
    }
  }
}


// Two machines in one program, called from C++.
TEST(two_machines_stand_in_one_program_of_cpp)
{
  folder_write(
      folder_path("both.cpp"),
      "#include \"first.h\"\n#include \"second.h\"\n#include <cmath>\n"
      "int main()\n{\n  static first_machine a;\n  static second_machine b;\n"
      "  double x[first_NV], y[second_NV];\n  first_start(&a);\n  second_start(&b);\n"
      "  for (int i = 0; i < 100; i++) {\n"
      "    if (first_step(&a, 1e-3) || second_step(&b, 1e-3)) return 1;\n  }\n"
      "  return first_accelerate(&a, x) || second_accelerate(&b, y) || !std::isfinite(x[0] + "
      "y[0]);\n"
      "}\n");
  static const char *const names[2] = {"first", "second"};
  static const char *const models[2] = {"double-pendulum", "loops/four-bar"};
  int made = 1;
  for (int i = 0; i < 2 && made; i++) {
    const scene s = open_scene(models[i], 1e-3, STEPS);
    made = write_machine(&s, names[i]) && compile(names[i], NULL);
    check_symbols(names[i]);
  }
  const char *const compilers[] = {"g++", "clang++"};
  for (int i = 0; i < 2 && made; i++) {
    if (!tongue_is_installed(compilers[i])) continue;
    CHECK(folder_run(
        folder_own(),
        "%s -std=c++11 -Wall -Wextra -Wpedantic -Werror both.cpp first.o second.o -lm -o "
        "both && ./both",
        compilers[i]));
  }
}
