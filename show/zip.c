// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// ZIP archives (APPNOTE 6.3.9): a local header and the bytes of each file, then a central
// directory.
#include "show/zip.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "show/deflate.h"

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8, MAX_ZIP_FILES = 256 };

typedef struct zipEntry {
  const char *path;
  uint32_t sum, packed, size, offset;
  int method;
} zipEntry;


static void put_zip_number(FILE *out, uint32_t x, int bytes)
{
  ART_ASSERT(bytes >= 1 && bytes <= 4);
  for (int i = 0; i < bytes; i++) fputc((int) (x >> 8 * i & 255), out);
}


// fields common to both headers; the time is always the start of 1980, so that archives of equal
// files are equal
static void put_entry(FILE *out, const zipEntry *e)
{
  put_zip_number(out, 20, 2);
  put_zip_number(out, 0x800, 2); // names are UTF-8
  put_zip_number(out, (uint32_t) e->method, 2);
  put_zip_number(out, 0, 2);
  put_zip_number(out, 1 << 5 | 1, 2);
  put_zip_number(out, e->sum, 4);
  put_zip_number(out, e->packed, 4);
  put_zip_number(out, e->size, 4);
  put_zip_number(out, (uint32_t) strlen(e->path), 2);
  put_zip_number(out, 0, 2);
}


artStatus zip_add(zipWriter *zip, const char *path, const void *bytes, size_t n, artError *error)
{
  unsigned char *packed = NULL;
  size_t size = 0;
  if (!zip->entry) ARENA_TAKE(&zip->arena, zip->entry, MAX_ZIP_FILES);
  const long offset = ftell(zip->out);
  const char *own = arena_text(&zip->arena, path);
  if (!zip->entry || !own) return base_no_memory(error);
  if (zip->n == MAX_ZIP_FILES || n > 0x7fffffff || offset < 0 || offset > 0x7fffffff) {
    return base_fail(error, ART_IO, base_nowhere(), "%s: the archive is too large", path);
  }
  const int is_packed = deflate_bytes(bytes, n, &packed, &size, NULL) == ART_OK && size < n;
  const zipEntry e = {.path = own,
                      .sum = deflate_sum(bytes, n),
                      .packed = (uint32_t) (is_packed ? size : n),
                      .size = (uint32_t) n,
                      .offset = (uint32_t) offset,
                      .method = is_packed ? ZIP_DEFLATED : ZIP_STORED};
  put_zip_number(zip->out, 0x04034b50, 4);
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
    put_zip_number(out, 0x02014b50, 4);
    put_zip_number(out, 3 << 8 | 20, 2); // Unix file modes
    put_entry(out, e);
    put_zip_number(out, 0, 4); // no comment, first disk
    put_zip_number(out, 0, 2);
    put_zip_number(out, 0100644u << 16, 4);
    put_zip_number(out, e->offset, 4);
    fputs(e->path, out);
  }
  const long end = ftell(out);
  put_zip_number(out, 0x06054b50, 4);
  put_zip_number(out, 0, 4);
  put_zip_number(out, (uint32_t) zip->n, 2);
  put_zip_number(out, (uint32_t) zip->n, 2);
  put_zip_number(out, (uint32_t) (end - begin), 4);
  put_zip_number(out, (uint32_t) begin, 4);
  put_zip_number(out, 0, 2);
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


//---- reading by the central directory, without encryption, parts and 64-bit sizes ----------------

enum {
  END_LENGTH = 22,
  ENTRY_LENGTH = 46,
  LOCAL_LENGTH = 30,
  MAX_NAME_LENGTH = 1000,
};

typedef struct zipReader {
  const char *path; // of the archive
  const unsigned char *bytes;
  unsigned char *inflated; // buffer for one file; free with mem_free
  size_t size;
  size_t directory, directory_end; // offsets of the central directory
  const char *folder;              // destination
} zipReader;

typedef struct unzipEntry {
  char name[MAX_NAME_LENGTH + 1];
  int method, is_encrypted, is_link;
  uint32_t sum;
  size_t packed, unpacked, local; // sizes; offset of its local header
} unzipEntry;


