// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivation of a ring program: the transfers required by a schedule.
//
// Operations are processed in the order of the schedule. For each, operands come from memories;
// then its result is sent left and right along links, directly to operations that are next on their
// units, and to the memories of modules where others read it. If transfers are done in this order,
// a receiver is always free. The lists of sources and receivers are sublists of this order, so they
// cannot deadlock.
#include "sched/ring.h"

#include <stdio.h>

#include "base/error.h"

typedef struct ringBuild {
  schedRing *ring;
  const schedSchedule *schedule;
  int *order;    // operations by step, then by unit
  int *place;    // [n] position in that order
  int *previous; // [n] previous operation on its unit, -1: none
  unsigned char *is_output;
  unsigned char **is_given; // [n][operand] delivered directly from its unit or along a link
  int *memory;              // [n * modules] 1 + memory that stores a result in each module; 0: none
  int capacity;
  baseArena *arena; // of the binary
} ringBuild;

//---- numbers of sources and receivers ------------------------------------------------------------

static int module_of(const schedRing *ring, int unit)
{
  return machine_module(&ring->machine, unit);
}


static int memory_source(const schedRing *ring, int module, int which)
{
  ART_ASSERT(module >= 0 && module < ring->machine.modules && (which == 0 || which == 1));
  return ring->nunit + 2 * module + which;
}


// the link that leaves a module to the right (direction 0) or to the left (1)
static int link_source(const schedRing *ring, int module, int direction)
{
  ART_ASSERT(module >= 0 && module < ring->machine.modules && (direction == 0 || direction == 1));
  return ring->nunit + (2 + direction) * ring->machine.modules + module;
}


// receiver number of a memory or link
static int as_receiver(const schedRing *ring, int source)
{
  ART_ASSERT(source >= ring->nunit);
  return source - ring->nunit + ring->input[ring->nunit];
}

//---- transfers -----------------------------------------------------------------------------------

static void add_transfer(ringBuild *b, int value, int source, int receiver)
{
  schedRing *ring = b->ring;
  ring->transfer =
      arena_grow(b->arena, ring->transfer, ring->ntransfer, &b->capacity, sizeof *ring->transfer);
  ring->transfer[ring->ntransfer++] =
      (ringTransfer){.value = value, .source = source, .receiver = receiver};
}


// leaves are in both memories; the two operands of an operation come from different ones
static void fetch_operands(ringBuild *b, int i)
{
  const schedRing *ring = b->ring;
  const schedOperation *x = &ring->binary->operation[i];
  const int unit = b->schedule->unit[i], module = module_of(ring, unit);
  int taken = -1;
  for (int k = 0; k < x->noperand; k++) {
    const int from = x->operand[k].op;
    if (from >= 0 && !b->is_given[i][k])
      taken = b->memory[from * ring->machine.modules + module] - 1;
  }
  for (int k = 0; k < x->noperand; k++) {
    const schedOperand *a = &x->operand[k];
    if (b->is_given[i][k]) continue;
    const int is_leaf = a->op < 0;
    const int value = is_leaf ? ring->binary->n + a->leaf : a->op;
    const int which = is_leaf ? (taken == 0   ? 1
                                 : taken == 1 ? 0
                                              : b->place[i] & 1)
                              : b->memory[a->op * ring->machine.modules + module] - 1;
    ART_ASSERT(which >= 0);
    add_transfer(b, value, memory_source(ring, module, which), ring->input[unit] + k);
    if (is_leaf) taken = which;
  }
}


// are the inputs of the reader's unit free once operation i is done?
static int goes_straight(const ringBuild *b, int i, int reader)
{
  const int before = b->previous[reader];
  return before < 0 || b->place[before] <= b->place[i];
}


// distribute a result within one module, from its unit or a link
static void hand_out_result(ringBuild *b, int i, int module, int source, int which)
{
  const schedRing *ring = b->ring;
  const schedNode *x = &ring->binary->graph.node[i];
  int has_to_stay = b->is_output[i] && module == module_of(ring, b->schedule->unit[i]);
  for (int c = 0; c < x->nchild; c++) {
    const int reader = x->child[c], unit = b->schedule->unit[reader];
    const schedOperation *y = &ring->binary->operation[reader];
    if (module_of(ring, unit) != module) continue;
    for (int k = 0; k < y->noperand; k++) {
      if (y->operand[k].op != i) continue;
      if (!goes_straight(b, i, reader)) {
        has_to_stay = 1;
        continue;
      }
      add_transfer(b, i, source, ring->input[unit] + k);
      b->is_given[reader][k] = 1;
    }
  }
  if (!has_to_stay) return;
  add_transfer(b, i, source, as_receiver(ring, memory_source(ring, module, which)));
  b->memory[i * ring->machine.modules + module] = which + 1;
}


