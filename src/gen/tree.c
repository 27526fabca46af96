// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the bare tree: no forces but gravity and those that are given, loops open.
#include "gen/tree.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "eqn/draft.h"
#include "gen/build.h"


static int asks(const genBuild *b, unsigned form)
{
  return (b->options->forms & form) != 0;
}


static void set_stage(eqnFunction *f, const char *title, eqnGroup group)
{
  f->stage[0] = (eqnStage){.title = title, .group = group};
}


// a function of one straight stage
static eqnFunction *add_plain(genBuild *b, const char *name, const char *what, int ninput,
                              int noutput, eqnGroup group)
{
  eqnFunction *f = gen_add_function(b, name, what, ninput, noutput, 1);
  if (f) set_stage(f, name, group);
  return f;
}


static eqnVector forces_on_links(genBuild *b)
{
  const int n = b->tree->n - 1;
  return gen_vector(b, "f",
                    "applied on links 1 to n: moment and force at the origin, in the link's axes",
                    6 * n, b->tree->f_ext + 6, NULL);
}


static eqnVector labelled(genBuild *b, const char *name, const char *what, const int *node)
{
  const int nv = b->tree->nv;
  const char **label = gen_alloc(b, (size_t) nv, sizeof *label);
  for (int k = 0; label && k < nv; k++) label[k] = b->m->velocity[k].name;
  return gen_vector(b, name, what, nv, node, label);
}

//---- dynamics ------------------------------------------------------------------------------------

static void add_inverse(genBuild *b, const char *name, const char *what, int with_forces)
{
  int *tau = gen_alloc(b, (size_t) b->tree->nv, sizeof *tau);
  eqnFunction *f = add_plain(b, name, what, 3 + with_forces, 1, GROUP_BACKWARD);
  if (!tau || !f) return;
  gen_record_inverse(b->tree, b->tree->a, tau);
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->input[2] = gen_accelerations(b);
  if (with_forces) f->input[3] = forces_on_links(b);
  f->output[0] = labelled(b, "tau", "joint forces, N or N m", tau);
}


// mass matrix and joint forces at the accelerations that are given, those of drives or none
typedef struct massBias {
  int *M, *h;
} massBias;


static int record_mass_bias(genBuild *b, int with_drives, massBias *x)
{
  const int nv = b->tree->nv;
  const treeModel *t = &b->m->tree;
  int *a = gen_alloc(b, (size_t) nv, sizeof *a);
  x->M = gen_alloc(b, (size_t) nv * (size_t) nv, sizeof *x->M);
  x->h = gen_alloc(b, (size_t) nv, sizeof *x->h);
  if (!a || !x->M || !x->h) return 0;
  for (int k = 0; with_drives && k < nv; k++) {
    if (t->link[t->dof_link[k]].is_driven) a[k] = b->tree->a[k];
  }
  gen_record_inverse(b->tree, a, x->h);
  gen_record_mass(b->tree, x->M);
  return 1;
}


static void add_mass_bias(genBuild *b)
{
  massBias x;
  const int nv = b->tree->nv;
  eqnFunction *f =
      add_plain(b, "mass_bias", "Mass matrix M and bias h of M a + h = tau.", 2, 2, GROUP_BACKWARD);
  if (!f || !record_mass_bias(b, 0, &x)) return;
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < i; j++) x.M[j * nv + i] = x.M[i * nv + j];
  }
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->output[0] = gen_vector(b, "M", "mass matrix, by rows", nv * nv, x.M, NULL);
  f->output[1] = labelled(b, "h", "joint forces at zero acceleration", x.h);
}


static int drive_count(const genBuild *b)
{
  int n = 0;
  for (int i = 1; i < b->m->tree.n; i++) n += b->m->tree.link[i].is_driven;
  return n;
}


