// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as functions and kernels of CUDA, for many instances of which each has a thread. The same text is C for
// CPUs, where a loop stands instead of threads.
//
// Parameters, and constants that follow from them, are numbers in one row: one for all instances in constant memory, or one
// for each in device memory, side by side. Where the parameters are named that instances have of their own, these and what follows
// from them alone are there, all others in the row of all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "emit/gpu/team_tasks.h"
#include "emit/gpu/thread_partition.h"
#include "emit/language/c.h"
#include "emit/machine/machine.h"
#include "emit/write/angles.h"
#include "emit/write/precision.h"
#include "emit/write/spill_text.h"

enum {
  MAX_SHARES = 4,         // kinds of isomorphic branches whose threads share an instance
  MIN_SHARED = 2000,      // operations of an evaluation that threads share
  MAX_CHOICES = 64,       // of a text in lanes
  MAX_SPILLING = 8000,    // statements of a source that offers spills to shared memory
  LANES = 32,             // of a warp
  TEAM_NOTES = 3,         // numbers that each task of a team passes to the others
  MAX_SHARED = 227 << 10, // bytes of shared memory that a team may have
};

//---- functions -----------------------------------------------------------------------------------

// Lanes of a warp that have converged wait for the others; who cannot goes on, and says so at the end. In double precision the last
// correction is made, too, so that positions do not depend on which side of its limit the last bit of a residual is.
static void cuda_iterate(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  c_declare_variables(w, from, to, depth);
  const int status = stage->nunknown == 0 ? 2 : writer_status(w, stage);
  char counts[48] = "failed == 0"; // tasks of a team have loops in an order of their own
  if (w->syntax->iterate != cuda_iterate) {
    snprintf(counts, sizeof counts, "(failed == 0 || failed > %d)", status);
  }
  w->nloop++;
  if (stage->nunknown > 0) {
    writer_say(w, depth++, "for (int iteration = 0;; iteration++) {");
  }
  writer_run(w, from, to, depth, 0);
  const char *residual = writer_operand(w, stage->residual);
  const char *limit = writer_limit(w, stage);
  if (stage->nunknown == 0) {
    writer_say(w, depth, "if (!(%s <= %s) && %s) failed = %d;", residual, limit, counts, status);
    spill_store_late(w, from, to, depth);
    return;
  }
  const int is_double = precision_tolerance(w, stage->tolerance) == stage->tolerance;
  if (is_double) writer_increments(w, stage, depth);
  writer_say(w, depth, "if (%s <= %s) break;", residual, limit);
  writer_say(w, depth, "if (iteration == %d) {\n\tif (%s) failed = %d;\n\tbreak;\n}", stage->most,
             counts, status);
  if (!is_double) writer_increments(w, stage, depth);
  writer_say(w, --depth, "}");
  if (w->spill) writer_say(w, depth, "MEET;");
  spill_store_late(w, from, to, depth);
}


// lanes of a warp that have closed their loops wait for the others
static void iterate_in_team(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  cuda_iterate(w, stage, from, to, depth);
  writer_say(w, depth, "MEET;");
}


static void begin_equation(emitWriter *w, int e, int depth)
{
  spill_reload(w, e, depth);
  angles_print_missing(w, e, depth);
}


// the first reason of each lane counts
static void iterate_lanes(emitWriter *w, const eqnStage *stage, int from, int to, int depth)
{
  const int status = stage->nunknown == 0 ? 2 : writer_status(w, stage);
  lanes_iterate(w, stage, from, to, depth);
  lanes_correct(w, stage, "~", depth);
  writer_say(w, depth, "failed = lanes_pick(open%d & is_zero(failed), lanes_all(%d), failed);",
             w->nloop++, status);
}


// whether several threads of an instance have a share in it
static int is_share(const eqnFunction *f)
{
  return f->stage[0].meets > 0;
}


static int cuda_function_head(emitWriter *w, int which, const char *body)
{
  const int is_shared = is_share(w->function);
  const int has_lanes = w->syntax->iterate == iterate_lanes;
  FILE *out = w->out;
  const int is_constant =
      which == WRITER_CONSTANTS || (which > 0 && writer_part_stage(w, which) < 0);
  fprintf(w->statement, "%s %s", which > 0 ? "PART" : "HERE",
          which != WRITER_WHOLE ? "void "
          : has_lanes           ? "real "
                                : "int ");
  fprintf(w->statement, "%s", w->name);
  if (which > 0) fprintf(w->statement, "_%d", which);
  if (which == WRITER_CONSTANTS) fputs("_prepare", w->statement);
  fputs(is_constant ? "(real *known, long stride" : "(const real *own, long n", w->statement);
  if (!is_constant) {
    if (is_shared) fputs(", int until", w->statement);
    c_print_vectors(w, is_shared ? "" : "restrict "); // what threads hand over, they meet
    if (which > 0) fputs(", real *restrict s", w->statement);
  }
  fputc(')', w->statement);
  writer_end(w, 0);
  fputs("{\n", out);
  if (w->nangle > 0 && c_mentions(body, "sine")) {
    fprintf(out, "  real sine[%d], cosine[%d];\n", w->nangle, w->nangle);
  }
  if (w->nangle > 0 && c_mentions(body, "single_sine")) {
    fprintf(out, "  single single_sine[%d], single_cosine[%d];\n", w->nangle, w->nangle);
  }
  if (is_constant) {
    fputs("  KNOWN_IN_ROW;\n", out);
    return 1;
  }
  fputs(is_shared ? "  KNOWN_OF_SUBTREE;\n" : "  KNOWN;\n", out);
  c_mark_unused_inputs(out, body, w->function);
  c_mark_unused_outputs(out, body, w->function);
  if (which > 0) c_mark_unused(out, body, "s");
  if (which == WRITER_WHOLE) {
    fputs(has_lanes ? "  real failed = lanes_all(0);\n" : "  int failed = 0;\n", out);
  }
  if (which == WRITER_WHOLE && w->nshared > 0) fprintf(out, "  real s[%d];\n", w->nshared);
  if (which == WRITER_WHOLE && w->spill) {
    const int slow = w->spill->plan.nplace - SHARED_SPILLS;
    fprintf(out, "  PLACES(%d);\n", slow > 0 ? slow : 1);
  }
  return 1;
}


