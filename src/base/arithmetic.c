// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Floating-point environment: saved and restored.
#include "base/arithmetic.h"


void arithmetic_enter(baseArithmetic *own)
{
  fegetenv(&own->host);
  fesetenv(FE_DFL_ENV);
}


void arithmetic_set_usual(void)
{
  fesetenv(FE_DFL_ENV);
}


void arithmetic_leave(const baseArithmetic *own)
{
  fesetenv(&own->host);
}
