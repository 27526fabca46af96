// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 06: many runs in parallel. The model is constant and shared; each run has its own data.
#include <articula/articula.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, RUNS = 24 };

typedef struct job {
  const artModel *model;
  int first;
  double *angle; // [RUNS]
} job;


// angle of the lower bar after 3 s, for a double pendulum released slightly above the horizontal
static double angle_after(const artModel *model, double start)
{
  artError error = {0};
  artRun *run = NULL;
  artRunDef study = art_default_run();
  artData *data = art_create_data(model);
  data->q[0] = start;
  art_create_run(&run, model, data, &study, &error);
  const artStatus status = run ? art_run_to(run, 3, &error) : error.status;
  const double angle = status == ART_OK ? data->q[0] + data->q[1] : NAN;
  art_free_run(run);
  art_free_data(data);
  return angle;
}


static void *work(void *context)
{
  const job *j = context;
  for (int i = j->first; i < RUNS; i += THREADS) j->angle[i] = angle_after(j->model, 1e-3 * i);
  return NULL;
}


int main(void)
{
  artError error = {0};
  artModel *model;
  if (art_load_model(&model, "models/double-pendulum.yaml", &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }

  double angle[RUNS];
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int t = 0; t < THREADS; t++) {
    jobs[t] = (job){.model = model, .first = t, .angle = angle};
    if (pthread_create(&threads[t], NULL, work, &jobs[t])) return 1;
  }
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);

  // sequential runs must give bit-identical results
  int same = 0;
  for (int i = 0; i < RUNS; i++) {
    printf("start %.3f rad  lower bar after 3 s %9.6f rad\n", 1e-3 * i, angle[i]);
    same += angle[i] == angle_after(model, 1e-3 * i);
  }
  printf("%d of %d runs equal the runs of a single thread to the last bit\n", same, RUNS);
  art_free_model(model);
  return same != RUNS;
}
