// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The markup of pages and pictures: every tag without the values of its attributes. Markup that foreign text adds to
// a page shows as a tag that pages with harmless text do not have.
#ifndef FUZZ_MARKUP_H
#define FUZZ_MARKUP_H

// Keep the tags of a page as harmless.
void markup_learn(const char *path);

// REQUIREs that a page has no others.
void markup_check(const char *path);

#endif
