// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values from the numeric side of every function that can be generated, at random states.
#include "support/oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "eqn/list.h"
#include "force/force_work.h"
#include "gen/gen.h"
#include "loop/loop.h"
#include "method/method.h"
#include "study/study.h"
#include "support/check.h"
#include "support/full.h"
#include "support/machines.h"
#include "tree/tree.h"

struct oracle {
  const artModel *m;
  const eqnProgram *p;
  artData *d;
  const treeModel *t;
  treeData tree;
  double time, run[7];
  double *q, *v, *a, *tau, *given, *f; // inputs; f[6 n] on links
  unsigned char *is_given;             // [links] forms of the bare tree take its acceleration
  double *delta;                       // minimal parameters, if the program has them

  // the whole machine
  double *acceleration, *lambda, *phi, *J, *gamma, *reaction, *output, *qdot;
  double power, energy[3];
  double usual
      [6]; // largest acceleration, multiplier, reaction, output, force of an actuator, and its reaction so far

  // forces of actuators at those accelerations a that are free
  double *whole;                       // [nv] with all others
  int nactuator, *actuator;            // as the program has them; 0: it has none
  int nfree, *free;                    // coordinates whose accelerations it reads
  double *force, *psi, *G;             // [nactuator], [nu], [nu nactuator]
  double *held_reaction, *held_lambda; // meanwhile
  double spread[2], spread_augmented;  // between numeric methods, of the largest

  eqnList *augmented; // the form with multipliers, or NULL
  double *form[12];   // its inputs, then its outputs twice
  double *loose;      // parameters without stabilisation

  eqnList *strain;     // of the program's built-in choice of coordinates
  double *made, *here; // where it was made, and now
  int nstrain;
  double digits; // lost by that choice: a factor

  double *work, *M; // [6 nv + 6 n + ...] scratch, [nv nv]
  baseArena arena;
};

//---- life ----------------------------------------------------------------------------------------

static double *numbers(oracle *o, int n)
{
  return arena_alloc(&o->arena, (size_t) n + 1, sizeof(double));
}


static void find_delta(oracle *o)
{
  const eqnFunction *f = gen_function(o->p, "minimal_parameters");
  if (!f) return;
  const eqnOptions options = eqn_default_options();
  eqnList *list = eqn_list_create(o->p, f, &options);
  o->delta = numbers(o, f->output[0].n);
  CHECK_EQ_INT(eqn_evaluate(list, NULL, NULL, &o->delta, NULL, NULL), 0);
  eqn_list_free(list);
}


// squares of couplings and inverse pivots at the state in the data
static void find_strain(oracle *o, double *strain)
{
  CHECK_EQ_INT(eqn_evaluate(o->strain, NULL, &o->d->q, &strain, NULL, NULL), 0);
}


static void begin_strain(oracle *o)
{
  artAssembly assembly;
  const eqnFunction *f = gen_function(o->p, "strain");
  if (!f) return;
  const eqnOptions options = eqn_default_options();
  o->nstrain = f->output[0].n, o->strain = eqn_list_create(o->p, f, &options);
  o->made = numbers(o, o->nstrain), o->here = numbers(o, o->nstrain);
  art_update(o->m, o->d);
  CHECK_EQ_INT(art_assemble(o->m, o->d, &assembly, NULL), ART_OK);
  find_strain(o, o->made);
}


static void begin_augmented(oracle *o)
{
  const eqnFunction *f = gen_function(o->p, "augmented");
  if (!f || !CHECK(f->ninput + 2 * f->noutput <= 12)) return;
  const eqnOptions options = eqn_default_options();
  o->augmented = eqn_list_create(o->p, f, &options);
  o->loose = numbers(o, o->p->parameter.n);
  for (int k = 0; k < o->p->parameter.n; k++) {
    o->loose[k] = strncmp(o->p->parameter.label[k], "baumgarte", 9) == 0 ? 0 : o->p->value[k];
  }
  for (int k = 0; k < f->ninput; k++) o->form[k] = numbers(o, f->input[k].n);
  for (int k = 0; k < 2 * f->noutput; k++) {
    o->form[f->ninput + k] = numbers(o, f->output[k % f->noutput].n);
  }
}


// velocity coordinates by the labels of a vector; returns their number
static int read_labels(const oracle *o, const eqnVector *v, int *list)
{
  for (int i = 0; i < v->n; i++) {
    list[i] = art_find_velocity(o->m, v->label[i]);
    CHECK(list[i] >= 0);
  }
  return v->n;
}


