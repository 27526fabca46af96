// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The simple pendulum A01 of the IFToMM benchmark library: 2000 s against the published history, and
// the first 10 s against the exact solution.
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/simulate.h"

#define DATA_FILE ART_SOURCE_DIR "/test/data/iftomm/benchmark_A01_solution_data.txt"

enum { ROWS = 4001 };
static const double gravity = 9.81, length = 1;

//---- the exact solution --------------------------------------------------------------------------

// The deviation from the vertical, released at rest from a0 at time 0, is
//   sin(a/2) = k sn(K - w t, k),  k = sin(a0/2),  w = sqrt(g/L)
// with Jacobi's sn by descending Landen transformation of the arithmetic-geometric mean (Abramowitz,
// Stegun 16.4 and 17.6): phi_n = 2^n a_n u; sin(2 phi_(i-1) - phi_i) = (c_i / a_i) sin phi_i.
static long double jacobi_sn(long double u, long double k)
{
  long double a[12] = {1}, c[12] = {k}, b = sqrtl(1 - k * k);
  int n = 0;
  for (; c[n] > 1e-20L && n < 11; n++) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrtl(a[n] * b);
  }
  long double phi = ldexpl(a[n] * u, n);
  for (; n > 0; n--) phi = (phi + asinl(c[n] / a[n] * sinl(phi))) / 2;
  return sinl(phi);
}


// complete elliptic integral of the first kind, pi / (2 AGM(1, k'))
static long double quarter_period(long double k)
{
  long double a = 1, b = sqrtl(1 - k * k);
  while (fabsl(a - b) > 1e-18L) {
    const long double mean = (a + b) / 2;
    b = sqrtl(a * b);
    a = mean;
  }
  return acosl(-1) / (2 * a);
}


// the mass starts at (-L, 0): a quarter turn from the vertical
static void exact_position(double t, double xy[2])
{
  const long double k = sqrtl(0.5L);
  const long double s =
      k * jacobi_sn(quarter_period(k) - sqrtl((long double) gravity / length) * t, k);
  const long double angle = 2 * asinl(s);
  xy[0] = (double) -sinl(angle) * length;
  xy[1] = (double) -cosl(angle) * length;
}


//---- tests ---------------------------------------------------------------------------------------


static void position(const simulation *s, double xy[2])
{
  double p[3];
  art_frame_position(s->model, s->data, art_find_frame(s->model, "bob.P1"), p);
  xy[0] = p[0];
  xy[1] = p[1];
}


// numbers computed elsewhere with a Gauss method of order 10 in 80-bit arithmetic, 12 decimals
TEST(the_exact_solution_is_right)
{
  static const double rows[][3] = {
      {0.5, -0.391048791551, -0.920369948785},   {1, 0.986291751132, -0.165010853126},
      {2, -0.793566195343, -0.608483930444},     {5, -0.942305435044, -0.334754338414},
      {10, -0.275087462576, -0.961419205099},    {1999, -0.221194229917, -0.975229774285},
      {1999.5, 0.995043643936, -0.099439160610}, {2000, 0.814603068589, -0.580018827837},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double xy[2];
    exact_position(rows[i][0], xy);
    CHECK_NEAR(xy, &rows[i][1], 2, rows[i][0] > 10 ? 5e-11 : 1e-12);
  }
}


TEST(ten_seconds_to_nine_digits)
{
  static const artIntegrator integrators[] = {ART_DOPRI5, ART_ADAMS};
  for (size_t k = 0; k < 2; k++) {
    simulation s;
    double worst = 0;
    if (simulation_start(&s, "pendulum", ART_ORDER_N, integrators[k], 1e-13)) {
      for (int i = 1; i <= 100; i++) {
        double xy[2], want[2];
        if (!simulation_go(&s, 0.1 * i)) break;
        position(&s, xy);
        exact_position(0.1 * i, want);
        CHECK_NEAR(xy, want, 2, 1e-9);
        worst = check_larger(worst, check_larger(fabs(xy[0] - want[0]), fabs(xy[1] - want[1])));
      }
      printf("%s: largest error over 10 s %.2e m\n", art_integrator_name(integrators[k]), worst);
    }
  }
}


// The norm of Gonzalez, Dopico, Lugris, Cuadrado (Multibody System Dynamics 16, 2006), as far as it is
// known to us: the root mean square, over all output instants and both coordinates, of
//   |y - y_ref| / max(|y_ref|, 1e-3)
// which must not exceed 1e-3. The published file has six digits.
static double benchmark_norm(simulation *s, FILE *file)
{
  char line[256];
  double sum = 0;
  int rows = 0;
  while (fgets(line, sizeof line, file)) {
    double t, want[2], xy[2];
    if (sscanf(line, "%lf %lf %lf", &t, &want[0], &want[1]) != 3) continue;
    if (!simulation_go(s, t)) return NAN;
    position(s, xy);
    for (int i = 0; i < 2; i++) {
      const double error = fabs(xy[i] - want[i]) / check_larger(fabs(want[i]), 1e-3);
      sum += error * error;
    }
    rows++;
  }
  CHECK_EQ_INT(rows, ROWS);
  return sqrt(sum / (2 * rows));
}


TEST(two_thousand_seconds_within_the_norm_of_the_benchmark)
{
  simulation s;
  FILE *file = fopen(DATA_FILE, "r");
  if (CHECK(file) && simulation_start(&s, "pendulum", ART_ORDER_N, ART_DOPRI5, 1e-13)) {
    double xy[2], want[2];
    const double norm = benchmark_norm(&s, file);
    CHECK(norm < 1e-3);
    CHECK(norm < 5e-6);

    // the file is rounded to six digits, which alone makes a norm of 9e-7
    position(&s, xy);
    exact_position(2000, want);
    const double error = hypot(xy[0] - want[0], xy[1] - want[1]);
    CHECK(error < 1e-6);
    printf("2000 s: norm %.2e (limit 1e-3), error against the exact solution %.2e m\n", norm,
           error);
  }
  if (file) fclose(file);
}
