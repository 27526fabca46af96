// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Drives: prescribed motion of joint coordinates, with its exact derivatives.
#include "force/force.h"


// the value of a spline over time with its two derivatives
static formulaJet table_jet(const forceLaw *table, int segment, double t)
{
  double f[3];
  law_derivatives(table, segment, t, f);
  return (formulaJet){f[0], f[1], f[2]};
}


void force_drive(const artModel *m, artData *d)
{
  artWork *w = d->work;
  if (m->ndrive == 0) return;
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind != QUANTITY_TIME) continue;
    w->jets[i] = (formulaJet){d->time, 1, 0};
    w->slots[i] = d->time;
  }
  for (int i = 0; i < m->ndrive; i++) {
    const modelDrive *drive = &m->drive[i];
    int *mode = w->mode + drive->mode0;
    if (drive->formula && !w->is_frozen) {
      formula_set_branches(drive->formula, w->slots, mode, w->stack);
    }
    const formulaJet jet =
        drive->formula ? formula_jet(drive->formula, w->jets, mode, w->jet_stack)
                       : table_jet(drive->table, law_segment(drive->table, d->time), d->time);
    d->q[drive->position] = jet.x;
    d->v[drive->velocity] = jet.dx;
    w->a_drive[drive->velocity] = jet.ddx;
  }
}
