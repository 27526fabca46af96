// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locks, latches and ropes on the scalar of src/spatial: where they engage, and where they hold then.
#ifndef MODEL_LATCH_PHYSICS_H
#define MODEL_LATCH_PHYSICS_H

#include "model/model.h"
#include "spatial/pose_algebra.h"

// Of the length of a rope: by so much errors may leave it too long where it becomes slack.
#define LATCH_STRETCH 1e-7

// Ropes, and latches that engage by their distance, are open on both sides of where they are engaged: whether their ends
// are on the way there is watched.
static inline int latch_is_watched(const modelLatch *latch)
{
  return latch->type == ART_ROPE || latch->distance > 0;
}

// Positive where it is to engage: where a rope is longer than its limit, where the ends of a latch are nearer than theirs,
// or where the condition is positive. Length and limit count for those that are watched.
static inline real latch_engages(const modelLatch *latch, real condition, real length, real limit)
{
  if (latch->type == ART_ROPE) return r_sub(length, limit);
  if (!latch_is_watched(latch)) return condition;
  const real near = r_sub(limit, length);

  // a condition that is not a number asks for nothing: r_max keeps a first argument that is a number
  return latch->engage ? r_max(near, condition) : near;
}

// The sum of coordinates that a lock holds.
static inline real lock_sum(const modelRelation *r, const real *q)
{
  real sum = r_const(0);
  for (int k = 0; k < r->n; k++) {
    sum = r_add(sum, r_mul(r_const(r->coefficient[k]), q[r->position[k]]));
  }
  return sum;
}

// The frame with the axes R at r of the link `to`, in the link `from`, both links in ground.
static inline modelPose latch_pose(modelPose from, modelPose to, m3 R, v3 r)
{
  modelPose pose;
  pose.R.x = m3_mul(from.R, m3_back(to.R, R.x));
  pose.R.y = m3_mul(from.R, m3_back(to.R, R.y));
  pose.R.z = m3_mul(from.R, m3_back(to.R, R.z));
  pose.r = m3_mul(from.R, v3_add(m3_back(to.R, r), v3_sub(to.r, from.r)));
  return pose;
}

#endif
