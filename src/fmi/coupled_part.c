// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units and machines behind one interface.
#include "fmi/coupled_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

//---- open and close ------------------------------------------------------------------------------

static artStatus open_unit(fmiPart *part, const char *path, bool exchange, fmiLogger *logger,
                           void *context, artError *error)
{
  artStatus status = fmi_open(&part->unit, path, error);
  if (status) return status;
  const fmiDescription *d = &part->unit->description;
  const bool is_exchange = d->exchange.is_there && (exchange || !d->simulation.is_there);
  if (exchange ? !d->exchange.is_there : !d->simulation.is_there && !d->exchange.is_there) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = path}, "the unit has no %s",
                     exchange ? "model exchange" : "co-simulation and no model exchange");
  }
  status = fmi_load(part->unit, is_exchange ? &d->exchange : &d->simulation, error);
  return status ? status
                : fmi_instantiate(&part->instance, part->unit, part->name, logger, context, error);
}


artStatus part_open(fmiPart *part, const char *path, bool exchange, fmiLogger *logger,
                    void *context, artError *error)
{
  if (file_has_ending(path, ".fmu")) return open_unit(part, path, exchange, logger, context, error);
  const artStatus status = art_load_model(&part->model, path, error);
  if (status) return status;
  part->values = MEM_ARRAY(double, art_count(part->model).outputs + 1);
  return part->values ? ART_OK : base_no_memory(error);
}


void part_close(fmiPart *part)
{
  fmi_free_instance(part->instance);
  fmi_close(part->unit);
  art_free_run(part->run);
  art_free_data(part->data);
  art_free_model(part->model);
  mem_free(part->values);
  mem_free(part->saved);
  *part = (fmiPart){.name = part->name};
}

//---- names ---------------------------------------------------------------------------------------

static artStatus unknown(const fmiPart *part, const char *kind, const baseNearest *nearest,
                         artPlace place, artError *error)
{
  char hint[BASE_HINT_LENGTH];
  return base_fail(error, ART_BAD_INPUT, place, "'%.60s' has no %s '%.60s'%s", part->name, kind,
                   nearest->word, base_hint(nearest, hint));
}


// a variable of a unit that has the causality
static artStatus find_variable(const fmiPart *part, const char *kind, const char *name,
                               fmiCausality causality, artPlace place, int *number, artError *error)
{
  const fmiDescription *d = &part->unit->description;
  baseNearest nearest = {.word = name};
  for (*number = 0; *number < d->nvariable; ++*number) {
    const fmiVariable *v = &d->variable[*number];
    if (v->causality != causality) continue;
    if (strcmp(v->name, name) == 0) return ART_OK;
    base_consider(&nearest, v->name);
  }
  return unknown(part, kind, &nearest, place, error);
}


artStatus part_find_record(const fmiPart *part, const char *name, artPlace place, int *number,
                           artError *error)
{
  baseNearest nearest = {.word = name};
  if (!part->unit) {
    return base_fail(error, ART_BAD_INPUT, place, "'%.60s' is a machine: its outputs are recorded",
                     part->name);
  }
  const fmiDescription *d = &part->unit->description;
  *number = fmi_find_variable(d, name);
  const fmiVariable *v = *number < 0 ? NULL : &d->variable[*number];
  if (v && v->causality != FMI_OUTPUT && fmi_is_number(v)) return ART_OK;
  if (v) {
    return base_fail(error, ART_BAD_INPUT, place, "'%.60s' is %s", name,
                     v->causality == FMI_OUTPUT ? "an output, which is recorded" : "no number");
  }
  for (int i = 0; i < d->nvariable; i++) base_consider(&nearest, d->variable[i].name);
  return unknown(part, "variable", &nearest, place, error);
}


artStatus part_find_input(const fmiPart *part, const char *name, artPlace place, int *number,
                          artError *error)
{
  if (part->unit) return find_variable(part, "input", name, FMI_INPUT, place, number, error);
  artInputPart input;
  baseNearest nearest = {.word = name};
  *number = art_find_input(part->model, name);
  if (*number >= 0) return ART_OK;
  for (int i = 0; art_get_input(part->model, i, &input); i++) base_consider(&nearest, input.name);
  return unknown(part, "input", &nearest, place, error);
}


artStatus part_find_output(const fmiPart *part, const char *name, artPlace place, int *number,
                           artError *error)
{
  if (part->unit) return find_variable(part, "output", name, FMI_OUTPUT, place, number, error);
  const char *own;
  baseNearest nearest = {.word = name};
  for (*number = 0; (own = art_output_name(part->model, *number)); ++*number) {
    if (strcmp(own, name) == 0) return ART_OK;
    base_consider(&nearest, own);
  }
  return unknown(part, "output", &nearest, place, error);
}


const char *part_unit(const fmiPart *part, int number, bool is_input)
{
  artInputPart input;
  if (part->unit) return part->unit->description.variable[number].unit;
  if (!is_input) return art_output_unit(part->model, number);
  return art_get_input(part->model, number, &input) ? input.unit : "";
}


