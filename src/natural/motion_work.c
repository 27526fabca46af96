// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motion in natural coordinates: making it, whole steps, parts of steps, saved states.
#include "natural/motion_work.h"

#include <float.h>
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/numbers.h"

// a step that fails is taken in parts, down to this fraction
enum { PARTS = 1024 };

// most times that an automatic penalty grows within a step
static const double GROWTH = 1e6;

// If no step converges, a message names a penalty above this multiple of the usual one: it costs six digits of the residuals.
static const double MAX_USUAL_PENALTY = 1e6;

// s: below this a displacement says little about accelerations, and index 1 reads on
static const double SHORT_PEEK = 1e-4;

// of the energies at hand and of the coordinates' units: what a part of a step of 1 ms may leave open after a change of
// modes. It shrinks with the third power of the step, as errors do, but not below the last.
static const double SWITCH_ENERGY = 1e-6, SWITCH_LOCAL = 1e-5, SWITCH_LEAST = 1e-9;

motionOptions motion_default_options(void)
{
  return (motionOptions){
      .method = MOTION_INDEX3,
      .step = 1e-3,
      .longest = 1e-2,
      .radius = 1,
      .tolerance = 1e-9,
      .iterations = 40,
      .upper = 2.65e-5,
      .lower = 1e-7,
      .safety = 0.8,
      .growth = 2,
      .shrink = 0.1,
      .leave_3 = 1e-4,
      .leave_1 = 2e-4,
      .reductions = 5,
  };
}


motionProjection motion_projection(const naturalMotion *m)
{
  if (m->options.projection != PROJECTION_DEFAULT) return m->options.projection;
  return m->options.method == MOTION_CONSERVING ? PROJECTION_NONE : PROJECTION_FULL;
}


static double automatic_penalty(const naturalSystem *s)
{
  return 1e7 * s->mass;
}


double motion_penalty(const naturalMotion *m, double share, double least)
{
  return m->options.penalty > 0 ? m->alpha
                                : fmax(m->alpha, least * m->work_space->heaviest / share);
}


motionGrowth motion_begin_growth(const naturalMotion *m, double alpha, int patience)
{
  ART_ASSERT(alpha > 0 && patience >= 0);
  const double most = m->options.penalty > 0 ? alpha : GROWTH * alpha;
  return (motionGrowth){.left = INFINITY, .most = most, .patience = patience};
}


// of the largest coordinate: angles of wheels that keep turning grow
double motion_rounding(const naturalMotion *m)
{
  return 4 * DBL_EPSILON * motion_largest(m->s->n, m->q);
}


// x = alpha share mu from what is left, 1 / (1 + x); it should be 10. The part that a correction along curved
// constraints leaves of itself, in the second order, is no fault of the penalty.
int motion_grow(const naturalMotion *m, motionGrowth *g, double change, double *alpha)
{
  const double curved = 4 * change * change * fmax(1, m->s->length);
  const double before = g->left;
  const double fine = fmax(curved, fmax(1e-13 * m->s->length, motion_rounding(m)));
  g->left = motion_largest(m->s->nrow, m->work_space->now.phi);
  g->slow = g->left > fine && g->left > before / 4 ? g->slow + 1 : 0;
  if (g->slow <= g->patience || *alpha >= g->most) return 0;
  const double x = fabs(before / g->left - 1);
  *alpha = fmin(g->most, *alpha * fmax(10, 10 / x));
  return 1;
}


//---- create --------------------------------------------------------------------------------------

// numbers of the state
static size_t vector_count(const naturalMotion *m)
{
  return 4 * (size_t) m->s->n + 2 * (size_t) m->s->nrow + 4 * (size_t) m->forces.nstate +
         (size_t) m->forces.nmemory;
}


static double *take_motion_numbers(naturalMotion *m, int count)
{
  return arena_alloc(&m->arena, (size_t) count, sizeof(double));
}


// the state in one piece, which is saved and loaded as it is
static int take_motion_state(naturalMotion *m)
{
  const int n = m->s->n, nrow = m->s->nrow, nstate = m->forces.nstate;
  double **parts[] = {&m->q,       &m->v,      &m->a,        &m->pseudo, &m->lambda, &m->carried,
                      &m->s_state, &m->s_rate, &m->s_before, &m->s_size, &m->memory};
  const int length[] = {n, n, n, n, nrow, nrow, nstate, nstate, nstate, nstate, m->forces.nmemory};
  double *next = take_motion_numbers(m, (int) vector_count(m));
  m->peeked = take_motion_numbers(m, m->forces.nmemory);
  m->peeked_off = take_motion_numbers(m, n);
  if (!next || !m->peeked || !m->peeked_off) return 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i] = next;
    next += length[i];
  }
  if (m->forces.remember) m->forces.remember(m->forces.context, m->memory);
  if (nstate > 0) m->forces.get_states(m->forces.context, m->s_state, m->s_rate);
  return 1;
}


