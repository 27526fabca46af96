// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "study/memory_need.h"

#include <math.h>

#include "force/force.h"
#include "method/method.h"


static int samples(const artModel *m)
{
  return m->nheld - m->ninput;
}


int memory_count(const artModel *m)
{
  return m->nrate + samples(m);
}


const char *memory_name(const artModel *m, int k)
{
  return k < m->nrate ? m->state[k].name : m->held[m->ninput + k - m->nrate].name;
}


artPlace memory_place(const artModel *m, int k)
{
  return k < m->nrate ? m->state[k].place : m->held[m->ninput + k - m->nrate].place;
}


void memory_get(const artModel *m, const artData *d, double *value)
{
  for (int k = 0; k < m->nrate; k++) value[k] = d->s[k];
  for (int k = 0; k < samples(m); k++) value[m->nrate + k] = d->u[m->ninput + k];
}


void memory_put(const artModel *m, artData *d, const double *value)
{
  for (int k = 0; k < m->nrate; k++) d->s[k] = value[k];
  for (int k = 0; k < samples(m); k++) d->u[m->ninput + k] = value[m->nrate + k];
}


int memory_reads_accelerations(const artModel *m)
{
  return m->nlate > 0 || (samples(m) > 0 && m->sample_level == LEVEL_ACCELERATION);
}


void memory_changes(const artModel *m, artData *d, double *change)
{
  double *next = change + m->nrate;
  for (int k = 0; k < m->nrate; k++) change[k] = d->s_rate[k];
  if (samples(m) == 0) return;
  if (m->sample_level == LEVEL_ACCELERATION) method_need_forces(m, d);
  const artStatus status = force_next_samples(m, d, next, NULL);
  for (int k = 0; k < samples(m); k++) {
    next[k] = status == ART_OK ? next[k] - d->u[m->ninput + k] : NAN;
  }
}