// The form implicit names the independent coordinates by its psi, machine_inverse the actuators by its tau. Forces are
// known here where there are as many of these as of those.
static void begin_actuators(oracle *o)
{
  const eqnFunction *f = gen_function(o->p, "machine_inverse"), *g = gen_function(o->p, "implicit");
  const size_t nv = (size_t) o->m->tree.nv;
  if (!f || !g) return;
  o->actuator = arena_alloc(&o->arena, nv + 1, sizeof *o->actuator);
  o->free = arena_alloc(&o->arena, nv + 1, sizeof *o->free);
  o->nactuator = read_labels(o, &f->output[0], o->actuator);
  o->nfree = read_labels(o, &g->output[0], o->free);
  CHECK_EQ_INT(o->nfree, o->nactuator);
  o->whole = numbers(o, o->m->tree.nv), o->force = numbers(o, o->nactuator);
  o->psi = numbers(o, o->nfree), o->G = numbers(o, o->nfree * o->nactuator);
  o->held_reaction = numbers(o, 6 * o->m->njoint), o->held_lambda = numbers(o, o->m->nrow);
}


// driven links, and in loops those that move no mass
static void find_given(oracle *o)
{
  int massless = -1;
  if (!CHECK(o->is_given)) return;
  for (int i = 0; i < o->t->n; i++) o->is_given[i] = (unsigned char) o->t->link[i].is_driven;
  if (o->m->nrow > 0) CHECK(gen_find_given(o->m, o->d, o->is_given, &massless));
}


oracle *oracle_create(const artModel *m, const eqnProgram *p)
{
  oracle *o = MEM_ARRAY(oracle, 1);
  if (!CHECK(o)) return NULL;
  o->m = m, o->p = p, o->t = &m->tree, o->d = art_create_data(m);
  const int nq = m->tree.nq, nv = m->tree.nv, n = m->nrow;
  o->q = numbers(o, nq), o->v = numbers(o, nv), o->a = numbers(o, nv), o->tau = numbers(o, nv);
  o->given = numbers(o, nv), o->is_given = arena_alloc(&o->arena, (size_t) m->tree.n, 1);
  o->f = numbers(o, 6 * m->tree.n), o->acceleration = numbers(o, nv), o->qdot = numbers(o, nq);
  o->lambda = numbers(o, n), o->phi = numbers(o, n), o->gamma = numbers(o, n);
  o->J = numbers(o, n * nv), o->reaction = numbers(o, 6 * m->njoint);
  o->output = numbers(o, m->noutput), o->work = numbers(o, 12 * nv + 6 * m->njoint);
  o->M = numbers(o, nv * nv);
  if (CHECK(tree_start(o->t, &o->tree, &o->arena)) && CHECK(o->d)) {
    uint64_t seed = 1;
    find_given(o);
    find_delta(o);
    begin_strain(o);
    begin_augmented(o);
    begin_actuators(o);
    for (int i = 0; i < 40; i++) oracle_next(o, &seed);
    return o;
  }
  oracle_free(o);
  return NULL;
}


void oracle_free(oracle *o)
{
  if (!o) return;
  art_free_data(o->d);
  eqn_list_free(o->strain);
  eqn_list_free(o->augmented);
  arena_free(&o->arena);
  mem_free(o);
}

//---- states --------------------------------------------------------------------------------------

static void draw_inputs(oracle *o, uint64_t *seed)
{
  const treeModel *t = o->t;
  int n = 0;
  for (int k = 0; k < t->nv; k++) {
    o->a[k] = check_uniform(seed, -5, 5);
    o->tau[k] = check_uniform(seed, -10, 10);
    if (o->is_given[t->dof_link[k]]) o->given[n++] = o->a[k];
  }
  for (int e = 6; e < 6 * t->n; e++) o->f[e] = check_uniform(seed, -10, 10);
  for (int k = 0; k < 7; k++) o->run[k] = check_uniform(seed, -10, 10);
  o->run[3] = 2;
  for (int k = 0; k < o->m->nstate; k++) o->d->s[k] = check_uniform(seed, -0.05, 0.05);
}


// The state that is asked about is the one that numeric accelerations were found at: where loops were open in
// their last digits, closing them has moved it.
static void take_state(oracle *o)
{
  const treeModel *t = o->t;
  o->time = o->d->time;
  memcpy(o->q, o->d->q, (size_t) t->nq * sizeof *o->q);
  memcpy(o->v, o->d->v, (size_t) t->nv * sizeof *o->v);
  o->tree.f_ext = NULL;
  tree_place(t, &o->tree, o->q);
  tree_world(t, &o->tree);
  tree_velocity(t, &o->tree, o->v);
  tree_axes(t, &o->tree);
}


