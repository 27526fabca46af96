// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Errors, memory and the arena.
#include "support/check.h"

#include "articula/base.h"


static void the_linked_version_is_the_header_s(void)
{
  CHECK_TEXT(art_version(), ART_VERSION);
}


int main(int argc, char **argv)
{
  static const checkTest tests[] = {
      TEST(the_linked_version_is_the_header_s),
      {0},
  };
  return check_main(argc, argv, tests);
}
