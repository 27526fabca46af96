// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Processor time, for tables of long runs; no test depends on it.
#ifndef SUPPORT_SECONDS_H
#define SUPPORT_SECONDS_H

// Seconds used by this program and by the programs that it has waited for.
double seconds_used(void);

#endif
