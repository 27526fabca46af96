// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations of what rolls without slip, against the library at random states where nothing slips, and at
// states that slip.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "base/numbers.h"
#include "loop/loop.h"
#include "loop/roll_rows.h"
#include "method/method.h"
#include "model/model.h"
#include "support/programs.h"

#define ROLLING "models/contact/rolling/"

static const char *const files[] = {
    ROLLING "bicycle.yaml",   ROLLING "cart.yaml",
    ROLLING "disc.yaml",      ROLLING "sleigh.yaml",
    ROLLING "slope.yaml",     ROLLING "tricycle.yaml",
    ROLLING "turntable.yaml", "test/models/rolling-plate.yaml",
    ROLLING "bowl.yaml",      "test/models/rolling-round.yaml",
    ROLLING "globe.yaml",     ROLLING "circle.yaml",
};
enum { FILES = sizeof files / sizeof *files, MOST = 64, STATES = 12 };


// within `size` of the initial state, loops closed
static int random_positions(const artModel *m, artData *d, double size, uint64_t *seed)
{
  double move[MOST] = {0};
  art_reset(m, d);
  if (!CHECK_WORKS(loop_partition(m, d, &check_error))) return 0;
  const loopPartition *p = &d->work->loop->partition;
  d->time = check_uniform(seed, 0, 2);
  for (int i = 0; i < p->nf; i++) move[p->free[i]] = check_uniform(seed, -size, size);
  art_move(m, d->q, move);
  for (int k = 0; k < m->tree.nv; k++) d->v[k] = check_uniform(seed, -3, 3);
  art_update(m, d);
  return loop_close(m, d, NULL) == ART_OK;
}


// as far from the initial state as loops can be closed; velocities roll if they are to
static int random_state(const artModel *m, artData *d, int rolls, uint64_t *seed)
{
  double size = 0.4;
  while (!random_positions(m, d, size, seed)) size *= 0.7;
  if (rolls && !CHECK_WORKS(method_roll_velocities(m, d, &check_error))) return 0;
  if (!CHECK_WORKS(loop_close(m, d, &check_error))) return 0;
  art_update(m, d);
  return 1;
}


// equations that were made at the initial state
typedef struct rollEquations {
  const artModel *m;
  artData *d;
  eqnList *accelerate, *outputs;
} rollEquations;


static rollEquations open_equations(const char *file)
{
  rollEquations x = {.m = keep_file(file)};
  x.d = keep_fresh_data(x.m);
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER | GEN_OUTPUTS};
  const eqnProgram *p = keep_program(x.m, x.d, &options);
  x.accelerate = keep_function(p, "accelerate", NULL);
  x.outputs = keep_function(p, "outputs", NULL);
  return x;
}


// q and v become what the equations make of them
static int evaluate(const eqnList *list, const artData *d, double *q, double *v, double *const *out)
{
  double t = d->time, run[8] = {0};
  double *const in[] = {&t, q, v, run};
  return CHECK_EQ_INT(eqn_evaluate(list, NULL, in, out, NULL, NULL), 0);
}


static void compare_at(const rollEquations *x)
{
  const artModel *m = x->m;
  artData *d = x->d;
  const int nq = m->tree.nq, nv = m->tree.nv;
  double q[MOST], v[MOST], a[MOST], power = 0, y[MOST], known[MOST];
  if (!CHECK_WORKS(art_accelerate(m, d, ART_SEMIRECURSIVE, &check_error))) return;
  memcpy(q, d->q, (size_t) nq * sizeof *q);
  memcpy(v, d->v, (size_t) nv * sizeof *v);
  if (!evaluate(x->accelerate, d, q, v, (double *const[]){a, &power})) return;
  CHECK_NEAR(a, d->a, nv, 1e-12 * check_scale(nv, d->a));
  CHECK_NEAR(v, d->v, nv, 1e-12 * check_scale(nv, d->v));
  CHECK_CLOSE(power, art_energy(m, d).power, 1e-11 * (1 + fabs(power)));
  art_outputs(m, d, known);
  if (!evaluate(x->outputs, d, q, v, (double *const[]){y})) return;
  for (int i = 0; i < m->noutput; i++) {
    if (strcmp(m->output[i].name, "balance") == 0) continue; // of a run
    CHECK_CLOSE(y[i], known[i], 1e-11 * (1 + check_scale(nv, d->a)));
  }
}


