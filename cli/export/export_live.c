// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export --live: a page in which the machine itself moves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "command.h"
#include "gen/gen.h"
#include "show/json.h"
#include "show/page.h"
#include "show/scene_file.h"
#include "study/generate/live_module.h"


// pages do not tell of folders
static const char *base_name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}


//---- what the page knows of the machine besides its scene -----------------------------------------

// first numbers of the geometry, frames at the ends of forces, and shapes of the model file: body
// and place among its shapes
static void write_geometry(ioJson *json, const artModel *model, const ioScene *scene)
{
  const genGeometry g = gen_geometry(model);
  json_object(json, "geometry");
  json_fields(json, "joint: %d, frame: %d, body: %d, rod: %d, visual: %d", g.joint, g.frame, g.body,
              g.rod, g.visual);
  json_array(json, "ends");
  for (int f = 0; f < scene->nforce; f++) {
    json_list(json, NULL);
    for (int k = 0; k < scene->force[f].nend; k++) {
      json_integer(json, NULL, scene->force[f].frame[k]);
    }
    json_end(json);
  }
  json_end(json);
  json_array(json, "shapes");
  const artVisualDef *shape;
  for (int i = 0, body; (shape = art_get_visual(model, i, &body)); i++) {
    const artVisualDef *other;
    int place = shape->type == ART_VISUAL_NONE ? -1 : 0;
    for (int k = 0, owner; k < i && place >= 0; k++) {
      other = art_get_visual(model, k, &owner);
      place += owner == body && other->type != ART_VISUAL_NONE;
    }
    json_list(json, NULL);
    json_integer(json, NULL, body - 1);
    json_integer(json, NULL, place);
    json_end(json);
  }
  json_end(json);
  json_end(json);
}


// words of the model file for parameters that the list of sliders does not name
static void write_help(ioJson *json, const artModel *model)
{
  json_object(json, "help");
  for (int i = 0; i < art_count_parameters(model); i++) {
    const char *help = art_parameter_help(model, i);
    if (help[0]) json_text(json, art_parameter_name(model, i), help);
  }
  json_end(json);
}


static artStatus describe_machine(const cliWork *w, const ioScene *scene, char **text, size_t *size)
{
  FILE *stream = open_memstream(text, size);
  if (!stream) return base_no_memory(error_current());
  ioJson json = {.file = stream};
  json_object(&json, NULL);
  write_geometry(&json, w->model, scene);
  write_help(&json, w->model);
  artSliderPart slider;
  json_array(&json, "sliders");
  for (int i = 0; art_get_slider(w->model, i, &slider); i++) {
    json_object(&json, NULL);
    json_text(&json, "name", slider.name);
    if (slider.title[0]) json_text(&json, "title", slider.title);
    if (slider.group[0]) json_text(&json, "group", slider.group);
    if (isfinite(slider.least)) json_number(&json, "lower", slider.least);
    if (isfinite(slider.largest)) json_number(&json, "upper", slider.largest);
    json_end(&json);
  }
  json_end(&json);
  json_end(&json);
  return file_close_text(stream, text) ? ART_OK : base_no_memory(error_current());
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
  char *header = NULL, *about = NULL;
  ioScene scene = {0};
  const sceneStudy study = {base_name_of(w->call->file), w->study, 0};
  artStatus status = scene_describe(&scene, w->model, w->data, &study, error_current());
  if (!status) status = scene_header(&scene, 1, &header, &page.header_size, error_current());
  if (!status) status = describe_machine(w, &scene, &about, &page.about_size);
  scene_free(&scene);
  cli_defer(w, mem_free, header);
  cli_defer(w, free, about);
  error_check(status);
  page.header = header;
  page.about = about;
  error_check(live_compile(w->model, w->data, &w->study.run, &module, &page.module_size, error));
  cli_defer(w, mem_free, module);
  error_check(file_read(w->call->file, &source, &page.source_size, error));
  cli_defer(w, mem_free, source);
  page.module = module;
  page.source = source;
  error_check(page_write_live(w->call->live, &page, error));
  w->exit = cli_name_file(w->call, "page", w->call->live, 0);
}
