// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The size of a terminal.
#ifndef WINDOWS_SYS_IOCTL_H
#define WINDOWS_SYS_IOCTL_H

struct winsize {
  int ws_row, ws_col;
};
enum { TIOCGWINSZ };
int ioctl(int fd, int request, struct winsize *size);

#endif
