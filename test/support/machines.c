// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machines of models/, whichever there are, and random states of them.
#include "support/machines.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/check.h"
#include "support/loops.h"
#include "support/models.h"

#define MODELS ART_SOURCE_DIR "/models"


static int ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}


static void search(machineFiles *files, const char *folder)
{
  DIR *open = opendir(folder);
  if (!CHECK(open)) return;
  for (const struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
    char path[MACHINE_PATH];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || !CHECK(length < MACHINE_PATH)) continue;
    if (ends_with(path, ".yaml") && CHECK(files->n < MACHINE_FILES)) {
      strcpy(files->path[files->n++], path);
    }
    if (!strchr(entry->d_name, '.') && strcmp(entry->d_name, "parts") != 0) search(files, path);
  }
  closedir(open);
}


static int by_name(const void *a, const void *b)
{
  return strcmp(a, b);
}


void machine_files(machineFiles *files)
{
  files->n = 0;
  search(files, MODELS);
  qsort(files->path, (size_t) files->n, sizeof *files->path, by_name);
  CHECK(files->n > 0);
}


const char *machine_name(const char *path)
{
  const size_t n = strlen(MODELS "/");
  return strncmp(path, MODELS "/", n) == 0 ? path + n : path;
}


int machine_random_state(const artModel *m, artData *d, uint64_t *seed)
{
  artAssembly assembly;
  const int nv = m->tree.nv;
  if (m->nrow > 0) {
    if (!loop_random_state(m, d, seed)) return 0;
  } else {
    double *move = calloc((size_t) nv + 1, sizeof *move);
    art_reset(m, d);
    sample_numbers(seed, 1, nv, move);
    art_move(m, d->q, move);
    sample_numbers(seed, 2, nv, d->v);
    d->time = check_uniform(seed, 0, 0.5);
    free(move);
  }
  art_update(m, d);
  return CHECK(art_assemble(m, d, &assembly, NULL) == ART_OK);
}
