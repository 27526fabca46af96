// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The library from C++: a pendulum is built, compiled and run; says the version.
#include <cstdio>
#include <vector>

#include "articula/articula.h"


int main()
{
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

  artError error{};
  artModel *model = nullptr;
  if (art_compile_model(&model, builder, &error) != ART_OK) {
    return std::fprintf(stderr, "%s\n", error.text), 1;
  }
  artData *data = art_create_data(model);
  const artRunDef study = art_default_run();
  artRun *run = nullptr;
  artStatus status = art_create_run(&run, model, data, &study, &error);
  if (status == ART_OK) status = art_run_to(run, 1, &error);
  std::vector<double> outputs(static_cast<size_t>(art_count(model).outputs));
  if (status == ART_OK) art_outputs(model, data, outputs.data());
  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  art_free_builder(builder);
  if (status != ART_OK) return std::fprintf(stderr, "%s\n", error.text), 1;
  std::printf("%s\n", art_version());
}
