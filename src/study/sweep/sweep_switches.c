// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Lanes of machines with switching instants.
//
// Every lane has a stepper of its own, which finds the instants and changes the modes as that of a run does, and asks
// for rates at one instant and state after the other. Its requests are known if nothing switches: the stages of
// a step along the grid. So these are evaluated ahead, of all lanes together, and the stepper finds them; for anything
// else the code is called for its lane alone. The state of a lane is thus the same in any company, for the code
// gives the same bits of a state whenever it is asked.
#include <string.h>

#include "model/model.h"
#include "step/runge_kutta.h"
#include "study/sweep/sweep_lanes.h"

// a step asks four times, a row next to it another four
enum { KNOWN = 16 };

typedef struct laneRate {
  double t;
  double *y;      // [n] where it was asked for,
  double *closed; // [n] the same with loops closed,
  double *rate;   // [n] and the rates there
  int is_known, has_failed;
} laneRate;

typedef struct laneSteps {
  const lanesRun *r;
  int k; // the lane
  stepper *stepper;
  double *y;   // [n] at the last point of the grid
  double *row; // [n] at an instant asked for
  laneRate known[KNOWN];
  int next; // the place that is taken next
} laneSteps;

typedef struct switchingRun {
  const lanesRun *r;
  laneSteps lane[SWEEP_MOST_LANES];
  double *y_ahead; // [n] lanes side by side
  baseArena arena;
} switchingRun;

//---- known rates ---------------------------------------------------------------------------------

static size_t lane_unknown_bytes(const laneSteps *x)
{
  return (size_t) x->r->c->n * sizeof(double);
}


static laneRate *find_known(laneSteps *x, double t, const double *y)
{
  for (int i = 0; i < KNOWN; i++) {
    laneRate *e = &x->known[i];
    if (e->is_known && e->t == t && memcmp(e->y, y, lane_unknown_bytes(x)) == 0) return e;
  }
  return NULL;
}


static laneRate *new_known(laneSteps *x, double t, const double *y)
{
  laneRate *e = &x->known[x->next++ % KNOWN];
  e->t = t;
  memcpy(e->y, y, lane_unknown_bytes(x));
  e->is_known = 1;
  return e;
}


static void get_column(const sweepCode *c, int k, const double *all, double *one)
{
  ART_ASSERT(k >= 0 && k < c->lanes);
  for (int i = 0; i < c->n; i++) one[i] = all[i * c->lanes + k];
}


static void put_lane_column(const sweepCode *c, int k, const double *one, double *all)
{
  ART_ASSERT(k >= 0 && k < c->lanes);
  for (int i = 0; i < c->n; i++) all[i * c->lanes + k] = one[i];
}


// note the rates that the code has just found of a lane, whose unknowns are in c->one
static laneRate *note_lane_rate(laneSteps *x, double t, const double *all_closed,
                                const double *all_rates, int failed)
{
  const sweepCode *c = x->r->c;
  laneRate *e = new_known(x, t, c->one);
  get_column(c, x->k, all_closed, e->closed);
  get_column(c, x->k, all_rates, e->rate);
  e->has_failed = failed >> x->k & 1;
  return e;
}


// at a state of its own: the other lanes stay where they are
static const laneRate *ask_alone(laneSteps *x, double t, const double *y)
{
  sweepCode *c = x->r->c;
  memcpy(c->aside, c->y, lane_unknown_bytes(x) * (size_t) c->lanes);
  put_lane_column(c, x->k, y, c->aside);
  memcpy(c->one, y, lane_unknown_bytes(x));
  const int failed = lanes_find_rates(x->r, t, c->aside, c->space);
  lanes_take_closed(x->r, c->aside);
  return note_lane_rate(x, t, c->aside, c->space, failed);
}


static const laneRate *ask_lane_rate(laneSteps *x, double t, const double *y)
{
  const laneRate *e = find_known(x, t, y);
  return e ? e : ask_alone(x, t, y);
}

//---- the problem of a lane -----------------------------------------------------------------------

static artStatus lane_find_rate(void *context, double t, const double *y, double *ydot)
{
  laneSteps *x = context;
  const laneRate *e = ask_lane_rate(x, t, y);
  memcpy(ydot, e->rate, lane_unknown_bytes(x));
  return e->has_failed ? ART_NO_CONVERGENCE : ART_OK;
}


static void lane_switches(void *context, double t, const double *y, double *g)
{
  const laneSteps *x = context;
  run_switches(x->r->member[x->k]->run, t, y, g);
}


// known rates belong to the mode that ends here
static void lane_switch_mode(void *context, double t, const double *y, int i)
{
  laneSteps *x = context;
  run_switch_mode(x->r->member[x->k]->run, t, y, i);
  for (int e = 0; e < KNOWN; e++) x->known[e].is_known = 0;
}


