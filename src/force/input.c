// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs of a data block.
#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "data/work.h"
#include "force/force.h"


artStatus art_set_input(const artModel *m, artData *d, int input, double value, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(input >= 0 && input < m->ninput, error);
  const modelHeld *held = &m->held[input];
  if (held->table) {
    return base_fail(error, ART_BAD_INPUT, held->place,
                     "input '%s' follows a table and cannot be set", held->name);
  }
  if (!isfinite(value)) {
    return base_fail(error, ART_BAD_INPUT, held->place,
                     "input '%s' is set to a value that is not finite", held->name);
  }
  if (!(value >= held->least && value <= held->largest)) {
    return base_fail(error, ART_BAD_INPUT, held->place,
                     "input '%s' is set to %.9g %s, outside its limits %.9g to %.9g", held->name,
                     value, held->unit, held->least, held->largest);
  }
  d->u[input] = value;
  return ART_OK;
}


//---- tables --------------------------------------------------------------------------------------

// halving the rows between which t lies
int force_table_row(const modelTable *table, double t)
{
  int low = -1, high = table->n; // time[low] <= t < time[high]
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (table->time[middle] <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}


double force_table_value(const modelTable *table, artHold hold, double t)
{
  const int k = force_table_row(table, t);
  const double *x = table->value, *at = table->time;
  if (k < 0) return x[0];
  if (hold == ART_HOLD_ZERO || k == table->n - 1) return x[k];
  return x[k] + (x[k + 1] - x[k]) * ((t - at[k]) / (at[k + 1] - at[k]));
}


double force_table_between(const modelTable *table, artHold hold, double since, double t)
{
  const double *x = table->value, *at = table->time, near = force_rounding_at(t);
  int k = force_table_row(table, t + near);
  const int is_at_row = k >= 0 && fabs(t - at[k]) <= near;
  const int is_jump = k > 0 && at[k - 1] == at[k];
  if (!is_at_row || !(is_jump || hold == ART_HOLD_ZERO)) return force_table_value(table, hold, t);
  if (since >= at[k] - near) return x[k];
  while (k > 0 && at[k - 1] == at[k]) k--;
  return x[hold == ART_HOLD_ZERO && k > 0 ? k - 1 : k];
}


void force_begin_tables(const artModel *m, artData *d)
{
  d->work->force->sampled_at = d->time;
  for (int i = 0; i < m->ninput; i++) {
    const modelHeld *held = &m->held[i];
    if (held->table) d->u[i] = force_table_value(held->table, held->hold, d->time);
  }
}


//---- straight lines ------------------------------------------------------------------------------

// u = from + (to - from) (t - begin)/(end - begin)
void force_follow_lines(const artModel *m, artData *d)
{
  for (int i = 0; i < m->ninput; i++) {
    const modelHeld *held = &m->held[i];
    if (!held_is_on_lines(held)) continue;
    const double since = d->work->force->sampled_at;
    d->u[i] = force_table_between(held->table, held->hold, fmin(since, d->time), d->time);
  }
  const forceRamp *ramp = &d->work->force->ramp;
  for (int i = 0; i < ramp->n; i++) {
    const double share = (d->time - ramp->begin) / (ramp->end - ramp->begin);
    const double from = ramp->from[i], to = ramp->to[i];
    d->u[ramp->input[i]] = share < 1 ? from + fmax(share, 0) * (to - from) : to;
  }
}
