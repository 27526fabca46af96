// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Detects results that were changed after their run.
#ifndef SHOW_RESULT_CHECK_H
#define SHOW_RESULT_CHECK_H

#include "articula/base.h"

// Compare results.csv of a result (a directory or a file in it) with the number of rows and the
// SHA-256 in certificate.json next to it. ART_BAD_INPUT with a description of the difference.
// ART_OK also if nothing is known: during a run, without a certificate, or if it has no hash.
artStatus result_check(const char *result, artError *error);

#endif
