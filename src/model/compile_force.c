// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements and drives: names resolved, formulas parsed, laws made, modes counted.
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "road/road.h"
#include "tyre/tyre.h"

//---- formulas ------------------------------------------------------------------------------------

typedef struct scopeContext {
  artModel *m;
  const char *scope;
  const recordList *aliases;
  quantityLevel level;
  int in_forces;
  baseArena scratch; // completed names
} scopeContext;


// a name as written inside a formula, completed by the scope of the item that holds it
static const char *complete(scopeContext *c, const char *reference)
{
  if (reference[0] == '/') return reference + 1;
  const int is_global = strcmp(reference, "time") == 0 || strncmp(reference, "energy.", 7) == 0 ||
                        strncmp(reference, "momentum.", 9) == 0 ||
                        strncmp(reference, "ground.", 7) == 0;
  if (c->scope[0] == '\0' || is_global) return reference;
  const char *whole = arena_format(&c->scratch, "%s/%s", c->scope, reference);
  return whole ? alias_replace(c->aliases, &c->scratch, whole) : NULL;
}


static int find_symbol(void *context, const char *reference, artPlace place, formulaSymbol *found,
                       artError *error)
{
  scopeContext *c = context;
  const char *name = complete(c, reference);
  if (!name) {
    base_no_memory(error);
    return 0;
  }
  const int p = table_find(&c->m->parameters, name);
  if (p >= 0) {
    const parameterRecord *parameter = &c->m->parameter[p];
    *found = (formulaSymbol){
        .is_constant = 1, .value = parameter->value, .dimension = parameter->dimension};
    return 1;
  }
  // constants of the formula language are no references
  if (!strchr(reference, '.') && strcmp(reference, "time") != 0) return 0;

  const int slot = model_quantity(c->m, name, place, error);
  if (slot < 0) return 0;
  modelQuantity *quantity = &c->m->quantity[slot];
  if (quantity->level > c->level) {
    base_fail(error, ART_BAD_INPUT, place,
              c->level == LEVEL_VELOCITY
                  ? "'%s' depends on accelerations or forces, which a force law cannot use; only "
                    "positions, velocities and time can"
                  : "'%s' is not known here: a prescribed motion is a formula of time alone",
              reference);
    return 0;
  }
  if (c->in_forces) quantity->in_forces = 1;
  // numbers in force laws are SI, as everywhere: 0.1*pin.rate may well be a torque
  const baseDimension dimension = c->in_forces ? UNIT_ANY : quantity->dimension;
  *found = (formulaSymbol){.slot = slot, .dimension = dimension};
  return 1;
}


static void list_symbols(void *context, baseNearest *nearest)
{
  const scopeContext *c = context;
  const size_t skip = c->scope[0] ? strlen(c->scope) + 1 : 0;
  for (int i = 0; i < c->m->nparameter; i++) {
    const char *name = c->m->parameter[i].name;
    if (skip == 0 || (strncmp(name, c->scope, skip - 1) == 0 && name[skip - 1] == '/')) {
      base_consider(nearest, name + skip);
    }
  }
  base_consider(nearest, "time");
}


static int write_parts(void *context, const char *name, FILE *out)
{
  scopeContext *c = context;
  const char *whole = complete(c, name);
  return whole && model_write_parts(c->m, whole, out);
}


static int find_curve(void *context, const char *name, formulaCurve *found, baseNearest *nearest)
{
  scopeContext *c = context;
  const char *full = complete(c, name);
  const int i = full ? table_find(&c->m->curves, full) : -1;
  for (int k = 0; i < 0 && k < c->m->ncurve; k++) base_consider(nearest, c->m->curve[k].name);
  if (i >= 0) *found = c->m->curve[i].own;
  return i >= 0;
}


