// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Addresses of the server (doc/theory/viewer-server.md lists them): what a path asks for, and who may ask. Nothing here
// knows of connections, so that any text can be tried.
#ifndef CLI_ROUTE_H
#define CLI_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

enum { ROUTE_SECRET_LENGTH = 33 }; // 128 bits in hexadecimal, and a zero

typedef enum {
  ROUTE_REFUSED, // the path does not begin with the secret
  ROUTE_NOWHERE,
  ROUTE_NO_RUN,
  ROUTE_PAGE,
  ROUTE_RUNS,
  ROUTE_HEADER,
  ROUTE_FRAMES,
  ROUTE_TIMES,
  ROUTE_CHANNEL,
  ROUTE_CERTIFICATE,
  ROUTE_LIVE,
  ROUTE_JOINTS,
  ROUTE_POSE,
  ROUTE_PULL
} routeKind;

typedef struct cliRoute {
  routeKind kind;
  int run,
      channel; // of addresses with such a number; a channel is not yet compared with the run's count
} cliRoute;

// A new secret from the system's random numbers; false when there are none.
bool route_draw_secret(char secret[ROUTE_SECRET_LENGTH]);

// The rest of a path after "/SECRET", or NULL where it does not begin so. The time taken does not tell how many
// characters of the secret were right.
const char *route_behind(const char *path, const char secret[ROUTE_SECRET_LENGTH]);

// The request that "/SECRET/..." makes of a server with nrun runs.
cliRoute route_find(const char *path, const char secret[ROUTE_SECRET_LENGTH], int nrun);

// A whole number of a query, or what represents it where text is NULL; -1 when it is none.
long route_number(const char *text, long otherwise);

#endif
