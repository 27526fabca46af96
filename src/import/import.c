// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Import of files of other programs: detects the format, calls its reader, and writes the model
// file.
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/ascii.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "base/throw.h"
#include "import/contacts.h"
#include "import/import_work.h"

struct artImport {
  importWork w;
};

// settings that have a meaning for a format
typedef struct importSettings {
  bool closures, base, key, contact;
} importSettings;

// XML formats, by their root element
static const struct {
  const char *root, *name;
  importRead *read;
  importSettings has;
} formats[] = {
    {"robot", "URDF", urdf_read, {.closures = true, .base = true, .key = true, .contact = true}},
    {"mujoco", "MJCF", mjcf_read, {.key = true, .contact = true}},
    {"sdf", "SDF", sdf_read, {.base = true, .contact = true}},
    {"mbsDescR7", "Robotran", robotran_read, {0}}};


artImportDef art_default_import(void)
{
  return (artImportDef){.base = ART_BASE_BY_FORMAT};
}


static bool has_ending(const char *path, const char *ending)
{
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && ascii_compare(path + n - length, ending) == 0;
}


int art_is_foreign(const char *path)
{
  static const char *const endings[] = {".urdf", ".xml",   ".mjcf",  ".mbs",
                                        ".sdf",  ".world", ".xacro", ".adm"};
  ART_REQUIRE_OR(path, 0);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (has_ending(path, endings[i])) return 1;
  }
  return 0;
}


//---- reading -------------------------------------------------------------------------------------

static bool defines_macro(const xmlNode *node, const char *name)
{
  const xmlAttribute *own =
      strcmp(node->name, "xacro:macro") == 0 ? xml_attribute(node, "name") : NULL;
  if (own && strcmp(own->value, name) == 0) return true;
  for (const xmlNode *child = node->first; child; child = child->next) {
    if (defines_macro(child, name)) return true;
  }
  return false;
}


// Remove unused elements of xacro. A file with macros that are still to be expanded is rejected: it
// contains formulas, or uses its own macros.
static void drop_macros(importWork *w, const xmlNode *root, xmlNode *node)
{
  static const char how[] = "write out the file first, 'xacro FILE > robot.urdf'";
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (strstr(a->value, "${"))
      import_fail(w, node->place, "'%.60s' is '%.60s', a formula of xacro: %s", a->name, a->value,
                  how);
  }
  for (xmlNode *child = node->first; child; child = child->next) {
    if (strncmp(child->name, "xacro:", 6) != 0) {
      drop_macros(w, root, child);
      continue;
    }
    if (defines_macro(root, child->name + 6))
      import_fail(w, child->place, "<%.60s> is a macro: %s", child->name, how);
    static const char *const harmless[] = {"xacro:property", "xacro:macro", "xacro:arg",
                                           "xacro:insert_block"};
    (NAMED_FIND(harmless, child->name) >= 0 ? import_note_mended : import_note_motion)(
        w, child->place, "<%.60s> is left over from macros and left out", child->name);
    xml_skip(child);
  }
}


// Reject Drake's extensions of both formats that would change the machine and are not supported:
// constraints, and elastic joints by roll, pitch and yaw
static void refuse_extensions(importWork *w, const xmlNode *node)
{
  const char *own = strncmp(node->name, "drake:", 6) == 0 ? node->name + 6 : "";
  if (strstr(own, "_constraint") || strstr(own, "_rpy"))
    import_fail(w, node->place,
                "<%s> is not known here, and the machine would be another without it", node->name);
  for (const xmlNode *child = node->first; child; child = child->next) refuse_extensions(w, child);
}


// reject a setting that would have no effect
static void check_import_settings(importWork *w, importSettings has)
{
  const artImportDef *def = w->def;
  const char *lost = def->nclosure > 0 && !has.closures        ? "--close"
                     : def->base == ART_BASE_FREE && !has.base ? "--base free"
                     : def->key && !has.key                    ? "--key"
                     : def->contact && !has.contact            ? "--contact"
                                                               : NULL;
  if (!lost) return;
  import_fail(w, (artPlace){.file = w->path}, "%s has no meaning for files of %s", lost,
              w->machine.format);
}


