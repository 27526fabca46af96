// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The sources of a unit around the machine: its numbers, then texts that are the same for all units.
#include "emit/unit_sources.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"


// The names of all functions are the lines "  F(name)" of their lists.
static void print_prefixes(FILE *out, const char *const *line, int version)
{
  char name[60];
  for (; *line; line++) {
    if (sscanf(*line, " F(%59[a-zA-Z0-9])", name) != 1) continue;
    fprintf(out, "#define %-35s fmi%dFullName(%s)\n", name, version, name);
  }
}


void emit_unit_standard(FILE *out, int version)
{
  ART_ASSERT(version == 2 || version == 3);
  const char *const *text = version == 2 ? fmi2_text : fmi3_text;
  for (const char *const *line = text; *line; line++) {
    if (strstr(*line, "(emit_unit_standard)")) continue;
    fprintf(out, "%s\n", *line);
    if (strstr(*line, "FullName(name)")) print_prefixes(out, text, version);
  }
}


static void print_unit_text(FILE *out, const char *const *text, const char *section,
                            const char *name)
{
  template_print(out, text, section, &(templateValues){.name = name});
  fputc('\n', out);
}


static void print_time(FILE *out, const char *name, double t)
{
  if (isinf(t)) {
    fprintf(out, "#define %s %sHUGE_VAL\n", name, t < 0 ? "-" : "");
    return;
  }
  fprintf(out, "#define %s ", name);
  emit_number(out, &c_syntax.dialect, t);
  fputc('\n', out);
}


// velocities that positions are integrals of, and angular velocities of quaternions
static void print_velocities(FILE *out, const machineText *t)
{
  const emitSimulation *s = t->simulation;
  const int nq = machine_size(t, MACHINE_NQ);
  const eqnVector *q = &simulation_function(s->program[0], "accelerate")->input[1];
  fprintf(out,
          "// velocities of positions, of a ball the rates of its turn\n"
          "static const int velocity_of[%d] = {",
          nq + 1);
  for (int i = 0; i < nq; i++) fprintf(out, "%d, ", s->partner[i]);
  fputs("-1};\nstatic const int spin[] = {", out);
  for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
    fprintf(out, "%d, ", s->spin[i]);
  }
  fputs("-1};\n\n", out);
}


// numbers of this unit that the texts below read
static void print_data(FILE *out, const machineText *t, const emitUnit *unit,
                       const unitVariables *list, const char *token)
{
  const emitSimulation *s = t->simulation;
  const int nv = machine_size(t, MACHINE_NV);
  const eqnFunction *f = simulation_function(&t->parts->part[0].program, "accelerate");
  const int is_sided = s->is_switched || s->ncorner > 0;
  fprintf(out,
          "//---- this unit "
          "---------------------------------------------------------------------------------\n\n"
          "#define TOKEN \"%s\"\n",
          token);
  print_time(out, "FIRST_TIME", is_sided ? s->from : -HUGE_VAL);
  print_time(out, "LAST_TIME", s->known_until < EMIT_ALWAYS ? s->known_until : HUGE_VAL);
  print_time(out, "TOLERANCE", s->tolerance);
  print_time(out, "LONGEST_STEP", unit_longest_step(s));
  fprintf(out,
          "enum {\n  HAS_WORK = %d, // the work of forces is a state\n  HAS_LOOPS = %d,\n"
          "  HAS_EXCHANGE = %d,\n  HAS_STEPS = %d,\n  HAS_DERIVATIVES = %d,\n  NINPUT = %d, // "
          "behind them are values that "
          "samplers hold\n  METHOD = %d // of integration, 1: rk4, 2: dopri5\n};\n\n",
          list->has_work, t->where[MACHINE_LOOPS].holds, unit->has_exchange, unit->has_steps,
          list->has_derivatives, s->ninput, s->is_dopri5 ? 2 : 1);
  simulation_print_quaternions(out, &f->input[1]);
  fprintf(out, "// velocities along which forces are inputs\nstatic const char is_force[%d] = {",
          nv + 1);
  for (int i = 0; i <= nv; i++) fprintf(out, "%s%d", i ? ", " : "", i < nv && list->is_force[i]);
  fputs("};\n\n", out);
  if (list->has_derivatives) print_velocities(out, t);
}


