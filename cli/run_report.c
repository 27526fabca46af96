// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What is said about a run: certificate, summary, how to go on.
#include <string.h>

#include "base/larger.h"
#include "crew.h"
#include "method/method.h"


ioCertificate run_certificate(const cliRun *job, runEnd end, const artError *error)
{
  static const char *const words[] = {"finished", "interrupted", "failed"};
  ioCertificate c = {.status = words[end],
                     .file = job->call->file,
                     .directory = job->directory,
                     .model = job->model,
                     .data = job->data,
                     .study = &job->study,
                     .rows = job->row,
                     .profile = job->call->profile ? &job->profile : NULL,
                     .realtime = job->call->realtime ? &job->realtime : NULL,
                     .numbers = art_certify(job->run)};
  if (end == RUN_FAILED) c.error = *error;
  return c;
}


static void print_certificate(const cliRun *job, runEnd end, const artError *error)
{
  const ioCertificate certificate = run_certificate(job, end, error);
  ioJson json = {.file = stdout};
  certificate_write(&json, &certificate);
}


//---- finished ------------------------------------------------------------------------------------

// natural coordinates have their own rules
static void print_method(const artStudyDef *study, const artCertificate *c)
{
  if (art_method_is_natural(study->method)) {
    printf("  %s", art_method_name(study->method));
    if (study->algebra != ART_ALGEBRA_AUTOMATIC) printf(" (%s)", art_algebra_name(study->algebra));
    printf(", steps of up to %.6g s: ", c->longest_step);
    return;
  }
  printf("  %s, ", art_integrator_name(study->integrator));
  if (study->integrator == ART_RK4) {
    printf("step %.6g s, ", study->step);
  } else {
    printf("tolerance %.3g, ", study->tolerance);
  }
  printf("%s", art_method_name(study->method));
  if (study->algebra != ART_ALGEBRA_AUTOMATIC) printf(" (%s)", art_algebra_name(study->algebra));
  printf(": ");
}


// points and vectors have constraints in trees too
static void print_constraints(const artCertificate *c)
{
  printf("  constraints kept to %.2g m or rad, rates to %.2g, accelerations to %.2g\n",
         c->position_residual, c->velocity_residual, c->acceleration_residual);
  if (!(c->position_violation > 0 || c->velocity_violation > 0)) return;
  printf("  before projections, at the ends of steps, they were violated by %.2g, rates by %.2g\n",
         c->position_violation, c->velocity_violation);
}


enum { MOVES_SHOWN = 4 };


static void print_moves(const cliRun *job)
{
  artMove move;
  int k = 0;
  for (; art_assembly_move(job->model, job->data, k, &move); k++) {
    if (k >= MOVES_SHOWN) continue;
    printf("%s%s from %.6g to %.6g %s", k == 0 ? "  assembly moved " : ", ", move.coordinate,
           move.from, move.to, move.unit);
  }
  if (k > MOVES_SHOWN) printf(" and %d more (assembly in the certificate)", k - MOVES_SHOWN);
  if (k > 0) putchar('\n');
}


static void print_blows(const artCertificate *c)
{
  if (c->blows == 0) return;
  printf("  %ld blow%s by drives: their rates jump, and velocities of the machine with them\n",
         c->blows, c->blows == 1 ? "" : "s");
}


static void print_latched(const artCertificate *c)
{
  if (c->latched == 0) return;
  printf("  latches engaged or released %ld time%s, %.6g J lost where they engaged\n", c->latched,
         c->latched == 1 ? "" : "s", c->latch_loss);
}


static void print_passages(const artCertificate *c)
{
  if (c->passages == 0) return;
  printf("  %ld singular position%s of loops passed, the first at %.6g s by joints %s\n",
         c->passages, c->passages == 1 ? "" : "s", c->passage_time, c->passage_joints);
}


