// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cases of a sweep side by side on a device: threads read the models and find where they begin, kernels make the steps, and
// numbers of the host look at where they have come to.
//
// Kernels know the parameters that equations follow, and go across switching instants. Their states are compared, at the
// beginning with the accelerations of every case, at the end with its closed loops, and over all time with the same motion in
// other steps, and with runs of the first and the last case of each portion.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "articula/batch.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "base/unit.h"
#include "force/force.h"
#include "force/wheel_pace.h"
#include "gen/gen.h"
#include "model/model.h"
#include "par/parallel_for.h"
#include "study/study.h"
#include "study/sweep/batch_names.h"
#include "study/sweep/sweep_run.h"
#include "study/sweep/sweep_times.h"

enum { ON_GPU = 1 << 15, ON_EACH_THREAD = 64, PIECE = 512 }; // cases at a time; that a thread notes
enum { MAX_TURNS = 100000 }; // steps that are looked at for instants of samplers
enum { MAX_STOPS = 100000 }; // at which all cases of a portion end a step

#define NOISE      1e-12
#define UNIT_NOISE 1e-9 // of results of one unit, and of usual values in a motion

// of the tolerance of steps that results are compared with
#define LOOSER 10.0

// Accelerations at the beginning agree to this, relative to the largest; loops at the end, m or rad; results.
static const struct agreement {
  double accelerations, loops, results;
} agreement[ART_PRECISIONS] = {[ART_DOUBLE] = {1e-9, 1e-9, 1e-4},
                               [ART_FLOAT] = {1e-3, 1e-4, 1e-2},
                               [ART_MIXED] = {1e-3, 1e-9, 1e-2}};

// Vectors of all instances: where cases begin, and where they have come to.
enum { TIME, Q, V, S, U, P, A, END_Q, END_V, END_S, WORK, VECTORS, BEGIN = A };
static const artBatchVector vector_of[VECTORS] = {
    ART_BATCH_TIME,       ART_BATCH_POSITIONS,  ART_BATCH_VELOCITIES,    ART_BATCH_STATES,
    ART_BATCH_INPUTS,     ART_BATCH_PARAMETERS, ART_BATCH_ACCELERATIONS, ART_BATCH_POSITIONS,
    ART_BATCH_VELOCITIES, ART_BATCH_STATES,     ART_BATCH_WORK};

typedef enum motionSteps { USUAL, LONGER, SHORTER } motionSteps;

typedef struct deviceCase {
  long number;
  double rounding;     // of its accelerations at the beginning
  const char *why;     // it has to run by itself; NULL: it need not
  sweepDigest *digest; // [nresult]
  sweepDigest *other;  // the same of other steps
  int is_lost[2];      // it stopped, or its outputs are not finite, in either motion
  double explains;     // how far errors of steps let two runs of it be apart, as `apart` tells it
  artCertificate certificate;
  sweepTimes times; // what formulas of time do within its steps
} deviceCase;

typedef struct deviceSweep {
  sweepRun *run;
  const artSweepDef *def;
  int threads;
  artModel *m; // of the file with the fixed settings
  artRunDef study;
  double longest; // of the steps between two rows that samplers leave, the least of all cases
  artBatch *batch,
      *twin;     // the twin makes the second motion in parallel with the first one; NULL: after it
  long most;     // instances that there may be memory for
  long n, count; // instances; those that are cases, the others repeat one
  deviceCase *one;          // [n]
  sweepDigest *digest;      // [2 n nresult]
  motionSteps steps;        // of the motion at work
  double *vector[VECTORS];  // [width n]
  int jumps;                // of rates of drives
  double *held;             // [held n] numbers that instances hold at the end
  double *a;                // [nv n] accelerations at the beginning, by numbers
  double *y, *twin_y;       // [outputs n]
  double *twin_failure;     // [n]
  int *user;                // [parameters] their numbers in the model; -1: a constant
  int *rests;               // [n] instances that stay where they are
  double *size;             // [nresult] the largest of all
  double *of_unit;          // [nresult] of those with the unit of this one, ...
  int *unit;                // ... which is the first that has it
  baseDimension *dimension; // [nresult] of the unit
  long checked[2]; // the first and the last case among `one`; runs of these by themselves are ...
  long ran[2];     // ... made of these, -1: of none, ...
  double *there;   // ... and come to [2 nresult], with room for two more,
  double apart[2]; // and how far results are from them;
  long unseen[2];  // steps of these within which formulas of the motion did something unseen
  double row_time; // of the row that is noted
  int nstop;       // instants between rows at which steps end, for formulas of time
  double *stop;    // [nstop], by malloc
  double
      pace; // how many steps in a second wheels need in some case, where steps go by error; 0: any will do
  baseArena room; // of all of these
} deviceSweep;


static const struct agreement *agreed_precision(const deviceSweep *s)
{
  return &agreement[s->def->batch->precision];
}

//---- cases that can run --------------------------------------------------------------------------

static void check_device_study(const deviceSweep *s)
{
  const artRunDef *study = &s->study;
  const char *why = NULL;
  const int is_dopri5 =
      study->integrator == ART_DOPRI5 || study->integrator == ART_INTEGRATOR_AUTOMATIC;
  if (study->integrator != ART_RK4 && !is_dopri5) {
    why = "devices know the integrators rk4 and dopri5";
  } else if (study->integrator == ART_RK4 && !(study->step > 0)) {
    why = "steps of rk4 on a device need a length (--step)";
  } else if (!output_is_known(study)) {
    why = "rows that follow the motion are not for devices: choose an interval (--interval)";
  } else if (study->integrator == ART_RK4) {
    const long rows = art_output_count(study);
    for (long i = 1; i < rows && !why; i++) {
      const double steps = (art_output_time(study, i) - study->from) / study->step;
      if (!(fabs(steps - round(steps)) <= 1e-6)) {
        why = "rows have to fall on steps of rk4: choose an interval and an end that are multiples "
              "of the step";
      }
    }
  }
  if (!why) return;
  error_throw_at(ART_UNSUPPORTED, (artPlace){.file = s->def->path}, "%s; or leave out the device",
                 why);
}


