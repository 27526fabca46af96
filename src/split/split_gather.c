// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Groups gathered in tasks by hand: "0,4/1,2,3".
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "split/split_way.h"


static artStatus refuse_text(const char *text, const char *who, const char *what, int n,
                             artError *error)
{
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "%s '%.100s': %s; expected the groups 0 to %d once each, with commas "
                   "between those of a task and '/' between tasks",
                   who, text, what, n - 1);
}


// 0,4/1,2,3: tasks are numbered by the smallest of their groups, so that group 0 is in task 0
static artStatus read_groups(const char *text, const char *who, int n, int *task, int *tasks,
                             artError *error)
{
  int count = 0;
  for (int i = 0; i < n; i++) task[i] = -1;
  for (const char *c = text; *c;) {
    char *end = NULL;
    const long group = strtol(c, &end, 10);
    if (end == c || *c == '-' || *c == '+' || *c == ' ') {
      return refuse_text(text, who, "a number is missing", n, error);
    }
    if (group < 0 || group >= n) return refuse_text(text, who, "there is no such group", n, error);
    if (task[group] >= 0) return refuse_text(text, who, "a group stands there twice", n, error);
    task[group] = count;
    if (*end && *end != ',' && *end != '/') {
      return refuse_text(text, who, "an odd character stands there", n, error);
    }
    if (*end && !end[1]) return refuse_text(text, who, "a number is missing", n, error);
    count += *end == '/';
    c = *end ? end + 1 : end;
  }
  for (int i = 0; i < n; i++) {
    if (task[i] < 0) return refuse_text(text, who, "a group is missing", n, error);
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


artStatus split_gather(const char *text, const char *who, int n, int *task, int *tasks,
                       artError *error)
{
  const artStatus status = read_groups(text, who, n, task, tasks, error);
  if (status != ART_OK) return status;
  if (*tasks > SPLIT_TASKS) {
    return refuse_text(text, who, "there are more than 64 tasks", n, error);
  }
  return number_tasks(n, task, *tasks) ? ART_OK : base_no_memory(error);
}
