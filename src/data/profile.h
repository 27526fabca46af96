// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Profile of an evaluation: the nine stages of the semi-recursive method (Hidalgo, Garcia de Jalon
// 2012, tables 1 and 2); other methods use some of them. No cost unless requested.
#ifndef DATA_PROFILE_H
#define DATA_PROFILE_H

typedef enum profileStage {
  PROFILE_POSITIONS,   // link positions, closing of loops
  PROFILE_CONSTRAINTS, // J, and J_v factored
  PROFILE_COUPLING,    // R = [B; 1]
  // dependent ones; link velocities are counted with h, or with the forces that read them
  PROFILE_VELOCITIES,
  PROFILE_FORCES,     // force elements
  PROFILE_BIAS,       // gamma, and s from J_v b' = gamma
  PROFILE_INERTIA,    // h by the Newton-Euler recursion
  PROFILE_PROJECTION, // M, R^T M R and R^T (tau - h - M s)
  PROFILE_SOLUTION,   // accelerations and multipliers
  PROFILE_STAGES
} profileStage;

typedef struct dataProfile {
  double seconds[PROFILE_STAGES];
  long calls[PROFILE_STAGES]; // times that a stage has ended; 0: the method does not have it
  long evaluations;           // all measured evaluations
  long stepping;              // those requested by the integrator; the others are at output rows
  double last;                // s, by a monotonic clock
} dataProfile;

// Default name of a stage.
const char *profile_name(profileStage stage);

// Sum of all stages, s.
double profile_total(const dataProfile *profile);

// profile_begin: start the clock; profile NULL: not requested. profile_count: add the time since
// then to this stage.
void profile_begin(dataProfile *profile);
void profile_count(dataProfile *profile, profileStage stage);
static inline void profile_end(dataProfile *profile, profileStage stage)
{
  if (profile) profile_count(profile, stage);
}

#endif
