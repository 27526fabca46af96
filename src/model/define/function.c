// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the user: named by constraints and forces, attached by the host or from a shared object,
// called at work.
#define _GNU_SOURCE // dlinfo, dladdr1: which object a symbol is in
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/ascii.h"
#include "base/format.h"
#include "base/hash.h"
#include "model/define/study_def.h"
#include "model/model.h"

//---- naming --------------------------------------------------------------------------------------

void model_take_functions(artModel *m, const artBuilder *b)
{
  // a constraint has two, and so has a tyre on a road that is one
  const size_t most = 2 * ((size_t) b->elements.count + (size_t) b->constraints.count);
  m->function = arena_alloc(&m->arena, most, sizeof *m->function);
}


static modelFunction *find_function(const artModel *m, const char *name)
{
  for (int i = 0; i < m->nfunction; i++) {
    if (strcmp(m->function[i].name, name) == 0) return &m->function[i];
  }
  return NULL;
}


// one function serves several elements that call it alike
static void check_alike(const modelFunction *f, const artCallDef *def, const functionUse *use)
{
  static const char *const words[FUNCTION_KINDS] = {"the force of a link",
                                                    "a joint force",
                                                    "the force on a point",
                                                    "a tyre",
                                                    "a constraint's value",
                                                    "a constraint's bias",
                                                    "a road"};
  if (f->kind != use->kind) {
    error_refuse(use->place, "%s '%s' calls '%s' as %s, but %s '%s' calls it as %s", use->what,
                 use->user, f->name, words[use->kind], f->what, f->user, words[f->kind]);
  }
  const int nargument = def->arguments.count;
  if (f->nparameter == def->n && f->ninput == use->ninput && f->nargument == nargument) return;
  if (f->nargument != nargument) {
    error_refuse(use->place, "%s '%s' calls '%s' with %d arguments, but %s '%s' with %d", use->what,
                 use->user, f->name, nargument, f->what, f->user, f->nargument);
  }
  error_refuse(use->place,
               "%s '%s' calls '%s' with %d inputs and %d parameters, but %s '%s' with %d and %d",
               use->what, use->user, f->name, use->ninput, def->n, f->what, f->user, f->ninput,
               f->nparameter);
}


void model_take_call(artModel *m, modelCall *out, const artCallDef *def, const functionUse *use)
{
  modelFunction *f = find_function(m, def->name);
  if (f) {
    check_alike(f, def, use);
  } else {
    f = &m->function[m->nfunction++];
    *f = (modelFunction){.name = arena_text(&m->arena, def->name),
                         .kind = use->kind,
                         .ninput = use->ninput,
                         .n = use->n,
                         .nparameter = def->n,
                         .nargument = def->arguments.count,
                         .what = use->what,
                         .user = use->user,
                         .place = use->place};
  }
  f->nuse++;
  out->function = f;
  out->parameter = arena_copy(&m->arena, def->parameter, (size_t) def->n, sizeof(double));
}


unsigned long long model_mix_call(unsigned long long hash, const modelCall *call)
{
  const modelFunction *f = call->function;
  if (!f) return hash;
  hash = base_hash(hash, f->name, strlen(f->name) + 1);
  return base_hash(hash, call->parameter, (size_t) f->nparameter * sizeof(double));
}


//---- attaching -----------------------------------------------------------------------------------

artStatus art_attach_function(artModel *m, const char *name, artFunction *function, void *context,
                              artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && name && function, error);
  modelFunction *f = find_function(m, name);
  if (!f) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int i = 0; i < m->nfunction; i++) base_consider(&nearest, m->function[i].name);
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the model calls no function '%.60s'%s",
                     name, base_hint(&nearest, hint));
  }
  f->code = function;
  f->context = context;
  return ART_OK;
}


// a function of a library; the context holds it
static artStatus call_library(void *context, const double *x, double *y)
{
  const modelFunction *f = context;
  if (f->in_c) {
    f->in_c(x, y, NULL);
  } else {
    f->in_fortran(x, y);
  }
  return ART_OK;
}


// dlsym also looks into the libraries that a library needs: a model must not reach system() of the C library, and
// no data
static void *find_own(void *library, const char *symbol)
{
  struct link_map *own = NULL, *of = NULL;
  const ElfW(Sym) *entry = NULL;
  Dl_info info;
  void *found = dlsym(library, symbol);
  if (!found || dlinfo(library, RTLD_DI_LINKMAP, &own) != 0) return NULL;
  if (!dladdr1(found, &info, (void **) &of, RTLD_DL_LINKMAP) || of != own) return NULL;
  if (!dladdr1(found, &info, (void **) &entry, RTLD_DL_SYMENT) || !entry) return NULL;
  const int type = ELF64_ST_TYPE(entry->st_info); // 32 and 64 bits have the same
  return type == STT_FUNC || type == STT_GNU_IFUNC ? found : NULL;
}


