// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula report: a page about a result, for reading and printing: summary, pictures, plots, certificate.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/markup.h"
#include "base/memory.h"
#include "command.h"
#include "io/bytes.h"
#include "io/drawing.h"
#include "io/json.h"
#include "io/plot.h"
#include "page.h"

enum { MOST_PANES = 6, MOST_CURVES = 6, MOST_POINTS = 1500, SMALL = 320, MOMENTS = 4, LOOKS = 24 };

typedef struct paperJob {
  const cliCall *call;
  ioMotion film;
  const jsonNode *certificate; // or NULL
  artPose *pose;               // [nbody]
  double start[3], reach;      // of the pictures
  FILE *out;
  artError *error;
  baseArena arena;
} paperJob;


//---- text ----------------------------------------------------------------------------------------

static void say_row(FILE *out, const char *name, const char *text)
{
  fputs("<tr><th>", out);
  markup_write(out, name);
  fputs("</th><td>", out);
  markup_write(out, text);
  fputs("</td></tr>\n", out);
}


static void say_number(FILE *out, const char *name, double x, const char *unit)
{
  char text[64];
  snprintf(text, sizeof text, "%.6g%s%s", x, unit[0] ? " " : "", unit);
  say_row(out, name, text);
}


static const char *title_of(const paperJob *job)
{
  const jsonNode *model = json_find(job->film.reader.root, "model");
  const char *title = json_find_text(model, "title", "");
  return title[0] ? title : json_find_text(model, "file", "result");
}


static void write_head(const paperJob *job)
{
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", job->out);
  markup_write(job->out, title_of(job));
  fputs(
      "</title>\n<style>\n"
      "body{font:15px/1.45 system-ui,sans-serif;color:#1d2126;max-width:980px;margin:2em "
      "auto;padding:0 1em}\n"
      "h1{font-size:1.7em;margin-bottom:.2em}h2{margin-top:1.6em;border-bottom:1px solid #ccd2d8}\n"
      "table{border-collapse:collapse}th{text-align:left;font-weight:500;color:#59616b;padding-"
      "right:1.5em}\n"
      "th,td{padding:.15em 1em .15em 0;vertical-align:top}td{font-variant-numeric:tabular-nums}\n"
      "figure{display:inline-block;margin:.5em .5em .5em 0;text-align:center;break-inside:avoid}\n"
      "figcaption{color:#59616b;font-size:.9em}svg{max-width:100%;height:auto}\n"
      "pre{background:#f3f5f7;padding:.8em;overflow-x:auto}.columns{display:flex;flex-wrap:wrap;"
      "gap:0 3em}\n"
      "@media print{body{margin:0;max-width:none;font-size:11pt}h2{break-after:avoid}}\n"
      "</style></head><body>\n<h1>",
      job->out);
  markup_write(job->out, title_of(job));
  fputs("</h1>\n", job->out);
}


//---- summary -------------------------------------------------------------------------------------

static void write_summary(const paperJob *job)
{
  const jsonNode *root = job->film.reader.root, *model = json_find(root, "model");
  const ioScene *scene = &job->film.scene;
  double mass = 0;
  int rods = 0;
  for (int i = 0; i < scene->nbody; i++) {
    mass += scene->body[i].mass;
    rods += scene->body[i].frame < 0;
  }
  FILE *out = job->out;
  fputs("<h2>Model</h2>\n<div class=\"columns\"><table>\n", out);
  say_row(out, "file", json_find_text(model, "file", ""));
  say_row(out, "fingerprint", json_find_text(model, "hash", ""));
  say_number(out, "bodies", scene->nbody - rods, "");
  if (rods > 0) say_number(out, "rods", rods, "");
  say_number(out, "joints", scene->njoint, "");
  if (scene->nloop > 0) say_number(out, "closed loops", scene->nloop, "");
  say_number(out, "forces", scene->nforce, "");
  say_number(out, "mass", mass, "kg");
  const jsonNode *about = json_find(job->certificate, "model");
  if (about) {
    say_number(out, "degrees of freedom", json_find_number(about, "degrees_of_freedom", 0), "");
  }
  fputs("</table><table>\n", out);
  say_row(out, "study", json_find_text(root, "study", ""));
  say_row(out, "method", json_find_text(root, "method", ""));
  say_row(out, "integrator", json_find_text(root, "integrator", ""));
  say_number(out, "from", json_find_number(root, "from", 0), "s");
  say_number(out, "until", json_find_number(root, "until", 0), "s");
  say_number(out, "rows", (double) job->film.frames, "");
  say_row(out, "program", json_find_text(root, "program", ""));
  fputs("</table></div>\n", out);
}


