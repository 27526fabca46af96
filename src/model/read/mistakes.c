// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All mistakes of a model file. The file is read until something is wrong; the mistake is noted, the
// smallest piece of the tree that holds it is mended or taken out, and the file is read again. A piece
// that is mended wrongly, or missing because it was taken out, makes echoes, which are not noted: they
// stand at an item or a mapping that was mended, or quote the name of one that is gone.
#include "model/read/mistakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "import/import.h"

// as many are noted, and as often is a file read
enum { MAX_MISTAKES = 100, MAX_READINGS = 400 };

typedef struct mistake {
  artError error;
  int file, line, column;
} mistake;

// the nodes from the root to one of them, and whether its key is meant
typedef struct mendPath {
  yamlNode *node[YAML_DEEPEST + 4];
  int n;
  bool at_key;
} mendPath;

// a word that was replaced by a suggestion
typedef struct mendGuess {
  const yamlNode *node;
  int line, column;
} mendGuess;

// a text that has grown by so many characters behind a place in it
typedef struct mendShift {
  const yamlNode *node;
  int offset, growth;
} mendShift;

typedef struct mender {
  const char *path;
  int nsetting;
  const artSetting *setting;
  mistakeFiles files;
  baseArena memory; // of its lists, and of nodes that it makes
  int count, capacity;
  mistake *found;
  int ngone, gone_capacity;
  const char **gone; // names of what was taken out
  int ntouched, touched_capacity;
  const yamlNode **touched; // items and mappings that are not as they were
  int nguess, guess_capacity;
  mendGuess *guess;
  int nshift, shift_capacity;
  mendShift *shift;
  int nmade;            // joints for bodies that hang on nothing
  bool has_lost_joints; // bodies may hang on nothing for our sake
  bool has_lost_a_file; // names may be missing for our sake
} mender;


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
  return status ? status : yaml_check_keys(*root, error);
}


artStatus mistakes_tree(mistakeFiles *files, const char *name, const char *text, size_t length,
                        yamlNode **root, artError *error)
{
  for (int i = 0; i < files->count; i++) {
    if (strcmp(files->file[i].name, name) != 0) continue;
    *root = files->file[i].root;
    if (*root) return files->are_constant ? ART_OK : yaml_check_keys(*root, error);
  }
  memPool *outer = pool_use(NULL);
  const artStatus status = keep_tree(files, name, text, length, root, error);
  pool_use(outer);
  return status;
}


//---- lists ---------------------------------------------------------------------------------------

// one more item of a list
#define APPEND(w, list, n, room, ...)                                                              \
  do {                                                                                             \
    (w)->list = arena_grow(&(w)->memory, (w)->list, (w)->n, &(w)->room, sizeof *(w)->list);        \
    (w)->list[(w)->n++] = __VA_ARGS__;                                                             \
  } while (0)


static void add_gone(mender *w, const char *name)
{
  if (name) APPEND(w, gone, ngone, gone_capacity, name);
}


static bool is_touched(const mender *w, const yamlNode *item)
{
  for (int i = 0; i < w->ntouched; i++) {
    if (w->touched[i] == item) return true;
  }
  return false;
}


static void touch_item(mender *w, const yamlNode *item)
{
  if (!is_touched(w, item)) APPEND(w, touched, ntouched, touched_capacity, item);
}


//---- where -----------------------------------------------------------------------------------------

// "file:line:column: " at the beginning of a message: which file, or -1
static int find_message_place(const mender *w, const char *text, int *line, int *column)
{
  for (int i = 0; i < w->files.count; i++) {
    const size_t n = strlen(w->files.file[i].name);
    if (strncmp(text, w->files.file[i].name, n) != 0 || text[n] != ':') continue;
    char *end = NULL;
    *line = (int) strtol(text + n + 1, &end, 10);
    if (end == text + n + 1 || *end != ':') continue;
    *column = (int) strtol(end + 1, NULL, 10);
    return i;
  }
  return -1;
}


