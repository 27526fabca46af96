// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters that equal parts share: the same accelerations from fewer parameters, one of which moves all its owners.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/build.h"
#include "support/programs.h"

enum { MOST = 64 };

// A machine with and without sharing.
typedef struct scene {
  artModel *m;
  artData *d;
  eqnProgram *plain, *shared;
} scene;


static scene open_scene(const char *model, genOptions options)
{
  scene s = {.m = keep_machine(model)};
  s.d = keep_fresh_data(s.m);
  options.forms = GEN_ACCELERATE;
  s.plain = keep_program(s.m, s.d, &options);
  options.share = 1;
  s.shared = keep_program(s.m, s.d, &options);
  CHECK(s.m->tree.nv <= MOST);
  return s;
}


static int find(const eqnProgram *p, const char *label)
{
  for (int i = 0; i < p->parameter.n; i++) {
    if (strcmp(p->parameter.label[i], label) == 0) return i;
  }
  return -1;
}


// the parameter of a program that stands for a constant
static int find_owner(const eqnProgram *p, const char *label)
{
  for (int i = 0; i < p->nshared; i++) {
    if (strcmp(p->shared[i].label, label) == 0) return p->shared[i].parameter;
  }
  return find(p, label);
}


// accelerations a little off the initial velocities; returns the operations
static int evaluate(const scene *s, const eqnProgram *p, const double *parameters, double *a)
{
  const eqnOptions standard = eqn_default_options();
  eqnList *list = eqn_list_create(p, gen_function(p, "accelerate"), &standard);
  double q[MOST + 8], v[MOST], t = s->d->time;
  memcpy(q, s->d->q, (size_t) s->m->tree.nq * sizeof *q);
  for (int k = 0; k < s->m->tree.nv; k++) v[k] = s->d->v[k] + 0.3 * sin(1 + k);
  CHECK_EQ_INT(eqn_evaluate(list, parameters, (double *[]){&t, q, v}, (double *[]){a}, NULL, NULL),
               0);
  const int operations = list->total.total;
  eqn_list_free(list);
  return operations;
}


static void check_equal(const scene *s, const double *a, const double *b)
{
  double size = 1;
  for (int k = 0; k < s->m->tree.nv; k++) size = check_larger(size, fabs(a[k]));
  for (int k = 0; k < s->m->tree.nv; k++) CHECK(fabs(a[k] - b[k]) < 1e-12 * size);
}


TEST(accelerations_are_the_same_with_fewer_parameters)
{
  static const char *const models[] = {"chain-10",
                                       "generator/humanoid",
                                       "generator/stewart-massless",
                                       "benchmarks/four-bars-2",
                                       "loops/planar-robot-2",
                                       "loops/delta"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    for (int k = GEN_CLASSICAL; k <= GEN_BARYCENTRIC; k++) {
      double a[MOST], b[MOST];
      const genOptions options = {.parameters = (genParameters) k};
      const scene s = open_scene(models[i], options);
      const int before = evaluate(&s, s.plain, NULL, a), now = evaluate(&s, s.shared, NULL, b);
      check_equal(&s, a, b);
      CHECK(s.shared->parameter.n < s.plain->parameter.n);
      CHECK_EQ_INT(s.shared->parameter.n + s.shared->nshared, s.plain->parameter.n);
      if (!CHECK(now <= before)) printf("%s: %d operations, before %d\n", models[i], now, before);
    }
  }
}


// all owners of the plain program get the number of the parameter that they share
TEST(one_parameter_moves_all_its_owners)
{
  double before[MOST], a[MOST], b[MOST];
  scene s = open_scene("generator/stewart-massless", (genOptions){0});
  const int n = s.plain->parameter.n, rotor = find(s.shared, "leg1_stroke_rotor");
  double *plain = malloc((size_t) n * sizeof *plain), *shared = malloc((size_t) n * sizeof *shared);
  memcpy(shared, s.shared->value, (size_t) s.shared->parameter.n * sizeof *shared);
  if (CHECK(rotor >= 0 && plain && shared)) {
    shared[rotor] = 3.5;
    for (int i = 0; i < n; i++)
      plain[i] = shared[find_owner(s.shared, s.plain->parameter.label[i])];
    CHECK(plain[find(s.plain, "leg6_stroke_rotor")] == 3.5 &&
          plain[find(s.plain, "leg3_stroke_rotor")] == 3.5);
    evaluate(&s, s.plain, NULL, before);
    evaluate(&s, s.plain, plain, a);
    evaluate(&s, s.shared, shared, b);
    check_equal(&s, a, b);
    CHECK(fabs(a[20] - before[20]) > 1e-3);
    CHECK(strcmp(s.shared->remark[rotor], "leg1/stroke.rotor [kg]: inertia of the rotor, joint "
                                          "'leg1/stroke'; also 'leg2/stroke', 'leg3/stroke', "
                                          "'leg4/stroke' and 2 more") == 0);
  }
  free(plain), free(shared);
}


TEST(frozen_constants_are_not_shared)
{
  static const char *const frozen[] = {"leg2/stroke.rotor"};
  double a[MOST], b[MOST];
  scene s = open_scene("generator/stewart-massless", (genOptions){.nfreeze = 1, .freeze = frozen});
  CHECK(find_owner(s.shared, "leg2_stroke_rotor") < 0);
  CHECK_EQ_INT(find_owner(s.shared, "leg3_stroke_rotor"), find(s.shared, "leg1_stroke_rotor"));
  evaluate(&s, s.plain, NULL, a);
  evaluate(&s, s.shared, NULL, b);
  check_equal(&s, a, b);
}


// coefficients of laws and entries of matrices are numbered one owner after the other
TEST(only_parameters_of_one_kind_are_alike)
{
  CHECK(gen_are_alike("mass", 3, 5) && gen_are_alike("rest", 0, 1));
  CHECK(gen_are_alike("spring", 1, 17) && !gen_are_alike("spring", 1, 2));
  CHECK(gen_are_alike("damper", 2, 34) && !gen_are_alike("damper", 17, 18));
  CHECK(gen_are_alike("coupling", 1, 65) && !gen_are_alike("coupling", 0, 65));
  CHECK(gen_are_alike("bushing_stiffness", 0, 36) && !gen_are_alike("bushing_stiffness", 0, 7));
  CHECK(gen_are_alike("bushing_damper", 1, 97) && !gen_are_alike("bushing_damper", 1, 17));
  CHECK(gen_are_alike("bushing_preload", 5, 11) && !gen_are_alike("bushing_preload", 4, 5));
}


TEST(derivatives_are_by_the_parameter_that_is_there)
{
  static const char *const gone[] = {"leg2/stroke.rotor"}, *const all[] = {"rotor"};
  genOptions options = {.forms = GEN_LINEAR, .share = 1, .nsensitive = 1, .sensitive = gone};
  eqnProgram *p = NULL;
  scene s = open_scene("generator/stewart-massless", (genOptions){0});
  CHECK_FAILS(gen_create(&p, s.m, s.d, &options, &check_error), ART_BAD_INPUT,
              "'leg2/stroke.rotor' is one parameter with 'leg1/stroke.rotor'");
  options.sensitive = all;
  if (CHECK_WORKS(gen_create(&p, s.m, s.d, &options, &check_error))) {
    const eqnFunction *f = gen_function(p, "accelerate_tangent");
    int found = 0;
    for (int i = 0; f && i < f->noutput; i++) {
      if (strcmp(f->output[i].name, "a_p") == 0) found = f->output[i].n;
    }
    CHECK_EQ_INT(found, s.m->tree.nv);
  }
  gen_free(p);
}
