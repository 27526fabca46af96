// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters of a model that change: it is read again from the trees of its files, as with these values in the files,
// into a pool of its own, and where its structure is the same its numbers take the place of the old ones, at the same
// addresses. So nothing that depends on a parameter can be forgotten, and data blocks, runs and names stay valid.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "model/read/source.h"


void source_free(modelSource *source)
{
  if (!source) return;
  pool_free(source->spare);
  for (int i = 0; i < source->nretired; i++) pool_free(source->retired[i]);
  mem_free(source->retired);
  memo_free(&source->memo);
  affected_free(&source->affected);
  mistakes_free(&source->own);
  arena_free(&source->arena);
  mem_free(source);
}


//---- questions -----------------------------------------------------------------------------------

int art_count_parameters(const artModel *m)
{
  ART_REQUIRE_OR(m, 0);
  return m->nparameter;
}


double art_parameter_value(const artModel *m, int i)
{
  ART_REQUIRE_OR(m && i >= 0 && i < m->nparameter, NAN);
  return m->parameter[i].value;
}


int art_parameter_is_formula(const artModel *m, int i)
{
  ART_REQUIRE_OR(m && i >= 0 && i < m->nparameter, 0);
  return m->parameter[i].formula != NULL;
}


int art_parameter_limits(const artModel *m, int i, double limits[2])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && limits && i >= 0 && i < m->nparameter, 0);
  if (m->parameter[i].has_limits) memcpy(limits, m->parameter[i].limits, 2 * sizeof *limits);
  return m->parameter[i].has_limits;
}


int art_parameter_is_design(const artModel *m, int i, const char *study)
{
  ART_REQUIRE_OR(m && i >= 0 && i < m->nparameter, 0);
  for (int k = 0; k < m->nstudy; k++) {
    const artStudyDef *def = &m->study[k].def;
    if (study && strcmp(def->name, study) != 0) continue;
    for (int n = 0; n < def->design.count; n++) {
      if (strcmp(def->design.name[n], m->parameter[i].name) == 0) return 1;
    }
  }
  return 0;
}


unsigned art_model_revision(const artModel *m)
{
  ART_REQUIRE_OR(m, 0);
  return m->revision;
}


//---- a value that changes ------------------------------------------------------------------------

static artSetting *find_setting(modelSource *source, const char *name)
{
  for (int i = 0; i < source->nsetting; i++) {
    if (strcmp(source->setting[i].name, name) == 0) return &source->setting[i];
  }
  return NULL;
}


// the setting of that name, added after the others where there is none
static artSetting *find_or_add_setting(modelSource *source, const char *name)
{
  artSetting *added = find_setting(source, name);
  if (added) return added;
  added = &source->setting[source->nsetting++];
  *added = (artSetting){name, NAN};
  return added;
}


// functions of the host, which belong to no file
static void hand_functions(const artModel *from, artModel *to)
{
  for (int i = 0; i < from->nfunction; i++) {
    const modelFunction *f = &from->function[i];
    modelFunction *own = &to->function[i];
    own->code = f->code;
    own->context = f->context == f ? own : f->context;
    own->in_c = f->in_c;
    own->in_fortran = f->in_fortran;
  }
}


// the image outside of its pool, with all of the model that does not come from its files
static artModel take_root(const artModel *m, artModel *image)
{
  hand_functions(m, image);
  artModel own = *image;
  memset(image, 0, sizeof *image); // as in the pool of the model
  own.source = m->source;
  own.pool = m->pool;
  own.attached = m->attached;
  own.nlibrary = m->nlibrary;
  own.library = m->library;
  own.revision = m->revision;
  return own;
}


// Read the model into the spare pool.
static artStatus read_spare(artModel **image, artModel *m, artError *error)
{
  modelSource *source = m->source;
  if (!source->spare) source->spare = pool_create();
  if (!source->spare) return base_no_memory(error);
  pool_clear(source->spare);
  artStatus status = reader_read_image(image, source, source->spare, NULL, 0, error);
  if (status != ART_OK) return status;
  (*image)->pool = source->spare;
  return model_hand_attached(m, *image, error);
}


// Which words of the model are addresses shows by comparison with the same model in another pool. Where the two are not laid out alike, as
// after tables were attached, the next image is adopted as a whole.
static void mark_addresses(artModel *m)
{
  artModel *image = NULL;
  if (pool_has_marks(m->pool) || read_spare(&image, m, NULL) != ART_OK) return;
  const artModel own = take_root(m, image);
  (void) pool_mark_addresses(m->pool, m, m->source->spare, &own, sizeof *m);
}


