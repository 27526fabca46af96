// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The page of the viewer, and pages with results inside.
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "base/file.h"

// The viewer as built from viewer/, for mem_free. ART_IO with a remedy when it is not there.
artStatus page_load(char **page, size_t *size, artError *error);

// A page that stands alone, with the scenes of n results inside.
artStatus page_write(const char *path, int n, const char *const *result, artError *error);

// "double-pendulum" of results/double-pendulum or results/double-pendulum/scene.arts.
enum { PAGE_NAME_LENGTH = 256 };
void page_result_name(const char *result, char name[PAGE_NAME_LENGTH]);

// A file beside the scene of a result.
artStatus page_beside(const char *result, const char *name, char path[FILE_PATH_LENGTH],
                      artError *error);

#endif
