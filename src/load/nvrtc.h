// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// NVRTC, the CUDA compiler as a library, used if nvcc is not installed; Python packages and CUDA
// toolkits contain it.
#ifndef LOAD_NVRTC_H
#define LOAD_NVRTC_H

#include "articula/base.h"

// The library: $NVRTC, one that the loader finds, or one in the usual folders; NULL: not found.
const char *nvrtc_name(void);

// Compile a source to a cubin by this library. ART_UNSUPPORTED if it rejects the source, with its
// first error and `advice`.
artStatus nvrtc_compile(const char *library, const char *source, const char *const *words,
                        const char *made, const char *advice, artError *error);

#endif
