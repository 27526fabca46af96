// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives: names resolved, laws made, modes counted.
#include <string.h>

#include "base/error_recovery.h"
#include "base/throw.h"
#include "model/define/builder.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "road/road.h"
#include "tyre/tyre.h"

//---- references ----------------------------------------------------------------------------------


int model_coordinate(const artModel *m, const char *reference, artPlace place, artError *error)
{
  const int whole = table_find(&m->joints, reference);
  if (whole >= 0) {
    const modelJoint *joint = &m->joint[whole];
    if (joint->nv == 1) return joint->q0;
    if (joint->is_cut && !joint_is_rod(joint->type)) recovery_pass_joints();
    base_fail(error, ART_BAD_INPUT, place,
              joint->is_cut   ? "joint '%s' closes a loop and has no coordinates of its own"
              : joint->nv > 1 ? "joint '%s' has several coordinates; name one of them, as in "
                                "joint.angle"
                              : "joint '%s' has no coordinates",
              reference);
    return -1;
  }
  const int q = table_find(&m->positions, reference);
  if (q >= 0 && m->position[q].partner >= 0) return q;
  const int cut = model_cut_named(m, reference);
  if (cut >= 0) {
    if (!joint_is_rod(m->joint[cut].type)) recovery_pass_joints();
    base_fail(error, ART_BAD_INPUT, place,
              "joint '%s' closes a loop and has no coordinates of its own", m->joint[cut].name);
    return -1;
  }

  baseNearest nearest = {.word = reference};
  for (int k = 0; k < m->tree.nq; k++) {
    if (m->position[k].partner >= 0) base_consider(&nearest, m->position[k].name);
  }
  for (int k = 0; k < m->njoint; k++) base_consider(&nearest, m->joint[k].name);
  char hint[BASE_HINT_LENGTH];
  recovery_pass(reference);
  if (recovery_list() && base_guess(&nearest)) {
    recovery_note(RECOVERY_PLAIN, place, "'%s' is not a joint coordinate%s", reference,
                  base_hint(&nearest, hint));
    return model_coordinate(m, base_guess(&nearest), place, error);
  }
  base_fail(error, ART_BAD_INPUT, place, "'%s' is not a joint coordinate%s", reference,
            base_hint(&nearest, hint));
  return -1;
}


int model_need_coordinate(const artModel *m, const char *reference, artPlace place)
{
  const int q = model_coordinate(m, reference, place, error_current());
  if (q < 0) error_throw();
  return q;
}


//---- elements ------------------------------------------------------------------------------------


// where a coordinate of the combination was named, as it was written there
static artPlace term_place(const elementRecord *record, const char *name)
{
  const fieldWhere *where = &record->head.where;
  const size_t scope = strlen(record->head.scope);
  const int is_inside = scope > 0 && strncmp(name, record->head.scope, scope) == 0;
  const char *written = is_inside && name[scope] == '/' ? name + scope + 1 : name;
  for (int i = 0; i < where->nmark; i++) {
    if (strcmp(where->mark[i].key, written) == 0) return where->mark[i].place;
  }
  return field_place(where, "coordinate");
}


static void take_coordinates(artModel *m, modelElement *e, const elementRecord *record)
{
  const fieldTerms *along = &record->along;
  e->nterm = along->n;
  e->term = arena_alloc(&m->arena, (size_t) along->n, sizeof *e->term);
  for (int i = 0; i < e->nterm; i++) {
    const artPlace place = term_place(record, along->coordinate[i]);
    const int q = model_need_coordinate(m, along->coordinate[i], place);
    e->term[i] = (modelTerm){q, m->position[q].partner, along->coefficient[i]};
    for (int k = 0; k < i; k++) {
      if (e->term[k].position != q) continue;
      error_refuse(place, "force '%s' names '%s' twice", e->name, along->coordinate[i]);
    }
  }
}


