// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// YAML text to a located tree, on the event parser of libyaml.
#include "base/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/error_recovery.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"

typedef struct yamlReader {
  baseArena *arena;
  const char *file;
  const char *text; // without the byte order mark
  size_t length;
  yaml_parser_t parser;
  yaml_event_t event; // the last one
  yamlNode *root;
} yamlReader;


static artPlace yaml_mark_place(const yamlReader *reader, yaml_mark_t mark)
{
  return (artPlace){reader->file, (int) mark.line + 1, (int) mark.column + 1};
}


//---- syntax errors -------------------------------------------------------------------------------

// a message of libyaml and ours: placed at the error, with the line where the unfinished construct
// starts, or at that start
typedef enum yamlStart { NO_START, START_LINE, START_PLACE } yamlStart;

typedef struct yamlWords {
  const char *context, *problem;
  yamlStart start;
  const char *ours;
} yamlWords;

// clang-format off
static const yamlWords syntax_words[] = {
    {"flow mapping", "did not find expected ',' or '}'", START_LINE,
     "expected ',' or '}' (formulas with brackets or commas need quotes here); the '{' is in line"},
    {"flow sequence", "did not find expected ',' or ']'", START_LINE,
     "expected ',' or ']' (formulas with brackets or commas need quotes here); the '[' is in line"},
    {"block mapping", "did not find expected key", START_LINE,
     "expected a key, indented like the others of the mapping that starts in line"},
    {"block collection", "did not find expected '-' indicator", START_LINE,
     "expected '- ', indented like the others of the list that starts in line"},
    {"simple key", "could not find expected ':'", START_LINE,
     "expected ': ' after the key that starts in line"},
    {"quoted scalar", "found unexpected end of stream", START_LINE,
     "the closing quote is missing; the opening one is in line"},
    {"quoted scalar", "found unexpected document indicator", START_LINE,
     "the closing quote is missing before '---' or '...'; the opening one is in line"},
    {"quoted scalar", "found unknown escape character", NO_START,
     "unknown escape after '\\' in double quotes; write '\\\\' for a backslash, or use single quotes"},
    {"", "mapping values are not allowed in this context", NO_START,
     "':' is not expected here; check the indentation, or put text that contains ': ' in quotes"},
    {"", "block sequence entries are not allowed in this context", NO_START,
     "'- ' is not expected here; start the list on a line of its own"},
    {"", "mapping keys are not allowed in this context", NO_START,
     "'? ' is not expected here; keys are plain words followed by ':'"},
    {"", "did not find expected <document start>", NO_START,
     "unexpected text after the end of the model; check the indentation and the brackets before it"},
    {"", "did not find expected node content", NO_START,
     "expected a value"},
    {"", "found a tab character", NO_START,
     "a tab is used for indentation; YAML wants spaces"},
    {"", "undefined tag handle", START_PLACE,
     "tags ('!') are not part of the model format; put text that starts with '!' in quotes"},
    {"alias", "", START_PLACE,
     "'*' cannot start a value; formulas with brackets or commas need quotes inside [ ] and { }"},
    {"anchor", "", START_PLACE,
     "'&' cannot start a value; anchors are not part of the model format"},
    {"tag", "", START_PLACE,
     "tags ('!') are not part of the model format; put text that starts with '!' in quotes"},
    {"directive", "", START_PLACE,
     "directives ('%') are not part of the model format; put text that starts with '%' in quotes"},
};
// clang-format on


static bool text_holds_part(const char *text, const char *part)
{
  return text ? strstr(text, part) != NULL : part[0] == '\0';
}


// the byte at a mark, whose index counts characters
static char byte_at(const yamlReader *reader, yaml_mark_t mark)
{
  const char *p = reader->text, *end = reader->text + reader->length;
  for (size_t i = 0; i < mark.index && p < end; i++) {
    do {
      p++;
    } while (p < end && ((unsigned char) *p & 0xC0) == 0x80);
  }
  return p < end ? *p : '\0';
}


