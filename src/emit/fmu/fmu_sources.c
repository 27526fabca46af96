// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The sources of a unit around the machine: its numbers, then texts that are the same for all units.
#include "emit/fmu/fmu_sources.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "base/hash.h"
#include "emit/language/c.h"


static void print_prefix(FILE *out, int version, const char *word, const char *name)
{
  fprintf(out, "#define %s%s fmi%dFullName(%s%s)\n", word, name, version, word, name);
}


// The names of all functions are in lines "  F(fmi2Status, fmi2Reset, ..." and "  FMI3_VALUES(F, Float64)" of their lists.
static void print_prefixes(FILE *out, const char *const *line, int version)
{
  char name[60];
  for (; *line; line++) {
    if (strchr(*line, '#')) continue;
    if (sscanf(*line, " F(%*[a-zA-Z0-9 *], %59[a-zA-Z0-9]", name) == 1) {
      print_prefix(out, version, "", name);
    } else if (sscanf(*line, " FMI3_VALUES(F, %59[a-zA-Z0-9]", name) == 1) {
      print_prefix(out, version, "fmi3Get", name);
      print_prefix(out, version, "fmi3Set", name);
    }
  }
}


void emit_unit_standard(FILE *out, int version)
{
  ART_ASSERT(version == 2 || version == 3);
  const char *const *text = version == 2 ? fmi2_text : fmi3_text;
  for (const char *const *line = text; *line; line++) {
    if (strstr(*line, "(emit_unit_standard)") || strstr(*line, "clang-format")) continue;
    fprintf(out, "%s\n", *line);
    if (strstr(*line, "FullName(name)")) print_prefixes(out, text, version);
  }
}


