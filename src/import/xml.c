// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// XML parser, based on libexpat.
#include "import/xml.h"

#include <string.h>

#include "base/budget.h"
#include "base/error.h"

int xml_count_lines(const char *from, const char *to)
{
  int n = 0;
  for (; from < to; from++) n += *from == '\n';
  return n;
}


#ifdef ART_HAVE_EXPAT
#include <expat.h>

typedef struct xmlReader {
  XML_Parser parser;
  baseArena *arena;
  const char *file;
  artError *error;
  artStatus status;
  xmlNode *root, *open;
  int depth;
  int skipped; // lines before the document
  char *text;  // of the open element; grows
  size_t length, capacity;
} xmlReader;


static artPlace xml_place_here(const xmlReader *r)
{
  return (artPlace){r->file, (int) XML_GetCurrentLineNumber(r->parser) + r->skipped,
                    (int) XML_GetCurrentColumnNumber(r->parser) + 1};
}


static void stop_xml_parser(xmlReader *r, artStatus status)
{
  if (!r->status) r->status = status;
  XML_StopParser(r->parser, XML_FALSE);
}


static xmlAttribute *copy_attributes(xmlReader *r, const char **pair)
{
  xmlAttribute *first = NULL, **tail = &first;
  for (; pair[0]; pair += 2, tail = &(*tail)->next) {
    if (!ARENA_TAKE(r->arena, *tail, 1)) return NULL;
    (*tail)->name = arena_text(r->arena, pair[0]);
    (*tail)->value = arena_text(r->arena, pair[1]);
    if (!(*tail)->name || !(*tail)->value) return NULL;
  }
  return first;
}


static void begin_xml_element(void *context, const char *name, const char **pair)
{
  xmlReader *r = context;
  xmlNode *node;
  if (r->status) return;
  if (++r->depth > XML_DEEPEST) {
    stop_xml_parser(r, base_fail(r->error, ART_BAD_INPUT, xml_place_here(r),
                                 "elements are nested deeper than %d levels", XML_DEEPEST));
    return;
  }
  int items = 1;
  for (const char **p = pair; p[0]; p += 2) items++;
  const artStatus spent = budget_charge(BUDGET_ITEMS, items, xml_place_here(r), r->error);
  if (spent) {
    stop_xml_parser(r, spent);
    return;
  }
  if (ARENA_TAKE(r->arena, node, 1)) {
    node->name = arena_text(r->arena, name);
    node->attribute = copy_attributes(r, pair);
  }
  if (!node || !node->name || (pair[0] && !node->attribute)) {
    stop_xml_parser(r, base_no_memory(r->error));
    return;
  }
  node->text = "";
  node->place = xml_place_here(r);
  node->parent = r->open;
  if (!r->open) r->root = node;
  if (r->open && r->open->last) r->open->last->next = node;
  if (r->open && !r->open->first) r->open->first = node;
  if (r->open) r->open->last = node;
  r->open = node;
}


// collect the text of the open element that precedes its child elements
static void add_text(void *context, const char *text, int length)
{
  xmlReader *r = context;
  if (r->status || !r->open || r->open->first) return;
  if (!r->open->text[0]) r->length = r->capacity = 0;
  while (r->length == 0 && length > 0 && strchr(" \t\r\n", *text)) text++, length--;
  if (length == 0) return;
  if (r->length + (size_t) length >= r->capacity) {
    // continue in a larger block of the arena
    const char *old = r->open->text;
    r->capacity = 2 * (r->length + (size_t) length) + 64;
    r->text = arena_alloc(r->arena, r->capacity, 1);
    if (!r->text) {
      stop_xml_parser(r, base_no_memory(r->error));
      return;
    }
    memcpy(r->text, old, r->length);
    r->open->text = r->text;
  }
  memcpy(r->text + r->length, text, (size_t) length);
  r->length += (size_t) length;
}


static void end_xml_element(void *context, const char *name)
{
  xmlReader *r = context;
  (void) name;
  if (r->status) return;
  char *text = r->open->first || !r->open->text[0] ? NULL : r->text;
  for (; text && r->length > 0 && strchr(" \t\r\n", text[r->length - 1]); r->length--) {
    text[r->length - 1] = '\0';
  }
  r->open = r->open->parent;
  r->depth--;
}


static void refuse_entity(void *context, const char *name, int is_parameter, const char *value,
                          int length, const char *base, const char *system, const char *public,
                          const char *notation)
{
  xmlReader *r = context;
  (void) is_parameter, (void) value, (void) length, (void) base, (void) system, (void) public,
      (void) notation;
  stop_xml_parser(r, base_fail(r->error, ART_BAD_INPUT, xml_place_here(r),
                               "the file defines the entity '%.60s'; entities are not read", name));
}