_Noreturn static void bad_token(artPlace place, char found)
{
  if (found == '\t') error_refuse(place, "a tab is used for indentation; YAML wants spaces");
  error_refuse(place, "a value cannot start with '%c'; put the text in quotes", found);
}


static const yamlWords *find_words(const yaml_parser_t *parser)
{
  for (size_t i = 0; i < sizeof syntax_words / sizeof *syntax_words; i++) {
    const yamlWords *words = &syntax_words[i];
    const bool fits = words->context[0] == '\0' || text_holds_part(parser->context, words->context);
    if (fits && text_holds_part(parser->problem, words->problem)) return words;
  }
  return NULL;
}


_Noreturn static void syntax_error(const yamlReader *reader)
{
  const yaml_parser_t *parser = &reader->parser;
  if (parser->error == YAML_MEMORY_ERROR) error_throw();

  const artPlace place = yaml_mark_place(reader, parser->problem_mark);
  const artPlace start = yaml_mark_place(reader, parser->context_mark);
  if (text_holds_part(parser->problem, "cannot start any token")) {
    bad_token(place, byte_at(reader, parser->problem_mark));
  }
  const yamlWords *words = find_words(parser);
  if (!words) {
    error_refuse(place, "this is not YAML: %s%s%s", parser->context ? parser->context : "",
                 parser->context ? ", " : "",
                 parser->problem ? parser->problem : "unknown problem");
  }
  if (words->start == START_LINE) error_refuse(place, "%s %d", words->ours, start.line);
  error_refuse(words->start == START_PLACE ? start : place, "%s", words->ours);
}


//---- nodes ---------------------------------------------------------------------------------------

static yamlNode *read_yaml_node(yamlReader *reader, int depth);


// replace the last event by the next one
static void next_event(yamlReader *reader)
{
  yaml_event_delete(&reader->event);
  if (!yaml_parser_parse(&reader->parser, &reader->event)) syntax_error(reader);
}


static void refuse_extras(artPlace place, const yaml_char_t *anchor, const yaml_char_t *tag)
{
  if (anchor) {
    error_refuse(place, "anchors ('&%.40s') are not part of the model format; use parameters",
                 (const char *) anchor);
  }
  if (tag) {
    error_refuse(place,
                 "tags ('%.40s') are not part of the model format; the place of a value "
                 "decides its type",
                 (const char *) tag);
  }
}


static yamlNode *new_yaml_node(yamlReader *reader, yamlKind kind, artPlace place)
{
  error_check(budget_charge(BUDGET_ITEMS, 1, place, error_current()));
  yamlNode *node = arena_alloc(reader->arena, 1, sizeof *node);
  node->kind = kind;
  node->place = place;
  return node;
}


static yamlNode *read_scalar(yamlReader *reader, artPlace place)
{
  const char *value = (const char *) reader->event.data.scalar.value;
  const size_t length = reader->event.data.scalar.length;
  yamlNode *node = new_yaml_node(reader, NODE_SCALAR, place);
  if (memchr(value, '\0', length)) {
    error_refuse(place, "text must not hold a zero character ('\\0')");
  }
  node->text = arena_text_n(reader->arena, value, length);
  node->length = length;
  node->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return node;
}


static void check_key(const yamlNode *key)
{
  if (key->kind != NODE_SCALAR) {
    error_refuse(key->place, "a key must be a plain word, found %s",
                 key->kind == NODE_MAPPING ? "a mapping" : "a list");
  }
  if (strcmp(key->text, "<<") == 0 && !key->quoted) {
    error_refuse(key->place,
                 "merge keys ('<<') are not part of the model format; use parameters or "
                 "'include'");
  }
}


