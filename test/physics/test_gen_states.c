// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated code of every machine in models/, compiled and called, against the numeric side at a thousand
// random states: every function that there is. Machines of more than LARGE coordinates, whose code takes
// long to compile, are sampled: fewer functions and states, all with ART_SOAK.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "articula/articula.h"
#include "gen/gen.h"
#include "load/code.h"
#include "support/check.h"
#include "support/machines.h"
#include "support/oracle.h"
#include "tree/tree.h"

enum { STATES = 1000, SAMPLE = 100, LARGE = 16 };

static char folder[] = "/tmp/articula-states-XXXXXX";

static const unsigned all_forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N |
                                  GEN_KINEMATICS | GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR |
                                  GEN_CONSTRAINTS | GEN_ACCELERATE | GEN_AUGMENTED | GEN_OUTPUTS |
                                  GEN_POWER | GEN_STRAIN;

typedef struct scene {
  const char *name;
  artModel *m;
  eqnProgram *p;
  artGenerated *code;
  oracle *o;
  double *error;      // [nfunction] the worst so far
  const char **worst; // [nfunction] vector of it
} scene;


static int is_sampled(const artModel *m)
{
  return m->tree.nv > LARGE && !getenv("ART_SOAK");
}


// a bare tree has accelerations only if all of its joints move something, and multipliers alone no more
static unsigned forms_for(const artModel *m, artData *d)
{
  const int nv = m->tree.nv;
  double *M = calloc((size_t) nv * (size_t) nv + 1, sizeof *M), most = 0, least = HUGE_VAL;
  art_mass_matrix(m, d, M);
  tree_factor(&m->tree, M);
  for (int k = 0; k < nv; k++) {
    most = fmax(most, M[k * nv + k]);
    least = fmin(least, M[k * nv + k]);
  }
  free(M);
  const unsigned solved = GEN_FORWARD_LDL | GEN_FORWARD_N | GEN_AUGMENTED;
  const unsigned many = GEN_KINEMATICS | GEN_REGRESSOR | GEN_AUGMENTED | GEN_FORWARD_LDL;
  const unsigned forms = least > 1e-12 * most ? all_forms : all_forms & ~solved;
  return is_sampled(m) ? forms & ~many : forms;
}


static int open_scene(scene *s, const char *path)
{
  artError error = {0};
  artAssembly assembly;
  *s = (scene){.name = machine_name(path)};
  if (!CHECK(art_load_model(&s->m, path, &error) == ART_OK)) return 0;
  artData *d = art_create_data(s->m);
  art_update(s->m, d);
  const int is_closed = CHECK(art_assemble(s->m, d, &assembly, &error) == ART_OK);
  const genOptions options = {.forms = forms_for(s->m, d)};
  const artStatus status = is_closed ? gen_create(&s->p, s->m, d, &options, &error) : ART_OK;
  art_free_data(d);

  // forces without equations on symbols
  if (status == ART_UNSUPPORTED) {
    printf("  %s is left out: %s\n", s->name, error.text);
    return 0;
  }
  const int made = is_closed && CHECK(status == ART_OK) &&
                   CHECK(load_program(&s->code, s->m, s->p, &error) == ART_OK);
  if (!made) printf("  %s: %s\n", s->name, error.text);
  if (!made || !(s->o = oracle_create(s->m, s->p))) return 0;
  s->error = calloc((size_t) s->p->nfunction, sizeof *s->error);
  s->worst = calloc((size_t) s->p->nfunction, sizeof *s->worst);
  return 1;
}


static void close_scene(scene *s)
{
  free(s->error), free(s->worst);
  oracle_free(s->o);
  art_free_generated(s->code);
  gen_free(s->p);
  art_free_model(s->m);
}


static void check_function(scene *s, int i)
{
  enum { MOST = 16 };
  static double in_room[MOST][2000], out_room[MOST][20000];
  double *in[MOST], *out[MOST];
  const eqnFunction *f = &s->p->function[i];
  for (int k = 0; k < f->ninput; k++) {
    in[k] = in_room[k];
    memcpy(in[k], oracle_input(s->o, f->input[k].name), (size_t) f->input[k].n * sizeof(double));
  }
  for (int k = 0; k < f->noutput; k++) {
    out[k] = out_room[k];
    if (!CHECK(f->output[k].n <= 20000)) return;
  }
  const char *what = "";
  if (!CHECK(art_generated_call(s->code, i, in, out, NULL) == ART_OK)) return;
  const double error = oracle_error(s->o, f, out, &what);
  if (error < 0 && strcmp(f->name, "strain") != 0) s->worst[i] = "nothing to judge it by";
  if (!(error > s->error[i])) return;
  s->error[i] = error;
  s->worst[i] = what;
}


static void check_machine(const char *path)
{
  uint64_t seed = 2;
  scene s;
  int skipped = 0;
  if (open_scene(&s, path)) {
    const int states = is_sampled(s.m) ? SAMPLE : STATES;
    for (int state = 0; state < states; state++) {
      if (!oracle_next(s.o, &seed)) {
        skipped++;
        continue;
      }
      for (int i = 0; i < s.p->nfunction; i++) check_function(&s, i);
    }
    CHECK(skipped <= states / 20 || skipped == states);
    for (int i = 0; i < s.p->nfunction; i++) {
      const int is_judged = !s.worst[i] || strncmp(s.worst[i], "nothing", 7) != 0;
      if (CHECK(s.error[i] <= 1e-12) && CHECK(is_judged)) continue;
      printf("  %s of %s: %s, error %g\n", s.p->function[i].name, s.name, s.worst[i], s.error[i]);
    }
    if (skipped > 0) printf("  %s: %d states left out\n", s.name, skipped);
  }
  close_scene(&s);
}


static void code_says_what_numbers_say_at_a_thousand_states(void)
{
  static machineFiles files;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) check_machine(files.path[i]);
}


// Compiling costs more than a thousand evaluations: no optimisation.
static int make_compiler(void)
{
  char path[200];
  snprintf(path, sizeof path, "%s/cc", folder);
  FILE *script = fopen(path, "w");
  if (!script) return 0;
  fputs("#!/bin/sh\nexec cc \"$@\" -O0\n", script);
  fclose(script);
  setenv("CC", path, 1);
  setenv("XDG_CACHE_HOME", folder, 1);
  return chmod(path, 0700) == 0;
}


int main(int argc, char **argv)
{
  const checkTest tests[] = {
      TEST(code_says_what_numbers_say_at_a_thousand_states),
      {0},
  };
  if (!mkdtemp(folder) || !make_compiler()) return 1;
  const int failed = check_main(argc, argv, tests);
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) == 0 ? failed : 1;
}
