// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws, inputs and outputs of the host program, attached by name to a model that has been read.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/pool.h"
#include "model/model.h"

// memory that lives as long as the model, from its pool where it has one
static void *take_model_memory(artModel *m, size_t count, size_t size)
{
  if (m->pool) pool_drop_marks(m->pool);
  memPool *outer = pool_use(m->pool);
  void *piece = arena_alloc(&m->arena, count, size);
  pool_use(outer);
  return piece;
}


static const char *take_model_text(artModel *m, const char *text)
{
  const size_t bytes = strlen(text) + 1;
  char *copy = take_model_memory(m, bytes, 1);
  return copy ? memcpy(copy, text, bytes) : NULL;
}


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
  ARITHMETIC_GUARD;
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

static modelHeld *find_attached_input(artModel *m, const char *name, artError *error)
{
  const int i = art_find_input(m, name);
  if (i >= 0) return &m->held[i];
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int k = 0; k < m->ninput; k++) base_consider(&nearest, m->held[k].name);
  base_fail(error, ART_BAD_INPUT, base_nowhere(), "the model has no input '%.60s'%s", name,
            base_hint(&nearest, hint));
  return NULL;
}


artStatus art_attach_input(artModel *m, const char *name, artValue *value, void *context,
                           artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && name && value, error);
  modelHeld *held = find_attached_input(m, name, error);
  if (!held) return ART_BAD_INPUT;
  if (held->table) {
    return base_fail(error, ART_BAD_INPUT, held->place, "input '%s' follows a table already",
                     held->name);
  }
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


static artStatus check_table_row(const modelHeld *held, int k, const double *time,
                                 const double *value, artError *error)
{
  if (!isfinite(time[k]) || !isfinite(value[k])) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "row %d of the table of input '%s' is %g at %g s, expected finite numbers",
                     k + 1, held->name, value[k], time[k]);
  }
  if (k > 0 && !(time[k] >= time[k - 1])) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "row %d of the table of input '%s' is at %.17g s, expected no less than the "
                     "%.17g s of the row before",
                     k + 1, held->name, time[k], time[k - 1]);
  }
  if (value[k] >= held->least && value[k] <= held->largest) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "row %d of the table of input '%s', at %.9g s, is %.9g %s, outside its limits "
                   "%.9g to %.9g",
                   k + 1, held->name, time[k], value[k], held->unit, held->least, held->largest);
}


artStatus art_attach_table(artModel *m, const char *name, int n, const double *time,
                           const double *value, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && name && n >= 1 && time && value, error);
  modelHeld *held = find_attached_input(m, name, error);
  if (!held) return ART_BAD_INPUT;
  if (held->value) {
    return base_fail(error, ART_BAD_INPUT, held->place, "input '%s' has a function already",
                     held->name);
  }
  for (int k = 0; k < n; k++) {
    if (check_table_row(held, k, time, value, error) != ART_OK) return ART_BAD_INPUT;
  }
  modelTable *table = take_model_memory(m, 1, sizeof *table);
  double *times = take_model_memory(m, (size_t) n, sizeof *time);
  double *values = take_model_memory(m, (size_t) n, sizeof *value);
  if (!table || !times || !values) return base_no_memory(error);
  memcpy(times, time, (size_t) n * sizeof *time);
  memcpy(values, value, (size_t) n * sizeof *value);
  *table = (modelTable){n, times, values};
  held->table = table;
  held->initial = value[0];
  if (held->clock < 0) held->clock = m->nclock++;
  m->clock[held->clock] = (modelClock){.table = table};
  m->hash = base_hash(art_model_hash(m), held->name, strlen(held->name));
  m->is_hash_old = 0;
  m->hash = base_hash(m->hash, time, (size_t) n * sizeof *time);
  m->hash = base_hash(m->hash, value, (size_t) n * sizeof *value);
  return ART_OK;
}


//---- outputs ---------------------------------------------------------------------------------------

artStatus art_attach_output(artModel *m, const artOutputDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && def && def->name && def->value, error);
  for (int i = 0; i < m->noutput; i++) {
    if (strcmp(m->output[i].name, def->name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the model has an output '%.60s' already", def->name);
  }
  const size_t n = (size_t) m->noutput;
  modelOutput *output = take_model_memory(m, n + 1, sizeof *output);
  if (!output) return base_no_memory(error);
  if (n > 0) memcpy(output, m->output, n * sizeof *output);
  output[n] = (modelOutput){.name = take_model_text(m, def->name),
                            .unit = take_model_text(m, def->unit ? def->unit : ""),
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
    const char *name = to->held[i].name;
    if (held->value) status = art_attach_input(to, name, held->value, held->context, error);
    if (!held->table) continue;
    status =
        art_attach_table(to, name, held->table->n, held->table->time, held->table->value, error);
  }
  for (int i = 0; i < from->noutput && status == ART_OK; i++) {
    const modelOutput *output = &from->output[i];
    if (output->formula) continue;
    const artOutputDef def = {output->name, output->unit, output->value, output->context};
    status = art_attach_output(to, &def, error);
  }
  return status;
}
