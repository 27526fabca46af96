// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From a builder to the constant model: parameters, tree, forces, drives, outputs, studies, and the
// fingerprint of it all. Also the questions a model answers.
#include <string.h>

#include "base/arithmetic.h"
#include "base/error_recovery.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/formula/formula_program.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "model/read/source.h"
#include "road/road.h"
#include "tyre/tyre.h"

//---- items ---------------------------------------------------------------------------------------

typedef struct compilePiece {
  void (*compile)(void *context, int i);
  void *context;
  int i;
} compilePiece;


static void compile_piece(void *context)
{
  const compilePiece *piece = context;
  piece->compile(piece->context, piece->i);
}


void model_each(const recordList *list, size_t size, size_t name,
                void (*compile)(void *context, int i), void *context)
{
  int nfailed = 0;
  for (int i = 0; i < list->count; i++) {
    const char *record = (const char *) list->items + (size_t) i * size;
    const artPlace place = ((const recordHead *) (const void *) record)->where.place;
    compilePiece piece = {compile, context, i};
    if (recovery_try(place, place, compile_piece, &piece) || !name) continue;
    recovery_lose(*(const char *const *) (const void *) (record + name));
    nfailed++;
  }
  if (nfailed > 0) recovery_drop();
}


//---- parameters, outputs -------------------------------------------------------------------------


static void compile_parameters(artModel *m, const artBuilder *b)
{
  m->nparameter = b->parameters.count;
  m->parameter = arena_alloc(&m->arena, (size_t) m->nparameter, sizeof *m->parameter);
  for (int i = 0; i < m->nparameter; i++) {
    parameterRecord *p = &m->parameter[i];
    *p = *RECORD(b->parameters, parameterRecord, i);
    char unit[UNIT_NAME_LENGTH];
    p->name = arena_text(&m->arena, p->name);
    p->unit = arena_text(&m->arena, p->dimension.any ? "" : unit_name(p->dimension, unit));
    p->help = arena_text(&m->arena, p->help);
    table_add(&m->parameters, &m->arena, p->name, i);
  }
}


// does a step add or compare, so that what it gives has the unit of what it takes?
static int keeps_unit(formulaOp op)
{
  return op == OP_SLOT || op == OP_CONSTANT || op == OP_NEGATE || op == OP_ADD ||
         op == OP_SUBTRACT || op == OP_ABS || op == OP_MIN || op == OP_MAX;
}


// the unit that all quantities of a sum have, as angles and rates; or NULL
static const char *unit_of_sum(const artModel *m, const formula *f)
{
  const char *unit = NULL;
  for (int k = 0; k < f->nstep; k++) {
    if (!keeps_unit(f->steps[k].op)) return NULL;
    const int slot = formula_read(f, k);
    if (slot < 0) continue;
    const char *own = model_quantity_unit(m, &m->quantity[slot]);
    if (!own || (unit && strcmp(own, unit) != 0)) return NULL;
    unit = own;
  }
  return unit;
}


// the unit of an output: that of the one quantity it names, or of all that it adds, else what the formula has
static const char *output_unit(artModel *m, const formula *f)
{
  const char *unit = unit_of_sum(m, f);
  if (unit) return unit;
  char buffer[UNIT_NAME_LENGTH];
  return arena_text(&m->arena, unit_name(f->dimension, buffer));
}


static void add_model_output(artModel *m, const recordHead *head, const char *name,
                             const char *text)
{
  modelOutput *output = &m->output[m->noutput];
  const artPlace place = field_place(&head->where, "formula");
  model_formula(m, &output->formula, head, text, place, LEVEL_ACCELERATION, UNIT_ANY);
  model_refuse_memory(output->formula, "an output", place);
  output->name = arena_text(&m->arena, name);
  output->unit = output_unit(m, output->formula);
  output->place = place;
  model_keep_place(m, &output->place);
  m->noutput++;
}


// an output that the file does not name: a coordinate, "pin" and "angle", or a part of a force or latch; in the formula
// the name is in quotes
static void add_part_output(artModel *m, const char *owner, size_t length, const char *tail,
                            artPlace place)
{
  const recordHead head = {.scope = "", .where.place = place};
  const char *name = arena_format(&m->arena, "%.*s.%s", (int) length, owner, tail);
  const char *text = arena_format(&m->arena, "'%.*s'.%s", (int) length, owner, tail);
  add_model_output(m, &head, name, text);
}


