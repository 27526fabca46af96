// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machines of models/, whichever there are, and random states of them.
#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "loop/loop.h"
#include "model/model.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/models.h"

#define MODELS ART_SOURCE_DIR "/models"


static int by_name(const void *a, const void *b)
{
  return strcmp(a, b);
}


void machine_files(machineFiles *files)
{
  glob_t found = folder_models(3);
  files->n = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i];
    if (strstr(path, "/parts/") || !CHECK(files->n < MACHINE_FILES)) continue;
    if (CHECK(strlen(path) < MACHINE_PATH)) strcpy(files->path[files->n++], path);
  }
  globfree(&found);
  qsort(files->path, (size_t) files->n, sizeof *files->path, by_name);
  CHECK(files->n > 0);
}


const char *machine_name(const char *path)
{
  const size_t n = strlen(MODELS "/");
  return strncmp(path, MODELS "/", n) == 0 ? path + n : path;
}


// Closing the loops may fling an angle through thousands of turns, which cost it its last digits.
static int is_near(const artModel *m, const artData *d)
{
  double most = 0;
  for (int k = 0; k < m->tree.nq; k++) most = check_larger(most, fabs(d->q[k] - m->q_initial[k]));
  return most < 100;
}


// free coordinates up to `size` away from the model's own state, the others wherever they close the loops
static int close_at(const artModel *m, artData *d, uint64_t *seed, double size, double *move)
{
  const loopPartition *part = &d->work->loop->partition;
  art_reset(m, d);
  if (loop_partition(m, d, NULL) != ART_OK) return 0;
  d->time = check_uniform(seed, 0, 0.5);
  memset(move, 0, (size_t) m->tree.nv * sizeof *move);
  for (int i = 0; i < part->nf; i++) move[part->free[i]] = check_uniform(seed, -size, size);
  art_move(m, d->q, move);
  sample_numbers(seed, 2, m->tree.nv, d->v);
  art_update(m, d);
  return loop_close(m, d, NULL) == ART_OK && loop_partition(m, d, NULL) == ART_OK &&
         loop_close(m, d, NULL) == ART_OK && is_near(m, d);
}


static int random_loops(const artModel *m, artData *d, uint64_t *seed, double *move)
{
  for (double size = 0.4; size > 1e-3; size *= 0.7) {
    if (close_at(m, d, seed, size, move)) return 1;
  }
  return 0;
}


static int random_tree(const artModel *m, artData *d, uint64_t *seed, double *move)
{
  art_reset(m, d);
  sample_numbers(seed, 1, m->tree.nv, move);
  art_move(m, d->q, move);
  sample_numbers(seed, 2, m->tree.nv, d->v);
  d->time = check_uniform(seed, 0, 0.5);
  return 1;
}


bool machine_has_twin(const char *path)
{
  static const char *const parts[] = {"manoeuvre",        "road-train", "iltis.yaml",
                                      "iltis-stairs",     "iltis-rest", "vehicles/truck.yaml",
                                      "vehicles/van.yaml"};
  bool is = false;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) is |= strstr(path, parts[k]) != NULL;
  return is;
}


int machine_random_state(const artModel *m, artData *d, uint64_t *seed)
{
  artAssembly assembly;
  double *move = calloc((size_t) m->tree.nv + 1, sizeof *move);
  const int found = m->nrow > 0 ? random_loops(m, d, seed, move) : random_tree(m, d, seed, move);
  free(move);
  if (!found) return 0;
  art_update(m, d);
  return art_assemble(m, d, &assembly, NULL) == ART_OK;
}
