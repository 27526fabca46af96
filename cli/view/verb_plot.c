// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula plot: channels of results as SVG, as PNG or in the terminal.
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/format.h"
#include "command.h"
#include "show/columns.h"
#include "show/plot.h"
#include "show/result_check.h"

enum { MAX_RESULTS = CLI_WORDS + 1, PANE_LINES = 16 };

// which column of which result a curve shows
typedef struct plotChannel {
  int result, column;
} plotChannel;

typedef struct plotJob {
  const cliCall *call;
  int nresult;
  ioColumns *result[MAX_RESULTS];
  const char *path[MAX_RESULTS]; // as it was given
  const char *name[MAX_RESULTS]; // in legends
  int against[MAX_RESULTS];      // column of the horizontal axis
  ioPlot plot;
  int room;             // for curves, channels and panes
  plotChannel *channel; // [ncurve]
  baseArena arena;
} plotJob;


//---- results -------------------------------------------------------------------------------------

artError cli_check_result(const char *result)
{
  artError found = {0};
  if (result_check(result, &found) != ART_OK) fprintf(stderr, "%s\n", found.text);
  return found;
}


// other tables have no certificate
static bool is_table_of_result(const char *path)
{
  const char *slash = strrchr(path, '/');
  return strcmp(slash ? slash + 1 : path, "results.csv") == 0;
}


// a result that is not there is a mistake of the call
static void read_plot_result(plotJob *job, const char *path)
{
  const int r = job->nresult;
  artError detail = {0};
  ARENA_TAKE(&job->arena, job->result[r], 1);
  job->path[r] = path;
  // the directory that holds results.csv, or the name of the file itself
  size_t n = strlen(path);
  const char *ending = "/results.csv";
  if (n > strlen(ending) && strcmp(path + n - strlen(ending), ending) == 0) n -= strlen(ending);
  while (n > 1 && path[n - 1] == '/') n--;
  size_t from = n;
  while (from > 0 && path[from - 1] != '/') from--;
  job->name[r] = arena_text_n(&job->arena, path + from, n - from);
  job->nresult++;
  const artStatus status = columns_read(job->result[r], path, &detail);
  if (!status && is_table_of_result(job->result[r]->path)) (void) cli_check_result(path);
  if (!status) return;
  if (file_has_ending(path, ".yaml"))
    error_refuse((artPlace){.file = path},
                 "is a model, expected a result; 'articula run %.200s' writes one", path);
  if (status != ART_IO) error_throw_at(status, base_nowhere(), "%s", detail.text);
  cli_leave("%.900s; results are what 'articula run MODEL -o DIR' writes", detail.text);
}


//---- channels ------------------------------------------------------------------------------------

_Noreturn static void unknown_plot_channel(const plotJob *job, int r, const char *word)
{
  const ioColumns *result = job->result[r];
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = word};
  for (int k = 0; k < result->count; k++) base_consider(&nearest, result->column[k].name);
  error_refuse((artPlace){.file = result->path},
               "there is no channel '%.100s'%s%s; 'articula plot %.200s' lists all %d", word,
               base_hint(&nearest, hint), r > 0 ? "; is this the result of another model?" : "",
               job->path[r], result->count);
}


// channels of a result that match a word, unless they are shown already
static void add_matches(plotJob *job, int r, const char *word)
{
  const ioColumns *result = job->result[r];
  const int exact = columns_find(result, word);
  bool found = false;
  for (int k = 0; k < result->count; k++) {
    const bool matches =
        exact >= 0 ? k == exact
                   : k != job->against[r] && fnmatch(word, result->column[k].name, 0) == 0;
    bool is_new = matches;
    for (int c = 0; c < job->plot.ncurve; c++) {
      is_new &= job->channel[c].result != r || job->channel[c].column != k;
    }
    if (is_new) job->channel[job->plot.ncurve++] = (plotChannel){r, k};
    found |= matches;
  }
  if (!found) unknown_plot_channel(job, r, word);
}


//---- the plot ------------------------------------------------------------------------------------