// two points on different bodies, or one on a body that can move
static void check_frames(const artModel *m, const modelElement *e, const elementRecord *record)
{
  const fieldWhere *where = &record->head.where;
  const int body = e->nframe > 0 ? m->frame[e->frame[0]].body : -1;
  int same = 0;
  while (same < e->nframe && m->frame[e->frame[same]].body == body) same++;
  if (e->nframe > 1 && same == e->nframe) {
    error_refuse(field_place(where, same > 2 ? "through" : "to"),
                 "%s '%s' has %s its points on '%s'", e->type->form.type, e->name,
                 same > 2 ? "all" : "both", m->body[body].name);
  }
  if (e->nframe != 1 || body != 0) return;
  const fieldKey *key = e->type->form.keys;
  while (key->type != KEY_REFERENCE) key++;
  error_refuse(field_place(where, key->mark ? key->mark : key->name),
               "force '%s' acts on ground, which it cannot move", e->name);
}


// the function instead of laws, formulas or forces of a tyre
static void take_call(artModel *m, modelElement *e, const elementRecord *record)
{
  if (!record->call || !record->call->name) return;
  const elementKind *kind = record->kind;
  const functionUse use = {.kind = kind->call.kind,
                           .ninput = kind->call.inputs,
                           .n = kind->call.results,
                           .what = kind->call.kind == FUNCTION_TYRE ? "tyre" : "force",
                           .user = e->name,
                           .place = field_place(&record->head.where, "function")};
  model_take_call(m, &e->call, record->call, &use);
}


// among the n names at distance `size` from each other
static int find_named_record(const recordList *list, size_t size, const char *what,
                             const char *name, artPlace place)
{
  baseNearest nearest = {.word = name};
  for (int i = 0; i < list->count; i++) {
    // the name is the first member of the records
    const char *own = *(const char *const *) ((const char *) list->items + (size_t) i * size);
    if (strcmp(own, name) == 0) return i;
    base_consider(&nearest, own);
  }
  char hint[BASE_HINT_LENGTH];
  recovery_pass(name);
  error_refuse(place, "'%s' is not a %s%s", name, what, base_hint(&nearest, hint));
}


const artRoad *model_need_road(const artBuilder *b, const char *name, artPlace place)
{
  const int i = find_named_record(&b->roads, sizeof(roadRecord), "road", name, place);
  return RECORD(b->roads, roadRecord, i)->road;
}


// a formula of the user: part of the element, or of texts that its kind will write
static void take_formula(artModel *m, formula **out, const elementRecord *record, const char *text,
                         artPlace place, baseDimension expected, elementContext *c)
{
  formula *parsed;
  model_formula(m, &parsed, &record->head, text, place, LEVEL_VELOCITY, expected);
  if (out) *out = parsed;
  c->formula = parsed->dimension;
  c->is_constant = c->is_constant && formula_is_constant(parsed);
}


static void check_curve(const artModel *m, const modelElement *e, const artPathDef *path,
                        artPlace place)
{
  const int known = path->type == ART_PATH_CURVE ? table_find(&m->curves, path->curve) : 0;
  if (path->type != ART_PATH_CURVE || (known >= 0 && m->curve[known].own.law)) return;
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = path->curve};
  recovery_pass(path->curve);
  for (int i = 0; i < m->ncurve; i++) base_consider(&nearest, m->curve[i].name);
  error_refuse(place, "%s '%s' follows '%s', which is not a curve%s", e->type->form.type, e->name,
               path->curve, base_hint(&nearest, hint));
}


static void take_frame(const artModel *m, modelElement *e, int *out, const char *name,
                       artPlace place)
{
  *out = table_find(&m->frames, name);
  e->nframe++;
  if (*out >= 0) return;
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  recovery_pass(name);
  for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
  recovery_note(RECOVERY_PLAIN, place, "'%s' is not a body, frame or point%s", name,
                base_hint(&nearest, hint));
  if (!base_guess(&nearest)) recovery_drop();
  *out = table_find(&m->frames, base_guess(&nearest));
}


