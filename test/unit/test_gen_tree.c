// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated equations of the bare tree: at random states of every model they say what the numeric
// recursions say, with parameters as they are and with minimal ones.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eqn/list.h"
#include "gen/gen.h"
#include "gen/tree_equations.h"
#include "support/machines.h"
#include "support/models.h"
#include "support/programs.h"
#include "tree/tree.h"

enum { STATES = CHECK_CASES(5, 2), PATH = 300, LISTS = 100 };

static const unsigned all_forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N |
                                  GEN_KINEMATICS | GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR;

//---- a scene: a model, its program, its numbers --------------------------------------------------

typedef struct scene {
  const char *name;
  artModel *m;
  artData *d;
  eqnProgram *program;
  const treeModel *t;
  treeData numbers;
  double *q, *v, *a, *tau, *given; // a state, forces, accelerations of drives
  double *f;                       // [6 n] applied wrenches
  double worst;
  baseArena arena;
  int nlist;
  eqnList *list[LISTS]; // of functions that are evaluated
} scene;


static double *numbers(scene *s, int n)
{
  return arena_alloc(&s->arena, (size_t) n + 1, sizeof(double));
}


static int open_scene_with(scene *s, artModel *m, genOptions options)
{
  int massless = -1;
  s->m = m, s->d = art_create_data(m), s->t = &m->tree;
  if (!CHECK(s->d) || !CHECK(gen_find_massless(m, s->d, &massless))) return 0;
  if (massless >= 0) options.forms &= ~(unsigned) GEN_NEED_INERTIA;
  const artStatus status = gen_create(&s->program, m, s->d, &options, &check_error);
  if (!CHECK(status == ART_OK)) printf("%s: %s\n", s->name, check_error.text);
  s->q = numbers(s, s->t->nq), s->v = numbers(s, s->t->nv), s->a = numbers(s, s->t->nv);
  s->tau = numbers(s, s->t->nv), s->given = numbers(s, s->t->nv), s->f = numbers(s, 6 * s->t->n);
  return status == ART_OK && CHECK(tree_start(s->t, &s->numbers, &s->arena));
}


static int open_scene(scene *s, artModel *m, unsigned forms, genParameters parameters)
{
  return open_scene_with(s, m, (genOptions){.forms = forms, .parameters = parameters});
}


static void close_scene(scene *s)
{
  for (int k = 0; k < s->nlist; k++) eqn_list_free(s->list[k]);
  gen_free(s->program);
  art_free_data(s->d);
  art_free_model(s->m);
  arena_free(&s->arena);
}


static void random_state(scene *s, uint64_t *seed)
{
  const treeModel *t = s->t;
  int n = 0;
  for (int k = 0; k < t->nq; k++) s->q[k] = check_uniform(seed, -2, 2);
  for (int k = 0; k < t->nv; k++) {
    s->v[k] = check_uniform(seed, -3, 3), s->a[k] = check_uniform(seed, -5, 5);
    s->tau[k] = check_uniform(seed, -10, 10);
    if (t->link[t->dof_link[k]].is_driven) s->given[n++] = s->a[k];
  }
  for (int e = 6; e < 6 * t->n; e++) s->f[e] = check_uniform(seed, -10, 10);
  s->numbers.f_ext = NULL;
  tree_place(t, &s->numbers, s->q);
  tree_world(t, &s->numbers);
  tree_velocity(t, &s->numbers, s->v);
  tree_axes(t, &s->numbers);
}

//---- evaluating ----------------------------------------------------------------------------------

typedef struct answer {
  eqnList *list;
  double *output[8];
} answer;


static answer prepare(scene *s, const char *name)
{
  answer x = {0};
  const eqnFunction *f = gen_function(s->program, name);
  const eqnOptions options = eqn_default_options();
  if (!CHECK(f) || !CHECK(s->nlist < LISTS)) {
    printf("%s has no %s\n", s->name, name);
    return x;
  }
  x.list = s->list[s->nlist++] = eqn_list_create(s->program, f, &options);
  for (int k = 0; k < f->noutput; k++) x.output[k] = numbers(s, f->output[k].n);
  return x;
}


