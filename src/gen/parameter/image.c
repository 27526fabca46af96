// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of which another value makes another machine than the one that equations are made for: a thin bar, which is
// a rod, becomes a body; a row that follows from others, and is left out, opens its loop; a text of a kind is another one.
// The model is read again with
// parameters a little off, all of them together and then by halves, until those are known that stay as they are.
#include <math.h>
#include <string.h>

#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "force/force.h"
#include "gen/parameter/definition.h"
#include "loop/loop.h"
#include "loop/roll_rows.h"
#include "model/compile/lay.h"
#include "model/formula/formula_program.h"
#include "model/parameter/live.h"
#include "model/read/source.h"

enum { PLACES = 2 }; // of independent coordinates: as they are, and a hundredth off

typedef enum imageKind {
  IMAGE_SAME,
  IMAGE_OTHER,   // of another structure, or with a loop that is open though all is solved for
  IMAGE_REFUSED, // it cannot be read
  IMAGE_OPEN     // its loops cannot be closed, of which generated code tells
} imageKind;

typedef struct imageWork {
  genBuild *b;
  memPool *pool;
  artData *d;         // its loops closed; NULL: no row is left out
  double *q;          // [PLACES nq] where they are
  double gap[PLACES]; // largest |phi| there, INFINITY: they cannot be closed
  artSetting *moved;  // [nparameter] parameters that are off
  int nmoved;
  artData *scratch;  // for drives that may jump; NULL: there are none
  artModel *variant; // the image at hand; NULL: there is none
  double *hold;      // [LATCH_NUMBERS nlatch] where latches of an image hold
  char words[200];   // what is other
} imageWork;

//---- structure -----------------------------------------------------------------------------------

static int has_same_links(const treeModel *a, const treeModel *b)
{
  if (a->n != b->n || a->nq != b->nq || a->nv != b->nv) return 0;
  for (int i = 1; i < a->n; i++) {
    const treeLink *x = &a->link[i], *y = &b->link[i];
    if (x->parent != y->parent || x->kind != y->kind || x->is_driven != y->is_driven) return 0;
  }
  return 1;
}


// samplers that went together go together
static int has_clocks(imageWork *w, const artModel *image)
{
  const artModel *m = w->b->m;
  int is_same = m->nclock == image->nclock;
  for (int i = m->ninput; i < m->nheld && is_same; i++) {
    is_same = m->held[i].clock == image->held[i].clock;
  }
  if (!is_same) snprintf(w->words, sizeof w->words, "the instants of samplers");
  return is_same;
}


// Bodies that have turned into bars or bars into bodies are the first to name.
static int has_structure(imageWork *w, const artModel *image)
{
  const artModel *m = w->b->m;
  for (int i = 0; i < m->nbar && m->nbar != image->nbar; i++) {
    int k = 0;
    while (k < image->nbar && strcmp(m->bar[i].name, image->bar[k].name) != 0) k++;
    if (k < image->nbar) continue;
    snprintf(w->words, sizeof w->words, "'%.100s', which is a thin rod for this value alone",
             m->bar[i].name);
    return 0;
  }
  snprintf(w->words, sizeof w->words, "the structure of the machine");
  return m->nbar == image->nbar && m->ncut == image->ncut && m->nrow == image->nrow &&
         m->nelement == image->nelement && m->nstate == image->nstate &&
         m->nsignal == image->nsignal && m->nheld == image->nheld && m->ndrive == image->ndrive &&
         has_same_links(&m->tree, &image->tree) && has_clocks(w, image);
}

//---- loops ---------------------------------------------------------------------------------------

// the row that is open most
static int widest_open_row(const imageWork *w)
{
  const double *phi = w->d->work->loop->rows.phi;
  int most = 0;
  for (int i = 1; i < w->b->m->nrow; i++) {
    if (!(fabs(phi[i]) <= fabs(phi[most]))) most = i;
  }
  return most;
}


// solve for dependent positions of a model that is laid out alike; largest |phi| of all rows, INFINITY: there are none
static double closed_gap(imageWork *w, const artModel *m)
{
  double gap = INFINITY;
  tree_take_constants(&m->tree, &w->d->work->tree);
  if (loop_solve(m, w->d, NULL) != ART_OK) return INFINITY;
  return loop_gap(m, w->d, &gap, NULL) == ART_OK ? gap : INFINITY;
}


