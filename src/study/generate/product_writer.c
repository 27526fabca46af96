// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stand-alone simulators: which choices of independent coordinates they need is found by a trial run.
//
// Code for a machine with loops has its independent coordinates and its pivots built in, and fails at dead
// centres of these. So the motion that the study asks for is run by the numeric method, and where it has changed its
// own choice and all choices made so far are strained, one more is made.
#include "study/generate/product_writer.h"

#include <math.h>
#include <string.h>

#include "articula/study.h"
#include "base/error.h"
#include "base/format.h"
#include "base/throw.h"
#include "emit/emit.h"
#include "emit/fmu/fmu_sources.h"
#include "eqn/list.h"
#include "force/force.h"
#include "gen/gen.h"
#include "load/code.h"
#include "loop/loop.h"
#include "study/assemble/loop_names.h"
#include "study/output_part.h"
#include "study/run/run.h"

enum {
  MAX_CHOICES = 6,
  MAX_LATCHES = 3,
  MAX_SETS = 1 << MAX_LATCHES,
  MAX_PROGRAMS = MAX_CHOICES + MAX_SETS,
  MAX_CORNERS = 1000,
  MAX_PIECES = 10000
};

// squares of couplings and inverse pivots this much larger than where a choice was made, on average
#define STRAINED 10.0

typedef struct simulatorChoice {
  eqnProgram *program;
  loadCall *host; // for the functions that it calls
  eqnList *strain;
  double *made, *now;  // [n] strain where it was made, and elsewhere
  const char **joints; // [n] of the loop that it belongs to; the first is of all
  int n;
  const char **loops; // [stages] joints of the loops that are closed one after the other
  int set;            // latches that are engaged, by bits
} simulatorChoice;

typedef struct simulatorJob {
  const artModel *m;
  artData *d; // at the beginning
  const artRunDef *study;
  FILE *out;
  const genOptions *options;
  simulatorForm *form;
  int n;
  simulatorChoice choice[MAX_PROGRAMS];
  artModel *variant[MAX_PROGRAMS]; // [nvariant] with other latches engaged
  int nvariant;
  int nfrozen;       // parameters that are numbers in some choice, and then in all
  eqnFrozen *frozen; // [nfrozen]
  int is_masked;     // one set of equations has all latches
  double *corner; // [ncorner (1 + ndrive)] instants at which prescribed rates jump, and by how much
  int ncorner;
  double known;          // until when these are known
  artData *trial, *here; // of the motion, and of the choice that is being made
  artRun *run;
  baseArena arena;
} simulatorJob;

//---- choices -------------------------------------------------------------------------------------

// the block of the partition that solves for a velocity coordinate; the program's blocks may be parts of it
static int block_of(const artModel *m, const loopBlocks *blocks, const char *coordinate)
{
  int k = 0;
  while (strcmp(m->velocity[k].name, coordinate) != 0) k++;
  return blocks->block_of[blocks->position[k]];
}


// the same of the loops that accelerations close, by the numbers of their blocks
static void name_loop_blocks(simulatorJob *job, const artModel *m, simulatorChoice *c,
                             const artData *d)
{
  const eqnFunction *f = eqn_function(c->program, EQN_ACCELERATE);
  char names[FORK_NAMES];
  ARENA_TAKE(&job->arena, c->loops, f->nstage + 1);
  for (int i = 0; i < f->nstage; i++) {
    const eqnStage *stage = &f->stage[i];
    if (stage->block == 0) continue;
    study_block_joints(m, d, block_of(m, d->work->loop->blocks, stage->coordinate), names);
    c->loops[stage->block - 1] = arena_text(&job->arena, names);
  }
}


static int follows_relays(simulatorKind kind)
{
  return kind == SIMULATOR_PROGRAM || kind == SIMULATOR_MACHINE || kind == SIMULATOR_CUDA;
}


