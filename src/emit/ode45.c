// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A simulator in one file of MATLAB or Octave: the equations, their integration by ode45, a table and a plot.
//
// The state is x = (q, v, slip, work), and every evaluation closes the loops and follows the drives first, as in the
// simulator in C. ode45 goes from one instant to the next at which prescribed rates jump, or at which other independent
// coordinates lead the machine better.
#include <string.h>

#include "emit/simulation.h"
#include "emit/text.h"
#include "emit/writer.h"

// conditions of lines, in this order
enum { SLIPS, RUN, SEVERAL, SINGLE, BRANCHES, CORNERS, SIDES, CONDITIONS };

typedef struct matlabScript {
  const emitSimulation *simulation;
  const simulationParts *parts;
  const eqnVector *q, *v, *y;
  int slips;
  simulationCondition where[CONDITIONS + 1];
} matlabScript;

//---- pieces of the file --------------------------------------------------------------------------

static const char *const about =
    "%\n"
    "% Integrates the motion by ode45. Without results it draws the outputs of the model over "
    "time.\n"
    "%   [time, y, names] = @(final, tolerance, user)\n"
    "% final: when the motion ends, s; tolerance: relative error of a step, of which a thousandth "
    "is\n"
    "% the absolute one; both as in the study where they are left out or []. y has a row for each\n"
    "% time and a column for each of the names. user: functions that the user supplies, if any.\n";

static const char *const reading =
    "  if nargin < 1 || isempty(final), final = study.final; end\n"
    "  if nargin < 2 || isempty(tolerance), tolerance = study.tolerance; end\n"
    "  if nargin < 3, user = struct(); end\n"
    "  if final < study.from, error('the motion begins at %g s and cannot end at %g s', "
    "study.from, final); end\n"
    "[branches]  if final > study.final\n"
    "[branches]    error('drives may jump behind %g s, until which they are known: give the study "
    "a longer time and generate this file again', study.final);\n"
    "[branches]  end\n"
    "  m = machine(user);\n"
    "  [time, y] = integrate(m, study, x, final, tolerance);\n"
    "  if nargout == 0\n"
    "    plot(time, y);\n"
    "    xlabel('time [s]');\n"
    "    legend(names, 'Interpreter', 'none');\n"
    "    clear time y names\n"
    "  end\n"
    "end\n\n\n";

