// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How well the rule of a step of given length integrates a signal that acts.
//
// The rule integrates a signal u from its values in the step: error = rule - integral, the integral by Simpson's rule in its
// quarters. Errors of a pulse are added up from where it leaves its value at rest until it comes back; errors of a
// wave, likewise, cancel in part. What counts is their sum against the largest integral of u - rest.
#ifndef FORCE_STEP_RULE_H
#define FORCE_STEP_RULE_H

typedef enum stepRule {
  RULE_NONE,      // steps are as long as their error allows
  RULE_TRAPEZOID, // (u0 + u1)/2
  RULE_SIMPSON    // (u0 + 4 um + u1)/6
} stepRule;

enum { RULE_POINTS = 9, RULE_MIDDLE = 4, RULE_END = 8 };

// One signal; to is NaN where no step has been looked at.
typedef struct ruleSum {
  double to, last;              // the end of the step before, and the value there
  double rest, still;           // value at rest; for how long the signal has not changed, s
  double error, integral, peak; // since it was at rest: sums, and the largest |u - rest|
  double largest, negligible;   // |integral| of the pulses so far; a peak that does not matter
} ruleSum;

void step_rule_begin(ruleSum *s);

// A step from a to b, at whose nine places, ends included, the signal is u. Returns 0 where a pulse has ended whose integral
// the rule has missed by more than one part in a hundred, and whose peak is larger than `negligible`.
int step_rule_holds(ruleSum *s, stepRule rule, double a, double b, const double u[RULE_POINTS],
                    double negligible);

// Has the rule missed as much of a pulse that is not over yet?
int step_rule_misses(const ruleSum *s);

#endif
