// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated code of every machine in models/, in every language, against the numeric side at a thousand
// random states: every function that there is.
//
// With ART_SOAK all of that (Octave and Java with ART_TEST_ALL besides); without, machines of more than LARGE
// coordinates, whose code takes long to compile, are sampled in C: fewer functions and states, and no vehicle
// that another one contains (machine_has_twin); others of more than SMALL coordinates at fewer states. Machines of at most SMALL
// coordinates speak Python, and those of at most TINY Fortran, whose compiler takes long.
//
// ART_MODELS=delta takes those files alone whose names contain the word, ART_LANGUAGES="c java" those languages.
// With ART_LOG=FILE each machine and language adds its worst error to that file when it is done, and what stands
// there already, without fault, is not done again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "articula/articula.h"
#include "emit/write/writer.h"
#include "load/code.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/machines.h"
#include "support/oracle.h"
#include "support/programs.h"
#include "support/seconds.h"
#include "support/tongue.h"
#include "tree/tree.h"

enum {
  STATES = 1000,
  SOME = 300,
  SAMPLE = 100,
  FEW = 20,
  LARGE = 16,
  VAST = 32,
  SMALL = 4,
  TINY = 2,
  VECTORS = 40
};
enum { FUNCTIONS = 400 };

static char folder[] = "/tmp/articula-states-XXXXXX";

static const unsigned all_forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N |
                                  GEN_KINEMATICS | GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR |
                                  GEN_CONSTRAINTS | GEN_ACCELERATE | GEN_AUGMENTED | GEN_OUTPUTS |
                                  GEN_POWER | GEN_STRAIN | GEN_MACHINE_INVERSE | GEN_IMPLICIT;

// A language, and what came of it.
typedef struct voice {
  const tongue *t;
  FILE *answers;                // NULL: functions are called here, or not at all
  int is_asked;                 // to be compared
  int states;                   // that it is compared at
  double made, ran;             // seconds of processor time that compiling took, and answering
  double error[FUNCTIONS];      // the worst so far
  const char *worst[FUNCTIONS]; // vector of it
} voice;

typedef struct scene {
  const char *name;
  artModel *m;
  eqnProgram *p;
  artGenerated *code;
  oracle *o;
  voice voice[EMIT_LANGUAGES];
  double *room; // for the vectors of any function
} scene;

//---- life ----------------------------------------------------------------------------------------

static int is_soak(void)
{
  return getenv("ART_SOAK") != NULL;
}


static int is_sampled(const artModel *m)
{
  return m->tree.nv > LARGE && !is_soak();
}


// a bare tree has accelerations only if all of its joints move something, or loops hold the others
static unsigned forms_for(const artModel *m, artData *d)
{
  const int nv = m->tree.nv;
  double *M = keep_numbers(nv * nv), most = 0, least = HUGE_VAL;
  art_mass_matrix(m, d, M);
  tree_factor(&m->tree, M);
  for (int k = 0; k < nv; k++) {
    most = check_larger(most, M[k * nv + k]);
    least = check_smaller(least, M[k * nv + k]);
  }
  const unsigned solved = m->nrow > 0 ? 0 : GEN_FORWARD_LDL | GEN_FORWARD_N;
  const unsigned many = GEN_KINEMATICS | GEN_REGRESSOR | GEN_AUGMENTED | GEN_FORWARD_LDL;
  const unsigned forms = least > 1e-12 * most ? all_forms : all_forms & ~solved;
  if (!is_sampled(m)) return forms;
  return forms & ~(nv > VAST ? many | GEN_REACTIONS : many);
}


// numbers in all vectors of a function
static int numbers_of(const eqnFunction *f)
{
  int n = 0;
  for (int k = 0; k < f->ninput; k++) n += f->input[k].n;
  for (int k = 0; k < f->noutput; k++) n += f->output[k].n;
  return n;
}


static int load_c(scene *s, artError *error)
{
  const double begin = seconds_used();
  if (!s->voice[EMIT_C].is_asked) return 1;
  const int made = CHECK(load_program(&s->code, s->m, s->p, 1, NULL, error) == ART_OK);
  keep_generated(s->code);
  s->voice[EMIT_C].made = seconds_used() - begin;
  return made;
}


static int open_scene(scene *s, const char *path)
{
  s->m = keep_file(path);
  artData *d = keep_assembled_data(s->m);
  const genOptions options = {.forms = forms_for(s->m, d)};
  s->p = keep_program(s->m, d, &options);
  if (!load_c(s, &check_error)) {
    printf("  %s: %s\n", s->name, check_error.text);
    return 0;
  }
  int most = 0;
  for (int i = 0; i < s->p->nfunction; i++) {
    const int n = numbers_of(&s->p->function[i]);
    most = n > most ? n : most;
  }
  s->room = keep_numbers(most);
  s->o = keep_oracle(oracle_create(s->m, s->p));
  return s->o != NULL && CHECK(s->p->nfunction <= FUNCTIONS);
}

