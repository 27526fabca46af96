// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots: tables read back, ticks at round values, and what stands in the pictures.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "show/columns.h"
#include "show/csv.h"
#include "show/plot.h"
#include "support/check.h"

static char path[] = "/tmp/articula-test-plot-XXXXXX";


static void write_file(const char *text)
{
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) exit(1);
  fputs(text, file);
  CHECK(fclose(file) == 0);
}


// the whole file as text, until the next call
static const char *read_file(void)
{
  static char text[1 << 18];
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL)) exit(1);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  CHECK(size < sizeof text - 1 && fclose(file) == 0);
  text[size] = '\0';
  return text;
}


static int occurrences(const char *text, const char *word)
{
  int n = 0;
  for (const char *s = strstr(text, word); s; s = strstr(s + 1, word)) n++;
  return n;
}


//---- tables --------------------------------------------------------------------------------------

TEST(tables_read_back_to_the_same_bits)
{
  const double rows[2][3] = {{0, 0.1, -1e-300}, {0.5, 3.14159265358979323846, NAN}};
  ioCsv csv = {0};
  ioColumns table = {0};
  CHECK(csv_create(&csv, path, NULL) == ART_OK);
  csv_name(&csv, "time", "s");
  csv_name(&csv, "a \"b\", c", "N m");
  csv_name(&csv, "bare[1]", NULL);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  for (int i = 0; i < 2; i++) {
    csv_numbers(&csv, 3, rows[i]);
    CHECK(csv_end_line(&csv, NULL) == ART_OK);
  }
  CHECK(csv_close(&csv, NULL) == ART_OK);

  if (!CHECK(columns_read(&table, path, NULL) == ART_OK)) return;
  CHECK_EQ_INT(table.count, 3);
  CHECK_EQ_INT(table.rows, 2);
  CHECK_TEXT(table.column[1].name, "a \"b\", c");
  CHECK_TEXT(table.column[1].unit, "N m");
  CHECK_TEXT(table.column[2].name, "bare[1]");
  CHECK_TEXT(table.column[2].unit, "");
  CHECK_EQ_INT(columns_find(&table, "time"), 0);
  CHECK_EQ_INT(columns_find(&table, "tim"), -1);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) {
      CHECK(memcmp(&table.column[k].value[i], &rows[i][k], sizeof(double)) == 0 ||
            (isnan(table.column[k].value[i]) && isnan(rows[i][k])));
    }
  }
  columns_free(&table);
}


TEST(a_line_that_is_not_complete_does_not_count)
{
  ioColumns table = {0};
  write_file("time [s],x [m]\r\n0,1\r\n1,2\r\n2,");
  CHECK(columns_read(&table, path, NULL) == ART_OK);
  CHECK_EQ_INT(table.rows, 2);
  CHECK_NEAR(&table.column[1].value[1], (double[]){2}, 1, 0);
  columns_free(&table);
}


TEST(tables_that_are_none_are_refused_with_their_place)
{
  static const struct {
    const char *text, *message;
  } bad[] = {{"", "found no head"},
             {"time [s],x [m]\n0,1\n1\n", ":3:1: column 1 ('time'): found '1"},
             {"time [s],x [m]\n0,1,2\n", ":2:1: column 2 ('x'): found '1,2"},
             {"time [s],x [m]\n0,fast\n", "expected a number and the end of the line"}};
  for (int i = 0; i < 4; i++) {
    ioColumns table = {0};
    artError error = {0};
    write_file(bad[i].text);
    CHECK(columns_read(&table, path, &error) == ART_BAD_INPUT);
    if (!CHECK(strstr(error.text, bad[i].message) != NULL)) puts(error.text);
    columns_free(&table);
  }
}


//---- ticks ---------------------------------------------------------------------------------------

static void check_ticks(plotAxis axis, int most, const char *wanted)
{
  char all[300] = "", text[PLOT_TEXT];
  const plotTicks ticks = plot_ticks(&axis, most);
  CHECK(ticks.n <= most);
  for (int i = 0; i < ticks.n; i++) {
    strcat(all, i ? " " : "");
    strcat(all, plot_tick_text(&ticks, i, text));
  }
  strcat(all, plot_tick_note(&ticks, true, text));
  CHECK_TEXT(all, wanted);
}


