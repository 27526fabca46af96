// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A report of a result for reading and printing: summary, model, pictures, plots, certificate.
#include "show/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/format.h"
#include "base/markup.h"
#include "base/memory.h"
#include "show/json.h"

//---- the model: counts, study, heaviest bodies, joints and forces by type ------------------------

enum { MAX_BODIES = 10, MAX_TYPES = 24 };


//---- counts --------------------------------------------------------------------------------------

static void write_report_counts(const reportJob *job)
{
  const reportResult *result = &job->result[0];
  const ioScene *scene = &result->film.scene;
  int rods = 0;
  double mass = 0;
  for (int i = 0; i < scene->nbody; i++) {
    rods += scene->body[i].is_rod;
    mass += scene->body[i].mass;
  }
  FILE *out = job->out;
  fputs("<table>\n", out);
  report_number(out, "bodies", scene->nbody - rods, "");
  if (rods > 0) report_number(out, "rods", rods, "");
  report_number(out, "mass", mass, "kg");
  report_number(out, "joints", scene->njoint, "");
  if (scene->nloop > 0) report_number(out, "closed loops", scene->nloop, "");
  report_number(out, "forces", scene->nforce, "");
  const jsonNode *freedom = report_find(result->certificate, "model.degrees_of_freedom");
  if (freedom) report_number(out, "degrees of freedom", freedom->number, "");
  fputs("</table>\n", out);
}


static void write_report_study(const reportJob *job)
{
  const reportResult *result = &job->result[0];
  const jsonNode *root = result->film.reader.root, *model = json_find(root, "model");
  const jsonNode *study = json_find(result->certificate, "study");
  FILE *out = job->out;
  char span[64];
  format_text(span, sizeof span, "%.6g s to %.6g s", json_find_number(root, "from", 0),
              json_find_number(root, "until", 0));
  fputs("<table>\n", out);
  report_row(out, "file", json_find_text(model, "file", ""));
  report_row(out, "fingerprint", json_find_text(model, "hash", ""));
  report_row(out, "study", json_find_text(root, "study", ""));
  report_row(out, "time", span);
  report_row(out, "method", json_find_text(root, "method", ""));
  const jsonNode *steps = json_find(result->certificate, "steps");
  const char *asked = json_find_text(root, "integrator", "");
  report_row(out, "integrator", json_find_text(steps, "integrator", asked));
  const jsonNode *stiffness = json_find(steps, "stiffness");
  if (stiffness) report_row(out, "stiffness", json_find_text(stiffness, "note", ""));
  const double step = json_find_number(study, "step", 0);
  const double tolerance = json_find_number(study, "tolerance", 0);
  if (step > 0) report_number(out, "step", step, "s");
  if (step <= 0 && tolerance > 0) report_number(out, "tolerance", tolerance, "");
  report_number(out, "instants written", (double) result->film.frames, "");
  fputs("</table>\n", out);
}


//---- parts ---------------------------------------------------------------------------------------

static int by_mass(const void *a, const void *b)
{
  const sceneBody *x = *(const sceneBody *const *) a, *y = *(const sceneBody *const *) b;
  if (x->mass != y->mass) return x->mass < y->mass ? 1 : -1;
  return (x > y) - (x < y);
}


static void write_others(FILE *out, const char *words, int n, double mass)
{
  if (n > 0) {
    format_stream(out, "<tr><th>%d %s</th><td class=\"n\">%.6g</td></tr>\n", n, words, mass);
  }
}


