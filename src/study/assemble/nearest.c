// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The nearest of all positions where the loops are closed. The distance from the start q_0 is
//   |t|,  t_k = change of coordinate k / u_k,  u_k = 1 rad, or the machine's length for displacements,
// over the coordinates that may move; rotations of ball and free joints count by their angle.
//
// From one closed position the search slides along the loops,  J t = 0,  as long as it comes nearer. A
// nearer one on another branch lies in the ball about q_0 of which the best so far is on the surface: loops
// are closed again from places scattered in it, the same ones every time.
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "study/assemble/assemble.h"

enum { MAX_SLIDES = 60, MAX_HALVES = 6, STARTS = 40, MAX_ITERATIONS = 40, SMALL = 48 };

static const double WORTH_SLIDING = 1e-4; // below these distances what was found is the nearest but
static const double WORTH_STARTS = 0.02;  // for terms of higher order, and alone
static const double AT_FOOT = 1e-8;       // of the distance: what is left of t along the loops
static const double FLAT = 1e-12;  // of the distance: less is the rounding of loops that are closed
static const double WIDEST = 4;    // where nothing is known yet, or nothing near
static const double NEARER = 1e-6; // relative, of distances that are not the same


//---- distance ------------------------------------------------------------------------------------

// t[nv], the displacement that leads from q to the start
static void way_back(const assembleWork *w, const double *q, double *t)
{
  for (int i = 1; i < w->m->tree.n; i++) {
    const treeLink *link = &w->m->tree.link[i];
    const int turns = link_turns(link), straight = link_straight(link);
    const double *a = q + link->q0, *b = w->start + link->q0;
    for (int k = 0; k < straight; k++) t[link->v0 + k] = b[k] - a[k];
    if (turns) turn_between(a + straight, b + straight, t + link->v0 + straight);
  }
}


// |t| by the scales of the columns, over those that may move
static double scaled_way_length(const assembleWork *w, const double *t)
{
  double sum = 0;
  for (int k = 0; k < w->m->tree.nv; k++) {
    const double unit = w->least.column[k];
    if (unit > 0) sum += t[k] / unit * (t[k] / unit);
  }
  return sqrt(sum);
}


static double distance_from_start(assembleWork *w, const double *q)
{
  way_back(w, q, w->step);
  return scaled_way_length(w, w->step);
}


//---- along the loops -----------------------------------------------------------------------------

// a step from w->foot along w->back, as long as it brings the machine nearer or, but for rounding, no farther;
// the distance after it, HUGE_VAL when none does
static double step_nearer(assembleWork *w, double reached, int *iterations)
{
  const int nv = w->m->tree.nv;
  double factor = fmin(1, ASSEMBLE_LONGEST_STEP / scaled_way_length(w, w->back));
  for (int i = 0; i < MAX_HALVES; i++, factor /= 2) {
    for (int k = 0; k < nv; k++) w->step[k] = factor * w->back[k];
    memcpy(w->trial, w->foot, (size_t) w->m->tree.nq * sizeof *w->trial);
    art_move(w->m, w->trial, w->step);
    if (!assemble_close_from(w, w->trial, MAX_ITERATIONS, iterations)) continue;
    const double now = distance_from_start(w, w->q);
    if (now < reached * (1 + FLAT)) return now;
  }
  return HUGE_VAL;
}


// From the closed position w->q to the foot of the perpendicular; w->foot and its distance. Next to it distances
// tell no positions apart: there a step counts that makes less of the way that is left.
static double slide_to_foot(assembleWork *w, int *iterations)
{
  const size_t bytes = (size_t) w->m->tree.nq * sizeof *w->q;

  // whole turns that loops do not notice are taken back, joint by joint
  const double full = 2 * acos(-1.0);
  for (int i = 1; i < w->m->tree.n; i++) {
    const treeLink *link = &w->m->tree.link[i];
    const double turns = round((w->start[link->q0] - w->q[link->q0]) / full);
    if (link->kind != LINK_REVOLUTE || !(w->least.column[link->v0] > 0) || turns == 0) continue;
    memcpy(w->trial, w->q, (size_t) w->m->tree.nq * sizeof *w->trial);
    w->trial[link->q0] += turns * full;
    if (assemble_go_to(w, w->trial, NULL) == ART_OK && assemble_is_closed(w)) continue;
    w->trial[link->q0] -= turns * full;
    assemble_go_to(w, w->trial, NULL);
  }

  double reached = distance_from_start(w, w->q), now = reached, left = HUGE_VAL;
  memcpy(w->foot, w->q, bytes);
  for (int i = 0; i < MAX_SLIDES && now < HUGE_VAL; i++) {
    // w->back = (1 - J^+ J) t at w->q: the way back as far as the loops allow it
    way_back(w, w->q, w->back);
    for (int k = 0; k < w->m->tree.nv; k++) w->back[k] = w->least.column[k] > 0 ? w->back[k] : 0;
    if (assemble_project(w, w->back) != ART_OK) break;
    const double way = scaled_way_length(w, w->back);
    if (!(way < left) && !(now < reached * (1 - FLAT))) break;
    reached = now;
    left = way;
    memcpy(w->foot, w->q, bytes);
    if (reached <= WORTH_SLIDING || left <= AT_FOOT * reached) break;
    now = step_nearer(w, reached, iterations);
  }
  return reached;
}


//---- other branches ------------------------------------------------------------------------------

// closed positions nearer than `reached` from places around the start; the nearest in w->nearest
static double look_around_start(assembleWork *w, double reached, int *iterations)
{
  unsigned seed = 5;
  for (int i = 1; i <= STARTS; i++) {
    const double widest = fmin(reached, WIDEST);
    // a place at this distance from the start, in w->trial
    const double radius = widest * (0.2 + 0.8 * i / STARTS);
    double *t = w->step;
    for (int k = 0; k < w->m->tree.nv; k++) t[k] = base_scatter(&seed) * w->least.column[k];
    const double size = scaled_way_length(w, t);
    for (int k = 0; k < w->m->tree.nv; k++) t[k] *= size > 0 ? radius / size : 0;
    memcpy(w->trial, w->start, (size_t) w->m->tree.nq * sizeof *w->trial);
    art_move(w->m, w->trial, t);
    if (!assemble_close_from(w, w->trial, MAX_ITERATIONS, iterations)) continue;
    const double now = slide_to_foot(w, iterations);
    if (!(now < reached * (1 - NEARER))) continue;
    reached = now;
    memcpy(w->nearest, w->foot, (size_t) w->m->tree.nq * sizeof *w->nearest);
  }
  return reached;
}


artStatus assemble_nearest(assembleWork *w, int is_closed, int *iterations, artError *error)
{
  const size_t bytes = (size_t) w->m->tree.nq * sizeof *w->q;
  double reached = HUGE_VAL;
  memcpy(w->nearest, w->q, bytes);
  if (is_closed) {
    reached = slide_to_foot(w, iterations);
    memcpy(w->nearest, w->foot, bytes);
  }
  if (w->m->tree.nv <= SMALL && reached > WORTH_STARTS) look_around_start(w, reached, iterations);
  return assemble_go_to(w, w->nearest, error);
}