static void ask_loops(oracle *o)
{
  const artModel *m = o->m;
  loopRows *rows = &o->d->work->loop->rows;
  const size_t n = (size_t) m->nrow, nv = (size_t) m->tree.nv;
  memcpy(o->lambda, rows->lambda, n * sizeof(double));
  rows_positions(m, o->d, rows, NULL, NULL);
  rows_jacobian(m, o->d, rows, NULL, NULL);
  memcpy(o->phi, rows->phi, n * sizeof(double));
  memset(o->J, 0, n * nv * sizeof(double));
  for (int r = 0; r < m->nrow; r++) {
    for (int e = rows->J.start[r]; e < rows->J.start[r + 1]; e++) {
      o->J[(size_t) r * nv + (size_t) rows->J.column[e]] = rows->J.value[e];
    }
  }
}


// how far accelerations, and multipliers of loops, are by another method
static int compare_method(const oracle *o, artMethod method, double spread[2])
{
  const artModel *m = o->m;
  const int nv = m->tree.nv;
  artData *d = o->d;
  art_update(m, d);
  if (art_accelerate(m, d, method, NULL) != ART_OK) return 0;
  spread[0] = check_apart(nv, o->acceleration, d->a) / check_larger(1, check_largest(nv, d->a));
  if (m->nrow == 0) return 1;
  const double *lambda = d->work->loop->rows.lambda;
  spread[1] =
      check_apart(m->nrow, o->lambda, lambda) / check_larger(1, check_largest(m->nrow, lambda));
  return 1;
}


// The pull of stabilisation on loops open in their last digits, over the largest: the form with multipliers
// has it, numbers have not.
static double pull_of_augmented(oracle *o)
{
  const eqnFunction *f = gen_function(o->p, "augmented");
  double pull = 0, **out = o->form + f->ninput;
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < f->ninput; k++) {
      const size_t size = (size_t) f->input[k].n * sizeof(double);
      memcpy(o->form[k], oracle_input(o, f->input[k].name), size);
    }
    const double *parameters = side ? o->loose : NULL;
    eqn_evaluate(o->augmented, parameters, o->form, out + side * f->noutput, NULL, NULL);
  }
  for (int k = 0; k < f->noutput; k++) {
    const int n = f->output[k].n;
    const double scale =
        check_larger(check_larger(1, check_largest(n, out[k])), o->usual[k == 0 ? 0 : 1]);
    pull = check_larger(pull, check_apart(n, out[k], out[f->noutput + k]) / scale);
  }
  return pull;
}


// The spread of numbers: by another method, in machines with loops also where the last bit of each
// coordinate is another and loops are closed anew.
static int ask_again(oracle *o)
{
  const artModel *m = o->m;
  artData *d = o->d;
  double spread[2];
  if (m->nrow == 0) return compare_method(o, ART_MASS_MATRIX, o->spread);

  const int has_augmented = compare_method(o, ART_AUGMENTED, spread);
  o->spread_augmented = has_augmented ? check_larger(spread[0], spread[1]) : 0;
  if (o->augmented) o->spread_augmented = check_larger(o->spread_augmented, pull_of_augmented(o));
  for (int k = 0; k < m->tree.nq; k++) d->q[k] = nextafter(d->q[k], 4 * d->q[k]);
  art_update(m, d);
  if (loop_close(m, d, NULL) != ART_OK) return 0;

  // links without mass are not for every method
  return compare_method(o, ART_RECURSIVE, o->spread) ||
         compare_method(o, ART_SEMIRECURSIVE, o->spread);
}


// R y of independent coordinates, and R^T y, by the partition of the data
static void spread(oracle *o, double *y)
{
  if (o->m->nrow > 0) blocks_multiply(o->d->work->loop->blocks, y);
}


static void gather(oracle *o, double *y)
{
  if (o->m->nrow > 0) blocks_project(o->d->work->loop->blocks, y);
}


static int independent(const oracle *o, int i)
{
  return o->m->nrow > 0 ? o->d->work->loop->blocks->column_u[i] : i;
}


// rows of R at some coordinates, n x n; transposed if its columns are to be solved with
static void rows_at(oracle *o, const int *list, int transposed, double *A)
{
  const int n = o->nfree, nv = o->m->tree.nv;
  double *y = o->work;
  for (int u = 0; u < n; u++) {
    memset(y, 0, (size_t) nv * sizeof *y);
    y[independent(o, u)] = 1;
    spread(o, y);
    for (int i = 0; i < n; i++) A[transposed ? u * n + i : i * n + u] = y[list[i]];
  }
}


