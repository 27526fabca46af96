// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any text as the path of a request to the server and as a number of its query. Without the
// secret nothing but a refusal comes of it; numbers are within their bounds.
#include <string.h>

#include "harness.h"
#include "route.h"

enum { RUNS = 3 };


static void check(const char *path, const char *secret)
{
  const cliRoute route = route_find(path, secret, RUNS);
  const int has_secret = path[0] == '/' && strncmp(path + 1, secret, strlen(secret)) == 0 &&
                         (path[1 + strlen(secret)] == '/' || !path[1 + strlen(secret)]);
  REQUIRE((route.kind != ROUTE_REFUSED) == has_secret);
  REQUIRE(route.run >= 0 && route.run < RUNS && route.channel >= 0);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char secret[ROUTE_SECRET_LENGTH] = "0123456789abcdef0123456789abcdef";
  char drawn[ROUTE_SECRET_LENGTH];
  char *text = fuzz_text(data, size), *path = malloc(size + ROUTE_SECRET_LENGTH + 1);
  REQUIRE(path && route_draw_secret(drawn) && strlen(drawn) == ROUTE_SECRET_LENGTH - 1);
  check(text, secret);
  strcpy(path, "/");
  strcat(path, secret);
  strcat(path, text);
  check(path, secret);
  REQUIRE(route_find(path, drawn, RUNS).kind == ROUTE_REFUSED);
  const long number = route_number(text, 5);
  REQUIRE(number >= -1 && number < 1000000000000000);
  free(text);
  free(path);
  return 0;
}
