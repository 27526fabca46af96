// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps of forces that switch between smooth modes. Modes are held while a step is tried; a step in which a
// switching function reaches zero is taken again so long that it ends there, and the next one begins with
// another mode and the accelerations of that mode, and with other velocities where a drive's rate jumps.
#include <float.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/numbers.h"
#include "natural/motion_work.h"

enum {
  FEW = 20,  // changes of modes at one instant
  MANY = 50, // and within the time of a step
};

static const double ROUNDING = 1e-12;

// of the longest step: so far ahead rates tell where switching functions go
static const double AHEAD = 1e-6;

// of the largest value of a switching function so far: what is larger has not come to a border
static const double NEAR = 1e-9;

//---- how good a step is --------------------------------------------------------------------------

// The energies at hand are those of the motion, and at least what rounding of positions may make of a machine at rest: a
// part ROUNDING of its size in a step.
double motion_scale(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const motionOptions *o = &m->options;
  if (o->energy > 0) return o->energy;
  const double rounding = ROUNDING * m->s->length / o->step;
  w->scale = max_nan(w->scale, 0.5 * m->s->mass * rounding * rounding);
  const double heavy = motion_largest(m->s->n, m->s->weight) * m->s->length;
  const double kinetic = natural_kinetic(m->s, m->v, w->Mx);
  w->scale = max_nan(max_nan(w->scale, kinetic), max_nan(heavy, w->kinetic));
  return w->scale;
}


double motion_state_size(const naturalMotion *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->forces.nstate);
  const motionWork *w = m->work_space;
  const double way = m->options.longest * max_nan(fabs(m->s_rate[i]), fabs(w->s_rate[i]));
  return max_nan(m->s_size[i], max_nan(way, max_nan(fabs(m->s_state[i]), fabs(w->s[i]))));
}


// The error of the trapezoidal rule is  (s1 - s*)/(3 (1 + h'/h)),  s* = s0 + h r0 + h^2/(2 h') (r0 - r')  by the rates r'
// where the step before began, of the length h' (Milne). Where nothing is known of these it is h/12 |r1 - r0|, which is
// too much of a state that is slow.
static double state_error(const naturalMotion *m, int i)
{
  const motionWork *w = m->work_space;
  const double h = w->h, before = m->h_before, r = m->s_rate[i];
  if (before == 0) return h / 12 * fabs(w->s_rate[i] - r);
  const double guess = m->s_state[i] + h * (r + h / (2 * before) * (r - m->s_before[i]));
  return fabs(w->s[i] - guess) / (3 * (1 + before / h));
}


static double states_flaw(const naturalMotion *m)
{
  double worst = 0;
  for (int i = 0; i < m->forces.nwatched; i++) {
    const double size = motion_state_size(m, i);
    if (size > 0) worst = max_nan(worst, state_error(m, i) / size);
  }
  return worst;
}


motionFlaw motion_flaw(naturalMotion *m)
{
  const motionWork *w = m->work_space;
  double change = 0;
  for (int i = 0; i < m->s->n; i++) {
    const double da = fabs(w->a[i] - m->a[i]) / m->s->unit[i];
    if (!(da <= change)) change = da;
  }
  const double gap = fabs(w->energy - m->energy - w->work), scale = motion_scale(m);
  return (motionFlaw){.energy = scale > 0 ? gap / scale : 0,
                      .position = w->h * w->h / 12 * change,
                      .states = states_flaw(m)};
}


//---- where a mode ends ---------------------------------------------------------------------------

// at the end of the step that has been tried; else where it begins
static void find_switches(naturalMotion *m, int at_end, double *g)
{
  motionWork *w = m->work_space;
  double *most = w->g_most;
  const naturalForces *f = &m->forces;
  if (at_end && f->nstate > 0) f->set_states(f->context, w->s, NULL, 0, 0);
  f->switches(f->context, at_end ? w->t : m->t, at_end ? w->q : m->q, at_end ? w->v : m->v, g);
  if (at_end && f->nstate > 0) f->set_states(f->context, m->s_state, NULL, 0, 0);

  // conditions such as log(t - 1) may be infinite where they begin
  for (int i = 0; i < m->forces.nswitch; i++) {
    if (isfinite(g[i])) most[i] = fmax(most[i], fabs(g[i]));
  }
}


