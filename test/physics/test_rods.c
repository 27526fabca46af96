// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass against the same machines with bars for rods: bodies on two ball joints, or on a
// universal and a ball joint; and against closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loop/loop.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"
#include "support/simulate.h"

enum { MAX_V = 40, STATES = 5 };

//---- machines ------------------------------------------------------------------------------------

typedef struct point {
  double x[3];
} point;

typedef struct barSpec {
  const char *name, *from;
  point p;
  const char *to;
  point q;
  double mass;
} barSpec;

typedef struct machine {
  const char *name;
  void (*put_tree)(artBuilder *b);
  barSpec bar[4]; // ends with {0}
} machine;

// how the bars are modelled
typedef enum barForm { AS_ROD, ON_BALLS, ON_UNIVERSAL } barForm;


static void put_body(artBuilder *b, const char *name, double mass, point at)
{
  artBodyDef body = art_default_body();
  const double I = 0.03 * mass;
  const double inertia[6] = {I, 1.3 * I, 0.9 * I, 0.1 * I, -0.2 * I, 0.05 * I};
  body.name = name;
  body.mass = mass;
  memcpy(body.com, at.x, sizeof body.com);
  memcpy(body.inertia, inertia, sizeof body.inertia);
  art_add_body(b, &body);
}


static void put_joint(artBuilder *b, const char *name, artJointType type, const char *from,
                      const char *to, point at, point axis)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = from, joint.to = to, joint.in_ground = 1;
  memcpy(joint.at, at.x, sizeof joint.at);
  memcpy(joint.axis, axis.x, sizeof joint.axis);
  art_add_joint(b, &joint);
}


// two cranks about skew axes
static void put_cranks(artBuilder *b)
{
  put_body(b, "crank", 1.2, (point){{0.1, 0, 0.2}});
  put_body(b, "rocker", 2, (point){{1, 0.3, 0.3}});
  put_joint(b, "a", ART_REVOLUTE, "ground", "crank", (point){{0, 0, 0}}, (point){{0.2, 1, 0}});
  put_joint(b, "b", ART_REVOLUTE, "ground", "rocker", (point){{1, 0.2, 0}},
            (point){{0.1, 0.8, 0.5}});
  const artJointForceDef torque = {
      .name = "torque", .coordinate = "a.angle", .formula = "3*sin(a.angle) - 0.3*a.rate"};
  art_add_joint_force(b, &torque);
}


// a body on a ball joint, held by a stay to ground
static void put_swing(artBuilder *b)
{
  put_body(b, "swing", 1.5, (point){{0.2, 0.1, -0.6}});
  put_joint(b, "ball", ART_SPHERICAL, "ground", "swing", (point){{0, 0, 0}}, (point){{0, 0, 1}});
}


static void put_pair(artBuilder *b)
{
  put_body(b, "left", 1.1, (point){{0, 0, 0}});
  put_body(b, "right", 0.7, (point){{1, 0.2, 0.4}});
  put_joint(b, "fly", ART_FREE, "ground", "left", (point){{0, 0, 0}}, (point){{0, 0, 1}});
  put_joint(b, "hover", ART_FREE, "ground", "right", (point){{1, 0.2, 0.4}}, (point){{0, 0, 1}});
}


// two arms of one cart, which a drive moves; the arms end in a massless hook
static void put_cart(artBuilder *b)
{
  put_body(b, "cart", 3, (point){{0, 0, 0}});
  put_body(b, "one", 1, (point){{-0.3, 0, 0.4}});
  put_body(b, "two", 1.4, (point){{0.5, 0.1, 0.4}});
  put_body(b, "hook", 0, (point){{0, 0, 0}});
  put_joint(b, "rail", ART_PRISMATIC, "ground", "cart", (point){{0, 0, 0}}, (point){{1, 0, 0}});
  put_joint(b, "first", ART_SPHERICAL, "cart", "one", (point){{-0.3, 0, 0}}, (point){{0, 1, 0}});
  put_joint(b, "second", ART_REVOLUTE, "cart", "two", (point){{0.5, 0, 0}}, (point){{0, 1, 0.3}});
  put_joint(b, "third", ART_REVOLUTE, "two", "hook", (point){{0.5, 0.1, 0.7}},
            (point){{0.4, 1, 0}});
  const artDriveDef drive = {
      .name = "pull", .coordinate = "rail.slide", .formula = "0.2*sin(3*time)"};
  art_add_drive(b, &drive);
}


