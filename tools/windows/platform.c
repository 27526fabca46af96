// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Paths, folders and programs of Windows, in place of src/base/platform.c.
#include "base/platform.h"

#include <windows.h>

#include <posix.h>

enum { LONGEST_PATH = 4096 };


static void use_slashes(char *path)
{
  for (; *path; path++) {
    if (*path == '\\') *path = '/';
  }
}


int platform_is_absolute(const char *path)
{
  const char letter = (char) (path[0] | 0x20);
  return path[0] == '/' || (letter >= 'a' && letter <= 'z' && path[1] == ':' && path[2] == '/');
}


const char *platform_temporary_folder(void)
{
  static _Thread_local char folder[MAX_PATH + 2];
  const DWORD n = GetTempPathA(sizeof folder, folder);
  if (n == 0 || n >= sizeof folder) return "C:/Windows/Temp";
  use_slashes(folder);
  if (folder[n - 1] == '/') folder[n - 1] = '\0';
  return folder;
}


const char *platform_home(void)
{
  static _Thread_local char folder[1000];
  const char *home = getenv("USERPROFILE");
  snprintf(folder, sizeof folder, "%s", home ? home : "");
  use_slashes(folder);
  return home ? folder : NULL;
}


int platform_own_path(char *path, size_t size)
{
  const DWORD n = GetModuleFileNameA(NULL, path, (DWORD) size);
  if (n == 0 || n >= size) path[0] = '\0';
  use_slashes(path);
  return path[0] != '\0';
}


int platform_find_program(const char *program, size_t n, char *path, size_t size)
{
  char name[LONGEST_PATH];
  if (n >= sizeof name) return 0;
  memcpy(name, program, n);
  name[n] = '\0';
  const DWORD found = SearchPathA(NULL, name, ".exe", (DWORD) size, path, NULL);
  if (found == 0 || found >= size) return 0;
  use_slashes(path);
  return 1;
}


const char *platform_compiler(void)
{
  static const char *const usual[] = {"gcc", "clang", "cc"};
  char path[LONGEST_PATH];
  for (int i = 0; i < 3; i++) {
    if (platform_find_program(usual[i], strlen(usual[i]), path, sizeof path)) return usual[i];
  }
  return usual[0];
}


const char *platform_machine(void)
{
  return "x86_64-mingw";
}