static int take_motion_work(naturalMotion *m)
{
  motionWork *w = m->work_space = arena_alloc(&m->arena, 1, sizeof *w);
  if (!w) return 0;
  const naturalSystem *s = m->s;
  const int state = (int) motion_state_count(m), entries = s->row_start[s->nrow];
  double **vectors[] = {&w->q, &w->v, &w->a,    &w->pseudo, &w->d, &w->dq,
                        &w->Q, &w->r, &w->want, &w->Mx,     &w->b, &w->a_met};
  double **rows[] = {&w->lambda, &w->carried, &w->u, &w->mu, &w->phi_0, &w->stabiliser};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    if (!(*vectors[i] = take_motion_numbers(m, s->n))) return 0;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!(*rows[i] = take_motion_numbers(m, s->nrow))) return 0;
  }
  w->values = take_motion_numbers(m, s->pattern.start[s->n]);
  w->J = take_motion_numbers(m, entries);
  w->J_0 = take_motion_numbers(m, entries);
  w->J_factored = take_motion_numbers(m, entries);
  w->J_skew = take_motion_numbers(m, entries);
  w->form_0 = take_motion_numbers(m, 3 * s->nform);
  w->basis = take_motion_numbers(m, (SKEW_PRODUCTS + 1) * s->n);
  w->s = take_motion_numbers(m, 2 * m->forces.nstate);
  if (!w->s) return 0;
  w->s_rate = w->s + m->forces.nstate;
  double **functions[] = {&w->g_0,   &w->g,       &w->g_before, &w->g_most,
                          &w->g_end, &w->g_since, &w->g_zero,   &w->g_noise};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (!(*functions[i] = take_motion_numbers(m, m->forces.nswitch))) return 0;
  }
  w->end = take_motion_numbers(m, 2 * s->n + 2 * m->forces.nstate);
  w->s_side = take_motion_numbers(m, m->forces.nstate);
  w->part = w->stop = w->t_before = INFINITY;
  w->pace = m->options.step;
  w->left = 1;
  w->kept = take_motion_numbers(m, state);
  w->peeked = take_motion_numbers(m, state);
  for (int i = 0; i < s->n; i++) w->heaviest = max_nan(w->heaviest, s->M[s->pattern.start[i]]);
  for (int k = 0; k < s->nrow; k++) w->curved_rows += s->row[k].kind != NATURAL_PRODUCT;
  return w->values && w->J && w->J_0 && w->J_factored && w->J_skew && w->form_0 && w->basis &&
         w->end && w->s_side && w->kept && w->peeked && natural_start_state(s, &w->now, &m->arena);
}


static artStatus check_motion_options(const motionOptions *o, artError *error)
{
  const artPlace nowhere = base_nowhere();
  if (!(o->step > 0)) {
    return base_fail(error, ART_BAD_INPUT, nowhere, "a step of %g s; expected a positive one",
                     o->step);
  }
  if (!(o->radius >= 0 && o->radius <= 1)) {
    return base_fail(error, ART_BAD_INPUT, nowhere,
                     "a spectral radius of %g; expected one from 0 to 1", o->radius);
  }
  if (!(o->hht >= -1.0 / 3 && o->hht <= 0)) {
    return base_fail(error, ART_BAD_INPUT, nowhere,
                     "alpha of Hilber, Hughes and Taylor is %g; expected -1/3 to 0", o->hht);
  }
  return ART_OK;
}


artStatus motion_take_stock(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  const size_t n = (size_t) m->s->n * sizeof(double);
  if (m->options.method != MOTION_CONSERVING) {
    memcpy(m->pseudo, m->a, n);
    memcpy(m->carried, m->lambda, (size_t) m->s->nrow * sizeof(double));
  }
  memcpy(w->q, m->q, n);
  memcpy(w->v, m->v, n);
  memcpy(w->a, m->a, n);
  memcpy(w->pseudo, m->pseudo, n);
  memcpy(w->lambda, m->lambda, (size_t) m->s->nrow * sizeof(double));
  w->index = m->index;
  w->t = m->t;
  w->work = 0;
  artStatus status = motion_measure(m, error);
  if (m->forces.nstate > 0) {
    if (!status)
      status = m->forces.finish_states(m->forces.context, m->t, m->q, m->v, m->a, 0, error);
    m->forces.get_states(m->forces.context, m->s_state, m->s_rate);
  }
  m->energy = w->energy;
  m->power = w->power;
  m->residual = w->residual;
  return status;
}


