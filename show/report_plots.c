// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Channels in a report: plots by unit, one figure per pane, then a table of extremes and of
// differences between results.
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/markup.h"
#include "base/throw.h"
#include "show/bytes.h"
#include "show/plot.h"
#include "show/report.h"

enum {
  MAX_PANES = 9,
  MAX_CURVES = 6, // per pane
  MAX_CHANNELS = MAX_PANES * MAX_CURVES,
  PIECES = 2000, // of a long curve: the minimum and maximum of each are drawn
  PANE_HEIGHT = 165,
};

// a channel of one result, reduced for its plot, with its extremes
typedef struct reportCurve {
  long n;
  double *x, *y;
  double least, least_at, most, most_at, last;
  double apart, apart_at; // largest difference from the first result, and its time
} reportCurve;

typedef struct reportChannel {
  const char *name, *unit;
  int pane;
  reportCurve *curve; // [nresult]; n = 0 if a result does not have the channel
} reportChannel;

typedef struct plotWork {
  reportJob *job;
  int n, npane;
  int wanted; // number of requested channels
  reportChannel channel[MAX_CHANNELS];
  int in_pane[MAX_PANES];
} plotWork;


//---- choice of channels --------------------------------------------------------------------------

_Noreturn static void unknown_report_channel(const reportJob *job, const char *word)
{
  const ioScene *scene = &job->result[0].film.scene;
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = word};
  for (int c = 0; c < scene->nchannel; c++) base_consider(&nearest, scene->channel[c].name);
  error_refuse((artPlace){.file = job->result[0].path},
               "there is no channel '%.100s'%s; 'articula plot %.200s' lists all %d", word,
               base_hint(&nearest, hint), job->result[0].path, scene->nchannel);
}


// without words all channels match
static bool is_wanted_channel(int n, const char *const *word, const char *name)
{
  for (int k = 0; k < n; k++) {
    if (strcmp(word[k], name) == 0 || fnmatch(word[k], name, 0) == 0) return true;
  }
  return n == 0;
}


static void check_words(const reportJob *job)
{
  const ioScene *scene = &job->result[0].film.scene;
  for (int k = 0; k < job->nword; k++) {
    bool found = false;
    for (int c = 0; c < scene->nchannel; c++)
      found |= is_wanted_channel(1, &job->word[k], scene->channel[c].name);
    if (!found) unknown_report_channel(job, job->word[k]);
  }
}


// a pane of this unit with space left, or a new one; -1: no space
static int pane_for(plotWork *w, const char *unit)
{
  const int most = w->job->nresult > 1 ? MAX_CURVES / 2 : MAX_CURVES;
  for (int i = 0; i < w->n; i++) {
    const int pane = w->channel[i].pane;
    if (pane < 0) continue;
    if (strcmp(w->channel[i].unit, unit) == 0 && w->in_pane[pane] < most) return pane;
  }
  return w->npane < MAX_PANES ? w->npane++ : -1;
}


//---- curves --------------------------------------------------------------------------------------

static void read_column(reportJob *job, int r, int channel, double *values)
{
  ART_ASSERT(r >= 0 && r < job->nresult);
  const long count = job->result[r].film.frames;
  unsigned char *bytes = (unsigned char *) values;
  if (!scene_read_column(&job->result[r].film.reader, channel, 0, count, bytes)) error_throw();
  // in place: every number is read before its bytes are overwritten
  for (long i = 0; i < count; i++) values[i] = get_f64(bytes + 8 * i);
}


static void keep_point(reportCurve *curve, double x, double y)
{
  curve->x[curve->n] = x;
  curve->y[curve->n++] = y;
}


// the minimum and maximum of every section, in order of time; short curves are not reduced
static void thin_out_curve(reportCurve *curve, long n, const double *time, const double *value)
{
  const long stride = 1 + n / PIECES;
  for (long from = 0; from < n; from += stride) {
    const long to = from + stride < n ? from + stride : n;
    long low = from, high = from;
    for (long i = from; i < to; i++) {
      if (value[i] < value[low] || isnan(value[low])) low = i;
      if (value[i] > value[high] || isnan(value[high])) high = i;
    }
    const long first = low < high ? low : high, second = low < high ? high : low;
    keep_point(curve, time[first], value[first]);
    if (second != first) keep_point(curve, time[second], value[second]);
  }
}


// the largest distance from a piecewise linear curve, over their common range
static void find_difference(reportCurve *curve, long n, const double *time, const double *value,
                            long m, const double *other_time, const double *other)
{
  long k = 0;
  for (long i = 0; i < n; i++) {
    while (k + 2 < m && other_time[k + 1] < time[i]) k++;
    if (m < 2 || time[i] < other_time[0] || time[i] > other_time[m - 1]) continue;
    const double s = (time[i] - other_time[k]) / (other_time[k + 1] - other_time[k]);
    const double apart = fabs(value[i] - (1 - s) * other[k] - s * other[k + 1]);
    if (apart > curve->apart) curve->apart = apart, curve->apart_at = time[i];
  }
}


