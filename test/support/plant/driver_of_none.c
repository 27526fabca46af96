// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A driver for graphics processors where there is none: its memory is process memory, its modules are shared libraries,
// and a kernel is called once for all instances. FAKE_ROOM is the largest block that it has, FAKE_COUNT its devices,
// FAKE_THREADS the most threads of a block, FAKE_OLD a device that does not know its modules, FAKE_SHARED the bytes of shared
// memory that a block may have, in which numbers wait then, FAKE_TEAM its multiprocessors, of which one has a team of four warps,
// FAKE_MEMORY the bytes that it has in all, FAKE_RK4, FAKE_WEIGH and FAKE_LOAD those that must be left where these kernels
// are launched, or all are loaded,
// FAKE_SUBTREES where subtrees of a four-legged machine have warps of their own, two for each of four in a block.
#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/kernels.h"

enum {
  AHEAD = 64, // bytes ahead of memory, in which its size stands
  NO_MEMORY = 2,
  NO_BINARY = 209,
  NOT_FOUND = 500,
  TOO_MUCH = 701,
  MULTIPROCESSORS = 16,
  SHARED_BYTES = 97
};

typedef struct kernel {
  kernelsName name;
  void *symbol;
  int allowed; // bytes of shared memory
} kernel;

static kernel kernels[64];
static int nkernel;
static size_t taken;
size_t fake_most; // bytes that were taken at once
int fake_errors;  // calls that went wrong


int cuInit(unsigned flags)
{
  return flags != 0;
}


int cuDeviceGetCount(int *n)
{
  *n = getenv("FAKE_COUNT") ? atoi(getenv("FAKE_COUNT")) : 1;
  return 0;
}


int cuDeviceGet(int *device, int number)
{
  *device = number;
  return 0;
}


int cuDeviceGetName(char *name, int length, int device)
{
  snprintf(name, (size_t) length, "device %d of a test", device);
  return 0;
}


int cuDeviceGetAttribute(int *value, int which, int device)
{
  *value = device == 0 && which == 75                        ? 9
           : which == SHARED_BYTES && getenv("FAKE_SHARED")  ? atoi(getenv("FAKE_SHARED"))
           : which == MULTIPROCESSORS && getenv("FAKE_TEAM") ? atoi(getenv("FAKE_TEAM"))
                                                             : 0;
  return 0;
}


int cuDevicePrimaryCtxRetain(void **context, int device)
{
  *context = &kernels[device];
  return 0;
}


int cuDevicePrimaryCtxRelease_v2(int device)
{
  return device;
}


int cuCtxSetCurrent(void *context)
{
  return context == NULL;
}


static int is_left(size_t bytes)
{
  const char *all = getenv("FAKE_MEMORY");
  return !all || taken + bytes <= (size_t) atol(all);
}


int cuMemAlloc_v2(uint64_t *memory, size_t bytes)
{
  if (getenv("FAKE_ROOM") && bytes > (size_t) atol(getenv("FAKE_ROOM"))) return NO_MEMORY;
  if (!is_left(bytes)) return NO_MEMORY;
  size_t *block = malloc(bytes + AHEAD);
  if (!block) return NO_MEMORY;
  *block = bytes;
  taken += bytes;
  if (taken > fake_most) fake_most = taken;
  *memory = (uintptr_t) block + AHEAD;
  return 0;
}


int cuMemFree_v2(uint64_t memory)
{
  size_t *block = (size_t *) (uintptr_t) (memory - AHEAD);
  taken -= *block;
  free(block);
  return 0;
}


// streams are numbered by their addresses; all is done at once
static char streams[64];
static int nstream;


int cuStreamCreate(void **stream, unsigned flags)
{
  *stream = &streams[nstream++ % 64];
  return flags != 1;
}


int cuStreamDestroy_v2(void *stream)
{
  return (char *) stream < streams || (char *) stream >= streams + 64;
}


int cuStreamSynchronize(void *stream)
{
  return stream && cuStreamDestroy_v2(stream);
}


int cuMemsetD8Async(uint64_t memory, unsigned char byte, size_t n, void *stream)
{
  if (cuStreamSynchronize(stream)) return 1;
  memset((void *) (uintptr_t) memory, byte, n);
  return 0;
}


int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
  if (cuStreamSynchronize(stream)) return 1;
  memcpy((void *) (uintptr_t) to, from, bytes);
  return 0;
}


int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
  if (cuStreamSynchronize(stream)) return 1;
  memcpy(to, (const void *) (uintptr_t) from, bytes);
  return 0;
}


int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
  memcpy((void *) (uintptr_t) to, (const void *) (uintptr_t) from, bytes);
  return 0;
}


// the image ends with its table of sections
int cuModuleLoadData(void **module, const void *image)
{
  const Elf64_Ehdr *head = image;
  if (getenv("FAKE_OLD")) return NO_BINARY;
  if (getenv("FAKE_LOAD") && !is_left((size_t) atol(getenv("FAKE_LOAD")))) return NO_MEMORY;
  char path[] = "/tmp/articula-module-XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  if (!file) return NOT_FOUND;
  fwrite(image, 1, head->e_shoff + (size_t) head->e_shnum * head->e_shentsize, file);
  fclose(file);
  *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  remove(path);
  return *module ? 0 : NOT_FOUND;
}


