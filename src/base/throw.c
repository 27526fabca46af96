// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Non-local exit by longjmp, which web browsers lack (tools/site/module/leave.c).
#include "base/throw.h"

#include <setjmp.h>
#include <stdlib.h>

static _Thread_local jmp_buf *way_out;


bool error_catch(void (*work)(void *context), void *context)
{
  jmp_buf own, *const outer = way_out;
  way_out = &own;
  if (setjmp(own)) {
    way_out = outer;
    return false;
  }
  work(context);
  way_out = outer;
  return true;
}


_Noreturn void error_throw(void)
{
  if (!way_out) abort(); // called outside error_catch
  longjmp(*way_out, 1);
}