//---- machines asked for, and known ones ----------------------------------------------------------

// whether the log has a machine in a language, at all states and without fault
static int is_known(const char *machine, const char *language)
{
  char line[300], name[200], spoken[20];
  const char *log = getenv("ART_LOG");
  FILE *file = log ? fopen(log, "r") : NULL;
  int known = 0, states;
  double error;
  while (file && !known && fgets(line, sizeof line, file)) {
    known = sscanf(line, "%199s %19s %*d functions %d states %lf", name, spoken, &states, &error) ==
                4 &&
            strcmp(name, machine) == 0 && strcmp(spoken, language) == 0 && states == STATES &&
            error <= 1e-12;
  }
  if (file) fclose(file);
  return known;
}


static void write_log(const scene *s, const voice *v, double error)
{
  const char *log = getenv("ART_LOG");
  FILE *file = log ? fopen(log, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s %s %d functions %d states %.1e error %.1f s to make %.1f s to run\n", s->name,
          emit_language_name(v->t->language), s->p->nfunction, v->states, error, v->made, v->ran);
  fclose(file);
}


// the languages that a machine is to speak; returns how many
static int choose_languages(scene *s)
{
  const char *only = getenv("ART_LANGUAGES");
  int n = 0;
  for (emitLanguage i = 0; i < EMIT_LANGUAGES; i++) {
    const char *name = emit_language_name(i);
    voice *v = &s->voice[i];
    v->t = tongue_of(i);
    v->is_asked = (!only || strstr(only, name)) && (i == EMIT_C || tongue_is_spoken(v->t)) &&
                  !is_known(s->name, name);
    n += v->is_asked;
  }
  return n;
}

//---- other languages -----------------------------------------------------------------------------

// Inputs at the first `states` states go into the file that callers read.
static void write_states(scene *s, int states)
{
  const eqnVector *vector[TONGUE_VECTORS];
  const int n = tongue_inputs(s->p, vector);
  uint64_t seed = 2;
  double count = 0;
  FILE *in = folder_open(folder, "in", "wb");
  fwrite(&count, sizeof count, 1, in);
  for (int state = 0; state < states; state++) {
    if (!oracle_next(s->o, &seed)) continue;
    for (int k = 0; k < n; k++) {
      fwrite(oracle_input(s->o, vector[k]->name), sizeof(double), (size_t) vector[k]->n, in);
    }
    count++;
  }
  rewind(in);
  fwrite(&count, sizeof count, 1, in);
  CHECK(fclose(in) == 0);
}


static void open_voices(scene *s, int states)
{
  const int nv = s->m->tree.nv;
  s->voice[EMIT_C].states = s->code ? states : 0;
  if (nv > SMALL && !is_soak()) return;
  CHECK_EQ_INT(s->p->nexternal, 0);
  const int asked = is_soak() ? states : FEW;
  write_states(s, asked);
  for (emitLanguage i = EMIT_C + 1; i < EMIT_LANGUAGES; i++) {
    voice *v = &s->voice[i];
    const double begin = seconds_used();
    if (!v->is_asked || (i == EMIT_FORTRAN && nv > TINY && !is_soak())) continue;
    tongue_write(v->t, folder, s->p, &(emitOptions){0});
    if (!tongue_make(v->t, folder, s->p, "-O0")) continue;
    v->made = seconds_used() - begin;
    v->answers = tongue_open(v->t, folder, s->p);
    if (CHECK(v->answers)) v->states = asked;
  }
}


static void close_voices(scene *s)
{
  for (emitLanguage i = EMIT_C + 1; i < EMIT_LANGUAGES; i++) {
    voice *v = &s->voice[i];
    const double begin = seconds_used();
    if (!v->answers) continue;
    CHECK_EQ_INT(fgetc(v->answers), EOF);
    tongue_close(v->t, folder, v->answers);
    v->ran = seconds_used() - begin;
  }
}

//---- comparison ----------------------------------------------------------------------------------

// the results of a function by the code that is loaded, or as a caller says them
static int find_results(scene *s, voice *v, int i, double *const *in, double *const *out)
{
  const eqnFunction *f = &s->p->function[i];
  if (!v->answers) return art_generated_call(s->code, i, in, out, NULL) == ART_OK;
  int got = 1;
  for (int k = 0; k < f->ninput; k++) {
    const size_t n = emit_is_written(f, &f->input[k]) ? (size_t) f->input[k].n : 0;
    got = got && fread(in[k], sizeof(double), n, v->answers) == n;
  }
  for (int k = 0; k < f->noutput; k++) {
    const size_t n = (size_t) f->output[k].n;
    got = got && fread(out[k], sizeof(double), n, v->answers) == n;
  }
  return got;
}