artStatus motion_create(naturalMotion **out, const naturalSystem *s, const naturalForces *forces,
                        const motionOptions *options, double t, const double *q, const double *v,
                        artError *error)
{
  *out = NULL;
  artStatus status = check_motion_options(options, error);
  if (status) return status;
  naturalMotion *m = MEM_ARRAY(naturalMotion, 1);
  if (!m) return base_no_memory(error);
  m->s = s;
  if (forces) m->forces = *forces;
  m->options = *options;
  m->alpha = options->penalty > 0 ? options->penalty : automatic_penalty(s);
  m->t = t;
  m->next = options->step;
  m->index = options->method == MOTION_INDEX1 ? 1 : 3;
  if (take_motion_state(m) && take_motion_work(m)) {
    m->work_space->start = t;
    memcpy(m->q, q, (size_t) s->n * sizeof *q);
    memcpy(m->v, v, (size_t) s->n * sizeof *v);
    status = positive_create(&m->work_space->factor, &s->pattern, options->algebra, error);
  } else {
    status = base_no_memory(error);
  }

  // accelerations, multipliers and energy where it begins
  if (!status) status = motion_accelerations(m, t, m->q, m->v, m->a, m->lambda, error);
  if (!status) status = motion_take_stock(m, error);
  if (status) {
    motion_free(m);
    return status;
  }
  m->energy_0 = m->energy;
  m->largest_residual = m->residual;
  *out = m;
  return ART_OK;
}


void motion_free(naturalMotion *m)
{
  if (!m) return;
  if (m->work_space) positive_free(m->work_space->factor);
  arena_free(&m->arena);
  mem_free(m);
}


//---- pieces of a step ----------------------------------------------------------------------------

artStatus motion_forces(naturalMotion *m, double t, const double *q, const double *v, double *Q,
                        double *power, double *potential, artError *error)
{
  memcpy(Q, m->s->weight, (size_t) m->s->n * sizeof *Q);
  if (!m->forces.apply) return ART_OK;
  return m->forces.apply(m->forces.context, t, q, v, Q, power, potential, error);
}


// a row in which a coordinate stands
static const char *row_with_coordinate(const naturalSystem *s, int q)
{
  for (int k = 0; k < s->nrow; k++) {
    for (int i = s->row_start[k]; i < s->row_start[k + 1]; i++) {
      if (s->column[i] == q) return s->row[k].name;
    }
  }
  return "no constraint";
}


artStatus motion_factor(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  int worst;
  m->counts.factorisations++;
  const artStatus status = positive_factor(w->factor, w->values, &worst);
  if (!status) return ART_OK;

  // far from the constraints it is the iteration that went astray
  if (motion_largest(m->s->nrow, w->now.phi) > 1e-3 * m->s->length) {
    return motion_stuck(m, w->iteration, w->now.phi);
  }
  const double mass = m->s->M[m->s->pattern.start[worst]], usual = automatic_penalty(m->s);
  if (mass > 0 && m->options.penalty > usual) {
    return base_fail(
        error, status, base_nowhere(),
        "t = %g s: natural coordinate %d (in %s) has a mass of %.3g kg, which is lost "
        "compared with the penalty of %.3g kg; give a smaller 'penalty', or none: %.3g kg is "
        "usual here",
        w->t, worst, row_with_coordinate(m->s, worst), mass, m->options.penalty, usual);
  }
  if (mass > 0) {
    return base_fail(error, status, base_nowhere(),
                     "t = %g s: natural coordinate %d (in %s) has a mass of %.3g kg, which is lost "
                     "compared with "
                     "one of %.3g kg in the same machine",
                     w->t, worst, row_with_coordinate(m->s, worst), mass, w->heaviest);
  }
  return base_fail(error, status, base_nowhere(),
                   "t = %g s: neither masses nor constraints hold natural coordinate %d (in %s)",
                   w->t, worst, row_with_coordinate(m->s, worst));
}


artStatus motion_stuck(naturalMotion *m, int iteration, const double *rows)
{
  ART_ASSERT(iteration >= 0);
  motionWork *w = m->work_space;
  w->iteration = iteration;
  w->row = m->s->nrow > 0 ? natural_worst_row(m->s, rows) : -1;
  w->worst = w->row >= 0 ? fabs(rows[w->row]) : 0;
  if (w->row >= 0 && m->s->factor) w->worst /= m->s->factor[w->row];
  return ART_NO_CONVERGENCE;
}


