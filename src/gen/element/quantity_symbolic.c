// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Quantities and rods as expressions: the texts of src/model on symbols.
#include "gen/vectors.h"


// clang-format off
#include "lowered/model/heading.c"
// clang-format on

//---- the recorded machine ------------------------------------------------------------------------

typedef genBuild quantityHost;

#define host_axes         gen_frame_axes
#define host_reaction     gen_settled_reaction
#define host_displacement gen_displacement
#define host_rod_has_mass gen_rod_has_mass
#define host_rod_mass     gen_rod_mass
#define host_rod_end      gen_rod_end
#define host_gravity      gen_gravity


static real host_time(quantityHost *h)
{
  return (real){h->time};
}


static real host_coordinate(quantityHost *h, int i, int order)
{
  return (real){order == 0 ? h->tree->q[i] : order == 1 ? h->tree->v[i] : h->acceleration[i]};
}


static v3 host_point(quantityHost *h, int frame, int order)
{
  if (order == 0) return gen_point(h, frame);
  if (order == 1) return gen_point_velocity(h, frame);
  const motion *acc = gen_settle(h)->acc;
  return gen_point_acceleration(h, h->m->frame[frame].link, gen_point_in_link(h, frame), acc);
}


static v3 host_turn(quantityHost *h, int frame, int order)
{
  const int link = h->m->frame[frame].link;
  return order == 1 ? gen_angular_velocity(h, frame)
                    : m3_back(h->world[link].R, gen_settle(h)->acc[link].ang);
}


static v3 host_own_turn(quantityHost *h, int frame)
{
  m3 own;
  own.x = gen_frame_row(h, frame, 0);
  own.y = gen_frame_row(h, frame, 1);
  own.z = gen_frame_row(h, frame, 2);
  return m3_mul(own, h->velocity[h->m->frame[frame].link].ang);
}


static real host_joint_force(quantityHost *h, int i)
{
  return (real){gen_settle(h)->on_joint[i]};
}


static real host_multiplier(quantityHost *h, int relation)
{
  return (real){h->multiplier[h->m->relation[relation].row]};
}


static real host_element_value(quantityHost *h, const modelElement *e, int c)
{
  return (real){h->value[e->value0 + c]};
}


static real host_rod_length(quantityHost *h, int cut)
{
  return (real){gen_parameter(h, h->m->cut[cut].length, "rod_length", gen_cut_number(h->m, cut))};
}


static real host_thrust(quantityHost *h, int cut)
{
  return (real){h->multiplier[h->m->cut[cut].row0]};
}


static wrench host_cut_force(quantityHost *h, int cut, int side)
{
  const genSettled *s = gen_settle(h);
  return (wrench){s->on_to[cut].ang, side ? s->on_to[cut].lin : s->on_from[cut]};
}


// as roll_shown (force/roll_place.h)
static real host_roll(quantityHost *h, int i, int c)
{
  const int *place = gen_rolls(h)->place + ROLL_PLACE * i;
  if (c >= 3) return (real){place[6 + c]};
  return v3_dot(gen_settle(h)->on_to[h->m->roll[i].cut].lin, v3_nodes(place + 3 * c));
}


static real host_energy(quantityHost *h, int k)
{
  return (real){k == 0 ? gen_kinetic(h) : gen_potential(h)};
}


static wrench host_momentum(quantityHost *h);


static real host_run(quantityHost *h, quantityRun k)
{
  return (real){gen_run(h, k)};
}


static v3 host_latch_end(quantityHost *h, int i, int side, int order)
{
  return host_point(h, h->m->latch[i].frame[side], order);
}


static real host_held(quantityHost *h, int i)
{
  return (real){h->held[i]};
}


static real host_state(quantityHost *h, int i)
{
  return (real){h->state[i]};
}


// their formulas are made before (gen_quantity)
static real host_signal(quantityHost *h, int i)
{
  (void) h;
  (void) i;
  return r_const(0);
}

#include "model/formula/quantity_value.h"


int gen_run(genBuild *b, quantityRun k)
{
  for (int i = 0; i < RUN_COUNT; i++) b->run[i] = expr_symbol(b->pool, "run", i);
  return b->run[k];
}


int gen_quantity_value(genBuild *b, const modelQuantity *quantity)
{
  const int masked = gen_masked_quantity(b, quantity);
  return masked >= 0 ? masked : quantity_value(b, quantity).node;
}

//---- energies and momentum, rods included --------------------------------------------------------

int gen_kinetic(genBuild *b)
{
  real sum = {sym_record_kinetic(b->tree)};
  for (int i = 0, cut; (cut = gen_rod(b, i)) >= 0; i++) {
    const v3 v_j = gen_rod_end(b, cut, 0, 1), v_k = gen_rod_end(b, cut, 1, 1);
    sum = r_add(sum, rod_kinetic_of(gen_rod_mass(b, cut), v_j, v_k));
  }
  return sum.node;
}


int gen_potential(genBuild *b)
{
  real sum = r_add((real){sym_record_potential(b->tree)}, (real){b->potential});
  for (int i = 0, cut; (cut = gen_rod(b, i)) >= 0; i++) {
    for (int k = 0; k < 2; k++) {
      sum =
          r_add(sum, rod_potential_of(gen_rod_mass(b, cut), gen_gravity(b),
                                      gen_rod_end(b, cut, k, 0), b->m->cut[cut].side[k].link == 0));
    }
  }
  return sum.node;
}


static wrench host_momentum(quantityHost *h)
{
  wrench sum;
  sym_record_momentum(h->tree, (int *) &sum);
  for (int i = 0, cut; (cut = gen_rod(h, i)) >= 0; i++) {
    const v3 r[2] = {gen_rod_end(h, cut, 0, 0), gen_rod_end(h, cut, 1, 0)};
    const v3 v[2] = {gen_rod_end(h, cut, 0, 1), gen_rod_end(h, cut, 1, 1)};
    sum = wr_add(sum, rod_momentum_of(gen_rod_mass(h, cut), r, v));
  }
  return sum;
}
