// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The whole machine on symbols against numbers: accelerations, multipliers, constraints and energies of
// every model and of sample loops at random states.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/study.h"
#include "data/work.h"
#include "eqn/list.h"
#include "gen/gen.h"
#include "loop/loop.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"

static uint64_t seed = 3;

enum { STATES = 2 };

typedef struct host {
  const artModel *m;
  const eqnProgram *p;
} host;


// relations of the host, by the names of their functions
static void call_host(void *context, int external, const double *x, double *result)
{
  const host *h = context;
  const char *name = h->p->external[external].name;
  for (int i = 0; i < h->m->nrelation; i++) {
    const modelRelation *r = &h->m->relation[i];
    if (!r->user.value) continue;
    if (strcmp(r->name, name) == 0) {
      r->user.value(r->user.context, x, result, result + 1);
    } else if (strncmp(r->name, name, strlen(r->name)) == 0) {
      r->user.bias(r->user.context, x, x + r->n, result);
    }
  }
}


// a state that closes the loops; the model gives the first
static int next_state(const artModel *m, artData *d, int trial)
{
  artAssembly assembly;
  if (trial > 0 && m->nrow > 0 && !loop_random_state(m, d, &seed)) return 0;
  if (trial > 0 && m->nrow == 0) {
    double *move = malloc((size_t) m->tree.nv * sizeof *move);
    sample_numbers(&seed, 0.5, m->tree.nv, move);
    art_move(m, d->q, move);
    sample_numbers(&seed, 1, m->tree.nv, d->v);
    free(move);
  }
  art_update(m, d);
  return m->nrow == 0 || art_assemble(m, d, &assembly, NULL) == ART_OK;
}


// one function of the program at the data's state; the vectors written are left in out
static int evaluate(const eqnProgram *p, const artModel *m, const artData *d, const char *name,
                    double *const *out)
{
  const eqnFunction *f = gen_function(p, name);
  if (!CHECK(f)) return 0;
  const eqnOptions options = eqn_default_options();
  eqnList *list = eqn_list_create(p, f, &options);
  double t = d->time, *in[4] = {&t, NULL, NULL, d->s};
  double *q = malloc((size_t) m->tree.nq * sizeof *q + 8);
  double *v = malloc((size_t) m->tree.nv * sizeof *v + 8);
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  memcpy(v, d->v, (size_t) m->tree.nv * sizeof *v);
  int k = f->ninput > 2;
  in[k++] = q;
  in[k] = v;
  host h = {m, p};
  const int failed = eqn_evaluate(list, NULL, in, out, call_host, &h);
  CHECK_EQ_INT(failed, 0);
  eqn_list_free(list);
  free(q);
  free(v);
  return !failed;
}


static void check_state(const char *name, const eqnProgram *p, const artModel *m, artData *d)
{
  const int nv = m->tree.nv, n = m->nrow;
  const artMethod method = n > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N;
  if (!CHECK(art_accelerate(m, d, method, NULL) == ART_OK)) return;

  // near singular positions numbers come from a curve through both sides
  if (n > 0 && d->work->loop->hold.held > 0) return;
  double *a = calloc((size_t) nv + 1, sizeof *a), *lambda = calloc((size_t) n + 1, sizeof *lambda);
  double *phi = calloc((size_t) n + 1, sizeof *phi), *gamma = calloc((size_t) n + 1, sizeof *gamma);
  double *J = calloc((size_t) (n * nv) + 1, sizeof *J);

  double *rate = calloc((size_t) m->nstate + 1, sizeof *rate);
  evaluate(p, m, d, "accelerate", (double *[]){a, rate});
  const double scale = check_larger(1, check_largest(nv, d->a));

  // rows that close the loops differ from the numeric side by how far its loops are open, some 1e-15
  // m, to which the springs of Andrews' mechanism answer
  int held = CHECK(check_apart(nv, a, d->a) < (n > 0 ? 1e-10 : 1e-12) * scale);
  held &=
      CHECK(check_apart(m->nstate, rate, d->s_rate) <= 1e-12 * check_largest(m->nstate, d->s_rate));
  free(rate);
  if (n > 0) {
    evaluate(p, m, d, "multipliers", (double *[]){a, lambda});
    const loopRows *rows = &d->work->loop->rows;
    held &= CHECK(check_apart(n, lambda, rows->lambda) <
                  1e-9 * check_larger(1, check_largest(n, rows->lambda)));
    evaluate(p, m, d, "constraints", (double *[]){phi, J, gamma});
    rows_positions(m, d, &d->work->loop->rows, NULL, NULL);
    rows_jacobian(m, d, &d->work->loop->rows, NULL, NULL);
    held &= CHECK(check_apart(n, phi, rows->phi) < 1e-12);
    const double size = check_larger(1, check_largest(matrix_count(&rows->J), rows->J.value));
    for (int e = 0; e < n * nv; e++) {
      held &= CHECK(fabs(J[e] - matrix_at(&rows->J, e / nv, e % nv)) < 1e-12 * size);
    }

    // J a = gamma at the accelerations found
    for (int r = 0; r < n; r++) {
      double sum = -gamma[r];
      for (int k = 0; k < nv; k++) sum += J[r * nv + k] * a[k];
      held &= CHECK(fabs(sum) < 1e-9 * scale * check_larger(1, fabs(gamma[r])));
    }
  }
  {
    double e[3];
    const artEnergy energy = art_energy(m, d);
    const double size = check_larger(1, fabs(energy.kinetic) + fabs(energy.potential));
    evaluate(p, m, d, "machine_energy", (double *[]){e});
    held &= CHECK(fabs(e[0] - energy.kinetic) < 1e-12 * size);
    held &= CHECK(fabs(e[1] - energy.potential) < 1e-12 * size);
  }
  if (!held) printf("  in %s: %g of %g\n", name, check_apart(nv, a, d->a), scale);
  free(a), free(lambda), free(phi), free(gamma), free(J);
}


