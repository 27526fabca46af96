// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs of machines with locks, latches and ropes. Coordinates are the same whatever is engaged, so the unknowns of a
// run are, too: where the modes of latches change it switches to another variant of its model, and everything
// that a method keeps is made anew for that.
//
// Rows that are added stop the velocities along them as a impact does that has no rebound,
//   M (v1 - v0) + Phi_q^T p = 0,    Phi_q v1 = 0,
// with all rows of the new variant: v1 is the projection of v0 in the norm of M. With w the velocities that drives ask
// for while all free ones are zero it is
//   v1 = w + R (R^T M R)^-1 R^T M (v0 - w),
// the accelerations that joint forces M (v0 - w) cause, and so every method has it already:
//   v1 = w + (a(f + s M (v0 - w)) - a(f)) / s,
// with s so large that nothing of a(f) is left in v1 but its rounding. Impulses p are found from multipliers in
// the same way. A rope cannot push: one whose impulse would is slack after the impact, which is found again without
// it. Kinetic energy is lost; that is work of the account. Blows of drives are found in the same way where
// ropes are taut, with v0 before the rates of drives have jumped.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/pool.h"
#include "force/force.h"
#include "loop/loop.h"
#include "loop/rows.h"
#include "method/method.h"
#include "study/run/run.h"

static const double SHARPNESS = 0x1p40; // 1/s

// This many changes, each within this fraction of the study after the last one, have no end.
enum { MAX_SWITCHES = 100 };
static const double AT_ONCE = 1e-6;

// of the length of a rope that becomes taut, of the largest velocity, and of the largest momentum: what counts as
// nothing; of its length, by how much a rope is longer that was slack and stretches, half of what force/ lets it
static const double ROPE_OFF = 1e-6, STOPPED = 1e-9, UNTOUCHED = 1e-12, STRETCHED = 5e-8;


// first blocks of the arenas of a method, in bytes
enum { METHOD_BLOCKS = 1 << 16 };


artStatus latch_check(const artModel *m, const artRunDef *study, artError *error)
{
  const artPlace here = m->latch[0].place;
  if (!model_method_has((int) study->method, METHOD_LOOPS)) {
    char others[MODEL_METHODS_LENGTH];
    return base_fail(error, ART_BAD_INPUT, here,
                     "method %s is for machines without closed loops, and '%s' closes one where it "
                     "engages; use %s",
                     art_method_name(study->method), m->latch[0].name,
                     model_method_list(METHOD_LOOPS, METHOD_TREES, "or", others));
  }
  if (study->independent && study->independent[0]) {
    return base_fail(error, ART_UNSUPPORTED, here,
                     "independent coordinates are given by hand, but their number changes where "
                     "'%s' engages; leave out 'independent'",
                     m->latch[0].name);
  }
  return ART_OK;
}


//---- variants ------------------------------------------------------------------------------------

// forces and multipliers at the state of the data, for conditions that read them
static void find_latch_forces(const artModel *m, artData *d)
{
  if (method_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK) method_need_forces(m, d);
}


void latch_begin(artRun *run)
{
  run->d->work->force->find_forces = find_latch_forces;
  force_reset_latches(run->m, run->d);
}


void latch_begin_at(artRun *run)
{
  const size_t nq = (size_t) run->m->tree.nq;
  run->switched = run->d->time;
  if (nq > 0) memcpy(run->q_switched, run->d->q, nq * sizeof *run->q_switched);
}


// all that the run has of its present variant
static void free_variant(artRun *run, artWorkspace *work)
{
  memPool *outer = pool_use(run->variants[run->turn]);
  const int is_free = work == run->first_work || data_free_work(work);
  if (is_free) model_free_variant(run->variant);
  pool_use(outer);

  // threads that have stalled may come back to it
  if (!is_free) run->variants[run->turn] = NULL;
}