// accelerations as an output; those of driven coordinates are inputs
static void finish_forward(genBuild *b, eqnFunction *f, const int *a, int with_forces)
{
  const int n = drive_count(b);
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->input[2] = gen_joint_forces(b);
  if (with_forces) f->input[3] = forces_on_links(b);
  if (n > 0) {
    int *given = gen_alloc(b, (size_t) n, sizeof *given), count = 0;
    const char **label = gen_alloc(b, (size_t) n, sizeof *label);
    if (!given || !label) return;
    for (int i = 1; i < b->m->tree.n; i++) {
      const treeLink *link = &b->m->tree.link[i];
      if (!link->is_driven) continue;
      label[count] = b->m->velocity[link->v0].name;
      given[count++] = b->tree->a[link->v0];
    }
    f->input[3 + with_forces] =
        gen_vector(b, "a_driven", "accelerations of driven coordinates", n, given, label);
  }
  f->output[0] = labelled(b, "a", "accelerations, m/s^2 or rad/s^2", a);
}


static void add_forward(genBuild *b)
{
  massBias x;
  int *a = gen_alloc(b, (size_t) b->tree->nv, sizeof *a);
  eqnFunction *f =
      add_plain(b, "forward", "Accelerations by the factors of the mass matrix from the leaves.",
                3 + (drive_count(b) > 0), 1, GROUP_SOLVE);
  if (!a || !f || !record_mass_bias(b, 1, &x)) return;
  gen_record_solution(b->tree, x.M, x.h, a);
  finish_forward(b, f, a, 0);
}


static void add_forward_n(genBuild *b, const char *name, const char *what, int with_forces)
{
  int *a = gen_alloc(b, (size_t) b->tree->nv, sizeof *a);
  eqnFunction *f =
      add_plain(b, name, what, 3 + with_forces + (drive_count(b) > 0), 1, GROUP_BACKWARD);
  if (!a || !f) return;
  sym_record_forward(b->tree, a);
  finish_forward(b, f, a, with_forces);
}


// operations behind a function, those on parameters alone not counted; -1 when memory ran out
static int operations(const genBuild *b, const eqnFunction *f)
{
  const exprPool *pool = b->pool;
  unsigned char *needed = MEM_ARRAY(unsigned char, pool->count);
  unsigned char *constant = MEM_ARRAY(unsigned char, pool->count);
  int total = -1;
  if (f && needed && constant) {
    draft_mark_needed(pool, f, needed);
    draft_mark_constant(pool, b->program, constant);
    total = 0;
    for (int i = 0; i < pool->count; i++) {
      if (needed[i] && !constant[i]) total += draft_operations(pool, i);
    }
  }
  mem_free(needed);
  mem_free(constant);
  return total;
}


// the cheaper of the two
static artStatus choose_forward(genBuild *b)
{
  gen_list_parameters(b);
  const int factors = operations(b, gen_function(b->program, "forward"));
  const int order_n = operations(b, gen_function(b->program, "forward_n"));
  if (factors < 0 || order_n < 0) return base_no_memory(b->error);
  const int by_factors = factors <= order_n;
  const char *what = arena_format(
      &b->program->arena,
      "Accelerations the cheaper way, %s: %d operations, %d by the factors of the mass matrix "
      "and %d in O(n).",
      by_factors ? "by factors" : "in O(n)", by_factors ? factors : order_n, factors, order_n);
  if (!what) return base_no_memory(b->error);
  const eqnFunction chosen = *gen_function(b->program, by_factors ? "forward" : "forward_n");
  eqnFunction *f = gen_add_function(b, "forward_best", what, chosen.ninput, chosen.noutput, 1);
  if (!f) return base_no_memory(b->error);
  const char *name = f->name;
  *f = chosen;
  f->name = name;
  f->what = what;
  return ART_OK;
}

//---- kinematics of frames ------------------------------------------------------------------------

// "arm.tip" as part of a function's name
static const char *word(genBuild *b, const char *name)
{
  char *text = arena_text(&b->program->arena, name);
  for (char *c = text; c && *c; c++) {
    if (!isalnum((unsigned char) *c) || (unsigned char) *c > 127) *c = '_';
  }
  return text ? text : "";
}


static node3 ground_axes(genBuild *b, int link, node3 x)
{
  const nodeFrame *frame = (const nodeFrame *) b->world + link;
  return node3_back(b->pool, frame->e, x);
}


// a constant vector of a frame
static node3 frame_vector(genBuild *b, v3 x, const char *const name[3], int index)
{
  return (node3){gen_parameter(b, x.x, name[0], index), gen_parameter(b, x.y, name[1], index),
                 gen_parameter(b, x.z, name[2], index)};
}


