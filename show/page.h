// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The page of the viewer, and pages with results inside.
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "base/file.h"

// The viewer as built from viewer/, for mem_free. ART_IO with a remedy when it is not there.
artStatus page_load(char **page, size_t *size, artError *error);

// The playground with a model file inside, or none for NULL; for free.
artStatus page_load_play(const char *model, char **page, size_t *size, artError *error);

// A page that stands alone, with the scenes of n results inside.
artStatus page_write(const char *path, int n, const char *const *result, artError *error);

// A machine that moves inside a page: a module of WebAssembly, the header of its scene, the step of rk4 in s, and the
// model file to be saved from there.
typedef struct pageMachine {
  const char *module, *header, *source, *source_name;
  size_t module_size, header_size, source_size;
  double step;
} pageMachine;
artStatus page_write_live(const char *path, const pageMachine *machine, artError *error);

// "double-pendulum" of results/double-pendulum or results/double-pendulum/scene.arts.
enum { PAGE_NAME_LENGTH = 256 };
void page_result_name(const char *result, char name[PAGE_NAME_LENGTH]);

// A file beside the scene of a result.
artStatus page_beside(const char *result, const char *name, char path[FILE_PATH_LENGTH],
                      artError *error);

#endif