static void read_and_write(void *context)
{
  importWork *w = context;
  if (has_ending(w->path, ".adm")) {
    w->machine.format = "ADAMS";
    check_import_settings(w, (importSettings){0});
    adams_read(w);
  } else {
    xmlNode *root = import_xml(w, w->path);
    const int i = NAMED_FIND(formats, root->name);
    if (i < 0)
      import_fail(w, root->place,
                  "the file begins with <%.60s>, expected <robot> (URDF), <mujoco> (MJCF), "
                  "<sdf> (SDF) or <mbsDescR7> (Robotran)",
                  root->name);
    w->machine.format = formats[i].name;
    check_import_settings(w, formats[i].has);
    drop_macros(w, root, root);
    refuse_extensions(w, root);
    formats[i].read(w, root);
    import_note_unread(w, root);
    import_make_contacts(w);
  }
  import_write(w);
  // with `strict`, fail if there are notes of these levels
  int n = 0;
  while (n < w->nnote && w->note[n].level <= ART_NOTE_MENDED) n++;
  if (!w->def->strict || n == 0) return;
  import_fail(
      w, w->note[0].place, "%s%s", w->note[0].text,
      n > 1 ? import_format(w, "; and %d more that change the motion or were corrected", n - 1)
            : "");
}


typedef struct importTask {
  importWork *w;
  sandboxAnswer answer;
} importTask;


static void ask_for_import(void *context)
{
  importTask *task = context;
  import_ask(task->w, &task->answer);
}


// do the import, here or in the helper; errors are caught here
static artStatus do_import(importWork *w)
{
  int is_on = 0;
  const artStatus status = sandbox_choose(&is_on, &w->error);
  if (status) return status;
  importTask task = {.w = w};
  const bool is_done = is_on ? error_catch(ask_for_import, &task) : error_catch(read_and_write, w);
  sandbox_forget(&task.answer);
  if (is_done) return ART_OK;
  if (w->out_stream) fclose(w->out_stream);
  return w->error.status;
}


static artStatus check_import_def(const artImportDef *def, artError *error)
{
  const int base = (int) def->base;
  bool is_good = base >= 0 && base < ART_IMPORT_BASES && def->nclosure >= 0 && def->npackage >= 0;
  is_good = is_good && (def->closure || def->nclosure == 0) && (def->package || !def->npackage);
  for (int i = 0; is_good && i < def->npackage; i++) is_good = def->package[i] != NULL;
  for (int i = 0; is_good && i < def->nclosure; i++) {
    is_good = def->closure[i].from && def->closure[i].to;
  }
  if (is_good) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the settings of an import have a base that is none, or lists without entries");
}


artStatus art_import(artImport **import, const char *path, const artImportDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(import, error);
  *import = NULL;
  ART_REQUIRE(path && def, error);
  const artStatus wrong = check_import_def(def, error);
  if (wrong) return wrong;
  artImport *made = mem_alloc(1, sizeof *made);
  if (!made) return base_no_memory(error);
  made->w.def = def;
  made->w.path = arena_text(&made->w.arena, path);
  budget_begin();
  artStatus status = made->w.path ? do_import(&made->w) : base_no_memory(&made->w.error);
  budget_end();
  made->w.def = NULL;
  // free contents of files that are no longer used
  for (int i = 0; i < made->w.nkept; i++) mem_free(made->w.kept[i]);
  mem_free(made->w.kept);
  if (!status) {
    *import = made;
    return ART_OK;
  }
  if (error) *error = made->w.error;
  art_free_import(made);
  return status;
}


void art_free_import(artImport *import)
{
  if (!import) return;
  free(import->w.text);
  arena_free(&import->w.arena);
  mem_free(import);
}


//---- queries -------------------------------------------------------------------------------------

const char *art_import_text(const artImport *import)
{
  ART_REQUIRE_OR(import, NULL);
  return import->w.text;
}


const char *art_import_format(const artImport *import)
{
  ART_REQUIRE_OR(import, NULL);
  return import->w.machine.format;
}