// The accelerations of the program's independent coordinates as they are drawn, of drives as they are, and of the others
// as loops demand:  a = a_machine + R delta.
static int complete_accelerations(oracle *o)
{
  const int n = o->nfree, nv = o->m->tree.nv;
  double *x = o->work + nv, *delta = o->work + 2 * nv;
  for (int i = 0; i < n; i++) {
    const int k = o->free[i], is_driven = o->t->link[o->t->dof_link[k]].is_driven;
    x[i] = is_driven ? 0 : o->a[k] - o->acceleration[k];
  }
  rows_at(o, o->free, 0, o->M);
  if (!full_solve(n, o->M, x)) return 0;
  memset(delta, 0, (size_t) nv * sizeof *delta);
  for (int u = 0; u < n; u++) delta[independent(o, u)] = x[u];
  spread(o, delta);
  for (int k = 0; k < nv; k++) o->whole[k] = o->acceleration[k] + delta[k];
  return 1;
}


// R^T g = R_a^T x;  and in the coordinates of the program, with S its rows of R,  psi = S^-T R^T g, G = S^-T R_a^T
static int find_forces(oracle *o, const double *g)
{
  const int n = o->nfree, nv = o->m->tree.nv;
  double *x = o->work + nv;
  memcpy(x, g, (size_t) nv * sizeof *x);
  gather(o, x);
  for (int u = 0; u < n; u++) o->psi[u] = o->force[u] = x[independent(o, u)];
  rows_at(o, o->actuator, 1, o->M);
  if (!full_solve(n, o->M, o->force)) return 0;
  rows_at(o, o->free, 1, o->M);
  if (!full_solve(n, o->M, o->psi)) return 0;
  for (int j = 0; j < n; j++) {
    rows_at(o, o->actuator, 1, o->M);
    double *column = o->work + 2 * nv;
    for (int u = 0; u < n; u++) column[u] = o->M[u * n + j];
    rows_at(o, o->free, 1, o->M);
    if (!full_solve(n, o->M, column)) return 0;
    for (int u = 0; u < n; u++) o->G[u * n + j] = column[u];
  }
  return 1;
}


// reactions with the multipliers of  J_v^T lambda = (g - tau)_v, as the study of type inverse has them
static void find_held(oracle *o, double *g)
{
  const artModel *m = o->m;
  artData *d = o->d;
  for (int j = 0; j < o->nactuator; j++) g[o->actuator[j]] -= o->force[j];
  if (m->nrow > 0) {
    struct loopWork *loop = d->work->loop;
    memset(loop->rows.lambda, 0, (size_t) m->nrow * sizeof *loop->rows.lambda);
    blocks_solve_transposed(loop->blocks, g, loop->rows.lambda);
    memcpy(o->held_lambda, loop->rows.lambda, (size_t) m->nrow * sizeof *o->held_lambda);
  }
  for (int j = 0; j < o->nactuator; j++) d->force[o->actuator[j]] += o->force[j];
  memcpy(d->a, o->whole, (size_t) m->tree.nv * sizeof *d->a);
  d->work->has_motion = m->nrow == 0;
  if (d->work->has_motion) data_note_motion(m, d);
  method_need_forces(m, d);
  for (int j = 0; j < m->njoint; j++) {
    double *r = o->held_reaction + 6 * j;
    CHECK_EQ_INT(art_reaction(m, d, m->joint[j].name, r, r + 3, NULL), ART_OK);
  }
}


static int ask_actuators(oracle *o)
{
  double *g = o->work + 3 * o->m->tree.nv;
  if (o->nactuator == 0) return 1;
  if (!complete_accelerations(o)) return 0;
  if (study_missing_forces(o->m, o->d, o->whole, g, NULL) != ART_OK || !find_forces(o, g)) return 0;
  find_held(o, g);
  o->usual[4] = check_larger(o->usual[4], check_largest(o->nactuator, o->force));
  o->usual[5] = check_larger(o->usual[5], check_largest(6 * o->m->njoint, o->held_reaction));
  return 1;
}