//---- surfaces ------------------------------------------------------------------------------------

static const surfaceRecord *find_surface_record(const artBuilder *b, const char *name)
{
  const artSurfaceDef *def = builder_find_surface(b, name);
  return (const surfaceRecord *) (const void *) ((const char *) def - offsetof(surfaceRecord, def));
}


// the surfaces of a contact, which the builder has found before
static void find_surfaces(const artBuilder *b, const elementRecord *record, elementContext *c)
{
  if (!element_surfaces_key(record->kind)) return;
  for (int i = 0; i < 2; i++) c->surface[i] = builder_find_surface(b, record->surface[i]);
  c->part = record->part;
}


// frames of surfaces that no contact names, too
static void check_surface(void *context, int i)
{
  const modelWork *w = context;
  const surfaceRecord *record = RECORD(w->b->surfaces, surfaceRecord, i);
  modelElement nothing = {.nframe = 0};
  int frame;
  take_frame(w->m, &nothing, &frame, record->def.on, field_place(&record->head.where, "on"));
  if (record->def.type != ART_SURFACE_ROAD) return;
  for (int k = 0; k < w->m->nroad; k++) {
    if (w->m->road[k] == record->def.road) return;
  }
  error_refuse(field_place(&record->head.where, "road"),
               "the road of surface '%s' is not one of the model; add it before", record->def.name);
}


// the link that a link is fixed to, through any number of fixed joints
static int rigid_link(const artModel *m, int link)
{
  while (link > 0 && m->tree.link[link].kind == LINK_FIXED) link = m->tree.link[link].parent;
  return link;
}


// surfaces that never move relative to each other do not touch
static void check_contact(const artModel *m, const modelElement *e, const elementRecord *record)
{
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  const artPlace place = field_place(&record->head.where, "to");
  if (a->body == b->body) {
    error_refuse(place, "both surfaces of contact '%s' are on '%s'", e->name,
                 m->body[a->body].name);
  }
  if (rigid_link(m, a->link) != rigid_link(m, b->link)) return;
  error_refuse(place, "contact '%s' is between '%s' and '%s', which are fixed to each other",
               e->name, m->body[a->body].name, m->body[b->body].name);
}


// a field of the definition of an element
typedef struct elementPiece {
  artModel *m;
  const artBuilder *b;
  modelElement *e;
  const elementRecord *record;
  const fieldKey *key;
  elementContext *c;
} elementPiece;


