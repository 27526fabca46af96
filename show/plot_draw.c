// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots in a terminal: every braille character has two by four dots.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/plot.h"

enum { MARGIN = 11, MIN_WIDTH = 20, MIN_HEIGHT = 5 };

// terminal codes: blue, red, green, magenta, cyan, yellow
static const int COLOUR[] = {34, 31, 32, 35, 36, 33};
enum { COLOURS = sizeof COLOUR / sizeof *COLOUR };

typedef struct drawField {
  int columns, lines;  // in characters
  unsigned char *dots; // [lines columns] bits of the braille character
  unsigned char *ink;  // [lines columns] colour index of the curve
} drawField;

// characters for axes and curves
typedef struct drawPen {
  FILE *stream;
  const plotTerminal *terminal;
  const char *side, *tick, *corner, *below, *tick_below, *sample;
} drawPen;

static const drawPen LINES = {
    .side = "│", .tick = "┤", .corner = "└", .below = "─", .tick_below = "┴", .sample = "──"};
static const drawPen SIGNS = {
    .side = "|", .tick = "+", .corner = "+", .below = "-", .tick_below = "+", .sample = "**"};


//---- dots ----------------------------------------------------------------------------------------

// set the bit of a dot: 1 4 / 2 5 / 3 6 / 7 8 from the top
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
  int length = 0; // samples since the last gap
  for (long i = 0; i <= curve->n; i++) {
    const double x = i < curve->n ? plot_place(&plot->x, curve->x[i]) : NAN;
    const double y = i < curve->n ? plot_place(&plot->pane[curve->pane], curve->y[i]) : NAN;
    const double now[2] = {x * (2 * field->columns - 1), (1 - y) * (4 * field->lines - 1)};
    const bool is_there = isfinite(now[0]) && isfinite(now[1]);
    // draw a single sample between gaps as a cross
    if (!is_there && length == 1) {
      const double left[2] = {last[0] - 1, last[1]}, right[2] = {last[0] + 1, last[1]};
      const double above[2] = {last[0], last[1] - 1}, below[2] = {last[0], last[1] + 1};
      draw_segment(field, left, right, curve->colour);
      draw_segment(field, above, below, curve->colour);
    }
    if (is_there && length > 0) draw_segment(field, last, now, curve->colour);
    length = is_there ? length + 1 : 0;
    memcpy(last, now, sizeof last);
  }
}


//---- lines ---------------------------------------------------------------------------------------

static void print_braille_cell(const drawPen *pen, const drawField *field, long cell)
{
  const unsigned dots = field->dots[cell];
  if (dots == 0) {
    fputc(' ', pen->stream);
    return;
  }
  // U+2800 + dots in UTF-8
  const char braille[4] = {(char) 0xe2, (char) (0xa0 + (dots >> 6)), (char) (0x80 + (dots & 63)),
                           0};
  const char *text = pen->terminal->is_ascii ? "*" : braille;
  if (pen->terminal->is_coloured)
    fprintf(pen->stream, "\033[%dm%s\033[0m", COLOUR[field->ink[cell]], text);
  else
    fputs(text, pen->stream);
}


static plotTicks y_ticks(const plotAxis *axis, int lines)
{
  ART_ASSERT(lines > 0);
  return plot_ticks(axis, lines / 2 < 4 ? 4 : lines / 2 < PLOT_TICKS ? lines / 2 : PLOT_TICKS);
}


// the tick label of this line, right-aligned to the axis
static void print_y_tick(const drawPen *pen, const plotAxis *axis, int lines, int line)
{
  char text[PLOT_TEXT];
  const plotTicks ticks = y_ticks(axis, lines);
  for (int i = 0; i < ticks.n; i++) {
    const double y = (1 - plot_place(axis, ticks.at[i])) * (4 * lines - 1);
    if (lround(y) / 4 != line) continue;
    fprintf(pen->stream, "%*s %s", MARGIN - 2, plot_tick_text(&ticks, i, text), pen->tick);
    return;
  }
  fprintf(pen->stream, "%*s %s", MARGIN - 2, "", pen->side);
}


// print a line, cut to the width of the terminal
static void print_short(const drawPen *pen, int used, const char *text)
{
  char buffer[4 * 256];
  const int room = pen->terminal->width - used;
  fputs(plot_shorten(text, room < 200 ? room : 200, buffer, sizeof buffer), pen->stream);
}


