// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The motion of a machine does not depend on the end of the run, on the rows that are asked for, nor on bodies that have
// nothing to do with it: every sample model moves alike within the tolerance. ART_SOAK=1 takes all models and longer runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

enum { TEXT = 40000, ROWS = 73, MOST = 4000 };

// Errors of about a thousand steps with a tolerance of 1e-8, and what the motion makes of them.
static const double SAME = 1e-5;

// How a run differs from the first one.
typedef enum change { AS_IT_IS, LATER_END, MORE_ROWS, FAR_BODIES, CHANGES } change;
static const char *const WORDS[CHANGES] = {"as it is", "with a later end", "with more rows",
                                           "with bodies far away"};

// States that are large beside those of any machine: a body that falls, and a rotor that has turned for a day.
static const char *const FAR[][2] = {
    {"bodies", "far_body: {mass: 1, inertia: [1, 1, 1]}"},
    {"bodies", "far_rotor: {mass: 1, inertia: [1, 1, 1]}"},
    {"joints", "far_free: {type: free, from: ground, to: far_body}"},
    {"joints", "far_spin: {type: revolute, axis: x, from: ground, to: far_rotor}"},
    {"initial", "far_free: {x: 1e9, y: -1e9, wz: 1}"},
    {"initial", "far_spin: {angle: 1e9, rate: 1}"},
};
enum { NFAR = sizeof FAR / sizeof *FAR };


//---- texts of models -------------------------------------------------------------------------------

// the line of a section, "bodies:"; NULL: the file has none
static char *find_section(char *text, const char *name)
{
  const size_t length = strlen(name);
  for (char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (!strncmp(line, name, length) && line[length] == ':') return line;
  }
  return NULL;
}


static void insert(char *text, char *at, const char *what)
{
  const size_t length = strlen(what);
  if (!CHECK(strlen(text) + length < TEXT)) return;
  memmove(at + length, at, strlen(at) + 1);
  memcpy(at, what, length);
}


// one more item of a section, in braces or on lines of their own
static void add_item(char *text, const char *section, const char *item)
{
  char line[300];
  char *at = find_section(text, section);
  if (!at) {
    snprintf(line, sizeof line, "\n%s: {%s}\n", section, item);
    insert(text, text + strlen(text), line);
    return;
  }
  at += strlen(section) + 1;
  at += strspn(at, " ");
  if (*at == '{') {
    snprintf(line, sizeof line, "%s, ", item);
    insert(text, at + 1, line);
    return;
  }
  do at = strchr(at, '\n') + 1;
  while (at[strspn(at, " ")] == '#' || at[strspn(at, " ")] == '\n');
  snprintf(line, sizeof line, "%.*s%s\n", (int) strspn(at, " "), "                ", item);
  insert(text, at, line);
}


static void read_text(const char *path, char *text)
{
  FILE *file = fopen(path, "r");
  text[0] = '\0';
  if (!CHECK(file)) return;
  const size_t length = fread(text, 1, TEXT - 1, file);
  CHECK(length < TEXT - 1);
  text[length] = '\0';
  fclose(file);
}


static artModel *read_with_far_bodies(const char *path)
{
  static char text[TEXT];
  read_text(path, text);
  for (int i = 0; i < NFAR; i++) add_item(text, FAR[i][0], FAR[i][1]);
  return keep_text_at(text, path);
}


//---- runs ------------------------------------------------------------------------------------------

// Positions and velocities at the end, in the order of the machine as it is.
typedef struct motion {
  artStatus status;
  artVerdict verdict;
  double q[MOST], v[MOST];
  char text[ART_ERROR_LENGTH];
} motion;


static void show_motion(const artModel *m, const artData *d, const artModel *first, motion *to)
{
  const artCounts n = art_count(first);
  for (int k = 0; k < n.nq; k++) to->q[k] = d->q[art_find_position(m, art_position_name(first, k))];
  for (int k = 0; k < n.nv; k++) to->v[k] = d->v[art_find_velocity(m, art_velocity_name(first, k))];
}


