// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Cache of libraries compiled with the system compiler.
//
// A library is compiled under a temporary name and renamed when it is complete. So a library that
// is found is always complete, and concurrent compilations of the same source do no harm.
#define _XOPEN_SOURCE 700 // S_ISVTX
#include "load/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/platform.h"
#include "base/sha256.h"
#include "base/tidy.h"
#include "load/compiler.h"

// Mathematical functions need neither errno nor traps; fused multiply-add is allowed where the CPU
// has it. The SLP vectoriser makes the equations slower (sines are already vectorised by lanes).
// Large functions are split into parts, which the compiler must not inline again.
static const char *const flags[] = {"-O3",
                                    "-shared",
                                    "-fPIC",
                                    "-std=c11",
                                    "-ffp-contract=fast",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-fno-tree-slp-vectorize",
                                    "-fno-inline-functions-called-once",
                                    "-fvisibility=hidden",
                                    NULL};

static const cacheTool system_tool = {.flags = flags,
                                      .advice = ", or choose a method that is not generated"};

enum { MAX_WORDS = 64 };

//---- the folder ----------------------------------------------------------------------------------

static artStatus no_folder(artError *error, const char *folder, const char *why)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "compiled equations cannot be kept in '%.300s': %s; set XDG_CACHE_HOME to a "
                   "folder of yours that can be written, or choose a method that is not generated",
                   folder, why);
}


// create all missing folders of a path, accessible only to the user
static int make_folders(char *folder)
{
  for (char *end = strchr(folder + 1, '/');; end = strchr(end + 1, '/')) {
    if (end) *end = 0;
    const int failed = mkdir(folder, 0700) != 0 && errno != EEXIST;
    const int why = errno;
    if (end) *end = '/';
    errno = why;
    if (!end) return !failed;
  }
}


// 1 if a parent folder is writable by all and not sticky as /tmp is: others could replace this
// folder.
static int is_above_open(const char *folder)
{
  char above[FILE_PATH_LENGTH];
  struct stat about;
  snprintf(above, sizeof above, "%s", folder);
  for (char *end; (end = strrchr(above, '/')) && end > above;) {
    *end = '\0';
    if (stat(above, &about) == 0 && (about.st_mode & S_IWOTH) && !(about.st_mode & S_ISVTX))
      return 1;
  }
  return 0;
}


// $XDG_CACHE_HOME/articula, or ~/.cache/articula
static artStatus open_folder(char folder[FILE_PATH_LENGTH], artError *error)
{
  struct stat about;
  const char *cache = getenv("XDG_CACHE_HOME"), *home = platform_home();
  int length = -1;
  if (cache && platform_is_absolute(cache)) {
    length = snprintf(folder, FILE_PATH_LENGTH, "%s/articula", cache);
  } else if (home && platform_is_absolute(home)) {
    length = snprintf(folder, FILE_PATH_LENGTH, "%s/.cache/articula", home);
  }
  if (length <= 0 || length >= FILE_PATH_LENGTH - 96) {
    return no_folder(error, "~/.cache", "HOME is not set");
  }
  if (!make_folders(folder) || lstat(folder, &about) != 0) {
    return no_folder(error, folder, strerror(errno));
  }

  // do not load code from a folder that others can write to
  if (S_ISLNK(about.st_mode)) return no_folder(error, folder, "it is a symbolic link");
  if (!S_ISDIR(about.st_mode)) return no_folder(error, folder, "it is not a folder");
  if (about.st_uid != geteuid()) return no_folder(error, folder, "it belongs to another user");
  if (about.st_mode & (S_IWGRP | S_IWOTH)) {
    return no_folder(error, folder, "others may write in it");
  }
  if (is_above_open(folder)) return no_folder(error, folder, "others may write in a folder above");
  return ART_OK;
}


// Remove sources, logs and libraries of killed compilations; no compilation takes a day.
static void remove_abandoned_texts(const char *folder)
{
  enum { DAY = 24 * 3600 };
  struct stat about;
  char path[FILE_PATH_LENGTH];
  DIR *all = opendir(folder);
  if (!all) return;
  for (struct dirent *entry; (entry = readdir(all));) {
    if (strncmp(entry->d_name, "new-", 4) != 0) continue;
    if (file_join(path, folder, entry->d_name, NULL) || lstat(path, &about) != 0) continue;
    if (S_ISREG(about.st_mode) && time(NULL) - about.st_mtime > DAY) unlink(path);
  }
  closedir(all);
}


artStatus cache_begin(cacheText *text, artError *error)
{
  *text = (cacheText){0};
  const artStatus status = open_folder(text->folder, error);
  if (status != ART_OK) return status;
  remove_abandoned_texts(text->folder);
  snprintf(text->source, sizeof text->source, "%.4000s/new-XXXXXX", text->folder);
  const int descriptor = mkstemp(text->source);
  if (descriptor < 0) return no_folder(error, text->folder, strerror(errno));
  tidy_note(text->source);
  text->out = fdopen(descriptor, "w+");
  if (text->out) return ART_OK;
  close(descriptor);
  unlink(text->source);
  tidy_forget(text->source);
  return base_no_memory(error);
}


void cache_abandon(cacheText *text)
{
  if (!text->out) return;
  fclose(text->out);
  text->out = NULL;
  unlink(text->source);
  tidy_forget(text->source);
}

//---- names ---------------------------------------------------------------------------------------

static void hash_word(baseSha256 *sha, const char *word)
{
  sha256_add(sha, word, strlen(word) + 1);
}


static const cacheTool *tool_of(const cacheText *text)
{
  return text->tool ? text->tool : &system_tool;
}