artStatus model_formula(artModel *m, formula **out, const recordHead *head, const char *text,
                        artPlace place, quantityLevel level, baseDimension expected,
                        artError *error)
{
  scopeContext context = {.m = m,
                          .scope = head->scope,
                          .aliases = head->aliases,
                          .level = level,
                          .in_forces = level <= LEVEL_VELOCITY};
  const formulaScope scope = {find_symbol, list_symbols, &context, find_curve, write_parts};
  const artStatus status = formula_parse(out, &m->arena, text, place, &scope, UNIT_ANY, error);
  arena_free(&context.scratch);
  if (status != ART_OK) return status;
  if ((*out)->depth > m->stack) m->stack = (*out)->depth;

  // a plain number is taken in SI; anything else must be what is wanted
  const baseDimension given = (*out)->dimension;
  if (unit_agree(given, expected) || unit_agree(given, UNIT_NUMBER)) return ART_OK;
  char found[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH];
  return base_fail(error, ART_BAD_INPUT, place, "the formula '%.200s' gives %s, expected %s", text,
                   unit_describe(given, found), unit_describe(expected, wanted));
}


//---- references ----------------------------------------------------------------------------------


int model_coordinate(const artModel *m, const char *reference, artPlace place, artError *error)
{
  const int whole = table_find(&m->joints, reference);
  if (whole >= 0) {
    const modelJoint *joint = &m->joint[whole];
    if (joint->nv == 1) return joint->q0;
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
  base_fail(error, ART_BAD_INPUT, place, "'%s' is no joint coordinate%s", reference,
            base_hint(&nearest, hint));
  return -1;
}


static int find_point(const artModel *m, const char *name, artPlace place, artError *error)
{
  const int frame = table_find(&m->frames, name);
  if (frame >= 0) return frame;
  baseNearest nearest = {.word = name};
  for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
  char hint[BASE_HINT_LENGTH];
  base_fail(error, ART_BAD_INPUT, place, "'%s' is no body, frame or point%s", name,
            base_hint(&nearest, hint));
  return -1;
}


//---- laws ----------------------------------------------------------------------------------------


static artStatus make_law(artModel *m, forceLaw **out, const artLawDef *def, artPlace place,
                          artError *error)
{
  *out = NULL;
  switch (def->type) {
  case ART_LAW_NONE:
    return ART_OK;
  case ART_LAW_LINEAR:
    return law_create_linear(out, &m->arena, def->coefficient, place, error);
  case ART_LAW_POLYNOMIAL: {
    // the file's polynomials have no constant term
    double *c = arena_alloc(&m->arena, (size_t) def->n + 1, sizeof *c);
    if (!c) return base_no_memory(error);
    if (def->n > 0) memcpy(c + 1, def->f, (size_t) def->n * sizeof *c);
    return law_create_polynomial(out, &m->arena, def->n + 1, c, place, error);
  }
  case ART_LAW_PIECEWISE:
  case ART_LAW_TABLE: {
    lawPoint *points = arena_alloc(&m->arena, (size_t) def->n, sizeof *points);
    if (!points) return base_no_memory(error);
    for (int i = 0; i < def->n; i++) points[i] = (lawPoint){def->x[i], def->f[i]};
    return def->type == ART_LAW_TABLE
               ? law_create_spline(out, &m->arena, def->n, points, place, error)
               : law_create_piecewise(out, &m->arena, def->n, points, place, error);
  }
  case ART_LAW_SEGMENTS:
    return law_create_segments(out, &m->arena, def->n, def->x, def->width, def->f, place, error);
  case ART_LAW_AIR: {
    const artAirDef *a = &def->air;
    const forceAir air = {a->pressure, a->area, a->volume, a->exponent, a->ambient};
    return law_create_air(out, &m->arena, air, place, error);
  }
  }
  return base_fail(error, ART_BAD_INPUT, place, "law type %d, which there is not", def->type);
}


//---- elements ------------------------------------------------------------------------------------


// where a coordinate of the combination was named, as it was written there
static artPlace term_place(const elementRecord *record, const char *name)
{
  const builderWhere *where = &record->head.where;
  const size_t scope = strlen(record->head.scope);
  const int is_inside = scope > 0 && strncmp(name, record->head.scope, scope) == 0;
  const char *written = is_inside && name[scope] == '/' ? name + scope + 1 : name;
  for (int i = 0; i < where->nmark; i++) {
    if (strcmp(where->mark[i].key, written) == 0) return where->mark[i].place;
  }
  return builder_place(where, "coordinate");
}


static artStatus take_coordinates(artModel *m, modelElement *e, const elementRecord *record,
                                  artError *error)
{
  const recordAlong *along = &record->along;
  e->nterm = along->n;
  e->term = arena_alloc(&m->arena, (size_t) along->n, sizeof *e->term);
  if (!e->term) return base_no_memory(error);
  for (int i = 0; i < e->nterm; i++) {
    const artPlace place = term_place(record, along->coordinate[i]);
    const int q = model_coordinate(m, along->coordinate[i], place, error);
    if (q < 0) return ART_BAD_INPUT;
    e->term[i] = (modelTerm){q, m->position[q].partner, along->coefficient[i]};
    for (int k = 0; k < i; k++) {
      if (e->term[k].position != q) continue;
      return base_fail(error, ART_BAD_INPUT, place, "force '%s' names '%s' twice", e->name,
                       along->coordinate[i]);
    }
  }
  return ART_OK;
}


static artStatus take_laws(artModel *m, modelElement *e, const elementRecord *record,
                           const artLawDef *spring, const artLawDef *damper, artError *error)
{
  const artStatus status =
      make_law(m, &e->spring, spring, builder_place(&record->head.where, "spring"), error);
  if (status != ART_OK) return status;
  e->has_potential = damper->type == ART_LAW_NONE;
  return make_law(m, &e->damper, damper, builder_place(&record->head.where, "damper"), error);
}


// two points on different bodies
static artStatus take_ends(artModel *m, modelElement *e, const builderWhere *where,
                           const char *from, const char *to, const char *what, artError *error)
{
  e->frame[0] = find_point(m, from, builder_place(where, "from"), error);
  if (e->frame[0] < 0) return ART_BAD_INPUT;
  e->frame[1] = find_point(m, to, builder_place(where, "to"), error);
  if (e->frame[1] < 0) return ART_BAD_INPUT;
  if (m->frame[e->frame[0]].body != m->frame[e->frame[1]].body) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, builder_place(where, "to"),
                   "%s '%s' has both its points on '%s'", what, e->name,
                   m->body[m->frame[e->frame[0]].body].name);
}


