// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A complete simulator in one C file: the equations, two integrators, a table on standard output.
#include <math.h>
#include <string.h>

#include "emit/simulation.h"
#include "emit/text.h"
#include "emit/writer.h"

//---- pieces of the file --------------------------------------------------------------------------

// The state is y = (q, v), and every evaluation closes the loops and follows the drives first.
static const char *const head =
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";

static const char *const thread_head =
    "#define _POSIX_C_SOURCE 200809L\n#include <math.h>\n#include <pthread.h>\n#include <sched.h>\n"
    "#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <time.h>\n\n";

// what differs between the choices of independent coordinates, one by one
static const char *const choice = "typedef struct @_choice {\n"
                                  "  @_parameters p;\n"
                                  "  @_accelerate_constants accelerate;\n"
                                  "  @_outputs_constants outputs;\n";

static const char *const opening = "} @_choice;\n\n\n"
                                   "static void @_open(void *memory)\n"
                                   "{\n"
                                   "  @_choice *c = memory;\n"
                                   "  @_default(&c->p);\n"
                                   "  @_accelerate_prepare(&c->p, &c->accelerate);\n"
                                   "  @_outputs_prepare(&c->p, &c->outputs);\n"
                                   "}\n\n\n";

static const char *const rates =
    "static int @_rates(void *memory, double t, double *y, double *rate)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  double *a = rate + NQ, *power = rate + N - 1;\n"
    "  return @_accelerate(&c->p, &c->accelerate, &t, y, y + NQ, ~ power, NULL);\n"
    "}\n\n\n";

static const char *const team_field = "  @_accelerate_team *team; // NULL: one thread alone\n"
                                      "  int is_decided;\n";

// the same by threads where these pay; a team that does not answer is left behind
static const char *const team_rates =
    "static int @_rates_now(@_choice *c, double t, double *y, double *rate)\n"
    "{\n"
    "  double *a = rate + NQ, *power = rate + N - 1;\n"
    "  if (c->team) {\n"
    "    const int status =\n"
    "        @_accelerate_by_team(c->team, &c->p, &c->accelerate, &t, y, y + NQ, ~ power, NULL);\n"
    "    if (status < 2) return status;\n"
    "    fprintf(stderr, \"task %d does not answer: one thread goes on alone\\n\",\n"
    "            @_accelerate_stalled(c->team));\n"
    "    @_accelerate_stop(c->team);\n"
    "    c->team = NULL;\n"
    "  }\n"
    "  return @_accelerate(&c->p, &c->accelerate, &t, y, y + NQ, ~ power, NULL);\n"
    "}\n\n\n"
    "// Do threads pay here? The shortest of some evaluations counts, and they must be quicker by "
    "a\n"
    "// twentieth.\n"
    "static void @_decide(@_choice *c, double t, const double *y)\n"
    "{\n"
    "  double least[2] = {HUGE_VAL, HUGE_VAL}, x[N], rate[N];\n"
    "  c->is_decided = 1;\n"
    "  if (threads == 1) return;\n"
    "  @_accelerate_team *team = c->team = @_accelerate_start();\n"
    "  for (int i = 0; i < 62 && team && threads == 0; i++) {\n"
    "    memcpy(x, y, sizeof x);\n"
    "    c->team = i%2 ? team : NULL;\n"
    "    const double begin = @_accelerate_clock();\n"
    "    if (@_rates_now(c, t, x, rate)) break;\n"
    "    least[i%2] = fmin(least[i%2], @_accelerate_clock() - begin);\n"
    "    if (i%2 && !c->team) return;\n"
    "  }\n"
    "  c->team = team;\n"
    "  if (!team || threads > 1) return;\n"
    "  const int pays = least[1] < 0.95*least[0];\n"
    "  fprintf(stderr, \"an evaluation takes %.2f us by one, %.2f us by %d threads with %d "
    "messages of \"\n"
    "          \"%.2f us: %s\\n\", 1e6*least[0], 1e6*least[1], THREADS, @_accelerate_messages,\n"
    "          1e6*@_accelerate_message(team), pays ? \"they share the work\" : \"one works "
    "alone\");\n"
    "  if (pays) return;\n"
    "  @_accelerate_stop(team);\n"
    "  c->team = NULL;\n"
    "}\n\n\n"
    "static int @_rates(void *memory, double t, double *y, double *rate)\n"
    "{\n"
    "  @_choice *c = memory;\n"
    "  if (!c->is_decided) @_decide(c, t, y);\n"
    "  return @_rates_now(c, t, y, rate);\n"
    "}\n\n\n";

