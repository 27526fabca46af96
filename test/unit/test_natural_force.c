// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements in natural coordinates: the same power, potential and virtual power as in relative
// ones; stiffness and damping against differences; discrete gradients.
#include <math.h>
#include <string.h>

#include "force/force.h"
#include "natural/natural.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"

static uint64_t seed = 41;

//---- a machine with every joint, and one in a plane ----------------------------------------------

static void add_body(artBuilder *b, const char *name, const double tip[3], double turn)
{
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = 2;
  memcpy(body.com, (double[3]){0.1, -0.2, -0.3}, sizeof body.com);
  body.inertia[0] = 0.3, body.inertia[1] = 0.25, body.inertia[2] = 0.2;
  art_add_body(b, &body);
  artPose pose = art_default_pose();
  memcpy(pose.position, tip, sizeof pose.position);
  memcpy(pose.rotation, (double[4]){0.8, 0.4 * turn, -0.5 * turn, 0.3}, sizeof pose.rotation);
  art_add_frame(b, name, "tip", &pose);
}


static void add_joint(artBuilder *b, const char *name, artJointType type, const char *from,
                      const char *to, const double axis[3])
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = from, joint.to = to;
  memcpy(joint.axis, axis, sizeof joint.axis);
  if (type == ART_UNIVERSAL) memcpy(joint.axis2, (double[3]){0, 0, 1}, sizeof joint.axis2);
  joint.pitch = 0.3;
  art_add_joint(b, &joint);
}


static artBuilder *zoo(void)
{
  artBuilder *b = art_create_builder();
  add_body(b, "cart", (double[3]){0.2, 0.3, 0.4}, 1);
  add_body(b, "arm", (double[3]){0.5, 0.1, -0.8}, 1);
  add_body(b, "bob", (double[3]){-0.3, 0.6, -0.2}, 1);
  add_body(b, "hand", (double[3]){0.3, 0.2, -0.5}, 1);
  add_body(b, "nut", (double[3]){0.7, -0.1, 0.1}, 1);
  add_body(b, "bird", (double[3]){0.4, 0.4, -0.4}, 1);
  artPose pose = art_default_pose();
  memcpy(pose.position, (double[3]){-1, 0.3, 0.2}, sizeof pose.position);
  art_add_frame(b, "ground", "hook", &pose);
  add_joint(b, "rail", ART_PRISMATIC, "ground", "cart", (double[3]){1, 0.2, 0});
  add_joint(b, "pin", ART_REVOLUTE, "cart", "arm", (double[3]){0, 1, 0.3});
  add_joint(b, "ball", ART_SPHERICAL, "arm.tip", "bob", (double[3]){0, 0, 1});
  add_joint(b, "cross", ART_UNIVERSAL, "bob.tip", "hand", (double[3]){1, 0, 0});
  add_joint(b, "screw", ART_SCREW, "hand.tip", "nut", (double[3]){0, 1, 1});
  add_joint(b, "air", ART_FREE, "cart.tip", "bird", (double[3]){0, 0, 1});
  return b;
}


// two links that turn about z
static artBuilder *flat(void)
{
  artBuilder *b = art_create_builder();
  art_set_gravity(b, (double[3]){0, -9.81, 0});
  add_body(b, "cart", (double[3]){0.8, 0.1, 0}, 0);
  add_body(b, "arm", (double[3]){0.5, -0.3, 0}, 0);
  artPose pose = art_default_pose();
  memcpy(pose.position, (double[3]){-1, 0.3, 0}, sizeof pose.position);
  art_add_frame(b, "ground", "hook", &pose);
  add_joint(b, "rail", ART_REVOLUTE, "ground", "cart", (double[3]){0, 0, 1});
  add_joint(b, "pin", ART_REVOLUTE, "cart.tip", "arm", (double[3]){0, 0, 1});
  return b;
}


//---- elements ------------------------------------------------------------------------------------