// what the motion of link makes of its point r, in ground axes
static node3 point_velocity(genBuild *b, int link, node3 r)
{
  const int *x = b->velocity + 6 * link;
  const node3 w = {x[0], x[1], x[2]}, v = {x[3], x[4], x[5]};
  return ground_axes(b, link, node3_add(b->pool, v, node3_cross(b->pool, w, r)));
}


static node3 point_acceleration(genBuild *b, int link, node3 r, const int *acc)
{
  exprPool *p = b->pool;
  const int *x = b->velocity + 6 * link, *y = acc + 6 * link;
  const node3 w = {x[0], x[1], x[2]}, alpha = {y[0], y[1], y[2]}, a = {y[3], y[4], y[5]};

  // a + alpha x r + w x (w x r), and the gravity that a leaves out
  const node3 turning =
      node3_add(p, node3_cross(p, alpha, r), node3_cross(p, w, node3_cross(p, w, r)));
  static const char *const g[] = {"gx", "gy", "gz"};
  const node3 gravity = frame_vector(b, b->m->tree.gravity, g, 0);
  return node3_add(p, ground_axes(b, link, node3_add(p, a, turning)), gravity);
}


static eqnVector three(genBuild *b, const char *name, const char *what, node3 x)
{
  return gen_vector(b, name, what, 3, (const int[]){x.x, x.y, x.z}, NULL);
}


// origin and axes
static void put_pose(genBuild *b, eqnFunction *f, int frame, node3 r)
{
  static const char *const name[3][3] = {{"frame_Rxx", "frame_Rxy", "frame_Rxz"},
                                         {"frame_Ryx", "frame_Ryy", "frame_Ryz"},
                                         {"frame_Rzx", "frame_Rzy", "frame_Rzz"}};
  const modelFrame *x = &b->m->frame[frame];
  const v3 rows[3] = {x->R.x, x->R.y, x->R.z};
  int R[9];
  for (int k = 0; k < 3; k++) {
    // columns: axes of the frame in ground
    const node3 axis = ground_axes(b, x->link, frame_vector(b, rows[k], name[k], frame));
    R[k] = axis.x;
    R[3 + k] = axis.y;
    R[6 + k] = axis.z;
  }
  const node3 o = ((const nodeFrame *) b->world + x->link)->o;
  f->input[0] = gen_positions(b);
  f->output[0] =
      three(b, "x", "position in ground, m", node3_add(b->pool, o, ground_axes(b, x->link, r)));
  f->output[1] = gen_vector(b, "R", "rotation by rows, v_ground = R v_frame", 9, R, NULL);
}


static void put_motion(genBuild *b, eqnFunction *f, int frame, node3 r, const int *acc)
{
  const int link = b->m->frame[frame].link;
  const int *w = b->velocity + 6 * link, *alpha = acc + 6 * link;
  f->input[1] = gen_velocities(b);
  f->input[2] = gen_accelerations(b);
  f->output[2] = three(b, "xd", "velocity, ground axes, m/s", point_velocity(b, link, r));
  f->output[3] = three(b, "omega", "angular velocity, ground axes, rad/s",
                       ground_axes(b, link, (node3){w[0], w[1], w[2]}));
  f->output[4] =
      three(b, "xdd", "acceleration, ground axes, m/s^2", point_acceleration(b, link, r, acc));
  f->output[5] = three(b, "alpha", "angular acceleration, ground axes, rad/s^2",
                       ground_axes(b, link, (node3){alpha[0], alpha[1], alpha[2]}));
}


static void put_jacobian(genBuild *b, eqnFunction *f, int frame, node3 r)
{
  const int n = 6 * b->tree->nv;
  int *J = gen_alloc(b, (size_t) n, sizeof *J);
  if (!J) return;
  gen_record_jacobian(b->tree, b->m->frame[frame].link, (const int[]){r.x, r.y, r.z}, J);
  f->input[0] = gen_positions(b);
  f->output[0] = gen_vector(
      b, "J", "Jacobian, 6 x nv by rows, ground axes: angular velocity, then velocity", n, J, NULL);
}


