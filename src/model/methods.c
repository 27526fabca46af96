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


//---- names in texts ------------------------------------------------------------------------------

static const struct {
  const char *word;
  int trait;
} trait_words[] = {
    {"trees", METHOD_TREES},           {"loops", METHOD_LOOPS},       {"usual", METHOD_USUAL},
    {"natural", METHOD_NATURAL},       {"compiled", METHOD_COMPILED}, {"reduced", METHOD_REDUCED},
    {"stabilised", METHOD_STABILISED}, {"damped", METHOD_DAMPED},     {"steered", METHOD_STEERED}};

#define WORD(ID, word, name, traits) [ART_##ID] = #word,
static const char *const method_words[ART_METHODS] = {MODEL_METHODS(WORD)};


// the traits that words name, or the method; 0: neither
static int read_traits(const char *words, size_t length, artMethod *method)
{
  int traits = 0;
  for (size_t begin = 0; begin < length;) {
    const size_t n = strcspn(words + begin, " }");
    int found = 0;
    for (size_t i = 0; i < sizeof trait_words / sizeof *trait_words; i++) {
      const char *word = trait_words[i].word;
      if (strlen(word) == n && strncmp(word, words + begin, n) == 0) found = trait_words[i].trait;
    }
    for (int k = 0; k < ART_METHODS; k++) {
      if (strlen(method_words[k]) != length || strncmp(method_words[k], words, length) != 0)
        continue;
      *method = (artMethod) k;
    }
    if (!found) return 0;
    traits |= found;
    begin += n + 1;
  }
  return traits;
}


const char *model_method_text(const char *text, char filled[MODEL_TEXT_LENGTH])
{
  size_t used = 0;
  filled[0] = '\0';
  while (*text && used < MODEL_TEXT_LENGTH - 1) {
    const size_t length = *text == '{' ? strcspn(text + 1, "}") : 0;
    artMethod single = ART_METHODS;
    const int traits = length ? read_traits(text + 1, length, &single) : 0;
    if (!traits && single == ART_METHODS) {
      filled[used++] = *text++;
      filled[used] = '\0';
      continue;
    }
    const char *comma = "";
    for (int k = 0; k < ART_METHODS; k++) {
      const int is_meant = single != ART_METHODS
                               ? order[k] == single
                               : k > 0 && (traits_of[order[k]] & traits) == traits;
      if (!is_meant) continue;
      used += (size_t) snprintf(filled + used, MODEL_TEXT_LENGTH - used, "%s`%s`", comma,
                                names[order[k]]);
      comma = ", ";
    }
    text += length + 2;
  }
  return filled;
}
