// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Outputs of the model and reactions of all joints, as functions of the whole machine.
#include "gen/output.h"

#include <math.h>
#include <string.h>

#include "gen/heading.h"
#include "gen/reactions.h"
#include "gen/tree_part.h"
#include "loop/loop.h"

//---- quantities of a settled machine -------------------------------------------------------------

static int component(node3 a, int c)
{
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}


static node3 link_axes_back(genBuild *b, int link, const int *x)
{
  const nodeFrame *frame = (const nodeFrame *) b->world + link;
  return node3_back(b->pool, frame->e, (node3){x[0], x[1], x[2]});
}


static node3 constants(genBuild *b, v3 x, const char *const name[3], int index)
{
  return (node3){gen_parameter(b, x.x, name[0], index), gen_parameter(b, x.y, name[1], index),
                 gen_parameter(b, x.z, name[2], index)};
}


static node3 point_acceleration(genBuild *b, int frame)
{
  static const char *const name[3] = {"point_x", "point_y", "point_z"};
  const modelFrame *f = &b->m->frame[frame];
  return gen_point_acceleration(b, f->link, constants(b, f->r, name, frame), b->settled->acc);
}


// components of the quaternion of R times 4 w, 4 x, 4 y, 4 z (model/pose.c), of which the largest counts
static int rotation(genBuild *b, int frame, int c)
{
  exprPool *p = b->pool;
  node3 R[3];
  gen_frame_axes(b, frame, R); // rows: axes of the frame in ground
  const int one = expr_constant(p, 1), two = expr_constant(p, 2);
  const int diagonal[3] = {R[0].x, R[1].y, R[2].z};
  const int trace = expr_add(p, expr_add(p, diagonal[0], diagonal[1]), diagonal[2]);
  int square[4] = {expr_add(p, one, trace)};
  for (int i = 0; i < 3; i++) {
    square[i + 1] = expr_sub(p, expr_add(p, one, expr_mul(p, two, diagonal[i])), trace);
  }
  const int wx = expr_sub(p, R[1].z, R[2].y), wy = expr_sub(p, R[2].x, R[0].z);
  const int wz = expr_sub(p, R[0].y, R[1].x), xy = expr_add(p, R[0].y, R[1].x);
  const int xz = expr_add(p, R[0].z, R[2].x), yz = expr_add(p, R[1].z, R[2].y);
  const int row[4][4] = {{square[0], wx, wy, wz},
                         {wx, square[1], xy, xz},
                         {wy, xy, square[2], yz},
                         {wz, xz, yz, square[3]}};
  int most = square[0], value = row[0][c], w = row[0][0];
  for (int k = 1; k < 4; k++) {
    const int is_more = expr_operate(p, EXPR_LESS, most, square[k]);
    value = expr_select(p, is_more, row[k][c], value);
    w = expr_select(p, is_more, row[k][0], w);
    most = expr_select(p, is_more, square[k], most);
  }
  const int scale = expr_div(p, expr_constant(p, 0.5), expr_sqrt(p, most));
  const int is_negative = expr_operate(p, EXPR_LESS, w, 0);
  const int signed_value = expr_select(p, is_negative, expr_neg(p, value), value);
  return expr_mul(p, scale, signed_value);
}


// tension in the middle, length, forces at the ends
static int rod_value(genBuild *b, int cut, int c)
{
  exprPool *p = b->pool;
  const modelCut *rod = &b->m->cut[cut];
  if (c > 10) return 0;
  if (c == 0) {
    const int thrust = b->multiplier[rod->row0];
    if (rod->mass == 0) return expr_neg(p, thrust);
    const node3 rate = node3_sub(p, gen_rod_end(b, cut, 1, 1), gen_rod_end(b, cut, 0, 1));
    const int swing = expr_mul(p, gen_rod_mass(b, cut, 1.0 / 24), node3_dot(p, rate, rate));
    return expr_sub(p, expr_div(p, swing, gen_rod_length(b, cut)), thrust);
  }
  if (c == 1) {
    const node3 span = node3_sub(p, gen_rod_end(b, cut, 1, 0), gen_rod_end(b, cut, 0, 0));
    return expr_sqrt(p, node3_dot(p, span, span));
  }
  const int group = (c - 2) / 3, axis = (c - 2) % 3;
  const int value =
      component(group < 2 ? b->settled->from_force[cut] : b->settled->to_force[cut], axis);
  return group == 0 ? value : expr_neg(p, value);
}


