// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The arithmetic of the host: a program around the library may have set another rounding mode, flush-to-zero or traps. The
// functions of the interface that compute work by that of the C standard, and give the host back its own when they return. A look
// at the control register costs a few cycles; it is changed only where it is not the usual one.
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <fenv.h>

typedef struct baseArithmetic {
  int is_changed;
  fenv_t host; // where it is
} baseArithmetic;

// Control registers that differ from those of a fresh program.
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

// Out of line: the rare case.
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

// Code of others has run: a function of the user or an FMU, or the beginning of their library, which sets flush-to-zero where it
// was made by -ffast-math. The arithmetic is the usual one again.
static inline void arithmetic_renew(void)
{
  if (arithmetic_is_odd()) arithmetic_set_usual();
}

// At the head of a function of the interface: the usual arithmetic until it returns, wherever that is.
#define ARITHMETIC_GUARD                                                                           \
  __attribute__((cleanup(arithmetic_end))) baseArithmetic arithmetic_of_host;                      \
  arithmetic_begin(&arithmetic_of_host)

#endif
