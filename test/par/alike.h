// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The recursive method by one and by many: the same bits at the same states.
#ifndef PAR_ALIKE_H
#define PAR_ALIKE_H

#include <string.h>

#include "loop/loop.h"
#include "method/method.h"
#include "support/check.h"
#include "support/machines.h"

enum { ALIKE_STATES = 3 };


// accelerations and multipliers at the present state of a data block
static inline artStatus alike_evaluate(const artModel *m, artData *d, double *result,
                                       artError *error)
{
  art_update(m, d);
  const artStatus status = art_accelerate(m, d, ART_RECURSIVE, error);
  memcpy(result, d->a, (size_t) m->tree.nv * sizeof *result);
  memcpy(result + m->tree.nv, d->work->loop->rows.lambda, (size_t) m->nrow * sizeof *result);
  return status;
}


static inline void alike_copy_state(const artModel *m, const artData *from, artData *to)
{
  to->time = from->time;
  memcpy(to->q, from->q, (size_t) m->tree.nq * sizeof *to->q);
  memcpy(to->v, from->v, (size_t) m->tree.nv * sizeof *to->v);
  memcpy(to->s, from->s, (size_t) m->nstate * sizeof *to->s);
}


// the state of the machine itself, then others
static inline int alike_next_state(const artModel *m, artData *d, int k, uint64_t *seed)
{
  artAssembly assembly;
  if (k > 0) return machine_random_state(m, d, seed);
  art_reset(m, d);
  art_update(m, d);
  return CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK);
}


// Both data blocks look at the same states in the same order; `shared` has helpers. one, other: [nv + nrow].
// Returns whether all were alike; *error tells the last failure of `shared`.
static inline bool alike_at_some_states(const artModel *m, artData *alone, artData *shared,
                                        double *one, double *other, artError *error)
{
  uint64_t seed = 5;
  bool is_alike = true;
  const size_t size = (size_t) (m->tree.nv + m->nrow) * sizeof *one;
  for (int k = 0; k < ALIKE_STATES; k++) {
    if (!alike_next_state(m, alone, k, &seed)) return is_alike;
    alike_copy_state(m, alone, shared);
    const artStatus status = alike_evaluate(m, alone, one, NULL);
    CHECK(alike_evaluate(m, shared, other, error) == status);
    if (status == ART_OK) is_alike &= CHECK(memcmp(one, other, size) == 0);
  }
  return is_alike;
}

#endif