// the options of the generator for one choice
static genOptions simulator_options(const simulatorJob *job)
{
  genOptions options = *job->options;
  const simulatorKind kind = job->form->kind;
  options.forms = GEN_ACCELERATE | GEN_POWER | GEN_OUTPUTS | GEN_ENERGY | GEN_STRAIN | GEN_SAMPLE;
  options.impacts = job->ncorner > 0;
  options.jumps = job->ncorner > 0 || !job->form->varies_drives;
  options.from = job->study->from;
  options.until = job->study->until;
  options.relays = follows_relays(kind);
  options.paces = follows_relays(kind);
  options.corners = kind == SIMULATOR_PROGRAM || kind == SIMULATOR_MACHINE || job->form->corners;
  options.frees = kind == SIMULATOR_MACHINE;
  options.latches = job->m->nlatch > 0;
  options.masks = job->is_masked;
  options.nalso = job->nfrozen;
  options.also = job->frozen;
  if (kind == SIMULATOR_SFUNCTION || kind == SIMULATOR_MACHINE) options.forms |= GEN_SWITCHES;
  if (kind == SIMULATOR_SFUNCTION) options.name = job->form->name;
  options.loads = (kind != SIMULATOR_PROGRAM && kind != SIMULATOR_MATLAB) || options.latches;
  if (kind == SIMULATOR_CUDA) options.forms |= job->options->forms & GEN_LINEAR;
  if (kind == SIMULATOR_MACHINE) {
    options.forms |= job->options->forms & (GEN_LINEAR | GEN_MACHINE_INVERSE);
    options.follows = job->form->unit != NULL;
    options.starts = job->form->unit != NULL && job->n == 0;
  }
  return options;
}


// the velocities of the model file, those that are not given following; `more` to the given velocity j
static int assemble_start(const simulatorJob *job, artData *d, int j, double more)
{
  art_reset(job->m, d);
  d->time = job->d->time;
  d->v[j] += more;
  art_update(job->m, d);
  return art_assemble(job->m, d, NULL, NULL) == ART_OK;
}


// Where something rolls: how velocities follow given ones at the start, of which they are linear functions. NULL: the
// machine does not start as the model file says.
static const double *find_led_velocities(simulatorJob *job)
{
  static const double rounded = 1e-9;
  const artModel *m = job->m;
  const int nv = m->tree.nv;
  double *led;
  ARENA_TAKE(&job->arena, led, (size_t) nv * (size_t) nv);
  artData *d = art_create_data(m);
  if (!d) error_throw();
  for (int j = 0; j < nv; j++) {
    if (!m->is_given_v[j] || !assemble_start(job, d, j, 1)) continue;
    for (int k = 0; k < nv; k++) {
      const double change = d->v[k] - job->d->v[k];
      led[(long) k * nv + j] = fabs(change) > rounded ? change : 0;
    }
  }
  int is_start = assemble_start(job, d, 0, 0);
  for (int k = 0; k < nv && is_start; k++) {
    is_start = fabs(d->v[k] - job->d->v[k]) <= rounded * (1 + fabs(d->v[k]));
  }
  art_free_data(d);
  return is_start ? led : NULL;
}


// Nobody has named actuators: the independent coordinates of the first choice act in all of them, so that forces have the names that
// the description of the machine gives them, whichever choice leads.
static void keep_actuators(const simulatorJob *job, genOptions *options)
{
  const eqnFunction *f =
      job->n > 0 ? eqn_function(job->choice[0].program, EQN_MACHINE_INVERSE) : NULL;
  if (!f || options->nactuator > 0) return;
  const eqnVector *force = &f->output[f->noutput - 1];
  options->nactuator = force->n - job->m->ndrive; // drives follow
  options->actuator = force->label;
}


// by bits
static int engaged_latch_set(const artModel *m)
{
  int set = 0;
  for (int i = 0; i < m->nlatch; i++) set |= m->engaged[i] ? 1 << i : 0;
  return set;
}


// held values with the numbers at which latches hold, which strain may depend on
static double *held_of(simulatorJob *job, const artModel *m, const artData *d)
{
  double *u;
  ARENA_TAKE(&job->arena, u, m->nheld + (LATCH_NUMBERS + 1) * m->nlatch + m->nmode + 1);
  if (m->nheld > 0) memcpy(u, d->u, (size_t) m->nheld * sizeof *u);
  for (int i = 0, k = m->nheld; i < m->nlatch; i++) {
    double x[LATCH_NUMBERS];
    const int n = gen_hold_count(m->latch[i].type);
    model_latch_numbers(m, i, x);
    if (n > 0) memcpy(u + k, x, (size_t) n * sizeof *x);
    k += n;
  }
  return u;
}


// of a choice where the machine is
static void find_strain(simulatorJob *job, const simulatorChoice *c, const artModel *m,
                        const artData *d, double *strain)
{
  double *const in[] = {d->q, held_of(job, m, d)};
  if (eqn_evaluate(c->strain, NULL, in, &strain, host_call, c->host) < 0) error_throw();
}