static const ioColumn *plotted_column_of(const plotJob *job, int curve)
{
  ART_ASSERT(curve >= 0);
  const plotChannel *channel = &job->channel[curve];
  return &job->result[channel->result]->column[channel->column];
}


// the first curve that answers, up to the curve itself: one of the same unit, or of the same name
static int first_alike(const plotJob *job, int curve, bool by_unit)
{
  const ioColumn *wanted = plotted_column_of(job, curve);
  for (int c = 0; c < curve; c++) {
    const ioColumn *column = plotted_column_of(job, c);
    const char *one = by_unit ? column->unit : column->name;
    if (strcmp(one, by_unit ? wanted->unit : wanted->name) == 0) return c;
  }
  return curve;
}


static const char *with_unit(plotJob *job, const ioColumn *column)
{
  if (!column->unit[0]) return column->name;
  return arena_format(&job->arena, "%s [%s]", column->name, column->unit);
}


// a colour for each channel and a dash for each result; a single channel has a colour for each result
static void choose_ink(plotJob *job)
{
  ioPlot *plot = &job->plot;
  int names = 0;
  for (int c = 0; c < plot->ncurve; c++) {
    const int alike = first_alike(job, c, false);
    plot->curve[c].colour = alike < c ? plot->curve[alike].colour : names++;
    plot->curve[c].dash = job->channel[c].result;
  }
  for (int c = 0; c < plot->ncurve && names == 1; c++) {
    plot->curve[c].colour = plot->curve[c].dash;
    plot->curve[c].dash = 0;
  }
}


static void add_curve(plotJob *job, int c)
{
  const int r = job->channel[c].result;
  const ioColumns *result = job->result[r];
  const ioColumn *column = plotted_column_of(job, c);
  plotCurve *curve = &job->plot.curve[c];
  curve->label = column->name;
  if (job->nresult > 1) {
    curve->label = arena_format(&job->arena, "%s: %s", job->name[r], column->name);
  }
  curve->n = result->rows;
  curve->x = result->column[job->against[r]].value;
  curve->y = column->value;
  // a pane of its own for a new unit; its label is a name as long as all its curves have the same
  ioPlot *plot = &job->plot;
  const int alike = first_alike(job, c, true);
  int pane = alike < c ? plot->curve[alike].pane : plot->npane++;
  if (alike == c) {
    plot->pane[pane].label = with_unit(job, column);
  } else if (strcmp(column->name, plotted_column_of(job, alike)->name) != 0) {
    plot->pane[pane].label = arena_format(&job->arena, "[%s]", column->unit);
  }
  plot->curve[c].pane = pane;
}


//---- messages ------------------------------------------------------------------------------------

static int terminal_width(void)
{
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char *columns = getenv("COLUMNS");
  const int width = columns ? atoi(columns) : 0;
  return width > 0 && width < 1000 ? width : 80;
}


// a locale that names another encoding, or none, has no braille; without a locale we hope for the best
static bool has_utf8(void)
{
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *locale = getenv(names[i]);
    if (!locale || !locale[0]) continue;
    return fnmatch("*[Uu][Tt][Ff]*8*", locale, 0) == 0;
  }
  return true;
}


static void write_column(ioJson *json, const ioColumns *result, int k)
{
  const ioColumn *column = &result->column[k];
  double least = INFINITY, most = -INFINITY;
  for (long i = 0; i < result->rows; i++) {
    least = fmin(least, column->value[i]);
    most = fmax(most, column->value[i]);
  }
  json_object(json, NULL);
  json_fields(json, "result: %s, channel: %s, unit: %s, rows: %ld", result->path, column->name,
              column->unit, result->rows);
  json_fields(json, "least: %g, most: %g, last: %g", least, most,
              result->rows > 0 ? column->value[result->rows - 1] : NAN);
  json_end(json);
}


static void write_plot_json(const plotJob *job)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_fields(&json, "file: %s, against: %s", job->call->directory,
              job->result[0]->column[job->against[0]].name);
  json_array(&json, "channels");
  for (int c = 0; c < job->plot.ncurve; c++) {
    write_column(&json, job->result[job->channel[c].result], job->channel[c].column);
  }
  for (int k = 0; k < job->result[0]->count && job->plot.ncurve == 0; k++) {
    write_column(&json, job->result[0], k);
  }
  json_end(&json);
  json_end(&json);
}