static int attach_from(void *library, modelFunction *f)
{
  char symbol[MODEL_NAME_LENGTH + 8];
  void *found = NULL;
  int k = 0;
  for (; k < 4 && !found; k++) {
    // Fortran writes names in small letters, and an underscore after
    const int is_fortran = k % 2;
    snprintf(symbol, sizeof symbol, "%s%s%s", k < 2 ? "" : "user_", f->name, is_fortran ? "_" : "");
    for (char *c = symbol; is_fortran && *c; c++) *c = (char) ascii_lower((unsigned char) *c);
    found = find_own(library, symbol);
  }
  if (!found) return 0;

  // POSIX: an address of data is one of code
  const int is_fortran = (k - 1) % 2;
  memcpy(is_fortran ? (void *) &f->in_fortran : (void *) &f->in_c, &found, sizeof found);
  f->code = call_library;
  f->context = f;
  return 1;
}


// the names that a library should have had
static artStatus nothing_found(const artModel *m, const char *path, artError *error)
{
  char list[300] = "";
  for (int i = 0; i < m->nfunction; i++) {
    if (m->function[i].code) continue;
    base_append(list, sizeof list, "%s%s", list[0] ? ", " : "", m->function[i].name);
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   list[0]
                       ? "the library '%.200s' has none of the functions that the model lacks: %s"
                       : "the library '%.200s' is not needed: the model lacks no function%s",
                   path, list);
}


artStatus art_attach_library(artModel *m, const char *path, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && path, error);
  // without a slash the loader would look elsewhere
  const char *place = strchr(path, '/') ? path : arena_format(&m->attached, "./%s", path);
  if (!place) return base_no_memory(error);
  void *library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
  arithmetic_renew();
  if (!library) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the library '%.200s' cannot be loaded: %.400s", path, dlerror());
  }
  int found = 0;
  for (int i = 0; i < m->nfunction; i++) {
    if (!m->function[i].code) found += attach_from(library, &m->function[i]);
  }
  if (found == 0) {
    dlclose(library);
    return nothing_found(m, path, error);
  }
  const size_t n = (size_t) m->nlibrary;
  void **all = arena_alloc(&m->attached, n + 1, sizeof *all);
  if (!all) {
    dlclose(library);
    return base_no_memory(error);
  }
  if (n > 0) memcpy(all, m->library, n * sizeof *all);
  all[n] = library;
  m->library = all;
  m->nlibrary++;
  return ART_OK;
}


void model_close_libraries(artModel *m)
{
  for (int i = 0; i < m->nlibrary; i++) dlclose(m->library[i]);
}


static artStatus no_code(const modelFunction *f, const char *what, const char *name, artPlace place,
                         artError *error)
{
  return base_fail(error, ART_BAD_INPUT, place,
                   "%s '%s' calls the function '%s', which no library has given; name a shared "
                   "object that has it: --functions LIB, or art_attach_library from C",
                   what, name, f->name);
}


artStatus art_check_functions(const artModel *m, artError *error)
{
  ART_REQUIRE(m, error);
  for (int i = 0; i < m->nfunction; i++) {
    const modelFunction *f = &m->function[i];
    if (!f->code) return no_code(f, f->what, f->user, f->place, error);
  }
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (e->kind == ELEMENT_callback && !e->callback.apply) return model_no_law(e, error);
  }
  return ART_OK;
}


//---- at work -------------------------------------------------------------------------------------

artStatus model_call_function(const modelFunction *f, const functionCaller *caller, const double *x,
                              double *y, artError *error)
{
  if (!f->code) return no_code(f, caller->what, caller->name, caller->place, error);
  const artStatus status = f->code(f->context, x, y);
  arithmetic_renew();
  if (status != ART_OK) {
    return base_fail(error, status, caller->place, "%s '%s' failed: its function '%s' says %s",
                     caller->what, caller->name, f->name, art_status_text(status));
  }
  for (int i = 0; i < f->n; i++) {
    if (isfinite(y[i])) continue;
    char time[40] = "", inputs[120] = "";
    if (isfinite(caller->time)) format_text(time, sizeof time, " at t = %.9g s", caller->time);
    for (int k = 0; k < f->ninput && k < 3; k++) {
      base_append(inputs, sizeof inputs, "%s%.6g", k ? ", " : "", x[k]);
    }
    return base_fail(
        error, ART_SINGULAR, caller->place,
        "%s '%s' has no value: result %d of its function '%s' is %g%s, with the inputs "
        "%s%s",
        caller->what, caller->name, i + 1, f->name, y[i], time, inputs,
        f->ninput > 3 ? ", ..." : "");
  }
  return ART_OK;
}


artStatus model_call(const modelCall *call, const functionCaller *caller, double *x, double *y,
                     artError *error)
{
  const modelFunction *f = call->function;
  if (f->nparameter > 0) {
    memcpy(x + f->ninput, call->parameter, (size_t) f->nparameter * sizeof *x);
  }
  return model_call_function(f, caller, x, y, error);
}


artStatus model_call_relation(const modelRelation *r, const modelCall *call, double t, double *x,
                              double *y, artError *error)
{
  const functionCaller caller = {"constraint", r->name, r->place, t};
  return model_call(call, &caller, x, y, error);
}
