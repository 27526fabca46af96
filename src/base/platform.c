// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Paths, folders and programs of systems of POSIX.
#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_FOLDER = 1000 };


int platform_is_absolute(const char *path)
{
  return path[0] == '/';
}


const char *platform_temporary_folder(void)
{
  const char *folder = getenv("TMPDIR");
  return folder && folder[0] == '/' && strlen(folder) <= LONGEST_FOLDER ? folder : "/tmp";
}


const char *platform_home(void)
{
  return getenv("HOME");
}


int platform_own_path(char *path, size_t size)
{
  const ssize_t n = readlink("/proc/self/exe", path, size - 1);
  path[n > 0 ? n : 0] = '\0';
  return n > 0;
}


int platform_find_program(const char *program, size_t n, char *path, size_t size)
{
  struct stat about;
  const char *folders = memchr(program, '/', n) ? "" : getenv("PATH");
  for (const char *at = folders ? folders : "";; at++) {
    const size_t length = strcspn(at, ":");
    const int used =
        snprintf(path, size, "%.*s%s%.*s", (int) length, at, length ? "/" : "", (int) n, program);
    const int fits = used > 0 && (size_t) used < size;
    if (fits && stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0) {
      return 1;
    }
    at += length;
    if (!*at) return 0;
  }
}


const char *platform_compiler(void)
{
  return "cc";
}


const char *platform_machine(void)
{
#if !defined __linux__
  return NULL;
#elif defined __x86_64__
  return "x86_64-linux";
#elif defined __aarch64__
  return "aarch64-linux";
#elif defined __i386__
  return "i686-linux";
#elif defined __arm__
  return "arm-linux";
#else
  return NULL;
#endif
}
