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

#include "articula/batch.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "model/model.h"
#include "num/dense.h"
#include "par/parallel_for.h"
#include "par/wait.h"
#include "study/sweep/sweep_lanes.h"


//---- digests -------------------------------------------------------------------------------------

void sweep_add_row(sweepDigest *d, double t, double x)
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
  case ART_FINAL: return d->last;
  case ART_MIN: return d->least;
  case ART_MAX: return d->largest;
  case ART_MEAN: return duration > 0 ? d->sum / duration : d->last;
  case ART_RMS: return duration > 0 ? sqrt(d->squares / duration) : fabs(d->last);
  default: return NAN;
  }
}


//---- one case ------------------------------------------------------------------------------------

int sweep_is_stopped(const artSweepDef *def)
{
  return def->is_stopped && def->is_stopped(def->context);
}


// asked before every step
static int is_sweep_paused(void *def)
{
  return sweep_is_stopped(def);
}


artStatus sweep_choose_study(const artSweepDef *def, const artModel *m, artRunDef *study,
                             artError *error)
{
  if (def->choose) return def->choose(def->context, m, study, error);
  const artRunDef *found = art_find_run(m, NULL);
  *study = found ? *found : art_default_run();
  return ART_OK;
}


static artStatus check_sweep_outputs(const artSweepDef *def, const artModel *m, artError *error)
{
  for (int i = 0; i < def->nresult; i++) {
    if (def->result[i].output < art_count(m).outputs) continue;
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = def->path},
                     "this case has %d outputs, the result asks for number %d",
                     art_count(m).outputs, def->result[i].output + 1);
  }
  return ART_OK;
}


static int make_output_room(sweepWorker *w, int noutput)
{
  if (noutput <= w->noutput) return 1;
  mem_free(w->output);
  w->output = MEM_ARRAY(double, noutput);
  w->noutput = w->output ? noutput : 0;
  return w->output != NULL;
}


// the model of a case, with the functions that it calls
static artStatus load_case(const artSweepDef *def, sweepWorker *w, sweepMember *x, artError *error)
{
  const double *value = def->value + x->number * def->nparameter;
  for (int k = 0; k < def->nparameter; k++) {
    w->setting[k] = (artSetting){def->parameter[k], value[k]};
  }
  for (int k = 0; k < def->nfixed; k++) w->setting[def->nparameter + k] = def->fixed[k];
  const int n = def->nparameter + def->nfixed;
  artStatus status = art_load_model_with(&x->m, def->path, n, w->setting, error);
  for (int i = 0; i < def->nlibrary && status == ART_OK; i++) {
    status = art_attach_library(x->m, def->library[i], error);
  }
  return status;
}


static artStatus lend_case(const artSweepDef *def, sweepWorker *w, sweepMember *x, artError *error)
{
  artStatus status = ART_OK;
  // The model that a worker has already read gets the parameters of this case, which takes a seventh of the time; where that
  // fails, it is read anew.
  const long number = x->number;
  ART_ASSERT(number >= 0 && number < def->ncase);
  const double *value = def->value + number * def->nparameter;
  int is_changed = w->m != NULL;
  for (int k = 0; k < def->nparameter && is_changed; k++) {
    is_changed = art_find_parameter(w->m, def->parameter[k]) >= 0 &&
                 art_set_parameter(w->m, def->parameter[k], value[k], NULL) == ART_OK;
  }
  if (!is_changed) {
    art_free_model(w->m);
    w->m = NULL;
    status = load_case(def, w, x, error);
    if (status == ART_OK) w->m = x->m;
    if (status != ART_OK) art_free_model(x->m);
  }
  x->m = w->m;
  x->is_lent = 1;
  return status;
}


const artModel *sweep_model_of(const artSweepDef *def, sweepWorker *w, long number)
{
  sweepMember x = {.number = number};
  return lend_case(def, w, &x, NULL) == ART_OK ? x.m : NULL;
}


