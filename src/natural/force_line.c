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
static void keep_slopes(naturalLine *line, const forceLine *at, naturalSegments in, double tension)
{
  line->direction = at->direction;
  const modelElement *e = line->e;
  line->axial = law_stiffness(e->spring, in.spring, at->length - e->rest);
  line->transverse = at->length > 0 ? fmax(tension / at->length, 0) : line->axial;
  line->damping = law_stiffness(e->damper, in.damper, at->rate);
  if (!model_has_stop(e)) return;
  line->axial += fmax(-stop_force_x(&e->stop, in.stop, at->length, at->rate), 0);
  line->damping += fmax(-stop_force_v(&e->stop, in.stop, at->length, at->rate), 0);
}


// tension without potential: of the damper, and what a stop's damping adds to its spring
static double resistance_at(const modelElement *e, const forceLine *at, naturalSegments in)
{
  const double damper = law_at(e->damper, in.damper, at->rate);
  if (!model_has_stop(e)) return damper;
  return damper + stop_spring_force(&e->stop, in.stop, at->length) -
         stop_force(&e->stop, in.stop, at->length, at->rate);
}


artStatus natural_apply_line(const naturalSystem *s, naturalLine *line, double t, const double *q,
                             const double *v, naturalEffect *out, artError *error)
{
  const modelElement *e = line->e;
  const forceLine at = line_at(s, line, natural_form_at(s, line->span, q), v);
  const double x = at.length - e->rest;
  const artStatus status = force_check_spring(e, x, t, error);
  if (status != ART_OK) return status;
  const naturalSegments in = natural_segments(line->work, e, at.length, at.rate);
  double spring = law_at(e->spring, in.spring, x);
  if (model_has_stop(e)) {
    spring -= stop_spring_force(&e->stop, in.stop, at.length);
    out->potential += stop_potential(&e->stop, in.stop, at.length);
  }
  const double resistance = resistance_at(e, &at, in);

  // tension works against the span
  natural_pull(s, line->span, v3_scale(-(spring + resistance), at.direction), out->Q);
  if (e->spring) out->potential += law_integral(e->spring, in.spring, x);
  out->power -= resistance * at.rate;
  keep_slopes(line, &at, in, spring + resistance);
  return ART_OK;
}


artStatus natural_apply_line_between(const naturalSystem *s, naturalLine *line, double t,
                                     const double *q0, const double *q1, const double *v,
                                     naturalEffect *out, artError *error)
{
  const modelElement *e = line->e;
  const v3 d0 = natural_form_at(s, line->span, q0), d1 = natural_form_at(s, line->span, q1);
  const v3 middle = v3_scale(0.5, v3_add(d0, d1));
  const double l0 = sqrt(v3_dot(d0, d0)), l1 = sqrt(v3_dot(d1, d1));
  const forceLine at = line_at(s, line, middle, v);

  // 2 (V1 - V0) / (d1.d1 - d0.d0) = 2 F / (l0 + l1),   F = (V1 - V0) / (l1 - l0)
  artStatus status = force_check_spring(e, fmin(l0, l1) - e->rest, t, error);
  if (status == ART_OK) status = force_check_spring(e, fmax(l0, l1) - e->rest, t, error);
  if (status != ART_OK) return status;
  const naturalSegments in = natural_segments(line->work, e, at.length, at.rate);
  double spring = natural_mean_law(line->work, e->spring, in.spring, l0 - e->rest, l1 - e->rest);
  if (model_has_stop(e)) spring -= natural_mean_stop(line->work, &e->stop, in.stop, l0, l1);
  const double resistance = resistance_at(e, &at, in);
  const double by_length = l0 + l1 > 0 ? 2 * spring / (l0 + l1) : 0;
  natural_pull(s, line->span, v3_scale(-by_length, middle), out->Q);
  natural_pull(s, line->span, v3_scale(-resistance, at.direction), out->Q);
  out->power -= resistance * at.rate;
  keep_slopes(line, &at, in, spring + resistance);
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