static imageKind try_loops(imageWork *w, const artModel *image)
{
  const double rounding = 1e-10;
  const size_t nq = (size_t) image->tree.nq;
  for (int place = 0; place < PLACES && w->d; place++) {
    if (!isfinite(w->gap[place])) continue;
    memcpy(w->d->q, w->q + nq * (size_t) place, nq * sizeof *w->q);
    const double gap = closed_gap(w, image);
    if (!isfinite(gap)) return IMAGE_OPEN;
    if (gap <= 10 * w->gap[place] + rounding) continue;
    char name[MODEL_ROW_LENGTH];
    snprintf(w->words, sizeof w->words, "%.150s, which another value opens",
             model_row_name(image, widest_open_row(w), name));
    return IMAGE_OTHER;
  }
  return IMAGE_SAME;
}


// a copy of the data, where rows are left out
static void open_loops(imageWork *w)
{
  const artModel *m = w->b->m;
  artError *error = w->b->error;
  if (m->nrow == 0) return;
  w->d = art_create_data(m);
  if (!w->d) error_throw();
  gen_must(w->b, art_copy_data(m, w->d, w->b->d, error));
  const struct loopWork *loop = w->d->work->loop;
  if (!loop->is_ready) gen_must(w->b, loop_partition(m, w->d, error));
  if (loop->partition.nd < m->nrow) {
    // places where loops are closed at present, of data that have the first one's partition
    const size_t nq = (size_t) m->tree.nq;
    double *step = gen_alloc(w->b, (size_t) m->tree.nv, sizeof *step);
    w->q = gen_alloc(w->b, PLACES * nq, sizeof *w->q);
    const loopPartition *part = &w->d->work->loop->partition;
    for (int i = 0; i < part->nf; i++) step[part->free[i]] = 0.01 + 0.007 * fmod(0.618 * i, 1);
    for (int place = 0; place < PLACES; place++) {
      if (place > 0) art_move(m, w->d->q, step);
      w->gap[place] = closed_gap(w, m);
      memcpy(w->q + nq * (size_t) place, w->d->q, nq * sizeof *w->q);
    }
    return;
  }
  art_free_data(w->d);
  w->d = NULL;
}

//---- formulas ------------------------------------------------------------------------------------

// formulas are analytic but for these, so that what holds nearby holds everywhere
static int has_branches(const artModel *m, const formula *f)
{
  for (int k = 0; k < f->nstep; k++) {
    const int slot = formula_read(f, k);
    const formula *own = slot >= 0 ? m->parameter[slot].formula : NULL;
    if (f->steps[k].op >= OP_ABS || (own && has_branches(m, own))) return 1;
  }
  return 0;
}


static int is_inertia(const layPlan *plan, const double *number)
{
  for (int i = 1; i < plan->nbody; i++) {
    const layBody *body = &plan->body[i];
    if (number == body->mass || (number >= body->com && number < body->com + 3) ||
        (number >= body->inertia && number < body->inertia + 6)) {
      return 1;
    }
  }
  return 0;
}


// a formula of the model and whose it is
typedef struct imageFormula {
  const formula *f; // NULL: there is none
  const char *name; // NULL: this is the end of all
} imageFormula;


static imageFormula formula_of(const artModel *m, int k)
{
  if (k < 3 * m->nelement) {
    return (imageFormula){m->element[k / 3].formula[k % 3], m->element[k / 3].name};
  }
  k -= 3 * m->nelement;
  if (k < m->ndrive) return (imageFormula){m->drive[k].formula, m->drive[k].name};
  k -= m->ndrive;
  if (k < m->nsignal) return (imageFormula){m->signal[k].value.f, m->signal[k].name};
  k -= m->nsignal;
  if (k < m->nrate) return (imageFormula){m->state[k].rate.f, m->state[k].name};
  k -= m->nrate;
  if (k < m->nheld) return (imageFormula){m->held[k].next.f, m->held[k].name};
  k -= m->nheld;
  if (k < 2 * m->nlatch) {
    const modelLatch *latch = &m->latch[k / 2];
    return (imageFormula){k % 2 ? latch->release : latch->engage, latch->name};
  }
  k -= 2 * m->nlatch;
  if (k < m->noutput) return (imageFormula){m->output[k].formula, m->output[k].name};
  return (imageFormula){NULL, NULL};
}


