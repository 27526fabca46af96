// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A complete simulator in one C file: the equations, two integrators, a table on standard output.
#include <math.h>
#include <string.h>

#include "emit/job.h"
#include "emit/text.h"
#include "emit/writer.h"

//---- pieces of the file --------------------------------------------------------------------------

// The state is y = (q, v, slip), and every evaluation closes the loops and follows the drives first.
static const char *const head =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";

static const char *const evaluation =
    "typedef struct machine {\n"
    "  %s_parameters p;\n"
    "  %s_accelerate_constants accelerate;\n"
    "  %s_position_rates_constants rates;\n"
    "  long evaluations;\n"
    "} machine;\n\n\n"
    "// y = (q, v, slip), made consistent, and its rates; 0 when the loops cannot be closed, or a\n"
    "// wheel finds no road\n"
    "static int evaluate(machine *m, double t, double *y, double *rate)\n"
    "{\n"
    "  m->evaluations++;\n"
    "  if (%s_accelerate(&m->p, &m->accelerate, &t, y, y + NQ, %s)) return 0;\n"
    "  return %s_position_rates(&m->p, &m->rates, y, y + NQ, rate, NULL) == 0;\n"
    "}\n\n\n";

static const char *const normalising =
    "static void normalise(double *y)\n"
    "{\n"
    "  for (int k = 0; k < QUATERNIONS; k++) {\n"
    "    double *e = y + quaternion[k];\n"
    "    const double length = sqrt(e[0]*e[0] + e[1]*e[1] + e[2]*e[2] + e[3]*e[3]);\n"
    "    for (int i = 0; i < 4; i++) e[i] /= length;\n"
    "  }\n"
    "}\n\n\n";

// the classical method of Runge and Kutta
static const char *const rk4 =
    "// One step of the classical Runge-Kutta method; k1 are the rates at (t, y).\n"
    "static int step_rk4(machine *m, double t, double h, double *y, const double *k1)\n"
    "{\n"
    "  double k2[N], k3[N], k4[N], x[N];\n"
    "  for (int i = 0; i < N; i++) x[i] = y[i] + h/2*k1[i];\n"
    "  if (!evaluate(m, t + h/2, x, k2)) return 0;\n"
    "  for (int i = 0; i < N; i++) x[i] = y[i] + h/2*k2[i];\n"
    "  if (!evaluate(m, t + h/2, x, k3)) return 0;\n"
    "  for (int i = 0; i < N; i++) x[i] = y[i] + h*k3[i];\n"
    "  if (!evaluate(m, t + h, x, k4)) return 0;\n"
    "  for (int i = 0; i < N; i++) y[i] += h/6*(k1[i] + 2*k2[i] + 2*k3[i] + k4[i]);\n"
    "  return 1;\n"
    "}\n\n\n";

// coefficients: Dormand and Prince, J. Comp. Appl. Math. 6 (1980), table 2
static const char *const dopri5 =
    "// Stages of the method of Dormand and Prince, of order 5, with an estimate of order 4.\n"
    "static const double node[6] = {1.0/5, 3.0/10, 4.0/5, 8.0/9, 1, 1};\n"
    "static const double stage[6][6] = {\n"
    "    {1.0/5},\n"
    "    {3.0/40, 9.0/40},\n"
    "    {44.0/45, -56.0/15, 32.0/9},\n"
    "    {19372.0/6561, -25360.0/2187, 64448.0/6561, -212.0/729},\n"
    "    {9017.0/3168, -355.0/33, 46732.0/5247, 49.0/176, -5103.0/18656},\n"
    "    {35.0/384, 0, 500.0/1113, 125.0/192, -2187.0/6784, 11.0/84}};\n"
    "static const double estimate[7] = {71.0/57600,      0,           -71.0/16695, 71.0/1920,\n"
    "                                   -17253.0/339200, 22.0/525, -1.0/40};\n\n\n"
    "// A step on trial from y to x with its rates k[6]; returns the error as a multiple of the\n"
    "// tolerance, or a large number when a stage cannot be evaluated.\n"
    "static double step_dopri5(machine *m, double t, double h, const double *y, double *x,\n"
    "                          double k[7][N], double tolerance)\n"
    "{\n"
    "  for (int s = 0; s < 6; s++) {\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      double sum = 0;\n"
    "      for (int j = 0; j <= s; j++) sum += stage[s][j]*k[j][i];\n"
    "      x[i] = y[i] + h*sum;\n"
    "    }\n"
    "    if (!evaluate(m, t + node[s]*h, x, k[s + 1])) return 1e6;\n"
    "  }\n"
    "  double error = 0;\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    double sum = 0;\n"
    "    for (int j = 0; j < 7; j++) sum += estimate[j]*k[j][i];\n"
    "    const double scale = tolerance*(1 + fmax(fabs(y[i]), fabs(x[i])));\n"
    "    error += (h*sum/scale)*(h*sum/scale);\n"
    "  }\n"
    "  error = sqrt(error/(N > 0 ? N : 1));\n"
    "  return isfinite(error) ? error : 1e6;\n"
    "}\n\n\n";

