// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where joints, frames, centres of mass and shapes are in their bodies, as functions of parameters: viewers draw a machine
// again whose lengths have changed.
#include <string.h>

#include "gen/element/port_equations.h"
#include "gen/parameter/definition.h"
#include "gen/parameter/lay_symbolic.h"
#include "model/compile/lay.h"
#include "model/define/records.h"
#include "model/model.h"

static const char SHAPE[] = "shape";


static int count_rods(const artModel *m)
{
  int n = 0;
  while (model_rod_cut(m, m->nbody + n) >= 0) n++;
  return n;
}


genGeometry gen_geometry(const artModel *m)
{
  genGeometry g = {.joint = 0};
  g.frame = g.joint + 2 * GEN_END * m->own_joints;
  g.body = g.frame + 3 * m->nframe;
  g.rod = g.body + 3 * (m->nbody - 1);
  g.visual = g.rod + count_rods(m);
  g.count = g.visual + GEN_VISUAL * m->nvisual;
  return g;
}


// n numbers that belong together, of which rounding is no dependence on parameters
static void name_numbers(genBuild *b, int first, int n, int *node)
{
  gen_fold_constants(b, n, node);
  for (int k = 0; k < n; k++) gen_name_node(b, node[k], SHAPE, first + k);
}


// a shape and where it is, place first
static void name_shape(genBuild *b, int first, const double size[3], const double *radius,
                       const double *length, int pose[9])
{
  int node[5];
  for (int k = 0; k < 3; k++) node[k] = gen_laid_number(b, &size[k]);
  node[3] = gen_laid_number(b, radius);
  node[4] = gen_laid_number(b, length);
  name_numbers(b, first, 5, node);
  name_numbers(b, first + 5, 3, pose);
  name_numbers(b, first + 8, 6, pose + 3);
}


// Shapes of the model file in the order of model/compile/compile_visual.c: those of `visual`, then solids.
static void name_shapes(genBuild *b, int first)
{
  const artModel *m = b->m;
  int n = 0, pose[9];
  for (int i = 0; i < m->records->visuals.count; i++) {
    const visualRecord *own = RECORD(m->records->visuals, visualRecord, i);
    if (table_find(&m->bodies, own->body) < 0) continue;
    gen_lay_pose(b, &own->def.pose, pose);
    name_shape(b, first + GEN_VISUAL * n++, own->def.size, &own->def.radius, &own->def.length,
               pose);
  }
  const int nvisual = n;
  for (int i = 1; i < m->nbody; i++) {
    const laySolids *solids = &m->plan->body[i].solids;
    int is_drawn = 0;
    for (int k = 0; k < nvisual && !is_drawn; k++) is_drawn = m->visual[k].body == i;
    for (int k = 0; k < solids->n && !is_drawn; k++) {
      const artSolidDef *own = &solids->solid[k];
      if (own->is_hole) continue;
      gen_lay_solid(b, own, pose);
      name_shape(b, first + GEN_VISUAL * n++, own->size, &own->radius, &own->length, pose);
    }
  }
  ART_ASSERT(n == m->nvisual);
}


void gen_name_geometry(genBuild *b, const laidTree *laid)
{
  const artModel *m = b->m;
  const genGeometry g = gen_geometry(m);
  laidPlaces places;
  if (!b->options->shows || !m->records) return;
  gen_lay_places(b, m->plan, &b->program->arena, &places);
  for (int e = 0; e < 2 * m->own_joints; e++) {
    name_numbers(b, g.joint + GEN_END * e, 3, places.end + GEN_END * e);
    name_numbers(b, g.joint + GEN_END * e + 3, 3, places.end + GEN_END * e + 3);
  }
  for (int i = 0; i < m->nframe; i++) {
    name_numbers(b, g.frame + 3 * i, 3, places.frame + 3 * i);
  }
  // coordinates of centres of mass that no parameter of the file gives are numbers of bodies, which have no sliders
  int *com = places.com;
  const layPlan *plan = b->m->plan;
  for (int i = 1; i < plan->nbody; i++) {
    const layBody *own = &plan->body[i];
    for (int k = 0; k < 3; k++) {
      if (own->solids.n > 0 || gen_is_live(b, &own->com[k])) {
        name_numbers(b, g.body + 3 * (i - 1) + k, 1, com + 3 * i + k);
      }
    }
  }
  for (int i = 0, cut; (cut = model_rod_cut(m, m->nbody + i)) >= 0; i++) {
    name_numbers(b, g.rod + i, 1, laid->cut + LAID_CUT * cut + LAID_LENGTH);
  }
  name_shapes(b, g.visual);
}


int gen_moving_geometry(genBuild *b, int *node)
{
  const int count = gen_geometry(b->m).count;
  eqnProgram *program = b->program;
  program->ngeometry = 0;
  program->geometry = gen_alloc(b, (size_t) count, sizeof *program->geometry);
  for (int k = 0; k < count; k++) {
    const int definition = gen_definition(b, SHAPE, k);
    if (definition < 0) continue;
    const double value = gen_present_value(b, definition);
    node[program->ngeometry] = gen_number(b, value, SHAPE, k);
    program->geometry[program->ngeometry++] = k;
  }
  return program->ngeometry;
}