static void note_error(voice *v, int i, double error, const char *what)
{
  if (!(error > v->error[i])) return;
  v->error[i] = error;
  v->worst[i] = what;
}


static int check_function(scene *s, voice *v, int i)
{
  double *in[VECTORS], *out[VECTORS], *room = s->room;
  const eqnFunction *f = &s->p->function[i];
  for (int k = 0; k < f->ninput; k++, room += f->input[k - 1].n) {
    in[k] = room;
    memcpy(in[k], oracle_input(s->o, f->input[k].name), (size_t) f->input[k].n * sizeof(double));
  }
  for (int k = 0; k < f->noutput; k++, room += f->output[k - 1].n) out[k] = room;
  const char *what = "";
  if (!CHECK(find_results(s, v, i, in, out))) return 0;
  const double error = oracle_error(s->o, f, out, &what);
  if (error < 0 && strcmp(f->name, "strain") != 0) v->worst[i] = "nothing to judge it by";
  note_error(v, i, error, what);
  for (int k = 0; k < f->ninput; k++) {
    if (!emit_is_written(f, &f->input[k])) continue;
    note_error(v, i, oracle_written_error(s->o, &f->input[k], in[k]), f->input[k].name);
  }
  return 1;
}


static void check_state(scene *s, int state)
{
  for (emitLanguage l = 0; l < EMIT_LANGUAGES; l++) {
    voice *v = &s->voice[l];
    for (int i = 0; state < v->states && i < s->p->nfunction; i++) {
      if (check_function(s, v, i)) continue;
      printf("  %s of %s in %s: no answer at state %d\n", s->p->function[i].name, s->name,
             emit_language_name(l), state);
      v->states = 0;
    }
  }
}


static void judge(const scene *s, const voice *v)
{
  double most = 0;
  const char *language = emit_language_name(v->t->language);
  for (int i = 0; i < s->p->nfunction; i++) {
    most = check_larger(most, v->error[i]);
    const int is_judged = !v->worst[i] || strncmp(v->worst[i], "nothing", 7) != 0;
    if (CHECK(v->error[i] <= 1e-12) && CHECK(is_judged)) continue;
    printf("  %s of %s in %s: %s, error %g\n", s->p->function[i].name, s->name, language,
           v->worst[i], v->error[i]);
  }
  if (v->states > 0) write_log(s, v, most);
  if (!is_soak() || v->states == 0) return;
  printf("  %s in %s: %d functions, %d states, worst error %.1e\n", s->name, language,
         s->p->nfunction, v->states, most);
  fflush(stdout);
}


static void check_machine(const char *path)
{
  uint64_t seed = 2;
  static scene s;
  s = (scene){.name = machine_name(path)};
  int skipped = 0;
  if (choose_languages(&s) == 0) return;
  if (open_scene(&s, path)) {
    const int is_small = s.m->tree.nv <= SMALL || is_soak();
    const int states = is_sampled(s.m) ? SAMPLE : is_small ? STATES : SOME;
    open_voices(&s, states);
    for (int state = 0; state < states; state++) {
      if (oracle_next(s.o, &seed))
        check_state(&s, state);
      else
        skipped++;
    }
    close_voices(&s);
    for (emitLanguage i = 0; i < EMIT_LANGUAGES; i++) judge(&s, &s.voice[i]);
    if (skipped > 0) printf("  %s: %d states left out\n", s.name, skipped);
    CHECK(skipped <= states / 20);
  }
  check_free_kept();
}


TEST(code_says_what_numbers_say_at_a_thousand_states)
{
  static machineFiles files;
  const char *only = getenv("ART_MODELS");
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    const char *path = files.path[i];
    const int is_asked = only ? strstr(path, only) != NULL : is_soak() || !machine_has_twin(path);
    const int has_states =
        strstr(path, "/plant/") != NULL; // with formulas: not in generated code yet
    if (is_asked && !has_states) check_machine(path);
  }
}


int main(int argc, char **argv)
{
  if (!mkdtemp(folder)) return 1;
  setenv("CC", FOLDER_QUICK_CC, 1); // compiling costs more than a thousand evaluations
  setenv("XDG_CACHE_HOME", folder, 1);
  const int failed = check_main(argc, argv);
  return folder_remove(folder) ? failed : 1;
}