static const char *const showing =
    "static int @_show(const void *memory, double t, double *y, double *run, double *x)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  (void) run;\n"
    "  return @_outputs(&c->p, &c->outputs, &t, y, y + NQ, ~x, NULL);\n"
    "}\n\n\n";

// how far a choice is from where it was made
static const char *const straining =
    "static double @_weakness(const void *memory, const double *q, const char **joints)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  static @_strain_constants k;\n"
    "  double s[~], sum = 0, most = 1e6;\n"
    "  @_strain_prepare(&c->p, &k);\n"
    "  @_strain(&c->p, &k, q, s, NULL);\n"
    "  for (int i = 0; i < ~; i++) {\n"
    "    sum += s[i]/@_made[i];\n"
    "    if (i == 0 || s[i]/@_made[i] <= most) continue;\n"
    "    most = s[i]/@_made[i];\n"
    "    *joints = @_joints[i];\n"
    "  }\n"
    "  return sum/~;\n"
    "}\n\n\n";

// the state is y = (q, v, slip, work)
static const char *const evaluation =
    "typedef struct machine {\n"
    "  int now; // the choice of independent coordinates in use\n"
    "  @_parameters p;\n"
    "  @_position_rates_constants rates;\n"
    "  @_machine_energy_constants energy;\n"
    "  double start, length; // energy at the beginning; of the last step\n"
    "  long evaluations;\n"
    "  int corner; // jumps of prescribed rates so far\n"
    "  double asked[N]; // the state at which an integrator has asked for rates, before loops were "
    "closed\n"
    "} machine;\n\n\n"
    "// y, made consistent, and its rates; 0 when the loops cannot be closed, or a wheel finds no\n"
    "// road\n"
    "static int evaluate(machine *m, double t, double *y, double *rate)\n"
    "{\n"
    "  m->evaluations++;\n"
    "  const choice *c = &choices[m->now];\n"
    "  if (c->rates(c->memory, t, y, rate)) return 0;\n"
    "  return @_position_rates(&m->p, &m->rates, y, y + NQ, rate, NULL) == 0;\n"
    "}\n\n\n"
    "// the same for integrators; 0 when it is done\n"
    "static int find_rates(void *memory, double t, double *y, double *rate)\n"
    "{\n"
    "  machine *m = memory;\n"
    "  memcpy(m->asked, y, sizeof m->asked);\n"
    "  return !evaluate(m, t, y, rate);\n"
    "}\n\n\n"
    "// Other coordinates lead the machine from here on if they do so much better.\n"
    "static int choose(machine *m, const double *y, double gain)\n"
    "{\n"
    "  int best = m->now;\n"
    "  const char *joints;\n"
    "  double least = CHOICES > 1 ? choices[best].weakness(choices[best].memory, y, &joints)/gain\n"
    "                             : 0;\n"
    "  for (int i = 0; i < CHOICES && CHOICES > 1; i++) {\n"
    "    const double w =\n"
    "        i == m->now ? HUGE_VAL : choices[i].weakness(choices[i].memory, y, &joints);\n"
    "    if (w < least || (isnan(least) && !isnan(w))) {\n"
    "      best = i;\n"
    "      least = w;\n"
    "    }\n"
    "  }\n"
    "  const int is_other = best != m->now;\n"
    "  m->now = best;\n"
    "  return is_other;\n"
    "}\n\n\n";

static const char *const dopri5 =
    "// A step on trial from y to x with its rates k[6]; returns the error as a multiple of the\n"
    "// tolerance, or a large number when a stage cannot be evaluated.\n"
    "static double step_dopri5(machine *m, double t, double h, const double *y, double *x,\n"
    "                          double k[7*N], double tolerance)\n"
    "{\n"
    "  if (dopri5_step(find_rates, m, N, t, h, y, k, x, x)) return 1e6;\n"
    "  if (has_jumped(NV, m->asked + NQ, x + NQ)) return 1e6;\n"
    "  double error = 0;\n"
    "  for (int i = 0; i < N - 1; i++) {\n"
    "    const double scale = tolerance*(1e-3 + fmax(fabs(y[i]), fabs(x[i])));\n"
    "    const double part = dopri5_error(N, h, k, i)/scale;\n"
    "    error += part*part;\n"
    "  }\n"
    "  error = sqrt(error/(N > 1 ? N - 1 : 1));\n"
    "  return isfinite(error) ? error : 1e6;\n"
    "}\n\n\n";

