// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Schedules for a ring that are tried on the ring itself.
#include <string.h>

#include "sched/ring.h"

enum {
  HEAVIEST = 3, // cycles for a transfer or a link in the eyes of a schedule
  ROUNDS = 6,   // in which the order of transfers follows what really happened
};

typedef struct searchRing {
  schedBinary *binary;
  const schedMachine *machine;
  schedSchedule *best;
  int cycles; // of the best, 0: none yet
  int *begun; // [n] when operations really began
  int *alive;
} searchRing;


// 0: it went wrong
static int run(const searchRing *w, const schedSchedule *s, int *cycles)
{
  ringRun now = {.alive = w->alive, .begun = w->begun};
  const arenaPlace here = arena_place(w->binary->graph.arena);
  ring_run(ring_create(w->binary, s, w->machine), &now);
  arena_return(w->binary->graph.arena, here);
  *cycles = now.cycles;
  return now.is_right;
}


static void keep(searchRing *w, const schedSchedule *s, int cycles)
{
  schedSchedule *best = w->best;
  memcpy(best->step, s->step, (size_t) s->n * sizeof(int));
  memcpy(best->unit, s->unit, (size_t) s->n * sizeof(int));
  best->steps = best->cycles = 0;
  for (int i = 0; i < s->n; i++) {
    const int end = s->step[i] + w->machine->latency[w->binary->graph.node[i].kind] - 1;
    if (best->steps < s->step[i]) best->steps = s->step[i];
    if (best->cycles < end) best->cycles = end;
  }
  w->cycles = cycles;
}


// units stay; the order of operations, and with it that of transfers, becomes that in which they began
static int follow(searchRing *w, schedSchedule *s)
{
  for (int round = 0; round < ROUNDS; round++) {
    int cycles = 0;
    if (!run(w, s, &cycles)) return 0;
    if (w->cycles == 0 || cycles < w->cycles) keep(w, s, cycles);
    memcpy(s->step, w->begun, (size_t) s->n * sizeof(int));
  }
  return 1;
}


static int try_one(searchRing *w, const schedMachine *seen, schedRule rule)
{
  const arenaPlace here = arena_place(w->binary->graph.arena);
  schedSchedule s;
  schedule_create(&s, &w->binary->graph, seen, rule);
  const int ok = follow(w, &s);
  arena_return(w->binary->graph.arena, here);
  return ok;
}


schedMachine ring_blind(const schedMachine *machine)
{
  schedMachine blind = machine_create();
  for (int k = 0; k < SCHED_KINDS; k++) blind.count[k] = machine->count[k];
  return blind;
}


// transfers and links take one cycle, but they wait for each other; how much is found by running
static int try_all(searchRing *w)
{
  const schedMachine *machine = w->machine, blind = ring_blind(machine);
  int ok = try_one(w, &blind, SCHED_LIST);
  for (int transfer = 1; ok && transfer <= HEAVIEST; transfer++) {
    for (int hop = 1; ok && hop <= (machine->modules > 1 ? HEAVIEST : 1); hop++) {
      schedMachine seen = *machine;
      seen.transfer = transfer;
      seen.hop = hop;
      ok = try_one(w, &seen, SCHED_FINISH);
    }
  }
  return ok;
}


int ring_search(schedBinary *binary, const schedMachine *machine, schedSchedule *best,
                ringRun *result)
{
  searchRing w = {.binary = binary, .machine = machine, .best = best, .alive = result->alive};
  *best = (schedSchedule){.n = binary->n};
  ARENA_TAKE(binary->graph.arena, best->step, binary->n + 1);
  ARENA_TAKE(binary->graph.arena, best->unit, binary->n + 1);
  ARENA_TAKE(binary->graph.arena, w.begun, binary->n + 1);
  if (!try_all(&w)) return 0;
  ring_run(ring_create(binary, best, machine), result);
  return 1;
}
