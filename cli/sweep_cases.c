// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which cases a sweep has, and what is kept of each.
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "show/columns.h"
#include "verb_sweep.h"

static const double MOST_CASES = 1e7;


//---- names ---------------------------------------------------------------------------------------

static artStatus unknown_name(const cliCall *call, const artModel *m, const char *name,
                              artError *error)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int i = 0; i < m->nparameter; i++) base_consider(&nearest, m->parameter[i].name);
  for (int i = 0; i < m->ninput; i++) base_consider(&nearest, m->held[i].name);
  for (int i = 0; i < m->tree.nq; i++) base_consider(&nearest, m->position[i].name);
  for (int i = 0; i < m->tree.nv; i++) base_consider(&nearest, m->velocity[i].name);
  return file_wrong(error, call->file,
                    "there is no parameter, input, coordinate or velocity '%.60s'%s", name,
                    base_hint(&nearest, hint));
}


// the dimension of what a name stands for; coordinates that are driven have no initial value
static artStatus find_dimension(const cliCall *call, const artModel *m, const char *name,
                                baseDimension *dimension, artError *error)
{
  for (int i = 0; i < m->nparameter; i++) {
    if (strcmp(m->parameter[i].name, name) != 0) continue;
    *dimension = m->parameter[i].dimension;
    return ART_OK;
  }
  const int input = art_find_input(m, name);
  if (input >= 0) {
    *dimension = m->held[input].dimension.any ? UNIT_NUMBER : m->held[input].dimension;
    return ART_OK;
  }
  const int q = art_find_position(m, name), v = art_find_velocity(m, name);
  if (q < 0 && v < 0) return unknown_name(call, m, name, error);
  *dimension = q >= 0 ? m->position[q].dimension : m->velocity[v].dimension;
  return ART_OK;
}


static artStatus add_parameter(sweepCases *c, const cliCall *call, const artModel *m,
                               const char *name, baseDimension *dimension, artError *error)
{
  const artStatus status = find_dimension(call, m, name, dimension, error);
  if (status) return status;
  for (int k = 0; k < c->nparameter; k++) {
    if (strcmp(c->name[k], name) != 0) continue;
    return cli_wrong(error, "'%.60s' is varied twice", name);
  }
  for (int k = 0; k < call->set.count + call->input.count; k++) {
    const bool is_set = k < call->set.count;
    const char *word = is_set ? call->set.word[k] : call->input.word[k - call->set.count];
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != '=') continue;
    return cli_wrong(error, "--%s %.60s fixes what the cases vary; leave out one of the two",
                     is_set ? "set" : "input", word);
  }
  sweepParameter *p = &c->parameter[c->nparameter];
  c->name[c->nparameter++] = p->name = name;
  unit_name(*dimension, p->unit);
  return ART_OK;
}


static int make_room(sweepCases *c, int n)
{
  c->parameter = arena_alloc(&c->arena, (size_t) n, sizeof *c->parameter);
  c->name = arena_alloc(&c->arena, (size_t) n, sizeof *c->name);
  return c->parameter && c->name;
}


//---- ranges --------------------------------------------------------------------------------------

static artStatus bad_range(const char *word, const char *expected, artError *error)
{
  return cli_wrong(error, "--vary %.100s: expected %s", word, expected);
}


// A parameter to which the file gives no unit takes any that fits where the file uses it.
static artStatus read_value(const cliCall *call, const char *word, const char *name,
                            const char *text, baseDimension expected, double *value,
                            artError *error)
{
  artError detail = {0};
  baseDimension given;
  const artStatus status =
      unit_parse_quantity(value, &given, text, base_nowhere(), expected, &detail);
  if (status) {
    return base_fail(error, status, base_nowhere(), "--vary %.100s: %.800s", word, detail.text);
  }
  if (!expected.any || given.any) return ART_OK;
  return cli_check_unit(call, "vary", word, (artSetting){name, *value}, given, error);
}


