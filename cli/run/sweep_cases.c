// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which cases a sweep has, and what is kept of each.
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "verb_sweep.h"

static const double MAX_CASES = 1e7;


//---- names ---------------------------------------------------------------------------------------

// the dimension of what a name represents; coordinates that are driven have no initial value
static baseDimension find_varied_dimension(const sweepCases *c, const char *name)
{
  const artModel *m = c->model;
  for (int i = 0; i < m->nparameter; i++) {
    if (strcmp(m->parameter[i].name, name) == 0) return m->parameter[i].dimension;
  }
  const int input = art_find_input(m, name);
  if (input >= 0) return m->held[input].dimension.any ? UNIT_NUMBER : m->held[input].dimension;
  const int q = art_find_position(m, name), v = art_find_velocity(m, name);
  if (q < 0 && v < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int i = 0; i < m->nparameter; i++) base_consider(&nearest, m->parameter[i].name);
    for (int i = 0; i < m->ninput; i++) base_consider(&nearest, m->held[i].name);
    for (int i = 0; i < m->tree.nq; i++) base_consider(&nearest, m->position[i].name);
    for (int i = 0; i < m->tree.nv; i++) base_consider(&nearest, m->velocity[i].name);
    error_refuse((artPlace){.file = c->call->file},
                 "there is no parameter, input, coordinate or velocity '%.60s'%s", name,
                 base_hint(&nearest, hint));
  }
  return q >= 0 ? m->position[q].dimension : m->velocity[v].dimension;
}


static baseDimension add_varied_parameter(sweepCases *c, const char *name)
{
  const cliCall *call = c->call;
  const baseDimension dimension = find_varied_dimension(c, name);
  for (int k = 0; k < c->nparameter; k++) {
    if (strcmp(c->name[k], name) == 0) cli_leave("'%.60s' is varied twice", name);
  }
  for (int k = 0; k < call->set.count + call->input.count; k++) {
    const bool is_set = k < call->set.count;
    const char *word = is_set ? call->set.word[k] : call->input.word[k - call->set.count];
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != '=') continue;
    cli_leave("--%s %.60s fixes what the cases vary; leave out one of the two",
              is_set ? "set" : "input", word);
  }
  sweepParameter *p = &c->parameter[c->nparameter];
  c->name[c->nparameter++] = p->name = name;
  unit_name(dimension, p->unit);
  return dimension;
}


static void make_parameter_room(sweepCases *c, int n)
{
  ARENA_TAKE(&c->arena, c->parameter, n);
  ARENA_TAKE(&c->arena, c->name, n);
}


//---- ranges --------------------------------------------------------------------------------------

_Noreturn static void bad_range(const char *word, const char *expected)
{
  cli_leave("--vary %.100s: expected %s", word, expected);
}


// A parameter to which the file gives no unit takes any that fits where the file uses it.
static double read_varied_value(const sweepCases *c, const char *word, const char *name,
                                const char *text, baseDimension expected)
{
  artError detail = {0};
  baseDimension given;
  double value;
  const artStatus status =
      unit_parse_quantity(&value, &given, text, base_nowhere(), expected, &detail);
  if (status) error_throw_at(status, base_nowhere(), "--vary %.100s: %.800s", word, detail.text);
  if (expected.any && !given.any) {
    error_check(
        cli_check_unit(c->call, "vary", word, (artSetting){name, value}, given, error_current()));
  }
  return value;
}


// NAME=value, NAME=from:to, NAME=from:to:count, taken apart in a copy
static void read_range(sweepCases *c, const char *word)
{
  char *name = arena_text(&c->arena, word), *from = strchr(name, '=');
  if (!from || from == name) bad_range(word, "NAME=from:to:count, or NAME=from:to with --samples");
  *from++ = '\0';
  char *to = strchr(from, ':'), *count = to ? strchr(to + 1, ':') : NULL;
  if (to) *to++ = '\0';
  if (count) *count++ = '\0';
  const bool is_sampled = !isnan(c->call->samples);
  if (to && !count != is_sampled) {
    bad_range(word, is_sampled ? "NAME=from:to, for --samples says how many"
                               : "NAME=from:to:count; without a count, --samples is needed");
  }
  const baseDimension dimension = add_varied_parameter(c, name);
  artRange *range = &c->parameter[c->nparameter - 1].range;
  range->count = 1;
  range->from = read_varied_value(c, word, name, from, dimension);
  range->to = to ? read_varied_value(c, word, name, to, dimension) : range->from;
  if (!count) return;
  char *end;
  range->count = strtol(count, &end, 10);
  if (end == count || *end || range->count < 1 || (double) range->count > MAX_CASES) {
    bad_range(word, "a whole number of values, 1 to 10000000, after the second colon");
  }
}


static void take_values(sweepCases *c, double rows, int n)
{
  if (rows > MAX_CASES) cli_leave("%.3g cases, expected at most %.0e", rows, MAX_CASES);
  c->n = (long) rows;
  ARENA_TAKE(&c->arena, c->value, (size_t) c->n * (size_t) n);
}


//---- samples -------------------------------------------------------------------------------------

