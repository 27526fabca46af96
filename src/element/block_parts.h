// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts that kinds of blocks and sensors have in common: an input with its own formula, a value that is continuous or
// held, and memories of what was before. In texts a part is named by `self`, its tail behind a dot.
//
// A sampled block reads, at an instant, the new values of all that it names, and its own old one; of memories it reads
// what they were before.
#ifndef ELEMENT_BLOCK_PARTS_H
#define ELEMENT_BLOCK_PARTS_H

#include "element/block_kind.h"

// When a block is sampled: at t = offset + k every; every = 0: it is continuous.
typedef struct blockClock {
  double every, offset; // s
} blockClock;
#define BLOCK_CLOCK(def) ((blockClock){(def)->every, (def)->offset})

#define BLOCK_TEXT(c, ...) arena_compose((c)->arena, __VA_ARGS__)
#define BLOCK_NUMBER(c, x) part_number(&(c)->numbers, (c)->arena, x) // of the definition

// Keys that most kinds have.
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

// A formula of the user, under a name of its own: "input".
void block_add_input(partContext *c, const char *tail, const char *text);

// A number of its own behind the name of the block: a state of this rate, or held with this next value.
void block_add_state(partContext *c, blockClock clock, const char *tail, double initial,
                     const char *text);

// The value of a text at the instant before.
void block_add_previous(partContext *c, blockClock clock, const char *tail, double initial,
                        const char *text);

// The value of the block: a signal, or a held number with its initial value. `mark`: the key that its text comes from.
void block_add_value(partContext *c, blockClock clock, const char *unit, double initial,
                     const char *text, const char *mark);

// The value where it is a number of its own: a state of this rate, or held with this next value.
void block_add_own_value(partContext *c, blockClock clock, const char *unit, double initial,
                         const char *text, const char *mark);

// A value that must be positive, say, of a unit (NULL: any), or lie within limits (part.h).
void block_require(partContext *c, partNeed need, const char *key, const char *text,
                   const char *unit);

// A formula that must give this unit times s^seconds (unit NULL: any).
void block_require_unit(partContext *c, const char *key, const char *text, const char *unit,
                        int seconds);

// Limits of a unit, the least before the largest.
void block_require_limits(partContext *c, const char *key, const artNames *limits,
                          const char *unit);
void block_require_inside(partContext *c, double initial, const artNames *limits);

// clamp(text, least, largest), or less where limits are none (inf, -inf).
const char *block_clamped(partContext *c, const artNames *limits, const char *text);

// The rate of a state that stops at limits: 0 where it would leave them.
const char *block_stopped(partContext *c, const char *state, const char *const limits[2],
                          const char *rate);

// The response to `input` of a ratio of polynomials in s, coefficients of the highest power first, denominator of degree
// n >= 1 with a leading coefficient that is not 0, numerator of at most that degree; at rest with the input `before`.
typedef struct blockRatio {
  int nb, na; // coefficients
  const double *b, *a;
  double before;
  const char *const *b_text, *const *a_text; // where parameters give them by formulas; or NULL
} blockRatio;
void block_add_ratio(partContext *c, const blockRatio *ratio, blockClock clock, const double *every,
                     const char *unit);

// Checks: limits are none or two, the offset belongs to a clock, a number or formula is there.
void block_check_limits(const fieldCheck *check, const char *key, const artNames *limits);
void block_check_clock(const fieldCheck *check, blockClock clock);
_Noreturn void block_refuse(const fieldCheck *check, const char *key, const char *format, ...)
    ART_PRINTF(3, 4);

// How many samples a delay is: 1 or more.
int block_samples(const fieldCheck *check, double delay, double every);

#endif
