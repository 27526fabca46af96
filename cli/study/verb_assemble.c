// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula assemble: close the loops, printed as a section of a model file.
#include "command_report.h"
#include "show/certificate.h"


void verb_assemble(cliWork *w)
{
  const artModel *m = w->model;
  artAssembly a;
  artMove move;
  error_check(art_assemble(m, w->data, &a, error_current()));
  cliReport r = report_begin(w->call);
  json_fields(&r, "file: %s, time: %g, iterations: %d, gap_before: %g", w->call->file,
              w->data->time, a.iterations, a.gap_before);
  json_fields(&r, "gap: %g, rate_gap_before: %g, rate_gap: %g, moved: %g", a.gap, a.rate_gap_before,
              a.rate_gap, a.moved);
  say(&r, "# %s, assembled", w->call->file);
  if (w->data->time != 0) say(&r, " at %.6g s", w->data->time);
  say(&r, "\n");
  if (a.rows == 0) say(&r, "# no closed loops: the machine is a tree\n");
  if (a.rows > 0) {
    say(&r,
        "# %d iteration%s; loops were open by %.3g m or rad, are by %.3g; moved by at most %.6g "
        "m or rad\n",
        a.iterations, plural_s(a.iterations), a.gap_before, a.gap, a.moved);
    say(&r, "# they were opening by %.3g m/s or rad/s, are by %.3g\n", a.rate_gap_before,
        a.rate_gap);
    say(&r, "# %d constraint rows, %d of which count\n", a.rows, a.rank);
  }
  certificate_write_moves(&r, m, w->data);
  for (int k = 0; art_assembly_move(m, w->data, k, &move); k++) {
    say(&r, "# moved %s from %.6g to %.6g %s\n", move.coordinate, move.from, move.to, move.unit);
  }
  json_fields(&r, "rows: %d, rank: %d, degrees_of_freedom: %d", a.rows, a.rank, a.dof);
  say(&r, "# %d degree%s of freedom\n", a.dof, plural_s(a.dof));
  json_array(&r, "redundant");
  for (int k = 0; k < a.redundant; k++) {
    char text[ART_ROW_LENGTH];
    const char *row = art_redundant_row(m, w->data, k, text);
    json_text(&r, NULL, row);
    say(&r, "# %s\n", row);
  }
  json_end(&r);
  cli_report_state(&r, m, w->data, true);
  report_end(&r);
}
