// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "support/industrial_robot.h"

#include <math.h>
#include <string.h>

enum { N = ROBOT_AXES, ELASTIC = 3, UNKNOWNS = 7 * N };

//---- numbers -------------------------------------------------------------------------------------

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;
static const double LOAD = 15, LOAD_AT[3] = {0.1, 0.25, 0.1};
static const double begin_deg[N] = {-60, 20, 90, 0, -110, 0},
                    end_deg[N] = {60, -70, -35, 45, 110, 45};
static const double speed_max[N] = {3, 1.5, 5, 3.1, 3.1, 4.1};
static const double acceleration_max[N] = {15, 15, 15, 60, 60, 60};
static const double KP = 5, KS = 0.5, TS = 0.05; // of all controllers

static const struct {
  double ratio, inertia, gain, w, damping; // gear, motor
  double friction, viscous, peak; // at the motor of axes 1 to 3, at the joint of the others
  double stiffness, damper;       // of the gear, seen at the motor
} axis[N] = {
    {-105, 1.3e-3, 1.1616, 4590, 0.6, 0.4, 0.13 / 160, 1, 43, 0.005},
    {210, 1.3e-3, 1.1616, 5500, 0.6, 0.5, 0.1 / 130, 1, 8, 0.01},
    {60, 1.3e-3, 1.1616, 5500, 0.6, 0.7, 0.2 / 130, 1, 58, 0.04},
    {-99, 1.6e-4, 0.2365, 6250, 0.55, 21.8, 9.8, 26.7 / 21.8, 0, 0},
    {79.2, 1.8e-4, 0.2608, 6250, 0.55, 30.1, 0.03, 39.6 / 30.1, 0, 0},
    {-99, 4.3e-5, 0.0842, 7400, 0.27, 10.9, 3.92, 16.8 / 10.9, 0, 0},
};

// Links, in their own axes, which agree with ground where all angles are zero: y points up. Inertias are about the centre of mass;
// the inertia of the load is the default of the library.
static const struct {
  int about;    // the joint turns about this axis
  double at[3]; // the joint, in the link before
  double m, c[3];
  double inertia[4]; // xx, yy, zz, xy
} link[N] = {
    {1, {0, 0.351, 0}, 1, {0, 0, 0}, {0.001, 1.16, 0.001, 0}},
    {0, {0, 0.324, 0.3}, 56.5, {0.172, 0.205, 0}, {2.58, 0.64, 2.73, -0.46}},
    {0, {0, 0.65, 0}, 26.4, {0.064, -0.034, 0}, {0.279, 0.245, 0.413, -0.070}},
    {1, {0, 0.414, -0.155}, 28.7, {0, 0, 0}, {1.67, 0.081, 1.67, 0}},
    {0, {0, 0.186, 0}, 5.2, {0, 0, 0}, {1.25, 0.81, 1.53, 0}},
    {1, {0, 0.125, 0}, 0.5, {0.05, 0.05, 0.05}, {0.001, 0.001, 0.001, 0}},
};

//---- path ----------------------------------------------------------------------------------------

typedef struct path {
  double rate, acceleration; // of the path coordinate s, which goes from 0 to 1
  double t1, t2, t3;         // end of acceleration, of constant speed, of deceleration
} path;


static double change_of(int i)
{
  return (end_deg[i] - begin_deg[i]) * PI / 180;
}


// The fastest motion whose phases all axes share.
static path plan(void)
{
  double slowest = 0, laziest = 0;
  for (int i = 0; i < N; i++) {
    slowest = fmax(slowest, fabs(change_of(i)) / speed_max[i]);
    laziest = fmax(laziest, fabs(change_of(i)) / acceleration_max[i]);
  }
  const path p = {.rate = 1 / slowest, .acceleration = 1 / laziest};
  const double t1 = p.rate / p.acceleration;
  return (path){p.rate, p.acceleration, t1, slowest, slowest + t1};
}


double robot_path_end(void)
{
  return plan().t3;
}