// the largest |x + y| of a row, without its factor
static double worst_row_residual(const naturalSystem *s, const double *x, const double *y)
{
  double worst = 0;
  for (int k = 0; k < s->nrow; k++) {
    const double factor = s->factor ? s->factor[k] : 1;
    worst = max_nan(worst, fabs(x[k] + (y ? y[k] : 0)) / factor);
  }
  return worst;
}


motionResidual motion_find_open(naturalMotion *m)
{
  motionWork *w = m->work_space;
  natural_times(m->s, &w->now, w->v, w->u);
  double sum = 0;
  for (int k = 0; k < m->s->nrow; k++) {
    const double rate = w->u[k] + w->now.phi_t[k];
    sum += rate * rate;
  }
  return (motionResidual){.position = worst_row_residual(m->s, w->now.phi, NULL),
                          .velocity = worst_row_residual(m->s, w->u, w->now.phi_t),
                          .energy = m->alpha / 2 * sum};
}


artStatus motion_measure(naturalMotion *m, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  artStatus status = natural_velocities(s, &w->now, w->v);
  if (status) return status;
  w->residual = motion_find_open(m);
  natural_times(s, &w->now, w->a, w->u);
  w->residual.acceleration = worst_row_residual(s, w->u, w->now.bias);

  // forces at velocities on the constraints
  const int is_off = motion_is_off(m, w->index);
  double power = 0, potential = 0;
  if (is_off) motion_velocities_on(s->n, w->v, w->pseudo, w->r);
  status = motion_forces(m, w->t, w->q, is_off ? w->r : w->v, w->Q, &power, &potential, error);
  w->kinetic = natural_kinetic(s, w->v, w->Mx);
  w->energy = w->kinetic + (s->weight_0 - base_dot(s->n, s->weight, w->q) + potential);
  w->power = power + base_dot(s->nrow, w->lambda, w->now.phi_t);
  if (isnan(w->work)) w->work = w->h / 2 * (m->power + w->power);
  if (status || isfinite(w->energy)) return status;
  status = motion_stuck(m, 0, w->now.phi);
  return base_fail(error, status, base_nowhere(), "t = %.9g s: the energy is not finite", w->t);
}


// The conserving method keeps its own balance by construction. Another one has the velocities on the constraints, and the
// work by the trapezoidal rule from the power at both ends of the step.
static void recompute_balance(naturalMotion *m)
{
  motionWork *w = m->work_space;
  if (m->options.method != MOTION_CONSERVING) return;
  double energy = w->energy;
  if (motion_is_off(m, w->index)) {
    motion_velocities_on(m->s->n, w->v, w->pseudo, w->r);
    energy += natural_kinetic(m->s, w->r, w->Mx) - w->kinetic;
  }
  m->work_gap += w->h / 2 * (m->power + w->power) - w->work;
  const double work = m->work + w->work + m->work_gap;
  m->recomputed_error = max_nan(m->recomputed_error, fabs(energy - m->energy_0 - work));
}


// the step being tried begins with the rates that the motion has, and ends with its own
static void accept_states(naturalMotion *m)
{
  const motionWork *w = m->work_space;
  const size_t n = (size_t) m->forces.nstate;
  if (n == 0) return;
  base_copy(m->s_before, m->s_rate, n);
  m->h_before = w->h;
  for (size_t i = 0; i < n; i++) m->s_size[i] = motion_state_size(m, (int) i);
  base_copy(m->s_state, w->s, 2 * n);
  m->forces.set_states(m->forces.context, m->s_state, NULL, 0, 0);
}


static motionResidual larger_residual(motionResidual a, motionResidual b)
{
  return (motionResidual){max_nan(a.position, b.position), max_nan(a.velocity, b.velocity),
                          max_nan(a.acceleration, b.acceleration), max_nan(a.energy, b.energy)};
}


// The local error of positions in the step being tried. All rules are of order two with the leading term
//   h^3/12 q'''  =  h^2/12 (a1 - a0)
// (trapezoidal rule: h^3/6 - h^3/4; midpoint rule of the conserving method: the same).
static void find_local_error(const naturalMotion *m, double *error)
{
  const motionWork *w = m->work_space;
  for (int i = 0; i < m->s->n; i++) error[i] = w->h * w->h / 12 * (w->a[i] - m->a[i]);
}