static void cuda_function_foot(emitWriter *w, int which)
{
  if (which == WRITER_WHOLE) writer_say(w, 1, "return failed;");
  writer_say(w, 0, "}");
}


// spellings with numbers of a type
#define CUDA_DIALECT(real, cast, quotient, inverse, element)                                       \
  {                                                                                                \
    .spelling = {EMIT_COMMON("", "%s*%s", quotient),                                               \
                 [EXPR_ABS] = "fabs(%s)",                                                          \
                 [EXPR_SIGN] = "(" real ") ((%s > 0) - (%s < 0))",                                 \
                 [EXPR_FLOOR] = "floor(%s)",                                                       \
                 [EXPR_POW] = "pow(%s, %s)",                                                       \
                 [EXPR_HYPOT] = "hypot(%s, %s)",                                                   \
                 [EXPR_MIN] = "fmin(%s, %s)",                                                      \
                 [EXPR_MAX] = "fmax(%s, %s)",                                                      \
                 [EXPR_MOD] = "%s - %s*floor(%s/%s)",                                              \
                 EMIT_C_CONDITIONS},                                                               \
    .index = element, .whole = ".0", .exponent = "e",                                              \
    .infinity = {"-(" real ") INFINITY", "(" real ") INFINITY"}, .nan = "(" real ") NAN",          \
    .narrow = cast, .one_over = inverse, .is_true = "%s != 0", .truth = "(" real ") (%s)"          \
  }

static const emitDialect single_dialect =
    CUDA_DIALECT("single", "(single) ", "%s/%s", NULL, "%s[%d]");

// the syntax that texts of one instance and of lanes have in common
#define CUDA_FRAME                                                                                 \
  .comment = "//", .end = ";", .more = "", .width = 100, .indent = 2, .has_increment = 1,          \
  .when_end = "}", .newton.limit = "(iteration > 0 ? %s : %s)", .call_part = "",                   \
  .part_begin = {"own, n", "known, stride"}, .part_end = {", s);", ");"}, .parameter = "P(%s)",    \
  .constant = "C(%d)", .real = "real", .local = "const real ", .has_free_places = 1,               \
  .is_prefixed = 1, .gap = "\n\n", .head = cuda_function_head, .foot = cuda_function_foot

const emitSyntax cuda_syntax = {
    .name = "cuda",
    .ending = ".cu",
    .dialect = CUDA_DIALECT("real", NULL, "over(%s, %s)", "one_over(%2)", "%s[%d]"),
    .single = &single_dialect,
    CUDA_FRAME,
    .statements = 1000, // of parts: fewer values go through local memory than with short ones
    .uncut = 20000,     // with -Xptxas=-O1, which keeps the order of the text
    .when = "if (%s) {",
    .sincos = "sine_and_cosine",
    .angles = angles_begin,
    .before = begin_equation,
    .after = spill_store,
    .declare = c_declare_variables,
    .iterate = cuda_iterate,
};

// the same in tasks of a team
static const emitSyntax cuda_team_syntax = {
    .dialect = CUDA_DIALECT("real", NULL, "over(%s, %s)", "one_over(%2)", "AT_%s(%d)"),
    CUDA_FRAME,
    .statements = 1000,
    .uncut = 20000,
    .when = "if (%s) {",
    .sincos = "sine_and_cosine",
    .angles = angles_begin,
    .before = angles_print_missing,
    .declare = c_declare_variables,
    .iterate = iterate_in_team,
};

// the same in lanes of a CPU, in short parts, as all C has them
static const emitSyntax cuda_lanes_syntax = {
    .dialect = LANES_DIALECT,
    CUDA_FRAME,
    .statements = 100,
    .sincos = "lanes_sincos",
    .when = "if (lanes_any(%s)) {",
    .choice = "lanes_pick(%s, %s, %s)",
    .angles = angles_print,
    .before = angles_print_missing,
    .iterate = iterate_lanes,
};


static const emitSyntax *cuda_syntax_of(const machineText *t)
{
  return t->parts->part[0].job.options->lanes ? &cuda_lanes_syntax : &cuda_syntax;
}


static int has_lanes(const machineText *t)
{
  return cuda_syntax_of(t) == &cuda_lanes_syntax;
}

//---- conditions of the text --------------------------------------------------------------------

static int *cuda_condition(machineText *t, const char *name)
{
  templateCondition *c = t->where;
  while (c->name && strcmp(c->name, name) != 0) c++;
  ART_ASSERT(c->name);
  return &c->holds;
}


static int has_derivatives(const machineText *t)
{
  return eqn_function(t->simulation->program[0], EQN_ACCELERATE_TANGENT) != NULL;
}

//---- data ----------------------------------------------------------------------------------------

static void print_of(const machineText *t, const char *const *text, const char *section,
                     const char *word, const char *other)
{
  template_print(t->out, text, section,
                 &(templateValues){.name = t->name,
                                   .function = t->parts->part[0].program.name,
                                   .word = word,
                                   .other = other,
                                   .conditions = t->where});
}


static void cuda_print_section(const machineText *t, const char *section, const char *word,
                               const char *other)
{
  print_of(t, has_lanes(t) ? cuda_lanes_text : cuda_text, section, word, other);
}


