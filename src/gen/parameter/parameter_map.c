// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which numbers of definitions become which numbers of compiled elements and couplings.
#include <string.h>

#include "element/kind.h"
#include "gen/parameter/definition.h"
#include "gen/parameter/lay_symbolic.h"
#include "model/parameter/live.h"
#include "tyre/edges.h"

static void follow_same(genBuild *b, const double *compiled, const double *number)
{
  gen_parameter_map(b, compiled, 1, number, NULL);
}


// laws in one piece, in pieces of which every number is given, or through points
static void follow_law(genBuild *b, const forceLaw *law, const artLawDef *def)
{
  enum { MOST = 16 };
  if (!law) return;
  if (def->type == ART_LAW_LINEAR) follow_same(b, &law->c[1], &def->coefficient);
  for (int k = 0; def->type == ART_LAW_POLYNOMIAL && k < def->n && k + 1 < MOST; k++) {
    follow_same(b, &law->c[k + 1], &def->f[k]);
  }
  for (int k = 0; def->type == ART_LAW_SEGMENTS && k < def->n * def->width; k++) {
    follow_same(b, &law->c[k], &def->f[k]);
    if (k + 1 < def->n) follow_same(b, &law->knot[k], &def->x[k]);
  }
  if (def->type == ART_LAW_TABLE || def->type == ART_LAW_PIECEWISE) {
    gen_follow_points(b, law, def->n, def->x, def->f);
  }
  if (def->type != ART_LAW_AIR || !law->air) return;
  follow_same(b, &law->air->pressure, &def->air.pressure);
  follow_same(b, &law->air->area, &def->air.area);
  follow_same(b, &law->air->volume, &def->air.volume);
  follow_same(b, &law->air->ambient, &def->air.ambient);
}


static void add_followed_term(void *context, const double *compiled, double factor, const double *x,
                              const double *y)
{
  gen_parameter_map(context, compiled, factor, x, y);
}


// two numbers of a definition
typedef struct numberPair {
  const double *a, *b;
} numberPair;


static int quotient_node(genBuild *b, const void *def)
{
  const numberPair *pair = def;
  return expr_div(b->definitions->pool, gen_laid_number(b, pair->a), gen_laid_number(b, pair->b));
}


// the start value of a state of an element is a/b
static void add_start_quotient(void *context, const char *element, const char *tail,
                               const double *a, const double *b_)
{
  genBuild *b = context;
  const char *name = arena_format(&b->program->arena, "%s.%s", element, tail);
  const int state = table_find(&b->m->states, name);
  if (!b->options->starts || state < 0) return;
  numberPair *pair = gen_alloc(b, 1, sizeof *pair);
  *pair = (numberPair){a, b_};
  gen_follow_number(b, a);
  gen_follow_number(b, b_);
  gen_add_term(b, &(parameterTerm){
                      .compiled = &b->m->state[state].initial, .make = quotient_node, .def = pair});
}


static void add_law(void *context, const forceLaw *law, const artLawDef *def)
{
  follow_law(context, law, def);
}


// max(DAMP_VLOW, 0.01), as tyre/tyre_create.c has it
static int least_damping(genBuild *b, const void *tyre)
{
  exprPool *pool = b->definitions->pool;
  return expr_operate(pool, EXPR_MAX, gen_laid_number(b, &((const magicTyre *) tyre)->DAMP_VLOW),
                      expr_constant(pool, 0.01));
}


static void follow_row(genBuild *b, int n, const double *number)
{
  for (int k = 0; k < n; k++) follow_same(b, &number[k], &number[k]);
}


