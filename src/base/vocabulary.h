// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Words of other programs (URDF, MJCF, SDF, Adams, Modelica, textbooks), for suggestions.
#ifndef BASE_VOCABULARY_H
#define BASE_VOCABULARY_H

// A name of ours, or an advice, in a context such as "joint", whose keys a word is sought among, or "joint type"; and the
// words of others for it: in lower case, without '-', '_' and spaces, a space between words.
typedef struct vocabularyWords {
  const char *context;
  const char *ours;
  const char *words;
} vocabularyWords;

// Does the word stand for our name `ours`, by the lists here or by `words` (may be NULL)? Capitals, '-', '_' and spaces do
// not count. The context may be NULL.
int vocabulary_means(const char *context, const char *word, const char *ours, const char *words);

// Advice where no single name of ours stands for the word, or NULL; by the list here, or by another one that ends with
// a line without a context.
const char *vocabulary_advice(const char *context, const char *word);
const char *vocabulary_find_advice(const vocabularyWords *list, const char *context,
                                   const char *word);

#endif
