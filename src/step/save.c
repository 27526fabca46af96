// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A stepper as a block of bytes: a head that says what it is, the state, the numbers.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

static const char MAGIC[8] = {'A', 'R', 'T', 's', 't', 'e', 'p', '9'};

typedef struct savedHead {
  char magic[8];
  int32_t method, n, nswitch, byte_order;
  int64_t changes_over;
  uint64_t size; // of everything
  double step, relative, absolute, whole;
  double longest; // may follow from where a run began: the saved one counts
} savedHead;


static savedHead stepper_head(const stepper *s)
{
  savedHead head = {
      .method = (int32_t) s->options.method,
      .changes_over = s->stiff_kind != NULL,
      .n = s->problem.n,
      .nswitch = s->problem.nswitch,
      .byte_order = 0x01020304,
      .size = step_save_size(s),
      .step = s->options.step,
      .relative = s->options.relative,
      .absolute = s->options.absolute,
      .whole = s->options.whole,
      .longest = s->options.longest,
  };
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  return head;
}


size_t step_save_size(const stepper *s)
{
  return sizeof(savedHead) + sizeof(stepState) + s->block_size;
}


artStatus step_save(const stepper *s, void *bytes, size_t size, artError *error)
{
  if (size != step_save_size(s)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "room for a saved stepper is %zu bytes, expected %zu", size,
                     step_save_size(s));
  }
  const savedHead head = stepper_head(s);
  char *next = bytes;
  memcpy(next, &head, sizeof head);
  memcpy(next + sizeof head, &s->state, sizeof(stepState));
  memcpy(next + sizeof head + sizeof(stepState), s->block, s->block_size);
  return ART_OK;
}


static artStatus check_stepper_head(const stepper *s, const void *bytes, size_t size,
                                    artError *error)
{
  const artPlace here = base_nowhere();
  const savedHead want = stepper_head(s);
  savedHead got;

  if (size < sizeof got || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
    return base_fail(error, ART_BAD_INPUT, here, "these %zu bytes are not a saved stepper", size);
  }
  memcpy(&got, bytes, sizeof got);
  if (got.byte_order != want.byte_order) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the stepper was saved on a machine with another order of bytes");
  }
  if (got.method != want.method) {
    const char *name = (uint32_t) got.method > STEP_ADAMS
                           ? "an unknown method"
                           : step_method_name((stepMethod) got.method);
    return base_fail(error, ART_BAD_INPUT, here, "the saved stepper is %s, expected %s", name,
                     step_method_name(s->options.method));
  }
  if (got.changes_over != want.changes_over) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved stepper %s over to bdf where the problem is stiff, this one %s",
                     got.changes_over ? "changes" : "does not change",
                     want.changes_over ? "does" : "does not");
  }
  if (got.n != want.n || got.nswitch != want.nswitch || got.size != want.size ||
      size != want.size) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the saved stepper has %d unknowns and %d switching functions in %zu bytes, "
                     "expected %d and %d in %zu: it belongs to another model",
                     (int) got.n, (int) got.nswitch, size, (int) want.n, (int) want.nswitch,
                     (size_t) want.size);
  }
  if (memcmp(&got.step, &want.step, 4 * sizeof(double)) != 0) {
    return base_fail(error, ART_BAD_INPUT, here,
                     "the stepper was saved with step %g, tolerances %g and %g, %g s in view, but "
                     "is to go on with %g, %g and %g, %g s",
                     got.step, got.relative, got.absolute, got.whole, want.step, want.relative,
                     want.absolute, want.whole);
  }
  return ART_OK;
}


artStatus step_load(stepper *s, const void *bytes, size_t size, artError *error)
{
  const artStatus status = check_stepper_head(s, bytes, size, error);
  if (status) return status;

  const char *next = bytes;
  memcpy(&s->options.longest, next + offsetof(savedHead, longest), sizeof s->options.longest);
  memcpy(&s->state, next + sizeof(savedHead), sizeof(stepState));
  memcpy(s->block, next + sizeof(savedHead) + sizeof(stepState), s->block_size);
  s->kind = stiffness_kind(s);
  return s->kind->rebuild ? s->kind->rebuild(s, error) : ART_OK;
}
