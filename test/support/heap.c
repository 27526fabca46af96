// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A watched heap.
#include "support/heap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "articula/base.h"

static struct {
  long taken, live, bytes;
  long first_refused, last_refused; // requests, counted from 1; 0: none
} heap;


static void *watched_resize(void *context, void *block, size_t size)
{
  (void) context;
  heap.taken++;
  heap.bytes += (long) size;
  if (size == 0) return NULL;
  if (heap.taken >= heap.first_refused && heap.taken <= heap.last_refused) return NULL;

  void *grown = realloc(block, size);
  if (grown && !block) {
    heap.live++;
    memset(grown, 0xa5, size);
  }
  return grown;
}


static void watched_release(void *context, void *block)
{
  (void) context;
  heap.live--;
  free(block);
}


static void watch(long first_refused, long last_refused)
{
  heap.taken = heap.live = heap.bytes = 0;
  heap.first_refused = first_refused;
  heap.last_refused = last_refused;
  art_set_allocator(&(artAllocator){watched_resize, watched_release, NULL});
}


void heap_watch(void)
{
  watch(0, 0);
}


void heap_fail_at(long n)
{
  watch(n, n);
}


void heap_run_dry_after(long n)
{
  watch(n + 1, LONG_MAX);
}


void heap_unwatch(void)
{
  art_set_allocator(NULL);
}


long heap_taken(void)
{
  return heap.taken;
}


long heap_bytes(void)
{
  return heap.bytes;
}


long heap_live(void)
{
  return heap.live;
}