int cuModuleUnload(void *module)
{
  return dlclose(module);
}


int cuModuleGetFunction(void **function, void *module, const char *name)
{
  static const char *const names[KERNELS] = {"machine_sizes", "machine_begin",  "machine_prepare",
                                             "machine_rates", "machine_weigh",  "machine_outputs",
                                             "machine_rk4",   "machine_dopri5", "machine_gather"};
  kernel *k = &kernels[nkernel++ % 64];
  k->symbol = dlsym(module, name);
  k->allowed = 0;
  k->name = KERNELS_SIZES;
  while (k->name < KERNELS && strcmp(names[k->name], name) != 0) k->name++;
  *function = k;
  fake_errors += !k->symbol;
  return k->symbol && k->name < KERNELS ? 0 : NOT_FOUND;
}


int cuModuleGetGlobal_v2(uint64_t *memory, size_t *bytes, void *module, const char *name)
{
  void *symbol = dlsym(module, name);
  *memory = (uintptr_t) symbol;
  *bytes = SIZE_MAX;
  return symbol ? 0 : NOT_FOUND;
}


int cuFuncSetAttribute(void *function, int attribute, int value)
{
  ((kernel *) function)->allowed = value;
  return attribute != 8 || value > 227 << 10;
}


// blocks are as large as they can be; where numbers wait they are of one warp, with its memory in kernels that evaluate
static int is_shaped(const kernel *k, unsigned block, unsigned most, unsigned shared)
{
  const int evaluates = k->name == KERNELS_RK4 || k->name == KERNELS_DOPRI5 ||
                        k->name == KERNELS_RATES || k->name == KERNELS_WEIGH;
  if (k->name == KERNELS_SIZES) return block == 32 && shared == 0;
  if (getenv("FAKE_SUBTREES")) {
    if (k->name == KERNELS_RK4) return block == 256 && (int) shared == k->allowed && shared > 50000;
    return block == (getenv("FAKE_TEAM") ? 32 : 128) && shared == 0;
  }
  if (getenv("FAKE_TEAM")) {
    if (k->name == KERNELS_RK4) return block == 128 && (int) shared == k->allowed && shared > 50000;
    return block == 32 && (int) shared == (evaluates ? 108 * 8 * 32 : 0);
  }
  if (!getenv("FAKE_SHARED") || atoi(getenv("FAKE_SHARED")) < 227 << 10)
    return (block == 128 || block == most) && shared == 0;
  return block == 32 && (int) shared == k->allowed && k->allowed == (evaluates ? 108 * 8 * 32 : 0);
}


int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **a, void **extra)
{
  const kernel *k = function;
  const unsigned most = getenv("FAKE_THREADS")    ? (unsigned) atoi(getenv("FAKE_THREADS"))
                        : getenv("FAKE_SUBTREES") ? 256
                                                  : 128;
  if (bx > most) return TOO_MUCH;
  if (gx == 0 || gy * gz * by * bz != 1 || cuStreamSynchronize(stream) || extra) return 1;
  if (!is_shaped(k, bx, most, shared)) return 1;
  const char *needs = k->name == KERNELS_RK4     ? getenv("FAKE_RK4")
                      : k->name == KERNELS_WEIGH ? getenv("FAKE_WEIGH")
                                                 : NULL;
  if (needs && !is_left((size_t) atol(needs))) return NO_MEMORY;
  const union {
    void *symbol;
    void (*sizes)(int *);
    void (*prepare)(double *, long);
    void (*plain)(kernelsBatch);
    void (*gather)(kernelsBatch, double *, long);
    void (*rk4)(kernelsBatch, double, int);
    void (*dopri5)(kernelsBatch, double, double, double);
  } f = {k->symbol};
  if (k->name == KERNELS_SIZES) {
    f.sizes(*(int **) a[0]);
  } else if (k->name == KERNELS_PREPARE) {
    f.prepare(*(double **) a[0], *(long *) a[1]);
  } else if (k->name == KERNELS_GATHER) {
    f.gather(*(kernelsBatch *) a[0], *(double **) a[1], *(long *) a[2]);
  } else if (k->name == KERNELS_RK4) {
    f.rk4(*(kernelsBatch *) a[0], *(double *) a[1], *(int *) a[2]);
  } else if (k->name == KERNELS_DOPRI5) {
    f.dopri5(*(kernelsBatch *) a[0], *(double *) a[1], *(double *) a[2], *(double *) a[3]);
  } else {
    f.plain(*(kernelsBatch *) a[0]);
  }
  return 0;
}


int cuCtxSynchronize(void)
{
  return 0;
}


int cuGetErrorString(int status, const char **text)
{
  *text = status == NOT_FOUND   ? "named symbol not found"
          : status == TOO_MUCH  ? "too many resources requested for launch"
          : status == NO_BINARY ? "no kernel image is available for execution on the device"
                                : "out of order";
  return 0;
}