// the data works with `work` for `variant` from now on, which the run owns and the other pool holds
static artStatus take_run_variant(artRun *run, artModel *variant, artWorkspace *work,
                                  artError *error)
{
  artWorkspace *old = run->d->work;
  work->force->ramp = run->d->work->force->ramp;
  run->d->work = work;
  const artStatus status = run->backend ? run->backend->hand_over(old, run->d, error) : ART_OK;
  free_variant(run, old);
  run->turn = !run->turn;
  run->variant = variant;
  run->m = variant;
  run->settled_time = -HUGE_VAL;
  run_choose_ways(run, &run->study);
  return status;
}


// A variant and its work, with that of its method to come, in a pool.
static artStatus make_variant(const artRun *run, memPool *pool, const int *engaged,
                              const double *holds, artModel **variant, artWorkspace **work,
                              artError *error)
{
  if (!pool) return base_no_memory(error);
  pool_clear(pool);
  memPool *outer = pool_use(pool);
  artStatus status = model_create_variant(variant, run->model, engaged, holds, error);
  *work = status == ART_OK ? loop_create_work(run->model, *variant) : NULL;
  struct methodWork *method = *work ? method_work(&(artData){.work = *work}) : NULL;
  if (method) {
    method->arena.source = method->changing.source = pool_source(pool);
  } else if (status == ART_OK) {
    data_free_work(*work);
    model_free_variant(*variant);
    status = base_no_memory(error);
  }
  pool_use(outer);
  return status;
}


static artStatus switch_variant(artRun *run, const int *engaged, const double *holds,
                                artError *error)
{
  artModel *variant;
  artWorkspace *work;
  memPool **pool = &run->variants[!run->turn];
  if (!*pool) *pool = pool_create();
  const artStatus status = make_variant(run, *pool, engaged, holds, &variant, &work, error);
  if (status != ART_OK) return status;
  if (run->backend) run_account_code(run);
  data_hand_over(variant, run->d->work, work);
  const artStatus taken = take_run_variant(run, variant, work, error);
  if (taken != ART_OK) return taken;
  run->counted = (backendCounts){0};
  force_update(run->m, run->d);
  return run_report_loops(run->m, run->d, &run->study, error);
}


void latch_end(artRun *run)
{
  run->d->work->force->find_forces = NULL;
  if (!run->variant) return;
  data_hand_over(run->model, run->d->work, run->first_work);
  free_variant(run, run->d->work);
  run->d->work = run->first_work;
  run->m = run->model;
  run->d->work->is_frozen = 0;
  force_reset_latches(run->m, run->d);
  art_update(run->m, run->d);
}


size_t latch_count(const artModel *m)
{
  return LATCH_NUMBERS * (size_t) m->nlatch + 1 + (size_t) m->tree.nq;
}


void latch_save(const artRun *run, double *holds)
{
  const artModel *m = run->m;
  for (int i = 0; i < m->nlatch; i++) model_latch_numbers(m, i, holds + LATCH_NUMBERS * i);
  double *last = holds + LATCH_NUMBERS * (size_t) m->nlatch;
  last[0] = run->switched;
  if (m->tree.nq > 0) memcpy(last + 1, run->q_switched, (size_t) m->tree.nq * sizeof *last);
}


// The data where the last latch changed, from where natural coordinates began: they weigh their rows there.
static artStatus begin_there(artRun *run, const double *last, artError *error)
{
  const size_t nq = (size_t) run->m->tree.nq;
  run->switched = last[0];
  if (nq > 0) memcpy(run->q_switched, last + 1, nq * sizeof *last);
  if (!run->natural) return ART_OK;
  run->d->time = last[0];
  if (nq > 0) memcpy(run->d->q, last + 1, nq * sizeof *last);
  memset(run->d->v, 0, (size_t) run->m->tree.nv * sizeof *run->d->v);
  force_update(run->m, run->d);
  const artStatus status = run->m->nrow > 0 ? loop_partition(run->m, run->d, error) : ART_OK;
  return status == ART_OK ? natural_run_renew(run, 0, error) : status;
}


