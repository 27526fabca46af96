// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The report on a run: certificate, summary, how to go on.
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "base/plain.h"
#include "method/method.h"
#include "notes.h"
#include "verb_run.h"

// the bound on rows without an interval makes at least so many of them
enum { MANY_ROWS = 50000 };


//---- finished ------------------------------------------------------------------------------------

static void report_step_pace(cliReport *report, const runPace *p)
{
  const double mean = p->frames > 0 ? p->sum_frame / (double) p->frames : 0;
  json_item(
      report, "realtime",
      "frames: %ld, missed: %ld, mean_frame: %g, worst_frame: %g, worst_late: %g, worst_wake: %g",
      p->frames, p->missed, mean, p->worst_frame, p->worst_late, p->worst_wake);
  say(report,
      "  real time: %ld frames, %ld late, mean %.1f us, worst %.1f us, latest %.1f us after its "
      "time\n",
      p->frames, p->missed, 1e6 * mean, 1e6 * p->worst_frame, 1e6 * p->worst_late);
}


// the stages of Hidalgo, Garcia de Jalon 2012, tables 1 and 2; a dash where the method has none such
static void report_profile(cliReport *report, const dataProfile *p, artMethod method)
{
  const double total = profile_total(p), count = (double) p->evaluations;
  json_object(report, "profile");
  json_fields(report, "evaluations: %ld, stepping: %ld, seconds: %g", p->evaluations, p->stepping,
              total);
  say(report,
      "\n  %ld evaluations, %ld of them by the integrator, the others at the start and at rows\n",
      p->evaluations, p->stepping);
  say(report, "      %-34s %10s %10s %7s\n", "stage", "s", "us each", "share");
  json_array(report, "stages");
  for (int i = 0; i < PROFILE_STAGES; i++) {
    const char *name = method_stage_name(method, (profileStage) i);
    const double seconds = p->seconds[i], share = total > 0 ? seconds / total : 0;
    json_item(report, NULL, "name: %s, calls: %ld, seconds: %g, share: %g", name, p->calls[i],
              seconds, share);
    say(report, "  %2d  %-34s ", i + 1, name);
    if (p->calls[i] == 0) say(report, "%10s %10s %7s\n", "-", "-", "-");
    if (p->calls[i] != 0) {
      say(report, "%10.4f %10.3f %6.1f%%\n", seconds, 1e6 * seconds / count, 100 * seconds / total);
    }
  }
  json_end(report);
  say(report, "      %-34s %10.4f %10.3f %6.1f%%\n", "total", total, 1e6 * total / count, 100.0);
  json_end(report);
}


// members of the certificate that this run alone knows
static void write_more(ioJson *json, const void *context)
{
  const cliRun *job = context;
  workers_report(json, job);
  if (job->call->realtime) report_step_pace(json, &job->pace);
  if (!job->call->profile) return;
  const bool has_loops = art_certify(job->run).rows > 0;
  report_profile(json, &job->profile, model_method_for((int) job->study.run.method, has_loops));
}


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
                     .more = write_more,
                     .context = job,
                     .numbers = art_certify(job->run)};
  memcpy(c.sha256, job->sha256, sizeof c.sha256);
  if (end == RUN_FAILED) c.error = *error;
  return c;
}


// natural coordinates have their own rules
static void print_run_steps(const artRunDef *study, const artCertificate *c)
{
  const bool is_natural = art_method_is_natural(study->method);
  printf("  ");
  if (!is_natural) printf("%s, ", art_run_integrator_name(study));
  if (!is_natural && art_integrator_is_fixed(study->integrator))
    format_stream(stdout, "step %.6g s, ", study->step);
  if (!is_natural && !art_integrator_is_fixed(study->integrator))
    format_stream(stdout, "tolerance %.3g, ", study->tolerance);
  printf("%s", art_run_method_name(study));
  if (study->algebra != ART_ALGEBRA_AUTOMATIC) printf(" (%s)", art_algebra_name(study->algebra));
  if (is_natural) format_stream(stdout, ", steps of up to %.6g s", c->longest_step);
  printf(": %ld steps, %ld rejected, %ld %s", c->steps, c->rejected, c->evaluations,
         is_natural ? "iterations\n" : "evaluations, ");
  if (!is_natural) printf("%ld events\n", c->events);
  if (study->backend != ART_BACKEND_GENERATED) return;
  printf("  %ld program%s compiled and loaded, %ld evaluations by %s", c->programs,
         plural_s(c->programs), c->generated, c->programs == 1 ? "it" : "them");
  if (c->not_generated > 0) {
    printf(", %ld by the numeric method, where independent coordinates changed or were weak",
           c->not_generated);
  }
  putchar('\n');
}


