// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations by generated equations, compiled and loaded.
//
// Code for a machine with loops contains the partition of its coordinates and the order of its
// pivots. It is valid as long as that partition is in use and its pivots are sound; another
// partition gets code of its own, up to MAX_CODES. If no code applies, the numeric method does the
// evaluation.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "articula/generate.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "force/force.h"
#include "gen/gen.h"
#include "load/code.h"
#include "loop/loop.h"
#include "method/method.h"
#include "par/wait.h"

enum { MAX_CODES = 8, ACCELERATE = 0 }; // index of the first function of the code

// required agreement of compiled code with the numeric method when the code is adopted
#define GENERATED_AGREEMENT 1e-9

// when frozen pivots fall to this fraction, three digits are lost: use the numeric method
#define WEAK_PIVOT 1e-3

typedef struct generatedCode {
  artGenerated *code; // NULL: refused
  int nd, block_count;
  int *block_start, *row, *column; // the partition for which it was made
  int nstrain;                     // length of the conditioning output: couplings and pivots
  double *start;                   // this output where the code was made
  // the state there, as numbers; the code contains the pivots of this state
  double *made;
} generatedCode;

// the last state at which code closed the loops, and its results
typedef struct generatedKept {
  int is_known;
  double time, power;
  double *q, *v, *s, *u, *mode; // [nq], [nv], [nstate], [nheld], [nmode]
  double *a, *s_rate;           // [nv], [nstate]
} generatedKept;

struct methodGenerated {
  int n;
  generatedCode list[MAX_CODES];
  generatedCode *now; // for the partition in use; NULL: none
  long serial;        // serial number of that partition
  int is_weak;        // frozen pivots are weak, or a singular position is near
  double *q, *v, *a;  // [nq], [nv], [nv]
  double *mode;       // [nmode] as floating-point numbers
  double *s_rate;     // [nstate]
  double *strain;     // [2 nv + 1] conditioning output of the last evaluation by code
  uint64_t bands;     // hash of this output when pivots were last checked
  generatedKept kept;
  backendCounts counts;
  workersReport report; // threads that share evaluations
  baseArena arena;
};

//---- creation and release ------------------------------------------------------------------------

static void free_generated(void *part)
{
  struct methodGenerated *g = part;
  for (int i = 0; i < g->n; i++) art_free_generated(g->list[i].code);
  arena_free(&g->arena);
  mem_free(g);
}


static artStatus generated_start(const artModel *m, artData *d, artError *error)
{
  struct methodGenerated *g = mem_alloc(1, sizeof *g);
  if (!g) return base_no_memory(error);
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv, ns = (size_t) m->nstate;
  const size_t nmode = (size_t) m->nmode;
  baseArena *arena = &g->arena;
  generatedKept *kept = &g->kept;
  const int taken = ARENA_TAKE(arena, g->q, nq) && ARENA_TAKE(arena, g->v, nv) &&
                    ARENA_TAKE(arena, g->a, nv) && ARENA_TAKE(arena, g->s_rate, ns) &&
                    ARENA_TAKE(arena, g->mode, nmode) && ARENA_TAKE(arena, g->strain, 2 * nv + 1) &&
                    ARENA_TAKE(arena, kept->q, nq) && ARENA_TAKE(arena, kept->v, nv) &&
                    ARENA_TAKE(arena, kept->s, ns) && ARENA_TAKE(arena, kept->u, m->nheld) &&
                    ARENA_TAKE(arena, kept->mode, nmode) && ARENA_TAKE(arena, kept->a, nv) &&
                    ARENA_TAKE(arena, kept->s_rate, ns);
  if (!taken) {
    free_generated(g);
    return base_no_memory(error);
  }
  d->work->method->part[MODEL_GENERATED] = g;
  return ART_OK;
}


static struct methodGenerated *generated_of(const artData *d)
{
  return method_part(d, MODEL_GENERATED);
}


static backendCounts counts_of(const artData *d)
{
  const struct methodGenerated *g = generated_of(d);
  return g ? g->counts : (backendCounts){0};
}

//---- code of a partition -------------------------------------------------------------------------