// NAME=value, NAME=from:to, NAME=from:to:count, taken apart in a copy
static artStatus read_range(sweepCases *c, const cliCall *call, const artModel *m, const char *word,
                            artError *error)
{
  const char *shape = "NAME=from:to:count, or NAME=from:to with --samples";
  char *name = arena_text(&c->arena, word);
  if (!name) return base_no_memory(error);
  char *from = strchr(name, '=');
  if (!from || from == name) return bad_range(word, shape, error);
  *from++ = '\0';
  char *to = strchr(from, ':'), *count = to ? strchr(to + 1, ':') : NULL;
  if (to) *to++ = '\0';
  if (count) *count++ = '\0';
  const bool is_sampled = !isnan(call->samples);
  if (to && !count != is_sampled) {
    return bad_range(word,
                     is_sampled ? "NAME=from:to, for --samples says how many"
                                : "NAME=from:to:count; without a count, --samples is needed",
                     error);
  }
  baseDimension dimension;
  artStatus status = add_parameter(c, call, m, name, &dimension, error);
  if (status) return status;
  artRange *range = &c->parameter[c->nparameter - 1].range;
  range->count = 1;
  status = read_value(call, word, name, from, dimension, &range->from, error);
  range->to = range->from;
  if (!status && to) status = read_value(call, word, name, to, dimension, &range->to, error);
  if (status || !count) return status;
  char *end;
  range->count = strtol(count, &end, 10);
  if (end != count && !*end && range->count >= 1 && (double) range->count <= MOST_CASES) {
    return ART_OK;
  }
  return bad_range(word, "a whole number of values, 1 to 10000000, behind the second colon", error);
}


static artStatus too_many(double n, artError *error)
{
  return cli_wrong(error, "%.3g cases, expected at most %.0e", n, MOST_CASES);
}


static artStatus take_values(sweepCases *c, long rows, int n, artError *error)
{
  c->n = rows;
  c->value = arena_alloc(&c->arena, (size_t) rows * (size_t) n, sizeof *c->value);
  return c->value ? ART_OK : base_no_memory(error);
}


//---- samples -------------------------------------------------------------------------------------

static artStatus make_samples(sweepCases *c, const cliCall *call, const artRange *range,
                              artError *error)
{
  const artSampling sampling = call->sampling < 0 ? ART_LATIN : (artSampling) call->sampling;
  const double rows = isnan(call->samples) ? 0 : call->samples;
  const double seed = isnan(call->seed) ? 1 : call->seed;
  artStatus status = cli_check_whole("samples", call->samples, 1, MOST_CASES, error);
  if (!status) status = cli_check_whole("seed", call->seed, 0, 0x1p53, error);
  if (!status) status = take_values(c, (long) rows, c->nparameter, error);
  if (status) return status;
  return art_make_samples(sampling, (unsigned long long) seed, c->nparameter, range, c->n, c->value,
                          error);
}


static artStatus vary(sweepCases *c, const cliCall *call, const artModel *m, artError *error)
{
  const int n = call->vary.count;
  artStatus status = make_room(c, n) ? ART_OK : base_no_memory(error);
  if (!status && isnan(call->samples) && (call->sampling >= 0 || !isnan(call->seed)))
    return cli_wrong(error, "--%s goes with --samples, which says how many cases there are",
                     call->sampling >= 0 ? "sampling" : "seed");
  for (int k = 0; k < n && !status; k++) {
    status = read_range(c, call, m, call->vary.word[k], error);
  }
  if (status) return status;
  artRange range[CLI_WORDS];
  for (int k = 0; k < n; k++) range[k] = c->parameter[k].range;
  if (!isnan(call->samples)) return make_samples(c, call, range, error);

  // a grid
  double product = 1;
  for (int k = 0; k < n; k++) product *= (double) range[k].count;
  if (product > MOST_CASES) return too_many(product, error);
  status = take_values(c, art_make_grid(n, range, NULL), n, error);
  if (!status) art_make_grid(n, range, c->value);
  return status;
}


//---- cases from a file ---------------------------------------------------------------------------

static bool is_parameter(const ioColumn *column)
{
  return strcmp(column->name, "case") != 0;
}


// the unit of a column's head, which must suit the parameter
static artStatus read_unit(const cliCall *call, const ioColumn *column, baseDimension expected,
                           baseUnit *unit, artError *error)
{
  const artPlace place = {.file = call->cases};
  *unit = (baseUnit){.scale = 1, .factor = 1, .dimension = UNIT_ANY};
  if (column->unit[0]) {
    const artStatus status = unit_parse(unit, column->unit, place, error);
    if (status) return status;
  }
  if (unit_agree(unit->dimension, expected)) return ART_OK;
  char has[UNIT_NAME_LENGTH], wants[UNIT_NAME_LENGTH];
  return base_fail(error, ART_BAD_INPUT, place, "column '%.80s' is %s, expected %s", column->name,
                   unit_describe(unit->dimension, has), unit_describe(expected, wants));
}


