// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The viewer page, and pages that contain results.
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "base/file.h"

// The viewer built from viewer/; free with mem_free. ART_IO with advice if it is missing.
artStatus page_load(char **page, size_t *size, artError *error);

// The playground with a model file in it (NULL: none); free with free.
artStatus page_load_play(const char *model, char **page, size_t *size, artError *error);

// A self-contained page with the scenes of n results; joints[n]: how the joints of a model that has
// not run move its bodies, as JSON, or NULL.
artStatus page_write(const char *path, int n, const char *const *result, const char *const *joints,
                     artError *error);

// A machine that is simulated in a page: a WebAssembly module, the header of its scene, what else
// the page knows of it as JSON, the step of rk4 in s, and the model file for download.
typedef struct pageMachine {
  const char *module, *header, *about, *source, *source_name;
  size_t module_size, header_size, about_size, source_size;
  double step;
} pageMachine;
artStatus page_write_live(const char *path, const pageMachine *machine, artError *error);

// The name of a result: "double-pendulum" for results/double-pendulum or
// results/double-pendulum/scene.arts.
enum { PAGE_NAME_LENGTH = 256 };
void page_result_name(const char *result, char name[PAGE_NAME_LENGTH]);

// The path of a file next to the scene of a result.
artStatus page_beside(const char *result, const char *name, char path[FILE_PATH_LENGTH],
                      artError *error);

#endif
