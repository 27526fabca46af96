// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks of generated code: by threads and by ranks, to the bits of the serial text, free of races; what stalls or dies
// ends with a message.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emit/parallel.h"
#include "gen/gen.h"
#include "study/assemble.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/machines.h"

static char folder[] = "/tmp/articula-parallel-XXXXXX";

//---- a program that compares ---------------------------------------------------------------------

// The state at which loops are closed, and others nearby; serial and parallel results must be equal as bytes. With
// --stall worker 1 goes away before the first evaluation.
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
                                    "  if (rank > 0 && argc > 1) {\n"
                                    "    if (argv[1][2] == 'd') _Exit(7);\n"
                                    "    for (;;) sched_yield();\n"
                                    "  }\n"
                                    "  if (rank > 0) {\n"
                                    "    @_accelerate_serve(&p, &c);\n"
                                    "    MPI_Finalize();\n"
                                    "    return 0;\n"
                                    "  }\n";
static const char *const mpi_call = "@_accelerate_by_ranks(";


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
    fprintf(out, "0};\nstatic double in%d[2][%d];\n", k, f->input[k].n + 1);
  }
  for (int k = 0; k < f->noutput; k++) {
    fprintf(out, "static double out%d[2][%d];\n", k, f->output[k].n + 1);
  }
}


static void print_arguments(FILE *out, const eqnFunction *f, int which)
{
  fputs("&p, &c", out);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", in%d[%d]", k, which);
  for (int k = 0; k < f->noutput; k++) fprintf(out, ", out%d[%d]", k, which);
  fputs(", NULL);\n", out);
}


static void print_comparison(FILE *out, const eqnFunction *f)
{
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "    bad += a == 0 && memcmp(in%d[0], in%d[1], sizeof in%d[0]) != 0;\n", k, k, k);
  }
  for (int k = 0; k < f->noutput; k++) {
    fprintf(out, "    bad += a == 0 && memcmp(out%d[0], out%d[1], sizeof out%d[0]) != 0;\n", k, k,
            k);
  }
}


static void print_states(FILE *out, const eqnFunction *f)
{
  for (int k = 0; k < f->ninput; k++) {
    fprintf(
        out,
        "    for (int i = 0; i < %d; i++) {\n"
        "      seed = seed*6364136223846793005u + 1442695040888963407u;\n"
        "      in%d[0][i] = begin%d[i] + (trial > 0)*1e-3*((double) (seed >> 11)*0x1p-53 - 0.5);\n"
        "      in%d[1][i] = in%d[0][i];\n    }\n",
        f->input[k].n, k, k, k, k);
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
  fputs("#define _POSIX_C_SOURCE 200809L\n#include \"program.c\"\n#include <stdio.h>\n\n", out);
  print_externals(out, p);
  print_vectors(out, f, d);
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
  fputs("    bad += a != b;\n    held += a == 0;\n", out);
  print_comparison(out, f);
  print_piece(out,
              is_mpi ? "  }\n  @_accelerate_dismiss();\n  MPI_Finalize();\n"
                     : "  }\n  @_accelerate_stop(team);\n",
              p->name);
  fputs("  printf(\"%d bad, %d held\\n\", bad, held);\n  return bad > 0 || held == 0;\n}\n", out);
}

//---- programs ------------------------------------------------------------------------------------

// program.c and main.c of a machine; 0 when there are no equations of it
static int write_program(const char *path, int tasks, emitParallelKind kind, int trials)
{
  artModel *m = NULL;
  artError error;
  eqnProgram *p = NULL;
  if (!CHECK(art_load_model(&m, path, &error) == ART_OK)) return 0;
  artData *d = art_create_data(m);
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
  const emitOptions text = {0};
  const emitParallel parallel = {kind, tasks};
  int made =
      study_assemble(m, d, NULL, NULL) == ART_OK && gen_create(&p, m, d, &options, NULL) == ART_OK;
  if (made) {
    FILE *out = folder_open(folder, "program.c", "w");
    CHECK(emit_parallel(out, p, &parallel, &text, &error) == ART_OK);
    fclose(out);
    out = folder_open(folder, "main.c", "w");
    print_main(out, p, d, kind == EMIT_MPI, trials);
    fclose(out);
  }
  gen_free(p);
  art_free_data(d);
  art_free_model(m);
  return made;
}


static int has(const char *command)
{
  char line[200];
  snprintf(line, sizeof line, "command -v %s > /dev/null", command);
  return system(line) == 0;
}


static int is_soak(void)
{
  return getenv("ART_SOAK") != NULL;
}

#define MPIRUN                                                                                     \
  "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 mpirun --oversubscribe "

//---- tests ---------------------------------------------------------------------------------------

static void threads_give_the_bits_of_one(void)
{
  static const struct {
    const char *path;
    int tasks;
  } sample[] = {{"models/pendulum.yaml", 2},
                {"models/loops/four-bar.yaml", 3},
                {"models/generator/quadruped.yaml", 4},
                {"models/loops/delta.yaml", 8},
                {"models/vehicles/motorcycle.yaml", 2}};
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    if (!write_program(sample[i].path, sample[i].tasks, EMIT_THREADS, 40)) continue;
    folder_run(folder,
               "cc -std=c11 -O1 -Wall -Wextra main.c -lm -lpthread -o main && ./main > out");
  }
}


