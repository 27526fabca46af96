// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations of the bare tree: at random states of every model they say what the numeric
// recursions say, with parameters as they are and with minimal ones.
#include <math.h>
#include <stdio.h>

#include "eqn/list.h"
#include "gen/gen.h"
#include "gen/tree/tree_equations.h"
#include "support/machines.h"
#include "support/models.h"
#include "support/oracle.h"
#include "support/programs.h"
#include "tree/tree.h"

enum { STATES = CHECK_CASES(5, 2) };

static const unsigned all_forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N |
                                  GEN_KINEMATICS | GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR;

//---- against numbers -----------------------------------------------------------------------------

// a joint that moves nothing with inertia has no acceleration
static void check_tree(const char *name, const artModel *m, genOptions options, uint64_t *seed)
{
  int massless = -1;
  artData *d = keep_fresh_data(m);
  CHECK(gen_find_massless(m, d, &massless));
  if (massless >= 0) options.forms &= ~(unsigned) GEN_NEED_INERTIA;
  const int states = oracle_compare(m, keep_program(m, d, &options), STATES, seed, NULL, NULL);
  if (!CHECK(states > STATES / 2)) printf("%s\n", name);
}


// test/physics/test_gen_states.c has the machines with their own parameters
TEST(every_model_with_minimal_parameters)
{
  static machineFiles list;
  uint64_t seed = 7;
  machine_files(&list);
  CHECK(list.n > 40);
  for (int i = 0; i < list.n; i += CHECK_CASES(1, 6)) {
    artModel *m = NULL;
    if (machine_has_twin(list.path[i])) continue; // the same tree
    CHECK_WORKS(art_load_model(&m, list.path[i], &check_error));
    const genOptions options = {.forms = all_forms, .parameters = GEN_BARYCENTRIC};
    check_tree(list.path[i], keep_model(m), options, &seed);
  }
}


TEST(random_trees_with_every_joint)
{
  uint64_t seed = 3;
  for (int k = 0; k < 20; k++) {
    const sampleOptions sample = {
        .n = 3 + k % 9, .is_floating = k % 3 == 0, .has_rotors = k % 2, .has_drives = k % 4 > 1};
    const genOptions options = {.forms = all_forms,
                                .parameters = k % 2 ? GEN_BARYCENTRIC : GEN_CLASSICAL};
    check_tree("sample", sample_open(sample, NULL, &seed).m, options, &seed);
  }
}


// frames by each scheme, accelerations by Cholesky's factors: they agree with the recursions
TEST(schemes_and_factors_agree)
{
  uint64_t seed = 11;
  for (int k = 0; k < 24; k++) {
    const genOptions options = {.forms = GEN_KINEMATICS | GEN_FORWARD_LDL,
                                .scheme = (genScheme) (GEN_PROGRESSIVE + k % 3),
                                .cholesky = 1};
    const sampleOptions sample = {
        .n = 3 + k % 9, .is_floating = k % 4 == 0, .has_drives = k % 5 > 2};
    check_tree("sample", sample_open(sample, NULL, &seed).m, options, &seed);
  }
}

//---- minimal parameters --------------------------------------------------------------------------

static double square_of(const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}


// rank of n columns of length m, by taking off the largest that is left, again and again; columns are
// brought to length one first, those that are nothing beside the others to zero
static int rank_of(double *A, int m, int n)
{
  double most = 0;
  for (int j = 0; j < n; j++) most = check_larger(most, square_of(A + (long) j * m, m));
  for (int j = 0; j < n; j++) {
    double *x = A + (long) j * m;
    const double square = square_of(x, m), factor = square > 1e-20 * most ? 1 / sqrt(square) : 0;
    for (int i = 0; i < m; i++) x[i] *= factor;
  }
  for (int rank = 0;; rank++) {
    int best = 0;
    most = 0;
    for (int j = 0; j < n; j++) {
      const double square = square_of(A + (long) j * m, m);
      if (square > most) best = j, most = square;
    }
    if (most < 1e-16) return rank;
    double *x = A + (long) best * m;
    for (int i = 0; i < m; i++) x[i] /= sqrt(most);
    for (int j = 0; j < n; j++) {
      double *y = A + (long) j * m, dot = 0;
      if (j == best) continue;
      for (int i = 0; i < m; i++) dot += x[i] * y[i];
      for (int i = 0; i < m; i++) y[i] -= dot * x[i];
    }
    memset(x, 0, (size_t) m * sizeof *x);
  }
}


