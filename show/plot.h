// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: curves over a common horizontal axis, in stacked panes, as SVG or as characters.
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
  int colour, dash; // index into colours and dash patterns, from 0
  long n;
  const double *x, *y; // values that are not finite leave gaps
} plotCurve;

typedef struct ioPlot {
  const char *title; // or NULL
  int width, height; // of an SVG, and of its panes; 0: default
  plotAxis x;
  int npane;
  plotAxis *pane; // [npane] from top to bottom
  int ncurve;
  plotCurve *curve; // [ncurve]
} ioPlot;

// Set the axes to contain all finite points (on logarithmic axes, positive ones), with a margin
// above and below. An axis without points has the range 0 to 1 (logarithmic: 1 to 10).
void plot_fit(ioPlot *plot);

// The relative position of a value on an axis, from 0 to 1; NaN if it cannot be drawn.
double plot_place(const plotAxis *axis, double value);

//---- ticks ---------------------------------------------------------------------------------------

// Ticks at round values of an axis. value = label * 10^ten + offset, so that labels are short even
// if values are large or close to each other.
enum { PLOT_TICKS = 16, PLOT_TEXT = 40 };
typedef struct plotTicks {
  int n;
  double at[PLOT_TICKS];
  double offset;
  int ten;
  int decimals; // -1: as many as each label needs
} plotTicks;

// At most `most` ticks (4 to PLOT_TICKS), spaced by 1, 2 or 5 times a power of ten; on a
// logarithmic axis over a decade or more 1, 2 and 5 times powers of ten, or some of the powers
// alone.
plotTicks plot_ticks(const plotAxis *axis, int most);

// The label of tick i. Returns the buffer.
const char *plot_tick_text(const plotTicks *ticks, int i, char text[PLOT_TEXT]);

// The note next to the axis: " ×10⁻⁹ + 1.5", in ASCII " x1e-9 + 1.5"; empty if the labels are the
// values.
const char *plot_tick_note(const plotTicks *ticks, bool is_ascii, char text[PLOT_TEXT]);

//---- pictures ------------------------------------------------------------------------------------

// Write a self-contained file, 900 units wide or as the plot specifies.
artStatus plot_write_svg(const ioPlot *plot, const char *path, artError *error);

// Write the same to a stream, for embedding in pages.
void plot_print_svg(const ioPlot *plot, FILE *stream);

// Characters for a terminal: `width` columns, and `height` lines for each pane, including axes.
typedef struct plotTerminal {
  int width, height;
  bool is_coloured;
  bool is_ascii; // asterisks instead of braille characters
} plotTerminal;
artStatus plot_draw(const ioPlot *plot, FILE *stream, const plotTerminal *terminal,
                    artError *error);

// The end of a string in at most n UTF-8 characters, with a leading "..." if it is shortened.
const char *plot_shorten(const char *text, long n, char *buffer, size_t size);

//---- PNG, rendered by librsvg if it is installed -------------------------------------------------

// Twice the natural size. ART_IO with advice if there is no librsvg.
artStatus png_write(const ioPlot *plot, const char *path, artError *error);

#endif
