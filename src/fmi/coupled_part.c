// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// FMUs and machines behind one interface.
#include "fmi/coupled_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"

//---- open and close ------------------------------------------------------------------------------

// list the numeric outputs
static void list_outputs(fmiPart *part)
{
  const fmiDescription *d = &part->unit->description;
  ARENA_TAKE(&part->unit->arena, part->output, d->nvariable + 1);
  for (int i = 0; i < d->nvariable; i++) {
    const fmiVariable *v = &d->variable[i];
    if (v->causality == FMI_OUTPUT && fmi_is_number(v)) part->output[part->noutput++] = i;
  }
}


static void open_unit(fmiPart *part, const char *path, bool exchange, fmiLogger *logger,
                      void *context)
{
  fmi_open(&part->unit, path);
  const fmiDescription *d = &part->unit->description;
  const bool is_exchange = d->exchange.is_there && (exchange || !d->simulation.is_there);
  if (exchange ? !d->exchange.is_there : !d->simulation.is_there && !d->exchange.is_there) {
    error_refuse((artPlace){.file = path}, "the FMU has no %s",
                 exchange ? "model exchange" : "co-simulation and no model exchange");
  }
  list_outputs(part);
  fmi_load(part->unit, is_exchange ? &d->exchange : &d->simulation);
  fmi_instantiate(&part->instance, part->unit, part->name, logger, context);
}


