// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraints that come and go: locks, latches and ropes compiled, and the variants of a model in which some of
// them are engaged. The tree has the same coordinates whatever is engaged, so a variant differs from its model in
// the lists of joints, cuts and relations alone.
#include <string.h>

#include "base/memory.h"
#include "model/link_pose.h"
#include "model/model.h"

//---- what they are made of -----------------------------------------------------------------------

// a lock is a relation whose constant is found when it engages
static void take_lock(artModel *m, modelLatch *latch, const latchRecord *record)
{
  const artLatchDef *def = &record->def;
  const constraintRecord as = {.head = record->head,
                               .def = {.name = def->name,
                                       .n = def->n,
                                       .coordinate = def->coordinate,
                                       .coefficient = def->coefficient}};
  modelRelation *r = &latch->relation;
  model_take_relation(m, r, &as);
  for (int i = 0; i < r->n; i++) {
    r->constant += r->coefficient[i] * m->q_initial[r->position[i]];
    if (!m->tree.link[m->tree.dof_link[r->velocity[i]]].is_driven) continue;
    error_refuse(field_place(&record->head.where, def->coordinate[i]),
                 "lock '%s' holds '%s', which a drive moves; a drive whose formula rests does "
                 "the same",
                 latch->name, def->coordinate[i]);
  }
}


m3 model_latch_axes(const artLatchDef *def)
{
  const int has_axis = def->type == ART_LATCH && joint_kinds[def->joint].has_axis;
  return has_axis ? pose_align(def->axis, (double[3]){0}) : m3_identity();
}


// a latch is a cut joint, a rope a cut rod
static void take_ends(artModel *m, modelLatch *latch, const latchRecord *record, char *mark)
{
  const artLatchDef *def = &record->def;
  const int is_rope = def->type == ART_ROPE;
  const m3 axes = model_latch_axes(def);
  modelCut *cut = &latch->cut;
  *cut = (modelCut){.type = is_rope ? ART_ROD : def->joint, .length = def->length};
  int body[2];
  const char *kind = art_latch_type_name(def->type);
  for (int side = 0; side < 2; side++) {
    const artPlace place = field_place(&record->head.where, side ? "to" : "from");
    const int frame = model_find_frame(m, side ? def->to : def->from, place, kind, def->name);
    const modelFrame *f = &m->frame[frame];
    latch->frame[side] = frame;
    body[side] = f->body;
    cut->side[side] = (cutSide){.link = f->link, .R = m3_mul_m3(axes, f->R), .r = f->r};
  }
  cut->kind = joint_closing_rows(&(artJointDef){.type = cut->type}, &cut->nrow);
  latch->joint = (modelJoint){.name = latch->name,
                              .type = cut->type,
                              .from = body[0],
                              .to = body[1],
                              .is_cut = 1,
                              .place = latch->place};
  model_find_sides(m, cut, mark);
  if (cut->side[0].n + cut->side[1].n > 0) return;
  error_refuse(latch->place,
               "%s '%s' is between '%s' and '%s', which cannot move against each other", kind,
               def->name, m->body[body[0]].name, m->body[body[1]].name);
}


static void take_latch_record(artModel *m, modelLatch *latch, const latchRecord *record, char *mark)
{
  if (latch->type == ART_LOCK) {
    take_lock(m, latch, record);
  } else {
    take_ends(m, latch, record, mark);
  }
}


static void take_conditions(artModel *m, modelLatch *latch, const latchRecord *record)
{
  static const char *const keys[2] = {"engage", "release"};
  const char *const text[2] = {record->def.engage, record->def.release};
  formula **const condition[2] = {&latch->engage, &latch->release};
  for (int i = 0; i < 2; i++) {
    const artPlace place = field_place(&record->head.where, keys[i]);
    if (text[i]) {
      model_formula(m, condition[i], &record->head, text[i], place, LEVEL_ACCELERATION, UNIT_ANY);
    }
  }
  latch->mode0 = m->nmode;
  latch->switch0 = m->nswitch;
  latch->nswitch = LATCH_BRANCHES + (latch->engage ? latch->engage->nswitch : 0) +
                   (latch->release ? latch->release->nswitch : 0);
  m->nmode += latch->nswitch;
  m->nswitch += latch->nswitch;
}


// quantities that conditions read; the tension of a rope is a force
static void mark_slots(artModel *m)
{
  for (int i = 0; i < m->nlatch; i++) {
    if (m->latch[i].type == ART_ROPE) m->latch_level = LEVEL_ACCELERATION;
  }
  for (int k = 0; k < m->nlatch; k++) {
    if (m->latch[k].engage) model_mark_reads(m, m->latch[k].engage, READ_BY_LATCHES);
    if (m->latch[k].release) model_mark_reads(m, m->latch[k].release, READ_BY_LATCHES);
  }
  for (int i = 0; i < m->nquantity; i++) {
    const modelQuantity *quantity = &m->quantity[i];
    if (!(quantity->readers & READ_BY_LATCHES)) continue;
    if (quantity->level > m->latch_level) m->latch_level = quantity->level;
  }
}


