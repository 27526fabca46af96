// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the bare tree that need its parameters as they are: frames, energy, reactions.
#include "gen/vectors.h"

#include <string.h>

#include "base/ascii.h"
#include "gen/tree/tree_equations.h"
#include "gen/tree/tree_part.h"
#include "spatial/quaternion.h"


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


eqnFunction *gen_add_plain(genBuild *b, eqnFunctionKind kind, const char *name, const char *what,
                           const char *letters, int noutput, eqnGroup group)
{
  eqnFunction *f = gen_add_named_function(b, kind, name ? name : eqn_function_name(kind), what,
                                          (int) strlen(letters), noutput, 1);
  f->stage[0] = (eqnStage){.title = f->name, .group = group};
  gen_put_inputs(b, f, letters);
  return f;
}


int gen_link_rates(const genBuild *b, const treeLink *link, const int *move, int *dq)
{
  const int straight = link_straight(link);
  for (int k = 0; k < straight; k++) dq[k] = move[link->v0 + k];
  if (!link_turns(link)) return straight;

  const real *e = (const real *) (b->tree->q + link->q0 + straight);
  quaternion_rate(e, v3_nodes(move + link->v0 + straight), (real *) (dq + straight));
  return straight + 4;
}


void gen_position_rates(genBuild *b, const int *move, int *dq)
{
  const treeModel *tree = &b->m->tree;
  memset(dq, 0, (size_t) tree->nq * sizeof *dq);
  for (int i = 1; i < tree->n; i++) gen_link_rates(b, &tree->link[i], move, dq + tree->link[i].q0);
}

//---- kinematics of frames ------------------------------------------------------------------------

// "arm.tip" as part of a function's name
static const char *function_word(genBuild *b, const char *name)
{
  char *text = arena_text(&b->program->arena, name);
  for (char *c = text; *c; c++) {
    if (!ascii_is_word((unsigned char) *c) || (unsigned char) *c > 127) *c = '_';
  }
  return text;
}


v3 gen_gravity(genBuild *b)
{
  static const char *const g[] = {"gx", "gy", "gz"};
  return gen_constant_vector(b, b->m->tree.gravity, g, 0);
}


v3 gen_point_acceleration(genBuild *b, int link, v3 r, const motion *acc)
{
  const v3 a = point_acceleration(&b->world[link], b->velocity[link].ang, &acc[link], r);
  return v3_add(a, gen_gravity(b));
}


static const char *const frame_axis[3][3] = {{"frame_Rxx", "frame_Rxy", "frame_Rxz"},
                                             {"frame_Ryx", "frame_Ryy", "frame_Ryz"},
                                             {"frame_Rzx", "frame_Rzy", "frame_Rzz"}};


v3 gen_frame_row(genBuild *b, int frame, int k)
{
  ART_ASSERT(frame >= 0 && frame < b->m->nframe && k >= 0 && k < 3);
  const modelFrame *x = &b->m->frame[frame];
  const v3c row = k == 0 ? x->R.x : k == 1 ? x->R.y : x->R.z;
  return (v3){{gen_number(b, row.x, frame_axis[k][0], frame)},
              {gen_number(b, row.y, frame_axis[k][1], frame)},
              {gen_number(b, row.z, frame_axis[k][2], frame)}};
}


// axes of a frame in its link, by rows
static m3 own_axes(genBuild *b, int frame)
{
  const m3c *R = &b->m->frame[frame].R;
  m3 own;
  own.x = gen_constant_vector(b, R->x, frame_axis[0], frame);
  own.y = gen_constant_vector(b, R->y, frame_axis[1], frame);
  own.z = gen_constant_vector(b, R->z, frame_axis[2], frame);
  return own;
}


m3 gen_frame_axes(genBuild *b, int frame)
{
  ART_ASSERT(frame >= 0 && frame < b->m->nframe);
  return m3_mul_m3(own_axes(b, frame), b->world[b->m->frame[frame].link].R);
}