//---- pictures ------------------------------------------------------------------------------------

// the middle of all mass at the poses read last
static int mass_centre(const paperJob *job, double centre[3])
{
  const ioScene *scene = &job->film.scene;
  double mass = 0, sum[3] = {0, 0, 0};
  for (int i = 0; i < scene->nbody; i++) {
    mass += scene->body[i].mass;
    for (int k = 0; k < 3; k++) sum[k] += scene->body[i].mass * job->pose[i].position[k];
  }
  for (int k = 0; k < 3 && mass > 0; k++) centre[k] = sum[k] / mass;
  return mass > 0;
}


// how far the bodies come around the middle of the machine, from some frames
static double reach_of(paperJob *job)
{
  const ioScene *scene = &job->film.scene;
  double most = 0, time;
  for (int f = 0; f < LOOKS; f++) {
    if (!motion_read(&job->film, (job->film.frames - 1) * f / (LOOKS - 1), &time, job->pose))
      continue;
    for (int i = 0; i < scene->nbody; i++) {
      if (scene->body[i].nshape == 0 || scene->body[i].mass <= 0) continue;
      double square = 0;
      for (int k = 0; k < 3; k++) square += pow(job->pose[i].position[k] - scene->centre[k], 2);
      most = fmax(most, sqrt(square));
    }
  }
  return fmin(fmax(scene->size, 2.1 * most), 3 * scene->size);
}


// what stands on ground is shown from one place; what travels is followed
static void aim(const paperJob *job, ioDrawing *drawing)
{
  const ioScene *scene = &job->film.scene;
  double now[3];
  memcpy(drawing->centre, scene->centre, sizeof drawing->centre);
  drawing->reach = scene->nground > 0 ? job->reach : 0.95 * scene->size;
  if (scene->nground > 0 || !mass_centre(job, now)) return;
  for (int k = 0; k < 3; k++) drawing->centre[k] += now[k] - job->start[k];
}


static artStatus write_picture(paperJob *job, long frame, drawingView view, const char *words)
{
  double time;
  ioDrawing drawing = {.view = view, .width = SMALL * 3 / 2, .height = SMALL};
  if (!motion_read(&job->film, frame, &time, job->pose)) return ART_OK;
  aim(job, &drawing);
  fputs("<figure>", job->out);
  const artStatus status = drawing_write(job->out, &job->film, job->pose, &drawing, job->error);
  fprintf(job->out, "<figcaption>%s, t = %.4g s</figcaption></figure>\n", words, time);
  return status;
}


static artStatus write_pictures(paperJob *job)
{
  static const struct {
    drawingView view;
    const char *words;
  } views[] = {{DRAWING_SIDE, "side"}, {DRAWING_FRONT, "front"}, {DRAWING_TOP, "top"}};
  artStatus status = ART_OK;
  fputs("<h2>Pictures</h2>\n", job->out);
  double time;
  job->reach = reach_of(job);
  if (motion_read(&job->film, 0, &time, job->pose)) mass_centre(job, job->start);
  for (int k = 0; k < MOMENTS && !status; k++) {
    const long frame = (job->film.frames - 1) * k / (MOMENTS - 1);
    if (k > 0 && frame == (job->film.frames - 1) * (k - 1) / (MOMENTS - 1)) continue;
    status = write_picture(job, frame, DRAWING_ISO, "view");
  }
  for (int k = 0; k < 3 && !status; k++) {
    status = write_picture(job, 0, views[k].view, views[k].words);
  }
  return status;
}