static void add_choice(simulatorJob *job, const artModel *m, artData *d)
{
  simulatorChoice *c = &job->choice[job->n];
  const eqnOptions standard = eqn_default_options();
  genOptions options = simulator_options(job);
  keep_actuators(job, &options);
  if (options.starts && m->nroll > 0) options.led = find_led_velocities(job);
  error_check(gen_create(&c->program, m, d, &options, error_current()));
  job->n++;
  c->set = engaged_latch_set(m);
  error_check(host_create(&c->host, m, c->program, error_current()));
  const eqnFunction *f = eqn_function(c->program, EQN_STRAIN);
  if (!f) return;
  c->n = f->output[0].n;
  c->strain = eqn_list_create(c->program, f, &standard);
  if (!c->strain) error_throw();
  ARENA_TAKE(&job->arena, c->made, c->n);
  ARENA_TAKE(&job->arena, c->now, c->n);
  // strain lists couplings, then pivots, which are labelled with coordinates of their blocks
  const eqnVector *strain = &f->output[0];
  char names[FORK_NAMES];
  ARENA_TAKE(&job->arena, c->joints, c->n);
  c->joints[0] = "";
  for (int i = 1; i < c->n; i++) {
    const int block = block_of(m, d->work->loop->blocks, strain->label[i]);
    study_block_joints(m, d, block, names);
    c->joints[i] = arena_text(&job->arena, names);
  }
  name_loop_blocks(job, m, c, d);
  find_strain(job, c, m, d, c->made);
  for (int i = 0; i < c->n; i++) {
    if (!(c->made[i] > 0)) c->made[i] = 1;
  }
}


static int count_choices(const simulatorJob *job, int set)
{
  int n = 0;
  for (int k = 0; k < job->n; k++) n += job->choice[k].set == set;
  return n;
}


// the model with these latches engaged where the machine is
static const artModel *variant_of(simulatorJob *job, int set, const artData *at)
{
  const size_t n = (size_t) job->m->nlatch;
  int *engaged;
  double *hold;
  if (n == 0) return job->m;
  ARENA_TAKE(&job->arena, engaged, n);
  ARENA_TAKE(&job->arena, hold, n * LATCH_NUMBERS);
  for (int i = 0; i < job->m->nlatch; i++) {
    engaged[i] = !job->is_masked && set >> i & 1;
    force_measure_latch(at->work->now, at, i, hold + LATCH_NUMBERS * i);
    if (at->work->now->engaged[i] && engaged[i]) {
      model_latch_numbers(at->work->now, i, hold + LATCH_NUMBERS * i);
    }
  }
  artModel **own = &job->variant[job->nvariant];
  error_check(model_create_variant(own, job->m, engaged, hold, error_current()));
  job->nvariant++;
  return *own;
}