TEST(ticks_are_round)
{
  check_ticks((plotAxis){.low = 0, .high = 10}, 6, "0 2 4 6 8 10");
  check_ticks((plotAxis){.low = 0, .high = 10}, 5, "0 5 10");
  check_ticks((plotAxis){.low = -0.31, .high = 0.52}, 10, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3 0.4 0.5");
  check_ticks((plotAxis){.low = 9998.7, .high = 10001.2}, 6,
              "9999.0 9999.5 10000.0 10000.5 10001.0");
  check_ticks((plotAxis){.low = -2.5e-7, .high = 2.5e-7}, 6, "-200 -100 0 100 200 x1e-9");
  check_ticks((plotAxis){.low = 1.1e7, .high = 2.1e7}, 5, "12 14 16 18 20 x1e6");
  check_ticks((plotAxis){.low = 0.1, .high = 20, .is_log = true}, 10, "0.1 0.2 0.5 1 2 5 10 20");
  check_ticks((plotAxis){.low = 1e-9, .high = 1e9, .is_log = true}, 10,
              "1e-08 1e-06 0.0001 0.01 1 100 10000 1e+06 1e+08");
  check_ticks((plotAxis){.low = 2, .high = 9, .is_log = true}, 10, "2 3 4 5 6 7 8 9");
}


// the texts stand for the values: text * 10^ten + offset, and are never long
TEST(ticks_near_each_other_or_far_from_zero_have_short_texts)
{
  check_ticks((plotAxis){.low = 1 - 2.2e-11, .high = 1 + 2.2e-11}, 6, "-20 -10 0 10 20 x1e-12 + 1");
  check_ticks((plotAxis){.low = -9.8100012, .high = -9.8099988}, 6,
              "-1.0 -0.5 0 0.5 1.0 x1e-6 - 9.81");
  check_ticks((plotAxis){.low = 1000, .high = 1000.01}, 6,
              "0 0.002 0.004 0.006 0.008 0.010 + 1000");
  check_ticks((plotAxis){.low = 1e12, .high = 4e12}, 8, "1.0 1.5 2.0 2.5 3.0 3.5 4.0 x1e12");
  check_ticks((plotAxis){.low = -8e299, .high = 8e299}, 4, "-500 0 500 x1e297");
  check_ticks((plotAxis){.low = 20000, .high = 45000}, 6, "20000 25000 30000 35000 40000 45000");

  uint64_t seed = 8;
  for (int trial = 0; trial < 2000; trial++) {
    const double middle = check_uniform(&seed, -1, 1) * pow(10, check_uniform(&seed, -12, 12));
    const double half = fabs(middle) * pow(10, check_uniform(&seed, -11, 3));
    const plotAxis axis = {.low = middle - half, .high = middle + half};
    const plotTicks ticks = plot_ticks(&axis, 8);
    for (int i = 0; i < ticks.n; i++) {
      char text[PLOT_TEXT];
      const char *word = plot_tick_text(&ticks, i, text);
      CHECK(strlen(word) <= 8);
      CHECK_CLOSE(atof(word) * pow(10, ticks.ten) + ticks.offset, ticks.at[i], 1e-3 * half);
    }
  }
}


TEST(ticks_of_any_range_are_few_ordered_and_inside)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 2000; trial++) {
    const double size = pow(10, check_uniform(&seed, -12, 12));
    const bool is_log = trial % 2;
    plotAxis axis = {.low = is_log ? size : check_uniform(&seed, -size, size), .is_log = is_log};
    axis.high = axis.low + size * pow(10, check_uniform(&seed, -3, 6));
    const int most = 4 + trial % 10;
    const plotTicks ticks = plot_ticks(&axis, most);
    CHECK(ticks.n >= 1 && ticks.n <= most);
    for (int i = 0; i < ticks.n; i++) {
      const double *at = ticks.at, place = plot_place(&axis, at[i]);
      CHECK(place > -1e-6 && place < 1 + 1e-6 && (i == 0 || at[i] > at[i - 1]));
    }
  }
}


//---- pictures ------------------------------------------------------------------------------------

enum { LONG = 100000 };
static double long_x[LONG], long_y[LONG];


static ioPlot two_panes(void)
{
  static const double x[] = {0, 1, 2, 3, 4}, up[] = {0, 1, 2, 3, 4}, gap[] = {5, 6, NAN, 6, 5};
  static plotAxis pane[2];
  static plotCurve curve[4];
  pane[0] = (plotAxis){.label = "[m & <mm>]"};
  pane[1] = (plotAxis){.label = "f [N]"};
  curve[0] = (plotCurve){.label = "up", .n = 5, .x = x, .y = up};
  curve[1] = (plotCurve){.label = "gap", .colour = 1, .dash = 1, .n = 5, .x = x, .y = gap};
  curve[2] = (plotCurve){.label = "alone", .pane = 1, .colour = 2, .n = 5, .x = x, .y = up};
  ioPlot plot = {.title = "a title",
                 .x = {.label = "time [s]"},
                 .npane = 2,
                 .pane = pane,
                 .ncurve = 3,
                 .curve = curve};
  plot_fit(&plot);
  return plot;
}


TEST(axes_fit_around_the_curves)
{
  const ioPlot plot = two_panes();
  CHECK_NEAR(&plot.x.low, (double[]){0}, 1, 0);
  CHECK_NEAR(&plot.x.high, (double[]){4}, 1, 0);
  CHECK_NEAR(&plot.pane[0].low, (double[]){-0.24}, 1, 1e-15);
  CHECK_NEAR(&plot.pane[0].high, (double[]){6.24}, 1, 1e-15);
}


