// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A server in the foreground, of `view` and of `run --view`.
#ifndef CLI_VERB_VIEW_H
#define CLI_VERB_VIEW_H

#include "command.h"
#include "server.h"

// Say where it is, and show it in the browser unless the call does not want that.
void cli_announce(const cliCall *call, const cliServer *server);

// Wait for Ctrl-C, then stop it.
void cli_serve(const cliCall *call, cliServer *server);

// The port that --port names, 0 when it does not.
artStatus cli_read_port(const cliCall *call, int *port, artError *error);

#endif
