// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "contact/broad_phase.h"

#include <float.h>
#include <math.h>

#include "base/error.h"

// of the way of a sphere, of its radius and of its place: by this its box is wider
static const double BEYOND_WAY = 0.25, BEYOND_SIZE = 1e-6, ROUNDING = 64 * DBL_EPSILON;


// Shell 1959, with the increments of Ciura 2001.
void broad_sort(int n, int *list, const double *key)
{
  static const int STEP[] = {1000000, 444444, 197530, 87791, 39018, 17341, 7707, 3425, 1522,
                             701,     301,    132,    57,    23,    10,    4,    1};
  for (size_t s = 0; s < sizeof STEP / sizeof *STEP; s++) {
    const int step = STEP[s];
    for (int i = step; i < n; i++) {
      const int own = list[i];
      const double value = key ? key[own] : own;
      int k = i;
      for (; k >= step && (key ? key[list[k - step]] : list[k - step]) > value; k -= step) {
        list[k] = list[k - step];
      }
      list[k] = own;
    }
  }
}


static double pair_code(int n, int one, int two)
{
  return one < two ? (double) one * n + two : (double) two * n + one;
}


int broad_take(broadPhase *b, baseArena *arena, int n, int npair)
{
  *b = (broadPhase){.n = 0};
  const size_t count = (size_t) n + 1, pairs = (size_t) npair + 1;
  return ARENA_TAKE(arena, b->box, count) && ARENA_TAKE(arena, b->order, count) &&
         ARENA_TAKE(arena, b->low, count) && ARENA_TAKE(arena, b->code, pairs) &&
         ARENA_TAKE(arena, b->sorted, pairs) && ARENA_TAKE(arena, b->pair, pairs) &&
         ARENA_TAKE(arena, b->found, pairs);
}


void broad_set_pairs(broadPhase *b, int n, int npair, const int (*pair)[2])
{
  b->n = n, b->npair = npair, b->nfound = 0;
  for (int i = 0; i < n; i++) b->order[i] = i;
  for (int i = 0; i < npair; i++) {
    ART_ASSERT(pair[i][0] >= 0 && pair[i][0] < n && pair[i][1] >= 0 && pair[i][1] < n);
    b->code[i] = pair_code(n, pair[i][0], pair[i][1]);
    b->pair[i] = i;
  }
  broad_sort(npair, b->pair, b->code);
  for (int i = 0; i < npair; i++) b->sorted[i] = b->code[b->pair[i]];
}


static int is_finite_box(const broadBox *box)
{
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += 0 * box->low[k] + 0 * box->high[k];
  return sum == 0;
}


// the axis along which the middles of boxes vary most
static int widest_axis(const broadPhase *b)
{
  double sum[3] = {0}, square[3] = {0};
  int count = 0, best = 0;
  for (int i = 0; i < b->n; i++) {
    if (!is_finite_box(&b->box[i])) continue;
    count++;
    for (int k = 0; k < 3; k++) {
      const double x = 0.5 * (b->box[i].low[k] + b->box[i].high[k]);
      const double away = x - sum[k];
      sum[k] += away / count;
      square[k] += away * (x - sum[k]);
    }
  }
  for (int k = 1; k < 3; k++) best = square[k] > square[best] ? k : best;
  return best;
}


static void add_pairs(broadPhase *b, int one, int two)
{
  const double code = pair_code(b->n, one, two);
  int from = 0, to = b->npair;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (b->sorted[middle] < code) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  for (; from < b->npair && b->sorted[from] == code; from++) b->found[b->nfound++] = b->pair[from];
}


static int overlap(const broadBox *a, const broadBox *b)
{
  for (int k = 0; k < 3; k++) {
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return 0;
  }
  return 1;
}


void broad_find(broadPhase *b)
{
  const int axis = widest_axis(b);
  for (int i = 0; i < b->n; i++) {
    broadBox *box = &b->box[i];
    if (!is_finite_box(box)) {
      for (int k = 0; k < 3; k++) box->low[k] = -INFINITY, box->high[k] = INFINITY;
    }
    b->low[i] = box->low[axis];
  }
  broad_sort(b->n, b->order, b->low);
  b->nfound = 0;
  for (int i = 0; i < b->n; i++) {
    const int one = b->order[i];
    const double end = b->box[one].high[axis];
    for (int k = i + 1; k < b->n && b->low[b->order[k]] <= end; k++) {
      if (overlap(&b->box[one], &b->box[b->order[k]])) add_pairs(b, one, b->order[k]);
    }
  }
  broad_sort(b->nfound, b->found, NULL);
}


// A cubic lies among its Bezier points  a,  a + h/3 a',  b - h/3 b',  b.
broadBox broad_sphere_box(const double from[3], const double from_rate[3], const double to[3],
                          const double to_rate[3], double h, double radius)
{
  broadBox box;
  for (int k = 0; k < 3; k++) {
    const double c = from[k] + h / 3 * from_rate[k], d = to[k] - h / 3 * to_rate[k];
    const double low = fmin(fmin(from[k], to[k]), fmin(c, d));
    const double high = fmax(fmax(from[k], to[k]), fmax(c, d));
    const double more = radius * (1 + BEYOND_SIZE) + BEYOND_WAY * (high - low) +
                        ROUNDING * (fabs(low) + fabs(high)) + 0 * (c + d);
    box.low[k] = low - more;
    box.high[k] = high + more;
  }
  return box;
}


double contact_bound(const contactSide *side)
{
  const double *half = side->half;
  switch (side->shape) {
  case CONTACT_BOX:
  case CONTACT_ELLIPSOID: return hypot(hypot(half[0], half[1]), half[2]);
  case CONTACT_HULL: return side->hull->size;
  case CONTACT_SEGMENT: return half[2] + side->radius;
  case CONTACT_FRUSTUM: return hypot(fmax(side->radius, side->top), half[2]);
  case CONTACT_RIM: return side->radius + side->tube;
  case CONTACT_BALL: return side->radius;
  default: return INFINITY;
  }
}