static bool is_place_before(artPlace place, int line, int column)
{
  return place.line > 0 && (place.line < line || (place.line == line && place.column <= column));
}


// The last node that begins at or before the place. Nodes stand in the order of the file.
static void seek_node_before(yamlNode *parent, int line, int column, mendPath *way, mendPath *best)
{
  if (way->n >= YAML_DEEPEST + 3) return;
  for (yamlNode *child = parent->first; child; child = child->next) {
    const bool has_key = child->key && is_place_before(child->key_place, line, column);
    const bool has_value = is_place_before(child->place, line, column);
    way->node[way->n++] = child;
    if (has_key || has_value) {
      *best = *way;
      best->at_key = !has_value;
    }
    seek_node_before(child, line, column, way, best);
    way->n--;
  }
}


static bool find_node(yamlNode *root, int line, int column, mendPath *path)
{
  mendPath way = {.node = {root}, .n = 1};
  *path = (mendPath){.n = 0};
  seek_node_before(root, line, column, &way, path);
  if (path->n < 2) return false;
  const yamlNode *node = path->node[path->n - 1];
  return (path->at_key ? node->key_place.line : node->place.line) == line;
}


static bool is_section(const mendPath *path, const char *name)
{
  return strcmp(path->node[1]->key, name) == 0;
}


// how many nodes lead to the item: a body, a joint, an output
static int item_depth(const mendPath *path)
{
  // sections that are whole items, not lists of them
  static const char *const single[] = {"articula", "title", "gravity",  "names",
                                       "ground",   "study", "assembly", NULL};
  for (int i = 0; single[i]; i++) {
    if (is_section(path, single[i])) return 2;
  }
  return path->n > 2 ? 3 : 2;
}


//---- echoes --------------------------------------------------------------------------------------

// does a message quote the name, alone or before '.' or behind '/'?
static bool does_message_quote(const char *text, const char *name)
{
  const size_t n = strlen(name);
  for (const char *p = text; n > 0 && (p = strstr(p, name)); p += n) {
    const bool begins = p > text && (p[-1] == '\'' || p[-1] == '/');
    if (begins && (p[n] == '\'' || p[n] == '.' || p[n] == '/')) return true;
  }
  return false;
}


static bool was_guessed(const mender *w, const yamlNode *node, int line, int column)
{
  for (int i = 0; i < w->nguess; i++) {
    const mendGuess *g = &w->guess[i];
    if (g->node == node && g->line == line && g->column == column) return true;
  }
  return false;
}


static bool is_echo(const mender *w, const mendPath *path, const mistake *m)
{
  static const char *const unknown[] = {
      "not defined", "not known", "unknown name", "there is no ", "unknown function",
      "is no ",      NULL};
  const yamlNode *target = path->node[path->n - 1];
  const char *text = m->error.text;
  if (strstr(text, "hangs on nothing")) return w->has_lost_joints || w->has_lost_a_file;
  if (is_touched(w, target)) return true;

  // a suggestion that was taken did not help; a key that is known now may have other faults
  const bool may_be_of_guess = !path->at_key || strstr(text, " is not a ");
  if (may_be_of_guess && was_guessed(w, target, m->line, m->column)) return true;
  for (int i = 0; i < w->ngone; i++) {
    if (does_message_quote(text, w->gone[i])) return true;
  }
  for (int i = 0; w->has_lost_a_file && unknown[i]; i++) {
    if (strstr(text, unknown[i])) return true;
  }
  return false;
}


//---- mending -------------------------------------------------------------------------------------

static void take_out_node(yamlNode *parent, const yamlNode *child)
{
  for (yamlNode **link = &parent->first; *link; link = &(*link)->next) {
    if (*link != child) continue;
    *link = child->next;
    parent->count--;
    return;
  }
}


