// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The C writer: plain C11, nothing but <math.h>, no allocation, and no globals but room for very many variables.
//
// Parameters stand in one struct. What follows from them alone is worked out once by a function of its
// own, `prepare`, into a struct of constants. Long functions are cut into parts, so that compile time
// stays proportional to their length; variables that parts share then live in an array. gcc makes better
// code of short parts too: whole, a function of 9000 operations takes four tenths longer.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "emit/angles.h"
#include "emit/c_inside.h"
#include "emit/job.h"
#include "emit/lanes.h"
#include "emit/repeat.h"
#include "emit/writer.h"

//---- numbers -------------------------------------------------------------------------------------

// the type of numbers within bodies
static const char *real_of(const emitWriter *w)
{
  return w->syntax->has_lanes ? "lanes" : "double";
}


// and in declarations, which other files may read: "double", "NAME_lanes"
static void print_real(FILE *out, const emitSyntax *syntax, const eqnProgram *p)
{
  if (syntax->has_lanes) {
    fprintf(out, "%s_lanes", p->name);
  } else {
    fputs("double", out);
  }
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


static void c_part(emitWriter *w, int part, int depth)
{
  const eqnFunction *f = w->function;
  fprintf(w->statement, "%s_%s_%d(p, c", w->program->name, f->name, part);
  if (writer_part_stage(w, part) >= 0) {
    for (int k = 0; k < f->ninput; k++) fprintf(w->statement, ", %s", f->input[k].name);
    for (int k = 0; k < f->noutput; k++) fprintf(w->statement, ", %s", f->output[k].name);
    fputs(", s, user", w->statement);
  }
  fputs(");", w->statement);
  writer_end(w, depth);
}


// variables that iterations change
static void declare_variables(emitWriter *w, int from, int to, int depth)
{
  int count = 0;
  for (int e = from; e < to; e++) {
    if (w->part[e] > 0 || !writer_is_local(w, e)) continue;
    if (count++ > 0) {
      fputs(", ", w->statement);
    } else {
      fprintf(w->statement, "%s ", real_of(w));
    }
    fputs(w->scope.name[e], w->statement);
    if (writer_is_call(w, e)) fprintf(w->statement, "[%d]", writer_called(w, e)->n);
  }
  if (count == 0) return;
  fputc(';', w->statement);
  writer_end(w, depth);
}


static void c_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  declare_variables(w, from, to, depth);
  writer_iterate(w, stage, from, to, depth);
}


const emitSyntax c_syntax = {
    .dialect = &emit_dialect[EMIT_C],
    .comment = "//",
    .parameter = "p->%s",
    .constant = "c->k[%d]",
    .local = "const double ",
    .end = ";",
    .more = "",
    .width = 100,
    .statements = 150,
    .has_increment = 1,
    .angles = angles_print,
    .when = "if (%s != 0) {",
    .when_end = "}",
    .call = c_call,
    .part = c_part,
    .newton = c_newton,
};


// converged lanes keep their unknowns, so that what they come to does not depend on the others
static void lanes_newton(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const exprPool *pool = w->list->pool;
  char limit[WRITER_LIMIT];
  declare_variables(w, from, to, depth);
  writer_say(w, depth, "lanes_mask open%d = ~lanes_none();", w->nloop);
  writer_say(w, depth, "for (int iteration = 0;; iteration++) {");
  writer_run(w, from, to, depth + 1, 0);
  const char *residual = writer_operand(w, stage->residual);
  writer_say(w, depth + 1, "open%d &= ~lanes_up_to(%s, lanes_all(%s));", w->nloop, residual,
             writer_limit(stage, limit));
  writer_say(w, depth + 1, "if (!lanes_any(open%d) || iteration == %d) break;", w->nloop,
             stage->most);
  for (int i = 0; i < stage->nunknown; i++) {
    const char *unknown = w->scope.symbol[pool->nodes[stage->unknown[i]].a];
    const char *correction = writer_operand(w, stage->correction[i]);
    writer_say(w, depth + 1, "%s += lanes_where(open%d, %s);", unknown, w->nloop, correction);
  }
  writer_say(w, depth, "}");
  writer_say(w, depth, "failed |= open%d;", w->nloop++);
}