static void evaluate(const scene *s, answer *x)
{
  double *input[8];
  const eqnFunction *f = x->list->function;
  for (int k = 0; k < f->ninput; k++) {
    const char *name = f->input[k].name;
    input[k] = strcmp(name, "q") == 0          ? s->q
               : strcmp(name, "v") == 0        ? s->v
               : strcmp(name, "a") == 0        ? s->a
               : strcmp(name, "tau") == 0      ? s->tau
               : strcmp(name, "a_driven") == 0 ? s->given
                                               : s->f + 6;
  }
  CHECK_EQ_INT(eqn_evaluate(x->list, NULL, input, x->output, NULL, NULL), 0);
}


// relative to the largest of them, or to `size` if that is larger
static void compare(scene *s, const char *what, const double *got, const double *want, int n,
                    double size)
{
  const double tolerance = 1e-12,
               scale = check_larger(check_larger(check_largest(n, want), size), 1e-300);
  for (int k = 0; k < n; k++) {
    const double error = fabs(got[k] - want[k]) / scale;
    s->worst = check_larger(s->worst, error);
    if (CHECK(error <= tolerance)) continue;
    printf("%s: %s[%d] = %.17g, want %.17g, scale %g\n", s->name, what, k, got[k], want[k], scale);
    return;
  }
}

//---- comparisons ---------------------------------------------------------------------------------

static void check_inverse(scene *s, uint64_t *seed)
{
  answer plain = prepare(s, "inverse"), loaded = prepare(s, "inverse_loaded");
  answer psi = prepare(s, "regressor"), delta = prepare(s, "minimal_parameters");
  const int nv = s->t->nv, n = delta.list->function->output[0].n;
  double *want = numbers(s, nv), *sum = numbers(s, nv);
  for (int k = 0; k < STATES; k++) {
    random_state(s, seed);
    tree_rne(s->t, &s->numbers, s->v, s->a, want);
    evaluate(s, &plain);
    compare(s, "tau", plain.output[0], want, nv, 0);

    // tau = Psi delta
    evaluate(s, &psi);
    evaluate(s, &delta);
    for (int i = 0; i < nv; i++) {
      sum[i] = 0;
      for (int c = 0; c < n; c++) sum[i] += psi.output[0][i * n + c] * delta.output[0][c];
    }
    compare(s, "Psi delta", sum, want, nv, 0);

    s->numbers.f_ext = (const wrench *) s->f;
    tree_rne(s->t, &s->numbers, s->v, s->a, want);
    evaluate(s, &loaded);
    compare(s, "tau under forces", loaded.output[0], want, nv, 0);
  }
}


static void check_mass(scene *s, uint64_t *seed)
{
  answer x = prepare(s, "mass_bias");
  const int nv = s->t->nv;
  double *M = numbers(s, nv * nv), *h = numbers(s, nv);
  for (int k = 0; k < STATES; k++) {
    random_state(s, seed);
    memset(M, 0, (size_t) nv * (size_t) nv * sizeof *M);
    tree_mass(s->t, &s->numbers, NULL, M);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < i; j++) M[j * nv + i] = M[i * nv + j];
    }
    tree_rne(s->t, &s->numbers, s->v, NULL, h);
    evaluate(s, &x);
    compare(s, "M", x.output[0], M, nv * nv, 0);
    compare(s, "h", x.output[1], h, nv, 0);
  }
}


// Accelerations come with the errors of a linear system; what they are held against is the joint forces
// that they take, in the scale of the largest term of M a.
static void check_accelerations(scene *s, const char *name, int with_forces, uint64_t *seed)
{
  answer x = prepare(s, name);
  const int nv = s->t->nv;
  double *M = numbers(s, nv * nv), *tau = numbers(s, nv), *want = numbers(s, nv);
  for (int k = 0; k < STATES; k++) {
    random_state(s, seed);
    evaluate(s, &x);
    memset(M, 0, (size_t) nv * (size_t) nv * sizeof *M);
    tree_mass(s->t, &s->numbers, NULL, M);
    double size = 0;
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j <= i; j++) {
        const double a = check_larger(fabs(x.output[0][i]), fabs(x.output[0][j]));
        size = check_larger(size, fabs(M[i * nv + j]) * a);
      }
    }
    s->numbers.f_ext = with_forces ? (const wrench *) s->f : NULL;
    tree_rne(s->t, &s->numbers, s->v, x.output[0], tau);
    for (int i = 0; i < nv; i++) {
      const int is_driven = s->t->link[s->t->dof_link[i]].is_driven;
      want[i] = is_driven ? tau[i] : s->tau[i];
      if (is_driven) compare(s, "driven", &x.output[0][i], &s->a[i], 1, 0);
    }
    compare(s, name, tau, want, nv, size);
  }
}


