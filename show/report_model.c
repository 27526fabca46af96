// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The model in a report: counts, study, heaviest bodies, joints and forces by type.
#include <stdlib.h>
#include <string.h>

#include "show/report.h"

enum { MOST_BODIES = 10, MOST_TYPES = 24 };


//---- figures -------------------------------------------------------------------------------------

static void write_counts(const reportJob *job)
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


static void write_study(const reportJob *job)
{
  const reportResult *result = &job->result[0];
  const jsonNode *root = result->film.reader.root, *model = json_find(root, "model");
  const jsonNode *study = json_find(result->certificate, "study");
  FILE *out = job->out;
  char span[64];
  snprintf(span, sizeof span, "%.6g s to %.6g s", json_find_number(root, "from", 0),
           json_find_number(root, "until", 0));
  fputs("<table>\n", out);
  report_row(out, "file", json_find_text(model, "file", ""));
  report_row(out, "fingerprint", json_find_text(model, "hash", ""));
  report_row(out, "study", json_find_text(root, "study", ""));
  report_row(out, "time", span);
  report_row(out, "method", json_find_text(root, "method", ""));
  report_row(out, "integrator", json_find_text(root, "integrator", ""));
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
    fprintf(out, "<tr><th>%d %s</th><td class=\"n\">%.6g</td></tr>\n", n, words, mass);
  }
}


// the heaviest by name, the others and those without mass as numbers
static void write_bodies(const reportJob *job)
{
  const ioScene *scene = &job->result[0].film.scene;
  FILE *out = job->out;
  const sceneBody **sorted =
      arena_alloc((baseArena *) &job->arena, (size_t) scene->nbody + 1, sizeof *sorted);
  if (!sorted || scene->nbody == 0) return;
  for (int i = 0; i < scene->nbody; i++) sorted[i] = &scene->body[i];
  qsort(sorted, (size_t) scene->nbody, sizeof *sorted, by_mass);
  int heavy = 0;
  while (heavy < scene->nbody && sorted[heavy]->mass > 0) heavy++;
  const int shown = heavy <= MOST_BODIES + 1 ? heavy : MOST_BODIES;
  double rest = 0;
  for (int i = shown; i < heavy; i++) rest += sorted[i]->mass;
  fputs("<table><thead><tr><th>body</th><th class=\"n\">mass, kg</th></tr></thead>\n<tbody>", out);
  for (int i = 0; i < shown; i++) {
    report_text(out, "<tr><th>", sorted[i]->name, "");
    fprintf(out, "</th><td class=\"n\">%.6g</td></tr>\n", sorted[i]->mass);
  }
  write_others(out, "others", heavy - shown, rest);
  write_others(out, "without mass", scene->nbody - heavy, 0);
  fputs("</tbody></table>\n", out);
}


// how many there are of each type, in the order of their first
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
  if (n == MOST_TYPES) return n;
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


void report_model(const reportJob *job)
{
  const ioScene *scene = &job->result[0].film.scene;
  typeCount joints[MOST_TYPES], forces[MOST_TYPES];
  int njoint = 0, nforce = 0;
  for (int j = 0; j < scene->njoint; j++) njoint = count_type(joints, njoint, scene->joint[j].type);
  for (int f = 0; f < scene->nforce; f++) nforce = count_type(forces, nforce, scene->force[f].type);
  fputs("<h2>Model and study</h2>\n<div class=\"columns\">\n", job->out);
  write_counts(job);
  write_study(job);
  fputs("</div>\n<h3>Parts</h3>\n<div class=\"columns\">\n", job->out);
  write_bodies(job);
  write_types(job->out, "joints", njoint, joints);
  write_types(job->out, "forces", nforce, forces);
  fputs("</div>\n", job->out);
}