static void engaged_by(const artModel *m, const int *mode, int *engaged)
{
  for (int i = 0; i < m->nlatch; i++) {
    engaged[i] = mode[m->latch[i].mode0 + LATCH_STATE] == LATCH_ENGAGED;
  }
}


// is the run in that variant already?
static int is_there(const artRun *run, const int *engaged, const double *holds, double *room)
{
  const artModel *m = run->m;
  latch_save(run, room);
  return memcmp(engaged, m->engaged, (size_t) m->nlatch * sizeof *engaged) == 0 &&
         memcmp(holds, room, latch_count(m) * sizeof *room) == 0;
}


static artStatus load_latch_variant(artRun *run, const int *engaged, const double *holds,
                                    artError *error)
{
  const artStatus status = switch_variant(run, engaged, holds, error);
  if (status != ART_OK) return status;
  run->d->work->force->find_forces = find_latch_forces;
  return begin_there(run, holds + LATCH_NUMBERS * (size_t) run->m->nlatch, error);
}


artStatus latch_load(artRun *run, const int *mode, const double *holds, artError *error)
{
  const artModel *m = run->model;
  if (m->nlatch == 0) return ART_OK;
  baseArena scratch = {0};
  int *engaged = arena_alloc(&scratch, (size_t) m->nlatch, sizeof *engaged);
  double *room = arena_alloc(&scratch, latch_count(m), sizeof *room);
  artStatus status = engaged && room ? ART_OK : base_no_memory(error);
  if (status == ART_OK) {
    engaged_by(m, mode, engaged);
    if (!is_there(run, engaged, holds, room))
      status = load_latch_variant(run, engaged, holds, error);
  }
  if (status == ART_OK) memcpy(run->d->work->mode, mode, (size_t) m->nmode * sizeof *mode);
  arena_free(&scratch);
  return status;
}


//---- the impact ------------------------------------------------------------------------------------

// tau = M x: the forces that accelerations x ask for beyond none
static void times_mass(const artModel *m, artData *d, const double *x, double *tau, double *rest)
{
  art_inverse_dynamics(m, d, NULL, rest);
  art_inverse_dynamics(m, d, x, tau);
  for (int k = 0; k < m->tree.nv; k++) tau[k] -= rest[k];
}


// accelerations with these joint forces besides, and tensions of ropes that are engaged
static artStatus push_with_impulse(const artModel *m, artData *d, const double *impulse, double *a,
                                   double *tension, artError *error)
{
  d->work->force->impulse = impulse;
  const artStatus status = method_accelerate(m, d, ART_AUTOMATIC, error);
  d->work->force->impulse = NULL;
  if (status != ART_OK) return status;
  memcpy(a, d->a, (size_t) m->tree.nv * sizeof *a);
  method_need_forces(m, d);
  for (int i = 0; i < m->nlatch; i++) {
    tension[i] = m->latch[i].type == ART_ROPE ? force_latch_value(m, d, i, LATCH_FORCE) : 0;
  }
  return ART_OK;
}


// the data at velocities w
static artStatus stand_at_drive_velocities(const artModel *m, artData *d, artError *error)
{
  memset(d->v, 0, (size_t) m->tree.nv * sizeof *d->v);
  force_update(m, d);
  const artStatus status = m->nrow > 0 ? loop_close(m, d, error) : ART_OK;
  force_update(m, d);
  return status;
}


