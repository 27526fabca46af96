// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The wall clock.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

// Seconds by a monotonic clock.
double base_now(void);

#endif
