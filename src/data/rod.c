// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Energy, momentum and end forces of rods with mass.
#include "data/rod.h"

#include <string.h>

static v3 end_place(const artData *d, const cutSide *side)
{
  return tree_point(&d->work->tree, side->link, side->r);
}


static v3 end_velocity(const artData *d, const cutSide *side)
{
  return tree_point_velocity(&d->work->tree, side->link, side->r);
}


// less gravity
static v3 end_acceleration(const artData *d, const cutSide *side)
{
  const treeData *t = &d->work->tree;
  const treeBody *body = tree_body(t, side->link);
  const v3 around = v3_cross(body->omega, v3_cross(body->omega, side->r));
  const v3 turning = v3_add(v3_cross(body->acc.ang, side->r), around);
  return m3_back(tree_in_ground(t, side->link)->R, v3_add(body->acc.lin, turning));
}


v3 rod_places(const artModel *m, const artData *d, int rod)
{
  const cutSide *side = m->cut[m->rod[rod]].side;
  return v3_add(end_place(d, &side[0]), end_place(d, &side[1]));
}


v3 rod_velocities(const artModel *m, const artData *d, int rod)
{
  const cutSide *side = m->cut[m->rod[rod]].side;
  return v3_add(end_velocity(d, &side[0]), end_velocity(d, &side[1]));
}


v3 rod_accelerations(const artModel *m, const artData *d, int rod)
{
  const cutSide *side = m->cut[m->rod[rod]].side;
  return v3_add(end_acceleration(d, &side[0]), end_acceleration(d, &side[1]));
}


double rod_kinetic(const artModel *m, const artData *d)
{
  double sum = 0;
  for (int i = 0; i < m->nrod; i++) {
    // m/12 |v_j + v_k|^2
    const v3 s = rod_velocities(m, d, i);
    sum += m->cut[m->rod[i]].mass / 12 * v3_dot(s, s);
  }
  return sum;
}


double rod_potential(const artModel *m, const artData *d)
{
  double sum = 0;
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    for (int k = 0; k < 2; k++) {
      // -m/2 g.r, of which links have a third; ground has no mass
      const double part = cut->side[k].link > 0 ? cut->mass / 3 : cut->mass / 2;
      sum -= part * v3_dot(m->tree.gravity, end_place(d, &cut->side[k]));
    }
  }
  return sum;
}


wrench rod_momentum(const artModel *m, const artData *d)
{
  const v3 zero = {0, 0, 0};
  wrench sum = {zero, zero};
  for (int i = 0; i < m->nrod; i++) {
    // P = m/3 (v_j + v_k),  L = m/6 (r_j + r_k) x (v_j + v_k)
    const double mass = m->cut[m->rod[i]].mass;
    const v3 v = rod_velocities(m, d, i), r = rod_places(m, d, i);
    const wrench own = {v3_scale(mass / 6, v3_cross(r, v)), v3_scale(mass / 3, v)};
    sum = wr_add(sum, own);
  }
  return sum;
}


double rod_tension(const artData *d, const modelCut *cut)
{
  const double thrust = d->work->multiplier[cut->row0];
  if (cut->mass == 0) return -thrust;

  // the end loads take m/6 a_j + m/3 a_k; half the bar beyond its middle takes m/8 a_j + 3m/8 a_k,
  // which is m/24 (a_k - a_j) more, and along the bar that is m/24 |v_k - v_j|^2 / l inwards
  const v3 rate = v3_sub(end_velocity(d, &cut->side[1]), end_velocity(d, &cut->side[0]));
  return cut->mass / 24 * v3_dot(rate, rate) / cut->length - thrust;
}


// how the ends of a bar are placed or move, of that many derivatives
static void bar_ends(const artModel *m, const artData *d, const modelBar *bar, int order, v3 end[2])
{
  const cutSide *side = m->cut[bar->cut].side;
  for (int k = 0; k < 2; k++) {
    end[k] = order == 0   ? end_place(d, &side[k])
             : order == 1 ? end_velocity(d, &side[k])
                          : v3_add(end_acceleration(d, &side[k]), m->tree.gravity);
  }
}


// the point at s, or d x d' / l^2 and d x d'' / l^2
static v3 bar_vector(const artModel *m, const artData *d, const modelBarPoint *point, int group)
{
  const modelBar *bar = &m->bar[point->bar];
  v3 end[2], rate[2];
  bar_ends(m, d, bar, group < 3 ? group : 0, end);
  if (group < 3) return v3_add(v3_scale(1 - point->s, end[0]), v3_scale(point->s, end[1]));
  bar_ends(m, d, bar, group - 2, rate);
  const v3 span = v3_sub(end[1], end[0]);
  return v3_scale(1 / v3_dot(span, span), v3_cross(span, v3_sub(rate[1], rate[0])));
}


double rod_bar_value(const artModel *m, const artData *d, const modelBarPoint *point, int component)
{
  const v3 a = bar_vector(m, d, point, component / 3);
  return component % 3 == 0 ? a.x : component % 3 == 1 ? a.y : a.z;
}


int rod_bar_reaction(const artModel *m, const artData *d, const char *joint, v3 *force)
{
  for (int i = 0; i < m->nbar; i++) {
    const modelBar *bar = &m->bar[i];
    for (int k = 0; k < 2; k++) {
      if (strcmp(bar->joint[k], joint) != 0) continue;
      const v3 f = k ? d->work->cut_force[bar->cut].lin : d->work->from_force[bar->cut];
      *force = bar->leads[k] ? v3_neg(f) : f;
      return 1;
    }
  }
  return 0;
}


void rod_end_forces(const artModel *m, artData *d)
{
  artWork *w = d->work;
  for (int i = 0; i < m->nrod; i++) {
    const int c = m->rod[i];
    const modelCut *cut = &m->cut[c];

    // f_j = -lambda u + p - m/6 a_j,  f_k = lambda u + p - m/6 a_k
    const v3 a_j = end_acceleration(d, &cut->side[0]), a_k = end_acceleration(d, &cut->side[1]);
    const v3 span = v3_sub(end_place(d, &cut->side[1]), end_place(d, &cut->side[0]));
    const v3 thrust = v3_scale(w->multiplier[cut->row0] / cut->length, span), p = w->rod_force[i];
    w->from_force[c] = v3_sub(v3_sub(p, thrust), v3_scale(cut->mass / 6, a_j));
    w->cut_force[c].lin = v3_sub(v3_add(p, thrust), v3_scale(cut->mass / 6, a_k));
  }
}
