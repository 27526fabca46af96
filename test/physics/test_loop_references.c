// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines with closed loops against published results and independent references, by every method
// for loops: models/benchmarks and models/loops.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/keep.h"
#include "support/machines.h"
#include "support/simulate.h"

static const artMethod methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
enum { METHODS = 3 };

enum { COLUMNS = 40, LINE = 4096 };

//---- reference files -----------------------------------------------------------------------------

// models/benchmarks/NAME.csv: comments, a line of names, rows of numbers
typedef struct reference {
  FILE *file;
  int n;                    // columns besides time
  char output[COLUMNS][32]; // of the model
  double t, value[COLUMNS];
} reference;


static int split(char *line, char *word[COLUMNS])
{
  int n = 0;
  for (char *w = strtok(line, ",\n"); w && n < COLUMNS; w = strtok(NULL, ",\n")) word[n++] = w;
  return n;
}


static bool reference_open(reference *r, const char *name)
{
  char path[512], line[LINE] = "#", *word[COLUMNS];
  *r = (reference){0};
  snprintf(path, sizeof path, "%s/models/benchmarks/%s.csv", ART_SOURCE_DIR, name);
  if (!CHECK((r->file = fopen(path, "r")) != NULL)) return false;
  while (line[0] == '#') {
    if (!CHECK(fgets(line, sizeof line, r->file) != NULL)) return false;
  }
  r->n = split(line, word) - 1;
  for (int i = 0; i < r->n; i++) snprintf(r->output[i], sizeof r->output[i], "%s", word[i + 1]);
  return CHECK(r->n > 0);
}


static bool reference_next(reference *r)
{
  char line[LINE], *word[COLUMNS];
  if (!fgets(line, sizeof line, r->file)) return false;
  if (!CHECK_EQ_INT(split(line, word), r->n + 1)) return false;
  r->t = strtod(word[0], NULL);
  for (int i = 0; i < r->n; i++) r->value[i] = strtod(word[i + 1], NULL);
  return true;
}


// Run the benchmark along its reference; the largest |y - y_ref| / (scale(t) max(|y_ref|, 1)).
typedef double (*growth)(double t);

static double one(double t)
{
  (void) t;
  return 1;
}


static double follow(const char *name, artMethod method, double tolerance, growth scale)
{
  char model[128];
  double worst = 0;
  simulation s;
  reference r;
  snprintf(model, sizeof model, "benchmarks/%s", name);
  if (!simulation_start(&s, model, method, ART_DOPRI5, tolerance)) return NAN;
  bool ok = reference_open(&r, name);
  while (ok && reference_next(&r) && (ok = simulation_go(&s, r.t))) {
    for (int i = 0; i < r.n; i++) {
      const double error = fabs(simulation_output(&s, r.output[i]) - r.value[i]);
      worst = check_larger(worst, error / (scale(r.t) * check_larger(1, fabs(r.value[i]))));
    }
  }
  if (r.file) fclose(r.file);
  const artCertificate c = art_certify(s.run);
  printf("%s, %s: error %.1e, energy %.1e J, loops closed to %.1e %.1e %.1e\n", name,
         art_method_name(method), worst, c.energy_error, c.position_residual, c.velocity_residual,
         c.acceleration_residual);
  return ok ? worst : NAN;
}


//---- IFToMM A02: N four-bars ---------------------------------------------------------------------


