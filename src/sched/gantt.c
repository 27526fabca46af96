// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Charts of schedules as SVG.
#include <string.h>

#include "base/format.h"
#include "base/markup.h"
#include "base/memory.h"
#include "sched/schedule_job.h"

// lengths in units of the SVG image (pixels at 100 %)
enum {
  LEFT = 110,
  RIGHT = 16,
  ABOVE = 58,
  BELOW = 58,
  ROW = 24,
  GAP = 10, // between modules
  MAX_CYCLE_WIDTH = 44,
  MIN_CYCLE_WIDTH = 3,
  WIDTH = 1500, // target width of all cycles
  LETTER = 6,
  MIN_WIDTH = 640,
};

// distinguishable with colour vision deficiency (Okabe and Ito 2008)
static const char *const colour[SCHED_KINDS] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                                "#b8b08d"};

typedef struct ganttFrame {
  FILE *out;
  const schedBinary *binary;
  const schedSchedule *schedule;
  const schedMachine *machine;
  int nunit, *row; // [nunit] upper edge of its row
  double cycle;    // width
  double width, bottom;
  unsigned char *is_critical; // [n]
} ganttFrame;

//---- elements ------------------------------------------------------------------------------------

static void write_gantt_text(FILE *out, double x, double y, const char *style, const char *text)
{
  format_stream(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
  markup_write(out, text);
  fputs("</text>\n", out);
}


static void write_box(const ganttFrame *f, double x, double y, double width, const char *fill,
                      const char *more)
{
  format_stream(f->out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s>",
                x, y, width, ROW - 4, fill, more);
}


static double gantt_step_x(const ganttFrame *f, int step)
{
  ART_ASSERT(step >= 1);
  return LEFT + f->cycle * (step - 1);
}

//---- parts ---------------------------------------------------------------------------------------

// the longest chain as scheduled: from the last operation back through the parents that delayed it
static void mark_critical(const ganttFrame *f)
{
  const schedSchedule *s = f->schedule;
  const schedGraph *graph = &f->binary->graph;
  int i = -1, end = 0;
  for (int k = 0; k < s->n; k++) {
    const int at = s->step[k] + f->machine->latency[graph->node[k].kind];
    if (at <= end) continue;
    end = at;
    i = k;
  }
  while (i >= 0) {
    int before = -1, latest = 0;
    f->is_critical[i] = 1;
    for (int k = 0; k < graph->node[i].nparent; k++) {
      const int p = graph->node[i].parent[k];
      const int at = s->step[p] + f->machine->latency[graph->node[p].kind] +
                     machine_delay(f->machine, s->unit[p], s->unit[i]);
      if (at <= latest) continue;
      latest = at;
      before = p;
    }
    i = before;
  }
}


static void write_axis(const ganttFrame *f)
{
  static const int strides[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
  int k = 0;
  while (k < 11 && strides[k] * f->cycle < 34) k++;
  const int stride = strides[k];
  char text[32];
  for (int t = 0; t <= f->schedule->cycles; t += stride) {
    const double x = gantt_step_x(f, t + 1);
    format_stream(f->out, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n", x, ABOVE - 4, f->bottom);
    snprintf(text, sizeof text, "%d", t);
    write_gantt_text(f->out, x, ABOVE - 9, "text-anchor=\"middle\"", text);
  }
}


static void write_rows(const ganttFrame *f)
{
  for (int u = 0; u < f->nunit; u++) {
    const schedKind kind = machine_kind(f->machine, u);
    const int number = u - machine_first(f->machine, (int) kind);
    char text[64];
    if (f->machine->modules > 1)
      snprintf(text, sizeof text, "module %d %s", number % f->machine->modules + 1,
               machine_kind_name(kind));
    else
      snprintf(text, sizeof text, "%s %d", machine_kind_name(kind), number + 1);
    write_gantt_text(f->out, LEFT - 8, f->row[u] + ROW - 8, "text-anchor=\"end\"", text);
    format_stream(f->out,
                  "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f4f4f4\"/>\n", LEFT,
                  f->row[u], f->cycle * f->schedule->cycles, ROW - 4);
  }
}


static void write_operation(const ganttFrame *f, int i)
{
  ART_ASSERT(i >= 0 && i < f->binary->n);
  const schedNode *x = &f->binary->graph.node[i];
  const char *name = f->binary->operation[i].name;
  const double left = gantt_step_x(f, f->schedule->step[i]), top = f->row[f->schedule->unit[i]];
  const int interval = f->machine->interval[x->kind], latency = f->machine->latency[x->kind];
  const double width = f->cycle * interval - (f->cycle > 6 ? 1 : 0.3);
  char text[512];
  if (latency > interval) {
    write_box(f, left, top, f->cycle * latency - 1, colour[x->kind], " opacity=\"0.25\"");
    fputs("</rect>\n", f->out);
  }
  write_box(f, left, top, width, colour[x->kind], f->is_critical[i] ? " class=\"path\"" : "");
  fprintf(f->out, "<title>%d: ", f->schedule->step[i]);
  markup_write(f->out, name);
  fputs(" = ", f->out);
  markup_write(f->out, binary_operation_text(f->binary, i, text, (int) sizeof text));
  fputs("</title></rect>\n", f->out);
  if ((double) strlen(name) * LETTER + 4 > width) return;
  write_gantt_text(f->out, left + width / 2, top + ROW - 9, "class=\"name\"", name);
}


static void write_kind_legend(const ganttFrame *f)
{
  double x = LEFT;
  const double y = f->bottom + 18;
  for (int k = 0; k < SCHED_KINDS; k++) {
    if (f->machine->count[k] == 0) continue;
    const char *text = machine_kind_text((schedKind) k);
    format_stream(f->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"%s\"/>\n",
                  x, y, colour[k]);
    write_gantt_text(f->out, x + 20, y + 10.5, "", text);
    x += 38 + 7 * (double) strlen(text);
  }
  format_stream(
      f->out,
      "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"none\" class=\"path\"/>\n", x,
      y);
  write_gantt_text(f->out, x + 20, y + 10.5, "", "chain that ends last");
}

//---- the chart -----------------------------------------------------------------------------------

// units of one module are adjacent
static void lay_out_unit_rows(ganttFrame *f)
{
  double y = ABOVE;
  for (int m = 0; m < f->machine->modules; m++) {
    for (int u = 0; u < f->nunit; u++) {
      if (machine_module(f->machine, u) != m && f->machine->modules > 1) continue;
      f->row[u] = (int) y;
      y += ROW;
    }
    if (m + 1 < f->machine->modules) y += GAP;
  }
  f->bottom = y;
  f->cycle = f->schedule->cycles > 0 ? (double) WIDTH / f->schedule->cycles : MAX_CYCLE_WIDTH;
  if (f->cycle > MAX_CYCLE_WIDTH) f->cycle = MAX_CYCLE_WIDTH;
  if (f->cycle < MIN_CYCLE_WIDTH) f->cycle = MIN_CYCLE_WIDTH;
  f->width = LEFT + f->cycle * f->schedule->cycles + RIGHT;
  if (f->width < MIN_WIDTH) f->width = MIN_WIDTH;
}


static void write_gantt_svg(const ganttFrame *f, const char *title)
{
  const double height = f->bottom + BELOW;
  format_stream(f->out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<style>.grid{stroke:#dddddd;fill:none}.path{stroke:#000000;stroke-width:1.6}"
                ".name{font-size:10px;text-anchor:middle;pointer-events:none}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                f->width, height, f->width, height);
  write_gantt_text(f->out, LEFT, 24, "font-size=\"15\" font-weight=\"bold\"", title);
  write_rows(f);
  write_axis(f);
  for (int i = 0; i < f->schedule->n; i++) {
    if (!f->is_critical[i]) write_operation(f, i);
  }
  for (int i = 0; i < f->schedule->n; i++) {
    if (f->is_critical[i]) write_operation(f, i);
  }
  write_kind_legend(f);
  fputs("</svg>\n", f->out);
}


int gantt_write(FILE *out, const char *title, const schedBinary *binary,
                const schedSchedule *schedule, const schedMachine *machine)
{
  ganttFrame f = {.out = out, .binary = binary, .schedule = schedule, .machine = machine};
  f.nunit = machine_units(machine);
  f.row = MEM_ARRAY(int, f.nunit + 1);
  f.is_critical = MEM_ARRAY(unsigned char, schedule->n + 1);
  const int ok = f.row && f.is_critical;
  if (ok) {
    mark_critical(&f);
    lay_out_unit_rows(&f);
    write_gantt_svg(&f, title);
  }
  mem_free(f.row);
  mem_free(f.is_critical);
  return ok;
}
