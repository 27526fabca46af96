// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs in C with a function in tasks.
#include "emit/task/parallel.h"

#include <string.h>

#include "emit/task/tasks.h"
#include "emit/write/template.h"


static int function_to_split(const eqnProgram *p)
{
  for (int i = 0; i < p->nfunction; i++) {
    if (p->function[i].kind == EQN_ACCELERATE) return i;
  }
  return 0;
}


// the source, or its header, with the function in tasks
static int write_parallel_text(const emitJob *job, const emitParallel *parallel, int is_header,
                               int *count)
{
  tasksWriter tasks;
  const int is_mpi = parallel->kind == EMIT_MPI, i = function_to_split(job->program);
  const char *header = is_header ? NULL : job->options->header;
  if (is_header) {
    job_begin_c_header(job);
  } else {
    emit_provenance(job->out, job->program, "//");
    template_print(job->out, is_mpi ? mpi_text : threads_text, "head", &(templateValues){0});
  }
  if (header) fprintf(job->out, "#include \"%s\"\n\n", header);
  if ((!header && !job_declare_c(job)) || (!is_header && !job_define_c(job))) return 0;
  int made = tasks_open(&tasks, job, job->list[i], &parallel->split, job->out);
  if (!header)
    made = made && tasks_attempt(&tasks, is_mpi ? tasks_declare_mpi : tasks_declare_threads);
  if (!is_header)
    made = made && tasks_attempt(&tasks, is_mpi ? tasks_define_mpi : tasks_define_threads);
  if (made && count) *count = tasks.plan->tasks;
  tasks_close(&tasks);
  if (is_header) job_end_c_header(job);
  return made;
}


static artStatus write_parallel_file(FILE *out, const eqnProgram *program,
                                     const emitParallel *parallel, const emitOptions *options,
                                     int is_header, int *tasks, artError *error)
{
  emitJob job;
  artStatus status = job_open(&job, out, program, options, EMIT_SINGLE, error);
  if (status == ART_OK && !write_parallel_text(&job, parallel, is_header, tasks)) {
    status = base_no_memory(error);
  }
  return job_close(&job, status, error);
}


artStatus emit_parallel_header(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                               const emitOptions *options, artError *error)
{
  return write_parallel_file(out, program, parallel, options, 1, NULL, error);
}


artStatus emit_parallel(FILE *out, const eqnProgram *program, const emitParallel *parallel,
                        const emitOptions *options, int *tasks, artError *error)
{
  return write_parallel_file(out, program, parallel, options, 0, tasks, error);
}


artStatus emit_split(emitSplit *x, const eqnProgram *program, const splitChoice *choice,
                     const emitOptions *options, artError *error)
{
  *x = (emitSplit){0};
  x->list = emit_list(program, function_to_split(program), options, EMIT_SINGLE);
  x->graph = x->list ? task_graph_create(x->list) : NULL;
  if (!x->graph || !task_mark(x->graph, &x->marks)) return base_no_memory(error);
  return split_make(&x->made, x->graph, &x->marks, choice) ? ART_OK : base_no_memory(error);
}


void emit_split_free(emitSplit *x)
{
  split_free(&x->made);
  task_marks_free(&x->marks);
  task_graph_free(x->graph);
  eqn_list_free(x->list);
}


int emit_count_groups(const eqnProgram *program)
{
  emitSplit split;
  splitChoice groups = split_default_choice(0);
  groups.way = SPLIT_THESIS;
  groups.smallest = 0;
  const artStatus status = emit_split(&split, program, &groups, &(emitOptions){0}, NULL);
  const int n = status == ART_OK ? split.made.transfers->nprototype : -1;
  emit_split_free(&split);
  return n;
}
