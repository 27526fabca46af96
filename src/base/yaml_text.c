// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The bytes under a YAML tree: getting them from a file, and making sure that they are text.
#include "base/yaml.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"


//---- files ---------------------------------------------------------------------------------------

static artStatus too_large(artPlace place, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, place,
                   "the file is larger than %d MiB, too large for a model; split it with 'include'",
                   YAML_LARGEST_FILE >> 20);
}


static artStatus load_open_file(FILE *stream, artPlace place, char **text, size_t *length,
                                artError *error)
{
  struct stat about;
  if (fstat(fileno(stream), &about) != 0) return file_fail(error, place.file, "cannot read");
  if (about.st_size > YAML_LARGEST_FILE) return too_large(place, error);

  // one byte more than the size tells a file that is still growing
  const size_t size = (size_t) about.st_size + 1;
  *text = mem_alloc(size + 1, 1);
  if (!*text) return base_no_memory(error);
  *length = fread(*text, 1, size, stream);
  artStatus status = ferror(stream) ? file_fail(error, place.file, "cannot read") : ART_OK;
  if (!status && *length == size) {
    status = base_fail(error, ART_IO, place, "the file is growing while it is read; try again");
  }
  if (status) {
    mem_free(*text);
    *text = NULL;
  }
  return status;
}


artStatus yaml_load_text(const char *path, char **text, size_t *length, artError *error)
{
  *text = NULL;
  *length = 0;
  FILE *stream;
  artStatus status = file_open(&stream, path, 0, error);
  if (status) return status;
  status = load_open_file(stream, (artPlace){.file = path}, text, length, error);
  (void) fclose(stream);
  return status;
}


//---- text ----------------------------------------------------------------------------------------

size_t yaml_byte_order_mark(const char *text, size_t length)
{
  return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}


// bytes of the UTF-8 character at p, 0 when there is none (RFC 3629: shortest form, no surrogates,
// at most U+10FFFF)
static size_t character_length(const unsigned char *p, size_t left)
{
  if (p[0] < 0x80) return 1;
  const size_t n = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
  if (n == 0 || n > left) return 0;
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  if (p[0] == 0xE0 && p[1] < 0xA0) return 0;
  if (p[0] == 0xED && p[1] > 0x9F) return 0;
  if (p[0] == 0xF0 && p[1] < 0x90) return 0;
  if (p[0] == 0xF4 && p[1] > 0x8F) return 0;
  return n;
}


// characters outside YAML's printable set: C0 and C1 controls but tab, line ends and NEL, DEL,
// U+FFFE, U+FFFF
static int is_control(const unsigned char *p, size_t n)
{
  if (n == 1) return (p[0] < 0x20 && p[0] != '\t' && p[0] != '\n' && p[0] != '\r') || p[0] == 0x7F;
  if (n == 2) return p[0] == 0xC2 && p[1] < 0xA0 && p[1] != 0x85;
  return n == 3 && p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE;
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
    const size_t n = character_length(bytes + i, length - i);
    if (n == 0 || is_control(bytes + i, n)) return not_text(place, bytes + i, n, i, error);

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
    const size_t n = character_length(p, length - used);
    if (used + (n ? n : 1) > room) break;
    if (n == 0 || is_control(p, n) || p[0] == '\n' || p[0] == '\r' || p[0] == '\t') {
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