// the function in the place of laws, formulas or forces of a tyre; ninput, n: inputs and results
static artStatus take_call(artModel *m, modelElement *e, const elementRecord *record,
                           functionKind kind, int ninput, int n, artError *error)
{
  if (!record->call.name) return ART_OK;
  const functionUse use = {.kind = kind,
                           .ninput = ninput,
                           .n = n,
                           .what = kind == FUNCTION_TYRE ? "tyre" : "force",
                           .user = e->name,
                           .place = builder_place(&record->head.where, "function")};
  return model_take_call(m, &e->call, &record->call, &use, error);
}


static artStatus take_spring_damper(artModel *m, modelElement *e, const elementRecord *record,
                                    artError *error)
{
  const artSpringDamperDef *def = &record->def.spring_damper;
  const builderWhere *where = &record->head.where;
  const artStatus found = take_ends(m, e, where, def->from, def->to, "spring-damper", error);
  if (found != ART_OK) return found;
  if (record->call.name)
    return take_call(m, e, record, FUNCTION_LINK, ART_LINK_PARAMETER, 1, error);
  e->rest = def->free_length;
  const artStopsDef *stops = &def->stops;
  e->stop = (forceStop){stops->lower, stops->upper, stops->stiffness, stops->damping};
  const artStatus status = take_laws(m, e, record, &def->spring, &def->damper, error);
  if (stops->damping > 0) e->has_potential = 0;
  return status;
}