void motion_accept(naturalMotion *m)
{
  motionWork *w = m->work_space;
  find_local_error(m, w->dq);
  recompute_balance(m);
  const size_t n = (size_t) m->s->n * sizeof(double), rows = (size_t) m->s->nrow * sizeof(double);
  memcpy(m->q, w->q, n);
  memcpy(m->v, w->v, n);
  memcpy(m->a, w->a, n);
  memcpy(m->pseudo, w->index == 1 ? w->a : w->pseudo, n);
  memcpy(m->lambda, w->lambda, rows);
  memcpy(m->carried, w->index == 1 ? w->lambda : w->carried, rows);
  accept_states(m);
  m->t = w->t;
  m->h = w->h;
  m->energy = w->energy;
  m->power = w->power;
  m->work += w->work;
  m->energy_error = max_nan(m->energy_error, fabs(m->energy - m->energy_0 - m->work));
  m->largest_work = max_nan(m->largest_work, fabs(m->work));
  m->residual = w->residual;
  m->largest_residual = larger_residual(m->largest_residual, w->residual);
  m->largest_open = larger_residual(m->largest_open, w->open);
  m->top_rate = max_nan(m->top_rate, motion_largest(m->s->n, m->v));
  if (m->forces.follow) m->forces.follow(m->forces.context, m->q, w->dq);
  if (m->forces.remember) m->forces.remember(m->forces.context, m->memory);

  motionCounts *c = &m->counts;
  c->shortest = c->steps == 0 ? w->h : fmin(c->shortest, w->h);
  c->longest = fmax(c->longest, w->h);
  c->steps++;
  if (w->index == 1) {
    c->time_index1 += w->h;
  } else {
    c->time_index3 += w->h;
  }
}


//---- steps ---------------------------------------------------------------------------------------

// where the middle is known, s1 = 2 s - s0 is the end
void motion_leave_middle(naturalMotion *m)
{
  motionWork *w = m->work_space;
  if (m->forces.nstate == 0) return;
  m->forces.get_states(m->forces.context, w->s, w->s_rate);
  for (int i = 0; i < m->forces.nstate; i++) w->s[i] = 2 * w->s[i] - m->s_state[i];
  m->forces.leave_middle(m->forces.context, w->s, w->h / 2);
}


artStatus motion_try(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  const int is_conserving = m->options.method == MOTION_CONSERVING;
  w->work = NAN;
  w->open = (motionResidual){0};

  // parts of a step that are so short that a displacement says little about accelerations are of index 1; the
  // conserving method takes its own
  const int is_part = w->is_cutting || w->is_short || (f->nswitch > 0 && isfinite(w->part));
  w->index = is_part && w->h < SHORT_PEEK && !is_conserving ? 1 : m->index;

  // states by the trapezoidal rule  s1 = s0 + h/2 (r0 + r1);  the conserving method asks for  s = s0 + h/2 r  in the
  // middle
  const int by_middle = w->index != 1 && is_conserving;
  if (f->nstate > 0) f->set_states(f->context, m->s_state, m->s_rate, w->h / 2, by_middle);

  artStatus status;
  if (w->index == 1) {
    status = motion_step_index1(m, error);

    // with accelerations on the constraints, as index 3 has them
    if (!status && m->index != 1) status = motion_relax(m, w->q, w->v, w->a, w->lambda, error);
  } else {
    status = by_middle ? motion_step_conserving(m, error) : motion_step_index3(m, error);
  }
  if (!status) status = motion_measure(m, error);

  // states of the step, and back to its beginning
  if (f->nstate > 0) {
    if (!status) status = f->finish_states(f->context, w->t, w->q, w->v, w->a, w->h / 2, error);
    f->get_states(f->context, w->s, w->s_rate);
    f->set_states(f->context, m->s_state, NULL, 0, 0);
  }
  return status;
}


// One part of a step: tried, good enough, taken. *excess: its error over the limits of a step that follows a change of
// modes.
static artStatus take_part(naturalMotion *m, double *excess, int is_shortest, artError *error)
{
  artStatus status = motion_try(m, error);
  *excess = status ? INFINITY : 0;
  if (!status && m->forces.nswitch > 0 && isfinite(m->work_space->part)) {
    const motionFlaw flaw = motion_flaw(m);
    const double step = fmin(1, m->options.step / 1e-3), cube = step * step * step;
    *excess = fmax(flaw.energy / fmax(SWITCH_ENERGY * cube, SWITCH_LEAST),
                   fmax(flaw.position, flaw.states) / fmax(SWITCH_LOCAL * cube, SWITCH_LEAST));
  }
  m->work_space->stands = 1; // its length is given
  if (!status && (*excess <= 1 || is_shortest)) status = motion_complete(m, error);
  return status;
}


