// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres made from numbers: Calspan, Bakker-Pacejka 1987, linear, radial.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "articula/tyre.h"
#include "support/check.h"
#include "support/keep.h"

static const double degree = 0.017453292519943295;

// the tyres of the Iltis benchmark (Frik, Leister and Schwartz, Vehicle System Dynamics 22, 1993)
static const artCalspanTyre iltis = {.radial = {0.364325, 460000, 0, 3829.6},
                                     .A0 = 2625,
                                     .A1 = 14.47,
                                     .A2 = 12930,
                                     .A3 = 2.29,
                                     .A4 = 18175,
                                     .Aomega = 1,
                                     .B1 = -0.464e-4,
                                     .B3 = 1.216,
                                     .B4 = 2.18e-11,
                                     .SN = 1.0274,
                                     .AF1 = -0.171e-4,
                                     .AF2 = 0.171e-4};

static const artLinearTyre simple = {.radial = {0.3, 2e5, 500, 4000},
                                     .slip = 80000,
                                     .cornering = 60000,
                                     .camber = 5000,
                                     .trail = 0.04,
                                     .friction = 0.9};


static artTyre *calspan(void)
{
  artTyre *tyre;
  CHECK(art_create_calspan_tyre(&tyre, &iltis, NULL) == ART_OK);
  return tyre;
}


static artTyre *linear(void)
{
  artTyre *tyre;
  CHECK(art_create_linear_tyre(&tyre, &simple, NULL) == ART_OK);
  return tyre;
}


static artTyre *bakker(void)
{
  artBakkerTyre data = art_default_bakker_tyre();
  data.radial = (artRadialTyre){0.3, 2e5, 500, 4000};
  artTyre *tyre;
  CHECK(art_create_bakker_tyre(&tyre, &data, NULL) == ART_OK);
  return tyre;
}


static artTyreForce force(const artTyre *tyre, double load, double kappa, double alpha,
                          double gamma)
{
  const artTyreInput in = {load, kappa, alpha, gamma, 20, 0};
  return art_evaluate_tyre(tyre, &in);
}

//---- Calspan -------------------------------------------------------------------------------------

// The benchmark's linear tyre at 20 m/s: cornering and camber stiffness and trail, front and rear, at the
// loads of equilibrium. Its digits allow 2e-4.
TEST(the_iltis_tyre_has_the_stiffnesses_of_the_benchmark)
{
  static const double load[2] = {3831.31, 3591.91};
  static const double want[2][3] = {{41641, 6925, 0.06553}, {40162, 6600, 0.06142}};
  artTyre *tyre = keep_tyre(calspan());
  for (int i = 0; i < 2; i++) {
    const artTyreInput in = {load[i], 0, 0, 0, 20, 0};
    double J[6][4];
    art_differentiate_tyre(tyre, &in, J);
    const double got[3] = {-J[1][1], -J[1][2], -J[5][1] / J[1][1]};
    CHECK_REL(got, want[i], 3, 3e-4);
  }
}


// the formula as printed in the benchmark, written once more
static double printed_force(double Fz, double alpha, double gamma)
{
  const artCalspanTyre *t = &iltis;
  const double f = (t->B1 * Fz + t->B3 + t->B4 * Fz * Fz) * t->SN;
  const double base = t->A1 * Fz * (Fz - t->A2) - t->A0 * t->A2;
  const double shift = -t->A2 * t->A3 * (t->A4 - Fz) * Fz / (t->A4 * base) * gamma;
  const double a = base / (t->A2 * f * Fz) * (alpha + shift);
  const double g = fabs(a) < 3 ? a - a * fabs(a) / 3 + a * a * a / 27 : copysign(1, a);
  return f * Fz * g;
}