//---- steps that samplers divide ------------------------------------------------------------------

static int has_shape(const artModel *a, const artModel *b)
{
  return a->tree.nq == b->tree.nq && a->tree.nv == b->tree.nv && a->nstate == b->nstate &&
         a->nheld == b->nheld && a->noutput == b->noutput && a->nparameter == b->nparameter;
}


// whether all cases have these rows and steps
static int has_study(const artRunDef *a, const artRunDef *b)
{
  return a->integrator == b->integrator && a->from == b->from && a->until == b->until &&
         a->step == b->step && a->interval == b->interval && a->tolerance == b->tolerance &&
         art_output_count(a) == art_output_count(b);
}


static int has_instants(const artModel *a, const artModel *b)
{
  for (int k = a->ninput; k < a->nheld; k++) {
    const modelHeld *x = &a->held[k], *y = &b->held[k];
    if (x->clock != y->clock || x->every != y->every || x->offset != y->offset) return 0;
  }
  return 1;
}


// The longest step between two rows, where it is least. Half of it divides a step between any two rows, wherever the instants of
// samplers fall. Rows that many steps lead to are like those before.
static double find_longest(const artModel *m, const artRunDef *study)
{
  const long rows = art_output_count(study);
  double least = study->step, t = study->from;
  int turns = 0;
  for (long i = 1; i < rows && turns < MAX_TURNS; i++) {
    const double to = art_output_time(study, i) - 1e-6 * study->step;
    double longest = 0;
    for (; t < to && turns < MAX_TURNS; turns++) {
      // where a step ends that begins at t
      const double behind = t + 1e-9 * study->step;
      double next = study->from + study->step * (floor((behind - study->from) / study->step) + 1);
      for (int k = m->ninput; k < m->nheld; k++) {
        const modelHeld *held = &m->held[k];
        if (held->clock < 0) continue;
        const double count = floor((behind - held->offset) / held->every) + 1;
        next = fmin(next, held->offset + held->every * fmax(count, 0));
      }
      longest = fmax(longest, next - t);
      t = next;
    }
    if (i == 1 || t >= to) least = fmin(least, longest);
  }
  return least;
}


typedef struct deviceLook {
  deviceSweep *s;
  double of_model; // the longest step of the model
  double *longest; // [threads]
} deviceLook;


static int look_at_case(void *context, int worker, long number)
{
  const deviceLook *look = context;
  const deviceSweep *s = look->s;
  artRunDef study;
  const artModel *m = sweep_model_of(s->def, &s->run->worker[worker], number);
  if (m && has_shape(s->m, m) && !sweep_choose_study(s->def, m, &study, NULL) &&
      has_study(&s->study, &study)) {
    const double own = has_instants(s->m, m) ? look->of_model : find_longest(m, &study);
    look->longest[worker] = fmin(look->longest[worker], own);
  }
  return !sweep_is_stopped(s->def);
}


//---- life ----------------------------------------------------------------------------------------

static void find_result_units(deviceSweep *s)
{
  const artResultDef *result = s->def->result;
  for (int k = 0; k < s->def->nresult; k++) {
    const char *unit = art_output_unit(s->m, result[k].output);
    baseUnit known;
    int i = 0;
    for (; i < k; i++) {
      const char *other = art_output_unit(s->m, result[i].output);
      if (strcmp(unit ? unit : "", other ? other : "") == 0) break;
    }
    s->unit[k] = i;
    s->dimension[k] =
        unit && !unit_parse(&known, unit, base_nowhere(), NULL) ? known.dimension : UNIT_ANY;
  }
}


static void take_device_room(deviceSweep *s)
{
  const artBatch *b = s->batch;
  baseArena *a = &s->room;
  const int np = art_batch_width(b, ART_BATCH_PARAMETERS), nresult = s->def->nresult;
  const long outputs = (art_batch_width(b, ART_BATCH_OUTPUTS) + 1) * s->n;
  for (int k = 0; k < VECTORS; k++) {
    ARENA_TAKE(a, s->vector[k], (art_batch_width(b, vector_of[k]) + 1) * s->n);
  }
  ARENA_TAKE(a, s->y, outputs);
  if (s->twin) {
    ARENA_TAKE(a, s->twin_y, outputs);
    ARENA_TAKE(a, s->twin_failure, s->n);
  }
  ARENA_TAKE(a, s->held, (batch_held_count(b) + 1) * s->n);
  ARENA_TAKE(a, s->size, nresult + 1);
  ARENA_TAKE(a, s->of_unit, nresult + 1);
  ARENA_TAKE(a, s->unit, nresult + 1);
  ARENA_TAKE(a, s->dimension, nresult + 1);
  ARENA_TAKE(a, s->there, 4 * nresult + 1);
  ARENA_TAKE(a, s->a, (s->m->tree.nv + 1) * s->n);
  ARENA_TAKE(a, s->one, s->n);
  ARENA_TAKE(a, s->digest, 2 * (nresult + 1) * s->n);
  ARENA_TAKE(a, s->user, np + 1);
  ARENA_TAKE(a, s->rests, s->n);
  find_result_units(s);
  for (int k = 0; k < np; k++) {
    const char *name = batch_user_name(b, k);
    s->user[k] = -1;
    for (int i = 0; name && i < s->m->nparameter; i++) {
      if (strcmp(s->m->parameter[i].name, name) == 0) s->user[k] = i;
    }
  }
}


// Steps of given length that are too long for wheels at this speed do not see their roads.
static void note_pace(const deviceSweep *s, deviceCase *one, double pace)
{
  const artRunDef *study = &s->study;
  if (study->integrator != ART_RK4 || !(pace * study->step > 1)) return;
  one->times.unseen = lround((study->until - study->from) / study->step);
}


static void free_times(deviceSweep *s)
{
  for (long i = 0; i < s->count; i++) times_free(&s->one[i].times);
  mem_free(s->stop);
  s->stop = NULL;
  s->nstop = 0;
}


static void give_room(deviceSweep *s)
{
  free_times(s);
  arena_free(&s->room);
  art_free_batch(s->twin);
  art_free_batch(s->batch);
}


