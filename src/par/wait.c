// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Waiting without a lock, in three stages.
#define _GNU_SOURCE // for sched_getaffinity: cores granted by a container or a batch system
#include "par/wait.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/numbers.h"

// read the clock once per SPINS_PER_CLOCK_READ spins
enum { SPINS_PER_CLOCK_READ = 64 };

// duration of each stage, seconds
static const double spin_time = 10e-6, yield_time = 2e-3, nap_time = 0.1;

// longest time that one iteration may count, s: after a longer one the process was suspended
static const double longest_turn = 0.02;


double par_median(double *time, int n)
{
  ART_ASSERT(n > 0);
  qsort(time, (size_t) n, sizeof *time, base_order_doubles);
  return time[n / 2];
}


int par_cores(void)
{
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 1 ? (int) n : 1;
}


// hint to the core that this is a spin loop
static void relax_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}


static void nap_nanoseconds(long nanoseconds)
{
  const struct timespec t = {0, nanoseconds};
  nanosleep(&t, NULL);
}


int par_wait(parWait *wait)
{
  wait->turns++;
  if (!wait->is_full && wait->waited < spin_time && wait->turns % SPINS_PER_CLOCK_READ != 0) {
    relax_core();
    return 1;
  }
  const double now = base_now();
  if (wait->last > 0) wait->waited += fmin(now - wait->last, longest_turn);
  wait->last = now;
  if (wait->limit > 0 && wait->waited > wait->limit) return 0;
  if (wait->waited > nap_time) {
    nap_nanoseconds(1000000);
  } else if (wait->waited > yield_time) {
    nap_nanoseconds(50000);
  } else if (wait->is_full || wait->waited > spin_time) {
    sched_yield();
  }
  return 1;
}
