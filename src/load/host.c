// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Calls from generated code to forces and constraints of the host program and to roads of the
// model: arguments are converted to a state, and forces applied by the host to results.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/arithmetic.h"
#include "base/format.h"
#include "base/memory.h"
#include "data/work.h"
#include "gen/gen.h"
#include "load/code.h"

// host function of an external function
typedef struct hostTarget {
  const modelElement *force;       // or NULL
  const modelRelation *constraint; // or NULL
  const artRoad *road;             // or NULL
  const modelFunction *function;   // of the user, or NULL
  int is_bias;                     // of the constraint
  int derivative_of;               // index of another external function, or -1
  int narg, n;                     // numbers of arguments and results
} hostTarget;

struct loadCall {
  const artModel *m;
  artData *d; // private state for forces of the host; NULL if there are none
  int n;
  hostTarget *target;
  double *moved, *result[2]; // arguments and results of finite differences
  int narg, nresult;         // largest of all functions
  artError complaint;
  baseArena arena;
};

//---- creation ------------------------------------------------------------------------------------

static hostTarget find_target(const artModel *m, const eqnExternal *external, int derivative_of)
{
  ART_ASSERT(external->narg >= 0 && external->n > 0);
  hostTarget target = {.narg = external->narg, .n = external->n, .derivative_of = derivative_of};
  if (derivative_of >= 0) return target;
  const size_t length = strlen(external->name);
  for (int i = 0; i < m->nroad && external->narg == 2; i++) {
    char name[32];
    format_text(name, sizeof name, GEN_ROAD_NAME, i);
    if (strcmp(name, external->name) == 0) target.road = m->road[i];
  }
  for (int i = 0; i < m->nfunction; i++) {
    if (strcmp(m->function[i].name, external->name) == 0) target.function = &m->function[i];
  }
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (e->kind == ELEMENT_callback && strcmp(e->name, external->name) == 0) target.force = e;
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    const size_t own = strlen(r->name);
    if (!r->user.value || r->call.function || strncmp(r->name, external->name, own) != 0) continue;
    if (own == length && external->narg == r->n) target.constraint = r;
    if (strcmp(external->name + own, "_bias") == 0) {
      target.constraint = r;
      target.is_bias = 1;
    }
  }
  return target;
}


// allocate buffers for differences, and the state if the host has forces
static int take_host_room(loadCall *host)
{
  int has_forces = 0;
  for (int i = 0; i < host->n; i++) has_forces = has_forces || host->target[i].force;
  host->moved = arena_alloc(&host->arena, (size_t) host->narg, sizeof(double));
  for (int k = 0; k < 2; k++) {
    host->result[k] = arena_alloc(&host->arena, (size_t) host->nresult, sizeof(double));
  }
  if (has_forces && !(host->d = art_create_data(host->m))) return 0;
  return host->moved && host->result[0] && host->result[1];
}


artStatus host_create(loadCall **out, const artModel *m, const eqnProgram *program, artError *error)
{
  *out = NULL;
  loadCall *host = MEM_ARRAY(loadCall, 1);
  if (!host) return base_no_memory(error);
  host->m = m;
  host->n = program->nexternal;
  host->target = arena_alloc(&host->arena, (size_t) host->n, sizeof *host->target);
  for (int i = 0; i < host->n && host->target; i++) {
    const eqnExternal *x = &program->external[i];
    host->target[i] = find_target(m, x, program->pool->external[i].derivative_of);
    host->narg = x->narg > host->narg ? x->narg : host->narg;
    host->nresult = x->n > host->nresult ? x->n : host->nresult;
  }
  if (!host->target || !take_host_room(host)) {
    host_free(host);
    return base_no_memory(error);
  }
  *out = host;
  return ART_OK;
}


artStatus host_copy(loadCall **out, const loadCall *of, artError *error)
{
  *out = NULL;
  loadCall *host = MEM_ARRAY(loadCall, 1);
  if (!host) return base_no_memory(error);
  *host = (loadCall){.m = of->m, .n = of->n, .narg = of->narg, .nresult = of->nresult};
  host->target = arena_copy(&host->arena, of->target, (size_t) of->n, sizeof *of->target);
  if (!host->target || !take_host_room(host)) {
    host_free(host);
    return base_no_memory(error);
  }
  *out = host;
  return ART_OK;
}


int host_is_of(const loadCall *host, const artModel *m)
{
  return host->m == m;
}


void host_free(loadCall *host)
{
  if (!host) return;
  art_free_data(host->d);
  arena_free(&host->arena);
  mem_free(host);
}

//---- calls ---------------------------------------------------------------------------------------

