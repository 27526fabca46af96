// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions common to CPU and GPU kernels.
#include "load/kernels.h"

#include <string.h>

#include "base/error.h"

enum {
  WARP = 32,
  SHARED_NEEDED = 227 << 10, // shared memory, used for spilled values, teams and subtrees
  TEAM = 4                   // warps per team
};

const char *const kernels_symbol[KERNELS] = {
    [KERNELS_SIZES] = KERNELS_NAME "_sizes",     [KERNELS_BEGIN] = KERNELS_NAME "_begin",
    [KERNELS_PREPARE] = KERNELS_NAME "_prepare", [KERNELS_RATES] = KERNELS_NAME "_rates",
    [KERNELS_WEIGH] = KERNELS_NAME "_weigh",     [KERNELS_OUTPUTS] = KERNELS_NAME "_outputs",
    [KERNELS_RK4] = KERNELS_NAME "_rk4",         [KERNELS_DOPRI5] = KERNELS_NAME "_dopri5",
    [KERNELS_GATHER] = KERNELS_NAME "_gather"};


artStatus kernels_read_sizes(kernelsDevice *device, int size[KERNELS_NUMBERS], artError *error)
{
  const kernelsWays *ways = device->ways;
  const size_t bytes = KERNELS_NUMBERS * sizeof *size;
  int *there = ways->take(device, bytes);
  if (!there) {
    return base_fail(error, ART_NO_MEMORY, base_nowhere(),
                     "%s has no memory left; let what else runs there end, or choose the CPU "
                     "(device cpu)",
                     device->name);
  }
  artStatus status =
      ways->run(device, &(kernelsCall){.kernel = KERNELS_SIZES, .size = there}, error);
  if (status == ART_OK) status = ways->get(device, size, there, bytes, error);
  ways->give(device, there);
  if (status == ART_OK && size[KERNELS_BATCH_BYTES] != (int) sizeof(kernelsBatch)) {
    status = base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                       "the kernels have been compiled for another kind of machine");
  }
  return status == ART_OK && ways->fit ? ways->fit(device, size, error) : status;
}


int kernels_block(long n, int multiprocessors, int most)
{
  ART_ASSERT(n >= 0 && most >= WARP && (most & (most - 1)) == 0);
  int block = most;
  while (block > WARP && (n + block - 1) / block < 2 * multiprocessors) block /= 2;
  return block;
}


int kernels_team(const kernelsDevice *device, long n)
{
  if (device->shared_bytes < SHARED_NEEDED) return 0;
  return n <= (long) WARP * device->multiprocessors ? TEAM : 0;
}


// Compiler flags that comments at the head of a source request or offer.
typedef struct headFlags {
  int asks_order, offers_spill, offers_subtrees;
} headFlags;
static const char in_order[] = "-Xptxas=-O1", spill[] = "-D" KERNELS_NAME "_SPILL",
                  subtrees[] = "-D" KERNELS_NAME "_SUBTREES";


static headFlags read_kernel_head(FILE *text)
{
  headFlags head = {0};
  char line[400] = "//";
  rewind(text);
  while (strncmp(line, "//", 2) == 0 && fgets(line, sizeof line, text)) {
    if (strncmp(line, "//   nvcc ", 10) != 0) continue;
    head.asks_order |= strstr(line, in_order) != NULL;
    head.offers_spill |= strstr(line, spill) != NULL;
    head.offers_subtrees |= strstr(line, subtrees) != NULL;
  }
  fseek(text, 0, SEEK_END);
  return head;
}


// One warp per block is best with shared memory, for any number of instances (doc/reports/gpu.md).
static const char **add_flags(const kernelsDevice *device, const headFlags *head, const char **flag)
{
  if (head->offers_spill && device->shared_bytes >= SHARED_NEEDED) {
    *flag++ = spill;
    *flag++ = "-D" KERNELS_NAME "_BLOCK=32";
  } else if (head->asks_order && device->target[0]) {
    *flag++ = in_order;
  }
  *flag = NULL;
  return flag;
}


void kernels_flags(const kernelsDevice *device, FILE *text, const char **flag)
{
  const headFlags head = read_kernel_head(text);
  add_flags(device, &head, flag);
}


int kernels_step_flags(const kernelsDevice *device, FILE *text, int is_varied, const char **flag,
                       const char **rest)
{
  const headFlags head = read_kernel_head(text);
  if (!head.offers_subtrees || is_varied || device->shared_bytes < SHARED_NEEDED) return 0;
  *flag++ = subtrees;
  *flag++ = "-D" KERNELS_NAME "_STEPS_ALONE";
  *flag = NULL;
  rest = add_flags(device, &head, rest);
  *rest++ = subtrees; // for the block sizes of subtrees
  *rest++ = "-D" KERNELS_NAME "_NO_STEPS";
  *rest = NULL;
  return 1;
}
