// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reduction to the free coordinates: operations beside published ones, and accelerations beside numbers where inertias
// that stand alone are taken out of sums.
#include <stdio.h>

#include "support/oracle.h"
#include "support/programs.h"

typedef struct counted {
  int total, reduction; // operations of `accelerate`
} counted;


static counted count(const char *model, const genOptions *options, const char *function)
{
  artModel *m = keep_machine(model);
  uint64_t seed = 7;
  const eqnProgram *p = keep_program(m, keep_fresh_data(m), options);
  const eqnList *list = keep_function(p, function, NULL);
  CHECK(oracle_compare(m, p, 3, &seed, NULL, NULL) > 1);
  return (counted){list->total.total, list->group[GROUP_REDUCTION].total};
}


static void hold(const char *model, genParameters parameters, counted most)
{
  // the angle of an arm that is 0, rods without mass, and masses of 1 kg, which were numbers where the figures come from
  static const char *const frozen[] = {"arm1/a",     "arm2/a",     "arm3/a",    "arm1/m2",
                                       "arm2/m2",    "arm3/m2",    "m2",        "body3.mass",
                                       "body4.mass", "body6.mass", "body7.mass"};
  const genOptions options = {
      .forms = GEN_ACCELERATE, .parameters = parameters, .nfreeze = 11, .freeze = frozen};
  const counted c = count(model, &options, "accelerate");
  const int total = CHECK(c.total > 0 && c.total <= most.total);
  if (!CHECK(c.reduction <= most.reduction) || !total) {
    printf("%s: %d operations, %d of the reduction\n", model, c.total, c.reduction);
  }
}


// figures of Postiau (2004): planar robots of section 2.7, and table 2.1
TEST(operations_of_loops_are_no_more_than_published)
{
  for (int k = GEN_CLASSICAL; k <= GEN_BARYCENTRIC; k++) {
    hold("loops/planar-robot-1", (genParameters) k, (counted){1447, 1447});
    hold("loops/planar-robot-2", (genParameters) k, (counted){861, 861});
    hold("loops/planar-robot-3", (genParameters) k, (counted){845, 845});
    hold("loops/planar-robot-4", (genParameters) k, (counted){772, 772});
    hold("generator/delta-massless", (genParameters) k, (counted){1002, 60});
  }
}


// section 2.7 again: with multipliers, and the last modelling with every facility
TEST(operations_with_multipliers_are_no_more_than_published)
{
  static const struct {
    const char *model;
    int total;
  } table[] = {{"loops/planar-robot-1", 1917},
               {"loops/planar-robot-2", 1202},
               {"loops/planar-robot-3", 1303},
               {"loops/planar-robot-4", 900}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const genOptions options = {.forms = GEN_ACCELERATE | GEN_AUGMENTED,
                                .parameters = GEN_BARYCENTRIC};
    const int total = count(table[i].model, &options, "augmented").total;
    if (!CHECK(total > 0 && total <= table[i].total)) printf("%s: %d\n", table[i].model, total);
  }
  hold("loops/planar-robot-4", GEN_BARYCENTRIC, (counted){499, 499});
}


// counts as they are, so that none of them grows unseen
TEST(known_accelerations_go_by_the_products_that_inertia_has_anyhow)
{
  static const struct {
    const char *model;
    int total;
  } table[] = {{"loops/four-bar", 126},         {"loops/seven-body", 537},
               {"loops/delta", 1456},           {"loops/stewart", 4538},
               {"loops/geared-five-bar", 198},  {"loops/delta-rods", 3040},
               {"loops/planar-robot-1", 905},   {"benchmarks/slider-crank", 84},
               {"benchmarks/andrews", 405},     {"benchmarks/spatial-slider-crank", 264},
               {"benchmarks/four-bars-2", 199}, {"benchmarks/spatial-slider-crank-haug", 282}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    hold(table[i].model, GEN_CLASSICAL, (counted){table[i].total, table[i].total});
  }
  hold("generator/stewart-massless", GEN_CLASSICAL, (counted){2708, 355});
}


// numbers are the same node wherever they are equal: with six legs alike c is taken out of 21 sums, not into 36 entries
TEST(an_inertia_that_many_have_is_taken_out_of_sums)
{
  static const char *const rotor[] = {"rotor"};
  const genOptions options = {.forms = GEN_ACCELERATE, .nfreeze = 1, .freeze = rotor};
  CHECK_EQ_INT(count("generator/stewart-massless", &options, "accelerate").reduction, 340);
}


// with equal legs that share their inertia; 330 is what table 2.1 prints for a Stewart platform
TEST(equal_legs_take_no_more_than_published)
{
  const genOptions options = {.forms = GEN_ACCELERATE, .share = 1};
  const counted bare = count("generator/stewart-bare", &options, "accelerate");
  CHECK(bare.total <= 2659 && bare.reduction <= 330);
  const counted sprung = count("generator/stewart-massless", &options, "accelerate");
  CHECK(sprung.total <= 2687 && sprung.reduction <= 340);
}
