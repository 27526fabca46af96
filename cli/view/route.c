// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Addresses of the server.
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/named.h"


//---- the secret ----------------------------------------------------------------------------------

bool route_draw_secret(char secret[ROUTE_SECRET_LENGTH])
{
  unsigned char bytes[(ROUTE_SECRET_LENGTH - 1) / 2];
  // a call for this few bytes is never cut short (getrandom(2))
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t) sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
  return true;
}


const char *route_behind(const char *path, const char secret[ROUTE_SECRET_LENGTH])
{
  enum { LENGTH = ROUTE_SECRET_LENGTH - 1 };
  if (path[0] != '/' || strlen(path) < 1 + LENGTH) return NULL;
  // all characters are compared, whichever differ
  unsigned difference = 0;
  for (int i = 0; i < LENGTH; i++) difference |= (unsigned char) (path[1 + i] ^ secret[i]);
  const char *rest = path + 1 + LENGTH;
  return difference == 0 && (*rest == '/' || !*rest) ? rest : NULL;
}


//---- addresses -----------------------------------------------------------------------------------

// "12" at *text, which moves after it and a slash; -1 when there is none
static int take_index(const char **text)
{
  const size_t digits = strspn(*text, "0123456789");
  if (digits == 0 || digits > 8) return -1;
  const long i = strtol(*text, NULL, 10);
  *text += digits;
  if (**text == '/') (*text)++;
  return (int) i;
}


// "K/frames"
static cliRoute find_run(const char *path, int nrun)
{
  static const struct {
    const char *name;
    routeKind kind;
  } names[] = {{"header", ROUTE_HEADER}, {"frames", ROUTE_FRAMES},
               {"times", ROUTE_TIMES},   {"certificate", ROUTE_CERTIFICATE},
               {"live", ROUTE_LIVE},     {"joints", ROUTE_JOINTS},
               {"pose", ROUTE_POSE},     {"pull", ROUTE_PULL}};
  const int run = take_index(&path);
  if (run < 0 || run >= nrun) return (cliRoute){.kind = ROUTE_NO_RUN};
  const int found = NAMED_FIND(names, path);
  if (found >= 0) return (cliRoute){.kind = names[found].kind, .run = run};
  if (strncmp(path, "channel/", 8) != 0) return (cliRoute){.kind = ROUTE_NOWHERE};
  path += 8;
  const int channel = take_index(&path);
  if (channel < 0 || path[0]) return (cliRoute){.kind = ROUTE_NOWHERE};
  return (cliRoute){.kind = ROUTE_CHANNEL, .run = run, .channel = channel};
}


cliRoute route_find(const char *path, const char secret[ROUTE_SECRET_LENGTH], int nrun)
{
  const char *rest = route_behind(path, secret);
  if (!rest) return (cliRoute){.kind = ROUTE_REFUSED};
  if (strcmp(rest, "/") == 0 || strcmp(rest, "/index.html") == 0) {
    return (cliRoute){.kind = ROUTE_PAGE};
  }
  if (strcmp(rest, "/api/runs") == 0) return (cliRoute){.kind = ROUTE_RUNS};
  if (strncmp(rest, "/api/run/", 9) == 0) return find_run(rest + 9, nrun);
  return (cliRoute){.kind = ROUTE_NOWHERE};
}


long route_number(const char *text, long otherwise)
{
  if (!text) return otherwise;
  const size_t digits = strspn(text, "0123456789");
  return digits == 0 || digits > 15 || text[digits] ? -1 : strtol(text, NULL, 10);
}
