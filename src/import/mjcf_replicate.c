// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// <replicate> of MJCF, written out: copies of what stands in it, each in a frame of its own, with the number of the copy
// behind every name; what refers to such a name elsewhere is copied likewise.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/mjcf.h"
#include "spatial/pose.h"

enum { MOST_COPIES = 100000 }; // of elements, in all

typedef struct copyJob {
  mjcfReader *r;
  int count, made;
  const char *separator;
  baseTable names; // "kind:name" of what is copied
} copyJob;


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
      {"tendon2", "tendon"},  {"actuator", "actuator"}, {"jointinparent", "joint"}};
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


static const char *key_of(copyJob *job, const char *kind, const char *name)
{
  return import_format(job->r->w, "%s:%s", kind, name);
}


static void keep_name(copyJob *job, const xmlNode *node)
{
  importWork *w = job->r->w;
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (strcmp(a->name, "name") != 0) continue;
    const char *key = key_of(job, kind_of_element(node), a->value);
    if (table_find(&job->names, key) < 0 && !table_add(&job->names, &w->arena, key, 0))
      import_leave(w, ART_NO_MEMORY);
  }
}


static void keep_names(copyJob *job, const xmlNode *node)
{
  keep_name(job, node);
  for (const xmlNode *child = node->first; child; child = child->next) keep_names(job, child);
}


static bool is_copied(copyJob *job, const xmlNode *node, const xmlAttribute *a)
{
  const char *kind = kind_of(a->name, node);
  return kind && table_find(&job->names, key_of(job, kind, a->value)) >= 0;
}


static bool refers(copyJob *job, const xmlNode *node)
{
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (is_copied(job, node, a)) return true;
  }
  for (const xmlNode *child = node->first; child; child = child->next) {
    if (refers(job, child)) return true;
  }
  return false;
}


//---- copies --------------------------------------------------------------------------------------

// the separator and the number of the copy, with as many digits as their count has
static const char *suffix_of(copyJob *job, int copy)
{
  char count[16];
  const int digits = snprintf(count, sizeof count, "%d", job->count);
  return import_format(job->r->w, "%s%0*d", job->separator, digits, copy);
}


static xmlNode *copy_node(copyJob *job, const xmlNode *node, xmlNode *parent, const char *suffix)
{
  importWork *w = job->r->w;
  if (++job->r->ncopy > MOST_COPIES)
    import_fail(w, node->place, "<replicate> makes more than %d elements", MOST_COPIES);
  xmlNode *copy = import_take(w, 1, sizeof *copy);
  *copy = (xmlNode){.name = node->name, .text = node->text, .place = node->place, .parent = parent};
  xmlAttribute **tail = &copy->attribute;
  for (const xmlAttribute *a = node->attribute; a; a = a->next, tail = &(*tail)->next) {
    *tail = import_take(w, 1, sizeof **tail);
    const bool is_named = strcmp(a->name, "name") == 0 || is_copied(job, node, a);
    **tail = (xmlAttribute){
        .name = a->name, .value = is_named ? import_format(w, "%s%s", a->value, suffix) : a->value};
  }
  xmlNode **link = &copy->first;
  for (const xmlNode *child = node->first; child; child = child->next, link = &(*link)->next)
    copy->last = *link = copy_node(job, child, copy, suffix);
  return copy;
}


static void add_attribute(importWork *w, xmlNode *node, const char *name, const char *value)
{
  xmlAttribute *a = import_take(w, 1, sizeof *a);
  *a = (xmlAttribute){.name = name, .value = value, .next = node->attribute};
  node->attribute = a;
}


// numbers between spaces
static const char *spaced(importWork *w, int n, const double *x)
{
  const char *text = "";
  for (int i = 0; i < n; i++)
    text = import_format(w, "%s%s%s", text, i ? " " : "", import_number(w, x[i]));
  return text;
}


// a frame with a copy of all that stands in the element
static xmlNode *copy_frame(copyJob *job, const xmlNode *replicate, int copy, modelPose pose)
{
  importWork *w = job->r->w;
  xmlNode *frame = import_take(w, 1, sizeof *frame);
  const double at[3] = {pose.r.x, pose.r.y, pose.r.z};
  double q[4];
  pose_quaternion(pose.R, q);
  *frame = (xmlNode){
      .name = "frame", .text = "", .place = replicate->place, .parent = replicate->parent};
  add_attribute(w, frame, "pos", spaced(w, 3, at));
  add_attribute(w, frame, "quat", spaced(w, 4, q));
  const char *suffix = suffix_of(job, copy);
  xmlNode **link = &frame->first;
  for (const xmlNode *n = replicate->first; n; n = n->next, link = &(*link)->next)
    frame->last = *link = copy_node(job, n, frame, suffix);
  return frame;
}


// put a row of elements, from first to last, in the place that `link` points at; returns the link behind them
static xmlNode **put_in_place(xmlNode **link, xmlNode *first, xmlNode *last)
{
  last->next = (*link)->next;
  *link = first;
  return &last->next;
}


// what refers to copied names, in all sections behind the bodies
static void copy_references(copyJob *job)
{
  static const char *const sections[] = {"tendon", "equality", "actuator", "sensor", "contact"};
  for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
    for (xmlNode *section = job->r->root->first; section; section = section->next) {
      if (strcmp(section->name, sections[s]) != 0) continue;
      for (xmlNode **link = &section->first; *link;) {
        xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
        if (!refers(job, node)) {
          link = &node->next;
          continue;
        }
        keep_name(job, node);
        for (int i = 0; i < job->count; i++, tail = &last->next)
          last = *tail = copy_node(job, node, section, suffix_of(job, i));
        link = put_in_place(link, first, last);
      }
    }
  }
}


// copy k stands at T^k, with T the offset and turn from one to the next
static xmlNode **write_out(mjcfReader *r, xmlNode **link)
{
  importWork *w = r->w;
  xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
  copyJob job = {.r = r, .separator = xml_get(node, "sep")};
  double count = 0, offset[3] = {0}, angle[3] = {0};
  import_need(w, node, "count");
  import_get(w, node, "count", 1, &count);
  import_get(w, node, "offset", 3, offset);
  import_get(w, node, "euler", 3, angle);
  if (!(count >= 1) || count > MOST_COPIES || count != floor(count))
    import_fail(w, node->place, "'count' is %g, expected a whole number from 1 on", count);
  if (!job.separator) job.separator = "";
  job.count = (int) count;
  modelPose next = mjcf_euler(r, angle), pose = pose_identity();
  next.r = v3_make(offset[0], offset[1], offset[2]);
  for (const xmlNode *n = node->first; n; n = n->next) keep_names(&job, n);
  for (int i = 0; i < job.count; i++, tail = &last->next, pose = pose_compose(pose, next))
    last = *tail = copy_frame(&job, node, i, pose);
  link = put_in_place(link, first, last);
  copy_references(&job);
  return link;
}


// those within others first
void mjcf_replicate(mjcfReader *r, xmlNode *node)
{
  for (xmlNode **link = &node->first; *link;) {
    mjcf_replicate(r, *link);
    if (strcmp((*link)->name, "replicate") == 0)
      link = write_out(r, link);
    else
      link = &(*link)->next;
  }
}
