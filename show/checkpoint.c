// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Checkpoints of interrupted runs.
#include "show/checkpoint.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/memory.h"

static const char MAGIC[8] = {'A', 'R', 'T', 'c', 'k', 'p', 't', '2'};

typedef struct savedHead {
  char magic[8];
  uint32_t byte_order, size; // of the head
  char version[16];
  char study[CHECKPOINT_NAME_LENGTH];
  uint64_t model, outputs, values;
  int32_t method, integrator;
  double from, until, step, interval, tolerance, time;
  int64_t rows, length;
  uint64_t state_size;
  uint64_t sum; // checksum of the head, with zero here, and of the state
} savedHead;

// numbers that the file and the checkpoint in memory have in common
// clang-format off
#define CHECKPOINT_NUMBERS(F)                                                                      \
  F(model) F(outputs) F(values) F(method) F(integrator) F(from) F(until) F(step) F(interval)       \
  F(tolerance) F(time) F(rows) F(length)
// clang-format on


//---- origin of a run -----------------------------------------------------------------------------

static uint64_t fingerprint_outputs(const artModel *model)
{
  uint64_t sum = BASE_HASH_EMPTY;
  const int n = art_count(model).outputs;
  for (int k = 0; k < n; k++) {
    const char *name = art_output_name(model, k), *unit = art_output_unit(model, k);
    sum = base_hash(sum, name, strlen(name) + 1);
    sum = base_hash(sum, unit, strlen(unit) + 1);
  }
  return sum;
}


unsigned long long checkpoint_sum(int n, const double *values)
{
  return base_hash(BASE_HASH_EMPTY, values, (size_t) n * sizeof *values);
}


ioCheckpoint checkpoint_describe(const artModel *model, const artStudyDef *study)
{
  ioCheckpoint c = {
      .model = art_model_hash(model),
      .outputs = fingerprint_outputs(model),
      .method = (int) study->run.method + (int) study->run.backend * ART_METHODS,
      .integrator = (int) study->run.integrator,
      .from = study->run.from,
      .until = study->run.until,
      .step = study->run.step,
      .interval = study->run.interval,
      .tolerance = study->run.tolerance,
  };
  snprintf(c.version, sizeof c.version, "%s", art_version());
  snprintf(c.study, sizeof c.study, "%s", study->name);
  return c;
}


// the name of method and back end, which are stored as one number
static const char *method_name(int number)
{
  const artRunDef run = {.method = (artMethod) (number % ART_METHODS),
                         .backend = (artBackend) (number / ART_METHODS)};
  return art_run_method_name(&run);
}


static artStatus checkpoint_differs(artError *error, const char *path, const char *what,
                                    const char *saved, const char *now)
{
  return file_wrong(error, path,
                    "the interrupted run had %s %s, this one has %s; repeat its call, or start "
                    "anew without --resume",
                    what, saved, now);
}


static artStatus compare_saved_numbers(const char *path, const ioCheckpoint *saved,
                                       const ioCheckpoint *now, artError *error)
{
  const struct {
    const char *name;
    double saved, now;
  } numbers[] = {
      {"from", saved->from, now->from},
      {"until", saved->until, now->until},
      {"step", saved->step, now->step},
      {"interval", saved->interval, now->interval},
      {"tolerance", saved->tolerance, now->tolerance},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char before[32], after[32];
    if (numbers[i].saved == numbers[i].now) continue;
    format_text(before, sizeof before, "%.12g", numbers[i].saved);
    format_text(after, sizeof after, "%.12g", numbers[i].now);
    return checkpoint_differs(error, path, numbers[i].name, before, after);
  }
  return ART_OK;
}