static int is_of_drive(const naturalMotion *m, int i)
{
  return i >= m->forces.drive_switch0 && i < m->forces.drive_switch0 + m->forces.ndrive_switch;
}


// rounding of a switching function of coordinates and their rates
static double find_rounding(const naturalMotion *m)
{
  const double q = motion_largest(m->s->n, m->q), v = motion_largest(m->s->n, m->v);
  return 16 * DBL_EPSILON * (1 + fmax(q, v));
}


// values of a switching function that count as zero: its rounding, and a tiny part of its largest value so far. Switching
// functions of drives depend on time alone.
static double tiny_switch_value(const naturalMotion *m, int i, double rounding)
{
  ART_ASSERT(i >= 0 && i < m->forces.nswitch);
  const double most = m->work_space->g_most[i];
  return is_of_drive(m, i) ? 16 * DBL_EPSILON * most : fmax(rounding, 1e-11 * most);
}


//---- the search for the end of a mode ------------------------------------------------------------

// the step of length h to t, whole or cut, and the switching functions at its end
static artStatus look_at_end(naturalMotion *m, double h, double t, int is_cut, artError *error)
{
  motionWork *w = m->work_space;
  w->h = h;
  w->t = t;
  w->is_cutting = is_cut;
  const artStatus status = motion_try(m, error);
  w->is_cutting = 1;
  if (!status) find_switches(m, 1, w->g);
  return status;
}


// An arrival where the step begins, as rounding of time may ask for, is no step.
static artStatus arrive_at(void *engine, double t, artError *error)
{
  naturalMotion *m = engine;
  motionWork *w = m->work_space;
  if (t > m->t) return look_at_end(m, t - m->t, t, 1, error);
  base_copy(w->g, w->g_0, (size_t) m->forces.nswitch);
  return ART_OK;
}


// by the cubics through both ends of the segment
static artStatus look_between(void *engine, double t, artError *error)
{
  naturalMotion *m = engine;
  motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  (void) error;
  natural_within(&w->span, m->s->n, f->nstate, t, w->want, w->dq, w->s_side);
  if (f->nstate > 0) f->set_states(f->context, w->s_side, NULL, 0, 0);
  f->switches(f->context, t, w->want, w->dq, w->g);
  if (f->nstate > 0) f->set_states(f->context, m->s_state, NULL, 0, 0);
  return ART_OK;
}


// the segment ends where the step being tried ends
static void end_segment(void *engine, double t)
{
  naturalMotion *m = engine;
  motionWork *w = m->work_space;
  const size_t n = (size_t) m->s->n, nstate = (size_t) m->forces.nstate;
  base_copy(w->end, w->q, n);
  base_copy(w->end + n, w->v, n);
  base_copy(w->end + 2 * n, w->s, 2 * nstate);
  w->span = (naturalSpan){.from = m->t,
                          .to = t,
                          .q = {m->q, w->end},
                          .v = {m->v, w->end + n},
                          .s = {m->s_state, w->end + 2 * n},
                          .s_rate = {m->s_rate, w->end + 2 * n + nstate}};
}


// what counts as zero of each function, and what rounding leaves of it
static void know_zeros(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const double rounding = find_rounding(m);
  for (int i = 0; i < m->forces.nswitch; i++) {
    const double own = 16 * DBL_EPSILON * w->g_most[i];
    w->g_zero[i] = tiny_switch_value(m, i, rounding);
    w->g_noise[i] = is_of_drive(m, i) ? own : fmax(rounding, own);
  }
}


static void open_search(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  w->search = (eventSearch){.n = f->nswitch,
                            .from = m->t,
                            .to = w->t,
                            .before = w->t_before,
                            .shortest = motion_instant(m),
                            .g_before = w->g_before,
                            .g_from = w->g_0,
                            .g_to = w->g_end,
                            .g = w->g,
                            .since = w->g_since,
                            .zero = w->g_zero,
                            .noise = w->g_noise,
                            .beyond = w->g_zero,
                            .look = look_between,
                            .arrive = arrive_at,
                            .cut = end_segment,
                            .engine = m,
                            .switches_within = f->within,
                            .is_latching = f->is_latching,
                            .context = f->context};
}


