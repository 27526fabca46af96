// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula view: results in the browser, served or as one page.
#define _XOPEN_SOURCE 700 // nftw
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "server.h"
#include "show/page.h"


//---- the browser, by xdg-open --------------------------------------------------------------------

// is there a screen, and a program of this name on the path?
static int has_browser(void)
{
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "command -v xdg-open > /dev/null", (char *) NULL);
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}


// the address in the browser; 0 when there is none
static int open_browser(const char *address)
{
  if (!has_browser()) return 0;
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    // twice removed, so that nobody has to wait for it; its chatter goes nowhere
    if (fork() != 0) _exit(0);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && nowhere >= 0; fd++) dup2(nowhere, fd);
    setsid();
    execlp("xdg-open", "xdg-open", address, (char *) NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
  return 1;
}


void cli_announce(const cliCall *call, const cliServer *server)
{
  const bool is_open = !call->no_browser && open_browser(server_address_once(server));
  const bool is_run = call->view;
  if (call->json && !is_run) {
    ioJson json = {.file = stdout};
    json_item(&json, NULL, "address: %s", server_address(server));
  } else if (!call->quiet) {
    FILE *stream = call->json ? stderr : stdout;
    fprintf(stream, "%s%s%s   %s; Ctrl-C ends\n", cli_bold(stream), server_address(server),
            cli_plain(stream), is_open ? "shown in the browser" : "open it in a browser");
  }
  fflush(stdout);
}


void cli_serve(const cliCall *call, cliServer *server)
{
  const struct timespec pause = {.tv_nsec = 100000000};
  if (call->view && !interrupt_seen() && !call->quiet) {
    fprintf(stderr, "still at %s; Ctrl-C ends\n", server_address(server));
  }
  fflush(stdout);
  while (!interrupt_seen()) nanosleep(&pause, NULL);
  server_stop(server);
}


artStatus cli_read_port(const cliCall *call, int *port, artError *error)
{
  *port = 0;
  if (isnan(call->port)) return ART_OK;
  if (call->port < 0 || call->port > 65535 || call->port != floor(call->port))
    return cli_wrong(error, "--port is %g, expected a whole number up to 65535", call->port);
  *port = (int) call->port;
  return ART_OK;
}


//---- models in the place of results --------------------------------------------------------------

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


// the machine at its initial state as a result, in a folder of its own; its name is kept
static artStatus record_model(cliWork *w, const char *folder, int number, const char **result,
                              cliMover **mover, artError *error)
{
  static char kept[CLI_WORDS + 1][FILE_PATH_LENGTH];
  const char *slash = strrchr(*result, '/');
  char name[300];
  cliCall call = *w->call;
  const cliCall *given = w->call;
  snprintf(name, sizeof name, "%d-%.200s", number + 1, slash ? slash + 1 : *result);
  artStatus status = file_join(kept[number], folder, name, error);
  if (status) return status;
  call.file = *result;
  call.directory = kept[number];
  call.until = 1e-3; // of a single instant viewers know no extent
  call.quiet = true;
  call.json = false;
  w->call = &call;
  status = verb_run(w, error);
  if (!status && !w->exit && !call.html) status = mover_create(mover, &call, error);
  w->call = given;
  *result = kept[number];
  return status;
}


static artStatus record_models(cliWork *w, const char *folder, int n, const char **result,
                               cliMover **mover, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < n && !status && !w->exit; i++) {
    if (is_model(result[i])) status = record_model(w, folder, i, &result[i], &mover[i], error);
  }
  return status;
}


//---- the call ------------------------------------------------------------------------------------

static artStatus show_results(cliWork *w, int n, const char **result, cliMover *const *mover,
                              artError *error)
{
  const cliCall *call = w->call;
  if (call->html) {
    const artStatus status = page_write(call->html, n, result, error);
    if (!status) w->exit = cli_name_file(call, "page", call->html, n);
    return status;
  }
  cliServer *server = NULL;
  int port;
  artStatus status = cli_read_port(call, &port, error);
  if (!status) status = server_start(&server, n, result, mover, NULL, 0, port, error);
  if (status) return status;
  interrupt_watch();
  cli_announce(call, server);
  cli_serve(call, server);
  return ART_OK;
}


artStatus verb_view(cliWork *w, artError *error)
{
  const char *result[CLI_WORDS + 1];
  const int n = cli_results(w->call, &w->call->channels, result);
  char folder[] = "/tmp/articula-view-XXXXXX";
  bool has_models = false;
  for (int i = 0; i < n; i++) has_models = has_models || is_model(result[i]);
  if (!has_models && w->call->set.count + w->call->input.count + w->call->functions.count > 0)
    return cli_wrong(error, "--set, --input and --functions are of model files, not of results");
  if (!has_models) return show_results(w, n, result, NULL, error);
  if (!mkdtemp(folder)) return file_fail(error, folder, "cannot make a folder");
  cliMover *mover[CLI_WORDS + 1] = {0};
  artStatus status = record_models(w, folder, n, result, mover, error);
  if (!status && !w->exit) status = show_results(w, n, result, mover, error);
  for (int i = 0; i < n; i++) mover_free(mover[i]);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return status;
}