// its compiled value
static void take_element_field(void *context)
{
  const elementPiece *piece = context;
  artModel *m = piece->m;
  const artBuilder *b = piece->b;
  modelElement *e = piece->e;
  const elementRecord *record = piece->record;
  const fieldKey *key = piece->key;
  elementContext *c = piece->c;
  const fieldWhere *where = c->where;
  const void *field = (const char *) record->def + key->offset;
  void *to = key->to ? (char *) e + key->to : NULL;
  const char *const *text = field;
  const artNames *texts = field;
  const artPlace place = field_place(where, key->mark ? key->mark : key->name);
  const int is_called = e->call.function != NULL;
  const baseDimension unit = field_dimension(key->quantity, model_element_axis(m, e));
  int i = 0;
  switch (key->type) {
  case KEY_REFERENCE:
    if (to) take_frame(m, e, to, *text, place);
    break;
  case KEY_BETWEEN:
    take_frame(m, e, to, text[0], field_place(where, "from"));
    take_frame(m, e, (int *) to + 1, text[1], field_place(where, "to"));
    break;
  case KEY_SURFACES:
    for (; i < 2 && !record->kind->is_whole; i++) {
      const surfaceRecord *surface = find_surface_record(b, record->surface[i]);
      take_frame(m, e, &e->frame[i], surface->def.on, field_place(&surface->head.where, "on"));
    }
    break;
  case KEY_THROUGH:
    for (; i < ART_MOST_POINTS && text[i]; i++) {
      take_frame(m, e, (int *) to + i, text[i], place);
    }
    break;
  case KEY_TYRE:
    i = find_named_record(&b->tyres, sizeof(tyreRecord), "tyre", *text, place);
    *(const artTyre **) to = m->tyre[i];
    break;
  case KEY_ROAD:
    if (!*text) break;
    i = find_named_record(&b->roads, sizeof(roadRecord), "road", *text, place);
    *(const artRoad **) to = m->road[i];
    break;
  case KEY_PATH: check_curve(m, e, field, place); break;
  case KEY_NUMBER:
    if (to) memcpy(to, field, sizeof(double));
    break;
  case KEY_CHOICE:
    if (to) memcpy(to, field, sizeof(int));
    break;
  case KEY_STOPS: {
    const artStopsDef *stops = field;
    *(forceStop *) to = (forceStop){stops->lower, stops->upper, stops->stiffness, stops->damping};
    break;
  }
  case KEY_LAW: *(forceLaw **) to = element_make_law(&m->arena, field, place); break;
  case KEY_FORMULA:
    // kinds with parts of their own have checked which formulas they need; a function makes the forces of a tyre alone
    if (e->tyre && (*text)[0]) take_formula(m, to, record, *text, place, unit, c);
    if (e->tyre || is_called || (!(*text)[0] && record->kind->declare)) break;
    take_formula(m, to, record, *text, place, unit, c);
    break;
  case KEY_FORMULAS:
    for (; i < 3 && !is_called; i++) {
      static const char *const marks[3] = {"components0", "components1", "components2"};
      take_formula(m, (formula **) to + i, record, text[i], field_place(where, marks[i]), unit, c);
    }
    break;
  case KEY_SOME_FORMULAS:
    for (; to && i < texts->count && is_called; i++) {
      take_formula(m, (formula **) to + i, record, texts->name[i], place, unit, c);
    }
    break;
  default: break;
  }
}


static int find_number(const void *context, const double *x)
{
  return live_place(context, x);
}


partNumbers model_numbers(const artModel *m)
{
  return (partNumbers){m, find_number};
}


// sum of factors times coordinates or rates, in parentheses
static const char *coordinate_sum_text(artModel *m, const modelElement *e, const fieldTerms *along,
                                       int is_rate)
{
  const partNumbers numbers = model_numbers(m);
  const char *sum = "0";
  for (int i = 0; i < e->nterm; i++) {
    const modelTerm *term = &e->term[i];
    const char *name =
        is_rate ? m->velocity[term->velocity].name : m->position[term->position].name;
    const char *factor = part_number(&numbers, &m->arena, &along->coefficient[i]);
    sum = arena_compose(&m->arena, "%s + (%s)*'/%s'", sum, factor, name);
  }
  return arena_compose(&m->arena, "(%s)", sum);
}


// parts of its own, which other formulas may ask for
static void declare_parts(artModel *m, const artBuilder *b, modelElement *e,
                          const elementRecord *record)
{
  const elementKind *kind = record->kind;
  if (!kind->declare) return;
  elementContext c = {.arena = &m->arena,
                      .where = &record->head.where,
                      .numbers = model_numbers(m),
                      .x = coordinate_sum_text(m, e, &record->along, 0),
                      .rate = coordinate_sum_text(m, e, &record->along, 1),
                      .formula = UNIT_ANY};
  partContext parts = {.arena = &m->arena, .lists = &m->scratch, .where = c.where};
  parts.self = arena_compose(&m->arena, "'/%s'", e->name);
  find_surfaces(b, record, &c);
  kind->declare(e, record->def, &c, &parts);
  model_declare_parts(m, "force", e->name, &record->head, &parts);
}