artStatus sweep_open_case(const artSweepDef *def, sweepWorker *w, long number, sweepWay way,
                          sweepMember *x, artError *error)
{
  ART_ASSERT(number >= 0 && number < def->ncase);
  *x = (sweepMember){
      .number = number, .digest = MEM_ARRAY(sweepDigest, def->nresult + 1), .q = x->q, .v = x->v};
  artStatus status = !x->digest               ? base_no_memory(error)
                     : way == SWEEP_ON_DEVICE ? lend_case(def, w, x, error)
                                              : load_case(def, w, x, error);
  if (status != ART_OK) return status;
  const artModel *m = x->m;
  artRunDef *study = &x->study;
  artData *d = x->d = art_create_data(m);
  status = d ? sweep_choose_study(def, m, study, error) : base_no_memory(error);
  if (!status && way == SWEEP_IN_LANE && (!lanes_suit(study) || m->nclock > 0)) {
    return ART_UNSUPPORTED;
  }
  if (way != SWEEP_ALONE) study->backend = ART_BACKEND_NUMERIC;
  if (!status) status = check_sweep_outputs(def, m, error);
  if (!status && !make_output_room(w, art_count(m).outputs)) status = base_no_memory(error);
  if (!status && x->q) {
    d->time = study->from;
    memcpy(d->q, x->q, (size_t) m->tree.nq * sizeof *d->q);
    memcpy(d->v, x->v, (size_t) m->tree.nv * sizeof *d->v);
  } else if (!status && study->start.at_equilibrium) {
    d->time = study->from;
    status = art_find_start(m, d, &study->start, NULL, NULL, error);
  }
  return status ? status : art_create_run(&x->run, m, d, study, error);
}


void sweep_close_case(sweepMember *x)
{
  gen_free(x->program);
  art_free_run(x->run);
  art_free_data(x->d);
  if (!x->is_lent) art_free_model(x->m);
  mem_free(x->digest);
}


void sweep_note_row(const artSweepDef *def, sweepWorker *w, const sweepMember *x, double t)
{
  art_outputs(x->m, x->d, w->output);
  run_note_outputs(x->run, w->output);
  for (int i = 0; i < def->nresult; i++) {
    sweep_add_row(&x->digest[i], t, w->output[def->result[i].output]);
  }
}


// all rows; *is_whole: nobody stopped it
static artStatus advance_sweep_case(const artSweepDef *def, sweepWorker *w, const sweepMember *x,
                                    int *is_whole, artError *error)
{
  const artRunDef *study = &x->study;
  artRun *run = x->run;
  artStatus status = ART_OK;
  *is_whole = 0;
  run->pauses = run->ends = is_sweep_paused;
  run->pauser = (void *) def;
  for (int has_begun = 0; !has_begun || x->d->time < study->until; has_begun = 1) {
    if (sweep_is_stopped(def)) return ART_OK;
    status = has_begun ? art_run_next(run, study, error) : art_run_to(run, study->from, error);
    if (status == ART_STOPPED) return ART_OK;
    if (status) break;
    sweep_note_row(def, w, x, x->d->time);
  }
  *is_whole = 1;
  return status;
}


artCase sweep_result(const artSweepDef *def, const sweepWorker *w, const sweepMember *x,
                     const artError *error)
{
  artCase c = {.number = x->number,
               .parameter = def->value + x->number * def->nparameter,
               .value = w->value,
               .error = *error,
               .apart = NAN};
  if (x->run) c.certificate = art_certify(x->run);
  for (int i = 0; i < def->nresult; i++) {
    w->value[i] = error->status ? NAN : digest_value(&x->digest[i], def->result[i].digest);
  }
  return c;
}


//---- all cases -----------------------------------------------------------------------------------

int sweep_hand_over(sweepRun *run, const artCase *c)
{
  pthread_mutex_lock(&run->lock);
  artCase told = *c;
  if (run->aside) told.aside = run->aside;
  run->is_begun = 1;
  if (!run->error.status) run->def->done(run->def->context, &told, &run->error);
  const int goes_on = !run->error.status;
  pthread_mutex_unlock(&run->lock);
  return goes_on;
}


