// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The browser of the user, by xdg-open. tools/windows/browser.c replaces this file on Windows.
#include "browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>


// is there a screen, and a program of this name on the path?
static int has_browser(void)
{
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "command -v xdg-open > /dev/null", (char *) NULL);
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}


int browser_open(const char *address)
{
  if (!has_browser()) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    // twice removed, so that nobody has to wait for it; its chatter goes nowhere
    if (fork() != 0) _exit(0);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nowhere >= 0; fd++) dup2(nowhere, fd);
    setsid();
    execlp("xdg-open", "xdg-open", address, (char *) NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
  return 1;
}
