// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A state printed as the section `initial` of a model file.
#include <math.h>
#include <string.h>

#include "command.h"
#include "model/model.h"
#include "show/json.h"

static const double DEGREES = 57.29577951308232; // in a radian

// so small a value is what an iteration leaves of zero
static const double NOTHING = 1e-15;


bool cli_is_driven(const artModel *m, int position)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].position == position) return true;
  }
  return false;
}


// what a drive prescribes is no initial value
static void print_value(const char *full, const char *unit, double found, bool driven)
{
  const double value = fabs(found) < NOTHING ? 0 : found;
  char number[JSON_NUMBER_LENGTH];
  const bool has_unit = strcmp(unit, "1") != 0;
  printf("    %s%s: %s%s%s", driven ? "# driven: " : "", strrchr(full, '.') + 1,
         json_number_text(value, number), has_unit ? " " : "", has_unit ? unit : "");
  if (strcmp(unit, "rad") == 0) printf("  # %.6g deg", value * DEGREES);
  putchar('\n');
}


static bool has_initial(const artModel *m, const modelJoint *joint)
{
  for (int k = joint->q0; k < joint->q0 + joint->nq; k++) {
    if (!cli_is_driven(m, k)) return true;
  }
  return false;
}


void cli_print_initial(const artModel *m, const artData *d, bool velocities)
{
  printf("initial:\n");
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (joint->is_cut || joint->nq == 0) continue;
    printf("  %s%s:\n", has_initial(m, joint) ? "" : "# ", joint->name);
    for (int k = joint->q0; k < joint->q0 + joint->nq; k++) {
      print_value(m->position[k].name, art_position_unit(m, k), d->q[k], cli_is_driven(m, k));
    }
    for (int k = joint->v0; k < joint->v0 + joint->nv && velocities; k++) {
      const int partner = m->velocity[k].partner;
      print_value(m->velocity[k].name, art_velocity_unit(m, k), d->v[k],
                  partner >= 0 && cli_is_driven(m, partner));
    }
  }
}


void cli_write_state(ioJson *json, const artModel *m, const artData *d, bool velocities)
{
  json_array(json, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_item(json, NULL, "name: %s, value: %g, unit: %s, driven: %i", m->position[k].name, d->q[k],
              art_position_unit(m, k), cli_is_driven(m, k));
  }
  json_end(json);
  json_array(json, "velocities");
  for (int k = 0; k < m->tree.nv && velocities; k++) {
    json_item(json, NULL, "name: %s, value: %g, unit: %s", m->velocity[k].name, d->v[k],
              art_velocity_unit(m, k));
  }
  json_end(json);
}
