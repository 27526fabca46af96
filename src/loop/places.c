// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which position or orientation each velocity coordinate changes.
#include "loop/places.h"

#include <string.h>

// tolerance for points on a line through a ball joint, relative to their distance
#define ALIGNMENT_TOLERANCE 1e-12


static int is_velocity_of_side(const cutSide *side, int velocity)
{
  for (int i = 0; i < side->n; i++) {
    if (side->dof[i] == velocity) return 1;
  }
  return 0;
}


// Find the direction about which a link on a ball joint can spin without changing any row:
// everything attached to the link is an end of a rod or the centre of a ball joint, and all these
// points lie on one line through its origin. s = 0: none.
static void find_spin(const artModel *m, int link, int velocity, double s[3])
{
  v3 along = {0, 0, 0};
  memset(s, 0, 3 * sizeof *s);
  for (int i = 0; i < 2 * m->ncut; i++) {
    const modelCut *cut = &m->cut[i / 2];
    const cutSide *side = &cut->side[i % 2];
    if (!is_velocity_of_side(side, velocity)) continue;
    if (side->link != link || (!joint_is_ball(cut->type) && !joint_is_rod(cut->type))) return;
    const double size = v3_dot(side->r, side->r), known = v3_dot(along, along);
    const v3 aside = v3_cross(along, side->r);
    if (v3_dot(aside, aside) > ALIGNMENT_TOLERANCE * ALIGNMENT_TOLERANCE * size * known) return;
    if (size > known) along = side->r;
  }
  s[0] = along.x, s[1] = along.y, s[2] = along.z;
}


static void add_turn(loopPlaces *places, const artModel *m, int link, int straight)
{
  ART_ASSERT(places->turn_count < m->tree.nv / 3 + 1);
  loopTurn *turn = &places->turn[places->turn_count++];
  double s[3];
  turn->q = m->tree.link[link].q0 + straight;
  turn->v = m->tree.link[link].v0 + straight;
  find_spin(m, link, turn->v, s);
  turn_set_axes(turn, s);
  if (turn->idle >= 0) places->is_idle[turn->v + turn->idle] = true;
}


int places_start(loopPlaces *places, const artModel *m, baseArena *arena)
{
  const size_t nv = (size_t) m->tree.nv;
  *places = (loopPlaces){.turn_count = 0};
  if (!ARENA_TAKE(arena, places->place, nv) || !ARENA_TAKE(arena, places->turn_of, nv) ||
      !ARENA_TAKE(arena, places->is_idle, nv) || !ARENA_TAKE(arena, places->turn, nv / 3 + 1))
    return 0;
  places_find(places, m);
  return 1;
}


void places_find(loopPlaces *places, const artModel *m)
{
  places->turn_count = 0;
  memset(places->is_idle, 0, (size_t) m->tree.nv * sizeof *places->is_idle);
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int straight = link_straight(link);
    for (int k = 0; k < link->nv; k++) {
      places->place[link->v0 + k] = k < straight ? link->q0 + k : -1;
      places->turn_of[link->v0 + k] = k < straight ? -1 : places->turn_count;
    }
    if (link_turns(link)) add_turn(places, m, i, straight);
  }
}
