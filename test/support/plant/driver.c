// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A program around any machine behind the interface of generated code, which is called `plant` here. It prints lines of a word
// and numbers (test/physics/test_generated_interface.c), and returns a number other than 0 where the machine breaks a rule.
#include "plant.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
enum {
  NQ = plant_NQ,
  NV = plant_NV,
  NS = plant_NS,
  NY = plant_NY,
  NE = plant_NEVENT,
  NF = plant_NFREE,
  NA = plant_NACTUATOR,
  X = 2 * NF + NS
};
static void say(const char *word, int n, const double *x)
{
  printf("%s", word);
  for (int i = 0; i < n; i++) printf(" %.17g", x[i]);
  putchar('\n');
}
// names, units, values and limits
static void name(const char *word, int n, const plant_entry *e)
{
  for (int i = 0; i < n; i++) printf("%s %d %s|%s\n", word, i, e[i].name, e[i].unit);
  printf("%s-data", word);
  for (int i = 0; i < n; i++) {
    printf(" %.17g %.17g %.17g", e[i].value, fmax(e[i].lower, -1e300), fmin(e[i].upper, 1e300));
  }
  putchar('\n');
}
static void state(const char *word, const plant_machine *m)
{
  double x[NQ + NV + NS + 1];
  memcpy(x, m->q, NQ * sizeof *x);
  memcpy(x + NQ, m->v, NV * sizeof *x);
  memcpy(x + NQ + NV, m->s, NS * sizeof *x);
  x[NQ + NV + NS] = m->t;
  say(word, NQ + NV + NS + 1, x);
}
static plant_machine m, other;
enum { NU = plant_NU, W = NU + NV };
static double A[X * X + 1], B[X * W + 1], C[NY * X + 1], D[NY * W + 1];


// move number k: an input, a joint force, a velocity of a free coordinate, or a state
static void move(plant_machine *x, int k, const int *f, double h)
{
  if (k < NU) {
    x->u[k] += h;
  } else if (k < W) {
    x->tau[k - NU] += h;
  } else if (k < W + NF) {
    x->v[f[k - W]] += h;
  } else {
    x->s[k - W - NF] += h;
  }
}


// derivatives by these, from A and B, or from C and D
static double slope_of(const double *of_state, const double *of_input, int row, int k)
{
  return k < W ? of_input[row * W + k] : of_state[row * X + NF + k - W];
}


// Sides and ways have no neighbours, and coordinates that latches hold do not move.
static int is_fixed(int k, const int *f)
{
  static const char *const words[] = {".side", ".way", ".engage_", ".release_"};
  if (k >= W && k < W + NF) return f[k - W] < 0;
  for (int i = 0; i < 4 && k < NU; i++) {
    if (strstr(plant_about.inputs[k].name, words[i])) return 1;
  }
  return 0;
}


// the largest difference of derivatives from quotients of differences
static double differences(void)
{
  double worst = 0, y[2][NY + 1], rate[2][NQ + NV + NS + 1];
  int f[NF + 1];
  if (plant_linear(&m, f, A, B, C, D)) return 1e9;
  for (int k = 0; k < W + NF + NS; k++) {
    if (is_fixed(k, f)) continue;
    for (int side = 0; side < 2; side++) {
      other = m;
      move(&other, k, f, side ? 1e-4 : -1e-4);
      if (plant_rates(&other, rate[side]) || plant_outputs(&other, y[side])) return 1e9;
    }
    for (int i = 0; i < NF + NS + NY; i++) {
      if (i < NF && f[i] < 0) continue;
      const int at = i < NF ? NQ + f[i] : NQ + NV + i - NF, out = i - NF - NS;
      const double *now = out < 0 ? &rate[1][at] : &y[1][out];
      const double *before = out < 0 ? &rate[0][at] : &y[0][out];
      const double d = (*now - *before) / 2e-4;
      const double have = out < 0 ? slope_of(A, B, NF + i, k) : slope_of(C, D, out, k);
      worst = fmax(worst, fabs(d - have) / fmax(1 + fabs(d), fabs(*now) / 1e3));
    }
  }
  return worst;
}


static int velocity_named(const char *word)
{
  int k = 0;
  while (k < NV && strcmp(plant_about.velocities[k].name, word) != 0) k++;
  return k;
}


// The machine with forces of its actuators beside all others: its accelerations.
static int push(const double *force, double *a)
{
  other = m;
  for (int j = 0; j < NA - plant_NDRIVE; j++) {
    other.tau[velocity_named(plant_about.actuators[j].name)] += force[j];
  }
  return plant_accelerate(&other, a);
}


