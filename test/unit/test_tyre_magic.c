// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The Magic Formula against published numbers, its symmetries and its derivatives.
#include <math.h>
#include <stdio.h>

#include "articula/tyre.h"
#include "support/check.h"
#include "support/keep.h"
#include "tyre_rows.h"

#define TYRES ART_SOURCE_DIR "/models/tyres/MagicFormula"

static const char *const files[] = {TYRES "52_Parameters.tir", TYRES "61_Parameters.tir",
                                    TYRES "62_Parameters.tir"};

enum {
  NFILE = 3,
  NROW61 = sizeof rows61 / sizeof rows61[0],
  NROW52 = sizeof rows52 / sizeof rows52[0]
};


static artTyre *load(const char *path)
{
  artTyre *tyre;
  CHECK_WORKS(art_load_tyre(&tyre, path, &check_error));
  return tyre;
}


static artTyre *load_book_tyre(void)
{
  artTyre *tyre;
  CHECK_WORKS(art_parse_tyre(&tyre, book_tyre, sizeof book_tyre - 1, "book.tir", &check_error));
  return tyre;
}


static void set(artTyre *tyre, const char *key, double number)
{
  CHECK(art_set_tyre_number(tyre, key, number, NULL) == ART_OK);
}


// (Fx, Fy, Fz, Mx, My, Mz)
static void evaluate(const artTyre *tyre, artTyreInput in, double f[6])
{
  const artTyreForce x = art_evaluate_tyre(tyre, &in);
  const double all[6] = {x.Fx, x.Fy, x.Fz, x.Mx, x.My, x.Mz};
  memcpy(f, all, sizeof all);
}

//---- published numbers ---------------------------------------------------------------------------

static void compare_rows(const char *path, const tyreRow *rows, int n)
{
  artTyre *tyre = keep_tyre(load(path));
  for (int i = 0; i < n && tyre; i++) {
    const tyreRow *r = &rows[i];
    const artTyreInput in = {r->load, r->kappa, r->alpha, r->gamma, r->speed, r->pressure};
    const artTyreForce f = art_evaluate_tyre(tyre, &in);
    const double got[] = {f.Fx, f.Fy, f.Mx, f.My}, want[] = {r->Fx, r->Fy, r->Mx, r->My};
    CHECK_REL(got, want, 4, 1e-11);

    // the source adds 1e-6 m/s to the speed in cos(alpha)
    CHECK_CLOSE_REL(f.Mz, r->Mz, 5e-7);
    CHECK(f.Fz == in.load);

    double sigma[2];
    art_tyre_relaxation(tyre, &in, sigma);
    CHECK_REL(sigma, r->sigma, 2, 1e-13);
    const double spin = r->speed * (1 + r->kappa) / r->radius;
    const double radius = art_tyre_rolling_radius(tyre, r->load, spin, r->pressure);
    CHECK_CLOSE_REL(radius, r->radius, 1e-12);
  }
}


CASE(version_52_gives_the_published_rows, compare_rows(files[0], rows52, NROW52))
CASE(version_61_gives_the_published_rows, compare_rows(files[1], rows61, NROW61))


// the coefficients that 6.2 adds belong to the vertical spring
TEST(version_62_gives_the_published_rows)
{
  compare_rows(files[2], rows61, NROW61);
}


static artTyreInput book_input(const double row[7])
{
  return (artTyreInput){.load = row[3],
                        .kappa = row[0],
                        .alpha = row[1],
                        .gamma = row[2],
                        .speed = 16.67,
                        .pressure = 220000};
}


TEST(the_book_tyre_has_the_published_longitudinal_force)
{
  artTyre *tyre = keep_tyre(load_book_tyre());
  for (int i = 0; i < 6; i++) {
    const artTyreInput in = book_input(book_rows[i]);
    CHECK_CLOSE_REL(art_evaluate_tyre(tyre, &in).Fx, book_rows[i][4], 1e-9);
  }
}


