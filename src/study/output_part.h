// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#ifndef STUDY_OUTPUT_PART_H
#define STUDY_OUTPUT_PART_H

#include "articula/model.h"
#include "base/arena.h"

// The joint, force, latch, point or body whose quantities are all that output k reads; NULL where there is no such part. The name is
// the model's, or in the arena.
const char *output_part(const artModel *model, int k, baseArena *arena);

#endif
