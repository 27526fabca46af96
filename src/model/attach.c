// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws, inputs and outputs of the host program, attached by name to a model that has been read.
#include <string.h>

#include "base/error.h"
#include "model/model.h"

//---- forces ----------------------------------------------------------------------------------------

artStatus model_no_law(const modelElement *e, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, e->place,
                   "force '%s' is a callback of the host program, and none is attached: "
                   "art_attach_force from C",
                   e->name);
}


artStatus art_attach_force(artModel *m, const artCallbackDef *def, artError *error)
{
  ART_REQUIRE(m && def && def->name && def->apply, error);
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = def->name};
  for (int i = 0; i < m->nelement; i++) {
    modelElement *e = &m->element[i];
    if (e->kind != ELEMENT_callback) continue;
    base_consider(&nearest, e->name);
    if (strcmp(e->name, def->name) != 0) continue;
    e->callback = *def;
    e->callback.name = e->name;
    e->has_potential = def->potential != NULL;
    return ART_OK;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the model has no force '%.60s' of type callback%s", def->name,
                   base_hint(&nearest, hint));
}


//---- inputs ----------------------------------------------------------------------------------------

artStatus art_attach_input(artModel *m, const char *name, artValue *value, void *context,
                           artError *error)
{
  ART_REQUIRE(m && name && value, error);
  const int i = art_find_input(m, name);
  if (i < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int k = 0; k < m->ninput; k++) base_consider(&nearest, m->held[k].name);
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the model has no input '%.60s'%s", name,
                     base_hint(&nearest, hint));
  }
  modelHeld *held = &m->held[i];
  if (!(held->every > 0) || held->hold == ART_HOLD_FIRST) {
    return base_fail(error, ART_BAD_INPUT, held->place, "input '%s' cannot have a function: %s",
                     held->name,
                     held->every > 0 ? "'hold: first' is for values that are set from step to step"
                                     : "it has no instants; give it 'every'");
  }
  held->clock = model_clock_of(m, held);
  held->value = value;
  held->context = context;
  return ART_OK;
}


//---- outputs ---------------------------------------------------------------------------------------

artStatus art_attach_output(artModel *m, const artOutputDef *def, artError *error)
{
  ART_REQUIRE(m && def && def->name && def->value, error);
  for (int i = 0; i < m->noutput; i++) {
    if (strcmp(m->output[i].name, def->name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the model has an output '%.60s' already", def->name);
  }
  const size_t n = (size_t) m->noutput;
  modelOutput *output = arena_alloc(&m->arena, n + 1, sizeof *output);
  if (!output) return base_no_memory(error);
  if (n > 0) memcpy(output, m->output, n * sizeof *output);
  output[n] = (modelOutput){.name = arena_text(&m->arena, def->name),
                            .unit = arena_text(&m->arena, def->unit ? def->unit : ""),
                            .value = def->value,
                            .context = def->context};
  if (!output[n].name || !output[n].unit) return base_no_memory(error);
  m->output = output;
  m->noutput++;
  return ART_OK;
}


//---- a model that is read again ----------------------------------------------------------------------

artStatus model_hand_attached(const artModel *from, artModel *to, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < from->nelement && i < to->nelement; i++) {
    const modelElement *e = &from->element[i];
    if (e->kind != ELEMENT_callback || to->element[i].kind != ELEMENT_callback) continue;
    to->element[i].callback = e->callback;
    to->element[i].callback.name = to->element[i].name;
    to->element[i].has_potential = e->has_potential;
  }
  for (int i = 0; i < from->ninput && i < to->ninput && status == ART_OK; i++) {
    const modelHeld *held = &from->held[i];
    if (!held->value) continue;
    status = art_attach_input(to, to->held[i].name, held->value, held->context, error);
  }
  for (int i = 0; i < from->noutput && status == ART_OK; i++) {
    const modelOutput *output = &from->output[i];
    if (output->formula) continue;
    const artOutputDef def = {output->name, output->unit, output->value, output->context};
    status = art_attach_output(to, &def, error);
  }
  return status;
}
