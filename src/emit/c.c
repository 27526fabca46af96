// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The C writer: plain C11, nothing but <math.h>, no globals, no allocation.
//
// Parameters stand in one struct. What follows from them alone is worked out once by a function of its
// own, `prepare`, into a struct of constants. Long functions are cut into parts, so that compile time
// stays proportional to their length; variables that parts share then live in an array.
#include <string.h>

#include "emit/c.h"
#include "emit/text.h"

// statements in one C function, unless the caller says otherwise
enum { DEFAULT_STATEMENTS = 1500 };

typedef struct cWriter {
  FILE *out;
  const eqnProgram *program;
  const eqnFunction *function; // of the list
  eqnList *list;
  emitScope scope;
  int limit;
  int *part;       // [list->n] number of the part that an equation stands in, 0: whole
  int nshared;     // variables that several parts read
  baseArena arena; // texts
} cWriter;

//---- names ---------------------------------------------------------------------------------------

// how symbols are written: p->mass_3, q[2]
static int name_symbols(cWriter *w)
{
  const exprPool *pool = w->program->pool;
  const char **symbol = arena_alloc(&w->arena, (size_t) pool->symbol_count + 1, sizeof *symbol);
  if (!symbol) return 0;
  const eqnVector *p = &w->program->parameter;
  for (int i = 0; i < p->n; i++) {
    symbol[pool->nodes[p->node[i]].a] = arena_format(&w->arena, "p->%s", p->label[i]);
  }
  for (int k = 0; w->function && k < w->function->ninput; k++) {
    const eqnVector *v = &w->function->input[k];
    for (int i = 0; i < v->n; i++) {
      const exprNode *node = &pool->nodes[v->node[i]];
      if (node->op != EXPR_SYMBOL) continue;
      symbol[node->a] = arena_format(&w->arena, "%s[%d]", v->name, i);
      if (!symbol[node->a]) return 0;
    }
  }
  w->scope.symbol = symbol;
  return 1;
}


// in which part each equation stands: parts end with their stage, or when they are full
static int cut_parts(cWriter *w)
{
  const eqnList *l = w->list;
  w->part = arena_alloc(&w->arena, (size_t) l->n, sizeof *w->part);
  if (!w->part) return 0;
  int statements = 0;
  for (int e = 0; e < l->n; e++) statements += l->equation[e].stage >= 0;
  if (statements <= w->limit) return 1;

  int part = 0, count = 0;
  for (int e = 0; e < l->n; e++) {
    const eqnEquation *x = &l->equation[e], *before = x - 1;
    if (x->stage < 0) continue;
    const int begins = part == 0 || before->stage != x->stage || before->ahead != x->ahead;
    if (begins || count == w->limit) {
      part++;
      count = 0;
    }
    w->part[e] = part;
    count++;
  }
  return 1;
}


static int is_shared(const cWriter *w, int e)
{
  const eqnEquation *x = &w->list->equation[e];
  if (w->part[e] == 0) return 0;
  for (int k = 0; k < x->nchild; k++) {
    if (w->part[x->child[k]] != w->part[e]) return 1;
  }

  // what outputs and steps of Newton's method read is written by the function itself
  return x->nchild == 0 || w->function->stage[x->stage].kind != STAGE_STRAIGHT;
}


// which equations outputs read; those without a variable are written into the first of them
static int mark_outputs(cWriter *w, char *is_output, const char **name)
{
  for (int k = 0; k < w->function->noutput; k++) {
    const eqnVector *v = &w->function->output[k];
    for (int i = 0; i < v->n; i++) {
      const int e = v->node[i] < w->list->nnode ? w->list->equation_of[v->node[i]] : -1;
      if (e < 0) continue;
      is_output[e] = 1;
      if (w->list->equation[e].name || name[e]) continue;
      name[e] = arena_format(&w->arena, "%s[%d]", v->name, i);
      if (!name[e]) return 0;
    }
  }
  return 1;
}