// a point of a bar that has become a rod, or d x d' / l^2 and d x d'' / l^2
static int bar_value(genBuild *b, const modelBarPoint *point, int c)
{
  exprPool *p = b->pool;
  const int cut = b->m->bar[point->bar].cut, group = c / 3, order = group < 3 ? group : group - 2;
  const node3 end[2] = {gen_rod_end(b, cut, 0, order), gen_rod_end(b, cut, 1, order)};
  if (group < 3) {
    const int s = expr_constant(p, point->s), rest = expr_constant(p, 1 - point->s);
    return component(node3_add(p, node3_scale(p, rest, end[0]), node3_scale(p, s, end[1])), c % 3);
  }
  const node3 span = node3_sub(p, gen_rod_end(b, cut, 1, 0), gen_rod_end(b, cut, 0, 0));
  const node3 turn = node3_cross(p, span, node3_sub(p, end[1], end[0]));
  return expr_div(p, component(turn, c % 3), node3_dot(p, span, span));
}


// of a lock, latch or rope as it is at the start
static int latch_value(genBuild *b, int i, int c)
{
  exprPool *p = b->pool;
  const modelLatch *latch = &b->m->latch[i];
  const int row = b->m->latch_row[i];
  if (c == LATCH_IS_ENGAGED) return expr_constant(p, b->m->engaged[i]);
  if (c == LATCH_LENGTH || c == LATCH_RATE) {
    const int from = latch->frame[0], to = latch->frame[1];
    const node3 span = node3_sub(p, gen_point(b, to), gen_point(b, from));
    const int length = expr_sqrt(p, node3_dot(p, span, span));
    if (c == LATCH_LENGTH) return length;
    const node3 rate = node3_sub(p, gen_point_velocity(b, to), gen_point_velocity(b, from));
    return expr_div(p, node3_dot(p, span, rate), length);
  }
  if (row < 0) return expr_constant(p, 0);
  if (latch->type == ART_LOCK) return b->multiplier[b->m->relation[row].row];
  if (latch->type == ART_ROPE) return rod_value(b, row, 0);
  const node3 f = b->settled->to_force[row], t = b->settled->to_torque[row];
  if (c == LATCH_FORCE) return expr_sqrt(p, node3_dot(p, f, f));
  return component(c < LATCH_FX + 3 ? f : t, (c - LATCH_FX) % 3);
}


int gen_settled_quantity(genBuild *b, const modelQuantity *quantity)
{
  const int i = quantity->index, c = quantity->component;
  if (!b->acceleration || !gen_settle(b)) return -1;
  switch (quantity->kind) {
  case QUANTITY_JOINT_FORCE:
    return b->settled->on_joint[i];
  case QUANTITY_REACTION: {
    int reaction[6];
    gen_settled_reaction(b, i, reaction);
    return reaction[c];
  }
  case QUANTITY_POINT_ACCELERATION:
    return component(point_acceleration(b, i), c);
  case QUANTITY_SURGE:
    return gen_heading_part(b, i, point_acceleration(b, i), c);
  case QUANTITY_ALPHA: {
    const int link = b->m->frame[i].link;
    return component(link_axes_back(b, link, b->settled->acc + 6 * link), c);
  }
  case QUANTITY_ROTATION:
    return rotation(b, i, c);
  case QUANTITY_ROD:
    return rod_value(b, i, c);
  case QUANTITY_LATCH:
    return latch_value(b, i, c);
  case QUANTITY_BAR:
    return isnan(b->m->bar_point[i].s) ? -1 : bar_value(b, &b->m->bar_point[i], c);
  default:
    return -1;
  }
}

//---- energies and momentum, rods included --------------------------------------------------------

int gen_kinetic(genBuild *b)
{
  exprPool *p = b->pool;
  int sum = sym_record_kinetic(b->tree);
  for (int i = 0; i < b->m->nrod; i++) {
    // m/12 |v_j + v_k|^2
    const int c = b->m->rod[i];
    const node3 s = node3_add(p, gen_rod_end(b, c, 0, 1), gen_rod_end(b, c, 1, 1));
    sum = expr_add(p, sum, expr_mul(p, gen_rod_mass(b, c, 1.0 / 12), node3_dot(p, s, s)));
  }
  return sum;
}


