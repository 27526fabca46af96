// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run as a block of bytes: head; where latches hold at the last row, and where the steps have come to; the last
// row: unknowns, modes, what the loops remember; the same where the steps have come to; stepper. At a row, where they have not gone on from it, both are the same.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "loop/loop.h"
#include "study/run/run.h"

static const char MAGIC[8] = {'A', 'R', 'T', 'r', 'u', 'n', '1', '9'};
enum { BYTE_ORDER_MARK = 0x01020304 };

// Fields of a run that are saved and loaded as they are: type and name in the head, place in the run.
#define SAVED_FIELDS(FIELD)                                                                        \
  FIELD(double, time, time)                                                                        \
  FIELD(double, unit, unit)                                                                        \
  FIELD(double, potential_start, potential_start)                                                  \
  FIELD(double, top_speed, top_speed)                                                              \
  FIELD(double, widest, row.widest)                                                                \
  FIELD(double, step_size, row.step_size)                                                          \
  FIELD(int32_t, step_index, row.step_index)                                                       \
  FIELD(int32_t, was_held, was_held)                                                               \
  FIELD(int32_t, is_between, is_between)                                                           \
  FIELD(int32_t, is_by_code, is_by_code)                                                           \
  FIELD(double, instant, instant)                                                                  \
  FIELD(int32_t, has_changed, has_changed)                                                         \
  FIELD(runBeat, beat, beat)                                                                       \
  FIELD(artCertificate, certificate, certificate)                                                  \
  FIELD(artError, halt, halt)

#define DECLARE_FIELD(type, name, place) type name;
#define SAVE_FIELD(type, name, place)    head.name = run->place;
#define LOAD_FIELD(type, name, place)    run->place = head->name;

typedef struct savedRun {
  char magic[8];
  uint64_t size;     // of everything
  uint64_t checksum; // of the head, with zero in this place, and of what follows it
  unsigned long long model;
  int32_t method, algebra, redundant, byte_order;
  uint64_t partition; // how independent coordinates are asked for
  backendWatched watched;
  double reached, settled;
  double setting[RUN_SETTINGS]; // that the method has been told
  SAVED_FIELDS(DECLARE_FIELD)
} savedRun;


//---- parts ---------------------------------------------------------------------------------------

static size_t saved_state_bytes(const artRun *run)
{
  return (size_t) run->n * sizeof *run->y;
}


static size_t mode_bytes(const artRun *run)
{
  return (size_t) run->m->nmode * sizeof(int);
}


static size_t loop_bytes(const artRun *run)
{
  return run->remembers ? run_memory_count(run->m) * sizeof(double) : 0;
}


static size_t saved_latch_bytes(const artRun *run)
{
  return latch_count(run->m) * sizeof(double);
}


static size_t saved_held_bytes(const artRun *run)
{
  return (size_t) run->m->nheld * sizeof(double);
}


static size_t scale_bytes(const artRun *run)
{
  return (size_t) run->m->tree.nv * sizeof *run->scale;
}


// Where the parts of a saved run begin; those after the latches belong to the variant that these ask for.
typedef struct savedParts {
  size_t held;                 // numbers of the data, now and when steps were taken last
  size_t scales;               // of velocity coordinates
  size_t row_latches, latches; // modes and holds, at the row and where the steps have come to
  size_t row, now;             // unknowns, modes and memory of loops, likewise
  size_t codes, motion;        // of the back end, and of the engine
  size_t end;
} savedParts;


static savedParts parts_of(const artRun *run)
{
  const size_t latches = run->m->nlatch > 0 ? mode_bytes(run) + saved_latch_bytes(run) : 0;
  const size_t moment = saved_state_bytes(run) + mode_bytes(run) + loop_bytes(run);
  savedParts p = {.held = sizeof(savedRun)};
  p.scales = p.held + 2 * saved_held_bytes(run);
  p.row_latches = p.scales + scale_bytes(run);
  p.latches = p.row_latches + latches;
  p.row = p.latches + latches;
  p.now = p.row + moment;
  p.codes = p.now + moment;
  p.motion = p.codes;
  if (run->kept_code) p.motion += run->backend->numbers(run->m) * sizeof(double);
  p.end = p.motion + run->engine->bytes(run);
  return p;
}


size_t art_run_state_size(const artRun *run)
{
  ART_REQUIRE_OR(run, 0);
  return parts_of(run).end;
}


//---- head ----------------------------------------------------------------------------------------

// does any variant of the model have loops, with independent coordinates or multipliers?
static int may_close(const artRun *run)
{
  return !art_method_is_natural(run->method) && (run->m->nrow > 0 || run->m->nlatch > 0);
}


