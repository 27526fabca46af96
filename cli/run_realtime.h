// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run at the pace of the wall clock.
#ifndef CLI_RUN_REALTIME_H
#define CLI_RUN_REALTIME_H

#include "verb_run.h"

// Room for all rows, taken and touched before the clock starts; refused when it would be absurd.
artStatus realtime_prepare(cliRun *job, artError *error);

// Every row at its time of the clock, until the end or an interruption. Rows are kept, and written behind the
// loop, which takes no memory and calls nothing of the system but the clock.
artStatus realtime_advance(cliRun *job, artError *error);

#endif
