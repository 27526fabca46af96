// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Variables of a unit in the order of their references, each with a name of its own.
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "emit/fmu/fmu_sources.h"

enum { POSITIONS, VELOCITIES, STATES, INPUTS, OUTPUTS, EVENTS, ACTUATORS, PARAMETERS };

typedef struct listJob {
  fmuVariables *list;
  const machineText *text;
  const emitFmu *unit;
  baseArena *arena;
  int reference;
  char *is_force;
} listJob;

//---- names ---------------------------------------------------------------------------------------

static int is_unit_name_taken(const fmuVariables *list, const char *name)
{
  for (int i = 0; i < list->n; i++) {
    if (strcmp(list->variable[i].name, name) == 0) return 1;
  }
  return 0;
}


// The part of a name up to the next point or slash: as it is where it is an identifier of C, an index where it is a number, else
// in quotes, where a quote or backslash has a backslash before it. Returns where the text ends.
static char *put_name_part(char *to, const char *part, size_t n, int is_first)
{
  size_t letters = 0, digits = 0;
  for (size_t i = 0; i < n; i++) {
    letters += ascii_is_letter((unsigned char) part[i]) || part[i] == '_';
    digits += ascii_is_digit((unsigned char) part[i]) != 0;
  }
  const int is_index = n > 0 && digits == n && !is_first;
  const int is_word = n > 0 && letters + digits == n && !ascii_is_digit((unsigned char) part[0]);
  if (!is_first && !is_index) *to++ = '.';
  if (!is_word) *to++ = is_index ? '[' : '\'';
  for (size_t i = 0; i < n; i++) {
    if (!is_word && !is_index && strchr("'\\", part[i])) *to++ = '\\';
    *to++ = part[i];
  }
  if (!is_word) *to++ = is_index ? ']' : '\'';
  return to;
}


// A name by the structured naming convention of FMI: "fl/spin.angle" is fl.spin.angle, "part.2" is part[2], "a-b.x" is 'a-b'.x.
static const char *structured_name(baseArena *arena, const char *name)
{
  char *text = arena_alloc(arena, 4 * strlen(name) + 4, 1), *to = text;
  for (const char *part = name; text; part++) {
    const size_t n = strcspn(part, "./");
    to = put_name_part(to, part, n, part == name);
    part += n;
    if (!*part) break;
  }
  return text;
}


// a name that no other variable has: the kind in front, then a number after it
static const char *own_variable_name(const listJob *job, const char *kind, const char *name)
{
  const char *plain = name[0] ? name : kind, *own = structured_name(job->arena, plain);
  for (int i = 1; own && is_unit_name_taken(job->list, own); i++) {
    const char *longer = i == 1 ? arena_format(job->arena, "%s.%s", kind, plain)
                                : arena_format(job->arena, "%s.%s.%d", kind, plain, i);
    own = longer ? structured_name(job->arena, longer) : NULL;
  }
  return own;
}


static int place_in_names(const unitNames *names, const char *name)
{
  int k = 0;
  while (k < names->n && strcmp(names->name[k], name) != 0) k++;
  return k < names->n ? k : -1;
}


static int is_asked(const unitNames *names, const char *name)
{
  return names->n < 0 || place_in_names(names, name) >= 0;
}

//---- blocks --------------------------------------------------------------------------------------

static int put_unit_variable(listJob *job, unitRole role, const char *name, int number,
                             const emitEntry *e)
{
  fmuVariable *v = &job->list->variable[job->list->n];
  *v = (fmuVariable){.role = role,
                     .reference = job->reference++,
                     .number = number,
                     .name = name,
                     .unit = e->unit,
                     .remark = e->remark ? e->remark : "",
                     .part = e->part,
                     .start = e->value,
                     .lower = e->lower,
                     .upper = e->upper};
  if (v->name) job->list->n++;
  return v->name != NULL;
}


static int add_unit_variable(listJob *job, unitRole role, const char *kind, int number,
                             const emitEntry *e)
{
  return put_unit_variable(job, role, own_variable_name(job, kind, e->name), number, e);
}


static emitEntry plain_entry(const char *name, const char *unit, const char *remark, double value)
{
  return (emitEntry){name, unit, remark, value, -HUGE_VAL, HUGE_VAL, NULL};
}


// "rad/s" of "rad"
static const char *rate_unit(baseArena *arena, const char *unit)
{
  const size_t n = strlen(unit);
  if (!*unit) return "";
  if (n > 2 && strcmp(unit + n - 2, "/s") == 0) return arena_format(arena, "%s^2", unit);
  return arena_format(arena, "%s/s", unit);
}


