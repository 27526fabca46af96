// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads by functions of the user under tyres.
#ifndef FORCE_GROUND_H
#define FORCE_GROUND_H

#include "articula/tyre.h"
#include "element/element.h"
#include "road/road_bounds.h"

// The ground of an element at a time, and how calls of its function have ended.
typedef struct groundCall {
  const modelElement *e;
  double time;
  artStatus status;
  artError error; // of the first call that failed
} groundCall;

// After a contact has been searched on it, call->status says whether the function has answered.
artGround force_called_ground(groundCall *call);

// What height and slopes can be over a rectangle, where the function is as its resolution says.
roadBounds force_ground_bounds(const modelElement *e, enclosure x, enclosure y);

#endif
