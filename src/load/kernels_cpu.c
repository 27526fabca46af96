// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels as functions of a shared library; threads process chunks of instances.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "load/compiler.h"
#include "load/kernels.h"
#include "par/parallel_for.h"

// flags for the vector unit are appended
#define FLAGS                                                                                      \
  "-O2", "-shared", "-fPIC", "-std=c11", "-ffp-contract=fast", "-fno-math-errno",                  \
      "-fno-trapping-math"


static const char *const *cpu_compiler_flags(void)
{
  static const char *const two[] = {FLAGS, NULL}, *const four[] = {FLAGS, "-mavx2", "-mfma", NULL},
                           *const eight[] = {FLAGS,        "-mavx2",     "-mfma", "-mavx512f",
                                             "-mavx512dq", "-mavx512vl", NULL};
  const int best = compiler_best_lanes();
  return best == 8 ? eight : best == 4 ? four : two;
}

typedef struct kernelsProcessor {
  kernelsDevice device;
  void *library;
  int threads;
  union {
    void *symbol;
    void (*sizes)(int *size);
    void (*prepare)(double *rows, long n);
    void (*plain)(kernelsBatch batch);
    void (*rk4)(kernelsBatch batch, double step, int steps);
    void (*dopri5)(kernelsBatch batch, double end, double step, double tolerance);
  } kernel[KERNELS];
} kernelsProcessor;


static void close_processor(kernelsDevice *device)
{
  kernelsProcessor *p = (kernelsProcessor *) device;
  if (p->library) dlclose(p->library);
  mem_free(p);
}


static artStatus load_library(kernelsDevice *device, const char *library, artError *error)
{
  kernelsProcessor *p = (kernelsProcessor *) device;
  int found = 0;
  if (p->library) dlclose(p->library);
  p->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  arithmetic_renew();
  for (int i = 0; i < KERNELS_GATHER && p->library; i++) {
    p->kernel[i].symbol = dlsym(p->library, kernels_symbol[i]);
    found += p->kernel[i].symbol != NULL;
  }
  if (found == KERNELS_GATHER) return ART_OK;
  const char *why = dlerror();
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "the compiled kernels could not be loaded: %.600s",
                   why ? why : "one is missing");
}


static void *cpu_take_memory(kernelsDevice *device, size_t bytes)
{
  (void) device;
  return mem_alloc(bytes, 1);
}


static void cpu_give_memory(kernelsDevice *device, void *memory)
{
  (void) device;
  mem_free(memory);
}


static artStatus cpu_copy_numbers(kernelsDevice *device, void *to, const void *from, size_t bytes,
                                  artError *error)
{
  (void) device, (void) error;
  memmove(to, from, bytes);
  return ART_OK;
}

//---- calls ---------------------------------------------------------------------------------------

typedef struct kernelsWork {
  const kernelsProcessor *p;
  const kernelsCall *call;
  long piece; // instances per chunk
} kernelsWork;


static int run_piece(void *context, int worker, long k)
{
  const kernelsWork *w = context;
  const kernelsCall *c = w->call;
  kernelsBatch b = c->batch;
  (void) worker;
  b.first = k * w->piece;
  b.count = b.n - b.first < w->piece ? b.n - b.first : w->piece;
  if (c->kernel == KERNELS_RK4) {
    w->p->kernel[KERNELS_RK4].rk4(b, c->step, c->steps);
  } else if (c->kernel == KERNELS_DOPRI5) {
    w->p->kernel[KERNELS_DOPRI5].dopri5(b, c->end, c->step, c->tolerance);
  } else {
    w->p->kernel[c->kernel].plain(b);
  }
  return 1;
}


static artStatus cpu_run_kernel(kernelsDevice *device, const kernelsCall *c, artError *error)
{
  enum { PIECES = 8, LANES = 8 }; // chunks per thread, to balance the load; maximum number of lanes
  kernelsProcessor *p = (kernelsProcessor *) device;
  if (c->kernel == KERNELS_SIZES) {
    p->kernel[KERNELS_SIZES].sizes(c->size);
    return ART_OK;
  }
  if (c->kernel == KERNELS_PREPARE) {
    p->kernel[KERNELS_PREPARE].prepare(c->rows, c->n);
    return ART_OK;
  }
  const long n = c->batch.n,
             pieces = n < (long) PIECES * p->threads ? n : (long) PIECES * p->threads;
  const long share = (n + p->threads - 1) / p->threads, full = share < LANES ? share : LANES;
  kernelsWork work = {p, c, ((n + pieces - 1) / pieces + full - 1) / full * full};
  return parallel_for(p->threads, (n + work.piece - 1) / work.piece, run_piece, &work, error);
}


artStatus kernels_open_cpu(kernelsDevice **out, int threads, artError *error)
{
  ART_ASSERT(threads >= 0);
  static const kernelsWays ways = {close_processor,
                                   NULL,
                                   load_library,
                                   NULL,
                                   cpu_take_memory,
                                   cpu_give_memory,
                                   cpu_copy_numbers,
                                   cpu_copy_numbers,
                                   cpu_copy_numbers,
                                   cpu_run_kernel,
                                   NULL,
                                   NULL};
  kernelsProcessor *p = MEM_ARRAY(kernelsProcessor, 1);
  *out = NULL;
  if (!p) return base_no_memory(error);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  p->threads = threads > 0 ? threads : processors > 0 ? (int) processors : 1;
  p->device.ways = &ways;
  p->device.has_lanes = 1;
  p->device.tool = (cacheTool){.flags = cpu_compiler_flags(), .advice = ""};
  snprintf(p->device.name, sizeof p->device.name, "the CPU, %d thread%s", p->threads,
           p->threads == 1 ? "" : "s");
  *out = &p->device;
  return ART_OK;
}
