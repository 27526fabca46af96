// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Starting the helper and reading its answer; fields of answers.
#define _GNU_SOURCE // memfd_create, pipe2, dladdr
#include "base/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

static const char END_MARK[] = "articula answer ends";
static artSandbox mode = ART_SANDBOX_WHERE_POSSIBLE;
static const char *other_helper;


void art_set_sandbox(artSandbox chosen)
{
  const int number = (int) chosen;
  ART_REQUIRE_OR(number >= 0 && number <= ART_SANDBOX_OFF, );
  mode = chosen;
}


void sandbox_use(const char *helper)
{
  other_helper = helper;
}


//---- fields --------------------------------------------------------------------------------------

// a field: its length in eight bytes, the bytes, a zero
void sandbox_put(FILE *out, const void *bytes, size_t n)
{
  unsigned char head[8];
  for (int i = 0; i < 8; i++) head[i] = (unsigned char) ((unsigned long long) n >> 8 * i);
  fwrite(head, 1, sizeof head, out);
  if (n > 0) fwrite(bytes, 1, n, out);
  fputc(0, out);
}


void sandbox_put_text(FILE *out, const char *text)
{
  sandbox_put(out, text, text ? strlen(text) : 0);
}


void sandbox_put_number(FILE *out, int number)
{
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  sandbox_put_text(out, text);
}


void sandbox_put_status(FILE *out, artStatus status, const artError *error)
{
  sandbox_put_number(out, (int) status);
  sandbox_put_text(out, status ? error->text : "");
}


void sandbox_put_end(FILE *out)
{
  sandbox_put_text(out, END_MARK);
}


const char *sandbox_bytes(sandboxAnswer *a, size_t *n)
{
  unsigned long long length = 0;
  *n = 0;
  if (a->is_damaged || a->length - a->at < 9) {
    a->is_damaged = 1;
    return "";
  }
  for (int i = 0; i < 8; i++)
    length |= (unsigned long long) (unsigned char) a->bytes[a->at + (size_t) i] << 8 * i;
  const size_t left = a->length - a->at - 9;
  if (length > left || a->bytes[a->at + 8 + length] != '\0') {
    a->is_damaged = 1;
    return "";
  }
  const char *bytes = a->bytes + a->at + 8;
  a->at += 9 + (size_t) length;
  *n = (size_t) length;
  return bytes;
}


const char *sandbox_text(sandboxAnswer *a)
{
  size_t n;
  const char *text = sandbox_bytes(a, &n);
  if (strlen(text) == n) return text;
  a->is_damaged = 1;
  return "";
}


int sandbox_number(sandboxAnswer *a, int least, int most)
{
  const char *text = sandbox_text(a);
  char *end = NULL;
  const long number = strtol(text, &end, 10);
  if (text[0] && !*end && number >= least && number <= most) return (int) number;
  a->is_damaged = 1;
  return least;
}


artStatus sandbox_status(sandboxAnswer *a, artError *error)
{
  const int status = sandbox_number(a, 0, ART_STOPPED);
  const char *text = sandbox_text(a);
  if (status == ART_OK || a->is_damaged) return ART_OK;
  if (status == ART_NO_MEMORY)
    return base_fail(error, ART_NO_MEMORY, base_nowhere(),
                     "reading needs more than %.3g bytes of memory; if you trust the file, allow "
                     "more by the variable ARTICULA_LIMITS='memory=%.2g'",
                     budget_limit(BUDGET_MEMORY), 2 * budget_limit(BUDGET_MEMORY));
  return base_fail(error, (artStatus) status, base_nowhere(), "%s", text);
}


artStatus sandbox_check(const sandboxAnswer *a, const char *file, artError *error)
{
  if (!a->is_damaged && a->at == a->length) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = file},
                   "the process that reads the file gave an answer that makes no sense; the file "
                   "may have taken it over: do not trust it");
}


void sandbox_forget(sandboxAnswer *answer)
{
  mem_free(answer->bytes);
  *answer = (sandboxAnswer){0};
}


#ifdef __linux__
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

//---- the helper ----------------------------------------------------------------------------------

enum { HELPER_PATH = 4096, CHUNK = 1 << 16 };