static int lane_switching_surface(void *context, int i, int take)
{
  laneSteps *x = context;
  const int is_other = run_switching_surface(x->r->member[x->k]->run, i, take);
  for (int e = 0; e < KNOWN && is_other && take; e++) x->known[e].is_known = 0;
  return is_other;
}


static int lane_is_latching(void *context, int i)
{
  const laneSteps *x = context;
  return run_is_latching(x->r->member[x->k]->run, i);
}


static void lane_span(void *context, const stepSpan *span)
{
  const laneSteps *x = context;
  run_span(x->r->member[x->k]->run, span);
}


static double lane_within(void *context, double after, double to)
{
  const laneSteps *x = context;
  return run_within(x->r->member[x->k]->run, after, to);
}


static double lane_seen(void *context, double to)
{
  const laneSteps *x = context;
  return run_seen(x->r->member[x->k]->run, to);
}


static artStatus lane_jump(void *context, double t, double *y, artError *error)
{
  laneSteps *x = context;
  return run_jump(x->r->member[x->k]->run, t, y, error);
}


// closed, with the rates of the closed state, which were found on the way
static void close_lane_loops(laneSteps *x, double t, double *y)
{
  const laneRate *e = ask_lane_rate(x, t, y);
  if (e->has_failed) return;
  memcpy(y, e->closed, lane_unknown_bytes(x));
  if (find_known(x, t, y)) return;
  laneRate *closed = new_known(x, t, y);
  memcpy(closed->closed, e->closed, lane_unknown_bytes(x));
  memcpy(closed->rate, e->rate, lane_unknown_bytes(x));
  closed->has_failed = 0;
}


static int lane_settle(void *context, double t, double *y)
{
  laneSteps *x = context;
  const sweepMember *lane = x->r->member[x->k];
  const artRun *run = lane->run;
  double *q = lane->d->q;
  for (int i = 0; i < run->nq; i++) q[run->position[i]] = y[i];
  const int changed = art_normalise(lane->m, q);
  for (int i = 0; i < run->nq; i++) y[i] = q[run->position[i]];
  if (lane->m->nrow > 0) close_lane_loops(x, t, y);
  return changed;
}

//---- ahead ---------------------------------------------------------------------------------------

// rates at t and y of all lanes; closed unknowns into c->aside
static int look_ahead_in_lanes(void *run, double t, double *y, double *rates)
{
  switchingRun *s = run;
  const lanesRun *r = s->r;
  sweepCode *c = r->c;
  const int failed = lanes_find_rates(r, t, y, rates);
  memcpy(c->aside, y, (size_t) (c->n * c->lanes) * sizeof *y);
  lanes_take_closed(r, c->aside);
  for (int k = 0; k < r->n; k++) {
    get_column(c, k, y, c->one);
    note_lane_rate(&s->lane[k], t, c->aside, rates, failed);
  }
  return 0;
}


// rates at the beginning of a step, c->k1
static void begin_ahead(switchingRun *s, double t)
{
  const lanesRun *r = s->r;
  sweepCode *c = r->c;
  int is_known = 1;
  for (int k = 0; k < r->n; k++) {
    const laneRate *e = find_known(&s->lane[k], t, s->lane[k].y);
    if (e) put_lane_column(c, k, e->rate, c->k1);
    is_known = is_known && (e || r->member[k]->is_out);
  }
  for (int k = r->n; k < c->lanes; k++) {
    get_column(c, 0, c->k1, c->one);
    put_lane_column(c, k, c->one, c->k1);
  }
  if (!is_known) look_ahead_in_lanes(s, t, c->y, c->k1);
}


// A step of length h from t asks for its stages, unless something switches, and for the rates at its end t_end, once it
// has settled. The sums have the text of the stepper's sums, so that their bits agree.
static void step_ahead(switchingRun *s, double t, double h, double t_end)
{
  const sweepCode *c = s->r->c;
  begin_ahead(s, t);
  rk4_step(look_ahead_in_lanes, s, c->n * c->lanes, t, h, c->y, c->k1, s->y_ahead, c->space);
  lanes_normalise(s->r, s->y_ahead);
  look_ahead_in_lanes(s, t_end, s->y_ahead, c->space);
}

//---- from row to row -----------------------------------------------------------------------------

static double *take_lane_array(switchingRun *s)
{
  return arena_alloc(&s->arena, (size_t) s->r->c->n, sizeof(double));
}


