// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The trees of model files, and all mistakes of a model file. The file is read once, without the values and items that
// are wrong (base/error_recovery.h), and compiled without those that only the compiler refuses.
#include "model/read/mistakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error_recovery.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/throw.h"
#include "import/import.h"
#include "model/define/builder.h"
#include "model/define/records.h"


//---- trees that are kept -------------------------------------------------------------------------

void mistakes_free(mistakeFiles *files)
{
  for (int i = 0; i < files->nother; i++) mem_free(files->other[i].bytes);
  mem_free(files->other);
  mem_free(files->file);
  mem_free(files->note);
  arena_free(&files->arena);
}


int mistakes_has(const mistakeFiles *files, const char *name)
{
  for (int i = 0; i < files->count; i++) {
    if (strcmp(files->file[i].name, name) == 0 && files->file[i].root) return 1;
  }
  return 0;
}


static artStatus keep_bytes(mistakeFiles *files, mistakeRead *read, const char *path,
                            artPlace place, artError *error)
{
  mistakeBytes own = {.name = arena_text(&files->arena, path)};
  if (!own.name || !mem_grow((void **) &files->other, files->nother, &files->other_capacity,
                             sizeof *files->other)) {
    return base_no_memory(error);
  }
  const artStatus status = read(path, place, &own.bytes, &own.size, error);
  if (!status) files->other[files->nother++] = own;
  return status;
}


artStatus mistakes_bytes(mistakeFiles *files, mistakeRead *read, const char *path, artPlace place,
                         const char **bytes, size_t *size, artError *error)
{
  int i = 0;
  while (i < files->nother && strcmp(files->other[i].name, path) != 0) i++;
  if (i == files->nother) {
    memPool *outer = pool_use(NULL);
    const artStatus status = keep_bytes(files, read, path, place, error);
    pool_use(outer);
    if (status) return status;
  }
  *bytes = files->other[i].bytes;
  *size = files->other[i].size;
  return ART_OK;
}


// nodes in the order of the text at the places of the foreign file that it comes from
static void place_nodes(yamlNode *node, importSource *source, baseArena *arena)
{
  for (; node; node = node->next) {
    const int line = node->key ? node->key_place.line : node->place.line;
    node->place = node->key_place = import_source_place(source, line, arena);
    place_nodes(node->first, source, arena);
  }
}


// what the import of a file says about itself at the end of its text
static artStatus keep_notes(mistakeFiles *files, const char *name, const char *text,
                            artError *error)
{
  artNoteLevel level = ART_NOTE_MOTION;
  const char *at = import_notes(text), *note;
  while ((note = import_next_note(&at, &level, &files->arena))) {
    if (!mem_grow((void **) &files->note, files->nnote, &files->note_capacity, sizeof *files->note))
      return base_no_memory(error);
    files->note[files->nnote++] = (modelNote){name, note, level};
  }
  return *at ? base_no_memory(error) : ART_OK;
}


// Inside { } a comma cuts max(a, b) in two: what is wrong with its first half, follows from the second one being a key.
static void close_formulas(yamlNode *node)
{
  for (yamlNode *child = node->first; child; child = child->next) {
    const yamlNode *next = child->next;
    close_formulas(child);
    if (!next || !next->key || !strchr(next->key, ')') || child->kind != NODE_SCALAR) continue;
    child->text = "1";
    child->length = 1;
  }
}


static void lose_names(void)
{
  recovery_list()->has_lost_names = recovery_list()->has_lost_joints = true;
}


static artStatus keep_tree(mistakeFiles *files, const char *name, const char *text, size_t length,
                           yamlNode **root, artError *error)
{
  const char *own = arena_text(&files->arena, name);
  if (!own ||
      !mem_grow((void **) &files->file, files->count, &files->capacity, sizeof *files->file)) {
    return base_no_memory(error);
  }
  artStatus status = yaml_read_tree(&files->arena, own, text, length, root, error);
  if (!status && art_is_foreign(own)) {
    importSource source = import_source(own, text);
    place_nodes(*root, &source, &files->arena);
    status = keep_notes(files, own, text, error);
  }
  files->file[files->count++] = (mistakeFile){own, *root};
  if (status) return status;
  const int nsection = (*root)->count;
  status = yaml_check_keys(*root, error);
  if (!recovery_list()) return status;
  if ((*root)->count < nsection) lose_names(); // with a section that is given twice
  close_formulas(*root);
  return status;
}


artStatus mistakes_tree(mistakeFiles *files, const char *name, const char *text, size_t length,
                        yamlNode **root, artError *error)
{
  for (int i = 0; i < files->count; i++) {
    if (strcmp(files->file[i].name, name) != 0) continue;
    *root = files->file[i].root;
    if (*root) return ART_OK;
  }
  memPool *outer = pool_use(NULL);
  const artStatus status = keep_tree(files, name, text, length, root, error);
  pool_use(outer);
  return status;
}


//---- compiling what is sound ---------------------------------------------------------------------

// a list of records that may fail, and where their names are
typedef struct lossyList {
  size_t list, size, name;
} lossyList;

#define LIST(list, T, name)                                                                        \
  {                                                                                                \
    offsetof(artBuilder, list), sizeof(T), offsetof(T, name)                                       \
  }

