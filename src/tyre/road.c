// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on the road: contact, deflection, slips, forces, and these at the wheel centre.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "tyre/edges.h"
#include "tyre/evaluate.h"


artTyreDeflection tyre_deflection(const artTyre *tyre, const artContact *c)
{
  const double upright = tyre->kind == TYRE_MAGIC ? 1 : cos(c->gamma);
  return (artTyreDeflection){.depth = tyre_depth(tyre, c->radius, c->spin, upright),
                             .rate = c->approach,
                             .spin = c->spin,
                             .gamma = c->gamma};
}


void tyre_carry(const artWheel *wheel, artTyreAnswer *a)
{
  const artContact *c = &a->contact;
  const artTyreForce *f = &a->force;
  double arm[3];
  for (int i = 0; i < 3; i++) {
    a->world_force[i] = f->Fx * c->forward[i] + f->Fy * c->left[i] + f->Fz * c->normal[i];
    a->world_moment[i] = f->Mx * c->forward[i] + f->My * c->left[i] + f->Mz * c->normal[i];
    arm[i] = c->point[i] - wheel->centre[i];
  }
  const double *F = a->world_force;
  a->world_moment[0] += arm[1] * F[2] - arm[2] * F[1];
  a->world_moment[1] += arm[2] * F[0] - arm[0] * F[2];
  a->world_moment[2] += arm[0] * F[1] - arm[1] * F[0];
}


void tyre_stand(const artWheel *wheel, artTyreAnswer *a)
{
  a->force = (artTyreForce){.Fz = a->force.Fz};
  tyre_carry(wheel, a);
}


static artStatus press_to_road(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                               tyrePress *press)
{
  roadProfile profile;
  const artRoad *road = tyre_road_of(ground);
  if (road && tyre_meets_edges(tyre, road, &profile)) {
    return tyre_press_edges(tyre, &profile, wheel, press);
  }
  const artStatus status = art_find_contact(ground, wheel, &press->contact);
  if (status != ART_OK) return status;
  const artTyreDeflection d = tyre_deflection(tyre, &press->contact);
  press->depth = d.depth;
  const tyreDent dent = tyre_dent_of(tyre, &d);
  press->elastic = tyre_elastic_load(tyre, &dent);
  press->load = tyre_damped_load(tyre, press->elastic, d.rate);
  return ART_OK;
}


artStatus tyre_roll(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                    const tyreSlips *slips, artTyreAnswer *a)
{
  *a = (artTyreAnswer){0};
  tyrePress press = {0};
  const artStatus status = press_to_road(tyre, ground, wheel, &press);
  a->contact = press.contact;
  a->depth = press.depth;
  if (status != ART_OK) return status;

  const artContact *c = &a->contact;
  a->input = (artTyreInput){.load = press.load, .gamma = c->gamma, .speed = c->Vx};

  // the belt rolls on the radius that its deflection leaves: the damper's force does not change it
  a->Vsx = c->Vx - art_tyre_rolling_radius(tyre, press.elastic, c->spin, 0) * c->spin;
  a->Vsy = c->Vy;

  const tyreMotion motion = {c->Vx, a->Vsx, a->Vsy};
  double effective[2];
  if (slips->state)
    tyre_slip_rates(tyre, &a->input, &motion, slips, a->slip_rate, effective);
  else
    tyre_steady_slips(tyre, &motion, effective);
  a->input.kappa = effective[0];
  a->input.alpha = atan(effective[1]);
  a->force = art_evaluate_tyre(tyre, &a->input);
  tyre_carry(wheel, a);
  return ART_OK;
}


artStatus art_put_tyre_on_road(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                               const double slip[2], artTyreAnswer *a)
{
  ART_REQUIRE(tyre && wheel && a && (!ground || ground->height), NULL);
  double state[2] = {0, 0};
  if (slip) memcpy(state, slip, sizeof state);
  const tyreSlips slips = {.state = slip ? state : NULL};
  return tyre_roll(tyre, ground, wheel, &slips, a);
}
