// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bytes made small by zlib, where it was there at configure time.
#ifndef SHOW_DEFLATE_H
#define SHOW_DEFLATE_H

#include <stddef.h>

#include "articula/base.h"

// Raw deflate (RFC 1951) of n bytes, for mem_free. ART_IO with a remedy where zlib is absent.
artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error);

#endif
