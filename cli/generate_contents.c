// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula generate --json: everything that was written, for programs that call it.
#include <math.h>

#include "base/error.h"
#include "model/model.h"
#include "tell.h"
#include "verb_generate.h"

// a vector with the names of its elements
static void tell_vector(cliReport *report, const eqnVector *v)
{
  json_object(report, NULL);
  json_fields(report, "name: %s, what: %s, length: %d", v->name, v->what, v->n);
  if (v->label) {
    json_list(report, "elements");
    for (int i = 0; i < v->n; i++) json_text(report, NULL, v->label[i]);
    json_end(report);
  }
  json_end(report);
}


static artStatus tell_function(cliReport *report, const eqnProgram *p, const eqnFunction *f,
                               const eqnOptions *passes, artError *error)
{
  eqnList *list = eqn_list_create(p, f, passes);
  if (!list) return base_no_memory(error);
  json_object(report, NULL);
  json_fields(report, "name: %s, what: %s, operations: %d, ahead: %d", f->name, f->what,
              list->total.total, list->constants.total);
  json_array(report, "reads");
  for (int k = 0; k < f->ninput; k++) tell_vector(report, &f->input[k]);
  json_end(report);
  json_array(report, "writes");
  for (int k = 0; k < f->noutput; k++) tell_vector(report, &f->output[k]);
  json_end(report);
  json_end(report);
  eqn_list_free(list);
  return ART_OK;
}


// of a parameter of the file: its name there, unit and limits
static void tell_user(cliReport *report, const eqnUser *user)
{
  json_fields(report, "source: %s, unit: %s", user->name, user->unit);
  if (isfinite(user->lower)) json_number(report, "lower", user->lower);
  if (isfinite(user->upper)) json_number(report, "upper", user->upper);
}


static void tell_parameters(cliReport *report, const eqnProgram *p)
{
  json_array(report, "parameters");
  for (int i = 0; i < p->parameter.n; i++) {
    json_object(report, NULL);
    json_text(report, "name", p->parameter.label[i]);
    json_number(report, "value", p->value[i]);
    if (i < p->nuser) tell_user(report, &p->user[i]);
    json_text(report, "remark", p->remark && p->remark[i] ? p->remark[i] : "");
    json_end(report);
  }
  json_end(report);
  json_array(report, "frozen");
  for (int i = 0; i < p->nfrozen; i++) {
    json_item(report, NULL, "name: %s, what: %s", p->frozen[i].name, p->frozen[i].what);
  }
  json_end(report);
}


// functions that the user of the text supplies, by their names there
static artStatus tell_externals(cliReport *report, const eqnProgram *p, artError *error)
{
  baseArena arena = {0};
  const char *const *name = emit_external_names(p, &arena);
  json_array(report, "externals");
  for (int i = 0; name && i < p->nexternal; i++) {
    const eqnExternal *x = &p->external[i];
    json_item(report, NULL, "name: %s, what: %s, arguments: %d, results: %d", name[i],
              x->what ? x->what : "", x->narg, x->n);
  }
  json_end(report);
  arena_free(&arena);
  return name ? ART_OK : base_no_memory(error);
}


static void tell_number(cliReport *report, const char *name, const char *unit, double initial)
{
  json_object(report, NULL);
  json_text(report, "name", name);
  json_text(report, "unit", unit ? unit : "");
  if (isfinite(initial)) json_number(report, "initial", initial);
  json_end(report);
}


// coordinates and states as they are assembled, inputs, outputs
static void tell_state(cliReport *report, const artModel *m, const artData *d)
{
  json_array(report, "positions");
  for (int k = 0; k < m->tree.nq; k++) {
    tell_number(report, art_position_name(m, k), art_position_unit(m, k), d->q[k]);
  }
  json_end(report);
  json_array(report, "velocities");
  for (int k = 0; k < m->tree.nv; k++) {
    tell_number(report, art_velocity_name(m, k), art_velocity_unit(m, k), d->v[k]);
  }
  json_end(report);
  json_array(report, "states");
  for (int k = 0; k < m->nstate; k++) {
    tell_number(report, art_state_name(m, k), art_state_unit(m, k), d->s[k]);
  }
  json_end(report);
  json_array(report, "inputs");
  for (int k = 0; k < m->nheld; k++) {
    tell_number(report, m->held[k].name, m->held[k].unit, d->u[k]);
  }
  json_end(report);
  json_array(report, "outputs");
  for (int k = 0; k < m->noutput; k++) {
    tell_number(report, art_output_name(m, k), art_output_unit(m, k), NAN);
  }
  json_end(report);
}


artStatus generate_tell_contents(cliReport *report, const cliGenerate *job, artError *error)
{
  const eqnProgram *p = job->program;
  eqnOptions passes;
  artStatus status = generate_read_passes(job->w->call, &passes, error);
  json_array(report, "functions");
  for (int i = 0; i < p->nfunction && status == ART_OK; i++) {
    status = tell_function(report, p, &p->function[i], &passes, error);
  }
  json_end(report);
  if (status == ART_OK) status = tell_externals(report, p, error);
  tell_parameters(report, generate_told(job));
  tell_state(report, job->w->model, job->w->data);
  return status;
}