typedef struct latchWork {
  artModel *m;
  const artBuilder *b;
  char *mark; // [nv]
} latchWork;


static void compile_latch(void *context, int i)
{
  const latchWork *w = context;
  artModel *m = w->m;
  const latchRecord *record = RECORD(w->b->latches, latchRecord, i);
  modelLatch *latch = &m->latch[i];
  latch->name = arena_text(&m->arena, record->def.name);
  latch->place = record->head.where.place;
  latch->type = record->def.type;
  latch->is_engaged = record->def.engaged != 0;
  latch->distance = record->def.distance;
  model_keep_place(m, &latch->place);
  table_add(&m->latches, &m->arena, latch->name, i);
  take_latch_record(m, latch, record, w->mark);
}


static void compile_conditions(void *context, int i)
{
  const latchWork *w = context;
  take_conditions(w->m, &w->m->latch[i], RECORD(w->b->latches, latchRecord, i));
}


void model_compile_latches(artModel *m, const artBuilder *b)
{
  m->nlatch = b->latches.count;
  m->own_joints = m->njoint;
  m->own_cuts = m->ncut;
  m->own_relations = m->nrelation;
  m->latch = arena_alloc(&m->arena, (size_t) m->nlatch, sizeof *m->latch);
  m->engaged = arena_alloc(&m->arena, (size_t) m->nlatch, sizeof *m->engaged);
  latchWork w = {m, b, arena_alloc(&m->arena, (size_t) m->tree.nv, 1)};
  MODEL_EACH(b->latches, latchRecord, def.name, compile_latch, &w);
  // names first: conditions may read any of them
  MODEL_EACH(b->latches, latchRecord, def.name, compile_conditions, &w);
  mark_slots(m);
}


//---- variants ------------------------------------------------------------------------------------

static void put_latch_numbers(modelLatch *latch, const double *x)
{
  if (latch->type == ART_LOCK) latch->relation.constant = x[0];
  if (latch->type != ART_LATCH) return;
  cutSide *from = &latch->cut.side[0];
  from->R = (m3){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}};
  from->r = (v3){x[9], x[10], x[11]};
}


void model_latch_numbers(const artModel *m, int i, double x[LATCH_NUMBERS])
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  const modelLatch *latch = &m->latch[i];
  memset(x, 0, LATCH_NUMBERS * sizeof *x);
  if (m->latch_row[i] < 0 || latch->type == ART_ROPE) return;
  if (latch->type == ART_LOCK) {
    x[0] = m->relation[m->latch_row[i]].constant;
    return;
  }
  const cutSide *from = &m->cut[m->latch_row[i]].side[0];
  const v3 part[4] = {from->R.x, from->R.y, from->R.z, from->r};
  for (int k = 0; k < 4; k++) {
    x[3 * k] = part[k].x;
    x[3 * k + 1] = part[k].y;
    x[3 * k + 2] = part[k].z;
  }
}


// a longer list that begins with the old one
static void *longer_list(baseArena *arena, const void *list, int count, int more, size_t size)
{
  ART_ASSERT(count >= 0 && more >= 0);
  void *copy = arena_alloc(arena, (size_t) (count + more), size);
  if (copy && count > 0) memcpy(copy, list, (size_t) count * size);
  return copy;
}


static void engage_latches(artModel *m, const int *engaged, const double *number)
{
  m->njoint = m->own_joints;
  m->ncut = m->own_cuts;
  m->nrelation = m->own_relations;
  for (int i = 0; i < m->nlatch; i++) {
    modelLatch latch = m->latch[i];
    m->latch_row[i] = -1;
    if (!engaged[i]) continue;
    if (number) put_latch_numbers(&latch, number + LATCH_NUMBERS * i);
    if (latch.type == ART_LOCK) {
      m->relation[m->nrelation] = latch.relation;
      m->latch_row[i] = m->nrelation++;
      continue;
    }
    m->cut[m->ncut] = latch.cut;
    m->cut[m->ncut].joint = m->njoint;
    m->joint[m->njoint] = latch.joint;
    m->joint[m->njoint++].cut = m->ncut;
    m->latch_row[i] = m->ncut++;
  }

  // rows of cuts come before rows of relations
  m->nrow = 0;
  for (int c = 0; c < m->ncut; c++) {
    m->cut[c].row0 = m->nrow;
    m->nrow += m->cut[c].nrow;
  }
  for (int i = 0; i < m->nrelation; i++) m->relation[i].row = m->nrow++;
}


