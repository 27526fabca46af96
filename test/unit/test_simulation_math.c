// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The work of generated simulators between steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit/machine/simulation_math.h"
#include "step/runge_kutta.h"
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


// The last two steps before the end are equally long, so that none is a small rest.
TEST(steps_come_to_an_end_without_a_small_rest)
{
  CHECK_CLOSE(rk_cut_length(0.3, 1, 2), 0.3, 0);
  CHECK_CLOSE(rk_cut_length(0.6, 1, 2), 0.5, 0);
  CHECK_CLOSE(rk_cut_length(0.9995, 1, 2), 1, 0);
  CHECK_CLOSE(rk_cut_length(7, 1, 2), 1, 0);
}


TEST(lengths_follow_the_error)
{
  CHECK_CLOSE(rk_length_in_view(0.1, 0.1, 1, 5), 0.09, 1e-15);
  CHECK_CLOSE(rk_length_in_view(0.1, 0.1, 1 / 32.0, 5), 0.18, 1e-15);
  CHECK_CLOSE(rk_length_in_view(0.1, 0.1, 0, 5), 0.5, 1e-15);
  CHECK_CLOSE(rk_length_in_view(0.1, 0.1, 8, 3), 0.045, 1e-15);

  // one that was cut says nothing against a longer one, unless its own error was too large
  CHECK_CLOSE(rk_length_in_view(0.1, 0.01, 1e-3, 5), 0.1, 0);
  CHECK_CLOSE(rk_length_in_view(0.1, 0.01, 1, 5), 0.009, 1e-15);

  // errors that are no numbers
  CHECK_CLOSE(rk_length_in_view(0.1, 0.1, NAN, 5), 0.02, 1e-15);
  CHECK_CLOSE(rk_length_in_view(0.1, 0.05, HUGE_VAL, 5), 0.01, 1e-15);
  CHECK(rk_is_stuck(1e-15, 0) && !rk_is_stuck(1e-12, 5));
}