enum { MOVES_SHOWN = 4, NAMES_SHOWN = 3 };


static void print_moves(const cliRun *job)
{
  artMove move;
  int k = 0;
  for (; art_assembly_move(job->model, job->data, k, &move); k++) {
    if (k >= MOVES_SHOWN) continue;
    format_stream(stdout, "%s%s from %.6g to %.6g %s", k == 0 ? "  assembly moved " : ", ",
                  move.coordinate, move.from, move.to, move.unit);
  }
  if (k > MOVES_SHOWN) printf(" and %d more (assembly in the certificate)", k - MOVES_SHOWN);
  if (k > 0) putchar('\n');
}


// points and vectors have constraints in trees too
static void print_constraints(const artCertificate *c, bool is_natural)
{
  if (!is_natural && c->rows == 0) return;
  format_stream(stdout, "  %s to %.2g m or rad, rates to %.2g, accelerations to %.2g",
                is_natural ? "constraints kept" : "loops closed", c->position_residual,
                c->velocity_residual, c->acceleration_residual);
  if (!is_natural && c->rank < c->rows)
    printf("; %d of %d constraints redundant", c->rows - c->rank, c->rows);
  putchar('\n');
  if (c->position_violation > 0 || c->velocity_violation > 0) {
    format_stream(stdout,
                  "  before %s, at the ends of steps, they were %s by %.2g, rates by %.2g\n",
                  is_natural ? "projections" : "they were closed", is_natural ? "violated" : "open",
                  c->position_violation, c->velocity_violation);
  }
  if (is_natural) return;
  if (c->passages > 0) {
    format_stream(stdout,
                  "  %ld singular position%s of loops passed, the first at %.6g s by joints %s\n",
                  c->passages, plural_s(c->passages), c->passage_time, c->passage_joints);
  }
  if (c->repartitions > 0) {
    format_stream(stdout,
                  "  independent coordinates changed %ld time%s, the weakest were at %.6g s\n",
                  c->repartitions, plural_s(c->repartitions), c->weakest_time);
  }
}


static void print_overlaps(const artCertificate *c)
{
  if (c->overlaps == 0) return;
  format_stream(
      stdout,
      "  surfaces of %d contact point%s overlap at the start, the deepest by %.6g m at '%s': they "
      "push with\n  the energy that this stores; 'initial' or --set moves them apart\n",
      c->overlaps, plural_s(c->overlaps), c->overlap, c->overlap_contact);
}


// rounding of the file that was taken as alignment
static void print_alignment(const artModel *m)
{
  int count = 0;
  double angle = 0, place = 0;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!(joint->angle_off > 0) && !(joint->place_off > 0)) continue;
    if (count < NAMES_SHOWN) {
      printf("%s'%s'", count ? ", " : "  taken as aligned: ", joint->name);
    }
    count++;
    angle = max_nan(angle, joint->angle_off);
    place = max_nan(place, joint->place_off);
  }
  if (count > NAMES_SHOWN) printf(" and %d more", count - NAMES_SHOWN);
  if (count > 0) format_stream(stdout, ", off by up to %.2g rad and %.2g m\n", angle, place);
}