// what other formulas may ask of an element: its coordinates, its function, and parts of its own
static void declare_element(artModel *m, const artBuilder *b, modelElement *e,
                            const elementRecord *record)
{
  take_call(m, e, record);
  for (const fieldKey *key = record->kind->form.keys; key->name; key++) {
    if (key->type == KEY_COORDINATE) take_coordinates(m, e, record);
  }
  declare_parts(m, b, e, record);
}


static void take_element(artModel *m, const artBuilder *b, modelElement *e,
                         const elementRecord *record)
{
  const elementKind *kind = record->kind;
  elementContext c = {.arena = &m->arena,
                      .where = &record->head.where,
                      .numbers = model_numbers(m),
                      .formula = UNIT_ANY,
                      .is_constant = true};
  bool is_sound = true;
  for (const fieldKey *key = kind->form.keys; key->name; key++) {
    const artPlace place = field_place(c.where, key->mark ? key->mark : key->name);
    elementPiece piece = {m, b, e, record, key, &c};
    if (key->type == KEY_COORDINATE) continue;
    is_sound &= recovery_try(place, place, take_element_field, &piece);
  }
  if (!is_sound) recovery_drop();
  find_surfaces(b, record, &c);
  if (c.surface[0]) {
    check_contact(m, e, record);
  } else {
    check_frames(m, e, record);
  }
  if (!kind->compile) return;
  c.x = coordinate_sum_text(m, e, &record->along, 0);
  c.rate = coordinate_sum_text(m, e, &record->along, 1);
  kind->compile(e, record->def, &c);

  // the formulas that its kind has written
  const artPlace place = field_place(&record->head.where, "frame");
  for (int i = 0; i < 3 && e->text[i]; i++) {
    model_formula(m, &e->formula[i], &record->head, e->text[i], place, LEVEL_VELOCITY, UNIT_ANY);
  }
}


// the roads and tyres of the builder, which the model keeps for itself
static void keep_roads_and_tyres(artModel *m, const artBuilder *b)
{
  m->road = arena_alloc(&m->arena, (size_t) b->roads.count, sizeof *m->road);
  m->tyre = arena_alloc(&m->arena, (size_t) b->tyres.count, sizeof *m->tyre);
  for (; m->nroad < b->roads.count; m->nroad++) {
    m->road[m->nroad] = RECORD(b->roads, roadRecord, m->nroad)->road;
    road_keep(m->road[m->nroad]);
  }
  for (; m->ntyre < b->tyres.count; m->ntyre++) {
    m->tyre[m->ntyre] = RECORD(b->tyres, tyreRecord, m->ntyre)->tyre;
    tyre_keep(m->tyre[m->ntyre]);
  }
}


// frozen modes: a segment per law that has events, one per stop, a branch per switch of a formula;
// switching functions: two per law (its ends) and per stop, one per switch
static void count_modes(modelElement *e)
{
  elementLaw laws[ELEMENT_MOST_LAWS];
  const int n = element_laws(e, laws);
  e->nmode = n;
  for (int i = 0; i < n; i++) {
    if (!law_is_smooth(laws[i].law)) e->nswitch += 2;
  }
  if (model_has_stop(e)) {
    e->nmode++;
    e->nswitch += STOP_MARGINS;
  }
  for (int c = 0; c < 3; c++) {
    if (!e->formula[c]) continue;
    e->nmode += e->formula[c]->nswitch;
    e->nswitch += e->formula[c]->nswitch;
  }
}


// after the states of formulas
static void name_element_states(artModel *m, modelElement *e)
{
  e->state0 = m->nstate;
  for (int k = 0; k < e->nstate; k++) {
    const char *name = arena_format(&m->arena, "%s.%s", e->name, e->type->states[k]);
    model_add_element_state(m, name);
  }
}


// most elements need less memory than this
enum { ELEMENT_ROW = 8192 };


