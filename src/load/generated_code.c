// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Compiling, loading and calling generated code.
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/work.h"
#include "emit/emit.h"
#include "emit/task/parallel.h"
#include "load/cache.h"
#include "load/code.h"
#include "load/compiler.h"

// A library and its description, shared by copies.
typedef struct loadCommon {
  void *library;
  baseArena arena;
  atomic_int users;
} loadCommon;

struct artGenerated {
  loadCommon *common;
  const loadTable *table;
  double *parameters;
  void **constants; // [n] one block for each function
  loadHost host;
  loadCall *call;

  int n; // number of functions
  artFunctionInfo *function;
  artVectorInfo **input, **output; // [n]
  int nparameter;
  const char **parameter;
  int nshared;
  eqnShared *shared; // constants that share a parameter
  splitChoice split; // partition into parallel tasks; 0 tasks: not requested
  const loadTeam *teams;
  void *team;     // NULL: none
  int is_lost;    // 1: a worker has stalled
  int lanes;      // instances per call
  void **users;   // [lanes] `user` argument of host functions
  int accelerate; // index of `accelerate`, or -1
  int has_power;  // `accelerate` also writes the power
  baseArena arena;
};

//---- loading -------------------------------------------------------------------------------------

static artVectorInfo *describe_vectors(baseArena *arena, int n, const eqnVector *vector)
{
  artVectorInfo *all = arena_alloc(arena, (size_t) n, sizeof *all);
  for (int k = 0; all && k < n; k++) {
    all[k] = (artVectorInfo){arena_text(arena, vector[k].name), arena_text(arena, vector[k].what),
                             vector[k].n};
  }
  return all;
}


// copy the descriptions of the program, which may be freed first
static int describe_functions(artGenerated *g, const eqnProgram *program)
{
  baseArena *arena = &g->common->arena;
  g->n = program->nfunction;
  g->nparameter = program->parameter.n;
  g->nshared = program->nshared;
  ARENA_TAKE(arena, g->function, g->n);
  ARENA_TAKE(arena, g->input, g->n);
  ARENA_TAKE(arena, g->output, g->n);
  ARENA_TAKE(arena, g->parameter, g->nparameter);
  g->shared = arena_copy(arena, program->shared, (size_t) g->nshared, sizeof *g->shared);
  if (arena->has_run_out) return 0;
  g->accelerate = -1;
  for (int i = 0; i < g->n; i++) {
    const eqnFunction *f = &program->function[i];
    g->function[i] = (artFunctionInfo){arena_text(arena, f->name), arena_text(arena, f->what),
                                       f->ninput, f->noutput};
    g->input[i] = describe_vectors(arena, f->ninput, f->input);
    g->output[i] = describe_vectors(arena, f->noutput, f->output);
    if (f->kind != EQN_ACCELERATE) continue;
    g->accelerate = i;
    g->has_power = f->noutput > 1;
  }
  for (int i = 0; i < g->nparameter; i++) {
    g->parameter[i] = arena_text(arena, program->parameter.label[i]);
  }
  for (int i = 0; i < g->nshared; i++) {
    g->shared[i].label = arena_text(arena, program->shared[i].label);
  }
  return !arena->has_run_out;
}


// additional flags for tasks and lanes; compiler_best_lanes has checked that the CPU has vectors of
// this width
static const char *const *more_flags(const artGenerated *g)
{
  static const char *const of_tasks[] = {"-ffp-contract=off", "-pthread", NULL};
#if defined __x86_64__
  static const char *const four[] = {"-mavx2", "-mfma", NULL};
  static const char *const eight[] = {"-mavx2",     "-mfma",      "-mavx512f",
                                      "-mavx512dq", "-mavx512vl", NULL};
  const int best = g->lanes > 1 ? compiler_best_lanes() : 1;
  if (g->split.tasks == 0 && g->lanes == 8 && best == 8) return eight;
  if (g->split.tasks == 0 && g->lanes >= 4 && best >= 4) return four;
#endif
  return g->split.tasks > 0 ? of_tasks : NULL;
}


