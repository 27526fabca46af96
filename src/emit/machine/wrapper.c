// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine in C behind the same interface in other languages: the file of the language packs numbers of the machine into a vector
// and calls the C (emit/texts/bridge.c.in). How the machine works is written in C alone. A template for each language
// (emit/texts/wrapper.*.in) lists in its section "order" its sections and the pieces below.
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/throw.h"
#include "emit/machine/language.h"
#include "emit/write/writer.h"

static int declare_python(const emitJob *job)
{
  job_declare_python_parameters(job);
  return 1;
}


static int declare_matlab(const emitJob *job)
{
  job_list_matlab_externals(job);
  return job_declare_matlab(job);
}


static const machineLanguage languages[EMIT_LANGUAGES] = {
    [EMIT_FORTRAN] = {&fortran_syntax,
                      wrapper_f90_text,
                      job_declare_fortran,
                      '"',
                      '"',
                      "\"",
                      " // &\n        ",
                      {"-huge(0d0)", "huge(0d0)"},
                      0},
    [EMIT_MATLAB] =
        {&matlab_syntax, wrapper_m_text, declare_matlab, '\'', '\'', "'", NULL, {"-Inf", "Inf"}, 1},
    [EMIT_JAVA] = {&java_syntax,
                   wrapper_java_text,
                   job_declare_java,
                   '"',
                   '\\',
                   "\"\\",
                   NULL,
                   {"Double.NEGATIVE_INFINITY", "Double.POSITIVE_INFINITY"},
                   0},
    [EMIT_PYTHON] = {&python_syntax,
                     wrapper_py_text,
                     declare_python,
                     '"',
                     '\\',
                     "\"\\",
                     NULL,
                     {"-math.inf", "math.inf"},
                     0},
};

typedef struct wrapperJob {
  languageText text;
  FILE *c;            // the machine in C
  const char *c_file; // its name
  const char *const *external;
  char stamp[17];
} wrapperJob;


static const eqnProgram *program_of(const wrapperJob *w)
{
  return w->text.machine->simulation->program[0];
}


// the functions that the user supplies in the other language
static int is_asked(const wrapperJob *w, int i)
{
  return !program_of(w)->external[i].is_given;
}


static int count_asked(const wrapperJob *w)
{
  int n = 0;
  for (int i = 0; i < program_of(w)->nexternal; i++) n += is_asked(w, i);
  return n;
}

//---- the C ---------------------------------------------------------------------------------------

// Names in Java as its native functions have them.
static const char *native_name(const wrapperJob *w)
{
  char *name = arena_alloc(w->text.arena, 2 * strlen(w->text.name) + 1, 1), *to = name;
  for (const char *c = w->text.name; *c; c++) {
    *to++ = *c;
    if (*c == '_') *to++ = '1';
  }
  return name;
}


// "{3, 1}, {6, 1}", with names for MATLAB
static const char *lengths_text(const wrapperJob *w, int has_names)
{
  const char *text = "";
  for (int i = 0; i < program_of(w)->nexternal; i++) {
    const eqnExternal *x = &program_of(w)->external[i];
    if (!is_asked(w, i)) continue;
    text = arena_format(w->text.arena, "%s%s{", text, *text ? ", " : "");
    if (has_names) text = arena_format(w->text.arena, "%s\"%s\", ", text, w->external[i]);
    text = arena_format(w->text.arena, "%s%d, %d}", text, x->narg, x->n);
  }
  if (*text) return text;
  return has_names ? "{\"\", 0, 0}" : "{0, 0}";
}


static void print_c_section(const wrapperJob *w, const char *section, const char *function,
                            const char *word, const char *other)
{
  const int is_asking = w->text.language->syntax != &fortran_syntax && count_asked(w) > 0;
  templateCondition where[MACHINE_CONDITIONS + 9] = {{"[asked]", is_asking}};
  memcpy(where + 1, w->text.machine->where, sizeof w->text.machine->where);
  template_print(w->c, bridge_text, section,
                 &(templateValues){.name = w->text.machine->name,
                                   .function = function,
                                   .word = word,
                                   .other = other,
                                   .conditions = where});
}


// FNV-1a
static void find_stamp(wrapperJob *w, const char *text)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; text++) hash = (hash ^ (unsigned char) *text) * 0x100000001b3u;
  snprintf(w->stamp, sizeof w->stamp, "%016" PRIx64, hash);
}


static void write_c(wrapperJob *w, const char *text, emitLanguage language)
{
  find_stamp(w, text);
  // two machines in one program may have functions of one name
  FILE *out = w->c;
  for (int i = 0; i < program_of(w)->nexternal; i++) {
    if (!is_asked(w, i)) continue;
    fprintf(out, "#define %s %s_%s\n", w->external[i], w->text.name, w->external[i]);
  }
  fputs(text, w->c);
  fputs("\n\n", w->c);
  print_c_section(w, "bridge", NULL, w->stamp, NULL);
  for (int i = 0, k = 0; i < program_of(w)->nexternal && language != EMIT_FORTRAN; i++) {
    if (!is_asked(w, i)) continue;
    const char *numbers = arena_format(w->text.arena, "%d, %d", k++, program_of(w)->external[i].n);
    print_c_section(w, "function", NULL, w->external[i], numbers);
  }
  if (language == EMIT_JAVA) {
    print_c_section(w, "java", lengths_text(w, 0), native_name(w), w->text.name);
  }
  if (language == EMIT_MATLAB) print_c_section(w, "matlab", lengths_text(w, 1), NULL, NULL);
}

