// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Every vehicle by every method: the same motion to the order of the method, loops closed, energy balanced.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/simulate.h"

enum { MOST = 160 };

typedef struct vehicle {
  const char *name;
  double until, step; // s; of fourth-order steps
} vehicle;

static const vehicle vehicles[] = {
    {"iltis-bump", 0.06, 1e-3},    {"van", 0.04, 1e-3},       {"truck", 0.05, 1e-3},
    {"multilink-car", 0.04, 1e-3}, {"motorcycle", 0.1, 1e-3}, {"bogie", 0.05, 5e-4},
};
enum { VEHICLES = sizeof vehicles / sizeof *vehicles };

// where a vehicle is at the end, and what the run says of itself
typedef struct journey {
  int nq;
  double q[MOST];
  artCertificate c;
} journey;

//---- help ----------------------------------------------------------------------------------------

// by steps of one length, or with error control (0)
static artRunDef study_of(const vehicle *v, artMethod method, double step)
{
  artRunDef study = art_default_run();
  study.until = v->until, study.method = method, study.step = step;
  study.integrator = step > 0 ? ART_RK4 : ART_DOPRI5;
  study.tolerance = art_method_is_natural(method) ? 1e-10 : 1e-11;
  if (method == ART_CONSERVING) study.projections = ART_PROJECTIONS_YES;
  return study;
}


static bool travel(const vehicle *v, artMethod method, double step, journey *end)
{
  char path[512];
  simulation s = {0};
  const artRunDef study = study_of(v, method, step);
  snprintf(path, sizeof path, "vehicles/%s", v->name);
  bool ok = simulation_begin(&s, path, &study) && CHECK((end->nq = art_count(s.model).nq) <= MOST);
  for (int k = 1; ok && k <= 10; k++) {
    ok = CHECK_WORKS(art_run_to(s.run, v->until * k / 10, &check_error));
  }
  if (ok) {
    end->c = art_certify(s.run);
    memcpy(end->q, s.data->q, (size_t) end->nq * sizeof *end->q);
  } else {
    printf("  %s by %s: %s\n", v->name, art_method_name(method), check_error.text);
  }
  return ok;
}


static double distance(const journey *a, const journey *b)
{
  double most = 0;
  for (int k = 0; k < a->nq; k++) most = check_larger(most, fabs(a->q[k] - b->q[k]));
  return most;
}


static void check_loops(const vehicle *v, artMethod method, const artCertificate *c, double enough)
{
  if (CHECK(c->position_residual <= enough && c->velocity_residual <= enough)) return;
  printf("  %s by %s: loops open by %g m, %g m/s\n", v->name, art_method_name(method),
         c->position_residual, c->velocity_residual);
}


static void check_energy(const vehicle *v, artMethod method, const artCertificate *c, double share)
{
  if (CHECK(c->energy_error <= share * c->energy_scale)) return;
  printf("  %s by %s: energy %g of %g J\n", v->name, art_method_name(method), c->energy_error,
         c->energy_scale);
}

//---- tests ---------------------------------------------------------------------------------------

TEST(relative_coordinates_agree_whatever_solves_for_accelerations)
{
  static const artMethod methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  for (int i = 0; i < VEHICLES; i++) {
    const vehicle *v = &vehicles[i];
    journey want, fine, coarse;
    if (!travel(v, ART_SEMIRECURSIVE, 0, &want)) continue;
    for (int k = 0; k < 3; k++) {
      if (!travel(v, methods[k], 0, &fine) || !travel(v, methods[k], v->step, &coarse)) continue;
      const double off[2] = {distance(&fine, &want), distance(&coarse, &want)};
      if (!CHECK(off[0] < 1e-9 && off[1] < 1e-7)) {
        printf("  %s by %s: off by %g and %g\n", v->name, art_method_name(methods[k]), off[0],
               off[1]);
      }
      check_loops(v, methods[k], &fine.c, 1e-12);
      check_loops(v, methods[k], &coarse.c, 1e-12);
      CHECK(coarse.c.acceleration_residual < 1e-10);
      check_energy(v, methods[k], &coarse.c, 1e-8);
    }
  }
}


TEST(natural_coordinates_come_near_it_in_the_second_order)
{
  static const artMethod methods[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  for (int i = 0; i < VEHICLES; i++) {
    const vehicle *v = &vehicles[i];
    journey want, whole, half;
    if (!travel(v, ART_SEMIRECURSIVE, 0, &want)) continue;
    for (int k = 0; k < 3; k++) {
      if (!travel(v, methods[k], 2e-3, &whole) || !travel(v, methods[k], 1e-3, &half)) continue;
      const double order = log2(distance(&whole, &want) / distance(&half, &want));
      if (!CHECK(order > 1.7 && order < 2.3)) {
        printf("  %s by %s: order %g\n", v->name, art_method_name(methods[k]), order);
      }
      check_loops(v, methods[k], &half.c, 1e-9);
      check_energy(v, methods[k], &half.c, methods[k] == ART_CONSERVING ? 1e-9 : 1e-6);
    }
  }
}


TEST(steps_steered_by_the_energy_keep_loops_closed)
{
  for (int i = 0; i < VEHICLES; i++) {
    journey end;
    if (!travel(&vehicles[i], ART_MULTI_INDEX, 0, &end)) continue;
    check_loops(&vehicles[i], ART_MULTI_INDEX, &end.c, 1e-9);
    check_energy(&vehicles[i], ART_MULTI_INDEX, &end.c, 1e-4);
  }
}
