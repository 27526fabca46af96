// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Central differences of order 6 with decreasing step sizes.
#include "num/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"

enum { LEVELS = 9 };


static double largest_difference(int n, const double *x, const double *y)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = max_nan(most, fabs(x[k] - y[k]));
  return most;
}


// f' = [45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3)] / 60 h + O(h^6);  *size: the largest |f|;
// sizes[n] (may be NULL): the same for each entry
static artStatus slope_at(const differenceFunction *f, int column, double h, double *ahead,
                          double *behind, double *slope, double *size, double *sizes,
                          artError *error)
{
  static const double WEIGHT[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  memset(slope, 0, (size_t) f->n * sizeof *slope);
  for (int i = 0; i < 3; i++) {
    const double s = (i + 1) * h;
    artStatus status = f->value(f->context, column, s, ahead, error);
    if (status == ART_OK) status = f->value(f->context, column, -s, behind, error);
    if (status != ART_OK) return status;
    *size = max_nan(*size, max_nan(max_magnitude(f->n, ahead), max_magnitude(f->n, behind)));
    for (int k = 0; k < f->n; k++) slope[k] += WEIGHT[i] * (ahead[k] - behind[k]) / h;
    for (int k = 0; sizes && k < f->n; k++) {
      sizes[k] = max_nan(sizes[k], max_nan(fabs(ahead[k]), fabs(behind[k])));
    }
  }
  return ART_OK;
}


// Two consecutive step sizes differ by the truncation error of the larger one and the rounding
// error of the smaller one; the pair with the smallest difference is used. Large steps may leave
// the domain of f: steps that cannot be evaluated are skipped.
artStatus difference_slope(const differenceFunction *f, int column, double *work, double *slope,
                           artError *error)
{
  ART_ASSERT(f->n >= 0 && f->value && column >= 0);
  const int n = f->n;
  const size_t bytes = (size_t) n * sizeof *slope;
  double *ahead = work, *behind = work + n, *now = work + 2 * n, *before = work + 3 * n;
  double best = HUGE_VAL, size = 0;
  artStatus status = ART_OK;
  int has_before = 0;

  double h = 1.0 / 16;
  for (int level = 0; level < LEVELS; level++, h /= 4) {
    status = slope_at(f, column, h, ahead, behind, now, &size, NULL, error);
    if (status == ART_STOPPED || status == ART_NO_MEMORY) return status;
    if (status == ART_OK && has_before) {
      const double gap = largest_difference(n, now, before);
      const double rounding = 4 * DBL_EPSILON * (size + max_magnitude(n, now)) / h;
      if (gap < best) {
        best = gap;
        memcpy(slope, gap > rounding ? now : before, bytes);
      }
      if (gap <= rounding) break;
    }
    has_before = status == ART_OK;
    memcpy(before, now, bytes);
    if (!isfinite(size)) size = 0;
  }
  if (best < HUGE_VAL) {
    // discard errors of large steps that left the domain
    base_forget(error);
    return ART_OK;
  }
  if (status != ART_OK) return status;
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                   "the forces have no derivative at this state: differences are not finite");
}


artStatus difference_rows(const differenceFunction *f, int column, double *work, double *slope,
                          artError *error)
{
  ART_ASSERT(f->n >= 0 && f->value && column >= 0);
  const int n = f->n;
  double *ahead = work, *behind = work + n, *now = work + 2 * n, *before = work + 3 * n;
  double *best = work + 4 * n, *sizes = work + 5 * n, size = 0;
  int has_before = 0, has_any = 0, open = n;
  for (int k = 0; k < n; k++) best[k] = HUGE_VAL, slope[k] = NAN;

  artStatus status = ART_OK;
  double h = 1.0 / 16;
  for (int level = 0; level < LEVELS && open > 0; level++, h /= 4) {
    memset(sizes, 0, (size_t) n * sizeof *sizes);
    status = slope_at(f, column, h, ahead, behind, now, &size, sizes, error);
    if (status == ART_STOPPED || status == ART_NO_MEMORY) return status;
    for (int k = 0; k < n && status == ART_OK && has_before; k++) {
      // best[k] < 0: the slope of this entry has reached rounding accuracy
      const double gap = fabs(now[k] - before[k]);
      const double rounding = 4 * DBL_EPSILON * (sizes[k] + fabs(now[k])) / h;
      if (!(gap < best[k])) continue;
      slope[k] = gap > rounding ? now[k] : before[k];
      best[k] = gap > rounding ? gap : -1;
      open -= gap <= rounding;
    }
    has_any |= status == ART_OK && has_before;
    has_before = status == ART_OK;
    memcpy(before, now, (size_t) n * sizeof *now);
  }
  if (!has_any) return status;
  base_forget(error);
  return ART_OK;
}


artStatus difference_matrix(const differenceFunction *f, int columns, double *work, double *J,
                            artError *error)
{
  artStatus status = ART_OK;
  for (int j = 0; j < columns && status == ART_OK; j++) {
    status = difference_slope(f, j, work, J + (long) j * f->n, error);
  }
  return status;
}
