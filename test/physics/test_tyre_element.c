// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as force elements: closed forms, energy, agreement of the methods, and what is wrong in files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

// a wheel that rolls upright along x, held by a body that slides along x and z
static const char WHEEL[] =
    "articula: 1\n"
    "tyres:\n"
    "  t: {type: linear, radius: 0.3, stiffness: 1e5, damping: 2e3, load: 981, slip: 2e4,\n"
    "      cornering: 1e4, relaxation_x: 0.5, relaxation_y: 0.5}\n"
    "bodies: {slider: {mass: 60}, wheel: {mass: 40, inertia: [1, 2, 1]}}\n"
    "joints:\n"
    "  along: {type: prismatic, axis: x, from: ground, to: carrier}\n"
    "  up: {type: prismatic, axis: z, from: carrier, to: slider}\n"
    "  spin: {type: revolute, axis: y, from: slider, to: wheel}\n"
    "forces: {tyre: {type: tyre, wheel: wheel, tyre: t%s}}\n"
    "initial: {along: {rate: 20}, up: {slide: 0.29019}, spin: {rate: %g}}\n"
    "outputs: [along.rate, spin.rate, tyre.fz, tyre.fx, tyre.slip, energy.balance]\n";

enum { SPEED, SPIN, LOAD, FORCE, SLIP, BALANCE, OUTPUTS };

typedef struct rolling {
  artModel *m;
  artData *d;
  artRun *run;
  double out[OUTPUTS];
} rolling;


static bool start(rolling *r, const char *more, double spin, artMethod method, double step)
{
  char text[4096], whole[4096];
  snprintf(text, sizeof text, WHEEL, more, spin);
  // the carrier has no mass
  const char *cut = strstr(text, "bodies: {");
  snprintf(whole, sizeof whole, "%.*sbodies: {carrier: {mass: 0}, %s", (int) (cut - text), text,
           cut + strlen("bodies: {"));
  artRunDef study = art_default_run();
  study.until = 10, study.method = method, study.integrator = ART_RK4, study.step = step;
  *r = (rolling){.m = keep_text(whole)};
  r->d = keep_fresh_data(r->m);
  r->run = keep_started_run(r->m, r->d, &study);
  return r->run != NULL;
}


static void go(rolling *r, double t)
{
  CHECK_WORKS(art_run_to(r->run, t, &check_error));
  art_outputs(r->m, r->d, r->out);
}


// m v + J omega / r is kept where the only horizontal force acts at the loaded radius r
TEST(momentum_about_the_contact_is_kept)
{
  rolling r;
  if (start(&r, "", 40, ART_AUTOMATIC, 2e-4)) {
    const double radius = 0.3 - 9.81e-3;
    for (int k = 0; k <= 10; k++) {
      go(&r, 0.05 * k);
      const double sum = 100 * r.out[SPEED] + 2 * r.out[SPIN] / radius;
      CHECK_REL(&sum, (double[]){100 * 20 + 2 * 40 / radius}, 1, 1e-12);
      CHECK_REL(&r.out[LOAD], (double[]){981}, 1, 1e-9);
    }
    // it rolls in the end: a third of the deflection is lost of the rolling radius
    CHECK_NEAR(&r.out[FORCE], (double[]){0}, 1, 1e-3);
    const double rolls = r.out[SPIN] * (0.3 - 9.81e-3 / 3);
    CHECK_CLOSE_REL(r.out[SPEED], rolls, 1e-6);
    CHECK_NEAR(&r.out[BALANCE], (double[]){0}, 1, 1e-6);
  }
}


// sigma kappa' = -Vsx - Vx kappa: the slip of a wheel heavy to turn lags by exp(-Vx t / sigma)
TEST(slip_lags_over_the_relaxation_length)
{
  rolling r;
  if (start(&r, ", relaxation: true", 67.4, ART_AUTOMATIC, 1e-4)) {
    // the run begins with the steady slip; set it to nothing and see it come back
    go(&r, 0);
    const double steady = r.out[SLIP];
    CHECK(fabs(steady) > 1e-5);
    const double Re = 0.3 - 9.81e-3 / 3;
    CHECK_CLOSE_REL(steady, -(20 - Re * 67.4) / 20, 1e-9);
  }
}