static int name_variables(cWriter *w)
{
  const eqnList *l = w->list;
  const char **name = arena_alloc(&w->arena, (size_t) l->n, sizeof *name);
  char *is_output = arena_alloc(&w->arena, (size_t) l->n, 1);
  if (!name || !is_output || !cut_parts(w) || !mark_outputs(w, is_output, name)) return 0;
  int constants = 0;
  for (int e = 0; e < l->n; e++) {
    const eqnEquation *x = &l->equation[e];
    if (name[e] && x->stage >= 0 && w->part[e] == 0) {
      continue;
    } else if (x->stage < 0) {
      name[e] = arena_format(&w->arena, "c->k[%d]", constants++);
    } else if (w->part[e] > 0 && w->program->pool->nodes[x->node].op == EXPR_CALL) {
      const int n = w->program->external[expr_called(w->program->pool, x->node)].n;
      name[e] = arena_format(&w->arena, "(s + %d)", w->nshared);
      w->nshared += n;
    } else if (w->part[e] > 0 && (is_output[e] || is_shared(w, e))) {
      name[e] = arena_format(&w->arena, "s[%d]", w->nshared++);
    } else {
      name[e] = x->name;
    }
    if (!name[e]) return 0;
  }
  w->scope.name = name;
  w->scope.vector = name;
  return 1;
}


//---- declarations --------------------------------------------------------------------------------

static int count_constants(const eqnList *l)
{
  int n = 0;
  while (n < l->n && l->equation[n].stage < 0) n++;
  return n;
}


static void print_parameters(FILE *out, const eqnProgram *p)
{
  fprintf(out, "// Constants of the machine; %s_default sets those of the model.\n", p->name);
  fprintf(out, "typedef struct %s_parameters {\n", p->name);
  for (int i = 0; i < p->parameter.n; i++) fprintf(out, "  double %s;\n", p->parameter.label[i]);
  if (p->parameter.n == 0) fputs("  double none;\n", out);
  fprintf(out, "} %s_parameters;\n", p->name);
  fprintf(out, "void %s_default(%s_parameters *p);\n\n", p->name, p->name);
}


static int is_written(const eqnFunction *f, const eqnVector *v)
{
  for (int s = 0; s < f->nstage; s++) {
    for (int i = 0; i < f->stage[s].nunknown; i++) {
      for (int k = 0; k < v->n; k++) {
        if (v->node[k] == f->stage[s].unknown[i]) return 1;
      }
    }
  }
  return 0;
}


// arguments after the constants: vectors read, vectors written, what the user's functions get
static void print_arguments(FILE *out, const eqnFunction *f, int with_outputs, int indent)
{
  const char *comma = "";
  for (int k = 0; k < f->ninput; k++) {
    const eqnVector *v = &f->input[k];
    fprintf(out, "%s%sdouble *%s", comma, is_written(f, v) ? "" : "const ", v->name);
    comma = ", ";
  }
  for (int k = 0; with_outputs && k < f->noutput; k++) {
    fprintf(out, ",\n%*sdouble *%s", indent, "", f->output[k].name);
  }
}


static void print_head(FILE *out, const eqnProgram *p, const eqnFunction *f)
{
  const int indent = (int) (strlen(p->name) + strlen(f->name)) + 6;
  fprintf(out, "int %s_%s(const %s_parameters *p, const %s_%s_constants *c,\n%*s", p->name, f->name,
          p->name, p->name, f->name, indent, "");
  print_arguments(out, f, 1, indent);
  fputs(", void *user)", out);
}


static void print_vectors(FILE *out, const char *what, int n, const eqnVector *vector)
{
  for (int k = 0; k < n; k++) {
    const eqnVector *v = &vector[k];
    fprintf(out, "//   %s %s[%d]: %s", what, v->name, v->n, v->what);
    for (int i = 0; v->label && i < v->n; i++) {
      fprintf(out, "%s%s", i % 6 == 0 ? "\n//     " : " ", v->label[i]);
    }
    fputc('\n', out);
  }
}


static void declare(FILE *out, const eqnProgram *p, const eqnFunction *f, const eqnList *l)
{
  const int n = count_constants(l);
  fprintf(out, "// %s: %s.\n", f->name, f->what);
  print_vectors(out, "in ", f->ninput, f->input);
  print_vectors(out, "out", f->noutput, f->output);
  fprintf(
      out, "// %d operations: %d sums, %d products, %d quotients, %d sines and cosines, %d other\n",
      l->total.total, l->total.add, l->total.mul, l->total.div, l->total.trig, l->total.function);
  fputs("// functions. Returns 0, or 1 when loops cannot be closed.\n", out);
  fprintf(out, "typedef struct %s_%s_constants {\n  double k[%d];\n} %s_%s_constants;\n", p->name,
          f->name, n > 0 ? n : 1, p->name, f->name);
  fprintf(out, "void %s_%s_prepare(const %s_parameters *p, %s_%s_constants *c);\n", p->name,
          f->name, p->name, p->name, f->name);
  print_head(out, p, f);
  fputs(";\n\n", out);
}