static void move(const artModel *m, const artModel *first, artRunDef study, change how, double t,
                 motion *to)
{
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artError error = {0};
  study.until = study.from + t * (how == LATER_END ? 10 : 1);
  study.interval = t;
  d->time = study.from;
  to->status =
      study.start.at_equilibrium ? art_find_start(m, d, &study.start, NULL, NULL, &error) : ART_OK;
  if (!to->status) to->status = art_create_run(&run, m, d, &study, &error);
  for (int k = 1; k < ROWS && how == MORE_ROWS && !to->status; k++)
    to->status = art_run_to(run, study.from + t * k / ROWS, &error);
  if (!to->status) to->status = art_run_to(run, study.from + t, &error);
  if (run) {
    const artCertificate c = art_certify(run);
    to->verdict = art_judge(&c, &error).verdict;
  }
  snprintf(to->text, sizeof to->text, "%s", error.text);
  show_motion(m, d, first, to);
  art_free_run(run);
}


// the largest difference, relative to the largest number of its kind
static double apart(const artModel *m, const motion *a, const motion *b)
{
  const artCounts n = art_count(m);
  return check_larger(check_apart(n.nq, a->q, b->q) / check_scale(n.nq, a->q),
                      check_apart(n.nv, a->v, b->v) / check_scale(n.nv, a->v));
}


// independent coordinates by hand are those of the whole machine, bodies far away with it
static int is_by_hand(const artRunDef *study)
{
  return study->independent && study->independent[0];
}


static void check_changes(const char *path, const artModel *first, const artRunDef *study, double t)
{
  static motion want, got;
  move(first, first, *study, AS_IT_IS, t, &want);
  CHECK_EQ_INT(want.status, ART_OK);
  for (change how = LATER_END; how < CHANGES; how++) {
    if (how == FAR_BODIES && is_by_hand(study)) continue;
    const artModel *m = how == FAR_BODIES ? read_with_far_bodies(path) : first;
    if (!m) continue;
    move(m, first, *study, how, t, &got);
    int same = CHECK_EQ_INT(got.status, want.status);
    same &= CHECK_EQ_INT(got.verdict, want.verdict);
    same &= CHECK(apart(first, &want, &got) < SAME);
    if (!same) {
      printf("  %s by %s %s: apart by %.2g %s\n", path, art_integrator_name(study->integrator),
             WORDS[how], apart(first, &want, &got), got.text);
    }
  }
}


// by the integrator of the file, and in soaks by the others that choose their steps
static void check_model(const char *path, double longest)
{
  static const artIntegrator BY_ERROR[] = {ART_DOPRI5,
#ifdef ART_HAVE_SUNDIALS
                                           ART_BDF, ART_ADAMS
#endif
  };
  const artModel *first = keep_file(path);
  const artRunDef *own = first ? art_find_run(first, NULL) : NULL;
  if (!own || !CHECK(art_count(first).nq <= MOST)) return;
  const double t = fmin(longest, 0.1 * (own->until - own->from));
  artRunDef study = *own;
  study.tolerance = fmin(study.tolerance, 1e-8);
  check_changes(path, first, &study, t);
  const int n = getenv("ART_SOAK") ? (int) (sizeof BY_ERROR / sizeof *BY_ERROR) : 0;
  for (int i = 0; i < n && !art_method_is_natural(own->method); i++) {
    study.integrator = BY_ERROR[i];
    if (BY_ERROR[i] != own->integrator) check_changes(path, first, &study, t);
  }
}


static int is_quick(const char *name)
{
  static const char *const QUICK[] = {"pendulum.yaml",       "latch.yaml",
                                      "rope-pendulum.yaml",  "loops/four-bar.yaml",
                                      "loops/stewart.yaml",  "plant/dc-motor.yaml",
                                      "puck.yaml",           "vehicles/cart.yaml",
                                      "vehicles/kerb.yaml",  "vehicles/iltis-bump.yaml",
                                      "vehicles/bogie.yaml", "plant/inverted-pendulum.yaml"};
  for (size_t k = 0; k < sizeof QUICK / sizeof *QUICK; k++) {
    if (!strcmp(name, QUICK[k])) return 1;
  }
  return 0;
}


TEST(sample_models_move_alike)
{
  const int is_soak = getenv("ART_SOAK") != NULL;
  glob_t files = folder_models(2);
  int models = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const char *path = files.gl_pathv[i], *name = path + strlen(ART_SOURCE_DIR "/models/");
    if (strstr(name, "parts/") || !(is_soak || is_quick(name))) continue;
    check_model(path, is_soak ? 2 : 0.1);
    check_free_kept();
    models++;
  }
  CHECK(models >= 12);
  globfree(&files);
}
