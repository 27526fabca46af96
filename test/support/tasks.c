// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs that evaluate a machine by one and by tasks side by side, and compare bytes.
#include "support/tasks.h"

#include "gen/gen.h"
#include "study/assemble/assemble.h"
#include "support/check.h"
#include "support/folder.h"

//---- a program that compares ---------------------------------------------------------------------

static const char *const thread_main = "  @_accelerate_team *team = @_accelerate_start();\n"
                                       "  if (!team) return 3;\n"
                                       "  if (argc > 1) {\n"
                                       "    pthread_cancel(team->thread[1]);\n"
                                       "    pthread_join(team->thread[1], NULL);\n"
                                       "  }\n";
static const char *const thread_call = "@_accelerate_by_team(team, ";
static const char *const thread_end =
    "    if (b == 2) {\n"
    "      printf(\"task %d stalled\\n\", @_accelerate_stalled(team));\n"
    "      @_accelerate_stop(team);\n"
    "      return 4;\n"
    "    }\n";
static const char *const mpi_main = "  MPI_Init(&argc, &argv);\n"
                                    "  int rank;\n"
                                    "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                    "  if (rank > 0 && argc > 1 && argv[1][2] != 'l') {\n"
                                    "    if (argv[1][2] == 'd') _Exit(7);\n"
                                    "    for (;;) sched_yield();\n"
                                    "  }\n"
                                    "  if (rank > 0) {\n"
                                    "    @_accelerate_serve(&p, &c);\n"
                                    "    MPI_Finalize();\n"
                                    "    return 0;\n"
                                    "  }\n";
static const char *const mpi_call = "@_accelerate_by_ranks(";


// the first number of two vectors whose bytes differ
static const char *const comparison = "static int differ(int trial, const char *what, int k, const "
                                      "double *x, const double *y, int n)\n"
                                      "{\n"
                                      "  for (int i = 0; i < n; i++) {\n"
                                      "    if (memcmp(&x[i], &y[i], sizeof *x) == 0) continue;\n"
                                      "    fprintf(stderr, \"state %d, %s %d [%d]: %.17g by one, "
                                      "%.17g by many\\n\", trial, what, k, i, x[i],\n"
                                      "            y[i]);\n"
                                      "    return 1;\n"
                                      "  }\n"
                                      "  return 0;\n"
                                      "}\n\n";


static void print_piece(FILE *out, const char *piece, const char *name)
{
  for (; *piece; piece++) {
    if (*piece == '@') {
      fputs(name, out);
    } else {
      fputc(*piece, out);
    }
  }
}


static void print_vectors(FILE *out, const eqnFunction *f, const artData *d)
{
  const double *const state[] = {&d->time, d->q, d->v, d->s};
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "static const double begin%d[] = {", k);
    for (int i = 0; i < f->input[k].n; i++) fprintf(out, "%.17g, ", state[k][i]);
    fprintf(out, "0};\nstatic double in%d[3][%d];\n", k, f->input[k].n + 1);
  }
  for (int k = 0; k < f->noutput; k++) {
    fprintf(out, "static double out%d[3][%d];\n", k, f->output[k].n + 1);
  }
}


static void print_arguments(FILE *out, const eqnFunction *f, int which)
{
  fputs("&p, &c", out);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", in%d[%d]", k, which);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", out%d[%d]", k, which);
  fputs(", NULL);\n", out);
}


// with the results of one, or when loops are not closed with what stood there before
static void print_comparison(FILE *out, const eqnFunction *f)
{
  fputs("    const int want = a == 0 ? 0 : 2;\n", out);
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "    bad += differ(trial, \"input\", %d, in%d[want], in%d[1], %d);\n", k, k, k,
            f->input[k].n);
  }
  for (int k = 0; k < f->noutput; k++) {
    fprintf(out, "    bad += differ(trial, \"output\", %d, out%d[want], out%d[1], %d);\n", k, k, k,
            f->output[k].n);
  }
}


