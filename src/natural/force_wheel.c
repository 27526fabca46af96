// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What the tangent knows of tyres. The point of the wheel that touches the road is pressed along the
// normal by its place and its speed, and dragged along the road by its speed, which is the slip velocity:
//   -dF = K n n^T dx + (D n n^T + Cx f f^T + Cy l l^T) dv
#include <math.h>
#include <string.h>

#include "force/tyre.h"
#include "natural/force_parts.h"
#include "tyre/tyre.h"


int natural_add_wheel(naturalMachine *k, const modelElement *e)
{
  const naturalLink *link = &k->link[k->m->frame[e->frame[0]].link];
  naturalWheel wheel = {.e = e, .forms = {link->origin, link->x, link->y, link->z}};
  for (int i = 0; i < 4; i++) {
    if (wheel.forms[i] < 0) return 0;
  }
  wheel.patch = natural_add_patch(k->s, 4, wheel.forms, 0, NULL);
  k->elements->wheel[k->elements->nwheel++] = wheel;
  return 1;
}


// gradients of a point of the link that has the coordinates r in it
static void find_gradient(const naturalSystem *s, const naturalWheel *wheel,
                          const naturalPatch *patch, v3 r, double *gradient)
{
  const double weight[4] = {1, r.x, r.y, r.z};
  memset(gradient, 0, 3 * (size_t) patch->n * sizeof *gradient);
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < 4; i++) {
      natural_add_gradient(s, patch, 3 * wheel->forms[i] + c, weight[i], gradient + c * patch->n);
    }
  }
}


static s3 along(double factor, const double n[3])
{
  return (s3){factor * n[0] * n[0], factor * n[1] * n[1], factor * n[2] * n[2],
              factor * n[0] * n[1], factor * n[0] * n[2], factor * n[1] * n[2]};
}


// slips by slip velocities: 1/|Vx| where they are steady, less where states lag behind
static double slip_by_speed(const naturalMachine *k, const naturalWheel *wheel,
                            const artTyreAnswer *a, int axis)
{
  const artTyre *tyre = wheel->e->tyre;
  const double v = fabs(a->contact.Vx), slow = tyre->slow;
  if (wheel->e->nstate == 0) return 1 / (v > slow ? v : 0.5 * (slow + v * v / slow));
  double sigma[2];
  art_tyre_relaxation(tyre, &a->input, sigma);
  const double weight = k->d->work->state_weight;
  return weight / (sigma[axis] + weight * v);
}


// of a curve that bends: its slope, or half that of the line from the origin, whichever is steeper, so that
// a slide is no place without resistance
static double steepness(double slope, double force, double slip)
{
  const double secant = fabs(slip) > 1e-3 ? force / slip : 0;
  return fmax(fmax(slope, 0.5 * secant), 0);
}


void natural_add_wheel_tangent(const naturalMachine *k, const naturalWheel *wheel, double stiffness,
                               double damping, double *values)
{
  artTyreAnswer a;
  const artTyre *tyre = wheel->e->tyre;
  if (force_roll(k->m, k->d, wheel->e, &a, NULL) != ART_OK || !(a.input.load > 0)) return;
  double slope[6][4];
  art_differentiate_tyre(tyre, &a.input, slope);
  const double Cx =
      steepness(slope[0][0], a.force.Fx, a.input.kappa) * slip_by_speed(k, wheel, &a, 0);
  const double Cy =
      steepness(-slope[1][1], -a.force.Fy, a.input.alpha) * slip_by_speed(k, wheel, &a, 1);
  const artRadialTyre *radial = &tyre->radial;
  s3 A = along(stiffness * radial->stiffness + damping * radial->damping, a.contact.normal);
  A = s3_add(A, along(damping * Cx, a.contact.forward));
  A = s3_add(A, along(damping * Cy, a.contact.left));

  // the point in the link's own axes
  const treeWorld *world = tree_in_ground(&k->d->work->tree, k->m->frame[wheel->e->frame[0]].link);
  const double *p = a.contact.point;
  const v3 r = m3_mul(world->R, v3_sub((v3){p[0], p[1], p[2]}, world->o));
  const naturalPatch *patch = natural_patch(k->s, wheel->patch);
  if (patch->n == 0) return;
  find_gradient(k->s, wheel, patch, r, k->elements->gradient);
  natural_add_gradient_tangent(patch, A, k->elements->gradient, values);
}