// the curve of another model that a step of a formula calls, as this model has it
static void take_own_curve(const artModel *m, const artModel *other, formulaStep *step)
{
  for (int i = 0; (step->law || step->map) && i < m->ncurve && i < other->ncurve; i++) {
    const formulaCurve *from = &other->curve[i].own, *to = &m->curve[i].own;
    if (step->law && step->law == from->law) {
      step->law = to->law;
      return;
    }
    if (step->map && step->map == from->map) {
      step->map = to->map;
      return;
    }
  }
}


// its value where quantities have made-up values of that size; with parameters and curves of the model `m`
static double try_formula(const artModel *m, const artModel *of, const formula *f, double size,
                          baseArena *scratch)
{
  const int first = m->nquantity, nlive = m->records->live.count;
  const size_t n = (size_t) (first + m->nparameter + nlive);
  formula own = *f;
  double *slot = arena_alloc(scratch, n, sizeof *slot);
  double *stack = arena_alloc(scratch, (size_t) f->depth, sizeof *stack);
  int *branch = arena_alloc(scratch, (size_t) f->nswitch, sizeof *branch);
  formulaStep *steps = arena_copy(scratch, f->steps, (size_t) f->nstep, sizeof *steps);
  for (int i = 0; i < first; i++) slot[i] = size * (0.3 + fmod(0.7548776662 * (i + 1), 1));
  for (int i = 0; i < m->nparameter; i++) slot[first + i] = m->parameter[i].value;
  for (int i = 0; i < nlive; i++) {
    const double *number = RECORD(m->records->live, liveNumber, i)->number;
    slot[first + m->nparameter + i] = number ? *number : NAN;
  }
  for (int k = 0; k < f->nstep; k++) {
    const int p = formula_read(f, k) - FORMULA_PARAMETER;
    if (p >= 0) steps[k].index = first + p;
    take_own_curve(m, of, &steps[k]);
  }
  own.steps = steps;
  formula_set_branches(&own, slot, branch, stack);
  return formula_value(&own, slot, branch, stack);
}


// A number in a text does not follow the parameters it represents: then live formulas with the parameters of the image
// differ from the formulas that the image has.
static int has_formulas(imageWork *w, const artModel *image)
{
  static const double size[] = {1, -1, 0.01, 100, -1e4};
  baseArena *scratch = &w->b->scratch;
  int is_same = w->b->m->nquantity == image->nquantity;
  imageFormula own = formula_of(w->b->m, 0);
  for (int k = 0; own.name && is_same; own = formula_of(w->b->m, ++k)) {
    const formula *f = own.f, *there = formula_of(image, k).f;
    for (int i = 0; i < 5 && is_same && f && there; i++) {
      const double x = try_formula(image, w->b->m, f->live ? f->live : f, size[i], scratch);
      const double y = try_formula(image, image, there, size[i], scratch);
      is_same = !(fabs(x - y) > 1e-9 * (fabs(x) + fabs(y))) && isnan(x) == isnan(y);
    }
    if (!is_same) snprintf(w->words, sizeof w->words, "numbers in a string of '%.100s'", own.name);
    arena_free(scratch);
  }
  return is_same;
}

//---- parameters ----------------------------------------------------------------------------------

static int has_jumps(imageWork *w, const artModel *image)
{
  const modelDrive *drive = NULL;
  if (!w->scratch || gen_has_jumps(w->b, w->scratch, image, &drive)) return 1;
  snprintf(w->words, sizeof w->words, "drive '%.100s', whose jumps are known for this value alone",
           drive ? drive->name : "");
  return 0;
}


// An image with the latches engaged that this model has; where they hold is measured in texts that let them engage.
static artStatus engage_image(imageWork *w, const artModel *image, artModel **variant,
                              artError *error)
{
  const artModel *m = w->b->m;
  const int is_measured = w->d && w->b->options->latches && has_same_links(&m->tree, &image->tree);
  if (is_measured) {
    memcpy(w->d->q, w->q, (size_t) m->tree.nq * sizeof *w->q);
    tree_take_constants(&image->tree, &w->d->work->tree);
    data_place(image, w->d);
  }
  for (int i = 0; i < m->nlatch && is_measured; i++) {
    force_measure_latch(image, w->d, i, w->hold + LATCH_NUMBERS * i);
  }
  return model_create_variant(variant, image, m->engaged, is_measured ? w->hold : NULL, error);
}


