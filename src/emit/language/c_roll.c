// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Long functions in C whose statements are in loops: all variables are elements of `s`, parameters are read by their
// numbers, and parts of bounded length are called one after another.
#include "emit/file_job.h"
#include "emit/language/c.h"
#include "emit/write/angles.h"

typedef struct rolledFunction {
  emitWriter *w;
  rollText roll;
  int is_constant;  // of constants, which follow from parameters alone
  int npart, first; // parts, and how many the function had before them
} rolledFunction;

//---- statements ----------------------------------------------------------------------------------

static void put_rolled_statement(void *context, int depth, const char *text, size_t length)
{
  writer_put(context, depth, text, length);
}


static void put_title(void *context, int depth, const char *title)
{
  writer_title(context, depth, title);
}


static void collect_rolled_text(emitWriter *w, rollText *roll, int is_constant)
{
  w->roll = roll;
  angles_forget(w);
  writer_body(w, is_constant ? WRITER_CONSTANTS : WRITER_WHOLE, 1);
  if (is_constant && w->nconst == 0) writer_say(w, 1, "c->k[0] = 0;");
  w->roll = NULL;
}


static void try_to_roll(emitWriter *w, void *pays)
{
  enum { GAIN = 4 }; // lines of the text before for one of that after
  rollText roll = {.arena = &w->arena};
  collect_rolled_text(w, &roll, 0);
  *(int *) pays = GAIN * roll_find_loops(&roll) <= roll.n;
}


int job_pays_to_roll(const emitJob *job, const eqnList *list)
{
  int pays = 0;
  emitWriter w = writer_prepare(NULL, &c_syntax, list, job->external, job->options, 1);
  writer_attempt(&w, try_to_roll, &pays);
  writer_close(&w);
  return pays;
}


//---- parts ---------------------------------------------------------------------------------------

static void print_rolled_part(rolledFunction *f, int part)
{
  emitWriter *w = f->w;
  FILE *out = w->out;
  writer_begin_aside(w);
  roll_print_part(&f->roll, part, &(rollOut){w, put_rolled_statement, put_title});
  const char *body = writer_end_aside(w);
  fprintf(w->statement,
          "static int %s_%d(const %s_parameters *restrict p, %s%s_constants *restrict c", w->name,
          f->first + part, w->program->name, f->is_constant ? "" : "const ", w->name);
  if (!f->is_constant) {
    c_print_vectors(w, "restrict ");
    if (w->nshared > 0) fputs(", double *restrict s", w->statement);
    if (w->nangle > 0) fputs(", double *restrict sine, double *restrict cosine", w->statement);
    fputs(", void *user", w->statement);
  }
  writer_say(w, 0, ")");
  fputs("{\n", out);
  const int has_parameters = c_mentions(body, "parameter");
  if (!has_parameters) c_mark_unused(out, body, "p");
  c_mark_unused(out, body, "c");
  if (!f->is_constant) {
    c_mark_unused_inputs(out, body, w->function);
    c_mark_unused_outputs(out, body, w->function);
    if (w->nshared > 0) c_mark_unused(out, body, "s");
    if (w->nangle > 0) c_mark_unused(out, body, "sine");
    if (w->nangle > 0) c_mark_unused(out, body, "cosine");
    c_mark_unused(out, body, "user");
  }
  if (has_parameters) {
    fputs("  const double *const parameter = (const double *) p; // all in their order\n", out);
  }
  fprintf(out, "%s  return 0;\n}\n\n\n", body);
}


// the first part that fails says how
static void call_parts(const rolledFunction *f)
{
  emitWriter *w = f->w;
  if (!f->is_constant) writer_say(w, 1, "int failed;");
  for (int part = 1; part <= f->npart; part++) {
    fputs(f->is_constant ? "(void) " : "if ((failed = ", w->statement);
    fprintf(w->statement, "%s_%d(p, c", w->name, f->first + part);
    if (f->is_constant) {
      writer_say(w, 1, ");");
      continue;
    }
    emit_inputs(w->statement, w->function, ", ");
    emit_outputs(w->statement, w->function, ", ");
    if (w->nshared > 0) fputs(", s", w->statement);
    if (w->nangle > 0) fputs(", sine, cosine", w->statement);
    writer_say(w, 1, ", user)) != 0) return failed;");
  }
}

//---- functions -----------------------------------------------------------------------------------

static void print_all(rolledFunction *f)
{
  emitWriter *w = f->w;
  collect_rolled_text(w, &f->roll, f->is_constant);
  roll_find_loops(&f->roll);
  f->npart = roll_cut(&f->roll, w->limit);
  for (int part = 1; part <= f->npart; part++) print_rolled_part(f, part);
  c_print_head(w, f->is_constant ? WRITER_CONSTANTS : WRITER_WHOLE, "restrict ");
  writer_end(w, 0);
  fputs("{\n", w->out);


  // variables that are too many for the stack of a thread have a place of their own in each
  enum { MOST = 1 << 15 };
  const char *storage = w->nshared + 2 * w->nangle > MOST ? "static _Thread_local " : "";
  if (!f->is_constant && w->nshared > 0) {
    fprintf(w->out, "  %sdouble s[%d]; // variables, and unknowns of its own\n", storage,
            w->nshared);
  }
  if (!f->is_constant && w->nangle > 0) {
    fprintf(w->out, "  %sdouble sine[%d], cosine[%d];\n", storage, w->nangle, w->nangle);
  }
  call_parts(f);
  fputs(f->is_constant ? "}\n\n\n" : "  return 0;\n}\n\n\n", w->out);
}


void c_print_rolled(emitWriter *w)
{
  rolledFunction constants = {.w = w, .roll.arena = &w->arena, .is_constant = 1};
  print_all(&constants);
  rolledFunction rest = {.w = w, .roll.arena = &w->arena, .first = constants.npart};
  print_all(&rest);
}
