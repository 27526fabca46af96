// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files: paths, directories, reading of whole files, and atomic replacement of files.
#define _XOPEN_SOURCE 700 // realpath
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/tidy.h"


artStatus file_fail(artError *error, const char *path, const char *what)
{
  char reason[200] = "unknown reason";
  (void) strerror_r(errno, reason, sizeof reason);
  return base_fail(error, ART_IO, (artPlace){.file = path}, "%s: %s", what, reason);
}


int file_has_ending(const char *path, const char *ending)
{
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && strcmp(path + n - k, ending) == 0;
}


const char *file_shown_path(const char *path)
{
  return platform_is_absolute(path) ? strrchr(path, '/') + 1 : path;
}


int file_sync(FILE *stream)
{
  if (fflush(stream) != 0 || ferror(stream)) return 0;
  return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP;
}


int file_close_text(FILE *stream, char *const *text)
{
  const int is_cut = ferror(stream);
  return fclose(stream) == 0 && !is_cut && *text;
}


//---- paths and directories -----------------------------------------------------------------------

artStatus file_join(char path[FILE_PATH_LENGTH], const char *directory, const char *name,
                    artError *error)
{
  const int used = snprintf(path, FILE_PATH_LENGTH, "%s/%s", directory, name);
  if (used > 0 && used < FILE_PATH_LENGTH) return ART_OK;
  return base_fail(error, ART_IO, base_nowhere(), "the path of '%s' is too long: %.80s...", name,
                   directory);
}


artStatus file_refuse_links(const char *path, artError *error)
{
  char part[FILE_PATH_LENGTH];
  struct stat about;
  const size_t n = strlen(path);
  if (n >= sizeof part) return ART_OK; // creating the directory will fail
  memcpy(part, path, n + 1);
  for (size_t i = 1; i <= n; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    part[i] = '\0';
    if (lstat(part, &about) == 0 && S_ISLNK(about.st_mode)) {
      return base_fail(error, ART_BAD_INPUT, (artPlace){.file = part},
                       "this is a symbolic link, and results go through one only where the call "
                       "names their folder; give it by -o");
    }
    part[i] = path[i];
  }
  return ART_OK;
}


// Join a path to an absolute folder, resolving . and .. textually. Returns 0 if it is too long.
static int join_text(char whole[FILE_PATH_LENGTH], const char *folder, const char *path)
{
  size_t n = strlen(folder);
  if (n + strlen(path) + 2 > FILE_PATH_LENGTH) return 0;
  memcpy(whole, folder, n + 1);
  while (n > 0 && whole[n - 1] == '/') n--;
  for (const char *at = path; *at;) {
    const size_t length = strcspn(at, "/");
    if (length == 2 && strncmp(at, "..", 2) == 0) {
      while (n > 0 && whole[--n] != '/') {
      }
    } else if (length > 0 && !(length == 1 && *at == '.')) {
      whole[n++] = '/';
      memcpy(whole + n, at, length);
      n += length;
    }
    at += length;
    at += *at == '/';
  }
  whole[n] = '\0';
  return 1;
}


static int lies_in(const char *file, const char *folder)
{
  const size_t n = strlen(folder);
  return strncmp(file, folder, n) == 0 && (n == 1 || file[n] == '/');
}


artStatus file_check_named(const char *folder, const char *path, artError *error)
{
  char joined[FILE_PATH_LENGTH], said[FILE_PATH_LENGTH], of_folder[PATH_MAX], of_file[PATH_MAX];
  // does not allocate, as art_set_parameter promises
  const char *above = realpath(folder, of_folder);
  artStatus status = file_join(joined, folder, path, error);
  const char *found = status || !above ? NULL : realpath(joined, of_file);
  if (found && join_text(said, above, path) && strcmp(found, said) != 0 && !lies_in(found, above)) {
    status = base_fail(error, ART_BAD_INPUT, (artPlace){.file = joined},
                       "a symbolic link leads out of the folder of the file that names it, to "
                       "'%.300s'; name that file itself",
                       found);
  }
  return status;
}