static const double knots_x[] = {-0.3, 0.1, 0.4, 1.2}, knots_f[] = {-20, 5, 11, 40};
static const double poly[] = {30, -7, 4};
static const artLawDef laws[] = {
    {.type = ART_LAW_LINEAR, .coefficient = 25},
    {.type = ART_LAW_POLYNOMIAL, .n = 3, .f = poly},
    {.type = ART_LAW_PIECEWISE, .n = 4, .x = knots_x, .f = knots_f},
    {.type = ART_LAW_TABLE, .n = 4, .x = knots_x, .f = knots_f},
};
enum { NLAWS = 4 };


// x = 1.2 pin + c rail
static void combine(artBuilder *b, const char *element, double c)
{
  const char *const names[] = {"pin", "rail"};
  const double factors[] = {1.2, c};
  art_set_combination(b, element, 2, names, factors);
}


static void add_springs(artBuilder *b, int is_damped, double free_length)
{
  const artLawDef none = {0};
  for (int i = 0; i < NLAWS; i++) {
    const artLawDef damper = is_damped ? laws[(i + 1) % NLAWS] : none;
    const char *names[] = {"l0", "l1", "l2", "l3", "j0", "j1", "j2", "j3"};
    const artSpringDamperDef line = {.name = names[i],
                                     .from = i % 2 ? "ground.hook" : "cart.tip",
                                     .to = i < 2 ? "arm.tip" : "arm",
                                     .free_length = free_length + 0.1 * i,
                                     .spring = laws[i],
                                     .damper = damper};
    const artJointSpringDef joint = {.name = names[NLAWS + i],
                                     .coordinate = i % 2 ? "pin" : "rail",
                                     .rest = 0.2 * i,
                                     .spring = laws[i],
                                     .damper = damper};
    art_add_spring_damper(b, &line);
    art_add_joint_spring(b, &joint);
  }
  const artJointStopDef stop = {"stop", "pin", -0.3, 0.4, 50, is_damped ? 0.3 : 0};
  art_add_joint_stop(b, &stop);
  combine(b, "j1", -0.5);
  combine(b, "j2", 0.7);
  combine(b, "stop", 0.3);
}


static void add_friction(artBuilder *b)
{
  const artJointFrictionDef friction = {"friction", "rail", 2, 3, 0.5, 0.7, 0.4};
  art_add_joint_friction(b, &friction);
  combine(b, "friction", -0.8);
}


static void add_formulas(artBuilder *b)
{
  const artJointForceDef motor = {"motor", "pin", "3*sin(time) - 30*pin.angle - 4*pin.rate", {0}};
  const artBodyForceDef wind = {"wind", "arm.tip", {"arm.x - 2", "3*time", "-pin.rate"}, 0, 0, {0}};
  const artBodyForceDef jet = {"jet", "arm.tip", {"max(rail.rate, 0)", "2", "0.3"}, 0, 1, {0}};
  const artBodyForceDef twist = {"twist", "cart", {"1.5", "-2", "3 + pin.angle"}, 1, 0, {0}};
  const artBodyForceDef weight = {"weight", "arm.tip", {"1.5", "-2", "4"}, 0, 0, {0}};
  art_add_joint_force(b, &motor);
  art_add_body_force(b, &wind);
  art_add_body_force(b, &jet);
  art_add_body_force(b, &twist);
  art_add_body_force(b, &weight);
}


// forces and torques on bodies, and one on every velocity coordinate
static artStatus push(void *context, const artModel *m, artData *d)
{
  (void) context;
  const int arm = art_find_frame(m, "arm.tip"), cart = art_find_frame(m, "cart");
  art_apply_force(m, d, arm, (double[3]){1 + d->q[0], -2, 3});
  art_apply_torque(m, d, cart, (double[3]){0.5, 1, -0.7 * d->v[1]});
  for (int k = 0; k < art_count(m).nv; k++) {
    art_apply_joint_force(m, d, k, 0.7 + 0.3 * k - 0.2 * d->v[k]);
  }
  return ART_OK;
}


