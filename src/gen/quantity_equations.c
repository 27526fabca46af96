// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas with their quantities as expressions, and the recorded machine as these see it.
#include "gen/recorded.h"

#include "gen/build.h"
#include "gen/definition.h"
#include "gen/tree_part.h"
#include "sym/loop_symbolic.h"

static node3 three_nodes(const int *x)
{
  return (node3){x[0], x[1], x[2]};
}


static node3 in_ground(genBuild *b, int link, const int *x)
{
  return node3_back(b->pool, ((const nodeFrame *) b->world + link)->e, three_nodes(x));
}

//---- coordinates and frames ----------------------------------------------------------------------

int gen_coordinate(const genBuild *b, int i, int order)
{
  return order == 0 ? b->tree->q[i] : order == 1 ? b->tree->v[i] : b->acceleration[i];
}


int gen_joint_force(genBuild *b, int i)
{
  return gen_settle(b)->on_joint[i];
}


int gen_relation_multiplier(const genBuild *b, int relation)
{
  return b->multiplier[b->m->relation[relation].row];
}


node3 gen_frame_acceleration(genBuild *b, int frame)
{
  const int *acc = gen_settle(b)->acc;
  return gen_point_acceleration(b, b->m->frame[frame].link, gen_point_in_link(b, frame), acc);
}


node3 gen_angular_acceleration(genBuild *b, int frame)
{
  const int link = b->m->frame[frame].link;
  return in_ground(b, link, gen_settle(b)->acc + 6 * link);
}


node3 gen_own_turn(genBuild *b, int frame)
{
  exprPool *p = b->pool;
  const modelFrame *x = &b->m->frame[frame];
  node3 e[3];
  for (int k = 0; k < 3; k++) e[k] = gen_frame_row(b, frame, k);
  return node3_turn(p, e, three_nodes(b->velocity + 6 * x->link));
}


const modelElement *gen_element(const genBuild *b, int i)
{
  return &b->m->element[i];
}


int gen_element_value(const genBuild *b, const modelElement *e, int c)
{
  return b->value[e->value0 + c];
}


int gen_run(genBuild *b, quantityRun k)
{
  for (int i = 0; i < RUN_COUNT; i++) b->run[i] = expr_symbol(b->pool, "run", i);
  return b->run[k];
}


int gen_tree_energy(genBuild *b, int is_potential)
{
  return is_potential ? expr_add(b->pool, sym_record_potential(b->tree), b->potential)
                      : sym_record_kinetic(b->tree);
}


void gen_tree_momentum(genBuild *b, int momentum[6])
{
  sym_record_momentum(b->tree, momentum);
}

//---- rods, bars and latches ----------------------------------------------------------------------

int gen_rod_has_mass(genBuild *b, int cut)
{
  return b->m->cut[cut].mass != 0 || gen_definition(b, "rod_mass", cut) >= 0;
}


int gen_rod(genBuild *b, int i)
{
  for (int cut = 0; cut < b->m->ncut; cut++) {
    if (gen_rod_has_mass(b, cut) && i-- == 0) return cut;
  }
  return -1;
}


// by the parameter that the dynamics use, two thirds of it
int gen_rod_mass(genBuild *b, int cut)
{
  const int m = gen_parameter(b, 2 * b->m->cut[cut].mass / 3, "rod_mass", cut);
  return expr_mul(b->pool, expr_constant(b->pool, 1.5), m);
}


int gen_rod_length(genBuild *b, int cut)
{
  return gen_parameter(b, b->m->cut[cut].length, "rod_length", gen_cut_number(b->m, cut));
}


int gen_rod_thrust(const genBuild *b, int cut)
{
  return b->multiplier[b->m->cut[cut].row0];
}


int gen_rod_is_on_ground(const genBuild *b, int cut, int side)
{
  return b->m->cut[cut].side[side].link == 0;
}


node3 gen_rod_end(genBuild *b, int cut, int side, int order)
{
  const char *const *name = sym_cut_name + CUT_SIDE * side + CUT_PLACE;
  const cutSide *end = &b->m->cut[cut].side[side];
  const node3 r = gen_constant_vector(b, end->r, name, gen_cut_number(b->m, cut));
  if (order == 1) return gen_link_point_velocity(b, end->link, r);
  if (order == 2) return gen_point_acceleration(b, end->link, r, b->settled->acc);
  return gen_link_point(b, end->link, r);
}


void gen_cut_force(genBuild *b, int cut, int side, node3 *force, node3 *torque)
{
  gen_settle(b);
  *force = side ? b->settled->to_force[cut] : b->settled->from_force[cut];
  *torque = b->settled->to_torque[cut];
}


quantityBar gen_bar(const genBuild *b, int i)
{
  const modelBarPoint *point = &b->m->bar_point[i];
  return (quantityBar){b->m->bar[point->bar].cut, point->s};
}


