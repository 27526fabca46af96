// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs that advance together, in the lanes of generated code: builds, evaluation, steps of one length.
#include "study/sweep/sweep_lanes.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "load/code.h"
#include "load/compiler.h"
#include "loop/loop.h"
#include "model/model.h"
#include "step/runge_kutta.h"

// code and numbers agree at the beginning to this, relative to the largest acceleration
#define LANES_AGREEMENT 1e-9

// loops that numbers close further than this from where code has closed them, m or rad
#define LANES_APART 1e-9


int lanes_suit(const artRunDef *study)
{
  return study->backend == ART_BACKEND_GENERATED && study->integrator == ART_RK4 && study->step > 0;
}


int lanes_count(void)
{
  return compiler_best_lanes();
}


//---- builds --------------------------------------------------------------------------------------

static uint64_t mix_equation_vector(uint64_t hash, const eqnVector *v)
{
  hash = base_hash(hash, v->name, strlen(v->name));
  hash = base_hash(hash, &v->n, sizeof v->n);
  return base_hash(hash, v->node, (size_t) v->n * sizeof *v->node);
}


static uint64_t mix_stage(uint64_t hash, const eqnStage *s)
{
  const size_t n = (size_t) s->nunknown * sizeof *s->unknown;
  const int head[] = {(int) s->kind, s->nroot, s->nunknown, s->residual, s->most};
  hash = base_hash(hash, head, sizeof head);
  hash = base_hash(hash, &s->tolerance, sizeof s->tolerance);
  hash = base_hash(hash, s->root, (size_t) s->nroot * sizeof *s->root);
  hash = base_hash(hash, s->unknown, n);
  return base_hash(hash, s->correction, n);
}


// everything that code is made from but for the values of parameters
static uint64_t build_of(const eqnProgram *p)
{
  const exprPool *pool = p->pool;
  uint64_t hash = BASE_HASH_EMPTY;
  for (int k = 0; k < pool->count; k++) {
    const exprNode *n = &pool->nodes[k];
    const int head[] = {(int) n->op, n->a, n->b};
    hash = base_hash(hash, head, sizeof head);
    if (n->op == EXPR_CONSTANT) hash = base_hash(hash, &n->value, sizeof n->value);
  }
  hash = base_hash(hash, pool->more, (size_t) pool->more_count * sizeof *pool->more);
  hash = mix_equation_vector(hash, &p->parameter);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    for (int k = 0; k < f->ninput; k++) hash = mix_equation_vector(hash, &f->input[k]);
    for (int k = 0; k < f->noutput; k++) hash = mix_equation_vector(hash, &f->output[k]);
    for (int k = 0; k < f->nstage; k++) hash = mix_stage(hash, &f->stage[k]);
  }
  return hash;
}


int lanes_open(sweepMember *lane)
{
  const artModel *m = lane->m;
  const artRunDef *s = &lane->study;
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER,
                              .modes = m->nmode > 0,
                              .is_present = 1,
                              .fixed_bodies = 1};
  if (m->nlatch > 0 || m->nsampler > 0 || model_has_rigid(m)) return 0;
  if (gen_create(&lane->program, m, lane->d, &options, NULL) != ART_OK) return 0;
  if (lane->program->nexternal > 0) return 0;
  const double times[] = {s->from, s->until, s->step, s->interval};
  lane->build = base_hash(build_of(lane->program), times, sizeof times);
  return 1;
}


//---- code ----------------------------------------------------------------------------------------

void lanes_free_code(sweepCode *c)
{
  if (!c) return;
  art_free_generated(c->code);
  arena_free(&c->arena);
  mem_free(c);
}


static double *take_lane_numbers(sweepCode *c, int n)
{
  return arena_alloc(&c->arena, (size_t) (n + 1) * (size_t) c->lanes, sizeof(double));
}