static void print_externals(FILE *out, const eqnProgram *p)
{
  for (int i = 0; i < p->nexternal; i++) {
    const eqnExternal *x = &p->external[i];
    fprintf(
        out,
        "// To be supplied: %s.\n// %d arguments, %d results.\nvoid %s(const double *arguments, "
        "double *result, void *user);\n\n",
        x->what, x->narg, x->n, emit_c_external(x));
  }
}


//---- statements ----------------------------------------------------------------------------------

static void print_call(cWriter *w, int e, int is_array)
{
  const exprPool *pool = w->program->pool;
  const int node = w->list->equation[e].node, n = expr_argument_count(pool, node);
  const eqnExternal *x = &w->program->external[expr_called(pool, node)];
  const char *name = w->scope.vector[e];
  if (is_array) fprintf(w->out, "  double %s[%d];\n", name, x->n);
  fprintf(w->out, "  {\n    const double arguments[%d] = {", n > 0 ? n : 1);
  for (int k = 0; k < n; k++) {
    if (k > 0) fputs(", ", w->out);
    emit_operand(&w->scope, expr_argument(pool, node, k));
  }
  if (n == 0) fputc('0', w->out);
  fprintf(w->out, "};\n    %s(arguments, %s, user);\n  }\n", emit_c_external(x), name);
}


// one equation; `declares`: its variable is made here
static void print_equation(cWriter *w, int e, int declares, const char *indent)
{
  const eqnEquation *x = &w->list->equation[e];
  if (w->program->pool->nodes[x->node].op == EXPR_CALL) {
    print_call(w, e, declares && w->part[e] == 0);
    return;
  }
  const char *name = w->scope.name[e];
  const int is_local = !strchr(name, '[');
  fprintf(w->out, "%s%s%s = ", indent, declares && is_local ? "const double " : "", name);
  emit_expression(&w->scope, x->node);
  fputs(";\n", w->out);
}


static void print_title(FILE *out, const char *title)
{
  fprintf(out, "\n  // %s\n", title);
}


// the equations e of one stage, ahead of its iterations or within; returns the first that is not
static int end_of_run(const cWriter *w, int e, int stage, int ahead)
{
  const eqnEquation *x = w->list->equation;
  while (e < w->list->n && x[e].stage == stage && x[e].ahead == ahead) e++;
  return e;
}


static void print_run(cWriter *w, int from, int to, int declares, const char *indent)
{
  int last = 0;
  for (int e = from; e < to; e++) {
    if (w->part[e] == 0) {
      print_equation(w, e, declares, indent);
    } else if (w->part[e] != last) {
      last = w->part[e];
      fprintf(w->out, "%s%s_%s_%d(p, c", indent, w->program->name, w->function->name, last);
      for (int k = 0; k < w->function->ninput; k++)
        fprintf(w->out, ", %s", w->function->input[k].name);
      fputs(", s, user);\n", w->out);
    }
  }
}


// variables that iterations change
static void print_variables(cWriter *w, int from, int to)
{
  int count = 0;
  for (int e = from; e < to; e++) {
    const char *name = w->scope.name[e];
    if (w->part[e] > 0 || strchr(name, '[')) continue;
    if (w->program->pool->nodes[w->list->equation[e].node].op == EXPR_CALL) {
      const eqnExternal *x =
          &w->program->external[expr_called(w->program->pool, w->list->equation[e].node)];
      fprintf(w->out, "%s%s[%d]", count++ ? ", " : "  double ", name, x->n);
    } else {
      fprintf(w->out, "%s%s", count++ ? ", " : "  double ", name);
    }
    if (count % 12 == 0) {
      fputs(";\n", w->out);
      count = 0;
    }
  }
  if (count > 0) fputs(";\n", w->out);
}