static void add_at(simulatorJob *job, const artModel *m, artData *d, const artData *at)
{
  d->time = at->time;
  memcpy(d->q, at->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(d->v, at->v, (size_t) m->tree.nv * sizeof *d->v);
  art_update(m, d);
  if (m->nrow > 0) {
    struct loopWork *loop = d->work->loop;
    loop_forget(loop);
    loop->choice = LOOP_NUMERIC;
    const artStatus status = loop_partition(m, d, NULL);
    if (status == ART_NO_MEMORY) error_throw();
    if (status != ART_OK) return;
  }
  add_choice(job, m, d);
}


// one more choice, made where the machine is; none where loops are singular
static void choose_here(simulatorJob *job, int set, const artData *at)
{
  const artModel *m = variant_of(job, set, at);
  job->here = art_create_data(m);
  if (!job->here) error_throw();
  add_at(job, m, job->here, at);
  art_free_data(job->here);
  job->here = NULL;
}


// A step of the trial has ended. Where latches are engaged that have no choice yet, or the numeric method has changed
// its own choice and all of ours are strained, one more is made; dead centres are passed in few steps.
static void look_at_trial_step(void *listener, const artData *d)
{
  simulatorJob *job = listener;
  const artModel *m = d->work->now;
  const struct loopWork *loop = d->work->loop;
  const int set = engaged_latch_set(m), n = count_choices(job, set);
  if (job->nvariant == MAX_CHOICES || n == MAX_CHOICES) return;
  if (n > 0) {
    if (m->nrow == 0 || loop->repartitions == 0 || loop->hold.held > 0) return;
    // the least strain of all choices of a set, relative to the one at their making
    double least = HUGE_VAL;
    for (int k = 0; k < job->n; k++) {
      const simulatorChoice *c = &job->choice[k];
      double sum = 0;
      if (c->set != set) continue;
      find_strain(job, c, d->work->now, d, c->now);
      for (int i = 0; i < c->n; i++) sum += c->now[i] / c->made[i];
      least = fmin(least, sum / c->n);
    }
    if (least < STRAINED) return;
  }
  choose_here(job, set, d);
}


static artData *create_trial(simulatorJob *job)
{
  art_free_data(job->trial);
  job->trial = art_create_data(job->m);
  if (!job->trial) error_throw();
  return job->trial;
}


//---- jumps of prescribed rates -------------------------------------------------------------------

// sorted by time; jumps of several drives at one instant are one
static void add_drive_corner(void *context, const modelDrive *drive, double t, double jump)
{
  simulatorJob *job = context;
  const int width = 1 + job->m->ndrive, k = (int) (drive - job->m->drive);
  int i = job->ncorner;
  while (i > 0 && job->corner[(i - 1) * width] > t + 1e-13 * fabs(t)) i--;
  double *row = job->corner + (i - 1) * width;
  if (i == 0 || !(fabs(row[0] - t) <= 1e-13 * fabs(t))) {
    if (job->ncorner++ >= MAX_CORNERS) return;
    row = job->corner + i * width;
    memmove(row + width, row, (size_t) ((job->ncorner - 1 - i) * width) * sizeof *row);
    memset(row, 0, (size_t) width * sizeof *row);
    row[0] = t;
  }
  row[1 + k] = jump;
}


static void find_drive_corners(simulatorJob *job)
{
  const artRunDef *study = job->study;
  ARENA_TAKE(&job->arena, job->corner, (MAX_CORNERS + 1) * (1 + job->m->ndrive));
  error_check(force_look_at_drives(job->m, create_trial(job), study->from, study->until,
                                   add_drive_corner, job, error_current()));
  if (job->ncorner > MAX_CORNERS) {
    error_throw_at(
        ART_UNSUPPORTED, job->m->drive[0].place,
        "the rates of drives jump more than %d times until %g s, more than a simulator takes; "
        "choose a shorter time",
        MAX_CORNERS, study->until);
  }
  // after the study in pieces of its length, which are looked at as closely, until no branch changes any more
  const double length = job->study->until - job->study->from;
  // the last instant at which a branch of a drive changes, INFINITY: there may be ever more
  const artModel *m = job->m;
  double last = 0;
  for (int k = 0; k < m->ndrive; k++) {
    const formula *f = m->drive[k].formula;
    if (f) last = fmax(last, formula_last_change(f));
  }
  const int most = isfinite(last) ? MAX_PIECES : job->form->lengths;
  for (int k = 0; k < most && job->known <= last; k++) {
    // look through more time, unless it has too many jumps or one that is refused. Pieces overlap, so that no jump is lost
    // at their borders.
    const double until = job->known + length;
    const int before = job->ncorner;
    const double overlap = (until - job->known) / 1000;
    artError ignored = {0};
    if (force_look_at_drives(job->m, job->trial, job->known - overlap, until, add_drive_corner, job,
                             &ignored) != ART_OK ||
        job->ncorner > MAX_CORNERS) {
      job->ncorner = before;
      return;
    }
    job->known = until;
  }
  if (job->known > last) job->known = EMIT_ALWAYS;
}


static int has_switched_drives(const artModel *m)
{
  for (int k = 0; k < m->ndrive; k++) {
    if (m->drive[k].formula && m->drive[k].nmode > 0) return 1;
  }
  return 0;
}

//---- roads ---------------------------------------------------------------------------------------

// the road of the model that a function represents, -1: none; or its derivatives
static int road_of(const artModel *m, const eqnExternal *x, int *is_derivative)
{
  for (int i = 0; i < m->nroad; i++) {
    char name[40];
    format_text(name, sizeof name, GEN_ROAD_NAME, i);
    *is_derivative = strcmp(x->name + strnlen(x->name, strlen(name)), "_derivative") == 0;
    if (strncmp(x->name, name, strlen(name)) == 0 &&
        (*is_derivative || strcmp(x->name, name) == 0)) {
      return i;
    }
  }
  return -1;
}


static int is_c(const simulatorForm *form)
{
  return form->kind == SIMULATOR_MACHINE ||
         (form->kind != SIMULATOR_MATLAB && form->language == EMIT_C);
}


// texts in C have the roads that no equations represent
static void give_roads(simulatorJob *job)
{
  if (!is_c(job->form)) return;
  for (int k = 0; k < job->n; k++) {
    eqnProgram *p = job->choice[k].program;
    for (int i = 0; i < p->nexternal; i++) {
      int is_derivative;
      p->external[i].is_given = road_of(job->m, &p->external[i], &is_derivative) >= 0;
    }
  }
}


static void write_roads(simulatorJob *job)
{
  const int is_called = job->form->kind == SIMULATOR_MACHINE && job->form->language != EMIT_C;
  FILE *out = is_called ? job->form->header : job->out;
  const artModel *m = job->m;
  const eqnProgram *p = job->choice[0].program;
  int n = 0, is_derivative, *own, *number;
  const artRoad **road;
  ARENA_TAKE(&job->arena, road, m->nroad + 1);
  ARENA_TAKE(&job->arena, own, m->nroad + 1);
  ARENA_TAKE(&job->arena, number, m->nroad + 1);
  for (int i = 0; i < p->nexternal; i++) {
    const int k = p->external[i].is_given ? road_of(m, &p->external[i], &is_derivative) : -1;
    if (k < 0 || is_derivative) continue;
    own[n] = k;
    road[n++] = m->road[k];
  }
  if (n == 0) return;
  emit_road_functions(out, p->name);
  if (!gen_print_roads(out, p->name, n, road, number)) error_throw();
  for (int i = 0; i < n; i++) emit_road_call(out, own[i], number[i], 0);
  for (int i = 0; i < p->nexternal; i++) {
    const int k = p->external[i].is_given ? road_of(m, &p->external[i], &is_derivative) : -1;
    if (k >= 0 && is_derivative) emit_road_call(out, k, 0, 1);
  }
}

//---- the file ------------------------------------------------------------------------------------

static emitEntry simulator_entry(const char *name, const char *unit, double value)
{
  return (emitEntry){name, unit ? unit : "1", "", value, -HUGE_VAL, HUGE_VAL, NULL};
}


static int count_hold_numbers(const artModel *m)
{
  int n = 0;
  for (int i = 0; i < m->nlatch; i++) n += gen_hold_count(m->latch[i].type);
  return n;
}


static const eqnVector *input_of(const eqnFunction *f, const char *name)
{
  int k = 0;
  while (k < f->ninput && strcmp(f->input[k].name, name) != 0) k++;
  return k < f->ninput ? &f->input[k] : NULL;
}


// where locks hold, and which latches are engaged, at the beginning
static void list_latches(simulatorJob *job, emitEntry *held, emitSimulation *s)
{
  const artModel *m = job->m;
  emitLatch *latch;
  int *set;
  ARENA_TAKE(&job->arena, latch, m->nlatch + 1);
  ARENA_TAKE(&job->arena, set, job->n);
  const eqnFunction *relays = eqn_function(job->choice[0].program, EQN_RELAYS);
  emitEntry *side = held + count_hold_numbers(m) + (relays ? relays->output[0].n : 0) - m->nlatch;
  for (int i = 0; i < m->nlatch; i++) {
    double x[LATCH_NUMBERS];
    side[i].value = m->engaged[i];
    side[i].upper = LATCH_SPENT;
    side[i].lower = 0;
    latch[i] = (emitLatch){m->latch[i].type == ART_ROPE, gen_hold_count(m->latch[i].type)};
    force_measure_latch(m, job->d, i, x);
    if (m->engaged[i]) model_latch_numbers(m, i, x);
    for (int k = 0; k < latch[i].nhold; k++) held++->value = x[k];
  }
  for (int k = 0; k < job->n; k++) set[k] = job->choice[k].set;
  s->nlatch = m->nlatch;
  s->is_masked = job->is_masked;
  s->latch = latch;
  s->set = set;
}


static void list_vectors(simulatorJob *job, emitSimulation *s)
{
  const artModel *m = job->m;
  const artData *d = job->d;
  const size_t motions = job->options->motions ? (size_t) gen_motion_count(m) : 0;
  const eqnFunction *relays = eqn_function(job->choice[0].program, EQN_RELAYS);
  const int nrelay = relays ? relays->output[0].n : 0, nhold = count_hold_numbers(m);
  const size_t n[] = {(size_t) m->tree.nq, (size_t) m->tree.nv, (size_t) m->nstate,
                      (size_t) m->noutput + motions, (size_t) (m->nheld + nhold + nrelay)};
  emitEntry *list[5];
  for (int k = 0; k < 5; k++) ARENA_TAKE(&job->arena, list[k], n[k] + 1);
  for (int k = 0; k < m->tree.nq; k++) {
    list[0][k] = simulator_entry(art_position_name(m, k), art_position_unit(m, k), d->q[k]);
  }
  for (int k = 0; k < m->tree.nv; k++) {
    list[1][k] = simulator_entry(art_velocity_name(m, k), art_velocity_unit(m, k), d->v[k]);
  }
  for (int k = 0; k < m->nstate; k++) {
    list[2][k] = simulator_entry(art_state_name(m, k), art_state_unit(m, k), d->s[k]);
  }
  for (int k = 0; k < m->nheld; k++) {
    const modelHeld *held = &m->held[k];
    list[4][k] = simulator_entry(held->name, held->unit, d->u[k]);
    list[4][k].lower = held->least;
    list[4][k].upper = held->largest;
  }
  const eqnVector *held = input_of(eqn_function(job->choice[0].program, EQN_ACCELERATE), "u");
  for (int k = 0; k < nhold; k++) {
    list[4][m->nheld + k] = simulator_entry(held->label[m->nheld + k], "1", 0);
  }
  for (int k = 0; k < nrelay; k++) {
    const double side = job->choice[0].program->rest[k] >= 0 ? 0.5 : 0;
    list[4][m->nheld + nhold + k] = simulator_entry(relays->output[0].label[k], "1", side);
  }
  list_latches(job, list[4] + m->nheld, s);
  for (int k = 0; k < m->noutput; k++) {
    list[3][k] = simulator_entry(art_output_name(m, k), art_output_unit(m, k), 0);
    list[3][k].part = output_part(m, k, &job->arena);
  }
  for (int k = 0; k < (int) motions; k++) {
    list[3][m->noutput + k] = simulator_entry(gen_motion_name(m, k, &job->arena), "SI", 0);
  }
  for (int k = 0; k < m->nclock; k++) {
    if (!m->clock[k].table) continue;
    error_throw_at(ART_UNSUPPORTED, base_nowhere(),
                   "an input follows a table, which generated programs do not know");
  }
  int *partner, *spin;
  ARENA_TAKE(&job->arena, partner, n[0] + 1);
  ARENA_TAKE(&job->arena, spin, n[0] + 1);
  for (int k = 0; k < m->tree.nq; k++) {
    partner[k] = m->position[k].partner;
    spin[k] = -1;
  }
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const int straight = link->kind == LINK_FREE ? 3 : 0;
    const int is_ball = link->kind == LINK_FREE || link->kind == LINK_SPHERICAL;
    for (int k = 0; is_ball && k < 4; k++) spin[link->q0 + straight + k] = link->v0 + straight;
  }
  s->partner = partner;
  s->spin = spin;
  s->tangents = job->form->unit != NULL;
  s->nclock = m->nclock;
  s->ninput = m->ninput;
  s->positions = (emitEntries){m->tree.nq, list[0]};
  s->velocities = (emitEntries){m->tree.nv, list[1]};
  s->states = (emitEntries){m->nstate, list[2]};
  s->outputs = (emitEntries){(int) n[3], list[3]};
  s->nrelay = nrelay;
  s->rest = job->choice[0].program->rest;
  s->nside = job->choice[0].program->nside;
  s->inputs = (emitEntries){(int) n[4], list[4]};
}


