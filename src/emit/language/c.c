// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C: plain C11, nothing but <math.h>, no allocation, and no globals but room for very many variables.
//
// Parameters are in one struct. Constants that follow from them alone are found once, by a function
// of their own, `prepare`, into a second one. Long functions are cut into parts, so that compile time
// stays proportional to their length; variables that parts share then live in an array. gcc makes better
// code of short parts too: whole, a function of 9000 operations takes four tenths longer.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/format.h"
#include "emit/file_job.h"
#include "emit/language/c.h"
#include "emit/write/angles.h"
#include "emit/write/template.h"

// the type of numbers within bodies
static const char *real_of(const emitWriter *w)
{
  return w->syntax->real ? w->syntax->real : "double";
}


// and in declarations, which other files may read: "double", "NAME_lanes"
static void print_real(const emitWriter *w, FILE *out)
{
  if (w->syntax->has_lanes) fprintf(out, "%s_", w->program->name);
  fputs(real_of(w), out);
}

//---- statements ----------------------------------------------------------------------------------

// s + 12, or a local array
static void print_result(emitWriter *w, int e)
{
  fputs(w->scope.vector[e], w->statement);
  if (!writer_is_local(w, e)) fprintf(w->statement, " + %d", w->scope.offset[e]);
}


// functions of the user's know one instance at a time
static void call_lanes(emitWriter *w, int e, int depth)
{
  const eqnExternal *x = writer_called(w, e);
  writer_say(w, depth, "for (int lane = 0; lane < LANES; lane++) {");
  writer_say(w, depth + 1, "double one[%d] = {0}, result[%d];", x->narg > 0 ? x->narg : 1, x->n);
  writer_say(w, depth + 1, "for (int i = 0; i < %d; i++) one[i] = arguments[i][lane];", x->narg);
  writer_say(w, depth + 1, "%s(one, result, user ? user[lane] : 0);",
             w->external[x - w->program->external]);
  fprintf(w->statement, "for (int i = 0; i < %d; i++) (", x->n);
  print_result(w, e);
  writer_say(w, depth + 1, ")[i][lane] = result[i];");
  writer_say(w, depth, "}");
}


void c_call(emitWriter *w, int e, int depth, int is_new)
{
  const eqnExternal *x = writer_called(w, e);
  if (is_new && writer_is_local(w, e)) {
    writer_say(w, depth, "%s %s[%d];", real_of(w), w->scope.vector[e], x->n);
  }
  writer_say(w, depth, "{");
  fprintf(w->statement, "const %s arguments[] = {", real_of(w));
  writer_arguments(w, e);
  fputs(x->narg > 0 ? "};" : w->syntax->has_lanes ? "{0}};" : "0};", w->statement);
  writer_end(w, depth + 1);
  if (w->syntax->has_lanes) {
    call_lanes(w, e, depth + 1);
    writer_say(w, depth, "}");
    return;
  }
  fprintf(w->statement, "%s(arguments, ", w->external[x - w->program->external]);
  print_result(w, e);
  fputs(", user);", w->statement);
  writer_end(w, depth + 1);
  writer_say(w, depth, "}");
}


void c_declare_variables(emitWriter *w, int from, int to, int depth)
{
  ART_ASSERT(from >= 0 && to <= w->list->n);
  int count = 0;
  for (int e = from; e < to; e++) {
    if (w->part[e] > 0 || !writer_is_local(w, e)) continue;
    if (w->is_recycled && !writer_is_call(w, e)) continue; // the head of the body declares it
    if (count++ > 0) {
      fputs(", ", w->statement);
    } else {
      fprintf(w->statement, "%s ", w->is_narrow && w->is_narrow[e] ? "single" : real_of(w));
    }
    fputs(w->scope.name[e], w->statement);
    if (writer_is_call(w, e)) fprintf(w->statement, "[%d]", writer_called(w, e)->n);
  }
  if (count == 0) return;
  writer_say(w, depth, ";");
}


static const emitSyntax *c_syntax_of(const emitJob *job)
{
  return job->options->lanes ? &lanes_syntax : &c_syntax;
}


