// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names and traits of the methods.
#include "model/methods.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define NAME(id, word, name, traits)   [id] = name,
#define TRAITS(id, word, name, traits) [id] = traits,
#define NUMBER(id, word, name, traits) id,
static const char *const names[MODEL_WAYS] = {MODEL_METHODS(NAME)};
static const int traits_of[MODEL_WAYS] = {MODEL_METHODS(TRAITS)};
static const int order[MODEL_WAYS] = {MODEL_METHODS(NUMBER)};


const char *model_way_name(int way)
{
  return way >= 0 && way < MODEL_WAYS ? names[way] : "unknown";
}


const char *art_method_name(artMethod method)
{
  return method >= 0 && method < ART_METHODS ? names[method] : "unknown";
}


int model_join_way(artMethod method, artBackend backend)
{
  const int is_generated = backend == ART_BACKEND_GENERATED || backend == ART_BACKEND_ASKED;
  return is_generated ? MODEL_GENERATED : (int) method;
}


void model_split_way(int way, artMethod *method, artBackend *backend)
{
  ART_ASSERT(way >= 0 && way < MODEL_WAYS);
  const int is_generated = way == MODEL_GENERATED;
  *method = is_generated ? ART_AUTOMATIC : (artMethod) way;
  *backend = is_generated ? ART_BACKEND_GENERATED : ART_BACKEND_NUMERIC;
}


int model_way(const artRunDef *run)
{
  return model_join_way(run->method, run->backend);
}


void model_set_way(artRunDef *run, int way)
{
  model_split_way(way, &run->method, &run->backend);
}


const char *art_run_method_name(const artRunDef *run)
{
  ART_REQUIRE_OR(run, "unknown");
  return model_way_name(model_way(run));
}


const char *art_run_integrator_name(const artRunDef *run)
{
  ART_REQUIRE_OR(run, "unknown");
  const int is_automatic = run->integrator == ART_INTEGRATOR_AUTOMATIC;
  return art_integrator_name(is_automatic ? ART_DOPRI5 : run->integrator);
}


int model_method_has(int way, int traits)
{
  return way >= 0 && way < MODEL_WAYS && (traits_of[way] & traits) != 0;
}


int art_method_is_natural(artMethod method)
{
  return model_method_has((int) method, METHOD_NATURAL);
}


artMethod model_method_for(int way, int has_loops)
{
  const int machine = has_loops ? METHOD_LOOPS : METHOD_TREES;
  const int is_own = way != ART_AUTOMATIC && way != MODEL_GENERATED;
  if (is_own && (has_loops || model_method_has(way, machine))) return (artMethod) way;
  for (int k = 0; k < MODEL_WAYS; k++) {
    const int traits = traits_of[order[k]];
    if ((traits & METHOD_USUAL) && (traits & machine)) return (artMethod) order[k];
  }
  return (artMethod) way;
}


int model_way_at(int k)
{
  return k >= 0 && k < MODEL_WAYS ? order[k] : MODEL_WAYS;
}


const char *model_method_list(int with, int without, const char *last,
                              char text[MODEL_METHODS_LENGTH])
{
  const char *name[MODEL_WAYS];
  int n = 0;
  for (int k = 1; k < MODEL_WAYS; k++) {
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
} trait_words[] = {{"trees", METHOD_TREES},           {"loops", METHOD_LOOPS},
                   {"usual", METHOD_USUAL},           {"natural", METHOD_NATURAL},
                   {"compiled", METHOD_COMPILED},     {"reduced", METHOD_REDUCED},
                   {"stabilised", METHOD_STABILISED}, {"damped", METHOD_DAMPED},
                   {"steered", METHOD_STEERED},       {"paced", METHOD_PACED}};

#define WORD(id, word, name, traits) [id] = #word,
static const char *const method_words[MODEL_WAYS] = {MODEL_METHODS(WORD)};


// the traits that words name, or the method; 0: neither
static int read_traits(const char *words, size_t length, int *way)
{
  int traits = 0;
  for (size_t begin = 0; begin < length;) {
    const size_t n = strcspn(words + begin, " }");
    int found = 0;
    for (size_t i = 0; i < sizeof trait_words / sizeof *trait_words; i++) {
      const char *word = trait_words[i].word;
      if (strlen(word) == n && strncmp(word, words + begin, n) == 0) found = trait_words[i].trait;
    }
    for (int k = 0; k < MODEL_WAYS; k++) {
      if (strlen(method_words[k]) != length || strncmp(method_words[k], words, length) != 0)
        continue;
      *way = k;
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
    int single = MODEL_WAYS;
    const int traits = length ? read_traits(text + 1, length, &single) : 0;
    if (!traits && single == MODEL_WAYS) {
      filled[used++] = *text++;
      filled[used] = '\0';
      continue;
    }
    const char *comma = "";
    for (int k = 0; k < MODEL_WAYS; k++) {
      const int is_meant = single != MODEL_WAYS ? order[k] == single
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