static int is_for(const generatedCode *code, const loopPartition *p)
{
  const size_t nd = (size_t) p->nd * sizeof(int);
  if (code->nd != p->nd || code->block_count != p->block_count) return 0;
  return memcmp(code->block_start, p->block_start, (size_t) (p->block_count + 1) * sizeof(int)) ==
             0 &&
         memcmp(code->row, p->block_row, nd) == 0 && memcmp(code->column, p->block_column, nd) == 0;
}


static int remember_partition(struct methodGenerated *g, generatedCode *code,
                              const loopPartition *p)
{
  baseArena *a = &g->arena;
  code->nd = p->nd;
  code->block_count = p->block_count;
  code->block_start = arena_copy(a, p->block_start, (size_t) p->block_count + 1, sizeof(int));
  code->row = arena_copy(a, p->block_row, (size_t) p->nd, sizeof(int));
  code->column = arena_copy(a, p->block_column, (size_t) p->nd, sizeof(int));
  return code->block_start && code->row && code->column;
}


// accelerations and power by code at g->q and g->v, which are projected onto the constraints
static artStatus call_generated_code(struct methodGenerated *g, const artModel *m, artData *d,
                                     artGenerated *code, double *a, double *power, artError *error)
{
  double *in[6] = {&d->time, g->q, g->v}, *out[4] = {a};
  int nin = 3, nout = 1;
  if (m->nstate > 0) {
    in[nin++] = d->s;
    out[nout++] = g->s_rate;
  }
  if (m->nheld > 0) in[nin++] = d->u;
  in[nin] = g->mode;
  out[nout++] = power;
  out[nout] = g->strain;
  for (int i = 0; i < m->nmode; i++) g->mode[i] = d->work->mode[i];
  if (g->report.used > 1 && load_has_team(code)) {
    const int failed = load_call_team(code, in, out);
    if (failed < 2) return failed ? ART_NO_CONVERGENCE : ART_OK;
    g->report.is_lost = 1;
    g->report.used = 1;
  }
  return load_call(code, ACCELERATE, in, out, error);
}


// accelerations by code at the state of the data, which is not modified
static artStatus evaluate_code(struct methodGenerated *g, const artModel *m, artData *d,
                               artGenerated *code, double *power, artError *error)
{
  memcpy(g->q, d->q, (size_t) m->tree.nq * sizeof *g->q);
  memcpy(g->v, d->v, (size_t) m->tree.nv * sizeof *g->v);
  return call_generated_code(g, m, d, code, g->a, power, error);
}


// report that code is not used because its result differs from the library's
static artStatus refuse_generated_code(const artData *d, const char *kind, double given,
                                       const char *of, double expected, artError *error)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "the generated equations give %s of %.12g%s at t = %.9g s where the numeric "
                   "method gives %.12g; they are not used: choose another method",
                   kind, given, of, d->time, expected);
}


// compare code with accelerations and power of the numeric method in the data
static artStatus check_code(struct methodGenerated *g, const artModel *m, artData *d,
                            artGenerated *code, artError *error)
{
  char of[MODEL_ROW_LENGTH];
  double power;
  const artStatus status = evaluate_code(g, m, d, code, &power, error);
  if (status != ART_OK) return status;
  const double scale = max_nan(1, max_magnitude(m->tree.nv, d->a)), expected = d->work->power;
  for (int k = 0; k < m->tree.nv; k++) {
    if (fabs(g->a[k] - d->a[k]) <= GENERATED_AGREEMENT * scale) continue;
    snprintf(of, sizeof of, " for '%s'", m->velocity[k].name);
    return refuse_generated_code(d, "an acceleration", g->a[k], of, d->a[k], error);
  }
  // a rate may be a difference of large numbers: its scale is the largest state, acceleration or
  // rate
  const double rates = max_nan(max_magnitude(m->nstate, d->s_rate), max_magnitude(m->nstate, d->s));
  const double most = GENERATED_AGREEMENT * max_nan(scale, rates);
  for (int k = 0; k < m->nstate; k++) {
    if (fabs(g->s_rate[k] - d->s_rate[k]) <= most) continue;
    snprintf(of, sizeof of, " of '%s'", m->state[k].name);
    return refuse_generated_code(d, "a rate", g->s_rate[k], of, d->s_rate[k], error);
  }
  if (fabs(power - expected) <= GENERATED_AGREEMENT * fmax(scale, fabs(expected))) return ART_OK;
  return refuse_generated_code(d, "a power", power, " W", expected, error);
}