// Velocities of the conserving method go to and fro across the constraints with steps of one length. Their
// error stays with the motion when the length changes, unless it is taken away: its little energy goes
// to the rest, which is counted, and which the recomputed balance shows.
static void rest_velocities(naturalMotion *m, double h)
{
  const int goes_on = fabs(h - m->h) <= 1e-6 * h || m->h == 0;
  if (m->options.method != MOTION_CONSERVING || m->forces.nswitch == 0 || goes_on) return;
  const double before = natural_kinetic(m->s, m->v, m->work_space->Mx);
  for (int i = 0; i < m->s->n; i++) m->v[i] += m->pseudo[i];
  memset(m->pseudo, 0, (size_t) m->s->n * sizeof *m->pseudo);
  memset(m->carried, 0, (size_t) m->s->nrow * sizeof *m->carried);
  const double after = natural_kinetic(m->s, m->v, m->work_space->Mx);
  const double share = after > 0.99 * before ? sqrt(before / after) : 1;
  for (int i = 0; i < m->s->n && share > 1; i++) m->v[i] *= share;
  m->counts.rescaled += share > 1;
  m->energy += (share > 1 ? before : after) - before;
}


// A step that fails as a whole is taken in parts, as is a step after a change of modes that is not exact enough; the state goes
// back to where the step began when nothing helps.
static artStatus step_whole(naturalMotion *m, double h, double t, artError *error)
{
  ART_ASSERT(h > 0);
  motionWork *w = m->work_space;
  const double shortest = m->options.is_whole ? h : h / PARTS;
  if (m->forces.nswitch == 0) w->part = INFINITY;
  if (m->forces.nswitch > 0) motion_save(m, w->kept);
  for (double left = h; left == h || left > motion_instant(m); left = t - m->t) {
    const double parts = fmax(1, ceil(left / w->part - 1e-9)), part = left / parts, start = m->t;
    const int is_shortest = part <= shortest;
    double excess;
    const artStatus entered = motion_enter(m, error);
    if (entered) {
      if (entered != ART_STOPPED) motion_load(m, w->kept);
      return entered;
    }
    rest_velocities(m, part);
    w->h = part;
    w->t = parts > 1 ? m->t + part : t;
    const artStatus status = take_part(m, &excess, is_shortest, error);
    if (status == ART_STOPPED) return status;
    if (status && (is_shortest || w->at_once > MOTION_CROSSINGS)) {
      // back, but for what the report will say
      const int at_once = w->at_once;
      if (left < h || m->forces.nswitch > 0) motion_load(m, w->kept);
      w->at_once = at_once;
      return status;
    }

    // the error of a part grows with its third power
    const double ratio = excess > 0 ? cbrt(0.8 / excess) : INFINITY;
    if (status || (excess > 1 && !is_shortest)) {
      base_forget(error);
      if (left == h && m->forces.nswitch == 0) motion_save(m, w->kept);
      m->counts.rejected++;
      w->part = part * (status ? 0.5 : fmax(0.1, fmin(0.9, ratio)));
    } else if (m->t < start + part * (1 - 1e-9)) {
      // a change of modes came before the end
      w->part = fmin(w->part, h);
    } else if (part >= h && ratio > 1) {
      w->part = INFINITY;
    } else {
      w->part = part * fmax(1, fmin(2, ratio));
    }
  }
  m->t = t;
  return ART_OK;
}


// forces write their own errors, functions of constraints do not
static artStatus report_motion_failure(naturalMotion *m, artStatus status, artError *error)
{
  const motionWork *w = m->work_space;
  if (status && status != ART_STOPPED && w->now.failed && error && !error->text[0]) {
    return base_fail(error, status, base_nowhere(), "%s failed at t = %.9g s: %s",
                     w->now.failed->name, w->t, art_status_text(status));
  }
  if (status != ART_NO_CONVERGENCE) return status;
  if (w->at_once > MOTION_CROSSINGS) {
    return base_fail(
        error, status, base_nowhere(),
        "t = %.9g s: the modes of forces changed %d times at once: no mode holds "
        "there; a smoother force law may help: friction that is to stick is an element "
        "of friction in its joint, or a lock, and not made by sign",
        m->t, MOTION_CROSSINGS);
  }
  char advice[100] = "";
  const double usual = automatic_penalty(m->s);
  if (m->options.penalty > MAX_USUAL_PENALTY * usual) {
    format_text(advice, sizeof advice, "; the penalty is %.3g kg, and %.3g kg is usual here",
                m->options.penalty, usual);
  }
  return base_fail(error, status, base_nowhere(),
                   "t = %.9g s: no convergence in %d iterations with steps down to %.3g s; largest "
                   "residual %.3g in %s%s",
                   w->t, w->iteration, w->h, w->worst,
                   w->row >= 0 ? m->s->row[w->row].name : "the equations of motion", advice);
}


