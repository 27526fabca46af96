// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A model file and the files that it includes, each with its prefix and its parameters.
#include "model/read/reader.h"

#include <string.h>
#include <sys/stat.h>

#include "base/budget.h"
#include "base/error_recovery.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/pool.h"
#include "base/throw.h"
#include "base/yaml.h"
#include "import/import.h"

enum { INCLUDE_DEEPEST = 16, INCLUDE_MOST = 10000 };

typedef struct includeItem {
  const char *file, *prefix;
  const yamlNode *parameters, *names;
} includeItem;

// clang-format off
static const fieldKey include_keys[] = {
    {"file", KEY_TEXT, .need = REQUIRED, .offset = offsetof(includeItem, file),
     .help = "path of the file, relative to the one that includes it"},
    {"prefix", KEY_TEXT, .offset = offsetof(includeItem, prefix), .fallback = "none",
     .help = "joined by `/` before every name of the file"},
    {"parameters", KEY_PARAMETERS, .offset = offsetof(includeItem, parameters),
     .help = "values that replace the ones in the file"},
    {"names", KEY_RENAMES, .offset = offsetof(includeItem, names), .fallback = "none",
     .help = "what the `names` of the file mean here: bodies, frames, joints, coordinates, whole parts"},
    {0}};
// clang-format on
const fieldForm reader_form_include = {.name = "include", .keys = include_keys, .is_part = true};


//---- one file ------------------------------------------------------------------------------------

static void check_model_root(const readerFile *file)
{
  char found[YAML_PHRASE_LENGTH];
  const yamlNode *root = file->root;
  if (root->kind != NODE_MAPPING) {
    reader_wrong_shape(root, "a model that starts 'articula: 1'");
  }
  const yamlNode *version = yaml_find(root, "articula");
  if (!version) {
    error_refuse(root->place, "this is not a model: expected 'articula: 1' among the first keys");
  }
  if (version->kind != NODE_SCALAR || strcmp(version->text, "1") != 0) {
    error_refuse(version->place,
                 "the file is of format %s, expected 'articula: 1' (a newer file needs a "
                 "newer program)",
                 yaml_describe(version, found));
  }
}


void reader_load_text(modelReader *reader, const char *name, const char *text, size_t length,
                      readerFile **file)
{
  *file = arena_alloc(&reader->arena, 1, sizeof **file);
  **file = (readerFile){.name = arena_text(&reader->arena, name), .prefix = ""};

  // which file it is, to recognise it under another path; a text from memory may have no file
  struct stat about;
  if (stat(name, &about) == 0) {
    (*file)->device = about.st_dev;
    (*file)->inode = about.st_ino;
  }
  yamlNode *root = NULL;
  error_check(mistakes_tree(reader->kept, name, text, length, &root, error_current()));
  (*file)->root = root;
  check_model_root(*file);
  if (recovery_list()) reader_check_sections(*file);
}


//---- one include ---------------------------------------------------------------------------------

// the path relative to the folder of the including file, which leads to where it says
static const char *join_path(modelReader *reader, const readerFile *from, const char *path)
{
  const char *slash = strrchr(from->name, '/');
  if (platform_is_absolute(path)) return path;
  const char *folder =
      slash ? arena_text_n(&reader->arena, from->name, (size_t) (slash - from->name)) : ".";
  error_check(file_check_named(slash && slash == from->name ? "/" : folder, path, error_current()));
  return slash ? arena_format(&reader->arena, "%s/%s", folder, path) : path;
}


const char *reader_path(modelReader *reader, const char *path)
{
  return join_path(reader, reader->file, path);
}


static void check_cycle(const readerFile *file, artPlace place)
{
  for (const readerFile *f = file->parent; f; f = f->parent) {
    if (!file->inode || f->inode != file->inode || f->device != file->device) continue;

    // the chain, from the file to itself
    char chain[512] = "";
    for (const readerFile *g = file; g; g = g == f ? NULL : g->parent) {
      strncat(chain, g == file ? "" : " is included by ", sizeof chain - strlen(chain) - 1);
      strncat(chain, g->name, sizeof chain - strlen(chain) - 1);
    }
    error_refuse(place, "a file includes itself: %s", chain);
  }
  if (file->depth > INCLUDE_DEEPEST) {
    error_refuse(place, "files include each other deeper than %d levels", INCLUDE_DEEPEST);
  }
}


artStatus reader_load_bytes(const char *path, char **text, size_t *length, artError *error)
{
  return art_is_foreign(path) ? import_load_text(path, text, length, error)
                              : yaml_load_text(path, text, length, error);
}