// The step being tried, cut where its mode ends. *met is the function that says so, -1: none; *at_once when
// the mode does not even hold where the step begins.
static artStatus meet_mode_end(naturalMotion *m, int *met, int *at_once, artError *error)
{
  motionWork *w = m->work_space;
  eventSearch *e = &w->search;
  const double whole = w->h, end = w->t;
  int fired, wrong;
  *met = -1;
  *at_once = 0;
  find_switches(m, 1, w->g_end);
  if (!(end > m->t)) return ART_OK; // shorter than rounding of time
  know_zeros(m);
  open_search(m);
  end_segment(m, end);
  artStatus status = event_look_back(e, error);
  if (!status) status = event_find_first(e, &fired, &wrong, error);
  if (status) return status;
  m->counts.unproved += e->unproved;
  *met = wrong >= 0 ? wrong : fired;
  *at_once = wrong >= 0 || (fired >= 0 && e->to - m->t <= motion_instant(m));
  if (*at_once || w->t == e->to) return ART_OK;
  return e->to < end ? arrive_at(m, e->to, error) : look_at_end(m, whole, end, 0, error);
}


//---- the next mode -------------------------------------------------------------------------------

// at velocities on the constraints
artStatus restart_accelerations(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  m->h_before = 0;
  for (int i = 0; i < m->s->n; i++)
    w->v[i] = m->v[i] + (motion_is_off(m, m->index) ? m->pseudo[i] : 0);
  artStatus status = natural_positions(m->s, &w->now, m->t, m->q);
  if (!status) status = motion_factor_projector(m, error);
  if (!status) status = motion_relax(m, m->q, w->v, m->a, m->lambda, error);
  return status ? status : motion_take_stock(m, error);
}


// A function that is zero where the mode is another one than on its border. Behind events zero is what rounding leaves.
static int is_switch_at_surface(const naturalMotion *m, int i, double rounding)
{
  const motionWork *w = m->work_space;
  const double zero = fmin(tiny_switch_value(m, i, rounding), NEAR * w->g_most[i]);
  return fabs(w->g_0[i]) <= (w->at_once > 0 ? zero : 0) &&
         m->forces.switching_surface(m->forces.context, i, 0);
}


// the switching functions a short way on, by the rates of the present mode
static void look_ahead_of_mode(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const motionOptions *o = &m->options;
  const double way = AHEAD * (o->method == MOTION_MULTI ? o->longest : o->step);
  for (int i = 0; i < m->s->n; i++) w->q[i] = m->q[i] + way * m->v[i];
  for (int i = 0; i < m->s->n; i++) w->v[i] = m->v[i] + way * m->a[i];
  for (int i = 0; i < m->forces.nstate; i++) w->s[i] = m->s_state[i] + way * m->s_rate[i];
  w->t = m->t + way;
  find_switches(m, 1, w->g);
}


// Functions that are zero and that the present mode does not make positive are put on their borders: where they stay zero the
// law has the value that it is defined to have there, and where they do not the next step tells to which side they go.
static artStatus rest_on_surfaces(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  const int nswitch = w->at_once > FEW ? 0 : m->forces.nswitch;
  const double rounding = find_rounding(m);
  for (int has_changed = nswitch > 0; has_changed;) {
    int candidates = 0;
    has_changed = 0;
    find_switches(m, 0, w->g_0);
    for (int i = 0; i < nswitch; i++) candidates += is_switch_at_surface(m, i, rounding);
    const artStatus status = candidates > 0 ? restart_accelerations(m, error) : ART_OK;
    if (status || candidates == 0) return status;
    look_ahead_of_mode(m);
    for (int i = 0; i < nswitch; i++) {
      if (!is_switch_at_surface(m, i, rounding) || w->g[i] > tiny_switch_value(m, i, rounding))
        continue;
      has_changed = m->forces.switching_surface(m->forces.context, i, 1);
    }
  }
  return ART_OK;
}


// a function that is negative though the mode is new, or -1; what is little may still become positive, or the
// next step will tell
static int find_wrong(const naturalMotion *m)
{
  const motionWork *w = m->work_space;
  int i = m->forces.nswitch - 1;
  while (i >= 0 && !(w->g_0[i] < -1e-6 * w->g_most[i])) i--;
  return i;
}


