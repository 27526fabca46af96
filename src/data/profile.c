// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the time of an evaluation goes.
#include "data/profile.h"

#include <stddef.h>

#include "base/clock.h"


artMethod profile_method(artMethod method, int has_loops)
{
  if (art_method_is_natural(method)) return method;
  if (method == ART_GENERATED) method = ART_AUTOMATIC;
  if (!has_loops) return method == ART_MASS_MATRIX ? ART_MASS_MATRIX : ART_ORDER_N;
  return method == ART_AUTOMATIC ? ART_SEMIRECURSIVE : method;
}


const char *profile_name(artMethod method, profileStage stage)
{
  // what other methods do instead
  static const char *const others[ART_METHODS][PROFILE_STAGES] = {
      [ART_ORDER_N] = {[PROFILE_SOLUTION] = "accelerations, articulated bodies"},
      [ART_MASS_MATRIX] = {[PROFILE_PROJECTION] = "M"},
      [ART_RECURSIVE] = {[PROFILE_INERTIA] = "motion of the cut tree",
                         [PROFILE_PROJECTION] = "J M^-1 J^T",
                         [PROFILE_BIAS] = "gamma - J a_0",
                         [PROFILE_CONSTRAINTS] = "J"},
      [ART_AUGMENTED] =
          {[PROFILE_CONSTRAINTS] = "J", [PROFILE_BIAS] = "gamma", [PROFILE_PROJECTION] = "M"},
  };
  if (stage == PROFILE_POSITIONS && method != ART_SEMIRECURSIVE) return "positions";
  static const char *const names[PROFILE_STAGES] = {
      [PROFILE_POSITIONS] = "positions, loops closed",
      [PROFILE_CONSTRAINTS] = "J, J_v = L U",
      [PROFILE_COUPLING] = "R = [-J_v^-1 J_u; 1]",
      [PROFILE_VELOCITIES] = "dependent velocities",
      [PROFILE_FORCES] = "forces",
      [PROFILE_BIAS] = "gamma, s",
      [PROFILE_INERTIA] = "inertia forces h",
      [PROFILE_PROJECTION] = "M, R^T M R, R^T (tau - h - M s)",
      [PROFILE_SOLUTION] = "accelerations, multipliers",
  };
  return others[method][stage] ? others[method][stage] : names[stage];
}


double profile_total(const dataProfile *profile)
{
  double sum = 0;
  for (int i = 0; i < PROFILE_STAGES; i++) sum += profile->seconds[i];
  return sum;
}


void profile_begin(dataProfile *profile)
{
  if (profile) profile->last = base_now();
}


void profile_end(dataProfile *profile, profileStage stage)
{
  if (!profile) return;
  const double time = base_now();
  profile->seconds[stage] += time - profile->last;
  profile->calls[stage]++;
  profile->last = time;
}