static int is_led(const machineText *t, int list, int i)
{
  const eqnProgram *p = t->simulation->program[0];
  if (list > VELOCITIES) return 0;
  const int velocity = list == POSITIONS ? t->simulation->partner[i] : i;
  for (int k = 0; k < p->nfree; k++) {
    if (p->free[k] == velocity) return 0;
  }
  return velocity >= 0;
}


// Does a function give the start value of a state? Its labels are names of states, in their order.
static int is_computed(const machineText *t, const char *name)
{
  const eqnFunction *f = eqn_function(t->simulation->program[0], EQN_START);
  int k = 0;
  while (f && k < f->output[0].n && strcmp(f->output[0].label[k], name) != 0) k++;
  return f && k < f->output[0].n;
}


// May an event change a state? Blows and relays change all; loops that are closed, drives and the length of quaternions change coordinates.
static int may_jump(const machineText *t, int list, int i)
{
  const int is_all = t->where[MACHINE_RELAYS].holds || t->where[MACHINE_LATCHES].holds ||
                     t->where[MACHINE_JUMPS].holds;
  if (is_all || list > VELOCITIES) return is_all;
  if (t->where[MACHINE_LOOPS].holds || is_led(t, list, i)) return 1;
  const eqnVector *q = &eqn_function(t->simulation->program[0], EQN_ACCELERATE)->input[1];
  for (int k = -1; list == POSITIONS && (k = simulation_next_quaternion(q, k + 1)) >= 0;) {
    if (i >= k && i < k + 4) return 1;
  }
  return 0;
}


static int add_states(listJob *job)
{
  static const char *const kind[] = {"position", "velocity", "state"};
  fmuVariables *list = job->list;
  list->first_state = list->n;
  emitEntry e;
  int held = 1;
  for (int k = POSITIONS; k <= STATES; k++) {
    for (int i = 0; held && machine_entry(job->text, k, i, &e); i++) {
      held = add_unit_variable(job, ROLE_STATE, kind[k], i, &e);
      if (held) list->variable[list->n - 1].is_led = is_led(job->text, k, i);
      if (held) list->variable[list->n - 1].may_jump = may_jump(job->text, k, i);
      if (held) list->variable[list->n - 1].is_computed = is_computed(job->text, e.name);
    }
  }
  if (held && list->has_work) {
    e = plain_entry("work", "J", "work of forces without potential since the beginning", 0);
    held = add_unit_variable(job, ROLE_STATE, "state", 0, &e);
    if (held) list->variable[list->n - 1].may_jump = may_jump(job->text, STATES, 0);
  }
  list->nstate = list->n - list->first_state;
  for (int i = 0; held && i < list->nstate; i++) {
    const fmuVariable *x = &list->variable[list->first_state + i];
    e = plain_entry("", rate_unit(job->arena, x->unit), "", 0);
    const char *name = arena_format(job->arena, "der(%s)", x->name);
    held = e.unit && put_unit_variable(job, ROLE_RATE_OF, name, i, &e);
  }
  return held;
}


// inputs that nobody has asked for keep their values until they are tuned
static int add_inputs(listJob *job)
{
  const int ninput = job->text->simulation->ninput;
  emitEntry e;
  int held = 1;
  for (int i = 0; held && machine_entry(job->text, INPUTS, i, &e); i++) {
    const unitNames *asked = &job->unit->inputs;
    const int is_input = i < ninput && is_asked(asked, e.name);
    held = add_unit_variable(job,
                             is_input     ? ROLE_INPUT
                             : i < ninput ? ROLE_PARAMETER
                                          : ROLE_HELD,
                             "input", i, &e);
  }
  return held;
}


// forces along the velocities that inputs name
static int add_force_inputs(listJob *job)
{
  emitEntry e;
  int held = 1;
  for (int i = 0; held && machine_entry(job->text, VELOCITIES, i, &e); i++) {
    const int is_input = place_in_names(&job->unit->inputs, e.name) >= 0;
    job->is_force[i] = (char) is_input;
    job->reference += !is_input;
    if (!is_input) continue;
    const emitEntry own = plain_entry(arena_format(job->arena, "force.%s", e.name),
                                      strcmp(e.unit, "m/s") == 0 ? "N" : "N m", "", 0);
    held = own.name && add_unit_variable(job, ROLE_FORCE_ON, "force", i, &own);
  }
  return held;
}


static int add_outputs(listJob *job)
{
  emitEntry e;
  int held = 1;
  for (int i = 0; held && machine_entry(job->text, OUTPUTS, i, &e); i++) {
    held = add_unit_variable(job, is_asked(&job->unit->outputs, e.name) ? ROLE_OUTPUT : ROLE_HIDDEN,
                             "output", i, &e);
  }
  return held;
}