// Modes are set by the stepper. Tasks cannot share blocks that are solved iteratively. *is_refused:
// this machine has no equations at all; any other failure (compiler, disk) may be temporary.
static artStatus load_machine_code(artGenerated **out, const artModel *m, artData *d,
                                   int *is_refused, artError *error)
{
  const int threads = d->work->method->generated_threads;
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER,
                              .is_present = 1,
                              .fixed_bodies = 1,
                              .modes = m->nmode > 0,
                              .strain = 1,
                              .together = threads == 0};
  eqnProgram *program = NULL;
  artStatus status = gen_create(&program, m, d, &options, error);
  *is_refused = status != ART_OK && status != ART_NO_MEMORY;
  const splitChoice split = split_default_choice(threads);
  if (status == ART_OK) {
    status = load_program(out, m, program, 1, threads > 0 ? &split : NULL, error);
  }
  gen_free(program);
  return status;
}


// store the last output, the conditioning output
static int remember_strain(struct methodGenerated *g, generatedCode *code, const artGenerated *made)
{
  const int last = art_generated_function(made, ACCELERATE).noutput - 1;
  code->nstrain = art_generated_output(made, ACCELERATE, last).n;
  code->start = arena_copy(&g->arena, g->strain, (size_t) code->nstrain, sizeof *code->start);
  return code->start != NULL;
}


static size_t loops_at(const artModel *m)
{
  return 1 + (size_t) (m->tree.nq + m->tree.nv + m->nstate + m->nheld + m->nmode);
}


// equal for all variants of a model
static size_t state_numbers(const artModel *m)
{
  return loops_at(m) + (m->nrow > 0 || m->nlatch > 0 ? state_count(m) : 0);
}


// position in an array of numbers that are read from or written to a data block
typedef struct numberCursor {
  double *next;
  int is_loading;
} numberCursor;


static void pass_cursor_numbers(numberCursor *c, int n, double *x)
{
  ART_ASSERT(n >= 0);
  if (n > 0 && c->is_loading) memcpy(x, c->next, (size_t) n * sizeof *x);
  if (n > 0 && !c->is_loading) memcpy(c->next, x, (size_t) n * sizeof *x);
  c->next += n;
}


static void pass_data(numberCursor *c, const artModel *m, artData *d)
{
  pass_cursor_numbers(c, 1, &d->time);
  pass_cursor_numbers(c, m->tree.nq, d->q);
  pass_cursor_numbers(c, m->tree.nv, d->v);
  pass_cursor_numbers(c, m->nstate, d->s);
  pass_cursor_numbers(c, m->nheld, d->u);
}


// the data, its modes, and the persistent state of loops
static void write_state(const artModel *m, artData *d, double *to)
{
  numberCursor c = {to, 0};
  pass_data(&c, m, d);
  for (int i = 0; i < m->nmode; i++) *c.next++ = d->work->mode[i];
  if (m->nrow > 0) state_save(m, d, c.next);
}


// loops first, because they modify q
static artStatus read_code_state(const artModel *m, artData *d, const double *from, artError *error)
{
  const artStatus status = m->nrow > 0 ? state_load(m, d, from + loops_at(m), error) : ART_OK;
  numberCursor c = {(double *) from, 1};
  pass_data(&c, m, d);
  for (int i = 0; i < m->nmode; i++) d->work->mode[i] = (int) *c.next++;
  art_update(m, d);
  return status;
}