const emitSyntax lanes_syntax = {
    .dialect = &emit_lanes_dialect,
    .comment = "//",
    .parameter = "p->%s",
    .constant = "c->k[%d]",
    .local = "const lanes ",
    .end = ";",
    .more = "",
    .width = 100,
    .statements = 100,
    .has_increment = 1,
    .has_lanes = 1,
    .angles = angles_print,
    .before = angles_print_missing,
    .when = "if (lanes_any(lanes_is(%s))) {",
    .when_end = "}",
    .choice = "lanes_select(%s, %s, %s)",
    .call = c_call,
    .part = c_part,
    .newton = lanes_newton,
};


static const emitSyntax *syntax_of(const emitJob *job)
{
  return job->options->lanes ? &lanes_syntax : &c_syntax;
}


//---- heads of functions --------------------------------------------------------------------------

// vectors read, vectors written; `own` are the words behind the star in definitions
void c_print_vectors(emitWriter *w, const char *own)
{
  const eqnFunction *f = w->function;
  for (int k = 0; k < f->ninput; k++) {
    const eqnVector *v = &f->input[k];
    fputs(emit_is_written(f, v) ? ", " : ", const ", w->statement);
    print_real(w->statement, w->syntax, w->program);
    fprintf(w->statement, " *%s%s", own, v->name);
  }
  for (int k = 0; k < f->noutput; k++) {
    fputs(", ", w->statement);
    print_real(w->statement, w->syntax, w->program);
    fprintf(w->statement, " *%s%s", own, f->output[k].name);
  }
}


// what is handed on to functions of the user's: a pointer, of lanes one for each
static const char *user_of(const emitWriter *w)
{
  return w->syntax->has_lanes ? "void *const *user" : "void *user";
}


void c_print_head(emitWriter *w, const char *linkage, const char *own)
{
  const char *name = w->program->name, *f = w->function->name;
  fprintf(w->statement, "%sint %s_%s(const %s_parameters *%sp, const %s_%s_constants *%sc", linkage,
          name, f, name, own, name, f, own);
  c_print_vectors(w, own);
  fprintf(w->statement, ", %s)", user_of(w));
}


void c_print_prepare_head(emitWriter *w, const char *linkage, const char *own)
{
  const char *name = w->program->name, *f = w->function->name;
  fprintf(w->statement, "%svoid %s_%s_prepare(const %s_parameters *%sp, %s_%s_constants *%sc)",
          linkage, name, f, name, own, name, f, own);
}


static void print_part_head(emitWriter *w, int part, int is_constant)
{
  const char *name = w->program->name, *f = w->function->name;
  fprintf(w->statement,
          "static void %s_%s_%d(const %s_parameters *restrict p, %s%s_%s_constants *restrict c",
          name, f, part, name, is_constant ? "" : "const ", name, f);
  if (!is_constant) {
    c_print_vectors(w, "restrict ");
    fprintf(w->statement, ", %s *restrict s, %s", real_of(w), user_of(w));
  }
  fputc(')', w->statement);
}


//---- functions -----------------------------------------------------------------------------------

static int is_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}


int c_mentions(const char *text, const char *word)
{
  const size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
    if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return 1;
  }
  return 0;
}


// says that a body does not mention the word; returns whether that is so
int c_mark_unused(FILE *out, const char *body, const char *word)
{
  if (c_mentions(body, word)) return 0;
  fprintf(out, "  (void) %s;\n", word);
  return 1;
}


// arguments that a body does not mention are said to be unused; returns how many
static int mark_all_unused(const emitWriter *w, FILE *out, const char *body, int has_vectors,
                           int has_shared)
{
  const eqnFunction *f = w->function;
  int n = c_mark_unused(out, body, "p") + c_mark_unused(out, body, "c");
  if (!has_vectors) return n;
  for (int k = 0; k < f->ninput; k++) n += c_mark_unused(out, body, f->input[k].name);
  for (int k = 0; k < f->noutput; k++) n += c_mark_unused(out, body, f->output[k].name);
  if (has_shared) n += c_mark_unused(out, body, "s");
  return n + c_mark_unused(out, body, "user");
}


enum { WHOLE = 0, CONSTANTS = -1 };

