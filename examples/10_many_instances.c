// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 10: many instances of one machine, each with its own parameter, on a GPU or, if there is none, on
// CPU threads: small oscillations of pendulums of different lengths, compared with the closed form.
#include <articula/articula.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, STEPS = 1000 };


// the row of parameter `name` in the parameters of all instances
static double *row_of(artBatch *batch, const char *name, double *parameters)
{
  const int k = art_find_batch_parameter(batch, name);
  return k < 0 ? NULL : parameters + (long) k * N;
}


int main(void)
{
  const double down = acos(-1) / 2, swing = 0.01, g = 9.81, time = 1;
  artError error = {0};
  artModel *model = NULL;
  artBatch *batch = NULL;
  artBatchDef def = art_default_batch();
  const artRunDef study = art_default_run();
  def.n = N;
  def.device = ART_GPU;
  def.or_cpu = 1;
  if (art_load_model(&model, "models/pendulum.yaml", &error) ||
      art_create_batch(&batch, model, &study, &def, &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }
  const artBatchInfo info = art_batch_info(batch);
  printf("%ld pendulums on %s%s%s\n", info.n, info.name, info.reason ? ": " : "",
         info.reason ? info.reason : "");

  // lengths from 0.5 to 2 m, all slightly deflected
  const int np = art_batch_width(batch, ART_BATCH_PARAMETERS);
  double *p = malloc(sizeof *p * (size_t) np * N), angle[N], *length;
  if (!p || art_get_batch(batch, ART_BATCH_PARAMETERS, p, &error)) return 1;
  length = row_of(batch, "L", p);
  for (int i = 0; i < N; i++) length[i] = 0.5 + 1.5 * i / (N - 1);
  for (int i = 0; i < N; i++) angle[i] = down + swing;
  if (art_set_batch(batch, ART_BATCH_PARAMETERS, p, &error) ||
      art_set_batch(batch, ART_BATCH_POSITIONS, angle, &error) ||
      art_step_batch(batch, time / STEPS, STEPS, &error) ||
      art_get_batch(batch, ART_BATCH_POSITIONS, angle, &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }

  // the error of sin(x) = x is x^3/6, so the relative phase error is at most x^2/16
  double worst = 0;
  for (int i = 0; i < N; i++) {
    const double phase = sqrt(g / length[i]) * time, want = down + swing * cos(phase);
    if (!(fabs(angle[i] - want) <= worst)) worst = fabs(angle[i] - want);
  }
  const double limit = swing * swing * swing / 16 * sqrt(g / 0.5) * time * 1.1;
  printf("after %g s the angles are %.1e rad from small swings, %.1e are expected\n", time, worst,
         limit);
  free(p);
  art_free_batch(batch);
  art_free_model(model);
  return !(worst <= limit);
}