// The image instead of the model: word by word, or, where it is laid out otherwise, as a whole.
static artStatus take_image(artModel *m, artModel *image, artError *error)
{
  modelSource *source = m->source;
  artModel own = take_root(m, image);
  own.revision = m->revision + 1;
  if (pool_copy(m->pool, m, source->spare, &own, sizeof *m)) return ART_OK;
  if (!mem_grow((void **) &source->retired, source->nretired, &source->retired_capacity,
                sizeof *source->retired)) {
    return base_no_memory(error);
  }
  source->retired[source->nretired++] = m->pool;
  own.pool = source->spare;
  source->spare = pool_create();
  if (source->spare && !pool_reserve_like(source->spare, own.pool)) {
    pool_free(source->spare);
    source->spare = NULL; // the next reading asks again
  }
  *m = own;
  return ART_OK;
}


artStatus model_read_with(const artModel *m, int n, const artSetting *change, memPool *pool,
                          artModel **image, artError *error)
{
  ART_ASSERT(n >= 0 && (change || n == 0));
  const int before = m->source->nsetting, most = before + n;
  modelSource own = *m->source;
  own.is_trial = 1;
  own.setting = MEM_ARRAY(artSetting, most + 1);
  own.is_set = MEM_ARRAY(char, most + 1);
  const int has_memo = memo_start(&own.memo, 0); // that of the source is not ours to change
  artStatus status = own.setting && own.is_set && has_memo ? ART_OK : base_no_memory(error);
  for (int i = 0; i < most && status == ART_OK; i++) {
    if (i < before) {
      own.setting[i] = m->source->setting[i];
    } else {
      find_or_add_setting(&own, change[i - before].name)->value = change[i - before].value;
    }
  }
  if (status == ART_OK) status = reader_read_image(image, &own, pool, NULL, 0, error);
  if (status == ART_OK) hand_functions(m, *image);
  memo_free(&own.memo);
  mem_free(own.setting);
  mem_free(own.is_set);
  return status;
}


static artStatus read_again(artModel *m, const char *name, artError *error)
{
  artModel *image = NULL;
  char words[200];
  m->source->nreading++;
  artStatus status = read_spare(&image, m, error);
  if (status != ART_OK) return status;
  if (model_is_alike(m, image, words)) {
    status = take_image(m, image, error);
    affected_parameter_map(&m->source->affected, m);
    return status;
  }
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "with this value of '%.60s' the machine has another structure: %s; load the "
                   "file anew with it",
                   name, words);
}


// what a change has left behind that came to nothing
static void undo_parameter_change(artModel *m, const char *name)
{
  const unsigned revision = m->revision;
  const artStatus status = read_again(m, name, NULL);
  (void) status;
  ART_ASSERT(status == ART_OK); // it was read with these values before, into the same memory
  m->revision = revision;
}


artStatus art_set_parameter(artModel *m, const char *name, double value, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(m && name, error);
  const int i = table_find(&m->parameters, name);
  if (i < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name};
    for (int k = 0; k < m->nparameter; k++) base_consider(&nearest, m->parameter[k].name);
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "there is no parameter '%.60s'%s", name,
                     base_hint(&nearest, hint));
  }
  if (!isfinite(value)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "'%.60s' is set to %g, a finite number is wanted", name, value);
  }
  if (!m->source) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the parameter '%.60s' is part of a model that was built by a program, not "
                     "read from a file; build it anew",
                     name);
  }
  modelSource *source = m->source;
  const artSetting *known = find_setting(source, m->parameter[i].name);
  if (known && memcmp(&known->value, &value, sizeof value) == 0) return ART_OK;
  mark_addresses(m);
  const int before = source->nsetting;
  artSetting *setting = find_or_add_setting(source, m->parameter[i].name);
  const double old = setting->value;
  setting->value = value;
  int is_touched = 0;
  if (pool_has_marks(m->pool) && affected_change(m, i, value, &is_touched)) {
    m->revision++;
    m->is_hash_old = 1;
    return ART_OK;
  }
  const artStatus status = read_again(m, name, error);
  if (status != ART_OK) {
    setting->value = old;
    source->nsetting = before;
    if (is_touched) undo_parameter_change(m, name);
  }
  return status;
}