static artStatus make_one(const char *path, artError *error)
{
  struct stat status;
  if (mkdir(path, 0777) == 0) return ART_OK;
  const int reason = errno;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return ART_OK;
  errno = reason == EEXIST ? ENOTDIR : reason;
  return file_fail(error, path, "cannot make the directory");
}


artStatus file_make_directory(const char *path, artError *error)
{
  char part[FILE_PATH_LENGTH];
  const size_t n = strlen(path);
  if (n >= sizeof part) {
    errno = ENAMETOOLONG;
    return file_fail(error, path, "cannot make the directory");
  }
  memcpy(part, path, n + 1);

  // from the root down: a, a/b, a/b/c
  for (size_t i = 1; i < n; i++) {
    if (part[i] != '/') continue;
    part[i] = '\0';
    const artStatus status = make_one(part, error);
    if (status) return status;
    part[i] = '/';
  }
  return make_one(part, error);
}


//---- kinds of files ------------------------------------------------------------------------------

typedef enum fileUse { TO_READ, TO_WRITE, TO_REPLACE } fileUse;


// Refuse everything except regular files. Character devices may be written; a pipe would block
// until it is read, and cannot be rewritten.
static artStatus check_file_kind(const char *path, mode_t mode, fileUse use, artError *error)
{
  if (S_ISREG(mode) || (use == TO_WRITE && S_ISCHR(mode))) return ART_OK;
  const artPlace place = {.file = path};
  const char *kind = S_ISDIR(mode)    ? "a directory"
                     : S_ISFIFO(mode) ? "a pipe"
                     : S_ISSOCK(mode) ? "a socket"
                                      : "a device";
  if (use != TO_READ) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "this is %s, expected a file to write to; remove it, or choose another place "
                     "by -o",
                     kind);
  }
  return base_fail(error, ART_BAD_INPUT, place, "this is %s, expected a file; %s", kind,
                   S_ISDIR(mode) ? "name one of those in it" : "save its contents as one");
}


// Refuse to write through links: the target of a link in a foreign folder must not be modified.
static artStatus check_file_link(const char *path, artError *error)
{
  struct stat about;
  if (lstat(path, &about) != 0) return ART_OK;
  const artPlace place = {.file = path};
  if (S_ISLNK(about.st_mode) && !(stat(path, &about) == 0 && S_ISCHR(about.st_mode))) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "this is a symbolic link, and nothing is written through links; remove it, or "
                     "choose another place by -o");
  }
  if (S_ISREG(about.st_mode) && about.st_nlink > 1) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "the file has another name (a hard link), under which its contents would "
                     "change; remove it, or choose another place by -o");
  }
  return ART_OK;
}


//---- locks ---------------------------------------------------------------------------------------

static artStatus report_owner(const baseLock *lock, const char *directory, artError *error)
{
  char owner[100] = "";
  const ssize_t n = pread(lock->fd, owner, sizeof owner - 1, 0);
  owner[n > 0 ? (size_t) n : 0] = '\0';
  owner[strcspn(owner, "\n")] = '\0';
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = directory},
                   "another process%s%s%s writes its results here; wait for its end, or choose "
                   "another folder by -o",
                   owner[0] ? ", number " : "", owner, owner[0] ? "," : "");
}