// rows at the instants of the study; x is known at t, rows up to `row` are
static const char *const integration =
    "function [time, y] = integrate(m, study, x, final, tolerance)\n"
    "  steps = ceil((final - study.from)/study.interval - 1e-9);\n"
    "  time = [study.from + study.interval*(0:steps - 1), final];\n"
    "  now = 1; t = study.from; row = 1;\n"
    "[sides]  t = t + instant(t);\n"
    "[corners]  corner = 1;\n"
    "[run]  x = [x; 0];\n"
    "[run]  m.start = energy_of(m, t, x);\n"
    "  y = zeros(numel(time), study.outputs);\n"
    "  y(1,:) = show(m, now, t, x).';\n"
    "[several]  % Octave warns of every change of coordinates\n"
    "[several]  warned = warning('off', 'integrate_adaptive:unexpected_termination');\n"
    "  while row < numel(time)\n"
    "    stop = final;\n"
    "[corners]    strikes = corner <= size(study.corners, 1) && study.corners(corner,1) + "
    "instant(final) < final;\n"
    "[corners]    if strikes, stop = study.corners(corner,1) - instant(study.corners(corner,1)); "
    "end\n"
    "    last = find(time <= stop + 1e-13*max(abs(stop), 1), 1, 'last');\n"
    "    wanted = min(time(row + 1:last), stop);\n"
    "    span = unique([t, wanted, stop]);\n"
    "    if numel(span) == 2, span = [t, (t + stop)/2, stop]; end\n"
    "    options = odeset('RelTol', tolerance, 'AbsTol', tolerance/1000);\n"
    "[several]    options = odeset(options, 'Events', @(t, x) strain_of(m, now, x));\n"
    "[single]    [ts, xs] = ode45(@(t, x) rates(m, now, t, x), span, x, options);\n"
    "[several]    [ts, xs, te] = ode45(@(t, x) rates(m, now, t, x), span, x, options);\n"
    "    [is_there, where] = ismember(wanted, ts);\n"
    "    if any(is_there)\n"
    "      filled = row + find(is_there);\n"
    "      y(filled,:) = show(m, now, ts(where(is_there)).', xs(where(is_there),:).').';\n"
    "      row = filled(end);\n"
    "    end\n"
    "    is_complete = ts(end) >= stop;\n"
    "[single]    last = numel(ts);\n"
    "[several]    % where other coordinates take over; states of events themselves are not as "
    "exact\n"
    "[several]    last = find(ismember(ts, span), 1, 'last');\n"
    "    t = ts(last);\n"
    "    x = settle(m, now, t, xs(last,:).');\n"
    "[single]    if ~is_complete, error('ode45 has stopped at %g s', t); end\n"
    "[several]    if ~is_complete && isempty(te), error('ode45 has stopped at %g s', t); end\n"
    "[several]    if ~is_complete, now = other_choice(m, now, x); end\n"
    "[corners]    if is_complete && strikes\n"
    "[corners]      t = study.corners(corner,1) + instant(study.corners(corner,1));\n"
    "[corners]      x = strike(m, now, t, x, study.corners(corner,2:end).');\n"
    "[corners]      corner = corner + 1;\n"
    "[corners]    end\n"
    "  end\n"
    "[several]  warning(warned);\n"
    "  time = time.';\n"
    "end\n\n\n"
    "[sides]% either side of an instant\n"
    "[sides]function d = instant(t)\n"
    "[sides]  d = 1.4e-14*max(abs(t), 1e-3);\n"
    "[sides]end\n"
    "[sides]\n"
    "[sides]\n";

// choices of independent coordinates; a try for each where there are several
static const char *const evaluation =
    "% Rates of x; other coordinates help out where those in use do not close the loops.\n"
    "function [rate, x] = rates(m, now, t, x, blow)\n"
    "  if nargin < 5, blow = zeros(m.drives, 1); end\n"
    "[single]  [rate, x] = rates_by(m, now, t, x, blow);\n"
    "[several]  order = [now, setdiff(1:m.choices, now)];\n"
    "[several]  for k = order\n"
    "[several]    try\n"
    "[several]      [rate, x] = rates_by(m, k, t, x, blow);\n"
    "[several]      return\n"
    "[several]    catch problem\n"
    "[several]      if k == order(end), rethrow(problem); end\n"
    "[several]    end\n"
    "[several]  end\n"
    "end\n\n\n"
    "% x with its loops closed and its drives followed\n"
    "function x = settle(m, now, t, x)\n"
    "  [~, x] = rates(m, now, t, x);\n"
    "end\n\n\n";

static const char *const choosing =
    "% Above 0: another choice has less than a ninth of the strain.\n"
    "function [value, is_terminal, direction] = strain_of(m, now, x)\n"
    "  w = weaknesses(m, x);\n"
    "  others = w;\n"
    "  others(now) = Inf;\n"
    "  value = w(now)/9 - min(others);\n"
    "  is_terminal = 1;\n"
    "  direction = 1;\n"
    "end\n\n\n"
    "% the one with the least strain of all others\n"
    "function now = other_choice(m, now, x)\n"
    "  w = weaknesses(m, x);\n"
    "  w(now) = Inf;\n"
    "  [~, now] = min(w);\n"
    "end\n\n\n";

static const char *const striking =
    "% Rates of drives jump: what that does to the other velocities is the part of the equations "
    "of\n"
    "% motion that is linear in the accelerations of drives. The drives do the work.\n"
    "function x = strike(m, now, t, x, jump)\n"
    "  sharpness = 2^40;\n"
    "[run]  before = kinetic_of(m, t, x);\n"
    "  still = rates(m, now, t, x);\n"
    "  struck = rates(m, now, t, x, sharpness*jump);\n"
    "  v = m.positions + (1:m.velocities);\n"
    "  x(v) = x(v) + (struck(v) - still(v))/sharpness;\n"
    "[run]  x(end) = x(end) + kinetic_of(m, t, x) - before;\n"
    "end\n\n\n";

