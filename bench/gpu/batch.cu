// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps of a machine in source of `articula generate --language cuda`, many instances at once: how many a second, whether
// they give bit-identical results again, and how far they are from the same source compiled for the CPU.
//
//   nvcc -O3 -arch=sm_90 -DTEXT='"car.cu"' -DMACHINE=car batch.cu -o batch -ldl
//   cc -x c -O2 -shared -fPIC car.cu -o car.so -lm
//
// -DVARIED with -Dcar_VARIED gives every instance parameters of its own, which have the values of the model here; -DSPILL with
// -Dcar_SPILL spills registers to shared memory, -DSUBTREES with -Dcar_SUBTREES gives subtrees a thread each, where the head of the source
// offers that.
//
//   ./batch 131072 20 1e-3 car.so [blocks]      instances, steps, their length, the source for the CPU
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include TEXT

#define JOINED(a, b)  a##b
#define NAME_OF(a, b) JOINED(a, b)
#define OF(word)      NAME_OF(MACHINE, word)
#define QUOTED(x)     #x
#define TEXT_OF(x)    QUOTED(x)
#ifndef OPERATIONS
#define OPERATIONS 0
#endif

typedef OF(_batch) batch;
#ifdef SPILL
enum { SHARED_BYTES = OF(_SHARED_BYTES) };
#else
enum { SHARED_BYTES = 0 };
#endif
enum { ROW = OF(_NKNOWN), BLOCK = OF(_BLOCK), TEAM = OF(_TEAM) };

// of the kernel that makes the steps: threads of a block, instances of it, shared memory
#ifdef SUBTREES
enum { LAUNCHED = OF(_SUBTREE_BLOCK), EACH = OF(_SUBTREE_INSTANCES), BYTES = OF(_SUBTREE_BYTES) };
#else
enum {
  LAUNCHED = TEAM > 0 ? 32*TEAM : BLOCK,
  EACH = TEAM > 0 ? 32 : BLOCK,
  BYTES = TEAM > 0 ? OF(_TEAM_BYTES) : SHARED_BYTES
};
#endif

static void check(cudaError_t status, const char *what)
{
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}


template <class T> static T *room(size_t n)
{
  T *p;
  check(cudaMalloc((void **) &p, (n + 1)*sizeof(T)), "memory");
  check(cudaMemset(p, 0, (n + 1)*sizeof(T)), "memory");
  return p;
}


// numbers between -1 and 1 that are the same everywhere
static double noise(unsigned long long k)
{
  k = (k + 1)*0x9e3779b97f4a7c15ull;
  k = (k ^ (k >> 30))*0xbf58476d1ce4e5b9ull;
  k = (k ^ (k >> 27))*0x94d049bb133111ebull;
  return (double) ((k ^ (k >> 31)) >> 11)*0x1p-52 - 1;
}


// states near the one of the model, another of each instance
static void scatter(std::vector<real> &x, long n, long from)
{
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < NX - 1; k++) {
      const double r = noise((unsigned long long) ((from + i)*NX + k));
      x[k*n + i] += k < NQ ? 1e-4*r : 1e-2*r*(1e-2 + fabs(x[k*n + i]));
    }
  }
}


// the same instances by the CPU
static double compare(const char *library, const std::vector<real> &start,
                      const std::vector<real> &end, const std::vector<real> &u, long n, double h,
                      int steps)
{
  enum { SAMPLE = 32 };
  void *text = dlopen(library, RTLD_NOW);
  if (!text) {
    fprintf(stderr, "%s\n", dlerror());
    return NAN;
  }
  const long m = n < SAMPLE ? n : (long) SAMPLE;
  std::vector<real> x(NX*m), own(ROW*m), input(NU*m + 1);
  std::vector<double> t(m), length(m), failed(m);
  std::vector<int> status(m), choice(m);
  batch b = {};
  b.n = m, b.x = x.data(), b.u = input.data(), b.t = t.data(), b.length = length.data();
  b.status = status.data(), b.choice = choice.data(), b.failed_at = failed.data();
  b.own = own.data();
  ((void (*)(batch)) dlsym(text, TEXT_OF(MACHINE) "_begin"))(b);
  real *shared = (real *) dlsym(text, TEXT_OF(MACHINE) "_shared");
  for (int k = 0; k < ROW; k++) shared[k] = own[k*m];
  ((void (*)(real *, long)) dlsym(text, TEXT_OF(MACHINE) "_prepare"))(shared, 1);
  for (int k = 0; k < NX; k++) {
    for (long i = 0; i < m; i++) x[k*m + i] = start[k*n + i];
  }
  ((void (*)(batch, double, int)) dlsym(text, TEXT_OF(MACHINE) "_rk4"))(b, h, steps);
  double worst = 0;
  for (long i = 0; i < m; i++) {
    double size = 0, error = 0;
    for (int k = 0; k < NX; k++) {
      size = fmax(size, fabs(x[k*m + i]));
      const double e = fabs(x[k*m + i] - end[k*n + i]);
      if (!(e <= error)) error = e;
    }
    if (!(error/size <= worst)) worst = error/size;
  }
  return worst;
}