static int open_lane(switchingRun *s, int k)
{
  ART_ASSERT(k >= 0 && k < s->r->n);
  const lanesRun *r = s->r;
  const artModel *m = r->member[k]->m;
  const artRunDef *study = &r->member[k]->study;
  laneSteps *x = &s->lane[k];
  *x = (laneSteps){.r = r, .k = k, .y = take_lane_array(s), .row = take_lane_array(s)};
  for (int i = 0; i < KNOWN; i++) {
    laneRate *e = &x->known[i];
    if (!(e->y = take_lane_array(s)) || !(e->closed = take_lane_array(s)) ||
        !(e->rate = take_lane_array(s)))
      return 0;
  }
  if (!x->y || !x->row) return 0;
  get_column(r->c, k, r->c->y, x->y);
  const stepOptions options = {.method = STEP_RK4, .step = study->step};
  const int is_viewed = r->member[k]->run->view.is_needed;
  const stepProblem problem = {.n = r->c->n,
                               .nswitch = m->nswitch,
                               .rate = lane_find_rate,
                               .switches = lane_switches,
                               .switch_mode = lane_switch_mode,
                               .switching_surface = lane_switching_surface,
                               .is_latching = lane_is_latching,
                               .span = is_viewed ? lane_span : NULL,
                               .switches_within = is_viewed ? lane_within : NULL,
                               .seen = is_viewed ? lane_seen : NULL,
                               .jump = m->ndrive > 0 ? lane_jump : NULL,
                               .project =
                                   m->tree.nq > m->tree.nv || m->nrow > 0 ? lane_settle : NULL,
                               .context = x};
  return step_create(&x->stepper, &options, &problem, study->from, x->y, NULL) == ART_OK;
}


static int open_lanes(switchingRun *s)
{
  const sweepCode *c = s->r->c;
  s->y_ahead = arena_alloc(&s->arena, (size_t) c->n * (size_t) c->lanes, sizeof(double));
  for (int k = 0; k < s->r->n; k++) {
    if (!open_lane(s, k)) return 0;
  }
  return s->y_ahead != NULL;
}


static void lane_account(const laneSteps *x)
{
  artCertificate *c = &x->r->member[x->k]->run->certificate;
  const artRun *run = x->r->member[x->k]->run;
  run_account_steps(c, step_counts(x->stepper));
  c->step_error = run_step_error(run, x->stepper);
  c->unproved_steps += run->view.unproved;
  c->generated = c->evaluations;
  c->programs = 1;
}


// every lane to t; those that cannot are out
static void step_lanes(switchingRun *s, double t)
{
  const lanesRun *r = s->r;
  sweepCode *c = r->c;
  for (int k = 0; k < r->n; k++) {
    laneSteps *x = &s->lane[k];
    if (r->member[k]->is_out) continue;
    r->member[k]->is_out = step_to(x->stepper, t, x->y, NULL) != ART_OK;
    put_lane_column(c, k, x->y, c->y);
  }
  for (int k = r->n; k < c->lanes; k++) put_lane_column(c, k, s->lane[0].y, c->y);
}


static void show_rows(switchingRun *s, double t)
{
  const lanesRun *r = s->r;
  for (int k = 0; k < r->n; k++) {
    laneSteps *x = &s->lane[k];
    if (r->member[k]->is_out) continue;
    r->member[k]->is_out = step_to(x->stepper, t, x->row, NULL) != ART_OK;
    if (r->member[k]->is_out) continue;
    lanes_show(r, k, t, x->row);
    lane_account(x);
  }
}


// along the grid from + k h; for a row in between steppers go beyond it, and back by a shorter step
static void run_lanes(switchingRun *s)
{
  const lanesRun *r = s->r;
  const artRunDef *study = &r->member[0]->study;
  const long rows = art_output_count(study);
  const double h = study->step;
  double t = study->from, next = t + h;
  long steps = 0;
  int is_ahead = 0; // the step from t to next is known
  for (long i = 1; i < rows && lanes_go_on(r); i++) {
    const double wanted = art_output_time(study, i);
    for (; next <= wanted; is_ahead = 0) {
      if (sweep_is_stopped(r->def)) return;
      if (!is_ahead) step_ahead(s, t, h, next);
      step_lanes(s, next);
      t = next;
      next = study->from + (double) (++steps + 1) * h;
    }
    if (t < wanted) {
      if (!is_ahead) step_ahead(s, t, h, next);
      step_ahead(s, t, wanted - t, wanted);
      is_ahead = 1;
    }
    show_rows(s, wanted);
  }
}


void lanes_advance_switching(const lanesRun *r)
{
  switchingRun s = {.r = r};
  const artRunDef *study = &r->member[0]->study;
  const int failed = lanes_find_rates(r, study->from, r->c->y, r->c->k1);
  for (int k = 0; k < r->n; k++) r->member[k]->is_out |= failed >> k & 1;
  lanes_compare(r);
  if (open_lanes(&s)) {
    run_lanes(&s);
  } else {
    for (int k = 0; k < r->n; k++) r->member[k]->is_out = 1;
  }
  for (int k = 0; k < r->n; k++) step_free(s.lane[k].stepper);
  arena_free(&s.arena);
}
