// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula response: from the height of the road to the outputs, by frequency.
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/max_nan.h"
#include "command_report.h"

enum { SHOWN_PEAKS = 3 };

// less is rounding: by metre, and of the largest of the same unit
static const double NO_ANSWER = 1e-7, LITTLE = 1e-9;


static double largest_in_column(const artTable *t, int column)
{
  double most = 0;
  for (long r = 0; r < t->rows; r++) {
    most = max_nan(most, t->value[r * t->columns + column]);
  }
  return most;
}


// does an output answer at all?
static bool has_answer(const artTable *t, int column)
{
  double most = 0;
  for (int c = 1; c < t->columns; c += 2) {
    if (strcmp(t->unit[c], t->unit[column]) == 0) most = max_nan(most, largest_in_column(t, c));
  }
  const double here = largest_in_column(t, column);
  return here > NO_ANSWER && here > LITTLE * most;
}


// a line for each output: its magnitude at the lowest frequency, and its first peaks
static void print_peaks(const cliWork *w, const artTable *t, const artTable *peaks)
{
  printf("%s  %-24s %-12s %13s   peaks%s\n", cli_bold(stdout), "output", "unit", "at the lowest",
         cli_plain(stdout));
  for (int k = 0; 2 * k + 1 < t->columns; k++) {
    const int column = 1 + 2 * k;
    format_stream(stdout, "  %-24s %-12s %13.6g", art_output_name(w->model, k), t->unit[column],
                  t->value[column]);
    int shown = 0;
    for (long r = 0; r < peaks->rows && has_answer(t, column); r++) {
      const double *peak = peaks->value + 3 * r;
      if (peak[0] != k || shown == SHOWN_PEAKS) continue;
      printf("%s", shown++ ? ", " : "   ");
      if (isinf(peak[2])) format_stream(stdout, "without bound at %.4g Hz", peak[1]);
      if (!isinf(peak[2])) format_stream(stdout, "%.5g at %.4g Hz", peak[2], peak[1]);
    }
    putchar('\n');
  }
}


void verb_response(cliWork *w)
{
  const char *channels[CLI_WORDS + 1] = {NULL};
  cliPicture picture = {.name = "response", .channel = channels, .log = "xy"};
  artTable *table = NULL, *peaks = NULL;
  const artStartDef *start = &w->study.response.start;
  if (start->at_equilibrium) {
    error_check(art_find_start(w->model, w->data, start, NULL, NULL, error_current()));
  }
  error_check(
      art_find_response(w->model, w->data, &w->study.response, &table, &peaks, error_current()));
  cli_defer_table(w, table);
  cli_defer_table(w, peaks);

  // the picture shows magnitudes of the outputs that answer
  for (int c = 1, n = 0; c < table->columns && n < CLI_WORDS; c += 2) {
    if (has_answer(table, c)) channels[n++] = table->name[c];
  }
  cli_save_table(w->call, table, &picture);
  char words[100];
  format_text(words, sizeof words, ", response to the road from %g Hz to %g Hz\n\n",
              w->study.response.from, w->study.response.to);
  cliReport report = report_begin(w->call);
  cli_report_table(&report, w, table, &picture, words);
  if (report_is_text(&report)) print_peaks(w, table, peaks);
  json_array(&report, "peaks");
  for (long r = 0; r < peaks->rows; r++) {
    const double *peak = peaks->value + 3 * r;
    const int k = (int) peak[0];
    if (!has_answer(table, 1 + 2 * k)) continue;
    json_item(&report, NULL, "output: %s, frequency: %g, magnitude: %g",
              art_output_name(w->model, k), peak[1], peak[2]);
  }
  json_end(&report);
  say(&report, "\nmagnitudes and phases are in %s, and the picture next to it\n", picture.csv);
  report_end(&report);
}
