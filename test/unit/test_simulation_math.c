// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The work of generated simulators between steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit/simulation_math.h"
#include "support/check.h"


// Start values of a unit are the numbers that it begins at: normalising a second time changes nothing.
TEST(quaternions_of_length_one_stay_as_they_are)
{
  static const int places[] = {0};
  srand(1);
  for (int n = 0; n < 100000; n++) {
    double e[4], again[4];
    for (int i = 0; i < 4; i++) e[i] = 2.0 * rand() / RAND_MAX - 1;
    unit_quaternions(1, places, e);
    memcpy(again, e, sizeof e);
    unit_quaternions(1, places, again);
    if (!CHECK(memcmp(again, e, sizeof e) == 0)) return;
    CHECK(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1) < 1.5e-15);
  }
}
