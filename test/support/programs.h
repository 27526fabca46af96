// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Recorded equations that live until their test ends, as the objects of keep.h.
#ifndef SUPPORT_PROGRAMS_H
#define SUPPORT_PROGRAMS_H

#include "eqn/list.h"
#include "gen/gen.h"
#include "support/check.h"
#include "support/keep.h"

CHECK_KEEPER(keep_list, eqnList, eqn_list_free)
CHECK_KEEPER(keep_recorded, eqnProgram, gen_free)

// The equations of a machine whose loops are closed first; NULL with a failed check and its message.
static inline eqnProgram *keep_program(const artModel *m, artData *d, const genOptions *options)
{
  eqnProgram *p = NULL;
  art_update(m, d);
  if (CHECK_WORKS(art_assemble(m, d, NULL, &check_error))) {
    CHECK_WORKS(gen_create(&p, m, d, options, &check_error));
  }
  return keep_recorded(p);
}


// One function of them; options NULL: the usual ones.
static inline eqnList *keep_function(const eqnProgram *p, const char *name,
                                     const eqnOptions *options)
{
  eqnList *list = p ? eqn_list_create(p, gen_function(p, name), options) : NULL;
  CHECK(list);
  return keep_list(list);
}

#endif
