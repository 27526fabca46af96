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
#include "support/keep.h"
#include "support/models.h"


static void compare_code(const artModel *m, artData *d, artGenerated *code, const double *want,
                         double scale, double power)
{
  double *a = keep_numbers(m->tree.nv), found = 0;
  CHECK_EQ_INT(art_generated_accelerate(code, d->time, d->q, d->v, a, &found, NULL), ART_OK);
  CHECK_NEAR(a, want, m->tree.nv, 1e-12 * scale);
  CHECK_CLOSE(found, power, 1e-12 * check_larger(scale, fabs(power)));
}


static void compare_at(const artModel *m, artData *d, artGenerated *code)
{
  static const int methods[] = {ART_ORDER_N,   ART_MASS_MATRIX, ART_SEMIRECURSIVE,
                                ART_RECURSIVE, ART_AUGMENTED,   ART_INDEX1,
                                ART_INDEX3,    ART_CONSERVING,  MODEL_GENERATED};
  double *want = keep_numbers(m->tree.nv);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  memcpy(want, d->a, (size_t) m->tree.nv * sizeof *want);
  const double power = d->work->power, scale = check_scale(m->tree.nv, want);
  compare_code(m, d, code, want, scale, power);
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
}


void control_compare_methods(const artModel *m, int states, uint64_t *seed)
{
  artData *d = keep_fresh_data(m);
  artGenerateDef def = art_default_generate();
  artGenerated *code = NULL;
  double *move = keep_numbers(m->tree.nv);
  def.forms = ART_FORM_ACCELERATE | ART_FORM_POWER;
  art_update(m, d);
  CHECK_WORKS(art_load_generated(&code, m, d, &def, &check_error));
  keep_generated(code);
  for (int i = 0; i < states; i++) {
    sample_numbers(seed, 0.3, m->tree.nv, move);
    art_move(m, d->q, move);
    sample_numbers(seed, 2, m->tree.nv, d->v);
    for (int k = 0; k < m->tree.nv; k++) d->v[k] += m->v_initial[k];
    d->time = 0.2 * i;
    art_update(m, d);
    compare_at(m, d, code);
  }
}


double control_run_balance(const artModel *m, int method, double until, double tolerance,
                           double *out)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  if (tolerance == 0) study = *art_find_run(m, NULL);
  model_set_way(&study, method);
  study.until = until;
  if (tolerance > 0) study.tolerance = tolerance;
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK_WORKS(art_run_to(run, until, &check_error))) {
    printf("  %s\n", model_way_name(method));
    return INFINITY;
  }
  const artCertificate c = art_certify(run);
  if (out) art_outputs(m, d, out);
  return c.energy_end - c.energy_start - c.work;
}
