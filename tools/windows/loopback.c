// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sockets of the loopback address, in place of cli/view/loopback.c.
#include "loopback.h"

#include <winsock2.h>


int loopback_listen(int *port)
{
  WSADATA about;
  struct sockaddr_in here = {.sin_family = AF_INET,
                             .sin_port = htons((unsigned short) *port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int size = sizeof here;
  const BOOL is_alone = TRUE;
  if (WSAStartup(MAKEWORD(2, 2), &about) != 0) return -1;
  const SOCKET own = socket(AF_INET, SOCK_STREAM, 0);
  if (own == INVALID_SOCKET) return -1;
  // another program must not listen at the same port
  if (setsockopt(own, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *) &is_alone, sizeof is_alone) !=
          0 ||
      bind(own, (struct sockaddr *) &here, sizeof here) != 0 || listen(own, SOMAXCONN) != 0 ||
      getsockname(own, (struct sockaddr *) &here, &size) != 0) {
    closesocket(own);
    return -1;
  }
  *port = ntohs(here.sin_port);
  return (int) own;
}


void loopback_shut(int fd)
{
  (void) shutdown((SOCKET) fd, SD_BOTH);
}


void loopback_close(int fd)
{
  (void) closesocket((SOCKET) fd);
}