artStatus checkpoint_compare(const char *path, const ioCheckpoint *saved, const ioCheckpoint *now,
                             artError *error)
{
  const artPlace place = {.file = path};
  if (strcmp(saved->version, now->version) != 0) {
    return checkpoint_differs(error, path, "version", saved->version, now->version);
  }
  if (saved->model != now->model) {
    return base_fail(
        error, ART_BAD_INPUT, place,
        "the interrupted run was of another model (%016llx, this is %016llx): the file "
        "has changed since, or the results are another's; start anew without --resume",
        saved->model, now->model);
  }
  if (strcmp(saved->study, now->study) != 0) {
    return checkpoint_differs(error, path, "study", saved->study, now->study);
  }
  if (saved->method != now->method) {
    return checkpoint_differs(error, path, "method", method_name(saved->method),
                              method_name(now->method));
  }
  if (saved->integrator != now->integrator) {
    return checkpoint_differs(error, path, "integrator",
                              art_integrator_name((artIntegrator) saved->integrator),
                              art_integrator_name((artIntegrator) now->integrator));
  }
  const artStatus status = compare_saved_numbers(path, saved, now, error);
  if (status) return status;
  if (saved->outputs != now->outputs) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "the interrupted run wrote other outputs than the model has now; start anew "
                     "without --resume");
  }
  return ART_OK;
}


//---- saving --------------------------------------------------------------------------------------

static uint64_t checkpoint_sum_of(savedHead head, const void *state, size_t size)
{
  head.sum = 0;
  return base_hash(base_hash(BASE_HASH_EMPTY, &head, sizeof head), state, size);
}


artStatus checkpoint_save(const char *path, const ioCheckpoint *c, artError *error)
{
  savedHead head = {.byte_order = 0x01020304, .size = sizeof head, .state_size = c->size};
#define KEEP(name) head.name = c->name;
  CHECKPOINT_NUMBERS(KEEP)
#undef KEEP
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  memcpy(head.version, c->version, sizeof head.version);
  memcpy(head.study, c->study, sizeof head.study);
  head.sum = checkpoint_sum_of(head, c->state, c->size);

  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  (void) fwrite(&head, sizeof head, 1, file.stream);
  (void) fwrite(c->state, 1, c->size, file.stream);
  return file_commit(&file, error);
}


//---- loading -------------------------------------------------------------------------------------

static artStatus check_bytes(const char *path, const char *bytes, size_t size, artError *error)
{
  const artPlace place = {.file = path};
  savedHead head;
  if (size < sizeof head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "this is not a checkpoint of this version; start anew without --resume");
  }
  memcpy(&head, bytes, sizeof head);
  if (head.byte_order != 0x01020304 || head.size != sizeof head) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "the checkpoint comes from another kind of machine; start anew without "
                     "--resume");
  }
  const size_t rest = size - sizeof head;
  if (head.state_size != rest || head.sum != checkpoint_sum_of(head, bytes + sizeof head, rest) ||
      head.version[sizeof head.version - 1] || head.study[sizeof head.study - 1]) {
    return base_fail(error, ART_BAD_INPUT, place,
                     "the checkpoint is damaged; start anew without --resume");
  }
  return ART_OK;
}


static artStatus unpack_checkpoint(ioCheckpoint *c, const char *bytes, artError *error)
{
  savedHead head;
  memcpy(&head, bytes, sizeof head);
  *c = (ioCheckpoint){.size = (size_t) head.state_size};
#define TAKE(name) c->name = head.name;
  CHECKPOINT_NUMBERS(TAKE)
#undef TAKE
  memcpy(c->version, head.version, sizeof c->version);
  memcpy(c->study, head.study, sizeof c->study);
  c->state = mem_alloc(c->size, 1);
  if (!c->state) return base_no_memory(error);
  memcpy(c->state, bytes + sizeof head, c->size);
  return ART_OK;
}


artStatus checkpoint_load(const char *path, ioCheckpoint *c, artError *error)
{
  char *bytes = NULL;
  size_t size = 0;
  *c = (ioCheckpoint){0};
  artStatus status = file_read(path, &bytes, &size, error);
  if (!status) status = check_bytes(path, bytes, size, error);
  if (!status) status = unpack_checkpoint(c, bytes, error);
  mem_free(bytes);
  return status;
}


void checkpoint_free(ioCheckpoint *c)
{
  mem_free(c->state);
  c->state = NULL;
}
