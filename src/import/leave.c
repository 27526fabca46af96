// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work that may be left from its depth: by longjmp, which pages in a browser do not have (tools/site/module/leave.c).
#include "import/leave.h"

#include <setjmp.h>

static _Thread_local jmp_buf out;


bool leave_attempt(void (*work)(void *context), void *context)
{
  if (setjmp(out)) return false;
  work(context);
  return true;
}


_Noreturn void leave_work(void)
{
  longjmp(out, 1);
}
