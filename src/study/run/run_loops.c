// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops in a run: how far they open, which coordinates are independent, and singular positions on the way.
#include <math.h>

#include "base/max_nan.h"
#include "force/roll_place.h"
#include "loop/roll_rows.h"
#include "loop/rows.h"
#include "study/assemble/fork.h"
#include "study/run/run.h"


// how far loops that a method holds by its accelerations alone have opened; where nothing closes them it stays
void run_account_violation(artRun *run)
{
  artCertificate *c = &run->certificate;
  double *position = run->drifts ? &c->position_residual : &c->position_violation;
  double *velocity = run->drifts ? &c->velocity_residual : &c->velocity_violation;
  loopResidual open;
  if (residual_open(run->m, run->d, &open, NULL) != ART_OK) return;
  *position = max_nan(*position, open.position);
  *velocity = max_nan(*velocity, open.velocity);
}


// Velocities that closing the loops changes by more than this part of the largest belong to another branch,
// unless the machine nearly stands: then they are errors of integration, of which tolerances and steps say how
// large they may be relative to the largest velocity of the run so far.
#define JUMP       0.1
#define STANDING   100.0 // times the relative tolerance
#define FIXED      1e-2  // with steps of a given length
#define STANDSTILL 1e-9  // m/s or rad/s


double run_noise(const artRunDef *study)
{
  return art_integrator_is_fixed(study->integrator) ? FIXED : STANDING * study->tolerance;
}


// the data holds what closing has made of y
void run_check_branch(artRun *run, double t, const double *y)
{
  double fastest = 0, jump = 0;
  for (int k = 0; k < run->nv; k++) {
    const double v = y[run->nq + k] * run->units[run->nq + k];
    fastest = max_nan(fastest, fabs(v));
    jump = max_nan(jump, fabs(run->d->v[run->velocity[k]] - v));
  }
  run->top_speed = max_nan(run->top_speed, fastest);
  const double most = fmax(JUMP * fastest, fmax(run->noise * run->top_speed, STANDSTILL));
  if (jump <= most || run->halt.status != ART_OK) return;
  if (!run->is_by_code) run_check_passage(run, t, loop_weak(run->d->work->loop));
  if (run->halt.status != ART_OK) return;
  base_fail(
      &run->halt, ART_NO_CONVERGENCE, base_nowhere(),
      "the step that ends at t = %.9g s is too long to follow the loops: closed again they move "
      "otherwise, with velocities that differ by %.3g of up to %.3g; choose shorter steps or a "
      "tighter tolerance",
      t, jump, fastest);
}


// rank and freedom of the partition in force
void run_account_rank(artRun *run)
{
  const struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  c->rows = run->m->nrow;
  c->rank = loop->rank.rank;
  c->redundant = loop->rank.other_count;
  c->dof = loop->partition.nf;
}


// and how strong it is, where the numeric side has just been
void run_account_pivot(artRun *run, double t)
{
  const struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  if (loop->partition.nd == 0) return;
  const double ratio = loop->pivot / loop->pivot_start;
  if (ratio >= c->weakest_pivot || isnan(c->weakest_pivot)) return;
  c->weakest_pivot = ratio;
  c->weakest_time = t;
}


// a loop has passed a singular position
void run_account_passage(artRun *run, double t, int block)
{
  ART_ASSERT(block >= 0 && block < run->d->work->loop->blocks->block_count);
  artCertificate *c = &run->certificate;
  const double gap = run->d->work->loop->hold.bridge[block].gap;
  if (c->passages++ == 0 || (gap > 0 && c->passage_gap == 0)) {
    c->passage_time = t;
    study_block_joints(run->m, run->d, block, c->passage_joints);
  }
  c->passage_gap = max_nan(c->passage_gap, gap);
}


// a run that ends on the way over a singular position, at its weakest, has come to it on the branch of the motion
void run_account_ending(const artRun *run, artCertificate *c)
{
  const struct loopWork *loop = run->d->work->loop;
  if (c->weakest_time < c->time || c->rows == 0) return;
  for (int k = 0; k < loop->blocks->block_count; k++) {
    if (!loop->blocks->block[k].is_held) continue;
    c->passages = 1;
    c->passage_time = c->time;
    c->passage_gap = loop->hold.bridge[k].gap;
    study_block_joints(run->m, run->d, k, c->passage_joints);
  }
}


// Steps on the shortest feature of a road, of what rolls there.
#define STEPS_PER_BUMP 3


// how fast rolling joints slip where a step has ended, before they are projected
void run_account_slip(artRun *run)
{
  artCertificate *c = &run->certificate;
  c->velocity_violation = max_nan(c->velocity_violation, rolling_slip(run->m, run->d));
}


// steps of given length that pass a whole bump of a road see nothing of it
static void check_pace(artRun *run)
{
  int i = 0;
  if (!art_integrator_is_fixed(run->study.integrator)) return;
  const double pace = roll_pace(run->m, run->d, &i), step = run_step(&run->study);
  if (!(pace * step > 1)) return;
  const modelJoint *joint = &run->m->joint[run->m->cut[run->m->roll[i].cut].joint];
  base_fail(
      &run->halt, ART_BAD_INPUT, joint->place,
      "'%s' passes whole bumps of its road within steps of %.3g s at t = %.9g s: choose steps "
      "shorter than %.3g s",
      joint->name, step, run->d->time, 1 / (STEPS_PER_BUMP * pace));
}


// A contact with a curved surface that a step leads to a place where it is not one point ends the run.
void run_check_touches(artRun *run)
{
  if (run->halt.status != ART_OK) return;
  data_need_world(run->m, run->d);
  check_pace(run);
  if (run->halt.status != ART_OK) return;
  rolling_check_touches(run->m, run->d, &run->halt);
}


