// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine before any run whose joints are moved by hand: independent coordinates are set, loops close by the others.
#ifndef CLI_JOINT_JOG_H
#define CLI_JOINT_JOG_H

#include "command.h"

typedef struct cliJointJog {
  artModel *model;
  artData *data;
  int n;
  int *position;     // [n] position coordinates
  double *from, *to; // [n] of a move
  double *kept;      // [nq] before it
  double *start;     // [nq] as in the file
  double *rate;      // [2 nv] of a pull, by free velocities
  double *way;       // [nv]
} cliJointJog;

// The machine of a call at its start. A failure that was told already leaves *out NULL and no error.
artStatus joint_jog_create(cliJointJog **out, const cliCall *call, artError *error);
void joint_jog_free(cliJointJog *jog);

// Limits of a coordinate by stops, -HUGE_VAL and HUGE_VAL where there are none; false where there is neither.
bool joint_jog_find_limits(const artModel *m, int velocity, double limit[2]);

// The coordinates as JSON, for free: [{"name": "pin.angle", "unit": "rad", "value": 0.5, "lower": -1, "upper": 1}, ...], with
// those limits that there are. NULL: no memory.
char *joint_jog_list(const cliJointJog *jog);

// Move to "start", or to "0.5,1.25,...", a value for each of these, along straight lines so short that loops stay on their branch, and
// write the poses of n bodies as scene files have them. Where a loop does not close the machine stays as it was.
artStatus joint_jog_move(cliJointJog *jog, const char *values, int n, float *poses,
                         artError *error);

// Bring a point of a body below the pointer, as near as its joint lets it (where that is driven or depends on others: the
// machine), and write values[n] of the coordinates and poses of nbody bodies. The wish is "BODY,X,Y,Z,OX,OY,OZ,DX,DY,DZ":
// a body as scenes number them, the point in it, and a ray of sight in ground.
artStatus joint_jog_pull(cliJointJog *jog, const char *wish, double *values, int nbody,
                         float *poses, artError *error);

#endif
