// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A ring of modules that run by their data (after J.-P. David, in section 3.4 of Postiau 2004): units, two memories
// and links to both neighbours, every source joined to every receiver of its module.
//
// There is no common clock of a program. Each source has a list of the receivers it serves, each receiver a list of the
// sources that serve it. A transfer takes place when the source holds that receiver's next result and the
// receiver is free and waits for that source; it takes one cycle. Units begin when all operands of their next
// operation have arrived, and keep a result until it has gone to all its receivers, one after the other.
// Open questions of the thesis are settled so: numbers, inputs and constants lie in all memories at
// the beginning; results go to the memory of their kind of unit (products to the first, all others to the second), those
// that come along a link to the first from the left and to the second from the right; a result goes straight
// to the operation that reads it if that is the next one of its unit; results of the model go to a memory.
#ifndef SCHED_RING_H
#define SCHED_RING_H

#include "sched/binary.h"
#include "sched/schedule.h"

// value: an operation's result, or a leaf, counted from the number of operations on.
typedef struct ringTransfer {
  int value;
  int source, receiver;
  int is_last; // the source is free afterwards
} ringTransfer;

// Indices of the items of lists, one list after the other.
typedef struct ringLists {
  int n;      // lists
  int *first; // [n + 1]
  int *item;
} ringLists;

// Sources are the units by number, then two memories of each module, then links from each module to the
// right, then to the left. Receivers are the operands of each unit, then memories and links as among sources.
typedef struct schedRing {
  const schedBinary *binary;
  schedMachine machine;
  int nunit, nsource, nreceiver;
  int *input;             // [nunit + 1] first receiver of each unit
  ringLists work;         // operations of each unit
  int ntransfer, nhop;    // and how many of them go along links
  ringTransfer *transfer; // in an order in which they could be done one after the other
  ringLists from, to;     // transfers of each source, of each receiver
} schedRing;

// The program of the ring that a schedule asks for. The machine says where units are, and how long they take. It lives
// in the arena of the binary.
schedRing *ring_create(const schedBinary *binary, const schedSchedule *schedule,
                       const schedMachine *machine);

typedef struct ringRun {
  int cycles;     // until the last result has reached its memory
  int is_right;   // every operation found the operands it should have
  double busy;    // part of all cycles in which units worked, 0 to 1
  int *alive;     // [2 * modules] the most results that lay in each memory
  int most_alive; // the largest of these
  int *begun;     // [operations] cycle in which each began; NULL: not wanted
} ringRun;

// Run it cycle by cycle; `alive` of the run has room. Programs of ring_create cannot come to a standstill: the order of
// transfers is one in which all could be done.
void ring_run(const schedRing *ring, ringRun *run);

// The thesis schedules for the same units, every operation in one cycle, no transfers.
schedMachine ring_blind(const schedMachine *machine);

// The schedule that the ring runs in the fewest cycles, among the thesis' own and several by SCHED_FINISH that give
// transfers and links one to three cycles, each followed by a few in the order in which operations really began; and
// its run. Returns 0 when a run went wrong.
int ring_search(schedBinary *binary, const schedMachine *machine, schedSchedule *best,
                ringRun *run);

// The name of a source or receiver: "module 2 mul", "module 1 memory 2", "link 3 to 4".
const char *ring_source_text(const schedRing *ring, int source, char *buffer, int size);
const char *ring_receiver_text(const schedRing *ring, int receiver, char *buffer, int size);

#endif
