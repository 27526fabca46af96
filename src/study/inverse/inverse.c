// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inverse dynamics along a motion given by formulas.
//
// With closed loops the coordinates that formulas or drives give are the independent ones, as if they
// were driven; the others follow, and free ones still rest. The loops are followed from the
// state before in short steps, so that their branch is kept.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/study.h"
#include "base/arithmetic.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"
#include "study/assemble/assemble.h"
#include "study/study.h"

enum { MAX_REFINEMENTS = 7 };

static const double LONGEST_STEP = 0.1; // m or rad, of a coordinate that is given
static const double CLOSED = 1e-9;      // m or rad
static const double ROPE_OFF = 1e-6;    // of the length of a rope that is taut

//---- the motion of one coordinate ----------------------------------------------------------------

// position k with its derivatives at the present time: from the formula, or at rest
static formulaJet position_jet(const artModel *m, artData *d, const modelStudy *study, int k)
{
  ART_ASSERT(k >= 0 && k < m->tree.nq);
  artWorkspace *w = d->work;
  const formula *f = study ? study->motion[k] : NULL;
  if (!f) return (formulaJet){m->q_initial[k], 0, 0};
  formula_set_branches(f, w->force->slots, w->force->output_branch, w->force->stack);
  return formula_jet(f, w->force->jets, w->force->output_branch, w->force->jet_stack);
}


// 2 vec(conj(e) f)
static void twice_vector_part(const double e[4], const double f[4], double out[3])
{
  out[0] = 2 * (e[0] * f[1] - e[1] * f[0] - e[2] * f[3] + e[3] * f[2]);
  out[1] = 2 * (e[0] * f[2] - e[2] * f[0] - e[3] * f[1] + e[1] * f[3]);
  out[2] = 2 * (e[0] * f[3] - e[3] * f[0] - e[1] * f[2] + e[2] * f[1]);
}


// The four formulas p give the direction of the quaternion e = p / |p|. In the axes of the link
//   omega = 2 vec(conj(p) p') / p.p
//   alpha = [2 vec(conj(p) p'') - 2 omega (p.p')] / p.p,  for conj(p') p' is a number
static void turn_link(const artModel *m, artData *d, const modelStudy *study, int q0, int v0)
{
  double p[4], dp[4], ddp[4], square = 0, growth = 0;
  for (int k = 0; k < 4; k++) {
    const formulaJet jet = position_jet(m, d, study, q0 + k);
    p[k] = jet.x;
    dp[k] = jet.dx;
    ddp[k] = jet.ddx;
    square += p[k] * p[k];
    growth += p[k] * dp[k];
  }
  if (!(square > 0)) {
    error_refuse(base_nowhere(),
                 "the quaternion '%s' ... '%s' of the study vanishes at t = %.9g s, expected "
                 "one that has a direction",
                 m->position[q0].name, m->position[q0 + 3].name, d->time);
  }
  double *omega = d->v + v0, *alpha = d->a + v0;
  for (int k = 0; k < 4; k++) d->q[q0 + k] = p[k] / sqrt(square);
  twice_vector_part(p, dp, omega);
  twice_vector_part(p, ddp, alpha);
  for (int k = 0; k < 3; k++) {
    omega[k] /= square;
    alpha[k] = (alpha[k] - 2 * omega[k] * growth) / square;
  }
}


//---- the whole motion ----------------------------------------------------------------------------

// all links by formulas and drives
static void move_links(const artModel *m, artData *d, const modelStudy *study)
{
  force_drive(m, d);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int turns = link_turns(link), straight = link_straight(link);
    if (link->is_driven) {
      d->a[link->v0] = d->work->a_drive[link->v0];
      if (!study || !study->motion[link->q0]) continue;
      error_refuse(base_nowhere(),
                   "the motion of '%s' is given by study '%s' and by a drive; remove one of them",
                   m->position[link->q0].name, study->def.name);
    }
    for (int k = 0; k < straight; k++) {
      const formulaJet jet = position_jet(m, d, study, link->q0 + k);
      d->q[link->q0 + k] = jet.x;
      d->v[link->v0 + k] = jet.dx;
      d->a[link->v0 + k] = jet.ddx;
    }
    if (turns) turn_link(m, d, study, link->q0 + straight, link->v0 + straight);
  }
  for (int k = 0; k < m->tree.nv; k++) {
    if (isfinite(d->v[k]) && isfinite(d->a[k])) continue;
    error_refuse(base_nowhere(),
                 "the motion has no velocity or acceleration '%s' at t = %.9g s: it is not "
                 "finite",
                 m->velocity[k].name, d->time);
  }
}


