// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs of a simulation, one for each choice of independent coordinates, and pieces of its text.
#include "emit/machine/simulation.h"

#include <string.h>

#include "base/memory.h"

//---- the programs --------------------------------------------------------------------------------

int simulation_state_count(const eqnProgram *p)
{
  const eqnVector *state = eqn_input(eqn_function(p, EQN_ACCELERATE), "state");
  return state ? state->n : 0;
}


artStatus simulation_open(simulationParts *parts, FILE *out, const emitSimulation *simulation,
                          const simulationNeed *needs, const emitOptions *options, emitShape shape,
                          artError *error)
{
  parts->part = arena_alloc(&parts->arena, (size_t) simulation->nprogram, sizeof *parts->part);
  artStatus status = parts->part ? ART_OK : base_no_memory(error);
  for (int i = 0; i < simulation->nprogram && status == ART_OK; i++) {
    simulationPart *part = &parts->part[i];
    const eqnProgram *p = simulation->program[i];
    part->program = *p;
    part->program.function = part->function;
    part->program.nfunction = 0;
    for (const simulationNeed *need = needs; need->kind != EQN_OTHER; need++) {
      if (i > 0 && need->is_common) continue;
      const eqnFunction *f = need->branch ? need->branch : eqn_function(p, need->kind);
      if (f) {
        eqnFunction *own = &part->function[part->program.nfunction++];
        *own = *f;
        const int has_power = strcmp(f->output[f->noutput - 1].name, "power") == 0;
        if (simulation->without_power && has_power) own->noutput--;
      }
      if (f || !need->is_required) continue;
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "a simulation needs the function '%s', which was not generated",
                       eqn_function_name(need->kind));
    }
    if (i > 0) part->program.name = arena_format(&parts->arena, "%s_%d", p->name, i + 1);
    if (!part->program.name) return base_no_memory(error);
    parts->n++;
    status = job_open(&part->job, out, &part->program, options, shape, error);
    part->job.linkage = "static ";
  }
  return status;
}


artStatus simulation_close(simulationParts *parts, artStatus status, artError *error)
{
  for (int i = 0; i < parts->n; i++) status = job_close(&parts->part[i].job, status, error);
  arena_free(&parts->arena);
  return status;
}


// four positions in a row, of which the first is called ...qw, are a quaternion
artStatus simulation_check_externals(const eqnProgram *p, const char *what, artError *error)
{
  for (int i = 0; i < p->nexternal; i++) {
    if (p->external[i].is_given) continue;
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "the model calls '%s', a function of its user, which %s cannot have",
                     p->external[i].name, what);
  }
  return ART_OK;
}


int simulation_next_quaternion(const eqnVector *q, int from)
{
  ART_ASSERT(from >= 0 && q->label);
  for (int i = from; i + 3 < q->n; i++) {
    const size_t n = strlen(q->label[i]);
    if (n >= 2 && strcmp(q->label[i] + n - 2, "qw") == 0) return i;
  }
  return -1;
}


int simulation_depends(const eqnList *list, const char *name)
{
  const eqnFunction *f = list->function;
  const eqnVector *input = eqn_input(f, name);
  unsigned char *is_needed = mem_alloc((size_t) list->pool->count, 1);
  int found = 0;
  for (int k = 0; is_needed && k < f->noutput; k++) {
    for (int i = 0; i < f->output[k].n; i++) is_needed[f->output[k].node[i]] = 1;
  }
  if (is_needed) expr_mark_arguments(list->pool, list->pool->count, is_needed);
  for (int i = 0; input && i < input->n; i++) found |= !is_needed || is_needed[input->node[i]];
  mem_free(is_needed);
  return found;
}

//---- roads ---------------------------------------------------------------------------------------

void emit_road_functions(FILE *out, const char *name)
{
  fputs("\n\n", out);
  template_print(out, roads_text, "types", &(templateValues){.name = name});
  emit_lines(out, road_numbers_text);
  fputs("\n\n", out);
  emit_lines(out, fade_text);
  fputs("\n\n", out);
  emit_lines(out, heights_text);
  fputs("\n\n", out);
  emit_lines(out, table_heights_text);
  fputs("\n\n//---- the roads of the model "
        "------------------------------------------------------------------\n\n",
        out);
}


void emit_road_call(FILE *out, int model, int number, int is_derivative)
{
  char road[12], own[12];
  snprintf(road, sizeof road, "%d", model);
  snprintf(own, sizeof own, "%d", number);
  template_print(out, roads_text, is_derivative ? "derivative" : "function",
                 &(templateValues){.word = road, .other = own});
}

//---- text ----------------------------------------------------------------------------------------

void simulation_print_numbers(FILE *out, const char *name, int nvector, const int *n,
                              const double *const *x)
{
  ART_ASSERT(nvector >= 1);
  int total = 0, i = 0;
  for (int k = 0; k < nvector; k++) total += n[k];
  fprintf(out, "static const double %s[%d] = {", name, total > 0 ? total : 1);
  for (int k = 0; k < nvector; k++) {
    for (int j = 0; j < n[k]; j++) {
      fputs(i % 4 == 0 ? "\n    " : " ", out);
      emit_number(out, &c_syntax.dialect, x[k][j]);
      if (++i < total) fputc(',', out);
    }
  }
  fputs(total > 0 ? "};\n" : "0};\n", out);
}


void simulation_print_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (const char *c = text; *c; c++) {
    if (strchr("\"\\?", *c)) fputc('\\', out);
    fputc((unsigned char) *c < ' ' ? ' ' : *c, out);
  }
  fputc('"', out);
}


void simulation_print_quaternions(FILE *out, const eqnVector *q)
{
  int count = 0;
  fputs("// where quaternions begin in q\nstatic const int quaternion[] = {", out);
  for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
    fprintf(out, "%s%d", count++ ? ", " : "", i);
  }
  fprintf(out, "%s};\nenum { QUATERNIONS = %d };\n\n", count ? "" : "0", count);
}


void simulation_print_inputs(FILE *out, const emitSimulation *s)
{
  fprintf(out, "static const double input[%d] = {", s->inputs.n > 0 ? s->inputs.n : 1);
  for (int i = 0; i < s->inputs.n; i++) {
    fputs(i ? ", " : "", out);
    emit_number(out, &c_syntax.dialect, s->inputs.entry[i].value);
  }
  fputs(s->inputs.n > 0 ? "};\n" : "0};\n", out);
}


void simulation_print_times(FILE *out, const emitSimulation *s)
{
  fputs("static const double begin = ", out);
  emit_number(out, &c_syntax.dialect, s->from);
  fprintf(out, ";\nenum { IS_SWITCHED = %d };\n", s->is_switched);
  if (!s->is_switched) return;
  fputs("static const double last = ", out);
  emit_number(out, &c_syntax.dialect, s->known_until);
  fputs(";\n", out);
}


void simulation_print_corners(FILE *out, const emitSimulation *s, const char *before)
{
  fprintf(out,
          "enum { N_DRIVE = %d, N_CORNER = %d };\n\n// instants at which prescribed rates jump, "
          "and by how much\n%sstatic const double corner[N_CORNER][1 + N_DRIVE] = {",
          s->ndrive, s->ncorner, before);
  for (int i = 0; i < s->ncorner; i++) {
    fputs(i > 0 ? ",\n    {" : "\n    {", out);
    for (int k = 0; k <= s->ndrive; k++) {
      if (k > 0) fputs(", ", out);
      emit_number(out, &c_syntax.dialect, s->corner[i * (1 + s->ndrive) + k]);
    }
    fputc('}', out);
  }
  fputs("};\n\n", out);
}