// a column into the rows of all parameters, of which there are n
static artStatus take_column(sweepCases *c, const cliCall *call, const artModel *m,
                             const ioColumn *column, int n, artError *error)
{
  baseDimension dimension;
  baseUnit unit;
  const char *name = arena_text(&c->arena, column->name);
  if (!name) return base_no_memory(error);
  artStatus status = add_parameter(c, call, m, name, &dimension, error);
  if (!status) status = read_unit(call, column, dimension, &unit, error);
  const int k = c->nparameter - 1;
  if (!status && dimension.any && !unit.dimension.any) {
    const artSetting first = {name, unit_to_si(column->value[0], unit)};
    status = cli_check_unit(call, "cases", call->cases, first, unit.dimension, error);
  }
  for (long row = 0; row < c->n && !status; row++) {
    const double value = unit_to_si(column->value[row], unit);
    c->value[row * n + k] = value;
    if (isfinite(value)) continue;
    status = base_fail(error, ART_BAD_INPUT, (artPlace){.file = call->cases, .line = (int) row + 2},
                       "column '%.80s' is %g, expected a finite number", name, value);
  }
  return status;
}


// a column called `case` is passed over
static artStatus take_table(sweepCases *c, const cliCall *call, const artModel *m,
                            const ioColumns *table, artError *error)
{
  int n = 0;
  for (int k = 0; k < table->count; k++) n += is_parameter(&table->column[k]);
  if (n == 0 || table->rows == 0)
    return file_wrong(
        error, call->cases,
        "found no cases; expected a head of parameter names and a line for each case");
  if ((double) table->rows > MOST_CASES) return too_many((double) table->rows, error);
  artStatus status =
      make_room(c, n) ? take_values(c, table->rows, n, error) : base_no_memory(error);
  for (int k = 0; k < table->count && !status; k++) {
    if (is_parameter(&table->column[k])) {
      status = take_column(c, call, m, &table->column[k], n, error);
    }
  }
  return status;
}


static artStatus read_cases(sweepCases *c, const cliCall *call, const artModel *m, artError *error)
{
  if (call->vary.count > 0 || !isnan(call->samples))
    return cli_wrong(error, "--cases names a file with all cases; leave out --%s",
                     call->vary.count > 0 ? "vary" : "samples");
  ioColumns table = {0};
  artStatus status = columns_read(&table, call->cases, error);
  if (status == ART_IO) {
    const artError why = *error;
    status = cli_wrong(
        error, "%.900s; --cases names a table in CSV, with a column for each parameter", why.text);
  }
  if (!status) status = take_table(c, call, m, &table, error);
  columns_free(&table);
  return status;
}


artStatus sweep_find_cases(sweepCases *c, const cliCall *call, const artModel *m, artError *error)
{
  if (call->cases) return read_cases(c, call, m, error);
  if (call->vary.count > 0) return vary(c, call, m, error);
  return cli_wrong(error, "nothing is varied: give --vary NAME=from:to:count, or --cases FILE");
}


//---- results -------------------------------------------------------------------------------------

static artStatus unknown_output(const artModel *m, const char *word, const char *name,
                                artError *error)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int k = 0; k < art_count(m).outputs; k++) base_consider(&nearest, art_output_name(m, k));
  return cli_wrong(error, "--result %.100s: the model has no such output%s", word,
                   base_hint(&nearest, hint));
}


static artStatus add_results(sweepResults *r, const artModel *m, const char *word, artError *error)
{
  const char *colon = strchr(word, ':');
  int digest = 0, found = 0;
  for (; colon && digest < ART_DIGESTS; digest++) {
    const char *name = art_digest_name((artDigest) digest);
    if (strlen(name) == (size_t) (colon - word) && strncmp(name, word, strlen(name)) == 0) break;
  }
  if (!colon || digest == ART_DIGESTS)
    return cli_wrong(
        error,
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
  return found ? ART_OK : unknown_output(m, word, colon + 1, error);
}


artStatus sweep_find_results(sweepResults *r, baseArena *arena, const cliCall *call,
                             const artModel *m, artError *error)
{
  const size_t most = (size_t) ART_DIGESTS * (size_t) art_count(m).outputs;
  r->def = arena_alloc(arena, most, sizeof *r->def);
  if (!r->def) return base_no_memory(error);
  artStatus status = ART_OK;
  for (int i = 0; i < call->results.count && !status; i++) {
    status = add_results(r, m, call->results.word[i], error);
  }
  if (call->results.count == 0 && most > 0) status = add_results(r, m, "final:*", error);
  return status;
}