static int ask_machine(oracle *o)
{
  const artModel *m = o->m;
  artData *d = o->d;
  const artMethod method = m->nrow > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N;
  art_set_work(d, o->run[0], o->run[1]);
  d->work->force->run.step_size = o->run[2];
  d->work->force->run.step_index = (int) o->run[3];
  memcpy(d->work->force->run.violation, o->run + 4, sizeof d->work->force->run.violation);
  art_update(m, d); // branches of laws follow from the states that have been drawn
  if (art_accelerate(m, d, method, NULL) != ART_OK) return 0;
  take_state(o);

  // near singular positions numbers come from a curve through both sides
  if (m->nrow > 0 && d->work->loop->hold.held > 0) return 0;
  memcpy(o->acceleration, d->a, (size_t) m->tree.nv * sizeof *d->a);
  art_position_rates(m, d, o->qdot);
  const artEnergy energy = art_energy(m, d);
  o->energy[0] = energy.kinetic, o->energy[1] = energy.potential, o->energy[2] = d->work->power;
  art_outputs(m, d, o->output);
  o->power = d->work->power;
  for (int j = 0; j < m->njoint; j++) {
    double *r = o->reaction + 6 * j;
    CHECK_EQ_INT(art_reaction(m, d, m->joint[j].name, r, r + 3, NULL), ART_OK);
  }
  if (m->nrow > 0) ask_loops(o);
  o->usual[0] = check_larger(o->usual[0], check_largest(m->tree.nv, o->acceleration));
  o->usual[1] = check_larger(o->usual[1], check_largest(m->nrow, o->lambda));
  o->usual[2] = check_larger(o->usual[2], check_largest(6 * m->njoint, o->reaction));
  // a body that no joint holds has the difference of large forces for a reaction
  const wrench *applied = d->work->tree.f_ext;
  for (int i = 1; applied && i < m->tree.n; i++) {
    const v3 f = applied[i].lin, t = applied[i].ang;
    const double six[] = {f.x, f.y, f.z, t.x, t.y, t.z};
    o->usual[2] = check_larger(o->usual[2], check_largest(6, six));
  }
  o->usual[3] = check_larger(o->usual[3], check_largest(m->noutput, o->output));
  return ask_actuators(o) && ask_again(o);
}


// Digits that the code's choice of coordinates, made elsewhere, loses here: errors grow with couplings
// and inverse pivots.
static void find_digits(oracle *o)
{
  o->digits = 1;
  if (!o->strain) return;
  find_strain(o, o->here);
  for (int i = 0; i < o->nstrain; i++) {
    o->digits = check_larger(o->digits, o->here[i] / check_larger(o->made[i], 1e-3));
  }
}


// Loops are closed as far as rounding goes: what numbers and code leave open, each up to a tolerance of its own, is a
// part in 1e12 of links of a centimetre.
int oracle_next(oracle *o, uint64_t *seed)
{
  if (!machine_random_state(o->m, o->d, seed)) return 0;
  if (o->m->nrow > 0 && loop_solve(o->m, o->d, NULL) != ART_OK) return 0;
  draw_inputs(o, seed);
  find_digits(o);
  return ask_machine(o);
}


const double *oracle_input(const oracle *o, const char *name)
{
  if (strcmp(name, "t") == 0) return &o->time;
  if (strcmp(name, "q") == 0) return o->q;
  if (strcmp(name, "v") == 0) return o->v;
  if (strcmp(name, "a") == 0) return o->a;
  if (strcmp(name, "tau") == 0) return o->tau;
  if (strcmp(name, "a_driven") == 0) return o->given;
  if (strcmp(name, "run") == 0) return o->run;
  if (strcmp(name, "state") == 0) return o->d->s;
  if (strcmp(name, "u") == 0) return o->d->u;
  CHECK_TEXT(name, "f");
  return o->f + 6;
}

//---- the bare tree -------------------------------------------------------------------------------

// relative to the largest of them, or to `size` if that is larger
static double error_of(int n, const double *got, const double *want, double size)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(got[i])) return HUGE_VAL;
  }
  return check_apart(n, got, want) /
         check_larger(check_larger(check_largest(n, want), size), 1e-300);
}


static const double *joint_forces(oracle *o, int is_loaded, const double *a)
{
  o->tree.f_ext = is_loaded ? (const wrench *) o->f : NULL;
  tree_rne(o->t, &o->tree, o->v, a, o->work);
  return o->work;
}


static void find_mass(oracle *o)
{
  const int nv = o->t->nv;
  memset(o->M, 0, (size_t) nv * (size_t) nv * sizeof *o->M);
  tree_mass(o->t, &o->tree, NULL, o->M);
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < i; j++) o->M[j * nv + i] = o->M[i * nv + j];
  }
}


