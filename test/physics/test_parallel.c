// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tasks of generated code: by threads and by ranks, to the bits of the serial text, free of races; what stalls or dies
// ends with a message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/folder.h"
#include "support/machines.h"
#include "support/tasks.h"

// a program of a machine by so many tasks; 0 when there are no equations of it
static int write_program(const char *path, int tasks, emitParallelKind kind, int trials)
{
  tasksMachine x;
  const int made = CHECK(tasks_machine_open(&x, path));
  if (made) tasks_machine_write(&x, folder_own(), tasks_freely(kind, tasks), trials);
  tasks_machine_close(&x);
  return made;
}


static int has(const char *command)
{
  char line[200];
  snprintf(line, sizeof line, "command -v %s > /dev/null", command);
  return system(line) == 0;
}


#define MPIRUN                                                                                     \
  "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 mpirun --oversubscribe "

// The program's output counts: Open MPI 4.1 fails now and then while it ends, when cores are few.
static int run_ranks(int n)
{
  return folder_run(folder_own(), MPIRUN "-n %d ./main > out; grep -q '^0 bad, [1-9]' out", n);
}

//---- tests ---------------------------------------------------------------------------------------

TEST(threads_give_the_bits_of_one)
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
    folder_run(folder_own(),
               "%s -std=c11 -Wall -Wextra main.c -lm -lpthread -o main && ./main > out",
               i == 0 ? "cc -O1" : FOLDER_QUICK_CC);
  }
}


TEST(tasks_of_the_thesis_give_the_bits_of_one)
{
  static const struct {
    const char *path;
    splitWay way;
    int tasks;
  } sample[] = {{"models/vehicles/bogie.yaml", SPLIT_THESIS, 0},
                {"models/loops/delta.yaml", SPLIT_MOVED, 3},
                {"models/loops/stewart.yaml", SPLIT_GRID, 4},
                {"models/generator/quadruped.yaml", SPLIT_TALK, 2}};
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    tasksMachine x;
    emitParallel parallel = tasks_freely(EMIT_THREADS, sample[i].tasks);
    parallel.split.way = sample[i].way;
    if (CHECK(tasks_machine_open(&x, sample[i].path))) {
      tasks_machine_write(&x, folder_own(), parallel, 20);
      folder_run(folder_own(), FOLDER_QUICK_CC
                 " -std=c11 -Wall -Wextra main.c -lm -lpthread -o main && ./main > out");
    }
    tasks_machine_close(&x);
  }
}


TEST(threads_have_no_races)
{
  FILE *out = folder_open(folder_own(), "empty.c", "w");
  fputs("int main(void)\n{\n  return 0;\n}\n", out);
  fclose(out);
  char command[300];
  snprintf(command, sizeof command,
           "cd %s && " FOLDER_QUICK_CC
           " -fsanitize=thread empty.c -o empty 2> /dev/null && ./empty 2> /dev/null",
           folder_own());
  if (system(command) != 0) return;
  if (!write_program("models/generator/quadruped.yaml", 3, EMIT_THREADS, 60)) return;
  folder_run(folder_own(), FOLDER_QUICK_CC
             " -std=c11 -g -fsanitize=thread main.c -lm -lpthread -o main && ./main > out");
}


TEST(a_worker_that_goes_away_is_noticed)
{
  if (!write_program("models/loops/four-bar.yaml", 2, EMIT_THREADS, 1)) return;
  folder_run(folder_own(),
             "cc -std=c11 -Dfour_bar_linkage_STALL_SECONDS=0.5 main.c -lm -lpthread -o main");
  folder_run(folder_own(),
             "timeout 120 ./main --stalls > out; test $? = 4 && grep -q 'task 1 stalled' out");
}


TEST(ranks_give_the_bits_of_one)
{
  static const struct {
    const char *path;
    int tasks;
  } sample[] = {{"models/loops/four-bar.yaml", 2}, {"models/generator/quadruped.yaml", 3}};
  if (!has("mpicc") || !has("mpirun")) return;
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
    if (!write_program(sample[i].path, sample[i].tasks, EMIT_MPI, 10)) continue;
    folder_run(folder_own(), "mpicc -std=c11 -O1 -Wall -Wextra main.c -lm -o main");
    run_ranks(sample[i].tasks);

    // with fewer ranks than tasks the first does all
    run_ranks(1);
  }
}


