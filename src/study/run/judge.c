// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The verdict on a run, by its certificate. Limits and their reasons: doc/reference/results.md, "Verdict".
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "articula/study.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/format.h"
#include "study/study.h"

// an energy balance that is open by this part of the energies at hand: amplitudes are off by half of it
static const double ENERGY_LIMIT = 1e-3;

// a hundredth of the gap at which loops count as apart and the run ends, m or rad; of rates, per s; both of a machine of a
// metre and a second
static const double POSITION_LIMIT = 1e-5, VELOCITY_LIMIT = 1e-3;

// of a machine, below which rounding of angles would be a violation, m
static const double MIN_LENGTH = 1e-7;

// steps of order two leave rates of natural coordinates off before these are projected: this part of the largest rate
// is what amplitudes may be off by
static const double RATE_LIMIT = 1e-3;

// a pivot that has shrunk to this part of itself: there, loops hold their dependent coordinates no more
static const double PIVOT_LIMIT = 1e-6;

// this part of all steps at the rounding limit
static const double ROUNDING_LIMIT = 0.25;


__attribute__((format(printf, 3, 4))) static void add(artJudgement *j, artVerdict verdict,
                                                      const char *format, ...)
{
  va_list args;
  if (verdict > j->verdict) j->verdict = verdict;
  if (j->reasons == ART_REASONS_MOST) return;
  va_start(args, format);
  format_text_list(j->reason[j->reasons++], ART_REASON_LENGTH, format, args);
  va_end(args);
}


static void judge_balance(artJudgement *j, const artCertificate *c, double error, const char *how)
{
  if (error <= fmax(ENERGY_LIMIT * c->energy_scale, c->energy_resolved)) return;
  add(j, ART_VERDICT_DOUBTFUL,
      "the energy balance%s is open by %.2g J where energies reach %.3g J; a tighter tolerance or "
      "a shorter step should close it",
      how, error, c->energy_scale);
}


static void judge_energy(artJudgement *j, const artCertificate *c)
{
  judge_balance(j, c, c->energy_error, "");
  judge_balance(j, c, c->recomputed_error, ", by velocities on the constraints,");
}


// limits of a machine that is smaller than a metre, or that moves in another time than seconds
static double small_length(const artCertificate *c)
{
  return c->length > 0 ? fmax(MIN_LENGTH, fmin(1, c->length)) : 1;
}


static void judge_constraints(artJudgement *j, const artCertificate *c)
{
  const double position = POSITION_LIMIT * small_length(c);
  const double velocity = VELOCITY_LIMIT * small_length(c) * (c->pace > 0 ? c->pace : 1);
  if (!(c->position_residual <= position && c->velocity_residual <= velocity)) {
    add(j, ART_VERDICT_DOUBTFUL,
        "constraints are violated by up to %.2g m or rad, rates by %.2g per second",
        c->position_residual, c->velocity_residual);
  }
  const double top = isfinite(c->top_rate) ? c->top_rate : 0;
  const double rates = fmax(velocity, RATE_LIMIT * top);
  if (!(c->position_violation <= position && c->velocity_violation <= rates)) {
    add(j, ART_VERDICT_DOUBTFUL,
        "constraints were violated by up to %.2g m or rad, rates by %.2g per second, before they "
        "were closed or projected at the ends of steps; shorter steps violate them less, and "
        "method "
        "semirecursive closes loops at every evaluation",
        c->position_violation, c->velocity_violation);
  }
}


static void judge_passages(artJudgement *j, const artCertificate *c)
{
  if (c->rows == 0) return;
  if (c->passage_gap > 0) {
    add(j, ART_VERDICT_DOUBTFUL,
        "the lengths between joints %.160s miss a singular position by %.2g m or rad, as rounded "
        "numbers do; the loop was taken through it as if they met it",
        c->passage_joints, c->passage_gap);
  }

  // those that were passed have been on the branch of the motion
  if (c->passages > 0 || c->weakest_pivot >= PIVOT_LIMIT) return;
  add(j, ART_VERDICT_DOUBTFUL,
      "the loops came to a singular position at %.6g s, where several motions may go on: their "
      "weakest pivot was %.2g of what it was",
      c->weakest_time, c->weakest_pivot);
}


static void judge_rolling(artJudgement *j, const artCertificate *c)
{
  if (!(c->pull > 0)) return;
  add(j, ART_VERDICT_DOUBTFUL,
      "'%.160s' would lift off by t = %.6g s: to keep it there it was pulled, by up to "
      "%.3g N",
      c->pull_joint, c->pull_time, c->pull);
}


