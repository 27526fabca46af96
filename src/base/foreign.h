// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Words of other programs (URDF, MJCF, SDF, Adams, Modelica, textbooks), for suggestions.
#ifndef BASE_FOREIGN_H
#define BASE_FOREIGN_H

// Does the word stand for our name `ours` in a context such as "joint", whose keys it is sought
// among, or "joint type"? Capitals, '-', '_' and spaces do not count. The context may be NULL.
int foreign_means(const char *context, const char *word, const char *ours);

// Advice where no single name of ours stands for the word, or NULL.
const char *foreign_advice(const char *context, const char *word);

#endif
