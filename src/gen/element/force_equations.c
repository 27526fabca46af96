// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives as expressions.
#include "gen/vectors.h"

#include <string.h>

#include "eqn/list.h"
#include "gen/parameter/definition.h"

//---- points --------------------------------------------------------------------------------------

v3 gen_constant_vector(genBuild *b, v3c x, const char *const name[3], int index)
{
  return (v3){{gen_parameter(b, x.x, name[0], index)},
              {gen_parameter(b, x.y, name[1], index)},
              {gen_parameter(b, x.z, name[2], index)}};
}


v3 gen_point_in_link(genBuild *b, int frame)
{
  ART_ASSERT(frame >= 0 && frame < b->m->nframe);
  static const char *const name[3] = {"point_x", "point_y", "point_z"};
  return gen_constant_vector(b, b->m->frame[frame].r, name, frame);
}


v3 gen_point(genBuild *b, int frame)
{
  const v3 x = point_place(&b->world[b->m->frame[frame].link], gen_point_in_link(b, frame));
  gen_name_frame(b, frame, x, "position");
  return x;
}


v3 gen_point_velocity(genBuild *b, int frame)
{
  const int link = b->m->frame[frame].link;
  const v3 x = point_velocity(&b->world[link], &b->velocity[link], gen_point_in_link(b, frame));
  gen_name_frame(b, frame, x, "velocity");
  return x;
}


v3 gen_angular_velocity(genBuild *b, int frame)
{
  const int link = b->m->frame[frame].link;
  const v3 x = m3_back(b->world[link].R, b->velocity[link].ang);
  gen_name_frame(b, frame, x, "ground_omega");
  return x;
}


//---- what acts -----------------------------------------------------------------------------------

static void add_to_node(genBuild *b, int *sum, int term)
{
  *sum = expr_add(b->pool, *sum, term);
}


static void add_wrench(genBuild *b, int link, wrench f)
{
  ART_ASSERT(link >= 0 && link < b->tree->n);
  if (link > 0) b->applied[link] = wr_add(b->applied[link], f);
}


// a force in ground axes at the point of a frame
void gen_force_at(genBuild *b, int frame, v3 force)
{
  const int link = b->m->frame[frame].link;
  add_wrench(b, link, point_wrench(&b->world[link], gen_point_in_link(b, frame), force));
}


void gen_torque_on(genBuild *b, int frame, v3 torque)
{
  const int link = b->m->frame[frame].link;
  add_wrench(b, link, (wrench){.ang = m3_mul(b->world[link].R, torque)});
}


void gen_add_power(genBuild *b, int force, int rate)
{
  add_to_node(b, &b->power, expr_mul(b->pool, force, rate));
}


void gen_add_potential(genBuild *b, int potential)
{
  add_to_node(b, &b->potential, potential);
}


//---- laws ----------------------------------------------------------------------------------------

int gen_has_modes(const genBuild *b)
{
  return b->options->modes;
}


int gen_mode(const genBuild *b, int mode)
{
  return b->mode ? b->mode[mode] : -1;
}


// all segments, the one that holds x selected, or the one of the mode
int gen_law(genBuild *b, const forceLaw *law, int mode, int x, const char *name, int index,
            int is_integral)
{
  if (!law) return 0;
  const int is_held = b->mode && mode >= 0 && !law_is_smooth(law);
  const int held = is_held ? b->mode[mode] : -1;
  if (!is_integral && !law->air) gen_watch_law(b, law, held, x);
  return gen_curve(b, law, held, x, name, index, is_integral);
}


//---- elements ------------------------------------------------------------------------------------

// the factor of a coordinate
static int factor_of(genBuild *b, const modelElement *e, int k)
{
  ART_ASSERT(k >= 0 && k < e->nterm);
  const int i = (int) (e - b->m->element);
  gen_name_definition(b, &e->term[k].c, "factor", MODEL_LONGEST_RELATION * i + k);
  return gen_number(b, e->term[k].c, "factor", MODEL_LONGEST_RELATION * i + k);
}


