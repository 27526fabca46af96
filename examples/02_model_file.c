// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 02: load a model file, run its study, print its outputs.
//     02_model_file [FILE]        default: models/double-pendulum.yaml
#include <articula/articula.h>
#include <stdio.h>
#include <stdlib.h>


// print every tenth output instant
static artStatus print_run(artRun *run, const artModel *model, artData *data,
                           const artRunDef *study, artError *error)
{
  const int n = art_count(model).outputs;
  double *values = malloc((size_t) n * sizeof *values);
  for (long k = 0; k < art_output_count(study) && values; k += 10) {
    if (art_run_to(run, art_output_time(study, k), error)) break;
    art_outputs(model, data, values);
    printf("%6.3f", data->time);
    for (int i = 0; i < n; i++) printf(" %10.5f", values[i]);
    printf("\n");
  }
  free(values);
  return error->status;
}


int main(int argc, char **argv)
{
  artError error = {0};
  artModel *model = NULL;
  artData *data = NULL;
  artRun *run = NULL;
  art_load_model(&model, argc > 1 ? argv[1] : "models/double-pendulum.yaml", &error);
  const artRunDef *study = model ? art_find_run(model, NULL) : NULL;
  if (study) data = art_create_data(model);

  if (data && art_create_run(&run, model, data, study, &error) == ART_OK) {
    printf("%s\n  time", art_title(model));
    for (int i = 0; i < art_count(model).outputs; i++) printf(" %10s", art_output_name(model, i));
    printf("\n");
    print_run(run, model, data, study, &error);
    const artCertificate c = art_certify(run);
    printf("%ld steps, energy error %.1e J\n", c.steps, c.energy_error);
  }
  if (error.status) fprintf(stderr, "%s\n", error.text);
  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  return !run || error.status;
}