// the same of an input, a state or a signal, whose name may have a number after a dot
static void add_whole(artModel *m, const char *name, artPlace place)
{
  const recordHead head = {.scope = "", .where.place = place};
  const char *dot = strrchr(name, '.');
  if (dot) {
    add_part_output(m, name, (size_t) (dot - name), dot + 1, place);
  } else {
    add_model_output(m, &head, name, arena_format(&m->arena, "'%s'", name));
  }
}


// coordinates and velocities, inputs, states, signals, force elements, latches, energies
static void default_outputs(artModel *m)
{
  static const char *const energies[] = {"energy.kinetic", "energy.potential", "energy.total",
                                         "energy.balance"};
  const recordHead head = {.scope = ""};
  for (int k = 0; k < m->tree.nq + m->tree.nv; k++) {
    const modelCoordinate *c = k < m->tree.nq ? &m->position[k] : &m->velocity[k - m->tree.nq];
    const char *dot = strrchr(c->name, '.');
    add_part_output(m, c->name, (size_t) (dot - c->name), dot + 1, m->joint[c->joint].place);
  }
  for (int i = 0; i < m->nheld; i++) {
    if (m->held[i].is_shown) add_whole(m, m->held[i].name, m->held[i].place);
  }
  for (int i = 0; i < m->nstate; i++) {
    if (m->state[i].is_shown) add_whole(m, m->state[i].name, m->state[i].place);
  }
  for (int i = 0; i < m->nsignal; i++) {
    if (m->signal[i].is_shown) add_whole(m, m->signal[i].name, m->signal[i].place);
  }
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    for (const elementOutput *o = e->type->outputs; o->name; o++) {
      const int is_usual = o->flags & OUTPUT_USUAL && element_has(e, o);
      if (is_usual) add_part_output(m, e->name, strlen(e->name), o->name, e->place);
    }
  }
  for (int i = 0; i < m->nlatch; i++) {
    const char *name = m->latch[i].name;
    for (const char *const *tail = model_latch_outputs(m->latch[i].type); *tail; tail++) {
      add_part_output(m, name, strlen(name), *tail, m->latch[i].place);
    }
  }
  for (int k = 0; k < 4; k++) add_model_output(m, &head, energies[k], energies[k]);
}


typedef struct outputWork {
  artModel *m;
  const artBuilder *b;
  baseTable names;
} outputWork;


static void compile_output(void *context, int i)
{
  outputWork *w = context;
  artModel *m = w->m;
  const outputRecord *record = RECORD(w->b->outputs, outputRecord, i);
  if (table_find(&w->names, record->name) >= 0) {
    error_refuse(record->head.where.place, "output '%s' is given twice", record->name);
  }
  add_model_output(m, &record->head, record->name, record->formula);
  table_add(&w->names, &m->arena, m->output[m->noutput - 1].name, i);
}


void model_compile_outputs(artModel *m, const artBuilder *b)
{
  const int signals = m->nheld + m->nstate + m->nsignal;
  int room = b->outputs.count ? b->outputs.count : m->tree.nq + m->tree.nv + signals + 4;
  for (int i = 0; i < m->nelement && b->outputs.count == 0; i++) {
    for (const elementOutput *o = m->element[i].type->outputs; o->name; o++) room++;
  }
  for (int i = 0; i < m->nlatch && b->outputs.count == 0; i++) {
    for (const char *const *tail = model_latch_outputs(m->latch[i].type); *tail; tail++) room++;
  }
  m->output = arena_alloc(&m->arena, (size_t) room, sizeof *m->output);
  if (b->outputs.count == 0 && !b->names_time) default_outputs(m);

  outputWork w = {.m = m, .b = b};
  model_each(&b->outputs, sizeof(outputRecord), 0, compile_output, &w);
}


//---- checks of the whole -------------------------------------------------------------------------