static void print_run_summary(const cliRun *job)
{
  const artCertificate c = art_certify(job->run);
  const artRunDef *study = &job->study.run;
  const double duration = study->until - study->from;
  const double rate = c.total_time > 0 ? duration / c.total_time : 0;
  char elapsed[CLI_DURATION_LENGTH];
  cliReport text = {0};
  cli_print_title(job->call, art_title(job->model));
  format_stream(stdout, ": %.6g s in %s, %.*f times real time\n", duration,
                cli_duration(c.total_time, elapsed), rate < 10, rate);
  print_run_steps(study, &c);
  char note[ART_REASON_LENGTH];
  if (art_stiffness_note(&c, note)) printf("  %s\n", note);
  workers_report(&text, job);
  print_moves(job);
  if (c.impacts > 0) {
    printf("  %ld impact%s by drives: their rates jump, and velocities of the machine with them\n",
           c.impacts, plural_s(c.impacts));
  }
  if (c.contact_impacts > 0) {
    format_stream(stdout, "  %ld impact%s of rigid contacts, %.6g J lost there\n",
                  c.contact_impacts, plural_s(c.contact_impacts), c.contact_loss);
  }
  if (c.latched > 0) {
    format_stream(stdout,
                  "  latches engaged or released %ld time%s, %.6g J lost where they engaged\n",
                  c.latched, plural_s(c.latched), c.latch_loss);
  }
  format_stream(stdout, "  energy balance kept to %.2g J, energies of up to %.3g J\n",
                c.energy_error, c.energy_scale);
  print_constraints(&c, art_method_is_natural(study->method));
  print_overlaps(&c);
  if (job->call->realtime) report_step_pace(&text, &job->pace);
  print_alignment(job->model);
  warnings_print(job->call, job->model);
  notes_print(job->call, job->model);
  format_show(stdout, "  %s: %ld rows\n  %s\n", job->csv_path, job->row, job->certificate_path);
  const int is_bounded = study->interval == 0 && job->row > MANY_ROWS;
  if (is_bounded && 10 * job->row < 9 * c.steps) {
    printf("  rows leave out steps, for there are no more than 200000 without an interval; fast\n"
           "  oscillations may be missing from them: choose with --interval\n");
  }
  const artJudgement j = art_judge(&c, NULL);
  printf("  verdict: %s\n", art_verdict_name(j.verdict));
  for (int k = 0; k < j.reasons; k++) printf("    %s\n", j.reason[k]);
  if (!job->call->profile) return;
  if (study->backend == ART_BACKEND_GENERATED) {
    printf("\n  Generated equations run as a whole and have no stages; those below are of the "
           "evaluations by\n"
           "  the numeric method: at output instants, and where coordinates change.\n");
  }
  report_profile(&text, &job->profile, model_method_for((int) study->method, c.rows > 0));
}


//---- not finished --------------------------------------------------------------------------------

// as the shell takes it; $'\033' where the terminal would obey a character
static void print_argument(const char *text)
{
  const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%";
  if (text[0] && strspn(text, safe) == strlen(text)) {
    fprintf(stderr, " %s", text);
    return;
  }
  const bool is_plain = plain_is(text);
  fputs(is_plain ? " '" : " $'", stderr);
  for (const unsigned char *s = (const unsigned char *) text; *s; s++) {
    if (!is_plain && (*s < ' ' || *s >= 0x7f || *s == '\'' || *s == '\\')) {
      fprintf(stderr, "\\%03o", *s);
    } else if (*s == '\'') {
      fputs("'\\''", stderr);
    } else {
      fputc(*s, stderr);
    }
  }
  fputc('\'', stderr);
}


int run_report(const cliRun *job, runEnd end, const artError *error)
{
  const bool can_resume =
      job->has_checkpoint && (end == RUN_INTERRUPTED || error->status == ART_IO);
  if (job->call->json) {
    const ioCertificate certificate = run_certificate(job, end, error);
    certificate_write(&(ioJson){.file = stdout}, &certificate);
  } else if (end == RUN_FINISHED) {
    if (!job->call->quiet) print_run_summary(job);
    if (job->call->says_notes) notes_print(job->call, job->model);
  } else {
    if (end == RUN_FAILED) (void) cli_fail(job->call, error);
    format_show(stderr, "%s at time %.9g s of %.9g s; the %ld rows so far are in %s\n",
                end == RUN_INTERRUPTED ? "interrupted" : "stopped", art_certify(job->run).time,
                job->study.run.until, job->row, job->csv_path);
    if (can_resume) {
      fputs("to go on: articula", stderr);
      for (int i = 1; i < job->call->argc; i++) print_argument(job->call->argv[i]);
      fprintf(stderr, "%s\n", job->call->resume ? "" : " --resume");
    }
  }
  if (end != RUN_FINISHED) return CLI_FAILED;
  const artCertificate certificate = art_certify(job->run);
  const artJudgement judgement = art_judge(&certificate, NULL);
  return cli_judge(job->call, &judgement);
}