// Forces that are found for accelerations make them, whichever coordinates lead the machine meanwhile.
static double backward(double h, int steps)
{
  double worst = 0, wanted[NV + 1], a[NV + 1], force[NA + 1];
  for (int i = 0; i < steps && plant_step(&m, h) == 0; i++) {
    if (i % 20) continue;
    for (int j = 0; j < NA; j++) force[j] = 0.1 * (j + 1);
    if (push(force, wanted)) return 1e9;
    other = m;
    memcpy(a, wanted, sizeof a);
    if (plant_inverse(&other, a, force) || push(force, a)) return 1e9;
    for (int j = 0; j < NV; j++) {
      const double off = fabs(a[j] - wanted[j]) / fmax(1, fabs(wanted[j]));
      worst = off <= worst ? worst : off;
    }
  }
  return worst;
}


// the whole state as one vector
static void get_state(double *x)
{
  memcpy(x, m.q, NQ * sizeof *x);
  memcpy(x + NQ, m.v, NV * sizeof *x);
  memcpy(x + NQ + NV, m.s, NS * sizeof *x);
}


static void set_state(double t, const double *x, double length, const double *rate)
{
  m.t = t + length;
  for (int i = 0; i < NQ; i++) m.q[i] = x[i] + length * rate[i];
  for (int i = 0; i < NV; i++) m.v[i] = x[NQ + i] + length * rate[NQ + i];
  for (int i = 0; i < NS; i++) m.s[i] = x[NQ + NV + i] + length * rate[NQ + NV + i];
}


// A step by the midpoint method from (t, x); returns the least margin at its end.
static double leap(double t, const double *x, double length)
{
  double rate[NQ + NV + NS + 1] = {0}, own[NQ + NV + NS + 1];
  set_state(t, x, 0, rate);
  if (plant_rates(&m, rate)) return NAN;
  get_state(own);
  set_state(t, own, length / 2, rate);
  if (plant_rates(&m, rate)) return NAN;
  set_state(t, own, length, rate);
  return plant_close(&m) ? NAN : plant_margin(&m);
}


// A leap to the instant at which a margin becomes zero, where it does so within a length; returns whether it does.
static int leap_to_surface(double length)
{
  double x[NQ + NV + NS + 1], lo = 0;
  const double t = m.t;
  get_state(x);
  if (!(leap(t, x, length) < 0)) return 0;
  for (int i = 0; i < 50; i++) {
    const double middle = (lo + length) / 2;
    if (leap(t, x, middle) < 0) {
      length = middle;
    } else {
      lo = middle;
    }
  }
  leap(t, x, length);
  return 1;
}


// A program that integrates by itself, by way of all instants and borders. It begins anew half way, and has a relay go over at last.
static int lead(double h, int steps)
{
  int instants = 0, changes = 0, has_begun = 0;
  plant_start(&m);
  if (plant_begin(&m)) return 1;
  const double end = m.t + steps * h, half = m.t + steps / 2 * h;
  while (m.t < end && changes < 1000) {
    if (m.t > half && !has_begun++ && plant_begin(&m)) return 1;
    const double next = plant_next_instant(&m), goal = fmin(fmin(m.t + h, end), next);
    if (leap_to_surface(goal - m.t)) {
      if (plant_settle(&m, 1)) return 1;
      changes++;
      continue;
    }
    m.t = goal;
    if (goal < next) continue;
    if (plant_pass(&m)) return 1;
    instants++;
  }
  const double next = plant_next_instant(&m), margin = plant_margin(&m);
  state("own", &m);
  say("held", plant_NU, m.u);
  const double last[4] = {instants, changes, next < HUGE_VAL ? next : -1,
                          margin < HUGE_VAL ? margin : -1};
  say("passed", 4, last);
  const double forced = plant_settle(&m, 1);
  say("forced", 1, &forced);
  say("sides", forced == 0 ? plant_NU : 0, m.u);
  return 0;
}


// Whether a call that has failed has left the machine as it was, and says why.
static int is_as_before(const plant_machine *x, const plant_machine *now)
{
  return memcmp(x->q, now->q, sizeof x->q) == 0 && memcmp(x->v, now->v, sizeof x->v) == 0 &&
         memcmp(x->s, now->s, sizeof x->s) == 0 && memcmp(x->u, now->u, sizeof x->u) == 0 &&
         memcmp(x->tau, now->tau, sizeof x->tau) == 0 && x->t == now->t && x->work == now->work &&
         x->energy == now->energy && x->length == now->length && x->choice == now->choice &&
         x->corner == now->corner && now->failed && *now->failed;
}


