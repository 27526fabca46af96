// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Articula: describe a machine once, simulate it by any method. The headers are in reading order.
// articula/schedule.h belongs to a separate library, articula_schedule.
#ifndef ARTICULA_H
#define ARTICULA_H

// clang-format off
#include "articula/base.h"
#include "articula/call.h"
#include "articula/model.h"
#include "articula/data.h"
#include "articula/parts.h"
#include "articula/study.h"
#include "articula/generate.h"
#include "articula/batch.h"
#include "articula/import.h"
#include "articula/road.h"
#include "articula/tyre.h"
#include "articula/user.h"
// clang-format on

#endif
