// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate in a report: the outcome of the run in sentences, and all figures in tables.
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/markup.h"
#include "show/report.h"

// a figure of certificate.json; without a path, a heading
typedef struct reportFigure {
  const char *path, *words, *unit;
} reportFigure;

static const reportFigure ENERGY[] = {
    {NULL, "Energy", ""},
    {"energy.start", "at the start", "J"},
    {"energy.end", "at the end", "J"},
    {"energy.work", "work of drives and of forces without potential", "J"},
    {"energy.error", "largest error of the balance", "J"},
    {"energy.scale", "largest kinetic energy or change of potential", "J"},
    {"energy.relative_error", "error relative to it", ""},
    {0},
};
static const reportFigure LOOPS[] = {
    {NULL, "Loops", ""},
    {"constraints.rows", "constraint rows", ""},
    {"constraints.rank", "of them independent", ""},
    {"constraints.position_residual", "largest gap", "m or rad"},
    {"constraints.velocity_residual", "of velocities", "m/s or rad/s"},
    {"constraints.acceleration_residual", "of accelerations", "m/s^2 or rad/s^2"},
    {"constraints.position_violation", "largest gap before it was corrected", "m or rad"},
    {"constraints.velocity_violation", "of velocities", "m/s or rad/s"},
    {"constraints.repartitions", "changes of coordinates", ""},
    {"constraints.weakest_pivot", "weakest pivot", ""},
    {"constraints.weakest_time", "found at", "s"},
    {"constraints.singular_passages", "singular positions passed", ""},
    {"constraints.quaternion_error", "error of quaternions", ""},
    {0},
};
static const reportFigure STEPS[] = {
    {NULL, "Steps", ""},
    {"steps.accepted", "accepted", ""},
    {"steps.rejected", "rejected", ""},
    {"steps.evaluations", "evaluations", ""},
    {"steps.events", "switching instants", ""},
    {"steps.impacts", "impacts by drives whose rates jump", ""},
    {"contacts.impacts", "impacts of rigid contacts", ""},
    {"contacts.loss", "energy lost there", "J"},
    {"contacts.left", "largest error of velocities in steps of contacts", ""},
    {"contacts.overlap", "largest overlap of rigid contacts", "m"},
    {"steps.latched", "latches engaged or released", ""},
    {"steps.latch_loss", "energy lost where they engaged", "J"},
    {"steps.shortest", "shortest", "s"},
    {"steps.longest", "longest", "s"},
    {0},
};
static const reportFigure CLOCK[] = {
    {NULL, "Time of computing", ""},
    {"wall_clock.total", "in all", "s"},
    {"wall_clock.worst_interval", "most between instants", "s"},
    {"wall_clock.mean_step", "for a step", "s"},
    {"parallel.used", "workers", ""},
    {"realtime.frames", "rows in real time", ""},
    {"realtime.missed", "of them too late", ""},
    {"realtime.worst_late", "latest", "s"},
    {0},
};


static double certificate_figure(const jsonNode *certificate, const char *path)
{
  const jsonNode *node = report_find(certificate, path);
  return node && node->kind == JSON_NUMBER ? node->number : 0;
}


//---- in sentences --------------------------------------------------------------------------------

static void say_end(FILE *out, const jsonNode *certificate)
{
  const char *status = json_find_text(certificate, "status", "");
  const double time = json_find_number(certificate, "time", 0);
  if (strcmp(status, "finished") == 0) {
    format_stream(out, "<p>The run finished at %.6g s, with %.0f instants written.</p>\n", time,
                  json_find_number(certificate, "rows", 0));
    return;
  }
  report_text(out, "<p>The run was ", strcmp(status, "failed") == 0 ? "given up" : status, "");
  format_stream(out, " at %.6g s", time);
  const jsonNode *why = report_find(certificate, "error.message");
  if (why && why->kind == JSON_TEXT) {
    report_text(out, ": ", why->text, "");
  }
  fputs(".</p>\n", out);
}


// a verdict other than good, with its reasons; the reasons of a failed run are printed before
static void say_verdict(FILE *out, const jsonNode *certificate)
{
  const char *verdict = json_find_text(certificate, "verdict", "good");
  const jsonNode *reasons = report_find(certificate, "reasons");
  if (strcmp(json_find_text(certificate, "status", ""), "finished") != 0) return;
  report_text(out, "<p>The verdict on it is: <b>", verdict, "</b>.");
  for (const jsonNode *r = reasons ? reasons->first : NULL; r; r = r->next) {
    report_text(out, "<br>", r->kind == JSON_TEXT ? r->text : "", "");
  }
  fputs("</p>\n", out);
}


// true if the model of a result differs from that of the first
static bool is_other_model(const reportJob *job, int r)
{
  const jsonNode *first = report_find(job->result[0].film.reader.root, "model.hash");
  const jsonNode *own = report_find(job->result[r].film.reader.root, "model.hash");
  return !first || !own || !first->text || !own->text || strcmp(first->text, own->text) != 0;
}