// does a module have an operation that reads a result?
static int is_read_in(const ringBuild *b, int i, int module)
{
  const schedRing *ring = b->ring;
  const schedNode *x = &ring->binary->graph.node[i];
  for (int c = 0; c < x->nchild; c++) {
    const schedOperation *y = &ring->binary->operation[x->child[c]];
    if (module_of(ring, b->schedule->unit[x->child[c]]) != module) continue;
    for (int k = 0; k < y->noperand; k++) {
      if (y->operand[k].op == i) return 1;
    }
  }
  return 0;
}


// number of links that a result travels in a direction: the shorter way to each reader, alternating
// for opposite ones
static int ring_reach(const ringBuild *b, int i, int home, int direction)
{
  ART_ASSERT(home >= 0 && home < b->ring->machine.modules);
  const int n = b->ring->machine.modules;
  int most = 0;
  for (int links = 1; 2 * links <= n; links++) {
    const int module = (home + (direction == 0 ? links : n - links)) % n;
    if (2 * links == n && (i & 1) != direction) continue;
    if (is_read_in(b, i, module)) most = links;
  }
  return most;
}


static void send_along(ringBuild *b, int i, int home, int direction)
{
  const schedRing *ring = b->ring;
  const int n = ring->machine.modules, links = ring_reach(b, i, home, direction);
  const int next = direction == 0 ? 1 : n - 1;
  for (int k = 0, module = home; k < links; k++, module = (module + next) % n) {
    const int before = (module + n - next) % n;
    const int source = k == 0 ? b->schedule->unit[i] : link_source(ring, before, direction);
    add_transfer(b, i, source, as_receiver(ring, link_source(ring, module, direction)));
    b->ring->nhop++;
  }
  for (int k = 0, module = home; k < links; k++, module = (module + next) % n) {
    const int link = link_source(ring, module, direction);
    hand_out_result(b, i, (module + next) % n, link, direction);
  }
}


static void plan_transfers(ringBuild *b)
{
  const schedRing *ring = b->ring;
  for (int k = 0; k < ring->binary->n; k++) {
    const int i = b->order[k], unit = b->schedule->unit[i], home = module_of(ring, unit);
    fetch_operands(b, i);
    for (int d = 0; d < 2 && ring->machine.modules > 1; d++) send_along(b, i, home, d);
    const int kind = ring->binary->graph.node[i].kind;
    hand_out_result(b, i, home, unit, kind == SCHED_MUL ? 0 : 1);
  }
}

//---- lists ---------------------------------------------------------------------------------------

// distribute items 0 to count - 1 to the lists given by list_of, in order
static void make_lists(baseArena *arena, ringLists *lists, int n, int count, const int *list_of)
{
  lists->n = n;
  ARENA_TAKE(arena, lists->first, n + 2);
  ARENA_TAKE(arena, lists->item, count + 1);
  int *end = lists->first + 1;
  for (int i = 0; i < count; i++) end[list_of[i] + 1]++;
  for (int k = 1; k <= n; k++) end[k] += end[k - 1];
  for (int i = 0; i < count; i++) lists->item[end[list_of[i]]++] = i;
}


static void list_work(ringBuild *b)
{
  schedRing *ring = b->ring;
  const int n = ring->binary->n;
  int *unit;
  ARENA_TAKE(b->arena, unit, n + 1);
  for (int k = 0; k < n; k++) unit[k] = b->schedule->unit[b->order[k]];
  make_lists(b->arena, &ring->work, ring->nunit, n, unit);
  for (int k = 0; k < n; k++) ring->work.item[k] = b->order[ring->work.item[k]];
  for (int u = 0; u < ring->nunit; u++) {
    int before = -1;
    for (int k = ring->work.first[u]; k < ring->work.first[u + 1]; k++) {
      b->previous[ring->work.item[k]] = before;
      before = ring->work.item[k];
    }
  }
}


static void list_transfers(const ringBuild *b)
{
  schedRing *ring = b->ring;
  int *place;
  ARENA_TAKE(b->arena, place, ring->ntransfer + 1);
  for (int k = 0; k < ring->ntransfer; k++) place[k] = ring->transfer[k].source;
  make_lists(b->arena, &ring->from, ring->nsource, ring->ntransfer, place);
  for (int k = 0; k < ring->ntransfer; k++) place[k] = ring->transfer[k].receiver;
  make_lists(b->arena, &ring->to, ring->nreceiver, ring->ntransfer, place);
  for (int s = 0; s < ring->nsource; s++) {
    for (int k = ring->from.first[s]; k < ring->from.first[s + 1]; k++) {
      ringTransfer *now = &ring->transfer[ring->from.item[k]];
      const int is_end = k + 1 == ring->from.first[s + 1];
      now->is_last = is_end || ring->transfer[ring->from.item[k + 1]].value != now->value;
    }
  }
}