// The one degree of freedom, theta from x: ((N+1)/3 + N) theta'' = -g ((N+1)/2 + N) cos theta, by
// Runge-Kutta of order 4 in long steps of arithmetic and short ones of time; x, y, vx, vy of B0.
static void exact_windows(int n, double t, double out[4])
{
  const long double c = -9.81L * ((n + 1) / 2.0L + n) / ((n + 1) / 3.0L + n);
  long double q = acosl(-1) / 2, v = -1;
  const long steps = lround(t / 1e-4);
  const long double h = steps > 0 ? (long double) t / (long double) steps : 0;
  for (long i = 0; i < steps; i++) {
    const long double a1 = c * cosl(q), v2 = v + h / 2 * a1;
    const long double a2 = c * cosl(q + h / 2 * v), v3 = v + h / 2 * a2;
    const long double a3 = c * cosl(q + h / 2 * v2), v4 = v + h * a3;
    const long double a4 = c * cosl(q + h * v3);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  out[0] = (double) cosl(q), out[1] = (double) sinl(q);
  out[2] = (double) (-v * sinl(q)), out[3] = (double) (v * cosl(q));
}


// numbers computed elsewhere with a Gauss method of order 10 in 80-bit arithmetic, 12 decimals
TEST(the_exact_equation_is_right)
{
  static const double rows[][6] = {
      {2, 1, -0.195020301949, -0.980799205662, -6.676678036881, 1.327578325160},
      {2, 20, 0.839746574307, 0.542978536353, 1.838222644197, -2.842913789274},
      {40, 5, -0.540190050676, -0.841543052464, -5.436369112579, 3.489628365197},
      {40, 10, 0.180512226687, 0.983572740582, 1.148441277469, -0.210770066779},
      {40, 15, -0.999878177150, -0.015608678939, -0.075606988522, 4.843316859773},
      {40, 20, 0.410901153763, 0.911679900972, 1.566785371909, -0.706162235594},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double got[4];
    exact_windows((int) rows[i][0], rows[i][1], got);
    CHECK_NEAR(got, rows[i] + 2, 4, 1e-10);
  }
}


// largest error of B0 at the instants i * interval
static double follow_windows(int n, artMethod method, double tolerance, double interval, int count)
{
  char model[64];
  static const char *const names[4] = {"x", "y", "vx", "vy"};
  double worst = 0;
  simulation s;
  snprintf(model, sizeof model, "benchmarks/four-bars-%d", n);
  bool ok = simulation_start(&s, model, method, ART_DOPRI5, tolerance);
  for (int i = 1; ok && i <= count && (ok = simulation_go(&s, interval * i)); i++) {
    double want[4];
    exact_windows(n, interval * i, want);
    for (int k = 0; k < 4; k++)
      worst = check_larger(worst, fabs(simulation_output(&s, names[k]) - want[k]));
  }
  printf("four-bars-%d, %s, %g s: error %.1e\n", n, art_method_name(method), interval * count,
         worst);
  return ok ? worst : NAN;
}


TEST(forty_windows_follow_the_official_file)
{
  CHECK(follow("four-bars-40", ART_SEMIRECURSIVE, 1e-10, one) < 1e-5);
}


// through some fifty singular positions
TEST(windows_follow_the_exact_equation)
{
  CHECK(follow_windows(2, ART_SEMIRECURSIVE, 1e-13, 1, 20) < 2e-9);
  CHECK(follow_windows(40, ART_SEMIRECURSIVE, 1e-13, 5, 2) < 2e-9);
}


// before the first one
TEST(windows_follow_the_exact_equation_by_every_method)
{
  for (int k = 0; k < METHODS; k++) {
    CHECK(follow_windows(2, methods[k], 1e-13, 0.07, 10) < 1e-11);
  }
}


// all rods lie on one line when theta = 0, where N + 1 motions are possible
TEST(the_singular_position_is_passed_and_reported)
{
  static const char *const names[4] = {"x", "y", "vx", "vy"};
  simulation s;
  if (simulation_start(&s, "benchmarks/four-bars-2", ART_SEMIRECURSIVE, ART_DOPRI5, 1e-10)) {
    for (int i = 1; i <= 80 && simulation_go(&s, 1e-2 * i); i++) {
      double got[4], want[4];
      for (int k = 0; k < 4; k++) got[k] = simulation_output(&s, names[k]);
      exact_windows(2, 1e-2 * i, want);
      CHECK_NEAR(got, want, 4, 1e-8);
    }
    CHECK(simulation_output(&s, "y") < -0.3);

    const artCertificate certificate = art_certify(s.run);
    CHECK(certificate.weakest_pivot < 0.05);
    CHECK(fabs(certificate.weakest_time - 0.714355) < 0.01);
    printf("singular position: pivot %.1e of the first at %.4f s\n", certificate.weakest_pivot,
           certificate.weakest_time);
  }
}


//---- Andrews' squeezing mechanism ----------------------------------------------------------------

static const char *const andrews_names[14] = {"beta",       "theta",       "gamma",    "phi",
                                              "delta",      "omega",       "epsilon",  "beta_rate",
                                              "theta_rate", "gamma_rate",  "phi_rate", "delta_rate",
                                              "omega_rate", "epsilon_rate"};


// published: test set for initial value problems; recomputed: Gauss method of order 10 in 80 bits
TEST(andrews_mechanism_after_thirty_milliseconds)
{
  static const double published[14] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                       -0.5347301163226948, 0.5244099658805303, 0.5347301163226948,
                                       1.048080741042263,   1139.920302151208,  -1424.379294994111,
                                       11.03291221937134,   19.29337464421385,  0.5735699284790808,
                                       -19.29337464421385,  0.3231791658026955};
  static const double recomputed[14] = {15.81077119515371,   -15.75637105841184, 0.0408222401196458,
                                        -0.5347301163420796, 0.5244099658799541, 0.5347301163420796,
                                        1.048080741041938,   1139.920302259106,  -1424.37929517754,
                                        11.03291191061858,   19.29337410503203,  0.573569914829502,
                                        -19.29337410503203,  0.323179149249131};
  for (int k = 0; k < METHODS; k++) {
    simulation s;
    double got[14];
    if (simulation_start(&s, "benchmarks/andrews", methods[k], ART_DOPRI5, 1e-13) &&
        simulation_go(&s, 0.03)) {
      for (int i = 0; i < 14; i++) got[i] = simulation_output(&s, andrews_names[i]);
      CHECK_REL(got, published, 7, 1e-8);
      CHECK_REL(got + 7, published + 7, 7, 1e-7);
      CHECK_REL(got, recomputed, 7, 1e-10);
      CHECK_REL(got + 7, recomputed + 7, 7, 1e-9);
    }
  }
}


