// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Binaries from the sources of a unit: those that version 2.0 lists in its description, and 3.0 in sources/buildDescription.xml.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "emit/unit_sources.h"
#include "fmi/unit_archive.h"
#include "import/xml.h"
#include "load/compiler.h"

enum { MOST_WORDS = 2000 };

typedef struct unitBuild {
  fmiUnit *unit;
  const char *word[MOST_WORDS + 1];
  int n, nsource;
  artError *error;
} unitBuild;


static artStatus add(unitBuild *b, const char *format, const char *x, const char *y)
{
  char *text;
  if (b->n + 16 > MOST_WORDS ||
      !(text = arena_alloc(&b->unit->arena, strlen(x) + strlen(y) + 64, 1))) {
    return base_no_memory(b->error);
  }
  sprintf(text, format, x, y);
  b->word[b->n++] = text;
  return ART_OK;
}


// a name inside of the folder sources
static artStatus add_source(unitBuild *b, const char *format, const char *name, artPlace place)
{
  if (name[0] == '/' || strstr(name, "..")) {
    return base_fail(b->error, ART_BAD_INPUT, place, "'%.100s' leads out of the folder of sources",
                     name);
  }
  return add(b, format, b->unit->folder, name);
}

//---- version 2.0 ---------------------------------------------------------------------------------

static artStatus list_sources(unitBuild *b, const fmiInterface *own)
{
  artStatus status = ART_OK;
  for (int i = 0; i < own->nsource && !status; i++, b->nsource++) {
    status = add_source(b, "%s/sources/%s", own->source[i], (artPlace){.file = b->unit->path});
  }
  return status;
}

//---- version 3.0 ---------------------------------------------------------------------------------

static artStatus need(unitBuild *b, xmlNode *node, const char *key, const char **value)
{
  *value = xml_get(node, key);
  if (*value && **value) return ART_OK;
  return base_fail(b->error, ART_BAD_INPUT, node->place, "<%.60s> lacks the attribute '%s'",
                   node->name, key);
}


static artStatus add_definition(unitBuild *b, xmlNode *node)
{
  const char *name, *value = xml_get(node, "value");
  const artStatus status = need(b, node, "name", &name);
  if (status) return status;
  return value ? add(b, "-D%s=%s", name, value) : add(b, "-D%s%s", name, "");
}


// all files of a set go into one call, with the definitions and folders of the set
static artStatus add_set(unitBuild *b, xmlNode *set)
{
  const char *name, *language = xml_get(set, "language");
  artStatus status = ART_OK;
  if (language && strncmp(language, "C", 1) == 0 && strlen(language) == 3) {
    char flag[16] = "-std=c";
    memcpy(flag + 6, language + 1, 3);
    status = add(b, "%s%s", flag, "");
  }
  for (xmlNode *node = set->first; node && !status; node = node->next) {
    if (strcmp(node->name, "PreprocessorDefinition") == 0) {
      status = add_definition(b, node);
    } else if (strcmp(node->name, "IncludeDirectory") == 0) {
      status = need(b, node, "name", &name);
      if (!status) status = add_source(b, "-I%s/sources/%s", name, node->place);
    } else if (strcmp(node->name, "SourceFile") == 0) {
      status = need(b, node, "name", &name);
      if (!status) status = add_source(b, "%s/sources/%s", name, node->place);
      b->nsource++;
    }
  }
  return status;
}


static artStatus add_configuration(unitBuild *b, xmlNode *root, const fmiInterface *own)
{
  for (xmlNode *node = xml_child(root, "BuildConfiguration"); node; node = xml_next(node)) {
    const char *identifier = xml_get(node, "modelIdentifier");
    if (!identifier || strcmp(identifier, own->identifier) != 0) continue;
    artStatus status = ART_OK;
    for (xmlNode *set = xml_child(node, "SourceFileSet"); set && !status; set = xml_next(set)) {
      status = add_set(b, set);
    }
    return status;
  }
  return ART_OK;
}


static artStatus read_configuration(unitBuild *b, const fmiInterface *own)
{
  char path[FILE_PATH_LENGTH];
  char *text = NULL;
  size_t length = 0;
  xmlNode *root = NULL;
  artStatus status = file_join(path, b->unit->folder, "sources/buildDescription.xml", b->error);
  FILE *file = status ? NULL : fopen(path, "r");
  if (!file) return status;
  fclose(file);
  const char *name =
      arena_format(&b->unit->arena, "%s/sources/buildDescription.xml", b->unit->path);
  status = name ? file_read(path, &text, &length, b->error) : base_no_memory(b->error);
  if (!status) status = xml_read(&b->unit->arena, name, text, length, &root, b->error);
  if (!status) status = add_configuration(b, root, own);
  mem_free(text);
  return status;
}

//---- the compiler --------------------------------------------------------------------------------

// the declarations of the standard, under the names by which sources include them
static artStatus write_headers(unitBuild *b)
{
  static const char *const name[] = {"fmi2Functions.h",     "fmi2FunctionTypes.h",
                                     "fmi2TypesPlatform.h", "fmi3Functions.h",
                                     "fmi3FunctionTypes.h", "fmi3PlatformTypes.h"};
  char folder[FILE_PATH_LENGTH], path[FILE_PATH_LENGTH];
  artStatus status = file_join(folder, b->unit->folder, "headers", b->error);
  if (!status) status = file_make_directory(folder, b->error);
  for (int i = 0; i < 6 && !status; i++) {
    FILE *file = NULL;
    status = file_join(path, folder, name[i], b->error);
    if (!status) status = file_create(&file, path, 0, b->error);
    if (status) break;
    emit_unit_standard(file, name[i][3] == '2' ? 2 : 3);
    if (fclose(file) != 0) status = file_fail(b->error, path, "cannot write");
  }
  return status ? status : add(b, "-I%s/%s", folder, "");
}


static artStatus compile(unitBuild *b, const char *library)
{
  char folder[FILE_PATH_LENGTH], log[FILE_PATH_LENGTH];
  snprintf(folder, sizeof folder, "%.*s", (int) (strrchr(library, '/') - library), library);
  artStatus status = file_make_directory(folder, b->error);
  if (!status) status = file_join(log, b->unit->folder, "compiler.log", b->error);
  if (!status) status = write_headers(b);
  if (!status) status = add(b, "-I%s/%s", b->unit->folder, "sources");
  if (status) return status;
  const char *const rest[] = {"-O2",
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
  return compiler_run(NULL, b->word, library, log, "sources of the unit", "", b->error);
}


artStatus fmi_build(fmiUnit *unit, const fmiInterface *own, const char *library, bool *has_sources,
                    artError *error)
{
  unitBuild *b = mem_alloc(1, sizeof *b);
  if (!b) return base_no_memory(error);
  b->unit = unit;
  b->error = error;
  artStatus status =
      unit->description.version == 2 ? list_sources(b, own) : read_configuration(b, own);
  *has_sources = b->nsource > 0;
  if (!status && *has_sources) status = compile(b, library);
  mem_free(b);
  return status;
}
