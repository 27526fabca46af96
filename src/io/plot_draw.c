// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots in a terminal: every braille character is two by four dots.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/plot.h"

enum { MARGIN = 11, LEAST_WIDTH = 30, LEAST_HEIGHT = 5 };

// of a terminal: blue, red, green, magenta, cyan, yellow
static const int COLOUR[] = {34, 31, 32, 35, 36, 33};
enum { COLOURS = sizeof COLOUR / sizeof *COLOUR };

typedef struct drawField {
  int columns, lines;  // of characters
  unsigned char *dots; // [lines columns] bits of the braille character
  unsigned char *ink;  // [lines columns] number of the curve's colour
} drawField;


//---- dots ----------------------------------------------------------------------------------------

// the bit of a dot: 1 4 / 2 5 / 3 6 / 7 8 from the top
static void set_dot(drawField *field, long x, long y, int colour)
{
  static const unsigned char BIT[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  if (x < 0 || y < 0 || x >= 2 * field->columns || y >= 4 * field->lines) return;
  const long cell = y / 4 * field->columns + x / 2;
  field->dots[cell] |= BIT[y % 4][x % 2];
  field->ink[cell] = (unsigned char) (colour % COLOURS);
}


static void draw_segment(drawField *field, const double a[2], const double b[2], int colour)
{
  const double n = ceil(fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1])));
  for (double i = 0; i <= n; i++) {
    const double s = n > 0 ? i / n : 0;
    set_dot(field, lround(a[0] + s * (b[0] - a[0])), lround(a[1] + s * (b[1] - a[1])), colour);
  }
}


static void draw_curve(drawField *field, const ioPlot *plot, const plotCurve *curve)
{
  double last[2] = {NAN, NAN};
  for (long i = 0; i < curve->n; i++) {
    const double x = plot_place(&plot->x, curve->x[i]);
    const double y = plot_place(&plot->pane[curve->pane], curve->y[i]);
    const double now[2] = {x * (2 * field->columns - 1), (1 - y) * (4 * field->lines - 1)};
    const bool is_there = isfinite(now[0]) && isfinite(now[1]);
    if (is_there) draw_segment(field, isfinite(last[0]) ? last : now, now, curve->colour);
    last[0] = is_there ? now[0] : NAN;
    last[1] = is_there ? now[1] : NAN;
  }
}


//---- lines ---------------------------------------------------------------------------------------

static void print_cell(FILE *stream, const drawField *field, long cell, bool is_coloured)
{
  const unsigned dots = field->dots[cell];
  if (dots == 0) {
    fputc(' ', stream);
    return;
  }
  // U+2800 + dots in UTF-8
  const char text[4] = {(char) 0xe2, (char) (0xa0 + (dots >> 6)), (char) (0x80 + (dots & 63)), 0};
  if (is_coloured)
    fprintf(stream, "\033[%dm%s\033[0m", COLOUR[field->ink[cell]], text);
  else
    fputs(text, stream);
}


// the number at this line of the field, right before the axis
static void print_y_tick(FILE *stream, const plotAxis *axis, int lines, int line)
{
  double at[PLOT_TICKS];
  char text[PLOT_TEXT];
  const int most = lines / 2 < 4 ? 4 : lines / 2 < PLOT_TICKS ? lines / 2 : PLOT_TICKS;
  const int n = plot_ticks(axis, most, at);
  for (int i = 0; i < n; i++) {
    const double y = (1 - plot_place(axis, at[i])) * (4 * lines - 1);
    if (lround(y) / 4 != line) continue;
    fprintf(stream, "%*s \xe2\x94\xa4", MARGIN - 2, plot_tick_text(axis, at, n, i, text));
    return;
  }
  fprintf(stream, "%*s \xe2\x94\x82", MARGIN - 2, "");
}


static void print_field(FILE *stream, const drawField *field, const plotAxis *axis,
                        bool is_coloured)
{
  for (int line = 0; line < field->lines; line++) {
    print_y_tick(stream, axis, field->lines, line);
    for (int k = 0; k < field->columns; k++) {
      print_cell(stream, field, (long) line * field->columns + k, is_coloured);
    }
    fputc('\n', stream);
  }
}


// the axis, then numbers centred below its ticks, as long as they do not touch
static void print_x_axis(FILE *stream, const plotAxis *axis, int columns)
{
  double at[PLOT_TICKS];
  const int n = plot_ticks(axis, columns / 8 < 4 ? 4 : columns / 8 < 10 ? columns / 8 : 10, at);
  fprintf(stream, "%*s\xe2\x94\x94", MARGIN - 1, "");
  for (int k = 0; k < columns; k++) {
    bool is_tick = false;
    for (int i = 0; i < n; i++) {
      is_tick |= lround(plot_place(axis, at[i]) * (2 * columns - 1)) / 2 == k;
    }
    fputs(is_tick ? "\xe2\x94\xb4" : "\xe2\x94\x80", stream);
  }
  fputc('\n', stream);

  int used = 0;
  for (int i = 0; i < n; i++) {
    char text[PLOT_TEXT];
    plot_tick_text(axis, at, n, i, text);
    const int length = (int) strlen(text);
    const int centre = MARGIN + (int) lround(plot_place(axis, at[i]) * (2 * columns - 1)) / 2;
    const int start = centre - length / 2;
    if (start <= used && used > 0) continue;
    fprintf(stream, "%*s%s", start - used, "", text);
    used = start + length;
  }
  fprintf(stream, "\n%*s%s\n", MARGIN, "", axis->label);
}


static void print_legend(FILE *stream, const ioPlot *plot, int pane, bool is_coloured)
{
  for (int c = 0; c < plot->ncurve; c++) {
    const plotCurve *curve = &plot->curve[c];
    if (curve->pane != pane) continue;
    fprintf(stream, "%*s", MARGIN, "");
    if (is_coloured) fprintf(stream, "\033[%dm", COLOUR[curve->colour % COLOURS]);
    fprintf(stream, "\xe2\x94\x80\xe2\x94\x80 %s", curve->label);
    fputs(is_coloured ? "\033[0m\n" : "\n", stream);
  }
}


artStatus plot_draw(const ioPlot *plot, FILE *stream, int width, int height, bool is_coloured,
                    artError *error)
{
  drawField field = {.columns = (width < LEAST_WIDTH ? LEAST_WIDTH : width) - MARGIN,
                     .lines = height < LEAST_HEIGHT ? LEAST_HEIGHT : height};
  const size_t cells = (size_t) field.columns * (size_t) field.lines;
  field.dots = mem_alloc(2 * cells, 1);
  if (!field.dots) return base_no_memory(error);
  field.ink = field.dots + cells;

  for (int k = 0; k < plot->npane; k++) {
    memset(field.dots, 0, 2 * cells);
    for (int c = 0; c < plot->ncurve; c++) {
      if (plot->curve[c].pane == k) draw_curve(&field, plot, &plot->curve[c]);
    }
    fprintf(stream, "%s\n", plot->pane[k].label);
    print_field(stream, &field, &plot->pane[k], is_coloured);
    print_x_axis(stream, &plot->x, field.columns);
    print_legend(stream, plot, k, is_coloured);
  }
  mem_free(field.dots);
  return ART_OK;
}
