// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Refusals and help of products, read from their table.
#include "product.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"


int generate_language_of_file(const cliCall *call)
{
  struct stat about;
  const char *where = call->directory;
  if (!where || (stat(where, &about) == 0 && S_ISDIR(about.st_mode))) return -1;
  int k = 0;
  while (k <= EMIT_CUDA && !file_has_ending(where, emit_file_ending((emitLanguage) k))) k++;
  return k <= EMIT_CUDA ? k : -1;
}


emitLanguage generate_language(const cliCall *call)
{
  const int k = call->language < 0 ? generate_language_of_file(call) : call->language;
  return k < 0 ? EMIT_C : (emitLanguage) k;
}


enum { WORD_FUNCTIONS, WORD_SIMULATOR, WORD_MACHINE, WORD_SFUNCTION };

const char *product_word(int k)
{
  static const char *const words[] = {[WORD_FUNCTIONS] = "functions",
                                      [WORD_SIMULATOR] = "simulator",
                                      [WORD_MACHINE] = "machine",
                                      [WORD_SFUNCTION] = "sfunction",
                                      NULL};
  return words[k];
}


bool product_has_interface(const cliCall *call)
{
  const cliProduct product = product_of(call);
  return product == PRODUCT_MACHINE || product == PRODUCT_FMU;
}


cliProduct product_of(const cliCall *call)
{
  if (call->fmu) return PRODUCT_FMU;
  if (call->live) return PRODUCT_LIVE;
  if (call->urdf) return PRODUCT_URDF;
  if (call->glb) return PRODUCT_GLB;
  if (call->png) return PRODUCT_PNG;
  if (call->product == WORD_SFUNCTION) return PRODUCT_SFUNCTION;
  if (generate_language(call) == EMIT_CUDA) return PRODUCT_CUDA;
  if (call->product == WORD_MACHINE) return PRODUCT_MACHINE;
  if (call->product == WORD_SIMULATOR) return call->parallel ? PRODUCT_WORKERS : PRODUCT_SIMULATOR;
  if (call->lanes) return PRODUCT_LANES;
  return call->parallel ? PRODUCT_TASKS : PRODUCT_FUNCTIONS;
}


// "c, matlab or java" of languages by bits
static void name_languages(unsigned languages, char text[100])
{
  size_t used = 0;
  text[0] = 0;
  for (int k = 0; k < EMIT_ALL_LANGUAGES; k++) {
    if (!(languages >> k & 1)) continue;
    const char *join = used == 0 ? "" : languages >> (k + 1) ? ", " : " or ";
    used += (size_t) snprintf(text + used, 100 - used, "%s%s", join,
                              emit_language_name((emitLanguage) k));
  }
}


void product_check(const cliCall *call)
{
  const cliProduct product = product_of(call);
  const bool is_export = product >= PRODUCT_FIRST_EXPORT;
  const emitLanguage language = is_export ? EMIT_C : generate_language(call);
  const productKind *kind = &product_kinds[product];
  char names[100];
  if (!(kind->languages >> language & 1)) {
    name_languages(kind->languages, names);
    cli_leave("%s takes no --language %s: it is written in %s; choose another --language, or leave "
              "it out",
              kind->text, emit_language_name(language), names);
  }
  for (const productOption *o = product_options; o->name; o++) {
    const bool is_taken = o->products >> product & 1;
    const bool is_in_language = o->languages == 0 || o->languages >> language & 1;
    if ((is_taken && is_in_language) || !cli_is_given(call, o->name)) continue;
    name_languages(is_taken ? o->languages : 1u << language, names);
    if (is_taken)
      cli_leave("%s takes --%s in %s alone; leave --%s out", kind->text, o->name, names, o->name);
    cli_leave("%s takes no --%s%s%s; %s%s%s", kind->text, o->name,
              o->reason || kind->nature[0] ? ": " : "", o->reason ? o->reason : kind->nature,
              o->advice ? o->advice : "leave --", o->advice ? "" : o->name,
              o->advice ? "" : " out");
  }
}


void product_check_forms(const cliCall *call, unsigned forms)
{
  for (const productNeed *n = product_needs; n->name; n++) {
    if (forms & n->forms || (n->option && cli_is_given(call, n->option))) continue;
    if (cli_is_given(call, n->name)) cli_leave("--%s %s", n->name, n->reason);
  }
}


static bool verb_takes(const cliVerb *verb, const char *name)
{
  const cliOption *option;
  for (int i = 0; (option = cli_option_at(verb, i)) != NULL; i++) {
    if (strcmp(option->name, name) == 0) return true;
  }
  return false;
}


void product_print_help(FILE *out, const cliVerb *verb)
{
  const bool is_export = verb->work == verb_export;
  if (verb->work != verb_generate && !is_export) return;
  const int first = is_export ? PRODUCT_FIRST_EXPORT : 0;
  const int end = is_export ? PRODUCTS : PRODUCT_FIRST_EXPORT;
  const unsigned all = (1u << end) - (1u << first);
  fprintf(out, "\n%soptions that only some products take%s\n  %-14s", cli_bold(out), cli_plain(out),
          "");
  for (int k = first; k < end; k++)
    fprintf(out, " %-*s", k + 1 < end ? 9 : 0, product_kinds[k].name);
  fputc('\n', out);
  for (const productOption *o = product_options; o->name; o++) {
    if (!verb_takes(verb, o->name) || (o->products & all) == all) continue;
    fprintf(out, "  --%-12s", o->name);
    for (int k = first; k < end; k++) {
      const bool is_taken = o->products >> k & 1;
      const bool is_everywhere = o->languages == 0 || !(product_kinds[k].languages & ~o->languages);
      fprintf(out, " %-*s", k + 1 < end ? 9 : 0, !is_taken ? "-" : is_everywhere ? "x" : "in c");
    }
    fputc('\n', out);
  }
}
