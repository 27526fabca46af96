// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A driver of fuzz targets for compilers without libFuzzer, and for many executions a second: gcc calls
// __sanitizer_cov_trace_pc on every branch (-fsanitize-coverage=trace-pc), and an input that comes where none has been is kept
// and changed further. Jobs are processes that share nothing but their counts.
//
//   PROGRAM SECONDS JOBS KEPT-FOLDER DICTIONARY [FILE...]     new inputs go to the folder; a dictionary may be ""
//   PROGRAM 0 1 KEPT-FOLDER "" FILE...                        keep the smallest inputs that reach all that the files reach
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

enum { MAX_INPUTS = 100000, MAX_WORDS = 2000, LONGEST_INPUT = 1 << 15, EDGES = 1 << 18 };
enum { HANG_SECONDS = 20, ROUND = 256 };

typedef struct input {
  uint8_t *bytes;
  size_t size;
} input;

typedef struct jobCount {
  atomic_long executions, edges, kept;
} jobCount;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
    __attribute__((weak));
void __sanitizer_cov_trace_pc(void);

static unsigned char seen[EDGES];
static long nedge;
static input inputs[MAX_INPUTS], words[MAX_WORDS];
static int ninput, nword, nseed;
static uint64_t state = 88172645463325252u;
static uint8_t present[LONGEST_INPUT];
static size_t present_size;
static char broken_path[300];


//---- coverage ------------------------------------------------------------------------------------

// an edge is a pair of branches one after the other
void __sanitizer_cov_trace_pc(void)
{
  static uintptr_t before;
  const uintptr_t here = (uintptr_t) __builtin_return_address(0);
  const uintptr_t edge = (here ^ before) * 0x9e3779b97f4a7c15u >> 46;
  before = here >> 1;
  if (seen[edge]) return;
  seen[edge] = 1;
  nedge++;
}


//---- inputs --------------------------------------------------------------------------------------

static uint64_t next_random(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}


static size_t below(size_t n)
{
  return n ? next_random() % n : 0;
}


static void keep(input *list, int *n, int most, const uint8_t *bytes, size_t size)
{
  if (*n == most) return;
  list[*n].bytes = malloc(size + 1);
  REQUIRE(list[*n].bytes);
  memcpy(list[*n].bytes, bytes, size);
  list[(*n)++].size = size;
}


static void read_file(const char *path)
{
  size_t size;
  char *bytes = fuzz_read(path, &size);
  if (size <= LONGEST_INPUT) keep(inputs, &ninput, MAX_INPUTS, (uint8_t *) bytes, size);
  free(bytes);
}


// lines "word" of the dictionary
static void read_words(const char *path)
{
  char line[300];
  FILE *file = path[0] ? fopen(path, "r") : NULL;
  while (file && fgets(line, sizeof line, file)) {
    char *from = strchr(line, '"'), *to = strrchr(line, '"');
    if (line[0] == '#' || !from || to <= from + 1) continue;
    keep(words, &nword, MAX_WORDS, (uint8_t *) from + 1, (size_t) (to - from - 1));
  }
  if (file) fclose(file);
}


static void write_input(const char *folder, const uint8_t *bytes, size_t size)
{
  uint64_t hash = 14695981039346656037u;
  char path[400];
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  snprintf(path, sizeof path, "%s/%016llx", folder, (unsigned long long) hash);
  FILE *file = fopen(path, "wb");
  if (!file) return;
  fwrite(bytes, 1, size, file);
  fclose(file);
}


//---- changes -------------------------------------------------------------------------------------

static size_t put_bytes(uint8_t *data, size_t size, size_t most, size_t at, size_t old,
                        const uint8_t *by, size_t n)
{
  if (size - old + n > most) return size;
  memmove(data + at + n, data + at + old, size - at - old);
  memcpy(data + at, by, n);
  return size - old + n;
}