static void print_states(FILE *out, const eqnFunction *f)
{
  fputs("    const double size = trial == 0 ? 0 : trial % 4 == 3 ? 1 : 1e-3;\n", out);
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out,
            "    for (int i = 0; i < %d; i++) {\n"
            "      seed = seed*6364136223846793005u + 1442695040888963407u;\n"
            "      in%d[0][i] = begin%d[i] + size*((double) (seed >> 11)*0x1p-53 - 0.5);\n"
            "      in%d[1][i] = in%d[2][i] = in%d[0][i];\n    }\n",
            f->input[k].n, k, k, k, k, k);
  }
  for (int k = 0; k < f->noutput; k++) {
    fprintf(out, "    memcpy(out%d[2], out%d[1], sizeof out%d[1]);\n", k, k, k);
  }
}


static void print_externals(FILE *out, const eqnProgram *p)
{
  baseArena arena = {0};
  const char *const *name = emit_external_names(p, &arena);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "void %s(const double *x, double *y, void *user)\n{\n"
            "  (void) user;\n  for (int i = 0; i < %d; i++) y[i] = 0.01*sin(x[0] + i);\n}\n\n",
            name[i], p->external[i].n);
  }
  arena_free(&arena);
}


static void print_main(FILE *out, const eqnProgram *p, const artData *d, int is_mpi, int trials)
{
  const eqnFunction *f = gen_function(p, "accelerate");
  fputs("#define _POSIX_C_SOURCE 200809L\n#include \"program.c\"\n#include <signal.h>\n#include "
        "<stdio.h>\n\n",
        out);
  print_externals(out, p);
  print_vectors(out, f, d);
  fputs(comparison, out);
  print_piece(out,
              "int main(int argc, char **argv)\n{\n  static @_parameters p;\n"
              "  static @_accelerate_constants c;\n  @_default(&p);\n"
              "  @_accelerate_prepare(&p, &c);\n  unsigned long long seed = 7;\n"
              "  int bad = 0, held = 0;\n  (void) argv;\n",
              p->name);
  print_piece(out, is_mpi ? mpi_main : thread_main, p->name);
  fprintf(out, "  for (int trial = 0; trial < %d; trial++) {\n", trials);
  print_states(out, f);
  print_piece(out, "    const int a = @_accelerate(", p->name);
  print_arguments(out, f, 0);
  fputs("    const int b = ", out);
  print_piece(out, is_mpi ? mpi_call : thread_call, p->name);
  print_arguments(out, f, 1);
  if (!is_mpi) print_piece(out, thread_end, p->name);
  fputs("    if (a != b) fprintf(stderr, \"state %d: status %d by one, %d by many\\n\", trial, a, "
        "b);\n"
        "    bad += a != b;\n    held += a == 0;\n",
        out);
  print_comparison(out, f);
  if (is_mpi) fputs("    if (argc > 1 && argv[1][2] == 'l') raise(SIGKILL);\n", out);
  // said before ranks are dismissed: what MPI does at its end is not ours to judge
  fputs("  }\n  printf(\"%d bad, %d held\\n\", bad, held);\n  fflush(stdout);\n", out);
  print_piece(out,
              is_mpi ? "  @_accelerate_dismiss();\n  MPI_Finalize();\n"
                     : "  @_accelerate_stop(team);\n",
              p->name);
  fputs("  return bad > 0 || held == 0;\n}\n", out);
}

//---- machines ------------------------------------------------------------------------------------


int tasks_machine_open(tasksMachine *x, const char *path)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
  *x = (tasksMachine){0};
  if (!CHECK(art_load_model(&x->m, path, &x->error) == ART_OK)) return 0;
  x->d = art_create_data(x->m);
  return study_assemble(x->m, x->d, NULL, &x->error) == ART_OK &&
         gen_create(&x->p, x->m, x->d, &options, &x->error) == ART_OK;
}


void tasks_machine_close(tasksMachine *x)
{
  gen_free(x->p);
  art_free_data(x->d);
  art_free_model(x->m);
}


emitParallel tasks_freely(emitParallelKind kind, int tasks)
{
  emitParallel parallel = {kind, split_default_choice(tasks)};
  parallel.split.transfer = 0;
  return parallel;
}


void tasks_machine_write(const tasksMachine *x, const char *folder, emitParallel parallel,
                         int trials)
{
  const emitOptions text = {0};
  FILE *out = folder_open(folder, "program.c", "w");
  CHECK(emit_parallel(out, x->p, &parallel, &text, NULL, NULL) == ART_OK);
  fclose(out);
  out = folder_open(folder, "main.c", "w");
  print_main(out, x->p, x->d, parallel.kind == EMIT_MPI, trials);
  fclose(out);
}
