// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Model files: all of them are loaded first, with parameters evaluated; then the machine is built,
// then what acts on it, so that forces may name joints of any file.
#include "model/read/reader.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/budget.h"
#include "base/error_recovery.h"
#include "base/memory.h"
#include "base/throw.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "model/read/source.h"


void reader_built(const modelReader *reader, artStatus status)
{
  if (!status) return;
  *error_current() = *builder_error(reader->builder);
  if (recovery_list()) reader->builder->error = (artError){0};
  error_throw();
}


typedef struct readerPiece {
  modelReader *reader;
  const yamlNode *node;
  readerWork *read;
  void *out;
} readerPiece;


static void read_piece(void *context)
{
  const readerPiece *p = context;
  p->read(p->reader, p->node, p->out);
}


// the outermost file around it that is included once more, or NULL
static readerFile *find_refused(readerFile *file)
{
  readerFile *found = NULL;
  for (; file; file = file->parent) {
    if (file->is_again) found = file;
  }
  return found;
}


bool reader_try(modelReader *reader, const yamlNode *node, readerWork *read, void *out)
{
  if (!recovery_list()) return read(reader, node, out), true;
  readerFile *file = reader->file, *again = find_refused(file);
  if (again && again->is_refused) return false;
  const fieldAxis axis = reader->axis;
  const baseDimension unit = reader->unit;
  const int number = reader->number;
  readerPiece piece = {reader, node, read, out};
  const artPlace place = node->key ? node->key_place : node->place;
  if (recovery_try(place, node->place, read_piece, &piece)) return true;
  if (again) again->is_refused = true;
  reader->file = file;
  reader->axis = axis;
  reader->unit = unit;
  reader->number = number;
  reader->is_plain = false;
  reader->along.n = 0;
  return false;
}


// a name of the file, with its prefix
static const char *whole_name(modelReader *reader, const char *name)
{
  const char *prefix = reader->file ? reader->file->prefix : "";
  if (name[0] == '/') return name + 1;
  if (strncmp(name, "ground.", 7) == 0) return name;
  return prefix[0] ? arena_format(&reader->arena, "%s/%s", prefix, name) : name;
}


void reader_lose(modelReader *reader, const char *name)
{
  if (recovery_list() && !find_refused(reader->file)) recovery_lose(whole_name(reader, name));
}


void reader_pass(modelReader *reader, const char *name)
{
  if (recovery_list()) recovery_pass(whole_name(reader, name));
}


void reader_mark(const modelReader *reader, const char *key, artPlace place)
{
  reader_built(reader, builder_mark(reader->builder, key, place));
}


static void read_title(modelReader *reader, const yamlNode *section)
{
  const char *title = NULL;
  reader_read_text(section, &title);
  reader_built(reader, art_set_title(reader->builder, title));
}


void reader_read_gravity(modelReader *reader, const yamlNode *section)
{
  double gravity[3];
  live_begin(reader->builder);
  reader_read_vector(reader, section, UNIT_ACCELERATION, 3, gravity);
  reader_built(reader, art_set_gravity(reader->builder, gravity));
}


static void add_parameter(modelReader *reader, const yamlNode *section, void *parameter)
{
  char unit[UNIT_NAME_LENGTH];
  readerParameter *p = parameter;
  (void) section;
  p->number = reader->builder->parameters.count;
  reader_built(reader, builder_at(reader->builder, p->place));
  reader_built(reader, art_add_parameter(reader->builder, p->name, p->value,
                                         p->dimension.any ? NULL : unit_name(p->dimension, unit)));
  reader_built(reader,
               builder_describe_parameter(reader->builder, p->limits ? p->limit : NULL, p->help));
  RECORD(reader->builder->parameters, parameterRecord, p->number)->reading = p;
}


// formulas that are evaluated as time goes on use the parameters, too
static void add_parameters(modelReader *reader, const yamlNode *section)
{
  for (int i = 0; i < reader->file->nparameter; i++) {
    reader_try(reader, section, add_parameter, &reader->file->parameter[i]);
  }
}


//---- sections ------------------------------------------------------------------------------------

