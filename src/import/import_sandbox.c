// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Imports by the helper (base/sandbox.h): task and answer, on both sides.
#define _XOPEN_SOURCE 700 // realpath, strdup
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sandbox.h"
#include "import/import.h"
#include "import/import_work.h"

enum { MAX_WORDS = 1000, MAX_NOTES = 1000000, FOLDERS_ABOVE = 32 };

typedef struct importWords {
  importWork *w;
  int n;
  const char *word[MAX_WORDS + 1];
} importWords;


//---- the task ------------------------------------------------------------------------------------

static void add_word(importWords *words, const char *name, const char *value)
{
  importWork *w = words->w;
  if (words->n == MAX_WORDS)
    import_fail(w, base_nowhere(), "an import has more than %d settings", MAX_WORDS);
  words->word[words->n++] = value ? import_format(w, "%s=%s", name, value) : name;
}


//---- the answer ----------------------------------------------------------------------------------

static const char *take_plain_text(importWork *w, sandboxAnswer *a)
{
  char *text = import_text(w, sandbox_text(a));
  plain_tidy(text);
  return text;
}


static artStatus ask_helper(importWork *w, sandboxAnswer *a, bool with_scenes)
{
  importWords words = {.w = w};
  add_word(&words, "import", NULL);
  add_word(&words, w->path, NULL);
  // add each setting of the definition
  const artImportDef *def = w->def;
  if (def->folder) add_word(&words, "folder", def->folder);
  if (def->key) add_word(&words, "key", def->key);
  if (def->strict) add_word(&words, "strict", "1");
  if (def->contact) add_word(&words, "contact", "1");
  add_word(&words, "base", import_format(words.w, "%d", (int) def->base));
  for (int i = 0; i < def->npackage; i++) add_word(&words, "package", def->package[i]);
  for (int i = 0; i < def->nclosure; i++) {
    add_word(&words, def->closure[i].is_point ? "points" : "close", def->closure[i].from);
    add_word(&words, "to", def->closure[i].to);
  }
  if (with_scenes) add_word(&words, "scenes", "1");
  return sandbox_ask(a, words.word, NULL, 0, w->path, &w->error);
}


void import_ask(importWork *w, sandboxAnswer *a)
{
  // The scene library must be loaded before privileges are dropped, which is slow: do it only if
  // the first attempt needs it.
  for (int with_scenes = 0; with_scenes < 2; with_scenes++) {
    sandbox_forget(a);
    artStatus status = ask_helper(w, a, with_scenes);
    if (status) import_leave(w, status);
    if (sandbox_number(a, 0, 1) && !with_scenes) continue;
    status = sandbox_status(a, &w->error);
    if (status) import_leave(w, status);
    // the answer is an untrusted model file, and is parsed as such
    w->machine.format = take_plain_text(w, a);
    w->text = strdup(sandbox_text(a));
    if (!w->text) import_leave(w, ART_NO_MEMORY);
    const int n = sandbox_number(a, 0, MAX_NOTES);
    for (int i = 0; i < n && !a->is_damaged; i++) {
      import_grow(w, (void **) &w->note, w->nnote, &w->note_capacity, sizeof *w->note);
      importNote *note = &w->note[w->nnote++];
      note->level = (artNoteLevel) sandbox_number(a, 0, ART_NOTE_LEVELS - 1);
      note->text = take_plain_text(w, a);
      note->place.file = take_plain_text(w, a);
      note->place.line = sandbox_number(a, 0, INT_MAX);
      note->place.column = sandbox_number(a, 0, INT_MAX);
      note->count = sandbox_number(a, 1, INT_MAX);
      if (!note->place.file[0]) note->place.file = NULL;
    }
    status = sandbox_check(a, w->path, &w->error);
    if (status) import_leave(w, status);
    return;
  }
}


//---- the helper ----------------------------------------------------------------------------------