static int take_vectors(sweepCode *c)
{
  return (c->t = take_lane_numbers(c, 1)) && (c->q = take_lane_numbers(c, c->nq)) &&
         (c->v = take_lane_numbers(c, c->nv)) && (c->s = take_lane_numbers(c, c->ns)) &&
         (c->u = take_lane_numbers(c, c->nu)) && (c->mode = take_lane_numbers(c, c->nmode)) &&
         (c->a = take_lane_numbers(c, c->nv)) && (c->s_rate = take_lane_numbers(c, c->ns)) &&
         (c->power = take_lane_numbers(c, 1)) && (c->qdot = take_lane_numbers(c, c->nq)) &&
         (c->y = take_lane_numbers(c, c->n)) && (c->space = take_lane_numbers(c, 3 * c->n)) &&
         (c->k1 = take_lane_numbers(c, c->n)) && (c->one = take_lane_numbers(c, c->n)) &&
         (c->aside = take_lane_numbers(c, c->n));
}


static sweepCode *make_sweep_code(const sweepMember *lane)
{
  sweepCode *c = MEM_ARRAY(sweepCode, 1);
  if (!c) return NULL;
  c->build = lane->build;
  c->lanes = lanes_count();
  c->nq = lane->m->tree.nq;
  c->nv = lane->m->tree.nv;
  c->ns = lane->m->nstate;
  c->nu = lane->m->nheld;
  c->nmode = lane->m->nmode;
  c->n = lane->run->n;
  if (load_program(&c->code, lane->m, lane->program, c->lanes, NULL, NULL) == ART_OK &&
      take_vectors(c)) {
    c->accelerate = art_find_generated(c->code, "accelerate");
    c->rates = art_find_generated(c->code, "position_rates");
    if (c->accelerate >= 0 && c->rates >= 0) return c;
  }
  lanes_free_code(c);
  return NULL;
}

//---- rates ---------------------------------------------------------------------------------------

// unknowns into coordinates
static void put_unknowns(const lanesRun *r, const double *y)
{
  sweepCode *c = r->c;
  const artRun *run = r->member[0]->run;
  const size_t size = (size_t) c->lanes * sizeof *y;
  for (int k = 0; k < run->nq; k++) {
    memcpy(c->q + run->position[k] * c->lanes, y + k * c->lanes, size);
  }
  for (int k = 0; k < run->nv; k++) {
    memcpy(c->v + run->velocity[k] * c->lanes, y + (run->nq + k) * c->lanes, size);
  }
  memcpy(c->s, y + (run->nq + run->nv) * c->lanes, size * (size_t) c->ns);
}


void lanes_take_closed(const lanesRun *r, double *y)
{
  const sweepCode *c = r->c;
  const artRun *run = r->member[0]->run;
  const size_t size = (size_t) c->lanes * sizeof *y;
  for (int k = 0; k < run->nq; k++) {
    memcpy(y + k * c->lanes, c->q + run->position[k] * c->lanes, size);
  }
  for (int k = 0; k < run->nv; k++) {
    memcpy(y + (run->nq + k) * c->lanes, c->v + run->velocity[k] * c->lanes, size);
  }
}


static int has_rates(const sweepCode *c, int k)
{
  ART_ASSERT(k >= 0 && k < c->lanes);
  int is_finite = isfinite(c->power[k]);
  for (int i = 0; i < c->nv; i++) is_finite = is_finite && isfinite(c->a[i * c->lanes + k]);
  return is_finite;
}


// accelerations, rates of states and power; bit k: not of lane k
static int call_lanes_code(const lanesRun *r, double t)
{
  sweepCode *c = r->c;
  double *in[6] = {c->t, c->q, c->v}, *out[3] = {c->a};
  int nin = 3, nout = 1;
  if (c->ns > 0) {
    in[nin++] = c->s;
    out[nout++] = c->s_rate;
  }
  if (c->nu > 0) in[nin++] = c->u;
  in[nin] = c->mode;
  out[nout] = c->power;
  for (int k = 0; k < c->lanes; k++) {
    const artData *d = r->member[k < r->n ? k : 0]->d;
    const int *mode = d->work->mode;
    c->t[k] = t;
    for (int i = 0; i < c->nu; i++) c->u[i * c->lanes + k] = d->u[i];
    for (int i = 0; i < c->nmode; i++) c->mode[i * c->lanes + k] = mode[i];
  }
  int failed = load_call_lanes(c->code, c->accelerate, in, out);
  for (int k = 0; k < r->n; k++) failed |= !has_rates(c, k) << k;
  return failed;
}