static void write_simulator_machine(simulatorJob *job, const emitSimulation *s)
{
  artError *error = error_current();
  const emitOptions options = {.equations.readable = job->form->is_readable,
                               .header = job->form->header_name,
                               .names_loops = 1,
                               .about = job->form->about};
  if (job->form->language != EMIT_C) {
    error_check(emit_machine_language(job->out, job->form->header, s, job->form->language, &options,
                                      error));
    return;
  }
  error_check(emit_machine(job->out, s, &options, error));
  if (job->form->header) error_check(emit_machine_header(job->form->header, s, &options, error));
  if (job->form->unit) error_check(emit_unit(s, job->form->unit, &options, error));
}


static void write_simulator_file(simulatorJob *job)
{
  const artRunDef *study = job->study;
  FILE *out = job->out;
  artError *error = error_current();
  eqnProgram *program[MAX_PROGRAMS];
  const double *strain[MAX_PROGRAMS];
  const char *const *joints[MAX_PROGRAMS], *const *loops[MAX_PROGRAMS];
  for (int k = 0; k < job->n; k++) {
    program[k] = job->choice[k].program;
    strain[k] = job->choice[k].made;
    joints[k] = job->choice[k].joints;
    loops[k] = job->choice[k].loops;
  }
  const emitOptions options = {.equations.readable = job->form->is_readable,
                               .lanes = job->form->lanes,
                               .precision = job->form->precision,
                               .nown = job->form->nown,
                               .own = job->form->own};
  emitSimulation simulation = {.name = job->form->name,
                               .is_dopri5 = study->integrator != ART_RK4,
                               .from = study->from,
                               .until = study->until,
                               .step = study->step,
                               .interval = output_fixed_interval(study),
                               .tolerance = study->tolerance,
                               .q = job->d->q,
                               .v = job->d->v,
                               .state = job->d->s,
                               .ndrive = job->m->ndrive,
                               .ncorner = job->ncorner,
                               .corner = job->corner,
                               .is_switched = has_switched_drives(job->m),
                               .known_until = job->known,
                               .nprogram = job->n,
                               .program = program,
                               .strain = strain,
                               .joints = joints,
                               .loops = loops,
                               .counts_work = job->form->counts_work,
                               .tasks = job->form->tasks,
                               .prefers_subtrees = job->form->prefers_subtrees};
  list_vectors(job, &simulation);
  int *tasks = &job->form->tasks;
  switch (job->form->kind) {
  case SIMULATOR_MATLAB: error_check(emit_ode45(out, &simulation, &options, error)); break;
  case SIMULATOR_SFUNCTION: error_check(emit_sfunction(out, &simulation, &options, error)); break;
  case SIMULATOR_MACHINE: write_simulator_machine(job, &simulation); break;
  case SIMULATOR_CUDA: error_check(emit_cuda(out, &simulation, &options, tasks, error)); break;
  default: error_check(emit_simulator(out, &simulation, &options, tasks, error));
  }
}


