// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Whatever arithmetic the host has set: the library computes to the same bits, and the host finds its own again.
#define _GNU_SOURCE // feenableexcept
#include <fenv.h>
#include <string.h>

#include "articula/articula.h"
#include "base/arithmetic.h"
#include "support/check.h"

enum { ROWS = 20 };

// positions, velocities and energies along a run, from the text of the model on
typedef struct record {
  double value[ROWS][5];
} record;


static unsigned long long control_word(void)
{
#if defined __x86_64__
  unsigned sse;
  __asm__ volatile("stmxcsr %0" : "=m"(sse));
  return sse & 0xffc0u;
#elif defined __aarch64__
  unsigned long long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return (unsigned long long) fegetround();
#endif
}


static void set_flush_to_zero(void)
{
#if defined __x86_64__
  unsigned sse;
  __asm__ volatile("stmxcsr %0" : "=m"(sse));
  sse |= 0x8040u;
  __asm__ volatile("ldmxcsr %0" : : "m"(sse));
#elif defined __aarch64__
  unsigned long long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control |= 1ull << 24;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}


static record run_machine(void)
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {a: {mass: 1.1, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.1]},\n"
      "         b: {mass: 0.7, com: [0.1, 0, -0.9], inertia: [0.1, 0.2, 0.1]}}\n"
      "joints: {p: {type: revolute, from: ground, to: a, axis: y},\n"
      "         q: {type: revolute, from: a, to: b, axis: y, at: [0.1, 0, -0.6]}}\n"
      "initial: {p: {angle: 0.3}, q: {rate: 1.7}}\n"
      "study: {type: run, until: 1 s}\n";
  record own = {0};
  artModel *m = NULL;
  artRun *run = NULL;
  if (!CHECK_WORKS(art_read_model(&m, text, strlen(text), "m.yaml", &check_error))) return own;
  artData *d = art_create_data(m);
  CHECK_WORKS(art_create_run(&run, m, d, art_find_run(m, NULL), &check_error));
  for (int i = 0; i < ROWS && run; i++) {
    CHECK_WORKS(art_run_to(run, (i + 1) / 32.0, &check_error));
    CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
    const double row[5] = {d->q[0], d->q[1], d->v[0], d->a[1], art_energy(m, d).kinetic};
    memcpy(own.value[i], row, sizeof row);
  }
  art_free_run(run);
  art_free_data(d);
  art_free_model(m);
  return own;
}


static void check_host(const record *usual)
{
  const unsigned long long before = control_word();
  const record own = run_machine();
  CHECK(control_word() == before);
  fesetenv(FE_DFL_ENV);
  CHECK(memcmp(&own, usual, sizeof own) == 0);
}


TEST(rounding_modes_of_the_host_change_no_bit)
{
  const record usual = run_machine();
  CHECK(usual.value[ROWS - 1][0] != 0);
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; i++) {
    CHECK(fesetround(modes[i]) == 0);
    CHECK(arithmetic_is_odd());
    check_host(&usual);
  }
}


TEST(flush_to_zero_of_the_host_changes_no_bit)
{
  const record usual = run_machine();
  set_flush_to_zero();
  check_host(&usual);
}


// Functions of the host leave another arithmetic behind them, as code made by -ffast-math does.
static int spoils;


static void spoil(void)
{
  if (!spoils) return;
  set_flush_to_zero();
  fesetround(FE_DOWNWARD);
}


static artStatus spoiling_law(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = -3 * x[ART_JOINT_POSITION] - 0.1 * x[ART_JOINT_RATE];
  spoil();
  return ART_OK;
}


static double spoiling_input(void *context, const artModel *m, artData *d)
{
  (void) context, (void) m;
  const double value = 1e-3 * d->q[1];
  spoil();
  return value;
}


static void run_with_functions(double end[4])
{
  static const char text[] =
      "articula: 1\n"
      "bodies: {a: {mass: 1.1, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.1]},\n"
      "         b: {mass: 0.7, com: [0.1, 0, -0.9], inertia: [0.1, 0.2, 0.1]}}\n"
      "joints: {p: {type: revolute, from: ground, to: a, axis: y},\n"
      "         q: {type: revolute, from: a, to: b, axis: y, at: [0.1, 0, -0.6]}}\n"
      "inputs: {u: {unit: N*m, every: 10 ms}}\n"
      "forces: {f: {type: joint-force, coordinate: q, function: law},\n"
      "         g: {type: joint-force, coordinate: p, value: = u}}\n"
      "initial: {p: {angle: 0.3}, q: {rate: 1.7}}\n"
      "study: {type: run, until: 1 s}\n";
  artModel *m = NULL;
  artRun *run = NULL;
  if (!CHECK_WORKS(art_read_model(&m, text, strlen(text), "m.yaml", &check_error))) return;
  CHECK_WORKS(art_attach_function(m, "law", spoiling_law, NULL, &check_error));
  CHECK_WORKS(art_attach_input(m, "u", spoiling_input, NULL, &check_error));
  artData *d = art_create_data(m);
  CHECK_WORKS(art_create_run(&run, m, d, art_find_run(m, NULL), &check_error));
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  CHECK(!arithmetic_is_odd());
  memcpy(end, (double[]){d->q[0], d->q[1], d->v[0], d->v[1]}, 4 * sizeof *end);
  art_free_run(run);
  art_free_data(d);
  art_free_model(m);
}


TEST(arithmetic_that_functions_of_the_host_leave_changes_no_bit)
{
  double usual[4] = {0}, own[4] = {0};
  run_with_functions(usual);
  spoils = 1;
  run_with_functions(own);
  spoils = 0;
  fesetenv(FE_DFL_ENV);
  CHECK(usual[0] != 0 && memcmp(usual, own, sizeof own) == 0);
}


TEST(traps_of_the_host_do_not_end_it)
{
  const record usual = run_machine();
  // processors that cannot trap say so
  if (feenableexcept(FE_INEXACT | FE_UNDERFLOW | FE_DIVBYZERO | FE_INVALID) < 0) {
    fesetenv(FE_DFL_ENV);
    return;
  }
  const record own = run_machine();
  fesetenv(FE_DFL_ENV);
  CHECK(memcmp(&own, &usual, sizeof own) == 0);
}