// Newton's restitution and friction may contradict each other in impacts (Kane)
static const double GAIN_LIMIT = 1e-9; // of the energies at hand


static const double LEFT_LIMIT = 1e-2; // of the velocities in a step

static void judge_contacts(artJudgement *j, const artCertificate *c)
{
  if (!(c->contact_left <= LEFT_LIMIT)) {
    add(j, ART_VERDICT_DOUBTFUL,
        "in a step the sweeps over the contacts left velocities off by %.2g of the largest one; "
        "shorter steps leave less",
        c->contact_left);
  }
  if (c->contact[0]) {
    add(j, ART_VERDICT_DOUBTFUL,
        "the surfaces of rigid contact '%.160s' came to overlap, by up to %.3g m; shorter steps "
        "find the instant at which they meet",
        c->contact, c->contact_overlap);
  }
  if (!(c->contact_gain <= fmax(GAIN_LIMIT * c->energy_scale, c->energy_resolved))) {
    add(j, ART_VERDICT_DOUBTFUL,
        "the impact of rigid contacts at t = %.6g s added %.3g J: restitution and friction "
        "contradict "
        "each other there; less of either, or compliant contacts, would not",
        c->gain_time, c->contact_gain);
  }
}


static void judge_steps(artJudgement *j, const artCertificate *c)
{
  if ((double) c->rounding_steps <= ROUNDING_LIMIT * (double) c->steps) return;
  add(j, ART_VERDICT_DOUBTFUL,
      "about %ld of %ld steps were as short as rounding of the state allows: the tolerance asks "
      "for "
      "more digits than there are",
      c->rounding_steps, c->steps);
}


static void judge_views(artJudgement *j, const artCertificate *c)
{
  if (c->unseen_steps > 0) {
    add(j, ART_VERDICT_DOUBTFUL,
        "within %ld of %ld steps a formula, stop or road changes more than the ends of the "
        "steps show; ask for a shorter step, or an integrator that chooses its steps",
        c->unseen_steps, c->steps);
  }
  if (c->unproved_steps > 0) {
    add(j, ART_VERDICT_DOUBTFUL,
        "it could not be shown for %ld steps that no formula, stop or road does anything "
        "within them that their ends do not show; compare with a run of shorter steps",
        c->unproved_steps);
  }
}


static void judge_results(artJudgement *j, const artCertificate *c)
{
  if (c->step_error <= STUDY_RESULT_LIMIT) return;
  if (isfinite(c->step_error)) {
    add(j, ART_VERDICT_DOUBTFUL,
        "results are off by about %.2g of themselves by the errors of steps; a shorter "
        "step or a tighter tolerance should bring them nearer",
        c->step_error);
  } else {
    add(j, ART_VERDICT_DOUBTFUL,
        "in shorter steps, or with a tighter tolerance, this case does not come to its end");
  }
}


const char *art_stiffness_note(const artCertificate *c, char text[ART_REASON_LENGTH])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(c && text, NULL);
  if (!c->is_stiff) return NULL;
  format_text(text, ART_REASON_LENGTH,
              c->is_changed_over
                  ? "stiff from t = %.6g s, continues with bdf"
                  : "stiff from t = %.6g s: stability, not the tolerance, bounds the steps of "
                    "dopri5; integrator bdf can take much longer ones",
              c->stiff_time);
  return text;
}


artJudgement art_judge(const artCertificate *c, const artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(c, (artJudgement){.verdict = ART_VERDICT_FAILED});
  artJudgement j = {.verdict = ART_VERDICT_GOOD};
  if (error && error->status != ART_OK) {
    add(&j, ART_VERDICT_FAILED, "the run ended early, at %.9g s: %s", c->time, error->text);
  }
  if (c->odd_rows > 0) {
    add(&j, ART_VERDICT_FAILED, "a number is not finite in %ld row%s%s%s", c->odd_rows,
        c->odd_rows == 1 ? "" : "s", c->odd_outputs[0] ? ", at first " : "", c->odd_outputs);
  }
  judge_energy(&j, c);
  judge_constraints(&j, c);
  judge_passages(&j, c);
  judge_rolling(&j, c);
  judge_contacts(&j, c);
  judge_steps(&j, c);
  judge_views(&j, c);
  judge_results(&j, c);
  return j;
}
