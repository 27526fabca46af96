// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The markup of pages and pictures.
#include "markup.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"

enum { MAX_TAGS = 4000, TAG_LENGTH = 240 };

static char known[MAX_TAGS][TAG_LENGTH];
static int nknown;


// "<a href= class=>" of the tag at c; returns the character behind it
static const char *take_tag(const char *c, char tag[TAG_LENGTH])
{
  size_t n = 0;
  char quote = 0;
  for (; *c; c++) {
    if (quote) {
      if (*c == quote) quote = 0;
      continue;
    }
    if (n + 1 < TAG_LENGTH) tag[n++] = *c;
    if (*c == '>') break;
    if (*c == '"' || *c == '\'') quote = *c;
  }
  tag[n] = '\0';
  return *c ? c + 1 : c;
}


static int is_known(const char *tag)
{
  for (int i = 0; i < nknown; i++) {
    if (strcmp(known[i], tag) == 0) return 1;
  }
  return 0;
}


static void visit(const char *path, int is_harmless)
{
  size_t size;
  char *text = fuzz_read(path, &size), tag[TAG_LENGTH];
  REQUIRE(strlen(text) == size);
  for (const char *c = text; (c = strchr(c, '<'));) {
    c = take_tag(c, tag);
    if (is_known(tag)) continue;
    if (!is_harmless) fprintf(stderr, "%s: %s\n", path, tag);
    REQUIRE(is_harmless && nknown < MAX_TAGS);
    memcpy(known[nknown++], tag, sizeof tag);
  }
  free(text);
}


void markup_learn(const char *path)
{
  visit(path, 1);
}


void markup_check(const char *path)
{
  visit(path, 0);
}
