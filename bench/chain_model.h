// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The chain of the benchmarks as a model of Articula.
#ifndef BENCH_CHAIN_MODEL_H
#define BENCH_CHAIN_MODEL_H

#include "articula/articula.h"
#include "chain.h"

// Build and compile the chain. Returns NULL, with the reason in error, when it cannot be made.
artModel *chain_model(const benchChain *chain, artError *error);

#endif
