// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sockets of the loopback address, which programs of this computer alone reach.
#ifndef CLI_LOOPBACK_H
#define CLI_LOOPBACK_H

// A socket that listens; *port is the one that the system chose where it was 0. Negative: it cannot.
int loopback_listen(int *port);

// End both directions of a connection, whose owner closes it.
void loopback_shut(int fd);

void loopback_close(int fd);

#endif