static void load_file(modelReader *reader, const char *path, artPlace place, readerFile **file)
{
  if (!mistakes_has(reader->kept, path)) {
    char *text = NULL;
    size_t length = 0;
    artError trouble = {0};
    yamlNode *root = NULL;
    memPool *outer = pool_use(NULL); // the text is of use until its tree is there
    artStatus status = reader_load_bytes(path, &text, &length, &trouble);
    pool_use(outer);
    if (status == ART_NO_MEMORY) error_throw();
    if (status) {
      error_check(base_fail(error_current(), status, place, "cannot include %s", trouble.text));
    }
    status = mistakes_tree(reader->kept, path, text, length, &root, error_current());
    outer = pool_use(NULL);
    mem_free(text);
    pool_use(outer);
    error_check(status);
  }
  reader_load_text(reader, path, NULL, 0, file);
}


static double count_yaml_nodes(const yamlNode *node)
{
  double n = 1;
  for (const yamlNode *child = node->first; child; child = child->next)
    n += count_yaml_nodes(child);
  return n;
}


// Each time that a file is included, all that it describes is made once more. A parameter takes some 3 kB of memory, as much
// as 16 other values.
static void charge_include(const readerFile *file, artPlace place)
{
  const yamlNode *parameters = yaml_find(file->root, "parameters");
  const double items = count_yaml_nodes(file->root) + (parameters ? 16.0 * parameters->count : 0);
  error_check(budget_charge(BUDGET_ITEMS, items, place, error_current()));
}


// Is it, with the same prefix, among these files?
static bool is_among(const readerFile *file, const readerFile *list)
{
  for (; list; list = list->next) {
    const bool is_same = list->inode && list->inode == file->inode &&
                         list->device == file->device && strcmp(list->prefix, file->prefix) == 0;
    if (is_same || is_among(file, list->first)) return true;
  }
  return false;
}


// Is it among those that its parents have included before it?
static bool is_loaded(const readerFile *file)
{
  for (const readerFile *f = file->parent; f; f = f->parent) {
    if (is_among(file, f->first)) return true;
  }
  return false;
}


static void load_include(modelReader *reader, const yamlNode *node, void *out)
{
  readerFile *parent = reader->file, **file = out;
  includeItem item = {0};
  reader_read_form(reader, &reader_form_include, node, &item);
  const yamlNode *prefix = yaml_find(node, "prefix");
  if (prefix) {
    const yamlNode name = {.key = prefix->text, .key_place = prefix->place};
    reader_check_name(&name, "a prefix", false);
  }

  const artPlace place = yaml_find(node, "file")->place;
  const char *path = join_path(reader, parent, item.file);
  if (++reader->nfile > INCLUDE_MOST) {
    error_refuse(place, "more than %d files are included", INCLUDE_MOST);
  }
  load_file(reader, path, place, file);
  charge_include(*file, place);

  (*file)->parent = parent;
  (*file)->depth = parent->depth + 1;
  (*file)->prefix = !item.prefix ? parent->prefix
                    : !parent->prefix[0]
                        ? item.prefix
                        : arena_format(&reader->arena, "%s/%s", parent->prefix, item.prefix);
  check_cycle(*file, place);
  (*file)->is_again = recovery_list() && is_loaded(*file);
  reader_read_parameters(reader, *file, item.parameters);
  reader_read_names(reader, *file, item.names);
}


static void check_section(modelReader *reader, const yamlNode *section, void *out)
{
  (void) reader;
  (void) out;
  if (section->kind == NODE_SEQUENCE) return;
  reader_wrong_shape(section, "a list of files, like [{file: wheel.yaml, prefix: left}]");
}


// all that it describes is lost
static void lose_file(modelReader *reader, const yamlNode *node)
{
  const yamlNode *prefix = yaml_find(node, "prefix");
  recovery_list()->has_lost_joints = true;
  if (prefix && prefix->kind == NODE_SCALAR) {
    reader_lose(reader, arena_format(&reader->arena, "%s/", prefix->text));
  } else {
    recovery_list()->has_lost_names = true;
  }
}


void reader_load_includes(modelReader *reader, readerFile *file)
{
  const yamlNode *section = yaml_find(file->root, "include");
  if (!section) return;
  if (!reader_try(reader, section, check_section, NULL)) {
    recovery_list()->has_lost_names = recovery_list()->has_lost_joints = true;
    return;
  }
  readerFile **tail = &file->first;
  for (const yamlNode *node = section->first; node; node = node->next) {
    // values in the list are formulas of the including file
    reader->file = file;
    readerFile *child = NULL;
    if (!reader_try(reader, node, load_include, &child)) {
      lose_file(reader, node);
      continue;
    }
    reader_load_includes(reader, child);
    *tail = child;
    tail = &child->next;
  }
}
