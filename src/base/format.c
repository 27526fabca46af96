// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Locale-independent formatting and parsing of numbers.
#include "base/format.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"

// Destination of text: a stream, or a buffer of `size` bytes.
typedef struct textSink {
  FILE *stream;
  char *text;
  size_t size, length;
  int is_shown; // convert string arguments to plain text
} textSink;

// A parsed conversion specification, such as "%-8.3f", with width and precision evaluated.
typedef struct textConversion {
  char flags[8];
  int width, precision; // negative precision: none
  char size[3];         // "", "l", "ll", "z", ...
  char letter;
} textConversion;

// widths and precisions of numbers are limited to MAX_FIELD; %f of the largest double has 309
// digits before the point
enum { MAX_FIELD = 150, MAX_NUMBER_LENGTH = 512 };

static locale_t plain_locale;


static void open_plain_locale(void)
{
  plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}


// Set the C locale on this thread; returns the previous one.
static locale_t enter_plain_locale(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_plain_locale);
  return plain_locale ? uselocale(plain_locale) : uselocale((locale_t) 0);
}


static void put_bytes(textSink *sink, const char *bytes, size_t n)
{
  if (sink->stream) {
    if (n > 0) fwrite(bytes, 1, n, sink->stream);
  } else if (sink->length < sink->size) {
    const size_t rest = sink->size - sink->length;
    memcpy(sink->text + sink->length, bytes, n < rest ? n : rest);
  }
  sink->length += n;
}


static void put_blanks(textSink *sink, size_t n)
{
  static const char blanks[] = "                                ";
  for (const size_t most = sizeof blanks - 1; n > 0; n -= n < most ? n : most) {
    put_bytes(sink, blanks, n < most ? n : most);
  }
}


static void put_field(textSink *sink, const textConversion *c, const char *bytes, size_t n)
{
  const size_t width = (size_t) c->width, missing = width > n ? width - n : 0;
  const int is_left = strchr(c->flags, '-') != NULL;
  if (!is_left) put_blanks(sink, missing);
  put_bytes(sink, bytes, n);
  if (is_left) put_blanks(sink, missing);
}


// Control characters become spaces, invalid UTF-8 question marks.
static void put_plain(textSink *sink, const textConversion *c, const char *string, size_t n)
{
  char piece[256];
  const size_t missing = (size_t) c->width > n ? (size_t) c->width - n : 0;
  const int is_left = strchr(c->flags, '-') != NULL;
  if (!is_left) put_blanks(sink, missing);
  while (n > 0) {
    size_t part = n < sizeof piece ? n : sizeof piece - 1;
    // do not split a character
    while (part < n && part > sizeof piece - 5 && ((unsigned char) string[part] & 0xc0) == 0x80)
      part--;
    memcpy(piece, string, part);
    piece[part] = '\0';
    plain_tidy(piece);
    put_bytes(sink, piece, strlen(piece));
    string += part;
    n -= part;
  }
  if (is_left) put_blanks(sink, missing);
}


static int is_same_string(const char *string, size_t n, const char *other)
{
  return strlen(other) == n && memcmp(string, other, n) == 0;
}


// The string ends at the precision, where it may have no zero byte.
static void put_string(textSink *sink, const textConversion *c, const char *string)
{
  if (!string) string = "(null)";
  const size_t most = c->precision < 0 ? SIZE_MAX : (size_t) c->precision;
  const size_t n = strnlen(string, most);
  const int is_bold =
      is_same_string(string, n, FORMAT_BOLD) || is_same_string(string, n, FORMAT_USUAL);
  if (sink->is_shown && !is_bold)
    put_plain(sink, c, string, n);
  else
    put_field(sink, c, string, n);
}


// Write the conversion for snprintf: integers as intmax_t, with stars for width and precision.
static void write_conversion(char text[24], const textConversion *c)
{
  *text++ = '%';
  for (const char *flag = c->flags; *flag; flag++) *text++ = *flag;
  memcpy(text, "*.*", 3);
  text += 3;
  if (strchr("diuoxX", c->letter)) *text++ = 'j';
  *text++ = c->letter;
  *text = '\0';
}


static void put_double(textSink *sink, const textConversion *c, double x)
{
  if (isnan(x)) {
    put_field(sink, c, "nan", 3);
    return;
  }
  char form[24], digits[MAX_NUMBER_LENGTH];
  write_conversion(form, c);
  const locale_t before = enter_plain_locale();
  const int n = snprintf(digits, sizeof digits, form, c->width, c->precision, x);
  uselocale(before);
  put_bytes(sink, digits, (size_t) n);
}


static int is_signed(char letter)
{
  return letter == 'd' || letter == 'i';
}


