// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Expansion of <include> of SDF: inserts the model of another file, with the name, pose, placement
// frame and static flag of the element. With merge="true" its parts become parts of the enclosing
// model, and a frame replaces the model.
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "import/sdf_frames.h"

enum { DEEPEST_INCLUDE = 16, MAX_FILES = 200 };


static const char *attribute_of(const xmlNode *node, const char *name)
{
  const xmlAttribute *a = xml_attribute(node, name);
  return a && a->value[0] ? a->value : NULL;
}


// model://NAME is a folder that contains model.sdf
static const char *find_included_file(importWork *w, const char *uri, artPlace place)
{
  const char *dot = strrchr(uri, '.'), *slash = strrchr(uri, '/');
  const bool is_file = dot && (!slash || dot > slash);
  const char *name = is_file ? uri : import_format(w, "%s/model.sdf", uri);
  const char *found = import_file(w, name, NULL);
  return found || strstr(name, "://") ? found : import_file_beside(w, place.file, name);
}


// add a child, replacing one with the same name
static void put_model_child(xmlNode *model, xmlNode *child)
{
  xmlNode **link = &model->first;
  while (*link && strcmp((*link)->name, child->name) != 0) link = &(*link)->next;
  child->parent = model;
  child->next = *link ? (*link)->next : NULL;
  *link = child;
}


// Make the frames of axes explicit: their default depends on the version before 1.7.
static void settle_axes(importWork *w, xmlNode *model, double version)
{
  for (xmlNode *j = model->first; j; j = j->next) {
    if (strcmp(j->name, "model") == 0) settle_axes(w, j, version);
    if (strcmp(j->name, "joint") != 0) continue;
    for (xmlNode *axis = j->first; axis; axis = axis->next) {
      xmlNode *xyz = strncmp(axis->name, "axis", 4) == 0 ? xml_child(axis, "xyz") : NULL;
      if (!xyz || attribute_of(xyz, "expressed_in")) continue;
      const bool is_said = xml_child(axis, "use_parent_model_frame") != NULL;
      const bool of_model =
          version < 7 && (is_said ? sdf_flag(axis, "use_parent_model_frame") : version < 5);
      const char *name = attribute_of(j, "name");
      if (of_model || name) import_set(w, xyz, "expressed_in", of_model ? "__model__" : name);
    }
  }
}


//---- merging -------------------------------------------------------------------------------------

// replace references to the merged model by references to its frame
static void rename_model(xmlNode *node, const char *frame)
{
  for (xmlAttribute *a = node->attribute; a; a = a->next) {
    if (strcmp(a->value, "__model__") == 0) a->value = frame;
  }
  if (node->text && strcmp(node->text, "__model__") == 0) node->text = frame;
  for (xmlNode *n = node->first; n; n = n->next) {
    if (strcmp(n->name, "model") != 0) rename_model(n, frame);
  }
}


static xmlNode *new_pose(importWork *w, xmlNode *parent)
{
  xmlNode *pose = import_take(w, 1, sizeof *pose);
  *pose =
      (xmlNode){.name = "pose", .text = "0 0 0 0 0 0", .place = parent->place, .parent = parent};
  return pose;
}


// poses relative to the model become relative to the frame
static void move_poses(importWork *w, xmlNode *model, const char *frame)
{
  for (xmlNode *n = model->first; n; n = n->next) {
    const bool is_free = strcmp(n->name, "frame") == 0 && !attribute_of(n, "attached_to");
    if (is_free) import_set(w, n, "attached_to", frame);
    if (strcmp(n->name, "link") != 0 && strcmp(n->name, "model") != 0) continue;
    xmlNode *pose = xml_child(n, "pose");
    if (!pose) put_model_child(n, pose = new_pose(w, n));
    if (!attribute_of(pose, "relative_to") && !attribute_of(pose, "frame"))
      import_set(w, pose, "relative_to", frame);
  }
}


static const char *first_link(const xmlNode *model)
{
  const char *own = attribute_of(model, "canonical_link");
  for (const xmlNode *n = model->first; n && !own; n = n->next) {
    if (strcmp(n->name, "link") == 0) own = attribute_of(n, "name");
  }
  return own;
}