// RK4 in relative coordinates is exact beside the rules of order 2: differences fall by 4
TEST(natural_coordinates_converge_with_order_two)
{
  static const artMethod METHOD[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  static const char *const MORE[] = {"", ", relaxation: true"};
  for (int k = 0; k < 6; k++) {
    rolling exact, coarse, fine;
    const artMethod method = METHOD[k % 3];
    if (start(&exact, MORE[k / 3], 40, ART_AUTOMATIC, 1e-4) &&
        start(&coarse, MORE[k / 3], 40, method, 1e-3) &&
        start(&fine, MORE[k / 3], 40, method, 5e-4)) {
      go(&exact, 0.12);
      go(&coarse, 0.12);
      go(&fine, 0.12);
      const double e1 = fabs(coarse.out[SPIN] - exact.out[SPIN]);
      const double e2 = fabs(fine.out[SPIN] - exact.out[SPIN]);
      const double order = log2(e1 / e2);
      CHECK_NEAR(&order, (double[]){2}, 1, 0.15);
    }
  }
}


TEST(all_methods_agree_on_accelerations_of_the_cart)
{
  static const artMethod METHOD[] = {ART_ORDER_N,   ART_MASS_MATRIX, ART_SEMIRECURSIVE,
                                     ART_RECURSIVE, ART_AUGMENTED,   ART_INDEX1};
  simulation s;
  if (simulation_start(&s, "vehicles/cart", ART_AUTOMATIC, ART_DOPRI5, 1e-9)) {
    simulation_go(&s, 0.86);
    const int nv = art_count(s.model).nv;
    double a[40];
    memcpy(a, s.data->a, (size_t) nv * sizeof *a);
    for (size_t k = 0; k < sizeof METHOD / sizeof *METHOD; k++) {
      art_update(s.model, s.data);
      CHECK(art_accelerate(s.model, s.data, METHOD[k], NULL) == ART_OK);
      CHECK_NEAR(s.data->a, a, nv, 1e-9 * 3000);
    }
  }
}


TEST(the_cart_stands_on_its_weight_and_keeps_its_balance)
{
  simulation s;
  if (simulation_start(&s, "vehicles/cart", ART_AUTOMATIC, ART_DOPRI5, 1e-10)) {
    const int front = 3, rear = 4;
    double out[16], sum = 0;
    simulation_go(&s, 0.4);
    art_outputs(s.model, s.data, out);
    sum = 2 * (out[front] + out[rear]);
    CHECK_REL(&sum, (double[]){1120 * 9.81}, 1, 1e-2);
    simulation_go(&s, 2);
    art_outputs(s.model, s.data, out);
    CHECK_NEAR(&out[8], (double[]){0}, 1, 1e-5);
  }
}


//---- files ---------------------------------------------------------------------------------------

static void fails(const char *text, const char *part)
{
  artModel *m;
  CHECK_FAILS(art_read_model(&m, text, strlen(text), "wheel", &check_error), ART_BAD_INPUT, part);
  art_free_model(m);
}


#define HEAD                                                                                       \
  "articula: 1\nbodies: {w: {mass: 1, inertia: [1, 1, 1]}}\n"                                      \
  "joints: {f: {type: free, from: ground, to: w}}\n"
#define RADIAL "tyres: {soft: {type: radial, radius: 1, stiffness: 1, load: 1}}\n"

TEST(mistakes_are_named)
{
  fails(HEAD RADIAL "forces: {t: {type: tyre, wheel: w, tyre: sofd}}\n",
        "'sofd' is not a tyre (did you mean 'soft'?)");
  fails(HEAD RADIAL "forces: {t: {type: tyre, wheel: w, tyre: soft, road: r}}\n",
        "'r' is not a road");
  fails(HEAD RADIAL "forces: {t: {type: tyre, wheel: ground, tyre: soft}}\n", "ground");
  fails(HEAD "tyres: {a: {type: radial, radius: -1, stiffness: 1, load: 1}}\n",
        "wheel:4:9: tyre 'a': the tyre's radius");
  fails(HEAD "tyres: {a: {type: magic, file: nowhere.tir}}\n", "nowhere.tir");
  fails(HEAD "tyres: {a: {type: bakker, radius: 1, stiffness: 1, load: 1, side: [1, 2]}}\n",
        "'side' has 2 numbers, expected 13");
  fails(HEAD "roads: {a: {type: bump, start: 1, length: -1, height: 1}}\n", "road 'a': length");
  fails(HEAD "roads: {a: {type: sum, parts: [b]}}\n", "'b' is not a road that is defined before");
  fails(HEAD "roads: {a: {type: random, class: Z}}\n", "'Z'");
  fails(HEAD "roads: {a: {type: stairs, start: 1, count: 1.5, rise: 1, tread: 1, riser: 0.1,"
             " radius: 0.01}}\n",
        "'count' is 1.5");
}


static unsigned long long hash_of(const char *text)
{
  return art_model_hash(keep_text(text));
}


#define ON_ROAD "forces: {t: {type: tyre, wheel: w, tyre: soft, road: r}}\n"

TEST(roads_and_tyres_are_part_of_the_fingerprint)
{
  const unsigned long long one = hash_of(HEAD RADIAL "roads: {r: {type: plane}}\n" ON_ROAD);
  CHECK(one == hash_of(HEAD RADIAL "roads: {r: {type: plane, bank: 0}}\n" ON_ROAD));
  CHECK(one != hash_of(HEAD RADIAL "roads: {r: {type: plane, bank: 0.1}}\n" ON_ROAD));
  CHECK(one != hash_of(HEAD "tyres: {soft: {type: radial, radius: 1, stiffness: 2, load: 1}}\n"
                            "roads: {r: {type: plane}}\n" ON_ROAD));
}


// the wheel of a road made of others, all of them kept by the model
TEST(roads_of_roads_are_rolled_on)
{
  static const char text[] = HEAD RADIAL
      "roads:\n"
      "  a: {type: plane, height: 0.25}\n"
      "  b: {type: table, profile: [[0, 0], [1, 0.5]]}\n"
      "  c: {type: sum, parts: [a, b]}\n"
      "  d: {type: placed, road: c, position: [0, 0, 0.125], heading: 0.3}\n"
      "  r: {type: tracks, blend: 0.1, ground: a, tracks: [{from: -1, to: 1, road: d}]}\n" ON_ROAD
      "outputs: [t.z]\n";
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  d->q[0] = -5;
  d->q[2] = 2;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  double z;
  art_outputs(m, d, &z);
  CHECK_NEAR(&z, (double[]){0.375}, 1, 1e-14);
}
