// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The browser of the user.
#ifndef CLI_BROWSER_H
#define CLI_BROWSER_H

// Show an address in the browser; 0 when there is none.
int browser_open(const char *address);

#endif
