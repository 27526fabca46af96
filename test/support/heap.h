// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A watched heap: an allocator for tests that counts and can refuse. It fills fresh blocks with
// rubbish, so that nobody relies on zeros, and answers a request of no bytes with NULL.
#ifndef SUPPORT_HEAP_H
#define SUPPORT_HEAP_H

// Each of the first three hands the watched heap to the library and counts anew, from 0; they may
// follow each other without heap_unwatch in between.

// Grant every request.
void heap_watch(void);

// Refuse the n-th request alone, counted from 1.
void heap_fail_at(long n);

// Grant n requests and refuse all that follow.
void heap_run_dry_after(long n);

// Give malloc back to the library. The counts stay.
void heap_unwatch(void);

// Requests so far, refused ones and those for a larger block among them.
long heap_taken(void);

// Bytes asked for by all of them.
long heap_bytes(void);

// Blocks taken less blocks given back.
long heap_live(void);

#endif