// The end of a variable step: the stop, where that is near, or half the way, so that no short one is left.
static double variable_end(const naturalMotion *m)
{
  const double way = m->work_space->stop - m->t;
  if (way <= m->next) return m->work_space->stop;
  return m->t + (way < 2 * m->next ? way / 2 : m->next);
}


// one more step, to `end`
static artStatus step_to_end(naturalMotion *m, double end, artError *error)
{
  motionWork *w = m->work_space;
  artStatus status;
  if (m->options.method == MOTION_MULTI) {
    // (t + h) - t is h but for rounding
    const double way = end - m->t;
    w->is_short = way < m->next * (1 - 1e-9);
    status = motion_multi_step(m, w->is_short ? way : INFINITY, error);
  } else {
    w->is_short = w->pace < 0.5 * m->options.step;
    status = step_whole(m, w->pace, end, error);
    w->whole += !status;
  }
  w->is_short = 0;
  return status;
}


// forces as they are at the state of the motion, whatever has been shown of them since
static void restore_motion_forces(naturalMotion *m)
{
  if (m->forces.nstate > 0) m->forces.set_states(m->forces.context, m->s_state, NULL, 0, 0);
  if (m->forces.recall) m->forces.recall(m->forces.context, m->memory);
}


artStatus motion_advance(naturalMotion *m, double t, artError *error)
{
  motionWork *w = m->work_space;
  const int is_variable = m->options.method == MOTION_MULTI;
  restore_motion_forces(m);
  while (m->t < w->stop) {
    const double h = is_variable ? m->next : w->pace;
    double end = is_variable ? variable_end(m) : w->start + (w->whole + 1) * h;
    if (end > w->stop - 0.5 * h && !is_variable) end = w->stop;
    if (end > t + (end < w->stop ? 1e-9 * h : 0)) return ART_OK;
    if (m->pause && m->pause(m->pauser)) return ART_STOPPED;
    if (w->stop - m->t > motion_instant(m)) {
      const artStatus status = step_to_end(m, end, error);
      if (status) return report_motion_failure(m, status, error);
    }
    if (w->stop - m->t <= motion_instant(m)) m->t = w->stop;
  }
  return ART_OK;
}


void motion_stop(naturalMotion *m, double t)
{
  motionWork *w = m->work_space;
  if (t == w->stop) return;
  const double way = t - m->t, usual = m->options.step;
  w->stop = t;
  w->start = m->t;
  w->whole = 0;
  w->pace = isfinite(t) ? way / fmax(1, ceil(way / usual * (1 - 1e-9))) : usual;
}


artStatus motion_restart(naturalMotion *m, const motionPlace *place, artError *error)
{
  motionWork *w = m->work_space;
  const size_t n = (size_t) m->s->n * sizeof(double);
  const double before = m->energy + (place->work - m->work);
  if (place->t > m->t) {
    m->t = place->t;
    memcpy(m->q, place->q, n);
    memcpy(m->v, place->v, n);
    memcpy(m->a, place->a, n);
    memset(m->pseudo, 0, n);
    memcpy(m->lambda, place->lambda, (size_t) m->s->nrow * sizeof(double));
    memset(m->carried, 0, (size_t) m->s->nrow * sizeof(double));
    base_copy(m->s_state, place->states, (size_t) m->forces.nstate);
    base_copy(m->memory, place->memory, (size_t) m->forces.nmemory);
    m->work = place->work;
    w->met = 0;
    motion_stop(m, INFINITY);
    w->start = m->t;
    w->whole = 0;
  }
  restore_motion_forces(m);
  const artStatus status = report_motion_failure(m, motion_settle(m, 0, error), error);
  m->work += m->energy - before;
  return status;
}


//---- within a step -------------------------------------------------------------------------------

static artStatus reach_motion_time(naturalMotion *m, double t, artError *error)
{
  const double h = t - m->t;
  if (h < SHORT_PEEK) m->index = 1;
  if (m->options.method != MOTION_MULTI || h < SHORT_PEEK) return step_whole(m, h, t, error);
  while (m->t < t) {
    const artStatus status = motion_multi_step(m, t - m->t, error);
    if (status) return status;
    if (t - m->t < motion_instant(m)) return ART_OK;
  }
  return ART_OK;
}