static artStatus take_bushing_laws(artModel *m, const elementRecord *record, const char *key,
                                   const artLawDef def[6], const forceLaw *out[6], artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < 6 && status == ART_OK; i++) {
    forceLaw *law;
    status = make_law(m, &law, &def[i], builder_place(&record->head.where, key), error);
    out[i] = law;
  }
  return status;
}


static artStatus take_bushing(artModel *m, modelElement *e, const elementRecord *record,
                              artError *error)
{
  const artBushingDef *def = record->def.bushing;
  artStatus status = take_ends(m, e, &record->head.where, def->from, def->to, "bushing", error);
  if (status != ART_OK) return status;
  forceBushing *bushing = arena_alloc(&m->arena, 1, sizeof *bushing);
  if (!bushing) return base_no_memory(error);
  e->bushing = bushing;
  for (int i = 0; i < 36; i++) {
    // rounding in the file must not make a moment out of nothing
    const int t = 6 * (i % 6) + i / 6;
    bushing->stiffness[i / 6][i % 6] = 0.5 * (def->stiffness[i] + def->stiffness[t]);
    bushing->damping[i / 6][i % 6] = 0.5 * (def->damping[i] + def->damping[t]);
    if (def->damping[i] != 0) bushing->resists = 1;
  }
  memcpy(bushing->preload, def->preload, sizeof bushing->preload);
  status = take_bushing_laws(m, record, "springs", def->spring, bushing->spring, error);
  if (status != ART_OK) return status;
  status = take_bushing_laws(m, record, "dampers", def->damper, bushing->damper, error);
  for (int i = 0; i < 6; i++) bushing->resists = bushing->resists || bushing->damper[i];
  e->has_potential = !bushing->resists;
  return status;
}


// the point of a body that something acts on
static artStatus take_point(artModel *m, modelElement *e, const elementRecord *record,
                            const char *on, artError *error)
{
  const artPlace place = builder_place(&record->head.where, "on");
  e->frame[0] = find_point(m, on, place, error);
  if (e->frame[0] < 0) return ART_BAD_INPUT;
  if (m->frame[e->frame[0]].body != 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, place, "force '%s' acts on ground, which it cannot move",
                   e->name);
}


static artStatus take_drag(artModel *m, modelElement *e, const elementRecord *record,
                           artError *error)
{
  const artDragDef *def = &record->def.drag;
  e->drag = (forceDrag){.half = 0.5 * def->density * def->area,
                        .coefficient = {def->drag, def->side, def->vertical},
                        .lift = def->lift,
                        .wind = {def->wind[0], def->wind[1], def->wind[2]}};
  return take_point(m, e, record, def->on, error);
}


static artStatus take_body_force(artModel *m, modelElement *e, const elementRecord *record,
                                 artError *error)
{
  const artBodyForceDef *def = &record->def.body_force;
  e->is_torque = def->is_torque;
  e->in_body = def->in_body;
  const artStatus found = take_point(m, e, record, def->on, error);
  if (found != ART_OK) return found;
  if (record->call.name)
    return take_call(m, e, record, FUNCTION_POINT, ART_POINT_PARAMETER, 6, error);
  e->has_potential = !def->is_torque && !def->in_body;
  for (int c = 0; c < 3; c++) {
    char key[] = "components0";
    key[sizeof key - 2] = (char) ('0' + c);
    artPlace place = builder_place(&record->head.where, key);
    const artStatus status =
        model_formula(m, &e->formula[c], &record->head, def->components[c], place, LEVEL_VELOCITY,
                      def->is_torque ? UNIT_TORQUE : UNIT_FORCE, error);
    if (status != ART_OK) return status;
    if (!formula_is_constant(e->formula[c])) e->has_potential = 0;
  }
  return ART_OK;
}