static long count_left(const artSweepDef *def)
{
  long n = 0;
  for (long k = 0; k < def->ncase; k++) n += !def->is_done || !def->is_done[k];
  return n;
}


// As many instances as there is memory for. On a GPU few step by other kernels, to other last bits: there are as many
// where some cases are done.
static void open_sweep_batch(deviceSweep *s)
{
  artBatchDef def = *s->def->batch;
  artStatus status = ART_NO_MEMORY;
  def.counts_work = 1;
  def.share = 0;
  def.nown = s->def->nparameter;
  def.own = s->def->parameter;
  def.or_cpu = 0;
  def.threads = s->threads;
  const long cases = def.device == ART_GPU ? s->def->ncase : count_left(s->def);
  for (def.n = cases < s->most ? cases : s->most; def.n > 0 && status == ART_NO_MEMORY;
       def.n /= 2) {
    s->n = def.n;
    status = batch_create(&s->batch, s->m, &s->study, &def, s->def->nparameter, s->def->parameter,
                          error_current());
  }
  error_check(status);
  base_forget(error_current()); // of larger ones
  if (!s->def->once && s->n <= ON_GPU / 2) s->twin = batch_twin(s->batch);
}


static void count_drive_jump(void *jumps, const modelDrive *drive, double t, double jump)
{
  (void) drive, (void) t, (void) jump;
  ++*(int *) jumps;
}


// how often rates of drives jump, whose instants kernels have from the model alone; -1: that is not known
static int count_jumps(const deviceSweep *s, const artModel *m)
{
  int n = 0;
  if (m->ndrive == 0) return 0;
  artData *d = art_create_data(m);
  const artStatus status =
      d ? force_look_at_drives(m, d, s->study.from, s->study.until, count_drive_jump, &n, NULL)
        : ART_NO_MEMORY;
  art_free_data(d);
  return status ? -1 : n;
}


static void open_sweep(void *context)
{
  deviceSweep *s = context;
  const artSweepDef *def = s->def;
  s->most = def->batch->n > 0               ? def->batch->n
            : def->batch->device == ART_GPU ? ON_GPU
                                            : ON_EACH_THREAD * s->threads;
  error_check(art_load_model_with(&s->m, def->path, def->nfixed, def->fixed, error_current()));
  error_check(sweep_choose_study(def, s->m, &s->study, error_current()));
  check_device_study(s);
  open_sweep_batch(s);
  take_device_room(s);
  s->jumps = count_jumps(s, s->m);
  // all cases count, in other portions and at their ends as well: errors are the same in any portion
  const int is_asked = s->study.integrator == ART_RK4 && s->m->nclock > 0 && !s->def->once;
  s->longest = s->study.step;
  if (!is_asked) return;
  deviceLook look = {.s = s, .of_model = find_longest(s->m, &s->study)};
  ARENA_TAKE(&s->room, look.longest, s->threads);
  for (int k = 0; k < s->threads; k++) look.longest[k] = s->study.step;
  error_check(parallel_for(s->threads, s->def->ncase, look_at_case, &look, error_current()));
  for (int k = 0; k < s->threads; k++) s->longest = fmin(s->longest, look.longest[k]);
}

// Kernels need memory of their own when they are launched. Where that is missing, portions become smaller.
static void open_smaller(void *context)
{
  deviceSweep *s = context;
  const deviceSweep old = *s;
  give_room(s);
  s->count = 0;
  *s = (deviceSweep){.run = old.run,
                     .def = old.def,
                     .threads = old.threads,
                     .m = old.m,
                     .study = old.study,
                     .longest = old.longest,
                     .jumps = old.jumps,
                     .most = old.n / 2,
                     .room.leaves = 1};
  open_sweep_batch(s);
  take_device_room(s);
}

//---- the beginning of cases ----------------------------------------------------------------------

static void put_case_vector(const deviceSweep *s, int which, long i, const double *from)
{
  ART_ASSERT(which >= 0 && which < VECTORS && i >= 0 && i < s->n);
  const int width = art_batch_width(s->batch, vector_of[which]);
  for (int k = 0; k < width; k++) s->vector[which][k * s->n + i] = from[k];
}


static void take_case_vector(const deviceSweep *s, int which, long i, double *to)
{
  ART_ASSERT(which >= 0 && which < VECTORS && i >= 0 && i < s->n);
  const int width = art_batch_width(s->batch, vector_of[which]);
  for (int k = 0; k < width; k++) to[k] = s->vector[which][k * s->n + i];
}


// parameters that are not varied have the values of the model
static int shares_others(const deviceSweep *s, long i)
{
  const int np = art_batch_width(s->batch, ART_BATCH_PARAMETERS);
  for (int k = 0; k < np; k++) {
    const double x = s->vector[P][k * s->n + i];
    if (!batch_is_own(s->batch, k) && x != batch_constant(s->batch, k)) return 0;
  }
  return 1;
}


static const char FASTER[] = "its wheels have become faster than its steps allow";
static const char NO_ROOM[] = "there is no memory to look at its steps";


// a case that cannot begin runs by itself, which says why
static int open_one(void *context, int worker, long i)
{
  deviceSweep *s = context;
  sweepMember x = {0};
  deviceCase *one = &s->one[i];
  artStatus status =
      sweep_open_case(s->def, &s->run->worker[worker], one->number, SWEEP_ON_DEVICE, &x, NULL);
  if (!status) status = art_run_to(x.run, x.study.from, NULL);
  if (status != ART_OK) {
    one->why = "its beginning was not found";
  } else if (!has_study(&s->study, &x.study)) {
    one->why = "its study has other steps or rows than that of the model";
  } else if (!has_shape(s->m, x.m) || count_jumps(s, x.m) != s->jumps) {
    one->why = "it has other coordinates, outputs, parameters or jumps of drives than the model";
  } else {
    // numbers of a case that is at its beginning
    const artData *d = x.d;
    const int np = art_batch_width(s->batch, ART_BATCH_PARAMETERS), nv = s->m->tree.nv;
    put_case_vector(s, TIME, i, &d->time);
    put_case_vector(s, Q, i, d->q);
    put_case_vector(s, V, i, d->v);
    put_case_vector(s, S, i, d->s);
    put_case_vector(s, U, i, d->u);
    memcpy(s->a + i * nv, d->a, (size_t) nv * sizeof *d->a);
    for (int k = 0; k < np; k++) {
      s->vector[P][k * s->n + i] =
          s->user[k] < 0 ? batch_constant(s->batch, k) : x.m->parameter[s->user[k]].value;
    }
    if (!shares_others(s, i)) one->why = "a parameter differs there that is not varied";
    if (!times_find(&one->times, x.m, x.d, &s->study)) one->why = NO_ROOM;
    if (!one->why) one->why = one->times.why;
    note_pace(s, one, one->times.pace);
  }
  sweep_close_case(&x);
  return !sweep_is_stopped(s->def);
}


