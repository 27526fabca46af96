// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files of coupled simulations.
#include "fmi/system_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unit.h"
#include "model/yaml.h"
#include "show/columns.h"

static const double MOST_STEPS = 1e9;

typedef struct systemReader {
  fmiSystem *s;
  const char *path;
  fmiLogger *logger;
  void *context;
  artError *error;
} systemReader;


//---- values --------------------------------------------------------------------------------------

// refuse keys that are not in the list, NULL behind the last
static artStatus check_keys(systemReader *r, const yamlNode *node, const char *what,
                            const char *const *key)
{
  if (node->kind != NODE_MAPPING) {
    return base_fail(r->error, ART_BAD_INPUT, node->place, "%s is a mapping of keys", what);
  }
  for (const yamlNode *item = node->first; item; item = item->next) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = item->key};
    int k = 0;
    for (; key[k] && strcmp(key[k], item->key) != 0; k++) base_consider(&nearest, key[k]);
    if (key[k]) continue;
    return base_fail(r->error, ART_BAD_INPUT, item->key_place, "'%.60s' is no key of %s%s",
                     item->key, what, base_hint(&nearest, hint));
  }
  return ART_OK;
}


static artStatus take_text(systemReader *r, const yamlNode *node, const char **text)
{
  if (node->kind != NODE_SCALAR || !node->text[0]) {
    return base_fail(r->error, ART_BAD_INPUT, node->place, "a word was expected here");
  }
  *text = arena_text(&r->s->arena, node->text);
  return *text ? ART_OK : base_no_memory(r->error);
}


// a number with its unit; where the key is absent the number stays
static artStatus take_number(systemReader *r, const yamlNode *node, const char *key,
                             baseDimension dimension, double *value)
{
  const yamlNode *item = yaml_find(node, key);
  if (!item) return ART_OK;
  if (item->kind != NODE_SCALAR) {
    return base_fail(r->error, ART_BAD_INPUT, item->place, "'%s' is a number", key);
  }
  return unit_parse_quantity(value, NULL, item->text, item->place, dimension, r->error);
}

//---- units ---------------------------------------------------------------------------------------

// the path of a file that is named relative to the one that names it
static artStatus find_file(systemReader *r, const char *name, char path[FILE_PATH_LENGTH])
{
  const char *slash = strrchr(r->path, '/');
  const int n = name[0] != '/' && slash ? (int) (slash - r->path + 1) : 0;
  if (snprintf(path, FILE_PATH_LENGTH, "%.*s%s", n, r->path, name) < FILE_PATH_LENGTH)
    return ART_OK;
  return base_fail(r->error, ART_BAD_INPUT, base_nowhere(), "the path '%.60s' is too long", name);
}


static artStatus read_start(systemReader *r, fmiPart *part, const yamlNode *start)
{
  artStatus status = ART_OK;
  for (const yamlNode *item = start ? start->first : NULL; item && !status; item = item->next) {
    const char *text;
    status = take_text(r, item, &text);
    if (!status) status = part_start_value(part, item->key, text, item->place, r->error);
  }
  return status;
}


static artStatus read_records(systemReader *r, fmiPart *part, const yamlNode *list)
{
  int *record = NULL;
  if (!list) return ART_OK;
  if (list->kind != NODE_SEQUENCE) {
    return base_fail(r->error, ART_BAD_INPUT, list->place, "record is a list of variables");
  }
  if (list->count > 0 && !ARENA_TAKE(&r->s->arena, record, list->count)) {
    return base_no_memory(r->error);
  }
  artStatus status = ART_OK;
  if (list->count > 0) part->record = record;
  for (const yamlNode *item = list->first; item && !status; item = item->next) {
    const char *name;
    status = take_text(r, item, &name);
    if (!status) {
      status = part_find_record(part, name, item->place, &record[part->nrecord++], r->error);
    }
  }
  return status;
}