static artStatus take_joint_force(artModel *m, modelElement *e, const elementRecord *record,
                                  artError *error)
{
  const artJointForceDef *def = &record->def.joint_force;
  const artStatus status = take_coordinates(m, e, record, error);
  if (status != ART_OK) return status;
  if (record->control != CONTROL_NONE) return model_take_control(m, e, record, error);
  if (record->call.name)
    return take_call(m, e, record, FUNCTION_JOINT, ART_JOINT_PARAMETER, 1, error);
  const int slides = m->velocity[e->term[0].velocity].dimension.m == 1;
  const artPlace place = builder_place(&record->head.where, "formula");
  return model_formula(m, &e->formula[0], &record->head, def->formula, place, LEVEL_VELOCITY,
                       slides ? UNIT_FORCE : UNIT_TORQUE, error);
}


// among the n names at distance `size` from each other; -1 with an error when it is not there
static int find_named(const recordList *list, size_t size, const char *what, const char *name,
                      artPlace place, artError *error)
{
  baseNearest nearest = {.word = name};
  for (int i = 0; i < list->count; i++) {
    // the name is the first member of the records
    const char *own = *(const char *const *) ((const char *) list->items + (size_t) i * size);
    if (strcmp(own, name) == 0) return i;
    base_consider(&nearest, own);
  }
  char hint[BASE_HINT_LENGTH];
  base_fail(error, ART_BAD_INPUT, place, "'%s' is no %s%s", name, what, base_hint(&nearest, hint));
  return -1;
}


static artStatus take_tyre(artModel *m, const artBuilder *b, modelElement *e,
                           const elementRecord *record, artError *error)
{
  const artTyreForceDef *def = &record->def.tyre;
  const builderWhere *where = &record->head.where;
  e->frame[0] = find_point(m, def->wheel, builder_place(where, "wheel"), error);
  if (e->frame[0] < 0) return ART_BAD_INPUT;
  if (m->frame[e->frame[0]].body == 0) {
    return base_fail(error, ART_BAD_INPUT, builder_place(where, "wheel"),
                     "tyre '%s' is mounted on ground, expected a wheel", e->name);
  }
  const int tyre = find_named(&b->tyres, sizeof(tyreRecord), "tyre", def->tyre,
                              builder_place(where, "tyre"), error);
  if (tyre < 0) return ART_BAD_INPUT;
  e->tyre = m->tyre[tyre];
  if (def->road) {
    const int road = find_named(&b->roads, sizeof(roadRecord), "road", def->road,
                                builder_place(where, "road"), error);
    if (road < 0) return ART_BAD_INPUT;
    e->road = m->road[road];
  }
  e->state0 = m->nstate;
  e->nstate = def->relaxation ? 2 : 0;
  m->nstate += e->nstate;
  return take_call(m, e, record, FUNCTION_TYRE, ART_TYRE_PARAMETER, 6, error);
}


static artStatus take_element(artModel *m, const artBuilder *b, modelElement *e,
                              const elementRecord *record, artError *error)
{
  switch (record->kind) {
  case ELEMENT_SPRING_DAMPER:
    return take_spring_damper(m, e, record, error);
  case ELEMENT_JOINT_SPRING: {
    const artJointSpringDef *def = &record->def.joint_spring;
    const artStatus status = take_coordinates(m, e, record, error);
    e->rest = def->rest;
    return status != ART_OK ? status : take_laws(m, e, record, &def->spring, &def->damper, error);
  }
  case ELEMENT_JOINT_STOP: {
    const artJointStopDef *def = &record->def.joint_stop;
    e->stop = (forceStop){def->lower, def->upper, def->stiffness, def->damping};
    e->has_potential = def->damping == 0;
    return take_coordinates(m, e, record, error);
  }
  case ELEMENT_JOINT_FRICTION: {
    const artJointFrictionDef *def = &record->def.joint_friction;
    e->friction =
        (forceFriction){def->coulomb, def->breakaway, def->stribeck, def->transition, def->viscous};
    if (def->stribeck == 0) e->friction.stribeck_speed = 1; // breakaway = coulomb: not in play
    return take_coordinates(m, e, record, error);
  }
  case ELEMENT_JOINT_FORCE:
    return take_joint_force(m, e, record, error);
  case ELEMENT_BODY_FORCE:
    return take_body_force(m, e, record, error);
  case ELEMENT_TYRE:
    return take_tyre(m, b, e, record, error);
  case ELEMENT_BUSHING:
    return take_bushing(m, e, record, error);
  case ELEMENT_DRAG:
    return take_drag(m, e, record, error);
  case ELEMENT_CALLBACK:
    e->callback = record->def.callback;
    e->has_potential = e->callback.potential != NULL;
    return ART_OK;
  }
  return ART_OK;
}


