// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots as SVG: panes with grid, ticks and labels, curves as paths, a legend on the right.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/format.h"
#include "base/markup.h"
#include "show/plot.h"

// in units of the picture, pixels at its natural size
enum {
  WIDTH = 900, // default
  LEFT = 84,   // margin for labels
  RIGHT = 20,  // margin, plus the legend
  ABOVE = 16,  // margin above the first pane
  TITLE = 26,  // additional margin for a title
  PANE = 250,  // height; ALONE for a single pane
  ALONE = 380,
  GAP = 26,   // between panes
  BELOW = 52, // margin below the last pane
  LINE = 18,  // of the legend
  SAMPLE = 26,
  LETTER = 7, // mean width
};

// colours that colour-blind readers can distinguish (Okabe and Ito 2008), black last
static const char *const COLOUR[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#56b4e9", "#e69f00", "#7a6f00", "#000000"};
static const char *const DASH[] = {"", "7 4", "2 3", "9 3 2 3"};

typedef struct svgFrame {
  FILE *out;
  const ioPlot *plot;
  double left, width, above, height; // the current pane
} svgFrame;


//---- elements ------------------------------------------------------------------------------------

static void write_svg_text(FILE *out, double x, double y, const char *style, const char *text)
{
  if (!text[0]) return;
  format_stream(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
  markup_write(out, text);
  fputs("</text>\n", out);
}


static void write_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *kind)
{
  format_stream(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", kind, x1, y1, x2, y2);
}


static double place_x(const svgFrame *f, double x)
{
  return f->left + f->width * plot_place(&f->plot->x, x);
}


static double place_y(const svgFrame *f, int pane, double y)
{
  ART_ASSERT(pane >= 0 && pane < f->plot->npane);
  return f->above + f->height * (1 - plot_place(&f->plot->pane[pane], y));
}


//---- axes ----------------------------------------------------------------------------------------

static void write_x_axis(const svgFrame *f, bool is_last)
{
  char text[PLOT_TEXT], label[300];
  const plotTicks ticks = plot_ticks(&f->plot->x, f->width < 450 ? 5 : 10);
  const double below = f->above + f->height;
  for (int i = 0; i < ticks.n; i++) {
    const double x = place_x(f, ticks.at[i]);
    write_svg_line(f->out, x, f->above, x, below, "grid");
    if (!is_last) continue;
    write_svg_text(f->out, x, below + 17, "text-anchor=\"middle\"",
                   plot_tick_text(&ticks, i, text));
  }
  if (!is_last) return;
  snprintf(label, sizeof label, "%.200s%s", f->plot->x.label, plot_tick_note(&ticks, false, text));
  write_svg_text(f->out, f->left + f->width / 2, below + 40, "text-anchor=\"middle\"", label);
}


static void write_y_axis(const svgFrame *f, int pane)
{
  char text[PLOT_TEXT], style[120], label[4 * 120];
  const plotAxis *axis = &f->plot->pane[pane];
  const plotTicks ticks = plot_ticks(axis, 8);
  for (int i = 0; i < ticks.n; i++) {
    const double y = place_y(f, pane, ticks.at[i]);
    write_svg_line(f->out, f->left, y, f->left + f->width, y, "grid");
    write_svg_text(f->out, f->left - 7, y + 4, "text-anchor=\"end\"",
                   plot_tick_text(&ticks, i, text));
  }
  write_svg_text(f->out, f->left, f->above - 6, "text-anchor=\"start\" font-size=\"11\"",
                 plot_tick_note(&ticks, false, text));
  const double middle = f->above + f->height / 2;
  format_text(style, sizeof style, "text-anchor=\"middle\" transform=\"rotate(-90 18 %.1f)\"",
              middle);
  write_svg_text(f->out, 18, middle, style,
                 plot_shorten(axis->label, (long) (f->height / LETTER), label, sizeof label));
}


//---- curves --------------------------------------------------------------------------------------

// Successive points within half a unit of x are reduced to the first, lowest, highest and last: the
// picture is the same, and its size is bounded.
typedef struct svgRun {
  double first[2], last[2], low[2], high[2];
  int n;
} svgRun;


static void extend_run(svgRun *run, double x, double y)
{
  const double p[2] = {x, y};
  memcpy(run->last, p, sizeof p);
  if (y < run->low[1]) memcpy(run->low, p, sizeof p);
  if (y > run->high[1]) memcpy(run->high, p, sizeof p);
  run->n++;
}


static void write_point(FILE *out, const double p[2], bool *is_open)
{
  format_stream(out, "%s%.2f %.2f", *is_open ? "L" : "M", p[0], p[1]);
  *is_open = true;
}


static void end_run(FILE *out, svgRun *run, bool *is_open)
{
  if (run->n > 0) write_point(out, run->first, is_open);
  if (run->n > 3) {
    write_point(out, run->low, is_open);
    write_point(out, run->high, is_open);
  } else if (run->n == 3) {
    // omit the middle point if it lies between the others
    const bool is_low = run->low[1] < run->first[1] && run->low[1] < run->last[1];
    const bool is_high = run->high[1] > run->first[1] && run->high[1] > run->last[1];
    if (is_low || is_high) write_point(out, is_low ? run->low : run->high, is_open);
  }
  if (run->n > 1) write_point(out, run->last, is_open);
  run->n = 0;
}


// end a continuous piece at a gap
static void end_piece(FILE *out, svgRun *run, bool *is_open)
{
  if (!*is_open && run->n == 1) {
    // draw a single sample between gaps as a small cross
    format_stream(out, "M%.2f %.2fh6M%.2f %.2fv6", run->first[0] - 3, run->first[1], run->first[0],
                  run->first[1] - 3);
    run->n = 0;
  }
  end_run(out, run, is_open);
  *is_open = false;
}


static void write_stroke(FILE *out, const plotCurve *curve)
{
  enum { COLOURS = sizeof COLOUR / sizeof *COLOUR, DASHES = sizeof DASH / sizeof *DASH };
  fprintf(out, "class=\"curve\" stroke=\"%s\"", COLOUR[curve->colour % COLOURS]);
  if (curve->dash % DASHES) fprintf(out, " stroke-dasharray=\"%s\"", DASH[curve->dash % DASHES]);
}


static void write_curve(const svgFrame *f, const plotCurve *curve)
{
  svgRun run = {.n = 0};
  bool is_open = false;
  fputs("<path ", f->out);
  write_stroke(f->out, curve);
  fputs(" d=\"", f->out);
  for (long i = 0; i < curve->n; i++) {
    const double x = place_x(f, curve->x[i]), y = place_y(f, curve->pane, curve->y[i]);
    if (!isfinite(x) || !isfinite(y)) {
      end_piece(f->out, &run, &is_open);
    } else if (run.n > 0 && floor(2 * x) == floor(2 * run.first[0])) {
      extend_run(&run, x, y);
    } else {
      end_run(f->out, &run, &is_open);
      const double p[2] = {x, y};
      memcpy(run.first, p, sizeof p);
      memcpy(run.last, p, sizeof p);
      memcpy(run.low, p, sizeof p);
      memcpy(run.high, p, sizeof p);
      run.n = 1;
    }
  }
  end_piece(f->out, &run, &is_open);
  fputs("\"/>\n", f->out);
}


//---- legend --------------------------------------------------------------------------------------

static int curves_in(const ioPlot *plot, int pane)
{
  int n = 0;
  for (int c = 0; c < plot->ncurve; c++) n += plot->curve[c].pane == pane;
  return n;
}


static int plot_width_of(const ioPlot *plot)
{
  return plot->width > 0 ? plot->width : WIDTH;
}


// width of the longest label, for panes with several curves
static double legend_width(const ioPlot *plot)
{
  size_t longest = 0;
  for (int c = 0; c < plot->ncurve; c++) {
    const size_t n = strlen(plot->curve[c].label);
    if (curves_in(plot, plot->curve[c].pane) > 1 && n > longest) longest = n;
  }
  const double most = 0.4 * plot_width_of(plot);
  return longest > 0 ? fmin(SAMPLE + 18 + LETTER * (double) longest, most) : 0;
}


static void write_svg_legend(const svgFrame *f, int pane)
{
  const double x = f->left + f->width + 12;
  double y = f->above + 10;
  char label[4 * 120];
  const long most = (long) ((legend_width(f->plot) - SAMPLE - 18) / LETTER);
  if (curves_in(f->plot, pane) < 2) return;
  for (int c = 0; c < f->plot->ncurve; c++) {
    const plotCurve *curve = &f->plot->curve[c];
    if (curve->pane != pane) continue;
    fputs("<path ", f->out);
    write_stroke(f->out, curve);
    format_stream(f->out, " d=\"M%.1f %.1fh%d\"/>\n", x, y, SAMPLE - 4);
    write_svg_text(f->out, x + SAMPLE, y + 4, "text-anchor=\"start\"",
                   plot_shorten(curve->label, most, label, sizeof label));
    y += LINE;
  }
}


//---- the picture ---------------------------------------------------------------------------------

static double pane_height(const ioPlot *plot, int pane)
{
  const double least = plot->height > 0 ? plot->height : plot->npane == 1 ? ALONE : PANE;
  const double legend = LINE * curves_in(plot, pane) + 4;
  return fmax(least, legend);
}


static void write_svg_pane(svgFrame *f, int pane)
{
  f->height = pane_height(f->plot, pane);
  fputs("<g>\n", f->out);
  write_x_axis(f, pane == f->plot->npane - 1);
  write_y_axis(f, pane);
  format_stream(f->out,
                "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                f->left, f->above, f->width, f->height);
  for (int c = 0; c < f->plot->ncurve; c++) {
    if (f->plot->curve[c].pane == pane) write_curve(f, &f->plot->curve[c]);
  }
  write_svg_legend(f, pane);
  fputs("</g>\n", f->out);
  f->above += f->height + GAP;
}


void plot_print_svg(const ioPlot *plot, FILE *out)
{
  const double above = plot->title ? ABOVE + TITLE : ABOVE;
  const int width = plot_width_of(plot);
  double height = above + BELOW + GAP * (plot->npane - 1);
  for (int k = 0; k < plot->npane; k++) height += pane_height(plot, k);

  format_stream(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
                "viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<style>.grid{stroke:#dddddd;fill:none}.frame{stroke:#444444;fill:none}"
                ".curve{fill:none;stroke-width:1.5;stroke-linejoin:round}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                width, height, width, height);
  if (plot->title) {
    write_svg_text(out, LEFT, 26, "font-size=\"15\" font-weight=\"bold\"", plot->title);
  }
  svgFrame frame = {.out = out, .plot = plot, .left = LEFT, .above = above};
  frame.width = width - LEFT - RIGHT - legend_width(plot);
  for (int k = 0; k < plot->npane; k++) write_svg_pane(&frame, k);
  fputs("</svg>\n", out);
}


artStatus plot_write_svg(const ioPlot *plot, const char *path, artError *error)
{
  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  plot_print_svg(plot, file.stream);
  return file_commit(&file, error);
}


//---- PNG, by librsvg and cairo -------------------------------------------------------------------

// librsvg depends on about sixty libraries, so it is loaded only on demand; without it only PNG is
// unavailable.

static const double SCALE = 2;
enum { RGB24 = 1 }; // CAIRO_FORMAT_RGB24

// functions of both libraries, in the order of their names below
typedef struct pngPage {
  double x, y, width, height;
} pngPage;
typedef int (*pngSink)(void *context, const unsigned char *bytes, unsigned n);
typedef struct pngLibrary {
  void *(*read)(const unsigned char *text, size_t n, void **error);
  int (*measure)(void *picture, double *width, double *height);
  int (*render)(void *picture, void *context, const pngPage *page, void **error);
  void *(*create_surface)(int format, int width, int height);
  void *(*create_context)(void *surface);
  void (*free_context)(void *context);
  int (*write)(void *surface, pngSink sink, void *stream);
  void (*free_surface)(void *surface);
  void (*free_picture)(void *picture);
} pngLibrary;


static int load_png_library(pngLibrary *library)
{
  static const char *const names[] = {"rsvg_handle_new_from_data",
                                      "rsvg_handle_get_intrinsic_size_in_pixels",
                                      "rsvg_handle_render_document",
                                      "cairo_image_surface_create",
                                      "cairo_create",
                                      "cairo_destroy",
                                      "cairo_surface_write_to_png_stream",
                                      "cairo_surface_destroy",
                                      "g_object_unref"};
  void *found[sizeof names / sizeof *names];
  void *handle = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    found[i] = dlsym(handle, names[i]);
    if (!found[i]) return 0;
  }
  memcpy(library, found, sizeof *library);
  return 1;
}


static int write_bytes(void *context, const unsigned char *bytes, unsigned n)
{
  return fwrite(bytes, 1, n, context) == n ? 0 : 11; // CAIRO_STATUS_WRITE_ERROR
}


// render the picture to a surface of its own size; NULL on failure
static void *render_svg_picture(const pngLibrary *library, void *picture)
{
  double width = 0, height = 0;
  if (!library->measure(picture, &width, &height)) return NULL;
  const pngPage page = {0, 0, SCALE * width, SCALE * height};
  void *surface = library->create_surface(RGB24, (int) page.width, (int) page.height);
  void *context = library->create_context(surface);
  const int is_done = library->render(picture, context, &page, NULL);
  library->free_context(context);
  if (is_done) return surface;
  library->free_surface(surface);
  return NULL;
}


static artStatus save_png_surface(const pngLibrary *library, void *surface, const char *path,
                                  artError *error)
{
  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  (void) library->write(surface, write_bytes, file.stream);
  return file_commit(&file, error);
}


artStatus png_write(const ioPlot *plot, const char *path, artError *error)
{
  pngLibrary library;
  if (!load_png_library(&library)) {
    return base_fail(
        error, ART_IO, (artPlace){.file = path},
        "PNG files need librsvg, which is not installed (librsvg2-2 on Debian); name a "
        "file that ends with .svg instead");
  }
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return base_no_memory(error);
  plot_print_svg(plot, stream);
  const int is_whole = file_close_text(stream, &text);
  void *picture = is_whole ? library.read((const unsigned char *) text, size, NULL) : NULL;
  void *surface = picture ? render_svg_picture(&library, picture) : NULL;
  const artStatus status =
      surface ? save_png_surface(&library, surface, path, error) : base_no_memory(error);
  if (surface) library.free_surface(surface);
  if (picture) library.free_picture(picture);
  free(text);
  return status;
}