void part_open(fmiPart *part, const char *path, bool exchange, fmiLogger *logger, void *context)
{
  if (file_has_ending(path, ".fmu")) {
    open_unit(part, path, exchange, logger, context);
    return;
  }
  error_check(art_load_model(&part->model, path, error_current()));
  part->values = MEM_ARRAY(double, art_count(part->model).outputs + 1);
  if (!part->values) error_throw();
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

_Noreturn static void unknown(const fmiPart *part, const char *kind, const baseNearest *nearest,
                              artPlace place)
{
  char hint[BASE_HINT_LENGTH];
  error_refuse(place, "'%.60s' has no %s '%.60s'%s", part->name, kind, nearest->word,
               base_hint(nearest, hint));
}


// a variable of an FMU with this causality
static int find_variable(const fmiPart *part, const char *kind, const char *name,
                         fmiCausality causality, artPlace place)
{
  const fmiDescription *d = &part->unit->description;
  baseNearest nearest = {.word = name};
  for (int i = 0; i < d->nvariable; i++) {
    const fmiVariable *v = &d->variable[i];
    if (v->causality != causality) continue;
    if (strcmp(v->name, name) == 0) return i;
    base_consider(&nearest, v->name);
  }
  unknown(part, kind, &nearest, place);
}


// a variable of an FMU with any causality
static int find_any(const fmiPart *part, const char *name, artPlace place)
{
  const fmiDescription *d = &part->unit->description;
  const int number = fmi_find_variable(d, name);
  baseNearest nearest = {.word = name};
  if (number >= 0) return number;
  for (int i = 0; i < d->nvariable; i++) base_consider(&nearest, d->variable[i].name);
  unknown(part, "variable", &nearest, place);
}


int part_find_record(const fmiPart *part, const char *name, artPlace place)
{
  if (!part->unit) {
    error_refuse(place, "'%.60s' is a machine: its outputs are recorded", part->name);
  }
  const int number = find_any(part, name, place);
  const fmiVariable *v = &part->unit->description.variable[number];
  if (v->causality != FMI_OUTPUT && fmi_is_number(v)) return number;
  error_refuse(place, "'%.60s' is %s", name,
               v->causality == FMI_OUTPUT ? "an output, which is recorded" : "no number");
}


int part_find_input(const fmiPart *part, const char *name, artPlace place)
{
  if (part->unit) return find_variable(part, "input", name, FMI_INPUT, place);
  artInputPart input;
  baseNearest nearest = {.word = name};
  const int number = art_find_input(part->model, name);
  if (number >= 0) return number;
  for (int i = 0; art_get_input(part->model, i, &input); i++) base_consider(&nearest, input.name);
  unknown(part, "input", &nearest, place);
}


int part_find_output(const fmiPart *part, const char *name, artPlace place)
{
  if (part->unit) return find_variable(part, "output", name, FMI_OUTPUT, place);
  const char *own;
  baseNearest nearest = {.word = name};
  for (int i = 0; (own = art_output_name(part->model, i)); i++) {
    if (strcmp(own, name) == 0) return i;
    base_consider(&nearest, own);
  }
  unknown(part, "output", &nearest, place);
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
  if (k >= part->noutput + part->nrecord) return NULL;
  *number = k < part->noutput ? part->output[k] : part->record[k - part->noutput];
  return part->unit->description.variable[*number].name;
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

void part_start_value(fmiPart *part, const char *name, const char *text, artPlace place)
{
  if (part->unit) {
    fmi_set_text(part->instance, find_any(part, name, place), text);
    return;
  }
  char *end;
  const double value = format_read(text, &end);
  if (end == text || *end) error_refuse(place, "'%.60s' is not a plain number", text);
  error_check(art_set_parameter(part->model, name, value, error_current()));
}


void part_set(fmiPart *part, int input, double value)
{
  if (part->unit) {
    fmi_set(part->instance, input, value);
    return;
  }
  part->is_stale = true;
  error_check(art_set_input(part->model, part->data, input, value, error_current()));
}


// a step of zero length evaluates outputs with the present inputs
double part_get(fmiPart *part, int output)
{
  if (part->unit) return fmi_get(part->instance, output);
  if (part->is_stale) {
    error_check(art_step(part->run, 0, error_current()));
    art_outputs(part->model, part->data, part->values);
    part->is_stale = false;
  }
  return part->values[output];
}


void part_parameter_map(fmiPart *part, int input, fmiSignal *signal)
{
  if (!part->unit) {
    signal->hold = part->model->held[input].hold;
    return;
  }
  const fmiVariable *v = &part->unit->description.variable[input];
  const bool is_continuous = v->variability == FMI_CONTINUOUS;
  signal->hold = is_continuous ? ART_HOLD_FIRST : ART_HOLD_ZERO;
  signal->reference = v->reference;
  const bool is_alone = v->type == FMI_FLOAT64 && v->count == 1;
  const bool is_led = part->instance->is_exchange || part->unit->own->takes_lines;
  if (!is_led || !is_continuous || !is_alone) return;
  signal->next = part->instance->signals;
  part->instance->signals = signal;
}

//---- time ----------------------------------------------------------------------------------------

void part_begin(fmiPart *part, double from, double until)
{
  if (part->unit) {
    fmi_begin(part->instance, from, until, part->unit->description.tolerance);
    return;
  }
  artError *error = error_current();
  const artRunDef *own = art_find_run(part->model, NULL);
  artRunDef study = own ? *own : art_default_run();
  study.from = from;
  study.until = until;
  part->data = art_create_data(part->model);
  if (!part->data) error_throw();
  part->data->time = from;
  art_update(part->model, part->data);
  if (study.start.at_equilibrium) {
    error_check(art_find_start(part->model, part->data, &study.start, NULL, NULL, error));
  }
  error_check(art_create_run(&part->run, part->model, part->data, &study, error));
  part->is_stale = true;
}


void part_begin_steps(fmiPart *part)
{
  if (part->unit) fmi_begin_steps(part->instance);
}


fmiOutcome part_step(fmiPart *part, double t, double h)
{
  if (part->unit) return fmi_step(part->instance, t, h);
  error_check(art_step_to(part->run, t + h, error_current()));
  art_outputs(part->model, part->data, part->values);
  part->is_stale = false;
  return FMI_DONE;
}


bool part_can_save(const fmiPart *part)
{
  return part->unit ? fmi_can_save(part->instance) : true;
}


bool part_takes_any_step(const fmiPart *part)
{
  const fmuFile *unit = part->unit;
  return !unit || unit->own == &unit->description.exchange || unit->own->any_step;
}


double part_own_step(const fmiPart *part)
{
  return part->unit ? part->unit->own->fixed_step : NAN;
}


void part_save(fmiPart *part)
{
  if (part->unit) {
    fmi_save(part->instance);
    return;
  }
  const size_t size = art_run_state_size(part->run);
  if (size > part->saved_size) {
    void *room = mem_resize(part->saved, size, 1);
    if (!room) error_throw();
    part->saved = room;
  }
  part->saved_size = size;
  error_check(art_save_run(part->run, part->saved, size, error_current()));
}


void part_restore(fmiPart *part)
{
  if (part->unit) {
    fmi_restore(part->instance);
    return;
  }
  part->is_stale = true;
  error_check(art_load_run(part->run, part->saved, part->saved_size, error_current()));
}