// clang-format off
const readerSection reader_sections[] = {
    {"articula", PASS_LOAD, NULL, NULL, "format", "version of the file format: 1"},
    {"title", PASS_WHOLE, read_title, NULL, "text", "a title for reports"},
    {"gravity", PASS_WHOLE, reader_read_gravity, NULL, "vector", "gravity in ground, m/s^2; default [0, 0, -9.81]"},
    {"parameters", PASS_MACHINE, add_parameters, NULL, "parameters", "names for numbers"},
    {"names", PASS_LOAD, NULL, NULL, "names", "names that the including file says the meaning of"},
    {"include", PASS_LOAD, NULL, NULL, "includes", "other files that become part of the model"},
    {"ground", PASS_MACHINE, reader_read_ground, NULL, "ground", "points and frames of ground"},
    {"bodies", PASS_MACHINE, NULL, &item_body, "bodies", "rigid bodies"},
    {"joints", PASS_MACHINE, NULL, &item_joint, "joints", "joints between bodies"},
    {"couplings", PASS_ACTION, NULL, &item_coupling, "couplings", "gears, racks, screws: relations between coordinates"},
    {"latches", PASS_ACTION, NULL, &item_latch, "latches", "locks, latches and ropes: constraints that come and go"},
    {"curves", PASS_MACHINE, reader_read_curves, NULL, "curves", "curves through points, for formulas to call"},
    {"roads", PASS_MACHINE, NULL, &item_road, "roads", "the ground under wheels and surfaces"},
    {"surfaces", PASS_MACHINE, NULL, &item_surface, "surfaces", "surfaces of bodies that touch others"},
    {"tyres", PASS_MACHINE, NULL, &item_tyre, "tyres", "laws of tyres"},
    {"inputs", PASS_ACTION, NULL, &item_input, "inputs", "numbers that the host program sets as time goes on"},
    {"states", PASS_ACTION, NULL, &item_state, "states", "first-order states of the machine besides its coordinates"},
    {"blocks", PASS_ACTION, NULL, &item_block, "blocks", "blocks of control loops"},
    {"sensors", PASS_ACTION, NULL, &item_sensor, "sensors", "readings of the machine, at once or sampled and late"},
    {"forces", PASS_ACTION, NULL, &item_force, "forces", "forces and torques"},
    {"drives", PASS_ACTION, NULL, &item_drive, "drives", "prescribed motions"},
    {"initial", PASS_ACTION, reader_read_initial, NULL, "initial", "initial values of coordinates and velocities"},
    {"guess", PASS_ACTION, reader_read_guess, NULL, "initial", "the same as first guesses, which may move when loops are closed"},
    {"assembly", PASS_WHOLE, reader_read_assembly, NULL, "assembly", "how loops are closed at the start"},
    {"outputs", PASS_ACTION, reader_read_outputs, NULL, "outputs", "what is written to results"},
    {"live", PASS_WHOLE, reader_read_live, NULL, "sliders", "parameters and inputs that have sliders in live pages"},
    {"study", PASS_WHOLE, reader_read_study, NULL, "study", "what to compute"},
    {"studies", PASS_WHOLE, reader_read_studies, NULL, "studies", "several of them, by name"},
    {0}};
// clang-format on


static void unknown_section(const readerFile *file, yamlNode *item)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {
      .word = item->key, .context = "section", .advice = reader_advice("section", item->key)};
  for (const readerSection *s = reader_sections; s->key; s++) base_consider(&nearest, s->key);
  recovery_note(RECOVERY_PLAIN, item->key_place, "'%.60s' is not a section of a model%s", item->key,
                base_hint(&nearest, hint));
  const char *guess = base_guess(&nearest);
  if (guess && !yaml_find(file->root, guess)) item->key = guess;
}


void reader_check_sections(const readerFile *file)
{
  for (yamlNode *item = file->root->first; item; item = item->next) {
    const readerSection *s = reader_sections;
    while (s->key && strcmp(s->key, item->key) != 0) s++;
    if (!s->key) unknown_section(file, item);
  }
}


static void read_section(modelReader *reader, const yamlNode *section, void *kind)
{
  const readerSection *s = kind;
  if (s->family) {
    reader_read_items(reader, s->family, section);
  } else {
    reader_begin_item(reader, NULL, s->read, section);
    s->read(reader, section);
    reader_end_item(reader);
  }
}


