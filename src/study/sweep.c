// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One run for each of many cases, over threads.
//
// A case reads the model file anew with its own parameters, so that whatever follows from these follows: lengths,
// positions, rates of springs, studies. Cases share nothing but what they are made from.
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "articula/study.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "par/farm.h"


const char *art_digest_name(artDigest digest)
{
  static const char *const names[ART_DIGESTS] = {"final", "min", "max", "mean", "rms"};
  return (unsigned) digest < ART_DIGESTS ? names[digest] : NULL;
}


//---- digests -------------------------------------------------------------------------------------

// rows of a run so far; sums are integrals over time
typedef struct sweepDigest {
  long rows;
  double time, start;
  double last, least, largest, sum, squares;
} sweepDigest;


static void digest_add(sweepDigest *d, double t, double x)
{
  if (d->rows++ == 0) {
    *d = (sweepDigest){1, t, t, x, x, x, 0, 0};
    return;
  }
  const double half = 0.5 * (t - d->time);
  d->sum += half * (d->last + x);
  d->squares += half * (d->last * d->last + x * x);
  d->least = x < d->least ? x : d->least;
  d->largest = x > d->largest ? x : d->largest;
  d->last = x;
  d->time = t;
}


static double digest_value(const sweepDigest *d, artDigest kind)
{
  const double duration = d->time - d->start;
  switch (kind) {
  case ART_FINAL:
    return d->last;
  case ART_MIN:
    return d->least;
  case ART_MAX:
    return d->largest;
  case ART_MEAN:
    return duration > 0 ? d->sum / duration : d->last;
  case ART_RMS:
    return duration > 0 ? sqrt(d->squares / duration) : fabs(d->last);
  default:
    return NAN;
  }
}


//---- one case ------------------------------------------------------------------------------------

// what a worker keeps from case to case
typedef struct sweepWorker {
  artSetting *setting; // [nparameter]
  sweepDigest *digest; // [nresult]
  double *value;       // [nresult]
  double *output;      // of the model
  int noutput;         // room in it
} sweepWorker;

typedef struct sweepRun {
  const artSweepDef *def;
  sweepWorker *worker;
  pthread_mutex_t lock;
  artError error; // that ended the sweep
} sweepRun;


static int is_stopped(const artSweepDef *def)
{
  return def->is_stopped && def->is_stopped(def->context);
}


static artStatus choose_study(const artSweepDef *def, const artModel *m, artStudyDef *study,
                              artError *error)
{
  if (def->choose) return def->choose(def->context, m, study, error);
  const artStudyDef *found = art_find_study(m, ART_RUN, NULL);
  *study = found ? *found : art_default_study();
  return ART_OK;
}


static artStatus check_outputs(const artSweepDef *def, const artModel *m, artError *error)
{
  for (int i = 0; i < def->nresult; i++) {
    if (def->result[i].output < art_count(m).outputs) continue;
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = def->path},
                     "this case has %d outputs, the result asks for number %d",
                     art_count(m).outputs, def->result[i].output + 1);
  }
  return ART_OK;
}


static int make_room(sweepWorker *w, int noutput)
{
  if (noutput <= w->noutput) return 1;
  mem_free(w->output);
  w->output = MEM_ARRAY(double, noutput);
  w->noutput = w->output ? noutput : 0;
  return w->output != NULL;
}


static artStatus find_start(const artModel *m, artData *d, const artStudyDef *study,
                            artError *error)
{
  artEquilibrium rest;
  artTrim trim;
  if (!study->at_equilibrium) return ART_OK;
  d->time = study->from;
  return study->speed == 0 ? art_find_equilibrium(m, d, &rest, error)
                           : art_find_trim(m, d, study->speed, &trim, error);
}


// rows of the run into digests; *is_whole: nobody stopped it
static artStatus advance(const artSweepDef *def, sweepWorker *w, const artStudyDef *study,
                         artRun *run, const artModel *m, artData *d, int *is_whole, artError *error)
{
  const long rows = art_output_count(study);
  for (long row = 0; row < rows; row++) {
    if (is_stopped(def)) return ART_OK;
    const double t = art_output_time(study, row);
    const artStatus status = art_run_to(run, t, error);
    if (status) {
      *is_whole = 1;
      return status;
    }
    art_outputs(m, d, w->output);
    for (int i = 0; i < def->nresult; i++) {
      digest_add(&w->digest[i], t, w->output[def->result[i].output]);
    }
  }
  *is_whole = 1;
  return ART_OK;
}


