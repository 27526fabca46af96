// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// modelDescription.xml of a unit, by version 2.0 or 3.0 of the standard.
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/unit.h"
#include "emit/fmu/fmu_sources.h"

typedef struct describeJob {
  FILE *out;
  const machineText *text;
  const emitFmu *unit;
  const fmuVariables *list;
  int is_3;
} describeJob;

//---- words of XML --------------------------------------------------------------------------------

void unit_print_escaped(FILE *out, const char *text)
{
  for (; *text; text++) {
    const char *own = *text == '&'   ? "&amp;"
                      : *text == '<' ? "&lt;"
                      : *text == '>' ? "&gt;"
                      : *text == '"' ? "&quot;"
                                     : NULL;
    if (own) {
      fputs(own, out);
    } else {
      fputc((unsigned char) *text < ' ' ? ' ' : *text, out);
    }
  }
}


static void print_attribute(FILE *out, const char *key, const char *text)
{
  fprintf(out, " %s=\"", key);
  unit_print_escaped(out, text);
  fputc('"', out);
}


static void print_number_attribute(FILE *out, const char *key, double x)
{
  if (!isfinite(x)) return;
  fprintf(out, " %s=\"", key);
  emit_number(out, &c_syntax.dialect, x);
  fputc('"', out);
}

//---- units ---------------------------------------------------------------------------------------

static int has_unit(const fmuVariable *v)
{
  return v->unit && v->unit[0];
}


// does a variable before this one have the same unit?
static int is_defined(const fmuVariables *list, int i)
{
  for (int k = 0; k < i; k++) {
    if (has_unit(&list->variable[k]) &&
        strcmp(list->variable[k].unit, list->variable[i].unit) == 0) {
      return 1;
    }
  }
  return 0;
}


// the exponent of rad, which is a plain number to us
static int angle_exponent(const char *unit)
{
  const char *at = strstr(unit, "rad"), *slash = strchr(unit, '/');
  if (!at) return 0;
  const int size = at[3] == '^' && at[4] == '2' ? 2 : 1;
  return slash && slash < at ? -size : size;
}


// units in which importers show numbers
static const struct unitDisplay {
  const char *unit, *display;
  double factor; // value in these = factor value in SI
} displays[] = {{"rad", "deg", 57.295779513082320877},
                {"rad/s", "deg/s", 57.295779513082320877},
                {"rad/s^2", "deg/s2", 57.295779513082320877},
                {"Pa", "bar", 1e-5},
                {0}};


static const struct unitDisplay *display_of(const char *unit)
{
  const struct unitDisplay *own = displays;
  while (own->unit && strcmp(own->unit, unit) != 0) own++;
  return own->unit ? own : NULL;
}


static void print_unit_exponent(FILE *out, const char *base, int n)
{
  if (n != 0) fprintf(out, " %s=\"%d\"", base, n);
}


void unit_define(FILE *out, const char *prefix, const char *name)
{
  baseUnit unit;
  fprintf(out, "    <%sUnit", prefix);
  print_attribute(out, "name", name);
  const int is_known =
      unit_parse(&unit, name, base_nowhere(), NULL) == ART_OK && !unit.dimension.any;
  if (!is_known && !prefix[0]) {
    fputs("/>\n", out);
    return;
  }
  fprintf(out, ">\n      <%sBaseUnit", prefix); // SSP has no unit without
  if (is_known) {
    print_unit_exponent(out, "kg", unit.dimension.kg);
    print_unit_exponent(out, "m", unit.dimension.m);
    print_unit_exponent(out, "s", unit.dimension.s);
    print_unit_exponent(out, "A", unit.dimension.A);
    print_unit_exponent(out, "K", unit.dimension.K);
    print_unit_exponent(out, "rad", angle_exponent(name));
    if (unit.scale != 1) print_number_attribute(out, "factor", unit.scale);
  }
  fputs("/>\n", out);
  const struct unitDisplay *display = prefix[0] ? NULL : display_of(name);
  if (display) {
    fprintf(out, "      <DisplayUnit name=\"%s\"", display->display);
    print_number_attribute(out, "factor", display->factor);
    fputs("/>\n", out);
  }
  fprintf(out, "    </%sUnit>\n", prefix);
}