// x = sum of c q and its rate
void gen_axis(genBuild *b, const modelElement *e, int *x, int *v)
{
  *x = *v = 0;
  for (int k = 0; k < e->nterm; k++) {
    const int c = factor_of(b, e, k);
    add_to_node(b, x, expr_mul(b->pool, c, b->tree->q[e->term[k].position]));
    add_to_node(b, v, expr_mul(b->pool, c, b->tree->v[e->term[k].velocity]));
  }
}


// Q = c F
void gen_force_along(genBuild *b, const modelElement *e, int force)
{
  for (int k = 0; k < e->nterm; k++) {
    const int c = factor_of(b, e, k);
    add_to_node(b, &b->tau[e->term[k].velocity], expr_mul(b->pool, c, force));
  }
}


int gen_time_symbol(const genBuild *b)
{
  return b->time;
}


void gen_formulas(genBuild *b, const modelElement *e, int *value)
{
  int first = e->mode0;
  for (int c = 0; c < 3 && e->formula[c]; c++) {
    b->branch = b->mode ? b->mode + first : NULL;
    value[c] = gen_formula(b, e->formula[c], e->place, e->name);
    b->branch = NULL;
    first += e->formula[c]->nswitch;
  }
}


//---- laws of the host ----------------------------------------------------------------------------

// arguments t, q, v; results joint forces, then moment and force on each link at its origin in its axes
static void record_host_callback(genBuild *b, const modelElement *e)
{
  const int nq = b->tree->nq, nv = b->tree->nv, n = b->tree->n;
  const int narg = 1 + nq + nv, count = nv + 6 * (n - 1);
  int *argument = gen_alloc(b, (size_t) narg, sizeof *argument);
  argument[0] = b->time;
  memcpy(argument + 1, b->tree->q, (size_t) nq * sizeof *argument);
  memcpy(argument + 1 + nq, b->tree->v, (size_t) nv * sizeof *argument);
  const int number = expr_external(b->pool, narg, count);
  const int call = expr_call(b->pool, number, argument);
  for (int k = 0; k < nv; k++) {
    const int force = expr_element(b->pool, call, k);
    add_to_node(b, &b->tau[k], force);
    if (!e->has_potential) gen_add_power(b, force, b->tree->v[k]);
  }
  for (int k = 0; k < 6 * (n - 1); k++) {
    const int force = expr_element(b->pool, call, nv + k);
    add_to_node(b, (int *) (b->applied + 1) + k, force);
    if (!e->has_potential) gen_add_power(b, force, ((const int *) (b->velocity + 1))[k]);
  }
  gen_add_external(b, e->name,
                   "time, positions, velocities to joint forces, then moment and force on each "
                   "link",
                   narg, count);
}


//---- all -----------------------------------------------------------------------------------------

void gen_forces(genBuild *b)
{
  for (int i = 0; i < b->m->nelement; i++) {
    const modelElement *e = &b->m->element[i];
    int *value = b->value + e->value0;
    b->owner = e->name;
    if (gen_has_port(e)) {
      gen_act(b, e, i, value);
    } else if (e->tyre) {
      gen_tyre(b, e, i, value);
    } else {
      record_host_callback(b, e);
    }
  }
}


void gen_drives(genBuild *b)
{
  exprPool *p = b->pool;
  for (int i = 0; i < b->m->ndrive; i++) {
    const modelDrive *drive = &b->m->drive[i];
    b->owner = drive->name;
    b->branch = b->mode ? b->mode + drive->mode0 : NULL;
    const int x = drive->formula ? gen_formula(b, drive->formula, drive->place, drive->name)
                                 : gen_law(b, drive->table, -1, b->time, "drive", i, 0);
    b->branch = NULL;
    int dx, ddx;
    eqn_differentiate(p, 1, &x, 1, &b->time, 0, NULL, &dx, &b->scratch);
    eqn_differentiate(p, 1, &dx, 1, &b->time, 0, NULL, &ddx, &b->scratch);
    b->drive[0][i] = x;
    b->drive[1][i] = dx;
    b->drive[2][i] = b->impact ? expr_add(p, ddx, b->impact[i]) : ddx;
  }
}