static void check_energy(scene *s, uint64_t *seed)
{
  answer energy = prepare(s, "energy"), momentum = prepare(s, "momentum");
  for (int k = 0; k < STATES; k++) {
    random_state(s, seed);
    const double T = tree_kinetic(s->t, &s->numbers, s->v);
    const double V = tree_potential(s->t, &s->numbers);
    const wrench P = tree_momentum(s->t, &s->numbers);
    double size = 0; // of the largest part of the momentum
    for (int i = 1; i < s->t->n; i++) {
      const wrench own = {s3_mul(s->t->link[i].J, s->numbers.vel[i].ang),
                          v3_scale(s->t->link[i].mass, s->numbers.vel[i].lin)};
      size = check_larger(size, check_largest(6, (const double *) &own));
    }
    evaluate(s, &energy);
    evaluate(s, &momentum);
    compare(s, "kinetic", energy.output[0], &T, 1, 0);
    compare(s, "potential", energy.output[1], &V, 1, 1);
    compare(s, "linear", momentum.output[0], (const double *) &P.lin, 3, size);
    compare(s, "angular", momentum.output[1], (const double *) &P.ang, 3, size);
  }
}


static wrench reaction(const scene *s, const modelJoint *joint)
{
  const treeData *d = &s->numbers;
  const int i = joint->link + joint->nlink - 1;
  const v3 force = m3_back(d->world[i].R, d->body[i].f.lin);
  const v3 torque = m3_back(d->world[i].R, d->body[i].f.ang);
  if (!joint->is_reversed) return (wrench){torque, force};
  const treeLink *first = &s->t->link[joint->link];
  const v3 arm = v3_sub(d->world[i].o, tree_point(d, first->parent, first->p));
  return (wrench){v3_neg(v3_add(torque, v3_cross(arm, force))), v3_neg(force)};
}


static void check_reactions(scene *s, uint64_t *seed)
{
  answer x = prepare(s, "reactions");
  const int n = x.list->function->output[0].n;
  double *tau = numbers(s, s->t->nv), *want = numbers(s, n);
  for (int k = 0; k < STATES; k++) {
    random_state(s, seed);
    s->numbers.f_ext = (const wrench *) s->f;
    tree_rne(s->t, &s->numbers, s->v, s->a, tau);
    evaluate(s, &x);
    int e = 0;
    for (int j = 0; j < s->m->njoint; j++) {
      if (s->m->joint[j].is_cut) continue;
      const wrench w = reaction(s, &s->m->joint[j]);
      const double six[] = {w.lin.x, w.lin.y, w.lin.z, w.ang.x, w.ang.y, w.ang.z};
      memcpy(want + e, six, sizeof six);
      e += 6;
    }
    CHECK_EQ_INT(e, n);
    compare(s, "reactions", x.output[0], want, n, 0);
  }
}


static void function_name(char *name, size_t size, const char *frame, const char *end)
{
  snprintf(name, size, "%s_%s", frame, end);
  for (char *c = name; *c; c++) {
    if (*c == '.' || *c == '/' || *c == '-') *c = '_';
  }
}