static const char *const stepping =
    "typedef struct options {\n"
    "  double until, step, interval, tolerance;\n"
    "  int is_dopri5;\n"
    "} options;\n\n\n"
    "// From t to `end`, in steps of a fixed length, the last of which may be shorter.\n"
    "static int advance_rk4(machine *m, const options *o, double t, double end, double *y,\n"
    "                       double *rate)\n"
    "{\n"
    "  const int n = (int) ceil((end - t)/o->step - 1e-9);\n"
    "  double space[3*N];\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    const double at = t + i*o->step, h = i + 1 < n ? o->step : end - at;\n"
    "    if (rk4_step(find_rates, m, N, at, h, y, rate, y, space)) {\n"
    "      if (!choose(m, y, 1) || !evaluate(m, at, y, rate)) return 0;\n"
    "      if (rk4_step(find_rates, m, N, at, h, y, rate, y, space)) return 0;\n"
    "    }\n"
    "    m->length = h;\n"
    "    unit_quaternions(QUATERNIONS, quaternion, y);\n"
    "    choose(m, y, 9);\n"
    "    if (find_rates(m, at + h, y, rate) || has_jumped(NV, m->asked + NQ, y + NQ)) return 0;\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n\n"
    "// The same in steps whose length follows the error; *h is the length to try.\n"
    "static int advance_dopri5(machine *m, const options *o, double t, double end, double *y,\n"
    "                          double *rate, double *h)\n"
    "{\n"
    "  double k[7*N], x[N];\n"
    "  while (t < end) {\n"
    "    const double left = end - t;\n"
    "    const int is_last = *h >= left*(1 - 1e-12);\n"
    "    const double length = is_last ? left : *h;\n"
    "    memcpy(k, rate, sizeof x);\n"
    "    const double error = step_dopri5(m, t, length, y, x, k, o->tolerance);\n"
    "    const double factor = 0.9*pow(fmax(error, 1e-10), -0.2);\n"
    "    const double next = length*fmin(5, fmax(0.2, factor));\n"
    "    if (error <= 1) {\n"
    "      t = is_last ? end : t + length;\n"
    "      memcpy(y, x, sizeof x);\n"
    "      m->length = length;\n"
    "      unit_quaternions(QUATERNIONS, quaternion, y);\n"
    "      choose(m, y, 9);\n"
    "      if (!evaluate(m, t, y, rate)) return 0;\n"
    "      if (!is_last || next > *h) *h = next;\n"
    "    } else {\n"
    "      *h = next;\n"
    "      if (*h < 1e-14*(1 + fabs(t))) return 0;\n"
    "    }\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n\n";

// where no drive's rate jumps
static const char *const smooth_way =
    "static int advance(machine *m, const options *o, double t, double end, double *y, double "
    "*rate,\n"
    "                   double *h)\n"
    "{\n"
    "  return o->is_dopri5 ? advance_dopri5(m, o, t, end, y, rate, h)\n"
    "                      : advance_rk4(m, o, t, end, y, rate);\n"
    "}\n\n\n"
    "// The time that stands for t: just behind the beginning where a drive has branches.\n"
    "static double side_of(const machine *m, double t)\n"
    "{\n"
    "  (void) m;\n"
    "  return IS_BOUNDED && t <= begin ? begin + side_width(begin) : t;\n"
    "}\n\n\n";