// list the heaviest bodies by name; count the others and those without mass
static void write_bodies(const reportJob *job)
{
  const ioScene *scene = &job->result[0].film.scene;
  FILE *out = job->out;
  const sceneBody **sorted =
      arena_alloc((baseArena *) &job->arena, (size_t) scene->nbody, sizeof *sorted);
  if (scene->nbody == 0) return;
  for (int i = 0; i < scene->nbody; i++) sorted[i] = &scene->body[i];
  qsort(sorted, (size_t) scene->nbody, sizeof *sorted, by_mass);
  int heavy = 0;
  while (heavy < scene->nbody && sorted[heavy]->mass > 0) heavy++;
  const int shown = heavy <= MAX_BODIES + 1 ? heavy : MAX_BODIES;
  double rest = 0;
  for (int i = shown; i < heavy; i++) rest += sorted[i]->mass;
  fputs("<table><thead><tr><th>body</th><th class=\"n\">mass, kg</th></tr></thead>\n<tbody>", out);
  for (int i = 0; i < shown; i++) {
    report_text(out, "<tr><th>", sorted[i]->name, "");
    format_stream(out, "</th><td class=\"n\">%.6g</td></tr>\n", sorted[i]->mass);
  }
  write_others(out, "others", heavy - shown, rest);
  write_others(out, "without mass", scene->nbody - heavy, 0);
  fputs("</tbody></table>\n", out);
}


// number of items of each type, in the order of first occurrence
typedef struct typeCount {
  const char *type;
  int n;
} typeCount;


static int count_type(typeCount *counts, int n, const char *type)
{
  for (int i = 0; i < n; i++) {
    if (strcmp(counts[i].type, type) != 0) continue;
    counts[i].n++;
    return n;
  }
  if (n == MAX_TYPES) return n;
  counts[n] = (typeCount){type, 1};
  return n + 1;
}


static void write_types(FILE *out, const char *head, int n, const typeCount *counts)
{
  if (n == 0) return;
  fprintf(out, "<table><thead><tr><th>%s</th><th class=\"n\">number</th></tr></thead>\n<tbody>",
          head);
  for (int i = 0; i < n; i++) {
    report_text(out, "<tr><th>", counts[i].type, "");
    fprintf(out, "</th><td class=\"n\">%d</td></tr>\n", counts[i].n);
  }
  fputs("</tbody></table>\n", out);
}


static void report_model(const reportJob *job)
{
  const ioScene *scene = &job->result[0].film.scene;
  typeCount joints[MAX_TYPES], forces[MAX_TYPES];
  int njoint = 0, nforce = 0;
  for (int j = 0; j < scene->njoint; j++) njoint = count_type(joints, njoint, scene->joint[j].type);
  for (int f = 0; f < scene->nforce; f++) nforce = count_type(forces, nforce, scene->force[f].type);
  fputs("<h2>Model and study</h2>\n<div class=\"columns\">\n", job->out);
  write_report_counts(job);
  write_report_study(job);
  fputs("</div>\n<h3>Parts</h3>\n<div class=\"columns\">\n", job->out);
  write_bodies(job);
  write_types(job->out, "joints", njoint, joints);
  write_types(job->out, "forces", nforce, forces);
  fputs("</div>\n", job->out);
}


