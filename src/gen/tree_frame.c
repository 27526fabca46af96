// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the bare tree that need its parameters as they are: frames, energy, reactions.
#include "gen/tree_part.h"

#include <ctype.h>
#include <string.h>

#include "gen/recorded.h"
#include "gen/tree_equations.h"


void gen_put_inputs(genBuild *b, eqnFunction *f, const char *letters)
{
  for (int k = 0; letters[k]; k++) {
    switch (letters[k]) {
    case 'q': f->input[k] = gen_positions(b); break;
    case 'v': f->input[k] = gen_velocities(b); break;
    case 'a': f->input[k] = gen_accelerations(b, b->tree->a); break;
    case 't': f->input[k] = gen_joint_forces(b); break;
    default:
      f->input[k] = gen_vector(
          b, "f", "applied on links 1 to n: moment and force at the origin, in the link's axes",
          6 * (b->tree->n - 1), b->tree->f_ext + 6, NULL);
    }
  }
}


eqnFunction *gen_add_plain(genBuild *b, const char *name, const char *what, const char *letters,
                           int noutput, eqnGroup group)
{
  eqnFunction *f = gen_add_function(b, name, what, (int) strlen(letters), noutput, 1);
  f->stage[0] = (eqnStage){.title = f->name, .group = group};
  gen_put_inputs(b, f, letters);
  return f;
}


//---- kinematics of frames ------------------------------------------------------------------------

// "arm.tip" as part of a function's name
static const char *word(genBuild *b, const char *name)
{
  char *text = arena_text(&b->program->arena, name);
  for (char *c = text; *c; c++) {
    if (!isalnum((unsigned char) *c) || (unsigned char) *c > 127) *c = '_';
  }
  return text;
}


static node3 ground_axes(genBuild *b, int link, node3 x)
{
  const nodeFrame *frame = (const nodeFrame *) b->world + link;
  return node3_back(b->pool, frame->e, x);
}


node3 gen_link_point(genBuild *b, int link, node3 r)
{
  const node3 o = ((const nodeFrame *) b->world + link)->o;
  return node3_add(b->pool, o, ground_axes(b, link, r));
}


// the velocity of a link's point r, in ground axes
node3 gen_link_point_velocity(genBuild *b, int link, node3 r)
{
  const int *x = b->velocity + 6 * link;
  const node3 w = {x[0], x[1], x[2]}, v = {x[3], x[4], x[5]};
  return ground_axes(b, link, node3_add(b->pool, v, node3_cross(b->pool, w, r)));
}


node3 gen_gravity(genBuild *b)
{
  static const char *const g[] = {"gx", "gy", "gz"};
  return gen_constant_vector(b, b->m->tree.gravity, g, 0);
}


node3 gen_point_acceleration(genBuild *b, int link, node3 r, const int *acc)
{
  exprPool *p = b->pool;
  const int *x = b->velocity + 6 * link, *y = acc + 6 * link;
  const node3 w = {x[0], x[1], x[2]}, alpha = {y[0], y[1], y[2]}, a = {y[3], y[4], y[5]};

  // a + alpha x r + w x (w x r), and the gravity that a leaves out
  const node3 turning =
      node3_add(p, node3_cross(p, alpha, r), node3_cross(p, w, node3_cross(p, w, r)));
  return node3_add(p, ground_axes(b, link, node3_add(p, a, turning)), gen_gravity(b));
}


static const char *const frame_axis[3][3] = {{"frame_Rxx", "frame_Rxy", "frame_Rxz"},
                                             {"frame_Ryx", "frame_Ryy", "frame_Ryz"},
                                             {"frame_Rzx", "frame_Rzy", "frame_Rzz"}};


node3 gen_frame_row(genBuild *b, int frame, int k)
{
  const modelFrame *x = &b->m->frame[frame];
  const v3 row = k == 0 ? x->R.x : k == 1 ? x->R.y : x->R.z;
  return (node3){gen_number(b, row.x, frame_axis[k][0], frame),
                 gen_number(b, row.y, frame_axis[k][1], frame),
                 gen_number(b, row.z, frame_axis[k][2], frame)};
}


void gen_frame_axes(genBuild *b, int frame, node3 axis[3])
{
  const modelFrame *x = &b->m->frame[frame];
  const v3 rows[3] = {x->R.x, x->R.y, x->R.z};
  for (int k = 0; k < 3; k++) {
    axis[k] = ground_axes(b, x->link, gen_constant_vector(b, rows[k], frame_axis[k], frame));
  }
}