// accelerations and multipliers together
static void check_augmented(const char *name, const eqnProgram *p, const artModel *m, artData *d)
{
  const int nv = m->tree.nv, n = m->nrow;
  double *a = calloc((size_t) nv + 1, sizeof *a), *lambda = calloc((size_t) n + 1, sizeof *lambda);
  if (art_accelerate(m, d, ART_AUGMENTED, NULL) == ART_OK) {
    evaluate(p, m, d, "augmented", (double *[]){a, lambda});
    if (!CHECK(check_apart(nv, a, d->a) < 1e-9 * check_larger(1, check_largest(nv, d->a)))) {
      printf("  augmented, in %s\n", name);
    }
  }
  free(a), free(lambda);
}


// are these the free coordinates for which the program was made?
static int same_partition(const artLinear *linear, int n, const int *free_then)
{
  return linear->n == n &&
         memcmp(linear->coordinate, free_then, (size_t) n * sizeof *free_then) == 0;
}


// a_q, a_v and a_state, of which some may not be there
static void evaluate_tangent(const eqnProgram *p, const artModel *m, const artData *d,
                             double *derivative[3])
{
  enum { MOST = 12 };
  static const char *const name[3] = {"a_q", "a_v", "a_state"};
  const eqnFunction *f = gen_function(p, "accelerate_tangent");
  double *out[MOST], *spare[MOST] = {0};
  if (!f || !CHECK(f->noutput <= MOST)) return;
  for (int k = 0; k < f->noutput; k++) {
    out[k] = spare[k] = calloc((size_t) f->output[k].n, sizeof *spare[k]);
    for (int i = 0; i < 3; i++) {
      if (strcmp(f->output[k].name, name[i]) == 0) out[k] = derivative[i];
    }
  }
  evaluate(p, m, d, f->name, out);
  for (int k = 0; k < MOST; k++) free(spare[k]);
}


