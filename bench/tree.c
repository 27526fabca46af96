// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times the tree recursions through the public interface, each from (q, v) on: sines and cosines,
// poses, then the answer. Run in the root of the repository, where models/ lies.
//   tree                    the table: nanoseconds a call and a body, smallest of many batches
//   tree JOB LINKS CALLS    nothing but CALLS calls of one job on a chain, for counting instructions
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chain_model.h"

enum { JOBS = 4, LONGEST_MATRIX = 100 };

// a batch is long enough for the clock; a job ends with its share of time or of rounds
static const double batch_ns = 1e5;
static const double share_ns = 1.2e9;
static const int rounds = 4000;

// one machine at one state, with room for the answers
typedef struct benchCase {
  const char *name;
  artModel *model;
  artData *data;
  double *given; // [nv] accelerations or joint forces
  double *answer;
  double *M;
} benchCase;


//---- jobs ----------------------------------------------------------------------------------------

static void inverse(benchCase *c)
{
  art_update(c->model, c->data);
  art_inverse_dynamics(c->model, c->data, c->given, c->answer);
}


static void mass(benchCase *c)
{
  art_update(c->model, c->data);
  art_mass_matrix_lower(c->model, c->data, c->M);
}


static void forward(benchCase *c)
{
  art_update(c->model, c->data);
  art_forward_dynamics(c->model, c->data, c->given, c->answer, NULL);
}


// force elements, bias, matrix, factors, solution, and the motion of the links that goes with it
static void matrix_route(benchCase *c)
{
  art_update(c->model, c->data);
  art_accelerate(c->model, c->data, ART_MASS_MATRIX, NULL);
}


typedef struct benchJob {
  const char *name;
  void (*run)(benchCase *c);
} benchJob;

static const benchJob jobs[JOBS] = {
    {"inverse", inverse},
    {"mass", mass},
    {"forward", forward},
    {"by-matrix", matrix_route},
};


//---- cases ---------------------------------------------------------------------------------------

static void close_case(benchCase *c)
{
  art_free_data(c->data);
  art_free_model(c->model);
  free(c->given);
  free(c->answer);
  free(c->M);
}


// workspace of a model that may be NULL
static int open_case(benchCase *c, const char *name, artModel *model, const artError *error)
{
  *c = (benchCase){.name = name, .model = model};
  if (!model) {
    fprintf(stderr, "tree: %s\n", error->text);
    return 0;
  }
  const size_t nv = (size_t) art_count(model).nv;
  c->data = art_create_data(model);
  c->given = calloc(nv, sizeof *c->given);
  c->answer = calloc(nv, sizeof *c->answer);
  c->M = calloc(nv * nv, sizeof *c->M);
  return c->data && c->given && c->answer && c->M;
}


static int open_chain(benchCase *c, const char *name, int links)
{
  artError error = {0};
  benchChain *chain = chain_create(links);
  if (!chain) return 0;
  const int good = open_case(c, name, chain_model(chain, &error), &error);
  if (good) {
    const size_t size = (size_t) links * sizeof *chain->q;
    memcpy(c->data->q, chain->q, size);
    memcpy(c->data->v, chain->v, size);
    memcpy(c->given, chain->a, size);
  }
  chain_free(chain);
  return good;
}


// a model file, away from its initial state and moving
static int open_file(benchCase *c, const char *name, const char *path)
{
  artError error = {0};
  artModel *model = NULL;
  art_load_model(&model, path, &error);
  if (!open_case(c, name, model, &error)) return 0;

  const int nv = art_count(model).nv;
  for (int k = 0; k < nv; k++) c->given[k] = 0.1 * sin(0.7 * k + 0.3);
  art_move(model, c->data->q, c->given);
  for (int k = 0; k < nv; k++) c->data->v[k] = cos(1.3 * k);
  return 1;
}


//---- timing --------------------------------------------------------------------------------------

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}


static double time_batch(benchCase *c, const benchJob *job, int calls)
{
  const double start = now_ns();
  for (int k = 0; k < calls; k++) job->run(c);
  return now_ns() - start;
}


// nanoseconds of one call
static double time_job(benchCase *c, const benchJob *job)
{
  int calls = 1;
  double best = INFINITY, spent = 0;
  while (time_batch(c, job, calls) < batch_ns) calls *= 2;
  for (int round = 0; round < rounds && spent < share_ns; round++) {
    const double batch = time_batch(c, job, calls);
    spent += batch;
    best = fmin(best, batch / calls);
  }
  return best;
}


// times every job and prints a row; ns holds the times of one call
static void print_row(benchCase *c, double ns[JOBS])
{
  const int bodies = art_count(c->model).bodies, nv = art_count(c->model).nv;
  printf("%-12s %6d %5d", c->name, bodies, nv);
  for (int j = 0; j < JOBS; j++) {
    if (jobs[j].run == matrix_route && nv > LONGEST_MATRIX) {
      printf("  %9s  %6s", "-", "-");
      continue;
    }
    ns[j] = time_job(c, &jobs[j]);
    printf("  %9.0f  %6.1f", ns[j], ns[j] / bodies);
  }
  printf("\n");
  fflush(stdout);
}


static void print_head(void)
{
  printf("nanoseconds a call, and a body\n%-12s %6s %5s", "machine", "bodies", "nv");
  for (int j = 0; j < JOBS; j++) printf("  %9s  %6s", jobs[j].name, "body");
  printf("\n");
}


static int print_table(void)
{
  static const int links[] = {6, 10, 30, 100, 1000};
  double per_body[2] = {0}; // of forward dynamics, at 30 and at 1000 links
  benchCase c;

  print_head();
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    char name[16];
    double ns[JOBS] = {0};
    snprintf(name, sizeof name, "chain %d", links[i]);
    if (!open_chain(&c, name, links[i])) return 1;
    print_row(&c, ns);
    close_case(&c);
    if (links[i] == 30) per_body[0] = ns[2] / 30;
    if (links[i] == 1000) per_body[1] = ns[2] / 1000;
  }

  static const char *const files[][2] = {{"iiwa", "models/iiwa.yaml"},
                                         {"motorcycle", "models/motorcycle.yaml"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    double ns[JOBS];
    if (!open_file(&c, files[i][0], files[i][1])) return 1;
    print_row(&c, ns);
    close_case(&c);
  }
  printf("\ngrowth of forward dynamics, ns a body at 1000 links over that at 30: %.3f (aim: 1.1)\n",
         per_body[1] / per_body[0]);
  return 0;
}


//---- main ----------------------------------------------------------------------------------------

static int repeat(const char *name, int links, int calls)
{
  const benchJob *job = NULL;
  for (int j = 0; j < JOBS; j++) {
    if (strcmp(name, jobs[j].name) == 0) job = &jobs[j];
  }
  benchCase c;
  if (!job || links < 1 || !open_chain(&c, "chain", links)) return 2;
  for (int k = 0; k < calls; k++) job->run(&c);
  close_case(&c);
  return 0;
}


int main(int argc, char **argv)
{
  if (argc == 4) return repeat(argv[1], atoi(argv[2]), atoi(argv[3]));
  if (argc == 1) return print_table();
  fprintf(stderr, "usage: tree [inverse|mass|forward|by-matrix LINKS CALLS]\n");
  return 2;
}