// Machines that differ only in parameter values have the same source, and one library in the cache.
static artStatus compile_generated_code(const artGenerated *g, const eqnProgram *program,
                                        char library[FILE_PATH_LENGTH], artError *error)
{
  cacheText text;
  artStatus status = cache_begin(&text, error);
  if (status != ART_OK) return status;
  text.more = more_flags(g);
  baseArena arena = {0};
  eqnProgram bare = *program;
  bare.title = bare.name;
  bare.source = "a model whose parameters are set when this is loaded";
  bare.value = arena_alloc(&arena, (size_t) program->parameter.n + 1, sizeof *bare.value);
  const emitOptions options = {.lanes = g->lanes > 1 ? g->lanes : 0};
  const emitParallel parallel = {EMIT_THREADS, g->split};
  const int has_tasks = g->split.tasks > 1;
  if (!bare.value) {
    status = base_no_memory(error);
  } else if (has_tasks) {
    status = emit_parallel(text.out, &bare, &parallel, &options, NULL, error);
  } else {
    status = emit_program(text.out, &bare, EMIT_C, &options, error);
  }
  if (status == ART_OK && !load_write_stub(text.out, &bare)) status = base_no_memory(error);
  if (status == ART_OK && has_tasks) load_write_team(text.out, &bare);
  arena_free(&arena);
  if (status == ART_OK) return cache_compile(&text, library, error);
  cache_abandon(&text);
  return status;
}


// The loader uses an internal lock that thread sanitizers cannot see.
static pthread_mutex_t loader = PTHREAD_MUTEX_INITIALIZER;


static void close_library(loadCommon *c)
{
  pthread_mutex_lock(&loader);
  if (c->library) dlclose(c->library);
  pthread_mutex_unlock(&loader);
  c->library = NULL;
}


static int open_generated_library(artGenerated *g, const char *path)
{
  pthread_mutex_lock(&loader);
  g->common->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  arithmetic_renew();
  pthread_mutex_unlock(&loader);
  if (g->common->library) g->table = dlsym(g->common->library, LOAD_TABLE_NAME);
  return g->table != NULL;
}


// a library that cannot be loaded (damaged, or of another system) is compiled once more
static artStatus open_program(artGenerated *g, const eqnProgram *program, artError *error)
{
  char path[FILE_PATH_LENGTH];
  for (int trial = 0; trial < 2; trial++) {
    const artStatus status = compile_generated_code(g, program, path, error);
    if (status != ART_OK) return status;
    if (open_generated_library(g, path)) return ART_OK;
    close_library(g->common);
    unlink(path);
  }
  const char *why = dlerror();
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "the compiled equations could not be loaded: %.600s",
                   why ? why : "the library has no table");
}


void load_prepare(artGenerated *g)
{
  for (int i = 0; i < g->n; i++) g->table->function[i].prepare(g->parameters, g->constants[i]);
}


// memory aligned to a cache line
static void *take_aligned(artGenerated *g, size_t size)
{
  enum { LINE = 64 };
  char *bytes = arena_alloc(&g->arena, size + LINE, 1);
  return bytes ? bytes + (LINE - (uintptr_t) bytes % LINE) % LINE : NULL;
}


static int take_generated_constants(artGenerated *g)
{
  const size_t n = (size_t) g->n;
  g->parameters = take_aligned(g, g->table->parameters);
  g->constants = arena_alloc(&g->arena, n, sizeof *g->constants);
  g->users = arena_alloc(&g->arena, (size_t) g->lanes, sizeof *g->users);
  if (!g->parameters || !g->constants || !g->users) return 0;
  for (int i = 0; i < g->lanes; i++) g->users[i] = &g->host;
  for (int i = 0; i < g->n; i++) {
    g->constants[i] = take_aligned(g, g->table->function[i].constants);
    if (!g->constants[i]) return 0;
  }
  return 1;
}