artStatus motion_peek(naturalMotion *m, double t, double *q, double *v, double *a, double *lambda,
                      double *s, double *work, artError *error)
{
  double *peeked = m->work_space->peeked;
  artStatus status = ART_OK;
  motion_save(m, peeked);
  restore_motion_forces(m);
  if (t > m->t + motion_instant(m))
    status = report_motion_failure(m, reach_motion_time(m, t, error), error);
  if (!status) {
    const size_t n = (size_t) m->s->n * sizeof(double);
    memcpy(q, m->q, n);
    memcpy(v, m->v, n);
    memcpy(a, m->a, n);
    memcpy(lambda, m->lambda, (size_t) m->s->nrow * sizeof(double));
    if (m->forces.nmemory > 0) {
      memcpy(m->peeked, m->memory, (size_t) m->forces.nmemory * sizeof *m->peeked);
    }
    *work = m->work;
    m->peeked_residual = m->residual;
    if (motion_is_off(m, m->index)) memcpy(m->peeked_off, m->pseudo, n);
    if (m->index == 1) memset(m->peeked_off, 0, n);
    base_copy(s, m->s_state, (size_t) m->forces.nstate);
  }
  if (status != ART_STOPPED) motion_load(m, peeked);
  return status;
}


//---- saved states --------------------------------------------------------------------------------

// clang-format off
#define REALS(F)                                                                                   \
  F(t) F(h) F(h_before) F(next) F(energy) F(work) F(power) F(energy_0) F(energy_error) F(largest_work) F(work_gap) F(recomputed_error)                         \
  F(counts.shortest) F(counts.longest) F(counts.time_index1) F(counts.time_index3)                 \
  F(residual.position) F(residual.velocity) F(residual.acceleration)                               \
  F(largest_residual.position) F(largest_residual.velocity) F(largest_residual.acceleration)       \
  F(largest_open.position) F(largest_open.velocity) F(largest_open.energy) F(largest_residual.energy) F(top_rate)                  \
  F(work_space->start) F(work_space->whole) F(work_space->pace) F(work_space->stop) F(work_space->reductions) F(work_space->scale)         \
  F(work_space->kinetic) F(work_space->part) F(work_space->window) F(work_space->left)             \
  F(work_space->jump) F(work_space->t_before)
#define WHOLES(F)                                                                                  \
  F(counts.steps, long) F(counts.rejected, long) F(counts.iterations, long)                        \
  F(counts.factorisations, long) F(counts.switches, long) F(counts.events, long) F(counts.impacts, long) F(counts.sweeps, long) F(counts.unseen, long) F(counts.unproved, long) F(counts.rescaled, long) F(index, int)         \
  F(work_space->crossings, int) F(work_space->met, int) F(work_space->at_once, int) F(work_space->knows_switches, int)
// clang-format on

size_t motion_state_count(const naturalMotion *m)
{
#define ONE_REAL(field)        +1
#define ONE_WHOLE(field, type) +1
  return vector_count(m) + 3 * (size_t) m->forces.nswitch REALS(ONE_REAL) WHOLES(ONE_WHOLE);
}


void motion_save(const naturalMotion *m, double *state)
{
#define SAVE_REAL(field)        *state++ = m->field;
#define SAVE_WHOLE(field, type) *state++ = (double) m->field;
  REALS(SAVE_REAL)
  WHOLES(SAVE_WHOLE)
  const size_t nswitch = (size_t) m->forces.nswitch;
  base_copy(state, m->work_space->g_0, nswitch);
  base_copy(state + nswitch, m->work_space->g_most, nswitch);
  base_copy(state + 2 * nswitch, m->work_space->g_before, nswitch);
  base_copy(state + 3 * nswitch, m->q, vector_count(m));
}


void motion_load(naturalMotion *m, const double *state)
{
#define LOAD_REAL(field)        m->field = *state++;
#define LOAD_WHOLE(field, type) m->field = (type) *state++;
  REALS(LOAD_REAL)
  WHOLES(LOAD_WHOLE)
  const size_t nswitch = (size_t) m->forces.nswitch;
  base_copy(m->work_space->g_0, state, nswitch);
  base_copy(m->work_space->g_most, state + nswitch, nswitch);
  base_copy(m->work_space->g_before, state + 2 * nswitch, nswitch);
  base_copy(m->q, state + 3 * nswitch, vector_count(m));
  restore_motion_forces(m);
}
