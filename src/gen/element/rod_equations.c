// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rods with mass as expressions (model/rod_physics.h).
#include "gen/vectors.h"

#include "gen/parameter/definition.h"
#include "model/rod_physics.h"
#include "sym/loop_symbolic.h"


int gen_rod_has_mass(genBuild *b, int cut)
{
  return b->m->cut[cut].mass != 0 || gen_definition(b, "rod_mass", cut) >= 0;
}


int gen_rod(genBuild *b, int i)
{
  for (int cut = 0; cut < b->m->ncut; cut++) {
    if (gen_rod_has_mass(b, cut) && i-- == 0) return cut;
  }
  return -1;
}


v3 gen_rod_end(genBuild *b, int cut, int side, int order)
{
  const char *const *name = sym_cut_name + CUT_SIDE * side + CUT_PLACE;
  const cutSide *end = &b->m->cut[cut].side[side];
  const v3 r = gen_constant_vector(b, end->r, name, gen_cut_number(b->m, cut));
  if (order == 1) return point_velocity(&b->world[end->link], &b->velocity[end->link], r);
  if (order == 2) return gen_point_acceleration(b, end->link, r, b->settled->acc);
  return point_place(&b->world[end->link], r);
}


// by the parameter that the dynamics use, two thirds of it
real gen_rod_mass(genBuild *b, int cut)
{
  const real m = {gen_parameter(b, 2 * b->m->cut[cut].mass / 3, "rod_mass", cut)};
  return r_mul(r_const(1.5), m);
}


// the middle of a rod carries two thirds of its mass (data/rod.h):
//   M += m J^T J, if it is asked for,  h += m J^T (a_0 - g),  J of the middle
static void add_rod(genBuild *b, int c, genMatrix *M, int *h)
{
  const modelCut *cut = &b->m->cut[c];
  const int nv = b->tree->nv;
  int *J = gen_alloc(b, 18 * (size_t) nv, sizeof *J);
  v3 a[2];
  for (int k = 0; k < 2; k++) {
    const cutSide *side = &cut->side[k];
    const char *const *place = sym_cut_name + CUT_SIDE * k + CUT_PLACE;
    int r[3], motion_of_point[9];
    v3_put(r, gen_constant_vector(b, side->r, place, gen_cut_number(b->m, c)));
    sym_record_jacobian(b->tree, side->link, r, J + 6 * (long) k * nv);
    sym_record_point(b->tree, side->link, r, motion_of_point);
    a[k] = v3_nodes(motion_of_point + 6);
  }
  const real half = r_const(0.5), m = {gen_parameter(b, 2 * cut->mass / 3, "rod_mass", c)};
  v3 *column = (v3 *) (J + 12 * (long) nv);
  for (int k = 0; k < nv; k++) {
    const int *from = J + 3 * nv + k, *to = J + 9 * nv + k;
    const v3 x = {{from[0]}, {from[nv]}, {from[2 * nv]}}, y = {{to[0]}, {to[nv]}, {to[2 * nv]}};
    column[k] = v3_scale(half, v3_add(x, y));
  }
  const v3 acceleration = v3_sub(v3_scale(half, v3_add(a[0], a[1])), gen_gravity(b));
  for (int i = 0; i < nv; i++) {
    const v3 weighted = v3_scale(m, column[i]);
    h[i] = expr_add(b->pool, h[i], v3_dot(weighted, acceleration).node);
    for (int j = 0; M && j <= i; j++) {
      const int product = v3_dot(weighted, column[j]).node;
      if (product == 0) continue;
      int *entry_ij = matrix_place(M, i, j, &b->program->arena);
      *entry_ij = expr_add(b->pool, *entry_ij, product);
    }
  }
}


void gen_add_rods(genBuild *b, genMatrix *M, int *h)
{
  for (int i = 0, cut; (cut = gen_rod(b, i)) >= 0; i++) add_rod(b, cut, M, h);
}


v3 gen_rod_forces(genBuild *b, int cut, v3 *from, v3 *to)
{
  const real mass = gen_rod_mass(b, cut);
  const v3 g = gen_gravity(b);
  const v3 a_j = v3_sub(gen_rod_end(b, cut, 0, 2), g), a_k = v3_sub(gen_rod_end(b, cut, 1, 2), g);
  const v3 pull = rod_pull(mass, v3_add(a_j, a_k));
  *from = rod_end_force(mass, *from, pull, a_j);
  *to = rod_end_force(mass, *to, pull, a_k);
  return pull;
}
