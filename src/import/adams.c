// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// ADAMS solver decks (.adm): which statements define the machine, which are left out, and which are
// rejected.
#include "import/adams.h"

const char import_six_axis_spring[] = "bushing";

// clang-format off
#define IS(word, what) {.name = word, .fate = ADM_##what}
const admVerb adm_verbs[] = {
    IS("PART", WHOLE), IS("MARKER", WHOLE), IS("COUPLER", WHOLE), IS("GEAR", WHOLE),
    IS("ACCGRAV", WHOLE), IS("UNITS", WHOLE),
    {"JOINT", .function = "JOINT"}, {"JPRIM", .function = "JPRIM"}, {"GCON", .function = "GCON"},
    {"MOTION", .function = "MOTION"},
    {"SFORCE", .read = adm_read_sforce, .function = "SFORCE"},
    {"SPRINGDAMPER", .read = adm_read_springdamper, .function = "SPDP"},
    {"BUSHING", .read = adm_read_bush, .function = "BUSH", .type = import_six_axis_spring},
    {"FIELD", .read = adm_read_field, .function = "FIELD", .type = import_six_axis_spring},
    {"BEAM", .read = adm_read_beam, .function = "BEAM", .type = import_six_axis_spring},
    {"VFORCE", .read = adm_read_vector}, {"VTORQUE", .read = adm_read_vector},
    {"GFORCE", .read = adm_read_vector},
    IS("SPLINE", ASKED), IS("DIFF", ASKED), IS("LSE", ASKED), IS("TFSISO", ASKED),
    IS("ARRAY", DATA), IS("STRING", DATA), IS("MATRIX", DATA), IS("CURVE", DATA),
    IS("SURFACE", DATA),
    IS("VARIABLE", OTHER), IS("REQUEST", OTHER), IS("MEASURE", OTHER),
    IS("GRAPHICS", OTHER), IS("LIST", OTHER), IS("NOLIST", OTHER), IS("END", OTHER),
    IS("SYSTEM_PARAMETERS", OTHER),
    IS("INTEGRATOR", LEFT_OUT), IS("OUTPUT", LEFT_OUT), IS("RESULTS", LEFT_OUT),
    IS("PREFERENCES", LEFT_OUT), IS("KINEMATICS", LEFT_OUT), IS("EQUILIBRIUM", LEFT_OUT),
    IS("DYNAMICS", LEFT_OUT), IS("DEBUG", LEFT_OUT), IS("IC", LEFT_OUT),
    IS("LSOLVER", LEFT_OUT), IS("MATERIAL", LEFT_OUT), IS("EXECUTION_CONTROL", LEFT_OUT),
    {"CONTACT", ADM_LEFT_OUT, .why = "bodies do not collide here"},
    {"FRICTION", ADM_LOST, .why = "friction of joints is left out"},
    {"TIRE", ADM_LOST, .why = "tyres are left out"},
    {"SENSOR", ADM_LOST, .why = "sensors do not steer a run here"},
    {"MREQUEST", ADM_LEFT_OUT, .why = "outputs of several requests are left out"},
    {"PINPUT", ADM_LEFT_OUT, .why = "inputs and outputs of a plant are left out"},
    {"POUTPUT", ADM_LEFT_OUT, .why = "inputs and outputs of a plant are left out"},
    {"PSTATE", ADM_LEFT_OUT, .why = "states of a plant are left out"},
    IS("NFORCE", REFUSED), IS("GSE", REFUSED), IS("CVCV", REFUSED), IS("PTCV", REFUSED),
    IS("FLEX_BODY", REFUSED), IS("POINT_MASS", REFUSED), IS("UCON", REFUSED),
    IS("FE_PART", REFUSED), IS("MFORCE", REFUSED), IS("CBUSHING", REFUSED),
    {0}};
// clang-format on


// note the fields of a statement that were not read
static void note_rest(admReader *r, int number)
{
  const admStatement *s = &r->statement[number];
  const admFate fate = s->kind->fate;
  if (fate == ADM_ASKED && !r->written[number]) {
    import_note_look(r->w, s->place, "%s: nothing reads it, and it is left out", s->verb);
  }
  bool is_read = false;
  for (int k = 0; k < s->nfield; k++) is_read = is_read || s->field[k].is_read;
  if (fate == ADM_DATA && !is_read) import_note(r->w, s->place, "%s is left out", s->verb);
  for (int k = 0; k < s->nfield && fate == ADM_WHOLE; k++) {
    if (s->field[k].is_read) continue;
    import_note_motion(r->w, s->field[k].place, "%.40s of %s is left out", s->field[k].key,
                       s->verb);
  }
}


void adams_read(importWork *w)
{
  admReader r = {.w = w};
  size_t length = 0;
  const char *text = import_bytes(w, w->path, &length);
  adm_scan(&r, text, length);
  if (r.nstatement == 0) {
    import_fail(w, (artPlace){.file = w->path}, "the deck has no statement");
  }
  for (int i = 0; i < r.nstatement; i++) {
    const admStatement *s = &r.statement[i];
    const admVerb *kind = s->kind;
    if (kind->fate == ADM_REFUSED) {
      import_fail(r.w, s->place,
                  "%s/%ld is not known here, and the machine would be another without it", s->verb,
                  s->id);
    }
    if (kind->fate == ADM_LEFT_OUT) {
      import_note(r.w, s->place, "%s: %s", s->verb,
                  kind->why ? kind->why : "settings of the solver are left out");
    }
    if (kind->fate == ADM_LOST) import_note_motion(r.w, s->place, "%s: %s", s->verb, kind->why);
  }
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