// pose and motion in the axes of the links
static void follow_links(genBuild *b, int frame, v3 r, const motion *acc, genFrame *out)
{
  const int link = b->m->frame[frame].link;
  const treeWorld *world = &b->world[link];
  const m3 R = m3_transpose(gen_frame_axes(b, frame));
  v3_put(out->R, R.x);
  v3_put(out->R + 3, R.y);
  v3_put(out->R + 6, R.z);
  v3_put(out->x, point_place(world, r));
  v3_put(out->xd, point_velocity(world, &b->velocity[link], r));
  v3_put(out->omega, m3_back(world->R, b->velocity[link].ang));
  v3_put(out->xdd, gen_point_acceleration(b, link, r, acc));
  v3_put(out->alpha, m3_back(world->R, acc[link].ang));
}


// by the scheme that is asked for
static void follow_frame(genBuild *b, int frame, v3 r, const motion *acc, genFrame *out)
{
  const genScheme scheme = b->options->scheme;
  if (scheme == GEN_LINK_AXES) {
    follow_links(b, frame, r, acc, out);
    return;
  }
  const m3 own = own_axes(b, frame);
  gen_record_frame(b->tree, scheme, b->m->frame[frame].link, (const int *) &r, (const int *) &own,
                   out);
}


static eqnVector three_vector(genBuild *b, const char *name, const char *what, const int x[3])
{
  return gen_vector(b, name, what, 3, x, NULL);
}


static void put_pose(genBuild *b, eqnFunction *f, const genFrame *x)
{
  f->output[0] = three_vector(b, "x", "position in ground, m", x->x);
  if (f->noutput > 1) {
    f->output[1] = gen_vector(b, "R", "rotation by rows, v_ground = R v_frame", 9, x->R, NULL);
  }
}


static void put_jacobian(genBuild *b, eqnFunction *f, int frame, v3 r)
{
  const int n = 6 * b->tree->nv, link = b->m->frame[frame].link;
  const genScheme scheme = b->options->scheme;
  const int *origin = (const int *) &r;
  int *J = gen_alloc(b, (size_t) n, sizeof *J);
  if (scheme == GEN_LINK_AXES) {
    gen_record_jacobian(b->tree, link, origin, J);
  } else {
    gen_record_frame_jacobian(b->tree, scheme, link, origin, J);
  }
  f->output[0] = gen_vector(
      b, "J", "Jacobian, 6 x nv by rows, ground axes: angular velocity, then velocity", n, J, NULL);
}


static void add_frame(genBuild *b, int frame, const motion *acc)
{
  static const char *const place[] = {"frame_x", "frame_y", "frame_z"};
  const modelFrame *x = &b->m->frame[frame];
  const v3 r = gen_constant_vector(b, x->r, place, frame);
  baseArena *arena = &b->program->arena;
  const char *name = function_word(b, x->name);
  genFrame moved = {0};
  follow_frame(b, frame, r, acc, &moved);

  eqnFunction *f = gen_add_plain(b, EQN_OTHER, arena_format(arena, "%s_point", name),
                                 arena_format(arena, "Where the origin of frame '%s' is", x->name),
                                 "q", 1, GROUP_FORWARD);
  put_pose(b, f, &moved);
  f = gen_add_plain(b, EQN_OTHER, arena_format(arena, "%s_position", name),
                    arena_format(arena, "Where frame '%s' is", x->name), "q", 2, GROUP_FORWARD);
  put_pose(b, f, &moved);
  f = gen_add_plain(b, EQN_OTHER, arena_format(arena, "%s_motion", name),
                    arena_format(arena, "Where frame '%s' is and how it moves", x->name), "qva", 6,
                    GROUP_FORWARD);
  put_pose(b, f, &moved);
  f->output[2] = three_vector(b, "xd", "velocity, ground axes, m/s", moved.xd);
  f->output[3] = three_vector(b, "omega", "angular velocity, ground axes, rad/s", moved.omega);
  f->output[4] = three_vector(b, "xdd", "acceleration, ground axes, m/s^2", moved.xdd);
  f->output[5] =
      three_vector(b, "alpha", "angular acceleration, ground axes, rad/s^2", moved.alpha);
  f = gen_add_plain(b, EQN_OTHER, arena_format(arena, "%s_jacobian", name),
                    arena_format(arena, "How coordinates move frame '%s'", x->name), "q", 1,
                    GROUP_FORWARD);
  put_jacobian(b, f, frame, r);
}


