// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Workers: branches assigned to the threads of a team, or to ranks, by their cost.
#include "method/workers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "par/team.h"
#include "par/wait.h"

// timed evaluations of each kind
enum { TIMED_EVALUATIONS = 9 };

// shared evaluations between two checks whether sharing is still faster
enum { CHECK_INTERVAL = 256 };

// a team must be faster than one thread by this factor, because timing is inaccurate
#define MIN_SPEEDUP 0.95

struct methodWorkers {
  parTeam *team; // NULL: ranks
  methodRanks *ranks;
  double limit;
  workersReport report;
  int in_any_case, is_decided, is_sharing;
  workersTrips trips;
  int *worker;  // [branches]
  int count;    // evaluations since the last comparison with one thread
  double spent; // time spent on them, s

  // the phase in progress
  const artModel *m;
  artData *d;
  recursivePhase *phase;
};

static struct methodWorkers *workers_of(const artData *d)
{
  return d->work->method ? d->work->method->workers : NULL;
}


//---- creation and release ------------------------------------------------------------------------

// replace the workers by a team of threads, or by ranks
static artStatus take_workers(artData *d, const workersOptions *options, int by_ranks,
                              artError *error)
{
  struct methodWork *own = method_work(d);
  struct methodWorkers *workers = own ? mem_alloc(1, sizeof *workers) : NULL;
  if (!workers) return base_no_memory(error);
  if (!by_ranks && !(workers->team = par_create_team(options->threads, options->limit, error))) {
    mem_free(workers);
    return error ? error->status : ART_NO_MEMORY;
  }
  workers->in_any_case = options->in_any_case;
  workers->trips = options->trips;
  workers->limit = options->limit;
  workers->report.by_ranks = by_ranks;
  workers->report.asked = by_ranks ? par_mpi_size() : options->threads;
  workers->report.used = 1;
  method_free_workers(own);
  own->workers = workers;
  return ART_OK;
}


artStatus method_use_threads(artData *d, const workersOptions *options, artError *error)
{
  const artStatus status = model_refuse_rolls(d->work->now, "threads of a run", error);
  if (status != ART_OK) return status;
  return take_workers(d, options, 0, error);
}


artStatus method_use_ranks(artData *d, const workersOptions *options, artError *error)
{
  const artStatus status = model_refuse_rolls(d->work->now, "ranks of a run", error);
  if (status != ART_OK) return status;
  return take_workers(d, options, 1, error);
}


int method_free_workers(struct methodWork *own)
{
  struct methodWorkers *workers = own->workers;
  if (!workers) return 1;
  if (!par_free_team(workers->team)) return 0;
  if (!workers->team) ranks_stop(workers->ranks);
  own->workers = NULL;
  mem_free(workers->worker);
  mem_free(workers);
  return 1;
}


workersReport method_workers_report(const artData *d)
{
  const struct methodWorkers *workers = workers_of(d);
  return workers ? workers->report : method_generated_report(d);
}


//---- running the workers -------------------------------------------------------------------------

static void share_branches(void *context, int worker)
{
  ART_ASSERT(worker >= 0 && worker < ((const struct methodWorkers *) context)->report.asked);
  const struct methodWorkers *workers = context;
  const int n = recursive_of(workers->d)->tree.n;
  for (int b = 0; b < n; b++) {
    if (workers->worker[b] == worker) workers->phase(workers->m, workers->d, b);
  }
}


int workers_is_sharing(const artData *d)
{
  return workers_of(d) && workers_of(d)->is_sharing;
}


artStatus workers_run(const artModel *m, artData *d, recursivePhase *phase, artError *error)
{
  struct methodWorkers *workers = d->work->method->workers;
  if (!workers_is_sharing(d)) {
    const int n = recursive_of(d)->tree.n;
    for (int b = 0; b < n; b++) phase(m, d, b);
    return ART_OK;
  }

  // a stalled worker may still read its task
  if (!workers->report.is_lost) {
    workers->m = m;
    workers->d = d;
    workers->phase = phase;
  }
  const artStatus status =
      workers->ranks ? ranks_run(workers->ranks, m, d, phase, error)
                     : par_run(workers->team, "method recursive", share_branches, workers, error);
  if (status != ART_OK) workers->report.is_lost = 1;
  return status;
}


//---- is sharing faster? --------------------------------------------------------------------------


