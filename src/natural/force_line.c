// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Spring-dampers in natural coordinates: tension along the form that leads from point to point.
#include <string.h>

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


//---- tangent -------------------------------------------------------------------------------------

// derivatives of a component of the span by the coordinates of the patch
static void fill_gradient(const naturalSystem *s, const naturalPatch *patch, int component,
                          double *gradient)
{
  int k = 0;
  memset(gradient, 0, (size_t) patch->n * sizeof *gradient);
  for (int i = s->term_start[component]; i < s->term_start[component + 1]; i++) {
    // both lists ascend
    while (patch->q[k] != s->term[i].q) k++;
    gradient[k] = s->term[i].c;
  }
}


void natural_add_line_tangent(const naturalSystem *s, const naturalLine *line, double stiffness,
                              double damping, double *gradient, double *values)
{
  const naturalPatch *patch = natural_patch(s, line->patch);
  const int n = patch->n;
  for (int c = 0; c < 3; c++) fill_gradient(s, patch, 3 * line->span + c, gradient + c * n);

  // K = a d d^T + b (1 - d d^T), C = c d d^T on the span; along = (f_K (a - b) + f_C c) d, across = f_K b
  const double f = stiffness * (line->axial - line->transverse) + damping * line->damping;
  const double across = stiffness * line->transverse;
  const v3 d = line->direction;
  double *g = gradient, *w = gradient + 3 * n;
  for (int i = 0; i < n; i++) {
    const double along = f * (d.x * g[i] + d.y * g[n + i] + d.z * g[2 * n + i]);
    w[i] = across * g[i] + along * d.x;
    w[n + i] = across * g[n + i] + along * d.y;
    w[2 * n + i] = across * g[2 * n + i] + along * d.z;
  }
  const int *place = patch->place;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      values[*place++] += g[i] * w[j] + g[n + i] * w[n + j] + g[2 * n + i] * w[2 * n + j];
    }
  }
}
