// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How long steps may be for wheels on their roads.
#include "force/wheel_pace.h"

#include <math.h>

#include "data/place.h"
#include "data/work.h"
#include "model/model.h"
#include "road/road.h"
#include "tyre/tyre.h"


double force_wheel_pace(const artModel *m, const artData *d)
{
  double pace = 0;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!e->tyre || !e->road || art_road_is_level(e->road)) continue;
    const modelFrame *frame = &m->frame[e->frame[0]];
    const v3 v = tree_point_velocity(data_velocity(m, d), frame->link, frame->r);
    const double length = fmin(road_shortest_length(e->road), art_tyre_free_radius(e->tyre, 0));
    pace = fmax(pace, 3 * hypot(v.x, v.y) / length);
  }
  return pace;
}