// The power of ten next to the start value of a state that is large.
static double nominal_of(double start)
{
  return fabs(start) >= 10 ? pow(10, round(log10(fabs(start)))) : 1;
}


double unit_longest_step(const emitSimulation *s)
{
  const double span = fmax(s->until - s->from, 1e-3);
  return s->step > 0 ? s->step : s->interval > 0 ? fmin(s->interval, span / 1000) : span / 1000;
}


static int add_rest(listJob *job)
{
  const eqnProgram *p = job->text->simulation->program[0];
  const emitSimulation *s = job->text->simulation;
  emitEntry e;
  int held = 1;
  for (int i = 0; held && machine_entry(job->text, PARAMETERS, i, &e); i++) {
    e.name = p->user[i].name;
    held = add_unit_variable(job, ROLE_PARAMETER, "parameter", i, &e);
  }
  for (int i = 0; held && machine_entry(job->text, EVENTS, i, &e); i++) {
    e.unit = "";
    e.name = arena_format(job->arena, "switch.%s", e.name);
    held = e.name && add_unit_variable(job, ROLE_INDICATOR, "switch", i, &e);
  }
  e = plain_entry("integrator.step", "s", "longest step of rk4, first step of others",
                  unit_longest_step(s));
  e.lower = 1e-12;
  if (held && job->unit->has_steps) held = add_unit_variable(job, ROLE_STEP, "integrator", 0, &e);
  e = plain_entry("integrator.method", "", "", s->is_dopri5 ? 2 : 1);
  if (held && job->unit->has_steps) held = add_unit_variable(job, ROLE_METHOD, "integrator", 0, &e);
  return held;
}

//---- all of them ---------------------------------------------------------------------------------

// names of the call that are none of the machine
static artStatus check_unit_names(const unitNames *names, const machineText *t, int first,
                                  int second, const char *option, artError *error)
{
  for (int k = 0; k < names->n; k++) {
    emitEntry e;
    int is_known = 0;
    for (int i = 0; machine_entry(t, first, i, &e); i++) {
      is_known |= strcmp(e.name, names->name[k]) == 0;
    }
    for (int i = 0; second >= 0 && machine_entry(t, second, i, &e); i++) {
      is_known |= strcmp(e.name, names->name[k]) == 0;
    }
    if (is_known) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s names '%.100s', which is not %s of the model", option, names->name[k],
                     second < 0 ? "an output" : "an input or a velocity");
  }
  return ART_OK;
}


artStatus unit_list(fmuVariables *list, const machineText *t, const emitFmu *unit, baseArena *arena,
                    artError *error)
{
  emitEntry e;
  int most = 4;
  artStatus status = check_unit_names(&unit->inputs, t, INPUTS, VELOCITIES, "inputs", error);
  if (!status) status = check_unit_names(&unit->outputs, t, OUTPUTS, -1, "outputs", error);
  if (status) return status;
  for (int k = 0; k < MACHINE_LISTS; k++) {
    for (int i = 0; machine_entry(t, k, i, &e); i++) most += 2;
  }
  *list = (fmuVariables){.has_work = t->where[MACHINE_RUN].holds,
                         .has_derivatives = t->where[MACHINE_TANGENT].holds};
  listJob job = {.list = list, .text = t, .unit = unit, .arena = arena};
  const emitEntry time = plain_entry("time", "s", "", 0);
  ARENA_TAKE(arena, list->variable, most + 2);
  ARENA_TAKE(arena, job.is_force, machine_size(t, MACHINE_NV) + 1);
  list->is_force = job.is_force;
  if (!list->variable || !job.is_force || !add_unit_variable(&job, ROLE_TIME, "time", 0, &time) ||
      !add_states(&job) || !add_inputs(&job) || !add_force_inputs(&job) || !add_outputs(&job) ||
      !add_rest(&job) || !unit_find_structure(list, t, arena)) {
    return base_no_memory(error);
  }
  // outputs that depend on no state, no continuous input, no force and not on time change at events alone
  const int ninput = t->simulation->ninput, nu = machine_size(t, MACHINE_NU);
  for (int i = 0; i < list->n; i++) {
    fmuVariable *v = &list->variable[i];
    if (v->role != ROLE_OUTPUT && v->role != ROLE_HIDDEN) continue;
    const char *known = list->known + (long) (list->nstate + v->number) * list->width;
    int is_moved = 0;
    for (int k = 0; k < list->width; k++) {
      const int is_held = k >= list->nstate + ninput && k < list->nstate + nu;
      is_moved |= !is_held && known[k];
    }
    v->is_discrete = !is_moved;
  }
  for (int i = 0; i < list->nstate; i++) {
    fmuVariable *v = &list->variable[list->first_state + i];
    v->nominal = nominal_of(v->start);
  }
  return ART_OK;
}
