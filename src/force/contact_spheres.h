// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Spheres about the surfaces of contacts, for the broad phase (contact/broad_phase.h): one for each place on a link and radius.
#ifndef FORCE_CONTACT_SPHERES_H
#define FORCE_CONTACT_SPHERES_H

#include "contact/broad_phase.h"
#include "data/work.h"

typedef struct contactSphere {
  int link, next; // next of the same frame, -1: none
  v3 offset;      // in the link
  double radius;  // INFINITY: the surface has no end
} contactSphere;

typedef struct contactSpheres {
  int n, *of_frame; // [nframe] the last one of a frame, -1: none
  contactSphere *sphere;
} contactSpheres;

// Memory for at most n of them; 0: there is none.
int force_take_spheres(contactSpheres *s, baseArena *arena, const artModel *m, int n);

// Begin with none.
void force_clear_spheres(contactSpheres *s, const artModel *m);

// The sphere about a side of a contact in a frame, added where it is new.
int force_sphere_of(contactSpheres *s, const artModel *m, int frame, const contactSide *side);

#endif
