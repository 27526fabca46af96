// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// SystemStructure.ssd of an archive by the standard System Structure and Parameterization (SSP 1.0): the FMU as the one component of a
// system, whose connectors are its inputs and outputs.
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "emit/fmu/fmu_sources.h"


static int is_connector(const fmuVariable *v)
{
  return v->role == ROLE_INPUT || v->role == ROLE_FORCE_ON || v->role == ROLE_OUTPUT;
}


static void print_connectors(FILE *out, const fmuVariables *list, const char *margin)
{
  fprintf(out, "%s<ssd:Connectors>\n", margin);
  for (int i = 0; i < list->n; i++) {
    const fmuVariable *v = &list->variable[i];
    if (!is_connector(v)) continue;
    fprintf(out, "%s  <ssd:Connector name=\"", margin);
    unit_print_escaped(out, v->name);
    fprintf(out, "\" kind=\"%s\"><ssc:Real", v->role == ROLE_OUTPUT ? "output" : "input");
    if (v->unit && v->unit[0]) {
      fputs(" unit=\"", out);
      unit_print_escaped(out, v->unit);
      fputc('"', out);
    }
    fputs("/></ssd:Connector>\n", out);
  }
  fprintf(out, "%s</ssd:Connectors>\n", margin);
}


// connectors of the system go to those of the component, and come from them
static void print_connections(FILE *out, const fmuVariables *list, const char *name)
{
  fputs("    <ssd:Connections>\n", out);
  for (int i = 0; i < list->n; i++) {
    const fmuVariable *v = &list->variable[i];
    if (!is_connector(v)) continue;
    const int is_output = v->role == ROLE_OUTPUT;
    fprintf(out, "      <ssd:Connection %s=\"%s\" startConnector=\"",
            is_output ? "startElement" : "endElement", name);
    unit_print_escaped(out, v->name);
    fputs("\" endConnector=\"", out);
    unit_print_escaped(out, v->name);
    fputs("\"/>\n", out);
  }
  fputs("    </ssd:Connections>\n", out);
}


// is it the first connector with this unit?
static int is_new_unit(const fmuVariables *list, int i)
{
  const char *unit = list->variable[i].unit;
  if (!is_connector(&list->variable[i]) || !unit || !unit[0]) return 0;
  for (int k = 0; k < i; k++) {
    const fmuVariable *v = &list->variable[k];
    if (is_connector(v) && v->unit && strcmp(v->unit, unit) == 0) return 0;
  }
  return 1;
}


void unit_write_system(FILE *out, const machineText *t, const emitFmu *unit,
                       const fmuVariables *list)
{
  const emitSimulation *s = t->simulation;
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription "
          "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
          "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" version=\"1.0\" "
          "name=\"%s\" generationTool=\"%s\">\n  <ssd:System name=\"system\">\n",
          t->name, unit->tool);
  print_connectors(out, list, "    ");
  fprintf(out,
          "    <ssd:Elements>\n      <ssd:Component name=\"%s\" "
          "type=\"application/x-fmu-sharedlibrary\" source=\"resources/%s.fmu\" "
          "implementation=\"%s\">\n",
          t->name, t->name,
          !unit->has_steps      ? "ModelExchange"
          : !unit->has_exchange ? "CoSimulation"
                                : "any");
  print_connectors(out, list, "        ");
  fputs("      </ssd:Component>\n    </ssd:Elements>\n", out);
  print_connections(out, list, t->name);
  fputs("  </ssd:System>\n", out);
  fputs("  <ssd:Units>\n", out);
  for (int i = 0; i < list->n; i++) {
    if (is_new_unit(list, i)) unit_define(out, "ssc:", list->variable[i].unit);
  }
  fputs("  </ssd:Units>\n", out);
  fputs("  <ssd:DefaultExperiment startTime=\"", out);
  emit_number(out, &c_syntax.dialect, s->from);
  fputs("\" stopTime=\"", out);
  emit_number(out, &c_syntax.dialect, s->until);
  fputs("\"/>\n</ssd:SystemStructureDescription>\n", out);
}