int main(int argc, char **argv)
{
  double h, rate[NQ + NV + NS + 1], y[NY + 1], g[NE + 1], force[NA + 1], a[NV + 1];
  int steps, n[9] = {plant_about.nq,        plant_about.nv,         plant_about.ns,
                     plant_about.nu,        plant_about.ny,         plant_about.nevent,
                     plant_about.nactuator, plant_about.nparameter, plant_about.nfree},
             f[NF + 1];
  if (argc < 3 || sscanf(argv[1], "%lf", &h) != 1 || sscanf(argv[2], "%d", &steps) != 1) return 2;
  printf("sizes");
  for (int i = 0; i < 9; i++) printf(" %d", n[i]);
  putchar('\n');
  name("position", NQ, plant_about.positions);
  name("velocity", NV, plant_about.velocities);
  name("state", NS, plant_about.states);
  name("output", NY, plant_about.outputs);
  name("event", NE, plant_about.events);
  name("input", NU, plant_about.inputs);
  name("actuator", NA, plant_about.actuators);
  name("parameter", plant_NPARAMETER, plant_about.parameters);
  plant_start(&m);
  for (int i = 0; i < NQ; i++)
    if (plant_about.positions[i].value != m.q[i]) return 3;
  state("begin", &m);
  if (plant_close(&m)) return 4;
  state("closed", &m);
  if (plant_rates(&m, rate)) return 5;
  say("rates", NQ + NV + NS, rate);
  if (plant_accelerate(&m, a)) return 5;
  say("accelerations", NV, a);
  if (plant_outputs(&m, y)) return 6;
  say("outputs", NY, y);
  if (plant_events(&m, g)) return 7;
  say("events", NE, g);
  if (plant_inverse(&m, a, force)) return 8;
  say("idle", NA, force);
  if (plant_linear(&m, f, A, B, C, D)) return 9;
  say("A", X * X, A);
  say("B", X * W, B);
  say("C", NY * X, C);
  say("D", NY * W, D);
  printf("free");
  for (int i = 0; i < NF; i++) printf(" %d", f[i]);
  putchar('\n');
  // a step that is made again from a copy of the machine is the same
  other = m;
  if (plant_step(&m, h) || plant_step(&other, h)) return 10;
  if (memcmp(m.q, other.q, sizeof m.q) || memcmp(m.v, other.v, sizeof m.v)) return 11;
  for (int i = 1; i < steps; i++)
    if (plant_step(&m, h)) {
      printf("stopped %s\n", m.failed);
      return 12;
    }
  state("end", &m);
  if (plant_outputs(&m, y)) return 13;
  say("last", NY, y);
  // off the corners of laws that a machine may stand on
  for (int i = 0; i < NV; i++) m.v[i] += 0.003 * (i + 1);
  const double off = differences();
  say("differences", 1, &off);
  const double back = backward(h, 4 * steps);
  say("backward", 1, &back);
  if (lead(h, steps)) return 20;
  // each parameter is changed so that loops may not close
  plant_start(&m);
  if (plant_close(&m)) return 14;
  int failures = 0, open = 0;
  for (int i = 0; i < plant_NPARAMETER; i++) {
    other = m;
    ((double *) &other.p)[i] += 100;
    plant_prepare(&other);
    plant_machine before = other;
    const int failed = plant_step(&other, h);
    if (failed == 0) continue;
    failures++;
    if (!is_as_before(&before, &other)) return 16;
    printf("loop %s\n", other.failed);
    if (plant_accelerate(&other, a) == 0) continue; // loops that close far away stop steps alone
    open++;
    if (!is_as_before(&before, &other)) return 18;
    other.p = m.p;
    plant_prepare(&other);
    if (plant_step(&other, h) || other.failed) return 19;
  }
  printf("failures %d\nopen %d\n", failures, open);
  // parameters that are no numbers: where loops cannot be closed no motion begins
  int unmade = 0;
  for (int i = 0; i < plant_NPARAMETER; i++) {
    other = m;
    ((double *) &other.p)[i] = NAN;
    plant_prepare(&other);
    for (int k = 0; k < plant_NU; k++) other.u[k] += 0.25;
    other.work += 0.5;
    other.corner++;
    plant_machine before = other;
    if (plant_begin(&other) == 0) continue;
    unmade++;
    if (!is_as_before(&before, &other)) return 21;
    printf("loop %s\n", other.failed);
    if (plant_pass(&other) && !is_as_before(&before, &other)) return 22;
    other = before;
    if (plant_settle(&other, 1) && !is_as_before(&before, &other)) return 23;
  }
  printf("unmade %d\n", unmade);
  return 0;
}
