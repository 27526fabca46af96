// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model with contacts by MuJoCo: contacts_mujoco FILE STEP UNTIL [PACE]. Prints the CPU time of a step in us, the deepest
// penetration, the largest change of the length of a tendon, and the height of the first body at the end. Actuator 0 follows
// PACE (t - 0.3 (1 - exp(-t/0.3))).
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// without a timer: position of a step, found after the step
typedef struct worst {
  double penetration, loops;
} worst;


static double cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static void look(const mjModel *m, const mjData *d, worst *w)
{
  for (int i = 0; i < d->ncon; i++) w->penetration = fmax(w->penetration, -d->contact[i].dist);
  for (int i = 0; i < m->ntendon; i++) {
    w->loops = fmax(w->loops, fabs(d->ten_length[i] - m->tendon_length0[i]));
  }
}


int main(int n, char **argument)
{
  if (n < 4) return 2;
  char error[1000] = "";
  mjModel *m = mj_loadXML(argument[1], NULL, error, sizeof error);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  m->opt.timestep = atof(argument[2]);
  m->opt.cone = mjCONE_ELLIPTIC;
  const double pace = n > 4 ? atof(argument[4]) : 0;
  const long steps = lround(atof(argument[3]) / m->opt.timestep);
  mjData *d = mj_makeData(m);
  worst w = {0};
  double seconds = 0;
  for (long k = 0; k < steps; k++) {
    if (m->nu > 0 && pace > 0) d->ctrl[0] = pace * (d->time - 0.3 * (1 - exp(-d->time / 0.3)));
    const double start = cpu_seconds();
    mj_step(m, d);
    seconds += cpu_seconds() - start;
    look(m, d, &w);
  }
  printf("%.6g %.6g %.6g %.9g %.9g\n", 1e6 * seconds / (double) steps, w.penetration, w.loops,
         d->xpos[3], d->xpos[5]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