// does a loop have a say in the coordinates of a link?
static int is_link_in_loop(const artModel *m, const treeLink *link)
{
  const int begin = link->v0, end = link->v0 + link->nv;
  for (int c = 0; c < m->ncut; c++) {
    for (int s = 0; s < 2; s++) {
      const cutSide *side = &m->cut[c].side[s];
      for (int i = 0; i < side->n; i++) {
        if (side->dof[i] >= begin && side->dof[i] < end) return 1;
      }
    }
  }
  for (int r = 0; r < m->nrelation; r++) {
    for (int i = 0; i < m->relation[r].n; i++) {
      const int k = m->relation[r].velocity[i];
      if (k >= begin && k < end) return 1;
    }
  }
  return 0;
}


// a coordinate that is free to move must carry something that resists, unless a loop may hold it
void model_check_carried(artModel *m)
{
  treeModel *t = &m->tree;
  memset(m->carries, CARRIES_NOTHING, (size_t) t->n);
  m->is_light = 0;
  for (int i = t->n - 1; i > 0; i--) {
    const treeLink *link = &t->link[i];
    if (model_has_inertia(link)) m->carries[i] = CARRIES_MASS;
    if (m->carries[i] == CARRIES_MASS) m->carries[link->parent] = CARRIES_MASS;
    if (m->carries[i] == CARRIES_MASS || link->nv == 0 || link->is_driven || link->has_rotor)
      continue;
    if (is_link_in_loop(m, link)) {
      m->is_light = 1;
      m->carries[i] = CARRIES_LIGHT;
      continue;
    }

    const modelJoint *joint = &m->joint[m->velocity[link->v0].joint];
    // lost joints may have led to something
    if (recovery_list() && (recovery_list()->has_lost_joints || !joint->place.file)) continue;
    recovery_note(RECOVERY_PLAIN, joint->place,
                  "joint '%s' moves nothing that has mass: body '%s' and all it carries are "
                  "massless; give it a mass, or drive the joint",
                  joint->name, m->body[joint->is_reversed ? joint->from : joint->to].name);
    m->carries[link->parent] = CARRIES_MASS;
  }
}


//---- fingerprint ---------------------------------------------------------------------------------


static void mix_bytes(unsigned long long *hash, const void *bytes, size_t n)
{
  *hash = base_hash(*hash, bytes, n);
}


static void mix_text(unsigned long long *hash, const char *text)
{
  mix_bytes(hash, text, strlen(text) + 1);
}


static void mix_number(unsigned long long *hash, double x)
{
  const double plain = x == 0 ? 0 : x; // -0 is 0
  mix_bytes(hash, &plain, sizeof plain);
}


static void mix_numbers(unsigned long long *hash, int n, const double *x)
{
  for (int i = 0; i < n; i++) mix_number(hash, x[i]);
}


static void mix_hash_vector(unsigned long long *hash, v3 x)
{
  mix_numbers(hash, 3, (double[3]){x.x, x.y, x.z});
}


static void mix_matrix(unsigned long long *hash, m3 R)
{
  mix_hash_vector(hash, R.x);
  mix_hash_vector(hash, R.y);
  mix_hash_vector(hash, R.z);
}


static void mix_link(unsigned long long *hash, const treeLink *link)
{
  const int topology[] = {link->parent, (int) link->kind, link->is_driven};
  const s3 J = link->J;
  mix_bytes(hash, topology, sizeof topology);
  mix_matrix(hash, link->R);
  mix_hash_vector(hash, link->p);
  mix_numbers(hash, 3, (double[3]){link->pitch, link->rotor, link->mass});
  mix_hash_vector(hash, link->h);
  mix_numbers(hash, 6, (double[6]){J.xx, J.yy, J.zz, J.xy, J.xz, J.yz});
}


static void mix_law(unsigned long long *hash, const forceLaw *law)
{
  const int shape[] = {law ? law->nsegment : 0, law ? law->degree : 0};
  mix_bytes(hash, shape, sizeof shape);
  if (!law) return;
  mix_numbers(hash, law->nsegment - 1, law->knot);
  mix_numbers(hash, law->nsegment, law->origin);
  mix_numbers(hash, law->nsegment * (law->degree + 1), law->c);
  const forceAir *air = law->air;
  if (!air) return;
  mix_numbers(hash, 5,
              (double[5]){air->pressure, air->area, air->volume, air->exponent, air->ambient});
}


