// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run as a block of bytes: head, unknowns at the instant last asked for, modes, what the loops
// remember, stepper.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "loop/loop.h"
#include "loop/state.h"
#include "study/natural_run.h"

static const char MAGIC[8] = {'A', 'R', 'T', 'r', 'u', 'n', '0', '9'};

typedef struct savedRun {
  char magic[8];
  uint64_t size;     // of everything
  uint64_t checksum; // of the head, with zero in this place, and of what follows it
  unsigned long long model;
  int32_t method, algebra, byte_order, was_held;
  generatedWatched watched;
  double time, unit, potential_start, top_speed;
  double setting[NATURAL_SETTINGS]; // that the method has been told
  artCertificate certificate;
} savedRun;


static size_t state_bytes(const artRun *run)
{
  return (size_t) run->n * sizeof *run->y;
}


static size_t mode_bytes(const artRun *run)
{
  return (size_t) run->m->nmode * sizeof(int);
}


static size_t loop_bytes(const artRun *run)
{
  return run->remembers ? state_count(run->m) * sizeof(double) : 0;
}


static size_t motion_bytes(const artRun *run)
{
  return run->natural ? natural_run_bytes(run->natural) : step_save_size(run->stepper);
}


size_t art_run_state_size(const artRun *run)
{
  ART_REQUIRE_OR(run, 0);
  return sizeof(savedRun) + state_bytes(run) + mode_bytes(run) + loop_bytes(run) +
         motion_bytes(run);
}


// what loops have been told that stay as they are
static const char *loop_setting(const artRun *run, int k, double *value)
{
  static const char *const NAME[] = {"alpha", "beta", "projections"};
  const struct loopWork *loop = run->d->work->loop;
  const double settings[] = {loop->alpha, loop->beta, run->closes};
  if (k >= 3) return NULL;
  *value = settings[k];
  return NAME[k];
}


// name of the k-th number that the method has been told; NULL: it knows no more
static const char *setting(const artRun *run, int k, double *value)
{
  if (run->natural) return natural_run_setting(run->natural, k, value);
  return run->m->nrow > 0 && !run->is_reduced ? loop_setting(run, k, value) : NULL;
}


static savedRun head_of(const artRun *run)
{
  savedRun head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.size = art_run_state_size(run);
  head.model = art_model_hash(run->m);
  head.method = (int32_t) run->method;
  head.algebra = run->is_reduced ? (int32_t) run->d->work->loop->algebra : 0;
  head.byte_order = 0x01020304;
  head.was_held = run->was_held;
  const generatedWatched watched = method_generated_watched(run->d);
  head.watched.is_weak = watched.is_weak;
  head.watched.bands = watched.bands;
  head.time = run->time;
  head.unit = run->unit;
  head.potential_start = run->potential_start;
  head.top_speed = run->top_speed;
  head.certificate = run->certificate;
  for (int k = 0; k < NATURAL_SETTINGS; k++) (void) setting(run, k, &head.setting[k]);
  return head;
}


static uint64_t checksum_of(const char *bytes, size_t size)
{
  savedRun head;
  memcpy(&head, bytes, sizeof head);
  head.checksum = 0;
  return base_hash(base_hash(BASE_HASH_EMPTY, &head, sizeof head), bytes + sizeof head,
                   size - sizeof head);
}


static artStatus save_motion(const artRun *run, char *bytes, artError *error)
{
  if (!run->natural) return step_save(run->stepper, bytes, motion_bytes(run), error);
  natural_run_save(run->natural, bytes);
  return ART_OK;
}


artStatus art_save_run(const artRun *run, void *bytes, size_t size, artError *error)
{
  ART_REQUIRE(run && bytes, error);
  savedRun head = head_of(run);
  if (size != head.size) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "room for a saved run is %zu bytes, expected %zu", size, (size_t) head.size);
  }
  char *state = (char *) bytes + sizeof head, *modes = state + state_bytes(run);
  char *loops = modes + mode_bytes(run);
  memcpy(state, run->y, state_bytes(run));
  if (run->m->nmode > 0) memcpy(modes, run->d->work->mode, mode_bytes(run));
  if (run->remembers) {
    state_save(run->m, run->d, run->kept_loops);
    memcpy(loops, run->kept_loops, loop_bytes(run));
  }
  const artStatus status = save_motion(run, loops + loop_bytes(run), error);
  memcpy(bytes, &head, sizeof head);
  head.checksum = checksum_of(bytes, size);
  memcpy(bytes, &head, sizeof head);
  return status;
}