// pose and motion in the axes of the links
static void follow_links(genBuild *b, int frame, node3 r, const int *acc, genFrame *out)
{
  const int link = b->m->frame[frame].link;
  const int *w = b->velocity + 6 * link, *alpha = acc + 6 * link;
  node3 axis[3];
  gen_frame_axes(b, frame, axis);
  for (int k = 0; k < 3; k++) {
    out->R[k] = axis[k].x;
    out->R[3 + k] = axis[k].y;
    out->R[6 + k] = axis[k].z;
  }
  const node3 x = gen_link_point(b, link, r);
  const node3 xd = gen_link_point_velocity(b, link, r);
  const node3 omega = ground_axes(b, link, (node3){w[0], w[1], w[2]});
  const node3 xdd = gen_point_acceleration(b, link, r, acc);
  const node3 turning = ground_axes(b, link, (node3){alpha[0], alpha[1], alpha[2]});
  memcpy(out->x, &x, sizeof out->x);
  memcpy(out->xd, &xd, sizeof out->xd);
  memcpy(out->omega, &omega, sizeof out->omega);
  memcpy(out->xdd, &xdd, sizeof out->xdd);
  memcpy(out->alpha, &turning, sizeof out->alpha);
}


// by the scheme that is asked for
static void follow(genBuild *b, int frame, node3 r, const int *acc, genFrame *out)
{
  const modelFrame *x = &b->m->frame[frame];
  const genScheme scheme = b->options->scheme;
  const v3 rows[3] = {x->R.x, x->R.y, x->R.z};
  int axes[9];
  if (scheme == GEN_LINK_AXES) {
    follow_links(b, frame, r, acc, out);
    return;
  }
  for (int k = 0; k < 3; k++) {
    const node3 axis = gen_constant_vector(b, rows[k], frame_axis[k], frame);
    memcpy(axes + 3 * k, &axis, sizeof axis);
  }
  const int origin[3] = {r.x, r.y, r.z};
  gen_record_frame(b->tree, scheme, x->link, origin, axes, out);
}


static eqnVector three(genBuild *b, const char *name, const char *what, const int x[3])
{
  return gen_vector(b, name, what, 3, x, NULL);
}


static void put_pose(genBuild *b, eqnFunction *f, const genFrame *x)
{
  f->output[0] = three(b, "x", "position in ground, m", x->x);
  if (f->noutput > 1) {
    f->output[1] = gen_vector(b, "R", "rotation by rows, v_ground = R v_frame", 9, x->R, NULL);
  }
}


static void put_motion(genBuild *b, eqnFunction *f, const genFrame *x)
{
  f->output[2] = three(b, "xd", "velocity, ground axes, m/s", x->xd);
  f->output[3] = three(b, "omega", "angular velocity, ground axes, rad/s", x->omega);
  f->output[4] = three(b, "xdd", "acceleration, ground axes, m/s^2", x->xdd);
  f->output[5] = three(b, "alpha", "angular acceleration, ground axes, rad/s^2", x->alpha);
}


static void put_jacobian(genBuild *b, eqnFunction *f, int frame, node3 r)
{
  const int n = 6 * b->tree->nv, link = b->m->frame[frame].link;
  const genScheme scheme = b->options->scheme;
  const int origin[3] = {r.x, r.y, r.z};
  int *J = gen_alloc(b, (size_t) n, sizeof *J);
  if (scheme == GEN_LINK_AXES) {
    gen_record_jacobian(b->tree, link, origin, J);
  } else {
    gen_record_frame_jacobian(b->tree, scheme, link, origin, J);
  }
  f->output[0] = gen_vector(
      b, "J", "Jacobian, 6 x nv by rows, ground axes: angular velocity, then velocity", n, J, NULL);
}