static int has_start(imageWork *w, double now, double other, int is_followed, const char *name)
{
  if (is_followed || now == other) return 1;
  snprintf(w->words, sizeof w->words, "the start value of '%.100s'", name);
  return 0;
}


// Start values are as they were, but for those that "start" has.
static int has_starts(imageWork *w, const artModel *image)
{
  genBuild *b = w->b;
  const artModel *m = b->m;
  int is_same = 1;
  if (!b->options->starts) return 1;
  for (int i = 0; i < m->tree.nq && is_same; i++) {
    const int is_free = !m->is_given_q[i] || gen_follows_position(b, i);
    is_same = has_start(w, m->q_initial[i], image->q_initial[i], is_free, m->position[i].name);
  }
  for (int i = 0; i < m->tree.nv && is_same; i++) {
    const int is_free = !m->is_given_v[i] || gen_follows_velocity(b, i);
    is_same = has_start(w, m->v_initial[i], image->v_initial[i], is_free, m->velocity[i].name);
  }
  for (int i = 0; i < m->nrate && is_same; i++) {
    const int is_followed = gen_is_followed(b, &m->state[i].initial);
    is_same =
        has_start(w, m->state[i].initial, image->state[i].initial, is_followed, m->state[i].name);
  }
  for (int i = m->ninput; i < m->nheld && is_same; i++) {
    is_same = has_start(w, m->held[i].initial, image->held[i].initial, 0, m->held[i].name);
  }
  return is_same;
}