TEST(ranks_that_die_or_stall_end_the_job)
{
  if (!has("mpicc") || !has("mpirun")) return;
  if (!write_program("models/generator/quadruped.yaml", 2, EMIT_MPI, 1)) return;
  folder_run(
      folder_own(),
      "mpicc -std=c11 -Dquadruped_12_joints_on_a_floatin_STALL_SECONDS=0.2 main.c -lm -o main");
  folder_run(folder_own(), "! " MPIRUN "-n 2 ./main --dies > out 2>&1 && ! grep -q bad out");
  folder_run(folder_own(), "! " MPIRUN "-n 2 ./main --leaves > out 2>&1 && grep -q 'signal 9' out");
  folder_run(folder_own(), "! " MPIRUN "-n 2 ./main --stalls > out 2>&1 && "
                           "grep -q 'rank 1 did not answer within 0.2 s' out");
}


//---- every machine -------------------------------------------------------------------------------

enum { MAX_TASKS = 8, STATES = 20 };

// whether a line of the log begins so
static int is_logged(const char *log, const char *key)
{
  char line[600];
  int found = 0;
  FILE *in = log ? fopen(log, "r") : NULL;
  while (in && !found && fgets(line, sizeof line, in)) {
    found = strncmp(line, key, strlen(key)) == 0;
  }
  if (in) fclose(in);
  return found;
}


// the finished work goes to the log, or is shown
static void write_log(const char *log, const char *key, const char *said)
{
  FILE *out = log ? fopen(log, "a") : stdout;
  if (!CHECK(out)) return;
  fprintf(out, "%s %s\n", key, said);
  if (log) fclose(out);
}


static void read_line(const char *name, char line[200])
{
  FILE *in = folder_open(folder_own(), name, "r");
  if (!in || !fgets(line, 200, in)) line[0] = 0;
  if (in) fclose(in);
  line[strcspn(line, "\n")] = 0;
}


static void compare_tasks(const tasksMachine *x, const char *log, const char *key,
                          emitParallel parallel)
{
  char line[200];
  const int is_mpi = parallel.kind == EMIT_MPI;
  tasks_machine_write(x, folder_own(), parallel, STATES);
  if (!folder_run(folder_own(),
                  is_mpi ? ": %s; OMPI_CC='%s' mpicc -std=c11 -ffp-contract=off main.c -lm -o main"
                         : ": %s; %s -std=c11 -ffp-contract=off main.c -lm -lpthread -o main",
                  key, FOLDER_QUICK_CC)) {
    return;
  }
  if (is_mpi && !run_ranks(parallel.split.tasks)) return;
  if (!is_mpi && !folder_run(folder_own(), "timeout 300 ./main > out")) return;
  read_line("out", line);
  write_log(log, key, line);
}


static void compare_machine(const char *path, const char *log, int has_ranks)
{
  tasksMachine x;
  char key[400];
  if (!tasks_machine_open(&x, path)) {
    snprintf(key, sizeof key, "%s:", machine_name(path));
    if (!is_logged(log, key)) write_log(log, key, x.error.text);
    tasks_machine_close(&x);
    return;
  }
  for (int tasks = 1; tasks <= MAX_TASKS; tasks++) {
    snprintf(key, sizeof key, "%s by %d threads:", machine_name(path), tasks);
    if (!is_logged(log, key)) compare_tasks(&x, log, key, tasks_freely(EMIT_THREADS, tasks));
    snprintf(key, sizeof key, "%s by %d ranks:", machine_name(path), tasks);
    if (!has_ranks || is_logged(log, key)) continue;
    compare_tasks(&x, log, key, tasks_freely(EMIT_MPI, tasks));
  }
  tasks_machine_close(&x);
}


// With ART_SOAK alone, for this takes long; lines that ART_SOAK_LOG has already are not done again. With ART_MODELS=van
// those whose names contain "van".
TEST(every_machine_gives_the_same_bits)
{
  static machineFiles files;
  const char *only = getenv("ART_MODELS");
  const int has_ranks = has("mpicc") && has("mpirun");
  if (!getenv("ART_SOAK")) return;
  machine_files(&files);
  for (int i = 0; i < files.n; i++) {
    if (only && !strstr(machine_name(files.path[i]), only)) continue;
    compare_machine(files.path[i], getenv("ART_SOAK_LOG"), has_ranks);
  }
}