static void add_frame(genBuild *b, int frame, const int *acc)
{
  static const char *const place[] = {"frame_x", "frame_y", "frame_z"};
  const modelFrame *x = &b->m->frame[frame];
  const node3 r = gen_constant_vector(b, x->r, place, frame);
  baseArena *arena = &b->program->arena;
  const char *name = word(b, x->name);
  genFrame moved = {0};
  follow(b, frame, r, acc, &moved);

  eqnFunction *f = gen_add_plain(b, arena_format(arena, "%s_point", name),
                                 arena_format(arena, "Where the origin of frame '%s' is.", x->name),
                                 "q", 1, GROUP_FORWARD);
  put_pose(b, f, &moved);
  f = gen_add_plain(b, arena_format(arena, "%s_position", name),
                    arena_format(arena, "Where frame '%s' is.", x->name), "q", 2, GROUP_FORWARD);
  put_pose(b, f, &moved);
  f = gen_add_plain(b, arena_format(arena, "%s_motion", name),
                    arena_format(arena, "Where frame '%s' is and how it moves.", x->name), "qva", 6,
                    GROUP_FORWARD);
  put_pose(b, f, &moved);
  put_motion(b, f, &moved);
  f = gen_add_plain(b, arena_format(arena, "%s_jacobian", name),
                    arena_format(arena, "How coordinates move frame '%s'.", x->name), "q", 1,
                    GROUP_FORWARD);
  put_jacobian(b, f, frame, r);
}


void gen_add_frames(genBuild *b)
{
  int *acc = gen_alloc(b, 6 * (size_t) b->tree->n, sizeof *acc);
  gen_record_motion(b->tree, acc);
  for (int i = 0; i < b->m->nframe; i++) {
    if (b->m->frame[i].link > 0) add_frame(b, i, acc);
  }
}

//---- energy, momentum, reactions -----------------------------------------------------------------

void gen_add_energy(genBuild *b)
{
  eqnFunction *f = gen_add_plain(b, "energy", "Kinetic energy and potential energy of gravity.",
                                 "qv", 2, GROUP_OTHER);
  const int kinetic = sym_record_kinetic(b->tree), potential = sym_record_potential(b->tree);
  f->output[0] = gen_vector(b, "kinetic", "J", 1, &kinetic, NULL);
  f->output[1] =
      gen_vector(b, "potential", "of gravity, zero at the ground's origin, J", 1, &potential, NULL);

  f = gen_add_plain(b, "momentum", "Momentum of all bodies, ground axes.", "qv", 2, GROUP_OTHER);
  int momentum[6];
  sym_record_momentum(b->tree, momentum);
  f->output[0] = gen_vector(b, "linear", "kg m/s", 3, momentum + 3, NULL);
  f->output[1] = gen_vector(b, "angular", "about the ground's origin, kg m^2/s", 3, momentum, NULL);
}


void gen_joint_reaction(genBuild *b, const modelJoint *joint, const int *all, int out[6])
{
  const int i = joint->link + joint->nlink - 1;
  const int *w = all + 6 * i;
  node3 torque = ground_axes(b, i, (node3){w[0], w[1], w[2]});
  node3 force = ground_axes(b, i, (node3){w[3], w[4], w[5]});
  if (joint->is_reversed) {
    static const char *const name[] = {"px", "py", "pz"};
    const treeLink *first = &b->m->tree.link[joint->link];
    const node3 at = gen_constant_vector(b, first->p, name, joint->link);
    const node3 from = gen_link_point(b, first->parent, at);
    const node3 arm = node3_sub(b->pool, ((const nodeFrame *) b->world)[i].o, from);
    gen_opposite(b, arm, &force, &torque);
  }
  const int list[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  memcpy(out, list, sizeof list);
}


void gen_add_reactions(genBuild *b)
{
  static const char *const component[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  int *all = gen_alloc(b, 6 * (size_t) b->tree->n, sizeof *all), n = 0;
  int *tau = gen_alloc(b, (size_t) b->tree->nv, sizeof *tau);
  int *out = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *out);
  const char **label = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *label);
  eqnFunction *f = gen_add_plain(b, "reactions", "What joints do to the bodies they lead to.",
                                 "qvaf", 1, GROUP_BACKWARD);
  sym_record_inverse(b->tree, tau, all);
  for (int j = 0; j < b->m->njoint; j++) {
    const modelJoint *joint = &b->m->joint[j];
    if (joint->is_cut) continue;
    gen_joint_reaction(b, joint, all, out + n);
    for (int k = 0; k < 6; k++) {
      label[n++] = arena_format(&b->program->arena, "%s.%s", joint->name, component[k]);
    }
  }
  f->output[0] =
      gen_vector(b, "reaction", "on `to` at the joint, ground axes: force, torque of every joint",
                 n, out, label);
}