// the names of all its items are lost
static void lose_section(const readerSection *s)
{
  if (!s->family && s->pass != PASS_MACHINE) return;
  recovery_list()->has_lost_names = recovery_list()->has_lost_joints = true;
}


static void read_pass_sections(modelReader *reader, readerFile *file, readerPass pass)
{
  reader->file = file;
  reader_built(reader, builder_scope(reader->builder, file->prefix));
  for (const readerSection *s = reader_sections; s->key; s++) {
    const yamlNode *section = yaml_find(file->root, s->key);
    if (!section || s->pass != pass) continue;
    reader->section = s->key;
    void *of = (void *) (uintptr_t) s;
    if (!reader_try(reader, section, read_section, of) && !find_refused(file)) lose_section(s);
  }
}


// included files come before the file that includes them
static void read_files(modelReader *reader, readerFile *file, readerPass pass)
{
  if (pass == PASS_LOAD) reader_check_sections(file);
  for (readerFile *child = file->first; child; child = child->next) {
    if (pass != PASS_WHOLE) read_files(reader, child, pass);
  }
  if (pass != PASS_LOAD) read_pass_sections(reader, file, pass);
}


//---- models --------------------------------------------------------------------------------------

static void read_head(modelReader *reader, const yamlNode *root, void *file)
{
  (void) root;
  reader_read_parameters(reader, file, NULL);
  reader_read_names(reader, file, NULL);
}


// the names that the file asks for represent nothing
static void lose_names(modelReader *reader, const readerFile *file)
{
  const yamlNode *section = yaml_find(file->root, "names");
  if (!section) recovery_list()->has_lost_names = true; // the parameters have failed
  for (const yamlNode *item = section ? section->first : NULL; item; item = item->next) {
    if (item->kind == NODE_SCALAR) reader_lose(reader, item->text);
  }
}


static void build_from_text(modelReader *reader, const char *name, const char *text, size_t length)
{
  readerFile *file = NULL;
  reader_load_text(reader, name, text, length, &file);
  if (!reader_try(reader, file->root, read_head, file)) lose_names(reader, file);
  reader_load_includes(reader, file);
  for (int pass = PASS_LOAD; pass < PASSES; pass++) {
    read_files(reader, file, (readerPass) pass);
  }
  if (!recovery_list()) reader_parse_live(reader, file);
}


// settings of a call that differ from the file
typedef struct readerChange {
  int ncut, nsetting;
  const readerCut *cut;
  const artSetting *setting;
  const baseDimension *dimension;
  mistakeFiles *kept;
} readerChange;


static void unknown_setting(modelReader *reader, const char *name)
{
  const readerFile *file = reader->file;
  const recordList *inputs = &reader->builder->inputs;
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int k = 0; k < file->nparameter; k++) base_consider(&nearest, file->parameter[k].name);
  for (int k = 0; k < inputs->count; k++) {
    base_consider(&nearest, RECORD(*inputs, inputRecord, k)->def.name);
  }
  recovery_note(RECOVERY_PLAIN, (artPlace){.file = file->name}, "there is no parameter%s '%.60s'%s",
                inputs->count > 0 ? " or input" : "", name, base_hint(&nearest, hint));
}


// a setting that names no parameter names an input or a coordinate
static void set_initials(modelReader *reader)
{
  for (int i = 0; i < reader->nsetting; i++) {
    const artSetting *setting = &reader->setting[i];
    if (reader->is_set[i]) continue;
    int is_input;
    reader_set_input(reader, setting->name, setting->value, &is_input);
    if (is_input) continue;
    if (!strchr(setting->name, '.')) {
      unknown_setting(reader, setting->name);
      continue;
    }
    reader_built(reader, builder_set_initial(reader->builder, setting->name, setting->value));
  }
}


