// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated accelerations by lanes against one by one: nanoseconds for each evaluation, side by side.
//
//   bench_batch [FOLDER]
//
// writes for each model a folder with both texts, and a script that compiles and runs them for 2, 4 and 8
// lanes: it needs a C compiler and its library alone, so that the folder can be taken to another machine.
// Without a FOLDER it does so in a folder of its own and runs the script here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "articula/articula.h"
#include "emit/emit.h"
#include "gen/gen.h"
#include "model/model.h"

typedef struct batchModel {
  const char *name, *path;
  int repeats;
} batchModel;

static const batchModel models[] = {
    {"puma", "models/puma560.yaml", 2000},
    {"four-bar", "models/loops/four-bar.yaml", 2000},
    {"cart", "models/vehicles/cart.yaml", 500},
    {"multilink-car", "models/vehicles/multilink-car.yaml", 50},
    {"truck", "models/vehicles/truck.yaml", 30},
};


static FILE *open_in(const char *folder, const char *name)
{
  char path[8192];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}


static void write_numbers(FILE *out, const char *name, int n, const double *x)
{
  fprintf(out, "static const double %s[] = {", name);
  for (int k = 0; k < n; k++) fprintf(out, "%.17g, ", x[k]);
  fputs("0};\n", out);
}


// coordinates that move along their velocities: all but quaternions
static void write_moves(FILE *out, const artModel *m)
{
  int n = 0;
  char q[20000] = "", v[20000] = "";
  for (int k = 0; k < m->tree.nv; k++) {
    if (m->velocity[k].partner < 0) continue;
    snprintf(q + strlen(q), sizeof q - strlen(q), "%d, ", m->velocity[k].partner);
    snprintf(v + strlen(v), sizeof v - strlen(v), "%d, ", k);
    n++;
  }
  fprintf(out, "enum { NMOVE = %d };\nstatic const int move_q[] = {%s0}, move_v[] = {%s0};\n", n, q,
          v);
}


static void write_state(const char *folder, const batchModel *x, const artModel *m,
                        const artData *d)
{
  FILE *out = open_in(folder, "state.h");
  fprintf(out, "#define MODEL \"%s\"\nenum { NQ = %d, NV = %d, NS = %d, REPEATS = %d };\n", x->name,
          m->tree.nq, m->tree.nv, m->nstate, x->repeats);
  fprintf(out, "#define T0 %.17g\n#define ARGUMENTS(t, q, v, s, a, r) %s\n", d->time,
          m->nstate > 0 ? "t, q, v, s, a, r" : "t, q, v, a");
  write_numbers(out, "q0", m->tree.nq, d->q);
  write_numbers(out, "v0", m->tree.nv, d->v);
  write_numbers(out, "s0", m->nstate, d->s);
  write_moves(out, m);
  fclose(out);
}


static artStatus write_text(const char *folder, eqnProgram *program, const char *name, int lanes,
                            artError *error)
{
  char file[64];
  program->name = name;
  snprintf(file, sizeof file, "%s.h", name);
  const emitOptions options = {.header = file, .lanes = lanes};
  FILE *header = open_in(folder, file);
  artStatus status = emit_c_header(header, program, &options, error);
  fclose(header);
  char source[64];
  snprintf(source, sizeof source, "%s.c", name);
  FILE *out = open_in(folder, source);
  if (!status) status = emit_program(out, program, EMIT_C, &options, error);
  fclose(out);
  return status;
}


static artStatus write_model(const char *folder, const batchModel *x, artError *error)
{
  artModel *m = NULL;
  artAssembly assembly;
  eqnProgram *program = NULL;
  const genOptions options = {.forms = GEN_ACCELERATE};
  artStatus status = art_load_model(&m, x->path, error);
  artData *d = status ? NULL : art_create_data(m);
  if (!status) status = art_assemble(m, d, &assembly, error);
  if (!status) status = gen_create(&program, m, d, &options, error);
  if (!status) status = write_text(folder, program, "scalar", 0, error);
  if (!status) status = write_text(folder, program, "batch", EMIT_LANES_OF_TARGET, error);
  if (!status) write_state(folder, x, m, d);
  gen_free(program);
  art_free_data(d);
  art_free_model(m);
  return status;
}


static void copy_main(const char *folder)
{
  FILE *from = fopen("bench/batch/main.c", "r"), *to = open_in(folder, "main.c");
  for (int c; from && (c = fgetc(from)) != EOF;) fputc(c, to);
  if (from) fclose(from);
  fclose(to);
}


static void write_script(const char *folder)
{
  FILE *out = open_in(folder, "run.sh");
  fputs("#!/bin/sh\n"
        "# Compiles and runs both texts of each model, for 2, 4 and 8 lanes or as $LANES says, "
        "and for this\n"
        "# processor or what $TARGET says.\n"
        "cd \"$(dirname \"$0\")\" || exit 1\n"
        "fast='-std=gnu11 -O3 '${TARGET:--march=native}' -ffp-contract=fast -fno-math-errno "
        "-fno-trapping-math "
        "-fno-tree-slp-vectorize'\n"
        "echo '| model | lanes | one, ns | of lanes, ns | ratio | difference |'\n"
        "echo '|---|---|---|---|---|---|'\n"
        "for model in ${MODELS:-",
        out);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    fprintf(out, "%s%s", i ? " " : "", models[i].name);
  }
  fputs("}; do\n"
        "  ${CC:-cc} $fast -c $model/scalar.c -o $model/scalar.o || exit 1\n"
        "  for n in ${LANES:-2 4 8}; do\n"
        "    ${CC:-cc} $fast -Dbatch_LANES=$n -c $model/batch.c -o $model/batch$n.o &&\n"
        "    ${CC:-cc} $fast -Dbatch_LANES=$n -I$model main.c $model/scalar.o $model/batch$n.o -lm "
        "-o "
        "$model/run$n &&\n"
        "    $model/run$n || exit 1\n"
        "  done\n"
        "done\n",
        out);
  fclose(out);
}


int main(int argc, char **argv)
{
  char own[] = "/tmp/articula-batch-XXXXXX", folder[4096], command[256];
  const char *place = argc > 1 ? argv[1] : mkdtemp(own);
  artError error = {0};
  if (!place) return 1;
  mkdir(place, 0777);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    snprintf(folder, sizeof folder, "%s/%s", place, models[i].name);
    mkdir(folder, 0777);
    if (write_model(folder, &models[i], &error)) {
      fprintf(stderr, "%s: %s\n", models[i].name, error.text);
      return 1;
    }
  }
  copy_main(place);
  write_script(place);
  if (argc > 1) return 0;
  snprintf(command, sizeof command, "sh %s/run.sh; rm -r %s", own, own);
  return system(command) != 0;
}
