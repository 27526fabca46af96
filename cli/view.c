// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula view: results in the browser, served or as one page.
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "interrupt.h"
#include "io/json.h"
#include "page.h"
#include "view.h"


// the results of the call: the first stands apart
static int list_results(const cliCall *call, const char *result[CLI_WORDS + 1])
{
  result[0] = call->file;
  memcpy(result + 1, call->channels.word, (size_t) call->channels.count * sizeof *result);
  return 1 + call->channels.count;
}


static int write_page(const cliCall *call, int n, const char *const *result)
{
  artError error = {0};
  const artStatus status = page_write(call->html, n, result, &error);
  if (status) return cli_fail(call, &error);
  if (call->json) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "page", call->html);
    json_integer(&json, "results", n);
    json_end(&json);
  } else if (!call->quiet) {
    printf("%s\n", call->html);
  }
  return CLI_DONE;
}


void cli_announce(const cliCall *call, const cliServer *server)
{
  const bool is_open = !call->no_browser && server_open_browser(server_address_once(server));
  const bool is_run = call->view;
  if (call->json && !is_run) {
    ioJson json = {.file = stdout};
    json_object(&json, NULL);
    json_text(&json, "address", server_address(server));
    json_end(&json);
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


int verb_view(const cliCall *call)
{
  const char *result[CLI_WORDS + 1];
  const int n = list_results(call, result);
  if (call->html) return write_page(call, n, result);

  artError error = {0};
  cliServer *server = NULL;
  int port;
  artStatus status = cli_read_port(call, &port, &error);
  if (!status) status = server_start(&server, n, result, port, &error);
  if (status) return cli_fail(call, &error);
  interrupt_watch();
  cli_announce(call, server);
  cli_serve(call, server);
  return CLI_DONE;
}