static const machine machines[] = {
    {"cranks", put_cranks, {{"bar", "crank", {{0.2, 0.1, 0.5}}, "rocker", {{1.1, 0.4, 0.7}}, 0.8}}},
    {"swing",
     put_swing,
     {{"stay", "ground", {{1, 0, -0.3}}, "swing", {{0.3, 0.2, -0.9}}, 0.6},
      {"back", "swing", {{-0.2, 0.1, -0.5}}, "ground", {{-1, 0.4, 0.2}}, 0.9}}},
    {"pair", put_pair, {{"link", "left", {{0.2, 0.1, 0}}, "right", {{0.9, 0, 0.3}}, 0.5}}},
    {"cart",
     put_cart,
     {{"tie", "one", {{-0.3, 0.1, 0.6}}, "two", {{0.5, 0, 0.5}}, 0.4},
      {"hang", "hook", {{0.6, 0.1, 0.9}}, "ground", {{0.8, 1, 1.2}}, 0.7},
      {"none", "one", {{-0.3, 0, 0.3}}, "hook", {{0.55, 0.3, 0.8}}, 0.3}}},
    {0}};


static double bar_length(const barSpec *s, double e[3])
{
  for (int k = 0; k < 3; k++) e[k] = s->q.x[k] - s->p.x[k];
  const double l = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  for (int k = 0; k < 3; k++) e[k] /= l;
  return l;
}


// points at both ends, of any form
static void put_ends(artBuilder *b, const barSpec *s, char ends[2][64])
{
  artPose pose = art_default_pose();
  char name[2][32];
  for (int k = 0; k < 2; k++) {
    const char *body = k ? s->to : s->from;
    snprintf(name[k], sizeof name[k], "%.20s_%d", s->name, k);
    snprintf(ends[k], 64, "%.20s.%.31s", body, name[k]);
    memcpy(pose.position, k ? s->q.x : s->p.x, sizeof pose.position);
    art_add_frame(b, body, name[k], &pose);
  }
}


static void put_bar_body(artBuilder *b, const barSpec *s, const char *name, double spin)
{
  double e[3];
  const double l = bar_length(s, e), I = s->mass * l * l / 12;
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = s->mass;
  for (int k = 0; k < 3; k++) body.com[k] = 0.5 * (s->p.x[k] + s->q.x[k]);

  // I (1 - e e^T), and what the spin about the bar feels
  const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; k++) {
    body.inertia[k] = (k < 3 ? I : 0) + (spin - I) * e[row[k]] * e[column[k]];
  }
  art_add_body(b, &body);
}


static void put_bar(artBuilder *b, const barSpec *s, barForm form)
{
  char ends[2][64], body[32], near[32], far[32];
  double e[3];
  put_ends(b, s, ends);
  artJointDef joint = art_default_joint();
  if (form == AS_ROD) {
    joint.name = s->name, joint.type = ART_ROD, joint.from = ends[0], joint.to = ends[1];
    joint.length = bar_length(s, e), joint.mass = s->mass;
    art_add_joint(b, &joint);
    return;
  }
  snprintf(body, sizeof body, "%.20s_bar", s->name);
  snprintf(near, sizeof near, "%.20s_a", s->name);
  snprintf(far, sizeof far, "%.20s_b", s->name);
  const double l = bar_length(s, e);
  put_bar_body(b, s, body, form == ON_BALLS ? 0.01 * s->mass * l * l : 0);

  joint.name = near;
  joint.type = form == ON_BALLS ? ART_SPHERICAL : ART_UNIVERSAL;
  joint.from = s->from, joint.to = body, joint.in_ground = 1, joint.keep = 1;
  memcpy(joint.at, s->p.x, sizeof joint.at);
  // axes square to the bar and to each other
  const double u[3] = {e[1], -e[0], 0}, norm = hypot(e[0], e[1]);
  for (int k = 0; k < 3; k++) joint.axis[k] = u[k] / norm;
  for (int k = 0; k < 3; k++) {
    joint.axis2[k] =
        e[(k + 1) % 3] * joint.axis[(k + 2) % 3] - e[(k + 2) % 3] * joint.axis[(k + 1) % 3];
  }
  art_add_joint(b, &joint);
  joint.name = far, joint.type = ART_SPHERICAL, joint.from = body, joint.to = s->to;
  joint.keep = -1;
  memcpy(joint.at, s->q.x, sizeof joint.at);
  art_add_joint(b, &joint);
}