// The source takes the pure side force at alpha, not at its tangent, and without a sign where alpha is 0;
// what longitudinal slip does to it is at the tangent. Both are asked for here, one after the other.
TEST(the_book_tyre_has_the_published_side_force)
{
  for (int i = 0; i < 6; i++) {
    artTyre *tyre = keep_tyre(load_book_tyre());
    artTyreInput in = book_input(book_rows[i]);
    if (in.alpha == 0) {
      set(tyre, "PEY3", 0);
      set(tyre, "PEY4", 0);
    }
    double pure[6], straight[6], all[6], weighted[6];
    artTyreInput angle = in;
    angle.kappa = 0;
    evaluate(tyre, angle, straight);
    angle.alpha = atan(in.alpha);
    evaluate(tyre, angle, pure);
    evaluate(tyre, in, all);
    set(tyre, "LVYKA", 0);
    evaluate(tyre, in, weighted);

    const double weight = weighted[1] / straight[1];
    CHECK_CLOSE_REL(weight * pure[1] + (all[1] - weighted[1]), book_rows[i][5], 2e-9);
  }
}


// Without longitudinal slip the source leaves the arm of Fx out and has cos(alpha) twice in the residual
// moment. With it, or with camber, it follows the book where the files of the vendors do not, and
// differs by up to 7 %.
TEST(the_book_tyre_has_the_published_aligning_moment)
{
  for (int i = 1; i < 3; i++) {
    artTyre *tyre = keep_tyre(load_book_tyre());
    const artTyreInput in = book_input(book_rows[i]);
    if (in.alpha == 0) set(tyre, "PEY3", 0);
    set(tyre, "LS", 0);
    artTyreInput angle = in;
    angle.alpha = atan(in.alpha);
    double all[6], residual[6], pure[6];
    evaluate(tyre, in, all);
    evaluate(tyre, angle, pure);
    set(tyre, "LTR", 0);
    evaluate(tyre, in, residual);

    const double c = cos(in.alpha);
    const double trail = -(all[5] - residual[5]) / all[1];
    const double Mz = -trail * pure[1] + residual[5] * c * c / cos(tan(in.alpha));
    CHECK_CLOSE_REL(Mz, book_rows[i][6], 2e-9);
  }
}

//---- invariants ----------------------------------------------------------------------------------

TEST(scaling_factors_scale)
{
  artTyre *tyre = keep_tyre(load(files[1]));
  const artTyreInput in = {5000, 0.02, -0.03, 0.01, 20, 0};
  double before[6], after[6];
  evaluate(tyre, in, before);
  const char *const keys[] = {"LFZO", "LCX",   "LMUX", "LEX",  "LKX",  "LHX", "LVX",  "LCY",
                              "LMUY", "LEY",   "LKY",  "LHY",  "LVY",  "LTR", "LRES", "LXAL",
                              "LYKA", "LVYKA", "LKYC", "LKZC", "LVMX", "LMX", "LMY"};
  for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
    set(tyre, keys[k], 1.1);
    evaluate(tyre, in, after);
    if (!CHECK(memcmp(before, after, sizeof before) != 0)) puts(keys[k]);
    set(tyre, keys[k], 1);
  }
  evaluate(tyre, in, after);
  CHECK_NEAR(after, before, 6, 0);

  // friction of twice the size at twice the slip and stiffness doubles the side force without shifts
  set(tyre, "LHY", 0);
  set(tyre, "LVY", 0);
  set(tyre, "LMUY", 2);
  set(tyre, "LKY", 2);
  const artTyreInput pure = {5000, 0, -0.03, 0, 20, 0};
  double twice[6], once[6];
  evaluate(tyre, pure, twice);
  set(tyre, "LMUY", 1);
  set(tyre, "LKY", 1);
  evaluate(tyre, pure, once);
  CHECK_CLOSE_REL(twice[1] / 2, once[1], 1e-9);
}


TEST(pressure_matters_from_61_on)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    double low[6], high[6];
    evaluate(tyre, (artTyreInput){5000, 0.02, -0.03, 0.01, 20, 230000}, low);
    evaluate(tyre, (artTyreInput){5000, 0.02, -0.03, 0.01, 20, 290000}, high);
    CHECK((memcmp(low, high, sizeof low) != 0) == (v > 0));
  }
}


TEST(a_mirrored_tyre_is_the_tyre_in_a_mirror)
{
  artTyre *tyre = keep_tyre(load(files[0]));
  double f[6], m[6];
  evaluate(tyre, (artTyreInput){5000, 0.02, -0.03, 0.04, 20, 0}, f);
  art_mirror_tyre(tyre);
  evaluate(tyre, (artTyreInput){5000, 0.02, 0.03, -0.04, 20, 0}, m);
  const double want[6] = {f[0], -f[1], f[2], -f[3], f[4], -f[5]};
  CHECK_NEAR(m, want, 6, 0);
}


