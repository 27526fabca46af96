// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a file could make the helper articula-parse do that it has taken over. Linked to the helper of test_sandbox alone,
// which does it for files whose names hold "attack-"; answers as a failed import that says what succeeded.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sandbox.h"

#ifdef __SANITIZE_ADDRESS__
// Attacks end as they would without the sanitizer: no search for leaks, which needs rights, and signals of their own.
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
  return "detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigill=0:handle_"
         "sigfpe=0";
}
#endif


void attack(const char *file, FILE *out);

static char done[400]; // of attempts that succeeded


static void note(const char *what, long result)
{
  if (result >= 0) base_append(done, sizeof done, " %s", what);
}


// beside the file, in its folder, and elsewhere
static void write_files(const char *file)
{
  char new[1000];
  snprintf(new, sizeof new, "%s.new", file);
  note("append-passwd", open("/etc/passwd", O_WRONLY | O_APPEND));
  note("overwrite", open(file, O_WRONLY));
  note("create", open(new, O_WRONLY | O_CREAT, 0600));
  note("truncate", truncate(file, 0));
  note("link", symlink("/etc/passwd", new));
  note("folder", mkdir(new, 0700));
  note("rename", rename(file, new));
  note("unlink", unlink(file));
}


static void read_files(void)
{
  note("read-passwd", open("/etc/passwd", O_RDONLY));
  note("read-memory", open("/proc/self/mem", O_RDWR));
  note("read-environment", open("/proc/self/environ", O_RDONLY));
}


static void use_network(void)
{
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  note("socket", s);
  note("datagram", socket(AF_INET, SOCK_DGRAM, 0));
  note("unix", socket(AF_UNIX, SOCK_STREAM, 0));
  if (s >= 0) note("connect", connect(s, (struct sockaddr *) &to, sizeof to));
}


static void touch_processes(void)
{
  char *const arguments[] = {"true", NULL};
  note("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  note("exec", execv("/bin/true", arguments));
  note("trace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
  note("kill", kill(getppid(), 0));
  struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  note("raise", setrlimit(RLIMIT_AS, &more));
  note("limit-parent", prlimit(getppid(), RLIMIT_CPU, &more, NULL));
  void *code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  note("code", code == MAP_FAILED ? -1 : 0);
  note("mount", syscall(SYS_unshare, 0x10000000));
  note("key", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
}


static void take_memory(void)
{
  const size_t huge = (size_t) 100 << 30;
  char *block =
      mmap(NULL, huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  note("100-GB", block == MAP_FAILED ? -1 : 0);
  size_t total = 0;
  for (void *piece; (piece = malloc(1 << 20)) && total < huge; total += 1 << 20) {
  }
  if (total > (size_t) 3 << 30) note("3-GB-in-pieces", 0);
}


_Noreturn static void wait_for_ever(void)
{
  int word = 0;
  for (;;) syscall(SYS_futex, &word, 0, 0, NULL, NULL, 0);
}


// answers that are none
static void lie(const char *kind, FILE *out)
{
  if (strstr(kind, "short")) {
    fwrite("\xff\xff\xff\xff\xff\xff\xff\xff"
           "abc",
           1, 11, out);
  } else if (strstr(kind, "status")) {
    sandbox_put_number(out, 0);
    sandbox_put_number(out, 77);
    sandbox_put_text(out, "");
  } else if (strstr(kind, "zero")) {
    sandbox_put_number(out, 0);
    sandbox_put_number(out, 0);
    sandbox_put(out, "a\0b", 3);
  } else if (strstr(kind, "notes")) {
    sandbox_put_number(out, 0);
    sandbox_put_status(out, ART_OK, NULL);
    sandbox_put_text(out, "URDF");
    sandbox_put_text(out, "articula: 1\n");
    sandbox_put_number(out, 999999);
  } else if (strstr(kind, "more")) {
    sandbox_put_number(out, 0);
    sandbox_put_status(out, ART_OK, NULL);
    sandbox_put_text(out, "URDF");
    sandbox_put_text(out, "articula: 1\n");
    sandbox_put_number(out, 0);
    sandbox_put_text(out, "more");
  } else if (strstr(kind, "terminal")) {
    const artError error = {.status = ART_BAD_INPUT, .text = "\033]0;evil\007\033[31mred"};
    sandbox_put_number(out, 0);
    sandbox_put_status(out, ART_BAD_INPUT, &error);
  } else if (strstr(kind, "tree")) { // each element in the one before it
    sandbox_put_status(out, ART_OK, NULL);
    for (int i = 0; i < 100000; i++) {
      sandbox_put_text(out, "a");
      sandbox_put_text(out, "");
      sandbox_put_text(out, "1");
      sandbox_put_text(out, "1");
      sandbox_put_number(out, 0);
      sandbox_put_number(out, 1);
    }
  }
}


void attack(const char *file, FILE *out)
{
  const char *kind = strstr(file, "attack-") + 7;
  if (strstr(kind, "lie")) {
    lie(kind, out);
    return;
  }
  if (strstr(kind, "write")) write_files(file);
  if (strstr(kind, "read")) read_files();
  if (strstr(kind, "network")) use_network();
  if (strstr(kind, "process")) touch_processes();
  if (strstr(kind, "memory")) take_memory();
  if (strstr(kind, "wait")) wait_for_ever();
  if (strstr(kind, "stay")) {
    close(STDOUT_FILENO);
    wait_for_ever();
  }
  for (volatile int i = 0; strstr(kind, "spin"); i++) {
  }
  if (strstr(kind, "crash")) raise(SIGSEGV), *(volatile char *) 8 = 1;
  if (strstr(kind, "exit")) _exit(0);
  while (strstr(kind, "flood")) fwrite(done, 1, sizeof done, out);
  artError error = {.status = ART_BAD_INPUT};
  snprintf(error.text, sizeof error.text, "succeeded:%s.", done);
  sandbox_put_number(out, 0);
  sandbox_put_status(out, ART_BAD_INPUT, &error);
}