static void print_newton(cWriter *w, const eqnStage *stage, int from, int to)
{
  const exprPool *pool = w->program->pool;
  print_variables(w, from, to);
  fprintf(w->out, "  for (int iteration = 0;; iteration++) {\n");
  print_run(w, from, to, 0, "    ");
  fputs("    if (", w->out);
  emit_operand(&w->scope, stage->residual);
  fprintf(w->out, " <= %.17g) break;\n    if (iteration == %d) return 1;\n",
          stage->tolerance * stage->tolerance, stage->most);
  for (int i = 0; i < stage->nunknown; i++) {
    fprintf(w->out, "    %s += ", w->scope.symbol[pool->nodes[stage->unknown[i]].a]);
    emit_operand(&w->scope, stage->correction[i]);
    fputs(";\n", w->out);
  }
  fputs("  }\n", w->out);
}


static int print_stage(cWriter *w, int number, int e)
{
  const eqnStage *stage = &w->function->stage[number];
  const int ahead = end_of_run(w, e, number, 1), end = end_of_run(w, ahead, number, 0);
  if (e == end && stage->nunknown == 0) return e;
  print_title(w->out, stage->title);
  print_run(w, e, ahead, 1, "  ");
  if (stage->kind == STAGE_NEWTON) {
    print_newton(w, stage, ahead, end);
    return end;
  }
  print_run(w, ahead, end, 1, "  ");
  for (int i = 0; stage->kind == STAGE_ASSIGN && i < stage->nunknown; i++) {
    fprintf(w->out, "  %s = ", w->scope.symbol[w->program->pool->nodes[stage->unknown[i]].a]);
    emit_operand(&w->scope, stage->correction[i]);
    fputs(";\n", w->out);
  }
  return end;
}


static void print_outputs(cWriter *w)
{
  print_title(w->out, "results");
  for (int k = 0; k < w->function->noutput; k++) {
    const eqnVector *v = &w->function->output[k];
    for (int i = 0; i < v->n; i++) {
      char place[200];
      snprintf(place, sizeof place, "%.150s[%d]", v->name, i);
      const int e = v->node[i] < w->list->nnode ? w->list->equation_of[v->node[i]] : -1;
      if (e >= 0 && strcmp(w->scope.name[e], place) == 0) continue;
      fprintf(w->out, "  %s = ", place);
      emit_operand(&w->scope, v->node[i]);
      fputs(";\n", w->out);
    }
  }
}


//---- functions -----------------------------------------------------------------------------------

static void print_unused(FILE *out, const eqnFunction *f)
{
  fputs("  (void) p;\n  (void) c;\n  (void) user;\n", out);
  for (int k = 0; k < f->ninput; k++) fprintf(out, "  (void) %s;\n", f->input[k].name);
}


static void print_parts(cWriter *w)
{
  const eqnFunction *f = w->function;
  int e = 0;
  while (e < w->list->n && w->part[e] == 0) e++;
  while (e < w->list->n) {
    const int part = w->part[e], stage = w->list->equation[e].stage;
    const int declares = 1;
    fprintf(w->out, "// %s\n", f->stage[stage].title);
    fprintf(w->out, "static void %s_%s_%d(const %s_parameters *p, const %s_%s_constants *c, ",
            w->program->name, f->name, part, w->program->name, w->program->name, f->name);
    print_arguments(w->out, f, 0, 0);
    fputs(", double *s, void *user)\n{\n", w->out);
    print_unused(w->out, f);
    for (; e < w->list->n && w->part[e] == part; e++) print_equation(w, e, declares, "  ");
    fputs("}\n\n", w->out);
  }
}


static void print_prepare(cWriter *w)
{
  const eqnProgram *p = w->program;
  fprintf(w->out, "void %s_%s_prepare(const %s_parameters *p, %s_%s_constants *c)\n{\n", p->name,
          w->function->name, p->name, p->name, w->function->name);
  fputs("  (void) p;\n", w->out);
  const int n = count_constants(w->list);
  for (int e = 0; e < n; e++) print_equation(w, e, 0, "  ");
  if (n == 0) fputs("  c->k[0] = 0;\n", w->out);
  fputs("}\n\n", w->out);
}


