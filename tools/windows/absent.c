// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts that this build leaves out: UMFPACK and SPQR, whose licence is the GPL, for redundant constraints. reduce.c says so.
#include "method/reduce.h"

const reduceRows reduce_rows_umfpack, reduce_rows_spqr;
