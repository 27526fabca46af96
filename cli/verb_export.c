// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula export: a result for other programs.
#include "base/error.h"
#include "command.h"
#include "show/glb.h"


static artStatus export_all(const cliCall *call, artError *error)
{
  if (!call->glb) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "nothing to write: name a file with --glb FILE");
  }
  ioMotion film = {0};
  artStatus status = motion_open(&film, call->file, error);
  if (!status) status = glb_write(&film, call->glb, error);
  motion_close(&film);
  return status;
}


artStatus verb_export(cliWork *w, artError *error)
{
  const artStatus status = export_all(w->call, error);
  if (!status) w->exit = cli_name_file(w->call, "glb", w->call->glb, 0);
  return status;
}
