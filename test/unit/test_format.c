// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Text with numbers: byte for byte what printf writes in the C locale, the same in a locale with a decimal comma, and NaN
// without a sign.
#include "base/format.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "support/check.h"

// What format_text and printf make of the same format and arguments, to be compared.
#define CHECK_AS_PRINTF(...)                                                                       \
  do {                                                                                             \
    char own[2000], libc[2000];                                                                    \
    const int length = format_text(own, sizeof own, __VA_ARGS__);                                  \
    CHECK_EQ_INT(length, snprintf(libc, sizeof libc, __VA_ARGS__));                                \
    CHECK_TEXT(own, libc);                                                                         \
  } while (0)


TEST(text_and_integers_are_written_as_by_printf)
{
  CHECK_AS_PRINTF("plain");
  CHECK_AS_PRINTF("100 %% of '%s', '%10s', '%-10s', '%.2s', '%-6.*s|'", "abc", "abc", "abc", "abc",
                  2, "abc");
  CHECK_AS_PRINTF("%*s|%-*s|%*s", 7, "abc", 7, "abc", -7, "abc");
  CHECK_AS_PRINTF("%c%5c%-5c|", 'a', 'b', 'c');
  CHECK_AS_PRINTF("%d %5d %-5d %05d %+d % d %.3d %i", -1, 2, 3, 4, 5, 6, 7, 8);
  CHECK_AS_PRINTF("%u %x %X %#x %o %08x", 4000000000u, 0xbeefu, 0xbeefu, 0xbeefu, 8u, 1u);
  CHECK_AS_PRINTF("%ld %lu %lld %llu", -5000000000L, 5000000000UL, -5000000000LL,
                  UINT64_MAX + 0ULL);
  CHECK_AS_PRINTF("%zu %td %jd %hhu %hd", (size_t) 7, (ptrdiff_t) -7, (intmax_t) -8,
                  (unsigned char) 9, (short) -10);
  char text[4] = "";
  CHECK_EQ_INT(format_text(text, sizeof text, "%s", "abcdef"), 6);
  CHECK_TEXT(text, "abc");
  CHECK_EQ_INT(format_text(NULL, 0, "%d", 12345), 5);
}


static uint64_t next_bits(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ *state >> 29;
}


static void check_doubles(double x)
{
  CHECK_AS_PRINTF("%g %.17g %.6g %.3e %e %a %#.3g", x, x, x, x, x, x, x);
  CHECK_AS_PRINTF("%12.4g|%-12.4g|%012.4g|%+g|% g|%.0f|%.2f|%15.*f|", x, x, x, x, x, x, x, 3, x);
}


TEST(doubles_are_written_as_by_printf_in_the_c_locale)
{
  const double some[] = {
      0, -0.0, 1, -1.5, 0.1, 1e300, -1e-300, 5e-324, 1.7976931348623157e308, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) check_doubles(some[i]);
  uint64_t state = 1;
  for (int i = 0; i < 2000; i++) {
    const uint64_t bits = next_bits(&state);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isnan(x)) check_doubles(x);
  }
}


TEST(nan_has_no_sign)
{
  char text[100];
  format_text(text, sizeof text, "%g %.17g %f %5.1f|%-5g|%+g", -NAN, copysign(NAN, -1), NAN, -NAN,
              -NAN, copysign(NAN, -1));
  CHECK_TEXT(text, "nan nan nan   nan|nan  |nan");
}


TEST(streams_get_what_texts_get)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  format_stream(stream, "%s = %.3g %s, %d%%", "mass", 2.5, "kg", 7);
  fclose(stream);
  CHECK_TEXT(text, "mass = 2.5 kg, 7%");
  free(text);
}


// formats may come from a foreign library: what we do not know is written as it is
TEST(unknown_conversions_end_the_text)
{
  char text[100];
  const wchar_t wide[] = L"w";
  format_text(text, sizeof text, "%d %ls %s", 1, wide, "s");
  CHECK_TEXT(text, "1 %ls %s");
}


// strings end at the precision: what lies behind is not read, which the address sanitizer sees
TEST(strings_need_no_end_behind_their_precision)
{
  static const char ESCAPE[] = "\033[1x";
  for (int n = 1; n <= 4; n++) {
    char *part = malloc((size_t) n), text[20];
    memcpy(part, ESCAPE, (size_t) n);
    CHECK_EQ_INT(format_text(text, sizeof text, "%.*s|", n, part), n + 1);
    CHECK(memcmp(text, ESCAPE, (size_t) n) == 0 && text[n] == '|');
    free(part);
  }
}


// 0 where this system cannot make a locale with a decimal comma.
static int enter_comma_locale(char folder[])
{
  char command[300];
  if (!mkdtemp(folder)) return 0;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 > /dev/null 2>&1",
           folder);
  if (system(command) != 0) return 0;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}


TEST(numbers_do_not_depend_on_the_locale)
{
  char folder[] = "/tmp/test-format-XXXXXX", command[100], text[100], libc[100];
  if (enter_comma_locale(folder)) {
    snprintf(libc, sizeof libc, "%.2f", 1.5);
    CHECK_TEXT(libc, "1,50");
    format_text(text, sizeof text, "%g %.2f %.3e", 1.5, 1234567.25, -2.5e-7);
    CHECK_TEXT(text, "1.5 1234567.25 -2.500e-07");
    char *end;
    CHECK_CLOSE(format_read("1.25e2x", &end), 125, 0);
    CHECK_TEXT(end, "x");
    CHECK_CLOSE(format_read("1,25", &end), 1, 0);
    CHECK_TEXT(end, ",25");

    // and the host keeps its own
    snprintf(libc, sizeof libc, "%.2f", 1.5);
    CHECK_TEXT(libc, "1,50");
    setlocale(LC_ALL, "C");
  } else {
    printf("skipped: localedef makes no locale with a decimal comma\n");
  }
  snprintf(command, sizeof command, "rm -rf %s", folder);
  CHECK_EQ_INT(system(command), 0);
}
