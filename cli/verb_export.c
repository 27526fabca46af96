// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export: a result or a machine for other programs.
#include "command.h"
#include "show/glb.h"


static artStatus export_film(const cliCall *call, artError *error)
{
  ioMotion film = {0};
  artStatus status = motion_open(&film, call->file, error);
  if (!status) status = glb_write(&film, call->glb, error);
  motion_close(&film);
  return status;
}


artStatus verb_export(cliWork *w, artError *error)
{
  const cliCall *call = w->call;
  if (!!call->glb + !!call->fmu + !!call->live + !!call->urdf != 1)
    return cli_wrong(error, "export writes one file: name it with --glb FILE of a result, or "
                            "with --fmu FILE, --live FILE or --urdf FILE of a model");
  if (call->fmu) return export_unit(w, error);
  if (call->urdf) return export_urdf(w, error);
  if (call->live) {
    w->exit = cli_load(call, &w->model, &w->data);
    if (w->exit != CLI_DONE) return ART_OK;
  }
  const artStatus status = call->live ? export_live(w, error) : export_film(call, error);
  if (!status) {
    w->exit =
        cli_name_file(call, call->live ? "page" : "glb", call->live ? call->live : call->glb, 0);
  }
  return status;
}