static int by_key_then_place(const void *left, const void *right)
{
  const yamlNode *a = *(yamlNode *const *) left, *b = *(yamlNode *const *) right;
  const int order = strcmp(a->key, b->key);
  if (order) return order;
  if (a->key_place.line != b->key_place.line) return a->key_place.line - b->key_place.line;
  return a->key_place.column - b->key_place.column;
}


// a key that is given twice; *again: its second value
static artStatus check_duplicates(const yamlNode *mapping, const yamlNode **again, artError *error)
{
  if (mapping->count < 2) return ART_OK;
  yamlNode **sorted = MEM_ARRAY(yamlNode *, mapping->count);
  if (!sorted) return base_no_memory(error);

  int n = 0;
  for (yamlNode *child = mapping->first; child; child = child->next) sorted[n++] = child;
  qsort(sorted, (size_t) n, sizeof *sorted, by_key_then_place);

  artStatus status = ART_OK;
  for (int i = 1; i < n && !status; i++) {
    if (strcmp(sorted[i - 1]->key, sorted[i]->key) != 0) continue;
    *again = sorted[i];
    status = base_fail(error, ART_BAD_INPUT, sorted[i]->key_place,
                       "'%.60s' is given twice; the first is in line %d", sorted[i]->key,
                       sorted[i - 1]->key_place.line);
  }
  mem_free(sorted);
  return status;
}


// inner mappings first, because they end first
artStatus yaml_check_keys(yamlNode *node, artError *error)
{
  artStatus status = ART_OK;
  for (yamlNode *child = node->first; child && !status; child = child->next) {
    status = yaml_check_keys(child, error);
  }
  const yamlNode *again = NULL;
  while (!status && node->kind == NODE_MAPPING) {
    status = check_duplicates(node, &again, error);
    if (!status) break;
    if (status != ART_BAD_INPUT || !recovery_list()) break;
    status = recovery_add(recovery_list(), error);
    yaml_remove(node, again);
  }
  return status;
}


// parse "key: value"; the key is the last event
static yamlNode *read_yaml_pair(yamlReader *reader, int depth)
{
  const yamlNode *key = read_yaml_node(reader, depth);
  check_key(key);
  next_event(reader);
  yamlNode *value = read_yaml_node(reader, depth);
  value->key = key->text;
  value->key_place = key->place;
  return value;
}


// parse the values of a sequence or mapping
static yamlNode *read_yaml_collection(yamlReader *reader, yamlKind kind, artPlace place, int depth)
{
  if (depth >= YAML_DEEPEST) {
    error_refuse(place, "lists and mappings are nested deeper than %d levels", YAML_DEEPEST);
  }
  yamlNode *parent = new_yaml_node(reader, kind, place);
  yamlNode **tail = &parent->first;
  for (;;) {
    next_event(reader);
    const yaml_event_type_t type = reader->event.type;
    if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) return parent;
    *tail = (kind == NODE_MAPPING ? read_yaml_pair : read_yaml_node)(reader, depth + 1);
    tail = &(*tail)->next;
    parent->count++;
  }
}