static void add_frame(genBuild *b, int frame, const int *acc)
{
  static const char *const place[] = {"frame_x", "frame_y", "frame_z"};
  const modelFrame *x = &b->m->frame[frame];
  const node3 r = frame_vector(b, x->r, place, frame);
  baseArena *arena = &b->program->arena;
  const char *name = word(b, x->name);

  eqnFunction *f =
      add_plain(b, arena_format(arena, "%s_position", name),
                arena_format(arena, "Where frame '%s' is.", x->name), 1, 2, GROUP_FORWARD);
  if (f) put_pose(b, f, frame, r);
  f = add_plain(b, arena_format(arena, "%s_motion", name),
                arena_format(arena, "Where frame '%s' is and how it moves.", x->name), 3, 6,
                GROUP_FORWARD);
  if (f) put_pose(b, f, frame, r);
  if (f) put_motion(b, f, frame, r, acc);
  f = add_plain(b, arena_format(arena, "%s_jacobian", name),
                arena_format(arena, "How coordinates move frame '%s'.", x->name), 1, 1,
                GROUP_FORWARD);
  if (f) put_jacobian(b, f, frame, r);
}


static void add_frames(genBuild *b)
{
  int *acc = gen_alloc(b, 6 * (size_t) b->tree->n, sizeof *acc);
  if (!acc) return;
  gen_record_motion(b->tree, acc);
  for (int i = 0; i < b->m->nframe; i++) {
    if (b->m->frame[i].link > 0) add_frame(b, i, acc);
  }
}

//---- energy, momentum, reactions -----------------------------------------------------------------

static void add_energy(genBuild *b)
{
  eqnFunction *f =
      add_plain(b, "energy", "Kinetic energy and potential energy of gravity.", 2, 2, GROUP_OTHER);
  if (!f) return;
  const int kinetic = sym_record_kinetic(b->tree), potential = sym_record_potential(b->tree);
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->output[0] = gen_vector(b, "kinetic", "J", 1, &kinetic, NULL);
  f->output[1] =
      gen_vector(b, "potential", "of gravity, zero at the ground's origin, J", 1, &potential, NULL);

  f = add_plain(b, "momentum", "Momentum of all bodies, ground axes.", 2, 2, GROUP_OTHER);
  if (!f) return;
  int momentum[6];
  sym_record_momentum(b->tree, momentum);
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->output[0] = gen_vector(b, "linear", "kg m/s", 3, momentum + 3, NULL);
  f->output[1] = gen_vector(b, "angular", "about the ground's origin, kg m^2/s", 3, momentum, NULL);
}