// Instants of all cases; the first that are too many for a portion run by themselves.
static void collect_stops(deviceSweep *s)
{
  size_t n = 0;
  mem_free(s->stop);
  s->stop = NULL;
  s->nstop = 0;
  s->pace = 0;
  for (long i = 0; i < s->count; i++) {
    deviceCase *one = &s->one[i];
    if (one->why) continue;
    s->pace = fmax(s->pace, one->times.pace);
    n += (size_t) one->times.count;
    if (n > MAX_STOPS) one->why = "formulas of time change at too many instants in all cases";
  }
  if (n == 0) return;
  s->stop = MEM_ARRAY(double, n);
  if (!s->stop) error_check(base_no_memory(error_current()));
  for (long i = 0; i < s->count; i++) {
    const sweepTimes *x = &s->one[i].times;
    for (int k = 0; k < x->count && !s->one[i].why; k++) s->stop[s->nstop++] = x->stop[k];
  }
  s->nstop = times_sort(s->nstop, s->stop);
}


// places without a case repeat one that has begun
static int fill_places(deviceSweep *s)
{
  long good = 0;
  while (good < s->count && s->one[good].why) good++;
  if (good == s->count) return 0;
  for (long i = 0; i < s->n; i++) {
    if (i < s->count && !s->one[i].why) continue;
    for (int which = 0; which < BEGIN; which++) {
      const int width = art_batch_width(s->batch, vector_of[which]);
      for (int k = 0; k < width; k++) {
        s->vector[which][k * s->n + i] = s->vector[which][k * s->n + good];
      }
    }
  }
  return 1;
}


static void set_instances(const deviceSweep *s, artBatch *batch)
{
  static const int order[] = {P, U, TIME, Q, V, S};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const artBatchVector v = vector_of[order[i]];
    if (art_batch_width(batch, v) == 0) continue;
    error_check(art_set_batch(batch, v, s->vector[order[i]], error_current()));
  }
}


//---- rows ----------------------------------------------------------------------------------------

static int note_some(void *context, int worker, long piece)
{
  deviceSweep *s = context;
  const artSweepDef *def = s->def;
  const long end = s->count < (piece + 1) * PIECE ? s->count : (piece + 1) * PIECE;
  (void) worker;
  for (long i = piece * PIECE; i < end; i++) {
    deviceCase *one = &s->one[i];
    if (one->why) continue;
    for (int k = 0; k < def->nresult; k++) {
      const double y = s->y[def->result[k].output * s->n + i];
      one->is_lost[s->steps != USUAL] |= !isfinite(y);
      sweep_add_row(s->steps ? &one->other[k] : &one->digest[k], s->row_time, y);
    }
  }
  return 1;
}


static void note_rows(deviceSweep *s, double t)
{
  const long pieces = (s->count + PIECE - 1) / PIECE;
  error_check(art_get_batch(s->batch, ART_BATCH_OUTPUTS, s->y, error_current()));
  s->row_time = t;
  error_check(parallel_for(pieces < s->threads ? (int) pieces : s->threads, pieces, note_some, s,
                           error_current()));
}


// Between two rows. Longer steps are twice as long, or nearly, shorter ones half as long. Where there is but one, or where samplers
// divide them, longer steps are half as long, and shorter ones a quarter.
static double count_steps(const deviceSweep *s, double from, double to)
{
  const double n = round((to - from) / s->study.step);
  if (s->steps == USUAL) return n;
  const int times = s->steps == SHORTER ? 2 : 1;
  if (s->m->nclock > 0) return ceil(2 * times * (to - from) / s->longest - 1e-6);
  if (n == 1) return 2 * times;
  return s->steps == SHORTER ? 2 * n : floor((n + 1) / 2);
}


static void advance_device_cases(deviceSweep *s, double from, double to)
{
  static const double times[] = {[USUAL] = 1, [LONGER] = LOOSER, [SHORTER] = 1 / LOOSER};
  const artRunDef *study = &s->study;
  if (study->integrator != ART_RK4) {
    const double first = study->step > 0 ? study->step : fmin(1e-3, 0.1 * (to - from));
    const double tolerance = fmin(study->tolerance * times[s->steps], 0.1);
    error_check(art_advance_batch(s->batch, to, first, tolerance, error_current()));
    return;
  }
  const double n = count_steps(s, from, to), step = s->steps ? (to - from) / n : study->step;
  if (!(n <= INT_MAX)) {
    error_refuse((artPlace){.file = s->def->path},
                 "%.1e steps between two rows are too many: choose longer steps, or longer "
                 "intervals of samplers",
                 n);
  }
  error_check(art_step_batch(s->batch, step, (int) n, error_current()));
}


// somebody may stop the work on a portion
static void leave_if_stopped(const deviceSweep *s)
{
  if (sweep_is_stopped(s->def))
    error_throw_at(ART_STOPPED, base_nowhere(), "the sweep was stopped");
}


// The same in steps that are short enough for wheels.
static void advance_by_pace(deviceSweep *s, double from, double to)
{
  const double n = s->study.integrator == ART_RK4 ? 1 : fmax(1, ceil((to - from) * s->pace));
  for (double k = 1; k < n; k++) {
    const double next = from + k * ((to - from) / n);
    leave_if_stopped(s);
    advance_device_cases(s, from + (k - 1) * ((to - from) / n), next);
  }
  advance_device_cases(s, from + (n - 1) * ((to - from) / n), to);
}