TEST(generated_equations_agree_at_random_states)
{
  uint64_t seed = 7;
  for (int i = 0; i < FILES; i++) {
    const rollEquations x = open_equations(files[i]);
    for (int state = 0; state < STATES && x.accelerate && x.outputs; state++) {
      if (random_state(x.m, x.d, 1, &seed)) compare_at(&x);
    }
  }
}


static double slip_of(const artModel *m, artData *d)
{
  art_update(m, d);
  CHECK_WORKS(loop_close(m, d, &check_error));
  return rolling_slip(m, d);
}


//---- derivatives ---------------------------------------------------------------------------------

// A of x' = A x with x = (dq, dv) along the n free coordinates, of a machine that does not turn
static double *state_matrix(const eqnProgram *p, const eqnList *list, const artData *d, int nq,
                            int nv)
{
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE_TANGENT);
  const long n = p->nfree, order = 2 * n;
  double *A = keep_numbers((int) (order * order)), *out[MOST] = {NULL}, q[MOST], v[MOST];
  memcpy(q, d->q, (size_t) nq * sizeof *q);
  memcpy(v, d->v, (size_t) nv * sizeof *v);
  for (int k = 0; k < f->noutput; k++) out[k] = keep_numbers(f->output[k].n);
  if (!evaluate(list, d, q, v, out)) return NULL;
  for (long i = 0; i < n; i++) A[i * order + n + i] = 1;
  for (int k = 0; k < f->noutput; k++) {
    const int by_v = strcmp(f->output[k].name, "a_v") == 0;
    if (!by_v && strcmp(f->output[k].name, "a_q") != 0) continue;
    for (long i = 0; i < n; i++) {
      const double *row = out[k] + p->free[i] * n;
      memcpy(A + (n + i) * order + (by_v ? n : 0), row, (size_t) n * sizeof *A);
    }
  }
  return A;
}


// |det(A - z 1)| by elimination with pivots by columns
static double determinant_at(int n, const double *A, double complex z)
{
  double complex M[MOST][MOST];
  double size = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) M[i][j] = A[i * n + j] - (i == j ? z : 0);
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) best = cabs(M[i][k]) > cabs(M[best][k]) ? i : best;
    for (int j = 0; j < n; j++) {
      const double complex swap = M[k][j];
      M[k][j] = M[best][j], M[best][j] = swap;
    }
    size *= cabs(M[k][k]);
    for (int i = k + 1; i < n && M[k][k] != 0; i++) {
      const double complex factor = M[i][k] / M[k][k];
      for (int j = k; j < n; j++) M[i][j] -= factor * M[k][j];
    }
  }
  return size;
}


// Motions that roll are among those of the derivatives of all velocities: weave, capsize and castering of the benchmark at
// 5 m/s are eigenvalues.
TEST(derivatives_of_generated_equations_have_the_eigenvalues_of_the_bicycle)
{
  static const double complex known[] = {-0.32286642900409, -14.07838969279822,
                                         -0.77534188219585 + 4.46486771378823 * I};
  const artModel *m = keep_file(ROLLING "bicycle.yaml");
  artData *d = keep_fresh_data(m);
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_LINEAR};
  const eqnProgram *p = keep_program(m, d, &options);
  const eqnList *list = keep_function(p, "accelerate_tangent", NULL);
  if (!list) return;
  const double *A = state_matrix(p, list, d, m->tree.nq, m->tree.nv);
  for (int k = 0; A && k < 3; k++) {
    const double at = determinant_at(2 * p->nfree, A, known[k]);
    const double beside = determinant_at(2 * p->nfree, A, known[k] + 0.001);
    CHECK(at < 1e-6 * beside);
  }
}


// accelerations with the free coordinate k, or its velocity, moved by h
static int accelerate_moved(const rollEquations *x, int k, int by_v, double h, double *a)
{
  const artModel *m = x->m;
  double q[MOST], v[MOST], move[MOST] = {0};
  memcpy(q, x->d->q, (size_t) m->tree.nq * sizeof *q);
  memcpy(v, x->d->v, (size_t) m->tree.nv * sizeof *v);
  move[k] = h;
  if (by_v) v[k] += h;
  if (!by_v) art_move(m, q, move);
  return evaluate(x->accelerate, x->d, q, v, (double *const[]){a});
}