// types and headers of lanes, where there are any
static void c_print_lane_types(const emitJob *job, const char *section)
{
  const int lanes = job->options->lanes, is_of_target = lanes == EMIT_LANES_OF_TARGET;
  const templateCondition where[] = {{"[target]", is_of_target}, {"[fixed]", !is_of_target}, {0}};
  char number[12];
  snprintf(number, sizeof number, "%d", lanes);
  const templateValues values = {.name = job->program->name, .word = number, .conditions = where};
  if (lanes) template_print(job->out, lanes_text, section, &values);
}

//---- heads of functions --------------------------------------------------------------------------

void c_print_vectors(emitWriter *w, const char *own)
{
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->ninput + f->noutput; k++) {
    const eqnVector *v = k < f->ninput ? &f->input[k] : &f->output[k - f->ninput];
    const int is_read = k < f->ninput && !emit_is_written(f, v);
    fputs(is_read ? ", const " : ", ", w->statement);
    print_real(w, w->statement);
    fprintf(w->statement, " *%s%s", own, v->name);
  }
}


// functions of the user's are handed a pointer, of lanes one for each
static const char *user_argument_of(const emitWriter *w)
{
  return w->syntax->has_lanes ? "void *const *user" : "void *user";
}


void c_print_head(emitWriter *w, int which, const char *own)
{
  const int is_whole = which == WRITER_WHOLE;
  fprintf(w->statement, "%s%s %s%s(const %s_parameters *%sp, %s%s_constants *%sc", w->linkage,
          is_whole ? "int" : "void", w->name, is_whole ? "" : "_prepare", w->program->name, own,
          is_whole ? "const " : "", w->name, own);
  if (is_whole) {
    c_print_vectors(w, own);
    fprintf(w->statement, ", %s", user_argument_of(w));
  }
  fputc(')', w->statement);
}


static int is_c_word_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}


// after two slashes on its line
static int is_parameter_comment(const char *text, const char *at)
{
  while (at > text && at[-1] != '\n') {
    at--;
    if (at[0] == '/' && at[1] == '/') return 1;
  }
  return 0;
}


int c_mentions(const char *text, const char *word)
{
  const size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
    const int is_field = at - text > 1 && at[-2] == '-' && at[-1] == '>';
    const int is_whole = (at == text || !is_c_word_letter(at[-1])) && !is_c_word_letter(at[n]);
    if (is_whole && !is_field && !is_parameter_comment(text, at)) return 1;
  }
  return 0;
}


int c_mark_unused(FILE *out, const char *body, const char *word)
{
  if (c_mentions(body, word)) return 0;
  fprintf(out, "  (void) %s;\n", word);
  return 1;
}


int c_mark_unused_inputs(FILE *out, const char *body, const eqnFunction *f)
{
  int n = 0;
  for (int k = 0; k < f->ninput; k++) n += c_mark_unused(out, body, f->input[k].name);
  return n;
}


int c_mark_unused_outputs(FILE *out, const char *body, const eqnFunction *f)
{
  int n = 0;
  for (int k = 0; k < f->noutput; k++) n += c_mark_unused(out, body, f->output[k].name);
  return n;
}


// arguments that the body does not mention are said to be unused
int c_head(emitWriter *w, int which, const char *body)
{
  FILE *out = w->out;
  const char *real = real_of(w);
  const int is_constant =
      which == WRITER_CONSTANTS || (which > 0 && writer_part_stage(w, which) < 0);
  const int is_empty = which == WRITER_CONSTANTS && w->nconst + w->ntwin == 0;
  if (which > 0) {
    fprintf(w->statement,
            "static void %s_%d(const %s_parameters *restrict p, %s%s_constants *restrict c",
            w->name, which, w->program->name, is_constant ? "" : "const ", w->name);
    if (!is_constant) c_print_vectors(w, "restrict ");
    if (!is_constant) fprintf(w->statement, ", %s *restrict s, %s", real, user_argument_of(w));
    fputc(')', w->statement);
  } else {
    c_print_head(w, which, "restrict ");
  }
  writer_end(w, 0);
  fputs("{\n", out);
  int lines = c_mark_unused(out, body, "p") + (is_empty ? 0 : c_mark_unused(out, body, "c"));
  if (!is_constant) {
    lines += c_mark_unused_inputs(out, body, w->function);
    lines += c_mark_unused_outputs(out, body, w->function);
    if (which > 0) lines += c_mark_unused(out, body, "s");
    lines += c_mark_unused(out, body, "user");
  }
  if (which == WRITER_WHOLE && w->nshared > 0) {
    fprintf(out, "  %s s[%d]; // what parts share, and unknowns of its own\n", real, w->nshared);
    lines++;
  }
  if (w->is_recycled) writer_declare_recycled(w, which, 1);
  if (w->nloop > 0) {
    fputs("  lanes_mask failed = lanes_none(); // whose loops cannot be closed\n", out);
    lines++;
  }
  if (w->nangle > 0) {
    fprintf(out, "  %s sine[%d], cosine[%d];\n", real, w->nangle, w->nangle);
    lines++;
  }
  return lines > 0;
}


