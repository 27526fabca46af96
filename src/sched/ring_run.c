// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cycle-by-cycle simulation of a ring of modules, and the search for schedules on it.
#include <string.h>

#include "sched/ring.h"

enum { EMPTY = -1, MAX_FLIGHT = 64 };

// A unit with the operations in its pipeline.
typedef struct runUnit {
  int next;    // index in its list of operations
  int begun;   // cycle of the last start
  int nflight; // operations in the pipeline, oldest first
  int flight[MAX_FLIGHT];
  int done[MAX_FLIGHT]; // cycle at whose end each is done
} runUnit;

typedef struct runState {
  const schedRing *ring;
  int now;
  int *held;     // [nsource] value in the output register of a unit or in a link
  int *operand;  // [inputs] value in each operand register
  int *sent;     // [nsource] transfers done
  int *received; // [nreceiver]
  int *can;      // transfers possible in this cycle
  int ncan;
  runUnit *unit;
  unsigned char *is_done;  // [n]
  int *readings;           // [n * 2 modules] remaining transfers from each memory
  unsigned char *is_there; // [n * 2 modules] has the result arrived in the memory?
  int *alive, *most;       // [2 modules]
  int *begun;              // [n] or NULL
  int ndone, ntransferred, working;
  int is_right;
} runState;

//---- transfers -----------------------------------------------------------------------------------

static int count_ring_memories(const runState *s)
{
  return 2 * s->ring->machine.modules;
}


// -1: not a memory; memories are counted from 0
static int memory_of_source(const runState *s, int source)
{
  const int k = source - s->ring->nunit;
  return k >= 0 && k < count_ring_memories(s) ? k : -1;
}


static int memory_of_receiver(const runState *s, int receiver)
{
  const int k = receiver - s->ring->input[s->ring->nunit];
  return k >= 0 && k < count_ring_memories(s) ? k : -1;
}


// register of a link
static int link_of_receiver(const runState *s, int receiver)
{
  return receiver - s->ring->input[s->ring->nunit] + s->ring->nunit;
}


static int source_holds(const runState *s, int source, int value)
{
  const int memory = memory_of_source(s, source);
  if (memory < 0) return s->held[source] == value;
  return value >= s->ring->binary->n || s->is_there[value * count_ring_memories(s) + memory];
}


static int receiver_is_free(const runState *s, int receiver)
{
  if (memory_of_receiver(s, receiver) >= 0) return 1;
  if (receiver < s->ring->input[s->ring->nunit]) return s->operand[receiver] == EMPTY;
  return s->held[link_of_receiver(s, receiver)] == EMPTY;
}


// a transfer needs the agreement of source and receiver
static void find_transfers(runState *s)
{
  const schedRing *ring = s->ring;
  s->ncan = 0;
  for (int source = 0; source < ring->nsource; source++) {
    const int at = ring->from.first[source] + s->sent[source];
    if (at == ring->from.first[source + 1]) continue;
    const int k = ring->from.item[at];
    const ringTransfer *x = &ring->transfer[k];
    const int wanted = ring->to.item[ring->to.first[x->receiver] + s->received[x->receiver]];
    if (wanted != k) continue;
    if (source_holds(s, source, x->value) && receiver_is_free(s, x->receiver))
      s->can[s->ncan++] = k;
  }
}


static void arrive_in_memory(runState *s, int value, int memory)
{
  ART_ASSERT(memory >= 0 && memory < count_ring_memories(s));
  s->is_there[value * count_ring_memories(s) + memory] = 1;
  if (++s->alive[memory] > s->most[memory]) s->most[memory] = s->alive[memory];
}


// a memory drops a result after its last transfer
static void leave_source(runState *s, const ringTransfer *x)
{
  const int memory = memory_of_source(s, x->source);
  if (memory < 0) {
    if (x->is_last) s->held[x->source] = EMPTY;
  } else if (x->value < s->ring->binary->n) {
    s->alive[memory] -= --s->readings[x->value * count_ring_memories(s) + memory] == 0;
  }
}


