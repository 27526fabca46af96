// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loading the text of a YAML file, and checking its encoding.
#include "base/yaml.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/plain.h"


//---- files ---------------------------------------------------------------------------------------

static artStatus too_large(artPlace place, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, place,
                   "the file is larger than %d MiB, too large for a model; split it with 'include'",
                   YAML_LARGEST_FILE >> 20);
}


artStatus yaml_load_text(const char *path, char **text, size_t *length, artError *error)
{
  struct stat about;
  *text = NULL;
  *length = 0;
  if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > YAML_LARGEST_FILE)
    return too_large((artPlace){.file = path}, error);
  return file_read(path, text, length, error);
}


//---- text ----------------------------------------------------------------------------------------

size_t yaml_byte_order_mark(const char *text, size_t length)
{
  return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}


// length of the UTF-8 character at p in bytes, 0 if invalid
static size_t character_length(const unsigned char *p, size_t left, unsigned *c)
{
  unsigned char own[5] = {0};
  *c = p[0];
  if (p[0] < 0x80) return 1;
  memcpy(own, p, left < 4 ? left : 4);
  return plain_decode(own, c);
}


// characters outside YAML's printable set: C0 and C1 controls except tab, line ends and NEL; DEL,
// U+FFFE, U+FFFF
static int is_control(unsigned c)
{
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
         (c >= 0x7f && c < 0xa0 && c != 0x85) || c == 0xfffe || c == 0xffff;
}


static artStatus not_text(artPlace place, const unsigned char *p, size_t n, size_t offset,
                          artError *error)
{
  if (n == 0) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "byte 0x%02X (offset %zu) is not UTF-8; is this a binary file? Save text as "
                     "UTF-8",
                     p[0], offset);
  }
  if (p[0] == '\0') {
    return base_fail(error, ART_BAD_INPUT, place, "zero byte (offset %zu); is this a binary file?",
                     offset);
  }
  return base_fail(error, ART_BAD_INPUT, place,
                   "control character 0x%02X (offset %zu); is this a binary file?", p[n - 1],
                   offset);
}


artStatus yaml_check_text(const char *file, const char *text, size_t length, artError *error)
{
  artPlace place = {file, 0, 0};
  if (length > YAML_LARGEST_FILE) return too_large(place, error);
  if (length == 0) return base_fail(error, ART_BAD_INPUT, place, "the file is empty");

  const unsigned char *bytes = (const unsigned char *) text;
  place.line = place.column = 1;
  for (size_t i = 0; i < length;) {
    unsigned c;
    const size_t n = character_length(bytes + i, length - i, &c);
    if (n == 0 || is_control(c)) return not_text(place, bytes + i, n, i, error);

    place.column++;
    if (bytes[i] == '\n') {
      place.line++;
      place.column = 1;
    }
    i += n;
  }
  return ART_OK;
}


void yaml_printable(const char *text, char *shown, size_t size)
{
  static const char dots[] = "...";
  const size_t length = strlen(text);
  const size_t room = length < size ? length : size - sizeof dots;

  size_t used = 0;
  while (used < room) {
    const unsigned char *p = (const unsigned char *) text + used;
    unsigned c;
    const size_t n = character_length(p, length - used, &c);
    if (used + (n ? n : 1) > room) break;
    if (n == 0 || is_control(c) || p[0] == '\n' || p[0] == '\r' || p[0] == '\t') {
      for (size_t i = 0; i < (n ? n : 1); i++) shown[used + i] = '?';
    } else {
      memcpy(shown + used, p, n);
    }
    used += n ? n : 1;
  }
  if (room < length) {
    memcpy(shown + used, dots, sizeof dots - 1);
    used += sizeof dots - 1;
  }
  shown[used] = '\0';
}
