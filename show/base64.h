// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bytes as text (RFC 4648).
#ifndef SHOW_BASE64_H
#define SHOW_BASE64_H

#include <stddef.h>
#include <stdio.h>

void base64_write(FILE *stream, const unsigned char *bytes, size_t n);

#endif
