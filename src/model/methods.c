// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names and traits of the methods.
#include "model/methods.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define NAME(ID, word, name, traits)   [ART_##ID] = name,
#define TRAITS(ID, word, name, traits) [ART_##ID] = traits,
#define NUMBER(ID, word, name, traits) ART_##ID,
static const char *const names[ART_METHODS] = {MODEL_METHODS(NAME)};
static const int traits_of[ART_METHODS] = {MODEL_METHODS(TRAITS)};
static const artMethod order[ART_METHODS] = {MODEL_METHODS(NUMBER)};


const char *art_method_name(artMethod method)
{
  return method >= 0 && method < ART_METHODS ? names[method] : "unknown";
}


int model_method_has(artMethod method, int traits)
{
  return method >= 0 && method < ART_METHODS && (traits_of[method] & traits) != 0;
}


int art_method_is_natural(artMethod method)
{
  return model_method_has(method, METHOD_NATURAL);
}


int art_method_reads(artMethod method, const char *key)
{
  static const struct {
    const char *key;
    int traits;
  } keys[] = {{"alpha", METHOD_STABILISED},       {"beta", METHOD_STABILISED},
              {"projections", METHOD_PROJECTS},   {"penalty", METHOD_NATURAL},
              {"spectral_radius", METHOD_DAMPED}, {"hht", METHOD_DAMPED},
              {"energy_upper", METHOD_STEERED},   {"energy_lower", METHOD_STEERED},
              {"partition", METHOD_PARTITION},    {"independent", METHOD_PARTITION},
              {"redundant", METHOD_REDUCED}};
  ART_REQUIRE_OR(key, 0);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(keys[i].key, key) == 0) return model_method_has(method, keys[i].traits);
  }
  return 1;
}


artMethod model_method_for(artMethod method, int has_loops)
{
  const int machine = has_loops ? METHOD_LOOPS : METHOD_TREES;
  const int is_own = method != ART_AUTOMATIC && !model_method_has(method, METHOD_COMPILED);
  if (is_own && (has_loops || model_method_has(method, machine))) return method;
  for (int k = 0; k < ART_METHODS; k++) {
    const int traits = traits_of[order[k]];
    if ((traits & METHOD_USUAL) && (traits & machine)) return order[k];
  }
  return method;
}


artMethod model_method_at(int k)
{
  return k >= 0 && k < ART_METHODS ? order[k] : ART_METHODS;
}


const char *model_method_list(int with, int without, const char *last,
                              char text[MODEL_METHODS_LENGTH])
{
  const char *name[ART_METHODS];
  int n = 0;
  for (int k = 1; k < ART_METHODS; k++) {
    const int traits = traits_of[order[k]];
    if ((traits & with) == with && !(traits & without)) name[n++] = names[order[k]];
  }
  text[0] = '\0';
  for (int k = 0; k < n; k++) {
    const size_t length = strlen(text);
    char before[16] = "";
    if (k > 0 && k < n - 1) snprintf(before, sizeof before, ", ");
    if (k > 0 && k == n - 1) snprintf(before, sizeof before, " %s ", last);
    snprintf(text + length, MODEL_METHODS_LENGTH - length, "%s%s", before, name[k]);
  }
  return text;
}