// Rates of drives have jumped. At a position, integrated over the instant, the equations of motion are
//   M (v1 - v0) + J^T mu = 0,    J v1 + phi_t = 0:
// v1 is v0 projected onto the constraints. The impulses do the work of the drives, along the mean velocity,
//   -J^T mu . (v0 + v1)/2 = (v1 - v0)^T M (v0 + v1)/2,
// for elsewhere J v is zero; written so it is free of the rounding that the penalty makes large in mu.
static artStatus apply_constraint_impact(naturalMotion *m, artError *error)
{
  const naturalSystem *s = m->s;
  motionWork *w = m->work_space;
  memcpy(w->want, m->v, (size_t) s->n * sizeof *m->v);
  const artStatus status = motion_project_velocities(m, m->t, m->q, m->v, error);
  if (status) return status;

  // a step of refinement restores the part of M dv + J^T mu = 0 along the motion that a large penalty loses:
  //   dv -= (M + alpha J^T J)^-1 (M dv + J^T mu)
  for (int i = 0; i < s->n; i++) w->dq[i] = m->v[i] - w->want[i];
  natural_mass_times(s, w->dq, w->r);
  natural_add_transposed(s, &w->now, w->mu, w->r);
  positive_solve(w->factor, w->r);
  for (int i = 0; i < s->n; i++) m->v[i] -= w->r[i];

  for (int i = 0; i < s->n; i++) w->dq[i] = m->v[i] - w->want[i];
  natural_mass_times(s, w->dq, w->Mx);
  for (int i = 0; i < s->n; i++) m->work += 0.5 * w->Mx[i] * (w->want[i] + m->v[i]);
  m->counts.impacts++;
  if (!motion_is_off(m, m->index)) return ART_OK;
  memset(m->pseudo, 0, (size_t) s->n * sizeof *m->pseudo);
  memset(m->carried, 0, (size_t) s->nrow * sizeof *m->carried);
  return ART_OK;
}


// A mode that would last comes after others that end at the same instant: in the modes of those its function may go no further
// than to zero, and *met is -1 then.
static artStatus switch_others(naturalMotion *m, int *met, artError *error)
{
  motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  const double rounding = find_rounding(m);
  int others = 0;
  if (!f->is_latching(f->context, *met)) return ART_OK;
  look_ahead_of_mode(m);
  find_switches(m, 0, w->g_0);
  for (int i = 0; i < f->nswitch; i++) {
    const double zero = tiny_switch_value(m, i, rounding);
    if (!(w->g_0[i] <= zero && w->g[i] < -zero) || f->is_latching(f->context, i)) continue;
    f->switch_mode(f->context, i);
    others++;
  }
  if (others == 0) return ART_OK;
  m->counts.events += others;
  w->at_once += others;
  const artStatus status = restart_accelerations(m, error);
  if (status) return status;
  look_ahead_of_mode(m);
  if (w->g[*met] >= -tiny_switch_value(m, *met, rounding)) *met = -1;
  find_switches(m, 0, w->g_0);
  if (*met < 0) *met = find_wrong(m);
  return ART_OK;
}


// function `met` has reached zero; so may others have, and the next mode may end at once
static artStatus change_modes(naturalMotion *m, int met, artError *error)
{
  ART_ASSERT(met >= 0 && met < m->forces.nswitch);
  motionWork *w = m->work_space;
  int is_impact;

  w->t_before = INFINITY; // values there belong to other modes
  memcpy(w->a_met, m->a, (size_t) m->s->n * sizeof *m->a);
  const artStatus crossed = switch_others(m, &met, error);
  if (crossed) return crossed;
  for (int i = met; i >= 0; i = find_wrong(m)) {
    m->counts.events++;
    if (++w->at_once > MOTION_CROSSINGS) return motion_stuck(m, 0, w->now.phi);
    find_switches(m, 0, w->g_0);
    m->forces.switch_mode(m->forces.context, i);
    const artStatus rested = rest_on_surfaces(m, error);
    if (rested) return rested;
    find_switches(m, 0, w->g_0);
  }
  const artStatus jumped = m->forces.jump(m->forces.context, &is_impact, error);
  artStatus status =
      is_impact && (!jumped || jumped == ART_STOPPED) ? apply_constraint_impact(m, error) : ART_OK;
  if (!status) status = jumped;
  if (status) return status;
  if (m->forces.remember) m->forces.remember(m->forces.context, m->memory);
  status = restart_accelerations(m, error);
  for (int i = 0; i < m->s->n; i++) w->jump = max_nan(w->jump, fabs(m->a[i] - w->a_met[i]));
  return status;
}