//---- the ring ------------------------------------------------------------------------------------

static void count_unit_inputs(const ringBuild *b)
{
  schedRing *ring = b->ring;
  ARENA_TAKE(b->arena, ring->input, ring->nunit + 2);
  for (int i = 0; i < ring->binary->n; i++) {
    int *most = &ring->input[b->schedule->unit[i] + 1];
    if (*most < ring->binary->operation[i].noperand) *most = ring->binary->operation[i].noperand;
  }
  for (int u = 0; u < ring->nunit; u++) ring->input[u + 1] += ring->input[u];
  ring->nsource = ring->nunit + 4 * ring->machine.modules;
  ring->nreceiver = ring->input[ring->nunit] + 4 * ring->machine.modules;
}


static void take_ring_room(ringBuild *b)
{
  const schedBinary *binary = b->ring->binary;
  const int n = binary->n + 1;
  ARENA_TAKE(b->arena, b->order, n);
  ARENA_TAKE(b->arena, b->place, n);
  ARENA_TAKE(b->arena, b->previous, n);
  ARENA_TAKE(b->arena, b->is_output, n);
  ARENA_TAKE(b->arena, b->is_given, n);
  ARENA_TAKE(b->arena, b->memory, n * b->ring->machine.modules);
  for (int i = 0; i < binary->n; i++) {
    ARENA_TAKE(b->arena, b->is_given[i], binary->operation[i].noperand + 1);
    b->is_output[i] = 1;
  }

  // results that no operation reads are outputs; others may still wait for them
  for (int i = 0; i < binary->n; i++) {
    const schedOperation *x = &binary->operation[i];
    for (int k = 0; k < x->noperand; k++) {
      if (x->operand[k].op >= 0) b->is_output[x->operand[k].op] = 0;
    }
  }
  for (int k = 0; k < binary->noutput; k++) {
    if (binary->output[k].op >= 0) b->is_output[binary->output[k].op] = 1;
  }
}


schedRing *ring_create(const schedBinary *binary, const schedSchedule *schedule,
                       const schedMachine *machine)
{
  ringBuild b = {.schedule = schedule, .arena = binary->graph.arena};
  schedRing *ring = ARENA_TAKE(b.arena, b.ring, 1);
  ring->binary = binary;
  ring->machine = *machine;
  ring->nunit = machine_units(machine);
  take_ring_room(&b);
  count_unit_inputs(&b);
  schedule_sort(binary->n, schedule->step, schedule->unit, b.order, b.arena);
  for (int k = 0; k < binary->n; k++) b.place[b.order[k]] = k;
  list_work(&b);
  plan_transfers(&b);
  list_transfers(&b);
  return ring;
}

//---- text ----------------------------------------------------------------------------------------

// memories and links, counted from the first memory
static void name_place(const schedRing *ring, int k, char *buffer, int size)
{
  const int n = ring->machine.modules;
  if (k < 2 * n) {
    snprintf(buffer, (size_t) size, "module %d memory %d", k / 2 + 1, k % 2 + 1);
    return;
  }
  const int module = (k - 2 * n) % n, is_left = k >= 3 * n;
  const int next = (module + (is_left ? n - 1 : 1)) % n;
  snprintf(buffer, (size_t) size, "link %d to %d", module + 1, next + 1);
}


const char *ring_source_text(const schedRing *ring, int source, char *buffer, int size)
{
  if (source < ring->nunit) {
    snprintf(buffer, (size_t) size, "module %d %s", module_of(ring, source) + 1,
             machine_kind_name(machine_kind(&ring->machine, source)));
  } else {
    name_place(ring, source - ring->nunit, buffer, size);
  }
  return buffer;
}


const char *ring_receiver_text(const schedRing *ring, int receiver, char *buffer, int size)
{
  int unit = 0;
  if (receiver >= ring->input[ring->nunit]) {
    name_place(ring, receiver - ring->input[ring->nunit], buffer, size);
    return buffer;
  }
  while (receiver >= ring->input[unit + 1]) unit++;
  snprintf(buffer, (size_t) size, "module %d %s operand %d", module_of(ring, unit) + 1,
           machine_kind_name(machine_kind(&ring->machine, unit)), receiver - ring->input[unit] + 1);
  return buffer;
}
