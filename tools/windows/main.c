// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The start of the command: paths of its call get slashes, its console speaks UTF-8.
#include <windows.h>

#include <posix.h>

#include "command.h"

// main of cli/main.c
int articula_main(int argc, char **argv);


// words with wildcards are names of channels and come as they are
int _CRT_glob;


int main(int argc, char **argv)
{
  SetConsoleOutputCP(CP_UTF8);
  _setmode(STDIN_FILENO, _O_BINARY);
  _setmode(STDOUT_FILENO, _O_BINARY);
  _setmode(STDERR_FILENO, _O_BINARY);
  for (int i = 1; i < argc; i++) {
    for (char *c = argv[i]; *c; c++) {
      if (*c == '\\') *c = '/';
    }
  }
  return articula_main(argc, argv);
}


// no library of the command takes memory ahead (cli/room.c)
bool room_is_limited(void)
{
  return false;
}


void room_take(int threads)
{
  (void) threads;
}