// a well around the origin of ground, V = |r|^4 / 4, and one of the pin, V = 1 - cos(angle)
static double well(void *context, const artModel *m, const artData *d)
{
  (void) context;
  double r[3];
  art_frame_position(m, d, art_find_frame(m, "arm.tip"), r);
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  return 0.25 * square * square + 1 - cos(d->q[art_find_position(m, "pin.angle")]);
}


static artStatus pull_to_well(void *context, const artModel *m, artData *d)
{
  (void) context;
  double r[3];
  const int tip = art_find_frame(m, "arm.tip"), pin = art_find_velocity(m, "pin.rate");
  art_frame_position(m, d, tip, r);
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  art_apply_force(m, d, tip, (double[3]){-square * r[0], -square * r[1], -square * r[2]});
  art_apply_joint_force(m, d, pin, -sin(d->q[art_find_position(m, "pin.angle")]));
  return ART_OK;
}


static void add_callbacks(artBuilder *b, int is_steady)
{
  const artCallbackDef steady = {"well", pull_to_well, well, NULL};
  const artCallbackDef other = {"push", push, NULL, NULL};
  art_add_callback(b, is_steady ? &steady : &other);
}


//---- scenes --------------------------------------------------------------------------------------

typedef struct scene {
  artModel *m;
  artData *d;
  naturalMachine *k;
  double *q, *v, *Q, *u; // [n] and room for more
} scene;


CHECK_KEEPER(keep_natural, naturalMachine, natural_destroy)


static scene open_scene(artBuilder *b)
{
  scene s = {.m = keep_model(model_compile(b))};
  s.d = keep_fresh_data(s.m);
  CHECK_WORKS(natural_create(&s.k, s.m, s.d, NATURAL_AUTOMATIC, &check_error));
  keep_natural(s.k);
  s.q = keep_numbers(s.k->s->n);
  s.v = keep_numbers(s.k->s->n);
  s.Q = keep_numbers(s.k->s->n);
  s.u = keep_numbers(s.k->s->n);
  return s;
}


static void put_random(scene *s, double t)
{
  s->d->time = t;
  sample_numbers(&seed, 0.9, s->m->tree.nq, s->d->q);
  sample_numbers(&seed, 2, s->m->tree.nv, s->d->v);
  art_normalise(s->m, s->d->q);
  art_update(s->m, s->d);
  natural_place(s->k, s->q, s->v);
}


static double dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}


// Q, power and potential at q, v
static void apply(scene *s, double t, const double *q, const double *v, double *Q, double *power,
                  double *potential)
{
  *power = *potential = 0;
  memset(Q, 0, (size_t) s->k->s->n * sizeof *Q);
  const naturalForces *f = &s->k->forces;
  CHECK(f->apply(f->context, t, q, v, Q, power, potential, NULL) == ART_OK);
}


static double potential_at(scene *s, const double *q, const double *v)
{
  double power, potential;
  apply(s, 0, q, v, s->Q, &power, &potential);
  return potential;
}


//---- virtual power -------------------------------------------------------------------------------

// power of gravity and of the forces in d->force and work->applied at the velocities of the data
static double tree_power(const artModel *m, artData *d)
{
  double tau[SAMPLE_V], sum = 0, kept[SAMPLE_V];
  data_need_velocity(m, d);
  for (int i = 1; i < m->tree.n; i++) {
    sum += mot_dot(d->work->tree.vel[i], d->work->applied[i]);
  }
  sum += dot(m->tree.nv, d->force, d->v);

  // at rest gravity is all that joints have to carry
  memcpy(kept, d->v, (size_t) m->tree.nv * sizeof *kept);
  memset(d->v, 0, (size_t) m->tree.nv * sizeof *kept);
  art_inverse_dynamics(m, d, NULL, tau);
  memcpy(d->v, kept, (size_t) m->tree.nv * sizeof *kept);
  return sum - dot(m->tree.nv, tau, d->v);
}


