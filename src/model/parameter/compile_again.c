// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts of a model whose records have other numbers: they are compiled again, by the code that compiles a model, into
// scratch memory, and where their structure is the same their numbers take the place of the old ones.
#include <stdint.h>
#include <string.h>

#include "model/compile/lay.h"
#include "model/model.h"
#include "model/read/source.h"

#define TAKE(m, work, field, own, n)                                                               \
  pool_take((m)->pool, work, (m)->field, (own)->field, (size_t) (n) * sizeof *(m)->field)


// why bodies that are bars stay bodies
static int has_same_notes(const artModel *m, const artModel *own)
{
  for (int i = 0; i < m->nbody; i++) {
    const char *a = m->body[i].bar_note, *b = own->body[i].bar_note;
    if (!a != !b || (a && strcmp(a, b) != 0)) return 0;
  }
  return 1;
}


static int take_relation_numbers(modelRelation *to, const modelRelation *from)
{
  const modelFunction *f = to->call.function;
  if (from->n != to->n) return 0;
  to->constant = from->constant;
  memcpy(to->coefficient, from->coefficient, (size_t) to->n * sizeof *to->coefficient);
  if (f && f->nparameter > 0) {
    memcpy(to->call.parameter, from->call.parameter, (size_t) f->nparameter * sizeof(double));
    memcpy(to->bias.parameter, from->bias.parameter, (size_t) f->nparameter * sizeof(double));
  }
  return 1;
}


// the model without rows of latches that are engaged
static artModel without_latches(const artModel *m)
{
  artModel own = *m;
  own.njoint = m->own_joints;
  own.ncut = m->own_cuts;
  own.nrelation = m->own_relations;
  own.nrow = own.nrelation;
  for (int c = 0; c < own.ncut; c++) own.nrow += m->cut[c].nrow;
  return own;
}


// what follows from which links and rods have mass: reference points, and links that carry nothing
static void take_masses(artModel *m, const artModel *own)
{
  artModel plain = without_latches(m);
  m->mass = own->mass;
  m->nrod = own->nrod;
  memcpy(m->rod, own->rod, (size_t) own->ncut * sizeof *m->rod);
  memcpy(m->tree.anchor, own->tree.anchor, (size_t) m->tree.n * sizeof *m->tree.anchor);
  model_check_carried(&plain);
  m->is_light = plain.is_light;
}


static int take_tree(artModel *m, artModel *own, const memPool *work)
{
  char words[200];
  const artModel before = without_latches(m);
  for (int i = 0; i < own->tree.n && own->tree.n == m->tree.n; i++) {
    own->tree.link[i].is_driven = m->tree.link[i].is_driven; // by drives, which stay
  }
  if (!model_has_same_tree(&before, own, words) || !has_same_notes(m, own)) return 0;
  m->tree.gravity = own->tree.gravity;
  for (int i = 0; i < before.nrelation; i++) {
    if (!take_relation_numbers(&m->relation[i], &own->relation[i])) return 0;
  }
  const int is_done =
      TAKE(m, work, tree.link, own, m->tree.n) && TAKE(m, work, body, own, m->nbody) &&
      TAKE(m, work, frame, own, m->nframe) && TAKE(m, work, joint, own, before.njoint) &&
      TAKE(m, work, cut, own, before.ncut) && TAKE(m, work, bar_point, own, m->nbar_point) &&
      TAKE(m, work, plan->joint, own, m->plan->njoint);
  if (is_done) take_masses(m, own);
  return is_done;
}


// vertices of meshes have a scale
static int take_shapes(artModel *m, const artModel *own, const memPool *work)
{
  if (own->nvisual != m->nvisual || !TAKE(m, work, visual, own, m->nvisual)) return 0;
  for (int i = 0; i < m->nvisual; i++) {
    const artVisualDef *to = &m->visual[i].def, *from = &own->visual[i].def;
    if (to->type != ART_VISUAL_MESH) continue;
    memcpy((float *) (uintptr_t) to->vertex, from->vertex,
           3 * (size_t) to->nvertex * sizeof *to->vertex);
  }
  return 1;
}


int model_lay_again(artModel *m, const memPool *work, int has_shapes)
{
  artModel own = {.arena.leaves = 1, .formulas.leaves = 1, .scratch.leaves = 1};
  artBuilder reduced;
  model_remove_bars(&own, m->records, &reduced);
  model_compile_tree(&own, &reduced);
  if (has_shapes) model_compile_visuals(&own, &reduced);
  model_take_functions(&own, &reduced);
  model_compile_loops(&own, &reduced);
  return take_tree(m, &own, work) && (!has_shapes || take_shapes(m, &own, work));
}


void model_start_again(artModel *m)
{
  artModel own = *m;
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  own.arena = (baseArena){.leaves = 1};
  model_compile_initial(&own, m->records);
  memcpy(m->q_initial, own.q_initial, nq * sizeof *m->q_initial);
  memcpy(m->v_initial, own.v_initial, nv * sizeof *m->v_initial);
}