// A case that is made and run; returns whether it came to an end, good or bad.
static int run_model(const artSweepDef *def, sweepWorker *w, const artModel *m, artCase *c)
{
  artStudyDef study;
  artRun *run = NULL;
  int is_whole = 1;
  artData *d = art_create_data(m);
  artStatus status = d ? choose_study(def, m, &study, &c->error) : base_no_memory(&c->error);
  if (!status) status = check_outputs(def, m, &c->error);
  if (!status && !make_room(w, art_count(m).outputs)) status = base_no_memory(&c->error);
  if (!status) status = find_start(m, d, &study, &c->error);
  if (!status) status = art_create_run(&run, m, d, &study, &c->error);
  if (!status) {
    is_whole = 0;
    status = advance(def, w, &study, run, m, d, &is_whole, &c->error);
  }
  if (run) c->certificate = art_certify(run);
  art_free_run(run);
  art_free_data(d);
  return is_whole;
}


static int run_case(const artSweepDef *def, sweepWorker *w, long number, artCase *c)
{
  const double *value = def->value + number * def->nparameter;
  *c = (artCase){.number = number, .parameter = value, .value = w->value};
  memset(w->digest, 0, (size_t) def->nresult * sizeof *w->digest);
  for (int k = 0; k < def->nparameter; k++) {
    w->setting[k] = (artSetting){def->parameter[k], value[k]};
  }
  artModel *m = NULL;
  int is_whole = 1;
  const artStatus status =
      art_load_model_with(&m, def->path, def->nparameter, w->setting, &c->error);
  if (!status) is_whole = run_model(def, w, m, c);
  art_free_model(m);
  for (int i = 0; i < def->nresult; i++) {
    const int is_known = c->error.status == ART_OK;
    w->value[i] = is_known ? digest_value(&w->digest[i], def->result[i].digest) : NAN;
  }
  return is_whole;
}


//---- all cases -----------------------------------------------------------------------------------

// one at a time; returns whether to go on
static int hand_over(sweepRun *run, const artCase *c)
{
  pthread_mutex_lock(&run->lock);
  if (!run->error.status) run->def->done(run->def->context, c, &run->error);
  const int goes_on = !run->error.status;
  pthread_mutex_unlock(&run->lock);
  return goes_on;
}


static int work(void *context, int worker, long number)
{
  sweepRun *run = context;
  artCase c;
  if (run->def->is_done && run->def->is_done[number]) return 1;
  if (is_stopped(run->def)) return 0;
  if (!run_case(run->def, &run->worker[worker], number, &c)) return 0;
  return hand_over(run, &c);
}


static int open_worker(sweepWorker *w, const artSweepDef *def)
{
  w->setting = MEM_ARRAY(artSetting, def->nparameter + 1);
  w->digest = MEM_ARRAY(sweepDigest, def->nresult + 1);
  w->value = MEM_ARRAY(double, def->nresult + 1);
  return w->setting && w->digest && w->value;
}


static void close_worker(sweepWorker *w)
{
  mem_free(w->setting);
  mem_free(w->digest);
  mem_free(w->value);
  mem_free(w->output);
}


artStatus art_run_sweep(const artSweepDef *def, artError *error)
{
  int threads = def->threads > 0 ? def->threads : farm_processors();
  if (threads > def->ncase) threads = def->ncase > 0 ? (int) def->ncase : 1;
  sweepRun run = {.def = def, .worker = MEM_ARRAY(sweepWorker, threads)};
  if (!run.worker) return base_no_memory(error);
  pthread_mutex_init(&run.lock, NULL);
  int ok = 1;
  for (int i = 0; i < threads && ok; i++) ok = open_worker(&run.worker[i], def);
  artStatus status = ok ? farm_run(threads, def->ncase, work, &run, error) : base_no_memory(error);
  if (!status && run.error.status) {
    status = run.error.status;
    if (error) *error = run.error;
  }
  for (int i = 0; i < threads; i++) close_worker(&run.worker[i]);
  pthread_mutex_destroy(&run.lock);
  mem_free(run.worker);
  return status;
}