static artStatus read_unit(systemReader *r, const yamlNode *node, fmiPart *part)
{
  static const char *const keys[] = {"file", "kind", "start", "record", NULL};
  char path[FILE_PATH_LENGTH];
  const char *file = NULL, *kind = "";
  artStatus status = check_keys(r, node, "a unit", keys);
  if (status) return status;
  if (!yaml_find(node, "file")) {
    return base_fail(r->error, ART_BAD_INPUT, node->place, "the unit '%.60s' has no file",
                     node->key);
  }
  part->place = node->key_place;
  part->name = arena_text(&r->s->arena, node->key);
  if (!part->name) return base_no_memory(r->error);
  status = take_text(r, yaml_find(node, "file"), &file);
  if (!status && yaml_find(node, "kind")) status = take_text(r, yaml_find(node, "kind"), &kind);
  if (!status && *kind && strcmp(kind, "exchange") != 0 && strcmp(kind, "co-simulation") != 0) {
    status = base_fail(r->error, ART_BAD_INPUT, yaml_find(node, "kind")->place,
                       "'%.60s' is no kind of unit: exchange, co-simulation", kind);
  }
  if (!status) status = find_file(r, file, path);
  if (!status) {
    status = part_open(part, path, strcmp(kind, "exchange") == 0, r->logger, r->context, r->error);
    if (status == ART_IO) status = r->error->status = ART_BAD_INPUT;
  }
  if (!status) status = read_start(r, part, yaml_find(node, "start"));
  return status ? status : read_records(r, part, yaml_find(node, "record"));
}


static artStatus read_units(systemReader *r, const yamlNode *units)
{
  fmiMaster *m = &r->s->master;
  if (units->kind != NODE_MAPPING || units->count == 0) {
    return base_fail(r->error, ART_BAD_INPUT, units->place, "units are a mapping of names");
  }
  if (!ARENA_TAKE(&r->s->arena, m->part, units->count)) return base_no_memory(r->error);
  artStatus status = ART_OK;
  for (const yamlNode *node = units->first; node && !status; node = node->next) {
    if (strchr(node->key, '.')) {
      return base_fail(r->error, ART_BAD_INPUT, node->key_place,
                       "'%.60s': names of units have no point", node->key);
    }
    status = read_unit(r, node, &m->part[m->npart++]);
  }
  return status;
}

//---- connections ---------------------------------------------------------------------------------

// "arm.angle": the part, and the name in it
static artStatus find_part(systemReader *r, const char *words, artPlace place, int *part,
                           const char **name)
{
  const fmiMaster *m = &r->s->master;
  const char *point = strchr(words, '.');
  const size_t n = point ? (size_t) (point - words) : strlen(words);
  char hint[BASE_HINT_LENGTH], own[100];
  snprintf(own, sizeof own, "%.*s", (int) n, words);
  baseNearest nearest = {.word = own};
  *name = point ? point + 1 : "";
  for (*part = 0; *part < m->npart; ++*part) {
    if (strcmp(m->part[*part].name, own) == 0) return ART_OK;
    base_consider(&nearest, m->part[*part].name);
  }
  return base_fail(r->error, ART_BAD_INPUT, place, "there is no unit '%.60s'%s", own,
                   base_hint(&nearest, hint));
}


// Units of the standard are written m/s2 and N.m; this is the way of model files: m/s^2, N*m.
static void rewrite_unit(const char *unit, char text[100])
{
  size_t n = 0;
  for (const char *c = unit; *c && n < 97; c++) {
    const bool is_power = isdigit((unsigned char) *c) || *c == '-';
    if (is_power && c > unit && isalpha((unsigned char) c[-1])) text[n++] = '^';
    text[n++] = *c == '.' ? '*' : *c;
  }
  text[n] = 0;
}


// the measure of a number where a connection ends: by the definition of the unit, else by its name
static fmiMeasure measure_of(const fmiPart *part, int number, bool is_input)
{
  char text[100];
  baseUnit found;
  fmiMeasure own = {0};
  if (part->unit) own = part->unit->description.variable[number].measure;
  if (own.is_known) return own;
  rewrite_unit(part_unit(part, number, is_input), text);
  const bool is_known = text[0] && unit_parse(&found, text, base_nowhere(), NULL) == ART_OK;
  return is_known ? (fmiMeasure){true, found.dimension, 0, 0, found.scale, 0} : (fmiMeasure){0};
}


