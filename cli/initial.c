// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A state as the section `initial` of a model file, or as lists of coordinates.
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "tell.h"

static const double DEGREES = 57.29577951308232; // in a radian

// so small a value is what an iteration leaves of zero
static const double NOTHING = 1e-15;


static bool is_driven(const artModel *m, int position)
{
  for (int i = 0; i < m->ndrive; i++) {
    if (m->drive[i].position == position) return true;
  }
  return false;
}


// a coordinate that a drive prescribes has no initial value
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


void cli_tell_state(ioJson *report, const artModel *m, const artData *d, bool velocities)
{
  if (tell_is_text(report)) {
    printf("initial:\n");
    for (int j = 0; j < m->njoint; j++) {
      const modelJoint *joint = &m->joint[j];
      if (joint->is_cut || joint->nq == 0) continue;
      bool has_initial = false;
      for (int k = joint->q0; k < joint->q0 + joint->nq; k++) has_initial |= !is_driven(m, k);
      printf("  %s%s:\n", has_initial ? "" : "# ", joint->name);
      for (int k = joint->q0; k < joint->q0 + joint->nq; k++) {
        print_value(m->position[k].name, art_position_unit(m, k), d->q[k], is_driven(m, k));
      }
      for (int k = joint->v0; k < joint->v0 + joint->nv && velocities; k++) {
        const int partner = m->velocity[k].partner;
        print_value(m->velocity[k].name, art_velocity_unit(m, k), d->v[k],
                    partner >= 0 && is_driven(m, partner));
      }
    }
    return;
  }
  json_array(report, "coordinates");
  for (int k = 0; k < m->tree.nq; k++) {
    json_item(report, NULL, "name: %s, value: %g, unit: %s, driven: %i", m->position[k].name,
              d->q[k], art_position_unit(m, k), is_driven(m, k));
  }
  json_end(report);
  json_array(report, "velocities");
  for (int k = 0; k < m->tree.nv && velocities; k++) {
    json_item(report, NULL, "name: %s, value: %g, unit: %s", m->velocity[k].name, d->v[k],
              art_velocity_unit(m, k));
  }
  json_end(report);
}
