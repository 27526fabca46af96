// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Results served to a browser on this machine (addresses: doc/theory/viewer-server.md).
//
// The server listens on the loopback address alone, answers GET and HEAD of a fixed set of addresses, all of which
// begin with a random secret, so that other users of the machine cannot read results, and refuses requests that
// name another host, so that pages of other origins cannot either.
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "articula/base.h"
#include "joint_jog.h"

// A server; more follows it.
typedef struct cliServer {
  char address[96]; // http://127.0.0.1:PORT/SECRET/

  // An address that leads there once: for command lines, which other users can see.
  char once_address[96];
} cliServer;

// Serve the scenes of n results (directories or files), with a page that stays, or with NULL that of the viewer; results
// with a jog can be moved by hand. jog may be NULL. port 0 lets the system choose one.
artStatus server_start(cliServer **server, int n, const char *const *result,
                       cliJointJog *const *jog, char *page, size_t size, int port, artError *error);

// Could one be started? Says why not, before anything else is done.
artStatus server_check(artError *error);

// Ends all connections; accepts NULL.
void server_stop(cliServer *server);

//---- in the foreground, of `view` and of `run --view` (verb_view.c) ------------------------------

// Say where it is, and show it in the browser unless the call does not want that.
void cli_announce(const cliCall *call, const cliServer *server);

// Wait for Ctrl-C, then stop it.
void cli_serve(const cliCall *call, cliServer *server);

// The port that --port names, 0 when it does not; another number leaves the work.
int cli_read_port(const cliCall *call);

// Start a server as server_start does, show it and wait for Ctrl-C; leaves the work where it cannot be started.
void cli_show(const cliCall *call, int n, const char *const *result, cliJointJog *const *jog,
              char *page, size_t size);

#endif
