// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Words of other programs (URDF, MJCF, SDF, Adams, Modelica, textbooks), for suggestions.
#ifndef BASE_VOCABULARY_H
#define BASE_VOCABULARY_H

// A name of ours, or advice, in a context such as "joint" (whose keys are searched) or "joint
// type"; and the words of other programs for it: lower case, without '-' and '_', separated by
// spaces.
typedef struct vocabularyWords {
  const char *context;
  const char *ours;
  const char *words;
} vocabularyWords;

// Does the word mean our name `ours`, by the lists here or by `words` (may be NULL)? Ignores case,
// '-', '_' and spaces. The context may be NULL.
int vocabulary_means(const char *context, const char *word, const char *ours, const char *words);

// Advice if no single name of ours corresponds to the word, or NULL; from the list here, or from
// another list whose last entry has no context.
const char *vocabulary_advice(const char *context, const char *word);
const char *vocabulary_find_advice(const vocabularyWords *list, const char *context,
                                   const char *word);

#endif
