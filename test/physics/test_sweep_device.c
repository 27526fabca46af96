// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cases of sweeps that run together by kernels: each comes to what a run of its own comes to, or says how far it may be off.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

enum { MAX_CASES = 16, MAX_RESULTS = 16 };

typedef struct subject {
  const char *path, *parameter;
  double from, to;
  int n;
  artRunDef study;
} subject;

typedef struct swept {
  double value[MAX_CASES][MAX_RESULTS], size[MAX_RESULTS];
  artCertificate certificate[MAX_CASES];
  artJudgement judgement[MAX_CASES];
  int is_aside[MAX_CASES];
  int done, together, nresult;
  char aside[200];
} swept;

static const subject *now; // the one that is swept


static artRunDef study_of(artIntegrator integrator, double step, double until, double interval)
{
  artRunDef study = art_default_run();
  study.integrator = integrator;
  study.step = integrator == ART_RK4 ? step : 0;
  study.tolerance = integrator == ART_RK4 ? study.tolerance : step;
  study.until = until;
  study.interval = interval;
  return study;
}


static artStatus choose_study(void *context, const artModel *m, artRunDef *study, artError *error)
{
  (void) context, (void) m, (void) error;
  *study = now->study;
  return ART_OK;
}


static artStatus note_case(void *context, const artCase *c, artError *error)
{
  swept *s = context;
  (void) error;
  memcpy(s->value[c->number], c->value, (size_t) s->nresult * sizeof *c->value);
  s->certificate[c->number] = c->certificate;
  s->judgement[c->number] = art_judge(&c->certificate, &c->error);
  s->is_aside[c->number] = !c->device;
  s->together += c->device != NULL;
  s->done++;
  if (c->aside) snprintf(s->aside, sizeof s->aside, "%s", c->aside);
  for (int k = 0; k < s->nresult; k++) s->size[k] = fmax(s->size[k], fabs(c->value[k]));
  return ART_OK;
}


// final values of all outputs; batch NULL: each case by itself
static swept sweep(const subject *x, const artBatchDef *batch)
{
  swept s = {0};
  artResultDef result[MAX_RESULTS];
  double value[MAX_CASES];
  const int noutput = art_count(keep_file(x->path)).outputs;
  for (int k = 0; k < noutput && k < MAX_RESULTS; k++) {
    result[s.nresult++] = (artResultDef){ART_FINAL, k};
  }
  for (int i = 0; i < x->n; i++) {
    value[i] = x->from + (x->to - x->from) * i / (x->n > 1 ? x->n - 1 : 1);
  }
  now = x;
  const artSweepDef def = {.path = x->path,
                           .nparameter = 1,
                           .parameter = &x->parameter,
                           .ncase = x->n,
                           .value = value,
                           .nresult = s.nresult,
                           .result = result,
                           .threads = 2,
                           .batch = batch,
                           .choose = choose_study,
                           .done = note_case,
                           .context = &s};
  CHECK_WORKS(art_run_sweep(&def, &check_error));
  CHECK(s.done == x->n);
  return s;
}


static swept sweep_together(const subject *x, long portion)
{
  artBatchDef batch = art_default_batch();
  batch.n = portion;
  return sweep(x, &batch);
}


// by runs of their own of a small tolerance
static swept sweep_exactly(subject x)
{
  x.study = study_of(ART_DOPRI5, 1e-11, x.study.until, x.study.interval);
  return sweep(&x, NULL);
}


// of a case, relative to the largest of all cases
static double distance(const swept *a, const swept *b, int i)
{
  double most = 0;
  for (int k = 0; k < a->nresult; k++) {
    const double e = fabs(a->value[i][k] - b->value[i][k]);
    most = fmax(most, b->size[k] > 0 ? e / b->size[k] : e);
  }
  return most;
}


static subject four_bars(double from, double to, int n, artRunDef study)
{
  return (subject){ART_SOURCE_DIR "/models/loops/four-bar.yaml", "coupler", from, to, n, study};
}