// the places of parameters in the row of numbers, then of constants of each function; 0: there is no memory
static int print_places(const machineText *t)
{
  const eqnProgram *p = &t->parts->part[0].program;
  int place = 0;
  fputs("// Where parameters are in the row of numbers of an instance, and constants after them.\n"
        "enum {\n",
        t->out);
  for (int i = 0; i < p->parameter.n; i++) {
    const char *remark = p->remark ? p->remark[i] : NULL;
    fprintf(t->out, "  p_%s = %d,%s%s\n", p->parameter.label[i], place++, remark ? " // " : "",
            remark ? remark : "");
  }
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    for (int k = 0; k < job->program->nfunction; k++) {
      fprintf(t->out, "  k_%s_%s = %d,\n", job->program->name, job->program->function[k].name,
              place);
      const int n = machine_constants(job, cuda_syntax_of(t), k);
      if (n < 0) return 0;
      place += n;
    }
  }
  fprintf(t->out, "  %s_NKNOWN = %d\n};\n\n", t->name, place > 0 ? place : 1);
  fprintf(t->out, "#define %s_HAS_TANGENT %d\n", t->name, has_derivatives(t));
  fprintf(t->out, "#define MANY_KNOWN %d // more than constant memory holds\n\n", place > 8000);
  return 1;
}


// all of them; -1: there is no memory
static int count_known(const machineText *t)
{
  int n = t->parts->part[0].program.parameter.n;
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    for (int k = 0; k < job->program->nfunction; k++) {
      const int own = machine_constants(job, cuda_syntax_of(t), k);
      if (own < 0) return -1;
      n += own;
    }
  }
  return n > 0 ? n : 1;
}


static int is_own(const emitOptions *options, const char *name)
{
  for (int i = 0; i < options->nown; i++) {
    if (strcmp(options->own[i], name) == 0) return 1;
  }
  return 0;
}


// the next number of the row: its place among an instance's own numbers, if it is one of them
static void print_place(FILE *out, int is_meant, int *count)
{
  fprintf(out, "%d, ", is_meant ? (*count)++ : -1);
}


// Constants of a function, of which those that follow from own parameters have places; 0: there is no memory. Texts for devices
// have no loops over branches alike, whose constants would stand once more after these.
static int print_own_constants(const machineText *t, const emitJob *job, int function, int *count)
{
  ART_ASSERT(function >= 0 && function < job->program->nfunction);
  const eqnProgram *p = job->program;
  const eqnList *list = job->list[function];
  ART_ASSERT(list->nset == 0);
  unsigned char *is_meant = MEM_ARRAY(unsigned char, p->parameter.n + 1);
  unsigned char *follows = MEM_ARRAY(unsigned char, list->pool->count + 1);
  int ok = is_meant && follows;
  if (ok) {
    for (int k = 0; k < p->nuser; k++) is_meant[k] = is_own(job->options, p->user[k].name) != 0;
    eqn_mark_followers(list, is_meant, follows);
    const int n = machine_constants(job, cuda_syntax_of(t), function);
    ok = n >= 0;
    for (int e = 0; e < n; e++) print_place(t->out, follows[list->equation[e].node], count);
  }
  mem_free(is_meant);
  mem_free(follows);
  return ok;
}


// which numbers of the row instances have of their own, and where
static int print_own(const machineText *t)
{
  const eqnProgram *p = &t->parts->part[0].program;
  const emitOptions *options = t->parts->part[0].job.options;
  int ok = 1, count = 0;
  if (!options->own || has_lanes(t)) {
    fprintf(t->out, "enum { %s_NOWN = %s_NKNOWN };\n\n", t->name, t->name);
    return 1;
  }
  fprintf(
      t->out,
      "// Where numbers stand of which each instance has its own with %s_VARIED; -1: that of all.\n"
      "#define SOME_OWN\nTABLE static const int place[] = {",
      t->name);
  for (int k = 0; k < p->parameter.n; k++) {
    print_place(t->out, k < p->nuser && is_own(options, p->user[k].name), &count);
  }
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    for (int k = 0; k < job->program->nfunction; k++) {
      ok = ok && print_own_constants(t, job, k, &count);
    }
  }
  fprintf(t->out, "-1};\nenum { %s_NOWN = %d };\n\n", t->name, count);
  return ok;
}


// How many numbers derivatives have; *from: where the matrix of this name begins among them, or -1, and how many it has.
static int count_derivatives(const eqnProgram *p, const char *name, int from[2])
{
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE_TANGENT);
  int n = 0;
  if (from) from[0] = -1, from[1] = 0;
  for (int k = 0; f && k < f->noutput; k++) {
    if (name && strcmp(f->output[k].name, name) == 0) from[0] = n, from[1] = f->output[k].n;
    n += f->output[k].n;
  }
  return n;
}


// Tables for hosts say which derivatives an instance has, by the choice that leads it.
static void print_derivatives(const machineText *t)
{
  static const char *const names[] = {"a_q", "a_v", "a_tau", "a_state", "a_u"};
  enum { NAMES = sizeof names / sizeof *names };
  int most = 1;
  for (int i = 0; i < t->parts->n; i++) {
    const int n = t->parts->part[i].program.nfree;
    most = n > most ? n : most;
  }
  fprintf(t->out,
          "// Derivatives of an instance, by the choice that leads it: where those by positions, "
          "velocities, joint forces, "
          "states and inputs\n// begin in T, -1: all are zero, and how many there are; and which "
          "velocities are free, -1: no "
          "more.\n#ifndef __CUDACC_RTC__\nconst int %s_matrix[%d][%d][2] = {\n",
          t->name, t->parts->n, NAMES);
  for (int i = 0; i < t->parts->n; i++) {
    fputs("  {", t->out);
    for (int k = 0; k < NAMES; k++) {
      int from[2];
      count_derivatives(&t->parts->part[i].program, names[k], from);
      fprintf(t->out, "{%d, %d},%s", from[0], from[1], k < NAMES - 1 ? " " : "},\n");
    }
  }
  fprintf(t->out, "};\nconst int %s_free[%d][%d] = {\n", t->name, t->parts->n, most);
  for (int i = 0; i < t->parts->n; i++) {
    const eqnProgram *p = &t->parts->part[i].program;
    for (int k = 0; k < most; k++) {
      fprintf(t->out, "%s%d", k == 0 ? "  {" : ", ", k < p->nfree ? p->free[k] : -1);
    }
    fputs("},\n", t->out);
  }
  fputs("};\n#endif\n\n", t->out);
}