// both ends in units of one kind, as far as both are known: factor_to input + offset_to = factor_from output + offset_from
static artStatus connect_units(systemReader *r, fmiLink *l)
{
  const fmiPart *part = r->s->master.part;
  const fmiMeasure from = measure_of(&part[l->from], l->output, false);
  const fmiMeasure to = measure_of(&part[l->to], l->input, true);
  l->factor = 1;
  if (!from.is_known || !to.is_known) return ART_OK;
  if (!unit_agree(from.dimension, to.dimension) || from.mol != to.mol || from.cd != to.cd) {
    return base_fail(r->error, ART_BAD_INPUT, l->place,
                     "%.100s is in '%.30s' and is given a value in '%.30s'", l->words,
                     part_unit(&part[l->to], l->input, true),
                     part_unit(&part[l->from], l->output, false));
  }
  l->factor = from.factor / to.factor;
  l->offset = (from.offset - to.offset) / to.factor;
  return ART_OK;
}


// The signal that an input follows over time: a table where the text names one, else a formula.
static artStatus read_signal(systemReader *r, const char *text, artPlace place, fmiLink *l)
{
  fmiPart *part = &r->s->master.part[l->to];
  const fmiMeasure measure = measure_of(part, l->input, true);
  const char *point = r->s->is_single ? NULL : strchr(l->words, '.');
  const fmiTarget target = {.name = point ? point + 1 : l->words,
                            .dimension = measure.is_known ? measure.dimension : UNIT_ANY,
                            .scale = measure.is_known ? measure.factor : 1,
                            .shift = measure.is_known ? measure.offset : 0};
  char path[FILE_PATH_LENGTH];
  fmiSignal *signal = NULL;
  if (!ARENA_TAKE(&r->s->arena, signal, 1)) return base_no_memory(r->error);
  artStatus status;
  if (text[0] != '=' && record_is_named(text)) {
    status = r->path ? find_file(r, text, path) : ART_OK;
    if (!status) {
      status = signal_table(signal, &r->s->arena, r->path ? path : text, &target, r->error);
    }
  } else {
    status =
        signal_formula(signal, &r->s->arena, text + (text[0] == '='), place, &target, r->error);
  }
  part_follow(part, l->input, signal);
  l->signal = signal;
  return status;
}


static artStatus read_link(systemReader *r, const yamlNode *node, fmiLink *l)
{
  const fmiMaster *m = &r->s->master;
  const char *name, *from;
  l->place = node->key_place;
  l->words = arena_text(&r->s->arena, node->key);
  artStatus status = l->words ? take_text(r, node, &from) : base_no_memory(r->error);
  if (!status) status = find_part(r, node->key, node->key_place, &l->to, &name);
  if (!status) {
    status = part_find_input(&m->part[l->to], name, node->key_place, &l->input, r->error);
  }
  if (!status && (from[0] == '=' || record_is_named(from))) {
    return read_signal(r, from, node->place, l);
  }
  if (!status) status = find_part(r, from, node->place, &l->from, &name);
  if (!status)
    status = part_find_output(&m->part[l->from], name, node->place, &l->output, r->error);
  return status ? status : connect_units(r, l);
}


static artStatus read_links(systemReader *r, const yamlNode *connect)
{
  fmiMaster *m = &r->s->master;
  if (!connect) return ART_OK;
  if (connect->kind != NODE_MAPPING) {
    return base_fail(r->error, ART_BAD_INPUT, connect->place,
                     "connections are a mapping of inputs to outputs");
  }
  if (connect->count > 0 && !ARENA_TAKE(&r->s->arena, m->link, connect->count)) {
    return base_no_memory(r->error);
  }
  artStatus status = ART_OK;
  for (const yamlNode *node = connect->first; node && !status; node = node->next) {
    status = read_link(r, node, &m->link[m->nlink++]);
  }
  return status;
}

//---- the study -----------------------------------------------------------------------------------