// Near dead centres steps of 1 ms leave one case off by a hundredth, and the others by less than a ten-thousandth.
TEST(every_case_tells_how_far_its_steps_have_led_it_off)
{
  const subject x = four_bars(0.465, 0.505, 9, study_of(ART_RK4, 1e-3, 1, 0.01));
  const swept s = sweep_together(&x, 0), exact = sweep_exactly(x);
  int doubtful = 0;
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) {
    const double off = distance(&s, &exact, i), told = s.certificate[i].step_error;
    if (!CHECK(off <= 3 * told + 2e-5))
      printf("  %g is off by %g, told %g\n", 0.465 + 0.005 * i, off, told);
    CHECK(told <= 1000 * off + 1e-9);
    CHECK((told > 1e-3) == (s.judgement[i].verdict == ART_VERDICT_DOUBTFUL));
    CHECK(told <= 1e-3 || strstr(s.judgement[i].reason[0], "by the errors of steps"));
    doubtful += told > 1e-3;
  }
  CHECK(doubtful == 1);
  CHECK(distance(&s, &exact, 6) > 1e-3 && s.certificate[6].step_error > 1e-3);
}


// Rounding of single precision grows near dead centres, too.
TEST(errors_of_single_precision_are_told)
{
  subject x = four_bars(0.465, 0.505, 9, study_of(ART_RK4, 1e-3, 1, 0.01));
  artBatchDef batch = art_default_batch();
  batch.precision = ART_FLOAT;
  const swept s = sweep(&x, &batch), exact = sweep_exactly(x);
  for (int i = 0; i < x.n; i++) {
    const double off = distance(&s, &exact, i), told = s.certificate[i].step_error;
    if (!s.is_aside[i]) CHECK(off > 1e-7 && off <= 2 * told + 1e-6);
  }
  CHECK(s.together >= x.n - 1);
}


// Steps twice as long do not follow the bogie, but the steps of the results do.
TEST(longer_steps_that_are_unstable_speak_against_nobody)
{
  const subject x = {ART_SOURCE_DIR "/models/vehicles/bogie.yaml",
                     "speed",
                     38,
                     42,
                     3,
                     study_of(ART_RK4, 1e-3, 0.2, 0.05)};
  const swept s = sweep_together(&x, 0);
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) {
    CHECK(s.certificate[i].step_error > 0 && s.certificate[i].step_error < 1e-4);
  }
}


// Choices of coordinates that a machine goes over to late cost digits: with a ninth of the strain the case was off by 0.9.
TEST(coordinates_are_changed_well_before_dead_centres)
{
  const subject x = four_bars(0.465, 0.49, 6, study_of(ART_RK4, 1e-3, 1, 0.01));
  const swept s = sweep_together(&x, 0), exact = sweep_exactly(x);
  for (int i = 0; i < x.n; i++) CHECK(distance(&s, &exact, i) < 4e-4);
}


// A corner of a law that a step crosses is an error of first order. Where it matters a run of its own, which finds the corner, counts.
TEST(cases_run_by_themselves_where_switching_instants_matter)
{
  subject x = {ART_SOURCE_DIR "/models/puck.yaml", "l", 0.36, 0.44, 5,
               study_of(ART_RK4, 1e-3, 3, 0.05)};
  const swept s = sweep_together(&x, 0), apart = sweep(&x, NULL);
  int aside = 0;
  for (int i = 0; i < x.n; i++) {
    aside += s.is_aside[i];
    CHECK(s.judgement[i].verdict == ART_VERDICT_GOOD);
    if (s.is_aside[i]) CHECK(memcmp(s.value[i], apart.value[i], sizeof s.value[i]) == 0);
    for (int k = 0; k < s.nresult - 1; k++) { // the last is the balance of energy
      CHECK(fabs(s.value[i][k] - apart.value[i][k]) <= 1e-3 * apart.size[k]);
    }
  }
  CHECK(s.is_aside[1] && aside < x.n); // that one is off by 1.7e-3
  CHECK(strstr(s.aside, "across switching instants that matter"));
}