static const char *const driver =
    "typedef struct options {\n"
    "  double until, step, interval, tolerance;\n"
    "  int is_dopri5;\n"
    "} options;\n\n\n"
    "// From t to `end`, in steps of a fixed length, the last of which may be shorter.\n"
    "static int advance_rk4(machine *m, const options *o, double t, double end, double *y,\n"
    "                       double *rate)\n"
    "{\n"
    "  const int n = (int) ceil((end - t)/o->step - 1e-9);\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    const double at = t + i*o->step, h = i + 1 < n ? o->step : end - at;\n"
    "    if (!step_rk4(m, at, h, y, rate)) return 0;\n"
    "    normalise(y);\n"
    "    if (!evaluate(m, at + h, y, rate)) return 0;\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n\n"
    "// The same in steps whose length follows the error; *h is the length to try.\n"
    "static int advance_dopri5(machine *m, const options *o, double t, double end, double *y,\n"
    "                          double *rate, double *h)\n"
    "{\n"
    "  double k[7][N], x[N];\n"
    "  while (t < end) {\n"
    "    const double left = end - t;\n"
    "    const int is_last = *h >= left*(1 - 1e-12);\n"
    "    const double length = is_last ? left : *h;\n"
    "    memcpy(k[0], rate, sizeof k[0]);\n"
    "    const double error = step_dopri5(m, t, length, y, x, k, o->tolerance);\n"
    "    const double factor = 0.9*pow(fmax(error, 1e-10), -0.2);\n"
    "    const double next = length*fmin(5, fmax(0.2, factor));\n"
    "    if (error <= 1) {\n"
    "      t = is_last ? end : t + length;\n"
    "      memcpy(y, x, sizeof x);\n"
    "      normalise(y);\n"
    "      if (!evaluate(m, t, y, rate)) return 0;\n"
    "      if (!is_last || next > *h) *h = next;\n"
    "    } else {\n"
    "      *h = next;\n"
    "      if (*h < 1e-14*(1 + fabs(t))) return 0;\n"
    "    }\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n\n"
    "static void print_row(double t, const double *y, const double *a)\n"
    "{\n"
    "  printf(\"%.17g\", t);\n"
    "  for (int i = 0; i < N; i++) printf(\",%.17g\", y[i]);\n"
    "  for (int i = 0; i < NV; i++) printf(\",%.17g\", a[i]);\n"
    "  putchar('\\n');\n"
    "}\n\n\n"
    "static int run(machine *m, const options *o, double from, double *y)\n"
    "{\n"
    "  double rate[N], h = o->step;\n"
    "  int held = evaluate(m, from, y, rate);\n"
    "  puts(columns);\n"
    "  if (held) print_row(from, y, rate + NQ);\n"
    "  const int n = (int) ceil((o->until - from)/o->interval - 1e-9);\n"
    "  for (int i = 0; held && i < n; i++) {\n"
    "    const double t = from + i*o->interval;\n"
    "    const double end = i + 1 < n ? from + (i + 1)*o->interval : o->until;\n"
    "    held = o->is_dopri5 ? advance_dopri5(m, o, t, end, y, rate, &h)\n"
    "                        : advance_rk4(m, o, t, end, y, rate);\n"
    "    if (held) print_row(end, y, rate + NQ);\n"
    "    else fprintf(stderr, \"stopped between %g and %g s: the loops cannot be closed, or the "
    "\"\n"
    "                         \"step has become too small\\n\", t, end);\n"
    "  }\n"
    "  fprintf(stderr, \"%ld evaluations\\n\", m->evaluations);\n"
    "  return held;\n"
    "}\n\n\n"
    "static void explain(void)\n"
    "{\n"
    "  fputs(\"options: --until S --step S --interval S --method rk4|dopri5 --tolerance R\\n\",\n"
    "        stderr);\n"
    "}\n\n\n"
    "// 0 when it is no number above zero\n"
    "static int read_number(const char *text, double *x)\n"
    "{\n"
    "  char *end;\n"
    "  *x = strtod(text, &end);\n"
    "  return end != text && *end == 0 && *x > 0;\n"
    "}\n\n\n"
    "static int read_option(options *o, const char *name, const char *value)\n"
    "{\n"
    "  if (strcmp(name, \"--until\") == 0) return read_number(value, &o->until);\n"
    "  if (strcmp(name, \"--step\") == 0) return read_number(value, &o->step);\n"
    "  if (strcmp(name, \"--interval\") == 0) return read_number(value, &o->interval);\n"
    "  if (strcmp(name, \"--tolerance\") == 0) return read_number(value, &o->tolerance);\n"
    "  if (strcmp(name, \"--method\") != 0) return 0;\n"
    "  o->is_dopri5 = strcmp(value, \"dopri5\") == 0;\n"
    "  return o->is_dopri5 || strcmp(value, \"rk4\") == 0;\n"
    "}\n\n\n";

