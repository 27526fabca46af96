// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Models from text, by every method, and in motion.
#include "support/controls.h"
#include "method/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "support/check.h"
#include "support/models.h"


static void compare_code(const artModel *m, artData *d, artGenerated *code, const double *want,
                         double scale, double power)
{
  double *a = malloc((size_t) m->tree.nv * sizeof *a), found = 0;
  CHECK_EQ_INT(art_generated_accelerate(code, d->time, d->q, d->v, a, &found, NULL), ART_OK);
  CHECK_NEAR(a, want, m->tree.nv, 1e-12 * scale);
  CHECK_CLOSE(found, power, 1e-12 * check_larger(scale, fabs(power)));
  free(a);
}


static void compare_at(const artModel *m, artData *d, artGenerated *code)
{
  static const int methods[] = {ART_ORDER_N,   ART_MASS_MATRIX, ART_SEMIRECURSIVE,
                                ART_RECURSIVE, ART_AUGMENTED,   ART_INDEX1,
                                ART_INDEX3,    ART_CONSERVING,  MODEL_GENERATED};
  const size_t size = (size_t) m->tree.nv * sizeof(double);
  double *want = malloc(size), scale = 1;
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  memcpy(want, d->a, size);
  for (int k = 0; k < m->tree.nv; k++) scale = check_larger(scale, fabs(want[k]));
  const double power = d->work->power;
  if (code) compare_code(m, d, code, want, scale, power);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    artError error = {0};
    art_update(m, d);
    const artStatus status = method_accelerate(m, d, methods[i], &error);
    if (status == ART_UNSUPPORTED) continue;
    int ok = CHECK_EQ_INT(status, ART_OK);
    ok = ok && CHECK_NEAR(d->a, want, m->tree.nv, 1e-9 * scale);
    ok = ok && CHECK_CLOSE(d->work->power, power, 1e-9 * check_larger(scale, fabs(power)));
    if (!ok) printf("  %s %s\n", model_way_name(methods[i]), error.text);
  }
  free(want);
}


void control_compare_methods(const artModel *m, int states, uint64_t *seed)
{
  artData *d = art_create_data(m);
  artGenerateDef def = art_default_generate();
  artGenerated *code = NULL;
  artError error = {0};
  double *move = malloc((size_t) m->tree.nv * sizeof *move);
  def.forms = ART_FORM_ACCELERATE | ART_FORM_POWER;
  art_update(m, d);
  if (!CHECK(art_load_generated(&code, m, d, &def, &error) == ART_OK)) printf("  %s\n", error.text);
  for (int i = 0; i < states; i++) {
    sample_numbers(seed, 0.3, m->tree.nv, move);
    art_move(m, d->q, move);
    sample_numbers(seed, 2, m->tree.nv, d->v);
    for (int k = 0; k < m->tree.nv; k++) d->v[k] += m->v_initial[k];
    d->time = 0.2 * i;
    art_update(m, d);
    compare_at(m, d, code);
  }
  free(move);
  art_free_generated(code);
  art_free_data(d);
}


double control_run_balance(const artModel *m, int method, double until, double tolerance,
                           double *out)
{
  artError error = {0};
  artData *d = art_create_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  if (tolerance == 0) study = *art_find_run(m, NULL);
  model_set_way(&study, method);
  study.until = until;
  if (tolerance > 0) study.tolerance = tolerance;
  double balance = INFINITY;
  if (CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK) &&
      CHECK(art_run_to(run, until, &error) == ART_OK)) {
    const artCertificate c = art_certify(run);
    balance = c.energy_end - c.energy_start - c.work;
    if (out) art_outputs(m, d, out);
  }
  if (error.status) printf("  %s: %s\n", model_way_name(method), error.text);
  art_free_run(run);
  art_free_data(d);
  return balance;
}