TEST(the_picture_has_curves_labels_and_a_legend)
{
  const ioPlot plot = two_panes();
  CHECK(plot_write_svg(&plot, path, NULL) == ART_OK);
  const char *text = read_file();
  CHECK_EQ_INT(occurrences(text, "<path class=\"curve\""),
               5); // three, and two samples in the legend
  CHECK_EQ_INT(occurrences(text, "stroke-dasharray"), 2);
  CHECK_EQ_INT(occurrences(text, ">[m &amp; &lt;mm&gt;]<"), 1);
  CHECK_EQ_INT(occurrences(text, ">time [s]<"), 1);
  CHECK_EQ_INT(occurrences(text, ">gap<"), 1);
  CHECK_EQ_INT(occurrences(text, ">alone<"), 0); // one curve needs no legend
  CHECK_EQ_INT(occurrences(text, "nan"), 0);

  // the first pane from 84 to 84 + width, 42 to 292: its curve ends at 4 of -0.24 .. 6.24
  const char *curve = strstr(text, "d=\"M84.00 ");
  char wanted[80];
  snprintf(wanted, sizeof wanted, "d=\"M84.00 %.2fL", 42 + 250 * 6.24 / 6.48);
  if (CHECK(curve != NULL)) CHECK(strncmp(curve, wanted, strlen(wanted)) == 0);
}


TEST(long_curves_keep_their_extremes_and_a_bounded_size)
{
  for (int i = 0; i < LONG; i++) {
    long_x[i] = i;
    long_y[i] = sin(i) + (i == 54321 ? 100 : 0);
  }
  plotAxis pane = {.label = "y"};
  plotCurve curve = {.label = "y", .n = LONG, .x = long_x, .y = long_y};
  ioPlot plot = {.x = {.label = "x"}, .npane = 1, .pane = &pane, .ncurve = 1, .curve = &curve};
  plot_fit(&plot);
  CHECK(plot_write_svg(&plot, path, NULL) == ART_OK);
  char highest[20];
  const char *text = read_file();
  CHECK(strlen(text) < 120000);
  snprintf(highest, sizeof highest, " %.2fL", 16 + 380 * (1 - plot_place(&pane, long_y[54321])));
  CHECK_EQ_INT(occurrences(text, highest), 1);
}


// the picture on a terminal
static const char *drawn(const ioPlot *plot, const plotTerminal *terminal)
{
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) exit(1);
  CHECK(plot_draw(plot, file, terminal, NULL) == ART_OK);
  CHECK(fclose(file) == 0);
  return read_file();
}


TEST(a_rising_line_goes_from_corner_to_corner_in_a_terminal)
{
  const ioPlot all = two_panes();
  plotCurve curve = all.curve[2];
  plotAxis pane = {.label = "f [N]", .low = 0, .high = 4};
  curve.pane = 0;
  const ioPlot plot = {.x = all.x, .npane = 1, .pane = &pane, .ncurve = 1, .curve = &curve};
  const char *text = drawn(&plot, &(plotTerminal){.width = 31, .height = 5});
  CHECK_TEXT(text, "f [N]\n"
                   "        4 ┤                ⣀⠤⠒⠉\n"
                   "          │            ⣀⠤⠒⠉    \n"
                   "        2 ┤        ⣀⠤⠖⠉        \n"
                   "          │    ⣀⠤⠒⠉            \n"
                   "        0 ┤⣀⠤⠒⠉                \n"
                   "          └┴─────────┴────────┴\n"
                   "           0         2        4\n"
                   "           time [s]\n"
                   "           ── alone\n");
}


TEST(a_sample_between_gaps_is_a_cross)
{
  const double x[] = {2}, y[] = {3};
  plotAxis pane = {.label = "a.name.that.is.longer.than.the.terminal [N m]"};
  plotCurve curve = {.label = "y", .n = 1, .x = x, .y = y};
  ioPlot plot = {
      .x = {.label = "time [s]"}, .npane = 1, .pane = &pane, .ncurve = 1, .curve = &curve};
  plot_fit(&plot);
  const char *text = drawn(&plot, &(plotTerminal){.width = 27, .height = 5, .is_ascii = true});
  CHECK_TEXT(text, "....than.the.terminal [N m]\n"
                   "      3.2 +                \n"
                   "          |                \n"
                   "      3.0 +       **       \n"
                   "          |                \n"
                   "      2.8 +                \n"
                   "          ++------+-------+\n"
                   "          1.8    2.0    2.2\n"
                   "           time [s]\n"
                   "           ** y\n");
  CHECK(plot_write_svg(&plot, path, NULL) == ART_OK);
  text = read_file();
  CHECK_EQ_INT(occurrences(text, "h6M"), 1);
}


int main(int argc, char **argv)
{
  const int file = mkstemp(path);
  if (file < 0) return 1;
  close(file);
  const int failed = check_main(argc, argv);
  unlink(path);
  return failed;
}
