// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula response: from the height of the road to the outputs, by frequency.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "table.h"

enum { SHOWN_PEAKS = 3 };

// less is rounding: by metre, and of the largest of the same unit
static const double NO_ANSWER = 1e-7, LITTLE = 1e-9;

typedef struct responseJob {
  cliWork *w;
  artTable *table, *peaks;
} responseJob;


static artStatus find_table(responseJob *job, artError *error)
{
  artStatus status = ART_OK;
  if (job->w->study.at_equilibrium) {
    status = art_find_start(job->w->model, job->w->data, &job->w->study, NULL, NULL, error);
  }
  if (status) return status;
  return art_find_response(job->w->model, job->w->data, &job->w->study, &job->table, &job->peaks,
                           error);
}


//---- peaks ---------------------------------------------------------------------------------------

static double magnitude(const artTable *t, long row, int column)
{
  return t->value[row * t->columns + column];
}


static double largest(const artTable *t, int column)
{
  double most = 0;
  for (long r = 0; r < t->rows; r++) most = base_larger(most, magnitude(t, r, column));
  return most;
}


// does an output answer at all?
static bool has_answer(const artTable *t, int column)
{
  double most = 0;
  for (int c = 1; c < t->columns; c += 2) {
    if (strcmp(t->unit[c], t->unit[column]) == 0) most = base_larger(most, largest(t, c));
  }
  const double here = largest(t, column);
  return here > NO_ANSWER && here > LITTLE * most;
}


static void print_peaks(const responseJob *job, int k)
{
  const artTable *t = job->table;
  const int column = 1 + 2 * k;
  printf("  %-24s %-12s %13.6g", art_output_name(job->w->model, k), t->unit[column],
         magnitude(t, 0, column));
  int shown = 0;
  for (long r = 0; r < job->peaks->rows && has_answer(t, column); r++) {
    const double *peak = job->peaks->value + 3 * r;
    if (peak[0] != k || shown == SHOWN_PEAKS) continue;
    printf("%s", shown++ ? ", " : "   ");
    if (isinf(peak[2])) {
      printf("without bound at %.4g Hz", peak[1]);
    } else {
      printf("%.5g at %.4g Hz", peak[2], peak[1]);
    }
  }
  putchar('\n');
}


static void print_table(const responseJob *job, const char *csv)
{
  cli_print_title(job->w->call, art_title(job->w->model));
  printf(", response to the road from %g Hz to %g Hz\n\n", job->w->study.lowest,
         job->w->study.highest);
  printf("%s  %-24s %-12s %13s   peaks%s\n", cli_bold(stdout), "output", "unit", "at the lowest",
         cli_plain(stdout));
  for (int k = 0; 2 * k + 1 < job->table->columns; k++) print_peaks(job, k);
  printf("\nmagnitudes and phases are in %s, with a picture beside it\n", csv);
}


// what the picture shows: magnitudes of the outputs that answer
static void choose_channels(const artTable *t, const char *channel[CLI_WORDS + 1])
{
  int n = 0;
  for (int c = 1; c < t->columns && n < CLI_WORDS; c += 2) {
    if (has_answer(t, c)) channel[n++] = t->name[c];
  }
}


static void write_peaks(ioJson *json, const responseJob *job)
{
  json_array(json, "peaks");
  for (long r = 0; r < job->peaks->rows; r++) {
    const double *peak = job->peaks->value + 3 * r;
    const int k = (int) peak[0];
    if (!has_answer(job->table, 1 + 2 * k)) continue;
    json_item(json, NULL, "output: %s, frequency: %g, magnitude: %g",
              art_output_name(job->w->model, k), peak[1], peak[2]);
  }
  json_end(json);
}


//---- the verb ------------------------------------------------------------------------------------

artStatus verb_response(cliWork *w, artError *error)
{
  const char *channels[CLI_WORDS + 1] = {NULL};
  cliPicture picture = {.name = "response", .channel = channels, .log = "xy"};
  responseJob job = {.w = w};
  artStatus status = find_table(&job, error);
  if (!status) choose_channels(job.table, channels);
  if (!status) status = cli_save_table(w->call, job.table, &picture, error);
  if (!status && w->call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_fields(&json, "file: %s, results: %s", w->call->file, picture.csv);
    cli_write_table(&json, job.table);
    write_peaks(&json, &job);
    json_end(&json);
  } else if (!status) {
    print_table(&job, picture.csv);
  }
  art_free_table(job.table);
  art_free_table(job.peaks);
  return status;
}