TEST(the_iltis_tyre_follows_the_printed_formula)
{
  artTyre *tyre = keep_tyre(calspan());
  for (double load = 200; load < 12900; load += 650) {
    for (double alpha = -0.5; alpha < 0.51; alpha += 0.05) {
      for (double gamma = -0.1; gamma < 0.11; gamma += 0.05) {
        const artTyreForce f = force(tyre, load, 0, alpha, gamma);
        const double Fy = printed_force(load, alpha, gamma);
        const double want[] = {0, Fy, load, 0, 0, (iltis.AF1 * load + iltis.AF2 * fabs(Fy)) * Fy};
        const double got[] = {f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
        CHECK_NEAR(got, want, 6, 1e-9);
      }
    }
  }
}


// The nominal load: radius 0.356 m, free 0.364325 m in front, 0.363812 m behind.
TEST(the_iltis_tyre_has_the_nominal_loads_of_the_benchmark)
{
  static const double free[2] = {0.364325, 0.363812}, want[2] = {3829.6, 3593.6};
  for (int i = 0; i < 2; i++) {
    artTyre *tyre;
    const artRadialTyre radial = {free[i], 460000, 0, 3829.6};
    CHECK(art_create_radial_tyre(&tyre, &radial, NULL) == ART_OK);
    const artTyreDeflection d = {.depth = free[i] - 0.356};
    CHECK_CLOSE(art_tyre_load(tyre, &d), want[i], 0.1);
    art_free_tyre(tyre);
  }
}

//---- Bakker, Nyborg and Pacejka ------------------------------------------------------------------

// y = D sin(C atan(B phi)) with the coefficients of the paper at 4 kN worked out by hand
TEST(the_paper_tyre_has_its_curves)
{
  artTyre *tyre = keep_tyre(bakker());
  const double Fz = 4;
  const double D = -22.1 * Fz * Fz + 1011 * Fz, slope = 1078 * sin(1.82 * atan(0.208 * Fz));
  const double B = slope / (1.30 * D), E = -0.354 * Fz + 0.707, a = 3;
  const double phi = (1 - E) * a + E / B * atan(B * a);
  const double Fy = D * sin(1.30 * atan(B * phi));
  const double got = force(tyre, 4000, 0, -3 * degree, 0).Fy;
  CHECK_CLOSE_REL(got, Fy, 1e-12);

  const double Dx = -21.3 * Fz * Fz + 1144 * Fz,
               slope_x = (49.6 * Fz * Fz + 226 * Fz) * exp(-0.069 * Fz);
  const double Bx = slope_x / (1.65 * Dx), Ex = -0.006 * Fz * Fz + 0.056 * Fz + 0.486, k = 5;
  const double Fx = Dx * sin(1.65 * atan(Bx * ((1 - Ex) * k + Ex / Bx * atan(Bx * k))));
  CHECK_CLOSE_REL(force(tyre, 4000, 0.05, 0, 0).Fx, Fx, 1e-12);
  CHECK_CLOSE_REL(-force(tyre, 4000, -0.05, 0, 0).Fx, Fx, 1e-12);

  const double Dz = -2.72 * Fz * Fz - 2.28 * Fz,
               slope_z = (-1.86 * Fz * Fz - 2.73 * Fz) * exp(-0.110 * Fz);
  const double Bz = slope_z / (2.40 * Dz), Ez = -0.070 * Fz * Fz + 0.643 * Fz - 4.04;
  const double Mz = Dz * sin(2.40 * atan(Bz * ((1 - Ez) * a + Ez / Bz * atan(Bz * a))));
  const double got_z = force(tyre, 4000, 0, -3 * degree, 0).Mz;
  CHECK_CLOSE_REL(got_z, Mz, 1e-12);
  CHECK(got > 0 && got_z < 0);
}


TEST(camber_of_the_paper_tyre_leans_the_force)
{
  // SV = 14.8 Fz gamma and SH = 0.028 gamma in kN and degrees, B less by 0.022 |gamma|
  artTyre *tyre = keep_tyre(bakker());
  const double Fz = 4, g = 2;
  const double D = -22.1 * Fz * Fz + 1011 * Fz, slope = 1078 * sin(1.82 * atan(0.208 * Fz));
  const double B = slope / (1.30 * D) * (1 - 0.022 * g), E = -0.354 * Fz + 0.707, a = 0.028 * g;
  const double Fy = D * sin(1.30 * atan(B * ((1 - E) * a + E / B * atan(B * a)))) + 14.8 * Fz * g;
  CHECK_CLOSE_REL(force(tyre, 4000, 0, 0, -2 * degree).Fy, Fy, 1e-12);
}


TEST(both_slips_of_the_paper_tyre_share_the_friction)
{
  artTyre *tyre = keep_tyre(bakker());
  const artTyreForce side = force(tyre, 4000, 0, -0.1, 0), both = force(tyre, 4000, -0.1, -0.1, 0);
  const artTyreForce brake = force(tyre, 4000, -0.1, 0, 0);
  CHECK(both.Fy < 0.9 * side.Fy && both.Fy > 0 && both.Fx > 0.95 * brake.Fx && both.Fx < 0);
  CHECK(hypot(both.Fx, both.Fy) < 1.05 * check_larger(-brake.Fx, side.Fy));
}

//---- linear --------------------------------------------------------------------------------------

TEST(the_linear_tyre_is_linear_and_ends_in_friction)
{
  artTyre *tyre = keep_tyre(linear());
  const double small = 1e-6;
  const artTyreForce f = force(tyre, 4000, small, 2 * small, 3 * small);
  const double got[] = {f.Fx, f.Fy, f.Mz};
  const double Fy = -(2 * 60000 + 3 * 5000) * small, want[] = {80000 * small, Fy, -0.04 * Fy};
  CHECK_REL(got, want, 3, 1e-7);

  const artTyreForce far = force(tyre, 2000, 10, 1.2, 0);
  const double size = hypot(far.Fx, far.Fy), most = 0.9 * 2000;
  CHECK_CLOSE_REL(size, most, 1e-3);
  CHECK(size < most);
}

//---- all -----------------------------------------------------------------------------------------

static double largest_step(const artTyre *tyre, size_t offset, double a, double b, int n)
{
  artTyreInput in = {3000, 0.02, -0.05, 0.03, 0.4, 0};
  double *x = (double *) (void *) ((char *) &in + offset);
  artTyreForce last = {0};
  double worst = 0;
  for (int k = 0; k <= n; k++) {
    *x = a + (b - a) * k / n;
    const artTyreForce f = art_evaluate_tyre(tyre, &in);
    const double d[] = {f.Fx - last.Fx, f.Fy - last.Fy, f.Mx - last.Mx, f.My - last.My,
                        f.Mz - last.Mz};
    for (int i = 0; i < 5 && k > 0; i++) worst = check_larger(worst, fabs(d[i]));
    last = f;
  }
  return worst;
}


TEST(forces_are_continuous_in_every_input)
{
  static const struct {
    size_t offset;
    double a, b;
  } range[] = {{offsetof(artTyreInput, load), -50, 15000},
               {offsetof(artTyreInput, kappa), -1.5, 1.5},
               {offsetof(artTyreInput, alpha), -1.4, 1.4},
               {offsetof(artTyreInput, gamma), -0.2, 0.2},
               {offsetof(artTyreInput, speed), -3, 3}};
  artTyre *const tyres[] = {calspan(), bakker(), linear()};
  for (int t = 0; t < 3; t++) {
    for (int r = 0; r < 5; r++) {
      const double coarse = largest_step(tyres[t], range[r].offset, range[r].a, range[r].b, 2000);
      const double fine = largest_step(tyres[t], range[r].offset, range[r].a, range[r].b, 20000);
      CHECK(fine <= 0.15 * coarse);
    }
    art_free_tyre(tyres[t]);
  }
}


TEST(derivatives_agree_with_differences)
{
  artTyre *const tyres[] = {calspan(), bakker(), linear()};
  uint64_t seed = 5;
  for (int t = 0; t < 3; t++) {
    for (int n = 0; n < 50; n++) {
      const artTyreInput in = {check_uniform(&seed, 500, 9000), check_uniform(&seed, -0.3, 0.3),
                               check_uniform(&seed, -0.3, 0.3), check_uniform(&seed, -0.1, 0.1),
                               check_uniform(&seed, -2, 30),    0};
      static const double h[4] = {1e-6, 1e-6, 1e-6, 1e-2};
      double J[6][4];
      art_differentiate_tyre(tyres[t], &in, J);
      for (int k = 0; k < 4; k++) {
        artTyreInput low = in, high = in;
        double *const down[4] = {&low.kappa, &low.alpha, &low.gamma, &low.load};
        double *const up[4] = {&high.kappa, &high.alpha, &high.gamma, &high.load};
        *down[k] -= h[k];
        *up[k] += h[k];
        const artTyreForce a = art_evaluate_tyre(tyres[t], &low),
                           b = art_evaluate_tyre(tyres[t], &high);
        const double want[] = {b.Fx - a.Fx, b.Fy - a.Fy, b.Fz - a.Fz,
                               b.Mx - a.Mx, b.My - a.My, b.Mz - a.Mz};
        for (int i = 0; i < 6; i++) {
          CHECK_CLOSE(J[i][k], want[i] / (2 * h[k]), k < 3 ? 0.05 : 1e-5);
        }
      }
    }
    art_free_tyre(tyres[t]);
  }
}


TEST(loads_are_never_negative_and_touch_down_is_continuous)
{
  artTyre *tyre = keep_tyre(linear());
  double last = 0;
  for (double depth = -1e-3; depth < 4e-3; depth += 1e-6) {
    for (double rate = -3; rate < 3.1; rate += 1.5) {
      const artTyreDeflection d = {.depth = depth, .rate = rate};
      CHECK(art_tyre_load(tyre, &d) >= 0);
    }
    // stiffness 2e5 N/m, and the damper's 1500 N over the first 2 mm
    const artTyreDeflection d = {.depth = depth, .rate = 3};
    const double load = art_tyre_load(tyre, &d);
    CHECK(fabs(load - last) < 2e5 * 1e-6 + 1.5 * 1500 / 2e-3 * 1e-6 + 1e-9);
    last = load;
  }
  const artTyreDeflection deep = {.depth = 0.02, .rate = 0.5};
  CHECK_CLOSE_REL(art_tyre_load(tyre, &deep), 2e5 * 0.02 + 500 * 0.5, 1e-15);
}


TEST(senseless_numbers_are_refused)
{
  artTyre *tyre;
  artCalspanTyre bad = iltis;
  bad.A2 = 0;
  CHECK_FAILS(art_create_calspan_tyre(&tyre, &bad, &check_error), ART_BAD_INPUT, "A2");
  CHECK(!tyre);
  const artRadialTyre flat = {0, 2e5, 0, 4000}, soft = {0.3, NAN, 0, 4000};
  CHECK_FAILS(art_create_radial_tyre(&tyre, &flat, &check_error), ART_BAD_INPUT, "radius");
  CHECK(!tyre);
  CHECK_FAILS(art_create_radial_tyre(&tyre, &soft, &check_error), ART_BAD_INPUT, "stiffness");
  CHECK(!tyre);
}
