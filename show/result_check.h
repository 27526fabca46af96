// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Are the rows of a result those that its run wrote?
#ifndef SHOW_RESULT_CHECK_H
#define SHOW_RESULT_CHECK_H

#include "articula/base.h"

// Compare results.csv of a result, a directory or a file in it, with the rows and the SHA-256 in certificate.json beside it.
// ART_BAD_INPUT with the difference in words. ART_OK also where nothing is known: while a run goes on, without a
// certificate, or with one that has no sum.
artStatus result_check(const char *result, artError *error);

#endif