// a random state of the tree
static void random_state(const treeModel *t, treeData *d, double *v, double *a, uint64_t *seed)
{
  double *q = keep_numbers(t->nq);
  sample_numbers(seed, 2, t->nq, q);
  sample_numbers(seed, 3, t->nv, v);
  sample_numbers(seed, 5, t->nv, a);
  d->f_ext = NULL;
  tree_place(t, d, q);
  tree_world(t, d);
  tree_velocity(t, d, v);
  tree_axes(t, d);
}


// joint forces of a unit of every parameter of every link, and of rotors, at many states
static int full_rank(const treeModel *own, uint64_t *seed)
{
  const int nv = own->nv, n = own->n, columns = (GEN_INERTIA + 1) * n;
  const int states = 2 + 2 * columns / (nv + 1), rows = states * nv;
  double *W = keep_numbers(rows * columns), *tau = keep_numbers(nv);
  double *v = keep_numbers(nv), *a = keep_numbers(nv);
  baseArena arena = {0};
  treeModel t = *own;
  treeData d;
  if (!CHECK(tree_start(own, &d, &arena))) return -1;
  t.link = arena_copy(&arena, own->link, (size_t) n, sizeof *t.link);
  for (int k = 0; k < states; k++) {
    random_state(own, &d, v, a, seed);
    for (int c = 0; c < columns; c++) {
      const int at = c / (GEN_INERTIA + 1), which = c % (GEN_INERTIA + 1);
      for (int i = 0; i < n; i++) {
        double X[GEN_INERTIA + 1] = {0};
        if (i == at) X[which] = 1;
        t.link[i].mass = X[0];
        t.link[i].h = (v3){X[1], X[2], X[3]};
        t.link[i].J = (s3){X[4], X[5], X[6], X[7], X[8], X[9]};
        t.link[i].has_rotor = own->link[i].has_rotor && X[10] > 0;
        t.link[i].rotor = X[10];
        d.body[i].K = tree_second_moments(t.link[i].J);
      }
      tree_rne(&t, &d, v, a, tau);
      for (int i = 0; i < nv; i++) W[(long) c * rows + k * nv + i] = tau[i];
    }
  }
  arena_free(&arena);
  return rank_of(W, rows, columns);
}


TEST(parameters_are_as_many_as_joint_forces_can_tell_apart)
{
  static machineFiles list;
  const genOptions options = {.forms = GEN_REGRESSOR};
  uint64_t seed = 11;
  machine_files(&list);
  for (int i = 0; i < list.n; i++) {
    artModel *m = NULL;
    CHECK_WORKS(art_load_model(&m, list.path[i], &check_error));
    if (keep_model(m)->tree.n > 20) continue;
    const eqnProgram *p = keep_program(m, keep_fresh_data(m), &options);
    const eqnVector *delta = gen_function(p, "minimal_parameters")->output;
    const int rank = full_rank(&m->tree, &seed);
    if (CHECK_EQ_INT(delta->n, rank)) continue;
    printf("%s: %d parameters, rank %d:", list.path[i], delta->n, rank);
    for (int c = 0; c < delta->n; c++) printf(" %s", delta->label[c]);
    printf("\n");
  }
}

//---- options -------------------------------------------------------------------------------------