static void check_frame(scene *s, int frame, uint64_t *seed)
{
  const modelFrame *x = &s->m->frame[frame];
  const treeData *d = &s->numbers;
  char name[PATH];
  function_name(name, sizeof name, x->name, "motion");
  answer motion_of = prepare(s, name);
  function_name(name, sizeof name, x->name, "jacobian");
  answer jacobian = prepare(s, name);
  function_name(name, sizeof name, x->name, "position");
  answer position = prepare(s, name);
  function_name(name, sizeof name, x->name, "point");
  answer point = prepare(s, name);
  const int nv = s->t->nv;
  double *J = numbers(s, 6 * nv), *tau = numbers(s, nv);
  for (int k = 0; k < 3; k++) {
    random_state(s, seed);
    tree_rne(s->t, &s->numbers, s->v, s->a, tau);
    evaluate(s, &motion_of);
    evaluate(s, &jacobian);
    evaluate(s, &position);
    evaluate(s, &point);
    const v3 want[] = {tree_point(d, x->link, x->r), tree_point_velocity(d, x->link, x->r),
                       m3_back(d->world[x->link].R, d->vel[x->link].ang),
                       tree_point_acceleration(s->t, d, x->link, x->r),
                       m3_back(d->world[x->link].R, d->body[x->link].acc.ang)};
    const m3 R = m3_transpose(m3_mul_m3(x->R, d->world[x->link].R));
    compare(s, "x", motion_of.output[0], (const double *) &want[0], 3, 1);
    compare(s, "R", motion_of.output[1], (const double *) &R, 9, 0);
    for (int e = 1; e < 5; e++) {
      compare(s, name, motion_of.output[e + 1], (const double *) &want[e], 3, 1);
    }
    compare(s, "x alone", position.output[0], (const double *) &want[0], 3, 1);
    compare(s, "R alone", position.output[1], (const double *) &R, 9, 0);
    compare(s, "x by itself", point.output[0], (const double *) &want[0], 3, 1);
    tree_jacobian(s->t, d, x->link, x->r, J);
    compare(s, "J", jacobian.output[0], J, 6 * nv, 0);
  }
}


static void check_frames(scene *s, uint64_t *seed)
{
  // some of very many
  const int step = 1 + s->m->nframe / 12;
  for (int i = 0; i < s->m->nframe; i += step) {
    if (s->m->frame[i].link > 0) check_frame(s, i, seed);
  }
}


// a joint that moves nothing with inertia has no acceleration
static int has_inertia(scene *s, uint64_t *seed)
{
  const int nv = s->t->nv;
  double *M = numbers(s, nv * nv);
  random_state(s, seed);
  tree_mass(s->t, &s->numbers, NULL, M);
  tree_factor(s->t, M);
  double most = 0, least = INFINITY;
  for (int k = 0; k < nv; k++) {
    most = check_larger(most, M[k * nv + k]);
    least = check_smaller(least, M[k * nv + k]);
  }
  return least > 1e-12 * most;
}


static void check_scene(scene *s, uint64_t *seed)
{
  check_inverse(s, seed);
  check_mass(s, seed);
  if (has_inertia(s, seed)) {
    check_accelerations(s, "forward", 0, seed);
    check_accelerations(s, "forward_n", 0, seed);
    check_accelerations(s, "forward_best", 0, seed);
    check_accelerations(s, "forward_loaded", 1, seed);
  }
  check_energy(s, seed);
  check_reactions(s, seed);
  check_frames(s, seed);
}


static void check_all(genParameters parameters)
{
  static machineFiles list;
  uint64_t seed = 7;
  machine_files(&list);
  CHECK(list.n > 40);
  for (int i = 0; i < list.n; i += CHECK_CASES(1, 6)) {
    scene s = {.name = list.path[i]};
    artModel *m = NULL;
    if (machine_has_twin(list.path[i])) continue; // the same tree
    if (!CHECK_WORKS(art_load_model(&m, list.path[i], &check_error))) continue;
    if (open_scene(&s, m, all_forms, parameters)) check_scene(&s, &seed);
    if (getenv("GEN_VERBOSE")) printf("%s: %.1e\n", s.name, s.worst);
    close_scene(&s);
  }
}


CASE(every_model_with_its_own_parameters, check_all(GEN_CLASSICAL))
CASE(every_model_with_minimal_parameters, check_all(GEN_BARYCENTRIC))