static int index_of(const ioScene *scene, const char *name)
{
  for (int c = 0; c < scene->nchannel; c++) {
    if (strcmp(scene->channel[c].name, name) == 0) return c;
  }
  return -1;
}


// read the channel of result r; the first result is given for comparison
static void read_channel_curve(plotWork *w, reportChannel *channel, int r, const double *time,
                               const double *first_time, const double *first)
{
  reportJob *job = w->job;
  reportCurve *curve = &channel->curve[r];
  const long n = job->result[r].film.frames;
  const int c = index_of(&job->result[r].film.scene, channel->name);
  if (c < 0) return;
  const size_t room = (size_t) (n < 2 * PIECES ? n : 2 * PIECES) + 2;
  curve->x = arena_alloc(&job->arena, 2 * room, sizeof *curve->x);
  curve->y = curve->x + room;
  const arenaPlace place = arena_place(&job->arena);
  double *value = arena_alloc(&job->arena, (size_t) n, sizeof *value);
  read_column(job, r, c, value);
  curve->least = INFINITY, curve->most = -INFINITY, curve->last = value[n - 1];
  curve->least_at = curve->most_at = NAN;
  for (long i = 0; i < n; i++) {
    if (value[i] < curve->least) curve->least = value[i], curve->least_at = time[i];
    if (value[i] > curve->most) curve->most = value[i], curve->most_at = time[i];
  }
  thin_out_curve(curve, n, time, value);
  if (r > 0) {
    find_difference(curve, n, time, value, job->result[0].film.frames, first_time, first);
  }
  arena_return(&job->arena, place);
}


static void read_curves(plotWork *w)
{
  reportJob *job = w->job;
  double **time = arena_alloc(&job->arena, (size_t) job->nresult, sizeof *time), *first = NULL;
  for (int r = 0; r < job->nresult; r++) {
    ARENA_TAKE(&job->arena, time[r], job->result[r].film.frames);
    read_column(job, r, -1, time[r]);
  }
  ARENA_TAKE(&job->arena, first, job->result[0].film.frames);
  for (int i = 0; i < w->n; i++) {
    reportChannel *channel = &w->channel[i];
    const int c = index_of(&job->result[0].film.scene, channel->name);
    ARENA_TAKE(&job->arena, channel->curve, job->nresult);
    read_column(job, 0, c, first);
    for (int r = 0; r < job->nresult; r++) {
      read_channel_curve(w, channel, r, time[r], time[0], first);
    }
  }
}


//---- rounding ------------------------------------------------------------------------------------

// below this part of the largest channel with their unit, and below this number of SI units, curves
// show rounding
static const double ROUNDING_PART = 1e-12, ROUNDING_SIZE = 1e-14;


static double channel_size(const plotWork *w, const reportChannel *channel)
{
  double size = 0;
  for (int r = 0; r < w->job->nresult; r++) {
    const reportCurve *c = &channel->curve[r];
    if (c->n > 0) size = fmax(size, fmax(fabs(c->least), fabs(c->most)));
  }
  return size;
}


// zeros are no rounding
static bool is_rounding(const plotWork *w, const reportChannel *channel)
{
  const double size = channel_size(w, channel);
  double largest = 0;
  for (int i = 0; i < w->n; i++) {
    const bool is_alike = strcmp(w->channel[i].unit, channel->unit) == 0;
    if (is_alike) largest = fmax(largest, channel_size(w, &w->channel[i]));
  }
  return size > 0 && (size < ROUNDING_PART * largest || size < ROUNDING_SIZE);
}


// Panes of the channels that move; those that are rounding have none, unless they were asked for.
static int leave_out_rounding(plotWork *w)
{
  bool has_no_pane[MAX_CHANNELS];
  int count = 0;
  for (int i = 0; i < w->n; i++) {
    has_no_pane[i] = w->job->nword == 0 && is_rounding(w, &w->channel[i]);
    count += has_no_pane[i];
  }
  if (count == 0) return 0;
  memset(w->in_pane, 0, sizeof w->in_pane);
  w->npane = 0;
  for (int i = 0; i < w->n; i++) w->channel[i].pane = -1;
  for (int i = 0; i < w->n; i++) {
    if (has_no_pane[i]) continue;
    w->channel[i].pane = pane_for(w, w->channel[i].unit);
    w->in_pane[w->channel[i].pane]++;
  }
  return count;
}


//---- figures -------------------------------------------------------------------------------------

// a colour for each channel and a dash pattern for each result; for a single channel a colour for
// each result
static int add_curves(const plotWork *w, const reportChannel *channel, int number, int alone,
                      plotCurve *curve)
{
  reportJob *job = w->job;
  int n = 0;
  for (int r = 0; r < job->nresult; r++) {
    const reportCurve *own = &channel->curve[r];
    if (own->n == 0) continue;
    const char *label = channel->name;
    if (job->nresult > 1) {
      label = alone ? job->result[r].name
                    : arena_format(&job->arena, "%s: %s", job->result[r].name, channel->name);
    }
    curve[n++] = (plotCurve){.label = label,
                             .colour = alone ? r : number,
                             .dash = alone ? 0 : r,
                             .n = own->n,
                             .x = own->x,
                             .y = own->y};
  }
  return n;
}


