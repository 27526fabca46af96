// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula view: results in the browser, served or as one page.
#include <math.h>
#include <time.h>

#include "base/error.h"
#include "interrupt.h"
#include "show/json.h"
#include "show/page.h"
#include "verb_view.h"


void cli_announce(const cliCall *call, const cliServer *server)
{
  const bool is_open = !call->no_browser && server_open_browser(server_address_once(server));
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
  if (call->port < 0 || call->port > 65535 || call->port != floor(call->port)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--port is %g, expected a whole number up to 65535", call->port);
  }
  *port = (int) call->port;
  return ART_OK;
}


artStatus verb_view(cliWork *w, artError *error)
{
  const cliCall *call = w->call;
  const char *result[CLI_WORDS + 1];
  const int n = cli_results(call, &call->channels, result);
  if (call->html) {
    const artStatus status = page_write(call->html, n, result, error);
    if (!status) w->exit = cli_name_file(call, "page", call->html, n);
    return status;
  }
  cliServer *server = NULL;
  int port;
  artStatus status = cli_read_port(call, &port, error);
  if (!status) status = server_start(&server, n, result, port, error);
  if (status) return status;
  interrupt_watch();
  cli_announce(call, server);
  cli_serve(call, server);
  return ART_OK;
}