// search next to the library or command that contains this code, in libexec relative to it, and in
// the installation
static int find_helper(char path[HELPER_PATH])
{
  static const char *const near[] = {"articula-parse", "../libexec/articula/articula-parse"};
  Dl_info here;
  if (other_helper) return snprintf(path, HELPER_PATH, "%s", other_helper) < HELPER_PATH;
  if (dladdr(&mode, &here) && here.dli_fname) {
    // for the command itself, dli_fname is argv[0]
    char own[HELPER_PATH];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    const int is_library = strchr(here.dli_fname, '/') && strstr(here.dli_fname, ".so");
    own[n > 0 ? n : 0] = '\0';
    const char *file = is_library ? here.dli_fname : own, *slash = strrchr(file, '/');
    for (int i = 0; slash && i < 2; i++) {
      const int used = snprintf(path, HELPER_PATH, "%.*s/%s", (int) (slash - file), file, near[i]);
      if (used < HELPER_PATH && access(path, X_OK) == 0) return 1;
    }
  }
  snprintf(path, HELPER_PATH, "%s", ART_HELPER_INSTALLED);
  return access(path, X_OK) == 0;
}


artStatus sandbox_choose(int *is_on, artError *error)
{
  char path[HELPER_PATH];
  *is_on = mode != ART_SANDBOX_OFF && find_helper(path);
  if (*is_on || mode != ART_SANDBOX_REQUIRED) return ART_OK;
  return base_fail(
      error, ART_UNSUPPORTED, base_nowhere(),
      "the program articula-parse, which reads foreign files without rights of its "
      "own, is neither in the directory of this one nor at %s; install it, or read the file in "
      "this process by --no-sandbox",
      ART_HELPER_INSTALLED);
}