static const char *value_of(const char *word, const char *name)
{
  const size_t n = strlen(name);
  return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}


int import_task_wants_scenes(int n, char *const *word)
{
  for (int i = 0; i < n; i++)
    if (value_of(word[i], "scenes")) return 1;
  return 0;
}


// True for a folder with a marker file of a ROS or Gazebo package, as in paths.c.
static bool is_package_folder(const char *folder)
{
  static const char *const marks[] = {"package.xml", "model.config", "manifest.xml"};
  char path[FILE_PATH_LENGTH];
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (!file_join(path, folder, marks[i], NULL) && file_is_regular(path)) return true;
  return false;
}


// Folders of packages; the folder of the file and its sibling for SRDF files; packages that contain
// the file.
int import_task_folders(int n, char *const *word, const char *folder[IMPORT_TASK_MOST])
{
  static char above[FOLDERS_ABOVE + 2][FILE_PATH_LENGTH];
  int count = 0;
  for (int i = 1; i < n && count < IMPORT_TASK_MOST - FOLDERS_ABOVE - 2; i++) {
    const char *package = value_of(word[i], "package");
    if (package) folder[count++] = package;
  }
  char *whole = realpath(word[0], NULL), *slash;
  for (int i = 0; whole && i < FOLDERS_ABOVE && (slash = strrchr(whole, '/')); i++) {
    if (slash == whole && i > 0) break; // never the root folder
    slash[slash == whole] = '\0';
    if (i > 0 && !is_package_folder(whole)) continue;
    snprintf(above[i], FILE_PATH_LENGTH, "%s", whole);
    folder[count++] = above[i];
    if (i > 0 || file_join(above[FOLDERS_ABOVE], whole, "../srdf", NULL)) continue;
    folder[count++] = above[FOLDERS_ABOVE];
  }
  free(whole);
  return count;
}


void import_do_task(int n, char *const *word, FILE *out)
{
  static const char *package[MAX_WORDS];
  static artClosureDef closure[MAX_WORDS];
  if (n < 1 || n > MAX_WORDS) return;
  artImportDef def = art_default_import();
  def.package = package;
  def.closure = closure;
  for (int i = 1; i < n; i++) {
    const char *value;
    if ((value = value_of(word[i], "folder"))) def.folder = value;
    if ((value = value_of(word[i], "key"))) def.key = value;
    if ((value = value_of(word[i], "strict"))) def.strict = 1;
    if ((value = value_of(word[i], "contact"))) def.contact = 1;
    if ((value = value_of(word[i], "base"))) def.base = (artImportBase) atoi(value);
    if ((value = value_of(word[i], "package"))) package[def.npackage++] = value;
    if ((value = value_of(word[i], "close")))
      closure[def.nclosure++] = (artClosureDef){value, "", 0};
    if ((value = value_of(word[i], "points")))
      closure[def.nclosure++] = (artClosureDef){value, "", 1};
    if ((value = value_of(word[i], "to")) && def.nclosure) closure[def.nclosure - 1].to = value;
  }
  artImport *import = NULL;
  artError error = {0};
  const artStatus status = art_import(&import, word[0], &def, &error);
  sandbox_put_number(out, scene_was_missing());
  sandbox_put_status(out, status, &error);
  if (status) return;
  int count = 0, times = 0;
  artPlace place;
  while (art_import_note(import, count, NULL, NULL)) count++;
  sandbox_put_text(out, art_import_format(import));
  sandbox_put_text(out, art_import_text(import));
  sandbox_put_number(out, count);
  for (int i = 0; i < count; i++) {
    sandbox_put_number(out, (int) art_import_note_level(import, i));
    sandbox_put_text(out, art_import_note(import, i, &place, &times));
    sandbox_put_text(out, place.file);
    sandbox_put_number(out, place.line);
    sandbox_put_number(out, place.column);
    sandbox_put_number(out, times);
  }
  art_free_import(import);
}