static unsigned long long sum_of(const std::vector<real> &x)
{
  unsigned long long sum = 0;
  for (size_t i = 0; i < x.size(); i++) {
    unsigned long long bits;
    memcpy(&bits, &x[i], sizeof bits);
    sum = sum*6364136223846793005ull + bits;
  }
  return sum;
}


int main(int argc, char **argv)
{
  const long n = argc > 1 ? atol(argv[1]) : 131072;
  const int steps = argc > 2 ? atoi(argv[2]) : 20;
  const double h = argc > 3 ? atof(argv[3]) : 1e-3;
  const char *library = argc > 4 && strcmp(argv[4], "-") != 0 ? argv[4] : NULL;
  const int asked = argc > 5 ? atoi(argv[5]) : 0;
  const int blocks = (int) ((n + BLOCK - 1)/BLOCK);
  const int groups = asked > 0 ? asked : (int) ((n + EACH - 1)/EACH);
  batch b = {};
  b.n = n;
  b.t = room<double>(n), b.x = room<real>(NX*n), b.u = room<real>(NU*n), b.length = room<double>(n);
  b.status = room<int>(n), b.choice = room<int>(n), b.failed_at = room<double>(n);

#ifdef VARIED
  b.own = room<real>((size_t) ROW*n);
#endif

  // one row for all
  real *row = room<real>(ROW);
  batch one = {};
  one.n = 1, one.t = room<double>(1), one.x = room<real>(NX), one.u = room<real>(NU);
  one.status = room<int>(1), one.choice = room<int>(1), one.failed_at = room<double>(1);
  one.own = row;
  OF(_begin)<<<1, 1>>>(one);
  OF(_prepare)<<<1, 1>>>(row, 1);
  check(cudaMemcpyToSymbol(OF(_shared), row, ROW*sizeof(real), 0, cudaMemcpyDeviceToDevice), "row");

  if (BYTES > 0) {
    check(cudaFuncSetAttribute(OF(_rk4), cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES),
          "shared memory");
  }
  std::vector<real> start(NX*n), end(NX*n), input(NU*n + 1);
  unsigned long long bits[2];
  double best = 1e30;
  int failed = 0;
  for (int round = 0; round < 3; round++) {
    OF(_begin)<<<blocks, BLOCK>>>(b);
    if (b.own) OF(_prepare)<<<blocks, BLOCK>>>(b.own, n);
    check(cudaMemcpy(start.data(), b.x, start.size()*sizeof(real), cudaMemcpyDeviceToHost), "copy");
    scatter(start, n, 0);
    check(cudaMemcpy(b.x, start.data(), start.size()*sizeof(real), cudaMemcpyHostToDevice), "copy");
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    cudaEventRecord(from);
    OF(_rk4)<<<groups, LAUNCHED, BYTES>>>(b, h, steps);
    cudaEventRecord(to);
    check(cudaDeviceSynchronize(), "kernel");
    float ms;
    cudaEventElapsedTime(&ms, from, to);
    if (ms < best) best = ms;
    check(cudaMemcpy(end.data(), b.x, end.size()*sizeof(real), cudaMemcpyDeviceToHost), "copy");
    if (round > 0) bits[round - 1] = sum_of(end);
  }
  std::vector<int> status(n);
  check(cudaMemcpy(status.data(), b.status, n*sizeof(int), cudaMemcpyDeviceToHost), "copy");
  for (long i = 0; i < n; i++) failed += status[i] != 0;
  const double evaluations = (double) n*(4.0*steps + 1);
  printf("%-16s n %8ld blocks %6d of %4d  %9.3f ms  %8.3f M steps/s  %9.3f M evaluations/s  %7.3f T "
         "operations/s  failed %d  bits %s",
         TEXT_OF(MACHINE), n, groups, (int) LAUNCHED, best, (double) n*steps/best/1e3,
         evaluations/best/1e3, evaluations*OPERATIONS/best/1e9, failed,
         bits[0] == bits[1] ? "same" : "DIFFER");
  if (library) printf("  processor %.2e", compare(library, start, end, input, n, h, steps));
  printf("\n");
  return bits[0] != bits[1];
}