static artStatus read_study(systemReader *r, const yamlNode *study)
{
  static const char *const keys[] = {"type",     "from",       "until",     "step",
                                     "interval", "iterations", "tolerance", NULL};
  fmiMaster *m = &r->s->master;
  double iterations = m->iterations;
  if (!study) return ART_OK;
  artStatus status = check_keys(r, study, "the study of a coupled simulation", keys);
  if (!status) status = take_number(r, study, "from", UNIT_TIME, &m->from);
  if (!status) status = take_number(r, study, "until", UNIT_TIME, &m->until);
  if (!status) status = take_number(r, study, "step", UNIT_TIME, &m->step);
  if (!status) status = take_number(r, study, "interval", UNIT_TIME, &r->s->interval);
  if (!status) status = take_number(r, study, "tolerance", UNIT_NUMBER, &m->tolerance);
  if (!status) status = take_number(r, study, "iterations", UNIT_NUMBER, &iterations);
  if (!status && !(iterations >= 1 && iterations <= 1000 && iterations == floor(iterations))) {
    status = base_fail(r->error, ART_BAD_INPUT, yaml_find(study, "iterations")->place,
                       "iterations are a whole number from 1 to 1000");
  }
  if (!status && !(m->tolerance > 0 && m->tolerance < 1)) {
    status = base_fail(r->error, ART_BAD_INPUT, study->place, "the tolerance is between 0 and 1");
  }
  if (!status) m->iterations = (int) iterations;
  return status;
}


static artStatus read_file(systemReader *r)
{
  static const char *const keys[] = {"articula", "title", "units", "connect", "study", NULL};
  yamlNode *root;
  artStatus status = yaml_read_file(&r->s->arena, r->path, &root, r->error);
  if (!status) status = check_keys(r, root, "a file of units", keys);
  if (status) return status;
  const yamlNode *head = yaml_find(root, "articula"), *title = yaml_find(root, "title");
  if (!head || head->kind != NODE_SCALAR || strcmp(head->text, "1") != 0) {
    return base_fail(r->error, ART_BAD_INPUT, root->place, "the file begins with 'articula: 1'");
  }
  if (title) status = take_text(r, title, &r->s->title);
  if (!status) status = read_units(r, yaml_find(root, "units"));
  if (!status) status = read_links(r, yaml_find(root, "connect"));
  return status ? status : read_study(r, yaml_find(root, "study"));
}


static artStatus open_single(systemReader *r)
{
  fmiMaster *m = &r->s->master;
  const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
  if (!ARENA_TAKE(&r->s->arena, m->part, 1)) return base_no_memory(r->error);
  m->npart = 1;
  m->part->name = arena_text_n(&r->s->arena, name, strlen(name) - strlen(".fmu"));
  m->part->place = (artPlace){.file = r->path};
  r->s->is_single = true;
  if (!m->part->name) return base_no_memory(r->error);
  return part_open(m->part, r->path, false, r->logger, r->context, r->error);
}


bool system_is_file(const char *path)
{
  baseArena arena = {0};
  yamlNode *root = NULL;
  if (file_has_ending(path, ".fmu")) return true;
  if (!file_has_ending(path, ".yaml") && !file_has_ending(path, ".yml")) return false;
  const bool is_read = yaml_read_file(&arena, path, &root, NULL) == ART_OK;
  const bool is_system = is_read && root->kind == NODE_MAPPING && yaml_find(root, "units");
  arena_free(&arena);
  return is_system;
}


artStatus system_open(fmiSystem *s, const char *path, fmiLogger *logger, void *context,
                      artError *error)
{
  systemReader r = {s, path, logger, context, error};
  s->master.from = s->master.until = s->master.step = s->interval = NAN;
  s->master.iterations = 1;
  s->master.tolerance = 1e-8;
  return file_has_ending(path, ".fmu") ? open_single(&r) : read_file(&r);
}


// NAME=VALUE of a call: the part, the name in it, the value
typedef struct setting {
  char words[300];
  const char *name, *value;
  int part;
} setting;


static artStatus take_setting(systemReader *r, const char *words, setting *own)
{
  const char *equals = strchr(words, '=');
  if (!equals || equals - words >= (long) sizeof own->words) {
    return base_fail(r->error, ART_BAD_INPUT, base_nowhere(), "'%.60s' is not NAME=VALUE", words);
  }
  snprintf(own->words, sizeof own->words, "%.*s", (int) (equals - words), words);
  own->name = own->words;
  own->value = equals + 1;
  own->part = 0;
  if (r->s->is_single) return ART_OK;
  return find_part(r, own->words, base_nowhere(), &own->part, &own->name);
}


artStatus system_set(fmiSystem *s, const char *words, artError *error)
{
  systemReader r = {.s = s, .error = error};
  setting own;
  const artStatus status = take_setting(&r, words, &own);
  if (status) return status;
  return part_start_value(&s->master.part[own.part], own.name, own.value, base_nowhere(), error);
}


