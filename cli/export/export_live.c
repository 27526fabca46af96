// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export --live: a page in which the machine itself moves.
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "command.h"
#include "show/page.h"
#include "show/scene_file.h"
#include "study/generate/live_module.h"


// pages do not tell of folders
static const char *base_name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}


static char *describe_live_scene(cliWork *w, size_t *size)
{
  char *header = NULL;
  ioScene scene = {0};
  const sceneStudy study = {base_name_of(w->call->file), w->study, 0};
  artStatus status = scene_describe(&scene, w->model, w->data, &study, error_current());
  if (!status) status = scene_header(&scene, 1, &header, size, error_current());
  scene_free(&scene);
  error_check(status);
  cli_defer(w, mem_free, header);
  return header;
}


void export_live(cliWork *w)
{
  char *module = NULL, *source = NULL;
  artRun *run = NULL;
  artError *error = error_current();
  pageMachine page = {.source_name = base_name_of(w->call->file)};
  cli_choose_study(w->call, w->model, ART_RUN, &w->study);
  error_check(live_find_step(w->model, &w->study.run, &page.step, error));
  // loops closed, states at the start of the study
  error_check(art_create_run(&run, w->model, w->data, &w->study.run, error));
  art_free_run(run);
  page.header = describe_live_scene(w, &page.header_size);
  error_check(live_compile(w->model, w->data, &w->study.run, &module, &page.module_size, error));
  cli_defer(w, mem_free, module);
  error_check(file_read(w->call->file, &source, &page.source_size, error));
  cli_defer(w, mem_free, source);
  page.module = module;
  page.source = source;
  error_check(page_write_live(w->call->live, &page, error));
  w->exit = cli_name_file(w->call, "page", w->call->live, 0);
}