static const lossyList lists[] = {
    LIST(joints, jointRecord, def.name),  LIST(constraints, constraintRecord, def.name),
    LIST(latches, latchRecord, def.name), LIST(curves, curveRecord, def.name),
    LIST(inputs, inputRecord, def.name),  LIST(states, stateRecord, def.name),
    LIST(blocks, blockRecord, name),      LIST(elements, elementRecord, name),
    LIST(drives, driveRecord, def.name)};


// the records whose names are lost; how many there were
static int take_out_lost(artBuilder *b, const lossyList *of)
{
  recordList *list = (recordList *) (void *) ((char *) b + of->list);
  char *items = list->items;
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    const char *record = items + (size_t) i * of->size;
    if (recovery_is_lost(*(const char *const *) (const void *) (record + of->name))) continue;
    if (n < i) memcpy(items + (size_t) n * of->size, record, of->size);
    n++;
  }
  const int nlost = list->count - n;
  list->count = n;
  return nlost;
}


// free joints to bodies that no joint leads to; how many
static int hang_up(artBuilder *b, recoveryList *l)
{
  const int n = l->nhanging;
  l->nhanging = 0;
  error_check(builder_scope(b, ""));
  for (int i = 0; i < n; i++) {
    char name[40];
    snprintf(name, sizeof name, "free-%d", b->name_places.count);
    artJointDef joint = art_default_joint_of(ART_FREE);
    joint.name = name;
    joint.from = "ground";
    joint.to = l->hanging[i];
    joint.in_ground = 1; // the body stays where it says
    if (!art_add_joint(b, &joint)) continue;
    *error_current() = *builder_error(b);
    error_throw();
  }
  return n;
}


void recovery_compile(artBuilder *b)
{
  recoveryList *l = recovery_list();
  for (bool is_new = true; is_new;) {
    artModel *m = NULL;
    artError error = {0};
    const artStatus status = art_compile_model(&m, b, &error);
    art_free_model(m);
    if (!status) return;
    if (status == ART_NO_MEMORY) error_throw();
    error_check(recovery_add(l, &error));
    is_new = hang_up(b, l) > 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
      const int nlost = take_out_lost(b, &lists[k]);
      if (k == 0 && nlost > 0) l->has_lost_joints = true;
      is_new |= nlost > 0;
    }
  }
}


//---- the list ------------------------------------------------------------------------------------

typedef struct mistakeWork {
  mistakeFiles files;
  const char *path;
  int nsetting;
  const artSetting *setting;
} mistakeWork;


static void read_all(void *context)
{
  mistakeWork *w = context;
  recoveryList *l = recovery_list();
  artError error = {0};
  const artStatus status =
      reader_try_model(&w->files, w->path, w->nsetting, w->setting, NULL, &error);
  if (status && status != ART_NO_MEMORY) (void) recovery_add(l, &error);
  if (status || l->count > 0) return;
  recovery_use(NULL); // as a whole
  artModel *model = NULL;
  const artStatus whole = art_load_model_with(&model, w->path, w->nsetting, w->setting, &error);
  if (whole && whole != ART_NO_MEMORY) (void) recovery_add(l, &error);
  art_free_model(model);
}


// a mistake, and the number of its file
typedef struct listedMistake {
  int file;
  const recoveryMistake *mistake;
} listedMistake;


static int compare_places(const void *a, const void *b)
{
  const listedMistake *x = a, *y = b;
  const artPlace p = x->mistake->place, q = y->mistake->place;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (p.line != q.line) return p.line < q.line ? -1 : 1;
  if (p.column != q.column) return p.column < q.column ? -1 : 1;
  return (x->mistake > y->mistake) - (x->mistake < y->mistake);
}


static int list_all(const mistakeWork *w, const recoveryList *l, listedMistake *list,
                    void (*tell)(void *context, const artError *error), void *context)
{
  for (int i = 0; i < l->count; i++) {
    const char *file = l->found[i].place.file;
    int k = 0;
    while (k < w->files.count && (!file || strcmp(w->files.file[k].name, file) != 0)) k++;
    list[i] = (listedMistake){k < w->files.count ? k : -1, &l->found[i]};
  }
  if (l->count > 0) qsort(list, (size_t) l->count, sizeof *list, compare_places);
  for (int i = 0; i < l->count; i++) tell(context, &list[i].mistake->error);
  return l->count;
}


int art_list_mistakes(const char *path, int n, const artSetting *setting,
                      void (*tell)(void *context, const artError *error), void *context)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(path && tell && n >= 0 && (setting || n == 0), -1);
  mistakeWork w = {.path = path, .nsetting = n, .setting = setting};
  recoveryList list = {0};
  recoveryList *outer = recovery_use(&list);
  (void) error_try(read_all, &w,
                   NULL); // where memory runs out, those noted so far are all there will be
  recovery_use(outer);
  listedMistake *listed = arena_alloc(&list.memory, (size_t) list.count, sizeof *listed);
  const int count = listed ? list_all(&w, &list, listed, tell, context) : 0;
  arena_free(&list.memory);
  mistakes_free(&w.files);
  return count;
}