static int may_reduce(const artRun *run)
{
  return may_close(run) && !model_method_has((int) run->method, METHOD_STABILISED);
}


static uint64_t partition_of(const artRun *run)
{
  const struct loopWork *loop = may_close(run) ? run->d->work->loop : NULL;
  if (run->m->nlatch > 0) return (uint64_t) run->study.partition;
  if (!loop) return 0;
  const uint64_t hash = base_hash(BASE_HASH_EMPTY, &loop->asked, sizeof loop->asked);
  return base_hash(hash, loop->hand, (size_t) loop->hand_count * sizeof *loop->hand);
}


static backendWatched run_code_watched(const artRun *run)
{
  return run->backend ? run->backend->watched(run->d) : (backendWatched){0};
}


static savedRun saved_run_head(const artRun *run)
{
  savedRun head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  SAVED_FIELDS(SAVE_FIELD)
  head.size = art_run_state_size(run);
  head.model = art_model_hash(run->model);
  head.method = (int32_t) model_way(&run->study);
  head.algebra = may_reduce(run) ? (int32_t) run->study.algebra : 0;
  head.redundant = may_reduce(run) ? (int32_t) run->study.redundant : 0;
  head.partition = partition_of(run);
  head.byte_order = BYTE_ORDER_MARK;
  const backendWatched watched = run->is_behind ? run->kept_watched : run_code_watched(run);
  head.watched.is_weak = watched.is_weak;
  head.watched.bands = watched.bands;
  head.settled = run->is_behind ? run->kept_settled : run->settled_time;
  head.reached = run->is_between ? run_reached(run) : run->time;
  for (int k = 0; k < RUN_SETTINGS; k++) (void) run->engine->setting(run, k, &head.setting[k]);
  return head;
}


static uint64_t checksum_of(const char *bytes, size_t size)
{
  ART_ASSERT(size >= sizeof(savedRun));
  savedRun head;
  memcpy(&head, bytes, sizeof head);
  head.checksum = 0;
  return base_hash(base_hash(BASE_HASH_EMPTY, &head, sizeof head), bytes + sizeof head,
                   size - sizeof head);
}


//---- saving --------------------------------------------------------------------------------------

static void save_moment(const artRun *run, const double *y, const runMoment *moment, char *latches,
                        char *bytes)
{
  if (run->m->nlatch > 0) {
    memcpy(latches, moment->mode, mode_bytes(run));
    memcpy(latches + mode_bytes(run), moment->holds, saved_latch_bytes(run));
  }
  memcpy(bytes, y, saved_state_bytes(run));
  bytes += saved_state_bytes(run);
  if (run->m->nmode > 0) memcpy(bytes, moment->mode, mode_bytes(run));
  if (run->remembers) memcpy(bytes + mode_bytes(run), moment->loops, loop_bytes(run));
}


artStatus art_save_run(const artRun *run, void *bytes, size_t size, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run && bytes, error);
  savedRun head = saved_run_head(run);
  if (size != head.size) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "room for a saved run is %zu bytes, expected %zu", size, (size_t) head.size);
  }
  if (!run->is_behind) run_keep(run, &run->kept);
  const double *y = run->is_between ? run_end_of_steps(run) : run->y;
  const runMoment *row = run->is_between ? &run->row.at : &run->kept;
  const savedParts p = parts_of(run);
  char *block = bytes;
  if (run->m->nheld > 0) {
    memcpy(block + p.held, run->d->u, saved_held_bytes(run));
    memcpy(block + p.held + saved_held_bytes(run), run->held, saved_held_bytes(run));
  }
  memcpy(block + p.scales, run->scale, scale_bytes(run));
  save_moment(run, run->y, row, block + p.row_latches, block + p.row);
  save_moment(run, y, &run->kept, block + p.latches, block + p.now);
  if (run->kept_code) {
    if (!run->is_behind) run->backend->save(run->m, run->d, run->kept_code);
    memcpy(block + p.codes, run->kept_code, p.motion - p.codes);
  }
  const artStatus status = run->engine->save(run, block + p.motion, error);
  memcpy(bytes, &head, sizeof head);
  head.checksum = checksum_of(bytes, size);
  memcpy(bytes, &head, sizeof head);
  return status;
}


//---- checks --------------------------------------------------------------------------------------

static artStatus check_size(size_t size, size_t expected, artError *error)
{
  if (size == expected) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the saved run has %zu bytes, expected %zu: it was cut short, or belongs to "
                   "another integrator",
                   size, expected);
}