//---- plots ---------------------------------------------------------------------------------------

// some points of a column, evenly
static double *read_column(paperJob *job, int channel, long n, long stride)
{
  const long count = job->film.frames;
  unsigned char *bytes = mem_alloc((size_t) count * 8, 1);
  double *values = arena_alloc(&job->arena, (size_t) n, sizeof *values);
  if (bytes && values && scene_read_column(&job->film.reader, channel, 0, count, bytes)) {
    for (long i = 0; i < n; i++) {
      const long at = i * stride < count ? i * stride : count - 1;
      values[i] = get_f64(bytes + 8 * at);
    }
  } else {
    values = NULL;
  }
  mem_free(bytes);
  return values;
}


// the pane of a unit, a new one while there is room; -1: none
static int pane_of(const paperJob *job, ioPlot *plot, const char *unit, int *curves)
{
  char label[64];
  snprintf(label, sizeof label, "[%s]", unit[0] ? unit : "1");
  for (int p = 0; p < plot->npane; p++) {
    if (strcmp(plot->pane[p].label, label) == 0) return curves[p] < MOST_CURVES ? p : -1;
  }
  if (plot->npane == MOST_PANES) return -1;
  plot->pane[plot->npane].label = arena_text((baseArena *) &job->arena, label);
  return plot->pane[plot->npane].label ? plot->npane++ : -1;
}


static artStatus write_plots(paperJob *job)
{
  const ioScene *scene = &job->film.scene;
  plotAxis pane[MOST_PANES] = {{0}};
  plotCurve curve[MOST_PANES * MOST_CURVES] = {{0}};
  int curves[MOST_PANES] = {0};
  ioPlot plot = {.x = {.label = "time [s]"}, .pane = pane, .curve = curve};
  const long stride = 1 + job->film.frames / MOST_POINTS;
  const long n = (job->film.frames - 1) / stride + 1 + ((job->film.frames - 1) % stride != 0);
  const double *time = read_column(job, -1, n, stride);
  if (!time) return base_no_memory(job->error);
  for (int c = 0; c < scene->nchannel; c++) {
    const int p = pane_of(job, &plot, scene->channel[c].unit, curves);
    if (p < 0) continue;
    const double *values = read_column(job, c, n, stride);
    if (!values) return base_no_memory(job->error);
    plot.curve[plot.ncurve++] = (plotCurve){.label = scene->channel[c].name,
                                            .pane = p,
                                            .colour = curves[p]++,
                                            .n = n,
                                            .x = time,
                                            .y = values};
  }
  if (plot.ncurve == 0) return ART_OK;
  plot_fit(&plot);
  fputs("<h2>Channels</h2>\n", job->out);
  plot_print_svg(&plot, job->out);
  if (plot.ncurve < scene->nchannel) {
    fprintf(job->out, "<p>%d of %d channels; <code>articula plot</code> draws the others.</p>\n",
            plot.ncurve, scene->nchannel);
  }
  return ART_OK;
}


//---- certificate ---------------------------------------------------------------------------------

static void write_value(FILE *out, const char *path, const jsonNode *node)
{
  char text[JSON_NUMBER_LENGTH];
  switch (node->kind) {
  case JSON_TEXT:
    say_row(out, path, node->text);
    break;
  case JSON_NUMBER:
    snprintf(text, sizeof text, "%.6g", node->number);
    say_row(out, path, text);
    break;
  case JSON_BOOL:
    say_row(out, path, node->number != 0 ? "yes" : "no");
    break;
  case JSON_NULL:
    say_row(out, path, "-");
    break;
  default: {
    char inner[256];
    int i = 0;
    for (const jsonNode *item = node->first; item; item = item->next, i++) {
      if (item->key) {
        snprintf(inner, sizeof inner, "%.120s%s%.120s", path, path[0] ? "." : "", item->key);
      } else {
        snprintf(inner, sizeof inner, "%.120s[%d]", path, i);
      }
      write_value(out, inner, item);
    }
  }
  }
}


