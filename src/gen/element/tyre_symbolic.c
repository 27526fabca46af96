// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of src/tyre on symbols: the files are included below with their operators lowered to calls, so that running
// them records their equations.
#include "gen/element/tyre_symbolic.h"

#define ART_SYMBOLIC

#include "tyre/formulas.h"

// clang-format off
#include "lowered/tyre/magic_forces.c"
#include "lowered/tyre/linear_tyre.c"
#include "lowered/tyre/bakker.c"
#include "lowered/tyre/calspan.c"
#include "lowered/tyre/forces.c"
#include "lowered/tyre/magic_load.c"
#include "lowered/tyre/load.c"
#include "lowered/tyre/transient.c"
// clang-format on


static magicNumbers magic_numbers_of(const symTyre *t)
{
  magicNumbers c = {.version = t->tyre->magic.version};
  const int *node = t->number.magic;
#define MAGIC_NODE(key, fallback, dimension) c.key = (real){*node++};
  MAGIC_KEYS(MAGIC_NODE)
#undef MAGIC_NODE
  return c;
}


static tyreNumbers tyre_numbers_of(const symTyre *t)
{
  const tyreParameters *n = &t->number;
  return (tyreNumbers){
      .of = t->tyre,
      .magic = magic_numbers_of(t),
      .radial = {{n->radius}, {n->stiffness}, {n->damping}, {n->load}},
      .linear = {{n->slip}, {n->cornering}, {n->camber}, {n->trail}, {n->friction}},
      .relaxation = {{n->relaxation[0]}, {n->relaxation[1]}}};
}


void sym_tyre_press(const symTyre *t, tyreNodes *x)
{
  exprPool *before = expr_use(t->pool);
  const tyreNumbers numbers = tyre_numbers_of(t);
  const real sine = {x->sine}, cosine = {x->cosine};
  const tyreDent dent = {
      .depth = tyre_depth_symbolic(&numbers, (real){x->radius}, (real){x->spin}, cosine),
      .spin = {x->spin},
      .gamma = {x->gamma},
      .tangent = r_div(sine, cosine),
      .pressure = tyre_pressure_increment(t->tyre, 0)};
  const real spring = tyre_elastic_load_symbolic(&numbers, &dent);
  x->depth = dent.depth.node;
  x->dent = r_max(dent.depth, r_const(0)).node;
  x->spring = spring.node;
  x->load = tyre_damped_load_symbolic(&numbers, spring, (real){x->approach}).node;
  expr_use(before);
}


static tyreSlip slip_of(const symTyre *t, const tyreNodes *x)
{
  return (tyreSlip){.load = {x->load},
                    .kappa = {x->kappa},
                    .tangent = {x->tangent},
                    .gamma = {x->gamma},
                    .sine = {x->sine},
                    .speed = r_abs((real){x->Vx}),
                    .pressure = tyre_pressure_increment(t->tyre, 0)};
}


void sym_tyre_slips(const symTyre *t, const int *states, tyreNodes *x)
{
  exprPool *before = expr_use(t->pool);
  const tyreNumbers numbers = tyre_numbers_of(t);
  const real spin = {x->spin};
  const real rolls = tyre_rolling_radius_symbolic(&numbers, (real){x->spring}, (real){x->dent},
                                                  spin, tyre_pressure_increment(t->tyre, 0));
  const tyreMotion motion = {{x->Vx}, r_sub((real){x->Vx}, r_mul(rolls, spin)), {x->Vy}};
  real felt[2];
  x->Vsx = motion.Vsx.node;
  if (states) {
    x->kappa = x->tangent = 0;
    slipLag lag[2];
    const tyreSlip slip = slip_of(t, x);
    tyre_slip_lags_symbolic(&numbers, &slip, &motion, lag);
    for (int i = 0; i < 2; i++) {
      const real u = {states[i]};
      x->rate[i] = slip_lag_rate_symbolic(&lag[i], u).node;
      felt[i] = r_add(u, lag[i].added);
    }
  } else {
    tyre_steady_slips_symbolic(&numbers, &motion, felt);
  }
  x->kappa = felt[0].node;
  x->tangent = felt[1].node;
  expr_use(before);
}


real slow_part(const tyreNumbers *numbers, int k, real part)
{
  symTyre *t = numbers->context;
  tyreSlow *s = &t->slow;
  if (s->is_plain || expr_is_constant(t->pool, part.node)) {
    return r_select((real){s->is_slow}, part, r_const(0));
  }
  s->symbol[s->n] = expr_symbol(t->pool, "tyre_slow", GEN_SLOW_NODES * t->element + k);
  s->value[s->n] = part.node;
  return (real){s->symbol[s->n++]};
}


void sym_tyre_forces(symTyre *t, tyreNodes *x)
{
  exprPool *before = expr_use(t->pool);
  tyreNumbers numbers = tyre_numbers_of(t);
  numbers.context = t;
  const tyreSlip slip = slip_of(t, x);
  t->slow.is_slow =
      r_select(r_less(slip.speed, tyre_number(&t->tyre->slow)), r_const(1), r_const(0)).node;
  const tyreWrench f = tyre_forces_symbolic(&numbers, &slip, (real){x->Vx});
  const real force[6] = {f.Fx, f.Fy, f.Fz, f.Mx, f.My, f.Mz};
  for (int k = 0; k < 6; k++) x->force[k] = force[k].node;
  expr_use(before);
}