static void compile_declaration(void *context, int i)
{
  const modelWork *w = context;
  declare_element(w->m, w->b, &w->m->element[i], RECORD(w->b->elements, elementRecord, i));
}


static void compile_element(void *context, int i)
{
  artModel *m = ((const modelWork *) context)->m;
  const artBuilder *b = ((const modelWork *) context)->b;
  modelElement *e = &m->element[i];
  e->row = arena_begin_row(&m->arena, ELEMENT_ROW);
  take_element(m, b, e, RECORD(b->elements, elementRecord, i));
  model_take_ground(m, e);
  e->row_size = arena_row(&m->arena, e->row);
  name_element_states(m, e);

  // results kept for outputs; lengths and rates are computed where they are asked for
  for (const elementOutput *o = e->type->outputs; o->name; o++) {
    const int is_kept = o->level == LEVEL_ACCELERATION && element_has(e, o);
    if (is_kept && o->component >= e->nvalue) e->nvalue = o->component + 1;
  }
  e->value0 = m->nvalue;
  m->nvalue += e->nvalue;
  count_modes(e);
  e->mode0 = m->nmode;
  e->switch0 = m->nswitch;
  m->nmode += e->nmode;
  m->nswitch += e->nswitch;
}


void model_compile_forces(artModel *m, const artBuilder *b)
{
  m->element = arena_alloc(&m->arena, (size_t) b->elements.count, sizeof *m->element);
  keep_roads_and_tyres(m, b);

  // names first: formulas may read lengths and rates of any spring
  m->nelement = b->elements.count;
  for (int i = 0; i < m->nelement; i++) {
    const elementRecord *record = RECORD(b->elements, elementRecord, i);
    modelElement *e = &m->element[i];
    e->type = record->kind;
    e->kind = e->type->tag;
    e->name = arena_text(&m->arena, record->name);
    e->place = record->head.where.place;
    table_add(&m->elements, &m->arena, e->name, i);
  }
  modelWork w = {m, b};
  MODEL_EACH(b->surfaces, surfaceRecord, def.name, check_surface, &w);
  MODEL_EACH(b->elements, elementRecord, name, compile_declaration, &w);
  model_parse_signals(m);
  MODEL_EACH(b->elements, elementRecord, name, compile_element, &w);
}


//---- an element alone ----------------------------------------------------------------------------

int model_stands_alone(const modelElement *e)
{
  return e->row_size > 0 && e->kind != ELEMENT_callback && !element_surfaces_key(e->type);
}


// factors of its coordinates, numbers that its function takes, and what its parts begin with
static int declare_again(artModel *m, modelElement *e, const elementRecord *record)
{
  artModel own = model_without_signals(m);
  const modelFunction *f = e->call.function;
  for (int i = 0; i < e->nterm; i++) e->term[i].c = record->along.coefficient[i];
  if (f && f->nparameter > 0) {
    memcpy(e->call.parameter, record->call->parameter, (size_t) f->nparameter * sizeof(double));
  }
  declare_parts(&own, m->records, e, record);
  return model_take_signals(m, &own);
}


// formulas are parsed to learn what they are; formulas of the element are programs, which are parsed again by themselves
int model_take_again(artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->nelement);
  const elementRecord *record = RECORD(m->records->elements, elementRecord, i);
  modelElement *e = &m->element[i];
  if (!declare_again(m, e, record)) return 0;
  modelElement own = {.kind = e->kind,
                      .type = e->type,
                      .name = e->name,
                      .place = e->place,
                      .nterm = e->nterm,
                      .term = e->term,
                      .ground = e->ground,
                      .call = e->call};
  const baseArena outer = m->arena, formulas = m->formulas;
  m->arena = m->formulas = (baseArena){.leaves = 1};
  m->live = &m->records->live;
  take_element(m, m->records, &own, record);
  m->live = NULL;
  const baseArena made = m->arena;
  m->arena = outer;
  m->formulas = formulas;
  count_modes(&own);
  if (own.nmode != e->nmode || own.nswitch != e->nswitch || own.nstate != e->nstate) {
    return 0;
  }
  memcpy(own.formula, e->formula, sizeof own.formula);
  own.state0 = e->state0;
  own.value0 = e->value0;
  own.nvalue = e->nvalue;
  own.mode0 = e->mode0;
  own.switch0 = e->switch0;
  own.row = e->row;
  own.row_size = e->row_size;
  void *row = arena_only_block(&made, e->row_size);
  if (!row || !pool_move_row(m->pool, e->row, row, e->row_size, e, &own, sizeof own)) return 0;
  *e = own;
  return 1;
}


