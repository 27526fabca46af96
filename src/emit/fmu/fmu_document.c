// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// documentation/index.html of a unit: its description, inputs, outputs and parameters.
#include <math.h>

#include "base/format.h"
#include "emit/fmu/fmu_sources.h"


static void print_text_cell(FILE *out, const char *text)
{
  fputs("<td>", out);
  unit_print_escaped(out, text);
  fputs("</td>", out);
}


static void print_value_cell(FILE *out, int is_there, double value)
{
  fputs("<td>", out);
  if (is_there && isfinite(value)) format_stream(out, "%.9g", value);
  fputs("</td>", out);
}


static void print_variable_table(FILE *out, const fmuVariables *list, const char *title,
                                 const unitRole role[2])
{
  int count = 0;
  for (int i = 0; i < list->n; i++) {
    const fmuVariable *v = &list->variable[i];
    if (v->role != role[0] && v->role != role[1]) continue;
    if (count++ == 0) {
      fprintf(out,
              "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>start</th><th>least</th>"
              "<th>largest</th><th></th></tr>\n",
              title);
    }
    const int has_start = v->role != ROLE_OUTPUT;
    fputs("<tr>", out);
    print_text_cell(out, v->name);
    print_text_cell(out, v->unit);
    print_value_cell(out, has_start, v->start);
    print_value_cell(out, has_start, v->lower);
    print_value_cell(out, has_start, v->upper);
    print_text_cell(out, v->remark);
    fputs("</tr>\n", out);
  }
  if (count > 0) fputs("</table>\n", out);
}


const char *unit_icon_path(int version)
{
  return version == 2 ? "model.png" : "terminalsAndIcons/icon.png";
}


void unit_document(FILE *out, const machineText *t, const emitFmu *unit, const fmuVariables *list)
{
  const char *title = t->simulation->program[0]->title;
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", out);
  unit_print_escaped(out, title && title[0] ? title : t->name);
  fputs("</title>\n</head>\n<body>\n<h1>", out);
  unit_print_escaped(out, title && title[0] ? title : t->name);
  fprintf(out, "</h1>\n<p>An FMU of FMI %d.0 for %s, written by ", unit->version,
          !unit->has_steps      ? "model exchange"
          : !unit->has_exchange ? "co-simulation"
                                : "model exchange and co-simulation");
  unit_print_escaped(out, unit->tool);
  fprintf(out, ". It has %d continuous states, and needs no resources.</p>\n", list->nstate);
  if (unit->icon_width > 0) {
    fprintf(out, "<p><img src=\"../%s\" alt=\"The machine at the start\" width=\"%d\"></p>\n",
            unit_icon_path(unit->version), unit->icon_width / 2);
  }
  print_variable_table(out, list, "Inputs", (const unitRole[2]){ROLE_INPUT, ROLE_FORCE_ON});
  print_variable_table(out, list, "Outputs", (const unitRole[2]){ROLE_OUTPUT, ROLE_OUTPUT});
  print_variable_table(out, list, "Parameters", (const unitRole[2]){ROLE_PARAMETER, ROLE_STEP});
  fputs("</body>\n</html>\n", out);
}