// the state in which text begins with the numbers of the image
static void put_start(const genBuild *b, const artModel *image, artData *d)
{
  const artModel *m = b->m;
  const int nv = m->tree.nv;
  d->time = b->d->time;
  memcpy(d->q, b->d->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(d->v, b->d->v, (size_t) nv * sizeof *d->v);
  for (int i = 0; i < m->tree.nq; i++) {
    if (m->is_given_q[i] && gen_follows_position(b, i)) d->q[i] = image->q_initial[i];
  }
  for (int j = 0; j < nv; j++) {
    const double change = image->v_initial[j] - m->v_initial[j];
    if (change == 0 || !gen_follows_velocity(b, j)) continue;
    for (int i = 0; i < nv && b->options->led; i++) {
      d->v[i] += b->options->led[(long) i * nv + j] * change;
    }
  }
}


// What rolls does not slip where text begins with other numbers.
static int has_rolling_start(imageWork *w, const artModel *image)
{
  const double rounding = 1e-9;
  if (!w->b->options->starts || image->nroll == 0) return 1;
  artData *d = art_create_data(image);
  if (!d) error_throw();
  put_start(w->b, image, d);
  art_update(image, d);
  const int is_closed =
      loop_partition(image, d, NULL) == ART_OK && loop_close(image, d, NULL) == ART_OK;
  const double slip = is_closed ? rolling_slip(image, d) : 0;
  const double most = rounding * (1 + max_magnitude(image->tree.nv, d->v));
  art_free_data(d);
  if (slip <= most) return 1;
  snprintf(w->words, sizeof w->words, "the start velocities of what rolls at '%.100s'",
           image->joint[image->cut[image->roll[0].cut].joint].name);
  return 0;
}


static imageKind try_image(imageWork *w)
{
  artModel *image = NULL;
  artError error = {0};
  pool_clear(w->pool);
  artStatus status = model_read_with(w->b->m, w->nmoved, w->moved, w->pool, &image, &error);
  if (status == ART_OK) status = engage_image(w, image, &w->variant, &error);
  if (status == ART_NO_MEMORY) error_throw();
  if (status != ART_OK) {
    snprintf(w->words, sizeof w->words, "%.199s", error.text);
    return IMAGE_REFUSED;
  }
  const int is_same = has_structure(w, w->variant) && has_formulas(w, w->variant) &&
                      has_jumps(w, w->variant) && has_starts(w, w->variant) &&
                      has_rolling_start(w, w->variant);
  const imageKind kind = is_same ? try_loops(w, w->variant) : IMAGE_OTHER;
  model_free_variant(w->variant);
  w->variant = NULL;
  return kind;
}


// Axes and places that are off by 1e-5 are taken as meant (model/compile/ends.h): what two parameters move together is off by more.
static const double OFF = 0.02;

// off by a part that differs from one to the next
static void move_parameter(imageWork *w, int p, double part)
{
  ART_ASSERT(p >= 0 && p < w->b->m->nparameter);
  const parameterRecord *own = &w->b->m->parameter[p];
  const double move = part * (1 + fmod(0.6180339887498949 * (p + 1), 1));
  w->moved[w->nmoved++] = (artSetting){own->name, own->value == 0 ? move : own->value * (1 + move)};
}


// One parameter besides those that have moved: it may be at the end of its range.
static void try_alone(imageWork *w, int p)
{
  static const double part[] = {OFF, -OFF, 0.05 * OFF};
  const int before = w->nmoved;
  imageKind kind = IMAGE_REFUSED;
  for (int i = 0; i < 3 && (kind == IMAGE_REFUSED || kind == IMAGE_OPEN); i++) {
    w->nmoved = before;
    move_parameter(w, p, part[i]);
    kind = try_image(w);
  }
  if (kind == IMAGE_SAME) return;
  w->nmoved = before;
  if (kind == IMAGE_OPEN) return;
  gen_freeze(w->b, p, arena_text(&w->b->program->arena, w->words));
}


static void try_parameter_list(imageWork *w, int n, const int *p)
{
  const int before = w->nmoved;
  if (n == 0) return;
  if (n == 1) {
    try_alone(w, p[0]);
    return;
  }
  for (int i = 0; i < n; i++) move_parameter(w, p[i], OFF);
  if (try_image(w) == IMAGE_SAME) return;
  w->nmoved = before;
  try_parameter_list(w, n / 2, p);
  try_parameter_list(w, n - n / 2, p + n / 2);
}


static void try_all_parameters(void *context)
{
  imageWork *w = context;
  genBuild *b = w->b;
  const artModel *m = b->m;
  const size_t room = (size_t) m->nparameter;
  int *candidate = gen_alloc(b, room, sizeof *candidate), n = 0;
  const int is_looked = b->options->jumps && m->ndrive > 0;
  w->moved = gen_alloc(b, room, sizeof *w->moved);
  w->hold = gen_alloc(b, LATCH_NUMBERS * (size_t) m->nlatch, sizeof *w->hold);
  w->pool = pool_create();
  w->scratch = is_looked ? art_create_data(m) : NULL;
  if (!w->pool || (is_looked && !w->scratch)) error_throw();
  open_loops(w);
  if (w->d) {
    // where rows are left out no trial nearby tells of the other branches of geometry
    const recordList *list = &b->m->records->live;
    for (int i = 0; i < list->count; i++) {
      const liveNumber *live = RECORD(*list, liveNumber, i);
      const int is_geometry = strcmp(live->section, "bodies") == 0
                                  ? !is_inertia(b->m->plan, live->number)
                                  : strcmp(live->section, "joints") == 0 ||
                                        strcmp(live->section, "ground") == 0 ||
                                        strcmp(live->section, "couplings") == 0;
      if (!is_geometry || !live->formula || !has_branches(b->m, live->formula)) continue;
      const char *what =
          arena_format(&b->program->arena, "loops by a formula with branches, %s, line %d",
                       live->section, live->place.line);
      gen_freeze_formula(b, live->formula, 0, what);
    }
  }
  for (int p = 0; p < m->nparameter; p++) {
    if (!m->parameter[p].formula && !b->definitions->frozen[p]) candidate[n++] = p;
  }
  try_parameter_list(w, n, candidate);
}


void gen_freeze_structure(genBuild *b)
{
  imageWork w = {.b = b};
  if (!b->m->source || b->options->is_present) return;
  const bool is_done = error_catch(try_all_parameters, &w);
  model_free_variant(w.variant);
  art_free_data(w.scratch);
  art_free_data(w.d);
  pool_free(w.pool);
  if (!is_done) error_throw();
}