static void make_ring_transfers(runState *s)
{
  const schedRing *ring = s->ring;
  for (int k = 0; k < s->ncan; k++) leave_source(s, &ring->transfer[s->can[k]]);
  for (int k = 0; k < s->ncan; k++) {
    const ringTransfer *x = &ring->transfer[s->can[k]];
    const int memory = memory_of_receiver(s, x->receiver);
    if (memory >= 0)
      arrive_in_memory(s, x->value, memory);
    else if (x->receiver < ring->input[ring->nunit])
      s->operand[x->receiver] = x->value;
    else
      s->held[link_of_receiver(s, x->receiver)] = x->value;
    s->sent[x->source]++;
    s->received[x->receiver]++;
  }
  s->ntransferred += s->ncan;
}

//---- units ---------------------------------------------------------------------------------------

static int can_begin(const runState *s, int unit, int i)
{
  const schedRing *ring = s->ring;
  const schedOperation *x = &ring->binary->operation[i];
  const schedKind kind = machine_kind(&ring->machine, unit);
  const runUnit *u = &s->unit[unit];
  const int room = ring->machine.latency[kind] / ring->machine.interval[kind];
  if (u->nflight >= (room < 1 ? 1 : room) || u->nflight == MAX_FLIGHT) return 0;
  if (u->begun > 0 && s->now < u->begun + ring->machine.interval[kind]) return 0;
  for (int k = 0; k < x->noperand; k++) {
    if (s->operand[ring->input[unit] + k] == EMPTY) return 0;
  }
  for (int k = 0; k < x->nwait; k++) {
    if (!s->is_done[x->wait[k]]) return 0;
  }
  return 1;
}


static void begin_operation(runState *s, int unit, int i)
{
  ART_ASSERT(s->unit[unit].nflight < MAX_FLIGHT);
  const schedRing *ring = s->ring;
  const schedOperation *x = &ring->binary->operation[i];
  runUnit *u = &s->unit[unit];
  for (int k = 0; k < x->noperand; k++) {
    const schedOperand *a = &x->operand[k];
    int *found = &s->operand[ring->input[unit] + k];
    s->is_right &= *found == (a->op < 0 ? ring->binary->n + a->leaf : a->op);
    *found = EMPTY;
  }
  const int latency = ring->machine.latency[machine_kind(&ring->machine, unit)];
  u->flight[u->nflight] = i;
  u->done[u->nflight++] = s->now + latency - 1;
  u->begun = s->now;
  if (s->begun) s->begun[i] = s->now;
  u->next++;
  s->working += latency;
}


// move the oldest result to the output register if that is free
static void finish_operation(runState *s, int unit)
{
  runUnit *u = &s->unit[unit];
  if (u->nflight == 0 || u->done[0] > s->now || s->held[unit] != EMPTY) return;
  s->held[unit] = u->flight[0];
  s->is_done[u->flight[0]] = 1;
  s->ndone++;
  u->nflight--;
  memmove(u->flight, u->flight + 1, (size_t) u->nflight * sizeof(int));
  memmove(u->done, u->done + 1, (size_t) u->nflight * sizeof(int));
}

//---- cycles --------------------------------------------------------------------------------------

// all decisions depend on the state at the beginning of the cycle
static void pass_cycle(runState *s)
{
  const schedRing *ring = s->ring;
  s->now++;
  find_transfers(s);
  for (int u = 0; u < ring->nunit; u++) {
    const int at = s->ring->work.first[u] + s->unit[u].next;
    const int i = at < s->ring->work.first[u + 1] ? s->ring->work.item[at] : -1;
    if (i >= 0 && can_begin(s, u, i)) begin_operation(s, u, i);
  }
  make_ring_transfers(s);
  for (int u = 0; u < ring->nunit; u++) finish_operation(s, u);
}


static void take_run_room(runState *s, baseArena *arena)
{
  const schedRing *ring = s->ring;
  const int n = ring->binary->n, inputs = ring->input[ring->nunit],
            places = n * count_ring_memories(s);
  ARENA_TAKE(arena, s->held, ring->nsource);
  ARENA_TAKE(arena, s->operand, inputs + 1);
  ARENA_TAKE(arena, s->sent, ring->nsource);
  ARENA_TAKE(arena, s->received, ring->nreceiver);
  ARENA_TAKE(arena, s->can, ring->nsource);
  ARENA_TAKE(arena, s->unit, ring->nunit + 1);
  ARENA_TAKE(arena, s->is_done, n + 1);
  ARENA_TAKE(arena, s->readings, places + 1);
  ARENA_TAKE(arena, s->is_there, places + 1);
  ARENA_TAKE(arena, s->alive, count_ring_memories(s));
  for (int k = 0; k < ring->nsource; k++) s->held[k] = EMPTY;
  for (int k = 0; k < inputs; k++) s->operand[k] = EMPTY;
}


