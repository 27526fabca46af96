// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Times 10 s of the double pendulum by RK4 with steps of 1 ms, as a user runs it: models/
// double-pendulum.yaml through art_run_to. Where MuJoCo is installed, the same by its RK4 in turns.
// Run in the root of the repository.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "articula/articula.h"

enum { STEPS = 10000, ROUNDS = 60 };

static const double step = 1e-3;


// of the CPU: a run is long enough to be interrupted by other programs
static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * (double) t.tv_sec + 1e-6 * (double) t.tv_nsec;
}


// milliseconds of one run; q receives the angles at its end; negative when something failed
static double time_articula(const artModel *model, artData *data, double q[2])
{
  artError error = {0};
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.integrator = ART_RK4;
  study.step = step;
  study.until = STEPS * step;

  art_reset(model, data);
  if (art_create_run(&run, model, data, &study, &error) != ART_OK) return -1;
  const double start = now_ms();
  const artStatus status = art_run_to(run, study.until, &error);
  const double spent = now_ms() - start;
  art_free_run(run);
  memcpy(q, data->q, 2 * sizeof *q);
  return status == ART_OK ? spent : -1;
}


//---- MuJoCo --------------------------------------------------------------------------------------

#ifdef BENCH_MUJOCO

#include <mujoco/mujoco.h>

// It refuses a bar without inertia about its own axis; in a plane this one does nothing.
static const char bars[] =
    "<mujoco><option timestep='0.001' gravity='0 -9.81 0' integrator='RK4'><flag "
    "constraint='disable' "
    "contact='disable' passive='disable' actuation='disable' sensor='disable'/></option><worldbody>"
    "<body><joint type='hinge' axis='0 0 1'/><inertial pos='0.5 0 0' mass='1' "
    "diaginertia='0.001 0.083333333333333333 0.083333333333333333'/>"
    "<body pos='1 0 0'><joint type='hinge' axis='0 0 1'/><inertial pos='0.5 0 0' mass='1' "
    "diaginertia='0.001 0.083333333333333333 "
    "0.083333333333333333'/></body></body></worldbody></mujoco>";


// the model through MuJoCo's files in memory
static mjModel *load_bars(void)
{
  char message[500] = "";
  mjModel *model = NULL;
  mjVFS *files = malloc(sizeof *files);
  if (!files) return NULL;
  mj_defaultVFS(files);
  if (mj_makeEmptyFileVFS(files, "bars.xml", sizeof bars - 1) == 0) {
    memcpy(files->filedata[0], bars, sizeof bars - 1);
    model = mj_loadXML("bars.xml", files, message, sizeof message);
  }
  if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
  mj_deleteVFS(files);
  free(files);
  return model;
}


static double time_mujoco(const mjModel *model, mjData *data, double q[2])
{
  mj_resetData(model, data);
  const double start = now_ms();
  for (int k = 0; k < STEPS; k++) mj_step(model, data);
  const double spent = now_ms() - start;
  memcpy(q, data->qpos, 2 * sizeof *q);
  return spent;
}

#endif


//---- both ----------------------------------------------------------------------------------------

static void print_result(const char *name, double ms, const double q[2])
{
  printf("%-9s %8.2f ms in all %8.0f ns a step    angles at the end %.9f %.9f\n", name, ms,
         1e6 * ms / STEPS, q[0], q[1]);
}


int main(void)
{
  artError error = {0};
  artModel *model = NULL;
  if (art_load_model(&model, "models/double-pendulum.yaml", &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  artData *data = art_create_data(model);
  double best = INFINITY, q[2];
#ifdef BENCH_MUJOCO
  mjModel *peer = load_bars();
  mjData *peer_data = peer ? mj_makeData(peer) : NULL;
  double peer_best = INFINITY, peer_q[2];
#endif

  // in turns, so that a disturbance of the machine meets both alike
  for (int round = 0; data && round < ROUNDS; round++) {
    best = fmin(best, time_articula(model, data, q));
#ifdef BENCH_MUJOCO
    if (peer_data) peer_best = fmin(peer_best, time_mujoco(peer, peer_data, peer_q));
#endif
  }
  const int good = best > 0 && isfinite(best);
  if (good) print_result("Articula", best, q);
#ifdef BENCH_MUJOCO
  if (good && peer_data) {
    print_result("MuJoCo", peer_best, peer_q);
    printf("Articula/MuJoCo %.3f\n", best / peer_best);
  }
  if (peer_data) mj_deleteData(peer_data);
  if (peer) mj_deleteModel(peer);
#endif
  art_free_data(data);
  art_free_model(model);
  return !good;
}