// Read an integer of the size given by the conversion and print it.
static void put_integer(textSink *sink, const textConversion *c, va_list *list)
{
  intmax_t i = 0;
  uintmax_t u = 0;
  if (strcmp(c->size, "ll") == 0) {
    u = va_arg(*list, unsigned long long);
    i = (intmax_t) (long long) u;
  } else if (strcmp(c->size, "l") == 0) {
    u = va_arg(*list, unsigned long);
    i = (intmax_t) (long) u;
  } else if (strcmp(c->size, "z") == 0) {
    u = va_arg(*list, size_t);
    i = (intmax_t) u;
  } else if (strcmp(c->size, "t") == 0) {
    i = va_arg(*list, ptrdiff_t);
    u = (uintmax_t) i;
  } else if (strcmp(c->size, "j") == 0) {
    u = va_arg(*list, uintmax_t);
    i = (intmax_t) u;
  } else {
    u = va_arg(*list, unsigned);
    i = (int) (unsigned) u;
    if (strcmp(c->size, "h") == 0) i = (short) i, u = (unsigned short) u;
    if (strcmp(c->size, "hh") == 0) i = (signed char) i, u = (unsigned char) u;
  }
  char form[24], digits[MAX_NUMBER_LENGTH];
  write_conversion(form, c);
  const int n = is_signed(c->letter)
                    ? snprintf(digits, sizeof digits, form, c->width, c->precision, i)
                    : snprintf(digits, sizeof digits, form, c->width, c->precision, u);
  put_bytes(sink, digits, (size_t) n);
}


// Read a width or precision, from digits or from an argument.
static int read_extent(const char **at, va_list *list)
{
  if (**at == '*') {
    (*at)++;
    return va_arg(*list, int);
  }
  int n = 0;
  for (; **at >= '0' && **at <= '9'; (*at)++) {
    if (n < INT_MAX / 20) n = 10 * n + (**at - '0');
  }
  return n;
}


// Copy the characters of `set` at *at, as many as fit.
static void read_letters(char *to, size_t size, const char **at, const char *set)
{
  const size_t n = strspn(*at, set), kept = n < size ? n : size - 1;
  memcpy(to, *at, kept);
  to[kept] = '\0';
  *at += n;
}


static textConversion read_conversion(const char **at, va_list *list)
{
  textConversion c = {.precision = -1};
  read_letters(c.flags, sizeof c.flags - 1, at, "-+ #0");
  c.width = read_extent(at, list);
  if (c.width < 0) {
    c.flags[strlen(c.flags)] = '-'; // as printf treats a negative width
    c.width = c.width > -INT_MAX ? -c.width : INT_MAX;
  }
  if (**at == '.') {
    (*at)++;
    c.precision = read_extent(at, list);
  }
  read_letters(c.size, sizeof c.size, at, "hlzjtL");
  c.letter = **at;
  if (c.letter) (*at)++;
  return c;
}


static textConversion cut_fields(textConversion c)
{
  if (c.width > MAX_FIELD) c.width = MAX_FIELD;
  if (c.precision > MAX_FIELD) c.precision = MAX_FIELD;
  return c;
}


// Returns 0 for an unknown conversion: the type of its argument, and so the position of the next
// one, are unknown.
static int put_conversion(textSink *sink, const textConversion *c, va_list *list)
{
  const textConversion number = cut_fields(*c);
  const int is_long = strcmp(c->size, "L") == 0;
  switch (c->letter) {
  case '%': put_bytes(sink, "%", 1); return 1;
  case 's':
    if (c->size[0]) return 0;
    put_string(sink, c, va_arg(*list, const char *));
    return 1;
  case 'c':
    if (c->size[0]) return 0;
    put_field(sink, c, &(const char){(char) va_arg(*list, int)}, 1);
    return 1;
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X': put_integer(sink, &number, list); return 1;
  case 'a':
  case 'e':
  case 'f':
  case 'g':
  case 'A':
  case 'E':
  case 'F':
  case 'G':
    put_double(sink, &number,
               is_long ? (double) va_arg(*list, long double) : va_arg(*list, double));
    return 1;
  default: return 0;
  }
}


static void put_format(textSink *sink, const char *format, va_list *list)
{
  for (const char *at = format; *at;) {
    const size_t n = strcspn(at, "%");
    put_bytes(sink, at, n);
    at += n;
    if (*at != '%') break;
    const char *percent = at++;
    const textConversion c = read_conversion(&at, list);
    if (put_conversion(sink, &c, list)) continue;
    put_bytes(sink, percent, strlen(percent));
    return;
  }
}


int format_text_list(char *text, size_t size, const char *format, va_list list)
{
  textSink sink = {.text = text, .size = size > 0 ? size - 1 : 0};
  va_list own;
  va_copy(own, list);
  put_format(&sink, format, &own);
  va_end(own);
  if (size > 0) text[sink.length < sink.size ? sink.length : sink.size] = '\0';
  return (int) sink.length;
}


int format_text(char *text, size_t size, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const int length = format_text_list(text, size, format, list);
  va_end(list);
  return length;
}


void format_stream_list(FILE *stream, const char *format, va_list list)
{
  va_list own;
  va_copy(own, list);
  put_format(&(textSink){.stream = stream}, format, &own);
  va_end(own);
}


void format_stream(FILE *stream, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  format_stream_list(stream, format, list);
  va_end(list);
}


void format_show_list(FILE *stream, const char *format, va_list list)
{
  va_list own;
  va_copy(own, list);
  put_format(&(textSink){.stream = stream, .is_shown = 1}, format, &own);
  va_end(own);
}


void format_show(FILE *stream, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  format_show_list(stream, format, list);
  va_end(list);
}


double format_read(const char *text, char **end)
{
  const locale_t before = enter_plain_locale();
  const double x = strtod(text, end);
  uselocale(before);
  return x;
}