const char *art_import_note(const artImport *import, int i, artPlace *place, int *count)
{
  ART_REQUIRE_OR(import && i >= 0, NULL);
  if (i >= import->w.nnote) return NULL;
  const importNote *note = &import->w.note[i];
  if (place) *place = note->place;
  if (count) *count = note->count;
  return note->text;
}


artNoteLevel art_import_note_level(const artImport *import, int i)
{
  ART_REQUIRE_OR(import && i >= 0 && i < import->w.nnote, ART_NOTE_LEVELS);
  return import->w.note[i].level;
}


const char *art_note_level_name(artNoteLevel level)
{
  static const char *const names[ART_NOTE_LEVELS] = {
      [ART_NOTE_MOTION] = "changes the motion",
      [ART_NOTE_MENDED] = "mistakes of the file that were corrected",
      [ART_NOTE_SCOPE] = "beyond the file or this program",
      [ART_NOTE_LOOK] = "names, pictures and outputs"};
  ART_REQUIRE_OR((int) level >= 0 && level < ART_NOTE_LEVELS, NULL);
  return names[level];
}


//---- for the reader of model files ---------------------------------------------------------------

static const artImportDef *in_use;

void import_use(const artImportDef *def)
{
  in_use = def;
}


const artImportDef *import_in_use(void)
{
  static const artImportDef usual = {.base = ART_BASE_BY_FORMAT};
  return in_use ? in_use : &usual;
}


artStatus import_load_text(const char *path, char **text, size_t *length, artError *error)
{
  artImport *import = NULL;
  *text = NULL;
  const artStatus status = art_import(&import, path, import_in_use(), error);
  if (status) return status;
  *length = strlen(import->w.text);
  *text = mem_alloc(*length + 1, 1);
  if (*text) memcpy(*text, import->w.text, *length);
  art_free_import(import);
  return *text ? ART_OK : base_no_memory(error);
}


const char *import_notes(const char *text)
{
  const char *found = strstr(text, "\n" IMPORT_NOTES);
  return found ? found + 1 : text + strlen(text);
}


const char *import_next_note(const char **at, artNoteLevel *level, baseArena *arena)
{
  const size_t title = strlen(IMPORT_NOTES);
  while (**at) {
    const char *line = *at;
    const size_t n = strcspn(line, "\n");
    *at = line + n + (line[n] == '\n');
    if (strncmp(line, IMPORT_NOTES, title) == 0) {
      int k = 0;
      while (k < ART_NOTE_LEVELS - 1 && strncmp(line + title, art_note_level_name((artNoteLevel) k),
                                                strlen(art_note_level_name((artNoteLevel) k))) != 0)
        k++;
      *level = (artNoteLevel) k;
    }
    if (strncmp(line, "#   ", 4) == 0) return arena_format(arena, "%.*s", (int) n - 4, line + 4);
  }
  return NULL;
}


importSource import_source(const char *path, const char *text)
{
  return (importSource){.path = path, .at = text, .line = 1, .place = {.file = path}};
}


// "  # line 3", or "  # line 3 of part.xml" for a file in the same folder
static void read_comment(importSource *s, baseArena *arena)
{
  char *end = NULL;
  if (strncmp(s->at, "  # line ", 9) != 0) return;
  s->place = (artPlace){.file = s->path, .line = (int) strtol(s->at + 9, &end, 10), .column = 1};
  if (strncmp(end, " of ", 4) != 0) return;
  const char *slash = strrchr(s->path, '/');
  const size_t folder = slash ? (size_t) (slash - s->path) + 1 : 0, name = strcspn(end + 4, "\n");
  char *file = arena_alloc(arena, folder + name + 1, 1);
  if (!file) return;
  memcpy(file, s->path, folder);
  memcpy(file + folder, end + 4, name);
  s->place.file = file;
}


artPlace import_source_place(importSource *s, int line, baseArena *arena)
{
  while (s->line <= line && *s->at) {
    read_comment(s, arena);
    s->at += strcspn(s->at, "\n");
    s->at += *s->at == '\n';
    s->line++;
  }
  return s->place;
}