static const char *const energies =
    "% kinetic, potential, power\n"
    "function e = energies(m, t, x)\n"
    "  q = x(1:m.positions,:);\n"
    "  v = x(m.positions + (1:m.velocities),:);\n"
    "[slips]  slip = x(m.positions + m.velocities + (1:m.slips),:);\n"
    "  e = machine_energy(m.p1, m.machine_energy, t, q, v, ...\n"
    "[slips]    slip, ...\n"
    "    m.user);\n"
    "end\n\n\n"
    "function e = energy_of(m, t, x)\n"
    "  e = [1, 1, 0]*energies(m, t, x);\n"
    "end\n\n\n"
    "[corners]function e = kinetic_of(m, t, x)\n"
    "[corners]  e = [1, 0, 0]*energies(m, t, x);\n"
    "[corners]end\n"
    "[corners]\n"
    "[corners]\n";

static const char *const parting =
    "  q = normalised(x(1:m.positions,:));\n"
    "  v = x(m.positions + (1:m.velocities),:);\n"
    "[slips]  slip = x(m.positions + m.velocities + (1:m.slips),:);\n";

static const char *const joining =
    "  rate = [position_rates(m.p1, m.position_rates, q, v, m.user); a\n"
    "[slips]    slip_rate\n"
    "[run]    power\n"
    "    ];\n"
    "  x = [q; v\n"
    "[slips]    slip\n"
    "[run]    x(end,:)\n"
    "    ];\n"
    "end\n\n\n";

//---- what depends on the model -------------------------------------------------------------------

// @ and ~ are signs of MATLAB
static void print(FILE *out, const matlabScript *s, const char *piece)
{
  simulation_print_where(out, piece, "@", "~", s->where);
}


static void print_number(FILE *out, double x)
{
  emit_number(out, &emit_dialect[EMIT_MATLAB], x);
}


// [a; b; c], by rows of `width`
static void print_matrix(FILE *out, int n, int width, const double *x)
{
  fputc('[', out);
  for (int i = 0; i < n; i++) {
    if (i > 0) fputs(i % width == 0 ? ";" : ", ", out);
    if (i > 0 && i % width == 0) fputs(i % (4 * width) == 0 ? " ...\n    " : " ", out);
    print_number(out, x[i]);
  }
  fputs("]", out);
}


