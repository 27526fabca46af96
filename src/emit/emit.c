// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs in any language: lists of equations are made, names are found, a writer is called.
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/plain.h"
#include "emit/emit.h"
#include "emit/file_job.h"

//---- names of the user's functions ---------------------------------------------------------------

// letters, digits and underscores, not longer than Fortran allows, the same in no two cases
const char *const *emit_external_names(const eqnProgram *p, baseArena *arena)
{
  enum { LONGEST = 50 };
  const char **names = arena_alloc(arena, (size_t) p->nexternal + 1, sizeof *names);
  for (int i = 0; names && i < p->nexternal; i++) {
    const char *name = p->external[i].name;
    char *word = arena_text_n(arena, name, strnlen(name, LONGEST));
    for (char *c = word; c && *c; c++) {
      if ((unsigned char) *c >= 128 || !ascii_is_word((unsigned char) *c)) *c = '_';
    }
    names[i] = word ? arena_format(arena, "user_%s", word) : NULL;
    for (int k = 0, n = 1; names[i] && k < i; k++) {
      if (ascii_compare(names[k], names[i]) != 0) continue;
      names[i] = arena_format(arena, "user_%s_%d", word, ++n);
      k = -1;
    }
    if (!names[i]) return NULL;
  }
  return names;
}


//---- jobs ----------------------------------------------------------------------------------------

// branches alike are in loops where nothing else tells the order of equations
static eqnOptions passes_of(const emitOptions *options, emitShape shape)
{
  const unsigned loops = 1u << PASS_ALIKE;
  eqnOptions passes = options->equations;
  if (passes.passes == 0) passes.passes = eqn_default_options().passes | loops;
  if (shape != EMIT_LOOPS || options->lanes || passes.readable) passes.passes &= ~loops;
  return passes;
}


// no language has a word for a number that is not finite
static artStatus check_values(const eqnProgram *p, artError *error)
{
  for (int i = 0; i < p->parameter.n; i++) {
    if (isfinite(p->value[i])) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s%sparameter '%s' of the equations is %g: masses and lengths of the model "
                     "are too large together",
                     p->remark && p->remark[i] ? p->remark[i] : "",
                     p->remark && p->remark[i] ? ": " : "",
                     p->parameter.label ? p->parameter.label[i] : p->parameter.name, p->value[i]);
  }
  return ART_OK;
}


eqnList *emit_list(const eqnProgram *p, int function, const emitOptions *options, emitShape shape)
{
  ART_ASSERT(function >= 0 && function < p->nfunction);
  const eqnOptions passes = passes_of(options, shape);
  return eqn_list_create(p, &p->function[function], &passes);
}


// A long function of parts that are much alike is in loops over statements; its equations keep their order then.
// Returns 0 when memory ran out.
static int roll_list(const emitJob *job, eqnOptions passes, int i, eqnList **list, char *is_rolled)
{
  enum { SHORTEST = 3000 };
  const unsigned loops = 1u << PASS_ALIKE;
  int statements = list[i]->n;
  for (int k = 0; k < list[i]->function->noutput; k++) {
    statements += list[i]->function->output[k].n;
  }
  if (!(passes.passes & loops) || statements < SHORTEST) return 1;
  passes.passes &= ~loops;
  eqnList *plain = list[i]->nset > 0
                       ? eqn_list_create(job->program, &job->program->function[i], &passes)
                       : list[i];
  if (!plain) return 0;
  is_rolled[i] = (char) job_pays_to_roll(job, plain);
  if (plain == list[i]) return 1;
  eqn_list_free(is_rolled[i] ? list[i] : plain);
  if (is_rolled[i]) list[i] = plain;
  return 1;
}


artStatus job_open(emitJob *job, FILE *out, const eqnProgram *p, const emitOptions *options,
                   emitShape shape, artError *error)
{
  const eqnOptions passes = passes_of(options, shape);
  *job = (emitJob){.out = out, .program = p, .options = options, .linkage = "", .suffix = ""};
  const artStatus status = check_values(p, error);
  if (status != ART_OK) return status;
  eqnList **list = arena_alloc(&job->arena, (size_t) p->nfunction + 1, sizeof *list);
  char *is_rolled = arena_alloc(&job->arena, (size_t) p->nfunction + 1, 1);
  job->list = list;
  job->is_rolled = is_rolled;
  job->external = emit_external_names(p, &job->arena);
  if (!list || !is_rolled || !job->external) return base_no_memory(error);
  for (int i = 0; i < p->nfunction; i++) {
    list[i] = emit_list(p, i, options, shape);
    if (!list[i] || !roll_list(job, passes, i, list, is_rolled)) return base_no_memory(error);
  }
  return ART_OK;
}


