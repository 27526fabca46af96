// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bushings: six displacements between two frames, the forces on them and their potential.
#include "force/bushing_work.h"

#include <math.h>
#include <string.h>


//---- place ---------------------------------------------------------------------------------------

static m3 axes_of(const modelFrame *frame, const treeData *t)
{
  return m3_mul_m3(frame->R, tree_in_ground(t, frame->link)->R);
}


static v3 omega_of(const modelFrame *frame, const treeData *t)
{
  return m3_back(tree_in_ground(t, frame->link)->R, tree_motion(t, frame->link)->ang);
}


// the rotation vector of R = A B^T, from  sin(a) n = 1/2 (R32 - R23, ..),  cos(a) = (trace R - 1)/2
static v3 rotation_vector(m3 A, m3 B, bushingPlace *place)
{
  const v3 twice = {v3_dot(A.z, B.y) - v3_dot(A.y, B.z), v3_dot(A.x, B.z) - v3_dot(A.z, B.x),
                    v3_dot(A.y, B.x) - v3_dot(A.x, B.y)};
  place->sine = 0.5 * sqrt(v3_dot(twice, twice));
  place->cosine = 0.5 * (v3_dot(A.x, B.x) + v3_dot(A.y, B.y) + v3_dot(A.z, B.z) - 1);
  const double s = place->sine, stretch = s > 0 ? atan2(s, place->cosine) / s : 1;
  return v3_scale(0.5 * stretch, twice);
}


// c = (1 - a/2 cot(a/2))/a^2, cot(a/2) = (1 + cos a)/sin a; by its series where that cancels
static double curve_of(const bushingPlace *place, v3 r)
{
  const double aa = v3_dot(r, r);
  if (aa < 1e-2) return 1. / 12 + aa * (1. / 720 + aa * (1. / 30240 + aa * (1. / 1209600)));
  return (1 - 0.5 * sqrt(aa) * (1 + place->cosine) / place->sine) / aa;
}


// r' = (1 - [r]/2 + c [r]^2) w
static v3 vector_rate(const bushingPlace *place, v3 r, v3 w)
{
  const v3 rw = v3_cross(r, w);
  return v3_add(v3_add(w, v3_scale(-0.5, rw)), v3_scale(place->curve, v3_cross(r, rw)));
}


static void store(double out[6], v3 first, v3 second)
{
  const double all[6] = {first.x, first.y, first.z, second.x, second.y, second.z};
  memcpy(out, all, sizeof all);
}


bushingPlace bushing_place(const artModel *m, const artData *d, const modelElement *e)
{
  const treeData *t = &d->work->tree;
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  bushingPlace place = {.axes = axes_of(a, t)};
  const m3 A = place.axes;
  const v3 span = v3_sub(tree_point(t, b->link, b->r), tree_point(t, a->link, a->r));
  const v3 r = rotation_vector(A, axes_of(b, t), &place);
  place.curve = curve_of(&place, r);
  store(place.x, m3_mul(A, span), r);

  // d' = v_b - v_a - w_a x d
  const v3 v = v3_sub(tree_point_velocity(t, b->link, b->r), tree_point_velocity(t, a->link, a->r));
  const v3 wa = omega_of(a, t), w = v3_sub(omega_of(b, t), wa);
  store(place.rate, m3_mul(A, v3_sub(v, v3_cross(wa, span))), vector_rate(&place, r, m3_mul(A, w)));
  return place;
}


v3 bushing_torque(const bushingPlace *place, v3 s)
{
  const v3 r = {place->x[3], place->x[4], place->x[5]}, rs = v3_cross(r, s);
  return v3_add(v3_add(s, v3_scale(0.5, rs)), v3_scale(place->curve, v3_cross(r, rs)));
}


//---- forces --------------------------------------------------------------------------------------

void bushing_give(const artModel *m, artData *d, const modelElement *e, const bushingPlace *place,
                  const double s[6])
{
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  const v3 force = m3_back(place->axes, (v3){s[0], s[1], s[2]});
  const v3 torque = m3_back(place->axes, bushing_torque(place, (v3){s[3], s[4], s[5]}));
  force_at_point(d, b->link, b->r, force);
  force_torque(d, b->link, torque);

  // at the same point, where `to` is
  const v3 arm = m3_back(a->R, (v3){place->x[0], place->x[1], place->x[2]});
  force_at_point(d, a->link, v3_add(a->r, arm), v3_neg(force));
  force_torque(d, a->link, v3_neg(torque));
}


// s -= A x + laws(x), of which *mode are the frozen segments; moves on to the next modes
static void resist(const double A[6][6], const forceLaw *const law[6], const double x[6],
                   const int **mode, double s[6])
{
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) s[i] -= A[i][j] * x[j];
    if (law[i]) s[i] -= law_value(law[i], force_segment(law[i], *(*mode)++, x[i]), x[i]);
  }
}


static artStatus check_place(const modelElement *e, const bushingPlace *place, double t,
                             artError *error)
{
  if (place->cosine < 0 && place->sine < 1e-12) {
    return base_fail(error, ART_SINGULAR, e->place,
                     "bushing '%s' is turned by half a turn at t = %.9g s, where its rotation "
                     "vector is not defined",
                     e->name, t);
  }
  for (int i = 0; i < 6; i++) {
    const forceLaw *law = e->bushing->spring[i];
    if (!law || law_is_defined(law, place->x[i])) continue;
    return base_fail(error, ART_SINGULAR, e->place,
                     "the air spring in bushing '%s' has no volume left at t = %.9g s", e->name, t);
  }
  return ART_OK;
}


artStatus bushing_apply(const artModel *m, artData *d, const modelElement *e, const int *mode,
                        int parts, double *value, artError *error)
{
  const forceBushing *bushing = e->bushing;
  const bushingPlace place = bushing_place(m, d, e);
  const artStatus status = check_place(e, &place, d->time, error);
  if (status != ART_OK) return status;
  double elastic[6], other[6] = {0}, s[6];
  memcpy(elastic, bushing->preload, sizeof elastic);
  resist(bushing->stiffness, bushing->spring, place.x, &mode, elastic);
  resist(bushing->damping, bushing->damper, place.rate, &mode, other);
  for (int i = 0; i < 6; i++) {
    s[i] = (parts & FORCE_ELASTIC ? elastic[i] : 0) + (parts & FORCE_RESISTING ? other[i] : 0);
    if (parts & FORCE_RESISTING) d->work->power += other[i] * place.rate[i];
  }
  bushing_give(m, d, e, &place, s);
  store(value, (v3){s[0], s[1], s[2]}, bushing_torque(&place, (v3){s[3], s[4], s[5]}));
  return ART_OK;
}


double bushing_potential(const artModel *m, const artData *d, const modelElement *e,
                         const int *mode)
{
  const forceBushing *bushing = e->bushing;
  const bushingPlace place = bushing_place(m, d, e);
  const double *x = place.x;
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    double row = 0;
    for (int j = 0; j < 6; j++) row += bushing->stiffness[i][j] * x[j];
    sum += x[i] * (0.5 * row - bushing->preload[i]);
    const forceLaw *law = bushing->spring[i];
    if (law) sum += law_integral(law, force_segment(law, *mode++, x[i]), x[i]);
  }
  return sum;
}