static void put_in(yamlNode *parent, yamlNode *child)
{
  child->next = parent->first;
  parent->first = child;
  parent->count++;
}


static yamlNode *make_scalar(mender *w, const char *key, const char *text)
{
  yamlNode *node = arena_alloc(&w->memory, 1, sizeof *node);
  *node = (yamlNode){.kind = NODE_SCALAR, .key = key, .text = text, .length = strlen(text)};
  return node;
}


static void set_scalar(yamlNode *node, const char *text)
{
  node->kind = NODE_SCALAR;
  node->text = text;
  node->length = strlen(text);
  node->quoted = false;
  node->first = NULL;
  node->count = 0;
}


static void set_list(yamlNode *node, yamlKind kind, int n, yamlNode *const *child)
{
  node->kind = kind;
  node->first = NULL;
  node->count = 0;
  for (int i = n - 1; i >= 0; i--) {
    put_in(node, child[i]);
  }
}


// A number that goes with every unit, in the place of a scalar, an inertia that a solid can have, and a ball in the
// place of a solid: a body that keeps its mass makes no echoes. False where that has been tried.
static bool make_neutral(mender *w, yamlNode *target, yamlNode *value)
{
  if (target->kind == NODE_SCALAR && !is_touched(w, target)) {
    set_scalar(target, "1");
    touch_item(w, target);
    if (value->kind == NODE_SEQUENCE) touch_item(w, value); // which may not be in order any more
    return true;
  }
  if (strcmp(value->key, "solid") == 0) {
    yamlNode *const ball[] = {make_scalar(w, "type", "sphere"), make_scalar(w, "radius", "1"),
                              make_scalar(w, "density", "1")};
    set_list(value, NODE_MAPPING, 3, ball);
    return true;
  }
  if (strcmp(value->key, "inertia") != 0) return false;
  yamlNode *moment[3];
  for (int i = 0; i < 3; i++) moment[i] = make_scalar(w, NULL, "1");
  set_list(value, NODE_SEQUENCE, 3, moment);
  return true;
}


// A joint of which nothing can be believed but its ends: a free one, whose coordinates count as gone.
static bool make_free_joint(mender *w, yamlNode *joint)
{
  yamlNode *from = yaml_find(joint, "from"), *to = yaml_find(joint, "to");
  add_gone(w, joint->key);
  w->has_lost_joints = true;
  if (joint->kind != NODE_MAPPING || !to || is_touched(w, joint)) return false;
  yamlNode *const child[] = {make_scalar(w, "type", "free"),
                             from ? from : make_scalar(w, "from", "ground"), to};
  set_list(joint, NODE_MAPPING, 3, child);
  return true;
}


// a body that hangs on nothing gets a joint
static bool hang_up(mender *w, yamlNode *root, const yamlNode *body)
{
  yamlNode *section = yaml_find(root, "joints");
  if (!section) {
    section = make_scalar(w, "joints", "");
    set_list(section, NODE_MAPPING, 0, NULL);
    put_in(root, section);
  }
  if (section->kind == NODE_SEQUENCE) return false;
  yamlNode *joint = make_scalar(w, arena_format(&w->memory, "mended-%d", w->nmade++), "");
  yamlNode *const child[] = {make_scalar(w, "type", "free"), make_scalar(w, "from", "ground"),
                             make_scalar(w, "to", body->key)};
  set_list(joint, NODE_MAPPING, 3, child);
  section->kind = NODE_MAPPING;
  put_in(section, joint);
  return true;
}


// A formula that a comma has cut looks like two values, and a stated pose may be two keys.
static void take_out_companion(yamlNode *parent, const yamlNode *value, const char *text)
{
  if (strstr(text, " states ")) {
    const yamlNode *pose[] = {yaml_find(parent, "position"), yaml_find(parent, "orientation")};
    for (int i = 0; i < 2; i++) take_out_node(parent, pose[i]);
  }
  if (!strstr(text, "must be quoted")) return;
  for (yamlNode *child = parent->first; child; child = child->next) {
    if (child->next == value->next && child != value) {
      take_out_node(parent, child);
      return;
    }
  }
}


