// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth: the page calls it, and catches what it throws itself (viewer/src/play/leave.ts).
#include "base/throw.h"

#define FROM_PAGE(name) __attribute__((import_module("articula"), import_name(name)))

FROM_PAGE("attempt") int page_attempt(void (*work)(void *context), void *context);
FROM_PAGE("leave") _Noreturn void page_leave(void);


bool error_catch(void (*work)(void *context), void *context)
{
  return page_attempt(work, context);
}


_Noreturn void error_throw(void)
{
  page_leave();
}