// Hash of the source, the compiler and its file, the flags and the machine type, because machines
// may share a home directory.
static int find_hash(cacheText *text, char name[65])
{
  char buffer[4096], version[COMPILER_VERSION_LENGTH];
  size_t n;
  baseSha256 sha;
  sha256_begin(&sha);
  const cacheTool *tool = tool_of(text);
  const char *command = tool->command ? tool->command : compiler_name();
  hash_word(&sha, command);
  hash_word(&sha, compiler_version(command, version));
  for (int i = 0; tool->flags[i]; i++) hash_word(&sha, tool->flags[i]);
  for (int i = 0; text->more && text->more[i]; i++) hash_word(&sha, text->more[i]);
  hash_word(&sha, platform_machine() ? platform_machine() : "");
  if (fflush(text->out) != 0 || ferror(text->out)) return 0;
  rewind(text->out);
  while ((n = fread(buffer, 1, sizeof buffer, text->out)) > 0) sha256_add(&sha, buffer, n);
  sha256_end(&sha, name);
  return !ferror(text->out);
}

//---- complete libraries --------------------------------------------------------------------------

// A checksum appended to a library, where loaders ignore it. A truncated library would be mapped,
// and crash the program when called.
typedef struct librarySeal {
  char magic[8];
  uint64_t sum;
} librarySeal;

static const char SEAL[8] = {'A', 'R', 'T', 's', 'e', 'a', 'l', '1'};


// checksum of the first n bytes; returns 0 if there are fewer
static int sum_bytes(FILE *file, long n, uint64_t *sum)
{
  ART_ASSERT(n >= 0);
  char bytes[4096];
  *sum = BASE_HASH_EMPTY;
  rewind(file);
  while (n > 0) {
    const size_t part = n < (long) sizeof bytes ? (size_t) n : sizeof bytes;
    if (fread(bytes, 1, part, file) != part) return 0;
    *sum = base_hash(*sum, bytes, part);
    n -= (long) part;
  }
  return 1;
}


// length of an open file, or -1
static long open_file_length(FILE *file)
{
  return file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
}


// append the checksum to a library and write it to disk
static int seal_library(const char *path)
{
  FILE *file = fopen(path, "r+b");
  librarySeal own;
  memcpy(own.magic, SEAL, sizeof own.magic);
  const long n = open_file_length(file);
  int done = n >= 0 && sum_bytes(file, n, &own.sum) && fseek(file, 0, SEEK_END) == 0;
  done = done && fwrite(&own, sizeof own, 1, file) == 1 && file_sync(file);
  if (file && fclose(file) != 0) done = 0;
  return done;
}


static int is_library_whole(const char *path)
{
  FILE *file;
  librarySeal own;
  uint64_t sum;
  (void) file_open(&file, path, 0, NULL);
  const long n = open_file_length(file) - (long) sizeof own;
  const int whole = n >= 0 && sum_bytes(file, n, &sum) && fread(&own, sizeof own, 1, file) == 1 &&
                    memcmp(own.magic, SEAL, sizeof SEAL) == 0 && own.sum == sum;
  if (file) fclose(file);
  return whole;
}


artStatus cache_read(const char *library, char **bytes, size_t *size, artError *error)
{
  const artStatus status = file_read(library, bytes, size, error);
  if (status == ART_OK) *size -= sizeof(librarySeal);
  return status;
}


static artStatus run_compiler(const cacheText *text, const char *made, const char *log,
                              artError *error)
{
  const cacheTool *tool = tool_of(text);
  const char *word[MAX_WORDS];
  int n = 0;
  for (int i = 0; tool->flags[i]; i++) word[n++] = tool->flags[i];
  ART_ASSERT(n < MAX_WORDS - 4);
  for (int i = 0; text->more && text->more[i]; i++) word[n++] = text->more[i];
  word[n] = NULL;
  if (tool->make) {
    return tool->make(tool->command, text->source, word, made, tool->advice, error);
  }
  const char *const rest[] = {"-o",         made,  "-x", tool->language ? tool->language : "c",
                              text->source, "-lm", NULL};
  memcpy(word + n, rest, sizeof rest);
  return compiler_run(tool->command, word, made, log, "generated equations", tool->advice, error);
}


static artStatus make_library(const cacheText *text, const char *library, const char *kept,
                              artError *error)
{
  char made[FILE_PATH_LENGTH + 8], log[FILE_PATH_LENGTH + 8];
  snprintf(made, sizeof made, "%s.so", text->source);
  snprintf(log, sizeof log, "%s.log", text->source);
  tidy_note(made);
  tidy_note(log);
  artStatus status = run_compiler(text, made, log, error);
  if (status == ART_OK && (!seal_library(made) || rename(made, library) != 0)) {
    status = no_folder(error, text->folder, strerror(errno));
  }

  // keep the source next to the library, for reading; failure is harmless
  if (status == ART_OK) rename(text->source, kept);
  unlink(made);
  unlink(log);
  tidy_forget(made);
  tidy_forget(log);
  return status;
}


artStatus cache_compile(cacheText *text, char library[FILE_PATH_LENGTH], artError *error)
{
  char kept[FILE_PATH_LENGTH], name[65];
  artStatus status = ART_OK;
  if (!find_hash(text, name)) {
    status = no_folder(error, text->folder, "the source could not be written");
  } else {
    snprintf(library, FILE_PATH_LENGTH, "%.4000s/%s.so", text->folder, name);
    snprintf(kept, sizeof kept, "%.4000s/%s.c", text->folder, name);
    if (!is_library_whole(library)) status = make_library(text, library, kept, error);
  }
  cache_abandon(text);
  return status;
}