// Numbers of a tyre, which stand where the tyre has them. Places at corners of roads are decided once.
static void follow_tyre(genBuild *b, const artTyre *tyre)
{
  roadProfile profile;
  int is_fixed = 0;
  for (int i = 0; i < b->m->nelement; i++) {
    const modelElement *e = &b->m->element[i];
    if (e->tyre == tyre && e->road) is_fixed |= tyre_meets_edges(tyre, e->road, &profile);
  }
  if (is_fixed) return;
  if (tyre->kind == TYRE_MAGIC) {
    // all but the version of the formula, and numbers that every tyre has
    const magicTyre *c = &tyre->magic;
    for (int k = 0; k < MAGIC_NUMBERS; k++) {
      const char *key;
      const double *number = magic_number_at(c, k, &key);
      if (number != &c->FITTYP) follow_same(b, number, number);
    }
    follow_same(b, &tyre->radial.radius, &c->UNLOADED_RADIUS);
    follow_same(b, &tyre->radial.damping, &c->VERTICAL_DAMPING);
    follow_same(b, &tyre->radial.load, &c->FNOMIN);
    follow_same(b, &tyre->slow, &c->VXLOW);
    follow_same(b, &tyre->largest, &c->FZMAX);
    gen_add_term(b,
                 &(parameterTerm){.compiled = &tyre->low_damping, .make = least_damping, .def = c});
    return;
  }
  const artRadialTyre *radial = &tyre->radial;
  const double *const every[] = {&radial->radius, &radial->stiffness, &radial->damping,
                                 &radial->load};
  for (int k = 0; k < 4; k++) follow_same(b, every[k], every[k]);
  follow_row(b, 2, tyre->relaxation);
  if (tyre->kind == TYRE_LINEAR) follow_row(b, 5, &tyre->linear.slip);
  if (tyre->kind == TYRE_BAKKER) {
    follow_row(b, 13, tyre->bakker.side);
    follow_row(b, 13, tyre->bakker.brake);
    follow_row(b, 13, tyre->bakker.align);
  }
  if (tyre->kind == TYRE_CALSPAN) follow_row(b, 12, &tyre->calspan.A0);
}


static void follow_element(genBuild *b, const modelElement *e, const elementRecord *record)
{
  const elementKind *kind = record->kind;
  const elementParameterMap follow = {b, add_followed_term, add_law, add_start_quotient};
  const int is_plain = !kind->declare && !e->text[0];
  for (int k = 0; k < e->nterm; k++) {
    follow_same(b, &e->term[k].c, &record->along.coefficient[k]);
  }
  for (const fieldKey *key = kind->form.keys; key->name && is_plain; key++) {
    const void *from = (const char *) record->def + key->offset;
    const void *to = (const char *) e + key->to;
    if (!key->to) continue;
    if (key->type == KEY_NUMBER) follow_same(b, to, from);
    if (key->type == KEY_LAW) follow_law(b, *(forceLaw *const *) to, from);
    if (key->type == KEY_STOPS) {
      const artStopsDef *stops = from;
      const forceStop *stop = to;
      follow_same(b, &stop->lower, &stops->lower);
      follow_same(b, &stop->upper, &stops->upper);
      follow_same(b, &stop->stiffness, &stops->stiffness);
      follow_same(b, &stop->damping, &stops->damping);
    }
  }
  // numbers of a kind with parts are in texts of these, or give initial values: a trial tells (image.c)
  for (const fieldKey *key = kind->form.keys; key->name && kind->declare && b->m->source; key++) {
    if (key->type != KEY_NUMBER || key->to) continue;
    gen_follow_number(b,
                      (const double *) (const void *) ((const char *) record->def + key->offset));
  }
  if (kind->follow) kind->follow(e, record->def, &follow);
  const modelFunction *f = e->call.function;
  for (int k = 0; f && record->call && k < f->nparameter; k++) {
    follow_same(b, &e->call.parameter[k], &record->call->parameter[k]);
  }
}


// Roads with equations in numbers of their own. Lines, arcs and splines through points are laid when the road is made; random
// roads and tracks are functions with data.

static void follow_plane(genBuild *b, const planeRoad *road, const artPlaneRoad *def)
{
  follow_same(b, &road->height, &def->height);
  follow_same(b, &road->grade, &def->grade);
  follow_same(b, &road->bank, &def->bank);
}


static void follow_bump(genBuild *b, const bumpRoad *road, const artBumpRoad *def)
{
  const int is_apart = road->last > 0 && def->spacing != 0;
  follow_same(b, &road->start, &def->start);
  follow_same(b, &road->length, &def->length);
  follow_same(b, &road->height, &def->height);
  follow_same(b, &road->spacing, is_apart ? &def->spacing : &def->length);
}

//---- waves of roads -------------------------------------------------------------------------------