// centre labels below the ticks, skipping those that would touch
static void print_x_numbers(const drawPen *pen, const plotAxis *axis, const plotTicks *ticks,
                            int columns)
{
  int used = 0;
  for (int i = 0; i < ticks->n; i++) {
    char text[PLOT_TEXT];
    plot_tick_text(ticks, i, text);
    const int length = (int) strlen(text);
    const int centre =
        MARGIN + (int) lround(plot_place(axis, ticks->at[i]) * (2 * columns - 1)) / 2;
    const int last = MARGIN + columns - length;
    const int start = centre - length / 2 < last ? centre - length / 2 : last;
    if (start <= used && used > 0) continue;
    fprintf(pen->stream, "%*s%s", start - used, "", text);
    used = start + length;
  }
}


static void print_x_axis(const drawPen *pen, const plotAxis *axis, int columns)
{
  char note[PLOT_TEXT];
  const plotTicks ticks = plot_ticks(axis, columns / 8 < 4    ? 4
                                           : columns / 8 < 10 ? columns / 8
                                                              : 10);
  fprintf(pen->stream, "%*s%s", MARGIN - 1, "", pen->corner);
  for (int k = 0; k < columns; k++) {
    bool is_tick = false;
    for (int i = 0; i < ticks.n; i++) {
      is_tick |= lround(plot_place(axis, ticks.at[i]) * (2 * columns - 1)) / 2 == k;
    }
    fputs(is_tick ? pen->tick_below : pen->below, pen->stream);
  }
  fputc('\n', pen->stream);
  print_x_numbers(pen, axis, &ticks, columns);
  fprintf(pen->stream, "\n%*s", MARGIN, "");
  print_short(pen, MARGIN, axis->label);
  fprintf(pen->stream, "%s\n", plot_tick_note(&ticks, pen->terminal->is_ascii, note));
}


static void print_pane(const drawPen *pen, const ioPlot *plot, int k, const drawField *field)
{
  ART_ASSERT(k >= 0 && k < plot->npane);
  char note[PLOT_TEXT];
  const plotTicks ticks = y_ticks(&plot->pane[k], field->lines);
  plot_tick_note(&ticks, pen->terminal->is_ascii, note);
  print_short(pen, (int) strlen(note), plot->pane[k].label);
  fprintf(pen->stream, "%s\n", note);
  for (int line = 0; line < field->lines; line++) {
    print_y_tick(pen, &plot->pane[k], field->lines, line);
    for (int column = 0; column < field->columns; column++) {
      print_braille_cell(pen, field, (long) line * field->columns + column);
    }
    fputc('\n', pen->stream);
  }
  print_x_axis(pen, &plot->x, field->columns);
  for (int c = 0; c < plot->ncurve; c++) {
    const plotCurve *curve = &plot->curve[c];
    if (curve->pane != k) continue;
    fprintf(pen->stream, "%*s", MARGIN, "");
    if (pen->terminal->is_coloured)
      fprintf(pen->stream, "\033[%dm", COLOUR[curve->colour % COLOURS]);
    fprintf(pen->stream, "%s ", pen->sample);
    print_short(pen, MARGIN + 3, curve->label);
    fputs(pen->terminal->is_coloured ? "\033[0m\n" : "\n", pen->stream);
  }
}


artStatus plot_draw(const ioPlot *plot, FILE *stream, const plotTerminal *terminal, artError *error)
{
  const int width = terminal->width, height = terminal->height;
  drawPen pen = terminal->is_ascii ? SIGNS : LINES;
  pen.stream = stream;
  pen.terminal = terminal;
  drawField field = {.columns = (width < MIN_WIDTH ? MIN_WIDTH : width) - MARGIN,
                     .lines = height < MIN_HEIGHT ? MIN_HEIGHT : height};
  const size_t cells = (size_t) field.columns * (size_t) field.lines;
  field.dots = mem_alloc(2 * cells, 1);
  if (!field.dots) return base_no_memory(error);
  field.ink = field.dots + cells;

  for (int k = 0; k < plot->npane; k++) {
    memset(field.dots, 0, 2 * cells);
    for (int c = 0; c < plot->ncurve; c++) {
      if (plot->curve[c].pane == k) draw_curve(&field, plot, &plot->curve[c]);
    }
    print_pane(&pen, plot, k, &field);
  }
  mem_free(field.dots);
  return ART_OK;
}
