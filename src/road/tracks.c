// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tracks side by side, each with its own road.

#include "base/arithmetic.h"
#include "road/heights.h"


static artStatus check_tracks_road(const artTracksRoad *def, artError *error)
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
  ARITHMETIC_GUARD;
  ROAD_BEGIN(road, def, error);
  artStatus status = check_tracks_road(def, error);
  if (status == ART_OK) status = road_check_part(def->label, def->ground, error);
  for (int i = 0; i < def->count && status == ART_OK; i++) {
    status = road_check_part(def->label, def->tracks[i].road, error);
  }
  if (status) return status;

  tracksRoad *all = road_create(sizeof *all, ROAD_TRACKS, tracks_height);
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