// the roads and tyres of the builder, which the model keeps for itself
static artStatus keep_roads_and_tyres(artModel *m, const artBuilder *b, artError *error)
{
  m->road = arena_alloc(&m->arena, (size_t) b->roads.count, sizeof *m->road);
  m->tyre = arena_alloc(&m->arena, (size_t) b->tyres.count, sizeof *m->tyre);
  if (!m->road || !m->tyre) return base_no_memory(error);
  for (; m->nroad < b->roads.count; m->nroad++) {
    m->road[m->nroad] = RECORD(b->roads, roadRecord, m->nroad)->road;
    road_keep(m->road[m->nroad]);
  }
  for (; m->ntyre < b->tyres.count; m->ntyre++) {
    m->tyre[m->ntyre] = RECORD(b->tyres, tyreRecord, m->ntyre)->tyre;
    tyre_keep(m->tyre[m->ntyre]);
  }
  return ART_OK;
}


static int count_values(const modelElement *e)
{
  switch (e->kind) {
  case ELEMENT_JOINT_FORCE:
    return e->formula[2] ? 3 : e->formula[1] ? 2 : 1;
  case ELEMENT_BODY_FORCE:
    return e->call.function ? 6 : 3;
  case ELEMENT_DRAG:
    return 3;
  case ELEMENT_TYRE:
    return TYRE_VALUES;
  case ELEMENT_BUSHING:
    return 6;
  case ELEMENT_CALLBACK:
    return 0;
  default:
    return 1;
  }
}


// frozen modes: a segment per law that has events, one per stop, a branch per switch of a formula;
// switching functions: two per law (its ends), one per stop and per switch
static void count_modes(artModel *m, modelElement *e)
{
  e->mode0 = m->nmode;
  e->switch0 = m->nswitch;
  const forceLaw *laws[MODEL_MOST_LAWS];
  const int n = model_laws(e, laws);
  e->nmode = n;
  for (int i = 0; i < n; i++) {
    if (!law_is_smooth(laws[i])) e->nswitch += 2;
  }
  if (model_has_stop(e)) {
    e->nmode++;
    e->nswitch++;
  }
  for (int c = 0; c < 3; c++) {
    if (!e->formula[c]) continue;
    e->nmode += e->formula[c]->nswitch;
    e->nswitch += e->formula[c]->nswitch;
  }
  m->nmode += e->nmode;
  m->nswitch += e->nswitch;
}


static artStatus name_states(artModel *m, artError *error)
{
  static const char *const word[] = {"kappa", "tan_alpha"};
  m->state = arena_alloc(&m->arena, (size_t) m->nstate, sizeof *m->state);
  if (!m->state) return base_no_memory(error);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    for (int k = 0; k < e->nstate; k++) {
      m->state[e->state0 + k] = arena_format(&m->arena, "%s.%s", e->name, word[k]);
      if (!m->state[e->state0 + k]) return base_no_memory(error);
    }
  }
  return ART_OK;
}


