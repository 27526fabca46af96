// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements that come again and again with other numbers, as in machines with many parts alike, stand once in a
// loop:
//
//   s[12] = q[4]*s[7];            for (int k = 0; k < 3; k++) {
//   s[14] = q[6]*s[9];              s[12 + 2*k] = q[4 + 2*k]*s[7 + 2*k];
//   s[16] = q[8]*s[11];           }
//
// The order in which statements are done stays as it is, so that one may read results of the round before it.
// Numbers that do not grow by equal steps are in a table.
#ifndef EMIT_ROLL_H
#define EMIT_ROLL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// A statement, or a line that opens or closes braces.
typedef struct rollLine {
  const char *text;
  int depth;
  int nesting;    // braces that are open before it
  int number;     // where its whole numbers begin among all
  int note;       // where the titles before it begin among all
  uint64_t shape; // the same of lines that differ in whole numbers alone
} rollLine;

// Rounds of lines that follow one another.
typedef struct rollLoop {
  int from, period, rounds;
} rollLoop;

typedef struct rollText {
  int n, capacity;
  rollLine *line; // [n], and after them one that holds the ends
  int nnumber, number_capacity, *number;
  int nnote, note_capacity;
  const char **note; // titles
  int nloop, loop_capacity;
  rollLoop *loop;                  // in order
  int npart, part_capacity, *part; // where parts begin, among the lines
  int nesting;                     // braces that are open now
  baseArena *arena;                // which leaves the work where memory runs out
} rollText;

// The next statement; a title above it.
void roll_add(rollText *roll, int depth, const char *text, size_t length);
void roll_note(rollText *roll, const char *title);

// Find the loops, once all statements are there. Returns how many lines are left.
int roll_find_loops(rollText *roll);

// Cut the text with its loops into parts of some `most` lines, where no braces are open. Returns their number.
int roll_cut(rollText *roll, int most);

// Functions that put out a line of text with its depth, and a title.
typedef struct rollOut {
  void *context;
  void (*put)(void *context, int depth, const char *text, size_t length);
  void (*title)(void *context, int depth, const char *title);
} rollOut;
void roll_print_part(rollText *roll, int part, const rollOut *out); // counted from 1

#endif