const char *part_output(const fmiPart *part, int k, int *number)
{
  *number = k;
  if (!part->unit) return art_output_name(part->model, k);
  const fmiDescription *d = &part->unit->description;
  for (*number = 0; *number < d->nvariable; ++*number) {
    const fmiVariable *v = &d->variable[*number];
    const bool is_shown = v->causality == FMI_OUTPUT && fmi_is_number(v);
    if (is_shown && k-- == 0) return v->name;
  }
  if (k >= part->nrecord) return NULL;
  *number = part->record[k];
  return d->variable[*number].name;
}

int part_outputs_left_out(const fmiPart *part)
{
  const fmiDescription *d = part->unit ? &part->unit->description : NULL;
  int n = 0;
  for (int i = 0; d && i < d->nvariable; i++) {
    n += d->variable[i].causality == FMI_OUTPUT && !fmi_is_number(&d->variable[i]);
  }
  return n;
}

//---- values --------------------------------------------------------------------------------------

artStatus part_start_value(fmiPart *part, const char *name, const char *text, artPlace place,
                           artError *error)
{
  if (!part->unit) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end) {
      return base_fail(error, ART_BAD_INPUT, place, "'%.60s' is no plain number", text);
    }
    return art_set_parameter(part->model, name, value, error);
  }
  const fmiDescription *d = &part->unit->description;
  const int number = fmi_find_variable(d, name);
  baseNearest nearest = {.word = name};
  if (number >= 0) return fmi_set_text(part->instance, number, text, error);
  for (int i = 0; i < d->nvariable; i++) base_consider(&nearest, d->variable[i].name);
  return unknown(part, "variable", &nearest, place, error);
}


artStatus part_set(fmiPart *part, int input, double value, artError *error)
{
  if (part->unit) return fmi_set(part->instance, input, value, error);
  part->is_stale = true;
  return art_set_input(part->model, part->data, input, value, error);
}


// a step of no length shows outputs with inputs as they are now
artStatus part_get(fmiPart *part, int output, double *value, artError *error)
{
  if (part->unit) return fmi_get(part->instance, output, value, error);
  if (part->is_stale) {
    const artStatus status = art_step(part->run, 0, error);
    if (status) return status;
    art_outputs(part->model, part->data, part->values);
    part->is_stale = false;
  }
  *value = part->values[output];
  return ART_OK;
}


void part_follow(fmiPart *part, int input, fmiSignal *signal)
{
  if (!part->unit) {
    signal->hold = part->model->held[input].hold;
    return;
  }
  const fmiVariable *v = &part->unit->description.variable[input];
  const bool is_continuous = v->variability == FMI_CONTINUOUS;
  signal->hold = is_continuous ? ART_HOLD_FIRST : ART_HOLD_ZERO;
  signal->reference = v->reference;
  if (!part->instance->is_exchange || !is_continuous || v->type != FMI_FLOAT64) return;
  signal->next = part->instance->signals;
  part->instance->signals = signal;
}

//---- time ----------------------------------------------------------------------------------------

artStatus part_begin(fmiPart *part, double from, double until, artError *error)
{
  if (part->unit) {
    return fmi_begin(part->instance, from, until, part->unit->description.tolerance, error);
  }
  const artRunDef *own = art_find_run(part->model, NULL);
  artRunDef study = own ? *own : art_default_run();
  study.from = from;
  study.until = until;
  part->data = art_create_data(part->model);
  if (!part->data) return base_no_memory(error);
  part->data->time = from;
  art_update(part->model, part->data);
  artStatus status = ART_OK;
  if (study.start.at_equilibrium) {
    status = art_find_start(part->model, part->data, &study.start, NULL, NULL, error);
  }
  if (!status) status = art_create_run(&part->run, part->model, part->data, &study, error);
  part->is_stale = true;
  return status;
}


artStatus part_begin_steps(fmiPart *part, artError *error)
{
  return part->unit ? fmi_begin_steps(part->instance, error) : ART_OK;
}


artStatus part_step(fmiPart *part, double t, double h, fmiOutcome *outcome, artError *error)
{
  if (part->unit) return fmi_step(part->instance, t, h, outcome, error);
  *outcome = FMI_DONE;
  const artStatus status = art_step_to(part->run, t + h, error);
  if (!status) art_outputs(part->model, part->data, part->values);
  part->is_stale = false;
  return status;
}


bool part_can_save(const fmiPart *part)
{
  return part->unit ? fmi_can_save(part->instance) : true;
}


bool part_takes_any_step(const fmiPart *part)
{
  const fmiUnit *unit = part->unit;
  return !unit || unit->own == &unit->description.exchange || unit->own->any_step;
}


bool part_takes_step(const fmiPart *part, double h)
{
  const double own = part->unit ? part->unit->own->fixed_step : NAN;
  return !(own > 0) || fabs(h / own - round(h / own)) <= 1e-9 * h / own;
}


artStatus part_save(fmiPart *part, artError *error)
{
  if (part->unit) return fmi_save(part->instance, error);
  const size_t size = art_run_state_size(part->run);
  if (size > part->saved_size) {
    void *room = mem_resize(part->saved, size, 1);
    if (!room) return base_no_memory(error);
    part->saved = room;
  }
  part->saved_size = size;
  return art_save_run(part->run, part->saved, size, error);
}


artStatus part_restore(fmiPart *part, artError *error)
{
  if (part->unit) return fmi_restore(part->instance, error);
  part->is_stale = true;
  return art_load_run(part->run, part->saved, part->saved_size, error);
}