artStatus file_lock(baseLock *lock, const char *directory, artError *error)
{
  struct stat own, named;
  lock->fd = -1;
  artStatus status = file_join(lock->path, directory, "lock", error);
  while (status == ART_OK) {
    status = check_file_link(lock->path, error);
    if (status) return status;
    lock->fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (lock->fd < 0) return file_fail(error, lock->path, "cannot write");
    if (fstat(lock->fd, &own) == 0 && !S_ISREG(own.st_mode)) {
      status = check_file_kind(lock->path, own.st_mode, TO_REPLACE, error);
    } else if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      status = report_owner(lock, directory, error);
    } else if (fstat(lock->fd, &own) == 0 && lstat(lock->path, &named) == 0 &&
               own.st_ino == named.st_ino) {
      break; // the locked file still has this name
    }
    close(lock->fd);
    lock->fd = -1;
  }
  if (status != ART_OK) return status;
  tidy_note(lock->path);
  if (ftruncate(lock->fd, 0) == 0) dprintf(lock->fd, "%ld\n", (long) getpid());
  return ART_OK;
}


void file_unlock(baseLock *lock)
{
  if (lock->fd < 0) return;
  unlink(lock->path);
  tidy_forget(lock->path);
  close(lock->fd);
  lock->fd = -1;
}


artStatus file_remove(const char *path, artError *error)
{
  if (unlink(path) == 0 || errno == ENOENT) return ART_OK;
  return file_fail(error, path, "cannot remove");
}


//---- reading -------------------------------------------------------------------------------------

// O_NOFOLLOW, except for a link to a device such as /dev/stdout
static int way_without_links(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISCHR(about.st_mode) ? 0 : O_NOFOLLOW;
}


// without O_NONBLOCK, opening a pipe would wait for its other end
static artStatus open_file_stream(FILE **stream, const char *path, int way, const char *mode,
                                  fileUse use, artError *error)
{
  const char *failure = use == TO_WRITE ? "cannot write" : "cannot open";
  const int is_written = (way & O_ACCMODE) != O_RDONLY;
  struct stat about;
  artStatus status = is_written ? check_file_link(path, error) : ART_OK;
  *stream = NULL;
  if (status) return status;
  if (is_written) way |= way_without_links(path);
  const int fd = open(path, way | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);

  // sockets, and pipes without a reader, cannot be opened
  if (fd < 0 && errno == ENXIO && stat(path, &about) == 0) {
    status = check_file_kind(path, about.st_mode, use, error);
    if (status) return status;
  }
  if (fd < 0) return file_fail(error, path, failure);
  if (fstat(fd, &about) != 0) status = file_fail(error, path, failure);
  if (!status) status = check_file_kind(path, about.st_mode, use, error);
  if (!status && fcntl(fd, F_SETFL, way & O_APPEND) != 0) status = file_fail(error, path, failure);
  if (!status) *stream = fdopen(fd, mode);
  if (!status && !*stream) status = file_fail(error, path, failure);
  if (status) {
    const int reason = errno;
    close(fd);
    errno = reason;
  }
  return status;
}


artStatus file_open(FILE **stream, const char *path, int update, artError *error)
{
  return open_file_stream(stream, path, update ? O_RDWR : O_RDONLY, update ? "r+b" : "rb", TO_READ,
                          error);
}


artStatus file_create(FILE **stream, const char *path, int append, artError *error)
{
  return open_file_stream(stream, path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC),
                          append ? "ab" : "wb", TO_WRITE, error);
}


artStatus file_read(const char *path, char **bytes, size_t *size, artError *error)
{
  return file_read_most(path, (size_t) -1, bytes, size, error);
}


static artStatus check_file_size(const char *path, off_t size, size_t most, artError *error)
{
  const artPlace place = {.file = path};
  if ((uintmax_t) size > most)
    return base_fail(error, ART_BAD_INPUT, place,
                     "the file has %lld bytes, and files of its kind are read up to %zu MiB",
                     (long long) size, most >> 20);
  return budget_charge(BUDGET_BYTES, (double) size, place, error);
}


artStatus file_charge(const char *path, artError *error)
{
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
    return ART_OK; // the function that opens it reports the error
  return check_file_size(path, about.st_size, (size_t) -1, error);
}