// Steps of dopri5 begin anew with each portion, and rows at every step of rk4 are compared with half steps.
TEST(cases_come_to_the_same_bits_in_any_portion)
{
  for (int k = 0; k < 2; k++) {
    const subject x = four_bars(0.5, 0.62, 9,
                                k == 0 ? study_of(ART_DOPRI5, 1e-7, 0.2, 0.02)
                                       : study_of(ART_RK4, 2e-3, 0.1, 2e-3));
    const swept all = sweep_together(&x, 16), some = sweep_together(&x, 2);
    CHECK(all.together == x.n && some.together == x.n);
    for (int i = 0; i < x.n; i++) {
      CHECK(memcmp(all.value[i], some.value[i], sizeof all.value[i]) == 0);
      CHECK(all.certificate[i].step_error > 0 && all.certificate[i].step_error < 1e-3);
    }
  }
}


// Threads change the parameter of a model from case to case; a sweep of one case reads it with its value.
TEST(cases_come_to_the_bits_of_models_that_are_read_for_them)
{
  const subject x = four_bars(0.58, 0.62, 5, study_of(ART_RK4, 1e-3, 0.1, 0.05));
  const swept all = sweep_together(&x, 8);
  CHECK(all.together == x.n);
  for (int i = 0; i < x.n; i++) {
    subject one = x;
    one.n = 1;
    one.from = one.to = x.from + (x.to - x.from) * i / (x.n - 1);
    const swept own = sweep_together(&one, 8);
    CHECK(own.together == 1);
    CHECK(memcmp(own.value[0], all.value[i], sizeof own.value[0]) == 0);
    CHECK(own.certificate[0].energy_error == all.certificate[i].energy_error);
  }
}


// A rope that is slack at the end, and taut again with a impact behind it: the certificates belong to these machines.
TEST(cases_whose_latches_have_changed_are_certified_where_they_stand)
{
  static const double until[] = {0.7, 1.2, 2};
  for (int k = 0; k < 3; k++) {
    const subject rope = {ART_SOURCE_DIR "/models/rope-pendulum.yaml", "L", 0.9, 1.1, 5,
                          study_of(ART_RK4, 1e-3, until[k], 0.1)};
    const subject latch = {ART_SOURCE_DIR "/models/latch.yaml",       "m1", 1.8, 2.2, 5,
                           study_of(ART_RK4, 1e-3, 3 * until[k], 0.1)};
    for (int which = 0; which < 2; which++) {
      const subject *x = which ? &latch : &rope;
      const swept s = sweep_together(x, 0), apart = sweep(x, NULL);
      CHECK(s.together == x->n);
      for (int i = 0; i < x->n; i++) {
        const artCertificate *a = &s.certificate[i], *b = &apart.certificate[i];
        CHECK(s.judgement[i].verdict == ART_VERDICT_GOOD);
        CHECK(a->energy_error <= 1e-6 * a->energy_scale);
        CHECK(a->rows == b->rows && a->rank == b->rank && a->dof == b->dof);
        CHECK(fabs(a->energy_end - b->energy_end) <= 1e-6 * a->energy_scale);
        CHECK(fabs(a->work - b->work) <= 1e-6 * a->energy_scale);
        CHECK(a->position_residual <= 1e-9 && a->velocity_residual <= 1e-9);
      }
    }
  }
}


// A force that jumps at 1 s, where a row is: sums of steps miss that instant by rounding, and a sampler takes the force behind it.
TEST(rows_at_instants_of_jumps_show_what_is_behind_them)
{
  const char *path = folder_path("jump.yaml");
  folder_write(path, "articula: 1\n"
                     "parameters: {m: 1 kg}\n"
                     "bodies: {cart: {mass: = m}}\n"
                     "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
                     "blocks:\n"
                     "  push: {type: formula, value: '= step(time - 1)'}\n"
                     "  held: {type: formula, value: = push, every: 10 ms}\n"
                     "forces: {motor: {type: joint-force, coordinate: rail, value: = push}}\n"
                     "outputs: {push: = push, held: = held, rate: rail.rate}\n"
                     "study: {type: run, until: 1.2 s, interval: 100 ms}\n");
  artBatchDef batch = art_default_batch();
  batch.corners = 1;
  for (int k = 0; k < 2; k++) {
    const subject x = {path, "m", 1, 2, 3, study_of(ART_RK4, 1e-3, k ? 1.2 : 1, 0.1)};
    const swept s = sweep(&x, &batch), apart = sweep(&x, NULL);
    CHECK(s.together == x.n);
    for (int i = 0; i < x.n; i++) {
      CHECK(s.value[i][0] == 1 && s.value[i][1] == 1 && apart.value[i][0] == 1);
      CHECK(apart.value[i][1] == 1);
      CHECK(fabs(s.value[i][2] - apart.value[i][2]) <= 1e-12);
    }
  }
}


