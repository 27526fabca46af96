// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated accelerations by several threads: the speed-up that the split predicts, the same with transfers as they
// are measured here, and what is measured.
//   parallel [TASKS[:WAY] [MODEL ..]]    2 tasks by the search, or 2:thesis and others of articula split --by, of the
//                                        multi-link car and the truck; run in the root of the repository
// Times are of the wall clock, the middle of many evaluations and the shortest of them, serial and parallel in turn;
// they mean something on a machine with as many idle cores as tasks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "par/wait.h"
#include "team_times.h"


static void measure(const char *path, const splitChoice *split, double transfer)
{
  artModel *m = NULL;
  artError error = {0};
  teamMachine b = {0};
  if (art_load_model(&m, path, &error) != ART_OK || !team_open(&b, m, split, &error)) {
    printf("%s: %s\n", path, error.text[0] ? error.text : "no threads");
  } else {
    teamTimes one, team;
    team_time(&b, &one, &team);
    const teamPrediction p = team_predict(&b, split, transfer, one.shortest);
    printf("%-36s %6d %5d %4d %6d %8.2f %8.2f   %5.2f %5.2f %5.2f   %5.2f %5.2f\n", path,
           p.operations, p.tasks, p.messages, p.values, 1e6 * one.middle, 1e6 * team.middle,
           p.without_transfers, p.as_compiled, p.as_measured, one.middle / team.middle,
           one.shortest / team.shortest);
  }
  team_close(&b);
}


// 2, or 2:thesis; 0 when it is neither
static int read_split(const char *text, splitChoice *split)
{
  const char *colon = strchr(text, ':');
  *split = split_default_choice(atoi(text));
  int way = 0;
  while (colon && way < SPLIT_WAYS && strcmp(split_way_name((splitWay) way), colon + 1) != 0) way++;
  if (way < SPLIT_WAYS) split->way = (splitWay) way;
  return way < SPLIT_WAYS && split->tasks >= 2 && split->tasks <= SPLIT_TASKS;
}


int main(int argc, char **argv)
{
  static const char *const standard[] = {"models/vehicles/multilink-car.yaml",
                                         "models/vehicles/truck.yaml"};
  splitChoice split;
  if (!read_split(argc > 1 ? argv[1] : "2", &split)) {
    fprintf(stderr, "parallel [TASKS[:WAY] [MODEL ..]], 2 to %d tasks, a way of split --by\n",
            SPLIT_TASKS);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  const int cores = par_cores();
  const double transfer = team_transfer();
  printf("a transfer takes %.0f ns; %d cores\n", 1e9 * transfer, cores);
  printf("%-36s %6s %5s %4s %6s %8s %8s   %-17s   %s\n", "", "oper.", "tasks", "mes.", "values",
         "one us", "tasks us", "predicted speed-up", "measured");
  printf("%-36s %6s %5s %4s %6s %8s %8s   %5s %5s %5s   %5s %5s\n", "", "", "", "", "", "", "",
         "free", "usual", "here", "mid", "best");
  for (int i = 2; i < argc; i++) measure(argv[i], &split, transfer);
  for (int i = 0; argc < 3 && i < 2; i++) measure(standard[i], &split, transfer);
  return 0;
}
