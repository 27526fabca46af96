// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inputs of a data block.
#include <math.h>

#include "base/error.h"
#include "data/work.h"
#include "force/force.h"


artStatus art_set_input(const artModel *m, artData *d, int input, double value, artError *error)
{
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(input >= 0 && input < m->ninput, error);
  const modelHeld *held = &m->held[input];
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


// u = from + (to - from) (t - begin)/(end - begin)
void force_follow_ramp(artData *d)
{
  const forceRamp *ramp = &d->work->force->ramp;
  for (int i = 0; i < ramp->n; i++) {
    const double share = (d->time - ramp->begin) / (ramp->end - ramp->begin);
    const double from = ramp->from[i], to = ramp->to[i];
    d->u[ramp->input[i]] = share < 1 ? from + fmax(share, 0) * (to - from) : to;
  }
}
