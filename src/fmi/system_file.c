// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reader of coupled-simulation files.
#include "fmi/system_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/format.h"
#include "base/plain.h"
#include "base/platform.h"
#include "base/unit.h"
#include "base/yaml.h"
#include "show/columns.h"

static const double MAX_STEPS = 1e9;

typedef struct systemReader {
  fmiSystem *s;
  const char *path;
  fmiNatives natives;
  fmiLogger *logger;
  void *context;
} systemReader;


//---- values --------------------------------------------------------------------------------------

// reject keys that are not in the NULL-terminated list
static void check_system_keys(const yamlNode *node, const char *what, const char *const *key)
{
  if (node->kind != NODE_MAPPING) error_refuse(node->place, "%s is a mapping of keys", what);
  for (const yamlNode *item = node->first; item; item = item->next) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = item->key};
    int k = 0;
    for (; key[k] && strcmp(key[k], item->key) != 0; k++) base_consider(&nearest, key[k]);
    if (key[k]) continue;
    error_refuse(item->key_place, "'%.60s' is not a key of %s%s", item->key, what,
                 base_hint(&nearest, hint));
  }
}


// Reject control characters, since titles, names and paths are printed to terminals and tables.
static void check_system_plain(const char *text, artPlace place)
{
  if (plain_is(text)) return;
  error_refuse(place, "'%.60s' has control characters in it; write it without them", text);
}


static const char *take_system_text(const yamlNode *node)
{
  if (node->kind != NODE_SCALAR || !node->text[0]) {
    error_refuse(node->place, "expected a name here");
  }
  check_system_plain(node->text, node->place);
  return node->text;
}


// a number with its unit; unchanged if the key is missing
static void take_system_number(const yamlNode *node, const char *key, baseDimension dimension,
                               double *value)
{
  const yamlNode *item = yaml_find(node, key);
  if (!item) return;
  if (item->kind != NODE_SCALAR) error_refuse(item->place, "'%s' is a number", key);
  error_check(
      unit_parse_quantity(value, NULL, item->text, item->place, dimension, error_current()));
}

//---- FMUs ----------------------------------------------------------------------------------------

// Reject symbolic links that lead out of the folder of the file (doc/reference/security.md).
static void check_system_link(const systemReader *r, const char *name, size_t length)
{
  char folder[FILE_PATH_LENGTH], own[FILE_PATH_LENGTH];
  const char *slash = strrchr(r->path, '/');
  const int n = !slash ? 0 : slash == r->path ? 1 : (int) (slash - r->path);
  snprintf(folder, sizeof folder, "%.*s", n > 0 ? n : 1, n > 0 ? r->path : ".");
  snprintf(own, sizeof own, "%.*s", (int) length, name);
  if (!platform_is_absolute(name)) error_check(file_check_named(folder, own, error_current()));
}


// the path of a file, relative to the file that names it; the first `length` bytes of the name are
// the path
static void find_system_file(const systemReader *r, const char *name, size_t length,
                             char path[FILE_PATH_LENGTH])
{
  const char *slash = strrchr(r->path, '/');
  const int n = !platform_is_absolute(name) && slash ? (int) (slash - r->path + 1) : 0;
  check_system_link(r, name, length);
  if (snprintf(path, FILE_PATH_LENGTH, "%.*s%s", n, r->path, name) >= FILE_PATH_LENGTH) {
    error_refuse(base_nowhere(), "the path '%.60s' is too long", name);
  }
}


static void read_records(systemReader *r, fmiPart *part, const yamlNode *list)
{
  int *record = NULL;
  if (!list) return;
  if (list->kind != NODE_SEQUENCE) error_refuse(list->place, "record is a list of variables");
  part->record = ARENA_TAKE(&r->s->arena, record, list->count + 1);
  for (const yamlNode *item = list->first; item; item = item->next) {
    record[part->nrecord++] = part_find_record(part, take_system_text(item), item->place);
  }
}


