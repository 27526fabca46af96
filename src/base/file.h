// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files: paths, directories, whole files in, and new files that replace old ones at once or not at all.
// Every failure is ART_IO with the path and the reason in the message.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "articula/base.h"

enum { FILE_PATH_LENGTH = 4096 };

// "cannot write: No space left on device", with the path in front and errno explained.
artStatus file_fail(artError *error, const char *path, const char *what);

// A file that is wrong as a whole, by a format and its arguments; ART_BAD_INPUT.
#define file_wrong(error, path, ...)                                                               \
  base_fail(error, ART_BAD_INPUT, (artPlace){.file = path}, __VA_ARGS__)

// directory/name. Paths that are too long are an error.
artStatus file_join(char path[FILE_PATH_LENGTH], const char *directory, const char *name,
                    artError *error);

// Whether a path ends so, as "loads.png" does with ".png", behind a name.
int file_has_ending(const char *path, const char *ending);

// A path as readers elsewhere should see it: the name alone of one that begins at the root, any other as it is.
const char *file_shown_path(const char *path);

// Bring what was written onto the disk; 0 when it, or anything before, failed. Pipes and devices, which
// have no disk behind them, are content with a flush.
int file_sync(FILE *stream);

// Close a stream of open_memstream; 0 when memory ran out and the text is not whole.
int file_close_text(FILE *stream, char *const *text);

// Make a directory and those above it; it may be there already.
artStatus file_make_directory(const char *path, artError *error);

// Refuse a relative path of which a part is a symbolic link: a folder that nobody has named in the call, in the folder of
// somebody else.
artStatus file_refuse_links(const char *path, artError *error);

// A file in a folder names another one by a path relative to it, as a reader sees it. Refuse a symbolic link on the way that
// leads out of the folder.
artStatus file_check_named(const char *folder, const char *path, artError *error);

// Remove a file; one that is not there is no error.
artStatus file_remove(const char *path, artError *error);

// A folder that one process writes into at a time. The lock ends with the process, however that ends; a file
// `lock` in the folder says whose it is. ART_BAD_INPUT when another process has it, with its number.
typedef struct baseLock {
  int fd; // below 0: no lock is held
  char path[FILE_PATH_LENGTH];
} baseLock;
artStatus file_lock(baseLock *lock, const char *directory, artError *error);
void file_unlock(baseLock *lock);

// Open a file to be read, with `update` to be written as well. A folder, a pipe, a device or a socket
// is ART_BAD_INPUT; nobody waits for the other end of a pipe.
artStatus file_open(FILE **stream, const char *path, int update, artError *error);

// Open a file to be written: empty, or with `append` behind what is there. Folders, pipes and sockets are refused in the
// same way, and so are symbolic links, but for links to devices, and files with several names (hard links); file_open with
// `update`, file_begin and file_lock do not write through links either.
artStatus file_create(FILE **stream, const char *path, int append, artError *error);

// Is it a file, neither a directory nor a device?
int file_is_regular(const char *path);

// Read a whole file into memory for mem_free; a zero stands behind it. Its size is charged to the budget of the call
// (base/budget.h) before any memory is taken. The same for a kind of file that has at most so many bytes.
artStatus file_read(const char *path, char **bytes, size_t *size, artError *error);
artStatus file_read_most(const char *path, size_t most, char **bytes, size_t *size,
                         artError *error);

// Charge the call for the size of a file that is read piece by piece.
artStatus file_charge(const char *path, artError *error);

// A file that is written beside its final place (path.part) and takes it only when it is complete
// and safely on the disk: whoever opens the path sees the old file or the new one.
typedef struct baseFile {
  FILE *stream;
  char path[FILE_PATH_LENGTH], part[FILE_PATH_LENGTH];
} baseFile;
artStatus file_begin(baseFile *file, const char *path, artError *error);

// Close and remove what was written.
void file_abandon(baseFile *file);

// Close, and put the file in place; closes and removes the part where something had failed.
artStatus file_commit(baseFile *file, artError *error);

// The one where the status of writing it is ART_OK, the other where it is not; returns what came of it.
artStatus file_end(baseFile *file, artStatus status, artError *error);

#endif
