// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kernels on a GPU: the driver library is opened on demand, and nvcc or NVRTC compiles for the
// device found.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "load/kernels.h"
#include "load/nvrtc.h"

enum { WARP = 32, MAX_BLOCKS = 1 << 20 };

static const char *const flags[] = {"-O3", "-cubin", NULL}, *const no_flags[] = {NULL};

// Constants of the driver API.
enum {
  CUDA_NO_MEMORY = 2,
  CUDA_NO_BINARY = 209,
  CUDA_BAD_PTX = 218,
  CUDA_TOO_MUCH = 701, // too many resources requested for a launch
  CUDA_MULTIPROCESSORS = 16,
  CUDA_MAJOR = 75,
  CUDA_MINOR = 76,
  CUDA_SHARED_BYTES = 97, // opt-in maximum per block
  CUDA_FUNCTION_SHARED_BYTES = 8
};

typedef uint64_t cudaAddress;

// Functions of the driver, with their names and arguments. `end` synchronises a stream.
#define CUDA_FUNCTIONS(F)                                                                          \
  F(init, cuInit, (unsigned flags))                                                                \
  F(count, cuDeviceGetCount, (int *n))                                                             \
  F(get, cuDeviceGet, (int *device, int number))                                                   \
  F(name, cuDeviceGetName, (char *name, int length, int device))                                   \
  F(attribute, cuDeviceGetAttribute, (int *value, int which, int device))                          \
  F(retain, cuDevicePrimaryCtxRetain, (void **context, int device))                                \
  F(release, cuDevicePrimaryCtxRelease_v2, (int device))                                           \
  F(use, cuCtxSetCurrent, (void *context))                                                         \
  F(take, cuMemAlloc_v2, (cudaAddress * memory, size_t bytes))                                     \
  F(give, cuMemFree_v2, (cudaAddress memory))                                                      \
  F(open_stream, cuStreamCreate, (void **stream, unsigned flags))                                  \
  F(close_stream, cuStreamDestroy_v2, (void *stream))                                              \
  F(end, cuStreamSynchronize, (void *stream))                                                      \
  F(clear, cuMemsetD8Async, (cudaAddress memory, unsigned char byte, size_t n, void *stream))      \
  F(put, cuMemcpyHtoDAsync_v2, (cudaAddress to, const void *from, size_t bytes, void *stream))     \
  F(bring, cuMemcpyDtoHAsync_v2, (void *to, cudaAddress from, size_t bytes, void *stream))         \
  F(copy, cuMemcpyDtoD_v2, (cudaAddress to, cudaAddress from, size_t bytes))                       \
  F(load, cuModuleLoadData, (void **module, const void *image))                                    \
  F(unload, cuModuleUnload, (void *module))                                                        \
  F(function, cuModuleGetFunction, (void **function, void *module, const char *name))              \
  F(global, cuModuleGetGlobal_v2,                                                                  \
    (cudaAddress * memory, size_t * bytes, void *module, const char *name))                        \
  F(allow, cuFuncSetAttribute, (void *function, int attribute, int value))                         \
  F(launch, cuLaunchKernel,                                                                        \
    (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
     unsigned shared, void *stream, void **arguments, void **extra))                               \
  F(wait, cuCtxSynchronize, (void) )                                                               \
  F(tell, cuGetErrorString, (int status, const char **text))

typedef struct cudaDriver {
  void *library;
#define CUDA_FIELD(name, symbol, arguments) int(*name) arguments;
  CUDA_FUNCTIONS(CUDA_FIELD)
#undef CUDA_FIELD
} cudaDriver;

typedef struct kernelsGraphics {
  kernelsDevice device;
  cudaDriver cuda;
  int number, has_context;
  int most;                                   // maximum threads per block
  int shared_bytes;                           // per block, for kernels that evaluate the equations
  int step_block, step_bytes, step_instances; // blocks whose threads share RK4 steps; 0: none
  int is_twin;                                // 1: owns only its stream
  void *stream;                               // NULL: the default stream
  void *context, *module, *steps, *kernel[KERNELS]; // steps: a separate module, or NULL
} kernelsGraphics;

//---- the driver ----------------------------------------------------------------------------------

static int find_cuda_functions(cudaDriver *c)
{
  void *found;
  int is_whole = 1;
#define CUDA_FIND(name, symbol, arguments)                                                         \
  found = dlsym(c->library, #symbol);                                                              \
  memcpy(&c->name, &found, sizeof found);                                                          \
  is_whole = is_whole && found;
  CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
  return is_whole;
}


static artStatus no_device(artError *error, const char *why)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "there is no GPU to run on: %.300s; install the driver of an "
                   "NVIDIA device, or choose the CPU (device cpu)",
                   why);
}