static void compare_derivatives(const rollEquations *x, const eqnProgram *p, const eqnList *tangent)
{
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE_TANGENT);
  const int nv = x->m->tree.nv, n = p->nfree;
  const double h = 1e-5, way[4] = {1, -1, 2, -2};
  double q[MOST], v[MOST], *out[MOST] = {NULL}, a[4][MOST];
  memcpy(q, x->d->q, (size_t) x->m->tree.nq * sizeof *q);
  memcpy(v, x->d->v, (size_t) nv * sizeof *v);
  for (int k = 0; k < f->noutput; k++) out[k] = keep_numbers(f->output[k].n);
  if (!evaluate(tangent, x->d, q, v, out)) return;
  for (int o = 0; o < f->noutput; o++) {
    const int by_v = strcmp(f->output[o].name, "a_v") == 0;
    if (!by_v && strcmp(f->output[o].name, "a_q") != 0) continue;
    for (int k = 0; k < n; k++) {
      double slope[MOST], own[MOST];
      for (int j = 0; j < 4; j++) {
        if (!accelerate_moved(x, p->free[k], by_v, way[j] * h, a[j])) return;
      }
      for (int i = 0; i < nv; i++) {
        slope[i] = (8 * (a[0][i] - a[1][i]) - (a[2][i] - a[3][i])) / (12 * h);
      }
      for (int i = 0; i < nv; i++) own[i] = out[o][i * n + k];
      CHECK_NEAR(own, slope, nv, 1e-6 * (1 + check_scale(nv, slope)));
    }
  }
}


// Those of the functions as they are, which project velocities, against differences of fourth order.
TEST(derivatives_of_generated_equations_know_that_velocities_are_projected)
{
  uint64_t seed = 9;
  for (int i = 0; i < FILES; i++) {
    rollEquations x = {.m = keep_file(files[i])};
    x.d = keep_fresh_data(x.m);
    const genOptions options = {.forms = GEN_ACCELERATE | GEN_LINEAR};
    const eqnProgram *p = keep_program(x.m, x.d, &options);
    x.accelerate = keep_function(p, "accelerate", NULL);
    const eqnList *tangent = keep_function(p, "accelerate_tangent", NULL);
    for (int state = 0; state < 3 && x.accelerate && tangent; state++) {
      if (random_state(x.m, x.d, 1, &seed)) compare_derivatives(&x, p, tangent);
    }
  }
}


//---- forces of actuators -------------------------------------------------------------------------

typedef struct rollInverse {
  const artModel *m;
  artData *d;
  const eqnProgram *p;
  eqnList *accelerate, *inverse;
} rollInverse;


static rollInverse open_inverse(const char *file, int n, const char *const *actuator)
{
  rollInverse x = {.m = keep_file(file)};
  x.d = keep_fresh_data(x.m);
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_MACHINE_INVERSE | GEN_REACTIONS,
                              .loads = 1,
                              .nactuator = n,
                              .actuator = actuator};
  x.p = keep_program(x.m, x.d, &options);
  x.accelerate = keep_function(x.p, "accelerate", NULL);
  x.inverse = keep_function(x.p, "machine_inverse", NULL);
  return x;
}


// accelerations under joint forces tau[nv], then forces of the actuators that make these, as joint forces x[nv]
static void find_forces(const rollInverse *x, const double *tau, double *a, double *forces)
{
  const eqnFunction *f = eqn_function(x->p, EQN_MACHINE_INVERSE);
  const eqnVector *found = &f->output[f->noutput - 1];
  double t = x->d->time, load[MOST] = {0}, q[MOST], v[MOST], given[MOST], own[MOST];
  const int nv = x->m->tree.nv;
  memcpy(load, tau, (size_t) nv * sizeof *load);
  memcpy(q, x->d->q, (size_t) x->m->tree.nq * sizeof *q);
  memcpy(v, x->d->v, (size_t) nv * sizeof *v);
  double *const in[] = {&t, q, v, load};
  CHECK_EQ_INT(eqn_evaluate(x->accelerate, NULL, in, (double *const[]){a}, NULL, NULL), 0);
  memset(load, 0, sizeof load);
  memset(forces, 0, (size_t) nv * sizeof *forces);
  memcpy(given, a, (size_t) nv * sizeof *given);
  double *const back[] = {&t, q, v, load, given};
  CHECK_EQ_INT(eqn_evaluate(x->inverse, NULL, back, (double *const[]){own}, NULL, NULL), 0);
  for (int i = 0; i < found->n; i++) {
    for (int k = 0; k < nv; k++) {
      if (strcmp(found->label[i], x->m->velocity[k].name) == 0) forces[k] = own[i];
    }
  }
}


