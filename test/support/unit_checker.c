// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Is a unit what the standard asks for?
#include "support/unit_checker.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MAX_STATES = 2000, STEPS = 20, MAX_TRIED = 40 };
static const double STEP = 1e-3;

static const char *unit_path;
static FILE *told;
static checkReport report;


// count a check; one that failed is told
static void expect(bool held, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void expect(bool held, const char *format, ...)
{
  report.checks++;
  if (held) return;
  report.failures++;
  if (!told) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(told, "%s: ", unit_path);
  vfprintf(told, format, arguments);
  fputc('\n', told);
  va_end(arguments);
}


static const checkFace *face_of(const fmuFile *unit)
{
  return unit->description.version == 2 ? &checker_face2 : &checker_face3;
}


static checkInstance make(fmuFile *unit, bool is_exchange)
{
  const double from = unit->description.from;
  checkInstance c = {.unit = unit,
                     .is_exchange = is_exchange,
                     .from = isfinite(from) ? from : 0,
                     .until = NAN,
                     .resources = unit->folder};
  return c;
}


static const char *state_name(int state)
{
  return state == AT_START            ? "at the start"
         : state == AT_INITIALISATION ? "in initialisation"
         : state == AT_EVENT          ? "in event mode"
         : state == AT_CONTINUOUS     ? "in continuous time"
         : state == AT_STEP           ? "between steps"
         : state == AT_END            ? "at the end"
                                      : "after an error";
}

//---- the description -----------------------------------------------------------------------------

static void check_file(const char *schemas, const char *schema, const char *file)
{
  char command[3 * FILE_PATH_LENGTH];
  snprintf(command, sizeof command,
           "test ! -e '%s' || ! command -v xmllint > /dev/null || xmllint --noout --schema '%s/%s' "
           "'%s' 2>&1 | grep -v ' validates$' | head -5 | (! grep .)",
           file, schemas, schema, file);
  expect(system(command) == 0, "%s does not follow %s", file, schema);
}


static void check_description(const fmuFile *unit, const char *schemas)
{
  char path[FILE_PATH_LENGTH];
  const fmiDescription *d = &unit->description;
  file_join(path, unit->folder, "modelDescription.xml", NULL);
  check_file(schemas, d->version == 2 ? "fmi2.xsd" : "fmi3.xsd", path);
  file_join(path, unit->folder, "sources/buildDescription.xml", NULL);
  if (d->version == 3) check_file(schemas, "fmi3-build.xsd", path);
  file_join(path, unit->folder, "terminalsAndIcons/terminalsAndIcons.xml", NULL);
  if (d->version == 3) check_file(schemas, "fmi3-terminals.xsd", path);
  int outputs = 0;
  for (int i = 0; i < d->nvariable; i++) outputs += d->variable[i].causality == FMI_OUTPUT;
  expect(outputs == d->outputs.n, "ModelStructure lists other outputs than there are (%d)",
         d->outputs.n);
  for (int i = 0; i < d->derivatives.n; i++) {
    const fmiVariable *v = &d->variable[d->derivatives.unknown[i].variable];
    expect(v->derivative_of >= 0, "'%s' is listed as a derivative and is none", v->name);
  }

  // start values stand where the standard wants them and nowhere else
  for (int i = 0; i < d->nvariable; i++) {
    const fmiVariable *v = &d->variable[i];
    const bool needs = v->causality == FMI_INPUT || v->causality == FMI_PARAMETER ||
                       v->initial == FMI_EXACT || v->initial == FMI_APPROX;
    const bool lacks = v->initial == FMI_CALCULATED || v->causality == FMI_INDEPENDENT;
    expect(!needs || v->start, "'%s' needs a start value", v->name);
    expect(!lacks || !v->start, "'%s' has a start value", v->name);
  }
}

//---- states --------------------------------------------------------------------------------------

static void try_call(fmuFile *unit, bool is_exchange, const checkTrial *trial, int state)
{
  const checkFace *f = face_of(unit);
  const char *where = state_name(state);
  checkInstance c = make(unit, is_exchange);
  f->create(&c, unit->description.token);
  expect(c.component != NULL, "no instance");
  if (!c.component) return;
  const int reached = f->go(&c, state);
  expect(reached <= 1, "the way to %s is answered by %d", where, reached);
  const int before = c.messages;
  const int status = trial->call(&c);
  const bool is_foreign = trial->kind == (is_exchange ? OF_SIMULATION : OF_EXCHANGE);
  if (trial->allowed & state && !is_foreign) {
    expect(status <= 1, "%s %s is answered by %d", trial->name, where, status);
  } else if (status >= 0) {
    expect(status == 3, "%s %s is answered by %d, an error was expected", trial->name, where,
           status);
    expect(c.messages > before, "%s %s fails without a message", trial->name, where);
  }

  // whatever was called, the instance can begin anew
  const int again = f->reset(&c);
  expect(again <= 1, "Reset after %s %s is answered by %d", trial->name, where, again);
  const int back = f->go(&c, is_exchange ? AT_CONTINUOUS : AT_STEP);
  expect(back <= 1, "after Reset behind %s %s an instance fails by %d", trial->name, where, back);
  f->end(&c);
}


static void check_states(fmuFile *unit, bool is_exchange)
{
  const int all = is_exchange ? AT_EXCHANGE : AT_SIMULATION;
  for (const checkTrial *t = face_of(unit)->trial; t->name; t++) {
    const bool is_foreign = t->kind == (is_exchange ? OF_SIMULATION : OF_EXCHANGE);
    for (int state = 1; state <= AT_ERROR; state *= 2) {
      const int tried = is_foreign ? AT_ALL : t->allowed | t->forbidden;
      if (all & state & tried) try_call(unit, is_exchange, t, state);
    }
  }
}


// another token, no name: no instance, and a message
static void check_token(fmuFile *unit, bool is_exchange)
{
  checkInstance c = make(unit, is_exchange);
  face_of(unit)->create(&c, "{of another unit}");
  expect(!c.component, "an instance is made for the token of another unit");
  expect(c.messages > 0, "a wrong token is refused without a message");
  if (c.component) face_of(unit)->end(&c);
}

// a folder of resources that is not there: an instance all the same, or a message
static void check_resources(fmuFile *unit, bool is_exchange)
{
  static const char *const wrong[] = {NULL, "", "/nowhere", "no: address"};
  const checkFace *f = face_of(unit);
  for (int i = 0; i < 4; i++) {
    checkInstance c = make(unit, is_exchange);
    c.resources = wrong[i];
    f->create(&c, unit->description.token);
    expect(c.component || c.messages > 0, "without resources there is no instance and no message");
    if (!c.component) continue;
    const int status = f->go(&c, is_exchange ? AT_CONTINUOUS : AT_STEP);
    expect(status <= 1 || c.messages > 0, "without resources a call fails and says nothing");
    f->end(&c);
  }
}


// messages of an error: all messages, errors alone, none
static void check_messages(fmuFile *unit, bool is_exchange)
{
  const checkFace *f = face_of(unit);
  checkInstance c = make(unit, is_exchange);
  f->create(&c, unit->description.token);
  if (!c.component) return;
  for (int k = 0; k < 3; k++) {
    f->say(&c, k < 2, k == 1 ? "logStatusError" : NULL);
    const int before = c.messages;
    f->go(&c, AT_ERROR);
    f->reset(&c);
    expect((c.messages > before) == (k < 2),
           k < 2 ? "an error is not told" : "an error is told to one who does not listen");
  }
  f->end(&c);
}


// times behind the end of the experiment are not computed
static void check_end(fmuFile *unit)
{
  const checkFace *f = face_of(unit);
  checkInstance c = make(unit, false);
  c.until = c.from + 3 * STEP;
  f->create(&c, unit->description.token);
  if (!c.component) return;
  expect(f->go(&c, AT_STEP) <= 1, "an experiment with an end does not begin");
  for (int k = 0; k < 3; k++) {
    const int status = f->step(&c, c.from + k * STEP, STEP);
    expect(status <= 1, "a step before the end is answered by %d", status);
  }
  const int before = c.messages, status = f->step(&c, c.until, STEP);
  expect(status == 3, "a step behind the end is answered by %d", status);
  expect(c.messages > before, "a step behind the end fails without a message");
  f->end(&c);
}

//---- values --------------------------------------------------------------------------------------

static bool is_real(const fmiVariable *v)
{
  return v->type == FMI_FLOAT64 && v->count == 1;
}


// a number inside of the limits, not the start value
static double inner_value(const fmiVariable *v)
{
  return isfinite(v->least) && isfinite(v->largest) ? 0.75 * v->least + 0.25 * v->largest
         : isfinite(v->least)                       ? v->least + 0.5
         : isfinite(v->largest)                     ? v->largest - 0.5
                                                    : 0.5;
}


static void check_values(fmuFile *unit, bool is_exchange)
{
  const checkFace *f = face_of(unit);
  const fmiDescription *d = &unit->description;
  checkInstance c = make(unit, is_exchange);
  f->create(&c, d->token);
  f->go(&c, AT_INITIALISATION);
  for (int i = 0; i < d->nvariable; i++) {
    const fmiVariable *v = &d->variable[i];
    double value = NAN;
    if (!is_real(v)) continue;
    const int status = f->get(&c, v->reference, &value);
    expect(status <= 1, "get of '%s' is answered by %d", v->name, status);
    const bool is_given = v->start && v->initial != FMI_APPROX;
    if (is_given)
      expect(value == strtod(v->start, NULL), "'%s' begins at %.17g, not at %s", v->name, value,
             v->start);
    if (v->causality != FMI_INPUT) continue;

    // a number inside of the limits stays, one that is none does not get in
    const double wanted = inner_value(v);
    expect(f->set(&c, v->reference, wanted) <= 1, "'%s' cannot be set", v->name);
    expect(f->get(&c, v->reference, &value) <= 1 && value == wanted, "'%s' is not as it was set",
           v->name);
    const int before = c.messages, refused = f->set(&c, v->reference, NAN);
    expect(refused == 2 || refused == 3, "'%s' becomes NAN: %d", v->name, refused);
    expect(c.messages > before, "NAN for '%s' is refused without a message", v->name);
    if (refused == 3) break;
    expect(f->get(&c, v->reference, &value) <= 1 && value == wanted, "NAN has changed '%s'",
           v->name);
  }
  f->end(&c);
}

//---- steps and states that are kept --------------------------------------------------------------

// all numbers of the description
static void take_all(const checkFace *f, checkInstance *c, double *value)
{
  const fmiDescription *d = &c->unit->description;
  for (int i = 0; i < d->nvariable; i++) {
    value[i] = 0;
    if (is_real(&d->variable[i])) f->get(c, d->variable[i].reference, &value[i]);
  }
}


static bool is_same(const double *a, const double *b, int n)
{
  return memcmp(a, b, (size_t) n * sizeof *a) == 0;
}


// One step of explicit Euler, from rates to rates at its end; 0: it fails, or rates change too much for it.
static bool try_euler(const checkFace *f, checkInstance *c, double h, double *x, double *rate)
{
  double there[MAX_STATES], after[MAX_STATES];
  const size_t n = (size_t) c->unit->description.derivatives.n;
  bool held = true;
  for (size_t i = 0; i < n; i++) there[i] = x[i] + h * rate[i];
  held = f->put_states(c, there, n) <= 1 && f->take_rates(c, after, n) <= 1;
  for (size_t i = 0; i < n && held; i++) {
    held = fabs(h * (after[i] - rate[i])) <= 1e-2 * (1 + fabs(x[i]));
  }
  if (held) memcpy(x, there, n * sizeof *x);
  if (held) memcpy(rate, after, n * sizeof *rate);
  return held;
}


// Explicit Euler will do, by steps that a stiff machine takes: rates are called, states set.
static int euler(const checkFace *f, checkInstance *c)
{
  double x[MAX_STATES], rate[MAX_STATES], left = STEP, h = STEP;
  const size_t n = (size_t) c->unit->description.derivatives.n;
  int status = f->take_states(c, x, n);
  if (status <= 1) status = f->take_rates(c, rate, n);
  while (status <= 1 && left > 0) {
    if (!try_euler(f, c, h, x, rate)) {
      h /= 2;
      if (h < 1e-6 * STEP) status = 2;
      continue;
    }
    left -= h;
    h = fmin(2 * h, left);
  }
  return status <= 1 ? f->put_states(c, x, n) : status;
}


static int advance(const checkFace *f, checkInstance *c, int first, int n)
{
  int worst = 0;
  for (int k = first; k < first + n && worst <= 1; k++) {
    const int status = c->is_exchange ? euler(f, c) : f->step(c, c->from + k * STEP, STEP);
    if (status > worst) worst = status;
  }
  return worst;
}


// to where time goes on, with inputs that differ from the start
static bool go_on(const checkFace *f, checkInstance *c)
{
  const fmiDescription *d = &c->unit->description;
  int status = f->go(c, c->is_exchange ? AT_CONTINUOUS : AT_STEP);
  for (int i = 0; i < d->nvariable && status <= 1; i++) {
    const fmiVariable *v = &d->variable[i];
    const bool is_input =
        v->causality == FMI_INPUT && v->variability == FMI_CONTINUOUS && is_real(v);
    if (is_input) status = f->set(c, v->reference, inner_value(v));
  }
  return status <= 1;
}


static bool begin(const checkFace *f, checkInstance *c)
{
  f->create(c, c->unit->description.token);
  return c->component && go_on(f, c);
}


// after Reset all that is given has its start value
static void check_reset(const checkFace *f, checkInstance *c)
{
  const fmiDescription *d = &c->unit->description;
  expect(f->reset(c) <= 1 && f->go(c, AT_INITIALISATION) <= 1, "no new beginning");
  for (int i = 0; i < d->nvariable; i++) {
    const fmiVariable *v = &d->variable[i];
    double value = NAN;
    if (!is_real(v) || !v->start || v->initial == FMI_APPROX) continue;
    f->get(c, v->reference, &value);
    expect(value == strtod(v->start, NULL), "after Reset '%s' is not %s", v->name, v->start);
  }
  expect(f->reset(c) <= 1 && go_on(f, c), "no new beginning");
}


static void check_bytes(const checkFace *f, checkInstance *c, void *state, const double *wanted,
                        double *value)
{
  const int n = c->unit->description.nvariable;
  size_t size = 0;
  expect(f->size(c, state, &size) <= 1 && size > 0, "a state has no size");
  char *bytes = malloc(size + 1);
  void *copy = NULL;
  expect(f->write(c, state, bytes, size) <= 1, "a state cannot be written");
  checkInstance other = make(c->unit, c->is_exchange);
  f->create(&other, c->unit->description.token);
  if (other.component && f->go(&other, c->is_exchange ? AT_CONTINUOUS : AT_STEP) <= 1) {
    expect(f->read(&other, bytes, size, &copy) <= 1, "bytes of a state cannot be read");
    expect(f->restore(&other, copy) <= 1, "another instance does not take a state");
    advance(f, &other, STEPS, STEPS);
    take_all(f, &other, value);
    expect(is_same(value, wanted, n), "a state goes on otherwise in another instance");
    f->drop(&other, &copy);
    f->end(&other);
  }
  free(bytes);
}


static void check_kept(fmuFile *unit, bool is_exchange)
{
  const checkFace *f = face_of(unit);
  const fmiInterface *own =
      is_exchange ? &unit->description.exchange : &unit->description.simulation;
  const int n = unit->description.nvariable;
  double *first = calloc((size_t) n, sizeof *first), *second = calloc((size_t) n, sizeof *second);
  checkInstance c = make(unit, is_exchange);
  void *state = NULL;
  const bool has_begun = begin(f, &c);
  expect(has_begun, "an instance does not begin");
  if (has_begun) {
    const int status = advance(f, &c, 0, STEPS);
    expect(status <= 1, "steps are answered by %d", status);
    if (own->can_save) expect(f->save(&c, &state) <= 1, "a state cannot be kept");
    advance(f, &c, STEPS, STEPS);
    take_all(f, &c, first);
    if (own->can_save) {
      expect(f->restore(&c, state) <= 1, "a kept state is not taken");
      advance(f, &c, STEPS, STEPS);
      take_all(f, &c, second);
      expect(is_same(first, second, n), "a kept state goes on otherwise");
      if (own->can_serialise) check_bytes(f, &c, state, first, second);
      expect(f->drop(&c, &state) <= 1 && !state, "a kept state is not given up");
    }
    check_reset(f, &c);
    advance(f, &c, 0, 2 * STEPS);
    take_all(f, &c, second);
    expect(is_same(first, second, n), "after Reset all goes otherwise");
  }
  if (!is_exchange && c.component) {
    const int status = f->step(&c, c.from + 2 * STEPS * STEP, -STEP);
    expect(status == 2 || status == 3, "a step backwards is answered by %d", status);
  }
  if (c.component) f->end(&c);
  free(first);
  free(second);
}

//---- derivatives ---------------------------------------------------------------------------------

// move a state or an input; 0: it is neither
static bool move(const checkFace *f, checkInstance *c, const fmiVariable *known, double *x,
                 int state, double to)
{
  if (state < 0) return f->set(c, known->reference, to) <= 1;
  x[state] = to;
  return f->put_states(c, x, (size_t) c->unit->description.derivatives.n) <= 1;
}


// The slope by differences of order six around a value, by steps of one width:
//   f' = (45 (f(h) - f(-h)) - 9 (f(2h) - f(-2h)) + f(3h) - f(-3h)) / 60 h
// and how uncertain that is: a sixth difference has what rounding leaves of values, and what is not smooth in them, 30
// times as large as they have it; and 1e-13 of them may be missing all alike, where loops need not be closed again.
typedef struct slope {
  double value, doubt;
} slope;


static slope difference(const checkFace *f, checkInstance *c, const fmiVariable *known, double *x,
                        int state, unsigned unknown, double width)
{
  static const double odd[] = {0, 45, -9, 1}, even[] = {-20, 15, -6, 1};
  double middle = 0, sum = 0, sixth = 0, most = 0;
  f->get(c, known->reference, &middle);
  const double h = width * (1 + fabs(middle));
  for (int k = -3; k <= 3; k++) {
    double value = NAN;
    if (!move(f, c, known, x, state, middle + k * h)) return (slope){NAN, INFINITY};
    f->get(c, unknown, &value);
    sum += (k < 0 ? -1 : 1) * odd[abs(k)] * value;
    sixth += even[abs(k)] * value;
    most = fmax(most, fabs(value));
  }
  move(f, c, known, x, state, middle);
  return (slope){sum / (60 * h), (fabs(sixth) / 30 + 1e-13 * (1 + most)) / h};
}


// The width whose difference is least uncertain, where both neighbours agree as well, since sixth differences do not see
// what is odd. Rounding does not become less by chance: of all narrower widths it has the largest effect.
static slope best_difference(const checkFace *f, checkInstance *c, const fmiVariable *known,
                             double *x, int state, unsigned unknown)
{
  enum { WIDTHS = 13 };
  slope at[WIDTHS], best = {NAN, INFINITY};
  double width = 3e-9, noise = 0;
  for (int i = 0; i < WIDTHS; i++, width *= 4) {
    at[i] = difference(f, c, known, x, state, unknown, width);
    noise = fmax(noise, at[i].doubt * width);
    at[i].doubt = 3 * noise / width;
  }
  for (int i = 1; i + 1 < WIDTHS; i++) {
    const double gap =
        fmax(fabs(at[i].value - at[i - 1].value), fabs(at[i].value - at[i + 1].value));
    if (at[i].doubt + gap < best.doubt) best = (slope){at[i].value, at[i].doubt + gap};
  }
  return best;
}


// The largest derivative of this unknown gives the size: its rounding is in smaller ones as well, and a millionth of it is wrong whatever differences say.
static void check_pair(const checkFace *f, checkInstance *c, const fmiVariable *unknown,
                       const fmiVariable *known, double *x, int state, bool has_adjoint,
                       double size)
{
  double value = NAN, other = NAN;
  const int status = f->directional(c, unknown->reference, known->reference, &value);
  expect(status <= 1, "the derivative of '%s' with '%s' is answered by %d", unknown->name,
         known->name, status);
  if (status > 1) return;
  if (has_adjoint && f->adjoint) {
    const int answer = f->adjoint(c, unknown->reference, known->reference, &other);
    expect(answer <= 1 && fabs(other - value) <= 1e-12 * (1 + fabs(value)),
           "the adjoint derivative of '%s' with '%s' is another, %g", unknown->name, known->name,
           other);
  }
  const slope wanted = best_difference(f, c, known, x, state, unknown->reference);
  const double gap = fabs(value - wanted.value), off = gap / (1 + fabs(wanted.value));
  const double room = fmin(2 * wanted.doubt + 1e-15 * size, 1e-6 * (1 + size));
  expect(gap <= 1e-9 * (1 + fabs(wanted.value)) + room,
         "the derivative of '%s' with '%s' is %.12g, by differences %.12g, off by %g",
         unknown->name, known->name, value, wanted.value, off);
  if (off > report.worst_derivative) report.worst_derivative = off;
}


// does ModelStructure list a known?
static bool is_listed(const fmiUnknown *u, ptrdiff_t known)
{
  bool held = u->ndependency < 0;
  for (int i = 0; i < u->ndependency; i++) held |= u->dependency[i] == known;
  return held;
}


// derivatives of one unknown with states and inputs; those that it does not depend on are 0
static void check_row(const checkFace *f, checkInstance *c, const fmiUnknown *u, double *x)
{
  const fmiDescription *d = &c->unit->description;
  const fmiVariable *unknown = &d->variable[u->variable];
  const int nstate = d->derivatives.n < MAX_TRIED ? d->derivatives.n : MAX_TRIED;
  double size = 0;
  for (int is_checked = 0; is_checked < 2; is_checked++) {
    for (int j = 0; j < nstate + d->nvariable; j++) {
      const bool is_state = j < nstate;
      const fmiVariable *rate = &d->variable[is_state ? d->derivatives.unknown[j].variable : 0];
      const fmiVariable *known = &d->variable[is_state ? rate->derivative_of : j - nstate];
      if (!is_state && !(known->causality == FMI_INPUT && is_real(known))) continue;
      double value = 0;
      if (is_checked) {
        check_pair(f, c, unknown, known, x, is_state ? j : -1, d->exchange.has_adjoint, size);
      } else if (f->directional(c, unknown->reference, known->reference, &value) <= 1) {
        expect(value == 0 || is_listed(u, known - d->variable),
               "'%s' depends on '%s', which ModelStructure does not list", unknown->name,
               known->name);
        size = fmax(size, fabs(value));
      }
    }
  }
}


// derivatives of rates and outputs; what nothing depends on has none
static void check_derivatives(fmuFile *unit)
{
  const checkFace *f = face_of(unit);
  const fmiDescription *d = &unit->description;
  const fmiUnknowns lists[] = {d->derivatives, d->outputs};
  checkInstance c = make(unit, true);
  double x[MAX_STATES];
  if (!d->exchange.has_directional || !begin(f, &c)) return;
  advance(f, &c, 0, 3);
  f->take_states(&c, x, (size_t) d->derivatives.n);
  for (int l = 0; l < 2; l++) {
    for (int i = 0; i < lists[l].n && i < MAX_TRIED; i++) {
      const fmiUnknown *u = &lists[l].unknown[i];
      if (is_real(&d->variable[u->variable])) check_row(f, &c, u, x);
    }
  }
  f->end(&c);
}


// rates by their function are those by their variables
static void check_rates(fmuFile *unit)
{
  const checkFace *f = face_of(unit);
  const fmiDescription *d = &unit->description;
  checkInstance c = make(unit, true);
  double rate[MAX_STATES];
  if (!begin(f, &c)) return;
  expect(f->take_rates(&c, rate, (size_t) d->derivatives.n) <= 1, "no rates");
  for (int i = 0; i < d->derivatives.n; i++) {
    const fmiVariable *v = &d->variable[d->derivatives.unknown[i].variable];
    double value = NAN;
    f->get(&c, v->reference, &value);
    expect(value == rate[i] && isfinite(value), "'%s' is not the rate", v->name);
  }
  f->end(&c);
}

//---- threads -------------------------------------------------------------------------------------

typedef struct threadWork {
  checkInstance c;
  double *value;
} threadWork;


static void *work(void *context)
{
  threadWork *w = context;
  const checkFace *f = face_of(w->c.unit);
  if (!begin(f, &w->c)) return NULL;
  advance(f, &w->c, 0, 2 * STEPS);
  take_all(f, &w->c, w->value);
  f->end(&w->c);
  return w;
}


static void check_threads(fmuFile *unit, bool is_exchange)
{
  const size_t n = (size_t) unit->description.nvariable;
  threadWork w[3];
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) {
    w[i] = (threadWork){make(unit, is_exchange), calloc(n, sizeof(double))};
  }
  work(&w[2]);
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, work, &w[i]);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 2; i++) {
    expect(is_same(w[i].value, w[2].value, (int) n), "in a thread all goes otherwise");
  }
  for (int i = 0; i < 3; i++) free(w[i].value);
}

