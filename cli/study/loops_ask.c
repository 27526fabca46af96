// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Demands of a call on closed loops: where they are cut, which coordinates are independent.
#include <string.h>

#include "base/throw.h"
#include "model/read/reader.h"
#include "study/assemble/assemble.h"
#include "study/assemble/fork.h"
#include "verb_generate.h"

int generate_split(baseArena *arena, const char *text, const char ***words)
{
  int n = 1;
  for (const char *c = text; *c; c++) n += *c == ',';
  char *copy = arena_text(arena, text), *rest = NULL;
  ARENA_TAKE(arena, *words, n);
  n = 0;
  for (char *w = strtok_r(copy, ", ", &rest); w; w = strtok_r(NULL, ", ", &rest)) (*words)[n++] = w;
  return n;
}

//---- cuts ----------------------------------------------------------------------------------------

void generate_ask_cuts(cliWork *w)
{
  const char **word = NULL;
  if (!w->call->cut) return;
  const int n = generate_split(&w->arena, w->call->cut, &word);
  artModel *m = NULL;
  error_check(reader_load_cut(&m, w->model, w->call->file, n, word, "--cut", error_current()));
  art_free_data(w->data);
  art_free_model(w->model);
  w->model = m;
  w->data = art_create_data(m);
  if (!w->data) error_throw();
}

//---- independent coordinates ---------------------------------------------------------------------

void generate_ask_partition(const cliWork *w)
{
  const cliCall *call = w->call;
  artError trouble = {0};
  if (w->model->nrow == 0) {
    if (!call->independent) return;
    cli_leave("--independent chooses among the coordinates of closed loops, and this machine has "
              "none; leave it out");
  }
  const artStatus status =
      study_ask_partition(w->model, w->data, call->study, call->independent, &trouble);
  if (!status) return;
  error_throw_at(status, base_nowhere(), "%s%s", call->independent ? "--independent: " : "",
                 trouble.text);
}


void generate_assemble(const cliWork *w)
{
  generate_ask_partition(w);
  if (w->model->nrow == 0) return;
  error_check(study_assemble(w->model, w->data, NULL, error_current()));
  error_check(study_refuse_fork(w->model, w->data, error_current()));
}
