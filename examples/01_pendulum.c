// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 01: build a pendulum in C, let it swing, print its angle.
#include <articula/articula.h>
#include <stdio.h>

int main(void)
{
  // a rod of 2 kg and 1 m that hangs from a revolute joint about y
  artBodyDef rod = art_default_body();
  rod.name = "rod";
  rod.mass = 2;
  rod.com[2] = -0.5;
  rod.inertia[0] = rod.inertia[1] = 2.0 / 12;
  artJointDef pin = art_default_joint();
  pin.name = "pin";
  pin.from = "ground";
  pin.to = "rod";
  pin.axis[1] = 1;
  pin.axis[2] = 0;

  artBuilder *builder = art_create_builder();
  art_add_body(builder, &rod);
  art_add_joint(builder, &pin);
  art_set_initial(builder, "pin.angle", 0.5);

  // errors of all calls above are reported here
  artError error = {0};
  artModel *model;
  if (art_compile_model(&model, builder, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  artData *data = art_create_data(model);
  artRunDef study = art_default_run();
  artRun *run;
  if (art_create_run(&run, model, data, &study, &error)) return 1;

  for (double t = 0; t <= 2 && art_run_to(run, t, &error) == ART_OK; t += 0.25) {
    printf("%4.2f s  %8.5f rad  %8.5f rad/s\n", t, data->q[0], data->v[0]);
  }
  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  art_free_builder(builder);
  return error.status != ART_OK;
}