//---- the verb ------------------------------------------------------------------------------------

static void show_plot(plotJob *job)
{
  const cliCall *call = job->call;
  ioPlot *plot = &job->plot;
  ARENA_TAKE(&job->arena, plot->curve, job->room);
  ARENA_TAKE(&job->arena, plot->pane, job->room);
  plot->title = job->nresult == 1 ? job->name[0] : NULL;
  plot->x.label = with_unit(job, &job->result[0]->column[job->against[0]]);
  for (int c = 0; c < plot->ncurve; c++) add_curve(job, c);
  const char *axes = job->call->log ? job->call->log : "";
  plot->x.is_log = strchr(axes, 'x') != NULL;
  for (int k = 0; k < plot->npane; k++) plot->pane[k].is_log = strchr(axes, 'y') != NULL;
  choose_ink(job);
  plot_fit(plot);
  if (call->directory) {
    error_check(file_has_ending(call->directory, ".png")
                    ? png_write(&job->plot, call->directory, error_current())
                    : plot_write_svg(&job->plot, call->directory, error_current()));
  }
  if (call->json || call->quiet) return;
  if (call->directory) {
    format_show(stdout, "%s: %d curve%s\n", call->directory, job->plot.ncurve,
                job->plot.ncurve == 1 ? "" : "s");
    return;
  }
  const plotTerminal terminal = {.width = terminal_width(),
                                 .height = PANE_LINES,
                                 .is_coloured = cli_is_coloured(stdout),
                                 .is_ascii = !has_utf8()};
  error_check(plot_draw(&job->plot, stdout, &terminal, error_current()));
}


static void plot_results(void *context)
{
  plotJob *job = context;
  const cliCall *call = job->call;
  const char *path = call->directory;
  if (path && !file_has_ending(path, ".svg") && !file_has_ending(path, ".png"))
    cli_leave("--output '%.200s': expected a name that ends with .svg or .png", path);
  const cliList *with = &job->call->with;
  read_plot_result(job, job->call->file);
  for (int k = 0; k < with->count; k++) read_plot_result(job, with->word[k]);
  // names that are the same say nothing
  bool is_same = false;
  for (int r = 1; r < job->nresult; r++) {
    for (int o = 0; o < r; o++) is_same |= strcmp(job->name[r], job->name[o]) == 0;
  }
  for (int r = 0; r < job->nresult && is_same; r++) job->name[r] = job->path[r];
  // the columns of the horizontal axis, and those that are drawn over it
  const cliList *words = &job->call->channels;
  const char *axis = job->call->against;
  for (int r = 0; r < job->nresult && axis; r++) {
    job->against[r] = columns_find(job->result[r], axis);
    if (job->against[r] < 0) unknown_plot_channel(job, r, axis);
  }
  for (int r = 0; r < job->nresult; r++) job->room += job->result[r]->count;
  ARENA_TAKE(&job->arena, job->channel, job->room);
  for (int k = 0; k < words->count; k++) {
    for (int r = 0; r < job->nresult; r++) add_matches(job, r, words->word[k]);
  }
  if (call->channels.count > 0) show_plot(job);
  if (call->channels.count == 0 && !call->json) {
    const ioColumns *result = job->result[0];
    format_show(stdout, "%s%s%s: %ld rows of %d channels\n", cli_bold(stdout), result->path,
                cli_plain(stdout), result->rows, result->count);
    for (int k = 0; k < result->count; k++) {
      printf("  %-30s %s\n", result->column[k].name, result->column[k].unit);
    }
  }
  if (call->json) write_plot_json(job);
}


void cli_draw(const cliCall *call)
{
  plotJob job = {.call = call, .arena.leaves = 1};
  const artStatus status = error_try(plot_results, &job, error_current());
  for (int r = 0; r < job.nresult; r++) columns_free(job.result[r]);
  arena_free(&job.arena);
  error_check(status);
}


void verb_plot(cliWork *w)
{
  cli_draw(w->call);
}
