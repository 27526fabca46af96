// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Floating-point environment. The host program may have set another rounding mode, flush-to-zero or
// traps. Interface functions that compute use the default environment of the C standard, and
// restore the host's when they return. Checking the control register costs a few cycles; it is
// written only if it differs.
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <fenv.h>

typedef struct baseArithmetic {
  int is_changed;
  fenv_t host; // saved if is_changed
} baseArithmetic;

// Do the control registers differ from their defaults?
static inline int arithmetic_is_odd(void)
{
#if defined __x86_64__
  unsigned sse;
  unsigned short x87;
  __asm__ volatile("stmxcsr %0" : "=m"(sse));
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return (sse & 0xffc0u) != 0x1f80u || (x87 & 0x0f3fu) != 0x033fu;
#elif defined __aarch64__
  unsigned long long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return (control & 0x01c09f00u) != 0; // rounding, flush-to-zero, traps
#else
  return fegetround() != FE_TONEAREST;
#endif
}

// Rare case, not inlined.
void arithmetic_enter(baseArithmetic *own);
void arithmetic_leave(const baseArithmetic *own);
void arithmetic_set_usual(void);


static inline void arithmetic_end(baseArithmetic *own)
{
  if (own->is_changed) arithmetic_leave(own);
}


static inline void arithmetic_begin(baseArithmetic *own)
{
  own->is_changed = arithmetic_is_odd();
  if (own->is_changed) arithmetic_enter(own);
}

// Call after foreign code: a user function, an FMU, or the initialisation of its library, which
// sets flush-to-zero if built with -ffast-math. Restores the default environment.
static inline void arithmetic_renew(void)
{
  if (arithmetic_is_odd()) arithmetic_set_usual();
}

// At the start of an interface function: default environment until it returns by any path.
#define ARITHMETIC_GUARD                                                                           \
  __attribute__((cleanup(arithmetic_end))) baseArithmetic arithmetic_of_host;                      \
  arithmetic_begin(&arithmetic_of_host)

#endif
