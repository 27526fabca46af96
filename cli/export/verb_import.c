// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula import: a model of another program as a model file.
#include <string.h>

#include "base/memory.h"
#include "command_report.h"
#include "import/import.h"


// the loops of a URDF file are next to it, perhaps under the name that its text would have
static void check_target(const char *path)
{
  char *text = NULL;
  size_t length = 0;
  artError none;
  if (file_read(path, &text, &length, &none)) return;
  const bool has_loops = strncmp(text, "closed_loop:", 12) == 0 || strstr(text, "\nclosed_loop:");
  mem_free(text);
  if (has_loops)
    error_refuse((artPlace){.file = path},
                 "this file holds the loops of the robot; give the model file another name");
}


// "line 12, 3 times: ...", without what says nothing
static void say_note(const cliReport *report, int line, int count, const char *note)
{
  say(report, "    ");
  if (line > 0) say(report, count > 1 ? "line %d, " : "line %d: ", line);
  if (count > 1) say(report, "%d times: ", count);
  say(report, "%s\n", note);
}


static void report_import(const cliCall *call, const artImport *import)
{
  if (!call->directory && !call->json) {
    if (!call->quiet) fputs(art_import_text(import), stdout);
    return;
  }
  if (call->directory) {
    const char *text = art_import_text(import);
    baseFile file;
    check_target(call->directory);
    error_check(file_begin(&file, call->directory, error_current()));
    fputs(text, file.stream);
    error_check(file_commit(&file, error_current()));
  }
  if (call->quiet && !call->json) return;
  cliReport report = report_begin(call);
  report_fields(&report, "format: %s", "%s", art_import_format(import));
  if (call->directory) report_fields(&report, "file: %s", ", written to %s\n", call->directory);
  artPlace place;
  artNoteLevel last = ART_NOTE_LEVELS;
  int count = 0;
  const char *note;
  json_array(&report, "left_out");
  for (int i = 0; (note = art_import_note(import, i, &place, &count)); i++) {
    const artNoteLevel level = art_import_note_level(import, i);
    const char *words = art_note_level_name(level);
    if (level != last) say(&report, "  %s\n", words);
    last = level;
    say_note(&report, place.line, count, note);
    json_item(&report, NULL, "level: %s, line: %d, count: %d, note: %s", words, place.line, count,
              note);
  }
  json_end(&report);
  report_end(&report);
}


static void free_import(void *import)
{
  art_free_import(import);
}


void verb_import(cliWork *w)
{
  const cliCall *call = w->call;
  char folder[FILE_PATH_LENGTH];
  const char *slash = call->directory ? strrchr(call->directory, '/') : NULL;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int) (slash - call->directory + 1) : 1,
           slash ? call->directory : ".");
  artImportDef def = *import_in_use();
  def.strict = call->strict;
  def.folder = call->directory ? folder : NULL;
  artImport *import = NULL;
  const artStatus status = art_import(&import, call->file, &def, error_current());
  // a file that cannot be read is a wrong call
  if (status == ART_IO) error_current()->status = ART_BAD_INPUT;
  error_check(status);
  cli_defer(w, free_import, import);
  report_import(call, import);
}
