// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tracks side by side, each with a road of its own.
#include <math.h>

#include "road/fade.h"
#include "road/road.h"

typedef struct tracksRoad {
  artRoad road;
  int count;
  const artRoadTrack *tracks;
  double blend;
  const artRoad *ground; // NULL: flat
} tracksRoad;


// z = ground + sum of w_i(y) (road_i - ground). Where tracks touch, one weight falls as the other rises
// and the ground drops out.
static roadJet evaluate(const artRoad *road, double x, double y)
{
  const tracksRoad *all = (const tracksRoad *) road;
  const roadJet ground = all->ground ? all->ground->evaluate(all->ground, x, y) : (roadJet){0};
  const double half = 0.5 * all->blend;

  roadJet sum = ground;
  for (int i = 0; i < all->count; i++) {
    const artRoadTrack *track = all->tracks + i;
    if (y <= track->from - half || y >= track->to + half) continue;
    const roadFade in = fade_in(y, track->from - half, all->blend);
    const roadFade out = fade_out(y, track->to - half, all->blend);
    const roadFade weight = fade_product(&in, &out);
    const roadJet own = track->road->evaluate(track->road, x, y);
    const roadJet rest = jet_sub(own, ground);
    sum = jet_add(sum, jet_fade_y(&rest, &weight));
  }
  return sum;
}


static artStatus check(const artTracksRoad *def, artError *error)
{
  const roadNumber blend = {"blend", def->blend, ROAD_POSITIVE};
  const artStatus status = road_check(def->label, 1, &blend, error);
  if (status) return status;
  if (def->count < 1 || !def->tracks) {
    return road_fail(def->label, error, "found %d tracks, expected at least one", def->count);
  }
  for (int i = 0; i < def->count; i++) {
    const artRoadTrack *track = def->tracks + i;
    if (!track->road) return road_fail(def->label, error, "track %d has no road", i + 1);
    if (!(track->to - track->from >= def->blend)) {
      return road_fail(def->label, error,
                       "track %d reaches from y = %g to %g, expected it to be at least as wide as "
                       "the blend %g",
                       i + 1, track->from, track->to, def->blend);
    }
    if (i > 0 && !(track->from >= def->tracks[i - 1].to)) {
      return road_fail(
          def->label, error,
          "track %d begins at y = %g inside track %d, which ends at %g; expected tracks "
          "from right to left without overlap",
          i + 1, track->from, i, def->tracks[i - 1].to);
    }
  }
  return ART_OK;
}


artStatus art_create_tracks_road(artRoad **road, const artTracksRoad *def, artError *error)
{
  ART_REQUIRE(road, error);
  *road = NULL;
  ART_REQUIRE(def, error);
  const artStatus status = check(def, error);
  if (status) return status;

  tracksRoad *all = road_create(sizeof *all, ROAD_OTHER, evaluate);
  if (!all) return base_no_memory(error);
  all->count = def->count;
  all->blend = def->blend;
  all->ground = def->ground;
  all->tracks = arena_copy(&all->road.arena, def->tracks, (size_t) def->count, sizeof *all->tracks);
  if (!all->tracks) {
    art_free_road(&all->road);
    return base_no_memory(error);
  }
  road_sign(&all->road, "tracks", 1, &def->blend);
  for (int i = 0; i < def->count; i++) {
    const artRoadTrack *track = &def->tracks[i];
    road_sign(&all->road, "track", 2, (double[]){track->from, track->to});
    road_sign_part(&all->road, track->road);
  }
  road_sign_part(&all->road, def->ground);
  *road = &all->road;
  return ART_OK;
}