artStatus job_close(emitJob *job, artStatus status, artError *error)
{
  for (int i = 0; job->list && i < job->program->nfunction; i++) eqn_list_free(job->list[i]);
  arena_free(&job->arena);
  if (status != ART_OK || !ferror(job->out)) return status;
  return base_fail(error, ART_IO, base_nowhere(), "the generated source could not be written");
}


typedef struct visitJob {
  const emitJob *job;
  void (*visit)(emitWriter *w);
} visitJob;


static void visit_named(emitWriter *w, void *context)
{
  const visitJob *x = context;
  if (x->job->suffix[0]) w->name = arena_format(&w->arena, "%s%s", w->name, x->job->suffix);
  x->visit(w);
}


int job_each_function(const emitJob *job, FILE *out, const emitSyntax *syntax,
                      void (*visit)(emitWriter *w))
{
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w =
        writer_prepare(out, syntax, job->list[i], job->external, job->options, job->is_rolled[i]);
    w.linkage = job->linkage;
    made = writer_attempt(&w, visit_named, &(visitJob){job, visit});
    writer_close(&w);
  }
  return made;
}

//---- files ---------------------------------------------------------------------------------------

static const emitSyntax *const syntax_of[EMIT_ALL_LANGUAGES] = {
    [EMIT_C] = &c_syntax,         [EMIT_FORTRAN] = &fortran_syntax, [EMIT_MATLAB] = &matlab_syntax,
    [EMIT_JAVA] = &java_syntax,   [EMIT_PYTHON] = &python_syntax,   [EMIT_CUDA] = &cuda_syntax,
    [EMIT_NUMPY] = &numpy_syntax, [EMIT_CASADI] = &casadi_syntax,   [EMIT_JAX] = &jax_syntax,
};


const char *emit_language_name(emitLanguage language)
{
  return syntax_of[language]->name;
}


const char *emit_file_ending(emitLanguage language)
{
  return syntax_of[language]->ending;
}


artStatus job_check_name(const char *name, emitLanguage language, artError *error)
{
  static const char *const taken[EMIT_LANGUAGES][16] = {
      [EMIT_FORTRAN] = {"call"},
      [EMIT_JAVA] = {"Entry", "Parameters", "User", "AssertionError", "CloneNotSupportedException",
                     "Cloneable", "Double", "IllegalArgumentException", "Math", "Native", "Object",
                     "Override", "String", "System", "UnsatisfiedLinkError"}};
  ART_ASSERT(language < EMIT_LANGUAGES);
  if (!plain_is_one_of(name, taken[language])) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "'%s' is a name that the source itself uses; choose another with --name", name);
}


// returns 0 when memory ran out
static int write_language_file(const emitJob *job, const emitSyntax *syntax)
{
  if (syntax->write) return syntax->write(job);
  if (!syntax->begin(job)) return 0;
  const int made = job_each_function(job, job->out, syntax, writer_function);
  if (syntax->finish) syntax->finish(job);
  return made;
}


artStatus emit_program(FILE *out, const eqnProgram *program, emitLanguage language,
                       const emitOptions *options, artError *error)
{
  emitJob job;
  const emitShape shape = language == EMIT_C ? EMIT_LOOPS : EMIT_SINGLE;
  artStatus status =
      language == EMIT_JAVA ? job_check_name(program->name, language, error) : ART_OK;
  if (status != ART_OK) return status;
  status = job_open(&job, out, program, options, shape, error);
  if (status == ART_OK && !write_language_file(&job, syntax_of[language]))
    status = base_no_memory(error);
  return job_close(&job, status, error);
}


artStatus emit_c_header(FILE *out, const eqnProgram *p, const emitOptions *options, artError *error)
{
  emitJob job;
  artStatus status = job_open(&job, out, p, options, EMIT_LOOPS, error);
  if (status == ART_OK) {
    job_begin_c_header(&job);
    if (!job_declare_c(&job)) status = base_no_memory(error);
    job_end_c_header(&job);
  }
  return job_close(&job, status, error);
}