// arguments t, q, v; results: joint forces, then moment and force on each link at its origin, in
// link axes
static artStatus call_force(loadCall *host, const modelElement *e, const double *x, double *result)
{
  const artModel *m = host->m;
  artData *d = host->d;
  artWorkspace *w = d->work;
  const size_t nq = (size_t) m->tree.nq, nv = (size_t) m->tree.nv;
  d->time = x[0];
  memcpy(d->q, x + 1, nq * sizeof *x);
  memcpy(d->v, x + 1 + nq, nv * sizeof *x);
  art_update(m, d);
  memset(d->force, 0, nv * sizeof *d->force);
  memset(w->applied, 0, (size_t) m->tree.n * sizeof *w->applied);
  if (!e->callback.apply) return model_no_law(e, &host->complaint);
  const artStatus status = e->callback.apply(e->callback.context, m, d);
  arithmetic_renew();
  memcpy(result, d->force, nv * sizeof *result);
  for (int i = 1; i < m->tree.n; i++) {
    const wrench f = w->applied[i];
    memcpy(result + nv + 6 * (i - 1),
           (const double[]){f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z},
           6 * sizeof *result);
  }
  return status;
}


// a function with several callers cannot name the present one in its message
static artStatus call_function(loadCall *host, const modelFunction *f, const double *x,
                               double *result)
{
  const functionCaller one = {f->what, f->user, f->place, NAN},
                       several = {"a caller of", f->name, base_nowhere(), NAN};
  artError complaint = {0};
  const artStatus status =
      model_call_function(f, f->nuse == 1 ? &one : &several, x, result, &complaint);
  if (status != ART_OK && host->complaint.status == ART_OK) host->complaint = complaint;
  return status;
}


// The host provides no derivatives: use finite differences of fourth order,
//   f' = (8 (f(x + h) - f(x - h)) - (f(x + 2h) - f(x - 2h))) / 12 h
static void differentiate_host_call(loadCall *host, const hostTarget *target, const double *x,
                                    double *result)
{
  ART_ASSERT(target->derivative_of >= 0 && target->derivative_of < host->n);
  const int n = host->target[target->derivative_of].n, narg = target->narg;
  for (int k = 0; k < narg; k++) {
    const double h = 1e-3 * fmax(1, fabs(x[k]));
    for (int i = 0; i < n; i++) result[i * narg + k] = 0;
    for (int step = 1; step <= 2; step++) {
      for (int side = 0; side < 2; side++) {
        memcpy(host->moved, x, (size_t) narg * sizeof *x);
        host->moved[k] += (side ? -step : step) * h;
        host_call(host, target->derivative_of, host->moved, host->result[side]);
      }
      const double weight = (step == 1 ? 8 : -1) / (12 * h);
      for (int i = 0; i < n; i++) {
        result[i * narg + k] += weight * (host->result[0][i] - host->result[1][i]);
      }
    }
  }
}


void host_call(void *context, int external, const double *arguments, double *result)
{
  ART_ASSERT(external >= 0 && external < ((const loadCall *) context)->n);
  loadCall *host = context;
  const hostTarget *target = &host->target[external];
  if (target->derivative_of >= 0) {
    differentiate_host_call(host, target, arguments, result);
    return;
  }
  artStatus status = ART_UNSUPPORTED;
  const char *name = "?";
  if (target->force) {
    name = target->force->name;
    status = call_force(host, target->force, arguments, result);
  } else if (target->constraint) {
    const modelRelation *r = target->constraint;
    name = r->name;
    status = target->is_bias ? r->user.bias(r->user.context, arguments, arguments + r->n, result)
                             : r->user.value(r->user.context, arguments, result, result + 1);
    arithmetic_renew();
  } else if (target->road) {
    // x, y -> z, gradient, second derivatives
    artRoadPoint point;
    art_evaluate_road(target->road, arguments[0], arguments[1], &point);
    result[0] = point.z;
    memcpy(result + 1, point.gradient, sizeof point.gradient);
    memcpy(result + 3, point.second, sizeof point.second);
    status = ART_OK;
  } else if (target->function) {
    status = call_function(host, target->function, arguments, result);
  }
  if (status == ART_OK) return;
  for (int i = 0; i < target->n; i++) result[i] = NAN;
  if (host->complaint.status != ART_OK) return;
  base_fail(&host->complaint, status, base_nowhere(), "'%.200s' failed: %s", name,
            art_status_text(status));
}


artStatus host_take_status(loadCall *host, artError *error)
{
  const artStatus status = host->complaint.status;
  if (status != ART_OK && error) *error = host->complaint;
  host->complaint.status = ART_OK;
  return status;
}