// reactions of joints under joint forces are those at the accelerations that they make
static void compare_reactions(const rollInverse *x, double *tau, double *a)
{
  enum { REACTIONS = 6 * 16 };
  const eqnList *forward = keep_function(x->p, "machine_reactions", NULL);
  const eqnList *back = keep_function(x->p, "machine_inverse_reactions", NULL);
  double t = x->d->time, load[MOST] = {0}, force[MOST], multiplier[MOST];
  double want[REACTIONS], found[REACTIONS];
  const int n = 6 * x->m->njoint;
  if (!forward || !back || !CHECK(n <= REACTIONS)) return;
  double *const in[] = {&t, x->d->q, x->d->v, tau}, *const given[] = {&t, x->d->q, x->d->v, load,
                                                                      a};
  double *const out[] = {force, multiplier, found};
  CHECK_EQ_INT(eqn_evaluate(forward, NULL, in, (double *const[]){want}, NULL, NULL), 0);
  CHECK_EQ_INT(eqn_evaluate(back, NULL, given, out, NULL, NULL), 0);
  CHECK_NEAR(found, want, n, 1e-10 * check_scale(n, want));
}


// Two motors of the cart are found again; forces of all free coordinates, the least ones, make the same motion.
TEST(forces_of_actuators_make_motions_that_roll)
{
  static const char *const motors[] = {"left_hub", "right_hub"};
  uint64_t seed = 10;
  const rollInverse two = open_inverse(ROLLING "cart.yaml", 2, motors);
  const rollInverse all = open_inverse(ROLLING "cart.yaml", 0, NULL);
  const int nv = two.m->tree.nv;
  for (int state = 0; state < 5 && two.inverse && all.inverse; state++) {
    double tau[MOST] = {0}, a[MOST], same[MOST], forces[MOST], again[MOST];
    for (int k = 0; k < nv; k++) {
      const char *name = two.m->velocity[k].name;
      const int acts = strcmp(name, "left_hub.rate") == 0 || strcmp(name, "right_hub.rate") == 0;
      if (acts) tau[k] = check_uniform(&seed, -2, 2);
    }
    if (!random_state(two.m, two.d, 1, &seed)) continue;
    find_forces(&two, tau, a, forces);
    CHECK_NEAR(forces, tau, nv, 1e-10);
    compare_reactions(&two, tau, a);
    memcpy(all.d->q, two.d->q, (size_t) two.m->tree.nq * sizeof *all.d->q);
    memcpy(all.d->v, two.d->v, (size_t) nv * sizeof *all.d->v);
    find_forces(&all, tau, same, forces);
    CHECK_NEAR(same, a, nv, 1e-10 * check_scale(nv, a));
    CHECK(base_dot(nv, forces, forces) < base_dot(nv, tau, tau));
    find_forces(&all, forces, same, again);
    CHECK_NEAR(same, a, nv, 1e-10 * check_scale(nv, a));
  }
}


//---- parameters ----------------------------------------------------------------------------------

// equations of the file with another value of a parameter, against the model that is read with it
static void check_rolled_parameter(const char *path, const char *name, double factor)
{
  const artModel *m = keep_file(path);
  artModel *other = NULL;
  artData *made = keep_assembled_data(m);
  const genOptions options = {.forms = GEN_ACCELERATE};
  const eqnProgram *p = keep_program(m, made, &options);
  const eqnList *list = keep_function(p, "accelerate", NULL);
  double *parameter = keep_numbers(p->parameter.n), q[MOST], v[MOST], a[MOST];
  int k = 0;
  memcpy(parameter, p->value, (size_t) p->parameter.n * sizeof *parameter);
  while (k < p->nuser && strcmp(p->user[k].name, name) != 0) k++;
  if (!list || !CHECK(k < p->nuser)) return;
  parameter[k] *= factor;
  const artSetting setting = {name, parameter[k]};
  if (!CHECK_WORKS(art_load_model_with(&other, path, 1, &setting, &check_error))) return;
  artData *d = keep_assembled_data(keep_model(other));
  if (!CHECK_WORKS(art_accelerate(other, d, ART_SEMIRECURSIVE, &check_error))) return;
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  memcpy(v, d->v, (size_t) m->tree.nv * sizeof *v);
  double t = 0, *const in[] = {&t, q, v}, *const out[] = {a};
  CHECK_EQ_INT(eqn_evaluate(list, parameter, in, out, NULL, NULL), 0);
  CHECK_NEAR(a, d->a, m->tree.nv, 1e-10 * (1 + check_scale(m->tree.nv, d->a)));
}