// pass only the required variables, because others may contain secrets
static void pick_environment(char *picked[8])
{
  static const char *const names[] = {
      "ARTICULA_LIMITS=", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS="};
  int n = 0;
  for (char **e = environ; e && *e; e++) {
    for (size_t i = 0; i < sizeof names / sizeof *names && n < 7; i++)
      if (strncmp(*e, names[i], strlen(names[i])) == 0) picked[n++] = *e;
  }
  picked[n] = NULL;
}


static int spawn_helper(pid_t *pid, const char *path, const char *const *words, int in, int out)
{
  char *environment[8];
  const char *arguments[1024] = {path};
  int n = 1;
  for (; *words && n < 1023; words++) arguments[n++] = *words;
  if (*words) return E2BIG;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t settings;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  pick_environment(environment);
  if (posix_spawn_file_actions_init(&files) != 0) return ENOMEM;
  int why = posix_spawnattr_init(&settings);
  if (!why) {
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setsigmask(&settings, &none);
    posix_spawnattr_setsigdefault(&settings, &all);
    posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    why = posix_spawn(pid, path, &files, &settings, (char *const *) arguments, environment);
    posix_spawnattr_destroy(&settings);
  }
  posix_spawn_file_actions_destroy(&files);
  return why;
}


//---- the answer ----------------------------------------------------------------------------------

// memory file with the input, positioned at its beginning; negative on failure
static int input_file(const void *input, size_t n)
{
  const int file = memfd_create("articula-input", MFD_CLOEXEC);
  size_t done = 0;
  while (file >= 0 && done < n) {
    const ssize_t k = write(file, (const char *) input + done, n - done);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    done += (size_t) k;
  }
  if (file >= 0 && done == n && lseek(file, 0, SEEK_SET) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}


static int grow_answer(sandboxAnswer *a, size_t *capacity)
{
  if (*capacity - a->length > CHUNK) return 1;
  *capacity = 2 * *capacity + 2 * (size_t) CHUNK;
  char *bytes = mem_resize(a->bytes, *capacity, 1);
  if (bytes) a->bytes = bytes;
  return bytes != NULL;
}


// Read until the helper closes its output. Returns 1: complete; 0: too much data or too slow; -1:
// memory ran out. Besides CPU time, wall-clock time is limited, because a blocked helper uses no
// CPU time.
static int read_answer(sandboxAnswer *a, int from)
{
  const double until = base_now() + 10 + 4 * budget_limit(BUDGET_SECONDS);
  const double most = budget_limit(BUDGET_BYTES);
  size_t capacity = 0;
  for (;;) {
    struct pollfd wait = {.fd = from, .events = POLLIN};
    if (base_now() > until || (double) a->length > most) return 0;
    if (!grow_answer(a, &capacity)) return -1;
    if (poll(&wait, 1, 1000) <= 0) continue;
    const ssize_t n = read(from, a->bytes + a->length, capacity - a->length);
    if (n == 0) return 1;
    if (n > 0) a->length += (size_t) n;
    if (n < 0 && errno != EINTR && errno != EAGAIN) return 1;
  }
}


// remove the end marker
static int has_end(sandboxAnswer *a)
{
  const size_t n = sizeof END_MARK - 1 + 9;
  if (a->length < n) return 0;
  sandboxAnswer tail = {.bytes = a->bytes, .length = a->length, .at = a->length - n};
  if (strcmp(sandbox_text(&tail), END_MARK) != 0 || tail.at != a->length) return 0;
  a->length -= n;
  return 1;
}


static artStatus explain_death(int status, const char *file, artError *error)
{
  const artPlace place = {.file = file};
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (number == SIGXCPU || number == SIGKILL)
    return base_fail(
        error, ART_BAD_INPUT, place,
        "reading takes more than %.3g s of CPU time; if you trust the file, allow more "
        "by the variable ARTICULA_LIMITS='seconds=%.2g'",
        budget_limit(BUDGET_SECONDS), 10 * budget_limit(BUDGET_SECONDS));
  if (number)
    return base_fail(
        error, ART_BAD_INPUT, place,
        "the file broke the process that reads it (signal %d), and nothing else; please "
        "report it as doc/reference/security.md says",
        number);
  return base_fail(error, ART_BAD_INPUT, place,
                   "the process that reads the file ended without an answer (exit status %d)",
                   WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}


// The helper has closed its output, but a compromised helper may still run: give it one second to
// exit.
static int collect_helper(pid_t pid)
{
  const struct timespec pause = {.tv_nsec = 100000};
  const double until = base_now() + 1;
  for (int status = 0;;) {
    const int is_late = base_now() > until;
    if (is_late) kill(pid, SIGKILL);
    const pid_t ended = waitpid(pid, &status, is_late ? 0 : WNOHANG);
    if (ended == pid) return is_late ? 0 : status;
    if (ended < 0 && errno != EINTR) return 0; // the host has already collected it
    nanosleep(&pause, NULL);
  }
}


static artStatus wait_for_answer(sandboxAnswer *a, pid_t pid, int from, const char *file,
                                 artError *error)
{
  const int came = read_answer(a, from);
  const int is_whole = came > 0 && has_end(a);
  int status = 0;
  if (came > 0) {
    status = collect_helper(pid);
  } else {
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (came < 0) return base_no_memory(error);
  return is_whole ? ART_OK : explain_death(status, file, error);
}


artStatus sandbox_ask(sandboxAnswer *answer, const char *const *words, const void *input, size_t n,
                      const char *file, artError *error)
{
  char path[HELPER_PATH];
  int ends[2] = {-1, -1};
  pid_t pid = 0;
  *answer = (sandboxAnswer){0};
  if (!find_helper(path)) return sandbox_choose(&(int){0}, error);
  const int in = input_file(input, n);
  int why = in < 0 || pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
  if (!why) why = spawn_helper(&pid, path, words, in, ends[1]);
  if (in >= 0) close(in);
  if (ends[1] >= 0) close(ends[1]);
  artStatus status = ART_OK;
  if (why) {
    errno = why;
    status = file_fail(error, path, "cannot start the reader of foreign files");
  } else {
    status = wait_for_answer(answer, pid, ends[0], file, error);
  }
  if (ends[0] >= 0) close(ends[0]);
  if (status) sandbox_forget(answer);
  return status;
}

#else

// WebAssembly: no processes, or no rights to drop
artStatus sandbox_choose(int *is_on, artError *error)
{
  (void) error;
  *is_on = 0;
  return ART_OK;
}


artStatus sandbox_ask(sandboxAnswer *answer, const char *const *words, const void *input, size_t n,
                      const char *file, artError *error)
{
  (void) words, (void) input, (void) n;
  *answer = (sandboxAnswer){0};
  return base_fail(error, ART_UNSUPPORTED, (artPlace){.file = file}, "there is no sandbox here");
}

#endif
