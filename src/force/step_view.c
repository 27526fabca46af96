// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What lies inside a step.
//
// A signal u(t) is seen by a step from a to b when its rate of change is about that of the cubic through its values and
// rates at both ends,
//   |u' - h'| <= BEND max |h'|,   h' = 6 (u1 - u0)/(b - a) x (1 - x) + u0' (1 - x)(1 - 3x) + u1' x (3x - 2),
// with x from 0 to 1. A pulse within the step changes u' far more than the signal about it does, however small it is; a
// wave that the step resolves does not. Enclosures of u' over parts of the step prove it, halved until they do, or until a part is so short
// that it shows where the step has to end.
#include "force/step_view.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "articula/parts.h"
#include "force/contact_watch.h"
#include "force/force.h"
#include "force/ground.h"
#include "force/port_forces.h"
#include "force/tyre_element.h"
#include "road/road_bounds.h"

enum {
  WHEEL_NUMBERS = 3, // x, y, z of the lowest point
  SIDE_NUMBERS = 4,  // gap and normal of a contact
  VIEW_TIME = 1,
  VIEW_STATE = 2,
  VIEW_FORCE = 4,   // accelerations, forces and energies: they may jump, or are rounding
  MAX_PARTS = 256,  // parts of one step that are looked at for one signal
  MAX_FAILURES = 8, // of one signal: it is left alone from then on
  MAX_BRIEF = 300,  // steps in a row that it cuts down to BRIEF: likewise
  MAX_TRIALS = 60,  // shorter and shorter steps
  LEFT_OUT = 2,     // is_calm of a formula of a contact that is left out
};

static const double BEND = 0.3, BEND_OF_ROAD = 1, BEND_OF_FIXED = 0.7, BRIEF = 1e-4;

// of a step: a wheel that touches the road for a shorter time than this does not touch it
static const double TOUCH_PART = 1.0 / 256;

// of the largest value so far: changes of a signal in a step that do not matter
static const double NEGLIGIBLE = 1e-9;

// the same of formulas of the motion, which is known within a tolerance only
static const double NEGLIGIBLE_OF_MOTION = 1e-6;

// the same of pulses in steps of given length, for forces of stiff contacts fluctuate about their loads
static const double NEGLIGIBLE_PULSE = 0.05;

// of the largest value of a quantity so far: rounding
static const double ROUNDED = 1e-14;

// of a step: functions of the motion that are negative for a shorter time, and what is left out after an instant that was none
static const double SHORTEST_TOUCH = 1e-6, SKIPPED = 1.0 / 16;

// Width of a box (find_box) relative to the motion of quantities in a step: first, least and largest. In a box a
// formula neither switches nor bends.
static const double FIRST_REACH = 4, LEAST_REACH = 0.5, LARGEST_REACH = 64;

// of a step: parts in which no larger rate is looked for
static const double SMALL_PART = 1.0 / 64;

// parts this short, measured by the way from the beginning of the step and by the step, are not halved
static const double SHORT_PART = 1e-3, SHORTEST_PART = 1e-7;

//---- formulas of a model -------------------------------------------------------------------------

// A formula with its branches; slot: the quantity that it is, -1: none; its value acts, or only its switches do. Of a projection
// nothing but its switches is looked at: what acts changes by no more than what it reads.
typedef struct viewFormula {
  const formula *f;
  int mode0, switch0, slot, acts, is_projection;
} viewFormula;


// The k-th formula, signals in the order of the data flow first; 0: there are no more. f is NULL where there is none.
static int formula_of_model(const artModel *m, int k, viewFormula *out)
{
  *out = (viewFormula){.slot = -1, .acts = 1};
  if (k < m->nsignal) {
    const modelSignal *signal = &m->signal[m->signal_order[k]];
    const signalFormula *s = &signal->value;
    *out = (viewFormula){s->is_frozen ? s->f : NULL, s->mode0, s->switch0, signal->slot, 1,
                         signal->is_projection};
    return 1;
  }
  k -= m->nsignal;
  if (k < m->nearly) {
    const signalFormula *s = &m->state[m->early[k]].rate;
    if (s->is_frozen) *out = (viewFormula){s->f, s->mode0, s->switch0, -1, 1, 0};
    return 1;
  }
  k -= m->nearly;
  if (k < m->ndrive) {
    const modelDrive *drive = &m->drive[k];
    *out = (viewFormula){drive->formula, drive->mode0, drive->switch0, -1, 1, 0};
    return 1;
  }
  k -= m->ndrive;
  if (k < 3 * m->nelement) {
    const modelElement *e = &m->element[k / 3];
    elementLaw law[ELEMENT_MOST_LAWS];
    if (!e->formula[0]) return 1;
    const int n = element_laws(e, law), has_stop = model_has_stop(e);
    int mode = e->mode0 + n + has_stop, function = e->switch0 + STOP_MARGINS * has_stop;
    for (int i = 0; i < n; i++) function += law_is_smooth(law[i].law) ? 0 : 2;
    for (int c = 0; c < k % 3 && e->formula[c]; c++) {
      mode += e->formula[c]->nswitch;
      function += e->formula[c]->nswitch;
    }
    for (int c = 0; c < k % 3; c++) {
      if (!e->formula[c]) return 1;
    }
    *out = (viewFormula){e->formula[k % 3], mode, function, -1, 1, 0};
    return 1;
  }
  k -= 3 * m->nelement;
  if (k < 2 * m->nlatch) {
    const modelLatch *latch = &m->latch[k / 2];
    const int first = latch->engage ? latch->engage->nswitch : 0;
    const int skipped = LATCH_BRANCHES + (k % 2 ? first : 0);
    *out = (viewFormula){k % 2 ? latch->release : latch->engage,
                         latch->mode0 + skipped,
                         latch->switch0 + skipped,
                         -1,
                         0,
                         0};
    return 1;
  }
  return 0;
}


static int count_formulas(const artModel *m)
{
  return m->nsignal + m->nearly + m->ndrive + 3 * m->nelement + 2 * m->nlatch;
}


static unsigned depends_of(const stepView *v, const formula *f)
{
  unsigned on = 0;
  for (int k = 0; k < f->nstep; k++) {
    const int slot = formula_read(f, k);
    if (slot >= 0) on |= v->depends[slot];
  }
  return on;
}


// A formula of positions, velocities and states that is no polynomial: a polynomial of smooth quantities is as smooth as they are.
static int is_of_motion(const stepView *v, const formula *f)
{
  return v->follows_motion && depends_of(v, f) == VIEW_STATE && !formula_is_polynomial(f);
}