// v0 becomes v1 in the data; room[4 nv + 2 nlatch]; *pushing: the rope that would push, or -1
static artStatus project_latch_velocities(const artModel *m, artData *d, const double *v0,
                                          double *room, int *pushing, artError *error)
{
  const int nv = m->tree.nv;
  const size_t size = (size_t) nv * sizeof *room;
  double *v = room, *w = v + nv, *push_1 = w + nv, *a = push_1 + nv;
  double *impulse = a + nv, *rest = impulse + m->nlatch;
  artStatus status = stand_at_drive_velocities(m, d, error);
  memcpy(w, d->v, size);
  if (status != ART_OK) return status;
  for (int k = 0; k < nv; k++) v[k] = v0[k] - w[k];
  times_mass(m, d, v, push_1, a);
  for (int k = 0; k < nv; k++) push_1[k] *= SHARPNESS;
  status = push_with_impulse(m, d, push_1, v, impulse, error);
  if (status == ART_OK) status = push_with_impulse(m, d, NULL, a, rest, error);
  if (status != ART_OK) return status;
  for (int k = 0; k < nv; k++) d->v[k] = w[k] + (v[k] - a[k]) / SHARPNESS;
  force_update(m, d);
  for (int i = 0; i < m->nlatch; i++) impulse[i] -= rest[i];
  // the rope that pushes most in an impact; -1: none does
  double most = -UNTOUCHED * max_magnitude(m->tree.nv, push_1);
  *pushing = -1;
  for (int i = 0; i < m->nlatch; i++) {
    if (impulse[i] >= most) continue;
    most = impulse[i];
    *pushing = i;
  }
  return ART_OK;
}


static artStatus check_stopped(const artRun *run, artError *error)
{
  loopResidual open;
  if (run->m->nrow == 0) return ART_OK;
  const artStatus status = residual_open(run->m, run->d, &open, error);
  if (status != ART_OK) return status;
  const double most = max_magnitude(run->m->tree.nv, run->d->v);
  if (open.velocity <= STOPPED * (1 + most)) return ART_OK;
  return base_fail(error, ART_SINGULAR, run->m->latch[0].place,
                   "what engages at t = %.9g s cannot hold what drives move: a row that "
                   "the rest of the machine determines goes on with %.3g m/s or rad/s",
                   run->d->time, open.velocity);
}


//---- a change ------------------------------------------------------------------------------------

// Where those hold that are engaged now; a rope has its length.
static artStatus measure_latch_holds(const artRun *run, const int *engaged, double *holds,
                                     artError *error)
{
  const artModel *m = run->m;
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    double *x = holds + LATCH_NUMBERS * i;
    if (m->engaged[i]) {
      model_latch_numbers(m, i, x);
    } else {
      force_measure_latch(m, run->d, i, x);
    }
    if (latch->type != ART_ROPE || !engaged[i] || m->engaged[i]) continue;
    const double length = force_latch_value(m, run->d, i, LATCH_LENGTH), most = latch->cut.length;
    if (fabs(length - most) <= ROPE_OFF * most) continue;
    return base_fail(error, ART_BAD_INPUT, latch->place,
                     "rope '%s' is %.9g m long, but its points are %.9g m apart at t = %.9g s",
                     latch->name, most, length, run->d->time);
  }
  return ART_OK;
}


static artStatus count_switch(artRun *run, artError *error)
{
  const double t = run->d->time, whole = run->study.until - run->study.from;
  if (t - run->switched > AT_ONCE * whole) run->switches = 0;
  if (++run->switches <= MAX_SWITCHES) return ART_OK;
  return base_fail(error, ART_NO_CONVERGENCE, run->m->latch[0].place,
                   "latches engaged and released %d times at about t = %.9g s: their conditions "
                   "contradict each other there",
                   MAX_SWITCHES, t);
}


// does one engage?
static int has_more_engaged(const artModel *m, const int *engaged)
{
  for (int i = 0; i < m->nlatch; i++) {
    if (engaged[i] && !m->engaged[i]) return 1;
  }
  return 0;
}


static int count_changed(const artModel *m, const int *before)
{
  int changed = 0;
  for (int i = 0; i < m->nlatch; i++) changed += before[i] != m->engaged[i];
  return changed;
}