// k = 2 pi/wavelength
static int wave_number(genBuild *b, const double *wavelength)
{
  exprPool *pool = b->definitions->pool;
  return expr_div(pool, expr_constant(pool, 0x1.921fb54442d18p+2), gen_laid_number(b, wavelength));
}


static int first_wave(genBuild *b, const void *def)
{
  return wave_number(b, &((const artSineRoad *) def)->wavelength);
}


// (k_last - k)/length
static int wave_change(genBuild *b, const void *from)
{
  const artSineRoad *def = from;
  exprPool *pool = b->definitions->pool;
  const int change = expr_sub(pool, wave_number(b, &def->last_wavelength), first_wave(b, def));
  return expr_div(pool, change, gen_laid_number(b, &def->length));
}


// whether there is an end of the waves, and another length there, is decided once
static void follow_sine(genBuild *b, const sineRoad *road, const artSineRoad *def)
{
  follow_same(b, &road->amplitude, &def->amplitude);
  follow_same(b, &road->phase, &def->phase);
  follow_same(b, &road->start, &def->start);
  follow_same(b, &road->blend, &def->blend);
  gen_follow_number(b, &def->wavelength);
  gen_add_term(b, &(parameterTerm){.compiled = &road->k, .make = first_wave, .def = def});
  if (def->length > 0) follow_same(b, &road->length, &def->length);
  if (!(def->last_wavelength > 0)) return;
  gen_follow_number(b, &def->last_wavelength);
  gen_add_term(b, &(parameterTerm){.compiled = &road->dk, .make = wave_change, .def = def});
}

//---- roads that are moved -------------------------------------------------------------------------

static int heading_of(genBuild *b, const void *def)
{
  return gen_laid_number(b, &((const artPlacedRoad *) def)->heading);
}


static int heading_cosine(genBuild *b, const void *def)
{
  return expr_cos(b->definitions->pool, heading_of(b, def));
}


static int heading_sine(genBuild *b, const void *def)
{
  return expr_sin(b->definitions->pool, heading_of(b, def));
}


static void follow_placed(genBuild *b, const placedRoad *road, const artPlacedRoad *def)
{
  follow_same(b, &road->x, &def->position[0]);
  follow_same(b, &road->y, &def->position[1]);
  follow_same(b, &road->z, &def->position[2]);
  gen_follow_number(b, &def->heading);
  gen_add_term(b, &(parameterTerm){.compiled = &road->c, .make = heading_cosine, .def = def});
  gen_add_term(b, &(parameterTerm){.compiled = &road->s, .make = heading_sine, .def = def});
}

static void follow_function(genBuild *b, const functionRoad *road, const artFunctionRoad *def)
{
  for (int k = 0; k < road->n; k++) follow_same(b, &road->parameter[k], &def->call.parameter[k]);
}

//---- roads ----------------------------------------------------------------------------------------

static int has_part(const artRoad *road, const artRoad *part)
{
  if (road == part) return 1;
  if (road->kind == ROAD_PLACED) return has_part(((const placedRoad *) road)->part, part);
  const sumRoad *sum = (const sumRoad *) road;
  for (int i = 0; road->kind == ROAD_SUM && i < sum->count; i++) {
    if (has_part(sum->parts[i], part)) return 1;
  }
  const tracksRoad *tracks = (const tracksRoad *) road;
  for (int i = 0; road->kind == ROAD_TRACKS && i < tracks->count; i++) {
    if (has_part(tracks->tracks[i].road, part)) return 1;
  }
  return road->kind == ROAD_TRACKS && tracks->ground && has_part(tracks->ground, part);
}


// parts of roads that are data, and of those whose corners wheels touch at several places, which are decided once
static int is_fixed_road(const genBuild *b, const artRoad *road)
{
  roadProfile profile;
  for (int i = 0; i < b->m->nroad; i++) {
    const artRoad *whole = b->m->road[i];
    if (!sym_road_has_equations(whole) && has_part(whole, road)) return 1;
  }
  for (int i = 0; i < b->m->nelement; i++) {
    const modelElement *e = &b->m->element[i];
    if (!e->tyre || !e->road || !has_part(e->road, road)) continue;
    if (tyre_meets_edges(e->tyre, e->road, &profile)) return 1;
  }
  return 0;
}


