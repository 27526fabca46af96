// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What goes with generated C into a library: functions of the host by one door, and a table of all
// functions that are called alike.
#include <string.h>

#include "emit/emit.h"
#include "load/code.h"


static void write_types(FILE *out)
{
  fputs("typedef struct articula_host {\n"
        "  void (*call)(void *context, int external, const double *arguments, double *result);\n"
        "  void *context;\n"
        "} articula_host;\n\n"
        "typedef struct articula_function {\n"
        "  const char *name;\n"
        "  unsigned long constants;\n"
        "  void (*prepare)(const void *p, void *c);\n"
        "  int (*call)(const void *p, const void *c, double *const *in, double *const *out,\n"
        "              void *user);\n"
        "} articula_function;\n\n"
        "typedef struct articula_tables {\n"
        "  int n;\n"
        "  const articula_function *function;\n"
        "  unsigned long parameters;\n"
        "  void (*set)(void *p);\n"
        "} articula_tables;\n\n",
        out);
}


static void write_external(FILE *out, const char *name, int number)
{
  fprintf(out,
          "void %s(const double *arguments, double *result, void *user)\n{\n"
          "  const articula_host *host = user;\n"
          "  host->call(host->context, %d, arguments, result);\n}\n\n",
          name, number);
}


static void write_function(FILE *out, const char *name, const eqnFunction *f)
{
  fprintf(
      out,
      "static void articula_prepare_%s(const void *p, void *c)\n{\n  %s_%s_prepare(p, c);\n}\n\n",
      f->name, name, f->name);
  fprintf(
      out,
      "static int articula_call_%s(const void *p, const void *c, double *const *in,\n"
      "    double *const *out, void *user)\n{\n  (void) in;\n  (void) out;\n  return %s_%s(p, c",
      f->name, name, f->name);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", (void *) in[%d]", k);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", (void *) out[%d]", k);
  fputs(", user);\n}\n\n", out);
}


int load_write_stub(FILE *out, const eqnProgram *p)
{
  fputs("\n// The table by which a program that has loaded this library calls it.\n", out);
  write_types(out);
  baseArena arena = {0};
  const char *const *name = emit_external_names(p, &arena);
  const int made = name != NULL;
  for (int i = 0; made && i < p->nexternal; i++) write_external(out, name[i], i);
  arena_free(&arena);
  for (int i = 0; i < p->nfunction; i++) write_function(out, p->name, &p->function[i]);
  fprintf(out, "static void articula_set(void *p)\n{\n  %s_default(p);\n}\n\n", p->name);
  fputs("static const articula_function articula_functions[] = {\n", out);
  for (int i = 0; i < p->nfunction; i++) {
    const char *f = p->function[i].name;
    fprintf(out, "    {\"%s\", sizeof(%s_%s_constants), articula_prepare_%s, articula_call_%s},\n",
            f, p->name, f, f, f);
  }
  fprintf(
      out,
      "};\n\n__attribute__((visibility(\"default\"))) extern const articula_tables " LOAD_TABLE_NAME
      ";\nconst articula_tables " LOAD_TABLE_NAME " = {%d, articula_functions, "
      "sizeof(%s_parameters), articula_set};\n",
      p->nfunction, p->name);
  return made;
}


void load_write_team(FILE *out, const eqnProgram *p)
{
  const eqnFunction *f = p->function;
  while (strcmp(f->name, "accelerate") != 0) f++;
  fprintf(
      out,
      "\n// the team\nstatic void *articula_start(void)\n{\n  return %s_accelerate_start();\n}\n\n"
      "static void articula_stop(void *team)\n{\n  %s_accelerate_stop(team);\n}\n\n"
      "static int articula_stalled(const void *team)\n{\n"
      "  return %s_accelerate_stalled(team);\n}\n\n"
      "static double articula_message(void *team)\n{\n"
      "  return %s_accelerate_message(team);\n}\n\n"
      "static int articula_call(void *team, const void *p, const void *c, double *const *in,\n"
      "    double *const *out, void *user)\n{\n  return %s_accelerate_by_team(team, p, c",
      p->name, p->name, p->name, p->name, p->name);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", in[%d]", k);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", out[%d]", k);
  fputs(", user);\n}\n\n"
        "typedef struct articula_teams {\n"
        "  void *(*start)(void);\n"
        "  void (*stop)(void *team);\n"
        "  int (*stalled)(const void *team);\n"
        "  int (*call)(void *team, const void *p, const void *c, double *const *in,\n"
        "              double *const *out, void *user);\n"
        "  double (*message)(void *team);\n"
        "  int messages;\n"
        "} articula_teams;\n\n"
        "__attribute__((visibility(\"default\"))) extern const articula_teams " LOAD_TEAM_NAME ";\n"
        "const articula_teams " LOAD_TEAM_NAME " = {articula_start, articula_stop,\n"
        "    articula_stalled, articula_call, articula_message, ",
        out);
  fprintf(out, "%s_accelerate_messages};\n", p->name);
}