// a method that has been told something else would go on differently
static artStatus check_settings(const artRun *run, const savedRun *head, artError *error)
{
  for (int k = 0; k < NATURAL_SETTINGS; k++) {
    double now = 0;
    const char *name = setting(run, k, &now);
    if (!name || now == head->setting[k]) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the run was saved with %s %.12g, this one has %.12g", name, head->setting[k],
                     now);
  }
  return ART_OK;
}


static artStatus check_head(const artRun *run, const savedRun *head, const void *bytes, size_t size,
                            artError *error)
{
  const artPlace here = base_nowhere();
  if (size < sizeof *head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
    return base_fail(error, ART_BAD_INPUT, here, "these %zu bytes are not a saved run", size);
  }
  if (head->byte_order != 0x01020304) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved on a machine with another order of bytes");
  }
  if (head->model != art_model_hash(run->m)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved run belongs to another model: its fingerprint is %016llx, this "
                     "model has %016llx",
                     head->model, art_model_hash(run->m));
  }
  if (head->method != (int32_t) run->method) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with another method than %s, with which it is to go on",
                     art_method_name(run->method));
  }
  if (head->algebra != head_of(run).algebra) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the run was saved with algebra %s, with which it has to go on",
                     art_algebra_name((artAlgebra) head->algebra));
  }
  if (size != head->size || size != art_run_state_size(run)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved run has %zu bytes, expected %zu: it was cut short, or belongs to "
                     "another integrator",
                     size, art_run_state_size(run));
  }
  if (head->checksum != checksum_of(bytes, size)) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved run is damaged: its bytes do not add up");
  }
  return check_settings(run, head, error);
}


// the numbers may lie at any address
static artStatus load_loops(artRun *run, const char *bytes, artError *error)
{
  if (!run->remembers) return ART_OK;
  baseArena scratch = {0};
  double *numbers = arena_copy(&scratch, bytes, state_count(run->m), sizeof *numbers);
  state_save(run->m, run->d, run->kept_loops);
  const artStatus status =
      numbers ? state_load(run->m, run->d, numbers, error) : base_no_memory(error);
  arena_free(&scratch);
  return status;
}


static artStatus load_motion(artRun *run, const char *bytes, artError *error)
{
  if (!run->natural) return step_load(run->stepper, bytes, motion_bytes(run), error);
  natural_run_load(run->natural, bytes);
  return ART_OK;
}


artStatus art_load_run(artRun *run, const void *bytes, size_t size, artError *error)
{
  ART_REQUIRE(run && (bytes || size == 0), error);
  savedRun head;
  memset(&head, 0, sizeof head);
  if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
  artStatus status = check_head(run, &head, bytes, size, error);
  if (status != ART_OK) return status;

  // mode, partition and unit of work come first: the stepper may have to take steps again
  const char *state = (const char *) bytes + sizeof head, *modes = state + state_bytes(run);
  const char *loops = modes + mode_bytes(run);
  int *mode = run->d->work->mode;
  const double kept_unit = run->unit;
  if (run->m->nmode > 0) {
    memcpy(run->kept_mode, mode, mode_bytes(run));
    memcpy(mode, modes, mode_bytes(run));
  }
  run->unit = head.unit;
  run->settled_time = -HUGE_VAL;
  status = load_loops(run, loops, error);
  if (status == ART_OK && run->method == ART_GENERATED) {
    memcpy(run->y, state, state_bytes(run));
    status = run_resume_generated(run, head.time, run->y, head.watched, error);
  }
  if (status == ART_OK) {
    status = load_motion(run, loops + loop_bytes(run), error);
  }
  if (status != ART_OK) {
    run->unit = kept_unit;
    if (run->m->nmode > 0) memcpy(mode, run->kept_mode, mode_bytes(run));
    if (run->remembers) state_load(run->m, run->d, run->kept_loops, NULL);
    return status;
  }
  memcpy(run->y, state, state_bytes(run));
  run->time = head.time;
  run->potential_start = head.potential_start;
  run->was_held = head.was_held;
  run->top_speed = head.top_speed;
  run->certificate = head.certificate;
  run->counted = method_generated_counts(run->d);
  return run_show_again(run, error);
}