static bool mend_item(mender *w, const mendPath *path, const char *text)
{
  const int depth = item_depth(path);
  yamlNode *parent = path->node[depth - 2], *item = path->node[depth - 1];
  if (strstr(text, "a study needs 'type'")) {
    // a study that does not say what it is runs
    yamlNode *type = item->kind == NODE_MAPPING ? make_scalar(w, "type", "run") : NULL;
    if (type) put_in(item, type);
    return type != NULL;
  }
  if (is_section(path, "articula")) return false;
  if (depth == 3 && is_section(path, "bodies") && strstr(text, "hangs on nothing")) {
    return hang_up(w, path->node[0], item);
  }
  if (strstr(text, "must be quoted")) {
    take_out_node(parent, item);
    take_out_companion(parent, item, text);
    return true;
  }
  if (depth == 3 && is_section(path, "parameters") && !is_touched(w, item)) {
    set_scalar(item, "1");
    touch_item(w, item);
    return true;
  }
  if (depth == 3 && is_section(path, "joints") && make_free_joint(w, item)) {
    touch_item(w, item);
    return true;
  }
  if (depth == 3 && is_section(path, "include")) {
    const yamlNode *prefix = yaml_find(item, "prefix");
    const bool has_prefix = prefix && prefix->kind == NODE_SCALAR;
    if (has_prefix) add_gone(w, prefix->text);
    if (!has_prefix) w->has_lost_a_file = true;
  }
  if (depth == 3 && item->key) add_gone(w, item->key);
  take_out_node(parent, item);
  return true;
}


// the value that holds the mistake, with its key, is made neutral or taken out of its item
static bool mend_value(mender *w, const mendPath *path, const char *text)
{
  const int depth = item_depth(path);
  int k = path->n - 1;
  while (k >= depth && !path->node[k]->key) k--;
  for (int i = depth; i < k; i++) {
    const char *key = path->node[i]->key ? path->node[i]->key : "";
    const bool is_one =
        strcmp(key, "orientation") == 0 || (strcmp(key, "solid") == 0 && !path->at_key);
    if (is_one && i < k) k = i; // the whole is one value
  }
  if (k < depth || is_section(path, "parameters") || is_section(path, "include")) {
    return mend_item(w, path, text);
  }
  yamlNode *item = path->node[depth - 1], *value = path->node[k], *parent = path->node[k - 1];
  if (path->at_key || !make_neutral(w, path->node[path->n - 1], value)) {
    if (parent->key && (strcmp(parent->key, "points") == 0 || strcmp(parent->key, "frames") == 0)) {
      add_gone(w, arena_format(&w->memory, "%s.%s", item->key, value->key));
    }
    take_out_node(parent, value);
    take_out_companion(parent, value, text);
  }
  for (int i = depth - 1; i < k; i++) touch_item(w, path->node[i]);
  return true;
}


//---- suggestions ---------------------------------------------------------------------------------

enum { WORD_LENGTH = 200 };

// the suggestion of a message, and the last word that it quotes before
static bool find_suggestion(const char *text, char wrong[WORD_LENGTH], char right[WORD_LENGTH])
{
  static const char words[] = " (did you mean '";
  const char *at = strstr(text, words);
  if (!at) return false;
  const char *end = strstr(at + sizeof words - 1, "'?)");
  const char *last = at;
  while (last > text && *last != '\'') last--;
  const char *first = last;
  while (first > text && first[-1] != '\'') first--;
  const size_t nright = end ? (size_t) (end - at) - (sizeof words - 1) : 0;
  const size_t nwrong = (size_t) (last - first);
  if (!end || nright >= WORD_LENGTH || nwrong >= WORD_LENGTH || nwrong == 0) return false;
  memcpy(right, at + sizeof words - 1, nright);
  right[nright] = '\0';
  memcpy(wrong, first, nwrong);
  wrong[nwrong] = '\0';
  return true;
}