static const char *cuda_error_text(const cudaDriver *c, int status)
{
  const char *text = NULL;
  return c->tell(status, &text) == 0 && text ? text : "unknown error";
}


static artStatus say_cuda_status(const kernelsGraphics *g, int status, const char *what,
                                 artError *error)
{
  if (status == 0) return ART_OK;
  if (status == CUDA_NO_MEMORY) {
    return base_fail(error, ART_NO_MEMORY, base_nowhere(),
                     "%s has no memory for that (%s); take fewer instances, share parameters, or "
                     "choose the CPU (device cpu)",
                     g->device.name, what);
  }
  const char *remedy = "choose the CPU (device cpu)";
  if (status == CUDA_TOO_MUCH) {
    remedy = "the equations are too large for it: choose the CPU (device cpu)";
  } else if (status == CUDA_NO_BINARY || status == CUDA_BAD_PTX) {
    remedy = "the compiler made it for another device: install a CUDA toolkit that knows this one, "
             "or choose the CPU (device cpu)";
  }
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(), "%s failed on %s: %.200s (%d); %s", what,
                   g->device.name, cuda_error_text(&g->cuda, status), status, remedy);
}


static artStatus open_driver(kernelsGraphics *g, int number, artError *error)
{
  cudaDriver *c = &g->cuda;
  int n = 0, device = 0, major = 0, minor = 0;
  char why[120], name[100] = "a device";
  c->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!c->library) return no_device(error, "the library libcuda.so.1 is not here");
  if (!find_cuda_functions(c)) return no_device(error, "libcuda.so.1 is older than CUDA 11");
  int status = c->init(0);
  if (status == 0) status = c->count(&n);
  if (status) return no_device(error, cuda_error_text(c, status));
  if (number < 0 || number >= n) {
    snprintf(why, sizeof why, "device %d of %d is asked for", number, n);
    return no_device(error, why);
  }
  if (c->get(&device, number) || c->name(name, sizeof name, device) ||
      c->attribute(&major, CUDA_MAJOR, device) || c->attribute(&minor, CUDA_MINOR, device)) {
    return no_device(error, "it does not say what it is");
  }
  kernelsDevice *own = &g->device;
  if (c->attribute(&own->multiprocessors, CUDA_MULTIPROCESSORS, device)) own->multiprocessors = 0;
  if (c->attribute(&own->shared_bytes, CUDA_SHARED_BYTES, device)) own->shared_bytes = 0;
  g->number = device;
  snprintf(g->device.name, sizeof g->device.name, "%.90s", name);
  snprintf(g->device.target, sizeof g->device.target, "-arch=sm_%d%d", major, minor);
  status = c->retain(&g->context, device);
  g->has_context = status == 0;
  return say_cuda_status(g, status, "the beginning", error);
}


// $NVCC, or nvcc from PATH or its default folder; NULL: not found
static const char *nvcc_name(void)
{
  static const char usual[] = "/usr/local/cuda/bin/nvcc";
  const char *own = getenv("NVCC"), *path = getenv("PATH");
  if (own && own[strspn(own, " \t")]) return own;
  char file[FILE_PATH_LENGTH];
  for (const char *p = path; p && *p; p += strcspn(p, ":"), p += *p == ':') {
    const int length = (int) strcspn(p, ":");
    snprintf(file, sizeof file, "%.*s/nvcc", length < 4000 ? length : 4000, p);
    if (access(file, X_OK) == 0) return "nvcc";
  }
  return access(usual, X_OK) == 0 ? usual : NULL;
}


// nvcc, or the NVRTC library if $NVRTC requests it or there is no nvcc
static cacheTool choose_tool(void)
{
  static const char advice[] = "install the CUDA toolkit, name its nvcc in the environment "
                               "variable NVCC or its library in NVRTC, or choose the CPU "
                               "(device cpu)";
  const char *asked = getenv("NVRTC"), *nvcc = nvcc_name();
  const char *library = !nvcc || (asked && asked[0]) ? nvrtc_name() : NULL;
  if (library) return (cacheTool){library, no_flags, advice, "cu", nvrtc_compile};
  return (cacheTool){nvcc ? nvcc : "nvcc", flags, advice, "cu", NULL};
}


//---- memory and calls ----------------------------------------------------------------------------

