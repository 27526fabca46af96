// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names that an included file leaves to the file that includes it: the machine is the one that is written
// out. Refused files are test/models/bad/names-*.yaml.
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/controls.h"
#include "support/keep.h"

#define MACHINE                                                                                    \
  "articula: 1\n"                                                                                  \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2], points: {tip: [1, 0, 0]}}\n"       \
  "  cart: {mass: 3, inertia: [0.1, 0.1, 0.1]}\n"                                                  \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm}\n"                                      \
  "  b/slide: {type: prismatic, axis: x, from: ground, to: cart}\n"

#define OUTER(names) MACHINE "include: [{file: part/named.yaml, prefix: a, names: {" names "}}]\n"

#define INNER                                                                                      \
  "bodies:\n"                                                                                      \
  "  arm: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2], points: {tip: [1, 0, 0]}}\n"       \
  "  cart: {mass: 3, inertia: [0.1, 0.1, 0.1]}\n"                                                  \
  "  a/weight: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"                         \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm}\n"                                      \
  "  b/slide: {type: prismatic, axis: x, from: ground, to: cart}\n"                                \
  "  a/swing: {type: revolute, axis: z, from: arm.tip, to: a/weight}\n"                            \
  "curves:\n"                                                                                      \
  "  grow: {table: [[0, 0], [1, 1], [2, 3]]}\n"                                                    \
  "forces:\n"                                                                                      \
  "  a/spring: {type: joint-spring, coordinate: pin, stiffness: 5}\n"                              \
  "  a/twist: {type: joint-force, coordinates: {pin: 2, b/slide: -1},\n"                           \
  "            value: \"= 3*sin(arm.tip.vx) - 'b/slide'.rate + grow(pin.angle)\"}\n"               \
  "  a/push: {type: force, point: arm.tip, value: [= pin.rate, \"= 'b/slide'.rate\", 0]}\n"        \
  "initial: {pin: {rate: 1.5}}\n"                                                                  \
  "outputs: [arm.tip.x, pin.angle]\n"


static artModel *load(const char *text)
{
  return keep_text_at(text, ART_SOURCE_DIR "/test/models/memory.yaml");
}


// Without quotes: a slash after an unknown name leads into an included file, one after a known name divides.
TEST(parts_of_included_files_need_no_quotes_in_formulas)
{
  artModel *m = load(MACHINE "parameters: {g: 3}\n"
                             "outputs: {plain: b/slide.slide, twice: = 2*b/slide.slide,\n"
                             "  over: = g/b/slide.slide, circle: = pi/b/slide.slide}\n");
  artData *d = keep_fresh_data(m);
  if (!d) return;
  d->q[1] = 0.25;
  art_update(m, d);
  static const double want[] = {0.25, 0.5, 12, 12.566370614359172};
  double found[4];
  art_outputs(m, d, found);
  CHECK_NEAR(found, want, 4, 1e-15);
}


TEST(named_parts_are_those_written_out)
{
  artModel *whole = load("articula: 1\n" INNER);
  artModel *parts = load(OUTER("hinge: pin, plate: arm, side: b"));
  artData *d = keep_fresh_data(whole), *e = keep_fresh_data(parts);
  if (d && e && CHECK_EQ_INT(art_count(parts).nv, 3)) {
    CHECK_NEAR(e->v, d->v, 3, 0);
    for (int i = 0; i < 3; i++) {
      CHECK_TEXT(art_velocity_name(parts, i), art_velocity_name(whole, i));
      e->q[i] = d->q[i] = 0.3 + i;
      e->v[i] = d->v[i] = 0.7 - i;
    }
    art_update(whole, d);
    art_update(parts, e);
    CHECK_EQ_INT(art_accelerate(whole, d, ART_AUTOMATIC, NULL), ART_OK);
    CHECK_EQ_INT(art_accelerate(parts, e, ART_AUTOMATIC, NULL), ART_OK);
    CHECK_NEAR(e->a, d->a, 3, 1e-14);
    for (int i = 0; i < 2; i++) {
      CHECK_TEXT(art_output_name(parts, i), art_output_name(whole, i));
    }
  }
}