// ~ are the slips
static const char *const broken_way =
    "static double kinetic(const machine *m, double t, const double *y)\n"
    "{\n"
    "  double e[3];\n"
    "  return @_machine_energy(&m->p, &m->energy, &t, y, y + NQ, ~e, NULL) ? 0 : e[0];\n"
    "}\n\n\n"
    "// Rates of drives jump: what that does to the other velocities is the part of the equations "
    "of\n"
    "// motion that is linear in the accelerations of drives. The drives do the work.\n"
    "static int strike(machine *m, double t, double *y, const double *jump)\n"
    "{\n"
    "  const double sharpness = 1099511627776, before = kinetic(m, t, y);\n"
    "  double x[N], still[N], struck[N];\n"
    "  memcpy(x, y, sizeof x);\n"
    "  if (!evaluate(m, t, x, still)) return 0;\n"
    "  memcpy(x, y, sizeof x);\n"
    "  for (int i = 0; i < N_DRIVE; i++) blows[i] = sharpness*jump[i];\n"
    "  const int held = evaluate(m, t, x, struck);\n"
    "  memset(blows, 0, sizeof blows);\n"
    "  for (int i = NQ; i < NQ + NV; i++) y[i] += (struck[i] - still[i])/sharpness;\n"
    "  y[N - 1] += kinetic(m, t, y) - before;\n"
    "  return held;\n"
    "}\n\n\n"
    "// The time that stands for t: just behind the beginning, and just before an instant at which "
    "a\n"
    "// rate is still to jump.\n"
    "static double side_of(const machine *m, double t)\n"
    "{\n"
    "  if (t <= begin) return begin + side_width(begin);\n"
    "  if (m->corner == N_CORNER) return t;\n"
    "  const double c = corner[m->corner][0];\n"
    "  return fabs(t - c) <= side_width(c) ? c - side_width(c) : t;\n"
    "}\n\n\n"
    "static int advance_smoothly(machine *m, const options *o, double t, double end, double *y,\n"
    "                            double *rate, double *h)\n"
    "{\n"
    "  return o->is_dopri5 ? advance_dopri5(m, o, t, end, y, rate, h)\n"
    "                      : advance_rk4(m, o, t, end, y, rate);\n"
    "}\n\n\n"
    "// By way of the instants at which rates jump; one at the end is left to the next call.\n"
    "static int advance(machine *m, const options *o, double t, double end, double *y, double "
    "*rate,\n"
    "                   double *h)\n"
    "{\n"
    "  while (m->corner < N_CORNER && corner[m->corner][0] + side_width(end) < end) {\n"
    "    const double *jump = corner[m->corner], c = jump[0], late = c + side_width(c);\n"
    "    if (!advance_smoothly(m, o, t, c - side_width(c), y, rate, h)) return 0;\n"
    "    if (!strike(m, late, y, jump + 1) || !evaluate(m, late, y, rate)) return 0;\n"
    "    m->corner++;\n"
    "    t = late;\n"
    "  }\n"
    "  return advance_smoothly(m, o, t, side_of(m, end), y, rate, h);\n"
    "}\n\n\n";

// ~ is what threads ask for
static const char *const driver =
    "// a row of the table; 0 when the loops cannot be closed\n"
    "static int print_row(machine *m, double t, const double *y)\n"
    "{\n"
    "  double x[OUTPUTS > 0 ? OUTPUTS : 1], own[N], run[7] = {y[N - 1], m->start, m->length};\n"
    "  const choice *c = &choices[m->now];\n"
    "  memcpy(own, y, sizeof own);\n"
    "  if (c->show(c->memory, side_of(m, t), own, run, x)) return 0;\n"
    "  printf(\"%.17g\", t);\n"
    "  for (int i = 0; i < OUTPUTS; i++) printf(\",%.17g\", x[i]);\n"
    "  putchar('\\n');\n"
    "  return 1;\n"
    "}\n\n\n"
    "static void explain_stop(const machine *m, double t, double end, const double *y)\n"
    "{\n"
    "  const choice *c = &choices[m->now];\n"
    "  const char *joints = NULL;\n"
    "  if (c->weakness) c->weakness(c->memory, y, &joints);\n"
    "  fprintf(stderr, \"stopped between %g and %g s: \", t, end);\n"
    "  if (joints) {\n"
    "    fprintf(stderr, \"the loop of joints %s has come to a singular position, where it may go "
    "on \"\n"
    "            \"in several ways; a simulator cannot follow the motion through it, articula run "
    "\"\n"
    "            \"can\\n\", joints);\n"
    "  } else {\n"
    "    fputs(\"the loops cannot be closed, or the step has become too small\\n\", stderr);\n"
    "  }\n"
    "}\n\n\n"
    "static int run(machine *m, const options *o, double from, double *y)\n"
    "{\n"
    "  double rate[N], h = o->step;\n"
    "  int held = evaluate(m, side_of(m, from), y, rate);\n"
    "  puts(columns);\n"
    "  if (held) held = print_row(m, from, y);\n"
    "  const int n = (int) ceil((o->until - from)/o->interval - 1e-9);\n"
    "  for (int i = 0; held && i < n; i++) {\n"
    "    const double t = side_of(m, from + i*o->interval);\n"
    "    const double end = i + 1 < n ? from + (i + 1)*o->interval : o->until;\n"
    "    held = advance(m, o, t, end, y, rate, &h);\n"
    "    if (held) held = print_row(m, end, y);\n"
    "    if (!held) explain_stop(m, t, end, y);\n"
    "  }\n"
    "  fprintf(stderr, \"%ld evaluations\\n\", m->evaluations);\n"
    "  return held;\n"
    "}\n\n\n"
    "static void explain(void)\n"
    "{\n"
    "  fputs(\"options: --until S --step S --interval S --method rk4|dopri5 --tolerance R\\n\",\n"
    "        stderr);\n"
    "~}\n\n\n";