static bool is_word_character(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/' || (unsigned char) c >= 0x80;
}


// a word in the text, not as a part of others
static const char *find_word(const char *text, const char *word)
{
  const size_t n = strlen(word);
  for (const char *p = text; n > 0 && (p = strstr(p, word)); p += n) {
    const bool begins = p == text || !is_word_character(p[-1]);
    if (begins && (!is_word_character(p[n]) || p[n] == '.')) return p;
  }
  return NULL;
}


static bool replace_word(mender *w, yamlNode *node, const char *wrong, const char *right)
{
  const char *at = node->kind == NODE_SCALAR ? find_word(node->text, wrong) : NULL;
  if (!at) return false;
  const char *text = arena_format(&w->memory, "%.*s%s%s", (int) (at - node->text), node->text,
                                  right, at + strlen(wrong));
  const int offset = (int) (at - node->text), growth = (int) strlen(right) - (int) strlen(wrong);
  node->text = text;
  node->length = strlen(text);
  APPEND(w, shift, nshift, shift_capacity, (mendShift){node, offset, growth});
  return true;
}


// 90 deg becomes 90[deg]
static bool put_brackets(mender *w, yamlNode *node, const char *text)
{
  char right[WORD_LENGTH], wrong[WORD_LENGTH];
  const char *at = strstr(text, "in brackets, ");
  if (!at || node->kind != NODE_SCALAR) return false;
  snprintf(right, sizeof right, "%.*s", (int) strcspn(at + 13, ","), at + 13);
  char *open = strchr(right, '[');
  if (!open) return false;
  for (const char *between = " ";; between = "") {
    snprintf(wrong, sizeof wrong, "%.*s%s%.*s", (int) (open - right), right, between,
             (int) strcspn(open + 1, "]"), open + 1);
    if (replace_word(w, node, wrong, right)) return true;
    if (!between[0]) return false;
  }
}


// put the suggestion in the place of the wrong word
static bool replace_wrong(mender *w, const mendPath *path, const char *text)
{
  char wrong[WORD_LENGTH], right[WORD_LENGTH], whole[2 * WORD_LENGTH];
  yamlNode *node = path->node[path->n - 1];
  const yamlNode *parent = path->node[path->n - 2];
  if (!path->at_key && put_brackets(w, node, text)) return true;
  if (!find_suggestion(text, wrong, right)) {
    // a name of a formula that nothing is like becomes a number that goes with everything
    const char *at = strstr(text, "unknown name '");
    if (!at) return false;
    at = strchr(at, '\'') + 1;
    snprintf(wrong, sizeof wrong, "%.*s", (int) strcspn(at, "'"), at);
    snprintf(right, sizeof right, "1");
  }
  if (path->at_key) {
    if (strcmp(node->key, wrong) != 0 || yaml_find(parent, right)) return false;
    node->key = arena_text(&w->memory, right);
    return true;
  }
  // "angel" for 'pin.angle': the whole reference is replaced
  const char *dot = strrchr(right, '.');
  if (!dot || strchr(wrong, '.')) return replace_word(w, node, wrong, right);
  snprintf(whole, sizeof whole, "%.*s.%s", (int) (dot - right), right, wrong);
  return replace_word(w, node, whole, right);
}


// consequences of a word that was replaced are no mistakes of their own
static bool take_suggestion(mender *w, const mendPath *path, const mistake *m)
{
  const yamlNode *node = path->node[path->n - 1], *parent = path->node[path->n - 2];
  if (is_section(path, "parameters") || was_guessed(w, node, m->line, m->column)) return false;
  if (!replace_wrong(w, path, m->error.text)) return false;
  if (node->key && strcmp(node->key, "type") == 0)
    touch_item(w, parent); // which may lack its other keys
  APPEND(w, guess, nguess, guess_capacity, (mendGuess){node, m->line, m->column});
  return true;
}


