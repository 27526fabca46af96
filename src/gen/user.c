// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces and constraints by functions of the user: calls of external functions, whose inputs are
// expressions and whose results are taken as they come.
#include <string.h>

#include "gen/build.h"

static const char *const words[FUNCTION_KINDS] = {
    [FUNCTION_LINK] = "link: length, its rate, time to the force that pulls its ends together",
    [FUNCTION_JOINT] = "joint: coordinate, its rate, time to the force along it",
    [FUNCTION_POINT] =
        "point: position, velocity, rotation by rows, angular velocity, time to force and moment, "
        "all in ground axes",
    [FUNCTION_TYRE] = "tyre: slip, slip angle, camber, load, depth, approach, spin, speed, time to "
                      "Fx, Fy, Fz, Mx, My, Mz",
    [FUNCTION_CONSTRAINT] = "constraint: coordinates to value, then its derivatives",
    [FUNCTION_BIAS] = "constraint: coordinates, then rates, to what is left of the second "
                      "derivative at zero accelerations",
};


// its number, declared at its first use
static int external_of(genBuild *b, const modelFunction *f)
{
  const int i = (int) (f - b->m->function), narg = f->ninput + f->nparameter;
  if (b->function[i] >= 0) return b->function[i];
  b->function[i] = expr_external(b->pool, narg, f->n);
  const char *what = f->nparameter > 0 ? arena_format(&b->program->arena,
                                                      "%s; behind the inputs stand %d parameters",
                                                      words[f->kind], f->nparameter)
                                       : words[f->kind];
  if (!what || gen_add_external(b, f->name, what, narg, f->n) != ART_OK) b->pool->failed = 1;
  return b->function[i];
}


int gen_call(genBuild *b, const modelCall *call, const int *x, const char *name, int index)
{
  const modelFunction *f = call->function;
  const size_t ninput = (size_t) f->ninput, n = ninput + (size_t) f->nparameter;
  int *argument = gen_alloc(b, n, sizeof *argument);
  if (!argument) {
    b->pool->failed = 1;
    return 0;
  }
  memcpy(argument, x, ninput * sizeof *x);
  for (int k = 0; k < f->nparameter; k++) {
    argument[f->ninput + k] =
        gen_parameter(b, call->parameter[k], name, FUNCTION_PARAMETERS * index + k);
  }
  return expr_call(b->pool, external_of(b, f), argument);
}


static void link_force(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  int length, rate;
  node3 direction;
  gen_line(b, e, &length, &rate, &direction);
  const int call = gen_call(b, &e->call, (int[]){length, rate, b->time}, "call", i);
  value[0] = expr_element(p, call, 0);
  const node3 pull = node3_scale(p, value[0], direction);
  gen_force_at(b, e->frame[0], pull);
  gen_force_at(b, e->frame[1], node3_scale(p, expr_constant(p, -1), pull));
  gen_add_power(b, expr_neg(p, value[0]), rate);
}


static void joint_force(genBuild *b, const modelElement *e, int i, int *value)
{
  int x, rate;
  gen_axis(b, e, &x, &rate);
  const int call = gen_call(b, &e->call, (int[]){x, rate, b->time}, "call", i);
  value[0] = expr_element(b->pool, call, 0);
  gen_force_along(b, e, value[0]);
  gen_add_power(b, value[0], rate);
}


static void put(int *to, node3 a)
{
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}


static void point_force(genBuild *b, const modelElement *e, int i, int *value)
{
  exprPool *p = b->pool;
  const modelFrame *frame = &b->m->frame[e->frame[0]];
  const nodeFrame *link = (const nodeFrame *) b->world + frame->link;
  const int *w = b->velocity + 6 * frame->link;
  const node3 omega = node3_back(p, link->e, (node3){w[0], w[1], w[2]});
  const node3 velocity = gen_point_velocity(b, e->frame[0]);
  node3 axes[3];
  gen_frame_axes(b, e->frame[0], axes);

  // the axes of the frame are columns of the rotation
  int x[ART_POINT_PARAMETER];
  put(x + ART_POINT_POSITION, gen_point(b, e->frame[0]));
  put(x + ART_POINT_VELOCITY, velocity);
  put(x + ART_POINT_ROTATION, (node3){axes[0].x, axes[1].x, axes[2].x});
  put(x + ART_POINT_ROTATION + 3, (node3){axes[0].y, axes[1].y, axes[2].y});
  put(x + ART_POINT_ROTATION + 6, (node3){axes[0].z, axes[1].z, axes[2].z});
  put(x + ART_POINT_OMEGA, omega);
  x[ART_POINT_TIME] = b->time;
  const int call = gen_call(b, &e->call, x, "call", i);
  for (int k = 0; k < 6; k++) value[k] = expr_element(p, call, k);

  const node3 force = {value[0], value[1], value[2]}, moment = {value[3], value[4], value[5]};
  gen_force_at(b, e->frame[0], force);
  gen_torque_on(b, frame->link, moment);
  b->power = expr_add(p, b->power, node3_dot(p, force, velocity));
  b->power = expr_add(p, b->power, node3_dot(p, moment, omega));
}


void gen_user_force(genBuild *b, const modelElement *e, int i, int *value)
{
  if (e->kind == ELEMENT_SPRING_DAMPER) {
    link_force(b, e, i, value);
  } else if (e->kind == ELEMENT_BODY_FORCE) {
    point_force(b, e, i, value);
  } else {
    joint_force(b, e, i, value);
  }
}
