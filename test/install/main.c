// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The smallest program that uses the installed library.
#include <stdio.h>

#include "articula/base.h"


int main(void)
{
  printf("%s\n", art_version());
  return 0;
}