void report_summary(const reportJob *job)
{
  for (int r = 0; r < job->nresult; r++) {
    const jsonNode *certificate = job->result[r].certificate;
    const char *damage = job->result[r].damage;
    const bool is_good = !damage &&
                         strcmp(json_find_text(certificate, "status", ""), "finished") == 0 &&
                         strcmp(json_find_text(certificate, "verdict", "good"), "good") == 0;
    fprintf(job->out, "<div class=\"finding%s\">\n", is_good ? "" : " bad");
    if (job->nresult > 1) {
      report_text(job->out, "<p><b>", job->result[r].name, "</b></p>\n");
    }
    if (is_other_model(job, r)) {
      fputs("<p>Of another model than the first.</p>\n", job->out);
    }
    if (damage) {
      report_text(job->out, "<p><b>", damage, "</b></p>\n");
    }
    if (!certificate) {
      fputs("<p>The run has not ended: there is no certificate yet.</p>\n", job->out);
    } else {
      say_end(job->out, certificate);
      format_stream(job->out,
                    "<p>The energy balance was kept to %.2g J, %.2g of the %.3g J at stake.</p>\n",
                    certificate_figure(certificate, "energy.error"),
                    certificate_figure(certificate, "energy.relative_error"),
                    certificate_figure(certificate, "energy.scale"));
      if (certificate_figure(certificate, "constraints.rows") > 0) {
        format_stream(job->out,
                      "<p>Its loops were closed to %.2g m or rad, with velocities to %.2g m/s or "
                      "rad/s.</p>\n",
                      certificate_figure(certificate, "constraints.position_residual"),
                      certificate_figure(certificate, "constraints.velocity_residual"));
      }
      say_verdict(job->out, certificate);
    }
    fputs("</div>\n", job->out);
  }
}


//---- in tables -----------------------------------------------------------------------------------

static void write_certificate_value(FILE *out, const jsonNode *node)
{
  fputs("<td class=\"n\">", out);
  if (node && node->kind == JSON_NUMBER) {
    format_stream(
        out, (node->number == floor(node->number) && fabs(node->number) < 1e12) ? "%.0f" : "%.4g",
        node->number);
  } else if (node && node->kind == JSON_TEXT) {
    markup_write(out, node->text);
  } else {
    fputs("-", out);
  }
  fputs("</td>", out);
}


static bool has_figure(const reportJob *job, const char *path)
{
  for (int r = 0; r < job->nresult; r++) {
    if (report_find(job->result[r].certificate, path)) return true;
  }
  return false;
}


// a heading, with the names of several results, then a row for each figure
static void write_figures(const reportJob *job, const reportFigure *figures)
{
  FILE *out = job->out;
  fprintf(out, "<table><thead><tr><th>%s</th>", figures[0].words);
  for (int r = 0; r < job->nresult; r++) {
    fputs("<th class=\"n\">", out);
    if (job->nresult > 1) markup_write(out, job->result[r].name);
    fputs("</th>", out);
  }
  fputs("<th></th></tr></thead>\n<tbody>", out);
  for (const reportFigure *f = figures + 1; f->path; f++) {
    if (!has_figure(job, f->path)) continue;
    fprintf(out, "<tr><th>%s</th>", f->words);
    for (int r = 0; r < job->nresult; r++) {
      write_certificate_value(out, report_find(job->result[r].certificate, f->path));
    }
    fprintf(out, "<td>%s</td></tr>\n", f->unit);
  }
  fputs("</tbody></table>\n", out);
}


static void write_redundant(const reportJob *job)
{
  const jsonNode *rows = report_find(job->result[0].certificate, "constraints.redundant");
  FILE *out = job->out;
  if (!rows || !rows->first) return;
  fputs("<h3>Redundant constraints</h3>\n<ul>\n", out);
  for (const jsonNode *row = rows->first; row; row = row->next) {
    report_text(out, "<li>", row->kind == JSON_TEXT ? row->text : "", "</li>\n");
  }
  fputs("</ul>\n", out);
}


void report_certificate(const reportJob *job)
{
  fputs("<h2>Certificate</h2>\n", job->out);
  if (!job->result[0].certificate) {
    fputs("<p>This run has not ended: there is no certificate.</p>\n", job->out);
    return;
  }
  bool has_loops = false;
  for (int r = 0; r < job->nresult; r++) {
    has_loops |= certificate_figure(job->result[r].certificate, "constraints.rows") > 0;
  }
  fputs("<div class=\"columns\">\n", job->out);
  write_figures(job, ENERGY);
  write_figures(job, STEPS);
  if (has_loops) write_figures(job, LOOPS);
  write_figures(job, CLOCK);
  fputs("</div>\n", job->out);
  if (!has_loops) {
    fputs("<p class=\"note\">The machine is a tree: it has no loops that could open.</p>\n",
          job->out);
  }
  write_redundant(job);
}