static void write_certificate(const paperJob *job)
{
  fputs("<h2>Certificate</h2>\n", job->out);
  if (!job->certificate) {
    fputs("<p>This run has not ended: there is no certificate.</p>\n", job->out);
    return;
  }
  fputs("<table>\n", job->out);
  write_value(job->out, "", job->certificate);
  fputs("</table>\n", job->out);
}


static void write_reproduction(const paperJob *job)
{
  const jsonNode *root = job->film.reader.root, *model = json_find(root, "model");
  const jsonNode *study = json_find(job->certificate, "study");
  const char *name = json_find_text(root, "study", "study");
  const char *method = json_find_text(root, "method", "automatic");
  const char *integrator = json_find_text(root, "integrator", "own");
  FILE *out = job->out;
  fputs("<h2>How to reproduce</h2>\n<pre>articula run ", out);
  markup_write(out, json_find_text(model, "file", ""));
  if (strcmp(name, "study") != 0) {
    fputs(" --study ", out);
    markup_write(out, name);
  }
  if (strcmp(method, "automatic") != 0) fprintf(out, " --method %s", method);
  if (strcmp(integrator, "own") != 0) fprintf(out, " --integrator %s", integrator);
  if (study) {
    fprintf(out, " \\\n  --from %.17g --until %.17g --interval %.17g --tolerance %.17g",
            json_find_number(study, "from", 0), json_find_number(study, "until", 0),
            json_find_number(study, "interval", 0), json_find_number(study, "tolerance", 0));
    if (json_find_number(study, "step", 0) > 0) {
      fprintf(out, " --step %.17g", json_find_number(study, "step", 0));
    }
  }
  fputs("</pre>\n<p>With ", out);
  markup_write(out, json_find_text(root, "program", ""));
  fputs(", of a model with the fingerprint ", out);
  markup_write(out, json_find_text(model, "hash", ""));
  fputs(" (<code>articula info</code> prints it).</p>\n", out);
}


//---- the whole -----------------------------------------------------------------------------------

static void read_certificate(paperJob *job)
{
  char path[FILE_PATH_LENGTH], *text = NULL;
  size_t size = 0;
  if (page_beside(job->call->file, "certificate.json", path, NULL) != ART_OK) return;
  if (access(path, R_OK) != 0 || file_read(path, &text, &size, NULL) != ART_OK) return;
  json_read(&job->certificate, text, size, path, &job->arena, NULL);
  mem_free(text);
}


static artStatus write_page(paperJob *job)
{
  write_head(job);
  write_summary(job);
  artStatus status = write_pictures(job);
  if (!status) status = write_plots(job);
  if (status) return status;
  write_certificate(job);
  write_reproduction(job);
  fputs("</body></html>\n", job->out);
  return ART_OK;
}


static artStatus report(paperJob *job, const char *path)
{
  artStatus status = motion_open(&job->film, job->call->file, job->error);
  if (status) return status;
  read_certificate(job);
  job->pose = arena_alloc(&job->arena, (size_t) job->film.scene.nbody + 1, sizeof *job->pose);
  if (!job->pose) return base_no_memory(job->error);
  baseFile file;
  status = file_begin(&file, path, job->error);
  if (status) return status;
  job->out = file.stream;
  status = write_page(job);
  if (!status) return file_commit(&file, job->error);
  fclose(file.stream);
  file_remove(file.part, NULL);
  return status;
}


int verb_report(const cliCall *call)
{
  artError error = {0};
  paperJob job = {.call = call, .error = &error};
  char path[FILE_PATH_LENGTH];
  artStatus status = page_beside(call->file, "report.html", path, &error);
  if (call->directory) snprintf(path, sizeof path, "%s", call->directory);
  if (!status) status = report(&job, path);
  motion_close(&job.film);
  arena_free(&job.arena);
  if (status) return cli_fail(call, &error);
  if (call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "report", path);
    json_end(&json);
  } else if (!call->quiet) {
    printf("%s\n", path);
  }
  return CLI_DONE;
}