int sweep_run_alone(const artSweepDef *def, sweepWorker *w, long number, artCase *c)
{
  sweepMember x = {0};
  artError error = {0};
  const artStatus status = sweep_open_case(def, w, number, SWEEP_ALONE, &x, &error);
  int is_whole = status != ART_STOPPED;
  if (!status) advance_sweep_case(def, w, &x, &is_whole, &error);
  *c = sweep_result(def, w, &x, &error);
  sweep_close_case(&x);
  return is_whole;
}


// returns whether to go on
static int work_alone(sweepRun *run, sweepWorker *w, long number)
{
  artCase c;
  return sweep_run_alone(run->def, w, number, &c) && sweep_hand_over(run, &c);
}


//---- cases side by side --------------------------------------------------------------------------

// cases of one build in lanes; the ones that have to run alone after all are no longer ready
static int run_group(sweepRun *run, sweepWorker *w, int n, sweepMember *const *member)
{
  int goes_on = 1;
  lanes_run(run, w, n, member);
  if (sweep_is_stopped(run->def)) return 0;
  for (int k = 0; k < n && goes_on; k++) {
    member[k]->is_ready = 0;
    if (member[k]->is_out) {
      goes_on = work_alone(run, w, member[k]->number);
      continue;
    }
    artCase c = sweep_result(run->def, w, member[k], &(artError){0});
    c.lanes = lanes_count();
    goes_on = sweep_hand_over(run, &c);
  }
  return goes_on;
}


static int run_members(sweepRun *run, sweepWorker *w, int n, sweepMember *member)
{
  ART_ASSERT(n >= 1 && n <= SWEEP_MOST_LANES);
  int goes_on = 1;
  for (int i = 0; i < n && goes_on; i++) {
    sweepMember *group[SWEEP_MOST_LANES];
    int count = 0;
    if (!member[i].is_ready) continue;
    for (int k = i; k < n; k++) {
      if (member[k].is_ready && member[k].build == member[i].build) group[count++] = &member[k];
    }
    goes_on = run_group(run, w, count, group);
  }
  return goes_on;
}


static int work_together(sweepRun *run, sweepWorker *w, int n, const long *number)
{
  sweepMember member[SWEEP_MOST_LANES] = {0};
  int goes_on = 1;

  // whatever goes wrong here goes wrong again when the case runs alone, which says why
  for (int k = 0; k < n; k++) {
    const artStatus status =
        sweep_open_case(run->def, w, number[k], SWEEP_IN_LANE, &member[k], NULL);
    member[k].is_ready = status == ART_OK && lanes_open(&member[k]);
  }
  for (int k = 0; k < n && goes_on; k++) {
    if (!member[k].is_ready) goes_on = work_alone(run, w, number[k]);
  }
  if (goes_on) goes_on = run_members(run, w, n, member);
  for (int k = 0; k < n; k++) sweep_close_case(&member[k]);
  return goes_on;
}


static int work_on_cases(void *context, int worker, long piece)
{
  sweepRun *run = context;
  const artSweepDef *def = run->def;
  long number[SWEEP_MOST_LANES];
  int n = 0;
  for (long k = piece * run->width; k < def->ncase && k < (piece + 1) * run->width; k++) {
    if (!def->is_done || !def->is_done[k]) number[n++] = k;
  }
  if (sweep_is_stopped(def)) return 0;
  sweepWorker *w = &run->worker[worker];
  if (run->width > 1) return n == 0 || work_together(run, w, n, number);
  return n == 0 || work_alone(run, w, number[0]);
}


// lanes are tried where the model as it is asks for them
static int find_width(const artSweepDef *def)
{
  artModel *m = NULL;
  artRunDef study;
  const int is_readable =
      art_load_model_with(&m, def->path, def->nfixed, def->fixed, NULL) == ART_OK &&
      sweep_choose_study(def, m, &study, NULL) == ART_OK;
  const int width = is_readable && lanes_suit(&study) ? lanes_count() : 1;
  art_free_model(m);
  return width;
}


