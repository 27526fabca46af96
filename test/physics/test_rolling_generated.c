// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations of what rolls without slip, against the library at random states where nothing slips, and at
// states that slip.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "loop/loop.h"
#include "loop/roll_rows.h"
#include "method/method.h"
#include "model/model.h"
#include "support/programs.h"

#define ROLLING "models/contact/rolling/"

static const char *const files[] = {
    ROLLING "bicycle.yaml", ROLLING "cart.yaml",  ROLLING "disc.yaml",
    ROLLING "sleigh.yaml",  ROLLING "slope.yaml", ROLLING "tricycle.yaml",
};
enum { FILES = sizeof files / sizeof *files, MOST = 64, STATES = 12 };


// near the initial state, loops closed; velocities roll if they are to
static int random_state(const artModel *m, artData *d, int rolls, uint64_t *seed)
{
  double move[MOST] = {0};
  art_reset(m, d);
  if (!CHECK_WORKS(loop_partition(m, d, &check_error))) return 0;
  const loopPartition *p = &d->work->loop->partition;
  d->time = check_uniform(seed, 0, 2);
  for (int i = 0; i < p->nf; i++) move[p->free[i]] = check_uniform(seed, -0.4, 0.4);
  art_move(m, d->q, move);
  for (int k = 0; k < m->tree.nv; k++) d->v[k] = check_uniform(seed, -3, 3);
  art_update(m, d);
  if (!CHECK_WORKS(loop_close(m, d, &check_error))) return 0;
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
  static const unsigned forms[] = {GEN_AUGMENTED, GEN_MACHINE_INVERSE, GEN_IMPLICIT};
  static const char *const words[] = {"'blade'", "the form machine-inverse", "sleigh.yaml:"};
  const artModel *m = keep_file(ROLLING "sleigh.yaml");
  artData *d = keep_assembled_data(m);
  for (int k = 0; k < 3; k++) {
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
