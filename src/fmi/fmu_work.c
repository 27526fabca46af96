// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Errors of FMU functions.
#include "fmi/fmu_work.h"

#include "base/arithmetic.h"
#include "base/error.h"

void instance_check(fmiInstance *f, const char *function, int status)
{
  // both versions of the standard use the same numbers, except for the last
  static const char *const words[] = {"ok", "warning", "discard", "error", "fatal", "pending"};
  const char *word = status >= 0 && status <= 5 ? words[status] : "an unknown status";
  const artPlace place = {.file = f->unit->path};
  arithmetic_renew();
  if (status == fmi2OK || status == fmi2Warning) return;
  if (status == UNIT_LACKS) {
    error_refuse(place, "the binary of the FMU lacks the function %s", function);
  }
  f->is_broken = status >= fmi2Error;
  error_throw_at(ART_NO_CONVERGENCE, place, "%s of '%.60s' answers '%s' at %.9g s%s%.400s",
                 function, f->name, word, f->time, f->said[0] ? ": " : "", f->said);
}
