// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 04: a user-defined force law. A cart of 1 kg on a cubic spring; the law has a potential, so
// energy balances include it, and the period is known.
#include <articula/articula.h>
#include <math.h>
#include <stdio.h>


// F = -k x^3
static artStatus pull(void *stiffness, const artModel *model, artData *data)
{
  const double k = *(const double *) stiffness;
  art_apply_joint_force(model, data, 0, -k * pow(data->q[0], 3));
  return ART_OK;
}


// V = k x^4 / 4
static double stored(void *stiffness, const artModel *model, const artData *data)
{
  (void) model;
  return *(const double *) stiffness * pow(data->q[0], 4) / 4;
}


int main(void)
{
  double stiffness = 1;
  const artCallbackDef spring = {
      .name = "spring", .apply = pull, .potential = stored, .context = &stiffness};
  artBodyDef cart = art_default_body();
  cart.name = "cart";
  cart.mass = 1;
  artJointDef rail = art_default_joint();
  rail.name = "rail";
  rail.type = ART_PRISMATIC;
  rail.from = "ground";
  rail.to = "cart";
  rail.axis[0] = 1;
  rail.axis[2] = 0;

  artBuilder *builder = art_create_builder();
  art_add_body(builder, &cart);
  art_add_joint(builder, &rail);
  art_add_callback(builder, &spring);
  art_set_initial(builder, "rail.slide", 1);

  artError error = {0};
  artModel *model = NULL;
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.tolerance = 1e-11;
  if (art_compile_model(&model, builder, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  artData *data = art_create_data(model);

  // the period for amplitude 1 is gamma(1/4)^2 / sqrt(pi) seconds
  const double period = pow(tgamma(0.25), 2) / sqrt(acos(-1));
  if (art_create_run(&run, model, data, &study, &error) == ART_OK) art_run_to(run, period, &error);
  const double miss = fabs(data->q[0] - 1) + fabs(data->v[0]);
  printf("after %.6f s: %.9f m, %.1e m/s\n", data->time, data->q[0], data->v[0]);
  if (run) printf("energy error %.1e J\n", art_certify(run).energy_error);

  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  art_free_builder(builder);
  return error.status || !(miss < 1e-8);
}
