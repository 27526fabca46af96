// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bodies of one kind, which have one colour: the legs of a platform, the four corners of a car.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "show/scene_shape.h"

enum { STEM = 64 };


// "fl/arm2" and "fr/arm1" are arms, "tie_rl" is a tie
static void stem_of(const char *name, char stem[STEM])
{
  static const char *const SIDES[] = {"_fl", "_fr", "_rl", "_rr", "_l", "_r", "_left", "_right"};
  const char *slash = strrchr(name, '/');
  int n = 0;
  for (const char *c = slash ? slash + 1 : name; *c && n < STEM - 1; c++) {
    if (!isdigit((unsigned char) *c)) stem[n++] = *c;
  }
  stem[n] = '\0';
  for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++) {
    const int m = (int) strlen(SIDES[i]);
    if (n > m && strcmp(stem + n - m, SIDES[i]) == 0) {
      stem[n - m] = '\0';
      return;
    }
  }
}


// the links of a chain are alike as well, but hang on one another: what carries them is of one kind, too
static bool is_alike(const ioScene *scene, const int *kind, int i, int j)
{
  const sceneBody *a = &scene->body[i], *b = &scene->body[j];
  if (a->is_rod != b->is_rod || !(fabs(a->mass - b->mass) <= 1e-6 * fabs(a->mass))) return false;
  if ((a->parent < 0 ? -1 : kind[a->parent]) != (b->parent < 0 ? -1 : kind[b->parent]))
    return false;
  char stem[2][STEM];
  stem_of(a->name, stem[0]);
  stem_of(b->name, stem[1]);
  return strcmp(stem[0], stem[1]) == 0;
}


void shape_find_kinds(const ioScene *scene, int *kind)
{
  enum { LOOK_BACK = 200 }; // bodies; those of one kind are near each other in a file
  for (int i = 0; i < scene->nbody; i++) kind[i] = i;
  // a parent may stand behind its children: twice is enough for what is two bodies deep that way
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < scene->nbody; i++) {
      for (int j = i > LOOK_BACK ? i - LOOK_BACK : 0; j < i && kind[i] == i; j++) {
        if (is_alike(scene, kind, i, j)) kind[i] = kind[j];
      }
    }
  }
}