// derivatives against the numeric side, which finds them by differences
static void check_tangent(const char *name, const eqnProgram *p, const artModel *m, artData *d,
                          int nfree, const int *free_then)
{
  artLinear *linear = NULL;
  const artMethod method = m->nrow > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N;
  if (art_linearise(m, d, method, &linear, NULL) != ART_OK) return;
  const int n = linear->n;
  if (m->nrow > 0 && !same_partition(linear, nfree, free_then)) {
    art_free_linear(linear);
    return;
  }
  const int nv = m->tree.nv, columns = m->nrow > 0 ? n : nv;
  double *derivative[3];
  for (int k = 0; k < 3; k++) {
    derivative[k] = calloc((size_t) (nv * (columns + m->nstate)) + 1, sizeof(double));
  }
  evaluate_tangent(p, m, d, derivative);
  double worst = 0, scale = 1;
  for (int i = 0; i < n; i++) {
    const double *row = linear->A + (long) (n + i) * linear->order;
    for (int j = 0; j < linear->order; j++) {
      const int column = m->nrow > 0 ? j % n : linear->coordinate[j % n];
      const double got = j < 2 * n ? derivative[j / n][linear->coordinate[i] * columns + column]
                                   : derivative[2][linear->coordinate[i] * m->nstate + j - 2 * n];
      worst = check_larger(worst, fabs(row[j] - got));
      scale = check_larger(scale, fabs(row[j]));
    }
  }
  // a damper that begins with no length has no direction, and so no derivative
  const int has_tangent = !strstr(name, "adams/spring-1.yaml") || hypot(d->q[0], d->q[2]) > 0;
  if (!CHECK(has_tangent ? worst < 1e-6 * scale : isnan(worst))) {
    printf("  tangent off by %g of %g in %s\n", worst, scale, name);
  }
  art_free_linear(linear);
  free(derivative[0]), free(derivative[1]), free(derivative[2]);
}


static void check_model(const char *name, const artModel *m)
{
  artData *d = keep_fresh_data(m);
  eqnProgram *p = NULL;
  // relations of the host come without second derivatives
  int is_hosted = 0;
  for (int i = 0; i < m->nrelation; i++) is_hosted |= m->relation[i].user.value != NULL;
  int massless = -1;
  CHECK(gen_find_massless(m, d, &massless));
  const unsigned augmented = massless < 0 || m->nrow > 0 ? GEN_AUGMENTED : 0;
  const unsigned small = m->tree.nv <= 14 && !is_hosted ? GEN_LINEAR | augmented : 0;
  const genOptions options = {.forms = small | GEN_ACCELERATE | GEN_REACTIONS | GEN_CONSTRAINTS |
                                       GEN_ENERGY};
  if (!CHECK(next_state(m, d, 0)) || !CHECK_WORKS(gen_create(&p, m, d, &options, &check_error))) {
    printf("  %s: %s\n", name, check_error.text);
  } else {
    int free_then[64], nfree = 0;
    const loopPartition *part = m->nrow > 0 ? &d->work->loop->partition : NULL;
    for (; part && nfree < part->nf && nfree < 64; nfree++) free_then[nfree] = part->free[nfree];
    for (int i = 0; i < STATES && next_state(m, d, i); i++) {
      d->time = 0.17 * i;
      if (!next_state(m, d, 0)) continue;
      check_state(name, p, m, d);
      if (!small) continue;
      if (m->nrow > 0 && augmented) check_augmented(name, p, m, d);
      check_tangent(name, p, m, d, nfree, free_then);
    }
  }
  gen_free(p);
}


TEST(models_are_the_same)
{
  glob_t files = folder_models(1);
  for (size_t i = 0; i < files.gl_pathc; i += CHECK_CASES(1, 5)) {
    artModel *m = NULL;
    const int is_loaded = CHECK(art_load_model(&m, files.gl_pathv[i], NULL) == ART_OK);
    if (is_loaded && m->nrate == 0)
      check_model(files.gl_pathv[i], m); // states with formulas: not yet
    art_free_model(m);
  }
  globfree(&files);
}


// friction with a Stribeck term, stops, bushings, air springs, segments and tables among them
TEST(every_kind_of_force_is_the_same)
{
  const artModel *m = keep_file("test/models/good/all-forces.yaml");
  if (m) check_model("all-forces.yaml", m);
}


TEST(sample_loops_are_the_same)
{
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    check_model(sample->name, m);
  }
}


TEST(programs_fail_cleanly_when_memory_runs_out)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_LINEAR | GEN_REACTIONS};
  const artModel *m = keep_file("models/loops/four-bar.yaml");
  artData *d = keep_fresh_data(m);
  eqnProgram *p = NULL;
  long granted = 0;
  for (; !p && granted < 1000000; granted += 1 + granted / 4) {
    artError error = {0};
    heap_run_dry_after(granted);
    const artStatus status = gen_create(&p, m, d, &options, &error);
    CHECK_EQ_INT(status, p ? ART_OK : ART_NO_MEMORY);
    gen_free(p);
    CHECK_EQ_INT(heap_live(), 0);
    heap_unwatch();
  }
  CHECK(p && granted > 100);
}