// a field of a definition; points, coordinates and laws count as compiled
static void mix_field(unsigned long long *hash, const fieldKey *key, const void *field)
{
  const char *const *text = field;
  const artLawDef *law = field;
  const artNames *names = field;
  switch (key->type) {
  case KEY_NUMBER: mix_numbers(hash, 1, field); break;
  case KEY_VECTOR: mix_numbers(hash, 3, field); break;
  case KEY_STOPS: mix_numbers(hash, 4, field); break;
  case KEY_SIX: mix_numbers(hash, 6, field); break;
  case KEY_SIX_BY_SIX: mix_numbers(hash, 36, field); break;
  case KEY_FLAG:
  case KEY_CHOICE: mix_number(hash, *(const int *) field); break;
  case KEY_FORMULA: mix_text(hash, *text); break;
  case KEY_FORMULAS:
    for (int i = 0; i < 3; i++) mix_text(hash, text[i]);
    break;
  case KEY_SOME_FORMULAS:
    for (int i = 0; i < names->count; i++) mix_text(hash, names->name[i]);
    break;
  case KEY_LAW: mix_number(hash, law->type != ART_LAW_NONE); break;
  case KEY_SIX_LAWS:
    for (int i = 0; i < 6; i++) mix_number(hash, law[i].type != ART_LAW_NONE);
    break;
  default: break;
  }
}


static void mix_contact(unsigned long long *hash, const contactPair *pair)
{
  for (int i = 0; i < 2; i++) {
    const contactSide *side = &pair->side[i];
    mix_number(hash, (double) side->shape);
    mix_numbers(hash, 3, side->offset);
    mix_numbers(hash, 3, side->half);
    mix_number(hash, side->radius);
    mix_number(hash, side->top);
    mix_number(hash, side->tube);
    const contactProfile *profile = side->profile;
    if (side->road) mix_bytes(hash, &side->road->print, sizeof side->road->print);
    for (int k = 0; side->hull && k < side->hull->nvertex; k++)
      mix_numbers(hash, 3, side->hull->vertex[k]);
    for (int k = 0; profile && k < profile->count; k++) {
      const profilePiece *piece = &profile->piece[k];
      mix_numbers(hash, 2, piece->from);
      mix_number(hash, piece->radius);
    }
  }
}


static void mix_element(unsigned long long *hash, const modelElement *e,
                        const elementRecord *record)
{
  mix_text(hash, e->name);
  mix_text(hash, e->type->form.type);
  for (const fieldKey *key = e->type->form.keys; key->name; key++) {
    mix_field(hash, key, (const char *) record->def + key->offset);
  }
  for (int i = 0; i < e->nframe; i++) mix_number(hash, e->frame[i]);
  if (element_surfaces_key(e->type)) mix_contact(hash, e->contact);
  for (int i = 0; i < e->nterm; i++) {
    mix_number(hash, e->term[i].position);
    mix_number(hash, e->term[i].c);
  }
  elementLaw laws[ELEMENT_MOST_LAWS];
  const int n = element_laws(e, laws);
  for (int i = 0; i < n; i++) mix_law(hash, laws[i].law);
  *hash = model_mix_call(*hash, &e->call);
  for (int c = 0; c < 3 && e->text[c]; c++) mix_text(hash, e->text[c]);
  if (!e->tyre) return;
  mix_bytes(hash, e->tyre, tyre_numbers_size());
  const unsigned long long road = e->road ? e->road->print : 0;
  mix_bytes(hash, &road, sizeof road);
}


static void mix_cut(unsigned long long *hash, const artModel *m, const modelCut *cut)
{
  mix_text(hash, m->joint[cut->joint].name);
  mix_number(hash, cut->type);
  if (cut->kind != joint_kinds[cut->type].row) mix_number(hash, cut->nrow);
  for (int k = 0; k < 2; k++) {
    mix_number(hash, cut->side[k].link);
    mix_hash_vector(hash, cut->side[k].r);
    mix_matrix(hash, cut->side[k].R);
  }
  mix_hash_vector(hash, cut->axis2);
  mix_numbers(hash, 3, (double[3]){cut->pitch, cut->length, cut->mass});
  if (cut->on.shape == ROLL_ON_PLANE) return;
  const modelSurface *on = &cut->on;
  const unsigned long long road = on->road ? on->road->print : 0;
  mix_number(hash, on->shape);
  mix_numbers(hash, 4, (double[4]){on->sense, on->radius, on->sine, on->cosine});
  mix_bytes(hash, &road, sizeof road);
}