// Formulas that read the time itself, those that depend on it alone, and those of the motion. What reads a signal of time and the
// state as well is as smooth as both.
static int is_formula_viewed(const stepView *v, const artModel *m, const viewFormula *x)
{
  if (!x->f) return 0;
  const unsigned on = depends_of(v, x->f);
  if (on == VIEW_TIME) return 1;
  if (x->is_projection && x->f->nswitch == 0) return 0;
  if (x->acts && is_of_motion(v, x->f)) return 1;
  int reads_time = 0;
  for (int k = 0; k < x->f->nstep; k++) {
    const int slot = formula_read(x->f, k);
    reads_time |= slot >= 0 && m->quantity[slot].kind == QUANTITY_TIME;
  }
  return reads_time && x->acts;
}


static int is_on_road(const modelElement *e)
{
  return e->tyre && e->road;
}


// Surfaces that may come through each other: a plane, and a road without crests, have nothing behind them.
static int is_two_sided(const stepView *v, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  if (v->leaves_rigid && e->rigid) return 0;
  if (!physics || physics->port != PORT_CONTACT) return 0;
  for (int k = 0; k < 2; k++) {
    const contactSide *side = &e->contact->side[k];
    if (side->shape == CONTACT_PLANE || (side->road && side->crest == 0)) return 0;
  }
  return 1;
}


//---- creation ------------------------------------------------------------------------------------

static unsigned char dependence_of(const modelQuantity *quantity)
{
  switch (quantity->kind) {
  case QUANTITY_TIME: return VIEW_TIME;
  case QUANTITY_SIGNAL: return 0;
  case QUANTITY_ENERGY:
  case QUANTITY_MOMENTUM:
  case QUANTITY_LATCH: return VIEW_STATE | VIEW_FORCE;
  default: break;
  }
  const int is_late = quantity->level > LEVEL_VELOCITY || !(quantity->readers & READ_BY_FORCES);
  return is_late ? VIEW_STATE | VIEW_FORCE : VIEW_STATE;
}


static void find_view_dependences(stepView *v, const artModel *m)
{
  for (int i = 0; i < m->nquantity; i++) v->depends[i] = dependence_of(&m->quantity[i]);
  viewFormula x;
  for (int k = 0; formula_of_model(m, k, &x); k++) {
    if (!x.f) continue;
    const unsigned on = depends_of(v, x.f);
    if (x.slot >= 0) v->depends[x.slot] = (unsigned char) on;
    if (!is_formula_viewed(v, m, &x)) continue;
    v->is_needed = v->is_viewed[k] = 1;
    if (is_of_motion(v, x.f)) {
      v->motion[v->nmotion++] = k;
    } else {
      v->has_timed = 1;
      v->reads_state |= (on & VIEW_STATE) != 0;
    }
  }
  for (int i = 0; i < m->nelement; i++) {
    if (m->element[i].tyre) v->is_needed = v->has_wheels = 1;
    if (is_two_sided(v, &m->element[i])) v->is_needed = 1, v->nside++;
  }
  for (int k = 0; k < v->nitem; k++) {
    const int wheel = k - count_formulas(m);
    if (wheel < 0 ? v->is_viewed[k] : is_on_road(&m->element[wheel])) v->viewed[v->nviewed++] = k;
  }
}


// quantities that a formula reads, added to a list of n; returns their number
static int add_reads(stepView *v, const formula *f, int *list, int n)
{
  for (int i = 0; i < f->nstep; i++) {
    const int slot = formula_read(f, i);
    if (slot < 0 || v->mark[slot]) continue;
    v->mark[slot] = 1;
    list[n++] = slot;
  }
  return n;
}


static int compare_reads(const void *a, const void *b)
{
  const int x = *(const int *) a, y = *(const int *) b;
  return x >= 0 && y >= 0 ? x - y : y - x;
}


// What formula k reads, by itself or through signals: slots of quantities, then -1 - j for signal j in the order of the data flow,
// which `signal` gives for slots. Returns how many there are; `list` has room for all quantities.
static int list_reads(stepView *v, const artModel *m, int k, const int *signal, int *list)
{
  viewFormula x;
  int n = 0;
  if (!v->is_viewed[k]) return 0;
  formula_of_model(m, k, &x);
  const int last = k < m->nsignal ? k : m->nsignal;
  n = add_reads(v, x.f, list, n);
  for (int i = 0; i < n; i++) {
    const int j = signal[list[i]];
    if (j < 0 || j >= last) continue;
    formula_of_model(m, j, &x);
    if (x.f) n = add_reads(v, x.f, list, n);
  }
  int kept = 0;
  for (int i = 0; i < n; i++) {
    const int slot = list[i], j = signal[slot];
    v->mark[slot] = 0;
    if (m->quantity[slot].kind != QUANTITY_SIGNAL) {
      list[kept++] = slot;
    } else if (j >= 0 && j < last) {
      formula_of_model(m, j, &x);
      if (x.f) list[kept++] = -1 - j;
    }
  }
  qsort(list, (size_t) kept, sizeof *list, compare_reads);
  return kept;
}


// what is remembered from step to step, in one block
static int take_memory(stepView *v, baseArena *arena, const artModel *m, size_t nread)
{
  const size_t nitem = (size_t) v->nitem, nquantity = (size_t) m->nquantity;
  const size_t nside = SIDE_NUMBERS * (size_t) v->nside;
  const size_t nsum = (size_t) count_formulas(m), sum = sizeof(ruleSum) / sizeof(double);
  v->nmemory = 4 * nitem + sum * nsum + nquantity + (size_t) m->nswitch + 1 + 2 * nread + nside + 2;
  if (!ARENA_TAKE(arena, v->memory, v->nmemory)) return 0;
  v->most = v->memory;
  v->reach = v->most + nitem;
  v->failed = v->reach + nitem;
  v->brief = v->failed + nitem;
  v->sum = (ruleSum *) (v->brief + nitem);
  v->largest = v->brief + nitem + sum * nsum;
  v->low = v->largest + nquantity;
  v->high = v->low + nread;
  v->margin = v->high + nread;
  v->passed = v->margin + m->nswitch + 1;
  v->touched = v->passed + 2;
  for (size_t i = 0; i < nside; i++) v->touched[i] = NAN;
  for (size_t i = 0; i < nsum; i++) step_rule_begin(&v->sum[i]);
  return 1;
}


