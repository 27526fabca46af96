// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The crew: branches dealt to the workers of a team, or to ranks, by what they cost.
#include "method/crew.h"

#include "base/clock.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "par/team.h"
#include "par/wait.h"

// evaluations of each kind that are timed
enum { TRIALS = 9 };

// and those that are shared before it is looked whether this still pays
enum { WATCHED = 256 };

// a team must be quicker than one thread by this factor, for timing is not that exact
#define GAIN 0.95

struct methodCrew {
  parTeam *team; // or NULL: ranks
  methodRanks *ranks;
  double limit;
  crewReport report;
  int in_any_case, is_decided, is_sharing;
  crewTrips trips;
  int *worker;  // [branches]
  int count;    // evaluations since others were last compared with one alone
  double spent; // on them, s

  // the phase that all work on
  const artModel *m;
  artData *d;
  recursivePhase *phase;
};

static struct methodCrew *crew_of(const artData *d)
{
  return d->work->method ? d->work->method->crew : NULL;
}


//---- life ----------------------------------------------------------------------------------------

// a crew in the place of the one that there is, with a team of threads or for ranks
static artStatus take_crew(artData *d, const crewOptions *options, int by_ranks, artError *error)
{
  struct methodWork *own = method_work(d);
  struct methodCrew *crew = own ? mem_alloc(1, sizeof *crew) : NULL;
  if (!crew) return base_no_memory(error);
  if (!by_ranks && !(crew->team = par_create_team(options->threads, options->limit, error))) {
    mem_free(crew);
    return error ? error->status : ART_NO_MEMORY;
  }
  crew->in_any_case = options->in_any_case;
  crew->trips = options->trips;
  crew->limit = options->limit;
  crew->report.by_ranks = by_ranks;
  crew->report.asked = by_ranks ? par_mpi_size() : options->threads;
  crew->report.used = 1;
  method_free_crew(own);
  own->crew = crew;
  return ART_OK;
}


artStatus method_use_threads(artData *d, const crewOptions *options, artError *error)
{
  return take_crew(d, options, 0, error);
}


artStatus method_use_ranks(artData *d, const crewOptions *options, artError *error)
{
  return take_crew(d, options, 1, error);
}


int method_free_crew(struct methodWork *own)
{
  struct methodCrew *crew = own->crew;
  if (!crew) return 1;
  if (!par_free_team(crew->team)) return 0;
  if (!crew->team) ranks_stop(crew->ranks);
  own->crew = NULL;
  mem_free(crew->worker);
  mem_free(crew);
  return 1;
}


crewReport method_crew_report(const artData *d)
{
  const struct methodCrew *crew = crew_of(d);
  return crew ? crew->report : method_generated_report(d);
}


//---- work ----------------------------------------------------------------------------------------

static void share_branches(void *context, int worker)
{
  ART_ASSERT(worker >= 0 && worker < ((const struct methodCrew *) context)->report.asked);
  const struct methodCrew *crew = context;
  const int n = recursive_of(crew->d)->tree.n;
  for (int b = 0; b < n; b++) {
    if (crew->worker[b] == worker) crew->phase(crew->m, crew->d, b);
  }
}


int crew_is_sharing(const artData *d)
{
  return crew_of(d) && crew_of(d)->is_sharing;
}


artStatus crew_run(const artModel *m, artData *d, recursivePhase *phase, artError *error)
{
  struct methodCrew *crew = d->work->method->crew;
  if (!crew_is_sharing(d)) {
    const int n = recursive_of(d)->tree.n;
    for (int b = 0; b < n; b++) phase(m, d, b);
    return ART_OK;
  }

  // a stalled worker may still look at what it was to do
  if (!crew->report.is_lost) {
    crew->m = m;
    crew->d = d;
    crew->phase = phase;
  }
  const artStatus status =
      crew->ranks ? ranks_run(crew->ranks, m, d, phase, error)
                  : par_run(crew->team, "method recursive", share_branches, crew, error);
  if (status != ART_OK) crew->report.is_lost = 1;
  return status;
}


//---- does it pay? --------------------------------------------------------------------------------


