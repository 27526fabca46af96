// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where the time of an evaluation goes: the nine stages of the semi-recursive method (Hidalgo, Garcia
// de Jalon 2012, tables 1 and 2), of which other methods have some. Nobody pays for it who does not ask.
#ifndef DATA_PROFILE_H
#define DATA_PROFILE_H

typedef enum profileStage {
  PROFILE_POSITIONS,   // links placed, loops closed
  PROFILE_CONSTRAINTS, // J, and J_v factored
  PROFILE_COUPLING,    // R = [B; 1]
  PROFILE_VELOCITIES, // dependent ones; velocities of the links come with h, or with the forces that read them
  PROFILE_FORCES,     // force elements
  PROFILE_BIAS,       // gamma, and s from J_v b' = gamma
  PROFILE_INERTIA,    // h by the Newton-Euler recursion
  PROFILE_PROJECTION, // M, R^T M R and R^T (tau - h - M s)
  PROFILE_SOLUTION,   // accelerations and multipliers
  PROFILE_STAGES
} profileStage;

typedef struct dataProfile {
  double seconds[PROFILE_STAGES];
  long calls[PROFILE_STAGES]; // times a stage has ended: 0 where the method has none such
  long evaluations;           // all that were measured,
  long stepping; // and the number that the integrator asked for; the others are at rows
  double last;   // s, by a clock that never goes back
} dataProfile;

// The stage in words, where the method has none of its own.
const char *profile_name(profileStage stage);

// All stages together, s.
double profile_total(const dataProfile *profile);

// Begin to measure, and count what has passed since as this stage. NULL: nobody asks.
void profile_begin(dataProfile *profile);
void profile_count(dataProfile *profile, profileStage stage);
static inline void profile_end(dataProfile *profile, profileStage stage)
{
  if (profile) profile_count(profile, stage);
}

#endif