//---- slider-cranks -------------------------------------------------------------------------------


// nine decimals, half of the last one and a little
TEST(the_spatial_slider_crank_of_the_library)
{
  for (int k = 0; k < METHODS; k++) {
    CHECK(follow("spatial-slider-crank", methods[k], 1e-12, one) < 5.5e-10);
  }
}


// a change of the start grows 50 to 2100 times
static double planar_growth(double t)
{
  return 50 + 205 * t;
}


static double spatial_growth(double t)
{
  return 20 + 44 * t;
}


TEST(slider_cranks_against_34_digits)
{
  for (int k = 0; k < METHODS; k++) {
    CHECK(follow("slider-crank", methods[k], 1e-13, planar_growth) < 1e-12);
    CHECK(follow("spatial-slider-crank-haug", methods[k], 1e-13, spatial_growth) < 1e-12);
  }
}


//---- loops of N revolute joints ------------------------------------------------------------------


// by which a change has grown after 1, 2, ... seconds, without the dips
static double loop_15_growth(double t)
{
  static const double table[] = {3, 10, 50, 1.1e3, 1.1e3, 4.4e3, 1e5, 5e5, 6e6, 1.8e8};
  return table[(int) (t - 0.5)];
}


// beyond the table of the benchmark: x, y, vx, vy of the middle joint
TEST(the_loop_of_fifteen_until_chaos_takes_over)
{
  static const double rows[][5] = {
      {6, 3.0845006120299, -3.7146861003046, -3.4727253298848, 4.3084945637181},
      {7, 1.0355639660759, -6.072362133691, 0.54625693498411, -2.0299618215054},
      {8, 1.0981076650505, -3.7326001590919, 3.6676615290832, -1.7032927089819},
      {9, 0.84258571962607, -5.3837910384794, -0.017219891433672, 3.2186141605301},
      {10, 2.9734269219194, -5.1176623137631, 0.24082166588912, 2.8934686327984}};
  static const char *const names[4] = {"x", "y", "vx", "vy"};
  for (int k = 0; k < METHODS; k++) {
    simulation s;
    bool ok = simulation_start(&s, "benchmarks/loop-15", methods[k], ART_DOPRI5, 1e-13);
    for (int i = 0; ok && i < 5 && (ok = simulation_go(&s, rows[i][0])); i++) {
      double got[4];
      for (int n = 0; n < 4; n++) got[n] = simulation_output(&s, names[n]);
      CHECK_NEAR(got, rows[i] + 1, 4, 1e-12 * loop_15_growth(rows[i][0]));
    }
  }
}


TEST(loops_against_34_digits)
{
  for (int k = 0; k < METHODS; k++) {
    CHECK(follow("loop-5", methods[k], 1e-13, one) < 1e-11);
    CHECK(follow("loop-15", methods[k], 1e-13, loop_15_growth) < 1e-12);
  }
}


// angles of all bars of the loop of five from x, in the order A to B; see models/benchmarks/loop-5
TEST(angles_of_the_loop_of_five)
{
  static const double rows[][9] = {
      {1, -1.4245631511633, -1.1452986660086, 1.1201788385758, 1.5648044305929, -3.300577304476,
       3.2710772015906, -2.0169992372287, 1.5297428033917},
      {5, -1.5348688543364, -0.98018256677809, 0.99600658606747, 1.7076723135095, -2.7996473823245,
       2.7345875816815, -2.2673343596627, 1.3894896625375},
      {10, -0.84939592309117, -1.9466693522657, 0.74965806278834, 1.5960730323874,
       -0.85506327321245, 1.5075693879289, 1.5181793248704, -0.27428665885701}};
  simulation s;
  if (simulation_start(&s, "benchmarks/loop-5", ART_SEMIRECURSIVE, ART_DOPRI5, 1e-13)) {
    for (int i = 0; i < 3 && simulation_go(&s, rows[i][0]); i++) {
      double got[8];
      for (int b = 0; b < 4; b++) {
        char name[16];
        double p[4], v[3], w[3];
        snprintf(name, sizeof name, "bar%d", b + 1);
        const int frame = art_find_frame(s.model, name);
        art_frame_rotation(s.model, s.data, frame, p);
        art_frame_velocity(s.model, s.data, frame, v, w);
        got[b] = 2 * atan2(p[3], p[0]);
        got[b] -= 2 * acos(-1) * round((got[b] - rows[i][b + 1]) / (2 * acos(-1)));
        got[b + 4] = w[2];
      }
      CHECK_NEAR(got, rows[i] + 1, 8, 1e-11);
    }
  }
}


