// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times Articula and its peers on the same chains in one run, after checking that all of them give
// the same answers. Usage: peers [N ...], the numbers of links, 6 10 30 100 1000 when none is given.
#include "peers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { JOB_INVERSE, JOB_MASS, JOB_FORWARD, JOBS };
enum { ENGINES_MOST = 4 };

static const char *const job_names[JOBS] = {"inverse", "mass", "forward"};

// a batch is long enough for the clock; an engine is left alone once it had its share of time
static const double batch_ns = 3e5;
static const double share_ns = 1.5e9;
static const int rounds = 400;

// relative agreement asked of every answer, and of forward dynamics put back into inverse dynamics
static const double tolerance = 1e-9;

// Forward dynamics of a longer chain is too ill-conditioned to compare the accelerations themselves:
// at 1000 links the route through the mass matrix keeps five of their digits.
static const int links_comparable = 100;

// the first engine present is the one whose ratio to MuJoCo is printed
static const benchEngine *const engines[] = {
#ifdef BENCH_ARTICULA
    &bench_articula,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
    &bench_mujoco_whole,
#endif
#ifdef BENCH_SIMBODY
    &bench_simbody,
#endif
    NULL,
};

// one engine on one chain
typedef struct benchEntry {
  const benchEngine *engine;
  void *state;
  double *answer[JOBS]; // tau, M, a
  int batch;
  double spent_ns;
  double best_ns[JOBS];
} benchEntry;


static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}


static void run_job(benchEntry *entry, const benchChain *chain, int job)
{
  const benchEngine *e = entry->engine;
  double *out = entry->answer[job];

  switch (job) {
  case JOB_INVERSE: e->inverse(entry->state, chain->q, chain->v, chain->a, out); break;
  case JOB_MASS: e->mass(entry->state, chain->q); break;
  case JOB_FORWARD: e->forward(entry->state, chain->q, chain->v, chain->tau, out); break;
  }
}


static double time_batch(benchEntry *entry, const benchChain *chain, int job)
{
  const double start = now_ns();
  for (int k = 0; k < entry->batch; k++) run_job(entry, chain, job);
  return now_ns() - start;
}


//---- agreement -----------------------------------------------------------------------------------