// parts that only machines with loops have
static void mix_loops(unsigned long long *hash, const artModel *m)
{
  for (int c = 0; c < m->ncut; c++) mix_cut(hash, m, &m->cut[c]);
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    mix_text(hash, r->name);
    mix_number(hash, r->constant);
    *hash = model_mix_call(*hash, &r->call);
    for (int k = 0; k < r->n; k++) {
      mix_number(hash, r->position[k]);
      mix_number(hash, r->coefficient[k]);
    }
  }
  if (m->nrow == 0) return;
  mix_bytes(hash, m->is_given_q, (size_t) m->tree.nq);
  mix_bytes(hash, m->is_given_v, (size_t) m->tree.nv);
  mix_number(hash, m->project);
}


static void mix_latch(unsigned long long *hash, const artModel *m, const modelLatch *latch,
                      const artLatchDef *def)
{
  mix_text(hash, latch->name);
  mix_bytes(hash, &latch->type, sizeof latch->type);
  mix_number(hash, latch->is_engaged);
  mix_number(hash, latch->distance);
  mix_text(hash, def->engage ? def->engage : "");
  mix_text(hash, def->release ? def->release : "");
  for (int k = 0; k < latch->relation.n; k++) {
    mix_number(hash, latch->relation.position[k]);
    mix_number(hash, latch->relation.coefficient[k]);
  }
  if (latch->type != ART_LOCK) mix_cut(hash, m, &latch->cut);
}


static void mix_signal(unsigned long long *hash, const char *name, const char *unit,
                       const signalFormula *s)
{
  mix_text(hash, name);
  mix_text(hash, unit);
  if (s->text) mix_text(hash, s->text);
}


// parts that only machines with inputs, states or blocks have
static void mix_signals(unsigned long long *hash, const artModel *m, const artBuilder *b)
{
  for (int i = 0; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    const double numbers[] = {held->initial, held->least,  held->largest,
                              held->every,   held->offset, held->hold};
    mix_text(hash, held->name);
    mix_text(hash, held->unit);
    mix_numbers(hash, 6, numbers);
  }
  for (int i = m->ninput; i < m->nheld; i++) {
    mix_text(hash, m->held[i].next.text);
    mix_number(hash, m->held[i].is_memory);
  }
  // texts of blocks do not tell the values of these
  for (int i = 0; i < b->live.count; i++) {
    const liveNumber *own = RECORD(b->live, liveNumber, i);
    if (own->number && strcmp(own->section, "blocks") == 0) mix_number(hash, *own->number);
  }
  for (int i = 0; i < m->nrate; i++) {
    mix_number(hash, m->state[i].initial);
    mix_signal(hash, m->state[i].name, m->state[i].unit, &m->state[i].rate);
  }
  for (int i = 0; i < m->nsignal; i++) {
    mix_signal(hash, m->signal[i].name, m->signal[i].unit, &m->signal[i].value);
  }
}


static unsigned long long model_fingerprint(const artModel *m, const artBuilder *b)
{
  unsigned long long hash = BASE_HASH_EMPTY;
  mix_hash_vector(&hash, m->tree.gravity);
  for (int i = 1; i < m->tree.n; i++) mix_link(&hash, &m->tree.link[i]);
  for (int k = 0; k < m->tree.nq; k++) {
    mix_text(&hash, m->position[k].name);
    mix_number(&hash, m->q_initial[k]);
  }
  for (int k = 0; k < m->tree.nv; k++) mix_number(&hash, m->v_initial[k]);
  for (int i = 0; i < m->nframe; i++) {
    const modelFrame *f = &m->frame[i];
    mix_text(&hash, f->name);
    mix_number(&hash, f->link);
    mix_hash_vector(&hash, f->r);
    mix_matrix(&hash, f->R);
  }
  for (int i = 0; i < m->nparameter; i++) {
    mix_text(&hash, m->parameter[i].name);
    mix_number(&hash, m->parameter[i].value);
  }
  for (int i = 0; i < m->ncurve; i++) {
    mix_text(&hash, m->curve[i].name);
    const formulaCurve *own = &m->curve[i].own;
    if (own->law) mix_law(&hash, own->law);
    for (int j = 0; own->map && j < own->map->n; j++) {
      mix_law(&hash, own->map->column[j]);
      mix_law(&hash, own->map->weight[j]);
    }
  }
  for (int i = 0; i < m->nelement; i++) {
    mix_element(&hash, &m->element[i], RECORD(b->elements, elementRecord, i));
  }
  for (int i = 0; i < m->ndrive; i++) {
    const driveRecord *record = RECORD(b->drives, driveRecord, i);
    mix_number(&hash, m->drive[i].position);
    if (record->def.formula) mix_text(&hash, record->def.formula);
    mix_law(&hash, m->drive[i].table);
  }
  mix_loops(&hash, m);
  mix_signals(&hash, m, b);
  for (int i = 0; i < m->nlatch; i++) {
    mix_latch(&hash, m, &m->latch[i], &RECORD(b->latches, latchRecord, i)->def);
  }
  return hash;
}


