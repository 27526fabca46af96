// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: limits of axes, positions on them, and ticks at round values.
#include "show/plot.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"

static const double MARGIN = 0.04; // relative to the range, above and below curves

// values outside these limits are not drawn, so that ranges and steps stay finite
static const double MAX_VALUE = 1e300, MIN_LOG_VALUE = 1e-290;


//---- limits --------------------------------------------------------------------------------------

static bool has_place(const plotAxis *axis, double value)
{
  return fabs(value) < MAX_VALUE && (!axis->is_log || value > MIN_LOG_VALUE);
}


static void include_in_axis(plotAxis *axis, double value)
{
  axis->low = fmin(axis->low, value);
  axis->high = fmax(axis->high, value);
}


// make the range nonempty, and widen it by a margin
static void widen_axis(plotAxis *axis, double margin)
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
    const bool is_constant = range <= fmax(1e-12 * size, MIN_LOG_VALUE);
    const double more = !is_constant ? margin * range : size > MIN_LOG_VALUE ? 0.1 * size : 1;
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
      include_in_axis(&plot->x, curve->x[i]);
      include_in_axis(y, curve->y[i]);
    }
  }
  widen_axis(&plot->x, 0);
  for (int k = 0; k < plot->npane; k++) widen_axis(&plot->pane[k], MARGIN);
}


double plot_place(const plotAxis *axis, double value)
{
  if (!has_place(axis, value)) return NAN;
  if (axis->is_log) return log(value / axis->low) / log(axis->high / axis->low);
  return (value - axis->low) / (axis->high - axis->low);
}


//---- ticks ---------------------------------------------------------------------------------------

// the smallest of 1, 2, 5 times a power of ten that is >= x
static double round_step(double x)
{
  const double power = pow(10, floor(log10(x)));
  static const double FACTOR[] = {1, 2, 5};
  for (int i = 0; i < 3; i++) {
    if (FACTOR[i] * power >= x * (1 - 1e-9)) return FACTOR[i] * power;
  }
  return 10 * power;
}


// multiples of `step` between the limits, with tolerance for rounding
static int tick_multiples(double low, double high, double step, double at[PLOT_TICKS])
{
  int n = 0;
  const double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
  for (double k = first; k <= last && n < PLOT_TICKS; k++) at[n++] = k * step + 0.0;
  return n;
}


static double linear_step(const plotAxis *axis, int most, plotTicks *ticks)
{
  double step = round_step((axis->high - axis->low) / most);
  ticks->n = tick_multiples(axis->low, axis->high, step, ticks->at);
  while (ticks->n > most) {
    step = round_step(1.5 * step);
    ticks->n = tick_multiples(axis->low, axis->high, step, ticks->at);
  }
  return step;
}


// every `stride`-th power of ten, optionally with factors 2 and 5
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


static double largest_tick(const plotTicks *ticks)
{
  double most = 0;
  for (int i = 0; i < ticks->n; i++) most = fmax(most, fabs(ticks->at[i] - ticks->offset));
  return most;
}


// Write labels relative to a round value if steps are small compared with the values, and with a
// common power of ten if they would have many zeros.
static void shorten_ticks(plotTicks *ticks, double step)
{
  enum { MAX_DIGITS = 5 };
  if (ticks->n == 0) return;
  const double size = largest_tick(ticks), range = ticks->at[ticks->n - 1] - ticks->at[0];
  if (size > pow(10, MAX_DIGITS) * step) {
    const double unit = pow(10, ceil(log10(fmax(range, step)) - 1e-9));
    ticks->offset = round(ticks->at[0] / unit) * unit;
  }
  const double most = largest_tick(ticks);
  const int power = most > 0 ? (int) floor(log10(most) + 1e-9) : 0;
  const int last = (int) floor(log10(step) + 1e-9);
  const bool is_long = power >= MAX_DIGITS || power < -3 || -last > MAX_DIGITS;
  if (is_long) ticks->ten = 3 * (int) floor(power / 3.0);
  ticks->decimals = ticks->ten > last ? ticks->ten - last : 0;
}


plotTicks plot_ticks(const plotAxis *axis, int most)
{
  ART_ASSERT(most >= 1 && most <= PLOT_TICKS);
  plotTicks ticks = {.decimals = -1};
  if (!(axis->is_log && axis->high >= 10 * axis->low)) {
    shorten_ticks(&ticks, linear_step(axis, most, &ticks));
    return ticks;
  }
  const double decades = log10(axis->high / axis->low);
  const bool with_2_and_5 = 3 * decades + 1 <= most;
  const int stride = with_2_and_5 ? 1 : (int) ceil((decades + 1) / most);
  ticks.n = power_ticks(axis, with_2_and_5, stride, ticks.at);
  return ticks;
}


//---- texts ---------------------------------------------------------------------------------------

const char *plot_tick_text(const plotTicks *ticks, int i, char text[PLOT_TEXT])
{
  ART_ASSERT(i >= 0 && i < ticks->n);
  const double value = (ticks->at[i] - ticks->offset) / pow(10, ticks->ten);
  if (ticks->decimals < 0 || fabs(value) < 0.1 * pow(10, -ticks->decimals)) {
    format_text(text, PLOT_TEXT, "%g", ticks->decimals < 0 ? value : 0.0);
  } else {
    format_text(text, PLOT_TEXT, "%.*f", ticks->decimals, value);
  }
  return text;
}


const char *plot_tick_note(const plotTicks *ticks, bool is_ascii, char text[PLOT_TEXT])
{
  int used = 0;
  char power[PLOT_TEXT];
  text[0] = '\0';
  if (ticks->ten && is_ascii) used = snprintf(text, PLOT_TEXT, " x1e%d", ticks->ten);
  if (ticks->ten && !is_ascii) {
    // an integer in superscripts
    static const char *const DIGIT[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", ticks->ten);
    power[0] = '\0';
    for (const char *c = plain; *c; c++) strcat(power, *c == '-' ? "⁻" : DIGIT[*c - '0']);
    used = snprintf(text, PLOT_TEXT, " ×10%s", power);
  }
  if (ticks->offset != 0) {
    format_text(text + used, (size_t) (PLOT_TEXT - used), " %c %.12g",
                ticks->offset < 0 ? '-' : '+', fabs(ticks->offset));
  }
  return text;
}


static bool begins_character(char c)
{
  return ((unsigned char) c & 0xc0) != 0x80;
}


const char *plot_shorten(const char *text, long n, char *buffer, size_t size)
{
  ART_ASSERT(size > 0);
  long characters = 0;
  for (const char *c = text; *c; c++) characters += begins_character(*c);
  if (characters <= n) return text;
  long surplus = characters - (n > 4 ? n - 3 : 1);
  while (surplus > 0 || !begins_character(*text)) surplus -= begins_character(*text++);
  snprintf(buffer, size, "...%s", text);
  return buffer;
}