static void run_device_portion(void *context)
{
  deviceSweep *s = context;
  const long rows = art_output_count(&s->study);
  double t = s->study.from;
  int at = 0;
  note_rows(s, t);
  for (long k = 1; k < rows; k++) {
    const double next = art_output_time(&s->study, k);
    leave_if_stopped(s);
    for (; at < s->nstop && s->stop[at] < next; at++) {
      if (s->stop[at] <= t) continue;
      advance_by_pace(s, t, s->stop[at]);
      t = s->stop[at];
    }
    advance_by_pace(s, t, next);
    error_check(batch_come_to(s->batch, next, s->y, error_current()));
    t = next;
    note_rows(s, t);
  }
}


static void run_otherwise(deviceSweep *s, motionSteps steps)
{
  s->steps = steps;
  run_device_portion(s);
  s->steps = USUAL;
  error_check(art_get_batch(s->batch, ART_BATCH_FAILURES, s->vector[A], error_current()));
  for (long i = 0; i < s->count; i++) s->one[i].is_lost[1] |= s->vector[A][i] != 0;
}

//---- the end -------------------------------------------------------------------------------------

// The run's latches stand where an instance's do; `held` is the first number of the first one, the others of an instance lie n
// apart. Numbers of latches that are not engaged are zero.
static artStatus adopt_latches(const deviceSweep *s, const double *held, artRun *run)
{
  const artModel *m = run->model;
  const double *side = held + (batch_held_count(s->batch) - m->nlatch) * s->n;
  const double *hold = held + (m->nheld - m->ninput) * s->n;
  baseArena scratch = {0};
  int *mode = arena_alloc(&scratch, (size_t) m->nmode, sizeof *mode);
  double *holds = arena_alloc(&scratch, latch_count(m), sizeof *holds);
  if (mode && holds) memcpy(mode, run->d->work->mode, (size_t) m->nmode * sizeof *mode);
  for (int i = 0; i < m->nlatch && mode && holds; i++) {
    const int count = gen_hold_count(m->latch[i].type);
    const latchMode state = (latchMode) side[i * s->n];
    mode[m->latch[i].mode0 + LATCH_STATE] = (int) state;
    for (int k = 0; k < count && state == LATCH_ENGAGED; k++) {
      holds[LATCH_NUMBERS * i + k] = hold[k * s->n];
    }
    hold += count * s->n;
  }
  const artStatus status =
      mode && holds ? latch_load(run, mode, holds, NULL) : base_no_memory(NULL);
  arena_free(&scratch);
  return status;
}


// the run of a case at the end that the kernels have come to; whether its loops are closed there, too
static int adopt_device_end(const deviceSweep *s, long i, const sweepMember *x, double *y)
{
  artRun *run = x->run;
  artData *d = x->d;
  double work;
  take_case_vector(s, END_Q, i, d->q);
  take_case_vector(s, END_V, i, d->v);
  take_case_vector(s, END_S, i, d->s);
  take_case_vector(s, WORK, i, &work);
  for (int k = x->m->ninput; k < x->m->nheld; k++) {
    d->u[k] = s->held[(k - x->m->ninput) * s->n + i];
  }
  d->time = s->study.until;
  const int was_frozen = d->work->is_frozen;
  if (x->m->nlatch > 0 && adopt_latches(s, s->held + i, run) != ART_OK) return 0;
  d->work->is_frozen = 0; // laws and drives are on other pieces than at the beginning
  force_update(run->m, d);
  d->work->is_frozen = was_frozen;
  run_take_state(run, work, y);
  if (run_adopt(run, s->study.until, y, NULL) != ART_OK) return 0;
  if (x->m->nlatch > 0) latch_account_rows(run);
  for (int k = 0; k < x->m->tree.nq; k++) {
    if (!(fabs(d->q[k] - s->vector[END_Q][k * s->n + i]) <=
          agreed_precision(s)->loops * (1 + fabs(d->q[k]))))
      return 0;
  }
  return 1;
}


static void account_device_steps(const deviceSweep *s, artCertificate *c)
{
  const artRunDef *study = &s->study;
  if (study->integrator != ART_RK4) return;
  c->steps = lround((study->until - study->from) / study->step);
  c->evaluations = c->generated = 4 * c->steps;
  c->shortest_step = c->longest_step = study->step;
}


// the certificate of a case, from its beginning and its end
static int certify_one(void *context, int worker, long i)
{
  deviceSweep *s = context;
  deviceCase *one = &s->one[i];
  const treeModel *tree = &s->m->tree;
  const int n = tree->nq + tree->nv; // then room for the unknowns of its run
  double *begin = one->why ? NULL : MEM_ARRAY(double, 2 * n + s->m->nstate + 1);
  if (!begin && !one->why) one->why = "there is no memory to look at its end";
  if (!begin) return 1;
  sweepMember x = {.q = begin, .v = begin + tree->nq};
  take_case_vector(s, Q, i, begin);
  take_case_vector(s, V, i, begin + tree->nq);
  artStatus status =
      sweep_open_case(s->def, &s->run->worker[worker], one->number, SWEEP_ON_DEVICE, &x, NULL);
  if (!status) status = art_run_to(x.run, s->study.from, NULL);
  if (status || !adopt_device_end(s, i, &x, begin + n)) {
    one->why = "its loops close elsewhere";
  } else {
    one->certificate = art_certify(x.run);
    account_device_steps(s, &one->certificate);
    const double pace = force_wheel_pace(x.m, x.d);
    if (s->study.integrator != ART_RK4 && pace > 1.5 * s->pace) one->why = FASTER;
    note_pace(s, one, pace);
    one->certificate.unseen_steps = one->times.unseen;
    one->certificate.unproved_steps = one->times.unproved;
  }
  sweep_close_case(&x);
  mem_free(begin);
  return !sweep_is_stopped(s->def);
}


