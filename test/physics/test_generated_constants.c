// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constants of generated equations: with another value of every one that is offered they are the machine that has it, for all
// models; and none is offered that nothing reads.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "base/pool.h"
#include "model/model.h"
#include "model/parameter/live.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/programs.h"

// of accelerations and outputs, relative to the largest of them; linear systems of loops lose some digits
#define LIMIT 1e-9

static struct {
  int models, bodies, others, orientations, unclosed, idle;
  double worst;
} seen;

CHECK_KEEPER(keep_pool, memPool, pool_free)

typedef struct walk {
  const char *path;
  artModel *m;
  const eqnProgram *program;
  const eqnList *accelerate, *outputs;
  double *parameter; // as they are in the edited machine
  unsigned char *is_edited;
} walk;

//---- evaluation ----------------------------------------------------------------------------------

// the first result of a function at the data's state; positions and velocities that it has found go into `closed`, if not NULL
static int evaluate(const eqnList *list, const artData *d, const double *parameter, double *y,
                    artData *closed)
{
  const eqnFunction *f = list->function;
  double *in[12] = {NULL}, *out[12] = {NULL};
  if (!CHECK(f->ninput <= 12 && f->noutput <= 12)) return 0;
  for (int k = 0; k < f->ninput; k++) {
    const char *name = f->input[k].name;
    const double *from = strcmp(name, "t") == 0       ? &d->time
                         : strcmp(name, "q") == 0     ? d->q
                         : strcmp(name, "v") == 0     ? d->v
                         : strcmp(name, "state") == 0 ? d->s
                         : strcmp(name, "u") == 0     ? d->u
                                                      : NULL;
    in[k] = keep_numbers(f->input[k].n);
    if (from) memcpy(in[k], from, (size_t) f->input[k].n * sizeof(double));
  }
  for (int k = 0; k < f->noutput; k++) out[k] = keep_numbers(f->output[k].n);
  if (eqn_evaluate(list, parameter, in, out, NULL, NULL)) return 0;
  for (int k = 0; k < f->ninput && closed; k++) {
    const char *name = f->input[k].name;
    double *to = strcmp(name, "q") == 0 ? closed->q : strcmp(name, "v") == 0 ? closed->v : NULL;
    if (to) memcpy(to, in[k], (size_t) f->input[k].n * sizeof(double));
  }
  memcpy(y, out[0], (size_t) f->output[0].n * sizeof *y);
  return 1;
}


static double apart(int n, const double *a, const double *b)
{
  const double size = check_larger(1, check_largest(n, b));
  double most = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    const double off = fabs(a[i] - b[i]) / size;
    most = off <= most ? most : off;
  }
  return most;
}


// How far the equations are off the edited machine, NAN: they cannot be evaluated; UNCLOSED: the loops of such a machine cannot
// be closed.
#define UNCLOSED (-1.0)

static double difference(const walk *w, const artModel *m)
{
  const artCounts n = art_count(m);
  artData *d = keep_data(art_create_data(m));
  double *y = keep_numbers(n.nv + n.outputs), *x = keep_numbers(n.outputs);
  const artMethod method = m->nrow > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N;
  art_update(m, d);
  if (m->nrow > 0 && art_assemble(m, d, NULL, NULL) != ART_OK) return UNCLOSED;
  if (!evaluate(w->accelerate, d, w->parameter, y, d)) return NAN;
  art_update(m, d);
  if (art_accelerate(m, d, method, &check_error) != ART_OK) return NAN;
  const double off = apart(n.nv, y, d->a);
  if (!w->outputs) return off;
  if (!evaluate(w->outputs, d, w->parameter, y, NULL)) return NAN;
  art_outputs(m, d, x);
  const double further = apart(n.outputs, y, x);
  return further <= off ? off : further;
}


//---- numbers of bodies ---------------------------------------------------------------------------

// a factor that differs from one constant to the next
static double other_value(double x, int k)
{
  const double part = 0.01 * (1 + fmod(0.6180339887498949 * (k + 1), 1));
  return x == 0 ? 0.1 * part : x * (1 + part);
}


static bodyRecord *body_record(const artModel *m, const char *name, size_t length)
{
  for (int i = 0; i < m->records->bodies.count; i++) {
    bodyRecord *record = (void *) RECORD(m->records->bodies, bodyRecord, i);
    if (strlen(record->def.name) == length && strncmp(record->def.name, name, length) == 0) {
      return record;
    }
  }
  return NULL;
}