void c_foot(emitWriter *w, int which)
{
  if (which == WRITER_WHOLE) {
    writer_say(w, 1, w->nloop > 0 ? "return lanes_number(failed);" : "return 0;");
  } else if (which == WRITER_CONSTANTS && w->nconst + w->ntwin == 0) {
    writer_say(w, 1, "c->k[0] = %s;", w->syntax->has_lanes ? "(lanes){0}" : "0");
  }
  writer_say(w, 0, "}");
}


static void c_print_function(emitWriter *w)
{
  (w->is_rolled ? c_print_rolled : writer_function)(w);
}

//---- parameters ----------------------------------------------------------------------------------

// many parameters from a table
static void c_print_values(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fputs("  static const double value[] = {\n", out);
  for (int i = 0; i < p->parameter.n; i++) {
    fputs("    ", out);
    emit_number(out, &c_syntax.dialect, p->value[i]);
    fprintf(out, ", // %s\n", p->parameter.label[i]);
  }
  fprintf(out,
          "  };\n  double *const parameter = (double *) p; // all in their order\n"
          "  for (int i = 0; i < %d; i++) parameter[i] = value[i];\n}\n\n\n",
          p->parameter.n);
}


void job_define_c_defaults(const emitJob *job, const char *name)
{
  enum { MANY = 2000 };
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fprintf(out, "%svoid %s_default(%s_parameters *p)\n{\n", job->linkage, name, name);
  if (p->parameter.n > MANY && !job->options->lanes) {
    c_print_values(job);
    return;
  }
  eqnProgram bare = *p;
  bare.remark = NULL;
  emit_parameters(out, c_syntax_of(job), &bare, "p->", 1, 2);
  if (p->parameter.n == 0) {
    fprintf(out, "  p->none = %s;\n", job->options->lanes ? "(lanes){0}" : "0");
  }
  fputs("}\n\n\n", out);
}


//---- declarations --------------------------------------------------------------------------------

void job_declare_c_parameters(const emitJob *job, const char *name)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  char real[200];
  format_text(real, sizeof real, job->options->lanes ? "%.190s_lanes " : "double ", name);
  fprintf(out, "typedef struct %s_parameters {\n", name);
  emit_parameters(out, c_syntax_of(job), p, real, 0, 2);
  if (p->parameter.n == 0) fprintf(out, "  %snone;\n", real);
  fprintf(out, "} %s_parameters;\n", name);
}


// of the program itself, or of the machine that it is part of
static void declare_parameters(const emitJob *job)
{
  const char *name = job->program->name;
  if (job->parameters) {
    fprintf(job->out, "typedef %s_parameters %s_parameters;\n\n", job->parameters, name);
    return;
  }
  fprintf(job->out, "// Constants of the machine; %s_default sets the values of the model.\n",
          name);
  job_declare_c_parameters(job, name);
  fprintf(job->out, "%svoid %s_default(%s_parameters *p);\n\n", job->linkage, name, name);
}


