// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sums and products of many terms in the shape that is done first.
#ifndef SCHED_TREE_HEIGHT_H
#define SCHED_TREE_HEIGHT_H

#include "sched/operate.h"

// The old operations once more, as a new list with no more of them. A sum that only another sum reads is one with it,
// unless it is a root; terms are added two at a time, those that are there first, first. now[i] is what old
// operation i has become, with op -1 where it is inside another. Returns 0 when memory ran out.
int balance_ops(schedOps *balanced, const schedOps *old, const int *is_root,
                const schedBinaryOptions *options, schedOperand *now);

// An operand among the old operations as one among the new.
schedOperand balance_follow(const schedOperand *now, schedOperand old);

#endif