static int take_reads(stepView *v, baseArena *arena, const artModel *m)
{
  const int nformula = count_formulas(m);
  int n = 0, *signal, *list;
  if (!ARENA_TAKE(arena, v->read0, (size_t) nformula + 1) ||
      !ARENA_TAKE(arena, v->mark, (size_t) m->nquantity + 1) ||
      !ARENA_TAKE(arena, signal, (size_t) m->nquantity + 1) ||
      !ARENA_TAKE(arena, list, (size_t) m->nquantity + 1))
    return 0;
  for (int i = 0; i < m->nquantity; i++) signal[i] = -1;
  for (int j = 0; j < m->nsignal; j++) {
    const int slot = m->signal[m->signal_order[j]].slot;
    if (slot >= 0) signal[slot] = j;
  }
  for (int k = 0; k < nformula; k++) {
    v->read0[k] = n;
    n += list_reads(v, m, k, signal, list);
  }
  v->read0[nformula] = n;
  if (!ARENA_TAKE(arena, v->read, (size_t) n + 1) || !take_memory(v, arena, m, (size_t) n))
    return 0;
  for (int k = 0; k < nformula; k++) {
    const int own = list_reads(v, m, k, signal, list);
    for (int i = 0; i < own; i++) v->read[v->read0[k] + i] = list[i];
  }
  return 1;
}


int force_view_create(stepView *v, baseArena *arena, const artModel *m, int follows_motion,
                      int leaves_rigid)
{
  *v = (stepView){.nitem = count_formulas(m) + m->nelement,
                  .follows_motion = follows_motion,
                  .leaves_rigid = leaves_rigid};
  size_t most = 0, nquantity = (size_t) m->nquantity + 1,
         nwheel = WHEEL_NUMBERS * (size_t) m->nelement + 1;
  viewFormula x;
  for (int k = 0; formula_of_model(m, k, &x); k++) {
    if (x.f && (size_t) x.f->nswitch > most) most = (size_t) x.f->nswitch;
  }
  most++; // the sign of a condition
  int done = ARENA_TAKE(arena, v->depends, nquantity) && ARENA_TAKE(arena, v->slots, nquantity) &&
             ARENA_TAKE(arena, v->stack, (size_t) m->stack + 1) && ARENA_TAKE(arena, v->g, most) &&
             ARENA_TAKE(arena, v->zero, most) && ARENA_TAKE(arena, v->thin[0], most) &&
             ARENA_TAKE(arena, v->thin[1], most) &&
             ARENA_TAKE(arena, v->is_calm, (size_t) v->nitem + 1) &&
             ARENA_TAKE(arena, v->is_viewed, (size_t) v->nitem + 1) &&
             ARENA_TAKE(arena, v->motion, (size_t) v->nitem + 1) &&
             ARENA_TAKE(arena, v->viewed, (size_t) v->nitem + 1);
  for (int i = 0; i < VIEW_PLACES && done; i++) {
    done = ARENA_TAKE(arena, v->value[i], nquantity) && ARENA_TAKE(arena, v->wheel[i], nwheel);
  }
  if (done) {
    find_view_dependences(v, m);
    done = take_reads(v, arena, m);
    for (int i = 0; i < VIEW_PLACES && done; i++)
      done = ARENA_TAKE(arena, v->side[i], SIDE_NUMBERS * (size_t) v->nside + 1) != NULL;
  }
  for (int k = 0; k < v->nitem && done; k++) v->reach[k] = FIRST_REACH;
  if (done) force_view_forget(v, m);
  return done;
}


static int contact_of_formula(const artModel *m, const contactWatch *w, int k)
{
  if (k < m->nsignal) return w->of_signal[m->signal_order[k]];
  k -= m->nsignal;
  if (k < m->nearly) return w->of_state[m->early[k]];
  k -= m->nearly + m->ndrive;
  return k >= 0 && k < 3 * m->nelement ? w->of_element[k / 3] : -1;
}


int force_view_watch(stepView *v, baseArena *arena, const artModel *m, const contactWatch *w)
{
  if (!ARENA_TAKE(arena, v->contact, (size_t) v->nitem + 1)) return 0;
  for (int k = 0; k < v->nitem; k++) v->contact[k] = contact_of_formula(m, w, k);
  return 1;
}


// Does formula k belong to a contact that is left out?
static int is_left_out(const stepView *v, const artData *d, int k)
{
  const contactWatch *w = v->contact ? force_watch(d) : NULL;
  return w && v->contact[k] >= 0 && !w->is_near[v->contact[k]];
}


size_t force_view_bytes(const stepView *v)
{
  return v->nmemory * sizeof(double) + sizeof v->unproved;
}


void force_view_save(const stepView *v, char *bytes)
{
  memcpy(bytes, &v->unproved, sizeof v->unproved);
  memcpy(bytes + sizeof v->unproved, v->memory, v->nmemory * sizeof(double));
}


void force_view_load(stepView *v, const char *bytes)
{
  memcpy(&v->unproved, bytes, sizeof v->unproved);
  memcpy(v->memory, bytes + sizeof v->unproved, v->nmemory * sizeof(double));
}


//---- contacts ------------------------------------------------------------------------------------

// the next contact after element i that has two sides; nelement: there is none
static int next_side(const stepView *v, const artModel *m, int i)
{
  do i++;
  while (i < m->nelement && !is_two_sided(v, &m->element[i]));
  return i;
}


static void take_side(const artModel *m, const artData *d, int i, double side[SIDE_NUMBERS])
{
  if (force_is_far(d, i)) {
    for (int k = 0; k < SIDE_NUMBERS; k++) side[k] = NAN;
    return;
  }
  portState port;
  force_move_port(m, d, &m->element[i], &port);
  side[0] = port.in.x[CONTACT_GAP];
  data_put3(side + 1, port.contact.normal);
}


static void take_sides(const stepView *v, const artModel *m, artData *d, int place)
{
  double *side = v->side[place];
  if (v->nside == 0) return;
  (void) data_world(m, d);
  for (int i = next_side(v, m, -1); i < m->nelement; i = next_side(v, m, i), side += SIDE_NUMBERS) {
    take_side(m, d, i, side);
  }
}


double force_contact_middle(const contactPair *contact)
{
  double middle = 0;
  for (int k = 0; k < 2; k++) {
    const contactSide *side = &contact->side[k];
    const double *half = side->half;
    if (side->hull) middle += side->hull->thickness;
    if (side->road) middle += 1 / side->crest;
    if (side->profile) middle += side->profile->thickness;
    const double least = fmin(fmin(half[0], half[1]), half[2]);
    const int has_half = side->shape == CONTACT_BOX || side->shape == CONTACT_ELLIPSOID;
    const double radius = fmax(side->radius, side->shape == CONTACT_FRUSTUM ? side->top : 0);
    middle += has_half ? least : side->shape == CONTACT_FRUSTUM ? fmin(radius, half[2]) : radius;
  }
  return middle;
}