static void print_statements(emitWriter *w, int which)
{
  if (which == WHOLE) {
    writer_body(w, 1);
    writer_say(w, 1, w->nloop > 0 ? "return lanes_number(failed);" : "return 0;");
  } else if (which == CONSTANTS) {
    writer_constants(w, 1);
    if (w->nconst + w->ntwin == 0)
      writer_say(w, 1, "c->k[0] = %s;", w->syntax->has_lanes ? "(lanes){0}" : "0");
  } else {
    writer_part(w, which, 1);
  }
}


// the body of the function (WHOLE), of the constants or of a part, in braces
static void print_body(emitWriter *w, int which)
{
  FILE *out = w->out;
  char *body = NULL;
  size_t length = 0;
  angles_forget(w);
  repeat_forget(w);
  w->nloop = 0;
  w->out = open_memstream(&body, &length);
  if (w->out) print_statements(w, which);
  const int failed = !w->out || !file_close_text(w->out, &body);
  w->out = out;
  if (failed) {
    w->no_memory = 1;
    free(body);
    return;
  }
  const int is_constant = which == CONSTANTS || (which > 0 && writer_part_stage(w, which) < 0);
  fputs("{\n", out);
  int lines = mark_all_unused(w, out, body, !is_constant, which > 0);
  if (which == WHOLE && w->nshared > 0) {
    fprintf(out, "  %s s[%d]; // what parts share, and unknowns of its own\n", real_of(w),
            w->nshared);
    lines++;
  }
  if (w->nloop > 0) {
    fputs("  lanes_mask failed = lanes_none(); // whose loops cannot be closed\n", out);
    lines++;
  }
  if (w->nangle > 0) {
    fprintf(out, "  %s sine[%d], cosine[%d];\n", real_of(w), w->nangle, w->nangle);
    w->has_angles = 1;
    lines++;
  }
  fputs(body[0] == '\n' && lines == 0 ? body + 1 : body, out);
  fputs("}\n\n\n", out);
  free(body);
}


static void print_parts(emitWriter *w, int of_constants)
{
  const int n = writer_part_count(w);
  for (int part = 1; part <= n; part++) {
    if ((writer_part_stage(w, part) < 0) != of_constants) continue;
    emit_comment(w->out, "//", 0, writer_part_title(w, part));
    print_part_head(w, part, of_constants);
    writer_end(w, 0);
    print_body(w, part);
  }
}


void c_print_function(emitWriter *w, const char *linkage)
{
  if (w->is_rolled) {
    c_print_rolled(w, linkage);
    return;
  }
  print_parts(w, 1);
  c_print_prepare_head(w, linkage, "restrict ");
  writer_end(w, 0);
  print_body(w, CONSTANTS);
  print_parts(w, 0);
  c_print_head(w, linkage, "restrict ");
  writer_end(w, 0);
  print_body(w, WHOLE);
}


// many parameters from a table
static void print_values(const emitJob *job)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fputs("  static const double value[] = {\n", out);
  for (int i = 0; i < p->parameter.n; i++) {
    fputs("    ", out);
    emit_number(out, &emit_dialect[EMIT_C], p->value[i]);
    fprintf(out, ", // %s\n", p->parameter.label[i]);
  }
  fprintf(out,
          "  };\n  double *const parameter = (double *) p; // all in their order\n"
          "  for (int i = 0; i < %d; i++) parameter[i] = value[i];\n}\n\n\n",
          p->parameter.n);
}


static void print_defaults(const emitJob *job, const char *linkage)
{
  enum { MANY = 2000 };
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  fprintf(out, "%svoid %s_default(%s_parameters *p)\n{\n", linkage, p->name, p->name);
  if (p->parameter.n > MANY && !job->options->lanes) {
    print_values(job);
    return;
  }
  eqnProgram bare = *p;
  bare.remark = NULL;
  emit_parameters(out, syntax_of(job), &bare, "p->", 1, 2);
  if (p->parameter.n == 0) {
    fprintf(out, "  p->none = %s;\n", job->options->lanes ? "(lanes){0}" : "0");
  }
  fputs("}\n\n\n", out);
}


//---- declarations --------------------------------------------------------------------------------

