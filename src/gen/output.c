// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Outputs of the model and reactions of all joints, as functions of the whole machine.
#include "gen/output.h"

#include "articula/parts.h"

#include "gen/arrow.h"
#include "gen/reactions.h"
#include "gen/recorded.h"

// "speed [m/s]" as tables have it
static const char *column_name(genBuild *b, const modelOutput *output)
{
  baseArena *arena = &b->program->arena;
  return output->unit ? arena_format(arena, "%s [%s]", output->name, output->unit)
                      : arena_text(arena, output->name);
}


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


static void put_nodes(int to[3], node3 x)
{
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
}


static void frame_motion(genBuild *b, int frame, int to[GEN_MOTION_SIZE])
{
  node3 axis[3];
  gen_frame_axes(b, frame, axis);
  put_nodes(to, gen_point(b, frame));
  for (int k = 0; k < 3; k++) put_nodes(to + 3 + 3 * k, axis[k]);
  put_nodes(to + 12, gen_point_velocity(b, frame));
  put_nodes(to + 15, gen_angular_velocity(b, frame));
}


// w = span x (v_to - v_from) / |span|^2
static void rod_motion(genBuild *b, int cut, int to[GEN_MOTION_SIZE])
{
  exprPool *p = b->pool;
  const node3 from = gen_rod_end(b, cut, 0, 0), velocity = gen_rod_end(b, cut, 0, 1);
  const node3 span = node3_sub(p, gen_rod_end(b, cut, 1, 0), from);
  const node3 rate = node3_sub(p, gen_rod_end(b, cut, 1, 1), velocity);
  const int square = node3_dot(p, span, span), one = expr_constant(p, 1);
  const int inverse = expr_div(p, one, square);
  put_nodes(to, from);
  for (int k = 3; k < 9; k++) to[k] = expr_constant(p, 0);
  put_nodes(to + 9, node3_scale(p, expr_sqrt(p, inverse), span));
  put_nodes(to + 12, velocity);
  put_nodes(to + 15, node3_scale(p, inverse, node3_cross(p, span, rate)));
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

//---- outputs -------------------------------------------------------------------------------------

void gen_outputs(genBuild *b)
{
  const int own = b->m->noutput;
  const int moving = b->options->motions ? gen_motion_count(b->m) : 0;
  const int n = own + moving + (b->options->shows ? gen_show_count(b->m) : 0);
  int *node = gen_alloc(b, (size_t) n, sizeof *node);
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  eqnFunction *f = gen_like_accelerate(b, "outputs", "the outputs of the model", 1);
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
    label[i] = column_name(b, output);
  }
  if (moving > 0) add_motions(b, node + own, label + own);
  if (b->options->shows) gen_show(b, node + own + moving, label + own + moving);
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
  for (int i = 0; i < 6 * njoint; i++) {
    if (i % 6 == 0) gen_settled_reaction(b, i / 6, node + i);
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
      b, "machine_reactions", "what all joints of the machine do to the bodies they lead to", 1);
  f->output[f->noutput++] = reaction;
}