static int has_live_solid(const artModel *m, const artBodyDef *def)
{
  const double *from = (const double *) (const void *) def->solid;
  const double *to = (const double *) (const void *) (def->solid + def->nsolid);
  int is_live = model_live(m, &def->mass) != NULL;
  for (const double *x = from; x < to; x++) is_live |= model_live(m, x) != NULL;
  return is_live;
}


// solids as what they weigh, but those that parameters give
static void weigh(const artModel *m, artBodyDef *def)
{
  const int body = art_find_body(m, def->name);
  if (def->nsolid == 0 || body < 0 || has_live_solid(m, def)) return;
  def->nsolid = 0;
  def->mass = m->body[body].mass;
  memcpy(def->com, m->body[body].com, sizeof def->com);
  memcpy(def->inertia, m->body[body].inertia, sizeof def->inertia);
}


// density or mass of a solid, "lever.solid_5.density"; of the only one, "lever.solid.density"
static int edit_solid(artModel *m, const char *name, const char *solid, double value)
{
  bodyRecord *record = body_record(m, name, (size_t) (solid - name));
  const char *number = solid + strlen(".solid");
  const int i = *number == '_' ? atoi(number + 1) - 1 : 0;
  if (!record || i < 0 || i >= record->def.nsolid) return 0;
  artSolidDef *own = (artSolidDef *) (uintptr_t) &record->def.solid[i];
  *(strstr(number, ".density") ? &own->density : &own->mass) = value;
  return 1;
}


