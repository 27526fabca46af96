// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a viewer shows beside the motion of bodies: forces of elements and reactions of joints as arrows, in ground axes, as
// force/instant_parts.c has them, and how well energies balance and loops are closed.
#include "gen/arrow.h"

#include "gen/reactions.h"
#include "gen/recorded.h"
#include "gen/tree_part.h"
#include "gen/wheel.h"

int gen_show_count(const artModel *m)
{
  return GEN_FORCE_ARROW * m->nelement + GEN_JOINT_ARROW * m->own_joints + GEN_CHECKS;
}


static int *put(int *to, node3 x)
{
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
  return to + 3;
}

//---- forces --------------------------------------------------------------------------------------

static const genWheel *wheel_of(const genBuild *b, int element)
{
  const genWheel *w = b->wheel;
  while (w->element != element) w++;
  return w;
}


// what an element tells first: its force along axes of its own or of ground
static node3 own_force(genBuild *b, const modelElement *e)
{
  const int *value = b->value + e->value0;
  return e->nvalue >= 3 ? (node3){value[0], value[1], value[2]} : (node3){0, 0, 0};
}


static node3 to_ground(genBuild *b, int frame, node3 x)
{
  node3 axes[3];
  gen_frame_axes(b, frame, axes);
  return node3_back(b->pool, axes, x);
}


static int *force_arrow(genBuild *b, int i, int *to)
{
  const modelElement *e = &b->m->element[i];
  const int *value = b->value + e->value0;
  node3 at = {0, 0, 0}, force = {0, 0, 0};
  if (e->nframe > 0 && e->type->arrow != ARROW_NONE) at = gen_point(b, e->frame[e->nframe - 1]);
  switch (e->type->arrow) {
  case ARROW_LINE:
    force = node3_scale(b->pool, expr_neg(b->pool, value[0]), gen_last_direction(b, e));
    break;
  case ARROW_AXES: force = to_ground(b, e->frame[0], own_force(b, e)); break;
  case ARROW_GROUND:
    force = own_force(b, e);
    if (e->in_body) force = to_ground(b, e->frame[0], force);
    break;
  case ARROW_CONTACT:
    at = (node3){value[TYRE_X], value[TYRE_Y], value[TYRE_Z]};
    force = wheel_of(b, i)->force;
    break;
  case ARROW_NONE: break;
  }
  return put(put(to, at), force);
}

//---- reactions -----------------------------------------------------------------------------------

// a joint's place on the side of `to`
static node3 joint_place(genBuild *b, const modelJoint *joint)
{
  static const char *const name[] = {"px", "py", "pz"};
  if (joint->is_cut) return gen_rod_end(b, joint->cut, 1, 0);
  if (!joint->is_reversed) {
    return ((const nodeFrame *) b->world)[joint->link + joint->nlink - 1].o;
  }
  const treeLink *first = &b->m->tree.link[joint->link];
  return gen_link_point(b, first->parent, gen_constant_vector(b, first->p, name, joint->link));
}


static int *joint_arrow(genBuild *b, int j, int *to)
{
  int *reaction = put(to, joint_place(b, &b->m->joint[j]));
  gen_settled_reaction(b, j, reaction);
  return reaction + 6;
}

//---- checks --------------------------------------------------------------------------------------

static int larger(genBuild *b, int most, int x)
{
  return expr_operate(b->pool, EXPR_MAX, most, expr_operate(b->pool, EXPR_ABS, x, 0));
}


// kinetic and potential energy, work; largest |phi| and |J v|
static void add_checks(genBuild *b, int *to)
{
  int phi = expr_constant(b->pool, 0), rate = phi;
  for (int r = 0; r < b->m->nrow; r++) {
    int sum = expr_constant(b->pool, 0);
    for (int k = 0; k < b->tree->nv; k++) {
      const int share = expr_mul(b->pool, matrix_entry(&b->rows.J, r, k), b->tree->v[k]);
      sum = expr_add(b->pool, sum, share);
    }
    phi = larger(b, phi, b->rows.phi[r]);
    rate = larger(b, rate, sum);
  }
  to[0] = gen_kinetic(b);
  to[1] = gen_potential(b);
  to[2] = gen_run(b, RUN_WORK);
  to[3] = phi;
  to[4] = rate;
}


void gen_show(genBuild *b, int *node, const char **label)
{
  gen_settle(b);
  for (int k = 0; k < gen_show_count(b->m); k++) label[k] = "shown";
  for (int i = 0; i < b->m->nelement; i++) node = force_arrow(b, i, node);
  for (int j = 0; j < b->m->own_joints; j++) node = joint_arrow(b, j, node);
  add_checks(b, node);
}