// instances that have stopped, and where the others are
static void end_portion(deviceSweep *s)
{
  static const int order[] = {END_Q, END_V, END_S, WORK};
  error_check(art_get_batch(s->batch, ART_BATCH_FAILURES, s->vector[A], error_current()));
  for (long i = 0; i < s->count; i++) {
    deviceCase *one = &s->one[i];
    if (one->is_lost[0] && !one->why) one->why = "an output is not finite there";
    if (s->vector[A][i] != 0) one->why = "it stopped there";
  }
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    error_check(art_get_batch(s->batch, vector_of[order[i]], s->vector[order[i]], error_current()));
  }
  error_check(batch_get_held(s->batch, s->held, error_current()));
  error_check(parallel_for(s->threads, s->count, certify_one, s, error_current()));
}

//---- comparison ----------------------------------------------------------------------------------

// into the values of the worker
static artCase result_by(const deviceSweep *s, const sweepWorker *w, long i, sweepDigest *digest)
{
  const deviceCase *one = &s->one[i];
  const sweepMember x = {.number = one->number, .digest = digest};
  artCase c = sweep_result(s->def, w, &x, &(artError){0});
  c.certificate = one->certificate;
  return c;
}


static artCase device_case_result(const deviceSweep *s, const sweepWorker *w, long i)
{
  return result_by(s, w, i, s->one[i].digest);
}


// Mass, length and time of a motion: what is usual in it has some 1 of these, as forces of mass length/time^2.
typedef struct usualNumbers {
  double mass, length, time;
} usualNumbers;


static double device_vector_size(v3 a)
{
  return sqrt(v3_dot(a, a));
}


// of a case: all its mass, the largest of its links and slides, and the time in which it falls or is driven as far
static usualNumbers find_usual(const deviceSweep *s, long i)
{
  const artModel *m = s->m;
  const treeModel *tree = &m->tree;
  usualNumbers x = {.time = s->study.until - s->study.from};
  double acceleration = device_vector_size(tree->gravity);
  for (int k = 1; k < tree->n; k++) {
    const treeLink *link = &tree->link[k];
    x.mass += link->mass;
    x.length = max_nan(x.length, device_vector_size(link->p));
    if (link->mass > 0) x.length = max_nan(x.length, device_vector_size(link->h) / link->mass);
  }
  for (int k = 0; k < tree->nq; k++) {
    if (m->position[k].dimension.m != 1) continue;
    x.length = max_nan(x.length, fabs(s->vector[Q][k * s->n + i]));
    x.length = max_nan(x.length, fabs(s->vector[END_Q][k * s->n + i]));
  }
  for (int k = 0; k < tree->nv; k++) {
    if (m->velocity[k].dimension.m != 1) continue;
    acceleration = max_nan(acceleration, fabs(s->a[i * tree->nv + k]));
  }
  if (acceleration > 0) x.time = fmin(x.time, sqrt(x.length / acceleration));
  return x;
}


// 0: nobody knows
static double usual_size(const usualNumbers *x, baseDimension d)
{
  if (d.any || d.A || d.K) return 0;
  const double size = pow(x->mass, d.kg) * pow(x->length, d.m) * pow(x->time, d.s);
  return isfinite(size) ? size : 0;
}


// Energies are compared with those at work, and what is small compared with all others, with others of its unit, or with what is usual,
// is rounding.
static void complete_sizes(const deviceSweep *s, double energy, const usualNumbers *usual,
                           double *size)
{
  const int n = s->def->nresult;
  double most = 0;
  for (int k = 0; k < n; k++) {
    const char *unit = art_output_unit(s->m, s->def->result[k].output);
    if (unit && strcmp(unit, "J") == 0) size[k] = max_nan(size[k], energy);
    most = max_nan(most, size[k]);
    s->of_unit[k] = 0;
  }
  for (int k = 0; k < n; k++) {
    double *largest = &s->of_unit[s->unit[k]];
    *largest = max_nan(*largest, size[k]);
  }
  for (int k = 0; k < n; k++) {
    const double others = s->of_unit[s->unit[k]], own = usual_size(usual, s->dimension[k]);
    size[k] = max_nan(size[k], NOISE * most);
    size[k] = max_nan(size[k], UNIT_NOISE * max_nan(others, own));
  }
}


// what errors of a case are compared with, whatever others there are: its results, and what its outputs are in the mean square
static void find_own_sizes(const deviceSweep *s, long i, const double *value, double *size)
{
  const deviceCase *one = &s->one[i];
  const usualNumbers usual = find_usual(s, i);
  for (int k = 0; k < s->def->nresult; k++) {
    const sweepDigest *d = &one->digest[k];
    const double duration = d->time - d->start;
    size[k] = max_nan(fabs(value[k]), duration > 0 ? sqrt(d->squares / duration) : 0);
  }
  complete_sizes(s, one->certificate.energy_scale, &usual, size);
}


static double result_distance(const deviceSweep *s, const double *size, const double *a,
                              const double *b)
{
  double largest = 0;
  for (int k = 0; k < s->def->nresult; k++) {
    const double e = fabs(a[k] - b[k]);
    largest = max_nan(largest, e > 0 && size[k] > 0 ? e / size[k] : e);
  }
  return largest;
}


// steps go across switching instants, which runs find
static int does_cross_switches(const deviceSweep *s)
{
  return s->m->nswitch > 0 && !s->def->batch->corners;
}


// The error of results as a part of what other steps change of them. With r the ratio of their lengths and an error of order p
// it is 1/|r^p - 1|: p is 4 of rk4, but 1 where steps go across switching instants, and 0 as it were where rounding of single
// precision counts; tolerances are followed less well.
static double part_of_change(const deviceSweep *s, motionSteps steps)
{
  const artRunDef *study = &s->study;
  if (study->integrator != ART_RK4 || s->def->batch->precision != ART_DOUBLE) return 1;
  const deviceSweep other = {.study = *study, .m = s->m, .steps = steps, .longest = s->longest};
  const double from = study->from, to = art_output_time(study, 1);
  const double r =
      (to - from) / count_steps(&other, from, to) / (s->m->nclock > 0 ? s->longest : study->step);
  return 1 / fabs(pow(r, does_cross_switches(s) ? 1 : 4) - 1);
}


