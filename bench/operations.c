// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cost of operations in generated C, in additions: the numbers by which src/sched deals equations out to tasks.
//   operations
// Straight texts of many statements, compiled like generated ones and timed. A statement reads what statements shortly
// before it have made; one with few and one with many additions and products tell what an operation costs and
// what a statement does besides, whatever else is in a statement costs the rest. The shortest of many calls counts.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "emit/write/angles.h"
#include "load/cache.h"

enum { STATEMENTS = 3000, CALLS = 400, NEAR = 40, INPUTS = 16 };

// $ is a variable made before
typedef struct benchKind {
  const char *name, *statement;
  int plain; // additions and products in it
} benchKind;

static const benchKind kinds[] = {
    {"addition, product", "0.5*($ + $)", 2},
    {"statement", "0.1*($*$ + $*$ + $*$ + $*$ + $)", 9},
    {"quotient", "0.5*($ + $)/($ + 1.5)", 3},
    {"root", "sqrt(0.5*($ + $))", 2},
    {"absolute value", "fabs(0.5*($ + $))", 2},
    {"larger of two", "fmax(0.5*($ + $), $)", 2},
    {"choice", "$ > $ ? 0.5*($ + $) : $", 2},
    {"sine, by the library", "sin(0.5*($ + $))", 2},
    {"atan", "atan(0.5*($ + $))", 2},
    {"atan2", "atan2(0.5*($ + $), $)", 2},
    {"exp", "exp(-0.5*($ + $))", 2},
    {"pow", "pow(0.5*($ + $), $)", 2},
    {"tanh", "tanh(0.5*($ + $))", 2},
    {"call of another function", "bench_far(0.5*($ + $))", 2},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef void benchCall(const double *x, double *y);

//---- texts ---------------------------------------------------------------------------------------

static unsigned draw(unsigned *seed, unsigned n)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % n;
}


static void print_statement(FILE *out, const benchKind *kind, unsigned i, unsigned *seed)
{
  fprintf(out, "  const double w%u = ", i);
  for (const char *c = kind->statement; *c; c++) {
    if (*c != '$') {
      fputc(*c, out);
    } else if (i < NEAR) {
      fprintf(out, "x[%u]", draw(seed, INPUTS));
    } else {
      fprintf(out, "w%u", i - 1 - draw(seed, NEAR));
    }
  }
  fputs(";\n", out);
}


// numbers that are not read later are results, so nothing can be left out
static void print_text(FILE *out, const benchKind *kind)
{
  unsigned seed = 7;
  fputs("#include <math.h>\ndouble bench_far(double x);\n"
        "__attribute__((noipa)) double bench_far(double x) { return x; }\n"
        "__attribute__((visibility(\"default\"))) void bench(const double *x, double *y);\n"
        "void bench(const double *restrict x, double *restrict y)\n{\n",
        out);
  for (unsigned i = 0; i < STATEMENTS; i++) {
    print_statement(out, kind, i, &seed);
    if (i % 4 == 0) fprintf(out, "  y[%u] = w%u;\n", i / 4, i);
  }
  fputs("}\n", out);
}


static void print_angles(FILE *out)
{
  fputs("#include <math.h>\n", out);
  angles_define(out, "bench");
  fputs("__attribute__((visibility(\"default\"))) void bench(const double *x, double *y);\n"
        "void bench(const double *restrict x, double *restrict y)\n{\n",
        out);
  for (int i = 0; i < STATEMENTS / 4; i++) {
    fprintf(out,
            "  bench_sincos(4, (const double[]){x[%d], x[%d], x[%d], x[%d]}, y + %d, y + %d);\n",
            i % 16, (i + 1) % 16, (i + 2) % 16, (i + 3) % 16, i % 64 * 8, i % 64 * 8 + 4);
  }
  fputs("}\n", out);
}

//---- times ---------------------------------------------------------------------------------------

// seconds of one statement, or NAN
static double time_text(const benchKind *kind, artError *error)
{
  static const char *const more[] = {"-ffp-contract=off", NULL};
  char path[FILE_PATH_LENGTH];
  cacheText text;
  if (cache_begin(&text, error) != ART_OK) return NAN;
  text.more = more;
  if (kind) {
    print_text(text.out, kind);
  } else {
    print_angles(text.out);
  }
  if (cache_compile(&text, path, error) != ART_OK) return NAN;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  benchCall *call = NULL;
  if (library) *(void **) &call = dlsym(library, "bench");
  static double x[INPUTS], y[STATEMENTS];
  for (int i = 0; i < INPUTS; i++) x[i] = 0.3 + 0.05 * i;
  double least = call ? INFINITY : NAN;
  for (int i = 0; call && i < CALLS; i++) {
    const double begin = base_now();
    call(x, y);
    least = fmin(least, base_now() - begin);
  }
  if (library) dlclose(library);
  return least / STATEMENTS;
}


int main(void)
{
  artError error = {0};
  double time[KINDS];
  for (int k = 0; k < KINDS; k++) time[k] = time_text(&kinds[k], &error);
  const double angle = time_text(NULL, &error);
  if (error.status != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }

  // t = statement + n addition, twice
  const double one = (time[1] - time[0]) / (kinds[1].plain - kinds[0].plain);
  const double statement = time[0] - kinds[0].plain * one;
  printf("%-28s %8s %10s\n", "", "ns", "additions");
  printf("%-28s %8.3f %10.1f\n", kinds[0].name, 1e9 * one, 1.0);
  printf("%-28s %8.3f %10.1f\n", kinds[1].name, 1e9 * statement, statement / one);
  for (int k = 2; k < KINDS; k++) {
    const double own = time[k] - statement - kinds[k].plain * one;
    printf("%-28s %8.3f %10.1f\n", kinds[k].name, 1e9 * own, own / one);
  }
  printf("%-28s %8.3f %10.1f\n", "sine and cosine, together", 1e9 * angle, angle / one);
  return 0;
}
