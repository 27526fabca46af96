// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as the saved state of a run, and a saved state with any bytes of it changed. The run
// goes on from it, or says why not.
#include <string.h>

#include "articula/articula.h"
#include "harness.h"

static artModel *model;


static artRun *start(artData *d, int which)
{
  static const artMethod methods[] = {ART_ORDER_N, ART_MASS_MATRIX, ART_INDEX1, ART_INDEX3,
                                      ART_MULTI_INDEX};
  artRunDef study = *art_find_run(model, NULL);
  artRun *run = NULL;
  study.method = methods[which % 5];
  study.integrator = (artIntegrator) (which / 5 % ART_MOREAU);
  study.step = 0.005;
  REQUIRE(art_create_run(&run, model, d, &study, NULL) == ART_OK);
  REQUIRE(art_run_to(run, 0.005, NULL) == ART_OK);
  return run;
}


static void resume(const void *bytes, size_t size, int which)
{
  artData *d = art_create_data(model);
  artRun *run = start(d, which);
  artError error = {0};
  const artStatus status = art_load_run(run, bytes, size, &error);
  REQUIRE((status == ART_OK) == !error.text[0]);
  if (status == ART_OK) {
    error = (artError){0};
    const artStatus moved = art_run_to(run, art_certify(run).time + 0.001, &error);
    REQUIRE((moved == ART_OK) == !error.text[0]);
  }
  art_free_run(run);
  art_free_data(d);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!model)
    REQUIRE(art_read_model(&model, fuzz_pendulum, strlen(fuzz_pendulum), "p", NULL) == ART_OK);
  if (size == 0) return 0;
  const int which = data[0] % 20;
  resume(data + 1, size - 1, which);

  artData *d = art_create_data(model);
  artRun *run = start(d, which);
  const size_t length = art_run_state_size(run);
  char *bytes = malloc(length);
  REQUIRE(bytes && art_save_run(run, bytes, length, NULL) == ART_OK);
  char *changed = fuzz_change(bytes, length, data + 1, size - 1);
  resume(changed, length, which);
  free(bytes);
  free(changed);
  art_free_run(run);
  art_free_data(d);
  return 0;
}
