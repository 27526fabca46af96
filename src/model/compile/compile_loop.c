// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops: the coordinates that move each side of a cut, the rows that close it, and relations between
// coordinates.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_recovery.h"
#include "model/model.h"

//---- rows ----------------------------------------------------------------------------------------

static const char *const row_names[] = {
    [SLIDE_X] = "slide x", [SLIDE_Y] = "slide y",    [SLIDE_Z] = "slide z", [TURN_X] = "turn x",
    [TURN_Y] = "turn y",   [TURN_Z] = "turn z",      [EQUAL_1] = "equal 1", [EQUAL_2] = "equal 2",
    [EQUAL_3] = "equal 3", [SQUARE] = "square axes", [THREAD] = "thread",   [LENGTH] = "length",
    [DISC_GAP] = "gap",    [BALL_GAP] = "gap",       [CURVED_GAP] = "gap",
};


int model_row_cut(const artModel *m, int row)
{
  ART_ASSERT(row >= 0 && row < m->nrow);
  // the last cut that begins there or before
  int low = -1, high = m->ncut;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (m->cut[middle].row0 <= row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low >= 0 && row < m->cut[low].row0 + m->cut[low].nrow ? low : -1;
}


const char *model_row_name(const artModel *m, int row, char buffer[MODEL_ROW_LENGTH])
{
  const int c = model_row_cut(m, row);
  buffer[0] = '\0';
  if (c >= 0) {
    const modelCut *cut = &m->cut[c];
    const int k = row - cut->row0;
    snprintf(buffer, MODEL_ROW_LENGTH, "row %d (%s) of joint '%.120s'", k + 1,
             row_names[cut->kind[k]], m->joint[cut->joint].name);
    return buffer;
  }
  for (int i = 0; i < m->nrelation; i++) {
    if (m->relation[i].row != row) continue;
    snprintf(buffer, MODEL_ROW_LENGTH, "relation '%.150s'", m->relation[i].name);
  }
  return buffer;
}


void model_keep_place(artModel *m, artPlace *place)
{
  if (place->file) place->file = arena_text(&m->arena, place->file);
}


//---- cuts ----------------------------------------------------------------------------------------


int model_last_dof(const treeModel *t, int link)
{
  ART_ASSERT(link >= 0 && link < t->n);
  while (link > 0 && t->link[link].nv == 0) link = t->link[link].parent;
  return link > 0 ? t->link[link].v0 + t->link[link].nv - 1 : -1;
}


// coordinates that move both sides alike drop out: the rows see relative motion only; marks are 0 before and after
void model_find_sides(artModel *m, modelCut *cut, char *mark)
{
  const treeModel *t = &m->tree;
  int last[2];
  for (int side = 0; side < 2; side++) {
    last[side] = model_last_dof(t, cut->side[side].link);
    for (int k = last[side]; k >= 0; k = t->dof_parent[k]) {
      mark[k] = (char) (mark[k] | (1 << side));
    }
  }
  for (int side = 0; side < 2; side++) {
    cutSide *s = &cut->side[side];
    for (int k = last[side]; k >= 0; k = t->dof_parent[k]) s->n += mark[k] == (1 << side);
    s->dof = arena_alloc(&m->arena, (size_t) s->n, sizeof *s->dof);

    // parents have smaller numbers
    int count = s->n;
    for (int k = last[side]; k >= 0; k = t->dof_parent[k]) {
      if (mark[k] == (1 << side)) s->dof[--count] = k;
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int k = last[side]; k >= 0; k = t->dof_parent[k]) mark[k] = 0;
  }
}


static void compile_cuts(artModel *m)
{
  char *mark = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  m->rod = arena_alloc(&m->arena, (size_t) m->ncut, sizeof *m->rod);
  for (int i = 1; i < m->nbody; i++) m->mass += m->body[i].mass;
  for (int c = 0; c < m->ncut; c++) {
    modelCut *cut = &m->cut[c];
    const modelJoint *joint = &m->joint[cut->joint];
    model_find_sides(m, cut, mark);
    cut->row0 = m->nrow;
    m->nrow += cut->nrow;
    if (cut->mass > 0) m->rod[m->nrod++] = c;
    if (joint_is_rod(cut->type)) m->most_rods++;
    m->mass += cut->mass;
    if (cut->side[0].n + cut->side[1].n > 0 || cut->nrow == 0 || joint_roll(cut->type)) continue;
    recovery_note(RECOVERY_PLAIN, joint->place,
                  "joint '%s' closes a loop in which nothing can move", joint->name);
  }
}


//---- relations -----------------------------------------------------------------------------------


// value and bias of a relation that calls functions of the user; the context is the relation
static artStatus call_value(void *context, const double *x, double *g, double *dg)
{
  double input[MODEL_LONGEST_RELATION + FUNCTION_PARAMETERS], result[1 + MODEL_LONGEST_RELATION];
  const modelRelation *r = context;
  memcpy(input, x, (size_t) r->n * sizeof *x);
  const artStatus status = model_call_relation(r, &r->call, NAN, input, result, NULL);
  *g = result[0];
  memcpy(dg, result + 1, (size_t) r->n * sizeof *dg);
  return status;
}


static artStatus call_bias(void *context, const double *x, const double *v, double *bias)
{
  double input[2 * MODEL_LONGEST_RELATION + FUNCTION_PARAMETERS];
  const modelRelation *r = context;
  memcpy(input, x, (size_t) r->n * sizeof *x);
  memcpy(input + r->n, v, (size_t) r->n * sizeof *v);
  return model_call_relation(r, &r->bias, NAN, input, bias, NULL);
}


static void take_functions(artModel *m, modelRelation *r, const constraintRecord *record)
{
  const artCallDef *def = &record->user.call;
  if (!def->name) return;
  artCallDef bias = *def;
  bias.name = arena_format(&m->arena, "%s_bias", def->name);
  functionUse use = {.kind = FUNCTION_CONSTRAINT,
                     .ninput = r->n,
                     .n = 1 + r->n,
                     .what = "constraint",
                     .user = r->name,
                     .place = field_place(&record->head.where, "function")};
  model_take_call(m, &r->call, def, &use);
  use.kind = FUNCTION_BIAS;
  use.ninput = 2 * r->n;
  use.n = 1;
  r->user.value = call_value;
  r->user.bias = call_bias;
  r->user.context = r;
  model_take_call(m, &r->bias, &bias, &use);
  model_take_polynomial(m, r);
}


void model_take_relation(artModel *m, modelRelation *r, const constraintRecord *record)
{
  if (record->def.n > MODEL_LONGEST_RELATION) {
    error_refuse(record->head.where.place,
                 "relation '%s' names %d coordinates, expected at most %d", record->def.name,
                 record->def.n, MODEL_LONGEST_RELATION);
  }
  const size_t n = (size_t) record->def.n;
  *r = (modelRelation){.name = arena_text(&m->arena, record->def.name),
                       .place = record->head.where.place,
                       .n = record->def.n,
                       .constant = record->def.constant,
                       .user = record->user};
  r->position = arena_alloc(&m->arena, n, sizeof *r->position);
  r->velocity = arena_alloc(&m->arena, n, sizeof *r->velocity);
  r->coefficient = record->def.coefficient
                       ? arena_copy(&m->arena, record->def.coefficient, n, sizeof(double))
                       : arena_alloc(&m->arena, n, sizeof(double));
  model_keep_place(m, &r->place);

  for (int i = 0; i < r->n; i++) {
    const artPlace place = field_place(&record->head.where, record->def.coordinate[i]);
    r->position[i] = model_need_coordinate(m, record->def.coordinate[i], place);
    r->velocity[i] = m->position[r->position[i]].partner;
    for (int k = 0; k < i; k++) {
      if (r->position[k] != r->position[i]) continue;
      error_refuse(place, "relation '%s' names '%s' twice", r->name, record->def.coordinate[i]);
    }
  }
  take_functions(m, r, record);
}


static void compile_relation(void *context, int i)
{
  artModel *m = ((const modelWork *) context)->m;
  const artBuilder *b = ((const modelWork *) context)->b;
  modelRelation *r = &m->relation[i];
  model_take_relation(m, r, RECORD(b->constraints, constraintRecord, i));
  r->row = m->nrow++;
  table_add(&m->relations, &m->arena, r->name, i);
}


void model_compile_loops(artModel *m, const artBuilder *b)
{
  compile_cuts(m);
  for (int i = 0; i < m->nbar; i++) {
    m->bar[i].cut = m->joint[table_find(&m->joints, m->bar[i].name)].cut;
  }

  model_compile_rolls(m, b);
  m->project = b->project;
  m->nrelation = b->constraints.count;
  const size_t room = (size_t) (m->nrelation + b->latches.count);
  m->relation = arena_alloc(&m->arena, room, sizeof *m->relation);
  modelWork w = {m, b};
  MODEL_EACH(b->constraints, constraintRecord, def.name, compile_relation, &w);
}
