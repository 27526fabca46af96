// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Angles on which places depend that formulas, stops and laws look at. A shaft that turns evenly needs no steps of its own; a point
// on it does, or it comes around unseen.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "force/port_forces.h"
#include "model/signal.h"
#include "study/run/run.h"

// rad: no such angle changes by more in a step; profiles have narrow slots and teeth
static const double PLACE_TURN = 1, PROFILE_TURN = 0.1;

// marks of run->turns
enum { TURNS_PLACE = 1, TURNS_PROFILE = 2 };


static int turns_about_axis(const artModel *m, int velocity)
{
  const linkKind kind = m->tree.link[m->tree.dof_link[velocity]].kind;
  return kind == LINK_REVOLUTE || kind == LINK_SCREW;
}


// the coordinates between a link and ground that turn about an axis: `sides` is added to their marks
static void mark_angles(const artModel *m, int link, unsigned char *mark, unsigned char side)
{
  while (link > 0 && m->tree.link[link].nv == 0) link = m->tree.link[link].parent;
  if (link == 0) return;
  const treeLink *last = &m->tree.link[link];
  for (int k = last->v0 + last->nv - 1; k >= 0; k = m->tree.dof_parent[k]) {
    if (turns_about_axis(m, k)) mark[k] |= side;
  }
}


// those between two frames, which their distance and relative rotation depend on
static void mark_angles_between(const artRun *run, int from, int to, unsigned char mark,
                                unsigned char *scratch)
{
  const artModel *m = run->m;
  memset(scratch, 0, (size_t) m->tree.nv);
  mark_angles(m, m->frame[from].link, scratch, 1);
  mark_angles(m, m->frame[to].link, scratch, 2);
  for (int k = 0; k < m->tree.nv; k++) {
    if (scratch[k] == 1 || scratch[k] == 2) run->turns[k] |= mark;
  }
}


static int is_of_frame(quantityKind kind)
{
  switch (kind) {
  case QUANTITY_POINT:
  case QUANTITY_POINT_VELOCITY:
  case QUANTITY_AXIS:
  case QUANTITY_ROTATION:
  case QUANTITY_OMEGA:
  case QUANTITY_ATTITUDE:
  case QUANTITY_TURN:
  case QUANTITY_COURSE: return 1;
  default: return 0;
  }
}


int run_find_turns(artRun *run)
{
  const artModel *m = run->m;
  int found = 0;
  unsigned char *scratch;
  if (!ARENA_TAKE(&run->arena, run->turns, (size_t) m->tree.nv + 1) ||
      !ARENA_TAKE(&run->arena, scratch, (size_t) m->tree.nv + 1))
    return -1;
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *quantity = &m->quantity[i];
    const int acts = (quantity->readers & (READ_BY_FORCES | READ_BY_LATCHES)) != 0;
    if (acts && is_of_frame(quantity->kind))
      mark_angles(m, m->frame[quantity->index].link, run->turns, TURNS_PLACE);
  }
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    const int acts = e->nframe == 2 && e->nswitch > 0 && !e->formula[0] && !e->tyre;
    const elementPhysics *physics = port_physics(e);
    const int touches = physics && physics->port == PORT_CONTACT;
    const int has_profile = touches && (e->contact->side[0].profile || e->contact->side[1].profile);
    if (acts || touches)
      mark_angles_between(run, e->frame[0], e->frame[1], has_profile ? TURNS_PROFILE : TURNS_PLACE,
                          scratch);
  }
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    if (latch->type != ART_LOCK)
      mark_angles_between(run, latch->frame[0], latch->frame[1], TURNS_PLACE, scratch);
  }
  for (int k = 0; k < m->tree.nv; k++) {
    found += run->turns[k] != 0;
    run->has_driven_turns |= run->turns[k] && run->rotation[k] < 0;
  }
  return found;
}


double run_longest_turn(artRun *run, const double *y)
{
  double fastest = 0;
  if (run->has_driven_turns) run_put(run, step_time(run->stepper), y);
  for (int k = 0; k < run->m->tree.nv; k++) {
    if (!run->turns[k]) continue;
    const int at = run->rotation[k];
    const double most = run->turns[k] & TURNS_PROFILE ? PROFILE_TURN : PLACE_TURN;
    const double speed = at >= 0 ? fabs(y[at]) * run->units[at] : fabs(run->d->v[k]);
    fastest = max_nan(fastest, speed / most);
  }
  return 1 / fastest;
}
