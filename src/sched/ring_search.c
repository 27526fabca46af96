// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules for a ring that are tried on the ring itself.
#include "base/memory.h"
#include "sched/ring.h"

enum { HEAVIEST = 3 }; // cycles for a transfer or a link in the eyes of a schedule


// both take one cycle, but they wait for each other; how much is found by running
static int try_one(schedBinary *binary, const schedMachine *machine, const schedMachine *seen,
                   schedRule rule, ringRun *run, schedSchedule *best)
{
  schedSchedule s;
  ringRun now = {.alive = run->alive};
  if (!schedule_create(&s, &binary->graph, seen, rule)) return 0;
  schedRing *ring = ring_create(binary, &s, machine);
  const int ok = ring && ring_run(ring, &now);
  ring_free(ring);
  if (ok && now.is_right && (best->n == 0 || now.cycles < run->cycles)) {
    schedule_free(best);
    *best = s;
    run->cycles = now.cycles;
  } else {
    schedule_free(&s);
  }
  return ok;
}


schedMachine ring_blind(const schedMachine *machine)
{
  schedMachine blind = machine_create();
  for (int k = 0; k < SCHED_KINDS; k++) blind.count[k] = machine->count[k];
  return blind;
}


int ring_search(schedBinary *binary, const schedMachine *machine, schedSchedule *best, ringRun *run)
{
  const schedMachine blind = ring_blind(machine);
  *best = (schedSchedule){0};
  int ok = try_one(binary, machine, &blind, SCHED_LIST, run, best);
  for (int transfer = 1; ok && transfer <= HEAVIEST; transfer++) {
    for (int hop = 1; ok && hop <= (machine->modules > 1 ? HEAVIEST : 1); hop++) {
      schedMachine seen = *machine;
      seen.transfer = transfer;
      seen.hop = hop;
      ok = try_one(binary, machine, &seen, SCHED_FINISH, run, best);
    }
  }

  // sizes of memories belong to the last one that ran
  schedRing *ring = ok ? ring_create(binary, best, machine) : NULL;
  ok = ring && ring_run(ring, run);
  ring_free(ring);
  if (!ok) schedule_free(best);
  return ok;
}
