// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The compiler for graphics processors as a library, where nvcc is not installed: it comes with packages of Python and with drivers' toolkits.
#ifndef LOAD_NVRTC_H
#define LOAD_NVRTC_H

#include "articula/base.h"

// The library: $NVRTC, one that the loader finds, or where packages put it; NULL: there is none.
const char *nvrtc_name(void);

// Compile a text to a cubin by the library of that name. ART_UNSUPPORTED where it does not take it, with its first complaint and `advice`.
artStatus nvrtc_compile(const char *library, const char *source, const char *const *words,
                        const char *made, const char *advice, artError *error);

#endif
