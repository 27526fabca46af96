// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The space that a mesh encloses: whether it is closed, its volume, centre and second moments.
#ifndef MODEL_MESH_VOLUME_H
#define MODEL_MESH_VOLUME_H

#include "articula/model.h"

// Moments of a mesh filled with density 1, in its own axes and units.
typedef struct meshMoments {
  double volume;
  double centre[3];
  double inertia[6]; // xx yy zz xy xz yz of the tensor about the centre
  int is_turned;     // triangles are clockwise seen from outside, which has been mended
} meshMoments;

// Do the triangles of a mesh bound a solid? Every edge has a neighbour, neighbours are wound alike, the volume is not zero,
// and of several shells each is either outside all others or a void.
artStatus mesh_check_closed(const artSolidDef *mesh, artPlace place, artError *error);

// Volume, centre and inertia by the divergence theorem, exact for closed meshes.
meshMoments mesh_find_moments(const artSolidDef *mesh);

#endif