static void check_against_tree(artBuilder *b, int is_planar)
{
  scene s = open_scene(b);
  CHECK_EQ_INT(s.k->is_planar, is_planar);
  const int n = s.k->s->n;
  for (int trial = 0; trial < 30; trial++) {
    const double t = 0.1 * trial;
    double power, potential;
    put_random(&s, t);
    apply(&s, t, s.q, s.v, s.Q, &power, &potential);

    CHECK(art_apply_forces(s.m, s.d, NULL) == ART_OK);
    const double want = s.d->work->power;
    CHECK_CLOSE(power, want, 1e-11 * check_larger(1, fabs(want)));
    potential += s.k->s->weight_0 - dot(n, s.k->s->weight, s.q);
    const double stored = art_energy(s.m, s.d).potential;
    CHECK_CLOSE(potential, stored, 1e-11 * check_larger(1, fabs(stored)));

    // the forces stay while the machine is given other velocities
    for (int other = 0; other < 3; other++) {
      sample_numbers(&seed, 2, s.m->tree.nv, s.d->v);
      s.d->work->tree.has_velocity = 0;
      natural_place(s.k, s.q, s.u);
      const double got = dot(n, s.Q, s.u) + dot(n, s.k->s->weight, s.u);
      const double virtual_power = tree_power(s.m, s.d);
      CHECK_CLOSE(got, virtual_power, 1e-11 * check_larger(10, fabs(virtual_power)));
    }
  }
}


TEST(springs_have_the_virtual_power_of_the_tree)
{
  for (int i = 0; i < 2; i++) {
    artBuilder *b = i ? flat() : zoo();
    add_springs(b, 1, 0.3);
    add_friction(b);
    check_against_tree(b, i);
  }
}


TEST(formulas_have_the_virtual_power_of_the_tree)
{
  for (int i = 0; i < 2; i++) {
    artBuilder *b = i ? flat() : zoo();
    add_formulas(b);
    check_against_tree(b, i);
  }
}


TEST(callbacks_have_the_virtual_power_of_the_tree)
{
  for (int i = 0; i < 4; i++) {
    artBuilder *b = i / 2 ? flat() : zoo();
    add_callbacks(b, i % 2);
    check_against_tree(b, i / 2);
  }
}


TEST(all_elements_together_have_the_virtual_power_of_the_tree)
{
  artBuilder *b = zoo();
  add_springs(b, 1, 0.3);
  add_friction(b);
  add_formulas(b);
  add_callbacks(b, 0);
  add_callbacks(b, 1);
  check_against_tree(b, 0);
}


//---- tangent -------------------------------------------------------------------------------------

// y = A x of the lower triangle
static void times(const numPattern *p, const double *values, const double *x, double *y)
{
  memset(y, 0, (size_t) p->n * sizeof *y);
  for (int j = 0; j < p->n; j++) {
    for (int k = p->start[j]; k < p->start[j + 1]; k++) {
      const int i = p->row[k];
      y[i] += values[k] * x[j];
      if (i != j) y[j] += values[k] * x[i];
    }
  }
}


// -(dQ/dq) u or -(dQ/dv) u by differences
static void difference(scene *s, int by_velocity, const double *u, double *out)
{
  const int n = s->k->s->n;
  const double h = 1e-5;
  double power, potential, *x = by_velocity ? s->v : s->q;
  for (int i = 0; i < n; i++) x[i] += h * u[i];
  apply(s, 0, s->q, s->v, s->Q, &power, &potential);
  memcpy(out, s->Q, (size_t) n * sizeof *out);
  for (int i = 0; i < n; i++) x[i] -= 2 * h * u[i];
  apply(s, 0, s->q, s->v, s->Q, &power, &potential);
  for (int i = 0; i < n; i++) {
    out[i] = (s->Q[i] - out[i]) / (2 * h);
    x[i] += h * u[i];
  }
}