// count the transfers from memories; results of the model are never dropped
static void count_readings(runState *s)
{
  for (int k = 0; k < s->ring->ntransfer; k++) {
    const ringTransfer *x = &s->ring->transfer[k];
    const int memory = memory_of_source(s, x->source);
    if (memory >= 0 && x->value < s->ring->binary->n)
      s->readings[x->value * count_ring_memories(s) + memory]++;
  }
}


void ring_run(const schedRing *ring, ringRun *run)
{
  runState s = {.ring = ring, .most = run->alive, .begun = run->begun, .is_right = 1};
  baseArena *arena = ring->binary->graph.arena;
  const arenaPlace here = arena_place(arena);
  memset(run->alive, 0, (size_t) (2 * ring->machine.modules) * sizeof(int));
  take_run_room(&s, arena);
  const long long slowest = 1000LL * (ring->ntransfer + ring->binary->n + 1);
  count_readings(&s);
  while (s.ntransferred < ring->ntransfer || s.ndone < ring->binary->n) {
    pass_cycle(&s);
    if (s.now > slowest) {
      s.is_right = 0;
      break;
    }
  }
  run->cycles = s.now;
  run->is_right = s.is_right;
  run->busy = s.now > 0 ? (double) s.working / ((double) s.now * ring->nunit) : 0;
  run->most_alive = 0;
  for (int m = 0; m < 2 * ring->machine.modules; m++) {
    if (run->most_alive < run->alive[m]) run->most_alive = run->alive[m];
  }
  arena_return(arena, here);
}

//---- search for ring schedules by simulation -----------------------------------------------------

enum {
  MAX_ASSUMED_CYCLES = 3, // largest assumed cycles of a transfer or a link
  MAX_ROUNDS = 6,         // repetitions with the order of the previous run
};

typedef struct searchRing {
  schedBinary *binary;
  const schedMachine *machine;
  schedSchedule *best;
  int cycles; // of the best schedule, 0: none yet
  int *begun; // [n] actual start cycles
  int *alive;
} searchRing;


// returns 0 on wrong results
static int run_ring_schedule(const searchRing *w, const schedSchedule *s, int *cycles)
{
  ringRun now = {.alive = w->alive, .begun = w->begun};
  const arenaPlace here = arena_place(w->binary->graph.arena);
  ring_run(ring_create(w->binary, s, w->machine), &now);
  arena_return(w->binary->graph.arena, here);
  *cycles = now.cycles;
  return now.is_right;
}


static void keep_ring_schedule(searchRing *w, const schedSchedule *s, int cycles)
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


// keep the units, and order operations (and transfers) by their actual start
static int follow_ring_order(searchRing *w, schedSchedule *s)
{
  for (int round = 0; round < MAX_ROUNDS; round++) {
    int cycles = 0;
    if (!run_ring_schedule(w, s, &cycles)) return 0;
    if (w->cycles == 0 || cycles < w->cycles) keep_ring_schedule(w, s, cycles);
    memcpy(s->step, w->begun, (size_t) s->n * sizeof(int));
  }
  return 1;
}


static int try_one(searchRing *w, const schedMachine *seen, schedRule rule)
{
  const arenaPlace here = arena_place(w->binary->graph.arena);
  schedSchedule s;
  schedule_create(&s, &w->binary->graph, seen, rule);
  const int ok = follow_ring_order(w, &s);
  arena_return(w->binary->graph.arena, here);
  return ok;
}


schedMachine ring_blind(const schedMachine *machine)
{
  schedMachine blind = machine_create();
  for (int k = 0; k < SCHED_KINDS; k++) blind.count[k] = machine->count[k];
  return blind;
}


// transfers and links take one cycle, but contention delays them; the best assumption is found by
// trial
static int try_all_machines(searchRing *w)
{
  const schedMachine *machine = w->machine, blind = ring_blind(machine);
  int ok = try_one(w, &blind, SCHED_LIST);
  for (int transfer = 1; ok && transfer <= MAX_ASSUMED_CYCLES; transfer++) {
    for (int hop = 1; ok && hop <= (machine->modules > 1 ? MAX_ASSUMED_CYCLES : 1); hop++) {
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
  if (!try_all_machines(&w)) return 0;
  ring_run(ring_create(binary, best, machine), result);
  return 1;
}
