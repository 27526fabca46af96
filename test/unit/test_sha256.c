// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SHA-256 against the examples of FIPS 180-4, in one piece and byte by byte.
#include "base/sha256.h"

#include <string.h>

#include "support/check.h"


static void check_digest(const char *text, size_t times, const char *want)
{
  const size_t n = strlen(text);
  char got[65];
  baseSha256 sha;
  sha256_begin(&sha);
  for (size_t i = 0; i < times; i++) sha256_add(&sha, text, n);
  sha256_end(&sha, got);
  CHECK_TEXT(got, want);
  sha256_begin(&sha);
  for (size_t i = 0; i < times; i++) {
    for (size_t k = 0; k < n; k++) sha256_add(&sha, text + k, 1);
  }
  sha256_end(&sha, got);
  CHECK_TEXT(got, want);
}


TEST(digests_are_those_of_the_standard)
{
  check_digest("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_digest("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  check_digest("aaaaaaaaaa", 100000,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