// one more connection, where the input has none
static artStatus add_link(systemReader *r, const setting *own, fmiLink **added)
{
  fmiMaster *m = &r->s->master;
  fmiLink *link = NULL, new = {.to = own->part};
  const artStatus status =
      part_find_input(&m->part[own->part], own->name, base_nowhere(), &new.input, r->error);
  if (status) return status;
  for (int i = 0; i < m->nlink; i++) {
    if (m->link[i].to != new.to || m->link[i].input != new.input) continue;
    return base_fail(r->error, ART_BAD_INPUT, base_nowhere(),
                     "'%.60s' is connected already, and follows one thing alone", own->words);
  }
  new.words = arena_text(&r->s->arena, own->words);
  if (!new.words || !ARENA_TAKE(&r->s->arena, link, m->nlink + 1)) return base_no_memory(r->error);
  if (m->nlink > 0) memcpy(link, m->link, (size_t) m->nlink * sizeof *link);
  link[m->nlink] = new;
  m->link = link;
  *added = &link[m->nlink++];
  return ART_OK;
}


// a number, or a text that the variable takes
static bool is_start_value(const fmiPart *part, const setting *own)
{
  char *end;
  if (!part->unit) return art_find_input(part->model, own->name) < 0;
  const int number = fmi_find_variable(&part->unit->description, own->name);
  const bool is_text = number >= 0 && !fmi_is_number(&part->unit->description.variable[number]);
  strtod(own->value, &end);
  return is_text || (end > own->value && !*end) || strcmp(own->value, "true") == 0 ||
         strcmp(own->value, "false") == 0;
}


artStatus system_input(fmiSystem *s, const char *words, artError *error)
{
  systemReader r = {.s = s, .error = error};
  setting own;
  fmiLink *link = NULL;
  artStatus status = take_setting(&r, words, &own);
  if (status) return status;
  const bool is_start = is_start_value(&s->master.part[own.part], &own);
  if (is_start) return system_set(s, words, error);
  status = add_link(&r, &own, &link);
  return status ? status : read_signal(&r, own.value, base_nowhere(), link);
}


static artStatus bad_times(const char *what, double value, artError *error)
{
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the %s of %.9g s makes no sense", what,
                   value);
}


// defaults: a unit alone has its own, else from 0 on for 1 s, in a hundred steps
artStatus system_finish(fmiSystem *s, artError *error)
{
  fmiMaster *m = &s->master;
  const fmiDescription *d = s->is_single ? &m->part->unit->description : NULL;
  if (isnan(m->from)) m->from = d && isfinite(d->from) ? d->from : 0;
  if (isnan(m->until)) m->until = d && isfinite(d->until) ? d->until : m->from + 1;
  if (isnan(m->step)) m->step = d && isfinite(d->step) ? d->step : (m->until - m->from) / 100;
  if (isnan(s->interval)) s->interval = m->step;
  if (!(m->until > m->from)) return bad_times("end", m->until, error);
  if (!(m->step > 0) || (m->until - m->from) / m->step > MOST_STEPS) {
    return bad_times("step", m->step, error);
  }
  const double ratio = s->interval / m->step;
  if (!(ratio > 0.5) || fabs(ratio - round(ratio)) > 1e-9 * ratio) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the interval of %.9g s is no multiple of the step of %.9g s", s->interval,
                     m->step);
  }
  const double count = (m->until - m->from) / m->step;
  const bool is_whole = fabs(count - round(count)) <= 1e-9 * count;
  for (int i = 0; i < m->npart; i++) {
    const fmiPart *part = &m->part[i];
    if (part_takes_step(part, m->step) && (is_whole || part_takes_any_step(part))) continue;
    return base_fail(error, ART_BAD_INPUT, part->place,
                     "'%.60s' does not take a step of %.9g s, or not a shorter one at the end",
                     part->name, m->step);
  }
  for (int i = 0; m->iterations > 1 && i < m->npart; i++) {
    if (part_can_save(&m->part[i])) continue;
    return base_fail(error, ART_BAD_INPUT, m->part[i].place,
                     "'%.60s' cannot go back to a state, which iterations need", m->part[i].name);
  }
  return ART_OK;
}


void system_free(fmiSystem *s)
{
  for (int i = 0; i < s->master.npart; i++) part_close(&s->master.part[i]);
  arena_free(&s->arena);
}