TEST(rolling_backward_is_rolling_forward_seen_from_behind)
{
  artTyre *tyre = keep_tyre(load(files[1]));
  double f[6], b[6];
  evaluate(tyre, (artTyreInput){5000, 0.02, -0.03, 0.04, 20, 0}, f);
  evaluate(tyre, (artTyreInput){5000, -0.02, 0.03, -0.04, -20, 0}, b);
  const double want[6] = {-f[0], -f[1], f[2], -f[3], -f[4], f[5]};
  CHECK_NEAR(b, want, 6, 1e-12);
}


TEST(sae_axes_are_turned_about_x)
{
  const artTyreForce s = art_tyre_force_in_sae((artTyreForce){1, 2, 3, 4, 5, 6});
  const double got[6] = {s.Fx, s.Fy, s.Fz, s.Mx, s.My, s.Mz}, want[6] = {1, -2, -3, 4, -5, -6};
  CHECK_NEAR(got, want, 6, 0);
  const artTyreInput in = art_tyre_input_in_sae((artTyreInput){1, 2, 3, 4, 5, 6});
  CHECK(in.alpha == -3 && in.gamma == 4 && in.kappa == 2 && in.load == 1 && in.speed == 5);
}


// the largest change of a force while the input at an offset goes from a to b in n steps
static double largest_step(const artTyre *tyre, artTyreInput in, size_t offset, double a, double b,
                           int n)
{
  double *x = (double *) (void *) ((char *) &in + offset);
  double worst = 0, last[6] = {0}, f[6];
  for (int k = 0; k <= n; k++) {
    *x = a + (b - a) * k / n;
    evaluate(tyre, in, f);
    for (int i = 0; i < 6 && k > 0; i++) worst = check_larger(worst, fabs(f[i] - last[i]));
    memcpy(last, f, sizeof f);
  }
  return worst;
}


// Steps ten times as fine change a continuous function of bounded slope by a tenth.
static void check_continuous(const artTyre *tyre, size_t offset, double a, double b)
{
  artTyreInput in = {4000, 0.03, -0.04, 0.02, 0.3, 0};
  for (int backward = 0; backward < 2; backward++) {
    const double coarse = largest_step(tyre, in, offset, a, b, 4000);
    CHECK(largest_step(tyre, in, offset, a, b, 40000) < 0.15 * coarse);
    in.speed = -in.speed;
  }
}


TEST(forces_are_continuous_in_every_input)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    check_continuous(tyre, offsetof(artTyreInput, load), -50, 25000);
    check_continuous(tyre, offsetof(artTyreInput, kappa), -1.5, 1.5);
    check_continuous(tyre, offsetof(artTyreInput, alpha), -1.4, 1.4);
    check_continuous(tyre, offsetof(artTyreInput, gamma), -0.2, 0.2);
    check_continuous(tyre, offsetof(artTyreInput, speed), -3, 3);
  }
}


TEST(standstill_has_no_shifts_and_no_load_no_force)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    double f[6];
    const double rest[6] = {0, 0, 4000, 0, 0, 0}, nothing[6] = {0};
    evaluate(tyre, (artTyreInput){4000, 0, 0, 0, 0, 0}, f);
    CHECK_NEAR(f, rest, 6, 1e-9);
    evaluate(tyre, (artTyreInput){0, 0.1, 0.1, 0.1, 20, 0}, f);
    CHECK_NEAR(f, nothing, 6, 0);
    evaluate(tyre, (artTyreInput){-100, 0.1, 0.1, 0.1, 20, 0}, f);
    CHECK_NEAR(f, nothing, 6, 0);
    evaluate(tyre, (artTyreInput){1e-7, 0.1, 0.1, 0.1, 20, 0}, f);
    CHECK_NEAR(f, nothing, 6, 1e-6);
  }
}


