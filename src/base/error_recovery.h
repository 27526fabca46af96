// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Collecting mistakes instead of stopping at the first. Work is tried piece by piece; a piece that
// fails is noted, and the work goes on without it. What only follows from a mistake is silent: errors
// at places that hold a mistake already, and references to names that were lost with an item.
//
// Without a list on this thread, the first error is thrown as usual (base/error.h).
#ifndef BASE_ERROR_RECOVERY_H
#define BASE_ERROR_RECOVERY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

// as many are noted
enum { RECOVERY_MOST_MISTAKES = 100 };

typedef struct recoveryMistake {
  artError error;
  artPlace place;
} recoveryMistake;

typedef struct recoveryTry recoveryTry;

// Start from {0}; end by arena_free(&list.memory).
typedef struct recoveryList {
  baseArena memory;
  int count, capacity;
  recoveryMistake *found; // in the order in which they were found
  int nspoilt, spoilt_capacity;
  artPlace *spoilt; // values, items and sections that hold a mistake
  int nlost, lost_capacity;
  const char **lost; // names of items that could not be made
  int nhanging, hanging_capacity;
  const char **hanging;   // bodies that no joints lead to
  bool has_lost_joints;   // so that bodies may hang on nothing
  bool has_lost_names;    // a file or section with names of its own
  recoveryTry *innermost; // of the pieces that are being tried
} recoveryList;

// Set the list of this thread (NULL: none); returns the previous one.
recoveryList *recovery_use(recoveryList *list);
recoveryList *recovery_list(void);

// Do a piece of work; false if it failed, and its error has been noted. The places are those of the
// piece: its key and its value. Without a list: do the work.
bool recovery_try(artPlace key, artPlace value, void (*work)(void *context), void *context);

// Note a mistake and return, for the work can go on all the same; without a list, throw.
typedef enum recoveryKind {
  RECOVERY_PLAIN,
  RECOVERY_SPOILS, // what else is wrong with the pieces that are being tried may follow from it
  RECOVERY_ALWAYS, // it follows from nothing else at its place
} recoveryKind;
void recovery_note(recoveryKind kind, artPlace place, const char *format, ...) ART_PRINTF(3, 4);

// What has been read rests on a mistake elsewhere: what is wrong with the innermost n pieces may follow from that.
void recovery_spoil(int n);
void recovery_spoil_place(artPlace place);
// Does the piece that is being tried hold a mistake?
bool recovery_is_spoilt(void);

// Note the error of a call that has failed, unless it is silent; ART_OK or ART_NO_MEMORY.
artStatus recovery_add(recoveryList *list, const artError *error);

// Throw an error that is not noted.
_Noreturn void recovery_drop(void);

// An item of this name could not be made, or, with '/' at the end of the name, a whole file. Is the
// name that of such an item or of a part of it? recovery_pass: the name is about to be refused as
// unknown: throw silently if it may have been lost.
void recovery_lose(const char *name);
bool recovery_is_lost(const char *name);
void recovery_pass(const char *name);
void recovery_hang(recoveryList *list, const char *body);

// What is about to be refused may be right with the joints that are lost: throw silently if there are any.
void recovery_pass_joints(void);

#endif