static void define_units(const describeJob *job)
{
  const fmuVariables *list = job->list;
  fputs("  <UnitDefinitions>\n", job->out);
  for (int i = 0; i < list->n; i++) {
    if (has_unit(&list->variable[i]) && !is_defined(list, i)) {
      unit_define(job->out, "", list->variable[i].unit);
    }
  }
  fputs("  </UnitDefinitions>\n", job->out);
}

//---- kinds, categories, experiment ---------------------------------------------------------------

// one of the two kinds, with the unit's capabilities
static void print_kind(const describeJob *job, const char *kind, const char *abilities)
{
  FILE *out = job->out;
  const char *name = job->text->name, *state = job->is_3 ? "FMUState" : "FMUstate";
  fprintf(out, "  <%s modelIdentifier=\"%s\"", kind, name);
  fprintf(out, " canGetAndSet%s=\"true\" canSerialize%s=\"true\"%s", state, state, abilities);
  fputs(job->is_3 ? " providesDirectionalDerivatives=\"true\""
                  : " providesDirectionalDerivative=\"true\"",
        out);
  if (job->is_3 && job->list->has_derivatives) fputs(" providesAdjointDerivatives=\"true\"", out);
  if (job->is_3 || job->unit->is_binary) {
    fputs("/>\n", out);
    return;
  }
  fprintf(out,
          ">\n    <SourceFiles>\n      <File name=\"%s_unit.c\"/>\n      <File name=\"%s.c\"/>\n"
          "    </SourceFiles>\n  </%s>\n",
          name, name, kind);
}


static void print_unit_interfaces(const describeJob *job)
{
  const int is_3 = job->is_3;
  if (job->unit->has_exchange) {
    print_kind(job, "ModelExchange", is_3 ? " needsCompletedIntegratorStep=\"true\"" : "");
  }
  if (job->unit->has_steps) {
    print_kind(
        job, "CoSimulation",
        is_3 ? " canHandleVariableCommunicationStepSize=\"true\" "
               "providesIntermediateUpdate=\"true\" "
               "canReturnEarlyAfterIntermediateUpdate=\"true\" "
               "mightReturnEarlyFromDoStep=\"true\" hasEventMode=\"true\""
             : " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\"");
  }
}


static void define_method(const describeJob *job)
{
  static const char *const name[] = {"rk4", "dopri5", "implicit"};
  FILE *out = job->out;
  if (!job->unit->has_steps) return;
  fputs("  <TypeDefinitions>\n", out);
  fputs(job->is_3 ? "    <EnumerationType name=\"integrator.methods\">\n"
                  : "    <SimpleType name=\"integrator.methods\">\n      <Enumeration>\n",
        out);
  for (int i = 0; i < 3; i++) {
    fprintf(out, "%s      <Item name=\"%s\" value=\"%d\"/>\n", job->is_3 ? "" : "  ", name[i],
            i + 1);
  }
  fputs(job->is_3 ? "    </EnumerationType>\n" : "      </Enumeration>\n    </SimpleType>\n", out);
  fputs("  </TypeDefinitions>\n", out);
}


//---- variables -----------------------------------------------------------------------------------

typedef struct unitKind {
  const char *causality, *variability, *initial; // NULL: none
  int has_start;
} unitKind;


static unitKind variable_kind_of(const fmuVariable *v)
{
  static const unitKind kind[] = {
      [ROLE_TIME] = {"independent", "continuous", NULL, 0},
      [ROLE_STATE] = {"local", "continuous", "exact", 1},
      [ROLE_RATE_OF] = {"local", "continuous", "calculated", 0},
      [ROLE_INPUT] = {"input", "continuous", NULL, 1},
      [ROLE_HELD] = {"local", "discrete", "calculated", 0},
      [ROLE_FORCE_ON] = {"input", "continuous", NULL, 1},
      [ROLE_OUTPUT] = {"output", "continuous", "calculated", 0},
      [ROLE_HIDDEN] = {"local", "continuous", "calculated", 0},
      [ROLE_PARAMETER] = {"parameter", "tunable", "exact", 1},
      [ROLE_INDICATOR] = {"local", "continuous", "calculated", 0},
      [ROLE_STEP] = {"parameter", "fixed", "exact", 1},
      [ROLE_METHOD] = {"parameter", "fixed", "exact", 1},
  };
  unitKind own = kind[v->role];
  if (v->is_led) own.initial = "approx";
  if (v->is_discrete) own.variability = "discrete";
  if (v->is_computed) own = (unitKind){own.causality, own.variability, "calculated", 0};
  return own;
}