//---- compiling -----------------------------------------------------------------------------------


void art_free_model(artModel *m)
{
  if (!m) return;
  model_close_libraries(m);
  arena_free(&m->attached);
  if (m->pool) {
    source_free(m->source);
    pool_free(m->pool);
  } else {
    for (int i = 0; i < m->nroad; i++) art_free_road(m->road[i]);
    for (int i = 0; i < m->ntyre; i++) art_free_tyre(m->tyre[i]);
    arena_free(&m->arena);
    arena_free(&m->formulas);
  }
  mem_free(m);
}


// whose each switching function is
static void find_switch_owners(artModel *m)
{
  ARENA_TAKE(&m->arena, m->switch_owner, m->nswitch + 1);
  for (int i = 0; i < m->nswitch; i++) m->switch_owner[i] = -1;
  for (int k = 0; k < model_frozen_count(m); k++) {
    const signalFormula *s = model_frozen(m, k);
    for (int i = 0; s && i < s->f->nswitch; i++) m->switch_owner[s->switch0 + i] = m->nelement + k;
  }
  for (int k = 0; k < m->nelement; k++) {
    const modelElement *e = &m->element[k];
    for (int i = 0; i < e->nswitch; i++) m->switch_owner[e->switch0 + i] = k;
  }
}


static void compile_reduced(artModel *m, const artBuilder *b)
{
  m->title = arena_text(&m->arena, b->title);
  compile_parameters(m, b);
  model_compile_curves(m, b);
  model_compile_tree(m, b);
  model_compile_visuals(m, b);
  model_take_functions(m, b);
  model_compile_loops(m, b);
  model_declare_signals(m, b);
  model_compile_forces(m, b);
  model_compile_drives(m, b);
  model_compile_initial(m, b);
  model_compile_latches(m, b);
  model_compile_rigid(m, b);
  model_parse_rates(m); // of states: they may read all of these
  model_compile_outputs(m, b);
  model_compile_studies(m, b);
  find_switch_owners(m);
  ARENA_TAKE(&m->arena, m->carries, m->tree.n);
  model_check_carried(m);
  model_engage_first(m);
  m->hash = model_fingerprint(m, b);
}


typedef struct compileWork {
  artModel *m;
  artBuilder *b;
} compileWork;


static void compile_model_parts(void *context)
{
  const compileWork *w = context;
  artModel *m = w->m;
  artBuilder reduced;
  m->arena.leaves = m->formulas.leaves = m->scratch.leaves = 1;
  model_remove_bars(m, w->b, &reduced);
  model_begin_warnings(m, w->b);
  m->live = &reduced.live;
  m->programs = w->b->reader ? &w->b->programs : NULL;
  m->checks = w->b->reader ? &w->b->checks : NULL;
  compile_reduced(m, &reduced);
  model_end_warnings(m);
  m->live = NULL;
  m->programs = m->checks = NULL;
  m->arena.leaves = m->formulas.leaves = 0;
}


artStatus art_compile_model(artModel **model, artBuilder *b, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(model, error);
  *model = NULL;
  if (!b) return base_no_memory(error);
  if (b->error.status != ART_OK) {
    if (error) *error = b->error;
    return b->error.status;
  }
  artModel *m = mem_alloc(1, sizeof *m);
  if (!m) return base_no_memory(error);
  const artStatus status = error_try(compile_model_parts, &(compileWork){m, b}, error);
  arena_free(&m->scratch);
  m->scratch = (baseArena){0};
  if (status != ART_OK) {
    art_free_model(m);
    return status;
  }
  *model = m;
  return ART_OK;
}