TEST(random_trees_with_every_joint)
{
  uint64_t seed = 3;
  for (int k = 0; k < 20; k++) {
    const sampleOptions options = {
        .n = 3 + k % 9, .is_floating = k % 3 == 0, .has_rotors = k % 2, .has_drives = k % 4 > 1};
    static sampleTree tree;
    sample_random(&tree, options, &seed);
    artModel *m = model_compile(sample_build(&tree, NULL));
    scene s = {.name = "sample"};
    if (!CHECK(m)) continue;
    if (open_scene(&s, m, all_forms, k % 2 ? GEN_BARYCENTRIC : GEN_CLASSICAL)) {
      check_scene(&s, &seed);
    }
    close_scene(&s);
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
    static sampleTree tree;
    sample_random(
        &tree, (sampleOptions){.n = 3 + k % 9, .is_floating = k % 4 == 0, .has_drives = k % 5 > 2},
        &seed);
    artModel *m = model_compile(sample_build(&tree, NULL));
    scene s = {.name = "sample"};
    if (!CHECK(m)) continue;
    if (open_scene_with(&s, m, options)) {
      check_frames(&s, &seed);
      if (has_inertia(&s, &seed)) check_accelerations(&s, "forward", 0, &seed);
    }
    close_scene(&s);
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


// joint forces of a unit of every parameter of every link, and of rotors, at many states
static int full_rank(scene *s, uint64_t *seed)
{
  const int nv = s->t->nv, n = s->t->n, columns = (GEN_INERTIA + 1) * n;
  const int states = 2 + 2 * columns / (nv + 1), rows = states * nv;
  double *W = calloc((size_t) rows * (size_t) columns, sizeof *W), *tau = numbers(s, nv);
  treeModel t = *s->t;
  t.link = calloc((size_t) n, sizeof *t.link);
  memcpy(t.link, s->t->link, (size_t) n * sizeof *t.link);
  for (int k = 0; k < states; k++) {
    random_state(s, seed);
    for (int c = 0; c < columns; c++) {
      const int at = c / (GEN_INERTIA + 1), which = c % (GEN_INERTIA + 1);
      for (int i = 0; i < n; i++) {
        double X[GEN_INERTIA + 1] = {0};
        if (i == at) X[which] = 1;
        t.link[i].mass = X[0];
        t.link[i].h = (v3){X[1], X[2], X[3]};
        t.link[i].J = (s3){X[4], X[5], X[6], X[7], X[8], X[9]};
        t.link[i].has_rotor = s->t->link[i].has_rotor && X[10] > 0;
        t.link[i].rotor = X[10];
        s->numbers.body[i].K = tree_second_moments(t.link[i].J);
      }
      tree_rne(&t, &s->numbers, s->v, s->a, tau);
      for (int i = 0; i < nv; i++) W[(long) c * rows + k * nv + i] = tau[i];
    }
  }
  const int rank = rank_of(W, rows, columns);
  free(W);
  free(t.link);
  return rank;
}


static void check_rank(scene *s, uint64_t *seed)
{
  answer delta = prepare(s, "minimal_parameters");
  const int count = delta.list->function->output[0].n;
  const int rank = full_rank(s, seed);
  if (!CHECK_EQ_INT(count, rank)) {
    printf("%s: %d parameters, rank %d:", s->name, count, rank);
    for (int c = 0; c < count; c++) printf(" %s", delta.list->function->output[0].label[c]);
    printf("\n");
  }
}


TEST(parameters_are_as_many_as_joint_forces_can_tell_apart)
{
  static machineFiles list;
  uint64_t seed = 11;
  machine_files(&list);
  for (int i = 0; i < list.n; i++) {
    scene s = {.name = list.path[i]};
    artModel *m = NULL;
    if (!CHECK_WORKS(art_load_model(&m, list.path[i], &check_error))) continue;
    if (m->tree.n > 20) {
      art_free_model(m);
      continue;
    }
    if (open_scene(&s, m, GEN_REGRESSOR, GEN_CLASSICAL)) check_rank(&s, &seed);
    close_scene(&s);
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
      CHECK(strcmp(program->parameter.label[i], "mass_2") != 0);
      CHECK(strncmp(program->parameter.label[i], "pz", 2) != 0);
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
