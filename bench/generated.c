// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations against the numeric kernels: nanoseconds an evaluation of inverse and forward
// dynamics, each from q and v on, and how long the text took to make, compile and load. Run in the
// root of the repository, where models/ lies.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chain_model.h"
#include "model/model.h"

// a batch is long enough for the clock; the smallest of many counts
static const double batch_ns = 1e5;
enum { ROUNDS = 1500 };

typedef struct benchCase {
  const char *name;
  artModel *model;
  artData *data;
  double *given, *answer; // [nv]
  artGenerated *code;
  int function;
  double *in[8], *out[8];
} benchCase;

typedef void benchJob(benchCase *c);


static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

//---- jobs ----------------------------------------------------------------------------------------

static void numeric_inverse(benchCase *c)
{
  art_update(c->model, c->data);
  art_inverse_dynamics(c->model, c->data, c->given, c->answer);
}


static void numeric_forward(benchCase *c)
{
  art_update(c->model, c->data);
  art_forward_dynamics(c->model, c->data, c->given, c->answer, NULL);
}


static void generated(benchCase *c)
{
  art_generated_call(c->code, c->function, c->in, c->out, NULL);
}


static double time_job(benchCase *c, benchJob *job)
{
  const double start = now_ns();
  job(c);
  const long calls = 1 + (long) (batch_ns / fmax(now_ns() - start, 1));
  double least = HUGE_VAL;
  for (int i = 0; i < ROUNDS; i++) {
    const double from = now_ns();
    for (long k = 0; k < calls; k++) job(c);
    least = fmin(least, (now_ns() - from) / (double) calls);
  }
  return least;
}

//---- code ----------------------------------------------------------------------------------------

// load a form; seconds it took
static double load(benchCase *c, unsigned forms, const char *name, int minimal, int frozen)
{
  artError error = {0};
  artGenerateDef def = art_default_generate();
  def.forms = forms;
  def.barycentric = minimal;
  def.freeze_all = frozen;
  const double start = now_ns();
  if (art_load_generated(&c->code, c->model, c->data, &def, &error) != ART_OK) {
    fprintf(stderr, "%s: %s\n", c->name, error.text);
    exit(1);
  }
  const double seconds = 1e-9 * (now_ns() - start);
  c->function = art_find_generated(c->code, name);
  const artFunctionInfo info = art_generated_function(c->code, c->function);
  for (int k = 0; k < info.ninput; k++) {
    const char *vector = art_generated_input(c->code, c->function, k).name;
    c->in[k] = vector[0] == 'q' ? c->data->q : vector[0] == 'v' ? c->data->v : c->given;
  }
  for (int k = 0; k < info.noutput; k++) c->out[k] = c->answer;
  return seconds;
}


// the force of a drive is no matter of choice
static int is_driven(const artModel *m, int k)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].velocity == k) return 1;
  }
  return 0;
}


// the best of the variants, and the difference from the numbers
static double best_code(benchCase *c, unsigned forms, const char *name, benchJob *numeric,
                        double *seconds)
{
  const int nv = art_count(c->model).nv;
  double *want = calloc((size_t) nv, sizeof *want), least = HUGE_VAL;
  double *taken = calloc((size_t) nv, sizeof *taken);
  memcpy(want, c->given, (size_t) nv * sizeof *want);
  if (numeric == numeric_inverse) {
    numeric(c);
    memcpy(want, c->answer, (size_t) nv * sizeof *want);
  }
  *seconds = 0;
  for (int variant = 0; variant < 4; variant++) {
    const double made = load(c, forms, name, variant & 1, variant >> 1);
    generated(c);

    // forces give accelerations, which take these forces
    if (numeric == numeric_forward) {
      art_update(c->model, c->data);
      memcpy(taken, c->answer, (size_t) nv * sizeof *taken);
      art_inverse_dynamics(c->model, c->data, taken, c->answer);
    }
    for (int k = 0; k < nv; k++) {
      if (is_driven(c->model, k)) continue;
      if (fabs(c->answer[k] - want[k]) > 1e-8 * fmax(1, fabs(want[k]))) {
        fprintf(stderr, "%s: %s differs\n", c->name, name);
        exit(1);
      }
    }
    const double ns = time_job(c, generated);
    if (!(variant >> 1)) least = fmin(least, ns);
    fprintf(stderr, "%s %s %s %s: %.0f ns\n", c->name, name, variant & 1 ? "minimal" : "classical",
            variant >> 1 ? "numbers" : "parameters", ns);
    *seconds = fmax(*seconds, made);
    art_free_generated(c->code);
  }
  free(want);
  free(taken);
  return least;
}

//---- cases ---------------------------------------------------------------------------------------

static int open_case(benchCase *c, const char *name)
{
  artError error = {0};
  int links = 0;
  *c = (benchCase){.name = name};
  benchChain *chain = sscanf(name, "chain %d", &links) == 1 ? chain_create(links) : NULL;
  if (chain) {
    c->model = chain_model(chain, &error);
  } else {
    char path[200];
    snprintf(path, sizeof path, "models/%s.yaml", name);
    art_load_model(&c->model, path, &error);
  }
  if (!c->model) {
    fprintf(stderr, "%s: %s\n", name, error.text);
    return 0;
  }
  const size_t nv = (size_t) art_count(c->model).nv;
  c->data = art_create_data(c->model);
  c->given = calloc(nv, sizeof *c->given);
  c->answer = calloc(nv, sizeof *c->answer);
  double *move = calloc(nv, sizeof *move);
  for (size_t k = 0; k < nv; k++) {
    move[k] = 0.5 * sin(0.7 * (double) k + 0.3);
    c->data->v[k] = cos(1.3 * (double) k);
    c->given[k] = sin(2.1 * (double) k + 1);
  }
  art_move(c->model, c->data->q, move);
  free(move);
  chain_free(chain);
  return 1;
}


static void close_case(benchCase *c)
{
  art_free_data(c->data);
  art_free_model(c->model);
  free(c->given);
  free(c->answer);
}


int main(int argc, char **argv)
{
  static const char *const names[] = {"puma560", "iiwa",     "motorcycle", "generator/quadruped",
                                      "chain 6", "chain 10", "chain 30",   "generator/humanoid"};
  printf(
      "| ns a call | inverse, numbers | generated | ratio | forward, numbers | generated | ratio "
      "| made, compiled, loaded in, s |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    benchCase c;
    double seconds[2];
    if (argc > 1 && strcmp(argv[1], names[i]) != 0) continue;
    if (!open_case(&c, names[i])) return 1;
    const double inverse = time_job(&c, numeric_inverse), forward = time_job(&c, numeric_forward);
    const double own = best_code(&c, ART_FORM_INVERSE, "inverse", numeric_inverse, &seconds[0]);
    const double best = best_code(&c, ART_FORM_FORWARD_LDL | ART_FORM_FORWARD_N, "forward_best",
                                  numeric_forward, &seconds[1]);
    printf("| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f | %.2f |\n", names[i], inverse, own,
           own / inverse, forward, best, best / forward, fmax(seconds[0], seconds[1]));
    fflush(stdout);
    close_case(&c);
  }
  return 0;
}
