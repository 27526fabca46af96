// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: curves over one horizontal axis, in panes one above the other, as SVG or as characters.
#ifndef SHOW_PLOT_H
#define SHOW_PLOT_H

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
  int width, height; // of an SVG, and of its panes; 0: the usual
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

// Round values on an axis, and how they are written: value = text * 10^ten + offset, so that texts stay short
// however large the values or however near they are to each other.
enum { PLOT_TICKS = 16, PLOT_TEXT = 40 };
typedef struct plotTicks {
  int n;
  double at[PLOT_TICKS];
  double offset;
  int ten;
  int decimals; // -1: as many as each needs
} plotTicks;

// At most `most` of them (4 to PLOT_TICKS), 1, 2 or 5 times a power of ten apart; on a logarithmic axis over
// a decade or more 1, 2 and 5 times powers of ten, or some of the powers alone.
plotTicks plot_ticks(const plotAxis *axis, int most);

// The i-th as text. Returns the buffer.
const char *plot_tick_text(const plotTicks *ticks, int i, char text[PLOT_TEXT]);

// The note beside the axis: " ×10⁻⁹ + 1.5", in ASCII " x1e-9 + 1.5"; empty where the texts are the values.
const char *plot_tick_note(const plotTicks *ticks, bool is_ascii, char text[PLOT_TEXT]);

//---- pictures ------------------------------------------------------------------------------------

// A file that stands alone, 900 units wide or what the plot asks for.
artStatus plot_write_svg(const ioPlot *plot, const char *path, artError *error);

// The same into a stream, for pages that hold it.
void plot_print_svg(const ioPlot *plot, FILE *stream);

// Characters for a terminal: `width` columns and `height` lines for each pane, axes included.
typedef struct plotTerminal {
  int width, height;
  bool is_coloured;
  bool is_ascii; // stars in place of the braille characters of UTF-8
} plotTerminal;
artStatus plot_draw(const ioPlot *plot, FILE *stream, const plotTerminal *terminal,
                    artError *error);

// The end of a text, in at most n characters of UTF-8, with "..." before it where something is left out.
const char *plot_shorten(const char *text, long n, char *buffer, size_t size);

//---- as PNG, rendered by librsvg where that is installed -----------------------------------------

// Twice the natural size. ART_IO with a remedy where librsvg is absent.
artStatus png_write(const ioPlot *plot, const char *path, artError *error);

#endif