static const char *const reading =
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
    "~"
    "  if (strcmp(name, \"--method\") != 0) return 0;\n"
    "  o->is_dopri5 = strcmp(value, \"dopri5\") == 0;\n"
    "  return o->is_dopri5 || strcmp(value, \"rk4\") == 0;\n"
    "}\n\n\n";

static const char *const explain_threads =
    "  fprintf(stderr, \"         --threads N: 1, one thread, or all %d; without it what is \"\n"
    "          \"quicker\\n\", THREADS);\n";

static const char *const read_threads = "  if (strcmp(name, \"--threads\") == 0) {\n"
                                        "    threads = strcmp(value, \"1\") == 0 ? 1 : THREADS;\n"
                                        "    return threads == atoi(value);\n"
                                        "  }\n";

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
    "  if (IS_BOUNDED && o.until > standard[0]) {\n"
    "    fprintf(stderr, \"drives may jump behind %g s, until which the simulator knows them: \"\n"
    "            \"give the study a longer time and generate it again\\n\", standard[0]);\n"
    "    return 2;\n"
    "  }\n"
    "  machine m = {.evaluations = 0};\n"
    "  for (int i = 0; i < CHOICES; i++) choices[i].open(choices[i].memory);\n"
    "  @_default(&m.p);\n"
    "  @_position_rates_prepare(&m.p, &m.rates);\n"
    "  double y[N] = {0}, e[3], t = begin;\n"
    "  memcpy(y, initial, sizeof initial);\n"
    "  @_machine_energy_prepare(&m.p, &m.energy);\n"
    "  if (@_machine_energy(&m.p, &m.energy, &t, y, y + NQ, ~e, NULL)) return 1;\n"
    "  m.start = e[0] + e[1];\n"
    "  return run(&m, &o, begin, y) ? 0 : 1;\n"
    "}\n";


//---- what depends on the model -------------------------------------------------------------------

// the outputs of the model as the head of a table (RFC 4180), in a string of C
static void print_columns(FILE *out, const eqnVector *y)
{
  fputs("static const char columns[] =\n    \"time [s]\"", out);
  for (int i = 0; i < y->n; i++) {
    const int is_quoted = strpbrk(y->label[i], "\",\r\n") != NULL;
    fprintf(out, "\n    \",%s", is_quoted ? "\\\"" : "");
    for (const char *c = y->label[i]; *c; c++) {
      if (*c == '"') fputs("\\\"", out);
      if (strchr("\"\\?", *c)) fputc('\\', out);
      fputc(*c, out);
    }
    fprintf(out, "%s\"", is_quoted ? "\\\"" : "");
  }
  fputs(";\n\n", out);
}