artStatus model_compile_forces(artModel *m, const artBuilder *b, artError *error)
{
  m->element = arena_alloc(&m->arena, (size_t) b->elements.count, sizeof *m->element);
  if (!m->element) return base_no_memory(error);
  const artStatus kept = keep_roads_and_tyres(m, b, error);
  if (kept != ART_OK) return kept;

  // names first: formulas may read lengths and rates of any spring
  m->nelement = b->elements.count;
  for (int i = 0; i < m->nelement; i++) {
    const elementRecord *record = RECORD(b->elements, elementRecord, i);
    modelElement *e = &m->element[i];
    e->kind = record->kind;
    e->name = arena_text(&m->arena, record->name);
    e->place = record->head.where.place;
    if (!e->name || !table_add(&m->elements, &m->arena, e->name, i)) return base_no_memory(error);
  }
  for (int i = 0; i < m->nelement; i++) {
    modelElement *e = &m->element[i];
    const artStatus status = take_element(m, b, e, RECORD(b->elements, elementRecord, i), error);
    if (status != ART_OK) return status;
    e->nvalue = count_values(e);
    e->value0 = m->nvalue;
    m->nvalue += e->nvalue;
    count_modes(m, e);
  }
  return name_states(m, error);
}


//---- drives --------------------------------------------------------------------------------------


static artStatus take_drive(artModel *m, modelDrive *drive, const driveRecord *record,
                            artError *error)
{
  const artDriveDef *def = &record->def;
  const builderWhere *where = &record->head.where;
  drive->kind = "drive";
  drive->name = arena_text(&m->arena, def->name);
  drive->place = where->place;
  if (!drive->name) return base_no_memory(error);

  drive->position = model_coordinate(m, def->coordinate, builder_place(where, "coordinate"), error);
  if (drive->position < 0) return ART_BAD_INPUT;
  drive->velocity = m->position[drive->position].partner;
  treeLink *link = &m->tree.link[m->tree.dof_link[drive->velocity]];
  if (link->nv > 1) {
    return base_fail(error, ART_BAD_INPUT, builder_place(where, "coordinate"),
                     "drive '%s' prescribes '%s' of a joint that cannot be driven by single "
                     "coordinates; use a chain of joints instead",
                     drive->name, def->coordinate);
  }
  if (link->is_driven) {
    return base_fail(error, ART_BAD_INPUT, builder_place(where, "coordinate"),
                     "drive '%s' prescribes '%s', which another drive does already", drive->name,
                     def->coordinate);
  }
  link->is_driven = 1;

  if (def->formula) {
    return model_formula(m, &drive->formula, &record->head, def->formula,
                         builder_place(where, "formula"), LEVEL_POSITION,
                         m->position[drive->position].dimension, error);
  }
  const artLawDef table = {.type = ART_LAW_TABLE, .n = def->n, .x = def->time, .f = def->value};
  return make_law(m, &drive->table, &table, builder_place(where, "value"), error);
}


// a drive may read nothing but time
static artStatus check_time_only(const artModel *m, const modelDrive *drive, artError *error)
{
  for (int i = 0; drive->formula && i < m->nquantity; i++) {
    if (m->quantity[i].kind == QUANTITY_TIME || !formula_uses(drive->formula, i)) continue;
    return base_fail(error, ART_BAD_INPUT, drive->place,
                     "drive '%s' depends on the motion; a prescribed motion is a formula of time "
                     "alone",
                     drive->name);
  }
  return ART_OK;
}


artStatus model_compile_drives(artModel *m, const artBuilder *b, artError *error)
{
  m->drive = arena_alloc(&m->arena, (size_t) b->drives.count, sizeof *m->drive);
  if (!m->drive) return base_no_memory(error);
  for (int i = 0; i < b->drives.count; i++) {
    modelDrive *drive = &m->drive[i];
    artStatus status = take_drive(m, drive, RECORD(b->drives, driveRecord, i), error);
    if (status == ART_OK) status = check_time_only(m, drive, error);
    if (status != ART_OK) return status;
    drive->mode0 = m->nmode;
    drive->switch0 = m->nswitch;
    drive->nmode = drive->formula ? drive->formula->nswitch : 1;
    m->nmode += drive->nmode;
    if (drive->formula) m->nswitch += drive->nmode;
    m->ndrive++;
  }
  return ART_OK;
}