// whether evaluations change the state that they are handed
static int has_unknowns(const machineText *t)
{
  int n = 0;
  for (int i = 0; i < t->parts->n; i++) {
    const eqnFunction *f = eqn_function(&t->parts->part[i].program, EQN_ACCELERATE);
    for (int k = 0; k < f->nstage; k++) n += f->stage[k].kind != STAGE_STRAIGHT;
  }
  return n > 0;
}


static void cuda_print_sizes(const machineText *t)
{
  fputs("enum {\n", t->out);
  for (int i = 0; i < MACHINE_SIZES; i++) {
    fprintf(t->out, "  %s_%s = %d, // %s\n", t->name, machine_sizes[i].name, machine_size(t, i),
            machine_sizes[i].what);
  }
  int n = 0;
  for (int i = 0; i < t->parts->n; i++) {
    const int own = count_derivatives(&t->parts->part[i].program, NULL, NULL);
    n = own > n ? own : n;
  }
  fprintf(t->out,
          "  %s_NT = %d, // numbers of all derivatives\n  %s_NX = %s_NQ + %s_NV + %s_NS + 1, // "
          "states: positions, velocities, others, work\n};\n\n",
          t->name, n, t->name, t->name, t->name, t->name);
  fprintf(t->out, "enum { MAY_JUMP = %d }; // velocities, where states are made consistent\n\n",
          has_unknowns(t));
  if (!t->shares) return;
  fprintf(t->out, "enum { THREADS = %d }; // of an instance, with %s_SUBTREES\n\n",
          t->shares->nthread, t->name);
}


// vectors of numbers that the device reads
static void cuda_print_vector(const machineText *t, const char *name, int nvector, const int *n,
                              const double *const *x)
{
  fputs("TABLE ", t->out);
  simulation_print_numbers(t->out, name, nvector, n, x);
}


static void print_start(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  const eqnProgram *p = &t->parts->part[0].program;
  const int nq = s->positions.n, nv = s->velocities.n, ns = simulation_state_count(p);
  fputs("// the state at the beginning, inputs, parameters\n", t->out);
  cuda_print_vector(t, "initial", 3, (const int[]){nq, nv, ns},
                    (const double *const[]){s->q, s->v, s->state});
  fputs("TABLE ", t->out);
  simulation_print_inputs(t->out, s);
  cuda_print_vector(t, "usual", 1, &p->parameter.n, (const double *const[]){p->value});
  if (s->nclock + s->nrelay > 0) {
    fprintf(t->out,
            "enum { CLOCKS = %d, NINPUT = %d }; // of samplers; held numbers follow inputs\n",
            s->nclock, s->ninput);
  }
  if (s->nrelay > 0) machine_print_relays(t, "TABLE ");
  simulation_print_times(t->out, s);
  if (s->ncorner > 0) simulation_print_corners(t->out, s, "TABLE ");
  const eqnVector *q = &eqn_function(p, EQN_ACCELERATE)->input[1];
  if (simulation_next_quaternion(q, 0) < 0) return;
  fputs("TABLE ", t->out);
  simulation_print_quaternions(t->out, q);
}

//---- evaluation ----------------------------------------------------------------------------------

// how a function is handed its vectors after its row of numbers
static void cuda_print_arguments(FILE *out, const eqnFunction *f)
{
  static const char *const place[][2] = {{"t", "&t"},
                                         {"q", "x"},
                                         {"v", "x + NQ"},
                                         {"state", "x + NQ + NV"},
                                         {"tau", "m->tau"},
                                         {"load", "m->tau"},
                                         {"u", "m->u"},
                                         {"run", "run"},
                                         {"impact", "m->impact"},
                                         {"y", "y"},
                                         {"due", "due"},
                                         {"u_next", "next"},
                                         {"clocks", "clocks"},
                                         {"margin", "g"},
                                         {"hold", "hold"},
                                         {"hand", "hand"},
                                         {"met", "met"},
                                         {"given", "given"}};
  static const char *const rates[][2] = {{"a", "rate + NQ"},
                                         {"state_rate", "rate + NQ + NV"},
                                         {"power", "rate + NX - 1"},
                                         {"qdot", "rate"}};
  int from = 0;
  for (int k = 0; k < f->ninput + f->noutput; k++) {
    const eqnVector *v = k < f->ninput ? &f->input[k] : &f->output[k - f->ninput];
    const char *own = NULL;
    for (size_t i = 0; i < sizeof place / sizeof *place && !own; i++) {
      if (strcmp(place[i][0], v->name) == 0) own = place[i][1];
    }
    for (size_t i = 0; i < sizeof rates / sizeof *rates && !own; i++) {
      if (strcmp(rates[i][0], v->name) == 0) own = rates[i][1];
    }
    if (own) {
      fprintf(out, ", %s", own);
    } else {
      fprintf(out, ", rest + %d", from); // results of their own, one after the other
      from += v->n;
    }
  }
}


// NAME_1_accelerate(m->own, m->n, &t, x, ...)
static void cuda_print_call(const machineText *t, int i, eqnFunctionKind function)
{
  ART_ASSERT(i >= 0 && i < t->parts->n);
  const eqnProgram *p = &t->parts->part[i].program;
  fprintf(t->out, "%s_%s(m->own, m->n", p->name, eqn_function_name(function));
  cuda_print_arguments(t->out, eqn_function(p, function));
  fputs(");\n", t->out);
}


