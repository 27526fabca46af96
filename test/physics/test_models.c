// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Every file in models/: it is complete, both methods agree on its motion, its energy balance closes,
// and between them they show every type of joint.
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

//---- the files -----------------------------------------------------------------------------------


typedef void (*machineCheck)(const char *name, const artModel *model);

// call `check` with every model and its name, "adams/spring-1"
static void for_every_model(machineCheck check)
{
  static const char folder[] = ART_SOURCE_DIR "/models/";
  glob_t files = folder_models(1);
  CHECK(files.gl_pathc > 20);

  for (size_t i = 0; i < files.gl_pathc; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s", files.gl_pathv[i] + strlen(folder));
    name[strlen(name) - strlen(".yaml")] = '\0';
    artModel *model = keep_file(files.gl_pathv[i]);
    check(name, model);
  }
  globfree(&files);
}


static void say_model(const char *name, bool held)
{
  if (!held) printf("  in models/%s.yaml\n", name);
}


//---- contents of a model file --------------------------------------------------------------------


static void check_complete(const char *name, const artModel *model)
{
  const artCounts counts = art_count(model);
  say_model(name, CHECK(art_title(model) && art_title(model)[0]));
  say_model(name, CHECK(counts.outputs > 0));
  say_model(name, CHECK(art_find_study(model, ART_RUN, NULL) != NULL));
}


TEST(every_model_has_title_outputs_and_a_run)
{
  for_every_model(check_complete);
}


TEST(every_type_of_joint_occurs)
{
  for (artJointType type = 0; type < ART_JOINT_TYPES; type++) {
    char command[512];
    snprintf(command, sizeof command, "grep -rq 'type: %s[,}]*' '%s'/models",
             art_joint_type_name(type), ART_SOURCE_DIR);
    CHECK(system(command) == 0);
  }
}


//---- motion --------------------------------------------------------------------------------------


// a short run to time t; the state goes to q and v
static artCertificate short_run(const artModel *model, artMethod method, double t, double *q,
                                double *v)
{
  artRunDef study = art_default_run();
  study.until = t, study.method = method, study.tolerance = 1e-12;
  artData *data = keep_fresh_data(model);
  artRun *run = keep_started_run(model, data, &study);
  for (int k = 1; k <= 10; k++) CHECK_WORKS(art_run_to(run, 0.1 * k * t, &check_error));
  memcpy(q, data->q, (size_t) art_count(model).nq * sizeof *q);
  memcpy(v, data->v, (size_t) art_count(model).nv * sizeof *v);
  return art_certify(run);
}


// machines with loops or couplings are the matter of test_loop_references, those with latches of test_latch
static void check_motion(const char *name, const artModel *model)
{
  const artCounts counts = art_count(model);
  if (counts.loops > 0 || counts.latches > 0 || model->nrow > 0) return;
  const int n = counts.nq + counts.nv;
  double *one = keep_numbers(n), *two = keep_numbers(n);

  // two methods that differ by rounding
  const double t = fmin(0.2, 0.1 * art_find_run(model, NULL)->until);
  const artCertificate first = short_run(model, ART_ORDER_N, t, one, one + counts.nq);
  const artCertificate second = short_run(model, ART_MASS_MATRIX, t, two, two + counts.nq);

  // relative to the largest number of the state
  say_model(name, CHECK_NEAR(one, two, n, 1e-11 * check_scale(n, one)));

  const double closes = 1e-10 * check_larger(1e-3, first.energy_scale);
  say_model(name, CHECK(first.energy_error < closes && second.energy_error < closes));
}


TEST(both_methods_agree_and_the_energy_balance_closes)
{
  for_every_model(check_motion);
}


//---- chains --------------------------------------------------------------------------------------


TEST(chains_of_any_length_by_the_generator)
{
  static const int lengths[] = {1, 30, 1000};
  for (size_t i = 0; i < 3; i++) {
    artModel *model = keep_script("make-chain.sh", lengths[i]);
    CHECK_EQ_INT(art_count(model).nv, lengths[i]);
    if (lengths[i] < 100) check_motion("chain", model);
  }
}


TEST(the_stored_chain_is_what_the_generator_writes)
{
  CHECK(art_model_hash(keep_machine("chain-10")) ==
        art_model_hash(keep_script("make-chain.sh", 10)));
}


//---- single machines -----------------------------------------------------------------------------


// the preloads of the file follow from the static balance: it runs on without any acceleration
TEST(the_motorcycle_runs_level)
{
  artModel *model = keep_machine("motorcycle");
  artData *data = keep_fresh_data(model);
  art_update(model, data);
  CHECK(art_accelerate(model, data, ART_ORDER_N, NULL) == ART_OK);
  for (int k = 0; k < art_count(model).nv; k++) CHECK(fabs(data->a[k]) < 1e-10);
  CHECK_EQ_INT(art_count(model).joints, 14);
  CHECK_EQ_INT(art_count(model).drives, 1);
}


// without outer forces momentum keeps its direction and size while the nut turns over
TEST(the_free_body_keeps_its_momentum)
{
  simulation s;
  double p[3], L[3], p0[3], L0[3], flips = 0, before = 1;
  if (simulation_start(&s, "gyro", ART_ORDER_N, ART_DOPRI5, 1e-12)) {
    art_momentum(s.model, s.data, p0, L0);
    const int wy = art_find_velocity(s.model, "flight.wy");
    for (int i = 0; i <= 400 && simulation_go(&s, 0.05 * i); i++) {
      if (s.data->v[wy] * before < 0) flips++;
      before = s.data->v[wy];
    }
    art_momentum(s.model, s.data, p, L);
    CHECK_NEAR(p, p0, 3, 1e-14);
    CHECK_NEAR(L, L0, 3, 1e-10);
    CHECK(flips >= 4);
  }
}


// slow precession of a fast gyroscope, m g l / (C s), to the order of what it neglects
TEST(the_gyroscope_precesses_at_the_known_rate)
{
  simulation s;
  if (simulation_start(&s, "gimbal", ART_ORDER_N, ART_DOPRI5, 1e-10)) {
    const double m = 0.3, r = 0.06, l = 0.08, spin = 300, arm = 0.02, g = 9.81;
    const double known = (m * l + arm * l / 2) * g / (m * r * r / 2 * spin);
    const int precession = art_find_position(s.model, "gimbal.angle1");
    if (simulation_go(&s, 2)) {
      const double rate = s.data->q[precession] / 2;
      printf("precession %.5f rad/s, of a fast gyroscope %.5f rad/s\n", rate, known);
      CHECK(fabs(rate - known) < 0.02 * known);
    }
  }
}
