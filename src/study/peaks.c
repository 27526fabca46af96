// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Maxima by golden sections between places that enclose them.
#include "study/peaks.h"

#include <stdlib.h>

#include "base/error.h"

enum { MOST_SECTIONS = 80 };

static const double GOLDEN = 0.61803398874989485; // (sqrt(5) - 1) / 2
static const double NARROW = 1e-9;                // of x
static const double FLAT = 1e-9;                  // of y: less above the neighbours is rounding


static int stands_out(double before, double here, double after)
{
  return here > before * (1 + FLAT) && here > after * (1 + FLAT);
}


// the top of function k between a and b
static artStatus refine(const peakFunctions *f, int k, double a, double b, double *y, peak *top,
                        artError *error)
{
  double x[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)}, value[2];
  artStatus status = ART_OK;
  for (int i = 0; i < 2 && status == ART_OK; i++) {
    status = f->values(f->context, x[i], y, error);
    value[i] = y[k];
  }
  for (int i = 0; i < MOST_SECTIONS && b - a > NARROW * b && status == ART_OK; i++) {
    const int right = value[1] > value[0];
    if (right) {
      a = x[0], x[0] = x[1], value[0] = value[1];
      x[1] = a + GOLDEN * (b - a);
    } else {
      b = x[1], x[1] = x[0], value[1] = value[0];
      x[0] = b - GOLDEN * (b - a);
    }
    status = f->values(f->context, x[right], y, error);
    value[right] = y[k];
  }
  const int right = value[1] > value[0];
  *top = (peak){k, x[right], value[right]};
  return status;
}


static int by_function_then_height(const void *a, const void *b)
{
  const peak *p = a, *q = b;
  if (p->function != q->function) return p->function < q->function ? -1 : 1;
  if (p->y != q->y) return p->y > q->y ? -1 : 1;
  return p->x < q->x ? -1 : 1;
}


void peaks_sort(peak *list, int count)
{
  qsort(list, (size_t) count, sizeof *list, by_function_then_height);
}


artStatus peaks_find(const peakFunctions *f, int nx, const double *x, baseArena *arena, peak **list,
                     int *count, artError *error)
{
  const size_t n = (size_t) f->n, rows = (size_t) nx;
  double *all = arena_alloc(arena, rows * n, sizeof *all), *y = arena_alloc(arena, n, sizeof *y);
  *list = arena_alloc(arena, rows * n, sizeof **list);
  *count = 0;
  if (!all || !y || !*list) return base_no_memory(error);
  artStatus status = ART_OK;
  for (int i = 0; i < nx && status == ART_OK; i++) {
    status = f->values(f->context, x[i], all + (size_t) i * n, error);
  }
  for (int i = 1; i + 1 < nx; i++) {
    const double *here = all + (size_t) i * n;
    for (int k = 0; k < f->n && status == ART_OK; k++) {
      if (!stands_out(here[k - f->n], here[k], here[k + f->n])) continue;
      status = refine(f, k, x[i - 1], x[i + 1], y, *list + (*count)++, error);
    }
  }
  if (status == ART_OK) peaks_sort(*list, *count);
  return status;
}
