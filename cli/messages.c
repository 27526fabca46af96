// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Messages to the user: mistakes with their place, in bold on a terminal, or as JSON; verdicts; files written; progress.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/memory.h"
#include "command.h"
#include "par/mpi.h"


bool cli_is_coloured(FILE *stream)
{
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if (no_color && no_color[0]) return false;
  return isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0;
}


const char *cli_bold(FILE *stream)
{
  return cli_is_coloured(stream) ? FORMAT_BOLD : "";
}


const char *cli_plain(FILE *stream)
{
  return cli_is_coloured(stream) ? FORMAT_USUAL : "";
}


void cli_print_title(const cliCall *call, const char *title)
{
  format_show(stdout, "%s%s%s", cli_bold(stdout), title && title[0] ? title : call->file,
              cli_plain(stdout));
}


static int cli_exit_status(artStatus status)
{
  if (!status) return CLI_DONE;
  return status == ART_BAD_INPUT ? CLI_WRONG : CLI_FAILED;
}


static void print_error(const artError *error)
{
  int line, column;
  const size_t n = error_place(error->text, &line, &column);
  fprintf(stderr, "%s%.*s%s%s\n", cli_bold(stderr), (int) n, error->text, cli_plain(stderr),
          error->text + n);
}


int cli_fail(const cliCall *call, const artError *error)
{
  if (call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    error_write(&json, "error", error, call->file);
    json_end(&json);
  } else {
    print_error(error);
  }
  return cli_exit_status(error->status);
}


int cli_lose_rank(const char *why)
{
  fprintf(stderr, "rank %d: %s\n", par_mpi_rank(), why);
  par_mpi_end(1);
  return CLI_FAILED;
}


int cli_name_file(const cliCall *call, const char *key, const char *path, int results)
{
  if (call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, key, path);
    if (results > 0) json_integer(&json, "results", results);
    json_end(&json);
  } else if (!call->quiet) {
    format_show(stdout, "%s\n", path);
  }
  return CLI_DONE;
}


// maximum number of printed mistakes
enum { MAX_SHOWN = 50 };

typedef struct mistakeList {
  const cliCall *call;
  ioJson json;
  int count;
} mistakeList;


static void report_mistake(void *context, const artError *error)
{
  mistakeList *list = context;
  if (list->count++ >= MAX_SHOWN) return;
  if (!list->call->json) {
    print_error(error);
    return;
  }
  if (list->count == 1) {
    json_object(&list->json, NULL);
    error_write(&list->json, "error", error, list->call->file);
    json_array(&list->json, "errors");
  }
  error_write(&list->json, NULL, error, list->call->file);
}


int cli_list_mistakes(const cliCall *call, const artError *error)
{
  mistakeList list = {.call = call, .json = {.file = stdout}};
  artSetting *setting = NULL;
  int nsetting;
  if (cli_take_settings(call, &setting, &nsetting, NULL)) nsetting = 0;
  const int count = art_list_mistakes(call->file, nsetting, setting, report_mistake, &list);
  mem_free(setting);
  if (count == 0) return cli_fail(call, error);
  const int more = count > MAX_SHOWN ? count - MAX_SHOWN : 0;
  if (call->json) {
    json_end(&list.json);
    json_integer(&list.json, "more", more);
    json_end(&list.json);
  } else if (more > 0) {
    fprintf(stderr, "and %s%d more\n", count >= 100 ? "at least " : "", more);
  }
  return cli_exit_status(error->status);
}


int cli_refuse(const cliCall *call, const artError *error)
{
  const int status = cli_fail(call, error);
  const bool is_model = error->status == ART_NO_CONVERGENCE || error->status == ART_SINGULAR;
  return is_model ? CLI_WRONG : status;
}


int cli_judge(const cliCall *call, const artJudgement *j)
{
  const bool is_error = j->verdict == ART_VERDICT_FAILED || call->strict;
  if (j->verdict == ART_VERDICT_GOOD) return CLI_DONE;
  if (!call->json && (is_error || call->quiet)) {
    fprintf(stderr, "verdict: %s", art_verdict_name(j->verdict));
    for (int k = 0; k < j->reasons; k++) fprintf(stderr, "%s %s", k == 0 ? ":" : ";", j->reason[k]);
    fputc('\n', stderr);
  }
  return is_error ? CLI_FAILED : CLI_DONE;
}


const char *cli_duration(double seconds, char buffer[CLI_DURATION_LENGTH])
{
  if (seconds < 1e-3) {
    format_text(buffer, CLI_DURATION_LENGTH, "%.3g us", 1e6 * seconds);
  } else if (seconds < 1) {
    format_text(buffer, CLI_DURATION_LENGTH, "%.3g ms", 1e3 * seconds);
  } else if (seconds < 60) {
    format_text(buffer, CLI_DURATION_LENGTH, "%.3g s", seconds);
  } else {
    const long whole = (long) (seconds + 0.5);
    snprintf(buffer, CLI_DURATION_LENGTH, "%ld:%02ld min", whole / 60, whole % 60);
  }
  return buffer;
}


//---- a progress bar on standard error: on a terminal, when work lasts over a second --------------

enum { BAR_WIDTH = 30 };
static const double PATIENCE = 1.0;    // s before the bar appears
static const double LONGEST = 3600000; // s that we dare to say are left
static const double REFRESH = 0.1;     // s between two looks of it


cliProgress progress_begin(bool is_wanted, double from, double now, double until)
{
  const double clock = base_now();
  return (cliProgress){.is_wanted = is_wanted && isatty(STDERR_FILENO) && until > from,
                       .from = from,
                       .until = until,
                       .start_time = now,
                       .begun = clock,
                       .last = clock};
}


// "37 % [####......] words", as wide as the terminal allows: a line that wraps could not be taken away
static void show_line(double done, const char *words)
{
  struct winsize size = {0};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const int room = (is_known ? size.ws_col : 80) - 1, around = 9; // of bar and words
  const int least = room - around - (int) strlen(words);
  const int width = least < 0 ? 0 : least > BAR_WIDTH ? BAR_WIDTH : least;
  char bar[BAR_WIDTH + 1] = {0};
  for (int i = 0; i < width; i++) bar[i] = i < (int) (done * width) ? '#' : '.';
  format_stream(stderr, "\r%3.0f %% [%s] %.*s", 100 * done, bar, room > around ? room - around : 0,
                words);
}


void progress_show(cliProgress *p, double now)
{
  if (!p->is_wanted) return;
  const double clock = base_now(), elapsed = clock - p->begun;
  if (elapsed < PATIENCE || clock - p->last < REFRESH) return;
  p->last = clock;
  p->is_shown = true;

  const double done = (now - p->from) / (p->until - p->from);
  const double rate = (now - p->start_time) / elapsed;
  char words[160], left[40] = "";
  if (rate > 0) {
    const double seconds = fmin((p->until - now) / rate, LONGEST);
    snprintf(left, sizeof left, ", %ld:%02ld left", (long) seconds / 60, (long) seconds % 60);
  }
  format_text(words, sizeof words, "%.4g of %.4g s, %.*f times real time%s", now, p->until,
              rate < 10, rate, left);
  show_line(done, words);
  fputs("\033[K", stderr);
  fflush(stderr);
}


void progress_end(cliProgress *p)
{
  if (p->is_shown) fputs("\r\033[K", stderr);
  p->is_shown = false;
}