// Samplers divide long steps, so that steps twice as long may be the same: half steps are compared with then.
TEST(errors_of_sampled_machines_are_told)
{
  subject x = {ART_SOURCE_DIR "/models/plant/inverted-pendulum.yaml",
               "period",
               0.01,
               0.02,
               3,
               study_of(ART_RK4, 0.02, 1, 0.1)};
  const swept s = sweep_together(&x, 0);
  x.study = study_of(ART_RK4, 1e-4, 1, 0.1);
  const swept exact = sweep(&x, NULL);
  for (int i = 0; i < x.n; i++) {
    const double off = distance(&s, &exact, i), told = s.certificate[i].step_error;
    if (!CHECK(told > 0 && off <= 3 * told + 1e-9)) printf("  off by %g, told %g\n", off, told);
  }
}


// A rod on a hinge with a motor that a sampler drives.
static const char *write_rod(const char *name, const char *blocks)
{
  char text[1000];
  const char *path = folder_path(name);
  snprintf(text, sizeof text,
           "articula: 1\n"
           "parameters: {kk: 15, Ts: 0.1}\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies: {rod: {mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.1, 0.3]}}\n"
           "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
           "initial: {pin: {angle: 0.7, rate: 1}}\n"
           "blocks: {%s}\n"
           "forces: {motor: {type: joint-force, coordinate: pin, value: = push}}\n"
           "outputs: {a: = pin.angle, r: = pin.rate}\n",
           blocks);
  folder_write(path, text);
  return path;
}


// the errors that are told, beside those there are
static swept check_rod(subject x)
{
  const swept s = sweep_together(&x, 0), exact = sweep_exactly(x);
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) {
    const double off = distance(&s, &exact, i), told = s.certificate[i].step_error;
    if (!CHECK(off > 1e-9 && off <= 1.5 * told && told <= 30 * off)) {
      printf("  case %d is off by %g, told %g\n", i, off, told);
    }
  }
  return s;
}


// Instants of samplers in the middle of steps, from the beginning on or later: half steps are the same.
TEST(errors_are_told_where_samplers_halve_the_steps)
{
  static const char *const offset[] = {"10 ms", "510 ms"};
  for (int k = 0; k < 2; k++) {
    char blocks[200];
    snprintf(blocks, sizeof blocks,
             "push: {type: sample, input: = -kk*pin.angle, every: 20 ms, offset: %s}", offset[k]);
    check_rod((subject){write_rod("halved.yaml", blocks), "kk", 10, 20, 3,
                        study_of(ART_RK4, 0.02, 2, 0.2)});
  }
}


// Cases with other intervals than the model; what is told of them is the same in portions of one.
TEST(errors_are_told_where_intervals_of_samplers_are_varied)
{
  const char *path =
      write_rod("varied.yaml", "push: {type: sample, input: = -kk*pin.angle, every: = Ts}");
  const subject x = {path, "Ts", 0.05, 0.1, 3, study_of(ART_RK4, 0.1, 2, 0.2)};
  const swept all = check_rod(x), some = sweep_together(&x, 1);
  for (int i = 0; i < x.n; i++) {
    CHECK(all.certificate[i].step_error == some.certificate[i].step_error);
  }
}


TEST(samplers_that_never_act_divide_no_steps)
{
  const char *path = write_rod(
      "never.yaml", "push: {type: sample, input: = -kk*pin.angle, every: 100 ms}, "
                    "late: {type: sample, input: = pin.angle, every: 1e-12 s, offset: 1000 s}");
  check_rod((subject){path, "kk", 10, 20, 3, study_of(ART_RK4, 0.1, 2, 0.2)});
}