// parse the node that starts with the last event
static yamlNode *read_yaml_node(yamlReader *reader, int depth)
{
  const yaml_event_t *event = &reader->event;
  const artPlace place = yaml_mark_place(reader, event->start_mark);
  switch (event->type) {
  case YAML_SCALAR_EVENT:
    refuse_extras(place, event->data.scalar.anchor, event->data.scalar.tag);
    return read_scalar(reader, place);
  case YAML_SEQUENCE_START_EVENT:
    refuse_extras(place, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    return read_yaml_collection(reader, NODE_SEQUENCE, place, depth);
  case YAML_MAPPING_START_EVENT:
    refuse_extras(place, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    return read_yaml_collection(reader, NODE_MAPPING, place, depth);
  case YAML_ALIAS_EVENT:
    error_refuse(place, "aliases ('*%.40s') are not part of the model format; use parameters",
                 (const char *) event->data.alias.anchor);
  default: error_refuse(place, "expected a value");
  }
}


//---- the document --------------------------------------------------------------------------------

static void read_yaml_document(void *context)
{
  yamlReader *reader = context;
  next_event(reader); // start of the stream
  next_event(reader);
  if (reader->event.type == YAML_STREAM_END_EVENT) {
    error_refuse((artPlace){reader->file, 0, 0}, "the file holds only blanks and comments");
  }
  next_event(reader);
  yamlNode *root = read_yaml_node(reader, 0);
  next_event(reader); // end of the document
  next_event(reader);
  if (reader->event.type != YAML_STREAM_END_EVENT) {
    error_refuse(yaml_mark_place(reader, reader->event.start_mark),
                 "a second document starts here; a file holds one model");
  }
  reader->root = root;
}


artStatus yaml_read_tree(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error)
{
  *root = NULL;
  const int leaves = arena->leaves;
  yamlReader reader = {.arena = arena, .file = arena_text(arena, name)};
  if (!reader.file) return base_no_memory(error);
  artStatus status = yaml_check_text(reader.file, text, length, error);
  if (status) return status;
  const size_t mark = yaml_byte_order_mark(text, length);
  reader.text = text + mark;
  reader.length = length - mark;
  if (!yaml_parser_initialize(&reader.parser)) return base_no_memory(error);
  yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&reader.parser, (const unsigned char *) reader.text, reader.length);
  arena->leaves = 1;
  budget_begin();
  status = error_try(read_yaml_document, &reader, error);
  budget_end();
  arena->leaves = leaves;
  yaml_event_delete(&reader.event);
  yaml_parser_delete(&reader.parser);
  *root = reader.root;
  return status;
}


artStatus yaml_read_text(baseArena *arena, const char *name, const char *text, size_t length,
                         yamlNode **root, artError *error)
{
  artStatus status = yaml_read_tree(arena, name, text, length, root, error);
  if (!status) status = yaml_check_keys(*root, error);
  if (status) *root = NULL;
  return status;
}


artStatus yaml_read_file(baseArena *arena, const char *path, yamlNode **root, artError *error)
{
  *root = NULL;
  char *text = NULL;
  size_t length = 0;
  artStatus status = yaml_load_text(path, &text, &length, error);
  if (!status) status = yaml_read_text(arena, path, text, length, root, error);
  mem_free(text);
  return status;
}


//---- access to nodes -----------------------------------------------------------------------------

void yaml_remove(yamlNode *parent, const yamlNode *child)
{
  for (yamlNode **link = &parent->first; *link; link = &(*link)->next) {
    if (*link != child) continue;
    *link = child->next;
    parent->count--;
    return;
  }
}


yamlNode *yaml_find(const yamlNode *mapping, const char *key)
{
  if (mapping->kind != NODE_MAPPING) return NULL;
  for (yamlNode *child = mapping->first; child; child = child->next) {
    if (strcmp(child->key, key) == 0) return child;
  }
  return NULL;
}


const char *yaml_describe(const yamlNode *node, char buffer[YAML_PHRASE_LENGTH])
{
  if (node->kind == NODE_MAPPING) {
    snprintf(buffer, YAML_PHRASE_LENGTH, "%s", node->count ? "a mapping" : "an empty mapping");
  } else if (node->kind == NODE_SEQUENCE && node->count == 0) {
    snprintf(buffer, YAML_PHRASE_LENGTH, "an empty list");
  } else if (node->kind == NODE_SEQUENCE) {
    snprintf(buffer, YAML_PHRASE_LENGTH, "a list of %d item%s", node->count,
             node->count == 1 ? "" : "s");
  } else if (node->length == 0) {
    format_text(buffer, YAML_PHRASE_LENGTH, node->quoted ? "an empty string" : "an empty value");
  } else {
    char shown[49];
    yaml_printable(node->text, shown, sizeof shown);
    snprintf(buffer, YAML_PHRASE_LENGTH, "'%s'", shown);
  }
  return buffer;
}