static void write_report_pane(const plotWork *w, int pane)
{
  reportJob *job = w->job;
  const size_t room = (size_t) MAX_CURVES * (size_t) job->nresult;
  plotCurve *curve = arena_alloc(&job->arena, room, sizeof *curve);
  const int alone = w->in_pane[pane] == 1;
  const char *label = NULL;
  int n = 0, number = 0;
  for (int i = 0; i < w->n; i++) {
    const reportChannel *channel = &w->channel[i];
    if (channel->pane != pane) continue;
    n += add_curves(w, channel, number++, alone, curve + n);
    label = arena_format(&job->arena, "%s [%s]", alone ? channel->name : "",
                         channel->unit[0] ? channel->unit : "-");
  }
  plotAxis axis = {.label = label};
  ioPlot plot = {.width = REPORT_WIDTH,
                 .height = PANE_HEIGHT,
                 .x = {.label = "time [s]"},
                 .npane = 1,
                 .pane = &axis,
                 .ncurve = n,
                 .curve = curve};
  plot_fit(&plot);
  fputs("<figure class=\"plot\">\n", job->out);
  plot_print_svg(&plot, job->out);
  fputs("</figure>\n", job->out);
}


//---- tables --------------------------------------------------------------------------------------

static void write_channel_name(FILE *out, const reportChannel *channel)
{
  report_text(out, "<tr><th>", channel->name, "</th><td>");
  markup_write(out, channel->unit);
  fputs("</td>", out);
}


static void write_extremes(const plotWork *w)
{
  FILE *out = w->job->out;
  fputs(
      "<h3>Least, greatest and last values</h3>\n<table class=\"long\"><thead><tr><th>channel</th>"
      "<th>unit</th><th class=\"n\">least</th><th class=\"n\">at, s</th><th class=\"n\">greatest"
      "</th><th class=\"n\">at, s</th><th class=\"n\">last</th></tr></thead>\n<tbody>",
      out);
  for (int i = 0; i < w->n; i++) {
    const reportCurve *c = &w->channel[i].curve[0];
    write_channel_name(out, &w->channel[i]);
    const double numbers[] = {c->least, c->least_at, c->most, c->most_at, c->last};
    for (int k = 0; k < 5; k++) format_stream(out, "<td class=\"n\">%.5g</td>", numbers[k]);
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table>\n", out);
}


static void write_differences(const plotWork *w)
{
  const reportJob *job = w->job;
  FILE *out = job->out;
  if (job->nresult == 1) return;
  report_text(out, "<h3>Largest differences from ", job->result[0].name,
              "</h3>\n<table class=\"long\"><thead><tr><th>channel</th><th>unit</th>");
  for (int r = 1; r < job->nresult; r++) {
    report_text(out, "<th class=\"n\">", job->result[r].name, "</th><th class=\"n\">at, s</th>");
  }
  fputs("</tr></thead>\n<tbody>", out);
  for (int i = 0; i < w->n; i++) {
    write_channel_name(out, &w->channel[i]);
    for (int r = 1; r < job->nresult; r++) {
      const reportCurve *c = &w->channel[i].curve[r];
      if (c->n == 0) {
        fputs("<td class=\"n\">-</td><td></td>", out);
      } else {
        format_stream(out, "<td class=\"n\">%.3g</td><td class=\"n\">%.4g</td>", c->apart,
                      c->apart_at);
      }
    }
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table>\n", out);
}


void report_plots(reportJob *job)
{
  plotWork *w = arena_alloc(&job->arena, 1, sizeof *w);
  check_words(job);
  w->job = job;
  const ioScene *scene = &w->job->result[0].film.scene;
  for (int c = 0; c < scene->nchannel; c++) {
    const sceneChannel *channel = &scene->channel[c];
    if (!is_wanted_channel(w->job->nword, w->job->word, channel->name)) continue;
    w->wanted++;
    const int pane = pane_for(w, channel->unit);
    if (pane < 0) continue;
    w->in_pane[pane]++;
    w->channel[w->n++] =
        (reportChannel){.name = channel->name, .unit = channel->unit, .pane = pane};
  }
  if (w->n == 0) return;
  read_curves(w);
  const int rounding = leave_out_rounding(w);
  fputs("<h2>Channels</h2>\n", job->out);
  for (int pane = 0; pane < w->npane; pane++) write_report_pane(w, pane);
  if (w->n < w->wanted) {
    fprintf(job->out,
            "<p class=\"note\">%d of %d channels. <code>articula report RESULT CHANNEL ...</code> "
            "shows those that are named, <code>articula plot</code> draws any.</p>\n",
            w->n, w->wanted);
  }
  if (rounding > 0) {
    fprintf(job->out,
            "<p class=\"note\">%d of them %s of the size of rounding and not drawn.</p>\n",
            rounding, rounding == 1 ? "is" : "are");
  }
  write_extremes(w);
  write_differences(w);
}