// Have the surfaces come to the middle of each other, nearly? They are as deep as that at an end of a step, or the normal has
// turned over within it. Events end steps where surfaces touch first and last, with gaps of rounding.
static int has_passed(const modelElement *e, const double *was, const double *is)
{
  static const double TURNED = -0.85, ROUNDING = 1e-6;
  const double middle = force_contact_middle(e->contact);
  if (is[0] < -VIEW_DEEP * middle) return 1;
  // a pin goes from one side of a slot to the other one
  if (e->contact->side[0].profile || e->contact->side[1].profile) return 0;
  const double cosine = was[1] * is[1] + was[2] * is[2] + was[3] * is[3];
  return fmax(was[0], is[0]) <= ROUNDING * middle && cosine < TURNED;
}


// a step that begins here is one that the steps before have come to
static void note_sides(stepView *v, const artModel *m)
{
  double *was = v->touched;
  const double *is = v->side[VIEW_BEGIN];
  for (int i = next_side(v, m, -1); i < m->nelement && v->nside > 0; i = next_side(v, m, i)) {
    if (v->passed[0] == 0 && has_passed(&m->element[i], was, is)) {
      v->passed[0] = i + 1;
      v->passed[1] = v->from;
    }
    memcpy(was, is, SIDE_NUMBERS * sizeof *was);
    was += SIDE_NUMBERS, is += SIDE_NUMBERS;
  }
}


int force_view_passed(const stepView *v, const artModel *m, const artData *d, double *t)
{
  const double *was = v->touched;
  *t = v->nside > 0 ? v->passed[1] : 0;
  if (v->nside > 0 && v->passed[0] > 0) return (int) v->passed[0] - 1;
  for (int i = next_side(v, m, -1); i < m->nelement && v->nside > 0; i = next_side(v, m, i)) {
    double is[SIDE_NUMBERS];
    take_side(m, d, i, is);
    *t = d->time;
    if (has_passed(&m->element[i], was, is)) return i;
    was += SIDE_NUMBERS;
  }
  return -1;
}


//---- the data at places of a step ----------------------------------------------------------------

static void take_values(stepView *v, const artModel *m, const artData *d, int place,
                        const watchedList *list)
{
  const int n = list ? list->n : m->nquantity;
  for (int k = 0; k < n; k++) {
    const int i = watched_number(list, k);
    const double value = v->value[place][i] = d->work->force->slots[i];
    if (isfinite(value)) v->largest[i] = fmax(v->largest[i], fabs(value));
  }
}


void force_view_join(stepView *v, const artModel *m, artData *d)
{
  contactWatch *w = d->work->force->watch;
  force_watch_select(w, 1);
  force_quantities(m, d, READ_BY_FORCES);
  take_values(v, m, d, VIEW_BEGIN, &w->quantities);
  force_watch_select(w, 0);
  take_sides(v, m, d, VIEW_BEGIN);
  if (v->nside > 0) note_sides(v, m);
}


void force_view_take(stepView *v, const artModel *m, artData *d, int place)
{
  v->at[place] = d->time;
  if (force_view_reads_state(v)) {
    force_quantities(m, d, READ_BY_FORCES);
    const contactWatch *w = force_watch(d);
    take_values(v, m, d, place, w ? &w->quantities : NULL);
  }
  for (int i = 0; i < m->nelement && v->has_wheels; i++) {
    const modelElement *e = &m->element[i];
    if (!e->tyre) continue;
    (void) data_world(m, d);
    if (e->formula[0]) force_quantities(m, d, READ_BY_FORCES);
    const v3 foot = force_foot(m, d, e);
    const double at[WHEEL_NUMBERS] = {foot.x, foot.y, foot.z};
    memcpy(v->wheel[place] + WHEEL_NUMBERS * (size_t) i, at, sizeof at);
  }
  if (place != VIEW_MIDDLE) take_sides(v, m, d, place);
  if (place == VIEW_BEGIN) note_sides(v, m);
}


int force_view_begin(stepView *v, const artModel *m, double from, double to)
{
  v->from = from;
  v->to = to;
  if (v->at[VIEW_BEGIN] == from) return 1;
  if (v->at[VIEW_END] != from) {
    v->at[VIEW_BEFORE] = NAN;
    return 0;
  }
  v->at[VIEW_BEFORE] = v->at[VIEW_BEGIN];
  v->at[VIEW_BEGIN] = from;
  const size_t n = (size_t) m->nquantity, wheels = WHEEL_NUMBERS * (size_t) m->nelement;
  memcpy(v->value[VIEW_BEGIN], v->value[VIEW_END], n * sizeof(double));
  memcpy(v->wheel[VIEW_BEFORE], v->wheel[VIEW_BEGIN], wheels * sizeof(double));
  memcpy(v->wheel[VIEW_BEGIN], v->wheel[VIEW_END], wheels * sizeof(double));
  if (v->nside > 0) {
    memcpy(v->side[VIEW_BEGIN], v->side[VIEW_END],
           SIDE_NUMBERS * (size_t) v->nside * sizeof(double));
    note_sides(v, m);
  }
  return 1;
}


void force_view_follow(stepView *v, const artModel *m)
{
  const double h = v->to - v->from, before = v->from - v->at[VIEW_BEFORE];
  for (int i = 0; i < WHEEL_NUMBERS * m->nelement; i++) {
    const double s0 = v->wheel[VIEW_BEGIN][i], s1 = v->wheel[VIEW_END][i];
    const double bend = (((s1 - s0) / h - (s0 - v->wheel[VIEW_BEFORE][i]) / before)) / (h + before);
    v->wheel[VIEW_MIDDLE][i] = 0.5 * (s0 + s1) - (isfinite(bend) ? 0.25 * bend * h * h : 0);
  }
}


// the height of the lowest point of wheel i over the road
static double height_at(const stepView *v, const artModel *m, int i, int place)
{
  const double *at = v->wheel[place] + WHEEL_NUMBERS * (size_t) i;
  return at[2] - art_ground_height(m, i, at[0], at[1]);
}


