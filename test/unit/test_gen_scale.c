// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cost of generating, counted in recorded operations, which time follows: no pass grows faster than
// the equations do. Times are in doc/reports/generator.md.
#include <stdio.h>

#include "articula/articula.h"
#include "support/models.h"
#include "support/programs.h"

typedef struct effort {
  long long recorded;
  int operations, equations; // of the function
} effort;


// a function of one form of a model
static effort effort_of(const artModel *m, unsigned form, const char *function)
{
  const genOptions options = {.forms = form};
  eqnProgram *p = keep_program(m, keep_fresh_data(m), &options);
  const eqnList *list = keep_function(p, function, NULL);
  return (effort){p->pool->asked, list->total.total, list->n};
}


static effort effort_of_file(const char *name)
{
  artModel *m = keep_machine(name);
  return effort_of(m, GEN_ACCELERATE, "accelerate");
}


static effort effort_of_chain(int n, unsigned form, const char *function)
{
  artModel *m = keep_model(model_chain(n));
  return effort_of(m, form, function);
}


// 58 bodies and 40 rows on ten tyres; 87 bodies and 55 rows on sixteen; 81 bodies and 200 rows
TEST(looped_machines_of_eighty_bodies_stay_small)
{
  const effort truck = effort_of_file("vehicles/truck");
  const effort train = effort_of_file("vehicles/road-train");
  const effort bars = effort_of_file("benchmarks/four-bars-40");
  CHECK(truck.recorded > 0 && truck.recorded < 130000 && truck.operations < 45000);
  CHECK(train.recorded > 0 && train.recorded < 220000 && train.operations < 75000);
  CHECK(bars.recorded > 0 && bars.recorded < 30000 && bars.operations < 5000);
}


TEST(two_hundred_joints_take_twice_what_a_hundred_take)
{
  const unsigned forms[] = {GEN_INVERSE, GEN_FORWARD_N, GEN_ACCELERATE};
  const char *const names[] = {"inverse", "forward_n", "accelerate"};
  for (int i = 0; i < 3; i++) {
    const effort half = effort_of_chain(100, forms[i], names[i]);
    const effort whole = effort_of_chain(200, forms[i], names[i]);
    CHECK((double) whole.recorded < 2.1 * (double) half.recorded);
    CHECK(whole.operations < 2.1 * half.operations && whole.equations < 2.1 * half.equations);
  }
}