static artStatus check_parameter_settings(int n, const artSetting *setting, artError *error)
{
  for (int i = 0; i < n; i++) {
    if (!setting[i].name) {
      return base_fail(error, ART_BAD_INPUT, base_nowhere(), "setting %d has no name", i + 1);
    }
    if (!isfinite(setting[i].value)) {
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "'%.60s' is set to %g, a finite number is wanted", setting[i].name,
                       setting[i].value);
    }
    for (int k = 0; k < i; k++) {
      if (strcmp(setting[k].name, setting[i].name) != 0) continue;
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "'%.60s' is set twice, to %.9g and to %.9g; give one value", setting[i].name,
                       setting[k].value, setting[i].value);
    }
  }
  return ART_OK;
}


// the reader, for whoever reads an item again
static void keep_reader(const modelReader *reader)
{
  modelReader *own = mem_alloc(1, sizeof *own);
  if (!own) error_throw();
  *own = (modelReader){.arena = reader->arena, .joints = reader->joints};
  reader->builder->reader = own;
}


typedef struct imageWork {
  modelReader *reader;
  const modelSource *source;
  const char *text;
  size_t length;
  artModel **image;
} imageWork;


static void read_image(void *context)
{
  const imageWork *w = context;
  modelReader *reader = w->reader;
  if (!reader->builder) error_throw();
  build_from_text(reader, w->source->name, w->text, w->length);
  arena_free(&reader->scratch);
  set_initials(reader);
  if (recovery_list()) {
    recovery_compile(reader->builder);
    return;
  }
  for (int i = 0; i < w->source->ncut; i++) {
    builder_keep(reader->builder, w->source->cut[i].joint, w->source->cut[i].keep);
  }
  keep_reader(reader);
  error_check(art_compile_model(w->image, reader->builder, error_current()));
  (*w->image)->records = reader->builder;
}


artStatus reader_read_image(artModel **image, modelSource *source, memPool *pool, const char *text,
                            size_t length, artError *error)
{
  memPool *outer = pool_use(pool);
  modelReader reader = {.builder = art_create_builder(),
                        .arena.leaves = 1,
                        .scratch.leaves = 1,
                        .nsetting = source->nsetting,
                        .setting = source->setting,
                        .is_set = source->is_set,
                        .set_dimension = source->dimension,
                        .is_trial = source->is_trial,
                        .number = -1,
                        .kept = source->files,
                        .memo = &source->memo};
  *image = NULL;
  source->memo.next = source->memo.evaluated = 0;
  if (source->nsetting > 0) memset(source->is_set, 0, (size_t) source->nsetting);
  imageWork work = {&reader, source, text, length, image};
  const artStatus status = error_try(read_image, &work, error);
  pool_use(outer);
  return status;
}


// the source, with copies of all that the change names
static modelSource *create_source(const char *name, readerChange change)
{
  modelSource *source = mem_alloc(1, sizeof *source);
  if (!source) return NULL;
  source->files = change.kept ? change.kept : &source->own;
  source->name = arena_text(&source->arena, name);
  source->ncut = change.ncut;
  source->nsetting = change.nsetting;
  source->dimension = change.dimension;
  readerCut *cut = arena_copy(&source->arena, change.cut, (size_t) change.ncut, sizeof *cut);
  source->setting =
      arena_copy(&source->arena, change.setting, (size_t) change.nsetting, sizeof *source->setting);
  source->is_set = arena_alloc(&source->arena, (size_t) change.nsetting, 1);
  int is_made = source->name && cut && source->setting && source->is_set &&
                memo_start(&source->memo, source->files == &source->own);
  for (int i = 0; i < change.ncut && is_made; i++) {
    is_made = (cut[i].joint = arena_text(&source->arena, cut[i].joint)) != NULL;
  }
  for (int i = 0; i < change.nsetting && is_made; i++) {
    artSetting *own = &source->setting[i];
    is_made = (own->name = arena_text(&source->arena, own->name)) != NULL;
  }
  source->cut = cut;
  if (is_made) return source;
  source_free(source);
  return NULL;
}


