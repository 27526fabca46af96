// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The helper drops its rights: resource limits, Landlock rules for files, a seccomp filter of
// system calls. Restrictions that the kernel lacks are skipped; resource limits exist everywhere.
#define _GNU_SOURCE
#include "base/sandbox.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/budget.h"

// Sanitizers and valgrind map terabytes of address space and need more system calls.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif


static int is_watched(void)
{
  const char *loaded = getenv("LD_PRELOAD");
  return IS_SANITIZED || (loaded && strstr(loaded, "vgpreload"));
}


//---- limits --------------------------------------------------------------------------------------

static int set_limit(int resource, double most)
{
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t) resource, &limit) != 0) return 0;
  const rlim_t wanted = (rlim_t) most;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) return 1; // already lower
  limit.rlim_cur = limit.rlim_max = wanted;
  return setrlimit((__rlimit_resource_t) resource, &limit) == 0;
}


// No writing to files, no child processes, no core dump. The hard CPU limit equals the soft one, so
// the process is killed without a signal that it could catch.
static int limit_resources(void)
{
  const double seconds = ceil(budget_limit(BUDGET_SECONDS));
  const int has_memory = is_watched() || set_limit(RLIMIT_AS, budget_limit(BUDGET_MEMORY));
  return has_memory & set_limit(RLIMIT_CPU, seconds) & set_limit(RLIMIT_FSIZE, 0) &
         set_limit(RLIMIT_NPROC, 0) & set_limit(RLIMIT_CORE, 0);
}


//---- files: Landlock -----------------------------------------------------------------------------

// constants of the kernel interface, the same on all architectures; older headers lack some of them
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, ASK_VERSION = 1, BENEATH = 1 };
enum { READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };

typedef struct landlockRules {
  uint64_t files, network, scope; // access that is forbidden unless a rule allows it
} landlockRules;

typedef struct __attribute__((packed)) landlockPath {
  uint64_t allowed;
  int32_t folder;
} landlockPath;


static int allow_reading(int rules, const char *folder)
{
  landlockPath path = {.allowed = READ_FILE | READ_FOLDER};
  path.folder = open(folder, O_PATH | O_CLOEXEC);
  if (path.folder < 0) return 1; // missing: nothing to read there
  const long failed = syscall(ADD_RULE, rules, BENEATH, &path, 0);
  close(path.folder);
  return failed == 0;
}


static int restrict_files(int nfolder, const char *const *folder)
{
  // file access rights known to each Landlock version: 13, then refer, truncate, ioctl
  const long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
  if (version < 1) return 0;
  const int known = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
  const landlockRules wanted = {(1u << known) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int rules = (int) syscall(CREATE_RULESET, &wanted, size, 0);
  if (rules < 0) return 0;
  int is_good = 1;
  for (int i = 0; i < nfolder; i++) is_good &= allow_reading(rules, folder[i]);
  is_good &= syscall(RESTRICT_SELF, rules, 0) == 0;
  close(rules);
  return is_good;
}


//---- system calls: seccomp -----------------------------------------------------------------------

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE

#define LOW_HALF(argument) ((uint32_t) (offsetof(struct seccomp_data, args) + 8 * (argument)))
#define LOAD(offset)       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t) (offset))
#define ANSWER(value)      BPF_STMT(BPF_RET | BPF_K, (uint32_t) (value))
#define REFUSED            (SECCOMP_RET_ERRNO | EPERM)

// allow the call `name`: always; if no bit of a mask is set in an argument; if an argument is in a
// range
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
#define ALLOW_WITHOUT(name, argument, mask)                                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD(LOW_HALF(argument)),                 \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t) (mask), 0, 1), ANSWER(REFUSED),              \
      ANSWER(SECCOMP_RET_ALLOW)
#define ALLOW_FROM_TO(name, argument, least, most)                                                 \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 5), LOAD(LOW_HALF(argument)),                 \
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (least), 0, 2),                                          \
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (most), 1, 0), ANSWER(SECCOMP_RET_ALLOW),                \
      ANSWER(REFUSED)

#define TO_WRITE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

// Allow reading, writing to open files, non-executable memory, and exit; all other calls fail with
// EPERM.
static struct sock_filter filter[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(offsetof(struct seccomp_data, nr)),
    ALLOW(read),
    ALLOW(pread64),
    ALLOW(readv),
    ALLOW(write),
    ALLOW(writev),
    ALLOW(close),
    ALLOW(lseek),
    ALLOW(fstat),
    ALLOW(newfstatat),
    ALLOW(statx),
    ALLOW(readlinkat),
    ALLOW(faccessat),
#ifdef SYS_faccessat2
    ALLOW(faccessat2),
#endif
    ALLOW(getuid),
    ALLOW(geteuid),
    ALLOW(getgid),
    ALLOW(getegid),
    ALLOW(getcwd),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(brk),
    ALLOW(madvise),
    ALLOW(futex),
    ALLOW(getrandom),
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(clock_gettime),
    ALLOW(sched_yield),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW_WITHOUT(openat, 2, TO_WRITE),
    ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
    ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
    ALLOW_FROM_TO(fcntl, 1, F_GETFD, F_SETFL),
#ifdef __x86_64__
    ALLOW(stat),
    ALLOW(lstat),
    ALLOW(access),
    ALLOW(readlink),
    ALLOW_WITHOUT(open, 1, TO_WRITE),
#endif
    ANSWER(REFUSED),
};


static int restrict_calls(void)
{
  const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return !is_watched() && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

static int restrict_calls(void)
{
  return 0;
}

#endif


// file descriptors that a host leaves open in child processes
static void close_other_files(void)
{
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0u, 0) == 0) return;
#endif
  for (int file = 3; file < 1024; file++) close(file);
}


const char *sandbox_confine(int nfolder, const char *const *folder)
{
  static char given_up[40];
  close_other_files();
  (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void) prctl(PR_SET_DUMPABLE, 0);
  const int has_limits = limit_resources();
  const int is_fixed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  const int has_files = is_fixed && restrict_files(nfolder, folder);
  const int has_calls = is_fixed && restrict_calls();
  strcpy(given_up, has_limits ? "limits" : "");
  if (has_files) strcat(given_up, " landlock");
  if (has_calls) strcat(given_up, " seccomp");
  return given_up;
}

#else

const char *sandbox_confine(int nfolder, const char *const *folder)
{
  (void) nfolder, (void) folder;
  return "";
}

#endif