// the largest term of M a
static double term_size(oracle *o, const double *a)
{
  const int nv = o->t->nv;
  double size = 0;
  find_mass(o);
  for (int i = 0; i < nv * nv; i++) size = check_larger(size, fabs(o->M[i] * a[i % nv]));
  return size;
}


// Accelerations come with the errors of a linear system; what they are held against is the joint forces
// that they take, in the scale of the largest term of M a.
static double forward_error(oracle *o, int is_loaded, const double *a)
{
  const int nv = o->t->nv;
  const double size = term_size(o, a);
  const double *tau = joint_forces(o, is_loaded, a);
  double *want = o->work + nv;
  for (int i = 0; i < nv; i++) {
    const int is_given = o->is_given[o->t->dof_link[i]];
    want[i] = is_given ? tau[i] : o->tau[i];
    if (is_given && a[i] != o->a[i]) return HUGE_VAL;
  }
  return error_of(nv, tau, want, size);
}


static double regressor_error(oracle *o, const eqnVector *y, const double *Psi)
{
  const int nv = o->t->nv, n = nv > 0 ? y->n / nv : 0;
  const double *want = joint_forces(o, 0, o->a);
  double *sum = o->work + nv, size = 0;
  for (int i = 0; i < nv; i++) {
    sum[i] = 0;
    for (int c = 0; c < n; c++) sum[i] += Psi[i * n + c] * o->delta[c];
    for (int c = 0; c < n; c++) size = check_larger(size, fabs(Psi[i * n + c] * o->delta[c]));
  }
  return error_of(nv, sum, want, size);
}


static double tree_reaction_error(oracle *o, const eqnVector *y, const double *got)
{
  const treeData *d = &o->tree;
  double *want = o->work + o->t->nv;
  int n = 0;
  joint_forces(o, 1, o->a);
  for (int j = 0; j < o->m->njoint; j++) {
    const modelJoint *joint = &o->m->joint[j];
    if (joint->is_cut) continue;
    const int i = joint->link + joint->nlink - 1;
    v3 force = m3_back(d->world[i].R, d->body[i].f.lin);
    v3 torque = m3_back(d->world[i].R, d->body[i].f.ang);
    if (joint->is_reversed) {
      const treeLink *first = &o->t->link[joint->link];
      const v3 arm = v3_sub(d->world[i].o, tree_point(d, first->parent, first->p));
      torque = v3_neg(v3_add(torque, v3_cross(arm, force)));
      force = v3_neg(force);
    }
    const double six[] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    memcpy(want + n, six, sizeof six);
    n += 6;
  }
  return n == y->n ? error_of(n, got, want, 1) : HUGE_VAL;
}


// the largest parts of energies and momenta are their sizes
static double tree_energy_error(oracle *o, const char *name, const double *got)
{
  const wrench P = tree_momentum(o->t, &o->tree);
  double size = 1;
  for (int i = 1; i < o->t->n; i++) {
    const treeLink *link = &o->t->link[i];
    const double reach = check_larger(1, check_largest(3, (const double *) &o->tree.world[i].o));
    size =
        check_larger(size, link->mass * check_largest(6, (const double *) &o->tree.vel[i]) * reach);
  }
  if (strcmp(name, "kinetic") == 0) {
    const double T = tree_kinetic(o->t, &o->tree, o->v);
    return error_of(1, got, &T, 0);
  }
  if (strcmp(name, "potential") == 0) {
    const double V = tree_potential(o->t, &o->tree);
    return error_of(1, got, &V, check_larger(1, fabs(V)));
  }
  const int is_linear = strcmp(name, "linear") == 0;
  return error_of(3, got, (const double *) (is_linear ? &P.lin : &P.ang), size);
}

//---- frames --------------------------------------------------------------------------------------

static int ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), k = strlen(end);
  return n > k && strcmp(text + n - k, end) == 0;
}


// the frame that a function is called after
static const modelFrame *find_frame(const oracle *o, const char *function)
{
  for (int i = 0; i < o->m->nframe; i++) {
    const char *a = o->m->frame[i].name, *b = function;
    while (*a && (*a == *b || (*b == '_' && strchr("./-", *a)))) a++, b++;
    if (*a == 0 && *b == '_' && !strchr(b + 1, '_')) return &o->m->frame[i];
  }
  return NULL;
}