static int is_rough(const deviceCase *one)
{
  return !one->why && !(one->certificate.step_error <= STUDY_RESULT_LIMIT);
}


// Changes of cases by other steps; by shorter ones, of the cases that longer ones spoke against.
static void find_step_errors(deviceSweep *s, motionSteps steps)
{
  const sweepWorker *w = &s->run->worker[0];
  double *there = s->there + 2 * s->def->nresult, *size = there + s->def->nresult;
  const double part = part_of_change(s, steps);
  for (long i = 0; i < s->count; i++) {
    deviceCase *one = &s->one[i];
    if (one->why || (steps == SHORTER && !is_rough(one))) continue;
    result_by(s, w, i, one->other);
    memcpy(there, w->value, (size_t) s->def->nresult * sizeof *there);
    device_case_result(s, w, i);
    find_own_sizes(s, i, w->value, size);
    one->certificate.step_error =
        one->is_lost[1] ? INFINITY : part * result_distance(s, size, w->value, there);
    one->explains =
        one->is_lost[1] ? INFINITY : 2 * part * result_distance(s, s->size, w->value, there);
  }
}


// Longer steps may be unstable where steps of the results are not: cases that they speak against move again in shorter ones, while all
// others rest.
static void look_closer(deviceSweep *s)
{
  long count = 0;
  for (long i = 0; i < s->n; i++) {
    deviceCase *one = &s->one[i];
    s->rests[i] = i >= s->count || !is_rough(one);
    if (s->rests[i]) continue;
    count++;
    one->is_lost[1] = 0;
    memset(one->other, 0, (size_t) s->def->nresult * sizeof *one->other);
  }
  if (count == 0) return;
  set_instances(s, s->batch);
  error_check(batch_stop(s->batch, s->rests, error_current()));
  run_otherwise(s, SHORTER);
  find_step_errors(s, SHORTER);
}


static void find_errors(deviceSweep *s)
{
  if (s->def->once) return;
  find_step_errors(s, LONGER);
  look_closer(s);
  for (long i = 0; i < s->count && does_cross_switches(s); i++) {
    if (is_rough(&s->one[i])) {
      s->one[i].why = "steps go across switching instants that matter, which --corners finds";
    }
  }
}


// the first and the last case that ran to the end, the same where there is one; how many there are
static int choose_checked(deviceSweep *s)
{
  long first = 0, last = s->count - 1;
  while (first < s->count && s->one[first].why) first++;
  while (last > first && s->one[last].why) last--;
  s->checked[0] = first;
  s->checked[1] = last;
  s->apart[0] = s->apart[1] = NAN;
  return first == s->count ? 0 : 1 + (last > first);
}


// piece 0 is the first case, 1 the last one, by itself; once
static int run_checked(deviceSweep *s, int worker, long piece)
{
  sweepWorker *w = &s->run->worker[worker];
  const long i = s->checked[piece];
  artCase c;
  if (s->ran[piece] == i) return 1;
  if (!sweep_run_alone(s->def, w, s->one[i].number, &c)) return 0;
  memcpy(s->there + piece * s->def->nresult, w->value, (size_t) s->def->nresult * sizeof *w->value);
  if (c.error.status) return 1;
  s->ran[piece] = i;
  s->unseen[piece] = s->one[i].times.unseen > 0 ? 0 : c.certificate.unseen_steps;
  return 1;
}


static int compare_one(void *context, int worker, long piece)
{
  deviceSweep *s = context;
  sweepWorker *w = &s->run->worker[worker];
  const long i = s->checked[piece];
  if (!run_checked(s, worker, piece)) return 0;
  device_case_result(s, w, i);
  if (s->ran[piece] == i) {
    s->apart[piece] = result_distance(s, s->size, w->value, s->there + piece * s->def->nresult);
  }
  return 1;
}


static artStatus choose_finer(void *context, const artModel *m, artRunDef *study, artError *error)
{
  const deviceSweep *s = context;
  const artStatus status = sweep_choose_study(s->def, m, study, error);
  study->step /= 2;
  study->tolerance /= LOOSER;
  return status;
}


static int is_device_stopped(void *context)
{
  const deviceSweep *s = context;
  return sweep_is_stopped(s->def);
}


// The error of the steps of a run by itself, from another one in shorter steps; a run that these stop explains nothing, one that is
// stopped by somebody all.
static double error_of_run(deviceSweep *s, int piece)
{
  ART_ASSERT(piece == 0 || piece == 1);
  sweepWorker *w = &s->run->worker[0];
  artSweepDef def = *s->def;
  artCase c;
  def.choose = choose_finer;
  def.is_stopped = is_device_stopped;
  def.context = s;
  const int is_whole = sweep_run_alone(&def, w, s->one[s->checked[piece]].number, &c);
  if (!is_whole) return INFINITY;
  if (c.error.status) return 0;
  return result_distance(s, s->size, w->value, s->there + piece * s->def->nresult);
}


// How much farther two runs are apart than errors of both of their steps explain, which are known to a factor of two; 0: they are not.
static double unexplained_distance(deviceSweep *s, int piece)
{
  ART_ASSERT(piece == 0 || piece == 1);
  const double apart = s->apart[piece];
  if (!(apart > agreed_precision(s)->results)) return 0; // or no case is left to check
  const double own = s->one[s->checked[piece]].explains;
  if (apart <= own) return 0;
  return s->def->once || apart > own + 2 * error_of_run(s, piece) ? apart : 0;
}