static void follow_roads(genBuild *b)
{
  const recordList *list = &b->m->records->roads;
  for (int i = 0; i < list->count; i++) {
    const roadRecord *record = RECORD(*list, roadRecord, i);
    const artRoad *road = record->road;
    if (!record->def || is_fixed_road(b, road)) continue;
    if (road->kind == ROAD_PLANE) follow_plane(b, (const planeRoad *) road, record->def);
    if (road->kind == ROAD_BUMP) follow_bump(b, (const bumpRoad *) road, record->def);
    if (road->kind == ROAD_SINE) follow_sine(b, (const sineRoad *) road, record->def);
    if (road->kind == ROAD_PLACED) follow_placed(b, (const placedRoad *) road, record->def);
    if (road->kind == ROAD_FUNCTION) follow_function(b, (const functionRoad *) road, record->def);
  }
}

//---- couplings and latches ------------------------------------------------------------------------

static void follow_couplings(genBuild *b)
{
  const recordList *list = &b->m->records->constraints;
  for (int i = 0; i < list->count && i < b->m->nrelation; i++) {
    const modelRelation *r = &b->m->relation[i];
    const artCouplingDef *def = &RECORD(*list, constraintRecord, i)->def;
    if (r->call.function || r->user.value) continue;
    follow_same(b, &r->constant, &RECORD(*list, constraintRecord, i)->def.constant);
    for (int k = 0; k < r->n && def->coefficient; k++) {
      follow_same(b, &r->coefficient[k], &def->coefficient[k]);
    }
  }
}

// A lock from the start on holds the sum that its coordinates have there; one that has engaged on the way holds a number.
static void follow_lock(genBuild *b, const modelRelation *r)
{
  const artModel *m = b->m;
  for (int k = 0; k < r->n; k++) {
    for (int i = 0; i < m->records->initials.count; i++) {
      const initialRecord *own = RECORD(m->records->initials, initialRecord, i);
      if (table_find(&m->positions, own->coordinate) != r->position[k]) continue;
      gen_parameter_map(b, &r->constant, r->coefficient[k], &own->value, NULL);
    }
  }
}


//---- tables --------------------------------------------------------------------------------------

static void follow_curves(genBuild *b)
{
  const recordList *list = &b->m->records->curves;
  for (int i = 0; i < list->count && i < b->m->ncurve; i++) {
    const curveRecord *record = RECORD(*list, curveRecord, i);
    const formulaCurve *own = &b->m->curve[i].own;
    if (own->map) {
      gen_follow_map(b, own->map, &record->map);
    } else {
      gen_follow_points(b, own->law, record->def.n, record->def.x, record->def.f);
    }
  }
}


//---- clocks --------------------------------------------------------------------------------------

// a number of the block or sensor that a held number belongs to, by its key; NULL: there is none
static const double *block_number(const artModel *m, const modelHeld *held, const char *key)
{
  for (int i = 0; i < m->records->blocks.count; i++) {
    const blockRecord *record = RECORD(m->records->blocks, blockRecord, i);
    const size_t n = strlen(record->name);
    if (strncmp(held->name, record->name, n) != 0) continue;
    if (held->name[n] && held->name[n] != '.') continue;
    const fieldKey *own = record->kind->form.keys;
    while (own->name && strcmp(own->name, key) != 0) own++;
    if (!own->name) return NULL;
    return (const double *) (const void *) ((const char *) record->def + own->offset);
  }
  return NULL;
}


// Samplers of one clock have one interval; a value that takes them apart makes another machine (image.c).
static void follow_clocks(genBuild *b)
{
  const artModel *m = b->m;
  for (int i = m->ninput; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    const modelClock *clock = &m->clock[held->clock];
    int k = m->ninput;
    while (m->held[k].clock != held->clock) k++;
    const double *every = block_number(m, held, "every"), *offset = block_number(m, held, "offset");
    if (every) gen_follow_number(b, every);
    if (offset) gen_follow_number(b, offset);
    if (k < i || !every || !offset) continue;
    gen_parameter_map(b, &clock->every, 1, every, NULL);
    gen_parameter_map(b, &clock->offset, 1, offset, NULL);
  }
}

//---- formulas ------------------------------------------------------------------------------------

