// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A library to preload into the command, which makes one call of the system fail, or raises a signal at one look at the
// clock, of which there is one before every step of a run:
//   FAULTS=KIND:N      the N-th call that writes (write, fsync, ftruncate, rename, close) fails: enospc, eio, eintr; short
//                      (half of the bytes arrive, then the disk is full); full (so does every one after it)
//   FAULTS=alloc:N     the N-th malloc, calloc or realloc
//   FAULTS=SIGNAL:N    a signal by its number, at the N-th look at the clock
//   FAULTS_CLOCK=S     the clock goes on by S seconds at every look, so that checkpoints are due
//   FAULTS_LOCALE=NAME the locale, as a host of the library may have set it
//   FAULTS_COUNT=FILE  at the end, numbers of calls that write, of looks at the clock, and of allocations
// Streams that write are made anew on top of these calls, for stdio does not call write by its name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STREAMS = 64 };

static struct {
  FILE *stream;
  int fd;
} streams[MAX_STREAMS];

static atomic_long writes, looks, allocations;
static long fault_at;
static char kind[16];
static double pace;

// the C library's own
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_rename)(const char *, const char *);
static int (*real_fileno)(FILE *);
static FILE *(*real_fopen)(const char *, const char *);
static FILE *(*real_fdopen)(int, const char *);
static int (*real_clock)(clockid_t, struct timespec *);


static void find(void *function, const char *name)
{
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}


// other libraries begin before this one
static void look_up(void)
{
  if (real_clock) return;
  find(&real_fsync, "fsync");
  find(&real_ftruncate, "ftruncate");
  find(&real_rename, "rename");
  find(&real_fileno, "fileno");
  find(&real_fopen, "fopen");
  find(&real_fdopen, "fdopen");
  find(&real_clock, "clock_gettime");
}


// does the call at hand fail? errno is set
static int fails(void)
{
  const long n = ++writes;
  if (fault_at == 0 || n < fault_at || (n > fault_at && strcmp(kind, "full") != 0)) return 0;
  if (strcmp(kind, "enospc") == 0 || strcmp(kind, "full") == 0 || strcmp(kind, "short") == 0) {
    errno = ENOSPC;
  } else if (strcmp(kind, "eio") == 0) {
    errno = EIO;
  } else if (strcmp(kind, "eintr") == 0) {
    errno = EINTR;
  } else {
    return 0;
  }
  return 1;
}


//---- calls ---------------------------------------------------------------------------------------

int fsync(int fd)
{
  return fails() ? -1 : real_fsync(fd);
}


int ftruncate(int fd, off_t length)
{
  return fails() ? -1 : real_ftruncate(fd, length);
}


int rename(const char *from, const char *to)
{
  return fails() ? -1 : real_rename(from, to);
}


int clock_gettime(clockid_t clock, struct timespec *time)
{
  look_up();
  const int status = real_clock(clock, time);
  const long n = ++looks;
  if (kind[0] >= '0' && kind[0] <= '9' && n == fault_at) raise(atoi(kind));
  // processor time is what the process has used, however slow the machine
  const int is_wall = clock != CLOCK_THREAD_CPUTIME_ID && clock != CLOCK_PROCESS_CPUTIME_ID;
  const double ahead = is_wall ? pace * (double) n : 0;
  time->tv_sec += (time_t) ahead;
  return status;
}


//---- memory --------------------------------------------------------------------------------------

// of the GNU C library
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);


// SUNDIALS writes through NULL where its own allocations fail; its caller sees to it that there is memory (src/step/cvode.c)
static int is_of_sundials(const void *caller)
{
  Dl_info about;
  return dladdr(caller, &about) && about.dli_fname && strstr(about.dli_fname, "libsundials");
}


static int runs_out(const void *caller)
{
  const long n = ++allocations;
  if (n != fault_at || strcmp(kind, "alloc") != 0 || is_of_sundials(caller)) return 0;
  errno = ENOMEM;
  return 1;
}


void *malloc(size_t size)
{
  return runs_out(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}


void *calloc(size_t count, size_t size)
{
  return runs_out(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}


void *realloc(void *block, size_t size)
{
  return runs_out(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}


//---- streams -------------------------------------------------------------------------------------

static int fd_of(void *cookie)
{
  return (int) (long) cookie;
}


static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
  if (!fails()) return write(fd_of(cookie), bytes, n);
  const int reason = errno;
  const ssize_t half = strcmp(kind, "short") == 0 ? write(fd_of(cookie), bytes, n / 2) : 0;
  errno = reason;
  return half > 0 ? half : 0;
}


static ssize_t stream_read(void *cookie, char *bytes, size_t n)
{
  return read(fd_of(cookie), bytes, n);
}


static int stream_seek(void *cookie, off64_t *offset, int whence)
{
  *offset = lseek(fd_of(cookie), *offset, whence);
  return *offset < 0 ? -1 : 0;
}


static int stream_close(void *cookie)
{
  const int fd = fd_of(cookie), failed = fails(), reason = errno;
  for (int i = 0; i < MAX_STREAMS; i++) {
    if (streams[i].stream && streams[i].fd == fd) streams[i].stream = NULL;
  }
  const int status = close(fd);
  errno = reason;
  return failed ? -1 : status;
}


static FILE *open_stream(int fd, const char *mode)
{
  const cookie_io_functions_t calls = {stream_read, stream_write, stream_seek, stream_close};
  FILE *stream = fopencookie((void *) (long) fd, mode, calls);
  for (int i = 0; stream && i < MAX_STREAMS; i++) {
    if (streams[i].stream) continue;
    streams[i].stream = stream;
    streams[i].fd = fd;
    break;
  }
  return stream;
}


FILE *fopen(const char *path, const char *mode)
{
  look_up();
  const int is_new = mode[0] == 'w';
  if (!is_new && !strchr(mode, '+')) return real_fopen(path, mode);
  const int fd = open(path, (is_new ? O_CREAT | O_TRUNC : 0) | O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0) return NULL;
  FILE *stream = open_stream(fd, mode);
  if (stream) return stream;
  close(fd);
  if (is_new) unlink(path);
  errno = ENOMEM;
  return NULL;
}


FILE *fdopen(int fd, const char *mode)
{
  look_up();
  return mode[0] == 'r' && !strchr(mode, '+') ? real_fdopen(fd, mode) : open_stream(fd, mode);
}


int fileno(FILE *stream)
{
  for (int i = 0; i < MAX_STREAMS; i++) {
    if (streams[i].stream == stream) return streams[i].fd;
  }
  return real_fileno(stream);
}


//---- beginning and end ---------------------------------------------------------------------------

__attribute__((constructor)) static void begin(void)
{
  const char *what = getenv("FAULTS"), *seconds = getenv("FAULTS_CLOCK");
  look_up();
  stdout = open_stream(dup(STDOUT_FILENO), "w");

  // calls before this point load the program, and are left out
  writes = looks = allocations = 0;
  if (what) sscanf(what, "%15[^:]:%ld", kind, &fault_at);
  if (seconds) pace = atof(seconds);
  if (getenv("FAULTS_LOCALE") && !setlocale(LC_ALL, getenv("FAULTS_LOCALE"))) abort();
}


__attribute__((destructor)) static void end(void)
{
  const char *path = getenv("FAULTS_COUNT");
  FILE *out = path ? real_fopen(path, "w") : NULL;
  if (!out) return;
  fprintf(out, "%ld %ld %ld\n", (long) writes, (long) looks, (long) allocations);
  fclose(out);
}