// Set one number, "rocker.mass", "rocker.com.x", "rocker.inertia.xx", in the definitions; a bar stays a bar.
static int edit_number(artModel *m, const char *name, double value)
{
  static const char *const component[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  const char *dot = strrchr(name, '.'), *solid = strstr(name, ".solid");
  if (solid) return edit_solid(m, name, solid, value);
  if (strcmp(dot, ".mass") == 0) {
    bodyRecord *record = body_record(m, name, (size_t) (dot - name));
    if (record) {
      weigh(m, &record->def);
      for (int k = 0; k < 6 && art_find_body(m, record->def.name) < 0; k++) {
        record->def.inertia[k] *= value / record->def.mass;
      }
      record->def.mass = value;
      return 1;
    }
    for (int j = 0; j < m->records->joints.count; j++) {
      jointRecord *joint = (void *) RECORD(m->records->joints, jointRecord, j);
      if (strlen(joint->def.name) != (size_t) (dot - name)) continue;
      if (strncmp(joint->def.name, name, (size_t) (dot - name)) != 0) continue;
      joint->def.mass = value;
      return 1;
    }
    return 0;
  }
  const char *before = dot - 1;
  while (*before != '.') before--;
  bodyRecord *record = body_record(m, name, (size_t) (before - name));
  if (!record) return 0;
  weigh(m, &record->def);
  if (strncmp(before, ".com.", 5) == 0) record->def.com[dot[1] - 'x'] = value;
  for (int k = 0; k < 6 && strncmp(before, ".inertia.", 9) == 0; k++) {
    if (strcmp(dot + 1, component[k]) == 0) record->def.inertia[k] = value;
  }
  return 1;
}


// "a.inertia.xx, a.inertia.zz [kg m^2]" is two numbers
static int edit_parameter(walk *w, int k)
{
  char words[400];
  const char *remark = w->program->remark[k], *end = strchr(remark, '[');
  int is_done = 1;
  w->parameter[k] = other_value(w->program->value[k], k);
  w->is_edited[k] = 1;
  snprintf(words, sizeof words, "%.*s", (int) (end - remark - 1), remark);
  for (char *word = strtok(words, ", "); word; word = strtok(NULL, ", ")) {
    is_done &= edit_number(w->m, word, w->parameter[k]);
  }
  return is_done;
}


// The machine whose records have been edited, in a pool that goes with the model.
static artModel *compile_edited(walk *w, memPool *pool)
{
  artModel *other = NULL;
  for (int i = 0; i < w->m->records->bodies.count; i++) {
    ((bodyRecord *) (void *) RECORD(w->m->records->bodies, bodyRecord, i))->def.unchecked = 1;
  }
  artBuilder records = *w->m->records;
  records.programs = records.checks = (recordList){0}; // noted as they are compiled
  memPool *before = pool_use(pool);
  if (art_compile_model(&other, &records, &check_error) != ART_OK) other = NULL;
  pool_use(before);
  return other;
}


// whether the equations are the machine; a single constant may be one that its loops do not bear
static int passes(double off, int n)
{
  if (off == UNCLOSED && n == 1) seen.unclosed++;
  if (!(off >= 0 && off < LIMIT)) return off == UNCLOSED && n == 1;
  seen.worst = off <= seen.worst ? seen.worst : off;
  return 1;
}


static void start_edit(walk *w)
{
  memcpy(w->parameter, w->program->value, (size_t) w->program->parameter.n * sizeof(double));
  memset(w->is_edited, 0, (size_t) w->program->parameter.n);
}


// Numbers from .. to of bodies: all together, then one by one where something is wrong.
static void check_bodies(walk *w, int from, int to)
{
  w->m = keep_file(w->path);
  memPool *pool = keep_pool(pool_create());
  start_edit(w);
  for (int k = from; k < to; k++) {
    if (!CHECK(edit_parameter(w, k))) printf("%s: %s\n", w->path, w->program->parameter.label[k]);
  }
  const artModel *other = compile_edited(w, pool);
  const double off = other ? difference(w, other) : NAN;
  if (passes(off, to - from)) return;
  if (to - from > 1) {
    check_bodies(w, from, (from + to) / 2);
    check_bodies(w, (from + to) / 2, to);
    return;
  }
  CHECK(off < LIMIT);
  printf("%s: %s is off by %g\n", w->path, w->program->parameter.label[from], off);
}


//---- other constants -----------------------------------------------------------------------------

// the number of the compiled model that a constant of links, frames, cuts or gravity is, NULL: an entry of an orientation
static double *tree_number(artModel *m, const char *name, int i)
{
  static const char *const axis = "xyz";
  const char *end = strchr(axis, name[strlen(name) - 1]);
  const int k = end ? (int) (end - axis) : 0;
  double *gravity = (double *) &m->tree.gravity;
  if (strcmp(name, "rotor") == 0) return &m->tree.link[i].rotor;
  if (strcmp(name, "pitch") == 0) return &m->tree.link[i].pitch;
  if (strcmp(name, "rod_length") == 0) return &m->cut[i].length;
  if (strcmp(name, "cut_pitch") == 0) return &m->cut[i].pitch;
  if (strncmp(name, "point_", 6) == 0) return (double *) &m->frame[i].r + k;
  if (strlen(name) == 2 && name[0] == 'p') return (double *) &m->tree.link[i].p + k;
  if (strlen(name) == 2 && name[0] == 'g') return gravity + k;
  if (strlen(name) == 6 && strncmp(name, "from_", 5) == 0)
    return (double *) &m->cut[i].side[0].r + k;
  if (strlen(name) == 4 && strncmp(name, "to_", 3) == 0) return (double *) &m->cut[i].side[1].r + k;
  return NULL;
}


static int is_orientation(const char *name)
{
  return strchr(name, 'R') != NULL || strncmp(name, "axis2_", 6) == 0;
}


static double *number_of(walk *w, int k)
{
  const eqnProgram *p = w->program;
  const exprNode *symbol = &p->pool->nodes[p->parameter.node[k]];
  if (p->at[k]) return (double *) (uintptr_t) p->at[k];
  return tree_number(w->m, symbol->name, symbol->index);
}


// Several constants may be one number of the model, as of wheels with the same tyre.
static void check_others(walk *w, int from, int to)
{
  const eqnProgram *p = w->program;
  start_edit(w);
  for (int k = from; k < to; k++) {
    const exprNode *symbol = &p->pool->nodes[p->parameter.node[k]];
    double *number = number_of(w, k);
    if (is_orientation(symbol->name) || w->is_edited[k]) continue;
    if (!CHECK(number)) {
      printf("%s: %s is unknown to this test\n", w->path, p->parameter.label[k]);
      continue;
    }
    const double value = other_value(p->value[k], k), before = *number;
    *number = value;
    for (int j = p->nuser; j < p->parameter.n; j++) {
      if (number_of(w, j) != number || p->value[j] != before) continue;
      w->parameter[j] = value;
      w->is_edited[j] = 1;
    }
  }
  const double off = difference(w, w->m);
  for (int k = p->nuser; k < p->parameter.n; k++) {
    double *number = w->is_edited[k] ? number_of(w, k) : NULL;
    if (number) *number = p->value[k];
  }
  if (passes(off, to - from)) return;
  if (to - from > 1) {
    check_others(w, from, (from + to) / 2);
    check_others(w, (from + to) / 2, to);
    return;
  }
  CHECK(off < LIMIT);
  printf("%s: %s is off by %g\n", w->path, p->parameter.label[from], off);
}


//---- constants that nothing reads ----------------------------------------------------------------

static int is_read_by(const eqnList *list, int k)
{
  unsigned char *is_meant = calloc((size_t) list->program->parameter.n + 1, 1);
  unsigned char *follows = calloc((size_t) list->pool->count + 1, 1);
  int is_read = 0;
  is_meant[k] = 1;
  eqn_mark_followers(list, is_meant, follows);
  for (int i = 0; i < list->n; i++) is_read |= follows[list->equation[i].node];
  const eqnFunction *f = list->function;
  for (int v = 0; v < f->noutput; v++) {
    for (int i = 0; i < f->output[v].n; i++) is_read |= follows[f->output[v].node[i]];
  }
  free(is_meant);
  free(follows);
  return is_read;
}


static void check_read(const walk *w)
{
  const eqnProgram *p = w->program;
  for (int k = 0; k < p->parameter.n; k++) {
    int is_read = 0;
    for (int i = 0; i < p->nfunction && !is_read; i++) {
      const eqnFunction *f = &p->function[i];
      const int is_known = f == gen_function(p, "accelerate") || f == gen_function(p, "outputs");
      const eqnList *list = !is_known                         ? keep_function(p, f->name, NULL)
                            : strcmp(f->name, "outputs") == 0 ? w->outputs
                                                              : w->accelerate;
      is_read = is_read_by(list, k);
    }
    if (is_read) continue;
    seen.idle++;
    printf("%s: %s cancels\n", w->path, p->parameter.label[k]);
  }
}

//---- units ---------------------------------------------------------------------------------------

// numbers that functions of the user take may have any unit
static void check_units(const walk *w)
{
  const eqnProgram *p = w->program;
  for (int k = p->nmodel; k < p->parameter.n; k++) {
    const char *name = p->user[k].name;
    if (strstr(name, ".parameter.") || CHECK(p->user[k].unit[0])) continue;
    printf("%s: %s has no unit\n", w->path, name);
  }
}

//---- all models ----------------------------------------------------------------------------------

static eqnProgram *program_of(const artModel *m, artData *d)
{
  eqnProgram *p = NULL;
  genOptions options = {.forms = GEN_ACCELERATE | GEN_OUTPUTS};
  if (m->nrow > 0 && art_assemble(m, d, NULL, NULL) != ART_OK) return NULL;
  if (gen_create(&p, m, d, &options, NULL) != ART_OK) {
    options.forms = GEN_ACCELERATE;
    if (gen_create(&p, m, d, &options, NULL) != ART_OK) return NULL;
  }
  CHECK(gen_drop_unread(1, &p));
  return keep_recorded(p);
}


static void check_model(const char *path)
{
  artModel *m = NULL;
  if (art_load_model(&m, path, NULL) != ART_OK) return; // a part that is given values elsewhere
  artData *d = keep_fresh_data(keep_model(m));
  art_update(m, d);
  const eqnProgram *p = program_of(m, d);
  if (p && p->nexternal == 0) {
    walk w = {.path = path,
              .m = m,
              .program = p,
              .accelerate = keep_function(p, "accelerate", NULL),
              .parameter = keep_numbers(p->parameter.n + 1),
              .is_edited = (void *) keep_numbers(p->parameter.n / 8 + 1)};
    if (gen_function(p, "outputs")) w.outputs = keep_function(p, "outputs", NULL);
    seen.models++;
    seen.bodies += p->nuser - p->nmodel;
    for (int k = p->nuser; k < p->parameter.n; k++) {
      const int turns = is_orientation(p->pool->nodes[p->parameter.node[k]].name);
      seen.others += !turns;
      seen.orientations += turns;
    }
    check_read(&w);
    check_units(&w);
    if (p->parameter.n > p->nuser) check_others(&w, p->nuser, p->parameter.n);
    if (p->nuser > p->nmodel) check_bodies(&w, p->nmodel, p->nuser);
  }
  check_free_kept();
}


TEST(another_value_of_any_constant_gives_the_machine_that_has_it)
{
  const char *one = getenv("ART_MODEL");
  glob_t found = folder_models(2);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    if (!one || strstr(found.gl_pathv[i], one)) check_model(found.gl_pathv[i]);
  }
  globfree(&found);
  printf("%d models: %d numbers of bodies and rods, %d other constants, %d entries of "
         "orientations; %d alone "
         "open a loop; off by %.2g\n",
         seen.models, seen.bodies, seen.others, seen.orientations, seen.unclosed, seen.worst);
  CHECK(one || (seen.models > 90 && seen.bodies > 2500 && seen.others > 2000));
  CHECK(seen.unclosed < 40); // single lengths of loops with redundant rows
  CHECK(seen.idle < 3);      // places along ground that cancel in differences
}