static void vary_parameters(sweepCases *c)
{
  const cliCall *call = c->call;
  const int n = call->vary.count;
  make_parameter_room(c, n);
  if (isnan(call->samples) && (call->sampling >= 0 || !isnan(call->seed)))
    cli_leave("--%s goes with --samples, which says how many cases there are",
              call->sampling >= 0 ? "sampling" : "seed");
  for (int k = 0; k < n; k++) read_range(c, call->vary.word[k]);
  artRange range[CLI_WORDS];
  for (int k = 0; k < n; k++) range[k] = c->parameter[k].range;
  if (!isnan(call->samples)) {
    const artSampling sampling = call->sampling < 0 ? ART_LATIN : (artSampling) call->sampling;
    const double seed = isnan(call->seed) ? 1 : call->seed;
    cli_check_whole("samples", call->samples, 1, MAX_CASES);
    cli_check_whole("seed", call->seed, 0, 0x1p53);
    take_values(c, call->samples, c->nparameter);
    error_check(art_make_samples(sampling, (unsigned long long) seed, c->nparameter, range, c->n,
                                 c->value, error_current()));
    return;
  }

  // a grid
  double product = 1;
  for (int k = 0; k < n; k++) product *= (double) range[k].count;
  take_values(c, product, n);
  art_make_grid(n, range, c->value);
}


//---- cases from a file ---------------------------------------------------------------------------

static bool is_parameter_column(const ioColumn *column)
{
  return strcmp(column->name, "case") != 0;
}


// the unit of a column's head, which must suit the parameter
static baseUnit read_column_unit(const sweepCases *c, const ioColumn *column,
                                 baseDimension expected)
{
  const artPlace place = {.file = c->call->cases};
  baseUnit unit = {.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (column->unit[0]) error_check(unit_parse(&unit, column->unit, place, error_current()));
  if (unit_agree(unit.dimension, expected)) return unit;
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  error_refuse(place, "column '%.80s' is %s, expected %s", column->name,
               unit_describe(unit.dimension, has), unit_describe(expected, wants));
}


// a column into the rows of all parameters, of which there are n
static void take_column(sweepCases *c, const ioColumn *column, int n)
{
  const cliCall *call = c->call;
  const char *name = arena_text(&c->arena, column->name);
  const baseDimension dimension = add_varied_parameter(c, name);
  const baseUnit unit = read_column_unit(c, column, dimension);
  const int k = c->nparameter - 1;
  if (dimension.any && !unit.dimension.any) {
    const artSetting first = {name, unit_to_si(column->value[0], unit)};
    error_check(cli_check_unit(call, "cases", call->cases, first, unit.dimension, error_current()));
  }
  for (long row = 0; row < c->n; row++) {
    const double value = unit_to_si(column->value[row], unit);
    c->value[row * n + k] = value;
    if (isfinite(value)) continue;
    error_refuse((artPlace){.file = call->cases, .line = (int) row + 2},
                 "column '%.80s' is %g, expected a finite number", name, value);
  }
}


void sweep_find_cases(sweepCases *c)
{
  if (c->call->cases) {
    const cliCall *call = c->call;
    if (call->vary.count > 0 || !isnan(call->samples))
      cli_leave("--cases names a file with all cases; leave out --%s",
                call->vary.count > 0 ? "vary" : "samples");
    const artStatus status = columns_read(&c->table, call->cases, error_current());
    if (status == ART_IO) {
      const artError why = *error_current();
      cli_leave("%.900s; --cases names a table in CSV, with a column for each parameter", why.text);
    }
    error_check(status);
    // a column called `case` is passed over
    const ioColumns *table = &c->table;
    int n = 0;
    for (int k = 0; k < table->count; k++) n += is_parameter_column(&table->column[k]);
    if (n == 0 || table->rows == 0)
      error_refuse((artPlace){.file = c->call->cases},
                   "found no cases; expected a head of parameter names and a line for each case");
    take_values(c, (double) table->rows, n);
    make_parameter_room(c, n);
    for (int k = 0; k < table->count; k++) {
      if (is_parameter_column(&table->column[k])) take_column(c, &table->column[k], n);
    }
  } else if (c->call->vary.count > 0)
    vary_parameters(c);
  else
    cli_leave("nothing is varied: give --vary NAME=from:to:count, or --cases FILE");
}


//---- results -------------------------------------------------------------------------------------

static void add_results(sweepResults *r, const artModel *m, const char *word)
{
  const char *colon = strchr(word, ':');
  int digest = 0, found = 0;
  for (; colon && digest < ART_DIGESTS; digest++) {
    const char *name = art_digest_name((artDigest) digest);
    if (strlen(name) == (size_t) (colon - word) && strncmp(name, word, strlen(name)) == 0) break;
  }
  if (!colon || digest == ART_DIGESTS)
    cli_leave(
        "--result %.100s: expected FUNCTION:OUTPUT, FUNCTION one of final, min, max, mean, rms",
        word);
  for (int k = 0; k < art_count(m).outputs; k++) {
    const artResultDef def = {(artDigest) digest, k};
    if (strcmp(art_output_name(m, k), colon + 1) != 0 &&
        fnmatch(colon + 1, art_output_name(m, k), 0) != 0) {
      continue;
    }
    bool is_new = true;
    for (int i = 0; i < r->n; i++) {
      is_new &= r->def[i].digest != def.digest || r->def[i].output != def.output;
    }
    if (is_new) r->def[r->n++] = def;
    found = 1;
  }
  if (!found) {
    const char *name = colon + 1;
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int k = 0; k < art_count(m).outputs; k++) base_consider(&nearest, art_output_name(m, k));
    cli_leave("--result %.100s: the model has no such output%s", word, base_hint(&nearest, hint));
  }
}


void sweep_find_results(sweepResults *r, baseArena *arena, const cliCall *call, const artModel *m)
{
  const size_t most = (size_t) ART_DIGESTS * (size_t) art_count(m).outputs;
  ARENA_TAKE(arena, r->def, most);
  for (int i = 0; i < call->results.count; i++) add_results(r, m, call->results.word[i]);
  if (call->results.count == 0 && most > 0) add_results(r, m, "final:*");
}