TEST(beyond_the_largest_load_forces_grow_in_proportion)
{
  artTyre *tyre = keep_tyre(load(files[1]));
  double a[6], b[6];
  evaluate(tyre, (artTyreInput){18000, 0.02, -0.1, 0.01, 20, 0}, a);
  evaluate(tyre, (artTyreInput){36000, 0.02, -0.1, 0.01, 20, 0}, b);
  for (int i = 0; i < 6; i++) a[i] *= 2;
  CHECK_REL(b, a, 6, 1e-14);
}

//---- derivatives ---------------------------------------------------------------------------------

// fourth-order differences of width h
static void difference(const artTyre *tyre, artTyreInput in, int column, double h, double d[6])
{
  static const double weight[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  double f[6];
  for (int i = 0; i < 6; i++) d[i] = 0;
  for (int k = 0; k < 4; k++) {
    artTyreInput x = in;
    double *const moved[4] = {&x.kappa, &x.alpha, &x.gamma, &x.load};
    *moved[column] += at[k] * h;
    evaluate(tyre, x, f);
    for (int i = 0; i < 6; i++) d[i] += weight[k] * f[i] / (12 * h);
  }
}


TEST(derivatives_agree_with_differences)
{
  uint64_t seed = 7;
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    for (int n = 0; n < 50; n++) {
      const artTyreInput in = {
          check_uniform(&seed, 500, 16000),          check_uniform(&seed, -0.5, 0.5),
          check_uniform(&seed, -0.5, 0.5),           check_uniform(&seed, -0.1, 0.1),
          check_uniform(&seed, -3, n < 25 ? 3 : 40), check_uniform(&seed, 2e5, 3e5)};
      double J[6][4];
      art_differentiate_tyre(tyre, &in, J);
      static const double h[4] = {1e-5, 1e-5, 1e-5, 1}, scale[4] = {1e5, 1e5, 1e5, 10};
      for (int k = 0; k < 4; k++) {
        double want[6];
        difference(tyre, in, k, h[k], want);
        for (int i = 0; i < 6; i++) {
          CHECK_CLOSE(J[i][k], want[i], 3e-6 * scale[k]);
        }
      }
    }
  }
}


TEST(derivatives_are_finite_at_rest_and_zero_without_load)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    double J[6][4];
    const artTyreInput rest = {4000, 0, 0, 0, 0, 0}, air = {0, 0.1, 0.1, 0.1, 10, 0};
    art_differentiate_tyre(tyre, &rest, J);
    for (int i = 0; i < 24; i++) CHECK(isfinite(J[i / 4][i % 4]));
    CHECK(J[0][0] > 0 && J[1][1] < 0 && J[2][3] == 1);
    art_differentiate_tyre(tyre, &air, J);
    for (int i = 0; i < 24; i++) CHECK(J[i / 4][i % 4] == 0);
  }
}

//---- radii ---------------------------------------------------------------------------------------

TEST(the_loaded_radius_inverts_the_load)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    artTyreDeflection d = {.spin = 40, .gamma = 0.03, .pressure = 250000, .Fx = 500, .Fy = 1500};
    for (double load_wanted = 200; load_wanted < 15000; load_wanted += 700) {
      d.depth = art_tyre_free_radius(tyre, d.spin) - art_tyre_loaded_radius(tyre, load_wanted, &d);
      CHECK_CLOSE_REL(art_tyre_load(tyre, &d), load_wanted, 1e-9);
    }
  }
}


// the stiffness of the file is the slope of the load at the nominal load
TEST(the_stiffness_of_the_file_is_that_at_the_nominal_load)
{
  for (int v = 0; v < 2; v++) {
    artTyre *tyre = keep_tyre(load(files[v]));
    double stiffness, nominal, rim = 0;
    CHECK(art_get_tyre_number(tyre, "VERTICAL_STIFFNESS", &stiffness) == ART_OK);
    CHECK(art_get_tyre_number(tyre, "FNOMIN", &nominal) == ART_OK);
    CHECK(art_get_tyre_number(tyre, "RIM_RADIUS", &rim) == ART_OK && rim > 0);
    artTyreDeflection d = {0};
    const double depth = art_tyre_free_radius(tyre, 0) - art_tyre_loaded_radius(tyre, nominal, &d);
    d.depth = depth + 1e-6;
    const double high = art_tyre_load(tyre, &d);
    d.depth = depth - 1e-6;
    CHECK_CLOSE_REL((high - art_tyre_load(tyre, &d)) / 2e-6, stiffness, 1e-6);
  }
}