TEST(stiffness_and_damping_are_derivatives_of_the_forces)
{
  artBuilder *b = zoo();
  add_springs(b, 1, 0);
  add_friction(b);
  scene s = open_scene(b);
  const int n = s.k->s->n;
  const numPattern *p = &s.k->s->pattern;
  const size_t entries = (size_t) p->start[n];
  double *values = keep_numbers((int) entries);
  double *got = keep_numbers(n);
  double *want = keep_numbers(n);
  for (int trial = 0; trial < 20; trial++) {
    for (int by_velocity = 0; by_velocity < 2; by_velocity++) {
      double power, potential;
      put_random(&s, 0);

      // without rates stiffness is symmetric; slow ones keep the friction from falling
      for (int i = 0; i < n; i++) s.v[i] *= by_velocity ? 0.1 : 0;
      sample_numbers(&seed, 1, n, s.u);
      difference(&s, by_velocity, s.u, want);
      apply(&s, 0, s.q, s.v, s.Q, &power, &potential);
      memset(values, 0, entries * sizeof *values);
      s.k->forces.add_tangent(s.k->forces.context, by_velocity ? 0 : 1, by_velocity, values);
      times(p, values, s.u, got);
      CHECK_NEAR(got, want, n, 1e-6 * check_largest(n, want));
    }
  }
}


TEST(a_joint_force_by_formula_knows_its_own_slopes)
{
  artBuilder *b = zoo();
  add_formulas(b);
  scene s = open_scene(b);
  const numPattern *p = &s.k->s->pattern;
  double power, potential, *values = keep_numbers(p->start[p->n]);
  put_random(&s, 0);
  apply(&s, 0, s.q, s.v, s.Q, &power, &potential);
  s.k->forces.add_tangent(s.k->forces.context, 10, 1, values);
  const int own = s.k->coordinate[art_find_velocity(s.m, "pin.rate")];
  CHECK_CLOSE(values[p->start[own]], 304, 1e-12);
}


// -df/dx of forces that depend on their own point: along ground axes, and with parts that do not resist
TEST(a_body_force_by_formula_knows_the_slopes_by_its_own_point)
{
  const struct {
    const char *components[3];
    double K[3][3], C[3][3];
  } cases[] = {
      {{"max(0, 900 - 100*arm.tip.x)", "2*time - 30*arm.tip.y - 2*arm.tip.vy",
        "max(0, -90 - arm.tip.vz) - arm.tip.vz"},
       {{100, 0, 0}, {0, 30, 0}, {0, 0, 0}},
       {{0, 0, 0}, {0, 2, 0}, {0, 0, 1}}},
      {{"-10*arm.tip.x + 4*arm.tip.y", "4*arm.tip.x - 10*arm.tip.y", "5*arm.tip.z + arm.tip.x"},
       {{10, 0, 0}, {0, 10, 0}, {0, 0, 0}},
       {{0}}},
      {{"-10*arm.tip.x + 2*arm.tip.y", "6*arm.tip.x - 10*arm.tip.y", "-arm.tip.z + arm.tip.vz"},
       {{10, -4, 0}, {-4, 10, 0}, {0, 0, 1}},
       {{0}}},
      {{"-10*arm.tip.x + 6*arm.tip.y + 6*arm.tip.z", "6*arm.tip.x - 10*arm.tip.y + 6*arm.tip.z",
        "6*arm.tip.x + 6*arm.tip.y - 10*arm.tip.z"},
       {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}},
       {{0}}},
  };
  for (int i = 0; i < 4; i++) {
    artBuilder *b = zoo();
    artBodyForceDef def = {.name = "tyre", .on = "arm.tip"};
    memcpy(def.components, cases[i].components, sizeof def.components);
    art_add_body_force(b, &def);
    scene s = open_scene(b);
    const int n = s.k->s->n, point = s.k->point[art_find_frame(s.m, "arm.tip")];
    const numPattern *p = &s.k->s->pattern;
    double *values = keep_numbers(p->start[n]);
    double *got = keep_numbers(n), power, potential;
    put_random(&s, 0);
    apply(&s, 0, s.q, s.v, s.Q, &power, &potential);
    s.k->forces.add_tangent(s.k->forces.context, 2, 3, values);
    sample_numbers(&seed, 1, n, s.u);
    times(p, values, s.u, got);

    const v3 u = natural_form_rate(s.k->s, point, s.u);
    const double x[3] = {u.x, u.y, u.z};
    double f[3] = {0};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) f[r] += (2 * cases[i].K[r][c] + 3 * cases[i].C[r][c]) * x[c];
    }
    memset(s.Q, 0, (size_t) n * sizeof *s.Q);
    natural_pull(s.k->s, point, (v3){f[0], f[1], f[2]}, s.Q);
    CHECK_NEAR(got, s.Q, n, 1e-12 * check_largest(n, s.Q));
  }
}