static void declare_parameters(const emitJob *job, const char *linkage)
{
  FILE *out = job->out;
  const eqnProgram *p = job->program;
  char real[200];
  snprintf(real, sizeof real, job->options->lanes ? "%.190s_lanes " : "double ", p->name);
  fprintf(out, "// Constants of the machine; %s_default sets those of the model.\n", p->name);
  fprintf(out, "typedef struct %s_parameters {\n", p->name);
  emit_parameters(out, syntax_of(job), p, real, 0, 2);
  if (p->parameter.n == 0) fprintf(out, "  %snone;\n", real);
  fprintf(out, "} %s_parameters;\n", p->name);
  fprintf(out, "%svoid %s_default(%s_parameters *p);\n\n", linkage, p->name, p->name);
}


static void declare_externals(const emitJob *job)
{
  for (int i = 0; i < job->program->nexternal; i++) {
    const eqnExternal *x = &job->program->external[i];
    emit_external(job->out, x, job->external[i], "//", 0);
    fprintf(job->out, "void %s(const double *arguments, double *result, void *user);\n\n",
            job->external[i]);
  }
}


static void declare_function(emitWriter *w, const char *linkage)
{
  const char *name = w->program->name, *f = w->function->name;
  char returned[200];
  snprintf(returned, sizeof returned, "Vectors must not overlap. Returns %s",
           w->syntax->has_lanes
               ? "0; where loops of lane k cannot be closed, bit k of the result is set."
               : writer_statuses(w->function));
  emit_about(w->out, w->list, "//", 0);
  emit_comment(w->out, "//", 0, returned);
  fprintf(w->out, "typedef struct %s_%s_constants {\n  ", name, f);
  print_real(w->out, w->syntax, w->program);
  const int n = w->nconst + w->ntwin;
  fprintf(w->out, " k[%d];\n} %s_%s_constants;\n", n > 0 ? n : 1, name, f);
  c_print_prepare_head(w, linkage, "");
  fputc(';', w->statement);
  writer_end(w, 0);
  c_print_head(w, linkage, "");
  fputc(';', w->statement);
  writer_end(w, 0);
  fputc('\n', w->out);
}


//---- files ---------------------------------------------------------------------------------------

static int open_function(const emitJob *job, int i, FILE *out, emitWriter *w)
{
  return (job->is_rolled[i] ? writer_open_rolled : writer_open)(
      w, out, syntax_of(job), job->list[i], job->external, job->options);
}


int job_declare_c(const emitJob *job, const char *linkage)
{
  if (job->options->lanes) lanes_declare(job->out, job->program->name, job->options->lanes);
  declare_parameters(job, linkage);
  declare_externals(job);
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = open_function(job, i, job->out, &w);
    if (made) declare_function(&w, linkage);
    writer_close(&w);
  }
  return made;
}


// returns 0 when memory ran out
static int print_functions(const emitJob *job, FILE *out, const char *linkage, int *has_angles)
{
  int made = 1;
  for (int i = 0; made && i < job->program->nfunction; i++) {
    emitWriter w;
    made = open_function(job, i, out, &w);
    if (made) c_print_function(&w, linkage);
    made = made && !w.no_memory;
    *has_angles |= w.has_angles;
    writer_close(&w);
  }
  return made;
}


// functions go through memory, for what they call comes before them
int job_define_c(const emitJob *job, const char *linkage)
{
  char *text = NULL;
  size_t length = 0;
  int has_angles = 0;
  FILE *functions = open_memstream(&text, &length);
  int made = functions && print_functions(job, functions, linkage, &has_angles);
  if (functions && !file_close_text(functions, &text)) made = 0;
  if (job->options->lanes) lanes_define(job->out, job->program->name);
  print_defaults(job, linkage);
  if (made && has_angles && !job->options->lanes) angles_define(job->out, job->program->name);
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


int job_write_c_header(const emitJob *job)
{
  job_begin_c_header(job);
  const int made = job_declare_c(job, "");
  job_end_c_header(job);
  return made;
}


int job_write_c(const emitJob *job)
{
  emit_provenance(job->out, job->program, "//");
  fputs("#include <math.h>\n\n", job->out);
  if (job->options->lanes) lanes_include(job->out);
  const char *header = job->options->header;
  if (header) fprintf(job->out, "#include \"%s\"\n\n", header);
  return (header || job_declare_c(job, "")) && job_define_c(job, "");
}