// the study among the studies of the model; *found stays NULL for one that prescribes nothing
static artStatus find_inverse_study(const artModel *m, const artInverseDef *def,
                                    const modelStudy **found, artError *error)
{
  *found = NULL;
  for (int i = 0; i < m->nstudy; i++) {
    if (&m->study[i].def.inverse == def) *found = &m->study[i];
  }
  if (*found || !def || def->motion.count == 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the study prescribes a motion but is not one of the model; add it before "
                   "compiling and take it from art_find_study");
}


//---- closed loops --------------------------------------------------------------------------------

// the data with its loops for the given motion, and what the walk needs
typedef struct inverseWalk {
  const artModel *m;
  artData *d;
  const artInverseDef *def;
  double time;
  double *tau; // [nv] the forces that are looked for
  struct loopWork
      *own;       // the loops of the machine, put back at the end; NULL: they are in their place
  double *start;  // [nq] closed positions
  double *target; // [nq] where the given ones shall be
  double *a;      // [nv] given accelerations
  double *g;      // [nv] missing forces
} inverseWalk;


static int is_given(const modelStudy *study, const treeLink *link, int k)
{
  const int straight = link_straight(link);
  if (link->is_driven) return 1;
  if (!study) return 0;
  if (k < straight) return study->motion[link->q0 + k] != NULL;
  const formula *const *e = (const formula *const *) study->motion + link->q0 + straight;
  return e[0] || e[1] || e[2] || e[3];
}


// the machine's loops once more, with the coordinates that the study gives for drives
struct studyWork {
  struct loopWork *given;
  double *space; // [2 nq + 2 nv]
};


static int free_study(artWorkspace *w)
{
  loop_free(w->study->given);
  mem_free(w->study->space);
  mem_free(w->study);
  return 1;
}


static void forget_study(artWorkspace *w)
{
  loop_forget(w->study->given);
}


static int take_study(artWorkspace *w, const artModel *m);


// the loops of the study, as state_copy does it for the loops of the machine
static artStatus copy_study(artData *to, const artData *from, artError *error)
{
  if (!from->work->study) {
    forget_study(to->work);
    return ART_OK;
  }
  if (!take_study(to->work, to->work->now)) return base_no_memory(error);
  struct loopWork *own = to->work->loop;
  artWorkspace work = *from->work;
  artData open = *from;
  open.work = &work;
  work.loop = work.study->given;
  to->work->loop = to->work->study->given;
  const artStatus status = state_copy(to, &open, error);
  to->work->loop = own;
  return status;
}


static int take_study(artWorkspace *w, const artModel *m)
{
  static const workOwner owner = {.free = free_study, .forget = forget_study, .copy = copy_study};
  if (w->study) return 1;
  struct studyWork *study = mem_alloc(1, sizeof *study);
  if (!study) return 0;
  study->space = MEM_ARRAY(double, 2 * (m->tree.nq + m->tree.nv));
  if (study->space && loop_start(&study->given, m)) {
    w->study = study;
    w->owner[WORK_STUDIES] = &owner;
    return 1;
  }
  mem_free(study->space);
  mem_free(study);
  return 0;
}


static void take_walk(inverseWalk *walk)
{
  artWorkspace *w = walk->d->work;
  const size_t nq = (size_t) walk->m->tree.nq, nv = (size_t) walk->m->tree.nv;
  if (!take_study(w, walk->m)) error_throw();
  walk->own = w->loop;
  walk->start = w->study->space;
  walk->target = walk->start + nq;
  walk->a = walk->target + nq;
  walk->g = walk->a + nv;
}


static void place_walk_machine(inverseWalk *walk)
{
  data_place(walk->m, walk->d);
}


// closed positions to start from, and a partition in which given coordinates are independent
static void start_inverse_walk(inverseWalk *walk, const modelStudy *study)
{
  const artModel *m = walk->m;
  artData *d = walk->d;
  double gap;
  place_walk_machine(walk);
  error_check(loop_gap(m, d, &gap, error_current()));
  if (!(gap < CLOSED)) error_check(study_assemble(m, d, NULL, error_current()));
  memcpy(walk->start, d->q, (size_t) m->tree.nq * sizeof *d->q);

  d->work->loop = d->work->study->given;
  // which coordinates are given; 1 when they are not the same as before
  bool *given = d->work->study->given->driven;
  int changed = 0;
  for (int k = 0; k < m->tree.nv; k++) {
    const treeLink *link = &m->tree.link[m->tree.dof_link[k]];
    const bool now = is_given(study, link, k - link->v0);
    changed |= now != given[k];
    given[k] = now;
  }
  error_check(changed ? loop_partition(m, d, error_current()) : loop_watch(m, d, error_current()));
}


