// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sockets of the loopback address. tools/windows/loopback.c replaces this file on Windows.
#include "loopback.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>


int loopback_listen(int *port)
{
  struct sockaddr_in here = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t) *port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof here;
  const int again = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again) != 0 ||
      bind(fd, (struct sockaddr *) &here, sizeof here) != 0 || listen(fd, SOMAXCONN) != 0 ||
      getsockname(fd, (struct sockaddr *) &here, &size) != 0) {
    close(fd);
    return -1;
  }
  *port = ntohs(here.sin_port);
  return fd;
}


void loopback_shut(int fd)
{
  (void) shutdown(fd, SHUT_RDWR);
}


void loopback_close(int fd)
{
  (void) close(fd);
}
