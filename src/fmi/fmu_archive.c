// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Unpacks FMU archives, finds and loads their binaries.
#define _XOPEN_SOURCE 700 // nftw
#include "fmi/fmu_archive.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/throw.h"
#include "show/zip.h"

// platform names of binary folders, in versions 2.0 and 3.0
#if defined __APPLE__
#define SYSTEM "darwin"
#define ENDING ".dylib"
#elif defined _WIN32
#define SYSTEM "windows"
#define ENDING ".dll"
#else
#define SYSTEM "linux"
#define ENDING ".so"
#endif
#if defined _WIN64
#define PLATFORM_2 "win64"
#define PLATFORM_3 "x86_64-" SYSTEM
#elif defined __x86_64__
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


#define FOLDER_PREFIX "articula-unit-"

//---- the folder ----------------------------------------------------------------------------------

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void) about, (void) kind, (void) where;
  (void) remove(path);
  return 0;
}


// Lock a folder until the process ends. -1: another process holds the lock, or the folder is not
// ours.
static int lock_folder(const char *path)
{
  struct stat about;
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &about) == 0 && about.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}


// Remove folders of killed processes; one younger than a minute may not be locked yet.
static void remove_abandoned(const char *above)
{
  enum { YOUNGEST = 60 }; // s
  struct stat about;
  DIR *all = opendir(above);
  if (!all) return;
  for (struct dirent *entry; (entry = readdir(all));) {
    char path[FILE_PATH_LENGTH];
    const size_t n = strlen(FOLDER_PREFIX);
    if (strncmp(entry->d_name, FOLDER_PREFIX, n) != 0 || strlen(entry->d_name) != n + 6) continue;
    if (file_join(path, above, entry->d_name, NULL)) continue;
    if (lstat(path, &about) != 0 || time(NULL) - about.st_mtime < YOUNGEST) continue;
    const int fd = lock_folder(path);
    if (fd < 0) continue;
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    close(fd);
  }
  closedir(all);
}


static void make_folder(fmuFile *unit)
{
  const char *above = platform_temporary_folder();
  remove_abandoned(above);
  format_text(unit->folder, sizeof unit->folder, "%s/" FOLDER_PREFIX "XXXXXX", above);
  if (mkdtemp(unit->folder)) {
    unit->lock = lock_folder(unit->folder);
    return;
  }
  const artStatus status = file_fail(error_current(), unit->folder, "cannot make a folder");
  unit->folder[0] = 0;
  error_check(status);
}


void fmi_close(fmuFile *unit)
{
  if (!unit) return;
  if (unit->library) dlclose(unit->library);
  if (unit->folder[0]) nftw(unit->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  if (unit->lock >= 0) close(unit->lock);
  arena_free(&unit->arena);
  mem_free(unit);
}


xmlNode *fmi_read_xml(fmuFile *unit, const char *name)
{
  char path[FILE_PATH_LENGTH];
  char *text = NULL;
  size_t length = 0;
  xmlNode *root = NULL;
  error_check(file_join(path, unit->folder, name, error_current()));
  if (access(path, R_OK) != 0) return NULL;
  const char *shown = arena_format(&unit->arena, "%s/%s", unit->path, name);
  artStatus status = file_read(path, &text, &length, error_current());
  unit->arena.leaves = 0;
  const char *kind = strcmp(name, "modelDescription.xml") == 0 ? "description" : "xml";
  if (!status)
    status = xml_read_apart(&unit->arena, kind, shown, text, length, &root, error_current());
  unit->arena.leaves = 1;
  mem_free(text);
  error_check(status);
  return root;
}


void fmi_open(fmuFile **out, const char *path)
{
  fmuFile *unit = *out = mem_alloc(1, sizeof *unit);
  if (!unit) error_throw();
  unit->lock = -1;
  unit->arena.leaves = 1;
  unit->path = arena_text(&unit->arena, path);
  make_folder(unit);
  error_check(unzip_into(path, unit->folder, error_current()));
  xmlNode *root = fmi_read_xml(unit, "modelDescription.xml");
  if (!root) {
    error_refuse((artPlace){.file = unit->path},
                 "this is not an FMU: the archive has no modelDescription.xml");
  }
  fmi_read_description(&unit->arena, root, &unit->description);
}

//---- the binary ----------------------------------------------------------------------------------

// "win64, linux64": the platforms with binaries
static void list_binaries(const fmuFile *unit, char text[200])
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


// the first missing function of those that are always needed; others are looked up on demand
static const char *first_missing(const fmuFile *unit)
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


static void find_unit_functions(fmuFile *unit)
{
  void *found;
#define FIND(table, name)                                                                          \
  found = dlsym(unit->library, #name);                                                             \
  memcpy(&unit->table.name, &found, sizeof found);
#define FIND2(type, name, arguments) FIND(two, name)
#define FIND3(type, name, arguments) FIND(three, name)
  if (unit->description.version == 2) {
    FMI2_FUNCTIONS(FIND2)
  } else {
    FMI3_FUNCTIONS(FIND3)
  }
#undef FIND2
#undef FIND3
#undef FIND
}


_Noreturn static void no_binary(const fmuFile *unit, const char *platform)
{
  char systems[200];
  list_binaries(unit, systems);
  error_refuse(
      (artPlace){.file = unit->path},
      "the FMU has no binary for this machine (%s) and no sources; it has binaries for: %s",
      platform, systems);
}


static void open_unit_library(fmuFile *unit, const char *path)
{
  const artPlace place = {.file = unit->path};
  unit->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  arithmetic_renew();
  if (!unit->library) {
    const char *why = dlerror(), *behind = why ? strstr(why, ": ") : NULL;
    error_refuse(place, "the binary of the FMU cannot be loaded: %.400s", behind ? behind + 2 : "");
  }
  find_unit_functions(unit);
  const char *missing = first_missing(unit);
  if (missing) error_refuse(place, "the binary of the FMU lacks the function %s", missing);
  const char *version = unit->description.version == 2
                            ? (unit->two.fmi2GetVersion ? unit->two.fmi2GetVersion() : "2.0")
                            : (unit->three.fmi3GetVersion ? unit->three.fmi3GetVersion() : "3.0");
  if (version && version[0] == '0' + unit->description.version) return;
  error_refuse(place, "the binary of the FMU is of FMI version '%.20s', not of the one described",
               version ? version : "");
}


void fmi_load(fmuFile *unit, const fmiInterface *own)
{
  char path[FILE_PATH_LENGTH], name[400];
  if (own->needs_tool) {
    error_refuse((artPlace){.file = unit->path},
                 "the FMU needs the program that made it (needsExecutionTool)");
  }
  if (unit->library) dlclose(unit->library);
  unit->library = NULL;
  unit->own = own;
  const char *platform = unit->description.version == 2 ? PLATFORM_2 : PLATFORM_3;
  format_text(name, sizeof name, "binaries/%s/%.300s" ENDING, platform, own->identifier);
  error_check(file_join(path, unit->folder, name, error_current()));
  if (access(path, R_OK) != 0 && !fmi_build(unit, own, path)) no_binary(unit, platform);
  open_unit_library(unit, path);
}
