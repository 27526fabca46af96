// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula play: the playground in the browser, served or as one page.
#include <stdlib.h>

#include "base/file.h"
#include "server.h"
#include "show/page.h"


void verb_play(cliWork *w)
{
  char *page = NULL;
  size_t size = 0;
  baseFile file;
  error_check(page_load_play(w->call->file, &page, &size, error_current()));
  cli_defer(w, free, page);
  if (!w->call->html) {
    cli_show(w->call, 0, NULL, NULL, page, size);
    return;
  }
  error_check(file_begin(&file, w->call->html, error_current()));
  fwrite(page, 1, size, file.stream);
  error_check(file_commit(&file, error_current()));
  w->exit = cli_name_file(w->call, "page", w->call->html, 0);
}