// a function of all choices of independent coordinates
static void cuda_print_choices(const machineText *t, const char *head, eqnFunctionKind function)
{
  const int n = t->parts->n;
  if (has_lanes(t) && n > 1) {
    // of lanes, whose choices differ: accelerate_0(const instance *m, ...), accelerate_1 ..., and a merging one
    const char *arguments = strchr(head, '(');
    const int length = (int) (arguments - head);
    char list[20 * MAX_CHOICES] = "", section[40];
    for (int i = 0; i < t->parts->n; i++) {
      fprintf(t->out, "HERE real %.*s_%d%s\n{\n", length, head, i, arguments);
      if (function == EQN_OUTPUTS) fputs("  (void) run;\n", t->out);
      fputs("  return ", t->out);
      cuda_print_call(t, i, function);
      fputs("}\n\n\n", t->out);
      const size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%.*s_%d", i ? ", " : "", length, head, i);
    }
    snprintf(section, sizeof section, "choices of %.20s", eqn_function_name(function));
    cuda_print_section(t, section, NULL, list);
    return;
  }
  // steps that relays cut call it from many places
  fprintf(t->out, "%s %s %s\n{\n", t->simulation->nrelay > 0 ? "PART" : "HERE",
          has_lanes(t) ? "real" : "int", head);
  if (function == EQN_OUTPUTS) fputs("  (void) run;\n", t->out);
  if (function == EQN_RELAYS) fputs("  (void) hold;\n", t->out);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) fprintf(t->out, "  if (m->choice == %d) return ", i);
    if (i + 1 == n) fputs("  return ", t->out);
    cuda_print_call(t, i, function);
  }
  fputs("}\n\n\n", t->out);
}


// of one that is the same for all of them
static void print_common(const machineText *t, const char *head, const char *unused,
                         eqnFunctionKind function)
{
  fprintf(t->out, "HERE void %s\n{\n  (void) %s;\n  ", head, unused);
  cuda_print_call(t, 0, function);
  fputs("}\n\n\n", t->out);
}


// the mean of the strain of a choice, as a multiple of that where the choice was made
static void cuda_print_strains(const machineText *t)
{
  for (int i = 0; i < t->parts->n; i++) {
    const eqnProgram *p = &t->parts->part[i].program;
    if (!eqn_function(p, EQN_STRAIN)) continue; // latches that are engaged may close no loop
    const int n = eqn_function(p, EQN_STRAIN)->output[0].n;
    char name[300];
    snprintf(name, sizeof name, "%.250s_made", p->name);
    cuda_print_vector(t, name, 1, &n, &t->simulation->strain[i]);
  }
  fputs("\n\n// how far an instance is from where a choice was made\n"
        "HERE real weakness(const instance *m, int choice, const real *x)\n{\n  real sum = {0};\n",
        t->out);
  for (int i = 0; i < t->parts->n; i++) {
    const eqnProgram *p = &t->parts->part[i].program;
    if (!eqn_function(p, EQN_STRAIN)) continue;
    const int n = eqn_function(p, EQN_STRAIN)->output[0].n;
    fprintf(
        t->out,
        "  if (choice == %d) {\n    real strain[%d];\n    %s_strain(m->own, m->n, x, %sstrain);\n"
        "    for (int i = 0; i < %d; i++) sum += strain[i]/%s_made[i];\n    return "
        "sum/%d.0;\n  }\n",
        i, n, p->name, t->simulation->nlatch > 0 ? "m->u, " : "", n, p->name, n);
  }
  fputs("  return sum;\n}\n\n\n", t->out);
}


static void cuda_print_evaluation(const machineText *t)
{
  const eqnProgram *p = &t->parts->part[0].program;
  cuda_print_choices(t, "accelerate(const instance *m, real t, real *x, real *rate)",
                     EQN_ACCELERATE);
  print_common(t, "turn(const instance *m, real *x, real *rate)", "m", EQN_POSITION_RATES);
  cuda_print_choices(t, "show(const instance *m, real t, real *x, const real *run, real *y)",
                     EQN_OUTPUTS);
  if (eqn_function(p, EQN_MACHINE_ENERGY)) {
    print_common(t, "weigh(const instance *m, real t, real *x, real *rest)", "m",
                 EQN_MACHINE_ENERGY);
  }
  if (eqn_function(p, EQN_ACCELERATE_TANGENT)) {
    cuda_print_choices(t, "differentiate(const instance *m, real t, real *x, real *rest)",
                       EQN_ACCELERATE_TANGENT);
  }
  if (t->parts->n > 1) cuda_print_strains(t);
  if (t->simulation->nclock > 0) {
    cuda_print_choices(
        t, "take_sample(const instance *m, real t, real *x, const real *due, real *next)",
        EQN_SAMPLE);
    print_common(t, "find_clocks(const instance *m, real t, real *clocks)", "m", EQN_CLOCKS);
  }
  if (t->simulation->nrelay == 0) return;
  cuda_print_choices(t, "find_margins(const instance *m, real t, real *x, real *g, real *hold)",
                     EQN_RELAYS);
  emit_chapter(t->out, margin_search_text, "where a margin", "HERE");
  fputs("\n\n", t->out);
}


// Steps and motions from step to step. Instances in lanes, or in one, have the weights of the method of Dormand and Prince as text of C.
static void cuda_print_steps(const machineText *t)
{
  const emitSimulation *s = t->simulation;
  const int has_relays = s->nrelay > 0;
  if (s->nlatch > 0) machine_print_switching(t, "sets", NULL);
  cuda_print_section(t, "steps", NULL, NULL);
  if (s->nlatch > 0) machine_print_latches(t);
  if (has_relays) machine_print_switching(t, "relays", "PART");
  emit_chapter(t->out, runge_kutta_text, "weights of Dormand and Prince", "HERE");
  if (has_lanes(t)) {
    emit_chapter(t->out, runge_kutta_text, "steps whose length follows the error", "HERE");
    cuda_print_section(t, "adaptive steps", NULL, NULL);
    return;
  }
  emit_chapter(t->out, runge_kutta_text, "Runge-Kutta methods", "HERE");
  emit_chapter(t->out, runge_kutta_text, "the method of Dormand and Prince", "HERE");
  machine_print_steps(t);
  if (s->nclock > 0) machine_print_switching(t, "samplers", NULL);
  machine_print_switching(t, "one step", NULL);
  machine_print_advance(t, "_by_step");
  cuda_print_section(t, "adaptive steps", NULL, NULL);
  machine_print_adaptive_steps(t, "HERE");
  machine_print_advance(t, "_by_error");
  if (s->nclock + has_relays > 0) cuda_print_section(t, "held motion", NULL, NULL);
}