// rows that the given coordinates alone must fulfil
static void check_freedom(const inverseWalk *walk, const modelStudy *study)
{
  const artModel *m = walk->m;
  const struct loopWork *loop = walk->d->work->loop;
  for (int i = 0; i < loop->rank.other_count; i++) {
    const int row = loop->rank.other[i];
    if (loop->rank.kind[row] != LOOP_ROW_OVERDRIVEN) continue;
    char name[MODEL_ROW_LENGTH], list[400] = "";
    for (int e = loop->rows.J.start[row]; e < loop->rows.J.start[row + 1]; e++) {
      const int k = loop->rows.J.column[e];
      if (!loop->driven[k] || !loop->pattern[e]) continue;
      const size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s'%s'", used ? ", " : "", m->velocity[k].name);
    }
    error_refuse(base_nowhere(),
                 "the motion of study '%s' gives more than the machine has freedom for: %s ties "
                 "the given %s to each other; leave one of them out",
                 study ? study->def.name : "", model_row_name(m, row, name), list);
  }
}


static double longest_walk_way(const inverseWalk *walk)
{
  double most = 0;
  for (int k = 0; k < walk->m->tree.nq; k++) {
    most = max_nan(most, fabs(walk->target[k] - walk->start[k]));
  }
  return most;
}


// from start to target in n steps; other coordinates follow
static artStatus walk_in(inverseWalk *walk, int n)
{
  ART_ASSERT(n >= 1);
  const artModel *m = walk->m;
  artData *d = walk->d;
  artStatus status = ART_OK;
  memcpy(d->q, walk->start, (size_t) m->tree.nq * sizeof *d->q);
  for (int i = 1; i <= n && status == ART_OK; i++) {
    for (int k = 0; k < m->tree.nq; k++) {
      const double way = walk->target[k] - walk->start[k];
      if (way != 0) d->q[k] = i == n ? walk->target[k] : walk->start[k] + way * i / n;
    }
    art_normalise(m, d->q);
    place_walk_machine(walk);
    status = loop_close(m, d, error_current());
  }
  return status;
}


// the values of the formulas at the present time; everything else keeps its place and rests
static void aim_at_motion(inverseWalk *walk, const modelStudy *study)
{
  const artModel *m = walk->m;
  artData *d = walk->d;
  const bool *given = d->work->study->given->driven;
  move_links(m, d, study);
  memcpy(walk->target, walk->start, (size_t) m->tree.nq * sizeof *d->q);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int turns = link_turns(link), straight = link_straight(link);
    for (int k = 0; k < straight; k++) {
      if (given[link->v0 + k]) walk->target[link->q0 + k] = d->q[link->q0 + k];
    }
    for (int k = straight; turns && given[link->v0 + straight] && k < straight + 4; k++) {
      walk->target[link->q0 + k] = d->q[link->q0 + k];
    }
  }
  memcpy(walk->a, d->a, (size_t) m->tree.nv * sizeof *d->a);
}


// a_v from  J_v a_v = gamma  at the given accelerations
static void close_accelerations(inverseWalk *walk)
{
  const artModel *m = walk->m;
  artData *d = walk->d;
  artWorkspace *w = d->work;
  const size_t bytes = (size_t) m->tree.nv * sizeof *d->a;
  memcpy(walk->g, w->a_drive, bytes);
  memcpy(w->a_drive, walk->a, bytes);
  tree_rne(&m->tree, &w->tree, d->v, w->a_drive, w->scratch);
  const artStatus status = rows_gamma(m, d, &w->loop->rows, NULL, error_current());
  memcpy(w->a_drive, walk->g, bytes);
  memcpy(d->a, walk->a, bytes);
  error_check(status);
  blocks_solve(w->loop->blocks, w->loop->rows.gamma, d->a);
}


static void inverse_of_loops(inverseWalk *walk, const modelStudy *study)
{
  take_walk(walk);
  start_inverse_walk(walk, study);
  check_freedom(walk, study);
  aim_at_motion(walk, study);
  int n = 1 + (int) (fmin(longest_walk_way(walk), 1000) / LONGEST_STEP);
  artStatus status = walk_in(walk, n);
  for (int i = 0; i < MAX_REFINEMENTS && status == ART_NO_CONVERGENCE; i++) {
    n *= 2;
    base_forget(error_current());
    status = walk_in(walk, n);
  }
  error_check(status);
  force_set_modes(walk->m, walk->d);
  close_accelerations(walk);
  error_check(study_missing_forces(walk->m, walk->d, walk->d->a, walk->g, error_current()));
  error_check(study_actuate(walk->m, walk->d, study, walk->g, walk->tau, error_current()));
  // the multipliers for the machine's own loops, at the same state
  const artModel *m = walk->m;
  artWorkspace *w = walk->d->work;
  loopRows *rows = &walk->own->rows;
  memcpy(rows->lambda, w->study->given->rows.lambda, (size_t) m->nrow * sizeof *rows->lambda);
  error_check(rows_positions(m, walk->d, rows, NULL, error_current()));
  tree_axes(&m->tree, &w->tree);
  error_check(rows_jacobian(m, walk->d, rows, NULL, error_current()));
}