// True if the caller has allowed this file, under any path.
static bool is_native_allowed(const systemReader *r, const char *path)
{
  struct stat own, named;
  if (stat(path, &own) != 0) return false;
  for (int i = 0; i < r->natives.count; i++) {
    if (stat(r->natives.path[i], &named) != 0) continue;
    if (own.st_dev == named.st_dev && own.st_ino == named.st_ino) return true;
  }
  return false;
}


// A system file may not load native code: the caller must name every FMU
// (doc/reference/security.md).
static void check_native(const systemReader *r, const char *path, artPlace place)
{
  if (!file_has_ending(path, ".fmu") || access(path, F_OK) != 0) return;
  if (is_native_allowed(r, path)) return;
  error_refuse(place,
               "this FMU has native code, which may do all that you may do, and a file cannot load "
               "it; if you trust its author, add --allow-native '%.300s' to the call",
               path);
}


static void read_system_unit(systemReader *r, const yamlNode *node, fmiPart *part)
{
  static const char *const keys[] = {"file", "kind", "start", "record", NULL};
  char path[FILE_PATH_LENGTH];
  check_system_keys(node, "an FMU", keys);
  const yamlNode *file = yaml_find(node, "file"), *kind = yaml_find(node, "kind"),
                 *start = yaml_find(node, "start");
  if (!file) error_refuse(node->place, "the FMU '%.60s' has no file", node->key);
  part->place = node->key_place;
  part->name = node->key;
  const char *name = take_system_text(file),
             *word = kind ? take_system_text(kind) : "co-simulation";
  const bool is_exchange = strcmp(word, "exchange") == 0;
  if (!is_exchange && strcmp(word, "co-simulation") != 0) {
    error_refuse(kind->place, "'%.60s' is not a kind of FMU: exchange, co-simulation", word);
  }
  find_system_file(r, name, strlen(name), path);
  check_native(r, path, file->place);
  part_open(part, path, is_exchange, r->logger, r->context);
  for (const yamlNode *item = start ? start->first : NULL; item; item = item->next) {
    part_start_value(part, item->key, take_system_text(item), item->place);
  }
  read_records(r, part, yaml_find(node, "record"));
}


static void read_system_units(systemReader *r, const yamlNode *units)
{
  fmiMaster *m = &r->s->master;
  if (units->kind != NODE_MAPPING || units->count == 0) {
    error_refuse(units->place, "'units' is a mapping of names");
  }
  ARENA_TAKE(&r->s->arena, m->part, units->count);
  for (const yamlNode *node = units->first; node; node = node->next) {
    check_system_plain(node->key, node->key_place);
    if (strchr(node->key, '.')) {
      error_refuse(node->key_place, "'%.60s': names of FMUs have no point", node->key);
    }
    read_system_unit(r, node, &m->part[m->npart++]);
  }
}

//---- connections ---------------------------------------------------------------------------------

// split "arm.angle" into the part and the name in it
static int find_system_part(const systemReader *r, const char *words, artPlace place,
                            const char **name)
{
  const fmiMaster *m = &r->s->master;
  const char *point = strchr(words, '.');
  const size_t n = point ? (size_t) (point - words) : strlen(words);
  char hint[BASE_HINT_LENGTH], own[100];
  snprintf(own, sizeof own, "%.*s", (int) n, words);
  baseNearest nearest = {.word = own};
  *name = point ? point + 1 : "";
  for (int i = 0; i < m->npart; i++) {
    if (strcmp(m->part[i].name, own) == 0) return i;
    base_consider(&nearest, m->part[i].name);
  }
  error_refuse(place, "there is no FMU '%.60s'%s", own, base_hint(&nearest, hint));
}


// Convert a unit from the notation of FMI, m/s2 and N.m, to that of model files, m/s^2 and N*m.
static void rewrite_unit(const char *unit, char text[100])
{
  size_t n = 0;
  for (const char *c = unit; *c && n < 97; c++) {
    const bool is_power = ascii_is_digit((unsigned char) *c) || *c == '-';
    if (is_power && c > unit && ascii_is_letter((unsigned char) c[-1])) text[n++] = '^';
    text[n++] = *c == '.' ? '*' : *c;
  }
  text[n] = 0;
}