int lanes_find_rates(const lanesRun *r, double t, const double *y, double *ydot)
{
  sweepCode *c = r->c;
  const artRun *run = r->member[0]->run;
  const int L = c->lanes;
  const size_t size = (size_t) L * sizeof *y;
  put_unknowns(r, y);
  const int failed = call_lanes_code(r, t);
  load_call_lanes(c->code, c->rates, (double *const[]){c->q, c->v}, &c->qdot);
  for (int k = 0; k < run->nq; k++) memcpy(ydot + k * L, c->qdot + run->position[k] * L, size);
  for (int k = 0; k < run->nv; k++) {
    memcpy(ydot + (run->nq + k) * L, c->a + run->velocity[k] * L, size);
  }
  memcpy(ydot + (run->nq + run->nv) * L, c->s_rate, size * (size_t) c->ns);
  for (int k = 0; k < L; k++) {
    ydot[(c->n - 1) * L + k] = c->power[k] / r->member[k < r->n ? k : 0]->run->unit;
  }
  return failed;
}


// the same where a lane without rates has to run alone
static int find_lane_rates(void *run, double t, double *y, double *ydot)
{
  const lanesRun *r = run;
  const int failed = lanes_find_rates(r, t, y, ydot);
  for (int k = 0; k < r->n; k++) r->member[k]->is_out |= failed >> k & 1;
  return 0;
}

//---- steps ---------------------------------------------------------------------------------------

static void step_all_lanes(lanesRun *r, double t, double h, double *y)
{
  const sweepCode *c = r->c;
  rk4_step(find_lane_rates, r, c->n * c->lanes, t, h, c->y, c->k1, y, c->space);
}


void lanes_normalise(const lanesRun *r, double *y)
{
  sweepCode *c = r->c;
  const artModel *m = r->member[0]->m;
  const artRun *run = r->member[0]->run;
  if (m->tree.nq == m->tree.nv) return;
  for (int k = 0; k < c->lanes; k++) {
    for (int i = 0; i < run->nq; i++) c->qdot[run->position[i]] = y[i * c->lanes + k];
    art_normalise(m, c->qdot);
    for (int i = 0; i < run->nq; i++) y[i * c->lanes + k] = c->qdot[run->position[i]];
  }
}


// rates at the beginning of a step, where loops are closed
static void begin_step(lanesRun *r, double t)
{
  find_lane_rates(r, t, r->c->y, r->c->k1);
  if (r->member[0]->m->nrow > 0) lanes_take_closed(r, r->c->y);
}

//---- rows ----------------------------------------------------------------------------------------

// whether numbers find the loops where code has left them, with the same independent coordinates
static int is_at_home(const sweepMember *lane, const double *y, long repartitions)
{
  const artRun *run = lane->run;
  struct loopWork *loop = lane->d->work->loop;
  if (lane->m->nrow == 0) return 1;
  for (int k = 0; k < run->nq; k++) {
    if (!(fabs(lane->d->q[run->position[k]] - y[k]) < LANES_APART)) return 0;
  }
  return loop_watch(lane->m, lane->d, NULL) == ART_OK && loop->repartitions == repartitions;
}


void lanes_show(const lanesRun *r, int k, double t, const double *y)
{
  ART_ASSERT(k >= 0 && k < r->n);
  const sweepMember *lane = r->member[k];
  const struct loopWork *loop = lane->d->work->loop;
  const long repartitions = loop ? loop->repartitions : 0;
  if (run_adopt(lane->run, t, y, NULL) != ART_OK || !is_at_home(lane, y, repartitions)) {
    r->member[k]->is_out = 1;
    return;
  }
  sweep_note_row(r->def, r->w, lane, t);
}


//---- the run -------------------------------------------------------------------------------------