static artStatus check_sweep(const artSweepDef *def, artError *error)
{
  const artPlace here = base_nowhere();
  if (!def->path || !def->done) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the sweep has no model file or no function 'done'");
  }
  if (def->nparameter < 0 || (def->nparameter > 0 && !def->parameter) || def->ncase < 0 ||
      (def->ncase > 0 && def->nparameter > 0 && !def->value)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the sweep has %ld cases of %d parameters, without their names or values",
                     def->ncase, def->nparameter);
  }
  if (def->nfixed < 0 || (def->nfixed > 0 && !def->fixed)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the sweep has %d fixed settings, which are missing", def->nfixed);
  }
  for (int i = 0; i < def->nfixed; i++) {
    for (int k = 0; k < def->nparameter; k++) {
      if (!def->fixed[i].name || strcmp(def->fixed[i].name, def->parameter[k]) != 0) continue;
      return base_fail(error, ART_BAD_INPUT, here,
                       "'%.60s' is set and varied, expected one of the two", def->fixed[i].name);
    }
  }
  if (def->nlibrary < 0 || (def->nlibrary > 0 && !def->library)) {
    return base_fail(error, ART_BAD_INPUT, here, "the sweep has %d libraries, which are missing",
                     def->nlibrary);
  }
  if (def->nresult < 0 || (def->nresult > 0 && !def->result)) {
    return base_fail(error, ART_BAD_INPUT, here, "the sweep has %d results, which are missing",
                     def->nresult);
  }
  for (int k = 0; k < def->nresult; k++) {
    const artResultDef *r = &def->result[k];
    if ((unsigned) r->digest < ART_DIGESTS && r->output >= 0) continue;
    return base_fail(error, ART_BAD_INPUT, here,
                     "result %d is digest number %d of output number %d, which there are not",
                     k + 1, (int) r->digest, r->output);
  }
  return ART_OK;
}


// on a device where that is asked for; in the ordinary way where it cannot be and that will do
static artStatus run_all_cases(sweepRun *run, int threads, long pieces, artError *error)
{
  const artSweepDef *def = run->def;
  artError why = {0};
  if (!def->batch) return parallel_for(threads, pieces, work_on_cases, run, error);
  const artStatus status = sweep_on_device(run, threads, &why);
  if (status == ART_OK || !def->batch->or_cpu || run->is_begun || run->error.status) {
    if (error) *error = why;
    return status;
  }
  run->aside = why.text;
  return parallel_for(threads, pieces, work_on_cases, run, error);
}


artStatus art_run_sweep(const artSweepDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(def, error);
  artStatus status = check_sweep(def, error);
  if (status != ART_OK) return status;
  const int width = def->batch ? 1 : find_width(def);
  const long pieces = def->ncase / width + (def->ncase % width > 0);
  int threads = def->threads > 0 ? def->threads : par_cores();
  if (threads > pieces) threads = pieces > 0 ? (int) pieces : 1;
  sweepRun run = {.def = def, .worker = MEM_ARRAY(sweepWorker, threads), .width = width};
  if (!run.worker) return base_no_memory(error);
  num_use_one_thread();
  pthread_mutex_init(&run.lock, NULL);
  pthread_mutex_init(&run.making, NULL);
  int ok = 1;
  for (int i = 0; i < threads && ok; i++) {
    sweepWorker *w = &run.worker[i];
    w->setting = MEM_ARRAY(artSetting, def->nparameter + def->nfixed + 1);
    w->value = MEM_ARRAY(double, def->nresult + 1);
    ok = w->setting && w->value;
  }
  status = ok ? run_all_cases(&run, threads, pieces, error) : base_no_memory(error);
  if (!status && run.error.status) {
    status = run.error.status;
    if (error) *error = run.error;
  }
  for (int i = 0; i < threads; i++) {
    sweepWorker *w = &run.worker[i];
    art_free_model(w->m);
    mem_free(w->setting);
    mem_free(w->value);
    mem_free(w->output);
    lanes_free_code(w->code);
  }
  pthread_mutex_destroy(&run.lock);
  pthread_mutex_destroy(&run.making);
  mem_free(run.worker);
  return status;
}
