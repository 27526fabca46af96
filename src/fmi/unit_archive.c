// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Archives opened, binaries found and loaded.
#define _XOPEN_SOURCE 700 // nftw
#include "fmi/unit_archive.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/zip.h"

// names of this system for folders of binaries, in versions 2.0 and 3.0
#if defined __APPLE__
#define SYSTEM "darwin"
#define ENDING ".dylib"
#else
#define SYSTEM "linux"
#define ENDING ".so"
#endif
#if defined __x86_64__
#define PLATFORM_2 SYSTEM "64"
#define PLATFORM_3 "x86_64-" SYSTEM
#elif defined __aarch64__
#define PLATFORM_2 "aarch64-" SYSTEM
#define PLATFORM_3 "aarch64-" SYSTEM
#elif defined __i386__
#define PLATFORM_2 SYSTEM "32"
#define PLATFORM_3 "x86-" SYSTEM
#else
#define PLATFORM_2 "unknown"
#define PLATFORM_3 "unknown"
#endif


static artStatus refuse(const fmiUnit *unit, artError *error, const char *format, const char *a)
{
  char text[700];
  snprintf(text, sizeof text, format, a);
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = unit->path}, "%s", text);
}

//---- the folder ----------------------------------------------------------------------------------

static artStatus make_folder(fmiUnit *unit, artError *error)
{
  const char *above = getenv("TMPDIR");
  if (!above || above[0] != '/' || strlen(above) > 1000) above = "/tmp";
  snprintf(unit->folder, sizeof unit->folder, "%s/articula-unit-XXXXXX", above);
  if (mkdtemp(unit->folder)) return ART_OK;
  const artStatus status = file_fail(error, unit->folder, "cannot make a folder");
  unit->folder[0] = 0;
  return status;
}


static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void) about, (void) kind, (void) where;
  (void) remove(path);
  return 0;
}