void lanes_compare(const lanesRun *r)
{
  const sweepCode *c = r->c;
  for (int k = 0; k < r->n; k++) {
    const double e = study_acceleration_error(c->nv, r->member[k]->d->a, 1, c->a + k, c->lanes);
    if (!(e <= LANES_AGREEMENT)) r->member[k]->is_out = 1;
  }
}


int lanes_go_on(const lanesRun *r)
{
  int n = 0;
  for (int k = 0; k < r->n; k++) n += !r->member[k]->is_out;
  return n > 0 && !sweep_is_stopped(r->def);
}


static void account_lane_steps(const lanesRun *r, long steps, double h)
{
  for (int k = 0; k < r->n; k++) {
    artCertificate *c = &r->member[k]->run->certificate;
    c->steps = steps;
    c->evaluations = c->generated = 4 * steps;
    c->shortest_step = c->longest_step = steps > 0 ? h : 0;
    c->programs = 1;
  }
}


// from row to row along the grid from + k h; rows in between by a shorter step from the left
static void advance_lanes(lanesRun *r)
{
  const artRunDef *study = &r->member[0]->study;
  const long rows = art_output_count(study);
  const double h = study->step;
  double t = study->from;
  long steps = 0;
  begin_step(r, t);
  lanes_compare(r);
  for (long i = 1; i < rows && lanes_go_on(r); i++) {
    const double wanted = art_output_time(study, i);
    while (study->from + (double) (steps + 1) * h <= wanted) {
      if (sweep_is_stopped(r->def)) return;
      step_all_lanes(r, t, h, r->c->y);
      lanes_normalise(r, r->c->y);
      t = study->from + (double) ++steps * h;
      begin_step(r, t);
    }
    const double *y = r->c->y;
    if (t < wanted) {
      step_all_lanes(r, t, wanted - t, r->c->aside);
      y = r->c->aside;
    }
    const sweepCode *c = r->c;
    for (int k = 0; k < r->n; k++) {
      for (int j = 0; j < c->n; j++) c->one[j] = y[j * c->lanes + k];
      if (!r->member[k]->is_out) lanes_show(r, k, wanted, c->one);
    }
    account_lane_steps(r, steps + (t < wanted), h);
  }
}


// the code that was used last, or other one
static void choose_code(sweepRun *run, sweepCode **code, const sweepMember *lane)
{
  if (*code && (*code)->build == lane->build) return;
  lanes_free_code(*code);
  pthread_mutex_lock(&run->making);
  *code = make_sweep_code(lane);
  pthread_mutex_unlock(&run->making);
}


void lanes_run(sweepRun *run, sweepWorker *w, int n, sweepMember *const *member)
{
  ART_ASSERT(n >= 1 && n <= SWEEP_MOST_LANES);
  choose_code(run, &w->code, member[0]);
  lanesRun r = {w->code, n, member, run->def, w};
  for (int k = 0; k < n; k++) {
    sweepMember *x = member[k];
    // lanes measure in metres and seconds
    const int is_in_metres = run_is_in_metres(x->run);
    x->is_out = !w->code || !is_in_metres || art_run_to(x->run, x->study.from, NULL) != ART_OK;
    if (!x->is_out) sweep_note_row(run->def, w, x, x->study.from);
  }
  if (!w->code) return;
  sweepCode *c = r.c;
  for (int k = 0; k < c->lanes; k++) {
    const sweepMember *lane = r.member[k < r.n ? k : 0];
    load_set_lane(c->code, k, lane->program->value);
    for (int i = 0; i < c->n; i++) c->y[i * c->lanes + k] = lane->run->y[i];
    for (int i = 0; i < c->nq; i++) c->q[i * c->lanes + k] = lane->d->q[i];
    for (int i = 0; i < c->nv; i++) c->v[i * c->lanes + k] = lane->d->v[i];
  }
  load_prepare(c->code);
  int is_watched = member[0]->m->nswitch > 0;
  for (int k = 0; k < n; k++) is_watched |= !member[k]->is_out && member[k]->run->view.is_needed;
  if (is_watched) {
    lanes_advance_switching(&r);
  } else {
    advance_lanes(&r);
  }
}
