// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts common to kinds of blocks and sensors: an input with its own formula, a continuous or
// sampled value, and memories of previous values. In formulas a part is named by `self`, a dot and
// its tail.
//
// At a sampling instant a block reads the new values of everything it names, but its own old value
// and the old values of memories.
#ifndef ELEMENT_BLOCK_PARTS_H
#define ELEMENT_BLOCK_PARTS_H

#include "element/block_kind.h"

// A block is sampled at t = offset + k every; every = 0: continuous.
typedef struct blockClock {
  double every, offset; // s
} blockClock;
#define BLOCK_CLOCK(def) ((blockClock){(def)->every, (def)->offset})

#define BLOCK_TEXT(c, ...) arena_compose((c)->arena, __VA_ARGS__)
#define BLOCK_NUMBER(c, x) part_number(&(c)->numbers, (c)->arena, x) // a number of the definition

// Keys of most kinds.
#define BLOCK_UNIT_KEY(T)                                                                          \
  {                                                                                                \
    "unit", KEY_UNIT, .offset = offsetof(T, unit), .help = "of its value, in SI"                   \
  }
#define BLOCK_INPUT_KEY(T, words)                                                                  \
  {                                                                                                \
    "input", KEY_FORMULA, Q_ANY, .need = REQUIRED, .offset = offsetof(T, input), .help = words     \
  }
#define BLOCK_CLOCK_KEYS(T, words)                                                                 \
  {"every",                                                                                        \
   KEY_NUMBER,                                                                                     \
   Q_TIME,                                                                                         \
   .offset = offsetof(T, every),                                                                   \
   .above_zero = true,                                                                             \
   .range = RANGE_NOT_NEGATIVE,                                                                    \
   .fallback = "continuous",                                                                       \
   .help = words},                                                                                 \
  {                                                                                                \
    "offset", KEY_NUMBER, Q_TIME, .offset = offsetof(T, offset), .range = RANGE_NOT_NEGATIVE,      \
                                  FALLBACK(0), .help = "time of the first instant"                 \
  }

// A formula of the user, as a part with its own name: "input".
void block_add_input(partContext *c, const char *tail, const char *text);

// An internal number with the tail appended to the block's name: a state with this rate, or a
// discrete state with this next value.
void block_add_state(partContext *c, blockClock clock, const char *tail, double initial,
                     const char *text);

// The value of a formula at the previous instant.
void block_add_previous(partContext *c, blockClock clock, const char *tail, double initial,
                        const char *text);

// The value of the block: a signal, or a discrete state with its initial value. `mark`: the key of
// the formula.
void block_add_value(partContext *c, blockClock clock, const char *unit, double initial,
                     const char *text, const char *mark);

// The value, if it is a number of its own: a state with this rate, or a discrete state with this
// next value.
void block_add_own_value(partContext *c, blockClock clock, const char *unit, double initial,
                         const char *text, const char *mark);

// Require a value to be positive, for example, or within limits (part.h), with a unit (NULL: any).
void block_require(partContext *c, partNeed need, const char *key, const char *text,
                   const char *unit);

// Require a formula to have this unit times s^seconds (unit NULL: any).
void block_require_unit(partContext *c, const char *key, const char *text, const char *unit,
                        int seconds);

// Require limits to have a unit and to be in order.
void block_require_limits(partContext *c, const char *key, const artNames *limits,
                          const char *unit);
void block_require_inside(partContext *c, double initial, const artNames *limits);

// clamp(text, least, largest), without the infinite limits (inf, -inf).
const char *block_clamped(partContext *c, const artNames *limits, const char *text);

// Rate of a state that stops at limits: 0 where it would leave them.
const char *block_stopped(partContext *c, const char *state, const char *const limits[2],
                          const char *rate);

// Transfer function from `input`: a ratio of polynomials in s, coefficients from the highest power;
// denominator of degree n >= 1 with a nonzero leading coefficient, numerator of at most that
// degree. Starts at rest for the input `before`.
typedef struct blockRatio {
  int nb, na; // numbers of coefficients
  const double *b, *a;
  double before;
  // formulas of coefficients that depend on parameters; or NULL
  const char *const *b_text, *const *a_text;
} blockRatio;
void block_add_ratio(partContext *c, const blockRatio *ratio, blockClock clock, const double *every,
                     const char *unit);

// Checks: there are no limits or two; an offset needs a clock.
void block_check_limits(const fieldCheck *check, const char *key, const artNames *limits);
void block_check_clock(const fieldCheck *check, blockClock clock);
_Noreturn void block_refuse(const fieldCheck *check, const char *key, const char *format, ...)
    ART_PRINTF(3, 4);

// Length of a delay in samples, at least 1.
int block_samples(const fieldCheck *check, double delay, double every);

#endif