// the unit of a variable at an end of a connection: from the definition in the FMU, else from the
// unit's name
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


// Unit conversion, if both units are known: factor_to input + offset_to = factor_from output +
// offset_from. Incompatible units are an error.
static void connect_units(const systemReader *r, fmiLink *l)
{
  const fmiPart *part = r->s->master.part;
  const fmiMeasure from = measure_of(&part[l->from], l->output, false);
  const fmiMeasure to = measure_of(&part[l->to], l->input, true);
  l->factor = 1;
  if (!from.is_known || !to.is_known) return;
  if (!unit_agree(from.dimension, to.dimension) || from.mol != to.mol || from.cd != to.cd) {
    error_refuse(l->place, "%.100s is in '%.30s' and is given a value in '%.30s'", l->words,
                 part_unit(&part[l->to], l->input, true),
                 part_unit(&part[l->from], l->output, false));
  }
  l->factor = from.factor / to.factor;
  l->offset = (from.offset - to.offset) / to.factor;
}


// The signal of an input: a table if the string names a file, else a formula.
static void read_signal(systemReader *r, const char *text, artPlace place, fmiLink *l)
{
  fmiPart *part = &r->s->master.part[l->to];
  const fmiMeasure measure = measure_of(part, l->input, true);
  const char *point = r->s->is_single ? NULL : strchr(l->words, '.');
  const fmiTarget target = {.name = point ? point + 1 : l->words,
                            .dimension = measure.is_known ? measure.dimension : UNIT_ANY,
                            .scale = measure.is_known ? measure.factor : 1,
                            .shift = measure.is_known ? measure.offset : 0};
  char path[FILE_PATH_LENGTH];
  fmiSignal *signal = arena_alloc(&r->s->arena, 1, sizeof *signal);
  if (text[0] != '=' && record_is_named(text)) {
    if (r->path) find_system_file(r, text, record_path_length(text), path);
    signal_table(signal, &r->s->arena, r->path ? path : text, &target);
  } else {
    signal_formula(signal, &r->s->arena, text + (text[0] == '='), place, &target);
  }
  part_parameter_map(part, l->input, signal);
  l->signal = signal;
}


static void read_system_link(systemReader *r, const yamlNode *node, fmiLink *l)
{
  const fmiPart *part = r->s->master.part;
  const char *name, *from = take_system_text(node);
  l->place = node->key_place;
  l->words = node->key;
  l->to = find_system_part(r, node->key, node->key_place, &name);
  l->input = part_find_input(&part[l->to], name, node->key_place);
  if (from[0] == '=' || record_is_named(from)) {
    read_signal(r, from, node->place, l);
    return;
  }
  l->from = find_system_part(r, from, node->place, &name);
  l->output = part_find_output(&part[l->from], name, node->place);
  connect_units(r, l);
}


static void read_links(systemReader *r, const yamlNode *connect)
{
  fmiMaster *m = &r->s->master;
  if (!connect) return;
  if (connect->kind != NODE_MAPPING) {
    error_refuse(connect->place, "connections are a mapping of inputs to outputs");
  }
  ARENA_TAKE(&r->s->arena, m->link, connect->count + 1);
  for (const yamlNode *node = connect->first; node; node = node->next) {
    read_system_link(r, node, &m->link[m->nlink++]);
  }
}

//---- the study -----------------------------------------------------------------------------------