typedef struct changeRoom {
  int *engaged, *before; // [nlatch] by then, and until now
  double *holds;         // [LATCH_NUMBERS nlatch]
  double *v0;            // [nv]
  double *impact;        // [4 nv + 2 nlatch]
  int rests;             // a rope engages that had been slack and stretched: ropes hold it together
} changeRoom;


static int take_change_room(baseArena *a, const artRun *run, changeRoom *r)
{
  const artModel *m = run->m;
  const size_t n = (size_t) m->nlatch, nv = (size_t) m->tree.nv;
  return (r->engaged = arena_alloc(a, n, sizeof *r->engaged)) &&
         (r->before = arena_copy(a, m->engaged, n, sizeof *r->before)) &&
         (r->holds = arena_alloc(a, LATCH_NUMBERS * n, sizeof *r->holds)) &&
         (r->v0 = arena_copy(a, run->d->v, nv, sizeof *r->v0)) &&
         (r->impact = arena_alloc(a, 4 * nv + 2 * n, sizeof *r->impact));
}


// Full matrices of methods over all rows and columns, and what the present one has taken.
static size_t method_bytes(const artRun *run, const artModel *variant)
{
  const struct methodWork *method = run->d->work->method;
  const size_t n = (size_t) variant->tree.nv + (size_t) variant->nrow;
  const size_t taken = method ? arena_bytes(&method->arena) + arena_bytes(&method->changing) : 0;
  return 3 * n * n * sizeof(double) + 2 * taken + METHOD_BLOCKS;
}


artStatus latch_reserve(artRun *run, artError *error)
{
  artModel *variant = NULL;
  artWorkspace *work = NULL;
  changeRoom room;
  if (!take_change_room(&run->change, run, &room)) return base_no_memory(error);
  for (int i = 0; i < run->m->nlatch; i++) room.engaged[i] = 1;
  run->variants[0] = pool_create();
  run->variants[1] = pool_create();
  memPool *pool = run->variants[0];
  const artStatus status = make_variant(run, pool, room.engaged, NULL, &variant, &work, error);
  arena_clear(&run->change);
  if (status != ART_OK) return status;
  const size_t bytes = pool_used(pool) + method_bytes(run, variant);
  memPool *outer = pool_use(pool);
  data_free_work(work);
  model_free_variant(variant);
  pool_use(outer);
  pool_clear(pool);
  const int is_taken =
      run->variants[1] && pool_reserve(pool, bytes) && pool_reserve(run->variants[1], bytes);
  return is_taken ? ART_OK : base_no_memory(error);
}


static void put_velocities(const artModel *m, artData *d, const double *v)
{
  if (m->tree.nv > 0) memcpy(d->v, v, (size_t) m->tree.nv * sizeof *v);
  force_update(m, d);
}


void latch_account_rows(artRun *run)
{
  artCertificate *c = &run->certificate;
  if (run->m->nrow > 0) {
    run_account_rank(run);
  } else {
    c->rows = c->rank = c->redundant = 0;
    c->dof = run->m->tree.nv - run->m->ndrive;
  }
}


// In the new variant, at the positions of the old one. *pushing: the rope that would push in the impact, or -1.
static artStatus settle_in(artRun *run, int is_impact, const changeRoom *r, int *pushing,
                           artError *error)
{
  const artModel *m = run->m;
  artData *d = run->d;
  artStatus status = ART_OK;
  *pushing = -1;
  d->work->force->find_forces = find_latch_forces;
  if (m->nrow > 0) {
    status = loop_partition(m, d, error);
    if (status == ART_OK) status = loop_place(m, d, error);
  }
  put_velocities(m, d, r->v0);
  if (status == ART_OK && is_impact)
    status = project_latch_velocities(m, d, r->v0, r->impact, pushing, error);
  if (r->rests) *pushing = -1;
  if (status != ART_OK || *pushing >= 0) return status;
  if (is_impact) status = check_stopped(run, error);
  if (status != ART_OK) return status;
  latch_begin_at(run);
  run->is_by_code = 0;
  latch_account_rows(run);
  return ART_OK;
}