// Sets of warps that a block has room for, which have 32 instances each, up to eight warps in all; 0: none; -1: there is no memory.
static int count_teams(const machineText *t)
{
  enum { MAX_WARPS = 8, ROOM = (227 << 10) / 8 }; // numbers of shared memory
  const int known = count_known(t), rows = t->shares->nthread * known;
  const int most = MAX_WARPS / t->shares->nthread;
  if (known < 0) return -1;
  const int fit = rows < ROOM ? (ROOM - rows) / (2 * 32 * thread_partition_places(t->shares)) : 0;
  return fit < most ? fit : most;
}


// threads that share an instance: NAME_1_accelerate_limb_1(...) of the first family, ...; 0: there is no memory
static int cuda_print_shares(const machineText *t)
{
  const int teams = count_teams(t);
  const eqnShares *s = t->shares;
  const eqnProgram *p = &t->parts->part[0].program;
  fprintf(t->out,
          "#ifdef %s_SUBTREES\n#ifndef %s_TEAMS\n#define %s_TEAMS %d // of THREADS warps\n#endif\n",
          t->name, t->name, t->name, teams);
  thread_partition_print(t->out, s, p);
  cuda_print_section(t, "branches", NULL, NULL);
  fputs("FORCED int share_rates(int family, branch *s, int until, real t, real *hand, real *met, "
        "real *given)\n{\n  const instance *m = &s->m;\n  real *x = s->stage, *rate = s->rate;\n",
        t->out);
  for (int g = 0; g < s->n; g++) {
    const eqnFunction *f = &s->share[g].function;
    fprintf(t->out, "  if (family == %d) {\n    return %s_%s(m->own, m->n, until", g, p->name,
            f->name);
    cuda_print_arguments(t->out, f);
    fputs(");\n  }\n", t->out);
  }
  fputs("  return 0;\n}\n\n\nHERE void share_constants(int family, real *own)\n{\n", t->out);
  for (int g = 0; g < s->n; g++) {
    fprintf(t->out, "  if (family == %d) %s_%s_prepare(own, 1);\n", g, p->name,
            s->share[g].function.name);
  }
  fputs("}\n\n\n", t->out);
  cuda_print_section(t, "shares", NULL, NULL);
  return teams >= 0;
}

//---- the file ------------------------------------------------------------------------------------

static int is_long(const eqnList *list)
{
  const long weight = writer_weight(list);
  return weight > cuda_syntax.statements && weight <= cuda_syntax.uncut;
}


// Values of machines without loops, and of texts longer than a car's, wait too long for the room of shared memory.
static int spill_pays(const eqnList *list)
{
  int nloop = 0;
  for (int k = 0; k < list->function->nstage; k++) {
    nloop += list->function->stage[k].kind == STAGE_NEWTON;
  }
  return nloop > 0 && is_long(list) && writer_weight(list) <= MAX_SPILLING;
}


// evaluations of a long text that keeps its order, in double precision
static int has_spill(const emitWriter *w)
{
  return w->syntax == &cuda_syntax && w->function->kind == EQN_ACCELERATE &&
         w->part[w->list->n - 1] == 0 && w->list->nset == 0 && !w->is_narrow && spill_pays(w->list);
}


static void cuda_print_function(emitWriter *w)
{
  emit_about(w->out, w->list, "//", 0);
  fprintf(w->out, "#define C(i) KNOWN_AT(k_%s + (i))\n\n", w->name);
  const int waits = has_spill(w);
  if (waits) spill_open(w);
  writer_function(w);
  if (waits) spill_close(w);
  fputs("#undef C\n\n\n", w->out);
}


// vector types and their functions
static void cuda_print_lanes(const machineText *t)
{
  const templateCondition where[] = {{"[target]", 1}, {"[fixed]", 0}, {0}};
  const templateValues values = {.name = t->name, .conditions = where};
  template_print(t->out, lanes_text, "declared", &values);
  template_print(t->out, lanes_text, "included", &values);
  template_print(t->out, lanes_text, "defined", &values);
  emit_lines(t->out, lanes_math_text);
  fputs("\n\n", t->out);
  cuda_print_section(t, "defined", NULL, NULL);
}


//---- teams ---------------------------------------------------------------------------------------

typedef struct cudaTeam {
  emitTeam size;
  char *functions; // text of the tasks
} cudaTeam;


// One set of long equations in double precision, which nothing switches, with vectors that tasks of a team have at hand.
static int may_have_team(const machineText *t, const emitOptions *options)
{
  static const char *const at_hand[] = {"t",    "q",      "v", "state",      "u",     "tau",
                                        "load", "impact", "a", "state_rate", "power", NULL};
  const emitSimulation *s = t->simulation;
  const emitJob *job = &t->parts->part[0].job;
  const eqnFunction *f = eqn_function(job->program, EQN_ACCELERATE);
  if (s->tasks < 2 || t->shares || options->lanes || options->precision != ART_DOUBLE ||
      t->parts->n > 1 || s->nclock + s->ncorner + s->nrelay + s->nlatch > 0 ||
      f->ninput + f->noutput == 0 || !is_long(job->list[f - job->program->function])) {
    return 0;
  }
  for (int k = 0; k < f->ninput; k++) {
    if (!plain_is_one_of(f->input[k].name, at_hand)) return 0;
  }
  for (int k = 0; k < f->noutput; k++) {
    if (!plain_is_one_of(f->output[k].name, at_hand)) return 0;
  }
  return 1;
}