// as it is at the start
quantityLatch gen_latch(const genBuild *b, int i, int frame[2])
{
  const modelLatch *latch = &b->m->latch[i];
  for (int k = 0; k < 2; k++) frame[k] = latch->frame[k];
  return (quantityLatch){latch->type, b->m->engaged[i], b->m->latch_row[i]};
}

//---- formulas ------------------------------------------------------------------------------------

// whether all that a quantity reads is known: accelerations and forces, and what a run tells, are so at the end
static int is_known(genBuild *b, const modelQuantity *quantity)
{
  switch (quantity->kind) {
  case QUANTITY_MULTIPLIER: return b->multiplier != NULL;
  case QUANTITY_ENERGY: return quantity->component < 3 || b->acceleration;
  case QUANTITY_STEP:
  case QUANTITY_CONSTRAINT:
  case QUANTITY_ACCELERATION: return b->acceleration != NULL;
  case QUANTITY_JOINT_FORCE:
  case QUANTITY_REACTION:
  case QUANTITY_POINT_ACCELERATION:
  case QUANTITY_SURGE:
  case QUANTITY_ALPHA:
  case QUANTITY_ROTATION:
  case QUANTITY_ROD:
  case QUANTITY_LATCH:
  case QUANTITY_BAR: return b->acceleration && gen_settle(b) != NULL;
  default: return 1;
  }
}


int gen_held(const genBuild *b, int i)
{
  return b->held[i];
}


int gen_state(const genBuild *b, int i)
{
  return b->state[i];
}


// A named formula on its own branches: those that a run holds, or of its arguments.
static int gen_signal(genBuild *b, const signalFormula *s, const char *name)
{
  const int *branch = b->branch, is_condition = b->is_condition;
  const char *owner = b->owner;
  b->is_condition = 0;
  b->branch = b->mode && s->is_frozen ? b->mode + s->mode0 : NULL;
  b->owner = name;
  const int node = gen_formula(b, s->f, s->place, name);
  b->branch = branch;
  b->is_condition = is_condition;
  b->owner = owner;
  return node;
}


void gen_rates(genBuild *b, int n, const int *which)
{
  for (int i = 0; i < n; i++) {
    const modelState *state = &b->m->state[which[i]];
    b->state_rate[which[i]] = gen_signal(b, &state->rate, state->name);
  }
}


int gen_quantity(genBuild *b, int number, artPlace place, const char *name)
{
  const modelQuantity *quantity = &b->m->quantity[number];
  if (b->slot[number] < 0 && quantity->kind == QUANTITY_SIGNAL) {
    const modelSignal *signal = &b->m->signal[quantity->index];
    b->slot[number] = gen_signal(b, &signal->value, signal->name);
    if (b->slot[number] > 0) gen_name_of(b, b->slot[number], signal->name, "signal");
    return b->slot[number];
  }
  if (b->slot[number] < 0 && is_known(b, quantity)) {
    b->slot[number] = gen_quantity_value(b, quantity);
  }
  if (b->slot[number] < 0) {
    gen_leave(b,
              base_fail(b->error, ART_UNSUPPORTED, place,
                        "'%s' reads a quantity that generated code does not compute there", name));
  }
  return b->slot[number];
}


// a formula whose slots of parameters stand behind slots of quantities
static formula with_parameters(genBuild *b, const formula *live)
{
  formula own = *live;
  formulaStep *steps =
      arena_copy(&b->program->arena, live->steps, (size_t) live->nstep, sizeof *steps);
  for (int k = 0; k < live->nstep; k++) {
    const int p = formula_read(live, k) - FORMULA_PARAMETER;
    if (p < 0) continue;
    steps[k].index = b->m->nquantity + p;
    b->slot[steps[k].index] =
        p < b->m->nparameter ? gen_user_parameter(b, p) : gen_live_number(b, p - b->m->nparameter);
  }
  own.steps = steps;
  return own;
}


int gen_formula(genBuild *b, const formula *f, artPlace place, const char *name)
{
  if (!gen_holds_memory(b, f)) {
    gen_leave(b, base_fail(b->error, ART_UNSUPPORTED, place,
                           "the formula of '%s' has a hysteresis, which remembers its side; "
                           "neither drives, sampled formulas and outputs nor the integrators of "
                           "MATLAB and graphics processors can hold it",
                           name));
  }
  const formula *live = gen_live_formula(b, f), own = live ? with_parameters(b, live) : *f;
  for (int k = 0; k < own.nstep; k++) {
    const int slot = formula_read(&own, k);
    if (slot >= 0 && slot < b->m->nquantity) gen_quantity(b, slot, place, name);
  }
  return gen_formula_of(b, &own, b->slot, gen_held_branches(b, f));
}