static artBuilder *build(const machine *k, barForm form)
{
  artBuilder *b = art_create_builder();
  k->put_tree(b);
  for (const barSpec *s = k->bar; s->name; s++) put_bar(b, s, form);
  return b;
}


//---- the same state ------------------------------------------------------------------------------


static void rotation_of(const double q[4], double R[3][3])
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
  };
  memcpy(R, rows, sizeof rows);
}


// R^T a
static void turn_back(double R[3][3], const double a[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = R[0][i] * a[0] + R[1][i] * a[1] + R[2][i] * a[2];
}


static void cross(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}


static int find_end(const artModel *m, const barSpec *s, int side)
{
  char name[64];
  snprintf(name, sizeof name, "%.20s.%.20s_%d", side ? s->to : s->from, s->name, side);
  return art_find_frame(m, name);
}


static void put_number(const artModel *m, artData *d, const char *joint, const char *part, double x)
{
  char name[64];
  snprintf(name, sizeof name, "%.20s_a.%.20s", joint, part);
  const int q = art_find_position(m, name), v = art_find_velocity(m, name);
  if (q >= 0) d->q[q] = x;
  if (v >= 0) d->v[v] = x;
  CHECK(q >= 0 || v >= 0);
}


// the ball joint of a bar, which does not spin, from the ends of the rod in the other model
static void lay_bar(const artModel *m, artData *d, const artModel *rods, const artData *at,
                    const barSpec *s)
{
  double e[3], p[3], q[3], vp[3], vq[3], w[3], turn[4], R[3][3], B[3][3];
  const double l = bar_length(s, e);
  art_frame_position(rods, at, find_end(rods, s, 0), p);
  art_frame_position(rods, at, find_end(rods, s, 1), q);
  art_frame_velocity(rods, at, find_end(rods, s, 0), vp, w);
  art_frame_rotation(rods, at, find_end(rods, s, 0), turn);
  rotation_of(turn, R);
  art_frame_velocity(rods, at, find_end(rods, s, 1), vq, (double[3]){0});

  // shortest turn from e to the bar, both as seen from `from`
  double span[3], rate[3], seen[3], axis[3], spin[3], own[3];
  for (int k = 0; k < 3; k++) span[k] = q[k] - p[k], rate[k] = vq[k] - vp[k];
  turn_back(R, span, seen);
  for (int k = 0; k < 3; k++) seen[k] /= l;
  cross(e, seen, axis);
  double quaternion[4] = {1 + e[0] * seen[0] + e[1] * seen[1] + e[2] * seen[2], axis[0], axis[1],
                          axis[2]};
  double norm = 0;
  for (int k = 0; k < 4; k++) norm += quaternion[k] * quaternion[k];
  for (int k = 0; k < 4; k++) quaternion[k] /= sqrt(norm);
  rotation_of(quaternion, B);

  // omega = d x d' / l^2, less that of `from`, in the axes of the bar
  cross(span, rate, spin);
  for (int k = 0; k < 3; k++) spin[k] = spin[k] / (l * l) - w[k];
  turn_back(R, spin, seen);
  turn_back(B, seen, own);
  static const char *const POSITION[] = {"qw", "qx", "qy", "qz"}, *const RATE[] = {"wx", "wy",
                                                                                   "wz"};
  for (int k = 0; k < 4; k++) put_number(m, d, s->name, POSITION[k], quaternion[k]);
  for (int k = 0; k < 3; k++) put_number(m, d, s->name, RATE[k], own[k]);
}


static void copy_state(const artModel *m, artData *d, const artModel *rods, const artData *at,
                       const machine *k)
{
  const artCounts n = art_count(rods);
  d->time = at->time;
  for (int i = 0; i < n.nq; i++) {
    d->q[art_find_position(m, art_position_name(rods, i))] = at->q[i];
  }
  for (int i = 0; i < n.nv; i++) {
    d->v[art_find_velocity(m, art_velocity_name(rods, i))] = at->v[i];
  }
  for (const barSpec *s = k->bar; s->name; s++) lay_bar(m, d, rods, at, s);
  art_update(m, d);
}


//---- accelerations -------------------------------------------------------------------------------


static int accelerate(const artModel *m, artData *d, artMethod method)
{
  art_update(m, d);
  return CHECK_WORKS(art_accelerate(m, d, method, &check_error));
}


typedef void (*comparison)(const machine *k, const artModel *rods, artData *at,
                           const artModel *bars, artData *d);


// both models at random states; bars have been accelerated
static void visit(comparison compare, uint64_t seed)
{
  for (const machine *k = machines; k->name; k++) {
    artModel *rods = keep_model(model_compile(build(k, AS_ROD))),
             *bars = keep_model(model_compile(build(k, ON_BALLS)));
    artData *at = keep_fresh_data(rods), *d = keep_fresh_data(bars);
    for (int trial = 0; trial < STATES; trial++) {
      if (!loop_random_state(rods, at, &seed)) break;
      copy_state(bars, d, rods, at, k);
      if (accelerate(bars, d, ART_SEMIRECURSIVE)) compare(k, rods, at, bars, d);
    }
  }
}


static void compare_accelerations(const machine *k, const artModel *rods, artData *at,
                                  const artModel *bars, artData *d)
{
  static const artMethod METHOD[] = {ART_SEMIRECURSIVE, ART_SEMIRECURSIVE, ART_SEMIRECURSIVE,
                                     ART_RECURSIVE, ART_AUGMENTED};
  static const artAlgebra ALGEBRA[] = {ART_ALGEBRA_PLAIN, ART_ALGEBRA_DENSE, ART_ALGEBRA_SPARSE,
                                       ART_ALGEBRA_PLAIN, ART_ALGEBRA_PLAIN};
  double want[MAX_V], velocity[MAX_V];
  const int nv = art_count(rods).nv;
  for (int i = 0; i < nv; i++) {
    const int other = art_find_velocity(bars, art_velocity_name(rods, i));
    want[i] = d->a[other];
    velocity[i] = d->v[other];
  }
  for (int i = 0; i < 5; i++) {
    method_work(at)->algebra = ALGEBRA[i];
    if (!accelerate(rods, at, METHOD[i])) continue;
    int ok = CHECK_NEAR(at->a, want, nv, 1e-10 * check_scale(nv, want));
    ok &= CHECK_NEAR(at->v, velocity, nv, 1e-12 * check_scale(nv, velocity));
    if (!ok) printf("  %s, %s %d\n", k->name, art_method_name(METHOD[i]), i);
  }
}


TEST(rods_move_like_bars_on_two_ball_joints)
{
  visit(compare_accelerations, 11);
}


//---- forces, energy, momentum --------------------------------------------------------------------


static void check_wrench(const artModel *m, artData *d, const char *joint, const artModel *other,
                         artData *e, const char *twin, double sign, double size)
{
  double f[6], g[6];
  CHECK(art_reaction(m, d, joint, f, f + 3, NULL) == ART_OK);
  CHECK(art_reaction(other, e, twin, g, g + 3, NULL) == ART_OK);
  for (int k = 0; k < 6; k++) g[k] *= sign;
  if (!CHECK_NEAR(f, g, 6, size)) printf("  joint %s\n", joint);
}


static void compare_forces(const machine *k, const artModel *rods, artData *at,
                           const artModel *bars, artData *d)
{
  static const artMethod METHOD[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  const double size = 1e-10 * 100 * check_scale(art_count(rods).nv, d->a);
  for (int i = 0; i < 3; i++) {
    if (!accelerate(rods, at, METHOD[i])) continue;
    for (int j = 0; j < rods->njoint; j++) {
      const char *name = rods->joint[j].name;
      if (rods->joint[j].type == ART_ROD) continue;
      check_wrench(rods, at, name, bars, d, name, 1, size);
    }
    for (const barSpec *s = k->bar; s->name; s++) {
      char near[32], far[32];
      double start[3], end[3], f[3], t[3], g[3];
      snprintf(near, sizeof near, "%.20s_a", s->name);
      snprintf(far, sizeof far, "%.20s_b", s->name);
      check_wrench(rods, at, s->name, bars, d, far, 1, size);
      CHECK(art_rod_forces(rods, at, s->name, start, end, NULL) == ART_OK);
      art_reaction(bars, d, near, f, t, NULL);
      art_reaction(bars, d, far, g, t, NULL);
      for (int c = 0; c < 3; c++) f[c] = -f[c];
      CHECK_NEAR(start, f, 3, size);
      CHECK_NEAR(end, g, 3, size);
    }
    const int drive = art_find_velocity(rods, "rail.rate");
    if (drive < 0) continue;
    const double want = d->force[art_find_velocity(bars, "rail.rate")];
    CHECK_CLOSE(at->force[drive], want, size);
  }
}


TEST(both_ends_and_all_joints_feel_what_they_feel_of_a_bar)
{
  visit(compare_forces, 12);
}


static void compare_sums(const machine *k, const artModel *rods, artData *at, const artModel *bars,
                         artData *d)
{
  (void) k;
  double p[6], q[6], M[MAX_V * MAX_V];
  if (!accelerate(rods, at, ART_SEMIRECURSIVE)) return;
  const artEnergy got = art_energy(rods, at), want = art_energy(bars, d);
  CHECK_CLOSE_REL(got.kinetic, want.kinetic, 1e-12);
  CHECK_CLOSE(got.potential, want.potential, 1e-12 * (1 + fabs(want.potential)));
  CHECK_CLOSE(got.power, want.power, 1e-9 * (1 + fabs(want.power)));
  art_momentum(rods, at, p, p + 3);
  art_momentum(bars, d, q, q + 3);
  CHECK_NEAR(p, q, 6, 1e-12 * check_scale(6, q));

  // 2 T = v^T M v, also over what stood in the matrix before
  const long nv = art_count(rods).nv;
  double twice = 0;
  art_mass_matrix(rods, at, M);
  for (long i = 0; i < nv; i++) {
    for (long j = 0; j < nv; j++) twice += at->v[i] * M[i * nv + j] * at->v[j];
  }
  twice /= 2;
  CHECK_CLOSE_REL(twice, want.kinetic, 1e-12);
  double lower[MAX_V * MAX_V];
  for (int i = 0; i < MAX_V * MAX_V; i++) lower[i] = 0;
  art_mass_matrix_lower(rods, at, lower);
  art_mass_matrix_lower(rods, at, lower);
  for (long i = 0; i < nv; i++)
    CHECK_NEAR(lower + i * nv, M + i * nv, (int) i + 1, 1e-13 * check_scale((int) (nv * nv), M));

  // M a is what inverse dynamics gives more for a than for none
  double tau[MAX_V], rest[MAX_V], Ma[MAX_V];
  art_inverse_dynamics(rods, at, at->a, tau);
  art_inverse_dynamics(rods, at, NULL, rest);
  for (long i = 0; i < nv; i++) {
    Ma[i] = 0;
    for (long j = 0; j < nv; j++) Ma[i] += M[i * nv + j] * at->a[j];
    tau[i] -= rest[i];
  }
  CHECK_NEAR(tau, Ma, (int) nv, 1e-11 * check_scale((int) nv, Ma));

  // and back
  double back[MAX_V];
  art_inverse_dynamics(rods, at, at->a, tau);
  CHECK(art_forward_dynamics(rods, at, tau, back, NULL) == ART_OK);
  CHECK_NEAR(back, at->a, (int) nv, 1e-10 * check_scale((int) nv, at->a));
}


TEST(energy_momentum_and_mass_matrix_count_the_rods)
{
  visit(compare_sums, 13);
}


//---- studies -------------------------------------------------------------------------------------


// the machines with universal joints for bars have as many freedoms
TEST(equilibrium_and_modes_are_those_with_bars)
{
  artModel *m[2];
  artData *d[2];
  artLinear *lin[2];
  for (int i = 0; i < 2; i++) {
    artEquilibrium found;
    m[i] = keep_model(model_compile(build(&machines[1], i ? ON_UNIVERSAL : AS_ROD)));
    d[i] = keep_fresh_data(m[i]);
    CHECK_WORKS(art_find_equilibrium(m[i], d[i], &found, &check_error));
    CHECK_WORKS(art_linearise(m[i], d[i], ART_SEMIRECURSIVE, &lin[i], &check_error));
    CHECK_EQ_INT(keep_linear(lin[i])->n, 1);
  }
  CHECK_NEAR(d[0]->q, d[1]->q, 4, 1e-8);
  CHECK_REL(lin[0]->frequency, lin[1]->frequency, 2, 1e-7);

  // at rest all joints carry what they carry of bars
  check_wrench(m[0], d[0], "ball", m[1], d[1], "ball", 1, 1e-6);
  check_wrench(m[0], d[0], "stay", m[1], d[1], "stay_b", 1, 1e-6);
  check_wrench(m[0], d[0], "back", m[1], d[1], "back_b", 1, 1e-6);
}


TEST(a_prescribed_motion_takes_the_same_torque)
{
  double torque[2][MAX_V];
  for (int i = 0; i < 2; i++) {
    artBuilder *b = build(&machines[0], i ? ON_UNIVERSAL : AS_ROD);
    const artMotionDef turning = {"a.angle", "0.3*sin(2*time)"};
    artStudyDef study = art_default_study(ART_INVERSE);
    study.name = "turn";
    study.inverse.motion = (artMotions){1, &turning};
    art_add_study(b, &study);
    artModel *m = keep_model(model_compile(b));
    artData *d = keep_fresh_data(m);
    const artInverseDef *own = &art_find_study(m, ART_INVERSE, "turn")->inverse;
    for (int k = 0; k <= 10; k++) {
      CHECK_WORKS(art_inverse_at(m, d, own, 0.05 * k, torque[i], &check_error));
    }
    torque[i][0] = torque[i][art_find_velocity(m, "a.rate")];

    // and the ends of the bar feel it
    double f[3], t[3];
    CHECK(art_reaction(m, d, i ? "bar_b" : "bar", f, t, NULL) == ART_OK);
    memcpy(&torque[i][1], f, sizeof f);
    CHECK(art_reaction(m, d, "b", f, t, NULL) == ART_OK);
    memcpy(&torque[i][4], t, sizeof t);
  }
  CHECK_NEAR(torque[0], torque[1], 7, 1e-9 * check_scale(7, torque[1]));
}


//---- runs ----------------------------------------------------------------------------------------


TEST(momentum_and_energy_of_a_flight_are_kept)
{
  static const artMethod METHOD[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  for (int i = 0; i < 3; i++) {
    artModel *m = keep_model(model_compile(build(&machines[2], AS_ROD)));
    artData *d = keep_fresh_data(m);
    uint64_t seed = 5;
    double p[6], q[6];
    if (!loop_random_state(m, d, &seed)) continue;
    d->time = 0;
    artRunDef study = art_default_run();
    study.until = 1, study.method = METHOD[i], study.tolerance = 1e-11;
    art_momentum(m, d, p, p + 3);
    const artEnergy before = art_energy(m, d);
    CHECK_WORKS(art_run_to(keep_started_run(m, d, &study), 1, &check_error));
    const artEnergy after = art_energy(m, d);
    CHECK_CLOSE_REL(before.kinetic + before.potential, after.kinetic + after.potential, 1e-9);
    art_momentum(m, d, q, q + 3);
    p[2] -= 9.81 * (1.1 + 0.7 + 0.5);
    CHECK_NEAR(p, q, 3, 1e-8);
  }
}


TEST(the_delta_robot_with_rods_moves_like_that_with_bars)
{
  simulation rods, bars;
  if (!simulation_start(&rods, "loops/delta-rods", ART_AUTOMATIC, ART_DOPRI5, 1e-12)) return;
  if (!simulation_start(&bars, "loops/delta", ART_AUTOMATIC, ART_DOPRI5, 1e-12)) return;
  double got[8], want[8];
  CHECK_EQ_INT(art_count(rods.model).outputs, 7);
  for (int k = 0; k <= 10; k++) {
    if (k > 0 && (!simulation_go(&rods, k) || !simulation_go(&bars, k))) break;
    art_outputs(rods.model, rods.data, got);
    art_outputs(bars.model, bars.data, want);
    CHECK_NEAR(got, want, 7, 1e-10);
  }
}


//---- closed forms --------------------------------------------------------------------------------


// a rod of mass m hangs from ground, a point of mass M at its end
static artModel *pendulum(double m, double M, double length, double angle, double speed)
{
  return keep_text_of(
      "articula: 1\n"
      "parameters: {l: %.17g, angle: %.17g, speed: %.17g}\n"
      "bodies: {slide_x: {}, slide_y: {}, bob: {mass: %.17g}}\n"
      "joints:\n"
      "  x: {type: prismatic, axis: x, from: ground, to: slide_x}\n"
      "  y: {type: prismatic, axis: y, from: slide_x, to: slide_y}\n"
      "  z: {type: prismatic, axis: z, from: slide_y, to: bob}\n"
      "  rod: {type: rod, from: ground, to: bob, length: = l, mass: %.17g}\n"
      "initial:\n"
      "  x: {slide: = l*sin(angle), rate: = speed*cos(angle)}\n"
      "  z: {slide: = -l*cos(angle), rate: = speed*sin(angle)}\n"
      "outputs: [rod.force, rod.fx, rod.fy, rod.fz, rod.from_fx, rod.from_fy, rod.from_fz,\n"
      "  momentum.x, momentum.ly, energy.kinetic]\n",
      length, angle, speed, M, m);
}


TEST(a_pendulum_of_rod_and_bob_swings_as_its_equation_says)
{
  static const artMethod METHOD[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED};
  static const double BOB[] = {0.7, 0};
  const double m = 1.3, l = 0.9, g = 9.81, angle = 0.6, speed = 1.4;
  for (int i = 0; i < 6; i++) {
    const double M = BOB[i / 3], rate = speed / l;
    artModel *model = pendulum(m, M, l, angle, speed);
    artData *d = keep_fresh_data(model);
    if (!accelerate(model, d, METHOD[i % 3])) continue;

    // (M + m/3) l^2 angle'' = -(M + m/2) g l sin(angle)
    const double turn = -(M + m / 2) * g * sin(angle) / ((M + m / 3) * l);
    const double c = cos(angle), s = sin(angle);
    const double a[3] = {l * (turn * c - rate * rate * s), 0, l * (turn * s + rate * rate * c)};
    CHECK_NEAR(d->a, a, 3, 1e-12 * 20);

    // the bob feels M (a - g); the support all that moves; the middle what lies beyond it
    double got[10];
    art_outputs(model, d, got);
    const double along = g * c + rate * rate * l;
    const double tension = M * along + m / 2 * (g * c + 0.75 * rate * rate * l);
    const double want[10] = {tension,
                             M * a[0],
                             0,
                             M * (a[2] + g),
                             -(M + m / 2) * a[0],
                             0,
                             -((M + m / 2) * a[2] + (M + m) * g),
                             (M + m / 2) * speed * c,
                             -(M + m / 3) * l * speed,
                             (M + m / 3) * speed * speed / 2};
    CHECK_NEAR(got, want, 10, 1e-11);
  }
}