//---- machines that must move alike ---------------------------------------------------------------


// largest difference of the named outputs over 10 s
static double apart(const char *first, const char *second, const char *const *names)
{
  simulation a, b;
  double most = 0;
  bool ok = simulation_start(&a, first, ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12);
  ok = simulation_start(&b, second, ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12) && ok;
  for (int i = 1; ok && i <= 100; i++) {
    ok = simulation_go(&a, 0.1 * i) && simulation_go(&b, 0.1 * i);
    for (int k = 0; ok && names[k]; k++) {
      most = check_larger(most,
                          fabs(simulation_output(&a, names[k]) - simulation_output(&b, names[k])));
    }
  }
  printf("%s and %s: %.1e apart over 10 s\n", first, second, most);
  return ok ? most : NAN;
}


TEST(four_modellings_of_the_planar_robot_move_alike)
{
  static const char *const names[] = {"x",  "y",    "qw",   "qz",   "vx",
                                      "vy", "arm1", "arm2", "arm3", NULL};
  CHECK(apart("loops/planar-robot-1", "loops/planar-robot-2", names) < 1e-9);
  CHECK(apart("loops/planar-robot-1", "loops/planar-robot-3", names) < 1e-9);
  CHECK(apart("loops/planar-robot-1", "loops/planar-robot-4", names) < 1e-9);
}


//---- every looped machine ------------------------------------------------------------------------


static void check_long_run(const char *file)
{
  char name[256];
  simulation s;
  snprintf(name, sizeof name, "%.*s", (int) (strlen(file) - strlen(".yaml")), file);
  const double until = strstr(name, "andrews") ? 0.05 : 10;
  const double tolerance = 1e-11;
  bool ok = simulation_start(&s, name, ART_SEMIRECURSIVE, ART_DOPRI5, tolerance);
  if (ok && art_count(s.model).loops > 0) {
    for (int i = 1; ok && i <= 1000; i++) ok = simulation_go(&s, until * i / 1000);
    const artCertificate c = art_certify(s.run);
    ok = CHECK(c.position_residual <= 1e-10) && ok;
    ok = CHECK(c.velocity_residual <= 1e-10) && ok;
    ok = CHECK(c.acceleration_residual <= 1e-10) && ok;
    ok = CHECK(c.energy_error <= 100 * tolerance * c.energy_scale) && ok;
    printf("%-40s %.1e %.1e %.1e, energy %.1e of %.1e J, %ld evaluations, %.2f s\n", name,
           c.position_residual, c.velocity_residual, c.acceleration_residual, c.energy_error,
           c.energy_scale, c.evaluations, c.total_time);
  }
  if (!ok) printf("  in models/%s.yaml\n", name);
}


TEST(loops_stay_closed_for_ten_seconds)
{
  static machineFiles files;
  int count = 0;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    const char *name = machine_name(files.path[i]);
    const bool is_there = strncmp(name, "loops/", 6) == 0 || strncmp(name, "benchmarks/", 11) == 0;
    count += is_there;
    if (is_there && !strstr(name, "pendulum")) check_long_run(name);
  }
  CHECK(count >= 18);
}


//---- generators ----------------------------------------------------------------------------------


static void check_stored(const char *name, const char *script, int n)
{
  char path[512];
  snprintf(path, sizeof path, "models/benchmarks/%s.yaml", name);
  CHECK(art_model_hash(keep_file(path)) == art_model_hash(keep_script(script, n)));
}


TEST(stored_machines_are_what_the_generators_write)
{
  check_stored("four-bars-2", "make-four-bars.sh", 2);
  check_stored("four-bars-40", "make-four-bars.sh", 40);
  check_stored("loop-5", "make-loop.sh", 5);
  check_stored("loop-15", "make-loop.sh", 15);
}


TEST(loops_of_any_size_by_the_generator)
{
  const artCounts counts = art_count(keep_script("make-loop.sh", 1001));
  CHECK_EQ_INT(counts.bodies, 1000);
  CHECK_EQ_INT(counts.nv, 1000);
  CHECK_EQ_INT(counts.loops, 1);
}