// median time in seconds of an evaluation at the state of the data, with this many threads
static double time_of(struct methodGenerated *g, const artModel *m, artData *d, artGenerated *code,
                      int used)
{
  ART_ASSERT(used >= 1);
  enum { TIMED_EVALUATIONS = 31 };
  double time[TIMED_EVALUATIONS], power;
  g->report.used = used;
  for (int i = 0; i < TIMED_EVALUATIONS; i++) {
    const double begin = base_now();
    if (evaluate_code(g, m, d, code, &power, NULL) != ART_OK || g->report.is_lost) return HUGE_VAL;
    time[i] = base_now() - begin;
  }
  return par_median(time, TIMED_EVALUATIONS);
}


// Are threads faster? At least by 5 %, because timing is inaccurate.
static void decide_code_threads(struct methodGenerated *g, const artModel *m, artData *d,
                                artGenerated *code)
{
  workersReport *r = &g->report;
  r->asked = r->branches = d->work->method->generated_threads;
  r->used = 1;
  if (r->asked < 2 || !load_has_team(code)) return;
  r->alone = time_of(g, m, d, code, 1);
  r->shared = time_of(g, m, d, code, r->asked);
  r->messages = load_team_messages(code);
  r->message = load_time_message(code);
  r->used = r->shared < 0.95 * r->alone && !r->is_lost ? r->asked : 1;
  if (r->used == 1) load_drop_team(code);
}


artStatus method_generated_use_threads(artData *d, int threads, artError *error)
{
  ART_ASSERT(threads >= 0);
  struct methodWork *own = method_work(d);
  if (!own) return base_no_memory(error);
  own->generated_threads = threads;
  return ART_OK;
}


static artStatus hand_over_code_threads(const artWorkspace *from, artData *to, artError *error)
{
  const int threads = from->method ? from->method->generated_threads : 0;
  return threads > 0 ? method_generated_use_threads(to, threads, error) : ART_OK;
}


workersReport method_generated_report(const artData *d)
{
  const struct methodGenerated *g = generated_of(d);
  return g && g->report.asked > 0 ? g->report : (workersReport){.asked = 1, .used = 1};
}


static artStatus make_generated_code(struct methodGenerated *g, const artModel *m, artData *d,
                                     int *is_refused, artError *error)
{
  ART_ASSERT(g->n < MAX_CODES);
  generatedCode *code = &g->list[g->n];
  *code = (generatedCode){0};
  *is_refused = 0;
  code->made = arena_alloc(&g->arena, state_numbers(m), sizeof *code->made);
  if (!code->made) return base_no_memory(error);
  write_state(m, d, code->made);
  if (m->nrow > 0) {
    if (!remember_partition(g, code, &d->work->loop->partition)) return base_no_memory(error);
  }
  artGenerated *made = NULL;
  artStatus status = load_machine_code(&made, m, d, is_refused, error);
  if (status == ART_OK) {
    status = check_code(g, m, d, made, error);
    *is_refused = status != ART_OK;
  }
  if (status == ART_OK && m->nrow > 0 && !remember_strain(g, code, made)) {
    status = base_no_memory(error);
  }
  if (status == ART_OK) {
    decide_code_threads(g, m, d, made);
    code->code = made;
    g->counts.codes++;
  } else {
    art_free_generated(made);
  }
  return status;
}


// Compile code for the partition in use, after an evaluation by the numeric method; g->now is NULL
// if there is none. Refusals are listed too, so that they are not tried again.
static artStatus adopt_generated_code(struct methodGenerated *g, const artModel *m, artData *d,
                                      int *is_refused, artError *error)
{
  const struct loopWork *loop = d->work->loop;
  artStatus status = ART_OK;
  g->serial = loop ? loop->serial : 0;
  g->now = NULL;
  g->is_weak = 0;
  g->kept.is_known = 0;
  *is_refused = 0;
  for (int i = 0; i < g->n && !g->now; i++) {
    if (!loop || is_for(&g->list[i], &loop->partition)) g->now = &g->list[i];
  }
  if (!g->now && g->n < MAX_CODES) {
    status = make_generated_code(g, m, d, is_refused, error);
    if (status == ART_OK || *is_refused) g->now = &g->list[g->n++];
  }
  if (g->now && !g->now->code) g->now = NULL;
  return status;
}

//---- evaluations ---------------------------------------------------------------------------------

