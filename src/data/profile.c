// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Profile of an evaluation.
#include "data/profile.h"

#include "base/clock.h"
#include "base/error.h"


const char *profile_name(profileStage stage)
{
  ART_ASSERT(stage < PROFILE_STAGES);
  static const char *const names[PROFILE_STAGES] = {
      [PROFILE_POSITIONS] = "positions",
      [PROFILE_CONSTRAINTS] = "J, J_v = L U",
      [PROFILE_COUPLING] = "R = [-J_v^-1 J_u; 1]",
      [PROFILE_VELOCITIES] = "dependent velocities",
      [PROFILE_FORCES] = "forces",
      [PROFILE_BIAS] = "gamma, s",
      [PROFILE_INERTIA] = "inertia forces h",
      [PROFILE_PROJECTION] = "M, R^T M R, R^T (tau - h - M s)",
      [PROFILE_SOLUTION] = "accelerations, multipliers",
  };
  return names[stage];
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


void profile_count(dataProfile *profile, profileStage stage)
{
  ART_ASSERT(stage < PROFILE_STAGES);
  ART_ASSERT(profile->last > 0); // profile_begin must be called first
  const double time = base_now();
  profile->seconds[stage] += time - profile->last;
  profile->calls[stage]++;
  profile->last = time;
}
