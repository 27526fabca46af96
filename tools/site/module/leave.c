// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth: the page calls it, and catches what it throws itself (viewer/src/play/leave.ts).
#include "base/leave.h"

#define FROM_PAGE(name) __attribute__((import_module("articula"), import_name(name)))

FROM_PAGE("attempt") int page_attempt(void (*work)(void *context), void *context);
FROM_PAGE("leave") _Noreturn void page_leave(void);


bool leave_attempt(void (*work)(void *context), void *context)
{
  return page_attempt(work, context);
}


_Noreturn void leave_work(void)
{
  page_leave();
}