//---- drives --------------------------------------------------------------------------------------


static forceLaw *make_drive_table(baseArena *arena, const driveRecord *record)
{
  const artDriveDef *def = &record->def;
  const artLawDef table = {.type = ART_LAW_TABLE, .n = def->n, .x = def->time, .f = def->value};
  return element_make_law(arena, &table, field_place(&record->head.where, "value"));
}


static void take_drive(artModel *m, modelDrive *drive, const driveRecord *record)
{
  const artDriveDef *def = &record->def;
  const fieldWhere *where = &record->head.where;
  drive->kind = "drive";
  drive->name = arena_text(&m->arena, def->name);
  drive->place = where->place;

  drive->position = model_need_coordinate(m, def->coordinate, field_place(where, "coordinate"));
  drive->velocity = m->position[drive->position].partner;
  treeLink *link = &m->tree.link[m->tree.dof_link[drive->velocity]];
  if (link->nv > 1) {
    error_refuse(field_place(where, "coordinate"),
                 "drive '%s' prescribes '%s' of a joint that cannot be driven by single "
                 "coordinates; use a chain of joints instead",
                 drive->name, def->coordinate);
  }
  if (link->is_driven) {
    error_refuse(field_place(where, "coordinate"),
                 "drive '%s' prescribes '%s', which another drive does already", drive->name,
                 def->coordinate);
  }
  link->is_driven = 1;

  if (def->formula) {
    model_formula(m, &drive->formula, &record->head, def->formula, field_place(where, "formula"),
                  LEVEL_POSITION, m->position[drive->position].dimension);
    for (int i = 0; i < m->nquantity; i++) {
      if (m->quantity[i].kind == QUANTITY_TIME || !formula_uses(drive->formula, i)) continue;
      error_refuse(drive->place,
                   "drive '%s' depends on the motion; a prescribed motion is a formula of time "
                   "alone",
                   drive->name);
    }
    model_refuse_memory(drive->formula, "a drive", field_place(where, "formula"));
  } else {
    drive->table = make_drive_table(&m->arena, record);
  }
}


static void compile_drive(void *context, int i)
{
  artModel *m = ((const modelWork *) context)->m;
  modelDrive *drive = &m->drive[i];
  take_drive(m, drive, RECORD(((const modelWork *) context)->b->drives, driveRecord, i));
  drive->mode0 = m->nmode;
  drive->switch0 = m->nswitch;
  drive->nmode = drive->formula ? drive->formula->nswitch : 1;
  m->nmode += drive->nmode;
  if (drive->formula) m->nswitch += drive->nmode;
  m->ndrive++;
}


void model_compile_drives(artModel *m, const artBuilder *b)
{
  modelWork w = {m, b};
  m->drive = arena_alloc(&m->arena, (size_t) b->drives.count, sizeof *m->drive);
  MODEL_EACH(b->drives, driveRecord, def.name, compile_drive, &w);
}


int model_drive_again(artModel *m, int i)
{
  ART_ASSERT(i >= 0 && i < m->ndrive);
  modelDrive *drive = &m->drive[i];
  const driveRecord *record = RECORD(m->records->drives, driveRecord, i);
  if (drive->formula) return 1;
  return law_take(drive->table, make_drive_table(&m->scratch, record));
}
