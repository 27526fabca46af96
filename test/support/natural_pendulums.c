// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pendulums in natural coordinates, built by hand.
#include "support/natural_pendulums.h"

#include <stddef.h>

const double double_pendulum_q[4] = {1, 0, 2, 0}, double_pendulum_v[4] = {0};
const double spherical_pendulum_q[6] = {1, 0, 0, 2, 0, 0};
const double spherical_pendulum_v[6] = {0, 0.5, 0, 0, 1, 0};


// (a q[i], b q[j], c q[k]); -1: no coordinate
static int add_form(naturalSystem *s, int i, double a, int j, double b, int k, double c)
{
  naturalTerm term[3] = {{i, a}, {j, b}, {k, c}};
  naturalComponent component[3];
  for (int x = 0; x < 3; x++) {
    component[x] = (naturalComponent){.n = term[x].q >= 0, .term = &term[x]};
  }
  return natural_add_form(s, component);
}


static int add_point(naturalSystem *s, int q)
{
  return add_form(s, q, 1, q + 1, 1, q + 2, 1);
}


static int add_difference(naturalSystem *s, int a, int b)
{
  return natural_add_sum(s, 2, (const int[]){a, b}, (const double[]){1, -1}, (v3){0});
}


// scale 1: x.y - constant
static void add_product(naturalSystem *s, const char *name, int x, int y, double constant)
{
  natural_add_row(s, &(naturalRow){.kind = NATURAL_PRODUCT,
                                   .name = name,
                                   .x = x,
                                   .y = y,
                                   .w = -1,
                                   .constant = constant,
                                   .scale = 1,
                                   .drive = -1});
}


naturalSystem *double_pendulum(void)
{
  naturalSystem *s = natural_begin();
  if (!s) return NULL;
  natural_add_coordinates(s, 4);
  const int r1 = add_form(s, 0, 1, 1, 1, -1, 0), r2 = add_form(s, 2, 1, 3, 1, -1, 0);
  const int d = add_difference(s, r2, r1);

  // (m/6) [2 1; 1 2] of each bar, the first one fixed at its other end
  natural_add_mass(s, 2.0 / 3, r1, r1);
  natural_add_mass(s, 1.0 / 6, r1, r2);
  natural_add_mass(s, 1.0 / 3, r2, r2);
  natural_add_weight(s, (v3){0, -9.81, 0}, r1);
  natural_add_weight(s, (v3){0, -9.81 / 2, 0}, r2);
  add_product(s, "body 'upper'", r1, r1, 1);
  add_product(s, "body 'lower'", d, d, 1);
  natural_finish(s);
  return s;
}


// r2 - 2 r1
static void add_line(naturalSystem *s)
{
  for (int k = 0; k < 3; k++) {
    naturalTerm linear[2] = {{k, -2}, {3 + k, 1}};
    natural_add_row(s, &(naturalRow){.kind = NATURAL_PRODUCT,
                                     .name = "joint 'line'",
                                     .x = -1,
                                     .y = -1,
                                     .w = -1,
                                     .nlinear = 2,
                                     .linear = linear,
                                     .scale = 1,
                                     .drive = -1});
  }
}


// r1 x r2: (y1, -z1) . (z2, y2) and so on
static void add_cross_product(naturalSystem *s)
{
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const int a = add_form(s, i, 1, j, -1, -1, 0), b = add_form(s, 3 + j, 1, 3 + i, 1, -1, 0);
    add_product(s, "joint 'line'", a, b, 0);
  }
}


naturalSystem *spherical_pendulum(int with_cross_product)
{
  naturalSystem *s = natural_begin();
  if (!s) return NULL;
  natural_add_coordinates(s, 6);
  const int r1 = add_point(s, 0), r2 = add_point(s, 3);
  natural_add_mass(s, 1, r1, r1);
  natural_add_mass(s, 1, r2, r2);
  natural_add_weight(s, (v3){0, 0, -9.81}, r1);
  natural_add_weight(s, (v3){0, 0, -9.81}, r2);
  add_product(s, "body 'upper'", r1, r1, 1);
  if (with_cross_product) {
    const int d = add_difference(s, r2, r1);
    add_product(s, "body 'lower'", d, d, 1);
    add_cross_product(s);
  } else {
    add_line(s);
  }
  natural_finish(s);
  return s;
}