//---- units ---------------------------------------------------------------------------------------

static void check_kind(fmuFile *unit, bool is_exchange)
{
  check_token(unit, is_exchange);
  check_resources(unit, is_exchange);
  check_messages(unit, is_exchange);
  check_states(unit, is_exchange);
  if (!is_exchange) check_end(unit);
  check_values(unit, is_exchange);
  check_kept(unit, is_exchange);
  check_threads(unit, is_exchange);
  if (is_exchange) check_rates(unit);
  if (is_exchange) check_derivatives(unit);
}


typedef struct checkWork {
  const char *path, *schemas;
  fmuFile *unit;
} checkWork;


static void check_unit(void *context)
{
  checkWork *w = context;
  fmi_open(&w->unit, w->path);
  check_description(w->unit, w->schemas);
  for (int k = 0; k < 2; k++) {
    const fmiDescription *d = &w->unit->description;
    const fmiInterface *own = k ? &d->simulation : &d->exchange;
    if (!own->is_there) continue;
    fmi_load(w->unit, own);
    const bool fits = d->derivatives.n < MAX_STATES && d->nindicator < MAX_STATES;
    expect(fits, "there are too many states to check");
    if (fits) check_kind(w->unit, k == 0);
  }
}


checkReport checker_check(const char *path, const char *schemas, FILE *out)
{
  artError error = {0};
  checkWork w = {path, schemas, NULL};
  unit_path = path;
  told = out;
  report = (checkReport){0};
  const artStatus status = error_try(check_unit, &w, &error);
  expect(!status, "%s", error.text);
  fmi_close(w.unit);
  return report;
}