artStatus load_program(artGenerated **out, const artModel *m, const eqnProgram *program, int lanes,
                       const splitChoice *split, artError *error)
{
  ART_ASSERT(lanes >= 1);
  *out = NULL;
  artGenerated *g = MEM_ARRAY(artGenerated, 1);
  loadCommon *common = g ? MEM_ARRAY(loadCommon, 1) : NULL;
  if (!common) {
    mem_free(g);
    return base_no_memory(error);
  }
  common->users = 1;
  g->common = common;
  g->lanes = lanes;
  if (split) g->split = *split;
  artStatus status = describe_functions(g, program) ? ART_OK : base_no_memory(error);
  if (status == ART_OK) status = host_create(&g->call, m, program, error);
  if (status == ART_OK) status = open_program(g, program, error);
  if (status == ART_OK && !take_generated_constants(g)) status = base_no_memory(error);
  if (status != ART_OK) {
    art_free_generated(g);
    return status;
  }
  g->table->set(g->parameters);
  for (int lane = 0; lane < lanes; lane++) load_set_lane(g, lane, program->value);
  load_prepare(g);
  g->host = (loadHost){host_call, program->nexternal > 0 ? g->call : NULL};
  if (g->split.tasks > 1) g->teams = dlsym(common->library, LOAD_TEAM_NAME);
  if (g->teams) g->team = g->teams->start();
  *out = g;
  return ART_OK;
}


int load_has_team(const artGenerated *g)
{
  return g->team != NULL;
}


void load_drop_team(artGenerated *g)
{
  if (g->team) g->teams->stop(g->team);
  g->team = NULL;
}


int load_team_messages(const artGenerated *g)
{
  return g->team ? g->teams->messages : 0;
}


double load_time_message(artGenerated *g)
{
  return g->team ? g->teams->message(g->team) : 0;
}


int load_call_team(artGenerated *g, double *const *in, double *const *out)
{
  const int status =
      g->teams->call(g->team, g->parameters, g->constants[g->accelerate], in, out, &g->host);

  // a stalled worker may still use its memory and the library: leak both
  if (status == 2) {
    load_drop_team(g);
    g->is_lost = 1;
  }
  return status;
}


void load_set_lane(artGenerated *g, int lane, const double *value)
{
  ART_ASSERT(lane >= 0 && lane < g->lanes);
  for (int k = 0; k < g->nparameter; k++) g->parameters[k * g->lanes + lane] = value[k];
}


int load_call_lanes(artGenerated *g, int function, double *const *in, double *const *out)
{
  ART_ASSERT(function >= 0 && function < g->n);
  return g->table->function[function].call(g->parameters, g->constants[function], in, out,
                                           g->users);
}


int load_can_share(const artGenerated *g, const artModel *m)
{
  return g->lanes == 1 && g->split.tasks == 0 && host_is_of(g->call, m);
}


artStatus load_share(artGenerated **out, const artGenerated *of, artError *error)
{
  *out = NULL;
  artGenerated *g = MEM_ARRAY(artGenerated, 1);
  if (!g) return base_no_memory(error);
  *g = *of;
  g->arena = (baseArena){0};
  atomic_fetch_add(&g->common->users, 1);
  const artStatus status = host_copy(&g->call, of->call, error);
  if (status != ART_OK || !take_generated_constants(g)) {
    art_free_generated(g);
    return status ? status : base_no_memory(error);
  }
  memcpy(g->parameters, of->parameters, g->table->parameters);
  for (int i = 0; i < g->n; i++) {
    memcpy(g->constants[i], of->constants[i], g->table->function[i].constants);
  }
  g->host.context = of->host.context ? g->call : NULL;
  *out = g;
  return ART_OK;
}


// a stalled worker may still run code of the library
static void free_common(artGenerated *g)
{
  if (g->is_lost || atomic_fetch_sub(&g->common->users, 1) > 1) return;
  close_library(g->common);
  arena_free(&g->common->arena);
  mem_free(g->common);
}


void art_free_generated(artGenerated *g)
{
  if (!g) return;
  host_free(g->call);
  load_drop_team(g);
  free_common(g);
  arena_free(&g->arena);
  mem_free(g);
}

//---- queries -------------------------------------------------------------------------------------

int art_generated_count(const artGenerated *g)
{
  ART_REQUIRE_OR(g, 0);
  return g->n;
}


static int has_generated_function(const artGenerated *g, int function)
{
  return g && function >= 0 && function < g->n;
}


artFunctionInfo art_generated_function(const artGenerated *g, int function)
{
  ART_REQUIRE_OR(has_generated_function(g, function), (artFunctionInfo){0});
  return g->function[function];
}


artVectorInfo art_generated_input(const artGenerated *g, int function, int k)
{
  ART_REQUIRE_OR(has_generated_function(g, function), (artVectorInfo){0});
  ART_REQUIRE_OR(k >= 0 && k < g->function[function].ninput, (artVectorInfo){0});
  return g->input[function][k];
}