static artStatus deal_branches(const artModel *m, artData *d, struct methodCrew *crew,
                               artError *error)
{
  const struct methodRecursive *r = recursive_of(d);
  const int workers = crew->report.asked;
  double *cost = MEM_ARRAY(double, r->tree.n + workers);
  crew->worker = MEM_ARRAY(int, r->tree.n);
  if (cost && crew->worker) {
    // links, and the rows that each of them feels
    for (int b = 0; b < r->tree.n; b++) {
      const recursiveBranch *branch = &r->branch[b];
      cost[b] = 4.0 * (branch->links.end - branch->links.first);
      for (int k = 0; k < branch->n; k++) {
        const branchWay *way = &branch->way[k];
        cost[b] += way->way->nrow[USUAL] * (way->end - way->begin);
      }
    }
    branches_deal(r->tree.n, cost, workers, cost + r->tree.n, crew->worker);
  }
  mem_free(cost);
  if (!cost || !crew->worker) return base_no_memory(error);
  return crew->team ? ART_OK : ranks_start(&crew->ranks, m, d, crew->worker, crew->limit, error);
}


int crew_is_undecided(const artData *d)
{
  return crew_of(d) && !crew_of(d)->is_decided;
}


static double time_once(const artModel *m, artData *d, crewEvaluation *evaluate, artStatus *status,
                        artError *error)
{
  const double start = base_now();
  *status = evaluate(m, d, error);
  return base_now() - start;
}


// how an evaluation is done; ranks share it in two ways
typedef enum crewWay { ALONE, SHARED, IN_ONE_TRIP, CREW_WAYS } crewWay;


static void use_way(struct methodCrew *crew, crewWay way)
{
  crew->is_sharing = way != ALONE;
  if (crew->ranks) ranks_use_one_trip(crew->ranks, way == IN_ONE_TRIP);
}


// turn about, so that all meet the same machine
static artStatus try_ways(const artModel *m, artData *d, crewEvaluation *evaluate, artError *error)
{
  struct methodCrew *crew = d->work->method->crew;
  const int ways = crew->ranks ? CREW_WAYS : IN_ONE_TRIP;
  double spent[CREW_WAYS][TRIALS];
  int trips[CREW_WAYS] = {0};
  artStatus status = ART_OK;
  for (int k = 0; k < TRIALS * ways && status == ART_OK; k++) {
    const crewWay way = (crewWay) (k % ways);
    const long before = crew->ranks ? ranks_trips(crew->ranks) : 0;
    use_way(crew, way);
    spent[way][k / ways] = time_once(m, d, evaluate, &status, error);
    if (crew->ranks) trips[way] = (int) (ranks_trips(crew->ranks) - before);
  }
  use_way(crew, ALONE);
  if (status != ART_OK) return status;
  crewReport *report = &crew->report;
  report->alone = par_median(spent[ALONE], TRIALS);
  report->shared = par_median(spent[SHARED], TRIALS);
  report->round_trips = trips[SHARED];
  if (!crew->ranks) return ART_OK;

  const double in_one_trip = par_median(spent[IN_ONE_TRIP], TRIALS);
  const int is_quicker = in_one_trip < report->shared;
  if (!(crew->trips == TRIPS_QUICKER ? is_quicker : crew->trips == TRIPS_ONE)) return ART_OK;
  report->shared = in_one_trip;
  report->round_trips = trips[IN_ONE_TRIP];
  use_way(crew, IN_ONE_TRIP);
  return ART_OK;
}


artStatus crew_evaluate(const artModel *m, artData *d, crewEvaluation *evaluate, artError *error)
{
  struct methodCrew *crew = d->work->method->crew;
  if (!crew || !crew->is_sharing || crew->in_any_case) return evaluate(m, d, error);
  artStatus status;
  crew->spent += time_once(m, d, evaluate, &status, error);
  if (++crew->count < WATCHED) return status;
  if (crew->spent > crew->report.alone * WATCHED) crew->is_decided = 0;
  crew->spent = crew->count = 0;
  return status;
}


artStatus crew_decide(const artModel *m, artData *d, crewEvaluation *evaluate, artError *error)
{
  ART_ASSERT(!d->work->method->crew->is_decided);
  struct methodCrew *crew = d->work->method->crew;
  crewReport *report = &crew->report;
  const int n = recursive_of(d)->tree.n;
  crew->is_decided = 1;
  report->branches = n;
  if (n < 2 || report->asked < 2) return ART_OK;
  artStatus status = crew->worker ? ART_OK : deal_branches(m, d, crew, error);
  if (status == ART_OK) status = try_ways(m, d, evaluate, error);
  if (status != ART_OK) return status;
  crew->is_sharing = crew->in_any_case || report->shared < GAIN * report->alone;
  report->used = !crew->is_sharing ? 1 : report->asked < n ? report->asked : n;
  return ART_OK;
}