// sets of latches have equations of their own
static void check_latches(simulatorJob *job)
{
  const artModel *m = job->m;
  const simulatorForm *form = job->form;
  int *order, *pivot;
  if (!follows_relays(form->kind) || (form->tasks > 1 && form->kind != SIMULATOR_CUDA)) {
    error_throw_at(ART_UNSUPPORTED, m->latch[0].place,
                   "%s '%s' engages and releases, which only simulators of one thread, interfaces, "
                   "units and kernels follow",
                   art_latch_type_name(m->latch[0].type), m->latch[0].name);
  }
  if (m->nlatch <= MAX_LATCHES) return;
  ARENA_TAKE(&job->arena, order, m->nlatch);
  ARENA_TAKE(&job->arena, pivot, m->nlatch);
  const int n = gen_order_locks(m, order, pivot);
  if (n < m->nlatch) {
    const modelLatch *latch = &m->latch[order[n]];
    error_throw_at(
        ART_UNSUPPORTED, latch->place,
        "%d locks, latches and ropes have %g sets of equations, and a source has equations for %d; "
        "more "
        "are followed where all are locks of a machine without loops, of coordinates that no drive "
        "moves and that are not held by several, which %s '%s' is not; use 'articula run'",
        m->nlatch, ldexp(1, m->nlatch), MAX_LATCHES, art_latch_type_name(latch->type), latch->name);
  }
  job->is_masked = 1;
}