artVectorInfo art_generated_output(const artGenerated *g, int function, int k)
{
  ART_REQUIRE_OR(has_generated_function(g, function), (artVectorInfo){0});
  ART_REQUIRE_OR(k >= 0 && k < g->function[function].noutput, (artVectorInfo){0});
  return g->output[function][k];
}


int art_find_generated(const artGenerated *g, const char *name)
{
  ART_REQUIRE_OR(g && name, -1);
  for (int i = 0; i < g->n; i++) {
    if (strcmp(g->function[i].name, name) == 0) return i;
  }
  return -1;
}

//---- calls ---------------------------------------------------------------------------------------

artStatus load_call(artGenerated *g, int function, double *const *in, double *const *out,
                    artError *error)
{
  ART_ASSERT(function >= 0 && function < g->n);
  const int failed =
      g->table->function[function].call(g->parameters, g->constants[function], in, out, &g->host);
  const artStatus status = g->host.context ? host_take_status(g->call, error) : ART_OK;
  if (status != ART_OK || !failed) return status;
  if (failed == 2) {
    return base_fail(
        error, ART_SINGULAR, base_nowhere(),
        "the actuators do not reach all independent coordinates at the state that '%s' "
        "was given",
        g->function[function].name);
  }
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                   "the loops cannot be closed, or the contacts of wheels not be found, from the "
                   "state that '%s' was given",
                   g->function[function].name);
}


static int has_vectors(int n, const artVectorInfo *info, double *const *vector)
{
  for (int k = 0; k < n; k++) {
    if (!vector || (!vector[k] && info[k].n > 0)) return 0;
  }
  return 1;
}


artStatus art_generated_call(artGenerated *g, int function, double *const *in, double *const *out,
                             artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(has_generated_function(g, function), error);
  ART_REQUIRE(has_vectors(g->function[function].ninput, g->input[function], in), error);
  ART_REQUIRE(has_vectors(g->function[function].noutput, g->output[function], out), error);
  return load_call(g, function, in, out, error);
}


artStatus art_generated_accelerate(artGenerated *g, double t, double *q, double *v, double *a,
                                   double *power, artError *error)
{
  ARITHMETIC_GUARD;
  double unwanted;
  double *const in[3] = {&t, q, v}, *const out[2] = {a, power ? power : &unwanted};
  ART_REQUIRE(g, error);
  if (g->accelerate < 0 || (power && !g->has_power)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s was asked for, which is not among the forms that were generated",
                     g->accelerate < 0 ? "'accelerate'" : "the power");
  }
  return art_generated_call(g, g->accelerate, in, out, error);
}


static artStatus find_generated_parameter(const artGenerated *g, const char *name, int *k,
                                          artError *error)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (*k = 0; *k < g->nparameter; (*k)++) {
    if (strcmp(g->parameter[*k], name) == 0) return ART_OK;
    base_consider(&nearest, g->parameter[*k]);
  }
  for (int i = 0; i < g->nshared; i++) {
    if (strcmp(g->shared[i].label, name) != 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "'%.100s' is one parameter with '%s', the parameter of all that share it",
                     name, g->parameter[g->shared[i].parameter]);
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the generated equations have no parameter '%.100s'%s", name,
                   base_hint(&nearest, hint));
}


artStatus art_generated_parameter(const artGenerated *g, const char *name, double *value,
                                  artError *error)
{
  ARITHMETIC_GUARD;
  int k;
  ART_REQUIRE(g && name && value, error);
  const artStatus status = find_generated_parameter(g, name, &k, error);
  if (status == ART_OK) *value = g->parameters[k];
  return status;
}


artStatus art_set_generated_parameter(artGenerated *g, const char *name, double value,
                                      artError *error)
{
  ARITHMETIC_GUARD;
  int k;
  ART_REQUIRE(g && name, error);
  const artStatus status = find_generated_parameter(g, name, &k, error);
  if (status != ART_OK) return status;
  if (!isfinite(value)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "'%.100s' is set to %g, a finite number is wanted", name, value);
  }
  g->parameters[k] = value;
  load_prepare(g);
  return ART_OK;
}
