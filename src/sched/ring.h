// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A data-driven ring of modules (after J.-P. David, in section 3.4 of Postiau 2004): each module
// has functional units, two memories and links to both neighbours; every source is connected to
// every receiver of its module.
//
// There is no central program. Each source has a list of the receivers that it serves, each
// receiver a list of the sources that serve it. A transfer takes place when the source holds the
// next result for that receiver and the receiver is free and expects that source; it takes one
// cycle. A unit starts when all operands of its next operation have arrived, and holds a result
// until it has been sent to all receivers, one after the other.
// Points that the thesis leaves open: Numbers, inputs and constants are initially in all memories.
// Results are stored by kind of unit (products in the first memory, all others in the second);
// results from a link go to the first memory if they come from the left, else to the second. A
// result goes directly to the operation that reads it if that is the next one of its unit. Results
// of the model go to a memory.
#ifndef SCHED_RING_H
#define SCHED_RING_H

#include "sched/binary.h"
#include "sched/schedule.h"

// value: number of an operation, or number of operations + index of a leaf.
typedef struct ringTransfer {
  int value;
  int source, receiver;
  int is_last; // the source becomes free afterwards
} ringTransfer;

// Lists of item indices, stored one after the other.
typedef struct ringLists {
  int n;      // lists
  int *first; // [n + 1]
  int *item;
} ringLists;

// Sources: the units by number, then two memories per module, then links from each module to the
// right, then to the left. Receivers: the operands of each unit, then memories and links as above.
typedef struct schedRing {
  const schedBinary *binary;
  schedMachine machine;
  int nunit, nsource, nreceiver;
  int *input;             // [nunit + 1] first receiver of each unit
  ringLists work;         // operations of each unit
  int ntransfer, nhop;    // transfers in total, and those along links
  ringTransfer *transfer; // in a possible order of execution
  ringLists from, to;     // transfers of each source and of each receiver
} schedRing;

// Derive the program of the ring from a schedule. The machine defines the module and the latency of
// each unit. Allocated in the arena of the binary.
schedRing *ring_create(const schedBinary *binary, const schedSchedule *schedule,
                       const schedMachine *machine);

typedef struct ringRun {
  int cycles;     // until the last result has reached its memory
  int is_right;   // did every operation receive the right operands?
  double busy;    // utilisation of the units, 0 to 1
  int *alive;     // [2 * modules] maximum number of results stored in each memory
  int most_alive; // the largest of these
  int *begun;     // [operations] start cycle of each; NULL: not wanted
} ringRun;

// Simulate it cycle by cycle; run->alive must be allocated. Programs of ring_create cannot
// deadlock, because the order of transfers is executable.
void ring_run(const schedRing *ring, ringRun *run);

// The machine assumed by the thesis: the same units, one cycle per operation, no transfers.
schedMachine ring_blind(const schedMachine *machine);

// Find the schedule with the fewest cycles on the ring: tries that of the thesis, and several by
// SCHED_FINISH that assume one to three cycles for transfers and links, each followed by a few in
// the order in which operations actually started. Also returns its run. Returns 0 when a run gave
// wrong results.
int ring_search(schedBinary *binary, const schedMachine *machine, schedSchedule *best,
                ringRun *run);

// Name of a source or receiver: "module 2 mul", "module 1 memory 2", "link 3 to 4".
const char *ring_source_text(const schedRing *ring, int source, char *buffer, int size);
const char *ring_receiver_text(const schedRing *ring, int receiver, char *buffer, int size);

#endif
