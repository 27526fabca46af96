// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A wheel on the road: contact, deflection, slips, forces, and the wrench at the wheel centre.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "tyre/edges.h"
#include "tyre/tyre_questions.h"
#include "tyre/wheel_contact.h"


artTyreDeflection tyre_deflection(const artTyre *tyre, const artContact *c)
{
  const double upright = tyre->kind == TYRE_MAGIC ? 1 : cos(c->gamma);
  return (artTyreDeflection){.depth = tyre_depth(tyre, c->radius, c->spin, upright),
                             .rate = c->approach,
                             .spin = c->spin,
                             .gamma = c->gamma};
}


void tyre_press_at(const artTyre *tyre, const artContact *contact, tyrePress *press)
{
  const artTyreDeflection d = tyre_deflection(tyre, contact);
  const tyreDent dent = tyre_dent_of(tyre, &d);
  press->contact = *contact;
  press->depth = d.depth;
  press->elastic = tyre_elastic_load(tyre, &dent);
  press->load = tyre_damped_load(tyre, press->elastic, d.rate);
}


void tyre_carry(const artWheel *wheel, artTyreAnswer *a)
{
  const artContact *c = &a->contact;
  const artTyreForce *f = &a->force;
  const discContact d = {.forward = vector_of(c->forward),
                         .left = vector_of(c->left),
                         .normal = vector_of(c->normal),
                         .arm = v3_sub(vector_of(c->point), vector_of(wheel->centre))};
  const wrench w = contact_wrench(&d, v3_make(f->Fx, f->Fy, f->Fz), v3_make(f->Mx, f->My, f->Mz));
  put_vector(a->world_force, w.lin);
  put_vector(a->world_moment, w.ang);
}


void tyre_stand(const artWheel *wheel, artTyreAnswer *a)
{
  a->force = (artTyreForce){.Fz = a->force.Fz};
  tyre_carry(wheel, a);
}


artStatus tyre_roll(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                    const tyreSlips *slips, artTyreAnswer *a)
{
  *a = (artTyreAnswer){0};
  tyrePress press = {0};
  roadProfile profile;
  const artRoad *road = tyre_road_of(ground);
  artStatus status;
  if (road && tyre_meets_edges(tyre, road, &profile)) {
    status = tyre_press_edges(tyre, &profile, wheel, &press);
  } else {
    status = art_find_contact(ground, wheel, &press.contact);
    if (status == ART_OK) tyre_press_at(tyre, &press.contact, &press);
  }
  a->contact = press.contact;
  a->depth = press.depth;
  if (status != ART_OK) return status;

  const artContact *c = &a->contact;
  a->input = (artTyreInput){.load = press.load, .gamma = c->gamma, .speed = c->Vx};

  // the rolling radius depends on the elastic load only, not on the damper
  a->Vsx = c->Vx - art_tyre_rolling_radius(tyre, press.elastic, c->spin, 0) * c->spin;
  a->Vsy = c->Vy;

  const tyreMotion slide = {c->Vx, a->Vsx, a->Vsy};
  double effective[2];
  if (slips->state)
    tyre_slip_rates(tyre, &a->input, &slide, slips, a->slip_rate, effective);
  else
    tyre_steady_slips(tyre, &slide, effective);
  a->input.kappa = effective[0];
  a->input.alpha = atan(effective[1]);
  a->force = art_evaluate_tyre(tyre, &a->input);
  tyre_carry(wheel, a);
  return ART_OK;
}


artStatus art_put_tyre_on_road(const artTyre *tyre, const artGround *ground, const artWheel *wheel,
                               const double slip[2], artTyreAnswer *a)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(tyre && wheel && a && (!ground || ground->height), NULL);
  double state[2] = {0, 0};
  if (slip) memcpy(state, slip, sizeof state);
  const tyreSlips slips = {.state = slip ? state : NULL};
  return tyre_roll(tyre, ground, wheel, &slips, a);
}
