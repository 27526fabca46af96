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
#include "study/live_module.h"


// pages do not tell of folders
static const char *base_name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}


// loops closed, states at the start of the study
static artStatus go_to_start(cliWork *w, artError *error)
{
  artRun *run = NULL;
  const artStatus status = art_create_run(&run, w->model, w->data, &w->study.run, error);
  art_free_run(run);
  return status;
}


static artStatus describe_live_scene(const cliWork *w, char **header, size_t *size, artError *error)
{
  ioScene scene = {0};
  const sceneStudy study = {base_name_of(w->call->file), w->study, 0};
  artStatus status = scene_describe(&scene, w->model, w->data, &study, error);
  if (!status) status = scene_header(&scene, 1, header, size, error);
  scene_free(&scene);
  return status;
}


artStatus export_live(cliWork *w, artError *error)
{
  char *header = NULL, *module = NULL, *source = NULL;
  pageMachine page = {.source_name = base_name_of(w->call->file)};
  artStatus status = cli_choose_study(w->call, w->model, ART_RUN, &w->study, error);
  if (!status) status = live_find_step(w->model, &w->study.run, &page.step, error);
  if (!status) status = go_to_start(w, error);
  if (!status) status = describe_live_scene(w, &header, &page.header_size, error);
  if (!status) {
    status = live_compile(w->model, w->data, &w->study.run, &module, &page.module_size, error);
  }
  if (!status) status = file_read(w->call->file, &source, &page.source_size, error);
  page.header = header;
  page.module = module;
  page.source = source;
  if (!status) status = page_write_live(w->call->live, &page, error);
  mem_free(header);
  mem_free(module);
  mem_free(source);
  return status;
}
