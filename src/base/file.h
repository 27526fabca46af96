// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files: paths, directories, reading of whole files, and atomic replacement of files. Every failure
// is ART_IO with the path and the reason in the message.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "articula/base.h"

enum { FILE_PATH_LENGTH = 4096 };

// ART_IO with path, `what` and errno: "PATH: cannot write: No space left on device".
artStatus file_fail(artError *error, const char *path, const char *what);

// ART_BAD_INPUT for a file as a whole; printf format and arguments.
#define file_wrong(error, path, ...)                                                               \
  base_fail(error, ART_BAD_INPUT, (artPlace){.file = path}, __VA_ARGS__)

// path = directory/name. ART_IO if it is too long.
artStatus file_join(char path[FILE_PATH_LENGTH], const char *directory, const char *name,
                    artError *error);

// Does the path end with `ending`, as "loads.png" does with ".png", after a nonempty name?
int file_has_ending(const char *path, const char *ending);

// Path to show to other readers: the file name alone for an absolute path, else the path itself.
const char *file_shown_path(const char *path);

// Write buffered data to disk; 0 when this or an earlier write failed. Pipes and devices are only
// flushed.
int file_sync(FILE *stream);

// Close a stream of open_memstream; 0 when memory ran out and the text is incomplete.
int file_close_text(FILE *stream, char *const *text);

// Create a directory and its parents; existing ones are fine.
artStatus file_make_directory(const char *path, artError *error);

// Refuse a relative path that contains a symbolic link: it could lead out of a foreign directory to
// one not named in the call.
artStatus file_refuse_links(const char *path, artError *error);

// Check the path of a file that is referenced, relative to a folder, by another file in that
// folder. Refuses symbolic links that lead out of the folder.
artStatus file_check_named(const char *folder, const char *path, artError *error);

// Remove a file; a missing file is not an error.
artStatus file_remove(const char *path, artError *error);

// Exclusive write access of a process to a folder. The lock ends with the process in any case; the
// file `lock` in the folder names the owner. ART_BAD_INPUT, with the process number, if another
// process holds it.
typedef struct baseLock {
  int fd; // negative: not locked
  char path[FILE_PATH_LENGTH];
} baseLock;
artStatus file_lock(baseLock *lock, const char *directory, artError *error);
void file_unlock(baseLock *lock);

// Open a file for reading; with `update` for writing too. A directory, pipe, device or socket is
// ART_BAD_INPUT; never waits for the other end of a pipe.
artStatus file_open(FILE **stream, const char *path, int update, artError *error);

// Open a file for writing: truncated, or with `append` at the end. Refuses directories, pipes and
// sockets as above, and also hard links (files with several names) and symbolic links, except to
// devices. file_open with `update`, file_begin and file_lock do not write through links either.
artStatus file_create(FILE **stream, const char *path, int append, artError *error);

// Is it a regular file?
int file_is_regular(const char *path);

// Read a whole file; free with mem_free; a zero byte is appended. The size is charged to the budget
// of the call (base/budget.h) before memory is allocated. file_read_most: with a size limit for
// this kind of file.
artStatus file_read(const char *path, char **bytes, size_t *size, artError *error);
artStatus file_read_most(const char *path, size_t most, char **bytes, size_t *size,
                         artError *error);

// Charge the call for the size of a file that is read in parts.
artStatus file_charge(const char *path, artError *error);

// A file that is written to a temporary path (path.part) and renamed when it is complete and on
// disk: other processes see either the old or the new file.
typedef struct baseFile {
  FILE *stream;
  char path[FILE_PATH_LENGTH], part[FILE_PATH_LENGTH];
} baseFile;
artStatus file_begin(baseFile *file, const char *path, artError *error);

// Close and remove the temporary file.
void file_abandon(baseFile *file);

// Close, and rename into place; after an error, removes the temporary file.
artStatus file_commit(baseFile *file, artError *error);

// file_commit if status is ART_OK, else file_abandon; returns the resulting status.
artStatus file_end(baseFile *file, artStatus status, artError *error);

#endif
