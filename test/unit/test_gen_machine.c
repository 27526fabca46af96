// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The whole machine on symbols against numbers: accelerations, multipliers, constraints and energies of sample loops and of
// every kind of force at random states. test/physics/test_gen_states.c takes the machines of models/, test_gen_tangent.c
// the derivatives.
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/loops.h"
#include "support/oracle.h"
#include "support/programs.h"

CHECK_KEEPER(keep_oracle, oracle, oracle_free)

enum { STATES = 4, VECTORS = 8 };

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


// one function at the state of the oracle; iterations of loops write into inputs
static void check_function(host *h, oracle *o, const eqnFunction *f)
{
  double *in[VECTORS], *out[VECTORS];
  const char *what = "";
  if (!CHECK(f->ninput <= VECTORS && f->noutput <= VECTORS)) return;
  for (int k = 0; k < f->ninput; k++) {
    in[k] = keep_numbers(f->input[k].n);
    memcpy(in[k], oracle_input(o, f->input[k].name), (size_t) f->input[k].n * sizeof **in);
  }
  for (int k = 0; k < f->noutput; k++) out[k] = keep_numbers(f->output[k].n);
  const eqnOptions options = eqn_default_options();
  eqnList *list = keep_list(eqn_list_create(h->p, f, &options));
  CHECK_EQ_INT(eqn_evaluate(list, NULL, in, out, call_host, h), 0);
  const double error = oracle_error(o, f, out, &what);
  if (!CHECK(error >= 0 && error < 1e-12)) printf("  %s: %s is off by %g\n", f->name, what, error);
}


static void check_model(const char *name, const artModel *m)
{
  uint64_t seed = 3;
  int is_hosted = 0; // the oracle calls no functions of the host
  for (int i = 0; i < m->nrelation; i++) is_hosted |= m->relation[i].user.value != NULL;
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_REACTIONS | GEN_CONSTRAINTS |
                                       GEN_ENERGY |
                                       (m->nrow > 0 && !is_hosted ? GEN_AUGMENTED : 0)};
  host h = {m, keep_program(m, keep_fresh_data(m), &options)};
  oracle *o = keep_oracle(oracle_create(m, h.p));
  int states = 0;
  for (int i = 0; i < STATES; i++) {
    if (!oracle_next(o, &seed)) continue;
    for (int k = 0; k < h.p->nfunction; k++) check_function(&h, o, &h.p->function[k]);
    states++;
  }
  if (!CHECK(states > STATES / 2)) printf("  %s\n", name);
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
