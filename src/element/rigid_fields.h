// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What definitions of rigid contacts have in common, one at a time or in a pile.
#ifndef ELEMENT_RIGID_FIELDS_H
#define ELEMENT_RIGID_FIELDS_H

#include "element/kind.h"

// clang-format off
#define RIGID_FIELDS(T)                                                                            \
  {"between", KEY_SURFACES, .need = REQUIRED, .offset = offsetof(T, from), .mark = "from",         \
   .help = "two surfaces or groups; `all` is the group of all"},                                   \
  {"restitution", KEY_NUMBER, .offset = offsetof(T, restitution), FALLBACK(0),                     \
   .range = RANGE_NOT_NEGATIVE,                                                                    \
   .help = "ratio of the normal speeds after and before an impact, at most 1"},                    \
  {"friction", KEY_NUMBER, .offset = offsetof(T, friction), FALLBACK(0),                           \
   .range = RANGE_NOT_NEGATIVE, .help = "mu", .foreign = "mu"},                                    \
  {"rolling", KEY_NUMBER, Q_LENGTH, .offset = offsetof(T, rolling), FALLBACK(0),                   \
   .range = RANGE_NOT_NEGATIVE, .help = "b: a torque up to b N resists rolling",                   \
   .foreign = "rolling_friction"},                                                                 \
  {"spinning", KEY_NUMBER, Q_LENGTH, .offset = offsetof(T, spinning), FALLBACK(0),                 \
   .range = RANGE_NOT_NEGATIVE, .help = "e: friction resists spinning, too, by up to mu e N",      \
   .foreign = "torsional_friction drilling"}
// clang-format on


// of a contact or pile, `what`
static inline void rigid_check(const fieldCheck *c, const char *what, double restitution,
                               double friction, double spinning)
{
  if (spinning > 0 && !(friction > 0)) {
    field_refuse(c, "spinning",
                 "%s '%s' resists spinning by friction, but has none; give 'friction'", what,
                 c->name);
  }
  if (!(restitution > 1)) return;
  field_refuse(c, "restitution",
               "the restitution of %s '%s' is %g, expected at most 1: an impact gives back no more "
               "than it takes",
               what, c->name, restitution);
}

#endif
