// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A folder of a test's own, and commands in it.
#include "support/folder.h"

#include <stdarg.h>
#include <stdlib.h>

#include "support/check.h"


FILE *folder_open(const char *folder, const char *name, const char *mode)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return fopen(path, mode);
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