static const char *const entry =
    "int main(int argc, char **argv)\n"
    "{\n"
    "  options o = {standard[0], standard[1], standard[2], standard[3], standard[4] != 0};\n"
    "  for (int i = 1; i < argc; i += 2) {\n"
    "    if (i + 1 == argc || !read_option(&o, argv[i], argv[i + 1])) {\n"
    "      explain();\n"
    "      return 2;\n"
    "    }\n"
    "  }\n"
    "  machine m = {.evaluations = 0};\n"
    "  %s_default(&m.p);\n"
    "  %s_accelerate_prepare(&m.p, &m.accelerate);\n"
    "  %s_position_rates_prepare(&m.p, &m.rates);\n"
    "  double y[N];\n"
    "  memcpy(y, initial, sizeof y);\n"
    "  return run(&m, &o, begin, y) ? 0 : 1;\n"
    "}\n";


// the input of `accelerate` that holds slips, if it has any
enum { SLIP = 3 };

//---- what depends on the model -------------------------------------------------------------------

static const eqnFunction *function_named(const eqnProgram *p, const char *name)
{
  for (int i = 0; i < p->nfunction; i++) {
    if (strcmp(p->function[i].name, name) == 0) return &p->function[i];
  }
  return NULL;
}


// vectors in a row as one
static void print_numbers(FILE *out, const char *name, int nvector, const int *n,
                          const double *const *x)
{
  int total = 0, i = 0;
  for (int k = 0; k < nvector; k++) total += n[k];
  fprintf(out, "static const double %s[%d] = {", name, total > 0 ? total : 1);
  for (int k = 0; k < nvector; k++) {
    for (int j = 0; j < n[k]; j++) {
      fputs(i % 4 == 0 ? "\n    " : " ", out);
      emit_number(out, &emit_dialect[EMIT_C], x[k][j]);
      if (++i < total) fputc(',', out);
    }
  }
  fputs(total > 0 ? "};\n" : "0};\n", out);
}


// q0, pin.angle, ... as the columns of a table are called
static void print_columns(FILE *out, const eqnFunction *f)
{
  fputs("static const char columns[] =\n    \"time\"", out);
  for (int k = 1; k < f->ninput; k++) {
    const eqnVector *v = &f->input[k];
    for (int i = 0; i < v->n; i++) fprintf(out, "\n    \",%s\"", v->label[i]);
  }
  for (int i = 0; i < f->input[2].n; i++) {
    fprintf(out, "\n    \",%s'\"", f->input[2].label[i]);
  }
  fputs(";\n\n", out);
}