// the model outside of its pool, and room for a setting of every parameter
static artStatus finish_model_reading(artModel **model, artModel *image, modelSource *source,
                                      memPool *pool, artError *error)
{
  const size_t most = (size_t) (source->nsetting + image->nparameter);
  artSetting *setting = arena_alloc(&source->arena, most, sizeof *setting);
  source->is_set = arena_alloc(&source->arena, most, 1);
  *model = setting && source->is_set ? mem_alloc(1, sizeof **model) : NULL;
  if (!*model) return base_no_memory(error);
  if (source->nsetting > 0) {
    memcpy(setting, source->setting, (size_t) source->nsetting * sizeof *setting);
  }
  source->setting = setting;
  **model = *image;
  memset(image, 0, sizeof *image); // nothing in the pool looks at it
  (*model)->source = source;
  (*model)->pool = pool;
  return ART_OK;
}


// parameters may change without asking the allocator
static artStatus take_spare_pool(modelSource *source, const artModel *image, const memPool *pool,
                                 artError *error)
{
  if (image->nparameter == 0) return ART_OK;
  source->spare = pool_create();
  return source->spare && pool_reserve_like(source->spare, pool) ? ART_OK : base_no_memory(error);
}


static artStatus read_model(artModel **model, const char *text, size_t length, const char *name,
                            readerChange change, artError *error)
{
  *model = NULL;
  if (check_parameter_settings(change.nsetting, change.setting, error) != ART_OK)
    return ART_BAD_INPUT;
  modelSource *source = create_source(name, change);
  memPool *pool = source ? pool_create() : NULL;
  artModel *image = NULL;
  artStatus status = pool ? ART_OK : base_no_memory(error);
  if (!status) status = reader_read_image(&image, source, pool, text, length, error);
  if (!status && image) status = take_spare_pool(source, image, pool, error);
  if (!status && image && !affected_list(source, image, pool)) status = base_no_memory(error);
  if (!status && image) status = finish_model_reading(model, image, source, pool, error);
  if (!status && image) return ART_OK;
  source_free(source);
  pool_free(pool);
  return status;
}


artStatus art_read_model(artModel **model, const char *text, size_t length, const char *name,
                         artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(model, error);
  *model = NULL;
  ART_REQUIRE((text || length == 0) && name, error);
  budget_begin();
  const artStatus status = read_model(model, text, length, name, (readerChange){0}, error);
  budget_end();
  return status;
}


static artStatus load_model(artModel **model, const char *path, readerChange change,
                            artError *error)
{
  *model = NULL;
  char *text = NULL;
  size_t length = 0;
  budget_begin();
  artStatus status = reader_load_bytes(path, &text, &length, error);
  if (!status) status = read_model(model, text, length, path, change, error);
  budget_end();
  mem_free(text);
  return status;
}


artStatus reader_load_recut(artModel **model, const char *path, int ncut, const readerCut *cut,
                            artError *error)
{
  return load_model(model, path, (readerChange){.ncut = ncut, .cut = cut}, error);
}


artStatus art_load_model_with(artModel **model, const char *path, int n, const artSetting *setting,
                              artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(model, error);
  *model = NULL;
  ART_REQUIRE(path && n >= 0 && (setting || n == 0), error);
  return load_model(model, path, (readerChange){.nsetting = n, .setting = setting}, error);
}


artStatus reader_try_model(mistakeFiles *files, const char *path, int nsetting,
                           const artSetting *setting, const baseDimension *dimension,
                           artError *error)
{
  artModel *model = NULL;
  const readerChange change = {
      .nsetting = nsetting, .setting = setting, .dimension = dimension, .kept = files};
  const artStatus status = load_model(&model, path, change, error);
  art_free_model(model);
  return status;
}


const char *art_model_note(const artModel *model, int i, artNoteLevel *level, const char **file)
{
  ART_REQUIRE_OR(model && i >= 0, NULL);
  const mistakeFiles *files = model->source ? &model->source->own : NULL;
  for (int k = 0; files && k < ART_NOTE_LEVELS; k++) {
    for (int n = 0; n < files->nnote; n++) {
      const modelNote *note = &files->note[n];
      if ((int) note->level != k || i-- > 0) continue;
      if (level) *level = note->level;
      if (file) *file = note->file;
      return note->text;
    }
  }
  return NULL;
}


artStatus art_load_model(artModel **model, const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(model, error);
  *model = NULL;
  ART_REQUIRE(path, error);
  return load_model(model, path, (readerChange){0}, error);
}
