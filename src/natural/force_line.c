// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Spring-dampers in natural coordinates: tension along the form that leads from point to point.
#include "force/force.h"
#include "natural/force_parts.h"


static forceLine line_at(const naturalSystem *s, const naturalLine *line, v3 span, const double *v)
{
  forceLine at = {.length = sqrt(v3_dot(span, span))};
  if (at.length > 0) at.direction = v3_scale(1 / at.length, span);
  at.rate = v3_dot(at.direction, natural_form_rate(s, line->span, v));
  return at;
}


// what the tangent takes: the line gets longer, and it turns; how turning changes the rate is left out
static void keep_slopes(naturalLine *line, const forceLine *at, double tension)
{
  line->direction = at->direction;
  line->axial = law_stiffness(line->e->spring, at->length - line->e->rest);
  line->transverse = at->length > 0 ? fmax(tension / at->length, 0) : line->axial;
  line->damping = law_stiffness(line->e->damper, at->rate);
}


void natural_apply_line(const naturalSystem *s, naturalLine *line, const double *q, const double *v,
                        naturalEffect *out)
{
  const modelElement *e = line->e;
  const forceLine at = line_at(s, line, natural_form_at(s, line->span, q), v);
  const double x = at.length - e->rest;
  const double spring = law_at(e->spring, x), damper = law_at(e->damper, at.rate);

  // tension works against the span
  natural_pull(s, line->span, v3_scale(-(spring + damper), at.direction), out->Q);
  if (e->spring) out->potential += law_integral(e->spring, law_segment(e->spring, x), x);
  out->power -= damper * at.rate;
  keep_slopes(line, &at, spring + damper);
}


void natural_apply_line_between(const naturalSystem *s, naturalLine *line, const double *q0,
                                const double *q1, const double *v, naturalEffect *out)
{
  const modelElement *e = line->e;
  const v3 d0 = natural_form_at(s, line->span, q0), d1 = natural_form_at(s, line->span, q1);
  const v3 middle = v3_scale(0.5, v3_add(d0, d1));
  const double l0 = sqrt(v3_dot(d0, d0)), l1 = sqrt(v3_dot(d1, d1));
  const forceLine at = line_at(s, line, middle, v);

  // 2 (V1 - V0) / (d1.d1 - d0.d0) = 2 F / (l0 + l1),   F = (V1 - V0) / (l1 - l0)
  const double spring = e->spring ? law_mean(e->spring, l0 - e->rest, l1 - e->rest) : 0;
  const double damper = law_at(e->damper, at.rate);
  const double by_length = l0 + l1 > 0 ? 2 * spring / (l0 + l1) : 0;
  natural_pull(s, line->span, v3_scale(-by_length, middle), out->Q);
  natural_pull(s, line->span, v3_scale(-damper, at.direction), out->Q);
  out->power -= damper * at.rate;
  keep_slopes(line, &at, spring + damper);
}


s3 natural_line_tangent(const naturalLine *line, double stiffness, double damping)
{
  // K = a d d^T + b (1 - d d^T),  C = c d d^T
  const double b = stiffness * line->transverse;
  const double along = stiffness * line->axial + damping * line->damping - b;
  const v3 d = line->direction, f = v3_scale(along, d);
  return (s3){b + f.x * d.x, b + f.y * d.y, b + f.z * d.z, f.x * d.y, f.x * d.z, f.y * d.z};
}
