// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// XML trees from the helper (base/sandbox.h).
#include <limits.h>
#include <string.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/sandbox.h"
#include "import/xml.h"


//---- the answer ----------------------------------------------------------------------------------

typedef struct treeReader {
  sandboxAnswer *a;
  baseArena *arena;
  const char *file;
  artError *error;
  artStatus status;
} treeReader;


static const char *take_xml_text(treeReader *r)
{
  const char *text = arena_text(r->arena, sandbox_text(r->a));
  if (!text && !r->status) r->status = base_no_memory(r->error);
  return text;
}


static void take_xml_attributes(treeReader *r, xmlNode *node)
{
  const int n = sandbox_number(r->a, 0, INT_MAX);
  xmlAttribute **tail = &node->attribute;
  for (int i = 0; i < n && !r->status && !r->a->is_damaged; i++, tail = &(*tail)->next) {
    r->status = budget_charge(BUDGET_ITEMS, 1, node->place, r->error);
    if (r->status || !ARENA_TAKE(r->arena, *tail, 1)) {
      if (!r->status) r->status = base_no_memory(r->error);
      return;
    }
    (*tail)->name = take_xml_text(r);
    (*tail)->value = take_xml_text(r);
  }
}


static xmlNode *take_xml_node(treeReader *r, xmlNode *parent, int depth)
{
  xmlNode *node = NULL;
  if (depth > XML_DEEPEST) r->a->is_damaged = 1;
  if (r->a->is_damaged) return NULL;
  if (!ARENA_TAKE(r->arena, node, 1)) {
    r->status = base_no_memory(r->error);
    return NULL;
  }
  node->name = take_xml_text(r);
  node->text = take_xml_text(r);
  node->place.file = r->file;
  node->place.line = sandbox_number(r->a, 0, INT_MAX);
  node->place.column = sandbox_number(r->a, 0, INT_MAX);
  node->parent = parent;
  if (!r->status) r->status = budget_charge(BUDGET_ITEMS, 1, node->place, r->error);
  take_xml_attributes(r, node);
  const int n = sandbox_number(r->a, 0, INT_MAX);
  for (int i = 0; i < n && !r->status && !r->a->is_damaged; i++) {
    xmlNode *child = take_xml_node(r, node, depth + 1);
    if (!child) break;
    if (node->last) node->last->next = child;
    if (!node->first) node->first = child;
    node->last = child;
  }
  return node;
}


artStatus xml_read_apart(baseArena *arena, const char *kind, const char *name, const char *text,
                         size_t length, xmlNode **root, artError *error)
{
  const char *const words[] = {kind, name, NULL};
  int is_on = 0;
  *root = NULL;
  artStatus status = sandbox_choose(&is_on, error);
  if (status) return status;
  if (!is_on) return xml_read(arena, name, text, length, root, error);
  sandboxAnswer answer;
  status = sandbox_ask(&answer, words, text, length, name, error);
  if (!status) status = sandbox_status(&answer, error);
  if (!status && !answer.is_damaged) {
    treeReader r = {.a = &answer, .arena = arena, .file = name, .error = error};
    budget_begin();
    *root = take_xml_node(&r, NULL, 1);
    budget_end();
    status = r.status;
  }
  if (!status) status = sandbox_check(&answer, name, error);
  if (status) *root = NULL;
  sandbox_forget(&answer);
  return status;
}


//---- the helper ----------------------------------------------------------------------------------

void xml_put(FILE *out, const xmlNode *node)
{
  int n = 0;
  sandbox_put_text(out, node->name);
  sandbox_put_text(out, node->text);
  sandbox_put_number(out, node->place.line);
  sandbox_put_number(out, node->place.column);
  for (const xmlAttribute *a = node->attribute; a; a = a->next) n++;
  sandbox_put_number(out, n);
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    sandbox_put_text(out, a->name);
    sandbox_put_text(out, a->value);
  }
  n = 0;
  for (const xmlNode *child = node->first; child; child = child->next) n++;
  sandbox_put_number(out, n);
  for (const xmlNode *child = node->first; child; child = child->next) xml_put(out, child);
}