static int is_applicable(const struct methodGenerated *g, const artData *d)
{
  const struct loopWork *loop = d->work->loop;
  return g->now && !g->is_weak && (!loop || (loop->is_ready && loop->serial == g->serial));
}


// code is neither made nor adopted at a singular position
static int is_passing(const artData *d)
{
  return d->work->loop && d->work->loop->hold.held > 0;
}


static artStatus accelerate_numerically(const artModel *m, artData *d, artError *error)
{
  art_update(m, d);
  return art_accelerate(m, d, ART_AUTOMATIC, error);
}


// are the frozen pivots of a block weaker than WEAK_PIVOT relative to where the code was made?
static int is_lame(const struct methodGenerated *g)
{
  const generatedCode *code = g->now;
  for (int i = (code->nstrain + 1) / 2; i < code->nstrain; i++) {
    if (!(g->strain[i] * WEAK_PIVOT * WEAK_PIVOT < code->start[i])) return 1;
  }
  return 0;
}


static void watch_generated_code(const artModel *m, artData *d)
{
  struct methodGenerated *g = generated_of(d);
  const struct loopWork *loop = d->work->loop;
  double power;
  if (!loop || !g || !g->now || loop->serial != g->serial) return;
  g->is_weak = loop->hold.held > 0 || !loop_is_sound(loop) ||
               evaluate_code(g, m, d, g->now->code, &power, NULL) != ART_OK || is_lame(g);
}


// The numeric method computes all results; then the accelerations of the compiled code replace its
// own. Code is made at the first call and kept with the data; its result at that state is checked
// against the numeric method. ART_UNSUPPORTED when code cannot be made or fails the check.
static artStatus accelerate_by_code(const artModel *m, artData *d, artError *error)
{
  artWorkspace *w = d->work;
  double power;
  int is_refused;
  artStatus status = art_accelerate(m, d, ART_AUTOMATIC, error);
  if (status != ART_OK) return status;
  status = method_start(m, d, MODEL_GENERATED, error);
  if (status != ART_OK) return status;
  struct methodGenerated *g = generated_of(d);
  if (!is_passing(d) && (!g->now || (w->loop && w->loop->serial != g->serial))) {
    status = adopt_generated_code(g, m, d, &is_refused, error);
    if (status != ART_OK) return status;
  }
  watch_generated_code(m, d);
  g->kept.is_known = 0;
  if (!is_applicable(g, d) || evaluate_code(g, m, d, g->now->code, &power, NULL) != ART_OK)
    return ART_OK;
  memcpy(d->a, g->a, (size_t) m->tree.nv * sizeof *d->a);
  data_note_motion(m, d); // the links have the numeric accelerations, which agree to rounding error
  return ART_OK;
}


// restore everything that code may have modified in the data, then use the numeric method
static artStatus fall_back(struct methodGenerated *g, const artModel *m, artData *d,
                           artError *error)
{
  int is_refused = 0;
  g->counts.numeric++;
  artStatus status = accelerate_numerically(m, d, error);
  if (status != ART_OK) return status;
  if (d->work->loop && d->work->loop->serial != g->serial && !is_passing(d)) {
    status = adopt_generated_code(g, m, d, &is_refused, error);
  }
  return is_refused ? ART_OK : status;
}


static int are_finite(int n, const double *x)
{
  int finite = 1;
  for (int k = 0; k < n; k++) finite = finite && isfinite(x[k]);
  return finite;
}


// call code at the state of the data, which is projected onto the constraints; on failure nothing
// is modified
static artStatus call_at_state(struct methodGenerated *g, const artModel *m, artData *d)
{
  const size_t nq = (size_t) m->tree.nq * sizeof *d->q, nv = (size_t) m->tree.nv * sizeof *d->v;
  memcpy(g->q, d->q, nq);
  memcpy(g->v, d->v, nv);
  const artStatus status = call_generated_code(g, m, d, g->now->code, d->a, &d->work->power, NULL);
  // code cannot report the name of a result that is not finite; the numeric method can
  if (status != ART_OK || !are_finite(m->tree.nv, d->a)) return ART_NO_CONVERGENCE;
  memcpy(d->q, g->q, nq);
  memcpy(d->v, g->v, nv);
  base_copy(d->s_rate, g->s_rate, (size_t) m->nstate);
  return ART_OK;
}