static void print_function(cWriter *w)
{
  print_prepare(w);
  print_parts(w);
  print_head(w->out, w->program, w->function);
  fputs("\n{\n", w->out);
  print_unused(w->out, w->function);
  if (w->nshared > 0) fprintf(w->out, "  double s[%d]; // what the parts share\n", w->nshared);
  int e = count_constants(w->list);
  for (int k = 0; k < w->function->nstage; k++) e = print_stage(w, k, e);
  print_outputs(w);
  fputs("  return 0;\n}\n\n", w->out);
}


static void print_defaults(FILE *out, const eqnProgram *p)
{
  fprintf(out, "void %s_default(%s_parameters *p)\n{\n", p->name, p->name);
  for (int i = 0; i < p->parameter.n; i++) {
    fprintf(out, "  p->%s = ", p->parameter.label[i]);
    emit_number(out, &emit_dialect[EMIT_C], p->value[i]);
    fputs(";\n", out);
  }
  if (p->parameter.n == 0) fputs("  p->none = 0;\n", out);
  fputs("}\n\n", out);
}


static void print_provenance(FILE *out, const eqnProgram *p)
{
  fprintf(out,
          "// %s: equations of motion.\n//\n// Made by Articula from %s. This text is free of any "
          "licence.\n// SI units, radians.\n",
          p->title && *p->title ? p->title : p->name, p->source);
}


//---- lists ---------------------------------------------------------------------------------------

// lists of all functions of a program; 0 when memory ran out
static int make_lists(const eqnProgram *p, const eqnOptions *options, eqnList **lists)
{
  const eqnOptions standard = eqn_default_options();
  for (int i = 0; i < p->nfunction; i++) {
    lists[i] = eqn_list_create(p, &p->function[i], options->passes ? options : &standard);
    if (!lists[i]) return 0;
  }
  return 1;
}


static void declare_all(FILE *out, const eqnProgram *p, eqnList *const *lists)
{
  print_parameters(out, p);
  print_externals(out, p);
  for (int i = 0; i < p->nfunction; i++) declare(out, p, lists[i]->function, lists[i]);
}


static int print_all(FILE *out, const eqnProgram *p, const emitOptions *options,
                     eqnList *const *lists)
{
  print_defaults(out, p);
  for (int i = 0; i < p->nfunction; i++) {
    cWriter w = {.out = out,
                 .program = p,
                 .function = lists[i]->function,
                 .list = lists[i],
                 .scope = {.out = out, .dialect = &emit_dialect[EMIT_C], .list = lists[i]},
                 .limit = options->statements > 0 ? options->statements : DEFAULT_STATEMENTS};
    const int made = name_symbols(&w) && name_variables(&w);
    if (made) print_function(&w);
    arena_free(&w.arena);
    if (!made) return 0;
  }
  return 1;
}


static artStatus with_lists(FILE *out, const eqnProgram *p, const emitOptions *options,
                            int declarations, int definitions, artError *error)
{
  eqnList **lists = NULL;
  baseArena arena = {0};
  lists = arena_alloc(&arena, (size_t) p->nfunction, sizeof *lists);
  int made = lists && make_lists(p, &options->equations, lists);
  if (made && declarations) declare_all(out, p, lists);
  if (made && definitions) made = print_all(out, p, options, lists);
  for (int i = 0; lists && i < p->nfunction; i++) eqn_list_free(lists[i]);
  arena_free(&arena);
  if (!made) return base_no_memory(error);
  if (!ferror(out)) return ART_OK;
  return base_fail(error, ART_IO, base_nowhere(), "the generated text could not be written");
}


const char *emit_c_external(const eqnExternal *external)
{
  return external->name;
}


artStatus emit_c_header(FILE *out, const eqnProgram *p, artError *error)
{
  const emitOptions options = {0};
  print_provenance(out, p);
  fprintf(out, "#ifndef %s_h\n#define %s_h\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
          p->name, p->name);
  const artStatus status = with_lists(out, p, &options, 1, 0, error);
  fputs("#ifdef __cplusplus\n}\n#endif\n\n#endif\n", out);
  return status;
}


artStatus emit_c(FILE *out, const eqnProgram *p, const emitOptions *options, artError *error)
{
  print_provenance(out, p);
  fputs("#include <math.h>\n\n", out);
  if (options->header) fprintf(out, "#include \"%s\"\n\n", options->header);
  return with_lists(out, p, options, options->header == NULL, 1, error);
}