static void print_names(FILE *out, const eqnVector *y)
{
  fputs("  names = {", out);
  for (int i = 0; i < y->n; i++) {
    fputs(i > 0 ? ", ...\n    '" : " ...\n    '", out);
    for (const char *c = y->label[i]; *c; c++) {
      if (*c == '\'') fputc('\'', out);
      fputc((unsigned char) *c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
  }
  fputs("};\n", out);
}


static void print_study(FILE *out, const matlabScript *s)
{
  const emitSimulation *x = s->simulation;
  const struct {
    const char *name;
    double value;
  } entry[4] = {{"from", x->from},
                {"final", x->until},
                {"interval", x->interval},
                {"tolerance", x->tolerance}};
  for (int i = 0; i < 4; i++) {
    fprintf(out, "  study.%s = ", entry[i].name);
    print_number(out, entry[i].value);
    fputs(";\n", out);
  }
  fprintf(out, "  study.outputs = %d;\n", s->y->n);
  if (x->ncorner > 0) {
    fputs("  % instants at which prescribed rates jump, and by how much\n  study.corners = ", out);
    print_matrix(out, x->ncorner * (1 + x->ndrive), 1 + x->ndrive, x->corner);
    fputs(";\n", out);
  }
}


// the state at the beginning
static void print_state(FILE *out, const matlabScript *s)
{
  const emitSimulation *x = s->simulation;
  fputs("  x = [", out);
  print_matrix(out, s->q->n, 1, x->q);
  fputs("; ...\n    ", out);
  print_matrix(out, s->v->n, 1, x->v);
  if (s->slips > 0) {
    fputs("; ...\n    ", out);
    print_matrix(out, s->slips, 1, x->slip);
  }
  fputs("];\n", out);
}


static void print_head(FILE *out, const matlabScript *s)
{
  const eqnProgram *p = &s->parts->part[0].program;
  fprintf(out, "function [time, y, names] = %s(final, tolerance, user)\n", s->simulation->name);
  emit_provenance(out, p, "%");
  simulation_print(out, about, s->simulation->name, "");
  job_list_matlab_externals(&s->parts->part[0].job);
  print_study(out, s);
  print_names(out, s->y);
  print_state(out, s);
  print(out, s, reading);
}


// all constants of the functions
static void print_machine(FILE *out, const matlabScript *s)
{
  fprintf(
      out,
      "%% Constants of the machine, and what follows from them alone.\n"
      "function m = machine(user)\n  m.user = user;\n  m.positions = %d;\n  m.velocities = %d;\n"
      "  m.slips = %d;\n  m.drives = %d;\n  m.choices = %d;\n",
      s->q->n, s->v->n, s->slips, s->simulation->ncorner > 0 ? s->simulation->ndrive : 0,
      s->parts->n);
  for (int i = 0; i < s->parts->n; i++) {
    const emitJob *job = &s->parts->part[i].job;
    fprintf(out, "  m.p%d = parameters%s();\n", i + 1, job->suffix);
    for (int k = 0; k < job->program->nfunction; k++) {
      const char *f = job->program->function[k].name;
      const int is_common = strcmp(f, "position_rates") == 0 || strcmp(f, "machine_energy") == 0;
      fprintf(out, "  m.%s", f);
      if (!is_common) fprintf(out, "%d", i + 1);
      fprintf(out, " = %s%s_prepare(m.p%d);\n", f, job->suffix, i + 1);
    }
  }
  fputs("end\n\n\n", out);
}


// [results, vectors that are written] = f(p, c, vectors, user) of one choice
static void print_call(FILE *out, const matlabScript *s, int number, const char *name)
{
  const emitJob *job = &s->parts->part[number].job;
  const eqnFunction *f = simulation_function(job->program, name);
  const char *comma = "";
  fprintf(out, "  case %d\n    [", number + 1);
  for (int k = 0; k < f->noutput; k++, comma = ", ") fprintf(out, "%s%s", comma, f->output[k].name);
  for (int k = 0; k < f->ninput; k++) {
    if (emit_is_written(f, &f->input[k])) fprintf(out, ", %s", f->input[k].name);
  }
  fprintf(out, "] = %s%s(m.p%d, m.%s%d", name, job->suffix, number + 1, name, number + 1);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
  fputs(", m.user);\n", out);
}


static void print_calls(FILE *out, const matlabScript *s, const char *name)
{
  fputs("  switch now\n", out);
  for (int i = 0; i < s->parts->n; i++) print_call(out, s, i, name);
  fputs("  end\n", out);
}


static void print_evaluations(FILE *out, const matlabScript *s)
{
  print(out, s, evaluation);
  fputs("function [rate, x] = rates_by(m, now, t, x, blow)\n", out);
  print(out, s, parting);
  print_calls(out, s, "accelerate");
  print(out, s, joining);
  fputs("% Outputs of the model, a column for each of t and x.\n"
        "function y = show(m, now, t, x)\n",
        out);
  print(out, s, parting);
  print(out, s,
        "[corners]  blow = zeros(m.drives, numel(t));\n"
        "[run]  run = [x(end,:); m.start + zeros(1, numel(t)); zeros(5, numel(t))];\n");
  print_calls(out, s, "outputs");
  fputs("end\n\n\n", out);
}


static void print_normalising(FILE *out, const eqnVector *q)
{
  fputs("% quaternions of unit length\nfunction q = normalised(q)\n", out);
  for (int i = -1; (i = simulation_next_quaternion(q, i + 1)) >= 0;) {
    fprintf(out, "  q(%d:%d,:) = q(%d:%d,:)./sqrt(sum(q(%d:%d,:).^2, 1));\n", i + 1, i + 4, i + 1,
            i + 4, i + 1, i + 4);
  }
  fputs("end\n\n\n", out);
}


// mean strain of each choice, of what it was where that was made
static void print_weaknesses(FILE *out, const matlabScript *s)
{
  print(out, s, choosing);
  fputs("function w = weaknesses(m, x)\n  q = normalised(x(1:m.positions));\n  w = zeros(1, "
        "m.choices);\n",
        out);
  for (int i = 0; i < s->parts->n; i++) {
    const emitJob *job = &s->parts->part[i].job;
    const int n = simulation_function(job->program, "strain")->output[0].n;
    fprintf(out, "  w(%d) = mean(strain%s(m.p%d, m.strain%d, q, m.user)./", i + 1, job->suffix,
            i + 1, i + 1);
    print_matrix(out, n, 1, s->simulation->strain[i]);
    fputs(");\n", out);
  }
  fputs("end\n\n\n", out);
}


static int print_file(FILE *out, const matlabScript *s)
{
  print_head(out, s);
  print(out, s, integration);
  print_machine(out, s);
  print_evaluations(out, s);
  print_normalising(out, s->q);
  if (s->where[SEVERAL].holds) print_weaknesses(out, s);
  if (s->where[CORNERS].holds) print(out, s, striking);
  if (s->where[RUN].holds) print(out, s, energies);
  for (int i = 0; i < s->parts->n; i++) {
    if (!job_define_matlab(&s->parts->part[i].job)) return 0;
  }
  job_define_matlab_helpers(&s->parts->part[0].job);
  return 1;
}

//---- the file ------------------------------------------------------------------------------------

static matlabScript script_of(const simulationParts *parts, const emitSimulation *s)
{
  const eqnProgram *p = &parts->part[0].program;
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnFunction *outputs = simulation_function(p, "outputs");
  matlabScript out = {.simulation = s, .parts = parts, .q = &f->input[1], .v = &f->input[2]};
  out.y = &outputs->output[0];
  out.slips = simulation_slip_count(p);
  const simulationCondition where[CONDITIONS] = {
      [SLIPS] = {"[slips]", out.slips > 0},
      [RUN] = {"[run]", simulation_input(outputs, "run") != NULL},
      [SEVERAL] = {"[several]", parts->n > 1},
      [SINGLE] = {"[single]", parts->n == 1},
      [BRANCHES] = {"[branches]", s->is_bounded},
      [CORNERS] = {"[corners]", s->ncorner > 0},
      [SIDES] = {"[sides]", s->is_bounded || s->ncorner > 0},
  };
  memcpy(out.where, where, sizeof where);
  return out;
}


artStatus emit_ode45(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                     artError *error)
{
  const int has_run =
      simulation_input(simulation_function(simulation->program[0], "outputs"), "run") != NULL;
  simulationNeed needs[6] = {{"accelerate", 1, 0}, {"outputs", 1, 0}, {"position_rates", 1, 1}};
  int n = 3;
  if (simulation->nprogram > 1) needs[n++] = (simulationNeed){"strain", 1, 0};
  if (has_run) needs[n++] = (simulationNeed){"machine_energy", 1, 1};
  simulationParts parts;
  artStatus status = simulation_open(&parts, out, simulation, needs, options, EMIT_SINGLE, error);
  for (int i = 1; i < parts.n && status == ART_OK; i++) {
    parts.part[i].job.suffix = arena_format(&parts.arena, "_%d", i + 1);
    if (!parts.part[i].job.suffix) status = base_no_memory(error);
  }
  if (status == ART_OK) {
    const matlabScript s = script_of(&parts, simulation);
    if (!print_file(out, &s)) status = base_no_memory(error);
  }
  return simulation_close(&parts, status, error);
}