// the same with parameters as slots
const formula *gen_live_formula(const genBuild *b, const formula *f)
{
  return b->definitions ? f->live : NULL;
}


// numbers of the definition that the text of a kind names; the formula may be NULL
static void follow_formula(genBuild *b, const formula *f)
{
  const formula *live = f ? f->live : NULL;
  for (int k = 0; live && k < live->nstep; k++) {
    const int i = formula_read(live, k) - FORMULA_PARAMETER - b->m->nparameter;
    if (i >= 0) {
      gen_follow_number(b, RECORD(b->m->records->live, liveNumber, i)->number);
    }
  }
}


static void freeze_row(genBuild *b, int n, const double *x, const char *what)
{
  for (int i = 0; i < n; i++) {
    const formula *f = model_live(b->m, &x[i]);
    if (f) gen_freeze_formula(b, f, 0, what);
  }
}


// where a drive with branches jumps, and by how much, depends on all that it reads
static void follow_drive_numbers(genBuild *b, const modelDrive *drive)
{
  const formula *f = drive->formula;
  follow_formula(b, f);
  if (!b->options->jumps || !f || f->nswitch + (f->live ? f->live->nswitch : 0) == 0) return;
  // whether a trial tells if other values move the jumps of a drive (image.c): its formula switches by time and not by
  // parameters alone, and all of its branches are seen
  if (b->m->source && (!f->live || f->live->nsettled == 0) && gen_passes_branches(b, drive)) return;
  const char *what = arena_format(
      &b->program->arena, "drive '%s', whose jumps are known for this value alone", drive->name);
  if (f->live) gen_freeze_formula(b, f->live, FORMULA_PARAMETER, what);
  for (int i = 0; i < b->m->ncurve; i++) {
    const formulaCurve *curve = &b->m->curve[i].own;
    if (!formula_calls(f, curve)) continue;
    const curveRecord *record = RECORD(b->m->records->curves, curveRecord, i);
    const artMapDef *map = &record->map;
    freeze_row(b, record->def.n, record->def.x, what);
    freeze_row(b, record->def.n, record->def.f, what);
    freeze_row(b, map->nx, map->x, what);
    freeze_row(b, map->ny, map->y, what);
    freeze_row(b, map->nx * map->ny, map->f, what);
  }
}


void gen_follow_all(genBuild *b)
{
  const artModel *m = b->m;
  for (int i = 0; i < m->nelement && i < m->records->elements.count; i++) {
    follow_element(b, &m->element[i], RECORD(m->records->elements, elementRecord, i));
  }
  for (int i = 0; i < m->ntyre; i++) follow_tyre(b, m->tyre[i]);
  follow_roads(b);
  follow_couplings(b);
  for (int i = 0; i < m->nlatch; i++) {
    const artLatchDef *def = &RECORD(m->records->latches, latchRecord, i)->def;
    if (def->type == ART_ROPE) gen_follow_number(b, &def->length);
    if (def->distance > 0) follow_same(b, &m->latch[i].distance, &def->distance);
    if (def->type != ART_LOCK || m->latch_row[i] < 0 || b->options->latches) continue;
    const modelRelation *r = &m->relation[m->latch_row[i]];
    if (r->constant == m->latch[i].relation.constant) follow_lock(b, r);
  }
  follow_curves(b);
  const recordList *list = &b->m->records->drives;
  for (int i = 0; i < list->count && i < b->m->ndrive; i++) {
    const artDriveDef *def = &RECORD(*list, driveRecord, i)->def;
    const forceLaw *table = b->m->drive[i].table;
    if (table) gen_follow_points(b, table, def->n, def->time, def->value);
  }
  follow_clocks(b);
  for (int i = 0; i < m->nelement; i++) {
    for (int c = 0; c < 3; c++) follow_formula(b, m->element[i].formula[c]);
  }
  for (int i = 0; i < m->ndrive; i++) follow_drive_numbers(b, &m->drive[i]);
  for (int i = 0; i < m->nsignal; i++) follow_formula(b, m->signal[i].value.f);
  for (int i = 0; i < m->nrate; i++) follow_formula(b, m->state[i].rate.f);
  for (int i = 0; i < m->nheld; i++) follow_formula(b, m->held[i].next.f);
  gen_follow_starts(b);
}