static void read_study(systemReader *r, const yamlNode *study)
{
  static const char *const keys[] = {"type",     "from",       "until",     "step",
                                     "interval", "iterations", "tolerance", NULL};
  fmiMaster *m = &r->s->master;
  double iterations = m->iterations;
  if (!study) return;
  check_system_keys(study, "the study of a coupled simulation", keys);
  take_system_number(study, "from", UNIT_TIME, &m->from);
  take_system_number(study, "until", UNIT_TIME, &m->until);
  take_system_number(study, "step", UNIT_TIME, &m->step);
  take_system_number(study, "interval", UNIT_TIME, &r->s->interval);
  take_system_number(study, "tolerance", UNIT_NUMBER, &m->tolerance);
  take_system_number(study, "iterations", UNIT_NUMBER, &iterations);
  if (!(iterations >= 1 && iterations <= 1000 && iterations == floor(iterations))) {
    error_refuse(yaml_find(study, "iterations")->place,
                 "iterations are a whole number from 1 to 1000");
  }
  if (!(m->tolerance > 0 && m->tolerance < 1)) {
    error_refuse(study->place, "the tolerance is between 0 and 1");
  }
  m->iterations = (int) iterations;
}


static void read_system_file(systemReader *r)
{
  static const char *const keys[] = {"articula", "title", "units", "connect", "study", NULL};
  yamlNode *root;
  error_check(yaml_read_file(&r->s->arena, r->path, &root, error_current()));
  r->s->arena.leaves = 1;
  check_system_keys(root, "a file of FMUs", keys);
  const yamlNode *head = yaml_find(root, "articula"), *title = yaml_find(root, "title");
  if (!head || head->kind != NODE_SCALAR || strcmp(head->text, "1") != 0) {
    error_refuse(root->place, "the file begins with 'articula: 1'");
  }
  if (title) r->s->title = take_system_text(title);
  read_system_units(r, yaml_find(root, "units"));
  read_links(r, yaml_find(root, "connect"));
  read_study(r, yaml_find(root, "study"));
}


