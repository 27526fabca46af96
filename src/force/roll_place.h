// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where discs, balls and blades touch the planes that they roll or glide on, and the forces there.
#ifndef FORCE_ROLL_PLACE_H
#define FORCE_ROLL_PLACE_H

#include "force/force_work.h"
#include "model/roll_surface.h"

// reads tree.world
rollPlace roll_place(const artModel *m, const artData *d, int i);

// What rolls on a curved surface.
rollBodyPlace roll_body(const artModel *m, const artData *d, int i);

// Apply the forces along and across that have been found to the links; part of force_apply.
void roll_apply(const artModel *m, artData *d);

// How often in a second what rolls on roads comes past their shortest features at the velocities of the data, and the
// number of what does so most often; 0: there are none.
double roll_pace(const artModel *m, const artData *d, int *most);

// What outputs show: forces normal, along, across on the body that rolls; the point of contact.
double roll_shown(const artModel *m, const artData *d, int i, int component);

#endif
