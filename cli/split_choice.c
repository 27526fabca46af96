// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// How tasks are made, as calls say it.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "verb_generate.h"

//---- what makes sense ----------------------------------------------------------------------------

// what a way does not ask for
static artStatus check_way(const cliCall *call, splitWay way, artError *error)
{
  if (!split_way_merges(way) && (call->merge || !isnan(call->smallest))) {
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

//---- the choice ----------------------------------------------------------------------------------

artStatus cli_choose_split(const cliCall *call, const eqnProgram *program, splitChoice *choice,
                           int **gathered, artError *error)
{
  const splitWay way = call->by < 0 ? SPLIT_SEARCH : (splitWay) call->by;
  *choice = split_choice_by(way, isnan(call->tasks) ? 0 : (int) call->tasks);
  choice->transfer = call->transfer;
  if (!isnan(call->smallest)) choice->smallest = call->smallest;
  *gathered = NULL;
  if (!call->merge) return ART_OK;
  const int n = emit_count_groups(program);
  *gathered = n < 0 ? NULL : MEM_ARRAY(int, n);
  if (!*gathered) return base_no_memory(error);
  choice->gathered = *gathered;
  return split_gather(call->merge, "--merge", n, *gathered, &choice->tasks, error);
}
