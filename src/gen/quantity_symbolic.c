// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Quantities and rods as expressions: the texts of src/model on symbols.
#define ART_SYMBOLIC

#include "gen/recorded.h"


// clang-format off
#include "lowered/model/heading.c"
// clang-format on

//---- the recorded machine ------------------------------------------------------------------------

typedef genBuild quantityHost;


static real host_time(quantityHost *h)
{
  return (real){gen_time_symbol(h)};
}


static real host_coordinate(quantityHost *h, int i, int order)
{
  return (real){gen_coordinate(h, i, order)};
}


static v3 host_point(quantityHost *h, int frame, int order)
{
  return vector_of(order == 0   ? gen_point(h, frame)
                   : order == 1 ? gen_point_velocity(h, frame)
                                : gen_frame_acceleration(h, frame));
}


static m3 host_axes(quantityHost *h, int frame)
{
  node3 e[3];
  gen_frame_axes(h, frame, e);
  return (m3){vector_of(e[0]), vector_of(e[1]), vector_of(e[2])};
}


static v3 host_turn(quantityHost *h, int frame, int order)
{
  return vector_of(order == 1 ? gen_angular_velocity(h, frame)
                              : gen_angular_acceleration(h, frame));
}


static v3 host_own_turn(quantityHost *h, int frame)
{
  return vector_of(gen_own_turn(h, frame));
}


static real host_joint_force(quantityHost *h, int i)
{
  return (real){gen_joint_force(h, i)};
}


static wrench host_reaction(quantityHost *h, int joint)
{
  int x[6];
  gen_settled_reaction(h, joint, x);
  return (wrench){{{x[3]}, {x[4]}, {x[5]}}, {{x[0]}, {x[1]}, {x[2]}}};
}


static real host_multiplier(quantityHost *h, int relation)
{
  return (real){gen_relation_multiplier(h, relation)};
}


static const modelElement *host_element(quantityHost *h, int i)
{
  return gen_element(h, i);
}


static real host_displacement(quantityHost *h, const modelElement *e, int c, int is_rate)
{
  return (real){gen_displacement(h, e, c, is_rate)};
}


static real host_element_value(quantityHost *h, const modelElement *e, int c)
{
  return (real){gen_element_value(h, e, c)};
}


static int host_rod_has_mass(quantityHost *h, int cut)
{
  return gen_rod_has_mass(h, cut);
}


static real host_rod_mass(quantityHost *h, int cut)
{
  return (real){gen_rod_mass(h, cut)};
}


static real host_rod_length(quantityHost *h, int cut)
{
  return (real){gen_rod_length(h, cut)};
}


static real host_thrust(quantityHost *h, int cut)
{
  return (real){gen_rod_thrust(h, cut)};
}


static v3 host_rod_end(quantityHost *h, int cut, int side, int order)
{
  return vector_of(gen_rod_end(h, cut, side, order));
}


static wrench host_cut_force(quantityHost *h, int cut, int side)
{
  node3 force, torque;
  gen_cut_force(h, cut, side, &force, &torque);
  return (wrench){vector_of(torque), vector_of(force)};
}


static real host_energy(quantityHost *h, int k)
{
  return (real){k == 0 ? gen_kinetic(h) : gen_potential(h)};
}


static wrench host_momentum(quantityHost *h);


static v3 host_gravity(quantityHost *h)
{
  return vector_of(gen_gravity(h));
}


static real host_run(quantityHost *h, quantityRun k)
{
  return (real){gen_run(h, k)};
}


static quantityBar host_bar(quantityHost *h, int i)
{
  return gen_bar(h, i);
}


static quantityLatch host_latch(quantityHost *h, int i)
{
  int frame[2];
  return gen_latch(h, i, frame);
}


static v3 host_latch_end(quantityHost *h, int i, int side, int order)
{
  int frame[2];
  (void) gen_latch(h, i, frame);
  return host_point(h, frame[side], order);
}


static real host_held(quantityHost *h, int i)
{
  return (real){gen_held(h, i)};
}


static real host_state(quantityHost *h, int i)
{
  return (real){gen_state(h, i)};
}


// their formulas are made before (gen_quantity)
static real host_signal(quantityHost *h, int i)
{
  (void) h;
  (void) i;
  return r_const(0);
}

#include "model/quantity_value.h"


int gen_quantity_value(genBuild *b, const modelQuantity *quantity)
{
  const int masked = gen_masked_quantity(b, quantity);
  if (masked >= 0) return masked;
  exprPool *before = expr_use(gen_pool(b));
  const real value = quantity_value(b, quantity);
  expr_use(before);
  return value.node;
}

//---- energies and momentum, rods included --------------------------------------------------------

int gen_kinetic(genBuild *b)
{
  exprPool *before = expr_use(gen_pool(b));
  real sum = {gen_tree_energy(b, 0)};
  for (int i = 0, cut; (cut = gen_rod(b, i)) >= 0; i++) {
    const v3 v_j = host_rod_end(b, cut, 0, 1), v_k = host_rod_end(b, cut, 1, 1);
    sum = r_add(sum, rod_kinetic_of(host_rod_mass(b, cut), v_j, v_k));
  }
  expr_use(before);
  return sum.node;
}


int gen_potential(genBuild *b)
{
  exprPool *before = expr_use(gen_pool(b));
  real sum = {gen_tree_energy(b, 1)};
  for (int i = 0, cut; (cut = gen_rod(b, i)) >= 0; i++) {
    for (int k = 0; k < 2; k++) {
      sum =
          r_add(sum, rod_potential_of(host_rod_mass(b, cut), vector_of(gen_gravity(b)),
                                      host_rod_end(b, cut, k, 0), gen_rod_is_on_ground(b, cut, k)));
    }
  }
  expr_use(before);
  return sum.node;
}


static wrench host_momentum(quantityHost *h)
{
  int x[6];
  gen_tree_momentum(h, x);
  wrench sum = {{{x[0]}, {x[1]}, {x[2]}}, {{x[3]}, {x[4]}, {x[5]}}};
  for (int i = 0, cut; (cut = gen_rod(h, i)) >= 0; i++) {
    const v3 r[2] = {host_rod_end(h, cut, 0, 0), host_rod_end(h, cut, 1, 0)};
    const v3 v[2] = {host_rod_end(h, cut, 0, 1), host_rod_end(h, cut, 1, 1)};
    sum = wr_add(sum, rod_momentum_of(host_rod_mass(h, cut), r, v));
  }
  return sum;
}

//---- forces --------------------------------------------------------------------------------------

node3 gen_rod_forces(genBuild *b, int cut, node3 *from, node3 *to)
{
  exprPool *before = expr_use(gen_pool(b));
  const real mass = host_rod_mass(b, cut);
  const v3 g = vector_of(gen_gravity(b));
  const v3 a_j = v3_sub(host_rod_end(b, cut, 0, 2), g), a_k = v3_sub(host_rod_end(b, cut, 1, 2), g);
  const v3 pull = rod_pull(mass, v3_add(a_j, a_k));
  *from = nodes_of(rod_end_force(mass, vector_of(*from), pull, a_j));
  *to = nodes_of(rod_end_force(mass, vector_of(*to), pull, a_k));
  expr_use(before);
  return nodes_of(pull);
}


void gen_opposite(genBuild *b, node3 arm, node3 *force, node3 *torque)
{
  exprPool *before = expr_use(gen_pool(b));
  const wrench f = {vector_of(*torque), vector_of(*force)};
  const wrench opposite = wr_opposite(f, vector_of(arm));
  *torque = nodes_of(opposite.ang);
  *force = nodes_of(opposite.lin);
  expr_use(before);
}