//---- the other language --------------------------------------------------------------------------

static void print_library(wrapperJob *w)
{
  language_section(&w->text, "library", w->text.machine->name, w->c_file, w->stamp);
}


// a section for each function of the user, by numbers from 0 on
static void print_functions(wrapperJob *w)
{
  for (int i = 0, k = 0; i < program_of(w)->nexternal; i++) {
    const eqnExternal *x = &program_of(w)->external[i];
    if (!is_asked(w, i)) continue;
    language_section(&w->text, "function", language_integer(&w->text, k++), w->external[i],
                     arena_format(w->text.arena, "%d, %d", x->narg, x->n));
  }
}


static void print_fields(wrapperJob *w)
{
  const eqnVector *p = &program_of(w)->parameter;
  for (int i = 0; i < p->n; i++) {
    language_section(&w->text, "field", p->label[i], language_integer(&w->text, i + 1), NULL);
  }
}


static void print_piece(wrapperJob *w, const char *word)
{
  static const struct {
    const char *name;
    void (*print)(const languageText *text);
  } piece[] = {{"<provenance>", language_provenance},
               {"<parameters>", language_parameters},
               {"<sizes>", language_sizes},
               {"<about>", language_about},
               {"<lists>", language_lists}};
  static const struct {
    const char *name;
    void (*print)(wrapperJob *w);
  } own[] = {
      {"<library>", print_library}, {"<functions>", print_functions}, {"<fields>", print_fields}};
  for (size_t k = 0; k < sizeof piece / sizeof *piece; k++) {
    if (strcmp(piece[k].name, word) != 0) continue;
    piece[k].print(&w->text);
    return;
  }
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
    if (strcmp(own[k].name, word) != 0) continue;
    own[k].print(w);
    return;
  }
  language_section(&w->text, word, NULL, NULL, NULL);
}


// Where a line of Fortran can be cut within its 132 columns: after the last comma or blank outside of strings. 0: it cannot, or need
// not, because the rest is a comment.
static size_t find_cut(const char *line, size_t n)
{
  enum { MOST = 122, LAST = MOST - 4 }; // 8 blanks may precede it, 2 signs follow
  size_t cut = 0, begin = strspn(line, " ");
  char quote = 0;
  for (size_t i = begin; i < n && i < LAST; i++) {
    const char c = line[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '!') {
      return 0;
    } else if (c == ',' || c == ' ') {
      cut = i + 1;
    }
  }
  return n > MOST ? cut : 0;
}


static void print_cut(FILE *out, const char *text)
{
  while (*text) {
    size_t n = strcspn(text, "\n"), cut;
    while ((cut = find_cut(text, n)) > 0) {
      fprintf(out, "%.*s &\n        ", (int) cut, text);
      text += cut;
      n -= cut;
    }
    fprintf(out, "%.*s\n", (int) n, text);
    text += n + (text[n] == '\n');
  }
}


typedef struct wrapperContext {
  FILE *out, *c;
  const emitSimulation *simulation;
  emitLanguage language;
  const emitOptions *options;
  machineText machine;
  simulationParts parts;
  baseArena arena;
  char *text, *c_text;
  FILE *own, *own_c;
} wrapperContext;


static void write_wrapper(void *context)
{
  wrapperContext *x = context;
  size_t length = 0, c_length = 0;
  artError *error = error_current();
  x->own = open_memstream(&x->text, &length);
  x->own_c = open_memstream(&x->c_text, &c_length);
  if (!x->own || !x->own_c) error_check(base_no_memory(error));
  error_check(
      machine_open(&x->machine, &x->parts, x->own_c, x->simulation, 0, 1, x->options, error));
  wrapperJob w = {.text = {.language = &languages[x->language],
                           .machine = &x->machine,
                           .out = x->own,
                           .arena = &x->arena},
                  .c = x->c,
                  .c_file = x->options->header,
                  .external = x->parts.part[0].job.external};
  error_check(language_name(&w.text, error));
  machineText named = x->machine;
  named.name = w.text.name;
  if (!machine_describe(&named, x->options->about) || !machine_print_product(&x->machine, NULL) ||
      fflush(x->own_c) != 0) {
    error_check(base_no_memory(error));
  }
  write_c(&w, x->c_text, x->language);
  const char *const *line = template_section(w.text.language->text, "order");
  for (; !template_is_end(*line); line++) {
    const char *word = template_line(*line, w.text.machine->where);
    if (word) print_piece(&w, word);
  }
  if (fflush(x->own) != 0) error_check(base_no_memory(error));
  if (x->language == EMIT_FORTRAN) {
    print_cut(x->out, x->text);
  } else {
    fputs(x->text, x->out);
  }
  if (ferror(x->out) || ferror(x->c)) {
    error_throw_at(ART_IO, base_nowhere(), "the generated source could not be written");
  }
}


artStatus emit_machine_language(FILE *out, FILE *c, const emitSimulation *s, emitLanguage language,
                                const emitOptions *options, artError *error)
{
  ART_ASSERT(c && options->header);
  wrapperContext x = {.out = out,
                      .c = c,
                      .simulation = s,
                      .language = language,
                      .options = options,
                      .arena = {.leaves = 1}};
  artStatus status = error_try(write_wrapper, &x, error);
  status = simulation_close(&x.parts, status, error);
  if (x.own) fclose(x.own);
  if (x.own_c) fclose(x.own_c);
  free(x.text);
  free(x.c_text);
  arena_free(&x.arena);
  return status;
}
