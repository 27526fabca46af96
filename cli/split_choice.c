// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How tasks are made, as calls say it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "generate.h"

//---- what makes sense ----------------------------------------------------------------------------

// what a way does not ask for
static artStatus check_way(const cliCall *call, splitWay way, artError *error)
{
  const int merges = way == SPLIT_THESIS || way == SPLIT_TALK || way == SPLIT_MOVED;
  if (!merges && (call->merge || !isnan(call->smallest))) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--%s is for tasks that are merged; add --by thesis",
                     call->merge ? "merge" : "smallest");
  }
  if (call->merge && !isnan(call->smallest)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--merge says which groups are merged; leave --smallest out");
  }
  return ART_OK;
}


artStatus cli_check_tasks(const cliCall *call, artError *error)
{
  enum { MOST_TRANSFER = 1000000 };
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  artStatus status = cli_check_whole("tasks", call->tasks, 1, SPLIT_TASKS, error);
  if (status == ART_OK) {
    status = cli_check_whole("transfer", call->transfer, 0, MOST_TRANSFER, error);
  }
  if (status == ART_OK) status = check_way(call, way, error);
  if (status != ART_OK) return status;
  if (isnan(call->smallest) || (call->smallest >= 0 && call->smallest <= 1)) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--smallest is %g, expected a part of the mean from 0 to 1", call->smallest);
}

//---- groups that the call gathers ----------------------------------------------------------------

static artStatus bad_merge(const char *text, const char *what, int n, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "--merge '%.100s': %s; expected the groups 0 to %d once each, with commas "
                   "between those of a task and '/' between tasks",
                   text, what, n - 1);
}


// 0,4/1,2,3: tasks are numbered by the smallest of their groups, so that group 0 is in task 0
static artStatus read_merge(const char *text, int n, int *task, int *tasks, artError *error)
{
  int count = 0;
  for (int i = 0; i < n; i++) task[i] = -1;
  for (const char *c = text; *c;) {
    char *end = NULL;
    const long group = strtol(c, &end, 10);
    if (end == c || *c == '-' || *c == '+' || *c == ' ') {
      return bad_merge(text, "a number is missing", n, error);
    }
    if (group < 0 || group >= n) return bad_merge(text, "there is no such group", n, error);
    if (task[group] >= 0) return bad_merge(text, "a group stands there twice", n, error);
    task[group] = count;
    if (*end && *end != ',' && *end != '/') {
      return bad_merge(text, "an odd character stands there", n, error);
    }
    if (*end && !end[1]) return bad_merge(text, "a number is missing", n, error);
    count += *end == '/';
    c = *end ? end + 1 : end;
  }
  for (int i = 0; i < n; i++) {
    if (task[i] < 0) return bad_merge(text, "a group is missing", n, error);
  }
  *tasks = count + 1;
  return ART_OK;
}


// in the order of their smallest groups
static int number_tasks(int n, int *task, int tasks)
{
  int *number = MEM_ARRAY(int, tasks), next = 0;
  if (!number) return 0;
  for (int k = 0; k < tasks; k++) number[k] = -1;
  for (int i = 0; i < n; i++) {
    if (number[task[i]] < 0) number[task[i]] = next++;
    task[i] = number[task[i]];
  }
  mem_free(number);
  return 1;
}


static artStatus gather(const char *text, const eqnProgram *program, splitChoice *choice,
                        int **gathered, artError *error)
{
  int tasks = 0;
  const int n = emit_count_groups(program);
  if (n < 0) return base_no_memory(error);
  *gathered = MEM_ARRAY(int, n);
  if (!*gathered) return base_no_memory(error);
  artStatus status = read_merge(text, n, *gathered, &tasks, error);
  if (status == ART_OK && tasks > SPLIT_TASKS) {
    status = bad_merge(text, "there are more than 64 tasks", n, error);
  }
  if (status == ART_OK && !number_tasks(n, *gathered, tasks)) status = base_no_memory(error);
  choice->gathered = *gathered;
  choice->tasks = tasks;
  return status;
}


artStatus cli_choose_split(const cliCall *call, const eqnProgram *program, splitChoice *choice,
                           int **gathered, artError *error)
{
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  const int is_merged = way == SPLIT_THESIS || way == SPLIT_TALK;
  *choice = split_default_choice(!isnan(call->tasks) ? (int) call->tasks : is_merged ? 0 : 2);
  choice->way = way;
  choice->transfer = call->transfer;
  if (!isnan(call->smallest)) choice->smallest = call->smallest;
  *gathered = NULL;
  return call->merge ? gather(call->merge, program, choice, gathered, error) : ART_OK;
}