static artStatus check_run_head(const artRun *run, const savedRun *head, const void *bytes,
                                size_t size, artError *error)
{
  const artPlace here = base_nowhere();
  if (size < sizeof *head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
    return base_fail(error, ART_BAD_INPUT, here, "these %zu bytes are not a saved run", size);
  }
  if (head->byte_order != BYTE_ORDER_MARK) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved on a machine with another order of bytes");
  }
  if (head->model != art_model_hash(run->model)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved run belongs to another model: its fingerprint is %016llx, this "
                     "model has %016llx",
                     head->model, art_model_hash(run->model));
  }
  if (head->method != (int32_t) model_way(&run->study)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with another method than %s, with which it is to go on",
                     art_run_method_name(&run->study));
  }
  if (head->algebra != saved_run_head(run).algebra) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with algebra %s, with which it has to go on",
                     art_algebra_name((artAlgebra) head->algebra));
  }
  if (head->redundant != saved_run_head(run).redundant) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with redundant %s, with which it has to go on",
                     art_redundant_name((artRedundant) head->redundant));
  }
  if (head->partition != partition_of(run)) {
    return base_fail(
        error, ART_BAD_INPUT, here,
        "the run was saved with another choice of independent coordinates; give the same "
        "'partition' and 'independent'");
  }
  // latches say which variant was saved, and that how large it is
  const savedParts p = parts_of(run);
  artStatus status = run->m->nlatch == 0 ? check_size(size, p.end, error) : ART_OK;
  if (!status) status = check_size(size, size < p.row ? p.row : (size_t) head->size, error);
  if (status != ART_OK) return status;
  if (head->checksum != checksum_of(bytes, size)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved run is damaged: its bytes do not add up");
  }

  // a method that has been told something else would go on differently
  for (int k = 0; k < RUN_SETTINGS; k++) {
    double now = 0;
    const char *name = run->engine->setting(run, k, &now);
    if (!name || now == head->setting[k]) continue;
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with %s %.12g, this one has %.12g", name, head->setting[k],
                     now);
  }
  return ART_OK;
}


//---- loading -------------------------------------------------------------------------------------

// modes, and memory of the loops
static artStatus put_moment(artRun *run, const runMoment *moment, artError *error)
{
  if (run->m->nmode > 0) memcpy(run->d->work->mode, moment->mode, mode_bytes(run));
  if (model_has_rigid(run->m)) {
    const double *numbers = moment->loops + state_count(run->m);
    force_load_rigid(run->m, run->d, numbers);
    force_load_piles(run->m, run->d, numbers + RIGID_NUMBERS * run->m->nrigid);
  }
  return run_has_loops(run) ? state_load(run->m, run->d, moment->loops, error) : ART_OK;
}


// the same from saved ones, whose numbers may lie at any address
static artStatus load_moment(artRun *run, const char *bytes, artError *error)
{
  const char *modes = bytes + saved_state_bytes(run);
  baseArena scratch = {0};
  const runMoment moment = {.mode = arena_copy(&scratch, modes, 1, mode_bytes(run)),
                            .loops =
                                arena_copy(&scratch, modes + mode_bytes(run), 1, loop_bytes(run))};
  run->settled_time = -HUGE_VAL;
  const artStatus status =
      scratch.has_run_out ? base_no_memory(error) : put_moment(run, &moment, error);
  arena_free(&scratch);
  return status;
}


// the variant that saved latches ask for; the numbers may lie at any address
static artStatus load_latches(artRun *run, const char *bytes, artError *error)
{
  if (run->m->nlatch == 0) return ART_OK;
  baseArena scratch = {0};
  const int *mode = arena_copy(&scratch, bytes, 1, mode_bytes(run));
  const double *numbers = arena_copy(&scratch, bytes + mode_bytes(run), 1, saved_latch_bytes(run));
  const artStatus status =
      mode && numbers ? latch_load(run, mode, numbers, error) : base_no_memory(error);
  arena_free(&scratch);
  return status;
}


// the data as code left it, loops closed perhaps
static void put_back_code(artRun *run)
{
  if (!run->kept_code) return;
  run->backend->load(run->m, run->d, run->kept_code);
  run->settled_time = run->kept_settled;
}


// equations that a change of variants has thrown away, from the kept numbers
static artStatus remake_code(artRun *run, artError *error)
{
  artStatus status = run->backend->remake(run->m, run->d, run->kept_code, error);
  if (status == ART_OK) status = put_moment(run, &run->kept, error);
  if (status == ART_OK) {
    status = run_resume_code(run, run->engine->reached(run), run_end_of_steps(run),
                             run->kept_watched, error);
  }
  run->counted = run->backend->counts(run->d);
  return status;
}