static int does_wheel_fly(const stepView *v, const artModel *m, int i)
{
  if (!m->element[i].tyre) return 0;
  return height_at(v, m, i, VIEW_BEGIN) > 0 && height_at(v, m, i, VIEW_END) > 0;
}


static int flies(const stepView *v, const artModel *m)
{
  for (int i = 0; i < m->nelement; i++) {
    if (does_wheel_fly(v, m, i)) return 1;
  }
  return 0;
}


static void forget_box(stepView *v, int k)
{
  for (int i = v->read0[k]; i < v->read0[k + 1]; i++) v->low[i] = v->high[i] = NAN;
}


void force_view_forget(stepView *v, const artModel *m)
{
  for (int i = 0; i < VIEW_PLACES; i++) v->at[i] = NAN;
  for (int k = 0; k < count_formulas(m); k++) forget_box(v, k);
}


// Do the quantities that formula k reads stay in its box, where nothing hides?
static int is_in_box(const stepView *v, int k)
{
  for (int i = v->read0[k]; i < v->read0[k + 1] && v->read[i] >= 0; i++) {
    const double begin = v->value[VIEW_BEGIN][v->read[i]], end = v->value[VIEW_END][v->read[i]];
    if (!(fmin(begin, end) >= v->low[i] && fmax(begin, end) <= v->high[i])) return 0;
  }
  return v->read0[k] < v->read0[k + 1];
}


int force_view_needs_middle(stepView *v, const artModel *m, const artData *d)
{
  v->is_all_calm = 1;
  for (int i = 0; i < v->nmotion; i++) {
    const int k = v->motion[i];
    if (is_left_out(v, d, k)) {
      if (v->is_calm[k] != LEFT_OUT) forget_box(v, k);
      v->is_calm[k] = LEFT_OUT;
      continue;
    }
    v->is_calm[k] = v->failed[k] > MAX_FAILURES || is_in_box(v, k);
    v->is_all_calm &= v->is_calm[k];
  }
  return v->reads_state || !v->is_all_calm || (v->has_wheels && flies(v, m));
}


//---- enclosures ----------------------------------------------------------------------------------

// A quantity over [a, b] of the step, on the parabola through its values at the beginning, in the middle and at the end.
static formulaBounds path_over(const stepView *v, const double *const value[VIEW_PLACES], size_t i,
                               double a, double b)
{
  const double s0 = value[VIEW_BEGIN][i], sm = value[VIEW_MIDDLE][i], s1 = value[VIEW_END][i];
  const double h = v->to - v->from, way = s1 - s0;
  const double bend = v->is_straight ? 0 : sm - 0.5 * (s0 + s1);
  if (way == 0 && bend == 0) return (formulaBounds){interval_point(s0), interval_point(0)};
  const enclosure x = {(a - v->from) / h, (b - v->from) / h}, one = interval_point(1);

  // s0 + way x + 4 bend x (1 - x); its slope way + 4 bend (1 - 2x)
  const enclosure slope = interval_add(
      interval_point(way), interval_scale(4 * bend, interval_sub(one, interval_scale(2, x))));
  const double xm = interval_middle(x), at = s0 + way * xm + 4 * bend * xm * (1 - xm);
  const enclosure about = interval_sub(x, interval_point(xm));
  const enclosure place = interval_add(interval_point(at), interval_mul(slope, about));
  if (v->is_on_chords)
    return (formulaBounds){place, interval_point((way + 4 * bend * (1 - x.lo - x.hi)) / h)};
  return (formulaBounds){place, interval_div(slope, interval_point(h))};
}


// the j-th signal, where what it reads is in the slots
static void fill_signal(const stepView *v, const artModel *m, const artData *d, int j)
{
  viewFormula x;
  formula_of_model(m, j, &x);
  v->slots[x.slot] = formula_bounds(x.f, v->slots, d->work->mode + x.mode0, NULL, v->stack);
}


// what formula k reads over [a, b], signals among it
static void fill_slots(const stepView *v, const artModel *m, const artData *d, int k, double a,
                       double b)
{
  const double *const value[VIEW_PLACES] = {v->value[0], v->value[1], v->value[2]};
  for (int i = v->read0[k]; i < v->read0[k + 1]; i++) {
    const int slot = v->read[i];
    if (slot < 0) {
      fill_signal(v, m, d, -1 - slot);
    } else if (m->quantity[slot].kind == QUANTITY_TIME) {
      v->slots[slot] = (formulaBounds){{a, b}, interval_point(1)};
    } else {
      v->slots[slot] = path_over(v, value, (size_t) slot, a, b);
    }
  }
}


// the height of the road under wheel i
static formulaBounds road_under(const stepView *v, const artModel *m, int i, double a, double b)
{
  const double *const place[VIEW_PLACES] = {v->wheel[0], v->wheel[1], v->wheel[2]};
  const size_t at = WHEEL_NUMBERS * (size_t) i;
  const formulaBounds x = path_over(v, place, at, a, b), y = path_over(v, place, at + 1, a, b);
  const modelElement *e = &m->element[i];
  const roadBounds road =
      e->ground.function ? force_ground_bounds(e, x.x, y.x) : road_bounds(e->road, x.x, y.x);
  return (formulaBounds){road.z,
                         interval_add(interval_mul(road.x, x.dx), interval_mul(road.y, y.dx))};
}


// formula k, or the road under wheel k - formulas
static formulaBounds view_signal(stepView *v, const artModel *m, const artData *d, int k, double a,
                                 double b, formulaBounds *g)
{
  viewFormula x;
  if (formula_of_model(m, k, &x)) {
    fill_slots(v, m, d, k, a, b);
    return formula_bounds(x.f, v->slots, d->work->mode + x.mode0, g, v->stack);
  }
  return road_under(v, m, k - count_formulas(m), a, b);
}


// the height of the lowest point of wheel i over the road
static formulaBounds height_over_road(const stepView *v, const artModel *m, int i, double a,
                                      double b)
{
  const double *const place[VIEW_PLACES] = {v->wheel[0], v->wheel[1], v->wheel[2]};
  const formulaBounds z = path_over(v, place, WHEEL_NUMBERS * (size_t) i + 2, a, b);
  if (!m->element[i].road) return z;
  const formulaBounds road = road_under(v, m, i, a, b);
  return (formulaBounds){interval_sub(z.x, road.x), interval_sub(z.dx, road.dx)};
}


// Does signal k depend on time, or is it a wheel on a road?
static int is_signal_viewed(const stepView *v, const artModel *m, int k, viewFormula *x)
{
  if (v->failed[k] > MAX_FAILURES) return 0;
  if (k >= count_formulas(m)) return is_on_road(&m->element[k - count_formulas(m)]);
  if (!v->is_viewed[k] || v->is_calm[k]) return 0;
  return formula_of_model(m, k, x);
}


