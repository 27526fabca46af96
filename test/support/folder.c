// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A folder of a test's own, and commands in it.
#include "support/folder.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"


static char own[] = "/tmp/articula-test-XXXXXX";
static pid_t owner; // 0: no folder yet


// children that end by themselves leave it
static void remove_own(void)
{
  if (getpid() == owner) folder_remove(own);
}


const char *folder_own(void)
{
  if (owner) return own;
  if (!mkdtemp(own)) abort();
  owner = getpid();
  atexit(remove_own);
  return own;
}


const char *folder_path(const char *name)
{
  static char path[4][200];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder_own(), name);
  return path[turn];
}


FILE *folder_open(const char *folder, const char *name, const char *mode)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return fopen(path, mode);
}


const char *folder_compiler(const char *text)
{
  enum { LARGE = 40000 }; // texts of a pendulum, or of a law alone, have 28000 to 37000 bytes
  FILE *file = folder_open(folder_own(), text, "r");
  const int is_small = file && fseek(file, 0, SEEK_END) == 0 && ftell(file) < LARGE;
  if (file) fclose(file);
  return is_small ? "cc -O1" : FOLDER_QUICK_CC;
}


// Machines that roll have no natural coordinates, those with rigid contacts no generated equations either; test_rolling,
// test_rolling_generated, test_rigid_contact, test_contact_steps and test_machines have them.
static int is_left_out(const char *path)
{
  static const char *const place[] = {"rolling/", "rigid/", "pile/", "machines/clock.yaml"};
  const char *part = strstr(path, "/models/contact/");
  for (size_t i = 0; part && i < sizeof place / sizeof *place; i++) {
    if (strstr(part, place[i])) return 1;
  }
  return 0;
}


static glob_t leave_rolling_out(glob_t files)
{
  size_t n = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    char *path = files.gl_pathv[i];
    if (!is_left_out(path)) {
      files.gl_pathv[i] = files.gl_pathv[n];
      files.gl_pathv[n++] = path;
    }
  }
  for (size_t i = n; i < files.gl_pathc; i++) {
    free(files.gl_pathv[i]);
    files.gl_pathv[i] = NULL;
  }
  files.gl_pathc = n;
  return files;
}


glob_t folder_models(int depth)
{
  glob_t files = {0};
  char pattern[400] = ART_SOURCE_DIR "/models";
  for (int i = 0; i <= depth; i++) {
    const size_t end = strlen(pattern);
    strcat(pattern, "/*.yaml");
    CHECK(glob(pattern, i ? GLOB_APPEND : 0, NULL, &files) == 0);
    strcpy(pattern + end, "/*");
  }
  return leave_rolling_out(files);
}


void folder_write(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  if (!CHECK(file)) return;
  fputs(text, file);
  fclose(file);
}


int folder_run(const char *folder, const char *format, ...)
{
  char command[1000], whole[1400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  snprintf(whole, sizeof whole, "cd %s && ( %s ) 2> said || { head -20 said; false; }", folder,
           command);
  return CHECK(system(whole) == 0);
}


int folder_remove(const char *folder)
{
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) == 0;
}