static void close_graphics(kernelsDevice *device)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  if (g->has_context) g->cuda.use(g->context);
  if (g->is_twin) {
    g->cuda.close_stream(g->stream);
    mem_free(g);
    return;
  }
  if (g->module) g->cuda.unload(g->module);
  if (g->steps) g->cuda.unload(g->steps);
  if (g->has_context) g->cuda.release(g->number);
  if (g->cuda.library) dlclose(g->cuda.library);
  mem_free(g);
}


// the same kernels in a separate, concurrent stream
static kernelsDevice *make_twin(kernelsDevice *device)
{
  enum { WAITS_FOR_NONE = 1 };
  kernelsGraphics *g = MEM_ARRAY(kernelsGraphics, 1);
  if (!g) return NULL;
  *g = *(kernelsGraphics *) device;
  g->is_twin = 1;
  g->cuda.use(g->context);
  if (g->cuda.open_stream(&g->stream, WAITS_FOR_NONE) == 0) return &g->device;
  mem_free(g);
  return NULL;
}


static artStatus find_kernel(kernelsGraphics *g, kernelsName name, artError *error)
{
  void *module = name == KERNELS_RK4 && g->steps ? g->steps : g->module;
  if (g->kernel[name]) return ART_OK;
  return say_cuda_status(g, g->cuda.function(&g->kernel[name], module, kernels_symbol[name]),
                         kernels_symbol[name], error);
}


static artStatus load_image(kernelsGraphics *g, void **module, const char *library, artError *error)
{
  char *image = NULL;
  size_t size;
  artStatus status = cache_read(library, &image, &size, error);
  if (status != ART_OK) return status;
  g->cuda.use(g->context);
  if (*module) g->cuda.unload(*module);
  *module = NULL;
  memset(g->kernel, 0, sizeof g->kernel);
  status = say_cuda_status(g, g->cuda.load(module, image), "loading the kernels", error);
  mem_free(image);
  return status;
}


static artStatus gpu_load_steps(kernelsDevice *device, const char *library, artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  return load_image(g, &g->steps, library, error);
}


static artStatus load_module(kernelsDevice *device, const char *library, artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  artStatus status = load_image(g, &g->module, library, error);
  for (int i = 0; i < KERNELS_GATHER && status == ART_OK; i++) {
    status = find_kernel(g, (kernelsName) i, error);
  }
  return status;
}


static void *gpu_take_memory(kernelsDevice *device, size_t bytes)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  cudaAddress memory = 0;
  g->cuda.use(g->context);
  if (g->cuda.take(&memory, bytes) != 0) return NULL;
  g->cuda.clear(memory, 0, bytes, g->stream);
  g->cuda.end(g->stream);
  return (void *) (uintptr_t) memory;
}


static void gpu_give_memory(kernelsDevice *device, void *memory)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  if (!memory) return;
  g->cuda.use(g->context);
  g->cuda.give((uintptr_t) memory);
}


static artStatus gpu_put_numbers(kernelsDevice *device, void *to, const void *from, size_t bytes,
                                 artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  g->cuda.use(g->context);
  const int status = g->cuda.put((uintptr_t) to, from, bytes, g->stream);
  return say_cuda_status(g, status ? status : g->cuda.end(g->stream), "copying numbers to it",
                         error);
}


static artStatus gpu_bring_numbers(kernelsDevice *device, void *to, const void *from, size_t bytes,
                                   artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  g->cuda.use(g->context);
  const int status = g->cuda.bring(to, (uintptr_t) from, bytes, g->stream);
  return say_cuda_status(g, status ? status : g->cuda.end(g->stream), "copying numbers from it",
                         error);
}


static artStatus gpu_copy_numbers(kernelsDevice *device, void *to, const void *from, size_t bytes,
                                  artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  g->cuda.use(g->context);
  int status = g->cuda.wait(); // other streams do not wait for each other
  if (status == 0 && to != from) status = g->cuda.copy((uintptr_t) to, (uintptr_t) from, bytes);
  return say_cuda_status(g, status ? status : g->cuda.wait(), "copying numbers on it", error);
}


static artStatus share_row(kernelsDevice *device, const double *row, size_t bytes, artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  void *const module[] = {g->module, g->steps};
  int status = 0;
  g->cuda.use(g->context);
  for (int i = 0; i < 2 && module[i] && status == 0; i++) {
    cudaAddress memory = 0;
    size_t room = 0;
    status = g->cuda.global(&memory, &room, module[i], KERNELS_NAME "_shared");
    if (status == 0) status = g->cuda.put(memory, row, bytes < room ? bytes : room, g->stream);
  }
  if (status == 0) status = g->cuda.end(g->stream);
  return say_cuda_status(g, status, "sharing", error);
}


