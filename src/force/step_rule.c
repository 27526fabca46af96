// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "force/step_rule.h"

#include <math.h>

// of the largest integral of a pulse: what the rule may miss of it
static const double MISSED = 0.01;

// of the peak: a signal that is nearer to its value at rest is at rest, and a smaller change is none
static const double NEAR_REST = 0.05, NO_CHANGE = 1e-3;

// steps without a change after which the value of the signal is its value at rest
static const double STILL_STEPS = 32;


static void rest_at(ruleSum *s, double value)
{
  s->rest = value;
  s->error = s->integral = s->peak = 0;
}


void step_rule_begin(ruleSum *s)
{
  *s = (ruleSum){.to = NAN};
}


// Up to a, where the next step begins, the signal has moved without a bend.
static void take_pause(ruleSum *s, double a, double begin)
{
  const double pause = fmax(a - s->to, 0);
  s->integral += (0.5 * (s->last + begin) - s->rest) * pause;
  s->still += pause;
}


static void take_step(ruleSum *s, stepRule rule, double h, const double u[RULE_POINTS])
{
  const double begin = u[0], middle = u[RULE_MIDDLE], end = u[RULE_END];
  const double change = fmax(fabs(end - begin), fabs(middle - begin));
  const double by_rule =
      rule == RULE_TRAPEZOID ? h / 2 * (begin + end) : h / 6 * (begin + 4 * middle + end);
  double integral = 0;
  for (int i = 0; i < RULE_END; i += 2) integral += h / 24 * (u[i] + 4 * u[i + 1] + u[i + 2]);
  s->error += by_rule - integral;
  s->integral += integral - s->rest * h;
  for (int i = 0; i < RULE_POINTS; i++) s->peak = fmax(s->peak, fabs(u[i] - s->rest));
  s->still = change <= NO_CHANGE * s->peak ? s->still + h : 0;
}


// Of the pulse so far, or of all pulses if one was larger.
static int holds_so_far(const ruleSum *s)
{
  return s->peak <= s->negligible ||
         !(fabs(s->error) > MISSED * fmax(s->largest, fabs(s->integral)));
}


int step_rule_holds(ruleSum *s, stepRule rule, double a, double b, const double u[RULE_POINTS],
                    double negligible)
{
  double sum = 0;
  for (int i = 0; i < RULE_POINTS; i++) sum += u[i];
  if (!isfinite(sum)) {
    step_rule_begin(s);
    return 1;
  }
  if (isnan(s->to)) rest_at(s, u[0]);
  if (s->to < a) take_pause(s, a, u[0]);
  take_step(s, rule, b - a, u);
  s->to = b;
  s->last = u[RULE_END];
  s->negligible = negligible;

  const double off = u[RULE_END] - s->rest;
  const int is_back = fabs(off) <= NEAR_REST * s->peak || off * s->integral < 0;
  const int is_still = s->still > STILL_STEPS * (b - a);
  if (!is_back && !is_still) return 1;
  s->largest = fmax(s->largest, fabs(s->integral));
  const int holds = holds_so_far(s);
  rest_at(s, is_still ? u[RULE_END] : s->rest);
  return holds;
}


int step_rule_misses(const ruleSum *s)
{
  return !isnan(s->to) && !holds_so_far(s);
}