static void print_loops(const artCertificate *c)
{
  printf("  loops closed to %.2g m or rad, rates to %.2g, accelerations to %.2g; %d of %d rows "
         "count\n",
         c->position_residual, c->velocity_residual, c->acceleration_residual, c->rank, c->rows);
  if (c->position_violation > 0) {
    printf(
        "  before they were closed, at the ends of steps, they were open by %.2g, rates by %.2g\n",
        c->position_violation, c->velocity_violation);
  }
  print_passages(c);
  if (c->repartitions == 0) return;
  printf("  independent coordinates changed %ld time%s, the weakest were at %.6g s\n",
         c->repartitions, c->repartitions == 1 ? "" : "s", c->weakest_time);
}


static void print_generated(const artCertificate *c)
{
  printf("  %ld program%s compiled and loaded, %ld evaluations by %s", c->programs,
         c->programs == 1 ? "" : "s", c->generated, c->programs == 1 ? "it" : "them");
  if (c->not_generated > 0) {
    printf(", %ld by the numeric method, where independent coordinates changed or were weak",
           c->not_generated);
  }
  putchar('\n');
}


// the stages of Hidalgo, Garcia de Jalon 2012, tables 1 and 2; a dash where the method has none such
static void print_profile(const dataProfile *p, artMethod method)
{
  const double total = profile_total(p), count = (double) p->evaluations;
  printf(
      "\n  %ld evaluations, %ld of them by the integrator, the others at the start and at rows\n",
      p->evaluations, p->stepping);
  printf("      %-34s %10s %10s %7s\n", "stage", "s", "us each", "share");
  for (int i = 0; i < PROFILE_STAGES; i++) {
    printf("  %2d  %-34s ", i + 1, method_stage_name(method, (profileStage) i));
    if (p->calls[i] == 0) {
      printf("%10s %10s %7s\n", "-", "-", "-");
    } else {
      printf("%10.4f %10.3f %6.1f%%\n", p->seconds[i], 1e6 * p->seconds[i] / count,
             100 * p->seconds[i] / total);
    }
  }
  printf("      %-34s %10.4f %10.3f %6.1f%%\n", "total", total, 1e6 * total / count, 100.0);
}


static void print_realtime(const ioRealtime *r)
{
  printf(
      "  real time: %ld frames, %ld late, mean %.1f us, worst %.1f us, latest %.1f us behind its "
      "time\n",
      r->frames, r->missed, r->frames > 0 ? 1e6 * r->sum_frame / (double) r->frames : 0,
      1e6 * r->worst_frame, 1e6 * r->worst_late);
}


// where positions may have been forgotten
static void print_unplaced(const artModel *m)
{
  int count = 0;
  for (int i = 1; i < m->nbody; i++) {
    if (!m->body[i].is_as_ground) continue;
    if (count < 3) printf("%s'%s'", count ? ", " : "  without a position: ", m->body[i].name);
    count++;
  }
  if (count > 3) printf(" and %d more", count - 3);
  if (count > 0) printf(": com and points in ground's axes ('articula check' tells more)\n");
}


// of a run that finished, in the last lines of its summary
static void print_verdict(const artJudgement *j)
{
  printf("  verdict: %s\n", art_verdict_name(j->verdict));
  for (int k = 0; k < j->reasons; k++) printf("    %s\n", j->reason[k]);
}


// rounding of the file that was taken as alignment
static void print_aligned(const artModel *m)
{
  int count = 0;
  double angle = 0, place = 0;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!(joint->angle_off > 0) && !(joint->place_off > 0)) continue;
    if (count < 3) printf("%s'%s'", count ? ", " : "  taken as aligned: ", joint->name);
    count++;
    angle = base_larger(angle, joint->angle_off);
    place = base_larger(place, joint->place_off);
  }
  if (count > 3) printf(" and %d more", count - 3);
  if (count > 0) printf(", off by up to %.2g rad and %.2g m\n", angle, place);
}