int gen_potential(genBuild *b)
{
  exprPool *p = b->pool;
  int sum = expr_add(p, sym_record_potential(b->tree), b->potential);
  for (int i = 0; i < b->m->nrod; i++) {
    const int c = b->m->rod[i];
    for (int k = 0; k < 2; k++) {
      // -m/2 g.r, of which links have a third; ground has no mass
      const double part = b->m->cut[c].side[k].link > 0 ? 1.0 / 3 : 0.5;
      const int height = node3_dot(p, gen_gravity(b), gen_rod_end(b, c, k, 0));
      sum = expr_sub(p, sum, expr_mul(p, gen_rod_mass(b, c, part), height));
    }
  }
  return sum;
}


int gen_momentum(genBuild *b, int c)
{
  exprPool *p = b->pool;
  int all[6];
  sym_record_momentum(b->tree, all);
  int sum = all[c < 3 ? 3 + c : c - 3];
  for (int i = 0; i < b->m->nrod; i++) {
    // P = m/3 (v_j + v_k),  L = m/6 (r_j + r_k) x (v_j + v_k)
    const int rod = b->m->rod[i];
    const node3 v = node3_add(p, gen_rod_end(b, rod, 0, 1), gen_rod_end(b, rod, 1, 1));
    const node3 r = node3_add(p, gen_rod_end(b, rod, 0, 0), gen_rod_end(b, rod, 1, 0));
    const int own = c < 3 ? component(v, c) : component(node3_cross(p, r, v), c - 3);
    sum = expr_add(p, sum, expr_mul(p, gen_rod_mass(b, rod, c < 3 ? 1.0 / 3 : 1.0 / 6), own));
  }
  return sum;
}

//---- functions -----------------------------------------------------------------------------------

// "speed [m/s]" as tables have it
static const char *column_name(genBuild *b, const modelOutput *output)
{
  baseArena *arena = &b->program->arena;
  return output->unit ? arena_format(arena, "%s [%s]", output->name, output->unit)
                      : arena_text(arena, output->name);
}


artStatus gen_outputs(genBuild *b)
{
  const int n = b->m->noutput;
  int *node = gen_alloc(b, (size_t) n, sizeof *node);
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  eqnFunction *f = gen_like_accelerate(b, "outputs", "the outputs of the model", 1);
  if (!node || !label || !f) return base_no_memory(b->error);
  b->branch = NULL;
  for (int i = 0; i < n; i++) {
    const modelOutput *output = &b->m->output[i];
    node[i] = gen_formula(b, output->formula, base_nowhere(), output->name);
    if (node[i] < 0) return ART_UNSUPPORTED;
    label[i] = column_name(b, output);
    if (!label[i]) return base_no_memory(b->error);
  }
  f->output[f->noutput++] = gen_vector(b, "y", "outputs with their units", n, node, label);
  if (b->run[0] == 0) return ART_OK;
  f->input[f->ninput++] = gen_vector(
      b, "run",
      "work of forces without potential since the start and energy then, J; length of "
      "the last step, s, and index of its method; largest violation of a constraint, of its "
      "rate and acceleration",
      GEN_RUN, b->run, NULL);
  return ART_OK;
}


// joints of the model, then ball joints of bars that have become rods
int gen_reaction_vector(genBuild *b, eqnVector *reaction)
{
  static const char *const axis[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const int njoint = b->m->njoint;
  int *node = gen_alloc(b, 6 * (size_t) njoint, sizeof *node);
  const char **label = gen_alloc(b, 6 * (size_t) njoint, sizeof *label);
  if (!node || !label || !gen_settle(b)) return 0;
  for (int i = 0; i < 6 * njoint; i++) {
    if (i % 6 == 0) gen_settled_reaction(b, i / 6, node + i);
    label[i] = arena_format(&b->program->arena, "%s.%s", b->m->joint[i / 6].name, axis[i % 6]);
    if (!label[i]) return 0;
  }
  *reaction =
      gen_vector(b, "reaction", "on `to` at the joint, ground axes: force, torque of every joint",
                 6 * njoint, node, label);
  return 1;
}


artStatus gen_machine_reactions(genBuild *b)
{
  eqnVector reaction;
  if (!gen_reaction_vector(b, &reaction)) return base_no_memory(b->error);
  eqnFunction *f = gen_like_accelerate(
      b, "machine_reactions", "what all joints of the machine do to the bodies they lead to", 1);
  if (!f) return base_no_memory(b->error);
  f->output[f->noutput++] = reaction;
  return ART_OK;
}