_Noreturn static void refuse_zip_entry(const zipReader *z, const char *name, const char *why)
{
  error_refuse((artPlace){.file = z->path}, "'%.100s' in the archive %s", name, why);
}


_Noreturn static void no_archive(const zipReader *z, const char *why)
{
  error_refuse((artPlace){.file = z->path}, "this is not an archive that can be unpacked: %s", why);
}


static uint32_t zip_number(const unsigned char *bytes, int n)
{
  uint32_t value = 0;
  for (int i = n - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

//---- the directory -------------------------------------------------------------------------------

// find the record at the end of the file, before a comment of at most 65535 bytes; returns the
// number of entries, or a negative number if there is none
static int find_directory(zipReader *z)
{
  for (size_t back = END_LENGTH; back <= z->size && back <= END_LENGTH + 65535; back++) {
    const unsigned char *end = z->bytes + z->size - back;
    if (memcmp(end, "PK\5\6", 4) != 0 || zip_number(end + 20, 2) != back - END_LENGTH) continue;
    const size_t size = zip_number(end + 12, 4);
    z->directory = zip_number(end + 16, 4);
    z->directory_end = z->directory + size;
    if (zip_number(end + 4, 4) != 0 || z->directory_end > z->size - back) return -1;
    return (int) zip_number(end + 10, 2);
  }
  return -1;
}


// read the entry at an offset, and advance it
static void read_entry(zipReader *z, size_t *at, unzipEntry *entry)
{
  const unsigned char *head = z->bytes + *at;
  if (z->directory_end - *at < ENTRY_LENGTH || memcmp(head, "PK\1\2", 4) != 0) {
    no_archive(z, "its directory is damaged");
  }
  const size_t name = zip_number(head + 28, 2);
  const size_t length = ENTRY_LENGTH + name + zip_number(head + 30, 2) + zip_number(head + 32, 2);
  if (z->directory_end - *at < length) no_archive(z, "its directory is damaged");
  if (name == 0 || name > MAX_NAME_LENGTH) no_archive(z, "a name is empty or too long");
  *entry = (unzipEntry){.method = (int) zip_number(head + 10, 2),
                        .is_encrypted = head[8] & 1,
                        .is_link = (zip_number(head + 38, 4) >> 16 & 0170000) == 0120000,
                        .sum = zip_number(head + 16, 4),
                        .packed = zip_number(head + 20, 4),
                        .unpacked = zip_number(head + 24, 4),
                        .local = zip_number(head + 42, 4)};
  memcpy(entry->name, head + ENTRY_LENGTH, name);
  *at += length;
  if (strlen(entry->name) != name) no_archive(z, "a name has a zero in it");
}


// true for a relative path with / as separator, without empty, . or .. parts
static int is_inside_folder(const char *name)
{
  if (strpbrk(name, "\\:")) return 0;
  for (const char *part = name; *part;) {
    const size_t n = strcspn(part, "/");
    if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.')) {
      return 0;
    }
    part += part[n] ? n + 1 : n;
  }
  return 1;
}


// Limit the folders created: 20,000 names of 2,000 folders each would fill the disk.
static void check_levels(const zipReader *z, const unzipEntry *entry)
{
  enum { DEEPEST = 32, ITEMS_OF_FOLDER = 10 };
  int levels = 0;
  for (const char *c = entry->name; *c; c++) levels += *c == '/';
  if (levels > DEEPEST) refuse_zip_entry(z, entry->name, "lies in more than 32 folders");
  error_check(budget_charge(BUDGET_ITEMS, 1 + ITEMS_OF_FOLDER * levels, (artPlace){.file = z->path},
                            error_current()));
}


static void check_entry(zipReader *z, const unzipEntry *entry)
{
  check_levels(z, entry);
  if (!is_inside_folder(entry->name)) refuse_zip_entry(z, entry->name, "leads out of its folder");
  if (entry->is_link) refuse_zip_entry(z, entry->name, "is a link");
  if (entry->is_encrypted) refuse_zip_entry(z, entry->name, "is encrypted");
  if (entry->method != ZIP_STORED && entry->method != ZIP_DEFLATED)
    refuse_zip_entry(z, entry->name, "is packed by a method other than deflate");

  // deflate expands a byte to at most 1032 bytes
  const int is_true = entry->method == ZIP_STORED ? entry->unpacked == entry->packed
                                                  : entry->unpacked / 1032 <= entry->packed;
  if (!is_true) refuse_zip_entry(z, entry->name, "says a size that it cannot have");
  const artPlace place = {.file = z->path};
  error_check(budget_charge(BUDGET_BYTES, (double) entry->unpacked, place, error_current()));
}

//---- files ---------------------------------------------------------------------------------------

// write a new file, and create its parent folders
static void write_unzipped_file(const zipReader *z, const unzipEntry *entry,
                                const unsigned char *bytes)
{
  char path[FILE_PATH_LENGTH], above[FILE_PATH_LENGTH];
  error_check(file_join(path, z->folder, entry->name, error_current()));
  snprintf(above, sizeof above, "%.*s", (int) (strrchr(path, '/') - path), path);
  error_check(file_make_directory(above, error_current()));
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (file < 0) refuse_zip_entry(z, entry->name, "appears twice or cannot be written");
  size_t done = 0;
  while (done < entry->unpacked) {
    const ssize_t n = write(file, bytes + done, entry->unpacked - done);
    if (n <= 0) break;
    done += (size_t) n;
  }
  const int is_closed = close(file) == 0;
  if (!is_closed || done < entry->unpacked)
    error_check(file_fail(error_current(), path, "cannot write"));
}


static void unpack_zip_entry(zipReader *z, const unzipEntry *entry)
{
  const unsigned char *head = z->bytes + entry->local;
  if (entry->local > z->directory || z->directory - entry->local < LOCAL_LENGTH ||
      memcmp(head, "PK\3\4", 4) != 0) {
    refuse_zip_entry(z, entry->name, "is damaged");
  }
  const size_t begin =
      entry->local + LOCAL_LENGTH + zip_number(head + 26, 2) + zip_number(head + 28, 2);
  if (begin > z->directory || z->directory - begin < entry->packed) {
    refuse_zip_entry(z, entry->name, "is damaged");
  }
  const unsigned char *all = z->bytes + begin;
  if (entry->method == ZIP_DEFLATED) {
    const artStatus status =
        inflate_bytes(all, entry->packed, &z->inflated, entry->unpacked, error_current());
    if (status == ART_BAD_INPUT) refuse_zip_entry(z, entry->name, "is damaged");
    error_check(status);
    all = z->inflated;
  }
  if (deflate_sum(all, entry->unpacked) != entry->sum)
    refuse_zip_entry(z, entry->name, "is damaged: its checksum is another");
  write_unzipped_file(z, entry, all);
  mem_free(z->inflated);
  z->inflated = NULL;
}


static void unpack_all(void *context)
{
  zipReader *z = context;
  const int n = find_directory(z);
  if (n < 0) no_archive(z, "it has no directory at its end");
  if (n > UNZIP_MOST_FILES) no_archive(z, "it has more than 20000 files");
  size_t at = z->directory;
  unzipEntry entry;
  for (int i = 0; i < n; i++) { // check all entries before writing the first file
    read_entry(z, &at, &entry);
    check_entry(z, &entry);
  }
  at = z->directory;
  for (int i = 0; i < n; i++) {
    read_entry(z, &at, &entry);
    if (entry.name[strlen(entry.name) - 1] != '/') unpack_zip_entry(z, &entry);
  }
}


artStatus unzip_into(const char *archive, const char *folder, artError *error)
{
  char *bytes = NULL;
  zipReader z = {.path = archive, .folder = folder};
  budget_begin();
  artStatus status = file_read(archive, &bytes, &z.size, error);
  z.bytes = (unsigned char *) bytes;
  if (!status) status = error_try(unpack_all, &z, error);
  budget_end();
  mem_free(z.inflated);
  mem_free(bytes);
  return status;
}
