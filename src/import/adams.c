// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// ADAMS, decks .adm of the solver: which statements make the machine, which are left out, which are refused.
#include "import/adams.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"

// statements without which it would be another machine
static const char *const refused[] = {"NFORCE",    "GSE",        "CVCV", "PTCV",
                                      "FLEX_BODY", "POINT_MASS", "UCON", "FE_PART",
                                      "MFORCE",    "CBUSHING",   NULL};

static const struct {
  const char *verb, *why;
} left_out[] = {{"CONTACT", "bodies do not collide here"},
                {"FRICTION", "friction of joints is left out"},
                {"TIRE", "tyres are left out"},
                {"SENSOR", "sensors do not steer a run here"},
                {"MREQUEST", "outputs of several requests are left out"},
                {"INTEGRATOR", NULL},
                {"OUTPUT", NULL},
                {"RESULTS", NULL},
                {"PREFERENCES", NULL},
                {"KINEMATICS", NULL},
                {"EQUILIBRIUM", NULL},
                {"DYNAMICS", NULL},
                {"DEBUG", NULL},
                {"IC", NULL},
                {"LSOLVER", NULL},
                {"MATERIAL", NULL},
                {"EXECUTION_CONTROL", NULL},
                {"PINPUT", "inputs and outputs of a plant are left out"},
                {"POUTPUT", "inputs and outputs of a plant are left out"},
                {"PSTATE", "states of a plant are left out"}};


static void sort_statement(admReader *r, const admStatement *s)
{
  for (int k = 0; refused[k]; k++) {
    if (strcmp(refused[k], s->verb) != 0) continue;
    import_fail(r->w, s->place,
                "%s/%ld is not known here, and the machine would be another without it", s->verb,
                s->id);
  }
  for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
    if (strcmp(left_out[k].verb, s->verb) != 0) continue;
    import_note(r->w, s->place, "%s: %s", s->verb,
                left_out[k].why ? left_out[k].why : "settings of the solver are left out");
  }
}


static bool is_among(const char *word, const char *const *words)
{
  while (*words && strcmp(*words, word) != 0) words++;
  return *words != NULL;
}


// what nobody has read of a statement
static void note_rest(admReader *r, int number)
{
  static const char *const on_demand[] = {"SPLINE", "DIFF", "TFSISO", "LSE", NULL};
  static const char *const data[] = {"ARRAY", "STRING", "MATRIX", "CURVE", "SURFACE", NULL};
  static const char *const whole[] = {"PART",    "MARKER",  "JOINT",        "JPRIM",   "GCON",
                                      "COUPLER", "GEAR",    "MOTION",       "SFORCE",  "VFORCE",
                                      "VTORQUE", "GFORCE",  "SPRINGDAMPER", "BUSHING", "FIELD",
                                      "BEAM",    "ACCGRAV", "UNITS",        NULL};
  const admStatement *s = &r->statement[number];
  if (is_among(s->verb, on_demand) && !r->written[number]) {
    import_note(r->w, s->place, "%s: nothing reads it, and it is left out", s->verb);
  }
  bool is_read = false;
  for (int k = 0; k < s->nfield; k++) is_read = is_read || s->field[k].is_read;
  if (is_among(s->verb, data) && !is_read) {
    import_note(r->w, s->place, "%s is left out", s->verb);
  }
  for (int k = 0; k < s->nfield && is_among(s->verb, whole); k++) {
    if (s->field[k].is_read) continue;
    import_note(r->w, s->field[k].place, "%.40s of %s is left out", s->field[k].key, s->verb);
  }
}


static const char *read_text(importWork *w, size_t *length)
{
  char *text = NULL;
  if (!mem_grow((void **) &w->kept, w->nkept, &w->kept_capacity, sizeof *w->kept)) {
    import_leave(w, ART_NO_MEMORY);
  }
  const artStatus status = file_read(w->path, &text, length, &w->error);
  w->kept[w->nkept++] = text;
  if (status) import_leave(w, status);
  return text;
}


void adams_read(importWork *w)
{
  admReader r = {.w = w};
  size_t length = 0;
  const char *text = read_text(w, &length);
  adm_scan(&r, text, length);
  if (r.nstatement == 0) {
    import_fail(w, (artPlace){.file = w->path}, "the deck has no statement");
  }
  for (int i = 0; i < r.nstatement; i++) sort_statement(&r, &r.statement[i]);
  r.written = import_take(w, (size_t) r.nstatement + 1, sizeof *r.written);
  adm_read_parts(&r);
  adm_read_joints(&r);
  adm_read_motions(&r);
  adm_read_forces(&r);
  adm_read_start(&r);
  adm_keep_loads(&r);
  adm_read_outputs(&r);
  for (int i = 0; i < r.nstatement; i++) note_rest(&r, i);
}