void gen_add_frames(genBuild *b)
{
  motion *acc = gen_alloc(b, (size_t) b->tree->n, sizeof *acc);
  gen_record_motion(b->tree, (int *) acc);
  for (int i = 0; i < b->m->nframe; i++) {
    if (b->m->frame[i].link > 0) add_frame(b, i, acc);
  }
}

//---- energy, momentum, reactions -----------------------------------------------------------------

void gen_add_energy(genBuild *b)
{
  eqnFunction *f = gen_add_plain(
      b, EQN_ENERGY, NULL, "Kinetic energy and potential energy of gravity", "qv", 2, GROUP_OTHER);
  const int kinetic = sym_record_kinetic(b->tree), potential = sym_record_potential(b->tree);
  f->output[0] = gen_vector(b, "kinetic", "J", 1, &kinetic, NULL);
  f->output[1] =
      gen_vector(b, "potential", "of gravity, zero at the ground's origin, J", 1, &potential, NULL);

  f = gen_add_plain(b, EQN_MOMENTUM, NULL, "Momentum of all bodies, ground axes", "qv", 2,
                    GROUP_OTHER);
  int momentum[6];
  sym_record_momentum(b->tree, momentum);
  f->output[0] = gen_vector(b, "linear", "kg m/s", 3, momentum + 3, NULL);
  f->output[1] = gen_vector(b, "angular", "about the ground's origin, kg m^2/s", 3, momentum, NULL);
}


wrench gen_joint_reaction(genBuild *b, const modelJoint *joint, const wrench *all)
{
  const int i = joint->link + joint->nlink - 1;
  wrench f = {m3_back(b->world[i].R, all[i].ang), m3_back(b->world[i].R, all[i].lin)};
  if (joint->is_reversed) {
    static const char *const name[] = {"px", "py", "pz"};
    const treeLink *first = &b->m->tree.link[joint->link];
    const v3 at = gen_constant_vector(b, first->p, name, joint->link);
    const v3 from = point_place(&b->world[first->parent], at);
    f = wr_opposite(f, v3_sub(b->world[i].o, from));
  }
  return f;
}


void gen_add_reactions(genBuild *b)
{
  static const char *const component[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  wrench *all = gen_alloc(b, (size_t) b->tree->n, sizeof *all);
  int *tau = gen_alloc(b, (size_t) b->tree->nv, sizeof *tau);
  int *out = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *out), n = 0;
  const char **label = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *label);
  eqnFunction *f =
      gen_add_plain(b, EQN_REACTIONS, NULL, "Reactions of joints on the bodies they lead to",
                    "qvaf", 1, GROUP_BACKWARD);
  sym_record_inverse(b->tree, tau, (int *) all);
  for (int j = 0; j < b->m->njoint; j++) {
    const modelJoint *joint = &b->m->joint[j];
    if (joint->is_cut) continue;
    const wrench on_to = gen_joint_reaction(b, joint, all);
    v3_put(v3_put(out + n, on_to.lin), on_to.ang);
    for (int k = 0; k < 6; k++) {
      label[n++] = arena_format(&b->program->arena, "%s.%s", joint->name, component[k]);
    }
  }
  f->output[0] =
      gen_vector(b, "reaction", "on `to` at the joint, ground axes: force, torque of every joint",
                 n, out, label);
}
