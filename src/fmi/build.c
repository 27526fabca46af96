// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Compiles binaries from the sources of an FMU: version 2.0 lists them in its description, 3.0 in
// sources/buildDescription.xml.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/platform.h"
#include "base/throw.h"
#include "emit/fmu/fmu_sources.h"
#include "fmi/fmu_archive.h"
#include "load/compiler.h"

enum { MAX_WORDS = 2000 };

typedef struct unitBuild {
  fmuFile *unit;
  const char *word[MAX_WORDS + 1];
  int n, nsource;
} unitBuild;


static void add_build_word(unitBuild *b, const char *format, const char *x, const char *y)
{
  if (b->n + 16 > MAX_WORDS) error_throw();
  const size_t size = strlen(x) + strlen(y) + 64;
  char *text = arena_alloc(&b->unit->arena, size, 1);
  format_text(text, size, format, x, y);
  b->word[b->n++] = text;
}


// add a file of the folder sources
static void add_source(unitBuild *b, const char *format, const char *name, artPlace place)
{
  if (platform_is_absolute(name) || strstr(name, "..")) {
    error_refuse(place, "'%.100s' leads out of the folder of sources", name);
  }
  add_build_word(b, format, b->unit->folder, name);
}

//---- version 2.0 ---------------------------------------------------------------------------------

static void list_sources(unitBuild *b, const fmiInterface *own)
{
  for (int i = 0; i < own->nsource; i++, b->nsource++) {
    add_source(b, "%s/sources/%s", own->source[i], (artPlace){.file = b->unit->path});
  }
}

//---- version 3.0 ---------------------------------------------------------------------------------

static void add_definition(unitBuild *b, xmlNode *node)
{
  const char *name = fmi_need(node, "name"), *value = xml_get(node, "value");
  add_build_word(b, value ? "-D%s=%s" : "-D%s%s", name, value ? value : "");
}


// All files of a set are compiled by one call, with the definitions and folders of the set. Sources
// also use system functions such as strdup, which needs the GNU dialect.
static void add_source_set(unitBuild *b, xmlNode *set)
{
  const char *language = xml_get(set, "language");
  if (language && strncmp(language, "C", 1) == 0 && strlen(language) == 3) {
    add_build_word(b, "-std=gnu%s%s", language + 1, "");
  }
  for (xmlNode *node = set->first; node; node = node->next) {
    if (strcmp(node->name, "PreprocessorDefinition") == 0) {
      add_definition(b, node);
    } else if (strcmp(node->name, "IncludeDirectory") == 0) {
      add_source(b, "-I%s/sources/%s", fmi_need(node, "name"), node->place);
    } else if (strcmp(node->name, "SourceFile") == 0) {
      add_source(b, "%s/sources/%s", fmi_need(node, "name"), node->place);
      b->nsource++;
    }
  }
}


static void read_configuration(unitBuild *b, const fmiInterface *own)
{
  xmlNode *root = fmi_read_xml(b->unit, "sources/buildDescription.xml");
  xmlNode *node = root ? xml_child(root, "BuildConfiguration") : NULL;
  for (; node; node = xml_next(node)) {
    const char *identifier = xml_get(node, "modelIdentifier");
    if (!identifier || strcmp(identifier, own->identifier) != 0) continue;
    for (xmlNode *set = xml_child(node, "SourceFileSet"); set; set = xml_next(set)) {
      add_source_set(b, set);
    }
    return;
  }
}

//---- the compiler --------------------------------------------------------------------------------

// write the headers of the standard, under the names that sources include
static void write_headers(unitBuild *b)
{
  static const char *const name[] = {"fmi2Functions.h",     "fmi2FunctionTypes.h",
                                     "fmi2TypesPlatform.h", "fmi3Functions.h",
                                     "fmi3FunctionTypes.h", "fmi3PlatformTypes.h"};
  char folder[FILE_PATH_LENGTH], path[FILE_PATH_LENGTH];
  error_check(file_join(folder, b->unit->folder, "headers", error_current()));
  error_check(file_make_directory(folder, error_current()));
  for (int i = 0; i < 6; i++) {
    FILE *file = NULL;
    error_check(file_join(path, folder, name[i], error_current()));
    error_check(file_create(&file, path, 0, error_current()));
    emit_unit_standard(file, name[i][3] == '2' ? 2 : 3);
    if (fclose(file) != 0) error_check(file_fail(error_current(), path, "cannot write"));
  }
  add_build_word(b, "-I%s/%s", folder, "");
}


static void compile_unit_binary(unitBuild *b, const char *library)
{
  char folder[FILE_PATH_LENGTH], log[FILE_PATH_LENGTH];
  snprintf(folder, sizeof folder, "%.*s", (int) (strrchr(library, '/') - library), library);
  error_check(file_make_directory(folder, error_current()));
  error_check(file_join(log, b->unit->folder, "compiler.log", error_current()));
  write_headers(b);
  add_build_word(b, "-I%s/%s", b->unit->folder, "sources");
  const char *const rest[] = {"-O2",
                              "-Werror=implicit-function-declaration",
                              "-shared",
                              "-fPIC",
                              "-fvisibility=hidden",
                              "-DFMI2_OVERRIDE_FUNCTION_PREFIX",
                              "-DFMI3_OVERRIDE_FUNCTION_PREFIX",
                              "-o",
                              library,
                              "-lm",
                              NULL};
  memcpy(b->word + b->n, rest, sizeof rest);
  error_check(compiler_run(NULL, b->word, library, log, "sources of the FMU", "", error_current()));
}


bool fmi_build(fmuFile *unit, const fmiInterface *own, const char *library)
{
  unitBuild *b = arena_alloc(&unit->arena, 1, sizeof *b);
  b->unit = unit;
  if (unit->description.version == 2) {
    list_sources(b, own);
  } else {
    read_configuration(b, own);
  }
  if (b->nsource > 0) compile_unit_binary(b, library);
  return b->nsource > 0;
}