// of the weight, or the largest force: less may be rounding
#define PRESSED 1e-6


// Normal forces that pull, by the last evaluation. Where they are not unique, which of them pulls is a matter of
// choice.
void run_account_rolling(artRun *run, double t)
{
  const artModel *m = run->m;
  const struct loopWork *loop = run->d->work->loop;
  artCertificate *c = &run->certificate;
  double largest = study_weight(m);
  for (int i = 0; i < m->nroll; i++) {
    const int row = m->cut[m->roll[i].cut].row0;
    if (m->roll[i].kind != ROLL_EDGE && loop->rank.kind[row] != LOOP_ROW_INDEPENDENT) return;
    largest = max_nan(largest, fabs(loop->rows.lambda[row]));
  }
  for (int i = 0; i < m->nroll; i++) {
    const modelCut *cut = &m->cut[m->roll[i].cut];
    const double force = loop->rows.lambda[cut->row0];
    if (m->roll[i].kind == ROLL_EDGE || !(force < -PRESSED * largest)) continue;
    if (c->pull == 0) {
      c->pull_time = t;
      snprintf(c->pull_joint, sizeof c->pull_joint, "%s", m->joint[cut->joint].name);
    }
    c->pull = max_nan(c->pull, -force);
  }
}


// loops that are open by more than this are no loops any more, m or rad
#define APART 1e-3


// rows that follow from others only where the run began let go of the machine afterwards
artStatus run_check_closed(const artRun *run, double gap, artError *error)
{
  if (gap <= APART) return ART_OK;
  const double *phi = run->d->work->loop->rows.phi;
  int worst = 0;
  for (int r = 1; r < run->m->nrow; r++) {
    if (!(fabs(phi[r]) <= fabs(phi[worst]))) worst = r;
  }
  char name[MODEL_ROW_LENGTH];
  return base_fail(
      error, ART_NO_CONVERGENCE, base_nowhere(),
      "the loops have come apart by t = %.9g s: %s is open by %.3g m or rad; the run "
      "began in a singular position, where this row follows from others, or went through "
      "one: begin elsewhere, or check the lengths",
      run->d->time, model_row_name(run->m, worst, name), phi[worst]);
}


// the same at the end of a step, where those rows that are solved for have just been closed, by code or by numbers
void run_check_step(artRun *run)
{
  double gap;
  if (run->d->work->loop->rank.other_count == 0) return;
  if (!run->is_by_code) {
    run_check_closed(run, loop_gap_left(run->m, run->d), &run->halt);
    return;
  }
  data_place(run->m, run->d);
  if (loop_gap(run->m, run->d, &gap, NULL) == ART_OK) run_check_closed(run, gap, &run->halt);
}


// Singular positions are looked for at the ends of steps, by blocks that are weak (SINGULAR_WEAK) within about 0.15 rad on either
// side. No angle of a loop turns by more than this in a step, rad.
static const double LOOP_TURN = 0.15;


static int has_rolled_road(const artModel *m)
{
  for (int i = 0; i < m->nroll; i++) {
    if (m->cut[m->roll[i].cut].on.shape == ROLL_ON_ROAD) return 1;
  }
  return 0;
}


double run_longest_step(void *context, const double *y)
{
  artRun *run = context;
  double longest = run_longest_turn(run, y);
  int roll = 0;
  if (run->m->nrow == 0) return longest;
  if (has_rolled_road(run->m)) {
    run_put(run, step_time(run->stepper), y);
    longest = fmin(longest, 1 / (STEPS_PER_BUMP * roll_pace(run->m, run->d, &roll)));
  }
  const loopMatrix *J = &run->d->work->loop->rows.J;
  double fastest = 0;
  for (int e = 0; e < matrix_count(J); e++) {
    const int k = run->rotation[J->column[e]];
    if (k >= 0) fastest = max_nan(fastest, fabs(y[k]) * run->units[k]);
  }
  return fmin(longest, LOOP_TURN / fastest);
}


// does a loop determine how a body on a ball joint turns?
static int has_turn(const struct loopWork *loop, int block)
{
  ART_ASSERT(block >= 0 && block < loop->blocks->block_count);
  const loopBlock *b = &loop->blocks->block[block];
  int found = 0;
  for (int p = b->first; p < b->first + b->size; p++) {
    found |= loop->places.turn_of[loop->blocks->column[p]] >= 0;
  }
  return found;
}


// why a loop cannot be taken over a singular position
static const char *why_not(struct loopWork *loop, int block)
{
  if (loop->hold.input[block] >= 0) return "no smooth way leads over it";
  if (singular_path_find_input(&loop->hold, loop->blocks, block) >= 0) {
    return "no coordinate leads over it, for the loop depends on how a body turns: let another of "
           "its joints close it";
  }
  if (has_turn(loop, block)) {
    return "the loop has more than one freedom there; where one of them is the spin of a body "
           "between two ball joints, let one of these close the loop";
  }
  return "the motion is not determined there, for the loop has more than one freedom and motions "
         "that pass by on either side, however near, go different ways: start otherwise, or "
         "change a length";
}


// a loop, -1: none, that cannot be taken over the singular position that it has come to
void run_check_passage(artRun *run, double t, int block)
{
  char names[FORK_NAMES];
  if (block < 0 || run->halt.status != ART_OK) return;
  base_fail(&run->halt, ART_SINGULAR, base_nowhere(),
            "the loop of joints %s has come to a singular position at t = %.6g s, where it may go "
            "on in several ways; %s",
            study_block_joints(run->m, run->d, block, names), t,
            why_not(run->d->work->loop, block));
}