static void print_variable_head(const describeJob *job, const fmuVariable *v, const unitKind *kind)
{
  FILE *out = job->out;
  print_attribute(out, "name", v->name);
  fprintf(out, " valueReference=\"%d\"", v->reference);
  if (v->remark[0]) print_attribute(out, "description", v->remark);
  print_attribute(out, "causality", kind->causality);
  print_attribute(out, "variability", kind->variability);
  if (kind->initial) print_attribute(out, "initial", kind->initial);
  // variables that an importer of version 3 may get between two steps of the integrator
  const int is_found = v->role == ROLE_STATE || v->role == ROLE_RATE_OF || v->role == ROLE_OUTPUT;
  if (job->is_3 && job->unit->has_steps && is_found) fputs(" intermediateUpdate=\"true\"", out);
}


// type, unit, limits and start
static void print_tail(const describeJob *job, const fmuVariable *v, const unitKind *kind)
{
  FILE *out = job->out;
  if (v->role == ROLE_METHOD) {
    fprintf(out, " declaredType=\"integrator.methods\" start=\"%d\"/>", (int) v->start);
    return;
  }
  const int has_limits = kind->has_start && v->role != ROLE_STATE;
  if (has_unit(v)) print_attribute(out, "unit", v->unit);
  if (has_unit(v) && display_of(v->unit)) {
    print_attribute(out, "displayUnit", display_of(v->unit)->display);
  }
  if (v->nominal > 0 && v->nominal != 1) print_number_attribute(out, "nominal", v->nominal);
  if (has_limits) print_number_attribute(out, "min", v->lower);
  if (has_limits) print_number_attribute(out, "max", v->upper);
  if (v->role == ROLE_RATE_OF) {
    const int state = job->list->first_state + v->number;
    fprintf(out, " derivative=\"%d\"",
            job->is_3 ? job->list->variable[state].reference : state + 1);
  }
  if (v->may_jump && job->unit->has_exchange) print_attribute(out, "reinit", "true");
  if (kind->has_start) print_number_attribute(out, "start", v->start);
  fputs("/>", out);
}


// event indicators are variables of version 3 alone
static int is_listed_variable(const describeJob *job, const fmuVariable *v)
{
  return job->is_3 || v->role != ROLE_INDICATOR;
}


static void print_model_variables(const describeJob *job)
{
  FILE *out = job->out;
  fputs("  <ModelVariables>\n", out);
  for (int i = 0; i < job->list->n; i++) {
    const fmuVariable *v = &job->list->variable[i];
    const unitKind kind = variable_kind_of(v);
    const int is_word = v->role == ROLE_METHOD;
    if (!is_listed_variable(job, v)) continue;
    fputs(!job->is_3 ? "    <ScalarVariable" : is_word ? "    <Enumeration" : "    <Float64", out);
    print_variable_head(job, v, &kind);
    if (!job->is_3) fputs(is_word ? ">\n      <Enumeration" : ">\n      <Real", out);
    print_tail(job, v, &kind);
    fputs(job->is_3 ? "\n" : "\n    </ScalarVariable>\n", out);
  }
  fputs("  </ModelVariables>\n", out);
}

//---- structure -----------------------------------------------------------------------------------

typedef int unitTest(const fmuVariable *v);


static int is_output(const fmuVariable *v)
{
  return v->role == ROLE_OUTPUT;
}


static int is_rate(const fmuVariable *v)
{
  return v->role == ROLE_RATE_OF;
}


static int is_unknown_variable(const fmuVariable *v)
{
  return v->role == ROLE_OUTPUT || v->role == ROLE_RATE_OF || v->is_led || v->is_computed;
}


static int is_indicator(const fmuVariable *v)
{
  return v->role == ROLE_INDICATOR;
}


// how a variable is named in lists: by its place in version 2, by its reference in version 3
static int handle_of(const describeJob *job, int i)
{
  ART_ASSERT(i >= 0 && i < job->list->n);
  int index = 0;
  if (job->is_3) return job->list->variable[i].reference;
  for (int k = 0; k <= i; k++) index += is_listed_variable(job, &job->list->variable[k]);
  return index;
}


