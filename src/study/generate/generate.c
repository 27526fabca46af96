// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of motion for host programs: written to files, or compiled and loaded.
#include "articula/generate.h"

#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "data/work.h"
#include "emit/emit.h"
#include "load/code.h"
#include "study/generate/cheapest.h"

_Static_assert((int) ART_FORM_ACCELERATE == (int) GEN_ACCELERATE &&
                   (int) ART_FORM_POWER == (int) GEN_POWER &&
                   (int) ART_FORM_MACHINE_INVERSE == (int) GEN_MACHINE_INVERSE &&
                   (int) ART_FORM_IMPLICIT == (int) GEN_IMPLICIT &&
                   (int) ART_FORM_OUTPUTS == (int) GEN_OUTPUTS &&
                   (int) ART_FORM_CONSTRAINTS == (int) GEN_CONSTRAINTS,
               "forms are the same bits inside and outside");
_Static_assert((int) ART_LANGUAGES == (int) EMIT_LANGUAGES, "languages are the same");

//---- writing -------------------------------------------------------------------------------------

const char *art_language_name(artLanguage language)
{
  return (unsigned) language < ART_LANGUAGES ? emit_language_name((emitLanguage) language)
                                             : "unknown";
}


const char *art_language_ending(artLanguage language)
{
  return (unsigned) language < ART_LANGUAGES ? emit_file_ending((emitLanguage) language) : "";
}


artGenerateDef art_default_generate(void)
{
  return (artGenerateDef){0};
}


static artStatus check_generate_names(const char *key, int n, const char *const *names,
                                      artError *error)
{
  int i = 0;
  while (i < n && names && names[i]) i++;
  if (i == n) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' has the length %d and lacks names",
                   key, n);
}


static artStatus check_generate_def(const artGenerateDef *def, artError *error)
{
  const unsigned all = 2 * ART_FORM_IMPLICIT - 1;
  if (def->forms & ~all) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the forms %#x have bits outside of artForm, which ends at %#x", def->forms,
                     all);
  }
  if ((unsigned) def->scheme >= ART_SCHEMES) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "scheme number %d does not exist",
                     (int) def->scheme);
  }
  artStatus status = check_generate_names("freeze", def->nfreeze, def->freeze, error);
  if (!status) status = check_generate_names("sensitive", def->nsensitive, def->sensitive, error);
  if (!status) status = check_generate_names("actuator", def->nactuator, def->actuator, error);
  for (int i = 0; !status && def->weight && i < def->nactuator; i++) {
    if (isfinite(def->weight[i]) && def->weight[i] > 0) continue;
    status = base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "the weight of actuator '%.60s' is %g, a positive number is wanted",
                       def->actuator[i], def->weight[i]);
  }
  return status;
}


// without forms and parameters all of it is ours to choose
static artStatus choose_form(eqnProgram **out, const artModel *m, const artData *d,
                             genOptions *options, artError *error)
{
  cheapestForm *form = mem_alloc(1, sizeof *form);
  if (!form) return base_no_memory(error);
  const cheapestAsk ask = {.independent = options->independent};
  artStatus status = cheapest_find(form, m, d, options, &ask, error);
  if (status == ART_OK) {
    options->parameters = form->parameters;
    options->forward = form->forward;
    if (m->nrow > 0) options->independent = NULL; // the data has them
    status = gen_create(out, m, form->data, options, error);
  }
  cheapest_free(form);
  mem_free(form);
  return status;
}


// the program of a definition; the data holds a consistent state
static artStatus create_program(eqnProgram **out, const artModel *m, artData *d,
                                const artGenerateDef *def, artError *error)
{
  const artStatus status = check_generate_def(def, error);
  if (status != ART_OK) return status;
  genOptions options = {.forms = def->forms ? def->forms : ART_FORM_ACCELERATE,
                        .parameters = def->barycentric ? GEN_BARYCENTRIC : GEN_CLASSICAL,
                        .freeze_all = def->freeze_all,
                        .nfreeze = def->nfreeze,
                        .freeze = def->freeze,
                        .share = def->share,
                        .relays = 1,
                        .scheme = (genScheme) def->scheme,
                        .cholesky = def->cholesky,
                        .tangents = def->tangents,
                        .nsensitive = def->nsensitive,
                        .sensitive = def->sensitive,
                        .nactuator = def->nactuator,
                        .actuator = def->actuator,
                        .weight = def->weight,
                        .independent = def->independent};
  options.frozen = mem_alloc((size_t) def->nfreeze + 1, 1);
  if (!options.frozen) return base_no_memory(error);
  const int is_ours = !def->forms && !def->barycentric;
  artStatus made =
      is_ours ? choose_form(out, m, d, &options, error) : gen_create(out, m, d, &options, error);
  if (made == ART_OK) made = gen_check_frozen(*out, &options, error);
  if (made == ART_OK && !gen_drop_unread(1, out)) made = base_no_memory(error);
  mem_free(options.frozen);
  return made;
}


static artStatus write_generated_file(const artModel *m, artData *d, const artGenerateDef *def,
                                      const char *path, int is_header, artError *error)
{
  eqnProgram *program = NULL;
  baseFile file;
  if ((unsigned) def->language >= ART_LANGUAGES) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "language number %d does not exist",
                     (int) def->language);
  }
  if (def->lanes != 0 && (def->language != ART_C || !emit_is_lanes(def->lanes))) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "lanes are %d, expected 2, 4, 8 or -1, in C", def->lanes);
  }
  if (def->lanes != 0 && def->readable) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "readable source is for one instance; leave lanes or readable out");
  }
  if (def->lanes != 0 && def->share) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "lanes have parameters of their own each, which are not shared");
  }
  artStatus status = create_program(&program, m, d, def, error);
  if (status == ART_OK) status = file_begin(&file, path, error);
  if (status == ART_OK) {
    const emitOptions options = {
        .equations.readable = def->readable, .header = def->header, .lanes = def->lanes};
    status = is_header ? emit_c_header(file.stream, program, &options, error)
                       : emit_program(file.stream, program, (emitLanguage) def->language, &options,
                                      error);
    status = file_end(&file, status, error);
  }
  gen_free(program);
  return status;
}


artStatus art_write_source(const artModel *m, artData *d, const artGenerateDef *def,
                           const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(def && path, error);
  return write_generated_file(m, d, def, path, 0, error);
}


artStatus art_write_header(const artModel *m, artData *d, const artGenerateDef *def,
                           const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(def && path, error);
  return write_generated_file(m, d, def, path, 1, error);
}


artStatus art_load_generated(artGenerated **out, const artModel *m, artData *d,
                             const artGenerateDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(def, error);
  eqnProgram *program = NULL;
  artStatus status = create_program(&program, m, d, def, error);
  if (status == ART_OK) status = load_program(out, m, program, 1, NULL, error);
  gen_free(program);
  return status;
}