static void print_model(FILE *out, const eqnProgram *p, const emitSimulation *s)
{
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnVector *y = &simulation_function(p, "outputs")->output[0];
  const int nq = f->input[1].n, nv = f->input[2].n, ns = simulation_slip_count(p);
  const double standard[5] = {s->until, s->step, s->interval, s->tolerance, s->is_dopri5};
  fprintf(out,
          "enum { NQ = %d, NV = %d, N = NQ + NV + %d + 1, OUTPUTS = %d, CHOICES = %d, IS_BOUNDED = "
          "%d };\n\n",
          nq, nv, ns, y->n, s->nprogram, s->is_bounded);
  fputs("// the state at the beginning, and when that is\n", out);
  simulation_print_numbers(out, "initial", 3, (const int[]){nq, nv, ns},
                           (const double *const[]){s->q, s->v, s->slip});
  fputs("static const double begin = ", out);
  emit_number(out, &emit_dialect[EMIT_C], s->from);
  fputs(";\n\n// until, step, interval, tolerance, dopri5 or not, unless the command line says "
        "otherwise\n",
        out);
  simulation_print_numbers(out, "standard", 1, (const int[]){5}, (const double *const[]){standard});
  fputc('\n', out);
  print_columns(out, y);
  simulation_print_quaternions(out, "", &f->input[1]);
  if (s->ncorner > 0) {
    simulation_print_corners(out, "", s);
    fputs("// added to the accelerations of drives\nstatic double blows[N_DRIVE];\n\n", out);
  }
}


//---- choices of independent coordinates ----------------------------------------------------------

static void print_choice(FILE *out, const char *name, int has_team, const char *arguments)
{
  simulation_print(out, choice, name, "");
  if (has_team) simulation_print(out, team_field, name, "");
  simulation_print(out, opening, name, "");
  simulation_print(out, has_team ? team_rates : rates, name, arguments);
}


// how far a choice is from where it was made, and which loop strains it most
static void print_strain(FILE *out, const char *name, int n, const double *made,
                         const char *const *joints)
{
  char text[300];
  snprintf(text, sizeof text, "%.250s_made", name);
  simulation_print_numbers(out, text, 1, &n, &made);
  fprintf(out, "\nstatic const char *const %s_joints[%d] = {", name, n);
  for (int k = 0; k < n; k++) fprintf(out, "%s\n    \"%s\"", k ? "," : "", joints[k]);
  fputs("};\n\n", out);
  snprintf(text, sizeof text, "%d", n);
  simulation_print(out, straining, name, text);
}


static void print_choices(FILE *out, int n, const simulationPart *part, const emitSimulation *s)
{
  for (int i = 0; i < n; i++) {
    const eqnProgram *p = &part[i].program;
    const char *name = p->name;
    const eqnFunction *outputs = simulation_function(p, "outputs"),
                      *strain = simulation_function(p, "strain");
    const int has_slips = simulation_slip_count(p) > 0, has_blows = s->ncorner > 0;
    const int has_run = outputs->ninput > 3 + has_slips + has_blows;
    const char *slips = has_slips ? "y + NQ + NV, " : "", *blows = has_blows ? "blows, " : "";
    char arguments[80];
    snprintf(arguments, sizeof arguments, "%s%sa,%s", slips, blows,
             has_slips ? " rate + NQ + NV," : "");
    print_choice(out, name, s->tasks > 1, arguments);
    snprintf(arguments, sizeof arguments, "%s%s%s", slips, blows, has_run ? "run, " : "");
    simulation_print(out, showing, name, arguments);
    if (strain) print_strain(out, name, strain->output[0].n, s->strain[i], s->joints[i]);
  }
  for (int i = 0; i < n; i++) {
    const char *name = part[i].program.name;
    fprintf(out, "static %s_choice choice_%d;\n", name, i);
  }
  fputs("\ntypedef struct choice {\n"
        "  void *memory;\n"
        "  void (*open)(void *memory);\n"
        "  int (*rates)(void *memory, double t, double *y, double *rate);\n"
        "  int (*show)(const void *memory, double t, double *y, double *run, double *x);\n"
        "  double (*weakness)(const void *memory, const double *q, const char **joints);\n"
        "} choice;\n\n"
        "static const choice choices[CHOICES] = {\n",
        out);
  for (int i = 0; i < n; i++) {
    const char *name = part[i].program.name;
    const int has_strain = simulation_function(&part[i].program, "strain") != NULL;
    fprintf(out, "    {&choice_%d, %s_open, %s_rates, %s_show, %s%s},\n", i, name, name, name,
            has_strain ? name : "NULL", has_strain ? "_weakness" : "");
  }
  fputs("};\n\n\n", out);
}


//---- the file ------------------------------------------------------------------------------------

