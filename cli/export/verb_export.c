// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export: a result or a machine for other programs.
#include "command.h"
#include "generate/product.h"
#include "show/glb.h"
#include "show/moving_picture.h"


static void close_film(void *film)
{
  motion_close(film);
}


static void export_film(cliWork *w)
{
  ioMotion *film = arena_alloc(&w->arena, 1, sizeof *film);
  cli_defer(w, close_film, film);
  error_check(motion_open(film, w->call->file, error_current()));
  const cliCall *call = w->call;
  if (call->glb) {
    error_check(glb_write(film, call->glb, error_current()));
    w->exit = cli_name_file(call, "glb", call->glb, 0);
  } else {
    error_check(moving_picture_write(film, call->png, error_current()));
    w->exit = cli_name_file(call, "png", call->png, 0);
  }
}


void export_check(const cliCall *call)
{
  if (!!call->glb + !!call->png + !!call->fmu + !!call->live + !!call->urdf != 1)
    cli_leave("export writes one file: name it with --glb FILE or --png FILE of a result, or with "
              "--fmu FILE, --live FILE or --urdf FILE of a model");
  product_check(call);
}


void verb_export(cliWork *w)
{
  const cliCall *call = w->call;
  if (!call->glb && !call->png) w->exit = cli_load(call, &w->model, &w->data);
  if (w->exit) return;
  (call->fmu ? export_unit : call->urdf ? export_urdf : call->live ? export_live : export_film)(w);
}
