// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Outputs of the model and reactions of all joints, as functions of the whole machine. Data of viewers follow the
// outputs: motion of bodies; forces of elements and reactions of joints as arrows, in ground axes, as force/instant_parts.c
// has them; how well energies balance and loops are closed.
#include "gen/element/wheel.h"

#include "articula/parts.h"
#include "gen/parameter/definition.h"
#include "model/rod_physics.h"

//---- motions of bodies ---------------------------------------------------------------------------

int gen_motion_count(const artModel *m)
{
  artBodyPart part;
  int n = 1;
  while (art_get_body(m, n, &part)) n++;
  return GEN_MOTION_SIZE * (n - 1);
}


const char *gen_motion_name(const artModel *m, int k, baseArena *arena)
{
  static const char *const part[] = {"position", "axis_x", "axis_y", "axis_z", "velocity", "omega"};
  artBodyPart body = {.name = ""};
  art_get_body(m, 1 + k / GEN_MOTION_SIZE, &body);
  return arena_format(arena, "%s.%s.%c", body.name, part[k % GEN_MOTION_SIZE / 3], 'x' + k % 3);
}


static void frame_motion(genBuild *b, int frame, int to[GEN_MOTION_SIZE])
{
  const m3 axes = gen_frame_axes(b, frame);
  to = v3_put(to, gen_point(b, frame));
  to = v3_put(v3_put(v3_put(to, axes.x), axes.y), axes.z);
  to = v3_put(to, gen_point_velocity(b, frame));
  v3_put(to, gen_angular_velocity(b, frame));
}


static void rod_motion(genBuild *b, int cut, int to[GEN_MOTION_SIZE])
{
  const v3 r[2] = {gen_rod_end(b, cut, 0, 0), gen_rod_end(b, cut, 1, 0)};
  const v3 v[2] = {gen_rod_end(b, cut, 0, 1), gen_rod_end(b, cut, 1, 1)};
  const v3 span = v3_sub(r[1], r[0]), zero = {0};
  const real inverse = r_div(r_const(1), v3_dot(span, span));
  to = v3_put(v3_put(v3_put(to, r[0]), zero), zero);
  to = v3_put(v3_put(to, v3_scale(r_sqrt(inverse), span)), v[0]);
  v3_put(to, rod_bar_turn(r, v[0], v[1]));
}


static void add_motions(genBuild *b, int *node, const char **label)
{
  const artModel *m = b->m;
  const int n = gen_motion_count(m);
  for (int k = 0; k < n; k++) label[k] = gen_motion_name(m, k, &b->program->arena);
  for (int k = 0; k < n; k += GEN_MOTION_SIZE, node += GEN_MOTION_SIZE) {
    const int i = 1 + k / GEN_MOTION_SIZE, cut = model_rod_cut(m, i);
    if (cut >= 0) {
      rod_motion(b, cut, node);
    } else {
      frame_motion(b, i, node);
    }
  }
}

//---- forces as arrows ----------------------------------------------------------------------------

static const genWheel *wheel_of_element(const genBuild *b, int element)
{
  ART_ASSERT(b->m->element[element].tyre);
  const genWheel *w = b->wheel;
  while (w->element != element) w++;
  return w;
}


// the first values of an element: its force along axes of its own or of ground
static v3 own_force(genBuild *b, const modelElement *e)
{
  const int *value = b->value + e->value0;
  return e->nvalue >= 3 ? v3_nodes(value) : (v3){0};
}


static v3 node_to_ground(genBuild *b, int frame, v3 x)
{
  return m3_back(gen_frame_axes(b, frame), x);
}


static int *force_arrow(genBuild *b, int i, int *to)
{
  ART_ASSERT(i >= 0 && i < b->m->nelement);
  const modelElement *e = &b->m->element[i];
  const int *value = b->value + e->value0;
  v3 at = {0}, force = {0};
  if (e->nframe > 0 && e->type->arrow != ARROW_NONE) at = gen_point(b, e->frame[e->nframe - 1]);
  switch (e->type->arrow) {
  case ARROW_LINE: force = v3_scale(r_neg((real){value[0]}), gen_last_direction(b, e)); break;
  case ARROW_AXES: force = node_to_ground(b, e->frame[0], own_force(b, e)); break;
  case ARROW_GROUND:
    force = own_force(b, e);
    if (e->in_body) force = node_to_ground(b, e->frame[0], force);
    break;
  case ARROW_CONTACT:
    at = v3_nodes(value + TYRE_X);
    force = wheel_of_element(b, i)->force;
    break;
  case ARROW_TOUCH:
    at = gen_contact_point(b, e);
    force = own_force(b, e);
    break;
  case ARROW_NONE: break;
  }
  return v3_put(v3_put(to, at), force);
}

//---- reactions as arrows -------------------------------------------------------------------------

// a joint's place on the side of `to`
static v3 joint_place(genBuild *b, const modelJoint *joint)
{
  static const char *const name[] = {"px", "py", "pz"};
  if (joint->is_cut) return gen_rod_end(b, joint->cut, 1, 0);
  if (!joint->is_reversed) return b->world[joint->link + joint->nlink - 1].o;
  const treeLink *first = &b->m->tree.link[joint->link];
  return point_place(&b->world[first->parent], gen_constant_vector(b, first->p, name, joint->link));
}