static void print_head(FILE *out, const eqnProgram *p, int has_team)
{
  emit_provenance(out, p, "//");
  fprintf(
      out,
      "//\n// A simulator: compile with  cc %sFILE.c -lm%s ; writes a table of the outputs of the "
      "model "
      "to\n// standard output.\n",
      has_team ? "-std=c11 " : "", has_team ? " -lpthread" : "");
  fputs(has_team ? thread_head : head, out);
}


// returns how many threads the choices ask for at most, 0 when memory ran out
static int open_tasks(FILE *out, int n, simulationPart *part, int tasks)
{
  const splitChoice split = split_default_choice(tasks);
  int most = 1;
  for (int i = 0; i < n; i++) {
    if (!tasks_open(&part[i].tasks, &part[i].job, part[i].job.list[0], &split, out)) return 0;
    if (part[i].tasks.plan->tasks > most) most = part[i].tasks.plan->tasks;
  }
  return most;
}


static int declare(FILE *out, int n, simulationPart *part, int tasks)
{
  for (int i = 0; i < n; i++) {
    if (!job_declare_c(&part[i].job, "static ")) return 0;
    if (tasks < 2) continue;
    tasks_declare_threads(&part[i].tasks);
    fprintf(out, "static double %s_accelerate_clock(void);\n\n", part[i].program.name);
  }
  return 1;
}


static int define(int n, simulationPart *part, int tasks)
{
  for (int i = 0; i < n; i++) {
    if (!job_define_c(&part[i].job, "static ")) return 0;
    if (tasks > 1 && !tasks_define_threads(&part[i].tasks)) return 0;
  }
  return 1;
}


static int print_simulator(FILE *out, int n, simulationPart *part, const emitSimulation *s)
{
  const eqnProgram *p = &part[0].program;
  const int has_team = s->tasks > 1;
  print_head(out, p, has_team);
  if (!declare(out, n, part, s->tasks)) return 0;
  fputs("//---- the machine -----------------------------------------------------------------\n\n",
        out);
  print_model(out, p, s);
  if (has_team) {
    fprintf(
        out,
        "enum { THREADS = %d };\nstatic int threads; // 0: those that are quicker, 1: one, else "
        "all of them\n\n\n",
        s->tasks);
  }
  print_choices(out, n, part, s);
  simulation_print(out, evaluation, p->name, "");
  emit_lines(out, runge_kutta_text);
  fputs("\n", out);
  emit_lines(out, simulation_math_text);
  fputs("\n\n//---- integration "
        "-----------------------------------------------------------------\n\n",
        out);
  fputs(dopri5, out);
  fputs(stepping, out);
  simulation_print(out, s->ncorner > 0 ? broken_way : smooth_way, p->name,
                   simulation_slip_count(p) > 0 ? "y + NQ + NV, " : "");
  simulation_print(out, driver, p->name, has_team ? explain_threads : "");
  simulation_print(out, reading, p->name, has_team ? read_threads : "");
  simulation_print(out, entry, p->name, simulation_slip_count(p) > 0 ? "y + NQ + NV, " : "");
  fputs("\n\n//---- equations of motion "
        "---------------------------------------------------------\n\n",
        out);
  return define(n, part, s->tasks);
}


artStatus emit_simulator(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         int *tasks, artError *error)
{
  static const simulationNeed needs[] = {{"accelerate", 1, 0},     {"outputs", 1, 0},
                                         {"position_rates", 1, 1}, {"machine_energy", 1, 1},
                                         {"strain", 0, 0},         {0}};
  const int has_tasks = simulation->tasks > 1;

  // a step of 0 is one that a run would choose
  emitSimulation settled = *simulation;
  if (!(settled.step > 0)) settled.step = fmin(1e-3, settled.interval);

  simulationParts parts;
  artStatus status = simulation_open(&parts, out, &settled, needs, options,
                                     has_tasks ? EMIT_SINGLE : EMIT_LOOPS, error);
  if (status == ART_OK && has_tasks) {
    settled.tasks = open_tasks(out, parts.n, parts.part, simulation->tasks);
  }
  if (status == ART_OK &&
      ((has_tasks && settled.tasks == 0) || !print_simulator(out, parts.n, parts.part, &settled))) {
    status = base_no_memory(error);
  }
  *tasks = settled.tasks;
  for (int i = 0; i < parts.n && has_tasks; i++) tasks_close(&parts.part[i].tasks);
  return simulation_close(&parts, status, error);
}