static double frame_error(oracle *o, const modelFrame *x, const char *vector, const double *got)
{
  const treeData *d = &o->tree;
  const int i = x->link, nv = o->t->nv;
  if (strcmp(vector, "J") == 0) {
    tree_jacobian(o->t, d, i, x->r, o->work);
    return error_of(6 * nv, got, o->work, 1);
  }
  if (strcmp(vector, "R") == 0) {
    const m3 R = m3_transpose(m3_mul_m3(x->R, d->world[i].R));
    return error_of(9, got, (const double *) &R, 1);
  }
  if (strcmp(vector, "xdd") == 0 || strcmp(vector, "alpha") == 0) joint_forces(o, 0, o->a);
  const v3 want = strcmp(vector, "x") == 0       ? tree_point(d, i, x->r)
                  : strcmp(vector, "xd") == 0    ? tree_point_velocity(d, i, x->r)
                  : strcmp(vector, "omega") == 0 ? m3_back(d->world[i].R, d->vel[i].ang)
                  : strcmp(vector, "xdd") == 0   ? tree_point_acceleration(o->t, d, i, x->r)
                                                 : m3_back(d->world[i].R, d->body[i].acc.ang);

  // accelerations are sums of parts as large as the accelerations of the link's origin
  const double size = check_largest(6, (const double *) &d->body[i].acc);
  return error_of(3, got, (const double *) &want, strcmp(vector, "xdd") == 0 ? size : 1);
}

//---- the whole machine ---------------------------------------------------------------------------

// Results are sums of parts that may be much larger: they are measured by what the machine usually has. A
// multiple of what numbers are good for counts as equal.
static double machine_error(const oracle *o, int n, const double *got, const double *want, int kind)
{
  const double scale = check_larger(check_largest(n, want), check_larger(o->usual[kind], 1));
  const double doubt = 4 * check_larger(o->spread[0], o->spread[1]);
  const double error = error_of(n, got, want, scale) / o->digits;
  return error <= doubt ? 0 : error - doubt;
}


// J a = gamma at the accelerations of the machine, in the scale of the largest term
static double gamma_error(const oracle *o, const double *gamma)
{
  const int n = o->m->nrow, nv = o->m->tree.nv;
  double most = 0, size = 1;
  for (int r = 0; r < n; r++) {
    double sum = -gamma[r];
    for (int k = 0; k < nv; k++) {
      const double term = o->J[r * nv + k] * o->acceleration[k];
      size = check_larger(size, fabs(term));
      sum += term;
    }
    most = check_larger(most, fabs(sum));
  }
  return most / size;
}


// forces of actuators, and what goes with them
static double actuator_error(const oracle *o, const eqnVector *y, const double *got)
{
  if (strcmp(y->name, "tau") == 0) return machine_error(o, y->n, got, o->force, 4);
  if (strcmp(y->name, "psi") == 0) return machine_error(o, y->n, got, o->psi, 4);
  if (strcmp(y->name, "G") == 0) return machine_error(o, y->n, got, o->G, 4);
  if (strcmp(y->name, "multiplier") == 0) {
    return machine_error(o, y->n, got, o->held_lambda, 5);
  }
  return machine_error(o, y->n, got, o->held_reaction, 5);
}


static double machine_vector_error(oracle *o, const eqnFunction *f, const eqnVector *y,
                                   const double *got)
{
  const int n = o->m->nrow, nv = o->m->tree.nv;
  if (strncmp(f->name, "machine_inverse", 15) == 0 || strcmp(f->name, "implicit") == 0) {
    return actuator_error(o, y, got);
  }
  if (strcmp(f->name, "position_rates") == 0) return error_of(y->n, got, o->qdot, 1);
  if (strcmp(f->name, "machine_energy") == 0) {
    const double size = fabs(o->energy[0]) + fabs(o->energy[1]);
    return error_of(2, got, o->energy, check_larger(1, size));
  }
  if (strcmp(f->name, "machine_reactions") == 0) return machine_error(o, y->n, got, o->reaction, 2);
  if (strcmp(f->name, "outputs") == 0) return machine_error(o, y->n, got, o->output, 3);
  if (strcmp(f->name, "constraints") == 0) {
    if (strcmp(y->name, "phi") == 0) return error_of(n, got, o->phi, 1);
    if (strcmp(y->name, "J") == 0) return error_of(n * nv, got, o->J, 1);
    return gamma_error(o, got);
  }
  if (strcmp(y->name, "a") == 0) return machine_error(o, nv, got, o->acceleration, 0);
  if (strcmp(y->name, "state_rate") == 0) return machine_error(o, y->n, got, o->d->s_rate, 0);
  if (strcmp(y->name, "power") == 0) return machine_error(o, 1, got, &o->power, 0);
  if (strcmp(f->name, "augmented") == 0) {
    const double error = machine_error(o, n, got, o->lambda, 1) - 8 * o->spread_augmented;
    return check_larger(error, 0);
  }
  if (strcmp(y->name, "multiplier") == 0) return machine_error(o, n, got, o->lambda, 1);
  return -1;
}