TEST(parameters_can_be_frozen)
{
  const char *const some[] = {"mass_2", "pz"};
  const genOptions options[] = {{.forms = GEN_INVERSE},
                                {.forms = GEN_INVERSE, .nfreeze = 2, .freeze = some},
                                {.forms = GEN_INVERSE, .freeze_all = 1}};
  int count[3] = {0};
  artModel *m = keep_machine("generator/puma-thesis");
  artData *d = keep_fresh_data(m);
  for (int k = 0; k < 3; k++) {
    const eqnProgram *program = keep_program(m, d, &options[k]);
    count[k] = program->parameter.n;
    for (int i = 0; k > 0 && i < count[k]; i++) {
      CHECK(strcmp(program->parameter.label[i], "shoulder_mass") != 0);
      CHECK(!strstr(program->parameter.label[i], "place_z"));
    }
  }
  CHECK(count[0] > count[1] && count[1] > 0);
  CHECK_EQ_INT(count[2], 0);
}


static int count_operations(const artModel *m, genParameters parameters, const char *name)
{
  const genOptions options = {.forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N,
                              .parameters = parameters};
  const eqnOptions passes = eqn_default_options();
  const eqnProgram *program = keep_program(m, keep_fresh_data(m), &options);
  return keep_function(program, name, &passes)->total.total;
}


// figures of Postiau (2004), tables 1.6 to 1.8 and 1.10, and of the headers that ROBOTRAN 6.6 writes
TEST(operations_are_no_more_than_published)
{
  static const struct {
    const char *model;
    genParameters parameters;
    const char *function;
    int published;
  } figures[] = {
      {"generator/puma-thesis", GEN_CLASSICAL, "inverse", 361},
      {"generator/puma-thesis", GEN_CLASSICAL, "mass_bias", 689},
      {"generator/puma-thesis", GEN_CLASSICAL, "forward", 873},
      {"generator/puma-thesis", GEN_CLASSICAL, "forward_n", 1220},
      {"generator/puma-thesis", GEN_BARYCENTRIC, "inverse", 325},
      {"generator/puma-thesis", GEN_BARYCENTRIC, "mass_bias", 527},
      {"generator/puma-thesis", GEN_BARYCENTRIC, "forward", 711},
      {"motorcycle", GEN_CLASSICAL, "forward", 2950},
      {"motorcycle", GEN_CLASSICAL, "forward_n", 2821},
      {"motorcycle", GEN_BARYCENTRIC, "forward", 2576},
      {"generator/humanoid", GEN_BARYCENTRIC, "inverse", 4106},
      {"generator/humanoid", GEN_BARYCENTRIC, "mass_bias", 17414},
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const artModel *m = keep_machine(figures[i].model);
    const int total = count_operations(m, figures[i].parameters, figures[i].function);
    if (!CHECK(total > 0 && total <= figures[i].published)) {
      printf("%s, %s: %d operations\n", figures[i].model, figures[i].function, total);
    }
  }
}


// operations of inverse dynamics and O(n) grow with the number of joints, of (M, h) with its square
TEST(long_chains_do_not_blow_up)
{
  static const char *const function[] = {"inverse", "forward_n", "mass_bias"};
  int total[2][3];
  for (int k = 0; k < 2; k++) {
    const genOptions options = {.forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_N,
                                .parameters = GEN_BARYCENTRIC};
    const eqnOptions passes = eqn_default_options();
    artModel *m = keep_model(model_chain(k ? 200 : 50));
    const eqnProgram *program = keep_program(m, keep_fresh_data(m), &options);
    for (int i = 0; i < 3; i++) {
      total[k][i] = keep_function(program, function[i], &passes)->total.total;
    }
  }
  CHECK(total[1][0] > 0 && total[1][0] < 5 * total[0][0]);
  CHECK(total[1][1] > 0 && total[1][1] < 5 * total[0][1]);
  CHECK(total[1][2] > 0 && total[1][2] < 20 * total[0][2]);
}