void fmi_close(fmiUnit *unit)
{
  if (!unit) return;
  if (unit->library) dlclose(unit->library);
  if (unit->folder[0]) nftw(unit->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  arena_free(&unit->arena);
  mem_free(unit);
}


static artStatus read_description(fmiUnit *unit, artError *error)
{
  char path[FILE_PATH_LENGTH];
  char *text = NULL;
  size_t length = 0;
  artStatus status = file_join(path, unit->folder, "modelDescription.xml", error);
  if (!status && access(path, R_OK) != 0) {
    return refuse(unit, error, "this is no unit: the archive has no %s", "modelDescription.xml");
  }
  if (!status) status = file_read(path, &text, &length, error);
  const char *name = arena_format(&unit->arena, "%s/modelDescription.xml", unit->path);
  if (!status && !name) status = base_no_memory(error);
  if (!status) {
    status = fmi_read_description(&unit->arena, name, text, length, &unit->description, error);
  }
  mem_free(text);
  return status;
}


artStatus fmi_open(fmiUnit **out, const char *path, artError *error)
{
  fmiUnit *unit = *out = mem_alloc(1, sizeof *unit);
  if (!unit) return base_no_memory(error);
  unit->path = arena_text(&unit->arena, path);
  artStatus status = unit->path ? make_folder(unit, error) : base_no_memory(error);
  if (!status) status = unzip_into(path, unit->folder, error);
  if (!status) status = read_description(unit, error);
  if (!status) return ART_OK;
  fmi_close(unit);
  *out = NULL;
  return status;
}

//---- the binary ----------------------------------------------------------------------------------

// "win64, linux64": the systems that there are binaries for
static void list_binaries(const fmiUnit *unit, char text[200])
{
  char path[FILE_PATH_LENGTH];
  snprintf(text, 200, "none");
  if (file_join(path, unit->folder, "binaries", NULL)) return;
  DIR *all = opendir(path);
  if (!all) return;
  int n = 0;
  for (struct dirent *entry; (entry = readdir(all));) {
    if (entry->d_name[0] == '.') continue;
    if (n++ == 0) text[0] = 0;
    base_append(text, 200, "%s%.40s", n > 1 ? ", " : "", entry->d_name);
  }
  closedir(all);
}


// functions that every importer calls; others are asked for when they are needed
static const char *first_missing(const fmiUnit *unit)
{
#define NEEDED(table, name)                                                                        \
  if (!unit->table.name) return #name;
  if (unit->description.version == 2) {
    NEEDED(two, fmi2Instantiate)
    NEEDED(two, fmi2FreeInstance)
    NEEDED(two, fmi2SetupExperiment)
    NEEDED(two, fmi2EnterInitializationMode)
    NEEDED(two, fmi2ExitInitializationMode)
    NEEDED(two, fmi2Terminate)
    NEEDED(two, fmi2GetReal)
    NEEDED(two, fmi2SetReal)
    if (unit->own == &unit->description.simulation) NEEDED(two, fmi2DoStep)
    return NULL;
  }
  NEEDED(three, fmi3FreeInstance)
  NEEDED(three, fmi3EnterInitializationMode)
  NEEDED(three, fmi3ExitInitializationMode)
  NEEDED(three, fmi3Terminate)
  NEEDED(three, fmi3GetFloat64)
  NEEDED(three, fmi3SetFloat64)
  if (unit->own == &unit->description.simulation) {
    NEEDED(three, fmi3InstantiateCoSimulation)
    NEEDED(three, fmi3DoStep)
  } else {
    NEEDED(three, fmi3InstantiateModelExchange)
  }
  return NULL;
#undef NEEDED
}


static void find_functions(fmiUnit *unit)
{
  void *found;
#define FIND(table, name)                                                                          \
  found = dlsym(unit->library, #name);                                                             \
  memcpy(&unit->table.name, &found, sizeof found);
#define FIND2(name) FIND(two, name)
#define FIND3(name) FIND(three, name)
  if (unit->description.version == 2) {
    FMI2_FUNCTIONS(FIND2)
  } else {
    FMI3_FUNCTIONS(FIND3)
  }
#undef FIND2
#undef FIND3
#undef FIND
}


// the path of the binary for this machine, whether it is there or not
static artStatus name_binary(const fmiUnit *unit, const fmiInterface *own,
                             char path[FILE_PATH_LENGTH], artError *error)
{
  char name[400];
  const char *platform = unit->description.version == 2 ? PLATFORM_2 : PLATFORM_3;
  snprintf(name, sizeof name, "binaries/%s/%.300s" ENDING, platform, own->identifier);
  return file_join(path, unit->folder, name, error);
}


static artStatus no_binary(const fmiUnit *unit, artError *error)
{
  char systems[200];
  list_binaries(unit, systems);
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = unit->path},
                   "the unit has no binary for this machine (%s) and no sources; it has binaries "
                   "for: %s",
                   unit->description.version == 2 ? PLATFORM_2 : PLATFORM_3, systems);
}


static artStatus open_library(fmiUnit *unit, const char *path, artError *error)
{
  unit->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!unit->library) {
    const char *why = dlerror(), *behind = why ? strstr(why, ": ") : NULL;
    return refuse(unit, error, "the binary of the unit cannot be loaded: %.400s",
                  behind ? behind + 2 : "");
  }
  find_functions(unit);
  const char *missing = first_missing(unit);
  if (missing) return refuse(unit, error, "the binary of the unit lacks the function %s", missing);
  const char *version = unit->description.version == 2
                            ? (unit->two.fmi2GetVersion ? unit->two.fmi2GetVersion() : "2.0")
                            : (unit->three.fmi3GetVersion ? unit->three.fmi3GetVersion() : "3.0");
  if (version && version[0] == '0' + unit->description.version) return ART_OK;
  return refuse(unit, error,
                "the binary of the unit is of FMI version '%.20s', not of the one described",
                version ? version : "");
}


artStatus fmi_load(fmiUnit *unit, const fmiInterface *own, artError *error)
{
  char path[FILE_PATH_LENGTH];
  if (own->needs_tool) {
    return refuse(unit, error, "the unit needs the program that made it (%s)",
                  "needsExecutionTool");
  }
  if (unit->library) dlclose(unit->library);
  unit->library = NULL;
  unit->own = own;
  artStatus status = name_binary(unit, own, path, error);
  if (!status && access(path, R_OK) != 0) {
    bool has_sources = false;
    status = fmi_build(unit, own, path, &has_sources, error);
    if (!status && !has_sources) status = no_binary(unit, error);
  }
  return status ? status : open_library(unit, path, error);
}
