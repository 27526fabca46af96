// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Archives in the format ZIP (APPNOTE 6.3.9): a local header and the bytes of each file, then a central list.
#include "show/zip.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/deflate.h"

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8, ZIP_MOST = 256 };

typedef struct zipEntry {
  const char *path;
  uint32_t sum, packed, size, offset;
  int method;
} zipEntry;


static void put(FILE *out, uint32_t x, int bytes)
{
  for (int i = 0; i < bytes; i++) fputc((int) (x >> 8 * i & 255), out);
}


// what both headers have in common; the time is the beginning of 1980, so that archives of equal files are equal
static void put_entry(FILE *out, const zipEntry *e)
{
  put(out, 20, 2);
  put(out, 0x800, 2); // names are UTF-8
  put(out, (uint32_t) e->method, 2);
  put(out, 0, 2);
  put(out, 1 << 5 | 1, 2);
  put(out, e->sum, 4);
  put(out, e->packed, 4);
  put(out, e->size, 4);
  put(out, (uint32_t) strlen(e->path), 2);
  put(out, 0, 2);
}


artStatus zip_add(zipWriter *zip, const char *path, const void *bytes, size_t n, artError *error)
{
  unsigned char *packed = NULL;
  size_t size = 0;
  if (!zip->entry) ARENA_TAKE(&zip->arena, zip->entry, ZIP_MOST);
  const long offset = ftell(zip->out);
  const char *own = arena_text(&zip->arena, path);
  if (!zip->entry || !own) return base_no_memory(error);
  if (zip->n == ZIP_MOST || n > 0x7fffffff || offset < 0 || offset > 0x7fffffff) {
    return base_fail(error, ART_IO, base_nowhere(), "%s: the archive is too large", path);
  }
  const int is_packed = deflate_bytes(bytes, n, &packed, &size, NULL) == ART_OK && size < n;
  const zipEntry e = {.path = own,
                      .sum = deflate_sum(bytes, n),
                      .packed = (uint32_t) (is_packed ? size : n),
                      .size = (uint32_t) n,
                      .offset = (uint32_t) offset,
                      .method = is_packed ? ZIP_DEFLATED : ZIP_STORED};
  put(zip->out, 0x04034b50, 4);
  put_entry(zip->out, &e);
  fputs(path, zip->out);
  fwrite(is_packed ? packed : bytes, 1, e.packed, zip->out);
  mem_free(packed);
  zip->entry[zip->n++] = e;
  return ART_OK;
}


artStatus zip_finish(zipWriter *zip, artError *error)
{
  FILE *out = zip->out;
  const long begin = ftell(out);
  for (int i = 0; i < zip->n; i++) {
    const zipEntry *e = &zip->entry[i];
    put(out, 0x02014b50, 4);
    put(out, 3 << 8 | 20, 2); // modes are those of Unix
    put_entry(out, e);
    put(out, 0, 4); // no remark, the first disk
    put(out, 0, 2);
    put(out, 0100644u << 16, 4);
    put(out, e->offset, 4);
    fputs(e->path, out);
  }
  const long end = ftell(out);
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, (uint32_t) zip->n, 2);
  put(out, (uint32_t) zip->n, 2);
  put(out, (uint32_t) (end - begin), 4);
  put(out, (uint32_t) begin, 4);
  put(out, 0, 2);
  const int held = begin >= 0 && end <= 0x7fffffff && !ferror(out);
  zip_close(zip);
  return held ? ART_OK : base_fail(error, ART_IO, base_nowhere(), "the archive cannot be written");
}


void zip_close(zipWriter *zip)
{
  arena_free(&zip->arena);
  zip->entry = NULL;
  zip->n = 0;
}
