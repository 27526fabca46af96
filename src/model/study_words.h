// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The choices of a study in words, as in model files and on the command line: the k-th word, NULL behind the last.
#ifndef MODEL_STUDY_WORDS_H
#define MODEL_STUDY_WORDS_H

const char *method_word(int k);
const char *backend_word(int k);
const char *integrator_word(int k);
const char *algebra_word(int k);
const char *redundant_word(int k);
const char *partition_word(int k);
const char *newton_word(int k);
const char *projections_word(int k);

// Names that other programs have for the k-th word of one of these lists (base/foreign.h), or NULL.
const char *word_called(const char *(*word)(int k), int k);

#endif
