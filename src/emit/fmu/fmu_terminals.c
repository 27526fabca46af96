// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// terminalsAndIcons.xml of an FMU of version 3.0: inputs and outputs by the parts of the machine, and the place of its icon.
#include <string.h>

#include "emit/fmu/fmu_sources.h"

// Terminal of signals that belong to no part: importers connect its members by their names.
static const char bus[] = "bus";


static int is_terminal_signal(const fmuVariable *v)
{
  return v->role == ROLE_INPUT || v->role == ROLE_FORCE_ON || v->role == ROLE_OUTPUT;
}


static const char *terminal_of(const fmuVariable *v)
{
  return v->part ? v->part : bus;
}


// is it the first signal of its terminal?
static int begins_terminal(const fmuVariables *list, int i)
{
  if (!is_terminal_signal(&list->variable[i])) return 0;
  for (int k = 0; k < i; k++) {
    const fmuVariable *v = &list->variable[k];
    if (is_terminal_signal(v) && strcmp(terminal_of(v), terminal_of(&list->variable[i])) == 0) {
      return 0;
    }
  }
  return 1;
}


void unit_write_terminals(FILE *out, const emitFmu *unit, const fmuVariables *list)
{
  int count = 0;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n",
        out);
  if (unit->icon_width > 0) {
    // its longer side is 200 units or 20 mm long
    const double scale =
        100.0 / (unit->icon_width > unit->icon_height ? unit->icon_width : unit->icon_height);
    const int x = (int) (scale * unit->icon_width + 0.5);
    const int y = (int) (scale * unit->icon_height + 0.5);
    fprintf(out,
            "  <GraphicalRepresentation>\n    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" "
            "y2=\"100\" suggestedScalingFactorTo_mm=\"0.1\"/>\n"
            "    <Icon x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n  </GraphicalRepresentation>\n",
            -x, -y, x, y);
  }
  for (int i = 0; i < list->n; i++) {
    if (!begins_terminal(list, i)) continue;
    if (count++ == 0) fputs("  <Terminals>\n", out);
    const char *terminal = terminal_of(&list->variable[i]);
    fputs("    <Terminal name=\"", out);
    unit_print_escaped(out, terminal);
    fputs("\" matchingRule=\"bus\">\n", out);
    for (int j = 0; j < list->n; j++) {
      const fmuVariable *v = &list->variable[j];
      if (!is_terminal_signal(v) || strcmp(terminal_of(v), terminal) != 0) continue;
      fputs("      <TerminalMemberVariable variableKind=\"signal\" memberName=\"", out);
      unit_print_escaped(out, v->name);
      fputs("\" variableName=\"", out);
      unit_print_escaped(out, v->name);
      fputs("\"/>\n", out);
    }
    fputs("    </Terminal>\n", out);
  }
  fputs(count > 0 ? "  </Terminals>\n</fmiTerminalsAndIcons>\n" : "</fmiTerminalsAndIcons>\n", out);
}
