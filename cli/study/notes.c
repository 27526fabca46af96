// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Warnings about a model; what imports left out or changed, in words; and how the options of a call set imports.
#include "notes.h"

#include "base/format.h"
#include "base/named.h"
#include "import/import.h"
#include "model/model.h"
#include "model/read/source.h"

enum { MAX_PRINTED = 10, MAX_WARNINGS = 3 };


// pairs of both options as closures; returns their number
static int take_closures(const cliCall *call, artClosureDef closure[CLI_WORDS])
{
  int n = 0;
  for (int i = 0; i + 1 < call->close.count; i += 2) {
    closure[n++] = (artClosureDef){call->close.word[i], call->close.word[i + 1], 0};
  }
  for (int i = 0; i + 1 < call->close_points.count; i += 2) {
    closure[n++] = (artClosureDef){call->close_points.word[i], call->close_points.word[i + 1], 1};
  }
  return n;
}


void notes_use_settings(const cliCall *call)
{
  static artImportDef def;
  static artClosureDef closure[2 * CLI_WORDS];
  def = art_default_import();
  def.nclosure = take_closures(call, closure);
  def.closure = closure;
  def.npackage = call->packages.count;
  def.package = call->packages.word;
  def.key = call->key;
  def.strict = call->strict;
  def.contact = call->contact;
  if (call->base >= 0) def.base = (artImportBase) call->base;
  import_use(&def);
}


artStatus notes_check_settings(const cliCall *call, const artModel *model, artError *error)
{
  const char *given = call->close.count          ? "--close"
                      : call->close_points.count ? "--close-points"
                      : call->base >= 0          ? "--base"
                      : call->contact            ? "--contact"
                      : call->key                ? "--key"
                      : call->packages.count     ? "--package"
                                                 : NULL;
  const mistakeFiles *files = &model->source->own;
  for (int i = 0; i < files->count; i++) {
    if (art_is_foreign(files->file[i].name)) return ART_OK;
  }
  return given ? base_fail(error, ART_BAD_INPUT, (artPlace){.file = call->file},
                           "%s is for files of other programs, such as URDF", given)
               : ART_OK;
}


// number of notes of a level, or of all
static int count_notes(const artModel *model, artNoteLevel wanted)
{
  int n = 0;
  artNoteLevel level;
  for (int i = 0; art_model_note(model, i, &level, NULL); i++)
    n += wanted == ART_NOTE_LEVELS || level == wanted;
  return n;
}


void notes_report(cliReport *report, const artModel *model)
{
  artNoteLevel level, last = ART_NOTE_LEVELS;
  const char *note, *file;
  if (count_notes(model, ART_NOTE_LEVELS) > 0) say_title(report, "left out or changed on import");
  json_array(report, "left_out");
  for (int i = 0; (note = art_model_note(model, i, &level, &file)); i++) {
    if (level != last) say(report, "  %s\n", art_note_level_name(level));
    last = level;
    say(report, "    %s\n", note);
    json_item(report, NULL, "level: %s, file: %s, note: %s", art_note_level_name(level), file,
              note);
  }
  json_end(report);
}


void notes_print(const cliCall *call, const artModel *model)
{
  artNoteLevel level;
  const char *note;
  const int all = count_notes(model, ART_NOTE_LEVELS), n = count_notes(model, ART_NOTE_MOTION);
  if (all == 0) return;
  if (n > 0) printf("  left out or changed on import, which changes the motion:\n");
  for (int i = 0; i < MAX_PRINTED && (note = art_model_note(model, i, &level, NULL)); i++) {
    if (level == ART_NOTE_MOTION) printf("    %s\n", note);
  }
  const int rest = all - (n < MAX_PRINTED ? n : MAX_PRINTED);
  if (rest > 0)
    format_show(stdout, "  %d %sthing%s left out or changed on import: articula check %s%s\n", rest,
                n > 0 ? "more " : "", plural_s(rest), call->file,
                call->contact ? " --contact" : "");
}


static int count_warnings(const artModel *model)
{
  int n = 0;
  while (art_model_warning(model, n)) n++;
  return n;
}


void warnings_tell(cliReport *report, const artModel *model)
{
  const char *warning;
  if (art_model_warning(model, 0)) say_title(report, "warnings");
  json_list(report, "warnings");
  for (int i = 0; (warning = art_model_warning(model, i)); i++) {
    json_text(report, NULL, warning);
    say(report, "  %s\n", warning);
  }
  json_end(report);
}


void warnings_print(const cliCall *call, const artModel *model)
{
  const int n = count_warnings(model);
  for (int i = 0; i < n && i < MAX_WARNINGS; i++) {
    format_show(stdout, "  warning: %s\n", art_model_warning(model, i));
  }
  if (n > MAX_WARNINGS) {
    format_show(stdout, "  %d more warning%s: articula check %s\n", n - MAX_WARNINGS,
                plural_s(n - MAX_WARNINGS), call->file);
  }
}


void notes_warn(const cliCall *call, const artModel *model)
{
  static const char *const own[] = {"check", "run", "view"}; // verbs that report the notes
  if (NAMED_FIND(own, call->verb->name) >= 0) return;
  const int n = count_notes(model, ART_NOTE_MOTION), warnings = count_warnings(model);
  if (call->quiet) return;
  if (warnings > 0) {
    format_show(stderr, "warning: %s%s\n", art_model_warning(model, 0),
                warnings > 1 ? "; and more: see 'articula check'" : "");
  }
  if (n == 0) return;
  format_show(stderr, "%s: %s%s\n", call->file, art_model_note(model, 0, NULL, NULL),
              n > 1 ? "; and more that changes the motion: see 'articula check'" : "");
}