// on `to` of a joint, at the joint, ground axes: force, torque
static void joint_reaction(genBuild *b, const modelJoint *joint, const int *all, int out[6])
{
  exprPool *p = b->pool;
  const int i = joint->link + joint->nlink - 1;
  const int *w = all + 6 * i;
  node3 torque = ground_axes(b, i, (node3){w[0], w[1], w[2]});
  node3 force = ground_axes(b, i, (node3){w[3], w[4], w[5]});
  if (joint->is_reversed) {
    // the child is `from`: turn the wrench round and move it to the other side
    const treeLink *first = &b->m->tree.link[joint->link];
    static const char *const name[] = {"px", "py", "pz"};
    const node3 at = frame_vector(b, first->p, name, joint->link);
    const nodeFrame *world = (const nodeFrame *) b->world;
    const node3 from = node3_add(p, world[first->parent].o, ground_axes(b, first->parent, at));
    const node3 arm = node3_sub(p, world[i].o, from);
    const int minus = expr_constant(p, -1);
    torque = node3_scale(p, minus, node3_add(p, torque, node3_cross(p, arm, force)));
    force = node3_scale(p, minus, force);
  }
  const int list[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  memcpy(out, list, sizeof list);
}


static void add_reactions(genBuild *b)
{
  static const char *const component[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  int *all = gen_alloc(b, 6 * (size_t) b->tree->n, sizeof *all), n = 0;
  int *tau = gen_alloc(b, (size_t) b->tree->nv, sizeof *tau);
  int *out = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *out);
  const char **label = gen_alloc(b, 6 * (size_t) b->m->njoint, sizeof *label);
  eqnFunction *f =
      add_plain(b, "reactions", "What joints do to the bodies they lead to.", 4, 1, GROUP_BACKWARD);
  if (!all || !tau || !out || !label || !f) return;
  sym_record_inverse(b->tree, tau, all);
  for (int j = 0; j < b->m->njoint; j++) {
    const modelJoint *joint = &b->m->joint[j];
    if (joint->is_cut) continue;
    joint_reaction(b, joint, all, out + n);
    for (int k = 0; k < 6; k++) {
      label[n++] = arena_format(&b->program->arena, "%s.%s", joint->name, component[k]);
      if (!label[n - 1]) label[n - 1] = "";
    }
  }
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->input[2] = gen_accelerations(b);
  f->input[3] = forces_on_links(b);
  f->output[0] =
      gen_vector(b, "reaction", "on `to` at the joint, ground axes: force, torque of every joint",
                 n, out, label);
}

//---- identification ------------------------------------------------------------------------------

// the parameters that are left: pivots of moves are not
static int remaining(const genBuild *b, int nmove, const genMove *moves, int *parameter)
{
  const int n = b->tree->n;
  char *is_moved = MEM_ARRAY(char, GEN_INERTIA *n);
  if (!is_moved) return -1;
  for (int k = 0; k < nmove; k++) is_moved[GEN_INERTIA * moves[k].link + moves[k].pivot] = 1;
  int count = 0;
  for (int i = 1; i < n; i++) {
    for (int k = 0; k < GEN_INERTIA; k++) {
      if (!is_moved[GEN_INERTIA * i + k]) parameter[count++] = GEN_INERTIA * i + k;
    }
    if (b->m->tree.link[i].has_rotor) parameter[count++] = -1 - i;
  }
  mem_free(is_moved);
  return count;
}


static void add_regressor(genBuild *b, int nmove, const genMove *moves)
{
  const int n = b->tree->n, nv = b->tree->nv;
  int *parameter = gen_alloc(b, (GEN_INERTIA + 1) * (size_t) n, sizeof *parameter);
  int *X = gen_alloc(b, GEN_INERTIA * (size_t) n, sizeof *X);
  if (!parameter || !X) return;
  const int count = remaining(b, nmove, moves, parameter);
  if (count < 0) b->pool->failed = 1;
  if (count < 0) return;
  int *delta = gen_alloc(b, (size_t) count, sizeof *delta);
  int *Psi = gen_alloc(b, (size_t) nv * (size_t) count, sizeof *Psi);
  const char **label = gen_alloc(b, (size_t) count, sizeof *label);
  if (!delta || !Psi || !label) return;

  gen_inertia(b->tree, X);
  gen_record_regressor(b->tree, count, parameter, Psi);
  for (int c = 0; c < count; c++) {
    const int is_rotor = parameter[c] < 0;
    const int link = is_rotor ? -1 - parameter[c] : parameter[c] / GEN_INERTIA;
    delta[c] = is_rotor ? gen_rotor(b->tree, link) : X[parameter[c]];
    label[c] =
        arena_format(&b->program->arena, "%s_%d",
                     is_rotor ? "rotor" : gen_inertia_name[parameter[c] % GEN_INERTIA], link);
    if (!label[c]) label[c] = "";
  }

  eqnFunction *f = add_plain(b, "regressor",
                             "Psi of the identification form tau = Psi delta, delta being the "
                             "minimal parameters.",
                             3, 1, GROUP_BACKWARD);
  if (!f) return;
  f->input[0] = gen_positions(b);
  f->input[1] = gen_velocities(b);
  f->input[2] = gen_accelerations(b);
  f->output[0] =
      gen_vector(b, "Psi", "nv rows, a column for each minimal parameter", nv * count, Psi, NULL);
  f = add_plain(b, "minimal_parameters", "delta, the parameters that joint forces can tell apart.",
                0, 1, GROUP_OTHER);
  if (f) f->output[0] = gen_vector(b, "delta", "minimal parameters", count, delta, label);
}

//---- all of them ---------------------------------------------------------------------------------

// what needs the parameters as they are
static void add_classical(genBuild *b)
{
  if (asks(b, GEN_KINEMATICS)) add_frames(b);
  if (asks(b, GEN_ENERGY)) add_energy(b);
  if (asks(b, GEN_REACTIONS)) add_reactions(b);
  if (asks(b, GEN_INVERSE)) {
    add_inverse(b, "inverse_loaded", "Joint forces for accelerations a under applied wrenches f.",
                1);
  }
  if (asks(b, GEN_FORWARD_N)) {
    add_forward_n(b, "forward_loaded", "Accelerations under applied wrenches f, in O(n).", 1);
  }
}


static artStatus add_dynamics(genBuild *b)
{
  sym_tree_unforced(b->tree);
  if (asks(b, GEN_INVERSE)) add_inverse(b, "inverse", "Joint forces for accelerations a.", 0);
  if (asks(b, GEN_MASS)) add_mass_bias(b);
  if (asks(b, GEN_FORWARD_LDL)) add_forward(b);
  if (asks(b, GEN_FORWARD_N)) add_forward_n(b, "forward_n", "Accelerations in O(n).", 0);
  if (expr_failed(b->pool)) return base_no_memory(b->error);
  return asks(b, GEN_FORWARD_LDL) && asks(b, GEN_FORWARD_N) ? choose_forward(b) : ART_OK;
}


// Make the moves of minimal parameters if they are asked for; *before undoes them, NULL when there are
// none. Returns 0 when memory ran out.
static int begin_minimal(genBuild *b, void **before)
{
  *before = NULL;
  if (b->options->parameters != GEN_BARYCENTRIC) return 1;
  genMove *moves = gen_alloc(b, GEN_INERTIA * (size_t) b->tree->n, sizeof *moves);
  const int nmove = moves ? gen_find_moves(&b->m->tree, moves) : -1;
  if (nmove >= 0) *before = gen_make_moves(b->tree, nmove, moves);
  return *before != NULL;
}


int gen_tree_mass_bias(genBuild *b, const int *a, int *M, int *h)
{
  void *before;
  if (!begin_minimal(b, &before)) return 0;
  gen_record_inverse(b->tree, a, h);
  gen_record_mass(b->tree, M);
  gen_undo_moves(b->tree, before);
  return !expr_failed(b->pool);
}


// operations behind accelerations
static int operations_of(const genBuild *b, int *a)
{
  eqnVector output = {.name = "a", .n = b->tree->nv, .node = a};
  eqnStage stage = {.title = "all"};
  const eqnFunction f = {.noutput = 1, .output = &output, .nstage = 1, .stage = &stage};
  return operations(b, &f);
}


int gen_tree_forward(genBuild *b, int *a)
{
  const size_t nv = (size_t) b->tree->nv;
  void *before;
  int *M = gen_alloc(b, nv * nv, sizeof *M), *h = gen_alloc(b, nv, sizeof *h);
  int *given = gen_alloc(b, nv, sizeof *given), *x = gen_alloc(b, nv, sizeof *x);
  if (!M || !h || !given || !x || !begin_minimal(b, &before)) return 0;
  for (size_t k = 0; k < nv; k++) {
    if (b->m->tree.link[b->m->tree.dof_link[k]].is_driven) given[k] = a[k];
  }
  gen_record_inverse(b->tree, given, h);
  gen_record_mass(b->tree, M);
  gen_record_solution(b->tree, M, h, x);
  sym_record_forward(b->tree, a);
  gen_undo_moves(b->tree, before);

  gen_list_parameters(b);
  const int factors = operations_of(b, x), order_n = operations_of(b, a);
  if (factors <= order_n && nv > 0) memcpy(a, x, nv * sizeof *a);
  return factors >= 0 && order_n >= 0 && !expr_failed(b->pool);
}


artStatus gen_tree_forms(genBuild *b)
{
  const unsigned forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N | GEN_KINEMATICS |
                         GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR;
  if (!asks(b, forms)) return ART_OK;
  add_classical(b);

  const int barycentric = b->options->parameters == GEN_BARYCENTRIC;
  artStatus status = ART_OK;
  if (!barycentric) status = add_dynamics(b);
  if (status != ART_OK || !(barycentric || asks(b, GEN_REGRESSOR))) return status;

  genMove *moves = gen_alloc(b, GEN_INERTIA * (size_t) b->tree->n, sizeof *moves);
  const int nmove = moves ? gen_find_moves(&b->m->tree, moves) : -1;
  if (nmove < 0) return base_no_memory(b->error);
  void *before = gen_make_moves(b->tree, nmove, moves);
  if (before && barycentric) status = add_dynamics(b);
  if (before && status == ART_OK && asks(b, GEN_REGRESSOR)) add_regressor(b, nmove, moves);
  gen_undo_moves(b->tree, before);
  return status;
}