static int ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}


// four positions in a row, of which the first is called ...w, are a quaternion
static void print_quaternions(FILE *out, const eqnVector *q)
{
  int count = 0;
  fputs("// where quaternions begin in q\nstatic const int quaternion[] = {", out);
  for (int i = 0; i + 3 < q->n; i++) {
    if (!ends_with(q->label[i], "qw")) continue;
    fprintf(out, "%s%d", count++ ? ", " : "", i);
  }
  fprintf(out, "%s};\nenum { QUATERNIONS = %d };\n\n", count ? "" : "0", count);
}


static void print_model(FILE *out, const eqnFunction *f, const emitSimulation *s)
{
  const int nq = f->input[1].n, nv = f->input[2].n, ns = f->ninput > SLIP ? f->input[SLIP].n : 0;
  const double standard[5] = {s->until, s->step, s->interval, s->tolerance, s->is_dopri5};
  fprintf(out, "enum { NQ = %d, NV = %d, N = NQ + NV + %d };\n\n", nq, nv, ns);
  fputs("// the state at the beginning, and when that is\n", out);
  print_numbers(out, "initial", 3, (const int[]){nq, nv, ns},
                (const double *const[]){s->q, s->v, s->slip});
  fputs("static const double begin = ", out);
  emit_number(out, &emit_dialect[EMIT_C], s->from);
  fputs(";\n\n// until, step, interval, tolerance, dopri5 or not, unless the command line says "
        "otherwise\n",
        out);
  print_numbers(out, "standard", 1, (const int[]){5}, (const double *const[]){standard});
  fputc('\n', out);
  print_columns(out, f);
  print_quaternions(out, &f->input[1]);
}


//---- the file ------------------------------------------------------------------------------------

static int print_simulator(const emitJob *job, const eqnFunction *f, const emitSimulation *s)
{
  FILE *out = job->out;
  const char *name = job->program->name;
  emit_provenance(out, job->program, "//");
  fputs("//\n// A simulator: compile with  cc FILE.c -lm ; writes a table of positions, velocities "
        "and\n"
        "// accelerations to standard output.\n",
        out);
  fputs(head, out);
  if (!job_declare_c(job, "static ")) return 0;
  fputs("//---- the machine -----------------------------------------------------------------\n\n",
        out);
  print_model(out, f, s);
  const int has_slips = f->ninput > SLIP && f->input[SLIP].n > 0;
  fprintf(out, evaluation, name, name, name, name,
          has_slips ? "y + NQ + NV, rate + NQ, rate + NQ + NV, NULL" : "rate + NQ, NULL", name);
  fputs("//---- integration -----------------------------------------------------------------\n\n",
        out);
  fputs(normalising, out);
  fputs(rk4, out);
  fputs(dopri5, out);
  fputs(driver, out);
  fprintf(out, entry, name, name, name);
  fputs("\n\n//---- equations of motion "
        "---------------------------------------------------------\n\n",
        out);
  return job_define_c(job, "static ");
}


artStatus emit_simulator(FILE *out, const eqnProgram *p, const emitSimulation *simulation,
                         const emitOptions *options, artError *error)
{
  const eqnFunction *accelerate = function_named(p, "accelerate");
  const eqnFunction *rates = function_named(p, "position_rates");
  if (!accelerate || !rates) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a simulator needs the functions 'accelerate' and 'position_rates'; "
                     "generate the form of the whole machine");
  }

  // a step of 0 is one that a run would choose
  emitSimulation settled = *simulation;
  if (!(settled.step > 0)) settled.step = fmin(1e-3, settled.interval);

  // of the program, what a simulator calls, and of its results the accelerations and rates of slips
  eqnFunction function[2] = {*accelerate, *rates};
  function[0].noutput = accelerate->ninput > SLIP ? 2 : 1;
  eqnProgram own = *p;
  own.function = function;
  own.nfunction = 2;
  emitJob job;
  artStatus status = job_open(&job, out, &own, options, error);
  if (status == ART_OK && !print_simulator(&job, accelerate, &settled)) {
    status = base_no_memory(error);
  }
  return job_close(&job, status, error);
}