static artStatus deal_branches(const artModel *m, artData *d, struct methodWorkers *workers,
                               artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  const int worker_count = workers->report.asked;
  double *cost = MEM_ARRAY(double, r->tree.n + worker_count);
  workers->worker = MEM_ARRAY(int, r->tree.n);
  if (cost && workers->worker) {
    // links, and the rows that act on each of them
    for (int b = 0; b < r->tree.n; b++) {
      const recursiveBranch *branch = &r->branch[b];
      cost[b] = 4.0 * (branch->links.end - branch->links.first);
      for (int k = 0; k < branch->n; k++) {
        const branchWay *way = &branch->way[k];
        cost[b] += way->way->nrow[USUAL] * (way->end - way->begin);
      }
    }
    branches_deal(r->tree.n, cost, worker_count, cost + r->tree.n, workers->worker);
  }
  mem_free(cost);
  if (!cost || !workers->worker) return base_no_memory(error);
  return workers->team ? ART_OK
                       : ranks_start(&workers->ranks, m, d, workers->worker, workers->limit, error);
}


int workers_is_undecided(const artData *d)
{
  return workers_of(d) && !workers_of(d)->is_decided;
}


static double time_once(const artModel *m, artData *d, workersEvaluation *evaluate,
                        artStatus *status, artError *error)
{
  const double start = base_now();
  *status = evaluate(m, d, error);
  return base_now() - start;
}


// distribution of an evaluation; ranks have two ways
typedef enum workersWay { ALONE, SHARED, IN_ONE_TRIP, WORKERS_WAYS } workersWay;


static void use_way(struct methodWorkers *workers, workersWay way)
{
  workers->is_sharing = way != ALONE;
  if (workers->ranks) ranks_use_one_trip(workers->ranks, way == IN_ONE_TRIP);
}


// alternate the ways, so that all are timed under the same load
static artStatus try_ways(const artModel *m, artData *d, workersEvaluation *evaluate,
                          artError *error)
{
  struct methodWorkers *workers = d->work->method->workers;
  const int ways = workers->ranks ? WORKERS_WAYS : IN_ONE_TRIP;
  double spent[WORKERS_WAYS][TIMED_EVALUATIONS];
  int trips[WORKERS_WAYS] = {0};
  artStatus status = ART_OK;
  for (int k = 0; k < TIMED_EVALUATIONS * ways && status == ART_OK; k++) {
    const workersWay way = (workersWay) (k % ways);
    const long before = workers->ranks ? ranks_trips(workers->ranks) : 0;
    use_way(workers, way);
    spent[way][k / ways] = time_once(m, d, evaluate, &status, error);
    if (workers->ranks) trips[way] = (int) (ranks_trips(workers->ranks) - before);
  }
  use_way(workers, ALONE);
  if (status != ART_OK) return status;
  workersReport *report = &workers->report;
  report->alone = par_median(spent[ALONE], TIMED_EVALUATIONS);
  report->shared = par_median(spent[SHARED], TIMED_EVALUATIONS);
  report->round_trips = trips[SHARED];
  if (!workers->ranks) return ART_OK;

  const double in_one_trip = par_median(spent[IN_ONE_TRIP], TIMED_EVALUATIONS);
  const int is_quicker = in_one_trip < report->shared;
  if (!(workers->trips == TRIPS_QUICKER ? is_quicker : workers->trips == TRIPS_ONE)) return ART_OK;
  report->shared = in_one_trip;
  report->round_trips = trips[IN_ONE_TRIP];
  use_way(workers, IN_ONE_TRIP);
  return ART_OK;
}


artStatus workers_evaluate(const artModel *m, artData *d, workersEvaluation *evaluate,
                           artError *error)
{
  struct methodWorkers *workers = d->work->method->workers;
  if (!workers || !workers->is_sharing || workers->in_any_case) return evaluate(m, d, error);
  artStatus status;
  workers->spent += time_once(m, d, evaluate, &status, error);
  if (++workers->count < CHECK_INTERVAL) return status;
  if (workers->spent > workers->report.alone * CHECK_INTERVAL) workers->is_decided = 0;
  workers->spent = workers->count = 0;
  return status;
}


artStatus workers_decide(const artModel *m, artData *d, workersEvaluation *evaluate,
                         artError *error)
{
  ART_ASSERT(!d->work->method->workers->is_decided);
  struct methodWorkers *workers = d->work->method->workers;
  workersReport *report = &workers->report;
  const int n = recursive_of(d)->tree.n;
  workers->is_decided = 1;
  report->branches = n;
  if (n < 2 || report->asked < 2) return ART_OK;
  artStatus status = workers->worker ? ART_OK : deal_branches(m, d, workers, error);
  if (status == ART_OK) status = try_ways(m, d, evaluate, error);
  if (status != ART_OK) return status;
  workers->is_sharing = workers->in_any_case || report->shared < MIN_SPEEDUP * report->alone;
  report->used = !workers->is_sharing ? 1 : report->asked < n ? report->asked : n;
  return ART_OK;
}