static void print_summary(const cliRun *job)
{
  const artCertificate c = art_certify(job->run);
  const artStudyDef *study = &job->study;
  const double duration = study->until - study->from;
  const double rate = c.total_time > 0 ? duration / c.total_time : 0;
  char elapsed[CLI_DURATION_LENGTH];
  cli_print_title(job->call, art_title(job->model));
  printf(": %.6g s in %s, %.*f times real time\n", duration, cli_duration(c.total_time, elapsed),
         rate < 10, rate);
  const bool is_natural = art_method_is_natural(study->method);
  print_method(study, &c);
  printf("%ld steps, %ld rejected, %ld %s", c.steps, c.rejected, c.evaluations,
         is_natural ? "iterations\n" : "evaluations, ");
  if (!is_natural) printf("%ld events\n", c.events);
  if (model_method_has(study->method, METHOD_COMPILED)) print_generated(&c);
  crew_print(job);
  print_moves(job);
  print_blows(&c);
  print_latched(&c);
  printf("  energy balance kept to %.2g J, energies of up to %.3g J\n", c.energy_error,
         c.energy_scale);
  if (is_natural) print_constraints(&c);
  if (!is_natural && c.rows > 0) print_loops(&c);
  if (job->call->realtime) print_realtime(&job->realtime);
  print_unplaced(job->model);
  print_aligned(job->model);
  printf("  %s: %ld rows\n  %s\n", job->csv_path, job->row, job->certificate_path);
  if (study->interval == 0 && 10 * job->row < 9 * c.steps) {
    printf("  rows leave out steps, for there are no more than 200000 without an interval; a "
           "motion as "
           "fast as\n  the steps may look slower than it is: choose with --interval\n");
  }
  const artJudgement judgement = art_judge(&c, NULL);
  print_verdict(&judgement);
  if (!job->call->profile) return;
  if (model_method_has(study->method, METHOD_COMPILED)) {
    printf("\n  Generated equations run as a whole and have no stages; those below are of the "
           "evaluations by\n"
           "  the numeric method: at output instants, and where coordinates change.\n");
  }
  print_profile(&job->profile, model_method_for(study->method, c.rows > 0));
}


//---- not finished --------------------------------------------------------------------------------

// as the shell takes it
static void print_argument(const char *text)
{
  const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%";
  if (text[0] && strspn(text, safe) == strlen(text)) {
    fprintf(stderr, " %s", text);
    return;
  }
  fputs(" '", stderr);
  for (const char *s = text; *s; s++) {
    if (*s == '\'') {
      fputs("'\\''", stderr);
    } else {
      fputc(*s, stderr);
    }
  }
  fputc('\'', stderr);
}


static void print_how_to_resume(const cliCall *call)
{
  fputs("to go on: articula", stderr);
  for (int i = 1; i < call->argc; i++) print_argument(call->argv[i]);
  fprintf(stderr, "%s\n", call->resume ? "" : " --resume");
}


static void print_end(const cliRun *job, runEnd end)
{
  fprintf(stderr, "%s at time %.9g s of %.9g s; the %ld rows so far are in %s\n",
          end == RUN_INTERRUPTED ? "interrupted" : "stopped", art_certify(job->run).time,
          job->study.until, job->row, job->csv_path);
}


int run_report(const cliRun *job, runEnd end, const artError *error)
{
  const bool can_resume =
      job->has_checkpoint && (end == RUN_INTERRUPTED || error->status == ART_IO);
  if (job->call->json) {
    print_certificate(job, end, error);
  } else if (end == RUN_FINISHED) {
    if (!job->call->quiet) print_summary(job);
  } else {
    if (end == RUN_FAILED) (void) cli_fail(job->call, error);
    print_end(job, end);
    if (can_resume) print_how_to_resume(job->call);
  }
  if (end != RUN_FINISHED) return CLI_FAILED;
  const artCertificate certificate = art_certify(job->run);
  const artJudgement judgement = art_judge(&certificate, NULL);
  return cli_judge(job->call, &judgement);
}