TEST(a_force_along_body_axes_has_its_slopes_along_them)
{
  artBuilder *b = zoo();
  const artBodyForceDef def = {
      .name = "tyre", .on = "arm.tip", .components = {"-10*arm.tip.x", "0", "0"}, .in_body = 1};
  art_add_body_force(b, &def);
  scene s = open_scene(b);
  const int n = s.k->s->n, tip = art_find_frame(s.m, "arm.tip"), point = s.k->point[tip];
  const numPattern *p = &s.k->s->pattern;
  const size_t entries = (size_t) p->start[n];
  double *values = keep_numbers((int) entries);
  double *got = keep_numbers(n);
  for (int trial = 0; trial < 10; trial++) {
    double e[4], power, potential;
    put_random(&s, 0);
    art_frame_rotation(s.m, s.d, tip, e);
    apply(&s, 0, s.q, s.v, s.Q, &power, &potential);
    memset(values, 0, entries * sizeof *values);
    s.k->forces.add_tangent(s.k->forces.context, 1, 0, values);
    sample_numbers(&seed, 1, n, s.u);
    times(p, values, s.u, got);

    // force 10 x along the frame's first axis, of which the part along x resists x
    const double part = fmax(0, 1 - 2 * (e[2] * e[2] + e[3] * e[3]));
    memset(s.Q, 0, (size_t) n * sizeof *s.Q);
    const v3 f = {10 * part * natural_form_rate(s.k->s, point, s.u).x, 0, 0};
    natural_pull(s.k->s, point, f, s.Q);
    CHECK_NEAR(got, s.Q, n, 1e-11);
  }
}


//---- between two states --------------------------------------------------------------------------

// a step of the given size from a random state, in natural coordinates
typedef struct pair {
  double *q[2], *v[2], *mean;
} pair;


static void take_pair(const scene *s, pair *x)
{
  for (int i = 0; i < 2; i++) {
    x->q[i] = keep_numbers(s->k->s->n);
    x->v[i] = keep_numbers(s->k->s->n);
  }
  x->mean = keep_numbers(s->k->s->n);
}


static void put_pair(scene *s, pair *x, double size)
{
  double step[SAMPLE_V];
  put_random(s, 0);
  natural_place(s->k, x->q[0], x->v[0]);
  sample_numbers(&seed, size, s->m->tree.nv, step);
  art_move(s->m, s->d->q, step);
  art_update(s->m, s->d);
  natural_place(s->k, x->q[1], x->v[1]);
  for (int i = 0; i < s->k->s->n; i++) x->mean[i] = 0.5 * (x->v[0][i] + x->v[1][i]);
}


