// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula assemble: close the loops, printed as a section of a model file.
#include "command.h"
#include "show/certificate.h"
#include "show/json.h"


//---- for people ----------------------------------------------------------------------------------

static void print_assembly(const cliCall *call, const artModel *m, const artData *d,
                           const artAssembly *a)
{
  printf("# %s, assembled", call->file);
  if (d->time != 0) printf(" at %.6g s", d->time);
  putchar('\n');
  if (a->rows == 0) printf("# no closed loops: the machine is a tree\n");
  if (a->rows > 0) {
    printf("# %d iteration%s; loops were open by %.3g m or rad, are by %.3g; moved by at most %.6g "
           "m or rad\n",
           a->iterations, a->iterations == 1 ? "" : "s", a->gap_before, a->gap, a->moved);
    printf("# they were opening by %.3g m/s or rad/s, are by %.3g\n", a->rate_gap_before,
           a->rate_gap);
    printf("# %d constraint rows, %d of which count\n", a->rows, a->rank);
  }
  artMove move;
  for (int k = 0; art_assembly_move(m, d, k, &move); k++) {
    printf("# moved %s from %.6g to %.6g %s\n", move.coordinate, move.from, move.to, move.unit);
  }
  printf("# %d degree%s of freedom\n", a->dof, a->dof == 1 ? "" : "s");
  for (int k = 0; k < a->redundant; k++) {
    char text[ART_ROW_LENGTH];
    printf("# %s\n", art_redundant_row(m, d, k, text));
  }
  cli_print_initial(m, d, true);
}


//---- for programs --------------------------------------------------------------------------------

static void write_assembly(const cliCall *call, const artModel *m, const artData *d,
                           const artAssembly *a)
{
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_fields(&json, "file: %s, time: %g, iterations: %d, gap_before: %g", call->file, d->time,
              a->iterations, a->gap_before);
  json_fields(&json, "gap: %g, rate_gap_before: %g, rate_gap: %g, moved: %g", a->gap,
              a->rate_gap_before, a->rate_gap, a->moved);
  certificate_write_moves(&json, m, d);
  json_fields(&json, "rows: %d, rank: %d, degrees_of_freedom: %d", a->rows, a->rank, a->dof);
  json_array(&json, "redundant");
  for (int k = 0; k < a->redundant; k++) {
    char text[ART_ROW_LENGTH];
    json_text(&json, NULL, art_redundant_row(m, d, k, text));
  }
  json_end(&json);
  cli_write_state(&json, m, d, true);
  json_end(&json);
}


artStatus verb_assemble(cliWork *w, artError *error)
{
  artAssembly result;
  const artStatus status = art_assemble(w->model, w->data, &result, error);
  if (status == ART_OK && w->call->json) {
    write_assembly(w->call, w->model, w->data, &result);
  } else if (status == ART_OK) {
    print_assembly(w->call, w->model, w->data, &result);
  }
  return status;
}