// The text after a declaration that is not first, or has no version, since other readers accept
// that; NULL for other errors.
static const char *behind_declaration(const xmlReader *r, enum XML_Error why, const char *text)
{
  if (r->root || (why != XML_ERROR_MISPLACED_XML_PI && why != XML_ERROR_XML_DECL)) return NULL;
  const char *begin = strstr(text, "<?xml"), *end = begin ? strstr(begin, "?>") : NULL;
  return end ? end + 2 : NULL;
}


// parse in the encoding that the document declares, or in a given one
static artStatus parse_xml_document(xmlReader *r, const char *encoding, const char *text,
                                    size_t length)
{
  r->parser = XML_ParserCreate(encoding);
  if (!r->parser) return base_no_memory(r->error);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, begin_xml_element, end_xml_element);
  XML_SetCharacterDataHandler(r->parser, add_text);
  XML_SetEntityDeclHandler(r->parser, refuse_entity);
  const bool is_good = XML_Parse(r->parser, text, (int) length, 1) == XML_STATUS_OK;
  const enum XML_Error why = XML_GetErrorCode(r->parser);
  // "utf8" and similar, since other readers accept them
  if (!is_good && !r->status && why == XML_ERROR_UNKNOWN_ENCODING && !encoding) {
    XML_ParserFree(r->parser);
    return parse_xml_document(r, "UTF-8", text, length);
  }
  const char *rest = is_good || r->status || encoding ? NULL : behind_declaration(r, why, text);
  if (rest) {
    XML_ParserFree(r->parser);
    r->skipped += xml_count_lines(text, rest);
    return parse_xml_document(r, "UTF-8", rest, length - (size_t) (rest - text));
  }
  if (!is_good && !r->status) {
    r->status = why == XML_ERROR_NO_MEMORY ? base_no_memory(r->error)
                                           : base_fail(r->error, ART_BAD_INPUT, xml_place_here(r),
                                                       "this is not XML: %s", XML_ErrorString(why));
  }
  XML_ParserFree(r->parser);
  return r->status;
}


artStatus xml_read(baseArena *arena, const char *name, const char *text, size_t length,
                   xmlNode **root, artError *error)
{
  *root = NULL;
  if (length > XML_LARGEST_FILE) {
    return base_fail(error, ART_BAD_INPUT, (artPlace){.file = name},
                     "the file is larger than %d MiB", XML_LARGEST_FILE >> 20);
  }
  xmlReader r = {.arena = arena, .file = name, .error = error};
  // spaces before the declaration, since other readers accept them; the text need not be
  // zero-terminated
  size_t space = 0;
  while (space < length && text[space] && strchr(" \t\r\n", text[space])) space++;
  r.skipped = xml_count_lines(text, text + space);
  budget_begin();
  const artStatus status = parse_xml_document(&r, NULL, text + space, length - space);
  budget_end();
  if (!status) *root = r.root;
  return status;
}

#else

artStatus xml_read(baseArena *arena, const char *name, const char *text, size_t length,
                   xmlNode **root, artError *error)
{
  (void) arena, (void) text, (void) length;
  *root = NULL;
  return base_fail(error, ART_UNSUPPORTED, (artPlace){.file = name},
                   "this build reads no XML: build again with libexpat (Debian: libexpat1-dev)");
}

#endif


int xml_level(const xmlNode *node)
{
  int level = 0;
  for (; node; node = node->parent) level++;
  return level;
}


xmlAttribute *xml_attribute(const xmlNode *node, const char *name)
{
  xmlAttribute *a = node->attribute;
  while (a && strcmp(a->name, name) != 0) a = a->next;
  return a;
}


const char *xml_get(const xmlNode *node, const char *attribute)
{
  xmlAttribute *a = xml_attribute(node, attribute);
  if (a) a->is_read = true;
  return a ? a->value : NULL;
}


static xmlNode *find_from(xmlNode *node, const char *name)
{
  while (node && strcmp(node->name, name) != 0) node = node->next;
  if (node) node->is_read = true;
  return node;
}


xmlNode *xml_child(xmlNode *node, const char *name)
{
  return find_from(node->first, name);
}


xmlNode *xml_next(xmlNode *node)
{
  return find_from(node->next, node->name);
}


void xml_skip(xmlNode *node)
{
  node->is_read = true;
  for (xmlAttribute *a = node->attribute; a; a = a->next) a->is_read = true;
  for (xmlNode *child = node->first; child; child = child->next) xml_skip(child);
}
