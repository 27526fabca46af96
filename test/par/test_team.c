// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The team of workers: runs, and what happens when one does not come.
#include "support/check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "par/team.h"
#include "par/wait.h"

enum { MOST = 8 };

//---- work ----------------------------------------------------------------------------------------

static void add_one(void *context, int worker)
{
  int *number = context;
  number[worker]++;
}


TEST(every_worker_works_once_in_each_run)
{
  for (int n = 1; n <= MOST; n *= 2) {
    int number[MOST] = {0};
    parTeam *team = par_create_team(n, PAR_STALL_LIMIT, NULL);
    if (!CHECK(team)) return;
    for (int run = 1; run <= 1000; run++) {
      CHECK(par_run(team, "adding", add_one, number, NULL) == ART_OK);
      int sum = 0;
      for (int i = 0; i < n; i++) sum += number[i];
      if (!CHECK_EQ_INT(sum, run * n)) break;
    }
    CHECK(par_free_team(team));
  }
}


TEST(a_team_that_has_rested_works_again)
{
  const struct timespec rest = {0, 150000000};
  int number[2] = {0};
  parTeam *team = par_create_team(2, PAR_STALL_LIMIT, NULL);
  if (!CHECK(team)) return;
  for (int run = 0; run < 2; run++) {
    nanosleep(&rest, NULL);
    CHECK(par_run(team, "adding", add_one, number, NULL) == ART_OK);
  }
  CHECK_EQ_INT(number[1], 2);
  CHECK(par_free_team(team));
}


//---- trouble -------------------------------------------------------------------------------------


TEST(sizes_that_make_no_team_are_refused)
{
  artError error = {0};
  CHECK(!par_create_team(0, 1, &error));
  CHECK_CONTAINS(error.text, "0 workers");
  CHECK(!par_create_team(PAR_MOST_WORKERS + 1, 1, &error));
  CHECK(error.status == ART_BAD_INPUT);
  CHECK(par_free_team(NULL));
}


// worker `late` waits until it is told to go on
typedef struct laggard {
  parTeam *team;
  int late;
  atomic_int may_go, has_gone;
} laggard;


static void lag(void *context, int worker)
{
  laggard *l = context;
  if (worker == l->late) {
    parWait wait = {0};
    while (!atomic_load(&l->may_go)) par_wait(&wait);
  }
  if (worker == l->late) atomic_store(&l->has_gone, 1);
}


static void check_stall(int n, int late)
{
  artError error = {0};
  laggard l = {.team = par_create_team(n, 0.3, NULL), .late = late};
  if (!CHECK(l.team)) return;
  char who[64];
  snprintf(who, sizeof who, "worker %d of %d has stalled in 'lagging'", late + 1, n);
  CHECK(par_run(l.team, "lagging", lag, &l, &error) == ART_STALLED);
  CHECK_CONTAINS(error.text, who);

  // no use any more, but no hang either
  error.text[0] = 0;
  CHECK(par_run(l.team, "again", lag, &l, &error) == ART_STALLED);
  CHECK_CONTAINS(error.text, "has stalled");
  atomic_store(&l.may_go, 1);
  parWait wait = {.limit = 5};
  while (!atomic_load(&l.has_gone) && par_wait(&wait)) continue;
  CHECK(par_free_team(l.team));
}


TEST(a_worker_that_stalls_ends_the_run_by_name)
{
  check_stall(2, 1);
  check_stall(3, 1);
  check_stall(4, 3);
}


static laggard hopeless;


TEST(a_worker_that_never_comes_keeps_its_team_alive)
{
  hopeless = (laggard){.team = par_create_team(2, 0.2, NULL), .late = 1};
  if (!CHECK(hopeless.team)) return;
  CHECK(par_run(hopeless.team, "lagging", lag, &hopeless, NULL) == ART_STALLED);
  CHECK(!par_free_team(hopeless.team));
  atomic_store(&hopeless.may_go, 1);
  parWait wait = {.limit = 5};
  while (!atomic_load(&hopeless.has_gone) && par_wait(&wait)) continue;
  CHECK(atomic_load(&hopeless.has_gone));
}
