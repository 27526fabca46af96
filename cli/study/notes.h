// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Warnings about a model, and what imports left out or changed of a machine of another program, the most important first.
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "command_report.h"

// The settings of imports in a call, for every file of another program that is read from now on.
void notes_use_settings(const cliCall *call);

// Fails where such options are given and the model was read from no file of another program.
artStatus notes_check_settings(const cliCall *call, const artModel *model, artError *error);

// Warnings as a section of a report and a list "warnings"; the first of them as lines of a summary.
void warnings_tell(cliReport *report, const artModel *model);
void warnings_print(const cliCall *call, const artModel *model);

// All notes, as a section of a report and a list "left_out".
void notes_report(cliReport *report, const artModel *model);

// What acts on the motion, one after the other, and how many others there are, as lines of a summary.
void notes_print(const cliCall *call, const artModel *model);

// One line on standard error where there is a warning or a note that acts on the motion; for verbs that report neither.
void notes_warn(const cliCall *call, const artModel *model);

#endif
