// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bushings at work (law/bushing.h says what they do).
#ifndef FORCE_BUSHING_WORK_H
#define FORCE_BUSHING_WORK_H

#include "force/force.h"

// Where the frames are.
typedef struct bushingPlace {
  m3 axes;              // of `from`: v_from = axes v_ground
  double x[6], rate[6]; // displacements
  double cosine, sine;  // of the angle between the frames, sine >= 0
  double curve;         // c of J^-1
} bushingPlace;

bushingPlace bushing_place(const artModel *m, const artData *d, const modelElement *e);

// J^-T s
v3 bushing_torque(const bushingPlace *place, v3 s);

// What the generalised forces s do to both links, in ground axes: force and torque on `to` at its
// frame, the opposite on `from` at the same point.
void bushing_give(const artModel *m, artData *d, const modelElement *e, const bushingPlace *place,
                  const double s[6]);

// parts: FORCE_ELASTIC, FORCE_RESISTING or both. Values: force and torque on `to`.
artStatus bushing_apply(const artModel *m, artData *d, const modelElement *e, const int *mode,
                        int parts, double *value, artError *error);

double bushing_potential(const artModel *m, const artData *d, const modelElement *e,
                         const int *mode);

#endif
