// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula play: the playground in the browser, served or as one page.
#include <stdlib.h>

#include "base/file.h"
#include "server.h"
#include "show/page.h"


// takes the page over
static artStatus serve_playground(const cliCall *call, char *page, size_t size, artError *error)
{
  cliServer *server = NULL;
  int port;
  artStatus status = cli_read_port(call, &port, error);
  if (status) {
    free(page);
    return status;
  }
  status = server_start(&server, 0, NULL, NULL, page, size, port, error);
  if (status) return status;
  interrupt_watch();
  cli_announce(call, server);
  cli_serve(call, server);
  return ART_OK;
}


static artStatus write_play_page(cliWork *w, char *page, size_t size, artError *error)
{
  baseFile file;
  artStatus status = file_begin(&file, w->call->html, error);
  if (!status) {
    fwrite(page, 1, size, file.stream);
    status = file_commit(&file, error);
  }
  free(page);
  if (!status) w->exit = cli_name_file(w->call, "page", w->call->html, 0);
  return status;
}


artStatus verb_play(cliWork *w, artError *error)
{
  char *page = NULL;
  size_t size = 0;
  const artStatus status = page_load_play(w->call->file, &page, &size, error);
  if (status) return status;
  return w->call->html ? write_play_page(w, page, size, error)
                       : serve_playground(w->call, page, size, error);
}
