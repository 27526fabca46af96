// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of studies on equations that are generated: independent coordinates, actuators.
#include "study/ask.h"

#include "base/error.h"
#include "data/work.h"
#include "loop/loop.h"
#include "model/model.h"


// the study of type run that the name or, without one, the order of the file tells; NULL: there is none
static const artRunDef *run_study(const artModel *m, const char *name)
{
  const artRunDef *run = art_find_run(m, name);
  return run ? run : art_find_run(m, NULL);
}


int study_asks_partition(const artModel *m, const char *study, const char *independent)
{
  const artRunDef *run = run_study(m, study);
  return m->nrow > 0 &&
         (independent || (run && (run->independent || run->partition == ART_PARTITION_PIVOTING)));
}


artStatus study_ask_partition(const artModel *m, artData *d, const char *study,
                              const char *independent, artError *error)
{
  if (!study_asks_partition(m, study, independent)) return ART_OK;
  const artRunDef *run = run_study(m, study);
  const artPartition partition = independent ? ART_PARTITION_SYMBOLIC : run->partition;
  return loop_ask_for(m, d->work->loop, partition, independent ? independent : run->independent,
                      error);
}


artStatus study_check_asked(const artModel *m, const char *study, const char *who, const char *file,
                            artError *error)
{
  const artStudyDef *found = study ? art_find_study(m, ART_RUN, study) : NULL;
  if (!study || (found && (found->type == ART_RUN || found->type == ART_INVERSE))) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = file},
                   "%s names '%.60s', which is no study of type run or inverse", who, study);
}


artStatus study_ask_actuators(const artModel *m, const char *study, genOptions *options,
                              baseArena *arena, artError *error)
{
  const artStudyDef *def = art_find_study(m, ART_INVERSE, study);
  if (!def || def->type != ART_INVERSE) def = art_find_study(m, ART_INVERSE, NULL);
  for (int i = 0; def && i < m->nstudy; i++) {
    const modelStudy *found = &m->study[i];
    if (&found->def != def) continue;
    const char **name = arena_alloc(arena, (size_t) found->nactuator + 1, sizeof *name);
    if (!name) return base_no_memory(error);
    for (int k = 0; k < found->nactuator; k++) {
      name[k] = arena_text(arena, m->velocity[found->actuator[k]].name);
      if (!name[k]) return base_no_memory(error);
    }
    options->nactuator = found->nactuator;
    options->actuator = name;
  }
  return ART_OK;
}
