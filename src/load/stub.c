// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Additions to the generated C of a library: calls to host functions through one callback, and a
// table of all functions with a common signature.
#include <string.h>

#include "base/format.h"
#include "emit/emit.h"
#include "emit/write/template.h"
#include "load/code.h"


int load_write_stub(FILE *out, const eqnProgram *p)
{
  const templateValues values = {.name = p->name};
  template_print(out, library_text, "types", &values);
  baseArena arena = {0};
  const char *const *name = emit_external_names(p, &arena);
  const int made = name != NULL;
  for (int i = 0; made && i < p->nexternal; i++) {
    fprintf(out,
            "void %s(const double *arguments, double *result, void *user)\n{\n"
            "  const articula_host *host = user;\n"
            "  host->call(host->context, %d, arguments, result);\n}\n\n",
            name[i], i);
  }
  arena_free(&arena);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    fprintf(
        out,
        "static void articula_prepare_%s(const void *p, void *c)\n{\n  %s_%s_prepare(p, c);\n}\n\n"
        "static int articula_call_%s(const void *p, const void *c, double *const *in,\n"
        "    double *const *out, void *user)\n{\n  (void) in;\n  (void) out;\n  return %s_%s(p, c",
        f->name, p->name, f->name, f->name, p->name, f->name);
    for (int k = 0; k < f->ninput; k++) fprintf(out, ", (void *) in[%d]", k);
    for (int k = 0; k < f->noutput; k++) fprintf(out, ", (void *) out[%d]", k);
    fputs(", user);\n}\n\n", out);
  }
  template_print(out, library_text, "set", &values);
  for (int i = 0; i < p->nfunction; i++) {
    const char *f = p->function[i].name;
    fprintf(out, "    {\"%s\", sizeof(%s_%s_constants), articula_prepare_%s, articula_call_%s},\n",
            f, p->name, f, f, f);
  }
  format_stream(
      out,
      "};\n\n__attribute__((visibility(\"default\"))) extern const articula_tables " LOAD_TABLE_NAME
      ";\nconst articula_tables " LOAD_TABLE_NAME " = {%d, articula_functions, "
      "sizeof(%s_parameters), articula_set};\n",
      p->nfunction, p->name);
  return made;
}


void load_write_team(FILE *out, const eqnProgram *p)
{
  const templateValues values = {.name = p->name, .word = LOAD_TEAM_NAME};
  const eqnFunction *f = p->function;
  while (f->kind != EQN_ACCELERATE) f++;
  template_print(out, library_text, "team", &values);
  fprintf(out, "  return %s_accelerate_by_team(team, p, c", p->name);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", in[%d]", k);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", out[%d]", k);
  fputs(", user);\n}\n\n", out);
  template_print(out, library_text, "team table", &values);
}