// functions of clocks, with the vectors that each is handed, of which nobody asks for one
static void print_clocks(FILE *out)
{
  static const struct {
    const char *name, *type, *vector[3];
  } all[] = {{"GetIntervalDecimal", "fmi3Float64", {"intervals", "qualifiers"}},
             {"GetIntervalFraction", "fmi3UInt64", {"counters", "resolutions", "qualifiers"}},
             {"GetShiftDecimal", "fmi3Float64", {"shifts"}},
             {"GetShiftFraction", "fmi3UInt64", {"counters", "resolutions"}},
             {"SetIntervalDecimal", "const fmi3Float64", {"intervals"}},
             {"SetIntervalFraction", "const fmi3UInt64", {"counters", "resolutions"}},
             {"SetShiftDecimal", "const fmi3Float64", {"shifts"}},
             {"SetShiftFraction", "const fmi3UInt64", {"counters", "resolutions"}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char taken[200] = "", unused[120] = "";
    for (int k = 0; k < 3 && all[i].vector[k]; k++) {
      const char *name = all[i].vector[k];
      const int is_kind = strcmp(name, "qualifiers") == 0;
      const size_t n = strlen(taken), m = strlen(unused);
      snprintf(taken + n, sizeof taken - n, ", %s %s[]",
               is_kind ? "fmi3IntervalQualifier" : all[i].type, name);
      snprintf(unused + m, sizeof unused - m, ", (void) %s", name);
    }
    template_print(out, unit_fmi3_text, "clock",
                   &(templateValues){.function = unused, .word = all[i].name, .other = taken});
  }
}


// version 3: functions of the types that no variable has, then the rest
static void print_types(FILE *out)
{
  static const char *const type[] = {"Float32", "Int8",   "UInt8",   "Int16",  "UInt16", "Int32",
                                     "UInt32",  "UInt64", "Boolean", "String", NULL};
  for (int i = 0; type[i]; i++) {
    template_print(out, unit_fmi3_text, "types", &(templateValues){.word = type[i]});
  }
  template_print(out, unit_fmi3_text, "rest", &(templateValues){0});
  print_clocks(out);
  template_print(out, unit_fmi3_text, "last functions", &(templateValues){0});
}


// functions that both versions have under their own names
static void print_shared(FILE *out, const char *section, int version)
{
  const templateCondition where[] = {{"[two]", version == 2}, {"[three]", version == 3}, {0}};
  template_print(
      out, unit_core_text, section,
      &(templateValues){.function = version == 2 ? "fmi2Component c" : "fmi3Instance instance",
                        .word = version == 2 ? "2" : "3",
                        .other = version == 2 ? "c" : "instance",
                        .conditions = where});
  fputc('\n', out);
}


static void print_source(FILE *out, const machineText *t, const emitUnit *unit,
                         const unitVariables *list, const char *token)
{
  const char *const *own = unit->version == 2 ? unit_fmi2_text : unit_fmi3_text;
  emit_provenance(out, &t->parts->part[0].program, "//");
  fputc('\n', out);
  print_unit_text(out, unit_core_text, "head", t->name);
  print_unit_text(out, own, "head", t->name);
  print_data(out, t, unit, list, token);
  print_unit_text(out, own, "host", t->name);
  print_unit_text(out, unit_core_text, "instance", t->name);
  print_unit_text(out, unit_core_text, "evaluation", t->name);
  print_unit_text(out, unit_core_text, "vectors", t->name);
  print_unit_text(out, unit_core_text, "variables", t->name);
  print_unit_text(out, unit_core_text, "events", t->name);
  print_unit_text(out, unit_derivatives_text, list->has_derivatives ? "derivatives" : "none",
                  t->name);
  emit_chapter(out, runge_kutta_text, "Runge-Kutta methods", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "weights of Dormand and Prince", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "the method of Dormand and Prince", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "steps whose length follows the error", EMIT_INLINE);
  fputc('\n', out);
  emit_lines(out, margin_search_text);
  fputs("\n\n", out);
  template_print(out, unit_steps_text, "steps",
                 &(templateValues){.name = t->name, .conditions = t->where});
  fputc('\n', out);
  print_shared(out, "entry", unit->version);
  print_unit_text(out, own, "functions", t->name);
  if (unit->version == 3) print_types(out);
  print_shared(out, "functions", unit->version);
}


// a token that is another one for other variables, start values or equations
static artStatus make_token(char token[UNIT_TOKEN_LENGTH], const machineText *t,
                            const emitUnit *unit, const unitVariables *list, artError *error)
{
  char *text = NULL;
  size_t length = 0;
  FILE *own = open_memstream(&text, &length);
  if (!own) return base_no_memory(error);
  unit_describe_machine(own, t, unit, list, t->simulation->program[0]->source);
  const int held = file_close_text(own, &text);
  uint64_t sum[2] = {BASE_HASH_EMPTY, BASE_HASH_EMPTY};
  for (int k = 0; held && k < 2; k++) {
    sum[k] = base_hash(base_hash(sum[k], &k, sizeof k), text, length);
  }
  free(text);
  snprintf(token, UNIT_TOKEN_LENGTH, "{%08x-%04x-%04x-%04x-%04x%08x}", (unsigned) (sum[0] >> 32),
           (unsigned) (sum[0] >> 16 & 0xffff), (unsigned) (sum[0] & 0xffff),
           (unsigned) (sum[1] >> 48), (unsigned) (sum[1] >> 32 & 0xffff),
           (unsigned) (sum[1] & 0xffffffff));
  return held ? ART_OK : base_no_memory(error);
}


static void print_build(FILE *out, const char *name)
{
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
          "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C99\">\n"
          "      <SourceFile name=\"%s_unit.c\"/>\n      <SourceFile name=\"%s.c\"/>\n"
          "    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n"
          "  </BuildConfiguration>\n</fmiBuildDescription>\n",
          name, name, name);
}


artStatus emit_unit(const emitSimulation *s, const emitUnit *unit, const emitOptions *options,
                    artError *error)
{
  machineText t;
  simulationParts parts;
  baseArena arena = {0};
  unitVariables list;
  char token[UNIT_TOKEN_LENGTH];
  artStatus status = simulation_check_externals(s->program[0], "a unit", error);
  if (status != ART_OK) return status;
  status = machine_open(&t, &parts, unit->source, s, 0, 1, options, error);
  if (status == ART_OK) status = unit_list(&list, &t, unit, &arena, error);
  if (status == ART_OK) status = make_token(token, &t, unit, &list, error);
  if (status == ART_OK) {
    unit_describe_machine(unit->description, &t, unit, &list, token);
    print_source(unit->source, &t, unit, &list, token);
    if (unit->build) print_build(unit->build, t.name);
    if (unit->document) unit_document(unit->document, &t, unit, &list);
  }
  arena_free(&arena);
  return simulation_close(&parts, status, error);
}