static void open_single(systemReader *r)
{
  fmiMaster *m = &r->s->master;
  const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;
  r->s->arena.leaves = 1;
  ARENA_TAKE(&r->s->arena, m->part, 1);
  m->npart = 1;
  m->part->name = arena_text_n(&r->s->arena, name, strlen(name) - strlen(".fmu"));
  m->part->place = (artPlace){.file = r->path};
  r->s->is_single = true;
  part_open(m->part, r->path, false, r->logger, r->context);
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


void system_open(fmiSystem *s, const char *path, fmiNatives natives, fmiLogger *logger,
                 void *context)
{
  systemReader r = {s, path, natives, logger, context};
  s->master.from = s->master.until = s->master.step = s->interval = NAN;
  s->master.iterations = 1;
  s->master.tolerance = 1e-8;
  if (file_has_ending(path, ".fmu"))
    open_single(&r);
  else
    read_system_file(&r);
}


// NAME=VALUE of a caller: the part, the name in it, the value
typedef struct setting {
  char words[300];
  const char *name, *value;
  int part;
} setting;


static void take_setting(const systemReader *r, const char *words, setting *own)
{
  const char *equals = strchr(words, '=');
  if (!equals || equals - words >= (long) sizeof own->words) {
    error_refuse(base_nowhere(), "'%.60s' is not NAME=VALUE", words);
  }
  snprintf(own->words, sizeof own->words, "%.*s", (int) (equals - words), words);
  own->name = own->words;
  own->value = equals + 1;
  own->part = r->s->is_single ? 0 : find_system_part(r, own->words, base_nowhere(), &own->name);
}


void system_set(fmiSystem *s, const char *words)
{
  setting own;
  take_setting(&(systemReader){.s = s}, words, &own);
  part_start_value(&s->master.part[own.part], own.name, own.value, base_nowhere());
}


// add a connection, unless the input already has one
static fmiLink *add_system_link(systemReader *r, const setting *own)
{
  fmiMaster *m = &r->s->master;
  fmiLink *link = NULL, new = {.to = own->part};
  new.input = part_find_input(&m->part[own->part], own->name, base_nowhere());
  for (int i = 0; i < m->nlink; i++) {
    if (m->link[i].to != new.to || m->link[i].input != new.input) continue;
    error_refuse(base_nowhere(), "'%.60s' is connected already, and follows one thing alone",
                 own->words);
  }
  new.words = arena_text(&r->s->arena, own->words);
  ARENA_TAKE(&r->s->arena, link, m->nlink + 1);
  if (m->nlink > 0) memcpy(link, m->link, (size_t) m->nlink * sizeof *link);
  link[m->nlink] = new;
  m->link = link;
  return &link[m->nlink++];
}


// true for a number, or a string value of a string variable
static bool is_start_value(const fmiPart *part, const setting *own)
{
  char *end;
  if (!part->unit) return art_find_input(part->model, own->name) < 0;
  const int number = fmi_find_variable(&part->unit->description, own->name);
  const bool is_text = number >= 0 && !fmi_is_number(&part->unit->description.variable[number]);
  format_read(own->value, &end);
  return is_text || (end > own->value && !*end) || strcmp(own->value, "true") == 0 ||
         strcmp(own->value, "false") == 0;
}


void system_input(fmiSystem *s, const char *words)
{
  systemReader r = {.s = s};
  setting own;
  take_setting(&r, words, &own);
  if (is_start_value(&s->master.part[own.part], &own))
    system_set(s, words);
  else
    read_signal(&r, own.value, base_nowhere(), add_system_link(&r, &own));
}


static void bad_times(const char *what, double value)
{
  error_refuse(base_nowhere(), "the %s of %.9g s makes no sense", what, value);
}


// The default step: that of the FMU's default experiment, or a hundredth of the duration, rounded
// to a multiple of the FMU's internal step if it has one.
static double default_step(const fmiMaster *m, const fmiDescription *d)
{
  const double step = d && isfinite(d->step) ? d->step : (m->until - m->from) / 100;
  const double own = m->npart == 1 ? part_own_step(m->part) : NAN;
  return own > 0 && !(d && isfinite(d->step)) ? own * fmax(1, round(step / own)) : step;
}


// defaults: the default experiment of a single FMU, else 1 s from 0 in a hundred steps
void system_finish(fmiSystem *s)
{
  fmiMaster *m = &s->master;
  const fmiDescription *d = s->is_single ? &m->part->unit->description : NULL;
  if (isnan(m->from)) m->from = d && isfinite(d->from) ? d->from : 0;
  if (isnan(m->until)) m->until = d && isfinite(d->until) ? d->until : m->from + 1;
  if (isnan(m->step)) m->step = default_step(m, d);
  if (isnan(s->interval)) s->interval = m->step;
  if (!(m->until > m->from)) bad_times("end", m->until);
  if (!(m->step > 0) || (m->until - m->from) / m->step > MAX_STEPS) bad_times("step", m->step);
  const double ratio = s->interval / m->step;
  if (!(ratio > 0.5) || fabs(ratio - round(ratio)) > 1e-9 * ratio) {
    error_refuse(base_nowhere(), "the interval of %.9g s is not a multiple of the step of %.9g s",
                 s->interval, m->step);
  }
  const double count = (m->until - m->from) / m->step;
  const bool is_whole = fabs(count - round(count)) <= 1e-9 * count;
  for (int i = 0; i < m->npart; i++) {
    const fmiPart *part = &m->part[i];
    if (is_whole || part_takes_any_step(part)) continue;
    error_refuse(part->place,
                 "'%.60s' takes steps of one length alone, and the last one would be shorter than "
                 "%.9g s; let the end be a multiple of the step",
                 part->name, m->step);
  }
  for (int i = 0; m->iterations > 1 && i < m->npart; i++) {
    if (part_can_save(&m->part[i])) continue;
    error_refuse(m->part[i].place, "'%.60s' cannot go back to a state, which iterations need",
                 m->part[i].name);
  }
}


void system_free(fmiSystem *s)
{
  for (int i = 0; i < s->master.npart; i++) part_close(&s->master.part[i]);
  arena_free(&s->arena);
}