static void compare_results(deviceSweep *s)
{
  // the largest of each result
  const sweepWorker *w = &s->run->worker[0];
  const int n = s->def->nresult;
  usualNumbers usual = {.time = HUGE_VAL};
  double energy = 0;
  memset(s->size, 0, (size_t) n * sizeof *s->size);
  for (long i = 0; i < s->count; i++) {
    if (s->one[i].why) continue;
    energy = max_nan(energy, device_case_result(s, w, i).certificate.energy_scale);
    for (int k = 0; k < n; k++) s->size[k] = max_nan(s->size[k], fabs(w->value[k]));
    const usualNumbers own = find_usual(s, i);
    usual.mass = own.mass;
    usual.length = max_nan(usual.length, own.length);
    usual.time = fmin(usual.time, own.time);
  }
  complete_sizes(s, energy, &usual, s->size);
  find_errors(s);
  error_check(
      parallel_for(s->threads < 2 ? 1 : 2, choose_checked(s), compare_one, s, error_current()));
  const double apart = fmax(unexplained_distance(s, 0), unexplained_distance(s, 1));
  if (apart == 0) return;
  error_throw_at(
      ART_UNSUPPORTED, (artPlace){.file = s->def->path},
      "results on %s differ by %.1e of their size from results of a run by itself: the motion "
      "has switching instants that matter, or doubles every difference; choose shorter "
      "steps, or leave out the device",
      art_batch_info(s->batch).name, apart);
}

//---- all -----------------------------------------------------------------------------------------

static int hand_over_one(void *context, int worker, long i)
{
  deviceSweep *s = context;
  sweepRun *run = s->run;
  sweepWorker *w = &run->worker[worker];
  artCase c;
  if (s->one[i].why) {
    if (!sweep_run_alone(s->def, w, s->one[i].number, &c)) return 0;
    c.aside = s->one[i].why;
  } else {
    c = device_case_result(s, w, i);
    c.device = art_batch_info(s->batch).name;
    c.rounding = s->one[i].rounding;
    // the host looks at formulas of time in all cases, and at those of the motion in these two
    for (int k = 0; k < 2; k++) {
      if (s->unseen[k] > c.certificate.unseen_steps) c.certificate.unseen_steps = s->unseen[k];
    }
    if (i == s->checked[0]) c.apart = s->apart[0];
    if (i == s->checked[1] && i > s->checked[0]) c.apart = s->apart[1];
  }
  return sweep_hand_over(run, &c);
}


// both motions, of which the second is the twin's
typedef struct deviceWork {
  deviceSweep *s;
  artError error[2];
} deviceWork;


static void run_twin(void *context)
{
  deviceSweep other = *(const deviceSweep *) context;
  other.batch = other.twin;
  other.y = other.twin_y;
  other.vector[A] = other.twin_failure;
  run_otherwise(&other, LONGER);
}


// the steps of all cases, or a run that they are compared with
static int work_on_piece(void *context, int worker, long piece)
{
  deviceWork *work = context;
  const int motions = work->s->twin ? 2 : 1;
  if (piece >= motions) return run_checked(work->s, worker, piece - motions);
  return !error_try(piece > 0 ? run_twin : run_device_portion, work->s, &work->error[piece]);
}


static void work_portion(void *context)
{
  deviceSweep *s = context;
  error_check(parallel_for(s->threads, s->count, open_one, s, error_current()));
  leave_if_stopped(s);
  collect_stops(s);
  if (!fill_places(s)) return;
  set_instances(s, s->batch);
  error_check(art_get_batch(s->batch, ART_BATCH_ACCELERATIONS, s->vector[A], error_current()));
  for (long i = 0; i < s->count; i++) {
    if (s->one[i].why) continue;
    deviceCase *one = &s->one[i];
    const int nv = s->m->tree.nv;
    one->rounding = study_acceleration_error(nv, s->a + i * nv, 1, s->vector[A] + i, s->n);
    if (!(one->rounding <= agreed_precision(s)->accelerations)) {
      one->why = "its accelerations are others there";
    }
  }
  // motions begin alike, be the second one that of the twin or not: accelerations have closed the loops once more
  if (!s->def->once) set_instances(s, s->twin ? s->twin : s->batch);
  if (!s->def->once && !s->twin) run_otherwise(s, LONGER);
  set_instances(s, s->batch);
  // in parallel with the kernels, where there are threads
  deviceWork work = {.s = s};
  s->ran[0] = s->ran[1] = -1;
  const int pieces = (s->twin ? 2 : 1) + choose_checked(s);
  const int threads = s->threads < pieces ? s->threads : pieces;
  error_check(parallel_for(threads, pieces, work_on_piece, &work, error_current()));
  for (int i = 0; i < 2; i++) {
    if (work.error[i].status) *error_current() = work.error[i];
    error_check(work.error[i].status);
  }
  end_portion(s);
  leave_if_stopped(s);
  compare_results(s);
  leave_if_stopped(s);
}


artStatus sweep_on_device(sweepRun *run, int threads, artError *error)
{
  deviceSweep s = {.run = run, .def = run->def, .threads = threads, .room.leaves = 1};
  int is_whole = 1;
  long next = 0;
  if (count_left(run->def) == 0) return ART_OK;
  artStatus status = error_try(open_sweep, &s, error);
  while (!status && is_whole) {
    const long first = next;
    // cases from *next on that are left, as many as there are instances
    const artSweepDef *def = s.def;
    free_times(&s);
    s.count = 0;
    for (; next < def->ncase && s.count < s.n; ++next) {
      if (def->is_done && def->is_done[next]) continue;
      sweepDigest *digest = s.digest + 2 * s.count * (def->nresult + 1);
      s.one[s.count] =
          (deviceCase){.number = next, .digest = digest, .other = digest + def->nresult + 1};
      s.count++;
    }
    memset(s.digest, 0, (size_t) (2 * s.n * (def->nresult + 1)) * sizeof *s.digest);
    if (s.count == 0) break;
    status = error_try(work_portion, &s, error);
    if (status == ART_NO_MEMORY && s.n > 1) {
      next = first;
      base_forget(error);
      status = error_try(open_smaller, &s, error);
      continue;
    }
    if (!status) status = parallel_for(s.threads, s.count, hand_over_one, &s, error);
    is_whole = !run->error.status && !sweep_is_stopped(s.def);
  }
  if (status == ART_STOPPED) base_forget(error);
  give_room(&s);
  art_free_model(s.m);
  return status == ART_STOPPED ? ART_OK : status;
}