// Ropes that would push in the impact become slack, one after the other.
static artStatus change_to(artRun *run, int is_impact, const changeRoom *r, artError *error)
{
  artStatus status = ART_OK;
  int pushing = 0;
  while (status == ART_OK && pushing >= 0) {
    status = measure_latch_holds(run, r->engaged, r->holds, error);
    if (status == ART_OK && count_changed(run->m, r->engaged) > 0) {
      status = switch_variant(run, r->engaged, r->holds, error);
    }
    if (status == ART_OK) status = settle_in(run, is_impact, r, &pushing, error);
    if (status != ART_OK || pushing < 0) continue;
    r->engaged[pushing] = 0;
    run->d->work->mode[run->m->latch[pushing].mode0 + LATCH_STATE] = LATCH_SPENT;
    put_velocities(run->m, run->d, r->v0);
  }
  return status;
}


// (v1 - v0)^T M (v0 + v1)/2
static double gain_of(const artRun *run, const changeRoom *r)
{
  const int nv = run->m->tree.nv;
  const double *v1 = run->d->v;
  double *dv = r->impact, *impulse = dv + nv, *rest = impulse + nv, gain = 0;
  for (int k = 0; k < nv; k++) dv[k] = v1[k] - r->v0[k];
  times_mass(run->m, run->d, dv, impulse, rest);
  for (int k = 0; k < nv; k++) gain += 0.5 * impulse[k] * (r->v0[k] + v1[k]);
  return gain;
}


// Between two ropes a body comes to rest by ever smaller impacts, each of which leaves one of them slack, until that one
// stretches without having been shorter: from there on both are engaged, and their tensions tell whether they stay so.
static int has_stretched(const artRun *run, const int *engaged)
{
  const artModel *m = run->m;
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    if (latch->type != ART_ROPE || !engaged[i] || m->engaged[i]) continue;
    const double length = force_latch_value(m, run->d, i, LATCH_LENGTH);
    if (length - latch->cut.length > STRETCHED * latch->cut.length) return 1;
  }
  return 0;
}


static artStatus change_latches(artRun *run, changeRoom *r, double *gain, artError *error)
{
  artCertificate *c = &run->certificate;
  engaged_by(run->m, run->d->work->mode, r->engaged);
  r->rests = has_stretched(run, r->engaged);
  const int is_impact = has_more_engaged(run->m, r->engaged);
  const artStatus status = change_to(run, is_impact, r, error);
  if (status != ART_OK) return status;
  *gain = is_impact ? gain_of(run, r) : 0;
  c->latched += count_changed(run->m, r->before);
  c->latch_loss -= *gain;
  return ART_OK;
}


artStatus latch_change(artRun *run, double *gain, artError *error)
{
  changeRoom room = {0};
  artStatus status =
      take_change_room(&run->change, run, &room) ? count_switch(run, error) : base_no_memory(error);
  if (status == ART_OK) status = change_latches(run, &room, gain, error);
  arena_clear(&run->change);
  return status;
}


// The impact of drives, with the rows so far, less the rows of ropes that would push.
static artStatus apply_drive_impact(artRun *run, const changeRoom *r, double *gain, artError *error)
{
  const artModel *m = run->m;
  const artWorkspace *w = run->d->work;
  memcpy(r->engaged, m->engaged, (size_t) m->nlatch * sizeof *r->engaged);
  for (int k = 0; k < m->ndrive; k++) r->v0[m->drive[k].velocity] = w->force->rate_before[k];
  const artStatus status = change_to(run, 1, r, error);
  if (status != ART_OK) return status;
  *gain = gain_of(run, r);
  run->certificate.latched += count_changed(run->m, r->before);
  return ART_OK;
}


artStatus latch_apply_impact(artRun *run, double *gain, artError *error)
{
  changeRoom room = {0};
  run->d->work->force->is_struck = 0;
  const artStatus status = take_change_room(&run->change, run, &room)
                               ? apply_drive_impact(run, &room, gain, error)
                               : base_no_memory(error);
  arena_clear(&run->change);
  return status;
}


