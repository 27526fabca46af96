// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functional units.
#include "sched/schedule_units.h"

#include "base/error.h"

static const char *const names[SCHED_KINDS] = {"mul", "add", "div", "sin", "other"};
static const char *const texts[SCHED_KINDS] = {"products", "sums", "quotients", "sines",
                                               "other functions"};


const char *machine_kind_name(schedKind kind)
{
  ART_ASSERT(kind < SCHED_KINDS);
  return names[kind];
}


const char *machine_kind_text(schedKind kind)
{
  ART_ASSERT(kind < SCHED_KINDS);
  return texts[kind];
}


schedMachine machine_create(void)
{
  schedMachine machine = {.modules = 1};
  for (int k = 0; k < SCHED_KINDS; k++) machine.latency[k] = machine.interval[k] = 1;
  return machine;
}


int machine_first(const schedMachine *machine, int kind)
{
  ART_ASSERT(kind >= 0 && kind <= SCHED_KINDS);
  int first = 0;
  for (int k = 0; k < kind; k++) first += machine->count[k];
  return first;
}


int machine_units(const schedMachine *machine)
{
  return machine_first(machine, SCHED_KINDS);
}


schedKind machine_kind(const schedMachine *machine, int unit)
{
  int kind = 0;
  while (kind + 1 < SCHED_KINDS && unit >= machine_first(machine, kind + 1)) kind++;
  return (schedKind) kind;
}


int machine_module(const schedMachine *machine, int unit)
{
  return (unit - machine_first(machine, (int) machine_kind(machine, unit))) % machine->modules;
}


int machine_distance(const schedMachine *machine, int module, int other)
{
  const int right = (other - module + machine->modules) % machine->modules;
  const int left = machine->modules - right;
  return right < left ? right : left;
}


int machine_delay(const schedMachine *machine, int from, int to)
{
  if (machine->modules == 1) return machine->transfer;
  const int links =
      machine_distance(machine, machine_module(machine, from), machine_module(machine, to));
  return machine->transfer + machine->hop * links;
}