// numbers of an instance besides those that cross
static int cuda_column_of(const machineText *t, int tasks)
{
  const emitSimulation *s = t->simulation;
  const int nx =
      s->positions.n + s->velocities.n + simulation_state_count(&t->parts->part[0].program) + 1;
  return 2 * nx + TEAM_NOTES * tasks;
}


// the text of all tasks, for which no team is made where their numbers do not fit into shared memory
static int make_team(const machineText *t, cudaTeam *team)
{
  const emitJob *job = &t->parts->part[0].job;
  const eqnProgram *p = job->program;
  const int tasks = t->simulation->tasks, f = (int) (eqn_function(p, EQN_ACCELERATE) - p->function);
  const int turn = (int) (eqn_function(p, EQN_POSITION_RATES) - p->function);
  size_t length = 0;
  FILE *out = open_memstream(&team->functions, &length);
  team->size =
      (emitTeam){tasks, MAX_SHARED / (LANES * (int) sizeof(double)) - cuda_column_of(t, tasks), 0};
  int made = out && team_print(job, out, &cuda_team_syntax, job->list[f], &team->size);
  if (made && team->size.tasks > 0) {
    made = team_print_shares(job, out, &cuda_team_syntax, job->list[turn], team->size.tasks);
  }
  if (out && !file_close_text(out, &team->functions)) made = 0;
  return made;
}


static int print_machine(const machineText *t, const cudaTeam *team)
{
  char count[12];
  snprintf(count, sizeof count, "%d", t->parts->n);
  emit_provenance(t->out, &t->parts->part[0].program, "//");
  cuda_print_section(t, "head", NULL, NULL);
  if (has_lanes(t)) cuda_print_lanes(t);
  cuda_print_sizes(t);
  if (has_derivatives(t)) print_derivatives(t);
  if (!print_places(t) || !print_own(t)) return 0;
  cuda_print_section(t, "memory", count, NULL);
  print_of(t, cuda_text, "batch", NULL, NULL);
  cuda_print_section(t, "numbers", NULL, NULL);
  print_start(t);
  for (int i = 0; i < t->parts->n; i++) {
    const emitJob *job = &t->parts->part[i].job;
    if (!job_each_function(job, t->out, cuda_syntax_of(t), cuda_print_function)) return 0;
  }
  cuda_print_section(t, "instance", NULL, NULL);
  cuda_print_evaluation(t);
  cuda_print_steps(t);
  if (team->size.tasks > 0) {
    const emitTeam *x = &team->size;
    fprintf(t->out,
            "enum {\n  %s_TEAM = %d, // tasks\n  TEAM_PLACES = %d, // numbers that cross\n  "
            "TEAM_MESSAGES = %d,\n  TEAM_COLUMNS = 2*NX + TEAM_PLACES + %d*%s_TEAM,\n  "
            "%s_TEAM_BYTES = %d*8*TEAM_COLUMNS + 8*TEAM_MESSAGES\n};\n\n",
            t->name, x->tasks, x->nplace, x->nmessage, TEAM_NOTES, t->name, t->name, LANES);
    print_of(t, cuda_team_text, "team", NULL, NULL);
    fputs(team->functions, t->out);
  }
  if (t->shares && !cuda_print_shares(t)) return 0;
  cuda_print_section(t, "kernels", NULL, NULL);
  print_of(t, cuda_text, "begin", NULL, NULL);
  cuda_print_section(t, "prepare", NULL, NULL);
  for (int i = 0; i < t->parts->n; i++) {
    const eqnProgram *p = &t->parts->part[i].program;
    for (int k = 0; k < p->nfunction; k++) {
      fprintf(t->out, "    %s_%s_prepare(own, n);\n", p->name, p->function[k].name);
    }
  }
  cuda_print_section(t, "last kernels", NULL, NULL);
  if (team->size.tasks > 0) print_of(t, cuda_team_text, "kernel", NULL, NULL);
  return 1;
}


// A long function in one part is fastest where the assembler keeps its order: what it does to hide waiting needs registers.
// Sets of equations with other latches engaged may have loops where the first has none.
static void cuda_choose_order(machineText *t)
{
  int some_pay = 0;
  for (int k = t->parts->n - 1; k >= 0; k--) {
    const eqnProgram *p = &t->parts->part[k].program;
    const int i = (int) (eqn_function(p, EQN_ACCELERATE) - p->function);
    const eqnList *list = t->parts->part[k].job.list[i];
    *cuda_condition(t, "[fixed order]") = is_long(list);
    some_pay |= spill_pays(list);
  }
  *cuda_condition(t, "[spills]") &= some_pay;
}


// machines that are nothing but a tree with elements: no states besides its own, nothing that switches, no team
static int may_be_shared(const emitSimulation *s, const emitOptions *options)
{
  return s->nprogram == 1 && (s->tasks < 2 || s->prefers_subtrees) &&
         s->nclock + s->ncorner + s->nrelay + s->nlatch == 0 && !s->is_switched &&
         simulation_state_count(s->program[0]) == 0 && !options->lanes && !options->own &&
         options->precision == ART_DOUBLE;
}


int emit_partitions_subtrees(const eqnProgram *p)
{
  eqnShares shares = {0};
  baseArena arena = {0};
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE);
  const int made = !f || eqn_share(&shares, p, f, MIN_SHARED, &arena);
  arena_free(&arena);
  return made ? shares.n > 0 : -1;
}


