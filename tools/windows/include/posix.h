// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of POSIX on Windows, as far as the sources call them (../posix_*.c). The compiler includes this header before
// every source file of ours, and the headers next to it replace those that the system lacks. Paths are UTF-8 with slashes.
#ifndef WINDOWS_POSIX_H
#define WINDOWS_POSIX_H

#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <process.h>
#include <pthread_signal.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

//---- files ---------------------------------------------------------------------------------------

enum {
  O_CLOEXEC = _O_NOINHERIT,
  O_NONBLOCK = 0, // there are no pipes with names, terminals and links that these speak of
  O_NOCTTY = 0,
  O_NOFOLLOW = 0,
  O_DIRECTORY = 0x1000000, // is refused: folders have no locks
  LOCK_EX = 1,
  LOCK_NB = 2,
  F_GETFD = 1,
  F_SETFL = 4
};

struct posix_stat {
  unsigned st_mode, st_nlink;
  unsigned long long st_ino, st_dev;
  int st_uid;
  long long st_size;
  struct timespec st_mtim;
};

#undef S_IFLNK
#undef S_ISLNK
#undef S_ISSOCK
#undef S_IWGRP
#undef S_IWOTH
#undef S_ISVTX
#define S_IFLNK        0120000
#define S_ISLNK(mode)  (((mode) &0170000) == S_IFLNK)
#define S_ISSOCK(mode) 0
#define S_IWGRP        0 // folders of a user are the user's by their access lists
#define S_IWOTH        0
#define S_ISVTX        0

int posix_stat(const char *path, struct posix_stat *about);
int posix_lstat(const char *path, struct posix_stat *about);
int posix_fstat(int fd, struct posix_stat *about);
int posix_open(const char *path, int flags, ...);
int posix_rename(const char *from, const char *to);
int posix_remove(const char *path);
int posix_fcntl(int fd, int command, ...);
int posix_isatty(int fd);
int flock(int fd, int operation);
int fsync(int fd);
ssize_t pread(int fd, void *bytes, size_t n, long long at);
int dprintf(int fd, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
char *realpath(const char *path, char *resolved);
char *mkdtemp(char *pattern);
int posix_mkstemp(char *pattern);

//---- streams -------------------------------------------------------------------------------------

FILE *posix_fopen(const char *path, const char *mode);
FILE *posix_freopen(const char *path, const char *mode, FILE *stream);
FILE *open_memstream(char **text, size_t *size);
FILE *fmemopen(void *text, size_t size, const char *mode);
int posix_fflush(FILE *stream);
int posix_fclose(FILE *stream);

//---- texts and numbers ---------------------------------------------------------------------------

char *strndup(const char *text, size_t n);
#define strerror_r(number, text, size) strerror_s(text, size, number)

// the decimal point is that of C between two calls of uselocale
typedef int locale_t;
enum { LC_ALL_MASK = 1 };
#define newlocale(mask, name, base) 1
locale_t uselocale(locale_t locale);

//---- processes and times -------------------------------------------------------------------------

enum { SIGHUP = 1, SIGKILL = 9, _SC_NPROCESSORS_ONLN = 84 };
#undef pthread_sigmask
#define sigset_t                       _sigset_t
#define sigemptyset(set)               ((void) (set))
#define sigaddset(set, number)         ((void) (set))
#define pthread_sigmask(how, set, old) ((void) (set), (void) (old))
#define geteuid()                      0

// a negative number is a tree of processes, of child.c
int kill(pid_t child, int number);
long sysconf(int name);
int posix_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                          struct timespec *rest);

//---- under the names of POSIX --------------------------------------------------------------------

#ifndef WINDOWS_NATIVE
// conversions of printf are those of C, not of the older library of the system
#define format(kind, text, first) format(gnu_##kind, text, first)
#undef stat
#undef fstat
#undef X_OK
#define stat              posix_stat
#define lstat             posix_lstat
#define fstat             posix_fstat
#define st_mtime          st_mtim.tv_sec
#define open              posix_open
#define fcntl             posix_fcntl
#define isatty            posix_isatty
#define rename            posix_rename
#define remove            posix_remove
#define mkstemp           posix_mkstemp
#define mkdir(path, mode) _mkdir(path)
#define fopen             posix_fopen
#define freopen           posix_freopen
#define fflush            posix_fflush
#define fclose            posix_fclose
#define clock_nanosleep   posix_clock_nanosleep
#define X_OK              R_OK
#endif

#endif