static void print_unit_text(FILE *out, const char *const *text, const char *section,
                            const machineText *t)
{
  template_print(out, text, section, &(templateValues){.name = t->name, .conditions = t->where});
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
  const eqnVector *q = &eqn_function(s->program[0], EQN_ACCELERATE)->input[1];
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


// What differences need: which velocities are free by which choice, and which rates and outputs depend on which states, inputs and forces.
static void print_dependence(FILE *out, const machineText *t, const fmuVariables *list)
{
  const emitSimulation *s = t->simulation;
  const int nv = machine_size(t, MACHINE_NV), rows = list->nstate + machine_size(t, MACHINE_NY);
  const int bytes = (list->width + 7) / 8;
  fprintf(out,
          "// velocities that are free, by choices of independent coordinates\n"
          "static const char is_free[%d][%d] = {\n",
          s->nprogram, nv + 1);
  for (int p = 0; p < s->nprogram; p++) {
    fputs("    {", out);
    for (int i = 0; i < nv; i++) {
      int is_free = 0;
      for (int k = 0; k < s->program[p]->nfree; k++) is_free |= s->program[p]->free[k] == i;
      fprintf(out, "%d, ", is_free);
    }
    fputs("0},\n", out);
  }
  fprintf(out,
          "};\n\n// bits of states, inputs and forces on which rates and outputs depend\n"
          "static const unsigned char dependence[%d][%d] = {\n",
          rows + 1, bytes);
  for (int i = 0; i < rows; i++) {
    fputs("    {", out);
    for (int b = 0; b < bytes; b++) {
      int bits = 0;
      for (int k = 8 * b; k < 8 * b + 8 && k < list->width; k++) {
        bits |= (list->known[(long) i * list->width + k] != 0) << k % 8;
      }
      fprintf(out, "%s%d", b ? ", " : "", bits);
    }
    fputs("},\n", out);
  }
  fputs("    {0}};\n\n", out);
}


// states whose start values follow from parameters
static void print_starts(FILE *out, const fmuVariables *list)
{
  int n = 0;
  for (int i = 0; i < list->n; i++) n += list->variable[i].is_computed;
  if (n == 0) return;
  fprintf(out,
          "// states whose start values follow from parameters\nenum { NSTART = %d };\n"
          "static const int start_of[NSTART] = {",
          n);
  for (int i = 0, k = 0; i < list->n; i++) {
    if (list->variable[i].is_computed) fprintf(out, "%s%d", k++ ? ", " : "", i - list->first_state);
  }
  fputs("};\n\n", out);
}


// numbers of this unit that the texts below read
static void print_data(FILE *out, const machineText *t, const emitFmu *unit,
                       const fmuVariables *list, const char *token)
{
  const emitSimulation *s = t->simulation;
  const int nv = machine_size(t, MACHINE_NV);
  const eqnFunction *f = eqn_function(&t->parts->part[0].program, EQN_ACCELERATE);
  const int is_sided = s->is_switched || s->ncorner > 0;
  fprintf(out,
          "//---- this FMU "
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
  print_velocities(out, t);
  if (!list->has_derivatives) print_dependence(out, t, list);
  print_starts(out, list);
  fprintf(out, "// sizes of continuous states\nstatic const double state_size[%d] = {",
          list->nstate + 1);
  for (int i = 0; i < list->nstate; i++) {
    emit_number(out, &c_syntax.dialect, list->variable[list->first_state + i].nominal);
    fputs(", ", out);
  }
  fputs("1};\n\n", out);
}


//---- functions of the standard -------------------------------------------------------------------

enum { MAX_ARGUMENTS = 12 };

typedef struct unitCall {
  baseArena *arena;
  FILE *out;
  int version;
  const char *name;
  const char *argument[MAX_ARGUMENTS + 1]; // names of its arguments, the instance first
} unitCall;


static const char *const *find_header_line(const char *const *line, const char *word)
{
  while (*line && !strstr(*line, word)) line++;
  return line;
}


// The arguments after "F(fmi3Status, fmi3Reset," in the header, or after "F(fmi3Status, fmi3Get##type," of all types.
static const char *declared_arguments(const unitCall *call)
{
  const char *const *header = call->version == 2 ? fmi2_text : fmi3_text;
  const char *text = "", *type = call->name + strlen("fmi3Get");
  char own[80], common[24];
  snprintf(own, sizeof own, " %s,", call->name);
  snprintf(common, sizeof common, " %.7s##type,", call->name);
  const char *const *line = find_header_line(header, own);
  if (!*line) line = find_header_line(header, common);
  const char *from = strstr(*line, ", (");
  for (from = from ? from + 3 : strchr(*++line, '(') + 1;; from = *line + strspn(*line, " ")) {
    const int n = (int) strcspn(from, ")\\");
    const char *mark = strstr(from, "##type");
    const int before = mark && mark < from + n ? (int) (mark - from) : n;
    text = arena_compose(call->arena, "%s%.*s", text, before, from);
    if (before < n) {
      text = arena_compose(call->arena, "%s%s%.*s", text, type, n - before - 6, mark + 6);
    }
    if (from[n] == ')') return text;
    line++;
  }
}


// The head of the function, in lines that are not too long.
static void print_call_head(unitCall *call)
{
  const char *from = declared_arguments(call);
  int column = fprintf(call->out, "fmi%dStatus %s(", call->version, call->name), n = 0;
  for (; *from && n < MAX_ARGUMENTS; n++) {
    const int length = (int) strcspn(from, ","), is_last = from[length] == 0;
    int end = length, begin;
    while (end > 0 && strchr("[]", from[end - 1])) end--;
    for (begin = end; begin > 0 && !strchr(" *", from[begin - 1]);) begin--;
    call->argument[n] = arena_compose(call->arena, "%.*s", end - begin, from + begin);
    if (n > 0 && column + length > 97) {
      column = fprintf(call->out, "\n    ") - 1;
    } else if (n > 0) {
      column += fprintf(call->out, " ");
    }
    column += fprintf(call->out, "%.*s%s", length, from, is_last ? ")\n" : ",");
    from += length + !is_last;
    from += strspn(from, " ");
  }
  call->argument[n] = NULL;
}


// "fmi2Reset in ANY - BETWEEN" with its body: #1 is an argument, ## the name of the function.
static void print_call(unitCall *call, const char *line, const char *body, size_t length)
{
  const char *in = strstr(line, " in "), *text = "";
  call->name = arena_compose(call->arena, "%.*s", (int) (in - line), line);
  if (!call->arena->has_run_out) print_call_head(call);
  if (call->arena->has_run_out) return;
  fprintf(call->out, "{\n  ENTER(%s, %.*s);\n", call->name, (int) strcspn(in + 4, "\n"), in + 4);
  for (const char *mark; (mark = memchr(body, '#', length)) != NULL;) {
    const char *value = mark[1] == '#' ? call->name : call->argument[mark[1] - '0'];
    text = arena_compose(call->arena, "%s%.*s%s", text, (int) (mark - body), body, value);
    length -= (size_t) (mark + 2 - body);
    body = mark + 2;
  }
  text = arena_compose(call->arena, "%s%.*s", text, (int) length, body);
  const char *between = "  ";
  for (int k = 1; call->argument[k]; k++) {
    if (c_mentions(text, call->argument[k])) continue;
    fprintf(call->out, "%s(void) %s", between, call->argument[k]);
    between = ", ";
  }
  fprintf(call->out, "%s%s}\n\n", strcmp(between, ", ") == 0 ? ";\n" : "", text);
}


// A section in which lines "call fmi2Reset in ANY - BETWEEN" represent the heads of functions; a body of one or several ends with an empty line.
static void print_unit_calls(unitCall *call, const char *section)
{
  static const char word[] = "\ncall ";
  for (const char *at = section; *at;) {
    const char *next = strstr(at, word);
    if (!next) next = at + strlen(at);
    fwrite(at, 1, (size_t) (next - at), call->out);
    if (!*next) return;
    const char *body = next, *end = strstr(next, "\n\n");
    while (strncmp(body, word, sizeof word - 1) == 0) body = strchr(body + 1, '\n');
    for (const char *line = next; line < body; line = strchr(line + 1, '\n')) {
      fputc('\n', call->out);
      print_call(call, line + sizeof word - 1, body + 1, (size_t) (end - body));
    }
    at = end + 1;
  }
}


// A text of functions under the names of a version; 0 when memory ran out.
static int print_functions(FILE *out, const char *const *text, const char *section,
                           const char *name, int version, baseArena *arena)
{
  const templateCondition where[] = {{"[two]", version == 2}, {"[three]", version == 3}, {0}};
  const templateValues values = {.name = name,
                                 .word = version == 2 ? "2" : "3",
                                 .other = version == 2 ? "c" : "instance",
                                 .conditions = where};
  char *made = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&made, &length);
  if (memory) template_print(memory, text, section, &values);
  const int is_made = memory && file_close_text(memory, &made);
  if (is_made) print_unit_calls(&(unitCall){.arena = arena, .out = out, .version = version}, made);
  free(made);
  fputc('\n', out);
  return is_made && !arena->has_run_out;
}


static int print_source(FILE *out, const machineText *t, const emitFmu *unit,
                        const fmuVariables *list, const char *token, baseArena *arena)
{
  const char *const *own = unit->version == 2 ? unit_fmi2_text : unit_fmi3_text;
  emit_provenance(out, &t->parts->part[0].program, "//");
  fputc('\n', out);
  print_unit_text(out, unit_core_text, "head", t);
  print_unit_text(out, own, "head", t);
  print_data(out, t, unit, list, token);
  print_unit_text(out, own, "host", t);
  const int version = unit->version;
  int is_made = print_functions(out, unit_core_text, "answers", t->name, version, arena);
  print_unit_text(out, unit_core_text, "instance", t);
  print_unit_text(out, unit_core_text, "evaluation", t);
  print_unit_text(out, unit_core_text, "vectors", t);
  print_unit_text(out, unit_core_text, "variables", t);
  print_unit_text(out, unit_core_text, "events", t);
  print_unit_text(out, unit_derivatives_text, "common", t);
  print_unit_text(out, unit_derivatives_text, list->has_derivatives ? "tangents" : "differences",
                  t);
  emit_chapter(out, runge_kutta_text, "Runge-Kutta methods", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "the classical method", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "weights of Dormand and Prince", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "the method of Dormand and Prince", EMIT_INLINE);
  emit_chapter(out, runge_kutta_text, "steps whose length follows the error", EMIT_INLINE);
  fputc('\n', out);
  emit_lines(out, margin_search_text);
  fputs("\n\n", out);
  emit_lines(out, dip_text);
  fputs("\n\n", out);
  template_print(out, unit_steps_text, "steps",
                 &(templateValues){.name = t->name, .conditions = t->where});
  fputc('\n', out);
  is_made &= print_functions(out, unit_core_text, "entry", t->name, version, arena);
  is_made &= print_functions(out, own, "functions", t->name, version, arena);
  return is_made && print_functions(out, unit_core_text, "functions", t->name, version, arena);
}


// a token that is another one for other variables, start values or equations
static artStatus make_token(char token[UNIT_TOKEN_LENGTH], const machineText *t,
                            const emitFmu *unit, const fmuVariables *list, artError *error)
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


artStatus emit_unit(const emitSimulation *s, const emitFmu *unit, const emitOptions *options,
                    artError *error)
{
  machineText t;
  simulationParts parts;
  baseArena arena = {0};
  fmuVariables list;
  char token[UNIT_TOKEN_LENGTH];
  artStatus status = simulation_check_externals(s->program[0], "an FMU", error);
  if (status != ART_OK) return status;
  status = machine_open(&t, &parts, unit->source, s, 0, 1, options, error);
  if (status == ART_OK) status = unit_list(&list, &t, unit, &arena, error);
  if (status == ART_OK) status = make_token(token, &t, unit, &list, error);
  if (status == ART_OK) {
    unit_describe_machine(unit->description, &t, unit, &list, token);
    if (!print_source(unit->source, &t, unit, &list, token, &arena)) status = base_no_memory(error);
    if (unit->build) print_build(unit->build, t.name);
    if (unit->document) unit_document(unit->document, &t, unit, &list);
    if (unit->system) unit_write_system(unit->system, &t, unit, &list);
    if (unit->terminals) unit_write_terminals(unit->terminals, unit, &list);
  }
  arena_free(&arena);
  return simulation_close(&parts, status, error);
}
