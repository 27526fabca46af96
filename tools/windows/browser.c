// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The browser of the user, in place of cli/view/browser.c.
#include "browser.h"

#include <windows.h>

#include <shellapi.h>


// above 32: it was started
int browser_open(const char *address)
{
  return (INT_PTR) ShellExecuteA(NULL, "open", address, NULL, NULL, SW_SHOWNORMAL) > 32;
}