static void every_machine_gives_the_same_bits_by_threads(void)
{
  static machineFiles files;
  if (!is_soak()) return;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    for (int tasks = 1; tasks <= 8; tasks++) {
      if (!write_program(files.path[i], tasks, EMIT_THREADS, 20)) break;
      folder_run(folder, ": %s in %d; cc -std=c11 -O0 main.c -lm -lpthread -o main && ./main > out",
                 files.path[i], tasks);
    }
  }
}


static void threads_have_no_races(void)
{
  FILE *out = folder_open(folder, "empty.c", "w");
  fputs("int main(void)\n{\n  return 0;\n}\n", out);
  fclose(out);
  char command[300];
  snprintf(command, sizeof command,
           "cd %s && cc -fsanitize=thread empty.c -o empty 2> /dev/null && ./empty 2> /dev/null",
           folder);
  if (system(command) != 0) return;
  if (!write_program("models/generator/quadruped.yaml", 3, EMIT_THREADS, 60)) return;
  folder_run(folder,
             "cc -std=c11 -O1 -g -fsanitize=thread main.c -lm -lpthread -o main && ./main > out");
}


static void a_worker_that_goes_away_is_noticed(void)
{
  if (!write_program("models/loops/four-bar.yaml", 2, EMIT_THREADS, 1)) return;
  folder_run(folder,
             "cc -std=c11 -Dfour_bar_linkage_STALL_SECONDS=0.2 main.c -lm -lpthread -o main");
  folder_run(folder,
             "timeout 20 ./main --stall > out; test $? = 4 && grep -q 'task 1 stalled' out");
}


static void ranks_give_the_bits_of_one(void)
{
  static const struct {
    const char *path;
    int tasks;
  } sample[] = {{"models/loops/four-bar.yaml", 2}, {"models/generator/quadruped.yaml", 3}};
  if (!has("mpicc") || !has("mpirun")) return;
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    if (!write_program(sample[i].path, sample[i].tasks, EMIT_MPI, 10)) continue;
    folder_run(folder, "mpicc -std=c11 -O1 -Wall -Wextra main.c -lm -o main");
    folder_run(folder, MPIRUN "-n %d ./main > out", sample[i].tasks);

    // with fewer ranks than tasks the first does all
    folder_run(folder, MPIRUN "-n 1 ./main > out");
  }
}


static void every_machine_gives_the_same_bits_by_ranks(void)
{
  static machineFiles files;
  if (!is_soak() || !has("mpicc") || !has("mpirun")) return;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    const int tasks = 1 + i % 8;
    if (!write_program(files.path[i], tasks, EMIT_MPI, 5)) continue;
    folder_run(folder,
               ": %s; mpicc -std=c11 -O0 main.c -lm -o main && " MPIRUN "-n %d ./main > out",
               files.path[i], tasks);
  }
}


static void ranks_that_die_or_stall_end_the_job(void)
{
  if (!has("mpicc") || !has("mpirun")) return;
  if (!write_program("models/generator/quadruped.yaml", 2, EMIT_MPI, 1)) return;
  folder_run(
      folder,
      "mpicc -std=c11 -Dquadruped_12_joints_on_a_floatin_STALL_SECONDS=0.2 main.c -lm -o main");
  folder_run(folder, "! " MPIRUN "-n 2 ./main --dies > out 2>&1 && ! grep -q bad out");
  folder_run(folder, "! " MPIRUN "-n 2 ./main --stalls > out 2>&1 && "
                     "grep -q 'rank 1 did not answer within 0.2 s' out");
}


int main(int argc, char **argv)
{
  static const checkTest tests[] = {
      TEST(threads_give_the_bits_of_one),
      TEST(threads_have_no_races),
      TEST(a_worker_that_goes_away_is_noticed),
      TEST(ranks_give_the_bits_of_one),
      TEST(ranks_that_die_or_stall_end_the_job),
      TEST(every_machine_gives_the_same_bits_by_threads),
      TEST(every_machine_gives_the_same_bits_by_ranks),
      {0},
  };
  if (!mkdtemp(folder)) return 1;
  const int failed = check_main(argc, argv, tests);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) != 0 || failed;
}