// A result that is nothing but rounding, alone, beside a motion of decimetres.
TEST(results_that_are_rounding_speak_against_nobody)
{
  const char *path = folder_path("across.yaml");
  folder_write(
      path, "articula: 1\n"
            "parameters: {m: 2 kg}\n"
            "bodies: {cart: {mass: 1}, puck: {mass: = m}}\n"
            "joints:\n"
            "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
            "  slide: {type: prismatic, axis: y, from: cart, to: puck}\n"
            "forces:\n"
            "  kx: {type: joint-spring, coordinate: rail, stiffness: '= (m + 1[kg])*37[1/s^2]'}\n"
            "  ky: {type: joint-spring, coordinate: slide, stiffness: '= m*37[1/s^2]'}\n"
            "initial: {rail: {slide: 0.3}, slide: {slide: '= 0.3*tan(0.7)'}}\n"
            "outputs: {across: '= slide.slide*cos(0.7) - rail.slide*sin(0.7)'}\n");
  const subject x = {path, "m", 1, 2, 5, study_of(ART_RK4, 1e-3, 2, 0.1)};
  const swept s = sweep_together(&x, 0);
  CHECK(s.together == x.n && s.size[0] > 0 && s.size[0] < 1e-14);
  for (int i = 0; i < x.n; i++) {
    CHECK(s.judgement[i].verdict == ART_VERDICT_GOOD && s.certificate[i].step_error < 1e-4);
  }
}


// Steps of 20 ms are too long. Runs have other coordinates, and errors of their own, by which they and the cases are apart; cases tell
// theirs.
TEST(errors_of_long_steps_are_told_and_not_refused)
{
  subject x = four_bars(0.58, 0.62, 3, study_of(ART_RK4, 0.02, 2, 0.1));
  const swept s = sweep_together(&x, 0), exact = sweep_exactly(x);
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) {
    const double off = distance(&s, &exact, i), told = s.certificate[i].step_error;
    if (!CHECK(off > 1e-3 && off <= 3 * told)) printf("  off by %g, told %g\n", off, told);
    CHECK(s.judgement[i].verdict == ART_VERDICT_DOUBTFUL);
  }
}


//---- formulas of time ------------------------------------------------------------------------------

static const char PUSHED[] =
    "articula: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {start: 0.7 s, span: %g}\n"
    "bodies: {cart: {mass: 1}}\n"
    "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
    "forces: {push: {type: joint-force, coordinate: rail, value: '= 1[N*s]/(span*1[s])*%s'}}\n"
    "outputs: [rail.rate]\n";


// a pulse of a thousandth and one of a hundred-thousandth of a second, in each case at another time
static subject pushed(int is_smooth, artRunDef study)
{
  char text[2000];
  const char *path = folder_path(is_smooth ? "smooth.yaml" : "sudden.yaml");
  snprintf(text, sizeof text, PUSHED, is_smooth ? 1e-3 : 1e-5,
           is_smooth ? "2*(smooth(time, start, 0, start + span/2*1[s], 1) - smooth(time, start + "
                       "span/2*1[s], 0, start + span*1[s], 1))"
                     : "pulse(time, start, start + span*1[s])");
  folder_write(path, text);
  return (subject){path, "start", 0.7013, 9.7117, 5, study};
}


TEST(kernels_step_to_where_formulas_of_time_act)
{
  for (int k = 0; k < 3; k++) {
    const subject x = pushed(k == 0, study_of(ART_DOPRI5, 1e-8, 10, 1));
    artBatchDef batch = art_default_batch();
    batch.corners = k == 2;
    const swept s = sweep(&x, &batch);
    CHECK(k == 1 || s.together == x.n);
    for (int i = 0; i < x.n; i++) {
      CHECK_CLOSE(s.value[i][0], 1, 1e-5);
      CHECK(s.judgement[i].verdict == ART_VERDICT_GOOD);
    }
  }
}