static int are_numbers_equal(int n, const double *x, const double *y)
{
  return n == 0 || memcmp(x, y, (size_t) n * sizeof *x) == 0;
}


// use the stored result if it belongs to the state of the data
static int recall_kept_answer(const struct methodGenerated *g, const artModel *m, artData *d)
{
  const generatedKept *kept = &g->kept;
  if (!kept->is_known || kept->time != d->time || !are_numbers_equal(m->tree.nq, kept->q, d->q) ||
      !are_numbers_equal(m->tree.nv, kept->v, d->v) ||
      !are_numbers_equal(m->nstate, kept->s, d->s) || !are_numbers_equal(m->nheld, kept->u, d->u)) {
    return 0;
  }
  for (int i = 0; i < m->nmode; i++) {
    if (kept->mode[i] != d->work->mode[i]) return 0;
  }
  d->work->power = kept->power;
  base_copy(d->a, kept->a, (size_t) m->tree.nv);
  base_copy(d->s_rate, kept->s_rate, (size_t) m->nstate);
  return 1;
}


static artStatus generated_rates(const artModel *m, artData *d, artError *error)
{
  struct methodGenerated *g = generated_of(d);
  if (!is_applicable(g, d)) return fall_back(g, m, d, error);
  if (!recall_kept_answer(g, m, d) && call_at_state(g, m, d) != ART_OK)
    return fall_back(g, m, d, error);
  g->counts.generated++;
  return ART_OK;
}


static int close_loops_by_code(const artModel *m, artData *d)
{
  struct methodGenerated *g = generated_of(d);
  if (!is_applicable(g, d) || call_at_state(g, m, d) != ART_OK) return 0;
  generatedKept *kept = &g->kept;
  kept->is_known = 1;
  kept->time = d->time;
  kept->power = d->work->power;
  base_copy(kept->q, d->q, (size_t) m->tree.nq);
  base_copy(kept->v, d->v, (size_t) m->tree.nv);
  base_copy(kept->a, d->a, (size_t) m->tree.nv);
  base_copy(kept->s, d->s, (size_t) m->nstate);
  base_copy(kept->u, d->u, (size_t) m->nheld);
  base_copy(kept->s_rate, d->s_rate, (size_t) m->nstate);
  base_copy(kept->mode, g->mode, (size_t) m->nmode);
  return 1;
}


// Quantise couplings and determinants, with signs, to quarters of an octave. The hash changes at
// the latest when one of them has changed by a quarter of an octave. The boundaries are shifted
// from 1, where determinants often stay.
static uint64_t bands_of(const struct methodGenerated *g)
{
  ART_ASSERT(g->now);
  uint64_t hash = BASE_HASH_EMPTY;
  for (int i = 0; i < (g->now->nstrain + 1) / 2; i++) {
    const double shifted = 1.09 * g->strain[i];
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    const uint16_t band = (uint16_t) (bits >> 50);
    hash = base_hash(hash, &band, sizeof band);
  }
  return hash;
}


static int is_strained(artData *d)
{
  struct methodGenerated *g = generated_of(d);
  const uint64_t before = g->bands;
  g->bands = bands_of(g);
  return g->bands != before || is_lame(g);
}


//---- saving and resuming -------------------------------------------------------------------------

// number of codes and where they were made; the data, its conditioning output, the stored result
static size_t count_code_numbers(const artModel *m)
{
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv, ns = (size_t) m->nstate;
  const size_t data = 1 + nq + nv + ns + (size_t) m->nheld, strain = 2 * nv + 1;
  return 1 + MAX_CODES * state_numbers(m) + 2 + data + strain + 2 + data + nv + ns +
         (size_t) m->nmode;
}