// y from the data after a change, and rates by generated code that is new
static artStatus take_up_unknowns(artRun *run, double gain, double *y, artError *error)
{
  run_take_state(run, run_work(run, y) + gain, y);
  return run->backend ? run_start_rates(run, error) : ART_OK;
}


artStatus latch_jump(artRun *run, double t, double *y, artError *error)
{
  double gain;
  if (!force_has_latched(run->m, run->d)) return ART_OK;
  run_put(run, t, y);
  const artStatus status = latch_change(run, &gain, error);
  return status == ART_OK ? take_up_unknowns(run, gain, y, error) : status;
}


static artStatus latch_apply_impact_at(artRun *run, double t, double *y, artError *error)
{
  double gain;
  run->certificate.impacts++;
  run_put(run, t, y);
  const artStatus status = latch_apply_impact(run, &gain, error);
  return status == ART_OK ? take_up_unknowns(run, gain, y, error) : status;
}

//---- impacts of drives -----------------------------------------------------------------------------
//
// A drive whose rate jumps gives the rest of the machine a impact.
//
// In the equations of motion at a position, integrated over the instant, forces and velocity terms drop out and
// accelerations become jumps of velocities,
//   M dv + Phi_q^T L = P,    Phi_q dv = 0,    dv given in driven coordinates,
// with the impulses L of the loops and P of the drives. That is the part of the equations which is linear in the
// accelerations of the drives, and so every method has it already:
//   dv = (a(s dv_d) - a(0)) / s,    P = (f(s dv_d) - f(0)) / s,
// with s so large that nothing of a(0) is left in dv but its rounding. The drives' work is P times the mean of
// their rates before and after.

// accelerations and joint forces at y in the present modes, with drives that accelerate by `sharpness` jumps per second
static artStatus drive_at(artRun *run, double t, const double *y, double sharpness, artError *error)
{
  const artModel *m = run->m;
  artWorkspace *w = run->d->work;
  run_put(run, t, y);
  for (int k = 0; k < m->ndrive; k++) {
    w->a_drive[m->drive[k].velocity] = sharpness * w->force->rate_jump[k];
  }
  return art_accelerate(m, run->d, run->method, error);
}


// the work of the drives
static double work_of_drives(const artRun *run, const double *force)
{
  const artModel *m = run->m;
  const artWorkspace *w = run->d->work;
  double work = 0;
  for (int k = 0; k < m->ndrive; k++) {
    const int v = m->drive[k].velocity;
    const double impulse = (run->d->force[v] - force[v]) / SHARPNESS;
    work += impulse * (w->force->rate_before[k] + 0.5 * w->force->rate_jump[k]);
  }
  return work;
}


artStatus run_jump(artRun *run, double t, double *y, artError *error)
{
  const int nv = run->m->tree.nv;
  double *a = run->impact, *force = a + nv;
  int is_impact;
  run->d->time = t;
  artStatus status = force_find_impact(run->m, run->d, &is_impact, error);
  if (status != ART_OK || !is_impact) return status;
  if (force_has_taut(run->m)) return latch_apply_impact_at(run, t, y, error);

  status = drive_at(run, t, y, 0, error);
  memcpy(a, run->d->a, (size_t) nv * sizeof *a);
  memcpy(force, run->d->force, (size_t) nv * sizeof *force);
  if (status == ART_OK) status = drive_at(run, t, y, SHARPNESS, error);
  if (status != ART_OK) return status;
  for (int k = 0; k < run->nv; k++) {
    const int v = run->velocity[k];
    y[run->nq + k] += (run->d->a[v] - a[v]) / (SHARPNESS * run->units[run->nq + k]);
  }
  y[run->n - 1] += work_of_drives(run, force) / run->unit;
  run->certificate.impacts++;
  return ART_OK;
}
