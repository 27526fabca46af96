// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: limits of axes, places on them, and ticks at round values.
#include "io/plot.h"

#include <math.h>

static const double MARGIN = 0.04; // of the range, above and below curves


//---- limits --------------------------------------------------------------------------------------

static bool has_place(const plotAxis *axis, double value)
{
  return isfinite(value) && (!axis->is_log || value > 0);
}


static void include(plotAxis *axis, double value)
{
  axis->low = fmin(axis->low, value);
  axis->high = fmax(axis->high, value);
}


// a range that is not empty, wider by a margin
static void widen(plotAxis *axis, double margin)
{
  if (!(axis->low <= axis->high)) {
    axis->low = axis->is_log ? 1 : 0;
    axis->high = axis->is_log ? 10 : 1;
  } else if (axis->is_log) {
    const double factor = axis->low < axis->high ? pow(axis->high / axis->low, margin) : 2;
    axis->low /= factor;
    axis->high *= factor;
  } else {
    const double size = fmax(fabs(axis->low), fabs(axis->high));
    const double range = axis->high - axis->low;
    const double more = range > 1e-12 * size ? margin * range : size > 0 ? 0.1 * size : 1;
    axis->low -= more;
    axis->high += more;
  }
}


void plot_fit(ioPlot *plot)
{
  plot->x.low = INFINITY, plot->x.high = -INFINITY;
  for (int k = 0; k < plot->npane; k++) {
    plot->pane[k].low = INFINITY, plot->pane[k].high = -INFINITY;
  }
  for (int c = 0; c < plot->ncurve; c++) {
    const plotCurve *curve = &plot->curve[c];
    plotAxis *y = &plot->pane[curve->pane];
    for (long i = 0; i < curve->n; i++) {
      if (!has_place(&plot->x, curve->x[i]) || !has_place(y, curve->y[i])) continue;
      include(&plot->x, curve->x[i]);
      include(y, curve->y[i]);
    }
  }
  widen(&plot->x, 0);
  for (int k = 0; k < plot->npane; k++) widen(&plot->pane[k], MARGIN);
}


double plot_place(const plotAxis *axis, double value)
{
  if (!has_place(axis, value)) return NAN;
  if (axis->is_log) return log(value / axis->low) / log(axis->high / axis->low);
  return (value - axis->low) / (axis->high - axis->low);
}


//---- ticks ---------------------------------------------------------------------------------------

// the least of 1, 2, 5 times a power of ten that is not below x
static double round_step(double x)
{
  const double power = pow(10, floor(log10(x)));
  static const double FACTOR[] = {1, 2, 5};
  for (int i = 0; i < 3; i++) {
    if (FACTOR[i] * power >= x * (1 - 1e-9)) return FACTOR[i] * power;
  }
  return 10 * power;
}


// multiples of `step` between the limits, or with rounding on them
static int multiples(double low, double high, double step, double at[PLOT_TICKS])
{
  int n = 0;
  const double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
  for (double k = first; k <= last && n < PLOT_TICKS; k++) at[n++] = k * step + 0.0;
  return n;
}


static int linear_ticks(const plotAxis *axis, int most, double at[PLOT_TICKS])
{
  double step = round_step((axis->high - axis->low) / most);
  int n = multiples(axis->low, axis->high, step, at);
  while (n > most) {
    step = round_step(1.5 * step);
    n = multiples(axis->low, axis->high, step, at);
  }
  return n;
}


// factor times powers of ten, every `stride`-th of them
static int power_ticks(const plotAxis *axis, bool with_2_and_5, int stride, double at[PLOT_TICKS])
{
  int n = 0;
  const int first = (int) floor(log10(axis->low)), last = (int) ceil(log10(axis->high));
  static const double FACTOR[] = {1, 2, 5};
  for (int k = first; k <= last; k++) {
    for (int i = 0; i < (with_2_and_5 ? 3 : 1) && k % stride == 0; i++) {
      const double value = FACTOR[i] * pow(10, k);
      const bool is_inside = value > axis->low * (1 - 1e-9) && value < axis->high * (1 + 1e-9);
      if (is_inside && n < PLOT_TICKS) at[n++] = value;
    }
  }
  return n;
}


static bool has_powers(const plotAxis *axis)
{
  return axis->is_log && axis->high >= 10 * axis->low;
}


int plot_ticks(const plotAxis *axis, int most, double at[PLOT_TICKS])
{
  if (!has_powers(axis)) return linear_ticks(axis, most, at);
  const double decades = log10(axis->high / axis->low);
  if (3 * decades + 1 <= most) return power_ticks(axis, true, 1, at);
  const int stride = (int) ceil((decades + 1) / most);
  return power_ticks(axis, false, stride, at);
}


// do they stay apart when written with so many decimals?
static bool reads_back(const double *at, int n, int decimals, bool with_exponent)
{
  for (int i = 0; i < n; i++) {
    char text[PLOT_TEXT];
    double back = NAN;
    snprintf(text, sizeof text, with_exponent ? "%.*e" : "%.*f", decimals, at[i]);
    if (sscanf(text, "%lf", &back) != 1 || fabs(back - at[i]) > 1e-9 * fabs(at[i])) return false;
  }
  return true;
}


const char *plot_tick_text(const plotAxis *axis, const double *at, int n, int i,
                           char text[PLOT_TEXT])
{
  enum { MOST_DECIMALS = 10 };
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(at[k]));
  const bool with_exponent = most >= 1e6 || (most < 1e-3 && most > 0);
  int decimals = 0;
  while (decimals < MOST_DECIMALS && !reads_back(at, n, decimals, with_exponent)) decimals++;
  if (has_powers(axis) || at[i] == 0) {
    snprintf(text, PLOT_TEXT, "%g", at[i]);
  } else {
    snprintf(text, PLOT_TEXT, with_exponent ? "%.*e" : "%.*f", decimals, at[i]);
  }
  return text;
}