// a simulator closes its loops and does not measure how far they were open; steps of others are not known
static void check_machine(simulatorJob *job)
{
  const artModel *m = job->m;
  const simulatorKind kind = job->form->kind;
  if (m->nlatch > 0) check_latches(job);
  if (m->nsampler > 0 && (kind == SIMULATOR_MATLAB || kind == SIMULATOR_SFUNCTION)) {
    error_throw_at(
        ART_UNSUPPORTED, m->held[m->ninput].place,
        "'%s' is sampled at instants of its own, which the integrators of MATLAB do not stop "
        "at; use --product simulator in C, or --product machine",
        m->held[m->ninput].name);
  }
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind == QUANTITY_CONSTRAINT) {
      error_throw_at(ART_UNSUPPORTED, base_nowhere(),
                     "the outputs show the violation of constraints, which a simulator does not "
                     "measure; leave them out, or use 'articula run'");
    }
    if (m->quantity[i].kind == QUANTITY_STEP && kind != SIMULATOR_PROGRAM) {
      error_throw_at(
          ART_UNSUPPORTED, base_nowhere(),
          "the outputs show the steps of the integrator, which is another one here; leave "
          "'step' out of the outputs");
    }
  }
}


// The first is made without any latch, where most coordinates are free: what acts on these acts with latches, too.
static void make_choices(simulatorJob *job)
{
  if (job->is_masked || engaged_latch_set(job->m) != 0) choose_here(job, 0, job->d);
  if (job->n == 0) add_choice(job, job->m, job->d);
  if (job->m->nrow + job->m->nlatch > 0 && !job->is_masked) {
    artData *d = create_trial(job);
    artRunDef trial = *job->study;
    trial.method = ART_AUTOMATIC;
    trial.backend = ART_BACKEND_NUMERIC;
    memcpy(d->q, job->d->q, (size_t) job->m->tree.nq * sizeof *d->q);
    memcpy(d->v, job->d->v, (size_t) job->m->tree.nv * sizeof *d->v);
    d->time = trial.from;
    art_update(job->m, d);
    // follow the motion, which shows choices. A run that ends early has shown what it could, unless there is no memory for it.
    artStatus status = art_create_run(&job->run, job->m, job->trial, &trial, NULL);
    if (status == ART_OK) {
      job->run->step_ended = look_at_trial_step;
      job->run->listener = job;
      status = art_run_to(job->run, trial.until, NULL);
    }
    if (status == ART_NO_MEMORY) error_throw();
    art_free_run(job->run);
    job->run = NULL;

    // the motion may come to other sets, by inputs and parameters
    for (int set = 0; set < 1 << job->m->nlatch; set++) {
      if (count_choices(job, set) == 0) choose_here(job, set, job->d);
    }
  }
}