// write to the cursor, or read from it
static void pass_numbers(struct methodGenerated *g, const artModel *m, artData *d, numberCursor *c)
{
  generatedKept *kept = &g->kept;
  const long serial = d->work->loop ? d->work->loop->serial : 0;
  double is_known = kept->is_known, now = g->now ? (double) (g->now - g->list) : -1;
  double is_current = g->serial == serial;
  pass_cursor_numbers(c, 1, &now);
  pass_cursor_numbers(c, 1, &is_current);
  pass_data(c, m, d);
  pass_cursor_numbers(c, 2 * m->tree.nv + 1, g->strain);
  pass_cursor_numbers(c, 1, &is_known);
  pass_cursor_numbers(c, 1, &kept->time);
  pass_cursor_numbers(c, 1, &kept->power);
  pass_cursor_numbers(c, m->tree.nq, kept->q);
  pass_cursor_numbers(c, m->tree.nv, kept->v);
  pass_cursor_numbers(c, m->nstate, kept->s);
  pass_cursor_numbers(c, m->nheld, kept->u);
  pass_cursor_numbers(c, m->nmode, kept->mode);
  pass_cursor_numbers(c, m->tree.nv, kept->a);
  pass_cursor_numbers(c, m->nstate, kept->s_rate);
  kept->is_known = is_known != 0;
  g->now = now >= 0 && now < g->n ? &g->list[(int) now] : NULL;
  g->serial = is_current != 0 ? serial : -1;
}


static void save_code_state(const artModel *m, artData *d, double *numbers)
{
  struct methodGenerated *g = generated_of(d);
  memset(numbers, 0, count_code_numbers(m) * sizeof *numbers);
  if (!g) return;
  numbers[0] = g->n;
  for (int i = 0; i < g->n; i++) {
    double *to = numbers + 1 + (size_t) i * state_numbers(m);
    memcpy(to, g->list[i].made, state_numbers(m) * sizeof *to);
  }
  numberCursor c = {numbers + 1 + MAX_CODES * state_numbers(m), 0};
  pass_numbers(g, m, d, &c);
}


static void load_code_state(const artModel *m, artData *d, double *numbers)
{
  struct methodGenerated *g = generated_of(d);
  numberCursor c = {numbers + 1 + MAX_CODES * state_numbers(m), 1};
  if (g) pass_numbers(g, m, d, &c);
}


static void forget_codes(struct methodGenerated *g)
{
  for (int i = 0; i < g->n; i++) art_free_generated(g->list[i].code);
  g->n = 0;
  g->now = NULL;
}


static artStatus remake_generated_codes(const artModel *m, artData *d, const double *numbers,
                                        artError *error)
{
  struct methodGenerated *g = generated_of(d);
  const int n = numbers[0] >= 0 && numbers[0] <= MAX_CODES ? (int) numbers[0] : 0;
  const size_t size = state_numbers(m) * sizeof *numbers;
  for (int i = 0; i < n; i++) {
    const double *made = numbers + 1 + (size_t) i * state_numbers(m);
    if (g && i < g->n && memcmp(g->list[i].made, made, size) == 0) continue;
    if (g && i < g->n) forget_codes(g), i = 0, made = numbers + 1;
    artError why = {0};
    artStatus status = read_code_state(m, d, made, &why);

    // refused equations are refused again and keep their index
    if (status == ART_OK) status = accelerate_by_code(m, d, &why);
    g = generated_of(d);
    if (g && g->n > i) continue;
    if (status == ART_OK) {
      status = base_fail(&why, ART_NO_CONVERGENCE, base_nowhere(),
                         "the generated equations of the saved run cannot be made again");
    }
    if (error) *error = why;
    return status;
  }
  return ART_OK;
}


static backendWatched generated_watched(const artData *d)
{
  const struct methodGenerated *g = generated_of(d);
  return g ? (backendWatched){g->is_weak, g->bands} : (backendWatched){0};
}


static void set_watched(artData *d, backendWatched watched)
{
  struct methodGenerated *g = generated_of(d);
  if (!g) return;
  g->is_weak = watched.is_weak;
  g->bands = watched.bands;
}


