// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Runs by several threads, or by several ranks: who shares a run, and its outcome.
#include "verb_run.h"

#include <math.h>

#include "method/method.h"
#include "par/mpi.h"
#include "par/team.h"
#include "split/split.h"

//---- the run -------------------------------------------------------------------------------------


// rank 0 has begun its run, or has told why not
static artStatus agree_on_run(int *goes_on, artError *error)
{
  return par_mpi_broadcast(goes_on, sizeof *goes_on, 0, 0, error);
}


void workers_join(cliRun *job)
{
  char names[MODEL_METHODS_LENGTH], code[MODEL_METHODS_LENGTH];
  artError *error = error_current();
  cli_check_whole("threads", job->call->threads, 1, PAR_MOST_WORKERS);
  const int threads = isnan(job->call->threads) ? 1 : (int) job->call->threads;
  const int ranks = par_mpi_size();
  if (job->call->share_always && (!model_method_has((int) job->study.run.method, METHOD_BRANCHES) ||
                                  (threads == 1 && ranks == 1)))
    cli_leave("--share-always goes with --method %s and two or more threads or ranks; give "
              "--threads N, or leave it out",
              model_method_list(METHOD_BRANCHES, 0, "or", names));
  if (ranks == 1 && job->study.run.backend == ART_BACKEND_GENERATED) {
    if (threads > SPLIT_TASKS)
      cli_leave("--threads is %d, and generated equations are split into at most %d tasks", threads,
                SPLIT_TASKS);
    if (isnan(job->call->threads)) return;
    error_check(method_generated_use_threads(job->data, threads, error));
    return;
  }
  if (threads == 1 && ranks == 1) return;
  if (job->model->nlatch > 0) {
    error_throw_at(ART_UNSUPPORTED, job->model->latch[0].place,
                   "the branches of the machine change where '%s' engages or releases, and %s keep "
                   "theirs; run with one",
                   job->model->latch[0].name, ranks > 1 ? "ranks" : "threads");
  }
  const bool has_loops = job->data->work->loop != NULL;
  if (!model_method_has((int) job->study.run.method, METHOD_BRANCHES) || !has_loops)
    cli_leave(
        "%s share the branches of closed loops in method %s, and threads the equations of method "
        "%s; %s%s%s",
        ranks > 1 ? "ranks" : "--threads", model_method_list(METHOD_BRANCHES, 0, "or", names),
        model_method_list(METHOD_COMPILED, 0, "or", code), has_loops ? "choose --method " : "",
        has_loops ? names : "this machine has no loops:",
        has_loops ? ", or run with one" : " run with one");
  if (threads > 1 && ranks > 1)
    cli_leave("--threads and mpirun do not go together; choose one of them");
  const workersOptions options = {.threads = threads,
                                  .in_any_case = job->call->share_always,
                                  .limit = ranks > 1 ? PAR_MPI_LIMIT : PAR_STALL_LIMIT};
  int goes_on = 1;
  job->has_ranks = ranks > 1;
  error_check(ranks == 1 ? method_use_threads(job->data, &options, error)
                         : method_use_ranks(job->data, &options, error));
  if (ranks > 1) error_check(agree_on_run(&goes_on, error));
}


bool workers_leave(const cliRun *job)
{
  int goes_on = 0;
  if (par_mpi_size() > 1 && !job->has_ranks) agree_on_run(&goes_on, NULL);
  if (!job->data || !method_workers_report(job->data).is_lost) return true;
  if (job->has_ranks) par_mpi_end(1);
  return false;
}


void workers_report(cliReport *report, const cliRun *job)
{
  const workersReport r = job->data ? method_workers_report(job->data) : (workersReport){0};
  const char *who = r.by_ranks ? "ranks" : "threads";
  if (r.asked < 2) return;
  json_object(report, "parallel");
  json_fields(report, "by: %s, asked: %d, used: %d", who, r.asked, r.used);
  json_fields(report, "branches: %d, evaluation_alone: %g, evaluation_shared: %g", r.branches,
              r.alone, r.shared);
  if (r.alone <= 0) {
    say(report, "  %d %s were there, but the machine has %d branch%s to share: one worked alone\n",
        r.asked, who, r.branches, r.branches == 1 ? "" : "es");
  } else {
    say(report, "  an evaluation takes %.2f us by one, %.2f us by %d %s", 1e6 * r.alone,
        1e6 * r.shared, r.asked, who);
    if (r.message > 0) {
      say(report, " with %d message%s of %.2f us", r.messages, plural_s(r.messages),
          1e6 * r.message);
    }
    if (r.round_trips > 0) {
      say(report, " with %d round trip%s of messages", r.round_trips, plural_s(r.round_trips));
    }
    if (r.used > 1) say(report, ": %d of them shared the work\n", r.used);
    if (r.used <= 1) say(report, ": one worked alone\n");
  }
  if (r.round_trips > 0) json_fields(report, "round_trips: %d", r.round_trips);
  if (r.message > 0) json_fields(report, "messages: %d, message: %g", r.messages, r.message);
  json_end(report);
}


//---- ranks ---------------------------------------------------------------------------------------


static int serve_rank_run(const cliCall *call)
{
  artError error = {0};
  artModel *model = NULL;
  artData *data = NULL;
  int goes_on = 0;
  artStatus status = cli_read_model(call, &model, &error);
  if (!status) status = cli_attach(call, model, &error);
  if (!status && !(data = art_create_data(model))) status = base_no_memory(&error);
  const artStatus agreed = agree_on_run(&goes_on, &error);
  if (agreed == ART_OK && !goes_on) status = ART_OK;
  if (!status && agreed == ART_OK && goes_on) status = method_serve(model, data, &error);
  art_free_data(data);
  art_free_model(model);
  if (status || agreed != ART_OK) return cli_lose_rank(error.text);
  par_mpi_end(0);
  return CLI_DONE;
}


int workers_launch(const cliCall *call, int (*run)(const cliCall *call))
{
  artError error = {0};
  if (par_mpi_begin(&error) != ART_OK) return cli_fail(call, &error);
  if (par_mpi_rank() > 0) return serve_rank_run(call);
  const int status = run(call);
  par_mpi_end(0);
  return status;
}