// Where rounding alone makes functions change their signs, as of a speed in a joint that sticks, all modes
// are chosen at the end of a step, for a while. Accelerations do not jump there.
static int is_rounding(naturalMotion *m)
{
  motionWork *w = m->work_space;
  if (w->crossings <= MANY && w->at_once <= FEW) return 0;

  // a change of a drive's mode is no rounding
  find_switches(m, 1, w->g);
  for (int i = 0; i < m->forces.nswitch; i++) {
    if (is_of_drive(m, i) && w->g[i] < 0) return 0;
  }
  if (w->crossings > MANY) return 1;
  return w->at_once > FEW && w->jump <= 1e-3 * motion_largest(m->s->n, m->a);
}


artStatus motion_settle(naturalMotion *m, int is_event, artError *error)
{
  motionWork *w = m->work_space;
  if (m->forces.nswitch == 0) return restart_accelerations(m, error);
  const int at_once = w->at_once;
  w->at_once = is_event;
  const artStatus status = rest_on_surfaces(m, error);
  w->at_once = at_once;
  w->t_before = INFINITY;
  w->knows_switches = 0;
  if (m->forces.remember) m->forces.remember(m->forces.context, m->memory);
  return status ? status : restart_accelerations(m, error);
}


artStatus motion_enter(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  const int met = w->met - 1;
  w->met = 0;
  return met < 0 ? ART_OK : change_modes(m, met, error);
}


// what lies inside the step being tried
static void look_into_step(naturalMotion *m)
{
  const motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  if (!f->look) return;
  f->look(f->context, &(naturalSpan){.from = m->t,
                                     .to = w->t,
                                     .q = {m->q, w->q},
                                     .v = {m->v, w->v},
                                     .s = {m->s_state, w->s},
                                     .s_rate = {m->s_rate, w->s_rate},
                                     .is_new = m->h_before == 0});
}


// Has the step being tried seen all that acts within it? w->seen says up to where. Steps of given length and the shortest ones are
// taken, and counted.
static int motion_has_seen_all(naturalMotion *m)
{
  motionWork *w = m->work_space;
  const naturalForces *f = &m->forces;
  const double end = f->seen ? f->seen(f->context, w->t) : INFINITY;
  if (!(end < w->t)) return 1;
  if (w->stands) {
    m->counts.unseen++;
    return 1;
  }
  w->seen = end;
  return 0;
}


artStatus motion_complete(naturalMotion *m, artError *error)
{
  motionWork *w = m->work_space;
  w->seen = INFINITY;
  look_into_step(m);
  if (m->forces.nswitch == 0) {
    if (motion_has_seen_all(m)) motion_accept(m);
    return ART_OK;
  }
  if (!(fabs(m->t - w->window) < m->options.step)) {
    w->window = m->t;
    w->crossings = 0;
  }
  if (is_rounding(m)) {
    w->t_before = INFINITY;
    motion_accept(m);
    w->at_once = 0;
    w->jump = 0;
    m->forces.choose(m->forces.context, m->t, m->q, m->v);
    if (m->forces.remember) m->forces.remember(m->forces.context, m->memory);
    w->knows_switches = 0;
    return restart_accelerations(m, error);
  }

  int met, at_once;
  if (!w->knows_switches) find_switches(m, 0, w->g_0);
  w->knows_switches = 1;
  w->is_cutting = 1;
  const artStatus status = meet_mode_end(m, &met, &at_once, error);
  w->is_cutting = 0;
  if (status) return status;
  if (at_once) return change_modes(m, met, error);
  if (!motion_has_seen_all(m)) return ART_OK;
  w->t_before = m->t;
  motion_accept(m);
  memcpy(w->g_before, w->g_0, (size_t) m->forces.nswitch * sizeof *w->g);
  memcpy(w->g_0, w->g_end, (size_t) m->forces.nswitch * sizeof *w->g);
  w->at_once = 0;
  w->jump = 0;
  w->crossings += met >= 0;
  w->met = met + 1;
  return ART_OK;
}