//---- switching functions -------------------------------------------------------------------------

typedef struct switchSearch {
  stepView *v;
  const artModel *m;
  const artData *d;
  int k, n;               // the formula, and its switching functions
  int is_condition, sign; // of a latch: a change of its own sign counts, too
  double shortest;
  int parts;
  const double
      *zero; // [n] of functions of the motion, NULL: none; what is smaller is on its border
} switchSearch;


// The switching functions over [a, b]; of a condition, which asks for nothing where it is not a number, how far it is from changing
// its sign.
static void view_switches(switchSearch *s, double a, double b, formulaBounds *g)
{
  const formulaBounds x = view_signal(s->v, s->m, s->d, s->k, a, b, g);
  const enclosure minus = interval_neg(x.x), falls = interval_neg(x.dx);
  if (s->is_condition) g[s->n - 1] = s->sign > 0 ? x : (formulaBounds){minus, falls};
}


// Whether a switching function stays positive where it is within `over`, by its values at both ends.
static int stays_positive(formulaBounds over, double at_begin, double at_end, double least)
{
  const double zero = fmax(1e-12 * interval_size(over.x), least);
  if (over.x.lo > -least) return 1;
  if (isnan(at_begin) && isnan(at_end)) return 1;
  if (over.dx.lo >= 0) return at_begin >= -zero;
  return over.dx.hi <= 0 && at_end >= -zero;
}


// Where in [a, b] a function that was positive is negative; INFINITY: nowhere.
static double search_switch(switchSearch *s, double a, double b)
{
  stepView *v = s->v;
  if (++s->parts > MAX_PARTS) return INFINITY;
  view_switches(s, a, b, v->g);
  int is_clear = 1;
  for (int i = 0; i < s->n; i++) is_clear &= v->g[i].x.lo > 0;
  if (is_clear) return INFINITY;

  view_switches(s, a, a, v->thin[0]);
  view_switches(s, b, b, v->thin[1]);
  int is_open = 0, is_beyond = 0, has_one = 1;
  for (int i = 0; i < s->n; i++) {
    const double at_a = interval_middle(v->thin[0][i].x), at_b = interval_middle(v->thin[1][i].x);
    const double zero = s->zero ? s->zero[i] : 0;
    if (stays_positive(v->g[i], at_a, at_b, zero)) continue;
    is_open = 1;
    if (at_b < -zero) is_beyond = 1;
    if (!(v->g[i].dx.hi < 0)) has_one = 0;
  }
  if (!is_open) return INFINITY;
  if (b - a <= s->shortest || (is_beyond && has_one)) return is_beyond ? b : INFINITY;
  const double middle = a + 0.5 * (b - a), first = search_switch(s, a, middle);
  return first < INFINITY ? first : search_switch(s, middle, b);
}


// What counts as zero of the functions of a formula of the motion, in s->zero: a part of the largest value of each so far, at the
// beginning of steps, rounding of the quantities that it reads, and of the function itself.
static void note_zeros(switchSearch *s, int switch0)
{
  stepView *v = s->v;
  double largest = 0;
  view_switches(s, v->from, v->from, v->g);
  for (int i = v->read0[s->k]; i < v->read0[s->k + 1]; i++) {
    if (v->read[i] >= 0) largest = fmax(largest, v->largest[v->read[i]]);
  }
  for (int i = 0; i < s->n; i++) {
    const double size = interval_size(v->g[i].x);
    double *most = v->margin + switch0 + i;
    if (isfinite(size)) *most = fmax(*most, size);
    v->zero[i] = fmax(fmax(NEGLIGIBLE * *most, ROUNDED * largest), 2 * interval_width(v->g[i].x));
  }
  s->zero = v->zero;
}


double force_view_switch(stepView *v, const artModel *m, const artData *d, double after, double to)
{
  double first = INFINITY;
  viewFormula x;
  const double instant = 4 * DBL_EPSILON * fmax(fabs(after), fabs(to));
  if (!v->has_timed && v->is_all_calm) return INFINITY;
  for (int i = 0; i < v->nviewed && v->viewed[i] < count_formulas(m); i++) {
    const int k = v->viewed[i];
    if (!is_signal_viewed(v, m, k, &x) || x.f->nswitch + !x.acts == 0) continue;
    switchSearch s = {.v = v, .m = m, .d = d, .k = k, .n = x.f->nswitch + !x.acts};
    const int follows = is_of_motion(v, x.f);
    s.shortest = fmax((follows ? SHORTEST_TOUCH : 1e-10) * (to - after), instant);
    if (follows) note_zeros(&s, x.switch0);
    s.is_condition = !x.acts;
    if (!x.acts) {
      const enclosure begin = view_signal(v, m, d, k, v->from, v->from, v->g).x;
      s.sign = interval_middle(begin) > 0 ? 1 : -1;
    }
    // where paths of quantities are not quite parabolas, it was no switch, nor are the next instants
    const double from =
        follows && v->alarm == k && after > v->from ? after + SKIPPED * (to - after) : after;
    const double end = fmin(first, to), at = end > from ? search_switch(&s, from, end) : INFINITY;
    if (s.parts > MAX_PARTS) v->failed[k]++, v->unproved++;
    if (at < first) first = at, v->alarm = k;
  }
  return first;
}


//---- what acts -----------------------------------------------------------------------------------

// A signal over a step from a to b: the rate of change of the cubic, and what may be added to it.
typedef struct signalLook {
  stepView *v;
  const artModel *m;
  const artData *d;
  int k;
  double a, b;
  double mean, begin, end; // rates
  double allowed;
  double noise;  // changes that follow from what is negligible in the quantities that it reads
  int follows;   // it is a formula of the motion
  double missed; // in steps of given length: changes in parts too short to be halved
  double p, q;   // the part that is not seen
  int parts;
} signalLook;


static double cubic_rate(const signalLook *s, double t)
{
  const double x = (t - s->a) / (s->b - s->a);
  return 6 * s->mean * x * (1 - x) + s->begin * (1 - x) * (1 - 3 * x) + s->end * x * (3 * x - 2);
}