// lists of a variant's own
static artStatus lay_variant_lists(artModel *m, const int *engaged, artError *error)
{
  baseArena *a = &m->arena;
  m->joint = longer_list(a, m->joint, m->own_joints, m->nlatch, sizeof *m->joint);
  m->cut = longer_list(a, m->cut, m->own_cuts, m->nlatch, sizeof *m->cut);
  m->relation = longer_list(a, m->relation, m->own_relations, m->nlatch, sizeof *m->relation);
  m->engaged = arena_copy(a, engaged, (size_t) m->nlatch, sizeof *m->engaged);
  m->latch_row = arena_alloc(a, (size_t) m->nlatch, sizeof *m->latch_row);
  m->latch_number = arena_alloc(a, (size_t) (m->nlatch * LATCH_NUMBERS), sizeof(double));
  if (!m->latch_number || !m->joint || !m->cut || !m->relation || !m->engaged || !m->latch_row) {
    return base_no_memory(error);
  }
  return ART_OK;
}


// lists of the model have room for all latches
void model_engage_first(artModel *m)
{
  if (m->nlatch == 0) return;
  const size_t n = (size_t) m->nlatch;
  m->latch_row = arena_alloc(&m->arena, n, sizeof *m->latch_row);
  m->latch_number = arena_alloc(&m->arena, n * LATCH_NUMBERS, sizeof *m->latch_number);
  for (int i = 0; i < m->nlatch; i++) m->engaged[i] = m->latch[i].is_engaged;
  engage_latches(m, m->engaged, NULL);
}


// numbers instead of the old ones; 0: the latch is another one
static int take_latch(modelLatch *to, const modelLatch *from)
{
  modelRelation *r = &to->relation;
  if (from->relation.n != r->n || from->cut.nrow != to->cut.nrow ||
      from->cut.type != to->cut.type) {
    return 0;
  }
  for (int side = 0; side < 2; side++) {
    cutSide *own = &to->cut.side[side];
    const cutSide *other = &from->cut.side[side];
    if (other->link != own->link || other->n != own->n) return 0;
    own->R = other->R;
    own->r = other->r;
  }
  to->cut.length = from->cut.length;
  r->constant = from->relation.constant;
  if (r->n > 0) {
    memcpy(r->coefficient, from->relation.coefficient, (size_t) r->n * sizeof *r->coefficient);
  }
  return 1;
}


int model_latches_again(artModel *m)
{
  const baseArena outer = m->arena;
  if (m->nlatch == 0) return 1;
  m->arena = (baseArena){.leaves = 1};
  char *mark = arena_alloc(&m->arena, (size_t) m->tree.nv, 1);
  int is_done = 1;
  for (int i = 0; i < m->nlatch && is_done; i++) {
    const latchRecord *record = RECORD(m->records->latches, latchRecord, i);
    modelLatch *latch = &m->latch[i];
    modelLatch own = {.name = latch->name, .place = latch->place, .type = latch->type};
    take_latch_record(m, &own, record, mark);
    latch->distance = record->def.distance;
    is_done = take_latch(latch, &own);
  }
  m->arena = outer;
  if (is_done) engage_latches(m, m->engaged, NULL);
  return is_done;
}


artStatus model_create_variant(artModel **out, const artModel *m, const int *engaged,
                               const double *number, artError *error)
{
  *out = NULL;
  artModel *variant = mem_alloc(1, sizeof *variant);
  if (!variant) return base_no_memory(error);
  *variant = *m;
  variant->arena = (baseArena){0};
  const artStatus status = lay_variant_lists(variant, engaged, error);
  if (status != ART_OK) {
    model_free_variant(variant);
    return status;
  }
  engage_latches(variant, engaged, number);
  *out = variant;
  return ART_OK;
}


// lists of its own stay where they are
void model_refresh_variant(artModel *variant, const artModel *m)
{
  const artModel own = *variant;
  double *number = own.latch_number;
  for (int i = 0; i < own.nlatch; i++) model_latch_numbers(&own, i, number + LATCH_NUMBERS * i);
  *variant = *m;
  variant->arena = own.arena;
  variant->joint = own.joint;
  variant->cut = own.cut;
  variant->relation = own.relation;
  variant->engaged = own.engaged;
  variant->latch_row = own.latch_row;
  variant->latch_number = number;
  if (m->own_joints > 0) {
    memcpy(variant->joint, m->joint, (size_t) m->own_joints * sizeof *variant->joint);
  }
  if (m->own_cuts > 0) memcpy(variant->cut, m->cut, (size_t) m->own_cuts * sizeof *variant->cut);
  if (m->own_relations > 0) {
    memcpy(variant->relation, m->relation, (size_t) m->own_relations * sizeof *variant->relation);
  }
  engage_latches(variant, variant->engaged, number);
}


void model_free_variant(artModel *variant)
{
  if (!variant) return;
  arena_free(&variant->arena);
  mem_free(variant);
}


const char *const *model_latch_outputs(artLatchType type)
{
  static const char *const rope[] = {"engaged", "length", "force", NULL};
  static const char *const other[] = {"engaged", "force", NULL};
  return type == ART_ROPE ? rope : other;
}
