// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copies of elements of MJCF: what their attributes refer to, and how they are called.
#include "import/mjcf_copy.h"

#include <string.h>

enum { MOST_COPIES = 100000 }; // of elements, in all

const char *const mjcf_sections[MJCF_SECTIONS] = {"tendon", "equality", "actuator", "sensor",
                                                  "contact"};


//---- names ---------------------------------------------------------------------------------------

// the kind of thing that an attribute names, or NULL
static const char *kind_of(const char *attribute, const xmlNode *node)
{
  static const char *const kinds[][2] = {
      {"joint", "joint"},     {"joint1", "joint"},      {"joint2", "joint"},
      {"site", "site"},       {"site1", "site"},        {"site2", "site"},
      {"refsite", "site"},    {"sidesite", "site"},     {"cranksite", "site"},
      {"slidersite", "site"}, {"body", "body"},         {"body1", "body"},
      {"body2", "body"},      {"geom", "geom"},         {"geom1", "geom"},
      {"geom2", "geom"},      {"tendon", "tendon"},     {"tendon1", "tendon"},
      {"tendon2", "tendon"},  {"actuator", "actuator"}, {"jointinparent", "joint"},
      {"mesh", "mesh"},       {"material", "material"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i][0], attribute) == 0) return kinds[i][1];
  }
  const bool is_object = strcmp(attribute, "objname") == 0,
             is_frame = strcmp(attribute, "refname") == 0;
  for (const xmlAttribute *a = node->attribute; a && (is_object || is_frame); a = a->next) {
    if (strcmp(a->name, is_object ? "objtype" : "reftype") == 0)
      return strcmp(a->value, "xbody") == 0 ? "body" : a->value;
  }
  return NULL;
}


// what an element with a name is, seen from those that refer to it
static const char *kind_of_element(const xmlNode *node)
{
  const char *section = node->parent ? node->parent->name : "";
  if (strcmp(node->name, "freejoint") == 0) return "joint";
  return strcmp(section, "tendon") == 0 || strcmp(section, "actuator") == 0 ? section : node->name;
}


static const char *key_of(mjcfCopy *job, const char *kind, const char *name)
{
  return import_format(job->r->w, "%s:%s", kind, name);
}


void mjcf_keep_name(mjcfCopy *job, const xmlNode *node)
{
  importWork *w = job->r->w;
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (strcmp(a->name, "name") != 0) continue;
    const char *key = key_of(job, kind_of_element(node), a->value);
    if (table_find(&job->names, key) < 0 && !table_add(&job->names, &w->arena, key, 0))
      import_leave(w, ART_NO_MEMORY);
  }
}


void mjcf_keep_names(mjcfCopy *job, const xmlNode *node)
{
  mjcf_keep_name(job, node);
  for (const xmlNode *child = node->first; child; child = child->next) mjcf_keep_names(job, child);
}


static bool is_copied(mjcfCopy *job, const xmlNode *node, const xmlAttribute *a)
{
  const char *kind = kind_of(a->name, node);
  return kind && table_find(&job->names, key_of(job, kind, a->value)) >= 0;
}


void mjcf_count_references(mjcfCopy *job, const xmlNode *node, int *inside, int *outside)
{
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (is_copied(job, node, a))
      ++*inside;
    else if (kind_of(a->name, node))
      ++*outside;
  }
  for (const xmlNode *child = node->first; child; child = child->next)
    mjcf_count_references(job, child, inside, outside);
}


//---- copies --------------------------------------------------------------------------------------

xmlNode *mjcf_copy_node(mjcfCopy *job, const xmlNode *node, xmlNode *parent)
{
  importWork *w = job->r->w;
  if (++job->r->ncopy > MOST_COPIES)
    import_fail(w, node->place, "<replicate> or <attach> makes more than %d elements", MOST_COPIES);
  xmlNode *copy = import_take(w, 1, sizeof *copy);
  *copy = (xmlNode){.name = node->name, .text = node->text, .place = node->place, .parent = parent};
  xmlAttribute **tail = &copy->attribute;
  for (const xmlAttribute *a = node->attribute; a; a = a->next, tail = &(*tail)->next) {
    *tail = import_take(w, 1, sizeof **tail);
    const bool is_named = strcmp(a->name, "name") == 0 || is_copied(job, node, a);
    **tail = (xmlAttribute){
        .name = a->name,
        .value =
            is_named ? import_format(w, "%s%s%s", job->before, a->value, job->after) : a->value,
        .is_read = a->is_read};
  }
  for (const xmlNode *child = node->first; child; child = child->next)
    mjcf_append(copy, mjcf_copy_node(job, child, copy));
  return copy;
}


xmlNode *mjcf_new_node(importWork *w, const char *name, xmlNode *parent, artPlace place)
{
  xmlNode *node = import_take(w, 1, sizeof *node);
  *node = (xmlNode){.name = name, .text = "", .place = place, .parent = parent, .is_read = true};
  return node;
}


// 'last' may stand before what was put in the place of elements
void mjcf_append(xmlNode *node, xmlNode *child)
{
  xmlNode *last = node->last ? node->last : node->first;
  while (last && last->next) last = last->next;
  if (last)
    last->next = child;
  else
    node->first = child;
  node->last = child;
}


const char *mjcf_spaced(importWork *w, int n, const double *x)
{
  const char *text = "";
  for (int i = 0; i < n; i++)
    text = import_format(w, "%s%s%s", text, i ? " " : "", import_number(w, x[i]));
  return text;
}