//---- all together --------------------------------------------------------------------------------

// the column that a place in a mended text has in the file
static void shift_back(const mender *w, const yamlNode *node, mistake *m)
{
  int column = m->column;
  for (int i = w->nshift - 1; i >= 0; i--) {
    const mendShift *s = &w->shift[i];
    const int offset = column - node->place.column - node->quoted;
    if (s->node == node && offset > s->offset) column -= s->growth;
  }
  if (column == m->column) return;
  const char *name = w->files.file[m->file].name;
  char *end = NULL;
  (void) strtol(m->error.text + strlen(name) + 1, &end, 10); // line
  (void) strtol(end + 1, &end, 10);                          // column
  char rest[ART_ERROR_LENGTH];
  snprintf(rest, sizeof rest, "%s", end);
  snprintf(m->error.text, sizeof m->error.text, "%s:%d:%d%.*s", name, m->line, column,
           ART_ERROR_LENGTH / 2, rest);
  m->column = column;
}


static void note_mistake(mender *w, const mistake *m)
{
  for (int i = 0; i < w->count; i++) {
    if (strcmp(w->found[i].error.text, m->error.text) == 0) return;
  }
  APPEND(w, found, count, capacity, *m);
}


// note the mistake and mend it; false where that is impossible
static bool go_on_after_mistake(mender *w, const artError *error)
{
  mistake m = {.error = *error};
  mendPath path;
  m.file = find_message_place(w, error->text, &m.line, &m.column);
  yamlNode *root = m.file >= 0 ? w->files.file[m.file].root : NULL;
  if (!root || !find_node(root, m.line, m.column, &path)) {
    if (w->count == 0) note_mistake(w, &m);
    return false;
  }
  mistake in_file = m;
  const bool is_new = !is_echo(w, &path, &m);
  shift_back(w, path.node[path.n - 1], &in_file);
  if (is_new) note_mistake(w, &in_file);
  if (strstr(error->text, " is given twice; the first is in line ")) {
    // the second of two values with one key goes, and with a whole section all that it names
    if (path.n == 2) w->has_lost_joints = w->has_lost_a_file = true;
    take_out_node(path.node[path.n - 2], path.node[path.n - 1]);
    return true;
  }
  if (is_new && take_suggestion(w, &path, &m)) return true;
  return path.n == item_depth(&path) ? mend_item(w, &path, error->text)
                                     : mend_value(w, &path, error->text);
}


static int compare_mistake_places(const void *a, const void *b)
{
  const mistake *x = a, *y = b;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}


// Where memory runs out, the mistakes noted so far are all there will be.
static void mend_all(void *context)
{
  mender *w = context;
  for (int k = 0; k < MAX_READINGS && w->count < MAX_MISTAKES; k++) {
    artError error = {0};
    const artStatus status =
        reader_try_model(&w->files, w->path, w->nsetting, w->setting, NULL, &error);
    if (!status || status == ART_NO_MEMORY || !go_on_after_mistake(w, &error)) break;
  }
}


int art_list_mistakes(const char *path, int n, const artSetting *setting,
                      void (*tell)(void *context, const artError *error), void *context)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(path && tell && n >= 0 && (setting || n == 0), -1);
  mender w = {.path = path, .nsetting = n, .setting = setting, .memory.leaves = 1};
  (void) error_try(mend_all, &w, NULL);
  if (w.count > 0) qsort(w.found, (size_t) w.count, sizeof *w.found, compare_mistake_places);
  for (int i = 0; i < w.count; i++) tell(context, &w.found[i].error);
  arena_free(&w.memory);
  mistakes_free(&w.files);
  return w.count;
}