static int *put_reaction(genBuild *b, int j, int *to)
{
  const wrench f = gen_settled_reaction(b, j);
  return v3_put(v3_put(to, f.lin), f.ang);
}


//---- checks --------------------------------------------------------------------------------------

static int larger_magnitude(genBuild *b, int most, int x)
{
  return expr_operate(b->pool, EXPR_MAX, most, expr_operate(b->pool, EXPR_ABS, x, 0));
}


int gen_show_count(const artModel *m)
{
  return GEN_FORCE_ARROW * m->nelement + GEN_JOINT_ARROW * m->own_joints + GEN_CHECKS;
}


static void add_shown_arrows(genBuild *b, int *node, const char **label)
{
  gen_settle(b);
  for (int k = 0; k < gen_show_count(b->m); k++) label[k] = "shown";
  for (int i = 0; i < b->m->nelement; i++) node = force_arrow(b, i, node);
  for (int j = 0; j < b->m->own_joints; j++) {
    ART_ASSERT(j >= 0 && j < b->m->njoint);
    node = put_reaction(b, j, v3_put(node, joint_place(b, &b->m->joint[j])));
  }
  // kinetic and potential energy, work; largest |phi| and |J v|
  int phi = expr_constant(b->pool, 0), rate = phi;
  for (int r = 0; r < b->m->nrow; r++) {
    int sum = expr_constant(b->pool, 0);
    for (int k = 0; k < b->tree->nv; k++) {
      const int share = expr_mul(b->pool, matrix_entry(&b->rows.J, r, k), b->tree->v[k]);
      sum = expr_add(b->pool, sum, share);
    }
    phi = larger_magnitude(b, phi, b->rows.phi[r]);
    rate = larger_magnitude(b, rate, sum);
  }
  node[0] = gen_kinetic(b);
  node[1] = gen_potential(b);
  node[2] = gen_run(b, RUN_WORK);
  node[3] = phi;
  node[4] = rate;
}

//---- outputs -------------------------------------------------------------------------------------

void gen_outputs(genBuild *b)
{
  const int own = b->m->noutput;
  const int moving = b->options->motions ? gen_motion_count(b->m) : 0;
  const int shown = own + moving + (b->options->shows ? gen_show_count(b->m) : 0);
  const int most = shown + (b->options->shows ? gen_geometry(b->m).count : 0);
  int *node = gen_alloc(b, (size_t) most, sizeof *node);
  const char **label = gen_alloc(b, (size_t) most, sizeof *label);
  eqnFunction *f = gen_like_accelerate(b, EQN_OUTPUTS, "the outputs of the model", 1);
  b->branch = NULL;
  for (int i = 0; i < own; i++) {
    const modelOutput *output = &b->m->output[i];
    if (!output->formula) {
      gen_leave(b, base_fail(b->error, ART_UNSUPPORTED, base_nowhere(),
                             "output '%s' is a function of the host program, which generated code "
                             "cannot call",
                             output->name));
    }
    node[i] = gen_formula(b, output->formula, base_nowhere(), output->name);
    // "speed [m/s]" as tables have it
    baseArena *arena = &b->program->arena;
    label[i] = output->unit ? arena_format(arena, "%s [%s]", output->name, output->unit)
                            : arena_text(arena, output->name);
  }
  if (moving > 0) add_motions(b, node + own, label + own);
  if (b->options->shows) add_shown_arrows(b, node + own + moving, label + own + moving);
  const int n = shown + (b->options->shows ? gen_moving_geometry(b, node + shown) : 0);
  for (int k = shown; k < n; k++) label[k] = "geometry";
  f->output[f->noutput++] = gen_vector(b, "y", "outputs with their units", n, node, label);
  if (b->run[0] == 0) return;
  f->input[f->ninput++] = gen_vector(
      b, "run",
      "work of forces without potential since the start and energy then, J; length of "
      "the last step, s, and index of its method; largest violation of a constraint, of its "
      "rate and acceleration",
      RUN_COUNT, b->run, NULL);
}


// joints of the model, then ball joints of bars that have become rods
eqnVector gen_reaction_vector(genBuild *b)
{
  static const char *const axis[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const int njoint = b->m->njoint;
  int *node = gen_alloc(b, 6 * (size_t) njoint, sizeof *node);
  const char **label = gen_alloc(b, 6 * (size_t) njoint, sizeof *label);
  gen_settle(b);
  for (int j = 0; j < njoint; j++) put_reaction(b, j, node + 6 * j);
  for (int i = 0; i < 6 * njoint; i++) {
    label[i] = arena_format(&b->program->arena, "%s.%s", b->m->joint[i / 6].name, axis[i % 6]);
  }
  return gen_vector(b, "reaction",
                    "on `to` at the joint, ground axes: force, torque of every joint", 6 * njoint,
                    node, label);
}


void gen_machine_reactions(genBuild *b)
{
  const eqnVector reaction = gen_reaction_vector(b);
  eqnFunction *f = gen_like_accelerate(
      b, EQN_MACHINE_REACTIONS, "what all joints of the machine do to the bodies they lead to", 1);
  f->output[f->noutput++] = reaction;
}