static enclosure cubic_rates(const signalLook *s, double from, double to)
{
  const double p = cubic_rate(s, from), q = cubic_rate(s, to);
  enclosure out = {fmin(p, q), fmax(p, q)};

  // the vertex of the parabola
  const double bend = 6 * s->mean - 3 * s->begin - 3 * s->end;
  const double x = bend == 0 ? -1 : (6 * s->mean - 4 * s->begin - 2 * s->end) / (2 * bend);
  const double t = s->a + x * (s->b - s->a);
  if (t > from && t < to) out = interval_hull(out, interval_point(cubic_rate(s, t)));
  return out;
}


// In steps of given length kinks may lie anywhere: what they change in parts too short to be halved adds up.
static int does_not_matter(signalLook *s, enclosure rate, double length)
{
  if (!s->v->rule) return 0;
  s->missed += interval_size(rate) * length;
  return s->missed <= NEGLIGIBLE_OF_MOTION * s->v->most[s->k];
}


static int is_part_seen(signalLook *s, double from, double to)
{
  if (++s->parts > MAX_PARTS) return 1;
  const enclosure rate = view_signal(s->v, s->m, s->d, s->k, from, to, NULL).dx;
  const enclosure wanted = cubic_rates(s, from, to);
  const double length = to - from;

  // much is allowed in steps of given length: waves hide in the rates of a whole step
  const int is_coarse = s->v->rule && length > 0.13 * (s->b - s->a);
  if (rate.lo >= wanted.lo - s->allowed && rate.hi <= wanted.hi + s->allowed && !is_coarse)
    return 1;
  const double least = 64 * DBL_EPSILON * fmax(fabs(from), fabs(to));
  if (length <= fmax(SHORT_PART * (from - s->a), SHORTEST_PART * (s->b - s->a)) ||
      length <= least) {
    if (does_not_matter(s, rate, length)) return 1;
    s->p = from;
    s->q = to;
    return 0;
  }
  const double middle = from + 0.5 * length;
  return is_part_seen(s, from, middle) && is_part_seen(s, middle, to);
}


// The largest rate of the signal that is met in parts of the step, at least *most; parts that cannot have a larger one are left out.
static void find_largest_rate(signalLook *s, double from, double to, double *most)
{
  const double middle = from + 0.5 * (to - from);
  if (!(interval_size(view_signal(s->v, s->m, s->d, s->k, from, to, NULL).dx) > *most)) return;
  const double met =
      fabs(interval_middle(view_signal(s->v, s->m, s->d, s->k, middle, middle, NULL).dx));
  if (isfinite(met)) *most = fmax(*most, met);
  if (to - from <= SMALL_PART * (s->b - s->a)) return;
  find_largest_rate(s, from, middle, most);
  find_largest_rate(s, middle, to, most);
}


// changes of signal k in a step that do not matter
static double least_change(const stepView *v, int k, int follows)
{
  return (follows ? NEGLIGIBLE_OF_MOTION : NEGLIGIBLE) * v->most[k];
}


// Whether signal k is seen by a step from a to b; p and q say where it is not.
static int is_signal_seen_on_paths(signalLook *s, double a, double b)
{
  stepView *v = s->v;
  const formulaBounds over = view_signal(v, s->m, s->d, s->k, a, b, NULL);
  const double h = b - a;
  if (isfinite(interval_size(over.x))) v->most[s->k] = fmax(v->most[s->k], interval_size(over.x));
  const double floor_rate = fmax(least_change(v, s->k, s->follows), s->noise) / h;
  s->a = a, s->b = b;
  s->parts = 0;
  s->missed = 0;
  if (interval_size(over.dx) <= floor_rate) return 1;

  const formulaBounds begin = view_signal(v, s->m, s->d, s->k, a, a, NULL);
  const formulaBounds end = view_signal(v, s->m, s->d, s->k, b, b, NULL);
  s->mean = (interval_middle(end.x) - interval_middle(begin.x)) / h;
  if (!isfinite(s->mean)) return 1;
  s->begin = interval_middle(begin.dx), s->end = interval_middle(end.dx);
  if (!isfinite(s->begin)) s->begin = s->mean;
  if (!isfinite(s->end)) s->end = s->mean;
  const enclosure all = cubic_rates(s, a, b);
  const double bend = s->k < count_formulas(s->m) ? BEND : BEND_OF_ROAD;
  s->allowed = bend * interval_size(all) + floor_rate;

  // steps of given length end where they may: only what its ends do not show at all is reported
  if (v->rule) {
    double most = fmax(fabs(s->begin), fabs(s->end));
    find_largest_rate(s, a, b, &most);
    s->allowed = fmax(s->allowed, BEND_OF_FIXED * most);
  }
  return is_part_seen(s, a, b);
}


// By how much formula k changes where the quantities that it reads change by a part NEGLIGIBLE of their largest values so far,
// where the step begins.
static double noise_of(const signalLook *s)
{
  stepView *v = s->v;
  viewFormula x;
  formula_of_model(s->m, s->k, &x);
  for (int i = v->read0[s->k]; i < v->read0[s->k + 1]; i++) {
    const int slot = v->read[i];
    if (slot < 0) {
      fill_signal(v, s->m, s->d, -1 - slot);
    } else {
      const double at = v->value[VIEW_BEGIN][slot], around = NEGLIGIBLE * v->largest[slot];
      v->slots[slot] = (formulaBounds){{at - around, at + around}, interval_point(0)};
    }
  }
  const enclosure value =
      formula_bounds(x.f, v->slots, s->d->work->mode + x.mode0, NULL, v->stack).x;
  return isfinite(value.hi - value.lo) ? value.hi - value.lo : 0;
}


// In formulas of the motion quantities move at the mean rate of each part: what cancels, as in x - clamp(x), has no width then.
static int is_signal_seen(signalLook *s, double a, double b)
{
  s->v->is_on_chords = s->follows;
  if (s->follows) s->noise = noise_of(s);
  const int is_seen = is_signal_seen_on_paths(s, a, b);
  s->v->is_on_chords = 0;
  return is_seen;
}


// Does formula k of the motion bend within the step? Where it does not there is nothing else to be seen.
static int bends_within(stepView *v, const artModel *m, const artData *d, int k,
                        const viewFormula *x)
{
  formulaBounds value;
  fill_slots(v, m, d, k, v->from, v->to);
  const int bends = formula_bends(x->f, v->slots, d->work->mode + x->mode0, NULL, v->stack, &value);
  const double size = interval_size(value.x);
  if (!bends && isfinite(size)) v->most[k] = fmax(v->most[k], size);
  return bends;
}