// use the same code with separate numbers; refusals are copied too
static artStatus share_code(struct methodGenerated *g, const generatedCode *of, size_t numbers,
                            artError *error)
{
  ART_ASSERT(g->n < MAX_CODES);
  baseArena *arena = &g->arena;
  generatedCode *code = &g->list[g->n];
  const size_t nd = (size_t) of->nd, blocks = (size_t) of->block_count + 1;
  *code = *of;
  code->code = NULL;
  code->made = arena_copy(arena, of->made, numbers, sizeof *of->made);
  int is_copied = code->made != NULL;
  if (of->block_start && is_copied) {
    is_copied = (code->block_start = arena_copy(arena, of->block_start, blocks, sizeof(int))) &&
                (code->row = arena_copy(arena, of->row, nd, sizeof(int))) &&
                (code->column = arena_copy(arena, of->column, nd, sizeof(int)));
  }
  if (of->start && is_copied) {
    code->start = arena_copy(arena, of->start, (size_t) of->nstrain, sizeof *of->start);
    is_copied = code->start != NULL;
  }
  if (!is_copied) return base_no_memory(error);
  const artStatus status = of->code ? load_share(&code->code, of->code, error) : ART_OK;
  if (status != ART_OK) return status;
  g->counts.codes += of->code != NULL;
  g->n++;
  return ART_OK;
}


// Share the codes of `from` with a data block that has none, if both use the same parameters. Codes
// that cannot be shared are made again.
static artStatus share_codes(artData *to, const artData *from, artError *error)
{
  const artModel *m = to->work->now;
  const struct methodGenerated *of = generated_of(from);
  const int is_same = from->work->revision == to->work->revision;
  if (from->work->method->generated_threads > 0 || !is_same) return ART_OK;
  artStatus status = method_start(m, to, MODEL_GENERATED, error);
  if (status != ART_OK) return status;
  struct methodGenerated *g = generated_of(to);
  if (g->n > 0) return ART_OK;
  g->report = of->report;
  for (int i = 0; i < of->n && status == ART_OK; i++) {
    if (of->list[i].code && !load_can_share(of->list[i].code, m)) return ART_OK;
    status = share_code(g, &of->list[i], state_numbers(m), error);
  }
  return status;
}


// Codes that are not shared are made where they were made for `from`. This modifies loops, so loops
// are restored before the numbers.
static artStatus copy_code(artData *to, const artData *from, double *numbers, artError *error)
{
  const artModel *m = to->work->now;
  artData open = *from;
  save_code_state(m, &open, numbers);
  artStatus status = hand_over_code_threads(from->work, to, error);
  if (status == ART_OK) status = share_codes(to, from, error);
  if (status == ART_OK) status = remake_generated_codes(m, to, numbers, error);
  if (status == ART_OK && m->nrow > 0) status = state_copy(to, from, error);
  if (status != ART_OK) return status;
  load_code_state(m, to, numbers);
  set_watched(to, generated_watched(from));
  return ART_OK;
}


static artStatus copy_generated(artData *to, const artData *from, artError *error)
{
  struct methodGenerated *own = generated_of(to);
  const struct methodGenerated *g = generated_of(from);
  if (own && (!g || own->n > g->n)) {
    free_generated(own);
    to->work->method->part[MODEL_GENERATED] = NULL;
  }
  if (!g) return ART_OK;
  double *numbers = mem_alloc(count_code_numbers(to->work->now), sizeof *numbers);
  if (!numbers) return base_no_memory(error);
  const artStatus status = copy_code(to, from, numbers, error);
  mem_free(numbers);
  return status;
}


static const methodBackend backend = {
    .rates = generated_rates,
    .close = close_loops_by_code,
    .is_strained = is_strained,
    .watch = watch_generated_code,
    .watched = generated_watched,
    .set_watched = set_watched,
    .counts = counts_of,
    .numbers = count_code_numbers,
    .save = save_code_state,
    .remake = remake_generated_codes,
    .load = load_code_state,
    .hand_over = hand_over_code_threads,
};

const methodKind generated_kind = {.start = generated_start,
                                   .accelerate = accelerate_by_code,
                                   .backend = &backend,
                                   .copy = copy_generated,
                                   .free = free_generated};