TEST(steps_of_given_length_say_that_they_pass_formulas_of_time)
{
  for (int k = 0; k < 4; k++) {
    artRunDef study = study_of(ART_RK4, 0.01, 10, 1);
    if (k >= 2) study.backend = ART_BACKEND_GENERATED; // lanes
    const subject x = pushed(k % 2, study);
    const swept s = k < 2 ? sweep_together(&x, 0) : sweep(&x, NULL);
    for (int i = 0; i < x.n; i++) {
      const int is_good = s.judgement[i].verdict == ART_VERDICT_GOOD;
      if (k % 2) CHECK(!is_good && s.certificate[i].unseen_steps > 0);
      if (k % 2 == 0) CHECK(is_good && fabs(s.value[i][0] - 1) < 1e-6);
    }
  }
}


static const char PASSING[] = "articula: 1\n"
                              "gravity: [0, 0, 0]\n"
                              "parameters: {place: 5 m}\n"
                              "bodies: {cart: {mass: 1}, other: {mass: 1}}\n"
                              "joints:\n"
                              "  rail: {type: prismatic, axis: x, from: ground, to: cart}\n"
                              "  way: {type: prismatic, axis: x, from: ground, to: other}\n"
                              "initial: {way: {rate: 1}}\n"
                              "forces: {push: {type: joint-force, coordinate: rail, value: '= "
                              "1[N]/0.0177245385*exp(-((way.slide "
                              "- place)/0.01[m])^2)'}}\n"
                              "outputs: [rail.rate]\n";


// The first and the last case show what steps of a tenth of a second miss in all of them; where runs of these that find it come to
// something else, the sweep is refused.
TEST(steps_of_given_length_say_that_they_pass_formulas_of_the_motion)
{
  const char *path = folder_path("passing.yaml");
  folder_write(path, PASSING);
  const subject x = {path, "place", 3.05, 7.05, 9, study_of(ART_RK4, 0.1, 10, 1)};
  const swept s = sweep_together(&x, 0);
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) {
    const int is_good = s.judgement[i].verdict == ART_VERDICT_GOOD;
    CHECK(!is_good || fabs(s.value[i][0] - 1) < 0.01);
  }
}


// a quarter of a car at 30 m/s, and a bump that it passes in 10 ms, between rows of a second
TEST(kernels_do_not_jump_over_bumps)
{
  const char *path = folder_path("bump.yaml");
  folder_write(
      path,
      "articula: 1\n"
      "parameters: {where: 33 m}\n"
      "roads: {r: {type: bump, start: = where, length: 0.3, height: 0.01}}\n"
      "tyres: {t: {type: linear, radius: 0.3, stiffness: 2e5, damping: 300, load: 3000, slip: 0, "
      "cornering: 0}}\n"
      "bodies: {carrier: {mass: 0}, body: {mass: 300}, hub: {mass: 30}, wheel: {mass: 10, inertia: "
      "[0.5, 1, 0.5]}}\n"
      "joints:\n"
      "  along: {type: prismatic, axis: x, from: ground, to: carrier}\n"
      "  up: {type: prismatic, axis: z, from: carrier, to: body}\n"
      "  down: {type: prismatic, axis: z, from: body, to: hub}\n"
      "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
      "drives: {go: {coordinate: along, value: '= 30[m/s]*time'}}\n"
      "forces:\n"
      "  s: {type: joint-spring, coordinate: down, rest: -0.147, stiffness: 2e4, damping: 1500}\n"
      "  tyre: {type: tyre, wheel: wheel, tyre: t, road: r}\n"
      "initial: {up: {slide: 0.283173}, down: {slide: 0.00015}, spin: {rate: 100}}\n"
      "outputs: [up.slide]\n");
  const subject x = {path, "where", 33, 110, 4, study_of(ART_DOPRI5, 1e-8, 4, 1)};
  const swept s = sweep_together(&x, 0), apart = sweep(&x, NULL);
  CHECK(s.together == x.n);
  for (int i = 0; i < x.n; i++) CHECK_CLOSE(s.value[i][0], apart.value[i][0], 1e-8);
  const subject coarse = {path, "where", 33, 110, 4, study_of(ART_RK4, 0.02, 4, 1)};
  const swept c = sweep_together(&coarse, 0);
  for (int i = 0; i < x.n; i++) CHECK(c.judgement[i].verdict != ART_VERDICT_GOOD);
}