artStatus file_read_most(const char *path, size_t most, char **bytes, size_t *size, artError *error)
{
  *bytes = NULL;
  FILE *stream;
  artStatus status = file_open(&stream, path, 0, error);
  if (status) return status;

  // one extra byte detects a file that is still growing, another one terminates the block
  const off_t end = fseeko(stream, 0, SEEK_END) == 0 ? ftello(stream) : -1;
  if (end < 0 || fseeko(stream, 0, SEEK_SET) != 0) {
    status = file_fail(error, path, "cannot read");
  } else if ((status = check_file_size(path, end, most, error))) {
    // refused before reading
  } else if (!(*bytes = mem_alloc((size_t) end + 2, 1))) {
    status = base_no_memory(error);
  } else if ((*size = fread(*bytes, 1, (size_t) end + 1, stream)) != (size_t) end) {
    status = ferror(stream) ? file_fail(error, path, "cannot read")
                            : base_fail(error, ART_IO, (artPlace){.file = path},
                                        "the file changes while it is read; try again");
    mem_free(*bytes);
    *bytes = NULL;
  }
  (void) fclose(stream);
  return status;
}


//---- writing -------------------------------------------------------------------------------------

// Always create a new file: remove a leftover of a killed process, or a link, first.
static artStatus create_part(baseFile *file, artError *error)
{
  const int way = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  struct stat about;
  if (lstat(file->part, &about) == 0 && !S_ISLNK(about.st_mode)) {
    const artStatus status = check_file_kind(file->part, about.st_mode, TO_REPLACE, error);
    if (status) return status;
  }
  int fd = open(file->part, way, 0666);
  if (fd < 0 && errno == EEXIST && unlink(file->part) == 0) fd = open(file->part, way, 0666);
  file->stream = fd < 0 ? NULL : fdopen(fd, "wb");
  if (file->stream) return ART_OK;
  const artStatus status = file_fail(error, file->path, "cannot write");
  if (fd >= 0) {
    close(fd);
    (void) unlink(file->part);
  }
  return status;
}


artStatus file_begin(baseFile *file, const char *path, artError *error)
{
  const int used = snprintf(file->path, sizeof file->path, "%s", path);
  if (used < 0 || (size_t) used + sizeof ".part" > sizeof file->part) {
    errno = ENAMETOOLONG;
    return file_fail(error, path, "cannot write");
  }
  struct stat about;
  const int is_there = stat(path, &about) == 0;
  if (is_there && S_ISDIR(about.st_mode)) {
    errno = EISDIR;
    return file_fail(error, path, "cannot write");
  }

  // it would be replaced by a new file
  if (is_there && !S_ISREG(about.st_mode)) {
    return check_file_kind(path, about.st_mode, TO_REPLACE, error);
  }
  memcpy(file->part, file->path, (size_t) used);
  memcpy(file->part + used, ".part", sizeof ".part");
  tidy_note(file->part);
  artStatus status = create_part(file, error);
  if (status) tidy_forget(file->part);
  return status;
}


artStatus file_commit(baseFile *file, artError *error)
{
  ART_ASSERT(file->stream); // after file_begin, before commit or abandon
  // the contents must be on disk before the rename
  artStatus status =
      file_sync(file->stream) ? ART_OK : file_fail(error, file->path, "cannot write");
  if (fclose(file->stream) != 0 && !status) status = file_fail(error, file->path, "cannot write");
  file->stream = NULL;
  if (!status && rename(file->part, file->path) != 0) {
    status = file_fail(error, file->path, "cannot write");
  }
  if (status) (void) unlink(file->part);
  tidy_forget(file->part);
  return status;
}


void file_abandon(baseFile *file)
{
  ART_ASSERT(file->stream);
  (void) fclose(file->stream);
  file->stream = NULL;
  (void) unlink(file->part);
  tidy_forget(file->part);
}


artStatus file_end(baseFile *file, artStatus status, artError *error)
{
  if (status == ART_OK) return file_commit(file, error);
  file_abandon(file);
  return status;
}


int file_is_regular(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}