static double largest(size_t n, const double *x)
{
  double most = 0;
  for (size_t k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}


// nan counts as the largest gap of all
static double largest_gap(size_t n, const double *x, const double *y)
{
  double most = 0;
  for (size_t k = 0; k < n; k++) {
    const double gap = fabs(x[k] - y[k]);
    if (!(gap <= most)) most = isnan(gap) ? INFINITY : gap;
  }
  return most;
}


static bool agrees(const benchEntry *entry, const char *what, double difference)
{
  if (difference <= tolerance) return true;
  fprintf(stderr, "%s, %s: differs by %.2e relative, %.0e allowed\n", entry->engine->name, what,
          difference, tolerance);
  return false;
}


// accelerations put back into inverse dynamics must return tau, measured against typical torques
static bool check_forward(benchEntry *entry, const benchChain *chain)
{
  const size_t n = (size_t) chain->count;
  double *tau = calloc(n, sizeof *tau);
  if (!tau) return false;

  entry->engine->inverse(entry->state, chain->q, chain->v, entry->answer[JOB_FORWARD], tau);
  const double typical = largest(n, entry->answer[JOB_INVERSE]);
  const double gap = largest_gap(n, tau, chain->tau);
  free(tau);
  return agrees(entry, "forward after inverse", gap / typical);
}


static bool check_entry(benchEntry *entry, const benchEntry *reference, const benchChain *chain)
{
  const size_t n = (size_t) chain->count;
  for (int job = 0; job < JOBS; job++) run_job(entry, chain, job);
  entry->engine->read_mass(entry->state, entry->answer[JOB_MASS]);

  bool good = check_forward(entry, chain);
  for (int job = 0; job < JOBS; job++) {
    if (job == JOB_FORWARD && chain->count > links_comparable) continue;
    const double *got = entry->answer[job], *want = reference->answer[job];
    const size_t length = job == JOB_MASS ? n * n : n;
    const double difference = largest_gap(length, got, want) / largest(length, want);
    good = agrees(entry, job_names[job], difference) && good;
  }
  return good;
}


//---- timing --------------------------------------------------------------------------------------

static void calibrate(benchEntry *entry, const benchChain *chain, int job)
{
  entry->spent_ns = 0;
  entry->best_ns[job] = INFINITY;
  for (entry->batch = 1; time_batch(entry, chain, job) < batch_ns; entry->batch *= 2) continue;
}


// engines take turns, so that a disturbance of the machine meets all of them alike
static void time_job(benchEntry *entries, int count, const benchChain *chain, int job)
{
  for (int e = 0; e < count; e++) calibrate(&entries[e], chain, job);

  for (int round = 0; round < rounds; round++) {
    for (int e = 0; e < count; e++) {
      benchEntry *entry = &entries[e];
      if (entry->spent_ns > share_ns) continue;
      const double spent = time_batch(entry, chain, job);
      entry->spent_ns += spent;
      entry->best_ns[job] = fmin(entry->best_ns[job], spent / entry->batch);
    }
  }
}


//---- table ---------------------------------------------------------------------------------------

static const benchEntry *find(const benchEntry *entries, int count, const char *name)
{
  for (int e = 0; e < count; e++) {
    if (strcmp(entries[e].engine->name, name) == 0) return &entries[e];
  }
  return NULL;
}


static void print_head(const benchEntry *entries, int count)
{
  printf("%6s  %-8s", "links", "job");
  for (int e = 0; e < count; e++) printf("  %14s", entries[e].engine->name);
  printf("  %15s\n", "Articula/MuJoCo");
}


static void print_rows(const benchEntry *entries, int count, int links)
{
  const benchEntry *ours = find(entries, count, "Articula");
  const benchEntry *peer = find(entries, count, "MuJoCo");

  for (int job = 0; job < JOBS; job++) {
    printf("%6d  %-8s", links, job_names[job]);
    for (int e = 0; e < count; e++) printf("  %11.0f ns", entries[e].best_ns[job]);
    if (ours && peer) {
      printf("  %15.3f\n", ours->best_ns[job] / peer->best_ns[job]);
    } else {
      printf("  %15s\n", "-");
    }
  }
  fflush(stdout);
}


//---- one chain -----------------------------------------------------------------------------------

static bool enter(benchEntry *entry, const benchEngine *engine, const benchChain *chain)
{
  const size_t n = (size_t) chain->count;
  *entry = (benchEntry){.engine = engine, .state = engine->create(chain)};

  bool good = entry->state != NULL;
  for (int job = 0; job < JOBS; job++) {
    entry->answer[job] = calloc(job == JOB_MASS ? n * n : n, sizeof(double));
    good = good && entry->answer[job];
  }
  if (!good) fprintf(stderr, "%s: no model of %d links\n", engine->name, chain->count);
  return good;
}


static void leave(benchEntry *entry)
{
  if (entry->state) entry->engine->destroy(entry->state);
  for (int job = 0; job < JOBS; job++) free(entry->answer[job]);
}


static bool bench_chain(int links, bool head)
{
  benchEntry entries[ENGINES_MOST] = {0};
  benchChain *chain = chain_create(links);
  int count = 0;
  bool good = chain != NULL;

  for (; good && engines[count]; count++) good = enter(&entries[count], engines[count], chain);
  for (int e = 0; good && e < count; e++) good = check_entry(&entries[e], &entries[0], chain);

  if (good) {
    for (int job = 0; job < JOBS; job++) time_job(entries, count, chain, job);
    if (head) print_head(entries, count);
    print_rows(entries, count, links);
  }

  for (int e = 0; e < count; e++) leave(&entries[e]);
  chain_free(chain);
  return good;
}


int main(int argc, char **argv)
{
  static const int usual[] = {6, 10, 30, 100, 1000};
  const int count = argc > 1 ? argc - 1 : (int) (sizeof usual / sizeof *usual);

  bool good = true;
  for (int k = 0; k < count; k++) {
    const int links = argc > 1 ? atoi(argv[k + 1]) : usual[k];
    if (links < 1) {
      fprintf(stderr, "peers: '%s' is not a number of links\n", argv[k + 1]);
      return 2;
    }
    good = bench_chain(links, k == 0) && good;
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
