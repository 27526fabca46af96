// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elements along one displacement in natural coordinates: springs and dampers along the form that leads from point to point,
// springs, stops and friction along a joint's angle or distance or a combination of several.
#include "element/derivative.h"
#include "natural/force_parts.h"

// What an element does along its displacement, and what the tangent takes of it.
typedef struct alongForce {
  double elastic, resisting;
  double potential;
  double stiffness, damping;
} alongForce;


// at x and its rate v; elastic forces are means between the ends of a step where they are given
static artStatus act(const artWork *w, const modelElement *e, double t, double x, double v,
                     const double *begin, const double *end, alongForce *out, artError *error)
{
  const elementPhysics *physics = port_physics(e);
  artStatus status = force_check_spring(e, (begin ? *begin : x) - e->rest, t, error);
  if (status == ART_OK && end) status = force_check_spring(e, *end - e->rest, t, error);
  if (status != ART_OK) return status;

  const int *mode = w->is_frozen ? w->mode + e->mode0 : NULL;
  portMotion in = {.from = {mode, begin, end}, .x = {x}, .v = {v}};
  portForce force;
  double by_x, by_v;
  physics->act(e, &in, &force);
  element_slope_by_displacement(e, mode, 1, &x, &v, 0, &by_x);
  element_slope_by_rate(e, mode, 1, &x, &v, 0, &by_v);
  *out = (alongForce){.elastic = force.elastic[0],
                      .resisting = force.resisting[0],
                      .stiffness = fmax(-by_x, 0),
                      .damping = fmax(-by_v, 0)};
  if (physics->potential && !begin) out->potential = physics->potential(e, &in);
  return ART_OK;
}


//---- lines ---------------------------------------------------------------------------------------

// what the tangent takes: the line gets longer, and it turns; how turning changes the rate is left out
static void keep_slopes(naturalLine *line, const portLine *at, const alongForce *force)
{
  const double tension = -(force->elastic + force->resisting);
  line->direction = at->direction;
  line->axial = force->stiffness;
  line->transverse = at->length > 0 ? fmax(tension / at->length, 0) : line->axial;
  line->damping = force->damping;
}


artStatus natural_apply_line(const naturalSystem *s, naturalLine *line, double t, const double *q,
                             const double *v, naturalEffect *out, artError *error)
{
  const portLine at =
      port_line(natural_form_at(s, line->span, q), natural_form_rate(s, line->span, v));
  alongForce force;
  const artStatus status =
      act(line->work, line->e, t, at.length, at.rate, NULL, NULL, &force, error);
  if (status != ART_OK) return status;
  natural_pull(s, line->span, v3_scale(force.elastic + force.resisting, at.direction), out->Q);
  out->potential += force.potential;
  out->power += force.resisting * at.rate;
  keep_slopes(line, &at, &force);
  return ART_OK;
}


artStatus natural_apply_line_between(const naturalSystem *s, naturalLine *line, double t,
                                     const double *q0, const double *q1, const double *v,
                                     naturalEffect *out, artError *error)
{
  const v3 d0 = natural_form_at(s, line->span, q0), d1 = natural_form_at(s, line->span, q1);
  const v3 middle = v3_scale(0.5, v3_add(d0, d1));
  const double l0 = sqrt(v3_dot(d0, d0)), l1 = sqrt(v3_dot(d1, d1));
  const portLine at = port_line(middle, natural_form_rate(s, line->span, v));
  alongForce force;
  const artStatus status = act(line->work, line->e, t, at.length, at.rate, &l0, &l1, &force, error);
  if (status != ART_OK) return status;

  // 2 (V1 - V0) / (d1.d1 - d0.d0) = 2 F / (l0 + l1),   F = (V1 - V0) / (l1 - l0)
  const double by_length = l0 + l1 > 0 ? 2 * force.elastic / (l0 + l1) : 0;
  natural_pull(s, line->span, v3_scale(by_length, middle), out->Q);
  natural_pull(s, line->span, v3_scale(force.resisting, at.direction), out->Q);
  out->power += force.resisting * at.rate;
  keep_slopes(line, &at, &force);
  return ART_OK;
}


s3 natural_line_tangent(const naturalLine *line, double stiffness, double damping)
{
  // K = a d d^T + b (1 - d d^T),  C = c d d^T
  const double b = stiffness * line->transverse;
  const double along = stiffness * line->axial + damping * line->damping - b;
  const v3 d = line->direction, f = v3_scale(along, d);
  return (s3){b + f.x * d.x, b + f.y * d.y, b + f.z * d.z, f.x * d.y, f.x * d.z, f.y * d.z};
}


//---- joint coordinates ---------------------------------------------------------------------------

static double combine(const naturalAxis *axis, const double *q)
{
  double x = 0;
  for (int i = 0; i < axis->n; i++) x += axis->term[i].c * q[axis->term[i].s];
  return x;
}


// x and its rate; x0 and x1 at the ends of a step, or NULL
static artStatus apply_axis(naturalAxis *axis, double t, double x, double rate, const double *x0,
                            const double *x1, naturalEffect *out, artError *error)
{
  alongForce force;
  const artStatus status = act(axis->work, axis->e, t, x, rate, x0, x1, &force, error);
  if (status != ART_OK) return status;
  for (int i = 0; i < axis->n; i++) {
    out->Q[axis->term[i].s] += axis->term[i].c * (force.elastic + force.resisting);
  }
  out->power += force.resisting * rate;
  out->potential += force.potential;
  axis->stiffness = force.stiffness;
  axis->damping = force.damping;
  return ART_OK;
}


artStatus natural_apply_axis(naturalAxis *axis, double t, const double *q, const double *v,
                             naturalEffect *out, artError *error)
{
  return apply_axis(axis, t, combine(axis, q), combine(axis, v), NULL, NULL, out, error);
}


artStatus natural_apply_axis_between(naturalAxis *axis, double t, const double *q0,
                                     const double *q1, const double *v, naturalEffect *out,
                                     artError *error)
{
  const double x0 = combine(axis, q0), x1 = combine(axis, q1);
  return apply_axis(axis, t, 0.5 * (x0 + x1), combine(axis, v), &x0, &x1, out, error);
}


void natural_add_axis_tangent(const naturalAxis *axis, const naturalPatch *patch, double A,
                              double *values)
{
  const int *place = patch->place;
  for (int i = 0; i < axis->n; i++) {
    for (int j = 0; j <= i; j++) values[*place++] += A * axis->term[i].c * axis->term[j].c;
  }
}
