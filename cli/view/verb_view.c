// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula view: results in the browser, served or as one page.
#define _XOPEN_SOURCE 700 // nftw
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/platform.h"
#include "browser.h"
#include "joint_chain.h"
#include "server.h"
#include "show/page.h"
#include "verb_run.h"


void cli_announce(const cliCall *call, const cliServer *server)
{
  const bool is_open = !call->no_browser && browser_open(server->once_address);
  const bool is_run = call->view;
  if (call->json && !is_run) {
    ioJson json = {.file = stdout};
    json_item(&json, NULL, "address: %s", server->address);
  } else if (!call->quiet) {
    FILE *stream = call->json ? stderr : stdout;
    fprintf(stream, "%s%s%s   %s; Ctrl-C ends\n", cli_bold(stream), server->address,
            cli_plain(stream), is_open ? "shown in the browser" : "open it in a browser");
  }
  fflush(stdout);
}


void cli_serve(const cliCall *call, cliServer *server)
{
  const struct timespec pause = {.tv_nsec = 100000000};
  if (call->view && !interrupt_seen() && !call->quiet) {
    fprintf(stderr, "still at %s; Ctrl-C ends\n", server->address);
  }
  fflush(stdout);
  while (!interrupt_seen()) nanosleep(&pause, NULL);
  server_stop(server);
}


int cli_read_port(const cliCall *call)
{
  if (isnan(call->port)) return 0;
  if (call->port < 0 || call->port > 65535 || call->port != floor(call->port))
    cli_leave("--port is %g, expected a whole number up to 65535", call->port);
  return (int) call->port;
}


void cli_show(const cliCall *call, int n, const char *const *result, cliJointJog *const *jog,
              char *page, size_t size)
{
  cliServer *server = NULL;
  const int port = cli_read_port(call);
  error_check(server_start(&server, n, result, jog, page, size, port, error_current()));
  interrupt_watch();
  cli_announce(call, server);
  cli_serve(call, server);
}


//---- models instead of results --------------------------------------------------------------

static bool is_model(const char *path)
{
  struct stat about;
  const bool is_ours = file_has_ending(path, ".yaml") || file_has_ending(path, ".yml");
  return (is_ours || art_is_foreign(path)) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}


static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void) about, (void) kind, (void) where;
  return remove(path);
}


static void remove_folder(void *folder)
{
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}


static void free_joint_jog(void *jog)
{
  joint_jog_free(jog);
}


// the machine at its initial state as a result, in a folder of its own
static void record_model(cliWork *w, const char *folder, int number, const char **result,
                         cliJointJog **jog)
{
  const char *slash = strrchr(*result, '/');
  const cliCall *given = w->call;
  cliCall *call = arena_copy(&w->arena, given, 1, sizeof *call);
  call->file = *result;
  if (units_are_called(call)) {
    error_refuse(
        (artPlace){.file = call->file},
        "the file names FMUs, and view loads no native code; run it, and view its results");
  }
  call->directory = *result =
      arena_format(&w->arena, "%s/%d-%.200s", folder, number + 1, slash ? slash + 1 : *result);
  call->until = 1e-3; // of a single instant viewers know no extent
  call->says_notes = !given->quiet && !given->json;
  call->quiet = true;
  call->json = false;
  w->call = call;
  verb_run(w);
  w->call = given;
  if (w->exit) return;
  error_check(joint_jog_create(jog, call, error_current()));
  cli_defer(w, free_joint_jog, *jog);
}


//---- the call ------------------------------------------------------------------------------------

void verb_view(cliWork *w)
{
  const cliCall *call = w->call;
  const char *result[CLI_WORDS + 1];
  const int n = cli_results(call, &call->channels, result);
  char *folder = arena_format(&w->arena, "%s/articula-view-XXXXXX", platform_temporary_folder());
  cliJointJog *jog[CLI_WORDS + 1] = {0};
  bool has_models = false;
  for (int i = 0; i < n; i++) has_models = has_models || is_model(result[i]);
  if (!has_models && call->set.count + call->input.count + call->functions.count > 0)
    cli_leave("--set, --input and --functions are of model files, not of results");
  if (has_models && !mkdtemp(folder))
    error_check(file_fail(error_current(), folder, "cannot make a folder"));
  if (has_models) cli_defer(w, remove_folder, folder);
  for (int i = 0; i < n && !w->exit; i++) {
    if (is_model(result[i])) {
      record_model(w, folder, i, &result[i], &jog[i]);
    } else {
      (void) cli_check_result(result[i]);
    }
  }
  if (w->exit) return;
  if (!call->html) {
    cli_show(call, n, result, jog, NULL, 0);
    return;
  }
  const char *joints[CLI_WORDS + 1] = {NULL};
  for (int i = 0; i < n; i++) {
    if (!jog[i]) continue;
    char *text = joint_chain_create(jog[i]);
    if (!text) error_check(base_no_memory(error_current()));
    cli_defer(w, free, text);
    joints[i] = text;
  }
  error_check(page_write(call->html, n, result, joints, error_current()));
  w->exit = cli_name_file(call, "page", call->html, n);
}
