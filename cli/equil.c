// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula equil: find a static equilibrium, printed as a section of a model file.
#include <math.h>
#include <string.h>

#include "command.h"
#include "io/json.h"
#include "model/model.h"

static const double DEGREES = 57.29577951308232; // in a radian


static const char *stability(const artEquilibrium *result)
{
  if (result->stable < 0) return "unknown";
  return result->stable ? "stable" : "unstable";
}


static const char *stability_words(const artEquilibrium *result)
{
  if (result->stable < 0) return "stability not known: some forces have no potential";
  return result->stable ? "stable: the potential energy has a minimum there"
                        : "not stable: the potential energy has no minimum there";
}


static bool is_driven(const artModel *m, int position)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].position == position) return true;
  }
  return false;
}


//---- for people ----------------------------------------------------------------------------------

// so small a value is what an iteration leaves of zero
static const double NOTHING = 1e-15;


static void print_coordinate(const artModel *m, int k, double found)
{
  const double value = fabs(found) < NOTHING ? 0 : found;
  char number[JSON_NUMBER_LENGTH];
  const char *unit = art_position_unit(m, k);
  const char *name = strrchr(m->position[k].name, '.') + 1;
  const bool has_unit = strcmp(unit, "1") != 0;

  // what a drive prescribes is no initial value
  printf("    %s%s: %s%s%s", is_driven(m, k) ? "# driven: " : "", name,
         json_number_text(value, number), has_unit ? " " : "", has_unit ? unit : "");
  if (strcmp(unit, "rad") == 0) printf("  # %.6g deg", value * DEGREES);
  putchar('\n');
}


static bool has_initial(const artModel *m, const modelJoint *joint)
{
  for (int k = joint->q0; k < joint->q0 + joint->nq && !joint->is_cut; k++) {
    if (!is_driven(m, k)) return true;
  }
  return false;
}


static void print_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artEquilibrium *result)
{
  printf("# equilibrium of %s\n", call->file);
  printf("# %d iteration%s, largest force out of balance %.3g N or N m, moved by at most %.6g m or "
         "rad\n",
         result->iterations, result->iterations == 1 ? "" : "s", result->residual, result->moved);
  printf("# %s\n", stability_words(result));
  printf("initial:\n");
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (joint->is_cut || joint->nq == 0) continue;
    printf("  %s%s:\n", has_initial(m, joint) ? "" : "# ", joint->name);
    for (int k = joint->q0; k < joint->q0 + joint->nq; k++) print_coordinate(m, k, d->q[k]);
  }
}


//---- for programs --------------------------------------------------------------------------------

static void write_equilibrium(const cliCall *call, const artModel *m, const artData *d,
                              const artEquilibrium *result)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_text(&json, "file", call->file);
  json_integer(&json, "iterations", result->iterations);
  json_number(&json, "residual", result->residual);
  json_number(&json, "moved", result->moved);
  json_text(&json, "stability", stability(result));
  json_array(&json, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_object(&json, NULL);
    json_text(&json, "name", m->position[k].name);
    json_number(&json, "value", d->q[k]);
    json_text(&json, "unit", art_position_unit(m, k));
    json_bool(&json, "driven", is_driven(m, k));
    json_end(&json);
  }
  json_end(&json);
  json_end(&json);
}


int verb_equil(const cliCall *call)
{
  artModel *model = NULL;
  artData *data = NULL;
  artError error = {0};
  artEquilibrium result = {0};
  const int exit_status = cli_load(call, &model, &data);
  if (exit_status) return exit_status;

  const artStatus status = art_find_equilibrium(model, data, &result, &error);
  if (status == ART_OK && call->json) {
    write_equilibrium(call, model, data, &result);
  } else if (status == ART_OK) {
    print_equilibrium(call, model, data, &result);
  }
  art_free_data(data);
  art_free_model(model);
  return status ? cli_fail(call, &error) : CLI_DONE;
}