// replace the element by the parts of the model; *first and *last are the ends of their list
static void merge_included_model(importWork *w, xmlNode *include, xmlNode *model, xmlNode **first,
                                 xmlNode **last)
{
  const char *name = attribute_of(model, "name"), *link = first_link(model);
  if (attribute_of(model, "placement_frame") || !name || !link ||
      strcmp(include->parent->name, "model") != 0)
    import_fail(w, include->place,
                "a model merged into a world, with a placement frame, or without a name or link of "
                "its own, is not read");
  const char *frame = import_format(w, "_merged__%s__model__", name);
  xmlNode *proxy = import_take(w, 1, sizeof *proxy);
  *proxy =
      (xmlNode){.name = "frame", .text = "", .place = include->place, .parent = include->parent};
  import_set(w, proxy, "name", frame);
  import_set(w, proxy, "attached_to", link);
  xmlNode *pose = xml_child(model, "pose"); // relative to the enclosing model
  for (xmlNode *n = model->first; n; n = n->next) {
    if (n != pose && strcmp(n->name, "model") != 0) rename_model(n, frame);
  }
  move_poses(w, model, frame);
  if (!pose) pose = new_pose(w, model);
  if (!attribute_of(pose, "relative_to")) import_set(w, pose, "relative_to", "__model__");
  *first = *last = proxy;
  for (xmlNode *n = model->first, *next; n; n = next) {
    next = n->next;
    if (n == pose || strcmp(n->name, "static") == 0) continue;
    n->parent = include->parent;
    (*last)->next = n;
    *last = n;
  }
  (*last)->next = NULL;
  put_model_child(proxy, pose);
  pose->next = NULL;
}


//---- including -----------------------------------------------------------------------------------

// load the included model and apply the changes of the element; NULL, with a note, if it is missing
// in a world
static xmlNode *load_included_model(importWork *w, xmlNode *include, bool in_world)
{
  const char *uri = import_child_text(include, "uri"),
             *path = uri ? find_included_file(w, uri, include->place) : NULL;
  if (!path && in_world) {
    import_note_motion(w, include->place, "<include> of <world> is left out: %.100s",
                       uri ? uri : "");
    return NULL;
  }
  if (!path)
    import_fail(w, include->place,
                "the included file '%.200s' is not there, or outside of the folders of file and "
                "packages; 'gz sdf -p FILE' writes it out",
                uri ? uri : "");
  xmlNode *root = import_xml(w, path);
  const bool is_urdf = strcmp(root->name, "robot") == 0;
  xmlNode *model = is_urdf ? sdf_from_urdf(w, root) : xml_child(root, "model");
  const char *version = attribute_of(root, "version"),
             *point = version ? strchr(version, '.') : NULL;
  if ((strcmp(root->name, "sdf") != 0 && !is_urdf) || !model)
    import_fail(w, include->place, "the included file '%.200s' has no <model>", uri);
  settle_axes(w, model, point ? format_read(point + 1, NULL) : 99);
  const char *name = import_child_text(include, "name"),
             *placed = import_child_text(include, "placement_frame");
  if (!placed) placed = attribute_of(include, "placement_frame");
  if (name) import_set(w, model, "name", name);
  if (placed) import_set(w, model, "placement_frame", placed);
  for (xmlNode *n = include->first, *next; n; n = next) {
    next = n->next;
    if (strcmp(n->name, "pose") == 0 || strcmp(n->name, "static") == 0) put_model_child(model, n);
  }
  return model;
}


void sdf_include(importWork *w, xmlNode *node, int depth, int *files)
{
  const bool in_world = strcmp(node->name, "model") != 0;
  for (xmlNode **link = &node->first; *link;) {
    xmlNode *include = *link, *first, *last;
    if (strcmp(include->name, "model") == 0) sdf_include(w, include, depth, files);
    if (strcmp(include->name, "include") != 0) {
      link = &include->next;
      continue;
    }
    if (depth >= DEEPEST_INCLUDE || ++*files > MAX_FILES)
      import_fail(w, include->place, "files include each other more than %d deep, or %d of them",
                  DEEPEST_INCLUDE, MAX_FILES);
    xmlNode *behind = include->next, *model = load_included_model(w, include, in_world);
    if (!model) {
      *link = behind;
      continue;
    }
    const char *merges = attribute_of(include, "merge");
    model->parent = node;
    model->next = NULL;
    import_check_depth(w, model, 0);
    sdf_include(w, model, depth + 1, files);
    first = last = model;
    if (sdf_is_true(merges)) merge_included_model(w, include, model, &first, &last);
    *link = first;
    last->next = behind;
    link = &last->next;
  }
}
