// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: curves over one horizontal axis, in panes one above the other, as SVG or as characters.
#ifndef IO_PLOT_H
#define IO_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "articula/base.h"

typedef struct plotAxis {
  const char *label;
  double low, high;
  bool is_log;
} plotAxis;

typedef struct plotCurve {
  const char *label; // in the legend
  int pane;
  int colour, dash; // numbers of their own, from 0
  long n;
  const double *x, *y; // values that are not finite leave a gap
} plotCurve;

typedef struct ioPlot {
  const char *title; // or NULL
  plotAxis x;
  int npane;
  plotAxis *pane; // [npane] from top to bottom
  int ncurve;
  plotCurve *curve; // [ncurve]
} ioPlot;

// Lay the axes around all finite points (positive ones where an axis is logarithmic), with a margin
// above and below. An axis without any goes from 0 to 1 (logarithmic: 1 to 10).
void plot_fit(ioPlot *plot);

// Where a value lies on an axis, 0 at its low and 1 at its high end; nan where it has no place.
double plot_place(const plotAxis *axis, double value);

//---- ticks ---------------------------------------------------------------------------------------

// Round values on the axis, at most `most` of them (4 to PLOT_TICKS), 1, 2 or 5 times a power of ten
// apart; on a logarithmic axis over a decade or more 1, 2 and 5 times powers of ten, or some of the powers
// alone. Returns their number.
enum { PLOT_TICKS = 16, PLOT_TEXT = 32 };
int plot_ticks(const plotAxis *axis, int most, double at[PLOT_TICKS]);

// The i-th of n ticks as text, with as many decimals as they need together. Returns the buffer.
const char *plot_tick_text(const plotAxis *axis, const double *at, int n, int i,
                           char text[PLOT_TEXT]);

//---- pictures ------------------------------------------------------------------------------------

// A file that stands alone, 900 units wide.
artStatus plot_write_svg(const ioPlot *plot, const char *path, artError *error);

// The same into a stream, for pages that hold it.
void plot_print_svg(const ioPlot *plot, FILE *stream);

// Braille characters in UTF-8, `width` columns and `height` lines for each pane, axes included; curves in
// the colours of a terminal or not.
artStatus plot_draw(const ioPlot *plot, FILE *stream, int width, int height, bool is_coloured,
                    artError *error);

#endif