artStatus run_put_back(artRun *run, artError *error)
{
  const int is_behind = run->is_behind;
  const artModel *before = run->m;
  run->is_behind = 0;
  run->settled_time = -HUGE_VAL;
  artStatus status = latch_load(run, run->kept.mode, run->kept.holds, error);
  if (status != ART_OK) return status;
  status = put_moment(run, &run->kept, error);
  if (status == ART_OK && is_behind && run->kept_code && run->m != before) {
    status = remake_code(run, error);
  }
  if (is_behind) put_back_code(run);
  return status;
}


// the run is in the variant of the steps
static artStatus load_rest(artRun *run, const savedRun *head, const char *bytes, artError *error)
{
  const savedParts p = parts_of(run);
  artStatus status = ART_OK;
  if (run->kept_code) {
    memcpy(run->kept_code, bytes + p.codes, p.motion - p.codes);
    status = run->backend->remake(run->m, run->d, run->kept_code, error);
  }
  if (status == ART_OK) status = load_moment(run, bytes + p.now, error);
  if (status == ART_OK && run->kept_code) {
    memcpy(run->y, bytes + p.now, saved_state_bytes(run));
    status = run_resume_code(run, head->reached, run->y, head->watched, error);
  }
  return status == ART_OK ? run->engine->load(run, bytes + p.motion, error) : status;
}


static void load_held(artRun *run, const char *bytes)
{
  if (run->m->nheld > 0) memcpy(run->d->u, bytes, saved_held_bytes(run));
}


static void take_units(artRun *run, double work, const void *scales)
{
  run->unit = work;
  memcpy(run->scale, scales, scale_bytes(run));
  if (run->units) run_set_units(run);
}


// Mode, partition, held numbers and units come first: the stepper may have to take steps again, which nothing halts.
static artStatus load_run_steps(artRun *run, const savedRun *head, const char *bytes, size_t size,
                                artError *error)
{
  const double kept_unit = run->unit;
  const artStatus kept_halt = run->halt.status;
  run_keep(run, &run->kept);
  memcpy(run->kept_scale, run->scale, scale_bytes(run));
  take_units(run, head->unit, bytes + parts_of(run).scales);
  run->halt.status = ART_OK;
  load_held(run, bytes + parts_of(run).held + saved_held_bytes(run));
  artStatus status = load_latches(run, bytes + parts_of(run).latches, error);
  if (status == ART_OK) status = check_size(size, parts_of(run).end, error);
  if (status == ART_OK) status = load_rest(run, head, bytes, error);
  if (status == ART_OK) return ART_OK;
  take_units(run, kept_unit, run->kept_scale);
  run->halt.status = kept_halt;
  load_held(run, (const char *) run->held);
  (void) run_put_back(run, NULL);
  return status;
}


// The row after which the run was paused, with its modes and loops; the steps get theirs back when they go on.
static artStatus show_row(artRun *run, const char *latches, const char *row, artError *error)
{
  if (!run->is_between) {
    const artStatus status = run_show_again(run, error);
    put_back_code(run);
    return status;
  }
  run_keep(run, &run->kept);
  run->kept_watched = run_code_watched(run);
  run->is_behind = 1;
  artStatus status = load_latches(run, latches, error);
  if (status == ART_OK) status = load_moment(run, row, error);
  if (status == ART_OK) status = run_show_again(run, error);
  if (status != ART_OK) return status;
  run_keep(run, &run->row.at);
  run->d->work->force->run.step_size = run->row.step_size;
  run->d->work->force->run.step_index = run->row.step_index;
  return ART_OK;
}


static void load_head(artRun *run, const savedRun *head)
{
  SAVED_FIELDS(LOAD_FIELD)
  run->halt.text[sizeof run->halt.text - 1] = '\0';
  run->row.is_kept = head->is_between;
  run->is_behind = 0;
  run->kept_settled = head->settled;
}


artStatus art_load_run(artRun *run, const void *bytes, size_t size, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(run && (bytes || size == 0), error);
  savedRun head;
  memset(&head, 0, sizeof head);
  if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
  artStatus status = check_run_head(run, &head, bytes, size, error);
  if (status != ART_OK) return status;

  status = load_run_steps(run, &head, bytes, size, error);
  if (status != ART_OK) return status;
  const savedParts p = parts_of(run);
  const char *block = bytes;
  memcpy(run->y, block + p.row, saved_state_bytes(run));
  load_head(run, &head);
  run_hold(run);
  load_held(run, block + p.held);
  if (run->backend) run->counted = run->backend->counts(run->d);
  return show_row(run, block + p.row_latches, block + p.row, error);
}