// kernels that evaluate the equations, with values in shared memory
static int does_kernel_evaluate(kernelsName kernel)
{
  return kernel == KERNELS_RATES || kernel == KERNELS_WEIGH || kernel == KERNELS_RK4 ||
         kernel == KERNELS_DOPRI5;
}


static int is_in_common(const kernelsGraphics *g, kernelsName kernel)
{
  return kernel == KERNELS_RK4 && g->step_block > 0;
}


static int shared_bytes_of(const kernelsGraphics *g, kernelsName kernel)
{
  if (is_in_common(g, kernel)) return g->step_bytes;
  return does_kernel_evaluate(kernel) ? g->shared_bytes : 0;
}


static artStatus gpu_fit_kernels(kernelsDevice *device, const int size[KERNELS_NUMBERS],
                                 artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  artStatus status = ART_OK;
  g->most = size[KERNELS_BLOCK];
  g->shared_bytes = size[KERNELS_SHARED_BYTES];
  g->step_block = size[KERNELS_STEP_BLOCK];
  g->step_bytes = size[KERNELS_STEP_BYTES];
  g->step_instances = size[KERNELS_STEP_INSTANCES];
  g->cuda.use(g->context);
  for (int i = 0; i < KERNELS && status == ART_OK; i++) {
    const int bytes = shared_bytes_of(g, (kernelsName) i);
    if (bytes == 0) continue;
    status = say_cuda_status(g, g->cuda.allow(g->kernel[i], CUDA_FUNCTION_SHARED_BYTES, bytes),
                             "giving it shared memory", error);
  }
  return status;
}


static artStatus gpu_run_kernel(kernelsDevice *device, const kernelsCall *c, artError *error)
{
  kernelsGraphics *g = (kernelsGraphics *) device;
  kernelsCall own = *c;
  void *of_sizes[] = {&own.size}, *of_rows[] = {&own.rows, &own.n};
  void *of_gather[] = {&own.batch, &own.rows, &own.n};
  void *of_rk4[] = {&own.batch, &own.step, &own.steps}, *plain[] = {&own.batch};
  void *of_dopri5[] = {&own.batch, &own.end, &own.step, &own.tolerance};
  void **arguments = c->kernel == KERNELS_SIZES     ? of_sizes
                     : c->kernel == KERNELS_PREPARE ? of_rows
                     : c->kernel == KERNELS_GATHER  ? of_gather
                     : c->kernel == KERNELS_RK4     ? of_rk4
                     : c->kernel == KERNELS_DOPRI5  ? of_dopri5
                                                    : plain;
  const int is_of_rows = c->kernel == KERNELS_PREPARE || c->kernel == KERNELS_GATHER;
  const long n = c->kernel == KERNELS_SIZES ? 1 : is_of_rows ? c->n : c->batch.n;
  const unsigned shared = (unsigned) shared_bytes_of(g, c->kernel);
  const int is_common = is_in_common(g, c->kernel);
  int block = is_common ? g->step_block : kernels_block(n, device->multiprocessors, g->most);
  int status = CUDA_TOO_MUCH;
  g->cuda.use(g->context);
  const artStatus found = find_kernel(g, c->kernel, error);
  if (found != ART_OK) return found;
  for (; block >= WARP && status == CUDA_TOO_MUCH; block = is_common ? 0 : block / 2) {
    const int each = is_common ? g->step_instances : block;
    const long blocks = (n + each - 1) / each;
    const unsigned grid = (unsigned) (blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
    status = g->cuda.launch(g->kernel[c->kernel], grid, 1, 1, (unsigned) block, 1, 1, shared,
                            g->stream, arguments, NULL);
  }
  return say_cuda_status(g, status ? status : g->cuda.end(g->stream), kernels_symbol[c->kernel],
                         error);
}


artStatus kernels_open_gpu(kernelsDevice **out, int number, artError *error)
{
  static const kernelsWays ways = {close_graphics,  make_twin,         load_module,
                                   gpu_load_steps,  gpu_take_memory,   gpu_give_memory,
                                   gpu_put_numbers, gpu_bring_numbers, gpu_copy_numbers,
                                   gpu_run_kernel,  gpu_fit_kernels,   share_row};
  *out = NULL;
  kernelsGraphics *g = MEM_ARRAY(kernelsGraphics, 1);
  if (!g) return base_no_memory(error);
  g->device.ways = &ways;
  g->device.tool = choose_tool();
  g->most = WARP; // until the kernels report it
  const artStatus status = open_driver(g, number, error);
  if (status != ART_OK) {
    close_graphics(&g->device);
    return status;
  }
  *out = &g->device;
  return ART_OK;
}
