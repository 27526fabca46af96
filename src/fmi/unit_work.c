// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statuses of the standard as ours.
#include "fmi/unit_work.h"

#include "base/error.h"

// the standard's numbers for both versions are the same up to the end
static artStatus fail(const fmiInstance *f, const char *function, int status, artError *error)
{
  static const char *const words[] = {"ok", "warning", "discard", "error", "fatal", "pending"};
  const char *word = status >= 0 && status <= 5 ? words[status] : "an unknown status";
  return base_fail(error, ART_NO_CONVERGENCE, (artPlace){.file = f->unit->path},
                   "%s of '%.60s' answers '%s' at %.9g s%s%.400s", function, f->name, word, f->time,
                   f->said[0] ? ": " : "", f->said);
}


artStatus instance_check(fmiInstance *f, const char *function, int status, artError *error)
{
  if (status == fmi2OK || status == fmi2Warning) return ART_OK;
  f->is_broken = status >= fmi2Error;
  return fail(f, function, status, error);
}
