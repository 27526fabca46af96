// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What kernels of both kinds of devices have in common.
#include "load/kernels.h"

#include <string.h>

#include "base/error.h"

enum {
  WARP = 32,
  WAITING_BYTES =
      227
      << 10, // of shared memory that a device must have for numbers to wait there, and for teams
  TEAM = 4   // warps
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
                     "%s has no memory left; let what else runs there end, or choose the processor "
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
  int block = most;
  while (block > WARP && (n + block - 1) / block < 2 * multiprocessors) block /= 2;
  return block;
}


int kernels_team(const kernelsDevice *device, long n)
{
  if (device->shared_bytes < WAITING_BYTES) return 0;
  return n <= (long) WARP * device->multiprocessors ? TEAM : 0;
}


// Comments at the beginning of a text tell how it is compiled. Blocks of one warp do best with shared memory, be instances few
// or many (doc/reports/gpu.md).
void kernels_flags(const kernelsDevice *device, FILE *text, const char **flag)
{
  static const char in_order[] = "-Xptxas=-O1", waiting[] = "-D" KERNELS_NAME "_WAITING";
  char line[400] = "//";
  int asks_order = 0, offers_waiting = 0;
  rewind(text);
  while (strncmp(line, "//", 2) == 0 && fgets(line, sizeof line, text)) {
    if (strncmp(line, "//   nvcc ", 10) != 0) continue;
    asks_order |= strstr(line, in_order) != NULL;
    offers_waiting |= strstr(line, waiting) != NULL;
  }
  fseek(text, 0, SEEK_END);
  if (offers_waiting && device->shared_bytes >= WAITING_BYTES) {
    *flag++ = waiting;
    *flag++ = "-D" KERNELS_NAME "_BLOCK=32";
  } else if (asks_order && device->target[0]) {
    *flag++ = in_order;
  }
  *flag = NULL;
}
