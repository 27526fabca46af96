// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a formula and as a quantity. Formulas must evaluate within the
// stack it asked for, and values, jets and switches must agree.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NSLOT = 4 };

#define REQUIRE(x)                                                                                 \
  do {                                                                                             \
    if (!(x)) abort();                                                                             \
  } while (0)


static int find(void *context, const char *reference, artPlace place, formulaSymbol *found)
{
  static const struct {
    const char *name;
    formulaSymbol symbol;
  } names[] = {
      {"L", {.is_constant = 1, .value = 2, .dimension = {0, 1, 0, 0}}},
      {"k", {.is_constant = 1, .value = -0.7, .dimension = {0, 0, 0, 1}}},
      {"t", {.slot = 0, .dimension = {0, 0, 1, 0}}},
      {"x", {.slot = 1, .dimension = {0, 0, 0, 1}}},
      {"y", {.slot = 2, .dimension = {0, 1, 0, 0}}},
      {"a.b", {.slot = 3, .dimension = {0, 0, 0, 0}}},
  };
  (void) context;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(reference, names[i].name) != 0) continue;
    *found = names[i].symbol;
    return 1;
  }
  if (reference[0] == 'q') error_refuse(place, "no q");
  return 0;
}


static void list(void *context, baseNearest *nearest)
{
  (void) context;
  base_consider(nearest, "a.b");
}


static int same(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}


static void evaluate(const formula *f, double x)
{
  const double slots[NSLOT] = {0.3, x, -1.5, 0.9};
  const formulaJet jets[NSLOT] = {{0.3, 1, 0}, {x, 0.5, -2}, {-1.5, 0, 0}, {0.9, -1, 3}};

  // blocks of exactly the size asked for
  const size_t nswitch = (size_t) f->nswitch, depth = (size_t) f->depth;
  double *stack = malloc(depth * sizeof *stack), *g = malloc(nswitch * sizeof *g);
  formulaJet *jet_stack = malloc(depth * sizeof *jet_stack);
  int *branch = calloc(nswitch + 1, sizeof *branch); // a hysteresis keeps its branch

  formula_set_branches(f, slots, branch, stack);
  formula_switches(f, slots, branch, g, stack);
  for (int i = 0; i < f->nswitch; i++) REQUIRE(g[i] >= 0);
  REQUIRE(same(formula_value(f, slots, branch, stack), formula_jet(f, jets, branch, jet_stack).x));

  for (int i = 0; i < f->nswitch; i++) formula_switch_mode(f, i, branch);
  formula_switches(f, slots, branch, g, stack);
  REQUIRE(same(formula_value(f, slots, branch, stack), formula_jet(f, jets, branch, jet_stack).x));

  free(stack);
  free(g);
  free(jet_stack);
  free(branch);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const artPlace place = {"fuzz", 1, 1};
  const formulaScope scope = {.find = find, .list = list};
  baseArena arena = {0};
  artError error = {0};
  formula *f = NULL;
  double value = 0;

  char *text = malloc(size + 1);
  if (size) memcpy(text, data, size);
  text[size] = '\0';

  const artStatus status = formula_parse(&f, &arena, text, place, &scope, UNIT_ANY, &error);
  REQUIRE((status == ART_OK) == (f != NULL));
  REQUIRE((status == ART_OK) == (error.text[0] == '\0'));
  if (f && formula_is_constant(f)) REQUIRE(isfinite(formula_constant(f)));
  if (f) evaluate(f, 0), evaluate(f, -2.25), evaluate(f, 1e10);

  error = (artError){0};
  if (unit_parse_quantity(&value, NULL, text, place, UNIT_ANY, &error) == ART_OK) {
    REQUIRE(isfinite(value));
  } else {
    REQUIRE(error.text[0] != '\0');
  }

  free(text);
  arena_free(&arena);
  return 0;
}