// avoid page breaks in tables and figures, and after headings
static const char STYLE[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;color:#1d2126;background:#fff;max-width:680px;"
    "margin:2em auto;padding:0 1em}\n"
    "h1{font-size:1.75em;line-height:1.2;margin:0 0 .1em}\n"
    "h2{font-size:1.25em;margin:1.6em 0 .6em;border-bottom:1px solid #ccd2d8}\n"
    "h3{font-size:1em;margin:1.1em 0 .3em}\n"
    ".about{color:#59616b;margin:0 0 1em}\n"
    ".finding{border-left:4px solid #2f7d4f;background:#f1f7f3;padding:.5em .9em;margin:.8em 0}\n"
    ".finding.bad{border-color:#b3261e;background:#fbf1f0}.finding p{margin:.15em 0}\n"
    "table{border-collapse:collapse;font-size:.93em;break-inside:avoid}\n"
    "table.long{break-inside:auto}tr{break-inside:avoid}thead{display:table-header-group}\n"
    "th{text-align:left;font-weight:500;color:#59616b}thead th{border-bottom:1px solid #ccd2d8}\n"
    "th,td{padding:.12em 1.1em .12em 0;vertical-align:top}\n"
    "td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}td.n,th.n{text-align:right}\n"
    ".columns{display:flex;flex-wrap:wrap;gap:.8em 2.6em;align-items:flex-start}\n"
    "figure{margin:0;text-align:center;break-inside:avoid}\n"
    "figcaption{color:#59616b;font-size:.87em}svg,img{max-width:100%;height:auto;display:block}\n"
    ".grid{display:grid;grid-template-columns:1fr 1fr;gap:.9em 1em;justify-items:center}\n"
    ".views{display:flex;flex-wrap:wrap;gap:.9em 1.2em;margin-top:1.2em;align-items:flex-end}\n"
    ".plot{margin:.7em 0}\n"
    "pre{background:#f3f5f7;padding:.7em .9em;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font-size:.87em;break-inside:avoid}\n"
    "section{break-inside:avoid}p,li{orphans:3;widows:3}\n"
    ".note{color:#59616b;font-size:.93em}\n"
    "@page{size:A4;margin:16mm 15mm}\n"
    "@media print{body{margin:0;padding:0;max-width:none;font-size:10.5pt;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}h2,h3{break-after:avoid}}\n"
    "@media(max-width:600px){.grid{grid-template-columns:1fr}table{display:block;overflow-x:auto}}"
    "\n"
    // pictures and plots stay on white
    "@media screen and (prefers-color-scheme:dark){body{color:#e4e9ee;background:#101418}"
    "h2,thead th{border-color:#37414c}.about,th,figcaption,.note{color:#9eabb8}"
    "a{color:#74c0fc}pre{background:#212830}.finding{background:#173222}"
    ".finding.bad{background:#3a1d1d}svg,img{background:#fff;border-radius:4px}}\n";


//---- elements ------------------------------------------------------------------------------------

void report_text(FILE *out, const char *before, const char *text, const char *after)
{
  fputs(before, out);
  markup_write(out, text);
  fputs(after, out);
}


void report_row(FILE *out, const char *name, const char *text)
{
  report_text(out, "<tr><th>", name, "</th><td>");
  markup_write(out, text);
  fputs("</td></tr>\n", out);
}


void report_number(FILE *out, const char *name, double x, const char *unit)
{
  char text[64];
  format_text(text, sizeof text, "%.6g%s%s", x, unit[0] ? " " : "", unit);
  report_row(out, name, text);
}


const jsonNode *report_find(const jsonNode *node, const char *path)
{
  char key[64];
  for (const char *dot = path; node && dot; path = dot + 1) {
    dot = strchr(path, '.');
    snprintf(key, sizeof key, "%.*s", dot ? (int) (dot - path) : 60, path);
    node = json_find(node, key);
    if (!dot) break;
  }
  return node;
}


//---- header and footer ---------------------------------------------------------------------------

static const char *report_title_of(const reportJob *job)
{
  const jsonNode *model = json_find(job->result[0].film.reader.root, "model");
  const char *title = json_find_text(model, "title", "");
  return title[0] ? title : json_find_text(model, "file", "result");
}


static void write_report_head(const reportJob *job)
{
  const jsonNode *root = job->result[0].film.reader.root;
  FILE *out = job->out;
  report_text(out,
              "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'; img-src data:\">\n<title>",
              report_title_of(job), "");
  fprintf(out, "</title>\n<style>\n%s</style></head><body>\n<h1>", STYLE);
  markup_write(out, report_title_of(job));
  report_text(out, "</h1>\n<p class=\"about\">Report on a run: ",
              json_find_text(json_find(root, "model"), "file", ""), "");
  const char *study = json_find_text(root, "study", "study");
  if (strcmp(study, "study") != 0) {
    report_text(out, ", study ", study, "");
  }
  report_text(out, ", ", json_find_text(root, "program", ""), "</p>\n");
}


// a shell argument, quoted if necessary
static void say_word(FILE *out, const char *word)
{
  static const char usual[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./=:";
  if (word[0] && word[strspn(word, usual)] == '\0') {
    fprintf(out, " %s", word);
    return;
  }
  // 'it'\''s'
  fputs(" '", out);
  for (const char *c = word;;) {
    const size_t n = strcspn(c, "'");
    markup_write_n(out, c, n);
    if (!c[n]) break;
    markup_write(out, "'\\''");
    c += n + 1;
  }
  fputc('\'', out);
}


// the command that repeats the run
static void write_call(const reportJob *job, const reportResult *result)
{
  const jsonNode *root = result->film.reader.root, *model = json_find(root, "model");
  const jsonNode *study = json_find(result->certificate, "study");
  FILE *out = job->out;
  fputs("<pre>articula run", out);
  say_word(out, json_find_text(model, "file", ""));
  const struct {
    const char *name, *usual;
    const jsonNode *node;
  } choices[] = {{"study", "study", root},
                 {"method", "automatic", root},
                 {"algebra", "automatic", study},
                 {"integrator", "own", root}};
  for (int i = 0; i < 4; i++) {
    const char *value = json_find_text(choices[i].node, choices[i].name, choices[i].usual);
    if (strcmp(value, choices[i].usual) == 0 || strcmp(value, "automatic") == 0) continue;
    fprintf(out, " --%s", choices[i].name);
    say_word(out, value);
  }
  static const char *const numbers[] = {"from", "until", "interval", "tolerance", "step"};
  if (study) fputs(" \\\n ", out);
  for (int i = 0; i < 5 && study; i++) {
    char text[JSON_NUMBER_LENGTH];
    const double value = json_find_number(study, numbers[i], 0);
    if (i < 4 || value > 0) fprintf(out, " --%s %s", numbers[i], json_number_text(value, text));
  }
  fputs("\narticula view", out);
  say_word(out, result->name);
  fputs("</pre>\n", out);
}


static void write_reproduction(const reportJob *job)
{
  const jsonNode *root = job->result[0].film.reader.root, *model = json_find(root, "model");
  FILE *out = job->out;
  fputs("<section><h2>How to reproduce</h2>\n", out);
  for (int r = 0; r < job->nresult; r++) write_call(job, &job->result[r]);
  report_text(out, "<p>With ", json_find_text(root, "program", ""),
              ", of a model with the fingerprint ");
  markup_write(out, json_find_text(model, "hash", ""));
  fputs(", which <code>articula info</code> prints: files with the same meaning have the same one. "
        "Every number on this page but times of computing is the same each time.</p></section>\n",
        out);
}


//---- report --------------------------------------------------------------------------------------

// read the scene, and the certificate if there is one
static void read_report_result(reportJob *job, reportResult *result)
{
  page_result_name(result->path, result->name);
  error_check(motion_open(&result->film, result->path, error_current()));

  char path[FILE_PATH_LENGTH], *text = NULL;
  size_t size = 0;
  if (page_beside(result->path, "certificate.json", path, NULL) != ART_OK) return;
  if (access(path, R_OK) != 0 || file_read(path, &text, &size, NULL) != ART_OK) return;
  json_read(&result->certificate, text, size, path, &job->arena, NULL);
  mem_free(text);
}


static void write_report_page(void *context)
{
  reportJob *job = context;
  for (int r = 0; r < job->nresult; r++) read_report_result(job, &job->result[r]);
  error_check(file_begin(&job->file, job->path, error_current()));
  job->out = job->file.stream;
  write_report_head(job);
  report_summary(job);
  report_model(job);
  report_pictures(job);
  report_plots(job);
  report_certificate(job);
  write_reproduction(job);
  fputs("</body></html>\n", job->out);
}


artStatus report_write(const char *path, int nresult, const char *const *result,
                       const artError *damage, int nword, const char *const *word, artError *error)
{
  reportJob job = {.nword = nword, .word = word, .path = path};
  job.result = arena_alloc(&job.arena, (size_t) nresult, sizeof *job.result);
  if (!job.result) return base_no_memory(error);
  for (; job.nresult < nresult; job.nresult++) {
    reportResult *own = &job.result[job.nresult];
    own->path = result[job.nresult];
    if (!damage || !damage[job.nresult].status) continue;
    // do not reveal folders of this machine
    const char *words = damage[job.nresult].text, *name = strstr(words, "results.csv: ");
    own->damage = name ? name : words;
  }
  job.arena.leaves = 1;
  artStatus status = error_try(write_report_page, &job, error);
  if (job.out) status = file_end(&job.file, status, error);
  for (int r = 0; r < nresult; r++) motion_close(&job.result[r].film);
  arena_free(&job.arena);
  return status;
}