static double apply_between(scene *s, const pair *x)
{
  double power = 0;
  const naturalForces *f = &s->k->forces;
  memset(s->Q, 0, (size_t) s->k->s->n * sizeof *s->Q);
  CHECK(f->apply_between(f->context, 0, x->q[0], x->v[0], 0, x->q[1], x->v[1], s->Q, &power,
                         NULL) == ART_OK);
  return power;
}


static void check_conserving(artBuilder *b)
{
  const double sizes[] = {0.5, 1e-2, 1e-4, 1e-6, 1e-9, 0};
  pair x;
  scene s = open_scene(b);
  take_pair(&s, &x);
  const int n = s.k->s->n;
  for (int trial = 0; trial < 60; trial++) {
    put_pair(&s, &x, sizes[trial % 6]);
    const double V0 = potential_at(&s, x.q[0], x.v[0]), V1 = potential_at(&s, x.q[1], x.v[1]);
    const double power = apply_between(&s, &x);
    CHECK(power == 0);
    double work = 0;
    for (int i = 0; i < n; i++) work += s.Q[i] * (x.q[1][i] - x.q[0][i]);
    CHECK_CLOSE(work, V0 - V1, 1e-13 * check_larger(1, check_larger(fabs(V0), fabs(V1))));
  }
}


TEST(work_between_two_states_is_the_difference_of_potentials)
{
  for (int planar = 0; planar < 2; planar++) {
    artBuilder *b = planar ? flat() : zoo();
    add_springs(b, 0, 0.3);
    check_conserving(b);
    b = planar ? flat() : zoo();
    add_callbacks(b, 1);
    check_conserving(b);
  }
}


// the mean force of a step becomes the force at its middle, with a difference of second order
TEST(forces_between_close_states_are_those_at_a_state)
{
  artBuilder *b = zoo();
  add_springs(b, 1, 0.3);
  add_friction(b);
  add_formulas(b);
  add_callbacks(b, 0);
  add_callbacks(b, 1);
  pair x;
  scene s = open_scene(b);
  take_pair(&s, &x);
  const int n = s.k->s->n;
  double *Q = keep_numbers(n);
  for (int trial = 0; trial < 20; trial++) {
    double power, potential;
    put_pair(&s, &x, 1e-6);
    const double mean_power = apply_between(&s, &x);
    for (int i = 0; i < n; i++) s.q[i] = 0.5 * (x.q[0][i] + x.q[1][i]);
    apply(&s, 0, s.q, x.mean, Q, &power, &potential);
    CHECK_NEAR(s.Q, Q, n, 1e-7 * check_largest(n, Q));
    CHECK_CLOSE(mean_power, power, 1e-9 * check_larger(1, fabs(power)));
  }
}


TEST(losses_between_two_states_are_the_work_of_their_forces)
{
  artBuilder *b = zoo();
  const artLawDef damper = laws[1];
  const artSpringDamperDef line = {
      .name = "line", .from = "ground.hook", .to = "arm.tip", .damper = damper};
  const artJointSpringDef joint = {.name = "joint", .coordinate = "pin", .damper = damper};
  art_add_spring_damper(b, &line);
  art_add_joint_spring(b, &joint);
  add_friction(b);
  add_callbacks(b, 0);
  pair x;
  scene s = open_scene(b);
  take_pair(&s, &x);
  for (int trial = 0; trial < 20; trial++) {
    put_pair(&s, &x, 0.1);
    const double power = apply_between(&s, &x), want = dot(s.k->s->n, s.Q, x.mean);
    CHECK_CLOSE(power, want, 1e-13 * check_larger(1, fabs(want)));
  }
}


TEST(a_machine_with_weights_alone_has_no_forces_to_ask_for)
{
  artBuilder *b = zoo();
  const artBodyForceDef weight = {"weight", "arm.tip", {"1.5", "-2", "4"}, 0, 0, {0}};
  art_add_body_force(b, &weight);
  scene s = open_scene(b);
  CHECK(!s.k->forces.apply && !s.k->forces.add_tangent && !s.k->forces.apply_between);
}