// the column of a known in the table of dependencies, -1: it is none
static int dependency_column_of(const describeJob *job, const fmuVariable *v)
{
  const int nu = machine_size(job->text, MACHINE_NU);
  if (v->role == ROLE_TIME) return job->list->width - 1;
  if (v->role == ROLE_STATE) return (int) (v - job->list->variable) - job->list->first_state;
  if (v->role == ROLE_INPUT) return job->list->nstate + v->number;
  return v->role == ROLE_FORCE_ON ? job->list->nstate + nu + v->number : -1;
}


// unknowns of a kind: in version 2 by their places in a group, in version 3 by their references
static void print_unknowns(const describeJob *job, const char *group, const char *element,
                           unitTest *test)
{
  FILE *out = job->out;
  int count = 0;
  for (int i = 0; i < job->list->n; i++) count += test(&job->list->variable[i]);
  if (count == 0) return;
  if (!job->is_3) fprintf(out, "    <%s>\n", group);
  for (int i = 0; i < job->list->n; i++) {
    const fmuVariable *v = &job->list->variable[i];
    if (!test(v)) continue;
    format_stream(out, job->is_3 ? "    <%s valueReference=\"%d\"" : "      <%s index=\"%d\"",
                  job->is_3 ? element : "Unknown", handle_of(job, i));
    if (test == is_output || test == is_rate) {
      // time, states and inputs that a rate or an output depends on
      const fmuVariables *list = job->list;
      const int row = v->role == ROLE_RATE_OF ? v->number : list->nstate + v->number;
      const char *known = list->known + (long) row * list->width, *gap = "";
      fputs(" dependencies=\"", job->out);
      for (int j = 0; j < list->n; j++) {
        const int column = dependency_column_of(job, &list->variable[j]);
        if (column < 0 || !known[column]) continue;
        fprintf(job->out, "%s%d", gap, handle_of(job, j));
        gap = " ";
      }
      fputc('"', job->out);
    }
    fputs("/>\n", out);
  }
  if (!job->is_3) fprintf(out, "    </%s>\n", group);
}


//---- the file ------------------------------------------------------------------------------------

void unit_describe_machine(FILE *out, const machineText *t, const emitFmu *unit,
                           const fmuVariables *list, const char *token)
{
  const describeJob job = {out, t, unit, list, unit->version == 3};
  const eqnProgram *p = t->simulation->program[0];
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
          unit->version);
  print_attribute(out, "modelName", t->name);
  print_attribute(out, job.is_3 ? "instantiationToken" : "guid", token);
  if (p->title && p->title[0]) print_attribute(out, "description", p->title);
  print_attribute(out, "generationTool", unit->tool);
  print_attribute(out, "variableNamingConvention", "structured");
  if (!job.is_3) {
    fprintf(out, " numberOfEventIndicators=\"%d\"", machine_size(t, MACHINE_NEVENT));
  }
  fputs(">\n", out);
  print_unit_interfaces(&job);
  define_units(&job);
  define_method(&job);
  const emitSimulation *s = job.text->simulation;
  static const char *const category[] = {"logAll", "logStatusError", "logStatusDiscard",
                                         "logStatusWarning"};
  fputs("  <LogCategories>\n", job.out);
  for (int i = 0; i < 4; i++) fprintf(job.out, "    <Category name=\"%s\"/>\n", category[i]);
  fputs("  </LogCategories>\n  <DefaultExperiment", job.out);
  print_number_attribute(job.out, "startTime", s->from);
  print_number_attribute(job.out, "stopTime", s->until);
  print_number_attribute(job.out, "tolerance", s->tolerance);
  print_number_attribute(job.out, "stepSize", s->interval > 0 ? s->interval : s->step);
  fputs("/>\n", job.out);
  print_model_variables(&job);
  fputs("  <ModelStructure>\n", job.out);
  print_unknowns(&job, "Outputs", "Output", is_output);
  print_unknowns(&job, "Derivatives", "ContinuousStateDerivative", is_rate);
  print_unknowns(&job, "InitialUnknowns", "InitialUnknown", is_unknown_variable);
  if (job.is_3) print_unknowns(&job, "", "EventIndicator", is_indicator);
  fputs("  </ModelStructure>\n", job.out);
  fputs("</fmiModelDescription>\n", out);
}
