// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the user: calls of external functions, whose inputs are expressions and whose results are
// taken as they come.
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
    [FUNCTION_GROUND] = "ground: x, y to its height z and slopes dz/dx and dz/dy",
};


// its number, declared at its first use
static int external_of(genBuild *b, const modelFunction *f)
{
  const int i = (int) (f - b->m->function), narg = f->ninput + f->nparameter + f->nargument;
  if (b->function[i] >= 0) return b->function[i];
  b->function[i] = expr_external(b->pool, narg, f->n);
  const char *what = words[f->kind];
  baseArena *arena = &b->program->arena;
  if (f->nparameter > 0) {
    what = arena_format(arena, "%s; the inputs are followed by %d parameters", what, f->nparameter);
  }
  if (f->nargument > 0) {
    what = arena_format(arena, "%s; these are followed by %d arguments", what, f->nargument);
  }
  gen_add_external(b, f->name, what, narg, f->n);
  return b->function[i];
}


int gen_call(genBuild *b, const modelCall *call, const int *x, const int *handed, const char *name,
             int index)
{
  const modelFunction *f = call->function;
  ART_ASSERT(handed || f->nargument == 0);
  const size_t ninput = (size_t) f->ninput, first = ninput + (size_t) f->nparameter;
  int *argument = gen_alloc(b, first + (size_t) f->nargument, sizeof *argument);
  memcpy(argument, x, ninput * sizeof *x);
  for (int k = 0; k < f->nparameter; k++) {
    argument[f->ninput + k] =
        gen_parameter_at(b, &call->parameter[k], name, FUNCTION_PARAMETERS * index + k);
  }
  for (int k = 0; k < f->nargument; k++) argument[first + (size_t) k] = handed[k];
  return expr_call(b->pool, external_of(b, f), argument);
}