static void declare_function(emitWriter *w)
{
  char returned[200];
  snprintf(returned, sizeof returned, "Vectors must not overlap. Returns %s",
           w->syntax->has_lanes
               ? "0; where loops of lane k cannot be closed, bit k of the result is set."
               : writer_statuses(w->function));
  emit_about(w->out, w->list, "//", 0);
  emit_comment(w->out, "//", 0, returned);
  fprintf(w->out, "typedef struct %s_constants {\n  ", w->name);
  print_real(w, w->out);
  const int n = w->nconst + w->ntwin;
  fprintf(w->out, " k[%d];\n} %s_constants;\n", n > 0 ? n : 1, w->name);
  c_print_head(w, WRITER_CONSTANTS, "");
  writer_say(w, 0, ";");
  c_print_head(w, WRITER_WHOLE, "");
  writer_say(w, 0, ";");
  fputc('\n', w->out);
}


int job_declare_c(const emitJob *job)
{
  c_print_lane_types(job, "declared");
  declare_parameters(job);
  for (int i = 0; i < job->program->nexternal; i++) {
    const eqnExternal *x = &job->program->external[i];
    if (!x->is_given) emit_external(job->out, x, job->external[i], "//", 0);
    fprintf(job->out, "%svoid %s(const double *arguments, double *result, void *user);\n\n",
            x->is_given ? "static " : "", job->external[i]);
  }
  return job_each_function(job, job->out, c_syntax_of(job), declare_function);
}

//---- files ---------------------------------------------------------------------------------------

// functions go through memory, for the functions that they call come before them
int job_define_c(const emitJob *job)
{
  const char *name = job->program->name;
  char *text = NULL, sincos[200];
  size_t length = 0;
  FILE *functions = open_memstream(&text, &length);
  int made = functions && job_each_function(job, functions, c_syntax_of(job), c_print_function);
  if (functions && !file_close_text(functions, &text)) made = 0;
  c_print_lane_types(job, "defined");
  if (job->options->lanes) {
    emit_lines(job->out, lanes_math_text);
    fputs("\n\n", job->out);
  }
  if (!job->parameters) job_define_c_defaults(job, name);
  snprintf(sincos, sizeof sincos, "%.190s_sincos(", name);
  if (made && strstr(text, sincos)) angles_define(job->out, name);
  if (made) fwrite(text, 1, length, job->out);
  free(text);
  return made;
}


void job_begin_c_header(const emitJob *job)
{
  const char *name = job->program->name;
  emit_provenance(job->out, job->program, "//");
  fprintf(job->out, "#ifndef %s_h\n#define %s_h\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
          name, name);
}


void job_end_c_header(const emitJob *job)
{
  fputs("#ifdef __cplusplus\n}\n#endif\n\n#endif\n", job->out);
}


static int c_write_file(const emitJob *job)
{
  emit_provenance(job->out, job->program, "//");
  fputs("#include <math.h>\n\n", job->out);
  c_print_lane_types(job, "included");
  const char *header = job->options->header;
  if (header) fprintf(job->out, "#include \"%s\"\n\n", header);
  return (header || job_declare_c(job)) && job_define_c(job);
}


const emitSyntax c_syntax = {
    .name = "c",
    .ending = ".c",
    .dialect = {.spelling = {EMIT_COMMON("", "%s*%s", "%s/%s"), [EXPR_ABS] = "fabs(%s)",
                             [EXPR_SIGN] = "(double) ((%s > 0) - (%s < 0))",
                             [EXPR_FLOOR] = "floor(%s)", [EXPR_POW] = "pow(%s, %s)",
                             [EXPR_HYPOT] = "hypot(%s, %s)", [EXPR_MIN] = "fmin(%s, %s)",
                             [EXPR_MAX] = "fmax(%s, %s)", [EXPR_MOD] = "%s - %s*floor(%s/%s)",
                             EMIT_C_CONDITIONS},
                .index = "%s[%d]",
                .whole = ".0",
                .exponent = "e",
                .infinity = {"-INFINITY", "INFINITY"},
                .nan = "NAN",
                .is_true = "%s != 0",
                .truth = "(double) (%s)"},
    EMIT_BRACES,
    .parameter = "p->%s",
    .constant = "c->k[%d]",
    .local = "const double ",
    .statements = 150,
    .may_be_long = 1,
    .when = "if (%s) {",
    .is_prefixed = 1,
    .gap = "\n\n",
    .head = c_head,
    .foot = c_foot,
    .write = c_write_file,
    .angles = angles_print,
    .call = c_call,
    .declare = c_declare_variables,
};