// functions that the text needs, and its conditions; shares NULL: each instance has one thread
static artStatus cuda_open_text(machineText *t, simulationParts *parts, threadPartition *shares,
                                FILE *out, const emitSimulation *s, const emitOptions *options,
                                artError *error)
{
  const eqnProgram *p = s->program[0];
  const int has_run = s->counts_work || eqn_input(eqn_function(p, EQN_OUTPUTS), "run") != NULL;
  const int has_linear = eqn_function(p, EQN_ACCELERATE_TANGENT) != NULL;
  const int has_choices = s->nprogram > 1, has_held = s->nclock + s->nrelay > 0;
  const int has_energy = has_run || s->nlatch > 0;
  const eqnVector *q = &eqn_function(p, EQN_ACCELERATE)->input[1];
  simulationNeed needs[10 + MAX_SHARES] = {
      {EQN_ACCELERATE, 1, 0, NULL}, {EQN_OUTPUTS, 1, 0, NULL}, {EQN_POSITION_RATES, 1, 1, NULL}};
  int n = 3;
  if (has_choices) needs[n++] = (simulationNeed){EQN_STRAIN, s->nlatch == 0, 0, NULL};
  if (has_linear) needs[n++] = (simulationNeed){EQN_ACCELERATE_TANGENT, 1, 0, NULL};
  if (has_energy) needs[n++] = (simulationNeed){EQN_MACHINE_ENERGY, 1, 1, NULL};
  if (s->nclock > 0) {
    needs[n++] = (simulationNeed){EQN_SAMPLE, 1, 0, NULL};
    needs[n++] = (simulationNeed){EQN_CLOCKS, 1, 1, NULL};
  }
  if (s->nrelay > 0) needs[n++] = (simulationNeed){EQN_RELAYS, 1, 0, NULL};
  emitSimulation own = *s;
  own.without_power = !has_run;
  if (shares && may_be_shared(s, options) &&
      !thread_partition_open(shares, &own, MIN_SHARED, needs)) {
    return base_no_memory(error);
  }
  const int has_shares = shares && shares->shares.n > 0;
  *t = (machineText){.out = out,
                     .name = p->name,
                     .simulation = s,
                     .parts = parts,
                     .shares = has_shares ? &shares->shares : NULL,
                     .where = {{"[run]", has_run},
                               {"[linear]", has_linear},
                               {"[choices]", has_choices},
                               {"[switched]", s->is_switched},
                               {"[jumps]", s->ncorner > 0},
                               {"[quaternions]", simulation_next_quaternion(q, 0) >= 0},
                               {"[fixed order]", 0}, // cuda_choose_order decides
                               {"[spills]", options->precision == ART_DOUBLE && !options->lanes},
                               {"[samplers]", s->nclock > 0},
                               {"[single]", options->precision != ART_DOUBLE},
                               {"[all single]", options->precision == ART_FLOAT},
                               {"[mixed]", options->precision == ART_MIXED},
                               {"[relays]", s->nrelay > 0},
                               {"[turns]", s->nrelay > 0},
                               {"[sides]", 0},
                               {"[dips]", 0},
                               {"[paths]", 0},
                               {"[halves]", 0},
                               {"[retries]", 0},
                               {"[unproved]", 0},
                               {"[look]", 0},
                               {"[wheels]", 0},
                               {"[looks]", 0},
                               {"[program]", 1},
                               {"[product]", 0},
                               {"[device]", 1},
                               {"[latches]", s->nlatch > 0},
                               {"[held]", has_held},
                               {"[struck]", s->ncorner + s->nlatch > 0},
                               {"[energy]", has_energy},
                               {"[own]", options->own && !options->lanes},
                               {"[shares]", has_shares},
                               {"[team]", 0}}};
  *parts = (simulationParts){0};
  const artStatus status = simulation_open(parts, out, &own, needs, options, EMIT_SINGLE, error);
  if (status == ART_OK) cuda_choose_order(t);
  for (int i = 0; i < parts->n; i++) {
    parts->part[i].program.name = arena_format(&parts->arena, "%s_%d", p->name, i + 1);
    if (!parts->part[i].program.name) return base_no_memory(error);
  }
  return status;
}


// where nothing switches and all numbers are double
static int may_have_lanes(const emitSimulation *s, const emitOptions *options)
{
  return s->nclock == 0 && s->ncorner == 0 && s->nrelay == 0 && s->nlatch == 0 &&
         s->nprogram <= MAX_CHOICES && options->precision == ART_DOUBLE &&
         !eqn_function(s->program[0], EQN_ACCELERATE_TANGENT);
}


artStatus emit_cuda(FILE *out, const emitSimulation *s, const emitOptions *options, int *tasks,
                    artError *error)
{
  machineText t = {0};
  simulationParts parts = {0};
  const artStatus checked = simulation_check_externals(s->program[0], "a source for GPUs", error);
  if (checked != ART_OK) return checked;
  emitOptions own = *options;
  own.names_loops = 1;
  if (!may_have_lanes(s, options)) own.lanes = 0;
  if (!own.lanes) own.equations.for_registers = cuda_syntax.statements;
  cudaTeam team = {0};
  threadPartition shares = {0};
  artStatus status = cuda_open_text(&t, &parts, &shares, out, s, &own, error);
  const int teams = status == ART_OK && t.shares ? count_teams(&t) : 1;
  if (teams < 0) status = base_no_memory(error);
  if (teams == 0) {
    simulation_close(&parts, status, NULL);
    status = cuda_open_text(&t, &parts, NULL, out, s, &own, error);
  }
  if (status == ART_OK && may_have_team(&t, &own) && !make_team(&t, &team)) {
    status = base_no_memory(error);
  }
  if (status == ART_OK) *cuda_condition(&t, "[team]") = team.size.tasks > 0;
  *tasks = team.size.tasks > 0 ? team.size.tasks : 1;
  if (status == ART_OK && !print_machine(&t, &team)) status = base_no_memory(error);
  free(team.functions);
  status = simulation_close(&parts, status, error);
  thread_partition_close(&shares);
  return status;
}
