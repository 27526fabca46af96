// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model file read again with its loops cut at joints that are named.
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/read/reader.h"


// itself, or at a twin of the body after it
static int is_cut_at(const artModel *m, int joint)
{
  for (int c = 0; c < m->ncut; c++) {
    if (m->cut[c].joint == joint) return 1;
  }
  return 0;
}


artStatus reader_load_cut(artModel **out, const artModel *m, const char *path, int n,
                          const char *const *joint, const char *who, artError *error)
{
  readerCut *cut = MEM_ARRAY(readerCut, n + 1);
  artStatus status = cut ? ART_OK : base_no_memory(error);
  *out = NULL;
  for (int i = 0; i < n && !status; i++) {
    cut[i] = (readerCut){joint[i], -1};
    if (table_find(&m->joints, joint[i]) >= 0) continue;
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = joint[i]};
    for (int k = 0; k < m->njoint; k++) base_consider(&nearest, m->joint[k].name);
    status =
        base_fail(error, ART_BAD_INPUT, base_nowhere(), "%s names '%.60s', which is not a joint%s",
                  who, joint[i], base_hint(&nearest, hint));
  }
  if (!status) status = reader_load_recut(out, path, n, cut, error);
  mem_free(cut);
  for (int i = 0; i < n && !status; i++) {
    if (is_cut_at(*out, table_find(&(*out)->joints, joint[i]))) continue;
    status = base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "%s names '%.60s', which is in no loop that the other cuts leave closed",
                       who, joint[i]);
  }
  if (!status) return ART_OK;
  art_free_model(*out);
  *out = NULL;
  return status;
}