TEST(radii_of_what_rolls_and_of_its_surface_follow_parameters)
{
  check_rolled_parameter(ROLLING "slope.yaml", "r", 1.01);
  check_rolled_parameter(ROLLING "disc.yaml", "r", 1.00001);
  check_rolled_parameter(ROLLING "bowl.yaml", "r", 1.01);
  check_rolled_parameter("test/models/rolling-funnel.yaml", "r", 1.01);
  check_rolled_parameter("test/models/rolling-funnel.yaml", "R", 1.01);
  check_rolled_parameter("test/models/rolling-funnel.yaml", "half", 1.01);
}


//---- what is refused -----------------------------------------------------------------------------

// Both front blades of a cart hold it sideways at the same place, until one of them is steered by itself.
TEST(positions_where_more_blades_are_redundant_than_nearby_are_refused)
{
  const artModel *m = keep_text(
      "articula: 1\nbodies:\n  cart: {mass: 3, inertia: [1, 1, 1]}\n"
      "  left: {mass: 1, position: [1, 0.4, 0], inertia: [1, 1, 1]}\n"
      "  right: {mass: 1, position: [1, -0.4, 0], inertia: [1, 1, 1]}\n"
      "joints:\n  ice: {type: planar, axis: z, x: x, from: ground, to: cart, at: [0, 0, 0]}\n"
      "  left_pin: {type: revolute, axis: z, from: cart, to: left, at: [1, 0.4, 0]}\n"
      "  right_pin: {type: revolute, axis: z, from: cart, to: right, at: [1, -0.4, 0]}\n"
      "  left_blade: {type: knife-edge, from: ground, to: left}\n"
      "  right_blade: {type: knife-edge, from: ground, to: right}\n");
  const genOptions options = {.forms = GEN_ACCELERATE};
  eqnProgram *p = NULL;
  artData *d = keep_assembled_data(m);
  CHECK_FAILS(gen_create(&p, m, d, &options, &check_error), ART_BAD_INPUT, "'right_blade'");
  keep_recorded(p);
}


TEST(forms_that_do_not_take_rolling_say_so)
{
  static const unsigned forms[] = {GEN_AUGMENTED, GEN_IMPLICIT};
  static const char *const words[] = {"'blade'", "sleigh.yaml:"};
  const artModel *m = keep_file(ROLLING "sleigh.yaml");
  artData *d = keep_assembled_data(m);
  for (int k = 0; k < 2; k++) {
    const genOptions options = {.forms = forms[k]};
    eqnProgram *p = NULL;
    CHECK_FAILS(gen_create(&p, m, d, &options, &check_error), ART_BAD_INPUT, words[k]);
    keep_recorded(p);
  }
}


// as the library, by the change of least kinetic energy
TEST(generated_equations_project_velocities_that_slip)
{
  uint64_t seed = 8;
  for (int i = 0; i < FILES; i++) {
    const rollEquations x = open_equations(files[i]);
    if (!x.accelerate || !random_state(x.m, x.d, 0, &seed)) continue;
    double q[MOST], v[MOST], a[MOST], power;
    CHECK(slip_of(x.m, x.d) > 0.01);
    memcpy(q, x.d->q, (size_t) x.m->tree.nq * sizeof *q);
    memcpy(v, x.d->v, (size_t) x.m->tree.nv * sizeof *v);
    if (!evaluate(x.accelerate, x.d, q, v, (double *const[]){a, &power})) continue;
    CHECK_WORKS(method_roll_velocities(x.m, x.d, &check_error));
    CHECK_NEAR(v, x.d->v, x.m->tree.nv, 1e-11 * check_scale(x.m->tree.nv, v));
    memcpy(x.d->v, v, (size_t) x.m->tree.nv * sizeof *v);
    CHECK(slip_of(x.m, x.d) < 1e-12);
  }
}