size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
  static const char *const numbers[] = {"0",   "-1",         "1e308",  "nan",
                                        "inf", "2147483648", "1e-320", ""};
  uint8_t other[64];
  const size_t at = below(size + 1), old = below(size - at + 1);
  const size_t little = old < 16 ? old : below(16);
  switch (below(8)) {
  case 0:
    if (at < size) data[at] ^= (uint8_t) (1u << below(8));
    return size;
  case 1:
    if (at < size) data[at] = (uint8_t) below(256);
    return size;
  case 2: return put_bytes(data, size, most, at, little, other, 0);
  case 3:
    for (size_t i = 0; i < sizeof other; i++) other[i] = (uint8_t) below(256);
    return put_bytes(data, size, most, at, 0, other, 1 + below(8));
  case 4:
    if (nword == 0) return size;
    {
      const input *word = &words[below((size_t) nword)];
      return put_bytes(data, size, most, at, below(2) ? little : 0, word->bytes, word->size);
    }
  case 5: {
    const char *number = numbers[below(8)];
    return put_bytes(data, size, most, at, little, (const uint8_t *) number, strlen(number));
  }
  case 6: { // a piece of itself elsewhere
    const size_t n = old < sizeof other ? old : below(sizeof other);
    memcpy(other, data + at, n);
    return put_bytes(data, size, most, below(size + 1), 0, other, n);
  }
  default: { // the rest of another input
    if (ninput == 0) return size;
    const input *in = &inputs[below((size_t) ninput)];
    const size_t from = below(in->size + 1);
    return put_bytes(data, size, most, at, size - at, in->bytes + from, in->size - from);
  }
  }
}


//---- executions ----------------------------------------------------------------------------------

static void report_broken(int number)
{
  const int file = open(broken_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, present, present_size) >= 0) close(file);
  dprintf(2, "signal %d: the input is in %s\n", number, broken_path);
  _exit(3);
}


static long execute(void)
{
  const long before = nedge;
  LLVMFuzzerTestOneInput(present, present_size);
  return nedge - before;
}


// the shorter one of two: it takes less time, and what is changed matters more
static const input *choose_input(void)
{
  const input *a = &inputs[below((size_t) ninput)], *b = &inputs[below((size_t) ninput)];
  return a->size < b->size ? a : b;
}


static void change_input(void)
{
  const input *in = choose_input();
  present_size = in->size;
  memcpy(present, in->bytes, in->size);
  for (size_t k = 1 + below(4); k > 0; k--) {
    present_size = LLVMFuzzerCustomMutator && below(2)
                       ? LLVMFuzzerCustomMutator(present, present_size, sizeof present,
                                                 (unsigned) next_random())
                       : LLVMFuzzerMutate(present, present_size, sizeof present);
  }
}


static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}


static int do_job(int job, double seconds, const char *folder, jobCount *count)
{
  const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], report_broken);
  state += 0x9e3779b97f4a7c15u * (uint64_t) (job + 1);
  snprintf(broken_path, sizeof broken_path, "%s/broken-%d", folder, (int) getpid());
  for (int i = 0; i < nseed; i++) {
    present_size = inputs[i].size;
    memcpy(present, inputs[i].bytes, present_size);
    alarm(HANG_SECONDS);
    if (execute() > 0 && seconds == 0) {
      write_input(folder, present, present_size);
      count->kept++;
    }
    count->executions++;
  }
  for (const double until = now() + seconds; seconds > 0 && now() < until;) {
    alarm(HANG_SECONDS);
    for (int i = 0; i < ROUND; i++) {
      change_input();
      if (execute() == 0) continue;
      keep(inputs, &ninput, MAX_INPUTS, present, present_size);
      write_input(folder, present, present_size);
      count->kept++;
    }
    count->executions += ROUND;
    count->edges = nedge;
  }
  count->edges = nedge;
  exit(0); // with what the target does at its end
}


static int by_size(const void *one, const void *two)
{
  const size_t a = ((const input *) one)->size, b = ((const input *) two)->size;
  return a < b ? -1 : a > b;
}


int main(int argc, char **argv)
{
  if (argc < 6) {
    fprintf(stderr, "usage: %s SECONDS JOBS FOLDER DICTIONARY FILE...\n", argv[0]);
    return 2;
  }
  const double seconds = atof(argv[1]), begin = now();
  const int jobs = atoi(argv[2]) > 0 ? atoi(argv[2]) : 1;
  read_words(argv[4]);
  for (int i = 5; i < argc; i++) read_file(argv[i]);
  qsort(inputs, (size_t) ninput, sizeof *inputs, by_size);
  nseed = ninput;
  REQUIRE(ninput > 0);
  jobCount *count = mmap(NULL, (size_t) jobs * sizeof *count, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(count != MAP_FAILED);
  for (int job = 0; job < jobs; job++) {
    if (fork() == 0) return do_job(job, seconds, argv[3], &count[job]);
  }
  int broken = 0;
  long executions = 0, edges = 0, kept = 0;
  for (int status; wait(&status) > 0;) broken += status != 0;
  for (int job = 0; job < jobs; job++) {
    executions += count[job].executions;
    kept += count[job].kept;
    if (count[job].edges > edges) edges = count[job].edges;
  }
  const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
  printf("%s executions %ld seconds %.0f jobs %d edges %ld kept %ld broken %d\n", name, executions,
         now() - begin, jobs, edges, kept, broken);
  return broken > 0;
}