static void drop_choices(simulatorJob *job, int first)
{
  ART_ASSERT(first >= 0 && first <= job->n);
  for (int k = 0; k < job->n; k++) {
    eqn_list_free(job->choice[k].strain);
    host_free(job->choice[k].host);
    if (k >= first) gen_free(job->choice[k].program);
    job->choice[k] = (simulatorChoice){0};
  }
  for (int i = 0; i < job->nvariant; i++) model_free_variant(job->variant[i]);
  job->n = job->nvariant = 0;
}


static int has_user(const eqnProgram *p, const char *name)
{
  int i = 0;
  while (i < p->nuser && strcmp(p->user[i].name, name) != 0) i++;
  return i < p->nuser;
}


// Another value of a parameter counts in all choices or in none. Notes those that are numbers in some choice; returns
// whether they are in others alive.
static int note_frozen(simulatorJob *job)
{
  int is_apart = 0;
  job->nfrozen = 0;
  ARENA_TAKE(&job->arena, job->frozen, job->m->nparameter + 1);
  for (int k = 0; k < job->n; k++) {
    const eqnProgram *p = job->choice[k].program;
    for (int i = 0; i < p->nfrozen; i++) {
      int at = 0;
      while (at < job->nfrozen && strcmp(job->frozen[at].name, p->frozen[i].name) != 0) at++;
      if (at < job->nfrozen) continue;
      const char *what = arena_text(&job->arena, p->frozen[i].what);
      job->frozen[job->nfrozen++] = (eqnFrozen){p->frozen[i].name, what};
      for (int j = 0; j < job->n; j++)
        is_apart |= has_user(job->choice[j].program, job->frozen[at].name);
    }
  }
  return is_apart;
}


static void write_simulator(void *context)
{
  simulatorJob *job = context;
  check_machine(job);
  if (job->m->ndrive > 0) find_drive_corners(job);
  // a rope that the impact of a drive would push is slack after it
  const artModel *m = job->m;
  for (int i = 0; i < m->nlatch && job->ncorner > 0; i++) {
    if (m->latch[i].type != ART_ROPE) continue;
    error_throw_at(
        ART_UNSUPPORTED, m->latch[i].place,
        "rope '%s' may become slack where rates of drives jump, which generated source does not "
        "follow; use 'articula run'",
        m->latch[i].name);
  }
  make_choices(job);
  while (note_frozen(job)) {
    drop_choices(job, 0);
    make_choices(job);
  }
  for (int k = 1; k < job->n && job->m->nlatch > 0; k++) {
    error_check(
        gen_add_parameters(job->choice[0].program, job->choice[k].program, error_current()));
  }
  // what no choice reads; their conditioning has been judged before
  eqnProgram **program = arena_alloc(&job->arena, (size_t) job->n, sizeof *program);
  for (int k = 0; k < job->n; k++) {
    program[k] = job->choice[k].program;
    eqn_list_free(job->choice[k].strain);
    job->choice[k].strain = NULL;
  }
  if (!gen_drop_unread(job->n, program)) error_throw();
  give_roads(job);
  write_simulator_file(job);
  if (is_c(job->form)) write_roads(job);
}


artStatus study_write_simulator(const artModel *m, artData *d, const artRunDef *study,
                                const genOptions *options, simulatorForm *form, FILE *out,
                                artError *error)
{
  simulatorJob job = {.m = m,
                      .d = d,
                      .study = study,
                      .out = out,
                      .options = options,
                      .form = form,
                      .known = m->ndrive > 0 ? study->until : EMIT_ALWAYS,
                      .arena.leaves = 1};
  const artStatus status = error_try(write_simulator, &job, error);
  const int is_kept = form->program && status == ART_OK;
  if (is_kept) *form->program = job.choice[0].program;
  art_free_data(job.here); // may belong to a variant
  drop_choices(&job, is_kept);
  art_free_run(job.run);
  art_free_data(job.trial);
  arena_free(&job.arena);
  return status;
}