// The end of the longest step, up to `to`, that sees signal k from where the step begins.
static double end_of_seen(signalLook *s, double to)
{
  const double a = s->v->from;
  double shorter = to; // than the step that has not seen it
  double b =
      s->v->to; // an event may have cut the step, which has seen what there is at its own end
  const double least = fmax(1e-9 * (b - a), 64 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
  for (int k = 0; k < MAX_TRIALS && b - a > least; k++) {
    if (is_signal_seen(s, a, b)) {
      if (s->parts > MAX_PARTS) break;
      return k == 0 ? to : fmin(b, shorter);
    }
    const double p = s->p, q = s->q;
    if (k == 0 && p >= to) return to;
    if (k == 0) shorter = 0.5 * (p + to);
    if (!(p > a)) {
      b = a + 0.5 * (fmin(b, fmax(q, a + 0.5 * (b - a))) - a);
    } else if (is_signal_seen(s, a, p) && is_signal_seen(s, p, q)) {
      return fmin(q, shorter);
    } else {
      b = p;
    }
  }
  s->v->failed[s->k]++;
  s->v->unproved++;
  return INFINITY;
}


// Where in [a, b] wheel i, which flies at both ends of the step, is below the road; INFINITY: nowhere.
static double search_touch(const stepView *v, const artModel *m, int i, double a, double b,
                           int *parts)
{
  if (++*parts > MAX_PARTS) return INFINITY;
  const formulaBounds over = height_over_road(v, m, i, a, b);
  const double at_a = interval_middle(height_over_road(v, m, i, a, a).x);
  const double at_b = interval_middle(height_over_road(v, m, i, b, b).x);
  if (stays_positive(over, at_a, at_b, 0)) return INFINITY;
  if (at_b < 0 && over.dx.hi < 0) return b;
  if (b - a <= TOUCH_PART * (v->to - v->from)) return at_b < 0 ? b : INFINITY;
  const double middle = a + 0.5 * (b - a), first = search_touch(v, m, i, a, middle, parts);
  return first < INFINITY ? first : search_touch(v, m, i, middle, b, parts);
}


// Up to where wheels that fly have not come down on the road.
static double end_of_flight(stepView *v, const artModel *m, double to)
{
  for (int i = 0; i < m->nelement && v->has_wheels; i++) {
    if (!does_wheel_fly(v, m, i)) continue;
    int parts = 0;
    to = fmin(to, search_touch(v, m, i, v->from, to, &parts));
    if (parts > MAX_PARTS) v->unproved++;
  }
  return to;
}


// A box of the quantities that formula k of the motion reads, about the end of the step: there it neither switches nor bends. Steps
// that stay within it need no look.
static void find_box(stepView *v, const artModel *m, const artData *d, int k, const viewFormula *x)
{
  for (int i = v->read0[k]; i < v->read0[k + 1]; i++) {
    const int slot = v->read[i];
    if (slot < 0) {
      fill_signal(v, m, d, -1 - slot);
      continue;
    }
    const double end = v->value[VIEW_END][slot], way = end - v->value[VIEW_BEGIN][slot];
    const double half = fmax(v->reach[k] * fabs(way), NEGLIGIBLE * v->largest[slot]);
    v->low[i] = end - half;
    v->high[i] = end + half;
    v->slots[slot] = (formulaBounds){{v->low[i], v->high[i]}, interval_point(way)};
  }
  formulaBounds value;
  const int bends = formula_bends(x->f, v->slots, d->work->mode + x->mode0, v->g, v->stack, &value);
  int is_box = x->is_projection || !bends;
  for (int i = 0; i < x->f->nswitch; i++) is_box &= v->g[i].x.lo > 0;
  if (!is_box) forget_box(v, k);
  v->reach[k] = is_box ? fmin(2 * v->reach[k], LARGEST_REACH) : fmax(v->reach[k] / 4, LEAST_REACH);
}


static int is_drive(const artModel *m, int k)
{
  const int first = m->nsignal + m->nearly;
  return k >= first && k < first + m->ndrive;
}


static int has_rule(const signalLook *s)
{
  return s->v->rule != RULE_NONE && s->k < count_formulas(s->m) && !is_drive(s->m, s->k);
}


// Does the rule of the step integrate signal k? Drives move as they say, whatever the rule is. In natural coordinates the middle of the
// motion is that of the cubic through both ends, and too far from the motion for stiff forces; the straight line is not.
static int does_rule_hold(signalLook *s, double to)
{
  stepView *v = s->v;
  double u[RULE_POINTS];
  const double a = v->from, h = to - a;
  v->is_straight = v->rule == RULE_TRAPEZOID;
  for (int i = 0; i < RULE_POINTS; i++) {
    const double t = i == RULE_END ? to : a + h * i / RULE_END;
    u[i] = interval_middle(view_signal(v, s->m, s->d, s->k, t, t, NULL).x);
  }
  v->is_straight = 0;
  const double negligible = fmax(s->noise, NEGLIGIBLE_PULSE * v->most[s->k]);
  return step_rule_holds(&v->sum[s->k], v->rule, a, to, u, negligible);
}


double force_view_seen(stepView *v, const artModel *m, const artData *d, double to)
{
  const double end_of_step = to;
  int is_integrated = 1;
  viewFormula x = {0};
  if (!v->has_timed && !v->has_wheels && v->is_all_calm) return to;
  if (!v->rule) to = end_of_flight(v, m, to);
  for (int i = 0; i < v->nviewed; i++) {
    const int k = v->viewed[i];
    x.acts = 1;
    if (!is_signal_viewed(v, m, k, &x) || !x.acts) continue;
    const int follows = k < count_formulas(m) && is_of_motion(v, x.f);
    signalLook s = {.v = v, .m = m, .d = d, .k = k, .follows = follows};
    const int is_shown = x.is_projection || (follows && !bends_within(v, m, d, k, &x));
    const double end = is_shown ? to : end_of_seen(&s, to);
    if (!is_shown && has_rule(&s)) is_integrated &= does_rule_hold(&s, end_of_step);
    const int is_brief = end - v->from < BRIEF * (to - v->from);
    v->brief[k] = is_brief ? v->brief[k] + 1 : 0;
    if (v->brief[k] > MAX_BRIEF) v->failed[k] = MAX_FAILURES + 1, v->unproved++;
    if (end < to) to = end;
    if (follows) find_box(v, m, d, k, &x);
  }
  return is_integrated ? to : v->from;
}


long force_view_count_open(const stepView *v, const artModel *m)
{
  long count = 0;
  for (int k = 0; k < count_formulas(m) && v->sum; k++) count += step_rule_misses(&v->sum[k]);
  return count;
}