//---- all -----------------------------------------------------------------------------------------

static double vector_error(oracle *o, const eqnFunction *f, const eqnVector *y, const double *got)
{
  const char *name = f->name;
  const int nv = o->t->nv, is_loaded = ends_with(name, "_loaded");
  const int is_frame = ends_with(name, "_point") || ends_with(name, "_position") ||
                       ends_with(name, "_motion") || ends_with(name, "_jacobian");
  const modelFrame *frame = is_frame ? find_frame(o, name) : NULL;
  if (is_frame) return frame ? frame_error(o, frame, y->name, got) : -1;
  if (strncmp(name, "inverse", 7) == 0) {
    return error_of(nv, got, joint_forces(o, is_loaded, o->a), term_size(o, o->a));
  }
  if (strncmp(name, "forward", 7) == 0) return forward_error(o, is_loaded, got);
  if (strcmp(name, "mass_bias") == 0) {
    find_mass(o);
    return y->name[0] == 'M' ? error_of(nv * nv, got, o->M, 0)
                             : error_of(nv, got, joint_forces(o, 0, NULL), 1);
  }
  if (strcmp(name, "regressor") == 0) return regressor_error(o, y, got);
  if (strcmp(name, "minimal_parameters") == 0) return error_of(y->n, got, o->delta, 0);
  if (strcmp(name, "energy") == 0 || strcmp(name, "momentum") == 0) {
    return tree_energy_error(o, y->name, got);
  }
  if (strcmp(name, "reactions") == 0) return tree_reaction_error(o, y, got);
  return machine_vector_error(o, f, y, got);
}


double oracle_error(oracle *o, const eqnFunction *f, double *const *out, const char **what)
{
  double worst = -1;
  for (int k = 0; k < f->noutput; k++) {
    const double error = vector_error(o, f, &f->output[k], out[k]);
    if (error >= 0 && error <= worst) continue;
    *what = f->output[k].name;
    if (!(error >= 0)) return isnan(error) ? HUGE_VAL : -1;
    worst = error;
  }
  return worst;
}


double oracle_written_error(const oracle *o, const eqnVector *v, const double *got)
{
  if (strcmp(v->name, "a") == 0) return machine_error(o, v->n, got, o->whole, 0);
  return error_of(v->n, got, oracle_input(o, v->name), 1) / o->digits;
}


static void compare_function(oracle *o, const eqnList *list, eqnCall *call, void *context)
{
  enum { MOST = 12 };
  const eqnFunction *f = list->function;
  const char *what = "";
  double *in[MOST], *out[MOST];
  baseArena room = {0};
  if (!CHECK(f->ninput <= MOST && f->noutput <= MOST)) return;
  for (int k = 0; k < f->ninput; k++) {
    const size_t n = (size_t) f->input[k].n;
    in[k] = arena_copy(&room, oracle_input(o, f->input[k].name), n, sizeof **in);
  }
  for (int k = 0; k < f->noutput; k++) {
    out[k] = arena_alloc(&room, (size_t) f->output[k].n + 1, sizeof **out);
  }
  CHECK_EQ_INT(eqn_evaluate(list, NULL, in, out, call, context), 0);
  const double error = oracle_error(o, f, out, &what);
  if (!CHECK(error >= 0 && error <= 1e-12)) printf("  %s: %s is off by %g\n", f->name, what, error);
  arena_free(&room);
}


int oracle_compare(const artModel *m, const eqnProgram *p, int states, uint64_t *seed,
                   eqnCall *call, void *context)
{
  const eqnOptions options = eqn_default_options();
  oracle *o = oracle_create(m, p);
  if (!o) return 0;
  eqnList **list = arena_alloc(&o->arena, (size_t) p->nfunction, sizeof *list);
  for (int k = 0; k < p->nfunction; k++) list[k] = eqn_list_create(p, &p->function[k], &options);
  int looked_at = 0;
  for (int i = 0; i < states; i++) {
    if (!oracle_next(o, seed)) continue;
    for (int k = 0; k < p->nfunction; k++) compare_function(o, list[k], call, context);
    looked_at++;
  }
  for (int k = 0; k < p->nfunction; k++) eqn_list_free(list[k]);
  oracle_free(o);
  return looked_at;
}
