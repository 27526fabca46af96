// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units of FMI 2.0 by the writers of the library, compiled with all warnings.
#include "support/unit_host.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/fmu/fmu_sources.h"
#include "force/tyre_element.h"
#include "model/model.h"
#include "study/generate/product_writer.h"
#include "support/check.h"
#include "support/folder.h"


static void logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String message, ...)
{
  hostUnit *u = environment;
  char text[700];
  va_list list;
  (void) name;
  va_start(list, message);
  vsnprintf(text, sizeof text, message, list);
  va_end(list);
  CHECK(status != fmi2OK && strncmp(category, "logStatus", 9) == 0 && text[0]);
  CHECK(!strstr(text, "-nan")); // in one way on every kind of computer
  if (u) u->messages++;
  if (getenv("ART_SHOW")) printf("    %d %s: %s\n", status, category, text);
}


static void close_unit(void *unit)
{
  hostUnit *u = unit;
  if (u->library) dlclose(u->library);
  art_free_data(u->d);
  art_free_model(u->m);
  *u = (hostUnit){0};
}


static artStatus open_model(hostUnit *u, const char *path, artError *error)
{
  artStatus status = art_load_model(&u->m, path, error);
  if (status) return status;
  u->study = art_default_run();
  const artStudyDef *study = art_find_study(u->m, ART_RUN, NULL);
  if (study) u->study = study->run;
  return host_restart(u, error);
}


artStatus host_restart(hostUnit *u, artError *error)
{
  art_free_data(u->d);
  u->d = art_create_data(u->m);
  u->d->time = u->study.from;
  art_update(u->m, u->d);
  const artStatus status = art_assemble(u->m, u->d, NULL, error);
  return status ? status : force_settle_states(u->m, u->d, error);
}


static artStatus write_unit(hostUnit *u, int version, unsigned forms, artError *error)
{
  static const char *const names[] = {"unit.c", "unit.h", "unit_unit.c", NULL, "unit.xml"};
  const genOptions options = {.name = "unit", .forms = forms};
  FILE *file[5];
  for (int k = 0; k < 5; k++) {
    const char *standard = version == 2 ? "fmi2.h" : "fmi3.h";
    file[k] = folder_open(folder_own(), names[k] ? names[k] : standard, "w");
  }
  const emitFmu unit = {.version = version,
                        .has_exchange = 1,
                        .has_steps = 1,
                        .inputs = {-1, NULL},
                        .outputs = {-1, NULL},
                        .tool = "test",
                        .description = file[4],
                        .source = file[2]};
  simulatorForm form = {
      .kind = SIMULATOR_MACHINE, .header = file[1], .header_name = "unit.h", .unit = &unit};
  emit_unit_standard(file[3], version);
  const artStatus status =
      study_write_simulator(u->m, u->d, &u->study, &options, &form, file[0], error);
  for (int k = 0; k < 5; k++) fclose(file[k]);
  return status;
}


static int load_library(hostUnit *u, int version)
{
  static int count;
  char name[60];
  snprintf(name, sizeof name, "unit%d.so", count++); // loaders know libraries by their names
  if (!folder_run(folder_own(),
                  "%s -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC "
                  "-fvisibility=hidden -DFMI%d_OVERRIDE_FUNCTION_PREFIX unit_unit.c unit.c -o %s "
                  "-lm",
                  folder_compiler("unit.c"), version, name)) {
    return 0;
  }
  u->library = dlopen(folder_path(name), RTLD_NOW | RTLD_LOCAL);
  return CHECK(u->library);
}


static int load_functions(hostUnit *u)
{
#define HOST_FIND(type, function, arguments)                                                       \
  *(void **) (void *) &u->function = dlsym(u->library, #function);                                 \
  if (!CHECK(u->function)) return 0;
  FMI2_FUNCTIONS(HOST_FIND)
#undef HOST_FIND
  return 1;
}


// a text between quotation marks behind a key in the description
static int find_text(const char *key, int nth, char *text, size_t room)
{
  static char line[20000];
  FILE *file = folder_open(folder_own(), "unit.xml", "r");
  int found = 0;
  while (file && !found && fgets(line, sizeof line, file)) {
    const char *at = strstr(line, key);
    if (!at || nth-- > 0) continue;
    found = 1;
    at += strlen(key);
    snprintf(text, room, "%.*s", (int) strcspn(at, "\""), at);
  }
  if (file) fclose(file);
  return found;
}


// is the description as the standard wants it?
static void check_description(int version)
{
  if (system("command -v xmllint > /dev/null 2>&1") != 0) return;
  folder_run(folder_own(),
             "xmllint --noout --schema " ART_SOURCE_DIR "/test/fmi/fmi%d.xsd unit.xml", version);
}


int host_reference(const hostUnit *u, const char *name)
{
  char key[300], text[40];
  (void) u;
  snprintf(key, sizeof key, "name=\"%s\" valueReference=\"", name);
  return find_text(key, 0, text, sizeof text) ? atoi(text) : -1;
}


int host_first_output(const hostUnit *u)
{
  char key[80], text[40];
  for (int i = 1; i < 100000; i++) {
    snprintf(key, sizeof key, "valueReference=\"%d\" causality=\"outpu", i);
    if (find_text(key, 0, text, sizeof text)) return i;
  }
  (void) u;
  return -1;
}


int host_outputs(const hostUnit *u)
{
  char text[40];
  int n = 0;
  (void) u;
  while (find_text(" causality=\"outpu", n, text, sizeof text)) n++;
  return n;
}


static int open_unit(hostUnit *u, const char *path, int version, unsigned forms, artError *error)
{
  char text[40];
  close_unit(u);
  check_free_later(close_unit, u); // a second time does nothing
  u->call = (fmi2CallbackFunctions){
      .logger = logger, .allocateMemory = calloc, .freeMemory = free, .componentEnvironment = u};
  artStatus status = open_model(u, path, error);
  if (!status) status = write_unit(u, version, forms, error);
  if (status) return 0;
  check_description(version);
  if (!load_library(u, version) || (version == 2 && !load_functions(u))) return 0;
  CHECK(find_text(version == 2 ? "guid=\"" : "Token=\"", 0, u->token, sizeof u->token));
  while (find_text(" derivative=\"", u->nx, text, sizeof text)) u->nx++;
  if (version == 3) return 1;
  if (CHECK(find_text("numberOfEventIndicators=\"", 0, text, sizeof text))) {
    u->nindicator = atoi(text);
  }
  return 1;
}


int host_open(hostUnit *u, const char *path, artError *error)
{
  return open_unit(u, path, 2, GEN_ACCELERATE, error);
}


int host_open_version(hostUnit *u, const char *path, int version, artError *error)
{
  return open_unit(u, path, version, GEN_ACCELERATE | GEN_LINEAR, error);
}


fmi2Component host_instance(hostUnit *u, fmi2Type type)
{
  return u->fmi2Instantiate("own", type, u->token, "", &u->call, fmi2False, fmi2True);
}


fmi2Component host_begin(hostUnit *u, fmi2Type type, double t)
{
  fmi2Component c = host_instance(u, type);
  if (!CHECK(c)) return NULL;
  CHECK(u->fmi2SetupExperiment(c, fmi2True, 1e-10, t, fmi2False, 0) == fmi2OK);
  CHECK(u->fmi2EnterInitializationMode(c) == fmi2OK);
  CHECK(u->fmi2ExitInitializationMode(c) == fmi2OK);
  return c;
}