//---- all -----------------------------------------------------------------------------------------

static void inverse_of_tree(const artModel *m, artData *d, const modelStudy *study, double *tau)
{
  move_links(m, d, study);
  art_update(m, d);
  error_check(study_missing_forces(m, d, d->a, tau, error_current()));
  error_check(study_actuate(m, d, study, tau, tau, error_current()));
}


// a motion that is given at single instants tells nothing of states and samplers
static void refuse_states(const artModel *m)
{
  if (m->nrate == 0 && m->nsampler == 0) return;
  const int is_state = m->nrate > 0;
  error_throw_at(ART_UNSUPPORTED, is_state ? m->state[0].place : m->held[m->ninput].place,
                 "inverse dynamics has no %s: '%s' would stay as it is at the start; a run with "
                 "a drive gives its force",
                 is_state ? "states with formulas" : "samplers",
                 is_state ? m->state[0].name : m->held[m->ninput].name);
}


static void find_inverse_forces(void *context)
{
  inverseWalk *walk = context;
  const artModel *m = walk->m;
  artData *d = walk->d;
  const modelStudy *study;
  error_check(find_inverse_study(m, walk->def, &study, error_current()));
  refuse_states(m);
  d->work->is_frozen = 0;

  // the time, where formulas read it
  d->time = walk->time;
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind != QUANTITY_TIME) continue;
    d->work->force->jets[i] = (formulaJet){d->time, 1, 0};
    d->work->force->slots[i] = d->time;
  }
  if (m->nrow > 0) {
    inverse_of_loops(walk, study);
  } else {
    inverse_of_tree(m, d, study, walk->tau);
  }
  for (int k = 0; k < m->tree.nv; k++) {
    if (isfinite(walk->tau[k])) continue;
    error_refuse(base_nowhere(),
                 "the force of '%s' is not finite at t = %.9g s: a force element or its formula "
                 "has no value at this state",
                 m->velocity[k].name, d->time);
  }
}


artStatus art_inverse_at(const artModel *m, artData *d, const artInverseDef *def, double t,
                         double *tau, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(tau || m->tree.nv == 0, error);
  if (!isfinite(t)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "forces were asked for at t = %g s, a finite time is wanted", t);
  }
  const artStatus possible = model_refuse_rolls(m, "forces of a given motion", error);
  if (possible != ART_OK) return possible;
  artWorkspace *w = d->work;
  double none; // a machine without coordinates
  inverseWalk walk = {.m = m, .d = d, .def = def, .time = t, .tau = tau ? tau : &none};
  const artStatus status = error_try(find_inverse_forces, &walk, error);
  if (walk.own) w->loop = walk.own;
  if (status != ART_OK) return status;
  for (int k = 0; k < m->tree.nv; k++) {
    w->power += tau[k] * d->v[k];
    d->force[k] += tau[k];
  }
  w->has_motion = m->nrow == 0;
  if (w->has_motion) data_note_motion(m, d);
  method_need_forces(m, d);

  // slack ropes do nothing; the motion must leave them so.
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *rope = &m->latch[i];
    if (rope->type != ART_ROPE || m->engaged[i]) continue;
    const double length = force_latch_value(m, d, i, LATCH_LENGTH), most = rope->cut.length;
    if (length <= most * (1 + ROPE_OFF)) continue;
    return base_fail(error, ART_BAD_INPUT, rope->place,
                     "rope '%s' is %.9g m long, but the motion takes its points %.9g m apart at "
                     "t = %.9g s",
                     rope->name, most, length, d->time);
  }
  return ART_OK;
}


artStatus study_look_at_motion(const artModel *m, artData *d, const artInverseDef *def, double from,
                               double until, forceCornerFound *found, void *context,
                               artError *error)
{
  const modelStudy *study;
  artStatus status = find_inverse_study(m, def, &study, error);
  if (status == ART_OK) {
    status = force_look_at_drives(m, d, from, until, found, context, error);
  }
  for (int k = 0; k < m->tree.nq && study && status == ART_OK; k++) {
    const formula *f = study->motion[k];
    if (!f) continue;
    const modelDrive given = {.kind = "study",
                              .name = study->def.name,
                              .place = study->head.where.place,
                              .position = k,
                              .formula = study->motion[k],
                              .nmode = f->nswitch};
    int *mode = d->work->force->output_branch;
    status = force_look_at_motion(m, d, &given, from, until, mode, mode + f->nswitch, found,
                                  context, error);
  }
  return status;
}