//---- questions -----------------------------------------------------------------------------------


artCounts art_count(const artModel *m)
{
  ART_REQUIRE_OR(m, (artCounts){0});
  return (artCounts){.bodies = m->nbody - 1,
                     .joints = m->njoint,
                     .nq = m->tree.nq,
                     .nv = m->tree.nv,
                     .loops = m->ncut,
                     .latches = m->nlatch,
                     .forces = m->nelement,
                     .drives = m->ndrive,
                     .outputs = m->noutput,
                     .studies = m->nstudy,
                     .states = m->nstate,
                     .inputs = m->ninput,
                     .held = m->nheld,
                     .signals = m->nsignal,
                     .links = m->tree.n - 1};
}


const char *art_title(const artModel *m)
{
  ART_REQUIRE_OR(m, NULL);
  return m->title;
}


// coordinates are rad, m, or nothing in the case of quaternions
static const char *coordinate_unit(const modelCoordinate *coordinate, int is_velocity)
{
  if (coordinate->dimension.m == 1) return is_velocity ? "m/s" : "m";
  if (is_velocity) return "rad/s";
  return coordinate->partner >= 0 ? "rad" : "1";
}


// names and units of items, NULL after the last
#define ITEM_TEXT(function, count, text)                                                           \
  const char *function(const artModel *m, int k)                                                   \
  {                                                                                                \
    ART_REQUIRE_OR(m, NULL);                                                                       \
    return k >= 0 && k < m->count ? text : NULL;                                                   \
  }

ITEM_TEXT(art_position_name, tree.nq, m->position[k].name)
ITEM_TEXT(art_position_unit, tree.nq, coordinate_unit(&m->position[k], 0))
ITEM_TEXT(art_velocity_name, tree.nv, m->velocity[k].name)
ITEM_TEXT(art_velocity_unit, tree.nv, coordinate_unit(&m->velocity[k], 1))
ITEM_TEXT(art_state_name, nstate, m->state[k].name)
ITEM_TEXT(art_state_unit, nstate, m->state[k].unit)
ITEM_TEXT(art_output_name, noutput, m->output[k].name)
ITEM_TEXT(art_output_unit, noutput, m->output[k].unit)
ITEM_TEXT(art_parameter_name, nparameter, m->parameter[k].name)
ITEM_TEXT(art_parameter_unit, nparameter, m->parameter[k].unit)
ITEM_TEXT(art_parameter_help, nparameter, m->parameter[k].help)

// numbers of items by their names, -1: there is none
#define ITEM_NUMBER(function, table)                                                               \
  int function(const artModel *m, const char *name)                                                \
  {                                                                                                \
    ART_REQUIRE_OR(m &&name, -1);                                                                  \
    return table_find(&m->table, name);                                                            \
  }

ITEM_NUMBER(art_find_body, bodies)
ITEM_NUMBER(art_find_frame, frames)
ITEM_NUMBER(art_find_position, positions)
ITEM_NUMBER(art_find_velocity, velocities)
ITEM_NUMBER(art_find_state, states)
ITEM_NUMBER(art_find_parameter, parameters)


int art_find_input(const artModel *m, const char *name)
{
  ART_REQUIRE_OR(m && name, -1);
  const int held = table_find(&m->helds, name);
  return held < m->ninput ? held : -1;
}


const artStudyDef *art_find_study(const artModel *m, artStudyType type, const char *name)
{
  ART_REQUIRE_OR(m, NULL);
  for (int i = 0; i < m->nstudy; i++) {
    const artStudyDef *def = &m->study[i].def;
    if (name ? strcmp(def->name, name) == 0 : def->type == type) return def;
  }
  return NULL;
}


const artRunDef *art_find_run(const artModel *m, const char *name)
{
  ART_REQUIRE_OR(m, NULL);
  const artStudyDef *study = art_find_study(m, ART_RUN, name);
  return study && study->type == ART_RUN ? &study->run : NULL;
}


unsigned long long art_model_hash(const artModel *m)
{
  ART_REQUIRE_OR(m, 0);
  return m->is_hash_old ? model_fingerprint(m, m->records) : m->hash;
}