// s and its rate
static void follow(const path *p, double t, double *s, double *rate)
{
  if (t < p->t1) {
    *s = p->acceleration * t * t / 2;
    *rate = p->acceleration * t;
  } else if (t < p->t2) {
    *s = p->acceleration * p->t1 * p->t1 / 2 + p->rate * (t - p->t1);
    *rate = p->rate;
  } else {
    const double left = fmax(p->t3 - t, 0);
    *s = 1 - p->acceleration * left * left / 2;
    *rate = p->acceleration * left;
  }
}

//---- the arm -------------------------------------------------------------------------------------

static void cross_add(double out[3], const double a[3], const double b[3], double factor)
{
  out[0] += factor * (a[1] * b[2] - a[2] * b[1]);
  out[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  out[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}


// Turn x by the angle about axis k: components in the axes of the link before (forward) or of the link.
static void turn(double x[3], int k, double angle, int forward)
{
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double c = cos(angle), s = forward ? sin(angle) : -sin(angle);
  const double xi = x[i], xj = x[j];
  x[i] = c * xi - s * xj;
  x[j] = s * xi + c * xj;
}


static void weigh(double out[3], int i, const double w[3])
{
  const double *e = link[i].inertia;
  out[0] = e[0] * w[0] + e[3] * w[1];
  out[1] = e[3] * w[0] + e[1] * w[1];
  out[2] = e[2] * w[2];
}


// f and t, at the link's origin, of a body of mass m at c: m (a + al x c + w x (w x c)), c x f + I al + w x I w
static void resist(double f[3], double t[3], double m, const double c[3], const double a[3],
                   const double w[3], const double al[3])
{
  double wc[3] = {0}, own[3];
  cross_add(wc, w, c, 1);
  memcpy(own, a, sizeof own);
  cross_add(own, al, c, 1);
  cross_add(own, w, wc, 1);
  for (int k = 0; k < 3; k++) {
    own[k] *= m;
    f[k] += own[k];
  }
  cross_add(t, c, own, 1);
}


// Torques along the joints that give the arm these accelerations, outward and inward (Luh, Walker, Paul 1980), in the axes of the links.
static void inverse_dynamics(const double q[N], const double w[N], const double acceleration[N],
                             double gravity, double torque[N])
{
  double rate[3] = {0}, growth[3] = {0}, a[3] = {0, gravity, 0}; // of ground, which rises
  double force[N][3] = {{0}}, moment[N][3] = {{0}};
  for (int i = 0; i < N; i++) {
    double wp[3] = {0};
    cross_add(wp, rate, link[i].at, 1);
    cross_add(a, growth, link[i].at, 1);
    cross_add(a, rate, wp, 1);
    turn(a, link[i].about, q[i], 0);
    turn(rate, link[i].about, q[i], 0);
    turn(growth, link[i].about, q[i], 0);
    double spin[3] = {0};
    spin[link[i].about] = w[i];
    cross_add(growth, rate, spin, 1);
    rate[link[i].about] += w[i];
    growth[link[i].about] += acceleration[i];

    resist(force[i], moment[i], link[i].m, link[i].c, a, rate, growth);
    double momentum[3], change[3];
    weigh(momentum, i, rate);
    weigh(change, i, growth);
    cross_add(change, rate, momentum, 1);
    for (int k = 0; k < 3; k++) moment[i][k] += change[k];
    if (i == N - 1) { // the load, with 0.001 kg m^2 about each axis
      resist(force[i], moment[i], LOAD, LOAD_AT, a, rate, growth);
      for (int k = 0; k < 3; k++) moment[i][k] += 0.001 * growth[k];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    torque[i] = moment[i][link[i].about];
    if (i == 0) break;
    turn(force[i], link[i].about, q[i], 1);
    turn(moment[i], link[i].about, q[i], 1);
    cross_add(moment[i], link[i].at, force[i], 1);
    for (int k = 0; k < 3; k++) {
      force[i - 1][k] += force[i][k];
      moment[i - 1][k] += moment[i][k];
    }
  }
}


// Solve A x = b by elimination; A is positive definite.
static void solve(double a[N][N], double b[N])
{
  for (int k = 0; k < N; k++) {
    for (int i = k + 1; i < N; i++) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < N; j++) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = N - 1; k >= 0; k--) {
    for (int j = k + 1; j < N; j++) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

//---- equations of motion -------------------------------------------------------------------------

static double friction_of(int i, int slides, double w)
{
  return slides * axis[i].friction + axis[i].viscous * w;
}


static double breakaway_of(int i)
{
  return axis[i].peak * axis[i].friction;
}


// Rates of all unknowns, and the torques of bearings that are stuck.
static void rates(const robotState *s, const path *p, double t, robotState *dot, double held[N])
{
  double drive[N], bias[N], mass[N][N], unit[N], column[N];
  const double still[N] = {0};
  for (int i = 0; i < N; i++) {
    double at, rate;
    follow(p, t, &at, &rate);
    const double wanted = begin_deg[i] * PI / 180 + change_of(i) * at;
    const double error = axis[i].ratio * change_of(i) * rate +
                         KP * (axis[i].ratio * wanted - s->motor[i]) - s->speed[i];
    // L i' = 5 u - R i - k w, u' = (i_wanted - i)/(Ri C): R = 250, L = R/(2 D w), Ri C = 0.04 D/w
    const double inductance = 250 / (2 * axis[i].damping * axis[i].w);
    const double current_wanted = KS * (s->memory[i] + error);
    dot->memory[i] = error / TS;
    dot->command[i] = (current_wanted - s->current[i]) / (0.04 * axis[i].damping / axis[i].w);
    dot->current[i] =
        (5 * s->command[i] - 250 * s->current[i] - axis[i].gain * s->speed[i]) / inductance;
    dot->q[i] = s->w[i];
    dot->motor[i] = s->speed[i];

    const double torque = axis[i].gain * s->current[i];
    if (i < ELASTIC) {
      const double spring = axis[i].stiffness * (s->motor[i] - axis[i].ratio * s->q[i]) +
                            axis[i].damper * (s->speed[i] - axis[i].ratio * s->w[i]);
      const double left = torque - spring - friction_of(i, s->slides[i], s->speed[i]);
      drive[i] = axis[i].ratio * spring;
      dot->speed[i] = s->slides[i] ? left / axis[i].inertia : 0;
      held[i] = s->slides[i] ? 0 : left;
    } else {
      drive[i] = axis[i].ratio * torque - friction_of(i, s->slides[i], s->w[i]);
    }
  }
  inverse_dynamics(s->q, s->w, still, GRAVITY, bias);
  for (int j = 0; j < N; j++) {
    memset(unit, 0, sizeof unit);
    unit[j] = 1;
    inverse_dynamics(s->q, still, unit, 0, column);
    for (int i = 0; i < N; i++) mass[i][j] = column[i];
    if (j >= ELASTIC) mass[j][j] += axis[j].inertia * axis[j].ratio * axis[j].ratio;
  }
  double reduced[N][N], a[N];
  for (int i = 0; i < N; i++) {
    const int stuck = i >= ELASTIC && !s->slides[i];
    for (int j = 0; j < N; j++) {
      const int other = j >= ELASTIC && !s->slides[j];
      reduced[i][j] = stuck || other ? i == j : mass[i][j];
    }
    a[i] = stuck ? 0 : drive[i] - bias[i];
  }
  solve(reduced, a);
  for (int i = 0; i < N; i++) {
    dot->w[i] = a[i];
    if (i < ELASTIC) continue;
    dot->speed[i] = axis[i].ratio * a[i];
    held[i] = 0;
    if (s->slides[i]) continue;
    held[i] = drive[i] - bias[i];
    for (int j = 0; j < N; j++) held[i] -= mass[i][j] * a[j];
  }
}


robotState robot_at_rest(double share)
{
  robotState s = {0};
  const double still[N] = {0};
  double weight[N];
  for (int i = 0; i < N; i++) s.q[i] = begin_deg[i] * PI / 180;
  inverse_dynamics(s.q, still, still, GRAVITY, weight);
  for (int i = 0; i < N; i++) {
    const double bearing = share * copysign(breakaway_of(i), weight[i]); // along the joint's motion
    const double torque =
        i < ELASTIC ? weight[i] / axis[i].ratio - copysign(bearing, weight[i] * axis[i].ratio)
                    : (weight[i] - bearing) / axis[i].ratio;
    const double twist = i < ELASTIC ? weight[i] / (axis[i].ratio * axis[i].stiffness) : 0;
    s.motor[i] = axis[i].ratio * s.q[i] + twist, s.current[i] = torque / axis[i].gain;
    s.command[i] = 250 * s.current[i] / 5, s.memory[i] = s.current[i] / KS + KP * twist;
  }
  return s;
}

//---- steps ---------------------------------------------------------------------------------------

static void add(robotState *out, const robotState *s, const robotState *dot, double h)
{
  const double *x = (const double *) s, *v = (const double *) dot; // both begin with the unknowns
  double *y = (double *) out;
  for (int k = 0; k < UNKNOWNS; k++) y[k] = x[k] + h * v[k];
}


// Runge and Kutta's step; axes do not change between sticking and sliding within it.
static robotState step(const robotState *s, const path *p, double t, double h)
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  robotState out = *s, between = *s, dot = *s;
  double held[N];
  for (int k = 0; k < 4; k++) {
    if (k > 0) add(&between, s, &dot, at[k] * h);
    rates(&between, p, t + at[k] * h, &dot, held);
    add(&out, &out, &dot, weight[k] * h);
  }
  return out;
}


// How far axis i is past the end of its phase: a sliding one that turns back, a stuck one that is torn loose.
static double overdue(const robotState *s, const path *p, double t, int i)
{
  if (s->slides[i]) return -s->slides[i] * (i < ELASTIC ? s->speed[i] : s->w[i]);
  robotState dot;
  double held[N];
  rates(s, p, t, &dot, held);
  return fabs(held[i]) - breakaway_of(i);
}


static int first_overdue(const robotState *s, const path *p, double t)
{
  for (int i = 0; i < N; i++) {
    if (overdue(s, p, t, i) > 0) return i;
  }
  return -1;
}


// Axis i changes: what slid stands still, unless more than its bearing can hold moves it on.
static void change(robotState *s, const path *p, double t, int i)
{
  if (s->slides[i]) {
    s->slides[i] = 0;
    s->speed[i] = 0;
    if (i >= ELASTIC) s->w[i] = 0;
  }
  robotState dot;
  double held[N];
  rates(s, p, t, &dot, held);
  if (fabs(held[i]) > breakaway_of(i)) s->slides[i] = held[i] > 0 ? 1 : -1;
}


// One step to t + h, or to the first change of an axis in it; returns how far it went.
static double advance(robotState *s, const path *p, double t, double h, int *changes)
{
  robotState next = step(s, p, t, h);
  if (first_overdue(&next, p, t + h) < 0) {
    *s = next;
    return h;
  }
  double low = 0, high = h;
  for (int k = 0; k < 40; k++) {
    const double middle = (low + high) / 2;
    next = step(s, p, t, middle);
    if (first_overdue(&next, p, t + middle) < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *s = step(s, p, t, high);
  const int i = first_overdue(s, p, t + high);
  if (i >= 0) {
    change(s, p, t + high, i);
    ++*changes;
  }
  return high;
}


int robot_go(robotState *s, double t, double until, double h)
{
  const path p = plan();
  const double corners[4] = {p.t1, p.t2, p.t3, until};
  int changes = 0;
  while (t < until - 1e-13) {
    double next = until;
    for (int k = 0; k < 4; k++) {
      if (corners[k] > t + 1e-13) next = fmin(next, corners[k]);
    }
    const double left = next - t;
    t = left <= h * (1 + 1e-9) ? t + advance(s, &p, t, left, &changes)
                               : t + advance(s, &p, t, h, &changes);
    if (fabs(t - next) < 1e-13) t = next;
  }
  return changes;
}
