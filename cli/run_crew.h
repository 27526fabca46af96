// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs by several threads, or by several ranks under mpirun.
#ifndef CLI_RUN_CREW_H
#define CLI_RUN_CREW_H

#include "verb_run.h"

// Give the data of a run the threads of the call, or the other ranks; ART_BAD_INPUT where the method has
// no use for them.
artStatus crew_join(cliRun *job, artError *error);

// At the end, before the data is freed. False when a worker or a rank was lost: it may still look at
// model and data, which must stay; all ranks are ended.
bool crew_leave(const cliRun *job);

// Their share in the run: a line of the summary, or a member of the certificate; nothing where nobody asked.
void crew_tell(cliReport *report, const cliRun *job);

// Was this process started by mpirun, together with others? Then take part: on rank 0 `run` is called and
// its exit status returned, the others serve it.
bool crew_is_launched(void);
int crew_launch(const cliCall *call, int (*run)(const cliCall *call));

#endif
